"""The verb that tries simple methods on a task: what any system has to beat."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Floats
from demur.checks import choice
from demur.difficulty.measuring import Difficulty
from demur.difficulty.tasks import MarkableTask
from demur.difficulty.trained_methods import METHODS, Chosen, cross_fitted, words_of
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import RIGHT, UNANSWERED, WRONG
from demur.outcomes.table import Outcomes
from demur.results import (
    Column,
    Contender,
    FigureKind,
    Result,
    Results,
    Standings,
    Table,
)
from demur.statistics.ratios import mean_interval

FOLDS: Final = 10
MARKABLE: Final = "markable"
GAIN: Final = "bits_gained"
"""The column of a method's outcomes with what it gains on each item."""


@dataclass(frozen=True, eq=False, repr=False)
class MethodScore(Result):
    """What a simple method makes of a task.

    Parameters
    ----------
    method : str
        "chance", "prior" and "majority (these items)" are read off the counts; all
        others are learned on other items.
    accuracy : float
        Over all items; for the first two its expectation.
    interval : (float, float) or None
        Over clusters; None for what is read off the counts.
    f_macro : float
        The mean of F over pairs of a markable and a value.
    bits_gained : float or None
        Bits per item below those of the share of each value, both learned on other
        items; None for what is not learned.
    unanswered : float
        Items whose markable was never learned / all items.
    recipe : mapping of str to str
        For the signature.
    outcomes : Outcomes or None
        Each item, with the probability of what was chosen as its confidence.
    """

    KINDS = (
        FigureKind("accuracy", "the accuracy", better="higher"),
        FigureKind("f_macro", "the mean F of values", better="higher"),
        FigureKind(
            *("bits_gained", "the bits gained per item", "bits", -math.inf, math.inf),
            better="higher",
        ),
        FigureKind("unanswered", "the share not answered"),
    )

    method: str
    accuracy: float
    interval: tuple[float, float] | None
    f_macro: float
    bits_gained: float | None = None
    unanswered: float = 0.0
    recipe: dict[str, str] = field(default_factory=dict)
    outcomes: Outcomes | None = field(default=None, repr=False, compare=False)

    def sentence(self) -> str:
        """What the method gets right."""
        return f"{self.method} is right on {self.accuracy:.3f} of all items."

    def tables(self) -> tuple[Table]:
        """The method in one row."""
        return (Table.of("Methods", _COLUMNS, [self]),)


_COLUMNS: Final = (
    Column("system", "method", of="method"),
    Column("accuracy", "", "share", "right / all"),
    Column("interval", "", "share", "of the accuracy, over clusters"),
    Column("f_macro", "F (macro)", "share", "mean F of the values"),
    Column(
        *("bits_gained", "", "difference"),
        "per item, on the share of each value as learned on other items; the task's "
        "difficulty depends on no method",
        digits=3,
    ),
    Column("unanswered", "not answered", "share", "items of markables never learned"),
)


class MethodScores(Results[MethodScore]):
    """What simple methods make of a task, the best last learned one named."""

    PLURAL = "methods"

    @property
    def names(self) -> tuple[str, ...]:
        """The methods."""
        return tuple(score.method for score in self)

    def sentence(self) -> str:
        """Which of the learned methods gets most right."""
        learned = [score for score in self if score.bits_gained is not None] or self
        ranking = Standings(
            (Contender(one.method, one.accuracy, one.accuracy) for one in learned),
            better="higher",
        )
        if not any(one.accuracy for one in learned):
            return "None of the methods that are tried gets any item right."
        shared = "the greatest accuracy"
        who = ranking.who("gets most right", "get most right", shared, what="methods")
        return f"Of the methods that are tried {who}: {ranking.value}."


