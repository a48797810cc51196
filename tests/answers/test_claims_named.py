"""The comparator ``claims`` as it is typed; who asks the model is tested elsewhere."""

import pytest

from builders import refuses
from demur import answers

JUDGE = "org/gpt@http://localhost:8000/v1"


@pytest.mark.parametrize(
    "text",
    [
        f"claims({JUDGE})",
        f"claims({JUDGE}, not_found=ungraded)",
        f'claims({JUDGE}, rubric="my, own.toml", cut=other.toml)',
    ],
)
def test_claims_parse_back_as_they_are_printed(text):
    made = answers.parse_comparator(text)
    assert answers.parse_comparator(str(made)) == made
    assert made.judge == JUDGE


def test_what_is_no_judge_of_claims_is_refused():
    refuses("must be claims", answers.parse_comparator, "claims")
    refuses("not_found", answers.parse_comparator, f"claims({JUDGE}, not_found=right)")
