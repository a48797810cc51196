"""Outcomes with a column ``failed``, as responses have it."""

import pytest

import demur
from builders import printed


def table(tmp_path, text):
    path = tmp_path / "outcomes.csv"
    path.write_text(text, "utf-8")
    return path


def test_what_failed_is_known_of_outcomes_as_of_responses(tmp_path):
    path = table(
        tmp_path,
        "item,correct,confidence,failed\nq1,1,.9,\nq2,0,.8,no\n"
        "q3,,,HTTP 503\nq4,,,n/a\n",
    )
    outcomes = demur.read_outcomes(path)
    assert outcomes.failed.tolist() == [False, False, True, False]
    assert list(outcomes.groups["failed"]) == [None, "no", "HTTP 503", "n/a"]
    assert printed("curve", path).startswith("1 of 4 requests failed")


def test_flags_say_it_too_and_an_outcome_beside_one_is_noted():
    outcomes = demur.Outcomes.from_arrays(
        correct=[1, 0, None], groups={"failed": [0, 1, 1]}
    )
    assert outcomes.failed.tolist() == [False, False, True]
    assert any("1 rows have failed" in note for note in outcomes.notes)


@pytest.mark.parametrize("values", [["a", ["b"], "c"], [0.5, 2.0, 3.0]])
def test_other_things_of_that_name_are_only_a_column(values):
    outcomes = demur.Outcomes.from_arrays(
        correct=[1, 0, None], groups={"failed": values}
    )
    assert not outcomes.failed.any()
    assert outcomes.notes == ()


def test_a_kind_that_is_named_is_kept(tmp_path):
    path = table(tmp_path, "item,correct,kind,failed\nq1,1,,\nq2,,idk,yes\n")
    assert not demur.read_outcomes(path).failed.any()
