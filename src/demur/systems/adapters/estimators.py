"""Estimators with the interface of scikit-learn as systems; nothing is imported."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from demur.arrays import Floats
from demur.checks import choice
from demur.errors import InputError, RunError, problem_text, shown
from demur.outcomes.records import Response
from demur.systems.adapters.confidences import (
    BEST_SCORE,
    ScoreConfidence,
    confidences,
    names_confidences,
)
from demur.systems.protocol import Input

METHODS: Final = ("predict_proba", "decision_function")
"""What is asked of an estimator, the first that it has."""

_MOST_SCORES: Final = 4_000_000  # at a time


@names_confidences(ScoreConfidence)
class EstimatorSystem:
    """An estimator that has been fitted, as a system.

    Parameters
    ----------
    estimator : object
        With ``classes_``, and with ``predict_proba`` or ``decision_function``: a
        classifier, a pipeline that ends in one, or what has their interface.
    name : str
        Of the system.
    confidence : str or callable
        CONFIDENCES. A callable gets the scores, shape (n_inputs, n_classes), and gives
        shape (n_inputs,).
    out_of_scope : optional
        A class that means "I decline". The guess is then the best other class, its
        confidence the one that it has without it, and ``declined`` is set.
    method : {"predict_proba", "decision_function"}, optional
        By default the first that there is.
    threshold : float, optional
        Below it the system declines, and keeps its guess; by default the ``threshold``
        of the estimator, if it has one and the confidence is ``max``.

    Raises
    ------
    InputError
        If it has no such method or classes, or ``out_of_scope`` is none of them.

    References
    ----------
    scikit-learn, "Glossary": ``decision_function`` of two classes is one number, whose
    sign says which.
    """

    takes_context = False

    def __init__(
        self,
        estimator: Any,
        *,
        name: str = "",
        confidence: str | Callable[[Floats], Floats] = "max",
        out_of_scope: Any = None,
        method: str | None = None,
        threshold: float | None = None,
    ) -> None:
        self.estimator, self.name = estimator, name
        self.confidence, self.out_of_scope = confidence, out_of_scope
        if callable(confidence):
            self._method = ScoreConfidence(name="callable", help="", of=confidence)
        else:
            methods = confidences(ScoreConfidence)
            self._method = methods[
                choice("as_system", "confidence", confidence, methods)
            ]
        if method is not None:
            choice("as_system", "method", method, METHODS)
        names = METHODS if method is None else (method,)
        self.method = next((name for name in names if hasattr(estimator, name)), "")
        if not self.method:
            need = f"have {' or '.join(names)}"
            hint = "predict alone gives no confidence; a callable may return labels."
            got = type(estimator).__name__
            raise InputError("as_system", "the estimator", need, got, hint)
        self.classes = self._classes()
        if threshold is None and self._method is BEST_SCORE:
            threshold = getattr(estimator, "threshold", None)
        self.threshold = threshold

    def __str__(self) -> str:
        name = type(self.estimator).__name__
        below = "" if self.threshold is None else f", threshold={self.threshold}"
        return f"estimator({name}.{self.method}, confidence={self._method}{below})"

    __repr__ = __str__

    def _classes(self) -> list[Any]:
        try:
            classes = _own_classes(self.estimator)
        except AttributeError:
            what, need, hint = "the estimator", "have been fitted", "Call fit first."
            raise InputError("as_system", what, need, "no classes_", hint) from None
        # Labels of numpy are no JSON, and would be written as text.
        plain = [label.item() if hasattr(label, "item") else label for label in classes]
        if self.out_of_scope is not None and self.out_of_scope not in plain:
            need, got = "be one of the classes", shown(self.out_of_scope)
            listed = ", ".join(map(str, plain[:5]))
            hint = f"They are {listed}{', ...' if len(plain) > 5 else ''}."
            raise InputError("as_system", "out_of_scope", need, got, hint)
        return plain

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """The best class of each input, with a confidence."""
        size = max(_MOST_SCORES // len(self.classes), 1)
        groups = (inputs[at : at + size] for at in range(0, len(inputs), size))
        return [answer for group in groups for answer in self._answers(group)]

    def _answers(self, inputs: Sequence[Input]) -> list[Response]:
        scores = self.scores([asked.input for asked in inputs])
        places, declined = np.arange(len(self.classes)), np.zeros(len(inputs), bool)
        if self.out_of_scope is not None:
            place = self.classes.index(self.out_of_scope)
            declined = scores.argmax(axis=1) == place
            places, scores = np.delete(places, place), np.delete(scores, place, 1)
        labels = [self.classes[best] for best in places[scores.argmax(axis=1)]]
        sure = self._confidences(scores)
        if self.threshold is not None:
            declined |= sure < self.threshold
        elif self.out_of_scope is None:
            declined = np.full(len(inputs), None)  # it cannot decline
        columns = (labels, sure.tolist(), declined.tolist())
        return [
            asked.answered(self.name, label, confidence=number, declined=declines)
            for asked, label, number, declines in zip(inputs, *columns, strict=True)
        ]

    def scores(self, texts: list[Any]) -> Floats:
        """Scores of all classes, shape (n_inputs, n_classes).

        One number for each input, as decision functions of two classes give, becomes
        that of the second class, and with the other sign that of the first.

        Parameters
        ----------
        texts : list
            What the estimator takes.

        Raises
        ------
        InputError
            If they have another shape, or one is NaN.
        RunError
            If the estimator fails.
        """
        try:
            output = getattr(self.estimator, self.method)(texts)
        except Exception as problem:
            what = f"{type(self.estimator).__name__}.{self.method}"
            raise RunError(f"{what} failed: {problem_text(problem)}") from problem
        if hasattr(output, "detach"):  # a tensor
            output = output.detach().cpu()
        scores = np.asarray(output, float)
        if self.method == "decision_function" and scores.ndim == 1:
            scores = np.column_stack([-scores, scores])
        wanted = (len(texts), len(self.classes))
        if scores.shape != wanted:
            hint = "decision_function_shape='ovr' gives one score a class."
            hint = hint if self.method == "decision_function" else ""
            need, got = f"give shape {wanted}", str(scores.shape)
            raise InputError("as_system", str(self), need, got, hint)
        if np.isnan(scores).any():
            row = int(np.isnan(scores).any(axis=1).argmax())
            need, got = "give no NaN", f"NaN for input {row + 1} of {len(texts)}"
            raise InputError("as_system", str(self), need, got)
        return scores

    def _confidences(self, scores: Floats) -> Floats:
        method = self._method
        if scores.shape[1] == 1 and not callable(self.confidence):
            method = BEST_SCORE  # one class has no lead, and all of the probability
        if method.of_probabilities and not _are_probabilities(scores):
            need, got = f"give probabilities for confidence={method}", "other scores"
            methods = confidences(ScoreConfidence).values()
            free = [how.name for how in methods if not how.of_probabilities]
            hint = f"{' and '.join(free)} take any scores."
            raise InputError("as_system", str(self), need, got, hint)
        numbers = np.asarray(method.of(scores), float)
        if numbers.shape != (len(scores),):
            need, got = "give one number for each input", str(numbers.shape)
            raise InputError("as_system", "confidence", need, got)
        return numbers


def _own_classes(estimator: Any) -> list[Any]:
    """The classes; SetFit has those of its head, and names for their numbers."""
    if hasattr(estimator, "model_head") and not hasattr(estimator, "classes_"):
        numbers = list(estimator.model_head.classes_)
        names = getattr(estimator, "labels", None)
        return [names[number] for number in numbers] if names else numbers
    return list(estimator.classes_)


def _are_probabilities(scores: Floats) -> bool:
    """Whether shares of each row can be taken; rows need not add up to 1."""
    return bool((scores >= 0).all() and (scores.sum(axis=1) > 0).all())
