"""How much work the whole job of a curve is: steps of Python, which no clock decides.

For tables of a thousand rows each step costs more than the numbers do.
"""

import fractions
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import demur
from builders import graded

# Fractions are slow, and numpy's functions are its own affair.
_COUNTED = (str(Path(demur.__file__).parent), fractions.__file__)
_KINDS = ("distinct", "ties")


def table(n_rows: int, kind: str) -> demur.Outcomes:
    rng = np.random.default_rng(0)
    confidence = rng.random(n_rows)
    if kind == "ties":
        confidence = np.round(confidence, 2)
    correct = rng.random(n_rows) < 0.4 + 0.5 * confidence
    return graded(correct, confidence)


def whole_job(outcomes: demur.Outcomes) -> Any:
    curve = demur.error_return(outcomes)
    return curve.area(), curve.at(nonreturn=0.2)


def steps(job: Callable[..., Any], *arguments: Any) -> list[str]:
    """The functions of demur and fractions that a job calls, as often as it does."""
    called = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(_COUNTED):
            called.append(frame.f_code.co_name)

    job(*arguments)  # what is loaded when first used is no part of the job
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        job(*arguments)
    finally:
        sys.setprofile(before)
    return called


@pytest.mark.parametrize(("kind", "most"), [("distinct", 80), ("ties", 100)])
def test_the_whole_job_takes_few_steps(kind: str, most: int) -> None:
    called = steps(whole_job, table(1000, kind))
    assert len(called) <= most, called


@pytest.mark.parametrize("kind", _KINDS)
def test_no_step_is_for_a_single_row(kind: str) -> None:
    assert len(steps(whole_job, table(20_000, kind))) == len(
        steps(whole_job, table(1000, kind))
    )


def test_making_a_table_of_arrays_takes_few_steps_whatever_its_length() -> None:
    short, long = (steps(table, n_rows, "ties") for n_rows in (1000, 20_000))
    assert len(short) == len(long) <= 30, short


@pytest.mark.parametrize("given", [{}, {"system": "a"}, {"setting": ["x"] * 1000}])
def test_a_table_of_one_system_is_not_looked_through_again(given: Any) -> None:
    outcomes = graded([True] * 1000, **given)
    column = outcomes.setting if "setting" in given else outcomes.system
    assert column is not None
    assert column.strides == (0,)
    assert not column.flags.writeable
    assert outcomes.take(np.array([5, 7])).system.tolist() == 2 * [outcomes.system[0]]
