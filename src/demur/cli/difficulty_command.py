"""``demur difficulty``: how hard a task is, and whether a method scales with it."""

import argparse
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from demur import formats
from demur.cli import shared
from demur.cli.shared import how_read
from demur.cli.streams import as_json, say, show
from demur.cli.usage import WrongUsage, check_outputs
from demur.decisions.gates import KeyGate
from demur.difficulty.difficulty_tables import difficulties_table
from demur.difficulty.item_responses import lacking_strata
from demur.difficulty.measuring import Difficulty, difficulty
from demur.difficulty.scaling import AXES, SCORES, Scalability, scalability
from demur.difficulty.tasks import ORDERS
from demur.difficulty.trained_methods import METHODS
from demur.difficulty.trying_methods import FOLDS, MethodScore, try_methods
from demur.outcomes.named_columns import NamedColumns, named_columns
from demur.version import __version__

WHOLE = "whole"
"""How the task without further pruning is called among versions."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur difficulty``."""
    command.description = (
        "How hard a task is before anyone tries it: baselines, entropy, pruning; and "
        "whether a method scales with the task."
    )
    command.add_argument(
        "tokens",
        nargs="+",
        metavar="TOKENS",
        help="tables with one row for each item that is to be decided",
    )
    command.add_argument(
        "--markable",
        required=True,
        type=shared.names,
        metavar="COLUMNS",
        help="what is decided, such as lemma,pos",
    )
    command.add_argument(
        "--value", required=True, metavar="COLUMN", help="the answer, such as sense"
    )
    command.add_argument(
        "--cluster", metavar="COLUMN", help="documents or dialogues, for intervals"
    )
    command.add_argument(
        "--closed",
        action="store_true",
        help="markables have no other values than those in the table",
    )
    _pruning_options(command)
    _methods_options(command)
    command.add_argument(
        "--against",
        metavar="TOKENS",
        help="say what of this table's task the first one does not try",
    )
    command.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=shared.figure_gate,
        metavar="GATE",
        help="exit with 1 if the condition holds, e.g. 'entropy < 0.5', "
        "'few > 0.1'; may be repeated",
    )
    what = "draw markables by items and entropy; with versions and a method, its score"
    shared.add_picture(command, what)
    shared.add_level(command, "of intervals")
    shared.add_seed(command, "of folds")
    shared.add_selection(command, "tokens")
    shared.add_json(command)


def _pruning_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="CONDITION",
        help="only markables with e.g. 'majority <= 0.9', 'items >= 10', 'values >= "
        "2', 'entropy > 1'; may be repeated",
    )
    command.add_argument(
        "--drop-rank",
        action="append",
        default=[],
        type=int,
        metavar="N",
        help="without the items whose value has this place among those of its "
        "markable; may be repeated",
    )
    command.add_argument(
        "--order",
        default="frequency",
        choices=ORDERS,
        help="of these places (default: %(default)s)",
    )
    command.add_argument(
        "--version",
        action="append",
        default=[],
        metavar="NAME: STEPS",
        help="a further pruned version, e.g. 'hard: majority <= 0.6' or 'diagonal: "
        "drop 3; majority >= 0.6'; may be repeated",
    )


def _methods_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--method",
        action="append",
        default=[],
        choices=list(METHODS),
        help="try this method, learned on other items; may be repeated",
    )
    command.add_argument(
        "--words",
        type=shared.names,
        default=[],
        metavar="COLUMNS",
        help="with --method: columns with the words beside an item",
    )
    command.add_argument(
        "--folds", type=int, default=FOLDS, metavar="N", help="(default: %(default)s)"
    )
    command.add_argument(
        "--x", default="entropy", choices=AXES, help="the difficulty of --plot"
    )
    command.add_argument(
        "--y", default="accuracy", choices=SCORES, help="the score of --plot"
    )


def run(arguments: Namespace) -> int:
    """Read, count, prune, try, print and draw; then the gates."""
    check_outputs("difficulty", {"--plot": arguments.plot}, arguments.tokens)
    if arguments.words and not arguments.method:
        raise WrongUsage("difficulty", "--words", "come with --method", "none")
    tokens = _read(arguments.tokens, arguments)
    first = _measured(tokens, arguments)
    first = first.prune(
        arguments.keep, drop_ranks=arguments.drop_rank, order=arguments.order
    )
    versions = {WHOLE: first} | dict(
        _version(text, first, arguments.order) for text in arguments.version
    )
    words = [tokens.columns[name] for name in arguments.words]
    tried = {name: _tried(each, words, arguments) for name, each in versions.items()}
    scaled = _scaled(versions, tried, arguments)
    lacks = []
    if arguments.against:
        other = _measured(_read([arguments.against], arguments), arguments)
        lacks = lacking_strata(first, other)
    if arguments.json:
        show(as_json(_shown(versions, tried, scaled, lacks)))
    else:
        _print(versions, tried, scaled, lacks)
        if arguments.against and not lacks:
            show("\nnothing of the other table's task is missing")
    _draw(first, scaled, arguments)
    broken = [_is_broken(gate, first) for gate in arguments.fail_if]
    return int(any(broken))


