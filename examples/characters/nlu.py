"""Two small modules of understanding for the characters that come with demur.

Both have learned from the first three ways to say each act; the dialogues use the
others, so that neither has seen what users say there.
"""

import math
from collections import Counter
from typing import Any

import demur

SEEN = 3
"""So many ways to say an act are learned from; users say the others."""


def examples(name: str) -> list[tuple[str, str]]:
    """Texts and acts to learn from."""
    heard = demur.character(name).heard
    return [(text, act) for act, texts in heard.items() for text in texts[:SEEN]]


class Words:
    """The act whose examples share the most words, the rare ones counting more."""

    def __init__(self, name: str) -> None:
        self.examples = [(set(text.split()), act) for text, act in examples(name)]
        found = Counter(word for words, _ in self.examples for word in words)
        self.weight = {w: math.log(len(self.examples) / n) for w, n in found.items()}

    def __call__(self, text: str) -> tuple[str | None, float]:
        """An act, and the share of the text's weight that speaks for it."""
        words = set(text.split())
        whole = sum(self.weight.get(word, 5.0) for word in words)
        best = max(
            self.examples,
            key=lambda each: sum(self.weight[word] for word in words & each[0]),
        )
        shared = sum(self.weight[word] for word in words & best[0])
        return (best[1], round(shared / whole, 4)) if shared else (None, 0.0)


class Relevance:
    """demur's reference system, a cross-language relevance model."""

    def __init__(self, name: str) -> None:
        texts, acts = zip(*examples(name), strict=True)
        self.model = demur.as_system(demur.RelevanceModel().fit(texts, acts))

    def __call__(self, text: str) -> Any:
        """An act with its confidence."""
        [answer] = self.model.respond([demur.Input("turn", text)])
        return answer


PORTER = Words("porter")
PORTER_RELEVANCE = Relevance("porter")
PLANT_DOCTOR = Words("plant_doctor")
PLANT_DOCTOR_RELEVANCE = Relevance("plant_doctor")
