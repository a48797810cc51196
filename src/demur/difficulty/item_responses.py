"""The verbs for items that are hard for many systems, and curves by difficulty."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats, Positions
from demur.difficulty.measuring import Difficulty, strata_of
from demur.difficulty.rasch_models import (
    RaschModel,
    bound,
    fit_rasch,
    joined,
    mixed,
)
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import RIGHT, UNGRADED
from demur.outcomes.parts import check_rows, named_parts
from demur.outcomes.table import Outcomes, check_outcomes
from demur.results import (
    Column,
    Contender,
    FigureKind,
    Result,
    Standings,
    Table,
    count,
    with_noun,
)

FEWEST_SYSTEMS: Final = 10
STRATUM: Final = "difficulty"
"""The column that `with_strata` adds."""
FEWEST_ITEMS: Final = 2
CHANCE: Final = 0.025
"""Of all items right, or none, at the bound of an ability."""
_SHOWN: Final = 10
_NAMED: Final = 3


@dataclass(frozen=True, eq=False, repr=False)
class RaschFit(Result):
    """Abilities of systems and difficulties of items on one scale of log-odds.

    Parameters
    ----------
    abilities : mapping of system to (ability, standard error) or (None, None)
        A system of ability 0 gets an item of difficulty 0 right with a chance of 1/2.
        The error is of the difference from the mean ability, and does not rest on how
        difficulties are spread. None for a system that is right on all its items, or
        on none.
    bounds : mapping of system to (least, most)
        Of those systems: the abilities at which being right on all items (or on none)
        has a chance of .025; None where nothing bounds it.
    items : array, shape (n_items,)
        Names of the items, in order of appearance.
    difficulties, errors : array of float64, shape (n_items,)
        With standard errors; 0 on average. NaN for an item without a judged answer.
    spread : float
        Standard deviation of the true difficulties.
    reliability : float
        The share of the variance of difficulties that these systems show.
    none_right, all_right : int
        Items that no system, and that every system gets right: how hard they are
        beyond others is not seen.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS = (
        FigureKind(
            "reliability", "the reliability of the difficulties", better="higher"
        ),
        FigureKind("spread", "the spread of difficulties", "number", most=math.inf),
        count("none_right", "items that no system gets right"),
        count("all_right", "items that every system gets right"),
    )

    abilities: dict[str, tuple[float | None, float | None]]
    bounds: dict[str, tuple[float | None, float | None]]
    items: Any
    difficulties: Any
    errors: Any
    spread: float
    reliability: float
    none_right: int
    all_right: int
    recipe: dict[str, str] = field(default_factory=dict)

    @property
    def by_item(self) -> dict[Any, float]:
        """The difficulty of each item."""
        return dict(zip(self.items.tolist(), self.difficulties.tolist(), strict=True))

    def sentence(self) -> str:
        """Who is most able, and how far the difficulties can be told apart."""
        known = {
            name: (able, error)
            for name, (able, error) in self.abilities.items()
            if able is not None and error is not None
        }
        perfect = [
            name for name, (least, _) in self.bounds.items() if least is not None
        ]
        ranking = Standings(
            (Contender(name, able, able) for name, (able, _) in known.items()),
            better="higher",
            shown=lambda value, more: f"{value:+.{2 + more}f}",
        )
        words = "is the most able system", "are the most able systems"
        _, error = known[ranking.best[0].name]
        sure = f", standard error {error:.2f}" if len(ranking.best) == 1 else ""
        beyond = ""
        if perfect:
            least = self.bounds[perfect[0]][0]
            one = f"{perfect[0]} is right on all items (ability at least {least:+.2f})"
            several = f"{len(perfect)} systems are right on all items"
            beyond = f"{one if len(perfect) == 1 else several}; of the others "
        return (
            f"{beyond}{ranking.who(*words, 'the greatest ability')} ({ranking.value}"
            f"{sure}); the reliability of the difficulties is {self.reliability:.2f}."
        )

    def tables(self) -> tuple[Table, Table]:
        """Systems, the most able first; items, the hardest first."""
        rows: list[tuple[Any, ...]] = [
            (name, *of, *self.bounds.get(name, (None, None)))
            for name, of in self.abilities.items()
        ]
        rows.sort(key=_ability, reverse=True)
        columns = _ABILITIES if self.bounds else _ABILITIES[:3]
        rows = [row[: len(columns)] for row in rows]
        # Equal ones differ by rounding, otherwise on each processor: in their order.
        order = np.argsort(-self.difficulties.round(9), kind="stable").tolist()
        items = [
            (str(self.items[at]), float(self.difficulties[at]), float(self.errors[at]))
            for at in order
        ]
        return (
            Table("Systems", columns, tuple(rows)),
            Table("Items, the hardest first", _DIFFICULTIES, tuple(items), most=_SHOWN),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Items, and systems, of which only one side is seen."""
        notes = [
            f"{self.none_right} items no system gets right and {self.all_right} every "
            "system: how hard they are beyond others is not seen"
        ]
        if self.bounds:
            notes.append(
                f"{_listed(list(self.bounds))}: right on all items or on none, so the "
                "ability has a bound and no estimate"
            )
        return tuple(notes)


_ABILITIES: Final = (
    Column("system"),
    Column(
        "ability", "", "difference", "log-odds of an item of difficulty 0", digits=2
    ),
    Column("error", cells="number", explained="standard error", digits=2),
    Column("at_least", "at least", "difference", "a bound, at 97.5 %", digits=2),
    Column("at_most", "at most", "difference", "a bound, at 97.5 %", digits=2),
)
_DIFFICULTIES: Final = (
    Column("item"),
    Column("difficulty", "", "difference", "log-odds, 0 on average", digits=2),
    Column("error", cells="number", explained="standard error", digits=2),
)


def _ability(row: tuple[Any, ...]) -> tuple[int, float]:
    """For the order: systems right on all items, those with an ability, the others."""
    _, able, _, least, most = row
    if able is not None:
        return 1, round(able, 9)
    return (2, least) if least is not None else (0, -math.inf if most is None else most)


def rasch(outcomes: Outcomes) -> RaschFit:
    """How hard each item is, and how able each system, by the Rasch model.

    Guesses count, whatever a system decided to do with them; an item without a guess is
    not right, and an ungraded guess is left out.

    Parameters
    ----------
    outcomes : Outcomes
        Of at least ten systems. They need not have the same items, but must be joined
        by items that they have in common, directly or by way of other systems.

    Returns
    -------
    RaschFit

    Raises
    ------
    UndefinedRate
        If there are fewer than ten systems: the errors of the difficulties would be
        larger than their differences. If there is one item, or fewer than two systems
        that are right on some items and wrong on others. If systems have different
        items, and fall into parts that no common items join (each part is to be right
        on one where another is wrong, and two are needed): one may be more able, or
        have easier items.
    InputError
        If a system has an item twice.

    References
    ----------
    Rasch (1960), "Probabilistic models for some intelligence and attainment tests".

    Examples
    --------
    Twelve systems of growing ability answer 200 items:

    >>> import numpy as np
    >>> import demur
    >>> draw = np.random.default_rng(0)
    >>> hard, able = draw.normal(size=(200, 1)), np.linspace(-2, 2, 12)
    >>> right = draw.random((200, 12)) < 1 / (1 + np.exp(hard - able))
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=np.repeat(np.arange(200), 12), correct=right.ravel(),
    ...     system=[f"s{number}" for number in range(12)] * 200)
    >>> found = demur.rasch(outcomes)
    >>> bool(np.corrcoef(found.difficulties, hard[:, 0])[0, 1] > 0.8)
    True
    """
    check_outcomes("rasch", outcomes)
    parts = named_parts(outcomes)
    if len(parts) < FEWEST_SYSTEMS:
        raise UndefinedRate(
            f"{with_noun(len(parts), 'system')}; at least {FEWEST_SYSTEMS} are needed "
            "to say how hard single items are.",
            where="rasch",
        )
    known = {item: k for k, item in enumerate(dict.fromkeys(outcomes.item.tolist()))}
    right, seen = np.zeros((2, len(known), len(parts)))
    for column, (name, part) in enumerate(parts):
        rows = np.array([known[item] for item in part.item.tolist()])
        if len(np.unique(rows)) < len(rows):
            need, hint = "have each item once", "Choose one run or prompt with where."
            raise InputError("rasch", f"system {shown(name)}", need, "repeats", hint)
        right[rows, column] = part.outcome == RIGHT
        seen[rows, column] = part.outcome != UNGRADED
    names = [name for name, _ in parts]
    fitted = mixed(right, seen)
    _check_design(names, right, seen, fitted)
    model = fit_rasch(right[:, fitted], seen[:, fitted])
    pairs = zip(model.ability.tolist(), model.ability_error.tolist(), strict=True)
    of_fitted = dict(zip(np.flatnonzero(fitted).tolist(), pairs, strict=True))
    solved, asked = (right * seen).sum(1), seen.sum(1)
    judged = asked > 0
    errors = model.difficulty_error[judged]
    return RaschFit(
        abilities={
            name: of_fitted.get(k, (None, None)) for k, name in enumerate(names)
        },
        bounds={
            names[k]: _bounds(model, right[:, k], seen[:, k])
            for k in np.flatnonzero(~fitted).tolist()
        },
        items=np.array(list(known), object),
        difficulties=np.where(judged, model.difficulty, np.nan),
        errors=np.where(judged, model.difficulty_error, np.nan),
        spread=model.spread,
        reliability=1 - float(np.mean(errors**2)) / model.spread**2,
        none_right=int((judged & (solved == 0)).sum()),
        all_right=int((judged & (solved == asked)).sum()),
        recipe={
            **outcomes.recipe,
            "model": "Rasch, marginal maximum likelihood",
            "systems": str(len(parts)),
            "items": str(len(known)),
        },
    )


def _check_design(
    names: Sequence[str], right: Floats, seen: Floats, fitted: Flags
) -> None:
    """Raise `UndefinedRate` where abilities cannot be held against each other."""
    if len(seen) < FEWEST_ITEMS:
        raise UndefinedRate(
            f"one item; at least {FEWEST_ITEMS} are needed to tell how able a system "
            "is from how hard the item is.",
            where="rasch",
        )
    if fitted.sum() < 2:
        raise UndefinedRate(
            f"{int(fitted.sum())} "
            f"{'system is' if fitted.sum() == 1 else 'systems are'} "
            "right on some items and wrong on others; "
            "at least 2 are needed, since all items right, or none, bound an ability "
            "on one side only.",
            where="rasch",
        )
    of = joined(right[:, fitted], seen[:, fitted])
    if of.max() == 0:
        return
    able = [name for name, is_fitted in zip(names, fitted, strict=True) if is_fitted]
    listed = []
    for number in range(int(of.max()) + 1):
        listed.append(
            _listed([name for name, k in zip(able, of, strict=True) if k == number])
        )
    raise UndefinedRate(
        f"the systems fall into {len(listed)} parts ({'; '.join(listed[:_NAMED])}) "
        f"that {_not_joined(seen[:, fitted], of)}, so nothing says which is more able, "
        "or has the easier items. Take one part, or ask all of them more of the same "
        "items.",
        where="rasch",
    )


def _not_joined(seen: Floats, of: Positions) -> str:
    """Why common items do not join the parts of a design."""
    common = int(((seen.T @ seen) * (of[:, None] != of)).max())
    if not common:
        return "have no items in common"
    return (
        f"have too few informative items in common (at most {common} of two systems): "
        "there must be two at least, so that each part is right where the other is "
        "wrong"
    )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _bounds(
    model: RaschModel, right: Floats, seen: Floats
) -> tuple[float | None, float | None]:
    """Between what the ability is of a system that is right on all items, or none."""
    asked = seen > 0
    if not asked.any():
        return None, None
    all_right = bool(right[asked].all())
    end = bound(model, asked, right=all_right, chance=CHANCE)
    return (end, None) if all_right else (None, end)


def with_strata(
    outcomes: Outcomes,
    difficulties: Mapping[Any, float],
    *,
    edges: Sequence[float] | None = None,
    strata: int = 4,
) -> Outcomes:
    """Outcomes with a column that says how hard each item is, for curves by difficulty.

    Parameters
    ----------
    outcomes : Outcomes
        Of any number of systems.
    difficulties : mapping of item to float
        Any figure that is higher for harder items: `RaschFit.by_item`, surprisals, or
        minus the information that a model can use.
    edges : sequence of float, optional
        Rising; where strata end. By default such that strata have about as many items.
    strata : int
        How many, without edges.

    Returns
    -------
    Outcomes
        With the column ``difficulty``, such as ``"1 of 4, up to 0.52"``: give it to
        `demur.curve_by`.

    Raises
    ------
    InputError
        If an item has no difficulty, or edges do not rise.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2"], correct=[1, 0], confidence=[2, 1])
    >>> parted = demur.with_strata(outcomes, {"q1": -1.0, "q2": 2.0}, edges=[0])
    >>> parted.groups["difficulty"].tolist()
    ['1 of 2, up to 0', '2 of 2, above 0']
    """
    where = "with_strata"
    check_rows(where, outcomes)
    checks.mapping(where, "difficulties", difficulties)
    edges = None if edges is None else checks.numbers(where, "edges", edges)
    listed = outcomes.item.tolist()
    for item in listed:
        if item not in difficulties:
            what, hint = f"item {shown(item)}", "Every item needs one."
            raise InputError(where, what, "have a difficulty", "none", hint)
    figures = np.array([float(difficulties[item]) for item in listed])
    if np.isnan(figures).any():
        what = (
            f"the difficulty of item {shown(listed[int(np.isnan(figures).argmax())])}"
        )
        hint = "An item without a judged answer has none: leave it out."
        raise InputError(where, what, "not be NaN", "NaN", hint)
    ends = _edges(figures, strata) if edges is None else [float(end) for end in edges]
    if not ends or any(b <= a for a, b in pairwise(ends)):
        need = "be one or more rising numbers"
        raise InputError(where, "edges", need, shown(ends))
    n = len(ends) + 1
    names = [f"{k + 1} of {n}, up to {end:.3g}" for k, end in enumerate(ends)]
    names.append(f"{n} of {n}, above {ends[-1]:.3g}")
    places = np.searchsorted(ends, figures - 1e-12)  # an end belongs to what is below
    column = np.array(names, object)[places]
    return replace(
        outcomes,
        groups={**outcomes.groups, STRATUM: column},
        recipe={**outcomes.recipe, "strata": ", ".join(f"{end:.6g}" for end in ends)},
    )


def _edges(figures: Any, strata: int) -> list[float]:
    if isinstance(strata, bool) or not isinstance(strata, int) or strata < 2:
        need = "be a whole number from 2"
        raise InputError("with_strata", "strata", need, shown(strata))
    shares = np.arange(1, strata) / strata
    ends = np.unique(np.quantile(figures, shares, method="lower"))
    return [float(end) for end in ends if end < figures.max()]


def lacking_strata(test: Difficulty, other: Difficulty) -> list[str]:
    """What a test set does not try, of what another set of the same task has.

    Both are measured by the bits that values have in the other set: in a test set that
    lacks the hard values of a markable the easy ones have fewer bits.

    Parameters
    ----------
    test, other : Difficulty
        Such as of the test set, and of all data.

    Returns
    -------
    list of str
        Strata of bits with items in the other set and none in the test set, and how
        many of its markables and pairs are not there.

    Examples
    --------
    >>> import demur
    >>> one, two = (demur.difficulty_of_counts(counts) for counts in (
    ...     {"run": {"go": 3}}, {"run": {"go": 3, "storm": 1}, "bank": {"shore": 1}}))
    >>> for part in demur.lacking_strata(one, two)[1:]:
    ...     print(part)
    no item of more than 1 and up to 2 bits; the other set has 1
    1 of 2 markables are not there
    2 of 3 values are not there
    """
    checks.of_kind("lacking_strata", "test", test, Difficulty)
    checks.of_kind("lacking_strata", "other", other, Difficulty)
    tried, known = set(_pairs(test)), _pairs(other)
    shared = np.array([pair in tried for pair in known])
    strata = zip(other.strata, strata_of(other.task, shared), strict=True)
    lacks, low = [], ""
    for (bits, there), (_, tried_there) in strata:
        high = "" if bits is None else f" and up to {bits:g}"
        span = f"more than {low}{high}" if low else "0"
        if there and not tried_there:
            lacks.append(f"no item of {span} bits; the other set has {there}")
        low = "" if bits is None else f"{bits:g}"
    markables = set(other.task.markables) - set(test.task.markables)
    if markables:
        lacks.append(f"{len(markables)} of {other.markables} markables are not there")
    pairs = len(known) - int(shared.sum())
    if pairs:
        lacks.append(f"{pairs} of {other.values} values are not there")
    return lacks


def _pairs(difficulty: Difficulty) -> list[tuple[str, str]]:
    """The pairs of a task by name, in their order."""
    task = difficulty.task
    pairs = zip(task.markable.tolist(), task.value.tolist(), strict=True)
    return [(task.markables[m], task.values[v]) for m, v in pairs]
