"""How far confidences have moved since a cutoff was locked; needs no labels."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats, answered_at, plain, shortest
from demur.checks import rows_shown
from demur.decisions.locks import Lock
from demur.errors import InputError, shown
from demur.results import FigureKind, Result, count, p_text

BINS = 10
LEAST_EXPECTED = 10
DRIFT_ALONE = (
    "drift of confidences neither proves nor excludes that a target is broken; only "
    "labelled outcomes tell"
)

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Drift(Result):
    """How far confidences have moved since a cutoff was locked.

    Parameters
    ----------
    items_then, items_now : int
        How many items.
    declined_then, declined_now : float
        Items not answered at the locked cutoff / all items.
    declined_p : float
        Two-sided p value of the difference between them.
    no_guess_then, no_guess_now : float
        Items without a guess / all items.
    total_variation : float
        Distance between the two mixes of confidence, from 0 to 1: half the sum of
        differences of shares over the locked bins, no guess being one of them.
    by_chance : float
        About what that distance would be on average without any drift.
    mix_p : float or None
        p value of the difference of the mixes; None if there are too few items.
    bins : int
        How many bins were left after merging those in which fewer than 5 items are
        expected.
    method : str
        The tests.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS: ClassVar = (
        FigureKind(
            "declined_now",
            "the share declined",
            better="neither",
            can_be_undefined=False,
        ),
        FigureKind("total_variation", "the share of confidences that moved"),
        FigureKind("declined_p", "p of the declined share", better="neither"),
        FigureKind("mix_p", "p of the mix of confidences", better="neither"),
        count("items_now", "new items"),
    )

    items_then: int
    items_now: int
    declined_then: float
    declined_now: float
    declined_p: float
    no_guess_then: float
    no_guess_now: float
    total_variation: float
    by_chance: float
    mix_p: float | None
    bins: int
    method: str
    notes: tuple[str, ...] = (DRIFT_ALONE,)
    recipe: dict[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """How many are declined then and now, and how far confidences moved."""
        mix = "" if self.mix_p is None else f" ({p_text(self.mix_p)})"
        return (
            f"{100 * self.declined_now:.3g} % of the items are declined, "
            f"{100 * self.declined_then:.3g} % when the cutoff was locked "
            f"({p_text(self.declined_p)}); the mix of confidences has moved by "
            f"{self.total_variation:.3f}, by chance it would be about "
            f"{self.by_chance:.3f}{mix}."
        )


def drift(
    lock: Lock,
    confidence: Any,
    answered: Any = None,
    *,
    cluster: Any = None,
) -> Drift:
    """Compare new confidences with those that a cutoff was chosen on; needs no labels.

    Neither p value says anything about errors: see ``notes`` of the result.

    Parameters
    ----------
    lock : Lock
        The cutoff and what was seen with it.
    confidence : array of float, shape (n_items,)
        Of new items; NaN where there is no guess.
    answered : array of bool, shape (n_items,), optional
        Whether there is a guess at all; if left out, where the confidence is a
        number.
    cluster : array, shape (n_items,), optional
        Items with the same name or number are not independent. The tests then use
        design effects instead of exact counts.

    Returns
    -------
    Drift

    Raises
    ------
    InputError
        If there are no items, or a guess has no confidence.

    References
    ----------
    Rao and Scott (1984), Annals of Statistics 12, for chi-square tests and clusters.

    Examples
    --------
    >>> import demur
    >>> from demur.decisions.rechecking import lock
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     confidence=[i / 100 for i in range(100)],
    ...     correct=[i > 20 for i in range(100)])
    >>> kept = lock(outcomes, demur.choose(outcomes, max_error=0.01))
    >>> seen = drift(kept, [i / 200 for i in range(100)])
    >>> seen.declined_then, seen.declined_now, seen.declined_p < 0.01
    (0.2, 0.4, True)
    """
    values, guess = _new_confidences(confidence, answered)
    cell = cells(values, guess, lock.edges)
    kept = answered_at(values, guess, lock.cutoff)
    then = np.array([lock.no_guess, *lock.counts])
    now = np.bincount(cell, minlength=len(then))
    effects = design_effects(kept, cell, _codes(cluster, len(values)))
    declined = (lock.declined, lock.items), (int((~kept).sum()), len(values))
    mixes = then / lock.design_effects[1], now / effects[1]
    mix_p, bins = _mix_test(*mixes)
    shares = then / then.sum(), now / now.sum()
    return Drift(
        items_then=lock.items,
        items_now=len(values),
        declined_then=lock.nonreturn,
        declined_now=declined[1][0] / len(values),
        declined_p=_declined_test(*declined, (lock.design_effects[0], effects[0])),
        no_guess_then=float(shares[0][0]),
        no_guess_now=float(shares[1][0]),
        total_variation=float(np.abs(shares[0] - shares[1]).sum() / 2),
        by_chance=_chance_distance(*mixes),
        mix_p=mix_p,
        bins=bins,
        method=_method(lock.design_effects, effects),
        recipe={
            "drift": _method(lock.design_effects, effects),
            "cutoff": str(plain(lock.cutoff)),
            "items": str(len(values)),
            "locked_items": str(lock.items),
        },
    )


def _method(then: tuple[float, float], now: tuple[float, float]) -> str:
    texts = [
        f", design effects {before:.3g} and {after:.3g}"
        if max(before, after) > 1
        else ""
        for before, after in zip(then, now, strict=True)
    ]
    declined = f"z{texts[0]}" if texts[0] else "Fisher's exact test"
    return f"declined: {declined}; mix: chi-square{texts[1]}"


def _new_confidences(confidence: Any, answered: Any) -> tuple[Floats, Flags]:
    values = np.asarray(confidence)
    if values.dtype not in (np.float32, np.float64):
        values = _floats(values)
    if not len(values):
        raise InputError("drift", "confidence", "hold at least one item", "none")
    missing = np.isnan(values)
    guess = ~missing if answered is None else np.asarray(answered, bool)
    if guess.shape != values.shape:
        need = f"be as long as confidence ({len(values)} items)"
        raise InputError("drift", "answered", need, f"{guess.size} items")
    lacking = np.flatnonzero(guess & missing)
    if len(lacking):
        need = "be a number for every guess"
        got = f"NaN in {rows_shown(lacking)}"
        raise InputError("drift", "confidence", need, got)
    return values, guess


def _floats(values: npt.NDArray[Any]) -> Floats:
    try:
        numbers = [np.nan if value is None else float(value) for value in values]
    except (TypeError, ValueError):
        need, got = "hold numbers", shown(values.tolist())
        raise InputError("drift", "confidence", need, got) from None
    return np.array(numbers, np.float64)


def _codes(cluster: Any, n_items: int) -> Counts | None:
    """Clusters as numbers from 0 upwards; None if every item stands alone."""
    if cluster is None:
        return None
    codes = np.unique(np.asarray(cluster), return_inverse=True)[1]
    if len(codes) != n_items:
        need = f"be as long as confidence ({n_items} items)"
        raise InputError("drift", "cluster", need, f"{len(codes)} items")
    return None if codes.max() + 1 == n_items else codes


def inner_edges(confidence: Floats) -> list[float]:
    """Inner edges of about `BINS` bins with equal counts.

    Every edge is a confidence that occurs, so ties stay together, and one that takes
    up a whole bin's share has that bin to itself.
    """
    ranked = np.sort(confidence) + confidence.dtype.type(0)
    values, first, size = np.unique(ranked, return_index=True, return_counts=True)
    if len(values) <= BINS:
        return [shortest(value) for value in values[1:]]
    share = len(ranked) / BINS
    wanted = np.arange(1, BINS) * share
    index = np.searchsorted(first, wanted, "right") - 1
    large = np.flatnonzero(size >= share)  # such as the confidence 1.0 of many models
    index = np.unique(np.concatenate((index, large, large + 1)))
    index = index[(index > 0) & (index < len(values))]
    return [shortest(value) for value in values[index]]


def cells(confidence: Floats, guess: Flags, edges: Any) -> Counts:
    """Which cell of the mix each item is in: 0 without a guess, else 1 + its bin."""
    sides = np.asarray(edges, np.float64).astype(confidence.dtype)
    cell = 1 + np.searchsorted(sides, confidence, "right")
    return np.where(guess, cell, 0).astype(np.int64)


def design_effects(
    answered: Flags, cell: Counts, cluster: Counts | None
) -> tuple[float, float]:
    """Variance with clusters over variance without, of shares; never below 1."""
    if cluster is None:
        return 1.0, 1.0
    n_items, n_clusters = len(cell), int(cluster.max()) + 1
    if n_clusters < 2:
        return float(n_items), float(n_items)
    shares, spread = [], []
    for flags in (answered, *(cell == code for code in np.unique(cell))):
        share = flags.mean()
        sums = np.bincount(cluster, flags - share)
        shares.append(share)
        spread.append((sums**2).sum() * n_clusters / ((n_clusters - 1) * n_items))
    alone = shares[0] * (1 - shares[0])
    declined = spread[0] / alone if alone else 1.0
    n_cells = len(shares) - 1
    ratios = sum(s / p for s, p in zip(spread[1:], shares[1:], strict=True))
    mix = ratios / (n_cells - 1) if n_cells > 1 else 1.0
    return max(1.0, float(declined)), max(1.0, float(mix))


def _declined_test(
    then: tuple[int, int], now: tuple[int, int], effects: tuple[float, float]
) -> float:
    """Two-sided p value of the difference between two shares."""
    if max(effects) == 1:
        return _fisher(*then, *now)
    # As many independent items as tell as much (Rao and Scott).
    (k1, n1), (k2, n2) = (
        (k / effect, n / effect)
        for (k, n), effect in zip((then, now), effects, strict=True)
    )
    pooled = (k1 + k2) / (n1 + n2)
    variance = pooled * (1 - pooled) * (1 / n1 + 1 / n2)
    if not variance:
        return 1.0
    return math.erfc(abs(k1 / n1 - k2 / n2) / math.sqrt(2 * variance))


def _fisher(k1: int, n1: int, k2: int, n2: int) -> float:
    """Fisher's exact test: the chance of tables no likelier than the one seen."""
    from scipy.special import gammaln

    both = k1 + k2
    k = np.arange(max(0, both - n2), min(both, n1) + 1)
    chance = -(
        gammaln(k + 1)
        + gammaln(n1 - k + 1)
        + gammaln(both - k + 1)
        + gammaln(n2 - both + k + 1)
    )
    chance = np.exp(chance - chance.max())
    seen = chance[k1 - k[0]]
    # Tables that are as likely but for rounding are no likelier.
    return min(1.0, float(chance[chance <= seen * (1 + 1e-7)].sum() / chance.sum()))


def _mix_test(then: Floats, now: Floats) -> tuple[float | None, int]:
    """P value of a chi-square test over merged cells, and how many those are."""
    from scipy.special import chdtrc

    table = np.array(_merged(then, now))
    if len(table) < 2:
        return None, len(table)
    expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
    statistic = ((table - expected) ** 2 / expected).sum()
    return float(chdtrc(len(table) - 1, statistic)), len(table)


def _merged(then: Floats, now: Floats) -> list[tuple[float, float]]:
    """Neighbouring cells merged until at least 10 items are expected in each."""
    least = LEAST_EXPECTED * (then.sum() + now.sum()) / min(then.sum(), now.sum())
    merged: list[tuple[float, float]] = []
    first = second = 0.0
    for a, b in zip(then.tolist(), now.tolist(), strict=True):
        first, second = first + a, second + b
        if first + second >= least * (1 - 1e-12):
            merged.append((first, second))
            first = second = 0.0
    if merged and first + second:
        merged[-1] = (merged[-1][0] + first, merged[-1][1] + second)
    return merged


def _chance_distance(then: Floats, now: Floats) -> float:
    """About the mean total variation distance of two samples of one mix."""
    share = (then + now) / (then.sum() + now.sum())
    variance = share * (1 - share) * (1 / then.sum() + 1 / now.sum())
    # A normal deviate is on average sqrt(2 / pi) standard deviations away from 0.
    return float(np.sqrt(2 * variance / np.pi).sum() / 2)
