"""Slow plain twins: each number by its definition, item by item, in exact fractions."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Row:
    """One item: outcome name, credit, confidence, and the rest with usual values."""

    outcome: str
    confidence: float | None = None
    credit: float | None = None
    weight: float = 1.0
    answerable: bool = True
    declined: bool = False

    @property
    def earned(self) -> Fraction:
        if self.outcome != "right":
            return Fraction(0)
        return Fraction(1) if self.credit is None else Fraction(str(self.credit))

    @property
    def weighs(self) -> Fraction:
        return Fraction(str(self.weight))

    @property
    def guessed(self) -> bool:
        return self.outcome != "unanswered"


def total(rows: Sequence[Row]) -> Fraction:
    return sum((row.weighs for row in rows), Fraction(0))


def cutoffs(rows: Sequence[Row]) -> list[float | None]:
    """Distinct confidences of guesses, rising, then silence."""
    return [*sorted({row.confidence for row in rows if row.guessed}), None]


def answers(row: Row, cutoff: float | None) -> bool:
    return row.guessed and cutoff is not None and row.confidence >= cutoff


def point(rows: Sequence[Row], cutoff: float | None) -> dict[str, Fraction]:
    """Rates at one cutoff, over all items."""
    everything = total(rows)
    given = [row for row in rows if answers(row, cutoff)]
    kept = [row for row in rows if row.guessed and not answers(row, cutoff)]
    graded = [row for row in given if row.outcome != "ungraded"]
    sums = {
        "nonreturn": everything - total(given),
        "error": sum((row.weighs * (1 - row.earned) for row in graded), Fraction(0)),
        "missed": sum((row.weighs * row.earned for row in kept), Fraction(0)),
        "right": sum((row.weighs * row.earned for row in graded), Fraction(0)),
        "ungraded": total([row for row in given if row.outcome == "ungraded"]),
    }
    return {name: value / everything for name, value in sums.items()}


def vertices(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [{"cutoff": cut, **point(rows, cut)} for cut in cutoffs(rows)]


def split(rows: Sequence[Row], cutoff: float | None) -> dict[str, Fraction]:
    """What becomes of every item at one cutoff; each lands in its own box."""
    boxes = dict.fromkeys(
        (
            *("right", "error", "missed", "avoided"),
            *("correct_decline", "no_guess", "ungraded"),
        ),
        Fraction(0),
    )
    for row in rows:
        if row.outcome == "ungraded":
            boxes["ungraded"] += row.weighs
        elif answers(row, cutoff):
            boxes["right"] += row.weighs * row.earned
            boxes["error"] += row.weighs * (1 - row.earned)
        elif not row.answerable:
            boxes["correct_decline"] += row.weighs
        elif not row.guessed:
            boxes["no_guess"] += row.weighs
        else:
            boxes["missed"] += row.weighs * row.earned
            boxes["avoided"] += row.weighs * (1 - row.earned)
    return {name: value / total(rows) for name, value in boxes.items()}


def area(rows: Sequence[Row]) -> dict[str, Fraction]:
    """Trapezoids between vertices, and the bounds of the part that is not seen."""
    listed = vertices(rows)

    def trapezoids(height: Any) -> Fraction:
        return sum(
            (
                (b["nonreturn"] - a["nonreturn"]) * (height(a) + height(b)) / 2
                for a, b in zip(listed, listed[1:], strict=False)
            ),
            Fraction(0),
        )

    observed = trapezoids(lambda at: at["error"])
    upper = trapezoids(lambda at: at["error"] + at["ungraded"])
    start, error, unclear = (listed[0][k] for k in ("nonreturn", "error", "ungraded"))
    hopeless = [row for row in rows if not row.guessed and not row.answerable]
    known = total(hopeless) / total(rows)
    return {
        "observed": observed,
        "low": observed + start * error + known**2 / 2,
        "high": upper + start * (error + unclear) + start**2 / 2,
    }


def forced_choice_error(rows: Sequence[Row]) -> tuple[Fraction, Fraction]:
    """All guesses answered; missing guesses and ungraded ones at best and at worst."""
    low = high = Fraction(0)
    for row in rows:
        loss = row.weighs * (1 - row.earned)
        unknown = row.outcome == "ungraded" or (not row.guessed and row.answerable)
        low += 0 if unknown else loss
        high += loss
    return low / total(rows), high / total(rows)


def operating_point(rows: Sequence[Row]) -> tuple[Fraction, Fraction]:
    silent = [row for row in rows if not row.guessed or row.declined]
    wrong = [
        row
        for row in rows
        if row.guessed and not row.declined and row.outcome != "ungraded"
    ]
    loss = sum((row.weighs * (1 - row.earned) for row in wrong), Fraction(0))
    return total(silent) / total(rows), loss / total(rows)


def at_nonreturn(rows: Sequence[Row], wanted: Fraction, how: str) -> Fraction | None:
    """Error at a nonreturn rate; None where the curve does not reach."""
    listed = vertices(rows)
    if how == "at_most":
        below = [v for v in listed if v["nonreturn"] <= wanted]
        return below[-1]["error"] if below else None
    if how == "at_least":
        return next(v["error"] for v in listed if v["nonreturn"] >= wanted)
    if wanted < listed[0]["nonreturn"]:
        return None
    for a, b in zip(listed, listed[1:], strict=False):
        if a["nonreturn"] <= wanted <= b["nonreturn"]:
            share = (wanted - a["nonreturn"]) / (b["nonreturn"] - a["nonreturn"])
            return a["error"] + share * (b["error"] - a["error"])
    raise ValueError(wanted)


def at_error(rows: Sequence[Row], wanted: Fraction, how: str) -> Fraction | None:
    """Least nonreturn with error at most ``wanted`` (greatest with at least it)."""
    listed = vertices(rows)
    if how == "at_least":
        above = [v for v in listed if v["error"] >= wanted]
        return above[-1]["nonreturn"] if above else None
    if how == "at_most" or listed[0]["error"] <= wanted:
        return next(v["nonreturn"] for v in listed if v["error"] <= wanted)
    for a, b in zip(listed, listed[1:], strict=False):
        if a["error"] > wanted >= b["error"]:
            share = (a["error"] - wanted) / (a["error"] - b["error"])
            return a["nonreturn"] + share * (b["nonreturn"] - a["nonreturn"])
    raise ValueError(wanted)


def crossing(rows: Sequence[Row]) -> Fraction | None:
    """First nonreturn, on the linear reading, where missed is at least error."""
    listed = vertices(rows)
    if listed[0]["missed"] >= listed[0]["error"]:
        return listed[0]["nonreturn"]
    for a, b in zip(listed, listed[1:], strict=False):
        before, after = a["error"] - a["missed"], b["error"] - b["missed"]
        if before > 0 >= after:
            share = before / (before - after)
            return a["nonreturn"] + share * (b["nonreturn"] - a["nonreturn"])
    raise ValueError("no crossing")


def error_inside(
    rows: Sequence[Row], low: float, above: float | None, wanted: Fraction
) -> tuple[Fraction, Fraction]:
    """What the error can be at a nonreturn rate, if guesses of a block are only summed.

    The block is answered at the cutoff ``low``, and not at the next one ``above``. Its
    losses may be withheld first, or last, and no guess loses more than it weighs.
    """
    before, after = point(rows, low), point(rows, above)
    gone = wanted - before["nonreturn"]
    kept = after["nonreturn"] - wanted
    worst_before, worst_after = (at["error"] + at["ungraded"] for at in (before, after))
    least = max(after["error"], before["error"] - gone)
    return least, min(worst_before, worst_after + kept)


def context(
    turns: Sequence[dict[str, Any]], rule: str
) -> list[tuple[list[str], bool, bool]]:
    """Of each turn: what it is given, whether context was reset, whether it is asked.

    By the words of the definition, turn by turn: each looks through all before it.
    """
    told: list[tuple[list[str], bool, bool]] = []
    for at, turn in enumerate(turns):
        dialogue = turn.get("dialogue", turn.get("cluster"))
        excluded = bool(turn.get("excluded")) or turn.get("class") == "X"
        before = [
            earlier
            for earlier in range(at)
            if dialogue is not None
            and turns[earlier].get("dialogue", turns[earlier].get("cluster"))
            == dialogue
        ]
        last_out = bool(before) and not told[before[-1]][2]
        reset = bool(turn.get("reset"))
        reset = reset or (rule == "alone" and bool(before))
        reset = reset or (rule == "excluded" and last_out)
        given: list[str] = []
        if before and not reset:
            given = [*_given_to_last(turns, told, before), turns[before[-1]]["item"]]
        leans = turn.get("context", [])
        if turn.get("class") == "D" and not leans:
            leans = [turns[before[-1]]["item"]] if before else [None]
        if turn.get("class") == "A":
            leans = []
        asked = not excluded and all(name in given for name in leans)
        told.append(([] if excluded else given, reset, asked))
    return told


def _given_to_last(
    turns: Sequence[dict[str, Any]],
    told: Sequence[tuple[list[str], bool, bool]],
    before: Sequence[int],
) -> list[str]:
    """What lay before the last turn and was not reset away there or earlier."""
    items: list[str] = []
    for earlier in before[:-1]:
        items.append(turns[earlier]["item"])
    for position, earlier in enumerate(before):
        if told[earlier][1]:
            items = [turns[one]["item"] for one in before[position:-1]]
    return items


# -- runs kept over time ---------------------------------------------------------------


def run_error(rows: Sequence[Row], nonreturn: Fraction) -> Fraction | None:
    """Error of a run: at a nonreturn rate, ungraded answers as errors."""
    graded = [
        row if row.outcome != "ungraded" else Row("wrong", row.confidence)
        for row in rows
    ]
    return at_nonreturn(graded, nonreturn, "linear")


def levels(risk: Fraction, number: int) -> list[Fraction]:
    """At which level the first, second, ... test of a line is made."""
    return [risk / ((k + 1) * (k + 2)) for k in range(number)]


def chance_of_signs(amounts: Sequence[Fraction]) -> Fraction:
    """How often a sum of fair signs of amounts goes as far as that of the amounts."""
    sums = {Fraction(0): Fraction(1)}
    for amount in amounts:
        moved: dict[Fraction, Fraction] = {}
        for reached, chance in sums.items():
            for step in (amount, -amount):
                moved[reached + step] = moved.get(reached + step, 0) + chance / 2
        sums = moved
    far = abs(sum(amounts, Fraction(0)))
    return sum((p for reached, p in sums.items() if abs(reached) >= far), Fraction(0))


def chance_of_newest(results: Sequence[Sequence[Fraction]]) -> Fraction:
    """How often the newest run lies so far off the mean of all, had it been any other.

    Each unit has its results in all runs, the newest last; each of them might as well
    be the newest, one unit independently of another.
    """
    sums = {Fraction(0): Fraction(1)}
    for values in results:
        mean = sum(values, Fraction(0)) / len(values)
        moved: dict[Fraction, Fraction] = {}
        for reached, chance in sums.items():
            for value in values:
                at = reached + value - mean
                moved[at] = moved.get(at, 0) + chance / len(values)
        sums = moved
    far = abs(sum(values[-1] - sum(values) / len(values) for values in results))
    return sum((p for reached, p in sums.items() if abs(reached) >= far), Fraction(0))
