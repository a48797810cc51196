"""What is asked of judges is in the signature of what they are told."""

import numpy as np
import pytest

import demur
import judge_cases
import signature_cases
from signature_cases import Calls

MADE = judge_cases.simulated(
    *(np.random.default_rng(20), 90),
    accuracy={"small": 0.8, "large": 0.9},
    labelled=0.7,
    cannot_tell=0.1,
)
MADE["small"] = demur.Outcomes.from_arrays(
    outcome=MADE["small"].outcome.tolist(),
    groups={
        **MADE["small"].groups,
        "others": ["right", "wrong", None] * 30,
        "verdict_confidence": [None, *MADE["small"].groups["verdict_confidence"][1:]],
    },
)
JUDGES = demur.judge_outcomes(MADE, gold="people")
PRICES = {"small": 0.01, "large": 0.1, "people": 2}

CALLS = [
    Calls(
        demur.judge_outcomes,
        {"judged": {"small": MADE["small"]}, "gold": "people"},
        {
            "gold": ["others"],
            "items": ["common"],
            "judged": [MADE, {"large": MADE["small"]}],
        },
    ),
    Calls(
        demur.arrange_judges,
        {"prices": PRICES, "most_error": 0.2},
        {
            "arrangements": [
                ["vote(small, large)"],
                ["cascade(small@0.5, people)"],
                ["cascade(small@0.50000001, people)"],
                ["cascade(small@*, people)", "unanimous(small, large)"],
            ],
            "prices": [None, {**PRICES, "small": 0.02}],
            "most_error": [None, 0.1],
            "of": ["answered"],
            "certainty": [0.9],
            "level": [0.8],
        },
        (JUDGES,),
    ),
]


@signature_cases.one_change_each(CALLS)
def test_another_number_has_another_signature(calls, name, value):
    def figures(result):
        if isinstance(result, demur.Outcomes):
            return str(result.to_columns())
        plain = result.to_dict()
        plain.pop("signature")
        return str(plain)

    signature_cases.check_signatures(calls, name, value, figures)


@signature_cases.each_verb(CALLS)
def test_every_argument_is_tried(verb, tried):
    # A rule that refuses gives nothing to compare.
    data = {"outcomes", "without_confidence"}
    signature_cases.check_all_tried(verb, tried, data)


def test_a_rule_that_refuses_is_no_other_number():
    one = {"large": MADE["large"]}
    first, second = (
        demur.judge_outcomes(one, gold="people", without_confidence=rule)
        for rule in ("lowest", "refuse")
    )
    assert first.to_columns() == second.to_columns()
    with pytest.raises(demur.InputError):
        demur.judge_outcomes(MADE, gold="people", without_confidence="refuse")
