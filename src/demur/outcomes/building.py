"""Columns put together as the outcomes table, with the checks across columns.

Every check names the row it fails on; what it passes is an array, read-only.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.checks import BY_KEY, choice
from demur.errors import InputError, shown
from demur.outcomes import fields
from demur.outcomes.columns import (
    Column,
    Place,
    as_objects,
    constant,
    from_array,
    from_values,
    is_constant,
    is_missing,
    objects,
)
from demur.outcomes.fields import (
    OUTCOMES,
    RIGHT,
    UNANSWERED,
    UNGRADED,
    UNLABELLED_CODE,
    WRONG,
    in_range,
)
from demur.outcomes.reasons import FAILED, UNLABELLED
from demur.outcomes.values import out_of_range, reason

FEWEST_MIXED = 2
"""Confidences of each scale from which they are noted as mixed."""
FEWEST_BESIDE_ONE = 5
"""Fractions beside which a single whole number is noted, too."""
KEY = ("item", "part", "system", "setting", "repeat")
"""The columns that identify a row."""

ALL_OR_NONE: Final = "be given for every guess of a system or for none"

KEY_NAMED: Final = f"the key ({', '.join(KEY)})"


@dataclass
class Built:
    """Checked columns, and what had to be said about them."""

    columns: dict[str, Any]
    groups: dict[str, Column]
    notes: list[str] = field(default_factory=list)
    recipe: dict[str, str] = field(default_factory=dict)

    def take_rules(self) -> None:
        """Say under which rules of context the verdicts were given."""
        from demur.outcomes.context_rules import mixed_rules, with_rule

        self.recipe = with_rule({}, self.groups)
        self.notes += mixed_rules([self.recipe])


def build(
    table: Mapping[str, Any],
    groups: Mapping[str, Any],
    locate: Place,
    *,
    of_log: bool = False,
) -> Built:
    """Check all columns of an outcomes table.

    Parameters
    ----------
    table : mapping of name to sequence
        Columns by their names in `demur.outcomes.fields`.
    groups : mapping of name to sequence
        Further columns.
    locate : callable
        From a row number to the place that messages name.
    of_log : bool
        Whether another tool's log was read, whose rows nobody writes anew.

    Returns
    -------
    Built

    Raises
    ------
    InputError
        If a column is unknown, too short, or holds what it must not.
    """
    _check_names(table, groups)
    n_rows = _length({**table, **groups})
    raw = {name: _column(values, n_rows) for name, values in table.items()}
    outcome, credit = _outcomes(raw, locate)
    built = Built({"outcome": outcome, "credit": credit}, {})
    built.columns["item"] = _items(raw.get("item"), n_rows, locate)
    apart = ("item", "outcome", "credit", "confidence")
    for name in fields.names_of("outcomes"):
        if name in raw and name not in apart:
            built.columns[name] = _plain_column(name, raw[name], locate)
    built.notes += _missing_weights(raw.get("weight"))
    built.columns.setdefault("system", constant("", n_rows))
    for name in ("system", "setting"):  # so that nobody need look at every row again
        if name in raw and is_constant(built.columns[name]):
            built.columns[name] = constant(built.columns[name][0], n_rows)
    built.columns["confidence"] = _confidences(raw.get("confidence"), built, locate)
    built.groups = {name: as_objects(_column(groups[name], n_rows)) for name in groups}
    _check_answerable(built.columns, locate)
    if "item" in raw:
        _check_keys(built.columns, built.groups, locate)
    built.notes += _silence_notes(built, raw, locate, of_log=of_log)
    for array in (*built.columns.values(), *built.groups.values()):
        if array is not None:
            array.setflags(write=False)
    return built


def _silence_notes(
    built: Built, raw: Mapping[str, Column], locate: Place, *, of_log: bool
) -> Iterable[str]:
    """Why nothing was given, of a column ``failed`` too, and notes on that."""
    columns = built.columns
    if "failed" in built.groups and "kind" not in raw and "reason_code" not in raw:
        _take_failures(built, locate)
    if columns.get("kind") is None and columns.get("response") is None:
        return ()
    # Phrases are compiled for those alone who keep what was said.
    from demur.outcomes.declined_logs import (
        answered_after_all,
        answers_without_verdict,
    )

    notes = [*answered_after_all(columns, of_log=of_log)]
    if {"correct", "confidence", "response"} <= {*raw} and not of_log:
        open_ = is_missing(raw["correct"]) & ~is_missing(raw["confidence"])
        notes += answers_without_verdict(columns, open_)
    return notes


def _take_failures(built: Built, locate: Place) -> None:
    """Take a further column ``failed`` for the kind, as of responses."""
    given = enumerate(built.groups["failed"])
    try:
        failed = [
            reason("failed", value, locate(row)) is not None for row, value in given
        ]
    except InputError:  # a column of that name with other things in it
        return
    silent = built.columns["outcome"] == UNANSWERED
    kinds = objects([None] * len(failed), len(failed))
    kinds[silent & failed] = FAILED
    if (silent & failed).any():
        built.columns["kind"] = kinds
    graded = int(np.count_nonzero(~silent & failed))
    if graded:
        built.notes.append(
            f"{graded} rows have failed by the column failed, and an outcome all the "
            "same, which counts; leave the outcome empty to say that they gave nothing"
        )


def _check_names(table: Iterable[str], groups: Iterable[str]) -> None:
    known = fields.columns()
    for name in table:
        choice("outcomes", "a column", name, known)
    for name in groups:
        if name in known:
            need = "not have the name of a column of the table"
            hint = "Rename the group, or give it as the column."
            raise InputError("outcomes", "a group", need, repr(name), hint)


def _length(columns: Mapping[str, Any]) -> int:
    lengths = {}
    for name, values in columns.items():
        if not hasattr(values, "__len__") or not _is_column(values):
            need, got = "be a sequence", shown(type(values).__name__)
            hint = BY_KEY if isinstance(values, Mapping) else ""
            raise InputError("outcomes", name, need, got, hint)
        if not isinstance(values, str):
            lengths[name] = len(values)
    if not lengths:
        hint = "Give correct=… or outcome=…."
        raise InputError("outcomes", "the table", "have a column", "none", hint)
    n_rows = next(iter(lengths.values()))
    for name, length in lengths.items():
        if length != n_rows:
            first = next(iter(lengths))
            need = f"be as long as {first} ({n_rows} rows)"
            raise InputError("outcomes", name, need, f"{length} rows")
    return n_rows


def _is_column(values: Any) -> bool:
    """Whether it holds one value for each row: no mapping, no set, no whole table."""
    apart = isinstance(values, (Mapping, Set)) or hasattr(values, "columns")
    return isinstance(values, Iterable) and not apart


def _column(values: Any, n_rows: int) -> Column:
    """Values as an array; one text stands for a constant column."""
    if isinstance(values, str):
        return np.full(n_rows, values, object)
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            got = f"{values.ndim} dimensions"
            raise InputError("outcomes", "a column", "have one dimension", got)
        return _with_gaps(values) if values.dtype == object else values
    if _is_of_pandas(values):  # where NaN is a gap, as in a dataframe
        gaps = np.asarray(values.isna(), bool)
        pairs = zip(values, gaps, strict=True)
        return objects((None if gap else value for value, gap in pairs), n_rows)
    return _with_gaps(objects(values, n_rows))


def _is_of_pandas(values: Any) -> bool:
    """Whether it is one column of pandas; an index of several levels is none."""
    return hasattr(values, "isna") and not hasattr(values, "levels")


def _with_gaps(column: Column) -> Column:
    """A column of anything, None in place of pandas' NA."""
    absent = {kind for kind in set(map(type, column)) if kind.__name__ == "NAType"}
    if not absent:
        return column
    values = (None if type(value) in absent else value for value in column)
    return objects(values, len(column))


