"""What each confidence of chats is worth on a real model, and whether it is read right.

``python benchmarks/chat_confidences.py URL`` asks an endpoint of chat completions with
log-probabilities, such as a small model served on this machine, for sixty capitals:
with four choices, or in free words. For each method it prints how many answers were
right, how many confidences are missing, the area under the curve beside that of no
information, and how far a number is at most from the nearest one that plain code reads
off a raw reply with the same text.
"""

import json
import math
import random
import sqlite3
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import demur

CAPITALS = {
    "France": "Paris",
    "Norway": "Oslo",
    "Italy": "Rome",
    "Spain": "Madrid",
    "Germany": "Berlin",
    "Japan": "Tokyo",
    "Egypt": "Cairo",
    "Greece": "Athens",
    "Austria": "Vienna",
    "Poland": "Warsaw",
    "Russia": "Moscow",
    "China": "Beijing",
    "Cuba": "Havana",
    "Peru": "Lima",
    "Kenya": "Nairobi",
    "Iran": "Tehran",
    "Iraq": "Baghdad",
    "Ireland": "Dublin",
    "Finland": "Helsinki",
    "Sweden": "Stockholm",
    "Denmark": "Copenhagen",
    "Portugal": "Lisbon",
    "Hungary": "Budapest",
    "Bulgaria": "Sofia",
    "Romania": "Bucharest",
    "Serbia": "Belgrade",
    "Croatia": "Zagreb",
    "Slovenia": "Ljubljana",
    "Slovakia": "Bratislava",
    "Ukraine": "Kyiv",
    "Belarus": "Minsk",
    "Latvia": "Riga",
    "Lithuania": "Vilnius",
    "Estonia": "Tallinn",
    "Iceland": "Reykjavik",
    "Turkey": "Ankara",
    "Canada": "Ottawa",
    "Australia": "Canberra",
    "Argentina": "Buenos Aires",
    "Chile": "Santiago",
    "Colombia": "Bogota",
    "Ecuador": "Quito",
    "Venezuela": "Caracas",
    "Thailand": "Bangkok",
    "Vietnam": "Hanoi",
    "Nepal": "Kathmandu",
    "Mongolia": "Ulaanbaatar",
    "Morocco": "Rabat",
    "Algeria": "Algiers",
    "Tunisia": "Tunis",
    "Libya": "Tripoli",
    "Sudan": "Khartoum",
    "Ghana": "Accra",
    "Nigeria": "Abuja",
    "Senegal": "Dakar",
    "Mali": "Bamako",
    "Angola": "Luanda",
    "Zambia": "Lusaka",
    "Uganda": "Kampala",
    "Rwanda": "Kigali",
}
EXAMPLES = [
    {"input": "What is the capital of Belgium?", "response": "Brussels"},
    {"input": "What is the capital of Jordan?", "response": "Amman"},
]
LETTERS = [
    {"input": f"Capital of {land}?\nA. {a}\nB. {b}\nC. {c}\nD. {d}", "response": right}
    for land, (a, b, c, d), right in (
        ("Belgium", ("Doha", "Brussels", "Dili", "Apia"), "B"),
        ("Jordan", ("Suva", "Malé", "Lomé", "Amman"), "D"),
        ("Oman", ("Muscat", "Praia", "Juba", "Bern"), "A"),
    )
]
FREE = ("mean_logprob", "sum_logprob", "token_entropy", "p_true", "agreement")
FREE += ("semantic_entropy", "verbalised")


def questions(*, choices: bool) -> tuple[list[demur.Input], list[demur.Reference]]:
    """The questions and what is right, in an order that is drawn once."""
    draw = random.Random(1)
    inputs, references = [], []
    for land, city in CAPITALS.items():
        text, right = f"What is the capital of {land}?", city
        if choices:
            others = draw.sample([one for one in CAPITALS.values() if one != city], 3)
            offered = draw.sample([city, *others], 4)
            right = "ABCD"[offered.index(city)]
            listed = (f"{a}. {b}" for a, b in zip("ABCD", offered, strict=True))
            text = "\n".join([f"Capital of {land}?", *listed])
        inputs.append(demur.Input(land, text))
        references.append(demur.Reference(item=land, alternatives=((right, 1.0),)))
    return inputs, references


