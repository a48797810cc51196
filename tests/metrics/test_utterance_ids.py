"""Ids of utterances in lines of text files."""

from __future__ import annotations

import gzip
import re

import pytest

from builders import printed, refuses, stderr_of
from demur.metrics.utterance_ids import (
    check_texts,
    doubtful_ids,
    joined_utterances,
    utterances_of,
)


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
        *(["a (s-1)", "b"], ["a (s 1)"], ["a s-1)"]),
        *(["s1-01 one line"], ["2nd of may", "1st of may"], ["s1-01 a", "s1-01 b"]),
        *(["mp3 a", "2nd b"], ["1 a", "2 b"], ["b1", "c2"], ["3 a", "3 b", "4 c"]),
        *(["well-known a", "far-off b"], ["1234567 a", "2345678 b"]),
    ],
)
def test_what_looks_otherwise_is_text(lines):
    assert utterances_of(lines) is None
    assert joined_utterances(["r", "h"], [lines, lines]) is None


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (["a (s-1)", "b (s-2)", "c"], ["a"] * 3, "2 of 3 lines of r end .* line 3"),
        (["a"] * 3, ["s-1 a", "b", "s-2 c"], "2 of 3 lines of h begin .* line 2"),
        (["u1 a", "u2 b"], ["a", "b"], "2 of 2 lines of r begin .* 'u1': they"),
        (["2 a", "9 b"], ["9 b", "2 a"], "all lines of r and h begin .* '2'"),
        (["al a", "bob b"], ["bob b", "al a"], "all lines of r and h begin .* 'al'"),
        (["s1-01 one line"], ["s1-01 a line"], "all lines of .* 's1-01'"),
        (["yes a"], ["yes b"], None),
        (["yes a", "no b"], ["yes a", "no b"], None),
        (["2 a", "9 b"], ["9 b", "3 a"], None),
        (["a 1", "b 2"], ["a 1", "b 2"], None),
        (["2 a", "2 b"], ["2 a", "2 b"], None),
    ],
)
def test_what_may_be_ids_is_said(first, second, words):
    files = ["r", "h"], [first, second]
    assert joined_utterances(*files) is None
    said = list(doubtful_ids(*files))
    assert len(said) == (words is not None)
    assert words is None or re.search(words, said[0])


@pytest.mark.parametrize(
    "lines", [["a (s-1)", "", "b (s-1)"], ["s-1 a", "s-2 b", "s-1 c"]]
)
def test_an_id_stands_in_one_line(lines):
    refuses(
        "r:3: the id .* in one line; got 's-1' again, first in line 1",
        joined_utterances,
        ["r", "h"],
        [lines, lines],
    )


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


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("t.jsonl", '{"text": "the cat"}\n{"text": "a dog"}\n', "t.jsonl:1: .* JSON"),
        ("t.txt", '\n{"id":"u1","text":"the cat"}\n', "t.txt:2: .* got JSON"),
        ("t.csv", "ref,hyp\nthe cat,the cat\n", "t.csv:1: .* got a table"),
        ("t.tsv.gz", "the cat\n", "t.tsv.gz:1: .* got a table"),
        ("t.txt", "LJ001-0001|the cat\nLJ001-0002|the dog\n", "t.txt:1: .* '|'"),
        ("t.txt", "u-1,hello\nu-2,yes\n", "t.txt:1: .* ','"),
    ],
)
def test_tables_are_no_texts(tmp_path, name, text, words):
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if "gz" in name else text.encode())
    refused = stderr_of("metrics", "words", path, path)
    assert re.search(words, refused)
    assert "table with ref and hyp stands alone" in refused
    for asked in (
        ("perplexity", path, "--train", path),
        ("oov", path, "--vocabulary", path),
    ):
        assert "--text COLUMN" in stderr_of("metrics", *asked)


@pytest.mark.parametrize(
    "lines",
    [
        ["{ a / b } c", "{ a / @ }"],
        ["covid-19, he said", "mp3|x"],
        ["well,yes", "no"],
        ["[1] a", "1,000 b"],
        ["", ""],
        [],
    ],
)
def test_texts_are_no_tables(lines):
    check_texts(["r.txt"], [lines], "")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["a b (a)", "c (b)"], "r.trn end with .a., which is no id"),
        (["a b (spk 1-001)"], "r.trn end with .spk 1-001., which is no id"),
        (["a b (a)", "c"], None),
    ],
)
def test_ids_of_a_trn_file_that_are_none_are_said(lines, words):
    files = ["r.trn", "h.txt"], [lines, ["a b"] * len(lines)]
    assert joined_utterances(*files) is None
    said = list(doubtful_ids(*files))
    assert len(said) == (words is not None)
    assert words is None or re.search(words, said[0])


def test_lines_may_end_with_carriage_returns_alone(tmp_path):
    path = tmp_path / "r.trn"
    path.write_bytes(b"the cat (s-1)\rhello (s-2)\r")
    assert "0 errors on 3 words (2 utterances)" in printed(
        "metrics", "words", path, path
    )


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (
            ["a (s-1)", "", "b", "c (s-3)"],
            r"h:3: the line must end with an id, as .* of r",
        ),
        (["a (s-1)", "b (s-1 2)"], "h:2: the line must end .* got 'b .s-1 2.'"),
    ],
)
def test_a_line_without_an_id_is_named(second, words):
    first = ["a (s-1)", "b (s-2)", "c (s-3)"]
    refuses(words, joined_utterances, ["r", "h"], [first, second])
