"""Commands on answers that are labelled in part."""

from pathlib import Path

import numpy as np
import pytest

import demur
from builders import printed, printed_json, run, stderr_of
from demur.outcomes.parts import stacked


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two systems on the same 800 items, unsure ones likelier to be labelled."""
    folder, rng = tmp_path_factory.mktemp("labels"), np.random.default_rng(0)
    confidence = rng.random(800).round(3)
    chance = np.where(confidence < 0.5, 0.6, 0.3)
    drawn = rng.random(800) < chance
    for name, error in (("a", 0.4), ("b", 0.2)):
        wrong = rng.random(800) < error * (1 - confidence)
        outcome = np.where(drawn, np.where(wrong, "wrong", "right"), "unlabelled")
        table = demur.Outcomes.from_arrays(
            system=name,
            item=[f"q{row}" for row in range(800)],
            outcome=outcome.tolist(),
            confidence=confidence,
            label_weight=np.where(drawn, 1 / chance, np.nan),
        )
        demur.write_outcomes(table, folder / f"{name}.jsonl")
    return folder


def test_a_curve_has_the_errors_of_the_labelled_answers_beside_it(files):
    text = printed("curve", files / "a.jsonl", "--at", "0.2")
    assert "Errors by the labelled answers" in text
    assert "by judge" not in text
    plain = printed_json("curve", files / "a.jsonl", "--at", "0.2", "--json")
    forced, declined = plain["systems"][0]["corrected"]
    outcomes = demur.read_outcomes(files / "a.jsonl")
    error = demur.corrected_error(outcomes).corrected
    assert forced["corrected"]["value"] == pytest.approx(error.value)
    assert forced["raw"] is None
    assert declined["nonreturn"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("corrected_error@0.2 > 0.05", 1),
        ("corrected_error@0.2 > 0.3", 0),
        ("certified_error(cutoff=0.3) > 0.05", 1),
        ("certified_error(cutoff=0.3) > 0.3", 0),
    ],
)
def test_gates_take_them(files, gate, code):
    assert run("curve", files / "a.jsonl", "--fail-if", gate).code == code


def test_a_gate_on_corrected_errors_of_a_whole_still_asks_for_a_column(tmp_path):
    path = tmp_path / "whole.jsonl"
    demur.write_outcomes(demur.Outcomes.from_arrays(correct=[1, 0]), path)
    text = stderr_of("curve", path, "--fail-if", "corrected_error > 0.1", code=2)
    assert "come with --gold COLUMN" in text


def test_a_cutoff_is_chosen_locked_and_checked_again(files, tmp_path):
    lock = tmp_path / "cutoff.json"
    chosen = printed("choose", files / "a.jsonl", "--max-error", "0.1", "--lock", lock)
    assert "by the labelled answers" in chosen
    text = printed("recheck", lock, files / "a.jsonl")
    assert "of 800" not in text
    assert "answers are unlabelled" in " ".join(text.split())


def test_two_systems_are_compared_by_labels(files):
    text = printed("compare", files / "a.jsonl", files / "b.jsonl")
    assert "those of the labelled answers" in " ".join(text.split())
    assert "Where each is better" not in text


def test_a_report_refuses_them_in_one_line(files, tmp_path):
    page = tmp_path / "report.html"
    text = stderr_of("report", files / "a.jsonl", "-o", page)
    assert "must have a verdict on every answer" in text
    assert text.count("\n") <= 1
    assert not page.exists()


@pytest.fixture(scope="module")
def above(tmp_path_factory):
    """Two systems of which answers below a confidence of 0.3 could not be drawn."""
    folder, rng = tmp_path_factory.mktemp("above"), np.random.default_rng(1)
    tables = []
    for name in "ab":
        confidence = rng.random(500).round(3)
        reach = confidence >= 0.3
        drawn = reach & (rng.random(500) < 0.5)
        wrong = rng.random(500) < 0.3
        outcome = np.where(drawn, np.where(wrong, "wrong", "right"), "unlabelled")
        table = demur.Outcomes.from_arrays(
            system=name,
            item=[f"q{row}" for row in range(500)],
            outcome=outcome.tolist(),
            confidence=confidence,
            label_weight=np.where(drawn, 2.0, np.where(reach, np.nan, 0.0)),
            groups={"topic": ["x", "y"] * 250},
        )
        demur.write_outcomes(table, folder / f"{name}.jsonl")
        tables.append(table)
    demur.write_outcomes(stacked(tables), folder / "both.jsonl")
    return folder


def test_all_rates_of_a_choice_are_those_of_the_labels(above):
    found = printed_json("choose", above / "a.jsonl", "--max-error", "0.15", "--json")
    assert found["error"] == found["corrected"]["value"] <= 0.15
    answered = 1 - found["nonreturn"]
    assert found["error_answered"] == pytest.approx(found["error"] / answered)
    assert found["missed"] is None
    text = printed("choose", above / "a.jsonl", "--max-error", "0.15")
    assert "missed" not in text
    gate = ("--fail-if", "error > 0.151")
    assert run("choose", above / "a.jsonl", "--max-error", "0.15", *gate).code == 0


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("choose --max-error 0.15 --by topic", "Draw labels for each group"),
        ("choose --prices", "--max-error go by the labelled ones"),
        ("choose --balance", "must be one of cost_ratio"),
        ("choose --score omniscience-index", "must be one of cost_ratio"),
        ("choose --nonreturn 0.1", "Take a higher cutoff"),
        ("score", "demur curve estimates the error"),
        ("curve --fail-if error@0.4>0.5", "corrected_error@0.2, go by the labels"),
        ("curve --fail-if nonreturn(error=0.1)>0.5", "go by the labels"),
        ("curve --contrast", "Without it, errors are those of the labelled"),
        ("curve --calibration", "Without it, errors are those of the labelled"),
        ("curve --page page.html", "Without it, errors are those of the labelled"),
    ],
)
def test_what_takes_a_verdict_on_every_answer_refuses_them(above, command, words):
    name, *options = command.split()
    text = stderr_of(name, above / "a.jsonl", *options)
    assert words in text
    assert text.count("\n") <= 1
    assert not Path("page.html").exists()


def test_a_curve_begins_where_labels_do(above):
    found = printed_json("curve", above / "a.jsonl", "--at", "0.1,0.5", "--json")
    outcomes = demur.read_outcomes(above / "a.jsonl")
    beyond = outcomes.confidence[outcomes.label_weight == 0].max()
    first, second = found["systems"][0]["corrected"]
    assert first["cutoff"] == outcomes.confidence[outcomes.confidence > beyond].min()
    assert second["nonreturn"] == pytest.approx(0.5)
    text = " ".join(printed("curve", above / "a.jsonl", "--at", "0.1,0.5").split())
    count = round(0.9 * 500) - round(500 * (1 - first["nonreturn"]))
    assert f"at nonreturn 0.1: {count} of the answers had no chance" in text
    assert "nonreturn 0.5:" not in text


def test_rates_out_of_reach_are_not_tested(above):
    files = above / "a.jsonl", above / "b.jsonl"
    text = " ".join(printed("compare", *files, "--at", "0.1,0.5").split())
    assert "At nonreturn 0.1 nothing is tested:" in text
    assert "had no chance of being labelled. " in text
    assert "for 2 rates" in text
    assert "prediction-powered" not in text
    found = printed_json("compare", *files, "--at", "0.1,0.5", "--json")
    beyond, within = found["rates"]
    assert (beyond["error_a"], beyond["difference"]) == (None, None)
    alone = printed_json("compare", *files, "--at", "0.5", "--json")
    assert within["error_a"] == alone["error_a"]
    text = stderr_of("compare", *files, "--at", "0.1")
    assert "at nonreturn 0.1: " in text
    assert "Take a higher one" in text


def test_labels_alone_do_not_correct_anything(above):
    text = printed("curve", above / "both.jsonl", "--at", "0.5")
    assert text.startswith("By the labelled answers, at nonreturn 0.5 ")
    assert "correct" not in text.split("signature")[0]


def test_the_picture_has_no_judge(files, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "a.svg"
    printed("curve", files / "a.jsonl", "--plot", path)
    assert path.exists()
    outcomes = demur.read_outcomes(files / "a.jsonl")
    from demur.figures.corrected_curves import corrected_picture

    (panel,) = corrected_picture(demur.corrected_curve(outcomes)).panels
    assert [sign.words for sign in panel.signs] == ["95 % at each cutoff"]
