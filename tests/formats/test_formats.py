"""Files in all formats give the same tables, and give back what was written."""

import csv
import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import DATA, graded, json_lines, needs_data, parquet, python, refuses
from demur.formats import iter_responses
from demur.outcomes.fields import KINDS, names_of

ROWS: list[dict[str, Any]] = [
    {"item": "q1", "system": "a", "outcome": "right", "confidence": 0.9, "topic": "x"},
    {"item": "q2", "system": "a", "outcome": "wrong", "confidence": 0.5, "topic": "y"},
    {"item": "007", "system": "a", "outcome": "unanswered", "topic": "x, y"},
]
COLUMN_NAMES = ["item", "system", "outcome", "confidence", "topic"]


def as_json_lines(rows: list[dict[str, Any]]) -> bytes:
    return json_lines(rows).encode()


def as_json(rows: list[dict[str, Any]]) -> bytes:
    return json.dumps(rows, indent=1).encode()


def as_delimited(delimiter: str) -> Callable[[list[dict[str, Any]]], bytes]:
    def written(rows: list[dict[str, Any]]) -> bytes:
        file = io.StringIO()
        writer = csv.DictWriter(file, COLUMN_NAMES, delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
        return file.getvalue().encode()

    return written


def as_parquet(rows: list[dict[str, Any]]) -> bytes:
    columns = {name: [row.get(name) for row in rows] for name in COLUMN_NAMES}
    return parquet(pyarrow.table(columns))


FORMATS = {
    "json lines": as_json_lines,
    "json": as_json,
    "comma": as_delimited(","),
    "tab": as_delimited("\t"),
    "semicolon": as_delimited(";"),
    "parquet": as_parquet,
}
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "zstd": zstd.compress,
    "gzip in zstd": lambda data: zstd.compress(gzip.compress(data)),
}


class Pipe(io.RawIOBase):
    """Gives three bytes at a time, and cannot go back."""

    def __init__(self, data: bytes) -> None:
        self.beneath = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self.beneath.read(min(3, len(buffer)))
        buffer[: len(piece)] = piece
        return len(piece)


def outcomes_from(text: str | bytes, **options: Any) -> demur.Outcomes:
    data = text.encode() if isinstance(text, str) else text
    return demur.read_outcomes(io.BytesIO(data), **options)


def columns_of(outcomes: demur.Outcomes) -> dict[str, Any]:
    return outcomes.to_columns()


# -- the same table from all formats -----------------------------------------------


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("form", FORMATS)
def test_format_is_recognised_by_content(
    form: str, packed: str, tmp_path: Path
) -> None:
    path = tmp_path / "misleading.csv.gz"
    path.write_bytes(PACKED[packed](FORMATS[form](ROWS)))
    outcomes = demur.read_outcomes(path, groups=["topic"])
    assert columns_of(outcomes) == {
        "item": ["q1", "q2", "007"],
        "system": ["a", "a", "a"],
        "outcome": ["right", "wrong", "unanswered"],
        "confidence": [0.9, 0.5, None],
        "topic": ["x", "y", "x, y"],
    }


@pytest.mark.parametrize("form", FORMATS)
def test_all_formats_as_open_files_and_standard_input(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = FORMATS[form](ROWS)
    assert len(demur.read_outcomes(io.BytesIO(data))) == 3

    pipe = io.BufferedReader(Pipe(data))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe))
    assert len(demur.read_outcomes("-")) == 3
    assert len(demur.read_outcomes(Pipe(data))) == 3  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMATS)
def test_records_are_the_same_in_all_formats(form: str) -> None:
    rows = [{**row, "response": "Oslo"} for row in ROWS]
    COLUMN_NAMES.append("response")
    try:
        data = FORMATS[form](rows)
    finally:
        COLUMN_NAMES.pop()
    responses = demur.read_responses(io.BytesIO(data))
    assert [each.confidence for each in responses] == [0.9, 0.5, None]
    assert [each.item for each in responses] == ["q1", "q2", "007"]
    assert responses[2].extra == {"outcome": "unanswered", "topic": "x, y"}


