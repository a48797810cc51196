"""What commands share at their ends, and small functions of single commands."""

import argparse
from types import SimpleNamespace
from typing import Any

import pytest

import demur
from builders import graded, printed, printed_json, refuses, run, write_records
from demur.cli import agree_command, shared
from demur.cli.options import typed
from demur.cli.shared import WrongUsage
from demur.results.gates import parse_gate

LABELS = demur.label_scores(references=[*"xyxy"], hypotheses=[*"xyyy"], system="s")


def ended(capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, str, str]:
    usual = {"json": False, "wide": False, "page": None, "fail_if": [], "typed": ""}
    code = shared.finish(LABELS, argparse.Namespace(**{**usual, **options}))
    out, err = capsys.readouterr()
    return code, out, err


def test_a_result_is_printed_written_and_held(capsys, tmp_path):
    assert ended(capsys) == (0, f"{LABELS}\n", "")
    assert ended(capsys, wide=True) == (0, f"{LABELS.to_text(wide=True)}\n", "")
    code, out, _ = ended(capsys, json=True)
    assert (code, out.startswith('{"demur": ')) == (0, True)
    page = tmp_path / "p.html"
    code, _, err = ended(capsys, page=str(page), typed="demur metrics labels")
    assert (code, err) == (0, f"demur: wrote {page}\n")
    assert "demur metrics labels" in page.read_text("utf-8")
    gates = {text: parse_gate(text) for text in ("accuracy < 0.9", "accuracy < 0.5")}
    code, _, err = ended(capsys, fail_if=[gates["accuracy < 0.9"]])
    assert code == 1
    assert err.startswith("demur: gate broken: s: accuracy is 0.75, must not be < 0.9")
    assert ended(capsys, fail_if=[gates["accuracy < 0.5"]])[::2] == (0, "")
    code, _, err = ended(capsys, fail_if=[*gates.values()] * 2)
    assert (code, err.count("\n")) == (1, 2)
    code, out, _ = ended(capsys, where=[("t", "a"), ("t", "b"), ("u", "")])
    assert "|where:t=a or b, u=|" in "".join(out.split("\n")) + "|"


def test_what_is_let_through_stands_by_column():
    pairs = [("t", "a"), ("u", "c"), ("t", "b")]
    assert shared.by_column(pairs) == {"t": ["a", "b"], "u": ["c"]}
    given: Any = SimpleNamespace(
        where=pairs, max_size=7, seed=1, log=None, columns="item=id"
    )
    read = {"where": shared.by_column(pairs), "log": None, "columns": "item=id"}
    assert shared.how_read(given) == {**read, "max_size": 7}
    assert shared.named(given, "seed", "max_size") == {"seed": 1, "max_size": 7}
    assert shared.with_selection(LABELS, argparse.Namespace(where=[])) is LABELS
    assert shared.with_selection(LABELS, argparse.Namespace()) is LABELS


def test_gates_are_checked_before_any_work():
    for text, need in (("acuracy < 1", "a figure"), ("accuracy < 0", "the limit")):
        given: Any = SimpleNamespace(command="metrics", fail_if=[parse_gate(text)])
        with pytest.raises(WrongUsage) as problem:
            shared.check_gates(given, iter(LABELS.KINDS))
        assert str(problem.value).startswith(f"metrics: --fail-if: {need} must be")
    both = [parse_gate("accuracy < 0.5"), parse_gate("accuracy > 0.5")]
    shared.check_gates(SimpleNamespace(command="c", fail_if=both), iter(LABELS.KINDS))  # type: ignore[arg-type]


def test_a_picture_is_drawn_only_if_it_is_asked_for(tmp_path, capsys):
    asked: list[int] = []

    def make() -> Any:
        asked.append(1)
        return demur.plot_curves(demur.error_return(graded([0, 1], [1, 2])))

    shared.draw(make, None)
    assert (asked, capsys.readouterr().err) == ([], "")
    target = tmp_path / "a.svg"
    shared.draw(make, str(target))
    assert (asked, capsys.readouterr().err) == ([1], f"demur: wrote {target}\n")


@pytest.mark.parametrize(
    ("kind", "text", "need"),
    [
        ("page", "p.htm", ""),
        ("page", "p.txt", "must end in .html"),
        ("picture", "p.PNG", ""),
        ("picture", "p.gif", "must end in .png"),
        ("target", "-", ""),
        ("target", "o.csv.gz", ""),
        ("target", "o.txt", "must end in .jsonl"),
        ("record_target", "-", ""),
        ("record_target", "o.csv", "must end in .jsonl"),
        ("record_file", "-", "must end in .jsonl"),
        ("record_file", "o.jsonl", ""),
        ("parsed_gate", "error >", "gate"),
    ],
)
def test_paths_say_what_they_hold(kind, text, need):
    if need:
        with pytest.raises(argparse.ArgumentTypeError, match=need):
            getattr(typed, kind)(text)
    else:
        assert getattr(typed, kind)(text) == text


