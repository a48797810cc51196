"""What is read is all there is: nothing is lost, merged, or blown up in silence."""

import gzip
import io
import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from backports import zstd

import demur
from builders import parquet, printed, stderr_of
from demur import formats, iter_records, read_outcomes, read_references, read_responses
from demur.formats import streams, write_records


def refusal(read: Any, data: bytes, **options: Any) -> str:
    with pytest.raises(demur.DemurError) as caught:
        read(io.BytesIO(data), **options)
    return str(caught.value)


# -- keys --------------------------------------------------------------------------

TWICE = [
    (1, "correct", b'{"item": "a", "correct": true, "correct": false}'),
    (
        3,
        "item",
        b'{"item": "a", "correct": 1}\n\n{"item": "b", "correct": 1, "item": 2}',
    ),
    (1, "item", b'{"item": "a", "correct": true, "it\\u0065m": "b"}'),
    (
        3,
        "x",
        b'[{"item": "a",\n "correct": 1},\n {"item": "b", "correct": 1, "x":0, "x":0}]',
    ),
    (1, "té", b'{"item": "a", "correct": 1, "t\xc3\xa9": 1, "t\\u00e9": 2}'),
]


@pytest.mark.parametrize(("line", "key", "data"), TWICE)
def test_keys_that_stand_twice_are_refused(line: int, key: str, data: bytes) -> None:
    said = refusal(read_outcomes, data, groups=None)
    assert said.startswith(f"stream:{line}: the key '{key}' must stand once in an obj")


def test_keys_that_stand_twice_within_values_are_refused() -> None:
    data = b'{"item": "a", "references": [{"value": "b", "value": "c"}]}'
    assert "the key 'value' must stand once" in refusal(read_references, data)
    wide = {f"c{number}": 1 for number in range(70)}
    text = json.dumps({"item": "a", "correct": 1, **wide})
    assert len(read_outcomes(io.BytesIO(text.encode()), groups=None).groups) == 70
    twice = text[:-1] + ', "c7": 2}'
    assert "the key 'c7'" in refusal(read_outcomes, twice.encode(), groups=None)


def test_a_value_or_a_key_within_is_no_second_key() -> None:
    data = b'{"item": "item", "correct": 1, "x": {"item": 2}, "y": "\\"item\\": 3"}\n'
    outcomes = read_outcomes(io.BytesIO(data), groups=None)
    assert outcomes.item.tolist() == ["item"]
    data = b'{"item": "a", "response": "item", "x": [{"item": 1}, {"item": 2}]}'
    assert read_responses(io.BytesIO(data))[0].extra == {
        "x": [{"item": 1}, {"item": 2}]
    }


# -- digits ------------------------------------------------------------------------

LONG = ["0.12345678901234567891", "0.12345678901234567892", "0.5", "1e-3"]


@pytest.mark.parametrize("form", ["lines", "array"])
def test_decimals_beyond_a_float_stay_apart(form: str, tmp_path: Path) -> None:
    records = [
        f'{{"item": "q{row}", "correct": 1, "confidence": {number}, "g": {number}}}'
        for row, number in enumerate(LONG)
    ]
    text = "\n".join(records) if form == "lines" else f"[{','.join(records)}]"
    outcomes = read_outcomes(io.BytesIO(text.encode()), groups="g")
    assert outcomes.groups["g"].tolist() == [*LONG[:3], "0.001"]
    assert outcomes.confidence is not None
    assert outcomes.confidence.tolist() == [float(number) for number in LONG]
    one = read_outcomes(io.BytesIO(text.encode()), groups="g", where={"g": LONG[0]})
    assert one.item.tolist() == ["q0"]
    responses = read_responses(io.BytesIO(text.replace("correct", "response").encode()))
    path = tmp_path / "a.jsonl"
    write_records([{"g": each.extra["g"]} for each in responses], path)
    assert path.read_text().splitlines()[0] == f'{{"g":{LONG[0]}}}'


