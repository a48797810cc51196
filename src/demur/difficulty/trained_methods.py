"""Simple methods that choose among the values of a markable, learned on other items.

Each gives every value a score; the item's own fold is never learned from. Methods see
the markable and words around the item, and choose among the values that the markable
has anywhere in the table, so that each version of a task has its own closed set.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.difficulty.tasks import MarkableTask
from demur.errors import MissingExtra

SMOOTHING: Final = 0.3
"""How many items the share of a word beside the markable is worth to naive Bayes."""
PRIOR: Final = 0.5
"""What every method adds to the count of each value."""
_BLOCK: Final = 200_000
"""So many pairs of an item and a value are scored at once."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """What a method chose for each item.

    Parameters
    ----------
    pair : array of int, shape (n_items,)
        The markable and the value; -1 where the markable was never learned.
    bits : array of float64, shape (n_items,)
        Minus log2 of the probability of the true value.
    share : array of float64, shape (n_items,)
        The probability of the value chosen.
    """

    pair: Positions
    bits: Floats
    share: Floats


@dataclass(frozen=True, eq=False)
class Fold:
    """What is learned from, and for which items values are to be scored.

    Parameters
    ----------
    task : MarkableTask
        All items, those that are asked and those that are learned from.
    words : scipy sparse matrix, shape (n_items, n_words), or None
        Which words stand beside each item; None for a method that looks at none.
    learned, asked : array of int
        Items.
    count : array of int, shape (n_pairs,)
        Of the items that are learned from.
    row, pair : array of int, shape (n_candidates,)
        Each candidate value of each item that is asked: its place among these, and the
        pair.
    """

    task: MarkableTask
    words: Any
    learned: Positions
    asked: Positions
    count: Positions
    row: Positions
    pair: Positions

    @property
    def begins(self) -> Positions:
        """Where the candidates of each item begin."""
        return np.flatnonzero(np.append(True, self.row[1:] != self.row[:-1]))

    @property
    def prior(self) -> Floats:
        """Logarithms of the candidates' shares, smoothed."""
        smoothed = self.count + PRIOR
        sizes = np.bincount(self.task.markable, smoothed, len(self.task.markables))
        logs: Floats = np.log(smoothed / sizes[self.task.markable])[self.pair]
        return logs


def folds_of(task: MarkableTask, folds: int, seed: int) -> Positions:
    """The fold of each item; whole clusters are in one."""
    n_units = len(task)
    unit = np.arange(n_units)
    if task.cluster is not None:
        names, unit = np.unique(task.cluster, return_inverse=True)
        n_units = len(names)
    drawn = np.random.default_rng(seed).permutation(n_units) % folds
    return drawn[unit]


def words_of(columns: Sequence[Sequence[Any]]) -> Any:
    """The words of some columns as a sparse matrix; each column has its own words."""
    from scipy.sparse import csr_matrix

    known: dict[tuple[int, str], int] = {}
    cells: list[list[int]] = []
    for number, column in enumerate(columns):
        of_text: dict[str, list[int]] = {}  # texts are few where columns are long
        for text in map(str, column):
            if text not in of_text:
                of_text[text] = [
                    known.setdefault((number, word), len(known))
                    for word in text.split()
                ]
            cells.append(of_text[text])
    n_rows = len(columns[0])
    rows = np.repeat(np.tile(np.arange(n_rows), len(columns)), [*map(len, cells)])
    places = np.fromiter(chain.from_iterable(cells), np.int64, len(rows))
    shape = (n_rows, len(known))
    words = csr_matrix((np.ones(len(rows)), (rows, places)), shape=shape)
    words.data = np.minimum(words.data, 1.0)
    return words


def cross_fitted(
    task: MarkableTask, words: Any, method: str, *, folds: int, seed: int
) -> Chosen:
    """What a method chooses for each item, learned on the other folds.

    What it finds is weighed against the share of each value, by the weight of a few
    that makes the true values of the other folds most likely: scores of simple methods
    are far too sure.
    """
    fold = folds_of(task, folds, seed)
    parts = [_fold(task, words, fold == number) for number in range(folds)]
    evidence_of = [METHODS[method](one) for one in parts]
    costs = np.array(
        [
            [_bits(one, _scores(one, evidence, weight))[0].sum() for weight in WEIGHTS]
            for one, evidence in zip(parts, evidence_of, strict=True)
        ]
    )
    n = len(task)
    pair, bits, share = np.full(n, -1), np.zeros(n), np.zeros(n)
    for number, (one, evidence) in enumerate(zip(parts, evidence_of, strict=True)):
        others = np.delete(costs, number, axis=0).sum(axis=0)
        scores = _scores(one, evidence, WEIGHTS[int(np.argmin(others))])
        bits[one.asked], odds = _bits(one, scores)
        first = _best(one, scores)
        share[one.asked] = odds[first]
        known = np.bincount(task.markable, one.count)[task.markable[one.pair[first]]]
        pair[one.asked] = np.where(known > 0, one.pair[first], -1)
    return Chosen(pair, bits, share)


WEIGHTS: Final = (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 8, 12, 20)
"""What the scores of a method may be multiplied by."""


def _fold(task: MarkableTask, words: Any, is_asked: Flags) -> Fold:
    asked, learned = np.flatnonzero(is_asked), np.flatnonzero(~is_asked)
    begins = np.searchsorted(task.markable, np.arange(len(task.markables) + 1))
    owner = task.markable[task.pair[asked]]
    sizes = begins[owner + 1] - begins[owner]
    row, pair = _runs(begins[owner], sizes)
    return Fold(
        task=task,
        words=words,
        learned=learned,
        asked=asked,
        count=np.bincount(task.pair[learned], minlength=len(task.markable)),
        row=row,
        pair=pair,
    )


def _scores(fold: Fold, evidence: Floats | None, weight: float) -> Floats:
    return fold.prior if evidence is None else fold.prior + weight * evidence


def _bits(fold: Fold, scores: Floats) -> tuple[Floats, Floats]:
    """Of each item the bits of its true value; of each candidate its probability."""
    begins = fold.begins
    best = np.maximum.reduceat(scores, begins)
    odds = np.exp(scores - best[fold.row])
    odds /= np.add.reduceat(odds, begins)[fold.row]
    true = fold.pair == fold.task.pair[fold.asked][fold.row]
    return -np.log2(np.maximum(odds[true], _LEAST)), odds


_LEAST: Final = 1e-300


def _best(fold: Fold, scores: Floats) -> Positions:
    """The best candidate of each item; of equal ones the more frequent, then first."""
    order = np.lexsort((-fold.count[fold.pair], -scores, fold.row))
    return order[fold.begins]


# -- methods: what each finds for each candidate, beyond the share of its value --------


def _majority(_: Fold) -> None:
    """Nothing: the share of each value is all there is."""


def _naive_bayes(fold: Fold) -> Floats:
    """Logarithms of the shares of its words beside each value.

    These are (items with the word and the value + k times the share of the word beside
    the markable) / (items with the value + k), so that a word that is new says nothing
    but that the value is frequent enough to have been seen with it.
    """
    task = fold.task
    of_pair = _by_pair(fold, fold.words)
    of_markable = _sums(task.markable, len(task.markables)) @ of_pair
    of_markable.data = 1 / of_markable.data
    items = np.bincount(task.markable, fold.count, len(task.markables))
    shares = of_pair.multiply(of_markable[task.markable]).tocsr()
    owner = np.repeat(task.markable, np.diff(shares.indptr))
    shares.data = np.log1p(shares.data * items[owner] / SMOOTHING)
    size = np.diff(fold.words.indptr)[fold.asked][fold.row]
    likely: Floats = _at_words(fold, shares)
    likely -= size * np.log1p(fold.count / SMOOTHING)[fold.pair]
    return likely


def _tf_idf(fold: Fold) -> Floats:
    """Cosines of tf-idf vectors with the sum of those of each value."""
    weighed = _weighed(fold)
    centres = _by_pair(fold, weighed)
    length = np.sqrt(np.asarray(centres.multiply(centres).sum(axis=1)).ravel())
    lengths = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel())
    products = _at_words(fold, centres, weighed)
    sizes = length[fold.pair] * lengths[fold.asked][fold.row]
    cosine: Floats = np.where(
        sizes > 0, products / np.where(sizes > 0, sizes, 1.0), 0.0
    )
    return cosine


