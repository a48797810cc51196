"""Files that are not what they should be: one line that names file, line and cure."""

import codecs
import gzip
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from backports import zstd

import demur
from builders import graded, parquet, refuses, run, stderr_of
from demur import read_outcomes, read_references, read_responses, write_outcomes
from demur.formats import iter_responses
from demur.outcomes.fields import OUTCOMES

FIRST = '{"item": "a", "correct": true}\n'
NAN_HINT = "Leave confidence out or null where there is no guess"

Read = Callable[..., Any]


def refusal(read: Read, data: str | bytes, **options: Any) -> str:
    """The message that a text is refused with."""
    raw = data.encode() if isinstance(data, str) else data
    with pytest.raises(demur.DemurError) as caught:
        read(io.BytesIO(raw), **options)
    message = str(caught.value)
    assert message.isprintable()
    return message


def record(**fields: Any) -> str:
    """One JSON line; fields override or add to a sound record."""
    return json.dumps({"item": "b", "correct": True, **fields})


# -- files -------------------------------------------------------------------------


@pytest.mark.parametrize("read", [read_outcomes, read_responses, read_references])
def test_files_that_cannot_be_opened(read: Read, tmp_path: Path) -> None:
    (tmp_path / "outcomes.csv").write_text("item,correct\n")
    refuses(r"a directory\. Name the files in it", read, tmp_path)
    refuses(r"must exist.*Did you mean .*es\.csv'", read, tmp_path / "outcome.csv")
    refuses("There is no directory", read, tmp_path / "absent" / "outcome.csv")
    refuses(r"a\\nb: the file must exist", read, tmp_path / "a\nb")
    refuses("must be readable", read, "a\0b")


def test_files_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("item,correct\na,1\n")
    path.chmod(0)
    try:
        path.read_bytes()
    except PermissionError:
        refuses("Permission denied", read_outcomes, path)
    else:
        pytest.skip("this user may read every file")


@pytest.mark.parametrize("source", [["a.csv", "b.csv"], 3, None])
def test_sources_that_are_no_files(source: Any) -> None:
    refuses("must be a path, '-' or an open file", read_outcomes, source)


def test_open_files_that_give_no_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = io.BytesIO(b"item,correct\na,1\n")
    closed.close()
    refuses("give bytes; got I/O operation on clos", read_outcomes, closed)
    message = "must give bytes; got "
    with (
        (tmp_path / "a").open("wb") as file,
        pytest.raises(demur.InputError, match=message + "read"),
    ):
        read_outcomes(file)
    with (
        codecs.open(str(tmp_path / "a"), "r", "utf-8") as text,
        pytest.raises(demur.InputError, match=message + "str"),
    ):
        read_outcomes(text)
    written = (tmp_path / "a").open()
    written.close()
    refuses(message + "read of closed file", read_outcomes, written)
    monkeypatch.setattr("sys.stdin", None)
    refuses("must give bytes; got 'NoneType'", read_outcomes, "-")


def test_no_sources() -> None:
    for read in (read_outcomes, read_responses, read_references):
        refuses("must be at least one; got none", read)


@pytest.mark.parametrize("read", [read_outcomes, read_responses, read_references])
@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\n \r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"[]", b" [ ]\n"),
        *(b"item,outcome", b"item,outcome\n", b"item\toutcome\n\n\n"),
        *(gzip.compress(b"", mtime=0), zstd.compress(b"\n")),
    ],
)
def test_files_without_records(read: Read, data: bytes) -> None:
    assert "stream: the file must hold at least one record" in refusal(read, data)


def test_parquet_without_records() -> None:
    said = refusal(read_outcomes, parquet({"item": []}))
    assert "must hold at least one record" in said


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"PK\x03\x04rest", "readable zip archive"),
        (b"BZh91AY&SY", "bzip2"),
        (b"\xfd7zXZ\x00rest", "an xz file"),
        (b"SQLite format 3\0rest", "an SQLite database"),
        (gzip.compress(b"ARROW1rest", mtime=0), "an Arrow file"),
    ],
)
def test_files_of_foreign_kinds(data: bytes, kind: str) -> None:
    assert kind in refusal(read_outcomes, data)


def sound() -> dict[str, bytes]:
    """Sound files that can be cut off."""
    rows = "".join(f'{{"item": {row}, "correct": true}}\n' for row in range(300))
    return {
        "gzip": gzip.compress(rows.encode()),
        "zstd": zstd.compress(rows.encode()),
        "parquet": parquet({"item": [*range(300)], "correct": [True] * 300}),
    }


