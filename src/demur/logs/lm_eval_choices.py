"""Choices with their log-likelihoods, in samples of lm-evaluation-harness."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from demur.errors import InputError, shown
from demur.outcomes.values import plain_float

SOFTMAX: Final = "softmax"
NORMALISED: Final = "normalised"
LIKELIHOOD: Final = "likelihood"
CONFIDENCES: Final = (SOFTMAX, NORMALISED, LIKELIHOOD)
"""What may be the confidence of a choice, the usual one first."""

_PAIR: Final = 2
_MOST_DIGITS: Final = 6
_MUTUAL: Final = "acc_mutual_info"
_FLAGS: Final = ("True", "False", True, False)


class LikelyChoices:
    """What a model could choose from, and what it chose.

    Parameters
    ----------
    texts : sequence of str
        The choices.
    scores : sequence of float
        Their log-likelihoods.
    target : str or None
        The position of the right one, or its text.
    metric : str
        By which the choice is made: ``acc_norm`` by log-likelihood a character,
        ``acc_bytes`` a byte, others by the log-likelihood.

    Examples
    --------
    >>> choices = LikelyChoices(["two", "oak tree"], [-2.0, -2.4], "1", "acc_norm")
    >>> choices.response, choices.reference, round(choices.share("softmax"), 3)
    ('oak tree', 'oak tree', 0.401)
    """

    def __init__(
        self,
        texts: Sequence[str],
        scores: Sequence[float],
        target: str | None,
        metric: str,
    ) -> None:
        self._texts, self._scores = texts, scores
        self._characters = [max(1, len(text)) for text in texts]
        self._target = _position(target, texts)
        self.reference = target if self._target is None else texts[self._target]
        units: Sequence[int] = [1] * len(texts)
        if metric == "acc_norm":
            units = self._characters
        elif metric == "acc_bytes":
            units = [max(1, len(text.encode("utf-8", "replace"))) for text in texts]
        per_unit = [score / n for score, n in zip(scores, units, strict=True)]
        self._chosen = max(range(len(texts)), key=per_unit.__getitem__)

    @property
    def response(self) -> str:
        """The text of the chosen one."""
        return self._texts[self._chosen]

    def settle(self, *, right: bool) -> None:
        """Take a verdict for what was chosen, where it says so."""
        if right and self._target is not None:
            self._chosen = self._target

    def share(self, kind: str) -> float | None:
        """The confidence: 0 to 1; None if a log-likelihood is no number.

        Parameters
        ----------
        kind : {"softmax", "normalised", "likelihood"}
        """
        scores = self._scores
        if kind == LIKELIHOOD:
            scores = [min(0.0, self._scores[self._chosen])]
        elif kind == NORMALISED:
            pairs = zip(self._scores, self._characters, strict=True)
            scores = [score / n for score, n in pairs]
        most = max(scores)
        if not all(score < math.inf for score in scores) or most == -math.inf:
            return None
        if kind == LIKELIHOOD:
            return math.exp(most)
        weights = [math.exp(score - most) for score in scores]
        return weights[self._chosen] / sum(weights)


def choices_of(row: Mapping[str, Any], metric: str, place: str) -> LikelyChoices | None:
    """The choices of a line; None if its answers were generated.

    Parameters
    ----------
    row : mapping
    metric : str
        By which the choice is made.
    place : str
        For messages.

    Raises
    ------
    InputError
        If not every choice has its text.
    """
    pairs = row["filtered_resps"]
    if not all(_is_scored(pair) for pair in pairs) or len(pairs) < _PAIR:
        return None
    scores = [float(pair[0]) for pair in pairs]
    given = arguments_of(row)
    if len(given) != len(pairs):
        need, got = f"hold {len(pairs)} choices", shown(len(given))
        raise InputError(place, "arguments", need, got)
    if _MUTUAL in row and len(pairs) % _PAIR == 0:
        half = len(pairs) // _PAIR  # the others are of the choices without a question
        alone = scores[half:]
        given, scores = given[:half], scores[:half]
        if metric == _MUTUAL:
            scores = [a - b for a, b in zip(scores, alone, strict=True)]
    texts = [text.removeprefix(" ") for _, text in given]
    if len(set(texts)) == 1:  # the choice lies in the question
        texts = [text for text, _ in given]
    target = row.get("target")
    return LikelyChoices(texts, scores, None if target is None else str(target), metric)


def arguments_of(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the model was given: each context with what was to follow it.

    Examples
    --------
    >>> arguments_of({"arguments": {"gen_args_0": {"arg_0": "Sky?", "arg_1": " blue"}}})
    [('Sky?', ' blue')]
    """
    given = row.get("arguments")
    if isinstance(given, dict):
        given = [
            list(held.values()) if isinstance(held, dict) else held
            for held in given.values()
        ]
    return [
        (str(held[0]), str(held[1]) if len(held) > 1 else "")
        for held in (given if isinstance(given, list) else [])
        if isinstance(held, list) and held
    ]


def _is_scored(pair: Any) -> bool:
    """Whether it is a log-likelihood, and whether the choice was the likeliest text."""
    if not (isinstance(pair, list) and len(pair) == _PAIR and pair[1] in _FLAGS):
        return False
    score = pair[0]
    if isinstance(score, str):
        return plain_float(score) is not None
    return isinstance(score, (int, float)) and not isinstance(score, bool)


def _position(target: str | None, texts: Sequence[str]) -> int | None:
    if target is not None and target.isascii() and target.isdigit():
        at = int(target) if len(target) < _MOST_DIGITS else len(texts)
        if at < len(texts):
            return at
    return texts.index(target) if target in texts else None
