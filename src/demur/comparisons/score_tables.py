"""Scores as tables for people."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from demur import results
from demur.comparisons.weighted_errors import WeightedError
from demur.results import printable

if TYPE_CHECKING:
    from demur.comparisons.scoring import BestRange, Exchange, Score, Scores


def group_label(group: Mapping[str, str]) -> str:
    """A group's name in tables and notes.

    Examples
    --------
    >>> group_label({"class": "A", "site": "s1"}), group_label({})
    ('A, s1', 'all')
    """
    return ", ".join(group.values()) or "all"


def score_tables(scores: "Scores") -> Iterator[str]:
    """Counts, weighted errors, the best at each weight, and how to read them."""
    yield _counts(scores)
    yield _weighted(scores)
    if scores.scores[0].named:
        yield _named(scores)
    if scores.best:
        yield results.table(
            ["weight of a wrong answer", "best", *(["items"] if scores.by else [])],
            [_best_row(each, grouped=bool(scores.by)) for each in scores.best],
        )
    changing = _exchange_lines(scores.exchanges, grouped=bool(scores.by))
    lines = [*changing, *_remarks(scores)]
    yield "\n".join(map(printable, lines))


def _names(each: "Score", *, grouped: bool) -> list[str]:
    system = each.system or results.NONE
    return [system, group_label(each.group)] if grouped else [system]


def _counts(scores: "Scores") -> str:
    shown = [("right", "right"), ("wrong", "wrong"), ("unanswered", "unanswered")]
    if any(score.both_empty for score in scores.scores):
        shown.insert(1, ("both_empty", "of these both empty"))
    if any(score.ungraded for score in scores.scores):
        shown.append(("ungraded", "ungraded"))
    rates = [("right_rate", "right %"), ("error", "wrong %")]
    rates.append(("nonreturn", "unanswered %"))
    if any(score.ungraded for score in scores.scores):
        rates.append(("ungraded_rate", "ungraded %"))
    header = [*_header(scores), "items", *(name for _, name in [*shown, *rates])]
    rows = [
        [
            *_names(score, grouped=bool(scores.by)),
            str(score.items),
            *(str(getattr(score, name)) for name, _ in shown),
            *(_percent(getattr(score, name)) for name, _ in rates),
        ]
        for score in scores.scores
    ]
    return results.table(header, rows)


def _header(scores: "Scores") -> list[str]:
    return ["system", ", ".join(scores.by)] if scores.by else ["system"]


def _weighted(scores: "Scores") -> str:
    """Weighted errors in per cent, a column for each weight."""
    weights = [each.weight for each in scores.scores[0].weighted]
    alone = len(weights) == 1
    header = [*_header(scores), *(f"weighted error, weight {w:g}" for w in weights)]
    if not alone:
        header = [*_header(scores), *(f"weight {weight:g}" for weight in weights)]
    rows = [
        [
            *_names(score, grouped=bool(scores.by)),
            *(_weighted_cell(one) for one in score.weighted),
            *([_score_cell(score.weighted[0])] if alone else []),
        ]
        for score in scores.scores
    ]
    return results.table([*header, *(["score"] if alone else [])], rows)


def _named(scores: "Scores") -> str:
    """Named scores, a column for each."""
    named = scores.scores[0].named
    rows = [
        [
            *_names(score, grouped=bool(scores.by)),
            *(results.span(each.low, each.high) for each in score.named),
        ]
        for score in scores.scores
    ]
    return results.table([*_header(scores), *(each.name for each in named)], rows)


def _weighted_cell(weighted: WeightedError) -> str:
    value = results.span(100 * weighted.low, 100 * weighted.high, digits=1)
    if weighted.interval is None:
        return value
    low, high = weighted.interval
    return f"{value} [{_percent(low)}, {_percent(high)}]"


def _score_cell(weighted: WeightedError) -> str:
    return results.span(100 - 100 * weighted.high, 100 - 100 * weighted.low, digits=1)


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}"


def _best_row(best: "BestRange", *, grouped: bool) -> list[str]:
    end = f"{best.end:.3g}"
    where = f"{best.start:.3g} to {end}"
    if best.end == float("inf"):
        where = f"from {best.start:.3g}" if best.start else "any"
    elif not best.start:
        where = f"up to {end}"
    names = ", ".join(name or results.NONE for name in best.systems)
    return [where, names, *([group_label(best.group)] if grouped else [])]


def _exchange_lines(exchanges: "Iterable[Exchange]", *, grouped: bool) -> Iterator[str]:
    """Where places change; pairs that do not change are in the table of the best."""
    for exchange in exchanges:
        where = f"{group_label(exchange.group)}: " if grouped else ""
        if exchange.weight is not None:
            yield (
                f"{where}{exchange.a} and {exchange.b} change places at weight "
                f"{exchange.weight:.3g}: {exchange.below} is better below, "
                f"{exchange.above} above."
            )


def _remarks(scores: "Scores") -> Iterator[str]:
    yield (
        "weighted error: weight x wrong % + unanswered %, of all items, by the "
        "system's own decisions; the score is 100 less it."
    )
    yield (
        f"[low, high]: {100 * scores.level:g} % interval; which system is better "
        "where is as observed (demur compare tests differences)."
    )
    if any(score.ungraded for score in scores.scores):
        yield (
            "a to b: the bounds that ungraded answers leave; which system is better "
            "where goes by the high one."
        )
    for each in scores.scores[0].named:
        yield f"{each.name}: {each.source}."
    yield from (f"note: {note}" for note in scores.notes)
    yield f"signature: {scores.signature}"
