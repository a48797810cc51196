"""Judging by a model: what is looked at before it costs anything, and what is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from demur import answers
from demur.answers.refusals import NoAnswers
from demur.judge_models.cases import CaseJudge
from demur.judging.join import References
from demur.judging.joined_parts import JoinedParts
from demur.judging.judgement import Judgement
from demur.outcomes.fields import VERDICT_CONFIDENCE
from demur.outcomes.records import Reference, Response
from demur.outcomes.table import Outcomes

if TYPE_CHECKING:
    from demur.judge_models.comparing import JudgedByModel


def by_model(by: Any, no_answer: NoAnswers) -> "JudgedByModel | None":
    """The judge that ``by`` names or is, ready for use; None if it is none.

    Raises
    ------
    InputError
        If the name is none, or its rubric is not what it must be.

    Examples
    --------
    >>> by_model("text", NoAnswers(()))
    """
    if isinstance(by, str) and answers.is_model(by):
        by = answers.parse_comparator(by)
    is_judge = not isinstance(by, type) and isinstance(by, CaseJudge)
    if not (is_judge or isinstance(by, answers.ModelJudge)):
        return None
    # Systems are loaded only where a model judges.
    from demur.judge_models.asking import JudgeModel
    from demur.judge_models.comparing import JudgedByModel

    judge = JudgeModel(by.judge, by.rubric) if not is_judge else by
    return JudgedByModel(judge, no_answer)


def refuse_unjoined(
    responses: Sequence[Response],
    references: Sequence[Reference],
    policies: Mapping[str, str],
    no_answer: NoAnswers,
    extraction: answers.Extraction,
    parts: JoinedParts,
) -> None:
    """Refuse what judging would refuse in the end, before a model is paid for.

    Raises
    ------
    InputError
        As `demur.judge`.
    """
    # What is acceptable plays no part here, and a rubric may need none.
    one = ((True, 1.0),)
    known = References(replace(reference, alternatives=one) for reference in references)
    comparator = answers.comparator(_is_right)
    trial = Judgement(comparator, known, policies, no_answer, extraction, parts)
    for response in responses:
        trial.add(response, response.place)
    trial.check()
    trial.outcomes()


def _is_right(response: Any, reference: Any) -> bool:  # noqa: ARG001
    return True


def with_confidences(
    outcomes: Outcomes,
    comparator: "JudgedByModel | None",
    parts: JoinedParts,
    extraction: answers.Extraction,
) -> Outcomes:
    """Outcomes with a further column: how sure a model was of each verdict."""
    if comparator is None:
        return outcomes
    given: Any = outcomes.response
    guesses = [None] * len(outcomes) if given is None else map(extraction, given)
    column = comparator.confidences(parts.rejoined(outcomes), guesses)
    if all(value is None for value in column):
        return outcomes
    return replace(outcomes, groups={**outcomes.groups, VERDICT_CONFIDENCE: column})
