"""Bounds on errors that hold with a stated certainty."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from demur.arrays import Flags, Floats, Sample
from demur.curves import counting
from demur.curves.counting import Ladder
from demur.decisions.betting import betting_bound, least_where, log_money

GIVEN_SIZES = (
    "certified for clusters (or weights) no larger than the largest seen; a larger one "
    "in the traffic is not covered"
)
"""What must be said of every certificate by betting."""


CUTOFFS = 256
"""About how many cutoffs a fixed sequence of bets tries."""

START_FACTOR = 4
"""Fixed-sequence testing starts where this many times the least sample is answered,
or half of the items."""

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
    why : str
        Why no cutoff could be certified.
    """

    position: int | None
    bound: float | None
    method: str
    why: str = ""


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
        From the traffic that will be served, items (or clusters) independent. With
        clusters, weights or partial credit by betting, see `error_bound`; then the
        cutoffs are tried from silence down, in an order that depends on no label, to
        the first that is not certified.
    target : Fraction
        Error over all items.
    certainty : float
        One-sided, such as 0.95.

    Returns
    -------
    Certificate

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, for independent items; Waudby-Smith and
    Ramdas (2024), JRSS B 86, for betting.
    """
    ladder = erring(sample)
    if exact(sample):
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
    return _certified_by_bets(sample, ladder, float(target), certainty, of="all")


def exact(sample: Sample) -> bool:
    """Whether items are independent, count the same, and are right or wrong."""
    plain = sample.cluster is None and sample.weight is None
    return plain and bool(np.isin(sample.loss, (0.0, 1.0)).all())


def certified_answered(
    sample: Sample, target: Fraction, certainty: float
) -> Certificate:
    """The smallest cutoff that fixed-sequence testing reaches for error of answered.

    Starts at the highest cutoff that answers enough items (`first_tested`), and goes
    down, one vertex at a time, while the exact bound stays at most the target; the
    first failure ends it. The order depends on confidences alone, so no correction is
    needed. With clusters, weights or partial credit the bounds are those of betting.

    Parameters
    ----------
    sample : Sample
        From the traffic that will be served, items (or clusters) independent.
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
    if not exact(sample):
        return _certified_by_bets(sample, ladder, rate, certainty, of="answered")
    least = first_tested(rate, certainty, len(sample)) if rate else math.inf
    tested = np.flatnonzero(answered >= least)[::-1]
    if not len(tested):
        most = int(answered.max(initial=0))
        return Certificate(None, None, method, _too_few(most, least))
    wrong = ladder.loss[ladder.blocks_before(position[tested])]
    passed = bdtr(wrong, answered[tested], rate) <= alpha
    n_passed = len(passed) if passed.all() else int(np.argmin(passed))
    if n_passed == 0:
        few, many = int(wrong[0]), int(answered[tested[0]])
        bound = binomial_bound(few, many, certainty)
        why = (
            f"the first cutoff tested answers {many} items, {few} of them wrong: at "
            f"most {bound:.3g} is certain"
        )
        return Certificate(None, None, method, why)
    last = n_passed - 1
    bound = binomial_bound(int(wrong[last]), int(answered[tested[last]]), certainty)
    return Certificate(int(position[tested[last]]), bound, method)


def _too_few(most: int, least: float) -> str:
    if least == math.inf:
        return "no number of items shows that there is no error at all"
    return (
        f"it takes at least {least:g} answered items, all of them right, and there are "
        f"{most} with a guess"
    )


