"""Arguments of the wrong kind: every public verb says what it needs, and who makes it.

Each verb stands in a table with a call that works but for one argument; whatever it is
given must end in an error of demur, never in one of Python or numpy.
"""

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import demur
from builders import refuses
from demur import arrays, checks

N = 60
DRAWN = np.random.default_rng(1)
COLUMNS = {
    "item": [f"q{number}" for number in range(N)],
    "correct": (DRAWN.random(N) < 0.7).tolist(),
    "confidence": DRAWN.random(N).round(2).tolist(),
}
GROUPS = {"domain": ["a", "b"] * 30, "fold": ["x", "y"] * 30, "people": [True] * N}


def system(*names: str) -> demur.Outcomes:
    table = {name: values * len(names) for name, values in COLUMNS.items()}
    groups = {name: values * len(names) for name, values in GROUPS.items()}
    named = [name for name in names for _ in range(N)]
    return demur.Outcomes.from_arrays(**table, system=named, groups=groups)


LR, NB, BOTH = system("lr"), system("nb"), system("lr", "nb")
FRAME = pd.DataFrame(COLUMNS)
CURVE = demur.error_return(LR)
CHOICE = demur.choose(LR, cost_ratio=0.3)
LOCK = demur.lock(LR, CHOICE)
MODEL = demur.ngram_model(["a b"])
EMPTY = LR.take(np.zeros(N, bool))
CALIBRATION = demur.calibration_of(LR)
SILENT = demur.baselines.Silent()
TASK = {"markable": "l", "value": "s"}

OUTCOMES: dict[str, Callable[[Any], Any]] = {
    "arrange_judges": demur.arrange_judges,
    "band": demur.band,
    "calibration_by": demur.calibration_by,
    "calibration_of": demur.calibration_of,
    "certificate_plan": lambda x: demur.certificate_plan(max_error=0.1, pilot=x),
    "certified_error": lambda x: demur.certified_error(x, cutoff=0.5),
    "check_pooled": demur.check_pooled,
    "choose": lambda x: demur.choose(x, cost_ratio=0.3),
    "choose_by_kind": lambda x: demur.choose_by_kind(x, kinds="item", max_error=0.1),
    "choose certified": lambda x: demur.choose(x, max_error=0.3, certainty=0.9),
    "compare": lambda x: demur.compare(x, NB),
    "compare with": lambda x: demur.compare(LR, x),
    "compare_all": lambda x: demur.compare_all([x, NB]),
    "comparison_plan": lambda x: demur.comparison_plan(x, NB, difference=0.1),
    "corrected_curve": lambda x: demur.corrected_curve(x, "people"),
    "corrected_error": lambda x: demur.corrected_error(x, "people"),
    "curve_by": demur.curve_by,
    "whole_curve": demur.whole_curve,
    "whole_curve_by": demur.whole_curve_by,
    "whole_outcomes": demur.whole_outcomes,
    "at_cutoffs": lambda x: demur.at_cutoffs(x, 0.5),
    "declining_by": lambda x: demur.declining_by(x, "domain", cutoff=0.5),
    "difference_band": lambda x: demur.difference_band(x, NB),
    "difference_band with": lambda x: demur.difference_band(LR, x),
    "different_items": demur.different_items,
    "error_return": demur.error_return,
    "halves": demur.halves,
    "interval": demur.interval,
    "list_items": demur.list_items,
    "lock": lambda x: demur.lock(x, CHOICE),
    "rank_normalised": demur.rank_normalised,
    "recheck": lambda x: demur.recheck(LOCK, x),
    "sample": lambda x: demur.sample(x, budget=3, purpose="cutoff"),
    "score": demur.score,
    "sketch": demur.sketch,
    "judge_outcomes": lambda x: demur.judge_outcomes(x, gold="people"),
    "label_counts": demur.label_counts,
    "take_labels": lambda x: demur.take_labels(x, "labels.csv"),
    "selective_baseline": lambda x: demur.selective_baseline(x, "domain"),
    "rasch": demur.rasch,
    "with_strata": lambda x: demur.with_strata(x, dict.fromkeys(COLUMNS["item"], 1)),
}
"""Verbs that take outcomes."""

CURVES: dict[str, Callable[[Any], Any]] = {
    "average_curve": lambda x: demur.average_curve([x]),
    "contrast": demur.contrast,
    "difference_curve": lambda x: demur.difference_curve(x, CURVE),
    "difference_curve with": lambda x: demur.difference_curve(CURVE, x),
    "plot_comparison": lambda x: demur.plot_comparison(x, CURVE),
    "plot_comparison with": lambda x: demur.plot_comparison(CURVE, x),
    "plot_curves": demur.plot_curves,
    "plot_prices": lambda x: demur.plot_prices([x]),
    "plot_split": demur.plot_split,
    "price_list": lambda x: demur.price_list([x]),
}
"""Verbs that take curves."""

OTHERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "attribute_loss": (lambda x: demur.attribute_loss(x, []), "a Pipeline"),
    "attribute_steps": (lambda x: demur.attribute_steps(x, None), "a Pipeline"),
    "compare_words": (lambda x: demur.compare_words(x, x), "a WordErrors"),
    "evaluate_pipeline": (
        lambda x: demur.evaluate_pipeline(x, [], replace="nlu"),
        "a Pipeline",
    ),
    "explain_turn": (lambda x: demur.explain_turn(x, [], "d:1"), "a Pipeline"),
    "judge_again": (lambda x: demur.judge_again(x, 1, when=None), "a Store"),
    "lacking_strata": (lambda x: demur.lacking_strata(x, x), "a Difficulty"),
    "lock": (lambda x: demur.lock(LR, x), "a Choice"),
    "plant_errors": (lambda x: demur.plant_errors(x, [], module="nlu"), "a Pipeline"),
    "plot_agreement": (demur.plot_agreement, "an Agreement"),
    "plot_calibration": (demur.plot_calibration, "a Calibration"),
    "plot_contrasts": (demur.plot_contrasts, "a Contrast"),
    "plot_corrected_curves": (
        lambda x: demur.plot_corrected_curves([x]),
        "a CorrectedCurve",
    ),
    "plot_difficulty": (demur.plot_difficulty, "a Difficulty"),
    "plot_pipeline": (demur.plot_pipeline, "a PipelineEvaluation"),
    "plot_scalability": (demur.plot_scalability, "a Scalability"),
    "recheck": (lambda x: demur.recheck(x, LR), "a Lock"),
    "repeated_meanings": (lambda x: demur.repeated_meanings([x]), "a Stipulation"),
    "run_pipeline": (lambda x: demur.run_pipeline(x, []), "a Pipeline"),
    "text_perplexity": (lambda x: demur.text_perplexity(["a"], x), "a NgramModel"),
    "sweep_cutoff": (lambda x: demur.sweep_cutoff(x, [], module="nlu"), "a Pipeline"),
    "try_methods": (demur.try_methods, "a Difficulty"),
    "uncited_meanings": (
        lambda x: demur.uncited_meanings([], [x]),
        "a Stipulation",
    ),
    "unknown_meanings": (lambda x: demur.unknown_meanings([x], []), "a Reference"),
    "write_cas": (demur.write_cas, "a CasAnswer"),
}
"""Verbs that take another result, and which."""

