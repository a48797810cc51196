"""Runs whose answers are made of parts: rows are joined by item and part."""

from datetime import UTC, datetime

import numpy as np
import pytest

import demur
from builders import refuses
from demur.store.data_hashes import data_hash


def parted(wrong=(), n=120, *, seed=None, **columns):
    """Three parts of each of many items; parts are wrong that are numbered."""
    rows = np.arange(3 * n)
    if seed is not None:
        rows = np.random.default_rng(seed).permutation(rows)
    return demur.Outcomes.from_arrays(
        item=[f"q{row // 3}" for row in rows],
        part=["abc"[row % 3] for row in rows],
        correct=[row not in {*wrong} for row in rows],
        confidence=1 - rows / (3 * n),
        system="s",
        **columns,
    )


@pytest.fixture
def store(tmp_path):
    with demur.Store(tmp_path / "demur.sqlite", make=True) as opened:
        yield opened


def keep(store, day, table, **how):
    return store.keep(table, when=datetime(2027, 1, day, tzinfo=UTC), **how)


def test_another_order_of_parts_is_no_change(store):
    wrong = range(0, 360, 17)
    for day, seed in enumerate((None, 1, 2), start=1):
        keep(store, day, parted(wrong, seed=seed))
    points = demur.history(store).points
    assert len({point.error for point in points}) == 1
    assert [point.verdict for point in points[1:]] == ["not tested"] * 2
    assert demur.diff_runs(store, 1, 3).verdicts == ()


def test_one_part_that_changed_is_found_and_named(store):
    keep(store, 1, parted())
    keep(store, 2, parted([31], seed=4))
    found = demur.diff_runs(store, 1, 2)
    (moved,) = found.verdicts
    assert (moved.what, moved.items, moved.first) == ("right → wrong", 1, ("q10 (b)",))


def test_other_parts_are_other_data():
    outcomes = parted()
    hashes = {data_hash(outcomes), data_hash(parted(seed=3))}
    assert len(hashes) == 1
    bare = demur.Outcomes.from_arrays(
        item=outcomes.item, repeat=outcomes.part, correct=[True] * len(outcomes)
    )
    hashes |= {data_hash(bare), data_hash(outcomes.take(np.arange(359)))}
    assert len(hashes) == 3


def test_parts_of_an_item_change_together_in_tests_of_history(store):
    """All three parts of a few items go wrong: that is little, counted by item."""
    keep(store, 1, parted())
    spoiled = [3 * item + part for item in (5, 50) for part in range(3)]
    keep(store, 2, parted(spoiled))
    point = demur.history(store, of="forced").points[1]
    assert point.p_value == pytest.approx(2 * 0.5**2)


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("whole_error@0.14 <= 0.02", "broken"),
        ("whole_error@0.96 <= 0.02", "holds"),
        ("wholes >= 120", "holds"),
    ],
)
def test_gates_of_a_file_hold_wholes(tmp_path, condition, verdict):
    demur.write_outcomes(parted(range(0, 360, 17)), tmp_path / "run.jsonl")
    gates = tmp_path / "demur.toml"
    gates.write_text(f'[[gate]]\nrun = "run.jsonl"\nrequire = ["{condition}"]\n')
    (check,) = demur.hold_gates(gates).checks
    assert check.verdict == verdict


def test_a_gate_on_wholes_needs_parts_and_says_where(tmp_path):
    table = demur.Outcomes.from_arrays(item=["a"], correct=[1], confidence=[0.5])
    demur.write_outcomes(table, tmp_path / "run.jsonl")
    gates = tmp_path / "demur.toml"
    gates.write_text('[[gate]]\nrun = "run.jsonl"\nfail_if = ["whole_error > 0.02"]')
    refuses("demur.toml:1: fail_if: outcomes must have parts", demur.hold_gates, gates)


def test_items_are_listed_by_part_and_held_against_the_same_part():
    one, two = parted([0, 4]), parted([0, 7], seed=1)
    table = demur.Outcomes.from_arrays(
        item=[*one.item, *two.item],
        part=[*one.part, *two.part],
        system=["x"] * len(one) + ["y"] * len(two),
        correct=[*(one.outcome == "right"), *(two.outcome == "right")],
    )
    found = demur.list_items(table, against="y")
    named = zip(found.outcomes.item, found.outcomes.part, strict=True)
    assert sorted(named) == [("q1", "b"), ("q2", "b")]
    assert [column.key for column in found.tables()[0].columns][:3] == [
        *("item", "part", "system")
    ]
