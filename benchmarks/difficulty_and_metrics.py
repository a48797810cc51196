"""Speed and memory of difficulty and of the classic measures, beside other packages.

Run::

    pip install jiwer seqeval
    python benchmarks/difficulty_and_metrics.py
"""

import random
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import machine

import demur

N_PAIRS = 100_000


def timed(name: str, job: Callable[[], Any], times: int = 3) -> float:
    """The least time of a job, printed."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        job()
        took.append(time.perf_counter() - start)
    print(f"{name}: {min(took):.2f} s")
    return min(took)


def peak(name: str, job: Callable[[], Any]) -> None:
    """The most memory that a job takes beyond its input, printed."""
    tracemalloc.start()
    job()
    most = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(f"{name}: {most:.0f} MB")


def difficulty(n_tokens: int) -> None:
    """Words by Zipf's law, ten senses, documents of 300 words."""
    rng = np.random.default_rng(0)
    words = np.array([f"w{k}" for k in range(20_000)], object)
    senses = np.array([f"s{k}" for k in range(10)], object)
    tokens = {
        "word": words[rng.zipf(1.3, n_tokens) % 20_000],
        "sense": senses[rng.geometric(0.6, n_tokens) % 9],
        "doc": np.arange(n_tokens) // 300,
    }

    def job() -> Any:
        return demur.difficulty(tokens, markable="word", value="sense", cluster="doc")

    timed(f"difficulty of {n_tokens:,} tokens", job, 1 if n_tokens > 1e6 else 3)
    peak(f"difficulty of {n_tokens:,} tokens", job)


def words() -> None:
    """Pairs of 12 words on average, 15 % errors, as long as utterances are."""
    draw = random.Random(0)
    known = [f"w{k}" for k in range(5_000)]
    refs, hyps = [], []
    for _ in range(N_PAIRS):
        ref = [draw.choice(known) for _ in range(draw.randint(8, 15))]
        hyp = []
        for word in ref:
            chance = draw.random()
            if chance < 0.05:
                continue
            hyp.append(draw.choice(known) if chance < 0.1 else word)
            if chance > 0.95:
                hyp.append(draw.choice(known))
        refs.append(" ".join(ref))
        hyps.append(" ".join(hyp))

    def ours() -> Any:
        found = demur.word_errors(hypotheses=hyps, references=refs)
        return found, [found.alignment(row) for row in range(0, N_PAIRS, 10_000)]

    first = timed(f"words, {N_PAIRS:,} pairs", ours)
    peak(f"words, {N_PAIRS:,} pairs", ours)
    try:
        import jiwer
    except ImportError:
        return
    other = timed("jiwer.process_words", lambda: jiwer.process_words(refs, hyps), 1)
    print(f"words: {other / first:.0f} x")


def spans() -> None:
    """Sentences of 12 tags of 30 types, a tenth of the tags lost."""
    draw = random.Random(0)
    types = [f"t{k}" for k in range(30)]
    refs, hyps = [], []
    for _ in range(N_PAIRS):
        tags: list[str] = []
        while len(tags) < 12:
            if draw.random() < 0.3:
                kind = draw.choice(types)
                tags += [f"B-{kind}"] + [f"I-{kind}"] * draw.randint(0, 2)
            else:
                tags.append("O")
        refs.append(tags[:12])
        hyps.append([tag if draw.random() < 0.9 else "O" for tag in tags[:12]])
    first = timed(
        f"spans, {N_PAIRS:,}",
        lambda: demur.span_scores(hypotheses=hyps, references=refs),
    )
    try:
        from seqeval.metrics import classification_report
    except ImportError:
        return
    other = timed(
        "seqeval.classification_report", lambda: classification_report(refs, hyps), 1
    )
    print(f"spans: {other / first:.0f} x")


def dialogues() -> None:
    """A hundred thousand turns of ten, twelve slots."""
    draw = random.Random(0)
    slots = [f"s{k}" for k in range(12)]
    names = ("ref", "hyp", "ref_act", "hyp_act", "dialogue")
    table: dict[str, list[Any]] = {name: [] for name in names}
    for dialogue in range(N_PAIRS // 10):
        ref: dict[str, str] = {}
        hyp: dict[str, str] = {}
        for _ in range(10):
            act = {draw.choice(slots): str(draw.randint(0, 5)) for _ in range(2)}
            said = act if draw.random() < 0.8 else {draw.choice(slots): "9"}
            ref, hyp = ref | act, hyp | said
            for name, value in zip(names, (ref, hyp, act, said, dialogue), strict=True):
                table[name].append(value)

    def job() -> Any:
        found = demur.discourse_measures(table)
        rows = {name: np.nan_to_num(own) for name, own in found.by_dialogue.items()}
        errors = rows["5 slot error rate"]
        took = errors + np.arange(len(errors)) % 7
        return demur.paradise({**rows, "time": took}, "time", list(rows), method="aic")

    timed(f"13 measures and paradise, {N_PAIRS:,} turns", job)


def main() -> None:
    """Measure, and print lines."""
    print(machine())
    for n_tokens in (100_000, 10_000_000):
        difficulty(n_tokens)
    words()
    spans()
    dialogues()


if __name__ == "__main__":
    main()
