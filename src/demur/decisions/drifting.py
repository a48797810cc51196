"""How far confidences have moved since a cutoff was locked; needs no labels."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats, answered_at, plain, shortest
from demur.checks import rows_shown
from demur.decisions.choice_tables import WHOLES
from demur.decisions.locks import Lock
from demur.decisions.mixes import (
    Counts,
    Mix,
    chance_distance,
    declined_test,
    mix_of,
    mix_test,
)
from demur.errors import InputError, shown
from demur.results import FigureKind, Result, count, p_text
from demur.statistics.correcting import UNLIKELY
from demur.statistics.equal_units import FAR_BELOW, worth_text

BINS = 10
DRIFT_ALONE = (
    "drift of confidences neither proves nor excludes that a target is broken; only "
    "labelled outcomes tell"
)


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
        Items with the same name or number are not independent. The tests are then t
        and F, by how much the clusters vary, instead of exact.

    Returns
    -------
    Drift

    Raises
    ------
    InputError
        If there are no items, or a guess has no confidence.

    References
    ----------
    Rao and Scott (1984), Annals of Statistics 12, for chi-square tests and clusters;
    Thomas and Rao (1987), JASA 82, for F in place of chi-square where they are few.

    Examples
    --------
    >>> import demur
    >>> from demur.decisions.locking import lock
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
    now = mix_of(kept, cell, len(lock.counts) + 1, _codes(cluster, len(values)))
    return drift_between(lock, now, int((~kept).sum()))


def drift_between(lock: Lock, now: Mix, n_declined: int) -> Drift:
    """What `drift` says, of a mix that is counted already.

    Parameters
    ----------
    lock : Lock
        The cutoff and what was seen with it.
    now : Mix
        Of the new items, over the cells of the lock.
    n_declined : int
        How many of these are not answered at the cutoff.
    """
    then, items = _locked_mix(lock), int(now.counts.sum())
    declined = (lock.declined, lock.items), (n_declined, items)
    mix_p, bins = mix_test(then, now)
    shares = then.shares, now.shares
    method = _method(then, now)
    return Drift(
        items_then=lock.items,
        items_now=items,
        declined_then=lock.nonreturn,
        declined_now=n_declined / items,
        declined_p=declined_test(*declined, (then, now)),
        no_guess_then=float(shares[0][0]),
        no_guess_now=float(shares[1][0]),
        total_variation=float(np.abs(shares[0] - shares[1]).sum() / 2),
        by_chance=chance_distance(then.effective, now.effective),
        mix_p=mix_p,
        bins=bins,
        method=method,
        notes=(DRIFT_ALONE, *_worth_notes(then, now)),
        recipe={
            "drift": method,
            "cutoff": str(plain(lock.cutoff)),
            "items": str(items),
            "locked_items": str(lock.items),
        },
    )


def _locked_mix(lock: Lock) -> Mix:
    """The mix of the items that a cutoff was chosen on."""
    counts = np.array([lock.no_guess, *lock.counts], np.float64)
    clusters = lock.clusters, math.inf if lock.worth is None else lock.worth
    if not lock.covariances:
        return Mix(counts, lock.design_effects, None, *clusters)
    covariances = np.zeros((len(counts), len(counts)))
    covariances[np.tril_indices(len(counts))] = lock.covariances
    covariances += np.tril(covariances, -1).T
    return Mix(counts, lock.design_effects, covariances, *clusters)


def _worth_notes(then: Mix, now: Mix) -> list[str]:
    """What to say of clusters that are worth far fewer equal ones."""
    return [
        f"the {mix.clusters} {which} clusters are {worth_text(mix.worth)}, so they say "
        "little of how far confidences move by chance"
        for which, mix in (("locked", then), ("new", now))
        if mix.clusters is not None and mix.worth < FAR_BELOW * mix.clusters
    ]


def _method(then: Mix, now: Mix) -> str:
    effects = [
        f", design effects {before:.3g} and {after:.3g}"
        for before, after in zip(then.effects, now.effects, strict=True)
    ]
    if then.clusters is None and now.clusters is None and max(then.effects) == 1:
        return "declined: Fisher's exact test; mix: chi-square"
    return f"declined: t{effects[0]}; mix: F{effects[1]}"


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
    values, size = np.unique(ranked, return_counts=True)
    return [shortest(value) for value in values[edge_places(size)]]


def edge_places(size: Counts) -> Counts:
    """Which of the different confidences are inner edges, by how often each is there.

    Parameters
    ----------
    size : array of int64, shape (n_confidences,)
        In the order of the confidences.

    Examples
    --------
    >>> edge_places(np.ones(20, np.int64)).tolist()
    [2, 4, 6, 8, 10, 12, 14, 16, 18]
    """
    if len(size) <= BINS:
        return np.arange(1, len(size))
    share = size.sum() / BINS
    wanted = np.arange(1, BINS) * share
    index = np.searchsorted(size.cumsum() - size, wanted, "right") - 1
    large = np.flatnonzero(size >= share)  # such as the confidence 1.0 of many models
    index = np.unique(np.concatenate((index, large, large + 1)))
    places: Counts = index[(index > 0) & (index < len(size))]
    return places


def cells(confidence: Floats, guess: Flags, edges: Any) -> Counts:
    """Which cell of the mix each item is in: 0 without a guess, else 1 + its bin."""
    sides = np.asarray(edges, np.float64).astype(confidence.dtype)
    cell = 1 + np.searchsorted(sides, confidence, "right")
    return np.where(guess, cell, 0).astype(np.int64)


A_LITTLE: Final = 0.02
"""A share of declined items that no note is made of."""


def left_out(lock: Lock, moved: Drift) -> list[str]:
    """A note where declined rows seem to be missing, and the target is one of all."""
    of_all = lock.target is not None and lock.of in ("all", WHOLES)
    missing = of_all and not moved.declined_now
    if not missing or lock.cutoff is None or moved.declined_p >= UNLIKELY:
        return []
    if lock.nonreturn < A_LITTLE:
        return []
    return [
        f"no row is declined at the cutoff, where {100 * lock.nonreturn:.0f} % were "
        "when it was locked: if declined rows were left out, this is the error of "
        "answers, held against a target of all"
    ]