@pytest.mark.parametrize("kind", ["gzip", "zstd", "parquet"])
def test_files_that_are_cut_off(kind: str) -> None:
    data = sound()[kind]
    assert len(read_outcomes(io.BytesIO(data))) == 300
    for length in {4, 5, 12, 20, len(data) // 2, len(data) - 9, len(data) - 1}:
        for read in (read_outcomes, read_responses, read_references):
            message = refusal(read, data[:length])
            assert message.startswith("stream: the file must be a whole, readable")


def test_what_follows_a_gzip_file_is_no_text() -> None:
    data = gzip.compress(FIRST.encode())
    assert len(read_outcomes(io.BytesIO(data + gzip.compress(record().encode())))) == 2
    assert "whole, readable gzip file" in refusal(read_outcomes, data + b"more")


# -- encodings ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'{"item": "caf\xe9", "correct": true}', 1),
        (FIRST.encode() * 3 + b'{"item": "b", "correct": 1, "ignored": "\xe9"}', 4),
        (b'[{"item": "a", "correct": 1},\n{"item": "\xe9"}]', 2),
    ],
)
def test_text_in_another_encoding(data: bytes, line: int) -> None:
    message = refusal(read_outcomes, data)
    expected = f"stream:{line}: the text must be UTF-8; got byte 0xe9 in "
    assert message.startswith(expected)
    assert "iconv" in message


def test_bytes_that_are_no_text() -> None:
    message = refusal(read_outcomes, "item,correct\na,1\n".encode("utf-16-le"))
    assert "stream:1: the text must be UTF-8; got a NUL byte" in message
    assert "stream:3:" in refusal(read_outcomes, b"item,correct\na,1\nb\0,1\n")
    broken = b"\xff\xfe" + "item,correct\na,1".encode("utf-16-le") + b"\x00\xd8\x0a"
    message = refusal(read_outcomes, broken)
    assert "must be UTF-16, as its byte-order mark says" in message


# -- JSON --------------------------------------------------------------------------


@pytest.mark.parametrize("read", [read_outcomes, read_responses])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", "the line must be a JSON object; got [1]."),
        ('"text"', 'the line must be a JSON object; got "text".'),
        ("12", "the line must be a JSON object; got 12."),
        ("nonsense", "the line must be a whole JSON object; got 'nonsense'."),
        ('{"item": "b", "correct": tr', "Expecting value at column 26"),
        ('{"item": "b", "corr', "too early: the file is cut off, or the object goes"),
        ("{", "too early: the file is cut off, or the object goes"),
        ("{\n'item': 1}", "Write each on one line, as the first is."),
        (record() + record(), "Extra data at column 31"),
        (record() + ",", "Extra data at column 31"),
        ("{'item': 1}", "enclosed in double quotes at column 2"),
        (record(item="\ud83d"), "the text must hold whole characters"),
        ('{"item": 1' + "0" * 5000 + "}", "got a number of too many digits"),
        ('{"item": ' + "[" * 10**5 + "]" * 10**5 + "}", "nested too deeply"),
        ('{"item": "b", "confidence": NaN}', NAN_HINT),
        ('{"item": "b", "confidence": 1e999}', 'write "inf" or "-inf"'),
        ('{"item": "b", "confidence": -Infinity}', "got -Infinity. JSON has no inf"),
        ('{"item": "b", "more": [{"x": NaN}]}', "more must be a number; got NaN"),
    ],
)
def test_lines_that_are_no_objects(read: Read, line: str, message: str) -> None:
    before = '{"item": "a", "correct": true, "response": 1}\n\n'
    said = refusal(read, before + line)
    assert said.startswith("stream:3: ")
    assert message in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[{"item": 1, "correct": 1},\n 3]',
            "stream:2: the line must be a JSON object",
        ),
        ("[[1]]", "stream:1: the line must be a JSON object; got [1]."),
        ("[1]\n[2]\n", "stream:2: the file must be one JSON array of objects"),
        ('[{"item": 1}\n', "stream:2: the file must be one JSON array"),
        ('[\n\n{"item": 1},]', "stream:3: the file must be one JSON array"),
        (
            '[{"item":\n"b", "correct": 1},\n{"confidence": NaN}]',
            "stream:3: confidence",
        ),
        ('[{"item": 1, "correct": 1e999}]', "stream:1: correct must be a finite"),
        ('["\\ud800"]', "stream:1: the line must be a JSON object"),
        ('[{"item": "\\ud800"}]', "stream:1: the text must hold whole characters"),
        ("[" * 10**5, "stream:1: the file must be one JSON array"),
        ("[1" + "0" * 5000 + "]", "too many digits"),
    ],
)
def test_arrays_that_are_none(text: str, message: str) -> None:
    assert message in refusal(read_outcomes, text)


