"""``demur campaign collect, adjudicate, freeze, pack``: before anybody answers."""

import os
from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from demur.campaigns.collecting import Collected, CollectedFiles, collect
from demur.campaigns.deciding import decide
from demur.campaigns.freezing import FreezingRules, freeze
from demur.campaigns.packing import pack
from demur.cli import BAD_INPUT, FINE, as_json, say, shared, show
from demur.cli.campaigns_opened import (
    campaign_of,
    now_of,
    say_notes,
)
from demur.cli.shared import WrongUsage
from demur.cli.streams import progress
from demur.results import Result, document


def run_collect(arguments: Namespace) -> int:
    """Take questions in, and print what somebody should look at."""
    campaign = campaign_of(arguments)
    files = CollectedFiles(
        sites=_by_site(arguments.sites, "SITE=FILE"),
        meanings=_by_site(arguments.meanings, "--meanings"),
        labels=arguments.labels,
        columns=arguments.reference_columns,
    )
    collected = collect(
        campaign,
        files,
        when=now_of(arguments, campaign),
        together=arguments.all,
        db_root=_db_root(arguments),
        progress=progress("queries"),
    )
    say_notes(campaign)
    return _shown_collection(collected, arguments)


def run_adjudicate(arguments: Namespace) -> int:
    """Write decisions back, and lint again."""
    campaign = campaign_of(arguments)
    how: dict[str, Any] = {
        "when": now_of(arguments, campaign),
        "db_root": _db_root(arguments),
        "progress": progress("queries"),
    }
    if not any(campaign.events("frozen")):
        files = CollectedFiles(adjudicated=arguments.decisions)
        collected = collect(campaign, files, **how)
        say_notes(campaign)
        return _shown_collection(collected, arguments)
    changed = decide(campaign, arguments.decisions, **how)
    say_notes(campaign)
    return _shown(changed, arguments)


def run_freeze(arguments: Namespace) -> int:
    """Reserve the test part, and fix everything by hash."""
    campaign = campaign_of(arguments)
    rules = FreezingRules(**shared.named(arguments, "by", "share", "stratify", "seed"))
    frozen = freeze(campaign, rules, when=now_of(arguments, campaign))
    say_notes(campaign)
    return _shown(frozen, arguments)


def run_pack(arguments: Namespace) -> int:
    """Write what is sent out, without the answers."""
    campaign = campaign_of(arguments)
    packed = pack(
        campaign,
        arguments.output,
        when=now_of(arguments, campaign),
        further=arguments.further,
        allowed=arguments.allow,
    )
    say_notes(campaign)
    return _shown(packed, arguments)


def _db_root(arguments: Namespace) -> str | None:
    return arguments.db_root or os.environ.get("DEMUR_DB_ROOT") or None


def _by_site(typed_pairs: Iterable[str], option: str) -> dict[str, list[str]]:
    """Files by site, in the order in which sites are first named."""
    files: dict[str, list[str]] = {}
    for pair in typed_pairs:
        site, equals, path = pair.partition("=")
        if not (site and equals and path):
            need, hint = "be SITE=FILE", "Such as bbn=questions.jsonl."
            raise WrongUsage("campaign collect", option, need, pair, hint)
        files.setdefault(site, []).append(path)
    return files


def _shown_collection(collected: Collected, arguments: Namespace) -> int:
    code = _shown(collected, arguments)
    for site in collected.broken:
        say(f"{site}")
    return BAD_INPUT if collected.broken else code


def _shown(result: Result, arguments: Namespace) -> int:
    show(as_json(document(result)) if arguments.json else result.to_text())
    return FINE
