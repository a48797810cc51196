"""The options of ``demur metrics``."""

import argparse
from typing import Final, NamedTuple

from demur.cli.options import shared
from demur.cli.options.measures import OPTIONS, SIDES, TRAINING
from demur.cli.options.parsing import Parser


class MeasureOptions(NamedTuple):
    """What a measure of ``demur metrics`` takes.

    Parameters
    ----------
    summary : str
        What it is.
    table : str
        What is read: its name with its line in the help.
    example : str
        What follows the name of the measure in an example.
    gate : str
        A gate in an example.
    options : tuple of str
        Names of `OPTIONS`.
    several : bool
        Whether it may read more than one file.
    """

    summary: str
    table: str
    example: str
    gate: str
    options: tuple[str, ...] = ()
    several: bool = False


_TWO_SIDES: Final = (
    "TABLE: a table with ref, hyp (empty where declined) and maybe item, system, "
)


MEASURES: Final[dict[str, MeasureOptions]] = {
    "words": MeasureOptions(
        "word error rate of recognisers",
        "FILE: references and hypotheses, texts with an utterance on each line (of two "
        "recognisers, both are compared), trn or Kaldi texts, or stm and ctm or "
        "TextGrid; or one table with ref, hyp and maybe item, system, cluster (the "
        "speaker), confidence, declined",
        "ref.txt hyp.txt",
        "wer > 0.2",
        (*SIDES, "reading", "notation", "tier", "align", "words_output"),
        several=True,
    ),
    "perplexity": MeasureOptions(
        "perplexity of texts by a model of n-grams, and words that it does not know",
        "TEST: a text with a sentence on each line; or with --text a table, with maybe "
        "cluster (the document)",
        "test.txt --train train.txt",
        "perplexity > 200",
        ("train", "arpa", *TRAINING, "text", "cluster", "model_output"),
    ),
    "oov": MeasureOptions(
        "words out of a vocabulary, and words in it that were missed",
        "FILE: references and maybe hypotheses, texts with an utterance on each line, "
        "trn, Kaldi, stm and ctm or TextGrid; or with --text one table, with maybe "
        "hyp, cluster",
        "ref.txt hyp.txt --vocabulary words.txt",
        "oov_rate > 0.2",
        ("vocabulary", "text", "hyp", "cluster", "tier"),
        several=True,
    ),
    "labels": MeasureOptions(
        "precision, recall and F of labels",
        _TWO_SIDES + "cluster, confidence; or exports of Prodigy or Label Studio, of "
        "references and systems, or of both",
        "classes.csv",
        "accuracy < 0.2",
        (*SIDES, "control", "output", "plot", "alpha"),
        several=True,
    ),
    "sets": MeasureOptions(
        "right sets, Jaccard index and F of items with several labels",
        _TWO_SIDES + "cluster, confidence; lists of labels as ref and hyp",
        "sets.jsonl",
        "subset_accuracy < 0.2",
        (*SIDES, "sets_output", "separator", "alpha"),
    ),
    "concepts": MeasureOptions(
        "concept error rate; precision, recall and F of concepts, and SLU-F1",
        _TWO_SIDES + "cluster; lists of (name, value) as ref and hyp",
        "concepts.jsonl",
        "cer > 0.2",
        (*SIDES, "output", "order", "non_concept", "value_insensitive"),
    ),
    "grammar": MeasureOptions(
        "what a recogniser with a grammar let through",
        _TWO_SIDES + "cluster; concepts as ref (empty where the grammar has none) and "
        "hyp",
        "grammar.csv",
        "correct_rate < 0.2",
        (*SIDES,),
    ),
    "spans": MeasureOptions(
        "spans: strict, exact, partial, type",
        _TWO_SIDES
        + "cluster; tags, or lists of (type, first, after last), as ref and hyp; or "
        "files of references and systems: CoNLL columns (one file may have both), BRAT "
        "standoff (files or folders), WebAnno TSV, exports of Prodigy or Label Studio",
        "spans.jsonl",
        "f strict < 0.2",
        (*SIDES, "layer", "output", "scheme", "ends", "alpha"),
        several=True,
    ),
    "coreference": MeasureOptions(
        "coreference: MUC, B-cubed, CEAF, LEA, BLANC, and the mean of CoNLL",
        "FILE: references and hypotheses (key and response), in columns of CoNLL or as "
        "records with doc_key and clusters (of several systems, all are shown); or one "
        "table with ref, hyp and maybe item, system, cluster (of documents), declined",
        "key.jsonl response.jsonl",
        "conll < 0.2",
        (*SIDES, "keep_singletons"),
        several=True,
    ),
    "slots": MeasureOptions(
        "slot error rate and goal accuracies",
        _TWO_SIDES
        + "dialogue; objects of slots and values as ref and hyp, after each turn",
        "states.jsonl",
        "slot error rate > 0.2",
        (*SIDES, "output", "none", "dontcare", "alternatives"),
    ),
    "discourse": MeasureOptions(
        "the 13 discourse measures",
        _TWO_SIDES
        + "dialogue; objects of slots and values as ref and hyp, and maybe, of the "
        "turn alone, as ref_act and hyp_act",
        "states.jsonl",
        "5 slot error rate > 0.2",
        (*SIDES, "update_prior", "none", "dontcare"),
    ),
    "decisive-step": MeasureOptions(
        "which agent and step made runs of agents fail, against people",
        "TABLE: a table with ref_agent, ref_step, hyp_agent, hyp_step, or ref and hyp "
        "with objects of agent and step (empty where declined), and maybe item, "
        "system, cluster, confidence",
        "steps.csv",
        "agent < 0.2",
        (*SIDES, "steps_output", "tolerance"),
    ),
    "costs": MeasureOptions(
        "what dialogues cost, from a log of turns",
        "TABLE: a row for each turn: dialogue, and maybe speaker, seconds (or start "
        "and end), score, event",
        "turns.csv",
        "turns > 20",
    ),
    "paradise": MeasureOptions(
        "what predicts user satisfaction",
        "TABLE: a row for each dialogue",
        "dialogues.csv --target liked --predictors kappa,turns",
        "r_squared < 0.2",
        ("target", "predictors", "by", "group", "method"),
    ),
}
"""The measures by name."""


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur metrics``."""
    command.description = (
        "The classic measures of understanding, with declined items apart and "
        "intervals over clusters."
    )
    command.examples = ("demur metrics labels labels.csv",)
    measures = command.add_subparsers(
        dest="measure", metavar="MEASURE", required=True, title="measures"
    )
    for name, measure in MEASURES.items():
        parser = measures.add_parser(name, help=measure.summary)
        parser.description = measure.summary[0].upper() + measure.summary[1:] + "."
        parser.examples = (f"demur metrics {name} {measure.example}",)
        several = "+" if measure.several else 1
        parser.option(measure.table, dest="files", nargs=several)
        for option in measure.options:
            row, how = OPTIONS[option]
            parser.option(row, **how)
        shared.add_level(parser, "of intervals")
        shared.add_selection(parser, "rows")
        shared.add_result_options(parser, f"'{measure.gate}'")
        parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