def test_decimals_of_parquet_stay_apart() -> None:
    numbers = [Decimal(number).quantize(Decimal("1e-20")) for number in LONG]
    table = pyarrow.table(
        {
            "item": list("abcd"),
            "correct": [True] * 4,
            "confidence": numbers,
            "g": numbers,
        }
    )
    outcomes = read_outcomes(io.BytesIO(parquet(table)), groups="g")
    assert outcomes.groups["g"].tolist() == [*LONG[:3], "0.001"]
    assert outcomes.confidence is not None
    assert outcomes.confidence.tolist() == [float(number) for number in LONG]


# -- Parquet -----------------------------------------------------------------------


def sixty_rows(**options: Any) -> bytes:
    table = {
        "item": [f"q{row}" for row in range(60)],
        "correct": [row % 3 > 0 for row in range(60)],
        "confidence": [row / 60 for row in range(60)],
    }
    return parquet(table, row_group_size=20, **options)


def test_no_flipped_bit_loses_rows() -> None:
    sound = sixty_rows()
    read = 0
    for at in range(4, len(sound), 3):
        data = bytearray(sound)
        data[at] ^= 1 << at % 8
        try:
            outcomes = read_outcomes(io.BytesIO(bytes(data)))
        except demur.DemurError:
            continue
        read += 1
        assert len(outcomes) == 60
    assert read > 0


def test_fewer_rows_than_the_footer_tells_of_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = pyarrow.parquet.ParquetFile.iter_batches

    def some(self: Any, *args: Any, **options: Any) -> Any:
        return (batch.slice(0, 7) for batch in whole(self, *args, **options))

    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "iter_batches", some)
    said = "the file must hold the 60 rows that its footer tells of; got 7"
    assert said in refusal(read_outcomes, sixty_rows())
    with pytest.raises(demur.ParseError, match="the 60 rows"):
        list(iter_records(io.BytesIO(sixty_rows())))


def test_texts_as_views_can_be_selected() -> None:
    texts = pyarrow.array(["a", "b"]).cast(pyarrow.string_view())
    table = pyarrow.table({"item": texts, "correct": [True, False], "g": texts})
    data = io.BytesIO(parquet(table))
    outcomes = read_outcomes(data, where={"g": "b"}, groups="g")
    assert (outcomes.item.tolist(), outcomes.groups["g"].tolist()) == (["b"], ["b"])


# -- sizes -------------------------------------------------------------------------

ROW = b'{"item": "a", "correct": true}\n'
BOMBS = {
    "the decompressed file": zstd.compress(ROW + b"\n" * 40_000_000),
    "a line": gzip.compress(b'{"item": "' + b"a" * 3_000_000),
    "the blank space": zstd.compress(b"\n" * 5_000_000),
    "a text that is read at once": zstd.compress(b"[" + ROW[:-1] + b",\n" * 3_000_000),
}


@pytest.mark.parametrize("what", BOMBS)
def test_files_that_fill_the_memory_are_refused(what: str) -> None:
    said = refusal(read_outcomes, BOMBS[what], max_size=1 << 25)
    assert f"{what} must hold at most" in said
    assert "--max-size 20GB" in said


def test_a_large_line_that_is_not_compressed_is_refused_too() -> None:
    said = refusal(read_outcomes, b'{"item": "' + b"a" * 3_000_000, max_size=1 << 25)
    assert said.startswith("stream:1: a line must hold at most 2,097,152 bytes")


def test_columns_that_fill_the_memory_are_refused() -> None:
    table = pyarrow.table({"item": ["a" * 100_000], "x": ["b" * 100_000]})
    table = table.append_column("correct", [[True]])
    packed = parquet(table, compression="zstd", use_dictionary=False)
    said = refusal(read_outcomes, packed, max_size=50_000)
    assert "the decompressed columns must hold at most 50,000 bytes" in said
    data = io.BytesIO(packed)
    assert len(read_outcomes(data, max_size=150_000)) == 1  # x is not wanted


