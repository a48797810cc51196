"""Decisions on counts are those on rows: the same cutoff, bounds, rates and words."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from builders import refuses
from demur.cli import main
from demur.curves import counted
from demur.curves.counted_outcomes import CountedOutcomes
from demur.decisions.checked_locks import ALIKE, NOT_KNOWN
from demur.engines.memory import MemoryEngine
from demur.errors import UndefinedRate

EXACT = np.array([0.0, -0.0, 0.25, 0.5, 0.7, 1.0, -1.5, np.inf, -np.inf])


def plain_table(rng: Any, n_items: int, levels: int | None = None) -> demur.Outcomes:
    """Independent items that are right or wrong, ungraded or without a guess."""
    sure = rng.random(n_items)
    if levels is not None:
        sure = np.floor(sure * levels) / levels
    ends = rng.random(n_items)
    sure = np.where(ends < 0.02, np.inf, np.where(ends > 0.98, -np.inf, sure))
    wrong = rng.random(n_items) < rng.uniform(0.05, 0.6) * (1 - np.clip(sure, 0, 1))
    outcome = np.where(wrong, "wrong", "right").astype(object)
    outcome[rng.random(n_items) < rng.choice([0, 0.1])] = "unanswered"
    outcome[rng.random(n_items) < rng.choice([0, 0.02])] = "ungraded"
    return demur.Outcomes.from_arrays(
        item=[f"i{row}" for row in range(n_items)],
        outcome=outcome.tolist(),
        confidence=np.where(outcome == "unanswered", np.nan, sure),
        declined=(rng.random(n_items) < 0.1).tolist(),
    )


def any_table(rng: Any, n_items: int) -> demur.Outcomes:
    """Also with weights, partial credit, unanswerable items and ties."""
    names = ["right", "wrong", "unanswered", "ungraded"]
    outcome = rng.choice(names, n_items, p=[0.6, 0.25, 0.1, 0.05]).astype(object)
    many = rng.random() < 0.5
    sure = rng.random(n_items) if many else rng.choice(EXACT, n_items)
    columns: dict[str, Any] = {}
    if rng.random() < 0.5:
        columns["weight"] = rng.choice([1.0, 0.5, 2.0, 0.1, 7.0], n_items)
    if rng.random() < 0.5:
        credit = rng.choice([1.0, 0.5, 0.3], n_items)
        columns["credit"] = [
            float(value) if name == "right" else None
            for name, value in zip(outcome, credit, strict=True)
        ]
    if rng.random() < 0.5:
        at_all = np.isin(outcome, ("wrong", "unanswered"))
        columns["answerable"] = ~(at_all & (rng.random(n_items) < 0.4))
    return demur.Outcomes.from_arrays(
        item=[f"i{row}" for row in range(n_items)],
        outcome=outcome.tolist(),
        confidence=np.where(outcome == "unanswered", np.nan, sure),
        declined=(rng.random(n_items) < 0.1).tolist(),
        **columns,
    )


class Passes(MemoryEngine):
    """Counts how often guesses are counted."""

    passes = 0

    def count(self, *asked: Any) -> Any:
        self.passes += 1
        return super().count(*asked)


@pytest.fixture(autouse=True)
def blocks_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even small tables are cut into blocks of several confidences."""
    monkeypatch.setattr(counted, "MOST_APART", 3)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 8)


def what_comes_of(function: Any, *asked: Any, **how: Any) -> Any:
    try:
        return function(*asked, **how).to_dict()
    except UndefinedRate as why:
        return str(why)


OBSERVED: list[dict[str, Any]] = [
    {"cost_ratio": 0.3},
    {"cost_ratio": 0},
    {"cost_ratio": 1},
    {"wrong_costs": 4},
    {"confidence_target": 0.75},
    {"score": "omniscience-index"},
    {"score": "reliability-score(c=3)"},
    {"score": "weighted-error(weight=0.5)"},
    {"max_error": 0.1},
    {"max_error": 0},
    {"max_error": 0.1, "of": "answered"},
    {"max_error": 0.2, "of": "answered"},
    {"nonreturn": 0.4},
    {"balance": True},
]

