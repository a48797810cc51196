"""Strong classifiers of short texts, ready to be trained (scikit-learn)."""

from collections.abc import Callable
from typing import Any, Final

from demur.checks import choice
from demur.errors import MissingExtra
from demur.reference_systems.maxent import maxent_features
from demur.reference_systems.tokenizers import words


def intent_classifier(kind: str = "linear-svm") -> Any:
    """A pipeline that learns the labels of short texts; nothing of it is tuned.

    Parameters
    ----------
    kind : str
        ``linear-svm``: words, pairs of words and runs of 2 to 5 letters, a linear
        support vector machine; the most accurate on CLINC150, and fast.
        ``logistic``: the same features, logistic regression (C=30): probabilities, and
        minutes of training.
        ``words``: single words, a linear support vector machine: seconds.
        ``maxent``: `maxent_features` and logistic regression, as in SimCoach.
        ``naive-bayes``: words, multinomial (0.1).
        ``neighbours``: the 20 nearest by the cosine of words.

    Returns
    -------
    sklearn.pipeline.Pipeline
        Not yet trained.

    Raises
    ------
    MissingExtra
        If scikit-learn is not installed.

    Examples
    --------
    >>> import demur
    >>> model = demur.intent_classifier("naive-bayes")
    >>> model = model.fit(["light on", "light off"], [1, 0])
    >>> model.predict(["switch it off"]).tolist()
    [0]
    """
    choice("intent_classifier", "kind", kind, INTENT_CLASSIFIERS)
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise MissingExtra("learn", "Training a classifier") from None
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*INTENT_CLASSIFIERS[kind]())


def _tfidf(**options: Any) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(sublinear_tf=True, **options)


def _words_and_letters() -> Any:
    from sklearn.pipeline import make_union

    return make_union(
        _tfidf(token_pattern=None, tokenizer=words, ngram_range=(1, 2)),
        _tfidf(analyzer="char_wb", ngram_range=(2, 5)),
    )


def _linear_svm() -> tuple[Any, Any]:
    from sklearn.svm import LinearSVC

    return _words_and_letters(), LinearSVC(dual=True, random_state=0)


def _logistic() -> tuple[Any, Any]:
    from sklearn.linear_model import LogisticRegression

    return _words_and_letters(), LogisticRegression(C=30, max_iter=1000)


def _words() -> tuple[Any, Any]:
    from sklearn.svm import LinearSVC

    return _tfidf(analyzer=words), LinearSVC(dual=True, random_state=0)


def _maxent() -> tuple[Any, Any]:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    features = CountVectorizer(analyzer=maxent_features)  # each once, so 0 or 1
    return features, LogisticRegression(max_iter=1000)


def _naive_bayes() -> tuple[Any, Any]:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    return CountVectorizer(analyzer=words), MultinomialNB(alpha=0.1)


def _neighbours() -> tuple[Any, Any]:
    from sklearn.neighbors import KNeighborsClassifier

    nearest = KNeighborsClassifier(20, weights="distance", metric="cosine")
    return _tfidf(analyzer=words), nearest


INTENT_CLASSIFIERS: Final[dict[str, Callable[[], tuple[Any, Any]]]] = {
    "linear-svm": _linear_svm,
    "logistic": _logistic,
    "words": _words,
    "maxent": _maxent,
    "naive-bayes": _naive_bayes,
    "neighbours": _neighbours,
}
"""The classifiers that have a name."""
