"""What a program says that failed."""

from collections import Counter

import numpy as np
import pytest

from builders import judge_one
from demur.outcomes import refusals
from demur.outcomes.declined_logs import answered_after_all
from demur.outcomes.fields import WRONG
from demur.outcomes.refusals import (
    failures_named,
    looks_like_failure,
    looks_like_refusal,
    refusals_named,
)


@pytest.mark.parametrize(
    "text",
    ["Error: rate limit exceeded", "HTTP 503", "HTTP/1.1 502 Bad Gateway", "[BLOCKED]",
     "Internal Server Error", "None", "null", "NaN", "#REF!", "<NA>", "TimeoutError",
     "Traceback (most recent call last):\n  File", "429 Too Many Requests", "[ERROR]",
     "openai.RateLimitError: Rate limit reached", "Request timed out.",
     "Status code: 500",
     '{"error": {"message": "x"}}', "<html><head>", "403 Forbidden", "[content_filter]",
     "Sorry, something went wrong. Please try again.", "(no response)",
     "An error occurred while processing your request."],
)  # fmt: skip
def test_failures(text: str) -> None:
    assert looks_like_failure(text)
    assert not looks_like_refusal(text)


@pytest.mark.parametrize(
    "text",
    ["503", "none", "Oslo", "Standard error: 0.5", "Human error", "Null Island", "",
     "Forbidden City", "Forbidden", "Trial and error: a method", "The Blocked Path",
     "No response needed: Oslo", "[Oslo]", "I don't know.", "Undefined", "404 roses"],
)  # fmt: skip
def test_answers(text: str) -> None:
    assert not looks_like_failure(text)


def test_a_note_names_them_and_no_other_note_does() -> None:
    texts = Counter({"null": 1, "Ich weiss es nicht.": 2, "#N/A": 3, "Oslo": 1})
    assert list(failures_named(texts)) == ["#N/A", "null"]
    assert list(refusals_named(texts)) == ["Ich weiss es nicht."]
    outcomes = judge_one("HTTP 503", {"reference": "Oslo"}, no_answer="refusals")
    assert outcomes.counts()["wrong"] == 1
    (note,) = outcomes.notes
    assert note.startswith(
        "1 wrong answer that looks like a failure of a program, not like an answer "
        "('HTTP 503'): judged as a guess"
    )


def test_the_verdicts_of_others_are_told() -> None:
    columns = {
        "outcome": np.array([WRONG, WRONG]),
        "response": np.array(["null", "HTTP 503"], object),
        "system": np.array(["a", "a"], object),
    }
    (note,) = answered_after_all(columns)
    assert note.startswith("2 wrong outcomes whose responses look like a failure")


@pytest.mark.parametrize(
    "text", ["SELECT no FROM t WHERE sin = 'nao'", "select", "(SELECT 1)"]
)
def test_sql_is_looked_at_in_no_language(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looked_at(language: str) -> None:
        raise AssertionError(language)

    monkeypatch.setattr(refusals, "_matcher", looked_at)
    assert refusals.refusal_language(text) is None
