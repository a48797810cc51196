"""The items themselves, by verdict and by what was decided about them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from demur import checks
from demur.arrays import answered_at
from demur.errors import InputError, shown
from demur.outcomes.fields import OUTCOMES, UNANSWERED, UNGRADED
from demur.outcomes.parts import check_rows
from demur.outcomes.reasons import with_failures
from demur.outcomes.refusals import REFUSALS
from demur.outcomes.table import Outcomes
from demur.outcomes.values import as_text
from demur.results import Column, Figure, FigureKind, Result, Table, exactly
from demur.results.text import cut

DECISIONS: Final = ("answered", "withheld", "declined", "failed")
"""What became of an answer: given; withheld below the cutoff; declined by the system
(also where it said nothing); or there was none because something broke."""

_ANSWERED, _WITHHELD, _DECLINED, _FAILED = range(4)
_PRINTED: Final = 20
_LONGEST: Final = 60


@dataclass(frozen=True, eq=False, repr=False)
class ItemList(Result):
    """Items, the surest first.

    Parameters
    ----------
    outcomes : Outcomes
        Their rows, surest first; those without a confidence come last.
    decision : tuple of str
        Of each row: "answered", "withheld", "declined" or "failed".
    other : tuple of (outcome, decision, confidence), or None
        Of each row, what the system that it is compared with made of the item.
    against : str
        That system; empty if there is none.
    of : int
        How many rows there were to choose from.
    asked : str
        What was asked for, in words.
    cutoff : float or None
        None for the systems' own decisions.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    failed : mapping of system to (int, int)
        How many of its rows failed, of how many.
    """

    KINDS: ClassVar = (
        FigureKind(
            "items", "how many items are listed", better="neither", unit="count"
        ),
    )

    outcomes: Outcomes
    decision: tuple[str, ...]
    other: tuple[tuple[str, str, float | None], ...] | None
    against: str
    of: int
    asked: str
    cutoff: float | None
    notes: tuple[str, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)
    failed: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def items(self) -> int:
        """How many rows are listed."""
        return len(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def sentence(self) -> str:
        """How many there are, of how many, and what was asked for."""
        at = "by the systems' own decisions"
        if self.cutoff is not None:
            at = f"at a cutoff of {exactly(self.cutoff)}"
        text = f"{self.items:,} of {self.of:,} answers listed, {at}: {self.asked}."
        return with_failures(self.failed, text)

    def figures(self) -> Iterator[Figure]:
        """How many items are listed."""
        yield self.figure_of(self.KINDS[0], self.items)

    def records(self) -> list[dict[str, Any]]:
        """Each row with what it has, and its decision."""
        columns = self.outcomes.to_columns()
        columns["decision"] = list(self.decision)
        if self.other is not None:
            names = ("outcome", "decision", "confidence")
            for place, name in enumerate(names):
                columns[f"{self.against}: {name}"] = [row[place] for row in self.other]
        return [
            {name: values[row] for name, values in columns.items()}
            for row in range(len(self))
        ]

    def tables(self) -> list[Table]:
        """The items, one to a row; text shows the first 20, long values cut."""
        part = () if self.outcomes.part is None else ("part",)
        names = ("item", *part, "system", "confidence", "outcome", "decision", "kind")
        numbers = {"confidence": "number"}
        columns = [Column(name, cells=numbers.get(name, "text")) for name in names]
        if self.other is not None:
            columns.append(Column("other", explained=f"what {self.against} did"))
        texts = self._texts()
        columns += [Column(name) for name in texts]
        rows = []
        for row, record in enumerate(self.records()):
            cells = [record.get(name) for name in names]
            if self.other is not None:
                outcome, decision, _ = self.other[row]
                cells.append(f"{outcome}, {decision}")
            held = (as_text(record.get(name)) for name in texts)
            cells += [None if text is None else cut(text, _LONGEST) for text in held]
            rows.append(tuple(cells))
        return [Table("", tuple(columns), tuple(rows), most=_PRINTED)]

    def _texts(self) -> tuple[str, ...]:
        """What is shown of each row; of what nobody could judge, why that is."""
        ungraded = (self.outcomes.outcome == UNGRADED).any()
        return ("reason", *_TEXTS) if ungraded else _TEXTS

    def to_dict(self) -> dict[str, Any]:
        """How many there are, and the items as records."""
        return {
            "items": self.items,
            "of": self.of,
            "cutoff": self.cutoff,
            "failed": {name: failed for name, (failed, _) in self.failed.items()},
            "listed": self.records(),
            "notes": list(self.notes),
            "signature": self.signature,
        }


_TEXTS: Final = ("response", "reference", "input")


def list_items(
    outcomes: Outcomes,
    *,
    outcome: str | Sequence[str] = (),
    decision: str | Sequence[str] = (),
    cutoff: float | None = None,
    against: str | None = None,
) -> ItemList:
    """The items themselves, by outcome and decision, the surest first.

    At a cutoff all guesses of at least that confidence are answered and others are
    withheld, as on the curve, where ``declined`` is no decision; without one the
    systems' own decisions count.

    Parameters
    ----------
    outcomes : Outcomes
        Read with ``display=True``, for texts to look at.
    outcome : str or sequence of str
        "right", "wrong", "unanswered", "ungraded"; all if left out.
    decision : str or sequence of str
        "answered", "withheld", "declined" or "failed"; all if left out.
    cutoff : float, optional
        From this confidence on a guess is answered.
    against : str, optional
        Another system of the table: only items are listed that it did not end with the
        same outcome and decision, with its own beside.

    Returns
    -------
    ItemList

    Raises
    ------
    InputError
        If there is no such outcome, decision or system, or a cutoff is given and there
        are no confidences.

    Examples
    --------
    What was wrong, and would still be answered at 0.5; and what was withheld for it:

    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2", "q3", "q4"], correct=[True, False, False, True],
    ...     confidence=[0.9, 0.8, 0.4, 0.3])
    >>> found = demur.list_items(
    ...     outcomes, outcome="wrong", decision="answered", cutoff=0.5)
    >>> found.outcomes.item.tolist(), found.sentence()
    (['q2'], '1 of 4 answers listed, at a cutoff of 0.5: wrong and answered.')
    >>> demur.list_items(outcomes, decision="withheld", cutoff=0.5).records()[0]["item"]
    'q3'
    """
    where = "list_items"
    check_rows(where, outcomes)
    wanted = _named(where, "outcome", outcome, OUTCOMES)
    decided = _named(where, "decision", decision, DECISIONS)
    codes = _decisions(where, outcomes, cutoff)
    chosen = np.isin(outcomes.outcome.codes, [OUTCOMES.index(name) for name in wanted])
    chosen &= np.isin(codes, [DECISIONS.index(name) for name in decided])
    pairs: dict[int, int] | None = None
    if against is not None:
        checks.choice(where, "against", against, outcomes.systems)
        chosen &= outcomes.system != against
        pairs = _other_rows(outcomes, against)
        ends = list(zip(outcomes.outcome.codes.tolist(), codes.tolist(), strict=True))
        listed = np.flatnonzero(chosen).tolist()
        chosen[listed] = [r in pairs and ends[pairs[r]] != ends[r] for r in listed]
    rows = _surest_first(outcomes, np.flatnonzero(chosen))
    other = None
    if pairs is not None:
        other = tuple(_end(outcomes, codes, pairs[row]) for row in rows.tolist())
    asked = [" or ".join(names) for names in (wanted, decided) if names not in _ALL]
    words = " and ".join(asked) or "all"
    if against:
        words += f", where {against} ended otherwise"
    recipe = {"cutoff": "own" if cutoff is None else exactly(cutoff), "listed": words}
    return ItemList(
        outcomes=outcomes.take(rows),
        decision=tuple(DECISIONS[code] for code in codes[rows]),
        other=other,
        against=against or "",
        of=len(outcomes)
        if against is None
        else int((outcomes.system != against).sum()),
        asked=words,
        cutoff=None if cutoff is None else float(cutoff),
        notes=outcomes.notes,
        failed=outcomes.failures(),
        recipe={**outcomes.recipe, **recipe, "items": str(len(outcomes))},
    )


_ALL: Final = (OUTCOMES, DECISIONS)


def _named(
    where: str, what: str, given: str | Sequence[str], known: tuple[str, ...]
) -> tuple[str, ...]:
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        checks.choice(where, what, name, known)
    return tuple(name for name in known if name in names) or known


def _decisions(where: str, outcomes: Outcomes, cutoff: float | None) -> Any:
    """What was decided about each row, as a position in `DECISIONS`."""
    guess = outcomes.outcome.codes != UNANSWERED
    codes = np.where(guess, _ANSWERED, _DECLINED)
    codes[outcomes.failed] = _FAILED
    if cutoff is None:
        if outcomes.declined is not None:
            codes[guess & outcomes.declined.astype(bool)] = _DECLINED
        return codes
    checks.number(where, "cutoff", cutoff)
    if outcomes.confidence is None:
        need = "come with confidences"
        noted = confidences_told(outcomes.notes)
        hint = noted or "Leave it out for the own decisions."
        raise InputError(where, "the cutoff", need, shown(cutoff), hint)
    answered = answered_at(outcomes.confidence, guess, cutoff)
    codes[guess & ~answered] = _WITHHELD
    return codes


def confidences_told(notes: Iterable[str]) -> str:
    """What reading a file said of its confidences, where none was read.

    If it also said how wrong answers that look like refusals can be counted, what it
    proposes for a log holds both.

    Examples
    --------
    >>> confidences_told(["2 rows", "no confidence is read; one may be p"])
    'No confidence is read; one may be p.'
    >>> refusals = "answers that are empty or look like a refusal count as the log says"
    >>> confidences_told(["no confidence is read (--log 'a(confidence=p)')", refusals])
    "No confidence is read (--log 'a(confidence=p, no_answer=refusals)')."
    """
    about = (
        *("there is no column confidence", "no confidence is read"),
        "nothing in the file has ",
    )
    listed = list(notes)
    lines = dict.fromkeys(note for note in listed if note.startswith(about))
    sentences = (f"{note[0].upper()}{note[1:]}" for note in lines)
    text = " ".join(s if s.endswith("?") else f"{s}." for s in sentences)
    if not any(note.startswith("answers that are empty or look") for note in listed):
        return text
    typed = r"(--log '\w+\((?=[^']*confidence=)[^']*)\)'"
    return re.sub(typed, rf"\1, no_answer={REFUSALS})'", text)


def _surest_first(outcomes: Outcomes, rows: Any) -> Any:
    if outcomes.confidence is None:
        return rows
    confidence = outcomes.confidence[rows].astype(np.float64)
    known = np.where(np.isnan(confidence), -np.inf, confidence)
    absent = np.isnan(confidence)
    return rows[np.lexsort((rows, -known, absent))]


def _other_rows(outcomes: Outcomes, against: str) -> dict[int, int]:
    """For each row the row of the other system on the same item, if there is one."""
    keys = [outcomes.item]
    further = (outcomes.part, outcomes.setting, outcomes.repeat)
    keys += [key for key in further if key is not None]
    listed = list(zip(*(key.tolist() for key in keys), strict=True))
    theirs = {
        listed[row]: row for row in np.flatnonzero(outcomes.system == against).tolist()
    }
    return {row: theirs[key] for row, key in enumerate(listed) if key in theirs}


def _end(outcomes: Outcomes, codes: Any, row: int) -> tuple[str, str, float | None]:
    confidence = None
    if (
        outcomes.confidence is not None
        and outcomes.confidence[row] == outcomes.confidence[row]
    ):
        confidence = float(outcomes.confidence[row])
    return outcomes.outcome[row], DECISIONS[codes[row]], confidence
