"""All pairs of many systems, as ``demur compare`` shows them."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from demur.cli import tables
from demur.cli.shared import as_json, show
from demur.comparing import compare_all
from demur.curves import Curve
from demur.errors import InputError, printable
from demur.outcomes import Outcomes
from demur.own_decisions import OWN_RATES
from demur.pairs import PairDifference
from demur.quantities import Quantity
from demur.verbs import error_return
from demur.version import __version__

Pairs = dict[str, tuple[list[PairDifference], tuple[str, ...]]]


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
        show(_pairs_table(pairs) + "\n")
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


def _pairs_table(pairs: Sequence[PairDifference]) -> str:
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
    own = first.quantity in OWN_RATES
    what = first.quantity if own else Quantity(first.quantity, first.at).text
    head = f"difference of {what} ({first.method}, {100 * first.level:g} % interval)"
    return f"{head}\n\n{tables.table(header, rows)}"
