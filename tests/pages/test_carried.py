"""What a page carries and where it opens: rates, rows, texts, pairs and groups."""

import json
import shlex
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import demur
from builders import by_outcome, graded, refuses
from demur import Curves, Results
from demur.pages import collecting, embedding, reporting, sections
from demur.pages.collecting import ReportOptions, by_area, explore
from demur.pages.parts import Source, names_of
from demur.pages.sections import Shown

LARGEST = 2.0**32


@pytest.fixture(autouse=True)
def without_bands(monkeypatch):
    """Comparisons without bands, as with too few items: those take long."""

    def too_few(*_: Any, **__: Any) -> Any:
        raise demur.UndefinedRate("too few items")

    monkeypatch.setattr(collecting, "band", too_few)
    monkeypatch.setattr(collecting, "difference_band", too_few)


@pytest.mark.parametrize(
    ("rates", "weight", "how"),
    [
        ([0.5, 0.5], 2, "same"),
        ([0.5], 2, "same"),
        ([], 2, "Uint8"),
        ([0.0, 0.5], 2, "Uint8"),
        ([0.0, 255 / 256], 256, "Uint8"),
        ([0.0, 1.0], 256, "Uint16"),
        ([0.0, 1.0], 2**16, "Uint32"),
        ([0.0, 1.0], LARGEST - 1, "Uint32"),
        ([0.0, 1.0], LARGEST, "Float64"),
        ([0.0, 0.3], 7, "Float64"),
    ],
)
def test_rates_are_whole_amounts_where_that_gives_them_back(rates, weight, how):
    words = embedding.rates_packed(np.array(rates, float), weight)
    assert words.get("type", "same") == how
    assert ("over" in words) == (how not in ("same", "Float64"))
    if how == "same":
        assert words == {"same": 0.5}


def curve(*correct: int, **how: Any) -> demur.Curve:
    sure = (np.arange(len(correct)) + 1.0) / 8
    return demur.error_return(graded(correct, sure, system="s", **how))


def test_a_curve_carries_its_vertices_and_its_own_decisions():
    words = embedding.curve_words(curve(0, 1, 1, 0), 5)
    assert (words["vertices"], words["all"], words["single"]) == (5, True, False)
    assert words["own"]["error"] == 0.5
    fewer = embedding.curve_words(curve(*[0, 1] * 40), 4)
    assert (fewer["vertices"] < 9, fewer["all"]) == (True, False)
    sure = np.array([0.1, 0.7, 0.9], np.float32)
    single = demur.error_return(graded([0, 1, 1], sure))
    assert embedding.curve_words(single, 9)["single"] is True
    bare = demur.error_return(graded([0, 1]))
    assert embedding.curve_words(bare, 9).keys() == {"own", "vertices"}


@pytest.mark.parametrize(
    ("most", "kept"),
    [(11, [*range(11)]), (6, [0, 3, 4, 6, 7, 9, 10])]
    + [(most, [0, 4, 5, 9, 10]) for most in (1, 2, 4, 5)],
)
def test_of_many_vertices_the_first_and_the_last_of_columns_are_kept(most, kept):
    places = embedding.listed_vertices(curve(*[0, 1] * 5), most)
    assert places.tolist() == kept


@pytest.mark.parametrize(
    ("at", "vertex"),
    [(0.0, 0), (0.24, 0), (0.25, 1), (0.25 - 1e-13, 1), (0.26, 1), (1.0, 4)],
)
def test_the_page_opens_at_the_last_vertex_that_declines_no_more(at, vertex):
    assert embedding.opening_vertex(curve(0, 1, 1, 0).nonreturn, at) == vertex
    assert embedding.opening_vertex(np.array([0.5, 1.0]), 0.2) == 0


