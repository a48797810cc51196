"""``demur compare``: two systems or many, with tests."""

import argparse
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from demur import formats
from demur.checks import choice
from demur.cli import shared
from demur.cli.shared import how_read
from demur.cli.streams import say
from demur.cli.usage import WrongUsage, check_outputs
from demur.comparisons.comparing import (
    Compared,
    PairedSystems,
    Testing,
    compare_pair,
    paired_systems,
)
from demur.comparisons.comparison_results import KINDS, Comparison
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes
from demur.results import Bundle, Result
from demur.results.gates import WorseGate

MOST_IN_PAIRS = 100
"""Of more systems not all pairs are compared, but each with one."""

_GATES = (
    "'b worse than a @0.2' (by the test, not by the mere difference), 'b not worse "
    "than a by 0.02 @0.2' (a claim, broken if it is not shown), 'error_b > 0.1'"
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
    shared.add_result_options(command, _GATES)


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
    outputs = {"--plot": arguments.plot, "--page": arguments.page}
    if any(outputs.values()):
        check_outputs("compare", outputs, arguments.outcomes)
    output = shared.output_of(arguments, KINDS)
    gold, against, items = arguments.gold, arguments.against, arguments.items
    parts = _systems(arguments.outcomes, gold, how_read(arguments))
    claims = [gate for gate in output.gates if isinstance(gate, WorseGate)]
    for claim in claims:
        for name in (claim.better, claim.worse):
            choice("gate", "a system", name, parts)
    asked = Compared(
        arguments.at, arguments.at_error, arguments.area, arguments.margin, gold
    )
    testing = Testing(
        method=arguments.method, level=arguments.level, seed=arguments.seed
    )
    result: Result
    if len(parts) > 2:
        of_two = {
            "--plot": arguments.plot,
            "--band": arguments.band,
            "--plan": arguments.plan,
            "--margin": arguments.margin,
        }
        _check_many(len(parts), of_two, against)
        result = _compare_many(parts, asked, items, against, testing)
    else:
        if against:
            must, hint = "come with more than two systems", "Leave it out."
            raise WrongUsage("compare", "--against", must, "2 systems", hint)
        result = _compare_two(
            paired_systems(list(parts.values()), items=items),
            asked,
            testing,
            banded=arguments.band,
            difference=arguments.plan,
            plot=arguments.plot,
            region=arguments.region,
        )
    code = shared.finish(result, output)
    _say_claims(result, claims)
    return code


def _compare_two(
    systems: PairedSystems,
    asked: Compared,
    testing: Testing,
    *,
    banded: bool,
    difference: float | None,
    plot: str | None,
    region: tuple[float, float] | None,
) -> Result:
    """Two systems, with what was asked for beside; the picture is written."""
    comparison = compare_pair(systems, asked, **testing)
    band = _band(systems, comparison, testing) if banded or plot else None
    plan, why_none = None, tuple[str, ...]()
    if difference is not None:
        plan, why_none = _planned(systems, asked.at, difference, testing)
    if plot:
        _draw(comparison, band, region, plot)
    noted = replace(comparison, notes=(*comparison.notes, *why_none))
    return Bundle(noted, band=band, plan=plan) if band or plan else noted


def _check_many(count: int, of_two: Mapping[str, Any], against: str | None) -> None:
    """Refuse what is of two systems only, and more pairs than can be read."""
    for option, value in of_two.items():
        if value not in (None, False):
            must = "come with two systems"
            hint = "demur curve --plot draws many; --where system=NAME picks some."
            raise WrongUsage("compare", option, must, f"{count} systems", hint)
    if count > MOST_IN_PAIRS and against is None:
        must, got = f"come with more than {MOST_IN_PAIRS} systems", f"{count}"
        hint = "All pairs of so many are too many to read."
        raise WrongUsage("compare", "--against", must, got, hint)


def _compare_many(
    parts: Mapping[str, Outcomes],
    asked: Compared,
    items: str,
    against: str | None,
    testing: Testing,
) -> Result:
    """All pairs: errors, areas, nonreturns and own decisions where they apply."""
    from demur.comparisons.comparing_many import ALL, compare_all

    return compare_all(
        list(parts.values()),
        quantity=ALL,
        at=asked.at,
        at_error=asked.at_error,
        area=asked.area,
        items=items,
        against=against,
        gold=asked.gold,
        **testing,
    )


def _band(systems: PairedSystems, comparison: Comparison, testing: Testing) -> Any:
    """The band of the difference; None where there is no test."""
    from demur.statistics.estimating import difference_band

    if comparison.area is None:
        return None
    level, seed = testing["level"], testing["seed"]
    return difference_band(*systems.tables, level=level, seed=seed)


def _planned(
    systems: PairedSystems, at: float, difference: float, testing: Testing
) -> tuple[Result | None, tuple[str, ...]]:
    """How many items would show a difference; or why that cannot be said."""
    from demur.comparisons.power import comparison_plan

    level = testing["level"]
    try:
        plan = comparison_plan(
            *systems.tables, difference=difference, at=at, level=level
        )
    except UndefinedRate as problem:
        return None, (f"no plan: {problem}",)
    return plan, ()


def _draw(
    comparison: Comparison, band: Any, region: tuple[float, float] | None, path: str
) -> None:
    from demur.plots.drawing import plot_comparison
    from demur.plots.pens import save_picture

    at = [comparison.at]
    panels = plot_comparison(*comparison.curves, band=band, at=at, region=region)
    save_picture(panels, path)
    say(f"wrote {path}")


def _say_claims(result: Any, claims: Sequence[WorseGate]) -> None:
    """What the test says to gates that are not broken: those are said already."""
    compared: Any = result.main if isinstance(result, Bundle) else result
    for claim in claims:
        verdict, words = compared.claim(claim)
        if verdict != "gate broken":
            say(f"{verdict}: {words}  [--fail-if {claim.text!r}]")


def _systems(
    paths: Sequence[str], gold: str | None, how: dict[str, Any]
) -> dict[str, Outcomes]:
    """The outcomes of each system by name, in order of appearance, file by file."""
    names = formats.file_names(paths)
    parts: dict[str, Outcomes] = {}
    if gold:
        how["groups"] = [gold]
    for path, of_file in zip(paths, names, strict=True):
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
