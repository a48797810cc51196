"""``demur campaign new, team, grant, status, verify``: what the organiser does."""

import secrets
from argparse import Namespace

from demur.campaigns.making import make_campaign
from demur.campaigns.standing import CampaignStanding, standing
from demur.campaigns.submitting import grant
from demur.campaigns.teams import add_team as taken_in
from demur.campaigns.verifying import verify
from demur.cli import BAD_INPUT, FINE, as_json, say, shared, show
from demur.cli.campaigns_opened import (
    campaign_of,
    now_of,
    say_notes,
)
from demur.results import document, printable, with_noun


def run_new(arguments: Namespace) -> int:
    """Make the folder."""
    how = {"name": arguments.name, "by": arguments.by}
    how["key"] = arguments.key or secrets.token_hex(32)
    make_campaign(arguments.folder, **how, when=now_of(arguments))
    show(f"{arguments.folder} is made: now edit {arguments.folder}/campaign.toml")
    return FINE


def run_team(arguments: Namespace) -> int:
    """Take a team in, and print its token."""
    campaign = campaign_of(arguments)
    token = arguments.token or secrets.token_hex(20)
    taken_in(
        campaign,
        arguments.name,
        token=token,
        when=now_of(arguments, campaign),
        contributor=arguments.contributor,
        renew=arguments.renew,
    )
    say_notes(campaign)
    show(f"team   {arguments.name}")
    show(f"token  {token}")
    say("this token is shown once; hand it to the team by a way that you trust")
    return FINE


def run_grant(arguments: Namespace) -> int:
    """Give a team further submissions."""
    campaign = campaign_of(arguments)
    how = {"slots": arguments.slots, "phase": arguments.phase, "day": arguments.day}
    grant(campaign, arguments.team, **how, now=now_of(arguments, campaign))
    say_notes(campaign)
    more = with_noun(arguments.slots, "further submission")
    show(f"{printable(arguments.team)} has {more} in phase {arguments.phase}")
    return FINE


def run_status(arguments: Namespace) -> int:
    """Print where the campaign stands."""
    shared.check_asked(arguments, CampaignStanding.KINDS, [])
    from demur.cli.campaign_scoring import say_budget

    campaign = campaign_of(arguments)
    say_budget(campaign)
    return shared.finish(standing(campaign, now_of(arguments)), arguments)


def run_verify(arguments: Namespace) -> int:
    """Compute all hashes anew; 4 if anything is not as it was logged."""
    result = verify(arguments.folder, arguments.receipt)
    show(as_json(document(result)) if arguments.json else result.to_text())
    return BAD_INPUT if result.findings else FINE
