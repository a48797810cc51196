"""What commands share: options, what arguments must look like, how results end."""

import os
import re
import shlex
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar

from demur.cli import BROKEN_GATE, FINE, as_json, say, show
from demur.cli.options import typed
from demur.cli.options.choices import JOIN_POLICIES
from demur.curves.curve_kinds import CERTIFIED, OUTCOMES_KINDS
from demur.errors import InputError, masked
from demur.files import is_database
from demur.formats.reading import kept_run
from demur.formats.streams import MAX_SIZE
from demur.outcomes.table import Outcomes, part_name
from demur.results import Result, document, printable
from demur.results.gates import broken_gates, check_gate

R = TypeVar("R", bound=Result)


class WrongUsage(InputError):
    """Options that are wrong by themselves, whatever the data: exit code 2."""


OF_WHOLES: Final = ("people_error", "minutes", "without_parts")
"""Options that say something only of answers with parts."""


def hiding(arguments: Namespace, outcomes: Outcomes, *keep: str) -> Outcomes:
    """Outcomes without references, if asked for; further columns to keep are named."""
    if not arguments.hide_references:
        return outcomes
    from demur.outcomes.hidden_references import without_references

    return without_references(outcomes, keep=keep)


def check_hiding(arguments: Namespace) -> None:
    """Refuse ``--by`` of a column that says what would be right, if that is hidden."""
    for name in arguments.by if arguments.hide_references else ():
        from demur.outcomes.hidden_references import ANSWERS

        if name in ANSWERS:
            need, got = "name no column of answers with --hide-references", name
            raise WrongUsage(arguments.command, "--by", need, got)


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
    read = [where_kept(source) for source in sources if source]
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
    if "://" in path:
        need = "name a file on this machine"
        raise WrongUsage(command, option, need, path, "Copy it there afterwards.")
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


def where_kept(source: str) -> str:
    """The store that a kept run is in; of a file, the file itself."""
    if (named := kept_run(source)) is None:
        return source
    from demur.store.kept_tables import store_of

    return store_of(named)


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


@contextmanager
def policies_typed() -> Iterator[None]:
    """Say how policies are typed where a hint names them as arguments."""
    try:
        yield
    except InputError as problem:
        hint = _POLICY.sub(r"--\1 \2", problem.hint)
        if hint == problem.hint:
            raise
        raise problem.with_hint(hint) from None


_POLICY: Final = re.compile(rf"\b({'|'.join(JOIN_POLICIES)})=(\w+)")


def option_name(name: str) -> str:
    """How an option is typed.

    Examples
    --------
    >>> option_name("max_size")
    '--max-size'
    """
    return "--" + name.replace("_", "-")


