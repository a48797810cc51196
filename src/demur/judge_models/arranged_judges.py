"""What arrangements of judges are worth: their errors, what they leave, their price."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import ClassVar, Final

from demur.judge_models import judge_curves
from demur.judge_models.judge_curves import JudgeCurve
from demur.results import Column, Figure, FigureKind, Result, Table
from demur.statistics.noisy_verdicts import CorrectedRate

BEST: Final = (
    FigureKind("best_price", "the price of the best arrangement", "number", most=inf),
    FigureKind("best_left", "what the best arrangement leaves to people"),
    FigureKind("best_bound", "the bound of the error of the best arrangement"),
)
"""What a gate may hold of the best arrangement."""


@dataclass(frozen=True, eq=False, repr=False)
class ArrangedJudges(Result):
    """One arrangement of judges against people.

    Shares are of all answers, labelled or not.

    Parameters
    ----------
    arrangement : str
        As it is typed; `demur.judge_models.arrangements.parse_arrangement` reads it.
    price : float or None
        What a verdict costs on average, people's included; None without prices.
    left : float
        The share that is left to people.
    n_left : int
        How many answers that is.
    decided_by : tuple of (str, float)
        Who decides, and which share.
    labelled : int
        Decided answers that people have judged.
    error : CorrectedRate or None
        Wrong verdicts of judges / all answers; None if no decided answer is labelled.
    false_accepts, false_rejects : CorrectedRate or None
        The same in two parts.
    bound : float
        The error, or that of what judges decide, is not above this for any arrangement
        that was looked at, with a chance of ``certainty``; 1 if labels say nothing.
    dominated_by : str or None
        Another arrangement that neither costs more nor errs more, and one of both less.
    """

    arrangement: str
    price: float | None
    left: float
    n_left: int
    decided_by: tuple[tuple[str, float], ...]
    labelled: int
    error: CorrectedRate | None
    false_accepts: CorrectedRate | None
    false_rejects: CorrectedRate | None
    bound: float
    dominated_by: str | None = None

    def sentence(self) -> str:
        """Its error, what it leaves to people, and its price."""
        price = "" if self.price is None else f", for {self.price:.4g} a verdict"
        left = f"{self.arrangement} leaves {100 * self.left:.1f} % to people{price}"
        if self.error is None:
            return f"{left}; no verdict of it has a label."
        return (
            f"{left}, and errs on {self.error.value:.3f} of all answers "
            f"({self.error.low:.3f} to {self.error.high:.3f})."
        )

    @property
    def error_of_decided(self) -> float | None:
        """Wrong verdicts / answers that judges decide; None if there is none."""
        if self.error is None or self.left >= 1:
            return None
        return min(self.error.value / (1 - self.left), 1.0)

    @property
    def cost(self) -> float:
        """The price, or without prices what is left to people."""
        return self.left if self.price is None else self.price

    @property
    def error_seen(self) -> float:
        """The error; infinite if nothing is known of it."""
        return inf if self.error is None else self.error.value


@dataclass(frozen=True, eq=False, repr=False)
class JudgeArrangements(Result):
    """Judges against people, alone and in arrangements, with prices.

    Parameters
    ----------
    judges : tuple of JudgeCurve
        Each by itself.
    arrangements : tuple of ArrangedJudges
        The cheapest first; without prices that which leaves least to people.
    best : str or None
        The cheapest arrangement whose bound is at most ``most_error``; None if there is
        none, or nothing was asked.
    most_error : float or None
        What was asked for.
    of : str
        What bounds are a share of: "all" answers, or "answered": those that judges
        decide.
    looked_at : int
        Arrangements that decide something: for so many the bounds are corrected.
    answers, labelled : int
        Judged answers, and those that people have judged too.
    prices : dict of str to float
        Of a verdict by each judge and by people; empty without prices.
    level : float
        Of each interval by itself.
    certainty : float
        Of all bounds together.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS: ClassVar = (*judge_curves.KINDS, *BEST)

    judges: tuple[JudgeCurve, ...]
    arrangements: tuple[ArrangedJudges, ...]
    best: str | None
    most_error: float | None
    of: str
    looked_at: int
    answers: int
    labelled: int
    prices: dict[str, float]
    level: float
    certainty: float
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)

    @property
    def best_arrangement(self) -> ArrangedJudges | None:
        """The best of them; None if there is none."""
        named = (one for one in self.arrangements if one.arrangement == self.best)
        return next(named, None)

    def sentence(self) -> str:
        """What people have judged, each judge alone, and the best arrangement."""
        if not self.labelled:
            return "People have judged none of the answers, so nothing is known."
        start = f"People have judged {self.labelled:,} of {self.answers:,} answers."
        judges = " ".join(judge.sentence() for judge in self.judges[:_MOST_TOLD])
        return " ".join(filter(None, [start, judges, self._best_words()]))

    def _best_words(self) -> str:
        if self.most_error is None:
            return ""
        what = "all answers" if self.of == "all" else "what judges decide"
        promise = (
            f"an error of at most {self.most_error:g} of {what}, with certainty "
            f"{self.certainty:g} for all {self.looked_at} together,"
        )
        best = self.best_arrangement
        if best is None:
            return f"None of the arrangements has {promise[:-1]}."
        if best.price is None:
            return (
                f"Of those with {promise} {best.arrangement} leaves least to people: "
                f"{best.n_left:,} answers."
            )
        people = self.prices["people"]
        words = f"people alone cost {people:.4g}"
        if best.price >= people:
            words += ", which is not more"
        return (
            f"The cheapest with {promise} is {best.arrangement}: {best.price:.4g} a "
            f"verdict; {words}."
        )

    def figures(self) -> Iterator[Figure]:
        """Those of each judge, and of the best arrangement."""
        for judge in self.judges:
            yield from judge.figures()
        if self.most_error is None:
            return
        best = self.best_arrangement
        for kind in BEST:
            name = kind.name.removeprefix("best_")
            value = None if best is None else getattr(best, name)
            yield Figure(kind, value, why_undefined="no arrangement is that good")

    def tables(self) -> list[Table]:
        """The judges, their errors at rates and cutoffs, and the arrangements."""
        judges = [
            Table.of("Judges", judge_curves.COLUMNS, self.judges),
            judge_curves.rates_table(self.judges),
            judge_curves.cutoffs_table(self.judges),
        ]
        listed, shown = self.arrangements, self._shown()
        columns = [
            *(c for c in _COLUMNS if self.prices or c.key != "price"),
            _DOMINATED,
        ]
        many = len(listed) > _MOST_SHOWN
        all_of_them = Table.of("Arrangements", columns, listed)
        if many:
            all_of_them = replace(all_of_them, title="All arrangements", wide=True)
        dominated = any(one.dominated_by for one in shown)
        title = "Arrangements that no other dominates" + ", and the best" * dominated
        few = Table.of(title, columns[:-1], shown)
        return [
            *(table for table in judges if table.rows),
            *([few] if many else []),
            all_of_them,
            Table("Who decides", _DECIDED, tuple(_decided(shown)), wide=True),
        ]

    @property
    def undominated(self) -> tuple[ArrangedJudges, ...]:
        """The arrangements that no other dominates, the cheapest first."""
        return tuple(one for one in self.arrangements if one.dominated_by is None)

    def _shown(self) -> list[ArrangedJudges]:
        """Those, and the best, whose bound is low where its error need not be."""
        return [
            one
            for one in self.arrangements
            if one.dominated_by is None or one.arrangement == self.best
        ]


