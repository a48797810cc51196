"""What a result has without a word of its own: its sentence, figures, tables, repr."""

import json
import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import demur
from builders import refuses
from demur import Column, FigureKind, Result, Results, Table
from demur.results import (
    Bundle,
    between,
    document,
    ends_of,
    exactly,
    joined_recipes,
    shared_recipe,
)
from demur.results.contract import alike, plain_values
from demur.results.defaults import figure_text, scalars_text, shortened
from demur.results.gates import WorseGate
from demur.results.text import explanations, result_text, table_text

RATE = FigureKind("rate", "the rate", most=math.inf, better="higher")
LENGTH = FigureKind("mean length", "the length", "number", most=math.inf)
PLACED = FigureKind("placed", "a placed one", at=("error",), needs_look_up=True)
ABSENT = FigureKind("absent", "never an attribute")


@dataclass(frozen=True, eq=False, repr=False)
class Small(Result):
    """A result with some fields."""

    KINDS: ClassVar = (RATE, ABSENT, PLACED, LENGTH)

    system: str = ""
    rate: Any = 0.12345678
    mean_length: float | None = 12345.678
    placed: float = 0.5
    whole: bool = True
    hidden: int = field(default=0, repr=False)
    beside: float = field(default=0.0, compare=False)
    parts: tuple[Any, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Plain(Result):
    """A part of a result."""

    name: str = "x"
    n: int | None = 12345
    share_of: float | None = 0.123456


@dataclass(frozen=True, eq=False, repr=False)
class Said(Plain):
    """A part that says a sentence."""

    SAYS: ClassVar = "{name} is {share_of} of {n}."


@dataclass(frozen=True, eq=False, repr=False)
class Ends:
    """What holds a number with its ends."""

    value: float
    low: float | None = None
    high: float | None = None
    interval: tuple[float, float] | None = None


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (Small(), "The rate is 0.123; the length is 1.235e+04."),
        (Small("s"), "s: the rate is 0.123; the length is 1.235e+04."),
        (Small(rate=None), "The length is 1.235e+04."),
        (
            Small("s", None, None),
            "Small: system s, placed 0.5, whole True, beside 0.",
        ),
        (Plain(), "Plain: name x, n 12345, share of 0.1235."),
        (Plain("", None, None), "Plain: nothing to say."),
        (Said(), "x is 0.1235 of 12345."),
        (Said("a\n", None, None), r"a\n is undefined of undefined."),
    ],
)
def test_a_sentence_says_the_figures_or_else_the_fields(result, sentence):
    assert result.sentence() == sentence


def test_a_sentence_says_three_figures_at_most():
    kinds = tuple(FigureKind(name, name) for name in "abcd")
    four = type(
        "Four", (Plain,), {"KINDS": kinds, "a": None, **dict.fromkeys("bcd", 1)}
    )
    assert four().sentence() == "B is 1.000; c is 1.000; d is 1.000."
    four.a = 0.5
    assert four().sentence() == "A is 0.500; b is 1.000; c is 1.000."


@pytest.mark.parametrize(
    ("held", "ends", "interval"),
    [
        (0.5, (None, None), ""),
        (np.float64(0.5), (None, None), ""),
        (Ends(0.5), (None, None), ""),
        (Ends(0.5, 0.25, 0.75), (0.25, 0.75), "interval"),
        (Ends(0.5, 0.25, 0.75, (0.0, 1.0)), (0.0, 1.0), "interval"),
    ],
)
def test_a_figure_has_the_ends_that_its_value_has(held, ends, interval):
    first, second = Small("s", held).figures()
    assert (first.called, second.called) == ("rate", "mean length")
    assert (first.value, first.of) == (0.5, "s")
    assert ((first.low, first.high), first.interval) == (ends, interval)
    assert (second.value, second.low, second.high) == (12345.678, None, None)
    levelled = type("Levelled", (Small,), {"level": 0.9})("s", held)
    assert next(levelled.figures()).interval == ("90 % interval" if interval else "")
    assert levelled.figure(RATE, 1, of="other").of == "other"


def test_an_undefined_figure_has_no_value():
    (first, _) = Small(rate=None).figures()
    assert (first.value, first.low, first.high, first.interval) == (
        None,
        None,
        None,
        "",
    )
    words = "the rate is undefined", "the rate is 0.500 (bounds 0.250 to 0.750)"
    assert figure_text(first) == words[0]
    bounded = replace(first, value=0.5, low=0.25, high=0.75, interval="bounds")
    assert figure_text(bounded) == words[1]
    for ends in ({"low": None}, {"high": None}):
        assert figure_text(replace(bounded, **ends)) == "the rate is 0.500"


