"""The grammar of canonical answers: what is read, what is refused and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import refuses
from demur import CasAnswer, ParseError, Relation, parse_cas, write_cas
from demur.answers import cas
from demur.answers import parse_comparator as named


def rows(text, **options):
    """The rows of all alternatives; of a single value the value."""
    found = parse_cas(text, **options).alternatives
    return [each.rows()[0][0] if each.scalar else each.rows() for each in found]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("48", 48),
        ("+48", 48),
        ("-0152", -152),
        ("48.", 48.0),
        ("-0.50", -0.5),
        ("9" * 30, 10**30 - 1),
        ("YES", True),
        ("true", True),
        ("NO", False),
        ("false", False),
        ("Yes", "Yes"),
        ("tRUE", "tRUE"),
        ('"TRUE"', "TRUE"),
        ('"1355"', "1355"),
        ('""', ""),
        ('" a\n b "', " a\n b "),
        ('"/* no comment */"', "/* no comment */"),
        ("DFW", "DFW"),
        ("1e3", "1e3"),
        ("3.5.1", "3.5.1"),
        (".5", ".5"),
        ("+", "+"),
        ("1,000", "1,000"),
        ("\u0663", "\u0663"),
        ("a/b*c", "a/b*c"),
        ("a\u00a0b", "a\u00a0b"),
        ("OR", "OR"),
    ],
)
def test_single_values(text, value):
    (found,) = rows(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("()", [[]]),
        ("( ( 1 ) )", [[(1,)]]),
        ('((AA 152 "0920" yes)(DL nil NIL no))', None),
        ("((NIL) (nil))", [[(None,), (None,)]]),
        ("((1 2.5) (NIL 3))", [[(1, 2.5), (None, 3)]]),
        ("((OR) (WA))", [[("OR",), ("WA",)]]),
        ('(("A(B)"))', [[("A(B)",)]]),
        ("\t(\n(1)\v(2)\f)\r", [[(1,), (2,)]]),
        ('((1)/* a ( " */(2)) /**/', [[(1,), (2,)]]),
        ("((A/*x*/B))", [[("A", "B")]]),
        ("(YES OR ((1)))", [True, [(1,)]]),
        ("(1 or 2 OR ())", [1, 2, []]),
        ("(((1)) OR ((2)))", [[(1,)], [(2,)]]),
        ("(() OR 5)", [[], 5]),
        ('("OR" OR OR)', ["OR", "OR"]),
        ("NO_ANSWER", []),
        (" /* none */ no_answer\n", []),
        ("((NO_ANSWER))", [[("NO_ANSWER",)]]),
    ],
)
def test_relations_and_alternatives(text, tables):
    expected = tables or []
    if tables is None:
        expected = [[("AA", 152, "0920", True), ("DL", None, None, False)]]
    assert rows(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"CAS:1:1: an answer must be a value, .*; got 'the end'"),
        ("/* */", "CAS:1:6: an answer must be a value"),
        (")", "CAS:1:1: an answer must be"),
        ("1 2", "CAS:1:3: the answer must end here; got '2'"),
        ("(", "CAS:1:2: an answer must be"),
        ("((1)", "CAS:1:5: a relation must hold tuples and end with"),
        ("((1", "CAS:1:4: a tuple must hold values and end with"),
        ("((1) 2)", "CAS:1:6: a relation must hold tuples"),
        ("(())", r"CAS:1:2: a tuple must hold at least one value; got \(\)"),
        ("((1) ())", "CAS:1:6: a tuple must hold at least one value"),
        ("(((1)))", "CAS:1:7: an alternative must be followed by OR"),
        ("((1 (2)))", "CAS:1:5: a tuple must hold values"),
        ("((1 2)\n (3))", "CAS:2:2: the tuple must have 2 values, .*; got 1"),
        (
            '((1)\n\n  (NIL) (\n"A"))',
            "CAS:4:1: the value must be a number, as before in its column; got the "
            "string 'A'. Quotes make a string",
        ),
        ("((YES) (1))", "CAS:1:9: the value must be a boolean, .* the number 1"),
        ("(1 2)", r"CAS:1:2: a relation must hold tuples; .* is \(\(1\) \(2\)\)"),
        ("(1)", "CAS:1:2: a relation must hold tuples"),
        ("((30) OR ((12)))", r"CAS:1:2: an alternative .* Write \(\(30\)\)"),
        ("(1 OR )", "CAS:1:7: an answer must be a value"),
        ("(1 OR 2", "CAS:1:8: an alternative must be followed by OR or"),
        ("(1 OR (2 OR 3))", "CAS:1:8: a relation must hold tuples"),
        ("(1 OR NO_ANSWER)", "CAS:1:7: NO_ANSWER must stand alone"),
        ("NIL", r"CAS:1:1: NIL must stand in a tuple; .* \(\(NIL\)\)"),
        ('"abc', "CAS:1:1: a string must end with a quotation mark"),
        ('((1) ("', "CAS:1:7: a string must end"),
        ("1 /* ", "CAS:1:3: a comment must end with"),
        ('A"B"', "CAS:1:2: a value must be set apart by white space"),
        ('"A""B"', "CAS:1:4: a value must be set apart"),
        ("1" * 5000, "CAS:1:1: a number must have at most 4000 digits"),
        ("1" * 400 + ".", "CAS:1:1: a number must have at most 4000 digits"),
    ],
)
def test_errors_say_where(text, message):
    with pytest.raises(ParseError, match=message):
        parse_cas(text)


def test_deep_nesting_is_refused_not_followed():
    with pytest.raises(ParseError, match="CAS:1:4: a tuple must"):
        parse_cas("(" * 100_000)


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("(138860 138861)", [[(138860,), (138861,)]]),
        ("(A NIL)", [[("A",), (None,)]]),
        ("((30) OR ((30) (12)))", [[(30,)], [(30,), (12,)]]),
        ("((1 2) OR ((3)))", [[(1,), (2,)], [(3,)]]),
        ("(1 OR (2 3))", [1, [(2,), (3,)]]),
        ("((1 2) (3 4))", [[(1, 2), (3, 4)]]),
    ],
)
def test_lenient_form(text, tables):
    assert rows(text, lenient=True) == tables


def test_lenient_form_has_one_type_too():
    with pytest.raises(ParseError, match="CAS:1:4: the value must be a number"):
        parse_cas("(1 A)", lenient=True)


# -- writing -----------------------------------------------------------------------

texts = st.text(st.characters(exclude_characters='"', exclude_categories=["Cs"]))
types = st.sampled_from(
    [
        texts,
        st.booleans(),
        st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    ]
)


@st.composite
def relations(draw):
    """A table that CAS can write, or a single value."""
    width = draw(st.integers(1, 3))
    columns = [draw(types) for _ in range(width)]
    if draw(st.booleans()):
        return Relation.from_scalar(draw(columns[0]))
    row = st.tuples(*(column | st.none() for column in columns))
    return Relation.from_rows(draw(st.lists(row, max_size=3)))


def plain(answer):
    """An answer as values that tell 1 from 1.0 and from true."""
    return [
        (each.scalar, [[(type(cell), cell) for cell in row] for row in each.rows()])
        for each in answer.alternatives
    ]


@given(st.lists(relations(), max_size=3))
def test_what_is_written_reads_back(alternatives):
    answer = CasAnswer(tuple(alternatives))
    text = write_cas(answer)
    assert plain(parse_cas(text)) == plain(answer)
    assert write_cas(parse_cas(text)) == text


@given(st.text('() "\n/*NILORYES_AW.0123', max_size=20))
def test_any_text_is_read_or_refused(text):
    for lenient in (False, True):
        try:
            answer = parse_cas(text, lenient=lenient)
        except ParseError:
            continue
        assert plain(parse_cas(write_cas(answer))) == plain(answer)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([['a"b']], "without quotation marks; got 'a\"b'"),
        ([[float("inf")]], "a finite number"),
        ([[b"a"]], "must be a boolean"),
        ([[1], ["a"]], "values of one type; got number, string"),
    ],
)
def test_what_cannot_be_written(rows, message):
    refuses(message, write_cas, Relation.from_rows(rows))


def test_options_parse_back():
    for made in (cas(lenient=True, mode="bag"), cas(rules=1990, steps=5)):
        assert named(str(made)) == made
    assert str(cas(relative="0.0100")) == "cas(relative=0.0100, maximum=derived)"
