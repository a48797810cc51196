"""The commands about answers and references: score, judge again, reserve, merge."""

import gzip
import json
from pathlib import Path

import pytest

import demur
from builders import (
    judge_files,
    printed,
    printed_json,
    read_records,
    run,
    stderr_of,
    write_records,
)
from demur import InputError, formats
from demur.cli.judge_command import explanation

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "air_travel"
QUESTIONS = str(EXAMPLE / "questions.jsonl")

# Right, wrong and none of classes A and D in the README of the example.
COUNTS = {
    "template": {"A": (40, 11, 14), "D": (9, 7, 7), "X": (0, 2, 9)},
    "bold": {"A": (42, 23, 0), "D": (10, 13, 0), "X": (0, 11, 0)},
}
REFERENCES = [
    {"item": "q1", "input": "Norway?", "reference": "Oslo", "subject": "s1"},
    {"item": "q2", "input": "Italy?", "reference": "Rome", "subject": "s2"},
]
RESPONSES = [
    {"item": item, "system": system, "response": text}
    for system, texts in (("a", ("Oslo", "Milan")), ("b", ("Bergen", None)))
    for item, text in zip(("q1", "q2"), texts, strict=True)
]
BERGEN = {
    "item": "q1",
    "by": "Ada",
    "why": "both are meant",
    "set": {"references": ["Oslo", "Bergen"]},
}


@pytest.fixture
def outcomes(tmp_path):
    rows = [
        {
            "item": f"{group}{number}",
            "system": system,
            "outcome": name,
            "class": group,
            **({"reason_code": "both_empty"} if name == "right" and not number else {}),
        }
        for system, groups in COUNTS.items()
        for group, counts in groups.items()
        for number, name in enumerate(
            name
            for name, count in zip(
                ("right", "wrong", "unanswered"), counts, strict=True
            )
            for _ in range(count)
        )
    ]
    return write_records(tmp_path / "outcomes.jsonl", rows)


# -- score -------------------------------------------------------------------------


def test_score_prints_counts_weighted_errors_and_places(outcomes):
    code, out, err = run(
        *("score", outcomes, "--by", "class", "--leave-out", "class=X"),
        *("--weights", "1,2"),
    )
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines()[:-1])) <= 80
    rows = [line.replace(" %", "").split() for line in out.splitlines()]
    assert ["template", "A", "65", "40", "1", "11", "14", "61.5"] in [
        r[:8] for r in rows
    ]
    assert ["bold", "all", "88", "52", "2", "36", "0", "59.1", "40.9"] in rows
    assert ["bold", "all", "0.0"] in rows
    assert [row for row in rows if row[:4] == ["template", "all", "1", "44.3"]]
    # 18 errors and 21 silences against 36 errors: weight 21/18.
    assert ["all", "0", "1.167", "bold"] in rows
    assert ["all", "3.722", "inf", "never", "answer"] in rows
    assert ["all", "template", "bold", "1.167", "bold", "template"] in rows
    assert "note: 11 items with class=X not scored, even where answered" in out
    assert "ungraded" not in out


def test_score_of_one_weight_shows_the_score(outcomes):
    out = printed("score", outcomes, "--where", "class=A", "--where", "system=bold")
    assert out.startswith("bold: 42 of 65 items right, 23 wrong, 0 not answered. ")
    (row,) = [
        line.split()
        for line in out.splitlines()
        if line.startswith("bold  ") and " to " in line
    ]
    # 100 - 2 * 23 / 65
    assert row[-2:] == ["29.2", "%"]
    assert "best" not in out


def test_score_shows_bounds_of_ungraded_answers(tmp_path):
    path = write_records(
        tmp_path / "o.jsonl",
        [
            *({"item": f"u{row}", "outcome": "ungraded"} for row in range(5)),
            *({"item": f"r{row}", "outcome": "right"} for row in range(5)),
        ],
    )
    out = printed("score", path)
    assert "0.0 % to 100.0 %  0.0 % to " in out
    assert "0.0 % to 100.0 %\n" in out
    assert "what ungraded answers leave open" in " ".join(out.split())


def test_score_json_is_what_the_verb_gives(outcomes):
    shown = printed_json("score", outcomes, "--by", "class", "--seed", "5")
    table = demur.read_outcomes(outcomes, groups=["class"])
    scores = demur.score(table, by="class", seed=5)
    expected, said = scores.to_dict(), scores.sentence()
    assert shown == json.loads(
        json.dumps({"demur": demur.__version__, "sentence": said, **expected})
    )


