"""What new labelled outcomes say about locked targets."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Final

from demur.curves.curve_kinds import FAILURES
from demur.decisions.choice_tables import (
    ANSWERED_WHOLES,
    OF_WHOLES,
    WHOLES,
    percent,
    silence,
)
from demur.decisions.drifting import Drift
from demur.decisions.locks import Lock
from demur.outcomes.reasons import with_failures
from demur.results import Column, Figure, FigureKind, Result, Results, Table, count

SAME_ITEMS = "not tested"
"""The verdict on the very items that the cutoff was chosen on."""

_VERDICTS: Final = {
    "holds": "holds",
    "broken": "is broken",
    "inconclusive": "is neither shown to hold nor broken",
    SAME_ITEMS: "is not tested, since these items are those it was chosen on",
}

_TESTED: Final[tuple[Column, ...]] = (
    *(Column("system"), Column("verdict")),
    Column("target", "", "number", "the error that was locked", of="lock.target"),
    Column("error", cells="share", explained="wrong or ungraded / items or answers"),
    Column("lower", "at least", "share", "one-sided bound of the true error"),
    Column("upper", "at most", "share", "the same; verdicts are taken as they stand"),
    Column("items", cells="count"),
    Column("answered", cells="count"),
    Column(
        "labelled",
        cells="count",
        explained="answers that somebody has looked at",
        wide=True,
    ),
    Column("wrong", cells="count"),
    Column("ungraded", cells="count", wide=True),
    Column("further_labels", "more labels", "count", "until the target could hold"),
    *(Column("cutoff", cells="value", of="lock.cutoff"), Column("choice")),
)
MOVED_BY: Final = (
    "distance of the two mixes of confidence, 0 to 1, which neither proves nor "
    "excludes that a target is broken; only labelled outcomes tell"
)
_MOVED: Final = (
    Column("declined_then", "declined then", "share", "when the cutoff was locked"),
    Column("declined_now", "now", "share", "declined on the new items"),
    Column("declined_p", "p", "p", "of that difference"),
    Column("total_variation", "moved by", "share", MOVED_BY),
    Column("by_chance", "by chance", "share", "about that distance without a drift"),
    Column("mix_p", "p of the mixes", "p", "of equal mixes of confidence"),
)
_BASES: Final = {
    "all": "all items are wrong",
    "answered": "the answers given are wrong",
    WHOLES: "all wholes hold a wrong part that is returned",
    ANSWERED_WHOLES: "the wholes of which a part is returned hold a wrong one",
}
_OF_WHOLES: Final = {
    "error": Column("error", cells="share", explained="wrong or ungraded / wholes"),
    "items": Column("items", "wholes", "count"),
    "answered": Column(
        "answered", cells="count", explained="wholes of which a part is returned"
    ),
    "labelled": Column(
        "labelled",
        cells="count",
        explained="answered wholes that somebody has looked at",
        wide=True,
    ),
}
_OF_PARTS: Final = {
    "declined_then": Column(
        *("declined_then", "withheld then", "share"), "when the cutoff was locked"
    ),
    "declined_now": Column("declined_now", "now", "share", "withheld of the new parts"),
}
_COUNTED: Final = {
    "broken": ("is broken", "are broken"),
    "inconclusive": ("is inconclusive", "are inconclusive"),
    SAME_ITEMS: ("is not tested", "are not tested"),
    "holds": ("holds", "hold"),
    None: ("has no error to hold to", "have no error to hold to"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Recheck(Result):
    """What new labelled outcomes say about a locked target.

    Parameters
    ----------
    lock : Lock
        What is checked.
    verdict : str or None
        ``"holds"``: the upper bound is at most the target; ``"broken"``: the lower
        bound is above it; ``"inconclusive"``; ``"not tested"`` on the very answers that
        the cutoff was chosen on; None without a target. Whatever the true error, a
        wrong verdict has a chance of at most 1 - certainty.
    items, answered : int
        How many new items, and how many the cutoff answers. With an error of wholes
        all counts are of wholes, an answered one being one of which a part is returned,
        and the drift is that of parts.
    labelled : int
        Answers that somebody has looked at; in recheck of a part fewer than answered.
    wrong, ungraded : int
        Items answered in error (also with partial credit), and answers nobody could
        judge, of the labelled ones.
    error : float or None
        (wrong + ungraded) / all items, or answered ones, as the lock says; where a part
        is labelled as estimated from that. None if nothing is answered or labelled, or
        nothing was answered and some of it failed.
    lower, upper : float
        One-sided bounds of the true error, each with the lock's certainty. The upper
        counts ungraded answers as errors, the lower does not.
    further_items : int or None
        With how many more items, erring at the observed rate, the verdict would be
        "holds": 0 if it is; None if the observed rate is not below the target, or so
        near that a thousand million would not do. None where a part is labelled: it is
        labels that are missing.
    further_labels : int or None
        How many of those would be answered, and so need a label; where a part is
        labelled how many more labels, drawn in the same way.
    method : str
        How the bounds were made.
    drift : Drift
        How far confidences have moved.
    weighted : bool
        Whether labels stand for unequal numbers of answers.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    failed : int
        Items of which the system gave nothing.
    """

    KINDS: ClassVar = (
        FigureKind("broken", "whether the target is broken", "verdict"),
        FigureKind("error", "the error"),
        FigureKind("lower", "the lower bound of the error"),
        FigureKind("upper", "the upper bound of the error"),
        count("items", "new items"),
        count("answered", "answered items"),
        count("labelled", "labelled answers"),
        count("wrong", "wrong answers", better="lower"),
        count("ungraded", "ungraded answers", better="lower"),
        *FAILURES,
        FigureKind("further_labels", "further labels needed", "count", most=math.inf),
        *(kind for kind in Drift.KINDS if kind.name != "items_now"),
    )

    lock: Lock
    verdict: str | None
    items: int
    answered: int
    labelled: int
    wrong: int
    ungraded: int
    error: float | None
    lower: float
    upper: float
    further_items: int | None
    further_labels: int | None
    method: str
    drift: Drift
    weighted: bool = False
    notes: tuple[str, ...] = ()

    recipe: dict[str, str] = field(default_factory=dict)
    failed: int = 0

    @property
    def failed_rate(self) -> float:
        """How many items failed / all items."""
        return self.failed / self.items

    @property
    def system(self) -> str:
        """Whose cutoff is checked."""
        return self.lock.system

    @property
    def broken(self) -> bool | None:
        """Whether a gate on the target breaks; None without a target.

        It does if the test finds it broken, and where nothing is there to test it.
        """
        return None if self.lock.target is None else bool(self._why_broken())

    def _why_broken(self) -> str:
        if self.verdict == SAME_ITEMS:
            return "not tested, these are the items that the cutoff was chosen on"
        if not self.answered and self.lock.cutoff is not None:
            return "not tested, nothing is answered at the cutoff"
        if not self.labelled and self.lock.cutoff is not None:
            return "not tested, no answer is labelled"
        if self.verdict == "broken":
            return f"error at least {self.lower:.6g}, target {self.lock.target:g}"
        return ""

    def sentence(self) -> str:
        """What became of the target, and the error with its bounds."""
        return with_failures({"": (self.failed, self.items)}, self.verdict_words())

    def verdict_words(self) -> str:
        """The same sentence, where what failed has been said."""
        the = f"{self.system}: the" if self.system else "The"
        base = _BASES[self.lock.of]
        nothing = "labelled" if self.answered else "answered"
        error = f"nothing is {nothing}, so there is no error"
        if self.labelled and self.error is not None:
            error = (
                f"{percent(self.error)} of {base}, truly "
                f"{percent(self.lower)} to {percent(self.upper)} (each end with "
                f"certainty {self.lock.certainty:g}{self._by_labels()})"
            )
        if self.lock.target is None:
            return f"{the} lock has no target; {error}."
        if not self.labelled and self.lock.cutoff is not None:
            return f"{the} target {self.lock.target:g} is not tested: {error}."
        verdict = _VERDICTS[str(self.verdict)]
        if self.lock.of in OF_WHOLES:
            verdict = verdict.replace("items", "wholes")
        further = ""
        if self.verdict == "inconclusive" and self.further_labels is not None:
            further = f"; about {self.further_labels} more labels would tell"
        return f"{the} target {self.lock.target:g} {verdict}: {error}{further}."

    def _by_labels(self) -> str:
        """How many answers are labelled, where not all are, or not all alike."""
        what = "wholes" if self.lock.of in OF_WHOLES else "answers"
        part = f"{self.labelled:,} of {self.answered:,} {what}"
        if self.weighted:
            return f", corrected for how {part} were drawn"
        return f", from the labels of {part}" if self.labelled < self.answered else ""

    def figures(self) -> Iterator[Figure]:
        """The verdict, the error with its bounds, counts, and the drift."""
        why = self._why_broken()
        for figure in super().figures():
            if figure.kind.name == "broken":
                target = "its lock has no target"
                yield replace(figure, why_undefined=target, why=why)
            elif figure.kind.name in ("error", "lower", "upper") and not self.labelled:
                nothing = "labelled" if self.answered else "answered"
                yield replace(figure, value=None, why_undefined=f"nothing is {nothing}")
            else:
                yield replace(figure, why_undefined="no number of them would do")
        for figure in self.drift.figures():
            if figure.kind.name != "items_now":
                yield replace(figure, of=self.system)

    def tables(self) -> tuple[Table, Table]:
        """The test of the target, and the drift."""
        title, tested = "How far confidences have moved", _TESTED
        moved: tuple[Column, ...] = _MOVED
        if self.lock.of in OF_WHOLES:
            tested = tuple(_OF_WHOLES.get(column.key, column) for column in tested)
            title += ", part by part"
            moved = tuple(_OF_PARTS.get(column.key, column) for column in moved)
        return Table.of("", tested, [self]), Table.of(title, moved, [self.drift])

    @property
    def choice(self) -> str:
        """What to do without a cutoff."""
        return silence(self.lock.of) if self.lock.cutoff is None else ""

    def to_dict(self) -> dict[str, Any]:
        """The check as plain values for JSON."""
        skipped = ("lock", "drift", "notes", "recipe")
        table = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in skipped
        }
        locked = self.lock.to_dict()
        kept = ("system", "rule", "cutoff", "target", "of", "certainty")
        return {
            **{name: locked[name] for name in kept},
            **table,
            "drift": self.drift.to_dict(),
            "notes": list(self.notes),
            "signature": self.signature,
        }


# -- several systems -------------------------------------------------------------------


class Rechecks(Results[Recheck]):
    """The locked targets of several systems on new outcomes.

    Parameters
    ----------
    results : iterable of Recheck
        One for each locked system that is among the outcomes.
    absent : sequence of str
        Systems that are locked and not among the outcomes.
    not_locked : mapping of str to int
        Systems without a lock, and how many rows each has.

    Examples
    --------
    >>> import demur
    >>> old = demur.Outcomes.from_arrays(correct=[1, 1, 0, 1], confidence=[4, 3, 2, 1])
    >>> kept = demur.lock(old, demur.choose(old, max_error=0.1))
    >>> new = demur.Outcomes.from_arrays(correct=[1] * 50, confidence=range(50))
    >>> checked = demur.Rechecks([demur.recheck(kept, new)])
    >>> checked[0].verdict, checked.absent
    ('holds', ())
    """

    absent: tuple[str, ...] = ()
    not_locked: Mapping[str, int] = MappingProxyType({})

    def sentence(self) -> str:
        """How many targets hold, and which are broken."""
        failed = {check.system: (check.failed, check.items) for check in self}
        return with_failures(failed, self._verdict_words())

    def _verdict_words(self) -> str:
        if len(self) == 1:
            return self[0].verdict_words()
        verdicts = [check.verdict for check in self]
        broken = [check.system for check in self.ranked if check.verdict == "broken"]
        parts = []
        for verdict, words in _COUNTED.items():
            n_checks = verdicts.count(verdict)
            names = f" ({', '.join(broken)})" if verdict == "broken" else ""
            if n_checks:
                parts.append(f"{n_checks} {words[n_checks > 1]}{names}")
        return f"Of {len(self)} locked targets {', '.join(parts)}."

    @property
    def ranked(self) -> list[Recheck]:
        """The checks, those furthest above their targets first."""
        return sorted(self, key=_room)

    def figures(self) -> Iterator[Figure]:
        """The figures of all; what is absent is broken, and has no others."""
        yield from super().figures()
        why = "locked but not among the outcomes"
        for name in self.absent:
            for kind in Recheck.KINDS:
                value = 1.0 if kind.unit == "verdict" else None
                yield Figure(kind, value, of=name, why_undefined=why, why=why)

    @property
    def together(self) -> tuple[str, ...]:
        """What is to be said of several tests together."""
        tests = [check for check in self if check.verdict is not None]
        if len(tests) < 2:
            return ()
        chance = min(1.0, sum(1 - check.lock.certainty for check in tests))
        return (
            f"{len(tests)} targets are tested, each by itself: if all hold, the chance "
            f'that at least one is called "broken" is up to {chance:.2g}',
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Of all together, and of each."""
        return (*self.together, *super().notes)

    def to_dict(self) -> dict[str, Any]:
        """All checks under one key, and what was not checked."""
        return {
            "notes": list(self.together),
            "absent": list(self.absent),
            "not_locked": dict(self.not_locked),
            **super().to_dict(),
        }


def _room(check: Recheck) -> float:
    """How far a target is above what the error is at least."""
    return (1.0 if check.lock.target is None else check.lock.target) - check.lower
