"""How counts of n-grams become probabilities: each smoothing by its name.

All give the same form: the probability of an n-gram that is listed, and of each context
the weight with which it takes the probabilities of the context one word shorter for
what is not listed after it. Words alone are the shortest; what is left there goes to
all words alike (but the start of a sentence), or to unknown words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats
from demur.metrics.ngrams.counting import MARKS as _MARKS
from demur.metrics.ngrams.counting import START, CountedOrder, continuations

_START: Final = _MARKS.index(START)


@dataclass(frozen=True, eq=False)
class Smoothed:
    """Probabilities of each order, from words alone upwards.

    Parameters
    ----------
    probabilities : list of array of float
        Of the n-grams of each order.
    weights : list of array of float
        Of the n-grams of each order but the last, as contexts.
    listed : list of array of bool
        Which n-grams are kept, of each order.
    notes : tuple of str
        What a reader must know of the counts.
    """

    probabilities: list[Floats]
    weights: list[Floats]
    listed: list[Flags]
    notes: tuple[str, ...] = field(default=())


Shares = tuple[Floats, Floats]
"""Of each n-gram its share of its context, of each context what it leaves."""

Sharing = Callable[[Floats, CountedOrder, Floats], Shares]
"""Takes the counts of n-grams, their order, and the counts of their contexts."""


def _interpolated(
    orders: Sequence[CountedOrder], counts: Sequence[Any], sharing: Sequence[Sharing]
) -> Smoothed:
    """Each order's shares, and what they leave by the order below."""
    smoothed = Smoothed([], [], [])
    below = _equal_words(orders[0])
    for order, numbers, share in zip(orders, counts, sharing, strict=True):
        number = np.asarray(numbers, float)
        total = _sums(order, number)
        shares, left = share(number, order, total)
        left = np.where(total > 0, left, 1.0)  # a context of nothing leaves all
        suffix = order.word if order is orders[0] else order.suffix
        below = shares + left[order.context] * below[suffix]
        smoothed.probabilities.append(below)
        smoothed.weights.append(left)
        smoothed.listed.append(np.ones(len(order), bool))
    del smoothed.weights[0]  # words alone have no context
    return smoothed


def _sums(order: CountedOrder, values: Any) -> Floats:
    """Of each context, what its n-grams add up to."""
    sums: Any = np.bincount(order.context, values, order.n_contexts)
    return np.asarray(sums, float)


def _equal_words(words: CountedOrder) -> Floats:
    """Equal probabilities of all words but the start of a sentence."""
    equal = np.full(len(words), 1.0 / (len(words) - 1))
    equal[_START] = 0.0
    return equal


def _ratio(above: Any, below: Any) -> Floats:
    """A ratio, 0 where nothing is below."""
    above, below = np.asarray(above, float), np.asarray(below, float)
    ratio: Floats = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    return ratio


def _counts_of_counts(counts: Any, most: int) -> list[int]:
    """How many n-grams were counted 0, 1, ... times."""
    counts = np.asarray(counts, np.int64)
    some = counts[(counts > 0) & (counts <= most)]
    return [int(number) for number in np.bincount(some, minlength=most + 1)]


# -- each smoothing --------------------------------------------------------------------


def _maximum_likelihood(orders: Sequence[CountedOrder], add: float) -> Smoothed:
    """Count / count of the context; what was not seen there has probability 0."""
    del add

    def share(number: Floats, order: CountedOrder, total: Floats) -> Shares:
        return _ratio(number, total[order.context]), np.zeros(len(total))

    return _interpolated(
        orders, [order.count for order in orders], [share] * len(orders)
    )


