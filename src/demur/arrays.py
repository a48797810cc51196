"""Array types, and numbers as people write them: short decimals, exact integers."""

from typing import Any

import numpy as np
import numpy.typing as npt


def shortest(value: Any) -> float:
    """A confidence as the shortest decimal that reads back in its own dtype.

    Examples
    --------
    >>> import numpy as np
    >>> shortest(np.float32(0.7)), float(np.float32(0.7))
    (0.7, 0.699999988079071)
    """
    return float(str(value)) if value.dtype.itemsize < 8 else float(value)


def plain(cutoff: float | None) -> float | str | None:
    """A cutoff for JSON, which has no infinities."""
    if cutoff is None or np.isfinite(cutoff):
        return cutoff
    return "inf" if cutoff > 0 else "-inf"


def frozen(array: Any) -> Any:
    """The array, set read-only."""
    array.setflags(write=False)
    return array


Floats = npt.NDArray[np.floating[Any]]

Numbers = npt.NDArray[Any]

Positions = npt.NDArray[np.int64]

Flags = npt.NDArray[np.bool_]

_LARGEST_SCALE = 6


def as_integers(values: Floats) -> tuple[npt.NDArray[np.int64], int] | None:
    """Short decimals as integers over one power of ten; None if they are not.

    Parameters
    ----------
    values : array of float64, shape (n,)
        Non-negative.

    Returns
    -------
    (array of int64, scale) or None
        ``values == integers / scale`` exactly, scale at most 10**6.

    Examples
    --------
    >>> import numpy as np
    >>> as_integers(np.array([1, 0.5, 2.25]))
    (array([100,  50, 225]), 100)
    >>> as_integers(np.array([1 / 3])) is None
    True
    """
    if values.max(initial=0) >= 2**40:
        return None
    for scale in (10**power for power in range(_LARGEST_SCALE + 1)):
        if all(
            np.array_equal(np.rint(part * scale) / scale, part)
            for part in (values[:1000], values)
        ):
            scaled = np.rint(values * scale)
            # Sums of products must stay inside 64 bits.
            return (scaled.astype(np.int64), scale) if scaled.sum() < 2**40 else None
    return None
