"""Models of n-grams and perplexity beside NLTK and KenLM, on 100,000 tokens.

    python benchmarks/ngrams.py [--tokens 100000] [--order 3] [--lmplz PATH]

Texts are drawn with words as rare as in a language (the k-th has a share of 1 / k).
Jobs take turns: a model is trained on texts in memory, and scores as many others. demur
trains modified Kneser-Ney; NLTK, which has none, trains Witten-Bell, and scores a
hundredth of the texts. KenLM is its program lmplz, and its Python module, which scores
each text by a call.
"""

import argparse
import random
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from harness import machine, seconds, show

import demur


def drawn(tokens: int, seed: int, words: int = 20_000) -> list[str]:
    """Texts of 12 words on average."""
    rng = random.Random(seed)
    names = [f"w{number}" for number in range(words)]
    shares = [1 / (number + 1) for number in range(words)]
    texts = []
    while tokens > 0:
        texts.append(rng.choices(names, shares, k=rng.randrange(4, 21)))
        tokens -= len(texts[-1])
    return [" ".join(text) for text in texts]


def nltk_jobs(train: list[str], test: list[str], order: int) -> dict[str, Any]:
    """Training and scoring by NLTK, if it is installed."""
    try:
        from nltk.lm import WittenBellInterpolated
        from nltk.lm.preprocessing import padded_everygram_pipeline
        from nltk.util import everygrams
    except ImportError:
        return {}

    def trained() -> Any:
        grams, words = padded_everygram_pipeline(
            order, [text.split() for text in train]
        )
        model = WittenBellInterpolated(order)
        model.fit(grams, words)
        return model

    model, few = trained(), test[: max(len(test) // 100, 1)]

    def scored() -> float:
        grams = (
            gram
            for text in few
            for gram in everygrams(text.split(), min_len=order, max_len=order)
        )
        return sum(model.score(gram[-1], gram[:-1]) for gram in grams)

    return {"NLTK, train": trained, "NLTK, score a hundredth": scored}


def kenlm_jobs(train: list[str], test: list[str], order: int, lmplz: str) -> Any:
    """Training and scoring by KenLM, as far as it is installed."""
    jobs: dict[str, Any] = {}
    text = "\n".join(train).encode()
    if lmplz:
        command = [lmplz, "-o", str(order), "-S", "200M"]

        def trained() -> bytes:
            return subprocess.run(
                command, input=text, capture_output=True, check=True
            ).stdout

        jobs["KenLM (lmplz), train"] = trained
    try:
        import kenlm
    except ImportError:
        return jobs
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "m.arpa"))
        demur.ngram_model(train, order=order).write_arpa(path)
        model = kenlm.Model(path)
    jobs["KenLM (module), score"] = lambda: sum(map(model.score, test))
    return jobs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tokens", type=int, default=100_000)
    parser.add_argument("--order", type=int, default=3)
    parser.add_argument("--lmplz", default="", help="the program of KenLM")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    train, test = (drawn(asked.tokens, seed) for seed in (1, 2))
    model = demur.ngram_model(train, order=asked.order)
    jobs = {
        "demur, train": lambda: demur.ngram_model(train, order=asked.order),
        "demur, score": lambda: demur.text_perplexity(test, model),
        **nltk_jobs(train, test, asked.order),
        **kenlm_jobs(train, test, asked.order, asked.lmplz),
    }
    taken = seconds(jobs, rounds=asked.rounds)
    print(machine())
    rows = [
        (name, f"{1000 * min(values):.0f}", f"{1000 * max(values):.0f}")
        for name, values in taken.items()
    ]
    show("jobs, least and most milliseconds", rows)


if __name__ == "__main__":
    main()
