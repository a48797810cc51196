"""What every result gives: a sentence, figures, tables, pictures, notes, its recipe.

Text, JSON, CSV, HTML, notebooks, gates and the page read these and nothing else. A new
result writes what only it knows; the rest follows from here.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields, is_dataclass, replace
from inspect import get_annotations
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Generic,
    Self,
    SupportsIndex,
    TypeVar,
    overload,
)

from demur.checks import choice, of_kind
from demur.errors import InputError, shown
from demur.results import defaults, text
from demur.results.gates import Gate, WorseGate
from demur.results.kinds import BOUNDS, Figure, FigureKind
from demur.results.text import (
    NO_COMMON_ITEM,
    Contender,
    Standings,
    Table,
    common_items,
    decimals,
    merged,
    significant,
)
from demur.version import __version__

if TYPE_CHECKING:
    from demur.results.pictures import Picture


def signature_of(recipe: Mapping[str, object]) -> str:
    """The recipe of a result on one line, with the version that made it.

    Examples
    --------
    >>> signature_of({"seed": "0"}).partition("|")[2]
    'seed:0'
    """
    parts = {"demur": __version__, **recipe}
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def exactly(value: Any) -> str:
    """A number of a recipe: short where that says all, and never cut.

    Examples
    --------
    >>> exactly(1.0), exactly(0.1), exactly(0.12345678)
    ('1', '0.1', '0.12345678')
    """
    short = f"{float(value):g}"
    return short if float(short) == float(value) else repr(float(value))


def joined_recipes(recipes: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """One recipe of several results: where they differ, what each says.

    Examples
    --------
    >>> joined_recipes([{"test": "t", "seed": "0"}, {"test": "signs", "seed": "0"}])
    {'test': 't + signs', 'seed': '0'}
    """
    joined: dict[str, dict[str, None]] = {}
    for recipe in recipes:
        for name, value in recipe.items():
            joined.setdefault(name, {})[value] = None
    return {name: " + ".join(values) for name, values in joined.items()}


def shared_recipe(results: Iterable["Result"]) -> dict[str, str]:
    """What is the same in the recipes of all."""
    first, *others = (result.recipe for result in results)
    return {
        name: value
        for name, value in first.items()
        if all(other.get(name) == value for other in others)
    }


class Recipe(dict[str, Any]):
    """A recipe that nobody changes behind the result that was made by it."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("the recipe of a result cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type["Recipe"], tuple[dict[str, Any]]]:
        return Recipe, (dict(self),)


def _signature(self: "Result") -> str:
    """The recipe of these numbers on one line; "" for a part of a result."""
    return signature_of(self.recipe) if self.recipe else ""


def _with_recipe_sealed(self: "Result") -> None:
    object.__setattr__(self, "recipe", Recipe(self.recipe))


_USUAL: Final[Mapping[str, Any]] = MappingProxyType(
    {"notes": (), "recipe": MappingProxyType({}), "signature": property(_signature)}
)


