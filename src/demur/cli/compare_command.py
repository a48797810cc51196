"""``demur compare``: two systems or many, with tests."""

import argparse
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from demur import formats
from demur.checks import choice
from demur.cli import shared
from demur.cli.shared import how_read
from demur.cli.streams import as_json, say, show
from demur.cli.usage import WrongUsage, check_outputs
from demur.comparisons.comparing import (
    Compared,
    PairedSystems,
    Testing,
    compare_pair,
    paired_systems,
)
from demur.comparisons.comparing_many import pairs_of
from demur.comparisons.comparison_results import Comparison
from demur.comparisons.comparison_tables import comparison_table, pairs_table
from demur.comparisons.own_decisions import OWN_RATES
from demur.comparisons.pairs import PairDifference
from demur.comparisons.power import comparison_plan
from demur.decisions.gates import WorseGate
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes
from demur.plots.comparisons import plot_comparison
from demur.plots.pens import save_picture
from demur.results import p_text, printable
from demur.statistics.estimating import difference_band
from demur.version import __version__

Pairs = dict[str, tuple[list[PairDifference], tuple[str, ...]]]


MOST_IN_PAIRS = 100
"""Of more systems not all pairs are compared, but each with one."""

_WORSE = (
    "exit with 1 if one system is worse by the test, not by the mere difference: "
    "'b worse than a @0.2'; or if a claim is not shown: 'b not worse than a by 0.02 "
    "@0.2'; may be repeated"
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
        type=shared.rate,
        default=0.2,
        metavar="NONRETURN",
        help="compare errors at this nonreturn (default: %(default)s)",
    )
    command.add_argument(
        "--at-error",
        type=shared.rate,
        metavar="ERROR",
        help="also compare how much each must decline to have this error",
    )
    command.add_argument(
        "--area",
        type=shared.region,
        metavar="LOW:HIGH",
        help="compare areas between these nonreturns only, e.g. 0.1:0.4",
    )
    command.add_argument(
        "--margin",
        type=shared.difference,
        metavar="D",
        help="also say whether either is shown not to be worse by D at that nonreturn",
    )
    _how_options(command)
    _answers_options(command)
    shared.add_selection(command, "outcomes")
    shared.add_json(command)


def _how_options(command: argparse.ArgumentParser) -> None:
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
        "--against",
        metavar="SYSTEM",
        help="with more than two systems: compare each with this one, not all pairs",
    )
    shared.add_seed(command, "of resampling")


def _answers_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--gold",
        metavar="COLUMN",
        help="the column with people's verdicts on a part of the items, drawn at "
        "random: the errors and their difference are corrected by them",
    )
    command.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=shared.worse,
        metavar="GATE",
        help=_WORSE,
    )
    command.add_argument(
        "--plan",
        type=shared.difference,
        metavar="D",
        help="say how many items would show a difference of D, these being a pilot",
    )
    shared.add_level(command, "of intervals, the band and what counts as better")
    command.add_argument(
        "--band",
        action="store_true",
        help="where the one is better beyond doubt: a simultaneous band of the "
        "difference",
    )
    what = "draw both curves and their difference with its band"
    shared.add_picture(command, what)
    shared.add_region(command)


def run(arguments: Namespace) -> int:
    """Compare, print, draw, and break gates if the test says so."""
    check_outputs("compare", {"--plot": arguments.plot}, arguments.outcomes)
    parts = _systems(arguments)
    for gate in arguments.fail_if:
        for name in (gate.better, gate.worse):
            choice("gate", "a system", name, parts)
    testing = Testing(
        method=arguments.method, level=arguments.level, seed=arguments.seed
    )
    systems = paired_systems(list(parts.values()), items=arguments.items)
    comparisons = []
    if len(parts) > 2:
        _compare_many(list(parts.values()), systems, testing, arguments)
    else:
        if arguments.against:
            must, hint = "come with more than two systems", "Leave it out."
            raise WrongUsage("compare", "--against", must, "2 systems", hint)
        comparisons = [_compare_two(systems, testing, arguments)]
    broken = [
        _is_broken(gate, _tested(gate, comparisons, parts, testing, arguments))
        for gate in arguments.fail_if
    ]
    return 1 if any(broken) else 0


