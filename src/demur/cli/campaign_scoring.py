"""``demur campaign score, board, close``: what becomes of the answers."""

from argparse import Namespace
from collections.abc import Callable
from datetime import datetime
from typing import Any

from demur.campaigns.closed_boards import ClosedBoard
from demur.campaigns.folder import Campaign
from demur.campaigns.live_boards import LiveBoard, leak_budget, n_references
from demur.campaigns.publishing import (
    board_of,
    close_campaign,
    publish_board,
    version_lines,
)
from demur.campaigns.scoring_queue import CampaignScoring, score_campaign
from demur.campaigns.standing import is_behind
from demur.cli import FINE, say, shared, show
from demur.cli.campaigns_opened import (
    campaign_of,
    now_of,
    say_notes,
)


def run_score(arguments: Namespace) -> int:
    """Judge what has no verdicts yet, and say what that may give away."""
    shared.check_asked(arguments, CampaignScoring.KINDS, [])
    campaign = campaign_of(arguments)
    scoring = score_campaign(
        campaign,
        clock=_clock(arguments, campaign),
        workers=arguments.workers,
        limit=arguments.time_limit,
        retry=arguments.retry_failed,
        tell=say,
    )
    say_notes(campaign)
    say_budget(campaign)
    return shared.finish(scoring, arguments)


def run_board(arguments: Namespace) -> int:
    """Write the board that may be shown now, and print it."""
    campaign = campaign_of(arguments)
    say_budget(campaign)
    now = now_of(arguments, campaign)
    board = board_of(campaign, now=now, version=arguments.version)
    if arguments.version is None and is_behind(campaign):
        say("this board is of older references: demur campaign score FOLDER")
    return _published(campaign, board, arguments)


def run_close(arguments: Namespace) -> int:
    """Close the campaign, and write the board with everything on it."""
    campaign = campaign_of(arguments)
    close_campaign(campaign, now=now_of(arguments, campaign))
    board = board_of(campaign, now=now_of(arguments, campaign))
    return _published(campaign, board, arguments)


def _clock(arguments: Namespace, campaign: Campaign) -> Callable[[], datetime]:
    return lambda: now_of(arguments, campaign)


def say_budget(campaign: Campaign) -> None:
    """What open boards may give away, while there are any."""
    if campaign.closed is None and any(campaign.events("frozen")):
        for line in leak_budget(campaign, n_references(campaign)).lines():
            say(line)


def _published(
    campaign: Campaign, board: LiveBoard | ClosedBoard, arguments: Namespace
) -> int:
    page = page_of(board)
    names = publish_board(campaign, board, page, clock=_clock(arguments, campaign))
    say_notes(campaign)
    if arguments.json:
        from demur.cli import as_json
        from demur.results import document

        show(as_json(document(board)))
    else:
        show(board.to_text(wide=arguments.wide))
        for line in version_lines(campaign):
            show(line)
    say(f"wrote {', '.join(names)} in {campaign.path}")
    return FINE


def page_of(board: LiveBoard | ClosedBoard) -> str:
    """A board as one page that needs no network; all names on it are text."""
    from demur.curves.of_outcomes import Curves
    from demur.pages.reporting import report

    parts: list[Any] = [board]
    if isinstance(board, ClosedBoard):
        if board.curves:
            parts.append(Curves(board.leading_curves))
        parts += [*board.groups, board.items]
    title = f"{board.campaign}: board, version {board.version}"
    if isinstance(board, LiveBoard):
        title += f", phase {board.phase} (open)"
    return report(parts, title=title).html
