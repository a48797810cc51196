"""What decisions on counted outcomes refuse, by name and with what to do."""

from typing import Final

from demur.curves.counted import Counts
from demur.errors import InputError

IN_MEMORY: Final = (
    "Read them into memory, or a sample of them: demur.read_outcomes, or --engine "
    "memory."
)
"""What to do where counts do not tell."""


def check_labelled(where: str, counts: Counts, part: int, what: str) -> None:
    """Refuse answers that are labelled in part.

    Parameters
    ----------
    where : str
        The function, for the message.
    counts : Counts
        What is counted.
    part : int
        Which part of it.
    what : str
        What is wanted.

    Raises
    ------
    InputError
        With how many are unlabelled.
    """
    unlabelled = counts.parts[part].unlabelled
    if unlabelled:
        need = f"have a verdict on every answer for {what} by counts"
        got = f"{unlabelled} unlabelled answers"
        raise InputError(where, "outcomes", need, got, IN_MEMORY)


def check_counted(where: str, counts: Counts, part: int, what: str) -> None:
    """Refuse items that are not independent, right or wrong, and labelled.

    Parameters and errors are those of `check_labelled`; also for weights, partial
    credit or clusters.
    """
    check_labelled(where, counts, part, what)
    its, clusters = counts.parts[part], counts.clusters[part]
    have = {
        "weights": its.weighted,
        "partial credit": bool(its.partial),
        f"{clusters} clusters": clusters is not None,
    }
    lacking = [name for name, there in have.items() if there]
    if lacking:
        need = f"be independent items that are right or wrong for {what} by counts"
        raise InputError(where, "outcomes", need, " and ".join(lacking), IN_MEMORY)


def check_tested(where: str, counts: Counts, part: int) -> None:
    """Refuse items whose errors cannot be tested by what an engine knows of them."""
    if counts.engine.units is None:
        check_counted(where, counts, part, "a certificate")
    check_labelled(where, counts, part, "a certificate")
