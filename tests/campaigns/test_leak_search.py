"""The search for hidden answers: whatever is planted is found, or honestly not told."""

import gzip
import html
import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import json_lines, refuses
from demur import InputError
from demur.campaigns.leak_search import hidden_values, search_leaks, searched_text
from demur.formats.compression import zstd_module

SQL = 'SELECT flight_id FROM flight\n WHERE  leaves > 900 AND stop = "none"'
RECORD = {
    "item": "q17", "input": "Which flights leave after 9?", "dialogue": "d1",
    "sql": SQL, "min": '((1001 "Rome") (1002 NIL))',
    "why": "the clerk says that nobody asks so", "class": "A", "weight": 2,
}  # fmt: skip
QUESTIONS = "questions.jsonl"


def row(record=RECORD, **changed):
    public = {name: record[name] for name in ("item", "dialogue", "input")}
    return {**public, **changed}


def search(*rows, hidden=(RECORD,), **files):
    packed = {QUESTIONS: json_lines(rows or [row()]).encode()}
    packed |= {name.replace("_", "."): data for name, data in files.items()}
    return search_leaks(packed, hidden, questions=QUESTIONS, training="train.jsonl")


def leaks(*rows, **how):
    return [(one.place, one.value.field) for one in search(*rows, **how).leaks]


def test_questions_by_themselves_tell_nothing():
    found = search()
    assert not found.leaks
    assert found.long == 3
    assert found.short == 3  # the class, the weight, and NIL
    found.check()


@pytest.mark.parametrize("name", ["sql", "min", "why"])
@pytest.mark.parametrize(
    "written",
    [
        str,
        str.upper,
        lambda text: " ".join(text.split()),
        lambda text: json.dumps(text),
        lambda text: json.dumps({"x": [text]}),
        lambda text: json.dumps(json.dumps(text)),
        html.escape,
    ],
)
def test_a_long_value_is_found_however_it_is_written(name, written):
    text = f"note: {written(RECORD[name])} (of q17)"
    assert leaks(readme_txt=text.encode()) == [("readme.txt", name)]
    assert (f"{QUESTIONS}:1", name) in leaks(row(input=text))


@pytest.mark.parametrize("name", ["sql", "min", "why"])
def test_archives_are_searched_unpacked_also_within_archives(name):
    text = f"x {RECORD[name]} y".encode()
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes/a.txt", text)
    twice = gzip.compress(inner.getvalue())
    assert RECORD[name].encode() not in twice
    assert leaks(a_gz=gzip.compress(text)) == [("a (unpacked)", name)]
    assert leaks(a_zip=inner.getvalue()) == [("a.zip/notes/a.txt", name)]
    ((place, field),) = leaks(a_zip_gz=twice)
    assert (place, field) == ("a.zip (unpacked)/notes/a.txt", name)


def test_zstd_is_searched_unpacked_and_refused_within_zip():
    zstd = zstd_module("tests")
    packed = zstd.compress(f"x {SQL.upper()} {SQL} y".encode() * 3)
    assert SQL.encode() not in packed
    assert leaks(a_zst=packed) == [("a (unpacked)", "sql")]
    assert search(a_zst=packed[:-5]).unread == ("a.zst",)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("a.txt", SQL)
    data = archive.getvalue()
    at = data.index(b"PK\x01\x02") + 10
    changed = data[:at] + (93).to_bytes(2, "little") + data[at + 2 :]
    with pytest.raises(InputError, match="must have members that can be searched"):
        search(a_zip=changed)


def test_the_names_of_files_and_members_are_searched():
    name = "the clerk says that nobody asks so.txt"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, b"")
    assert (f"a.zip/{name}", "why") in leaks(a_zip=packed.getvalue())


def test_what_cannot_be_unpacked_is_said():
    found = search(a_gz=gzip.compress(b"x" * 99)[:-9], b_zip=b"PK\x03\x04 no archive")
    assert found.unread == ("a.gz", "b.zip")
    assert [*found.notes] == [
        "a.gz could not be unpacked", "b.zip could not be unpacked",
    ]  # fmt: skip


def test_archives_too_deep_are_said():
    data = b"x"
    for _ in range(8):
        data = gzip.compress(data)
    assert len(search(a_gz=data).unread) == 1


def test_utf_16_is_searched_as_text():
    assert leaks(a_txt=SQL.encode("utf-16")) == [("a.txt", "sql")]


def test_answers_of_training_questions_are_told_and_counted():
    own = json_lines([{"item": "t1", "sql": SQL}]).encode()
    found = search(train_jsonl=own)
    assert not found.leaks
    assert found.in_training == 1


