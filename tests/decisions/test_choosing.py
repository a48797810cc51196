"""What a choice says of itself: on which data, by clusters, at which price."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import (
    DATA,
    by_outcome,
    graded,
    needs_data,
    printed,
    printed_json,
    refuses,
    run,
    stderr_of,
)
from demur.arrays import Sample
from demur.comparisons.pricing import UNTESTED
from demur.decisions import certificates
from demur.decisions.certificates import GIVEN_SIZES
from demur.decisions.choice_tables import SAME_DATA
from demur.outcomes.parts import stacked


def ranked(n_items: int, wrong: set[int], **columns: Any) -> demur.Outcomes:
    """Named items with confidences 1/n, 2/n, ...; those in ``wrong`` are wrong."""
    columns = {"item": [f"q{row}" for row in range(n_items)], "system": "a"} | columns
    return graded(
        [row not in wrong for row in range(n_items)],
        [(row + 1) / n_items for row in range(n_items)],
        **columns,
    )


@pytest.fixture
def save(tmp_path: Path) -> Any:
    def save(name: str, outcomes: demur.Outcomes) -> str:
        path = tmp_path / f"{name}.jsonl"
        demur.write_outcomes(outcomes, path)
        return str(path)

    return save


def flat(text: str) -> str:
    """Text without its line ends."""
    return " ".join(text.split())


# -- rules -------------------------------------------------------------------------


@given(st.integers(1, 120), st.integers(0, 120))
def test_a_target_that_is_met_exactly_is_met(n_items: int, n_wrong: int) -> None:
    # 0.29 * 100 is below 29 in floating point.
    n_wrong = min(n_wrong, n_items)
    outcomes = graded([False] * n_wrong + [True] * (n_items - n_wrong), [1] * n_items)
    rate = Fraction(n_wrong, n_items)
    target = round(float(rate), 2)
    if Fraction(str(target)) == rate:
        for of in ("all", "answered"):
            assert demur.choose(outcomes, max_error=target, of=of).cutoff == 1


def test_29_wrong_of_100_are_29_percent() -> None:
    outcomes = graded([False] * 29 + [True] * 71, [1] * 100)
    chosen = demur.choose(outcomes, max_error=0.29, of="answered")
    assert (chosen.found, chosen.cutoff, chosen.error_answered) == (True, 1, 0.29)
    assert not demur.choose(outcomes, max_error=0.2899, of="answered").found


def test_every_system_has_its_own_reason_for_having_no_cutoff(save: Any) -> None:
    late = graded([None, True, True], [None, 1, 2], system="late")
    own = graded([True, None, False], system="own")
    early = ranked(3, {0})
    paths = [save("late", late), save("own", own)]
    err = stderr_of("choose", *paths, "--nonreturn", "0.1")
    assert "no cutoff of late has nonreturn <= 0.1; its curve starts at 0.333" in err
    assert "own gives no confidences" in err
    paths.append(save("early", early))
    code, out, err = run("choose", *paths, "--nonreturn", "0.1")
    assert (code, err) == (0, "")
    assert "note: no cutoff of late has nonreturn <= 0.1" in out
    assert "note: own gives no confidences" in out
    shown = printed_json("choose", *paths, "--nonreturn", "0.1")
    assert list(shown["without"]) == ["late", "own"]
    # A gate on what cannot be chosen is no gate that is passed.
    gate = ("--nonreturn", "0.1", "--fail-if")
    stderr_of("choose", *paths, *gate, "error > 0.9")
    printed("choose", *paths, *gate, "a: error > 0.9")


# -- held-out data -----------------------------------------------------------------


def test_items_that_had_a_part_in_the_choice_are_counted() -> None:
    outcomes = ranked(10, {0, 1})
    chosen = demur.choose(outcomes, max_error=0.1)
    others = ranked(10, {0}, item=[f"r{row}" for row in range(10)])
    assert chosen.on(others).notes == ("judged on 10 held-out items",)
    mixed = ranked(10, {0}, item=[f"q{row + 7}" for row in range(10)])
    (note,) = chosen.on(mixed).notes
    assert note.startswith("3 of the 10 items judged on had a part in the choice")
    again = ranked(10, {0})
    assert chosen.on(again).notes == (SAME_DATA,)
    assert chosen.on(outcomes.take(np.arange(3))).notes == (SAME_DATA,)


def test_row_numbers_are_not_taken_for_names() -> None:
    outcomes = graded([1, 0, 1], [3, 1, 2])
    other = graded([1, 1], [3, 1])
    chosen = demur.choose(outcomes, max_error=0.1)
    assert chosen.on(outcomes).notes == (SAME_DATA,)
    assert (
        "2 items, of which 2 have numbers that items of the choice have too"
        in (chosen.on(other).notes[0])
    )
    first, second = demur.halves(outcomes, share=0.4)
    held_out = demur.choose(first, max_error=1).on(second)
    assert held_out.notes == ("judged on 2 held-out items",)


def test_a_choice_keeps_its_items_out_of_sight() -> None:
    chosen = demur.choose(ranked(5, {0}), balance=True)
    assert "items=" not in repr(chosen)
    assert chosen == replace(chosen, items=None)
    assert chosen.to_dict() == replace(chosen, items=None).to_dict()
    assert replace(chosen, items=None).on(ranked(5, {0})).notes == (
        "judged on 5 held-out items",
    )


def test_none_found_stays_none_found_on_other_data() -> None:
    chosen = demur.choose(
        ranked(20, {3}), max_error=0.01, of="answered", certainty=0.95
    )
    assert not chosen.found
    assert not chosen.on(ranked(20, {3})).found
    found = demur.choose(ranked(20, {3}), max_error=0.5)
    assert found.on(ranked(20, {3})).found


def test_the_command_line_says_which_held_out_items_had_a_part(save: Any) -> None:
    path = save("a", ranked(10, {0, 1}))
    mixed = save("b", ranked(10, {0}, item=[f"q{row + 7}" for row in range(10)]))
    words = ["choose", path, "--max-error", "0.1", "--held-out"]
    for json_too in ([], ["--json"]):
        out = printed(*words, mixed, *json_too)
        assert "3 of the 10 items judged on had a part in the choice" in flat(out)
        out = printed(*words, path, *json_too)
        assert SAME_DATA in flat(out)
    out = printed(*words, mixed)
    assert SAME_DATA not in flat(out)


def test_the_table_shows_what_a_reader_must_know(save: Any) -> None:
    path = save("a", ranked(10, {0, 1}))
    out = printed("choose", path, "--max-error", "0.1")
    assert f"note: {SAME_DATA}" in flat(out)
    words = ["choose", path, "--max-error", "0.1", "--of", "answered"]
    out = printed(*words, "--certainty", "0.95")
    assert "note: no cutoff could be found: the rates are those of answering" in flat(
        out
    )
    out = printed("choose", path, "--max-error", "0.5", "--split", "0.5")
    assert "note: judged on 5 held-out items" in out
    out = printed("choose", path, "--prices")
    assert f"note: {SAME_DATA}" in flat(out)


@given(st.integers(0, 50), st.sampled_from([0.2, 0.5, 0.7]))
def test_halves_cut_no_cluster(seed: int, share: float) -> None:
    cluster = [f"c{row // 3}" for row in range(30)]
    first, second = demur.halves(
        ranked(30, set(), cluster=cluster), share=share, seed=seed
    )
    assert len(first) + len(second) == 30
    assert not set(first.cluster) & set(second.cluster)
    assert not set(first.item) & set(second.item)


def test_groups_are_shown_on_the_held_out_data(save: Any) -> None:
    topic = {"groups": {"topic": ["x", "y"] * 10}}
    path = save("a", ranked(20, {0}, **topic))
    later = save("b", ranked(20, {0, 2, 4}, item=[f"r{i}" for i in range(20)], **topic))
    words = ["choose", path, "--nonreturn", "0", "--by", "topic"]
    out = printed(*words)
    assert "Who gets declined, on the data it was chosen on" in out
    assert printed_json(*words)["declined"]["overall"]["error"]["amount"] == 1
    words += ["--held-out", later]
    out = printed(*words)
    assert "Who gets declined, on held-out items" in out
    shown = printed_json(*words)
    assert "declined" not in shown
    assert shown["held_out"]["declined"]["overall"]["error"]["amount"] == 3
    words = ["choose", path, "--nonreturn", "0", "--by", "topic", "--split", "0.3"]
    assert printed_json(*words)["held_out"]["declined"]["overall"]["items"] == 14


# -- clusters ----------------------------------------------------------------------


def test_a_certificate_by_clusters_says_that_sizes_are_given(save: Any) -> None:
    cluster = [f"c{row // 4}" for row in range(400)]
    grouped = ranked(400, {0, 1}, cluster=cluster)
    chosen = demur.choose(grouped, max_error=0.05, certainty=0.9)
    assert chosen.cutoff is not None
    assert GIVEN_SIZES in chosen.notes
    assert GIVEN_SIZES not in demur.choose(grouped, max_error=0.05).notes
    alone = ranked(400, {0, 1})
    assert GIVEN_SIZES not in demur.choose(alone, max_error=0.05, certainty=0.9).notes
    words = ["--max-error", "0.05", "--certainty", "0.9"]
    out = printed("choose", save("a", grouped), *words)
    assert f"note: {GIVEN_SIZES}" in flat(out)


def test_a_recheck_by_clusters_says_so_too() -> None:
    grouped = ranked(40, {0, 1}, cluster=[f"c{row // 4}" for row in range(40)])
    kept = demur.lock(grouped, demur.choose(grouped, max_error=0.1))
    said = "tested for clusters (or weights) no larger"
    assert any(note.startswith(said) for note in demur.recheck(kept, grouped).notes)
    assert not any(
        note.startswith(said) for note in demur.recheck(kept, ranked(40, {0})).notes
    )


# -- prices ------------------------------------------------------------------------


def operating(name: str, **outcomes: int) -> demur.Outcomes:
    """A system without confidences, with so many items of each outcome."""
    listed = [each for each, count in outcomes.items() for _ in range(count)]
    return by_outcome(
        listed, item=[f"q{row}" for row in range(len(listed))], system=name
    )


def prices_of(*outcomes: demur.Outcomes) -> list[Any]:
    return demur.price_list([demur.error_return(each) for each in outcomes])


def test_silence_is_on_offer_whatever_the_systems_are() -> None:
    found = prices_of(operating("b", right=4, wrong=4, unanswered=2))
    assert [(p.system, p.choice, p.cutoff, p.nonreturn, p.error) for p in found] == [
        ("b", "own decisions", None, 0.2, 0.4),
        (None, "never answer", None, 1, 0),
    ]
    assert found[0].low == found[1].high == 0.5
    with_curve = prices_of(ranked(4, {1, 3}))
    assert with_curve[-1].choice == "never answer"
    assert {p.choice for p in with_curve[:-1]} == {"cutoff"}
    # Without an error silence only costs more.
    assert [p.choice for p in prices_of(ranked(4, {0, 1}))] == ["cutoff"] * 2
    clean = prices_of(operating("b", right=4, unanswered=2))
    assert [p.choice for p in clean] == ["own decisions"]
    (silent,) = prices_of(operating("b", unanswered=3))
    assert (silent.system, silent.choice) == (None, "never answer")


def test_ungraded_answers_of_an_operating_point_are_errors() -> None:
    found = prices_of(operating("b", right=4, wrong=2, ungraded=2, unanswered=2))
    assert (found[0].nonreturn, found[0].error) == (0.2, pytest.approx(0.4))


def test_prices_name_what_to_do(save: Any) -> None:
    path = save("b", operating("b", right=4, wrong=4, unanswered=2))
    shown = printed_json("choose", path, "--prices")
    found = [(p["system"], p["choice"], p["cutoff"]) for p in shown["prices"]]
    assert found == [("b", "own decisions", None), (None, "never answer", None)]
    assert shown["notes"] == [SAME_DATA]
    out = printed("choose", path, "--prices")
    (head,) = [row for row, line in enumerate(out.splitlines()) if line[:3] == "---"]
    rows = [line.split() for line in out.splitlines()[head + 1 : head + 3]]
    assert rows[0] == ["b", "0.5", "inf", "own", "decisions", "-", "0.200", "0.400"]
    assert rows[1] == ["-", "0", "0.5", "never", "answer", "-", "1.000", "0.000"]


@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        ("error > 0.3", 1, "b: error is 0.4, must not be > 0.3"),
        ("nonreturn > 0.2", 0, ""),
        ("cost > 0.4", 1, "b: cost is 0.5, must not be > 0.4"),
        ("b: cost > 0.5", 0, ""),
        ("bound > 0.1", 2, "a figure must be one of error, nonreturn, cost"),
    ],
)
def test_gates_of_prices_hold_what_is_cheapest_where_the_answer_says(
    gate: str, code: int, said: str, save: Any
) -> None:
    path = save("b", operating("b", right=4, wrong=4, unanswered=2))
    words = ["choose", path, "--prices", "--fail-if", gate]
    got, out, error = run(*words)
    assert got == code
    assert said in error
    answer = "(r = 0.5), never answer and b are cheapest: 0.500 per item each"
    assert code == 2 or answer in " ".join(out.split())


def test_silence_is_drawn_in_a_colour_of_its_own() -> None:
    curves = [demur.error_return(operating("b", right=4, wrong=4, unanswered=2))]
    upper, lower = demur.plot_prices(curves)
    drawn = {line.get_ydata()[0]: line.get_color() for line in lower.lines}
    assert drawn[0.2] == upper.lines[0].get_color() != drawn[1]
    legend = upper.get_legend() or upper.figure.legends[0]
    assert "never answer" in [text.get_text() for text in legend.get_texts()]


def test_systems_on_different_items_are_not_compared_silently(save: Any) -> None:
    one = ranked(10, {0})
    other = ranked(8, {0}, item=[f"q{row + 7}" for row in range(8)], system="b")
    paths = [save("a", one), save("b", other)]
    said = "systems are judged on different items: 3 in common (a has 10, b has 8)"
    out = printed("choose", *paths, "--prices")
    assert f"note: {said}" in flat(out)
    shown = printed_json("choose", *paths, "--prices")
    assert any(note.startswith(said) for note in shown["notes"])
    same = save("c", ranked(10, {1}, system="c"))
    out = printed("choose", paths[0], same, "--prices")
    assert "different items" not in out
    assert demur.different_items(one) is None


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=30),
    st.sampled_from(["1", "0.5", "0.25", "2", "0.2"]),
)
def test_prices_and_choices_agree_at_every_price(
    rows: list[tuple[bool, int]], ratio: str
) -> None:
    # Of .01 / .01 rounding made 1.0000000000000009.
    outcomes = graded(*zip(*rows, strict=True))
    (price,) = [
        price
        for price in demur.price_list([demur.error_return(outcomes)])
        if price.low <= float(ratio) < price.high and price.choice != "own decisions"
    ] or [None]
    chosen = demur.choose(outcomes, cost_ratio=float(ratio))
    if price is not None:
        assert (price.cutoff, price.nonreturn) == (chosen.cutoff, chosen.nonreturn)


def test_a_price_is_exact() -> None:
    rows = [True] * 98 + [False] * 2
    found = prices_of(graded(rows, range(100, 0, -1)))
    assert [price.low for price in found] == [1, 0]
    # Where three systems meet in one point none has a range of its own.
    three = [
        operating(name, right=17, wrong=wrong, unanswered=13 - wrong)
        for name, wrong in [("a", 13), ("b", 11), ("c", 9)]
    ]
    found = prices_of(*three)
    assert [(price.system, price.low) for price in found] == [
        *(("a", 1), ("c", 9 / 26), (None, 0))
    ]
    weighted = graded([0, 1, 1], [1, 2, 3], weight=[0.1, 0.2, 1 / 3])
    assert [price.low for price in prices_of(weighted)] == [pytest.approx(1), 0]


def test_prices_are_judged_on_held_out_items(save: Any) -> None:
    rng = np.random.default_rng(1)
    systems = [
        graded(
            rng.random(200) < right,
            rng.random(200),
            system=name,
            item=[f"q{row}" for row in range(200)],
            cluster=[f"c{row // 2}" for row in range(200)],
        )
        for name, right in [("good", 0.9), ("equal", 0.9), ("bad", 0.4)]
    ]
    outcomes = stacked(systems)
    first, second = demur.halves(outcomes, share=0.4, seed=3)
    prices = demur.price_list(demur.curve_by(first), held_out=second)
    (usual,) = [price for price in prices if price.low <= 0.5 < price.high]
    part = second.select(system=usual.system)
    point = demur.error_return(part).at(cutoff=usual.cutoff)
    judged = usual.held_out
    assert (judged.nonreturn, judged.error) == (point.nonreturn, point.error)
    assert judged.price == 0.5
    assert judged.cost == point.error + 0.5 * point.nonreturn
    assert {usual.system, *judged.rivals} == {"good", "equal"}
    assert [figure.value for figure in prices.figures()][:3] == [
        *(judged.error, judged.nonreturn, judged.cost)
    ]
    assert prices.notes[0] == "judged on 120 held-out items"
    assert SAME_DATA not in prices.notes
    path = save("all", outcomes)
    words = ["choose", path, "--prices", "--split", "0.4", "--seed", "3"]
    shown = printed_json(*words)
    assert shown["prices"] == json.loads(json.dumps(prices.to_dict()["prices"]))
    assert "split:0.4|seed:3" in shown["signature"]
    text = flat(printed(*words))
    assert f"On held-out items {usual.system} at a cutoff of" in text
    assert f"Not dearer there beyond luck: {judged.rivals[0]}." in text
    assert shown["sentence"] == prices.sentence()
    halves = [save(name, part) for name, part in (("1", first), ("2", second))]
    other = printed_json("choose", halves[0], "--prices", "--held-out", halves[1])
    assert other["prices"] == shown["prices"]
    same = printed_json("choose", path, "--prices", "--held-out", path)
    assert same["notes"][0] == SAME_DATA


def test_costs_of_held_out_items_are_not_compared_where_they_cannot_be() -> None:
    curves = [demur.error_return(ranked(9, {1}, system=name)) for name in "ab"]
    few = stacked([ranked(3, {0}, system=name) for name in "ab"])
    prices = demur.price_list(curves, held_out=few)
    assert {price.held_out.rivals for price in prices} == {None}
    assert {price.rivals for price in prices} == {None}
    assert any("costs are not compared: too few items" in n for n in prices.notes)
    assert "beyond luck is not tested" in prices.sentence()
    apart = [ranked(9, {0}, system="a"), ranked(9, {0}, system="b", item=range(9))]
    other = demur.price_list(curves, held_out=stacked(apart))
    assert any("must have items in common" in note for note in other.notes)
    refuses("the system 'b'", demur.price_list, curves, held_out=ranked(9, {0}))
    alone = demur.price_list(curves[:1], held_out=ranked(50, set()))
    assert "All others are dearer there beyond luck." in alone.sentence()
    untested = demur.price_list(curves)
    assert untested.notes == (SAME_DATA, UNTESTED)


@needs_data
def test_which_assistant_at_which_price() -> None:
    # The table of docs/choosing.md.
    outcomes = demur.read_outcomes(f"{DATA}/czech_simpleqa/outcomes.csv.gz")
    found = demur.price_list(demur.curve_by(outcomes))
    assert [(p.system, p.choice, round(p.low, 2), round(p.high, 2)) for p in found] == [
        ("gpt-4o-mini-2024-07-18", "own decisions", 91.45, math.inf),
        ("gpt-4o-2024-11-20", "own decisions", 0.83, 91.45),
        ("claude-3-5-sonnet-20241022", "own decisions", 0.73, 0.83),
        ("claude-3-5-sonnet-20240620", "own decisions", 0.61, 0.73),
        (None, "never answer", 0, 0.61),
    ]
    page = Path(__file__).parents[2] / "docs" / "choosing.md"
    text = page.read_text("utf-8")
    for price in found:
        name = price.system or price.choice
        row = f"| {name} | {price.low:.2f} | {price.high:.2f} | "
        row += f"{price.nonreturn:.3f} | {price.error:.3f} |\n"
        assert row.replace("| inf |", "| |") in text
    assert demur.different_items(outcomes) is None


# -- plans -------------------------------------------------------------------------


def test_partial_credit_in_a_pilot_is_one_error() -> None:
    columns: dict[str, Any] = {"confidence": [1] * 100, "system": "a"}
    partial = graded([0.5] * 10 + [1] * 90, **columns)
    ungraded = by_outcome(["ungraded"] * 10 + ["right"] * 90, **columns)
    wrong = graded([0] * 10 + [1] * 90, **columns)
    plans = [
        demur.certificate_plan(max_error=0.2, pilot=each).by_nonreturn
        for each in (partial, ungraded, wrong)
    ]
    assert plans[0] == plans[1] == plans[2]
    assert plans[0][0][1] == 0.1
    assert plans[0][0][2] is not None
    high = demur.certificate_plan(max_error=0.08, pilot=partial)
    assert high.by_nonreturn[0][2] is None  # 10 % err, though 5 % of credit is lost


def test_what_a_pilot_must_be() -> None:
    weighted = ranked(4, {0}, weight=[1, 2, 3, 4])
    refuses("no weights", demur.certificate_plan, max_error=0.5, pilot=weighted)
    two = ranked(4, {0}, system=["a", "a", "b", "b"])
    refuses("of one system", demur.certificate_plan, max_error=0.5, pilot=two)
    for blank in (operating("b", right=2, wrong=1), operating("b", unanswered=2)):
        with pytest.raises(demur.UndefinedRate, match="b gives no confidences"):
            demur.certificate_plan(max_error=0.5, pilot=blank)
    grouped = demur.certificate_plan(
        max_error=0.5, pilot=ranked(4, {0}, cluster=["x", "x", "y", "y"])
    )
    assert any("taken as independent" in note for note in grouped.notes)
    alone = demur.certificate_plan(max_error=0.5, pilot=ranked(4, {0}))
    assert alone.notes == ()
    assert alone.by_nonreturn == grouped.by_nonreturn


def test_the_plan_of_a_pilot_on_the_command_line(save: Any) -> None:
    cluster = [f"c{row // 2}" for row in range(100)]
    path = save("a", ranked(100, {0}, cluster=cluster))
    own = save("b", operating("b", right=2, wrong=1))
    words = ["choose", "--plan", "--max-error", "0.05", "--certainty", "0.95"]
    code, out, err = run(*words, path, own)
    assert code == 0
    assert "share wrong" in out
    assert "note: clusters of the pilot are taken as independent items" in flat(out)
    assert err.startswith("demur: no plan: b gives no confidences")
    (pilot,) = printed_json(*words, path)["systems"]
    first = pilot["by_nonreturn"][0]
    assert first.pop("chance") == pytest.approx(0.8419, abs=1e-3)
    assert first == {"nonreturn": 0, "wrong": 0.01, "items": 234}
    assert "a chance of 0.9 or more" in flat(printed(*words, path, "--power", "0.9"))
    assert "|power:0.8" in pilot["signature"]
    assert "independent items" in pilot["notes"][0]


# -- groups ------------------------------------------------------------------------


def test_never_answers_not_even_what_is_infinitely_sure() -> None:
    outcomes = graded([1, 0, 1], [math.inf, math.inf, 0.5], groups={"g": ["x"] * 3})
    found = demur.declining_by(outcomes, "g", cutoff="never")
    assert found.overall.declined.amount == 3
    assert found.to_dict()["cutoff"] == "never"
    assert "cutoff:never" in found.signature
    assert (
        demur.declining_by(outcomes, "g", cutoff=math.inf).overall.declined.amount == 1
    )
    refuses("Did you mean 'never'", demur.declining_by, outcomes, "g", cutoff="nevr")


def test_groups_of_a_choice_of_silence(save: Any) -> None:
    outcomes = graded([0, 1], [math.inf, 0.5], groups={"g": ["x", "y"]}, system="a")
    words = ["choose", save("a", outcomes), "--max-error", "0", "--by", "g", "--json"]
    shown = printed_json(*words)
    assert shown["cutoff"] is None
    assert shown["declined"]["cutoff"] == "never"
    assert shown["declined"]["overall"]["declined"]["share"] == 1


# -- options and files -------------------------------------------------------------

PLAN = ["--plan", "--max-error", "0.1", "--certainty", "0.9"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--prices", "--certainty", "0.9"], "--prices must come alone"),
        (["--prices", "--of", "answered"], "got --of."),
        (["--balance", "--power", "0.5"], "--power must come with --plan"),
        ([*PLAN, "--power", "0.5", "NONE"], "--power must come with OUTCOMES"),
        (["--prices", "--lock", "x.json"], "got --lock."),
        (["--prices", "--by", "g", "--lock", "x.json"], "got --lock, --by."),
        (["--prices", "--seed", "1"], "--seed must come with --split"),
        ([*PLAN, "--split", "0.5"], "--plan must come alone"),
        ([*PLAN, "--held-out", "PATH"], "got --held-out."),
        ([*PLAN, "--lock", "x.json"], "got --lock."),
        ([*PLAN, "--by", "g"], "got --by."),
        ([*PLAN, "--where", "system=a", "NONE"], "got --where."),
        ([*PLAN, "--seed", "1"], "--seed must come with --split"),
        (["--balance", "--seed", "1"], "--seed must come with --split"),
        (["--balance", "--held-out", "PATH", "--seed", "0"], "must come with --split"),
    ],
)
def test_options_that_would_be_ignored_are_refused(
    words: list[str], message: str, save: Any
) -> None:
    path = save("a", ranked(2, {0}))
    given_ = [path if word == "PATH" else word for word in words if word != "NONE"]
    files = [] if "NONE" in words else [path]
    code, out, err = run("choose", *files, *given_)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("text", ["-1", "1.5", "x", ""])
def test_a_seed_is_a_whole_number(text: str) -> None:
    assert "must be a whole number from 0 upwards" in stderr_of(
        "choose", "x", "--balance", "--split", "0.5", "--seed", text, code=2
    )


def locks_of(n_systems: int, save: Any, tmp_path: Path) -> tuple[str, list[Any]]:
    """A file of locks for systems a, b, ... and its content."""
    paths = [
        save(name, ranked(200, {0, 1}, system=name)) for name in "abcdef"[:n_systems]
    ]
    target = tmp_path / "lock.json"
    printed("choose", *paths, "--max-error", "0.05", "--lock", target)
    return str(target), json.loads(target.read_text())["locks"]


HUGE = 10**400


def of_items(n_items: int) -> dict[str, Any]:
    """A lock's counts that fit together: one bin, everything declined."""
    counts = {"items": n_items, "declined": n_items, "wrong": 0, "no_guess": 0}
    return {**counts, "edges": [], "counts": [n_items]}


