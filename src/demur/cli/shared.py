"""What commands share: options, what arguments must look like, how results end."""

import argparse
import os
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from math import inf, nan
from pathlib import Path
from typing import Any, TextIO, TypeVar

from demur.cli import BROKEN_GATE, FINE, Options, as_json, say, show
from demur.errors import DemurError, InputError
from demur.formats.streams import MAX_SIZE
from demur.results import Result, document, printable
from demur.results.gates import broken_gates, check_gate

R = TypeVar("R", bound=Result)


class WrongUsage(InputError):
    """Options that are wrong by themselves, whatever the data: exit code 2."""


def _checked(text: str, module: str, check: str) -> Any:
    """What a function of demur makes of an argument; its refusal is wrong usage."""
    try:
        return getattr(import_module(module), check)(text)
    except DemurError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _refused(need: str, text: str, hint: str = "") -> argparse.ArgumentTypeError:
    """What an argument must look like, and does not."""
    return argparse.ArgumentTypeError(f"must {need}; got {text!r}{hint}")


def _number(
    text: str, sound: Callable[[float], bool], need: str, hint: str = ""
) -> float:
    """A number if it is sound; what is none is NaN, which no comparison holds for."""
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not sound(value):
        raise _refused(need, text, hint)
    return value


def _whole(text: str, least: int) -> int:
    """A whole number, written in plain digits."""
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise _refused(f"be a whole number from {least} upwards", text)
    return int(text)


def seconds(text: str) -> float:
    """A time above 0."""
    need = "be seconds, above 0 and below 1,000,000"
    return _number(text, lambda value: 0 < value < 1_000_000, need)


def count(text: str) -> int:
    """A whole number from 1 upwards."""
    return _whole(text, 1)


def seed(text: str) -> int:
    """A whole number from 0 upwards."""
    return _whole(text, 0)


def folder(text: str) -> str:
    """A folder that can be written to, or made: that is left to who writes."""
    place, writable = Path(text).absolute(), False
    with suppress(OSError, ValueError):
        there = next(folder for folder in (place, *place.parents) if folder.exists())
        writable = there.is_dir() and os.access(there, os.W_OK)
    if not writable:
        raise _refused("be a folder that can be written to", text)
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
    """A path that ends like a picture, where one can be drawn."""
    _checked(text, "demur.plots.pens", "check_picture_ending")
    check_extra("plot")
    return text


def page(text: str) -> str:
    """A path that ends like a page, where one can be made."""
    if not text.endswith((".html", ".htm")):
        raise _refused("end in .html", text, " (a browser opens it by its ending)")
    check_extra("report")
    return text


_EXTRAS = {
    "plot": ("matplotlib", "Drawing a picture"),
    "report": ("jinja2", "A report"),
}


def check_extra(extra: str) -> None:
    """Refuse what is not installed before any work; it is not loaded."""
    from importlib.util import find_spec

    from demur.errors import MissingExtra

    module, purpose = _EXTRAS[extra]
    if find_spec(module) is None:
        raise MissingExtra(extra, purpose)


def target(text: str) -> str:
    """A path that ends like a table, or - for standard output."""
    if text != "-":
        _checked(text, "demur.formats.writing", "check_table_ending")
    return text


def condition(text: str) -> tuple[str, str]:
    """``COL=VALUE`` as a pair."""
    return _pair(text, "COL=VALUE")


def given(text: str) -> tuple[str, str]:
    """``MODULE=SOURCE`` as a pair."""
    module, source = _pair(text, "MODULE=SOURCE")
    if not source:
        raise _refused("read MODULE=SOURCE", text)
    return module, source


def _pair(text: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise _refused(f"read {form}", text)
    return name, value


def rate(text: str) -> float:
    """A rate from 0 to 1."""
    hint = " (rates are fractions: 0.2 is 20 %)"
    return _number(text, lambda value: 0 <= value <= 1, "be from 0 to 1", hint)


def level(text: str) -> float:
    """A level of confidence."""
    if not 0.5 <= rate(text) < 1:
        raise _refused("be from 0.5 to below 1", text)
    return float(text)


def rates(text: str) -> list[float]:
    """Rates separated by commas."""
    return [rate(part) for part in text.split(",")]


def weights(text: str) -> list[float]:
    """Weights of a wrong answer, separated by commas."""
    try:
        return [positive(part) for part in text.split(",")]
    except argparse.ArgumentTypeError:
        hint = " (2: a wrong answer costs as much as two not given)"
        raise _refused("be numbers above 0", text, hint) from None


def positive(text: str) -> float:
    """A number above 0, not infinite."""
    return _number(text, lambda value: 0 < value < inf, "be a number above 0")


def cost_ratio(text: str) -> float:
    """A number from 0 upwards, not infinite."""
    need = "be a number from 0 upwards"
    return _number(text, lambda value: 0 <= value < inf, need)


def share(text: str) -> float:
    """A share between 0 and 1, neither of them."""
    if not 0 < rate(text) < 1:
        raise _refused("be inside (0, 1)", text)
    return float(text)


def difference(text: str) -> float:
    """A difference of two rates, above 0 and below 1."""
    if share(text) < 1e-9:
        raise _refused("be at least 1e-9", text)
    return float(text)


_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}


