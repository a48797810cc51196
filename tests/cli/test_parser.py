"""Options are written out and given once; what does not exist is proposed.

Over all commands and all their options, so that a new one is held to it, too.
"""

import argparse
import re

import pytest

from builders import parsers, run, stderr_of
from demur.cli import build_parser, main
from demur.cli.options import typed
from demur.cli.proposals import nearest, unknown_option

SAMPLES = ["0.5", "1", "0:1", "a=b", "x.jsonl", "x.png", "1GB", "text"]
SAMPLES += [
    "2027-03-01T12:00:00Z",
    "2027-03-01",
    "256",
    "omniscience-index",
    "x.html",
    "inspect",
    "final",
    "verbalised",
]
"""Values: one of them suits each option."""


PARSERS = dict(parsers(build_parser()))
ACTIONS = [
    (name, action)
    for name, parser in PARSERS.items()
    for action in parser._actions
    if action.option_strings
]
STORED = [
    pytest.param(name, action, id=f"{name} {action.option_strings[-1]}")
    for name, action in ACTIONS
    if action.nargs != argparse.REMAINDER  # which takes all that follows
    if not isinstance(
        action,
        argparse._AppendAction
        | argparse._ExtendAction
        | argparse._StoreTrueAction
        | argparse._StoreFalseAction
        | argparse._HelpAction,
    )
]
every_command = pytest.mark.parametrize("name", PARSERS)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line with which a call is refused as wrong usage."""
    with pytest.raises(SystemExit) as end:
        main(list(words))
    out, err = capsys.readouterr()
    assert (end.value.code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("demur: ")
    assert re.search(r"[.?] See demur( [a-z-]+)* --help\.\n$", err), err
    return err


def a_value(action: argparse.Action) -> str:
    """A value that the option takes."""
    if action.choices:
        return str(next(iter(action.choices)))
    for sample in SAMPLES:
        try:
            if callable(action.type):
                action.type(sample)
        except (argparse.ArgumentTypeError, ValueError):
            continue
        return sample
    pytest.fail(f"add a value that suits {action.option_strings} to SAMPLES")


# -- given twice -------------------------------------------------------------------


@pytest.mark.parametrize(("name", "action"), STORED)
def test_an_option_with_one_value_is_refused_when_given_twice(
    name, action, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)  # some options make a folder
    values = [a_value(action)] * (action.nargs or 1)
    first, last = action.option_strings[0], action.option_strings[-1]
    err = refused(capsys, *name.split(), first, *values, last, *values)
    both = f"{' '.join(values)!r}"
    assert f"{'/'.join(action.option_strings)} is given twice, {both} and {both}" in err
    assert err.startswith(f"demur: {name}: ")


def test_most_options_have_one_value():
    assert len(STORED) > 200


def test_both_values_are_named_and_the_way_out(capsys):
    words = ["reserve", "r.jsonl", "--stratify", "class", "--stratify=topic"]
    assert "--stratify is given twice, 'class' and 'topic'; give it once" in refused(
        capsys, *words
    )
    words = ["score", "o.jsonl", "--weights", "1", "--weights", "2,3"]
    assert "twice, '1' and '2,3'; several go with commas" in refused(capsys, *words)
    words = ["run", "m", "q.jsonl", "-o", "a.jsonl", "--output", "b.jsonl"]
    assert "-o/--output is given twice, 'a.jsonl' and 'b.jsonl'" in refused(
        capsys, *words
    )


def test_a_parser_remembers_nothing_of_the_call_before():
    parser = build_parser()
    for how in ("linear", "at_most"):
        assert parser.parse_args(["curve", "o", "--how", how]).how == how


def test_an_option_that_adds_up_says_so_in_its_help():
    silent = [
        f"{name} {action.option_strings[-1]}"
        for name, action in ACTIONS
        if isinstance(action, argparse._AppendAction | argparse._ExtendAction)
        and "may be repeated" not in str(action.help)
    ]
    assert not silent


def test_options_that_add_up_and_flags_may_be_repeated():
    parser = build_parser()
    words = ["lint", "r", "--meanings", "a", "--meanings", "b", "--json", "--json"]
    assert parser.parse_args(words).meanings == ["a", "b"]
    words = ["lint", "r", "--signs", "a", "--signs", "b"]
    assert parser.parse_args(words).signs == ["a", "b"]
    words = ["choose", "o", "--balance", "--held-out", "a", "b", "--held-out", "c"]
    assert parser.parse_args(words).held_out == ["a", "b", "c"]


# -- options that do not exist -----------------------------------------------------


@every_command
def test_no_option_may_be_shortened(name, capsys):
    options = {
        option
        for action in PARSERS[name]._actions
        if action.help is not argparse.SUPPRESS
        for option in action.option_strings
    }
    for option in sorted(options):
        shorter = {option[:end] for end in range(3, len(option))} - options
        for short in shorter:
            line = unknown_option(PARSERS[name], ["file", short, "1", "file"]) or ""
            assert line.startswith(f"{short} is no option; did you mean ")
            assert re.search(rf"{option}\b", line), line
    option = max(options, key=len)
    err = refused(capsys, *name.split(), "file", option[:-1], "1")
    assert err.startswith(f"demur: {name}: {option[:-1]} is no option; did you mean ")


@every_command
def test_an_option_like_no_other_is_refused_by_its_command(name, capsys):
    err = refused(capsys, *name.split(), "--qqq=1", "file")
    assert err == f"demur: {name}: --qqq is no option. See demur {name} --help.\n"


@pytest.mark.parametrize("option", ["--cost", "--costs", "--cost=10"])
def test_opposite_options_are_both_named_with_what_they_do(option, capsys):
    err = refused(capsys, "choose", "o.jsonl", option, "10")
    assert "--cost-ratio (least error + R x nonreturn: the cost of a non-return" in err
    assert "--wrong-costs (how many declined items a wrong answer costs" in err


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("--nonretrun", ["--nonreturn", "--max-nonreturn"]),
        ("--max-errors", ["--max-error"]),
        ("--error", ["--max-error"]),
        ("--error-max", ["--max-error"]),
        ("-json", ["--json"]),
        ("--max", ["--max-size", "--max-error", "--max-cluster", "--max-nonreturn"]),
        ("--xyz", []),
    ],
)
def test_near_options(given, near):
    options = [
        option
        for action in PARSERS["choose"]._actions
        for option in action.option_strings
    ]
    assert nearest(given, [option for option in options if len(option) > 2]) == near


def test_what_argparse_takes_for_a_value_is_no_unknown_option():
    parser = PARSERS["curve"]
    for words in (["-"], ["-1.5"], ["-inf"], ["-x > 3"], ["--", "--at"], ["-h"], []):
        assert unknown_option(parser, words) is None
    assert unknown_option(PARSERS["judge"], ["-oout.jsonl"]) is None


def test_a_wrong_value_is_told_before_what_is_missing(capsys):
    err = refused(capsys, "curve", "o.jsonl", "--at", "2", "--foo")
    assert "argument --at: must be from 0 to 1" in err
    err = refused(capsys, "curve", "o.jsonl", "--how", "linaer")
    assert (
        "--how: must be one of linear, at_most, at_least; got 'linaer'. "
        "Did you mean 'linear'? See demur curve --help." in err
    )


# -- commands, and words too many --------------------------------------------------


def test_the_nearest_command_is_proposed(capsys):
    assert refused(capsys, "comapre", "a", "--at", "2") == (
        "demur: 'comapre' is no command; did you mean compare? See demur --help.\n"
    )
    assert "'wrods' is no measure; did you mean words?" in refused(
        capsys, "metrics", "wrods", "t.csv"
    )
    assert "is no command; there are demo, help, doctor, " in refused(capsys, "qqq")


def test_options_of_a_command_stand_after_it(capsys):
    hint = "--at is no option here; those of a command stand after it"
    assert hint in refused(capsys, "--at", "0.1", "curve", "o.jsonl")
    hint = "--level is no option here; those of a measure stand after it"
    assert hint in refused(capsys, "metrics", "--level", "0.9", "words", "t.csv")
    assert "did you mean --version?" in refused(capsys, "--verison")


def test_words_too_many(capsys):
    err = refused(capsys, "choose", "a", "--balance", "b", "c")
    assert "choose: 'b' and 'c': name all OUTCOMES side by side (--balance" in err
    assert "demo: 'x': more than is expected. See" in refused(capsys, "demo", "x")


@every_command
def test_the_usage_fits_a_terminal(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = PARSERS[name].format_usage().splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert not any(line.lstrip().startswith("|") for line in lines)
    assert lines[-1].endswith("[options]")


def test_a_switch_that_is_given_a_value_says_so():
    err = stderr_of("choose", "a.csv", "--prices", "0.1,.3", code=2)
    assert "'0.1,.3': name all OUTCOMES side by side (--prices takes no value)" in err


def test_hints_name_options_of_the_command(tmp_path):
    table, references = tmp_path / "x.csv", tmp_path / "q.jsonl"
    table.write_text("item,gold,hyp\n1,a,b\n")
    assert "--ref COLUMN" in stderr_of("metrics", "labels", table)
    references.write_text('{"item": "q1", "sql": "SELECT 1"}\n')
    answers = tmp_path / "a.jsonl"
    answers.write_text('{"item": "q1", "response": "SELECT 1"}\n')
    assert "--by sql" in stderr_of("judge", answers, references)


# -- what options take -------------------------------------------------------------

NONE = "none"
TAKEN = {
    "seconds": {"0": NONE, "1e-9": 1e-9, "999999": 999999, "1000000": NONE, "x": NONE},
    "count": {"0": NONE, "1": 1, "12": 12, "-1": NONE, "1.0": NONE, "²": NONE},
    "whole_number": {"0": 0, "1": 1, "-1": NONE, "+1": NONE, "": NONE},
    "condition": {"a=b": ("a", "b"), "a=": ("a", ""), "a=b=c": ("a", "b=c")}
    | {"=b": NONE, "a": NONE},
    "given": {"a=b": ("a", "b"), "a=": NONE, "=b": NONE, "a": NONE},
    "rate": {
        "0": 0,
        "-0.1": NONE,
        "1": 1,
        "1.01": NONE,
        "nan": NONE,
        "20 %": 0.2,
        "0,2": 0.2,
        "120 %": NONE,
        "%": NONE,
        "5%%": NONE,
        "1,2,3": NONE,
    },
    "cutoff": {"0.7": 0.7, "0,7": 0.7, "70 %": 0.7, "-3": -3, "inf": NONE, "x": NONE},
    "cutoffs": {"0.7,0.9": [0.7, 0.9], "70%": [0.7], "": NONE, "0,7": NONE},
    "level": {"0.49": NONE, "0.5": 0.5, "0.99": 0.99, "1": NONE},
    "rates": {"0,0.5,1": [0, 0.5, 1], "0,,1": NONE, "0,1": NONE, "0, 1": [0, 1]},
    "weights": {"0": NONE, "0.5,2": [0.5, 2], "1,0": NONE, "inf": NONE},
    "positive": {
        "10:1": 10,
        "0:1": NONE,
        "0": NONE,
        "1e-300": 1e-300,
        "inf": NONE,
        "-1": NONE,
    },
    "cost_ratio": {
        "1:10": 0.1,
        "1:0": NONE,
        "1:": NONE,
        "0": 0,
        "-1e-9": NONE,
        "9": 9,
        "inf": NONE,
    },
    "share": {"0": NONE, "0.001": 0.001, "0.999": 0.999, "1": NONE},
    "difference": {"9e-10": NONE, "1e-9": 1e-9, "0.999": 0.999, "1": NONE},
    "size": {"1": 1, "0": NONE, "7kB": 7000, "7 MB": 7 * 10**6, "7gb": 7 * 10**9}
    | {"7TB": 7 * 10**12, "7KiB": 7 << 10, "7mib": 7 << 20, "7GiB": 7 << 30}
    | {"7TiB": 7 << 40, "7B": NONE, "GB": NONE, "1.5GB": NONE, "7kg": NONE},
    "memory": {"64MiB": 1 << 26, "67108863": NONE, "67108864": 1 << 26},
    "names": {"a, b": ["a", "b"], "a": ["a"], "a,": NONE, "": NONE},
    "region": {"0:1": (0, 1), "0.2:0.3": (0.2, 0.3), "0.2:0.2": NONE, "0.3:0.2": NONE}
    | {"0.2": NONE, "0:2": NONE},
}
"""What each kind of an option makes of texts: a value, or a refusal."""


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (kind, text, value)
        for kind, taken in TAKEN.items()
        for text, value in taken.items()
    ],
)
def test_options_take_what_is_within_their_bounds(kind, text, value):
    if value == NONE:
        with pytest.raises(argparse.ArgumentTypeError):
            getattr(typed, kind)(text)
    else:
        assert getattr(typed, kind)(text) == value


def test_concepts_are_value_sensitive_unless_they_are_named():
    concepts = {
        option
        for action in PARSERS["metrics concepts"]._actions
        for option in action.option_strings
    }
    assert {"--non-concept", "--value-insensitive"} <= concepts
    assert "--value-sensitive" not in concepts


@pytest.mark.parametrize(
    ("measure", "words", "absent"),
    [
        ("sets", "credit is the Jaccard index", "1 - errors"),
        ("decisive-step", "right if the step is", "1 - errors"),
        ("labels", "a control of Label Studio", "WebAnno"),
        ("spans", "of WebAnno a layer", "Jaccard"),
    ],
)
def test_help_of_a_measure_is_of_that_measure(measure, words, absent):
    text = " ".join(run("metrics", measure, "--help").out.split())
    assert words in text
    assert absent not in text