@pytest.mark.parametrize(
    "changes",
    [
        {"cutoff": HUGE},
        {"target": HUGE},
        {"certainty": HUGE},
        {"edges": [HUGE]},
        {"design_effects": [HUGE, 1]},
        {"design_effects": [1e300, 1]},
        of_items(2**53),
        of_items(HUGE),
    ],
)
def test_huge_numbers_in_a_lock_are_bad_input(
    changes: dict[str, Any], save: Any, tmp_path: Path
) -> None:
    path, (table,) = locks_of(1, save, tmp_path)
    Path(path).write_text(json.dumps({"locks": [table | changes]}))
    err = stderr_of("recheck", path, save("a", ranked(4, {0})))
    assert err.startswith(f"demur: {path}: ")
    assert err.count("\n") == 1


def test_deep_brackets_and_repeated_locks_are_bad_input(
    save: Any, tmp_path: Path
) -> None:
    path, (table,) = locks_of(1, save, tmp_path)
    new = save("a", ranked(4, {0}))
    Path(path).write_text("[" * 100_000)
    code, _, err = run("recheck", path, new)
    assert (code, "must be JSON" in err) == (4, True)
    Path(path).write_text(json.dumps({"locks": [table, table]}))
    err = stderr_of("recheck", path, new)
    assert "the locks must be one for each system; got 2 of 'a'" in err