def size(text: str) -> int:
    """A number of bytes, such as 500MB or 20GiB."""
    digits = text.rstrip("kKmMgGtTiIbB ")
    unit = text[len(digits) :].strip().lower()
    if not (digits.isascii() and digits.isdigit() and int(digits)) or (
        unit not in _UNITS
    ):
        raise _refused("be a size such as 500MB or 20GiB", text)
    return int(digits) * _UNITS[unit]


def memory(text: str) -> int:
    """A number of bytes that is enough for an engine."""
    given = size(text)
    if given < 1 << 26:
        raise _refused("be at least 64MiB", text)
    return given


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
        raise _refused("be names with commas", text)
    return names


def region(text: str) -> tuple[float, float]:
    """``LOW:HIGH`` as a pair of rates."""
    low, _, high = text.partition(":")
    region = rate(low), rate(high)
    if not region[0] < region[1]:
        raise _refused("read LOW:HIGH", text)
    return region


# -- options that several commands have --------------------------------------------


def add_region(command: Options) -> None:
    """``--region``."""
    command.option(
        "--region LOW:HIGH: shade the operating region in the plot, e.g. 0.15:0.25",
        type=region,
    )


def add_level(command: Options, what: str) -> None:
    """``--level``, and what it is the level of."""
    command.option(f"--level LEVEL: {what}", type=level, usual=0.95)


def add_databases(command: Options, whose: str) -> None:
    """``--db-root``, ``--timeout``, ``--cache``: where SQL runs, and for how long."""
    command.option(
        f"--db-root DIR: the folder that db of the references starts from (default: "
        f"that of {whose}), or one database for all: a file, or "
        "postgresql://USER@HOST/NAME; also read from the environment variable "
        "DEMUR_DB_ROOT"
    )
    command.option("--timeout SECONDS: for each query (default: 30)", type=seconds)
    command.option(
        "--cache DIR: keep results here; an interrupted run resumes", type=folder
    )


def add_seed(command: Options, what: str) -> None:
    """``--seed``, and what it is the seed of."""
    command.option(f"--seed SEED: {what}", type=seed, usual=0)


def add_max_cluster(command: Options, where: str = "") -> None:
    """``--max-cluster``, with where it counts."""
    command.option(
        f"--max-cluster N: {where}the most items that a cluster (a dialogue, say) may "
        "have, also later; recheck --anytime needs it",
        type=count,
    )


def add_selection(command: Options, what: str) -> None:
    """``--where``, and what it selects."""
    command.option(
        f"--where COL=VALUE: use only the {what} with this value; may be repeated: "
        "any of several values of one column, and all columns",
        several=True,
        type=condition,
    )
    add_max_size(command)


def add_max_size(command: Options) -> None:
    """``--max-size``."""
    command.option(
        "--max-size SIZE: how much a compressed file may hold, and 16 times what may "
        "be one line, such as 20GB (default: 4GiB)",
        type=size,
        default=MAX_SIZE,
    )


def add_picture(command: Options, what: str, option: str = "--plot") -> None:
    """``--plot``, or another option that names the file of a picture."""
    command.option(f"{option} FILE: {what} (.png .svg .pdf)", type=picture)


def add_json(command: Options) -> None:
    """``--json``."""
    command.option("--json: print JSON instead of a table")


# -- where results go ------------------------------------------------------------------


def check_outputs(
    command: str, outputs: Mapping[str, str | None], sources: Iterable[str | None]
) -> None:
    """Refuse to write over what is read, twice to one file, or to no folder.

    Parameters
    ----------
    command : str
        For messages.
    outputs : mapping of option to path or None
        Where results go; ``-`` is standard output, None is nowhere.
    sources : iterable of path or None
        What is read.

    Raises
    ------
    WrongUsage
        With the name of the option.
    """
    given = {option: path for option, path in outputs.items() if path}
    read = [source for source in sources if source]
    for option, path in given.items():
        _check_place(command, option, path)
        if any(same_file(path, source) for source in read):
            need, hint = "not be a file that is read", "Name another file."
            raise WrongUsage(command, option, need, printable(path), hint)
    options = list(given)
    for at, option in enumerate(options):
        for other in options[:at]:
            if same_file(given[option], given[other]):
                got = printable(f"{given[other]} and {given[option]}")
                need = "go to two files"
                raise WrongUsage(command, f"{other} and {option}", need, got)


def _check_place(command: str, option: str, path: str) -> None:
    if path == "-":
        return
    got, folder = printable(path), Path(path).parent
    if "\0" in path:
        raise WrongUsage(command, option, "hold no NUL", got)
    if Path(path).is_dir():
        raise WrongUsage(command, option, "name a file", f"{got}, a directory")
    if not folder.is_dir():
        need, hint = "lie in a directory that exists", f"Make it: mkdir -p {folder}"
        raise WrongUsage(command, option, need, got, printable(hint))
    if not Path(path).exists() and not os.access(folder, os.W_OK):
        need = "lie in a directory that can be written to"
        raise WrongUsage(command, option, need, got)


def same_file(first: str, second: str) -> bool:
    """Whether two paths lead to one file, there or yet to be written; "-" is none.

    Examples
    --------
    >>> same_file("a.jsonl", "./b/../a.jsonl"), same_file("-", "-")
    (True, False)
    """
    if "-" in (first, second):
        return False
    with suppress(OSError, ValueError):
        return Path(first).samefile(second)
    return os.path.realpath(first) == os.path.realpath(second)


# -- results: printed, written to a page, held by gates -----------------------------


def parsed_gate(text: str) -> Any:
    """A gate, in the grammar that all commands share."""
    return _checked(text, "demur.results.gates", "parse_gate")


def add_result_options(command: Options, examples: str) -> None:
    """``--json``, ``--wide``, ``--page`` and ``--fail-if``, with examples of gates."""
    add_json(command)
    command.option("--wide: show every column, however wide the lines")
    command.option("--page HTML: also write the result on one offline page", type=page)
    command.option(
        f"--fail-if GATE: exit with 1 if the condition holds, e.g. {examples}; may be "
        "repeated",
        several=True,
        type=parsed_gate,
    )


def check_asked(
    arguments: Namespace,
    kinds: Iterable[Any],
    reads: Iterable[str | None],
    writes: Iterable[str] = (),
) -> None:
    """Refuse, before any work, files that cannot be written, and useless gates.

    Parameters
    ----------
    arguments : Namespace
        With the options of `add_result_options`.
    kinds : iterable of FigureKind
        The figures that the result will have.
    reads : iterable of path or None
        What is read.
    writes : iterable of str
        The options, beside ``--page``, that name files to be written.

    Raises
    ------
    WrongUsage
        If a gate names no such figure, or a limit that cannot be reached.
    """
    places = {option_name(name): getattr(arguments, name) for name in (*writes, "page")}
    check_outputs(arguments.command, places, reads)
    check_gates(arguments, kinds)


def check_gates(arguments: Namespace, kinds: Iterable[Any]) -> None:
    """Refuse gates on figures, or with limits, that there are not.

    Raises
    ------
    WrongUsage
        With the nearest name, or the possible range.
    """
    listed = [*kinds]
    for gate in arguments.fail_if:
        with wrong_usage(f"{arguments.command}: --fail-if"):
            check_gate(gate, listed)


@contextmanager
def wrong_usage(where: str) -> Iterator[None]:
    """What is refused here is so by itself, whatever the data."""
    try:
        yield
    except InputError as problem:
        parts = problem.what, problem.must, problem.got, problem.hint
        raise WrongUsage(where, *parts) from None


def option_name(name: str) -> str:
    """How an option is typed.

    Examples
    --------
    >>> option_name("max_size")
    '--max-size'
    """
    return "--" + name.replace("_", "-")


def finish(result: Result, arguments: Namespace, stream: TextIO | None = None) -> int:
    """Print a result, write its page, and hold it against the gates.

    Parameters
    ----------
    result : Result
        What the command has found.
    arguments : Namespace
        With the options of `add_result_options`.
    stream : file, optional
        Where it is printed; standard output if left out.

    Returns
    -------
    int
        0, or 1 if a gate is broken.
    """
    result = with_selection(result, arguments)
    if arguments.json:
        show(as_json(document(result)), stream)
    else:
        show(result.to_text(wide=arguments.wide), stream)
    if arguments.page is not None:
        from demur.pages.parts import Source
        from demur.pages.reporting import report

        report([result], path=arguments.page, source=Source(typed=arguments.typed))
        say(f"wrote {arguments.page}")
    if not arguments.fail_if:
        return FINE
    lines = broken_gates(arguments.fail_if, result)
    for line in lines:
        say(f"gate broken: {line}")
    return BROKEN_GATE if lines else FINE


def with_selection(result: R, arguments: Namespace) -> R:
    """The result with what ``--where`` let through in its recipe.

    Files of outcomes know that themselves; other files leave it to their commands.
    """
    if not getattr(arguments, "where", None):
        return result
    from demur.formats.selection import Selection

    return result.with_recipe(where=Selection(by_column(arguments.where)).text())


def draw(make: Callable[[], Any], path: str | None) -> None:
    """Draw a picture into its file, if one is asked for."""
    if path:
        from demur.plots.pens import save_picture

        save_picture(make(), path)
        say(f"wrote {path}")


def named(arguments: Namespace, *names: str) -> dict[str, Any]:
    """Options as arguments of a verb that calls them by the same names."""
    return {name: getattr(arguments, name) for name in names}


def how_read(arguments: Namespace) -> dict[str, Any]:
    """How files are read: for each column the values that are let through, the size."""
    where = by_column(arguments.where)
    return {"where": where, "max_size": arguments.max_size}


def by_column(conditions: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The values of each column that ``COL=VALUE`` names."""
    values: dict[str, list[str]] = {}
    for column, value in conditions:
        values.setdefault(column, []).append(value)
    return values
