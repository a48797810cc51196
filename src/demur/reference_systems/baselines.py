"""Systems that a system has to beat, and one that none can beat."""

import hashlib
import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from demur.errors import InputError, RunError
from demur.outcomes.records import Response, item_text
from demur.reference_systems.thresholds import check_targets, label_order, labels_of
from demur.reference_systems.tokenizers import Tokenizer, words
from demur.systems.protocol import Input, System


class Majority:
    """Gives every input the most frequent answer, with its share as the confidence.

    Parameters
    ----------
    name : str
        Of the system, for what it answers.

    Examples
    --------
    >>> import demur
    >>> system = demur.baselines.Majority().fit(["a", "b", "c"], ["yes", "yes", "no"])
    >>> [answer] = system.respond([demur.Input("q", "d")])
    >>> answer.response, round(answer.confidence, 3)
    ('yes', 0.667)
    """

    def __init__(self, *, name: str = "majority") -> None:
        self.name = name

    def __str__(self) -> str:
        return "majority()"

    __repr__ = __str__

    def fit(self, inputs: Sequence[Any], targets: Sequence[Any]) -> Self:
        """Count answers; of equally frequent ones the first by name is taken."""
        shares = _shares(inputs, targets)
        self._answer, self._share = max(shares.items(), key=lambda pair: pair[1])
        return self

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """The same answer to each."""
        answer = _fitted(self, "_answer") if inputs else None
        return [
            asked.answered(self.name, answer, confidence=self._share)
            for asked in inputs
        ]


class Chance:
    """Draws an answer, as often as each was seen, and a confidence from 0 to 1.

    What it draws depends on the seed and the item alone, not on the order.

    Parameters
    ----------
    seed : int
        Another one gives other draws.
    name : str
        Of the system.

    Examples
    --------
    >>> import demur
    >>> system = demur.baselines.Chance(seed=1).fit(["a", "b"], ["yes", "no"])
    >>> [answer] = system.respond([demur.Input("q", "d")])
    >>> answer.response in ("yes", "no"), 0 <= answer.confidence < 1
    (True, True)
    """

    def __init__(self, *, seed: int = 0, name: str = "chance") -> None:
        self.seed, self.name = seed, name

    def __str__(self) -> str:
        return f"chance(seed={self.seed})"

    __repr__ = __str__

    def fit(self, inputs: Sequence[Any], targets: Sequence[Any]) -> Self:
        """Count answers."""
        shares = _shares(inputs, targets)
        self._labels, self._bounds = list(shares), np.cumsum(list(shares.values()))
        return self

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """A draw for each."""
        labels = _fitted(self, "_labels")
        answers = []
        for asked in inputs:
            # A hash, not a generator: the draw of an item is the same in any order.
            key = f"{self.seed} {item_text(asked.item, self.name)}".encode()
            digest = hashlib.sha256(key).digest()
            first, second = (
                int.from_bytes(part, "big") / 2**64
                for part in (digest[:8], digest[8:16])
            )
            # Without the last bound, which rounding may leave a little below 1.
            place = int(np.searchsorted(self._bounds[:-1], first, "right"))
            answers.append(asked.answered(self.name, labels[place], confidence=second))
        return answers


