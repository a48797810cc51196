"""Run the experiments and write what they show into ``docs/replications.md``.

The page is written by hand, except for what stands between the markers
``<!-- figure-1: begin -->`` and ``<!-- figure-1: end -->`` (and so on), which this
script computes, and for the pictures in ``docs/images``. Run::

    python examples/error_return_2011/make_page.py --data FOLDER           # all
    python examples/error_return_2011/make_page.py --data FOLDER figure-3  # one
    python examples/error_return_2011/make_page.py --data FOLDER --check   # compare

``--check`` writes nothing and ends with exit code 1 if the page is not what would be
written now: words must be the same, and numbers close (see `alike`). The data sets
slurp_asr, clinc150, twins_npceditor and cmudict are not part of demur; FOLDER, by
default the one in DEMUR_DATA, holds them. Needs ``demur[learn,plot]``.
"""

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from experiments import EXPERIMENTS
from findings import RANGE, RATES, block, curves_of
from matplotlib.figure import Figure
from shared import Experiment

from demur.plots.drawing import plot_curves
from demur.plots.pens import save_picture

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "replications.md"
REGION = (0.15, 0.25)
_NUMBER = re.compile(r"[+-]?\d+(?:,\d{3})*(?:\.\d+)?")


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check the page; the exit code is 1 if the check finds a difference."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = os.environ.get("DEMUR_DATA", ".")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(EXPERIMENTS))
    parser.add_argument("--data", type=Path, default=Path(default))
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(argv)
    unknown = set(options.names) - set(EXPERIMENTS)
    if unknown:
        parser.error(
            f"unknown: {', '.join(unknown)}; choose of {', '.join(EXPERIMENTS)}"
        )
    if not (options.data / "clinc150").is_dir():
        print(f"no data in {options.data}: give --data FOLDER", file=sys.stderr)
        return 2
    faults = []
    for name in options.names or EXPERIMENTS:
        start = time.perf_counter()
        experiment = EXPERIMENTS[name](options.data)
        if options.check:
            faults += [f"{name}: {fault}" for fault in check(experiment)]
        else:
            write(experiment)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    print("\n".join(faults) or "done")
    return 1 if faults else 0


def write(experiment: Experiment) -> None:
    """Put the block of an experiment into the page, and draw its picture."""
    text = block(experiment)
    page = PAGE.read_text("utf-8")
    PAGE.write_text(replaced(page, experiment.name, text), "utf-8")
    draw(experiment, picture(experiment.name))


def check(experiment: Experiment) -> list[str]:
    """How the page differs from a new computation, a line for each difference."""
    stored = stored_block(PAGE.read_text("utf-8"), experiment.name)
    return differing(stored, block(experiment)) + check_picture(experiment)


def check_picture(experiment: Experiment) -> list[str]:
    """Whether the stored picture is the one that would be drawn now.

    Other versions of matplotlib draw other bytes; their pictures are not compared.
    """
    stored = picture(experiment.name)
    if not stored.is_file():
        return [f"{stored.name} is missing"]
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder) / stored.name
        draw(experiment, new)
        old_bytes, new_bytes = stored.read_bytes(), new.read_bytes()
    maker = re.search(rb"Matplotlib version[\d.]+", new_bytes)
    if old_bytes == new_bytes or maker is None or maker[0] not in old_bytes:
        return []
    return [f"{stored.name} would be drawn differently"]


def draw(experiment: Experiment, path: Path) -> None:
    """Draw the curves of an experiment, their left half, the baseline in black."""
    ax = Figure(figsize=(5.6, 4.2)).add_subplot()
    curves = curves_of(experiment)
    chosen = [curves[name] for name in experiment.drawn or curves]
    plot_curves(chosen, ax=ax, missed=False, at=RATES[1:], region=REGION)
    ax.set_xlim(0, RANGE)
    if experiment.drawn:  # room for the legend above curves that lie high
        ax.set_ylim(0, 1.5 * max(curve.vertices.error.max() for curve in chosen))
    save_picture(ax, path)


def picture(name: str) -> Path:
    """Where the picture of an experiment is."""
    return DOCS / "images" / f"replication-{name}.png"


def stored_block(page: str, name: str) -> str:
    """What stands between the markers of an experiment."""
    return _markers(name).search(page)[2].strip()


def replaced(page: str, name: str, text: str) -> str:
    """The page with another text between the markers of an experiment."""
    return _markers(name).sub(lambda old: f"{old[1]}\n\n{text}\n\n{old[3]}", page)


def differing(stored: str, computed: str) -> list[str]:
    """Lines whose words differ, or whose numbers are not close."""
    old, new = stored.splitlines(), computed.splitlines()
    if len(old) != len(new):
        return [f"{len(old)} lines stored, {len(new)} computed"]
    pairs = zip(old, new, strict=True)
    return [f"stored {a!r}, computed {b!r}" for a, b in pairs if not alike(a, b)]


def alike(stored: str, computed: str) -> bool:
    """Whether two lines have the same words, and numbers that are close."""
    if _NUMBER.sub("0", stored) != _NUMBER.sub("0", computed):
        return False
    pairs = zip(_NUMBER.findall(stored), _NUMBER.findall(computed), strict=True)
    return all(_close(a, b) for a, b in pairs)


def _close(stored: str, computed: str) -> bool:
    """Counts may differ by 2 or a tenth, percentages by 0.2, rates and p by 0.002."""
    old, new = (float(each.replace(",", "")) for each in (stored, computed))
    decimals = len(stored.partition(".")[2])
    allowed = {0: max(2.0, 0.1 * abs(old)), 1: 0.2}.get(decimals, 0.002)
    return abs(old - new) <= allowed + 1e-9


def _markers(name: str) -> re.Pattern[str]:
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    return re.compile(f"({re.escape(begin)})(.*)({re.escape(end)})", re.DOTALL)


if __name__ == "__main__":
    sys.exit(main())
