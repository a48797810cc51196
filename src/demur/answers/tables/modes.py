"""How tables are compared: modes by name, and the settings that go with them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final, NamedTuple, Self

from demur.answers.numerals import decimal
from demur.calls import unusual
from demur.checks import choice
from demur.errors import InputError, shown
from demur.outcomes.values import json_or_text

RULES_1989: Final = (
    "rules=1989: a single value may stand beside any others, so that a list of many "
    "numbers is right for each; rules=1992 asks for it alone"
)
"""What is said of rules that can be gamed."""

INTEGERS: Final = ("exact", "near")

EMPTY: Final = ("right", "wrong")
"""What an answer without rows is where the reference has none, either."""

MAXIMA: Final = ("derived", "none")
"""Whether an answer may show columns beyond those that its reference names."""

_MOST_DECIMALS: Final = 15  # a float has no more

RULES: Final = ("1989", "1990", "1992")


class Mode(NamedTuple):
    """A named way to compare tables.

    Parameters
    ----------
    version : str
        Changes when the same mode may give another verdict.
    rows : str
        How rows must agree: as a ``set``, as a ``bag``, or in ``order``.
    cas : bool
        Whether values are compared as CAS says, and further columns are free. If not,
        values are equal if Python finds them so, and widths must be equal.
    free_columns : bool
        Whether the order of columns is free.
    as_printed : bool
        Whether rows must also be printed alike, and order counts if the canonical SQL
        holds "order by".
    keep_distinct : bool
        Whether SQL runs as it stands; if not, every DISTINCT is taken out of both
        sides.
    """

    version: str
    rows: str
    cas: bool
    free_columns: bool
    as_printed: bool = False
    keep_distinct: bool = True


_AS_PRINTED: Final = Mode(
    "test-suite-keep-distinct/1", "bag", cas=False, free_columns=True, as_printed=True
)

MODES: Final[dict[str, Mode]] = {
    "cas2": Mode("cas2/2", "set", cas=True, free_columns=True),
    "bag": Mode("bag/2", "bag", cas=True, free_columns=True),
    "ordered": Mode("ordered/2", "order", cas=True, free_columns=True),
    "bird-ex": Mode("bird-ex/1", "set", cas=False, free_columns=False),
    "test-suite": _AS_PRINTED._replace(version="test-suite/2", keep_distinct=False),
    "test-suite-keep-distinct": _AS_PRINTED,
}
"""The modes that have a name."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What decides a comparison beside the two tables.

    Parameters
    ----------
    mode : str
        One of `MODES`.
    ordered : bool, optional
        Whether the order of rows counts; None leaves it to ``order_by`` and the mode.
        ``bird-ex`` never looks at it.
    order_by : tuple of int
        Positions of the columns that the reference is sorted by, counted from 0: order
        counts, but rows that are equal in all of them may come in any order. The modes
        of other evaluators do not look at it.
    rules : str
        "1992": a single value matches a single value or a table of one element.
        "1989": it also matches further columns. "1990": as 1992, and YES matches any
        table with rows, NO any table without; but a table of nothing but one boolean
        is that boolean.
    relative : Decimal
        The tolerance for reals, as a fraction of the reference's number.
    coerce_numeric_text : bool
        Whether texts that are numerals are read as numbers, on both sides.
    steps : int
        What a comparison may cost, beside what grows with the tables; when they are
        used up, the answer is ungraded.
    empty : str
        What an answer without rows is where the reference has none, either: "right" or
        "wrong". Many a wrong query returns nothing.
    integers : str
        How an integer equals a real: "exact", or "near", within the tolerance.
    decimals : int, optional
        Reals are also equal if they are once both are rounded to so many digits after
        the point; but not to nothing.
    days : bool
        Whether moments in ISO 8601 are also equal if their days are.
    """

    mode: str = "cas2"
    ordered: bool | None = None
    order_by: tuple[int, ...] = ()
    rules: str = "1992"
    relative: Decimal = Decimal("0.0001")
    coerce_numeric_text: bool = False
    steps: int = 30_000_000
    empty: str = "right"
    integers: str = "exact"
    decimals: int | None = None
    days: bool = False

    @property
    def rows(self) -> str:
        """How rows must agree: set, bag or order."""
        rows = MODES[self.mode].rows
        if self.mode == "bird-ex":
            return rows
        if self.ordered is None:
            return "order" if self.order_by and MODES[self.mode].cas else rows
        if self.ordered:
            return "order"
        return "bag" if rows == "order" else rows

    def with_fields(self, where: str, given: Mapping[str, Any]) -> Self:
        """The same with some fields as a reference or options give them.

        Parameters
        ----------
        where : str
            For messages.
        given : mapping
            Names of fields to values, or to texts as a command line gives them. None
            and names that are no fields are passed over, and so are ``steps``,
            ``empty`` and ``integers``: they are not for a reference to say.

        Raises
        ------
        InputError
            If a value is not what its field must be.

        Examples
        --------
        >>> import demur
        >>> demur.TableSettings().with_fields("here", {"order_by": "[1]"}).order_by
        (1,)
        """
        read = {
            name: _READERS[name](where, name, given[name])
            for name in _READERS
            if given.get(name) is not None
        }
        return replace(self, **read) if read else self

    @classmethod
    def of_options(cls, where: str, *given: Any, **choices: Any) -> Self:
        """The settings that comparators take as options, in this order.

        Mode, rules, relative, coerce_numeric_text, and steps; then, by name, empty,
        integers, decimals and days.

        Raises
        ------
        InputError
            If a value is not what its field must be.

        Examples
        --------
        >>> import demur
        >>> options = ("bag", "1992", "0.1", "true", "9")
        >>> demur.TableSettings.of_options("here", *options).steps
        9
        """
        *rest, steps = given
        names = ("mode", "rules", "relative", "coerce_numeric_text")
        fields = dict(zip(names, rest, strict=True))
        fields |= {name: choices.pop(name, None) for name in ("decimals", "days")}
        made = cls().with_fields(where, fields)
        for name, known in (("empty", EMPTY), ("integers", INTEGERS)):
            if name in choices:
                choice(where, name, choices[name], known)
        return replace(made, steps=_steps(where, "steps", steps), **choices)

    def unusual(self) -> dict[str, Any]:
        """The settings that are not as usual, by name.

        Examples
        --------
        >>> import demur
        >>> demur.TableSettings(mode="bag", ordered=True).unusual()
        {'mode': 'bag', 'ordered': True}
        """
        return unusual(self)


# -- fields ------------------------------------------------------------------------


def _mode(where: str, name: str, value: Any) -> str:
    return choice(where, name, value, MODES)


def _rules(where: str, name: str, value: Any) -> str:
    return choice(where, name, str(value), RULES)


def flag(where: str, name: str, value: Any) -> bool:
    """True or false, or their names as text.

    Examples
    --------
    >>> flag("here", "ordered", "true"), flag("here", "ordered", False)
    (True, False)
    """
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in ("true", "false"):
        return word == "true"
    raise InputError(where, name, "be true or false", shown(value))


def _positions(where: str, name: str, value: Any) -> tuple[int, ...]:
    given = json_or_text(value)
    listed = given if isinstance(given, (list, tuple)) else [given]
    if all(type(position) is int and position >= 0 for position in listed):
        return tuple(listed)
    need = "be a list of column positions, counted from 0"
    raise InputError(where, name, need, shown(value))


def _relative(where: str, name: str, value: Any) -> Decimal:
    given = decimal(value)
    if given is None or not 0 <= given < 1:
        need, hint = "be a number from 0 to below 1", "0.0001 is 0.01 %."
        raise InputError(where, name, need, shown(value), hint)
    return given


def _decimals(where: str, name: str, value: Any) -> int:
    given = json_or_text(value)
    if type(given) is not int or not 0 <= given <= _MOST_DECIMALS:
        need = f"be a whole number from 0 to {_MOST_DECIMALS}"
        raise InputError(where, name, need, shown(value))
    return given


def _steps(where: str, name: str, value: Any) -> int:
    given = json_or_text(value)
    if type(given) is not int or given < 0:
        raise InputError(where, name, "be a whole number, at least 0", shown(value))
    return given


_READERS: Final[dict[str, Callable[[str, str, Any], Any]]] = {
    "mode": _mode,
    "ordered": flag,
    "order_by": _positions,
    "rules": _rules,
    "relative": _relative,
    "coerce_numeric_text": flag,
    "decimals": _decimals,
    "days": flag,
}


def weights(where: str, value: Any) -> list[float]:
    """Credits of alternatives, in their order.

    Examples
    --------
    >>> weights("here", "[1, 0.5]")
    [1.0, 0.5]
    """
    given = json_or_text(value)
    if isinstance(given, (list, tuple)) and all(
        isinstance(credit, (int, float)) and credit is not True and 0 < credit <= 1
        for credit in given
    ):
        return [float(credit) for credit in given]
    need = "be a list of numbers above 0 and at most 1, one per alternative"
    raise InputError(where, "weights", need, shown(value))
