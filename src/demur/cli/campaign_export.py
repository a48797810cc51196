"""``demur campaign export``: a campaign for another server."""

from argparse import Namespace

from demur.campaigns.codabench import export_codabench
from demur.cli import FINE, say, show
from demur.cli.campaign_scoring import say_budget
from demur.cli.campaigns_opened import campaign_of, say_notes


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
