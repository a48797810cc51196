"""Several results: side by side, as one table, and who is best of them, in words.

Every sentence that ranks asks `Standings`, so that none names a winner who shares the
place, or who may not be one.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isclose, nan
from typing import Any, ClassVar, Final, Generic, Self, SupportsIndex, TypeVar, overload

from demur.checks import of_kind
from demur.results import defaults
from demur.results.contract import Recipe, Result, alike, signature_of
from demur.results.defaults import figure_text, number_text
from demur.results.gates import NAMELESS, Gate
from demur.results.kinds import BOUNDS, Figure
from demur.results.text import Table, decimals, merged

# -- who is best of several -----------------------------------------------------------

_MOST_NAMES: Final = 2
"""So many who are equally good are named; of more, their number is told."""

_MOST_RIVALS: Final = 3
"""So many who may be best are told with their numbers."""

_MOST_DIGITS: Final = 6
"""So many more digits are shown where numbers differ and look the same."""


@dataclass(frozen=True, slots=True)
class Contender:
    """What one of several has of the number that ranks them.

    Parameters
    ----------
    name : str
        By which it is looked up.
    low, high : float or None
        What the number may be, equal if it is known; None if it is undefined.
    called : str
        As sentences call it; left out, the name, told apart from those of the others.
    """

    name: str
    low: float | None
    high: float | None
    called: str = field(default="", compare=False)


def told_apart(names: Iterable[str]) -> list[str]:
    """Names as sentences have them: alike ones, and absent ones, by their place.

    Examples
    --------
    >>> told_apart(["a", "", "b"]), told_apart(["", "", "b", "b"])
    (['a', '(nameless)', 'b'], ['number 1', 'number 2', 'b (number 3)', 'b (number 4)'])
    """
    listed = [name if name.strip() else "" for name in names]
    often = Counter(listed)
    places = (f"number {place}" for place, _ in enumerate(listed, 1))
    return [
        (name or NAMELESS)
        if often[name] == 1
        else (f"{name} ({place})" if name else place)
        for name, place in zip(listed, places, strict=True)
    ]


class Standings:
    """Who is best of several by one number, and who may be.

    Those who cannot be told apart share a place. Where one has bounds, it ranks by the
    worse one; who is best is known only if no other can be better.

    Parameters
    ----------
    standings : iterable of Contender
        In any order.
    better : {"lower", "higher"}
        Which numbers are the better ones.
    shown : callable
        Gives a number as text, with so many more digits.

    Examples
    --------
    >>> ranking = Standings([Contender("a", 0.3, 0.3), Contender("b", 0.3, 0.3)])
    >>> ranking.who("errs least", "err least", "the least error")
    'a and b err least'
    >>> ranking = Standings([Contender("a", 0.3, 0.3), Contender("b", 0.1, 0.4)])
    >>> ranking.who("errs least", "err least", "the least error")
    'who errs least is not known'
    >>> ranking.rivals_text("{} errs on {}", "{} on {}")
    'a errs on 0.300, b on 0.100 to 0.400'
    """

    def __init__(
        self,
        standings: Iterable[Contender],
        *,
        better: str = "lower",
        shown: Callable[[float, int], str] = decimals,
    ) -> None:
        listed = _called(standings)
        self.better, self._shown = better, shown
        self.ranked = sorted(filter(_defined, listed), key=self._ends)
        self.undefined = [one.called for one in listed if not _defined(one)]
        self.best = self._tied()
        rest = self.ranked[len(self.best) :]
        worst = self._ends(self.best[0])[0] if self.best else nan
        self.rivals = [
            rival
            for rival in rest
            if self._ends(rival)[1] < worst and not _same(self._ends(rival)[1], worst)
        ]
        self._more = self._digits(rest[0]) if rest else 0
        self.value = self.text(self.best[0]) if self.best else ""

    @property
    def known(self) -> bool:
        """Whether it is known who is best."""
        return bool(self.best) and not self.rivals

    def _ends(self, standing: Contender) -> tuple[float, float]:
        """The worse end and the better one, the smaller the better."""
        low, high = _numbers(standing)
        # Turned around where more is better, so that all below asks for the smaller.
        return (high, low) if self.better == "lower" else (-low, -high)

    def _tied(self) -> list[Contender]:
        """The first, and all that have the same number."""
        first = self.ranked[:1]
        # One with bounds has no number to share, even if another has the same bounds.
        if not first or not _same(*self._ends(first[0])):
            return first
        value = self._ends(first[0])[0]
        return [
            contender
            for contender in self.ranked
            if all(_same(end, value) for end in self._ends(contender))
        ]

    def _digits(self, next_: Contender) -> int:
        """How many more digits tell the best from the next, who has another number."""
        if self._ends(next_) == self._ends(self.best[0]):
            return 0
        for more in range(_MOST_DIGITS):
            if self._with_digits(self.best[0], more) != self._with_digits(next_, more):
                return more
        return 0

    def text(self, standing: Contender) -> str:
        """The number of one, or its bounds if they differ in what is shown."""
        return self._with_digits(standing, self._more)

    def _with_digits(self, standing: Contender, more: int) -> str:
        low, high = (self._shown(end, more) for end in _numbers(standing))
        return low if low == high else f"{low} to {high}"

    def who(self, one: str, two: str, shared: str, *, what: str = "systems") -> str:
        """Who is best, in words; or that it is not known.

        Parameters
        ----------
        one, two : str
            What one does, and what two do, such as "errs least" and "err least".
        shared : str
            What more than two share, such as "the least error".
        what : str
            What they are.
        """
        if not self.known:
            return f"who {one} is not known"
        if len(self.best) > _MOST_NAMES:
            return f"{self.names(what)} share {shared}"
        return f"{self.names(what)} {one if len(self.best) == 1 else two}"

    def names(self, what: str = "systems") -> str:
        """Who is best: one or two by name, of more how many they are."""
        if len(self.best) > _MOST_NAMES:
            return f"{len(self.best)} {what}".rstrip()
        return " and ".join(contender.called for contender in self.best)

    def listed(self, first: str, other: str) -> str:
        """The first of all, each with its number, as `rivals_text` tells them."""
        return self._listed(self.ranked, first, other)

    def rivals_text(self, first: str, other: str) -> str:
        """Who may be best, each with its number.

        Parameters
        ----------
        first, other : str
            How the first is told, and each further one: a name and a number go in.
        """
        return self._listed(
            [*self.best[:1], *self.rivals, *self.best[1:]], first, other
        )

    def _listed(self, listed: Sequence[Contender], first: str, other: str) -> str:
        parts = [
            (other if place else first).format(contender.called, self.text(contender))
            for place, contender in enumerate(listed[:_MOST_RIVALS])
        ]
        more = len(listed) - len(parts)
        return f"{', '.join(parts)}{f' and {more} more' if more else ''}"

    @property
    def next_(self) -> "Standings":
        """Those who are not best, ranked."""
        rest = self.ranked[len(self.best) :]
        following = Standings(rest, better=self.better, shown=self._shown)
        following._more = self._more
        if following.best:
            following.value = following.text(following.best[0])
        return following

    def follows(self, how: str = " with {}", *, what: str = "systems") -> str:
        """Who follows, as the end of a sentence; "" if nobody does.

        Parameters
        ----------
        how : str
            With which number, which goes in.
        """
        next_ = self.next_
        if not next_.best:
            return ""
        if not next_.known:
            return "; who follows is not known"
        verb = "follows" if len(next_.best) == 1 else "follow"
        return f"; {next_.names(what)} {verb}{how.format(next_.value)}"

    def left_out(self, without: str) -> str:
        """A sentence, with a blank before it, about those who have no number.

        Parameters
        ----------
        without : str
            What they do not have, such as "no error there".
        """
        names = self.undefined
        if not names:
            return ""
        many = len(names) > _MOST_NAMES
        who = f"{len(names)} are" if many else " and ".join(names)
        who += "" if many else " is" if len(names) == 1 else " are"
        return f" {who[:1].upper() + who[1:] if many else who} left out: {without}."


def _called(standings: Iterable[Contender]) -> list[Contender]:
    """All with what they are called, which those of a ranking know already."""
    listed = list(standings)
    words = told_apart(one.name for one in listed)
    return [
        one if one.called else replace(one, called=called)
        for one, called in zip(listed, words, strict=True)
    ]


def _defined(standing: Contender) -> bool:
    ends = standing.low, standing.high
    return all(end is not None and end == end for end in ends)


def _numbers(standing: Contender) -> tuple[float, float]:
    low, high = standing.low, standing.high
    return (inf if low is None else low), (inf if high is None else high)


def _same(value: float, other: float) -> bool:
    """Whether two numbers are equal but for rounding."""
    return isclose(value, other, rel_tol=1e-9, abs_tol=1e-12)


# -- on which items --------------------------------------------------------------------


NO_COMMON_ITEM: Final = "No item is common to all systems, so none is ranked"


def common_items(sets: Sequence[Collection[Any]]) -> int | None:
    """How many items all have in common; None if all have the same.

    Examples
    --------
    >>> common_items([["q1", "q2"], ["q2", "q1"]]) is None
    True
    >>> common_items([["q1"], ["q2"]])
    0
    """
    # Tables made together share one array of items, which is then looked at once.
    # One list may stand for several systems, and is then looked at once.
    known = [frozenset(items) for items in {id(one): one for one in sets}.values()]
    common = frozenset.intersection(*known) if known else frozenset()
    return None if all(len(items) == len(common) for items in known) else len(common)


def items_note(common: int | None, what: str, *, sizes: str = "") -> str:
    """What to say of several that were judged on different items; "" if nothing.

    Parameters
    ----------
    common : int or None
        As `common_items` has it.
    what : str
        What may be owed to the items, such as "which is best".
    sizes : str
        How many items each has.

    Examples
    --------
    >>> items_note(0, "who errs least")[-58:]
    'who errs least may be owed to the items, not to the system'
    """
    if common is None:
        return ""
    return (
        f"systems are judged on different items: {common} in common{sizes}; "
        f"{what} may be owed to the items, not to the system"
    )


# -- several results as one -----------------------------------------------------------

R = TypeVar("R", bound=Result)


class Results(Result, tuple[R, ...], Generic[R]):
    """Results of one kind as one: a tuple that shows as one table.

    Parameters
    ----------
    results : iterable of Result
        Of one class, such as one for each system.
    **beside
        What a class of its own has beside them, under the names that its attributes
        have; theirs are the defaults.
    """

    PLURAL: ClassVar[str] = "systems"
    """What they are, and the key of JSON under which they stand."""

    def __new__(cls, results: Iterable[R] = (), **beside: Any) -> Self:
        """Make the tuple, and put beside it what the class has a name for."""
        made = tuple.__new__(cls, results)
        for result in made:
            of_kind(cls.__name__, "each result", result, Result)
        for name, value in beside.items():
            if not hasattr(cls, name):
                raise TypeError(f"{cls.__name__} has no {name!r}")
            value = Recipe(value) if name == "recipe" else value
            setattr(made, name, tuple(value) if isinstance(value, list) else value)
        return made

    @property
    def names(self) -> tuple[str, ...]:
        """Of each result the system, or what else tells it from the others."""
        return tuple(getattr(result, "system", "") for result in self)

    def sentence(self) -> str:
        """Who is best by the first figure; each one's sentence where none ranks two."""
        words = self._ranking_text()
        if not words and len(self) <= 2:
            return "\n".join(result.sentence() for result in self)
        return words or f"{len(self)} {self.PLURAL}."

    def _ranking_text(self) -> str:
        """Who is best by the first figure; "" if that ranks nobody."""
        figures = self._firsts()
        if _better(figures) == "neither":
            return ""
        ranking = Standings(
            map(_standing, figures),
            better=_better(figures),
            shown=number_text(figures[0]),
        )
        if len(ranking.ranked) < 2:
            return ""
        count = f"{len(self)} {self.PLURAL}"
        title = figures[0].kind.title
        listed = {figure.of: figure_text(figure) for figure in figures}
        common = common_items(self._items())
        if common == 0:
            numbers = ranking.listed("{} has {}", "{} {}")
            return f"{NO_COMMON_ITEM}: by {title} {numbers}."
        left_out = ranking.left_out(f"{title} is undefined")
        if common is not None:
            left_out += f" But the systems' items differ: {common} are common to all."
        if not ranking.known:
            best = ranking.rivals_text("{} has {}", "{} {}")
            return f"Who of {count} is best by {title} is not known: {best}.{left_out}"
        best = ranking.who("is best", "are best", "the best place", what="")
        next_ = ranking.next_
        follows = ranking.follows("", what=self.PLURAL)
        if next_.known:
            follows += f": {_best_figure_text(next_, listed, title)}"
        value = _best_figure_text(ranking, listed, title)
        return f"Of {count} {best}: {value}{follows}.{left_out}"

    def _firsts(self) -> list[Figure]:
        """The first figure of each, by its name; none if there is one without any."""
        firsts = [next(iter(result.figures()), None) for result in self]
        named = zip(told_apart(self.names), firsts, strict=True)
        listed = [replace(figure, of=name) for name, figure in named if figure]
        return listed if len(listed) == len(self) else []

    def _items(self) -> list[Any]:
        """The items of each, where all know them."""
        counted = [getattr(result, "counted", None) for result in self]
        if any(outcomes is None for outcomes in counted):
            return []
        return [outcomes.item.tolist() for outcomes in counted]  # type: ignore[union-attr]

    def figures(self) -> Iterator[Figure]:
        """The figures of all."""
        for result in self:
            yield from result.figures()

    def figures_for(self, gate: Gate) -> Iterator[Figure]:
        """Those of this table of results; what is looked up, of each."""
        if gate.look_up is None:
            yield from self.figures()
            return
        for result in self:
            yield from result.figures_for(gate)

    def tables(self) -> Sequence[Table]:
        """Tables of one title and the same columns as one, with the column system."""
        if len(self) == 1:
            return [*self[0].tables()]
        names = dict(zip(map(id, self), self.names, strict=True))
        listed = [result.tables() for result in self.ranked]
        return merged(listed, [names[id(result)] for result in self.ranked])

    def with_recipe(self, **parts: str) -> Self:
        """All of them with more in their recipes."""
        return self._with((r.with_recipe(**parts) for r in self), self.__dict__)

    @property
    def ranked(self) -> Sequence[R]:
        """In the order of the tables, by what was asked; by default as the sentence."""
        own_words = type(self).sentence is not Results.sentence
        if own_words or len(self) < 2:
            return self
        figures = self._firsts()
        if _better(figures) == "neither":
            return self
        standings = [
            replace(_standing(figure), name=str(place))
            for place, figure in enumerate(figures)
        ]
        # Called by their places, since two of them may have one name.
        ranking = Standings(standings, better=_better(figures))
        places = [int(contender.name) for contender in ranking.ranked]
        places += map(int, ranking.undefined)
        return [self[place] for place in places]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of each, after its name if it is not so of all."""
        listed: dict[str, None] = {}
        for name, result in zip(self.names, self, strict=True):
            for note in result.notes:
                common = all(note in other.notes for other in self)
                unnamed = name and not common and not note.startswith(f"{name}: ")
                listed[f"{name}: {note}" if unnamed else note] = None
        return tuple(listed)

    @property
    def signature(self) -> str:
        """Their one recipe, or what all say; else each one's after its name."""
        if self.recipe:
            return signature_of(self.recipe)
        signatures = dict.fromkeys(result.signature for result in self)
        if len(signatures) < 2:
            return "".join(signatures)
        pairs = zip(self.names, self, strict=True)
        return "; ".join(f"{name}: {result.signature}" for name, result in pairs)

    def to_dict(self) -> dict[str, Any]:
        """All results as plain values, under one key."""
        return {self.PLURAL: [result.to_dict() for result in self]}

    def __repr__(self) -> str:
        words = ", ".join(map(repr, self)) if len(self) <= 2 else ""
        if len(self) > 2 or len(words) > defaults.LONGEST:
            words = defaults.shortened(self.sentence())
        return f"{type(self).__name__}({words})"

    @overload
    def __getitem__(self, at: SupportsIndex) -> R: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    def __getitem__(self, at: Any) -> Any:
        """One of them; or several, which show as all do."""
        chosen = tuple.__getitem__(self, at)
        return self._with(chosen, self.__dict__) if isinstance(at, slice) else chosen

    def __add__(self, other: Any) -> Any:
        """Both, with what both have beside; a plain tuple gives one."""
        both = tuple.__add__(self, other)
        if type(self) is not type(other):
            return both
        mine, theirs = self.__dict__, other.__dict__
        shared = {name: mine[name] for name in mine.keys() & theirs.keys()}
        same = (name for name in shared if alike(shared[name], theirs[name]))
        return self._with(both, {name: shared[name] for name in same})

    def _with(self, results: Iterable[R], beside: Mapping[str, Any]) -> Self:
        made = type(self)(results)
        made.__dict__.update(beside)
        return made

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Results):
            beside = vars(self).keys() | vars(other).keys()
            return (
                type(self) is type(other)
                and tuple.__eq__(self, other)
                and all(
                    alike(getattr(self, name), getattr(other, name))
                    for name in beside
                    if not callable(getattr(self, name))
                )
            )
        return tuple.__eq__(self, other) if isinstance(other, tuple) else NotImplemented

    def __ne__(self, other: object) -> bool:  # that of tuple looks at members alone
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)


def _better(figures: Sequence[Figure]) -> str:
    return figures[0].kind.better if figures else "neither"


def _standing(figure: Figure) -> Contender:
    """The value of a figure, or its bounds, where it is known by these only."""
    if figure.interval == BOUNDS:
        return Contender(figure.of, figure.low, figure.high)
    return Contender(figure.of, figure.value, figure.value)


def _best_figure_text(ranking: Standings, listed: Mapping[str, str], title: str) -> str:
    """The figure of the best of a ranking; of several with one place the value."""
    if len(ranking.best) == 1:
        return listed[ranking.best[0].name]
    return f"{title} is {ranking.value}"
