"""The best matching of clusters one to one, as CEAF asks for."""

from typing import Final

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.metrics.coreference.overlaps import Overlaps

_DENSE: Final = 4_000_000
"""Pairs of clusters that are held at once; of more, only those that overlap."""


def best_matching(overlaps: Overlaps, similarity: Floats) -> Flags:
    """Which overlaps are matched, so that the sum of their similarities is greatest.

    Clusters that overlap with each other by any way of detours are matched apart from
    all others, so that most matchings are of a few clusters.

    Parameters
    ----------
    overlaps : Overlaps
    similarity : array of float, shape (n_overlaps,)
        Above 0. Of clusters that do not overlap it is 0.

    Returns
    -------
    array of bool, shape (n_overlaps,)

    Examples
    --------
    >>> from demur.metrics.coreference.overlaps import overlaps_of
    >>> overlaps = overlaps_of([[["a", "b"], ["c"]]], [[["a", "c"], ["b"]]])
    >>> best_matching(overlaps, np.array([0.5, 0.6, 0.6])).tolist()
    [False, True, True]
    """
    matched = np.zeros(len(similarity), bool)
    if not len(similarity):
        return matched
    group = _groups(overlaps)
    order = np.lexsort((-similarity, group))
    begins = np.flatnonzero(np.diff(group[order], prepend=-1))
    one_sided = _is_star(overlaps.true, group) | _is_star(overlaps.given, group)
    is_simple = one_sided[group[order[begins]]]
    # Of one cluster with several others the most similar is matched.
    matched[order[begins[is_simple]]] = True
    ends = np.append(begins[1:], len(order))
    for begin, end in zip(begins[~is_simple], ends[~is_simple], strict=True):
        rows = order[begin:end]
        true = np.unique(overlaps.true[rows], return_inverse=True)[1]
        given = np.unique(overlaps.given[rows], return_inverse=True)[1]
        matched[rows] = _matched(true, given, similarity[rows])
    return matched


def _groups(overlaps: Overlaps) -> Positions:
    """Overlaps by the clusters that hang together, numbered from 0."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_true, n_given = len(overlaps.true_size), len(overlaps.given_size)
    ends = overlaps.true, overlaps.given + n_true
    size = n_true + n_given
    graph = coo_array((np.ones(len(ends[0]), bool), ends), shape=(size, size))
    component = connected_components(graph, directed=False)[1]
    groups: Positions = np.unique(component[overlaps.true], return_inverse=True)[1]
    return groups


def _is_star(cluster: Positions, group: Positions) -> Flags:
    """Which groups have a single cluster of this side."""
    first = np.unique(cluster, return_index=True)[1]
    single: Flags = np.bincount(group[first], minlength=int(group.max()) + 1) == 1
    return single


def _matched(true: Positions, given: Positions, similarity: Floats) -> Flags:
    n_true, n_given = int(true.max()) + 1, int(given.max()) + 1
    if n_true * n_given > _DENSE:
        partner = _sparsely_matched(true, given, similarity)
    else:
        from scipy.optimize import linear_sum_assignment

        table = np.zeros((n_true, n_given))
        table[true, given] = similarity
        rows, columns = linear_sum_assignment(table, maximize=True)
        partner = np.full(n_true, -1)
        partner[rows] = columns
    chosen: Flags = partner[true] == given
    return chosen


def _sparsely_matched(
    true: Positions, given: Positions, similarity: Floats
) -> Positions:
    """The partner of each true cluster, without a table of all pairs.

    Each true cluster may also be matched with a stand-in of its own, at similarity 0.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n_true, n_given = int(true.max()) + 1, int(given.max()) + 1
    alone = np.arange(n_true)
    worst = float(similarity.max()) + 1  # as a cost of 0 would be no pair
    costs = np.r_[worst - similarity, np.full(n_true, worst)]
    pairs = np.r_[true, alone], np.r_[given, n_given + alone]
    table = coo_array((costs, pairs), shape=(n_true, n_given + n_true)).tocsr()
    partner: Positions = min_weight_full_bipartite_matching(table)[1]
    return partner
