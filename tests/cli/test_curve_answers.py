"""``demur curve`` answers first: its sentence, tables, gates and JSON."""

import pickle
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import demur
from builders import printed, printed_json, stderr_of, write_records

THIRTEEN = [f"model-{number}" for number in range(13)]


def rows(system: str, wrong: int, n: int = 40, **further: Any) -> list[dict[str, Any]]:
    """A system whose least sure answers are wrong."""
    return [
        {
            "item": f"q{number}",
            "system": system,
            "correct": number >= wrong,
            "confidence": number / n,
            "topic": "xy"[number % 2],
            **further,
        }
        for number in range(n)
    ]


@pytest.fixture
def path(tmp_path: Path) -> Any:
    def write(*listed: list[dict[str, Any]]) -> str:
        return write_records(tmp_path / "outcomes.jsonl", chain(*listed))

    return write


def first_line(*words: str) -> str:
    return " ".join(printed("curve", *words).split("\n\n")[0].split())


def test_one_system_errs_so_much(path):
    assert first_line(path(rows("a", 12))) == (
        "If it may decline 20 % of the inputs, a errs on 0.100 of all items; forced to "
        "answer all, on 0.300."
    )
    nameless = [{**row, "system": ""} for row in rows("a", 12)]
    assert "inputs, the system errs on 0.100" in first_line(path(nameless))


def test_of_two_the_better_one_is_named_with_how_little_it_is(path):
    words = path(rows("a", 12), rows("b", 10))
    assert first_line(words) == (
        "At nonreturn 0.2 b errs least, on 0.050 of all items; a follows with 0.100, 2 "
        "items more of 40. Whether that is luck is for demur compare to say."
    )
    assert "With only 5 items luck may be all of it" in first_line(
        path(rows("a", 4, 5), rows("b", 2, 5))
    )


def test_thirteen_are_ranked_by_what_was_asked(path):
    listed = [rows(name, 14 + at * 5 % 13) for at, name in enumerate(THIRTEEN)]
    words = path(*listed)
    said = first_line(words, "--at", "0.3,0.1")
    assert said.startswith("At nonreturn 0.3 model-0 errs least, on 0.050 of all items")
    lines = printed("curve", words, "--at", "0.3,0.1").splitlines()
    table = [line.split() for line in lines if line.startswith("model-")][:13]
    errors = [float(cells[1]) for cells in table]
    assert errors == sorted(errors)
    assert table[0][0] == "model-0"
    assert all(len(line) <= 80 for line in lines if not line.startswith("signature: "))
    shown = printed_json("curve", words)
    assert [system["system"] for system in shown["systems"]] == THIRTEEN


def test_what_is_not_known_is_not_ranked(path):
    mute = [{k: v for k, v in row.items() if k != "confidence"} for row in rows("m", 9)]
    said = first_line(path(rows("a", 12), mute))
    assert "m gives no confidences, so it has no curve." in said
    assert "No system gives confidences" in first_line(
        path(mute, [{**row, "system": "n"} for row in mute])
    )
    unsure = [
        {**row, "correct": None, "outcome": "ungraded"} if at < 20 else row
        for at, row in enumerate(rows("b", 12))
    ]
    for row in unsure:
        if row.pop("correct", None) is not None:
            row["outcome"] = "right"
    known = [
        {**row, "outcome": "right" if row["correct"] else "wrong"}
        for row in rows("a", 12)
    ]
    for row in known:
        del row["correct"]
    assert "who errs least is not known" in first_line(path(known, unsure))
    assert "a and b err least, each on 0.100" in first_line(
        path(rows("a", 12), rows("b", 12))
    )


def test_groups_are_columns_and_have_different_items(path):
    outcomes = demur.read_outcomes(path(rows("a", 12), rows("b", 10)), groups="topic")
    curves = demur.curve_by(outcomes, by="topic")
    assert "different items" in curves.sentence()
    frame = curves.to_frame("polars")
    assert frame.columns[:3] == ["system", "topic", "error@0.2"]
    assert sorted(frame["topic"].to_list()) == ["x", "x", "y", "y"]
    assert set(frame["system"]) == {"a", "b"}
    assert curves[0].system == "a, topic = x"
    assert curves[0].to_dict()["group"] == {"topic": "x"}
    assert "by:topic" in curves.signature
    assert "group:topic = x" in curves[0].signature


