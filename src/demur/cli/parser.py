"""The grammar of the command line; loads nothing but argparse."""

import argparse
from typing import Any

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
        type=_comparator,
        metavar="COMPARATOR",
        help="label, text, text(normalise=squad), number, number(relative=0.01), cas, "
        "relation(mode=bag), ... (default: %(default)s)",
    )
    command.add_argument(
        "-o",
        "--output",
        type=_target,
        metavar="OUTCOMES",
        help="write outcomes; the format is told "
        "by the ending (.jsonl .json .csv .tsv .parquet, also .gz .zst; - is standard "
        "output)",
    )
    _add_policies(command)
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
        type=_rates,
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
    _add_pictures(command)
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
        "outcomes", nargs="+", metavar="OUTCOMES", help="files of outcomes"
    )
    _add_rules(command)
    command.add_argument(
        "--of",
        default="all",
        choices=["all", "answered"],
        help="with --max-error: errors over all items or over answered ones "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--certainty",
        type=_rate,
        metavar="C",
        help="with --max-error: certify the error, so that it is truly greater with "
        "chance 1 - C at most",
    )
    _add_held_out(command)
    command.add_argument(
        "--by",
        metavar="GROUP",
        help="who gets declined at the cutoff: rates for each value of this column",
    )
    command.add_argument(
        "--lock",
        metavar="FILE",
        help="keep the cutoff, its target and the mix of confidences for demur recheck",
    )
    _add_selection(command, "outcomes")
    _add_json(command)
    return command


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
        type=_rate,
        default=0.2,
        metavar="NONRETURN",
        help="compare errors at this nonreturn (default: %(default)s)",
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
        "--seed", type=int, default=0, help="of resampling (default: %(default)s)"
    )
    command.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=_worse,
        metavar="GATE",
        help=_WORSE,
    )
    command.add_argument(
        "--plan",
        type=_rate,
        metavar="D",
        help="say how many items would show a difference of D, these being a pilot",
    )
    _add_selection(command, "outcomes")
    _add_json(command)
    return command


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
    _add_selection(command, "outcomes")
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


def _add_pictures(command: argparse.ArgumentParser) -> None:
    """Where to draw, and what to mark."""
    command.add_argument(
        "--plot",
        type=_picture,
        metavar="FILE",
        help="draw the curves (.png .svg .pdf)",
    )
    command.add_argument(
        "--plot-split",
        type=_picture,
        metavar="FILE",
        help="draw what becomes of the inputs at each cutoff (.png .svg .pdf)",
    )
    command.add_argument(
        "--region",
        type=_region,
        metavar="LOW:HIGH",
        help="shade the operating region in the plot, e.g. 0.15:0.25",
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
        type=_rate,
        metavar="T",
        help="answer where the chance of being right is worth it: R = 1 - T",
    )
    rule.add_argument(
        "--max-error",
        type=_rate,
        metavar="E",
        help="the smallest cutoff with error <= E",
    )
    rule.add_argument(
        "--nonreturn", type=_rate, metavar="X", help="the largest nonreturn <= X"
    )
    rule.add_argument(
        "--balance",
        action="store_true",
        help="error and missed chance as equal as can be",
    )
    rule.add_argument(
        "--prices",
        action="store_true",
        help="which system, at which cutoff, is cheapest at which R",
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
        type=_rate,
        metavar="SHARE",
        help="choose on this share of the items, drawn at random, judge on the rest",
    )
    command.add_argument(
        "--seed", type=int, default=0, help="of the split (default: %(default)s)"
    )


def _add_selection(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument(
        "--where",
        action="append",
        default=[],
        type=_condition,
        metavar="COL=VALUE",
        help=f"use only the {what} with this value; may be repeated (all must hold)",
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
        type=_gate,
        metavar="GATE",
        help=_GATES,
    )


def _checked(text: str, module: str, check: str) -> Any:
    """What a function of demur makes of an argument; its refusal is wrong usage."""
    from importlib import import_module

    from demur.errors import DemurError

    try:
        return getattr(import_module(module), check)(text)
    except DemurError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _gate(text: str) -> Any:
    """A gate, parsed."""
    return _checked(text, "demur.gates", "parse_gate")


def _worse(text: str) -> Any:
    """A gate on a comparison, parsed."""
    return _checked(text, "demur.gates", "parse_worse")


def _comparator(text: str) -> Any:
    """A comparator with its options."""
    return _checked(text, "demur.answers", "comparator")


def _picture(text: str) -> str:
    """A path that ends like a picture."""
    _checked(text, "demur.plots", "check_ending")
    return text


def _target(text: str) -> str:
    """A path that ends like a table, or - for standard output."""
    if text != "-":
        _checked(text, "demur.formats.writing", "check_ending")
    return text


def _condition(text: str) -> tuple[str, str]:
    """``COL=VALUE`` as a pair."""
    column, equals, value = text.partition("=")
    if not equals or not column:
        raise argparse.ArgumentTypeError(f"must read COL=VALUE; got {text!r}")
    return column, value


def _rate(text: str) -> float:
    """A rate from 0 to 1."""
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        hint = "rates are fractions: 0.2 is 20 %"
        raise argparse.ArgumentTypeError(f"must be from 0 to 1; got {text!r} ({hint})")
    return rate


def _rates(text: str) -> list[float]:
    """Rates separated by commas."""
    return [_rate(part) for part in text.split(",")]


def _region(text: str) -> tuple[float, float]:
    """``LOW:HIGH`` as a pair of rates."""
    low, _, high = text.partition(":")
    region = _rate(low), _rate(high)
    if not region[0] < region[1]:
        raise argparse.ArgumentTypeError(f"must read LOW:HIGH; got {text!r}")
    return region


_COMMANDS = (
    _add_judge,
    _add_curve,
    _add_choose,
    _add_compare,
    _add_recheck,
    _add_demo,
    _add_completion,
)