def test_objects_over_several_lines_are_read() -> None:
    rows = [{"item": "b", "correct": True}, {"item": "c", "correct": False}]
    text = "\n".join(json.dumps(row, indent=2) for row in rows)
    assert read_outcomes(io.BytesIO(text.encode())).item.tolist() == ["b", "c"]
    assert len(read_outcomes(io.BytesIO(text[: text.index("}") + 1].encode()))) == 1
    first = json.dumps({"item": "b", "response": {"n": 1}}, indent=2)
    assert read_responses(io.BytesIO(first.encode()))[0].response == {"n": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n"item": 1,\n"corr', "stream:3: the text must be a whole JSON object"),
        ('{\n"item": 1,\n"correct": tr', "It ends too early: the file is cut off."),
        ('{\n"item": 1\n}\n{', "stream:4: the text must be a whole JSON object"),
        ("{\n'item': 1}", "stream:2: the text must be a whole JSON object"),
        ('{\n"item": 1,\n}', "at column 1."),
        ('{\n"item": 1\n}\n3', "stream:4: the line must be a JSON object; got 3"),
        ('{\n"item": 1,\n"confidence": NaN}', "stream:1: confidence must be a number"),
        ('{\n"item": 1,\n"item": 2}', "stream:1: the key 'item' must stand once"),
        ('{\n"a": ' + "[" * 10**5, "stream:1: the object must be a JSON object"),
    ],
)
def test_objects_over_several_lines_that_are_none(text: str, message: str) -> None:
    said = refusal(read_outcomes, text)
    assert message in said
    assert "jq" not in said


# -- fields of outcomes ------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"item": 1.0},
            "item must be a text or a whole number, not empty; got 1.0. Wr",
        ),
        ({"item": True}, "item must be a text or a whole number, not empty; got true"),
        ({"item": None}, "item must be a text or a whole number, not empty; got null"),
        ({"item": ""}, "item must be a text or a whole number, not empty; got ''"),
        ({"item": ["b"]}, "item must be a text or a whole number"),
        ({"correct": 2}, "correct must be true, false, a credit from 0 to 1, or noth"),
        ({"correct": -0.5}, "correct must be true, false, a credit from 0 to 1"),
        ({"correct": "true"}, "got 'true'. Write it without quotes"),
        ({"confidence": "0.9"}, "confidence must be a number; got '0.9'. Write it wi"),
        ({"confidence": "high"}, "confidence must be a number; got 'high'."),
        ({"confidence": "nan"}, "confidence must be a number; got 'nan'."),
        ({"confidence": True}, "confidence must be a number; got true"),
        ({"confidence": [0.5]}, "confidence must be a number; got [0.5]"),
        ({"confidence": 2**53 + 1}, "confidence must fit a 64-bit float exactly"),
        ({"confidence": 10**400}, "confidence must fit a 64-bit float exactly"),
        ({"weight": "inf"}, "weight must be a number; got 'inf'"),
        ({"weight": 0}, "weight must be positive and finite"),
        ({"declined": 1}, "declined must be true or false; got 1"),
        ({"declined": "true"}, "got 'true'. Write it without quotes"),
        ({"system": True}, "system must be a text or a number; got true"),
        ({"setting": {}}, "setting must be a text or a number; got {}"),
        ({"kind": "shy"}, "kind must be one of idk, refusal"),
    ],
)
def test_fields_that_are_wrong(fields: dict[str, Any], message: str) -> None:
    for text in (FIRST + record(**fields), f"[{FIRST},{record(**fields)}]"):
        said = refusal(read_outcomes, text)
        assert said.startswith("stream:2: ")
        assert message in said
    said = refusal(read_outcomes, "\n".join([record(item=0), "", record(**fields)]))
    assert said.startswith("stream:3: ")


