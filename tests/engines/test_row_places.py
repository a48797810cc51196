"""Rows at fault, named by file and row or line as the reader of rows names them."""

import gzip
import json

import pyarrow
import pytest
from pyarrow import parquet

import demur
from demur.errors import InputError

NAN = float("nan")
OUTCOMES = ["right", "wrong", "right", "unanswered"]
FAULTS = {
    "outcome": {"outcome": ["right", "maybe", "never", "right"]},
    "confidence": {"confidence": [0.5, "abc", 0.1, "x"]},
    "some": {"confidence": [0.5, None, None, 0.1]},
    "credit": {"credit": [1, 2, 1, 3]},
    "weight": {"weight": [1, -1, 2, -1]},
    "text": {"outcome": ["right", "a\nb", "maybe", "right"]},
}
TYPED = {
    "outcome": FAULTS["outcome"],
    "nan": {"confidence": [0.1, NAN, 0.2, NAN]},
    "one nan": {"confidence": [0.1, 0.2, 0.3, NAN], "outcome": ["right"] * 4},
    "some": {"confidence": [0.1, None, 0.3, None], "outcome": ["wrong"] * 4},
    "credit": {"credit": [1.0, 2.0, 1.0, 3.0], "outcome": ["right"] * 4},
    "weight": {"weight": [1.0, NAN, 2.0, -1.0]},
    "nan beside equal ones": {"confidence": [0.5, NAN, 0.5, NAN]},
    "nan beside equal weights": {"weight": [1.0, NAN, 1.0, 1.0]},
    "nan beside equal credits": {"credit": [1.0, NAN, 1.0, 1.0]},
    "text": {"answerable": ["true", "yes", "perhaps", "no"]},
}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(**columns):
    n_rows = len(next(iter(columns.values())))
    items = [f"q{row}" for row in range(n_rows)]
    return {"item": items, "outcome": [*OUTCOMES][:n_rows], **columns}


def as_csv(columns):
    rows = [[*columns], *zip(*columns.values(), strict=True)]
    cells = [["" if cell is None else f'"{cell}"' for cell in row] for row in rows]
    return "\n".join(map(",".join, cells)) + "\n"


def as_json(columns):
    rows = zip(*columns.values(), strict=True)
    # An empty line is no record, and has a number all the same.
    lines = (json.dumps(dict(zip(columns, row, strict=True))) for row in rows)
    return "\n\n".join(lines) + "\n"


def refused(*sources, engine):
    with pytest.raises(InputError) as caught:
        demur.error_return(demur.count_outcomes(*sources, engine=engine))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def same(*sources):
    """What both engines say, word for word."""
    by_duckdb, by_memory = (
        refused(*sources, engine=one) for one in ("duckdb", "memory")
    )
    # What --columns may say is proposed from other cells.
    assert (
        by_duckdb.partition(" Type --col")[0] == by_memory.partition(" Type --col")[0]
    )
    return by_duckdb


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_cell_is_named_by_file_and_line(fault, here):
    (here / "a.csv").write_text(as_csv(table(**FAULTS[fault])))
    assert same("a.csv").startswith("a.csv:3: ")
    (here / "b").write_bytes(gzip.compress((here / "a.csv").read_bytes()))
    assert same("b").startswith("b:3: ")
    assert same("a.csv").startswith("a.csv:3: ")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_value_of_json_is_named_by_file_and_line(fault, here):
    (here / "a.jsonl").write_text(as_json(table(**FAULTS[fault])))
    assert same("a.jsonl").startswith("a.jsonl:3: ")


@pytest.mark.parametrize("fault", TYPED)
def test_a_bad_value_of_parquet_is_named_by_file_and_row(fault):
    parquet.write_table(pyarrow.table(table(**TYPED[fault])), "a.parquet")
    row = {"one nan": 4, "text": 1}.get(fault, 2)
    assert same("a.parquet").startswith(f"a.parquet:row {row}: ")


def test_the_file_of_several_is_named_and_the_row_in_it(here):
    good, bad = table(weight=[1.0] * 4), table(**TYPED["weight"])
    for number in range(4):
        columns = bad if number > 1 else good
        items = [f"q{number}{row}" for row in range(4)]
        (here / f"f/day={number}").mkdir(parents=True)
        written = pyarrow.table({**columns, "item": items})
        parquet.write_table(written, f"f/day={number}/a.parquet", row_group_size=1)
    assert refused("f", engine="duckdb").startswith("f/day=2/a.parquet:row 2: weight ")


