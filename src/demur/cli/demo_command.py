"""``demur demo``: the whole flow on bundled data."""

from argparse import Namespace
from importlib.resources import as_file, files
from pathlib import Path

from demur.cli import show
from demur.cli.options import typed
from demur.files import new_file


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
    counted = "curve outcomes.jsonl --at 0.1,0.2,0.3 --region 0.15:0.25"
    drawn = " --plot curves.png --plot-split inputs.png" if typed.draws() else ""
    paged = "report outcomes.jsonl --by topic -o report.html"
    steps = [
        *map(str.split, (judged, counted + drawn, paged)),
    ]
    show(
        "A museum guide was asked 385 questions, 47 of which nobody could answer.\n"
        "Two systems answered them. How many errors does each make, and how many\n"
        "fewer if it may decline?"
    )
    for step in steps:
        located = [
            str(folder / word) if word.endswith((".jsonl", ".png", ".html")) else word
            for word in step
        ]
        show(f"\n$ demur {' '.join(located)}\n")
        code = main(located)
        if code:
            return code
    if not drawn:
        hint = 'pip install "demur[plot]" draws them'
        show(f"\nThe pictures are left out, since matplotlib is missing: {hint}.")
    page = (folder / "report.html").absolute().as_uri()
    show(f"\nOpen {page}")
    show("in a browser, and drag the cutoff: what becomes of 1,000 questions?")
    return 0
