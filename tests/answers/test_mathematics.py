"""Expressions of mathematics: what is written differently and means the same."""

import json
import sys
from pathlib import Path

import pytest

import demur
from demur import MissingExtra
from demur.answers import math, read_all, verdict
from demur.answers.mathematics import _typed

REPLIES = Path(__file__).parent.parent / "golden" / "replies"
RECORDED = "math_verdicts.json"
NEEDS = 'needs the extra: pip install "demur[math]"'

UNLIKE_THE_READER = {
    "math-020": "a tuple for a set, as math-verify has it",
    "math-040": "a relation for an interval",
    "math-041": "words",
    "math-049": "the last of several equations, without marks",
    "math-050": "i is a variable there",
    "math-057": "the form does not count",
    "math-064": "words",
    "math-081": "the form does not count",
}
BETTER_THAN_THE_ORIGINAL = {
    *("math-007", "math-015", "math-024", "math-029", "math-032", "math-033"),
    "math-080",
}
"""Expressions without marks, which math-verify does not read as a whole."""


def rows():
    lines = (REPLIES / "math.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def recorded():
    return json.loads((REPLIES / RECORDED).read_text("utf-8"))


def judged(response, reference):
    same = math()
    found = verdict(same, response, read_all(same, [(reference, 1)]))
    return found.credit, found.reason


# -- without the extra ---------------------------------------------------------------


def test_without_the_extra_it_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "math_verify", None)
    demur.answers.mathematics._of_reference.cache_clear()
    with pytest.raises(MissingExtra, match=r'pip install "demur\[math\]"'):
        demur.judge(
            [{"item": "q", "response": "1/2"}],
            [{"item": "q", "reference": "0.5"}],
            by="math",
        )


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("5\u221a2", r"$5\sqrt{2}$"),
        ("5*sqrt(2)", r"$5\cdot \sqrt{2}$"),
        ("9\u03c0.", r"$9\pi $"),
        ("**1/2**", "$1/2$"),
        ("x**2", "$x^2$"),
        (r"\frac12", r"$\frac12$"),
        (r"9\pi \text{ square units}", r"$9\pi \text{ square units}$"),
        (r"$\frac12$", r"$\frac12$"),
        ("The area is 9.", "The area is 9."),
        ("a\nb", "a\nb"),
        ("", ""),
    ],
)
def test_what_is_an_expression_as_a_whole_is_read_without_marks(text, read):
    assert _typed(text) == read


def test_recorded_verdicts_are_those_of_a_reader_or_the_difference_is_named():
    verdicts = recorded()
    differ = {
        row["item"]
        for row in rows()
        if (verdicts[row["item"]] == "right") != (row["human"] == "right")
    }
    assert differ == set(UNLIKE_THE_READER)


def test_recorded_verdicts_are_those_of_the_original_or_the_difference_is_named():
    verdicts = recorded()
    differ = {row["item"] for row in rows() if verdicts[row["item"]] != row["verdict"]}
    assert differ == BETTER_THAN_THE_ORIGINAL


# -- with it -------------------------------------------------------------------------


def test_verdicts_are_as_recorded():
    pytest.importorskip("math_verify", reason=NEEDS)
    outcomes = demur.judge(
        [{"item": row["item"], "response": row["reply"]} for row in rows()],
        [{"item": row["item"], "references": row["references"]} for row in rows()],
        by="math",
        extract="final+boxed",
    )
    right = (outcomes.outcome == "right").tolist()
    verdicts = dict(zip(outcomes.item, right, strict=True))
    assert verdicts == {item: it == "right" for item, it in recorded().items()}


@pytest.mark.parametrize(
    ("response", "reference", "credit"),
    [
        (r"$\boxed{\frac{7}{14}}$", "1/2", 1),
        (r"x = \boxed{2\sqrt{3}}", r"\sqrt{12}", 1),
        (r"\boxed{(1,2]}", "[1,2]", 0),
        (r"\frac{\pi}{4}", r"\dfrac{\pi}{4}", 1),
        ("0.5", 0.5, 1),
        (0.5, r"\frac12", 1),
        (r"\{1, 2\}", r"\{2, 1\}", 1),
        ("Oslo", "2", 0),
        ("", "2", 0),
        ("2" * 30_000, "2", 0),
        (r"9^{9^{9^{9}}}", "2", 0),
    ],
)
def test_expressions(response, reference, credit):
    pytest.importorskip("math_verify", reason=NEEDS)
    assert judged(response, reference)[0] == credit


def test_a_reference_that_is_no_expression_leaves_its_item_ungraded():
    pytest.importorskip("math_verify", reason=NEEDS)
    assert judged("2", "") == (0.0, "the reference is no expression")
