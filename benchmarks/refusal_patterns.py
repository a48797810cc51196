"""How sure the phrases of refusals are: precision and recall on held-out texts.

Prints one row for each language and set, of counts alone: whoever mends the phrases
must not see which text failed.
"""

import csv
from pathlib import Path

from demur.outcomes.refusals import refusal_language

TEXTS = Path(__file__).parents[1] / "tests/golden/refusals"
SETS = ("held_out", "third_set", "measured_then_mended", "put_aside")


def counts(path: Path) -> tuple[int, int, int]:
    """Refusals seen, answers taken for refusals, and how many refusals there are."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(row["text"], row["refusal"] == "1") for row in csv.DictReader(file)]
    seen = [refuses for text, refuses in rows if refusal_language(text) is not None]
    return sum(seen), len(seen) - sum(seen), sum(refuses for _, refuses in rows)


def main() -> None:
    """Print a table for each set of texts."""
    for folder in SETS:
        print(f"\n{folder}\n\n| language | precision | recall |\n|---|---|---|")
        for path in sorted((TEXTS / folder).glob("*.csv")):
            right, wrong, there = counts(path)
            precision = right / (right + wrong) if right + wrong else float("nan")
            print(f"| {path.stem} | {precision:.3f} | {right / there:.3f} |")


if __name__ == "__main__":
    main()
