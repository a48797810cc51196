"""Options of commands whose answers a model may judge (``--by 'model(...)'``)."""

from demur.cli.options import chats, choices, typed
from demur.cli.options.parsing import Parser


def add_judge_model(command: Parser) -> None:
    """The options of ``demur judge`` for a model that judges."""
    group = command.add_argument_group("a model that judges (--by 'model(...)')")
    chats.add_concurrency(group)
    chats.add_give_up(group, choices.GIVE_UP, "requests to the judge")
    chats.add_header(group, "the judge")
    chats.add_rate(group, "the judge")
    group.option(
        "--confidence METHOD: how sure the judge is of a verdict, as in demur run "
        "(default: verbalised)",
        type=typed.chat_confidence,
    )
    chats.add_samples(group)
    chats.add_system_role(group)
    chats.add_parameters(command)
