"""Which options go together, which figures gates may name, what a command is asked."""

import argparse
import shlex
from importlib import import_module
from typing import Any

import pytest

import demur
from builders import judge_files, printed, printed_json, refuses, run, write_records
from demur import answers
from demur.cli import build_parser
from demur.cli.judge_command import with_databases
from demur.cli.shared import WrongUsage


def parsed(text: str) -> argparse.Namespace:
    words = shlex.split(text)
    return build_parser(words[:1]).parse_args(words)


CHOOSE = "choose o --max-error 0.1"
SURE = f"{CHOOSE} --certainty 0.9"
COMPARE = "compare o"
PIPELINE = "pipeline p.toml"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (f"{CHOOSE} --plot a.png", "--plot must come with --prices"),
        ("choose o --prices --plot a.png", ""),
        ("choose o --balance --plan", "--plan must come with --max-error"),
        (f"{CHOOSE} --plan", "--plan must come with --certainty"),
        ("choose --max-error 0 --certainty 0.9 --plan", ""),
        ("choose o --balance --certainty 0.9", "--certainty must come with --max-err"),
        (SURE, ""),
        ("choose o --balance --of answered", "--of must come with --max-error"),
        (f"{CHOOSE} --of answered", ""),
        (
            "choose o --balance --max-nonreturn 0",
            "--max-nonreturn must come with --max",
        ),
        (f"{CHOOSE} --max-nonreturn 0", "--max-nonreturn must come with --certainty"),
        (f"{SURE} --max-nonreturn 0 --of answered", "must come with --of all"),
        (f"{SURE} --max-nonreturn 0", ""),
        ("choose o --balance --each t", "--each must come with --max-error"),
        (f"{CHOOSE} --each t", "--each must come with --certainty"),
        (f"{SURE} --each t --of answered", "--each must come with --of all"),
        (f"{SURE} --each t", ""),
        (f"{CHOOSE} --max-cluster 2", "--max-cluster must come with --lock"),
        (f"{CHOOSE} --max-cluster 2 --lock l", ""),
        (f"{CHOOSE} --seed 0", "--seed must come with --split"),
        (f"{CHOOSE} --seed 0 --split 0.5", ""),
        (f"{CHOOSE} --gold g --lock l", "--lock must come without --gold"),
        (f"{CHOOSE} --gold g", ""),
        (f"{CHOOSE} --lock l", ""),
        ("choose --balance", "files of outcomes must be named"),
        *(
            (f"choose {{}} {option}", f"{option.split()[0]}.")
            for option in (
                *("--by t", "--each t", "--gold g"),
                *("--lock l", "--max-nonreturn 0"),
            )
        ),
        *(
            (f"choose o {whole} {option}", refused and f"{option.split()[0]}.")
            for whole, refused in (
                ("--prices", ""),
                ("--max-error 0.1 --certainty 0.9 --plan", "refused"),
            )
            for option in ("--held-out h", "--split 0.5")
        ),
        ("choose o --prices --certainty 0.9", "got --certainty."),
        ("choose o --prices --of answered", "got --of."),
        ("choose --max-error 0 --certainty 0.9 --plan --of answered", ""),
        ("choose --max-error 0 --certainty 0.9 --plan --where a=b", "got --where."),
        ("choose o --max-error 0 --certainty 0.9 --plan --where a=b", ""),
        ("choose o --prices --where a=b", ""),
        ("curve o --baseline majority", "come together; got only --baseline"),
        ("curve o --markable w", "come together; got only --markable"),
        ("curve o --baseline majority --markable w", ""),
        ("curve o --gold g --band sup-t --json", "--gold must come without --band"),
        ("curve o --gold g", ""),
        ("curve o --band sup-t", "--band must come with --plot or --json"),
        ("curve o --band sup-t --json", ""),
        ("curve o --band sup-t --plot a.png", ""),
        ("curve o --fail-if 'corrected_error > 0' --gold g", ""),
        ("curve o --fail-if 'error > 0' --fail-if 'b worse than a'", ""),
        (f"{PIPELINE} --sweep m --replace m", "--replace must not stand with --sweep"),
        (f"{PIPELINE} --plant m -o o.csv", "--output must not stand with --plant"),
        (
            f"{PIPELINE} --explain d:1 --fail-if 'strict < 1'",
            "--fail-if must not stand",
        ),
        (f"{PIPELINE} --explain d:1 --plot a.png", "--plot must not stand with --exp"),
        (f"{PIPELINE} --explain d:1 --page a.html", "--page must not stand with --exp"),
        (f"{PIPELINE} --plant m --plot a.png --page a.html", ""),
        (f"{PIPELINE} --sweep m --source a", "--source must come with --replace or"),
        (f"{PIPELINE} --plant m --source a", ""),
        (
            f"{PIPELINE} --plant m --source a --source b",
            "must be one with --plant; got 2",
        ),
        (f"{PIPELINE} --source a --source b", ""),
        (f"{PIPELINE} --plant m --given a=b", "--given must not stand with --plant"),
        (f"{PIPELINE} --sweep m --given a=b", ""),
        (
            f"{PIPELINE} --cutoff 0.5",
            "--cutoff must come with --sweep and --state free",
        ),
        (f"{PIPELINE} --cutoff 0.5 --sweep m --state corrected", "--cutoff must come"),
        (f"{PIPELINE} --cutoff 0.5 --state free", "--cutoff must come with --sweep"),
        (f"{PIPELINE} --cutoff 0.5 --sweep m --state free", ""),
    ],
)
def test_options_that_say_nothing_together_are_refused(text, refused):
    for whole in ("--prices", "--max-error 0.1 --certainty 0.9 --plan"):
        given = parsed(text.format(f"o {whole}"))
        module = import_module(f"demur.cli.{given.command}_command")
        check = getattr(module, "_check_together", None) or module._check
        if refused:
            with pytest.raises(WrongUsage) as problem:
                check(given)
            assert refused in str(problem.value)
        else:
            check(given)
        if "{}" not in text:
            break