def test_rows_that_are_not_wanted_have_no_fault_and_are_numbered_all_the_same(here):
    columns = table(**FAULTS["outcome"], topic=["a", "b", "c", "c"])
    (here / "a.csv").write_text(as_csv(columns))
    for engine in ("duckdb", "memory"):
        with pytest.raises(InputError, match=r"^a\.csv:4: outcome must .* 'never'"):
            demur.error_return(
                demur.count_outcomes(
                    "a.csv", engine=engine, where={"topic": ["a", "c"]}
                )
            )


def test_a_cell_behind_more_than_any_list_holds_is_named(here):
    rows = "".join(f"q{row},right,bad {row}\n" for row in range(110_000))
    (here / "a.csv").write_text("item,outcome,confidence\n" + rows)
    said = refused("a.csv", engine="duckdb")
    row = int(said.split(":")[1]) - 2
    assert f"confidence must be a number; got 'bad {row}'" in said


REPEATED = table(
    item=["q1", "q2", "q1", "q2"], confidence=[0.5, 0.25, 0.75, 1.0], topic=[*"aabb"]
)


def test_repeated_items_are_named_by_both_rows_and_what_differs(here):
    (here / "a.csv").write_text(as_csv(REPEATED))
    (here / "a.jsonl").write_text(as_json(REPEATED))
    parquet.write_table(pyarrow.table(REPEATED), "a.parquet")
    places = {"a.csv": (2, 4), "a.jsonl": (1, 5), "a.parquet": ("row 1", "row 3")}
    for file, rows in places.items():
        said = refused(file, engine="duckdb")
        if "'q2'" in said:  # either may be found
            steps = {
                "a.csv": (3, 5),
                "a.jsonl": (3, 7),
                "a.parquet": ("row 2", "row 4"),
            }
            rows = steps[file]
        assert said.startswith(f"{file}:{rows[1]}: the key (item, part, system, ")
        assert (
            f" again, first at {file}:{rows[0]}. They differ in topic ('a', 'b')"
            in said
        )


def test_an_item_that_two_files_have_is_named_by_both(here):
    for name, items in (("a", [*"stuv"]), ("b", [*"wxyt"])):
        (here / f"g/{name}").mkdir(parents=True)
        written = pyarrow.table(table(item=items, confidence=[0.5] * 4))
        parquet.write_table(written, f"g/{name}/a.parquet")
    said = refused("g", engine="duckdb")
    assert said.startswith("g/b/a.parquet:row 4: the key ")
    assert "item 't' again, first at g/a/a.parquet:row 2." in said
    assert "They differ in outcome ('wrong', 'unanswered')" in said


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_groups_and_systems_stand_in_the_order_in_which_they_appear(ending, here):
    columns = {
        "item": [f"q{row}" for row in range(12)],
        "outcome": OUTCOMES * 3,
        "confidence": [row / 16 for row in range(12)],
        "system": ["z"] * 3 + ["a"] * 5 + ["m"] * 4,
        "topic": ["u", "t", "w", "b", "u", "a", "c", "b", "w", "v", "u", "x"],
    }
    if ending == "parquet":
        parquet.write_table(pyarrow.table(columns), "a.parquet")
    else:
        written = {"csv": as_csv, "jsonl": as_json}[ending](columns)
        (here / f"a.{ending}").write_text(written)
    parts = [
        [
            (one.system, one.group)
            for one in demur.count_outcomes(f"a.{ending}", engine=engine)
            .counts(by=["topic"])
            .parts
        ]
        for engine in ("duckdb", "memory")
    ]
    assert parts[0] == parts[1]
    assert [system for system, _ in parts[0]][:4] == ["z", "z", "z", "a"]


def test_a_part_behind_the_first_rows_stands_where_it_appears(here, monkeypatch):
    monkeypatch.setattr("demur.engines.readings.LOOKED_AT", 3)
    rows = "".join(f"q{row},right,{'zmacb'[row // 2]}\n" for row in range(10))
    (here / "a.csv").write_text("item,outcome,topic\n" + rows)
    counted = demur.count_outcomes("a.csv").counts(by=["topic"])
    assert [part.group["topic"] for part in counted.parts] == [*"zmacb"]


# -- cells and records that a reader reads otherwise ---------------------------------