# -- tables ------------------------------------------------------------------------


def cells(*rows: Result) -> list[str]:
    table = Small(parts=rows).tables()[1]
    return [column.cells for column in table.columns]


def test_fields_are_rows_of_tables():
    first, second = Small(parts=(Plain(), Plain("y", None))).tables()
    assert [column.key for column in first.columns] == [
        *("system", "rate", "mean_length", "placed", "whole", "beside")
    ]
    assert second.title == "Parts"
    assert second.rows == (("x", 12345, 0.123456), ("y", None, 0.123456))
    for parts in ((), (Plain(), 1), (1, Plain()), [Plain()], Plain()):
        assert len(Small(parts=parts).tables()) == 1
    assert [*type("Bare", (Result,), {"__dataclass_fields__": {}})().tables()] == []


def test_a_column_holds_whole_numbers_numbers_or_words():
    assert cells(Plain(), Plain(n=None)) == ["text", "count", "number"]
    assert cells(Plain(n=1.5), Plain()) == ["text", "number", "number"]
    assert cells(Plain(n="none"), Plain()) == ["text", "text", "number"]
    assert cells(Plain(n=None)) == ["text", "count", "number"]
    assert cells(Plain(n=True)) == ["text", "text", "number"]


def test_a_table_is_asked_for_by_its_place_or_its_title():
    result = Small(parts=(Plain(),))
    first, second = (result.to_csv(at) for at in (0, 1))
    assert result.to_csv() == first
    assert second == result.to_csv("Parts") == "name,n,share_of\nx,12345,0.123456\n"
    assert [result.to_csv(at) for at in (-1, -2)] == [second, first]
    for wrong in (2, -3, 0.5, None):
        refuses("table must be a place from 0 to 1, or a title", result.to_csv, wrong)
    refuses("table must be one of", result.to_csv, "Prts")
    bare = type("Bare", (Result,), {"__dataclass_fields__": {}})()
    refuses("the result must have a table; got none", bare.to_csv)


def test_a_number_or_two_bounds():
    assert (between(0.5, 0.5), between(0.5, 0.75)) == (0.5, (0.5, 0.75))
    assert repr(between(1, 1.0)) == "1"
    assert ends_of(Ends(0.5, 0.25, 0.75)) == (0.25, 0.75)
    assert ends_of(Ends(0.5, 0.25)) is ends_of(Ends(0.5, None, 0.75)) is None


# -- one line ----------------------------------------------------------------------


def test_repr_has_names_figures_and_other_fields_as_far_as_they_fit():
    figures = "rate=0.1235, mean_length=1.235e+04"
    others = "placed=0.5, whole=True, beside=0.0"
    assert repr(Small("s")) == f"Small(system='s', {figures}, {others})"
    assert repr(Small(rate=None)) == (
        f"Small(rate=None, mean_length=1.235e+04, system='', {others})"
    )
    interval = Small(rate=Ends(0.5, 0.25, 0.75))
    assert repr(interval).startswith("Small(rate=0.5 [0.25, 0.75], mean_length=")
    assert repr(Small(rate=Ends(0.5, 0.25))).startswith("Small(rate=0.5, mean_length=")
    assert repr(Plain(n=7)) == "Plain(name='x', n=7, share_of=0.1235)"
    assert repr(Plain(share_of=2.0)) == "Plain(name='x', n=12345, share_of=2.0)"
    assert repr(Plain(n=None)) == "Plain(name='x', n=None, share_of=0.1235)"
    cut = repr(Small("s" * 25))
    assert cut.startswith(f"Small(system='{'s' * 11}…{'s' * 12}', rate=0.1235, ")


@pytest.mark.parametrize(("length", "fits"), [(89, True), (90, False)])
def test_repr_takes_120_columns_with_the_name_of_the_class(length, fits):
    name = "x" * length
    assert repr(Plain(name, 1, 2.0)) == (
        f"Plain(name='{name}', n=1, share_of=2.0)"
        if fits
        else f"Plain(name='{name}', n=1, ...)"
    )
    too_long = Plain("x" * 200)
    assert repr(too_long) == "Plain(...)"
    words = ["four"] * 30
    assert shortened(" ".join(words[:24])) == " ".join(words[:24])
    assert shortened(" ".join(words)) == " ".join(words[:23]) + " ..."
    assert scalars_text(Small("s", hidden=1)).count("hidden") == 0


# -- what is equal, and what is kept ------------------------------------------------