def _k_means(fold: Fold) -> Floats:
    """As many clusters of each markable's items as it has values, named by majority."""
    try:
        from sklearn.cluster import KMeans
    except ImportError:
        raise MissingExtra("learn", "k-means") from None
    task, weighed = fold.task, _weighed(fold)
    scores = np.zeros(len(fold.row))
    markable = task.markable[task.pair]
    asked = markable[fold.asked]
    learned_of = _rows_by(markable[fold.learned], fold.learned, len(task.markables))
    asked_of = _rows_by(asked, np.arange(len(asked)), len(task.markables))
    of_candidate = asked[fold.row]
    candidates = _rows_by(of_candidate, np.arange(len(fold.row)), len(task.markables))
    for number in range(len(task.markables)):
        learned, rows = learned_of[number], asked_of[number]
        values = int((task.markable == number).sum())
        if not len(rows) or values < 2 or len(learned) <= values:
            continue
        model = KMeans(values, n_init=1, random_state=0).fit(weighed[learned])
        place = model.predict(weighed[fold.asked[rows]])
        times = np.bincount(
            model.labels_ * len(task.markable) + task.pair[learned],
            minlength=values * len(task.markable),
        ).reshape(values, -1)
        here = candidates[number]
        clusters = place[np.searchsorted(rows, fold.row[here])]  # rows are sorted
        seen = (times + PRIOR) / (times.sum(axis=0) + PRIOR * values)
        scores[here] = np.log(seen[clusters, fold.pair[here]])
    return scores


METHODS: Final[dict[str, Callable[[Fold], Floats | None]]] = {
    "majority": _majority,
    "naive-bayes": _naive_bayes,
    "tf-idf": _tf_idf,
    "k-means": _k_means,
}
"""Methods by name; all but the first look at words."""


def _by_pair(fold: Fold, words: Any) -> Any:
    """Sums of the words of the items that were learned from, for each pair."""
    pairs = fold.task.pair[fold.learned]
    return _sums(pairs, len(fold.task.markable)) @ words[fold.learned]


def _sums(group: Positions, n_groups: int) -> Any:
    """The sparse matrix that adds up the rows of each group."""
    from scipy.sparse import csr_matrix

    ones = (np.ones(len(group)), (group, np.arange(len(group))))
    return csr_matrix(ones, shape=(n_groups, len(group)))


def _at_words(fold: Fold, of_pairs: Any, words: Any = None) -> Floats:
    """For each candidate, the sum of what its pair has at the words of its item."""
    asked = (fold.words if words is None else words)[fold.asked]
    of_pairs.sum_duplicates()  # sorted, so that scipy looks values up by halving
    sizes = np.diff(asked.indptr)
    sums = np.zeros(len(fold.row))
    for start in range(0, len(sums), _BLOCK):
        rows, pairs = (every[start : start + _BLOCK] for every in (fold.row, fold.pair))
        candidate, place = _runs(asked.indptr[rows], sizes[rows])
        worth = np.asarray(of_pairs[pairs[candidate], asked.indices[place]]).ravel()
        sums[start : start + _BLOCK] = np.bincount(
            candidate, worth * asked.data[place], len(rows)
        )
    return sums


def _runs(begins: Positions, sizes: Positions) -> tuple[Positions, Positions]:
    """Of runs of positions one after the other: the run of each, and the positions."""
    run = np.repeat(np.arange(len(sizes)), sizes)
    inside = np.arange(len(run)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return run, begins[run] + inside


def _weighed(fold: Fold) -> Any:
    """The words by tf-idf, as the items that were learned from have them."""
    try:
        from sklearn.feature_extraction.text import TfidfTransformer
    except ImportError:
        raise MissingExtra("learn", "tf-idf") from None
    return TfidfTransformer().fit(fold.words[fold.learned]).transform(fold.words)


def _rows_by(group: Positions, rows: Positions, n_groups: int) -> list[Positions]:
    """Rows of each group."""
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=n_groups))
    return np.split(rows[order], ends[:-1])