def _add_k(orders: Sequence[CountedOrder], add: float) -> Smoothed:
    """(Count + k) / (count of the context + k words): Lidstone; Laplace with k = 1.

    A whole context is mixed with equal probabilities of all words. Contexts that are
    shorter than the model has, other than at the start of a sentence, say nothing.
    """
    equal = _equal_words(orders[0])
    smoothed = Smoothed([], [], [])
    for order in orders:
        whole = order.initial & (order is not orders[0])
        if order is orders[-1]:
            whole = np.ones(len(order), bool)
        context_whole = np.zeros(order.n_contexts, bool)
        context_whole[order.context[whole]] = True
        total = _sums(order, order.count)
        mass = add * (len(orders[0]) - 1)
        left = np.where(context_whole, mass / (total + mass), 1.0)
        shares = order.count / (total + mass)[order.context] * whole
        probability = shares + left[order.context] * equal[order.word]
        smoothed.probabilities.append(probability)
        smoothed.weights.append(left)
        smoothed.listed.append(np.ones(len(order), bool))
    del smoothed.weights[0]
    return smoothed


def _witten_bell(orders: Sequence[CountedOrder], add: float) -> Smoothed:
    """As if each word had been seen once more where it was new (interpolated)."""
    del add

    def share(number: Floats, order: CountedOrder, total: Floats) -> Shares:
        seen = _sums(order, number > 0)
        all_ = total + seen
        return _ratio(number, all_[order.context]), _ratio(seen, all_)

    return _interpolated(
        orders, [order.count for order in orders], [share] * len(orders)
    )


def _discounting(discounts: Sequence[float]) -> Sharing:
    """Take from each count what its size says: once, twice, ..., that often or more."""
    table = np.array([0.0, *discounts])

    def share(number: Floats, order: CountedOrder, total: Floats) -> Shares:
        size = np.minimum(number, len(discounts)).astype(np.int64)
        taken = np.minimum(table[size], number)
        left = _sums(order, taken)
        return _ratio(number - taken, total[order.context]), _ratio(left, total)

    return share


def _absolute(orders: Sequence[CountedOrder], add: float) -> Smoothed:
    """One discount of each order, n1 / (n1 + 2 n2) (interpolated)."""
    del add
    sharing, notes = [], []
    for length, order in enumerate(orders, 1):
        _, once, twice = _counts_of_counts(order.count, 2)
        discount = once / (once + 2 * twice) if once else _ABSOLUTE_FALLBACK
        if not once:
            what = f"no {length}-gram was counted once, so that their discount is"
            notes.append(f"{what} {_ABSOLUTE_FALLBACK:g}")
        sharing.append(_discounting([discount]))
    smoothed = _interpolated(orders, [order.count for order in orders], sharing)
    return Smoothed(*_parts(smoothed), tuple(notes))


_ABSOLUTE_FALLBACK: Final = 0.5


def _kneser_ney(orders: Sequence[CountedOrder], add: float) -> Smoothed:
    """Interpolated modified Kneser-Ney, as KenLM estimates it."""
    del add
    counts = continuations(orders)
    sharing, notes = [], []
    for length, numbers in enumerate(counts, 1):
        discounts = _modified_discounts(_counts_of_counts(numbers, 4))
        if discounts is None:
            discounts = _FALLBACK
            texts = ", ".join(f"{value:g}" for value in _FALLBACK)
            notes.append(
                f"the discounts of {length}-grams are {texts}: there are too few, or "
                "too regular ones, to estimate them"
            )
        sharing.append(_discounting(discounts))
    return Smoothed(*_parts(_interpolated(orders, counts, sharing)), tuple(notes))


_FALLBACK: Final = (0.5, 1.0, 1.5)
"""What KenLM takes with --discount_fallback."""


def _modified_discounts(n: Sequence[int]) -> tuple[float, ...] | None:
    """Of n-grams counted once, twice, and more often; None if they make no sense."""
    if not all(n[1:4]):
        return None
    share = n[1] / (n[1] + 2 * n[2])
    discounts = tuple(j - (j + 1) * share * n[j + 1] / n[j] for j in (1, 2, 3))
    sound = all(0 <= taken <= j for j, taken in enumerate(discounts, 1))
    return discounts if sound else None


def _parts(smoothed: Smoothed) -> tuple[list[Floats], list[Floats], list[Flags]]:
    return smoothed.probabilities, smoothed.weights, smoothed.listed


# -- Katz ------------------------------------------------------------------------------

