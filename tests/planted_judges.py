"""Judges whose faults are known, and answers for them to judge."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from demur.judge_models.cases import Asking, JudgeCase, JudgeVerdict


def answers(
    seed: int = 0,
    *,
    items: int = 60,
    systems: Sequence[str] = ("a", "b"),
    accuracy: Sequence[float] = (0.7, 0.5),
    in_cluster: int = 1,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Responses with people's verdicts, and references.

    An answer reads ``ITEM SYSTEM right w w w``: its first words are who and how, and
    the others make it long.
    """
    rng = np.random.default_rng(seed)
    responses, references = [], []
    for item in range(items):
        reference = {"item": item, "input": f"question {item}", "reference": "right"}
        if in_cluster > 1:
            reference["cluster"] = f"c{item // in_cluster}"
        references.append(reference)
        for system, rate in zip(systems, accuracy, strict=True):
            verdict = "right" if rng.random() < rate else "wrong"
            words = " w" * int(rng.geometric(0.1))
            text = f"{item} {system} {verdict}{words}"
            responses.append(
                {"item": item, "system": system, "response": text, "people": verdict}
            )
    return responses, references


@dataclass
class PlantedJudge:
    """A judge of sensitivity .9 and specificity .8, with effects that are planted.

    Parameters
    ----------
    seed : int
        Of its luck.
    sampling : bool
        Whether it throws its dice anew each time; else once for each answer.
    order, padded, bare : float
        What is added to the chance of "right" where all is turned round, the answer is
        padded, or there are no references.
    of_own : float
        And for answers of system a.
    doubling : float
        And for each doubling of the words.
    unsure : float
        The chance of "cannot tell".
    """

    seed: int = 0
    sampling: bool = True
    order: float = 0.0
    padded: float = 0.0
    bare: float = 0.0
    of_own: float = 0.0
    doubling: float = 0.0
    unsure: float = 0.05
    known: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def __str__(self) -> str:
        return "planted"

    def verdicts(
        self, cases: Sequence[JudgeCase], asking: Asking | None = None
    ) -> list[JudgeVerdict]:
        asking = Asking() if asking is None else asking
        return [self._verdict(case, asking) for case in cases]

    def _verdict(self, case: JudgeCase, asking: Asking) -> JudgeVerdict:
        item, system, verdict, *words = case.response.split()
        is_padded = "asked," in words
        chance = 0.9 if verdict == "right" else 0.2
        chance += self.order * asking.turned + self.padded * is_padded
        chance += self.bare * (not asking.with_references) + self.of_own * (
            system == "a"
        )
        chance += self.doubling * np.log2(max(words.count("w"), 1))
        dice = self.rng.random()
        if not self.sampling:
            dice = self.known.setdefault(f"{item} {system}", dice)
        if dice > 1 - self.unsure:
            return JudgeVerdict(None, "cannot_tell")
        right = dice < (1 - self.unsure) * min(max(chance, 0.0), 1.0)
        return JudgeVerdict(float(right), "right" if right else "wrong")