def test_a_row_without_a_guess_has_rank_0():
    made = by_outcome(
        ["right", "wrong", "unanswered", "ungraded"], [0.5, 0.25, None, 0.5]
    )
    found = demur.error_return(made)
    assert embedding.ranks(made, found, 100).tolist() == [2, 1, 0, 2]
    least = by_outcome(["right", "unanswered"], [-np.inf, None])
    assert embedding.ranks(least, demur.error_return(least), 9).tolist() == [1, 0]
    bare = graded([0, 1])
    assert embedding.ranks(bare, found, 100).tolist() == [0, 0]
    words = embedding.rows_words(bare, demur.error_return(bare), 9, {0: 0, 1: 1}, {})
    assert (words["rank"], words["item"], words["declined"]) == (None, None, None)
    swapped = embedding.rows_words(bare, found, 9, {0: 1, 1: 0}, {})
    assert swapped["item"]["type"] == "Uint8"
    declining = graded([0, 1], [1, 2], declined=[True, False])
    of = embedding.rows_words(
        declining, demur.error_return(declining), 9, {0: 0, 1: 1}, {}
    )
    assert of["declined"] is not None
    assert of["rank"] is not None


def test_repeats_are_numbered_where_there_are_any():
    made = graded([1, 0, 1], [3, 2, 1], item=list("aab"), repeat=["x", "y", "y"])
    assert embedding.repeats_of([graded([1])]) == []
    assert embedding.repeats_of([made]) == ["x", "y"]
    found, place = demur.error_return(made), {"a": 0, "b": 1}
    words = embedding.rows_words(made, found, 9, place, {}, ["y", "x"])
    assert words["repeat"] == embedding.packed(np.array([1, 0, 0], np.uint8))
    assert embedding.rows_words(made, found, 9, place, {})["repeat"] is None


def test_groups_are_numbered_as_they_appear():
    parts = [
        graded([1, 0, 1], groups={"t": ["b", None, "a"]}),
        graded([1], groups={"t": ["c"]}),
    ]
    codes = embedding.group_codes(parts, ["t"])
    assert list(codes["t"]) == ["b", demur.outcomes.table.NO_VALUE, "a", "c"]
    assert list(codes["t"].values()) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, None),
        (float("nan"), None),
        ("", ""),
        ("é", "é"),
        (1.5, "1.5"),
        ({"é": [None]}, '{"é": [null]}'),
        ([], "[]"),
        (
            [{"role": "user", "content": "Hi"}, {"role": "bot", "content": "Yes\nno"}],
            "user: Hi\n\nbot: Yes\nno",
        ),
        (
            [{"role": "bot", "content": "x", "calls": [1]}, {"role": "tool"}],
            'bot: {"content": "x", "calls": [1]}\n\ntool: {}',
        ),
        ([{"role": "user"}, "x"], '[{"role": "user"}, "x"]'),
    ],
)
def test_texts_are_as_they_are_and_dialogues_turn_by_turn(value, words):
    assert embedding.text(value) == words


@pytest.mark.parametrize(
    ("words", "short"),
    [
        (None, None),
        ("", ""),
        ("x" * 2000, "x" * 2000),
        ("x" * 2001, "x" * 2000 + "… [1 more characters]"),
    ],
)
def test_short_texts_end_at_2000_characters(words, short):
    assert embedding.shortened(words) == short


def test_beginnings_of_all_come_before_the_whole_of_some():
    long = ["x" * 3000 if n < 2 else "q" for n in range(5)] * 2
    found = explored(input=long)
    for budget, cut, whole in ((5000, 2, []), (5300, 1, ["1"]), (10**6, 0, ["1", "0"])):
        texts, left_out, n_cut = embedding.texts_words(
            found, PLACE, budget, [1, 0, 2, 3, 4]
        )
        assert (left_out, n_cut) == (0, cut)
        listed = texts["items"]
        assert [at for at, (asked, _) in listed.items() if asked == "x" * 3000] == whole
        assert all("… [1,000 more" in listed[at][0] for at in {"0", "1"} - {*whole})


