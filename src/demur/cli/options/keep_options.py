"""The options of ``demur keep``."""

from demur.cli.options import choices, databases, shared, stores, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur keep``."""
    command.description = (
        "Keep a run in the store: outcomes, how they came about, counts, lock, tags "
        "and notes; or judge a run anew that is kept there with its responses."
    )
    command.common = ("--tag", "--note", "--responses", "--references", "--by")
    command.examples = ('demur keep outcomes.jsonl --tag main --note "as released"',)
    command.option(
        f"OUTCOMES: files of outcomes ({choices.READABLE}, compressed too; - is "
        "standard input), of one run; without them --responses and --references are "
        "judged",
        nargs="*",
    )
    stores.add_store(command)
    command.option(
        "--tag TAG: a word by which the run is found, such as main; the newest run "
        "that bears it is meant by it; may be repeated",
        several=True,
        type=typed.tag,
    )
    command.option("--note TEXT: anything that a reader should know")
    command.option("--lock FILE: keep this lock of demur choose --lock with the run")
    command.option(
        "--judged SIGNATURE: how OUTCOMES came about: the signature that demur judge "
        "printed when it wrote them, which a file of outcomes does not hold"
    )
    _records_options(command)
    others = command.add_mutually_exclusive_group()
    others.option(
        "--again RUN: judge the kept responses of this run anew, keep that as a new "
        "run, and show what has changed"
    )
    others.option("--on RUN: put --tag on this run, which is kept already")
    others.option("--untag RUN: take --tag off this run")
    others.option(
        "--forget RUN: remove all that this run holds, for ever; its number stays"
    )
    stores.add_now(command)
    shared.add_selection(command, "outcomes, or of the responses")
    shared.add_result_options(command, "'changed > 0', 'same_data < 1'")


def _records_options(command: Parser) -> None:
    group = command.add_argument_group("what was judged, so that it can be judged anew")
    group.option("--responses FILE: keep these too; may be repeated", several=True)
    group.option(
        "--references FILE: keep these too; with --again: judge against these instead "
        "of those that are kept"
    )
    group.option(
        "--by COMPARATOR: judge --responses by this (see demur judge); with --again: "
        "in place of what judged the run",
        type=typed.comparator,
    )
    group.option(
        "--extract STEPS: take answers out of responses before comparing, as demur "
        "judge does",
        type=typed.extraction,
    )
    for name, policies in choices.JOIN_POLICIES.items():
        group.option(
            f"--{name}: as for demur judge (default: error; with --again: as the run "
            "was judged)",
            choices=policies,
        )
    group.option(
        "--no-answer PATTERN: responses that count as unanswered, as for demur judge; "
        "may be repeated",
        several=True,
        type=typed.no_answer,
    )
    databases.add_databases(group, "--references")
