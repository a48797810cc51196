"""What can be chosen on the command line is what there is, neither less nor more."""

from typing import Any

import pytest

from demur import answers
from demur.agreement import distances, intervals
from demur.answers import extracting
from demur.answers.slots import POLICIES as SLOT_POLICIES
from demur.answers.tables import modes
from demur.campaigns import freezing, scoring_queue
from demur.cli import metrics_command
from demur.cli.options import choices, measures, metrics_options
from demur.curves import counted
from demur.decisions import choice_tables, listing_items
from demur.difficulty import scaling, tasks, trained_methods, trying_methods
from demur.formats import reading, streams
from demur.judge_models import check_results, judging_judges
from demur.judging import judging
from demur.metrics import (
    alternatives,
    measuring_concepts,
    predicting_performance,
    span_values,
    tag_schemes,
    word_alignments,
)
from demur.metrics.ngrams import models, smoothing
from demur.outcomes import contexts, fields
from demur.pages import reporting
from demur.pipelines import engine, evaluating, matching, runs
from demur.sampling import drawing
from demur.statistics import ratio_tests
from demur.systems import running
from demur.systems.adapters import endpoints
from demur.systems.adapters.confidences import ChatConfidence, confidences


def dashed(names: Any) -> tuple[str, ...]:
    return tuple(name.replace("_", "-") for name in names)


SOURCES = {
    "READABLE": reading.READABLE,
    "MAX_SIZE": streams.MAX_SIZE,
    "MAX_PAGE_TEXT": reporting.BUDGET,
    "OUTCOME_COLUMNS": fields.columns(),
    "RESPONSE_FIELDS": fields.names_of("response"),
    "REFERENCE_FIELDS": (
        *fields.names_of("reference"),
        *fields.names_of("acceptable"),
    ),
    "OUTCOMES": fields.OUTCOMES,
    "DECISIONS": listing_items.DECISIONS,
    "GOLD": drawing.GOLD,
    "COMPARATORS": tuple(answers.COMPARATORS),
    "EXTRACTING_STEPS": tuple(extracting.READERS),
    "JOIN_POLICIES": judging.POLICIES,
    "TABLE_MAXIMA": modes.MAXIMA,
    "EMPTY_TABLES": modes.EMPTY,
    "CONTEXT_RULES": contexts.CONTEXT_RULES,
    "JUDGE_CHECKS": check_results.CHECKS,
    "WITHOUT_CONFIDENCE": judging_judges.WITHOUT_CONFIDENCE,
    "CHAT_CONFIDENCES": {
        name.replace("_", "-"): method.help
        for name, method in confidences(ChatConfidence).items()
    },
    "ADDRESS_SHAPES": tuple(endpoints.SHAPES),
    "GIVE_UP": running.GIVE_UP,
    "WHOLES": choice_tables.WHOLES,
    "OF_WHOLES": choice_tables.OF_WHOLES,
    "AGREEMENT_METRICS": tuple(distances.METRICS),
    "RESAMPLED": intervals.RESAMPLED,
    "VALUE_ORDERS": tasks.ORDERS,
    "DIFFICULTIES": scaling.AXES,
    "METHOD_SCORES": scaling.SCORES,
    "TRAINED_METHODS": tuple(trained_methods.METHODS),
    "FEWEST_BLOCKS": counted.FEWEST_BLOCKS,
    "FOLDS": trying_methods.FOLDS,
    "LABEL_PURPOSES": tuple(drawing.PURPOSES),
    "STATES": (*engine.STATES, "both"),
    "ACT_MEASURES": matching.MEASURES,
    "ACT_MATCHES": runs.MATCHES,
    "TARGETS": dashed(runs.TARGETS),
    "RATIO_TESTS": dashed(ratio_tests.TESTS),
    "TURN_CLUSTERS": evaluating.CLUSTERS,
    "WORD_READINGS": tuple(word_alignments.READINGS),
    "NOTATIONS": alternatives.NOTATIONS,
    "CONCEPT_ORDERS": measuring_concepts.ORDERS,
    "SLOT_CLASSES": measuring_concepts.SLOT_CLASSES[:2],
    "TAG_SCHEMES": tuple(tag_schemes.SCHEMES),
    "SPAN_ENDS": span_values.ENDS,
    "SLOT_POLICIES": SLOT_POLICIES,
    "MOST_WORDS": models.MOST_WORDS,
    "SMOOTHINGS": tuple(smoothing.SMOOTHINGS),
    "PREDICTOR_METHODS": predicting_performance.METHODS,
    "KEPT_TOGETHER": freezing.USUAL,
    "TEST_SHARE": freezing.FreezingRules().share,
    "SCORING_LIMIT": scoring_queue.LIMIT,
}
"""Where each is said first."""

OF_THE_COMMAND_LINE = {"TOKEN", "STORE"}
"""What is said in `choices` alone."""


def test_every_choice_has_a_source():
    named = {name for name in vars(choices) if name.isupper()}
    assert named == SOURCES.keys() | OF_THE_COMMAND_LINE


@pytest.mark.parametrize("name", SOURCES)
def test_a_choice_is_what_its_source_says(name):
    assert getattr(choices, name) == SOURCES[name]


def test_usual_choices_come_first():
    assert choices.STATES[-1] == "both"


# -- measures ----------------------------------------------------------------------


def test_measures_have_options_and_a_verb():
    assert list(metrics_options.MEASURES) == list(metrics_command.MEASURES)


@pytest.mark.parametrize("name", metrics_command.MEASURES)
def test_the_gate_of_a_measure_is_on_a_figure_that_it_has(name):
    kinds = [kind.name for kind in metrics_command.MEASURES[name].result.KINDS]
    figure = metrics_options.MEASURES[name].gate.rpartition(" ")[0][:-2]
    assert figure in kinds


def test_every_option_of_measures_is_used():
    used = {name for one in metrics_options.MEASURES.values() for name in one.options}
    assert used == measures.OPTIONS.keys()
