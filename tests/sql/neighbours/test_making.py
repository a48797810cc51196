"""The verb: its counts against plain SQLite, its references against judge."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import demur
from builders import read_records, refuses
from demur.sql.neighbours.mutants import Telling, mutants_of
from neighbour_cases import REFERENCES, air, dump, rows_of

PARTNERS = frozenset(
    {
        ("flight", "origin", "airport", "code"),
        ("crew", "flight", "flight", "id"),
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the original is."""
    path = tmp_path_factory.mktemp("air")
    air(path)
    return path


@pytest.fixture(scope="module")
def made(folder: Path) -> demur.Neighbours:
    """Two instances at most, in the folder ``more``."""
    path = folder / "more"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("demur.sql.neighbours.distilling._CANDIDATES", 3)
        return demur.neighbours(REFERENCES, path, databases=folder, instances=2)


@pytest.fixture(scope="module")
def mutants() -> list[tuple[str, str, str]]:
    """Every mutant that runs: its reference, its fault, its text."""
    listed = []
    with closing(sqlite3.connect(":memory:")) as connection:
        from neighbour_cases import AIR

        connection.executescript(AIR)
        for reference in REFERENCES:
            text = reference["sql"]
            for mutant in mutants_of(text, "sqlite", Telling(partners=PARTNERS)):
                connection.execute(mutant.sql)
                listed.append((reference["item"], mutant.fault, mutant.sql))
    return listed


def killers(made, folder, mutants):
    """Of each mutant the first instance on which plain SQLite tells it apart."""
    texts = {reference["item"]: reference["sql"] for reference in REFERENCES}
    first = {}
    for item, fault, mutant in mutants:
        record = next(one for one in made.records if one["item"] == item)
        names = record["db"] if isinstance(record["db"], list) else [record["db"]]
        first[item, fault, mutant] = next(
            (
                name
                for name in names
                if rows_of(folder / "more" / name, texts[item])
                != rows_of(folder / "more" / name, mutant)
            ),
            None,
        )
    return first


def test_every_count_is_what_plain_sqlite_gives(made, folder, mutants):
    first = killers(made, folder, mutants)
    names = list(first.values())
    assert made.total("mutants") == len(mutants) > 50
    assert made.total("killed_before") == names.count("air.sqlite") > 20
    assert made.total("living") == names.count(None) < len(mutants) / 4
    assert len(made.instances) == 2
    for instance in made.instances:
        assert instance.killed == names.count(instance.instance) > 0
    for counts in made.faults:
        of_fault = [name for key, name in first.items() if key[1] == counts.name]
        before, living = of_fault.count("air.sqlite"), of_fault.count(None)
        assert (counts.mutants, counts.killed_before) == (len(of_fault), before)
        assert counts.living == living
    assert sum(counts.mutants for counts in made.faults) == len(mutants)
    living = {(one.item, one.fault, one.mutant) for one in made.still}
    assert living == {key for key, name in first.items() if name is None}


def test_judge_finds_the_mutants_wrong_that_are_killed(made, folder, mutants):
    responses = [
        {"item": item, "system": f"m{number}", "response": sql}
        for number, (item, _, sql) in enumerate(mutants)
    ]
    itself = [
        {"item": one["item"], "system": "gold", "response": one["sql"]}
        for one in REFERENCES
    ]
    outcomes = demur.judge(
        [*responses, *itself],
        demur.read_references(folder / "more" / "references.jsonl"),
        by="sql",
        missing="leave_out",
    )
    right = {
        str(item): str(outcome) == "right"
        for item, outcome in zip(outcomes.item, outcomes.outcome, strict=True)
        if outcome is not None
    }
    assert right
    judged = {
        (str(system), str(item)): str(reason)
        for system, item, reason in zip(
            outcomes.system, outcomes.item, outcomes.reason, strict=True
        )
    }
    correct = outcomes.to_columns()["outcome"]
    by_system = dict(zip(map(str, outcomes.system), correct, strict=True))
    living = {(one.item, one.mutant) for one in made.still}
    for number, (item, _, sql) in enumerate(mutants):
        expected = "right" if (item, sql) in living else "wrong"
        assert by_system[f"m{number}"] == expected, (sql, judged[f"m{number}", item])
    golds = [
        outcome
        for system, outcome in zip(outcomes.system, correct, strict=True)
        if system == "gold"
    ]
    assert golds == ["right"] * len(REFERENCES)
