"""``demur difficulty``: how hard a task is, and whether a method scales with it."""

from argparse import Namespace
from dataclasses import replace
from typing import Final

import numpy as np

from demur import formats
from demur.cli import Parser, say, shared, typed
from demur.cli.shared import WrongUsage, option_name
from demur.difficulty.information_gains import UsableInformation, usable_information
from demur.difficulty.item_responses import (
    RaschFit,
    lacking_strata,
    rasch,
    with_strata,
)
from demur.difficulty.measuring import Difficulty, difficulty
from demur.difficulty.scaling import AXES, SCORES, scalability
from demur.difficulty.task_versions import WHOLE, TaskVersions
from demur.difficulty.tasks import ORDERS
from demur.difficulty.trained_methods import METHODS
from demur.difficulty.trying_methods import FOLDS, try_methods
from demur.outcomes.named_columns import NamedColumns, named_columns
from demur.outcomes.parts import named_parts, stacked
from demur.outcomes.table import Outcomes

_OF_ALL: Final = ("max_size", "where", "log", "columns", "json", "wide", "page")
_ASKED: Final = {
    "rasch": ("output", "strata"),
    "information": ("given", "without", "by", "cluster", "level"),
}
"""What else may be asked for, and the options that go with it, beside those of all."""


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur difficulty``."""
    command.description = (
        "How hard a task is before anyone tries it: baselines, entropy, pruning; and "
        "whether a method scales with the task. Or how hard its items were for many "
        "systems (--rasch), or for a family of models (--information)."
    )
    command.option(
        "TOKENS: tables with one row for each item that is to be decided; with --rasch "
        "outcomes, with --information probabilities",
        nargs="+",
    )
    command.option(
        "--markable COLUMNS: what is decided, such as lemma,pos", type=typed.names
    )
    command.option("--value COLUMN: the answer, such as sense")
    command.option("--cluster COLUMN: documents or dialogues, for intervals")
    command.option("--closed: markables have no other values than those in the table")
    _pruning_options(command)
    _methods_options(command)
    _items_options(command)
    command.option(
        "--against TOKENS: say what of this table's task the first one does not try"
    )
    what = "draw markables by items and entropy; with versions and a method, its score"
    shared.add_picture(command, what)
    shared.add_level(command, "of intervals")
    shared.add_seed(command, "of folds")
    shared.add_selection(command, "tokens")
    shared.add_result_options(command, "'entropy < 0.5', 'few > 0.1'")


def _pruning_options(command: Parser) -> None:
    command.option(
        "--keep CONDITION: only markables with e.g. 'majority <= 0.9', 'items >= 10', "
        "'values >= 2', 'entropy > 1'; may be repeated",
        several=True,
    )
    command.option(
        "--drop-rank N: without the items whose value has this place among those of "
        "its markable; may be repeated",
        several=True,
        type=int,
    )
    command.option("--order: of these places", choices=ORDERS, usual="frequency")
    command.add_argument(
        "--version",
        action="append",
        default=[],
        metavar="NAME: STEPS",
        help="a further pruned version, e.g. 'hard: majority <= 0.6' or 'diagonal: "
        "drop 3; majority >= 0.6'; may be repeated",
    )


def _methods_options(command: Parser) -> None:
    command.option(
        "--method: try this method, learned on other items; may be repeated",
        several=True,
        choices=list(METHODS),
    )
    command.option(
        "--words COLUMNS: with --method: columns with the words beside an item",
        type=typed.names,
        default=[],
    )
    command.option("--folds N: (default: %(default)s)", type=int, default=FOLDS)
    command.option("--x: the difficulty of --plot", default="entropy", choices=AXES)
    command.option("--y: the score of --plot", default="accuracy", choices=SCORES)


def _items_options(command: Parser) -> None:
    asked = command.add_mutually_exclusive_group()
    asked.option(
        "--rasch: of outcomes of ten systems or more: how hard each item is, and how "
        "able each system (the Rasch model)"
    )
    asked.option(
        "--information: of the probabilities of the true answers by two models, with "
        "and without the input: the bits that the input gives (V-information)"
    )
    command.option(
        "-o --output OUTCOMES: with --rasch: write the outcomes with a column "
        "difficulty, for demur curve --by difficulty",
        type=typed.target,
    )
    command.option(
        "--strata N: with -o: parts of about as many items, by difficulty",
        type=typed.count,
        usual=4,
    )
    command.option(
        "--given COLUMN: with --information: the probability by the model with the "
        "input",
        usual="p_with",
    )
    command.option(
        "--without COLUMN: with --information: that by the model without it",
        usual="p_without",
    )
    command.option("--by COLUMN: with --information: groups of items")


def run(arguments: Namespace) -> int:
    """What is asked for: of items, or of the task."""
    asked = next((name for name in _ASKED if getattr(arguments, name)), None)
    _check_options(arguments, asked)
    if asked == "rasch":
        return _rasch(arguments)
    if asked == "information":
        return _information(arguments)
    return _task(arguments)


def _check_options(arguments: Namespace, asked: str | None) -> None:
    """Refuse options that say nothing of what is asked for."""
    parser = Parser()
    add_arguments(parser)
    given = [
        name
        for name, value in vars(arguments).items()
        if option_name(name) in parser._option_string_actions
        and value != parser.get_default(name)
    ]
    if asked is None:
        for name in ("markable", "value"):
            if name not in given:
                hint = "Or ask for --rasch, or for --information."
                got = "no such option"
                need = "name a column"
                raise WrongUsage("difficulty", option_name(name), need, got, hint)
    known = {name for names in _ASKED.values() for name in names}
    fits = {*_OF_ALL, "fail_if", "debug", asked, *_ASKED.get(asked or "", ())}
    for name in given:
        if asked is None and name in known - {"cluster", "level"}:
            owner = next(one for one in _ASKED if name in _ASKED[one])
            need = f"come with --{owner}"
            raise WrongUsage("difficulty", option_name(name), need, "none")
        if asked is not None and name not in fits:
            need = f"not come with --{asked}"
            raise WrongUsage("difficulty", option_name(name), need, "both")


def _rasch(arguments: Namespace) -> int:
    """Items and systems on one scale."""
    shared.check_asked(arguments, RaschFit.KINDS, arguments.tokens, ["output"])
    outcomes = _outcomes(arguments)
    fit = rasch(outcomes)
    if arguments.output:
        parted = with_strata(outcomes, fit.by_item, strata=arguments.strata)
        formats.write_outcomes(parted, arguments.output)
        say(f"wrote {arguments.output}")
    return shared.finish(fit, arguments)


def _outcomes(arguments: Namespace) -> Outcomes:
    """Those of all files; systems without a name are called as their files."""
    how, paths = shared.how_read(arguments), arguments.tokens
    read = [
        formats.read_outcomes(path, groups=None, display=True, **how) for path in paths
    ]
    if len(read) == 1:
        return read[0]
    parts = []
    for name, one in zip(formats.file_names(paths), read, strict=True):
        nameless = np.full(len(one), name, object)
        alone = [system for system, _ in named_parts(one)] == [""]
        parts.append(replace(one, system=nameless) if alone else one)
    return stacked(parts)


def _information(arguments: Namespace) -> int:
    """The bits that inputs give."""
    shared.check_asked(arguments, UsableInformation.KINDS, arguments.tokens)
    how = shared.named(arguments, "given", "without", "by", "cluster", "level")
    needed = dict.fromkeys(filter(None, (how[name] for name in list(how)[:4])))
    records = formats.iter_records(*arguments.tokens, **shared.how_read(arguments))
    hint = "Name them: --given COLUMN, --without COLUMN."
    table = named_columns("difficulty", records, needed, ["item"], hint=hint)
    return shared.finish(usable_information(table, **how), arguments)


def _task(arguments: Namespace) -> int:
    """Read, count, prune, try, print and draw; then the gates."""
    shared.check_asked(arguments, TaskVersions.KINDS, arguments.tokens, ["plot"])
    if arguments.words and not arguments.method:
        raise WrongUsage("difficulty", "--words", "come with --method", "none")
    tokens = _tokens(arguments.tokens, arguments)
    order = arguments.order
    first = _measured(tokens, arguments)
    first = first.prune(arguments.keep, drop_ranks=arguments.drop_rank, order=order)
    versions = {WHOLE: first} | dict(
        _version(text, first, order) for text in arguments.version
    )
    words = [tokens.columns[name] for name in arguments.words]
    tried = {}
    if arguments.method:
        how = shared.named(arguments, "folds", "seed")
        tried = {
            name: try_methods(one, words or None, methods=arguments.method, **how)
            for name, one in versions.items()
        }
    scaled = None
    if len(versions) > 1 and tried:
        pairs = {
            name: (one, [score.outcomes for score in tried[name] if score.outcomes])
            for name, one in versions.items()
        }
        scaled = scalability(
            pairs, **shared.named(arguments, "x", "y", "level", "folds", "seed")
        )
    lacking = None
    if arguments.against:
        other = _measured(_tokens([arguments.against], arguments), arguments)
        lacking = tuple(lacking_strata(first, other))
    shared.draw((first if scaled is None else scaled).plot, arguments.plot)
    return shared.finish(TaskVersions(versions, tried, scaled, lacking), arguments)


def _tokens(paths: list[str], arguments: Namespace) -> NamedColumns:
    further = [name for name in (arguments.cluster, *arguments.words) if name]
    needed = dict.fromkeys([*arguments.markable, arguments.value, *further])
    records = formats.iter_records(*paths, **shared.how_read(arguments))
    return named_columns("difficulty", records, needed)


def _measured(tokens: NamedColumns, arguments: Namespace) -> Difficulty:
    what = ("markable", "value", "cluster", "closed", "level")
    return difficulty(tokens, **shared.named(arguments, *what))


def _version(text: str, first: Difficulty, order: str) -> tuple[str, Difficulty]:
    """A pruned version from its name and steps."""
    name, colon, steps = text.partition(":")
    listed = [step.strip() for step in steps.split(";") if step.strip()]
    if not colon or not name.strip() or not listed:
        need, hint = "read like 'hard: majority <= 0.6'", "Steps are parted by ';'."
        raise WrongUsage("difficulty", "--version", need, repr(text), hint)
    ranks, keep = [], []
    for step in listed:
        word, _, number = step.partition(" ")
        if word == "drop" and number.strip().isdigit():
            ranks.append(int(number))
        else:
            keep.append(step)
    return name.strip(), first.prune(keep, drop_ranks=ranks, order=order)
