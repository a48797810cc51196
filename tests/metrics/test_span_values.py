"""Spans as programs write them are those of our own form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.metrics.span_values import read_spans

SPANS = st.tuples(st.sampled_from("xy"), st.integers(0, 9), st.integers(1, 4))


def written(kind: str, first: int, after: int) -> list[object]:
    """A span in each form whose end is after the last word."""
    return [
        (kind, first, after),
        (first, after, kind),
        [kind, np.int64(first), np.int32(after)],
        np.array([kind, first, after], object),
        {"label": kind, "start": first, "end": after, "text": "any"},
        {"start": np.int64(first), "end": after, "entity_group": kind, "score": 0.5},
        {"start": first, "end": after, "labels": [kind]},
        {"start": first, "end": after, "token_start": 7, "token_end": 7, "label": kind},
        {"token_start": first, "token_end": after - 1, "label": kind},
        {"type": kind, "span": [*range(first, after)]},
    ]


@given(SPANS)
def test_all_forms_are_one_span(span):
    kind, first, size = span
    own = [(kind, first, first + size)]
    for value in written(*own[0]):
        assert read_spans("s", value) == own
    for value in written(kind, first, first + size - 1)[:7]:
        assert read_spans("s", value, "last") == own


def test_a_span_with_two_types_is_two():
    assert read_spans("s", {"labels": ["a", "b"], "start": 0, "end": 1}) == [
        ("a", 0, 1),
        ("b", 0, 1),
    ]


@pytest.mark.parametrize(
    ("span", "says"),
    [
        ({"label": "a", "start": 1, "end": 1}, "--ends last"),
        ([0, 1, 7], "a type that is no whole number"),
        (np.array([0, 2, 1]), "a type that is no whole number"),
        ({"start": 1, "end": 2}, "have a type"),
        ({"label": float("nan"), "start": 1, "end": 2}, "have a type"),
        ({"label": "a", "span": [0, 2]}, "without a gap"),
        ({"label": "a", "span": ["0"]}, "start and an end"),
        ({"label": "a", "start": 1}, "start and an end"),
        ({"label": "a", "start": 1.5, "end": 2}, "whole numbers"),
        ((0, 1), "be a type"),
        ((True, 2, "x"), "be a type"),
        (("x", -1, 2), "end after it begins"),
        ((0, 2, None), "have a type"),
        (7, "be a type"),
    ],
)
def test_what_is_no_span_is_refused(span, says):
    with pytest.raises(demur.InputError, match=says):
        read_spans("s", span)


def test_characters_beside_tags_are_refused():
    how = {"hypotheses": ["B-x O"], "references": [[("x", 0, 9)]]}
    with pytest.raises(demur.InputError, match="the 2 words that the other side has"):
        demur.span_scores(**how)


def test_what_an_end_is_stands_in_the_signature():
    sides = {
        "references": [[{"label": "x", "start": 0, "end": 0}]],
        "hypotheses": [[("x", 0, 0)]],
    }
    found = demur.span_scores(**sides, ends="last")
    assert found.score("strict").right == 1
    assert "ends:last" in found.signature
    with pytest.raises(demur.InputError, match="ends"):
        demur.span_scores(**sides, ends="first")