ONE_RESPONSE = [{"item": "q1", "response": "a"}]
ONE_REFERENCE = [{"item": "q1", "reference": "a"}]


def as_right(_case: Any, _asking: Any) -> bool:
    return True


PLAIN: dict[str, Callable[[Any], Any]] = {
    "adjudicate": lambda x: demur.adjudicate(x, ONE_REFERENCE, []),
    "adjudicate by": lambda x: demur.adjudicate(ONE_RESPONSE, ONE_REFERENCE, x),
    "agreement": demur.agreement,
    "as_stateful": demur.as_stateful,
    "check_judge": lambda x: demur.check_judge(as_right, x, ONE_REFERENCE),
    "check_judge by": lambda x: demur.check_judge(as_right, ONE_RESPONSE, x),
    "check_percentages": demur.check_percentages,
    "concept_errors": demur.concept_errors,
    "coreference_scores": demur.coreference_scores,
    "decision_table": lambda x: demur.decision_table(x, accuracy=0.9),
    "dialogue_costs": demur.dialogue_costs,
    "decisive_steps": demur.decisive_steps,
    "difficulty": lambda x: demur.difficulty(x, markable="lemma", value="sense"),
    "difficulty_of_counts": demur.difficulty_of_counts,
    "discourse_measures": demur.discourse_measures,
    "entropy_of_counts": demur.entropy_of_counts,
    "f_measure": lambda x: demur.f_measure(x, 0.5),
    "grammar_outcomes": lambda x: demur.grammar_outcomes(
        hypotheses=["a"], references=x
    ),
    "holm": demur.holm,
    "http_module": demur.http_module,
    "intent_classifier": demur.intent_classifier,
    "iter_records": lambda x: list(demur.iter_records(x)),
    "judge": lambda x: demur.judge(x, ONE_REFERENCE),
    "judge by": lambda x: demur.judge(ONE_RESPONSE, x),
    "label_scores": demur.label_scores,
    "lift": lambda x: demur.lift(x, 0.5),
    "linear_score": demur.linear_score,
    "lint": demur.lint,
    "maxent_features": demur.maxent_features,
    "mcnemar_exact": lambda x: demur.mcnemar_exact(x, 1),
    "merge": demur.merge,
    "neighbours": lambda x: demur.neighbours(x, "more"),
    "count_outcomes": demur.count_outcomes,
    "ngram_model": demur.ngram_model,
    "out_of_vocabulary": lambda x: demur.out_of_vocabulary(x, references=["a"]),
    "paradise": lambda x: demur.paradise(x, "kappa", ["turns"]),
    "parse_arrangement": demur.parse_arrangement,
    "parse_cas": demur.parse_cas,
    "perplexity": demur.perplexity,
    "read_adjudications": demur.read_adjudications,
    "read_arpa": demur.read_arpa,
    "read_coreference": lambda x: demur.read_coreference(hypotheses=x, references=x),
    "read_dialogue_manager": demur.read_dialogue_manager,
    "read_dialogues": demur.read_dialogues,
    "read_lock": demur.read_lock,
    "read_locks": demur.read_locks,
    "read_off_topic_lines": demur.read_off_topic_lines,
    "read_outcomes": demur.read_outcomes,
    "read_gates": demur.read_gates,
    "hold_gates": demur.hold_gates,
    "diff_runs": lambda x: demur.diff_runs(x, 1, 2),
    "history": demur.history,
    "read_pipeline": demur.read_pipeline,
    "read_references": demur.read_references,
    "read_responses": demur.read_responses,
    "read_rubric": demur.read_rubric,
    "read_signs": demur.read_signs,
    "read_sketches": demur.read_sketches,
    "read_stipulations": demur.read_stipulations,
    "reserve": lambda x: demur.reserve(x, by="domain"),
    "run": lambda x: demur.run(demur.baselines.Silent(), x),
    "save_picture": lambda x: demur.save_picture(x, "a.svg"),
    "scalability": demur.scalability,
    "scored_choices": demur.scored_choices,
    "set_scores": demur.set_scores,
    "sign_flip": demur.sign_flip,
    "slot_scores": demur.slot_scores,
    "span_scores": demur.span_scores,
    "text_perplexity": lambda x: demur.text_perplexity(x, MODEL),
    "usable_information": demur.usable_information,
    "wilcoxon_signed_rank": demur.wilcoxon_signed_rank,
    "with_annotations": lambda x: demur.with_annotations(x, []),
    "word_errors": demur.word_errors,
    "word_errors of": lambda x: demur.word_errors(hypotheses=["a"], references=x),
    "write_dialogues": lambda x: demur.write_dialogues(x, "d.jsonl"),
    "write_outcomes": lambda x: demur.write_outcomes(LR, x),
}
"""Verbs that take texts, numbers, records, paths."""

WRONG = {
    "a dataframe": FRAME,
    "a list of dicts": FRAME.to_dict("records"),
    "a curve": CURVE,
    "outcomes": LR,
    "a list of outcomes": [LR],
    "None": None,
    "a path": "a.csv",
    "a number": 3,
}


def refused(verb: Callable[[Any], Any], value: Any) -> str:
    """The words with which a verb refuses an argument."""
    with pytest.raises(demur.DemurError) as caught:
        verb(value)
    return str(caught.value)


