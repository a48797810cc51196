"""The verb that asks whether a method scales: its score as the task gets harder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Floats, Positions
from demur.checks import choice
from demur.difficulty.measuring import Difficulty
from demur.difficulty.trained_methods import Chosen, cross_fitted
from demur.difficulty.trying_methods import FOLDS, GAIN, MARKABLE
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.parts import named_parts, sample_of
from demur.outcomes.table import Outcomes, check_outcomes
from demur.results import Column, Result, Table
from demur.statistics.estimating import interval
from demur.statistics.ratios import mean_interval, ratio_interval

AXES: Final = ("entropy", "baseline", "perplexity", "total_bits")
IN_SAMPLE: Final = "in-sample lift"
SCORES: Final = ("accuracy", "error", "lift", IN_SAMPLE, "bits gained")
EXPLORATORY: Final = (
    "exploratory: a method must be learned anew for each version of the task, and a "
    "slope over a few versions is a description, not a test"
)


@dataclass(frozen=True, eq=False, repr=False)
class ScalabilityPoint(Result):
    """One system on one version of a task.

    Parameters
    ----------
    version, system : str
        Which version of the task, and who was tried on it.
    items : int
        Of the version.
    baseline, entropy, perplexity, total_bits : float
        Of the version.
    learned : float or None
        The accuracy of a majority that is learned on other items, from which the lift
        counts; None for other scores.
    accuracy : float
        Right items / all items; an item without an answer is not right.
    score : float or None
        The score that is asked for; None if it is undefined.
    interval : (float, float) or None
        Over clusters.
    """

    SAYS = (
        "On {version}, of {entropy} bits for each item, {system} has a score of "
        "{score}."
    )

    version: str
    system: str
    items: int
    baseline: float
    entropy: float
    perplexity: float
    total_bits: float
    learned: float | None
    accuracy: float
    score: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, eq=False, repr=False)
class Scalability(Result):
    """Scores of systems against the difficulty of versions of a task.

    Parameters
    ----------
    x, y : str
        The difficulty, and the score.
    points : tuple of ScalabilityPoint
        One for each system on each version.
    slopes : mapping of system to float
        What the score changes by as the difficulty rises by 1, by least squares; for
        systems on three versions or more.
    level : float
        Of the intervals.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    x: str
    y: str
    points: tuple[ScalabilityPoint, ...]
    slopes: dict[str, float]
    level: float
    notes: tuple[str, ...]
    recipe: dict[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """How the score changes as the task gets harder, for each system."""
        lines = [
            f"{system or 'The system'}: {self.y} changes by {slope:+.3f} as "
            f"{self.x.replace('_', ' ')} rises by 1."
            for system, slope in self.slopes.items()
        ]
        if not lines:
            versions = len({point.version for point in self.points})
            lines = [f"{versions} versions of the task are too few for a slope."]
        return "\n".join(lines)

    def tables(self) -> tuple[Table]:
        """Systems on versions, the easier versions first."""
        points = sorted(
            self.points, key=lambda point: (getattr(point, self.x), point.system)
        )
        scored = self.y != "accuracy"
        columns = (
            *(Column("version"), Column("system")),
            Column("items", cells="count", explained="of the version"),
            Column("entropy", "bits per item", "bits", "of the version", digits=3),
            Column("perplexity", "", "number", "equally likely values", digits=2),
            Column("baseline", "", "share", "of the most frequent values"),
            *([_LEARNED] if self.y == "lift" else []),
            Column("accuracy", "", "share", "right / all"),
            *([Column("score", self.y, "number", digits=3)] if scored else []),
            Column("interval", cells="number", explained=f"of {self.y}", digits=3),
        )
        cells = attrgetter(*(column.key for column in columns))
        return (Table("Versions of the task", columns, tuple(map(cells, points)), 2),)


_LEARNED: Final = Column(
    "learned", "", "share", "accuracy of the majority of other items, where lift is 0"
)


def scalability(
    versions: Mapping[str, tuple[Difficulty, Any]],
    *,
    x: str = "entropy",
    y: str = "accuracy",
    at: float | None = None,
    level: float = 0.95,
    folds: int = FOLDS,
    seed: int = 0,
) -> Scalability:
    """Scores of systems, each the same method, as the task gets harder.

    Parameters
    ----------
    versions : mapping of name to (Difficulty, outcomes)
        Each version of the task, pruned or sliced, with the `Outcomes` of one or
        several systems on its items (or a list of these).
    x : {"entropy", "baseline", "perplexity", "total_bits"}
        The difficulty.
    y : {"accuracy", "error", "lift", "in-sample lift", "bits gained"}
        Right items of all; the error over all items at the nonreturn ``at``; how far
        the accuracy gets to 1 from that of a majority learned on other items, as
        methods are, or from the version's baseline, which is counted on these very
        items; bits gained per item, which the outcomes of `demur.try_methods` have.
    at : float, optional
        With ``y="error"``; without it the error in forced choice.
    level : float
        Of the intervals.
    folds, seed : int
        Of the majority that is learned: those of the methods, see `demur.try_methods`.

    Returns
    -------
    Scalability

    Raises
    ------
    InputError
        If a version's outcomes are not of its items, or have no bits gained.

    References
    ----------
    Porzel and Malaka (2004), section 6: "keep the method identical" and vary the task.

    Examples
    --------
    >>> import demur
    >>> tokens = {"word": ["bank"] * 40 + ["run"] * 40,
    ...           "sense": ["shore", "money"] * 20 + ["go"] * 30 + ["storm"] * 10}
    >>> whole = demur.difficulty(tokens, markable="word", value="sense")
    >>> versions = {"whole": whole, "easier": whole.prune("majority > 0.6")}
    >>> found = demur.scalability(
    ...     {name: (each, demur.try_methods(each)[-1].outcomes)
    ...      for name, each in versions.items()})
    >>> [(point.version, round(point.entropy, 2)) for point in found.points]
    [('whole', 0.91), ('easier', 0.81)]
    """
    where = "scalability"
    choice(where, "x", x, AXES)
    choice(where, "y", y, SCORES)
    if at is not None and y != "error":
        raise InputError(where, "at", "come with y='error'", f"y={y!r}")
    if not isinstance(versions, Mapping) or not versions:
        need = "be a mapping of names to (difficulty, outcomes)"
        raise InputError(where, "versions", need, shown(versions))
    checks.whole(where, "seed", seed)
    checks.whole(where, "folds", folds, 2)
    points, notes, by_order = [], [], []
    for name, (difficulty, outcomes) in versions.items():
        systems = _systems(name, difficulty, outcomes)
        learned = _learned(difficulty, folds, seed) if y == "lift" else None
        notes += _not_learned(name, difficulty, learned)
        for system, part in systems:
            points.append(
                _point(name, difficulty, system, part, (y, at, level), learned)
            )
            if difficulty.task.item is None and not _says_values(part):
                by_order.append(name)
    return Scalability(
        x=x,
        y=y if at is None else f"error@{at:g}",
        points=tuple(points),
        slopes=_slopes(points, x),
        level=level,
        notes=(EXPLORATORY, *_notes(points), *notes, *_unnamed(by_order)),
        recipe={
            "scalability": f"{y} by {x}",
            **({} if at is None else {"at": f"{at:g}"}),
            **({"folds": str(folds), "seed": str(seed)} if y == "lift" else {}),
            "versions": "; ".join(versions),
            "level": f"{level:g}",
        },
    )


def _systems(
    name: str, difficulty: Difficulty, outcomes: Any
) -> list[tuple[str, Outcomes]]:
    """The outcomes of each system, which must be of the items of the version."""
    tables = [outcomes] if isinstance(outcomes, Outcomes) else list(outcomes)
    check_outcomes("scalability", *tables)
    parts = [part for table in tables for part in named_parts(table)]
    for system, part in parts:
        items = difficulty.task.item
        same = (
            _of_same_values(difficulty, part)
            if items is None
            else {*np.asarray(items).tolist()} == {*part.item.tolist()}
        )
        if not same or len(part) != difficulty.items:
            need = f"be of the {difficulty.items} items of version {name}"
            got = f"{len(part)} rows" if same else "others"
            hint = "Answers to items that were pruned away do not belong there."
            raise InputError("scalability", f"outcomes of {system}", need, got, hint)
    return parts


def _of_same_values(difficulty: Difficulty, part: Outcomes) -> bool:
    """Whether markables and values are those of the version, where a method says them.

    Items without names are known by their order alone.
    """
    task = difficulty.task
    if not _says_values(part) or len(part) != len(task):
        return True
    pairs = (
        (task.markables, task.markable, part.groups[MARKABLE]),
        (task.values, task.value, part.reference),
    )
    return all(
        [str(names[code]) for code in codes[task.pair].tolist()]
        == [str(value) for value in column.tolist()]
        for names, codes, column in pairs
        if column is not None
    )


def _says_values(part: Outcomes) -> bool:
    """Whether they are of `try_methods`, which says what each item is."""
    return {MARKABLE, GAIN} <= part.groups.keys()


def _point(
    name: str,
    difficulty: Difficulty,
    system: str,
    part: Outcomes,
    asked: tuple[str, float | None, float],
    learned: Chosen | None,
) -> ScalabilityPoint:
    y, at, level = asked
    sample = sample_of(part)
    right = np.where(sample.guess, 1 - sample.loss, 0.0)
    score: float | None
    ends: tuple[float, float] | None
    if y == "error" and at is not None:
        estimate = interval(part, "error", at, level=level)
        score, ends = estimate.value, (estimate.low, estimate.high)
    else:
        figures = {"error": sample.loss}.get(y, right)
        figures = _gains(part) if y == "bits gained" else figures
        shares = y != "bits gained"
        score = float(figures.mean())
        ends = mean_interval(figures, sample.cluster, level, share=shares)
    if y == IN_SAMPLE:
        score, ends = _lifted(float(right.mean()), ends, difficulty.baseline)
    if y == "lift":
        score, ends = None, None
    beside = None
    if learned is not None:
        base = (learned.pair == difficulty.task.pair).astype(float)
        base, beside = base[_places(difficulty, part)], float(base.mean())
        score, ends = _gained(1 - right, 1 - base, sample.cluster, level)
    return ScalabilityPoint(
        version=name,
        system=system,
        items=difficulty.items,
        baseline=difficulty.baseline,
        entropy=difficulty.entropy,
        perplexity=difficulty.perplexity,
        total_bits=difficulty.total_bits,
        learned=beside,
        accuracy=float(right.mean()),
        score=score,
        interval=ends,
    )


def _lifted(
    accuracy: float, ends: tuple[float, float] | None, baseline: float
) -> tuple[float | None, tuple[float, float] | None]:
    if baseline == 1:  # nothing is left to gain
        return None, None
    moved = [lift(accuracy, baseline)]
    moved += [(end - baseline) / (1 - baseline) for end in ends or ()]
    return moved[0], (moved[1], moved[2]) if ends else None


def _learned(difficulty: Difficulty, folds: int, seed: int) -> Chosen | None:
    """What the majority of other items chooses; None if there are no others."""
    task = difficulty.task
    n_units = len(task) if task.unit is None else int(task.unit.max()) + 1
    if n_units < 2:
        return None
    folds = min(folds, n_units)
    return cross_fitted(task, None, "majority", folds=folds, seed=seed)


def _not_learned(
    name: str, difficulty: Difficulty, learned: Chosen | None
) -> list[str]:
    """How many items no method can learn, though the baseline counts them as right."""
    new = 0 if learned is None else int((learned.pair < 0).sum())
    if not new:
        return []
    share = 100 * new / difficulty.items
    return [
        f"{name}: the markables of {new} items ({share:.3g} %) are in no other fold: "
        "no method can learn them, and the in-sample baseline has most of them right"
    ]


def _places(difficulty: Difficulty, part: Outcomes) -> Positions:
    """Where the items of outcomes stand in the task; in its order without names."""
    task, items = difficulty.task, part.item.tolist()
    names = task.row if task.item is None else np.asarray(task.item)
    places = {} if names is None else {n: k for k, n in enumerate(names.tolist())}
    if len(places) < len(items) or not all(item in places for item in items):
        return np.arange(len(items))
    return np.array([places[item] for item in items])


def _gained(
    errors: Floats, learned: Floats, cluster: Positions | None, level: float
) -> tuple[float | None, tuple[float, float] | None]:
    """The lift: 1 - a system's errors / those of the learned baseline."""
    left = float(learned.sum())
    if not left:
        return None, None
    ends = ratio_interval(errors, learned, cluster, level, share=False)
    score = (left - float(errors.sum())) / left
    return score, None if ends is None else (1 - ends[1], 1 - ends[0])


def _gains(part: Outcomes) -> Floats:
    choice("scalability", "a column of the outcomes", GAIN, part.groups)
    try:
        return np.array([float(text) for text in part.groups[GAIN].tolist()])
    except (TypeError, ValueError):
        need, got = "hold numbers", "something else"
        raise InputError("scalability", f"the column {GAIN}", need, got) from None


def _slopes(points: Sequence[ScalabilityPoint], x: str) -> dict[str, float]:
    slopes = {}
    for system in dict.fromkeys(point.system for point in points):
        scored = [p for p in points if p.system == system and p.score is not None]
        along = np.array([getattr(point, x) for point in scored])
        if len(scored) >= 3 and np.ptp(along) > 0:
            scores = np.array([point.score for point in scored], float)
            slopes[system] = float(np.polyfit(along, scores, 1)[0])
    return slopes


def _notes(points: Sequence[ScalabilityPoint]) -> list[str]:
    order = sorted(points, key=lambda point: point.entropy)
    falls = all(a.baseline >= b.baseline for a, b in pairwise(order))
    if falls:
        return []
    return ["bits per item and the baseline do not order the versions alike"]


def _unnamed(versions: Sequence[str]) -> list[str]:
    names = ", ".join(dict.fromkeys(versions))
    if not names:
        return []
    note = "items have no names, so outcomes are taken in the order of their rows: "
    return [f"{note}{names}; difficulty(item=...) names them"]


def lift(accuracy: float, baseline: float) -> float:
    """How far an accuracy gets from a baseline to 1: (accuracy - B) / (1 - B).

    A baseline that is counted on the items themselves is out of reach of what is
    learned on others: for such an accuracy take that of the majority, learned alike.

    Parameters
    ----------
    accuracy, baseline : float
        From 0 to 1. Show both beside it.

    Returns
    -------
    float
        1 for everything right, 0 for the baseline; negative below it.

    Raises
    ------
    UndefinedRate
        If the baseline is 1.

    References
    ----------
    The form of Cohen's kappa, with the baseline for chance; Ben-David (2007), "A lot of
    randomness is hiding in accuracy".

    Examples
    --------
    >>> import demur
    >>> round(demur.lift(0.8, 0.5), 3)
    0.6
    """
    for name, value in (("accuracy", accuracy), ("baseline", baseline)):
        checks.number("lift", name, value, 0, 1)
    if baseline == 1:
        raise UndefinedRate("a baseline of 1 leaves nothing to gain.", where="lift")
    return (accuracy - baseline) / (1 - baseline)
