"""The options of ``demur check-judge``."""

from demur.cli.options import choices, judge_models, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur check-judge``."""
    command.description = (
        "Ask a judge again with one thing changed, and see what else changes: each an "
        "effect with its interval, claimed if it is beyond luck."
    )
    command.common = ("--by", "--checks", "--items", "--dry-run", "--cache")
    command.examples = (
        "demur check-judge responses.jsonl references.jsonl --dry-run "
        "\\\n    --by 'model(llama@http://localhost:8000/v1)'",
    )
    command.option("RESPONSES: files of responses to judge", nargs="+")
    command.option("REFERENCES: file of references, with the questions as input")
    command.option(
        "--by JUDGE: 'model(MODEL@URL)' or 'model(MODEL@URL, rubric=RUBRIC)', as in "
        "demur judge",
        type=typed.comparator,
        required=True,
    )
    command.option(
        f"--checks NAMES: with commas, of {choices.listed(choices.JUDGE_CHECKS)} "
        "(default: all; own with --own)",
        type=typed.names,
    )
    command.option(
        "--items N: all answers to so many items, drawn at random (default: all)",
        type=typed.count,
    )
    shared.add_seed(command, "of the draw of items, and of the tests")
    _of_checks(command)
    judge_models.add_judge_model(command)
    command.option(
        "--timeout SECONDS: for each request (default: 120)", type=typed.seconds
    )
    command.option("--cache FILE: keeps the replies, so that none is paid for twice")
    shared.add_level(command, "intervals and claims")
    shared.add_selection(command, "responses")
    command.part("what is read").option(
        "--reference-columns NAME=PATH: as --columns, of REFERENCES",
        type=typed.column_names,
    )
    shared.add_result_options(command, "'claimed > 0', 'order right > 0.05'")


def _of_checks(command: Parser) -> None:
    command.option(
        "--own SYSTEM: a system that is the judge's own model; may be repeated",
        several=True,
        dest="own_systems",
    )
    command.option("--gold COLUMN: the column of responses with people's verdicts")
    command.option(
        "--padding TEXT: what answers are padded by for length, which must add nothing "
        "(default: an English sentence)"
    )
    command.option(
        "--verdicts FILE: where the verdicts in each way go (.jsonl), for demur agree",
        type=typed.record_file,
    )
    command.option("--dry-run: only say how many verdicts would be asked for")