def test_text_files_are_taken_too(tmp_path: Path) -> None:
    assert len(demur.read_outcomes(io.StringIO("item,correct\nq1,true\n"))) == 1
    path = tmp_path / "a.csv"
    path.write_text("item,correct\nq1,true\n")
    with path.open() as file:
        assert len(demur.read_outcomes(file)) == 1


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
@pytest.mark.parametrize("form", ["json lines", "json", "comma"])
def test_byte_order_marks(form: str, encoding: str) -> None:
    text = FORMATS[form]([{**ROWS[0], "item": "Ørsted 🜚"}, ROWS[1]]).decode()
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    outcomes = outcomes_from((mark + text).encode(encoding))
    assert outcomes.item.tolist() == ["Ørsted 🜚", "q2"]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\n\n", "\r\n \r\n"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_line_endings_and_blank_lines(ending: str, last: str) -> None:
    lines = ['{"item": "q1", "correct": true}', '{"item": "q2", "correct": null}']
    assert outcomes_from(ending.join(lines) + last).counts()["unanswered"] == 1
    cells = ["", "item,correct", "q1,true", "q2,"]
    assert outcomes_from(ending.join(cells) + last).counts()["unanswered"] == 1


def test_line_endings_of_old() -> None:
    assert len(outcomes_from("item,correct\rq1,true\rq2,false\r")) == 2


def test_quoted_cells_hold_delimiters_quotes_and_line_breaks() -> None:
    text = 'item,note,correct\n"a, ""b""\r\nc",x,true\nd,"\n\n",false\nd,z,true\n'
    refuses(r"stream:7: the key .* at stream:4", outcomes_from, text)
    outcomes = outcomes_from(text, where={"note": "x"})
    assert outcomes.item.tolist() == ['a, "b"\r\nc']


def test_long_cells_leave_the_limit_of_csv_alone() -> None:
    limit = csv.field_size_limit()
    text = f"item,response\nq1,{'x' * (limit + 1)}\nq2,y\n"
    responses = iter_responses(io.BytesIO(text.encode()))
    assert len(next(responses).response) == limit + 1
    assert csv.field_size_limit() == limit


def test_lines_are_counted_through_blocks_and_blank_lines() -> None:
    rows = [f'{{"item": {row}, "correct": true}}' for row in range(100_000)]
    rows[40_000:40_000] = ["", "  "]
    rows.append('{"item": "99999", "correct": true}')
    refuses(r"stream:100003: .*at stream:100002\.", outcomes_from, "\n".join(rows))


def test_lines_of_an_array_are_where_its_elements_begin() -> None:
    text = '[\n {"item": "{",\n "correct": 1},\n\n{"item": "{", "correct": 1}]\n'
    refuses(r"stream:5: .*first at stream:2\.", outcomes_from, text)


def test_rows_of_parquet_are_counted_through_row_groups() -> None:
    table = pyarrow.table({"item": [*"abcdefgb"], "correct": [True] * 8})
    data = parquet(table, row_group_size=3)
    refuses(r"stream:row 8: .* stream:row 2\.", outcomes_from, data)


# -- what fields may hold ----------------------------------------------------------


def test_whole_numbers_are_items_as_text() -> None:
    big = 10**30
    text = f'{{"item": 7, "correct": true}}\n{{"item": {big}, "correct": true}}'
    assert outcomes_from(text).item.tolist() == ["7", str(big)]


@pytest.mark.parametrize("item", ["007", "1e5", "true", "null", "NaN", " a ", "[1]"])
def test_items_are_never_interpreted(item: str) -> None:
    assert outcomes_from(f"item,correct\n{item},1\n").item.tolist() == [item]
    text = json.dumps({"item": item, "correct": True})
    assert outcomes_from(text).item.tolist() == [item]


def test_numbers_in_cells() -> None:
    text = "item,correct,confidence\na,1,inf\nb,0.5,-inf\nc,0, 1e-3 \nd,,\n"
    outcomes = outcomes_from(text)
    assert columns_of(outcomes)["confidence"] == [np.inf, -np.inf, 1e-3, None]
    assert columns_of(outcomes)["credit"] == [1.0, 0.5, 0.0, 0.0]


def test_infinite_confidences_in_json_are_text() -> None:
    text = (
        '{"item": 1, "correct": true, "confidence": "inf"}\n'
        '{"item": 2, "correct": true, "confidence": 3}\n'
        '{"item": 3, "correct": true, "confidence": "-inf"}\n'
    )
    assert outcomes_from(text).confidence is not None
    assert columns_of(outcomes_from(text))["confidence"] == [np.inf, 3.0, -np.inf]


