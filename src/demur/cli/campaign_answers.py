"""``demur campaign check, submit, withdraw``: what teams do."""

from argparse import Namespace

from demur.campaigns.checking import AnswersCheck, check_answers
from demur.campaigns.packs import read_pack
from demur.campaigns.submitting import AnswersRefused, submit, withdraw
from demur.cli import BAD_INPUT, FINE, as_json, say, show
from demur.cli.campaigns_opened import (
    campaign_of,
    now_of,
    say_notes,
    token_of,
)
from demur.files import new_file
from demur.results import Result, document, printable


def run_check(arguments: Namespace) -> int:
    """Look whether the file can be handed in; 4 if it cannot."""
    check = check_answers(arguments.answers, read_pack(arguments.pack))
    return _shown(check, arguments)


def run_submit(arguments: Namespace) -> int:
    """Hand the file in, and print the receipt; 4 if it is refused."""
    campaign = campaign_of(arguments)
    how = {"team": arguments.team, "token": token_of(arguments)}
    try:
        receipt = submit(
            campaign,
            arguments.answers,
            **how,
            now=now_of(arguments, campaign),
            system=arguments.system,
        )
    except AnswersRefused as refusal:
        say_notes(campaign)
        code = _shown(refusal.check, arguments)
        say(f"{printable(arguments.answers)} is refused, and has used no submission")
        return code
    say_notes(campaign)
    if arguments.receipt:
        with new_file(arguments.receipt) as file:
            file.write(receipt.to_json())
        say(f"wrote {arguments.receipt}")
    show(as_json(receipt.to_dict()) if arguments.json else receipt.to_text())
    return FINE


def run_withdraw(arguments: Namespace) -> int:
    """Withdraw a submission."""
    campaign = campaign_of(arguments)
    how = {"team": arguments.team, "token": token_of(arguments)}
    withdraw(campaign, arguments.number, **how, now=now_of(arguments, campaign))
    say_notes(campaign)
    show(f"Submission {arguments.number} is withdrawn; it stays in the log.")
    return FINE


def _shown(check: AnswersCheck, arguments: Namespace) -> int:
    _show(check, arguments)
    return FINE if check.is_whole else BAD_INPUT


def _show(result: Result, arguments: Namespace) -> None:
    show(as_json(document(result)) if arguments.json else result.to_text())
