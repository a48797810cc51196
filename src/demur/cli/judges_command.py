"""``demur judges``: judges held against people, alone and in arrangements."""

from argparse import Namespace
from dataclasses import replace
from typing import Any, Final

from demur import formats
from demur.cli import Parser, say, shared, typed
from demur.cli.shared import WrongUsage
from demur.formats.reading import READABLE, file_names
from demur.judge_models.arranged_judges import BEST, JudgeArrangements
from demur.judge_models.arranging_judges import arrange_judges
from demur.judge_models.judging_judges import (
    WITHOUT_CONFIDENCE,
    judge_outcomes,
)
from demur.outcomes.fields import VERDICT_CONFIDENCE
from demur.outcomes.table import Outcomes
from demur.results import FigureKind, printable
from demur.sampling.drawing import GOLD

_CONFIDENCE_OF: Final = "{}_confidence"
"""The column with how sure the judge of a column of verdicts is."""


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur judges``."""
    command.description = (
        "Hold judges against people's verdicts: each is a system that may decline, "
        "with an error, a curve and a cutoff; several vote, or pass on what they are "
        "unsure of, and each arrangement has a price."
    )
    command.option(
        f"JUDGED: what demur judge has written ({READABLE}, compressed too): a file "
        "for each judge, who is called like it; all about the same answers",
        nargs="+",
    )
    command.option(
        "--gold COLUMN: the column with people's verdicts: right or wrong, empty where "
        "they have not judged",
        usual=GOLD,
    )
    command.option(
        "--verdicts A,B: the files are one table, and these columns of it hold the "
        "verdicts of a judge each; A_confidence says how sure A is",
        type=typed.names,
    )
    command.option(
        "--items: whether all judges must have judged the same answers, or only those "
        "that all have judged are kept",
        choices=["equal", "common"],
        usual="equal",
    )
    command.option(
        "--without-confidence: a verdict without a confidence, where others of its "
        "judge have one, is the least sure, or is refused",
        choices=WITHOUT_CONFIDENCE,
        usual="lowest",
    )
    _arrangement_options(command)
    command.option(
        "-o --output VERDICTS: write the outcomes of the judges, which demur curve, "
        "choose, compare and report read like those of any system",
        type=typed.target,
    )
    shared.add_picture(command, "draw errors of arrangements against their prices")
    shared.add_selection(command, "judged answers")
    shared.add_result_options(command, "'judge_error > 0.1', 'best_price > 0.5'")


def _arrangement_options(command: Parser) -> None:
    command.option(
        "--arrange ARRANGEMENT: vote(A, B, C), by majority; unanimous(A, B); or "
        "cascade(A@0.9, B, people), where B is asked what A is less sure of than 0.9, "
        "and @* tries several cutoffs; may be repeated (default: each judge alone, all "
        "by vote, and cheaper ones before dearer ones)",
        several=True,
        type=typed.arrangement,
    )
    command.option(
        "--price NAME=PRICE: what a verdict of each judge costs, and one of people, "
        "such as small=0.01 large=0.1 people=2; may be repeated",
        nargs="+",
        action="extend",
        type=typed.price,
    )
    command.option(
        "--most-error E: name the cheapest arrangement whose error is not above this, "
        "and certify a cutoff of each judge for it",
        type=typed.share,
    )
    command.option(
        "--of: what bounds are shares of: all answers, or those that judges decide",
        choices=["all", "answered"],
        usual="all",
    )
    command.option(
        "--certainty C: that all bounds hold together", type=typed.share, usual=0.95
    )
    shared.add_level(command, "of intervals, each by itself")


def run(arguments: Namespace) -> int:
    """Join the judges, hold them against people, print, write and draw."""
    shared.check_asked(
        arguments, _kinds(arguments), arguments.judged, ["output", "plot"]
    )
    _check_together(arguments)
    prices = _prices(arguments)
    how = shared.named(arguments, "gold", "items", "without_confidence")
    judges = judge_outcomes(_judged(arguments), **how)
    weighed = arrange_judges(
        judges,
        arguments.arrange or None,
        prices=prices,
        **shared.named(arguments, "most_error", "of", "certainty", "level"),
    )
    if arguments.output:
        formats.write_outcomes(judges, arguments.output)
        say(f"wrote {arguments.output}")
    shared.draw(weighed.plot, arguments.plot)
    return shared.finish(weighed, arguments)


def _kinds(arguments: Namespace) -> list[FigureKind]:
    """The figures that there will be: of the best only if one is asked for."""
    unasked = {"best_price"} if arguments.price is None else set()
    unasked |= set() if arguments.most_error else {kind.name for kind in BEST}
    return [kind for kind in JudgeArrangements.KINDS if kind.name not in unasked]


def _prices(arguments: Namespace) -> dict[str, float] | None:
    if arguments.price is None:
        return None
    prices: dict[str, float] = {}
    for name, price in arguments.price:
        if name in prices:
            need = "name each judge once"
            raise WrongUsage(arguments.command, "--price", need, f"{name} twice")
        prices[name] = price
    return prices


def _judged(arguments: Namespace) -> dict[str, Outcomes]:
    """What each judge has made of the answers, by its name."""
    files, columns = arguments.judged, arguments.verdicts
    how = shared.how_read(arguments) | {"groups": None, "display": True}
    if columns is None:
        tables = [formats.read_outcomes(path, **how) for path in files]
        return dict(zip(file_names(files), tables, strict=True))
    del how["columns"]
    return {name: _of_column(name, files, how) for name in columns}


def _check_together(arguments: Namespace) -> None:
    """Raise `WrongUsage` for a judge that is given twice, or columns named twice."""
    command, files = arguments.command, arguments.judged
    for place, path in enumerate(files):
        if any(shared.same_file(path, other) for other in files[:place]):
            need, got = "be a file for each judge", f"{printable(path)} twice"
            raise WrongUsage(command, "JUDGED", need, got)
    columns = arguments.verdicts or []
    if columns and arguments.columns is not None:
        need, hint = "come without --columns", "Rename other columns in the files."
        raise WrongUsage(command, "--verdicts", need, "both", hint)
    for name in columns:
        if columns.count(name) > 1:
            need = "name each column once"
            raise WrongUsage(command, "--verdicts", need, f"{name} twice")


def _of_column(name: str, files: list[str], how: dict[str, Any]) -> Outcomes:
    """The verdicts in one column of a table, with their confidences."""
    table = formats.read_outcomes(*files, columns={"outcome": name}, **how)
    sure = table.groups.get(_CONFIDENCE_OF.format(name))
    groups = {
        key: held for key, held in table.groups.items() if key != VERDICT_CONFIDENCE
    }
    if sure is not None:
        groups[VERDICT_CONFIDENCE] = sure
    return replace(table, groups=groups)
