"""Regular expressions of users: refused where they are none, stopped where endless."""

import re
import signal
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


@pytest.mark.parametrize("method", ["search", "fullmatch"])
def test_what_never_ends_is_stopped(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.05)
    pattern = UserPattern("(a|aa)+!", 0, "a.jsonl:1", "pattern")
    with pytest.raises(demur.InputError, match=r"must find its match within 0\.05 sec"):
        getattr(pattern, method)("a" * 60)
    assert getattr(pattern, method)("aa!")
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_other_threads_and_timers_are_left_alone() -> None:
    pattern = UserPattern("a+", re.IGNORECASE, "a.jsonl:1", "pattern")
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(pattern.search("bA")))
    thread.start()
    thread.join()
    assert found[0]
    signal.setitimer(signal.ITIMER_REAL, 100)
    try:
        assert pattern.search("a")
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 90
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
