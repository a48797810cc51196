"""Who gets declined: rates by group against plain twins, tables and simulations."""

import json
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference
import reference_guards as twin
from builders import by_outcome, graded, refuses
from demur.decisions.declining import GAPS, RATES
from demur.decisions.group_rates import Design, grouped_rate, widest_gap
from random_rows import has_guess, outcomes_of, rows
from reference import Row

Z = 1.959963984540054
OF_ALL = tuple(name for name in RATES if name != "error_answered")
CUTOFFS = st.one_of(st.none(), st.sampled_from([-1.0, 0.0, 0.1, 0.5, 0.9, math.inf]))


def by_group(listed: list[Row], names: list[Any], **columns: Any) -> demur.Outcomes:
    """The twin's rows as outcomes with a column ``topic``."""
    outcomes = outcomes_of(listed)
    return demur.Outcomes.from_columns(
        {
            **outcomes.to_columns(),
            "declined": [row.declined for row in listed],
            **columns,
        },
        groups={"topic": names},
    )


def answered(row: Row, cutoff: float | None) -> bool:
    if cutoff is None:
        return row.guessed and not row.declined
    return reference.answers(row, cutoff)


@st.composite
def grouped(draw: st.DrawFn) -> tuple[list[Row], list[Any]]:
    listed = draw(rows().filter(has_guess))
    names = st.sampled_from(["a", "b", None])
    return listed, [draw(names) for _ in listed]


# -- counts ------------------------------------------------------------------------


@given(grouped(), CUTOFFS)
def test_rates_by_group_are_those_of_the_twin(
    table: tuple[list[Row], list[Any]], cutoff: float | None
) -> None:
    listed, names = table
    found = demur.declining_by(by_group(listed, names), "topic", cutoff=cutoff)
    seen = ["(none)" if name is None else name for name in names]
    equal = len({row.weight for row in listed}) == 1  # then items are counted
    unit = float(listed[0].weighs) if equal else 1.0
    assert [each.value for each in found.groups] == list(dict.fromkeys(seen))
    for group in (*found.groups, found.overall):
        chosen = [
            row
            for row, name in zip(listed, seen, strict=True)
            if group is found.overall or name == group.value
        ]
        expected = twin.declining(chosen, [answered(row, cutoff) for row in chosen])
        assert group.items == len(chosen)
        assert group.small == (len(chosen) < 10)
        for name in OF_ALL:
            rate = getattr(group, name)
            assert rate.amount * unit == pytest.approx(float(expected[name]))
            assert rate.base * unit == pytest.approx(float(expected["items"]))
            assert rate.share == pytest.approx(
                float(expected[name] / expected["items"])
            )
        base = group.error_answered.base * unit
        assert base == pytest.approx(float(expected["answered"]))
        if expected["answered"]:
            share = float(expected["error"] / expected["answered"])
            assert group.error_answered.share == pytest.approx(share)
        else:
            assert group.error_answered.share is None
            assert group.error_answered.high is None


@given(grouped(), CUTOFFS)
def test_what_is_declined_is_accounted_for(
    table: tuple[list[Row], list[Any]], cutoff: float | None
) -> None:
    found = demur.declining_by(by_group(*table), "topic", cutoff=cutoff)
    parts = ("rightly_declined", "over_declined", "no_guess", "declined_ungraded")
    for group in (*found.groups, found.overall):
        total = sum(getattr(group, name).amount for name in parts)
        assert total == pytest.approx(group.declined.amount)
    for name in RATES:
        total = sum(getattr(group, name).amount for group in found.groups)
        assert total == pytest.approx(getattr(found.overall, name).amount)


@given(rows().filter(has_guess))
def test_the_whole_is_the_curve_s_point(listed: list[Row]) -> None:
    outcomes = by_group(listed, ["a"] * len(listed))
    curve = demur.error_return(outcomes)
    for index, cutoff in enumerate(curve.cutoff[:-1].tolist()):
        whole = demur.declining_by(outcomes, "topic", cutoff=cutoff).overall
        point, split = curve.at(cutoff=cutoff), curve.split
        assert whole.declined.share == pytest.approx(point.nonreturn)
        assert whole.error.share == pytest.approx(point.bounds[1])
        assert whole.over_declined.share == pytest.approx(point.missed, abs=1e-12)
        assert whole.no_guess.share == pytest.approx(split.no_guess[index])
        rightly = split.avoided[index] + split.correct_decline[index]
        # An unanswerable item that is answered is no correct decline.
        assert whole.rightly_declined.share == pytest.approx(rightly, abs=1e-12)
    own = demur.declining_by(outcomes, "topic", cutoff=None).overall
    assert own.declined.share == pytest.approx(curve.operating_point.nonreturn)
    assert own.error.share == pytest.approx(curve.operating_point.bounds[1])


