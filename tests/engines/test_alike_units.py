"""Items and clusters that are alike: the same tables from rows and from SQL."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from demur.curves import counted
from demur.curves.counted import Counts
from demur.curves.counted_units import AlikeItems, AlikeUnits, ItemWorth
from demur.engines.memory import MemoryEngine

CUTOFFS = (0.5, np.inf, -np.inf, 0.0, None)
ABOVE = [
    (whole, cutoffs)
    for whole in (True, False)
    for cutoffs in ([0.25, 0.7], [-np.inf, 0.0, 0.3, 0.5, np.inf])
]
SURE = np.array([0.0, -0.0, 0.25, 0.5, 0.7, 1.0, -1.5, np.inf, -np.inf])


def some_table(rng: Any, n_items: int) -> demur.Outcomes:
    """Weights, partial credit and clusters, some rows without; two systems."""
    names = ["right", "wrong", "unanswered", "ungraded"]
    outcome = rng.choice(names, n_items, p=[0.6, 0.2, 0.1, 0.1]).astype(object)
    columns: dict[str, Any] = {}
    if rng.random() < 0.7:
        columns["weight"] = rng.choice([1.0, 0.5, 2.0], n_items)
    if rng.random() < 0.7:
        credit = rng.choice([1.0, 0.5, 0.25], n_items)
        columns["credit"] = [
            float(one) if name == "right" else None
            for name, one in zip(outcome, credit, strict=True)
        ]
    if rng.random() < 0.7:
        names = [None, *(f"c{place}" for place in range(n_items // 3 + 1))]
        columns["cluster"] = rng.choice(np.array(names, object), n_items).tolist()
    return demur.Outcomes.from_arrays(
        item=[f"i{row}" for row in range(n_items)],
        system=rng.choice(["a", "b"], n_items).tolist(),
        outcome=outcome.tolist(),
        confidence=np.where(outcome == "unanswered", np.nan, rng.choice(SURE, n_items)),
        declined=(rng.random(n_items) < 0.2).tolist(),
        **columns,
    )


def listed(table: AlikeUnits | AlikeItems) -> list[Any]:
    if isinstance(table, AlikeUnits):
        return sorted(
            zip(
                table.part.tolist(),
                table.sums.tolist(),
                table.number.tolist(),
                strict=True,
            )
        )
    columns = (table.part, table.low, table.weight, table.loss, table.ungraded)
    rows = np.column_stack([*columns, table.number])
    return sorted(map(str, rows.tolist()))


@pytest.fixture
def engines(tmp_path: Path) -> Any:
    def made(rng: Any, number: int) -> Any:
        path = tmp_path / f"{number}.jsonl"
        demur.write_outcomes(some_table(rng, int(rng.integers(20, 60))), path)
        rows = demur.read_outcomes(path)
        return MemoryEngine(rows), demur.count_outcomes(path).engine

    return made


def test_the_same_units_from_rows_and_from_duckdb(engines: Any) -> None:
    rng = np.random.default_rng(0)
    for number in range(12):
        memory, duckdb = engines(rng, number)
        (ours, theirs) = (one.units for one in (memory, duckdb))
        assert listed(theirs.decided([])) == listed(ours.decided([]))
        units = [part.unit for part in memory.parts([])]
        assert units == [part.unit for part in duckdb.parts([])]
        items = Counts(memory).alike(0)
        assert listed(Counts(duckdb).alike(0)) == listed(items)
        facts = (items.weight, items.loss, items.ungraded)
        kinds = [*dict.fromkeys(map(ItemWorth, *(one.tolist() for one in facts)))]
        for place in (number, number + 1):  # each cutoff on four tables or more
            asked = [], 0, CUTOFFS[place % len(CUTOFFS)], kinds
            assert listed(theirs.cells(*asked)) == listed(ours.cells(*asked))
            whole, cutoffs = ABOVE[(number // 2 + 2 * place) % len(ABOVE)]
            cost = str(rng.choice(["loss", "weight"]))
            answers = [
                listed(one.above([], 0, cutoffs, whole=whole, cost=cost))
                for one in (ours, theirs)
            ]
            assert answers[0] == answers[1]


def test_items_are_in_the_blocks_that_are_counted(
    monkeypatch: pytest.MonkeyPatch, engines: Any
) -> None:
    monkeypatch.setattr(counted, "MOST_APART", 3)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 4)
    rng = np.random.default_rng(1)
    for number in range(6):
        for engine in engines(rng, number):
            counts = Counts(engine)
            for _ in range(3):
                for part in range(len(counts.parts)):
                    blocks, items = counts.blocks(part), counts.alike(part)
                    sums = {low: np.zeros(2, np.int64) for low in blocks.low.tolist()}
                    for low, *row in zip(
                        *(items.low.tolist(), items.weight, items.loss, items.number),
                        strict=True,
                    ):
                        if low == low:
                            sums[low] += np.array(row[:2]) * row[2]
                    assert [one.tolist() for one in sums.values()] == [
                        [weight, loss]
                        for weight, loss in zip(
                            blocks.of("weight").tolist(),
                            blocks.of("loss").tolist(),
                            strict=True,
                        )
                    ]
                counts.refine({0: [int(rng.integers(0, len(counts.blocks(0))))]})