def finish(
    result: Result,
    arguments: Namespace,
    stream: TextIO | None = None,
    of: Outcomes | None = None,
) -> int:
    """Print a result, write its page, and hold it against the gates.

    Parameters
    ----------
    result : Result
        What the command has found.
    arguments : Namespace
        With the options of `add_result_options`.
    stream : file, optional
        Where it is printed; standard output if left out.
    of : Outcomes, optional
        What the page is to show beside it.

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

        words = shlex.join(map(masked, shlex.split(arguments.typed)))
        files = () if of is None else tuple(map(str, arguments.outcomes))
        shown = [result] if of is None else [of, result]
        source = Source(files, reading_words(arguments), typed=words)
        report(shown, path=arguments.page, source=source)
        say(f"wrote {arguments.page}")
    if not arguments.fail_if:
        return FINE
    lines = broken_gates(arguments.fail_if, result)
    for line in lines:
        say(f"gate broken: {line}")
    return BROKEN_GATE if lines else FINE


def with_selection(result: R, arguments: Namespace) -> R:
    """The result with what ``--where`` let through, and how files were read.

    Outcomes and what is judged know that themselves; others leave it to their commands.
    """
    parts = {name: getattr(arguments, name, None) for name in ("log", "columns")}
    if isinstance(parts["columns"], Mapping):
        from demur.formats.column_mappings import mapping_text

        parts["columns"] = mapping_text(parts["columns"])
    if getattr(arguments, "where", None):
        from demur.formats.selection import Selection

        parts["where"] = Selection(by_column(arguments.where)).text()
    known = getattr(result, "recipe", {})
    unknown = {name: text for name, text in parts.items() if text and name not in known}
    return result.with_recipe(**unknown) if unknown else result


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
    """How files are read: the rows that are let through, the size, names of columns."""
    where = by_column(arguments.where)
    return {"where": where, **named(arguments, "max_size", "log", "columns")}


def reading_words(arguments: Namespace) -> tuple[str, ...]:
    """The options on how files are read, as they are typed."""
    words = [
        word
        for column, value in getattr(arguments, "where", ())
        for word in ("--where", f"{column}={value}")
    ]
    texts = {name: getattr(arguments, name, None) for name in ("log", "columns")}
    if isinstance(texts["columns"], Mapping):
        from demur.formats.column_mappings import mapping_text

        texts["columns"] = mapping_text(texts["columns"])
    if (repeated := getattr(arguments, "repeated", None)) != "error":
        texts["repeated"] = repeated
    for name, text in texts.items():
        words += [option_name(name), text] if isinstance(text, str) else []
    return tuple(words)


def how_counted(arguments: Namespace) -> dict[str, Any]:
    """The same of outcomes, and which row counts of an item that has several."""
    return {**how_read(arguments), "repeated": arguments.repeated}


def counted(arguments: Namespace, sources: list[str], in_memory: Iterable[str]) -> Any:
    """The outcomes as an engine counts them; None if they are to be read into memory.

    The arguments are those of `engine_for`.
    """
    if any(map(_is_sketch, sources)):
        return _sketched(arguments, sources, _asked(arguments, in_memory))
    engine = engine_for(arguments, sources, in_memory)
    return None if engine is None else counting(arguments, sources, engine)


def engine_for(
    arguments: Namespace, sources: list[str], in_memory: Iterable[str]
) -> str | None:
    """Which engine counts files; None if they are to be read into memory.

    Parameters
    ----------
    arguments : Namespace
        With the options of `add_engine`.
    sources : list of str
        The files.
    in_memory : iterable of str
        Options, as attributes, for which rows have to be in memory.

    Raises
    ------
    WrongUsage
        If such an option is asked for and rows cannot be read into memory.
    InputError
        If a folder holds logs of other tools.
    """
    _check_folders(sources)
    asked, engine = _asked(arguments, in_memory), arguments.engine
    if engine is None and not asked:
        engine = engine_of(sources)
    if engine in (None, "memory"):
        _check_readable(arguments, sources, asked)
        for name in ("master", "check_items"):
            if getattr(arguments, name):
                need, hint = "come with an engine", "Type --engine duckdb or spark."
                option = option_name(name)
                raise WrongUsage(arguments.command, option, need, "none", hint)
        return None
    if asked:
        what = option_name(asked[0])
        what += " on that figure" if asked[0] == "fail_if" else ""
        need = f"come without {what}, which needs rows in memory"
        hint = "Leave it out, or type --engine memory (of a sample, if need be)."
        raise WrongUsage(arguments.command, "--engine", need, engine, hint)
    if kept := [source for source in sources if kept_run(source)]:
        need, hint = "come with files, not with kept runs", "Leave it out."
        raise WrongUsage(arguments.command, "--engine", need, printable(kept[0]), hint)
    if engine != "spark" and arguments.master:
        need = "come with --engine spark"
        raise WrongUsage(arguments.command, "--master", need, engine)
    return str(engine)


def _check_folders(sources: Iterable[str]) -> None:
    """Refuse folders of logs, which no engine counts."""
    folders = [source for source in sources if Path(source).is_dir()]
    if folders:
        from demur.cli.folders_of_logs import refuse_folders_of_logs

        refuse_folders_of_logs(folders)


def _check_readable(
    arguments: Namespace, sources: Iterable[str], asked: Iterable[str]
) -> None:
    """Refuse what no reader of rows reads, though rows have to be in memory."""
    why = next(map(option_name, asked), "--engine memory")
    for source in sources:
        if kind := _only_counted(source):
            need = "come with files, whose rows it needs in memory"
            hint = f"Name files that fit there, such as a sample, or leave {why} out."
            got = f"{printable(source)}, {kind}"
            raise WrongUsage(arguments.command, why, need, got, hint)


def gates_of_rows(arguments: Namespace) -> list[str]:
    """``fail_if`` if a gate is on a figure for which rows have to be in memory."""
    of_rows = {kind.name for kind in OUTCOMES_KINDS} - {CERTIFIED.name}
    gated = any(getattr(gate, "name", "") in of_rows for gate in arguments.fail_if)
    return ["fail_if"] if gated else []


def _asked(arguments: Namespace, in_memory: Iterable[str]) -> list[str]:
    asked = [name for name in in_memory if getattr(arguments, name, None)]
    if getattr(arguments, "repeated", "error") != "error":
        asked.append("repeated")
    return asked if arguments.max_size == MAX_SIZE else [*asked, "max_size"]


def counting(
    arguments: Namespace,
    sources: Iterable[str],
    engine: str,
) -> Any:
    """The outcomes as an engine counts them."""
    from demur.engines.counting_outcomes import count_outcomes

    return count_outcomes(
        *sources,
        engine=engine,
        master=arguments.master,
        check_items=arguments.check_items,
        where=by_column(arguments.where),
        columns=arguments.columns,
    )


def counted_systems(counted: Any) -> dict[str, Any]:
    """Counted outcomes of each system and setting, by name; counted together."""
    names = (part_name(one.system, one.group) for one in counted.counts().parts)
    return dict(zip(names, counted.systems(), strict=True))


LARGE: Final[Mapping[str, int]] = {".parquet": 256 << 20, "": 1 << 30}
"""Bytes of files, by their ending, from which on DuckDB counts them by itself."""


def engine_of(sources: Iterable[str]) -> str:
    """The engine that counts files where none is named: by where and how large.

    Examples
    --------
    >>> engine_of(["s3://logs/2026/*.parquet"]), engine_of(["-"])
    ('duckdb', 'memory')
    """
    sizes: dict[str, int] = {}
    for source in sources:
        path = Path(source)
        if _only_counted(source):
            return "duckdb"
        if path.is_file():
            ending = path.suffix if path.suffix in LARGE else ""
            sizes[ending] = sizes.get(ending, 0) + path.stat().st_size
    large = any(size >= LARGE[ending] for ending, size in sizes.items())
    return "duckdb" if large and all(map(_is_our_own, sources)) else "memory"


def _is_our_own(source: str) -> bool:
    """Whether a file has the columns of outcomes; logs of other tools have not."""
    from demur.formats.reading import open_own_table

    if kept_run(source):
        return False  # whose rows are read
    with open_own_table(source) as table:
        names = {*table.names()}
    return "item" in names and not names.isdisjoint(("outcome", "correct"))


def _only_counted(source: str) -> str:
    """What a source is that engines count and no reader reads; empty if it is a file.

    Examples
    --------
    >>> _only_counted("logs/*.parquet"), _only_counted("s3://logs/a.csv")
    ('a pattern', 'an address')
    """
    if Path(source).is_dir():
        return "a folder"
    if Path(source).exists():
        named_so = Path(source).suffix in _DATABASES
        return "a database of DuckDB" if named_so and is_database(source) else ""
    if kept_run(source):
        return ""
    if "://" in source:
        return "an address"
    if any(sign in source for sign in "*?["):
        return "a pattern"
    return "a table of DuckDB" if ":" in source and _is_table(source) else ""


_DATABASES: Final = (".duckdb", ".ddb", ".db")


def _is_table(source: str) -> bool:
    """Whether a source is ``FILE:TABLE`` of a database of DuckDB."""
    from demur.engines.sources import named_table

    return named_table(source) is not None


def _is_sketch(source: str) -> bool:
    if source.endswith(typed.OF_OUTCOMES):
        return False
    from demur.engines.sketch_checks import is_sketch

    return is_sketch(source)


def _sketched(
    arguments: Namespace, sources: Iterable[str], asked: Iterable[str]
) -> Any:
    """The outcomes that sketches hold."""
    for name in (*asked, "engine", "where", "columns", "master", "check_items"):
        if getattr(arguments, name, None):
            need, hint = "come without sketches", "Sketches hold counts, not items."
            got = "a file of demur sketch"
            raise WrongUsage(arguments.command, option_name(name), need, got, hint)
    from demur.engines.counting_outcomes import count_outcomes

    return count_outcomes(*sources)


def by_column(conditions: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The values of each column that ``COL=VALUE`` names."""
    values: dict[str, list[str]] = {}
    for column, value in conditions:
        values.setdefault(column, []).append(value)
    return values