@pytest.mark.parametrize("name", OUTCOMES)
def test_a_verb_of_outcomes_says_who_makes_them(name):
    verb, title = OUTCOMES[name], name.partition(" ")[0]
    needed = f"{title}: the outcomes must be an Outcomes table; got "
    for what, way in {
        "a dataframe": "DataFrame. demur.Outcomes.from_frame(df) makes one of a",
        "a list of dicts": "list. demur.Outcomes.from_arrays and demur.judge make one.",
        "a curve": "Curve. Give the outcomes that the curve was made of.",
        "a list of outcomes": "list. Give one of them.",
        "a path": "'a.csv'. demur.read_outcomes(path) reads files.",
        "a number": "3. demur.Outcomes.from_arrays and demur.judge make one.",
    }.items():
        words = refused(verb, WRONG[what])
        # Where several are asked for, it is one of these.
        words = words.replace("each of tables must", "the outcomes must")
        assert words.startswith(needed + way)
    if name != "certificate_plan":  # which needs no pilot
        refused(verb, None)
    assert "must hold at least one row; got none" in refused(verb, EMPTY)


@pytest.mark.parametrize(
    "name",
    [
        *("band", "calibration_of", "certified_error", "check_pooled", "compare"),
        *("compare with", "compare_all", "comparison_plan", "corrected_curve"),
        *("corrected_error", "declining_by", "difference_band", "interval", "lock"),
        "at_cutoffs",
        "difference_band with",
    ],
)
def test_a_verb_of_one_system_refuses_several(name):
    words = refused(OUTCOMES[name], BOTH)
    start = f"{name.partition(' ')[0]}: outcomes must be of one system; got lr, nb. "
    assert words == f"{start}Select one, as outcomes.select(system='lr') does."


def test_several_systems_are_refused_wherever_they_stand():
    for verb in (demur.compare, demur.difference_band):
        assert "of one system" in refused(lambda x, verb=verb: verb(x, x), BOTH)
    assert "of one system" in refused(demur.compare_all, [BOTH])
    assert "in a list; got Outcomes" in refused(demur.compare_all, LR)
    assert "of one system and setting; got 2" in refused(demur.error_return, BOTH)


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("what", [name for name in WRONG if name != "a curve"])
def test_a_verb_of_curves_says_who_makes_them(name, what):
    words = refused(CURVES[name], WRONG[what])
    assert words.startswith(f"{name.partition(' ')[0]}: ")
    assert "must be a Curve; got " in words
    assert words.endswith("demur.error_return(outcomes) makes one.")


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("what", WRONG)
def test_a_verb_of_another_result_says_which(name, what):
    verb, needed = OTHERS[name]
    words = refused(verb, WRONG[what])
    assert words.startswith(f"{name}: ")
    assert f"must be {needed}" in words


