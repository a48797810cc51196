"""``demur metrics``: the classic measures of understanding, one command for each."""

import argparse
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from demur import formats
from demur.checks import names_shown
from demur.cli import Parser, say, shared, show
from demur.cli.metrics_inputs import (
    READ_SEVERAL,
    Given,
    annotated_labels,
    annotated_spans,
    dialogues,
    documents_or_table,
    steps,
    systems,
    texts_and_model,
    texts_and_words,
    texts_or_table,
    turns,
)
from demur.cli.metrics_options import NAMED_FILES, NOT_GIVEN, OPTIONS, SIDES, TRAINING
from demur.metrics import comparing_words
from demur.metrics import measuring_concepts as concepts
from demur.metrics import measuring_coreference as coreference
from demur.metrics import measuring_costs as costs
from demur.metrics import measuring_decisive_steps as decisive
from demur.metrics import measuring_labels as labels
from demur.metrics import measuring_perplexity as perplexities
from demur.metrics import measuring_sets as sets
from demur.metrics import measuring_spans as spans
from demur.metrics import measuring_states as states
from demur.metrics import measuring_vocabulary as vocabularies
from demur.metrics import measuring_words as words
from demur.metrics import predicting_performance as performance
from demur.outcomes.named_columns import NamedColumns
from demur.outcomes.parts import stacked
from demur.results import Bundle, Result, Results
from demur.results.several import common_items


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur metrics``."""
    command.description = (
        "The classic measures of understanding, with declined items apart and "
        "intervals over clusters."
    )
    measures = command.add_subparsers(
        dest="measure", metavar="MEASURE", required=True, title="measures"
    )
    for name, measure in MEASURES.items():
        parser = measures.add_parser(name, help=measure.summary)
        parser.description = measure.summary[0].upper() + measure.summary[1:] + "."
        several = "+" if measure.read in READ_SEVERAL else 1
        parser.option(measure.table, dest="files", nargs=several)
        for option in measure.options:
            row, how = OPTIONS[option]
            parser.option(row, **how)
        shared.add_level(parser, "of intervals")
        shared.add_selection(parser, "rows")
        shared.add_result_options(parser, _example(measure))
        parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)


def _example(measure: "Measure") -> str:
    """A gate, on the first figure if the measure names none."""
    kind = measure.result.KINDS[0]
    sign = "<" if kind.better == "higher" else ">"
    return f"'{measure.gate or f'{kind.name} {sign} 0.2'}'"


# -- each measure ----------------------------------------------------------------------


def _concept_errors(
    part: NamedColumns,
    *,
    non_concept: Sequence[str],
    value_insensitive: Sequence[str],
    **how: Any,
) -> concepts.ConceptErrors:
    classes = dict.fromkeys(non_concept, "non-concept")
    classes |= dict.fromkeys(value_insensitive, "value-insensitive")
    return concepts.concept_errors(part, classes=classes, **how)


@dataclass(frozen=True)
class Measure:
    """A measure of ``demur metrics``.

    Parameters
    ----------
    summary : str
        What it is.
    verb : callable
        Measures one system.
    result : type of Result
        What it gives; its kinds of figures are what gates may hold.
    table : str
        What is read: its name with its line in the help.
    options : tuple of str
        Names of `OPTIONS`.
    read : callable
        Takes the arguments, and gives what the verb takes of each system.
    gate : str
        An example for the help, where the first figure is no share.
    """

    summary: str
    verb: Callable[..., Any]
    result: type[Result]
    table: str
    options: tuple[str, ...] = ()
    read: Callable[[Namespace], Given] = systems
    gate: str = ""


_TWO_SIDES: Final = (
    "TABLE: a table with ref, hyp (empty where declined) and maybe item, system, "
)


MEASURES: Final[dict[str, Measure]] = {
    "words": Measure(
        "word error rate of recognisers",
        words.word_errors,
        words.WordErrors,
        "FILE: references and hypotheses, texts with an utterance on each line (of two "
        "recognisers, both are compared), trn or Kaldi texts, or stm and ctm or "
        "TextGrid; or one table with ref, hyp and maybe item, system, cluster (the "
        "speaker), confidence, declined",
        (*SIDES, "reading", "notation", "tier", "align", "words_output"),
        texts_or_table,
    ),
    "perplexity": Measure(
        "perplexity of texts by a model of n-grams, and words that it does not know",
        perplexities.text_perplexity,
        perplexities.TextPerplexity,
        "TEST: a text with a sentence on each line; or with --text a table, with maybe "
        "cluster (the document)",
        ("train", "arpa", *TRAINING, "text", "cluster", "model_output"),
        texts_and_model,
        gate="perplexity > 200",
    ),
    "oov": Measure(
        "words out of a vocabulary, and words in it that were missed",
        vocabularies.out_of_vocabulary,
        vocabularies.OutOfVocabulary,
        "FILE: references and maybe hypotheses, texts with an utterance on each line, "
        "trn, Kaldi, stm and ctm or TextGrid; or with --text one table, with maybe "
        "hyp, cluster",
        ("vocabulary", "text", "hyp", "cluster", "tier"),
        texts_and_words,
    ),
    "labels": Measure(
        "precision, recall and F of labels",
        labels.label_scores,
        labels.LabelScores,
        _TWO_SIDES + "cluster, confidence; or exports of Prodigy or Label Studio, of "
        "references and systems, or of both",
        (*SIDES, "control", "output", "plot", "alpha"),
        annotated_labels,
    ),
    "sets": Measure(
        "right sets, Jaccard index and F of items with several labels",
        sets.set_scores,
        sets.SetScores,
        _TWO_SIDES + "cluster, confidence; lists of labels as ref and hyp",
        (*SIDES, "sets_output", "separator", "alpha"),
    ),
    "concepts": Measure(
        "concept error rate; precision, recall and F of concepts, and SLU-F1",
        _concept_errors,
        concepts.ConceptErrors,
        _TWO_SIDES + "cluster; lists of (name, value) as ref and hyp",
        (*SIDES, "output", "order", "non_concept", "value_insensitive"),
    ),
    "grammar": Measure(
        "what a recogniser with a grammar let through",
        concepts.grammar_outcomes,
        concepts.GrammarOutcomes,
        _TWO_SIDES + "cluster; concepts as ref (empty where the grammar has none) and "
        "hyp",
        (*SIDES,),
    ),
    "spans": Measure(
        "spans: strict, exact, partial, type",
        spans.span_scores,
        spans.SpanScores,
        _TWO_SIDES
        + "cluster; tags, or lists of (type, first, after last), as ref and hyp; or "
        "files of references and systems: CoNLL columns (one file may have both), BRAT "
        "standoff (files or folders), WebAnno TSV, exports of Prodigy or Label Studio",
        (*SIDES, "layer", "output", "scheme", "ends", "alpha"),
        annotated_spans,
    ),
    "coreference": Measure(
        "coreference: MUC, B-cubed, CEAF, LEA, BLANC, and the mean of CoNLL",
        coreference.coreference_scores,
        coreference.CoreferenceScores,
        "FILE: references and hypotheses (key and response), in columns of CoNLL or as "
        "records with doc_key and clusters (of several systems, all are shown); or one "
        "table with ref, hyp and maybe item, system, cluster (of documents), declined",
        (*SIDES, "keep_singletons"),
        documents_or_table,
    ),
    "slots": Measure(
        "slot error rate and goal accuracies",
        states.slot_scores,
        states.StateScores,
        _TWO_SIDES
        + "dialogue; objects of slots and values as ref and hyp, after each turn",
        (*SIDES, "output", "none", "dontcare", "alternatives"),
    ),
    "discourse": Measure(
        "the 13 discourse measures",
        states.discourse_measures,
        states.StateScores,
        _TWO_SIDES
        + "dialogue; objects of slots and values as ref and hyp, and maybe, of the "
        "turn alone, as ref_act and hyp_act",
        (*SIDES, "update_prior", "none", "dontcare"),
        gate="5 slot error rate > 0.2",
    ),
    "decisive-step": Measure(
        "which agent and step made runs of agents fail, against people",
        decisive.decisive_steps,
        decisive.DecisiveSteps,
        "TABLE: a table with ref_agent, ref_step, hyp_agent, hyp_step, or ref and hyp "
        "with objects of agent and step (empty where declined), and maybe item, "
        "system, cluster, confidence",
        (*SIDES, "steps_output", "tolerance"),
        steps,
    ),
    "costs": Measure(
        "what dialogues cost, from a log of turns",
        costs.dialogue_costs,
        costs.DialogueCosts,
        "TABLE: a row for each turn: dialogue, and maybe speaker, seconds (or start "
        "and end), score, event",
        read=turns,
        gate="turns > 20",
    ),
    "paradise": Measure(
        "what predicts user satisfaction",
        performance.paradise,
        performance.Performance,
        "TABLE: a row for each dialogue",
        ("target", "predictors", "by", "group", "method"),
        dialogues,
    ),
}
"""The measures by name; help, gates, JSON and tables follow from their rows."""


def run(arguments: Namespace) -> int:
    """Measure, print, write; then the gates."""
    measure = MEASURES[arguments.measure]
    of_words = measure.result is words.WordErrors
    compares = comparing_words.WordComparison.KINDS if of_words else ()
    kinds = (*measure.result.KINDS, *compares)
    writes = [name for name in ("output", "plot") if name in arguments]
    read = [*arguments.files]
    read += filter(None, (getattr(arguments, name, None) for name in NAMED_FILES))
    shared.check_asked(arguments, kinds, read, writes)
    not_given = NOT_GIVEN if "train" not in arguments else (*NOT_GIVEN, "reading")
    given_on = (option for option in measure.options if option not in not_given)
    how = shared.named(arguments, "level", *given_on)
    of_systems = measure.read(arguments)
    _check_plot(arguments, of_systems)
    listed = [measure.verb(*given, **named, **how) for given, named in of_systems]
    result: Result = listed[0] if len(listed) == 1 else Results(listed)
    if of_words and len(listed) == 2 and _have_common_items(listed):
        result = Bundle(result, comparison=comparing_words.compare_words(*listed))
    shared.draw(result.plot, getattr(arguments, "plot", None))
    if "output" in writes and arguments.output and hasattr(listed[0], "outcomes"):
        _write_outcomes(listed, arguments.output)
    if getattr(arguments, "align", None) and not arguments.json:
        show(_aligned(listed, arguments.align))
    return shared.finish(result, arguments)


def _check_plot(arguments: Namespace, of_systems: Given) -> None:
    """Refuse a picture of several systems before they are measured."""
    if getattr(arguments, "plot", None) and len(of_systems) > 1:
        names = [named["system"] for _, named in of_systems]
        command, need = f"metrics {arguments.measure}", "be of one system"
        hint = f"Add --where system={names[0]} to a table, or give one file beside."
        raise shared.WrongUsage(command, "--plot", need, names_shown(names), hint)


def _write_outcomes(listed: Sequence[Any], path: str) -> None:
    """Write the items of all systems, and say what is left out or clipped."""
    parts = [system.outcomes() for system in listed]
    formats.write_outcomes(stacked(parts), path)
    say(f"wrote {path}")
    for system, part in zip(listed, parts, strict=True):
        for note in part.notes:
            say(f"{path}: {system.system + ': ' if system.system else ''}{note}")


def _have_common_items(recognisers: Sequence[words.WordErrors]) -> bool:
    return common_items([one.counted.item.tolist() for one in recognisers]) != 0


def _aligned(recognisers: Sequence[words.WordErrors], item: str) -> str:
    parts = []
    for recogniser in recognisers:
        name = f"{recogniser.system}: " if recogniser.system else ""
        heard = recogniser.has_hypothesis(item)
        alignment = recogniser.alignment(item) if heard else "declined"
        parts.append(f"{name}{item}\n{alignment}\n")
    return "\n".join(parts)
