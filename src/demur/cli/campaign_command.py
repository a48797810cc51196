"""``demur campaign``: a campaign in a folder, one command for each step."""

from argparse import Namespace
from importlib import import_module
from types import ModuleType

from demur.cli.options.campaign_options import VERBS


def run(arguments: Namespace) -> int:
    """Run one of the verbs."""
    verb = arguments.verb
    code: int = getattr(_file_of(verb), f"run_{verb}")(arguments)
    return code


def _file_of(verb: str) -> ModuleType:
    return import_module(f"demur.cli.{VERBS[verb][0]}")
