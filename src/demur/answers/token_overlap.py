"""Texts that share words: F1 of their tokens, in part or from a threshold on."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Final

from demur.answers.comparators import BOTH_EMPTY, EQUAL, Match
from demur.answers.normalisations import BUNDLES, Normalisation, normalisation
from demur.answers.numerals import decimal
from demur.answers.values import comparable_text
from demur.calls import call_text
from demur.errors import InputError, shown

_SQUAD: Final = Normalisation(BUNDLES["squad"])
_ZERO: Final = Decimal(0)


@dataclass(frozen=True, slots=True, repr=False)
class TokenF1:
    """The comparator that `f1` makes.

    Parameters
    ----------
    threshold : Decimal
        From which F1 on a response is right; 0 gives F1 itself as credit.
    normalise : Normalisation
        Of both sides.
    """

    version: ClassVar[str] = "f1/1"
    threshold: Decimal = _ZERO
    normalise: Normalisation = _SQUAD

    def __str__(self) -> str:
        options: dict[str, object] = {}
        if self.threshold:
            options["threshold"] = self.threshold
        if self.normalise != _SQUAD:
            options["normalise"] = self.normalise
        return call_text("f1", options)

    __repr__ = __str__

    def read(self, value: Any) -> tuple[str, ...]:
        """The tokens: what blanks part in the normalised text.

        A text of which nothing is left is one token, as it was given.
        """
        given = value if type(value) is str else comparable_text(value)
        tokens = tuple(self.normalise(given).split())
        return tokens or tuple(filter(None, [given.strip().casefold()]))

    def compare(self, response: tuple[str, ...], reference: tuple[str, ...]) -> Match:
        """As much as the tokens have in common, repeated ones counted."""
        if not (response and reference):
            return (
                BOTH_EMPTY if response == reference else Match(0.0, "F1 0", "differs")
            )
        common = _common(response, reference)
        if common == len(response) == len(reference):
            return EQUAL
        both = len(response) + len(reference)
        share = 2 * common / both
        reason = f"F1 {share:.3g}"
        if not common:
            return Match(0.0, reason, "differs")
        if not self.threshold:
            return Match(share, reason, "partly_equal")
        # In whole numbers, so that 2/3 reaches a threshold as it is written.
        reached = 2 * common >= self.threshold * both
        return Match(float(reached), reason, "partly_equal")

    def distance(self, response: tuple[str, ...], reference: tuple[str, ...]) -> float:
        """One less F1."""
        both = len(response) + len(reference)
        return 1 - 2 * _common(response, reference) / both if both else 0.0


def _common(response: tuple[str, ...], reference: tuple[str, ...]) -> int:
    return (Counter(response) & Counter(reference)).total()


def f1(*, threshold: Any = 0, normalise: str = "squad") -> TokenF1:
    """Words that two texts have in common, as SQuAD counts them.

    Rule (``f1/1``): both texts are normalised, and cut at blanks; F1 is 2 common /
    (said + asked), repeated words counted as often as both have them. It is the credit,
    so that a response with one right word is right in part; or with ``threshold`` a
    response is right from that F1 on, and else wrong. Of two empty texts F1 is 1; a
    text of which nothing is left ("the", "?") is compared as it was, where SQuAD takes
    all such for equal.

    Parameters
    ----------
    threshold : number
        From 0 (credit in part) to 1.
    normalise : str
        Normalisations of both sides, as for `text`.

    Returns
    -------
    TokenF1

    Raises
    ------
    InputError
        If the threshold is out of range, or a name of a normalisation is unknown.

    References
    ----------
    P. Rajpurkar and others (2016), "SQuAD: 100,000+ Questions for Machine
    Comprehension of Text".

    Examples
    --------
    >>> from demur.answers import f1, read_all, verdict
    >>> def judged(response, reference, **options):
    ...     same = f1(**options)
    ...     return verdict(same, response, read_all(same, [(reference, 1)])).credit
    >>> judged("the city of Rome", "Rome"), judged("Oslo", "Rome")
    (0.5, 0.0)
    >>> judged("city of Rome", "Rome", threshold=0.5)
    1.0
    >>> f1(threshold="0.50")
    f1(threshold=0.5)
    """
    least = decimal(threshold)
    if least is None or not 0 <= least <= 1:
        raise InputError("f1", "threshold", "be a number from 0 to 1", shown(threshold))
    return TokenF1(least.normalize(), normalisation("f1", normalise))
