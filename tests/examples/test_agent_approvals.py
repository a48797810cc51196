"""The runs of the example are drawn from the law that it states."""

import importlib
from pathlib import Path

import numpy as np
import pytest

import demur
from scripts import importing_from

LONG = 12_000
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def example():
    with importing_from(EXAMPLES):
        yield importlib.import_module("agent_approvals")


@pytest.mark.parametrize("in_march", [False, True])
def test_the_runs_follow_the_law(example, in_march):
    rows = list(example.actions(LONG, 5, in_march=in_march))
    for cutoffs in ("0", "0.8", "search=0.7,book=0.6,pay=0.97"):
        given = example.read_cutoffs(cutoffs)
        error, withheld = example.law(given, in_march=in_march)
        out = [row["confidence"] >= given[row["tool"]] for row in rows]
        wrong = {
            row["item"]
            for row, goes in zip(rows, out, strict=True)
            if goes and not row["correct"]
        }
        spread = np.sqrt(error * (1 - error) / LONG)
        assert abs(len(wrong) / LONG - error) < 3.5 * spread
        assert 1 - np.mean(out) == pytest.approx(withheld, abs=0.01)


def test_both_agents_do_the_same_runs(example):
    first, second = (
        [[row["item"], row["part"], row["correct"]] for row in rows]
        for rows in (example.actions(50, 1), example.actions(50, 1, noise=1.5))
    )
    assert first == second


def test_a_cutoff_for_each_kind_withholds_less_at_no_more_error(example):
    one, withheld = example.law(example.read_cutoffs("0.8"))
    several, less = example.law(example.read_cutoffs("search=0.7,book=0.6,pay=0.97"))
    assert several < one
    assert less < withheld


def test_the_files_are_read_as_runs_with_parts(example, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["agent_approvals", str(tmp_path), "--law", "0.8"])
    example.main()
    assert capsys.readouterr().out.startswith("january: 0.0174 of all runs hold")
    curve = demur.whole_curve(demur.read_outcomes(tmp_path / "january.jsonl"))
    assert curve.wholes == 1500
