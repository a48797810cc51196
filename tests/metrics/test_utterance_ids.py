"""Ids of utterances in lines of text files."""

from __future__ import annotations

import pytest

from builders import refuses
from demur.metrics.utterance_ids import joined_utterances, utterances_of


@pytest.mark.parametrize(
    ("lines", "form", "texts"),
    [
        (["the cat (s-1)", "", "(s-2)  "], "end with", {"s-1": "the cat", "s-2": ""}),
        (["a (b) (s_1)"], "end with", {"s_1": "a (b)"}),
        (["s1-01 the cat", "s1-02"], "begin with", {"s1-01": "the cat", "s1-02": ""}),
        (
            ["BAC009S1 a", "BAC009S2 b"],
            "begin with",
            {"BAC009S1": "a", "BAC009S2": "b"},
        ),
    ],
)
def test_ids_are_taken_off(lines, form, texts):
    read = utterances_of(lines)
    assert (read.form, read.texts, list(read.texts)) == (form, texts, list(texts))


@pytest.mark.parametrize(
    "lines",
    [
        *([], [""], ["the cat", "hello"], ["that is funny (laughs)"]),
        *(["a (s-1)", "b"], ["a (s-1)", "b (s-1)"], ["a (s 1)"], ["a s-1)"]),
        *(["s1-01 one line"], ["2nd of may", "1st of may"], ["s1-01 a", "s1-01 b"]),
        *(["well-known a", "far-off b"], ["1234567 a", "2345678 b"]),
    ],
)
def test_what_looks_otherwise_is_text(lines):
    assert utterances_of(lines) is None
    assert joined_utterances(["r", "h"], [lines, lines]) is None


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (["a", "b"], r"h: the lines must end with ids, as those of r do \('s-1'\)"),
        (["s-1 a", "s-2 b"], "h: the lines must end with ids"),
        (
            ["a (s-1)"],
            "h: the ids of the utterances must be those of r; got none for 's",
        ),
        (
            ["a (s-1)", "b (s-2)", "c (s-3)"],
            "r: the ids .* those of h; got none for 's",
        ),
    ],
)
def test_files_have_the_same_ids(second, words):
    first = ["a (s-1)", "b (s-2)"]
    refuses(words, joined_utterances, ["r", "h"], [first, second])
    same = joined_utterances(["r", "r", "r"], [first, first, first[::-1]])
    assert same == (["s-1", "s-2"], [["a", "b"]] * 3)
