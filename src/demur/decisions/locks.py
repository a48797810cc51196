"""What is kept of a chosen cutoff, as a file that is checked when it is read."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from demur import checks
from demur.decisions.choice_tables import ANSWERED_WHOLES, OF_WHOLES, WHOLES
from demur.errors import ParseError, shown
from demur.files import new_file, small_file
from demur.results import FigureKind, Result, Results, Table, count
from demur.version import __version__

FORMAT, VERSION = "demur-lock", 1
MOST = 2**53
"""Counts are below this, so that every one is a whole number in floating point."""

AGAIN = "Write the lock again with demur choose --lock."


class Kind(NamedTuple):
    """What a key of a lock may hold: in words, as a test, and as what it is read."""

    need: str
    holds: Callable[[Any], bool]
    made: Callable[[Any], Any]


@dataclass(frozen=True, eq=False, repr=False)
class Lock(Result):
    """A chosen cutoff, and what is needed to see later whether it still holds.

    It keeps counts, not items. Made by `demur.lock`, or read from a file by
    `demur.read_lock`.

    Parameters
    ----------
    system : str
        Whose cutoff it is.
    rule : str
        How it was chosen.
    cutoff : float or None
        Answer every guess with at least this confidence; None is never answer.
    target : float or None
        The error that must not be exceeded; None if the rule has none, such as least
        cost, so that only drift can be seen.
    of : {"all", "answered", "wholes", "answered wholes"}
        What the target's error is a share of.
    certainty : float
        Of the one-sided bounds on new outcomes.
    items, declined, wrong, no_guess : int
        Of the outcomes it was chosen on: how many items; not answered at the cutoff;
        answered in error (partial credit and ungraded count as one error each);
        without a guess. With an error of wholes the items are parts, and ``wrong`` are
        wholes with a wrong part that is returned.
    edges : tuple of float
        Inner edges of the bins of confidence, rising; an edge belongs to the bin
        above it.
    counts : tuple of int
        Guesses in each bin, one more than edges.
    design_effects : tuple (float, float)
        How many times as much the declined share, and the shares of the bins, vary as
        they would without clusters; (1, 1) for independent items.
    signature : str
        Of the choice.
    sketch : tuple of str
        Hashes of some of its items, always the same ones, which tell whether others
        are judged later.
    max_cluster : int or None
        The most items that a cluster may have, also later; None if nobody said.
    clusters : int or None
        Into how many clusters the items fall; None if every item stands alone.
    worth : float or None
        How many clusters of equal size these are worth.
    covariances : tuple of float
        How the shares of items without a guess and in each bin vary together by
        clusters, times the items: the lower triangle, row by row; empty for
        independent items.
    digest : tuple of str
        A hash of all confidences and outcomes in the order of the rows, which tells
        whether numbered items are the same; empty if none was kept.
    """

    KINDS: ClassVar = (
        FigureKind("error", "the error when it was locked"),
        FigureKind("nonreturn", "the share declined when it was locked"),
        FigureKind("target", "the target"),
        count("items", "items it was chosen on"),
    )

    system: str
    rule: str
    cutoff: float | None
    target: float | None
    of: str
    certainty: float
    items: int
    declined: int
    wrong: int
    no_guess: int
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    design_effects: tuple[float, float]
    signature: str
    sketch: tuple[str, ...] = ()
    max_cluster: int | None = None
    clusters: int | None = None
    worth: float | None = None
    covariances: tuple[float, ...] = ()
    digest: tuple[str, ...] = ()
    wholes: int | None = None
    answered_wholes: int | None = None

    @property
    def nonreturn(self) -> float:
        """Items not answered / all items, when the cutoff was chosen."""
        return self.declined / self.items

    @property
    def error(self) -> float | None:
        """What is answered in error / what `of` says: items or wholes."""
        base = {
            "all": self.items,
            "answered": self.items - self.declined,
            WHOLES: self.wholes,
            ANSWERED_WHOLES: self.answered_wholes,
        }[self.of]
        return self.wrong / base if base else None

    def sentence(self) -> str:
        """What is locked, and what was seen with it."""
        name = f"{self.system}: " if self.system else ""
        cutoff = "never to answer"
        if self.cutoff is not None:
            cutoff = f"the cutoff {self.cutoff}"
        target = "without a target"
        if self.target is not None:
            base = self.of if self.of in OF_WHOLES else f"{self.of} items"
            target = f"for an error of at most {self.target:g} of {base}"
        if self.wholes is not None:
            return (
                f"{name}{cutoff} on parts is locked {target}; of {self.items} parts "
                f"{self.declined} were withheld, and {self.wrong} of {self.wholes} "
                "wholes held a wrong one."
            )
        return (
            f"{name}{cutoff} is locked {target}; of {self.items} items {self.declined} "
            f"were declined and {self.wrong} answered in error."
        )

    def tables(self) -> Sequence[Table]:
        """The lock in a row; what is of wholes only where they are locked."""
        [table] = super().tables()
        if self.wholes is not None:
            return [table]
        kept = [
            place
            for place, column in enumerate(table.columns)
            if column.key not in _OF_WHOLES
        ]
        rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
        columns = tuple(table.columns[place] for place in kept)
        return [replace(table, columns=columns, rows=rows)]

    def to_dict(self) -> dict[str, Any]:
        """The lock as plain values for a JSON file, with the version of its format."""
        plain = super().to_dict()
        if self.wholes is None:  # earlier versions read a lock of items, too
            plain = {name: plain[name] for name in plain if name not in _OF_WHOLES}
        return {FORMAT: VERSION, **plain}

    def write(self, path: str | Path) -> None:
        """Write a file that `demur.read_lock` and ``demur recheck`` read.

        Parameters
        ----------
        path : str or Path
            Of the file, which is written over.
        """
        write_locks([self], path)

    @classmethod
    def from_dict(cls, table: Any, *, where: str = "lock") -> "Lock":
        """A lock from the content of a JSON file, checked throughout.

        Parameters
        ----------
        table : any JSON value
            As `to_dict` gives it.
        where : str
            The file, for messages.

        Returns
        -------
        Lock

        Raises
        ------
        ParseError
            If it is no lock, of another version, or its numbers do not fit together.

        Examples
        --------
        >>> import demur
        >>> demur.Lock.from_dict({"demur-lock": 2})
        Traceback (most recent call last):
        ...
        demur.errors.ParseError: lock: demur-lock must be 1; got 2. A later version of
        demur may have written it.
        """
        if not isinstance(table, dict) or FORMAT not in table:
            hint = "Write one with demur choose --lock."
            got = shown(table)
            raise ParseError(where, "the content", "be a lock of demur", got, hint)
        if type(table[FORMAT]) is not int or table[FORMAT] != VERSION:
            hint = "A later version of demur may have written it."
            got = shown(table[FORMAT])
            raise ParseError(where, FORMAT, f"be {VERSION}", got, hint)
        names = [FORMAT, *(field.name for field in fields(cls))]
        table = {**_EARLIER, **table}
        for name in (*names, *table):
            if (name in table) != (name in names):
                need = "be there" if name in names else "not be there"
                got = "nothing" if name in names else shown(table[name])
                what = f"the key {shown(name)}"
                raise ParseError(where, what, need, got, AGAIN)
        values = {name: _checked_value(where, name, table[name]) for name in names[1:]}
        _check_together(where, values)
        return cls(**values)


class Locks(Results[Lock]):
    """The locks of several systems, a tuple of them.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(correct=[1, 0], confidence=[2, 1])
    >>> kept = demur.lock(outcomes, demur.choose(outcomes, max_error=0.1))
    >>> demur.Locks([kept]).to_dict()["locks"][0]["cutoff"]
    2.0
    """

    PLURAL = "locks"


# -- files -------------------------------------------------------------------------


def write_locks(locks: Iterable[Lock], path: str | Path) -> None:
    """Write a file of locks, one for each system."""
    table = {"demur": __version__, "locks": [lock.to_dict() for lock in locks]}
    text = json.dumps(table, indent=1) + "\n"
    with new_file(path) as file:
        file.write(text.encode())


def read_lock(path: str | Path) -> Lock:
    """The lock in a file that holds one.

    Parameters
    ----------
    path : str or Path
        What `Lock.write` or ``demur choose --lock`` has written.

    Returns
    -------
    Lock

    Raises
    ------
    ParseError
        If the file holds something else, or the locks of several systems.

    Examples
    --------
    >>> import demur, os, tempfile
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     confidence=[0.9, 0.8, 0.6, 0.3], correct=[1, 1, 0, 1])
    >>> kept = demur.lock(outcomes, demur.choose(outcomes, max_error=0.1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "cutoff.json")
    ...     kept.write(path)
    ...     demur.read_lock(path) == kept
    True
    """
    checks.path("read_lock", path)
    locks = read_locks(path)
    if len(locks) > 1:
        names = ", ".join(shown(lock.system) for lock in locks)
        hint = "demur.read_locks reads the locks of several systems."
        raise ParseError(str(path), "the locks", "be of one system", names, hint)
    return locks[0]


def read_locks(path: str | Path) -> Locks:
    """The locks in a file, one for each system.

    Parameters
    ----------
    path : str or Path
        What ``demur choose --lock`` has written.

    Returns
    -------
    Locks
        A tuple of them.

    Raises
    ------
    ParseError
        If the file does not hold what ``demur choose --lock`` writes.

    Examples
    --------
    >>> import demur
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.json")
    ...     with open(path, "w", encoding="utf-8") as file:
    ...         _ = file.write("[]")
    ...     try:
    ...         demur.read_locks(path)
    ...     except demur.ParseError as problem:
    ...         print(problem.must)
    hold a list of locks
    """
    where, hint = str(path), "demur choose --lock writes it."
    checks.path("read_locks", path)
    try:
        text = small_file(path)
    except OSError as problem:
        need, got = "be a file that can be read", problem.strerror or str(problem)
        raise ParseError(where, "the lock", need, got, hint) from None
    return locks_of(text, where)


def locks_of(text: str | bytes, where: str) -> Locks:
    """The locks in the text of a file; where it is, for messages.

    Raises
    ------
    ParseError
        As `read_locks`.
    """
    hint = "demur choose --lock writes it."
    try:
        content = json.loads(text)
    except (UnicodeDecodeError, ValueError, RecursionError) as problem:
        name = type(problem).__name__
        raise ParseError(where, "the file", "be JSON", name, hint) from None
    tables = content.get("locks") if isinstance(content, dict) else None
    if not isinstance(tables, list) or not tables:
        need, got = "hold a list of locks", type(content).__name__
        raise ParseError(where, "the file", need, got, hint)
    locks = Locks(Lock.from_dict(table, where=where) for table in tables)
    for system, n_locks in Counter(lock.system for lock in locks).items():
        if n_locks > 1:
            name = shown(system) if system else "the nameless system"
            need, got = "be one for each system", f"{n_locks} of {name}"
            raise ParseError(where, "the locks", need, got, AGAIN)
    return locks


# -- checks of one key -------------------------------------------------------------


def _need(holds: bool, where: str, name: str, need: str, value: Any) -> None:  # noqa: FBT001
    """Raise unless something holds of a key."""
    if not holds:
        raise ParseError(where, name, need, shown(value), AGAIN)


def _is_number(value: Any, least: float, most: float = sys.float_info.max) -> bool:
    return type(value) in (int, float) and least <= value <= most


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST


def _is_cutoff(value: Any) -> bool:
    return value in ("inf", "-inf") or _is_number(value, -sys.float_info.max)


_TEXT: Final = Kind("be a text", lambda value: isinstance(value, str), str)
_COUNT: Final = Kind("be a whole number from 0 to below 2**53", _is_count, int)
_NUMBER: Final = Kind('be a number, "inf" or "-inf"', _is_cutoff, float)

_KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("system", "rule", "signature", "sketch", "digest"), _TEXT),
    **dict.fromkeys(("items", "declined", "wrong", "no_guess", "counts"), _COUNT),
    **dict.fromkeys(
        ("max_cluster", "clusters", "wholes"),
        Kind(
            "be null or a whole number from 1 to below 2**53",
            lambda value: _is_count(value) and value > 0,
            int,
        ),
    ),
    "answered_wholes": Kind(
        "be null or a whole number from 0 to below 2**53", _is_count, int
    ),
    "worth": Kind(
        "be null or a number from 1 to below 2**53",
        lambda value: _is_number(value, 1, MOST),
        float,
    ),
    "covariances": Kind(
        "be numbers from -2**53 to 2**53", lambda v: _is_number(v, -MOST, MOST), float
    ),
    **dict.fromkeys(("cutoff", "edges"), _NUMBER),
    "target": Kind(
        "be null or a number from 0 to 1", lambda value: _is_number(value, 0, 1), float
    ),
    "of": Kind(
        f"be all, answered, {WHOLES} or {ANSWERED_WHOLES}",
        lambda value: value in ("all", "answered", *OF_WHOLES),
        str,
    ),
    "certainty": Kind(
        "be above 0 and below 1",
        lambda value: _is_number(value, 0, 1) and 0 < value < 1,
        float,
    ),
    "design_effects": Kind(
        "be two numbers from 1 to below 2**53",
        lambda value: _is_number(value, 1, MOST) and value < MOST,
        float,
    ),
}
"""What each key of a lock holds."""

_LISTS: Final = ("edges", "counts", "design_effects", "sketch", "covariances", "digest")
_OF_WHOLES: Final = ("wholes", "answered_wholes")
_OPTIONAL: Final = (
    *("cutoff", "target", "max_cluster", "clusters", "worth"),
    *_OF_WHOLES,
)
_EARLIER: Final[dict[str, Any]] = {
    "sketch": [],
    **dict.fromkeys(("max_cluster", "clusters", "worth", *_OF_WHOLES)),
    "covariances": [],
    "digest": [],
}
"""What a lock that was written before these keys were kept says of them."""


def _checked_value(where: str, name: str, value: Any) -> Any:
    """The value of one key, checked."""
    need, holds, made = _KINDS[name]
    if value is None and name in _OPTIONAL:
        return None
    if name in _LISTS:
        _need(isinstance(value, list), where, name, "be a list", value)
    for held in value if name in _LISTS else [value]:
        _need(holds(held), where, name, need, held)
    return tuple(map(made, value)) if name in _LISTS else made(value)


def _check_together(where: str, values: dict[str, Any]) -> None:
    _check_counts(where, values)
    _check_wholes(where, values)


def _check_wholes(where: str, values: dict[str, Any]) -> None:
    """The wholes of a lock are there if its error is one of wholes, and fit."""
    wholes, answered = (values[name] for name in _OF_WHOLES)
    given = values["of"] in OF_WHOLES
    need = f"be there with of = {WHOLES} alone"
    for name in _OF_WHOLES:
        _need((values[name] is not None) == given, where, name, need, values[name])
    if given:
        need = "be at most wholes, and at least wrong"
        holds = values["wrong"] <= answered <= wholes
        _need(holds, where, "answered_wholes", need, answered)


def _check_counts(where: str, values: dict[str, Any]) -> None:
    items, declined, no_guess = (
        values[name] for name in ("items", "declined", "no_guess")
    )
    edges, counts, effects = (
        values[name] for name in ("edges", "counts", "design_effects")
    )
    clusters, worth, lower = (
        values[name] for name in ("clusters", "worth", "covariances")
    )
    n_cells = len(counts) + 1
    triangle = 0, n_cells * (n_cells + 1) // 2
    rising = all(low < high for low, high in pairwise(edges))
    silent = values["cutoff"] is None
    for holds, name, need in [
        (items > 0, "items", "be at least 1"),
        (declined <= items, "declined", "be at most items"),
        (not silent or declined == items, "declined", "be all items without a cutoff"),
        (no_guess <= declined, "no_guess", "be at most declined"),
        (values["wrong"] <= items - declined, "wrong", "be at most what is answered"),
        (rising, "edges", "rise"),
        (len(counts) == len(edges) + 1, "counts", "be one more than edges"),
        (sum(counts) == items - no_guess, "counts", "add up to items - no_guess"),
        (len(effects) == 2, "design_effects", "be two numbers"),
        ((worth is None) == (clusters is None), "worth", "be there with clusters"),
        (worth is None or worth <= clusters, "worth", "be at most clusters"),
        (len(lower) in triangle, "covariances", "be a triangle of all cells"),
        (clusters or not lower, "covariances", "be of clusters"),
    ]:
        _need(holds, where, name, need, values[name])
