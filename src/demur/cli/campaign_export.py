"""``demur campaign export``: a campaign for another server."""

from argparse import Namespace

from demur.campaigns.codabench import export_codabench
from demur.cli import FINE, Parser, say, show
from demur.cli.campaign_options import add_folder, campaign_of, say_notes
from demur.cli.campaign_scoring import say_budget


def add_export(parser: Parser) -> None:
    """The arguments of ``demur campaign export``."""
    add_folder(parser)
    parser.option(
        "--to SERVER: whose bundle it is", choices=["codabench"], required=True
    )
    parser.option("-o --output FILE: where the bundle goes, a .zip", required=True)
    parser.option(
        "--image IMAGE: the container that scores; demur must be installed in it",
        required=True,
    )


def run_export(arguments: Namespace) -> int:
    """Write the bundle, and say what is in it."""
    campaign = campaign_of(arguments)
    sizes = export_codabench(campaign, arguments.output, image=arguments.image)
    say_notes(campaign)
    files, size = len(sizes), sum(sizes.values())
    show(f"{arguments.output}: {files} files of {size:,} bytes before compression")
    say_budget(campaign)
    say("it holds the hidden answers: hand it to nobody but Codabench")
    return FINE
