"""Runs of a test set that grows: history and gates on the items that runs share."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.outcomes.parts import stacked
from demur.store.common_items import on_common_items

BEGIN = datetime(2027, 1, 1, tzinfo=UTC)


def run_of(numbers, *, seed=0, system="bot", wrong=0.3, **columns):
    """A run on numbered items; whatever is not said belongs to the item."""
    numbers = [*numbers]
    random = np.random.default_rng(seed)
    rows = {
        "item": [f"q{number:03d}" for number in numbers],
        "correct": random.random(len(numbers)) >= wrong,
        "confidence": random.random(len(numbers)),
        "reference": [str(number) for number in numbers],
    } | columns
    rows = {name: values for name, values in rows.items() if values is not None}
    return demur.Outcomes.from_arrays(system=system, **rows)


def keep_all(store, runs):
    for day, run in enumerate(runs):
        store.keep(run, when=BEGIN + timedelta(days=day))


@pytest.fixture
def opened(tmp_path):
    with demur.Store(tmp_path / "runs.sqlite", make=True) as store:
        yield store


def reduced(run, numbers):
    names = {f"q{number:03d}" for number in numbers}
    return run.take(np.array([item in names for item in run.item]))


def test_a_growing_line_is_that_of_runs_cut_to_what_all_share(opened, tmp_path):
    sizes = [60, 60, 80, 70, 100]
    runs = [run_of(range(size), seed=seed) for seed, size in enumerate(sizes)]
    keep_all(opened, runs)
    equal = demur.history(opened)
    assert len(equal.lines) == 4
    assert any("(--items common) makes one line" in note for note in equal.notes)
    found = demur.history(opened, items="common")
    with demur.Store(tmp_path / "cut.sqlite", make=True) as cut:
        keep_all(cut, [reduced(run, range(60)) for run in runs])
        twin = demur.history(cut)
    assert [replace(p, run=0) for p in found.points] == [
        replace(p, run=0) for p in twin.points
    ]
    (line,) = found.lines
    assert line.runs == (1, 2, 3, 4, 5)
    assert line.number == "error at nonreturn 0.2 on 60 common items"
    words = "bot: on the 60 items that all 5 runs of the line share, of 60 to 100 in"
    assert any(note.startswith(words) for note in found.notes)
    assert "|items:common|" in found.signature
    assert "60 common items" in found.to_text()


def test_where_all_have_the_same_items_common_says_nothing_more(opened):
    keep_all(opened, [run_of(range(50), seed=seed) for seed in range(3)])
    equal, common = (demur.history(opened, items=how) for how in ("equal", "common"))
    assert (common.points, common.lines) == (equal.points, equal.lines)
    assert common.notes == equal.notes


def test_items_whose_reference_or_weight_changed_are_not_shared(opened):
    other = [str(number + 100 * (number < 10)) for number in range(50)]
    weight = [2.0 if number >= 45 else 1.0 for number in range(50)]
    keep_all(opened, [run_of(range(50), seed=1), run_of(range(50), reference=other)])
    keep_all(opened, [run_of(range(50), seed=2, weight=weight)])
    (line,) = demur.history(opened, items="common").lines
    assert line.number.endswith("on 35 common items")


def test_what_was_judged_otherwise_is_another_line(opened):
    runs = [run_of(range(50 + 10 * n), seed=n) for n in range(4)]
    for day, (run, version) in enumerate(zip(runs, "1122", strict=True)):
        told = run.with_recipe(by="cas", comparator=f"cas/{version}")
        opened.keep(told, when=BEGIN + timedelta(days=day))
    first, second = demur.history(opened, items="common").lines
    assert (first.runs, second.runs) == ((1, 2), (3, 4))
    assert second.short == "other comparator"


def test_runs_that_share_nothing_are_two_lines(opened):
    keep_all(opened, [run_of(range(30)), run_of(range(30, 60)), run_of(range(40))])
    first, second = demur.history(opened, items="common").lines
    assert (first.runs, second.runs) == ((1, 3), (2,))
    assert second.differs == ("items: run 2 shares none with all runs before",)


def test_other_references_for_all_items_are_two_lines_of_the_same_items(opened):
    other = [f"{number}!" for number in range(30)]
    keep_all(opened, [run_of(range(30)), run_of(range(30), reference=other)])
    assert len(demur.history(opened, items="common").lines) == 2


def test_a_run_without_references_is_said(opened):
    keep_all(opened, [run_of(range(30)), run_of(range(40), seed=3, reference=None)])
    other = [f"x{number}" for number in range(30)]
    keep_all(opened, [run_of(range(30), seed=4, reference=other)])
    found = demur.history(opened, items="common")
    assert [line.runs for line in found.lines] == [(1, 2), (3,)]
    assert "run 2 was kept without references" in " ".join(found.notes)


def test_own_decisions_are_counted_on_common_items(opened):
    declined = [number >= 20 for number in range(40)]
    runs = [
        run_of(range(20), confidence=None),
        run_of(range(40), seed=1, confidence=None, declined=declined),
    ]
    keep_all(opened, runs)
    assert demur.history(opened).points[1].nonreturn == 0.5
    points = demur.history(opened, items="common").points
    assert [point.nonreturn for point in points] == [0.0, 0.0]


def test_systems_stand_in_one_order_in_each_run(opened):
    both = [run_of(range(30), seed=n, system=name) for n, name in enumerate("ba")]
    keep_all(opened, [stacked(both), stacked(both[::-1]), stacked(both)])
    names = [(point.run, point.system) for point in demur.history(opened).points]
    assert names == [(run, name) for run in (1, 2, 3) for name in "ba"]


@given(
    st.lists(st.integers(0, 12), unique=True, min_size=1),
    st.lists(st.integers(0, 12), unique=True, min_size=1),
)
def test_common_items_are_those_of_both(one, other):
    tables = [run_of(one), run_of(other, seed=1)]
    parts, words = on_common_items(tables, ["a", "b"])
    shared = sorted({*one} & {*other})
    if not shared:
        assert (parts, words) == ([], "no common items")
        return
    for part in parts:
        assert [int(item[1:]) for item in part.item] == shared
    left = f"{len(one) - len(shared)} of a, {len(other) - len(shared)} of b"
    assert f"(left out: {left})" in words


# -- gates -----------------------------------------------------------------------------


def held(folder, run, *lines):
    """The check of a gate with one condition."""
    demur.write_outcomes(run, folder / "run.jsonl")
    gate = ['[[gate]]\nrun = "run.jsonl"\nagainst = "main"', *lines]
    (folder / "demur.toml").write_text("\n".join(gate))
    (check,) = demur.hold_gates(folder / "demur.toml").checks
    return check


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.delenv("DEMUR_STORE", raising=False)
    with demur.Store(tmp_path / "demur.sqlite", make=True) as store:
        store.keep(run_of(range(200), wrong=0.1), when=BEGIN, tags=["main"])
    return tmp_path


CLAIM = 'fail_if = ["worse than main @0.2"]'


def test_a_gate_compares_on_common_items_and_says_how_many(project):
    worse = run_of(range(260), seed=7, wrong=0.6)
    equal = held(project, worse, CLAIM)
    assert (equal.verdict, equal.compared) == ("broken", False)
    assert 'items = "common" compares on the items that both have' in equal.words
    common = held(project, worse, CLAIM, 'items = "common"')
    assert (common.verdict, common.compared) == ("broken", True)
    words = "on 200 common items (left out: 0 of main, 60 of bot)"
    assert common.words.endswith(words)
    cut = reduced(worse, range(200))
    assert common.words == f"{held(project, cut, CLAIM).words}, {words}"


def test_a_gate_of_equal_runs_says_that_nothing_is_left_out(project):
    check = held(project, run_of(range(200), wrong=0.1), CLAIM, 'items = "common"')
    assert check.verdict != "broken"
    assert check.words.endswith("on 200 common items (left out: 0 of main, 0 of bot)")


@pytest.mark.parametrize("verdict", ["broken", "inconclusive"])
def test_without_common_items_nothing_is_compared(project, verdict):
    lines = [CLAIM, 'items = "common"', f'incomparable = "{verdict}"']
    check = held(project, run_of(range(300, 400)), *lines)
    assert (check.verdict, check.compared) == (verdict, False)
    assert check.words == "not compared: no common items"


def test_common_items_do_not_mend_another_comparator(project):
    with demur.Store(project / "demur.sqlite") as store:
        told = run_of(range(200)).with_recipe(by="cas", comparator="cas/1")
        store.keep(told, when=BEGIN, tags=["main"])
    check = held(project, run_of(range(260)), CLAIM, 'items = "common"')
    assert not check.compared
    assert "how run.jsonl was judged is not known" in check.words


def test_a_gate_takes_equal_or_common(project):
    with pytest.raises(demur.InputError, match="items must be one of equal, common"):
        held(project, run_of(range(200)), CLAIM, 'items = "some"')


def test_a_claim_without_confidences_names_the_test_that_there_is(project):
    with demur.Store(project / "demur.sqlite") as store:
        store.keep(run_of(range(200), confidence=None), when=BEGIN, tags=["main"])
    bare = run_of(range(200), seed=2, confidence=None)
    check = held(project, bare, CLAIM)
    assert check.verdict == "broken"
    assert '"worse than main @weight 2"' in check.words
    again = held(project, bare, 'fail_if = ["worse than main @weight 2"]')
    assert "cannot be tested" not in again.words
    margin = held(project, bare, 'require = ["not worse than main by 0.5 @0.2"]')
    assert '"not worse than main by 0.5 @weight 2"' in margin.words
    again = held(project, bare, 'require = ["not worse than main by 0.5 @weight 2"]')
    assert "cannot be tested" not in again.words


def test_long_names_of_items_are_shown_whole(opened):
    names = [f"database_of_flights/question {number}" for number in range(3)]
    for right in (True, False):
        table = demur.Outcomes.from_arrays(item=names, correct=[right] * 3)
        opened.keep(table, when=BEGIN)
    assert f"{names[0]}, ..." in demur.diff_runs(opened, 1, 2).to_text()