CERTIFIED: list[dict[str, Any]] = [
    {"max_error": 0.1, "certainty": 0.9},
    {"max_error": 0.05, "certainty": 0.95, "of": "answered"},
    {"max_error": 0.15, "certainty": 0.8, "of": "answered"},
    {"max_error": 1, "certainty": 0.8, "of": "answered"},
    {"max_error": 0, "certainty": 0.8, "of": "answered"},
    {"max_error": 0.1, "certainty": 0.9, "max_nonreturn": 0.7},
    {"max_error": 0.1, "certainty": 0.9, "bound": "simulated"},
]


@pytest.mark.parametrize("rule", OBSERVED, ids=str)
def test_a_cutoff_as_observed_is_that_on_rows(rule: dict[str, Any]) -> None:
    rng = np.random.default_rng(OBSERVED.index(rule))
    for _ in range(30):
        table = any_table(rng, int(rng.integers(1, 60)))
        counts = CountedOutcomes(MemoryEngine(table))
        assert what_comes_of(demur.choose, counts, **rule) == what_comes_of(
            demur.choose, table, **rule
        )


@pytest.mark.parametrize("rule", CERTIFIED, ids=str)
def test_a_certificate_is_that_on_rows(rule: dict[str, Any]) -> None:
    rng = np.random.default_rng(CERTIFIED.index(rule))
    for number in range(40):
        levels = None if number % 3 else int(rng.integers(2, 40))
        table = plain_table(rng, int(rng.integers(1, 400)), levels)
        counts = CountedOutcomes(MemoryEngine(table))
        assert what_comes_of(demur.choose, counts, **rule) == what_comes_of(
            demur.choose, table, **rule
        )


@pytest.mark.parametrize("rule", CERTIFIED[:4], ids=str)
def test_a_certificate_takes_two_further_passes(
    rule: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted, "MOST_APART", 3000)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 512)
    rng = np.random.default_rng(3)
    for power in (0.5, 1, 2):
        sure = rng.random(20_000)
        wrong = rng.random(20_000) < 0.3 * (1 - sure) ** power
        table = demur.Outcomes.from_arrays(correct=~wrong, confidence=sure)
        engine = Passes(table)
        found = demur.choose(CountedOutcomes(engine), **rule)
        assert found.to_dict() == demur.choose(table, **rule).to_dict()
        assert engine.passes <= 3


def test_outcomes_that_a_cutoff_was_chosen_on_cannot_test_it() -> None:
    table = plain_table(np.random.default_rng(5), 400, None)
    counts = CountedOutcomes(MemoryEngine(table))
    lock = demur.lock(counts, demur.choose(counts, max_error=0.2))
    for again in (table, CountedOutcomes(MemoryEngine(table))):
        found = demur.recheck(lock, again)
        assert found.verdict == "not tested"
        assert ALIKE in found.notes


# -- locks -------------------------------------------------------------------------


def of_counts(lock: demur.Lock) -> dict[str, Any]:
    """A lock without what counts do not tell of single items."""
    return {**lock.to_dict(), "sketch": [], "digest": []}


@pytest.mark.parametrize(
    "rule",
    [{"max_error": 0.15}, {"max_error": 0.2, "of": "answered"}, {"cost_ratio": 0.3}],
    ids=str,
)
def test_a_lock_and_its_test_are_those_on_rows(rule: dict[str, Any]) -> None:
    rng = np.random.default_rng(4)
    for number in range(70):
        levels = None if number % 3 else int(rng.integers(2, 40))
        old, new = (
            plain_table(rng, int(rng.integers(20, 300)), levels) for _ in range(2)
        )
        choice = demur.choose(old, **rule)
        if not choice.found:
            continue
        on_rows = demur.lock(old, choice)
        counts = CountedOutcomes(MemoryEngine(old))
        on_counts = demur.lock(counts, demur.choose(counts, **rule))
        assert on_counts.to_dict() == of_counts(on_rows)
        expected = demur.recheck(on_counts, new)
        found = demur.recheck(on_counts, CountedOutcomes(MemoryEngine(new)))
        assert NOT_KNOWN in found.notes
        assert sorted(found.notes) == sorted(expected.notes)
        assert (
            replace(found, notes=()).to_dict() == replace(expected, notes=()).to_dict()
        )


