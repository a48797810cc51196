"""The options of ``demur gate``."""

from demur.cli.options import shared, stores
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur gate``."""
    command.description = (
        "Hold runs against the gates of a file: conditions on figures, and paired "
        "tests against a kept run. Ends with 1 only if a gate is broken."
    )
    command.common = ("--store", "--keep", "--tag", "--summary", "--junit")
    command.examples = ("demur gate demur.toml --summary summary.md",)
    command.option(
        "GATES: the file with the gates (default: demur.toml)",
        nargs="?",
        default="demur.toml",
    )
    stores.add_store(command)
    command.option(
        "--junit XML: also write a report that machines that build read, a test case "
        "for each condition"
    )
    command.option(
        "--summary MD: also add a table in Markdown to this file, such as "
        '"$GITHUB_STEP_SUMMARY"; - prints it instead of the text'
    )
    command.option(
        "--keep: keep the runs in the store if no gate is broken, so that the next are "
        "held against them"
    )
    command.option(
        "--tag NAME: with --keep: a tag that they bear, such as main; may be repeated",
        several=True,
    )
    stores.add_now(command)
    shared.add_json(command)
