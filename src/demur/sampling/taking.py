"""The way back: verdicts of a sheet become outcomes, or the people's column."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import numpy as np

from demur.arrays import Positions, frozen
from demur.checks import did_you_mean
from demur.errors import InputError, shown
from demur.outcomes.columns import objects
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.labelling import unlabelled
from demur.outcomes.parts import check_rows
from demur.outcomes.reasons import UNLABELLED
from demur.outcomes.table import Outcomes
from demur.outcomes.verdict_words import LOSSES, word_of
from demur.results import Result, count
from demur.sampling.drawing import GOLD
from demur.sampling.label_units import LABEL_KEY, system_places, together
from demur.sampling.sheets import SheetRow, read_sheet, sheet_row


@dataclass(frozen=True, eq=False, repr=False)
class LabelledCounts(Result):
    """How many of the drawn answers people have labelled, and how.

    Parameters
    ----------
    drawn, labelled : int
        Rows of the sheet, and those with a verdict.
    right, wrong, ungraded : int
        Of them.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    SAYS = (
        "{labelled} of {drawn} drawn answers are labelled: {right} right, {wrong} "
        "wrong, {ungraded} that nobody could judge."
    )
    KINDS: ClassVar = (
        count("drawn", "rows of the sheet"),
        count("labelled", "labelled rows of the sheet"),
        count("right", "answers that people call right"),
        count("wrong", "answers that people call wrong"),
        count("ungraded", "answers that nobody could judge"),
    )

    drawn: int
    labelled: int
    right: int
    wrong: int
    ungraded: int
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)


_UNCLEAR: Final = "ungraded"
_OTHER_DRAW: Final = "Is it the sheet of another draw?"


def take_labels(
    outcomes: Outcomes,
    labels: str | os.PathLike[str] | Iterable[Mapping[str, Any]],
    *,
    gold: str = GOLD,
) -> Outcomes:
    """Take the verdicts of a filled sheet into the outcomes that were drawn.

    Of each system labelled rows come first, in the order of the sheet, so that
    `recheck` with ``anytime`` may look while labels come in; clusters once all of their
    drawn rows are labelled. Rows of the sheet without a verdict are not yet labelled. A
    note becomes the reason. Further sheets may be taken into what came of the first.

    Parameters
    ----------
    outcomes : Outcomes
        Of `demur.sample`, as `Drawn.outcomes` or read from the file with all columns
        (``groups=None, display=True``).
    labels : path, or iterable of mapping
        The sheet, in whatever order; or its rows, with ``key``, ``verdict`` and perhaps
        ``note``. A verdict is right, wrong (also true and false, yes and no, 1 and 0),
        ungraded for what nobody can judge, or empty.
    gold : str
        Where labels were drawn for a judge: the column for the verdicts of people.

    Returns
    -------
    Outcomes

    Raises
    ------
    InputError
        If the outcomes were not drawn, or the sheet holds a key that was not drawn,
        one twice, another word for a verdict, or no verdict at all; if an answer has
        another verdict already.

    Examples
    --------
    >>> import demur
    >>> answers = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2"], outcome=["ungraded"] * 2, confidence=[0.9, 0.2])
    >>> drawn = demur.sample(answers, budget=2, purpose="cutoff")
    >>> filled = [row | {"verdict": "right"} for row in drawn.sheet]
    >>> demur.take_labels(drawn.outcomes, filled).counts()["right"]
    2
    """
    check_rows("take_labels", outcomes)
    keys = _keys(outcomes)
    before = _verdicts_before(outcomes, gold)
    rows = _read(labels, {key: before[at] for at, key in enumerate(keys) if key})
    verdicts, notes = _verdicts(rows, keys, before, _whole_of(outcomes, keys))
    known = [verdicts.get(key) for key in keys]
    if _by_judge(outcomes, gold):
        labelled = [old or new for old, new in zip(before, known, strict=True)]
        filled = _with_people(outcomes, labelled, gold)
    else:
        filled = _with_verdicts(outcomes, known, [rows.get(key) for key in keys])
    taken = filled.take(_labelled_first(filled, gold))
    return replace(taken, notes=(*taken.notes, *notes))


