"""``demur metrics``: the classic measures of understanding, one command for each."""

import argparse
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from demur import formats
from demur.answers.slots import POLICIES
from demur.cli import Parser, say, shared, show, typed
from demur.errors import InputError
from demur.metrics import measuring_concepts as concepts
from demur.metrics import measuring_costs as costs
from demur.metrics import measuring_labels as labels
from demur.metrics import measuring_perplexity as perplexities
from demur.metrics import measuring_spans as spans
from demur.metrics import measuring_states as states
from demur.metrics import measuring_words as words
from demur.metrics import predicting_performance as performance
from demur.metrics.counted_items import OF_ITEMS, by_system
from demur.metrics.ngrams.models import MOST_WORDS, NgramModel, ngram_model, read_arpa
from demur.metrics.ngrams.smoothing import SMOOTHINGS
from demur.metrics.tag_schemes import SCHEMES
from demur.metrics.utterance_ids import (
    doubtful_ids,
    joined_utterances,
    without_comments,
)
from demur.metrics.word_alignments import READINGS
from demur.outcomes.named_columns import NamedColumns, named_columns
from demur.outcomes.parts import stacked
from demur.outcomes.value_kinds import a_kind
from demur.results import Bundle, Result, Results, with_noun
from demur.results.several import common_items

Given = list[tuple[tuple[Any, ...], dict[str, Any]]]
"""What a verb is given for each system: the table or texts, and the name."""

_SIDES: Final = ("ref", "hyp", "cluster")
_TRAINING: Final = ("ngram_order", "smoothing", "add", "reading")
_NOT_GIVEN: Final = (
    *(*_SIDES, "align", "output", "plot", "words_output"),
    *("train", "arpa", "text", "model_output", *_TRAINING[:3]),
)
"""Options that are no arguments of a verb."""

_OPTIONS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    **{
        name: (f"--{name} COLUMN: the column of a table", {"usual": name})
        for name in _SIDES
    },
    "output": (
        "-o --output OUTCOMES: write items as outcomes: credit 1 - errors / units, "
        "weight units",
        {},
    ),
    "words_output": (
        "-o --output OUTCOMES: write utterances as outcomes: credit 1 - errors / "
        "words, weight words",
        {},
    ),
    "reading": (
        "--reading: words as they stand between spaces, or small letters without signs",
        {"choices": READINGS, "usual": "as-written"},
    ),
    "plot": (
        "--plot FILE: draw what is confused with what (.png .svg .pdf)",
        {"type": typed.picture},
    ),
    "align": ("--align ITEM: show an utterance word below word", {}),
    "alpha": (
        "--alpha A: how much precision counts in F",
        {"type": typed.rate, "usual": 0.5},
    ),
    "order": (
        "--order: aligned in order, or matched in any",
        {"choices": concepts.ORDERS, "usual": "sequence"},
    ),
    **{
        kind.replace("-", "_"): (
            f"--{kind} NAMES: these concepts are {kind}",
            {"type": typed.names, "default": []},
        )
        for kind in concepts.SLOT_CLASSES[:2]
    },
    "scheme": (
        "--scheme: of tags (default: %(default)s, where an orphan I- begins a span)",
        {"choices": list(SCHEMES), "default": "iob"},
    ),
    "update_prior": (
        "--update-prior: from whose state before the turn a slot had to change",
        {"choices": ["system", "own"], "usual": "system"},
    ),
    **{
        name: (f"--{name}: what {name} is", {"choices": POLICIES, "usual": usual})
        for name, usual in (("none", "empty"), ("dontcare", "value"))
    },
    "target": ("--target COLUMN: such as user satisfaction", {"required": True}),
    "predictors": (
        "--predictors COLUMNS: such as kappa,repairs,turns",
        {"required": True, "type": typed.names},
    ),
    "by": ("--by COLUMN: mean performance of each", {}),
    "group": ("--group COLUMN: users or dialogues held out together", {}),
    "train": ("--train FILE: a text to count n-grams in, a sentence on each line", {}),
    "arpa": ("--arpa FILE: a model in an ARPA file, instead of a text", {}),
    "ngram_order": (
        "--order N: words of the longest n-grams, from 1 to 5",
        {"type": typed.count, "choices": range(1, MOST_WORDS + 1), "usual": 3},
    ),
    "smoothing": (
        "--smoothing: how counts become probabilities",
        {"choices": SMOOTHINGS, "usual": "kneser-ney"},
    ),
    "add": (
        "--add K: what add-k adds to each count",
        {"type": typed.positive, "usual": 1.0},
    ),
    "text": (
        "--text COLUMN: files are tables, with this column of sentences",
        {},
    ),
    "model_output": ("-o --output ARPA: write the model as an ARPA file", {}),
    "method": (
        "--method: which predictors stay",
        {"choices": performance.METHODS, "usual": "all"},
    ),
}
"""Options by name: how they are typed with their line in the help, and the rest."""


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
        several = "+" if measure.read is _texts_or_table else 1
        parser.option(measure.table, dest="files", nargs=several)
        for option in measure.options:
            row, how = _OPTIONS[option]
            parser.option(row, **how)
        shared.add_level(parser, "of intervals")
        shared.add_selection(parser, "rows")
        shared.add_result_options(parser, _example(measure.result))
        parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)


