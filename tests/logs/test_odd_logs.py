"""Logs that are right and odd: late confidences, scripts' own rules, equal scores."""

import json
import math
from pathlib import Path

import pytest

import demur
from demur.errors import InputError

QUESTIONS = {"q1": ["Paris"], "q2": [], "q3": [], "q4": ["Rome"]}


@pytest.fixture
def squad(tmp_path, monkeypatch):
    """A reader of predictions and chances of the four questions."""
    monkeypatch.chdir(tmp_path)
    asked = [
        {"id": item, "question": item, "answers": [{"text": t} for t in texts]}
        for item, texts in QUESTIONS.items()
    ]
    data = {"data": [{"title": "t", "paragraphs": [{"context": "c", "qas": asked}]}]}
    Path("d.json").write_text(json.dumps(data))

    def read(predictions, chances=None):
        Path("p.json").write_text(json.dumps(predictions))
        log = "squad2(data=d.json)"
        if chances:
            Path("n.json").write_text(json.dumps(chances))
            log = "squad2(data=d.json, na_prob=n.json)"
        return demur.read_outcomes("p.json", log=log)

    return read


@pytest.mark.parametrize("text", ["the", ".", "An the a"])
def test_what_the_script_takes_for_empty_is_no_answer(squad, text):
    outcomes = squad({"q1": text, "q2": text, "q3": "a dog", "q4": "rome!"})
    assert list(outcomes.outcome) == ["unanswered", "unanswered", "wrong", "right"]


def script(predictions, chances):
    """find_best_thresh of the evaluation script, from its description, in percent."""
    right = {
        i: p.strip("!").lower() in [t.lower() for t in QUESTIONS[i]]
        for i, p in predictions.items()
    }
    current = best = sum(not texts for texts in QUESTIONS.values())
    threshold = 0.0
    for item in sorted(chances, key=lambda i: chances[i]):
        if item not in predictions:
            continue
        if QUESTIONS[item]:
            current += right[item]
        elif predictions[item]:
            current -= 1
        if current > best:
            best, threshold = current, chances[item]
    return f"{100 * best / len(predictions):.2f} at na_prob {threshold:g}"


@pytest.mark.parametrize(
    ("predictions", "chances"),
    [
        (
            {"q1": "Paris", "q2": "x", "q3": "", "q4": "Rome"},
            {"q4": 0.5, "q3": 0.5, "q2": 0.5, "q1": 0.5},
        ),
        (
            {"q1": "Paris", "q2": "x", "q3": "", "q4": "Rome"},
            {"q2": 0.5, "q1": 0.5, "q3": 0.5, "q4": 0.5},
        ),
        ({"q1": "Paris", "q4": "Rome"}, {"q1": 0.1, "q4": 0.2}),
        (
            {"q1": "Paris", "q2": "the", "q3": "x", "q4": "no"},
            {"q1": 0.3, "q2": 0.1, "q3": 0.9, "q4": 0.2},
        ),
    ],
)
def test_the_best_threshold_is_what_the_script_finds(squad, predictions, chances):
    notes = " ".join(squad(predictions, chances).notes)
    assert f"best exact of the script: {script(predictions, chances)}" in notes


def test_scores_that_are_equal_in_single_precision_are_tied(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.run").write_text(
        "q Q0 dA 1 123.456789 r\nq Q0 dB 2 123.456788 r\n"
        "p Q0 dA 1 123.4568 r\np Q0 dB 2 123.4567 r\n"
    )
    Path("t.qrels").write_text("q 0 dA 1\np 0 dA 1\n")
    outcomes = demur.read_outcomes("t.run", log="trec(qrels=t.qrels)")
    held = dict(zip(outcomes.item, outcomes.outcome, strict=True))
    assert held == {"q": "wrong", "p": "right"}
    assert "1 queries have several documents of the best score" in outcomes.notes[0]


def inspect_log(path, confidences):
    """An Inspect log of samples with such confidences; None for none."""
    samples = [
        {
            **{"id": n, "epoch": 1, "input": "?", "target": "4", "messages": []},
            "output": {"model": "m", "choices": [], "completion": "4"},
            "scores": {
                "s": {
                    "value": "C",
                    "answer": "4",
                    "metadata": {} if sure is None else {"confidence": sure},
                }
            },
        }
        for n, sure in enumerate(confidences)
    ]
    log = {
        "version": 2,
        "status": "success",
        "eval": {
            **{"run_id": "r", "created": "2026-01-02T03:04:05+00:00", "task": "t"},
            **{"task_id": "t", "task_version": 0, "model": "m", "packages": {}},
            **{"dataset": {"name": "d"}, "config": {"epochs": 1}},
        },
        "plan": {"name": "plan", "steps": []},
        "results": {"total_samples": len(samples), "completed_samples": len(samples)},
        "stats": {"started_at": "", "completed_at": ""},
        "samples": samples,
    }
    path.write_text(json.dumps(log))


def test_confidences_that_come_late_are_asked_for(tmp_path):
    path = tmp_path / "l.json"
    inspect_log(path, [None] * 30 + [0.5] * 5)
    with pytest.raises(InputError, match=r"got .*metadata.confidence in record 31"):
        demur.read_outcomes(path)
    how = "inspect(confidence=score.metadata.confidence)"
    outcomes = demur.read_outcomes(path, log=how)
    assert list(outcomes.confidence[-5:]) == [0.5] * 5
    assert demur.read_outcomes(path, log="inspect(confidence=none)").confidence is None


def test_a_confidence_that_is_nan_or_empty_is_none(tmp_path):
    path = tmp_path / "l.json"
    inspect_log(path, [0.5, float("nan"), "", 0.25])
    read = demur.read_outcomes(path).confidence.tolist()
    assert read[::3] == [0.5, 0.25]
    assert read[1:3] == [-math.inf] * 2  # the least sure, which a note says
