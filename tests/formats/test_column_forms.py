"""What forms of columns make of values as other programs write them."""

import io
import json
import math

import pytest

import demur
from demur.errors import InputError
from demur.formats.column_forms import value_of

PANDAS = b"id,score,passed,refused,r2,n\n" + (
    b'1,1.0,True,0,no,"1,234"\n2,0.0,False,1,yes,"1,500"\n3,1.0,True,0,nein,900\n'
)
LINES = b"".join(
    json.dumps(
        {"id": n, "score": s, "passed": p, "refused": r, "r2": not p, "n": 900}
    ).encode()
    + b"\n"
    for n, s, p, r in ((1, 1.0, True, "0"), (2, 0.0, False, "1"), (3, 1, True, 0))
)


def outcomes(data, columns):
    return list(demur.read_outcomes(io.BytesIO(data), columns=columns).outcome)


@pytest.mark.parametrize("data", [PANDAS, LINES], ids=["CSV", "JSON"])
@pytest.mark.parametrize(
    "form",
    [
        *("not(refused)", "not(r2)", "score == 1", "score != 0", "score == 1.0"),
        *("passed == true", "passed == True", "passed != false", "passed == 1"),
        *("passed == yes", "refused == 0", "refused != 1", "score >= 0.5"),
    ],
)
def test_true_and_numbers_are_compared_whatever_they_are_written_as(data, form):
    assert outcomes(data, f"item=id, correct={form}") == ["right", "wrong", "right"]


@pytest.mark.parametrize(
    ("form", "value", "expected"),
    [
        ("s == passed", "passed", True),
        ("s == passed", "true", False),
        ("s == right", "correct", False),
        ("s == 'true'", "True", False),
        ("s == 7", "07", False),
        ("s == 07", "07", True),
        ("s == 7", "7.0", True),
        ("s == 50", "50 %", False),
        ("s == 1", "", ""),
        ("not(s)", [], True),
        ("not(s)", ["call"], False),
        ("first(s)", '["Paris", "Lyon"]', "Paris"),
        ("last(s)", "['Paris', 'Lyon']", "Lyon"),
        ("first(s)", "[1] and more", "[1] and more"),
        ("first(s)", "[]", None),
        ("cases(s, x=right, =wrong)", "", "wrong"),
        ("cases(s, x=right, =wrong)", None, "wrong"),
        ("cases(s, x=right, =wrong)", "x", "right"),
    ],
)
def test_what_a_form_gives(form, value, expected):
    assert value_of(form)({"s": value}, 1) == expected


@pytest.mark.parametrize(
    ("form", "value", "words"),
    [
        ("not(s)", "maybe", "must be true or false, yes or no, 1 or 0; got 'maybe'"),
        ("not(s)", 0.5, "must be true or false"),
        ("s >= 0.5", math.nan, "s must be a number; got NaN"),
        ("s != 0", math.nan, "s must be a number; got NaN"),
        ("number(s)", math.nan, "s must be a number; got NaN"),
        ("s >= 1000", "1,234", r"one reading; got '1,234'. thousands\(s\)"),
        ("s == 1234", "1,234", "one reading"),
        ("percent(s)", "half", "must be a number"),
    ],
)
def test_what_has_no_one_meaning_is_refused(form, value, words):
    with pytest.raises(InputError, match=words):
        value_of(form)({"s": value}, 1)


def test_numbers_of_thousands_are_read_when_they_are_named():
    assert outcomes(PANDAS, "item=id, correct=thousands(n) >= 1000") == [
        *("right", "right", "wrong"),
    ]


def test_crosses_are_wrong_where_there_is_none():
    sheet = b"id,done\n1,x\n2,\n"
    assert outcomes(sheet, "item=id, outcome=cases(done, x=right, =wrong)") == [
        *("right", "wrong"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"id,s,status,t\n1,0.9,pass,x\n2,n/a,pending,y\n3,0.1,fail,x\n",
        b'{"id": 1, "s": 0.9, "status": "pass", "t": "x"}\n'
        b'{"id": 2, "s": "n/a", "status": "pending", "t": "y"}\n'
        b'{"id": 3, "s": 0.1, "status": "fail", "t": "x"}\n',
    ],
    ids=["CSV", "JSON"],
)
@pytest.mark.parametrize(
    "form", ["outcome=cases(status, pass=right, fail=wrong)", "correct=s >= 0.5"]
)
def test_rows_are_selected_before_anything_is_made_of_them(data, form):
    how = {"columns": f"item=id, {form}", "where": {"t": "x"}}
    read = demur.read_outcomes(io.BytesIO(data), **how)
    assert list(read.outcome) == ["right", "wrong"]
    responses = demur.read_responses(
        io.BytesIO(data),
        columns="item=row(), response=cases(status, pass=p, fail=f)",
        where={"t": "x"},
    )
    assert [(r.item, r.response) for r in responses] == [("1", "p"), ("3", "f")]


def test_rows_are_selected_by_what_is_named_too():
    sheet = b"id,s,k\n1,1,a\n2,0,b\n"
    how = {"columns": "item=id, correct=s, system=k", "where": {"system": "b"}}
    assert list(demur.read_outcomes(io.BytesIO(sheet), **how).outcome) == ["wrong"]


@pytest.mark.parametrize("read", [demur.read_outcomes, demur.read_responses])
def test_a_selection_that_no_row_meets_says_what_there_is(read):
    sheet = b"id,s,k\n1,1,a\n2,0,b\n"
    columns = "item=id, response=s, correct=s"
    with pytest.raises(InputError, match="Values of k are 'a', 'b'"):
        read(io.BytesIO(sheet), columns=columns, where={"k": "c"})
    with pytest.raises(InputError, match="where must name columns of the file"):
        read(io.BytesIO(sheet), columns=columns, where={"z": "c"})


def test_numbers_that_json_has_not_are_no_internal_error():
    with pytest.raises(InputError, match="the columns must include item"):
        demur.read_outcomes(io.BytesIO(b'{"q1": -1e999}'))


def test_cases_of_nothing_are_no_internal_error():
    with pytest.raises(InputError, match=r"cases\(\) must be given a column"):
        demur.read_outcomes(io.BytesIO(b"item,s\n1,1\n"), columns="correct=cases()")


@pytest.mark.parametrize(
    "digits", ["0.5", "0.5000000000000001", "0.12345678901234567890"]
)
@pytest.mark.parametrize("name", ["s", "caf\\u00e9", r"a\/b"])
def test_names_of_many_digits_keep_them_whatever_stands_beside(digits, name):
    lines = "".join(f'{{"{name}": {n}, "x": {digits}}}\n' for n in (0, 1))
    named = json.loads(f'"{name}"')
    columns = f"item={named}, system=x, correct={named} >= 0.5"
    outcomes = demur.read_outcomes(io.BytesIO(lines.encode()), columns=columns)
    assert list(outcomes.system) == [digits] * 2
    assert list(outcomes.outcome) == ["wrong", "right"]


@pytest.mark.parametrize("value", ["NaN", "9007199254740993", "1e300", "-0.0"])
def test_numbers_are_compared_as_floats_however_large(value):
    file = io.BytesIO(f'[{{"item": 1, "s": {value}}}]'.encode())
    columns = "correct=s >= 9007199254740993"
    if value == "NaN":
        with pytest.raises(InputError, match="NaN"):
            demur.read_outcomes(file, columns=columns)
    else:
        right = float(value) >= 9007199254740993.0
        assert demur.read_outcomes(file, columns=columns).counts()["right"] == right