# -- agree, report, lint, demo -----------------------------------------------------


@pytest.mark.parametrize(
    ("value", "members"),
    [
        ("a;b", {"a", "b"}),
        (" a ; b;", {"a", "b"}),
        ("a;a", {"a"}),
        ("a", {"a"}),
        ("{}", set()),
        (" {} ", set()),
        (";", set()),
    ],
)
def test_sets_are_written_with_a_separator(value, members):
    assert agree_command._set(value, ";") == frozenset(members)
    for plain in (None, "", " ", 3, ["a;b"]):
        assert agree_command._set(plain, ";") is plain
    record = {"unit": "u;v", "item": "i;j", "annotator": "x;y", "cluster": "c;d"}
    ((place, made),) = agree_command._with_sets(
        iter([("p", {**record, "label": value})]), ";"
    )
    assert (place, made) == ("p", {**record, "label": frozenset(members)})


def test_alphas_are_those_of_the_metrics_that_are_asked_for():
    def names(metrics: Any) -> set[str]:
        kinds = agree_command._kinds(metrics, None)
        return {kind.name for kind in kinds if kind.name.startswith("alpha")}

    everything = names(None)
    assert names(["nominal"]) < names(["nominal", "jaccard"])
    assert "alpha jaccard" in everything
    assert "alpha" in names(["interval"])
    assert "alpha interval" not in everything
    assert "alpha interval" in names(["interval"])


@pytest.fixture
def outcomes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"item": row, "system": name, "correct": (row + place) % 3 > 0, "t": "x"}
        | {"confidence": (row * 7 % 10) / 10}
        for place, name in enumerate("ab")
        for row in range(10)
    ]
    return write_records(tmp_path / "o.jsonl", rows)


def test_a_report_says_where_it_went_and_what_is_in_it(outcomes):
    one = ["--where", "t=x", "--where", "system=a"]
    told = run("report", outcomes, *one, "--by", "t")
    assert told.code == 0
    assert told.err.startswith("demur: wrote report.html (0.")
    assert told.err.endswith(" MB); open it in a browser\n")
    plain = printed_json("report", outcomes, *one, "-o", "p.htm", "--title", "T")
    assert (plain["title"], plain["path"]) == ("T", "p.htm")
    with open("report.html", encoding="utf-8") as page:  # noqa: PTH123
        assert "--where t=x" in page.read()
    for pair in ("a", "a,b,c"):
        wrong = run("report", outcomes, "--compare", pair)
        assert wrong.code == 2
        assert "--compare must be two systems" in wrong.err


def test_lint_holds_gates_on_meanings_only_with_meanings(tmp_path):
    path = write_records(tmp_path / "g.jsonl", [{"item": 1, "reference": "a"}])
    told = run("lint", path, "--fail-if", "uncited-meaning > 0")
    assert (told.code, "must come with --meanings" in told.err) == (2, True)
    assert run("lint", path, "--fail-if", "findings > 99").code == 0


def test_the_demo_stops_at_the_first_step_that_fails(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    steps: list[list[str]] = []

    def step(words: list[str]) -> int:
        steps.append(words)
        return 3 if len(steps) == 2 else 0

    from demur.cli import build_parser, demo_command

    monkeypatch.setattr("demur.cli.main", step)
    given = build_parser(["demo"]).parse_args(["demo"])
    assert demo_command.run(given) == 3
    assert [words[0] for words in steps] == ["judge", "curve"]
    assert "demur-demo/responses.jsonl" in steps[0]
    assert {path.name for path in (tmp_path / "demur-demo").iterdir()} == {
        *("references.jsonl", "responses.jsonl")
    }


def test_merging_to_standard_output_reports_beside_it(tmp_path):
    paths = [
        write_records(tmp_path / f"{name}.jsonl", [{"item": name, "reference": "x"}])
        for name in "ab"
    ]
    told = run("merge", *paths, "-o", "-")
    assert told.out.count("\n") == 2
    assert told.err
    assert printed("merge", *paths, "-o", tmp_path / "m.jsonl").strip()


def test_scores_leave_out_what_any_condition_names(outcomes):
    whole = printed_json("score", outcomes)
    without = printed_json(
        "score", outcomes, "--leave-out", "item=1", "--leave-out", "item=2"
    )
    items = [{one["items"] for one in plain["scores"]} for plain in (whole, without)]
    assert items == [{10}, {8}]
    refuses("must hold at least one", demur.report, [])
