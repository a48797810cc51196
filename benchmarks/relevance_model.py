"""Speed of the relevance model on CLINC150, and its memory on 100,000 pairs.

Run::

    DEMUR_DATA=FOLDER python benchmarks/relevance_model.py

Each part runs in a process of its own; the memory is what the process takes beyond its
size before the model is made.
"""

import gzip
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from harness import machine

import demur

N_PAIRS, N_QUERIES, N_WORDS = 100_000, 10_000, 30_000


def clinc() -> None:
    """Learning, many questions, and one alone."""
    path = Path(os.environ["DEMUR_DATA"]) / "clinc150" / "clinc150.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).splitlines()
    records = [json.loads(line) for line in lines]
    known = [r for r in records if r["split"] == "train" and r["intent"] != "oos"]
    asked = [r["text"] for r in records if r["split"] == "test"]
    texts, intents = [r["text"] for r in known], [r["intent"] for r in known]
    for _ in range(5):
        start = time.perf_counter()
        model = demur.RelevanceModel().fit(texts, intents)
        learned = time.perf_counter() - start
        start = time.perf_counter()
        model.predict(asked)
        many = len(asked) / (time.perf_counter() - start)
        start = time.perf_counter()
        for text in asked[:500]:
            model.predict([text])
        one = (time.perf_counter() - start) / 500
        print(f"learned in {learned:.3f} s, {many:,.0f} a second, {1000 * one:.2f} ms")


def large(n_answers: int) -> None:
    """100,000 pairs and 10,000 questions, words as rare as in a language."""
    rng = np.random.default_rng(0)
    words = np.array([f"w{k}" for k in range(N_WORDS)])

    def texts(n: int) -> list[str]:
        sizes = rng.integers(4, 13, n)
        drawn = np.minimum(3 * rng.pareto(0.9, sizes.sum()), N_WORDS - 1).astype(int)
        parts = np.split(words[drawn], np.cumsum(sizes)[:-1])
        return [" ".join(part) for part in parts]

    known, asked = texts(N_PAIRS), texts(N_QUERIES)
    labels = [f"a{k % n_answers}" for k in range(N_PAIRS)]
    names = (f"a{k}" for k in range(n_answers))
    answers = dict(zip(names, texts(n_answers), strict=True))
    before = _peak()
    start = time.perf_counter()
    model = demur.RelevanceModel(answers=answers).fit(known, labels)
    learned = time.perf_counter() - start
    start = time.perf_counter()
    model.predict(asked)
    took = time.perf_counter() - start
    print(
        f"{n_answers:,} answers: learned in {learned:.1f} s, {N_QUERIES:,} questions "
        f"in {took:.0f} s, {_peak() - before:.0f} MB"
    )


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Each part in a process of its own."""
    print(machine())
    for part in ("clinc()", "large(1_000)", "large(100_000)"):
        code = f"import relevance_model; relevance_model.{part}"
        folder = Path(__file__).parent
        subprocess.run([sys.executable, "-c", code], check=True, cwd=folder)


if __name__ == "__main__":
    main()
