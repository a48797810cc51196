"""Writes target dialogues of the two characters, with planted disagreement.

No person has annotated them. Users say what the characters' scripts list, the targets
are what the characters answer, and two of the sources are copies of the target in which
one act in ten, or three in ten, was exchanged for another one::

    python examples/characters/make.py
"""

import random
import sys
from pathlib import Path

import demur

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
from nlu import PLANT_DOCTOR_RELEVANCE, PORTER_RELEVANCE, SEEN  # noqa: E402

N_DIALOGUES, N_TURNS = 40, 8
PLANTED = {"planted 10 %": 0.1, "planted 30 %": 0.3}
SYSTEMS = {"porter": PORTER_RELEVANCE, "plant_doctor": PLANT_DOCTOR_RELEVANCE}


def dialogues(name: str, seed: int) -> list[demur.TargetDialogue]:
    """Dialogues with a character."""
    rng = random.Random(seed)
    character, system = demur.character(name), SYSTEMS[name]
    acts = list(character.heard)
    found = []
    for number in range(N_DIALOGUES):
        state, turns = None, []
        for _ in range(N_TURNS):
            act = rng.choice(acts)
            text = rng.choice(character.heard[act][SEEN:])
            target, after = character.step(state, act)
            heard = system(text)
            sure = round(heard.confidence, 4)
            turns.append(
                demur.TargetTurn(
                    input=text,
                    target={"nlu": act, "dm": target},
                    acceptable=_acceptable(target),
                    annotations={
                        "relevance model": {"nlu": heard.response},
                        **{
                            planted: {
                                "nlu": rng.choice(acts) if rng.random() < share else act
                            }
                            for planted, share in PLANTED.items()
                        },
                    },
                    confidences={"relevance model": {"nlu": sure}},
                )
            )
            state = after
        found.append(demur.TargetDialogue(f"{name} {number + 1}", turns))
    return found


def _acceptable(target: list[str]) -> dict[str, list[list[str]]]:
    """An answer without the acknowledgement before it is acceptable too."""
    rest = [act for act in target if not act.startswith(("ack.", "accept."))]
    return {"dm": [rest]} if rest and rest != target else {}


if __name__ == "__main__":
    for number, name in enumerate(SYSTEMS):
        demur.write_dialogues(dialogues(name, number), FOLDER / f"{name}.jsonl")
