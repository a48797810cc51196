"""``demur choose``: a cutoff per system, and what it costs."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from demur import formats
from demur.choosing import SAME_DATA, Choice, choose, halves, price_list
from demur.cli import tables
from demur.cli.shared import as_json, conditions, say, show
from demur.errors import InputError, UndefinedRate, printable
from demur.outcomes import Outcomes
from demur.verbs import curve_by
from demur.version import __version__

_RULES = ("cost_ratio", "confidence_target", "max_error", "nonreturn")


def run(arguments: Namespace) -> int:
    """Choose, judge on held-out items if asked, and print."""
    where = conditions(arguments)
    outcomes = formats.read_outcomes(*arguments.outcomes, where=where)
    if arguments.prices:
        return _prices(outcomes, arguments)
    held_out = None
    if arguments.held_out and arguments.split is not None:
        must = "come alone"
        raise InputError("choose", "--held-out and --split", must, "both")
    if arguments.held_out:
        held_out = formats.read_outcomes(*arguments.held_out, where=where)
    elif arguments.split is not None:
        outcomes, held_out = halves(
            outcomes, share=arguments.split, seed=arguments.seed
        )
    chosen, without = _choices(outcomes, arguments)
    judged = [None if held_out is None else _judged(each, held_out) for each in chosen]
    if arguments.json:
        show(as_json(_shown(chosen, judged)))
    else:
        show(_table(chosen, judged))
    if without:
        say(f"no cutoff for systems without confidences: {', '.join(without)}")
    return 0


def _choices(
    outcomes: Outcomes, arguments: Namespace
) -> tuple[list[Choice], list[str]]:
    """One choice per system and setting, and the names of those it is not for."""
    rules = {name: getattr(arguments, name) for name in _RULES}
    by = ["system"] if outcomes.setting is None else ["system", "setting"]
    chosen: list[Choice] = []
    without: list[str] = []
    for values, part in outcomes.parts(by):
        try:
            chosen.append(
                choose(
                    part,
                    **rules,
                    balance=arguments.balance,
                    of=arguments.of,
                    certainty=arguments.certainty,
                )
            )
        except UndefinedRate:
            without.append(", ".join(filter(None, values)) or tables.NONE)
    if not chosen:
        must = "have a system with confidences"
        hint = "--prices compares operating points."
        raise InputError("choose", "the outcomes", must, ", ".join(without), hint)
    return chosen, without


def _judged(chosen: Choice, held_out: Outcomes) -> Choice:
    """The choice on the held-out rows of the same system."""
    named = {curve.system for curve in curve_by(held_out)}
    if chosen.system not in named:
        must = f"hold the system {chosen.system!r}"
        raise InputError("choose", "the held-out outcomes", must, ", ".join(named))
    by = ["system"] if held_out.setting is None else ["system", "setting"]
    parts = [part for _, part in held_out.parts(by)]
    same = [part for part in parts if curve_by(part)[0].system == chosen.system]
    return chosen.on(same[0])


def _shown(chosen: Sequence[Choice], judged: Sequence[Choice | None]) -> dict[str, Any]:
    systems = [
        choice.to_dict() | ({} if other is None else {"held_out": other.to_dict()})
        for choice, other in zip(chosen, judged, strict=True)
    ]
    head: dict[str, Any] = {"demur": __version__}
    return head | (systems[0] if len(systems) == 1 else {"systems": systems})


def _table(chosen: Sequence[Choice], judged: Sequence[Choice | None]) -> str:
    header = ["system", "cutoff", "nonreturn", "error", "error of answered"]
    header += ["missed", "bound"]
    held_out = any(other is not None for other in judged)
    if held_out:
        header += ["held-out nonreturn", "held-out error", "held-out of answered"]
    rows = [
        [
            choice.system or tables.NONE,
            _cutoff(choice),
            *map(tables.rate, (choice.nonreturn, choice.error, choice.error_answered)),
            tables.rate(choice.missed),
            tables.rate(choice.bound),
            *(
                map(tables.rate, (other.nonreturn, other.error, other.error_answered))
                if other is not None
                else [tables.NONE] * 3 * held_out
            ),
        ]
        for choice, other in zip(chosen, judged, strict=True)
    ]
    notes = dict.fromkeys(note for choice in chosen for note in choice.notes)
    if held_out:
        notes.pop(SAME_DATA, None)
        notes[f"chosen and judged on different items; {_held_out_notes(judged)}"] = None
    lines = [
        f"rule: {chosen[0].rule}",
        *(f"note: {note}" for note in notes),
        f"signature: {chosen[0].signature}",
    ]
    return (
        tables.table(header, rows)
        + "\n\n"
        + "\n".join(printable(line) for line in lines)
    )


def _held_out_notes(judged: Sequence[Choice | None]) -> str:
    notes = (note for other in judged if other is not None for note in other.notes)
    return "; ".join(dict.fromkeys(notes))


def _cutoff(choice: Choice) -> str:
    if not choice.found:
        return "none found"
    return "never answer" if choice.cutoff is None else str(choice.cutoff)


def _prices(outcomes: Outcomes, arguments: Namespace) -> int:
    prices = price_list(curve_by(outcomes))
    if arguments.json:
        listed = [price.to_dict() for price in prices]
        show(as_json({"demur": __version__, "prices": listed}))
        return 0
    rows = [
        [
            price.system or tables.NONE,
            f"{price.low:.4f}",
            "" if price.high == float("inf") else f"{price.high:.4f}",
            "own decisions" if price.cutoff is None else str(price.cutoff),
            tables.rate(price.nonreturn),
            tables.rate(price.error),
        ]
        for price in prices
    ]
    header = ["system", "from r", "to below r", "cutoff", "nonreturn", "error"]
    show(tables.table(header, rows))
    show(f"\nr: the cost of a non-return over the cost of an error.\nnote: {SAME_DATA}")
    return 0