class Result:
    """A frozen dataclass that a verb returns.

    ``repr`` is one short line, ``str`` what the command line prints, and a notebook
    shows the same as HTML. Two results are equal if all that is compared is, arrays
    by their content.
    """

    __slots__ = ()

    KINDS: ClassVar[tuple[FigureKind, ...]] = ()
    """The figures that there may be; each is an attribute of its name by default."""

    SAYS: ClassVar[str] = ""
    """What a small part says: a sentence with its fields in braces."""

    if TYPE_CHECKING:

        @property
        def notes(self) -> Sequence[str]:
            """What a reader must know."""

        @property
        def recipe(self) -> Mapping[str, str]:
            """How the numbers came about, for the signature."""

        @property
        def signature(self) -> str:
            """The recipe on one line; "" for a part of a result."""

    def __init_subclass__(cls) -> None:
        # These may be fields, and a field without a default would take what stands in
        # a base class for one: so each class that has no such field is given them.
        for name, default in _USUAL.items():
            if name not in get_annotations(cls) and not hasattr(cls, name):
                setattr(cls, name, default)
        # Small parts without a recipe, of which a curve makes many, have no such step.
        if any("recipe" in get_annotations(base) for base in cls.__mro__):
            cls.__post_init__ = _with_recipe_sealed  # type: ignore[attr-defined]

    # -- what a result writes ----------------------------------------------------------

    def sentence(self) -> str:
        """The answer to what was asked, in plain words."""
        if self.SAYS:
            return self.SAYS.format_map(defaults.Spoken(self))
        listed = [figure for figure in self.figures() if figure.value is not None][:3]
        if not listed:
            words = defaults.words_of_class(type(self).__name__)
            return f"{words}: {defaults.scalars_text(self)}."
        name = getattr(self, "system", "")
        start = f"{name}: " if name else ""
        words = "; ".join(_figure_text(figure) for figure in listed)
        return f"{start}{words[:1].upper() if not name else words[:1]}{words[1:]}."

    def figures(self) -> Iterator[Figure]:
        """The numbers that gates hold, each with its range and its interval."""
        for kind in self.KINDS:
            name = kind.name.replace(" ", "_")
            if not kind.needs_look_up and hasattr(self, name):
                yield self.figure_of(kind, getattr(self, name))

    def tables(self) -> Sequence[Table]:
        """The numbers for people and dataframes: by default the result's fields."""
        return tuple(defaults.field_tables(self, Result))

    def pictures(self) -> "Sequence[Picture]":
        """What there is to draw, as data; none by default."""
        from demur.figures import pictures_of  # the one import that runs up, with plot

        return pictures_of(self)

    def figures_for(self, gate: Gate) -> Iterable[Figure]:
        """The figures that a gate may be about; those looked up are computed."""
        del gate
        return self.figures()

    def claim_broken(self, gate: WorseGate) -> list[str]:
        """A line if one system is worse than another, as a gate has it."""
        need, hint = "be about two systems", "demur.compare tests which is worse."
        raise InputError("gate", "the text", need, shown(gate.text), hint)

    # -- what follows from it ----------------------------------------------------------

    def figure(
        self,
        kind: FigureKind,
        value: float | None,
        ends: tuple[float | None, float | None] | None = None,
        **more: str,
    ) -> Figure:
        """A figure of this system, its interval named by the level of the result."""
        level = getattr(self, "level", None)
        low, high = ends or (None, None)
        words = f"{100 * level:g} % interval" if level else "interval"
        named = {"of": getattr(self, "system", ""), **more}
        return Figure(kind, value, low, high, words if low is not None else "", **named)

    def figure_of(self, kind: FigureKind, held: Any, **more: str) -> Figure:
        """The same from a number, or from what holds one with its ends."""
        value, low, high = _value_and_ends(held)
        return self.figure(kind, value, (low, high), **more)

    def with_recipe(self, **parts: str) -> Self:
        """The same result, with more in its recipe of how it came about."""
        made = copy(self)
        if "recipe" in getattr(self, "__dataclass_fields__", ()):
            object.__setattr__(made, "recipe", Recipe({**parts, **self.recipe}))
        return made

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values for JSON: its fields, and the signature."""
        names = [field.name for field in fields(self) if field.repr]  # type: ignore[arg-type]
        plain = {
            name: plain_values(getattr(self, name))
            for name in names
            if name != "recipe"
        }
        return plain | ({"signature": self.signature} if self.signature else {})

    def to_text(self, *, wide: bool = False) -> str:
        """What the command line prints.

        Parameters
        ----------
        wide : bool
            Every column and whole names, however wide the lines get; else tables fit
            80 columns.
        """
        return text.result_text(
            self.sentence(), self.tables(), self.notes, self.signature, wide=wide
        )

    def to_frame(self, backend: str = "pandas", *, table: int | str = 0) -> Any:
        """One of the tables as a dataframe, a row for each row, groups as columns.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}
            Which library's frame to make.
        table : int or str
            Which of `tables`: its place, or its title.

        Examples
        --------
        >>> import demur
        >>> words = demur.word_errors(hypotheses=["a c"], references=["a b"])
        >>> words.to_frame("polars").height
        1
        """
        from demur.outcomes.frames import write_frame

        choice("to_frame", "backend", backend, ["pandas", "polars", "pyarrow"])
        return write_frame(self._table("to_frame", table).to_columns(), backend)

    def to_csv(self, table: int | str = 0) -> str:
        """One of the tables as CSV text, with a header.

        Parameters
        ----------
        table : int or str
            Which of `tables`: its place, or its title.
        """
        import csv
        import io

        columns = self._table("to_csv", table).to_columns()
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        return lines.getvalue()

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the result with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if left out.
        **options
            As `demur.plot_curves` and its like take them.

        Raises
        ------
        InputError
            If there is nothing to draw.
        MissingExtra
            If matplotlib is not installed.
        """
        from demur.plots.rendering import plot_result

        return plot_result(self, ax=ax, **options)

    def _table(self, where: str, table: int | str) -> Table:
        listed = list(self.tables())
        titles = [shown_table.title for shown_table in listed]
        if isinstance(table, str):
            return listed[titles.index(choice(where, "table", table, titles))]
        if not listed:
            raise InputError(where, "the result", "have a table", "none")
        if not isinstance(table, int) or not -len(listed) <= table < len(listed):
            need = f"be a place from 0 to {len(listed) - 1}, or a title"
            raise InputError(where, "table", need, shown(table))
        return listed[table]

    # -- as Python shows it ------------------------------------------------------------

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return defaults.short_line(self)

    def _repr_html_(self) -> str:
        from demur.results.html import result_html

        return result_html(self)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(
            _alike(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)  # type: ignore[arg-type]
            if field.compare
        )

    def __hash__(self) -> int:
        values = (value for _, value in defaults.scalars(self) if value == value)
        return hash((type(self).__name__, *values))


