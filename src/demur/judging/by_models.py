"""Judging by a model: what is looked at before it costs anything, and what is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from demur import answers
from demur.answers.refusals import NoAnswers
from demur.errors import InputError
from demur.judge_models.cases import CaseJudge
from demur.judging.join import References
from demur.judging.joined_parts import JoinedParts
from demur.judging.judged_parts import JudgedParts
from demur.judging.judgement import Judgement
from demur.judging.taken_apart import TakenApart
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
    from demur.judge_models.comparing import JudgedByModel
    from demur.judge_models.comparing_claims import JudgedClaims

    judge = by if is_judge else _named_judge(by)
    cuts = hasattr(judge, "cutting_requests")
    return JudgedClaims(judge, no_answer) if cuts else JudgedByModel(judge, no_answer)


def _named_judge(by: answers.ModelJudge) -> Any:
    """The judge that a comparator names."""
    if isinstance(by, answers.ClaimsJudgedByModel):
        from demur.judge_models.claim_judges import ClaimsJudge

        return ClaimsJudge(by.judge, by.rubric, cut=by.cut, not_found=by.not_found)
    from demur.judge_models.asking import JudgeModel

    return JudgeModel(by.judge, by.rubric)


HowJudged = tuple[
    Mapping[str, str], NoAnswers, answers.Extraction, JoinedParts, TakenApart | None
]
"""Policies, which responses are none, what is taken out of them, and their parts."""


def judgement_of(comparator: Any) -> type[Judgement]:
    """How rows are told apart: by item, or by part where answers are cut into claims.

    Examples
    --------
    >>> judgement_of(None).__name__
    'Judgement'
    """
    makes_parts = getattr(comparator, "makes_parts", False)
    return JudgedParts if makes_parts else Judgement


def parts_of(
    comparator: "JudgedByModel | None",
    responses: Any,
    references: Any,
    how: HowJudged,
) -> Any:
    """What a model judges of the responses, checked before it costs anything.

    These are the responses, or their claims; where no model judges they are as they
    were, and not looked at.

    Raises
    ------
    InputError
        As `demur.judge`; and if answers are cut into claims, and something is to be
        taken out of them, or one of several responses is to be taken.
    """
    if comparator is None:
        return responses
    policies, _, extraction, *_ = how
    if comparator.makes_parts and extraction.steps:
        need, hint = "be left out with claims", "Whole answers are cut into claims."
        raise InputError("judge", "extract", need, str(extraction), hint)
    if comparator.makes_parts and policies["repeated"] != "error":
        need, hint = "be error with claims", "Take one response to each item before."
        raise InputError("judge", "repeated", need, policies["repeated"], hint)
    if comparator.makes_parts and any(one.part is not None for one in references):
        need, hint = "have no column part", "Each is the text of a whole item."
        raise InputError("judge", "the references", need, "one", hint)
    refuse_unjoined(responses, references, how, judgement_of(comparator))
    return comparator.parts(responses, references)


def refuse_unjoined(
    responses: Sequence[Response],
    references: Sequence[Reference],
    how: HowJudged,
    judgement: type[Judgement],
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
    trial = judgement(comparator, known, *how)
    for response in responses:
        trial.add(response, response.place)
    trial.check()
    trial.outcomes()


def _is_right(response: Any, reference: Any) -> bool:  # noqa: ARG001
    return True


def with_verdict_columns(
    outcomes: Outcomes,
    comparator: "JudgedByModel | None",
    parts: JoinedParts,
    extraction: answers.Extraction,
) -> Outcomes:
    """Outcomes with what else a model says of each: how sure it was, what it found."""
    if comparator is None:
        return outcomes
    given: Any = outcomes.response
    guesses = [None] * len(outcomes) if given is None else [*map(extraction, given)]
    columns = comparator.columns(parts.rejoined(outcomes), guesses)
    further = {
        name: column
        for name, column in columns.items()
        if any(value is not None for value in column)
    }
    taken = ", ".join(name for name in further if name in outcomes.groups)
    notes = [f"columns ignored, because judging makes them: {taken}"] if taken else []
    groups = {**outcomes.groups, **further}
    return replace(outcomes, groups=groups, notes=(*outcomes.notes, *notes))
