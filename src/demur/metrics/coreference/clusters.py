"""Clusters of mentions of documents: read from values, without what stands twice."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from demur.errors import InputError, shown

Mention = tuple[int, int] | str
"""First and last word, or a name."""
Clusters = list[list[Mention]]
"""Of a document."""

_HINT: Final = (
    "Such as [[[0, 1], [7, 7]], [[3, 4], [9, 9]]]: two clusters of two mentions, each "
    "its first and last word."
)


def clusters_of(place: str, name: str, value: Any) -> Clusters:
    """Clusters as lists of mentions; a mention is its first and last word, or a name.

    Raises
    ------
    InputError
        If a value is no list of clusters, or a mention is none.

    Examples
    --------
    >>> clusters_of("row 1", "ref", [[[0, 1], [7, 7]], ("it", "them")])
    [[(0, 1), (7, 7)], ['it', 'them']]
    """
    clusters = []
    for cluster in _listed(place, name, "a list of clusters", value):
        mentions = _listed(place, f"a cluster of {name}", "a list of mentions", cluster)
        if not mentions:
            need, hint = "have a mention", "Leave empty clusters out."
            raise InputError(place, f"a cluster of {name}", need, "none", hint)
        clusters.append([_mention(place, name, mention) for mention in mentions])
    return clusters


def _listed(place: str, what: str, need: str, value: Any) -> Sequence[Any]:
    value = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(value, (list, tuple)):
        raise InputError(place, what, f"be {need}", shown(value), _HINT)
    return value


def _mention(place: str, name: str, value: Any) -> Mention:
    if isinstance(value, str):
        return value
    if type(value) is tuple and len(value) == 2:  # as files give them
        first, last = value
        if type(first) is type(last) is int and 0 <= first <= last:
            return value
    value = value.tolist() if isinstance(value, np.ndarray) else value
    what = f"a mention of {name}"
    try:
        first, last = (operator.index(word) for word in value)
        if bool in map(type, value) or not isinstance(value, (list, tuple)):
            raise TypeError
    except (TypeError, ValueError):
        need = "be the numbers of its first and last word"
        raise InputError(place, what, need, shown(value), _HINT) from None
    if not 0 <= first <= last:
        need, hint = "end where it begins, or later", "Words are numbered from 0."
        raise InputError(place, what, need, shown(value), hint)
    return first, last


def without_repeats(clusters: Iterable[Sequence[Mention]]) -> tuple[Clusters, int]:
    """Clusters with each mention where it stands first, and how many others there were.

    A cluster of which nothing is left is gone.

    Examples
    --------
    >>> without_repeats([["a", "b", "a"], ["b"], ["b", "c"]])
    ([['a', 'b'], ['c']], 3)
    """
    seen: set[Mention] = set()
    kept: Clusters = []
    repeats = 0
    for cluster in clusters:
        distinct = dict.fromkeys(cluster)
        mentions = [mention for mention in distinct if mention not in seen]
        repeats += len(cluster) - len(mentions)
        seen.update(mentions)
        if mentions:
            kept.append(mentions)
    return kept, repeats


def without_singletons(clusters: Clusters) -> tuple[Clusters, int]:
    """Clusters of two mentions or more, and how many others there were.

    Examples
    --------
    >>> without_singletons([["a", "b"], ["c"]])
    ([['a', 'b']], 1)
    """
    kept = [cluster for cluster in clusters if len(cluster) > 1]
    return kept, len(clusters) - len(kept)