def label_counts(outcomes: Outcomes, *, gold: str = GOLD) -> LabelledCounts:
    """How many of the drawn answers are labelled, of what `take_labels` gave.

    Examples
    --------
    >>> import demur
    >>> answers = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2"], outcome=["ungraded"] * 2, confidence=[0.9, 0.2])
    >>> drawn = demur.sample(answers, budget=2, purpose="cutoff")
    >>> key = drawn.sheet[0]["key"]
    >>> taken = demur.take_labels(drawn.outcomes, [{"key": key, "verdict": "no"}])
    >>> print(demur.label_counts(taken).sentence())
    1 of 2 drawn answers are labelled: 0 right, 1 wrong, 0 that nobody could judge.
    """
    check_rows("label_counts", outcomes)
    rows = zip(_keys(outcomes), _verdicts_before(outcomes, gold), strict=True)
    by_key = {key: verdict for key, verdict in rows if key}
    counts = Counter(by_key.values())
    return LabelledCounts(
        drawn=len(by_key),
        labelled=len(by_key) - counts[None],
        **{name: counts[name] for name in ("right", "wrong", _UNCLEAR)},
        notes=outcomes.notes,
        recipe={**outcomes.recipe, "items": str(len(outcomes))},
    )


def _keys(outcomes: Outcomes) -> list[str]:
    """Which row of the sheet labels each outcome."""
    held = outcomes.groups.get(LABEL_KEY)
    keys = [] if held is None else [value or "" for value in held.tolist()]
    if not any(keys):
        hint = "demur.sample draws; of a file read all columns with groups=None."
        need = f"have been drawn (a column {LABEL_KEY})"
        raise InputError("take_labels", "the outcomes", need, "others", hint)
    return keys


def _by_judge(outcomes: Outcomes, gold: str) -> bool:
    """Whether labels were drawn for a judge, whose verdicts the outcomes hold.

    There what was not drawn has verdicts; for other purposes it is unlabelled.
    """
    drawn = np.array([bool(key) for key in _keys(outcomes)])
    weight, codes = outcomes.label_weight, outcomes.reason_code
    others = (outcomes.outcome != UNANSWERED) & ~drawn
    if weight is not None:
        others &= np.isnan(weight)
    graded = bool((others & (outcomes.outcome != UNGRADED)).any())
    if gold in outcomes.groups:
        waits = codes is not None and UNLABELLED in codes[others].tolist()
        return graded or not waits
    if graded:
        hint = "Say with gold (--gold) which column the draw made for people."
        need, got = "have the column that a draw for a judge makes", f"no column {gold}"
        raise InputError("take_labels", "the outcomes", need, got, hint)
    return False


def _verdicts_before(outcomes: Outcomes, gold: str) -> list[str | None]:
    """What people have said of each row so far."""
    if not _by_judge(outcomes, gold):
        verdicts = outcomes.column("outcome").tolist()
        waits = unlabelled(outcomes) | (outcomes.outcome == UNANSWERED)
        listed = zip(verdicts, waits.tolist(), strict=True)
        return [None if wait else verdict for verdict, wait in listed]
    words = [word_of(value) for value in outcomes.groups[gold].tolist()]
    return [_plain(word) if word else None for word in words]


def _plain(word: str) -> str:
    """A verdict by the word that outcomes have for it."""
    return word if word not in LOSSES else ("wrong" if LOSSES[word] else "right")


def _labelled_first(outcomes: Outcomes, gold: str) -> Positions:
    """Rows of each system as clusters were labelled to their end, then others.

    So what is labelled later comes after what was labelled before, and systems keep
    the order in which they are compared.
    """
    keys, verdicts = _keys(outcomes), _verdicts_before(outcomes, gold)
    alone = [key or f"row {row}" for row, key in enumerate(keys)]
    groups = together(outcomes, alone)
    rows = [*zip(keys, verdicts, groups, strict=True)]
    unfinished = {group for key, verdict, group in rows if key and verdict is None}
    first: dict[str, int] = {}
    for at, (_, verdict, group) in enumerate(rows):
        if verdict is not None:
            first.setdefault(group, at)
    stage = [
        2 if verdict is None else int(group in unfinished) for _, verdict, group in rows
    ]
    begin = [
        at if stage[at] == 2 else first[group] for at, (*_, group) in enumerate(rows)
    ]
    sorted_by = np.array([begin, stage, system_places(outcomes)])
    order: Positions = np.lexsort(sorted_by)
    return order