def _example(result: type[Result]) -> str:
    """A gate on the first figure."""
    kind = result.KINDS[0]
    sign = "<" if kind.better == "higher" else ">"
    return f"'{kind.name} {sign} 0.2'"


# -- what is read ----------------------------------------------------------------------


def _table(arguments: Namespace) -> NamedColumns:
    """A table whose references and hypotheses are called ``ref`` and ``hyp``."""
    may = [*OF_ITEMS, "dialogue", "turn", "ref_act", "hyp_act"]
    renamed = shared.named(arguments, *_SIDES)
    needed = [renamed["ref"], renamed["hyp"]]
    needed += [renamed["cluster"]] if renamed["cluster"] != "cluster" else []
    table = _columns(arguments, needed, may)
    columns = {name: column for name, column in table.columns.items() if name in may}
    columns |= {
        name: table.columns[column]
        for name, column in renamed.items()
        if table.has(column)
    }
    return NamedColumns(columns, table.places)


def _of_systems(table: NamedColumns) -> Given:
    return [((part,), {"system": name}) for name, part in by_system(table)]


def _systems(arguments: Namespace) -> Given:
    return _of_systems(_table(arguments))


def _texts_or_table(arguments: Namespace) -> Given:
    """Texts of each recogniser, or those of a table."""
    if len(arguments.files) == 1:
        table = _table(arguments)
        # A text file cannot tell an empty reference from none.
        references = ["" if text is None else text for text in table.columns["ref"]]
        columns = {**table.columns, "ref": references}
        return _of_systems(NamedColumns(columns, table.places))
    if arguments.where:
        need = "come with a table"
        raise shared.WrongUsage("metrics words", "--where", need, "texts")
    paths = arguments.files
    files = [formats.read_lines(path, max_size=arguments.max_size) for path in paths]
    joined = joined_utterances(paths, files)
    files = _without_comments(paths, files)
    references, *others = files if joined is None else joined[1]
    paths = paths[1:]
    for path, heard in zip(paths, others, strict=True):
        if len(heard) != len(references):
            need = f"have {len(references)} lines, as the references have"
            hint = "An utterance that was not recognised is an empty line."
            raise InputError(path, "the hypotheses", need, str(len(heard)), hint)
    names = formats.file_names(paths) if len(others) > 1 else [""]
    ids = {}
    if joined is None:
        for doubt in doubtful_ids(arguments.files, files):
            say(doubt)
    else:
        ids = {"item": joined[0]}
        say(f"utterances are joined by the ids in their lines, such as {joined[0][0]}")
    return [
        ((NamedColumns({"ref": references, "hyp": heard, **ids}),), {"system": name})
        for name, heard in zip(names, others, strict=True)
    ]


