"""The options of ``demur recheck``."""

from demur.cli.options import shared
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur recheck``."""
    command.description = (
        "A test of the locked target on new labelled outcomes, how many "
        "labels are still needed, and how far the confidences have moved. Answers may "
        "be labelled in part: the others have the outcome unlabelled, and a column "
        "label_weight says how many each label stands for."
    )
    command.common = ("--anytime", "--max-cluster", "--where", "--json", "--fail-if")
    command.examples = ("demur recheck lock.json outcomes.jsonl --where system=words",)
    command.option(
        "LOCK: what demur choose --lock has written, or kept:RUN, a run kept with it"
    )
    command.option("OUTCOMES: files of new outcomes", nargs="+")
    command.option(
        "--anytime: bounds that hold however often you look while labels come in; rows "
        "in the order in which they came"
    )
    shared.add_max_cluster(command)
    shared.add_selection(command, "outcomes")
    shared.add_repeated(command)
    shared.add_engine(command)
    shared.add_result_options(
        command,
        "broken (the test finds a locked target broken, or nothing tests it; an "
        "inconclusive test passes, and is said), 'NAME: broken' or 'error > 0.1'",
    )