def _first(where: Column) -> int | None:
    return int(np.argmax(where)) if where.any() else None


# -- outcome and credit ------------------------------------------------------------


def _outcomes(raw: dict[str, Column], locate: Place) -> tuple[Column, Column | None]:
    """Outcome codes, and credits unless every right answer has all of it.

    What is unlabelled is ungraded, and its reason code says so.
    """
    if ("outcome" in raw) == ("correct" in raw):
        need = "have either a column outcome or a column correct"
        got = "both" if "outcome" in raw else "neither"
        raise InputError("outcomes", "the table", need, got)
    if "outcome" in raw:
        outcome = _named_outcomes(raw["outcome"], locate)
        unlabelled = outcome == UNLABELLED_CODE
        outcome[unlabelled] = UNGRADED
        credit = _credits(raw["credit"], outcome, locate) if "credit" in raw else None
    else:
        if "credit" in raw:
            need = "not stand beside correct, which holds credits already"
            raise InputError("outcomes", "credit", need, "both columns")
        outcome, credit = _from_correct(raw["correct"], locate)
        unlabelled = np.zeros(len(outcome), bool)
    if "answered" in raw:
        silent = ~from_array("answered", raw["answered"], locate)
        outcome[silent] = UNANSWERED
        if credit is not None:
            credit[silent] = 0.0
        unlabelled &= ~silent
    if unlabelled.any():
        raw["reason_code"] = _unlabelled_codes(raw.get("reason_code"), unlabelled)
    if credit is not None and (credit[outcome == RIGHT] == 1).all():
        credit = None
    return outcome, credit


