"""DuckDB, on the table of traps and on tables drawn at random: what memory counts."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
import traps
from demur.curves import counted as counted_

OTHER = {"Topic": "other"}
"""DuckDB does not tell apart names that differ in case only."""


@pytest.fixture(scope="module")
def trap_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder, table = tmp_path_factory.mktemp("traps"), traps.trap_table()
    named = table.rename_columns([OTHER.get(one, one) for one in table.column_names])
    return {
        "alike": traps.written(table, folder / "alike.parquet"),
        "parquet": traps.written(named, folder / "traps.parquet"),
        "csv": traps.written(named.drop_columns(["when"]), folder / "traps.csv"),
    }


def test_names_that_differ_in_case_only_are_told_not_mixed_up(trap_files):
    with pytest.raises(demur.InputError, match="got 'topic', 'Topic'"):
        demur.count_outcomes(trap_files["alike"]).counts(())


@pytest.mark.parametrize("by", traps.BY, ids=str)
def test_every_count_of_the_traps_is_that_of_memory(trap_files, by):
    by = tuple(OTHER.get(one, one) for one in by)
    counted = demur.count_outcomes(trap_files["parquet"])
    expected = demur.count_outcomes(trap_files["parquet"], engine="memory")
    traps.assert_same(counted, expected, by)


@pytest.mark.parametrize("by", [(), ("topic",), ("whole", "odd . name")], ids=str)
def test_the_traps_as_text_are_counted_alike(trap_files, by):
    counted = demur.count_outcomes(trap_files["csv"])
    expected = demur.count_outcomes(trap_files["csv"], engine="memory")
    traps.assert_same(counted, expected, by)


@pytest.mark.parametrize("where", traps.WHERE, ids=str)
def test_the_same_rows_are_selected(trap_files, where):
    path, where = trap_files["parquet"], {OTHER.get(k, k): v for k, v in where.items()}
    counted = demur.count_outcomes(path, where=where)
    expected = demur.count_outcomes(path, engine="memory", where=where)
    traps.assert_same(counted, expected)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), apart=st.sampled_from([3, 1 << 20]))
def test_tables_drawn_at_random_are_counted_alike(
    tmp_path_factory: Any, seed: int, apart: int
) -> None:
    path = Path(tmp_path_factory.getbasetemp()) / "drawn.parquet"
    traps.written(traps.plain_table(seed), path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counted_, "MOST_APART", apart)
        counted = demur.count_outcomes(str(path))
        expected = demur.count_outcomes(str(path), engine="memory")
        traps.assert_same(counted, expected, ("topic",))
