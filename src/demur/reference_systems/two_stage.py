"""Two decisions in a row: can this be understood at all, and if so, what is meant."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Self

import numpy as np

from demur.arrays import Floats
from demur.checks import choice
from demur.errors import InputError
from demur.outcomes.records import Response
from demur.reference_systems.thresholds import check_targets
from demur.systems.adapters.estimators import EstimatorSystem
from demur.systems.protocol import Input

COMBINATIONS: Final = ("detector", "product", "sum")


class TwoStage:
    """Decides first whether an input is in the domain, and then what it means.

    Parameters
    ----------
    detector : estimator
        With the interface of scikit-learn, and ``predict_proba`` or
        ``decision_function``. It learns from all inputs whether they have an answer.
    classifier : estimator
        It learns from the inputs that have one which it is.
    combine : {"detector", "product", "sum"}
        The confidence: that of the detector that the input is in the domain, so that
        the curve shows this decision alone; its product with the probability of the
        class, for which both need ``predict_proba``; or the sum of both scores.
    name : str
        Of the system.

    Raises
    ------
    InputError
        If there is no such combination.

    References
    ----------
    Patel, Leuski and Traum (2006), "Dealing with out of domain questions in virtual
    characters", IVA: first decide whether an input can be understood, then interpret.
    Larson et al. (2019), "An evaluation dataset for intent classification and
    out-of-scope prediction", EMNLP, call it oos-binary. The product and the sum are
    ours.

    Examples
    --------
    >>> import demur
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> def model():
    ...     return make_pipeline(CountVectorizer(), LogisticRegression(C=100))
    >>> system = demur.TwoStage(model(), model()).fit(
    ...     ["light on", "turn on", "light off", "who are you", "are you old"],
    ...     ["on", "on", "off", None, None])
    >>> inputs = [demur.Input(1, "lights off"), demur.Input(2, "are you")]
    >>> for answer in system.respond(inputs):
    ...     print(answer.response, answer.declined)
    off False
    on True
    """

    def __init__(
        self,
        detector: Any,
        classifier: Any,
        *,
        combine: str = "detector",
        name: str = "",
    ) -> None:
        choice("TwoStage", "combine", combine, COMBINATIONS)
        self.detector, self.classifier = detector, classifier
        self.combine, self.name = combine, name

    def __str__(self) -> str:
        parts = (self.detector, self.classifier)
        names = ", ".join(type(part).__name__ for part in parts)
        return f"two_stage({names}, combine={self.combine})"

    __repr__ = __str__

    def fit(self, inputs: Sequence[Any], targets: Sequence[Any]) -> Self:
        """Learn; a target of None is an input that nothing is the answer to.

        Raises
        ------
        InputError
            If the lengths differ, or there are no inputs with, or none without an
            answer.
        """
        check_targets("TwoStage", inputs, targets)
        answered = [target is not None for target in targets]
        if len(set(answered)) < 2:
            need = "hold inputs with and without an answer"
            got = f"{sum(answered)} of {len(targets)} with one"
            raise InputError("TwoStage", "the targets", need, got)
        self.detector.fit(list(inputs), answered)
        known = [place for place, target in enumerate(targets) if target is not None]
        self.classifier.fit(
            [inputs[place] for place in known], [targets[place] for place in known]
        )
        return self

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """The guess of the classifier, declined where the detector says so."""
        if not inputs:
            return []
        for estimator in (self.detector, self.classifier):
            if self.combine == "product" and not hasattr(estimator, "predict_proba"):
                need, got = "have predict_proba for a product", type(estimator).__name__
                raise InputError("TwoStage", "an estimator", need, got)
        inside, limit = self._inside([asked.input for asked in inputs])
        guesses = EstimatorSystem(self.classifier, name=self.name).respond(inputs)
        sure = inside
        if self.combine != "detector":
            scores = np.array([guess.confidence for guess in guesses])
            sure = inside * scores if self.combine == "product" else inside + scores
        return [
            replace(guess, confidence=float(score), declined=bool(known < limit))
            for guess, score, known in zip(guesses, sure, inside, strict=True)
        ]

    def _inside(self, texts: list[Any]) -> tuple[Floats, float]:
        """How surely each input is in the domain, and from where on it is."""
        asked = EstimatorSystem(self.detector)
        scores, column = asked.scores(texts), asked.classes.index(True)
        if asked.method == "predict_proba":
            return scores[:, column], 0.5
        # Scores have no zero of their own unless they are one less the other.
        lead: Floats = (scores[:, column] - scores[:, 1 - column]) / 2
        return lead, 0.0
