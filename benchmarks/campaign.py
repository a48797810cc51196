"""A campaign of 100 teams: scoring, boards, ranks; and what boards give away.

    python benchmarks/campaign.py [teams submissions items]
    python benchmarks/campaign.py leaks

The first makes a campaign in a temporary folder and runs the commands; the second is
the table of docs/campaign_boards.md.
"""

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from campaign_attacks import Attacker
from campaign_cases import hand_in, played, take_in
from demur.campaigns.board_figures import BoardMeasure, RankedSystems
from demur.campaigns.folder import Campaign
from demur.campaigns.leaks import LeakBudget, gain_of
from demur.campaigns.rank_ranges import rank_ranges
from demur.campaigns.scoring_queue import verdicts_name
from demur.formats import read_outcomes

SEEDS = 20


def made(folder: Path, teams: int, submissions: int, items: int) -> None:
    """A campaign whose submissions wait to be scored."""
    rng = random.Random(1)
    references = [
        {"item": f"q{at:05}", "reference": f"answer {at % 37}", "contributor": at % 4}
        for at in range(items)
    ]
    campaign = played(folder, references)
    for team in range(teams):
        take_in(campaign, f"team {team}")
    for team in range(teams):
        for number in range(submissions):
            skill = 0.3 + 0.5 * team / teams + 0.02 * number
            right = [rng.random() < skill for _ in references]
            rows = zip(references, right, strict=True)
            answers = [
                {
                    "item": one["item"],
                    "response": one["reference"] if is_right else "another",
                    "confidence": round(rng.random() + 0.5 * is_right, 6),
                }
                for one, is_right in rows
            ]
            hand_in(campaign, f"team {team}", answers)


def timed(words: list[str], folder: Path, now: str) -> str:
    """Seconds of a command, and of all processors that it used."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [sys.executable, "-m", "demur", "campaign", *words, str(folder)]
    subprocess.run(
        [*command, "--now", now],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    seconds = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"{seconds:6.1f} s, {used:6.1f} s of processors"


def commands(teams: int, submissions: int, items: int) -> Iterator[str]:
    """What each command takes."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "campaign")
        made(folder, teams, submissions, items)
        during, after = "2027-03-06T00:00:00Z", "2027-04-06T00:00:00Z"
        yield f"{teams} teams, {submissions} submissions each, {items:,} items"
        for verb, now in (("score", during), ("board", during), ("close", after)):
            yield f"{verb:6} {timed([verb], folder, now)}"
            page = folder / "boards/1/index.html"
            if page.exists():
                yield f"       page {page.stat().st_size / 1e6:.2f} MB"
        yield ranks(folder)


def ranks(folder: Path) -> str:
    """How long the tests of all pairs take."""
    tables = {}
    for number in Campaign(folder).submissions:
        outcomes = read_outcomes(folder / verdicts_name(1, number))
        tables[str(number)] = outcomes
    begun = time.process_time()
    rank_ranges(RankedSystems(BoardMeasure("error"), tables).tests())
    used = time.process_time() - begun
    return f"ranks  of {len(tables)} systems, all pairs: {used:.1f} s of a processor"


def leaks() -> Iterator[str]:
    """What an attacker gains by so many numbers of two digits."""
    yield "items  numbers  gain at most  least squares  whole numbers"
    for items in (100, 200, 1000):
        allowed = LeakBudget(items, 1, 1, 2, 1, 0.05).allowed
        for numbers in (allowed, 4 * allowed, 16 * allowed, items):
            squares, whole = [], []
            for seed in range(SEEDS if numbers < items else 5):
                wrong = np.random.default_rng([seed, items]).random(items) < 0.5
                attacker = Attacker(wrong, [0.2], 2, seed)
                for _ in range(numbers):
                    attacker.submit()
                squares.append(attacker.gain(attacker.by_least_squares()))
                whole.append(attacker.gain(attacker.by_whole_numbers()))
            bound = 100 * gain_of(items, numbers, 2)
            means = 100 * np.mean(squares), 100 * np.mean(whole)
            told = f"{bound:12.1f}  {means[0]:13.1f}  {means[1]:13.1f}"
            yield f"{items:5}  {numbers:7}  {told}"


if __name__ == "__main__":
    sizes = [int(word) for word in sys.argv[1:] if word != "leaks"] or [100, 2, 5000]
    for line in leaks() if "leaks" in sys.argv else commands(*sizes):
        print(line, flush=True)
