"""The words and columns in which choices are told."""

from typing import TYPE_CHECKING, Final

from demur.curves.curve_kinds import FAILURES
from demur.results import Column, FigureKind

if TYPE_CHECKING:
    from demur.wholes.whole_points import WholePoint

NEVER = "never answer"
HOW_MANY = "How many items it takes, certificate_plan says (demur choose --plan)."
BY_SILENCE = (
    "That keeps the promise by silence alone: no cutoff that answers anything could be "
    f"certified. {HOW_MANY}"
)
"""What the choice of silence is called; it belongs to no system."""

NO_PART = "return no part"
"""The same where answers are made of parts."""

NONE_FOUND = "none found"
NONE_SO_LOW = "no cutoff that answers anything has so small an error on this data"
OF_NOTHING = "no cutoff could be found: the rates are those of answering nothing"

WHOLES, ANSWERED_WHOLES = "wholes", "answered wholes"
OF_WHOLES: Final = (WHOLES, ANSWERED_WHOLES)
"""What an error of wholes can be a share of, where answers are made of parts."""

DEPENDENT = (
    "Parts of one whole may depend on each other in any way; wholes, or clusters of "
    "them, are taken as independent."
)
"""What a promise about wholes takes for granted."""

VERDICTS_STAND = "The promise takes the verdicts on parts as they stand."

SAME_DATA = (
    "chosen and judged on the same data: the error is too good by an unknown amount; "
    "give held-out data for an honest figure"
)

NEVER_DECLINES = (
    "a declined item costs as much as a wrong answer or more, so declining never pays: "
    "every guess is answered; if a wrong answer costs three times a declined one, say "
    "wrong_costs=3 (--wrong-costs 3), which is a cost ratio of 1/3"
)

BY_PARTIAL_CREDIT = (
    "certified by bets, because some answers earn partial credit: deciding, before you "
    "look, to count partly right answers as wrong certifies by the exact binomial, "
    "which answers more where they are few; bound=simulated (--bound simulated) is "
    "sharper and not certified"
)
"""What is said where items are independent and count the same, but have credits."""

OVER_ALL_SAMPLES = (
    "the certainty is over all samples, also those in which no such cutoff is found: "
    "where one is rarely found, many of those that are found may break the promise"
)
"""What must be said of every certificate that need not be there."""

AS_THEY_STAND = (
    "The promise takes the verdicts as they stand: if a judge who errs gave them, name "
    "the column with people's verdicts (gold)."
)

SIMULATED_IS_CERTIFIED = (
    "items are independent and right or wrong: the simulated bound is the exact one, "
    "and certified"
)

SIMULATED_SIZES = (
    "simulated for clusters (or weights) no larger than the largest seen; a larger one "
    "in the traffic is not covered"
)

NOT_GATED = "it is simulated, and a gate takes certified bounds alone"
"""Why a choice by the simulated bound has no bound."""

NOT_DRAWN = "labels say nothing of answers that could not be drawn"
"""Why a choice has no missed chance."""

FEW = 3
"""Of so many systems each is said in words; of more, the table says it."""

_ANY: Final = {"least": float("-inf"), "most": float("inf"), "better": "neither"}

KINDS: Final = (
    FigureKind("cutoff", "the cutoff", "number", **_ANY),  # type: ignore[arg-type]
    FigureKind("error", "the error over all items"),
    FigureKind("nonreturn", "the share not answered", can_be_undefined=False),
    FigureKind("bound", "the certified bound of the error"),
    FigureKind("cost", "the cost of an item", "number", most=float("inf")),
    FigureKind("score", "the named score", "number", **_ANY),  # type: ignore[arg-type]
    FigureKind("corrected_error", "the error as people's verdicts correct it"),
    FigureKind("error_answered", "the error among the answers given"),
    FigureKind("missed", "the missed chance"),
    *FAILURES,
)
"""The figures of a choice."""

COLUMNS: Final = (
    Column("system"),
    Column(
        "cutoff", cells="value", explained="guesses at least this sure are answered"
    ),
    Column("choice", explained="what to do without a cutoff"),
    Column("cost", cells="number", explained="error + r x nonreturn, an error being 1"),
    Column("score", cells="number", digits=3, explained="the named score"),
    Column("nonreturn", cells="share", explained="items not answered / all"),
    Column("answered", cells="share", explained="items answered / all", wide=True),
    Column("error", cells="share", explained="wrong or ungraded answers / all items"),
    Column("error_answered", "of answered", "share", "the same / answered items"),
    Column("missed", cells="share", explained="right guesses not given / all items"),
    Column("bound", cells="share", explained="certified: the error is not above it"),
    Column(
        "simulated_bound",
        cells="share",
        explained="holds in simulations, not certified: the error is not above it",
    ),
    Column(
        *("corrected_error", "corrected", "share", "the error, by people's verdicts"),
        of="corrected.value",
    ),
    Column(
        *("corrected_interval", "interval", "share", "of the corrected error"),
        of="corrected.interval",
    ),
)