R = TypeVar("R", bound=Result)


class Bundle(Result):
    """A result with further ones beside it: the main one answers, all are shown.

    Parameters
    ----------
    main : Result
    **further : Result
        By the key under which each stands in JSON; None is left out.
    """

    def __init__(self, main: Result, **further: Result | None) -> None:
        self.main = main
        self.further = {key: one for key, one in further.items() if one is not None}

    @property
    def results(self) -> tuple[Result, ...]:
        """The main result and the further ones; a page has a section for each."""
        return self.main, *self.further.values()

    def sentence(self) -> str:
        """That of the main result, and then those of the further ones."""
        sentences = dict.fromkeys(result.sentence() for result in self.results)
        return "\n".join(filter(None, sentences))

    def figures(self) -> Iterator[Figure]:
        """Those of all."""
        for result in self.results:
            yield from result.figures()

    def figures_for(self, gate: Gate) -> Iterator[Figure]:
        """Those of all that a gate may be about."""
        for result in self.results:
            yield from result.figures_for(gate)

    def claim_broken(self, gate: WorseGate) -> list[str]:
        """As the main result has it."""
        return self.main.claim_broken(gate)

    def tables(self) -> Sequence[Table]:
        """Those of all, one after the other."""
        return [table for result in self.results for table in result.tables()]

    def pictures(self) -> "Sequence[Picture]":
        """Those of all."""
        return [picture for result in self.results for picture in result.pictures()]

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of all, each once."""
        notes = (note for result in self.results for note in result.notes)
        return tuple(dict.fromkeys(notes))

    @property
    def signature(self) -> str:
        """Those of all, each once."""
        signatures = dict.fromkeys(result.signature for result in self.results)
        return "; ".join(filter(None, signatures))

    def to_dict(self) -> dict[str, Any]:
        """The main result's values, and each further one under its key."""
        return self.main.to_dict() | {
            key: [*map(plain_values, result)]
            if isinstance(result, Results)
            else result.to_dict()
            for key, result in self.further.items()
        }

    def with_recipe(self, **parts: str) -> Self:
        """All of them with more in their recipes."""
        made = copy(self)
        made.main = self.main.with_recipe(**parts)
        made.further = {k: r.with_recipe(**parts) for k, r in self.further.items()}
        return made

    def __repr__(self) -> str:
        return f"Bundle({', '.join(map(repr, self.results))})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bundle):
            return NotImplemented
        return self.main == other.main and self.further == other.further

    def __hash__(self) -> int:
        return hash(self.results)


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
        words = self._ranking_text() if len(self) > 1 else ""
        if not words and len(self) <= 2:
            return "\n".join(result.sentence() for result in self)
        return words or f"{len(self)} {self.PLURAL}."

    def _ranking_text(self) -> str:
        """Who is best by the first figure; "" if that ranks nobody."""
        figures = self._firsts()
        if _better(figures) == "neither":
            return ""
        ranking = Standings(
            map(_standing, figures), better=_better(figures), shown=_shown(figures)
        )
        if len(ranking.ranked) < 2:
            return ""
        count = f"{len(self)} {self.PLURAL}"
        title = figures[0].kind.title
        listed = {figure.of: _figure_text(figure) for figure in figures}
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
        named = zip(self.names, firsts, strict=True)
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
                listed[f"{name}: {note}" if name and not common else note] = None
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
        same = (name for name in shared if _alike(shared[name], theirs[name]))
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
                    _alike(getattr(self, name), getattr(other, name))
                    for name in beside
                    if not callable(getattr(self, name))
                )
            )
        return tuple.__eq__(self, other) if isinstance(other, tuple) else NotImplemented

    def __ne__(self, other: object) -> bool:  # that of tuple looks at members alone
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)