# -- the gate of recheck -----------------------------------------------------------


def test_a_broken_target_fails_and_an_inconclusive_one_passes(
    save: Any, tmp_path: Path
) -> None:
    path, _ = locks_of(2, save, tmp_path)
    new = [f"new{row}" for row in range(400)]
    good = save("good", ranked(400, set(), item=new))
    near = save("near", ranked(400, set(range(380, 400)), system="b", item=new))
    gate = ["--fail-if", "broken"]
    code, out, err = run("recheck", path, good, near, *gate)
    assert code == 0
    assert err == "demur: b: inconclusive; the gate passes  [--fail-if broken]\n"
    bad = save("bad", ranked(400, set(range(200, 400)), system="b", item=new))
    code, out, err = run("recheck", path, good, bad, *gate)
    assert code == 1
    assert err.startswith("demur: gate broken: b: broken, error at least 0.45")
    assert "target 0.05" in err
    assert "a:" not in err
    code, _, err = run("recheck", path, good, bad)
    assert (code, err) == (0, "")
    assert out.startswith("Of 2 locked targets 1 is broken (b), 1 holds.\n")
    assert "2 targets are tested, each by itself" in out
    assert 'at least one is called "broken" is up to 0.1 ' in flat(out)
    (note,) = printed_json("recheck", path, good, bad)["notes"]
    assert note.startswith("2 targets are tested")
    assert printed_json("recheck", path, good)["notes"] == []