def test_failed_rows_and_clusters_are_carried():
    made = demur.Outcomes.from_arrays(
        item=[*"abc"],
        outcome=["right", "unanswered", "unanswered"],
        confidence=[0.5, None, None],
        reason_code=[None, "failed", "no_answer"],
        cluster=["d2", "d1", "d2"],
    )
    found = explore(made, ReportOptions())
    words, _ = embedding.explored_words(found, 0)
    failed = words["systems"][0]["failed"]
    assert failed == embedding.packed(np.array([0, 1, 0], np.uint8))
    assert words["clusters"]["names"] == ["d2", "d1"]
    codes = embedding.packed(np.array([0, 1, 0], np.uint8))
    assert words["clusters"]["of"] == codes
    place = {"a": 0, "b": 1, "c": 2}
    for clusters, of in ((None, None), (["x", "y", "z"], None), (["x", None, "x"], 1)):
        part = graded([1, 0, 1], item=[*place], cluster=clusters)
        carried = embedding.clusters_words([part], place)
        assert (carried is None) == (of is None)
    assert carried is not None
    assert carried["names"] == ["x"]
    assert carried["of"] == embedding.packed(np.array([0, 1, 0], np.uint8))


@pytest.mark.parametrize(
    ("sure", "fractions"),
    [
        *(([0, 1], True), ([0.2, 0.7], True), ([0.2, 1.5], False)),
        *(([-0.1, 1], False), ([-np.inf, 0.5], False)),
    ],
)
def test_confidences_from_0_to_1_may_be_percentages(sure, fractions):
    made = graded([0, 1], sure)
    words = embedding.rows_words(made, demur.error_return(made), 9, {0: 0, 1: 1}, {})
    assert words["fractions"] is fractions


def test_notes_are_kept_by_items_and_verdicts():
    known = embedding.digest(explored(), PLACE)
    assert known == embedding.digest(explored(input=["other"] * 10), PLACE)
    assert known != embedding.digest(explored(), {**PLACE, "q5": 5})
    other = demur.Outcomes.from_arrays(item=[*PLACE], correct=[1, 0, 1, 1, 1])
    assert known != embedding.digest(explore(other, ReportOptions()), PLACE)


def explored(**more: Any) -> collecting.Explored:
    """Two systems that differ on item q1; q2 and q3 are nearest to the cutoff."""
    table = demur.Outcomes.from_arrays(
        item=[f"q{n}" for n in range(5)] * 2,
        system=["a"] * 5 + ["b"] * 5,
        correct=[0, 0, 1, 1, 1, 0, 1, 1, 1, 1],
        confidence=[*range(1, 6)] * 2,
        **more,
    )
    return explore(table, ReportOptions(at=0.4))


PLACE = {f"q{n}": n for n in range(5)}


def test_items_come_first_on_which_systems_differ_then_those_near_the_cutoff():
    # It opens between the second and the third cutoff; ties go by their place.
    assert embedding.order_of_items(explored(), PLACE, 100) == [1, 2, 0, 3, 4]
    bare = demur.Outcomes.from_arrays(
        item=[*"abab"], system=[*"xxyy"], correct=[1, 0, 1, 1]
    )
    found = explore(bare, ReportOptions())
    assert embedding.order_of_items(found, {"a": 0, "b": 1}, 9) == [1, 0]


def test_texts_are_taken_while_the_budget_lasts():
    found = explored(input=["x" * 9] * 10)
    size = len('{"3":["xxxxxxxxx",null]}{}')
    for budget, kept in (
        *((0, 0), (size - 1, 0), (size, 1), (2 * size - 1, 1), (2 * size, 2)),
        *((5 * size, 5), (9 * size, 5)),
    ):
        order = [3, 1, 0, 2, 4]
        texts, left_out, cut = embedding.texts_words(found, PLACE, budget, order)
        assert cut == 0
        assert [*map(int, texts["items"])] == order[:kept]
        assert (left_out, texts["rows"]) == (5 - kept, {})