FITS = {
    *(("maxent_features", "a path"), ("parse_cas", "a path")),
    *(("write_outcomes", "a path"), ("mcnemar_exact", "a number")),
}
"""What is right for a verb after all."""


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (name, what)
        for name in PLAIN
        for what in ("a curve", "outcomes", "None", "a path", "a number")
        if (name, what) not in FITS
    ],
)
def test_a_verb_of_plain_values_refuses_the_rest(name, what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused(PLAIN[name], WRONG[what])


def test_every_verb_is_in_a_table():
    tried = {name.partition(" ")[0] for name in (*OUTCOMES, *CURVES, *OTHERS, *PLAIN)}
    anything = {  # whatever is given is called, shown or looked up
        *("as_module", "as_system", "character", "compare_all", "compare_relations"),
        *("prefixes", "read_act_text", "read_agent_traces", "read_wizard_log"),
        *("recorded_module", "replayed", "report", "shapley_values"),
    }
    verbs = {
        name
        for name in demur.__all__
        if callable(getattr(demur, name)) and not isinstance(getattr(demur, name), type)
    }
    assert verbs <= tried | anything


NUMBERS = ["high", math.nan, None, [0.5, "x"], SimpleNamespace(), FRAME]
COUNTS = ["many", math.nan, -1, 2.5, [1], SimpleNamespace(), FRAME]
NAMES = [3, math.nan, [1], SimpleNamespace()]
RATES = [math.nan, 3, SimpleNamespace(), FRAME]
PAIRS = [0.2, (0.5,), (), math.nan, SimpleNamespace()]
CHOICES = ["lineaer", None, 3, ["linear"]]


def neighbours(path: Any = "no-such-folder", **how: Any) -> Any:
    """Neighbours of a database that is not there."""
    references = [{"item": "q", "db": "no.sqlite", "sql": "SELECT 1"}]
    return demur.neighbours(references, path, **how)


ARGUMENTS: list[tuple[Callable[..., Any], str, list[Any]]] = [
    *(
        (verb, "executor", [4, "processes", print])
        for verb in (
            lambda **how: demur.band(LR, **how),
            lambda **how: demur.interval(LR, **how),
            lambda **how: demur.compare(LR, NB, **how),
            lambda **how: demur.compare_all([LR, NB], **how),
            lambda **how: demur.run(SILENT, [("a", "b")], **how),
            lambda **how: demur.Running(**how),
            lambda **how: demur.Databases(**how),
        )
    ),
    (lambda **how: demur.band(LR, **how), "level", NUMBERS),
    (lambda **how: demur.band(LR, **how), "seed", [*COUNTS, None]),
    (lambda **how: demur.band(LR, **how), "replicates", [*COUNTS, None]),
    (lambda **how: demur.band(LR, **how), "grid", ["x", 3, ["a"], [math.nan]]),
    (lambda **how: demur.band(LR, **how), "method", CHOICES),
    (lambda **how: demur.interval(LR, **how), "level", NUMBERS),
    (lambda **how: demur.interval(LR, **how), "seed", [*COUNTS, None]),
    (lambda **how: demur.interval(LR, **how), "between", PAIRS),
    (lambda **how: demur.interval(LR, **how), "quantity", CHOICES),
    (lambda **how: demur.interval(LR, "error", **how), "at", [*NUMBERS, 2, -1]),
    (lambda **how: demur.difference_band(LR, NB, **how), "seed", [*COUNTS, None]),
    (lambda **how: demur.compare(LR, NB, **how), "at", [*NUMBERS, 2]),
    (lambda **how: demur.compare(LR, NB, **how), "area", PAIRS),
    (lambda **how: demur.compare(LR, NB, **how), "level", NUMBERS),
    (lambda **how: demur.compare(LR, NB, **how), "items", CHOICES),
    (lambda **how: demur.compare_all([LR, NB], **how), "against", ["c", 3]),
    (
        lambda **how: demur.comparison_plan(LR, NB, **how),
        "difference",
        [*NUMBERS, 0, True],
    ),
    (lambda **how: demur.calibration_of(LR, **how), "targets", [0.5, None, [2], "x"]),
    (lambda **how: demur.calibration_of(LR, **how), "seed", [*COUNTS, None]),
    (lambda **how: demur.calibration_by(LR, **how), "by", [*NAMES, "topic"]),
    (lambda **how: demur.curve_by(LR, **how), "by", [*NAMES, "topic"]),
    (lambda **how: demur.score(LR, **how), "by", [*NAMES, "topic"]),
    (lambda **how: demur.score(LR, **how), "weights", [2, "x", [0], ["x"], [True]]),
    (lambda **how: demur.score(LR, **how), "named", [*NAMES, "AUC"]),
    (
        lambda **how: demur.score(LR, **how),
        "leave_out",
        ["domain", ["domain"], {"domain": 3}, {"topic": "a"}],
    ),
    (
        lambda **how: demur.certified_error(LR, **how),
        "cutoff",
        ["high", math.nan, [0.5], CHOICE, FRAME],
    ),
    (
        lambda **how: demur.corrected_error(LR, "people", **how),
        "cutoff",
        ["high", math.nan, [0.5], CHOICE],
    ),
    (
        lambda **how: demur.declining_by(LR, "domain", **how),
        "cutoff",
        ["high", math.nan, [0.5], CHOICE],
    ),
    (
        lambda **how: demur.certificate_plan(max_error=0.1, **how),
        "errors",
        [3, ["x"], "x", [-1]],
    ),
    (lambda **how: demur.certificate_plan(**how), "max_error", [*NUMBERS, 0, 1]),
    (lambda **how: demur.choose(LR, **how), "cost_ratio", [*NUMBERS, -1]),
    (lambda **how: demur.choose(LR, **how), "max_error", [*NUMBERS, 2]),
    (lambda **how: demur.halves(LR, **how), "share", [*NUMBERS, 0, 1]),
    (lambda **how: demur.halves(LR, **how), "seed", [*COUNTS, None]),
    (lambda **how: demur.check_pooled(LR, **how), "seed", [*COUNTS, None]),
    (lambda **how: demur.check_pooled(LR, **how), "fold", ["model", 3, "people"]),
    (
        lambda **how: demur.with_strata(LR, **how),
        "difficulties",
        [3, ["q1"], {"q1": 1}, None],
    ),
    (
        lambda **how: demur.average_curve([CURVE, CURVE], **how),
        "weight",
        ["ab", 3, [1], ["x", "y"], [1, math.nan], [-1, 1]],
    ),
    (lambda **how: CURVE.at(**how), "nonreturn", [*NUMBERS, 2]),
    (lambda **how: demur.report(LR, **how), "by", [*NAMES, "topic"]),
    (lambda **how: demur.report(LR, **how), "compare", [3, "ab", [("lr",)], [3]]),
    (lambda **how: demur.report(LR, **how), "against", [3, ["lr"], "c"]),
    (lambda **how: demur.report(LR, **how), "path", [3, ["a.html"]]),
    (
        lambda **how: demur.judge(ONE_RESPONSE, ONE_REFERENCE, **how),
        "no_answer",
        [3, {"a": 1}],
    ),
    (
        lambda **how: demur.agreement({"a": [1, 2], "b": [1, 1]}, **how),
        "metric",
        [3, "nominale", []],
    ),
    (
        lambda **how: demur.agreement({"a": [1, 2], "b": [1, 1]}, **how),
        "annotators",
        [3, ["c"], "c", [1]],
    ),
    (lambda **how: demur.f_measure(0.5, 0.5, **how), "alpha", [*NUMBERS, 2, -1]),
    (lambda **how: demur.Outcomes.from_frame(FRAME, **how), "names", [3, "x", ["x"]]),
    (lambda **how: demur.Outcomes.from_frame(FRAME, **how), "groups", [*NAMES, "x"]),
    (
        lambda **how: demur.Outcomes.from_arrays(correct=[1], **how),
        "groups",
        [3, ["x"]],
    ),
    (
        lambda **how: demur.Outcomes.from_arrays(**how),
        "correct",
        [3, FRAME, LR, {"a": 1}, ["x"], [2.0]],
    ),
    (lambda **how: demur.prefixes("a b", **how), "parts", [*COUNTS, 0]),
    (lambda **how: demur.shapley_values(["a"], **how), "value", [3, None, "x"]),
    (lambda **how: demur.compare(LR, NB, **how), "margin", [*RATES, 0, -1, 0.9, "zz"]),
    (lambda **how: demur.compare(LR, NB, **how), "at_error", [*RATES[1:], 2]),
    (lambda **how: demur.compare(LR, **how), "b", [LR, system("lr")]),
    (lambda **how: demur.compare(LR, NB, **how), "seed", [*COUNTS, None]),
    (lambda **how: demur.compare(LR, NB, **how), "gold", [*NAMES, ["people"], "item"]),
    (lambda **how: demur.compare_all([LR, NB], **how), "seed", [*COUNTS, None]),
    (lambda **how: demur.compare_all([LR, NB], **how), "at", [*RATES, "x"]),
    (lambda **how: demur.compare_all([LR, NB], **how), "at_error", [0.1, "zz", []]),
    (lambda **how: demur.compare_all([LR, NB], **how), "area", [(0.1, 0.3), 3]),
    (lambda **how: demur.compare_all(**how), "tables", [[], [LR], [LR, LR]]),
    (
        lambda **how: demur.comparison_plan(LR, NB, **how),
        "difference",
        [-1, 0.95, 10**400, [0.1]],
    ),
    (lambda **how: demur.choose(LR, **how), "cost_ratio", [10**400]),
    (lambda **how: demur.choose(LR, **how), "wrong_costs", [10**400, 0, "1e-400"]),
    (lambda **how: demur.sign_flip([0.1] * 40, **how), "replicates", [*COUNTS, 0]),
    (lambda **how: demur.holm(**how), "p_values", [[-1, 0.5], [1, 2], [math.nan]]),
    (
        lambda **how: demur.declining_by(LR, cutoff=0.7, **how),
        "by",
        [["domain"], 3, "topic"],
    ),
    (lambda **how: demur.check_pooled(LR, **how), "fold", [["fold"], "topic"]),
    (lambda **how: demur.rank_normalised(LR, **how), "fold", [["fold"], "topic"]),
    (lambda **how: demur.lint(ONE_REFERENCE, **how), "meanings", [3, "f", [3]]),
    (lambda **how: demur.lint(ONE_REFERENCE, **how), "signs", [3, "f", ["f"]]),
    (lambda **how: demur.lint(ONE_REFERENCE, **how), "cache", [3, ["a"]]),
    (lambda **how: demur.merge({"x": ONE_REFERENCE}, **how), "apart", [None, 3, [3]]),
    (neighbours, "instances", [*COUNTS, 0]),
    (neighbours, "rows", [*COUNTS, 0]),
    (neighbours, "seed", [*COUNTS, None]),
    (neighbours, "by", ["label", "sqll", None, 3]),
    (neighbours, "path", [None, 3, ".", "no/such/folder", "a\0b"]),
    (neighbours, "databases", [3, ["a"], FRAME, "postgresql://host/air"]),
    (
        lambda **how: demur.concept_errors(hypotheses=[[]], references=[[]], **how),
        "classes",
        ["x", ["x"]],
    ),
    (
        lambda **how: demur.run(**how, inputs=[("i", "x")]),
        "system",
        [len, None, "a", {}],
    ),
    (lambda **how: demur.run(SILENT, [("i", "x")], **how), "keep", [None, 3, ["x"]]),
    (lambda **how: demur.run(SILENT, [("i", "x")], **how), "path", [3, ["a"]]),
    (lambda **how: demur.run(SILENT, [("i", "x")], **how), "progress", [3, "x"]),
    (
        lambda **how: demur.compare_relations(response=[[1]], reference=[[1]], **how),
        "settings",
        [None, "x"],
    ),
    (lambda **how: demur.plot_curves(CURVE, **how), "ax", ["x", 3, [3]]),
    (lambda **how: CURVE.plot(**how), "ax", ["x", 3]),
    (lambda **how: demur.plot_curves(CURVE, **how), "title", [3, ["x"]]),
    (lambda **how: demur.plot_curves(CURVE, **how), "labels", [3, "ab", ["a", "b"]]),
    (lambda **how: demur.plot_curves(CURVE, **how), "region", [*PAIRS, []]),
    (lambda **how: demur.plot_split(CURVE, **how), "axes", [3, "x"]),
    (lambda **how: demur.plot_calibration(CALIBRATION, **how), "title", [3]),
    (
        lambda **how: demur.plot_calibration(CALIBRATION, **how),
        "labels",
        [3, ["a", "b"]],
    ),
    (lambda **how: demur.plot_comparison(CURVE, CURVE, **how), "region", [*PAIRS, []]),
    (lambda **how: demur.Results(**how), "results", [[1], ["a"]]),
    (lambda **how: demur.Results([]).to_frame(**how), "table", [0]),
    (lambda **how: demur.price_list(**how), "curves", [[]]),
    (lambda **how: demur.certificate_plan(max_error=0.1, **how), "errors", [[]]),
    (
        lambda **how: demur.agreement({"a": [1, 2], "b": [1, 1]}, **how),
        "metric",
        [lambda *_: None, lambda *_: "x", lambda *_: math.nan, lambda *_: -1],
    ),
    (
        lambda **how: demur.agreement(metric="interval", **how),
        "annotations",
        [
            *(
                {"a": [1e308, -1e308, 1], "b": [1, 1e308, 1]},
                {"a": {1, 2}, "b": [1, 2]},
            ),
            *(
                {"a": [math.inf, 1.0], "b": [1.0, 1.0]},
                {"a": [10**400, 1], "b": [1, 1]},
            ),
        ],
    ),
    (
        lambda **how: demur.shapley_values(["a"], lambda _: 1.0, **how),
        "seed",
        [*COUNTS, None],
    ),
    (
        lambda **how: demur.difficulty({"l": ["a"], "s": ["b"]}, **TASK, **how),
        "closed",
        ["no", None, 1],
    ),
    (lambda **how: demur.difficulty(**TASK, **how), "tokens", [{"l": "ab", "s": "cd"}]),
    (
        lambda **how: demur.word_errors(hypotheses=["a"], references=["a"], **how),
        "system",
        [3, [], None],
    ),
    (
        lambda **how: demur.slot_scores(hypotheses=[{}], references=[{}], **how),
        "system",
        [3, [], None],
    ),
    (lambda **how: demur.word_errors(hypotheses=["a"], **how), "references", [{"a"}]),
    (
        lambda **how: demur.word_errors(references=["a", "b"], **how),
        "hypotheses",
        [{"a", "b"}],
    ),
    (
        lambda **how: demur.label_scores(references=["a", "b"], **how),
        "hypotheses",
        [{"a", "b"}],
    ),
    (lambda **how: demur.Outcomes.from_arrays(**how), "correct", [{0, 1}]),
]


@pytest.mark.parametrize(
    ("verb", "name", "value"),
    [(verb, name, value) for verb, name, values in ARGUMENTS for value in values],
)
def test_a_wrong_argument_is_refused_in_our_words(verb, name, value):
    with pytest.raises(demur.DemurError) as caught:
        verb(**{name: value})
    assert str(caught.value).isprintable(), "it is one line"


@pytest.mark.parametrize(
    "message",
    [
        lambda: demur.band(LR, level=np.zeros((9, 9))),
        lambda: demur.band(LR, level=FRAME["item"]),
        lambda: demur.choose(LR, cost_ratio=10**6000),
        lambda: demur.error_return(system("a\x1b[31m\nX", "b")),
    ],
)
def test_messages_are_one_line_without_control_characters(message):
    with pytest.raises(demur.DemurError) as caught:
        message()
    assert str(caught.value).isprintable()


class Comparing:
    """A comparator of a user, which returns what it is told to."""

    version = "c/1"

    def __init__(self, match):
        self.match = match

    def read(self, value):
        return value

    def compare(self, *_):
        return self.match

    def __str__(self):
        return "c"


@pytest.mark.parametrize("credit", [math.nan, "x", 2, -0.5, math.inf])
def test_a_comparator_with_an_unsound_credit_is_refused(credit):
    by = Comparing(demur.answers.Match(credit, "why", "equal"))
    for reference in ({"reference": "x"}, {"references": ["x", "y"]}):
        with pytest.raises(demur.InputError, match="a credit from 0 to 1"):
            demur.judge(ONE_RESPONSE, [{"item": "q1", **reference}], by=by)


@pytest.mark.parametrize(
    "match", [True, None, 1.0, (1.0, "why"), demur.answers.Match(1.0, None)]
)
def test_a_comparator_that_returns_no_match_is_refused(match):
    with pytest.raises(demur.InputError, match="must return a Match"):
        demur.judge(ONE_RESPONSE, ONE_REFERENCE, by=Comparing(match))


def agreed(rows):
    return demur.agreement([record for _, record in rows])


UNHASHABLE: list[tuple[Callable[[Any], Any], dict[str, Any]]] = [
    (lambda rows: demur.difficulty(rows, **TASK), {"l": [1], "s": "x"}),
    (lambda rows: demur.difficulty(rows, **TASK), {"l": "a", "s": {"x": 1}}),
    (
        lambda rows: demur.difficulty(rows, **TASK, cluster="c"),
        {"l": "a", "s": "b", "c": [1]},
    ),
    (agreed, {"unit": 1, "annotator": "a", "label": [[1], 2]}),
    (agreed, {"unit": 1, "annotator": "a", "label": {"x": 1}}),
    (demur.slot_scores, {"dialogue": [1], "ref": {"a": "b"}, "hyp": {}}),
    (demur.discourse_measures, {"dialogue": [1], "ref": {"a": "b"}, "hyp": {}}),
    (demur.word_errors, {"cluster": [1], "ref": "a", "hyp": "a"}),
    (demur.dialogue_costs, {"dialogue": [1]}),
    (
        lambda rows: demur.usable_information(rows, by="g"),
        {"p_with": 0.5, "p_without": 0.5, "g": [1]},
    ),
]


@pytest.mark.parametrize(("verb", "record"), UNHASHABLE)
def test_lists_in_columns_of_names_are_refused_with_their_place(verb, record):
    refuses(r"^(a\.jsonl:|record )1: \w+ must be a text", verb, [("a.jsonl:1", record)])


def test_a_turn_that_stands_twice_is_refused():
    turn = {"dialogue": "d", "ref": {"a": "b"}, "hyp": {}}
    with pytest.raises(demur.InputError, match="turn 1 must be there once"):
        demur.slot_scores([{**turn, "turn": 1}, {**turn, "turn": 1}])
    for turns in ((1, 2), ("yes", "yes")):  # numbers, or what was said
        rows = [{**turn, "turn": each} for each in turns]
        assert demur.slot_scores(rows).turns == 2


def test_numbers_of_a_dataframe_are_named_as_python_has_them():
    frame = pd.DataFrame({"item": [1, 1], "correct": [1, 0]})
    with pytest.raises(demur.InputError) as caught:
        demur.Outcomes.from_frame(frame)
    assert "np.int64" not in str(caught.value)


def test_a_choice_in_place_of_its_cutoff_is_told_so():
    with pytest.raises(
        demur.InputError, match=r"cutoff must be a number; .* Give its cutoff\."
    ):
        demur.certified_error(LR, cutoff=CHOICE)


@pytest.mark.parametrize(
    ("verb", "old", "new"),
    [
        (lambda **how: demur.curve_by(LR, **how), "groups", "by"),
        (lambda **how: demur.calibration_by(LR, **how), "groups", "by"),
        (lambda **how: demur.declining_by(LR, cutoff=0.5, **how), "group", "by"),
    ],
)
def test_old_names_of_arguments_are_taken_with_a_warning(verb, old, new):
    wanted = verb(**{new: "domain"})
    with pytest.warns(DeprecationWarning, match=f"{old} is called {new} now"):
        assert verb(**{old: "domain"}) == wanted


# -- responses and references -------------------------------------------------------

SIDES = {
    **dict.fromkeys(("response", "responses", "hypotheses"), "response"),
    **dict.fromkeys(("reference", "references"), "reference"),
}
OTHER_WORDS = {
    *("hypothesis", "hyp", "hyps", "predicted", "prediction", "predictions"),
    *("candidate", "candidates", "returned", "y_pred", "actual", "guesses"),
    *("ref", "refs", "truth", "expected", "said", "y_true", "labels_true"),
}
BY_PLACE = {
    # Records of the other side have not the fields needed.
    *("judge", "adjudicate", "check_judge"),
    *(
        "compare",
        "distance",
        "explain",
        "prepare",
    ),  # demur calls them, as it does users' own
}
AS_IN_SCIKIT_LEARN = {"ErrorReturnDisplay.from_predictions"}
"""Its words, in its order; labels that are only compared may be swapped."""

RULE = "docs/decisions/0015: responses before references, and both by name only"


def calls(name: str, thing: Any) -> Iterator[tuple[str, list[inspect.Parameter]]]:
    """A verb, or the functions and methods of a public class or room."""
    if inspect.isroutine(thing):
        yield name, list(inspect.signature(thing).parameters.values())
    elif inspect.isclass(thing) or inspect.ismodule(thing):
        for key in vars(thing):
            member = getattr(thing, key)
            ours = str(getattr(member, "__module__", "")).startswith("demur")
            if ours and not key.startswith("_"):
                yield from calls(f"{name}.{key}", member)


CALLS = dict(
    call for name in demur.__all__ for call in calls(name, getattr(demur, name))
)


def sides(name: str) -> list[inspect.Parameter]:
    """The arguments that hold responses or references, if there are both."""
    found = [parameter for parameter in CALLS[name] if parameter.name in SIDES]
    return found if len({SIDES[side.name] for side in found}) == 2 else []


@pytest.mark.parametrize("name", CALLS)
def test_responses_stand_before_references_and_are_named(name):
    other = OTHER_WORDS & {parameter.name for parameter in CALLS[name]}
    assert not other or name in AS_IN_SCIKIT_LEARN, (
        f"{name}: {RULE}, as the glossary calls them"
    )
    order = [SIDES[side.name] for side in sides(name)]
    assert order == sorted(order, reverse=True), f"{name}: {RULE}"
    if name.rpartition(".")[2] not in BY_PLACE:
        named = [side.kind is side.KEYWORD_ONLY for side in sides(name)]
        assert all(named), f"{name}: {RULE}"


def test_the_verbs_with_both_sides_are_found():
    both = {name for name in CALLS if sides(name)}
    assert both >= {"judge", "compare_relations", "answers.Comparator.compare"}
    assert len({name for name in both if "." not in name}) == 16


@pytest.mark.parametrize(
    "verb",
    [
        demur.judge,
        lambda *sides: demur.adjudicate(*sides, []),
        lambda *sides: demur.check_judge(as_right, *sides),
    ],
    ids=["judge", "adjudicate", "check_judge"],
)
def test_records_of_the_other_side_are_refused(verb):
    with pytest.raises(demur.InputError):
        verb(ONE_REFERENCE, ONE_RESPONSE)


OLD_ORDER: dict[str, tuple[Callable[..., Any], list[Any], dict[str, Any]]] = {
    verb.__name__: (verb, list(sides), named)
    for verb, sides, named in [
        (demur.word_errors, ["a b", "a c d"], {}),
        (demur.label_scores, ["a", "b"], {"labels": ["a"], "given": ["b"]}),
        (demur.concept_errors, [["x", "y"], ["x"]], {}),
        (demur.span_scores, ["B-x O", "O O"], {}),
        (demur.set_scores, [["a"], ["b"]], {}),
        (demur.slot_scores, [{"a": "1"}, {"a": "1", "b": "2"}], {}),
        (demur.discourse_measures, [{"a": "1"}, {"a": "1", "b": "2"}], {}),
        (demur.grammar_outcomes, ["yes", None], {"said": ["yes"], "returned": [None]}),
    ]
}


@pytest.mark.parametrize("name", OLD_ORDER)
def test_the_old_order_is_taken_with_a_warning(name):
    verb, (truth, answer), named = OLD_ORDER[name]
    wanted = verb(hypotheses=[answer], references=[truth])
    assert wanted.to_dict() != verb(hypotheses=[truth], references=[answer]).to_dict()
    old_ways = [(([truth], [answer]), {}), (([truth],), {"hypotheses": [answer]})]
    if named:
        old_ways.append(((), named))
    for places, names in old_ways:
        with pytest.warns(
            DeprecationWarning, match=r"demur 0\.2 will not take"
        ) as told:
            assert verb(*places, **names) == wanted
        assert {warning.filename for warning in told} == {__file__}
    with pytest.raises(TypeError, match="multiple values"), pytest.warns():
        verb([answer], references=[truth])


def test_the_old_order_of_further_verbs():
    whole = {"response": [[1, 2], [1, 3]], "reference": [[1]]}
    settings = demur.answers.TableSettings(mode="bag")
    wanted = demur.compare_relations(**whole, settings=settings)
    with pytest.warns(DeprecationWarning, match="reference, response, settings are by"):
        found = demur.compare_relations(whole["reference"], whole["response"], settings)
    assert found == wanted
    wanted = demur.out_of_vocabulary(["a"], hypotheses=["a"], references=["a b"])
    with pytest.warns(DeprecationWarning, match="references, hypotheses are by name"):
        assert demur.out_of_vocabulary(["a"], ["a b"], ["a"]) == wanted


def test_a_table_stands_alone_in_its_old_places_too():
    table = {"ref": ["a b"], "hyp": ["a c"]}
    wanted = demur.word_errors(table)
    assert demur.word_errors(table=table) == demur.word_errors(references=table)
    assert wanted == demur.word_errors(hypotheses=["a c"], references=["a b"])
    with pytest.raises(demur.InputError, match="a table must be given alone"):
        demur.word_errors(table=table, hypotheses=["a"], references=["a"])
    refuses("references must be a list", demur.word_errors, hypotheses=["a"])


def test_what_was_given_has_its_article():
    refuses("got an Outcomes table", demur.as_system, LR)


# -- what messages list, and where bounds lie ---------------------------------------


def test_a_message_lists_the_first_of_many() -> None:
    assert checks.names_shown(range(20)).endswith("18, 19")
    assert checks.names_shown(range(21)).endswith("18, 19 and 1 more")
    assert checks.names_shown(["x" * 60, "y" * 61]) == f"{'x' * 60}, {'y' * 60}..."
    assert checks.names_shown([]) == ""
    rows = {0: "rows ", 1: "row 7", 3: "rows 7, 7, 7", 4: "rows 7, 7, 7 and 1 more"}
    assert {n: checks.rows_shown([7] * n) for n in rows} == rows


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 0.07, "0.07", np.float64(0.07)])
def test_rates_are_read_as_the_decimals_that_they_print_as(value: Any) -> None:
    exact = Fraction(str(value))
    assert checks.decimal_fraction("at", "rate", value) == exact
    if exact in (0, 1):
        refuses("above 0 and below 1", checks.inner_fraction, "at", "rate", value)
    else:
        assert checks.inner_fraction("at", "rate", value) == exact