@pytest.mark.parametrize(
    ("words", "broken"),
    [
        # bold is wrong 47 times, 11 of them in class X, 23 in A
        (["--fail-if", "wrong > 47"], []),
        (["--fail-if", "wrong > 46"], ["bold: wrong is 47, must not be > 46"]),
        (["--fail-if", "template: wrong > 46"], []),
        (["--fail-if", "wrong > 36", "--leave-out", "class=X"], []),
        (
            ["--fail-if", "wrong > 22", "--leave-out", "class=X", "--by", "class"],
            [
                "bold, class = A: wrong is 23, must not be > 22",
                "bold: wrong is 36, must not be > 22",
            ],
        ),
        (
            ["--fail-if", "error > 0.4", "--leave-out", "class=X"],
            ["bold: error is 0.409091, must not be > 0.4"],
        ),
    ],
)
def test_score_has_gates(outcomes, words, broken):
    code, out, err = run("score", outcomes, *words)
    assert [line.removeprefix("demur: gate broken: ") for line in err.splitlines()] == [
        f"{line}  [--fail-if {words[words.index('--fail-if') + 1]!r}]"
        for line in broken
    ]
    assert code == bool(broken)
    assert out


def test_score_leaves_out_by_a_column_of_its_own(tmp_path):
    path = write_records(
        tmp_path / "o.jsonl",
        [
            {"item": "1", "outcome": "wrong", "answerable": False},
            {"item": "2", "outcome": "right"},
        ],
    )
    shown = printed_json("score", path, "--leave-out", "answerable=false")
    assert shown["scores"][0]["right_rate"] == 1


def test_ranks_of_adjudicated_systems_by_the_weighted_error(tmp_path):
    words = judge_files(tmp_path, RESPONSES, REFERENCES)
    changes = write_records(tmp_path / "a.jsonl", [BERGEN])
    text = printed(*words, "--adjudications", changes, "--weight", "2")
    assert "rank: by weighted error % at weight 2" in " ".join(text.split())
    err = stderr_of(*words, "--weight", "2", code=2)
    assert "--weight must come with --adjudications" in err


@pytest.mark.parametrize("weights", ["0", "-1", "x", "", "1,,2", "inf", "nan"])
def test_score_refuses_weights_that_are_none(outcomes, weights):
    err = stderr_of("score", outcomes, "--weights", weights, code=2)
    assert "must be numbers above 0" in err


def test_score_refuses_values_that_are_not_there(outcomes):
    code, out, err = run("score", outcomes, "--leave-out", "class=x")
    assert (code, out) == (4, "")
    assert err == (
        "demur: score: leave_out: class must be one of A, D, X; got 'x'. Choose one of "
        "these.\n"
    )


# -- judge --adjudications ---------------------------------------------------------


@pytest.fixture
def judged(tmp_path):
    _, *files = judge_files(tmp_path, RESPONSES, REFERENCES)
    return (*files, tmp_path / "adjudications.jsonl")


def test_judge_shows_what_adjudications_change(judged, tmp_path):
    responses, references, path = judged
    write_records(path, [BERGEN])
    code, out, err = run(
        *("judge", responses, references, "--adjudications", path),
        *("-o", tmp_path / "outcomes.jsonl"),
    )
    assert (code, err) == (0, "")
    words = " ".join(out.split())
    assert "1 adjudications of 1 items (hash " in words
    assert "adjudications:1 " in out
    changes = out.split("Changed verdicts")[1].split("\n\n")[1].splitlines()
    standings = out.split("Before -> after")[1].split("\n\n")[1].splitlines()
    assert changes[2].split() == [
        *("q1", "b", "wrong", "right", "Ada", "both", "are", "meant")
    ]
    assert standings[3].split() == [
        *("b", "2", "0", "->", "1", "1", "->", "0", "1"),
        *("0.0", "->", "50.0", "2", "->", "1"),
    ]
    kept = {
        (each["item"], each["system"]): each["outcome"]
        for each in read_records(tmp_path / "outcomes.jsonl")
    }
    assert kept["q1", "b"] == "right"


def test_judge_json_holds_the_changes(judged):
    responses, references, path = judged
    write_records(path, [BERGEN])
    shown = printed_json("judge", responses, references, "--adjudications", path)
    assert shown["right"] == 2
    assert list(shown["adjudicated"]) == [
        *("adjudications", "hash", "ranked_by", "changes", "standings"),
        *("without_effect", "notes"),
    ]
    assert shown["adjudicated"]["changes"][0]["after"] == "right"
    assert shown["adjudicated"]["standings"][1]["rank_after"] == 1


