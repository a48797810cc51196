"""How sure the phrases of refusals are: precision and recall on held-out texts.

Prints one row for each language and set, of counts alone: whoever mends the phrases
must not see which text failed.
"""

import csv
from collections.abc import Callable
from pathlib import Path

from demur.outcomes.refusals import looks_like_refusal, refusal_language

TEXTS = Path(__file__).parents[1] / "tests/golden/refusals"
SETS = ("held_out", "third_set", "fourth_set", "measured_then_mended", "put_aside")


def counts(path: Path, sees: Callable[[str], bool]) -> tuple[int, int, int]:
    """Refusals seen, answers taken for refusals, and how many refusals there are."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(row["text"], row["refusal"] == "1") for row in csv.DictReader(file)]
    seen = [refuses for text, refuses in rows if sees(text)]
    return sum(seen), len(seen) - sum(seen), sum(refuses for _, refuses in rows)


def main() -> None:
    """Print a table for each set of texts."""
    for folder in SETS:
        head = "| language | precision | recall | changing verdicts | recall |"
        print(f"\n{folder}\n\n{head}\n|---|---|---|---|---|")
        for path in sorted((TEXTS / folder).glob("*.csv")):
            cells = [path.stem]
            for sees in (_noted, looks_like_refusal):
                right, wrong, there = counts(path, sees)
                precision = right / (right + wrong) if right + wrong else float("nan")
                cells += [f"{precision:.3f}", f"{right / there:.3f}"]
            print(f"| {' | '.join(cells)} |")


def _noted(text: str) -> bool:
    return refusal_language(text) is not None


if __name__ == "__main__":
    main()
