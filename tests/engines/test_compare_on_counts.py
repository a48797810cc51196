"""Comparisons of counted systems are those of their rows."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compared_rows
import demur
from demur.cli import main
from demur.comparisons import counted_pairs
from demur.curves import counted
from demur.curves.counted_outcomes import CountedOutcomes
from demur.engines.duckdb_engine import DuckdbConnection
from demur.engines.memory import MemoryEngine
from demur.engines.selecting import AnswerTable
from demur.engines.sql_engine import SqlEngine
from demur.errors import InputError, UndefinedRate

CLOSE: Any = {"rel": 1e-9, "abs": 1e-12}


def two(seed: int, *, most: int = 90) -> tuple[demur.Outcomes, demur.Outcomes]:
    """Two systems on the same items, which need not be in the same order."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(20, most))
    weight = rng.choice([0.5, 1.0, 3.0], rows)
    hard = rng.random(rows)
    return tuple(  # type: ignore[return-value]
        _system(rng, name, hard, weight, seed) for name in "ab"
    )


def _system(rng: Any, name: str, hard: Any, weight: Any, seed: int) -> demur.Outcomes:
    rows = len(hard)
    levels = int(rng.choice([4, 30, 10_000]))
    sure = np.floor((1 - hard) * rng.random(rows) * levels) / levels
    wrong = rng.random(rows) < hard * rng.uniform(0.3, 0.9)
    outcome = np.where(wrong, "wrong", "right").astype(object)
    outcome[rng.random(rows) < 0.1 * (seed % 2)] = "unanswered"
    outcome[rng.random(rows) < 0.05 * (seed % 3 == 0)] = "ungraded"
    columns: dict[str, Any] = {}
    if seed % 4 == 0:
        columns["declined"] = rng.random(rows) < 0.2
    if seed % 5 == 0:
        columns["weight"] = weight
    if seed % 7 == 0:
        part = rng.choice([1.0, 0.5, 0.25], rows)
        columns["credit"] = [
            float(credit) if one == "right" else None
            for one, credit in zip(outcome, part, strict=True)
        ]
    if seed % 11:
        columns["confidence"] = np.where(outcome == "unanswered", np.nan, sure)
    order = rng.permutation(rows)
    return demur.Outcomes.from_arrays(
        item=[f"i{row}" for row in range(rows)],
        outcome=outcome.tolist(),
        system=name,
        **columns,
    ).take(order)


def as_counted(systems: Any) -> Iterator[CountedOutcomes]:
    for one in systems:
        yield CountedOutcomes(MemoryEngine(one))


def same(ours: Any, theirs: Any, place: str = "") -> None:
    """Hold plain values against each other, numbers nearly."""
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), place
        drawn: tuple[str, ...] = ()
        if theirs.get("method") == "sign flips":  # the same law, other draws
            near = {"abs": 5 * theirs["p_error"] + 1e-3}
            assert ours["p_value"] == pytest.approx(theirs["p_value"], **near)
            drawn = "p_value", "p_error", "low", "high", "interval"
        for name in theirs:
            if name not in ("signature", "recipe", "notes", *drawn):
                same(ours[name], theirs[name], f"{place}.{name}")
    elif isinstance(theirs, list | tuple):
        assert len(ours) == len(theirs), place
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            same(one, other, f"{place}[{number}]")
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, **CLOSE), place
    else:
        assert ours == theirs, place


def either(function: Any, *asked: Any, **how: Any) -> Any:
    try:
        return function(*asked, **how)
    except (InputError, UndefinedRate) as why:
        return str(why)


def hold(systems: Any, **how: Any) -> None:
    wanted = either(demur.compare, *systems, **how)
    found = either(demur.compare, *as_counted(systems), **how)
    if isinstance(wanted, str):
        assert found == wanted
        return
    same(found.to_dict(), wanted.to_dict())
    assert found.better == wanted.better
    if not any(one.method == "sign flips" for one in wanted.tested()):
        assert found.sentence() == wanted.sentence()
        assert [*found.notes] == [*wanted.notes]


def test_whole_curves() -> None:
    for seed in range(100):
        hold(two(seed), at=[0.1, 0.2, 0.45][seed % 3])


def test_several_rates_and_a_margin() -> None:
    for seed in range(12):
        hold(two(seed), at=[0.15, 0.3, 0.5], margin=0.1)


