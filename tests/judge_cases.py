"""Judged answers at random, as the plain twin has them and as tables."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

import demur
from reference_judges import Answer

JUDGES = ("small", "middle", "large")
PRICES = {"small": 0.01, "middle": 0.0, "large": 0.1, "people": 2.0}


@st.composite
def answers(draw, *, labels: str = "some", least: int = 1):
    """Answers of one or two systems, with ties, gaps, and maybe unequal weights."""
    systems = draw(st.sampled_from([("s",), ("s", "t")]))
    n_items = draw(st.integers(least, 8))
    judges = JUDGES[: draw(st.integers(1, 3))]
    weighted = labels == "some" and draw(st.booleans())
    verdict = st.sampled_from(["right", "wrong", None])
    levels = [0.0, 0.5, 0.5, 0.9]
    sure = st.sampled_from([None, *levels] if labels == "some" else levels)
    told = verdict if labels == "some" else st.sampled_from(["right", "wrong"])
    listed = []
    for number in range(n_items):
        for system in systems:
            people = draw(told)
            says = {name: draw(verdict) for name in judges}
            weight = None
            if weighted:
                weight = draw(st.sampled_from([1.0, 2.0, 7.5])) if people else None
            sures = {name: draw(sure) for name in judges}
            answer = Answer(f"q{number}", system, says, sures, people, weight)
            listed.append(answer)
    if weighted:  # labels stand for others, which are there
        everybody = dict.fromkeys(judges, "right")
        listed.append(Answer("last", "s", everybody, dict.fromkeys(judges), None))
    return listed


def tables(listed: Sequence[Answer], *, order=None) -> dict[str, demur.Outcomes]:
    """What each judge has made of them, as `demur.judge` would have it."""
    rows = list(listed) if order is None else [listed[place] for place in order]
    weights = [answer.weight for answer in rows]
    made = {}
    for name in listed[0].says:
        further = {}
        if any(weight is not None for weight in weights):
            further["label_weight"] = weights
        made[name] = demur.Outcomes.from_arrays(
            item=[answer.item for answer in rows],
            system=[answer.system for answer in rows],
            outcome=[answer.says[name] or "ungraded" for answer in rows],
            reason_code=[
                None if answer.says[name] else "cannot_tell" for answer in rows
            ],
            groups={
                "people": [answer.people for answer in rows],
                "verdict_confidence": [answer.sure[name] for answer in rows],
            },
            **further,
        )
    return made


def simulated(
    rng: np.random.Generator,
    n: int,
    *,
    accuracy: dict[str, float],
    prevalence: float = 0.7,
    labelled: float = 1.0,
    cannot_tell: float = 0.0,
    **further,
) -> dict[str, demur.Outcomes]:
    """Judges whose verdicts are the likelier right the surer they are."""
    truth = rng.random(n) < prevalence
    known = rng.random(n) < labelled
    words = np.where(truth, "right", "wrong").astype(object)
    people = np.where(known, words, None)
    made = {}
    for name, share in accuracy.items():
        sure = rng.random(n)
        agrees = rng.random(n) < 1 - 2 * (1 - share) * (1 - sure)
        says = np.where(agrees == truth, "right", "wrong").astype(object)
        says[rng.random(n) < cannot_tell] = "ungraded"
        groups = {"people": people, "verdict_confidence": sure.round(3)}
        made[name] = demur.Outcomes.from_arrays(outcome=says, groups=groups, **further)
    return made