def try_methods(
    found: Difficulty,
    words: Any = None,
    *,
    methods: Sequence[str] = ("majority",),
    folds: int = FOLDS,
    seed: int = 0,
) -> MethodScores:
    """The scores of chance and of simple methods on a task.

    A method chooses among the values that a markable has anywhere in the table, and
    learns on the other folds; whole clusters are in one fold. ``majority`` takes the
    most frequent value there, ``naive-bayes``, ``tf-idf`` (the nearest value) and
    ``k-means`` look at words beside the item too. They are opponents, not measures of
    difficulty: how well a method does depends on the method (Porzel and Malaka 2004,
    section 3).

    Parameters
    ----------
    found : Difficulty
        Of `demur.difficulty`, pruned or not.
    words : sequence of columns, optional
        Each with a text for each row of the table that the difficulty was taken of
        (before pruning); a word in one column is another than in the next.
    methods : sequence of {"majority", "naive-bayes", "tf-idf", "k-means"}
        Those to be learned, beside what is read off the counts.
    folds : int
        From 2 upwards.
    seed : int
        Of the folds.

    Returns
    -------
    MethodScores
        A tuple of `MethodScore`: chance, prior and in-sample majority first.

    Raises
    ------
    InputError
        If a method needs words and there are none, or there are fewer clusters than
        folds.
    UndefinedRate
        If there is one cluster, or one item.
    MissingExtra
        If scikit-learn is not installed (tf-idf, k-means).

    Examples
    --------
    >>> import demur
    >>> tokens = {"word": ["bank"] * 40, "sense": ["shore", "money"] * 20,
    ...           "beside": ["river", "loan"] * 20}
    >>> found = demur.difficulty(tokens, markable="word", value="sense")
    >>> scores = demur.try_methods(found, [tokens["beside"]], methods=["naive-bayes"])
    >>> [(each.method, each.accuracy) for each in scores[1:]]
    [('prior', 0.5), ('majority (these items)', 0.5), ('naive-bayes', 1.0)]
    """
    where = "try_methods"
    checks.of_kind(where, "the difficulty", found, Difficulty)
    methods = checks.listed(where, "methods", methods)
    checks.whole(where, "seed", seed)
    task = found.task
    for method in methods:
        choice(where, "a method", method, METHODS)
    n_units = len(task) if task.cluster is None else len(np.unique(task.cluster))
    if n_units < 2:
        raise UndefinedRate("one cluster or item leaves none to learn on.", where=where)
    if isinstance(folds, bool) or folds not in range(2, n_units + 1):
        need = f"be a whole number from 2 to {n_units}, the clusters or items"
        hint = "Each fold is tried by what was learned on the others."
        raise InputError(where, "folds", need, shown(folds), hint)
    seen = None
    if any(method != "majority" for method in methods):
        seen = _words(where, task, words)
    null = cross_fitted(task, None, "majority", folds=folds, seed=seed)
    learned = [
        null
        if method == "majority"
        else cross_fitted(task, seen, method, folds=folds, seed=seed)
        for method in methods
    ]
    scores = _counted(found)
    scores += [
        _learned(found, *one, null) for one in zip(methods, learned, strict=True)
    ]
    recipe = {**found.recipe, "folds": str(folds), "seed": str(seed)}
    return MethodScores(
        replace(score, recipe={**recipe, "method": score.method}) for score in scores
    )


def _words(where: str, task: MarkableTask, words: Any) -> Any:
    columns = [] if words is None else [list(column) for column in words]
    if not columns:
        need, hint = "be given", "Name the columns with words beside the items."
        raise InputError(where, "words", need, "none", hint)
    for column in columns:
        if task.row is None or len(column) != task.n_rows:
            need = f"have {task.n_rows} rows, as the table of the difficulty has"
            raise InputError(where, "a column of words", need, f"{len(column)} rows")
    rows = [] if task.row is None else task.row.tolist()
    return words_of([[column[row] for row in rows] for column in columns])


def _counted(difficulty: Difficulty) -> list[MethodScore]:
    """Chance, prior, and the majority value of these very items."""
    task = difficulty.task
    sizes = np.bincount(task.markable, minlength=len(task.markables))[task.markable]
    share = task.share
    of_best = np.where(task.majority, 2 * share / (1 + share), 0.0)
    rows: list[tuple[str, float, Floats]] = [
        ("chance", difficulty.chance, 2 * share / (share * sizes + 1)),
        ("prior", difficulty.prior, share),
        ("majority (these items)", difficulty.baseline, of_best),
    ]
    return [
        MethodScore(name, accuracy, None, float(f_values.mean()))
        for name, accuracy, f_values in rows
    ]


def _learned(
    difficulty: Difficulty, method: str, chosen: Chosen, null: Chosen
) -> MethodScore:
    task = difficulty.task
    right = (chosen.pair == task.pair).astype(float)
    name = "majority (learned)" if method == "majority" else method
    gained = null.bits - chosen.bits
    return MethodScore(
        method=name,
        accuracy=float(right.mean()),
        interval=mean_interval(right, task.unit, difficulty.level, share=True),
        f_macro=_f_macro(task, chosen),
        bits_gained=float(gained.mean()),
        unanswered=float((chosen.pair < 0).mean()),
        outcomes=_outcomes(task, name, chosen, gained),
    )


def _f_macro(task: MarkableTask, chosen: Chosen) -> float:
    """The mean over pairs of 2 right / (times chosen + times true)."""
    n = len(task.markable)
    right = np.bincount(task.pair[chosen.pair == task.pair], minlength=n)
    given = np.bincount(chosen.pair[chosen.pair >= 0], minlength=n)
    return float((2 * right / (given + task.count)).mean())


def _outcomes(
    task: MarkableTask, name: str, chosen: Chosen, gained: Floats
) -> Outcomes:
    """Each item as an outcome; without a guess where the markable was never learned."""
    guess = chosen.pair >= 0
    outcome = np.where(chosen.pair == task.pair, RIGHT, WRONG)
    rows = np.arange(len(task)) if task.row is None else task.row
    markables = np.array(list(task.markables), object)
    texts = np.array([repr(float(bits)) for bits in gained], object)
    cluster = task.cluster
    return Outcomes(
        item=rows if task.item is None else np.asarray(task.item),
        system=np.full(len(task), name, object),
        outcome=np.where(guess, outcome, UNANSWERED).astype(np.uint8),
        confidence=np.where(guess, chosen.share, np.nan),
        cluster=None if cluster is None else cluster.astype(str).astype(object),
        groups={MARKABLE: markables[task.markable[task.pair]], GAIN: texts},
        reference=np.array(list(task.values), object)[task.value[task.pair]],
        recipe={"method": name},
    )