def test_a_database_holds_what_is_asked_for_but_no_query_and_no_table():
    hidden = [{**RECORD, "reference": "Aldermoor International Airport"}]
    packed = {QUESTIONS: json_lines([row()]).encode()}
    for text, found_there in (
        (hidden[0]["reference"], 0),
        (SQL, 1),
        (RECORD["why"], 1),
    ):
        packed["air.sqlite"] = b"\0\1" + text.encode() + b"\2"
        found = search_leaks(
            packed, hidden, questions=QUESTIONS, further=["air.sqlite"]
        )
        assert len(found.leaks) == found_there
        assert found.in_further == 1 - found_there


def test_a_refusal_names_item_and_field_and_quotes_nothing():
    found = search(row(input=SQL), readme_txt=SQL.encode())
    message = (
        "questions.jsonl:1: what is sent out must say nothing of the hidden answers"
    )
    refuses(message, found.check)
    refuses(
        "sql of item 'q17', as a whole. Nothing was written. There are 1 more",
        found.check,
    )
    with pytest.raises(ValueError, match="nothing") as caught:
        found.check()
    assert "SELECT" not in str(caught.value)


# -- names -----------------------------------------------------------------------------


def capital(item, answer, **more):
    record = {"item": item, "input": f"What is the capital, {item[:2]}?"}
    return {**record, "dialogue": "d", "reference": answer, **more}


def named(*records):
    found = search(*(row(one) for one in records), hidden=records)
    return [one.value.item for one in found.leaks], found


@pytest.mark.parametrize("item", ["q17-rome", "ROME", "q_Rome_2", "ask.rome"])
def test_a_name_that_tells_the_answer_is_found(item):
    items, _ = named(capital(item, "Rome"), capital("q2", "Oslo"))
    assert items == [item]


def test_a_dialogue_and_a_number_tell_as_well():
    items, _ = named(capital("q1", "Rome", dialogue="on-rome"), capital("q2", "Oslo"))
    assert items == ["q1"]
    items, _ = named(capital("q-1001", "((1001))"), capital("q-1002", "((1003))"))
    assert items == ["q-1001"]


def test_a_word_that_others_bear_too_cannot_be_told_and_is_counted():
    items, found = named(capital("yes-no-1", "yes"), capital("yes-no-2", "no"))
    assert items == []
    assert found.in_names == 1


def test_an_answer_in_its_own_question_cannot_be_told_and_is_counted():
    asked = capital("q1", "Oslo", input="Is Oslo or Bergen the capital?")
    items, found = named(asked, capital("q2", "Rome"))
    assert (items, found.in_question) == ([], 1)


def test_short_values_are_counted_and_not_searched_for():
    items, found = named(capital("q5", "5"), capital("q2", "A"))
    assert items == []
    assert found.short == 2


def test_a_name_that_somebody_has_looked_at_is_let_through():
    records = [capital("q17-rome", "Rome"), capital("q2", "Oslo")]
    files = {QUESTIONS: json_lines(map(row, records)).encode()}
    how = {"questions": QUESTIONS, "allowed": ["q17-rome"]}
    assert not search_leaks(files, records, **how).leaks
    assert search_leaks(files, records, questions=QUESTIONS).leaks


@pytest.mark.parametrize("answer", ["5", "A", "no", 7, "Oslo"])
def test_a_value_of_its_own_in_a_structured_question_is_found_however_short(answer):
    record = capital("q1", answer, input={"text": "What is it?", "answer": answer})
    items, _ = named(record, capital("q2", "Rome"))
    assert items == ["q1"]


# -- laws ------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=24, max_size=60)


@given(texts, st.text("abc :/", max_size=9), st.sampled_from(["raw", "json", "ascii"]))
def test_any_long_text_is_found_wherever_it_stands(text, around, way):
    hidden = [{"item": "q1", "input": "?", "notes": text}]
    if len(searched_text(text)) < 20:
        return
    written = {
        "raw": text,
        "json": json.dumps(text, ensure_ascii=False),
        "ascii": json.dumps(text),
    }[way]
    files = {"a.txt": f"{around} {written} {around}".encode()}
    found = search_leaks(files, hidden, questions=QUESTIONS)
    assert [one.value.field for one in found.leaks] == ["notes"]


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text("xyz ", max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("ab"), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from(["sql", "odd name", "SQL ", "Reference"]), values)
)
def test_every_text_and_number_of_every_field_is_a_hidden_value(fields):
    def plainly(value):
        if isinstance(value, (list, tuple)):
            return [leaf for one in value for leaf in plainly(one)]
        if isinstance(value, dict):
            return [leaf for one in value.values() for leaf in plainly(one)]
        named = isinstance(value, bool) or value is None or not str(value).strip()
        return [] if named else [str(value)]

    known = {(one.field, one.text) for one in hidden_values([{"item": "q", **fields}])}
    for name, value in fields.items():
        assert {(name, leaf) for leaf in plainly(value)} <= known