_MOST_DISCOUNTED: Final = (1, 7)
"""The largest count that Good and Turing discount: of words, and of longer n-grams.

With 1 the discount of words is never in its range, so that these are as counted.
"""
_LEAST_LISTED: Final = (1, 1, 2)
"""The smallest count that is listed: of 1-grams, 2-grams, and longer ones."""
_NOTHING_LEFT: Final = 1e-9


def _katz(orders: Sequence[CountedOrder], add: float) -> Smoothed:
    """Katz's back-off with Good and Turing's discounts, with SRILM's defaults."""
    del add
    smoothed = Smoothed([], [], [])
    notes: list[str] = []
    below: Floats = np.zeros(len(orders[0]))
    kept_below = np.ones(1, bool)
    for length, order in enumerate(orders, 1):
        most = _MOST_DISCOUNTED[min(length, len(_MOST_DISCOUNTED)) - 1]
        least = _LEAST_LISTED[min(length, len(_LEAST_LISTED)) - 1]
        coefficients, dropped = _good_turing(_counts_of_counts(order.count, most + 1))
        if dropped and most > 1:
            notes.append(
                f"{length}-grams {dropped} are not discounted: there are too few, or "
                "too regular ones, to say by how much"
            )
        kept = (order.count >= least) & kept_below[order.context]
        shares, left = _katz_shares(order, coefficients, kept)
        if length == 1:
            # What is left goes to the one word that was never seen.
            below = shares
            below[0] = left[0]
            kept = np.ones(len(order), bool)
        else:
            expected = _sums(order, below[order.suffix] * kept)
            weights = _ratio(left, 1 - expected)
            lower = weights[order.context] * below[order.suffix]
            below = np.where(kept, shares, lower)
            smoothed.weights.append(weights)
        smoothed.probabilities.append(below)
        smoothed.listed.append(kept)
        kept_below = kept
    return Smoothed(*_parts(smoothed), tuple(notes))


def _katz_shares(
    order: CountedOrder, coefficients: Floats, kept: Flags
) -> tuple[Floats, Floats]:
    """Discounted shares of what is listed, and what each context leaves."""
    size = np.minimum(order.count, len(coefficients) - 1)
    number = order.count * coefficients[size] * kept
    total = _sums(order, order.count)
    sums = _sums(order, number)
    # Where nothing is left for other words, one more is counted (Doug Paul's way).
    total = total + (sums >= total * (1 - _NOTHING_LEFT)) * (total > 0)
    return _ratio(number, total[order.context]), 1 - _ratio(sums, total)


def _good_turing(n: Sequence[int]) -> tuple[Floats, str]:
    """What each count is multiplied with, and the counts that cannot be discounted.

    Parameters
    ----------
    n : sequence of int
        How many n-grams were counted 0, 1, ... times, up to one more than the largest
        count that is discounted.

    Examples
    --------
    >>> values, left_alone = _good_turing([0, 10, 4, 2])
    >>> values.round(3).tolist(), left_alone
    ([1.0, 0.5, 0.375, 1.0], '')
    """
    most = len(n) - 2
    coefficients = np.ones(most + 2)  # the last is that of larger counts
    while most > 0 and n[most + 1] == 0:
        most -= 1
    if most == 0 or n[1] == 0:
        return coefficients, "of any count"
    common = (most + 1) * n[most + 1] / n[1]
    left_alone = []
    for count in range(1, most + 1):
        turing = (count + 1) * n[count + 1] / (count * n[count]) if n[count] else 2.0
        value = (turing - common) / (1 - common) if common != 1 else 0.0
        if turing > 1 or not _NOTHING_LEFT < value <= 1:
            left_alone.append(str(count))
        else:
            coefficients[count] = value
    named = f"counted {' or '.join(left_alone)}" if left_alone else ""
    return coefficients, named


Smoothing = Callable[[Sequence[CountedOrder], float], Smoothed]
"""Takes counted orders, and what is added where something is."""

SMOOTHINGS: Final[dict[str, Smoothing]] = {
    "kneser-ney": _kneser_ney,
    "katz": _katz,
    "witten-bell": _witten_bell,
    "absolute": _absolute,
    "add-k": _add_k,
    "maximum-likelihood": _maximum_likelihood,
}
"""How counts become probabilities, by name."""
