"""``demur demo``: the whole flow on bundled data."""

import argparse
from argparse import Namespace
from importlib.resources import as_file, files
from pathlib import Path

from demur.cli.streams import show
from demur.files import new_file


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur demo``."""
    command.description = (
        "Judge two systems that answer the questions of a museum's visitors, "
        "print the error-return table and draw the curves."
    )
    command.add_argument(
        "--output",
        default="demur-demo",
        metavar="FOLDER",
        help="where the files go (default: %(default)s)",
    )


def run(arguments: Namespace) -> int:
    """The flow a user would follow, each step shown as the command that does it."""
    from demur.cli import main

    folder = Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    with as_file(files("demur.cli.demo")) as bundled:
        for name in ("references.jsonl", "responses.jsonl"):
            with new_file(folder / name) as file:
                file.write(bundled.joinpath(name).read_bytes())
    judged = "judge responses.jsonl references.jsonl --by label -o outcomes.jsonl"
    drawn = "curve outcomes.jsonl --at 0.1,0.2,0.3 --region 0.15:0.25 --plot curves.png"
    steps = [judged.split(), [*drawn.split(), "--plot-split", "inputs.png"]]
    show(
        "A museum guide was asked 385 questions, 47 of which nobody could answer.\n"
        "Two systems answered them. How many errors does each make, and how many\n"
        "fewer if it may decline?"
    )
    for step in steps:
        located = [
            str(folder / word) if word.endswith((".jsonl", ".png")) else word
            for word in step
        ]
        show(f"\n$ demur {' '.join(located)}\n")
        code = main(located)
        if code:
            return code
    show(f"\nOpen {folder / 'curves.png'}: lower is better; the shaded region is where")
    show("about one question in five is declined.")
    return 0