@pytest.mark.parametrize(
    ("outcome", "got"),
    [("Right", "'Right'. Did you mean 'right'?"), (None, "null"), ([1], "[1]")],
)
def test_outcomes_that_are_none(outcome: Any, got: str) -> None:
    text = json.dumps({"item": "b", "outcome": outcome})
    said = refusal(read_outcomes, text)
    must = "outcome must be one of right, wrong, unanswered, ungraded, unlabelled"
    assert f"stream:1: {must}; got {got}" in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"correct": true}', "the columns must include item; got correct."),
        ('{"item": 1}', "the columns must include outcome or correct; got item."),
        (
            '{"id": 1, "x": 1}',
            "include item, and outcome or correct; got id, x. Is 'id'",
        ),
        ("{}", "include item, and outcome or correct; got none"),
        ("item,outcom\na,right\n", "got item, outcom. Is 'outcom' what is called outc"),
        ("a b c\n1 2 3\n", "got a b c."),
        ("<!DOCTYPE html>\n<p>", "got an HTML page"),
        ('"a\nb"\n1\n', "got a\\nb"),
        (record(outcome="right"), "the columns must have one of outcome and correct"),
        (record(credit=1), "credit must not stand beside correct"),
    ],
)
def test_columns_that_are_lacking(text: str, message: str) -> None:
    said = refusal(read_outcomes, text)
    assert said.startswith("stream: ")
    assert message in said


@pytest.mark.parametrize("many", [1, 30_000])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"correct": true}', "item must be present in every record; got none"),
        (
            '{"item": "z"}',
            "correct must be present in every record, null for no answer",
        ),
        ('{"item": "z", "outcome": "right"}', "correct must be present in every"),
    ],
)
def test_a_record_that_lacks_what_others_have(
    many: int, line: str, message: str
) -> None:
    before = "".join(f'{{"item": {row}, "correct": 1}}\n' for row in range(many))
    assert f"stream:{many + 1}: {message}" in refusal(read_outcomes, before + line)


def test_a_record_that_has_what_others_lack() -> None:
    before = "".join(f'{{"item": {row}, "correct": 1}}\n' for row in range(50_000))
    said = refusal(read_outcomes, before + record(outcome="right"))
    assert "stream:50001: outcome must be present in every record or in none" in said


# -- delimited text ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,correct\na,1\nb,1,2\n", "3: the row must have 2 cells, as the header h"),
        ("item,correct\na,1\n\nb\n", "4: the row must have 2 cells, as the header has"),
        ('item,correct\na,1\n"b,1\nc,1\n', "3: the row must be delimited text (comma)"),
        (
            'item;correct\na;1\n"b"x;1\n',
            "3: the row must be delimited text (semicolon)",
        ),
        (
            "item\tcorrect\na,1\n",
            "2: the row must have 2 cells, as the header has (tab",
        ),
        ("item,item,correct\na,b,1\n", "1: the header must name every column, each di"),
        ("item, item ,correct\na,b,1\n", "got 'item' twice"),
        ("\nitem,,correct\na,0,1\n", "2: the header must name every column"),
        ("item,correct,\na,1,\n", "got no name for column 3"),
        ("item,,correct\na,0,1\n", "pandas: index=False"),
        ('"', "1: the row must be delimited text (comma)"),
        ("item,outcome\na,right\n,right\n", "3: item must be a text or a whole number"),
        ("item,outcome\na,right\nb,\n", "3: outcome must be one of"),
        ("item,correct\na,maybe\n", "2: correct must be true, false, a credit from"),
        ("item,correct\na,1.5\n", "2: correct must be true, false, a credit from"),
        ("item,correct\na,nan\n", "2: correct must be true, false, a credit from"),
        ("item,correct,declined\na,1,perhaps\n", "2: declined must be true or false"),
    ],
)
def test_delimited_text_that_is_wrong(text: str, message: str) -> None:
    said = refusal(read_outcomes, text)
    assert said.startswith("stream:")
    assert message in said.removeprefix("stream:")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("nan", "got 'nan'. Leave the cell empty where there is no guess"),
        ("NaN", "Leave the cell empty"),
        ("N/A", "Leave the cell empty"),
        ("high", "confidence must be a number; got 'high'"),
        ("1_000", "confidence must be a number; got '1_000'"),
        ("\u0660.\u0665", "confidence must be a number"),
        ("0,9", "got '0,9'. Write a decimal point: 0.9."),
        ("90%", "confidence must be a number; got '90%'"),
        ("true", "confidence must be a number; got 'true'"),
    ],
)
def test_confidence_cells_that_are_wrong(cell: str, message: str) -> None:
    text = f"item;correct;confidence\na;1;0.5\n\nb;1;{cell}\n"
    said = refusal(read_outcomes, text)
    assert said.startswith("stream:4: confidence must be a number; got")
    assert message in said
    text = f"item;response;confidence\na;1;0.5\n\nb;1;{cell}\n"
    assert refusal(read_responses, text) == said


