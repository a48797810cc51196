"""``demur campaign``: a campaign in a folder, one command for each step."""

import argparse
from argparse import Namespace
from importlib import import_module
from types import ModuleType
from typing import Final

from demur.cli import Parser

VERBS: Final[dict[str, tuple[str, str]]] = {
    "new": ("campaign_folder", "make the folder of a campaign"),
    "team": ("campaign_folder", "take a team in, and make its token"),
    "collect": ("campaign_before", "take in the sites' questions, labels and meanings"),
    "adjudicate": ("campaign_before", "write decisions on references back"),
    "freeze": ("campaign_before", "reserve the test part, and fix all by hash"),
    "pack": ("campaign_before", "write what is sent out, without the answers"),
    "grant": ("campaign_folder", "give a team further submissions"),
    "status": ("campaign_folder", "phases, teams, quotas, what waits to be scored"),
    "verify": ("campaign_folder", "find whatever was changed, also by receipts"),
    "check": ("campaign_answers", "whether a file of answers is whole, by the pack"),
    "submit": ("campaign_answers", "hand a file of answers in, for a receipt"),
    "withdraw": ("campaign_answers", "withdraw a submission, which is not erased"),
    "score": ("campaign_scoring", "judge every submission once, by one rule"),
    "board": ("campaign_scoring", "write the board that may be shown now"),
    "close": ("campaign_scoring", "end the campaign, and show everything"),
    "export": ("campaign_export", "a bundle for another server, such as Codabench"),
}
"""The verbs: the file of each, and what it does.

The file has ``add_VERB(parser)`` for its arguments and ``run_VERB(arguments)`` for its
body, which returns the exit code. It is loaded when one of its verbs is named.
"""


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur campaign``."""
    command.description = (
        "A campaign in a folder: questions collected and sent out, answers checked, "
        "taken and scored, boards shown. Whatever happens is in its log."
    )
    verbs = command.add_subparsers(
        dest="verb", metavar="VERB", required=True, title="verbs"
    )
    for name, (_, summary) in VERBS.items():
        parser = verbs.add_parser(name, help=summary)
        parser.description = summary[0].upper() + summary[1:] + "."
        if command.words is None or name in command.words:
            getattr(_file_of(name), f"add_{name}")(parser)
        parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)


def run(arguments: Namespace) -> int:
    """Run one of the verbs."""
    verb = arguments.verb
    code: int = getattr(_file_of(verb), f"run_{verb}")(arguments)
    return code


def _file_of(verb: str) -> ModuleType:
    return import_module(f"demur.cli.{VERBS[verb][0]}")
