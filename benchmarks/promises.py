"""Sixteen situations made to hurt: whether what is promised holds there.

    python benchmarks/promises.py [--runs 300] [--only TEXT] [--seed 0]

Few errors, few clusters, few labels, several of them at once. Each line says what is
promised, in how many of the runs it was broken, and how many may be; a line whose
promise is a power says how often the difference was shown.
"""

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from harness import machine, show

import demur
from demur.decisions.labelled_rates import Labels, bounds_by_labels
from demur.sampling.priorities import priority_draw

Rng = np.random.Generator
Array = np.ndarray[Any, Any]


class Promise(NamedTuple):
    """What happens in one run: whether a promise is broken, or None if none is made."""

    name: str
    promised: str
    broken: Callable[[Rng], bool | None]


# -- systems whose truth is known ----------------------------------------------------


def outcomes(wrong: Array, confidence: Array, **columns: Any) -> demur.Outcomes:
    """A system that gives all answers but those whose ``wrong`` is NaN."""
    silent = np.isnan(wrong)
    return demur.Outcomes.from_arrays(
        correct=np.where(silent, None, 1.0 - wrong),
        confidence=np.where(silent, None, confidence),
        item=np.arange(len(wrong)),
        **columns,
    )


def sizes_in_clusters(rng: Rng, n_clusters: int, mean: float) -> Array:
    """The cluster of each item; sizes are geometric."""
    return np.repeat(np.arange(n_clusters), rng.geometric(1 / mean, n_clusters))


def shared_rates(rng: Rng, cluster: Array, rate: float, within: float) -> Array:
    """Which items are wrong: clusters have beta rates that correlate by ``within``."""
    odds = (1 - within) / within
    rates = rng.beta(rate * odds, (1 - rate) * odds, cluster.max() + 1)
    return 1.0 * (rng.random(len(cluster)) < rates[cluster])


# -- not worse by a margin ----------------------------------------------------------


def margin_with_silence(rng: Rng) -> bool:
    """A fifth without a guess, Pareto weights, a perfect old system, at .3."""
    n_items, margin = 200, 0.06
    silent, rank = rng.random(n_items) < 0.2, rng.random(n_items)
    weight = rng.pareto(2.5, n_items) + 1
    # What answers 70 % at the nonreturn .3 are guesses of rank above one eighth.
    wrong = rng.random(n_items) < margin / 0.7
    none = np.where(silent, np.nan, 0.0)
    new = np.where(silent, np.nan, 1.0 * (wrong & (rank > 0.125)))
    a, b = (outcomes(loss, rank, weight=weight) for loss in (none, new))
    return demur.compare(a, b, at=0.3, margin=margin).not_worse(margin)[1]


def margin_one_way(rng: Rng) -> bool:
    """B errs wherever A does, and on a margin besides; 15 clusters."""
    cluster, margin = sizes_in_clusters(rng, 15, 12), 0.08
    first = shared_rates(rng, cluster, 0.03, 0.2)
    rates = margin / (1 - 0.03)
    second = np.maximum(first, shared_rates(rng, cluster, rates, 0.2))
    rank = rng.random(len(cluster))
    a, b = (outcomes(loss, rank, cluster=cluster) for loss in (first, second))
    return demur.compare(a, b, at=0.0, margin=margin).not_worse(margin)[1]


# -- looks at any time --------------------------------------------------------------


def long_dialogues(rng: Rng) -> bool:
    """Geometric lengths up to 40, as stated; the longer, the more often wrong."""
    lengths = np.arange(1, 41)
    chance = 0.2 * 0.8 ** (lengths - 1)
    chance[-1] = 0.8**39  # what is longer is capped
    rates = 0.02 + 0.4 * lengths / 40
    truth = float(chance @ (rates * lengths) / (chance @ lengths))
    cluster = np.repeat(np.arange(150), rng.choice(lengths, 150, p=chance))
    rate = rates[np.bincount(cluster) - 1][cluster]
    wrong = 1.0 * (rng.random(len(cluster)) < rate)
    data = outcomes(wrong, np.ones(len(wrong)), cluster=cluster)
    table = demur.lock(data, demur.choose(data, nonreturn=0.0)).to_dict()
    kept = demur.Lock.from_dict(
        table | {"target": truth, "of": "all", "certainty": 0.95}
    )
    for n_dialogues in range(15, 151, 15):
        n_rows = int((cluster < n_dialogues).sum())
        part = wrong[:n_rows], np.ones(n_rows)
        rows = outcomes(*part, cluster=cluster[:n_rows])
        later = demur.recheck(kept, rows, anytime=True, max_cluster=40)
        if later.verdict == "holds":
            return True
    return False


