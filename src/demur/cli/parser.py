"""The grammar of the command line; loads nothing but argparse."""

import argparse

from demur.cli import answer_arguments
from demur.cli.argument_types import (
    comparator,
    condition,
    gate,
    level,
    picture,
    rate,
    rates,
    region,
    seed,
    target,
    worse,
)
from demur.version import __version__

_EXIT_CODES = (
    "Exit codes: 0 fine, 1 a gate (--fail-if) is broken, 2 wrong usage, 3 internal "
    "error, 4 bad input data, 130 interrupted."
)
_WORSE = (
    "exit with 1 if one system is worse by the test, not by the mere difference: "
    "'b worse than a @0.2'; may be repeated"
)
_GATES = (
    "exit with 1 if the condition holds, e.g. 'error@0.2 > 0.05', 'area > 0.1', "
    "'certified_error(cutoff=0.7) > 0.05', "
    "'ungraded > 10', 'NAME: nonreturn(error=0.05) > 0.3'; may be repeated"
)


def build_parser() -> argparse.ArgumentParser:
    """The parser of the command ``demur``."""
    parser = argparse.ArgumentParser(
        prog="demur",
        description="Judge language systems that may decline to answer: right, wrong, "
        "or not given; errors against non-returns over every cutoff.",
        epilog=_EXIT_CODES,
    )
    parser.add_argument("--version", action="version", version=f"demur {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, title="commands"
    )
    for add in _COMMANDS:
        command = add(commands)
        command.add_argument(
            "--debug", action="store_true", help="show tracebacks of errors"
        )
    return parser


def _add_judge(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    summary = "right, wrong, unanswered or ungraded, per item, with reasons"
    command = commands.add_parser(
        "judge",
        help=summary,
        description=f"Judge responses against references: {summary}.",
        epilog=_EXIT_CODES,
    )
    command.add_argument(
        "responses",
        nargs="+",
        metavar="RESPONSES",
        help="files of responses (JSON Lines, JSON, CSV, TSV, Parquet, compressed; "
        "- is standard input)",
    )
    command.add_argument("references", metavar="REFERENCES", help="file of references")
    command.add_argument(
        "--by",
        default="text",
        type=comparator,
        metavar="COMPARATOR",
        help="label, text, text(normalise=squad), number, number(relative=0.01), cas, "
        "relation(mode=bag), sql, ... (default: %(default)s)",
    )
    command.add_argument(
        "-o",
        "--output",
        type=target,
        metavar="OUTCOMES",
        help="write outcomes; the format is told "
        "by the ending (.jsonl .json .csv .tsv .parquet, also .gz .zst; - is standard "
        "output)",
    )
    _add_policies(command)
    answer_arguments.add_adjudications(command)
    answer_arguments.add_databases(command)
    command.add_argument(
        "--explain", metavar="ITEM", help="show how one item was judged"
    )
    _add_selection(command, "responses")
    _add_output(command)
    return command


def _add_curve(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        "curve",
        help="the error-return table and plot of one or many systems",
        description="Errors against non-returns over every cutoff, per system.",
        epilog=_EXIT_CODES,
    )
    command.add_argument(
        "outcomes",
        nargs="+",
        metavar="OUTCOMES",
        help="files of outcomes (JSON Lines, JSON, CSV, TSV, Parquet, compressed; - is "
        "standard input)",
    )
    command.add_argument(
        "--at",
        action="append",
        type=rates,
        metavar="NONRETURN",
        help="show the error at this nonreturn rate, from 0 to 1; several with commas "
        "(default: 0.2)",
    )
    command.add_argument(
        "--how",
        default="linear",
        choices=["linear", "at_most", "at_least"],
        help="reading between cutoffs: answer a tied block at random in part, or use "
        "the nearest single cutoff (default: %(default)s)",
    )
    command.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="GROUP",
        help="a curve for each value of this column; may be repeated",
    )
    _add_selection(command, "outcomes")
    _add_estimates(command)
    _add_pictures(command)
    _add_calibration(command)
    command.add_argument(
        "--points",
        default="all",
        choices=["all", "corners", "none"],
        help="which vertices --json lists (default: %(default)s)",
    )
    _add_output(command)
    return command


def _add_choose(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        "choose",
        help="the cutoff for a cost, an error, a rate or a guarantee",
        description="Choose a cutoff per system, and say what it costs.",
        epilog=_EXIT_CODES,
    )
    command.add_argument(
        "outcomes",
        nargs="*",
        metavar="OUTCOMES",
        help="files of outcomes; with --plan there may be none",
    )
    _add_rules(command)
    _add_max_error(command)
    _add_held_out(command)
    command.add_argument(
        "--by",
        metavar="GROUP",
        help="who gets declined at the cutoff: rates for each value of this column, "
        "on held-out items where there are some",
    )
    command.add_argument(
        "--plot",
        type=picture,
        metavar="FILE",
        help="with --prices: draw the least costs at each R (.png .svg .pdf)",
    )
    command.add_argument(
        "--lock",
        metavar="FILE",
        help="keep the cutoff, its target and the mix of confidences for demur recheck",
    )
    _add_selection(command, "outcomes")
    _add_json(command)
    return command


