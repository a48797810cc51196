"""Two systems compared by errors of wholes: estimates, tests, and what is refused."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.comparisons.paired_wholes import paired_wholes, whole_estimate
from demur.statistics.quantities import Quantity


def runs(seed, n_wholes=60, *, name="a", errs=-1.5, longest=5, steps=20, **more):
    """Wholes of several parts, which go wrong together; each system has other parts."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, longest + 1, n_wholes)
    whole = np.repeat(np.arange(n_wholes), size)
    hard = np.random.default_rng(99).normal(size=n_wholes)[whole]
    hard = hard + rng.normal(size=len(whole))
    confidence = np.round(1 / (1 + np.exp(hard)) * steps) / steps
    wrong = rng.random(len(whole)) < 1 / (1 + np.exp(-errs - 1.5 * hard))
    columns = {
        "item": [f"r{number}" for number in whole],
        "part": [str(row) for row in range(len(whole))],
        "correct": ~wrong,
        "confidence": confidence,
        "system": name,
    }
    for name_, of_whole in more.items():
        columns[name_] = np.asarray(of_whole)[whole]
    return demur.Outcomes.from_arrays(**columns)


def figures(comparison):
    found = comparison.difference
    plain = dataclasses.asdict(found)
    del plain["score"]
    return plain | {"a": comparison.error_a, "b": comparison.error_b}


@pytest.mark.parametrize("at", [0, 0.14, 0.4])
def test_errors_are_those_of_the_curves_of_wholes(at):
    a, b = runs(1), runs(2, name="b", errs=-1.0)
    found = demur.compare(a, b, at=at, of="wholes")
    wanted = [demur.whole_curve(one).at(nonreturn=at).whole_error for one in (a, b)]
    assert [found.error_a, found.error_b] == pytest.approx(wanted)
    assert found.difference.value == pytest.approx(wanted[1] - wanted[0])
    assert (found.difference.n_items, found.difference.n_clusters) == (60, None)


@given(
    st.integers(0, 50), st.sampled_from([0, 0.15, 0.5]), st.sampled_from(["", "weight"])
)
def test_wholes_of_one_part_are_items(seed, at, column):
    more = {column: np.random.default_rng(seed).integers(1, 4, 40)} if column else {}
    a, b = (
        runs(seed + k, 40, longest=1, name=name, **more) for k, name in enumerate("ab")
    )
    of_wholes = figures(demur.compare(a, b, at=at, of="wholes"))
    items = [dataclasses.replace(one, part=None, cluster=one.cluster) for one in (a, b)]
    of_items = figures(demur.compare(*items, at=at))
    assert of_wholes == pytest.approx(of_items, nan_ok=True)


@given(st.integers(0, 40), st.sampled_from([0, 0.2, 0.5]))
def test_a_swap_turns_the_sign_and_the_order_of_rows_does_not_matter(seed, at):
    a, b = runs(seed), runs(seed + 100, name="b")
    found = demur.compare(a, b, at=at, of="wholes").difference
    turned = demur.compare(b, a, at=at, of="wholes").difference
    assert turned.value == -found.value
    assert turned.interval == pytest.approx((-found.high, -found.low))
    assert turned.p_value == pytest.approx(found.p_value)
    rng = np.random.default_rng(seed)
    mixed = [one.take(rng.permutation(len(one))) for one in (a, b)]
    again = demur.compare(*mixed, at=at, of="wholes").difference
    assert figures_of(again) == pytest.approx(figures_of(found))


def figures_of(difference):
    return [difference.value, difference.low, difference.high, difference.p_value]


@pytest.mark.parametrize("weights", [False, True])
def test_without_a_cutoff_the_influence_is_the_derivative_by_weight(weights):
    n = 30
    weight = np.random.default_rng(3).integers(1, 5, n) if weights else np.ones(n)
    table = runs(5, n, weight=weight)
    systems = paired_wholes([table, runs(6, n, name="b", weight=weight)])
    sample, parts = systems.sample(0), systems.parts[0]
    found = whole_estimate(sample, parts, Quantity("error", 0.0))
    assert found.influence.sum() == pytest.approx(0)
    names = [str(name) for name in systems.tables[0].item]
    for row in range(0, n, 7):
        moved = np.array(weight, float)
        number = int(names[row][1:])
        moved[number] *= 1.0001
        heavier = demur.whole_curve(runs(5, n, weight=moved)).at(nonreturn=0)
        rise = (heavier.whole_error - found.value) / 0.0001
        assert found.influence[row] == pytest.approx(rise, abs=2e-4)


def test_the_standard_error_is_about_that_of_a_bootstrap_of_wholes():
    n, at = 400, 0.2
    a, b = runs(1, n, steps=1000), runs(2, n, name="b", errs=-1.0, steps=1000)
    found = demur.compare(a, b, at=at, of="wholes").difference
    rng = np.random.default_rng(0)
    apart = []
    for _ in range(120):
        times = rng.multinomial(n, np.full(n, 1 / n))
        errors = []
        for one in (a, b):
            counts = times[[int(item[1:]) for item in one.item]]
            kept = dataclasses.replace(one.take(counts > 0), weight=counts[counts > 0])
            errors.append(demur.whole_curve(kept).at(nonreturn=at).whole_error)
        apart.append(errors[1] - errors[0])
    half = (found.high - found.low) / 2
    assert half == pytest.approx(1.96 * np.std(apart), rel=0.2)


