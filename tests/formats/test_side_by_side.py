"""Tables in which the columns of several systems stand side by side."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import run, stderr_of
from demur.outcomes.fields import RIGHT, WRONG

ROWS = (
    "No,Question,Bot A answer,Bot A correct,Bot A score,Bot B answer,Bot B correct,"
    "Bot B score\n"
    "1,Where?,Here,yes,0.9,There,no,0.4\n"
    "2,When?,Now,no,0.3,,no answer,\n"
    "3,Who?,Me,yes,0.8,You,yes,0.7\n"
)
TYPED = (
    "item=No, response={Bot A|Bot B} answer, correct=cases({Bot A|Bot B} correct, "
    "yes=right, no=wrong, no answer=unanswered), confidence={Bot A|Bot B} score, "
    "input=Question"
)


def test_a_sheet_with_two_systems_is_proposed_and_read(tmp_path):
    path = tmp_path / "two.csv"
    path.write_text(ROWS)
    assert f"--columns '{TYPED}'" in stderr_of("curve", path)
    done = run("curve", path, "--columns", TYPED, "--json")
    counts = {
        one["system"]: (one["right"], one["wrong"], one["unanswered"])
        for one in json.loads(done.out)["systems"]
    }
    assert counts == {"Bot A": (2, 1, 0), "Bot B": (1, 1, 1)}


@pytest.mark.parametrize(
    ("header", "typed"),
    [
        (
            "id;Antwort_X;Antwort_Y;Urteil_X;Urteil_Y",
            "item=id, response=Antwort_{X|Y}, correct=Urteil_{X|Y}",
        ),
        (
            "id;m1_answer;m2_answer;m3_answer;m1_correct;m2_correct;m3_correct",
            "item=id, response={m1|m2|m3}_answer, correct={m1|m2|m3}_correct",
        ),
        (
            "id;Bot X: answer;X ok?;X prob;Bot Y: answer;Y ok?;Y prob",
            "item=id, response=Bot {X|Y}: answer, correct={X|Y} ok?, "
            "confidence={X|Y} prob",
        ),
        (
            "id;Answer (X);ok? (X);Answer (Y);ok? (Y)",
            'item=id, response="Answer ({X|Y})", correct="ok? ({X|Y})"',
        ),
        # Two verdicts on one answer are no two systems.
        (
            "id;answer;human_correct;judge_correct",
            "item=id, response=answer, correct=human_correct",
        ),
    ],
)
def test_systems_are_told_by_their_columns(tmp_path, header, typed):
    path = tmp_path / "wide.csv"
    width = header.count(";")
    path.write_text(f"{header}\n1{';1' * width}\n2{';0' * width}\n")
    assert f"--columns '{typed}'" in stderr_of("curve", path)
    assert run("curve", path, "--columns", typed).code == 0


def test_objects_of_several_systems_are_read_by_path(tmp_path):
    path = tmp_path / "wide.jsonl"
    rows = [{"q": n, "x": {"ok": n > 0, "p": n / 9}, "y": {"ok": n > 1, "p": 0.5}}
            for n in range(4)]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    typed = "item=q, correct={x|y}.ok, confidence={x|y}.p"
    assert f"--columns '{typed}'" in stderr_of("curve", path, "--columns", "item=q")
    outcomes = demur.read_outcomes(path, columns=typed)
    assert outcomes.systems == ("x", "y")
    of_y = outcomes.system == "y"
    assert [*outcomes.outcome[of_y]] == [WRONG] * 2 + [RIGHT] * 2


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=9))
def test_systems_side_by_side_are_those_below_each_other(tmp_path_factory, verdicts):
    folder = tmp_path_factory.mktemp("sides")
    wide = "".join(f"{n},{a},{b}\n" for n, (a, b) in enumerate(verdicts))
    long = "".join(f"{n},A,{a}\n{n},B,{b}\n" for n, (a, b) in enumerate(verdicts))
    (folder / "wide.csv").write_text(f"item,A ok,B ok\n{wide}")
    (folder / "long.csv").write_text(f"item,system,correct\n{long}")
    one = demur.read_outcomes(folder / "wide.csv", columns="correct={A|B} ok")
    other = demur.read_outcomes(folder / "long.csv")
    columns = zip(one.outcome, one.system, one.item, strict=True)
    assert [*columns] == [*zip(other.outcome, other.system, other.item, strict=True)]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("item=No, correct={Bot A|Bot C} correct", "'Bot C correct'"),
        (
            "item=No, correct={Bot A|Bot B} correct, response={Bot A|Bot B|X} answer",
            "2 different names between braces",
        ),
        (
            "item=No, system=Question, correct={Bot A|Bot B} correct",
            "systems in braces",
        ),
        ("item=No, correct={Bot A|Bot A} correct", "different names between braces"),
    ],
)
def test_braces_that_do_not_fit_are_refused(tmp_path, typed, words):
    path = tmp_path / "two.csv"
    path.write_text(ROWS)
    assert words in stderr_of("curve", path, "--columns", typed)


def test_systems_are_called_as_is_typed(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("item,a_ok,b_ok\n1,1,0\n")
    typed = "system={Ada|Bo}, correct={a|b}_ok"
    assert demur.read_outcomes(path, columns=typed).systems == ("Ada", "Bo")


def test_numbers_of_rows_are_those_of_the_sheet(tmp_path):
    for ending, text in (
        ("csv", "A ok,B ok\n1,0\n0,0\n"),
        ("jsonl", '{"A ok": 1, "B ok": 0}\n{"A ok": 0, "B ok": 0}\n'),
    ):
        path = tmp_path / f"a.{ending}"
        path.write_text(text)
        outcomes = demur.read_outcomes(path, columns="item=row(), correct={A|B} ok")
        assert outcomes.item.tolist() == ["1", "1", "2", "2"]
        responses = demur.read_responses(path, columns="item=row(), response={A|B} ok")
        assert [one.item for one in responses] == [*"1122"]


def test_an_engine_refuses_columns_side_by_side(tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "wide.csv"
    path.write_text("item,a_ok,b_ok\n1,1,0\n")
    typed = "correct={a|b}_ok"
    line = stderr_of("curve", path, "--columns", typed, "--engine", "duckdb")
    assert "--engine memory" in line