def _compare_two(
    systems: PairedSystems, testing: Testing, arguments: Namespace
) -> Comparison:
    at = arguments.at
    wanted = Compared(
        at, arguments.at_error, arguments.area, arguments.margin, arguments.gold
    )
    comparison = compare_pair(systems, wanted, **testing)
    band = planned = None
    if (
        arguments.band or arguments.plot
    ) and comparison.area is not None:  # else no test
        level, seed = arguments.level, arguments.seed
        band = difference_band(*systems.tables, level=level, seed=seed)
    if arguments.plan is not None:
        try:
            planned = comparison_plan(
                *systems.tables,
                difference=arguments.plan,
                at=at,
                level=arguments.level,
            )
        except UndefinedRate as problem:
            comparison = replace(
                comparison, notes=(*comparison.notes, f"no plan: {problem}")
            )
    if arguments.json:
        also = {"band": band and band.to_dict()} if arguments.band else {}
        also |= {"plan": planned.to_dict()} if planned else {}
        show(as_json({"demur": __version__, **comparison.to_dict(), **also}))
    else:
        show(comparison_table(comparison, band, planned))
    if arguments.plot:
        panels = plot_comparison(
            *comparison.curves, band=band, at=[at], region=arguments.region
        )
        save_picture(panels, arguments.plot)
        say(f"wrote {arguments.plot}")
    return comparison


def _compare_many(
    parts: Sequence[Outcomes],
    systems: PairedSystems,
    testing: Testing,
    arguments: Namespace,
) -> None:
    """Print all pairs: errors, areas, nonreturns and own decisions where they apply."""
    for name in ("plot", "band", "plan"):
        if getattr(arguments, name) not in (None, False):
            must = "come with two systems"
            hint = "demur curve --plot draws many; --where system=NAME picks some."
            got = f"{len(systems.tables)} systems"
            raise WrongUsage("compare", f"--{name}", must, got, hint)
    if len(parts) > MOST_IN_PAIRS and arguments.against is None:
        must, got = f"come with more than {MOST_IN_PAIRS} systems", f"{len(parts)}"
        hint = "All pairs of so many are too many to read."
        raise WrongUsage("compare", "--against", must, got, hint)
    found, notes = _pairs(parts, systems, testing, arguments)
    if arguments.json:
        listed = {
            name: [pair.to_dict() for pair in pairs]
            for name, (pairs, _) in found.items()
        }
        show(as_json({"demur": __version__, **listed, "notes": notes}))
        return
    declines = any(curve.operating_point.nonreturn > 0 for curve in systems.curves)
    if "own_nonreturns" in found and not declines:
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
    parts: Sequence[Outcomes],
    systems: PairedSystems,
    testing: Testing,
    arguments: Namespace,
) -> tuple[Pairs, list[str]]:
    at, at_error = arguments.at, arguments.at_error
    how: Any = {**testing, "against": arguments.against}
    lines = [
        row
        for row, curve in enumerate(systems.curves)
        if curve.ladder is not None and at >= curve.start
    ]
    pairs_by_name: Pairs = {}
    asked: Any
    if len(lines) > 1:
        drawn = systems
        if len(lines) < len(parts):
            drawn = paired_systems([parts[row] for row in lines], items=arguments.items)
        asked = {"quantity": "error", "at": at, "gold": arguments.gold}
        pairs_by_name["pairs"] = pairs_of(drawn, **asked, **how)
        pairs_by_name["areas"] = pairs_of(
            drawn, quantity="area", at=None, between=arguments.area, **how
        )
        if at_error is not None:
            pairs = pairs_of(drawn, quantity="nonreturn", at=at_error, **how)
            pairs_by_name["nonreturns"] = pairs
    alone = len(lines) < len(systems.tables)
    if alone or any(table.declined is not None for table in systems.tables):
        for name, rate in zip(("own_errors", "own_nonreturns"), OWN_RATES, strict=True):
            told = arguments.gold if rate == OWN_RATES[0] else None
            asked = {"quantity": rate, "at": None, "gold": told}
            pairs_by_name[name] = pairs_of(systems, **asked, **how)
    notes = list(
        dict.fromkeys(note for _, each in pairs_by_name.values() for note in each)
    )
    if alone:
        names = [
            curve.system for row, curve in enumerate(systems.curves) if row not in lines
        ]
        notes.append(
            f"no curve at nonreturn {at:g}, so only their own decisions are compared: "
            f"{', '.join(names)}"
        )
    return pairs_by_name, notes


