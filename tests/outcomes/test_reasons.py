"""The table of codes, and the column that holds them."""

import io

import numpy as np
import pytest

import demur
from builders import refuses
from demur import InputError, write_outcomes
from demur.outcomes.reasons import REASONS, is_code

CODES = ["equal", "both_empty", None, "too_green_2"]


def coded(codes=CODES):
    return demur.Outcomes.from_arrays(correct=[1, 1, 0, 0], reason_code=codes)


@pytest.mark.parametrize("code", REASONS)
def test_a_code_is_one_word_with_a_meaning(code):
    assert is_code(code)
    assert REASONS[code]
    assert not REASONS[code].endswith(".")


def test_codes_are_few():
    assert 15 <= len(REASONS) <= 36
    assert len(set(REASONS.values())) == len(REASONS)


@pytest.mark.parametrize(
    "text", ["", "both empty", "Equal", "_x", "2nd", "a-b", "é", "x\n"]
)
def test_words_for_people_are_no_codes(text):
    assert not is_code(text)


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_codes_travel_through_files(ending, tmp_path):
    path = tmp_path / f"a.{ending}"
    write_outcomes(coded(), path)
    assert demur.read_outcomes(path).reason_code.tolist() == CODES
    few = demur.read_outcomes(path, where={"reason_code": "too_green_2"})
    assert len(few) == 1


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_codes_travel_through_frames(backend):
    again = demur.Outcomes.from_frame(coded().to_frame(backend))
    assert again.reason_code.tolist() == CODES


@pytest.mark.parametrize(
    ("text", "got"),
    [
        (b'{"item": 1, "correct": 1, "reason_code": "both empty"}\n', "'both empty'"),
        (b'{"item": 1, "correct": 1, "reason_code": 3}\n', "3"),
        (b"item,correct,reason_code\n1,1,Equal\n", "'Equal'"),
    ],
)
def test_what_is_no_code_is_refused_with_its_place(text, got):
    with pytest.raises(InputError, match="reason_code must be one word") as caught:
        demur.read_outcomes(io.BytesIO(text))
    assert caught.value.got == got
    assert caught.value.where.endswith(("1", "2"))


def test_what_is_no_code_is_refused_in_parquet_and_in_memory(tmp_path):
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table(
        {"item": [1, 2], "correct": [1, 0], "reason_code": ["x", "Y"]}
    )
    parquet.write_table(table, tmp_path / "a.parquet")
    refuses("got 'Y'", demur.read_outcomes, tmp_path / "a.parquet")
    refuses(r"row 3: reason_code .* got 'No'", coded, ["equal", None, None, "No"])


def test_the_words_of_a_reason_decide_nothing():
    # An empty answer was counted by its words: one full stop more, and it was not.
    given = {"correct": [1, 1], "reason": ["both empty", "both empty."]}
    none = demur.Outcomes.from_arrays(**given)
    both = demur.Outcomes.from_arrays(**given, reason_code=np.array(["both_empty"] * 2))
    assert demur.score(none).scores[0].both_empty == 0
    assert demur.score(both).scores[0].both_empty == 2