def test_texts_of_rows_and_items_are_apart():
    found = explored(
        input=["q"] * 5 + [None] * 5,
        response=["r0", None, "r2", None, None] + [None] * 4 + ["s4"],
    )
    texts, left_out, _ = embedding.texts_words(found, PLACE, 10**6, range(5))
    assert texts["items"]["0"] == ["q", None]
    assert set(texts["rows"]) == {"0:0", "0:2", "1:4"}
    assert texts["rows"]["1:4"] == ["s4", None]
    assert left_out == 0
    nothing, left_out, _ = embedding.texts_words(explored(), PLACE, 0, range(5))
    assert (nothing, left_out) == ({"items": {}, "rows": {}}, 0)


def test_data_cannot_end_its_element():
    assert embedding.as_data({"a": "</script>&\u2028é\ud800"}) == (
        '{"a":"\\u003c/script\\u003e\\u0026\\u2028é?"}'
    )
    with pytest.raises(ValueError, match="JSON"):
        embedding.as_data({"a": float("nan")})


def test_many_vertices_are_shared_by_all_curves(monkeypatch):
    found = explored()
    for most, whole in ((1200, True), (200, True)):
        monkeypatch.setattr(embedding, "MOST_VERTICES", most)
        words, notes = embedding.explored_words(found, 0)
        assert all(one["curve"]["all"] for one in words["systems"]) == whole
        assert notes == []
    assert words["names"] == ["a", "b"]
    assert words["pairs"] == [[1, 0]]
    curves = [curve(0, 1, 1)]
    assert embedding._notes(curves, 4, (0, 0), 9) == []
    (cut,) = embedding._notes(curves, 3, (0, 0), 9)
    assert "more than 3 cutoffs carry 3" in cut
    (part,) = embedding._notes([], 0, (0, 3), 9000)
    assert part.startswith("Long texts of 3 items are cut at 2,000 characters")
    (left,) = embedding._notes([demur.error_return(graded([1]))], 0, (2, 0), 9000)
    assert left.startswith("Texts of 2 items are left out, since texts may take 9,000")


# -- what is computed of outcomes --------------------------------------------------


def many(n: int, items: int = 6, **more: Any) -> demur.Outcomes:
    return demur.Outcomes.from_arrays(
        item=[*range(items)] * n,
        system=[f"v{k:02}" for k in range(n) for _ in range(items)],
        correct=[(k + row) % 5 > 1 for k in range(n) for row in range(items)],
        confidence=[(row * 5 + k) % items for k in range(n) for row in range(items)],
        **more,
    )


@pytest.mark.parametrize(("n", "drawn"), [(11, 11), (12, 12), (13, 12)])
def test_of_more_than_twelve_systems_the_best_have_further_pictures(n, drawn):
    found = explore(many(n), ReportOptions())
    by_kind = {shown.kind: shown.result for shown in found.results}
    assert len(by_kind["Contrast"]) == len(by_kind["Calibration"]) == drawn
    assert len(found.curves) == len(by_kind["Curve"]) == n
    assert any("the 12 systems of least area" in note for note in found.notes) == (
        n > drawn
    )
    best = sorted(by_area(found.curves)[:12])
    assert [one.system for one in by_kind["Contrast"]] == [
        found.names[place] for place in best
    ]


@pytest.mark.parametrize(
    ("n", "how", "pairs", "picked"),
    [
        (1, {}, 0, 0),
        (2, {}, 1, 0),
        (3, {}, 1, 3),
        (3, {"pairs": (("v00", "v02"),)}, 1, 0),
        (3, {"against": "v01"}, 2, 0),
        (3, {"against": "v01", "pairs": (("v00", "v02"),)}, 3, 0),
    ],
)
def test_pairs_are_those_that_are_asked_for_or_the_first_two(n, how, pairs, picked):
    found = explore(many(n), ReportOptions(**how))
    compared = [(one.comparison.a, one.comparison.b) for one in found.pairs]
    assert len(compared) == pairs
    assert {one.picked_of for one in found.pairs} == ({picked} if pairs else set())
    wanted = [*how.get("pairs", ())]
    wanted += (
        [(how["against"], name) for name in ("v00", "v02")] if "against" in how else []
    )
    if wanted:
        assert compared == wanted
    elif pairs:
        first, second = by_area(found.curves)[:2]
        assert compared == [(found.names[first], found.names[second])]


