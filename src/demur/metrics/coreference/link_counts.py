"""Coreference measures as sums over documents: what is right, true and given."""

from collections.abc import Callable
from typing import Final

import numpy as np

from demur.arrays import Floats, Positions
from demur.metrics.coreference.matching import best_matching
from demur.metrics.coreference.overlaps import Overlaps

MEASURES: Final = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc")
"""As the scorers of CoNLL call them: mentions found; links (Vilain et al. 1995);
mentions by their clusters (Bagga and Baldwin 1998); clusters matched one to one, by
mentions and by entities (Luo 2005); entities by their links (Moosavi and Strube 2016);
links and what is not linked (Recasens and Hovy 2011; Luo et al. 2014)."""

CONLL: Final = ("muc", "bcub", "ceafe")
"""The measures whose mean F the shared tasks of CoNLL-2011 and 2012 rank by."""


def document_sums(overlaps: Overlaps) -> dict[str, Floats]:
    """What each document adds to each measure.

    Parameters
    ----------
    overlaps : Overlaps

    Returns
    -------
    dict of str to array of float, shape (n_documents, 4)
        By measure: what is right and what is true, for recall; what is right and what
        is given, for precision. Of BLANC shape (n_documents, 6): links right, true,
        given; and pairs in two clusters right, true, given.

    Examples
    --------
    >>> from demur.metrics.coreference.overlaps import overlaps_of
    >>> overlaps = overlaps_of([[[*"abcd"]]], [[[*"ab"], [*"cd"]]])
    >>> document_sums(overlaps)["muc"].tolist()  # 2 of 3 links, from Vilain et al.
    [[2.0, 3.0, 2.0, 2.0]]
    """
    true, given = overlaps.true_size, overlaps.given_size
    of_true, of_given = true[overlaps.true], given[overlaps.given]
    shared = overlaps.shared
    entities = 2 * shared / (of_true + of_given)
    by_mentions = shared * best_matching(overlaps, shared.astype(float))
    by_entities = entities * best_matching(overlaps, entities)
    linked = _links(shared) + (shared == 1) * (of_true == 1) * (of_given == 1)
    ones = np.ones_like
    sums = {
        "mentions": (shared, true, shared, given),
        "muc": (shared - 1, true - 1, shared - 1, given - 1),
        "bcub": (shared**2 / of_true, true, shared**2 / of_given, given),
        "ceafm": (by_mentions, true, by_mentions, given),
        "ceafe": (by_entities, ones(true), by_entities, ones(given)),
        "lea": (
            of_true * linked / np.maximum(_links(of_true), 1),
            true,
            of_given * linked / np.maximum(_links(of_given), 1),
            given,
        ),
    }
    documents = overlaps.document, overlaps.true_document, overlaps.given_document
    right, is_true, is_given = documents
    where = right, is_true, right, is_given
    counted = {
        name: np.column_stack(
            [
                _by_document(amounts, document, overlaps.n_documents)
                for amounts, document in zip(columns, where, strict=True)
            ]
        )
        for name, columns in sums.items()
    }
    return counted | {"blanc": _blanc(overlaps)}


def _blanc(overlaps: Overlaps) -> Floats:
    """Right, true and given links of each document, and pairs that are not linked."""
    n, document = overlaps.n_documents, overlaps.document
    shared = _by_document(overlaps.shared, document, n)
    true = _by_document(overlaps.true_size, overlaps.true_document, n)
    given = _by_document(overlaps.given_size, overlaps.given_document, n)
    links = _by_document(_links(overlaps.shared), document, n)
    true_links = _by_document(_links(overlaps.true_size), overlaps.true_document, n)
    given_links = _by_document(_links(overlaps.given_size), overlaps.given_document, n)
    # Of the mentions that both sides have, pairs linked on one side or on both.
    on_one_side = np.zeros(n)
    for cluster, documents in (
        (overlaps.true, overlaps.true_document),
        (overlaps.given, overlaps.given_document),
    ):
        held = np.bincount(cluster, overlaps.shared, len(documents))
        on_one_side += _by_document(_links(held), documents, n)
    apart = _links(shared) - on_one_side + links
    return np.column_stack(
        [
            *(links, true_links, given_links),
            *(apart, _links(true) - true_links, _links(given) - given_links),
        ]
    )


def _links(mentions: Positions | Floats) -> Floats:
    """Pairs of so many mentions."""
    pairs: Floats = mentions * (mentions - 1) / 2
    return pairs


def _by_document(amounts: Positions | Floats, document: Positions, n: int) -> Floats:
    return np.bincount(document, amounts, n).astype(np.float64)


# -- what the sums say -----------------------------------------------------------------


def precision(sums: Floats) -> Floats:
    """Right of what is given; NaN where nothing is."""
    return _over(sums[..., 2], sums[..., 3])


def recall(sums: Floats) -> Floats:
    """Right of what is true; NaN where nothing is."""
    return _over(sums[..., 0], sums[..., 1])


def f_score(sums: Floats) -> Floats:
    """F of both, 0 if one has no value; NaN where nothing is given nor true."""
    return _f(recall(sums), precision(sums))


def blanc_precision(sums: Floats) -> Floats:
    """The mean precision of links and of pairs that are not linked: see `_mean`."""
    return _mean(sums, precision)


def blanc_recall(sums: Floats) -> Floats:
    """The mean recall of links and of pairs that are not linked: see `_mean`."""
    return _mean(sums, recall)


def blanc_f(sums: Floats) -> Floats:
    """The mean F of links and of pairs that are not linked: see `_mean`."""
    return _mean(sums, f_score)


def conll(sums: Floats) -> Floats:
    """The mean of three F, whose sums stand side by side; NaN if one has no value."""
    parts = [f_score(sums[..., at : at + 4]) for at in range(0, 4 * len(CONLL), 4)]
    mean: Floats = np.mean(parts, axis=0)
    return mean


FIGURES: Final = {
    name: (precision, recall, f_score)
    if name != "blanc"
    else (blanc_precision, blanc_recall, blanc_f)
    for name in MEASURES
}
"""Precision, recall and F of each measure, from sums of shape (..., 4 or 6)."""


def _mean(sums: Floats, figure: Callable[[Floats], Floats]) -> Floats:
    """A figure of links and of pairs that are not linked: their mean.

    Where the references have none of a kind, the other counts alone; a precision of
    none given of a kind is 0 (Luo et al. 2014, section 4.3). NaN where a figure of both
    kinds at once is.
    """
    right, true, given = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
    amounts = np.stack([right, true, right, given], axis=-1)
    of_kinds = np.nan_to_num(figure(amounts))
    kinds = true > 0
    mean = (of_kinds * kinds).sum(axis=-1) / np.maximum(kinds.sum(axis=-1), 1)
    return np.where(np.isnan(figure(amounts.sum(axis=-2))), np.nan, mean)


def _f(first: Floats, second: Floats) -> Floats:
    undefined = np.isnan(first) & np.isnan(second)
    first, second = np.nan_to_num(first), np.nan_to_num(second)
    harmonic = np.nan_to_num(_over(2 * first * second, first + second))
    return np.where(undefined, np.nan, harmonic)


def _over(above: Floats, below: Floats) -> Floats:
    ratio: Floats = np.divide(
        above, below, out=np.full(np.shape(above), np.nan), where=below > 0
    )
    return ratio
