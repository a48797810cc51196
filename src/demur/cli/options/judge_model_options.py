"""Options of commands whose answers a model may judge (``--by 'model(...)'``)."""

from demur.cli.options import chat_options, choices, typed
from demur.cli.parsing import Parser


def add_judge_model(command: Parser) -> None:
    """The options of ``demur judge`` for a model that judges."""
    group = command.add_argument_group("a model that judges (--by 'model(...)')")
    chat_options.add_concurrency(group)
    chat_options.add_give_up(group, choices.GIVE_UP, "requests to the judge")
    chat_options.add_header(group, "the judge")
    chat_options.add_rate(group, "the judge")
    group.option(
        "--confidence METHOD: how sure the judge is of a verdict, as in demur run "
        "(default: verbalised)",
        type=typed.chat_confidence,
    )
    chat_options.add_samples(group)
    chat_options.add_system_role(group)
    chat_options.add_parameters(command)