def test_flags_in_cells() -> None:
    words = ["true", "FALSE", "1", "0", "Yes", "no", "", " true "]
    lines = [f"q{row},wrong,{word}" for row, word in enumerate(words)]
    outcomes = outcomes_from("\n".join(["item,outcome,declined", *lines]))
    assert outcomes.declined is not None
    expected = [True, False, True, False, True, False, False, True]
    assert outcomes.declined.tolist() == expected


def test_flags_left_out_are_the_usual() -> None:
    text = (
        '{"item": 1, "outcome": "wrong", "answerable": false}\n'
        '{"item": 2, "outcome": "wrong"}\n'
        '{"item": 3, "outcome": "wrong", "answerable": null}\n'
    )
    assert columns_of(outcomes_from(text))["answerable"] == [False, True, True]


def test_names_may_be_numbers() -> None:
    text = (
        '{"item": 1, "outcome": "wrong", "system": 3, "setting": 0.7, "repeat": 1}\n'
        '{"item": 1, "outcome": "wrong", "system": 3, "setting": 0.7, "repeat": 2}\n'
    )
    columns = columns_of(outcomes_from(text))
    assert columns["system"] == ["3", "3"]
    assert columns["setting"] == ["0.7", "0.7"]
    assert columns["repeat"] == ["1", "2"]


def test_headers_are_stripped() -> None:
    outcomes = outcomes_from(" item , correct , my topic \nq1,1,x\n", groups=None)
    assert list(outcomes.groups) == ["my topic"]


def test_answered_overrules() -> None:
    text = "item,correct,answered\na,1,yes\nb,1,no\nc,0,\n"
    names = columns_of(outcomes_from(text))["outcome"]
    assert names == ["right", "unanswered", "wrong"]


# -- Parquet types -----------------------------------------------------------------


@pytest.mark.parametrize(
    "items",
    [
        pyarrow.array([1, 2, 3], pyarrow.int32()),
        pyarrow.array(["1", "2", "3"], pyarrow.large_string()),
        pyarrow.array(["1", "2", "3"]).dictionary_encode(),
        pyarrow.array([1, 2, 3]).dictionary_encode(),
        pyarrow.array(["1", "2", "3"], pyarrow.string_view()),
    ],
)
def test_items_of_parquet(items: Any) -> None:
    data = parquet(pyarrow.table({"item": items, "correct": [1.0, 0.5, None]}))
    outcomes = outcomes_from(data)
    assert outcomes.item.tolist() == ["1", "2", "3"]
    assert columns_of(outcomes)["credit"] == [1.0, 0.5, 0.0]


@pytest.mark.parametrize(
    "confidences",
    [
        pyarrow.array([1, 2, None], pyarrow.int8()),
        pyarrow.array([1, 2, None], pyarrow.float32()),
        pyarrow.array([1, 2, None], pyarrow.float16()),
        pyarrow.array([1, 2, None], pyarrow.decimal128(5, 2)),
    ],
)
def test_numbers_of_parquet(confidences: Any) -> None:
    table = {
        "item": [*"abc"],
        "correct": [True, False, None],
        "confidence": confidences,
    }
    columns = columns_of(outcomes_from(parquet(pyarrow.table(table))))
    assert columns["confidence"] == [1.0, 2.0, None]
    assert columns["outcome"] == ["right", "wrong", "unanswered"]


def test_groups_of_parquet_are_text_as_in_json() -> None:
    groups = {
        "number": [1, None],
        "rate": [1.0, 0.25],
        "flag": [True, False],
        "list": [["x"], []],
        "text": pyarrow.array(["a", None]).dictionary_encode(),
        "day": pyarrow.array([0, 1], pyarrow.date32()),
    }
    table = pyarrow.table({"item": ["a", "b"], "correct": [True, False], **groups})
    outcomes = outcomes_from(parquet(table), groups=None)
    assert {name: values.tolist() for name, values in outcomes.groups.items()} == {
        "number": ["1", None],
        "rate": ["1.0", "0.25"],
        "flag": ["true", "false"],
        "list": ['["x"]', "[]"],
        "text": ["a", None],
        "day": ["1970-01-01", "1970-01-02"],
    }


