"""A judge of claims as a comparator: answers become claims, which have verdicts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from demur.answers import ClaimsJudgedByModel, Match
from demur.answers.refusals import NoAnswers
from demur.judge_models.cases import DECLINED, JudgeCase, JudgeVerdict
from demur.judge_models.claim_judges import ClaimsJudge
from demur.judge_models.comparing import JudgedByModel
from demur.judge_models.prompts import listed_values, shown_value
from demur.outcomes.columns import objects
from demur.outcomes.records import Reference, Response, item_text
from demur.outcomes.refusals import several

FINDING: Final = "finding"
"""The column that says what was found of a claim."""

_NO_CLAIM: Final = JudgeVerdict(None, DECLINED, "the answer holds no claim")


class UncutAnswer(str):
    """An answer that is no claim, and has its verdict already.

    Examples
    --------
    >>> answer = UncutAnswer("Hello!", JudgeVerdict(None, "declined", "no claim"))
    >>> answer == "Hello!", answer.verdict.reason
    (True, 'no claim')
    """

    __slots__ = ("verdict",)
    verdict: JudgeVerdict

    def __new__(cls, text: str, verdict: JudgeVerdict) -> "UncutAnswer":
        """The text, with its verdict."""
        made = super().__new__(cls, text)
        made.verdict = verdict
        return made


class JudgedClaims(JudgedByModel):
    """A judge of claims as a comparator.

    Parameters
    ----------
    judge : ClaimsJudge
        Who cuts answers, and gives the verdicts.
    no_answer : NoAnswers
        Which responses say that there is no answer: they are not cut.

    Examples
    --------
    >>> import demur
    >>> judge = demur.ClaimsJudge(lambda prompt: "[]", name="none")
    >>> str(JudgedClaims(judge, NoAnswers(())))
    'claims(none, rubric=claim-found, cut=cut-claims, not_found=wrong)'
    """

    version: ClassVar[str] = ClaimsJudgedByModel.version
    makes_parts: ClassVar[bool] = True
    judge: ClaimsJudge

    def __init__(self, judge: ClaimsJudge, no_answer: NoAnswers) -> None:
        super().__init__(judge, no_answer)
        self._cut = 0
        self._claims = 0

    # -- asking ------------------------------------------------------------------------

    def parts(
        self, responses: Sequence[Response], references: Iterable[Reference]
    ) -> list[Response]:
        """Responses with one claim each.

        One with a part is a claim already. What declines, failed, or has no reference
        that could be asked about stays as it is; a guess among these is one part.

        Raises
        ------
        RunError
            If the judge fails too often, or the budget is spent.
        """
        known = {
            item_text(reference.item, reference.place): reference
            for reference in references
            if reference.answerable
        }
        cases: dict[int, JudgeCase] = {}
        for number, response in enumerate(responses):
            reference = known.get(item_text(response.item, response.place))
            if reference is not None and self._is_asked(response):
                cases[number] = self._case_of(response.response, reference)
        self._check(cases.values())
        whole = {
            n: case for n, case in cases.items() if self._is_cut(responses[n], case)
        }
        cut = dict(zip(whole, self.judge.cut([*whole.values()]), strict=True))
        self._cut = len(cut)
        claims = (self._of(one, cut.get(n)) for n, one in enumerate(responses))
        return [claim for of_one in claims for claim in of_one]

    def _is_cut(self, response: Response, case: JudgeCase) -> bool:
        """Whether it is a whole answer, and there is a text to judge it by."""
        if part_of(response) is not None or _is_empty(response.response):
            return False
        return case.text is not None or "text" not in self.judge.rubric.shows

    def _of(
        self, response: Response, cut: tuple[str, ...] | JudgeVerdict | None
    ) -> Iterator[Response]:
        """What one response becomes."""
        given = part_of(response)
        if given is not None:
            yield _with_part(response, response.response, str(given))
        elif cut is None and _is_empty(response.response) and not response.error:
            yield _with_part(response, None, None)
        elif cut is None:
            is_guess = bool(response.error) or self._is_asked(response)
            yield _with_part(response, response.response, "1" if is_guess else None)
        elif isinstance(cut, JudgeVerdict):
            answer = UncutAnswer(shown_value(response.response), cut)
            self._count(cut, 1)
            yield _with_part(response, answer, "1")
        elif not cut:
            answer = UncutAnswer(shown_value(response.response), _NO_CLAIM)
            yield _with_part(response, answer, None)
        else:
            self._claims += len(cut)
            for number, claim in enumerate(cut, 1):
                yield _with_part(response, claim, str(number))

    def _is_asked(self, response: Response) -> bool:
        is_cut = not isinstance(response.response, UncutAnswer)
        return is_cut and super()._is_asked(response)

    def _case_of(self, guess: Any, reference: Reference) -> JudgeCase:
        """The text is the field ``text``, else the references."""
        case = super()._case_of(guess, reference)
        if case.text is not None or not case.references:
            return case
        text = listed_values([value for value, _ in case.references])
        return replace(case, text=text.strip() or None)

    def _notes(self) -> Iterator[str]:
        if self._cut:
            cut, claims = several(self._cut, "answer"), several(self._claims, "claim")
            yield f"{cut} cut into {claims}"
        yield from super()._notes()

    # -- what a comparator does ----------------------------------------------------

    def compare(self, response: Any, reference: Any) -> Match:
        """What the judge has said of a claim."""
        if isinstance(response, UncutAnswer):
            return self._match(response.verdict)
        return super().compare(response, reference)

    def columns(self, items: Sequence[str], guesses: Sequence[Any]) -> dict[str, Any]:
        """How sure the judge was, and what it found of each claim."""
        verdicts = self._said(items, guesses)
        findings = [verdict.choice or None if verdict else None for verdict in verdicts]
        column = objects(findings, len(findings))
        column.setflags(write=False)
        return {**super().columns(items, guesses), FINDING: column}


def _is_empty(guess: Any) -> bool:
    return guess is None or (isinstance(guess, str) and not guess.strip())


def part_of(response: Response) -> Any:
    """The part that a response names; None if it names none.

    Examples
    --------
    >>> part_of(Response(item="q", part="2")), part_of(Response(item="q", part=" "))
    ('2', None)
    """
    part = response.part
    return None if part is None or not str(part).strip() else part


def _with_part(response: Response, guess: Any, part: str | None) -> Response:
    return replace(response, response=guess, part=part)