class Nearest:
    """Gives an input the answer of the most similar one it has seen.

    Similar is the cosine of the words of both, weighted by how rare they are (tf-idf).

    Parameters
    ----------
    tokens : callable
        From a text to its tokens.
    name : str
        Of the system.

    Examples
    --------
    >>> import demur
    >>> system = demur.baselines.Nearest().fit(
    ...     ["light on", "light off", "bye"], ["on", "off", None])
    >>> inputs = [demur.Input(1, "switch off"), demur.Input(2, "bye")]
    >>> [answer, none] = system.respond(inputs)
    >>> answer.response, round(answer.confidence, 2), none.response
    ('off', 0.83, None)
    """

    def __init__(self, *, tokens: Tokenizer = words, name: str = "nearest") -> None:
        self.tokens, self.name = tokens, name

    def __str__(self) -> str:
        return "nearest()"

    __repr__ = __str__

    def fit(self, inputs: Sequence[str], targets: Sequence[Any]) -> Self:
        """Keep all inputs; of several answers to one the first by name is given.

        Raises
        ------
        InputError
            If there are none, or the lengths differ.
        """
        from scipy import sparse

        _shares(inputs, targets)
        self._targets = [(labels_of(target) or [None])[0] for target in targets]
        counts = [Counter(self.tokens(text)) for text in inputs]
        spread = Counter(word for count in counts for word in count)
        # The logarithm plus 1, so that words of all texts count a little too.
        self._rarity = {
            word: float(np.log(len(counts) / n) + 1) for word, n in spread.items()
        }
        self._places = {word: place for place, word in enumerate(spread)}
        self._known = sparse.csr_matrix(self._vectors(inputs)).T.tocsr()
        return self

    def _vectors(self, texts: Sequence[str]) -> Any:
        from scipy import sparse

        rows, columns, values = [], [], []
        for row, text in enumerate(texts):
            known = (word for word in self.tokens(text) if word in self._places)
            counted = Counter(known)
            weights = {word: n * self._rarity[word] for word, n in counted.items()}
            length = np.sqrt(sum(weight**2 for weight in weights.values()))
            for word, weight in weights.items():
                rows.append(row)
                columns.append(self._places[word])
                values.append(weight / length)
        # One column at least: scipy takes no matrix without any.
        shape = (len(texts), max(len(self._places), 1))
        return sparse.csr_matrix((values, (rows, columns)), shape)

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """The answer of the nearest; of equally near ones the first that was seen."""
        targets = _fitted(self, "_targets")
        answers = []
        for at in range(0, len(inputs), _BLOCK):
            group = inputs[at : at + _BLOCK]
            texts = [asked.input for asked in group]
            near = (self._vectors(texts) @ self._known).tocsr()
            for row, asked in enumerate(group):
                here = slice(near.indptr[row], near.indptr[row + 1])
                close, columns = near.data[here], near.indices[here]
                likeness = float(close.max(initial=0.0))
                near_ones = columns[close == likeness]
                answer = targets[near_ones.min()] if len(near_ones) else None
                sure = None if answer is None else likeness
                fields = {"confidence": sure, "declined": answer is None}
                answers.append(asked.answered(self.name, answer, **fields))
        return answers


# Texts at a time: each may resemble all that were seen.
_BLOCK = 256


class Silent:
    """Declines every input.

    Examples
    --------
    >>> import demur
    >>> [answer] = demur.baselines.Silent().respond([demur.Input("q", "?")])
    >>> answer.response, answer.declined
    (None, True)
    """

    def __init__(self, *, name: str = "silent") -> None:
        self.name = name

    def __str__(self) -> str:
        return "silent()"

    __repr__ = __str__

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """No answer to any."""
        fields = {"declined": True, "kind": "idk"}
        return [asked.answered(self.name, **fields) for asked in inputs]


class IdealRefuser:
    """Another system that knows when it is wrong, and then declines.

    Its guesses are those of the other system; its confidence is 1 where the guess is
    right, and 0 where it is wrong and declined. No other confidence has a lower curve.

    Parameters
    ----------
    system : System
        Whose guesses they are.
    accepted : mapping of item to label, to several labels, or to None
        What is right; an item that is not in it has no right answer.
    equal : callable, optional
        From a guess and a label to whether they are the same; by default ``==``.
    name : str
        Of the ideal, which is another system.

    Examples
    --------
    >>> import demur
    >>> system = demur.baselines.Majority().fit(["a"], ["yes"])
    >>> wise = demur.baselines.IdealRefuser(system, {1: "yes", 2: "no"})
    >>> for answer in wise.respond([demur.Input(1, "?"), demur.Input(2, "?")]):
    ...     print(answer.response, answer.confidence, answer.declined)
    yes 1.0 False
    yes 0.0 True
    """

    def __init__(
        self,
        system: System,
        accepted: Mapping[Any, Any],
        *,
        equal: Callable[[Any, Any], bool] | None = None,
        name: str = "ideal refuser",
    ) -> None:
        self.system, self.name = system, name
        self._accepted = {
            item_text(item, "accepted"): labels_of(target)
            for item, target in accepted.items()
        }
        self._equal = equal or operator.eq

    def __str__(self) -> str:
        return f"ideal_refuser({self.system})"

    __repr__ = __str__

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """The guesses of the other system, declined where they are wrong."""
        answers = []
        for answer in self.system.respond(inputs):
            right = self._accepted.get(item_text(answer.item, "a response"), [])
            good = any(self._equal(answer.response, label) for label in right)
            guess = answer.response is not None and not answer.failed
            answers.append(
                replace(
                    answer,
                    system=self.name,
                    confidence=float(good) if guess else None,
                    declined=None if answer.failed else not good,
                )
            )
        return answers


def _shares(inputs: Sequence[Any], targets: Sequence[Any]) -> dict[Any, float]:
    """The share of each answer among all, by name."""
    check_targets("fit", inputs, targets)
    counts = Counter(label for target in targets for label in labels_of(target))
    if not counts:
        raise InputError("fit", "the targets", "name an answer", "none")
    total = sum(counts.values())
    return {label: counts[label] / total for label in sorted(counts, key=label_order)}


def _fitted(system: Any, name: str) -> Any:
    try:
        return getattr(system, name)
    except AttributeError:
        raise RunError(f"{system}: call fit first; it has seen no examples") from None