def test_systems_without_confidences_stand_last_by_what_they_cost():
    curves = [
        demur.error_return(graded([0, 0, 1, 1])),
        demur.error_return(by_outcome(["wrong", "right", "right", "right"])),
        curve(0, 0, 1, 1),
        demur.error_return(by_outcome(["unanswered"] * 3 + ["right"])),
        curve(0, 1, 1, 1),
    ]
    # Without a curve they cost 2 x 0.5, 2 x 0.25, and 0.75.
    assert by_area(curves) == [4, 2, 1, 3, 0]


def test_the_words_of_commands_give_the_numbers_again():
    found = explore(
        many(3, groups={"t": [*"xyx"] * 6}),
        ReportOptions(at=0.25, by=("t",)),
    )
    commands = [" ".join(shown.command) for shown in found.results]
    a, b = found.pairs[0].comparison.a, found.pairs[0].comparison.b
    assert commands == [
        f"compare --where system={a} --where system={b} --at 0.25",
        "curve --at 0.25,0.1,0.2,0.3,0.5",
        "score --score omniscience-index --score confidence-target(target=0.9)",
        "choose --prices",
        "curve --calibration",
        "curve --contrast",
        "curve --by t --at 0.25",
    ]
    assert [(group.column, group.value) for group in found.groups] == [
        *(("t", "x"), ("t", "y"))
    ]
    pair = found.pairs[0]
    nameless = replace(pair, comparison=replace(pair.comparison, a=""))
    assert nameless.command == ("compare", "--at", "0.25")
    assert replace(pair, picked_of=0).notes == pair.notes[1:]


def test_a_group_without_rows_of_a_system_has_no_curve_of_it():
    table = demur.Outcomes.from_arrays(
        item=[*"abcd"],
        system=[*"xxyy"],
        correct=[1, 0, 1, 1],
        confidence=range(4),
        groups={"t": ["s", None, "s", "s"]},
    )
    groups = explore(table, ReportOptions(by=("t",))).groups
    known = [[one is not None for one in group.curves] for group in groups]
    assert known == [[True, True], [True, False]]
    assert groups[1].value == demur.outcomes.table.NO_VALUE


@pytest.mark.parametrize("n", [50, 51])
def test_fifty_groups_have_curves_and_500_rows_of_a_table_are_shown(n):
    table = graded([1] * n, range(n), groups={"t": [f"v{k}" for k in range(n)]})
    found = explore(table, ReportOptions(by=("t",)))
    assert len(found.groups) == 50
    assert any("t has 51 values" in note for note in found.notes) == (n == 51)
    rows = demur.Table("T", (demur.Column("x"),), ((0,),) * (n + 450))
    shown = sections._spread(rows)
    assert (len(shown.rows), shown.title) == (
        *(500, "T" if n == 50 else "T (500 of 501 rows)"),
    )


@pytest.mark.parametrize(("count", "kept"), [(2, "xy"), (1, "y")])
def test_the_largest_groups_have_curves(count, kept, monkeypatch):
    monkeypatch.setattr(collecting, "MOST_GROUPS", count)
    found = explore(
        graded([1, 0, 1], range(3), groups={"t": [*"xyy"]}), ReportOptions(by=("t",))
    )
    assert [group.value for group in found.groups] == [*kept]
    assert any("t has 2 values" in note for note in found.notes) == (count == 1)


