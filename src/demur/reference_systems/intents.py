"""Strong classifiers of short texts, ready to be trained (scikit-learn)."""

from collections.abc import Callable
from typing import Any, Final

from demur.checks import choice
from demur.errors import MissingExtra
from demur.reference_systems.maxent import maxent_features
from demur.reference_systems.tokenizers import words
from demur.spellings import small


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
        ``neighbours``: the 20 nearest by the cosine of words, of 20 texts at least.

    Returns
    -------
    sklearn.pipeline.Pipeline
        Not yet trained; it raises InputError for what cannot be learned from or asked.

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

    from demur.reference_systems.intent_pipelines import IntentPipeline

    return IntentPipeline(make_pipeline(*INTENT_CLASSIFIERS[kind]()).steps)


def _tfidf(**options: Any) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(sublinear_tf=True, **options)


def _words_and_letters() -> Any:
    from sklearn.pipeline import make_union

    return make_union(
        _tfidf(token_pattern=None, tokenizer=words, ngram_range=(1, 2)),
        _tfidf(analyzer="char_wb", ngram_range=(2, 5), preprocessor=small),
    )


def _counts(analyzer: Callable[[str], list[str]]) -> Any:
    from sklearn.feature_extraction.text import CountVectorizer

    return CountVectorizer(analyzer=analyzer)


def _linear_svm() -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC(dual=True, random_state=0)


def _regression(**options: Any) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000, **options)


def _naive_bayes() -> Any:
    from sklearn.naive_bayes import MultinomialNB

    return MultinomialNB(alpha=0.1)


def _neighbours() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(20, weights="distance", metric="cosine")


# Functions, so that scikit-learn is loaded for the one that is asked for.
INTENT_CLASSIFIERS: Final[dict[str, Callable[[], tuple[Any, Any]]]] = {
    "linear-svm": lambda: (_words_and_letters(), _linear_svm()),
    "logistic": lambda: (_words_and_letters(), _regression(C=30)),
    "words": lambda: (_tfidf(analyzer=words), _linear_svm()),
    "maxent": lambda: (_counts(maxent_features), _regression()),
    "naive-bayes": lambda: (_counts(words), _naive_bayes()),
    "neighbours": lambda: (_tfidf(analyzer=words), _neighbours()),
}
"""The features and the learner of each classifier that has a name."""
