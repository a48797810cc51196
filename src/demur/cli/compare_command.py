"""``demur compare``: two systems or many, with tests."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur.checks import choice, decimal_fraction
from demur.cli import say, shared
from demur.cli.shared import WrongUsage
from demur.comparisons.comparing import (
    WHOLES,
    Compared,
    PairedSystems,
    compared,
    joined,
)
from demur.comparisons.comparison_results import KINDS
from demur.errors import InputError, UndefinedRate, shown
from demur.formats.reading import file_names, read_outcomes
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes, part_name
from demur.results import Bundle, FigureKind, Result
from demur.results.gates import WorseGate
from demur.statistics.paired_tests import rates_of
from demur.statistics.quantities import Quantity

MOST_IN_PAIRS = 100
"""Of more systems not all pairs are compared, but each with one."""


def run(arguments: Namespace) -> int:
    """Compare, print, draw, and break gates if the test says so."""
    shared.check_asked(arguments, _kinds(arguments), arguments.outcomes, ["plot"])
    _check_sizes(arguments)
    if any(path.lower().endswith(".toml") for path in arguments.outcomes):
        from demur.cli.compared_pipelines import check_no_configs

        check_no_configs(arguments.outcomes)
    parts = _counted(arguments)
    if parts is None:
        how = shared.how_counted(arguments)
        parts = _systems(arguments, how)
    parts = _in_order(parts, arguments.where)
    shared.check_gates(arguments, _kinds(arguments, many=len(parts) > 2))
    claims = [gate for gate in arguments.fail_if if isinstance(gate, WorseGate)]
    for claim in claims:
        nowhere = arguments.method == "permutation" and claim.weight is None
        if claim.margin is not None and nowhere:
            need, hint = "have an interval", "The method permutation gives none."
            got = shown(claim.text)
            raise WrongUsage("compare: --fail-if", "a margin", need, got, hint)
        for name in (claim.better, claim.worse):
            choice("gate", "a system", name, parts)
    _say_as_it_is(parts, arguments)
    result = _compared(parts, arguments)
    code = shared.finish(result, arguments)
    _say_claims(result, claims)
    return code


def _say_as_it_is(parts: Mapping[str, Outcomes], arguments: Namespace) -> None:
    """Of runs of pipelines with modules replaced, what compares them as they are."""
    if len(parts) < 3 or not any(name.startswith("actual, ") for name in parts):
        return
    from demur.cli.compared_pipelines import line_as_it_is

    if line := line_as_it_is(arguments.outcomes, parts):
        say("some systems are a pipeline with a module replaced; as they are:")
        say(line)


def _compared(parts: Mapping[str, Outcomes], arguments: Namespace) -> Result:
    """Two systems or many; of items that not all have is said what to type."""
    if len(parts) > 2:
        _check_many(len(parts), arguments)
    elif arguments.against:
        need, hint = "come with more than two systems", "Leave it out."
        raise WrongUsage("compare", "--against", need, "2 systems", hint)
    else:
        _check_two(arguments)
    compare = _compare_many if len(parts) > 2 else _compare_two
    try:
        return compare(parts, arguments)
    except InputError as error:
        typed = error.hint.replace("items=common ", "--items common ")
        notes = (note for part in parts.values() for note in _notes(part))
        also = [f"{note}." for note in notes if "type --columns" in note]
        raise error.with_hint(" ".join([typed, *also])) from error


def _notes(part: Any) -> Sequence[str]:
    """What is noted of a system; of what an engine counts, nothing here."""
    return part.notes if isinstance(part, Outcomes) else ()


def _kinds(arguments: Namespace, *, many: bool | None = None) -> list[FigureKind]:
    """The figures that there will be, with what they can be at that nonreturn.

    Those of two systems and of many differ, which is known once the files are read.
    """
    rates = rates_of(arguments.at)
    left_out = {"adjusted_p"} if many is False and len(rates) < 2 else set[str]()
    left_out |= {"error_a", "error_b"} if many else set()
    if arguments.at_error is None:
        left_out |= {"nonreturn"}
    if arguments.at_error is None or many:
        left_out |= {"nonreturn_a", "nonreturn_b"}
    left_out |= {"weighted_error"} if arguments.weight is None else set()
    left_out |= {"judge_unusable"} if arguments.gold is None or many else set()
    most = float(1 - decimal_fraction("compare", "at", min(rates)))
    heavy = max(arguments.weight or 0.0, 1.0)
    ends = dict.fromkeys(("worse", "error_a", "error_b"), (0.0, most))
    ends |= {"difference": (-most, most), "weighted_error": (-heavy, heavy)}
    return [
        replace(kind, least=ends[kind.name][0], most=ends[kind.name][1])
        if kind.name in ends
        else kind
        for kind in KINDS
        if kind.name not in left_out
    ]


def _check_sizes(arguments: Namespace) -> None:
    """Refuse differences that two errors at the nonreturn cannot have."""
    rates = rates_of(arguments.at)
    with shared.wrong_usage("compare"):
        for name in ("margin", "plan"):
            if (size := getattr(arguments, name)) is not None:
                error = Quantity("error", max(rates))
                error.check_difference("compare", f"--{name}", size)


def _check_two(arguments: Namespace) -> None:
    """Refuse what says nothing of two systems at one rate, or at several."""
    _check_of_wholes(arguments)
    several = len(rates_of(arguments.at)) > 1
    if arguments.correction and not several:
        need, got = "come with several rates in --at, or systems", arguments.correction
        hint = "There is one test of the errors."
        raise WrongUsage("compare", "--correction", need, got, hint)
    if arguments.plan is not None and several:
        need, hint = "come with one nonreturn in --at", "A plan is of one test."
        raise WrongUsage("compare", "--plan", need, "several", hint)


def _check_of_wholes(arguments: Namespace) -> None:
    """Refuse what is not said of wholes."""
    if arguments.of == WHOLES:
        for name in ("plan", "band", "plot"):
            if getattr(arguments, name) not in (None, False):
                need, hint = "come with --of all", "It is of items, not of wholes."
                raise WrongUsage("compare", f"--{name}", need, f"--of {WHOLES}", hint)


_TESTING: Final = ("method", "level", "seed")


def _compare_two(parts: Mapping[str, Outcomes], arguments: Namespace) -> Result:
    """Two systems, with what was asked for beside; the picture is written."""
    what = ("at_error", "area", "margin", "gold", "weight")
    rates = rates_of(arguments.at)
    asked = Compared(rates[0], **shared.named(arguments, *what))
    systems = _paired(parts, asked, rates, arguments)
    testing: Any = shared.named(arguments, *_TESTING)
    correction = arguments.correction or "holm"
    comparison = compared(systems, asked, rates, correction, testing)
    band = None
    # Without an area there is no test.
    if (arguments.band or arguments.plot) and comparison.area is not None:
        from demur.statistics.estimating import difference_band

        how = shared.named(arguments, "level", "seed")
        band = difference_band(*systems.tables, **how)
    plan, why_none = None, tuple[str, ...]()
    if arguments.plan is not None:
        plan, why_none = _planned(systems, arguments)
    region = arguments.region
    shared.draw(lambda: comparison.plot(band=band, region=region), arguments.plot)
    noted = replace(comparison, notes=(*comparison.notes, *why_none))
    return Bundle(noted, band=band, plan=plan) if band or plan else noted


def _paired(
    parts: Mapping[str, Any],
    asked: Compared,
    rates: Sequence[float],
    arguments: Namespace,
) -> Any:
    """Both systems on the items that they have in common, read or counted."""
    tables = list(parts.values())
    if isinstance(tables[0], Outcomes):
        how = shared.named(arguments, "items", "of", "method")
        return joined(tables, asked, **how)
    from demur.comparisons.counted_pairs import counted_systems

    a, b = tables
    return counted_systems(a, b, asked, rates, items=arguments.items)


NEED_ROWS: Final = ("log", "gold", "weight", "plan", "band", "plot", "against")
"""What takes rows in memory."""


def _counted(arguments: Namespace) -> dict[str, Any] | None:
    """Two systems as an engine counts them; None if they are to be read."""
    files = arguments.outcomes
    of_wholes = ("of",) if arguments.of == WHOLES else ()
    engine = shared.engine_for(arguments, files, (*NEED_ROWS, *of_wholes))
    if engine is None:
        return None
    parts: dict[str, Any] = {}
    tables = [shared.counting(arguments, [path], engine) for path in files]
    listed = [
        [(part_name(one.system, one.group), one) for one in table.counts().parts]
        for table in tables
    ]
    names = file_names(files)
    again = _systems_again(names, listed)
    for of_file, counted, its in zip(names, tables, listed, strict=True):
        for name, one in its:
            called = f"{name}, {of_file}" if name in again else name
            _check_new(called, of_file, parts)
            part = counted if len(its) == 1 else counted.of_part(one)
            same = called == name and name
            parts[called or of_file] = part if same else part.named(called or of_file)
    _check_several(len(parts))
    if len(parts) > 2:
        need, hint = "hold two systems where an engine counts", IN_MEMORY
        raise InputError("compare", "the outcomes", need, str(len(parts)), hint)
    return parts


IN_MEMORY: Final = "--where system=NAME picks some; --engine memory compares many."


def _check_many(count: int, arguments: Namespace) -> None:
    """Refuse what is of two systems only, and more pairs than can be read."""
    of_two = shared.named(arguments, "plot", "band", "plan", "margin")
    for name, value in of_two.items():
        if value not in (None, False):
            option, need = shared.option_name(name), "come with two systems"
            hint = "demur curve --plot draws many; --where system=NAME picks some."
            raise WrongUsage("compare", option, need, f"{count} systems", hint)
    if arguments.of == WHOLES:
        hint = "--where system=NAME --where system=NAME picks two."
        need = "come with two systems"
        raise WrongUsage("compare", f"--of {WHOLES}", need, f"{count} systems", hint)
    if count > MOST_IN_PAIRS and arguments.against is None:
        need, got = f"come with more than {MOST_IN_PAIRS} systems", f"{count}"
        hint = "All pairs of so many are too many to read."
        raise WrongUsage("compare", "--against", need, got, hint)


def _compare_many(parts: Mapping[str, Outcomes], arguments: Namespace) -> Result:
    """All pairs: errors, areas, nonreturns and own decisions where they apply."""
    from demur.comparisons.comparing_many import ALL, compare_all

    what = ("at", "at_error", "area", "items", "against", "gold", "weight", *_TESTING)
    how = shared.named(arguments, *what)
    how["correction"] = arguments.correction or "holm"
    return compare_all(list(parts.values()), quantity=ALL, **how)


def _planned(
    systems: PairedSystems, arguments: Namespace
) -> tuple[Result | None, tuple[str, ...]]:
    """How many items would show a difference; or why that cannot be said."""
    from demur.comparisons.power import comparison_plan

    how = shared.named(arguments, "at", "level")
    try:
        plan = comparison_plan(*systems.tables, difference=arguments.plan, **how)
    except UndefinedRate as problem:
        return None, (f"no plan: {problem}",)
    return plan, ()


def _say_claims(result: Result, claims: Sequence[WorseGate]) -> None:
    """What the test says to gates that are not broken: those are said already."""
    for claim in claims:
        verdict, words = result.claim(claim)
        if verdict != "gate broken":
            say(f"{verdict}: {words}  [--fail-if {claim.text!r}]")


def _systems(arguments: Namespace, how: dict[str, Any]) -> dict[str, Outcomes]:
    """The outcomes of each system by name, in order of appearance, file by file."""
    paths = arguments.outcomes
    names = file_names(paths)
    parts: dict[str, Outcomes] = {}
    if arguments.gold:
        how["groups"] = [arguments.gold]
    read = [named_parts(table) for table in _tables(paths, how, arguments.items)]
    again = _systems_again(names, read)
    for of_file, listed in zip(names, read, strict=True):
        for name, part in listed:
            called = f"{name}, {of_file}" if name in again else name
            _check_new(called, of_file, parts)
            if called != name or not name:
                called = called or of_file
                part = replace(part, system=np.full(len(part), called, object))
                part = replace(part, setting=None) if name in again else part
            parts[called] = part
    _check_several(len(parts))
    return parts


def _tables(paths: Sequence[str], how: dict[str, Any], items: str) -> list[Outcomes]:
    """What each file holds; of what is at fault is said what to type for all files."""
    try:
        tables = [read_outcomes(path, **how) for path in paths]
    except InputError as error:
        from demur.cli.compared_files import told_at_once

        raise told_at_once(error, paths, how, items) from None
    silent = [table.confidence is None for table in tables]
    if not any(silent) or all(silent):
        return tables
    from demur.formats.columns_of_files import ABSENT, with_confidences

    typed, otherwise = with_confidences(paths, silent, how)
    noted = []
    for path, table in zip(paths, tables, strict=True):
        notes = [note for note in table.notes if ABSENT not in note]
        note = f"{path}: {ABSENT}: type --columns '{typed}'"
        is_meant = path in otherwise
        noted.append(replace(table, notes=(*notes, note)) if is_meant else table)
    return noted


def _in_order(
    parts: Mapping[str, Any], where: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """The systems as ``--where system=...`` names them, then all others as they stand.

    Rows of a file move, as labels come, and with them which system is the first.
    """
    named = [value for column, value in where if column == "system" and value in parts]
    return {name: parts[name] for name in [*named, *parts]}


def _systems_again(
    files: Sequence[str], read: Sequence[Sequence[tuple[str, Any]]]
) -> set[str]:
    """Systems that several files have, which are told apart by their files."""
    if len(set(files)) < len(files):
        return set()
    names = [name for listed in read for name, _ in listed if name]
    return {name for name in names if names.count(name) > 1}


def _check_new(name: str, of_file: str, parts: Mapping[str, Any]) -> None:
    """Raise `InputError` if there is a system of that name already."""
    if (name or of_file) in parts:
        need, hint = "differ in name", "Rename one: the column system."
        got = shown(name or of_file)
        raise InputError("compare", "the systems", need, got, hint)


def _check_several(count: int) -> None:
    """Raise `InputError` if there are not two systems at least."""
    if count < 2:
        need, hint = "hold two systems", "Name two files, or one with a column system."
        raise InputError("compare", "the outcomes", need, str(count), hint)
