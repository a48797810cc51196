"""Labels and spans beside scikit-learn and seqeval, one call of each in turn.

Run::

    pip install seqeval
    python benchmarks/labels_and_spans.py

A line says the median processor time of both, and the median of the rounds' ratios.
"""

import random
import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
from seqeval.metrics import f1_score
from sklearn.metrics import precision_recall_fscore_support

import demur

MANY, ROUNDS, WORDS = 100_000, 7, 12


def labels(kinds: int) -> tuple[list[str], list[str]]:
    """True labels and given ones, a fifth of them drawn by chance."""
    draw = np.random.default_rng(0)
    true, chance = draw.integers(0, kinds, (2, MANY))
    given = np.where(draw.random(MANY) < 0.8, true, chance)
    return [f"l{code}" for code in true], [f"l{code}" for code in given]


def tags() -> tuple[list[list[str]], list[list[str]]]:
    """Tags of sentences, and the same with a tenth turned to O."""
    draw = random.Random(0)
    true, spans = [], 0
    while spans < MANY:
        sentence: list[str] = []
        while len(sentence) < WORDS:
            kind = f"t{draw.randrange(30)}"
            if begins := draw.random() < 0.3:
                sentence += [f"B-{kind}", *[f"I-{kind}"] * draw.randint(0, 2)]
            else:
                sentence.append("O")
            spans += begins
        true.append(sentence[:WORDS])
    given = [[tag if draw.random() < 0.9 else "O" for tag in each] for each in true]
    return true, given


def in_turn(name: str, ours: Callable[[], object], peer: Callable[[], object]) -> None:
    """Print what both take, after a round that does not count."""
    spent: list[tuple[float, float]] = []
    for _ in range(ROUNDS + 1):
        both = []
        for job in (ours, peer):
            begun = time.process_time()
            job()
            both.append(time.process_time() - begun)
        spent.append((both[0], both[1]))
    first, second = (statistics.median(side) for side in zip(*spent[1:], strict=True))
    ratio = statistics.median(a / b for a, b in spent[1:])
    print(f"{name}: demur {first:.3f} s, peer {second:.3f} s, ratio {ratio:.2f}")


def main() -> None:
    """Measure, and print lines."""
    warnings.simplefilter("ignore")  # of labels that are never given
    for kinds in (3, 50, 500):
        true, given = labels(kinds)
        in_turn(
            f"{MANY} labels of {kinds}",
            partial(demur.label_scores, references=true, hypotheses=given),
            partial(precision_recall_fscore_support, true, given, zero_division=0),
        )
    first, second = tags()
    in_turn(
        f"{MANY} spans",
        partial(demur.span_scores, references=first, hypotheses=second),
        partial(f1_score, first, second),
    )


if __name__ == "__main__":
    main()
