"""``demur score``: right, wrong and not answered, weighed, per system and group."""

import argparse
from argparse import Namespace
from collections.abc import Iterable, Iterator

from demur import formats
from demur.cli import options, output
from demur.cli.options import conditions
from demur.cli.output import as_json, check_gates, show
from demur.comparisons.scoring import (
    BestRange,
    Exchange,
    Score,
    Scores,
    group_label,
    score,
    scored_rows,
)
from demur.comparisons.weighted_errors import WeightedError
from demur.curves.of_outcomes import named_curve
from demur.errors import printable
from demur.outcomes.parts import named_parts
from demur.version import __version__


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur score``."""
    command.description = (
        "Counts and the weighted error of each system, by its own decisions to "
        "answer, and which system is best at which weight."
    )
    command.add_argument(
        "outcomes", nargs="+", metavar="OUTCOMES", help="files of outcomes"
    )
    command.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="GROUP",
        help="a row for each value of this column, such as class; may be repeated",
    )
    command.add_argument(
        "--weights",
        type=options.weights,
        default=[2.0],
        metavar="W,W",
        help="what a wrong answer costs, if an answer not given costs 1; several with "
        "commas (default: 2)",
    )
    command.add_argument(
        "--leave-out",
        action="append",
        default=[],
        type=options.condition,
        metavar="COL=VALUE",
        help="do not score the outcomes with this value, even if answered; may be "
        "repeated (any suffices)",
    )
    command.add_argument(
        "--seed",
        type=options.seed,
        default=0,
        help="of intervals (default: %(default)s)",
    )
    options.add_level(command, "of intervals")
    options.add_selection(command, "outcomes")
    options.add_gates(command)


def run(arguments: Namespace) -> int:
    """Score, and print."""
    leave_out: dict[str, list[str]] = {}
    for column, value in arguments.leave_out:
        leave_out.setdefault(column, []).append(value)
    outcomes = formats.read_outcomes(
        *arguments.outcomes,
        where=conditions(arguments),
        groups=list(dict.fromkeys([*arguments.by, *leave_out])),
    )
    scores = score(
        outcomes,
        by=arguments.by,
        weights=arguments.weights,
        leave_out=leave_out,
        level=arguments.level,
        seed=arguments.seed,
    )
    if arguments.json:
        show(as_json({"demur": __version__, **scores.to_dict()}))
    else:
        show("\n\n".join(_tables(scores)))
    if not arguments.fail_if:
        return 0
    kept, _ = scored_rows(outcomes, leave_out)
    parts = named_parts(kept)
    if arguments.by:
        parts += named_parts(kept, groups=arguments.by)
    curves = [named_curve(*each) for each in parts]
    return check_gates(arguments.fail_if, curves, [part for _, part in parts])


def _tables(scores: Scores) -> Iterator[str]:
    yield _counts(scores)
    yield _weighted(scores)
    if scores.best:
        yield output.table(
            ["weight of a wrong answer", "best", *(["items"] if scores.by else [])],
            [_best_row(each, grouped=bool(scores.by)) for each in scores.best],
        )
    changing = _exchange_lines(scores.exchanges, grouped=bool(scores.by))
    lines = [*changing, *_remarks(scores)]
    yield "\n".join(map(printable, lines))


def _names(each: Score, *, grouped: bool) -> list[str]:
    system = each.system or output.NONE
    return [system, group_label(each.group)] if grouped else [system]


def _counts(scores: Scores) -> str:
    """Counts of items, and per cent."""
    shown = [("right", "right"), ("wrong", "wrong"), ("unanswered", "unanswered")]
    if any(each.both_empty for each in scores.scores):
        shown.insert(1, ("both_empty", "of these both empty"))
    if any(each.ungraded for each in scores.scores):
        shown.append(("ungraded", "ungraded"))
    rates = [("right_rate", "right %"), ("error", "wrong %")]
    rates.append(("nonreturn", "unanswered %"))
    if any(each.ungraded for each in scores.scores):
        rates.append(("ungraded_rate", "ungraded %"))
    header = [*_header(scores), "items", *(name for _, name in [*shown, *rates])]
    rows = [
        [
            *_names(each, grouped=bool(scores.by)),
            str(each.items),
            *(str(getattr(each, name)) for name, _ in shown),
            *(_percent(getattr(each, name)) for name, _ in rates),
        ]
        for each in scores.scores
    ]
    return output.table(header, rows)


def _header(scores: Scores) -> list[str]:
    return ["system", ", ".join(scores.by)] if scores.by else ["system"]


def _weighted(scores: Scores) -> str:
    """Weighted errors in per cent, a column for each weight."""
    weights = [each.weight for each in scores.scores[0].weighted]
    alone = len(weights) == 1
    header = [*_header(scores), *(f"weighted error, weight {w:g}" for w in weights)]
    if not alone:
        header = [*_header(scores), *(f"weight {weight:g}" for weight in weights)]
    rows = [
        [
            *_names(each, grouped=bool(scores.by)),
            *(_weighted_cell(one) for one in each.weighted),
            *([_score_cell(each.weighted[0])] if alone else []),
        ]
        for each in scores.scores
    ]
    return output.table([*header, *(["score"] if alone else [])], rows)


def _weighted_cell(found: WeightedError) -> str:
    value = output.span(100 * found.low, 100 * found.high, digits=1)
    if found.interval is None:
        return value
    low, high = found.interval
    return f"{value} [{_percent(low)}, {_percent(high)}]"


def _score_cell(found: WeightedError) -> str:
    return output.span(100 - 100 * found.high, 100 - 100 * found.low, digits=1)


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}"


def _best_row(found: BestRange, *, grouped: bool) -> list[str]:
    end = f"{found.end:.3g}"
    where = f"{found.start:.3g} to {end}"
    if found.end == float("inf"):
        where = f"from {found.start:.3g}" if found.start else "any"
    elif not found.start:
        where = f"up to {end}"
    names = ", ".join(name or output.NONE for name in found.systems)
    return [where, names, *([group_label(found.group)] if grouped else [])]


def _exchange_lines(exchanges: Iterable[Exchange], *, grouped: bool) -> Iterator[str]:
    """Where places change; pairs that do not change are in the table of the best."""
    for each in exchanges:
        where = f"{group_label(each.group)}: " if grouped else ""
        if each.weight is not None:
            yield (
                f"{where}{each.a} and {each.b} change places at weight "
                f"{each.weight:.3g}: {each.below} is better below, {each.above} above."
            )


def _remarks(scores: Scores) -> Iterator[str]:
    yield (
        "weighted error: weight x wrong % + unanswered %, of all items, by the "
        "system's own decisions; the score is 100 less it."
    )
    yield (
        f"[low, high]: {100 * scores.level:g} % interval; which system is better "
        "where is as observed (demur compare tests differences)."
    )
    if any(each.ungraded for each in scores.scores):
        yield (
            "a to b: the bounds that ungraded answers leave; which system is better "
            "where goes by the high one."
        )
    yield from (f"note: {note}" for note in scores.notes)
    yield f"signature: {scores.signature}"