def labels_until_decided(rng: Rng, true: str) -> bool:
    """Labels drawn more often where errors are; a look at every twentieth of 240."""
    n_items, labels, cutoff = 3000, 240, 0.3
    confidence = rng.random(n_items)
    answered, rate = confidence >= cutoff, 0.25 * (1 - confidence)
    wrong = 1.0 * (answered & (rng.random(n_items) < rate))
    chance = np.where(answered, 0.2 + np.sqrt(rate * (1 - rate)), 0.0)
    cost = np.ones(n_items, int)
    draw = priority_draw(chance, cost, rng.random(n_items), labels)
    order = np.argsort(np.where(draw.drawn, rng.random(n_items), 2.0))
    weight = 1 / np.where(draw.drawn, draw.chance, 1.0)[order]
    target = 0.25 * (1 - cutoff) / 2  # the truth: both verdicts are false
    for seen in range(20, labels + 1, 20):
        found = bounds_by_labels(
            Labels(
                answered[order],
                np.arange(n_items) < seen,
                *(wrong[order], wrong[order]),
                weight,
                float(weight[:labels].max()),
            ),
            of="answered",
            certainty=0.95,
            anytime=True,
        )
        if found.upper <= target if true == "holds" else found.lower > target:
            return True
    return False


# -- errors corrected by labels -----------------------------------------------------


def with_labels(wrong: Array, judged: Array, labelled: Array, **more: Any) -> Any:
    """What a judge says of all, and people of some."""
    gold = np.where(wrong > 0, "wrong", "right").astype(object)
    gold[~labelled] = None
    groups = {"gold": gold}
    return demur.Outcomes.from_arrays(correct=1.0 - judged, groups=groups, **more)


def blind_judge(rng: Rng) -> bool:
    """A judge who sees half of the errors; 10 of 100 dialogues are labelled."""
    cluster = np.repeat(np.arange(100), 10)
    wrong = shared_rates(rng, cluster, 0.1, 0.2)
    judged = wrong * (rng.random(len(wrong)) < 0.5)
    labelled = np.isin(cluster, rng.choice(100, 10, replace=False))
    data = with_labels(wrong, judged, labelled, cluster=cluster)
    rate = demur.corrected_error(data, "gold").corrected
    return not rate.low <= 0.1 <= rate.high


def picked_labels(rng: Rng) -> bool:
    """Answers the judge calls wrong are labelled four times as often; weights known."""
    wrong = 1.0 * (rng.random(2000) < 0.08)
    judged = np.where(rng.random(2000) < 0.1, 1 - wrong, wrong)
    chance = np.where(judged > 0, 0.12, 0.03)
    labelled = rng.random(2000) < chance
    data = with_labels(wrong, judged, labelled, label_weight=1 / chance)
    rate = demur.corrected_error(data, "gold").corrected
    return not rate.low <= 0.08 <= rate.high


def judge_of_one_side(rng: Rng) -> bool:
    """Equal systems; the judge errs where they differ only, and always against B."""
    apart = rng.random((2, 2000)) < 0.04
    common = rng.random(2000) < 0.08
    first, second = common | apart[0], common | apart[1]
    harsher = (first & ~second) & (rng.random(2000) < 0.3)
    labelled = np.arange(2000) < 60
    pair = [
        with_labels(1.0 * loss, 1.0 * judged, labelled, item=np.arange(2000))
        for loss, judged in ((first, first), (second, second | harsher))
    ]
    named = [replace_system(data, name) for data, name in zip(pair, "ab", strict=True)]
    own = demur.compare(*named, gold="gold").own
    (difference,) = (one for one in own if one.quantity == "own error")
    return bool(difference.p_value <= 0.05)