def first_tested(target: float, certainty: float, items: int) -> int:
    """How many items the first cutoff of a fixed sequence answers, at least.

    Four times as many as would certify the target with none wrong, so that one error
    among them does not end the sequence at once; but no more than half of the items,
    if those are enough with none wrong.

    Parameters
    ----------
    target, certainty : float
        The error among answered items, and how surely it is to hold.
    items : int
        How many there are.

    Examples
    --------
    >>> [first_tested(0.05, 0.95, items) for items in (60, 200, 1000)]
    [59, 100, 236]
    """
    least = math.ceil(math.log(1 - certainty) / math.log1p(-target))
    return max(least, min(START_FACTOR * least, items // 2))


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

    def too_many(wrong: int) -> bool:
        return binomial_bound(wrong, items, certainty) > target

    return least_where(too_many, -1, items + 1) - 1


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

    def enough(items: int) -> bool:
        return binomial_bound(wrong, items, certainty) <= target

    high = wrong + 1
    while not enough(high):
        high *= 2
    return least_where(enough, max(high // 2, wrong + 1) - 1, high)


def _certified_by_bets(
    sample: Sample, ladder: Ladder, target: float, certainty: float, *, of: str
) -> Certificate:
    """The last of the cutoffs, from silence down, up to which all are certified."""
    method = f"fixed sequence of bets over {_units_text(sample)}"
    goal = -math.log(1 - certainty)
    passed: tuple[int, tuple[Floats, Floats] | None] | None = None
    if of == "all":
        passed = len(ladder.ranked), None  # silence, which is never wrong
    for position in _few_cutoffs(ladder):
        answers = sample.guess & (sample.confidence >= ladder.ranked[position])
        amounts = unit_amounts(sample, answers, of)
        # By sizes alone: skipping by what is wrong would be another look at the labels.
        if not _worth_a_test(sample, amounts[1], target, certainty, of=of):
            continue
        seen = amounts[0].sum() <= target * amounts[1].sum()
        if seen and log_money(*amounts, target, certainty=certainty) >= goal:
            passed = position, amounts
        elif passed is None:
            error, many = amounts[0].sum() / amounts[1].sum(), int(answers.sum())
            bound = betting_bound(*amounts, certainty=certainty)
            why = (
                f"the first cutoff tested answers {many} items with an error of "
                f"{error:.3g}: at most {bound:.3g} is certain"
            )
            return Certificate(None, None, method, why)
        else:
            break
    if passed is None:
        why = "too few items are answered to certify it even without an error"
        return Certificate(None, None, method, why)
    position, last = passed
    bound = 0.0 if last is None else betting_bound(*last, certainty=certainty)
    return Certificate(position, min(bound, target), method)


def _worth_a_test(
    sample: Sample, size: Floats, target: float, certainty: float, *, of: str
) -> bool:
    """Whether bets without any loss would show the target; by sizes alone.

    Among answered items, four times as surely, or with half of all weight answered.
    """
    goal = -math.log(1 - certainty)
    money = log_money(np.zeros(len(size)), size, target, certainty=certainty)
    if of == "all" or money < goal or money >= START_FACTOR * goal:
        return money >= goal
    whole = len(sample) if sample.weight is None else sample.weight.sum()
    return bool(size.sum() >= whole / 2)


def _few_cutoffs(ladder: Ladder) -> list[int]:
    """Positions of cutoffs from the highest down, about `CUTOFFS` equally far apart."""
    vertices = ladder.vertices()[:-1]
    if len(vertices) <= CUTOFFS:
        return [int(vertex) for vertex in vertices[::-1]]
    wanted = np.linspace(vertices[0], vertices[-1], CUTOFFS)
    chosen = np.unique(np.searchsorted(vertices, wanted, "left"))
    return [int(vertex) for vertex in vertices[chosen][::-1]]


def _units_text(sample: Sample) -> str:
    return "items" if sample.cluster is None else f"{sample.n_clusters} clusters"


def unit_amounts(sample: Sample, answers: Flags, of: str) -> tuple[Floats, Floats]:
    """Loss and size of each unit.

    Parameters
    ----------
    sample : Sample
        Its items, or clusters.
    answers : array of bool, shape (n_items,)
        What is answered at the cutoff.
    of : {"all", "answered"}
        What the size counts.

    Returns
    -------
    (loss, size)
        Of the units of any size.
    """
    weight = np.ones(len(sample)) if sample.weight is None else sample.weight
    loss = np.where(answers, sample.loss, 0.0) * weight
    size = weight if of == "all" else np.where(answers, weight, 0.0)
    if sample.cluster is not None:
        loss, size = (
            np.bincount(sample.cluster, amount).astype(np.float64)
            for amount in (loss, size)
        )
    return loss[size > 0], size[size > 0]


def error_bound(sample: Sample, answers: Flags, certainty: float) -> float:
    """Upper bound of the error over all items at a cutoff fixed beforehand.

    Exact (Clopper-Pearson) for independent items that count the same and are right or
    wrong; else by betting over independent items or clusters, none of them larger or
    heavier than the largest seen: what is not seen cannot be bounded.

    Parameters
    ----------
    sample : Sample
        From the traffic that will be served; it had no part in the choice of the
        cutoff.
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
    if exact(sample):
        wrong = int(np.count_nonzero(sample.loss[answers] > 0))
        return binomial_bound(wrong, len(sample), certainty)
    if not answers.any():
        return 0.0
    return betting_bound(*unit_amounts(sample, answers, "all"), certainty=certainty)