@pytest.mark.parametrize(
    "value", [-1e-9, 1.0000001, True, None, "x", "1/0", math.nan, math.inf, [0.5]]
)
def test_what_is_no_rate_is_refused(value: Any) -> None:
    refuses("be a number from 0 to 1", checks.decimal_fraction, "at", "rate", value)


@pytest.mark.parametrize(
    ("low", "high", "need"),
    [
        (0, 1, "be a number from 0 to 1; got"),
        (0, math.inf, "be a number from 0; got"),
        (-math.inf, 1, "be a number to 1; got"),
        (-math.inf, math.inf, "be a number; got"),
    ],
)
def test_numbers_are_taken_up_to_both_bounds(
    low: float, high: float, need: str
) -> None:
    for value in (low, high, Fraction(1, 2), Decimal("0.5"), np.float32(0.5), 1):
        checks.number("here", "it", value, low, high)
    for value in (low - 0.01, high + 0.01):
        if math.isfinite(value):
            refuses(need, checks.number, "here", "it", value, low, high)
    for value in (True, "0.5", None, math.nan, Decimal("sNaN"), 1j):
        refuses(need, checks.number, "here", "it", value, low, high)


def test_whole_numbers_are_taken_from_the_least() -> None:
    for least in (0, 1, 5):
        for value in (least, np.int8(least), least + 10**30):
            checks.whole("here", "it", value, least)
        for value in (least - 1, float(least), True, "1", None):
            need = f"be a whole number from {least}; got"
            refuses(need, checks.whole, "here", "it", value, least)