def _unlabelled_codes(codes: Column | None, unlabelled: Column) -> Column:
    """Reason codes that say what the column of outcomes has said."""
    n_rows = len(unlabelled)
    codes = objects([None] * n_rows if codes is None else codes.tolist(), n_rows)
    codes[unlabelled] = UNLABELLED
    return codes


def _named_outcomes(column: Column, locate: Place) -> Column:
    if column.dtype == np.uint8 and not isinstance(column, np.ma.MaskedArray):
        codes = column.copy()
        bad = _first((codes >= len(OUTCOMES)) & (codes != UNLABELLED_CODE))
        if bad is not None:
            need = f"be a code from 0 to {len(OUTCOMES) - 1}"
            raise InputError(locate(bad), "outcome", need, shown(int(codes[bad])))
        return codes
    masked = isinstance(column, np.ma.MaskedArray)
    values = as_objects(column) if masked else column
    return from_values("outcome", values, locate)  # type: ignore[arg-type]


def _from_correct(column: Column, locate: Place) -> tuple[Column, Column | None]:
    """Outcomes and credits from True, False, a credit, or nothing."""
    if column.dtype == bool and not isinstance(column, np.ma.MaskedArray):
        return np.where(column, np.uint8(RIGHT), np.uint8(WRONG)), None
    missing = is_missing(column)
    credit = from_array("correct", column, locate)
    bad = _first(~missing & ~in_range("correct", credit))
    if bad is not None:
        raise out_of_range("correct", credit[bad].item(), locate(bad))
    credit = np.where(missing, 0.0, credit)
    outcome = np.where(credit > 0, RIGHT, WRONG).astype(np.uint8)
    outcome[missing] = UNANSWERED
    return outcome, credit


def _credits(column: Column, outcome: Column, locate: Place) -> Column:
    missing = is_missing(column)
    credit = from_array("credit", column, locate)
    credit = np.where(missing, outcome == RIGHT, credit)
    right = outcome == RIGHT
    bad = _first(right & ~((credit > 0) & (credit <= 1)))
    if bad is not None:
        need = "be above 0 and at most 1 where the outcome is right"
        raise InputError(locate(bad), "credit", need, shown(credit[bad].item()))
    bad = _first(~right & (credit != 0))
    if bad is not None:
        need = f"be 0 where the outcome is {OUTCOMES[outcome[bad]]}"
        raise InputError(locate(bad), "credit", need, shown(credit[bad].item()))
    return credit


# -- other columns -----------------------------------------------------------------


def _items(column: Column | None, n_rows: int, locate: Place) -> Column:
    if column is None:
        return np.arange(n_rows, dtype=np.int64)
    if column.dtype.kind in "iu" and not is_missing(column).any():
        if column.dtype == np.uint64 and (column > np.iinfo(np.int64).max).any():
            column = column.astype(object)  # ids beyond 64 bits with a sign: as text
        else:
            return np.array(column, np.int64)
    gap = _gap_among_numbers(column)
    if gap is not None:
        need = "be a text or a whole number, not empty"
        hint = "Give the row an item, or leave it out: df.dropna(subset=['item'])."
        raise InputError(locate(gap), "item", need, "nothing", hint)
    return from_array("item", column, locate)


def _gap_among_numbers(column: Column) -> int | None:
    """The first row without an item, which made decimals of all that are numbers."""
    if column.dtype.kind == "f":
        return _first(np.ma.getmaskarray(column) | np.isnan(np.ma.getdata(column)))
    if column.dtype == object and len(column) and isinstance(column[0], float):
        return _first(np.array([value is None or value != value for value in column]))
    return None


