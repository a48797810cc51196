"""A signature holds every argument that changes a number, over all public verbs.

The verbs of curves, decisions, comparisons and metrics are tried in their own rooms,
the others here. A verb, or an argument, that stands nowhere fails by name.
"""

import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
import signature_cases
from demur import Result
from pipeline_cases import pipeline, random_dialogues, target_dialogues

DIALOGUES = target_dialogues(random_dialogues(3, 12, gaps=False))
PIPELINE = pipeline()
TRACE = next(each for each in DIALOGUES if len(each.turns) == 4)
AS_REFERENCE = [
    demur.TargetDialogue(
        each.dialogue,
        [
            demur.TargetTurn(
                input=turn.input,
                target=turn.target,
                annotations={
                    **turn.annotations,
                    "human": {**turn.annotations["two"], "policy": ["odd"]},
                },
            )
            for turn in each.turns
        ],
    )
    for each in DIALOGUES
]
ASKED = {"pipeline": PIPELINE, "dialogues": DIALOGUES}
ONE, TWO = {"tracker": "one"}, {"tracker": "two"}


def sure(text: str) -> tuple[str, float]:
    return text if text != "b" else "c", {"a": 0.9, "b": 0.2, "c": 0.6}.get(text, 0.4)


SURE = demur.Pipeline.of(
    [
        demur.as_module(sure, name="nlu", version="1"),
        demur.as_module(lambda act: act and [f"re.{act}"], name="dm", version="1"),
    ]
)
SURE_DIALOGUES = [
    demur.TargetDialogue(
        each.dialogue,
        [
            demur.TargetTurn(
                input=turn.input,
                target={"nlu": turn.input, "dm": [f"re.{turn.input}"]},
                acceptable={"dm": [["re.c"]]},
                annotations={"human": {"nlu": turn.input, "dm": ["re.a"]}},
            )
            for turn in each.turns
        ],
    )
    for each in DIALOGUES
]

RNG = np.random.default_rng(2)
N = 60
BITS = {
    **{name: RNG.uniform(0.1, 1, N).tolist() for name in ("p_with", "p_without", "p")},
    **{"kind": ["x", "y"] * 30, "doc": [f"d{row % 9}" for row in range(N)]},
    "item": [f"q{row}" for row in range(N)],
    "name": [f"n{row}" for row in range(N)],
}
TOKENS = {
    "word": RNG.choice(["bank", "run"], N).tolist(),
    "sense": RNG.choice(["1", "2", "3"], N).tolist(),
    "doc": [f"d{row % 9}" for row in range(N)],
}
WHOLE = demur.difficulty(TOKENS, markable="word", value="sense")
SYSTEMS = {
    name: (each, demur.try_methods(each)[-1].outcomes)
    for name, each in (("whole", WHOLE), ("less", WHOLE.prune("items > 28")))
}
ITEMS = demur.Outcomes.from_arrays(
    item=[f"q{row}" for row in range(N)],
    correct=(RNG.random(N) < 0.6).tolist(),
    confidence=RNG.random(N).round(2).tolist(),
    groups={
        **{name: TOKENS[name] for name in ("word", "sense", "doc")},
        "fold": ["1", "2"] * 30,
        "half": ["1"] * 30 + ["2"] * 30,
    },
)
REFERENCES = [
    {
        "item": f"q{row}",
        "input": f"what {row}",
        "reference": "a",
        "domain": f"t{row % 7}",
    }
    | {"site": f"s{row % 3}"}
    for row in range(N)
]

