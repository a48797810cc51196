"""How sure the phrases of refusals are: precision and recall on held-out texts.

Prints one row for each language, of counts alone: whoever mends the phrases must not
see which text failed.
"""

import csv
from pathlib import Path

from demur.outcomes.phrases import MODULES
from demur.outcomes.refusals import refusal_language

HELD_OUT = Path(__file__).parents[1] / "tests/golden/refusals/held_out"


def counts(language: str) -> tuple[int, int, int]:
    """Refusals seen, answers taken for refusals, and how many refusals there are."""
    with (HELD_OUT / f"{language}.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["text"], row["refusal"] == "1") for row in csv.DictReader(file)]
    seen = [refuses for text, refuses in rows if refusal_language(text) is not None]
    return sum(seen), len(seen) - sum(seen), sum(refuses for _, refuses in rows)


def main() -> None:
    """Print the table."""
    print("| language | precision | recall |\n|---|---|---|")
    for language in MODULES:
        right, wrong, there = counts(language)
        precision = right / (right + wrong) if right + wrong else float("nan")
        print(f"| {language} | {precision:.3f} | {right / there:.3f} |")


if __name__ == "__main__":
    main()
