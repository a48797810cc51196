"""``demur difficulty``: how hard a task is, and whether a method scales with it."""

from argparse import Namespace

from demur import formats
from demur.cli import Parser, shared, typed
from demur.cli.shared import WrongUsage
from demur.difficulty.item_responses import lacking_strata
from demur.difficulty.measuring import Difficulty, difficulty
from demur.difficulty.scaling import AXES, SCORES, scalability
from demur.difficulty.task_versions import WHOLE, TaskVersions
from demur.difficulty.tasks import ORDERS
from demur.difficulty.trained_methods import METHODS
from demur.difficulty.trying_methods import FOLDS, try_methods
from demur.outcomes.named_columns import NamedColumns, named_columns


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur difficulty``."""
    command.description = (
        "How hard a task is before anyone tries it: baselines, entropy, pruning; and "
        "whether a method scales with the task."
    )
    command.option(
        "TOKENS: tables with one row for each item that is to be decided", nargs="+"
    )
    command.option(
        "--markable COLUMNS: what is decided, such as lemma,pos",
        required=True,
        type=typed.names,
    )
    command.option("--value COLUMN: the answer, such as sense", required=True)
    command.option("--cluster COLUMN: documents or dialogues, for intervals")
    command.option("--closed: markables have no other values than those in the table")
    _pruning_options(command)
    _methods_options(command)
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


def run(arguments: Namespace) -> int:
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
