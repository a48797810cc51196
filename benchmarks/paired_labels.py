"""Two systems whose labels were drawn with unequal chances: level and coverage.

    python benchmarks/paired_labels.py [--runs 2000] [--only TEXT] [--seed 0]

A judge has judged all answers of both, people those of some items: one draw for both
systems, or one for each. A line says how often equal systems are told apart at 5 %,
how often the 95 % interval of the difference holds the truth where they are not equal,
and how wide it is.
"""

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from harness import machine, show

import demur
from demur.statistics.correcting_differences import corrected_differences

Rng = np.random.Generator
Array = np.ndarray[Any, Any]


class Answers(NamedTuple):
    """What two systems did on the same items, and what a judge says of it.

    Parameters
    ----------
    wrong, judged, sure : array, shape (2, n_items)
        The truth, the judge's verdicts, and ranks of confidence.
    cluster : array of int, shape (n_items,)
    """

    wrong: Array
    judged: Array
    sure: Array
    cluster: Array


class Case(NamedTuple):
    """How labels are drawn.

    Parameters
    ----------
    chance : callable
        Of each item to be labelled.
    items : int
    at : float or None
        The nonreturn; None is as the systems decide, which is to answer all.
    clustered : bool
        Whether ten items share half of their luck.
    apart : bool
        Whether each system has a draw of its own, with other chances.
    error : float
        Of both systems if they are equal; else a third more and less.
    """

    chance: Callable[[Answers], Array]
    items: int = 1000
    at: float | None = 0.2
    clustered: bool = False
    apart: bool = False
    error: float = 0.15


def drawn(rng: Rng, case: Case, rates: tuple[float, float]) -> Answers:
    """Systems that err less the surer they are, on average at these rates."""
    n = case.items
    cluster = np.arange(n) // 10 if case.clustered else np.arange(n)
    common = rng.random(cluster.max() + 1)[cluster]
    shared = rng.random(n) < 0.5
    luck = np.where(shared, common, rng.random((2, n)))
    sure = rng.random((2, n))
    wrong = luck < 2 * np.array(rates)[:, None] * (1 - sure)
    harsh = rng.random((2, n)) < np.where(wrong, 0.7, 0.05)
    return Answers(wrong, harsh, sure, cluster)


def alike(answers: Answers) -> Array:
    return np.full(len(answers.cluster), 0.1)


def verdicts_differ(answers: Answers) -> Array:
    first, second = answers.judged
    return np.where(first != second, 0.3, 0.05)


def called_wrong(answers: Answers) -> Array:
    return np.where(answers.judged.any(axis=0), 0.25, 0.04)


def near_cutoff(answers: Answers) -> Array:
    close = np.abs(answers.sure - 0.2).min(axis=0) < 0.08
    return np.where(close, 0.4, 0.05)


def heavy(answers: Answers) -> Array:
    return np.clip(0.02 + 0.5 * answers.sure[0] ** 4, 0.02, 1.0)


def steep(answers: Answers) -> Array:
    return np.where(answers.sure[1] > 0.7, 0.5, 0.02)


CASES = {
    "one chance for all": Case(alike),
    "where verdicts differ": Case(verdicts_differ),
    "where verdicts differ, own decisions": Case(verdicts_differ, at=None),
    "where one is called wrong": Case(called_wrong),
    "near the cutoff": Case(near_cutoff),
    "1 to 25, by confidence": Case(heavy),
    "where verdicts differ, 300 items": Case(verdicts_differ, items=300),
    "where verdicts differ, clusters": Case(verdicts_differ, clustered=True),
    "where verdicts differ, .03 wrong": Case(verdicts_differ, error=0.03),
    "1 to 25, where all are sure": Case(steep),
    "1 to 25, where all are sure, .03 wrong": Case(steep, error=0.03),
    "1 to 25, 300 items": Case(steep, items=300),
    "a draw for each system": Case(called_wrong, apart=True),
}


def tables(rng: Rng, case: Case, answers: Answers) -> dict[str, demur.Outcomes]:
    """Both systems with the labels that were drawn."""
    chances = np.tile(case.chance(answers), (2, 1))
    luck = rng.random(len(answers.cluster))
    labelled = luck < chances
    if case.apart:
        chances[1] = np.where(answers.judged[1], 0.3, 0.08)
        labelled = rng.random(chances.shape) < chances
    both = {}
    for place, name in enumerate("ab"):
        gold = np.where(answers.wrong[place], "wrong", "right").astype(object)
        gold[~labelled[place]] = None
        both[name] = demur.Outcomes.from_arrays(
            system=name,
            item=np.arange(len(answers.cluster)),
            correct=~answers.judged[place],
            confidence=answers.sure[place],
            cluster=answers.cluster if case.clustered else None,
            label_weight=np.where(labelled[place], 1 / chances[place], np.nan),
            groups={"gold": gold},
        )
    return both


def tested(rng: Rng, case: Case, rates: tuple[float, float]) -> Any:
    """The corrected difference of one pair."""
    both = tables(rng, case, drawn(rng, case, rates))
    return corrected_differences(both, [("a", "b")], "gold", at=case.at, level=0.95)


def row(case: Case, runs: int, seed: int) -> tuple[str, ...]:
    """Level, coverage and width of one case."""
    rng = np.random.default_rng(seed)
    rejected, held, widths = [], [], []
    answered = 1.0 if case.at is None else (1 - case.at) ** 2
    truth = answered * case.error * (2 - 4) / 3
    for _ in range(runs):
        _, (equal,) = tested(rng, case, (case.error, case.error))
        _, (apart,) = tested(rng, case, (case.error * 4 / 3, case.error * 2 / 3))
        rejected.append(equal.p_value <= 0.05)
        held.append(apart.low <= truth <= apart.high)
        widths.append(apart.high - apart.low)
    shares = float(np.mean(rejected)), float(np.mean(held))
    return *(f"{share:.3f}" for share in shares), f"{np.mean(widths):.3f}"


def main() -> None:
    """Print each case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="cases whose name holds this")
    arguments = parser.parse_args()
    print(machine())
    rows = [("labels are drawn", "told apart", "held", "width")]
    for name, case in CASES.items():
        if arguments.only in name:
            rows.append((name, *row(case, arguments.runs, arguments.seed)))
            print(*rows[-1], flush=True)
    show(f"{arguments.runs} runs, seed {arguments.seed}", rows)


if __name__ == "__main__":
    main()
