"""The verbs that say how sure a number is: intervals of one, bands around curves."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from demur import checks
from demur.arrays import Floats
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.curves import Curve
from demur.curves.of_outcomes import counted_alone, error_return
from demur.errors import UndefinedRate
from demur.outcomes.parts import check_one_system, paired, sample_of
from demur.outcomes.table import Outcomes, check_outcomes
from demur.results import exactly
from demur.statistics import bands, intervals
from demur.statistics.bands import Band, DifferenceBand
from demur.statistics.described import (
    band_of_curve,
    drawn_how,
    interval_of_curve,
    rates_given,
)
from demur.statistics.intervals import Interval
from demur.statistics.quantities import Quantity

if TYPE_CHECKING:
    from concurrent.futures import Executor


def interval(  # noqa: PLR0913  (options are independent of each other)
    outcomes: Outcomes | CountedOutcomes,
    quantity: str = "area",
    at: float | None = None,
    *,
    between: tuple[float, float] | None = None,
    level: float = 0.95,
    method: str = "influence",
    seed: int = 0,
    executor: "Executor | None" = None,
) -> Interval:
    """Confidence interval and standard error of one number of a curve.

    Ungraded answers count as errors. Whole clusters are the units where the outcomes
    have clusters; with repeats and no clusters, the items.

    ``influence``: for an error Clopper and Pearson's interval of the mean loss of the
    answers that are left, times their share. Only those count, as so many independent
    ones as tell as much, and fewer where the cutoff stands among answers that err more
    or less often. Answers of few clusters count as still fewer, by Student's t, and
    those of one cluster tell nothing: the interval is all that is possible, and a note
    says so. For a nonreturn all rates at which that interval holds the wanted error;
    for an area the score interval of what each item adds to it.
    ``bootstrap``: percentiles of resamples; they miss often for an error near 0.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of one system, with confidences.
    quantity : {"area", "error", "nonreturn"}
        The area under the curve, the error at a nonreturn rate, or the least nonreturn
        with an error that low.
    at : float, optional
        That nonreturn, or that error; none for the area.
    between : tuple (low, high), optional
        Nonreturn rates between which the area is taken.
    level : float
        Share of samples whose interval holds the true number, from 0.5 to below 1.
    method : {"influence", "bootstrap"}
        As above.
    seed : int
        Of the bootstrap, of 2,000 replicates.
    executor : Executor, optional
        Of `concurrent.futures`: draws are made by its workers, and the numbers are the
        same, whatever their number.

    Returns
    -------
    Interval

    Raises
    ------
    InputError
        If there are several systems, or an argument is out of range.
    UndefinedRate
        If there are no confidences, the curve begins further right, or there is one
        item or cluster only.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26; Korn and Graubard (1998), Survey
    Methodology 24, for effective numbers of items in it; Woodruff (1952), JASA 47, for
    inverting the interval of a distribution function; Hesterberg (2015), American
    Statistician 69, for expanded percentiles; MacKinnon, Nielsen and Webb (2023),
    Journal of Econometrics 232, for the jackknife over clusters.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True] * 8 + [False] * 2, confidence=range(10, 0, -1))
    >>> found = demur.interval(outcomes, "error", at=0.0)
    >>> found.value, round(found.low, 3), round(found.high, 3)
    (0.2, 0.025, 0.556)
    """
    _check_one("interval", outcomes)
    checks.whole("interval", "seed", seed)
    if executor is not None:
        from demur.executors import check_executor

        check_executor("interval", executor)
    curve = _with_line("interval", outcomes, areas=quantity == "area")
    wanted = Quantity(quantity, at, between)
    how: Any = {"quantity": wanted, "level": level, "method": method, "seed": seed}
    if isinstance(outcomes, CountedOutcomes):
        from demur.statistics.counted_samples import counted_interval

        estimate = counted_interval(outcomes.counts(), outcomes.system or 0, **how)
    else:
        sample = sample_of(outcomes)
        estimate = intervals.sample_interval(sample, executor=executor, **how)
    return interval_of_curve(curve, estimate, wanted.text)


def band(
    outcomes: Outcomes | CountedOutcomes,
    *,
    method: str = "sup-t",
    level: float = 0.95,
    grid: Floats | None = None,
    replicates: int = bands.REPLICATES,
    seed: int = 0,
    executor: "Executor | None" = None,
) -> Band:
    """Confidence band around a curve, at fixed nonreturn rates.

    Ungraded answers count as errors. Units are those of `interval`.

    ``influence`` and ``bootstrap`` are pointwise; percentiles of resamples are too low
    where few errors are left, ``influence`` is not: its intervals are those of
    `interval`. ``sup-t`` is simultaneous over the grid and approximate (shown by
    simulation): its width follows the standard error, on the scale of
    arcsin(sqrt(error)) with 3/8 of an error added.

    ``dkw`` is simultaneous over all rates from the true start on, for samples of any
    size, and proved: items on a line, wrong ones at its left end and right ones at its
    right end, each by falling confidence towards the middle, have one distribution
    function, whose largest deviation is below d = sqrt(ln(2 / (1 - level)) / (2 N))
    with probability ``level``. Then the wrong and the right answers above any cutoff
    are both known to within d. If the cutoff that truly has nonreturn x is above the
    one at which the sample has x, its true error is at most the sample's error at x
    plus d; if it is below, its right answers are at least the sample's minus d, and as
    error + right = 1 - x, the same holds. The lower edge likewise. Needs independent
    items of equal weight, each right or wrong.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of one system, with confidences.
    method : {"sup-t", "dkw", "influence", "bootstrap"}
        The first two hold at all rates together, the others at any one.
    level : float
        Of the intervals.
    grid : array of float64, shape (n_rates,), optional
        Rising nonreturn rates; by default the start and every hundredth.
    replicates, seed : int
        Of ``sup-t`` and ``bootstrap``.
    executor : Executor, optional
        Of `concurrent.futures`: draws are made by its workers, and the numbers are the
        same, whatever their number.

    Returns
    -------
    Band

    Raises
    ------
    InputError
        If there are several systems, an argument is out of range, or ``dkw`` is asked
        for with weights, clusters or partial credit.
    UndefinedRate
        If there are no confidences, or fewer than five items or clusters.

    References
    ----------
    Massart (1990), Annals of Probability 18; Montiel Olea and Plagborg-Møller (2019),
    Journal of Applied Econometrics 34, for sup-t bands; Anscombe (1948), Biometrika
    35, for the scale.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True] * 90 + [False] * 10, confidence=range(100, 0, -1))
    >>> found = demur.band(outcomes, method="dkw", grid=[0.05])
    >>> found.error, found.low, found.high.round(3)
    (array([0.05]), array([0.]), array([0.186]))
    """
    _check_one("band", outcomes)
    grid = None if grid is None else checks.numbers("band", "grid", grid)
    checks.whole("band", "replicates", replicates, 1)
    checks.whole("band", "seed", seed)
    if executor is not None:
        from demur.executors import check_executor

        check_executor("band", executor)
    curve = _with_line("band", outcomes)
    how: Any = {"method": method, "level": level, "grid": grid}
    how |= {"replicates": replicates, "seed": seed}
    if isinstance(outcomes, CountedOutcomes):
        from demur.statistics.counted_samples import counted_band

        estimate = counted_band(outcomes.counts(), outcomes.system or 0, **how)
    else:
        sample = sample_of(outcomes)
        estimate = bands.sample_band(sample, executor=executor, **how)
    return band_of_curve(curve, estimate, grid)


def _check_one(where: str, outcomes: Outcomes | CountedOutcomes) -> None:
    """Refuse what are no outcomes, or several systems; a curve refuses counted ones."""
    if not isinstance(outcomes, CountedOutcomes):
        check_outcomes(where, outcomes)
        check_one_system(where, outcomes)


def difference_band(
    a: Outcomes,
    b: Outcomes,
    *,
    items: str = "equal",
    level: float = 0.95,
    simultaneous: bool = True,
    grid: Floats | None = None,
    seed: int = 0,
) -> DifferenceBand:
    """Confidence band of the error of b less that of a, at fixed nonreturn rates.

    The difference takes ungraded answers for right; the band holds it whatever they
    are.

    At each rate the difference has a standard error from the influence of the items
    (of whole clusters, if there are any) on both curves. The edges of a pointwise band
    are as many standard errors away as Student's t says; those of a simultaneous one
    as many as the largest deviation over all rates seldom exceeds, in draws with the
    same correlations (and, for few clusters, as few of them); there one error more in
    each system is counted in, because rare errors are skewed. No edge is nearer than
    what would be possible if no item had shown a difference. Approximate; its coverage
    is shown by simulation.

    Parameters
    ----------
    a, b : Outcomes
        Each of one system and setting; joined by item and repeat.
    items : {"equal", "common"}
        Whether both must have answered the same items, or the common ones count.
    level : float
        Of the intervals.
    simultaneous : bool
        Whether it holds at all rates together, or at any one.
    grid : array of float64, shape (n_rates,), optional
        Rising nonreturn rates; by default the later start and every hundredth.
    seed : int
        Of the draws for a simultaneous band.

    Returns
    -------
    DifferenceBand

    Raises
    ------
    InputError
        If the systems do not fit, or an argument is out of range.
    UndefinedRate
        If a system gives no confidences, or there are fewer than five items or
        clusters.

    References
    ----------
    Montiel Olea and Plagborg-Møller (2019), Journal of Applied Econometrics 34, for
    the plug-in sup-t band.

    Examples
    --------
    >>> import demur
    >>> a, b = (
    ...     demur.Outcomes.from_arrays(
    ...         correct=[False] * wrong + [True] * (100 - wrong), confidence=range(100))
    ...     for wrong in (40, 20))
    >>> demur.difference_band(a, b).surely()[0][2]
    'b'
    """
    check_outcomes("difference_band", a, b)
    check_one_system("difference_band", a, b)
    grid = None if grid is None else checks.numbers("difference_band", "grid", grid)
    checks.whole("difference_band", "seed", seed)
    (first, second), _ = paired([a, b], items=items)
    curves = [_with_line("difference_band", system) for system in (first, second)]

    def between(ungraded_a: str, ungraded_b: str) -> DifferenceBand:
        a_sample = sample_of(first, ungraded=ungraded_a)
        b_sample = sample_of(second, ungraded=ungraded_b)
        return bands.paired_band(
            a_sample,
            b_sample,
            level=level,
            simultaneous=simultaneous,
            grid=grid,
            seed=seed,
        )

    estimate = between("right", "right")
    if any(curve.totals.ungraded for curve in curves):
        low, high = between("wrong", "right").low, between("right", "wrong").high
        estimate = replace(estimate, low=low, high=high)
    names = [curve.system for curve in curves]
    recipe = {
        **curves[0].recipe,
        "difference_band": f"{names[1]} - {names[0]}",
        "level": exactly(level),
        "scope": "simultaneous" if simultaneous else "pointwise",
        "joined": items,
        **drawn_how(estimate),
        **rates_given(grid),
    }
    return replace(estimate, a=names[0], b=names[1], recipe=recipe)


def _with_line(
    where: str, outcomes: Outcomes | CountedOutcomes, *, areas: bool = False
) -> Curve:
    if isinstance(outcomes, CountedOutcomes):
        curve = counted_alone("error_return", outcomes, areas=areas)
    else:
        curve = error_return(outcomes)
    if curve.ladder is None:
        raise UndefinedRate(
            f"{curve.system or 'the system'} gives no confidences, so it has no curve.",
            where=where,
        )
    return curve
