"""A signature holds every argument that changes a number (curves, statistics)."""

from typing import Any

import numpy as np
import pytest

import demur
import signature_cases
from builders import refuses
from demur import Result


def outcomes(name: str, seed: int, n: int = 120) -> demur.Outcomes:
    rng = np.random.default_rng(seed)
    confidence = rng.random(n).round(2)
    correct = rng.random(n) < 0.3 + 0.6 * confidence
    gold = np.where(rng.random(n) < 0.85, correct, ~correct)
    return demur.Outcomes.from_arrays(
        item=[f"q{row}" for row in range(n)],
        system=name,
        confidence=confidence,
        correct=correct,
        groups={
            "gold": ["right" if told else "wrong" for told in gold[: n // 2]]
            + [None] * (n - n // 2),
            "other": ["wrong" if told else "right" for told in gold[: n // 2]]
            + [None] * (n - n // 2),
            "fold": ["1", "2", "3"] * (n // 3),
            "topic": ["x", "y"] * (n // 2),
        },
    )


A, B = outcomes("a", 1), outcomes("b", 2)
FEWER = A.take(np.arange(80)), B.take(np.arange(80))
BOTH = demur.Outcomes.from_columns(
    {
        name: [*getattr(A, name).tolist(), *getattr(B, name).tolist()]
        for name in ("item", "system", "outcome", "confidence")
        if name != "outcome"
    }
    | {"outcome": [*A.column("outcome").tolist(), *B.column("outcome").tolist()]},
    groups={name: [*A.groups[name], *B.groups[name]] for name in A.groups},
)

ERROR = {"quantity": "error", "at": 0.2}
DRAWN = {**ERROR, "method": "bootstrap"}

CASES = [
    (
        demur.interval,
        {"outcomes": A, **ERROR},
        {"outcomes": [FEWER[0]], "at": [0.5], "level": [0.8], "method": ["bootstrap"]},
    ),
    (demur.interval, {"outcomes": A, **DRAWN}, {"seed": [3]}),
    (
        demur.interval,
        {"outcomes": A, "quantity": "area"},
        {"between": [(0.1, 0.5)], "quantity": []},
    ),
    (
        demur.band,
        {"outcomes": A},
        {
            "outcomes": [FEWER[0]],
            "method": ["influence", "bootstrap", "dkw"],
            "level": [0.8],
            "grid": [[0.1, 0.5]],
            "replicates": [500],
            "seed": [3],
        },
    ),
    (
        demur.difference_band,
        {"a": A, "b": B},
        {
            "a": [B.take(np.arange(120)[::-1])],
            "level": [0.8],
            "simultaneous": [False],
            "grid": [[0.1, 0.5]],
            "seed": [3],
        },
    ),
    (demur.difference_band, {"a": A, "b": B}, {"b": [A], "items": []}),
    (
        demur.corrected_error,
        {"outcomes": A, "gold": "gold"},
        {"gold": ["other"], "cutoff": [0.5], "nonreturn": [0.4], "level": [0.8]},
    ),
    (
        demur.corrected_curve,
        {"outcomes": A, "gold": "gold"},
        {"gold": ["other"], "level": [0.8]},
    ),
    (
        demur.check_pooled,
        {"outcomes": A, "permutations": 19},
        {
            "outcomes": [FEWER[0]],
            "fold": ["topic"],
            "nonreturn": [0.5],
            "permutations": [39],
            "seed": [3],
        },
    ),
    (
        demur.calibration_of,
        {"outcomes": A, "replicates": 50},
        {
            "outcomes": [FEWER[0]],
            "targets": [[0.5]],
            "level": [0.8],
            "replicates": [60],
            "seed": [3],
        },
    ),
    (
        demur.calibration_by,
        {"outcomes": BOTH, "replicates": 50},
        {
            "by": ["topic"],
            "targets": [[0.5]],
            "level": [0.8],
            "replicates": [60],
            "seed": [3],
        },
    ),
    (demur.error_return, {"outcomes": A}, {"outcomes": [FEWER[0]]}),
    (demur.curve_by, {"outcomes": BOTH}, {"by": ["topic", "fold"]}),
    (
        demur.average_curve,
        {"curves": demur.curve_by(BOTH)},
        {"weight": [[1.0, 3.0]], "curves": [demur.curve_by(BOTH, by="topic")]},
    ),
]


CALLS = [signature_cases.Calls(*case) for case in CASES]


def figures(result: Result) -> Any:
    """All numbers of a result, without its recipe."""
    plain = result.to_dict()
    listed = plain.get("systems", [plain])
    for one in listed:
        for name in ("signature", "group", "system", "notes"):
            one.pop(name, None)
    return str(listed)


@signature_cases.one_change_each(CALLS)
def test_another_number_has_another_signature(calls, name, value):
    signature_cases.check_signatures(calls, name, value, figures)


@signature_cases.each_verb(CALLS)
def test_every_argument_of_a_verb_is_tried(verb, tried):
    signature_cases.check_all_tried(verb, tried, {"outcomes", "options", "executor"})


@pytest.mark.parametrize(
    "verb",
    [demur.interval, demur.band, demur.check_pooled, demur.calibration_of],
    ids=lambda verb: verb.__name__,
)
def test_a_seed_is_a_number(verb):
    refuses("seed must be a whole number", verb, A, seed=None)
