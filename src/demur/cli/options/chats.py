"""Options of commands that ask a chat: how it is asked, and at which price."""

from demur.cli.options import typed
from demur.cli.options.parsing import Options, Parser


def add_concurrency(command: Options) -> None:
    """``--concurrency``."""
    command.option(
        "--concurrency N: how many requests are open at a time",
        type=typed.count,
        usual=1,
    )


def add_give_up(command: Options, usual: int, what: str) -> None:
    """``--give-up``, and what is asked."""
    command.option(
        f"--give-up N: end the run if so many {what} fail one after another; 0 never "
        "ends it",
        type=typed.whole_number,
        usual=usual,
    )


def add_header(command: Options, where: str) -> None:
    """``--header``, and where it is sent."""
    command.option(
        f"--header HEADER: NAME: VALUE, sent with each request to {where}; "
        "a value env:NAME is read from the environment; may be repeated",
        several=True,
        type=typed.header,
    )


def add_rate(command: Options, what: str) -> None:
    """``--rate``, and what is sent the requests."""
    command.option(
        f"--rate N: how many requests {what} is sent a minute, at most",
        type=typed.positive,
    )


def add_samples(chat: Options) -> None:
    """``--samples`` and ``--agree-by``."""
    chat.option(
        "--samples N: for agreement and semantic-entropy (default: 5)", type=typed.count
    )
    chat.option(
        "--agree-by COMPARATOR: says whether two samples agree, as in judge --by "
        "(default: text, capitals and punctuation aside)"
    )


def add_system_role(chat: Options) -> None:
    """``--system-role``."""
    chat.option("--system-role FILE: what the model is told in the role of the system")


def add_parameters(command: Parser) -> None:
    """``--parameters``, what requests cost, and ``--key-env``."""
    chat = command.part("requests to a model, and their price")
    chat.option("--parameters JSON: of each request, such as '{\"temperature\": 0}'")
    chat.option("--prices IN OUT: of a million tokens, for the column cost", type=float)
    chat.option(
        "--cached-price PRICE: of a million tokens of input that the service had kept "
        "(default: IN of --prices)",
        type=float,
    )
    chat.option(
        "--budget AMOUNT: end the run before it costs more, by --prices and the "
        "dearest answer so far",
        type=typed.positive,
    )
    chat.option(
        "--token-rate N: how many tokens a minute, at most, as far as that can be "
        "known",
        type=typed.positive,
    )
    chat.option(
        "--key-env NAME: the environment variable that holds the key (default: "
        "OPENAI_API_KEY for api.openai.com, ANTHROPIC_API_KEY for api.anthropic.com, "
        "none for others)"
    )
