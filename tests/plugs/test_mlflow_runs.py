"""Results in MLflow: what is logged, held against a stand-in for its client."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import demur
from builders import graded
from demur.plugs.mlflow_runs import log_result


@pytest.fixture
def logged(monkeypatch):
    """What is logged, by name; a stand-in for MLflow that takes it."""
    held = {"metrics": {}}
    stand_in = SimpleNamespace(
        log_metrics=lambda metrics: held["metrics"].update(metrics),
        log_text=lambda text, name: held.update({name: text}),
        log_dict=lambda values, name: held.update({name: values}),
        log_figure=lambda figure, name: held.update({name: figure}),
    )
    monkeypatch.setitem(sys.modules, "mlflow", stand_in)
    return held


def test_a_curve_is_logged_with_figures_table_and_picture(logged):
    curve = demur.error_return(graded([1, 0, 1, None], [0.9, 0.8, 0.7, None]))
    log_result(curve)
    assert logged["metrics"]["curve/error"] == 0.25
    assert logged["metrics"]["curve/nonreturn"] == 0.25
    assert logged["curve.txt"] == str(curve)
    assert logged["curve.json"]["signature"] == curve.signature
    assert logged["curve.png"].axes[0].get_ylabel().startswith("error")
    area = curve.area()
    assert "curve/area" not in logged["metrics"]  # it is known between bounds
    assert logged["metrics"]["curve/area_low"] == area.low < area.high
    assert "curve/error_low" not in logged["metrics"]  # the same as the error


def test_figures_of_several_systems_bear_their_names(logged):
    table = graded([1, 0], [0.5, 0.6], item=["q", "q"], system=["lab/a@1", "b"])
    log_result(demur.score(table), "scores")
    assert logged["metrics"]["scores/lab_a_1/right"] == 1
    assert logged["metrics"]["scores/b/right"] == 0
    assert "scores.png" not in logged or logged["scores.png"].axes


def test_systems_that_mlflow_cannot_tell_apart_are_refused(logged):
    table = graded([1, 0], [0.5, 0.6], item=["q", "q"], system=["a@1", "a:1"])
    with pytest.raises(demur.InputError, match="names of systems must differ"):
        log_result(demur.score(table))
    assert not logged["metrics"]


@pytest.fixture
def mlflow(tmp_path, monkeypatch):
    """MLflow itself, with a folder of its own for its runs."""
    module = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # no server, no database
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    module.set_tracking_uri((tmp_path / "runs").as_uri())
    return module


@pytest.mark.plugs
def test_a_run_of_mlflow_has_what_was_logged(mlflow):
    curve = demur.error_return(graded([1, 0, 1], [0.9, 0.8, 0.7], system="lab/a@1"))
    with mlflow.start_run() as run:
        log_result(curve)
    client = mlflow.MlflowClient()
    metrics = client.get_run(run.info.run_id).data.metrics
    assert metrics["curve/lab_a_1/area"] == curve.area().value
    names = {each.path for each in client.list_artifacts(run.info.run_id)}
    assert names == {"curve.txt", "curve.json", "curve.png"}
    text = mlflow.artifacts.load_text(f"runs:/{run.info.run_id}/curve.txt")
    assert text == str(curve)


@pytest.mark.plugs
def test_the_lines_of_the_page_run(mlflow, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demur.write_outcomes(graded([1, 0, 1], [0.9, 0.8, 0.7]), "outcomes.jsonl")
    page = (Path(__file__).parents[2] / "docs/plugs.md").read_text("utf-8")
    exec(page.split(":caption: log_curve.py\n\n")[1].split("```")[0], {})
    metrics = mlflow.last_active_run().data.metrics
    assert metrics["curve/wrong"] == 1
    assert "choice/cutoff" in metrics