def _plain_column(name: str, column: Column, locate: Place) -> Column:
    """A column that depends on no other, its usual value where it says nothing."""
    values = from_array(name, column, locate)
    its = fields.type_of(name)
    if its == "weight":
        values = values.astype(np.float64)
        values[is_missing(column)] = 1.0
        bad = _first(~in_range(name, values))
        if bad is not None:
            raise out_of_range(name, values[bad].item(), locate(bad))
        _check_apart(values, locate)
    usual = fields.FIELDS[name].usual
    if its == "label" and usual is not None:
        values[is_missing(values)] = usual
    return values


def _missing_weights(column: Column | None) -> list[str]:
    """A note on rows without a weight, where others have one."""
    count = 0 if column is None else int(is_missing(column).sum())
    if column is None or count in (0, len(column)):
        return []
    rows = "1 row has" if count == 1 else f"{count} rows have"
    return [f"{rows} no weight and count as 1"]


def mixed_scales(confidence: Column, system: Column) -> list[str]:
    """A note on a system whose confidences are fractions and whole percents mixed."""
    if not _looks_mixed(confidence):
        return []
    names = dict.fromkeys(system.tolist())
    if len(names) > 1:
        mixed = (name for name in names if _looks_mixed(confidence[system == name]))
        if next(mixed, None) is None:
            return []
    low, high = confidence[confidence < 1].max(), confidence[confidence > 1].max()
    return [
        f"confidences look like fractions and percents mixed ({low:g}, {high:g}), and "
        "are compared as they stand: divide the percents by 100"
    ]


def _looks_mixed(confidence: Any) -> bool:
    """Whether there are fractions, whole numbers from 10 to 100, and no others."""
    large = confidence > 1
    n_large = int(large.sum())
    fractions = (confidence > 0) & (confidence < 1)
    fewest = FEWEST_MIXED if n_large > 1 else FEWEST_BESIDE_ONE
    if not n_large or int(fractions.sum()) < fewest:
        return False
    percents = confidence[large]
    return bool(
        percents.min() >= 10
        and percents.max() <= 100
        and (percents == np.rint(percents)).all()
        and not (confidence < 0).any()
    )


def _check_apart(weight: Column, locate: Place) -> None:
    """Refuse weights so far apart that sums would lose the light ones."""
    if not len(weight) or weight.max() / fields.MOST_APART <= weight.min():
        return
    heavy = int(np.argmax(weight))
    least = shown(weight.min().item())
    need = f"be at most {fields.MOST_APART:g} times the lightest, {least}"
    hint = "The light items would count for nothing."
    raise InputError(locate(heavy), "weight", need, shown(weight[heavy].item()), hint)


def _confidences(column: Column | None, built: Built, locate: Place) -> Column | None:
    """Confidences of guesses; those of items without a guess are ignored, and said."""
    if column is None:
        return None
    confidence = from_array("confidence", column, locate)
    if (confidence > 1).any():
        built.notes += mixed_scales(confidence, built.columns["system"])
    guess, absent = built.columns["outcome"] != UNANSWERED, np.isnan(confidence)
    if len(guess) and guess.all() and not absent.any():
        return confidence  # as mostly: every item has a guess and a confidence
    missing = is_missing(column)
    bad = _first(guess & ~missing & absent)
    if bad is not None:
        hint = "Mark the item unanswered, or give null or a confidence."
        raise InputError(locate(bad), "confidence", "be a number", "NaN", hint)
    ignored = ~guess & ~absent & (confidence > -np.inf)
    if ignored.any():
        built.notes.append(_ignored(built.columns["system"][ignored].tolist()))
        built.notes += [] if guess.any() else [NOT_JUDGED_YET]
    confidence[~guess] = np.nan
    lacking = guess & missing
    if lacking.any():
        _check_all_or_none(lacking, guess & ~missing, built.columns, locate)
    return None if np.isnan(confidence).all() else confidence


NOT_JUDGED_YET: Final = (
    "no row has a verdict, though there are confidences: an answer that nobody has "
    "judged yet has the outcome unlabelled; without a verdict a row is no answer"
)
"""What is said of a table whose verdicts may still be to come."""


def _ignored(systems: list[str]) -> str:
    """The note on confidences of unanswered items, by system if there are several."""
    text = "1 confidence of an unanswered item is ignored"
    if len(systems) > 1:
        text = f"{len(systems)} confidences of unanswered items are ignored"
    by = {name: systems.count(name) for name in dict.fromkeys(systems) if name}
    parts = ", ".join(f"{name}: {count}" for name, count in by.items())
    return f"{text} ({parts})" if parts else text


