"""A judge as a comparator: all answers are asked about before the first verdict."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from demur.answers import Match, ModelJudge
from demur.answers.refusals import NoAnswers
from demur.errors import InputError
from demur.judge_models.cases import (
    CANNOT_TELL,
    DECLINED,
    FAILED_VERDICT,
    PARTLY,
    RIGHT_VERDICT,
    WRONG_VERDICT,
    CaseJudge,
    JudgeCase,
    JudgeVerdict,
)
from demur.judge_models.replies import NO_VERDICT, UNREAD
from demur.judge_models.rubrics import Rubric
from demur.outcomes import reasons
from demur.outcomes.columns import objects
from demur.outcomes.fields import VERDICT_CONFIDENCE
from demur.outcomes.records import Reference, Response, item_text
from demur.outcomes.refusals import several

_CODES: Final = {
    RIGHT_VERDICT: "equal",
    PARTLY: "partly_equal",
    WRONG_VERDICT: "differs",
    DECLINED: reasons.NO_ANSWER,
    CANNOT_TELL: reasons.CANNOT_TELL,
    FAILED_VERDICT: reasons.JUDGE_FAILED,
}
"""What the code of a verdict is in outcomes."""

_NO_QUESTION: Final = (
    "the judge sees no question: references have no field input; name its column "
    "(--reference-columns input=COLUMN)"
)
_NO_REFERENCES: Final = (
    "the judge saw no references: there are none in reference or references; name "
    "their column (--reference-columns reference=COLUMN) if there should be some"
)
_NO_WEIGHTS: Final = (
    "weights of references do not count: each is shown as one that meets all criteria"
)
_SAYS_NONE: Final = Match(0.0, "says that there is no answer", "no_guess")
_EQUAL: Final = Match(1.0, "equal", "equal")


class JudgedByModel:
    """A judge as a comparator, and what it has said.

    Parameters
    ----------
    judge : CaseJudge
        Who gives the verdicts.
    no_answer : NoAnswers
        Which responses say that there is no answer: nobody is asked about them.

    Examples
    --------
    >>> import demur
    >>> judge = demur.JudgeModel(lambda prompt: "Answer: right", name="yes")
    >>> str(JudgedByModel(judge, NoAnswers(())))
    'model(yes, rubric=same-answer)'
    """

    version: ClassVar[str] = ModelJudge.version
    makes_parts: ClassVar[bool] = False

    def __init__(self, judge: CaseJudge, no_answer: NoAnswers) -> None:
        self.judge, self._no_answer = judge, no_answer
        self._verdicts: dict[tuple[str, str], JudgeVerdict] = {}
        self._known: dict[str, tuple[tuple[Any, float], ...]] = {}
        self._counts: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()
        self._shown: list[str] = []
        self.instead = _instead(getattr(judge, "rubric", None))

    def __str__(self) -> str:
        return str(self.judge)

    __repr__ = __str__

    @property
    def recipe(self) -> Mapping[str, str]:
        """What decides verdicts beside the options: the judge, as it says itself."""
        recipe: Mapping[str, str] = getattr(self.judge, "recipe", {})
        return recipe

    @property
    def notes(self) -> list[str]:
        """What a reader must know of the verdicts that there are not."""
        return [*self._notes(), *getattr(self.judge, "notes", ())]

    def _notes(self) -> Iterator[str]:
        yield from self._shown
        cannot, failed = self._counts[CANNOT_TELL], self._counts[FAILED_VERDICT]
        if cannot:
            are = "is" if cannot == 1 else "are"
            what = several(cannot, "answer")
            more = self._why_unread()
            yield f"{what} of which the judge cannot tell {are} ungraded{more}"
        if failed:
            why, count = self._failures.most_common(1)[0]
            often = "" if count == failed else f", {count} of them"
            yield (
                f"{several(failed, 'answer')} ungraded since the judge could not be "
                f"had{often}: {why}"
            )
        declined = self._counts[DECLINED]
        if declined:
            yield f"{several(declined, 'answer')} unanswered, as the judge says"

    def _why_unread(self) -> str:
        """How many replies hold no verdict, and mostly why, where that is known."""
        unread = self._unread.total()
        if not unread:
            return ""
        why, count = self._unread.most_common(1)[0]
        mostly = "" if why == NO_VERDICT else f" ({count:,}: {why})"
        return f", {unread:,} of them since its reply holds no verdict{mostly}"

    # -- asking ------------------------------------------------------------------------

    def prepare(
        self, responses: Iterable[Response], references: Iterable[Reference]
    ) -> None:
        """Have all answers judged, equal ones to one item once.

        Raises
        ------
        InputError
            If the rubric needs a text, and no reference has one.
        RunError
            If the judge fails too often, or the budget is spent.
        """
        known: dict[str, Reference] = {}
        for reference in references:
            item = item_text(reference.item, reference.place)
            self._known[item] = reference.alternatives
            if reference.answerable:
                known[item] = reference
        cases: dict[tuple[str, str], JudgeCase] = {}
        numbers: Counter[tuple[str, str]] = Counter()
        for response in responses:
            item = item_text(response.item, response.place)
            if item in known and self._is_asked(response):
                key = item, _text_of(response.response)
                numbers[key] += 1
                if key not in cases:
                    cases[key] = self._case_of(response.response, known[item])
        self._check(cases.values())
        verdicts = self.judge.verdicts([*cases.values()])
        self._verdicts = dict(zip(cases, verdicts, strict=True))
        for key, verdict in self._verdicts.items():
            self._count(verdict, numbers[key])

    def parts(
        self,
        responses: Sequence[Response],
        references: Iterable[Reference],  # noqa: ARG002
    ) -> Sequence[Response]:
        """What is judged of the responses: each as a whole."""
        return responses

    def _case_of(self, guess: Any, reference: Reference) -> JudgeCase:
        """What the judge is shown of an answer."""
        text = reference.extra.get("text")
        return JudgeCase(
            response=guess,
            question=reference.input,
            references=reference.alternatives,
            answerable=True,
            text=text if isinstance(text, str) and text.strip() else None,
        )

    def _count(self, verdict: JudgeVerdict, answers: int) -> None:
        """Take note of a verdict on so many answers."""
        self._counts[verdict.code] += answers
        if verdict.code == CANNOT_TELL:
            # Of several criteria one may have been read, and another not.
            why = [word for word in UNREAD if word in verdict.reason][:1]
            self._unread.update(dict.fromkeys(why, answers))
        if verdict.code == FAILED_VERDICT:
            self._failures[verdict.reason] += answers

    def _is_asked(self, response: Response) -> bool:
        guess = response.response
        if response.failed or response.error or guess is None:
            return False
        return guess != "NO_ANSWER" and not self._no_answer(guess)

    def _check(self, cases: Iterable[JudgeCase]) -> None:
        """Refuse cases that the rubric cannot judge; note what is not shown of them.

        Raises
        ------
        InputError
            If no text is there where the rubric needs one.
        """
        rubric = getattr(self.judge, "rubric", None)
        listed = list(cases)
        if rubric is None or not listed:
            return
        if "text" in rubric.shows and not any(case.text for case in listed):
            need = f"have a field text, which the rubric {rubric.name} shows"
            hint = "Name its column: --reference-columns text=COLUMN."
            raise InputError("judge", "the references", need, "none", hint)
        self._shown = [*not_shown(rubric, listed)]

    # -- what a comparator does ----------------------------------------------------

    def read(self, value: Any) -> Any:
        """An answer as it stands."""
        return value

    def is_no_guess(self, value: Any) -> bool:  # noqa: ARG002
        """There is no other way than None and NO_ANSWER, which all comparators know."""
        return False

    def read_reference(self, reference: Reference) -> tuple[tuple[Any, float], ...]:
        """The item, by which the verdicts are known; weights are in their credit."""
        return ((item_text(reference.item, reference.place), 1.0),)

    def compare(self, response: Any, reference: Any) -> Match:
        """What the judge has said of an answer to an item."""
        verdict = self._verdicts.get((reference, _text_of(response)))
        if verdict is not None:
            return self._match(verdict)
        # It says that there is no answer, so that nobody was asked.
        values = [value for value, _ in self._known.get(reference, ())]
        return _EQUAL if response in values else _SAYS_NONE

    def _match(self, verdict: JudgeVerdict) -> Match:
        return Match(verdict.credit, verdict.reason, _CODES[verdict.code])

    def columns(self, items: Sequence[str], guesses: Sequence[Any]) -> dict[str, Any]:
        """How sure the judge was of each verdict; None of what it was not asked.

        Parameters
        ----------
        items : sequence of str, n_rows
        guesses : sequence, n_rows
            The answers as they were compared.

        Returns
        -------
        dict of str to array of object, shape (n_rows,)
            Further columns of the outcomes, by their names.
        """
        given = self._said(items, guesses)
        listed = [None if verdict is None else verdict.confidence for verdict in given]
        column = objects(listed, len(listed))
        column.setflags(write=False)
        return {VERDICT_CONFIDENCE: column}

    def _said(
        self, items: Sequence[str], guesses: Sequence[Any]
    ) -> list[JudgeVerdict | None]:
        """The verdict of each row, where there is one."""
        pairs = zip(items, guesses, strict=True)
        return [self._verdicts.get((item, _text_of(guess))) for item, guess in pairs]


def not_shown(rubric: Rubric, cases: Sequence[JudgeCase]) -> Iterator[str]:
    """What the rubric would show, and no case has; and what does not count."""
    if "question" in rubric.shows and all(case.question is None for case in cases):
        yield _NO_QUESTION
    if "references" in rubric.shows and rubric.criteria:
        weights = [weight for case in cases for _, weight in case.references]
        if not weights:
            yield _NO_REFERENCES
        if any(weight != 1 for weight in weights):
            yield _NO_WEIGHTS


def _instead(rubric: Rubric | None) -> tuple[str, ...]:
    """Fields of a reference that may stand in place of acceptable answers.

    Where the judge compares with references, one without any is a mistake: its column
    may have another name.
    """
    if rubric is None:
        return ()
    if rubric.criteria or "references" not in rubric.shows:
        return ("text", "input")
    return ()


def _text_of(value: Any) -> str:
    """A value as a key: two values have one if JSON writes them alike."""
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    except (TypeError, ValueError, RecursionError):  # keys of several kinds, circles
        return repr(type(value))
