"""The verb that compares many systems, all pairs of them."""

from collections.abc import Sequence
from typing import Any, Unpack

from demur import checks
from demur.comparisons.comparing import (
    PairedSystems,
    Testing,
    paired_systems,
    point_at,
)
from demur.comparisons.own_decisions import OWN_RATES, own_difference
from demur.comparisons.pairs import (
    PairDifference,
    adjusted_pairs,
    all_pairs,
    pairs_among,
)
from demur.errors import InputError, shown
from demur.outcomes.fields import UNGRADED
from demur.outcomes.parts import check_one_system, sample_of
from demur.outcomes.table import Outcomes
from demur.statistics.correcting import corrected_differences
from demur.statistics.quantities import Quantity


def compare_all(  # noqa: PLR0913  (those of compare, and one)
    tables: Sequence[Outcomes],
    *,
    quantity: str = "error",
    at: float | None = 0.2,
    items: str = "equal",
    method: str = "auto",
    level: float = 0.95,
    seed: int = 0,
    against: str | None = None,
    gold: str | None = None,
) -> tuple[list[PairDifference], tuple[str, ...]]:
    """One number of many systems, all pairs, corrected by Holm.

    Parameters
    ----------
    tables : sequence of Outcomes
        Each of one system and setting.
    quantity : {"error", "nonreturn", "area", "own error", "own nonreturn"}
        The error at a nonreturn, the least nonreturn with an error that low, the area
        over the range that all curves have, or the rates as the systems decide
        themselves to decline. Ungraded answers are taken for right.
    at : float or None
        That nonreturn, or that error; None for the area.
    items, method, level, seed
        As for `compare`.
    against : str, optional
        A system that each other one is compared with, instead of all pairs.
    gold : str, optional
        As for `compare`, with errors at a nonreturn or by own decisions only.

    Returns
    -------
    (list of PairDifference, notes)

    Raises
    ------
    InputError
        If a system has no curve where one is needed, the items do not fit, or two
        systems have one name.

    Examples
    --------
    >>> import demur
    >>> systems = [
    ...     demur.Outcomes.from_arrays(system=name, item=range(100), correct=[
    ...         number % every > 0 for number in range(100)])
    ...     for name, every in [("a", 2), ("b", 4), ("c", 5)]]
    >>> pairs, _ = demur.compare_all(systems, quantity="own error", at=None)
    >>> [(pair.a, pair.b, pair.adjusted_p < 0.01) for pair in pairs]
    [('a', 'b', True), ('a', 'c', True), ('b', 'c', False)]
    """
    tables = checks.all_of_kind("compare_all", "tables", tables, Outcomes)
    check_one_system("compare_all", *tables)
    systems = paired_systems(tables, items=items)
    testing = Testing(method=method, level=level, seed=seed)
    asked: Any = {"quantity": quantity, "at": at, "against": against, "gold": gold}
    return pairs_of(systems, **asked, **testing)


def pairs_of(
    systems: PairedSystems,
    *,
    quantity: str,
    at: float | None,
    between: tuple[float, float] | None = None,
    against: str | None = None,
    gold: str | None = None,
    **testing: Unpack[Testing],
) -> tuple[list[PairDifference], tuple[str, ...]]:
    """`compare_all` of systems that are paired already."""
    notes, parts = systems.notes, _by_name(systems)
    if any((part.outcome == UNGRADED).any() for part in parts.values()):
        notes += ("ungraded answers are taken for right; two systems alone get bounds",)
    level = testing["level"]
    if gold is not None and quantity in ("error", OWN_RATES[0]):
        where = at if quantity == "error" else None
        return _corrected_pairs(parts, against, gold, where, level), notes
    if gold is not None:
        must = f"be the error or the {OWN_RATES[0]} with gold"
        raise InputError("compare", "the quantity", must, quantity)
    if quantity in OWN_RATES:
        seed = testing["seed"]
        return _own_pairs(parts, against, quantity, level, seed), notes
    wanted = Quantity(quantity, at, between)
    left = float(at or 0) if quantity == "error" else 1.0
    left = left if between is None else between[0]
    for curve in systems.curves:
        if point_at(curve, left) is None:
            must, got = f"have a curve at nonreturn {left:g}", shown(curve.system)
            raise InputError("compare", "every system", must, f"none for {got}")
    samples = {name: sample_of(part, ungraded="right") for name, part in parts.items()}
    return all_pairs(samples, quantity=wanted, against=against, **testing), notes


def _by_name(systems: PairedSystems) -> dict[str, Outcomes]:
    parts = dict[str, Outcomes]()
    for curve, table in zip(systems.curves, systems.tables, strict=True):
        if curve.system in parts:
            must, got = "differ in name", shown(curve.system)
            raise InputError("compare", "the systems", must, got)
        parts[curve.system] = table
    return parts


def _corrected_pairs(
    parts: dict[str, Outcomes],
    against: str | None,
    gold: str,
    at: float | None,
    level: float,
) -> list[PairDifference]:
    """Pairs of errors that people's verdicts have corrected, as for `compare`."""
    pairs = pairs_among(parts, against)
    _, differences = corrected_differences(parts, pairs, gold, at=at, level=level)
    return adjusted_pairs(pairs, differences)


def _own_pairs(
    parts: dict[str, Outcomes],
    against: str | None,
    quantity: str,
    level: float,
    seed: int,
) -> list[PairDifference]:
    """Pairs of operating points, corrected by Holm."""
    pairs = pairs_among(parts, against)
    differences = [
        own_difference(parts[a], parts[b], quantity=quantity, level=level, seed=seed)
        for a, b in pairs
    ]
    return adjusted_pairs(pairs, differences)