def read_again(method: str, reply: dict[str, Any], letter: str = "A") -> float | None:
    """The number by plain code; None of methods that need several replies."""
    places = reply["choices"][0]["logprobs"]["content"]
    texts = [place["token"] for place in places]
    whole = "".join(texts)
    begin = whole.rindex("Answer:") + len("Answer:") if "Answer:" in whole else 0
    said = whole[begin:].split("\n")[0].strip()
    begin = whole.index(said, begin)
    starts = [len("".join(texts[:place])) for place in range(len(texts))]
    inside = [
        place
        for place, start, text in zip(places, starts, texts, strict=True)
        if start < begin + len(said) and start + len(text) > begin
    ]
    logs = [place["logprob"] for place in inside]
    if method == "sum_logprob":
        return sum(logs)
    if method == "mean_logprob":
        return sum(logs) / len(logs)
    told = [
        {one["token"]: math.exp(one["logprob"]) for one in place["top_logprobs"]}
        for place in inside
    ]
    if method == "token_entropy":
        return -sum(map(bits, told)) / len(told)
    return share_of(letter, "AB" if method == "p_true" else "ABCD", told)


def bits(shares: dict[str, float]) -> float:
    """The entropy of a place, what is left as one token."""
    rest = max(0.0, 1 - sum(shares.values()))
    return sum(-x * math.log2(x) for x in (*shares.values(), rest) if x > 0)


def share_of(letter: str, letters: str, told: list[dict[str, float]]) -> float | None:
    """The share of a letter among letters in the first place that has one."""
    for shares in told:
        by_letter = dict.fromkeys(letters, 0.0)
        for text, share in shares.items():
            if text.strip(" (*).:") in by_letter:
                by_letter[text.strip(" (*).:")] += share
        if sum(by_letter.values()):
            return by_letter[letter] / sum(by_letter.values())
    return None


def farthest(method: str, responses: Iterable[demur.Response], cache: Path) -> str:
    """How far a number is at most from what the raw replies hold."""
    with sqlite3.connect(cache) as file:
        rows = file.execute("select answer from answers").fetchall()
    raw = [json.loads(row[0])["answer"] for row in rows]
    worst = 0.0
    for one in responses:
        if one.confidence is None:
            continue
        text = one.extra["check_reply" if method == "p_true" else "reply"]
        letter = "A" if method == "p_true" else str(one.response)
        same = (x for x in raw if x["choices"][0]["message"]["content"] == text)
        numbers = [read_again(method, reply, letter) for reply in same]
        worst = max(
            worst, min(abs(one.confidence - x) for x in numbers if x is not None)
        )
    return f"{worst:.0e}"


def row(url: str, method: str, cache: Path) -> str:
    """A row of the table: the method on all questions."""
    choices = method == "first_token"
    inputs, references = questions(choices=choices)
    shots = LETTERS if choices else EXAMPLES
    if method == "verbalised":
        shots = [{**one, "confidence": 0.9} for one in shots]
    sampled = method in ("agreement", "semantic_entropy")
    system = demur.ChatSystem(
        "small",
        url,
        confidence=method,
        examples=shots,
        may_decline=False,
        parameters={
            "temperature": 1 if sampled else 0,
            "max_tokens": 24,
            "stop": ["<|im_end|>"],  # of a model without a form of its own for chats
        },
        cache=cache,
    )
    system.check(inputs)
    responses = demur.run(system, inputs)
    unsure = sum(one.confidence is None for one in responses if one.response)
    outcomes = demur.judge(responses, references, by="text", unsure="lowest")
    right, wrong = (sum(outcomes.outcome == name) for name in ("right", "wrong"))
    cells = [
        f"`{method}`",
        right,
        len(inputs),
        unsure,
        "",
        f"{wrong / len(inputs) / 2:.3f}",
    ]
    if unsure < right + wrong:
        cells[4] = f"{demur.error_return(outcomes).area().observed:.3f}"
    cells.append("" if method in FREE[4:] else farthest(method, responses, cache))
    return f"| {' | '.join(map(str, cells))} |"


def main(url: str) -> None:
    """Print the table."""
    head = "| confidence | right | questions | without | area | of no information "
    print(f"{head}| off by |\n|---|---|---|---|---|---|---|")
    for method in (*FREE, "first_token"):
        with tempfile.TemporaryDirectory() as folder:
            print(row(url, method, Path(folder, "answers.cache")), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