def _without_comments(paths: Sequence[str], files: list[list[str]]) -> list[list[str]]:
    texts = [without_comments(lines) for lines in files]
    for path, lines, left in zip(paths, files, texts, strict=True):
        if len(left) < len(lines):
            many = with_noun(len(lines) - len(left), "line")
            say(f"{path}: {many} that begin with ;; left out as comments")
    return texts


def _turns(arguments: Namespace) -> Given:
    may = ["speaker", "seconds", "start", "end", "score", "event"]
    return [((_columns(arguments, ["dialogue"], may),), {})]


def _dialogues(arguments: Namespace) -> Given:
    names = (arguments.target, *arguments.predictors, arguments.by, arguments.group)
    return [((_columns(arguments, dict.fromkeys(filter(None, names))),), {})]


def _texts_and_model(arguments: Namespace) -> Given:
    """Texts, maybe with clusters, and a model that is read or trained."""
    command, [path] = f"metrics {arguments.measure}", arguments.files
    if (arguments.train is None) == (arguments.arpa is None):
        need, got = "name a text, or --arpa a model", "both"
        if arguments.train is None:
            got = "neither"
        raise shared.WrongUsage(command, "--train", need, got)
    cluster = None
    if arguments.text is None:
        if arguments.where:
            need = "come with --text COLUMN, which says that TEST is a table"
            raise shared.WrongUsage(command, "--where", need, "no such option")
        texts = formats.read_lines(path, max_size=arguments.max_size)
    else:
        named = [arguments.text]
        named += [arguments.cluster] if arguments.cluster != "cluster" else []
        table = _columns(arguments, named, ["cluster"])
        texts = _sentences(table, arguments.text)
        if table.has(arguments.cluster):
            cluster = [*table.columns[arguments.cluster]]
    model = _model(arguments)
    if arguments.output:
        model.write_arpa(arguments.output)
        say(f"wrote {arguments.output}")
    return [((texts, model), {"cluster": cluster})]


def _model(arguments: Namespace) -> NgramModel:
    if arguments.arpa is not None:
        return read_arpa(arguments.arpa, max_size=arguments.max_size)
    if arguments.text is None:
        texts = formats.read_lines(arguments.train, max_size=arguments.max_size)
    else:
        how = {**shared.how_read(arguments), "where": {}}
        records = formats.iter_records(arguments.train, **how)
        table = named_columns("metrics perplexity", records, [arguments.text], [])
        texts = _sentences(table, arguments.text)
    how = shared.named(arguments, "order", "smoothing", "add", "reading")
    return ngram_model(texts, **how)


def _sentences(table: NamedColumns, name: str) -> list[str]:
    """A column of texts; an empty cell is a sentence without words."""
    texts = ["" if text is None else text for text in table.columns[name]]
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            need, hint = "be a text", "Name the column of sentences: --text COLUMN."
            raise InputError(table.place(row), name, need, a_kind(text), hint)
    return texts


