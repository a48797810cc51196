"""Two or more systems on the same items, and how they differ by their own decisions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats, Sample, summed
from demur.checks import choice
from demur.curves.curves import Curve
from demur.curves.of_outcomes import error_return
from demur.errors import InputError, shown
from demur.outcomes.fields import UNANSWERED, UNGRADED
from demur.outcomes.parts import labelled_in_part, paired, sample_of
from demur.outcomes.table import Outcomes, check_outcomes
from demur.statistics.equal_units import equal_units_of, worth_notes, worth_of
from demur.statistics.paired_tests import (
    REPLICATES,
    Difference,
    by_influence,
    check_paired,
)
from demur.statistics.sign_tests import (
    EXACT_UNITS,
    counted_flips,
    mcnemar_exact,
    sign_flip,
)
from demur.statistics.units import ItemValues, agreeing, left_out, score_of

OWN_RATES = ("own error", "own nonreturn")


@dataclass(frozen=True)
class PairedSystems:
    """Systems on the same items in the same order, each with its curve.

    Parameters
    ----------
    tables : tuple of Outcomes
        Each of one system and setting.
    curves : tuple of Curve
        Of these.
    items : {"equal", "common"}
        Whether these are all items of each, or those that all have.
    notes : tuple of str
        What was left out, and how few equal clusters there are.
    """

    tables: tuple[Outcomes, ...]
    curves: tuple[Curve, ...]
    items: str
    notes: tuple[str, ...]

    def sample(self, place: int, ungraded: str = "wrong") -> Sample:
        """What tests read of a system; ungraded answers are wrong, or right."""
        return sample_of(self.tables[place], ungraded=ungraded)

    def near(self, _rates: Sequence[float]) -> "PairedSystems":
        """The same, to be compared at other rates."""
        return self

    @property
    def whole(self) -> bool:
        """Whether the whole curves can be compared, not only their errors at rates."""
        return True

    @property
    def ungraded(self) -> bool:
        """Whether there are answers that nobody could judge."""
        return any((part.outcome == UNGRADED).any() for part in self.tables)

    @property
    def declines(self) -> bool:
        """Whether a system decides itself which guesses to give."""
        return any(part.declined is not None for part in self.tables)

    @property
    def by_people(self) -> bool:
        """Whether people have looked at a part of the answers."""
        return labelled_in_part(*self.tables)

    def own_tests(self, level: float, seed: int) -> dict[str, list[Difference]]:
        """The tests of what the systems decide, for all readings of what is unknown."""
        a, b = self.tables
        how: Any = {"level": level, "seed": seed}
        return {
            rate: [
                own_difference(a, b, quantity=rate, unknown=reading, **how)
                for reading in own_readings(self.tables)
            ]
            for rate in OWN_RATES
        }


def paired_systems(
    tables: Sequence[Outcomes], *, items: str = "equal"
) -> PairedSystems:
    """Join systems by item, and draw their curves, once for all that compares them.

    Parameters
    ----------
    tables : sequence of Outcomes
        Each of one system and setting.
    items : {"equal", "common"}
        As for `demur.compare`.

    Raises
    ------
    InputError
        If the systems have no items in common, or differ in what belongs to an item.
    """
    check_outcomes("compare", *tables)
    for table in tables:
        _refuse_nothing(table)
    aligned, notes = paired(tables, items=items)
    curves = tuple(map(error_return, aligned))
    named = [curve.system for curve in curves if curve.system]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        hint = "Rename one: the column system."
        raise InputError("compare", "the systems", "differ in name", shown(twice), hint)
    sample = sample_of(aligned[0])
    if sample.cluster is not None:
        notes += worth_notes(sample.n_clusters, worth_of(sample))
    return PairedSystems(tuple(aligned), curves, items, notes)


def _refuse_nothing(outcomes: Outcomes) -> None:
    """Refuse a system that answered nothing because all of it, or the rest, failed."""
    if gave_nothing(outcomes):
        name = outcomes.systems[0] or "the system"
        failed = f"{outcomes.failed.sum():,} of {len(outcomes):,} failed"
        need, got = "have answers to compare", f"none of {shown(name)}: {failed}"
        hint = "Ask it again, or leave it out."
        raise InputError("compare", "every system", need, got, hint)


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


# -- as systems decide themselves ------------------------------------------------------


def own_difference(
    a: Outcomes,
    b: Outcomes,
    *,
    quantity: str = "own error",
    unknown: tuple[str, str] | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Difference of two operating points in one rate, b less a, with a paired test.

    p is that of McNemar's exact test where every item counts the same and is lost or
    not, else that of flipped signs, cluster by cluster, but never below that of the
    interval, which is Student's t, widened to hold 0 where p is above 1 - level: the
    two always agree.

    Parameters
    ----------
    a, b : Outcomes
        Of one system each, the same items in the same order.
    quantity : {"own error", "own nonreturn"}
        Wrong answers that were not declined / items; items without a guess or with a
        declined one / items.
    unknown : tuple of {"right", "wrong"}, optional
        What the ungraded answers of a and of b are taken for, and what failed. By
        default ungraded answers are right, and what failed is not returned.
    level : float
        Of the interval.
    seed : int
        Of random flips, if there are more than 12 items or clusters.

    Returns
    -------
    Difference

    Raises
    ------
    InputError
        If the tables do not belong together.
    UndefinedRate
        If there are fewer than five items or clusters.

    Examples
    --------
    >>> import demur
    >>> a = demur.Outcomes.from_arrays(correct=[1, 1, 0, 0, 0, 0, 0, 0])
    >>> b = demur.Outcomes.from_arrays(correct=[1, 1, None, 1, 1, 1, 1, 1])
    >>> found = own_difference(a, b)
    >>> found.value, found.p_value, found.method
    (-0.75, 0.03125, 'McNemar, exact')
    """
    choice("own_difference", "quantity", quantity, OWN_RATES)
    of_a, of_b = unknown or ("", "")
    first = sample_of(a, ungraded=of_a or "right")
    second = sample_of(b, ungraded=of_b or "right")
    check_paired([first, second])
    lost = (
        own_amounts(first, a.declined, a.failed, quantity, of_a),
        own_amounts(second, b.declined, b.failed, quantity, of_b),
    )
    return difference_of_amounts(first, lost[1] - lost[0], quantity, level, seed)


