"""Long answers about invented towns, claim by claim, drawn from a known law.

An answer holds 2 to 6 claims about a town, each number equally often; one answer in
twenty declines. ``d`` says how little is known of a town and is drawn once for all
claims about it, ``z`` belongs to a claim alone; both are normal, of mean 0 and variance
1. With ``s(x) = 1 / (1 + exp(-x))``,

- a claim is not supported with the chance ``s(-5 + 2 (d + z))``: two times of three
  the text about the town says otherwise, one time it says nothing about it,
- its confidence is ``s(2 - 0.9 (d + z))``, to three digits.

So claims about one town go wrong together. Since the law is known, so is the share of
all answers, also those never seen, that hold an unsupported claim at a cutoff::

    python examples/long_answers.py answers        # writes the files
    python examples/long_answers.py --law 0.8

`stand_in` is a judge that needs no model: it reads its prompts as a model would, and
finds a claim supported if its sentence stands in the text, contradicted if the text
says something else of the same fact, and not found otherwise. With it::

    python examples/long_answers.py answers --judge    # writes judged.jsonl, too
"""

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import demur

LONGEST: Final = 6
DIGITS: Final = 3
DECLINES: Final = 0.05

FACTS: Final = {
    "river": ("lies on the river {}", ("Alder", "Brent", "Corve", "Dunlin", "Esk")),
    "founded": ("was founded in {}", ("1121", "1204", "1347", "1566", "1702")),
    "people": ("has {} inhabitants", ("4,000", "9,500", "17,000", "31,000", "62,000")),
    "mayor": ("is governed by Mayor {}", ("Abbot", "Birch", "Cole", "Drew", "Finch")),
    "known": ("is known for its {}", ("bells", "cheese", "clocks", "glass", "pears")),
    "patron": ("honours Saint {}", ("Agnes", "Bede", "Clare", "Denis", "Giles")),
}
"""How each fact is said, and what it may be."""

UNTOLD: Final = (
    "has a harbour",
    "once had a mint",
    "keeps a herd of white deer",
    "has no railway",
    "is twinned with a town abroad",
    "burnt down twice",
)
"""What no text about a town says."""


