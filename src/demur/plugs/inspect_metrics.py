"""Metrics for Inspect, such as ``demur/coverage``: a refusal is no wrong answer.

Inspect finds them by the entry point ``inspect_ai``. What a score means is said by the
reader of its logs, so that a metric is the number that `demur curve` has of the log.
"""

import io
import json
from collections import Counter
from math import nan
from typing import Final

from inspect_ai.scorer import Metric, SampleScore, metric

import demur

USUAL: Final = "inspect(no_answer=refusals)"
"""Answers that are wrong, and empty or a refusal by their words, are none."""


def _curve(scores: list[SampleScore], log: str) -> demur.Curve:
    epochs, samples = Counter[str](), []
    for number, one in enumerate(scores):
        item = str(number if one.sample_id is None else one.sample_id)
        epochs[item] += 1
        score = {name: getattr(one.score, name, None) for name in _READ}
        brief = score["answer"] is None  # not reported, which is not an empty answer
        sample = {"id": item, "epoch": epochs[item], "scores": {"score": score}}
        samples.append({**sample, "metadata": one.sample_metadata, "brief": brief})
    text = json.dumps({"eval": {}, "samples": samples}, default=str, skipkeys=True)
    return demur.error_return(demur.read_outcomes(io.BytesIO(text.encode()), log=log))


_READ: Final = ("value", "answer", "explanation", "reason", "metadata")


@metric(scores="unreduced")  # a reducer would make 0 of "no answer"
def coverage(log: str = USUAL) -> Metric:
    """The share of samples that are answered."""

    def value(scores: list[SampleScore]) -> float:
        return 1 - _curve(scores, log).operating_point.nonreturn

    return value


@metric(scores="unreduced")
def accuracy_when_answered(log: str = USUAL) -> Metric:
    """The share of right answers among answers; NaN if there is none."""

    def value(scores: list[SampleScore]) -> float:
        point = _curve(scores, log).operating_point
        answered = 1 - point.nonreturn
        return (point.right or 0.0) / answered if answered else nan

    return value


@metric(scores="unreduced")
def error_at(nonreturn: float = 0.2, log: str = USUAL) -> Metric:
    """Wrong answers / all samples where so many are declined, the least sure first."""

    def value(scores: list[SampleScore]) -> dict[str, float]:
        point = _curve(scores, log).look_up(nonreturn)
        low, high = (nan, nan) if point is None else point.bounds
        name = f"error_at_{nonreturn:g}"
        return {f"{name}_low": low, f"{name}_high": high}

    return value


@metric(scores="unreduced")
def area(log: str = USUAL) -> Metric:
    """The area under the error-return curve; samples unanswered leave it open."""

    def value(scores: list[SampleScore]) -> dict[str, float]:
        curve = _curve(scores, log)
        if curve.ladder is None:  # no confidences
            return {"area_low": nan, "area_high": nan}
        return {"area_low": curve.area().low, "area_high": curve.area().high}

    return value
