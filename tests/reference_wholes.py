"""A slow plain twin of wholes: each whole looked at by itself, in exact fractions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Part:
    """One part: what its guess is, how sure, and whether the system withholds it."""

    outcome: str
    confidence: float | None = None
    declined: bool = False


@dataclass(frozen=True)
class Whole:
    """The parts of one item; none if there was nothing, or nothing was to be done."""

    parts: tuple[Part, ...]
    weight: int = 1
    nothing_due: bool = False


def returned(part: Part, cutoff: float | None) -> bool:
    if part.outcome == "unanswered" or cutoff is None:
        return False
    return part.confidence is not None and part.confidence >= cutoff


def cutoffs(wholes: Sequence[Whole]) -> list[float | None]:
    values = {
        part.confidence
        for whole in wholes
        for part in whole.parts
        if part.outcome != "unanswered" and part.confidence is not None
    }
    return [*sorted(values), None]


def at_cutoff(
    wholes: Sequence[Whole],
    cutoff: float | None,
    rate: Fraction = Fraction(0),
    without: str = "answerable",
) -> dict[str, Fraction]:
    """All rates where parts at least so sure are returned."""
    chosen = [[returned(part, cutoff) for part in whole.parts] for whole in wholes]
    return _rates(wholes, chosen, rate, without)


def by_own_decisions(
    wholes: Sequence[Whole],
    rate: Fraction = Fraction(0),
    without: str = "answerable",
) -> dict[str, Fraction]:
    chosen = [
        [part.outcome != "unanswered" and not part.declined for part in whole.parts]
        for whole in wholes
    ]
    return _rates(wholes, chosen, rate, without)


def _rates(
    wholes: Sequence[Whole],
    chosen: Sequence[Sequence[bool]],
    rate: Fraction,
    without: str,
) -> dict[str, Fraction]:
    n_parts = sum(whole.weight * len(whole.parts) for whole in wholes)
    total = sum(whole.weight for whole in wholes)
    names = (
        *("withheld", "low", "high", "wrong_parts", "complete", "touched"),
        *("answered", "with_people"),
    )
    sums = dict.fromkeys(names, Fraction(0))
    for whole, flags in zip(wholes, chosen, strict=True):
        given = [p.outcome for p, flag in zip(whole.parts, flags, strict=True) if flag]
        n_withheld = len(whole.parts) - len(given)
        bad = "wrong" in given or "ungraded" in given
        complete = not bad and not n_withheld
        if not whole.parts:
            complete = silence_is_right(whole, without)
        sums["withheld"] += whole.weight * n_withheld
        sums["low"] += whole.weight * ("wrong" in given)
        sums["high"] += whole.weight * bad
        sums["wrong_parts"] += whole.weight * given.count("wrong")
        sums["complete"] += whole.weight * complete
        sums["touched"] += whole.weight * (n_withheld > 0)
        sums["answered"] += whole.weight * bool(given)
        left = 1 - (1 - rate) ** n_withheld
        sums["with_people"] += whole.weight * (Fraction(1) if bad else left)
    withheld = sums.pop("withheld") / n_parts if n_parts else Fraction(0)
    return {"withheld": withheld, **{key: sums[key] / total for key in sums}}


def silence_is_right(whole: Whole, without: str) -> bool:
    """Whether a whole without parts is complete and right, by a named rule."""
    rules = {"answerable": whole.nothing_due, "right": True, "unanswered": False}
    return rules[without]


def at_nonreturn(
    wholes: Sequence[Whole], wanted: Fraction, how: str, rate: Fraction = Fraction(0)
) -> dict[str, Fraction] | None:
    """Rates where a share of parts is withheld; None left of the first vertex."""
    points = [at_cutoff(wholes, cutoff, rate) for cutoff in cutoffs(wholes)]
    before = [point for point in points if point["withheld"] <= wanted]
    after = [point for point in points if point["withheld"] >= wanted]
    if how == "at_least":
        return after[0]
    if not before:
        return None
    if how == "at_most" or before[-1]["withheld"] == wanted:
        return before[-1]
    low, high = before[-1], after[0]
    share = (wanted - low["withheld"]) / (high["withheld"] - low["withheld"])
    return {name: low[name] + share * (high[name] - low[name]) for name in low}


def area(wholes: Sequence[Whole]) -> Fraction:
    """Of the low curve, from its start to silence."""
    points = [at_cutoff(wholes, cutoff) for cutoff in cutoffs(wholes)]
    steps = zip(points, points[1:], strict=False)
    return sum(
        (
            (right["withheld"] - left["withheld"]) * (left["low"] + right["low"]) / 2
            for left, right in steps
        ),
        Fraction(0),
    )


def columns(wholes: Sequence[Whole]) -> Mapping[str, list[object]]:
    """The same wholes as columns of an outcomes table."""
    rows: list[tuple[object, ...]] = []
    for number, whole in enumerate(wholes):
        item = f"w{number}"
        if not whole.parts:
            weight = whole.weight
            rows.append(
                (item, None, "unanswered", None, False, weight, not whole.nothing_due)
            )
        for place, part in enumerate(whole.parts):
            rows.append(
                (
                    *(item, f"p{place}", part.outcome, part.confidence),
                    *(part.declined, whole.weight, True),
                )
            )
    names = (
        *("item", "part", "outcome", "confidence", "declined"),
        *("weight", "answerable"),
    )
    return {
        name: list(column)
        for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }
