"""What commands share: options, and what arguments must look like; loads little."""

import argparse
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from demur.cli import Options, as_json, say, show
from demur.cli.usage import WrongUsage
from demur.formats.streams import MAX_SIZE
from demur.results import Result, document

if TYPE_CHECKING:
    pass


def _checked(text: str, module: str, check: str) -> Any:
    """What a function of demur makes of an argument; its refusal is wrong usage."""
    from importlib import import_module

    from demur.errors import DemurError

    try:
        return getattr(import_module(module), check)(text)
    except DemurError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def seconds(text: str) -> float:
    """A time above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1_000_000:
        must = "must be seconds, above 0 and below 1,000,000"
        raise argparse.ArgumentTypeError(f"{must}; got {text!r}")
    return value


def count(text: str) -> int:
    """A whole number from 1 upwards."""
    if not (text.isascii() and text.isdigit() and int(text)):
        must = f"must be a whole number from 1 upwards; got {text!r}"
        raise argparse.ArgumentTypeError(must)
    return int(text)


def folder(text: str) -> str:
    """A folder that can be written to; it is made."""
    import os
    from pathlib import Path

    try:
        Path(text).mkdir(parents=True, exist_ok=True)
        writable = os.access(text, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        must = f"must be a folder that can be written to; got {text!r}"
        raise argparse.ArgumentTypeError(must)
    return text


def comparator(text: str) -> Any:
    """A comparator with its options."""
    return _checked(text, "demur.answers", "comparator")


def named_score(text: str) -> str:
    """A named score, with its parameter."""
    _checked(text, "demur.decisions.linear_scores", "linear_score")
    return text


def no_answer(text: str) -> str:
    """A regular expression, or the word that stands for several."""
    _checked(text, "demur.answers.refusals", "NoAnswers")
    return text


def picture(text: str) -> str:
    """A path that ends like a picture."""
    _checked(text, "demur.plots.pens", "check_picture_ending")
    return text


def target(text: str) -> str:
    """A path that ends like a table, or - for standard output."""
    if text != "-":
        _checked(text, "demur.formats.writing", "check_table_ending")
    return text


def condition(text: str) -> tuple[str, str]:
    """``COL=VALUE`` as a pair."""
    column, equals, value = text.partition("=")
    if not equals or not column:
        raise argparse.ArgumentTypeError(f"must read COL=VALUE; got {text!r}")
    return column, value


def rate(text: str) -> float:
    """A rate from 0 to 1."""
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        hint = "rates are fractions: 0.2 is 20 %"
        raise argparse.ArgumentTypeError(f"must be from 0 to 1; got {text!r} ({hint})")
    return rate


def level(text: str) -> float:
    """A level of confidence."""
    level = rate(text)
    if not 0.5 <= level < 1:
        raise argparse.ArgumentTypeError(f"must be from 0.5 to below 1; got {text!r}")
    return level


def seed(text: str) -> int:
    """A whole number from 0 upwards."""
    if not (text.isascii() and text.isdigit()):
        must = f"must be a whole number from 0 upwards; got {text!r}"
        raise argparse.ArgumentTypeError(must)
    return int(text)


def rates(text: str) -> list[float]:
    """Rates separated by commas."""
    return [rate(part) for part in text.split(",")]


def weights(text: str) -> list[float]:
    """Weights of a wrong answer, separated by commas."""
    try:
        weights = [float(part) for part in text.split(",")]
    except ValueError:
        weights = [-1.0]
    if not all(0 < weight < float("inf") for weight in weights):
        must = "must be numbers above 0"
        hint = "2: a wrong answer costs as much as two not given"
        raise argparse.ArgumentTypeError(f"{must}; got {text!r} ({hint})")
    return weights


def positive(text: str) -> float:
    """A number above 0, not infinite."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number above 0; got {text!r}")
    return value


