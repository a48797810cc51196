"""A signature names all that changes the numbers: each argument, one at a time."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import demur
from demur import Result

RNG = np.random.default_rng(0)
CONFIDENCE = RNG.permutation(300) / 300
CORRECT = RNG.random(300) < 0.3 + 0.7 * CONFIDENCE
PEOPLE = [
    ("right" if right else "wrong") if row % 3 else None
    for row, right in enumerate(RNG.permuted(CORRECT) | CORRECT)
]
OUTCOMES = demur.Outcomes.from_arrays(
    system="a",
    item=[f"q{row}" for row in range(300)],
    confidence=CONFIDENCE,
    correct=CORRECT,
    declined=CONFIDENCE < 0.1,
    groups={
        "topic": ["x", "y", "y"] * 100,
        "site": ["u"] * 100 + ["v"] * 200,
        "people": PEOPLE,
        "others": [PEOPLE[(row * 7) % 300] for row in range(300)],
    },
)
LATER = demur.Outcomes.from_arrays(
    system="a",
    item=[f"n{row}" for row in range(200)],
    confidence=CONFIDENCE[:200],
    correct=CORRECT[100:],
    cluster=[f"c{row // 2}" for row in range(200)],
)
CHOICE = demur.choose(OUTCOMES, max_error=0.2)
LOCK = demur.lock(OUTCOMES, CHOICE)


def locked(**changes: Any) -> demur.Lock:
    return demur.Lock.from_dict(LOCK.to_dict() | changes)


def choose(**arguments: Any) -> demur.Choice:
    return demur.choose(OUTCOMES, **arguments)


CALLS: dict[str, tuple[Callable[..., Result], list[dict[str, Any]]]] = {
    "choose": (
        choose,
        [
            *({"cost_ratio": ratio} for ratio in (0.2, 0.4, 0.40000001, 1)),
            *({"wrong_costs": costs} for costs in (2.5, 5, 7)),
            *({"confidence_target": target} for target in (0.6, 0.8, 0.9)),
            *({"score": f"net-benefit(threshold={t})"} for t in (0.2, 0.5, 0.50000001)),
            *({"score": name} for name in ("atis-1991", "omniscience-index")),
            *({"max_error": target} for target in (0.1, 0.2, 0.2000001)),
            {"max_error": 0.2, "of": "answered"},
            *({"max_error": 0.2, "certainty": c} for c in (0.8, 0.9, 0.90000001)),
            {"max_error": 0.2, "certainty": 0.9, "of": "answered"},
            *(
                {"max_error": 0.2, "certainty": 0.9, "max_nonreturn": x}
                for x in (0.7, 0.8, 0.80000001)
            ),
            *(
                {"max_error": 0.2, "certainty": 0.9, "each": name}
                for name in ("topic", "site")
            ),
            *({"nonreturn": x} for x in (0.2, 0.3, 0.30000001)),
            {"balance": True},
            *({"cost_ratio": 0.4, "gold": gold} for gold in ("people", "others")),
            *({"max_error": 0.2, "gold": gold} for gold in ("people", "others")),
            {"max_error": 0.2, "gold": "people", "of": "answered"},
            {"max_error": 0.2, "gold": "people", "certainty": 0.9},
        ],
    ),
    "on": (
        lambda outcomes, **rule: choose(**rule).on(outcomes),
        [
            {"outcomes": outcomes, "max_error": target}
            for outcomes in (OUTCOMES, OUTCOMES.take(np.arange(150)), LATER)
            for target in (0.1, 0.2)
        ],
    ),
    "with_held_out": (
        lambda outcomes: CHOICE.with_held_out(outcomes),
        [{"outcomes": LATER}, {"outcomes": LATER.take(np.arange(100))}],
    ),
    "certificate_plan": (
        demur.certificate_plan,
        [
            *({"max_error": target} for target in (0.3, 0.4, 0.4000001)),
            *({"max_error": 0.3, "certainty": c} for c in (0.8, 0.9)),
            {"max_error": 0.3, "of": "answered"},
            {"max_error": 0.3, "errors": [0, 1]},
            {"max_error": 0.3, "errors": [1, 0]},
            {"max_error": 0.3, "pilot": OUTCOMES},
            {"max_error": 0.3, "pilot": OUTCOMES.take(np.arange(150))},
            {"max_error": 0.3, "pilot": OUTCOMES, "of": "answered"},
            {"max_error": 0.3, "pilot": OUTCOMES, "certainty": 0.9},
        ],
    ),
    "at_cutoffs": (
        lambda outcomes=OUTCOMES, cutoffs=(0.5,), **options: demur.at_cutoffs(
            outcomes, cutoffs, **options
        ),
        [
            *({"cutoffs": cutoffs} for cutoffs in ((0.2,), (0.5,), (0.2, 0.5))),
            *({"level": level} for level in (0.8, 0.9, 0.90000001)),
            *({"wrong_costs": costs} for costs in ((2,), (2, 3))),
            {"outcomes": OUTCOMES.take(np.arange(150))},
        ],
    ),
    "list_items": (
        lambda outcomes=OUTCOMES, **options: demur.list_items(outcomes, **options),
        [
            *({"cutoff": cutoff} for cutoff in (0.2, 0.5, None)),
            *({"outcome": outcome} for outcome in ("right", "wrong")),
            {"decision": "declined"},
            {"outcomes": OUTCOMES.take(np.arange(150))},
        ],
    ),
    "declining_by": (
        lambda outcomes=OUTCOMES, group="topic", **options: demur.declining_by(
            outcomes, group, **options
        ),
        [
            *({"cutoff": cutoff} for cutoff in (0.2, 0.5, "never", None)),
            *({"cutoff": 0.5, "level": level} for level in (0.8, 0.9, 0.90000001)),
            {"cutoff": 0.5, "group": "site"},
            {"cutoff": 0.5, "outcomes": OUTCOMES.take(np.arange(150))},
        ],
    ),
    "lock": (
        lambda **options: demur.lock(OUTCOMES, CHOICE, **options),
        [
            {},
            *({"certainty": certainty} for certainty in (0.8, 0.9, 0.90000001)),
            {"max_cluster": 50},
        ],
    ),
    "recheck": (
        lambda lock=LOCK, outcomes=LATER, **options: demur.recheck(
            lock, outcomes, **options
        ),
        [
            {},
            *({"anytime": True, "max_cluster": most} for most in (50, 60)),
            {"max_cluster": 50},
            {"outcomes": LATER.take(np.arange(100))},
            *({"lock": locked(certainty=certainty)} for certainty in (0.8, 0.9)),
            *({"lock": locked(target=target)} for target in (None, 0.1, 0.3)),
            {"lock": locked(of="answered")},
            {"lock": locked(cutoff=0.5)},
            {"lock": demur.lock(OUTCOMES, choose(nonreturn=0.5))},
        ],
    ),
    "linear_score": (
        demur.linear_score,
        [
            {"text": f"{name}({value})"}
            for name in ("net-benefit", "confidence-target")
            for value in (0.2, 0.5, 0.50000001)
        ],
    ),
}


def numbers(result: Result) -> Any:
    """All that a result says, but for its recipe."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            left_out = ("signature", "notes", "rule", "name", "source")
            kept = {key: without(held) for key, held in value.items()}
            return {key: held for key, held in kept.items() if key not in left_out}
        return [without(held) for held in value] if isinstance(value, list) else value

    return without(result.to_dict())


@pytest.mark.parametrize("verb", CALLS)
def test_where_a_figure_differs_the_signature_does(verb: str) -> None:
    call, arguments = CALLS[verb]
    results = [call(**options) for options in arguments]
    different = 0
    for at, one in enumerate(results):
        for place in range(at):
            if numbers(results[place]) != numbers(one):
                different += 1
                pair = arguments[place], arguments[at]
                assert results[place].signature != one.signature, pair
        assert "demur:" in one.signature
        assert call(**arguments[at]).signature == one.signature
    assert different
