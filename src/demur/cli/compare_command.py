"""``demur compare``: two systems or many, with tests."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

import numpy as np

from demur import comparison_plots, formats, plots
from demur.checks import choice
from demur.cli import tables
from demur.cli.pair_tables import compare_many
from demur.cli.shared import as_json, conditions, say, show
from demur.comparing import Comparison, compare, plan
from demur.comparisons import Geometry, Region
from demur.difference_bands import DifferenceBand
from demur.errors import InputError, UndefinedRate, printable, shown
from demur.estimating import difference_band
from demur.gates import WorseGate
from demur.outcomes import Outcomes
from demur.paired_tests import Difference
from demur.pairing import paired
from demur.power import Plan
from demur.verbs import curve_by, named_parts
from demur.version import __version__

_OPTIONS = ("items", "method", "level", "seed")


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


def _compare_two(parts: list[Outcomes], options: Any, arguments: Namespace) -> None:
    """Report or JSON of a pair, and its picture."""
    found = compare(*parts, at=arguments.at, at_error=arguments.at_error, **options)
    band = _band(parts, found, options) if arguments.band or arguments.plot else None
    planned = None
    if arguments.plan is not None:
        recipe = {"at": arguments.at, "level": arguments.level}
        try:
            planned = plan(*parts, difference=arguments.plan, **recipe)
        except UndefinedRate as problem:
            found = replace(found, notes=(*found.notes, f"no plan: {problem}"))
    if arguments.json:
        also = {"band": band and band.to_dict()} if arguments.band else {}
        also |= {"plan": planned.to_dict()} if planned else {}
        show(as_json({"demur": __version__, **found.to_dict(), **also}))
    else:
        show(_report(found, band, planned))
    if arguments.plot:
        common, _ = paired(parts, items=arguments.items)
        curves = [curve_by(part)[0] for part in common]
        marks = {"at": [arguments.at], "region": arguments.region}
        panels = comparison_plots.plot_comparison(*curves, band=band, **marks)
        plots.save(panels, arguments.plot)
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


def _report(
    found: Comparison, band: DifferenceBand | None, planned: Plan | None
) -> str:
    lines = [_rates_table(found), ""]
    for each in (found.difference, found.nonreturn, found.area, *found.own):
        if each is not None:
            lines.append(f"{each.quantity}, {found.b} less {found.a}: {_tested(each)}")
            for name, bound in zip(
                ("at least", "at most"),
                found.bounds.get(each.quantity, ()),
                strict=False,
            ):
                lines.append(f"  {name}, whatever is ungraded: {_tested(bound)}")
    if band is not None:
        lines.append(_surely(found, band))
    if found.linear is not None and found.step is not None:
        lines += [_geometry(found, found.linear), _geometry(found, found.step)]
    lines.append(_costs(found))
    if planned is not None:
        lines.append(_planned(planned))
    lines += [f"note: {note}" for note in found.notes]
    lines.append(f"signature: {found.signature}")
    return "\n".join([lines[0], *(printable(line) for line in lines[1:])])


def _tested(found: Difference) -> str:
    """A difference with its interval and p value."""
    interval = ""
    if found.low is not None and found.high is not None:
        interval = f" [{found.low:+.4f}, {found.high:+.4f}]"
    how = f"{found.method}, {100 * found.level:g} % interval"
    return f"{found.value:+.4f}{interval}, p = {found.p_value:.3g} ({how})"


def _rates_table(found: Comparison) -> str:
    """The rates that are compared, one row for each system."""
    header = ["system", f"error@{found.at:g}"]
    ends = (found.a, found.bounds_a), (found.b, found.bounds_b)
    rows = [
        [name, tables.NONE if bounds is None else tables.span(*bounds)]
        for name, bounds in ends
    ]
    if found.at_error is not None:
        header.append(f"nonreturn for error {found.at_error:g}")
        rows[0].append(tables.rate(found.nonreturn_a))
        rows[1].append(tables.rate(found.nonreturn_b))
    if found.own:
        header += ["own nonreturn", "own error"]
        for row, point in zip(rows, (found.point_a, found.point_b), strict=True):
            row += [tables.rate(point.nonreturn), tables.span(*point.bounds)]
    return tables.table(header, rows)


def _surely(found: Comparison, band: DifferenceBand) -> str:
    """Where the band says who is better."""
    said = []
    for side, name in (("a", found.a), ("b", found.b)):
        spans = [each[:2] for each in band.surely() if each[2] == side]
        if spans:
            ends = ", ".join(f"{start:.2f} to {end:.2f}" for start, end in spans)
            said.append(f"{name} is better at nonreturns {ends}")
    none = "at no nonreturn is one surely better"
    return f"{band.text}, of the difference: {'; '.join(said) or none}"


def _planned(planned: Plan) -> str:
    clusters = f" in {planned.clusters} clusters" if planned.clusters else ""
    return (
        f"plan: to show a difference of {planned.difference:g} at nonreturn "
        f"{planned.at:g} with chance {planned.power:g} by a test at "
        f"{100 * (1 - planned.level):.3g} %, about {planned.items} items{clusters} are "
        "needed"
    )


def _geometry(found: Comparison, geometry: Geometry) -> str:
    names = {"a": found.a, "b": found.b, None: "equal"}
    if geometry.identical:
        return f"{geometry.reading} curves: identical"
    regions = ", ".join(
        f"{names[each.better]} from {each.start:.3f} to {each.end:.3f}"
        for each in _most_telling(geometry.regions)
    )
    more = len(geometry.regions) - len(_most_telling(geometry.regions))
    also = f" and {more} shorter stretches" if more else ""
    if geometry.dominates:
        return f"{geometry.reading} curves: {names[geometry.dominates]} is never above"
    n_crossings = len(geometry.crossings)
    plural = "s" if n_crossings != 1 else ""
    return (
        f"{geometry.reading} curves: {n_crossings} crossing{plural}; better: "
        f"{regions}{also}"
    )


def _most_telling(regions: Sequence[Region]) -> list[Region]:
    """The six longest stretches, from left to right."""
    longest = sorted(regions, key=lambda each: each.start - each.end)[:6]
    return sorted(longest, key=lambda each: each.start)


def _costs(found: Comparison) -> str:
    names = {"a": found.a, "b": found.b, None: "either"}
    regions = ", ".join(
        f"{names[each.better]} for r from {each.start:.3f} to {each.end:.3f}"
        for each in _most_telling(found.costs.regions)
    )
    how = "best cutoffs" if found.costs.of == "curves" else "own decisions"
    return (
        "cheaper, r being the cost of a non-return over that of an error "
        f"({how}): {regions}"
    )
