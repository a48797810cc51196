"""Whatever changes the numbers of a draw changes its signature."""

import numpy as np

import demur
import signature_cases
from builders import drawn

ANSWERS = drawn(
    3,
    80,
    lambda sure: 1 - 0.4 * (1 - sure),
    2,
    groups={"sure": [str(k % 9) for k in range(80)], "people": [None] * 80},
)
PILOT = drawn(4, 50, lambda sure: 1 - 0.6 * (1 - sure), 2)
JUDGED = drawn(4, 50, lambda sure: sure, groups={"people": ["right", "no"] * 25})
LOCK = demur.lock(PILOT, demur.choose(PILOT, max_error=0.1))
LATER = demur.lock(PILOT, demur.choose(PILOT, max_error=0.3))
PAIR = demur.Outcomes.from_arrays(
    item=[f"q{k}" for k in range(40)] * 2,
    system=["a"] * 40 + ["b"] * 40,
    correct=[1, 0] * 40,
    response=[str(k % 3 * (k // 40)) for k in range(80)],
    confidence=np.arange(80) % 40,
)
CASES = [
    (
        demur.sample,
        {"outcomes": ANSWERS, "budget": 20, "purpose": "cutoff"},
        {"budget": [25], "purpose": ["judge"], "near": [0.2], "seed": [3]},
    ),
    (
        demur.sample,
        {"outcomes": ANSWERS, "budget": 20, "purpose": "cutoff", "pilot": PILOT},
        {"max_error": [0.01], "cost_ratio": [0.9], "pilot": [None]},
    ),
    (
        demur.sample,
        {"outcomes": ANSWERS, "budget": 20, "purpose": "recheck", "lock": LOCK},
        {"lock": [LATER]},
    ),
    (
        demur.sample,
        {"outcomes": PAIR, "budget": 20, "purpose": "compare"},
        {"at": [0.5]},
    ),
    (
        demur.sample,
        {"outcomes": ANSWERS, "budget": 20, "purpose": "judge"},
        {"unsure": ["sure"], "pilot": [JUDGED], "gold": []},
    ),
]
CALLS = [signature_cases.Calls(*case) for case in CASES]


def figures(result):
    """All that a draw says, without its recipe."""
    plain = result.to_dict()
    plain.pop("signature")
    return str(plain)


@signature_cases.one_change_each(CALLS)
def test_another_draw_has_another_signature(calls, name, value):
    signature_cases.check_signatures(calls, name, value, figures)


@signature_cases.each_verb(CALLS)
def test_every_argument_is_tried(verb, tried):
    signature_cases.check_all_tried(verb, tried, {"outcomes"})
