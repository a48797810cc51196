"""What is proposed for a name that does not exist, at the borders of every rule."""

import argparse

import pytest

from demur.cli import build_parser
from demur.cli.proposals import (
    nearest,
    too_many,
    unknown_choice,
    unknown_command,
    unknown_option,
)


@pytest.mark.parametrize(
    ("given", "names", "near"),
    [
        ("abcdefgxyz", ["abcdefguvw"], ["abcdefguvw"]),  # 7 of 10 letters
        ("abcdefwxyz", ["abcdefrstu"], []),
        ("ab", ["ab-1", "ab-22"], ["ab-1", "ab-22"]),
        ("--ab", ["--ab-22", "--ab-1", "--xab"], ["--ab-1", "--ab-22", "--xab"]),
        ("abcd", ["abcd1", "abcd2", "xabcd"], ["abcd1", "abcd2", "xabcd"]),
        ("abcd", [*("abcd1", "abcd2", "abcd3"), "xabcd"], ["abcd1", "abcd2", "abcd3"]),
        (
            "abcd",
            [*("abcd1", "abcd2", "abcd3", "abcd4"), "xabcd", "yabcd"],
            ["abcd1", "abcd2", "abcd3", "abcd4"],
        ),
        (
            "abcd",
            ["vabcd", "wabcd", "xabcd", "yabcd"],
            ["vabcd", "wabcd", "xabcd"],
        ),
        ("costs", ["very-long-cost"], ["very-long-cost"]),
        ("cos", ["very-long-cost"], ["very-long-cost"]),
        ("cot", ["very-long-cost"], []),
        ("long-cos", ["very-cost-longest"], ["very-cost-longest"]),
        ("long-xyz", ["very-cost-longest"], []),
        ("lo-cos", ["xxxxxxxx-cost-longest"], []),  # two letters say too little
        ("lon-cos", ["xxxxxxxx-cost-longest"], ["xxxxxxxx-cost-longest"]),
        ("longer-cos", ["xxxxxxxx-cost-lo"], []),
    ],
)
def test_names_that_begin_so_come_first_then_some_that_are_alike(given, names, near):
    assert nearest(given, names) == near


def parser(*options: str, **files: str) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="p", add_help=False)
    for option in options:
        made.add_argument(option, help=f"what {option} is (more); and more, 5 %%")
    for name, nargs in files.items():
        made.add_argument(name, nargs=nargs, metavar=name.upper())
    return made


@pytest.mark.parametrize(
    ("options", "word", "line"),
    [
        (["--at"], "--att", "did you mean --at?"),
        (["--cost-a"], "--cost", "did you mean --cost-a?"),
        (
            ["--cost-a", "--cost-b"],
            "--cost=1",
            "did you mean --cost-a (what --cost-a is) or --cost-b (what --cost-b is)?",
        ),
        (
            ["--cost-a", "--cost-b", "--cost-c"],
            "--cost",
            "did you mean --cost-a (what --cost-a is), --cost-b (what --cost-b is) or "
            "--cost-c (what --cost-c is)?",
        ),
        (
            ["--cost-a", "--cost-b", "--cost-c", "--cost-d"],
            "--cost",
            "did you mean --cost-a, --cost-b, --cost-c or --cost-d?",
        ),
        (["-o", "--out"], "--o", "did you mean --out?"),
        (["--x"], "-x", "did you mean --x?"),
        (["-o"], "--zzz", ""),
    ],
)
def test_an_option_that_is_none_is_answered_with_the_near_ones(options, word, line):
    name = word.partition("=")[0]
    end = f"; {line}" if line else ""
    assert unknown_option(parser(*options), [word]) == f"{name} is no option{end}"


def test_the_first_word_that_is_no_option_is_told():
    known = parser("--at", "-o")
    for words in (
        *(["--at", "1"], ["--at=1"], ["-o1"], ["file", "-"], ["-1.5"], ["-a b"]),
        *(["--", "--zzz"], ["file"], []),
    ):
        assert unknown_option(known, words) is None, words
    assert unknown_option(known, ["f", "--yyy", "--zzz"]) == "--yyy is no option"
    whole = build_parser([])
    assert unknown_option(whole, ["curve", "--zzz"]) is None  # the command's to say
    assert "here; those of a command stand" in str(unknown_option(whole, ["--zzz"]))


def test_commands_and_choices():
    action = argparse.Action([], "x", choices=["curve", "score"], metavar="VERB")
    assert unknown_command(action, "cruve") == "'cruve' is no verb; did you mean curve?"
    assert unknown_command(action, "zzz") == "'zzz' is no verb; there are curve, score"
    assert unknown_choice(1, [2, "three"]) == "must be one of 2, three; got 1"
    two = unknown_choice("thre", ["three", "there"])
    assert two == "must be one of three, there; got 'thre'. Did you mean 'three'?"


@pytest.mark.parametrize(
    ("files", "typed", "line"),
    [
        ({"one": None}, ["a", "b"], "'b': more than is expected"),
        ({"one": None, "many": "+"}, ["a", "b"], "'b': name all MANY side by side"),
        ({"many": "*"}, ["a", "b"], "'b': name all MANY side by side"),
        ({"one": "?"}, ["a", "b"], "'b': more than is expected"),
        (
            {"many": "+"},
            ["a", "--flag", "b"],
            "'b': name all MANY side by side (--flag takes no value)",
        ),
        ({"one": None}, ["--at", "1", "b"], "'b': more than is expected"),
        (
            {"one": None},
            ["--flag", "b"],
            "'b': more than is expected (--flag takes no value)",
        ),
    ],
)
def test_words_that_are_left_over(files, typed, line):
    made = parser("--at", **files)
    made.add_argument("--flag", action="store_true")
    assert too_many(made, ["b"], typed) == line
    both = too_many(made, ["b", "c"], [*typed, "c"])
    assert both == line.replace("'b'", "'b' and 'c'")
