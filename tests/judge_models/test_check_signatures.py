"""Signatures of checks of a judge: other numbers, another signature."""

import demur
import signature_cases
from planted_judges import PlantedJudge, answers

RESPONSES, REFERENCES = answers(items=30)
JUDGE = PlantedJudge(1, sampling=False, order=0.2, padded=0.2)

CASES = [
    (
        demur.check_judge,
        {
            "judge": JUDGE,
            "responses": RESPONSES,
            "references": REFERENCES,
            "people": "people",
        },
        {
            "checks": [["order"], ["order", "repeat"]],
            "own_systems": [["a"], ["b"]],
            "items": [20],
            "people": [None],
            "padding": ["and so on, as they were asked, and so on"],
            "level": [0.8],
            "seed": [3],
        },
    ),
]
CALLS = [signature_cases.Calls(*case) for case in CASES]
MEASURED = {"judge", "responses", "references"}


def figures(result):
    plain = result.to_dict()
    del plain["signature"], plain["notes"]
    return str(plain)


@signature_cases.one_change_each(CALLS)
def test_another_number_has_another_signature(calls, name, value):
    signature_cases.check_signatures(calls, name, value, figures)


@signature_cases.each_verb(CALLS)
def test_every_argument_of_a_verb_is_tried(verb, tried):
    signature_cases.check_all_tried(verb, tried, MEASURED)


def test_the_usual_is_not_said():
    signature = demur.check_judge(JUDGE, RESPONSES, REFERENCES, "order").signature
    assert signature.split("|")[1:] == [
        *("judge:planted", "checks:order", "level:0.95", "seed:0"),
    ]
