"""``demur compare``: two systems or many, with tests."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from demur import formats
from demur.checks import choice
from demur.cli import tables
from demur.cli.shared import as_json, conditions, say, show
from demur.comparing import Comparison, compare, compare_all, plan
from demur.comparisons import Geometry, Region
from demur.errors import InputError, printable, shown
from demur.gates import WorseGate
from demur.outcomes import Outcomes
from demur.pairs import PairDifference
from demur.verbs import curve_by
from demur.version import __version__


def run(arguments: Namespace) -> int:
    """Compare, print, and break gates if the test says so."""
    parts = _systems(arguments)
    options: Any = {
        name: getattr(arguments, name) for name in ("at", "items", "method", "seed")
    }
    if len(parts) > 2:
        pairs, notes = compare_all(list(parts.values()), **options)
        show(_pairs_json(pairs) if arguments.json else _pairs_table(pairs, notes))
    else:
        found = compare(*parts.values(), **options)
        as_text = _report if not arguments.json else _as_json
        show(as_text(found))
        if arguments.plan is not None:
            wanted = plan(*parts.values(), difference=arguments.plan, at=arguments.at)
            clusters = f" in {wanted.clusters} clusters" if wanted.clusters else ""
            say(
                f"to show a difference of {arguments.plan:g} at nonreturn "
                f"{arguments.at:g} with chance {wanted.power:g}, about "
                f"{wanted.items} items{clusters} are needed"
            )
    broken = [_is_broken(gate, parts, options) for gate in arguments.fail_if]
    return 1 if any(broken) else 0


def _as_json(found: Comparison) -> str:
    return as_json({"demur": __version__, **found.to_dict()})


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
        outcomes = formats.read_outcomes(path, where=where)
        by = ["system"] if outcomes.setting is None else ["system", "setting"]
        for _, part in outcomes.parts(by):
            name = curve_by(part)[0].system or "ab"[len(parts) % 2]
            if name in parts:
                must, hint = "differ in name", "Rename one: the column system."
                raise InputError("compare", "the systems", must, shown(name), hint)
            parts[name] = part
    if len(parts) < 2:
        must, hint = "hold two systems", "Name two files, or one with a column system."
        raise InputError("compare", "the outcomes", must, str(len(parts)), hint)
    return parts


def _report(found: Comparison) -> str:
    rows = [
        [name, tables.rate(error)]
        for name, error in ((found.a, found.error_a), (found.b, found.error_b))
    ]
    lines = [tables.table(["system", f"error@{found.at:g}"], rows), ""]
    for name, each in (("error", found.difference), ("area", found.area)):
        if each is not None:
            interval = (
                ""
                if each.low is None or each.high is None
                else f" [{each.low:+.4f}, {each.high:+.4f}]"
            )
            lines.append(
                f"{name}, {found.b} less {found.a}: {each.value:+.4f}{interval}, "
                f"p = {each.p_value:.3g} ({each.method}, {each.level:.0%} interval)"
            )
    if found.linear is not None and found.step is not None:
        lines += [_geometry(found, found.linear), _geometry(found, found.step)]
    lines.append(_costs(found))
    lines += [f"note: {note}" for note in found.notes]
    lines.append(f"signature: {found.signature}")
    return "\n".join([lines[0], *(printable(line) for line in lines[1:])])


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


def _pairs_json(pairs: Sequence[PairDifference]) -> str:
    return as_json({"demur": __version__, "pairs": [pair.to_dict() for pair in pairs]})


def _pairs_table(pairs: Sequence[PairDifference], notes: Sequence[str]) -> str:
    header = ["a", "b", "b less a", "from", "to", "p", "p of all pairs"]
    rows = []
    for pair in pairs:
        found = pair.difference
        ends = [
            tables.NONE if end is None else f"{end:+.4f}"
            for end in (found.low, found.high)
        ]
        p_values = f"{found.p_value:.3g}", f"{pair.adjusted_p:.3g}"
        rows.append([pair.a, pair.b, f"{found.value:+.4f}", *ends, *p_values])
    first = pairs[0].difference
    lines = [
        f"difference of error at nonreturn {first.at:g}; intervals at "
        f"{first.level:.0%}, each by itself ({first.method}); p of all pairs: "
        "corrected by Holm.",
        *(f"note: {note}" for note in notes),
    ]
    return tables.table(header, rows) + "\n\n" + "\n".join(map(printable, lines))
