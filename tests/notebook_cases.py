"""One result of each public class, as a notebook may be asked to show it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

import demur
from demur.difficulty.task_versions import TaskVersions
from demur.store.keeping import keep, kept_runs
from picture_cases import task
from result_cases import JUDGED, TOPICS, A, B, every_result

WHEN = datetime(2027, 3, 1, 12, tzinfo=UTC)
LATER = datetime(2027, 4, 1, 12, tzinfo=UTC)
GATES = '[[gate]]\nrun = "run.jsonl"\nrequire = ["error@0.2 <= 0.5"]\n'


def one_of_each(folder: Path) -> dict[str, demur.Result]:
    """A result by the name of its class; of several that which has the most tables."""
    found: dict[str, demur.Result] = {}
    for result in parts_of([every_result(), *further(folder)], set()):
        name = type(result).__name__
        before = found.setdefault(name, result)
        if len(list(before.tables())) < len(list(result.tables())):
            found[name] = result
    return found


def parts_of(held: Any, seen: set[int]) -> Iterator[demur.Result]:
    """All results in what holds some, whatever it is."""
    if id(held) in seen:
        return
    seen.add(id(held))
    if isinstance(held, demur.Result):
        yield held
    inside: list[Any] = []
    if isinstance(held, list | tuple):
        inside += held[:20]
    elif isinstance(held, dict):
        inside += held.values()
    if type(held).__module__.startswith("demur"):
        inside += getattr(held, "__dict__", {}).values()
        slots = getattr(type(held), "__slots__", ())
        inside += [getattr(held, name, None) for name in slots]
    for each in inside:
        yield from parts_of(each, seen)


def further(folder: Path) -> Iterator[Any]:
    """What is not among the results whose words are kept."""
    yield demur.at_cutoffs(A, [0.4, 0.6])
    yield demur.list_items(A, outcome="wrong")
    yield demur.compare(JUDGED, _people("k"), gold="gold").by_judge
    yield demur.score(A, named=["omniscience-index"])
    yield demur.calibration_of(A).reliability.blocks
    yield demur.set_scores(references=[["a", "b"]], hypotheses=[["a"]])
    yield task().per_markable
    yield TaskVersions({"task": task()})
    yield demur.attribute_loss(*_a_log())
    yield demur.report([demur.error_return(A)], path=folder / "page.html")
    yield from _wholes()
    yield from _kept(folder)


def _people(name: str) -> demur.Outcomes:
    groups = {"gold": ["right", None, "wrong"] * 20}
    return demur.Outcomes.from_arrays(
        system=name,
        item=JUDGED.item,
        correct=[number % 4 > 0 for number in range(60)],
        confidence=np.linspace(0.9, 0.2, 60),
        groups=groups,
    )


def _a_log() -> tuple[demur.Pipeline, list[demur.TargetDialogue]]:
    """Modules that cannot be run, and what they said."""
    said = [("Hi", "greet", "hello"), ("Bye", "greet", "hello"), ("Who?", "whq", "no")]
    meant = [{"nlu": nlu, "dm": [dm]} for _, nlu, dm in said]
    meant[1] = {"nlu": "bye", "dm": ["see you"]}
    dialogues = [
        demur.TargetDialogue(
            f"d{number}",
            [
                demur.TargetTurn(
                    input=text,
                    target=meant[number],
                    annotations={"logged": {"nlu": nlu, "dm": [dm]}},
                )
            ],
        )
        for number, (text, nlu, dm) in enumerate(said)
    ]
    modules = [demur.recorded_module("logged", name=name) for name in ("nlu", "dm")]
    return demur.Pipeline.of(modules), dialogues


def _wholes() -> Iterator[Any]:
    draw = np.random.default_rng(1)
    parts = demur.Outcomes.from_arrays(
        system="agent",
        item=np.repeat(np.arange(400), 3),
        part=np.tile(["1", "2", "3"], 400),
        correct=draw.random(1200) > 0.02,
        confidence=draw.random(1200).round(3),
        groups={"tool": np.tile(["pay", "book", "search"], 400)},
    )
    curve = demur.whole_curve(parts)
    yield [curve, curve.at(nonreturn=0.2), demur.whole_curve_by(parts, by="tool")]
    by_kind = demur.choose_by_kind(parts, kinds="tool", max_error=0.2, certainty=0.8)
    yield [by_kind, demur.ChoicesByKind([by_kind, by_kind])]


def _kept(folder: Path) -> Iterator[Any]:
    says = [{"item": f"q{k}", "response": "yes", "confidence": k / 9} for k in range(9)]
    right = [{"item": f"q{k}", "reference": "yes" if k % 3 else "no"} for k in range(9)]
    judged = demur.judge(says, right, by="label")
    with demur.Store(folder / "runs.sqlite", make=True) as store:
        store.keep(judged, when=WHEN, responses=says, references=right, tags=["main"])
        right[0] = {"item": "q0", "reference": "yes"}
        yield demur.judge_again(store, 1, when=LATER, references=right)
        yield keep(store, TOPICS, when=LATER)
        other = store.keep(demur.judge(says, right, by="text"), when=LATER)
        yield demur.history(store)
        yield [demur.diff_runs(store, 1, run) for run in (2, other.number)]
        yield kept_runs(store)
    demur.write_outcomes(B, folder / "run.jsonl")
    (folder / "demur.toml").write_text(GATES, "utf-8")
    yield demur.hold_gates(folder / "demur.toml")
