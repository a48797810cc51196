"""The answers that a judge is checked on: joined, drawn, and changed for each check."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur.arrays import Floats, Positions
from demur.checks import choice, series
from demur.errors import InputError, shown
from demur.judge_models.cases import Asking, JudgeCase
from demur.outcomes.frames import records_of
from demur.outcomes.records import (
    Reference,
    Response,
    as_reference,
    as_response,
    item_text,
)
from demur.outcomes.values import label_text
from demur.outcomes.verdict_words import losses_of_people
from demur.results import with_noun

PADDING: Final = (
    "To say it in a few more words: this is the answer that I would give to the "
    "question as it was asked, and I have nothing else to add to it here."
)
"""What is put behind an answer: it says nothing of the question or its answer."""

_NO_GUESS: Final = "NO_ANSWER"

AS_IS: Final = "as_is"
"""The way in which a judge is asked before anything is changed."""

ASKINGS: Final = {
    AS_IS: Asking(),
    "order": Asking(turned=True),
    "repeat": Asking(repeat=1),
    "length": Asking(),
    "references": Asking(with_references=False),
}
"""How the judge is asked for each check that needs verdicts of its own."""


@dataclass(frozen=True, eq=False)
class CheckedAnswers:
    """Answers that can be judged, with what is known of each.

    Parameters
    ----------
    cases : list of JudgeCase
        What the judge is shown.
    items, systems : list of str
        Of each answer.
    cluster : array of int64, shape (n_answers,)
        Independent units: the clusters of the references, else the items.
    people : array of float64, shape (n_answers,)
        1 where people say right, 0 for wrong, NaN where they say nothing.
    notes : list of str
        What was left out.
    """

    cases: list[JudgeCase]
    items: list[str]
    systems: list[str]
    cluster: Positions
    people: Floats
    notes: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.cases)

    @property
    def n_items(self) -> int:
        """Different items."""
        return len(set(self.items))

    @property
    def item_numbers(self) -> Positions:
        """The item of each answer, numbered from 0."""
        return np.unique(np.array(self.items, object), return_inverse=True)[1]

    def drawn(self, n_items: int, seed: int) -> "CheckedAnswers":
        """All answers to so many items, drawn at random; which, depends on items alone.

        Examples
        --------
        >>> answers = checked_answers(
        ...     [{"item": i, "response": "x"} for i in range(9)],
        ...     [{"item": i, "reference": "x"} for i in range(9)])
        >>> answers.drawn(2, seed=0).items
        ['4', '5']
        """
        names = sorted(set(self.items))
        if n_items >= len(names):
            return self
        drawn = np.random.default_rng(seed).permutation(len(names))[:n_items]
        kept = {names[place] for place in drawn}
        rows = [row for row, item in enumerate(self.items) if item in kept]
        note = f"{n_items} of {len(names)} items drawn at random (seed {seed})"
        return CheckedAnswers(
            [self.cases[row] for row in rows],
            [self.items[row] for row in rows],
            [self.systems[row] for row in rows],
            np.unique(self.cluster[rows], return_inverse=True)[1],
            self.people[rows],
            [*self.notes, note],
        )

    def changed(self, check: str, padding: str = PADDING) -> list[JudgeCase | None]:
        """What the judge is shown for a check; None where that cannot be changed.

        An answer can be padded if it is a text that says something; references can be
        left out, and an order be turned, where the question has some.
        """
        if check == "length":
            return [_padded(case, padding) for case in self.cases]
        if check == "references":
            return [case if case.references else None for case in self.cases]
        return [*self.cases]


def _padded(case: JudgeCase, padding: str) -> JudgeCase | None:
    text = case.response
    if not isinstance(text, str) or not text.strip():
        return None
    return replace(case, response=f"{text.rstrip()} {padding}")


def words_of(case: JudgeCase) -> float:
    """The logarithm (base 2) of how many words an answer has, NaN if it is no text.

    Examples
    --------
    >>> words_of(JudgeCase("one two three four"))
    2.0
    """
    if not isinstance(case.response, str):
        return float("nan")
    return float(np.log2(max(len(case.response.split()), 1)))


# -- reading -----------------------------------------------------------------------


def checked_answers(
    responses: Iterable[Response | Mapping[str, Any]],
    references: Iterable[Reference | Mapping[str, Any]],
    people: str | None = None,
) -> CheckedAnswers:
    """The answers that a judge can be asked about, joined with their references.

    Answers that need no judge are left out and counted: those without a guess, and
    those to questions that have no answer.

    Examples
    --------
    >>> answers = checked_answers(
    ...     [{"item": 1, "response": "Oslo", "system": "a", "people": "right"},
    ...      {"item": 1, "response": None, "system": "b", "people": None}],
    ...     [{"item": 1, "input": "Capital of Norway?", "reference": "Oslo"}], "people")
    >>> answers.cases[0].question, answers.people.tolist(), answers.notes
    ('Capital of Norway?', [1.0], ['1 response without a guess: left out'])
    """
    for name, records in (("responses", responses), ("references", references)):
        series("check_judge", name, records)
    known = _by_item(records_of(references))
    kept: list[tuple[Response, str, Reference]] = []
    silent = unanswerable = 0
    columns: dict[str, None] = {}
    for number, record in enumerate(records_of(responses), 1):
        place = getattr(record, "place", "") or f"responses: record {number}"
        response = as_response(record, place)
        columns |= dict.fromkeys(response.extra)
        item = item_text(response.item, place)
        if item not in known:
            need, hint = "have a reference", "Leave its responses out."
            raise InputError(place, f"item {shown(item)}", need, "none", hint)
        if _is_silent(response.response) or response.failed or response.error:
            silent += 1
        elif not known[item].answerable:
            unanswerable += 1
        else:
            kept.append((response, item, known[item]))
    _check_once(kept)
    if people is not None:
        _check_people(people, columns)
    if not kept:
        need, got = "hold an answer that can be judged", "none"
        raise InputError("check_judge", "responses", need, got)
    return _answers(kept, people, list(_left_out(silent, unanswerable)))


def _check_once(kept: Iterable[tuple[Response, str, Reference]]) -> None:
    """Refuse an answer that stands twice: it would count twice."""
    seen: set[tuple[Any, ...]] = set()
    for response, item, _ in kept:
        key = item, response.system, response.setting, response.repeat
        if key in seen:
            need = "have one response of each system, setting and repeat"
            got = f"another of system {shown(response.system)}"
            raise InputError(response.place, f"item {shown(item)}", need, got)
        seen.add(key)


def _check_people(people: str, columns: Collection[str]) -> None:
    """Refuse a column of people's verdicts that there is not."""
    if not columns:
        need, got = f"hold people's verdicts, in a column {people}", "none"
        hint = "A file that demur sample --labels wrote has one, named people."
        raise InputError("check_judge", "the responses", need, got, hint)
    choice("check_judge", "people", people, columns)


