"""Judges against people, slowly and plainly: a loop over answers, one at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass
class Answer:
    """One judged answer.

    ``says`` and ``sure`` have the verdict ("right", "wrong", None: cannot tell) and the
    confidence (or None) of each judge; ``people`` is "right", "wrong" or None.
    """

    item: str
    system: str
    says: dict[str, str | None]
    sure: dict[str, float | None]
    people: str | None
    weight: float | None = None


def decided(kind: str, members: Sequence[tuple[str, float | None]], answer: Answer):
    """The verdict (None goes to people), the stage, and who was asked."""
    names = [name for name, _ in members]
    if kind == "cascade":
        asked = []
        for stage, (name, cutoff) in enumerate(members):
            asked.append(name)
            if answer.says[name] is None:
                continue
            sure = answer.sure[name]
            if cutoff is None or (sure is not None and sure >= cutoff):
                return answer.says[name], stage, asked
        return None, None, asked
    votes = [answer.says[name] for name in names]
    for verdict in ("right", "wrong"):
        count = votes.count(verdict)
        if count == len(names) if kind == "unanimous" else 2 * count > len(names):
            return verdict, 0, names
    return None, None, names


@dataclass
class Weighed:
    left: float
    error: float | None
    false_accepts: float | None
    false_rejects: float | None
    price: float
    shares: list[float]


def weighed(
    kind: str,
    members: Sequence[tuple[str, float | None]],
    answers: Sequence[Answer],
    prices: Mapping[str, float],
) -> Weighed:
    """What an arrangement is worth; errors by labelled answers, for what they stand."""
    n, left, price = len(answers), 0, 0.0
    by_stage = [0] * (len(members) if kind == "cascade" else 1)
    stands = accepts = rejects = 0.0
    for answer in answers:
        verdict, stage, asked = decided(kind, members, answer)
        price += sum(prices[name] for name in asked)
        if verdict is None:
            left += 1
            price += prices["people"]
            continue
        by_stage[stage] += 1
        if answer.people is not None:
            weight = 1.0 if answer.weight is None else answer.weight
            stands += weight
            accepts += weight * (verdict == "right" and answer.people == "wrong")
            rejects += weight * (verdict == "wrong" and answer.people == "right")
    share = (n - left) / n
    if n == left:
        rates: list[float | None] = [0.0, 0.0, 0.0]
    elif not stands:
        rates = [None, None, None]
    else:
        parts = accepts + rejects, accepts, rejects
        rates = [share * part / stands for part in parts]
    return Weighed(left / n, *rates, price / n, [count / n for count in by_stage])


def curve_of(name: str, answers: Sequence[Answer]) -> list[tuple[float, float, float]]:
    """Each cutoff of a judge with its nonreturn and error, where all have labels."""
    n = len(answers)
    told = [a for a in answers if a.says[name] is not None]
    points = []
    for cutoff in sorted({a.sure[name] for a in told}):
        kept = [a for a in told if a.sure[name] >= cutoff]
        wrong = sum(a.says[name] != a.people for a in kept)
        points.append((cutoff, 1 - len(kept) / n, wrong / n))
    return points