def _add_max_error(command: argparse.ArgumentParser) -> None:
    """What goes with ``--max-error``."""
    command.add_argument(
        "--of",
        default="all",
        choices=["all", "answered"],
        help="with --max-error: errors over all items or over answered ones "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--certainty",
        type=rate,
        metavar="C",
        help="with --max-error: certify the error, so that it is truly greater with "
        "chance 1 - C at most",
    )
    command.add_argument(
        "--plan",
        action="store_true",
        help="with --max-error and --certainty: how many items it takes before the "
        "error can be certified; with OUTCOMES also at their share of errors",
    )


def _add_compare(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        "compare",
        help="dominance, crossings, and whether a difference is luck",
        description="Compare two systems on the same items, a before b; all pairs if "
        "there are more.",
        epilog=_EXIT_CODES,
    )
    command.add_argument(
        "outcomes",
        nargs="+",
        metavar="OUTCOMES",
        help="files of outcomes: one per system, or one with several",
    )
    command.add_argument(
        "--at",
        type=rate,
        default=0.2,
        metavar="NONRETURN",
        help="compare errors at this nonreturn (default: %(default)s)",
    )
    command.add_argument(
        "--at-error",
        type=rate,
        metavar="ERROR",
        help="also compare how much each must decline to have this error",
    )
    command.add_argument(
        "--items",
        default="equal",
        choices=["equal", "common"],
        help="the same items, or those that all have (default: %(default)s)",
    )
    command.add_argument(
        "--method",
        default="auto",
        choices=["auto", "bootstrap", "permutation", "influence"],
        help="of the test (default: %(default)s)",
    )
    command.add_argument(
        "--seed", type=seed, default=0, help="of resampling (default: %(default)s)"
    )
    _add_answers(command)
    _add_selection(command, "outcomes")
    _add_json(command)
    return command


def _add_answers(command: argparse.ArgumentParser) -> None:
    """What a comparison also says, draws and decides."""
    command.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=worse,
        metavar="GATE",
        help=_WORSE,
    )
    command.add_argument(
        "--plan",
        type=rate,
        metavar="D",
        help="say how many items would show a difference of D, these being a pilot",
    )
    _add_level(command, "of intervals, the band and what counts as better")
    command.add_argument(
        "--band",
        action="store_true",
        help="where the one is better beyond doubt: a simultaneous band of the "
        "difference",
    )
    command.add_argument(
        "--plot",
        type=picture,
        metavar="FILE",
        help="draw both curves and their difference with its band (.png .svg .pdf)",
    )
    _add_region(command)


def _add_recheck(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        "recheck",
        help="whether a locked cutoff still keeps its target on new outcomes",
        description="One exact test of the locked target on new labelled outcomes, how "
        "many labels are still needed, and how far the confidences have moved.",
        epilog=_EXIT_CODES,
    )
    command.add_argument(
        "lock", metavar="LOCK", help="what demur choose --lock has written"
    )
    command.add_argument(
        "outcomes", nargs="+", metavar="OUTCOMES", help="files of new outcomes"
    )
    command.add_argument(
        "--fail-if",
        choices=["broken"],
        help="exit with 1 if the test finds a locked target broken; an inconclusive "
        "test passes, and is said",
    )
    _add_selection(command, "outcomes")
    _add_json(command)
    return command