CASES = [
    (
        demur.run_pipeline,
        {**ASKED, "dialogues": AS_REFERENCE},
        {
            "given": [ONE, TWO],
            "state": ["free"],
            "target": ["reference_run"],
            "running": [demur.Running(repeats=2)],
        },
    ),
    (
        demur.evaluate_pipeline,
        {**ASKED, "dialogues": AS_REFERENCE, "replace": "nlu"},
        {
            "replace": ["tracker"],
            "sources": [["one"], {"one": "two"}],
            "given": [ONE],
            "states": [["free"]],
            "measure": ["precision"],
            "match": ["multiple"],
            "target": ["reference_run"],
            "test": ["wilcoxon"],
            "cluster": ["turn"],
            "level": [0.8],
            "replicates": [500],
            "seed": [3],
            "running": [demur.Running(repeats=2)],
        },
    ),
    (
        demur.attribute_loss,
        ASKED,
        {
            "better": [{"nlu": "one"}],
            "history": [False],
            "given": [{"tracker": "two"}],
            "measure": ["precision"],
            "match": ["multiple"],
            "permutations": [5],
            "level": [0.8],
            "first": [0],
            "running": [demur.Running(repeats=2)],
        },
    ),
    (
        demur.attribute_loss,
        {**ASKED, "permutations": 2},
        {"seed": [3, 5], "permutations": [3], "target": []},
    ),
    (
        demur.attribute_steps,
        {"pipeline": PIPELINE, "dialogue": TRACE},
        {
            "dialogue": [next(e for e in DIALOGUES if len(e.turns) == 3)],
            "modules": [["nlu"]],
            "permutations": [3],
            "running": [demur.Running(repeats=2)],
        },
    ),
    (
        demur.attribute_steps,
        {"pipeline": PIPELINE, "dialogue": TRACE, "permutations": 2},
        {"seed": [3, 5]},
    ),
    (
        demur.explain_turn,
        {**ASKED, "dialogues": AS_REFERENCE, "turn": "d0:1"},
        {
            "turn": ["d2:1"],
            "state": ["free"],
            "given": [ONE],
            "target": ["reference_run"],
            "running": [demur.Running(repeats=2)],
        },
    ),
    (
        demur.plant_errors,
        {**ASKED, "module": "nlu"},
        {
            "module": ["tracker"],
            "source": ["one", "two"],
            "latest": [1],
            "level": [0.8],
            "target": [],
            "running": [demur.Running(repeats=2)],
        },
    ),
    (
        demur.sweep_cutoff,
        {"pipeline": SURE, "dialogues": SURE_DIALOGUES, "module": "nlu"},
        {
            "module": [],
            "state": ["free"],
            "given": [],
            "match": ["strict"],
            "prices": [[0.3]],
            "target": ["reference_run"],
            "running": [demur.Running(repeats=2)],
        },
    ),
    (
        demur.sweep_cutoff,
        {
            **{"pipeline": SURE, "dialogues": SURE_DIALOGUES, "module": "nlu"},
            "state": "free",
        },
        {"cutoffs": [[0.2, 0.6], [0.2]]},
    ),
    (
        demur.usable_information,
        {"probabilities": BITS},
        {
            "given": ["p"],
            "without": ["p"],
            "item": [],  # names only
            "by": ["kind", "doc"],
            "cluster": ["doc"],
            "level": [0.8],
        },
    ),
    (
        demur.difficulty_of_counts,
        {"counts": {"bank": {"shore": 3, "money": 1}, "run": {"go": 2}}},
        {"closed": [True]},
    ),
    (
        demur.decision_table,
        {"counts": [3, 1], "accuracy": 0.9},
        {"accuracy": [0.8], "decisions": [[1, 2]]},
    ),
    (
        demur.scalability,
        {"versions": SYSTEMS},
        {"x": ["perplexity"], "y": ["lift"], "level": [0.8], "at": []},
    ),
    (demur.scalability, {"versions": SYSTEMS, "y": "error"}, {"at": [0.2, 0.5]}),
    (
        demur.scalability,
        {"versions": SYSTEMS, "y": "lift"},
        {"folds": [5], "seed": [3]},
    ),
    (
        demur.try_methods,
        {"found": WHOLE, "words": [TOKENS["doc"]]},
        {"folds": [5], "seed": [3], "methods": [["naive-bayes"]]},
    ),
    (
        demur.selective_baseline,
        {"outcomes": ITEMS, "markable": "word", "value": "sense"},
        {"value": ["doc"], "learned": [True]},
    ),
    (
        demur.selective_baseline,
        {"outcomes": ITEMS, "markable": "word", "value": "sense", "learned": True},
        {"seed": [3]},
    ),
    (
        demur.with_strata,
        {"outcomes": ITEMS, "difficulties": {f"q{k}": k / N for k in range(N)}},
        {"edges": [[0.2]], "strata": [3]},
    ),
    (demur.rank_normalised, {"outcomes": ITEMS}, {"fold": ["half"]}),
    (
        demur.reserve,
        {"references": REFERENCES, "by": "domain"},
        {"by": ["site"], "share": [0.5], "stratify": ["site"], "seed": [3, 5]},
    ),
]


