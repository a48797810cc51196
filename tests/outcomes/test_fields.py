"""The table of fields: complete, and the one place where a field is said."""

import dataclasses

import pytest

import demur
from builders import python
from demur.outcomes import columns, fields, values

RECORDS = {"response": demur.Response, "reference": demur.Reference}


def test_records_and_table_have_the_fields_of_the_table_and_no_other():
    for name, kind in RECORDS.items():
        own = {each.name for each in dataclasses.fields(kind)}
        assert own == {*fields.names_of(name), "extra", "place"} | (
            {"alternatives"} if name == "reference" else set()
        )
    table = {each.name for each in dataclasses.fields(demur.Outcomes)}
    assert table == {*fields.names_of("outcomes"), "groups", "recipe", "notes"}


@pytest.mark.parametrize("field", fields.FIELDS.values(), ids=lambda field: field.name)
def test_every_field_is_of_a_known_type_and_says_what_it_means(field):
    readers = {*values._VALUES, *values._CELLS, "any", "text"}
    assert field.type in readers
    assert field.meaning
    assert not field.meaning.endswith(".")
    assert set(field.of.split()) <= {
        *("response", "reference", "outcomes", "acceptable", "form", "compared")
    }
    for name in fields.columns():
        assert fields.column_type(name) in columns._FROM_VALUES


@pytest.mark.parametrize("name", ["response", "reference"])
def test_docstrings_say_what_the_table_says(name):
    text = RECORDS[name].__doc__
    for field in fields.names_of(name):
        assert (
            f"    {field}\n        {fields.FIELDS[field].meaning[:1].upper()}" in text
        )


NEW_COLUMN = r"""
import io, pathlib, sys
from demur.outcomes import fields

# The one edit.
fields.FIELDS["language"] = fields.Field(
    "language", "label", "the language of the guess", "response outcomes",
    also=("lang",))

import demur
from demur.formats import headings
from demur.outcomes.records import as_response

assert "The language of the guess." in demur.Response.__doc__
assert demur.Response(item=1).language is None
assert as_response({"item": 1, "response": "x", "language": 7}, "row 1").language == 7

def refused(read, text, must):
    try:
        read(io.BytesIO(text))
    except demur.InputError as problem:
        assert must in str(problem), problem
    else:
        raise SystemExit(f"{text} was read")

must = "language must be a text or a number; got"
wrong = b'{"item": 1, "response": 2, "language": ["cs"]}'
refused(demur.read_responses, wrong, f"1: {must}")
wrong = b'{"item": 1, "correct": true, "language": {}}'
refused(demur.read_outcomes, wrong, f"1: {must}")
csv = b"item,system,response,language\n1,a,Oslo,no\n2,a,Bern,\n"
responses = demur.read_responses(io.BytesIO(csv))
assert [each.language for each in responses] == ["no", None]
assert responses[0].extra == {}

references = [{"item": 1, "reference": "Oslo"}, {"item": 2, "reference": "Rome"}]
judged = demur.judge(responses, references)
assert judged.language.tolist() == ["no", None]
folder = pathlib.Path(sys.argv[1])
for ending in ("jsonl", "csv", "json", "parquet"):
    path = folder / f"outcomes.{ending}"
    demur.write_outcomes(judged, path)
    assert demur.read_outcomes(path).language.tolist() == ["no", None], ending
assert demur.read_outcomes(path, where={"language": "no"}).item.tolist() == ["1"]
made = demur.Outcomes.from_arrays(correct=[1], language=["fi"])
assert made.language.tolist() == ["fi"]
frame = judged.to_frame("polars")
assert demur.Outcomes.from_frame(frame).language.tolist() == ["no", None]
assert [curve.system for curve in demur.curve_by(judged, by="language")] == [
    "a, language = no", "a, language = (none)"]
assert "is it 'lang'" in fields.maybe("language", ["lang"])
print("read, checked, joined, written")
"""


def test_a_new_column_is_one_edit(tmp_path):
    done = python("-W", "error", "-c", NEW_COLUMN, tmp_path)
    assert (done.stdout, done.stderr) == ("read, checked, joined, written\n", "")
