"""``demur campaign new, team, grant, status, verify``: what the organiser does."""

import secrets
from argparse import Namespace

from demur.campaigns.making import make_campaign
from demur.campaigns.teams import add_team as taken_in
from demur.cli import FINE, Parser, say, show, typed
from demur.cli.campaign_options import (
    add_folder,
    add_now,
    campaign_of,
    now_of,
    say_notes,
)


def add_new(parser: Parser) -> None:
    """The arguments of ``demur campaign new``."""
    parser.option("FOLDER: to be made", type=typed.new_folder)
    parser.option("--name NAME: of the campaign", required=True)
    parser.option("--by COMPARATOR: how answers are judged", usual="cas")
    add_now(parser)


def run_new(arguments: Namespace) -> int:
    """Make the folder."""
    how = {"name": arguments.name, "by": arguments.by}
    make_campaign(arguments.folder, **how, when=now_of(arguments))
    show(f"{arguments.folder} is made: now edit {arguments.folder}/campaign.toml")
    return FINE


def add_team(parser: Parser) -> None:
    """The arguments of ``demur campaign team``."""
    add_folder(parser)
    parser.option("NAME: of the team, as boards show it")
    parser.option(
        "--contributor SITE: whose questions are the team's own, so that they are "
        "counted apart"
    )
    parser.option(
        "--token TOKEN: what it will be known by (default: one at random, which is "
        "printed once and not kept)"
    )
    parser.option("--renew: it is there already, and has lost its token")
    add_now(parser)


def run_team(arguments: Namespace) -> int:
    """Take a team in, and print its token."""
    campaign = campaign_of(arguments)
    token = arguments.token or secrets.token_urlsafe(24)
    taken_in(
        campaign,
        arguments.name,
        token=token,
        when=now_of(arguments),
        contributor=arguments.contributor,
        renew=arguments.renew,
    )
    say_notes(campaign)
    show(f"team   {arguments.name}")
    show(f"token  {token}")
    say("this token is shown once; hand it to the team by a way that you trust")
    return FINE
