"""Commands on answers that are labelled in part."""

import numpy as np
import pytest

import demur
from builders import printed, printed_json, run, stderr_of


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


def test_the_picture_has_no_judge(files, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "a.svg"
    printed("curve", files / "a.jsonl", "--plot", path)
    assert path.exists()
    outcomes = demur.read_outcomes(files / "a.jsonl")
    from demur.figures.corrected_curves import corrected_picture

    (panel,) = corrected_picture(demur.corrected_curve(outcomes)).panels
    assert [sign.words for sign in panel.signs] == ["95 % at each cutoff"]