CALLS = [signature_cases.Calls(*case) for case in CASES]


def figures(result: Any) -> str:
    """All that a result says, without its recipe."""
    if isinstance(result, demur.Outcomes):
        columns = result.to_columns()
        return str({name: list(values) for name, values in columns.items()})
    plain = result.to_dict()
    for part in (plain, *plain.get("systems", [])):
        part.pop("signature", None)
    return str(plain)


@signature_cases.one_change_each(CALLS)
def test_another_number_has_another_signature(calls, name, value):
    signature_cases.check_signatures(calls, name, value, figures)


TESTS = Path(__file__).parent
IN_THEIR_ROOMS = {
    # tests/curves, tests/decisions, tests/comparisons, tests/metrics, tests/store
    *("average_curve", "band", "calibration_by", "calibration_of", "check_pooled"),
    *("corrected_curve", "corrected_error", "curve_by", "difference_band"),
    *("error_return", "interval"),
    *("at_cutoffs", "certificate_plan", "choose", "declining_by", "list_items", "lock"),
    *("recheck", "sample"),
    *("compare", "compare_all", "comparison_plan", "price_list", "score"),
    "check_judge",  # tests/judge_models
    *("agreement", "concept_errors", "coreference_scores", "decisive_steps"),
    *("dialogue_costs", "difficulty"),
    *("discourse_measures", "label_scores", "paradise", "slot_scores"),
    *("grammar_outcomes", "out_of_vocabulary"),
    *("set_scores", "span_scores", "text_perplexity", "word_errors"),
    *("diff_runs", "history"),
    *("arrange_judges", "judge_outcomes"),  # tests/judge_models
    *("whole_curve", "whole_curve_by", "whole_outcomes"),  # tests/wholes
    "choose_by_kind",
}
OTHERWISE = {
    # what they are given is all that counts
    *("check_percentages", "compare_words", "contrast", "difference_curve"),
    *("linear_score", "merge", "rasch", "shapley_values"),
    *("read_lock", "read_locks", "read_outcomes", "take_labels", "label_counts"),
    *("sketch", "read_sketches"),
    # tests/judging, tests/references, tests/sql/neighbours, tests/pages
    *("adjudicate", "judge", "lint", "neighbours", "report"),
    *("judge_again", "hold_gates"),  # tests/store
}
DATA = {
    *("pipeline", "dialogues", "probabilities", "counts", "versions", "found", "words"),
    *("outcomes", "difficulties", "references", "sets", "markable"),
}
"""Arguments that are what is measured, not how."""


def gives_results(name: str) -> bool:
    verb = getattr(demur, name)
    if not inspect.isroutine(verb):
        return False
    kind = inspect.signature(verb).return_annotation
    return inspect.isclass(kind) and issubclass(kind, Result)


@pytest.mark.parametrize(
    "name", [name for name in demur.__all__ if gives_results(name)]
)
def test_every_verb_is_tried_somewhere(name):
    tried = {calls.verb.__name__ for calls in CALLS}
    assert name in tried | IN_THEIR_ROOMS | OTHERWISE, f"{name} has no row in CASES"


@pytest.mark.parametrize("name", sorted(IN_THEIR_ROOMS))
def test_a_verb_that_is_tried_in_its_room_is_tried_there(name):
    rooms = [
        *TESTS.glob("*/test_*signatures.py"),
        TESTS / "comparisons/test_contract.py",
    ]
    called = re.compile(rf"\b{name}\b")
    assert any(called.search(path.read_text("utf-8")) for path in rooms), (
        f"{name} has no row in the tests of signatures of its room"
    )


@signature_cases.each_verb(CALLS)
def test_every_argument_is_tried(verb, tried):
    signature_cases.check_all_tried(verb, tried, DATA)
