"""``demur difficulty``: how hard a task is, and whether a method scales with it."""

import argparse
from argparse import Namespace

from demur import formats
from demur.cli import shared
from demur.cli.shared import how_read
from demur.cli.streams import say
from demur.cli.usage import WrongUsage, check_outputs
from demur.difficulty.item_responses import lacking_strata
from demur.difficulty.measuring import Difficulty, difficulty
from demur.difficulty.scaling import AXES, SCORES, Scalability, scalability
from demur.difficulty.task_versions import WHOLE, TaskVersions
from demur.difficulty.tasks import ORDERS
from demur.difficulty.trained_methods import METHODS
from demur.difficulty.trying_methods import FOLDS, try_methods
from demur.outcomes.named_columns import NamedColumns, named_columns


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
    what = "draw markables by items and entropy; with versions and a method, its score"
    shared.add_picture(command, what)
    shared.add_level(command, "of intervals")
    shared.add_seed(command, "of folds")
    shared.add_selection(command, "tokens")
    shared.add_result_options(command, "'entropy < 0.5', 'few > 0.1'")


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
    output = shared.output_of(arguments, TaskVersions.KINDS)
    written = {"--plot": arguments.plot, "--page": output.page}
    check_outputs("difficulty", written, arguments.tokens)
    if arguments.words and not arguments.method:
        raise WrongUsage("difficulty", "--words", "come with --method", "none")
    tokens = _read(arguments.tokens, arguments)
    order = arguments.order
    first = _measured(tokens, arguments)
    first = first.prune(arguments.keep, drop_ranks=arguments.drop_rank, order=order)
    versions = {WHOLE: first} | dict(
        _version(text, first, order) for text in arguments.version
    )
    words = [tokens.columns[name] for name in arguments.words]
    tried = {}
    if arguments.method:
        how = {"folds": arguments.folds, "seed": arguments.seed}
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
        axes = {"x": arguments.x, "y": arguments.y}
        scaled = scalability(pairs, **axes, level=arguments.level)
    lacking = None
    if arguments.against:
        other = _measured(_read([arguments.against], arguments), arguments)
        lacking = tuple(lacking_strata(first, other))
    _draw(first, scaled, arguments.plot)
    return shared.finish(TaskVersions(versions, tried, scaled, lacking), output)


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


def _draw(first: Difficulty, scaled: Scalability | None, path: str | None) -> None:
    if path is None:
        return
    from demur.plots.drawing import plot_difficulty, plot_scalability
    from demur.plots.pens import save_picture

    drawn = plot_difficulty(first) if scaled is None else plot_scalability(scaled)
    save_picture(drawn, path)
    say(f"wrote {path}")
