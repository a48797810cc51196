"""Regular expressions of users: refused where they are none, stopped where endless."""

import re
import threading

import pytest

import demur
from demur import patterns
from demur.patterns import UserPattern


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("(", "Missing \\), unterminated subpattern"),
        ("(" * 500 + "a" + ")" * 500, "Its brackets are nested too deeply"),
        ("a{99999999999999}", "The repetition number is too large"),
    ],
)
def test_what_is_no_expression(text: str, hint: str) -> None:
    with pytest.raises(demur.InputError, match=f"must be a regular expression.*{hint}"):
        UserPattern(text, 0, "a.jsonl:1", "pattern")


@pytest.mark.parametrize(
    "text", ["x{1000000000}", "((?:ab){400}){300}", "(x{9}){99999}"]
)
def test_what_is_written_out_is_limited(text: str) -> None:
    with pytest.raises(demur.InputError, match="must repeat no part exactly more than"):
        UserPattern(text, 0, "a.jsonl:1", "pattern")


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("x{0,1000000000}", "xx"),
        ("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{2}", "abcd0123-aaaa-bbbb-cccc-99"),
        ("(a+)+b|(.*)*c", f"{'a' * 60}c"),
        ("a{e}[{i}]\\{d}x{2}", "a{e}{{d}xx"),
        ("no (answer|idea).*", "NO ANSWER\nhere"),
        (r"\w+ \d", "\u0438\u0434\u0451 5"),
    ],
)
def test_what_others_match_is_matched(text: str, whole: str) -> None:
    pattern = UserPattern(text, re.IGNORECASE | re.DOTALL, "a.jsonl:1", "pattern")
    assert pattern.fullmatch(whole)
    assert pattern.search(f"! {whole}")
    assert not pattern.fullmatch("?")


@pytest.mark.parametrize("method", ["search", "fullmatch"])
def test_what_never_ends_is_stopped_in_any_thread(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.01)
    pattern = UserPattern("(a|aa)+!", 0, "a.jsonl:1", "pattern")
    problems: list[str] = []

    def run() -> None:
        with pytest.raises(demur.InputError) as problem:
            getattr(pattern, method)("a" * 60)
        problems.append(str(problem.value))

    thread = threading.Thread(target=run)
    thread.start()
    run()
    thread.join()
    assert len(problems) == 2
    assert all("must find its match within 0.01 seconds" in text for text in problems)
    monkeypatch.undo()  # what does end has its time
    assert getattr(pattern, method)("aa!")
