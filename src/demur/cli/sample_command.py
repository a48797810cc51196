"""``demur sample``: which answers to label, and the labels taken back."""

from argparse import Namespace
from dataclasses import replace
from typing import Any, Final

from demur import formats
from demur.cli import say, shared
from demur.cli.kept_locks import locks_at
from demur.cli.shared import WrongUsage
from demur.decisions.locks import Lock
from demur.errors import InputError
from demur.formats.reading import file_names, open_table
from demur.outcomes.table import Outcomes
from demur.results import Result
from demur.sampling.drawing import sample
from demur.sampling.drawn import Drawn
from demur.sampling.label_units import LABEL_KEY
from demur.sampling.sheets import check_no_verdicts, write_sheet
from demur.sampling.taking import LabelledCounts, label_counts, take_labels
from demur.sampling.unjudged import unjudged

_OF_DRAW: Final = (
    *("budget", "purpose", "lock", "at", "pilot", "max_error", "cost_ratio", "near"),
    *("unsure", "sheet"),
)


def run(arguments: Namespace) -> int:
    """Draw and write both files; or take the labels of a sheet."""
    labelled = arguments.labels is not None
    _check_together(arguments, labelled=labelled)
    named = (arguments.lock, arguments.pilot, arguments.labels)
    kinds = LabelledCounts.KINDS if labelled else Drawn.KINDS
    reads = [*arguments.answers, *named]
    shared.check_asked(arguments, kinds, reads, ["output", "sheet"])
    result: Result = _taken(arguments) if labelled else _drawn(arguments)
    return shared.finish(result, arguments)


def _check_together(arguments: Namespace, *, labelled: bool) -> None:
    """Raise `WrongUsage` for options of the draw on the way back, and lacking ones."""
    command = arguments.command
    if labelled:
        for name in _OF_DRAW:
            if getattr(arguments, name) is not None:
                option = "--for" if name == "purpose" else shared.option_name(name)
                need, hint = "come without --labels", "The draw has been made."
                raise WrongUsage(command, option, need, "both", hint)
        return
    for name, option in (("budget", "--budget"), ("purpose", "--for")):
        if getattr(arguments, name) is None:
            hint = "With --labels a filled sheet is taken back."
            raise WrongUsage(command, option, "be given to draw", "nothing", hint)
    if arguments.sheet is None:
        hint = "Annotators label its rows from the top."
        raise WrongUsage(command, "--sheet", "be given to draw", "nothing", hint)


# -- the draw --------------------------------------------------------------------------


def _drawn(arguments: Namespace) -> Drawn:
    check_no_verdicts(arguments.sheet)
    outcomes = _answers(arguments)
    how = shared.named(arguments, "at", "max_error", "cost_ratio", "near", "unsure")
    if arguments.lock is not None:
        how["lock"] = _lock(arguments.lock, outcomes)
    if arguments.pilot is not None:
        kept = [arguments.gold] if arguments.purpose == "judge" else []
        size = arguments.max_size
        how["pilot"] = formats.read_outcomes(
            arguments.pilot, groups=kept, max_size=size
        )
    drawn = sample(
        outcomes,
        **shared.named(arguments, "budget", "purpose", "gold", "seed"),
        **how,
    )
    formats.write_outcomes(drawn.outcomes, arguments.output)
    write_sheet(drawn.sheet, arguments.sheet)
    say(f"wrote {arguments.output} and {arguments.sheet}")
    return drawn


def _lock(path: str, outcomes: Outcomes) -> Lock:
    """The lock of the system that the answers are of."""
    locks = {lock.system: lock for lock in locks_at(path)}
    if len(locks) == 1:
        return next(iter(locks.values()))
    held = [locks[name] for name in outcomes.systems if name in locks]
    if len(held) != 1:
        need, got = "be of one system that is locked", ", ".join(outcomes.systems)
        hint = f"Select one of {', '.join(locks)}, such as --where system=NAME."
        raise InputError("sample", "the answers", need, got or "none", hint)
    return held[0]


def _answers(arguments: Namespace) -> Outcomes:
    """The answers, judged or not, with all columns."""
    how, files = shared.how_read(arguments), arguments.answers
    if "-" in files or any(_judged(path, how) for path in files):
        outcomes = formats.read_outcomes(*files, groups=None, display=True, **how)
        if LABEL_KEY in outcomes.groups:
            need, got = "not have been drawn from before", f"a column {LABEL_KEY}"
            hint = "Give the file it was drawn from, with a larger budget."
            raise InputError(files[0], "the answers", need, got, hint)
        return outcomes
    responses = []
    names = file_names(files) if len(files) > 1 else [""]
    for path, name in zip(files, names, strict=True):
        read = formats.read_responses(path, **how)
        responses += [replace(answer, system=answer.system or name) for answer in read]
    return unjudged(responses)


def _judged(path: str, how: dict[str, Any]) -> bool:
    """Whether a file holds verdicts."""
    read = {name: value for name, value in how.items() if name != "where"}
    with open_table(path, **read) as table:
        _, first = next(iter(table.records()), (0, {}))
        names = {*table.names(), *first}
        return table.judged or not names.isdisjoint(("outcome", "correct"))


# -- the way back ----------------------------------------------------------------------


def _taken(arguments: Namespace) -> LabelledCounts:
    how = shared.how_read(arguments)
    outcomes = formats.read_outcomes(
        *arguments.answers, groups=None, display=True, **how
    )
    taken = take_labels(outcomes, arguments.labels, gold=arguments.gold)
    formats.write_outcomes(taken, arguments.output)
    say(f"wrote {arguments.output}")
    return label_counts(taken, gold=arguments.gold)
