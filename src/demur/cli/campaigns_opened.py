"""What the verbs of ``demur campaign`` share: the folder, the clock, teams, tokens."""

import os
from argparse import Namespace
from datetime import UTC, datetime, timedelta
from typing import Final

from demur.campaigns.folder import Campaign
from demur.campaigns.moments import moment_text
from demur.cli import say
from demur.cli.options.choices import TOKEN
from demur.cli.shared import WrongUsage

_FAR_AHEAD: Final = timedelta(days=2 * 366)


def now_of(arguments: Namespace, campaign: Campaign | None = None) -> datetime:
    """The moment that is taken for now: as told, else the clock's second.

    Nothing can be logged before what is logged already, so a year that is mistyped
    would stop all that follows: one far ahead must be told twice.

    Parameters
    ----------
    arguments : Namespace
        With ``now``, a list.
    campaign : Campaign, optional
        Whose log will have an entry of that moment.

    Raises
    ------
    WrongUsage
        If it was told once, and is far ahead, or two different ones were told.
    """
    moments = arguments.now
    if not moments:
        return datetime.now(UTC).replace(microsecond=0)
    if len({*moments}) > 1:
        need, got = "be one moment", " and ".join(map(moment_text, moments))
        raise WrongUsage("campaign", "--now", need, got)
    now: datetime = moments[0]
    entries = campaign.entries if campaign else []
    last = max((entry.when for entry in entries), default=now)
    if len(moments) == 1 and now - last > _FAR_AHEAD:
        need = f"be within two years of the last entry of the log, {moment_text(last)}"
        hint = (
            "Nothing before it can be logged afterwards; if it is meant, write it "
            "twice: --now MOMENT --now MOMENT."
        )
        raise WrongUsage("campaign", "--now", need, moment_text(now), hint)
    return now


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
