"""``demur curve --calibration``: the same numbers as the library, for people too."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from builders import printed, printed_json, run, stderr_of, write_records
from demur import calibration_by


def records() -> list[dict[str, Any]]:
    """Three systems: probabilities, a scale of its own, no confidences."""
    rng = np.random.default_rng(0)
    found = []
    for row in range(60):
        stated = round(float(rng.beta(4, 2)), 2)
        right = bool(rng.random() < stated**2)
        outcome = "right" if right else "wrong"
        common = {"item": f"q{row}", "outcome": outcome, "topic": "xy"[row % 2]}
        if row == 7:
            common["outcome"] = "unanswered"
        if row == 8:
            common["outcome"] = "ungraded"
        score = None if row == 7 else stated
        found += [
            {**common, "system": "sure", "confidence": score},
            {**common, "system": "logit", "confidence": score and 9 * score - 5},
            {**common, "system": "mute"},
        ]
    return found


@pytest.fixture
def outcomes(tmp_path: Path) -> str:
    return write_records(tmp_path / "outcomes.jsonl", records())


def test_json_is_what_the_library_says(outcomes: str) -> None:
    code, out, err = run(
        "curve", outcomes, "--json", "--target", "0.5,0.8", "--points", "none"
    )
    assert (code, err) == (0, "")
    systems = json.loads(out)["systems"]
    expected = calibration_by(demur.read_outcomes(outcomes), targets=[0.5, 0.8])
    assert [each["calibration"] for each in systems] == [
        each.to_dict() for each in expected
    ]
    sure, logit, mute = (each["calibration"] for each in systems)
    assert [each["target"] for each in sure["trust"]] == [0.5, 0.8]
    assert (logit["brier"], logit["trust"]) == (None, [])
    assert logit["reliability"]["blocks"]
    assert mute["reliability"] is None
    assert mute["guesses"] == 0


def test_the_table_shows_the_same_numbers(outcomes: str) -> None:
    out = printed("curve", outcomes, "--calibration", "--target", "0.8")
    assert not {"nan", "None"} & set(out.split())
    lines = out.splitlines()
    head = next(at for at, line in enumerate(lines) if "Brier score " in line)
    (sure, logit, mute) = calibration_by(demur.read_outcomes(outcomes), targets=[0.8])
    assert sure.brier is not None
    assert sure.brier.intervals is not None
    cells = {}
    for name in ("brier", "miscalibration", "discrimination", "uncertainty"):
        low, high = sure.brier.intervals[name]
        cells[name] = f"{getattr(sure.brier, name):.4f}  {low:.4f} to {high:.4f}"
    first, second = lines[head : head + 5], lines[head + 6 : head + 11]
    assert first[2].split() == [
        *("sure", "58", *cells["brier"].split(), *cells["miscalibration"].split())
    ]
    assert first[3].split() == ["logit", str(logit.guesses), *"----"]
    assert first[4].split() == ["mute", str(mute.guesses), *"----"]
    assert second[2].split() == [
        *("sure", *cells["discrimination"].split(), *cells["uncertainty"].split())
    ]
    (trust,) = sure.trust
    rows = [line.split() for line in lines if line.startswith("sure ")]
    trusted, best = (row for row in rows if row[1] == "0.8")
    assert f"{trust.cost:.4f}" in trusted
    assert f"{trust.trusted.nonreturn:.3f}" in trusted
    assert best[-1] == f"{trust.difference:.4f}"
    assert best[-2] == f"{trust.best_cost:.4f}"
    assert not [line for line in lines[head + 12 :] if line.startswith("logit")]
    text = " ".join(out.split())
    assert "note: logit: confidences run from " in text
    assert "note: mute: there are no confidences" in text
    assert text.count("left out, ungraded: 1") == 1  # common to all: said once
    assert "note: left out, ungraded: 1" in text
    assert "95% intervals, each by itself (1000 draws of items)" in text
    (signature,) = (line for line in lines if line.startswith("signature: "))
    assert "|calibration:isotonic" in signature
    assert "level:0.95|replicates:1000|seed:0|targets:0.8" in sure.signature


def test_without_the_option_nothing_is_shown(outcomes: str) -> None:
    out = printed("curve", outcomes)
    assert "Brier" not in out
    assert out.endswith("\n")
    assert not out.endswith("\n\n")
    assert "calibration" not in printed_json("curve", outcomes)["systems"][0]


def test_groups_have_calibrations_of_their_own(outcomes: str) -> None:
    words = ("--where", "system=sure", "--by", "topic", "--calibration", "--json")
    systems = printed_json("curve", outcomes, *words)["systems"]
    assert [each["system"] for each in systems] == [
        "sure, topic = x",
        "sure, topic = y",
    ]
    for each in systems:
        assert each["calibration"]["system"] == each["system"]
        graded = each["right"] + each["wrong"]
        assert each["calibration"]["guesses"] == graded
    out = printed("curve", outcomes, *words[:-1])
    assert "only" in out  # 30 items a topic, two of them left out: few


def test_silence_may_be_the_best(tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text("item,outcome,confidence\n1,wrong,0.9\n2,wrong,0.95\n", "utf-8")
    out = printed("curve", path, "--target", "0.8")
    (table,) = [
        table
        for table in calibration_by(demur.read_outcomes(path), targets=[0.8]).tables()
        if "trust" in table.title
    ]
    columns = table.to_columns()
    assert columns["best_cutoff"] == ["never answer"]
    found = [columns[f"best_{name}"][0] for name in ("error", "nonreturn", "cost")]
    assert found == [0, 1, pytest.approx(0.2)]
    assert columns["difference"] == [pytest.approx(0.8)]
    assert "never answer" in out


def test_the_picture_is_written(outcomes: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    target = tmp_path / "both.png"
    words = ("--plot-calibration", str(target), "--region", "0.1:0.3", "--at", "0.2")
    code, out, err = run("curve", outcomes, *words)
    assert (code, err) == (0, f"demur: wrote {target}\n")
    assert "Brier" not in out
    assert target.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "words", [("--target", "80"), ("--target", "x"), ("--plot-calibration", "x.bmp")]
)
def test_wrong_usage_is_2(outcomes: str, words: tuple[str, str]) -> None:
    stderr_of("curve", outcomes, *words, code=2)