def cost_ratio(text: str) -> float:
    """A number from 0 upwards, not infinite."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        must = f"must be a number from 0 upwards; got {text!r}"
        raise argparse.ArgumentTypeError(must)
    return value


def difference(text: str) -> float:
    """A difference of two rates, above 0 and below 1."""
    difference = share(text)
    if difference < 1e-9:
        raise argparse.ArgumentTypeError(f"must be at least 1e-9; got {text!r}")
    return difference


_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}


def size(text: str) -> int:
    """A number of bytes, such as 500MB or 20GiB."""
    digits = text.rstrip("kKmMgGtTiIbB ")
    unit = text[len(digits) :].strip().lower()
    if not (digits.isascii() and digits.isdigit() and int(digits)) or (
        unit not in _UNITS
    ):
        must = f"must be a size such as 500MB or 20GiB; got {text!r}"
        raise argparse.ArgumentTypeError(must)
    return int(digits) * _UNITS[unit]


def memory(text: str) -> int:
    """A number of bytes that is enough for an engine."""
    given = size(text)
    if given < 1 << 26:
        raise argparse.ArgumentTypeError(f"must be at least 64MiB; got {text!r}")
    return given


def share(text: str) -> float:
    """A share between 0 and 1, neither of them."""
    share = rate(text)
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"must be inside (0, 1); got {text!r}")
    return share


def record_file(text: str) -> str:
    """A path that ends like JSON Lines."""
    _checked(text, "demur.formats.writing", "check_record_ending")
    return text


def record_target(text: str) -> str:
    """A path that ends like JSON Lines, or - for standard output."""
    return text if text == "-" else record_file(text)


def names(text: str) -> list[str]:
    """Names separated by commas."""
    names = [part.strip() for part in text.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError(f"must be names with commas; got {text!r}")
    return names


def region(text: str) -> tuple[float, float]:
    """``LOW:HIGH`` as a pair of rates."""
    low, _, high = text.partition(":")
    region = rate(low), rate(high)
    if not region[0] < region[1]:
        raise argparse.ArgumentTypeError(f"must read LOW:HIGH; got {text!r}")
    return region


# -- options that several commands have --------------------------------------------


def add_region(command: Options) -> None:
    """``--region``."""
    command.option(
        "--region LOW:HIGH",
        "shade the operating region in the plot, e.g. 0.15:0.25",
        type=region,
    )


def add_level(command: Options, what: str) -> None:
    """``--level``, and what it is the level of."""
    command.option("--level LEVEL", f"{what}", type=level, usual=0.95)


def add_databases(command: Options, whose: str) -> None:
    """``--db-root``, ``--timeout``, ``--cache``: where SQL runs, and for how long."""
    command.option(
        "--db-root DIR",
        f"the folder that db of the references starts from (default: that of "
        f"{whose}), or one database for all: a file, or postgresql://USER@HOST/NAME; "
        "also read from the environment variable DEMUR_DB_ROOT",
    )
    command.option("--timeout SECONDS", "for each query (default: 30)", type=seconds)
    command.option(
        "--cache DIR", "keep results here; an interrupted run resumes", type=folder
    )


def add_seed(command: Options, what: str) -> None:
    """``--seed``, and what it is the seed of."""
    command.option("--seed SEED", f"{what}", type=seed, usual=0)


def add_selection(command: Options, what: str) -> None:
    """``--where``, and what it selects."""
    command.option(
        "--where COL=VALUE",
        f"use only the {what} with this value; may be repeated: any of several "
        "values of one column, and all columns",
        several=True,
        type=condition,
    )
    add_max_size(command)


def add_max_size(command: Options) -> None:
    """``--max-size``."""
    command.option(
        "--max-size SIZE",
        "how much a compressed file may hold, and 16 times what may be one line, "
        "such as 20GB (default: 4GiB)",
        type=size,
        default=MAX_SIZE,
    )


def add_picture(command: Options, what: str, option: str = "--plot") -> None:
    """``--plot``, or another option that names the file of a picture."""
    what += " (.png .svg .pdf)"
    command.add_argument(option, type=picture, metavar="FILE", help=what)


def add_json(command: Options) -> None:
    """``--json``."""
    command.option("--json", "print JSON instead of a table")


# -- results: printed, written to a page, held by gates -----------------------------


@dataclass(frozen=True)
class Output:
    """What becomes of the result of a command.

    Parameters
    ----------
    json, wide : bool
        Print JSON; or text with every column.
    page : str or None
        Where an offline page goes.
    gates : tuple of Gate or WorseGate
        Checked against the kinds of the result.
    line : str
        The command as it was typed, for the page.
    """

    json: bool = False
    wide: bool = False
    page: str | None = None
    gates: tuple[Any, ...] = ()
    line: str = ""


def parsed_gate(text: str) -> Any:
    """A gate, in the grammar that all commands share."""
    return _checked(text, "demur.results.gates", "parse_gate")


def add_result_options(command: Options, examples: str) -> None:
    """``--json``, ``--wide``, ``--page`` and ``--fail-if``, with examples of gates."""
    add_json(command)
    command.option("--wide", "show every column, however wide the lines")
    command.option("--page HTML", "also write the result on one offline page")
    command.option(
        "--fail-if GATE",
        f"exit with 1 if the condition holds, e.g. {examples}; may be repeated",
        several=True,
        type=parsed_gate,
    )


def output_of(arguments: Namespace, kinds: Sequence[Any]) -> Output:
    """What was asked of the output, before any work.

    Parameters
    ----------
    arguments : Namespace
        With the options of `add_result_options`.
    kinds : sequence of FigureKind
        The figures that the result will have.

    Raises
    ------
    WrongUsage
        If a gate names no such figure, or a limit that cannot be reached.
    """
    from demur.errors import InputError
    from demur.results.gates import check_gate

    for gate in arguments.fail_if:
        try:
            check_gate(gate, kinds)
        except InputError as problem:
            raise WrongUsage(
                f"{arguments.command}: --fail-if",
                problem.what,
                problem.must,
                problem.got,
                problem.hint,
            ) from None
    return Output(
        json=arguments.json,
        wide=arguments.wide,
        page=arguments.page,
        gates=tuple(arguments.fail_if),
        line=arguments.typed,
    )


def finish(result: Result, output: Output, stream: TextIO | None = None) -> int:
    """Print a result, write its page, and hold it against the gates.

    Parameters
    ----------
    result : Result
    output : Output
    stream : file, optional
        Where it is printed; standard output if left out.

    Returns
    -------
    int
        0, or 1 if a gate is broken.
    """
    if output.json:
        show(as_json(document(result)), stream)
    else:
        show(result.to_text(wide=output.wide), stream)
    if output.page is not None:
        from demur.pages.parts import Source
        from demur.pages.reporting import report

        report([result], path=output.page, source=Source(typed=output.line))
        say(f"wrote {output.page}")
    if not output.gates:
        return 0
    from demur.results.gates import broken_gates

    lines = broken_gates(output.gates, result)
    for line in lines:
        say(f"gate broken: {line}")
    return 1 if lines else 0


def how_read(arguments: Namespace) -> dict[str, Any]:
    """How files are read: for each column the values that are let through, the size."""
    where: dict[str, list[str]] = {}
    for column, value in arguments.where:
        where.setdefault(column, []).append(value)
    return {"where": where, "max_size": arguments.max_size}