def test_judge_says_what_went_with_an_old_answer_and_what_counts_more(judged):
    responses, references, path = judged
    write_records(Path(references), [{**REFERENCES[0], "max": "((1))"}, REFERENCES[1]])
    write_records(path, [BERGEN, {**BERGEN, "item": "q2", "set": {"weight": 3}}])
    out = printed("judge", responses, references, "--adjudications", path)
    assert out.splitlines()[-3:-1] == [
        "note: q2: weight 1 -> 3",
        "note: q1: setting references drops what was said of the old one: max",
    ]
    write_records(path, [{**BERGEN, "set": {"class": "B"}}])
    out = printed("judge", responses, references, "--adjudications", path)
    assert "\nThose of q1 changed neither a verdict nor a weight.\n" in out


def test_judging_with_an_empty_file_changes_nothing(judged):
    responses, references, path = judged
    path.write_text("", "utf-8")
    plain = printed_json("judge", responses, references)
    again = printed_json("judge", responses, references, "--adjudications", path)
    assert again.pop("adjudicated")["changes"] == []
    assert again.pop("sentence").startswith(plain.pop("sentence"))
    assert "|adjudications:0|" in again.pop("signature")
    plain.pop("signature")
    assert again == plain


def test_an_explanation_goes_by_the_adjudicated_reference(tmp_path):
    responses = write_records(
        tmp_path / "r.jsonl", [{"item": "q1", "response": "((1 2))"}]
    )
    references = write_records(
        tmp_path / "g.jsonl",
        [{"item": "q1", "min": "((1))", "max": "((1))", "note": "x"}],
    )
    changed = {
        "item": "q1",
        "by": "Ada",
        "why": "2 is asked for",
        "set": {"max": "((1 2))"},
    }
    path = write_records(tmp_path / "a.jsonl", [changed])
    command = ["judge", responses, references, "--by", "cas", "--explain", "q1"]
    assert "wrong (cas2/2): beyond the maximum" in printed(*command)
    out = printed(*command, "--adjudications", path)
    assert "outcome: right" in out
    assert "right (cas2/2): equal" in out
    assert "wrong" not in out


def test_an_explanation_says_first_what_all_guesses_have_in_common():
    outcomes = demur.Outcomes.from_arrays(
        item=["q", "q", "other"],
        system=["a", "b", "a"],
        correct=[1, 1, 0],
        groups={"topic": ["sea", "sea", "x"], "place": ["one", "two", "x"]},
        cluster=["c", None, "c"],
    )
    said = explanation(outcomes, "q", {("", "b", "", ""): "why"})
    assert said["fields"] == {"item": "q", "topic": "sea"}
    assert [judged["place"] for judged in said["judged"]] == ["one", "two"]
    assert [judged.get("cluster") for judged in said["judged"]] == ["c", None]
    assert [judged["outcome"] for judged in said["judged"]] == ["right", "right"]
    assert [judged.get("explanation") for judged in said["judged"]] == [None, "why"]


@pytest.mark.parametrize("which", [0, 1, 2])
def test_judge_does_not_write_over_what_it_reads(judged, which):
    responses, references, path = judged
    write_records(path, [BERGEN])
    target = judged[which]
    before = Path(target).read_bytes()
    command = ["judge", responses, references, "--adjudications", path]
    code, out, err = run(*command, "-o", target)
    assert (code, out) == (2, "")
    assert err == (
        f"demur: judge: --output must not be a file that is read; got {target}. "
        "Name another file.\n"
    )
    assert Path(target).read_bytes() == before


def test_a_faulty_adjudication_is_one_line(judged):
    responses, references, path = judged
    write_records(
        path, [BERGEN, {**BERGEN, "by": "Bo", "set": {"reference": "Bergen"}}]
    )
    code, out, err = run("judge", responses, references, "--adjudications", path)
    assert (code, out) == (4, "")
    assert err == (
        f"demur: {path}:2: reference must be decided on once for item 'q1'; got Bo "
        f"here and Ada at {path}:1. Agree on one decision, and drop the other.\n"
    )


# -- reserve -----------------------------------------------------------------------


