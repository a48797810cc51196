"""Several files read together: systems of one each, or parts of one system."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from demur.outcomes.columns import Column


def systems_by_file(
    items: Column, ends: Sequence[int], names: Sequence[str]
) -> tuple[list[tuple[int, Column]], list[str]]:
    """What systems without a name are called if their files share items.

    Files without a common item may be parts of one system: nothing is named.

    Parameters
    ----------
    items : array of str, shape (n_rows,)
        The items of all files.
    ends : sequence of int
        Behind which row each file ends.
    names : sequence of str
        What the systems would be called.

    Returns
    -------
    (parts, notes)
        The first row and the column of each file, and what a user must know.

    Examples
    --------
    >>> items = np.array(["q1", "q2", "q1"], object)
    >>> parts, notes = systems_by_file(items, [2, 3], ["a", "b"])
    >>> [(start, column.tolist()) for start, column in parts], notes
    ([(0, ['a', 'a']), (2, ['b'])], ['systems are named by their files: a, b'])
    """
    files = list(pairwise([0, *ends]))
    sets = [set(map(str, items[start:end].tolist())) for start, end in files]
    if sum(map(len, sets)) == len(set().union(*sets)):
        return [], []
    parts = [
        (start, np.full(end - start, name, object))
        for (start, end), name in zip(files, names, strict=True)
    ]
    listed = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    return parts, [f"systems are named by their files: {listed}"]