def kinds(text: str, **how: Any) -> list[str]:
    given = parsed(text)
    module = import_module(f"demur.cli.{given.command}_command")
    return [kind.name for kind in module._kinds(given, **how)]


@pytest.mark.parametrize(
    ("text", "there", "absent"),
    [
        (CHOOSE, "error", "bound cost score corrected_error"),
        (SURE, "bound", "cost score corrected_error"),
        (f"{CHOOSE} --gold g", "corrected_error", "bound cost score"),
        ("choose o --cost-ratio 0", "cost", "bound score"),
        ("choose o --wrong-costs 2", "cost", "bound score"),
        ("choose o --confidence-target 0", "cost", "bound score"),
        ("choose o --score omniscience-index", "score", "bound cost"),
        ("curve o --contrast --fold f", "error", "auroc brier pooled_area"),
        ("curve o --fail-if 'error > 0'", "error", "auroc brier"),
        ("curve o --contrast --fail-if 'error > 0'", "auroc", "brier"),
        ("curve o --calibration --fail-if 'error > 0'", "brier", "auroc"),
        ("curve o --target 0.5 --fail-if 'error > 0'", "brier", "auroc"),
        (COMPARE, "adjusted_p error_a error_b", "nonreturn nonreturn_a nonreturn_b"),
        (f"{COMPARE} --at-error 0", "nonreturn nonreturn_a nonreturn_b", ""),
        (PIPELINE, "strict strict_free blame_*", ""),
        (f"{PIPELINE} --state both", "strict strict_free blame_*", ""),
        (f"{PIPELINE} --state corrected", "strict blame_*", "strict_free"),
        (f"{PIPELINE} --state free", "strict_free", "strict blame_*"),
        (f"{PIPELINE} --no-attribution", "strict", "blame_*"),
    ],
)
def test_gates_may_name_the_figures_that_there_will_be(text, there, absent):
    names = set(kinds(text))
    assert set(there.split()) <= names
    assert not names & set(absent.split())


def test_figures_of_plans_prices_and_many_systems():
    assert len(kinds("choose o --balance --by t")) > len(kinds("choose o --balance"))
    plan = "--max-error 0.1 --certainty 0.9 --plan"
    assert (len(kinds(f"choose o {plan}")), len(kinds(f"choose {plan}"))) == (2, 1)
    assert kinds("choose o --prices") == [kind.name for kind in demur.PriceList.KINDS]
    at = f"{COMPARE} --at-error 0"
    two, many = set(kinds(at, many=False)), set(kinds(at, many=True))
    assert set(kinds(at)) - two == {"adjusted_p"}
    assert two - many == {"error_a", "error_b", "nonreturn_a", "nonreturn_b"}
    assert "nonreturn" in many
    most = {
        kind.name: (kind.least, kind.most)
        for kind in import_module("demur.cli.compare_command")._kinds(
            parsed(f"{COMPARE} --at 0.2")
        )
    }
    assert most["difference"] == (-0.8, 0.8)
    assert most["error_a"] == most["error_b"] == most["worse"] == (0.0, 0.8)


