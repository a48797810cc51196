"""Two systems on the same items: joined by id, compared by the test, said in words."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import demur
from builders import (
    by_outcome,
    graded,
    printed,
    printed_json,
    refuses,
    run,
    stderr_of,
    write_records,
)
from demur.arrays import Sample
from demur.comparisons.own_decisions import own_difference
from demur.outcomes.parts import paired
from demur.results.gates import WorseGate, parse_gate
from demur.statistics.bands import paired_band


def system(name: str, seed: int, better: float = 0.0, n: int = 300) -> demur.Outcomes:
    """A system that is right more often the surer it is."""
    rng = np.random.default_rng(seed)
    confidence = rng.random(n)
    correct = rng.random(n) < 0.4 + 0.4 * confidence + better
    order = rng.permutation(n)
    return graded(
        correct[order],
        confidence[order],
        item=[f"q{row}" for row in order],
        system=name,
    )


# -- joining -----------------------------------------------------------------------


def test_rows_are_joined_by_id_never_by_position() -> None:
    a, b = system("a", 1), system("b", 2)
    (first, second), notes = paired([a, b])
    assert notes == ()
    assert first.item.tolist() == second.item.tolist() == sorted(a.item.tolist())
    shuffled = b.take(np.random.default_rng(3).permutation(len(b)))
    one, two = demur.compare(a, b), demur.compare(a, shuffled)
    assert one.difference == two.difference
    assert one.linear == two.linear


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("method", ["auto", "bootstrap", "permutation", "influence"])
def test_neither_the_order_of_rows_nor_of_systems_decides(
    method: str, *, clustered: bool
) -> None:
    rng = np.random.default_rng(7)
    cluster = [f"c{row % 24}" for row in range(90)] if clustered else None
    pair = [
        graded(
            rng.random(90) < right,
            rng.random(90),
            system=name,
            item=[f"q{row}" for row in range(90)],
            cluster=cluster,
        )
        for name, right in (("a", 0.6), ("b", 0.75))
    ]
    orders = rng.permutation(90), rng.permutation(90)
    moved = [each.take(order) for each, order in zip(pair, orders, strict=True)]
    first, again = (
        demur.compare(*pair, method=method),
        demur.compare(*moved, method=method),
    )
    assert first.difference == again.difference
    assert first.area == again.area
    back = demur.compare(moved[1], pair[0], method=method)
    for there, returned in (
        (first.difference, back.difference),
        (first.area, back.area),
    ):
        assert there.value == pytest.approx(-returned.value, abs=1e-15)
        assert there.p_value == pytest.approx(returned.p_value, rel=1e-9)
        if there.low is not None:
            assert there.low == pytest.approx(-returned.high, abs=1e-12)
            assert there.high == pytest.approx(-returned.low, abs=1e-12)
    one, other = (
        demur.interval(each, "error", at=0.2, method="bootstrap")
        for each in (pair[0], moved[0])
    )
    assert (one.low, one.high) == (
        pytest.approx(other.low, abs=1e-12),
        pytest.approx(other.high, abs=1e-12),
    )


def test_draws_that_may_turn_the_verdict_are_said() -> None:
    rng = np.random.default_rng(3)
    pair = [
        graded(rng.random(200) < right, rng.random(200), system=name, item=range(200))
        for name, right in (("a", 0.6), ("b", 0.72))
    ]
    by_draws = demur.compare(*pair, method="bootstrap").difference
    assert by_draws.p_error == pytest.approx(
        2 * np.sqrt(by_draws.p_value / 2 * (1 - by_draws.p_value / 2) / 2000), rel=1e-3
    )
    assert demur.compare(*pair).difference.p_error is None
    # The level is put where p stands, so that the draws might turn it.
    close = demur.compare(*pair, method="bootstrap", level=1 - by_draws.p_value)
    assert close.difference.drawn_closely
    assert any("by the draws, which another seed may turn at" in n for n in close.notes)


def test_whole_number_ids_meet_their_texts() -> None:
    a = graded([1, 0], item=[1, 2])
    b = graded([1, 0], item=["2", "1"])
    (_, second), _ = paired([a, b])
    assert second.item.tolist() == ["1", "2"]


@pytest.mark.parametrize(
    ("b", "message"),
    [
        ({"item": ["x", "y"]}, "have items in common; got none: a has items such as"),
        ({"item": ["q", "y"]}, "the same items; got 1 items only of"),
        ({"item": ["q", "r"], "weight": [1, 2]}, "weight must be the same"),
        ({"item": ["q", "r"], "cluster": ["c", "d"]}, "cluster must be the same"),
        (
            {"item": ["q", "r"], "answerable": [True, False]},
            "answerable must be",
        ),
    ],
)
def test_what_does_not_fit_is_refused(b: dict[str, Any], message: str) -> None:
    one = graded([1, 0], item=["q", "r"], system="a")
    other = graded([1, 0], system="b", **b)
    refuses(message, demur.compare, one, other)


def test_common_items_are_counted() -> None:
    a = graded([1, 0, 1], item=["q", "r", "s"], system="a")
    b = graded([1, 1, 0], item=["s", "q", "t"], system="b")
    (first, second), notes = paired([a, b], items="common")
    assert first.item.tolist() == second.item.tolist() == ["q", "s"]
    assert notes == ("2 common items; left out: 1 of a, 1 of b",)


# -- the verb ----------------------------------------------------------------------


def test_difference_is_b_less_a_and_swaps_its_sign() -> None:
    a, b = system("a", 1), system("b", 2, better=0.15)
    one, two = demur.compare(a, b), demur.compare(b, a)
    assert one.difference is not None
    assert two.difference is not None
    assert one.error_a is not None
    assert one.error_b is not None
    assert one.difference.value == pytest.approx(one.error_b - one.error_a)
    assert one.difference.value == pytest.approx(-two.difference.value)
    assert one.error_a == demur.error_return(a).at(nonreturn=0.2).error
    assert (one.better, two.better) == ("b", "a")


def test_g20_in_both_readings() -> None:
    a = graded(
        [0, 0, 1, 0, 1, 1, 1, 1, 1, 1],
        [0.1, 0.1, 0.1, 0.1, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9],
    )
    b = graded(
        [1, 1, 1, 0, 1, 1, 1, 1, 1, 1],
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9],
    )
    found = demur.compare(a, b)
    assert found.linear is not None
    assert found.step is not None
    (crossing,) = found.linear.crossings
    assert (crossing.nonreturn, crossing.error) == pytest.approx((4 / 15, 0.1))
    better = [region.better for region in found.linear.regions]
    assert better == ["b", "a", None]
    assert found.linear.dominates is None
    assert found.step.dominates == "b"


def test_a_system_against_itself_is_no_better() -> None:
    found = demur.compare(system("a", 1), system("b", 1))
    assert found.difference is not None
    assert (found.difference.value, found.better) == (0, None)
    assert found.linear is not None
    assert found.linear.identical


def test_systems_without_confidences_are_compared_where_they_stand() -> None:
    a = graded([1, 0], item=["q", "r"], system="a")
    b = graded([1, None], item=["q", "r"], system="b")
    found = demur.compare(a, b)
    assert (found.difference, found.linear, found.error_a) == (None, None, None)
    assert found.points.dominates is None
    assert found.points.change == 1
    assert any("no confidences" in note for note in found.notes)
    shown = found.to_dict()
    assert json.loads(json.dumps(shown, allow_nan=False))["p_value"] is None


def test_left_of_a_start_there_is_no_test() -> None:
    a = graded([None, 1, 0], [None, 1, 2], item=["q", "r", "s"], system="a")
    b = graded([1, 1, 0], [3, 1, 2], item=["q", "r", "s"], system="b")
    found = demur.compare(a, b, at=0.1)
    assert found.difference is None
    assert any("begins at nonreturn 0.333333" in note for note in found.notes)


@pytest.mark.parametrize("correct", [[1], [0], [1, 1], [0, 0]])
def test_tiny_and_uniform_data_give_defined_results(correct: list[int]) -> None:
    table = {"correct": correct, "confidence": [0.5] * len(correct)}
    found = demur.compare(
        demur.Outcomes.from_arrays(system="a", **table),
        demur.Outcomes.from_arrays(system="b", **table),
    )
    text = json.dumps(found.to_dict(), allow_nan=False)
    assert json.loads(text)["better"] is None


def test_many_systems_are_corrected_for() -> None:
    tables = [system(name, seed) for name, seed in zip("abcd", range(4), strict=True)]
    tables.append(system("e", 9, better=0.25))
    pairs = demur.compare_all(tables)
    assert len(pairs) == 10
    assert all(pair.adjusted_p >= pair.difference.p_value for pair in pairs)
    worst = [pair for pair in pairs if "e" in (pair.a, pair.b)]
    assert all(pair.adjusted_p < 0.05 for pair in worst)


def test_nonreturns_at_an_error() -> None:
    a, b = system("a", 1), system("b", 2, better=0.2)
    found = demur.compare(a, b, at_error=0.1)
    assert found.nonreturn_a == demur.error_return(a).at(error=0.1).nonreturn
    assert found.nonreturn_b == demur.error_return(b).at(error=0.1).nonreturn
    assert found.nonreturn is not None
    assert found.nonreturn.value == pytest.approx(found.nonreturn_b - found.nonreturn_a)
    assert found.nonreturn.p_value < 0.01
    assert found.to_dict()["nonreturn"]["quantity"] == "nonreturn"
    assert demur.compare(a, b).to_dict()["nonreturn"] is None


@pytest.mark.parametrize(
    ("quantity", "at"), [("error", 0.3), ("nonreturn", 0.1), ("area", None)]
)
def test_many_systems_by_any_number(quantity: str, at: float | None) -> None:
    tables = [system(name, seed) for name, seed in zip("abc", range(3), strict=True)]
    pairs = demur.compare_all(tables, quantity=quantity, at=at, method="influence")
    alone = demur.compare(
        tables[0],
        tables[2],
        at=at if quantity == "error" else 0.2,
        at_error=at if quantity == "nonreturn" else None,
        method="influence",
    )
    wanted = {"error": alone.difference, "nonreturn": alone.nonreturn}
    one = wanted.get(quantity, alone.area)
    assert one is not None
    other = pairs[1].difference
    assert (other.quantity, other.at) == (one.quantity, one.at)
    for name in ("value", "low", "high", "p_value"):
        assert getattr(other, name) == pytest.approx(getattr(one, name))


# -- the command line --------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / "a.jsonl", tmp_path / "b.csv"]
    demur.write_outcomes(system("a", 1), paths[0])
    demur.write_outcomes(system("b", 2, better=0.2), paths[1])
    return [str(path) for path in paths]


def test_json_holds_the_keys_that_scripts_rely_on(files: list[str]) -> None:
    shown = printed_json("compare", *files)
    assert {
        *("a", "b", "at", "error_a", "error_b", "difference", "interval", "level"),
        *("p_value", "dominates", "crossings", "regions", "signature"),
    } <= shown.keys()
    assert (shown["a"], shown["b"], shown["at"]) == ("a", "b", 0.2)
    assert shown["interval"][0] < shown["difference"] < shown["interval"][1]
    assert shown["regions"][0]["from"] == 0
    assert shown["regions"][-1]["to"] == 1


@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        ("a worse than b @0.2", 1, "gate broken"),
        ("b worse than a @0.2", 0, "gate holds"),
        ("b worse than a @0.99", 0, "inconclusive"),
    ],
)
def test_gates_use_the_test(files: list[str], gate: str, code: int, said: str) -> None:
    assert said in stderr_of("compare", *files, "--fail-if", gate, code=code)


def test_plan_says_how_many_items(files: list[str]) -> None:
    needed = []
    for difference in ("0.1", "0.05"):
        line = " ".join(printed("compare", *files, "--plan", difference).split())
        assert f"To show a difference of {difference} at nonreturn 0.2" in line
        needed.append(int(line.split("about ")[1].split()[0]))
    # Half the difference takes four times the items.
    assert needed[1] == pytest.approx(4 * needed[0], rel=0.02)


def test_band_and_plan_in_json(files: list[str]) -> None:
    words = ["--band", "--plan", "0.1", "--at-error", "0.1", "--level", "0.9"]
    shown = printed_json("compare", *files, *words)
    parts = [demur.read_outcomes(path) for path in files]
    assert shown["band"] == demur.difference_band(*parts, level=0.9).to_dict()
    assert shown["plan"]["difference"] == 0.1
    assert shown["level"] == shown["nonreturn"]["level"] == 0.9


def test_all_pairs_of_many_systems(files: list[str], tmp_path: Path) -> None:
    demur.write_outcomes(system("c", 3), tmp_path / "c.jsonl")
    many = [*files, str(tmp_path / "c.jsonl")]
    shown = printed_json("compare", *many, "--at-error", "0.1")
    for name in ("error", "area", "nonreturn"):
        pairs = [p for p in shown["pairs"] if p["quantity"] == name]
        assert [(p["a"], p["b"]) for p in pairs] == [
            *(("a", "b"), ("a", "c"), ("b", "c"))
        ]
    out = printed("compare", *many)
    assert "Difference of error at nonreturn 0.2" in out
    assert "Difference of area" in out
    shown = printed_json("compare", *many, "--against", "b")
    pairs = [p for p in shown["pairs"] if p["quantity"] == "error"]
    assert [(p["a"], p["b"]) for p in pairs] == [("b", "a"), ("b", "c")]
    err = stderr_of("compare", *many, "--against", "d")
    assert "against must be one of a, b, c" in err
    err = stderr_of("compare", *files, "--against", "a", code=2)
    assert "--against must come with more than two" in err
    err = stderr_of("compare", *many, "--plot", "x.png", code=2)
    assert "--plot must come with two systems; got 3" in err


def test_a_gate_on_an_unknown_system_is_an_error(files: list[str]) -> None:
    err = stderr_of("compare", *files, "--fail-if", "c worse than a")
    assert "must be one of a, b" in err
    with pytest.raises(demur.ParseError, match="b worse than a"):
        parse_gate("b is worse")


def test_report_names_the_systems(files: list[str]) -> None:
    out = printed("compare", *files)
    assert "\nb less a (by influence)\n" in out
    assert "\nerror at nonreturn 0.2     -0." in out
    assert "\nlinear " in out
    assert "\nCheaper by the price of a non-return" in out
    assert "must hold two systems" in stderr_of("compare", files[0])
    again = Path(files[0]).with_name("again.jsonl")
    again.write_bytes(Path(files[0]).read_bytes())
    assert "\na, again less a, a (" in printed("compare", files[0], str(again))
    err = stderr_of("compare", files[0], files[0])
    assert "must differ in name; got 'a'" in err


# -- ungraded answers ------------------------------------------------------------------


def half_graded(name: str, outcomes: list[str]) -> demur.Outcomes:
    confidence = np.arange(len(outcomes), 0, -1)
    return by_outcome(outcomes, confidence, system=name)


GRADED = half_graded("a", (["right"] * 4 + ["wrong"]) * 40)
OPEN = half_graded("b", (["right"] * 3 + ["ungraded"] * 2) * 40)


def test_ungraded_answers_give_bounds_and_no_verdict() -> None:
    found = demur.compare(GRADED, OPEN, at=0.2)
    assert found.difference is not None
    assert found.error_a is not None
    assert found.error_b is not None
    assert found.difference.value == pytest.approx(found.error_b - found.error_a)
    curves = [demur.error_return(each) for each in (GRADED, OPEN)]
    low, high = curves[1].at(nonreturn=0.2).bounds
    assert found.bounds_b == (low, high)
    least, most = found.bounds["error"]
    assert least.value == pytest.approx(low - found.error_a)
    assert most.value == pytest.approx(high - found.error_a)
    assert least.p_value < 0.05
    assert most.p_value < 0.05
    assert found.better is None
    assert any("ungraded answers (0 and 80)" in note for note in found.notes)
    assert {"error", "area"} == found.bounds.keys()
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_verdict_that_holds_whatever_they_are() -> None:
    worse = half_graded("c", (["wrong"] * 4 + ["ungraded"]) * 40)
    assert demur.compare(worse, GRADED, at=0.2).better == "b"


def test_a_band_holds_the_difference_whatever_they_are() -> None:
    band = demur.difference_band(GRADED, OPEN)
    assert band.surely() == []
    lines = demur.compare(GRADED, OPEN).linear
    assert lines is not None
    for wrong in (False, True):
        outcome = ["wrong" if wrong else "right"] * 2
        known = half_graded("b", (["right"] * 3 + outcome) * 40)
        one = demur.difference_band(GRADED, known)
        assert (band.low <= one.low + 1e-12).all()
        assert (band.high >= one.high - 1e-12).all()


# -- own decisions ---------------------------------------------------------------------


def decided(name: str, seed: int, right: float, answered: float) -> demur.Outcomes:
    """A system without confidences."""
    rng = np.random.default_rng(seed)
    outcome = np.where(rng.random(200) < right, "right", "wrong").astype(object)
    outcome[rng.random(200) > answered] = "unanswered"
    items = [f"q{row}" for row in range(200)]
    return by_outcome(outcome, item=items, system=name)


def test_own_decisions_are_tested_too() -> None:
    a, b = decided("a", 1, 0.5, 0.9), decided("b", 2, 0.8, 0.9)
    found = demur.compare(a, b)
    error, nonreturn = found.own
    assert error.value == pytest.approx(found.point_b.error - found.point_a.error)
    assert nonreturn.value == pytest.approx(
        found.point_b.nonreturn - found.point_a.nonreturn
    )
    only = [
        np.count_nonzero((one.outcome == 1) & (other.outcome != 1))
        for one, other in ((a, b), (b, a))
    ]
    assert error.p_value == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue)
    assert error.p_value < 0.001 < 0.05 < nonreturn.p_value
    assert error.low < error.value < error.high < 0
    assert demur.compare(system("a", 1), system("b", 2)).own == ()


def test_own_decisions_by_cluster_are_flipped_together() -> None:
    rng = np.random.default_rng(0)
    wrong = np.repeat(rng.random((2, 20)) < np.array([[0.6], [0.2]]), 5, axis=1)
    tables = [
        graded(~each, system=name, cluster=[f"c{row // 5}" for row in range(100)])
        for name, each in zip("ab", wrong, strict=True)
    ]
    alone = [
        graded(~each[::5], system=name) for name, each in zip("ab", wrong, strict=True)
    ]
    both, one_each = demur.compare(*tables), demur.compare(*alone)
    assert "test:sign flips|replicates:2000|seed:0|clusters:20" in both.signature
    assert "test:McNemar, exact" in one_each.signature
    clustered, single = both.own[0], one_each.own[0]
    assert clustered.method == "sign flips"
    assert clustered.n_clusters == 20
    assert clustered.value == pytest.approx(single.value)
    # What is known of clusters of copies is hardly less than of as many items.
    ends = clustered.low, clustered.high
    assert ends == pytest.approx((single.low, single.high), abs=0.01)
    assert clustered.p_value == pytest.approx(single.p_value, abs=0.05)


def test_many_systems_with_and_without_curves(tmp_path: Path) -> None:
    tables = [system("a", 1, n=200), system("b", 2, n=200), decided("c", 3, 0.8, 0.7)]
    paths = []
    for table in tables:
        paths.append(str(tmp_path / f"{table.systems[0]}.jsonl"))
        demur.write_outcomes(table, paths[-1])
    shown = printed_json("compare", *paths)
    by_number: dict[str, list[tuple[str, str]]] = {}
    for p in shown["pairs"]:
        by_number.setdefault(p["quantity"], []).append((p["a"], p["b"]))
    assert by_number["error"] == [("a", "b")]
    assert len(by_number["own error"]) == len(by_number["own nonreturn"]) == 3
    assert any("only their own decisions are compared: c" in n for n in shown["notes"])
    assert "Difference of own nonreturn" in printed("compare", *paths)


def test_nonreturns_that_are_all_zero_are_said_in_one_line(tmp_path: Path) -> None:
    correct = {"a": [1, 1, 0, 1, 1], "b": [0, 1, 0, 1, 1], "c": [0, 0, 0, 1, 1]}
    paths = []
    for name, each in correct.items():
        paths.append(str(tmp_path / f"{name}.jsonl"))
        table = graded(np.array(each, bool), system=name)
        demur.write_outcomes(table, paths[-1])
    shown = printed("compare", *paths)
    assert shown.count("Difference of own") == 1
    assert "note: no system declines anything, so own nonreturns are all 0" in shown
    pairs = printed_json("compare", *paths)["pairs"]
    assert sum(p["quantity"] == "own nonreturn" for p in pairs) == 3


def test_systems_of_one_name_are_refused() -> None:
    with pytest.raises(demur.InputError, match="differ in name; got 'a'"):
        demur.compare_all([system("a", 1), system("a", 2), system("b", 3)])


# -- gates and plans -------------------------------------------------------------------


def test_a_difference_that_luck_can_explain_breaks_no_gate(tmp_path: Path) -> None:
    a, b = system("a", 4), system("b", 5, better=0.03)
    found = demur.compare(a, b)
    assert found.difference is not None
    assert found.difference.value != 0
    assert found.difference.p_value > 0.05
    assert found.better is None
    worse, better = ("a", "b") if found.difference.value < 0 else ("b", "a")
    paths = [str(tmp_path / f"{name}.jsonl") for name in "ab"]
    for table, path in zip((a, b), paths, strict=True):
        demur.write_outcomes(table, path)
    gate = f"{worse} worse than {better} @0.2"
    assert "inconclusive" in stderr_of("compare", *paths, "--fail-if", gate, code=0)


def test_a_gate_needs_two_systems() -> None:
    with pytest.raises(demur.ParseError, match="compare two systems"):
        parse_gate("b worse than b")


def test_a_plan_keeps_the_level_and_never_stops_the_report(
    tmp_path: Path, files: list[str]
) -> None:
    needed = []
    for level in ("0.95", "0.99"):
        out = " ".join(
            printed("compare", *files, "--plan", "0.1", "--level", level).split()
        )
        assert f"by a test at {5 if level == '0.95' else 1} %" in out
        needed.append(int(out.split("about ")[1].split()[0]))
    assert needed[1] > 1.3 * needed[0]
    lone = tmp_path / "c.jsonl"
    demur.write_outcomes(
        graded([1] * 300, system="c", item=[f"q{row}" for row in range(300)]),
        lone,
    )
    out = printed("compare", files[0], lone, "--plan", "0.1")
    assert "note: no plan: plan: c has no curve at" in out


def test_nameless_systems_are_called_as_their_files(tmp_path: Path) -> None:
    paths = [str(tmp_path / "named.jsonl"), str(tmp_path / "nameless.jsonl")]
    demur.write_outcomes(system("a", 1), paths[0])
    demur.write_outcomes(system("", 2), paths[1])
    shown = printed_json("compare", *paths)
    assert (shown["a"], shown["b"]) == ("a", "nameless")


@pytest.mark.parametrize("words", [["--seed", "-1"], ["--level", "2"]])
def test_options_out_of_range_are_wrong_usage(
    words: list[str], files: list[str]
) -> None:
    assert "must be" in stderr_of("compare", *files, *words, code=2)


def test_levels_need_replicates_only_where_there_are_some(files: list[str]) -> None:
    words = ["compare", *files, "--method", "influence", "--level", "0.9999"]
    printed(*words)
    words[4] = "bootstrap"
    stderr_of(*words)


def test_own_decisions_have_bounds_too() -> None:
    items = [f"q{row}" for row in range(20)]
    a = by_outcome(["right"] * 10 + ["wrong"] * 10, item=items, system="a")
    b = by_outcome(["ungraded"] * 20, item=items, system="b")
    found = demur.compare(a, b)
    assert [each.value for each in found.own] == [-0.5, 0.0]
    least, most = found.bounds["own error"]
    assert (least.value, most.value) == (-0.5, 0.5)


def test_an_error_of_0_is_an_error_too() -> None:
    found = demur.compare(system("a", 1), system("b", 2), at_error=0)
    assert found.nonreturn is not None
    assert found.nonreturn_a is not None


@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=5, max_size=40),
    st.sampled_from([0, 5, 7]),
)
def test_intervals_and_tests_of_own_decisions_agree(
    right: list[tuple[bool, bool]], clusters: int
) -> None:
    named = [f"c{row % clusters}" for row in range(len(right))] if clusters else None
    a, b = (graded(list(each), cluster=named) for each in zip(*right, strict=True))
    found = own_difference(a, b)
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert (found.low <= 0 <= found.high) or found.p_value <= 0.05
    assert found.p_value > 0.05 or found.low >= 0 or found.high <= 0


def test_own_decisions_of_other_items_are_refused() -> None:
    a, b = decided("a", 1, 0.5, 0.9), decided("b", 2, 0.8, 0.9)
    refuses("of the same items", own_difference, a, b.take(np.arange(5)))
    few = own_difference(a.take(np.arange(8)), b.take(np.arange(8)))
    assert few.low >= -1
    assert few.high <= 1


def test_few_clusters_are_flipped_in_all_ways() -> None:
    cluster = [f"c{row // 5}" for row in range(40)]
    tables = [
        graded([row % 5 > wrong for row in range(40)], system=name, cluster=cluster)
        for name, wrong in (("a", 2), ("b", 1))
    ]
    found = own_difference(*tables)
    assert (found.method, found.replicates) == ("sign flips, exact", None)
    assert found.p_value == 2 / 2**8


# -- parts of the area, the whole curve, and margins -----------------------------------


def test_a_part_of_the_area_is_the_difference_of_two_areas() -> None:
    a, b = system("a", 1), system("b", 2, better=0.1)
    found = demur.compare(a, b, area=(0.1, 0.4)).area
    curves = [demur.error_return(each) for each in (a, b)]
    grid = np.linspace(0.1, 0.4, 30_001)
    areas = [np.trapezoid([c.at(nonreturn=round(x, 6)).error for x in grid[::100]],
                          grid[::100]) for c in curves]  # fmt: skip
    assert found.value == pytest.approx(areas[1] - areas[0], abs=1e-5)
    assert found.what == "area from nonreturn 0.1 to 0.4"
    assert found.low < found.value < found.high
    by_draws = demur.compare(a, b, area=(0.1, 0.4), method="bootstrap").area
    assert by_draws.high - by_draws.low == pytest.approx(
        found.high - found.low, rel=0.15
    )
    one = demur.interval(a, "area", between=(0.1, 0.4))
    assert one.value == pytest.approx(areas[0], abs=1e-5)
    parts = [demur.interval(a, "area", between=each).value for each in
             ((0.0, 0.3), (0.3, 1.0))]  # fmt: skip
    assert sum(parts) == pytest.approx(demur.interval(a, "area").value)
    for wrong in ((0.4, 0.1), (0.2, 0.2), (-0.1, 0.5)):
        with pytest.raises(demur.InputError):
            demur.compare(a, b, area=wrong)
    late = graded([None] * 30 + [1] * 70, range(100))
    with pytest.raises(demur.UndefinedRate, match=r"curve starts at nonreturn 0.3"):
        demur.interval(late, "area", between=(0.1, 0.4))


def test_the_whole_curve_has_one_p_value() -> None:
    a, b = system("a", 1), system("b", 2, better=0.2)
    assert demur.difference_band(a, b).p_value < 0.001
    same = demur.difference_band(a, a)
    assert same.p_value == 1
    assert demur.difference_band(a, b, simultaneous=False).p_value is None
    # Where the band leaves 0 out, the test rejects.
    for seed in range(12):
        band = demur.difference_band(a, system("b", 50 + seed, better=0.05))
        assert not band.surely() or band.p_value <= 0.05


def test_the_whole_curve_test_keeps_its_level() -> None:
    rng = np.random.default_rng(1)
    rejected = 0
    for _ in range(120):
        a, b = (
            Sample(np.ones(150, bool), rng.random(150), 1.0 * (rng.random(150) < 0.3))
            for _ in range(2)
        )
        rejected += paired_band(a, b, grid=np.arange(0, 1, 0.1)).p_value <= 0.05
    assert rejected <= 0.11 * 120


def test_of_many_items_not_worse_by_a_margin_is_shown_by_the_interval() -> None:
    a, b = system("a", 1, n=2000), system("b", 2, better=0.02, n=2000)
    found = demur.compare(a, b, margin=0.05)
    low, high = found.range_of()
    assert found.not_worse(0.05) == (-low < 0.05, high < 0.05)
    assert found.not_worse(high + 1e-9)[1]
    assert not found.not_worse(high - 1e-9)[1]
    assert found.to_dict()["not_worse"] == {"a": -low < 0.05, "b": high < 0.05}
    assert "By the margin of 0.05, a is" in found.sentence()
    for wrong in (0, -0.1, 2):
        refuses("margin", found.not_worse, wrong)
    few = demur.compare(system("a", 1, n=40), system("b", 2, n=40))
    assert few.not_worse(0.02) == (False, False)
    none = demur.compare(a, b, method="permutation")
    assert none.range_of() is None
    # The score interval says it whatever the method of the test.
    assert none.not_worse(0.05) == found.not_worse(0.05)


def test_what_is_worse_by_the_margin_is_let_through_as_rarely_as_promised() -> None:
    """Two errors of 100 where the old system has none: 5 % more do as well in 12 %."""
    old, new = (
        demur.Outcomes.from_arrays(
            system=name, correct=[k >= wrong for k in range(100)], confidence=range(100)
        )
        for name, wrong in (("old", 0), ("new", 2))
    )
    found = demur.compare(old, new, at=0.0, margin=0.05)
    assert found.difference.score.discordant == (0, 2)
    assert found.not_worse(0.05) == (True, False)
    assert found.not_worse(0.08) == (True, True)
    assert found.range_of()[1] > 0.05
    gate = WorseGate("", worse="new", better="old", at=0, margin=0.05)
    assert found.claim(gate)[0] == "gate broken"


def test_claims_are_gates_that_fail_unless_they_are_shown(tmp_path: Path) -> None:
    paths = []
    for name, better in (("a", 0.0), ("b", 0.05)):
        paths.append(str(tmp_path / f"{name}.jsonl"))
        demur.write_outcomes(system(name, 4 + len(paths), better, n=1500), paths[-1])
    for text, code in (
        ("b not worse than a by 0.02 @0.2", 0),
        ("a not worse than b by 0.005", 1),
        ("b not worse than a by 0.000001", None),
    ):
        got, _, err = run("compare", *paths, "--fail-if", text)
        if code is not None:
            assert got == code
        word = "gate holds" if got == 0 else "gate broken"
        assert f"demur: {word}: {text[0]} less " in err
        assert " at nonreturn 0.2: difference between " in err
        assert err.endswith(f"  [--fail-if {text!r}]\n")
    command = ["compare", *paths, "--method", "permutation", "--fail-if"]
    stderr_of(*command, "b not worse than a by 0.02", code=2)
    for wrong in (
        "b not worse than a",
        "b worse than a by 0.1",
        "b not worse than a by 0",
    ):
        with pytest.raises(demur.ParseError):
            parse_gate(wrong)


def test_the_verdict_comes_first() -> None:
    a, b = system("a", 1), system("b", 2, better=0.2)
    first = demur.compare(a, b)
    text = first.sentence()
    assert " ".join(str(first).split()).startswith(text)
    assert text.startswith("b errs less than a at nonreturn 0.2, ")
    assert text.endswith("beyond luck (p < 0.001).")
    same = demur.compare(a, system("c", 1)).sentence()
    assert same.startswith("a and c have the same error at nonreturn 0.2")
    near = demur.compare(a, system("b", 1, better=0.01)).sentence()
    assert "but luck may explain that" in near


def test_files_without_a_system_are_named_by_themselves(tmp_path: Path) -> None:
    paths = []
    for name in ("first", "second"):
        paths.append(str(tmp_path / f"{name}.jsonl"))
        lines = [
            {"item": f"q{row}", "correct": (row * len(name)) % 7 > 2, "confidence": row}
            for row in range(40)
        ]
        write_records(Path(paths[-1]), lines)
    assert printed("compare", *paths).splitlines()[0].startswith(("first", "second"))
    found = printed_json("curve", *paths, "--points", "none")
    assert [each["system"] for each in found["systems"]] == ["first", "second"]
    assert demur.read_outcomes(*paths).systems == ("first", "second")
    # Parts of one system, which share no item, stay one.
    other = tmp_path / "more.jsonl"
    other.write_text('{"item": "z", "correct": true, "confidence": 1}\n')
    assert demur.read_outcomes(paths[0], str(other)).systems == ("",)


def test_wrong_types_are_told_what_is_right() -> None:
    outcomes = system("a", 1)
    curve = demur.error_return(outcomes)
    for verb, values, message in [
        (
            demur.compare,
            (curve, curve),
            "compare: the outcomes must be an Outcomes table",
        ),
        (demur.choose, (curve,), "Give the outcomes that the curve was made of"),
        (demur.error_return, ("x.jsonl",), r"demur.read_outcomes\(path\) reads files"),
        (
            demur.error_return,
            (outcomes.to_frame(),),
            r"Outcomes.from_frame\(df\) makes one",
        ),
        (demur.interval, ([1, 2],), "interval: the outcomes must be an Outcomes"),
        (curve.at, (0.2,), "the rate must be named: nonreturn=0.2"),
    ]:
        refuses(message, verb, *values)


@pytest.mark.parametrize(
    ("at", "n", "clusters", "said"),
    [
        (0.95, 40, None, "at nonreturn 0.95 only 2 answers of a are left"),
        (0.98, 40, None, "at nonreturn 0.98 only 1 answer of a is left"),
        (0.8, 100, 20, "at nonreturn 0.8 only 20 answers of a of 4 clusters are left"),
        (0.7, 40, None, None),
        (0.2, 8, None, None),  # all are few
    ],
)
def test_few_answers_that_are_left_are_said(
    at: float, n: int, clusters: int | None, said: str | None
) -> None:
    cluster = None if clusters is None else np.arange(n) * clusters // n
    a, b = (
        graded(np.arange(n) % 3 > 0, np.arange(n), system=name, cluster=cluster)
        for name in "ab"
    )
    notes = [note for note in demur.compare(a, b, at=at).notes if "left" in note]
    assert [note.partition(":")[0] for note in notes] == (
        [] if said is None else [said, said.replace(" of a ", " of b ")]
    )
