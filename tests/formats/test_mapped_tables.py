"""Tables with other columns: by columns as by records, and the faults of both."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

import demur
from builders import stderr_of
from demur.errors import DemurError
from demur.formats.column_forms import value_of
from demur.formats.column_mappings import MappedTable, column_mapping
from demur.formats.reading import open_own_table
from demur.formats.record_blocks import blocks_of
from demur.formats.streams import Wanted
from demur.outcomes.fields import RIGHT, WRONG

ITEMS = st.one_of(
    st.integers(0, 99),
    st.sampled_from(["q1", "é", "", "1.50", "07"]),
    st.floats(0, 1),
    st.just(0.12345678901234567),
)
SCORES = st.sampled_from([0, 1, 0.5, "1", "0,5", "40 %", None, True, "no", [1], ""])
RECORDS = st.lists(
    st.fixed_dictionaries(
        {"id": ITEMS},
        optional={
            "score": SCORES,
            "out": st.fixed_dictionaries({}, optional={"p": SCORES}),
            "kind": st.sampled_from(["a", "b", 1, None]),
            "confidence": st.sampled_from([0.1, 0.9]),
        },
    ),
    min_size=1,
    max_size=12,
)
MAPPINGS = st.sampled_from(
    [
        "item=id, correct=score >= 0.5",
        "item=row(), correct=score >= 0.5, confidence=percent(out.p)",
        "item=id, correct=first(score), confidence=complement(number(out.p))",
        "item=id, outcome=cases(kind, a=right, b=wrong, 1=unanswered), system=text(m)",
        "item=id, correct=not(score), confidence=out.p",
    ]
)
WANTED = st.sampled_from([Wanted(), Wanted(groups=None), Wanted(groups=("kind",))])


def by_columns(data, mapping, wanted):
    with open_own_table(io.BytesIO(data)) as table:
        return list(MappedTable(table, column_mapping(mapping)).blocks(wanted))


def by_records(data, mapping, wanted):
    with open_own_table(io.BytesIO(data)) as table:
        mapped = MappedTable(table, column_mapping(mapping))
        return list(blocks_of(mapped.records(), wanted, mapped.prefix))


def told(read, *given):
    """What is read, as text, or the fault."""
    try:
        blocks = read(*given)
    except DemurError as error:
        return str(error)
    return [
        (list(block.numbers), {n: repr(c) for n, c in sorted(block.columns.items())})
        for block in blocks
    ]


def as_lines(records):
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def as_sheet(records):
    names = ["id", "score", "kind", "confidence", "out.p"]
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(names)
    for record in records:
        flat = {**record, "out.p": record.get("out", {}).get("p")}
        writer.writerow([flat.get(name, "") for name in names])
    return text.getvalue().encode()


@given(RECORDS, MAPPINGS, WANTED, st.sampled_from([as_lines, as_sheet]))
def test_columns_give_what_records_give(records, mapping, wanted, written):
    data = written(records)
    fast, plain = (
        told(by_columns, data, mapping, wanted),
        told(by_records, data, mapping, wanted),
    )
    if isinstance(plain, str) or isinstance(fast, str):
        assert isinstance(fast, str)
        assert isinstance(plain, str)
        # Conversion of columns comes after mapping, so another fault may come first.
        assert ":" in fast
    else:
        assert fast == plain


@given(RECORDS, st.sampled_from(["score >= 0.5", "percent(out.p)", "out.p", "row()"]))
def test_a_form_takes_of_columns_what_it_takes_of_records(records, form):
    form = value_of(form)
    names = {name for record in records for name in record}
    raw = {name: [r.get(name, UNSET) for r in records] for name in names}
    held, fault = form.column(raw, range(1, len(records) + 1))
    for at, record in enumerate(records):
        if fault is not None and fault[0] == at:
            with pytest.raises(DemurError, match=r"must be a number"):
                form(record, at + 1)
            return
        if fault is None:
            assert held[at] == form(record, at + 1)
            assert type(held[at]) is type(form(record, at + 1))


def test_the_first_fault_of_all_columns_is_told():
    lines = [{"id": 1, "s": 1, "c": "?"}, {"id": 2, "s": "?", "c": 1}]
    with pytest.raises(DemurError, match=r":1: c must be a number; got '\?'"):
        demur.read_outcomes(
            io.BytesIO(as_lines(lines)),
            columns="item=id, correct=s >= 0.5, confidence=number(c)",
        )


def test_a_column_that_is_there_in_some_records_alone_is_named_with_its_line():
    lines = [{"id": 1, "s": 1}, {"id": 2}]
    with pytest.raises(DemurError, match=r":2: correct must be there in every record"):
        demur.read_outcomes(io.BytesIO(as_lines(lines)), columns="item=id, correct=s")


@pytest.mark.parametrize("value", [1000, 1e308, "800"])
def test_an_exponential_beyond_all_numbers_is_told(value):
    lines = [{"id": 1, "s": 1, "c": value}]
    with pytest.raises(DemurError, match=r":1: c must be "):
        demur.read_outcomes(
            io.BytesIO(as_lines(lines)),
            columns="item=id, correct=s, confidence=exp(c)",
        )


def test_names_keep_all_their_digits():
    lines = [b'{"i": 1, "v": 0.1234567890123456789%d, "s": 1}' % n for n in (0, 1)]
    read = demur.read_outcomes(
        io.BytesIO(b"\n".join(lines)), columns="item=i, correct=s, setting=v"
    )
    assert list(read.setting) == ["0.12345678901234567890", "0.12345678901234567891"]


@pytest.mark.parametrize("form", ["number(c)", "percent(c)", "complement(c)", "c >= 1"])
def test_a_number_of_too_many_digits_is_told(form):
    lines = b'{"id": 1, "c": 1%s}' % (b"0" * 400)
    with pytest.raises(DemurError, match=r"c must be|a number of too many digits"):
        demur.read_outcomes(
            io.BytesIO(lines), columns=f"item=id, correct=c >= 1, confidence={form}"
        )


def test_a_key_that_stands_twice_in_what_a_path_leads_into_is_told():
    lines = b'{"id": 1, "o": {"s": 1}}\n{"id": 2, "o": {"s": 1, "s": 0}}\n'
    with pytest.raises(DemurError, match=r":2: the key 's' must stand once"):
        demur.read_outcomes(io.BytesIO(lines), columns="item=id, correct=o.s")


def test_a_column_that_is_taken_for_another_is_not_proposed_again():
    data = b"id,score\n1,1\n2,0\n"
    read = demur.read_outcomes(io.BytesIO(data), columns="item=id, correct=score")
    assert not [note for note in read.notes if "score" in note]


def test_responses_and_references_may_call_other_things_the_same():
    said, right = b"id,answer\n1,Oslo\n2,Rom\n", b"id,answer\n1,Oslo\n2,Rome\n"
    responses = demur.read_responses(
        io.BytesIO(said), columns="item=id, response=answer", where={"answer": "Rom"}
    )
    references = demur.read_references(
        io.BytesIO(right), columns="item=id, reference=answer"
    )
    assert responses[0].extra == references[0].extra == {}
    judged = demur.judge(responses, references[1:], by="text")
    assert list(judged.outcome) == ["wrong"]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_column_is_not_taken_for_a_word(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    rows = {
        "csv": "id,answer,expected\n1,Oslo,Oslo\n2,expected,Rome\n",
        "jsonl": '{"id": 1, "answer": "Oslo", "expected": "Oslo"}\n'
        '{"id": 2, "answer": "expected", "expected": "Rome"}\n',
    }
    path.write_text(rows[ending])
    line = stderr_of("curve", path, "--columns", "item=id, correct=answer == expected")
    assert "not to another column; got answer == expected. demur judge" in line
    typed = 'item=id, correct=answer == "expected"'
    outcomes = demur.read_outcomes(path, columns=typed)
    assert outcomes.outcome.tolist() == [WRONG, RIGHT]