def test_records_of_parquet_keep_structure() -> None:
    table = pyarrow.table(
        {"item": [1, 2], "response": [[1, 2], None], "votes": [None, ["x"]]}
    )
    one, two = demur.read_responses(io.BytesIO(parquet(table)))
    assert (one.item, one.response, one.extra) == ("1", [1, 2], {})
    assert (two.response, two.extra, two.place) == (
        None,
        {"votes": ["x"]},
        "stream:row 2",
    )


# -- where -------------------------------------------------------------------------


def test_rows_are_selected_before_they_are_checked() -> None:
    text = "item,prompt,outcome,confidence\na,1,right,0.5\na,2,nonsense,high\n"
    outcomes = outcomes_from(text, where={"prompt": "1"})
    assert len(outcomes) == 1
    assert outcomes.notes == ("1 of 2 rows selected by prompt=1",)
    assert outcomes.recipe == {"where": "prompt=1"}
    lines = (
        '{"item": "a", "prompt": 1, "outcome": "right"}\n'
        '{"item": "a", "prompt": 2, "outcome": "nonsense"}\n'
        '{"item": 2.5, "prompt": 3, "outcome": null}\n'
    )
    assert len(outcomes_from(lines, where={"prompt": "1"})) == 1


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (True, "true"),
        (False, "false"),
        (3, "3"),
        (0.5, "0.5"),
        ("é", "é"),
        (None, ""),
        ([1, "a"], '[1, "a"]'),
        (True, True),
        (3, 3),
    ],
)
def test_values_are_compared_as_text(value: Any, wanted: Any) -> None:
    rows = [
        {"item": "a", "correct": True, "which": value},
        {"item": "b", "correct": True, "which": "other"},
    ]
    for data in (as_json_lines(rows), as_json(rows)):
        assert outcomes_from(data, where={"which": wanted}).item.tolist() == ["a"]
        references = [{**row, "reference": "x"} for row in rows]
        data = as_json_lines(references)
        (found,) = demur.read_references(io.BytesIO(data), where={"which": wanted})
        assert found.item == "a"


def test_where_in_parquet() -> None:
    table = pyarrow.table(
        {"item": [1, 2, 3, 3], "correct": [True] * 4, "flag": [True, None, True, False]}
    )
    outcomes = outcomes_from(parquet(table), where={"flag": "true"})
    assert outcomes.item.tolist() == ["1", "3"]
    assert "flag" not in outcomes.groups


def test_where_takes_several_columns_and_own_ones() -> None:
    text = "item,system,prompt,correct\na,s,1,1\na,s,2,1\na,t,1,0\n"
    where = {"system": "s", "prompt": "1"}
    outcomes = outcomes_from(text, where=where, groups=["prompt"])
    assert outcomes.recipe == {"where": "system=s, prompt=1"}
    assert outcomes.groups["prompt"].tolist() == ["1"]
    responses = demur.read_responses(
        io.BytesIO(b"item,response,system\na,x,s\nb,y,t\n"), where={"system": "t"}
    )
    assert [each.item for each in responses] == ["b"]


def test_missing_field_counts_as_empty_text() -> None:
    text = '{"item": 1, "correct": true, "x": "y"}\n{"item": 2, "correct": true}\n'
    assert outcomes_from(text, where={"x": ""}).item.tolist() == ["2"]
    assert outcomes_from(text, where={"x": "y"}, groups=None).item.tolist() == ["1"]


# -- groups and display ------------------------------------------------------------


def test_further_columns_are_kept_only_when_named() -> None:
    text = '{"item": 1, "correct": true, "x": 1, "y": [2]}\n{"item": 2, "correct": 0}\n'
    assert outcomes_from(text).groups == {}
    assert outcomes_from(text, groups=["y"]).groups["y"].tolist() == ["[2]", None]
    assert outcomes_from(text, groups="x").groups["x"].tolist() == ["1", None]
    all_ = outcomes_from(text, groups=None).groups
    assert {name: values.tolist() for name, values in all_.items()} == {
        "x": ["1", None],
        "y": ["[2]", None],
    }


@pytest.mark.parametrize("name", ['say "x"', "a\\b", "a\nb", "a\x00b", "é"])
def test_further_columns_may_have_any_name(name: str) -> None:
    row = {"item": 1, "correct": 1, name: "x"}
    outcomes = outcomes_from(json_lines([row]), groups=[name])
    assert outcomes.groups[name].tolist() == ["x"]


