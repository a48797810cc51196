"""How many yes-no decisions a value takes, and what errors in them add up to."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from demur import checks
from demur.checks import decimal_fraction
from demur.errors import InputError, shown
from demur.results import Result


@dataclass(frozen=True, eq=False, repr=False)
class DecisionTable(Result):
    """The decisions that lead to each value.

    Parameters
    ----------
    shares : tuple of float
        Of the values.
    decisions : tuple of float
        Yes-no decisions to each value.
    mean : float
        Decisions per item: the paper's quasi-entropy, at least the entropy.
    accuracy : float
        Of each decision.
    expected_accuracy : float
        Items whose decisions are all right.
    """

    SAYS = (
        "It takes {mean} decisions on average; if {accuracy} of them are right, "
        "{expected_accuracy} of the items are."
    )

    shares: tuple[float, ...]
    decisions: tuple[float, ...]
    mean: float
    accuracy: float
    expected_accuracy: float

    @property
    def recipe(self) -> dict[str, str]:
        """The accuracy of a decision, and how many lead to each value."""
        decisions = ", ".join(f"{depth:g}" for depth in self.decisions)
        return {"accuracy": str(self.accuracy), "decisions": decisions}


def decision_table(
    counts: Sequence[float],
    *,
    accuracy: float,
    decisions: Sequence[float] | None = None,
) -> DecisionTable:
    """How often a chain of yes-no decisions ends at the right value.

    Porzel and Malaka (2004, section 4.2) take the fewest decisions on average and say
    that the accuracy of four such values is .9 squared, ``accuracy ** mean``. That is a
    lower bound: values that take one decision outweigh those that take three, and the
    mean of ``accuracy ** decisions`` is .8145. What they call error rates there are
    accuracies.

    Parameters
    ----------
    counts : sequence of float
        How often each value is seen, or its share.
    accuracy : float
        The share of single decisions that are right.
    decisions : sequence of float, optional
        Decisions to each value; by default those of Huffman's tree, which are fewest on
        average.

    Returns
    -------
    DecisionTable

    Raises
    ------
    InputError
        If a count is negative, all are 0, or there are not as many decisions.

    References
    ----------
    Huffman (1952), "A method for the construction of minimum-redundancy codes".

    Examples
    --------
    >>> import demur
    >>> found = demur.decision_table([16, 4, 4, 4, 4], accuracy=0.9)
    >>> found.decisions, found.mean, round(found.expected_accuracy, 4)
    ((1, 3, 3, 3, 3), 2.0, 0.8145)
    """
    where = "decision_table"
    counts = checks.numbers(where, "counts", counts)
    if decisions is not None:
        decisions = checks.numbers(where, "decisions", decisions)
    right = float(decimal_fraction(where, "accuracy", accuracy))
    listed = [float(count) for count in counts]
    total = sum(listed)
    if not total > 0 or min(listed) < 0 or total == float("inf"):
        need = "be from 0 upwards, and not all 0"
        raise InputError(where, "counts", need, shown(counts))
    needed = _depths(listed) if decisions is None else list(decisions)
    if len(needed) != len(listed) or min(needed) < 0:
        need = f"be {len(listed)} numbers from 0, one for each value"
        raise InputError(where, "decisions", need, shown(decisions))
    shares = [count / total for count in listed]
    pairs = list(zip(shares, needed, strict=True))
    return DecisionTable(
        shares=tuple(shares),
        decisions=tuple(needed),
        mean=sum(share * depth for share, depth in pairs),
        accuracy=right,
        expected_accuracy=sum(share * right**depth for share, depth in pairs),
    )


def _depths(counts: Sequence[float]) -> list[float]:
    """Depths in Huffman's tree; of equal counts the later are joined first."""
    depths = [0.0] * len(counts)
    heap: list[tuple[float, int, list[int]]] = [
        (count, -number, [number]) for number, count in enumerate(counts)
    ]
    heapq.heapify(heap)
    turn = len(counts)  # above all first places, so that joined ones come last
    while len(heap) > 1:
        first, second = heapq.heappop(heap), heapq.heappop(heap)
        joined = first[2] + second[2]
        for number in joined:
            depths[number] += 1
        heapq.heappush(heap, (first[0] + second[0], turn, joined))
        turn += 1
    return [int(depth) for depth in depths]