def plain_values(value: Any) -> Any:
    """A value as JSON has it, whatever results and arrays it holds; infinity as text.

    Examples
    --------
    >>> plain_values({"ends": (0.1, None)})
    {'ends': [0.1, None]}
    """
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: plain_values(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_values(held) for held in value]
    if isinstance(value, frozenset):
        return sorted((plain_values(held) for held in value), key=str)
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return plain_values(value.tolist()) if hasattr(value, "tolist") else value


def document(result: Result) -> dict[str, Any]:
    """What ``--json`` prints: the version, the answer, the numbers, notes, recipe."""
    plain = {"demur": __version__, "sentence": result.sentence(), **result.to_dict()}
    plain.setdefault("notes", list(result.notes))
    if result.signature:
        plain.setdefault("signature", result.signature)
    return plain


def _value_and_ends(value: Any) -> tuple[float | None, float | None, float | None]:
    """A number, or what holds one as ``value`` with ``interval`` or low and high."""
    if value is None or isinstance(value, (int, float)) or not hasattr(value, "value"):
        return None if value is None else float(value), None, None
    ends = getattr(value, "low", None), getattr(value, "high", None)
    low, high = getattr(value, "interval", None) or ends
    return value.value, low, high


def _figure_text(figure: Figure) -> str:
    shown = _shown([figure])
    value = "undefined" if figure.value is None else shown(figure.value, 0)
    ends = ""
    if figure.low is not None and figure.high is not None:
        ends = f" ({figure.interval} {shown(figure.low, 0)} to {shown(figure.high, 0)})"
    return f"{figure.kind.title} is {value}{ends}"


def _shown(figures: Sequence[Figure]) -> Callable[[float, int], str]:
    """How their numbers are written: shares with three decimals, as in tables."""
    return decimals if figures[0].kind.unit == "share" else significant


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


def _alike(value: Any, other: Any) -> bool:
    """Whether two values are equal; arrays, and what holds them, by content."""
    if isinstance(value, (list, tuple)) and type(value) is type(other):
        return len(value) == len(other) and all(map(_alike, value, other))
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        same = value.keys() == other.keys()
        return same and all(_alike(value[key], other[key]) for key in value)
    if hasattr(value, "dtype") or hasattr(other, "dtype"):
        import numpy as np

        numbers = getattr(value, "dtype", None) is not None and value.dtype.kind in "fc"
        return bool(np.array_equal(value, other, equal_nan=numbers))
    if isinstance(value, float) and isinstance(other, float) and value != value:
        return other != other
    if is_dataclass(value) and type(value) is type(other):
        held = [field.name for field in fields(value) if field.compare]
        return all(_alike(getattr(value, name), getattr(other, name)) for name in held)
    return bool(value == other)