@given(grouped(), st.randoms(use_true_random=False))
def test_row_order_never_matters(
    table: tuple[list[Row], list[Any]], random: Any
) -> None:
    listed, names = table
    order = list(range(len(listed)))
    random.shuffle(order)
    first = demur.declining_by(by_group(listed, names), "topic", cutoff=0.5)
    second = demur.declining_by(
        by_group([listed[row] for row in order], [names[row] for row in order]),
        "topic",
        cutoff=0.5,
    )
    tables = [{each.value: each for each in found.groups} for found in (first, second)]
    assert tables[0].keys() == tables[1].keys()
    for value, group in tables[0].items():
        for name in RATES:
            one, two = getattr(group, name), getattr(tables[1][value], name)
            assert (one.low, one.high) == pytest.approx((two.low, two.high))


# -- intervals ---------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 30)), min_size=1))
def test_intervals_are_wilson_s(counts: list[tuple[int, int]]) -> None:
    wrong = [min(k, n) for k, n in counts]
    sizes = [n for _, n in counts]
    amount = np.concatenate(
        [np.arange(n) < k for k, n in zip(wrong, sizes, strict=True)]
    )
    group = np.repeat(np.arange(len(sizes)), sizes)
    rate = grouped_rate(
        amount.astype(float), np.ones(len(group)), Design(group, len(sizes))
    )
    low, high = rate.interval(0.95)
    for row, (k, n) in enumerate(zip(wrong, sizes, strict=True)):
        expected = twin.wilson(k / n, n, Z)
        assert (low[row], high[row]) == pytest.approx(expected, abs=1e-9)


def test_a_group_with_nothing_in_the_denominator_is_undefined() -> None:
    outcomes = graded([1, 0, 1], [0.9, 0.8, 0.1], groups={"topic": ["a", "a", "b"]})
    found = demur.declining_by(outcomes, "topic", cutoff=0.5)
    assert found.groups[1].error_answered.to_dict() == {
        "amount": 0.0,
        "base": 0.0,
        "share": None,
        "low": None,
        "high": None,
    }
    assert found.gaps == ()
    assert any("2 groups of fewer than 10 items" in note for note in found.notes)


def repeated(times: int, cluster: bool, weight: float | None = None) -> demur.Declining:
    """Two groups of 60 items, each item so many times."""
    rng = np.random.default_rng(2)
    confidence, wrong = rng.random(120), rng.random(120) < 0.3
    index = np.repeat(np.arange(120), times)
    outcomes = graded(
        (~wrong[index]).astype(int),
        confidence[index],
        groups={"topic": np.where(index < 60, "a", "b")},
        **({"cluster": index} if cluster else {}),
        **({} if weight is None else {"weight": np.where(index % 2, weight, 1.0)}),
    )
    return demur.declining_by(outcomes, "topic", cutoff=0.4)


def test_repeating_items_with_their_clusters_changes_little() -> None:
    once, often, careless = repeated(1, False), repeated(5, True), repeated(5, False)
    for name in RATES:
        for row in range(2):
            one, five, wide = (
                getattr(found.groups[row], name) for found in (once, often, careless)
            )
            assert one.share == five.share == wide.share
            if name in ("no_guess", "declined_ungraded"):
                continue
            # t instead of the normal quantile, n - 1 instead of n.
            assert five.high - five.low == pytest.approx(one.high - one.low, rel=0.05)
            assert wide.high - wide.low < 0.6 * (one.high - one.low)
    for one, five in zip(once.gaps, often.gaps, strict=True):
        assert five.difference == one.difference
        assert five.interval == pytest.approx(one.interval, abs=0.02)
    assert "by clusters" in often.method
    assert once.method == "Wilson"


def test_weights_widen_intervals() -> None:
    plain, weighted = repeated(1, False), repeated(1, False, 50.0)
    for row in range(2):
        one, two = (found.groups[row].declined for found in (plain, weighted))
        assert two.high - two.low > 1.2 * (one.high - one.low)  # type: ignore[operator]
    assert "by weights" in weighted.method
    assert weighted.groups[0].declined.base == 30 + 30 * 50


def test_one_cluster_tells_nothing() -> None:
    rate = grouped_rate(
        np.array([0.0, 0, 1, 1]),
        np.ones(4),
        Design(np.array([0, 0, 1, 1]), 2, None, np.array([0, 0, 1, 1])),
    )
    low, high = rate.interval(0.95)
    assert low.tolist() == [0, 0]
    assert high.tolist() == [1, 1]