def test_one_confidence_as_frequent_as_a_bin_has_its_own() -> None:
    rng = np.random.default_rng(5)
    sure = np.where(rng.random(300) < 0.3, 0.7, rng.random(300).round(3))
    table = demur.Outcomes.from_arrays(correct=rng.random(300) < sure, confidence=sure)
    counts = CountedOutcomes(MemoryEngine(table))
    on_counts = demur.lock(counts, demur.choose(counts, max_error=0.1))
    assert 0.7 in on_counts.edges
    on_rows = demur.lock(table, demur.choose(table, max_error=0.1))
    assert on_counts.to_dict() == of_counts(on_rows)


def test_a_recheck_takes_one_further_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MOST_APART", 200)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 64)
    rng = np.random.default_rng(6)
    old, new = (plain_table(rng, 3000) for _ in range(2))
    kept = demur.lock(old, demur.choose(old, max_error=0.1))
    engine = Passes(new)
    demur.recheck(kept, CountedOutcomes(engine))
    assert engine.passes == 2


def test_each_value_of_a_column_is_promised_its_error() -> None:
    rng = np.random.default_rng(7)
    table = plain_table(rng, 900)
    topic = rng.choice(["a", "b"], 900).tolist()
    table = demur.Outcomes.from_columns(table.to_columns(), groups={"topic": topic})
    counts = CountedOutcomes(MemoryEngine(table))
    rule: dict[str, Any] = {"max_error": 0.25, "certainty": 0.9, "each": "topic"}
    on_rows = demur.choose(table, **rule)
    assert on_rows.cutoff is not None
    assert demur.choose(counts, **rule).to_dict() == on_rows.to_dict()


# -- clusters, weights and partial credit ------------------------------------------