def main() -> None:
    """Write the files, or say what the law gives at a cutoff."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where the files go")
    parser.add_argument("--law", type=float, metavar="CUTOFF", help="what is true")
    parser.add_argument("--judge", action="store_true", help="judge them by a stand-in")
    options = parser.parse_args()
    if options.folder:
        options.folder.mkdir(exist_ok=True, parents=True)
        rows = list(towns(1200, seed=4))
        write(options.folder / "texts.jsonl", (text for text, _ in rows))
        write(
            options.folder / "claims.jsonl", (c for _, claims in rows for c in claims)
        )
        write(options.folder / "answers.jsonl", map(one_answer, rows))
        if options.judge:
            judge(options.folder)
    if options.law is not None:
        error, withheld = law(options.law)
        print(
            f"{error:.4f} of all answers hold an unsupported claim, "
            f"{withheld:.4f} of all claims are withheld"
        )


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """A line of JSON for each row."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def towns(n_towns: int, seed: int) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """For each town the text about it, and the claims of an answer about it."""
    random = np.random.default_rng(seed)
    for number in range(n_towns):
        item = f"town{number + 1:04d}"
        name = town_name(number)
        facts = {fact: int(random.integers(5)) for fact in FACTS}
        said = [f"{name} {say(fact, place)}." for fact, place in facts.items()]
        text = {"item": item, "reference": " ".join(said)}
        if random.random() < DECLINES:
            none = {"item": item, "part": None, "response": None, "confidence": None}
            yield text, [none]
            continue
        size = int(random.integers(2, LONGEST + 1))
        hard = random.normal() + random.normal(size=size)
        about = random.permutation(len(FACTS))[:size]
        claims = []
        for place in range(size):
            says = claim(list(FACTS)[about[place]], facts, hard[place], random)
            confidence = round(float(sigmoid(2 - 0.9 * hard[place])), DIGITS)
            row = {"item": item, "part": str(place + 1), "response": f"{name} {says}."}
            claims.append({**row, "confidence": confidence})
        yield text, claims


def claim(
    fact: str, facts: dict[str, int], hard: float, random: np.random.Generator
) -> str:
    """What an answer says of a fact: the truth, something else, or what is untold."""
    if random.random() >= sigmoid(-5 + 2 * hard):
        return say(fact, facts[fact])
    if random.random() < 1 / 3:
        return UNTOLD[list(FACTS).index(fact)]
    return say(fact, (facts[fact] + int(random.integers(1, 5))) % 5)


def one_answer(row: tuple[dict[str, Any], list[Any]]) -> dict[str, Any]:
    """The claims about a town as one text, as sure as the least sure of them."""
    text, claims = row
    if claims[0]["response"] is None:
        return {"item": text["item"], "response": "I do not know.", "confidence": 0.0}
    return {
        "item": text["item"],
        "response": " ".join(claim["response"] for claim in claims),
        "confidence": min(claim["confidence"] for claim in claims),
    }


def judge(folder: Path) -> None:
    """Cut answers into claims, judge these by the texts, and write the outcomes."""
    outcomes = demur.judge(
        demur.read_responses(folder / "claims.jsonl"),
        demur.read_references(folder / "texts.jsonl"),
        by=demur.ClaimsJudge(stand_in, name="stand-in"),
    )
    demur.write_outcomes(outcomes, folder / "judged.jsonl")


def stand_in(prompt: str) -> str:
    """What a model that reads well would reply: claims of an answer, or a verdict."""
    shown = dict(re.findall(r"<<<(\w+) \w+>>>\n(.*?)\n<<<END", prompt, re.DOTALL))
    answer = shown["ANSWER"]
    if "TEXT" not in shown:
        return json.dumps(re.findall(r"[A-Z][^.]*\.", answer))
    sentences = re.findall(r"[A-Z][^.]*\.", shown["TEXT"])
    about = {fact_of(sentence) for sentence in sentences}
    if answer in sentences:
        verdict = "supported"
    else:
        verdict = "contradicted" if fact_of(answer) in about else "not found"
    return f"The text was read.\nAnswer: {verdict}\nConfidence: 100 %"


def fact_of(sentence: str) -> str | None:
    """Which fact a sentence is about; None if it is none that texts tell."""
    for fact, (words, _) in FACTS.items():
        before, after = words.split("{}")
        if before in sentence and sentence.rstrip(".").endswith(after):
            return fact
    return None


def say(fact: str, place: int) -> str:
    """A fact in words."""
    words, values = FACTS[fact]
    return words.format(values[place])


def town_name(number: int) -> str:
    """A name for each of 12,000 numbers."""
    first = [
        "Ash",
        "Birk",
        "Cold",
        "Dun",
        "East",
        "Fair",
        "Grey",
        "Hart",
        "Ivy",
        "Kirk",
    ]
    second = ["ing", "er", "en", "ar", "ow", "el", "is", "um", "on", "al", "et", "il"]
    third = ["by", "ford", "ham", "ley", "mere", "port", "stead", "ton", "well", "wick"]
    fourth = [
        "Little",
        "Great",
        "Old",
        "New",
        "Upper",
        "Lower",
        "North",
        "South",
        "West",
    ]
    a, rest = number % 10, number // 10
    b, rest = rest % 12, rest // 12
    c, rest = rest % 10, rest // 10
    name = first[a] + second[b] + third[c]
    return f"{fourth[rest - 1]} {name}" if rest else name


def sigmoid(x: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """``1 / (1 + exp(-x))``."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(x))))


def law(cutoff: float) -> tuple[float, float]:
    """The share of answers with an unsupported claim, and of claims withheld.

    Given ``d``, claims are independent: an answer of ``n`` of them holds one that is
    unsupported and goes out with the chance ``1 - (1 - q) ** n``. Sums over ``d`` and
    ``z`` are taken over a fine grid.
    """
    grid = np.linspace(-7, 7, 1401)
    dense = np.exp(-(grid**2) / 2)
    dense /= dense.sum()
    hard = grid[:, None] + grid[None, :]
    goes_out = np.round(sigmoid(2 - 0.9 * hard), DIGITS) >= cutoff
    wrong = (sigmoid(-5 + 2 * hard) * goes_out) @ dense
    sizes = np.arange(2, LONGEST + 1)
    holds_one = (1 - (1 - wrong[:, None]) ** sizes).mean(axis=1)
    return float((1 - DECLINES) * (dense @ holds_one)), float(dense @ ~goes_out @ dense)


if __name__ == "__main__":
    main()
