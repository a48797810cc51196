"""A pipeline that says what texts and labels must be; it loads scikit-learn."""

from typing import Any, Final, Self

from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import available_if

from demur.checks import in_order, texts
from demur.errors import InputError, shown
from demur.outcomes.gaps import is_absent
from demur.reference_systems.thresholds import check_targets
from demur.reference_systems.tokenizers import no_words, words

_WHERE: Final = "intent_classifier"


def _has(name: str) -> Any:
    return available_if(lambda pipeline: hasattr(pipeline.steps[-1][1], name))


class IntentPipeline(Pipeline):  # type: ignore[misc]
    """A pipeline of scikit-learn that refuses what its steps cannot learn from."""

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:  # noqa: N803
        """Learn from texts and their labels."""
        given = _some(X)
        labels = list(in_order(_WHERE, "the labels", [] if y is None else y))
        check_targets(_WHERE, given, labels, "text")
        _check_labels(labels)
        if not any(words(text) for text in given):
            raise no_words(_WHERE)
        self._check_learner(labels)
        super().fit(given, labels, **params)
        return self

    def _check_learner(self, labels: list[Any]) -> None:
        """Refuse fewer texts than are compared, and one label where two are parted."""
        name, learner = self.steps[-1]
        fewest = getattr(learner, "n_neighbors", 0)
        if len(labels) < fewest:
            need = f"be at least {fewest}, which are compared with each question"
            hint = (
                f"model.set_params({name}__n_neighbors={len(labels)}) compares fewer; "
                "another kind learns from few."
            )
            raise InputError(_WHERE, "the texts", need, str(len(labels)), hint)
        linear = hasattr(learner, "fit_intercept")
        if linear and len(set(labels)) == 1:
            need, got = "be two at least", f"{shown(labels[0])} alone"
            hint = "naive-bayes learns also one."
            raise InputError(_WHERE, "the different labels", need, got, hint)

    def predict(self, X: Any, **params: Any) -> Any:  # noqa: N803
        """The label of each text."""
        return super().predict(_some(X), **params)

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any, **params: Any) -> Any:  # noqa: N803
        """The chance of each label, of each text."""
        return super().predict_proba(_some(X), **params)

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any, **params: Any) -> Any:  # noqa: N803
        """How far each text is on the side of each label."""
        return super().decision_function(_some(X), **params)


def _some(given: Any) -> list[str]:
    known = texts(_WHERE, "the texts", in_order(_WHERE, "the texts", given))
    if not known:
        raise InputError(_WHERE, "the texts", "be one at least", "none")
    return known


def _check_labels(labels: list[Any]) -> None:
    """Refuse no label, which scikit-learn does not know, or takes for the text nan."""
    for row, label in enumerate(labels):
        if is_absent(label):
            hint = "Give texts without an answer a label of their own, such as 'none'."
            what = f"the label of text {row}"
            raise InputError(_WHERE, what, "be there", shown(label), hint)