def _read(labels: Any, before: Mapping[str, str | None]) -> dict[str, SheetRow]:
    """The rows of the sheet by their keys; none against a verdict of before."""
    if isinstance(labels, (str, os.PathLike)):
        read: Iterable[SheetRow] = read_sheet(labels)
    elif isinstance(labels, Mapping) or not isinstance(labels, Iterable):
        need, hint = "be a path or rows", "Rows have key and verdict."
        raise InputError("take_labels", "labels", need, shown(labels), hint)
    else:
        read = (_of_mapping(number, row) for number, row in enumerate(labels, 1))
    rows: dict[str, SheetRow] = {}
    for row in read:
        if not row.key and not row.verdict:
            continue
        if row.key not in before:
            got = shown(row.key) if row.key else "nothing"
            hint = f"{did_you_mean(row.key, before)} {_OTHER_DRAW}".lstrip()
            raise InputError(row.place, "key", "be of a drawn row", got, hint)
        if row.key in rows:
            got = f"{shown(row.key)} again, first at {rows[row.key].place}"
            hint = "Keep one of the rows."
            raise InputError(row.place, "key", "be given once", got, hint)
        if row.verdict not in ("", _UNCLEAR, *LOSSES):
            need = "be right, wrong, ungraded or empty"
            hint = "Also true and false, yes and no, 1 and 0."
            raise InputError(row.place, "verdict", need, shown(row.verdict), hint)
        _check_as_before(row, before[row.key])
        rows[row.key] = row
    return rows


def _check_as_before(row: SheetRow, held: str | None) -> None:
    if held and row.verdict and _plain(row.verdict) != held:
        need = f"be {held}, as this answer has been labelled"
        hint = "Decide which of the two is meant, and take the labels anew."
        raise InputError(row.place, "verdict", need, shown(row.verdict), hint)


def _of_mapping(number: int, row: Any) -> SheetRow:
    if not isinstance(row, Mapping):
        need, hint = "be a mapping", "Rows have key and verdict."
        raise InputError(f"labels: row {number}", "a row", need, shown(row), hint)
    return sheet_row(f"labels: row {number}", row)


def _verdicts(
    rows: Mapping[str, SheetRow],
    keys: Sequence[str],
    before: Sequence[str | None],
    whole_of: Mapping[str, str],
) -> tuple[dict[str, str], list[str]]:
    """The verdict of each key that has one, and what a reader must know."""
    given = {key: row.verdict for key, row in rows.items() if row.verdict}
    if not given:
        need, got = "hold a verdict", f"{len(rows)} rows without one"
        hint = "Write right, wrong or ungraded into the column verdict."
        raise InputError("take_labels", "the sheet", need, got, hint)
    last = max(at for at, key in enumerate(keys) if key in given)
    listed = zip(keys[:last], before, strict=False)
    open_ = {key for key, old in listed if key and not old} - {*given}
    # Of a whole with a wrong part no more need be known.
    settled = {whole_of.get(key) for key in given if _plain(given[key]) == "wrong"}
    between = sum(key not in whole_of or whole_of[key] not in settled for key in open_)
    notes = []
    if between:
        notes.append(
            f"rows of the sheet above the last verdict that have none: {between:,}; "
            "labelling may not depend on what the verdict would be: write ungraded for "
            "what cannot be judged"
        )
    return {key: _plain(word) for key, word in given.items()}, notes


def _whole_of(outcomes: Outcomes, keys: Sequence[str]) -> dict[str, str]:
    """The whole that each label is of, where answers are made of parts."""
    if outcomes.part is None:
        return {}
    items = zip(keys, outcomes.item.tolist(), strict=True)
    return {key: str(item) for key, item in items if key}


_CODES: Final = {"right": RIGHT, "wrong": WRONG, _UNCLEAR: UNGRADED}


def _with_verdicts(
    outcomes: Outcomes, known: Sequence[str | None], rows: Sequence[SheetRow | None]
) -> Outcomes:
    """The outcomes with these verdicts, notes as reasons."""
    codes = outcomes.outcome.codes.copy()
    reason, reason_code = (
        objects([None] * len(codes), len(codes)) if held is None else held.copy()
        for held in (outcomes.reason, outcomes.reason_code)
    )
    for at, (verdict, row) in enumerate(zip(known, rows, strict=True)):
        if verdict is not None:
            codes[at] = _CODES[verdict]
            reason_code[at] = None
            reason[at] = (row.note if row else "") or reason[at]
    return replace(
        outcomes,
        outcome=frozen(codes),
        reason=frozen(reason) if any(reason) else None,
        reason_code=frozen(reason_code),
    )


def _with_people(
    outcomes: Outcomes, known: Sequence[str | None], gold: str
) -> Outcomes:
    """The judge's outcomes with people's verdicts in their column."""
    column = frozen(objects(known, len(known)))
    return replace(outcomes, groups={**outcomes.groups, gold: column})
