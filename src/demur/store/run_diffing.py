"""The verb `demur.diff_runs`: what changed between two kept runs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from demur import checks
from demur.checks import choice
from demur.comparisons.own_decisions import difference_of_amounts
from demur.errors import UndefinedRate
from demur.outcomes.parts import item_names, keys_of, paired, sample_of
from demur.outcomes.table import Outcomes, grouped_parts, part_name
from demur.results import exactly, joined_recipes
from demur.statistics.paired_tests import (
    Difference,
    check_paired,
    paired_difference,
)
from demur.statistics.quantities import Quantity
from demur.store.common_items import on_common_items
from demur.store.comparable import differences, not_of_data
from demur.store.data_hashes import said
from demur.store.kept_runs import KeptRun
from demur.store.line_samples import NUMBERS, samples_for, usual_number
from demur.store.recounting import USUAL_RATE, number_asked, opened_store
from demur.store.run_diffs import ChangedFigure, ChangedItems, ChangedPart, RunDiff
from demur.store.run_figures import run_figures
from demur.store.stores import Store

_FIRST: Final = 5
"""So many items are named."""

Verdicts = Mapping[str, str]


def diff_runs(
    store: Store | str | Path,
    a: int | str,
    b: int | str,
    *,
    at: float | None = None,
    of: str | None = None,
    items: str = "equal",
    level: float = 0.95,
) -> RunDiff:
    """What changed from one kept run to another.

    Recipes, items, verdicts item by item, and the error of each system with the paired
    test of `demur.compare`: at a nonreturn rate that of influence values, else that of
    own decisions. Runs that are not comparable (other items, references or judging)
    have no test; with ``items="common"`` they are compared on the items that both have
    with the same reference, unless they were judged otherwise.

    Parameters
    ----------
    store : Store, str or path
        Open, or its address.
    a, b : int or str
        A number, or a tag: the newest run that bears it.
    at : float, optional
        The nonreturn rate; by default 0.2 for systems with confidences in both.
    of : {"own", "forced"}, optional
        In place of a rate: the error of own decisions, or of all guesses.
    items : {"equal", "common"}
        Whether runs of other data are compared on common items.
    level : float
        Of the intervals.

    Returns
    -------
    RunDiff

    Raises
    ------
    InputError
        If there is no such run, or an argument is out of range.

    Examples
    --------
    >>> import demur, tempfile
    >>> from datetime import UTC, datetime
    >>> now = datetime(2027, 3, 1, tzinfo=UTC)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with demur.Store(f"{folder}/runs.sqlite", make=True) as store:
    ...         for wrong in (3, 5):
    ...             outcomes = demur.Outcomes.from_arrays(
    ...                 correct=[number >= wrong for number in range(20)])
    ...             run = store.keep(outcomes, when=now)
    ...         found = demur.diff_runs(store, 1, 2)
    >>> [(row.what, row.items, row.first) for row in found.verdicts]
    [('right → wrong', 2, ('3', '4'))]
    """
    choice("diff", "items", items, ["equal", "common"])
    checks.number("diff", "level", level, 0.5, 0.9999)
    asked = number_asked("diff", at, of)
    with opened_store(store) as opened:
        runs = opened.run(a), opened.run(b)
        tables = tuple(opened.outcomes(run) for run in runs)
    pairs = [*_pairs(tables)]
    how = _DiffAsked(asked, USUAL_RATE if at is None else float(at), items, level)
    apart = differences(*runs)
    judged = not_of_data(apart)
    keys = [dict.fromkeys(item_names(table)) for table in tables]
    changed = _other_references(*tables)
    numbers = [_number(pair, how, differ=apart, judged=judged) for pair in pairs]
    recipe = {"diff": " + ".join(dict.fromkeys(one.number for one in numbers))}
    recipe |= {"level": exactly(level), "items": items}
    recipe |= {f"runs {runs[0].number} and {runs[1].number}": _signed(runs)}
    return RunDiff(
        a=runs[0].number,
        b=runs[1].number,
        parts=tuple(_parts(*runs)),
        data=tuple(_data(keys, changed)),
        verdicts=tuple(row for pair in pairs for row in _moves(pair)),
        numbers=tuple(numbers),
        same_items=len(keys[0].keys() & keys[1].keys()),
        level=level,
        notes=tuple(_notes(tables, pairs, apart)),
        recipe=recipe,
    )


def _signed(runs: Sequence[KeptRun]) -> str:
    joined = joined_recipes([run.recipe for run in runs])
    return ", ".join(f"{name} {value}" for name, value in joined.items()) or "no recipe"


@dataclass(frozen=True)
class _DiffAsked:
    """What numbers are asked for."""

    number: str | None
    rate: float
    items: str
    level: float


@dataclass(frozen=True, eq=False)
class _SystemInBoth:
    """One system in both runs."""

    name: str
    a: Outcomes
    b: Outcomes


def _pairs(tables: Sequence[Outcomes]) -> Iterator[_SystemInBoth]:
    """Systems of the same name; the only one of each run, whatever they are called."""
    named = [
        {part_name(system, group): part for system, group, part in grouped_parts(table)}
        for table in tables
    ]
    first, second = named
    if len(first) == len(second) == 1:
        (name,), (other,) = first, second
        called = name if name == other else f"{name} and {other}"
        yield _SystemInBoth(called, first[name], second[other])
        return
    for name in first:
        if name in second:
            yield _SystemInBoth(name, first[name], second[name])


def _parts(a: KeptRun, b: KeptRun) -> Iterator[ChangedPart]:
    for name in dict.fromkeys([*a.recipe, *b.recipe]):
        first, second = a.recipe.get(name), b.recipe.get(name)
        if first != second:
            yield ChangedPart(name=name, a=first, b=second)


def _data(
    keys: Sequence[Mapping[str, object]], changed: Sequence[str]
) -> Iterator[ChangedItems]:
    rows = {
        "added": [name for name in keys[1] if name not in keys[0]],
        "gone": [name for name in keys[0] if name not in keys[1]],
        "other reference": [*changed],
    }
    for what, names in rows.items():
        if names:
            first = tuple(names[:_FIRST])
            yield ChangedItems(what=what, items=len(names), first=first)


def _other_references(a: Outcomes, b: Outcomes) -> tuple[str, ...]:
    """Items that both have with other references, as far as these were kept."""
    if a.reference is None or b.reference is None:
        return ()
    first, second = (
        dict(zip(item_names(table), said(references, ""), strict=True))
        for table, references in ((a, a.reference.tolist()), (b, b.reference.tolist()))
    )
    return tuple(
        item for item in first if item in second and first[item] != second[item]
    )


def _moves(pair: _SystemInBoth) -> Iterator[ChangedItems]:
    first, second = _verdicts(pair.a), _verdicts(pair.b)
    moved: dict[str, list[str]] = {}
    for key, verdict in first.items():
        after = second.get(key)
        if after is not None and after != verdict:
            moved.setdefault(f"{verdict} → {after}", []).append(_key_text(key))
    counts = Counter({what: len(names) for what, names in moved.items()})
    for what, number in counts.most_common():
        names = tuple(moved[what][:_FIRST])
        yield ChangedItems(what=what, system=pair.name, items=number, first=names)


def _verdicts(table: Outcomes) -> dict[tuple[str, Any], str]:
    """The outcome of each row, and whether the answer was declined."""
    names = [str(name) for name in table.outcome]
    if table.declined is not None:
        names = [
            f"{name}, declined" if declined and name != "unanswered" else name
            for name, declined in zip(names, table.declined.tolist(), strict=True)
        ]
    return dict(zip(keys_of(table), names, strict=True))


def _key_text(key: tuple[str, Any]) -> str:
    item, further = key
    if isinstance(further, tuple):  # of part and repeat
        further = ", ".join(str(name) for name in further if name is not None) or None
    return item if further is None else f"{item} ({further})"


# -- numbers ---------------------------------------------------------------------------


def _number(
    pair: _SystemInBoth,
    how: _DiffAsked,
    *,
    differ: Sequence[str],
    judged: Sequence[str],
) -> ChangedFigure:
    """The error of one system in both, tested where figures are comparable."""
    usual = {usual_number(part) for part in (pair.a, pair.b)}
    number = how.number or (NUMBERS[0] if usual == {NUMBERS[0]} else NUMBERS[1])
    words = f"error at nonreturn {exactly(how.rate)}"
    facts: dict[str, Any] = {
        "system": pair.name,
        "number": words if number == NUMBERS[0] else number,
    }
    parts: Sequence[Outcomes] = ()
    if judged:
        why = "judged otherwise"
    elif differ and how.items == "equal":
        why = "other data"
    else:
        parts, why = _joined(pair, how)
    if not why:
        return ChangedFigure(**facts, **_tested(parts, number, how))
    values: dict[str, Any] = {
        side: _value(getattr(pair, side), number, how) for side in ("a", "b")
    }
    return ChangedFigure(**facts, **values, why=why)


def _joined(pair: _SystemInBoth, how: _DiffAsked) -> tuple[Sequence[Outcomes], str]:
    """The rows of both on the same items, or why there are none."""
    parts = [pair.a, pair.b]
    if how.items == "common":
        common, words = on_common_items(parts, ["a", "b"])
        return common, "" if common else words
    if {*keys_of(pair.a)} != {*keys_of(pair.b)}:
        return (), "other items"
    return paired(parts)[0], ""


def _value(part: Outcomes, number: str, how: _DiffAsked) -> float | None:
    try:
        sample, _ = samples_for(part, number)
    except UndefinedRate:
        return None
    rate = how.rate if number == NUMBERS[0] else 0.0
    figures = run_figures([sample], rate, how.level)
    return None if figures.why[0] else float(figures.value[0])


def _tested(parts: Sequence[Outcomes], number: str, how: _DiffAsked) -> dict[str, Any]:
    """Both numbers, and the paired test of their difference."""
    facts: dict[str, Any] = {
        side: _value(part, number, how) for side, part in zip("ab", parts, strict=True)
    }
    facts["items"] = len(parts[0])
    if None in (facts["a"], facts["b"]):
        return facts | {"why": "no number in both"}
    try:
        test = _test(parts, number, how)
    except UndefinedRate as problem:
        return facts | {"why": str(problem)}
    names = {"change": "value", "low": "low", "high": "high", "p_value": "p_value"}
    return facts | {ours: getattr(test, theirs) for ours, theirs in names.items()}


def _test(parts: Sequence[Outcomes], number: str, how: _DiffAsked) -> Difference:
    if number == NUMBERS[0]:
        quantity = Quantity("error", how.rate)
        a, b = (sample_of(part) for part in parts)
        return paired_difference(a, b, quantity=quantity, level=how.level)
    a, b = (samples_for(part, number)[0] for part in parts)
    check_paired([a, b])
    return difference_of_amounts(a, b.loss - a.loss, "own error", how.level, 0)


def _notes(
    tables: Sequence[Outcomes], pairs: Sequence[_SystemInBoth], apart: Sequence[str]
) -> Iterator[str]:
    yield from (f"not comparable: {text}" for text in apart)
    if len(pairs) == 1 and " and " in pairs[0].name:
        return
    known = {pair.name for pair in pairs}
    for side, table in zip("ab", tables, strict=True):
        names = [part_name(system, group) for system, group, _ in grouped_parts(table)]
        alone = [name for name in names if name not in known]
        if alone:
            yield f"only in {side}: {', '.join(alone)}"
