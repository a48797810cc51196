"""How the clusters of both sides overlap: all that a coreference measure looks at."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from demur.arrays import Positions
from demur.metrics.coreference.clusters import Clusters, Mention


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Clusters of all documents, numbered from 0 on each side, and what they share.

    Parameters
    ----------
    n_documents : int
        Numbered from 0.
    true_size, given_size : array of int, shape (n_clusters,)
        Mentions of each cluster of the references, and of the hypotheses.
    true_document, given_document : array of int, shape (n_clusters,)
        The document of each.
    true, given, shared : array of int, shape (n_overlaps,)
        Two clusters that share mentions, and how many.
    """

    n_documents: int
    true_size: Positions
    true_document: Positions
    given_size: Positions
    given_document: Positions
    true: Positions
    given: Positions
    shared: Positions

    @property
    def document(self) -> Positions:
        """The document of each overlap."""
        return self.true_document[self.true]


def overlaps_of(
    references: Sequence[Clusters], hypotheses: Sequence[Clusters]
) -> Overlaps:
    """Overlaps of documents in which each mention is in one cluster of a side.

    Examples
    --------
    >>> overlaps = overlaps_of([[["a", "b"], ["c"]]], [[["a", "b", "c"]]])
    >>> overlaps.true.tolist(), overlaps.given.tolist(), overlaps.shared.tolist()
    ([0, 1], [0, 0], [2, 1])
    """
    true: list[int] = []
    given: list[int] = []
    shared: list[int] = []
    n_true = n_given = 0
    for of_document, hypothesis in zip(references, hypotheses, strict=True):
        holder: dict[Mention, int] = {}
        for cluster in of_document:
            holder.update(dict.fromkeys(cluster, n_true))
            n_true += 1
        for cluster in hypothesis:
            held = Counter(map(holder.get, cluster))
            held.pop(None, None)
            true += held  # type: ignore[arg-type]  # the keys that are not None
            given += [n_given] * len(held)
            shared += held.values()
            n_given += 1
    true_size, true_document = _sizes(references)
    given_size, given_document = _sizes(hypotheses)
    return Overlaps(
        n_documents=len(references),
        true_size=true_size,
        true_document=true_document,
        given_size=given_size,
        given_document=given_document,
        true=np.array(true, np.int64),
        given=np.array(given, np.int64),
        shared=np.array(shared, np.int64),
    )


def _sizes(documents: Sequence[Clusters]) -> tuple[Positions, Positions]:
    """The size and the document of each cluster."""
    sizes = [len(cluster) for clusters in documents for cluster in clusters]
    many = [len(clusters) for clusters in documents]
    document = np.repeat(np.arange(len(documents)), many)
    return np.array(sizes, np.int64), document
