"""What every result gives: a sentence, figures, tables, pictures, notes, its recipe.

Text, JSON, CSV, HTML, notebooks, gates and the page read these and nothing else. A new
result writes what only it knows; the rest follows from here.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from inspect import get_annotations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from demur.checks import choice
from demur.errors import InputError, shown
from demur.results import defaults, text
from demur.results.gates import Gate, WorseGate
from demur.results.kinds import Figure, FigureKind
from demur.results.text import Table
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

    # A dict is unpickled key by key, which is refused: so it is made anew from a dict.
    def __reduce__(self) -> tuple[type["Recipe"], tuple[dict[str, Any]]]:
        return Recipe, (dict(self),)


def _signature(self: "Result") -> str:
    """The recipe of these numbers on one line; "" for a part of a result."""
    return signature_of(self.recipe) if self.recipe else ""


def seal_recipe(result: "Result") -> None:
    """Make the recipe of a new result one that nobody changes.

    A class with a ``__post_init__`` of its own calls this there.
    """
    object.__setattr__(result, "recipe", Recipe(result.recipe))


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
        if "__post_init__" not in vars(cls) and any(
            "recipe" in get_annotations(base) for base in cls.__mro__
        ):
            cls.__post_init__ = seal_recipe  # type: ignore[attr-defined]

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
        words = "; ".join(defaults.figure_text(figure) for figure in listed)
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

    def claim(self, gate: WorseGate) -> tuple[str, str]:
        """What a test says to a gate on two systems, and the numbers in words.

        Returns
        -------
        ("gate broken" or "gate holds" or "inconclusive", words)

        Raises
        ------
        InputError
            If there is no such test.
        """
        need, hint = "be about two systems", "demur.compare tests which is worse."
        raise InputError("gate", "the text", need, shown(gate.text), hint)

    # -- what follows from it ----------------------------------------------------------

    def claim_broken(self, gate: WorseGate) -> list[str]:
        """A line if the test says that the one is worse, or does not show a claim."""
        verdict, words = self.claim(gate)
        return [words] if verdict == "gate broken" else []

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
            alike(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)  # type: ignore[arg-type]
            if field.compare
        )

    def __hash__(self) -> int:
        # Equal results must have one hash, and NaN is equal to NaN here, but not to it.
        values = (value for _, value in defaults.scalars(self) if value == value)
        return hash((type(self).__name__, *values))


class Bundle(Result):
    """A result with further ones beside it: the main one answers, all are shown.

    Parameters
    ----------
    main : Result
        What was asked for.
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

    def claim(self, gate: WorseGate) -> tuple[str, str]:
        """As the main result has it."""
        return self.main.claim(gate)

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
            if isinstance(result, tuple)
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
    if not hasattr(value, "value"):
        return None if value is None else float(value), None, None
    ends = getattr(value, "low", None), getattr(value, "high", None)
    low, high = getattr(value, "interval", None) or ends
    return value.value, low, high


def alike(value: Any, other: Any) -> bool:
    """Whether two values are equal; arrays, and what holds them, by content."""
    if isinstance(value, (list, tuple)) and type(value) is type(other):
        return len(value) == len(other) and all(map(alike, value, other))
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        same = value.keys() == other.keys()
        return same and all(alike(value[key], other[key]) for key in value)
    if hasattr(value, "dtype") or hasattr(other, "dtype"):
        import numpy as np

        numbers = getattr(value, "dtype", None) is not None and value.dtype.kind in "fc"
        return bool(np.array_equal(value, other, equal_nan=numbers))
    if isinstance(value, float) and isinstance(other, float) and value != value:
        return other != other  # undefined in both
    if is_dataclass(value) and type(value) is type(other):
        held = [field.name for field in fields(value) if field.compare]
        return all(alike(getattr(value, name), getattr(other, name)) for name in held)
    return bool(value == other)
