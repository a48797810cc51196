"""JSON Schema in references: what keeps to it, and what is none."""

import json
import socket

import pytest

import demur
from builders import refuses

pytest.importorskip("jsonschema", reason="the extra schema is not installed")

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
    "additionalProperties": False,
}


def judged(response, **reference):
    outcomes = demur.judge(
        [{"item": "1", "response": response}], [{"item": "1"} | reference], by="json"
    )
    return demur.outcomes.fields.OUTCOMES[outcomes.outcome.codes[0]], outcomes.reason[0]


@pytest.mark.parametrize(
    ("response", "verdict", "words"),
    [
        ({"name": "Ada", "age": 36}, "right", "keeps to the schema"),
        ('{"name": "Ada"}', "right", "keeps to the schema"),
        ({"name": "Ada", "age": "36"}, "wrong", "at .age: '36' is not of type"),
        ({"age": 36}, "wrong", "'name' is a required property"),
        ({"name": "Ada", "born": 1815}, "wrong", "Additional properties"),
        ('{"name": "Ada"', "wrong", "begins like JSON and is none"),
        ("Ada", "wrong", "'Ada' is not of type 'object'"),
    ],
)
def test_whatever_keeps_to_a_schema_alone_is_right(response, verdict, words):
    found, reason = judged(response, schema=PERSON)
    assert found == verdict
    assert words in reason
    assert judged(response, schema=json.dumps(PERSON)) == (found, reason)


def test_a_value_beside_a_schema_is_wanted_too():
    wanted = {"reference": {"name": "Ada"}, "schema": PERSON}
    assert judged({"name": "Ada"}, **wanted) == ("right", "equal")
    found, reason = judged({"name": "Bob"}, **wanted)
    assert (found, reason) == ("wrong", "'Bob' instead of 'Ada' at .name")
    assert "required" in judged({}, **wanted)[1]


@pytest.mark.parametrize(
    "schema", [3, "{", {"type": "nothing"}, {"$ref": "other.json"}, [PERSON]]
)
def test_what_is_no_schema_is_refused(schema):
    refuses(
        "schema must be a JSON Schema that stands by itself", judged, 1, schema=schema
    )


def test_no_address_is_fetched(monkeypatch):
    def connected(*_):
        raise AssertionError("a schema was fetched")

    monkeypatch.setattr(socket.socket, "connect", connected)
    refuses("stands by itself", judged, 1, schema={"$ref": "http://127.0.0.1:9/a"})


def test_of_long_values_the_reason_is_short():
    _, reason = judged({"name": "x" * 10**5, "age": "y" * 10**5}, schema=PERSON)
    assert len(reason) < 200


def test_deep_nesting_is_wrong_and_no_error():
    tree = {"type": "array", "items": {"$ref": "#"}}
    deep = "[" * 900 + "]" * 900
    assert judged(deep, schema=tree)[0] in ("right", "wrong")
    assert judged(3, schema=tree)[0] == "wrong"