def difference_of_amounts(
    first: Sample, apart: Floats, quantity: str, level: float, seed: int
) -> Difference:
    """The same from what each item loses more by b than by a; of either sample."""
    number = first.number
    weight = np.ones(len(first)) if first.weight is None else first.weight
    share = weight / summed(weight, number)
    value = summed(share * apart, number)
    moved = left_out(share * (apart - value), weight, first.cluster, number)
    # Whole answers may differ where none did; shares, by as much as any that was seen.
    most = 1.0 if _is_whole(apart) else float(np.abs(apart).max())
    items = ItemValues(
        apart, weight, first.cluster, smallest=-most, largest=most, number=number
    )
    score = score_of(items, level=level)
    worth = equal_units_of(first)
    test = by_influence(
        value, moved, level=level, worth=worth, score=score, number=number
    )
    p_value, method, drawn = _p_value(first, apart, share, seed)
    # The greater of the two, so that p and interval never say different things.
    p_value = max(p_value, test.p_value)
    ends = max(test.low or 0.0, -1.0), min(test.high or 0.0, 1.0)
    low, high = agreeing(ends, value, rejects=p_value <= 1 - level)
    return Difference(
        quantity=quantity,
        at=None,
        value=value,
        low=low,
        high=high,
        level=level,
        p_value=p_value,
        method=method,
        replicates=REPLICATES if drawn else None,
        seed=seed if drawn else None,
        n_items=first.n_items,
        n_clusters=None if first.cluster is None else first.n_clusters,
        p_error=math.sqrt(p_value * (1 - p_value) / REPLICATES) if drawn else None,
        score=score,
    )


Readings = list[tuple[str, str] | None]


def own_readings(parts: Sequence[Outcomes]) -> Readings:
    """What is unknown of both is taken for: as shown, least, most.

    Ungraded answers may be right or wrong; what failed may be right, wrong or declined.
    """
    if any((part.outcome == UNGRADED).any() or part.failed.any() for part in parts):
        return [None, ("wrong", "right"), ("right", "wrong")]
    return [None]


def unknown_text(quantity: str) -> str:
    """What might turn a verdict on a quantity."""
    return f"ungraded answers{' or what failed' if quantity in OWN_RATES else ''}"


def own_amounts(
    sample: Sample, declined: Flags | None, failed: Flags, quantity: str, unknown: str
) -> Floats:
    """What each item loses as the system decides, by one of `OWN_RATES`."""
    answered = sample.guess
    if declined is not None:
        answered = answered & ~declined
    lost: Any = ~answered if quantity == "own nonreturn" else sample.loss * answered
    amounts: Floats = np.asarray(lost, np.float64)
    if unknown:  # the most, or the least, that can be lost
        amounts[failed] = unknown == "wrong"
    return amounts


def _is_whole(apart: Floats) -> bool:
    return bool(np.isin(apart, (-1.0, 0.0, 1.0)).all())


def _p_value(
    sample: Sample, apart: Floats, share: Floats, seed: int
) -> tuple[float, str, bool]:
    """The p value, how it was found, and whether signs were drawn."""
    if sample.cluster is None and sample.weight is None and _is_whole(apart):
        only_a, only_b = (
            int(summed(flags, sample.number)) for flags in (apart < 0, apart > 0)
        )
        return mcnemar_exact(only_a, only_b), "McNemar, exact", False
    drawn = sample.n_clusters > EXACT_UNITS
    method = "sign flips" if drawn else "sign flips, exact"
    if sample.number is not None:
        p_value = counted_flips(share * apart, sample.number, seed=seed)
    else:
        p_value = sign_flip(share * apart, cluster=sample.cluster, seed=seed)
    return p_value, method, drawn