def test_the_size_is_an_option(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(ROW + b"\n" * 70_000))
    err = stderr_of("curve", path, "--max-size", "50kB")
    assert f"{path}: the decompressed file must hold" in err
    printed("curve", path, "--max-size", "2MiB")
    stderr_of("curve", path, "--max-size", "2 pounds", code=2)


def test_cells_have_the_size_of_lines() -> None:
    data = b'item,correct\n"' + b"a\n" * 3_000_000
    said = refusal(read_outcomes, data, max_size=1 << 20)
    assert said.startswith("stream:2: the row must be delimited text (comma); got fiel")
    rows = "".join(f"{row},1\n" for row in range(300_000))  # are no large cell
    sound = io.BytesIO(f"item,correct\n{rows}".encode())
    assert len(read_outcomes(sound, max_size=1 << 20)) == 300_000


# -- columns -----------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_many_columns_take_no_time(ending: str) -> None:
    names = ["item", "correct", *(f"c{number}" for number in range(30_000))]
    if ending == "csv":
        text = ",".join(names) + "\n" + ",".join("1" * len(names)) + "\n"
    else:
        text = json.dumps(dict.fromkeys(names, 1))
    assert len(read_outcomes(io.BytesIO(text.encode()), groups=None).groups) == 30_000


def test_columns_that_differ_in_capitals_are_said() -> None:
    data = b'{"item": "a", "correct": 1, "Weight": 2, "Declined ": true}'
    assert read_outcomes(io.BytesIO(data)).notes == (
        "the column 'Weight' is not read: is weight meant?",
        "the column 'Declined ' is not read: is declined meant?",
    )
    responses = [{"item": "a", "response": "b", "Declined": True}]
    outcomes = demur.judge(responses, [{"item": "a", "reference": "b"}])
    assert "the column 'Declined' is not read: is declined meant?" in outcomes.notes


# -- steps -------------------------------------------------------------------------

RECORDS = [{"item": f"q{row}", "correct": row % 2} for row in range(9)]
LINES = "\n\n \n" + "\n\n".join(map(json.dumps, RECORDS))
ARRAY = "\n" + json.dumps(RECORDS).replace(", {", ",\n\n{")
CELLS = "\nitem,correct\n" + "\n".join(f'"q{row}\n",{row % 2}' for row in range(9))