def test_curves_are_shown_pickled_and_compared(path):
    curves = demur.curve_by(demur.read_outcomes(path(rows("a", 12), rows("b", 10))))
    again = pickle.loads(pickle.dumps(curves))
    assert again == curves
    assert hash(again) == hash(curves)
    assert again[0] == curves[0]
    assert again[0] != curves[1]
    assert (again.at, again.how) == (curves.at, curves.how)
    assert curves._repr_html_().count("<table>") == 1
    assert "a errs on 0.100" in curves[0]._repr_html_()
    assert len(curves[0].vertices.to_frame("polars")) == len(curves[0].vertices) == 41
    assert curves[0].split.to_frame("polars")["avoided"].sum() > 0


# -- gates -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("error@0.2 > 0.09", 1),
        ("error@0.2 > 0.1", 0),
        ("a: error(cutoff=0.5) > 0", 0),
        ("nonreturn(error=0.05) > 0.24", 1),
        ("missed@0.5 > 0.1", 1),
        ("area > 0.04", 1),
        ("forced_choice_error > 0.29", 1),
        ("items < 41", 1),
        ("ungraded > 0", 0),
        ("certified_error(cutoff=0.5) > 0.05", 1),
        ("certified_error(cutoff=0.5, certainty=0.5) > 0.05", 0),
        ("auroc < 0.9", 0),
        ("brier > 0.9", 0),
        ("certified_error > 0.1", 2),  # without saying where
        ("error@0.2 > 0.9", 2),  # which no value reaches
        ("area > 1", 2),
        ("error(cutoff=0.7, certainty=0.9) > 0.1", 2),
        ("eror > 0.1", 2),
        ("a worse than b", 2),
        ("corrected_error > 0.1", 2),  # without --gold
        ("c: error > 0.1", 4),
    ],
)
def test_gates(path, gate, code):
    words = ["curve", path(rows("a", 12)), "--contrast", "--calibration"]
    assert ("gate broken: " in stderr_of(*words, "--fail-if", gate, code=code)) == (
        code == 1
    )


def test_wrong_gates_are_refused_before_files_are_read():
    err = stderr_of("curve", "absent.jsonl", "--fail-if", "eror > 0.1", code=2)
    assert "'error'" in err
    stderr_of("curve", "absent.jsonl", "--fail-if", "auroc < 0.9", code=2)


def test_a_gate_on_one_system_asks_nothing_of_another(path):
    mute = [{k: v for k, v in row.items() if k != "confidence"} for row in rows("m", 9)]
    words = ["curve", path(rows("a", 12), mute), "--fail-if"]
    printed(*words, "a: error@0.2 > 0.5")
    printed(*words, "a: certified_error(cutoff=0.5) > 0.5")
    assert "m gives no confidences" in stderr_of(*words, "error@0.2 > 0.5")


# -- further results -------------------------------------------------------------------


def test_further_results_stand_under_each_system(path):
    words = [path(rows("a", 12), rows("b", 10)), "--intervals", "--contrast"]
    words += ["--calibration", "--band", "dkw", "--json", "--points", "none"]
    shown = printed_json("curve", *words)
    assert shown["sentence"].startswith("At nonreturn 0.2 b errs least")
    for system in shown["systems"]:
        assert [one["quantity"] for one in system["intervals"]] == ["error", "area"]
        assert {one["system"] for one in system["intervals"]} == {system["system"]}
        assert system["contrast"]["auroc"] == 1.0
        assert system["calibration"]["guesses"] == 40
        assert system["band"]["method"] == "dkw"
        assert system["points"] == []
    text = printed("curve", *words[:3], "--calibration", "--wide")
    assert "AURC constant start" in text  # which is for wide tables


def test_intervals_of_groups_have_columns_of_groups(path):
    words = ["curve", path(rows("a", 12)), "--by", "topic", "--intervals"]
    text = printed(*words)
    head, _, first, *_ = text.partition("Intervals\n\n")[2].splitlines()
    assert head.split()[:3] == ["system", "topic", "number"]
    assert first.split()[:3] in (["a", "x", "error@0.2"], ["a", "y", "error@0.2"])
    systems = printed_json(*words)["systems"]
    names = {one["system"] for part in systems for one in part["intervals"]}
    assert names == {"a, topic = x", "a, topic = y"}
    assert all("group" not in one for part in systems for one in part["intervals"])


def test_what_has_no_interval_is_said(path):
    said = " ".join(printed("curve", path(rows("a", 2, 4)), "--intervals").split())
    assert "no interval of error@0.2 of a: " in said
