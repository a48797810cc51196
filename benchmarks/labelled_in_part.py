"""Whether bounds and intervals hold where a part of the answers is labelled.

    python benchmarks/labelled_in_part.py [--draws 2000] [--only TEXT] [--seed 0]

In each draw 10,000 items of traffic come anew, and about 300 of those answered are
labelled, each with a chance that depends on its confidence alone. The columns say in
how many draws the true error is above the upper bound, or below the lower one, that
`recheck` takes a verdict from (5 % each at most), among answered items and of all; and
how many of the 95 % intervals of `corrected_error` hold it, at a cutoff and over all.
"""

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from harness import machine, show

from demur.decisions.labelled_rates import Labels, bounds_by_labels
from demur.statistics.noisy_verdicts import Verdicts, prediction_powered

Rng = np.random.Generator
Array = np.ndarray[Any, Any]

ITEMS, CUTOFF, LABELS = 10_000, 0.3, 300


class Scenario(NamedTuple):
    """How often guesses err on the whole, how labels are drawn, and what clusters."""

    name: str
    error: float
    chance: Callable[[Array], Array]
    size: int = 1


def equal(confidence: Array) -> Array:
    return np.ones(len(confidence))


def by_error(confidence: Array) -> Array:
    """As the deviation of a verdict: the best draw, if errors were known."""
    rate = 0.2 * (1 - confidence)
    return 0.2 * 0.35 + 0.8 * np.sqrt(rate * (1 - rate))


def unsure(confidence: Array) -> Array:
    """Twenty times as often below .5."""
    return np.where(confidence < 0.5, 1.0, 0.05)


def sure(confidence: Array) -> Array:
    """Ten times as often above .8, where few err."""
    return np.where(confidence > 0.8, 1.0, 0.1)


SCENARIOS = (
    Scenario("equal chances, error .10", 0.1, equal),
    Scenario("equal chances, error .02", 0.02, equal),
    Scenario("equal chances, dialogues of 10", 0.1, equal, 10),
    Scenario("by deviation, error .10", 0.1, by_error),
    Scenario("by deviation, error .02", 0.02, by_error),
    Scenario("by deviation, dialogues of 10", 0.1, by_error, 10),
    Scenario("20 times below .5, error .10", 0.1, unsure),
    Scenario("20 times below .5, dialogues of 10", 0.1, unsure, 10),
    Scenario("10 times above .8, error .10", 0.1, sure),
    Scenario("10 times above .8, dialogues of 50", 0.1, sure, 50),
)


def one_draw(rng: Rng, scenario: Scenario) -> list[bool]:
    """Which bounds are broken, and which intervals hold the truth."""
    confidence = rng.random(ITEMS)
    cluster = np.repeat(np.arange(ITEMS // scenario.size), scenario.size)
    luck = np.ones(ITEMS)
    if scenario.size > 1:  # half of the dialogues err twice as often, the others never
        luck = 2.0 * (rng.random(ITEMS // scenario.size) < 0.5)[cluster]
    wrong = rng.random(ITEMS) < 2 * scenario.error * (1 - confidence) * luck
    answered, loss = confidence >= CUTOFF, wrong.astype(float)
    of_answered = scenario.error * (1 - CUTOFF)
    truths = {"answered": of_answered, "all": of_answered * (1 - CUTOFF)}
    chance = scenario.chance(confidence) * answered
    chance = np.minimum(chance * LABELS / chance.sum(), 1.0)
    labelled = rng.random(ITEMS) < chance
    weight = 1 / np.where(chance > 0, chance, 1.0)
    uneven = scenario.chance is not equal
    heaviest = float(weight[labelled].max()) if uneven else None
    labels = Labels(
        answered, labelled, loss, loss, weight if uneven else None, heaviest
    )
    units = cluster if scenario.size > 1 else None
    seen = []
    for of, truth in truths.items():
        bounds = bounds_by_labels(labels, of=of, cluster=units, certainty=0.95)
        seen += [bounds.upper < truth, bounds.lower > truth]
    verdicts = Verdicts(
        judge=np.zeros(ITEMS),
        people=loss,
        labelled=labelled,
        answered=answered.astype(float),
        cluster=cluster,
        weight=weight if uneven else None,
        alone=True,
    )
    rate, _ = prediction_powered(verdicts, 0.95)
    return [*seen, rate.low <= truths["all"] <= rate.high]


def main() -> None:
    """Print how often each promise is kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="lines whose name holds this")
    arguments = parser.parse_args()
    print(machine())
    sides = ("above", "below")
    columns = [f"of {of}: {side}" for of in ("answered", "all") for side in sides]
    rows = [("labels", *columns, "interval holds")]
    for scenario in SCENARIOS:
        if arguments.only not in scenario.name:
            continue
        rng = np.random.default_rng(arguments.seed)
        seen = [one_draw(rng, scenario) for _ in range(arguments.draws)]
        shares = np.mean(seen, axis=0)
        rows.append((scenario.name, *(f"{share:.3f}" for share in shares)))
    show(f"{arguments.draws} draws, seed {arguments.seed}", rows)


if __name__ == "__main__":
    main()