# -- gaps --------------------------------------------------------------------------


def test_the_gap_of_two_groups_is_newcombe_s() -> None:
    # Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 10.
    for k1, n1, k2, n2, low, high in [
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (10, 10, 0, 20, 0.6791, 1.0),
    ]:
        amount = np.repeat([1.0, 0, 1, 0], [k1, n1 - k1, k2, n2 - k2])
        group = np.repeat([0, 1], [n1, n2])
        rate = grouped_rate(amount, np.ones(len(group)), Design(group, 2))
        gap = widest_gap(rate, np.arange(2), level=0.95)
        assert gap is not None
        assert gap.interval == pytest.approx((low, high), abs=5e-5)
        assert (gap.high, gap.low, gap.pairs) == (0, 1, 1)
        swapped = grouped_rate(amount, np.ones(len(group)), Design(1 - group, 2))
        other = widest_gap(swapped, np.arange(2), level=0.95)
        assert other is not None
        assert (other.high, other.interval) == (1, gap.interval)


@given(st.lists(st.integers(0, 40), min_size=2, max_size=6))
def test_the_widest_gap_takes_all_pairs_into_account(wrong: list[int]) -> None:
    group = np.repeat(np.arange(len(wrong)), 40)
    amount = (np.tile(np.arange(40), len(wrong)) < np.repeat(wrong, 40)).astype(float)
    rate = grouped_rate(amount, np.ones(len(group)), Design(group, len(wrong)))
    gap = widest_gap(rate, np.arange(len(wrong)), level=0.95)
    assert gap is not None
    assert gap.pairs == len(wrong) * (len(wrong) - 1) // 2
    assert gap.difference == pytest.approx((max(wrong) - min(wrong)) / 40)
    assert gap.interval[0] <= gap.difference + 1e-12
    assert gap.interval[1] >= gap.difference - 1e-12
    if len(wrong) > 2:
        pair = np.array([np.argmax(wrong), np.argmin(wrong)])
        if pair[0] != pair[1]:
            alone = widest_gap(rate, pair, level=0.95)
            assert alone is not None
            assert gap.interval[1] > alone.interval[1] or gap.interval[1] == 1


def test_small_groups_are_shown_and_not_compared() -> None:
    outcomes = graded(
        [1] * 33,
        [0.9] * 12 + [0.1] * 12 + [0.9] * 9,
        groups={"topic": ["a"] * 12 + ["b"] * 12 + [None] * 9},
    )
    found = demur.declining_by(outcomes, "topic", cutoff=0.5)
    assert [(each.value, each.small) for each in found.groups] == [
        ("a", False),
        ("b", False),
        ("(none)", True),
    ]
    assert [gap.rate for gap in found.gaps] == list(GAPS)
    gap = found.gaps[0]
    assert (gap.high, gap.low, gap.difference, gap.pairs) == ("b", "a", 1.0, 1)
    assert found.gaps[1].interval[0] == 0
    assert any("1 pair of groups" in note for note in found.notes)
    assert any("1 group of fewer than 10" in note for note in found.notes)
    json.dumps(found.to_dict(), allow_nan=False)
    assert (
        "grouped_by:topic|cutoff:0.5|intervals:Wilson|items:33|level:0.95"
        in found.signature
    )


def test_clusters_across_groups_make_gaps_surer() -> None:
    # Every cluster has one item in each group, and they go the same way.
    rng = np.random.default_rng(1)
    level = np.repeat(rng.random(100), 2)
    columns = {
        "correct": [1] * 200,
        "confidence": level + np.tile([0.0, 0.1], 100),
        "groups": {"topic": ["a", "b"] * 100},
    }
    apart = demur.Outcomes.from_arrays(**columns)
    shared = demur.Outcomes.from_arrays(cluster=np.repeat(range(100), 2), **columns)
    one = demur.declining_by(apart, "topic", cutoff=0.5).gaps[0]
    two = demur.declining_by(shared, "topic", cutoff=0.5).gaps[0]
    assert one.difference == two.difference
    assert two.interval[0] > one.interval[0]
    assert two.interval[1] < one.interval[1]
    assert two.interval[0] > 0.03


# -- the verb ----------------------------------------------------------------------


def test_values_become_names() -> None:
    outcomes = graded([1] * 6, groups={"topic": [1, 1.5, True, None, math.nan, ""]})
    found = demur.declining_by(outcomes, "topic", cutoff=None)
    assert [each.value for each in found.groups] == ["1", "1.5", "True", "(none)"]
    assert found.groups[-1].items == 3


