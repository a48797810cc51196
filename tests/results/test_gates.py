"""The one gate: its grammar, what it refuses before any work, and what breaks it."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur import Figure, FigureKind, Result, Results
from demur.results import Bundle, count
from demur.results.gates import (
    LIKE_PERCENT,
    MOST_COUNTED,
    NAMELESS,
    Gate,
    WorseGate,
    broken_gates,
    check_gate,
    claim_kind,
    parse_gate,
)
from demur.results.kinds import BOUNDS

KINDS = (
    FigureKind("wer", "word error rate", most=math.inf),
    FigureKind("f macro", "F", better="higher"),
    FigureKind("alpha *", "a coefficient", least=-1.0, better="higher"),
    FigureKind("entropy", "entropy", "bits", most=math.inf),
    FigureKind("difference", "difference", "number", -math.inf, math.inf),
    FigureKind("seconds", "time", "seconds", most=math.inf),
    FigureKind(
        *("error", "the error"),
        at=("nonreturn", "cutoff"),
        most_at="answered",
    ),
    FigureKind("missed", "missed chance", at=("nonreturn",), most_at="declined"),
    FigureKind("least", "nonreturn at an error", at=("error",), needs_look_up=True),
    FigureKind(
        *("certified_error", "bound"),
        at=("cutoff",),
        needs_look_up=True,
        certainty=True,
    ),
    FigureKind("broken", "whether it is broken", "verdict"),
    count("items", "items"),
    claim_kind(),
)


def checked(text: str) -> Any:
    gate = parse_gate(text)
    check_gate(gate, KINDS)
    return gate


# -- the grammar -------------------------------------------------------------------

FIGURES = ["wer", "f macro", "alpha jaccard", "entropy", "items", "gold-fails"]
SYSTEMS = st.one_of(
    st.none(),
    st.sampled_from(["a", "gpt-4o", "a:b", "a: b", "a > b", "v@2", NAMELESS, "ü (2)"]),
    st.text("abc :@>()=.,'\"- é", min_size=1)
    .map(str.strip)
    .filter(lambda name: name and name[0] != ":" and name[-1] != ":"),
)
SPACES = st.sampled_from(["", " ", "  "])
LIMITS = st.one_of(
    st.integers(-1000, 1000), st.floats(allow_nan=False, allow_infinity=False)
)


@st.composite
def written(draw: st.DrawFn) -> tuple[str, Gate]:
    """A gate as somebody may write it, and what it says."""
    name, system = draw(st.sampled_from(FIGURES)), draw(SYSTEMS)
    sign = draw(st.sampled_from([">", ">=", "<", "<=", "==", "!="]))
    limit, space = float(draw(LIMITS)), draw(SPACES)
    rate = draw(st.floats(0, 1))
    certainty = draw(st.one_of(st.none(), st.floats(0.01, 0.99)))
    look_up, where = draw(
        st.sampled_from(
            [
                (None, ""),
                (("nonreturn", rate), f"{space}@{space}{rate!r}"),
                (("error", rate), f"(error{space}={space}{rate!r})"),
                (("cutoff", limit), f"{space}({space}cutoff={limit!r}{space})"),
            ]
        )
    )
    if certainty is not None and where.endswith(")"):
        where = f"{where[:-1]},{space}certainty={certainty!r})"
    else:
        certainty = None
    start = "" if system is None else f"{system}:{space}"
    text = f"{space}{start}{name}{where}{space}{sign}{space}{limit!r}{space}"
    gate = Gate(
        text=text,
        name=name,
        system=system,
        look_up=look_up,
        certainty=0.95 if certainty is None else certainty,
        certainty_named=certainty is not None,
        sign=sign,
        limit=limit,
    )
    return text, gate


@given(written())
def test_what_is_written_is_read(gate: tuple[str, Gate]) -> None:
    text, wanted = gate
    assert parse_gate(text) == wanted


@given(written(), st.floats(allow_nan=False))
def test_what_a_gate_says_of_a_figure_is_a_gate_again(
    gate: tuple[str, Gate], value: float
) -> None:
    _, first = gate
    kind = FigureKind(
        *(first.name, "x", "number", -math.inf, math.inf),
        at=("nonreturn", "error", "cutoff"),
    )
    figure = Figure(kind, value, of=first.system or "a")
    for line in first.broken_by([figure]):
        said, _, must_not = line.partition(", must not be ")
        name = said.rpartition(" is ")[0]
        again = parse_gate(f"{name} {must_not}")
        assert isinstance(again, Gate)
        assert (again.system, again.name) == (figure.of, first.name)
        assert again.sign == first.sign
        assert again.limit == pytest.approx(first.limit, rel=1e-5)
        assert (again.look_up is None) == (first.look_up is None)


@given(
    st.sampled_from(["a", "gpt-4o mini", "b:c", "x@y", "worse"]),
    st.sampled_from(["b2", "m@1.5x", "the better one", "by and by"]),
    st.one_of(st.none(), st.floats(0.01, 0.19)),
    st.one_of(st.none(), st.floats(0, 0.8)),
)
def test_a_claim_is_read(
    worse: str, better: str, margin: float | None, at: float | None
) -> None:
    text = f"{worse} worse than {better}"
    if margin is not None:
        text = f"{worse} not worse than {better} by {margin!r}"
    text += "" if at is None else f" @{at!r}"
    assert checked(text) == WorseGate(text, worse, better, at, margin)


@pytest.mark.parametrize(
    ("text", "system", "name"),
    [
        ("broken", None, "broken"),
        (" broken ", None, "broken"),
        ("a: broken", "a", "broken"),
        ("a:b: broken", "a:b", "broken"),
        ("(nameless): broken", NAMELESS, "broken"),
    ],
)
def test_a_verdict_stands_alone(text: str, system: str | None, name: str) -> None:
    gate = checked(text)
    assert (gate.system, gate.name, gate.sign) == (system, name, "")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "> 1",
            ": wer > 1",
            "wer > x",
            "wer > > 1",
            "wer > nan",
            "wer > inf",
        ),
        *("wer > 30 %", "error@20% > 1", "error @ > 1", "error@0.2", "0.3", "wer = 1"),
        *("a worse then b", "worse than b", "wer > 1 and error > 1"),
        *("error(cutoff=) > 1", "error(cutoff=x) > 1"),
        *("error(cutoff=1, cutoff=2) > 0.1", "error(cutoff=1, error=0.2) > 0.1"),
        *("certified_error(cutoff=1, certainty=0.9, certainty=0.8) > 0.1",),
        *("a worse than a", "b worse than a by 0.1", "b not worse than a"),
        *("b worse than a @1", "b not worse than a by 0", "b not worse than a by 1"),
        *("b not worse than a by 0.99 @0.2", "b not worse than a by -0.1"),
        *("certified_error(cutoff=1, certainty=0) > 0.1",),
        *("certified_error(cutoff=1, certainty=1) > 0.1",),
    ],
)
def test_what_is_no_gate(text: str) -> None:
    with pytest.raises(demur.ParseError):
        parse_gate(text)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("eror@0.2 > 0.1", "'error'"),
        ("f mcro > 0.5", "'f macro'"),
        ("brokn", "'broken'"),
        ("gold fails > 1", "a figure must be one of wer, f macro, alpha"),
        ("worse > 0.1", "a figure must be one of"),
        ("alpha > 0.1", "a figure must be one of"),
        ("error(cutof=0.2) > 0.1", "'cutoff'"),
        ("error(item=2) > 0.1", "must be one of nonreturn, error, cutoff, certainty"),
        ("error(=1) > 0.1", "must be one of nonreturn, error, cutoff, certainty"),
        ("error@20 > 0.1", "from 0 to 1"),
        ("error@-0.1 > 0.1", "from 0 to 1"),
        ("certified_error(cutoff=1, certainty=2) > 0.1", "certainty must be a number"),
        ("error(cutoff=1, certainty=0.9) > 0.1", "come without a certainty"),
        ("wer(certainty=0.9) > 0.1", "come without a certainty"),
        ("wer@0.2 > 0.1", "wer must stand without @ or brackets"),
        ("missed(cutoff=1) > 0.1", "missed must be looked up at nonreturn"),
        ("least > 0.1", "least must say where: error"),
        ("certified_error(certainty=0.9) > 0.1", "must say where: cutoff"),
        ("broken > 0.5", "broken must stand alone"),
        ("broken == 1", "broken must stand alone"),
        ("wer", "wer must come with a condition"),
        ("a: wer", "wer must come with a condition"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(text: str, near: str) -> None:
    with pytest.raises(demur.InputError) as caught:
        checked(text)
    assert near in str(caught.value)


def test_a_claim_needs_two_systems() -> None:
    with pytest.raises(demur.InputError, match="be a condition on a figure"):
        check_gate(parse_gate("b worse than a"), [count("items", "items")])


# -- limits ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("wer < -1", "wer < 0", "wer <= -0.1", "wer > 1e999", "wer >= 1e999"),
        *("f macro > 1", "f macro >= 1.01", "f macro == 2", "f macro > -0.1"),
        *("alpha jaccard > 1", "alpha jaccard < -1", "entropy < 0", "seconds < 0"),
        *("difference > 1e999", "difference < -1e999"),
        *(
            "error > 1",
            "error < 0",
            "error > 5",
            "error@0.2 > 0.8",
            "error@0.2 >= 0.81",
        ),
        *("error@1 > 0", "missed@0.2 > 0.2", "missed@0 > 0", "least(error=0.1) > 1"),
        *("items == 1.5", "items != 0.5", "items < 0", "items <= -1", "items > 1e999"),
        *("items >= 9007199254740993.5e1", "certified_error(cutoff=1) > 1"),
    ],
)
def test_limits_that_no_value_reaches_are_refused(text: str) -> None:
    refuses("the limit must be one that can be rea", checked, text)


@pytest.mark.parametrize(
    "text",
    [
        *("wer > 1.5", "wer >= 0", "wer <= 0", "f macro < 1", "f macro <= 1"),
        *("alpha jaccard < -0.5", "alpha jaccard <= -1", "entropy > 100"),
        *("difference > -1e300", "difference < 5", "seconds > 3600"),
        *("error >= 1", "error <= 0", "error@0.2 >= 0.8", "error@0.2 > 0.79"),
        *(
            "error(cutoff=0.7) > 0.99",
            "error(cutoff=-1e999) > 0.99",
            "missed@0.2 >= .2",
        ),
        *("items > 0.5", "items == 2.0", "items >= 0", "items > 1e-999999"),
    ],
)
def test_limits_that_a_value_can_reach_are_taken(text: str) -> None:
    assert checked(text).text == text


@given(
    st.sampled_from([kind for kind in KINDS if kind.unit not in ("verdict", "claim")]),
    st.floats(0, 1),
    st.sampled_from([">", ">=", "<", "<=", "==", "!="]),
    st.one_of(st.floats(allow_nan=False), st.integers(-3, 3), st.just(MOST_COUNTED)),
)
def test_a_limit_is_refused_just_where_no_possible_value_breaks_the_gate(
    kind: FigureKind, place: float, sign: str, limit: float
) -> None:
    look_up = (kind.at[0], place) if kind.at else None
    gate = Gate("x", kind.name, None, look_up, sign=sign, limit=float(limit))
    least, most = kind.range_at(look_up)
    whole = kind.unit == "count"
    largest = 1.7976931348623157e308
    low, high = max(least, -largest), min(most, MOST_COUNTED if whole else largest)
    tried = {low, high, low + 1, min(high, 1.0)} if whole else {low, high}
    if low <= limit <= high:
        near = {math.floor(limit), math.ceil(limit)} if whole else {limit}
        beside = {math.nextafter(limit, -math.inf), math.nextafter(limit, math.inf)}
        tried |= near if whole else near | beside
    possible = [value for value in tried if low <= value <= high]
    breaks = any(gate.holds_of(value) for value in possible)
    always = not low <= limit <= high  # no value is there to look at: a slip
    if kind.unit == "count" and sign in ("==", "!="):
        always |= not float(limit).is_integer()
    if kind.unit == "share" and most == math.inf:
        always |= limit >= LIKE_PERCENT
    try:
        check_gate(gate, [kind])
        taken = True
    except demur.InputError:
        taken = False
    assert taken == (breaks and not always)


# -- figures -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Held(Result):
    """A result with some figures."""

    KINDS: ClassVar = KINDS

    system: str
    wer: float | None = 0.25
    error: float = 0.5
    items: int = 2
    broken: bool = False

    def figures_for(self, gate: Gate) -> Iterable[Figure]:
        if gate.look_up is None:
            return [*self.figures()]
        kind = next(kind for kind in KINDS if kind.covers(gate.name))
        return [Figure(kind, gate.look_up[1], of=self.system)]


def lines(text: str, *results: Result) -> list[str]:
    result = results[0] if len(results) == 1 else Results(results)
    return broken_gates([checked(text)], result)


@pytest.mark.parametrize(
    ("sign", "limit", "broken"),
    [
        *((">", 2, False), (">=", 2, True), ("<", 2, False), ("<=", 2, True)),
        *(("==", 2, True), ("!=", 2, False), (">", 1, True)),
    ],
)
def test_signs(sign: str, limit: int, broken: bool) -> None:
    told = lines(f"items {sign} {limit}", Held("a"))
    wanted = (
        f"a: items is 2, must not be {sign} {limit}  [--fail-if 'items {sign} {limit}']"
    )
    assert told == [wanted] * broken


def test_one_system_of_several_is_named() -> None:
    both = Held("a"), Held("b:c", 0.5), Held("", 0.75)
    assert [line.split(" is ")[0] for line in lines("wer > 0.3", *both)] == [
        *("b:c: wer", "wer")
    ]
    assert len(lines("b:c: wer > 0.3", *both)) == 1
    assert lines("a: wer > 0.3", *both) == []
    assert len(lines("(nameless): wer > 0.3", *both)) == 1
    refuses(r"one of a, b:c, \(nameless\); got 'b'", lines, "b: wer > 0.3", *both)


def test_a_name_with_spaces_around_can_be_named() -> None:
    assert len(lines(" b : wer > 0.3", Held("a"), Held(" b ", 0.5))) == 1


def test_what_is_looked_up_is_said_and_no_other_figure_is_held() -> None:
    assert lines("error@0.2 > 0.1", Held("a")) == [
        "a: error@0.2 is 0.2, must not be > 0.1  [--fail-if 'error@0.2 > 0.1']"
    ]
    (line,) = lines("error(cutoff=0.7) > 0.6", Held("a"))
    assert line.startswith("a: error(cutoff=0.7) is 0.7, must not be > 0.6  [")
    assert lines("least(error=0.1) > 0.2", Held("a")) == []


def test_a_figure_that_cannot_be_looked_up_is_not_held_where_a_gate_looks_up() -> None:
    plain = FigureKind("error", "the error of something else")
    gate = parse_gate("error@0.2 > 0.1")
    refuses("be a figure of this result", gate.broken_by, [Figure(plain, 0.9)])
    refuses("be a figure of this result", gate.broken_by, [])


def test_verdicts_say_why() -> None:
    assert lines("broken", Held("a"), Held("b")) == []
    (line,) = lines("broken", Held("a"), Held("b", broken=True))
    assert line == "b: broken  [--fail-if 'broken']"
    figure = Figure(KINDS[-3], 1.0, of="b", why="error at least 0.5, target 0.1")
    assert parse_gate("b: broken").broken_by([figure]) == [
        "b: broken, error at least 0.5, target 0.1"
    ]


@pytest.mark.parametrize("value", [None, math.nan])
def test_what_is_undefined_passes_no_gate(value: float | None) -> None:
    for text in ("wer > 0.3", "b: wer < 0.3", "b: wer > 0.3", "b: wer != 0.3"):
        with pytest.raises(demur.UndefinedRate) as caught:
            lines(text, Held("a"), Held("b", value))
        assert str(caught.value) == f"gate {text!r}: b: wer is undefined."
    assert lines("a: wer > 0.3", Held("a"), Held("b", value)) == []
    why = Figure(KINDS[0], value, why_undefined="the references have no words")
    with pytest.raises(demur.UndefinedRate, match="undefined: the references have no"):
        parse_gate("wer > 0.3").broken_by([why])


def test_what_is_undefined_hides_no_broken_gate() -> None:
    undefined = "b: wer is undefined."
    broken, rest = lines("wer < 0.3", Held("b", None), Held("a"))
    assert broken.startswith("a: wer is 0.25, must not be < 0.3")
    assert rest.startswith(undefined)
    gates = [parse_gate("b: wer > 0.3"), parse_gate("a: wer < 0.3")]
    found = broken_gates(gates, Results([Held("a"), Held("b", None)]))
    assert found[0].startswith("a: wer is 0.25")
    assert found[1].endswith(undefined)


def test_bounds_break_a_gate_by_either_end() -> None:
    """Nothing that is not known may pass: neither a low limit nor an equality."""
    figure = Figure(KINDS[0], None, low=0.0, high=0.32, interval=BOUNDS)
    for text in ("wer < 0.01", "wer > 0.3", "wer == 0", "wer == 0.1", "wer != 0"):
        assert parse_gate(text).broken_by([figure]), text
    for text in ("wer > 0.4", "wer == 0.4"):
        assert not parse_gate(text).broken_by([figure]), text
    for text in ("wer < 0", "wer != 0.32"):
        exact = Figure(KINDS[0], 0.32, low=0.32, high=0.32, interval=BOUNDS)
        assert not parse_gate(text).broken_by([exact]), text


def test_a_table_of_results_that_shows_other_figures_is_held_by_these() -> None:
    class Firsts(Results[Held]):
        def figures(self) -> Iterator[Figure]:
            yield from self[0].figures()

    firsts = Firsts([Held("a"), Held("b", 0.9)])
    assert broken_gates([parse_gate("wer > 0.5")], firsts) == []


def test_limits_are_those_of_the_nonreturn_asked_for() -> None:
    with pytest.raises(demur.InputError, match=r"be above 0 and below 0\.5"):
        check_gate(parse_gate("b not worse than a by 0.6"), [claim_kind(0.5)])
    refuses("be below 1", check_gate, parse_gate("b worse than a"), [claim_kind(1)])
    check_gate(parse_gate("b not worse than a by 0.6 @0.2"), [claim_kind(0.5)])
    error = FigureKind("error", "error", at=("error",))
    with pytest.raises(demur.InputError, match=r"from 0 to 0\.2"):
        check_gate(parse_gate("error(error=0.2) > 0.3"), [error])


def test_where_there_are_bounds_the_worse_one_is_held() -> None:
    wer, f_macro = KINDS[0], KINDS[1]
    bounds = {"low": 0.2, "high": 0.4, "interval": BOUNDS}
    assert parse_gate("wer > 0.3").broken_by([Figure(wer, None, **bounds)])
    assert parse_gate("f macro < 0.3").broken_by([Figure(f_macro, 0.35, **bounds)])
    interval = {"low": 0.2, "high": 0.4, "interval": "95 % interval"}
    assert not parse_gate("wer > 0.35").broken_by([Figure(wer, 0.3, **interval)])


def test_a_bundle_is_held_by_all_that_stand_in_it() -> None:
    (line,) = broken_gates(
        [checked("wer > 0.3")], Bundle(Held("a"), other=Held("b", 1))
    )
    assert line.startswith("b: wer is 1,")


class Claims(Results[Held]):
    """Results of which one may be worse than another."""

    def claim_broken(self, gate: WorseGate) -> list[str]:
        return [f"{gate.worse} is worse"] if gate.margin is None else []

    def __iter__(self) -> Iterator[Held]:
        return tuple.__iter__(self)


def test_claims_are_asked_of_the_result() -> None:
    gates = [checked("b worse than a"), checked("b not worse than a by 0.1")]
    assert broken_gates(gates, Claims([Held("a")])) == [
        "b is worse  [--fail-if 'b worse than a']"
    ]
    refuses("be about two systems", broken_gates, gates, Held("a"))


@pytest.mark.parametrize(
    ("kinds", "written", "meant"),
    [
        (demur.WordErrors.KINDS, "WER", "wer"),
        (demur.LabelScores.KINDS, "F", "f micro"),
        (demur.Calibration.KINDS, "Brier score", "brier"),
        (demur.Outcomes.KINDS, "mean credit", "mean_credit"),
        (demur.Curve.KINDS, "forced error", "forced_choice_error"),
        (demur.Curve.KINDS, "eror", "error"),
    ],
)
def test_the_title_of_a_column_names_its_figure(kinds, written, meant):
    with pytest.raises(demur.InputError, match=f"Did you mean '{meant}'"):
        check_gate(parse_gate(f"{written} > 0.5"), kinds)


@pytest.mark.parametrize(
    ("kind", "limit", "reach", "in_percent"),
    [
        (FigureKind("x", "x"), "5", "from 0 to 1", True),
        (FigureKind("x", "x", least=-1), "5", "from -1 to 1", True),
        (FigureKind("x", "x", most=math.inf), "20", "below 5, which is 500 %", True),
        (FigureKind("x", "x", most=0.5), "5", "from 0 to 0.5", False),
        (FigureKind("x", "x", "number", most=1), "5", "from 0 to 1", False),
        (FigureKind("x", "x", "count", most=1), "5", "whole numbers from 0", False),
    ],
)
def test_a_rate_in_percent_is_told_to_be_a_fraction(
    kind: FigureKind, limit: str, reach: str, in_percent: bool
) -> None:
    with pytest.raises(demur.InputError) as said:
        check_gate(parse_gate(f"x > {limit}"), [kind])
    assert f"can be reached ({reach})" in str(said.value)
    assert ("Rates are fractions" in str(said.value)) == in_percent