def test_two_numbers_are_a_pair() -> None:
    assert checks.pair("here", "it", [1, 2]) == checks.pair("here", "it", (1, 2))
    for value in ([1], (1, 2, 3), "ab", {1, 2}, 7, None):
        refuses("be two numbers", checks.pair, "here", "it", value)


def test_numbers_are_an_array_or_a_list() -> None:
    array = np.array([1.0, 2.0])
    assert checks.numbers("here", "it", array) is array
    assert checks.numbers("here", "it", iter([1, 2.5])) == [1, 2.5]
    assert checks.numbers("here", "it", np.array([1], np.uint8)).tolist() == [1]
    refuses("be numbers; got NaN", checks.numbers, "here", "it", array * np.nan)
    for value in (np.array([[1.0]]), np.array(["1"]), np.array([True]), [True], "12"):
        refuses("it must be", checks.numbers, "here", "it", value)


# -- ranked guesses ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([1.0, 0.5, 2.25], ([100, 50, 225], 100)),
        ([], ([], 1)),
        ([3.0], ([3], 1)),
        ([0.000001], ([1], 10**6)),
        ([0.0000001], None),
        ([2.0**40 - 1], ([2**40 - 1], 1)),
        ([2.0**40], None),
        ([2.0**39, 2.0**39], None),
        ([2.0**39, 2.0**39 - 1], ([2**39, 2**39 - 1], 1)),
        ([*[1.0] * 1000, 0.5], ([*[10] * 1000, 5], 10)),
    ],
)
def test_short_decimals_are_whole_numbers_over_a_power_of_ten(
    values: list[float], found: Any
) -> None:
    integers = arrays.as_integers(np.array(values))
    assert found == (integers and (integers[0].tolist(), integers[1]))