@pytest.mark.parametrize(
    ("text", "count", "refused"),
    [
        ("", 100, ""),
        ("", 101, "--against must come with more than 100 systems; got 101"),
        ("--against a", 101, ""),
        ("--plot a.png", 3, "--plot must come with two systems; got 3 systems"),
        ("--band", 3, "--band must come with two"),
        ("--plan 0.1", 3, "--plan must come with two"),
        ("--margin 0.1", 3, "--margin must come with two"),
    ],
)
def test_many_systems_have_no_picture_and_not_too_many_pairs(text, count, refused):
    check = import_module("demur.cli.compare_command")._check_many
    if refused:
        refuses(refused, check, count, parsed(f"{COMPARE} {text}"))
    else:
        check(count, parsed(f"{COMPARE} {text}"))


def test_differences_have_to_fit_the_nonreturn():
    check = import_module("demur.cli.compare_command")._check_sizes
    for option in ("--margin", "--plan"):
        check(parsed(f"{COMPARE} {option} 0.8"))
        refuses(f"compare: {option}", check, parsed(f"{COMPARE} {option} 0.81"))
        refuses(option, check, parsed(f"{COMPARE} {option} 0.5 --at 0.6"))


# -- compare -----------------------------------------------------------------------


@pytest.fixture
def two(tmp_path):
    """Files of two systems, the second without a name."""
    made = []
    for name, wrong in (("a", 3), ("", 9)):
        rows = [
            {
                "item": row,
                "system": name,
                "outcome": "wrong" if row < wrong else "right",
                "confidence": row / 20,
            }
            for row in range(20)
        ]
        made.append(write_records(tmp_path / f"{name or 'b'}.jsonl", rows))
    return made


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("--fail-if 'b worse than a'", 1, "gate broken: "),
        ("--fail-if 'a worse than b'", 0, "gate holds: "),
        ("--fail-if 'a not worse than b by 0.1'", 0, "gate holds: "),
        ("--fail-if 'b not worse than a by 0.1 @0.2'", 1, "gate broken: "),
        (
            "--fail-if 'b not worse than a by 0.1' --method permutation",
            2,
            "an interval",
        ),
        ("--fail-if 'b worse than a' --method permutation", 1, "gate broken"),
        ("--fail-if 'b worse than c'", 4, "a system must be one of a, b"),
        ("--against a", 2, "--against must come with more than two systems"),
        ("--fail-if 'adjusted_p < 0.5'", 2, "adjusted_p"),
        ("--gold none", 4, "none"),
    ],
)
def test_two_systems_and_their_gates(words, code, said, two):
    ended = run("compare", *two, "--at", 0, *shlex.split(words))
    assert ended.code == code, ended.err
    assert said in ended.err
    assert ended.err.count("\n") == 1


def test_systems_are_called_by_their_files_if_they_have_no_name(two):
    plain = printed_json("compare", *two)
    assert (plain["a"], plain["b"]) == ("a", "b")
    assert not plain.keys() & {"band", "plan"}
    ended = run("compare", two[0])
    assert "the outcomes must hold two systems; got 1" in ended.err
    for same in ([two[0], two[0]], [two[1], two[1]]):
        assert "the systems must differ in name" in run("compare", *same).err
    beside = printed_json("compare", *two, "--band", "--plan", "0.1")
    assert beside.keys() >= {"band", "plan"}


# -- judge -------------------------------------------------------------------------


def test_databases_are_asked_only_where_the_comparator_needs_them():
    for option in (
        *("--db-root d", "--timeout 3", "--cache c", "--workers 1", "--maximum none"),
    ):
        given = parsed(f"judge r g {option}")
        name = option.split()[0]
        refuses(f"{name} must be given with --by sql", with_databases, given)
    assert with_databases(parsed("judge r g")) == answers.text()
    usual = with_databases(parsed("judge r g --by sql"))
    asked = with_databases(parsed("judge r g --by sql --maximum none"))
    assert "maximum=none" in str(asked)
    assert "maximum=none" not in str(usual)