@pytest.mark.parametrize("step", [1, 2, 7, 16, 17, 1 << 20])
@pytest.mark.parametrize(("text", "line"), [(LINES, 21), (ARRAY, 19), (CELLS, 21)])
def test_lines_are_counted_whatever_the_size_of_a_step(
    text: str, line: int, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_CHUNK", step)
    found = read_outcomes(io.BytesIO(text.encode()))
    assert len(found) == 9
    assert found.outcome.tolist() == [(row + 1) % 2 for row in range(9)]
    wrong = {LINES: '\n{"item": 1}', ARRAY: ',\n{"item": 1}]', CELLS: "\nx,7\n"}
    more = text.removesuffix("]") + wrong[text]
    said = refusal(read_outcomes, more.encode())
    assert said.startswith(f"stream:{line}: "), said
    for bad, name in ((b"\0", "a NUL byte"), (b"\x81", "byte 0x81")):
        said = refusal(read_outcomes, text.encode()[:-4] + bad)
        assert said.startswith(f"stream:{line - 1 - (text == CELLS)}: "), said
        assert name in said


def test_a_nul_byte_is_found_at_the_first_place() -> None:
    for data, line in ((b"\0", 1), (b"a\n\0", 2), (b"\0\n", 1), (b"a\0\n", 1)):
        said = refusal(formats.read_lines, data)
        assert said.startswith(f"stream:{line}: the text must be UTF-8; got a NUL byte")


@pytest.mark.parametrize(
    ("data", "line", "near"),
    [
        (b"\xe9", 1, rb"\xe9"),
        (b"0123456789abc\xe9defghijklmnop", 1, rb"3456789abc\xe9defghijkl"),
        (b"\n\n0123456789\xe9def\nijkl", 3, rb"0123456789\xe9def"),
        (b"\n789\xe9def", 2, rb"789\xe9def"),
        (b"0123\n789abc\xe9def\nijklmnop", 2, rb"789abc\xe9def"),
    ],
)
def test_what_is_near_a_wrong_byte_is_shown(
    data: bytes, line: int, near: bytes
) -> None:
    said = refusal(formats.read_lines, data)
    expected = (
        f"stream:{line}: the text must be UTF-8; got byte 0xe9 in b'{near.decode()}'"
    )
    assert said.startswith(expected)


def packed(data: bytes, times: int) -> bytes:
    for _ in range(times):
        data = gzip.compress(data)
    return data


def test_of_very_many_layers_the_innermost_are_left() -> None:
    for times in range(4):
        assert formats.read_lines(io.BytesIO(packed(b"a\n", times))) == ["a"]
    refusal(formats.read_lines, packed(b"a\n", 4))


def test_sizes_are_allowed_up_to_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_CHUNK", 8)
    read = formats.read_lines
    text = b"a\n" * 200
    assert len(read(io.BytesIO(packed(text, 1)), max_size=16 * 400)) == 200
    said = refusal(read, packed(b"a\n" * 8, 1), max_size=15)
    assert "the decompressed file must hold at most 15 bytes" in said
    assert len(read(io.BytesIO(text), max_size=16 * 400)) == 200
    said = refusal(read, text, max_size=16 * 400 - 1)
    assert "a text that is read at once must hold at most 399 bytes" in said
    line = b"b" * 80 + b"\n"
    assert len(read(io.BytesIO(line + text), max_size=16 * 481)) == 201
    for before in (b"", b"a\n" * 9):
        said = refusal(read, before + line, max_size=16 * 71)
        assert "a text that is read at once must hold at most 71 bytes" in said
    blank = b" " * 80
    assert read(io.BytesIO(blank + b"a"), max_size=16 * 81) == [" " * 80 + "a"]
    said = refusal(read, blank + b"a", max_size=16 * 79)
    assert "the blank space must hold at most 79 bytes" in said


class Piped:
    """A file that only goes on, as a pipe does."""

    def __init__(self, data: bytes, *, says: bool) -> None:
        self.read = io.BytesIO(data).read
        if says:
            self.seekable = lambda: False


@pytest.mark.parametrize("says", [True, False])
def test_parquet_is_read_from_what_only_goes_on(says: bool) -> None:
    data = parquet({"item": ["a", "b"], "correct": [1, 0]})
    piped: Any = Piped(data, says=says)
    assert read_outcomes(piped).item.tolist() == ["a", "b"]
    limit = f"must hold at most {len(data) - 1:,} bytes"
    again: Any = Piped(data, says=says)
    with pytest.raises(demur.ParseError, match=limit):
        read_outcomes(again, max_size=16 * len(data) - 1)


def test_rising_numbers_take_little_memory() -> None:
    assert streams.compact([3, 4, 5]) == range(3, 6)
    assert streams.compact([3]) == range(3, 4)
    assert list(streams.compact([3, 5])) == [3, 5]
    assert len(streams.compact([])) == 0


def test_parquet_at_any_place_may_be_larger_than_what_is_held_at_once() -> None:
    data = parquet({"item": ["a", "b"], "correct": [1, 0]})
    assert len(read_outcomes(io.BytesIO(data), max_size=8 * len(data))) == 2


def test_a_silent_writer_is_told_from_none() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    try:
        assert streams._has_writer(reading)
        os.close(writing)
        assert not streams._has_writer(reading)
    finally:
        os.close(reading)
