"""Scores of outcomes that are counted are those of their rows."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from builders import refuses
from demur.cli import main
from demur.comparisons.selective_scores import SELECTIVE
from demur.curves import counted
from demur.curves.counted_outcomes import CountedOutcomes
from demur.decisions.linear_scores import PRESETS
from demur.engines.memory import MemoryEngine

TYPED = {
    "weighted-error": "(weight=0.5)",
    "net-benefit": "(threshold=0.3)",
    "confidence-target": "(target=0.75)",
    "reliability-score": "(c=2)",
}
LINEAR = [f"{name}{TYPED.get(name, '')}" for name in PRESETS]
DECIDED = [name for name, form in SELECTIVE.items() if form.by_decisions]
BY_ROWS = [name for name, form in SELECTIVE.items() if not form.by_decisions]
FEW = {"replicates": 100}


def systems(rng: Any, n_items: int, names: Sequence[str] = "ab") -> dict[str, Any]:
    """Columns of systems on the same items, some declined, unanswerable or failed."""
    kinds = ["right", "wrong", "unanswered", "ungraded"]
    chance = rng.dirichlet([4, 2, 1, rng.choice([0.01, 1])])
    rows = n_items * len(names)
    outcome = rng.choice(kinds, rows, p=chance).astype(object)
    reason = np.full(rows, None, object)
    reason[(outcome == "right") & (rng.random(rows) < 0.2)] = "both_empty"
    failed = rng.random(rows) < rng.choice([0, 0.4])
    reason[(outcome == "unanswered") & failed] = "failed"
    at_all = np.isin(outcome, ("wrong", "unanswered"))
    hopeless = at_all & (rng.random(rows) < rng.choice([0, 0.4]))
    sure = np.where(rng.random(rows) < 0.1, -np.inf, rng.random(rows))
    topic = np.sort(rng.choice(["x", "y", "z"], n_items))  # as engines list them
    columns: dict[str, Any] = {
        "item": [f"i{row}" for row in range(n_items)] * len(names),
        "system": np.repeat(list(names), n_items).tolist(),
        "outcome": outcome.tolist(),
        "confidence": np.where(outcome == "unanswered", np.nan, sure),
        "declined": rng.random(rows) < rng.choice([0, 0.2]),
        "answerable": ~hopeless,
        "reason": reason.tolist(),
        "groups": {"topic": np.tile(topic, len(names)).tolist()},
    }
    return columns


def plain(scores: Any, *but: str) -> dict[str, Any]:
    """A result for comparison."""
    return {name: one for name, one in scores.to_dict().items() if name not in but}


def test_scores_are_those_of_rows() -> None:
    rng = np.random.default_rng(0)
    for number in range(100):
        names = ["a", "ab", "abc"][number % 3]
        columns = systems(rng, int(rng.integers(1, 40)), names)
        if number % 5 == 0:
            settings = columns.pop("system")
            columns |= {"system": "s", "setting": settings}
        if number % 7 == 0:
            columns["weight"] = [2.0] * len(columns["item"])
        table = demur.Outcomes.from_arrays(**columns)
        how: dict[str, Any] = {
            "by": [[], ["topic"], ["topic", "system"]][number // 3 % 3],
            "weights": [[2], [0.5, 1, 3]][number % 2],
            "named": [*DECIDED, *LINEAR],
            "seed": number,
            **FEW,
        }
        found = demur.score(CountedOutcomes(MemoryEngine(table)), **how)
        wanted = demur.score(table, **how)
        assert plain(found) == plain(wanted)
        assert found.sentence() == wanted.sentence()


def numbers(weighted: Mapping[str, Any]) -> list[float | None]:
    """Those of a weighted error, the ends of its interval apart."""
    interval = weighted["interval"] or [None, None]
    return [
        *(one for one in weighted.values() if one != weighted["interval"]),
        *interval,
    ]


UNLIKE: list[list[str]] = [
    ["weight"],
    ["credit"],
    ["cluster"],
    ["weight", "credit", "cluster"],
]


def unlike_systems(rng: Any, unlike: Sequence[str]) -> dict[str, Any]:
    """Systems with weights, partial credit or clusters, some rows in none."""
    columns = systems(rng, 40)
    if "weight" in unlike:
        columns["weight"] = np.tile(rng.choice([1.0, 0.1, 4.0], 40), 2)
    if "cluster" in unlike:
        names = np.array([None, *"abcdefghijk"], object)
        columns["cluster"] = np.tile(rng.choice(names, 40), 2).tolist()
    if "credit" in unlike:
        right = np.array(columns["outcome"]) == "right"
        right[0], columns["outcome"][0], columns["reason"][0] = True, "right", None
        columns["answerable"][0], columns["confidence"][0] = True, 0.5
        columns["credit"] = np.where(right, rng.choice([0.5, 0.25], 80), None).tolist()
    return columns


@pytest.mark.parametrize("unlike", UNLIKE, ids="+".join)
def test_intervals_of_unlike_items_are_those_of_rows(unlike: list[str]) -> None:
    rng = np.random.default_rng(1)
    for number in range(15):
        table = demur.Outcomes.from_arrays(**unlike_systems(rng, unlike))
        how: dict[str, Any] = {
            "named": ["omniscience-index"],
            "weights": [1, 2],
            "by": [[], ["topic"]][number % 2],
        }
        found = demur.score(CountedOutcomes(MemoryEngine(table)), **how, **FEW)
        wanted = demur.score(table, **how, **FEW)
        assert found.recipe["intervals"] == wanted.recipe["intervals"]
        for ours, theirs in zip(found.scores, wanted.scores, strict=True):
            mine, other = ours.to_dict(), theirs.to_dict()
            for one, two in zip(mine["weighted"], other["weighted"], strict=True):
                assert numbers(one) == pytest.approx(numbers(two), abs=1e-12)
            assert {**mine, "weighted": ()} == {**other, "weighted": ()}
        assert found.exchanges == wanted.exchanges


def test_gates_look_up_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MOST_APART", 3)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 8)
    rng = np.random.default_rng(2)
    from demur.cli.options.typed import parsed_gate

    for _ in range(10):
        table = demur.Outcomes.from_arrays(**systems(rng, 90))
        found = demur.score(CountedOutcomes(MemoryEngine(table)), by="topic", **FEW)
        wanted = demur.score(table, by="topic", **FEW)
        for text in ("error@0.2 > 0.1", "a: error(cutoff=0.5) > 0.1", "missed > 0.5"):
            gate = parsed_gate(text)
            ours, theirs = (
                [one for one in of.figures_for(gate) if one.kind.name == gate.name]
                for of in (found, wanted)
            )
            assert ours == theirs
    gate = parsed_gate("certified_error(cutoff=0.5) > 0.5")
    ours, theirs = ([*one.figures_for(gate)] for one in (found, wanted))
    assert ours == theirs
    gate = parsed_gate("corrected_error@0.2 > 0.5")
    refused = "about curves or certified errors where outcomes are counted"
    refuses(refused, lambda: [*found.figures_for(gate)])


class Uncounted(MemoryEngine):
    """Counts nothing."""

    def parts(self, _: Any) -> Any:
        raise AssertionError


@pytest.mark.parametrize("name", BY_ROWS)
def test_what_takes_rows_is_refused_before_any_pass(name: str) -> None:
    rng = np.random.default_rng(3)
    table = demur.Outcomes.from_arrays(**systems(rng, 9))
    outcomes = CountedOutcomes(Uncounted(table))
    typed = f"{name}(rate=0.5)" if name == "selective-accuracy" else name
    refuses("where outcomes are counted", demur.score, outcomes, named=typed)
    refuses("leave_out must be", demur.score, outcomes, leave_out={"topic": "x"})


def test_what_counts_do_not_tell_is_refused() -> None:
    rng = np.random.default_rng(4)
    columns = systems(rng, 9)
    columns["outcome"][0], columns["answerable"][0] = "unanswered", False
    columns["reason"][0] = None
    columns["weight"] = np.arange(1.0, 19.0)
    outcomes = CountedOutcomes(MemoryEngine(demur.Outcomes.from_arrays(**columns)))
    for name in ("c@1", "reliability-score(c=1)"):
        refuses("without weights", demur.score, outcomes, named=name)
    labels = demur.Outcomes.from_arrays(outcome=["right", "unlabelled"])
    refuses("1 unlabelled", demur.score, CountedOutcomes(MemoryEngine(labels)))


def test_sketches_of_some_items_each_give_the_scores_of_all(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    for number in range(40):
        names = ["a", "ab", "abc"][number % 3]
        table = demur.Outcomes.from_arrays(**systems(rng, 30, names))
        number_of = [int(item[1:]) for item in table.item]
        for shard in range(3):
            rows = table.take(np.array([one % 3 == shard for one in number_of]))
            demur.sketch(rows, by="topic").write(tmp_path / f"{shard}.sketch")
        counted = demur.count_outcomes(*sorted(tmp_path.glob("*.sketch")))
        how: dict[str, Any] = {
            "weights": [[2], [0.5, 1, 3]][number % 2],
            "named": [*DECIDED, *LINEAR],
            "seed": number,
            **FEW,
        }
        for by in ([], ["topic"]):
            scores = demur.score(counted, by=by, **how)
            wanted = demur.score(table, by=by, **how)
            assert str(sorted_cells(scores)) == str(sorted_cells(wanted)), number


def sorted_cells(scores: Any) -> dict[str, Any]:
    """A result for comparison, whatever the order of its groups."""
    table = plain(scores, "signature", "notes", "recipe")
    return {
        name: sorted(one, key=str) if isinstance(one, list) else one
        for name, one in table.items()
    }


@pytest.mark.parametrize("items", [[1, 2, 3, 1, 2], [1, 2, 3, 1, 4, 2], [1, 2, 3, 4]])
def test_systems_with_other_items(items: list[int]) -> None:
    half = len(items) // 2 + len(items) % 2
    table = demur.Outcomes.from_arrays(
        item=items,
        system=["a"] * half + ["b"] * (len(items) - half),
        outcome=["wrong"] + ["right"] * (len(items) - 1),
        groups={"topic": ["x" if item < 2 else "y" for item in items]},
    )
    found = demur.score(CountedOutcomes(MemoryEngine(table)), by="topic", **FEW)
    wanted = demur.score(table, by="topic", **FEW)
    assert plain(found) == plain(wanted)
    assert found.sentence() == wanted.sentence()
    assert not any(best.group == {} for best in found.best)


def _written(path: Path, rng: Any, n_items: int) -> str:
    outcomes = demur.Outcomes.from_arrays(**systems(rng, n_items))
    demur.write_outcomes(outcomes, path)
    return str(path)


def test_duckdb_counts_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    for number in range(4):
        path = _written(tmp_path / f"{number}.jsonl", rng, 50)
        how: dict[str, Any] = {"by": "topic", "named": [*DECIDED, *LINEAR], **FEW}
        found = demur.score(demur.count_outcomes(path), **how)
        wanted = demur.score(demur.read_outcomes(path, groups=["topic"]), **how)
        but = "notes", "recipe", "signature"
        assert plain(found, *but) == plain(wanted, *but)


@pytest.mark.parametrize("unlike", UNLIKE, ids="+".join)
def test_duckdb_has_the_same_intervals(unlike: list[str], tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    path = tmp_path / "a.jsonl"
    outcomes = demur.Outcomes.from_arrays(**unlike_systems(rng, unlike))
    demur.write_outcomes(outcomes, path)
    found = demur.score(demur.count_outcomes(path), by="topic", **FEW)
    wanted = demur.score(demur.read_outcomes(path, groups=["topic"]), by="topic", **FEW)
    for ours, theirs in zip(found.scores, wanted.scores, strict=True):
        mine, other = (numbers(one.weighted[0].to_dict()) for one in (ours, theirs))
        assert mine == pytest.approx(other, abs=1e-12)


def test_the_command_counts(tmp_path: Path, capsys: Any) -> None:
    path = _written(tmp_path / "a.jsonl", np.random.default_rng(7), 40)
    texts = []
    for engine in ("duckdb", "memory"):
        asked = ["score", path, "--engine", engine, "--by", "topic", "--score", "c@1"]
        assert main([*asked, "--weights", "1,2", "--fail-if", "wrong > 79"]) == 0
        gate = "certified_error(cutoff=0.5) > 0.01"
        assert main([*asked, "--fail-if", gate]) == 1
        texts.append(capsys.readouterr().out.partition("note:")[0])
    assert texts[0] == texts[1]
    for option, value in (("--score", "prr"), ("--leave-out", "topic=x")):
        assert main(["score", path, "--engine", "duckdb", option, value]) == 2
        assert f"must come without {option}" in capsys.readouterr().err
