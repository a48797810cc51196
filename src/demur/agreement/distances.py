"""How far two labels are from each other, by the name of the metric."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from demur.arrays import Floats, Positions
from demur.checks import choice, number
from demur.errors import InputError, shown

NUMERIC: Final = ("ordinal", "interval", "ratio")
SETS: Final = ("jaccard", "masi", "masi-dkpro", "passonneau2004")
METRICS: Final = ("nominal", *NUMERIC, *SETS)

_LARGEST: Final = 1e150  # whose square is a number yet
_ROWS: Final = 2_000_000  # entries of a block of distances

Pairs = Callable[[Positions, Positions], Floats]
Metric = str | Callable[[Any, Any], float]


class Distances:
    """The distances between labels, for pairs and against all.

    Parameters
    ----------
    metric : str or callable
        ``nominal``: 0 or 1. ``ordinal``, ``interval``, ``ratio``: Krippendorff's,
        which are squares. ``jaccard``: 1 - shared / all members. ``masi``: 1 -
        Jaccard index times 1, 2/3, 1/3 or 0, if sets are equal, one holds the other,
        they overlap, or share nothing (Passonneau 2006). ``masi-dkpro``: the Jaccard
        distance times 0, 1/3, 2/3 or 1, as DKPro has it, and 1/3 if one set is empty.
        ``passonneau2004``: these factors alone. A callable gets two labels.
    labels : sequence
        Of sets, an empty one is at distance 0 from another empty one, and 1 from all
        others under jaccard and masi.
    counts : array, shape (n_labels,)
        How often each was given to be compared: ``ordinal`` ranks by it, ``interval``
        is centred on it.

    Raises
    ------
    InputError
        If the labels are not of the kind that the metric needs.
    """

    def __init__(self, metric: Metric, labels: Sequence[Any], counts: Floats) -> None:
        self.labels = labels
        self.size = len(labels)
        self.values: Floats = np.empty(0)  # of numeric labels
        self._members: Any = None
        if callable(metric):
            self.pairs: Pairs = self._called(metric)
            return
        choice("agreement", "metric", metric, METRICS)
        self._check(metric)
        if metric == "nominal":
            self.pairs = lambda a, b: (a != b).astype(float)
        elif metric in NUMERIC:
            self.values = _numeric_values(metric, labels, counts)
            self.pairs = self._ratios if metric == "ratio" else self._squares
        else:
            self._metric = metric
            self._prepare_sets()
            self.pairs = self._of_sets

    def _check(self, metric: str) -> None:
        sets = any(isinstance(label, frozenset) for label in self.labels)
        odd = [label for label in self.labels if not _fits(label)]
        if metric in SETS and not sets and self.size:
            need, hint = "be sets", "A list of labels is a set of them."
            odd = [*self.labels]
        elif metric in NUMERIC and odd:
            need = f"be numbers below {_LARGEST:g}"
            hint = "For texts in an order, give their ranks."
        elif metric == "ratio" and min(self.labels, default=0) < 0:
            # Numbers of both signs may have the sum 0, by which nothing is divided.
            need, hint = "be 0 or more", "Take interval where 0 is no least value."
            odd = [label for label in self.labels if label < 0]
        else:
            return
        got = shown(odd[0])
        raise InputError("agreement", f"labels for {metric}", need, got, hint)

    def rows(self) -> Iterator[tuple[slice, Floats]]:
        """All distances, a block of rows at a time."""
        height = max(_ROWS // max(self.size, 1), 1)
        for start in range(0, self.size, height):
            stop = min(start + height, self.size)
            if self._members is not None:
                yield slice(start, stop), self._set_block(start, stop)
                continue
            first = np.repeat(np.arange(start, stop), self.size)
            second = np.tile(np.arange(self.size), stop - start)
            block = self.pairs(first, second)
            yield slice(start, stop), block.reshape(stop - start, self.size)

    # -- numbers -----------------------------------------------------------------------

    def _squares(self, first: Positions, second: Positions) -> Floats:
        difference = self.values[first] - self.values[second]
        squares: Floats = difference * difference
        return squares

    def _ratios(self, first: Positions, second: Positions) -> Floats:
        one, other = self.values[first], self.values[second]
        total = one + other
        share = np.divide(one - other, total, out=np.zeros(len(one)), where=total != 0)
        squares: Floats = share * share
        return squares

    def _called(self, metric: Callable[[Any, Any], float]) -> Pairs:
        def pairs(first: Positions, second: Positions) -> Floats:
            both = zip(first.tolist(), second.tolist(), strict=True)
            return np.array([distance(a, b) if a != b else 0.0 for a, b in both])

        def distance(one: int, other: int) -> float:
            apart = metric(self.labels[one], self.labels[other])
            if not isinstance(apart, (bool, np.bool_)):
                number("agreement", "what the metric returns", apart, 0)
            return float(apart)

        return pairs

    # -- sets --------------------------------------------------------------------------

    def _prepare_sets(self) -> None:
        from scipy import sparse

        members: dict[Any, int] = {}
        rows, columns = [], []
        for row, label in enumerate(self.labels):
            for member in label:
                rows.append(row)
                columns.append(members.setdefault(member, len(members)))
        shape = (self.size, max(len(members), 1))
        ones = np.ones(len(rows))
        self._members = sparse.csr_matrix((ones, (rows, columns)), shape)
        self._sizes = np.asarray(self._members.sum(axis=1)).ravel()

    def _of_sets(self, first: Positions, second: Positions) -> Floats:
        shared = self._members[first].multiply(self._members[second]).sum(axis=1)
        sizes = self._sizes[first], self._sizes[second]
        return _of_shared(self._metric, np.asarray(shared).ravel(), *sizes)

    def _set_block(self, start: int, stop: int) -> Floats:
        shared = (self._members[start:stop] @ self._members.T).toarray()
        sizes = self._sizes[start:stop, None], self._sizes[None, :]
        return _of_shared(self._metric, shared, *sizes)


def _fits(label: Any) -> bool:
    """Whether a label is a number whose differences can be squared."""
    return isinstance(label, (int, float)) and abs(label) < _LARGEST


def _numeric_values(metric: str, labels: Sequence[Any], counts: Floats) -> Floats:
    """The numbers whose differences are squared: of ordinal ones the middle ranks."""
    values = np.array([float(label) for label in labels])
    if metric == "ordinal":
        order = np.argsort(values, kind="stable")
        ordered = counts[order]
        ranks = np.empty(len(values))
        ranks[order] = np.cumsum(ordered) - ordered / 2
        return ranks
    if metric == "interval" and (counts > 0).any():
        # Of what is compared: another label, however far off, must not cost digits.
        values = values - np.average(values, weights=counts)
    return values


def _of_shared(metric: str, shared: Floats, one: Any, other: Any) -> Floats:
    """Distances of sets, from how many members they share and have."""
    union = one + other - shared
    index = np.divide(shared, union, out=np.ones_like(shared), where=union > 0)
    if metric == "jaccard":
        jaccard: Floats = 1 - index
        return jaccard
    least = np.minimum(one, other) + np.zeros_like(shared)
    # 0 equal, 1/3 one holds the other, 2/3 overlap, 1 nothing shared; by all but MASI
    # itself an empty set is part of every set.
    apart = (shared == 0) & ((least > 0) | (metric == "masi"))
    step = np.where(shared == least, 1 / 3, 2 / 3)
    step = np.where(union == shared, 0.0, np.where(apart, 1.0, step))
    if metric == "passonneau2004":
        return step
    if metric == "masi-dkpro":
        dkpro: Floats = np.where(least == 0, step, step * (1 - index))
        return dkpro
    masi: Floats = 1 - index * (1 - step)
    return masi