def test_only_confidences_may_be_infinite() -> None:
    text = "item,correct,weight\na,1,inf\n"
    assert "stream:2: weight must be a finite number" in refusal(read_outcomes, text)


# -- Parquet -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"item": ["a", None]}, "row 2: item must be a text or a whole number"),
        ({"item": ["a", ""]}, "row 2: item must be a text or a whole number"),
        ({"item": [1.0, 2.0]}, "row 1: item must be a text or a whole number"),
        (
            {"confidence": [0.5, float("nan")]},
            f"row 2: confidence must be a number; got NaN. {NAN_HINT}",
        ),
        (
            {"confidence": ["0.5", "0.6"]},
            "row 1: confidence must be a number; got '0.5'",
        ),
        ({"confidence": [1, 2**53 + 1]}, "row 2: confidence must fit a 64-bit float"),
        ({"correct": [0.5, float("nan")]}, "row 2: correct must be true, false, a cr"),
        ({"correct": [0.5, 2.0]}, "row 2: correct must be true, false, a credit"),
        ({"declined": [1, 0]}, "row 1: declined must be true or false; got 1"),
        ({"system": [[1], [2]]}, "row 1: system must be a text or a number"),
    ],
)
def test_columns_of_parquet_that_are_wrong(
    columns: dict[str, Any], message: str
) -> None:
    table = {"item": ["a", "b"], "correct": [True, False], **columns}
    assert f"stream:{message}" in refusal(read_outcomes, parquet(table))


@pytest.mark.parametrize("outcome", ["Right", None])
def test_outcomes_of_parquet_that_are_none(outcome: Any) -> None:
    table = {"item": [1, 2], "outcome": ["right", outcome]}
    said = refusal(read_outcomes, parquet(table))
    assert "stream:row 2: outcome must be one of right" in said


def test_columns_of_parquet_of_one_name() -> None:
    table = pyarrow.table([[1], [2]], names=["item", "item"])
    message = "the columns must have different names; got 'item' 2 times"
    assert message in refusal(read_outcomes, parquet(table))


# -- where and groups --------------------------------------------------------------

PROMPTS = {
    "csv": "item,prompt,correct,response\na,first,1,x\na,second,1,x\n",
    "jsonl": record(prompt="first", response=1)
    + "\n"
    + record(prompt="second", response=2),
}


@pytest.mark.parametrize("text", PROMPTS.values(), ids=PROMPTS)
@pytest.mark.parametrize("read", [read_outcomes, read_responses])
def test_where_without_matching_rows(read: Read, text: str) -> None:
    said = refusal(read, text, where={"prompt": "frist"})
    assert "stream: where must match at least one row; got prompt=frist." in said
    assert "Values of prompt are 'first', 'second'. Did you mean 'first'?" in said
    said = refusal(read, text, where={"prompt": "first", "item": "none\nsuch"})
    assert "got prompt=first, item=none\\nsuch. Values of item are" in said


def test_where_that_no_row_fulfils_as_a_whole() -> None:
    text = "item,prompt,correct\na,1,1\nb,2,1\n"
    said = refusal(read_outcomes, text, where={"item": "a", "prompt": "2"})
    assert "Each value occurs, but no row has all of them" in said


@pytest.mark.parametrize("text", PROMPTS.values(), ids=PROMPTS)
@pytest.mark.parametrize("read", [read_outcomes, read_responses])
def test_where_with_a_column_that_is_not_there(read: Read, text: str) -> None:
    said = refusal(read, text, where={"promt": "first"})
    assert "stream: where must name columns of the file; got 'promt'. Its col" in said
    assert "Did you mean 'prompt'?" in said


@pytest.mark.parametrize("text", PROMPTS.values(), ids=PROMPTS)
def test_groups_that_are_not_there(text: str) -> None:
    where = {"prompt": "first"}
    said = refusal(read_outcomes, text, where=where, groups=["topic"])
    assert "stream: groups must name columns of the file; got 'topic'. Its col" in said
    assert "item" in said
    said = refusal(read_outcomes, text, where=where, groups=["kind"])
    assert "got 'kind'" in said