# -- the first screen, and sections ------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "counts"),
    [
        ([1.0], [1000]),
        ([0.5, 0.5], [500, 500]),
        ([1 / 3] * 3, [334, 333, 333]),
        ([2 / 3, 1 / 3], [667, 333]),
        ([0.0005, 0.9995], [1, 999]),
        ([0.0004, 0.9996], [0, 1000]),
        ([0.29, 0.71], [290, 710]),
        ([1 / 7] * 7, [143] * 6 + [142]),
    ],
)
def test_whole_numbers_of_a_thousand_add_up(shares, counts):
    assert reporting._of_thousand(shares) == counts


def test_systems_stand_where_the_page_opens():
    one = curve(0, 1, 1, 0)
    assert reporting._standing(one, 0.25) == ("0.25", [0.25, 0.25, 0.5, 0.0, 0.0])
    assert reporting._standing(one, 1.0)[0] == "never answer"
    assert reporting._standing(one, 0.75)[0] == "0.5"
    decided = demur.error_return(
        by_outcome(["right", "wrong", "unanswered", "ungraded"])
    )
    own, rates = reporting._standing(decided, 0.2)
    assert (own, rates) == ("own decisions", [0.25, 0.25, 0.25, 0.0, 0.25])
    shares = reporting._shares(decided, 0.2)
    assert {name: share for name, share in shares.items() if share} == {
        **{"right": 0.25, "error": 0.25, "no_guess": 0.25, "ungraded": 0.25}
    }
    shares = reporting._shares(one, 0.25)
    assert {name: share for name, share in shares.items() if share} == {
        **{"right": 0.5, "error": 0.25, "avoided": 0.25}
    }


def lead(*tables: Any, at: float = 0.25) -> list[str]:
    rows = [row for name, table in tables for row in ((name, one) for one in table)]
    outcomes = demur.Outcomes.from_arrays(
        item=[place for _, table in tables for place in range(len(table))],
        system=[name for name, _ in rows],
        outcome=["right" if one else "wrong" for _, one in rows],
        confidence=[abs(one) for _, one in rows]
        if any(abs(o) > 1 for _, o in rows)
        else None,
    )
    return reporting._lead(explore(outcomes, ReportOptions(at=at)))


def test_the_lead_answers_what_was_asked():
    sure = [0, 5, 6, 7]
    assert lead(("a", sure)) == [
        "a answers 25 % of 4 items wrongly if it gives every guess, and 0 % if 25 % "
        "are not answered."
    ]
    assert lead(("a", sure), at=0.2) == [
        "a answers 25 % of 4 items wrongly if it gives every guess."
    ]
    bare = [1, 1, 0, 1]
    assert lead(("a", bare)) == [
        "a gets 75 % of 4 items right and 25 % wrong, and does not answer 0 %."
    ]
    two = lead(("a", sure), ("b", [0, 0, 6, 7]))
    assert (len(two), two[0].startswith("a answers 25 %")) == (2, True)
    three = lead(("a", sure), ("b", [0, 0, 6, 7]), ("c", sure))
    assert len(three) == 1
    assert three[0].startswith("At nonreturn 0.25 ")
    bares = lead(("a", bare), ("b", [1, 1, 1, 1]), ("c", bare))
    assert bares[0].startswith("b gets 100 %")
    assert reporting._lead(None) == []


def test_one_of_several_asked_comparisons_does_not_stand_alone():
    for pairs, told in (((("v00", "v01"),), 2), ((("v00", "v01"), ("v00", "v02")), 1)):
        found = explore(many(3), ReportOptions(pairs=pairs))
        assert len(reporting._lead(found)) == told


@pytest.mark.parametrize(("n", "told"), [(3, 3), (4, 3)])
def test_of_many_corrected_curves_three_are_in_the_lead(n, told):
    people = ["right", "wrong", None, "right"] * (10 * n)
    table = many(n, items=40, groups={"people": people})
    found = explore(table, ReportOptions(gold="people"))
    assert sum(shown.kind == "CorrectedCurve" for shown in found.results) == n
    assert len(reporting._lead(found)) == 1 + told


