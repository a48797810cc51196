"""What the verbs of ``demur campaign`` share: the folder, the clock, teams, tokens."""

import os
from argparse import Namespace
from datetime import UTC, datetime
from typing import Final

from demur.campaigns.folder import Campaign
from demur.cli import Options, Parser, say, typed
from demur.cli.shared import WrongUsage

TOKEN: Final = "DEMUR_TOKEN"
"""The variable of the environment that may hold a team's token."""


def add_folder(parser: Parser) -> None:
    """``FOLDER``."""
    parser.option("FOLDER: of the campaign")


def add_now(parser: Options) -> None:
    """``--now``, in place of the clock."""
    parser.option(
        "--now MOMENT: take this for now, in UTC, such as 2027-03-01T12:00:00Z "
        "(default: the clock)",
        type=typed.moment,
    )


def add_credentials(parser: Options) -> None:
    """``--team`` and ``--token``."""
    parser.option("--team NAME: which team you are", required=True)
    parser.option(
        f"--token TOKEN: what it was given (default: {TOKEN} of the environment, which "
        "others on the machine do not see)"
    )


def now_of(arguments: Namespace) -> datetime:
    """The moment that is taken for now: as told, else the clock's second."""
    return arguments.now or datetime.now(UTC).replace(microsecond=0)


def token_of(arguments: Namespace) -> str:
    """The token, from the option or the environment.

    Raises
    ------
    WrongUsage
        If there is none.
    """
    token = arguments.token or os.environ.get(TOKEN, "")
    if not token:
        need, hint = "be given", f"Or set {TOKEN} in the environment."
        raise WrongUsage("campaign", "--token", need, "nothing", hint)
    return token


def campaign_of(arguments: Namespace) -> Campaign:
    """The campaign in the folder."""
    return Campaign(arguments.folder)


def say_notes(campaign: Campaign) -> None:
    """What had to be mended in the log."""
    for note in campaign.log.notes:
        say(f"note: {note}")
    campaign.log.notes.clear()