def test_groups_that_only_one_of_two_files_has() -> None:
    with_, without = b"item,correct,topic\na,1,x\n", b"item,correct\nb,1\n"
    with pytest.raises(demur.InputError, match="groups must name columns of the file"):
        read_outcomes(io.BytesIO(with_), io.BytesIO(without), groups=["topic"])


# -- responses and references ------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"response": 1}', "the columns must include item; got response"),
        ('{"item": 1, "answer": 1}', "include response; got item, answer. Is 'answer'"),
        ('{"item": 1, "failed": false}', "the columns must include response"),
        ('{"item": 1.5, "response": 1}', "item must be a text or a whole number"),
        ('{"item": 1, "response": 1, "kind": "shy"}', "kind must be one of idk"),
        (
            '{"item": 1, "response": 1, "error": 3}',
            "error must be a text that says why",
        ),
        ('{"item": 1, "response": 1, "declined": 0}', "declined must be true or false"),
        (
            '{"item": 1, "response": 1, "confidence": "1"}',
            "confidence must be a number",
        ),
        ('{"item": 1, "response": 1, "system": []}', "system must be a text or a num"),
    ],
)
def test_responses_that_are_wrong(line: str, message: str) -> None:
    said = refusal(read_responses, '{"item": 0, "response": 1}\n' + line)
    assert said.startswith("stream:2: ")
    assert message in said


def test_responses_before_a_fault_are_given() -> None:
    lines = [f'{{"item": {row}, "response": 1}}' for row in range(100_000)]
    responses = iter_responses(io.BytesIO("\n".join([*lines, "[]"]).encode()))
    assert next(responses).item == "0"
    with pytest.raises(demur.ParseError, match="stream:100001: the line must be"):
        list(responses)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"reference": 1}', "the columns must include item"),
        (
            '{"item": 1, "gold": 1}',
            "include reference or references or sql or min; got i",
        ),
        (
            '{"item": 1, "reference": null}',
            "reference must give at least one acceptable value",
        ),
        ('{"item": 1, "references": []}', "Set answerable to false"),
        (
            '{"item": 1, "references": [null]}',
            "an acceptable answer must be a value; got None",
        ),
        (
            '{"item": 1, "references": "a"}',
            "references must be a list of acceptable values; got 'a'",
        ),
        (
            '{"item": 1, "reference": 1, "references": [1]}',
            "must give either reference or references; got both",
        ),
        (
            '{"item": 1, "references": [{"value": 1, "weight": 0}]}',
            "above 0 and at most",
        ),
        (
            '{"item": 1, "references": [{"value": 1, "weight": 1.5}]}',
            "at most 1; got 1.5",
        ),
        (
            '{"item": 1, "references": [{"value": 1, "weight": true}]}',
            "above 0 and at most 1; got True",
        ),
        ('{"item": 1, "references": [{"value": null}]}', "must be a value; got None"),
        ('{"item": 1, "reference": 1, "weight": 0}', "weight must be positive and fin"),
        (
            '{"item": 1, "reference": 1, "weight": "1"}',
            "weight must be a number; got '1",
        ),
        (
            '{"item": 1, "reference": 1, "answerable": "no"}',
            "answerable must be true or",
        ),
        (
            '{"item": 1, "reference": 1, "cluster": [1]}',
            "cluster must be a text or a nu",
        ),
        (
            '{"item": "0", "reference": 1}',
            "item must be listed once; got '0' again, firs",
        ),
        ('{"item": 0, "reference": 1}', "first at stream:1."),
    ],
)
def test_references_that_are_wrong(line: str, message: str) -> None:
    said = refusal(read_references, '{"item": 0, "reference": 1}\n' + line)
    assert said.startswith("stream:2: ")
    assert message in said


@pytest.mark.parametrize("cell", ["a|b", '"{""value"": 1}"', '"[NaN]"', '"[1"'])
def test_reference_cells_that_are_no_arrays(cell: str) -> None:
    said = refusal(read_references, f"item,references\na,{cell}\n")
    assert "stream:2: references must be a JSON array; got" in said


