"""A signature holds every argument that changes a number (wholes)."""

from typing import Any

import numpy as np

import demur
import signature_cases
from demur.outcomes.parts import stacked


def _parts(seed: int) -> demur.Outcomes:
    rng = np.random.default_rng(seed)
    n = 120
    confidence = rng.random(n).round(2)
    return demur.Outcomes.from_arrays(
        item=[f"r{row // 4}" for row in range(n)],
        part=[f"p{row % 4}" for row in range(n)],
        confidence=confidence,
        correct=rng.random(n) < 0.3 + 0.6 * confidence,
        groups={
            "topic": [f"t{row // 4 % 2}" for row in range(n)],
            "tool": [f"t{row % 3}" for row in range(n)],
        },
    )


A = _parts(1)
FEWER = A.take(np.arange(80))
SILENT = demur.Outcomes.from_arrays(item=["x"], part=[None], correct=[None])
EMPTY = stacked([A, SILENT])
CASES = [
    (
        demur.whole_curve,
        {"outcomes": A},
        {"outcomes": [FEWER], "people_error": [0.1], "minutes": [2]},
    ),
    (
        demur.whole_curve_by,
        {"outcomes": A},
        {
            "by": ["topic"],
            "at": [[0.1], [0.2, 0.5]],
            "how": ["at_most"],
            "people_error": [0.1],
            "minutes": [2],
        },
    ),
    (
        demur.choose,
        {"outcomes": A, "max_error": 0.5, "of": "wholes"},
        {
            "outcomes": [FEWER],
            "max_error": [0.3, 0.30000001],
            "of": ["answered wholes"],
            "certainty": [0.8, 0.9],
        },
    ),
    (
        demur.choose,
        {"outcomes": A, "max_error": 0.9, "of": "wholes", "certainty": 0.5},
        {"max_nonreturn": [0.8, 0.9], "each": ["topic"]},
    ),
    (demur.whole_outcomes, {"outcomes": A}, {"outcomes": [FEWER], "cutoff": [0.3]}),
    (
        demur.choose_by_kind,
        {"outcomes": A, "kinds": "tool", "max_error": 0.4, "certainty": 0.9},
        {
            "outcomes": [FEWER],
            "kinds": ["topic"],
            "max_error": [0.5],
            "certainty": [0.5, None],
            "share": [0.4],
            "seed": [1],
            "costs": [{"t0": 3}],
        },
    ),
    *(
        (verb, {"outcomes": EMPTY}, {"without_parts": ["right"]})
        for verb in (demur.whole_curve, demur.whole_curve_by, demur.whole_outcomes)
    ),
]
CALLS = [signature_cases.Calls(*case) for case in CASES]


@signature_cases.one_change_each(CALLS)
def test_another_number_has_another_signature(calls, name, value):
    def figures(result: Any) -> str:
        if isinstance(result, demur.Outcomes):
            return str(result.to_columns())
        plain = result.to_dict()
        for part in (plain, *plain.get("systems", [])):
            part.pop("signature", None)
        return str(plain)

    signature_cases.check_signatures(calls, name, value, figures)