def replace_system(data: demur.Outcomes, name: str) -> demur.Outcomes:
    """The same outcomes under a name."""
    from dataclasses import replace

    return replace(data, system=np.array([name] * len(data)))


# -- what a stated confidence is worth ----------------------------------------------


def sure_clusters(rng: Rng) -> bool:
    """Calibrated confidences of .97 to 1, clusters of five that share their luck."""
    stated = np.repeat(1 - 0.03 * rng.random(40) ** 2, 5)
    luck = np.where(
        rng.random(200) < 0.5, rng.random(200), np.repeat(rng.random(40), 5)
    )
    data = outcomes(1.0 * (luck > stated), stated, cluster=np.arange(200) // 5)
    return demur.calibration_of(data, replicates=199).brier.p_calibrated <= 0.05


def discrimination_of_levels(rng: Rng) -> bool:
    """Three stated levels, 60 answers, right a little more often when surer."""
    rates = np.array([0.8, 0.88, 0.96])
    level = rng.choice(3, 60, p=[0.2, 0.3, 0.5])
    wrong = 1.0 * (rng.random(60) >= rates[level])
    mean = float(np.array([0.2, 0.3, 0.5]) @ rates)
    truth = float(np.array([0.2, 0.3, 0.5]) @ (rates - mean) ** 2)
    data = outcomes(wrong, np.array([0.7, 0.9, 0.99])[level])
    low, high = demur.calibration_of(data, replicates=199).brier.intervals[
        "discrimination"
    ]
    return not low <= truth <= high


# -- areas and errors of one system -------------------------------------------------


def area_of_few_levels(rng: Rng) -> bool:
    """Sixty items, half of them without a guess, three levels, some four errors."""
    rates = np.array([0.3, 0.1, 0.03])
    level = rng.choice(3, 60, p=[0.2, 0.3, 0.5])
    wrong = np.where(rng.random(60) < rates[level], 1.0, 0.0)
    wrong[rng.random(60) < 0.5] = np.nan
    found = demur.interval(outcomes(wrong, 1.0 * level), "area")
    shares = 0.5 * np.array([0.2, 0.3, 0.5])
    above = np.array([*np.cumsum((shares * rates)[::-1])[::-1], 0.0])
    truth = float((shares * (above[1:] + above[:-1]) / 2).sum())
    return not found.low <= truth <= found.high


def error_of_few_left(rng: Rng) -> bool:
    """At a nonreturn of .9 three of 30 answers are left, in 12 clusters."""
    cluster = np.arange(30) * 12 // 30
    sure = rng.random(12)[cluster] * 0.7 + rng.random(30) * 0.3
    chance = 0.35
    wrong = 1.0 * (rng.random(30) < chance)
    found = demur.interval(outcomes(wrong, sure, cluster=cluster), "error", at=0.9)
    return not found.low <= 0.1 * chance <= found.high


def huge_cluster(rng: Rng) -> bool:
    """Two equal systems; one of 25 clusters has two fifths of the items, weighted."""
    cluster = np.concatenate([np.zeros(80, int), 1 + np.arange(120) // 5])
    weight = rng.choice([1.0, 2.0, 4.0], len(cluster))
    first, second = (shared_rates(rng, cluster, 0.2, 0.15) for _ in range(2))
    a, b = (
        outcomes(loss, rng.random(len(cluster)), cluster=cluster, weight=weight)
        for loss in (first, second)
    )
    return bool(demur.compare(a, b, at=0.3).difference.p_value <= 0.05)


# -- plans, several systems, drift --------------------------------------------------


def plan_shows(rng: Rng) -> bool | None:
    """Whether a comparison of the planned size shows the difference at .3."""

    def pair(n_items: int, more: float) -> list[demur.Outcomes]:
        rank = rng.random((2, n_items))
        chances = 0.04, 0.04 + more / 0.7
        return [
            outcomes(1.0 * (rng.random(n_items) < chance), place)
            for chance, place in zip(chances, rank, strict=True)
        ]

    plan = demur.comparison_plan(*pair(200, 0.0), difference=0.05, at=0.3)
    p_value = demur.compare(*pair(plan.items, 0.05), at=0.3).difference.p_value
    return bool(p_value is not None and p_value <= 0.05)


def best_of_ten(rng: Rng) -> bool | None:
    """Of ten systems, each certified at 99.5 %, the one that answers most is run."""
    rank = rng.random((10, 200))
    wrong = rng.random((10, 200)) < 0.4 * (1 - rank)
    best = None
    for place, loss in zip(rank, wrong, strict=True):
        choice = demur.choose(
            outcomes(1.0 * loss, place), max_error=0.1, certainty=0.995
        )
        if choice.cutoff is not None and (best is None or choice.nonreturn < best[0]):
            best = choice.nonreturn, choice.cutoff
    if best is None:
        return None
    return 0.2 * (1 - best[1]) ** 2 > 0.1


def mix_without_drift(rng: Rng) -> bool:
    """Twelve clusters of geometric sizes before, fifteen later, alike by .3."""
    old, new = (drawn_mix(rng, n_clusters) for n_clusters in (12, 15))
    kept = demur.lock(old, demur.choose(old, nonreturn=0.3))
    drift = demur.recheck(kept, new).drift
    return bool(drift.mix_p is not None and drift.mix_p <= 0.05)


def drawn_mix(rng: Rng, n_clusters: int) -> demur.Outcomes:
    """Confidences that are alike within clusters."""
    cluster = sizes_in_clusters(rng, n_clusters, 15)
    centre = rng.standard_normal(n_clusters)[cluster] * np.sqrt(0.3)
    sure = centre + rng.standard_normal(len(cluster)) * np.sqrt(0.7)
    return outcomes(1.0 * (rng.random(len(cluster)) < 0.1), sure, cluster=cluster)


PROMISES = (
    Promise("not worse by .06 at .3: silence, weights", "2.5 %", margin_with_silence),
    Promise("not worse by .08: 15 clusters, errors nested", "2.5 %", margin_one_way),
    Promise("holds at any time: long ones err more", "5 %", long_dialogues),
    *(
        Promise(
            f"{verdict} at any time: labels drawn unequally",
            "5 %",
            partial(labels_until_decided, true=verdict),
        )
        for verdict in ("holds", "broken")
    ),
    Promise("corrected: a judge blind to half, 10 dialogues", "5 %", blind_judge),
    Promise("corrected: labels by the judge's verdict", "5 %", picked_labels),
    Promise("compare(gold): the judge errs against B only", "5 %", judge_of_one_side),
    Promise("p_calibrated: .97 to 1, clusters of five", "5 %", sure_clusters),
    Promise("discrimination: 3 levels, 60 answers", "5 %", discrimination_of_levels),
    Promise("area: 3 levels, half silent, 4 errors", "5 %", area_of_few_levels),
    Promise("error at .9: 3 of 30 left, 12 clusters", "5 %", error_of_few_left),
    Promise("difference at .3: a cluster of 40 %, weights", "5 %", huge_cluster),
    Promise("certified: the best of ten, each at 99.5 %", "5 %", best_of_ten),
    Promise("drift of the mix: 12 and 15 clusters", "5 %", mix_without_drift),
    Promise("planned comparison at .3 shows .05", "power 80 %", plan_shows),
)


def main() -> None:
    """Print how often each promise is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="lines whose name holds this")
    arguments = parser.parse_args()
    print(machine())
    rows = [("promise", "promised", "seen", "±", "runs that promise")]
    for promise in PROMISES:
        if arguments.only not in promise.name:
            continue
        rng = np.random.default_rng(arguments.seed)
        seen = [promise.broken(rng) for _ in range(arguments.runs)]
        made = [broken for broken in seen if broken is not None]
        share = float(np.mean(made)) if made else float("nan")
        error = (share * (1 - share) / max(len(made), 1)) ** 0.5
        rows.append(
            (
                promise.name,
                promise.promised,
                f"{share:.3f}",
                f"{error:.3f}",
                f"{len(made)}",
            )
        )
    show(f"{arguments.runs} runs, seed {arguments.seed}", rows)


if __name__ == "__main__":
    main()
