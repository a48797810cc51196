"""``demur compare``: two systems or many, with tests."""

import argparse
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

import numpy as np

from demur import formats
from demur.checks import choice
from demur.cli import options
from demur.cli.options import conditions
from demur.cli.output import as_json, say, show
from demur.comparisons.comparing import (
    Comparison,
    compare,
    compare_all,
    comparison_plan,
)
from demur.comparisons.comparison_tables import comparison_table, pairs_table
from demur.comparisons.own_decisions import OWN_RATES
from demur.comparisons.pairs import PairDifference
from demur.curves.curves import Curve
from demur.curves.of_outcomes import curve_by, error_return
from demur.decisions.gates import WorseGate
from demur.errors import InputError, UndefinedRate, printable, shown
from demur.outcomes.pairing import paired
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes
from demur.plots import comparisons
from demur.plots.pens import save_picture
from demur.statistics.bands import DifferenceBand
from demur.statistics.estimating import difference_band
from demur.version import __version__

Pairs = dict[str, tuple[list[PairDifference], tuple[str, ...]]]


_WORSE = (
    "exit with 1 if one system is worse by the test, not by the mere difference: "
    "'b worse than a @0.2'; may be repeated"
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur compare``."""
    command.description = (
        "Compare two systems on the same items, a before b; all pairs if there "
        "are more."
    )
    command.add_argument(
        "outcomes",
        nargs="+",
        metavar="OUTCOMES",
        help="files of outcomes: one per system, or one with several",
    )
    command.add_argument(
        "--at",
        type=options.rate,
        default=0.2,
        metavar="NONRETURN",
        help="compare errors at this nonreturn (default: %(default)s)",
    )
    command.add_argument(
        "--at-error",
        type=options.rate,
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
        "--seed",
        type=options.seed,
        default=0,
        help="of resampling (default: %(default)s)",
    )
    _answers_options(command)
    options.add_selection(command, "outcomes")
    options.add_json(command)


def _answers_options(command: argparse.ArgumentParser) -> None:
    """What a comparison also says, draws and decides."""
    command.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=options.worse,
        metavar="GATE",
        help=_WORSE,
    )
    command.add_argument(
        "--plan",
        type=options.rate,
        metavar="D",
        help="say how many items would show a difference of D, these being a pilot",
    )
    options.add_level(command, "of intervals, the band and what counts as better")
    command.add_argument(
        "--band",
        action="store_true",
        help="where the one is better beyond doubt: a simultaneous band of the "
        "difference",
    )
    command.add_argument(
        "--plot",
        type=options.picture,
        metavar="FILE",
        help="draw both curves and their difference with its band (.png .svg .pdf)",
    )
    options.add_region(command)


def run(arguments: Namespace) -> int:
    """Compare, print, draw, and break gates if the test says so."""
    parts = _systems(arguments)
    options: Any = {name: getattr(arguments, name) for name in _OPTIONS}
    if len(parts) > 2:
        compare_many(list(parts.values()), options, arguments)
    else:
        _compare_two(list(parts.values()), options, arguments)
    at = {"at": arguments.at, **options}
    broken = [_is_broken(gate, parts, at) for gate in arguments.fail_if]
    return 1 if any(broken) else 0


def compare_many(parts: list[Outcomes], options: Any, arguments: Namespace) -> None:
    """Print all pairs: errors, areas, nonreturns and own decisions where they apply."""
    for name in ("plot", "band", "plan"):
        if getattr(arguments, name) not in (None, False):
            must = "come with two systems"
            hint = "demur curve --plot draws many; --where system=NAME picks some."
            got = f"{len(parts)} systems"
            raise InputError("compare", f"--{name}", must, got, hint)
    found, notes = _pairs(parts, options, arguments)
    if arguments.json:
        listed = {
            name: [each.to_dict() for each in pairs]
            for name, (pairs, _) in found.items()
        }
        show(as_json({"demur": __version__, **listed, "notes": notes}))
        return
    if "own_nonreturns" in found and not any(map(_declines, parts)):
        del found["own_nonreturns"]  # a table of zeros
        notes.append("no system declines anything, so own nonreturns are all 0")
    for pairs, _ in found.values():
        show(pairs_table(pairs) + "\n")
    show(
        "intervals hold each by itself; p of all pairs: corrected by Holm, within each "
        "table."
    )
    for note in notes:
        show(printable(f"note: {note}"))


def _pairs(
    parts: list[Outcomes], options: Any, arguments: Namespace
) -> tuple[Pairs, list[str]]:
    """The pairs of each number, and what a reader must know."""
    at = arguments.at
    curves = [error_return(part) for part in parts]
    lines = [
        part for part, curve in zip(parts, curves, strict=True) if _reaches(curve, at)
    ]
    wanted: dict[str, dict[str, Any]] = {}
    if len(lines) > 1:
        wanted["pairs"] = {"quantity": "error", "at": at}
        wanted["areas"] = {"quantity": "area", "at": None}
    if len(lines) > 1 and arguments.at_error is not None:
        wanted["nonreturns"] = {"quantity": "nonreturn", "at": arguments.at_error}
    found: Pairs = {
        name: compare_all(lines, **each, **options) for name, each in wanted.items()
    }
    if len(lines) < len(parts) or any(part.declined is not None for part in parts):
        for name, rate in zip(("own_errors", "own_nonreturns"), OWN_RATES, strict=True):
            found[name] = compare_all(parts, quantity=rate, at=None, **options)
    notes = list(dict.fromkeys(note for _, each in found.values() for note in each))
    without = [curve.system for curve in curves if not _reaches(curve, at)]
    if without:
        notes.append(
            f"no curve at nonreturn {at:g}, so only their own decisions are compared: "
            f"{', '.join(without)}"
        )
    return found, notes


def _reaches(curve: Curve, nonreturn: float) -> bool:
    """Whether a system has a curve at a nonreturn."""
    return curve.ladder is not None and nonreturn >= curve.start


def _declines(part: Outcomes) -> bool:
    """Whether a system leaves anything without an answer."""
    return error_return(part).operating_point.nonreturn > 0


_OPTIONS = ("items", "method", "level", "seed")


def _compare_two(parts: list[Outcomes], options: Any, arguments: Namespace) -> None:
    """Report or JSON of a pair, and its picture."""
    found = compare(*parts, at=arguments.at, at_error=arguments.at_error, **options)
    band = _band(parts, found, options) if arguments.band or arguments.plot else None
    planned = None
    if arguments.plan is not None:
        recipe = {"at": arguments.at, "level": arguments.level}
        try:
            planned = comparison_plan(*parts, difference=arguments.plan, **recipe)
        except UndefinedRate as problem:
            found = replace(found, notes=(*found.notes, f"no plan: {problem}"))
    if arguments.json:
        also = {"band": band and band.to_dict()} if arguments.band else {}
        also |= {"plan": planned.to_dict()} if planned else {}
        show(as_json({"demur": __version__, **found.to_dict(), **also}))
    else:
        show(comparison_table(found, band, planned))
    if arguments.plot:
        common, _ = paired(parts, items=arguments.items)
        curves = [curve_by(part)[0] for part in common]
        marks = {"at": [arguments.at], "region": arguments.region}
        panels = comparisons.plot_comparison(*curves, band=band, **marks)
        save_picture(panels, arguments.plot)
        say(f"wrote {arguments.plot}")


def _band(
    parts: Sequence[Outcomes], found: Comparison, options: Any
) -> DifferenceBand | None:
    """The band of the difference; None where there is no test either."""
    if found.area is None:
        return None
    recipe = {name: options[name] for name in ("items", "level", "seed")}
    return difference_band(*parts, **recipe)


def _is_broken(gate: WorseGate, parts: dict[str, Outcomes], options: Any) -> bool:
    """Whether the test says that the one system is worse than the other."""
    for name in (gate.better, gate.worse):
        choice("gate", "a system", name, parts)
    at = options["at"] if gate.at is None else gate.at
    pair = parts[gate.better], parts[gate.worse]
    found = compare(*pair, **{**options, "at": at})
    if found.difference is None:
        must = f"have curves at nonreturn {at:g}"
        raise InputError("gate", "both systems", must, "; ".join(found.notes))
    values = (
        f"difference {found.difference.value:+.4f}, p = {found.difference.p_value:.3g}"
    )
    verdicts = {"a": "gate broken", "b": "gate holds", None: "inconclusive"}
    say(f"{verdicts[found.better]}: {gate.text!r}: {values}")
    return found.better == "a"


def _systems(arguments: Namespace) -> dict[str, Outcomes]:
    """The outcomes of each system by name, in order of appearance, file by file."""
    where = conditions(arguments)
    parts: dict[str, Outcomes] = {}
    for path in arguments.outcomes:
        for name, part in named_parts(formats.read_outcomes(path, where=where)):
            if name in parts:
                must, hint = "differ in name", "Rename one: the column system."
                raise InputError("compare", "the systems", must, shown(name), hint)
            parts[name] = part
    if "" in parts:
        free = next(letter for letter in ascii_lowercase if letter not in parts)
        parts = {
            name or free: part if name else _called(part, free)
            for name, part in parts.items()
        }
    if len(parts) < 2:
        must, hint = "hold two systems", "Name two files, or one with a column system."
        raise InputError("compare", "the outcomes", must, str(len(parts)), hint)
    return parts


def _called(part: Outcomes, name: str) -> Outcomes:
    """Nameless outcomes with a name."""
    return replace(part, system=np.full(len(part), name, dtype=object))