def test_reserve_writes_both_sides_whole(tmp_path):
    train, test = tmp_path / "train.jsonl", tmp_path / "test.jsonl.gz"
    code, out, err = run(
        *("reserve", QUESTIONS, "--by", "subject", "--by", "cluster"),
        *("--stratify", "class", "--train", train, "--test", test),
    )
    assert (code, err) == (0, "")
    kept = read_records(train)
    with gzip.open(test, "rt", encoding="utf-8") as file:
        held = [json.loads(line) for line in file]
    given = read_records(Path(QUESTIONS))
    assert sorted(kept + held, key=lambda each: each["item"]) == given
    assert not {each["subject"] for each in kept} & {each["subject"] for each in held}
    shown = out.splitlines()
    assert shown[0].startswith(f"{len(held)} of {len(given)} references are reserved")
    assert shown[4].split()[:2] == ["training", str(len(kept))]
    assert shown[5].split()[:2] == ["test", str(len(held))]
    assert "class A" in out
    assert "9 groups cannot be parted" in out


def test_reserve_json_says_the_share_reached(tmp_path):
    shown = printed_json(
        *("reserve", QUESTIONS, "--by", "cluster", "--share", "0.5", "--json"),
        *("--train", tmp_path / "a.jsonl", "--test", tmp_path / "b.jsonl"),
    )
    assert shown["share"] == len(read_records(tmp_path / "b.jsonl")) / 99
    assert shown["share_wanted"] == 0.5
    assert shown["test"]["items"] + shown["train"]["items"] == 99


def test_reserve_refuses_one_file_for_both(tmp_path):
    path = tmp_path / "a.jsonl"
    err = stderr_of(
        "reserve", QUESTIONS, "--by", "cluster", "--train", path, "--test", path, code=2
    )
    assert "--train and --test must go to two files" in err
    assert not path.exists()


@pytest.mark.parametrize("two", ["./a.jsonl", "sub/../a.jsonl", "link.jsonl"])
@pytest.mark.parametrize("there", [True, False])
def test_reserve_knows_one_file_by_two_names(tmp_path, monkeypatch, two, there):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.jsonl").symlink_to("a.jsonl")
    path = tmp_path / "a.jsonl"
    if there:
        path.write_text("kept", "utf-8")
    code, out, err = run(
        *("reserve", QUESTIONS, "--by", "cluster", "--train", "a.jsonl", "--test", two)
    )
    assert (code, out) == (2, "")
    assert err == (
        f"demur: reserve: --train and --test must go to two files; got a.jsonl and "
        f"{two}.\n"
    )
    assert path.exists() is there
    assert not there or path.read_text("utf-8") == "kept"


@pytest.mark.parametrize("option", ["--train", "--test"])
def test_reserve_does_not_write_over_what_it_reads(tmp_path, option):
    path, link = tmp_path / "questions.jsonl", tmp_path / "link.jsonl"
    given = Path(QUESTIONS).read_text("utf-8")
    path.write_text(given, "utf-8")
    link.symlink_to(path)
    rest = ["--train", "--test"]
    rest.remove(option)
    for target in (path, link):
        code, out, err = run(
            *("reserve", QUESTIONS, path, "--by", "cluster", option, target),
            *(*rest, tmp_path / "other.jsonl"),
        )
        assert (code, out) == (2, "")
        assert err == (
            f"demur: reserve: {option} must not be a file that is read; got {target}. "
            "Name another file.\n"
        )
        assert path.read_text("utf-8") == given
    assert not (tmp_path / "other.jsonl").exists()


def test_reserve_names_the_lines_of_an_item_that_is_listed_twice(tmp_path):
    path = tmp_path / "a.jsonl"
    write_records(path, [*REFERENCES, {**REFERENCES[0], "subject": "s9"}])
    code, out, err = run(
        *("reserve", path, "--by", "subject", "--train", tmp_path / "b.jsonl"),
        *("--test", tmp_path / "c.jsonl"),
    )
    assert (code, out) == (4, "")
    assert err == (
        f"demur: {path}:3: item must be listed once; got 'q1' again, first at "
        f"{path}:1. Judging refuses such references, too; keep one of them.\n"
    )


@pytest.mark.parametrize("command", [["reserve", "--by", "x"], ["score"]])
def test_a_seed_is_no_negative_number(command):
    err = stderr_of(*command, "a.jsonl", "--seed", "-1", code=2)
    assert "argument --seed: must be a whole number" in err


@pytest.mark.parametrize("name", ["a.csv", "a", "a.parquet", "a.json.gz", "a.xyz"])
def test_references_are_written_as_json_lines_only(name, tmp_path):
    said = stderr_of("merge", QUESTIONS, "-o", tmp_path / name, code=2)
    assert (
        "argument -o/--output: write_records: target must end in .jsonl, with" in said
    )
    assert not [*tmp_path.iterdir()]


