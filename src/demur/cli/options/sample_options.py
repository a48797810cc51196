"""The options of ``demur sample``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur sample``."""
    command.description = (
        "Draw which answers to label, with known chances, more where a label tells "
        "more; write a sheet for annotators; and, with --labels, take the filled sheet "
        "back."
    )
    command.common = ("--budget", "--for", "--output", "--sheet", "--labels")
    command.examples = (
        "demur sample outcomes.jsonl --for compare --budget 50 -o a.jsonl --sheet "
        "s.csv",
    )
    command.option(
        f"ANSWERS: files of outcomes or responses ({choices.READABLE}, compressed "
        "too); with --labels, what demur sample -o has written",
        nargs="+",
    )
    command.option("--budget N: labels at most", type=typed.count)
    command.option(
        "--for: what the labels are for: to test a locked cutoff, to compare two "
        "systems, to find a cutoff, to correct a judge's verdicts",
        dest="purpose",
        choices=list(choices.LABEL_PURPOSES),
    )
    _purpose_options(command)
    shared.add_seed(command, "of the draw")
    command.option(
        "-o --output FILE: where all outcomes go, drawn ones with their weights; with "
        "--labels, with their verdicts",
        type=typed.target,
        required=True,
    )
    command.option(
        "--sheet FILE: where the sheet for annotators goes (.csv, .tsv, .jsonl): a row "
        "for each label, without system, confidence and verdicts",
        type=typed.sheet,
    )
    command.option("--labels FILE: the sheet that was filled in, also as .xlsx")
    shared.add_selection(command, "answers")
    shared.add_result_options(command, "'half_width > 0.05'")


def _purpose_options(command: Parser) -> None:
    part = command.part("what labels are for")
    part.option("--lock FILE: for recheck: what demur choose --lock has written")
    part.option(
        "--at NONRETURN: for compare: the rate at which the systems are compared "
        "(default: their own decisions)",
        type=typed.lowest_rate,
    )
    part.option(
        "--pilot FILE: earlier outcomes with verdicts, from which errors are expected"
    )
    part.option(
        "--max-error E: for cutoff, with --pilot: the cutoff will be chosen for this "
        "error",
        type=typed.rate,
    )
    part.option(
        "--cost-ratio R: for cutoff, with --pilot: or for this cost of an answer that "
        "is not given, where a wrong one costs 1",
        type=typed.cost_ratio,
    )
    part.option(
        "--near NONRETURN: for cutoff: or near this rate (default: 0.5)",
        type=typed.rate,
    )
    part.option(
        "--unsure COLUMN: for judge: a column that is low where the judge is unsure"
    )
    part.option(
        "--gold COLUMN: for judge: the column for people's verdicts",
        usual=choices.GOLD,
    )
