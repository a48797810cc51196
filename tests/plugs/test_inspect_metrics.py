"""Metrics for Inspect: the numbers of its log, here with a stand-in, there with it."""

import importlib
import json
import math
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import demur
from demur.formats.streams import opened
from demur.logs.inspect_files import read_inspect

FOLDER = Path(__file__).parents[1] / "golden/formats/inspect"


@pytest.fixture
def metrics(monkeypatch):
    """The plug, on a stand-in for the part of Inspect that it imports."""
    scorer = ModuleType("inspect_ai.scorer")

    def metric(scores):
        assert scores == "unreduced"
        return lambda make: make

    scorer.metric = metric
    scorer.Metric = scorer.SampleScore = object
    monkeypatch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", scorer)
    monkeypatch.delitem(sys.modules, "demur.plugs.inspect_metrics", raising=False)
    yield importlib.import_module("demur.plugs.inspect_metrics")
    del sys.modules["demur.plugs.inspect_metrics"]


def scored(value, answer=None, confidence=None, sample_id=None):
    metadata = None if confidence is None else {"confidence": confidence}
    score = SimpleNamespace(value=value, answer=answer, metadata=metadata)
    return SimpleNamespace(score=score, sample_id=sample_id, sample_metadata=None)


SIX = [
    *(scored("C", "Rome", 0.9), scored("C", "Oslo", 0.8), scored("I", "Bern", 0.7)),
    *(scored("N"), scored("I", "I don't know."), scored("I", "")),
]
"""Two right, one wrong, three that give no answer."""


def test_a_refusal_is_no_error(metrics):
    assert metrics.coverage()(SIX) == 0.5
    assert metrics.accuracy_when_answered()(SIX) == pytest.approx(2 / 3)
    assert metrics.error_at(0.5)(SIX) == {
        "error_at_0.5_low": pytest.approx(1 / 6),
        "error_at_0.5_high": pytest.approx(1 / 6),
    }


def test_a_wrong_answer_and_none_are_told_apart(metrics):
    # The case of issue 4981 of Inspect: its accuracy is .5 both times.
    answered, declined = ([scored("C", "x"), scored(value, "y")] for value in "IN")
    assert metrics.accuracy_when_answered()(answered) == 0.5
    assert metrics.accuracy_when_answered()(declined) == 1
    assert metrics.coverage()(declined) == 0.5


def test_an_answer_that_is_not_reported_is_not_an_empty_one(metrics):
    assert metrics.coverage()([scored("I"), scored("I", "")]) == 0.5


def test_what_cannot_be_said_is_nan_or_lies_between_bounds(metrics):
    nothing = metrics.accuracy_when_answered()([scored("N")])
    assert math.isnan(nothing)
    bare = [scored("C", "x"), scored("I", "y")]  # no confidences, so no curve
    for made in (metrics.error_at(0.2), metrics.area()):
        assert all(math.isnan(value) for value in made(bare).values())
    low, high = metrics.error_at(0.2)(SIX).values()  # half are never answered
    assert (low, high) == (pytest.approx(1 / 6), pytest.approx(1 / 6 + 0.3))
    low, high = metrics.area()(SIX).values()
    assert 0 < low < high


def test_epochs_of_a_sample_are_repeats(metrics):
    twice = [scored(value, "x", 0.5, sample_id="q1") for value in "CI"]
    assert metrics.accuracy_when_answered()(twice) == 0.5


def test_whatever_metadata_holds_the_confidence_is_read(metrics):
    [one] = [scored("C", "x", 0.5, sample_id=1)]
    one.score.metadata |= {"when": Path("x"), "table": {(1, 2): 3}, 4: float("nan")}
    other = scored("I", "y", 0.4, sample_id="1")  # the same text, so a second epoch
    assert metrics.error_at(0.5)([one, other])["error_at_0.5_high"] == 0


