"""A small pipeline for MultiWOZ, and its target dialogues with fifteen sources.

Three modules without any training beyond counting on the validation part: key words to
user acts, a tracker in which the last value wins, and a policy that looks up the act
set seen most often in the same situation. The sources are three published reference
states, two of user acts and the states of nine published systems.

The data (Budzianowski et al. 2018 and its later versions) are not part of demur. Give
the folder that holds ``test.jsonl.gz``, or set DEMUR_DATA to the folder above it::

    python examples/multiwoz.py --data PATH/multiwoz_sources --output multiwoz.jsonl
    demur pipeline examples/multiwoz.toml
"""

import argparse
import gzip
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import demur

Act = list[str]
State = dict[str, str]

DOMAINS = ("hotel", "restaurant", "attraction", "train", "taxi", "hospital", "police")
CUES = {"food": "restaurant", "room": "hotel", "guesthouse": "hotel", "cab": "taxi"}
LONGEST = 6
FEWEST = 5


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file with one in each line."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


class MultiWoz:
    """The data, with spellings made one.

    Parameters
    ----------
    folder : path
        That of ``test.jsonl.gz``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.canon = json.loads((folder / "canon.json").read_text(encoding="utf-8"))
        tables = json.loads((folder / "db.json").read_text(encoding="utf-8"))
        self.sizes = {domain: len(table["rows"]) for domain, table in tables.items()}
        # Rows are the bits of a number: asked for some ten thousand states, scanning
        # them would take most of the time.
        self.rows_with: defaultdict[tuple[str, str], defaultdict[str, int]]
        self.rows_with = defaultdict(lambda: defaultdict(int))
        for domain, table in tables.items():
            names = [name.lower() for name in table["fields"]]
            for number, row in enumerate(table["rows"]):
                for name, value in zip(names, row, strict=True):
                    self.rows_with[domain, name][value] |= 1 << number

    def plain(self, change: Mapping[str, str | None]) -> dict[str, str | None]:
        """A change of a state in canonical spelling."""
        return {
            slot: value if value is None else self.canon.get(slot, {}).get(value, value)
            for slot, value in change.items()
        }

    def states(self, changes: Iterable[Mapping[str, str | None]]) -> Iterator[State]:
        """The states after changes, one by one."""
        state: dict[str, str | None] = {}
        for change in changes:
            state = {**state, **self.plain(change)}
            yield {slot: value for slot, value in state.items() if value is not None}

    def part(self, name: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """Dialogues of ``val`` or ``test``: turns with acts and states of sources."""
        systems: Iterable[dict[str, Any]] = iter(())
        if name == "test":
            systems = records(self.folder / "systems.jsonl.gz")
        others = {each["id"]: each["systems"] for each in systems}
        for dialogue in records(self.folder / f"{name}.jsonl.gz"):
            changes = {
                source: [turn["st"][source] for turn in dialogue["turns"]]
                for source in dialogue["turns"][0]["st"]
            }
            for source, said in others.get(dialogue["id"], {}).items():
                if said is not None:
                    changes[source] = [change for change, _ in said]
            states = {source: list(self.states(c)) for source, c in changes.items()}
            yield (
                dialogue["id"],
                [
                    {
                        "text": turn["u"].lower(),
                        "acts": {"v20": turn["ua"]["v21"], **turn["ua"]},
                        "states": {source: own[at] for source, own in states.items()},
                        "response": [act[:2] for act in turn["sa"]],
                    }
                    for at, turn in enumerate(dialogue["turns"])
                ],
            )

    def bucket(self, domain: str, state: State) -> str:
        """How many entries of the database fit: none, one, few or many."""
        if domain not in self.sizes:
            return "-"
        fitting = (1 << self.sizes[domain]) - 1
        for slot, value in state.items():
            of, _, name = slot.partition("-")
            if of == domain and value != "dontcare" and (of, name) in self.rows_with:
                fitting &= self.rows_with[of, name].get(value, 0)
        found = fitting.bit_count()
        return (
            "0" if not found else "1" if found == 1 else "few" if found < 6 else "many"
        )


# -- modules ---------------------------------------------------------------------------


class KeywordNlu:
    """Acts of values and words that go with them in the validation part.

    Its state is the domain that was spoken of last.
    """

    def __init__(self, turns: Iterable[dict[str, Any]]) -> None:
        lexicon: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        cues: defaultdict[str, Counter[tuple[str, str, str]]] = defaultdict(Counter)
        seen: Counter[str] = Counter()
        for turn in turns:
            words = set(_words(turn["text"]))
            seen.update(words)
            for act, slot, value in turn["acts"]["v21"]:
                if value in ("?", "none", "yes", "no", "dontcare"):
                    for word in words:
                        cues[word][act, slot, value] += 1
                else:
                    lexicon[value][act, slot] += 1
        self.lexicon = {
            value: dict(found) for value, found in lexicon.items() if len(value) > 1
        }
        self.cues = {
            word: [
                act for act, n in found.items() if n >= FEWEST and n > seen[word] / 2
            ]
            for word, found in cues.items()
        }

    def step(self, state: str | None, text: str) -> tuple[list[Act], str | None]:
        """Acts of a text, and the domain that it leaves."""
        words = text.split()
        spoken = {CUES.get(word, word) for word in words} & {*DOMAINS, *CUES.values()}
        near = spoken or ({state} if state else set())
        found: dict[tuple[str, str, str], None] = {}
        at = 0
        while at < len(words):
            for length in range(min(LONGEST, len(words) - at), 0, -1):
                value = " ".join(words[at : at + length])
                if value in self.lexicon:
                    act, slot = _nearest(self.lexicon[value], near)
                    found[act, slot, value] = None
                    at += length - 1
                    break
            at += 1
        for word in _words(text):
            for act in self.cues.get(word, ()):
                found[act] = None
        acts = [list(act) for act in found]
        return acts, self.observe(state, text, acts)

    def observe(self, state: str | None, text: str, acts: Any) -> str | None:  # noqa: ARG002
        """The domain after these acts."""
        for act, *_ in acts or ():
            domain = act.partition("-")[0].lower()
            if domain in DOMAINS:
                state = domain
        return state


def _words(text: str) -> list[str]:
    words = text.split()
    return words + [f"{a} {b}" for a, b in pairwise(words)]


def _nearest(found: Mapping[tuple[str, str], int], near: set[str]) -> tuple[str, str]:
    """The act and slot seen most often, of the domains that are spoken of first."""
    return max(
        found, key=lambda key: (key[0].partition("-")[0].lower() in near, found[key])
    )


class RuleTracker:
    """Slots take the last value that was said."""

    def __init__(self, data: MultiWoz, turns: Iterable[dict[str, Any]]) -> None:
        self.data = data
        names: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for turn in turns:
            for act, slot, value in turn["acts"]["v21"]:
                for name, own in turn["states"]["v21"].items():
                    if own == value and act.lower().startswith(name.partition("-")[0]):
                        names[act, slot][name] += 1
        self.names = {key: found.most_common(1)[0][0] for key, found in names.items()}

    def step(self, state: State | None, acts: Any) -> tuple[State, State]:
        """The state after acts, which is also what is handed on."""
        change = {
            self.names[act, slot]: value
            for act, slot, value in acts or ()
            if (act, slot) in self.names and value not in ("?", "none")
        }
        after = {**(state or {}), **self.data.plain(change)}
        return after, after  # type: ignore[return-value]  # no value of an act is None

    def observe(self, state: State | None, acts: Any, output: Any) -> State:  # noqa: ARG002
        """The state that is handed on."""
        return output if output is not None else state or {}


class LookUpPolicy:
    """The act set seen most often in the same situation, or in one that is like it.

    Its state is the dialogue state before, to see what has changed.
    """

    def __init__(
        self, data: MultiWoz, dialogues: Iterable[tuple[str, list[dict[str, Any]]]]
    ) -> None:
        self.data = data
        self.seen: defaultdict[Any, Counter[tuple[tuple[str, ...], ...]]]
        self.seen = defaultdict(Counter)
        for _, turns in dialogues:
            before: State = {}
            for turn in turns:
                said = tuple(sorted({tuple(act) for act in turn["response"]}))
                for key in self.keys(
                    before, turn["acts"]["v21"], turn["states"]["v21"]
                ):
                    self.seen[key][said] += 1
                before = turn["states"]["v21"]
        self.best = {
            key: [list(act) for act in found.most_common(1)[0][0]]
            for key, found in self.seen.items()
        }

    def keys(self, before: State, acts: Any, state: State) -> Iterator[Any]:
        """Situations from the closest to the widest."""
        kinds = tuple(sorted({act[0] for act in acts or ()}))
        asked = tuple(sorted({tuple(act[:2]) for act in acts or () if act[2] == "?"}))
        changed = state != before
        domain = next(
            (
                kind.partition("-")[0].lower()
                for kind in kinds
                if kind.partition("-")[0].lower() in DOMAINS
            ),
            "",
        )
        if not domain and state:
            domain = next(reversed(state)).partition("-")[0]
        filled = sum(slot.startswith(f"{domain}-") for slot in state)
        bucket = self.data.bucket(domain, state)
        yield domain, kinds, asked, filled, bucket, changed
        yield domain, kinds, filled, bucket, changed
        yield domain, kinds, bucket
        yield domain, kinds
        yield (domain,)

    def step(self, before: State | None, given: Any) -> tuple[list[Act], State]:
        """The acts of the system."""
        state = given["tracker"] or {}
        for key in self.keys(before or {}, given["nlu"], state):
            if key in self.best:
                return self.best[key], state
        return [["general-reqmore", "none"]], state

    def observe(self, before: State | None, given: Any, output: Any) -> State:  # noqa: ARG002
        """The dialogue state, whatever was said."""
        return given["tracker"] or {}

    def acceptable(self, before: State, acts: Any, state: State) -> list[list[Act]]:
        """Act sets that people chose at least twice in the same situation."""
        _, key, *_ = self.keys(before, acts, state)
        return [
            [list(act) for act in said]
            for said, n in self.seen.get(key, Counter()).items()
            if n >= 2
        ]


# -- the pipeline ----------------------------------------------------------------------


def pipeline_and_dialogues(
    folder: Path,
) -> tuple[demur.Pipeline, list[demur.TargetDialogue]]:
    """The pipeline, and the test part as target dialogues."""
    data = MultiWoz(folder)
    val = list(data.part("val"))
    turns = [turn for _, dialogue in val for turn in dialogue]
    policy = LookUpPolicy(data, val)
    acts = "slots(none=value)"
    pipeline = demur.Pipeline.of(
        [
            demur.as_module(KeywordNlu(turns), name="nlu", compare=acts, version="1"),
            demur.as_module(RuleTracker(data, turns), name="tracker", version="1"),
            demur.as_module(
                policy,
                name="policy",
                inputs=["nlu", "tracker"],
                compare=acts,
                version="1",
            ),
        ]
    )
    dialogues = []
    for name, said in data.part("test"):
        before: State = {}
        targets = []
        for turn in said:
            acts_now, state = turn["acts"]["v21"], turn["states"]["v21"]
            others = {"v20": {"nlu": turn["acts"]["v20"]}}
            for source, own in turn["states"].items():
                others.setdefault(source, {})["tracker"] = own
            others.pop("v21")
            targets.append(
                demur.TargetTurn(
                    input=turn["text"],
                    target={
                        "nlu": acts_now,
                        "tracker": state,
                        "policy": turn["response"],
                    },
                    acceptable={"policy": policy.acceptable(before, acts_now, state)},
                    annotations=others,
                )
            )
            before = state
        dialogues.append(demur.TargetDialogue(name, targets))
    return pipeline, dialogues


def main() -> None:
    """Write the target dialogues, and show what each module costs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    above = Path(os.environ.get("DEMUR_DATA", "."))
    parser.add_argument("--data", type=Path, default=above / "multiwoz_sources")
    parser.add_argument("--output", type=Path, metavar="JSONL")
    options = parser.parse_args()
    if not (options.data / "test.jsonl.gz").exists():
        sys.exit(f"{options.data} has no test.jsonl.gz; see the top of this file")
    pipeline, dialogues = pipeline_and_dialogues(options.data)
    if options.output:
        demur.write_dialogues(dialogues, options.output)
    print(demur.attribute_loss(pipeline, dialogues, measure="precision"))


if __name__ == "__main__":
    main()
