"""How much an input helps a model: information that it can use, item by item."""

import math
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from demur.arrays import Floats
from demur.checks import check_level
from demur.errors import InputError
from demur.outcomes.named_columns import cluster_codes, named_columns
from demur.results import Column, FigureKind, Result, Table, count
from demur.results.text import interval_text
from demur.statistics.ratios import mean_interval

_FIRST = 10


@dataclass(frozen=True, eq=False, repr=False)
class UsableInformation(Result):
    """Bits that the input gives a model about the true answer.

    Parameters
    ----------
    items : int
        Those with both probabilities.
    mean : float
        Bits per item: the information that this family of models can use.
    interval : (float, float) or None
        Over clusters.
    misled : float
        Items on which the input made the true answer less likely / all.
    by : tuple of (group, items, mean)
        Bits per item of each group; empty without groups.
    hardest : tuple of (item, bits)
        The ten items with the least information.
    values : array, shape (n_items,)
        Bits of each item.
    level : float
        Of the interval.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS = (
        FigureKind(
            *("mean", "the information per item", "bits", -math.inf, math.inf),
            better="higher",
        ),
        FigureKind("misled", "the items on which the input misleads"),
        count("items", "items"),
    )

    items: int
    mean: float
    interval: tuple[float, float] | None
    misled: float
    by: tuple[tuple[str, int, float], ...]
    hardest: tuple[tuple[Any, float], ...]
    level: float
    recipe: dict[str, str] = field(default_factory=dict)
    values: Any = field(default=None, repr=False, compare=False)

    def sentence(self) -> str:
        """How many bits an item the input gives, and how often it misleads."""
        ends = interval_text(self.interval, self.level)
        return (
            f"The input gives {self.mean:.3f} bits an item{ends}; on "
            f"{100 * self.misled:.3g} % of {self.items} items it made the true answer "
            "less likely."
        )

    def tables(self) -> tuple[Table, Table]:
        """All items and groups of them; the items with the least information."""
        rows = [("all", self.items, self.mean, self.interval)]
        rows += [(name, items, mean, None) for name, items, mean in self.by]
        hardest = tuple((str(item), bits) for item, bits in self.hardest)
        return (
            Table("", _GROUPS, tuple(rows)),
            Table("Items with the least information", _HARDEST, hardest),
        )


_BITS: Final = "log2 p(answer | input) - log2 p(answer)"
_GROUPS: Final = (
    Column("group"),
    Column("items", cells="count", explained="with both probabilities"),
    Column("mean", "bits per item", "bits", _BITS, digits=3),
    Column("interval", cells="bits", explained="over clusters", digits=3),
)
_HARDEST: Final = (Column("item"), Column("bits", cells="bits", explained=_BITS))


def usable_information(
    probabilities: Any,
    *,
    given: str = "p_with",
    without: str = "p_without",
    item: str = "item",
    by: str | None = None,
    cluster: str | None = None,
    level: float = 0.95,
) -> UsableInformation:
    """Pointwise V-information: log2 p(answer | input) - log2 p(answer).

    Two models of one family, one trained with and one without the input, say how
    probable the true answer of each item is. Items with little information are hard
    for the family.

    Parameters
    ----------
    probabilities : dataframe, mapping of columns, or records
        A row for each item.
    given, without : str
        The columns with the probability of the true answer, above 0 and at most 1.
    item, by, cluster : str, optional
        Columns with names of items (row numbers if there is none), groups, and what
        belongs together.
    level : float
        Of the interval.

    Returns
    -------
    UsableInformation

    Raises
    ------
    InputError
        If a column is not there, or holds no probability.

    References
    ----------
    Xu et al. (2020), "A theory of usable information under computational constraints";
    Ethayarajh, Choi and Swayamdipta (2022), "Understanding dataset difficulty with
    V-usable information".

    Examples
    --------
    >>> import demur
    >>> found = demur.usable_information(
    ...     {"p_with": [0.5, 1.0, 0.25], "p_without": [0.25, 0.5, 0.5]})
    >>> found.values.tolist(), round(found.mean, 3)
    ([1.0, 1.0, -1.0], 0.333)
    """
    where = "usable_information"
    check_level(where, level)
    wanted = [given, without, *(name for name in (by, cluster) if name is not None)]
    named = named_columns(where, probabilities, wanted, [item])
    if not len(named):
        raise InputError(where, "the table", "hold at least one row", "none")
    first, second = (
        _probabilities(named.columns[name], name, named) for name in (given, without)
    )
    bits = np.log2(first) - np.log2(second)
    items = named.columns[item] if named.has(item) else range(len(bits))
    order = np.argsort(bits, kind="stable")[:_FIRST].tolist()
    return UsableInformation(
        items=len(bits),
        mean=float(bits.mean()),
        interval=mean_interval(bits, cluster_codes(named, cluster), level),
        misled=float((bits < 0).mean()),
        by=_by(bits, None if by is None else named.codes(by)),
        hardest=tuple((items[k], float(bits[k])) for k in order),
        level=level,
        recipe={
            "information": f"{given} over {without}",
            **({} if by is None else {"by": by}),
            **({} if cluster is None else {"cluster": cluster}),
            "level": f"{level:g}",
            "items": str(len(bits)),
        },
        values=bits,
    )


def _probabilities(column: Any, name: str, named: Any) -> Floats:
    probabilities = np.empty(len(column))
    for row, value in enumerate(column):
        try:
            probabilities[row] = float(value)
        except (TypeError, ValueError):
            probabilities[row] = np.nan
        if not 0 < probabilities[row] <= 1:
            need = "be a probability above 0 and at most 1"
            hint = "A model that rules the answer out has no bits; smooth it."
            raise InputError(named.place(row), name, need, repr(value), hint)
    return probabilities


def _by(bits: Floats, groups: Any) -> tuple[tuple[str, int, float], ...]:
    if groups is None:
        return ()
    codes, names = groups
    sizes, sums = np.bincount(codes), np.bincount(codes, bits)
    return tuple(
        (str(name), int(n), float(total / n))
        for name, n, total in zip(names, sizes, sums, strict=True)
    )