def test_own_columns_may_be_named_as_groups() -> None:
    text = "item,correct,kind,response\n1,,idk,x\n2,1,,y\n"
    outcomes = outcomes_from(text, groups=["kind", "response"])
    assert outcomes.groups == {}
    assert columns_of(outcomes)["kind"] == ["idk", None]
    assert columns_of(outcomes)["response"] == ["x", "y"]


@pytest.mark.parametrize("groups", [(), None])
def test_display_columns_are_kept_on_demand(groups: Any) -> None:
    text = '{"item": 1, "correct": true, "response": [1, 2], "input": "?"}\n'
    text += '{"item": 2, "correct": true, "response": [3, 4], "input": null}\n'
    assert outcomes_from(text, groups=groups).response is None
    shown = outcomes_from(text, groups=groups, display=True)
    assert columns_of(shown)["response"] == [[1, 2], [3, 4]]
    assert columns_of(shown)["input"] == ["?", None]
    assert shown.reference is None


# -- several files -----------------------------------------------------------------


def test_files_of_different_formats_are_put_together() -> None:
    one = io.BytesIO(b"item,system,correct,confidence\nq1,a,1,0.5\nq2,a,0.5,0.4\n")
    two = io.BytesIO(b'{"item": "q1", "system": "b", "outcome": "right", "weight": 2}')
    three = io.BytesIO(as_parquet(ROWS[2:]))
    outcomes = demur.read_outcomes(one, two, three)
    assert columns_of(outcomes) == {
        "item": ["q1", "q2", "q1", "007"],
        "system": ["a", "a", "b", "a"],
        "outcome": ["right", "right", "right", "unanswered"],
        "credit": [1.0, 0.5, 1.0, 0.0],
        "confidence": [0.5, 0.4, None, None],
        "weight": [1.0, 1.0, 2.0, 1.0],
    }