def _check_all_or_none(
    lacking: Column, having: Column, columns: Mapping[str, Any], locate: Place
) -> None:
    """A system gives confidences for all of its guesses or for none."""
    system, setting = columns["system"], columns.get("setting")
    names = [system] if setting is None else [system, setting]
    with_one = set(zip(*(name[having] for name in names), strict=True))
    for row in np.flatnonzero(lacking):
        if tuple(name[row] for name in names) in with_one:
            got = f"none for item {shown(columns['item'][row])}"
            hint = "Give one (-inf: the least sure), or mark the item unanswered."
            where = locate(int(row))
            error = InputError(where, "confidence", ALL_OR_NONE, got, hint)
            error.proposed = (("confidence", "or({}, -inf)", "the least sure"),)
            raise error


# -- checks across columns ---------------------------------------------------------


def _check_answerable(columns: Mapping[str, Any], locate: Place) -> None:
    answerable, outcome = columns.get("answerable"), columns["outcome"]
    if answerable is None:
        return
    bad = _first(~answerable & ((outcome == RIGHT) | (outcome == UNGRADED)))
    if bad is not None:
        need = "be wrong or unanswered where answerable is false"
        hint = "An item that has no answer cannot be answered rightly."
        name = OUTCOMES[outcome[bad]]
        raise InputError(locate(bad), "outcome", need, shown(name), hint)


def _check_keys(
    columns: Mapping[str, Any], further: Mapping[str, Column], locate: Place
) -> None:
    """No two rows may have the same item, part, system, setting and repeat."""
    present = {name: columns[name] for name in KEY if columns.get(name) is not None}
    keys = list(present.values())
    groups = repeated([key for key in keys if not is_constant(key)] or keys[:1])
    if not groups:
        return
    first, second, *_ = groups[0]
    named = {name: values[second] for name, values in present.items()}
    got = ", ".join(f"{name} {shown(value)}" for name, value in named.items() if value)
    got += f" again, first at {locate(first)}"
    from demur.outcomes import repeated_keys as told

    pairs = told.differing({**columns, **further}, first, second, KEY)
    rows = tuple(tuple((row, locate(row)) for row in group) for group in groups)
    items = [columns["item"][group[0]] for group in groups]
    hint = f"{told.apart_hint(pairs)} {told.repeated_items(items, rows)}".rstrip()
    error = InputError(locate(second), KEY_NAMED, "be given once", got, hint)
    taken = [name for name, value in named.items() if value]
    error.proposed, error.repeated = told.telling_apart(pairs, taken), rows
    raise error


def repeated(keys: list[Column]) -> list[list[int]]:
    """Groups of rows that agree in all keys, in the order of their second rows.

    Rows are told apart by 64-bit hashes; only rows that share one are compared. Of
    very many such groups only the first are given.

    Examples
    --------
    >>> import numpy as np
    >>> repeated([np.array(["a", "b", "a"], object)])
    [[0, 2]]
    """
    # Sorted to find hashes that occur twice; made again below, since sorting was
    # in place and a copy would be a third array.
    mixed = row_hashes(keys)
    mixed.sort()
    shared = mixed[1:][mixed[1:] == mixed[:-1]]
    if not len(shared):
        return []
    from demur.outcomes.repeated_keys import MOST_REPEATED

    mixed = row_hashes(keys)
    seen: dict[tuple[Any, ...], list[int]] = {}
    groups: dict[tuple[Any, ...], list[int]] = {}
    for row in np.flatnonzero(np.isin(mixed, shared)):
        key_ = tuple(key[row] for key in keys)
        if key_ in seen:
            groups[key_] = seen[key_]
        seen.setdefault(key_, []).append(int(row))
        if len(groups) == MOST_REPEATED:
            break
    return list(groups.values())


def row_hashes(keys: Sequence[Column]) -> npt.NDArray[np.uint64]:
    """One 64-bit hash per row; written so as to hold two arrays at a time."""
    n_rows = len(keys[0])
    mixed = np.zeros(n_rows, np.uint64)
    for key in keys:
        # 2**64 / the golden ratio: a value counts otherwise in each column.
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        if key.dtype == object:
            mixed += np.fromiter(map(hash, key), np.int64, n_rows).view(np.uint64)
        else:
            mixed += key.view(np.uint64)
    return mixed