def test_lines_that_give_the_numbers_again():
    files = Source(("my file.csv",), ("--where", "a=b c"))
    line = files.line(("curve", "--at", "0.1"), "demur.x()")
    assert shlex.split(line) == [
        *("demur", "curve", "my file.csv", "--at", "0.1", "--where", "a=b c")
    ]
    assert files.line((), "demur.x()") == "demur.x()"
    assert Source().line(("curve",), "demur.x()") == "demur.x()"
    assert Source(typed="demur judge").line(("curve",), "x") == "demur judge"
    chosen = Source(("f",), typed="demur choose f --page p.html")
    assert chosen.line(("curve",), "x") == "demur curve f"
    assert chosen.line((), "x") == "demur choose f --page p.html"
    assert Source(typed="demur judge").line((), "") == "demur judge"
    assert names_of(["", "a"]) == ("the system", "a")


def test_sections_hold_neighbours_of_one_heading():
    one = curve(0, 1, 1)
    scores = demur.label_scores(references=["x"], hypotheses=["x"], system="s")
    listed = [Shown(one), Shown(one), Shown(scores), Shown(one)]
    made = list(reporting._sections(listed, Source()))
    assert [part.heading for part in made] == [
        *("Operating points and errors", "Label scores", "Operating points and errors")
    ]
    assert [bool(part.source) for part in made] == [True, False, True]
    assert made[0].source == ("demur.curve_by(outcomes)",)
    assert len(made[0].pictures) == 1
    assert 'id="section3-curves"' in made[2].pictures[0]
    assert Shown(Results([one])).kind == "Curve"
    assert Shown(Curves([one])).kind == "Curve"
    assert Shown(Results([scores])).kind == "LabelScores"
    assert Shown(Results([])).heading == "Results"
    nameless = replace(scores, system="")
    tables = sections._tables([nameless, nameless])
    assert len(tables) == 2 * len(nameless.tables())
    assert len(sections._tables([scores, nameless])) == len(nameless.tables())


def test_results_within_results_are_listed():
    one = curve(0, 1, 1)
    bundle = demur.results.Bundle(one, other=one)
    for given, count in (
        (one, 1),
        ([one, one], 2),
        ([[one, [one]], one], 3),
        (bundle, 2),
        ([bundle, one], 3),
        (Results([one, one]), 1),
        (iter([one]), 1),
    ):
        assert len(reporting._listed(given)) == count
    refuses("be results of demur; got a int", reporting._listed, [one, 1])
    refuses("hold at least one", reporting._listed, [[]])
    noted = type("Noted", (demur.results.Bundle,), {"notes": ("new", *one.notes)})(one)
    assert reporting._further_notes([noted, [noted]]) == ["new", "new"]
    assert reporting._further_notes(one) == []


@pytest.mark.parametrize("pair", [("a",), ("a", "b", "c"), "a"])
def test_a_pair_is_two_names(pair):
    refuses("be two names of systems", reporting._pairs, [pair])
    assert reporting._pairs([["a", "b"]]) == [("a", "b")]


def test_pages_are_titled_by_their_systems():
    for names, title in (
        (("a",), "How a answers and declines"),
        (("",), "How the system answers and declines"),
        (("a", "b"), "2 systems that may decline"),
    ):
        made: Any = SimpleNamespace(names=names)
        assert reporting._title(made, []) == title


@pytest.mark.parametrize(("n", "on"), [(1, 1), (8, 8), (9, 8)])
def test_up_to_eight_systems_are_switched_on(n, on):
    page = demur.report(many(n))
    assert page.html.count(" checked disabled") == on
    listed = json.loads(page.html.partition('id="data">')[2].partition("</script>")[0])
    assert len(listed["order"]) == n