def _add_score(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = answer_arguments.add_score(commands, _EXIT_CODES)
    _add_level(command, "of intervals")
    _add_selection(command, "outcomes")
    _add_output(command)
    return command


def _add_reserve(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = answer_arguments.add_reserve(commands, _EXIT_CODES)
    _add_selection(command, "references")
    _add_json(command)
    return command


def _add_merge(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = answer_arguments.add_merge(commands, _EXIT_CODES)
    _add_json(command)
    return command


def _add_lint(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = answer_arguments.add_lint(commands, _EXIT_CODES)
    _add_json(command)
    return command


def _add_demo(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        "demo",
        help="the whole flow on bundled data, in under a minute",
        description="Judge two systems that answer the questions of a museum's "
        "visitors, print the error-return table and draw the curves.",
        epilog=_EXIT_CODES,
    )
    command.add_argument(
        "--output",
        default="demur-demo",
        metavar="FOLDER",
        help="where the files go (default: %(default)s)",
    )
    return command


def _add_completion(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        "completion",
        help="print a shell's completion script",
        description="Print a completion script; for bash: "
        'eval "$(demur completion bash)".',
        epilog=_EXIT_CODES,
    )
    command.add_argument(
        "shell", choices=["bash", "zsh"], help="whose completion script to print"
    )
    return command


def _add_policies(command: argparse.ArgumentParser) -> None:
    """What to do about items that do not join one to one."""
    command.add_argument(
        "--missing",
        default="error",
        choices=["error", "unanswered", "leave_out"],
        help="items without a response (default: %(default)s)",
    )
    command.add_argument(
        "--unmatched",
        default="error",
        choices=["error", "leave_out"],
        help="responses without a reference (default: %(default)s)",
    )
    command.add_argument(
        "--repeated",
        default="error",
        choices=["error", "first", "last"],
        help="several responses to one item (default: %(default)s)",
    )


def _add_estimates(command: argparse.ArgumentParser) -> None:
    """How sure the numbers are."""
    command.add_argument(
        "--fold",
        metavar="COLUMN",
        help="the column that says which of several separately fitted models has "
        "answered: what pooling their confidences costs, and the areas without",
    )
    command.add_argument(
        "--intervals",
        action="store_true",
        help="standard errors and intervals of the errors at --at and of the area",
    )
    command.add_argument(
        "--band",
        choices=["sup-t", "dkw", "influence", "bootstrap"],
        help="a band in --plot and --json; the first two hold at all nonreturn rates "
        "together, the others at any one",
    )
    _add_level(command, "of intervals and bands")
    command.add_argument(
        "--seed", type=seed, default=0, help="of bands (default: %(default)s)"
    )


def _add_pictures(command: argparse.ArgumentParser) -> None:
    """Where to draw, and what to mark."""
    command.add_argument(
        "--plot",
        type=picture,
        metavar="FILE",
        help="draw the curves (.png .svg .pdf)",
    )
    command.add_argument(
        "--plot-split",
        type=picture,
        metavar="FILE",
        help="draw what becomes of the inputs at each cutoff (.png .svg .pdf)",
    )
    _add_region(command)


def _add_region(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--region",
        type=region,
        metavar="LOW:HIGH",
        help="shade the operating region in the plot, e.g. 0.15:0.25",
    )


def _add_level(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument(
        "--level", type=level, default=0.95, help=f"{what} (default: %(default)s)"
    )


def _add_calibration(command: argparse.ArgumentParser) -> None:
    """What stated confidences are worth."""
    command.add_argument(
        "--calibration",
        action="store_true",
        help="the Brier score of stated confidences in three parts, with intervals",
    )
    command.add_argument(
        "--target",
        action="append",
        default=[],
        type=rates,
        metavar="T",
        help="the same, and what it costs to trust confidences where a guess is worth "
        "giving from this chance of being right on; several with commas",
    )
    command.add_argument(
        "--plot-calibration",
        type=picture,
        metavar="FILE",
        help="draw the reliability diagram beside the curves (.png .svg .pdf)",
    )


def _add_rules(command: argparse.ArgumentParser) -> None:
    """The rules of which one is given."""
    rule = command.add_mutually_exclusive_group(required=True)
    rule.add_argument(
        "--cost-ratio",
        type=float,
        metavar="R",
        help="least error + R x nonreturn: the cost of a non-return over that of an "
        "error; from 1 upwards never decline",
    )
    rule.add_argument(
        "--confidence-target",
        type=rate,
        metavar="T",
        help="answer where the chance of being right is worth it: R = 1 - T",
    )
    rule.add_argument(
        "--max-error",
        type=rate,
        metavar="E",
        help="the smallest cutoff with error <= E",
    )
    rule.add_argument(
        "--nonreturn", type=rate, metavar="X", help="the largest nonreturn <= X"
    )
    rule.add_argument(
        "--balance",
        action="store_true",
        help="error and missed chance as equal as can be",
    )
    rule.add_argument(
        "--prices",
        action="store_true",
        help="which system, at which cutoff, is cheapest at which R, or whether to "
        "answer nothing; systems judged on the same items",
    )


def _add_held_out(command: argparse.ArgumentParser) -> None:
    """Where the choice is judged."""
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "--held-out",
        nargs="+",
        metavar="OUTCOMES",
        help="judge the cutoff on these outcomes",
    )
    where.add_argument(
        "--split",
        type=rate,
        metavar="SHARE",
        help="choose on this share of the items, drawn at random, judge on the rest",
    )
    command.add_argument("--seed", type=seed, help="of the split (default: 0)")


def _add_selection(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument(
        "--where",
        action="append",
        default=[],
        type=condition,
        metavar="COL=VALUE",
        help=f"use only the {what} with this value; may be repeated: any of several "
        "values of one column, and all columns",
    )


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json", action="store_true", help="print JSON instead of a table"
    )


def _add_output(command: argparse.ArgumentParser) -> None:
    _add_json(command)
    command.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=gate,
        metavar="GATE",
        help=_GATES,
    )


_COMMANDS = (
    _add_judge,
    _add_score,
    _add_curve,
    _add_choose,
    _add_compare,
    _add_recheck,
    _add_reserve,
    _add_merge,
    _add_lint,
    _add_demo,
    _add_completion,
)
