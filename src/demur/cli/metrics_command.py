"""``demur metrics``: the classic measures of understanding, one command for each."""

import argparse
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from demur import formats
from demur.answers.slots import POLICIES
from demur.cli import shared
from demur.cli.shared import how_read
from demur.cli.streams import say, show
from demur.cli.usage import WrongUsage, check_outputs
from demur.errors import InputError
from demur.metrics.counted_items import OF_ITEMS, by_system
from demur.metrics.measuring_concepts import (
    ORDERS,
    SLOT_CLASSES,
    ConceptErrors,
    concept_errors,
)
from demur.metrics.measuring_costs import DialogueCosts, dialogue_costs
from demur.metrics.measuring_labels import LabelScores, label_scores
from demur.metrics.measuring_spans import SpanScores, span_scores
from demur.metrics.measuring_states import (
    StateScores,
    discourse_measures,
    slot_scores,
)
from demur.metrics.measuring_words import (
    WordComparison,
    WordErrors,
    compare_words,
    word_errors,
)
from demur.metrics.predicting_performance import METHODS, Performance, paradise
from demur.metrics.tag_schemes import SCHEMES
from demur.metrics.word_alignments import READINGS
from demur.outcomes.named_columns import NamedColumns, named_columns
from demur.outcomes.parts import stacked
from demur.outcomes.table import Outcomes
from demur.results import Bundle, Result, Results