# -- writing -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a", "a.txt", "a.gz", "a.xlsx", "a.csv.bz2", "-"])
def test_targets_of_unknown_ending(name: str, tmp_path: Path) -> None:
    outcomes = graded([True])
    with pytest.raises(demur.InputError, match=r"target must end in \.jsonl, \.ndjson"):
        write_outcomes(outcomes, tmp_path / name)


def test_targets_that_cannot_be_written(tmp_path: Path) -> None:
    outcomes = graded([True])
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "file").write_text("")
    for path in ("absent/a.csv", "folder.csv", "file/a.csv"):
        with pytest.raises(demur.InputError, match="the file must be writable; got"):
            write_outcomes(outcomes, tmp_path / path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder.csv"]


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".csv", ".parquet"])
def test_half_characters_cannot_be_written(ending: str, tmp_path: Path) -> None:
    outcomes = graded([True], item=["\ud83d"])
    with pytest.raises(demur.InputError, match="must be writable as UTF-8"):
        write_outcomes(outcomes, tmp_path / f"a{ending}")
    assert list(tmp_path.iterdir()) == []


# -- anything at all ---------------------------------------------------------------

PIECES = (
    *(b'"', b",", b"\n", b"\r", b"\0", b"{", b"}", b"[", b"]", b";", b"\t", b":", b"-"),
    *(b"null", b"NaN", b"true", b"1e999", b"\\ud800", b"\xff\xfe", b"\xef\xbb\xbf"),
    *(b"\xe9", b"inf", b'""', b"\\", b"item", b"correct", b"1" * 400),
)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The same with some bytes changed, put in, left out or cut off."""
    text = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        if rng.random() < 0.3:
            text[at : at + 1] = bytes([rng.randrange(256)])
        elif rng.random() < 0.5:
            text[at:at] = rng.choice(PIECES)
        elif rng.random() < 0.9:
            del text[at : at + rng.randint(1, 8)]
        else:
            del text[at:]
    return bytes(text)


SEEDS = {
    **sound(),
    "json lines": (FIRST + record(confidence=0.5, system="é", references=[1])).encode(),
    "json": f"[{FIRST},{record(declined=False, response=[1])}]".encode(),
    "csv": b'item,correct,confidence,response\na,1,0.5,"x, ""y"""\nb,,,\n',
}


@pytest.mark.parametrize("kind", SEEDS)
def test_damage_never_ends_in_another_kind_of_error(kind: str) -> None:
    rng = random.Random(0)
    reads: list[Callable[[io.BytesIO], Any]] = [
        read_outcomes,
        lambda file: read_outcomes(file, groups=None, display=True),
        lambda file: read_outcomes(file, where={"item": "a"}, groups=["response"]),
        read_responses,
        read_references,
    ]
    messages: list[str] = []
    for _ in range(300):
        data = damaged(SEEDS[kind], rng)
        for read in reads:
            try:
                read(io.BytesIO(data))
            except demur.DemurError as error:
                messages.append(str(error))
    assert len(messages) > 300
    assert [message for message in messages if not message.isprintable()] == []


LONG_NUMBER = "9" * 5000
BROKEN = [  # what stands in the file, and how it is read
    ('"Oslo \\ud83d"', "Oslo \ufffd"),
    ("1e400", "1e400"),
    ("-Infinity", "-Infinity"),
    (LONG_NUMBER, LONG_NUMBER),
    ("NaN", None),
    (
        '{"a": NaN, "b": [1e999, "\\ud83d", 0.5]}',
        {"a": "NaN", "b": ["1e999", "\ufffd", 0.5]},
    ),
]


@pytest.mark.parametrize(("written", "read"), BROKEN)
@pytest.mark.parametrize("form", ["lines", "array", "spread"])
def test_a_response_that_json_cannot_hold_is_the_fault_of_one_record(
    written: str, read: Any, form: str
) -> None:
    rows = [
        '{"item": "a", "response": "Rome"}',
        f'{{"item": "b", "response": {written}}}',
    ]
    if form == "array":
        text = "[" + ",\n".join(rows) + "]"
    else:
        text = "\n".join(rows)
        text = text.replace(", ", ",\n") if form == "spread" else text
    responses = read_responses(io.BytesIO(text.encode()))
    assert [response.response for response in responses] == ["Rome", read]
    assert "1 response with a number that JSON does not have" in responses.notes[0]


