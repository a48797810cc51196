"""Pages of outcomes and of results: with all that a page can hold, and with little."""

from typing import Any

import numpy as np

import demur
from demur.pages.sections import Source

TOPICS = ["art", "sea", "sky", "<b>"]


def systems(*names: str, n: int = 24, **more: Any) -> demur.Outcomes:
    """Systems on the same items; the later ones err more often."""
    rng = np.random.default_rng(len(names))
    rows = len(names) * n
    place = np.repeat(np.arange(len(names)), n)
    sure = rng.integers(1, 12, rows) / 12
    return demur.Outcomes.from_arrays(
        item=[f"q{k}" for k in range(n)] * len(names),
        system=np.repeat(names, n),
        correct=rng.random(rows) + 0.1 * place < 0.3 + 0.6 * sure,
        confidence=sure,
        **more,
    )


def rich() -> demur.Outcomes:
    """Three systems with texts, groups and labels; one without confidences."""
    rng = np.random.default_rng(0)
    rows = 60
    outcome = rng.choice(["right", "right", "wrong", "ungraded"], rows).astype(object)
    outcome[rng.random(rows) < 0.15] = "unanswered"
    answerable = np.arange(rows) % 20 % 6 > 0
    outcome[~answerable & np.isin(outcome, ["right", "ungraded"])] = "wrong"
    guesses = outcome != "unanswered"
    sure = (rng.integers(1, 9, rows) / 8).astype(object)
    sure[~guesses] = sure[40:] = None
    people = np.where(outcome == "right", "right", "wrong").astype(object)
    people[::2] = None
    people[~guesses] = None
    return demur.Outcomes.from_arrays(
        item=[f"q{k}" for k in range(20)] * 3,
        system=np.repeat(["best & first", "second", "bare"], 20),
        outcome=outcome,
        confidence=sure,
        declined=guesses & (rng.random(rows) < 0.2),
        answerable=answerable,
        input=[f"question {k}?" for k in range(20)] * 3,
        response=[f"answer {k}" if k % 5 else {"k": [k, None]} for k in range(rows)],
        groups={"topic": [TOPICS[k % 4] for k in range(20)] * 3, "people": people},
    )


def pages() -> dict[str, demur.Report]:
    """Pages of every kind, by name."""
    files = Source(("my outcomes.jsonl",), ("--where", "topic=art"))
    typed = Source(typed="demur judge o.jsonl")
    table, (a, b) = rich(), (systems(name) for name in "ab")
    names = [f"v{k}" for k in range(10)]
    many = demur.Outcomes.from_arrays(
        item=[*range(12)] * 10,
        system=np.repeat(names, 12),
        correct=np.arange(120) % 7 > np.arange(120) % 3,
        confidence=[row / 12 if row < 12 else None for row in range(120)],
        response=[f"answer {row}" for row in range(120)],
    )
    results = [
        demur.choose(a, cost_ratio=0.5),
        demur.choose(b, cost_ratio=0.2),
        demur.calibration_of(a, replicates=5),
        demur.error_return(a),
        demur.error_return(b),
        demur.interval(a, "error", at=0.2),
    ]
    return {
        "rich": demur.report(table, by=["topic"], at=0.25, gold="people"),
        "two": demur.report(
            systems("a", "b"), against="b", title="<2>", at=0.3, source=files
        ),
        "one": demur.report([a, *results]),
        "bare": demur.report(table.select(system="bare"), source=typed),
        "many": demur.report(many, max_text=1500),
        "results": demur.report(results),
    }