def test_parts_of_a_whole_are_no_independent_evidence():
    """Ten copies of each part change nothing: the whole errs once or not at all."""
    a, b = runs(7, 50, longest=1), runs(8, 50, longest=1, name="b", errs=0)
    rows = np.repeat(np.arange(50), 10)
    names = [str(row) for row in range(500)]
    many = [
        dataclasses.replace(one.take(rows), part=np.array(names, object))
        for one in (a, b)
    ]
    once, often = (
        figures(demur.compare(*pair, at=0.2, of="wholes")) for pair in ((a, b), many)
    )
    assert once == pytest.approx(often)


def test_clusters_of_wholes_stay_together():
    cluster = [f"c{number // 6}" for number in range(60)]
    a, b = runs(1, cluster=cluster), runs(2, name="b", cluster=cluster)
    found = demur.compare(a, b, at=0.1, of="wholes").difference
    assert (found.n_items, found.n_clusters) == (60, 10)


def test_own_decisions_of_wholes_have_mcnemars_test():
    def decided(name, correct, declined):
        return demur.Outcomes.from_arrays(
            item=[f"r{row // 2}" for row in range(20)],
            part=["x", "y"] * 10,
            correct=correct,
            declined=declined,
            system=name,
        )

    a = decided("a", [True] * 20, [False] * 20)
    b = decided("b", [False] * 20, [False] * 18 + [True] * 2)
    found = demur.compare(a, b, of="wholes")
    (own,) = found.own
    assert (own.quantity, own.value, own.method) == ("own error", 0.9, "McNemar, exact")
    assert own.p_value == pytest.approx(2 / 2**9)
    assert "0.000 of all wholes" in found.sentence()


def test_ungraded_parts_leave_bounds():
    a, b = runs(1), runs(2, name="b")
    codes = a.outcome.tolist()
    codes[0], codes[3] = "ungraded", "ungraded"
    open_ = demur.Outcomes.from_columns({**a.to_columns(), "outcome": codes})
    found = demur.compare(open_, b, at=0.1, of="wholes")
    low, high = found.bounds["error"]
    bounds = demur.whole_curve(open_).at(nonreturn=0.1).bounds
    assert [found.error_b - low.value, found.error_b - high.value] == pytest.approx(
        bounds[::-1]
    )


def test_wholes_without_parts_count_and_common_wholes_can_be_taken():
    def with_silent(table, name):
        columns = table.to_columns()
        silent = {"item": "silent", "system": name}
        return demur.Outcomes.from_columns(
            {
                key: [
                    *values,
                    silent.get(key, "unanswered" if key == "outcome" else None),
                ]
                for key, values in columns.items()
            }
        )

    a, b = runs(1), runs(2, name="b")
    pair = with_silent(a, "a"), with_silent(b, "b")
    found = demur.compare(*pair, at=0, of="wholes")
    before = demur.compare(a, b, at=0, of="wholes")
    assert found.error_a == pytest.approx(before.error_a * 60 / 61)
    assert found.difference.n_items == 61
    refuses("have the same items", demur.compare, a, pair[1], of="wholes")
    common = demur.compare(a, pair[1], at=0, of="wholes", items="common")
    assert figures(common) == pytest.approx(figures(before))
    assert "60 common items; left out: 0 of a, 1 of b" in " ".join(common.notes)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"of": "parts"}, "of must be one of all, wholes"),
        ({"of": "wholes", "weight": 2}, "weight must be left out where errors of who"),
        ({"of": "wholes", "at_error": 0.1}, "at_error must be left out"),
        ({"of": "wholes", "method": "permutation"}, "method must be auto or influence"),
        ({"of": "wholes", "gold": "g"}, "gold must be left out"),
    ],
)
def test_what_is_said_of_items_only_is_refused(how, message):
    refuses(message, demur.compare, runs(1), runs(2, name="b"), **how)


def test_tables_without_parts_or_with_labels_in_part_are_refused():
    a, b = runs(1), runs(2, name="b")
    bare = dataclasses.replace(a, part=None)
    refuses("outcomes must have parts", demur.compare, a, bare, of="wholes")
    codes = b.outcome.tolist()
    codes[4] = "unlabelled"
    part = demur.Outcomes.from_columns({**b.to_columns(), "outcome": codes})
    refuses("be labelled in all parts", demur.compare, a, part, of="wholes")


def test_several_rates_and_a_gate_at_another_rate():
    a, b = runs(1, 400), runs(2, 400, name="b", errs=0.5)
    found = demur.compare(a, b, at=[0.05, 0.14], of="wholes")
    assert [one.at for one in found.rates] == [0.05, 0.14]
    gate = demur.results.gates.parse_gate("b worse than a @0.3")
    verdict, words = demur.compare(a, b, at=0.1, of="wholes").claim(gate)
    assert verdict == "gate broken"
    assert "at nonreturn 0.3" in words
