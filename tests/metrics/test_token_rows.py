"""Which references are noted as tokens, and which are not."""

import pytest

from demur.metrics.token_rows import token_rows_note


@pytest.mark.parametrize(
    ("references", "words"),
    [
        (["a", "b", "."], ["'.'", "tokens of sentences, not utterances"]),
        (["a", "", "b", "c"], ["rows without a word part them"]),
        (["a"] * 10, ["if these are tokens"]),
        (["a B-x", "", "b O"], ["end with tags, such as 'a B-x'"]),
    ],
)
def test_tokens_are_noted(references, words):
    [note] = token_rows_note(references)
    assert all(word in note for word in words)


@pytest.mark.parametrize(
    "references",
    [
        [],
        ["", "", ""],
        ["a", "b", "c"],
        ["", "a", "b", "c", ""],
        ["a"] * 9,
        ["a", "."],
        ["a b", "c", "."],
        ["\u4f60\u597d", "\u518d\u89c1", "."],
        ["a O", "b O"],
        ["a B-x", "b c"],
        ["B-x"],
    ],
)
def test_other_references_are_not(references):
    assert not list(token_rows_note(references))