def test_one_item_is_explained_without_gates(tmp_path):
    command = judge_files(
        tmp_path,
        [
            {"item": "q", "system": name, "response": text, "response_id": 1}
            for name, text in (("a", "Oslo"), ("b", "Rome"), ("c", None))
        ]
        + [{"item": "o", "system": name, "response": "Oslo"} for name in "abc"],
        [{"item": item, "reference": "Oslo", "topic": "x"} for item in ("q", "o")],
    )
    for option in ("--fail-if 'error > 0'", "--page p.html"):
        ended = run(*command, "--explain", "q", *shlex.split(option))
        assert ended.code == 2
        assert "--explain must come without --fail-if and --page" in ended.err
    told = printed(*command, "--explain", "q")
    first, *others = told.split("\n\n")
    assert "item: q" in first
    assert "topic: x" in first
    assert [part.split("\n")[0] for part in others] == [
        *("system: a", "system: b", "system: c")
    ]
    assert "reason_code" not in told
    plain = printed_json(*command, "--explain", "q")
    assert [one["outcome"] for one in plain["judged"]] == [
        *("right", "wrong", "unanswered")
    ]
    assert all("reason_code" in one for one in plain["judged"])
    ended = run(*command, "--explain", "Q")
    assert "--explain must name an item that was judged; got 'Q'" in ended.err


def test_what_is_judged_is_counted_for_each_system_and_gated(tmp_path):
    command = judge_files(
        tmp_path,
        [
            {"item": item, "system": name, "response": text}
            for name, text in (("a", "Oslo"), ("b", "Rome"))
            for item in (1, 2)
        ],
        [{"item": item, "reference": "Oslo"} for item in (1, 2)],
    )
    plain = printed_json(*command)
    assert (plain["items"], plain["right"], plain["wrong"]) == (4, 2, 2)
    assert [(one["system"], one["right"]) for one in plain["systems"]] == [
        *(("a", 2), ("b", 0))
    ]
    assert run(*command, "--fail-if", "a: error > 0").code == 0
    assert run(*command, "--fail-if", "error > 0.5").code == 1
    (tmp_path / "out").mkdir()
    for target in ("o.csv", "-"):
        place = tmp_path / "out" / target if target != "-" else target
        ended = run(*command, "-o", place)
        assert ended.code == 0
        assert ("items" in ended.err) == (target == "-")


def test_cells_that_a_spreadsheet_would_run_are_counted(tmp_path):
    command = judge_files(
        tmp_path,
        [
            {"item": item, "response": text}
            for item, text in enumerate(["=1", "+1", "x"])
        ],
        [{"item": item, "reference": "x"} for item in range(3)],
    )
    target = tmp_path / "o.csv"
    err = run(*command, "-o", target).err
    assert err.startswith(f"demur: {target}: 2 cells begin with")
    assert run(*command[:2], *command[2:], "-o", tmp_path / "o.jsonl").err == ""


# -- difficulty --------------------------------------------------------------------


@pytest.fixture
def tokens(tmp_path):
    path = tmp_path / "tokens.csv"
    rows = ["word,sense,doc,beside"]
    rows += [
        f"run,{'go' if row % 3 else 'do'},{row % 5},w{row % 3}" for row in range(30)
    ]
    rows += [f"set,{'x' if row % 2 else 'y'},{row % 5},v" for row in range(10)]
    path.write_text("\n".join(rows) + "\n")
    return ["difficulty", str(path), "--markable", "word", "--value", "sense"]


@pytest.mark.parametrize(
    ("words", "versions", "methods", "scaled"),
    [
        ("", ["whole"], 0, False),
        ("--version 'hard: majority <= 0.6'", ["whole", "hard"], 0, False),
        ("--method majority", ["whole"], 1, False),
        (
            "--method majority --version 'hard: majority <= 0.6'",
            ["whole", "hard"],
            1,
            True,
        ),
    ],
)
def test_versions_and_methods_scale_only_together(
    words, versions, methods, scaled, tokens
):
    result = captured(*tokens, *shlex.split(words))
    assert list(result.versions) == versions
    assert (result.scalability is not None) == scaled
    assert list(result.methods) == versions[: len(versions) * methods]
    assert result.lacking is None


