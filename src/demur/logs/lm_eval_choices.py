"""Choices with their log-likelihoods, in samples of lm-evaluation-harness."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
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
MUTUAL: Final = "acc_mutual_info"
_FLAGS: Final = ("True", "False", True, False)


class LikelyChoices:
    """What a model could choose from, and what it chose.

    Parameters
    ----------
    texts : function
        Gives the choices, once they are asked for.
    scores : sequence of float
        Their log-likelihoods.
    target : str or None
        The position of the right one, or its text.
    metric : str
        By which the choice is made: ``acc_norm`` by log-likelihood a character,
        ``acc_bytes`` a byte, others by the log-likelihood.

    Examples
    --------
    >>> texts = ["two", "oak tree"]
    >>> choices = LikelyChoices(lambda: texts, [-2.0, -2.4], "1", "acc_norm")
    >>> choices.response, choices.reference, round(choices.share("softmax"), 3)
    ('oak tree', 'oak tree', 0.401)
    """

    def __init__(
        self,
        texts: Callable[[], Sequence[str]],
        scores: Sequence[float],
        target: str | None,
        metric: str,
    ) -> None:
        self._take, self._scores, self._named = texts, scores, target
        per_unit = scores
        if metric == "acc_norm":
            pairs = zip(scores, self._characters, strict=True)
            per_unit = [score / n for score, n in pairs]
        elif metric == "acc_bytes":
            sizes = (len(text.encode("utf-8", "replace")) for text in self._texts)
            pairs = zip(scores, sizes, strict=True)
            per_unit = [score / max(1, n) for score, n in pairs]
        self._chosen = max(range(len(scores)), key=per_unit.__getitem__)

    @cached_property
    def _texts(self) -> Sequence[str]:
        return self._take()

    @cached_property
    def _characters(self) -> list[int]:
        return [max(1, len(text)) for text in self._texts]

    @cached_property
    def _target(self) -> int | None:
        """The position of the right one, if it is among them."""
        named = self._named
        if named is not None and named.isascii() and named.isdigit():
            at = int(named) if len(named) < _MOST_DIGITS else len(self._scores)
            if at < len(self._scores):
                return at
        return self._texts.index(named) if named in self._texts else None

    @property
    def reference(self) -> str | None:
        """The text of the right one."""
        return self._named if self._target is None else self._texts[self._target]

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
        for score in scores:
            if not score < math.inf:  # nor NaN
                return None
        most = max(scores)
        if most == -math.inf:
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
    scores = _scores_of(row["filtered_resps"])
    if scores is None or len(scores) < _PAIR:
        return None
    if _n_arguments(row) != len(scores):
        need, got = f"hold {len(scores)} choices", shown(_n_arguments(row))
        raise InputError(place, "arguments", need, got)
    if MUTUAL in row and len(scores) % _PAIR == 0:
        half = len(scores) // _PAIR  # the others are of the choices without a question
        scores, alone = scores[:half], scores[half:]
        if metric == MUTUAL:
            scores = [a - b for a, b in zip(scores, alone, strict=True)]
    target = row.get("target")
    texts = partial(_texts_of, row, len(scores))
    return LikelyChoices(texts, scores, None if target is None else str(target), metric)


def _texts_of(row: Mapping[str, Any], n: int) -> list[str]:
    """The texts of the first ``n`` choices."""
    given = arguments_of(row)[:n]
    texts = [text.removeprefix(" ") for _, text in given]
    if len(set(texts)) == 1:  # the choice lies in the question
        texts = [text for text, _ in given]
    return texts


def _n_arguments(row: Mapping[str, Any]) -> int:
    """How many `arguments_of` finds, without them."""
    given = row.get("arguments")
    kinds: tuple[type, ...] = (list,)
    if isinstance(given, dict):
        given, kinds = given.values(), (list, dict)
    elif not isinstance(given, list):
        return 0
    return len([held for held in given if held and isinstance(held, kinds)])


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


def _scores_of(pairs: list[Any]) -> list[float] | None:
    """The log-likelihoods of choices; None if they are none."""
    scores: list[float] = []
    for pair in pairs:  # the second says whether the choice was the likeliest text
        if not (isinstance(pair, list) and len(pair) == _PAIR and pair[1] in _FLAGS):
            return None
        score = pair[0]
        if isinstance(score, str):
            score = plain_float(score)
        elif isinstance(score, bool) or not isinstance(score, (int, float)):
            return None
        if score is None:
            return None
        scores.append(float(score))
    return scores