def test_a_mapped_response_that_json_cannot_hold_is_read() -> None:
    text = (
        '{"id": "a", "said": {"text": "\\ud83d"}}\n{"id": "b", "said": {"text": "x"}}'
    )
    columns = {"item": "id", "response": "said.text"}
    responses = read_responses(io.BytesIO(text.encode()), columns=columns)
    assert [response.response for response in responses] == ["\ufffd", "x"]


@pytest.mark.parametrize("written", [written for written, _ in BROKEN])
def test_references_stay_strict(written: str) -> None:
    text = f'{{"item": "a", "reference": 1}}\n{{"item": "b", "reference": {written}}}'
    said = refusal(read_references, text)
    assert said.startswith("stream:2: ")
    assert written == LONG_NUMBER or said.endswith("It is of item 'b'.")


def test_a_response_of_too_many_digits_is_right_where_it_is() -> None:
    rows = [{"item": 1, "response": 7}, {"item": 2, "response": 10**5000}]
    for value, outcome in (("1e5000", "right"), (6, "wrong")):
        references = [{"item": 1, "reference": 7}, {"item": 2, "reference": value}]
        judged = demur.judge(rows, references, by="number")
        assert list(judged.outcome) == [
            OUTCOMES.index("right"),
            OUTCOMES.index(outcome),
        ]
    assert demur.judge(rows, references, by="text").reason.tolist() == [
        "equal",
        "differs",
    ]
    references[1]["reference"] = 10**5000
    with pytest.raises(demur.InputError, match=r"record 2.*at most 4,300 digits"):
        demur.judge(rows, references, by="number")


# -- lines above a header ----------------------------------------------------------


@pytest.mark.parametrize(
    "above",
    ["Autumn 2024\n", "Autumn 2024\n\n", '"Autumn 2024";;\n;;\n', "A;;\nB;;\n\n"],
)
def test_a_title_above_the_header_is_left_out_with_a_note(tmp_path, above):
    path = tmp_path / "a.csv"
    path.write_text(f"{above}item;correct;confidence\nq1;true;0.5\nq2;false;0.4\n")
    outcomes = demur.read_outcomes(path)
    assert outcomes.item.tolist() == ["q1", "q2"]
    assert "a line above the header is left out: " in outcomes.notes[0]
    path.write_text(f"{above}item;correct;confidence\nq1;true;0.5\nq2;perhaps;0.4\n")
    line = above.count("\n") + 3
    assert stderr_of("curve", path).startswith(f"demur: {path}:{line}: correct must")


@pytest.mark.parametrize(
    "text",
    [
        "correct\ntrue\nfalse, I think\n",  # one column
        "text\na\nb, c\n",
        "A title\nand a second\nitem,correct\nq1,true\n",  # no blank line below
        "A title\n",
        "A title\n\n",
    ],
)
def test_what_may_be_a_row_is_no_title(tmp_path, text):
    path = tmp_path / "a.csv"
    path.write_text(text)
    assert stderr_of("curve", path, "--columns", "item=row()").startswith("demur: ")


def test_an_engine_reads_below_a_title(tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "a.csv"
    path.write_text(
        "Autumn;;\n;;\nitem;correct;confidence\nq1;true;0.5\nq2;false;0.4\n"
    )
    plain, counted = (
        run("curve", path, *words, "--json") for words in ((), ("--engine", "duckdb"))
    )
    areas = [json.loads(one.out)["systems"][0]["area"] for one in (plain, counted)]
    assert areas[0] == areas[1] is not None


@pytest.mark.parametrize("ending", [",,\n", " , ,\n,,\n", ",,\n\n,,"])
def test_empty_rows_at_the_end_are_left_out_with_a_note(tmp_path, ending):
    path = tmp_path / "a.csv"
    path.write_text(f"item,correct,confidence\nq1,true,0.5\nq2,,\n{ending}")
    outcomes = demur.read_outcomes(path)
    assert outcomes.item.tolist() == ["q1", "q2"]
    assert "at the end left out (line 4 on)" in " ".join(outcomes.notes)
    path.write_text(f"item,correct,confidence\nq1,true,0.5\n{ending}\nq3,true,0.4\n")
    assert re.search("a.csv:[34]: item must", stderr_of("curve", path))
    path.write_text(f"item,correct,confidence\n{ending}")
    assert "a header and no rows" in stderr_of("curve", path)


def test_empty_cells_of_one_column_are_answers_not_given(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('correct\ntrue\n""\n')
    assert len(demur.read_outcomes(path, columns="item=row()")) == 2