def _is_silent(guess: Any) -> bool:
    return guess is None or (isinstance(guess, str) and guess == _NO_GUESS)


def _left_out(silent: int, unanswerable: int) -> Iterable[str]:
    if silent:
        yield f"{with_noun(silent, 'response')} without a guess: left out"
    if unanswerable:
        what = with_noun(unanswerable, "response")
        yield f"{what} to questions without an answer: left out"


def _by_item(references: Iterable[Any]) -> dict[str, Reference]:
    known: dict[str, Reference] = {}
    for number, record in enumerate(references, 1):
        place = getattr(record, "place", "") or f"references: record {number}"
        reference = as_reference(record, place, otherwise=True)
        item = item_text(reference.item, place)
        if item in known:
            need, hint = "have one reference", "Put alternatives into `references`."
            raise InputError(place, f"item {shown(item)}", need, "another", hint)
        known[item] = reference
    if not known:
        need = "hold at least one reference"
        raise InputError("check_judge", "references", need, "none")
    return known


def _answers(
    kept: Sequence[tuple[Response, str, Reference]],
    people: str | None,
    notes: list[str],
) -> CheckedAnswers:
    units = []
    for _, item, reference in kept:
        name = label_text("cluster", reference.cluster, reference.place)
        units.append(("item", item) if name is None else ("cluster", name))
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units))}
    labels = np.full(len(kept), np.nan)
    if people is not None:
        column = [response.extra.get(people) for response, _, _ in kept]
        losses, labelled = losses_of_people("check_judge", column, people)
        labels = np.where(labelled, 1 - losses, np.nan)
    return CheckedAnswers(
        [_case(response, reference) for response, _, reference in kept],
        [item for _, item, _ in kept],
        [response.system for response, _, _ in kept],
        np.array([numbers[unit] for unit in units]),
        labels,
        notes,
    )


def _case(response: Response, reference: Reference) -> JudgeCase:
    text = reference.extra.get("text")
    return JudgeCase(
        response=response.response,
        question=reference.input,
        references=reference.alternatives,
        text=text if isinstance(text, str) and text.strip() else None,
    )
