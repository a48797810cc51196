"""The long answers of the example are drawn from the law that it states."""

import importlib
from pathlib import Path

import numpy as np
import pytest

from scripts import importing_from

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LONG = 8_000


@pytest.fixture(scope="module")
def example():
    with importing_from(EXAMPLES):
        yield importlib.import_module("long_answers")


@pytest.mark.parametrize("cutoff", [0.0, 0.7, 0.9])
def test_the_answers_follow_the_law(example, cutoff):
    holding, n_claims, out = 0, 0, 0
    for text, claims in example.towns(LONG, seed=7):
        returned = [row for row in claims if (row["confidence"] or -1) >= cutoff]
        holding += any(row["response"] not in text["reference"] for row in returned)
        n_claims += sum(row["response"] is not None for row in claims)
        out += len(returned)
    error, withheld = example.law(cutoff)
    assert abs(holding / LONG - error) < 3.5 * np.sqrt(error * (1 - error) / LONG)
    assert 1 - out / n_claims == pytest.approx(withheld, abs=0.012)


def test_no_two_towns_share_a_name(example):
    assert len({example.town_name(number) for number in range(12_000)}) == 12_000


def test_what_no_text_says_is_one_claim_of_three_that_are_not_supported(example):
    kinds = [
        any(row["response"].endswith(f"{words}.") for words in example.UNTOLD)
        for text, claims in example.towns(LONG, seed=8)
        for row in claims
        if row["response"] and row["response"] not in text["reference"]
    ]
    assert np.mean(kinds) == pytest.approx(1 / 3, abs=0.04)