_MOST_SHOWN: Final = 12
"""Of more arrangements text shows those alone that no other dominates, and the best."""

_MOST_TOLD: Final = 4
"""So many judges are told in the sentence."""

_BOUND: Final = "of the error; none is above its bound, with the certainty asked for"
_COLUMNS: Final = (
    Column("arrangement"),
    Column("price", cells="number", explained="of a verdict on average"),
    Column("left", "to people", "share", "answers that are left to people / all"),
    Column("error", "", "share", "wrong verdicts / all answers", of="error.value"),
    Column("error_interval", "interval", "share", of="error.interval"),
    Column("bound", "", "share", _BOUND),
    Column(
        *("false_accepts", "false accepts", "share"),
        "right where people say wrong / all answers",
        of="false_accepts.value",
    ),
    Column(
        *("false_accepts_interval", "their interval", "share"),
        of="false_accepts.interval",
        wide=True,
    ),
    Column(
        *("false_rejects", "false rejects", "share"),
        "not right where people say right / all answers",
        of="false_rejects.value",
    ),
    Column(
        *("false_rejects_interval", "interval of these", "share"),
        of="false_rejects.interval",
        wide=True,
    ),
    Column(
        *("error_of_decided", "error of decided", "share"),
        "wrong verdicts / answers that judges decide",
        wide=True,
    ),
    Column("labelled", "", "count", "decided answers people judged", wide=True),
)
_DOMINATED: Final = Column(
    "dominated_by",
    "dominated by",
    explained="neither dearer nor erring more, and one of both less",
)
_DECIDED: Final = (
    Column("arrangement"),
    Column("decided_by", "decided by"),
    Column("share", cells="share", explained="of all answers"),
)


def _decided(
    arrangements: Sequence[ArrangedJudges],
) -> Iterator[tuple[str, str, float]]:
    for one in arrangements:
        for stage, share in (*one.decided_by, ("people", one.left)):
            yield one.arrangement, stage, share
