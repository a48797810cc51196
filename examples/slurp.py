"""Shares the lost intents of SLURP between recognition and understanding.

Spoken commands, recognised by Google, then understood by SF-ID; both can be replaced:
the recogniser by what was said (text), the understanding by HerMiT. All six outputs
were published, so no module is run. 685 of 13,078 recordings have no recognition::

    python examples/slurp.py --data PATH/slurp_nlu_outputs

The data (Bastianelli et al. 2020, CC BY 4.0) are not part of demur.
"""

import argparse
import gzip
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import demur


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file with one in each line."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def intents(path: Path) -> dict[str, str]:
    """The intent of each sentence or recording."""
    return {
        str(each["id"]): f"{each['scenario']}_{each['action']}"
        for each in records(path)
    }


class Slurp:
    """Recordings of each sentence, and the intents that were understood.

    Parameters
    ----------
    folder : path
        That of ``gold.jsonl.gz``.
    """

    def __init__(self, folder: Path) -> None:
        self.gold = intents(folder / "gold.jsonl.gz")
        with gzip.open(folder / "recordings.tsv.gz", "rt", encoding="utf-8") as file:
            rows = [line.split("\t") for line in file][1:]
        self.sentence = {row[0]: row[1] for row in rows}
        self.understood = {}
        for nlu in ("sfid", "hermit"):
            text = intents(folder / f"pred_gold_{nlu}.jsonl.gz")
            by_text = {name: text[own] for name, own in self.sentence.items()}
            self.understood["text", nlu] = by_text
            google = intents(folder / f"pred_google_{nlu}.jsonl.gz")
            self.understood["google", nlu] = google

    def recognised(self, recording: str) -> bool:
        """Whether the recogniser gave anything."""
        return recording in self.understood["google", "sfid"]

    def understanding(self, nlu: str) -> demur.Module:
        """What was published of a system, as a module."""

        def answer(heard: list[str] | None) -> str | None:
            if heard is None:
                return None
            recogniser, recording = heard
            return self.understood[recogniser, nlu].get(recording)

        return demur.as_module(answer, name="nlu", version=nlu)

    def pipeline(self) -> demur.Pipeline:
        """Google's recogniser and SF-ID."""

        def google(recording: str) -> list[str] | None:
            return ["google", recording] if self.recognised(recording) else None

        asr = demur.as_module(google, name="asr", compare="whole", version="google")
        return demur.Pipeline.of([asr, self.understanding("sfid")])

    def dialogues(self, *, recognised: bool) -> list[demur.TargetDialogue]:
        """All recordings of a sentence, or those that were recognised, together."""
        turns: dict[str, list[demur.TargetTurn]] = {}
        for recording, sentence in self.sentence.items():
            if recognised and not self.recognised(recording):
                continue
            turn = demur.TargetTurn(
                input=recording,
                target={"nlu": self.gold[sentence]},
                annotations={"text": {"asr": ["text", recording]}},
            )
            turns.setdefault(sentence, []).append(turn)
        return [demur.TargetDialogue(name, own) for name, own in turns.items()]

    def attribution(self, *, recognised: bool) -> demur.Attribution:
        """The loss shared between recognition and understanding."""
        return demur.attribute_loss(
            self.pipeline(),
            self.dialogues(recognised=recognised),
            better={"asr": "text", "nlu": self.understanding("hermit")},
            history=False,
            first=0,
        )


def main() -> None:
    """Show the loss twice: what everybody answers, and all recordings."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    above = Path(os.environ.get("DEMUR_DATA", "."))
    parser.add_argument("--data", type=Path, default=above / "slurp_nlu_outputs")
    options = parser.parse_args()
    if not (options.data / "gold.jsonl.gz").exists():
        sys.exit(f"{options.data} has no gold.jsonl.gz; see the top of this file")
    slurp = Slurp(options.data)
    print("Recordings that were recognised")
    print(slurp.attribution(recognised=True))
    print("\nAll recordings, where no recognition is no answer")
    print(slurp.attribution(recognised=False))


if __name__ == "__main__":
    main()
