"""Prices: which system, at which cutoff, is cheapest at which price of a non-return."""

from collections.abc import Sequence

from demur.comparisons.pricing import Price
from demur.figures.comparisons import least_cost_picture
from demur.pages.parts import PageTable, Section, Source, names_of
from demur.pages.svg import drawn
from demur.results import NONE, rate


def section(prices: Sequence[Price], source: Source) -> Section:
    """The hull of all cutoffs and own decisions, from dear non-returns on."""
    systems = [each.system for each in prices if each.system is not None]
    systems = list(dict.fromkeys(systems))
    short = dict(zip(systems, names_of(systems), strict=True))
    looks = dict(zip(systems, source.looks_of(systems), strict=True))
    rows = tuple(
        (
            f"{each.low:.4f}",
            "no end" if each.high == float("inf") else f"{each.high:.4f}",
            NONE if each.system is None else short[each.system],
            each.choice if each.cutoff is None else f"cutoff {each.cutoff}",
            rate(each.nonreturn),
            rate(each.error),
        )
        for each in prices
    )
    nobody = any(each.system is None and each.low < each.high for each in prices)
    header = ("from r", "to below r", "system", "do", "not answered", "wrong")
    caption = "r: what an answer not given costs, if a wrong one costs 1"
    return Section(
        heading="What is cheapest",
        sentence=_sentence(prices, short),
        pictures=drawn(least_cost_picture(prices, looks=looks)),
        grids=(PageTable(caption, header, rows),),
        notes=("The thin line is to answer nothing.",) if nobody else (),
        lines=tuple((short[name], looks[name]) for name in systems),
        source=source.line("choose", "demur.price_list(curves)", "--prices"),
    )


def _sentence(prices: Sequence[Price], short: dict[str, str]) -> str:
    half = next(each for each in prices if each.low <= 0.5 < each.high)
    who = "nobody: never answer" if half.system is None else short[half.system]
    how = "" if half.cutoff is None else f" at a cutoff of {half.cutoff}"
    return (
        f"If a wrong answer costs as much as two answers not given (r = 0.5), {who}"
        f"{how} is cheapest; the table has every other price."
    )