def captured(*words: str) -> Any:
    """The result that a command ends with."""
    results: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        finish = "demur.cli.shared.finish"
        patch.setattr(finish, lambda result, _: results.append(result) or 0)
        ended = run(*words)
    assert ended.code == 0, ended.err
    return results[0]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("hard: majority <= 0.6", False),
        ("hard: drop 1; majority <= 0.6;", False),
        ("hard", True),
        ("hard:", True),
        ("hard: ;", True),
        (": drop 1", True),
        (" : drop 1", True),
    ],
)
def test_a_version_has_a_name_and_steps(text, refused, tokens):
    ended = run(*tokens, "--version", text)
    assert (ended.code == 2) == refused
    assert ("--version must read like" in ended.err) == refused


def test_steps_drop_ranks_or_keep_what_holds(tokens):
    counts = {
        steps: len(
            captured(*tokens, "--version", f"v: {steps}").versions["v"].per_markable
        )
        for steps in ("majority <= 0.6", "drop 2", "drop 9", "items >= 20")
    }
    assert counts == {"majority <= 0.6": 1, "drop 2": 2, "drop 9": 2, "items >= 20": 1}
    dropped = captured(*tokens, "--version", "v: drop 2").versions["v"]
    assert sum(one.items for one in dropped.per_markable) == 25
    assert run(*tokens, "--version", "v: drop x").code == 4
    lacking = captured(*tokens, "--against", tokens[1]).lacking
    assert lacking is not None


# -- recheck -----------------------------------------------------------------------


@pytest.fixture
def locked(tmp_path):
    """A lock of two systems, with a target or without, and further outcomes."""

    def rows(name: str, wrong: int, first: int) -> list[dict[str, Any]]:
        return [
            {
                "item": first + row,
                "system": name,
                "outcome": "wrong" if row < wrong else "right",
                "confidence": row / 100,
            }
            for row in range(100)
        ]

    made: dict[str, str] = {}
    old = write_records(tmp_path / "old.jsonl", rows("a", 5, 0) + rows("b", 5, 0))
    for name, rule in (
        ("target", ["--max-error", "0.2"]),
        ("none", ["--nonreturn", "0"]),
    ):
        made[name] = str(tmp_path / f"{name}.json")
        assert run("choose", old, *rule, "--lock", made[name]).code == 0
    made["both"] = write_records(
        tmp_path / "new.jsonl", rows("a", 4, 100) + rows("b", 70, 100)
    )
    made["a"] = write_records(tmp_path / "a.jsonl", rows("a", 4, 100))
    made["c"] = write_records(
        tmp_path / "c.jsonl", rows("a", 4, 100) + rows("c", 1, 100)
    )
    return made


@pytest.mark.parametrize(
    ("lock", "new", "gate", "code", "said"),
    [
        ("target", "both", "", 0, ""),
        ("target", "both", "broken", 1, "gate broken: b: broken"),
        ("target", "both", "a: broken", 0, ""),
        ("target", "both", "error > 0.9", 0, ""),
        ("none", "both", "error > 0.9", 0, ""),
        ("none", "both", "broken", 4, "have locks with a target; got none for a, b."),
        ("none", "both", "a: broken", 4, "have locks with a target; got none for a."),
        ("target", "a", "", 0, "locked but not among the outcomes: b"),
        ("target", "a", "broken", 1, "broken: b: broken, locked but not among"),
        ("target", "c", "", 0, "not locked, so not checked: c (100 outcomes)"),
    ],
)
def test_locks_are_checked_as_gates_ask(lock, new, gate, code, said, locked):
    how = ["--fail-if", gate] if gate else []
    ended = run("recheck", locked[lock], locked[new], *how)
    assert ended.code == code, ended.err
    assert said in ended.err
    if code == 0 and not said:
        assert ended.err == ""


# -- curve -------------------------------------------------------------------------


def test_errors_are_corrected_between_the_ends_of_a_curve(tmp_path):
    rows = [
        {
            "item": row,
            "outcome": "unanswered" if row < 10 else "wrong" if row % 3 else "right",
            "confidence": None if row < 10 else row / 40,
            "people": None if row < 10 or row % 2 else ["right", "wrong"][row % 4 // 2],
        }
        for row in range(40)
    ]
    path = write_records(tmp_path / "o.jsonl", rows)
    plain = printed_json("curve", path, "--gold", "people", "--at", "0.1,0.25,0.5,1")
    (corrected,) = (one["corrected"] for one in plain["systems"])
    # It starts at 0.25: there, and where all is declined, is nothing more to say.
    assert [one["nonreturn"] for one in corrected] == [0.25, 0.5]