def _read(paths: list[str], arguments: Namespace) -> NamedColumns:
    further = [name for name in (arguments.cluster, *arguments.words) if name]
    needed = dict.fromkeys([*arguments.markable, arguments.value, *further])
    records = formats.iter_records(*paths, **how_read(arguments))
    return named_columns("difficulty", records, needed)


def _measured(tokens: NamedColumns, arguments: Namespace) -> Difficulty:
    return difficulty(
        tokens,
        markable=arguments.markable,
        value=arguments.value,
        cluster=arguments.cluster,
        closed=arguments.closed,
        level=arguments.level,
    )


def _version(text: str, first: Difficulty, order: str) -> tuple[str, Difficulty]:
    """A pruned version from its name and steps."""
    name, colon, steps = text.partition(":")
    listed = [step.strip() for step in steps.split(";") if step.strip()]
    if not colon or not name.strip() or not listed:
        must, hint = "read like 'hard: majority <= 0.6'", "Steps are parted by ';'."
        raise WrongUsage("difficulty", "--version", must, repr(text), hint)
    ranks, keep = [], []
    for step in listed:
        word, _, number = step.partition(" ")
        if word == "drop" and number.strip().isdigit():
            ranks.append(int(number))
        else:
            keep.append(step)
    return name.strip(), first.prune(keep, drop_ranks=ranks, order=order)


def _tried(
    found: Difficulty, words: list[Any], arguments: Namespace
) -> tuple[MethodScore, ...]:
    if not arguments.method:
        return ()
    return try_methods(
        found,
        words or None,
        methods=arguments.method,
        folds=arguments.folds,
        seed=arguments.seed,
    )


def _scaled(
    versions: Mapping[str, Difficulty],
    tried: Mapping[str, tuple[MethodScore, ...]],
    arguments: Namespace,
) -> Scalability | None:
    """The score of each method on each version, if there are several of these."""
    if len(versions) < 2 or not arguments.method:
        return None
    pairs = {
        name: (found, [each.outcomes for each in tried[name] if each.outcomes])
        for name, found in versions.items()
    }
    return scalability(pairs, x=arguments.x, y=arguments.y, level=arguments.level)


def _shown(
    versions: Mapping[str, Difficulty],
    tried: Mapping[str, tuple[MethodScore, ...]],
    scaled: Scalability | None,
    lacks: list[str],
) -> dict[str, Any]:
    shown: dict[str, Any] = {"demur": __version__, **versions[WHOLE].to_dict()}
    further = {name: each for name, each in versions.items() if name != WHOLE}
    shown["versions"] = {name: each.to_dict() for name, each in further.items()}
    shown["methods"] = {
        name: [each.to_dict() for each in scores] for name, scores in tried.items()
    }
    shown["scalability"] = scaled and scaled.to_dict()
    shown["lacking"] = lacks
    return shown


def _print(
    versions: Mapping[str, Difficulty],
    tried: Mapping[str, tuple[MethodScore, ...]],
    scaled: Scalability | None,
    lacks: list[str],
) -> None:
    several = len(versions) > 1
    named = [(name if several else "", each) for name, each in versions.items()]
    show(difficulties_table(named))
    if scaled is not None:
        show(f"\n{scaled}")
    elif tried[WHOLE]:
        from demur.difficulty.trying_methods import method_scores_table

        show("\n" + method_scores_table(tried[WHOLE]))
    for line in lacks:
        show(f"lacking: {line}")


def _draw(first: Difficulty, scaled: Scalability | None, arguments: Namespace) -> None:
    if not arguments.plot:
        return
    from demur.plots.difficulty_pictures import plot_difficulty, plot_scalability
    from demur.plots.pens import save_picture

    drawn = plot_difficulty(first) if scaled is None else plot_scalability(scaled)
    save_picture(drawn, arguments.plot)
    say(f"wrote {arguments.plot}")


def _is_broken(gate: KeyGate, found: Difficulty) -> bool:
    plain = found.to_dict()
    values = {
        name: value
        for name, value in plain.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
    broken = gate.broken_by(values)
    if broken:
        say(f"gate broken: {gate.name} is {values[gate.name]:.4f}  [{gate.text}]")
    return broken