NAN = float("nan")


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (1, 2, False),
        (NAN, NAN, True),
        (NAN, 1.0, False),
        (1.0, NAN, False),
        ([1, NAN], [1, NAN], True),
        ([1], [1, 2], False),
        ([1], (1,), False),
        ((1, 2), (1, 3), False),
        ({"a": NAN}, {"a": NAN}, True),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, False),
        (np.array([1.0, NAN]), np.array([1.0, NAN]), True),
        (np.array([1.0, 2.0]), np.array([1.0, NAN]), False),
        (np.array(["a"]), np.array(["a"]), True),
        (np.array(["a"]), np.array(["b"]), False),
        (np.array([1]), None, False),
        (None, np.array([1]), False),
        (Ends(1.0, NAN), Ends(1.0, NAN), True),
        (Ends(1.0, NAN), Ends(1.0, 2.0), False),
        (Small(beside=1.0), Small(beside=2.0), True),
        (Small(), Plain(), False),
        (Small(), replace(Small(), rate=0.5), False),
        (Small(parts=(NAN,)), Small(parts=(NAN,)), True),
    ],
)
def test_values_are_alike_by_content(one, other, equal):
    assert alike(one, other) is alike(other, one) is equal
    assert alike((one,), (other,)) is equal
    if isinstance(one, Result):
        assert (one == other) is equal
        assert (one != other) is not equal


def test_equal_results_have_one_hash():
    one, other = Small("s", NAN), Small("s", NAN)
    assert one == other
    assert len({one, other, Small("t", NAN)}) == 2
    assert hash(Plain()) != hash(Said())


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (np.float64(math.inf), "inf"),
        (1.5, 1.5),
        (np.array([1.0, -math.inf]), [1.0, "-inf"]),
        (np.int64(2), 2),
        ({"a": (1, None)}, {"a": [1, None]}),
        (frozenset({"b", "a"}), ["a", "b"]),
        (Plain(n=None), {"name": "x", "n": None, "share_of": 0.123456}),
        ("text", "text"),
    ],
)
def test_plain_values_are_those_of_json(value, plain):
    assert plain_values(value) == plain
    assert json.loads(json.dumps(plain_values([value]))) == [plain]


def test_recipes_are_kept_joined_and_told():
    one = Small("s", recipe={"seed": "0", "n": "1"})
    assert one.signature == f"demur:{demur.__version__}|seed:0|n:1"
    assert Small().signature == Plain().signature == ""
    more = one.with_recipe(n="2", by="topic")
    assert more.recipe == {"n": "1", "by": "topic", "seed": "0"}
    assert one.recipe == {"seed": "0", "n": "1"}
    assert repr(Plain().with_recipe(n="2")) == repr(Plain())
    assert shared_recipe([one, more, Small(recipe={"seed": "0"})]) == {"seed": "0"}
    assert shared_recipe([one, Small(recipe={"seed": "1", "n": "1"})]) == {"n": "1"}
    assert shared_recipe([one]) == one.recipe
    assert joined_recipes([one.recipe, more.recipe, {"n": "3"}]) == {
        **{"seed": "0", "n": "1 + 3", "by": "topic"}
    }
    assert [exactly(value) for value in (2, 0.5, 1e-7, 1 / 3, 1234567.0)] == [
        *("2", "0.5", "1e-07", "0.3333333333333333", "1234567.0")
    ]
    plain = one.to_dict()
    assert "recipe" not in plain
    assert plain["signature"] == one.signature
    assert "signature" not in Plain().to_dict()


def test_the_document_of_json_has_the_sentence_notes_and_the_signature():
    plain = document(Plain())
    assert plain == {
        "demur": demur.__version__,
        "sentence": Plain().sentence(),
        "notes": [],
        **Plain().to_dict(),
    }
    noted = type("Noted", (Small,), {"notes": ("a",)})(recipe={"n": "1"})
    assert document(noted)["notes"] == ["a"]
    assert document(noted)["signature"].endswith("|n:1")


@pytest.mark.parametrize(
    ("verdict", "lines"),
    [("gate broken", ["why"]), ("gate holds", []), ("inconclusive", [])],
)
def test_a_claim_is_broken_only_where_the_test_says_so(verdict, lines):
    gate = WorseGate("b worse than a", "b", "a", None, None)
    tested = type("Tested", (Plain,), {"claim": lambda *_: (verdict, "why")})
    assert tested().claim_broken(gate) == Bundle(tested()).claim_broken(gate) == lines
    refuses("the text must be about two systems", Plain().claim, gate)


# -- several -----------------------------------------------------------------------


