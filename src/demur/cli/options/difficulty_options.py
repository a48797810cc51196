"""The options of ``demur difficulty``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur difficulty``."""
    command.description = (
        "How hard a task is before anyone tries it: baselines, entropy, pruning; and "
        "whether a method scales with the task. Or how hard its items were for many "
        "systems (--rasch), or for a family of models (--information)."
    )
    command.common = ("--markable", "--value", "--method", "--rasch", "--plot")
    command.examples = (
        "demur difficulty tokens.csv --markable lemma --value sense",
        "demur difficulty outcomes.csv --rasch -o harder.csv",
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
    part = command.part("which part of the task")
    part.option(
        "--keep CONDITION: only markables with e.g. 'majority <= 0.9', 'items >= 10', "
        "'values >= 2', 'entropy > 1'; may be repeated",
        several=True,
    )
    part.option(
        "--drop-rank N: without the items whose value has this place among those of "
        "its markable; may be repeated",
        several=True,
        type=int,
    )
    part.option(
        "--order: of these places", choices=choices.VALUE_ORDERS, usual="frequency"
    )
    part.add_argument(
        "--version",
        action="append",
        default=[],
        metavar="NAME: STEPS",
        help="a further pruned version, e.g. 'hard: majority <= 0.6' or 'diagonal: "
        "drop 3; majority >= 0.6'; may be repeated",
    )


def _methods_options(command: Parser) -> None:
    part = command.part("methods that are tried")
    part.option(
        "--method: try this method, learned on other items; may be repeated",
        several=True,
        choices=list(choices.TRAINED_METHODS),
    )
    part.option(
        "--words COLUMNS: with --method: columns with the words beside an item",
        type=typed.names,
        default=[],
    )
    part.option("--folds N: (default: %(default)s)", type=int, default=choices.FOLDS)
    part.option(
        "--x: the difficulty of --plot", default="entropy", choices=choices.DIFFICULTIES
    )
    part.option(
        "--y: the score of --plot", default="accuracy", choices=choices.METHOD_SCORES
    )


def _items_options(command: Parser) -> None:
    part = command.part("difficulty of items")
    asked = part.add_mutually_exclusive_group()
    asked.option(
        "--rasch: of outcomes of ten systems or more: how hard each item is, and how "
        "able each system (the Rasch model)"
    )
    asked.option(
        "--information: of the probabilities of the true answers by two models, with "
        "and without the input: the bits that the input gives (V-information)"
    )
    part.option(
        "-o --output OUTCOMES: with --rasch: write the outcomes with a column "
        "difficulty, for demur curve --by difficulty",
        type=typed.target,
    )
    part.option(
        "--strata N: with -o: parts of about as many items, by difficulty",
        type=typed.count,
        usual=4,
    )
    part.option(
        "--given COLUMN: with --information: the probability by the model with the "
        "input",
        usual="p_with",
    )
    part.option(
        "--without COLUMN: with --information: that by the model without it",
        usual="p_without",
    )
    part.option("--by COLUMN: with --information: groups of items")
