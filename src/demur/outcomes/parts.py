"""From the table to its parts: systems, groups, samples, halves."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats, Sample
from demur.checks import choice, decimal_fraction, whole
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.columns import is_constant
from demur.outcomes.fields import UNANSWERED, UNGRADED, VERDICT_CONFIDENCE
from demur.outcomes.labelling import unlabelled
from demur.outcomes.table import Outcomes, check_outcomes, grouped_parts, part_name
from demur.results import exactly


def check_one_system(where: str, *tables: Outcomes) -> None:
    """Refuse outcomes of no item, or of several systems or settings.

    Parameters
    ----------
    where : str
        The function, for the message.
    *tables : Outcomes
        Judged responses, each table of one system.

    Raises
    ------
    InputError
        With what there is instead.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[1, 0], item=["q1", "q1"], system=["a", "b"])
    >>> check_one_system("recheck", outcomes)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: recheck: outcomes must be of one system; got a, b. Select
    one, as outcomes.select(system='a') does.
    """
    check_outcomes(where, *tables)
    for outcomes in tables:
        check_rows(where, outcomes)
        for name in ("system", "setting"):
            column = getattr(outcomes, name)
            if column is not None and is_constant(column):
                column = column[:1]
            values = [] if column is None else list(dict.fromkeys(column.tolist()))
            if len(values) > 1:
                got = ", ".join(str(value) for value in values[:5])
                got += ", ..." if len(values) > 5 else ""
                hint = "Select one."
                if name == "system":
                    example = f"outcomes.select(system={shown(values[0])})"
                    hint = f"Select one, as {example} does."
                raise InputError(where, "outcomes", f"be of one {name}", got, hint)


def check_rows(where: str, outcomes: Outcomes) -> None:
    """Refuse whatever is not `Outcomes`, or has no row."""
    check_outcomes(where, outcomes)
    if not len(outcomes):
        hint = "Was everything filtered out?"
        raise InputError(where, "outcomes", "hold at least one row", "none", hint)


def confidences_of(where: str, outcomes: Outcomes, guess: Flags) -> Floats:
    """The confidences of one system, NaN where there is no guess.

    Raises
    ------
    UndefinedRate
        If its guesses have none.
    """
    confidence = outcomes.confidence
    if confidence is None:
        confidence = np.full(len(outcomes), np.nan)
    if np.isnan(confidence[guess]).any():
        name = outcomes.systems[0] or "the system"
        raise UndefinedRate(
            f"{name} gives no confidences, so there is no cutoff to apply.", where=where
        )
    return confidence


def labelled_in_part(*tables: Outcomes) -> bool:
    """Whether answers of a table are unlabelled, so that errors are estimated.

    Examples
    --------
    >>> import demur
    >>> labelled_in_part(demur.Outcomes.from_arrays(outcome=["right", "unlabelled"]))
    True
    """
    return any(
        "ungraded" in table.outcome and bool(unlabelled(table).any())
        for table in tables
    )


def gave_nothing(outcomes: Outcomes) -> bool:
    """Whether there is no guess at all, and not because all was declined.

    Examples
    --------
    >>> import demur
    >>> columns = {"correct": [None, None], "kind": ["failed", "idk"]}
    >>> gave_nothing(demur.Outcomes.from_arrays(**columns))
    True
    """
    silent = bool((outcomes.outcome == UNANSWERED).all())
    return silent and bool(outcomes.failed.any())


def refuse_nothing(outcomes: Outcomes) -> None:
    """Refuse a system that answered nothing because all of it, or the rest, failed."""
    if gave_nothing(outcomes):
        name = outcomes.systems[0] or "the system"
        failed = f"{outcomes.failed.sum():,} of {len(outcomes):,} requests failed"
        need, got = "have answers to compare", f"none of {shown(name)}: {failed}"
        hint = "Ask it again, or leave it out."
        raise InputError("compare", "every system", need, got, hint)


# -- samples -----------------------------------------------------------------------


def halves(
    outcomes: Outcomes, *, share: float = 0.5, seed: int = 0
) -> tuple[Outcomes, Outcomes]:
    """Outcomes cut at random in two: one part to choose on, the other to judge on.

    All rows of an item, or of a cluster where there are clusters, go to one side.

    Parameters
    ----------
    outcomes : Outcomes
        Of any number of systems.
    share : float
        About how much goes to the first part, above 0 and below 1.
    seed : int
        Of the random draw.

    Returns
    -------
    (Outcomes, Outcomes)

    Raises
    ------
    InputError
        If the share is not inside (0, 1), or one part would be empty.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(correct=[1, 0, 1, 1])
    >>> [len(part) for part in demur.halves(outcomes)]
    [2, 2]
    """
    check_rows("halves", outcomes)
    whole("halves", "seed", seed)
    if not 0 < decimal_fraction("halves", "share", share) < 1:
        raise InputError("halves", "share", "be above 0 and below 1", shown(share))
    cluster = outcomes.item if outcomes.cluster is None else outcomes.cluster
    units = [
        str(item) if name is None else name
        for item, name in zip(outcomes.item, cluster, strict=True)
    ]
    names = sorted(set(units), key=str)
    n_first = round(float(share) * len(names))
    if not 0 < n_first < len(names):
        need = "leave at least one item or cluster on each side"
        raise InputError("halves", "share", need, f"{share} of {len(names)}")
    drawn = np.random.default_rng(seed).permutation(len(names))[:n_first]
    chosen = {names[index] for index in drawn}
    first = np.fromiter((unit in chosen for unit in units), bool, len(units))
    recipe = {**outcomes.recipe, "split": exactly(share), "seed": str(seed)}
    marked = replace(outcomes, recipe=recipe)
    return marked.take(first), marked.take(~first)


_SMALLEST, _LARGEST = 1e-100, 1e100


def sample_of(outcomes: Outcomes, *, ungraded: str = "wrong") -> Sample:
    """What tests and certificates read of one system's outcomes.

    Parameters
    ----------
    outcomes : Outcomes
        Of one system.
    ungraded : {"wrong", "right"}
        What ungraded answers are taken for.

    Returns
    -------
    Sample
        Clusters are those of the column ``cluster``; with repeats or parts and no
        clusters, the items; a row without a cluster stands alone.
    """
    guess = outcomes.outcome != UNANSWERED
    credit = outcomes.credit
    loss = np.where(outcomes.outcome == 0, 1.0 if credit is None else credit, 0.0)
    loss = np.where(guess, 1.0 - loss, 0.0)
    # Certificates and gates take the high bound: nobody could judge it, so wrong.
    loss[outcomes.outcome == UNGRADED] = float(ungraded == "wrong")
    confidence = outcomes.confidence
    if confidence is None:
        confidence = np.full(len(outcomes), np.nan)
    weight = outcomes.weight
    if weight is not None and (weight == weight[0]).all():
        weight = None
    if weight is not None and not _SMALLEST < weight.max() < _LARGEST:
        # By a power of two, so that no square is too large or too small.
        weight = np.ldexp(weight, -int(np.frexp(weight.max())[1]))
    return Sample(
        guess=guess,
        confidence=np.asarray(confidence, np.float64),
        loss=loss,
        weight=weight,
        cluster=_clusters(outcomes),
    )


def _clusters(outcomes: Outcomes) -> Any:
    names: list[Any] | None = None
    if outcomes.cluster is not None:
        names = outcomes.cluster.tolist()
    elif outcomes.repeat is not None or outcomes.part is not None:
        names = outcomes.item.tolist()
    if names is None:
        return None
    named = set(names) - {None}
    if len(named) + names.count(None) == len(names):
        return None
    # Numbered by name, so that what is drawn at random does not depend on row order.
    code = {name: number for number, name in enumerate(sorted(named, key=str))}
    numbers = [-1 if name is None else code[name] for name in names]
    alone = [row for row, number in enumerate(numbers) if number < 0]
    keys = keys_of(outcomes) if alone else []
    for number, row in enumerate(sorted(alone, key=lambda row: _order(keys[row]))):
        numbers[row] = len(code) + number
    return np.array(numbers, np.int64)


def named_parts(
    outcomes: Outcomes, *, groups: str | Sequence[str] = ()
) -> list[tuple[str, Outcomes]]:
    """The rows of each curve of `curve_by`, with its name.

    Parameters
    ----------
    outcomes : Outcomes
        Of any number of systems and settings.
    groups : str or sequence of str
        As for `curve_by`.

    Returns
    -------
    list of tuple (name, Outcomes)

    Raises
    ------
    InputError
        If there are no rows, or a column is absent.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["q1", "q1"], system=["a", "b"], correct=[True, False])
    >>> [(name, len(part)) for name, part in named_parts(outcomes)]
    [('a', 1), ('b', 1)]
    """
    return [
        (part_name(system, group), part)
        for system, group, part in grouped_parts(outcomes, groups=groups)
    ]


_AGREE = ("answerable", "weight", "cluster")


def paired(
    tables: Sequence[Outcomes], *, items: str = "equal"
) -> tuple[list[Outcomes], tuple[str, ...]]:
    """The rows of several systems on the same items, in the same order.

    Rows are joined by item and repeat, never by position, and sorted by these, so that
    nothing that is drawn at random depends on the order of rows in a file.

    Parameters
    ----------
    tables : sequence of Outcomes
        Each of one system and setting.
    items : {"equal", "common"}
        Whether the systems must have answered the same items, or only those that all
        have are kept, and the others counted.

    Returns
    -------
    (list of Outcomes, notes)
        One table for each given one; what was left out.

    Raises
    ------
    InputError
        If there are no common items, if the items differ where they must be equal,
        or if answerable, weight or cluster of an item differ between systems.

    Examples
    --------
    >>> import demur
    >>> a = demur.Outcomes.from_arrays(item=["q1", "q2"], correct=[True, False])
    >>> b = demur.Outcomes.from_arrays(item=["q2", "q1"], correct=[True, None])
    >>> (first, second), notes = paired([a, b])
    >>> first.item.tolist() == second.item.tolist()
    True
    """
    choice("compare", "items", items, ["equal", "common"])
    keys = [keys_of(table) for table in tables]
    shared = set(keys[0]).intersection(*keys[1:])
    common = sorted(shared, key=_order)
    left_out = [len(table) - len(common) for table in tables]
    if not common:
        apart = next(
            (row for row, names in enumerate(keys) if not {*names} & {*keys[0]}),
            len(tables) - 1,
        )
        names = [tables[row].systems[0] or "one" for row in (0, apart)]
        got = (
            f"none: {names[0]} has items such as {shown(keys[0][0][0])}, {names[1]} "
            f"such as {shown(keys[apart][0][0])}"
        )
        hint = "Ids are compared as text."
        need = "have items in common"
        raise InputError("compare", "the systems", need, got, hint)
    if any(left_out) and items == "equal":
        row = left_out.index(max(left_out))
        alone = next(key for key in keys[row] if key not in shared)
        name = tables[row].systems[0] or f"number {row + 1}"
        got = f"{max(left_out)} items only of {name}, such as {shown(alone[0])}"
        hint = "items=common compares on the items that all have."
        raise InputError("compare", "the systems", "have the same items", got, hint)
    chosen = [
        table if names == common else table.take(_rows(names, common))
        for table, names in zip(tables, keys, strict=True)
    ]
    for other in chosen[1:]:
        _check_agreement(chosen[0], other)
    if not any(left_out):
        return chosen, ()
    parts = ", ".join(
        f"{count} of {table.systems[0] or 'one'}"
        for count, table in zip(left_out, tables, strict=True)
    )
    return chosen, (f"{len(common)} common items; left out: {parts}",)


def keys_of(table: Outcomes) -> list[tuple[str, Any]]:
    """What rows of one system are joined by: the item, and which row of it.

    That is its repeat or its part, or both as a pair.
    """
    given = [column for column in (table.part, table.repeat) if column is not None]
    rows: Iterable[Any] = [None] * len(table)
    if given:
        rows = given[0].tolist() if len(given) == 1 else zip(*given, strict=True)
    return list(zip(map(str, table.item.tolist()), rows, strict=True))


def item_names(table: Outcomes) -> list[str]:
    """Of each row its item, with the part in brackets where there is one.

    Examples
    --------
    >>> import demur
    >>> item_names(demur.Outcomes.from_arrays(
    ...     item=["run1", "run2"], part=["pay", None], correct=[True, None]))
    ['run1 (pay)', 'run2']
    """
    items = [*map(str, table.item.tolist())]
    if table.part is None:
        return items
    parts = table.part.tolist()
    return [
        item if part is None else f"{item} ({part})"
        for item, part in zip(items, parts, strict=True)
    ]


def _order(key: tuple[str, Any]) -> tuple[str, str]:
    """By item, part and repeat, in an order that depends on nothing else."""
    return key[0], "" if key[1] is None else str(key[1])


def in_item_order(outcomes: Outcomes) -> Outcomes:
    """The rows of one system by item and repeat, whatever order a file has them in."""
    keys = keys_of(outcomes)
    order = sorted(range(len(keys)), key=lambda row: _order(keys[row]))
    return outcomes.take(np.array(order, np.int64))


def _rows(keys: Sequence[Any], wanted: Sequence[Any]) -> npt.NDArray[np.int64]:
    row_of = {key: row for row, key in enumerate(keys)}
    return np.fromiter((row_of[key] for key in wanted), np.int64, len(wanted))


def _check_agreement(first: Outcomes, other: Outcomes) -> None:
    """What belongs to the item must be the same for both systems."""
    for name in _AGREE:
        a, b = _column(first, name), _column(other, name)
        differ = np.flatnonzero(a != b)
        if len(differ):
            row = int(differ[0])
            got = f"{shown(a[row])} and {shown(b[row])} for {shown(first.item[row])}"
            need = "be the same for every system"
            hint = f"{len(differ)} items differ."
            raise InputError("compare", name, need, got, hint)


def _column(table: Outcomes, name: str) -> npt.NDArray[Any]:
    usual = {"answerable": True, "weight": 1.0, "cluster": None}[name]
    values = getattr(table, name)
    if values is None:
        return np.full(len(table), usual, object)
    column: npt.NDArray[Any] = np.asarray(values, object)
    return column


_ABSENT = {"label_weight": 1.0}
"""What rows have of a column that their table lacks: its labels had one chance."""


def judged_by_model(tables: Iterable[Outcomes]) -> bool:
    """Whether a model gave the verdicts of any table: its recipe or its columns say so.

    Examples
    --------
    >>> import demur
    >>> sure = {"verdict_confidence": [0.9]}
    >>> judged_by_model([demur.Outcomes.from_arrays(correct=[True], groups=sure)])
    True
    """
    return any(
        "model/" in table.recipe.get("comparator", "")
        or VERDICT_CONFIDENCE in table.groups
        for table in tables
    )


def stacked(tables: Sequence[Outcomes]) -> Outcomes:
    """Tables one below the other; what a table lacks is missing there.

    Examples
    --------
    >>> import demur
    >>> one, two = (
    ...     demur.Outcomes.from_arrays(correct=[True], system=name) for name in "ab")
    >>> stacked([one, two]).systems
    ('a', 'b')
    """
    if len(tables) == 1:
        return tables[0]
    listed = [table.to_columns() for table in tables]
    grouped = {name for table in tables for name in table.groups}
    names = dict.fromkeys(name for columns in listed for name in columns)
    columns = {
        name: [
            value
            for held, table in zip(listed, tables, strict=True)
            for value in held.get(name, [_ABSENT.get(name)] * len(table))
        ]
        for name in names
    }
    return Outcomes.from_columns(
        {name: column for name, column in columns.items() if name not in grouped},
        groups={name: column for name, column in columns.items() if name in grouped},
        recipe=tables[0].recipe,
        notes=tuple(dict.fromkeys(note for table in tables for note in table.notes)),
    )