def test_a_column_of_the_table_is_a_group_too() -> None:
    outcomes = graded([None, None, 1], kind=["idk", "refusal", None])
    found = demur.declining_by(outcomes, "kind", cutoff=None)
    assert [each.declined.share for each in found.groups] == [1, 1, 0]
    assert found.cutoff is None
    assert "cutoff:own" in found.signature


def test_a_cutoff_is_compared_in_the_precision_of_the_data() -> None:
    outcomes = graded(
        [1, 1], np.array([0.7, 0.6], np.float32), groups={"topic": ["a", "b"]}
    )
    for cutoff in (0.7, np.float64(0.7)):
        found = demur.declining_by(outcomes, "topic", cutoff=cutoff)
        assert [each.declined.share for each in found.groups] == [0, 1]


def test_ungraded_answers_are_errors_and_said() -> None:
    outcomes = by_outcome(
        ["ungraded", "ungraded", "right"], [0.9, 0.1, 0.9], groups={"topic": ["a"] * 3}
    )
    found = demur.declining_by(outcomes, "topic", cutoff=0.5)
    assert found.overall.error.amount == 1
    assert found.overall.declined_ungraded.amount == 1
    assert any("1 ungraded answers" in note for note in found.notes)


@pytest.mark.parametrize(
    ("group", "options", "message"),
    [
        ("topc", {}, "Did you mean 'topic'"),
        ("topic", {"level": 1}, "below 1"),
        ("topic", {"level": 95}, "from 0 to 1"),
        ("topic", {"cutoff": math.nan}, "be a number"),
    ],
)
def test_bad_input(group: str, options: dict[str, Any], message: str) -> None:
    outcomes = graded([1, 0], [1, 2], groups={"topic": ["a", "b"]})
    refuses(message, demur.declining_by, outcomes, group, **{"cutoff": 0.5, **options})


def test_several_systems_and_no_confidences() -> None:
    outcomes = graded([1, 0], item=["q", "q"], system=["a", "b"])
    with pytest.raises(demur.InputError, match="of one system; got a, b"):
        demur.declining_by(outcomes, "item", cutoff=None)
    with pytest.raises(demur.UndefinedRate, match="a gives no confidences"):
        demur.declining_by(outcomes.select(system="a"), "item", cutoff=0.5)
    with pytest.raises(demur.InputError, match="at least one row"):
        demur.declining_by(outcomes.take(np.zeros(2, bool)), "item", cutoff=None)


# -- simulation --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "size"),
    [
        ((0.3, 0.3, 0.3, 0.3), 1),
        ((0.05, 0.1, 0.3), 1),
        ((0.3, 0.3, 0.3), 4),
        ((0.1, 0.3), 4),
    ],
)
def test_gaps_are_covered_as_often_as_they_say(
    shares: tuple[float, ...], size: int
) -> None:
    # Clusters of `size` items of one group share their fate half of the time.
    rng, runs, n_clusters = np.random.default_rng(6), 400, 40
    missed: Counter[str] = Counter()
    group = np.repeat(np.arange(len(shares)), n_clusters * size)
    cluster = np.arange(len(group)) // size
    chance = np.array(shares)[group]
    for _ in range(runs):
        together = rng.random(len(cluster))[cluster]
        alone = rng.random(len(group))
        fate = np.where(rng.random(len(group)) < 0.5, together, alone) < chance
        design = Design(group, len(shares), None, cluster if size > 1 else None)
        rate = grouped_rate(fate.astype(float), np.ones(len(group)), design)
        low, high = rate.interval(0.95)
        missed["first"] += not low[0] <= shares[0] <= high[0]
        gap = widest_gap(rate, np.arange(len(shares)), level=0.95)
        assert gap is not None
        true = max(shares) - min(shares)
        missed["gap"] += not gap.interval[0] <= true <= gap.interval[1]
    limit = 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert missed["first"] / runs <= limit
    assert missed["gap"] / runs <= limit
    assert missed["first"] > 0  # the interval is no wider than it must be


def test_what_failed_is_said_where_it_counts_as_declined():
    outcomes = demur.Outcomes.from_arrays(
        correct=[None, None, 1, 0] * 5,
        kind=["failed", "idk", None, None] * 5,
        groups={"age": ["old", "old", "young", "young"] * 5},
    )
    notes = demur.declining_by(outcomes, "age", cutoff=None).notes
    assert any("5 of 20 items failed" in note for note in notes)
    idk = outcomes.take([place for place in range(20) if place % 4])
    notes = demur.declining_by(idk, "age", cutoff=None).notes
    assert not any("failed" in note for note in notes)
