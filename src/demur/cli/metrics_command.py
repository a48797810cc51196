"""``demur metrics``: the classic measures of understanding, one command for each."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from demur import formats
from demur.checks import names_shown
from demur.cli import say, shared, show
from demur.cli.metrics_inputs import (
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
from demur.cli.options.measures import SIDES, TRAINING
from demur.cli.options.metrics_options import MEASURES as OF_MEASURES
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

NAMED_FILES: Final = ("train", "arpa", "vocabulary")
"""Options that name a file to read."""
NOT_GIVEN: Final = (
    *(*SIDES, "align", "plot", "notation", "tier", "layer", "control", "text"),
    *("output", "words_output", "sets_output", "steps_output", "model_output"),
    *(*NAMED_FILES, *TRAINING[:3]),
)
"""Options that are no arguments of a verb."""


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


class Measure(NamedTuple):
    """How a measure of ``demur metrics`` is made.

    Parameters
    ----------
    verb : callable
        Measures one system.
    result : type of Result
        What it gives; its kinds of figures are what gates may hold.
    read : callable
        Takes the arguments, and gives what the verb takes of each system.
    """

    verb: Callable[..., Any]
    result: type[Result]
    read: Callable[[Namespace], Given] = systems


MEASURES: Final[dict[str, Measure]] = {
    "words": Measure(words.word_errors, words.WordErrors, texts_or_table),
    "perplexity": Measure(
        perplexities.text_perplexity, perplexities.TextPerplexity, texts_and_model
    ),
    "oov": Measure(
        vocabularies.out_of_vocabulary, vocabularies.OutOfVocabulary, texts_and_words
    ),
    "labels": Measure(labels.label_scores, labels.LabelScores, annotated_labels),
    "sets": Measure(sets.set_scores, sets.SetScores),
    "concepts": Measure(_concept_errors, concepts.ConceptErrors),
    "grammar": Measure(concepts.grammar_outcomes, concepts.GrammarOutcomes),
    "spans": Measure(spans.span_scores, spans.SpanScores, annotated_spans),
    "coreference": Measure(
        coreference.coreference_scores,
        coreference.CoreferenceScores,
        documents_or_table,
    ),
    "slots": Measure(states.slot_scores, states.StateScores),
    "discourse": Measure(states.discourse_measures, states.StateScores),
    "decisive-step": Measure(decisive.decisive_steps, decisive.DecisiveSteps, steps),
    "costs": Measure(costs.dialogue_costs, costs.DialogueCosts, turns),
    "paradise": Measure(performance.paradise, performance.Performance, dialogues),
}
"""The measures by name; what each takes stands in `demur.cli.options`."""


def run(arguments: Namespace) -> int:
    """Measure, print, write; then the gates."""
    measure = MEASURES[arguments.measure]
    options = OF_MEASURES[arguments.measure].options
    of_words = measure.result is words.WordErrors
    compares = comparing_words.WordComparison.KINDS if of_words else ()
    kinds = (*measure.result.KINDS, *compares)
    writes = [name for name in ("output", "plot") if name in arguments]
    read = [*arguments.files]
    read += filter(None, (getattr(arguments, name, None) for name in NAMED_FILES))
    shared.check_asked(arguments, kinds, read, writes)
    not_given = NOT_GIVEN if "train" not in arguments else (*NOT_GIVEN, "reading")
    given_on = (option for option in options if option not in not_given)
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