def test_a_gate_that_could_never_be_broken_is_refused(
    save: Any, tmp_path: Path
) -> None:
    path = save("a", ranked(40, {0, 1}))
    target = str(tmp_path / "lock.json")
    printed("choose", path, "--balance", "--lock", target)
    err = stderr_of("recheck", target, path, "--fail-if", "broken")
    assert "--fail-if broken must have locks with a target" in err


def test_the_certificate_over_clusters_is_broken_where_rare_long_ones_err() -> None:
    # What the note says: 3 % of clusters are of 20 items with 80 % wrong, others of 3
    # items with 2 %; a sample of 60 clusters may hold no long one.
    rng, runs, below = np.random.default_rng(2), 300, 0
    true = (0.03 * 20 * 0.8 + 0.97 * 3 * 0.02) / (0.03 * 20 + 0.97 * 3)
    for _ in range(runs):
        long = rng.random(60) < 0.03
        cluster = np.repeat(np.arange(60), np.where(long, 20, 3))
        wrong = rng.random(len(cluster)) < np.where(long, 0.8, 0.02)[cluster]
        every = np.ones(len(cluster), bool)
        sample = Sample(
            every, np.zeros(len(cluster)), wrong.astype(float), None, cluster
        )
        below += certificates.error_bound(sample, every, 0.95) < true
    assert 0.10 < below / runs < 0.22


def test_of_several_systems_one_is_selected():
    both = demur.Outcomes.from_arrays(
        item=["q", "q"], system=["a", "b"], correct=[1, 0], confidence=[0.5, 0.6]
    )
    refuses(r"choose: outcomes .*select\(system=", demur.choose, both, max_error=0.5)
