"""``demur difficulty``: how hard a task is, and whether a method scales with it."""

from argparse import Namespace
from dataclasses import replace
from typing import Final

import numpy as np

from demur import formats
from demur.cli import Parser, say, shared
from demur.cli.options.difficulty_options import add_arguments
from demur.cli.shared import WrongUsage, option_name
from demur.difficulty.information_gains import UsableInformation, usable_information
from demur.difficulty.item_responses import (
    RaschFit,
    lacking_strata,
    rasch,
    with_strata,
)
from demur.difficulty.measuring import Difficulty, difficulty
from demur.difficulty.scaling import scalability
from demur.difficulty.task_versions import WHOLE, TaskVersions
from demur.difficulty.trying_methods import try_methods
from demur.outcomes.named_columns import NamedColumns, named_columns
from demur.outcomes.parts import named_parts, stacked
from demur.outcomes.table import Outcomes

_OF_ALL: Final = ("max_size", "where", "log", "columns", "json", "wide", "page")
_ASKED: Final = {
    "rasch": ("output", "strata"),
    "information": ("given", "without", "by", "cluster", "level"),
}
"""What else may be asked for, and the options that go with it, beside those of all."""


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
