"""Bounds on errors that hold with a stated certainty."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from demur.arrays import Flags, Positions, Sample
from demur.curves import counting
from demur.curves.counting import Ladder

GIVEN_SIZES = (
    "certified given the clusters' sizes: holds if the error has nothing to do with "
    "how long a cluster is; where rare long clusters erred far more, it was broken in "
    "14 to 20 % of simulated samples instead of 5 %. Look at the error of long and of "
    "short clusters, and whether the traffic has longer ones than were seen"
)
"""What must be said of every certificate by clusters."""

START_FACTOR = 4
"""Fixed-sequence testing starts where this many times the least sample is answered."""

# -- certificates ------------------------------------------------------------------


@dataclass(frozen=True)
class Certificate:
    """A cutoff whose error is bounded, or the news that there is none.

    Parameters
    ----------
    position : int or None
        On the ladder of `erring`; None if no cutoff could be certified.
    bound : float or None
        Upper confidence bound of the error at the cutoff; None without a cutoff.
    method : str
        How the bound was made, for the signature.
    """

    position: int | None
    bound: float | None
    method: str


def erring(sample: Sample) -> Ladder:
    """The ladder that counts erring items, one each; partial credit is an error."""
    chosen = sample.guess
    return counting.count(sample.confidence[chosen], sample.loss[chosen] > 0)


def certified(sample: Sample, target: Fraction, certainty: float) -> Certificate:
    """The smallest cutoff whose error over all items is certified.

    The error over all items falls with the cutoff, so one test suffices: the cutoff
    is the smallest whose exact one-sided bound is at most the target, and the chance
    that its true error is greater is at most ``1 - certainty``. Silence always
    qualifies.

    Parameters
    ----------
    sample : Sample
        Unweighted, from the traffic that will be served, items (or clusters)
        independent. With clusters the certificate is given their sizes, see
        `error_bound`.
    target : Fraction
        Error over all items.
    certainty : float
        One-sided, such as 0.95.

    Returns
    -------
    Certificate

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, for independent items; Bates et al.
    (2021), "Distribution-free, risk-controlling prediction sets", section 3, for the
    bound of Hoeffding and Bentkus that is used with clusters.
    """
    ladder = erring(sample)
    if sample.cluster is None:
        most = _most_errors(len(sample), float(target), certainty)
        block = len(ladder.loss) - int(
            np.searchsorted(ladder.loss[::-1], most, "right")
        )
        if most < 0 or block > len(ladder.end):
            return Certificate(len(ladder.ranked), 0.0, "exact binomial")
        position = 0 if block == 0 else int(ladder.end[block - 1])
        if position == len(ladder.ranked):
            return Certificate(position, 0.0, "exact binomial")
        wrong = int(ladder.loss[block])
        bound = binomial_bound(wrong, len(sample), certainty)
        return Certificate(position, bound, "exact binomial")
    return _certified_clusters(sample, ladder, float(target), certainty)


def certified_answered(
    sample: Sample, target: Fraction, certainty: float
) -> Certificate:
    """The smallest cutoff that fixed-sequence testing reaches for error of answered.

    Starts at the highest cutoff that answers at least ``4 ln(1-certainty) /
    ln(1-target)`` items, and goes down, one vertex at a time, while the exact bound
    stays at most the target; the first failure ends it. The order depends on
    confidences alone, so no correction is needed.

    Parameters
    ----------
    sample : Sample
        Unweighted, independent items.
    target : Fraction
        Error among answered items.
    certainty : float
        One-sided.

    Returns
    -------
    Certificate
        Position None if already the first test fails, or too few are answered.
    """
    from scipy.special import bdtr

    method = "fixed sequence of exact binomial tests"
    ladder = erring(sample)
    position = ladder.vertices()[:-1]
    answered = len(ladder.ranked) - position
    rate, alpha = float(target), 1 - certainty
    if rate >= 1:
        return Certificate(0, 1.0, method)
    least = first_tested(rate, certainty) if rate else math.inf
    tested = np.flatnonzero(answered >= least)[::-1]
    wrong = ladder.loss[ladder.blocks_before(position[tested])]
    passed = bdtr(wrong, answered[tested], rate) <= alpha
    n_passed = len(passed) if passed.all() else int(np.argmin(passed))
    if n_passed == 0:
        return Certificate(None, None, method)
    last = n_passed - 1
    bound = binomial_bound(int(wrong[last]), int(answered[tested[last]]), certainty)
    return Certificate(int(position[tested[last]]), bound, method)


def first_tested(target: float, certainty: float) -> int:
    """How many items the first cutoff of a fixed sequence answers, at least.

    Four times as many as would certify the target with none wrong, so that one error
    among them does not end the sequence at once.

    Examples
    --------
    >>> first_tested(0.05, 0.95)
    234
    """
    alpha = 1 - certainty
    return math.ceil(START_FACTOR * math.log(alpha) / math.log1p(-target))


def binomial_bound(wrong: int, items: int, certainty: float) -> float:
    """Upper Clopper-Pearson bound of a rate.

    Parameters
    ----------
    wrong, items : int
        Errors seen, of how many.
    certainty : float
        One-sided.

    Returns
    -------
    float

    Examples
    --------
    None wrong of 59 certifies 5 % with certainty 95 %:

    >>> round(binomial_bound(0, 59, 0.95), 5)
    0.04951
    """
    if wrong >= items:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(wrong + 1, items - wrong, certainty))


def _most_errors(items: int, target: float, certainty: float) -> int:
    """The most errors that still certify the target; -1 if not even none does."""
    low, high = -1, items
    while low < high:
        middle = (low + high + 1) // 2
        if binomial_bound(middle, items, certainty) <= target:
            low = middle
        else:
            high = middle - 1
    return low


def items_for_certificate(target: float, certainty: float, *, wrong: int = 0) -> int:
    """How many items, with so many errors among them, certify a target.

    Parameters
    ----------
    target : float
        Error rate, above 0.
    certainty : float
        One-sided.
    wrong : int
        Errors that are expected.

    Examples
    --------
    >>> items_for_certificate(0.05, 0.95)
    59
    """
    high = wrong + 1
    while binomial_bound(wrong, high, certainty) > target:
        high *= 2
    low = max(high // 2, wrong + 1) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if binomial_bound(wrong, middle, certainty) > target:
            low = middle
        else:
            high = middle
    return high


def _certified_clusters(
    sample: Sample, ladder: Ladder, target: float, certainty: float
) -> Certificate:
    """Smallest cutoff whose cluster-wise bound is at most the target, by bisection.

    The bound rises with the errors answered, and those fall with the cutoff.
    """
    method = "Hoeffding-Bentkus over clusters"
    position = ladder.vertices()
    low, high = 0, len(position) - 1  # silence qualifies
    while low < high:
        middle = (low + high) // 2
        if _cluster_bound(sample, ladder, int(position[middle]), certainty) <= target:
            high = middle
        else:
            low = middle + 1
    if low == len(position) - 1:
        return Certificate(len(ladder.ranked), 0.0, method)
    bound = _cluster_bound(sample, ladder, int(position[low]), certainty)
    return Certificate(int(position[low]), bound, method)


def _cluster_bound(
    sample: Sample, ladder: Ladder, position: int, certainty: float
) -> float:
    """The bound at a cutoff of the ladder; silence has no error."""
    if position == len(ladder.ranked):
        return 0.0
    answers = sample.guess & (sample.confidence >= ladder.ranked[position])
    return error_bound(sample, answers, certainty)


def error_bound(sample: Sample, answers: Flags, certainty: float) -> float:
    """Upper bound of the error over all items at a cutoff fixed beforehand.

    Exact (Clopper-Pearson) for independent items; where there are clusters, that of
    Hoeffding and Bentkus for independent clusters *of the sizes seen*. That holds if
    the error of a cluster has nothing to do with its size. If long clusters err more
    and are rare, a sample may hold none of them: the bound was then below the true
    error in 14 to 20 % of simulated samples instead of 5 %. No bound can help that does
    not know the largest cluster of the traffic.

    Parameters
    ----------
    sample : Sample
        Unweighted; partial credit counts as an error.
    answers : array of bool, shape (n_items,)
        What is answered.
    certainty : float
        One-sided.

    Examples
    --------
    >>> none_wrong = Sample(np.ones(59, bool), np.arange(59.0), np.zeros(59))
    >>> round(error_bound(none_wrong, none_wrong.guess, 0.95), 4)
    0.0495
    """
    if sample.cluster is None:
        wrong = int(np.count_nonzero(sample.loss[answers] > 0))
        return binomial_bound(wrong, len(sample), certainty)
    return _bound_over_clusters(sample, sample.cluster, answers, certainty)


def _bound_over_clusters(
    sample: Sample, cluster: Positions, answers: Flags, certainty: float
) -> float:
    """The bound of Hoeffding and Bentkus.

    With the clusters' sizes given, the error is a weighted mean of the clusters' own
    error rates; scaled by the largest cluster's share these are independent values in
    [0, 1], whose mean the bound of Hoeffding and Bentkus covers. It covers the mean
    error of clusters of these sizes, which is that of the traffic only if error and
    size are unrelated.
    """
    size = np.bincount(cluster)
    wrong = np.bincount(cluster[answers], sample.loss[answers] > 0, len(size))
    scale = len(sample) / (len(size) * size.max())  # mean of the values at error 1
    mean = wrong.sum() / (len(size) * size.max())
    bound = hoeffding_bentkus(float(mean), len(size), certainty) / float(scale)
    return min(1.0, bound)


def hoeffding_bentkus(mean: float, n: int, certainty: float) -> float:
    """Upper bound of the expectation of the mean of n independent values in [0, 1].

    Parameters
    ----------
    mean : float
        The mean that was seen.
    n : int
        How many values.
    certainty : float
        One-sided.

    Returns
    -------
    float

    References
    ----------
    Bates et al. (2021), "Distribution-free, risk-controlling prediction sets",
    equations 11 and 12.

    Examples
    --------
    >>> round(hoeffding_bentkus(0.0, 59, 0.95), 4)
    0.0495
    """
    from scipy.special import bdtr

    alpha = 1 - certainty

    def p_value(rate: float) -> float:
        bentkus = math.e * float(bdtr(math.ceil(n * mean - 1e-9), n, rate))
        hoeffding = math.exp(-n * _divergence(min(mean, rate), rate))
        return float(min(hoeffding, bentkus))

    low, high = mean, 1.0
    if p_value(1.0) > alpha:
        return 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if p_value(middle) > alpha:
            low = middle
        else:
            high = middle
    return high


def _divergence(a: float, b: float) -> float:
    """Kullback-Leibler divergence of two Bernoulli distributions."""
    first = a * math.log(a / b) if a > 0 else 0.0
    second = (1 - a) * math.log((1 - a) / (1 - b)) if a < 1 and b < 1 else 0.0
    return first + second if b < 1 or a == 1 else math.inf