def test_options_are_those_of_the_reader(metrics):
    grades = [scored(0.7, "x"), scored(0.2, "I don't know.")]
    log = "inspect(threshold=0.6)"
    assert metrics.coverage(log)(grades) == 1
    assert metrics.accuracy_when_answered(log)(grades) == 0.5
    with pytest.raises(demur.InputError, match="Did you mean 'threshold'"):
        metrics.coverage("inspect(treshold=0.6)")(grades)


@pytest.mark.parametrize("name", ["facts.eval", "epochs.eval", "demo.json"])
def test_the_numbers_are_those_of_the_log(metrics, name):
    with opened(FOLDER / name) as stream:
        _, samples = read_inspect(stream, brief=False, peek=False)
        samples = [sample for sample in samples if not sample.error]
    scores = []
    for sample in samples:
        held = {"reason": None, "metadata": None, **sample.scores["tri"]}
        if held["value"] == held["value"]:  # Inspect leaves NaN out before
            one = {"score": SimpleNamespace(**{"answer": None, **held})}
            one |= {"sample_id": sample.id, "sample_metadata": sample.metadata}
            scores.append(SimpleNamespace(**one))
    log = "inspect(scorer=tri, no_answer=refusals, error=leave_out, ungraded=leave_out)"
    curve = demur.error_return(demur.read_outcomes(FOLDER / name, log=log))
    assert len(scores) == curve.items
    point = curve.operating_point
    assert metrics.coverage()(scores) == 1 - point.nonreturn
    assert (
        metrics.error_at(0.5)(scores)["error_at_0.5_high"]
        == (curve.at(nonreturn=0.5).bounds[1])
    )
    assert metrics.area()(scores) == {
        "area_low": curve.area().low,
        "area_high": curve.area().high,
    }


# -- with Inspect itself ---------------------------------------------------------------

LOOKS_UP = """
from inspect_ai._util.registry import registry_lookup
for name in ("coverage", "accuracy_when_answered", "error_at", "area"):
    assert registry_lookup("metric", f"demur/{name}") is not None, name
"""


def run_in(folder, *words):
    """A program of the environment, in a process of its own."""
    program = Path(sys.executable).parent / words[0]
    done = subprocess.run(
        [program, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.plugs
def test_inspect_finds_the_metrics_by_their_names(tmp_path):
    pytest.importorskip("inspect_ai")
    run_in(tmp_path, "python", "-c", LOOKS_UP)


@pytest.mark.plugs
@pytest.mark.parametrize("form", ["json", "eval"])
def test_an_evaluation_has_the_numbers_of_its_log(tmp_path, form):
    pytest.importorskip("inspect_ai")
    page = (Path(__file__).parents[2] / "docs/plugs.md").read_text("utf-8")
    text = page.split(":caption: capitals.py\n\n")[1].split("```")[0]
    (tmp_path / "capitals.py").write_text(text, "utf-8")
    options = "--model mockllm/model --display none --log-dir logs --log-format"
    run_in(tmp_path, "inspect", "eval", "capitals.py", *options.split(), form)
    [path] = (tmp_path / "logs").glob(f"*.{form}")
    curve = demur.error_return(
        demur.read_outcomes(path, log="inspect(no_answer=refusals)")
    )
    point = curve.operating_point
    assert 1 - point.nonreturn == pytest.approx(5 / 6)
    if form == "json":
        log = json.loads(path.read_bytes())
        scores = log["results"]["scores"]
        values = {
            name: held["value"]
            for one in scores
            for name, held in one["metrics"].items()
        }
        assert values == {
            "accuracy": 0.5,  # of Inspect: the refusal counts as wrong
            "coverage": 1 - point.nonreturn,
            "accuracy_when_answered": pytest.approx(0.6),
            "error_at_0.5_low": curve.at(nonreturn=0.5).error,
            "error_at_0.5_high": curve.at(nonreturn=0.5).error,
            "area_low": curve.area().low,
            "area_high": curve.area().high,
        }
