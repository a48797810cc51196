"""Two systems compared by errors of wholes: level and coverage where parts depend.

    python benchmarks/whole_comparisons.py [--runs 2000] [--wholes 300] [--seed 0]

Parts of a whole share how hard it is, and both systems meet the same wholes; large
wholes are harder in one setting. A line says how often equal systems are told apart at
5 %, and how often the 95 % interval of the difference of two unequal ones holds the
truth, which a very large sample from the same law gives.
"""

import argparse
from typing import Any, NamedTuple

import numpy as np
from harness import machine

import demur

Array = np.ndarray[Any, Any]


class Setting(NamedTuple):
    """A law of wholes and of what two systems do on them."""

    at: float
    longest: int = 8
    shared: float = 2.0  # how hard a whole is, beside a part's own 1
    larger_harder: float = 0.0
    steps: int = 1000  # confidences are told apart so finely
    clusters: int = 1  # so many wholes share half of their luck
    errs: tuple[float, float] = (-4.0, -4.0)
    noise: tuple[float, float] = (0.5, 1.5)


SETTINGS = {
    "equal, nothing withheld": Setting(0.0),
    "equal, 14 % withheld": Setting(0.14),
    "equal, ties": Setting(0.14, steps=6),
    "equal, large wholes harder": Setting(0.14, larger_harder=0.4),
    "equal, clusters of five": Setting(0.14, clusters=5),
    "unequal, 14 % withheld": Setting(0.14, errs=(-4.0, -3.2), noise=(0.5, 0.5)),
    "unequal, large wholes harder": Setting(
        0.14, larger_harder=0.4, errs=(-4.0, -3.2), noise=(0.5, 0.5)
    ),
    "unequal, clusters of five": Setting(
        0.14, clusters=5, errs=(-4.0, -3.2), noise=(0.5, 0.5)
    ),
}


def drawn(setting: Setting, n: int, rng: np.random.Generator) -> list[Any]:
    """Two systems on the same wholes, each with parts of its own."""
    cluster = np.repeat(np.arange(-(-n // setting.clusters)), setting.clusters)[:n]
    share = 0.5 if setting.clusters > 1 else 0.0
    hard = np.sqrt(share) * rng.normal(size=cluster.max() + 1)[cluster]
    hard = setting.shared * (hard + np.sqrt(1 - share) * rng.normal(size=n))
    equal = setting.errs[0] == setting.errs[1]
    tables = []
    for place, name in enumerate("ab"):
        size = rng.integers(1, setting.longest + 1, n)
        whole = np.repeat(np.arange(n), size)
        part = hard[whole] + rng.normal(size=len(whole))
        part = part + setting.larger_harder * (size[whole] - size.mean())
        wrong = rng.random(len(whole)) < 1 / (1 + np.exp(-setting.errs[place] - part))
        noise = setting.noise[0 if equal else place] * rng.normal(size=len(whole))
        sure = np.ceil(setting.steps / (1 + np.exp(part + noise))) / setting.steps
        columns = {} if setting.clusters == 1 else {"cluster": cluster[whole]}
        tables.append(
            demur.Outcomes.from_arrays(
                item=whole,
                part=np.arange(len(whole)),
                correct=~wrong,
                confidence=sure,
                system=name,
                **columns,
            )
        )
    return tables


def truth(setting: Setting, seed: int) -> float:
    """The difference of the errors of wholes in a very large sample."""
    rng = np.random.default_rng(seed)
    errors: list[list[float]] = [[], []]
    for _ in range(10):
        for place, table in enumerate(drawn(setting, 40_000, rng)):
            point = demur.whole_curve(table).at(nonreturn=setting.at)
            errors[place].append(float(point.whole_error or 0.0))
    return float(np.mean(errors[1]) - np.mean(errors[0]))


def main() -> None:
    """A line for each setting."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--wholes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(machine())
    for name, setting in SETTINGS.items():
        equal = setting.errs[0] == setting.errs[1]
        wanted = 0.0 if equal else truth(setting, options.seed + 1)
        rng = np.random.default_rng(options.seed)
        told, held, width = 0, 0, 0.0
        for _ in range(options.runs):
            a, b = drawn(setting, options.wholes, rng)
            found = demur.compare(a, b, at=setting.at, of="wholes").difference
            told += found.p_value <= 0.05
            held += found.low <= wanted <= found.high
            width += (found.high - found.low) / options.runs
        print(
            f"{name}: told apart {told / options.runs:.3f}, interval holds "
            f"{held / options.runs:.3f} of {wanted:+.4f}, width {width:.4f}"
        )


if __name__ == "__main__":
    main()
