"""Teams: who takes part, known by a token of which only a salted hash is kept."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from demur.campaigns.folder import Campaign, Team
from demur.campaigns.moments import moment_text
from demur.checks import choice
from demur.errors import InputError, shown
from demur.spellings import look_alike

SILENT: Final = "(never answers)"
BLIND: Final = "(one answer to all)"
"""What the systems are called that stand on every board and compete for nothing."""

LONGEST: Final = 80
SALT_BYTES: Final = 16
LEAST_TOKEN: Final = 8
_COST: Final = {"n": 1 << 14, "r": 8, "p": 1, "maxmem": 1 << 26}


def add_team(
    campaign: Campaign,
    name: str,
    *,
    token: str,
    when: datetime,
    contributor: str | None = None,
    renew: bool = False,
) -> Team:
    """Take a team in, or give it another token.

    Parameters
    ----------
    campaign : Campaign
    name : str
        On one line, without what leads to other folders; no two are spelt alike.
    token : str
        What it will be known by; only a salted hash of it is kept.
    when : datetime
        In UTC.
    contributor : str, optional
        The site whose questions are the team's own, if it has contributed some.
    renew : bool
        Whether the team is there already, and has lost its token.

    Raises
    ------
    InputError
        If the name is none or taken, the token is short, the campaign is closed, or the
        questions are out and none is of the contributor.
    """
    check_team_name(name)
    if len(token) < LEAST_TOKEN or not token.isprintable() or token.strip() != token:
        need = f"have at least {LEAST_TOKEN} characters, without blanks around them"
        raise InputError("team", "the token", need, f"{len(token)} characters")
    with campaign.writing(when):
        _check_not_closed(campaign)
        _check_contributor(campaign, contributor)
        teams = campaign.teams
        if renew:
            former = _known(teams, name)
            contributor = former.contributor if contributor is None else contributor
        else:
            check_unlike("team", name, teams)
        salt = _salt(campaign.log.head, name)
        campaign.log.append(
            "team",
            when=when,
            name=name,
            contributor=contributor,
            salt=salt.hex(),
            token_hash=_hash(token, salt),
        )
    return campaign.teams[name]


def _check_not_closed(campaign: Campaign) -> None:
    """Refuse a token with which nothing can be handed in."""
    if campaign.closed is not None:
        got = f"closed since {moment_text(campaign.closed.when)}"
        hint = "Nothing can be handed in any more."
        raise InputError("team", "the campaign", "be open", got, hint)


def _check_contributor(campaign: Campaign, contributor: str | None) -> None:
    """Refuse a site that has contributed nothing, once no other can come."""
    collections = [*campaign.events("collected")]
    if contributor and collections and any(campaign.events("frozen")):
        sites = collections[-1].facts["sites"]
        choice("team", "the contributor", contributor, sites)


def check_team_name(name: str) -> None:
    r"""Refuse a name that is none, or might be taken for a path.

    Examples
    --------
    >>> check_team_name("../x")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: team: the name must be printable, on one line, without /
    and \, and not begin with a dot; got '../x'.
    """
    sound = name.strip() == name and name.isprintable() and not name.startswith(".")
    if not sound or not name or {"/", "\\"} & {*name}:
        need = "be printable, on one line, without / and \\, and not begin with a dot"
        raise InputError("team", "the name", need, shown(name))
    if len(name) > LONGEST:
        need = f"have at most {LONGEST} characters"
        raise InputError("team", "the name", need, f"{len(name)}")
    if any(look_alike(name, known) for known in (SILENT, BLIND)):
        need = "not be that of a system that stands on every board"
        raise InputError("team", "the name", need, shown(name))


def check_unlike(where: str, name: str, names: Iterable[str]) -> None:
    """Refuse a name that is there already, or one that looks like it."""
    for known in names:
        if look_alike(known, name):
            hint = "A lost token: demur campaign team FOLDER NAME --renew."
            need = "be one that no team has, nor look like it"
            raise InputError(where, "the name", need, shown(known), hint)


def authenticate(campaign: Campaign, name: str, token: str) -> Team:
    """The team, if the token is its own.

    Raises
    ------
    InputError
        If it is not; the same for a team that there is not.
    """
    team = campaign.teams.get(name)
    salt = bytes.fromhex(team.salt) if team else bytes(SALT_BYTES)
    expected = team.token_hash if team else "0" * 128
    if not hmac.compare_digest(_hash(token, salt), expected) or team is None:
        need, hint = "be that of the team", "The organiser can renew it."
        raise InputError("team", "the token", need, "another", hint)
    return team


def known_team(campaign: Campaign, name: str) -> Team:
    """The team of a name, for the organiser.

    Raises
    ------
    InputError
        If there is none, with the nearest.
    """
    return _known(campaign.teams, name)


def _known(teams: Mapping[str, Team], name: str) -> Team:
    return teams[choice("team", "the name", name, teams)]


def _salt(head: str, name: str) -> bytes:
    """A salt that no other team of any campaign has: no log is ever the same again."""
    return hashlib.sha256(f"{head} {name}".encode()).digest()[:SALT_BYTES]


def _hash(token: str, salt: bytes) -> str:
    data = token.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(data, salt=salt, dklen=64, **_COST).hex()
