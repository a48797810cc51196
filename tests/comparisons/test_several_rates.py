"""Errors at several rates at once: one family of tests, whatever the data."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from builders import by_outcome, graded, printed, printed_json, refuses, run, stderr_of
from demur.comparisons.pairs import worst_p
from demur.results.gates import parse_gate

RATES = [0.1, 0.2, 0.4]


ITEM = [f"q{row}" for row in range(300)]


def answers(seed: int, better: float = 0.0) -> tuple[Any, Any]:
    """Which of 300 answers are right, more of the surer, and confidences."""
    rng = np.random.default_rng(seed)
    confidence = rng.random(300)
    return rng.random(300) < 0.4 + 0.4 * confidence + better, confidence


def system(name: str, seed: int, better: float = 0.0) -> demur.Outcomes:
    return graded(*answers(seed, better), item=ITEM, system=name)


A, B, C = system("a", 1), system("b", 2, 0.2), system("c", 3, 0.05)


def silent(name: str, seed: int) -> demur.Outcomes:
    """One that does not answer where it is least sure, on 15 % of items."""
    correct, confidence = answers(seed)
    given = correct.astype(object)
    given[np.argsort(confidence)[:45]] = None
    return graded(given, confidence, item=ITEM, system=name)


SILENT = silent("a", 1)
"""Its curve begins at .15, so that nothing can be tested at .1."""


def p_values(found: Any) -> list[float]:
    return [one.difference.p_value for one in found.rates]


def adjusted(found: Any) -> list[float]:
    return [one.difference.adjusted_p for one in found.rates]


# -- two systems -------------------------------------------------------------------


def test_one_rate_in_a_list_is_one_rate() -> None:
    one, listed = demur.compare(A, B, at=0.2), demur.compare(A, B, at=[0.2])
    assert str(one) == str(listed)
    assert one.to_dict() == listed.to_dict()
    assert one.difference.adjusted_p is None
    assert "adjusted_p" not in json.dumps(one.to_dict())


@pytest.mark.parametrize(
    ("correction", "adjust"),
    [
        ("holm", demur.holm),
        ("bonferroni", lambda p: np.minimum(3 * p, 1.0)),
        ("none", lambda p: p),
    ],
)
def test_each_rate_has_its_own_p_and_that_of_all(correction: str, adjust: Any) -> None:
    found = demur.compare(A, B, at=RATES, correction=correction)
    alone = [demur.compare(A, B, at=rate) for rate in RATES]
    assert [one.at for one in found.rates] == RATES
    assert p_values(found) == [one.difference.p_value for one in alone]
    assert adjusted(found) == pytest.approx(list(adjust(np.array(p_values(found)))))
    assert [one.better for one in found.rates] == [
        "b" if p <= 0.05 else None for p in adjusted(found)
    ]
    assert found.better == found.rates[0].better
    assert f"correction:{correction}" in found.signature
    assert found.difference.interval == alone[0].difference.interval


def test_who_is_better_goes_by_the_adjusted_p() -> None:
    """At one rate alone it is beyond luck; among three it is not."""
    worse = next(
        (a, b)
        for seed in range(40)
        for a, b in [(system("a", seed), system("b", seed + 50, 0.04))]
        if any(0.03 < p < 0.05 for p in p_values(demur.compare(a, b, at=RATES)))
        and all(p > 0.03 for p in p_values(demur.compare(a, b, at=RATES)))
    )
    found = demur.compare(*worse, at=RATES)
    raw = p_values(found)
    rate = RATES[int(np.argmin(raw))]
    assert demur.compare(*worse, at=rate).better is not None
    assert [one.better for one in found.rates] == [None] * 3
    assert "beyond luck" not in found.sentence()
    assert (
        demur.compare(*worse, at=RATES, correction="none")
        .rates[RATES.index(rate)]
        .better
    )
    better, other = ("a", "b") if found.rates[0].difference.value > 0 else ("b", "a")
    gate = parse_gate(f"{other} worse than {better} @{rate}")
    verdict, words = found.claim(gate)
    assert verdict == "inconclusive"
    assert "corrected by Holm for 3 rates" in words
    alone = demur.compare(*worse, at=rate)
    assert alone.claim(gate)[0] == "gate broken"


def test_what_is_corrected_together_is_said_by_name() -> None:
    found = demur.compare(A, B, at=RATES, area=(0.1, 0.5), margin=0.05)
    text = " ".join(str(found).split())
    assert "p is corrected by Holm for 3 rates" in found.sentence()
    assert "errors at nonreturns 0.1, 0.2 and 0.4 are corrected together" in text
    for apart in ("area", "margins", "intervals"):
        assert apart in text.partition("each by itself")[0].rpartition("together;")[2]
    assert "p of all rates" in text
    none = demur.compare(A, B, at=RATES, correction="none")
    assert "p is not corrected for 3 rates" in none.sentence()
    assert "corrected together" not in str(none)


def test_a_rate_that_cannot_be_tested_counts_all_the_same() -> None:
    """Left out, it would let the data decide how much is corrected."""
    found = demur.compare(SILENT, B, at=RATES)
    alone = [demur.compare(SILENT, B, at=rate).difference for rate in RATES]
    assert alone[0] is None
    assert found.rates[0].difference is None
    p = np.array([1.0, *(one.p_value for one in alone[1:])])
    assert adjusted_of(found) == pytest.approx(list(demur.holm(p))[1:])
    assert "nothing is tested: the curve of a begins at nonreturn 0.15" in (
        found.sentence()
    )
    assert "counts with p = 1" in " ".join(str(found).split())
    [row] = [row for row in found.to_dict()["rates"] if row["at"] == 0.1]
    assert row["difference"] is None
    assert row["not_tested"].startswith("the curve of a begins at nonreturn 0.15")


def adjusted_of(found: Any) -> list[float]:
    tested = [one for one in found.rates if one.difference is not None]
    return [one.difference.adjusted_p for one in tested]


def test_too_few_items_are_not_tested_at_any_rate() -> None:
    few = [graded([1, 0, 1], [3, 2, 1], system=name) for name in "ab"]
    found = demur.compare(*few, at=[0.0, 0.4])
    assert [one.difference for one in found.rates] == [None, None]
    assert "too few items" in found.sentence()


def test_ungraded_answers_are_corrected_with_their_bounds() -> None:
    correct, confidence = answers(2, 0.2)
    outcome = np.where(correct, "right", "wrong").astype(object)
    outcome[::60] = "ungraded"
    unsure = by_outcome(outcome, confidence, item=ITEM, system="b")
    found = demur.compare(A, unsure, at=RATES)
    readings = [(one.difference, *one.bounds["error"]) for one in found.rates]
    wanted = demur.holm(np.array([worst_p(*reading) for reading in readings]))
    for reading, p in zip(readings, wanted, strict=True):
        assert [bound.adjusted_p for bound in reading[1:]] == pytest.approx([p, p])


def test_corrected_errors_are_one_family_too() -> None:
    pair = []
    for name, seed, better in (("a", 1, 0.0), ("b", 2, 0.2)):
        correct, confidence = answers(seed, better)
        groups = {"gold": np.where(correct, "right", "wrong")}
        pair.append(graded(correct, confidence, item=ITEM, system=name, groups=groups))
    found = demur.compare(*pair, at=RATES, gold="gold")
    alone = [demur.compare(*pair, at=rate, gold="gold") for rate in RATES]
    assert p_values(found) == [one.difference.p_value for one in alone]
    assert found.rates[1].difference.method == "prediction-powered"


def test_the_order_of_rates_changes_no_verdict_and_twice_is_once() -> None:
    one, other = (demur.compare(A, B, at=rates) for rates in (RATES, RATES[::-1]))
    assert adjusted(one) == adjusted(other)[::-1]
    assert [c.at for c in demur.compare(A, B, at=[0.2, 0.1, 0.2]).rates] == [0.2, 0.1]


def test_margins_are_claimed_rate_by_rate() -> None:
    found = demur.compare(A, B, at=RATES, margin=0.05)
    shown = [one.not_worse(0.05) for one in found.rates]
    assert shown == [demur.compare(A, B, at=r).not_worse(0.05) for r in RATES]
    assert [row["not_worse"]["b"] for row in found.to_dict()["rates"]] == [
        good for _, good in shown
    ]
    verdict, _ = found.claim(parse_gate("b not worse than a by 0.05"))
    assert verdict == ("gate holds" if all(b for _, b in shown) else "gate broken")


def test_a_gate_without_a_rate_is_about_all_of_them() -> None:
    found = demur.compare(B, A, at=RATES)  # a errs more
    verdict, words = found.claim(parse_gate("a worse than b"))
    assert verdict == "gate broken"
    assert words.count("at nonreturn") == sum(one.better == "a" for one in found.rates)
    assert found.claim(parse_gate("b worse than a"))[0] == (
        "gate holds" if all(one.better for one in found.rates) else "inconclusive"
    )
    _, elsewhere = found.claim(parse_gate("a worse than b @0.3"))
    assert "not corrected: 0.3 is none of the rates" in elsewhere


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_draws_must_be_able_to_show_a_difference(method: str) -> None:
    few = [graded([1, 0] * 10, range(20), system=name) for name in "ab"]
    rates = [round(0.03 * step, 2) for step in range(26)]
    refuses("at must be at most 25 rates", demur.compare, *few, at=rates, method=method)


def test_what_is_no_rate_is_refused() -> None:
    refuses("at must be", demur.compare, A, B, at=[])
    refuses("at must be", demur.compare, A, B, at=[0.1, 1.5])
    refuses("correction must be one of", demur.compare, A, B, correction="bonferoni")


# -- many systems ------------------------------------------------------------------


def test_all_rows_of_all_rates_are_one_family() -> None:
    found = demur.compare_all([A, B, C], quantity="all", at=RATES)
    errors = [pair for pair in found if pair.difference.quantity == "error"]
    assert len(errors) == 9
    p = np.array([pair.difference.p_value for pair in errors])
    assert [pair.adjusted_p for pair in errors] == pytest.approx(list(demur.holm(p)))
    areas = [pair for pair in found if pair.difference.quantity == "area"]
    p = np.array([pair.difference.p_value for pair in areas])
    assert [pair.adjusted_p for pair in areas] == pytest.approx(list(demur.holm(p)))
    text = " ".join(str(found).split())
    assert "p corrected for 9 tests: 3 pairs at 3 rates" in found.sentence()
    assert "corrected by Holm for all rows at nonreturns 0.1, 0.2 and 0.4" in text


def test_pairs_that_cannot_be_tested_at_a_rate_count_too() -> None:
    found = demur.compare_all([SILENT, B, C], quantity="all", at=RATES)
    errors = [pair for pair in found if pair.difference.quantity == "error"]
    assert len(errors) == 7  # at .1 only b and c have a curve
    p = np.array([pair.difference.p_value for pair in errors] + [1.0, 1.0])
    assert [pair.adjusted_p for pair in errors] == pytest.approx(
        list(demur.holm(p))[:7]
    )
    assert any(
        "no curve at nonreturn 0.1" in note and "p = 1" in note for note in found.notes
    )


@pytest.mark.parametrize("correction", ["bonferroni", "none"])
def test_many_systems_may_be_corrected_otherwise(correction: str) -> None:
    found = demur.compare_all([A, B, C], correction=correction)
    factor = 3 if correction == "bonferroni" else 1
    assert [pair.adjusted_p for pair in found] == pytest.approx(
        [min(factor * pair.difference.p_value, 1.0) for pair in found]
    )
    words = {"bonferroni": "p corrected by Bonferroni for 3", "none": "p not corrected"}
    assert words[correction] in found.sentence()
    assert f"correction:{correction}" in found.signature


# -- the command -------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = []
    for table in (A, B, C):
        path = tmp_path / f"{table.systems[0]}.jsonl"
        demur.write_outcomes(table, path)
        paths.append(str(path))
    return paths


def test_the_command_takes_several_rates(files: list[str]) -> None:
    two = printed_json("compare", *files[:2], "--at", "0.1,0.2,0.4")
    wanted = demur.compare(A, B, at=RATES)
    assert two["sentence"] == wanted.sentence()
    assert [row["adjusted_p"] for row in two["rates"]] == adjusted(wanted)
    assert "p of all rates" in printed("compare", *files[:2], "--at", "0.1,0.2")
    three = printed("compare", *files, "--at", "0.1,0.2", "--correction", "bonferroni")
    assert "Bonferroni" in three
    gates = ["a worse than b @0.2", "a worse than b", "error_b > 0.001"]
    for gate in gates:
        words = ["compare", *files[:2], "--at", "0.1,0.2", "--fail-if", gate]
        assert run(*words).code == 1, gate
    many = ["compare", *files, "--at", "0.1,0.2", "--fail-if", "a worse than b @0.2"]
    assert "corrected by Holm for 2 rates" in stderr_of(*many, code=1)


def test_options_that_would_say_nothing_are_refused(files: list[str]) -> None:
    words = "compare", *files[:2]
    err = stderr_of(*words, "--correction", "none", code=2)
    assert "--correction must come with several rates" in err
    err = stderr_of(*words, "--at", "0.1,0.2", "--plan", "0.03", code=2)
    assert "--plan must come with one nonreturn" in err
