"""The options of ``demur run``."""

from demur.cli.options import chats, choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur run``."""
    command.description = (
        "Ask a system all inputs and write its responses. An interrupted run goes on "
        "where it was."
    )
    command.common = ("--output", "--name", "--concurrency", "--cache", "--retry")
    command.examples = ("demur run bot:answer references.jsonl -o answers.jsonl",)
    command.option(
        "SYSTEM: module:object (a function, an estimator, or what has respond), "
        "'cmd:PROGRAM ...', http://... or https://..., chat:MODEL@URL (chat "
        "completions; where URL ends in /responses or /messages, these), or a file of "
        "responses"
    )
    command.option(
        "INPUTS: files with item and input, such as references; nothing else of them "
        "reaches the system",
        nargs="+",
    )
    command.option(
        "-o --output RESPONSES: where the responses go (.jsonl)",
        required=True,
        type=typed.record_file,
    )
    command.option("--name NAME: of the system")
    command.option(
        "--context: hand over the turns before in the dialogue, with the system's own "
        "answers, by the rule of when context is reset: "
        f"{choices.listed(choices.CONTEXT_RULES)}; what cannot be asked under the "
        "rule, such as an excluded turn, is not asked",
        choices=list(choices.CONTEXT_RULES),
    )
    _add_requests(command)
    _add_chat(command)
    again = command.add_mutually_exclusive_group()
    again.option(
        "--retry: keep the responses that are there, and ask again for what has failed",
        choices=["failed"],
    )
    again.option("--replace: ask all again, and replace the responses that are there")
    shared.add_selection(command, "inputs")
    shared.add_json(command)


def _add_requests(command: Parser) -> None:
    part = command.part("requests")
    chats.add_concurrency(part)
    part.option("--batch N: how many inputs a request has", type=typed.count, usual=1)
    chats.add_give_up(part, choices.GIVE_UP, "inputs")
    part.option(
        "--timeout SECONDS: for each request to an address (default: 60, of a chat "
        "120), or each line of a program (default: 60)",
        type=typed.seconds,
    )
    part.option(
        "--cache FILE: keeps the answers of an address or a chat, for this run and "
        "later ones"
    )
    chats.add_header(part, "an address or a chat")
    chats.add_rate(part, "an address or a chat")
    part.option(
        "--shape: what an address is sent and sends back (default: demur)",
        choices=list(choices.ADDRESS_SHAPES),
    )


def _add_chat(command: Parser) -> None:
    chat = command.add_argument_group("a chat endpoint")
    chat.option(
        "--confidence: how sure the model is (default: verbalised): "
        f"{choices.listed(choices.CHAT_CONFIDENCES)}",
        choices=list(choices.CHAT_CONFIDENCES),
    )
    chats.add_samples(chat)
    chat.option("--think: the model is asked to reason before the line of its answer")
    chat.option("--always-guess: do not offer to say that it does not know")
    chat.option(
        "--instructions FILE: what the model is told, before the form of its reply"
    )
    chat.option(
        "--template FILE: a text with {question}, {choices}, {context} or other "
        "fields, which inputs that are objects fill"
    )
    chats.add_system_role(chat)
    chat.option(
        "--examples FILE: records with input and response, shown as turns before each "
        "question"
    )
    chats.add_parameters(command)
