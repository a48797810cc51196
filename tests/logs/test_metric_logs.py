"""Logs with scores: `"deepeval"`, `"ragas"`, `"mlflow"`; and `"simple_evals"`."""

import io
import json
import random
from pathlib import Path

import pytest

import demur
from demur import logs
from demur.formats.beginnings import keys_of

FOLDER = Path(__file__).parents[1] / "golden/formats"
DECLINED = "deepeval(metric=Correct, declined=Answered < 0.5)"
RUN = "deepeval/test_run.json"
RESULT = "deepeval/evaluation_result.json"
INDEXED = "ragas/result_to_pandas_with_index.csv"
LINES = "ragas/result_to_pandas.jsonl"
GENAI = "mlflow/genai_result_df.jsonl"


@pytest.mark.parametrize(
    ("name", "log", "expected"),
    [
        # one of the right ones is half right; the metric failed for one
        (RUN, "deepeval(metric=Correct)", (5, 6, 0, 1)),
        (RUN, DECLINED, (5, 3, 3, 1)),
        (RUN, "deepeval(metric=Correct, threshold=success)", (4, 7, 0, 1)),
        (RUN, "deepeval(metric=Correct, ungraded=wrong)", (5, 7, 0, 0)),
        (RESULT, "deepeval(metric=Correct)", (4, 7, 0, 1)),
        (RESULT, DECLINED, (4, 2, 5, 1)),
        (INDEXED, "ragas(metric=correct)", (3, 8, 0, 1)),
        (INDEXED, "ragas(metric=exact_match)", (4, 8, 0, 0)),
        (LINES, "ragas(metric=correct)", (3, 8, 0, 1)),
        (LINES, "ragas(metric=correct, no_answer=refusals)", (3, 4, 4, 1)),
        ("mlflow/eval_results_table.json", None, (4, 8, 0, 0)),
        ("mlflow/eval_results_table.csv", None, (4, 8, 0, 0)),
        ("mlflow/answers.json", None, (4, 6, 0, 2)),
        (GENAI, "mlflow(metric=correct)", (4, 8, 0, 0)),
        (GENAI, "mlflow(metric=correct, declined=judged/value == no)", (4, 6, 2, 0)),
    ],
)
def test_logs_of_the_tools_have_the_counts_that_must_come(name, log, expected):
    assert tuple(demur.read_outcomes(FOLDER / name, log=log).counts().values()) == (
        expected
    )


@pytest.mark.parametrize("name", [RUN, RESULT, INDEXED, LINES, GENAI])
def test_of_several_metrics_one_is_asked_for_by_name(name):
    reader = name.split("/")[0]
    with pytest.raises(demur.InputError, match=rf"got .*, .*--log '{reader}\(metric="):
        demur.read_outcomes(FOLDER / name)


def test_confidence_system_and_what_is_left_out_are_read():
    outcomes = demur.read_outcomes(FOLDER / RUN, log=DECLINED)
    assert outcomes.confidence[outcomes.item == "q01"].tolist() == [0.97]
    assert list(outcomes.systems) == ["model-a"]
    table = demur.read_outcomes(FOLDER / "mlflow/eval_results_table.csv")
    assert table.confidence[table.item == "q03"].tolist() == [0.61]
    notes = demur.read_outcomes(FOLDER / "mlflow/answers.json").notes
    assert "2 rows that stand there again are left out (log_table appends)" in notes


def test_a_metric_of_which_less_is_better_is_no_credit():
    metric = {"name": "Bias", "score": 0.1, "threshold": 0.5, "success": True}
    case = {"name": "a", "actual_output": "x", "metrics_data": [metric]}
    text = json.dumps({"test_results": [case]}).encode()
    with pytest.raises(demur.InputError, match="lower scores succeed"):
        demur.read_outcomes(io.BytesIO(text))
    by_success = demur.read_outcomes(
        io.BytesIO(text), log="deepeval(threshold=success)"
    )
    assert by_success.counts()["right"] == 1


def test_conversations_of_simple_evals_are_responses():
    path = FOLDER / "simple_evals/allresults.json"
    first, *_ = demur.read_responses(path, log="simple_evals(item=input)")
    assert (first.item, first.response) == ("What is the capital of France?", "Paris")
    with pytest.raises(demur.InputError, match="totals of simple-evals alone"):
        demur.read_responses(FOLDER / "simple_evals/totals.json")


def test_a_page_is_named():
    with pytest.raises(demur.InputError, match="an HTML page"):
        demur.read_outcomes(io.BytesIO(b"<!DOCTYPE html>\n<html></html>"))


@pytest.mark.parametrize(
    "text",
    [
        b"item,correct,score\nq1,1,0.5\n",
        b'{"id": 1, "columns": "a", "data": "b", "outputs": "c"}',
        b"question,answer,ground_truth\na,b,c\n",
        b'{"score": 0.5, "metrics": {"a": 1}}',
        b"trace_id,request\n1,a\n",
    ],
)
def test_other_tables_are_no_log(text):
    assert logs.recognised(keys_of(text), text) is None


def test_damaged_files_raise_our_errors_alone():
    dice = random.Random(7)
    names = {RUN: DECLINED, LINES: "ragas(metric=correct)", INDEXED: "ragas"}
    names |= {"mlflow/answers.json": "mlflow", GENAI: "mlflow(metric=correct)"}
    names |= {"simple_evals/allresults.json": "simple_evals"}
    texts = {name: (FOLDER / name).read_bytes() for name in names}
    for _ in range(120):
        name = dice.choice(list(names))
        text = bytearray(texts[name])
        for _ in range(dice.randrange(3)):
            at = dice.randrange(len(text))
            text[at : at + dice.randrange(30)] = dice.choice(
                [b"", b"null", b"[]", b'"x"', b"{}", b"NaN", b"-1", b",", b'"']
            )
        if dice.random() < 0.3:
            del text[dice.randrange(len(text)) :]
        for read in (demur.read_outcomes, demur.read_responses):
            try:
                read(io.BytesIO(bytes(text)), log=names[name])
            except demur.DemurError:
                continue


def test_rows_of_large_numbers_are_no_repeats():
    rows = [[2**53, "a"], [2**53 + 1, "a"], [float(2**53), "a"], [10**400, "a"]]
    table = {"columns": ["trace_id", "outputs"], "data": rows}
    file = io.BytesIO(json.dumps(table).encode())
    assert len(demur.read_responses(file, log="mlflow(item=row)")) == 3


@pytest.mark.parametrize("log", ["ragas", "mlflow"])
def test_items_that_begin_late_are_no_reason_to_count_rows(log):
    names = {"ragas": ("user_input", "response"), "mlflow": ("inputs", "outputs")}[log]
    rows = [{**dict.fromkeys(names, "a"), "id": n or None} for n in range(3)]
    text = "\n".join(map(json.dumps, rows)).encode()
    with pytest.raises(demur.InputError, match="an item must be in the first row"):
        demur.read_responses(io.BytesIO(text), log=log)
    responses = demur.read_responses(io.BytesIO(text), log=f"{log}(item=row)")
    assert [each.item for each in responses] == ["1", "2", "3"]
