"""What checks of a judge have found: one row for each effect, and a sentence for it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Table,
    ends_of,
    p_text,
    with_noun,
)

CHECKS: Final = {
    "order": "choices and references turned round",
    "repeat": "asked again",
    "length": "answers padded by words that add nothing",
    "own": "answers of the judge's own model, among others",
    "references": "references left out",
}
"""What each check changes, by its name."""

MEASURES: Final = {
    "order": ("right", "cannot_tell", "changed"),
    "repeat": ("changed",),
    "length": ("right", "cannot_tell", "changed", "surplus"),
    "own": ("surplus",),
    "references": ("right", "cannot_tell", "changed", "unlike_people"),
}
"""What each check looks at."""

_WITH: Final = {
    "order": "With choices and references turned round",
    "length": "Where answers are padded by words that add nothing",
    "references": "Without references",
}


@dataclass(frozen=True, eq=False, repr=False)
class JudgeEffect(Result):
    """What one change does to one thing about a judge's verdicts.

    Parameters
    ----------
    check : str
        ``order``, ``repeat``, ``length``, ``own`` or ``references``.
    measure : str
        ``right``, the share of answers that it calls right (credit in part counts as
        such); ``cannot_tell``, the share that it cannot tell; ``changed``, the share of
        verdicts that change, beyond those that change when it is asked again;
        ``surplus``, the share that it calls right at the same verdict of people;
        ``unlike_people``, the share of verdicts that are not people's.
    answers, items : int
        Judged in both ways, and the independent units that they are of.
    before, after : float or None
        The share as it is, or of others, or of repeats; and after the change.
    effect : float or None
        After less before; a share where there is no before; of ``surplus`` by length,
        for each doubling of the words. None if it was not tested.
    low, high : float or None
        Confidence interval. It holds 0 just where a tested effect is not claimed. None
        for fewer than five units.
    p_value, adjusted_p : float or None
        Two-sided, by flips of signs of units; and corrected for all effects that are
        tested, by Holm's method. None for a share that is no claim.
    claimed : bool or None
        Whether it is beyond luck: the corrected p is at most 1 - level.
    level : float
        Of intervals and claims.
    untested : str
        Why there is no number, or no test.
    """

    check: str
    measure: str
    answers: int = 0
    items: int = 0
    before: float | None = None
    after: float | None = None
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    adjusted_p: float | None = None
    claimed: bool | None = None
    level: float = 0.95
    untested: str = ""

    interval = property(ends_of)

    @property
    def name(self) -> str:
        """The check and what it looks at, as gates name it."""
        return f"{self.check} {self.measure}"

    @property
    def value(self) -> float | None:
        """The effect, as figures have it."""
        return self.effect

    def sentence(self) -> str:
        """The effect in plain words, and whether it is beyond luck."""
        if self.effect is None:
            return f"{self.name.replace('_', ' ')}: not tested: {self.untested}."
        words = _SENTENCES[self.measure](self)
        verdict = f"not tested: {self.untested}" if self.untested else _verdict(self)
        return f"{words}{'; ' if verdict else ''}{verdict}."

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON, with the sentence."""
        return super().to_dict() | {"sentence": self.sentence()}


def _verdict(effect: JudgeEffect) -> str:
    if effect.claimed is None or effect.adjusted_p is None:
        return ""
    verdict = "beyond luck" if effect.claimed else "not beyond luck"
    return f"{verdict} ({p_text(effect.adjusted_p)})"


def _of_right(effect: JudgeEffect) -> str:
    return (
        f"{_WITH[effect.check]}, it calls {effect.after:.3f} of "
        f"{with_noun(effect.answers, 'answer')} right, before {effect.before:.3f}"
    )


def _of_unsure(effect: JudgeEffect) -> str:
    return (
        f"{_WITH[effect.check]}, it cannot tell of {effect.after:.3f} of the answers, "
        f"before {effect.before:.3f}"
    )


def _of_changes(effect: JudgeEffect) -> str:
    if effect.check == "repeat":
        return (
            f"Asked again, it changes {effect.effect:.3f} of its verdicts: so many "
            "change by themselves"
        )
    if effect.before is None or effect.after is None:
        return f"{_WITH[effect.check]}, it changes {effect.effect:.3f} of its verdicts"
    words = f"{_WITH[effect.check]}, it changes {effect.after:.3f} of its verdicts"
    words += f"; asked the same again, {effect.before:.3f}"
    if not effect.before or not effect.after:
        return words
    explained = min(effect.before / effect.after, 1.0)
    return f"{words}, which would explain {explained:.2f} of these"


def _of_surplus(effect: JudgeEffect) -> str:
    if effect.check == "length":
        return (
            "At the same verdict of people, the share that it calls right moves by "
            f"{effect.effect:+.3f} with each doubling of an answer's words"
        )
    return (
        "Of answers to the same question with the same verdict of people, it calls "
        f"{effect.after:.3f} right of its own model's, and {effect.before:.3f} of "
        "others'"
    )