def _tested(
    gate: WorseGate,
    comparisons: Sequence[Comparison],
    parts: dict[str, Outcomes],
    testing: Testing,
    arguments: Namespace,
) -> Comparison:
    """The comparison that a gate is about: one that is there, or one more test."""
    at = arguments.at if gate.at is None else gate.at
    for comparison in comparisons:
        if comparison.at == at:
            return comparison
    pair = [parts[gate.better], parts[gate.worse]]
    return compare_pair(
        paired_systems(pair, items=arguments.items),
        Compared(at, gold=arguments.gold),
        **testing,
    )


def _is_broken(gate: WorseGate, comparison: Comparison) -> bool:
    """Whether the test says that the one system is worse than the other."""
    if comparison.difference is None:
        must = f"have curves at nonreturn {comparison.at:g}"
        raise InputError("gate", "both systems", must, "; ".join(comparison.notes))
    forward = comparison.a == gate.better
    if gate.margin is not None:
        return _is_unshown(gate, comparison, forward=forward)
    better = {"a": comparison.a, "b": comparison.b, None: None}[comparison.better]
    verdicts = {gate.better: "gate broken", gate.worse: "gate holds"}
    value, p_value = comparison.difference.value, comparison.difference.p_value
    value = value if forward else -value
    say(
        f"{verdicts.get(better or '', 'inconclusive')}: {gate.text!r}: difference "
        f"{value:+.4f}, {p_text(p_value)}"
    )
    return better == gate.better


def _is_unshown(gate: WorseGate, comparison: Comparison, *, forward: bool) -> bool:
    """Whether a claim that a system is not worse by a margin is not shown."""
    margin = gate.margin or 0.0
    ends = comparison.range_of()
    if ends is None:
        must, hint = "have an interval", "--method permutation gives none."
        raise InputError("gate", "a claim with a margin", must, gate.text, hint)
    low, high = ends if forward else (-ends[1], -ends[0])
    shown_to_be = comparison.not_worse(margin)[1 if forward else 0]
    verdict = "gate holds" if shown_to_be else "gate broken"
    more = "" if shown_to_be else ", so this is not shown"
    say(
        f"{verdict}: {gate.text!r}: difference between {low:+.4f} and {high:+.4f}{more}"
    )
    return not shown_to_be


def _systems(arguments: Namespace) -> dict[str, Outcomes]:
    """The outcomes of each system by name, in order of appearance, file by file."""
    names = formats.file_names(arguments.outcomes)
    parts: dict[str, Outcomes] = {}
    how = how_read(arguments)
    if arguments.gold:
        how["groups"] = [arguments.gold]
    for path, of_file in zip(arguments.outcomes, names, strict=True):
        for name, part in named_parts(formats.read_outcomes(path, **how)):
            if name in parts or (not name and of_file in parts):
                must, hint = "differ in name", "Rename one: the column system."
                got = shown(name or of_file)
                raise InputError("compare", "the systems", must, got, hint)
            if not name:
                part = replace(part, system=np.full(len(part), of_file, object))
            parts[name or of_file] = part
    if len(parts) < 2:
        must, hint = "hold two systems", "Name two files, or one with a column system."
        raise InputError("compare", "the outcomes", must, str(len(parts)), hint)
    return parts