Measured = list[Any]


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur metrics``."""
    command.description = (
        "The classic measures of understanding, with declined items apart and "
        "intervals over clusters."
    )
    measures = command.add_subparsers(
        dest="measure", metavar="MEASURE", required=True, title="measures"
    )
    for name, measure in MEASURES.items():
        own = measures.add_parser(name, help=measure.summary)
        own.description = measure.summary[0].upper() + measure.summary[1:] + "."
        measure.add_options(own)
        shared.add_level(own, "of intervals")
        shared.add_selection(own, "rows")
        shared.add_result_options(own, _example(measure.result))
        own.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)


def _example(result: type[Result]) -> str:
    """A gate on the first figure."""
    kind = result.KINDS[0]
    sign = "<" if kind.better == "higher" else ">"
    return f"'{kind.name} {sign} 0.2'"


def _table_options(command: argparse.ArgumentParser, what: str, *, out: bool) -> None:
    command.add_argument("table", metavar="TABLE", help=what)
    _columns(command)
    if out:
        command.add_argument(
            "-o",
            "--output",
            metavar="OUTCOMES",
            help="write items as outcomes: credit 1 - errors / units, weight units",
        )


def _columns(command: argparse.ArgumentParser) -> None:
    """What the columns of a table are called."""
    for name in ("ref", "hyp", "cluster"):
        command.add_argument(
            f"--{name}",
            default=name,
            metavar="COLUMN",
            help="the column of a table (default: %(default)s)",
        )


_OF_TABLE = "a table with ref, hyp (empty where declined) and maybe item, system, "


def _words_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "texts",
        nargs="+",
        metavar="FILE",
        help="references and hypotheses, texts with an utterance on each line (of two "
        "recognisers, both are compared); or one table with ref, hyp and maybe item, "
        "system, cluster (the speaker), confidence, declined",
    )
    _columns(command)
    command.add_argument(
        "--reading",
        default="as-written",
        choices=READINGS,
        help="words as they stand between spaces, or small letters without signs "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--align", metavar="ITEM", help="show an utterance word below word"
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="OUTCOMES",
        help="write utterances as outcomes: credit 1 - errors / words, weight words",
    )


def _labels_options(command: argparse.ArgumentParser) -> None:
    _table_options(command, _OF_TABLE + "cluster, confidence", out=True)
    command.add_argument(
        "--alpha",
        type=shared.rate,
        default=0.5,
        metavar="A",
        help="how much precision counts in F (default: %(default)s)",
    )


def _concepts_options(command: argparse.ArgumentParser) -> None:
    what = "lists of (name, value) as ref and hyp"
    _table_options(command, _OF_TABLE + f"cluster; {what}", out=True)
    command.add_argument(
        "--order",
        default="sequence",
        choices=ORDERS,
        help="aligned in order, or matched in any (default: %(default)s)",
    )
    for kind in SLOT_CLASSES[:2]:
        command.add_argument(
            f"--{kind}",
            type=shared.names,
            default=[],
            metavar="NAMES",
            help=f"these concepts are {kind}",
        )


def _spans_options(command: argparse.ArgumentParser) -> None:
    what = "tags, or lists of (type, first, after last), as ref and hyp"
    _table_options(command, _OF_TABLE + f"cluster; {what}", out=True)
    command.add_argument(
        "--scheme",
        default="iob",
        choices=list(SCHEMES),
        help="of tags (default: %(default)s, where an orphan I- begins a span)",
    )
    command.add_argument(
        "--alpha",
        type=shared.rate,
        default=0.5,
        metavar="A",
        help="how much precision counts in F (default: %(default)s)",
    )


def _slots_options(command: argparse.ArgumentParser) -> None:
    what = "objects of slots and values as ref and hyp, after each turn"
    _table_options(command, _OF_TABLE + f"dialogue; {what}", out=True)
    _policies(command)


def _discourse_options(command: argparse.ArgumentParser) -> None:
    what = "objects of slots and values as ref and hyp, maybe ref_act and hyp_act"
    _table_options(command, _OF_TABLE + f"dialogue; {what}", out=False)
    command.add_argument(
        "--update-prior",
        default="system",
        choices=["system", "own"],
        help="from whose state before the turn a slot had to change "
        "(default: %(default)s)",
    )
    _policies(command)


def _policies(command: argparse.ArgumentParser) -> None:
    for name, usual in (("none", "empty"), ("dontcare", "value")):
        command.add_argument(
            f"--{name}",
            default=usual,
            choices=POLICIES,
            help=f"what {name} is (default: %(default)s)",
        )


def _costs_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "table",
        metavar="TABLE",
        help="a row for each turn: dialogue, and maybe speaker, seconds (or start and "
        "end), score, event",
    )


def _paradise_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("table", metavar="TABLE", help="a row for each dialogue")
    command.add_argument(
        "--target", required=True, metavar="COLUMN", help="such as user satisfaction"
    )
    command.add_argument(
        "--predictors",
        required=True,
        type=shared.names,
        metavar="COLUMNS",
        help="such as kappa,repairs,turns",
    )
    command.add_argument("--by", metavar="COLUMN", help="mean performance of each")
    command.add_argument(
        "--group", metavar="COLUMN", help="users or dialogues held out together"
    )
    command.add_argument(
        "--method",
        default="all",
        choices=METHODS,
        help="which predictors stay (default: %(default)s)",
    )


# -- each measure ----------------------------------------------------------------------


def _words(arguments: Namespace) -> Measured:
    if len(arguments.texts) == 1:
        table = _with_empty_references(_read(arguments.texts[0], arguments))
        return [
            word_errors(
                part,
                reading=arguments.reading,
                system=name,
                level=arguments.level,
            )
            for name, part in by_system(table)
        ]
    if arguments.where:
        raise WrongUsage("metrics words", "--where", "come with a table", "texts")
    references, *others = [
        formats.read_lines(path, max_size=arguments.max_size)
        for path in arguments.texts
    ]
    names = formats.file_names(arguments.texts[1:])
    found = []
    for path, name, heard in zip(arguments.texts[1:], names, others, strict=True):
        if len(heard) != len(references):
            must = f"have {len(references)} lines, as the references have"
            hint = "An utterance that was not recognised is an empty line."
            raise InputError(path, "the hypotheses", must, str(len(heard)), hint)
        system = name if len(others) > 1 else ""
        found.append(
            word_errors(
                hypotheses=list(heard),
                references=references,
                reading=arguments.reading,
                system=system,
                level=arguments.level,
            )
        )
    return found


def _with_empty_references(table: NamedColumns) -> NamedColumns:
    """The table with empty references as texts, which text files cannot tell apart."""
    told = ["" if each is None else each for each in table.columns["ref"]]
    return NamedColumns({**table.columns, "ref": told}, table.places)


def _labels(arguments: Namespace) -> Measured:
    return [
        label_scores(part, alpha=arguments.alpha, system=name, level=arguments.level)
        for name, part in by_system(_read(arguments.table, arguments))
    ]


def _concepts(arguments: Namespace) -> Measured:
    classes = dict.fromkeys(arguments.non_concept, "non-concept")
    classes |= dict.fromkeys(arguments.value_insensitive, "value-insensitive")
    return [
        concept_errors(
            part,
            classes=classes,
            order=arguments.order,
            system=name,
            level=arguments.level,
        )
        for name, part in by_system(_read(arguments.table, arguments))
    ]


def _spans(arguments: Namespace) -> Measured:
    return [
        span_scores(
            part,
            scheme=arguments.scheme,
            alpha=arguments.alpha,
            system=name,
            level=arguments.level,
        )
        for name, part in by_system(_read(arguments.table, arguments))
    ]


def _slots(arguments: Namespace) -> Measured:
    how: Any = {"none": arguments.none, "dontcare": arguments.dontcare}
    return [
        slot_scores(part, system=name, level=arguments.level, **how)
        for name, part in by_system(_read(arguments.table, arguments))
    ]


def _discourse(arguments: Namespace) -> Measured:
    how: Any = {"none": arguments.none, "dontcare": arguments.dontcare}
    return [
        discourse_measures(
            part,
            update_prior=arguments.update_prior,
            system=name,
            level=arguments.level,
            **how,
        )
        for name, part in by_system(_read(arguments.table, arguments))
    ]


def _costs(arguments: Namespace) -> Measured:
    records = formats.iter_records(arguments.table, **how_read(arguments))
    may = ["speaker", "seconds", "start", "end", "score", "event"]
    table = named_columns("metrics costs", records, ["dialogue"], may)
    return [dialogue_costs(table, level=arguments.level)]


def _paradise(arguments: Namespace) -> Measured:
    records = formats.iter_records(arguments.table, **how_read(arguments))
    further = [name for name in (arguments.by, arguments.group) if name]
    needed = dict.fromkeys([arguments.target, *arguments.predictors, *further])
    table = named_columns("metrics paradise", records, needed)
    return [
        paradise(
            table,
            arguments.target,
            arguments.predictors,
            by=arguments.by,
            group=arguments.group,
            method=arguments.method,
            level=arguments.level,
        )
    ]


def _read(path: str, arguments: Namespace) -> NamedColumns:
    """A table whose references and hypotheses are called ``ref`` and ``hyp``."""
    records = formats.iter_records(path, **how_read(arguments))
    may = [*OF_ITEMS, "dialogue", "ref_act", "hyp_act"]
    where = f"metrics {arguments.measure}"
    renamed = {name: getattr(arguments, name) for name in ("ref", "hyp", "cluster")}
    needed = [renamed["ref"], renamed["hyp"]]
    needed += [renamed["cluster"]] if renamed["cluster"] != "cluster" else []
    found = named_columns(where, records, needed, may)
    columns = {name: own for name, own in found.columns.items() if name in may}
    columns |= {
        name: found.columns[own] for name, own in renamed.items() if found.has(own)
    }
    return NamedColumns(columns, found.places)


@dataclass(frozen=True)
class Measure:
    """A measure of ``demur metrics``.

    Parameters
    ----------
    summary : str
        What it is.
    add_options : callable
        Gives the parser its options.
    measure : callable
        Takes the arguments, and gives the result of each system.
    result : type of Result
        What these are; its kinds of figures are what gates may hold.
    """

    summary: str
    add_options: Callable[[argparse.ArgumentParser], None]
    measure: Callable[[Namespace], Measured]
    result: type[Result]


MEASURES: Final[dict[str, Measure]] = {
    "words": Measure(
        "word error rate of recognisers", _words_options, _words, WordErrors
    ),
    "labels": Measure(
        "precision, recall and F of labels", _labels_options, _labels, LabelScores
    ),
    "concepts": Measure(
        "concept error rate", _concepts_options, _concepts, ConceptErrors
    ),
    "spans": Measure(
        "spans: strict, exact, partial, type", _spans_options, _spans, SpanScores
    ),
    "slots": Measure(
        "slot error rate and goal accuracies", _slots_options, _slots, StateScores
    ),
    "discourse": Measure(
        "the 13 discourse measures", _discourse_options, _discourse, StateScores
    ),
    "costs": Measure(
        "what dialogues cost, from a log of turns",
        _costs_options,
        _costs,
        DialogueCosts,
    ),
    "paradise": Measure(
        "what predicts user satisfaction", _paradise_options, _paradise, Performance
    ),
}
"""The measures by name; help, gates, JSON and tables follow from their rows."""


def run(arguments: Namespace) -> int:
    """Measure, print, write; then the gates."""
    measure = MEASURES[arguments.measure]
    compares = (*WordComparison.KINDS,) if measure.result is WordErrors else ()
    shown = shared.output_of(arguments, [*measure.result.KINDS, *compares])
    output = getattr(arguments, "output", None)
    sources = getattr(arguments, "texts", None) or [arguments.table]
    check_outputs("metrics", {"--output": output, "--page": shown.page}, sources)
    listed = measure.measure(arguments)
    result: Result = listed[0] if len(listed) == 1 else Results(listed)
    if measure.result is WordErrors and len(listed) == 2:
        result = Bundle(result, comparison=compare_words(*listed))
    if output:
        tables: list[Outcomes] = [system.outcomes() for system in listed]
        formats.write_outcomes(stacked(tables), output)
        say(f"wrote {output}")
    if getattr(arguments, "align", None) and not shown.json:
        show(_aligned(listed, arguments.align))
    return shared.finish(result, shown)


def _aligned(recognisers: Sequence[WordErrors], item: str) -> str:
    return "\n".join(
        f"{words.system + ': ' if words.system else ''}{item}\n"
        f"{words.alignment(item)}\n"
        for words in recognisers
    )