def ranked(*confidences: float, weight: Any = None) -> arrays.Ranking:
    """The ranking of right answers."""
    n = len(confidences)
    known = ~np.isnan(confidences)
    sample = arrays.Sample(known, np.array(confidences), np.zeros(n), weight)
    return arrays.rank(sample)


@pytest.mark.parametrize(
    ("cells", "first"),
    [(1, [0]), (2, [0, 3]), (3, [0, 2, 4]), (5, [0, 2, 3, 4, 5]), (6, None), (9, None)],
)
def test_neighbouring_blocks_are_merged_into_cells_of_one_weight(
    cells: int, first: list[int] | None
) -> None:
    ranking = ranked(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    merged = arrays.coarsened(ranking, cells)
    assert merged.first.tolist() == (first or [0, 1, 2, 3, 4, 5])
    assert merged.rows.tolist() == [0, 1, 2, 3, 4, 5]


def test_blocks_and_weights_are_those_of_all_items() -> None:
    ranking = ranked(0.5, 0.1, math.nan, 0.5, 0.7, weight=np.arange(1.0, 6.0))
    assert ranking.rows.tolist() == [1, 0, 3, 4]
    assert (ranking.silent.tolist(), ranking.n_items) == ([2], 5)
    assert ranking.block().tolist() == [0, 1, 1, 2]
    assert ranking.weights().tolist() == [1, 2, 3, 4, 5]
    assert ranked(0.5, 0.1).weights().tolist() == [1, 1]
    heavy = ranked(0.1, 0.2, 0.3, 0.4, weight=np.array([9.0, 1.0, 1.0, 1.0]))
    for cells, first in ((2, [0, 1]), (3, [0, 1]), (4, [0, 1, 2, 3])):
        assert arrays.coarsened(heavy, cells).first.tolist() == first


def test_cutoffs_are_compared_in_the_precision_of_confidences() -> None:
    values = np.array([0.7, 0.8, 0.9], np.float32)
    guess = np.array([True, True, False])
    for cutoff, wanted in ((0.7, [1, 1, 0]), (0.8, [0, 1, 0]), (0.81, [0, 0, 0])):
        assert arrays.answered_at(values, guess, cutoff).tolist() == wanted
    assert arrays.answered_at(values, guess, None).tolist() == [0, 0, 0]
    for cutoff in (math.nan, True):
        refuses("be a number", arrays.answered_at, values, guess, cutoff)
    sample = arrays.Sample(guess, values, np.zeros(3), cluster=np.array([0, 1, 3]))
    assert (sample.n_clusters, len(sample)) == (4, 3)
    assert sample.take(np.array([2, 0])).n_clusters == 2
    assert replace(sample, cluster=None).n_clusters == 3


def test_cutoffs_of_any_size_are_json() -> None:
    wanted = {0.5: 0.5, -3.0: -3.0, math.inf: "inf", -math.inf: "-inf", None: None}
    assert {cutoff: arrays.plain(cutoff) for cutoff in wanted} == wanted


@pytest.mark.parametrize("text", ["0.1", "0.7", "3e-9", "-0.3", "16777216", "0.25"])
def test_the_shortest_cutoff_reads_back_and_is_not_above(text: str) -> None:
    value = np.float32(text)
    short = arrays.shortest(value)
    assert np.float32(short) == value
    assert short <= float(value)
    assert len(repr(short)) <= 18
    assert arrays.shortest(np.float64(text)) == float(text)


def test_dataframes_are_told_from_what_has_columns_only() -> None:
    import polars
    import pyarrow

    class Columns:
        columns = ("a",)

    class Arrow:
        __arrow_c_stream__ = None

    frames = [FRAME, polars.DataFrame({"a": [1]}), pyarrow.table({"a": [1]})]
    others = [Columns(), Arrow(), {"a": [1]}, [1], "a", None]
    assert [checks._is_frame(each) for each in frames] == [True] * 3
    assert [checks._is_frame(each) for each in others] == [False] * 6
    series = [[1], (1,), {1}, iter("a"), range(3), np.array([1]), polars.Series([1])]
    assert all(map(checks._is_series, series))
    assert not any(map(checks._is_series, [*frames, "a", b"a", {"a": 1}, 3, None]))
