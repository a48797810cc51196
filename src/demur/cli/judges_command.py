"""``demur judges``: judges held against people, alone and in arrangements."""

from argparse import Namespace
from dataclasses import replace
from typing import Any, Final

from demur import formats
from demur.cli import say, shared
from demur.cli.shared import WrongUsage
from demur.formats.reading import file_names
from demur.judge_models.arranged_judges import BEST, JudgeArrangements
from demur.judge_models.arranging_judges import arrange_judges
from demur.judge_models.judging_judges import (
    judge_outcomes,
)
from demur.outcomes.fields import VERDICT_CONFIDENCE
from demur.outcomes.table import Outcomes
from demur.results import FigureKind, printable

_CONFIDENCE_OF: Final = "{}_confidence"
"""The column with how sure the judge of a column of verdicts is."""


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
