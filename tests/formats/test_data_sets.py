"""Data sets of Hugging Face, Arrow files and MLflow's tables as Parquet."""

import csv
from pathlib import Path

import pytest

import demur
from builders import run

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")

GOLDEN = Path(__file__).parents[1] / "golden/formats"


class DataSet:
    """What a data set of Hugging Face gives of itself to those who ask."""

    features = None
    num_columns = 2

    def __init__(self, **columns):
        self._columns = columns

    @property
    def column_names(self):
        return list(self._columns)

    def __iter__(self):
        rows = zip(*self._columns.values(), strict=True)
        return (dict(zip(self._columns, row, strict=True)) for row in rows)

    def __len__(self):
        return len(next(iter(self._columns.values())))

    def with_format(self, kind):
        assert kind == "arrow"
        return self

    def __getitem__(self, _):
        return pyarrow.table(self._columns)


class Parts(dict):
    """Several data sets by name, as data sets of Hugging Face are loaded."""

    column_names = None


class Streamed:
    """A data set of which rows are all there is."""

    column_names = None


OUTCOMES = {"id": ["a", "b"], "correct": [True, None], "confidence": [0.5, None]}


def test_a_data_set_is_a_frame_and_its_rows_are_records():
    outcomes = demur.Outcomes.from_frame(DataSet(**OUTCOMES), names={"item": "id"})
    assert outcomes.item.tolist() == ["a", "b"]
    assert outcomes.counts()["unanswered"] == 1
    responses = DataSet(item=["a", "b"], response=["x", "y"])
    references = DataSet(item=["a", "b"], references=[["x", "z"], ["z"]])
    assert demur.judge(responses, references).counts()["right"] == 1


def test_what_is_no_data_set_is_named_with_what_to_give():
    whole = DataSet(**OUTCOMES)
    with pytest.raises(demur.InputError, match=r"Give one of them: \['train'\]"):
        demur.Outcomes.from_frame(Parts(train=whole))
    with pytest.raises(demur.InputError, match=r"datasets\.Dataset\.from_list"):
        demur.Outcomes.from_frame(Streamed())
    with pytest.raises(demur.InputError, match=r"from_frame\(frame\) takes frames"):
        demur.read_outcomes(whole)


def test_words_in_a_frame_are_named_with_what_to_do():
    with pytest.raises(
        demur.InputError, match="Map its words first, such as"
    ) as caught:
        demur.Outcomes.from_arrays(correct=["ja", "nein"])
    assert "{'ja': True, 'nein': False}" in str(caught.value)


def test_saved_data_sets_are_named_with_what_makes_a_file_of_them(tmp_path):
    table = pyarrow.table(OUTCOMES)
    stream, file = tmp_path / "data.arrow", tmp_path / "data.feather"
    with pyarrow.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    with pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(demur.ParseError, match=r"Dataset\.from_file\(FILE\)\.to_parq"):
        demur.read_outcomes(stream)
    with pytest.raises(demur.ParseError, match=r"read_feather\(FILE\)\.to_parquet"):
        demur.read_outcomes(file)
    (tmp_path / "dataset_dict.json").write_text("{}")
    with pytest.raises(demur.InputError, match=r"\(FOLDER\)\['train'\]\.to_parquet"):
        demur.read_outcomes(tmp_path)


def test_a_table_of_mlflow_is_read_as_parquet_too(tmp_path):
    source = GOLDEN / "mlflow/eval_results_table.csv"
    with source.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for name in ("confidence", "right/score"):
            row[name] = float(row[name]) if row[name] else None
    path = tmp_path / "eval_results_table.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    read = demur.read_outcomes(path)
    assert "log" in read.recipe
    assert read.counts() == demur.read_outcomes(source).counts()


def test_a_parquet_file_of_other_columns_is_read_as_is_proposed(tmp_path):
    path = tmp_path / "a.parquet"
    table = {"id": [1, 2], "exact_match/score": [1.0, 0.0], "sure": ["high", "low"]}
    pyarrow.parquet.write_table(pyarrow.table(table), path)
    with pytest.raises(demur.InputError) as caught:
        demur.read_outcomes(path)
    columns = (
        "item=id, correct=exact_match/score >= 0.5, "
        "confidence=cases(sure, high=4, low=2)"
    )
    assert f"--columns '{columns}'" in str(caught.value)
    done = run("curve", path, "--columns", columns)
    assert done.code == 0, done.err