@pytest.mark.parametrize(
    "item", ["5.0", "[5]", "true", '{"a": 1}', "1e3", "null", '""', "-0.5", "false"]
)
def test_an_item_that_is_no_name_is_refused_with_its_line(item, here):
    (here / "a.jsonl").write_text(
        f'{{"item": 1, "correct": true}}\n{{"item": {item}, "correct": true}}\n'
    )
    assert same("a.jsonl").startswith(
        "a.jsonl:2: item must be a text or a whole number"
    )


@pytest.mark.parametrize("item", ['"5"', "5", '"é"', '"\\u00e9"', '"a\\/b"', '"a/b"'])
def test_items_are_told_apart_as_by_the_reader_of_rows(item, here):
    others = ["5", '"é"', '"a/b"', '"\\"5\\""', '" 5"', "18446744073709551616"]
    rows = "".join(f'{{"item": {one}, "correct": true}}\n' for one in others)
    # Another verdict: the reader of rows takes equal ones once.
    (here / "a.jsonl").write_text(f'{rows}{{"item": {item}, "correct": false}}\n')
    assert same("a.jsonl").startswith("a.jsonl:7: the key")


def test_an_item_that_is_missing_in_a_table_is_refused_with_its_line(here):
    (here / "a.csv").write_text("item,correct\nq1,true\n,false\n")
    assert same("a.csv").startswith("a.csv:3: item must be a text")
    columns = {"item": ["a", None], "correct": [True, False]}
    parquet.write_table(pyarrow.table(columns), "a.parquet")
    assert same("a.parquet").startswith("a.parquet:row 2: item must be a text")


@pytest.mark.parametrize("n_keys", [1, 1200])
def test_a_field_that_only_later_records_have_is_counted(n_keys, here):
    late = "".join(f', "key {number}": 1' for number in range(n_keys))
    lines = [f'{{"item": {row}, "correct": true}}' for row in range(1500)]
    lines += [
        f'{{"item": {row}, "correct": false, "system": "b", "topic": "x"{late}}}'
        for row in range(1500, 1600)
    ]
    (here / "a.jsonl").write_text("\n".join(lines))
    counted = demur.count_outcomes("a.jsonl")
    assert {part.system for part in counted.counts().parts} == {"", "b"}
    if n_keys > 1000:  # of which those of our fields alone are known
        return
    selected = demur.count_outcomes("a.jsonl", where={"topic": "x"})
    assert demur.error_return(selected).items == 100


def test_a_key_that_stands_twice_is_named(here):
    (here / "a.jsonl").write_text('{"item": 1, "correct": true, "correct": false}\n')
    said = refused("a.jsonl", engine="duckdb")
    assert said.startswith("a.jsonl: the key 'correct' must stand once in an object;")


COMMAS = {
    "confidence": ["0,25", "100,0", "1", "0", "-3,5", "1e2", ",5", "+0,1"],
    "weight": ["1,5", "2", "0,125"],
    "credit": ["0,25", "1", "0,125"],
}


@pytest.mark.parametrize("field", COMMAS)
def test_decimal_commas_are_the_numbers_that_the_reader_reads(field, here):
    cells = COMMAS[field] * 20
    rows = "".join(f"q{row};right;{cell}\n" for row, cell in enumerate(cells))
    (here / "a.csv").write_text(f"item;outcome;{field}\n{rows}")
    curves = [
        demur.error_return(demur.count_outcomes("a.csv", engine=engine))
        for engine in ("duckdb", "memory")
    ]
    assert curves[0].to_dict() == curves[1].to_dict()


def test_more_decimal_commas_than_any_list_holds_are_counted(here):
    rows = "".join(f"q{row};right;0,{row:06d}\n" for row in range(110_000))
    (here / "a.csv").write_text("item;outcome;confidence\n" + rows)
    counted = demur.count_outcomes("a.csv")
    assert demur.error_return(counted).items == 110_000
    said = "confidence is read with decimal commas: 0,000000 is 0.000000"
    assert said in counted.notes


def test_a_comma_that_may_part_thousands_is_refused(here):
    rows = "".join(f"q{row};right;{'0,5' if row else '1,000'}\n" for row in range(9))
    (here / "a.csv").write_text("item;outcome;confidence\n" + rows)
    assert "a.csv:2: confidence must be a number; got '1,000'." in same("a.csv")