# -- merge -------------------------------------------------------------------------


def test_merge_keeps_all_and_reports_what_is_asked_twice(tmp_path):
    ada = write_records(tmp_path / "ada.jsonl", REFERENCES)
    bo = write_records(
        tmp_path / "bo.jsonl",
        [REFERENCES[0], {"item": "q2", "input": "italy", "reference": "Milan"}],
    )
    target = tmp_path / "all.jsonl"
    code, out, err = run("merge", ada, bo, "-o", target, "--apart", "subject")
    assert (code, err) == (0, "")
    assert [each["item"] for each in read_records(target)] == [
        *("ada/q1", "ada/q2", "bo/q1", "bo/q2")
    ]
    assert read_records(target)[2]["subject"] == "bo/s1"
    shown = [line.split() for line in out.splitlines()]
    assert ["ada", "2", "0", "0"] in shown
    assert ["bo", "2", "2", "1"] in shown
    assert f"same-question\n  {bo}:1: bo/q1: the question of ada/q1 ({ada}:1)" in out
    assert f"conflicting-reference\n  {bo}:2: bo/q2: another answer" in out
    assert out.startswith("4 references of 2 contributors were merged, all kept: ")
    assert len(demur.read_references(target)) == 4


def test_merge_json_and_names(tmp_path):
    ada = write_records(tmp_path / "ada.jsonl", REFERENCES)
    target = tmp_path / "all.jsonl"
    shown = printed_json(
        *("merge", ada, ada, "-o", target, "--contributors", "x, y", "--json")
    )
    assert shown["contributors"] == {"x": 2, "y": 2}
    assert [each["check"] for each in shown["findings"]] == ["same-question"] * 2
    err = stderr_of("merge", ada, ada, "-o", target)
    assert err == (
        "demur: merge: contributors must have different names; got ada, ada. Name "
        "them with --contributors.\n"
    )


def test_merge_does_not_write_over_what_it_reads(tmp_path):
    ada = write_records(tmp_path / "ada.jsonl", REFERENCES)
    before = Path(ada).read_bytes()
    link = tmp_path / "link.jsonl"
    link.symlink_to(ada)
    hard = tmp_path / "hard.jsonl"
    hard.hardlink_to(ada)
    for target in (ada, link, hard):
        code, out, err = run("merge", ada, "-o", target)
        assert (code, out) == (2, "")
        assert err == (
            f"demur: merge: --output must not be a file that is read; got {target}. "
            "Name another file.\n"
        )
    assert Path(ada).read_bytes() == before


def test_merge_writes_to_the_standard_output(tmp_path):
    ada = write_records(tmp_path / "ada.jsonl", REFERENCES)
    target = tmp_path / "all.jsonl"
    report = printed("merge", ada, "-o", target)
    code, out, err = run("merge", ada, "-o", "-")
    assert (code, err) == (0, report)
    assert out == target.read_text("utf-8")
    assert json.loads(run("merge", ada, "-o", "-", "--json")[2])["items"] == 2


# -- records as they stand ---------------------------------------------------------


def test_records_are_written_as_they_are(tmp_path):
    records = [{"item": "a", "min": "(1)"}, {"item": "b", "Ž": [None, {"x": 1.5}]}]
    for name in ("r.jsonl", "r.ndjson", "r.jsonl.gz"):
        formats.write_records(records, tmp_path / name)
        again = [each for _, each in formats.iter_records(tmp_path / name)]
        assert again == records
    with pytest.raises(InputError, match=r"target must end in \.jsonl"):
        formats.write_records(records, tmp_path / "r.csv")


def test_records_are_selected_and_placed(tmp_path):
    path = tmp_path / "r.jsonl"
    formats.write_records(REFERENCES, path)
    found = list(formats.iter_records(path, where={"subject": "s2"}))
    assert found == [(f"{path}:2", REFERENCES[1])]


def test_one_file_of_both_says_its_columns_once(tmp_path):
    rows = [{**one, "response": "Oslo", "level": 3} for one in REFERENCES]
    path = write_records(tmp_path / "both.jsonl", rows)
    assert "columns of responses ignored" not in printed("judge", path, path)
    apart = write_records(tmp_path / "apart.jsonl", rows)
    text = " ".join(printed("judge", apart, path).split())
    note = "columns of responses ignored, because references have them: subject, level"
    assert note in text
