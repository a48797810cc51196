"""Results in MLflow: figures as metrics, the table as text, the picture."""

import re
from math import isfinite

import demur
from demur.errors import InputError


def log_result(result: demur.Result, name: str = "") -> None:
    """Log a result to the run of MLflow that is active, or begin one.

    Its figures become metrics, such as ``curve/error``; what is undefined is left out,
    and what is known between bounds has ``_low`` and ``_high`` instead. ``curve.txt``
    is what the command prints, ``curve.json`` all numbers with the signature, and
    ``curve.png`` the picture, if it has one.

    Parameters
    ----------
    result : Result
        What a verb of demur gave.
    name : str
        What it is called in the run; after its class if left out.
    """
    import mlflow

    name = name or type(result).__name__.lower()
    mlflow.log_metrics(_metrics(result, name))
    mlflow.log_text(str(result), f"{name}.txt")
    mlflow.log_dict(result.to_dict(), f"{name}.json")
    if result.pictures():
        drawn = result.plot()
        axes = drawn[0] if isinstance(drawn, list) else drawn
        mlflow.log_figure(axes.figure, f"{name}.png")


def _metrics(result: demur.Result, name: str) -> dict[str, float]:
    metrics: dict[str, float] = {}
    for figure in result.figures():
        # MLflow takes these signs alone.
        places = (
            re.sub(r"[^\w\-. ]", "_", place) for place in (figure.of, figure.called)
        )
        key = "/".join([name, *filter(None, places)])
        ends = {"_low": figure.low, "_high": figure.high}
        ends = {end: at for end, at in ends.items() if at != figure.value}
        for end, value in {"": figure.value, **ends}.items():
            if f"{key}{end}" in metrics:
                need = "differ in their letters and digits, which MLflow takes"
                raise InputError("log_result", "names of systems", need, key)
            if value is not None and isfinite(value):
                metrics[f"{key}{end}"] = float(value)
    return metrics