def unlike_table(rng: Any, n_items: int, unlike: str) -> demur.Outcomes:
    """Items that hang together or count differently, some clusters of one item."""
    table = plain_table(rng, n_items, int(rng.choice([5, 10_000])))
    columns: dict[str, Any] = {}
    if "weight" in unlike:
        columns["weight"] = rng.choice([1.0, 0.5, 2.0], n_items)
    if "credit" in unlike:
        credit = rng.choice([1.0, 1.0, 0.75], n_items)
        columns["credit"] = np.where(table.outcome == "right", credit, np.nan)
    if "cluster" in unlike:
        names = [None, *(f"c{place}" for place in range(n_items // 3))]
        columns["cluster"] = rng.choice(np.array(names, object), n_items)
    return replace(table, **columns)


UNLIKE = ["weight", "credit", "cluster", "weight and credit and cluster"]

BY_BETS: list[dict[str, Any]] = [
    {"max_error": 0.3, "certainty": 0.8},
    {"max_error": 0.1, "certainty": 0.9},
    {"max_error": 0.25, "certainty": 0.8, "of": "answered"},
    {"max_error": 1, "certainty": 0.8, "of": "answered"},
    {"max_error": 0.25, "certainty": 0.9, "max_nonreturn": 0.9},
    {"max_error": 0.2, "certainty": 0.8, "bound": "simulated"},
    {"max_error": 0.2, "certainty": 0.8, "of": "answered", "bound": "simulated"},
]


def nearly(found: Any, wanted: Any) -> None:
    """Hold results against each other, numbers to twelve digits."""
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for name, value in wanted.items():
            nearly(found[name], value)
    elif isinstance(wanted, list | tuple):
        assert len(found) == len(wanted)
        for ours, theirs in zip(found, wanted, strict=True):
            nearly(ours, theirs)
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    else:
        assert found == wanted


@pytest.mark.parametrize("unlike", UNLIKE)
@pytest.mark.parametrize("rule", BY_BETS, ids=str)
def test_a_certificate_by_bets_is_that_on_rows(
    rule: dict[str, Any], unlike: str
) -> None:
    rng = np.random.default_rng(BY_BETS.index(rule))
    for _ in range(8):
        table = unlike_table(rng, int(rng.integers(20, 300)), unlike)
        counts = CountedOutcomes(MemoryEngine(table))
        nearly(
            what_comes_of(demur.choose, counts, **rule),
            what_comes_of(demur.choose, table, **rule),
        )


@pytest.mark.parametrize("of", ["all", "answered"])
def test_bets_on_many_cutoffs_take_few_passes(
    of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more cutoffs than are tried the same ones are."""
    monkeypatch.setattr(counted, "MOST_APART", 400)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 300)
    rng = np.random.default_rng(5)
    for _ in range(3):
        sure = np.round(rng.random(6_000), 3 if rng.random() < 0.4 else 9)
        table = demur.Outcomes.from_arrays(
            correct=rng.random(6_000) > 0.3 * (1 - sure),
            confidence=sure,
            cluster=[f"c{row}" for row in rng.integers(0, 900, 6_000)],
        )
        rule: dict[str, Any] = {"max_error": 0.1, "certainty": 0.9, "of": of}
        engine = Passes(table)
        found = demur.choose(CountedOutcomes(engine), **rule)
        assert found.bound is not None
        nearly(found.to_dict(), demur.choose(table, **rule).to_dict())
        assert engine.passes <= 5


def test_each_value_of_a_column_is_promised_its_error_by_bets() -> None:
    rng = np.random.default_rng(7)
    table = unlike_table(rng, 900, "cluster")
    topic = rng.choice(["a", "b"], 900).tolist()
    table = demur.Outcomes.from_columns(table.to_columns(), groups={"topic": topic})
    counts = CountedOutcomes(MemoryEngine(table))
    rule: dict[str, Any] = {"max_error": 0.3, "certainty": 0.8, "each": "topic"}
    on_rows = demur.choose(table, **rule)
    assert on_rows.cutoff is not None
    nearly(demur.choose(counts, **rule).to_dict(), on_rows.to_dict())


@pytest.mark.parametrize("unlike", UNLIKE)
def test_duckdb_makes_the_same_bets(unlike: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    path = tmp_path / "a.jsonl"
    demur.write_outcomes(unlike_table(rng, 250, unlike), path)
    rows, counts = demur.read_outcomes(path), demur.count_outcomes(path)
    for rule in BY_BETS:
        ours, theirs = (demur.choose(one, **rule).to_dict() for one in (counts, rows))
        for one in (ours, theirs):
            del one["notes"]  # of rows that have no confidence
        nearly(ours, theirs)


# -- cutoffs that are given --------------------------------------------------------


@pytest.mark.parametrize("unlike", ["", *UNLIKE])
def test_what_becomes_of_items_at_cutoffs_is_that_of_rows(
    unlike: str, tmp_path: Path
) -> None:
    rng = np.random.default_rng(12)
    asked: Any = [0.5, 0.9, 0.25, -np.inf, 2]
    for number in range(12):
        table = unlike_table(rng, int(rng.integers(5, 200)), unlike)
        engines = [CountedOutcomes(MemoryEngine(table))]
        if number == 0:
            demur.write_outcomes(table, tmp_path / "a.jsonl")
            engines.append(demur.count_outcomes(tmp_path / "a.jsonl"))
        wanted = demur.at_cutoffs(table, asked, wrong_costs=[3])
        for engine in engines:
            found = demur.at_cutoffs(engine, asked, wrong_costs=[3])
            for ours, theirs in zip(found, wanted, strict=True):
                plain = [replace(one, notes=(), recipe={}) for one in (ours, theirs)]
                nearly(*(one.to_dict() for one in plain))


@pytest.mark.parametrize("unlike", ["", *UNLIKE])
def test_a_certified_error_is_that_of_rows(unlike: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(14)
    for number in range(9):
        table = unlike_table(rng, int(rng.integers(5, 200)), unlike)
        engines = [CountedOutcomes(MemoryEngine(table))]
        if number == 0:
            demur.write_outcomes(table, tmp_path / "a.jsonl")
            engines.append(demur.count_outcomes(tmp_path / "a.jsonl"))
        for cutoff in (0.5, 0.9, -np.inf, 2):
            wanted = demur.certified_error(table, cutoff=cutoff, certainty=0.9)
            for engine in engines:
                found = demur.certified_error(engine, cutoff=cutoff, certainty=0.9)
                assert found == pytest.approx(wanted, abs=1e-9)


def test_gates_on_certified_errors_need_no_rows(tmp_path: Path, capsys: Any) -> None:
    for unlike in ("", "cluster"):
        table = unlike_table(np.random.default_rng(15), 300, unlike)
        demur.write_outcomes(table, tmp_path / "a.jsonl")
        for gate in (
            "certified_error(cutoff=0.5) > 0.5",
            "certified_error(cutoff=2) > 0",
        ):
            told = []
            for engine in ("duckdb", "memory"):
                asked = ["curve", str(tmp_path / "a.jsonl"), "--engine", engine]
                code = main([*asked, "--fail-if", gate])
                told.append((code, capsys.readouterr().err))
            assert told[0] == told[1]


def test_cutoffs_of_several_systems_are_refused() -> None:
    table = demur.Outcomes.from_arrays(
        correct=[True, False] * 10, confidence=range(20), system=["a", "b"] * 10
    )
    counts = CountedOutcomes(MemoryEngine(table))
    refuses("one system", demur.at_cutoffs, counts, 5)
    for name, one in zip("ab", counts.systems(), strict=True):
        (ours,), (theirs,) = (
            demur.at_cutoffs(each, 5) for each in (one, table.select(system=name))
        )
        assert (ours.error, ours.nonreturn) == (theirs.error, theirs.nonreturn)


def test_the_command_shows_cutoffs(tmp_path: Path, capsys: Any) -> None:
    table = unlike_table(np.random.default_rng(13), 300, "cluster")
    demur.write_outcomes(table, tmp_path / "a.jsonl")
    texts = []
    for engine in ("duckdb", "memory"):
        asked = ["curve", str(tmp_path / "a.jsonl"), "--engine", engine]
        assert main([*asked, "--cutoff", "0.5,0.7", "--wrong-costs", "3"]) == 0
        texts.append(capsys.readouterr().out.partition("At cutoffs")[2][:600])
    assert texts[0] == texts[1]


def test_what_counts_cannot_certify_is_refused_before_any_pass() -> None:
    outcome = ["right", "right", "unlabelled"]
    engine = Passes(demur.Outcomes.from_arrays(confidence=[3, 2, 1], outcome=outcome))
    counts = CountedOutcomes(engine)
    refuses("1 unlabelled", demur.choose, counts, max_error=0.1, certainty=0.9)
    assert engine.passes == 0


def test_what_takes_rows_is_refused_by_name() -> None:
    table = plain_table(np.random.default_rng(8), 50)
    counts = CountedOutcomes(MemoryEngine(table))
    refuses("gold", demur.choose, counts, max_error=0.1, gold="people")
    kept = demur.lock(table, demur.choose(table, max_error=0.3))
    refuses("anytime", demur.recheck, kept, counts, anytime=True)
    choice = demur.choose(counts, max_error=0.3)
    refuses("max_cluster", demur.lock, counts, choice, max_cluster=4)
    refuses("Choice.on", choice.on, counts)


def test_each_of_several_systems_is_chosen_for_and_locked() -> None:
    rng = np.random.default_rng(9)
    parts = [plain_table(rng, 120) for _ in range(2)]
    columns = {
        name: [value for part in parts for value in part.to_columns()[name]]
        for name in ("item", "outcome", "confidence")
    }
    columns["system"] = ["a"] * 120 + ["b"] * 120
    table = demur.Outcomes.from_columns(columns)
    counts = CountedOutcomes(MemoryEngine(table))
    refuses("one system", demur.choose, counts, max_error=0.2)
    for name, one in zip("ab", counts.systems(), strict=True):
        rows = table.select(system=name)
        choice = demur.choose(one, max_error=0.2)
        assert choice.to_dict() == demur.choose(rows, max_error=0.2).to_dict()
        kept = demur.lock(one, choice)
        assert demur.recheck(kept, one).answered == demur.recheck(kept, rows).answered
        assert (
            demur.recheck(kept, counts).answered == demur.recheck(kept, rows).answered
        )