def _of_people(effect: JudgeEffect) -> str:
    return (
        f"{_WITH[effect.check]}, {effect.after:.3f} of its verdicts are not people's, "
        f"before {effect.before:.3f}"
    )


_SENTENCES: Final = {
    "right": _of_right,
    "cannot_tell": _of_unsure,
    "changed": _of_changes,
    "surplus": _of_surplus,
    "unlike_people": _of_people,
}


@dataclass(frozen=True, eq=False, repr=False)
class JudgeChecks(Result):
    """All that was checked about a judge.

    Parameters
    ----------
    effects : tuple of JudgeEffect
        In the order of the checks.
    answers, items : int
        That the judge was asked about, and how many items they are of.
    requests : int
        Verdicts that were asked for, in all ways together.
    level : float
        Of intervals and claims.
    verdicts : tuple of mapping
        One row for each answer: ``unit``, ``cluster``, ``item``, ``system``, the
        verdict in each way (``as_is``, ``order``, ``repeat``, ``length``,
        ``references``; None if there is none), and ``people``. `demur.agreement` takes
        these columns as annotators.
    notes : tuple of str
        What was left out, and why.
    recipe : mapping of str to str
        How it came about.
    """

    KINDS: ClassVar = (
        FigureKind("claimed", "effects that are claimed", "count", most=math.inf),
        *(
            FigureKind(
                f"{check} {measure}",
                f"{measure.replace('_', ' ')}: {CHECKS[check]}",
                least=-1.0,
                better="neither",
            )
            for check, measures in MEASURES.items()
            for measure in measures
        ),
    )

    effects: tuple[JudgeEffect, ...]
    answers: int
    items: int
    requests: int
    level: float = 0.95
    verdicts: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    notes: Sequence[str] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)

    @property
    def claimed(self) -> tuple[JudgeEffect, ...]:
        """The effects that are beyond luck."""
        return tuple(effect for effect in self.effects if effect.claimed)

    def effect(self, check: str, measure: str = "right") -> JudgeEffect:
        """One of the effects.

        Raises
        ------
        InputError
            If there is none of that name.
        """
        from demur.checks import choice

        by_name = {effect.name: effect for effect in self.effects}
        name = choice("check_judge", "the effect", f"{check} {measure}", by_name)
        return by_name[name]

    def sentence(self) -> str:
        """Which effects are claimed, of how many that were tested."""
        tested = [effect for effect in self.effects if effect.p_value is not None]
        about = f"of {with_noun(self.answers, 'answer')} to "
        about += with_noun(self.items, "item")
        if not tested:
            return f"Nothing could be tested on verdicts {about}."
        number = with_noun(len(tested), "effect")
        if not self.claimed:
            return f"No effect is shown, of {number} tested on verdicts {about}."
        listed = ", ".join(
            f"{effect.name.replace('_', ' ')} ({effect.effect:+.3f})"
            for effect in self.claimed
        )
        return f"Beyond luck, of {number} tested on verdicts {about}: {listed}."

    def figures(self) -> Iterator[Figure]:
        """How many effects are claimed, and each effect with its interval."""
        kinds = {kind.name: kind for kind in self.KINDS}
        why = self._why_unknown()
        number = None if why else len(self.claimed)
        yield Figure(kinds["claimed"], number, why_undefined=why)
        for effect in self.effects:
            yield self.figure_of(
                kinds[effect.name], effect, why_undefined=effect.untested
            )

    def _why_unknown(self) -> str:
        """Why nobody knows how much there is to claim: a check that tests nothing."""
        checks = dict.fromkeys(effect.check for effect in self.effects)
        tested = {e.check for e in self.effects if e.p_value is not None}
        absent = [check for check in checks if check not in {*tested, "repeat"}]
        if absent:
            return f"not tested: {', '.join(absent)}"
        return "" if tested else "nothing was tested"

    def tables(self) -> tuple[Table, ...]:
        """A row for each effect, and what each says in words."""
        rows = (
            (
                effect.check,
                effect.measure.replace("_", " "),
                effect.answers,
                effect.before,
                effect.after,
                effect.effect,
                effect.interval,
                effect.p_value,
                effect.adjusted_p,
                {True: "yes", False: "no", None: None}[effect.claimed],
            )
            for effect in self.effects
        )
        words = tuple(
            (effect.name.replace("_", " "), effect.sentence())
            for effect in self.effects
        )
        columns = Column("effect"), Column("words")
        listed = Table("In words", columns, words, listed=True, wide=True)
        return Table("", _COLUMNS, tuple(rows), key=2), listed


_COLUMNS: Final = (
    Column("check"),
    Column("measure", "of verdicts"),
    Column("answers", cells="count", wide=True),
    Column("before", cells="share", explained="as it is, of repeats, or of others"),
    Column("after", cells="share", wide=True),
    Column("effect", cells="difference", explained="after less before", digits=3),
    Column("interval", cells="difference", explained="of the effect", digits=3),
    Column("p_value", "p alone", cells="p", wide=True),
    Column("adjusted_p", "p", cells="p", explained="corrected for all by Holm"),
    Column("claimed"),
)