def test_a_key_repeated_in_another_file_names_both(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("item,system,correct\nq1,s,1\n")
    message = r"b\.csv:2: the key .* first at .*a\.csv:2\."
    refuses(message, demur.read_outcomes, tmp_path / "a.csv", tmp_path / "b.csv")


def test_equal_texts_are_one_object() -> None:
    lines = [
        f'{{"item": "item {item}", "system": "system {system}", "correct": 1}}'
        for system in range(4)
        for item in range(20_000)
    ]
    outcomes = outcomes_from("\n".join(lines))
    assert len(set(map(id, outcomes.system.tolist()))) == 4
    assert len(set(map(id, outcomes.item.tolist()))) <= 60_000


# -- responses ---------------------------------------------------------------------


def test_a_response_with_everything() -> None:
    text = (
        '{"item": 5, "response": {"a": [1]}, "system": "s", "confidence": "inf", '
        '"declined": true, "error": "no such table", "failed": null, "kind": "idk", '
        '"setting": 1, "repeat": "2", "ranking": ["x"], "more": null}'
    )
    (response,) = demur.read_responses(io.BytesIO(b"\n\n" + text.encode()))
    assert response == demur.Response(
        item="5",
        response={"a": [1]},
        system="s",
        confidence=np.inf,
        declined=True,
        error="no such table",
        kind="idk",
        setting="1",
        repeat="2",
        ranking=["x"],
    )
    assert response.place == "stream:3"


def test_a_response_may_be_left_out_where_it_failed() -> None:
    text = (
        b'{"item": 1, "failed": true}\n{"item": 2, "error": "syntax", "failed": false}'
    )
    one, two = demur.read_responses(io.BytesIO(text))
    assert (one.failed, one.error, one.response) == ("failed", None, None)
    assert (two.failed, two.error) == (None, "syntax")


def test_responses_from_cells() -> None:
    text = b"item,response,confidence,declined,x\n1,,,no,\n2,3.0,0.5,,y\n"
    one, two = demur.read_responses(io.BytesIO(text))
    assert (one.response, one.confidence, one.declined, one.extra) == (
        None,
        None,
        False,
        {},
    )
    assert (two.response, two.confidence, two.declined) == ("3.0", 0.5, None)
    assert (two.extra, two.place) == ({"x": "y"}, "stream:3")


def test_responses_come_one_by_one() -> None:
    class Endless(io.RawIOBase):
        """The same record for ever."""

        given = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            data = (b'{"item": 1, "response": 2}\n' * 500)[: len(buffer)]
            data = data[: len(data) // 27 * 27]
            buffer[: len(data)] = data
            self.given += len(data)
            return len(data)

    source = io.BufferedReader(Endless())
    responses = iter_responses(source)
    assert [next(responses).item for _ in range(10)] == ["1"] * 10
    responses.close()  # type: ignore[attr-defined]


# -- references --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "alternatives"),
    [
        ({"reference": "a"}, (("a", 1.0),)),
        ({"reference": {"value": 1}}, (({"value": 1}, 1.0),)),
        ({"reference": [[1, None]]}, (([[1, None]], 1.0),)),
        ({"references": ["a", 2]}, (("a", 1.0), (2, 1.0))),
        (
            {"references": ["a", {"value": "b", "weight": 0.5}, {"value": [1]}]},
            (("a", 1.0), ("b", 0.5), ([1], 1.0)),
        ),
        ({"references": [{"value": 1, "slot": 2}]}, (({"value": 1, "slot": 2}, 1.0),)),
        ({"reference": None, "references": ["a"]}, (("a", 1.0),)),
        ({"answerable": False}, ()),
        ({"answerable": False, "references": []}, ()),
        ({"sql": "select 1", "db": "x"}, ()),
        ({"min": 1, "max": 2}, ()),
        ({"sqls": ["select 1"]}, ()),
    ],
)
def test_acceptable_answers(record: dict[str, Any], alternatives: Any) -> None:
    data = as_json_lines([{"item": 1, **record}])
    (reference,) = demur.read_references(io.BytesIO(data))
    assert reference.alternatives == alternatives
    assert reference.answerable is record.get("answerable", True)
    known = {"reference", "references", "answerable"}
    assert reference.extra == {
        name: value for name, value in record.items() if name not in known
    }


def test_a_reference_with_everything() -> None:
    text = b'{"item": "a", "input": [1], "reference": 0, "cluster": 7, "weight": 2}'
    (reference,) = demur.read_references(io.BytesIO(text))
    assert reference == demur.Reference(
        item="a", input=[1], alternatives=((0, 1.0),), cluster="7", weight=2.0
    )


def test_references_from_cells() -> None:
    text = (
        "item,reference,references,answerable,sqls,min,max\n"
        '1,3,,,,,\n2,,"[""a"", {""value"": 4, ""weight"": 0.5}]",,,,\n3,,,no,,,\n'
        '4,,,,"[""select 1""]",1,2.5\n5,,,,,about 3,\n'
    )
    found = demur.read_references(io.BytesIO(text.encode()))
    assert [each.alternatives for each in found] == [
        (("3", 1.0),),
        (("a", 1.0), (4, 0.5)),
        (),
        (),
        (),
    ]
    assert [each.answerable for each in found] == [True, True, False, True, True]
    assert found[3].extra == {"sqls": ["select 1"], "min": 1, "max": 2.5}
    assert found[4].extra == {"min": "about 3"}


# -- writing -----------------------------------------------------------------------

ENDINGS = (
    *(".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet"),
    *(".jsonl.gz", ".json.zst", ".CSV.GZ", ".tsv.zst"),
)
TEXT = st.text(max_size=6) | st.sampled_from(
    [
        "007",
        "1e5",
        "true",
        "null",
        "NaN",
        "",
        " ",
        '"',
        ",",
        "\t",
        "\r",
        "\r\n",
        "[",
        "é",
    ]
)


@st.composite
def rows_of(draw: st.DrawFn, text: st.SearchStrategy[str]) -> demur.Outcomes:
    """A table with any of the columns."""
    n_rows = draw(st.integers(1, 6))

    def column(values: st.SearchStrategy[Any]) -> Any:
        return draw(st.lists(values, min_size=n_rows, max_size=n_rows))

    maybe = st.none() | text.filter(bool)
    outcome = column(st.sampled_from(["right", "wrong", "unanswered", "ungraded"]))
    numbers = column(st.floats(allow_nan=False, width=64).filter(_exact))
    table: dict[str, Any] = {
        "item": draw(
            st.lists(text.filter(bool), min_size=n_rows, max_size=n_rows, unique=True)
        ),
        "outcome": outcome,
        "system": column(text),
        "credit": [
            draw(st.floats(0.01, 1)) if each == "right" else 0.0 for each in outcome
        ],
        "confidence": [
            None if each == "unanswered" else number
            for each, number in zip(outcome, numbers, strict=True)
        ],
        "declined": column(st.booleans()),
        "answerable": [
            each in ("right", "ungraded") or draw(st.booleans()) for each in outcome
        ],
        "weight": column(st.floats(0.001, 1e6)),
        "kind": column(st.none() | st.sampled_from(KINDS)),
        "reason_code": column(st.none() | st.sampled_from(["equal", "too_green"])),
        **{name: column(maybe) for name in ("cluster", "reason", "repeat", "setting")},
        **{name: column(maybe) for name in ("input", "response", "reference")},
    }
    kept = draw(st.sets(st.sampled_from(sorted(table)))) | {"item", "outcome"}
    name = text.map(str.strip).filter(
        lambda each: each and each not in names_of("outcomes")
    )
    names = draw(st.lists(name, max_size=2, unique=True))
    names = [each for each in names if each not in ("correct", "answered")]
    return demur.Outcomes.from_columns(
        {name: values for name, values in table.items() if name in kept},
        groups={name: column(maybe) for name in names},
    )


def _exact(number: float) -> bool:
    return not np.isfinite(number) or abs(number) < 1e300


def assert_same(one: demur.Outcomes, other: demur.Outcomes) -> None:
    for name in names_of("outcomes"):
        first, second = getattr(one, name), getattr(other, name)
        assert (first is None) == (second is None), name
        if first is not None:
            np.testing.assert_array_equal(first, second, err_msg=name)
            assert np.asarray(first).dtype == np.asarray(second).dtype
    assert list(one.groups) == list(other.groups)
    for name in one.groups:
        assert one.groups[name].tolist() == other.groups[name].tolist()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all examples: a new one for each takes longer than its file."""
    return tmp_path_factory.mktemp("written")


@pytest.mark.parametrize("ending", ENDINGS)
@given(data=st.data())
@settings(max_examples=60)
def test_what_is_written_is_read(
    ending: str, data: st.DataObject, folder: Path
) -> None:
    text = TEXT
    if ".csv" in ending.lower() or ".tsv" in ending:
        text = TEXT.filter(lambda each: "\0" not in each)
    outcomes = data.draw(rows_of(text))
    path = folder / f"outcomes{ending}"
    demur.write_outcomes(outcomes, path)
    assert_same(demur.read_outcomes(path, groups=None, display=True), outcomes)


def test_number_items_come_back_as_text(tmp_path: Path) -> None:
    outcomes = graded([True, None])
    for ending in ENDINGS:
        demur.write_outcomes(outcomes, tmp_path / f"a{ending}")
        again = demur.read_outcomes(tmp_path / f"a{ending}")
        assert again.item.tolist() == ["0", "1"]


def test_structured_answers_are_json_in_cells(tmp_path: Path) -> None:
    outcomes = graded([True, False], response=[{"a": 1}, None], input=["x", 2.5])
    for ending, response in ((".json", {"a": 1}), (".csv", '{"a": 1}')):
        demur.write_outcomes(outcomes, tmp_path / f"a{ending}")
        again = demur.read_outcomes(tmp_path / f"a{ending}", display=True)
        assert columns_of(again)["response"] == [response, None]


def test_writing_to_open_files() -> None:
    outcomes = graded([True], item=["å"])
    expected = '{"item":"å","outcome":"right"}\n'
    text, binary = io.StringIO(), io.BytesIO()
    demur.write_outcomes(outcomes, text)
    demur.write_outcomes(outcomes, binary)
    assert text.getvalue() == expected
    assert binary.getvalue() == expected.encode()
    latin = io.TextIOWrapper(io.BytesIO(), "latin-1")
    latin.write("first ")
    demur.write_outcomes(outcomes, latin)
    latin.flush()
    assert latin.buffer.getvalue() == b"first " + expected.encode()


def test_a_file_is_replaced_only_when_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("before")
    bad = graded([True], item=["a\0b"])
    refuses("must hold no NUL", demur.write_outcomes, bad, path)
    assert path.read_text() == "before"
    demur.write_outcomes(graded([True], item=["a"]), path)
    assert path.read_text() == "item,outcome\na,right\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]


def test_what_stands_behind_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("before")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    outcomes = graded([True], item=["a"])
    demur.write_outcomes(outcomes, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "item,outcome\na,right\n"


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    outcomes = graded([True], item=["a"])
    for ending in ENDINGS:
        one, two = tmp_path / f"one{ending}", tmp_path / f"two{ending}"
        demur.write_outcomes(outcomes, one)
        demur.write_outcomes(outcomes, two)
        assert one.read_bytes() == two.read_bytes()


# -- extras ------------------------------------------------------------------------


def test_missing_extras_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    outcomes = graded([True], item=["a"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(demur.MissingExtra, match=r"demur\[parquet\]"):
        outcomes_from(b"PAR1")
    with pytest.raises(demur.MissingExtra, match=r"demur\[parquet\]"):
        demur.write_outcomes(outcomes, tmp_path / "a.parquet")
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    monkeypatch.delattr("backports.zstd")
    monkeypatch.setitem(sys.modules, "compression", None)
    with pytest.raises(demur.MissingExtra, match=r"demur\[zstd\]"):
        outcomes_from(zstd.compress(b"x"))
    with pytest.raises(demur.MissingExtra, match=r"demur\[zstd\]"):
        demur.write_outcomes(outcomes, tmp_path / "a.csv.zst")
    assert list(tmp_path.iterdir()) == []


# -- real data ---------------------------------------------------------------------


@needs_data
def test_llm_confidences_need_a_prompt() -> None:
    path = DATA / "llm_mcq_confidence" / "mmlu.csv.gz"
    outcomes = demur.read_outcomes(path, where={"prompt": "first"})
    assert len(outcomes) == 78_000
    assert len(outcomes.systems) == 13
    assert outcomes.notes == ("78000 of 156000 rows selected by prompt=first",)
    refuses(r":6002: .* first at .*:2\.", demur.read_outcomes, path)


@needs_data
def test_groups_of_real_outcomes(tmp_path: Path) -> None:
    path = DATA / "czech_simpleqa" / "outcomes.csv.gz"
    outcomes = demur.read_outcomes(path, groups=["topic"])
    assert len(outcomes) == 21_590
    assert len(set(outcomes.groups["topic"].tolist())) > 5
    demur.write_outcomes(outcomes, tmp_path / "a.parquet")
    assert_same(demur.read_outcomes(tmp_path / "a.parquet", groups=["topic"]), outcomes)


@needs_data
def test_real_files_of_another_kind() -> None:
    path = DATA / "clinc150" / "clinc150.jsonl.gz"
    refuses("Is 'id' what is called item here", demur.read_outcomes, path)


def test_a_column_that_may_be_the_confidence_is_pointed_out() -> None:
    file = io.BytesIO(b"item,outcome,Confidence\na,right,0.9\n")
    note = "there is no column confidence: is it 'Confidence'?"
    assert demur.read_outcomes(file).notes == (note,)
    file = io.BytesIO(b"item,outcome,confidence,score\na,right,0.9,1\n")
    assert demur.read_outcomes(file).notes == ()


def test_reading_parquet_loads_no_dataframe_library(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    from pyarrow import parquet

    table = pyarrow.table(
        {
            "item": ["a", "b", "c"],
            "outcome": pyarrow.array(
                ["right", "unanswered", "right"]
            ).dictionary_encode(),
            "system": pyarrow.array(["s", "s", None]).dictionary_encode(),
            "confidence": [0.5, None, 1],
            "declined": [None, True, False],
            "topic": ["x", None, "y"],
        }
    )
    parquet.write_table(table, tmp_path / "o.parquet")
    code = (
        "import sys, demur\n"
        "read = demur.read_outcomes('o.parquet', groups=['topic'])\n"
        "print(read.item.tolist(), read.system.tolist(), read.declined.tolist())\n"
        "print(read.confidence.tolist(), read.groups['topic'].tolist())\n"
        "print('pandas' in sys.modules)"
    )
    assert python("-c", code, cwd=tmp_path).stdout.splitlines() == [
        "['a', 'b', 'c'] ['s', 's', ''] [False, True, False]",
        "[0.5, nan, 1.0] ['x', None, 'y']",
        "False",
    ]