def _columns(
    arguments: Namespace, needed: Iterable[str], may: Sequence[str] = ()
) -> NamedColumns:
    records = formats.iter_records(*arguments.files, **shared.how_read(arguments))
    sides = "Name them: --ref COLUMN, --hyp COLUMN."
    hint = {"hint": sides} if "ref" in arguments else {}
    return named_columns(f"metrics {arguments.measure}", records, needed, may, **hint)


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
        Names of `_OPTIONS`.
    read : callable
        Takes the arguments, and gives what the verb takes of each system.
    """

    summary: str
    verb: Callable[..., Any]
    result: type[Result]
    table: str
    options: tuple[str, ...] = ()
    read: Callable[[Namespace], Given] = _systems


_TWO_SIDES: Final = (
    "TABLE: a table with ref, hyp (empty where declined) and maybe item, system, "
)


MEASURES: Final[dict[str, Measure]] = {
    "words": Measure(
        "word error rate of recognisers",
        words.word_errors,
        words.WordErrors,
        "FILE: references and hypotheses, texts with an utterance on each line (of two "
        "recognisers, both are compared); or one table with ref, hyp and maybe item, "
        "system, cluster (the speaker), confidence, declined",
        (*_SIDES, "reading", "align", "words_output"),
        _texts_or_table,
    ),
    "perplexity": Measure(
        "perplexity of texts by a model of n-grams, and words that it does not know",
        perplexities.text_perplexity,
        perplexities.TextPerplexity,
        "TEST: a text with a sentence on each line; or with --text a table, with maybe "
        "cluster (the document)",
        ("train", "arpa", *_TRAINING, "text", "cluster", "model_output"),
        _texts_and_model,
    ),
    "labels": Measure(
        "precision, recall and F of labels",
        labels.label_scores,
        labels.LabelScores,
        _TWO_SIDES + "cluster, confidence",
        (*_SIDES, "output", "plot", "alpha"),
    ),
    "concepts": Measure(
        "concept error rate",
        _concept_errors,
        concepts.ConceptErrors,
        _TWO_SIDES + "cluster; lists of (name, value) as ref and hyp",
        (*_SIDES, "output", "order", "non_concept", "value_insensitive"),
    ),
    "spans": Measure(
        "spans: strict, exact, partial, type",
        spans.span_scores,
        spans.SpanScores,
        _TWO_SIDES
        + "cluster; tags, or lists of (type, first, after last), as ref and hyp",
        (*_SIDES, "output", "scheme", "alpha"),
    ),
    "slots": Measure(
        "slot error rate and goal accuracies",
        states.slot_scores,
        states.StateScores,
        _TWO_SIDES
        + "dialogue; objects of slots and values as ref and hyp, after each turn",
        (*_SIDES, "output", "none", "dontcare"),
    ),
    "discourse": Measure(
        "the 13 discourse measures",
        states.discourse_measures,
        states.StateScores,
        _TWO_SIDES
        + "dialogue; objects of slots and values as ref and hyp, maybe ref_act and "
        "hyp_act",
        (*_SIDES, "update_prior", "none", "dontcare"),
    ),
    "costs": Measure(
        "what dialogues cost, from a log of turns",
        costs.dialogue_costs,
        costs.DialogueCosts,
        "TABLE: a row for each turn: dialogue, and maybe speaker, seconds (or start "
        "and end), score, event",
        read=_turns,
    ),
    "paradise": Measure(
        "what predicts user satisfaction",
        performance.paradise,
        performance.Performance,
        "TABLE: a row for each dialogue",
        ("target", "predictors", "by", "group", "method"),
        _dialogues,
    ),
}
"""The measures by name; help, gates, JSON and tables follow from their rows."""


def run(arguments: Namespace) -> int:
    """Measure, print, write; then the gates."""
    measure = MEASURES[arguments.measure]
    of_words = measure.result is words.WordErrors
    compares = words.WordComparison.KINDS if of_words else ()
    kinds = (*measure.result.KINDS, *compares)
    writes = [name for name in ("output", "plot") if name in arguments]
    read = [*arguments.files]
    read += filter(None, (getattr(arguments, name, None) for name in ("train", "arpa")))
    shared.check_asked(arguments, kinds, read, writes)
    not_given = _NOT_GIVEN if "train" not in arguments else (*_NOT_GIVEN, "reading")
    given_on = (option for option in measure.options if option not in not_given)
    how = shared.named(arguments, "level", *given_on)
    listed = [
        measure.verb(*given, **named, **how) for given, named in measure.read(arguments)
    ]
    result: Result = listed[0] if len(listed) == 1 else Results(listed)
    if of_words and len(listed) == 2 and _have_common_items(listed):
        result = Bundle(result, comparison=words.compare_words(*listed))
    shared.draw(result.plot, getattr(arguments, "plot", None))
    if "output" in writes and arguments.output and hasattr(listed[0], "outcomes"):
        outcomes = stacked([system.outcomes() for system in listed])
        formats.write_outcomes(outcomes, arguments.output)
        say(f"wrote {arguments.output}")
    if getattr(arguments, "align", None) and not arguments.json:
        show(_aligned(listed, arguments.align))
    return shared.finish(result, arguments)


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
