"""The cross-language relevance model: which answer belongs to a question.

Questions and answers are taken for two languages that the training links join. A new
question predicts a language model of its answer, and the answer whose own model is
nearest is returned, with that nearness as its confidence.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Self

import numpy as np

from demur.arrays import Floats
from demur.checks import choice
from demur.errors import InputError, shown

CONFIDENCES: Final = ("cross_entropy", "kl")
FIELDS: Final = ("text", "id")

_WORD: Final = re.compile(r"[a-z0-9']+")
_MOST_ENTRIES: Final = 4_000_000  # of a block of scores, 12 bytes each


def words(text: str) -> list[str]:
    """The tokens of a text: runs of letters, digits and apostrophes, in lower case.

    Examples
    --------
    >>> words("What's THAT?")
    ["what's", 'that']
    """
    return _WORD.findall(text.lower())


class RelevanceModel:
    """Chooses an answer by the language model that a question predicts.

    It has the interface of a classifier of scikit-learn, and does not import it.

    Parameters
    ----------
    question_weight, answer_weight : float
        How much of the language model of one question, or answer, is its own words,
        the rest being those of all; above 0 and below 1.
    fields : sequence of {"text", "id"}
        What an answer's language is made of: the words of its text, and its label as a
        word of its own, which keeps answers of equal texts apart. Each has a model;
        their scores are averaged.
    confidence : {"cross_entropy", "kl"}
        Of an answer: the negative cross-entropy of the predicted model and its own, or
        their negative divergence. Both rank the answers to one question alike; across
        questions they differ by the entropy of what is predicted, so that curves
        differ.
    answers : mapping of label to str, optional
        The texts of the answers; by default the labels, with underscores as spaces.
    tokens : callable
        From a text to its tokens.
    smoothing : float
        Added to each count of the background.

    Attributes
    ----------
    classes_ : array, shape (n_classes,)
        The labels of the answers.

    References
    ----------
    Lavrenko, Choquette and Croft (2002), "Cross-lingual relevance models", SIGIR.
    Leuski and Traum (2010), "NPCEditor: a tool for building question-answering
    characters", LREC; the smoothing and the score are those of its successor in open
    source, USC-ICT/jerome. That the question's model multiplies by the number of its
    links follows from there; the default weights are ours.

    Examples
    --------
    >>> model = RelevanceModel().fit(
    ...     ["what is your name", "who are you", "where are you from"],
    ...     ["name", "name", "home"])
    >>> model.predict(["your name please", "where from"]).tolist()
    ['name', 'home']
    """

    def __init__(
        self,
        *,
        question_weight: float = 0.3,
        answer_weight: float = 0.9,
        fields: Sequence[str] = FIELDS,
        confidence: str = "cross_entropy",
        answers: Mapping[Any, str] | None = None,
        tokens: Callable[[str], Sequence[str]] = words,
        smoothing: float = 0.01,
    ) -> None:
        self.question_weight, self.answer_weight = question_weight, answer_weight
        self.fields, self.confidence = fields, confidence
        self.answers, self.tokens, self.smoothing = answers, tokens, smoothing

    # -- as scikit-learn expects -------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002
        """The parameters, by name."""
        names = ("question_weight", "answer_weight", "fields", "confidence")
        return {
            name: getattr(self, name)
            for name in (*names, "answers", "tokens", "smoothing")
        }

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name.

        Raises
        ------
        InputError
            If there is no such parameter.
        """
        for name, value in params.items():
            choice("set_params", "a parameter", name, list(self.get_params()))
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of a classifier; only it calls this."""
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(string=True, two_d_array=False),
        )

    # -- learning ----------------------------------------------------------------------

    def fit(self, inputs: Sequence[str], targets: Sequence[Any]) -> Self:
        """Learn from questions and their answers.

        Parameters
        ----------
        inputs : sequence of str
        targets : sequence
            For each the label of its answer, a set, list or tuple of labels, or None
            for a question that has none, which only adds its words.

        Raises
        ------
        InputError
            If no question has an answer, the lengths differ, or a parameter is out of
            range.
        """
        from scipy import sparse

        self._check()
        labels = [_labels(target) for target in targets]
        if len(labels) != len(inputs):
            must, got = "be one for each question", f"{len(labels)} of {len(inputs)}"
            raise InputError("RelevanceModel", "the targets", must, got)
        found = sorted({label for each in labels for label in each}, key=_order)
        if not found:
            must, hint = (
                "name an answer for one question at least",
                "Links are learned.",
            )
            raise InputError("RelevanceModel", "the targets", must, "none", hint)
        self.classes_ = np.array(found)
        place = {label: number for number, label in enumerate(found)}
        tokens = [list(self.tokens(text)) for text in inputs]
        kept = [row for row, each in enumerate(labels) if each]
        self._vocabulary = {
            word: number
            for number, word in enumerate(dict.fromkeys(w for t in tokens for w in t))
        }
        counts = self._counts(tokens)
        background = self._background(np.asarray(counts.sum(axis=0)).ravel())
        linked = counts[kept]
        length = np.maximum(np.asarray(linked.sum(axis=1)).ravel(), 1)
        own = (
            self.question_weight
            * linked.data
            / np.repeat(length, np.diff(linked.indptr))
        )
        rest = (1 - self.question_weight) * background[linked.indices]
        lift = sparse.csr_matrix(
            (np.log1p(own / rest), linked.indices, linked.indptr), linked.shape
        )
        self._lifts = lift.T.tocsr()  # words x questions
        rows = [r for r, row in enumerate(kept) for _ in labels[row]]
        columns = [place[label] for row in kept for label in labels[row]]
        self._links = sparse.csr_matrix(
            (np.ones(len(rows)), (rows, columns)), (len(kept), len(found))
        )
        self._answer_models(found)
        return self

    def _check(self) -> None:
        where = "RelevanceModel"
        for name in ("question_weight", "answer_weight"):
            value = getattr(self, name)
            if not 0 < value < 1:
                must = "be above 0 and below 1"
                raise InputError(where, name, must, shown(value))
        choice(where, "confidence", self.confidence, CONFIDENCES)
        if not self.fields:
            raise InputError(where, "fields", "name at least one", "none")
        for name in self.fields:
            choice(where, "a field", name, FIELDS)

    def _background(self, counts: Floats) -> Floats:
        """Smoothed shares of each word among all words."""
        smoothed = counts + self.smoothing
        shares: Floats = smoothed / smoothed.sum()
        return shares

    def _counts(self, tokens: Sequence[Sequence[str]]) -> Any:
        """How often each known word stands in each text, sparse (n_texts, n_words)."""
        from scipy import sparse

        known = self._vocabulary
        places = [[known[w] for w in each if w in known] for each in tokens]
        starts = np.append(0, np.cumsum([len(each) for each in places]))
        columns = np.fromiter((p for each in places for p in each), np.int32)
        found = sparse.csr_matrix(
            (np.ones(len(columns)), columns, starts), (len(tokens), len(known))
        )
        found.sum_duplicates()
        return found

    def _answer_models(self, labels: Sequence[Any]) -> None:
        """The language models of the answers, and the cross-entropies between them."""
        n, weight = len(labels), self.answer_weight
        self._models: list[Floats] = []
        if "text" in self.fields:
            texts = self.answers or {}
            tokens = [
                list(self.tokens(texts.get(label, str(label).replace("_", " "))))
                for label in labels
            ]
            vocabulary: dict[str, int] = {}
            for each in tokens:
                for word in each:
                    vocabulary.setdefault(word, len(vocabulary))
            counts = np.zeros((n, max(len(vocabulary), 1)))
            for row, each in enumerate(tokens):
                np.add.at(counts[row], [vocabulary[word] for word in each], 1)
            length = np.maximum(counts.sum(axis=1, keepdims=True), 1)
            rest = (1 - weight) * self._background(counts.sum(axis=0))
            self._models.append(weight * counts / length + rest)
        if "id" in self.fields:
            rest = (1 - weight) * self._background(np.ones(n))
            self._models.append(weight * np.eye(n) + rest)
        crossed = [model @ np.log(model).T for model in self._models]
        self._crossed: Floats = np.mean(crossed, axis=0)

    # -- answering ---------------------------------------------------------------------

    def decision_function(self, inputs: Iterable[str]) -> Floats:
        """The confidence of each answer to each question, shape (n_inputs, n_classes).

        Always two-dimensional, also for two answers.
        """
        return np.concatenate(
            [np.empty((0, len(self.classes_))), *self._blocks(inputs)]
        )

    def predict(self, inputs: Iterable[str]) -> Any:
        """The best answer to each question, shape (n_inputs,)."""
        best = [block.argmax(axis=1) for block in self._blocks(inputs)]
        return self.classes_[np.concatenate([np.empty(0, int), *best])]

    def _blocks(self, inputs: Iterable[str]) -> Iterable[Floats]:
        """Confidences of as many questions at a time as memory allows."""
        counts = self._counts([list(self.tokens(text)) for text in inputs])
        # A word meets as many questions as have it.
        met = np.diff(self._lifts.indptr)
        cost = np.append(0, np.cumsum(met[counts.indices]))[counts.indptr]
        start = 0
        while start < counts.shape[0]:
            limit = cost[start] + _MOST_ENTRIES
            stop = max(int(np.searchsorted(cost, limit, "right")) - 1, start + 1)
            yield self._confidences(counts[start:stop])
            start = stop

    def _confidences(self, counts: Any) -> Floats:
        share = self._shares(counts)
        scores: Floats = share @ self._crossed
        if self.confidence == "cross_entropy":
            return scores
        entropies = []
        for model in self._models:
            predicted = share @ model
            entropies.append(-(predicted * np.log(predicted)).sum(axis=1))
        divergence: Floats = scores + np.mean(entropies, axis=0)[:, None]
        return divergence

    def _shares(self, counts: Any) -> Floats:
        """How much of what is predicted comes from each answer; rows add up to 1."""
        lifts = counts @ self._lifts  # logs of B(q), less a constant; absent is 0
        size = np.diff(lifts.indptr)
        highest = np.zeros(lifts.shape[0])
        some = size > 0
        if some.any():
            highest[some] = np.maximum.reduceat(lifts.data, lifts.indptr[:-1][some])
        least = np.exp(-highest)
        # Questions that share no word count exp(0) each: add them all, then what the
        # others have beyond that.
        lifts.data = np.exp(lifts.data - np.repeat(highest, size)) - np.repeat(
            least, size
        )
        beyond = np.asarray((lifts @ self._links).todense())
        every = np.asarray(self._links.sum(axis=0)).ravel()
        likely = beyond + least[:, None] * every
        shares: Floats = likely / likely.sum(axis=1, keepdims=True)
        return shares


def _labels(target: Any) -> list[Any]:
    if target is None:
        return []
    if isinstance(target, (set, frozenset, list, tuple)):
        return sorted(set(target), key=_order)
    return [target]


def _order(label: Any) -> tuple[str, str]:
    return type(label).__name__, str(label)