_OF_PARTS: Final = {
    "cutoff": Column("cutoff", cells="value", explained="parts so sure are returned"),
    "cost": Column("cost", cells="number", explained="whole error + r x withheld"),
    "nonreturn": Column("nonreturn", "withheld", "share", "parts withheld / all parts"),
    "answered": Column("answered", "returned", "share", "parts returned", wide=True),
    "error": Column(
        "error",
        "whole error",
        "share",
        "wholes with a wrong or ungraded part returned / all wholes",
    ),
    "error_answered": Column(
        "error_answered", "of answered", "share", "the same / answered wholes"
    ),
    "missed": Column(
        "complete",
        cells="share",
        explained="wholes all returned and right / all wholes",
        of="wholes.complete",
    ),
}
COLUMNS_OF_WHOLES: Final = tuple(
    _OF_PARTS.get(column.key, column) for column in COLUMNS
)
"""The same where answers are made of parts and the error is of wholes."""

RISKS: Final = (
    Column("promise", of="what"),
    Column("target", cells="number", explained="what it must not exceed"),
    Column("bound", "at most", "number", "its bound at the cutoff"),
)


def percent(rate: float) -> str:
    """A rate in per cent, as precise as people read it.

    Examples
    --------
    >>> percent(0.0312), percent(0.5), percent(0.0)
    ('3.1 %', '50 %', '0 %')
    """
    return f"{100 * rate:.3g} %" if rate >= 0.1 or not rate else f"{100 * rate:.2g} %"


def silence(of: str) -> str:
    """What is done where no cutoff keeps a promise.

    Examples
    --------
    >>> silence("all"), silence("wholes")
    ('never answer', 'return no part')
    """
    return NO_PART if of in OF_WHOLES else NEVER


def of_held_out(note: str) -> str:
    """A note on held-out wholes, told apart from the same on those of the choice.

    Examples
    --------
    >>> of_held_out("3 of the wholes have no parts")
    '3 of the held-out wholes have no parts'
    """
    return note.replace("of the wholes have", "of the held-out wholes have")


def base_words(of: str) -> str:
    """What an error is a share of."""
    return _BASES[of]


_BASES: Final = {
    "all": "over all items",
    "answered": "among the answers given",
    WHOLES: "over all wholes",
    ANSWERED_WHOLES: "among the wholes of which a part is returned",
}


def unfound_words(why: str, *, planned: bool) -> str:
    """What is promised where no cutoff could be found, and what to do.

    Examples
    --------
    >>> unfound_words("it takes at least 59 answered items, all right", planned=True)
    'Nothing is promised: it takes at least 59 answered items, all right. How many items
    it takes, certificate_plan says (demur choose --plan).'
    """
    words = f"Nothing is promised: {why}." if why else "Nothing is promised."
    return f"{words} {HOW_MANY}" if planned else words


def promised_words(of: str, target: float) -> str:
    """What is promised of an error.

    Examples
    --------
    >>> promised_words("wholes", 0.02)
    'at most 2 % of wholes hold a wrong part that is returned'
    """
    if of not in OF_WHOLES:
        return f"the true error {base_words(of)} is at most {target:g}"
    whose = "wholes" if of == WHOLES else "the wholes of which a part is returned"
    return f"at most {percent(target)} of {whose} hold a wrong part that is returned"


def price_words(cost_ratio: float, of: str = "all") -> str:
    """What an error costs, an item not answered being the unit.

    Examples
    --------
    >>> price_words(0.5)
    'a wrong answer costs as much as 2 declined ones'
    """
    if not cost_ratio:
        return "declining costs nothing"
    if of == WHOLES:
        price = f"{1 / cost_ratio:.4g}"
        return f"a whole with a wrong part costs as much as withholding {price} wholes"
    return f"a wrong answer costs as much as {1 / cost_ratio:.4g} declined ones"


def rates_of_wholes(there: "WholePoint", error: float) -> str:
    """What becomes of parts and of wholes at a cutoff."""
    among = there.error_answered
    also = "" if among is None else f", {percent(among)} of those with a returned part"
    return (
        f"{percent(1 - there.nonreturn)} of the parts are returned, and "
        f"{percent(error)} of the wholes hold a wrong one{also}"
    )