def test_results_beside_each_other_are_all_shown():
    main, other = Small("s", recipe={"n": "1"}), Small("t", 0.5, recipe={"n": "2"})
    both = Bundle(main, other=other, none=None, listed=Results([Plain()]))
    assert both.results == (main, other, Results([Plain()]))
    assert both.sentence().split("\n") == [
        main.sentence(),
        other.sentence(),
        Plain().sentence(),
    ]
    assert Bundle(main, again=main).sentence() == main.sentence()
    assert [figure.of for figure in both.figures()] == ["s", "s", "t", "t"]
    assert len(both.tables()) == 3
    assert both.signature == f"{main.signature}; {other.signature}"
    assert Bundle(main, again=main).signature == main.signature
    plain = both.to_dict()
    assert plain == main.to_dict() | {
        "other": other.to_dict(),
        "listed": [Plain().to_dict()],
    }
    assert [one.recipe for one in both.with_recipe(by="x").results[:2]] == [
        *({"by": "x", "n": "1"}, {"by": "x", "n": "2"})
    ]
    assert repr(both) == f"Bundle({main!r}, {other!r}, {Results([Plain()])!r})"
    assert both == Bundle(main, other=other, listed=Results([Plain()]))
    assert both != Bundle(main, other=other)
    assert both != Bundle(other, other=other, listed=Results([Plain()]))
    assert both != main
    assert hash(both) == hash(Bundle(main, other=other, listed=Results([Plain()])))


def test_of_two_results_the_better_stands_first():
    low, high = Small("low", 0.25), Small("high", 0.75)
    both = Results([low, high])
    assert list(both.ranked) == [high, low]
    assert [row[0] for row in both.tables()[0].rows] == ["high", "low"]
    undefined = Small("none", None)
    assert list(Results([undefined, low, high]).ranked) == [high, low, undefined]
    assert Results([low]).tables() == list(low.tables())
    assert both.to_dict() == {"systems": [low.to_dict(), high.to_dict()]}
    for one, other in ((both, Results([high, low])), (both, [low, high])):
        assert (one != other) is True
    assert both == (low, high)
    assert hash(both) == hash(Results([low, high]))
    refuses("each result must be a Result", Results, [low, 1])
    with pytest.raises(TypeError, match="Results has no 'other'"):
        Results([low], other=1)


def test_notes_of_several_bear_the_name_where_not_all_have_them():
    noted = type("Noted", (Small,), {"notes": property(lambda one: one.parts)})
    a, b = noted("a", parts=("x", "y")), noted("b", parts=("y", "z"))
    assert Results([a, b]).notes == ("a: x", "y", "b: z")
    assert Results([noted("", parts=("x",)), b]).notes == ("x", "b: y", "b: z")
    assert Bundle(a, other=b).notes == ("x", "y", "z")


@pytest.mark.parametrize(
    ("seeds", "signature"),
    [
        ("", ""),
        ("0", "demur:{}|seed:0"),
        ("00", "demur:{}|seed:0"),
        ("01", "a: demur:{}|seed:0; b: demur:{}|seed:1"),
    ],
)
def test_one_signature_says_it_of_all_who_share_it(seeds, signature):
    results = Results(
        Small(name, recipe={"seed": seed})
        for name, seed in zip("ab", seeds, strict=False)
    )
    assert results.signature == signature.replace("{}", demur.__version__)


# -- text --------------------------------------------------------------------------


def test_a_whole_result_as_text_leaves_out_what_is_empty():
    narrow = Column("a", explained="an a"), Column("b", explained="a b", wide=True)
    rows = (("1", "2"),)
    tables = [
        Table("One", narrow, rows),
        Table("Empty", narrow, ()),
        Table("Wide", (Column("c", explained="a c"),), (("3",),), wide=True),
    ]
    text = result_text("Yes.", tables, ["n", "n"], "s")
    assert text == "Yes.\n\nOne\n\na\n-\n1\n\na: an a.\nnote: n\nsignature: s"
    wide = result_text("Yes.", tables, [], "", wide=True)
    assert wide == (
        "Yes.\n\nOne\n\na  b\n-  -\n1  2\n\nWide\n\nc\n-\n3\n\na: an a; b: a b; c: a c."
    )
    assert result_text("Yes.", [], [], "") == "Yes."
    assert result_text("", [], ["n"], "") == "note: n"
    assert explanations(tables[:1]) == ["a: an a"]


def test_a_list_says_the_first_cell_once():
    columns = Column("of"), Column("what"), Column("why")
    rows = (("a", "x", ""), ("b", "y", "since"), ("a", "2", "z"))
    assert table_text(Table("Title", columns, rows, listed=True)) == (
        "a\n  x\n  2: z\n\nb\n  y: since"
    )