def test_a_part_of_the_area_and_an_error() -> None:
    for seed in (1, 2, 3, 13):
        hold(two(seed), area=(0.3, 0.6), at_error=0.1, method="influence")


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if these were too many items to tell all confidences apart."""
    monkeypatch.setattr(counted, "MOST_APART", 600)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 64)
    monkeypatch.setattr(counted, "LEAST_BLOCKS", 32, raising=False)
    monkeypatch.setattr(counted_pairs, "MOST_KINDS", 10)


def large(seed: int, rows: int = 4_000) -> tuple[demur.Outcomes, demur.Outcomes]:
    rng = np.random.default_rng(seed)
    hard = rng.random(rows)
    a, b = (
        demur.Outcomes.from_arrays(
            item=[f"i{row}" for row in range(rows)],
            correct=rng.random(rows) > hard * most,
            confidence=1 - hard + rng.normal(0, 0.2, rows),
            system=name,
            declined=rng.random(rows) < 0.05 * (seed % 2),
        )
        for name, most in (("a", 0.6), ("b", 0.5))
    )
    return a, b.take(rng.permutation(rows))


@pytest.mark.usefixtures("many")
def test_rates_of_many_items_are_exact_without_whole_curves() -> None:
    for seed in range(4):
        systems = large(seed)
        wanted = demur.compare(*systems, at=[0.2, 0.6])
        engines = list(as_counted(systems))
        found = demur.compare(*engines, at=[0.2, 0.6])
        for ours, theirs in zip(found.rates, wanted.rates, strict=True):
            same(ours.difference.to_dict(), theirs.difference.to_dict())
            assert (ours.error_a, ours.error_b) == (theirs.error_a, theirs.error_b)
            assert ours.better == theirs.better
        assert len(found.own) == len(wanted.own)
        for ours, theirs in zip(found.own, wanted.own, strict=True):
            same(ours.to_dict(), theirs.to_dict())
        assert found.area is None
        assert any("areas are not tested" in note for note in found.notes)
        blocks = engines[0].counts().blocks(0)
        assert (~blocks.single).any()


@pytest.mark.usefixtures("many")
def test_rates_of_many_weighted_items_are_exact() -> None:
    weight = np.random.default_rng(3).choice([1.0, 2.5], 4_000)
    a, b = (one.take(np.argsort(one.item)) for one in large(1))
    systems = [replace(one, weight=weight) for one in (a, b)]
    (wanted,) = demur.compare(*systems, at=[0.2, 0.6]).rates[:1]
    (found,) = demur.compare(*as_counted(systems), at=[0.2, 0.6]).rates[:1]
    same(found.difference.to_dict(), wanted.difference.to_dict())


@pytest.mark.usefixtures("many")
def test_a_gate_at_another_rate_looks_there() -> None:
    systems = large(0)
    wanted = demur.compare(*systems, at=0.2)
    found = demur.compare(*as_counted(systems), at=0.2)
    ours, theirs = found.again(0.4), wanted.again(0.4)
    same(ours.difference.to_dict(), theirs.difference.to_dict())


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("asked", [{"area": (0.2, 0.4)}, {"at_error": 0.1}])
def test_what_needs_whole_curves_is_refused_by_name(asked: Any) -> None:
    (name,) = asked
    with pytest.raises(InputError, match=name):
        demur.compare(*as_counted(large(1)), **asked)


def test_people_s_verdicts_and_rows_beside_counts_are_refused() -> None:
    a, b = two(1)
    counted_a, counted_b = as_counted((a, b))
    with pytest.raises(InputError, match="gold"):
        demur.compare(counted_a, counted_b, gold="expert")
    with pytest.raises(InputError, match="counted as the other"):
        demur.compare(counted_a, b)


def test_items_of_one_alone_are_refused() -> None:
    a, b = two(1)
    wanted = either(demur.compare, a, b.take(np.arange(10)))
    found = either(demur.compare, *as_counted((a, b.take(np.arange(10)))))
    assert found == wanted
    assert "only of a" in found


def test_clusters_and_other_weights_are_refused() -> None:
    a, b = two(5)
    _, other = two(10)
    assert a.weight is not None
    columns = {"correct": [True, False] * 10, "confidence": range(20)}
    clustered = [
        demur.Outcomes.from_arrays(system=name, cluster=list("abcde") * 4, **columns)
        for name in "ab"
    ]
    with pytest.raises(InputError, match="clusters"):
        demur.compare(*as_counted(clustered))
    same_items = other.take(np.arange(min(len(a), len(other))))
    wanted = either(demur.compare, a, same_items, items="common")
    found = either(demur.compare, *as_counted((a, same_items)), items="common")
    assert found == wanted or "same items" in found
    assert len(b) == len(a)


# -- the join by SQL -----------------------------------------------------------------


def in_duckdb(systems: Any) -> Iterator[CountedOutcomes]:
    """Counted by DuckDB, out of tables of its own."""
    pyarrow = pytest.importorskip("pyarrow")
    connection = DuckdbConnection(threads=1)
    for place, one in zip(("answers_a", "answers_b"), systems, strict=True):
        columns = {name: list(values) for name, values in one.to_columns().items()}
        connection.connection.register("given", pyarrow.table(columns))
        connection.connection.execute(f"CREATE TABLE {place} AS FROM given")
        types = {row[0]: row[1] for row in connection.rows(f"DESCRIBE {place}")}
        table = AnswerTable(place, types, place=place)
        yield CountedOutcomes(SqlEngine(connection, table))


def test_duckdb_joins_as_memory_does() -> None:
    for seed in range(0, 24, 2):
        systems = two(seed)
        wanted = either(demur.compare, *as_counted(systems))
        found = either(demur.compare, *in_duckdb(systems))
        if isinstance(wanted, str):
            assert found == wanted
        else:
            same(found.to_dict(), wanted.to_dict())


@pytest.mark.usefixtures("many")
def test_duckdb_joins_near_rates() -> None:
    systems = large(1)
    wanted = demur.compare(*systems, at=[0.2, 0.6])
    found = demur.compare(*in_duckdb(systems), at=[0.2, 0.6])
    for ours, theirs in zip(found.rates, wanted.rates, strict=True):
        same(ours.difference.to_dict(), theirs.difference.to_dict())
    for ours, theirs in zip(found.own, wanted.own, strict=True):
        same(ours.to_dict(), theirs.to_dict())


def test_files_of_two_connections_are_joined(tmp_path: Path) -> None:
    systems = two(2)
    files = [tmp_path / f"{name}.parquet" for name in "ab"]
    for one, file in zip(systems, files, strict=True):
        _write(one, file)
    wanted = demur.compare(*systems)
    found = demur.compare(*(demur.count_outcomes(file) for file in files))
    same(found.to_dict(), wanted.to_dict())
    assert found.difference.value != 0


def test_relations_of_two_connections_are_refused() -> None:
    systems = two(2)
    a, _ = in_duckdb(systems)
    _, b = in_duckdb(systems)
    with pytest.raises(InputError, match="one connection"):
        demur.compare(a, b)


def _write(outcomes: demur.Outcomes, file: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    columns = {name: list(values) for name, values in outcomes.to_columns().items()}
    parquet.write_table(pyarrow.table(columns), file)


@pytest.mark.parametrize("seed", range(24))
def test_hostile_tables_compare_as_in_memory(seed: int, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    tables, how = compared_rows.hostile(seed)
    kinds = ["parquet", "csv", "jsonl", "db"]
    forms = [kinds[seed % 4], kinds[seed // 4 % 4]]
    files = [
        compared_rows.written(table, tmp_path / f"{place}.{form}")
        for place, (table, form) in enumerate(zip(tables, forms, strict=True))
    ]
    rows = [compared_rows.as_outcomes(table) for table in tables]
    counted_ = [demur.count_outcomes(file) for file in files]
    compared_rows.hold(counted_, rows, how)


def test_two_systems_of_one_table_compare_as_in_memory(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    tables, how = compared_rows.hostile(5)
    pyarrow = pytest.importorskip("pyarrow")
    file = compared_rows.written(pyarrow.concat_tables(tables), tmp_path / "both.db")
    rows = [compared_rows.as_outcomes(table) for table in tables]
    both = demur.count_outcomes(file)
    of_name = {part.system: both.of_part(part) for part in both.counts().parts}
    systems = [of_name[name] for name in compared_rows.SYSTEMS]
    compared_rows.hold(systems, rows, how)


@pytest.mark.usefixtures("many")
def test_common_items_of_many_are_exact_without_whole_curves() -> None:
    a, b = large(1)
    systems = a.take(np.arange(300, 4_000)), b.take(np.arange(3_500))
    wanted = demur.compare(*systems, at=[0.2, 0.6], items="common")
    for counted_ in (as_counted(systems), in_duckdb(systems)):
        found = demur.compare(*counted_, at=[0.2, 0.6], items="common")
        assert wanted.notes[0].startswith("32")
        assert found.notes[0] == wanted.notes[0]
        for ours, theirs in zip(found.rates, wanted.rates, strict=True):
            same(ours.difference.to_dict(), theirs.difference.to_dict())
            assert (ours.error_a, ours.error_b) == (theirs.error_a, theirs.error_b)
        ours, theirs = found.again(0.4), wanted.again(0.4)
        same(ours.difference.to_dict(), theirs.difference.to_dict())
        assert ours.notes[0] == wanted.notes[0]


def test_draws_do_not_depend_on_the_order_of_an_engine_s_answer() -> None:
    systems = two(8)
    how: Any = {"method": "bootstrap", "seed": 3}
    expected = demur.compare(*as_counted(systems), **how).to_dict()
    turned = [one.take(np.arange(len(one))[::-1]) for one in systems]
    assert demur.compare(*in_duckdb(turned), **how).to_dict() == expected


def test_repeats_on_one_side_are_no_common_items(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    rows = [{"item": f"q{row}", "correct": row % 2} for row in range(8)]
    files = [tmp_path / f"{name}.jsonl" for name in "ab"]
    for file, also in zip(files, ({}, {"repeat": 1}), strict=True):
        lines = (json.dumps({**row, **also, "system": file.stem}) for row in rows)
        file.write_text("\n".join(lines))
    wanted = either(demur.compare, *map(demur.read_outcomes, files), items="common")
    found = either(demur.compare, *map(demur.count_outcomes, files), items="common")
    assert found == wanted
    assert "have items in common; got none: a has items such as 'q0', b" in found


def command(*words: Any, capsys: pytest.CaptureFixture[str]) -> str:
    code = main(["compare", *map(str, words)])
    out, err = capsys.readouterr()
    return err if code else out


@pytest.mark.parametrize("sources", [["one.parquet"], ["a.db", "b.parquet"]])
def test_the_command_says_the_same_on_an_engine(
    sources: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    tables, _ = compared_rows.hostile(14)
    one = compared_rows.written(pyarrow.concat_tables(tables), tmp_path / "one.parquet")
    names = dict(zip("ab", tables, strict=True))
    files = [
        one
        if name == "one.parquet"
        else compared_rows.written(names[name[0]], tmp_path / name)
        for name in sources
    ]
    how = ("--items", "common", "--at", "0.3,0.5", "--correction", "bonferroni")
    expected = command(one, *how, "--engine", "memory", capsys=capsys)
    assert "common items; left out" in expected
    assert command(*files, *how, "--engine", "duckdb", capsys=capsys) == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a", "b", "--band"], "without --band, which needs rows in memory"),
        (["a", "b", "--plan", "0.1"], "without --plan, which needs rows in memory"),
        (["a", "b", "c"], "two systems where an engine counts; got 3. --where system"),
        (["a", "a"], "the systems must differ in name; got 'a'. Rename one"),
        (["a"], "must hold two systems; got 1. Name two files"),
        (["k", "l"], "must be independent items, to be compared by counts; got 2 clu"),
    ],
)
def test_what_needs_rows_is_named_with_what_to_do(
    words: Sequence[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    files = []
    for word in words:
        if len(word) > 1:
            files.append(word)
            continue
        file = tmp_path / f"{word}.csv"
        lines = ["item,correct,confidence,system"]
        lines += [f"q{row},{row % 3 % 2},0.{row}1,{word}" for row in range(8)]
        if word in "kl":
            ends = ["cluster", *"01010101"]
            lines = [",".join(both) for both in zip(lines, ends, strict=True)]
        file.write_text("\n".join(lines))
        files.append(str(file))
    told = command(*files, "--engine", "duckdb", capsys=capsys)
    assert said in told
    assert told.count("\n") == 1


def test_duckdb_refuses_what_does_not_belong_together() -> None:
    a, b = two(1)
    few = b.take(np.arange(10))
    with pytest.raises(InputError, match=r"items only of a, such as 'i"):
        demur.compare(*in_duckdb((a, few)))
    with pytest.raises(InputError, match=r"items only of a, such as 'i"):
        demur.compare(*in_duckdb((few, a)))
    heavier = replace(b, weight=np.full(len(b), 2.0))
    with pytest.raises(InputError, match="weight must be the same"):
        demur.compare(*in_duckdb((a, heavier)))
    elsewhere = replace(b, item=np.array([f"x{one}" for one in b.item], object))
    with pytest.raises(InputError, match="items in common"):
        demur.compare(*in_duckdb((a, elsewhere)))


def test_names_must_differ() -> None:
    a, _ = two(1)
    wanted = either(demur.compare, a, a)
    assert either(demur.compare, *as_counted((a, a))) == wanted


def test_a_comparison_of_counts_has_a_page() -> None:
    found = demur.compare(*as_counted(two(1)))
    assert demur.report([found]).html.startswith("<!")
