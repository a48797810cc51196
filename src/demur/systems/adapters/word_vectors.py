"""Models of fastText as systems; nothing is imported."""

from collections.abc import Sequence
from typing import Any, Final

from demur.outcomes.records import Response
from demur.systems.protocol import Input

LABEL: Final = "__label__"
"""How fastText marks a label."""


class FastTextSystem:
    """A supervised model of fastText as a system.

    Its guess is forced (threshold 0), and keeps the chance that it has; chances a
    little above 1, which rounding makes, are 1. Line breaks, which ``predict`` refuses,
    become spaces.

    Parameters
    ----------
    model : object
        With ``predict(text, k, threshold)``, which gives labels and chances.
    name : str
        Of the system.
    """

    takes_context = False

    def __init__(self, model: Any, *, name: str = "") -> None:
        self.model, self.name = model, name

    def __str__(self) -> str:
        return "fasttext"

    __repr__ = __str__

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """The best label of each text."""
        return [self._answer(question) for question in inputs]

    def _answer(self, question: Input) -> Response:
        text = " ".join(str(question.input).splitlines())
        labels, chances = self.model.predict(text, k=1, threshold=0.0)
        if not len(labels):
            return question.answered(self.name)
        label = str(labels[0]).removeprefix(LABEL)
        chance = min(float(chances[0]), 1.0)
        return question.answered(self.name, label, confidence=chance)
