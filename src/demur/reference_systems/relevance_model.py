"""The cross-language relevance model: which answer belongs to a question.

Questions and answers are taken for two languages that the training links join. A new
question predicts a language model of its answer, and the answer whose own model is
nearest is returned, with that nearness as its confidence.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, Final, Self

import numpy as np

from demur import checks
from demur.arrays import Floats
from demur.checks import choice
from demur.decisions.choosing import choose
from demur.errors import InputError, shown
from demur.outcomes.table import Outcomes
from demur.reference_systems.thresholds import (
    acceptable_columns,
    best_mean_f1,
    check_targets,
    label_order,
    labels_of,
)
from demur.reference_systems.tokenizers import Tokenizer, no_words, words

CONFIDENCES: Final = ("cross_entropy", "kl")
FIELDS: Final = ("text", "id")

_MOST_ENTRIES: Final = 4_000_000  # of a block of scores, 12 bytes each


@dataclass(kw_only=True, eq=False, repr=False)
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
    tokens : callable, or sequence of callable
        From a text to its tokens. With several, questions have a language model for
        each, and what these say of a question is multiplied (a mixture); the words of
        answers are those of the first.
    token_weights : sequence of float, optional
        Of several kinds of tokens: the powers to which what they say is raised; by
        default equal, with a sum of 1.
    smoothing : float
        Added to each count of the background.
    threshold : float, optional
        Of the confidence of an answer that is given; `tune` sets it. A system made from
        the model declines below it, and keeps its guess.

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
    >>> import demur
    >>> model = demur.RelevanceModel().fit(
    ...     ["what is your name", "who are you", "where are you from"],
    ...     ["name", "name", "home"])
    >>> model.predict(["your name please", "where from"]).tolist()
    ['name', 'home']
    """

    question_weight: float = 0.3
    answer_weight: float = 0.9
    fields: Sequence[str] = FIELDS
    confidence: str = "cross_entropy"
    answers: Mapping[Any, str] | None = None
    tokens: Tokenizer | Sequence[Tokenizer] = words
    token_weights: Sequence[float] | None = None
    smoothing: float = 0.01
    threshold: float | None = None

    def __repr__(self) -> str:
        chosen = (
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) is not field.default
        )
        return f"RelevanceModel({', '.join(chosen)})"

    # -- as scikit-learn expects -------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002
        """The parameters, by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

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
            The questions.
        targets : sequence
            For each the label of its answer, a set, list or tuple of labels, or None
            for a question that has none, which only adds its words.

        Raises
        ------
        InputError
            If no question has an answer, or none has a word, a question is no text, the
            lengths differ, or a parameter is out of range.
        """
        from scipy import sparse

        self._check()
        inputs = _questions(inputs)
        check_targets("RelevanceModel", inputs, targets, "question")
        labels = [labels_of(target) for target in targets]
        classes = sorted({name for names in labels for name in names}, key=label_order)
        if not classes:
            need = "name an answer for one question at least"
            hint = "Links are learned."
            raise InputError("RelevanceModel", "the targets", need, "none", hint)
        kinds = {type(label) for label in classes}
        # Of several types numpy would make one, and 7 and "7" the same label.
        self.classes_ = np.array(classes, object if len(kinds) > 1 else None)
        place = {label: number for number, label in enumerate(classes)}
        kept = [row for row, names in enumerate(labels) if names]
        self._vocabularies, lifts = [], []
        for tokenizer, weight in self._tokenizers():
            tokens = [list(tokenizer(text)) for text in inputs]
            self._vocabularies.append(_numbered(tokens))
            counts = _counts(tokens, self._vocabularies[-1])
            background = self._background(counts)
            questions = _Models(counts[kept], self.question_weight, background)
            # A weight is a power of what these tokens say, a factor of its logarithm.
            lifts.append(weight * questions.lift)
        if not any(self._vocabularies):
            raise no_words("RelevanceModel")
        self._lifts = sparse.hstack(lifts).T.tocsr()  # words x questions
        rows = [r for r, row in enumerate(kept) for _ in labels[row]]
        columns = [place[label] for row in kept for label in labels[row]]
        self._links = sparse.csr_matrix(
            (np.ones(len(rows)), (rows, columns)), (len(kept), len(classes))
        )
        self._answers = [self._answer_models(name, classes) for name in self.fields]
        return self

    def tune(self, inputs: Sequence[str], targets: Sequence[Any], **rule: Any) -> Self:
        """Set the threshold by questions that were kept apart from `fit`.

        Parameters
        ----------
        inputs : sequence of str
            Questions of their own.
        targets : sequence
            As in `fit`; a question without an answer ought to be declined.
        **rule
            One rule of `demur.choose`: ``nonreturn=0.2`` (a fixed rate),
            ``balance=True`` (as many errors as missed answers), ``wrong_costs=5``, and
            so on. Without a rule it is the highest mean F1 of all answers above the
            threshold, as the papers' characters were tuned.

        Raises
        ------
        InputError
            If there are no questions, or the rule is none.
        """
        scores = self.decision_function(inputs)
        accepted = acceptable_columns(self.classes_.tolist(), targets)
        if len(accepted) != len(scores) or not len(scores):
            need, got = "be one for each question", f"{len(accepted)} of {len(scores)}"
            raise InputError("RelevanceModel.tune", "the targets", need, got)
        if not rule:
            self.threshold, _ = best_mean_f1(scores, accepted)
            return self
        best = scores.argmax(axis=1)
        chosen = choose(
            Outcomes.from_arrays(
                correct=[b in right for b, right in zip(best, accepted, strict=True)],
                confidence=scores.max(axis=1),
                answerable=[bool(labels_of(target)) for target in targets],
            ),
            **rule,
        )
        # No cutoff is to decline everything, and above infinity nothing is answered.
        self.threshold = float("inf") if chosen.cutoff is None else chosen.cutoff
        return self

    def _check(self) -> None:
        where = "RelevanceModel"
        for name in ("question_weight", "answer_weight"):
            value = getattr(self, name)
            if not 0 < value < 1:
                need = "be above 0 and below 1"
                raise InputError(where, name, need, shown(value))
        choice(where, "confidence", self.confidence, CONFIDENCES)
        if not callable(self.tokens):
            weights, n = self.token_weights, len(self.tokens)
            if not n or (weights is not None and len(weights) != n):
                need = "be one for each of the tokens"
                got = f"{n} tokens, weights {shown(weights)}"
                raise InputError(where, "token_weights", need, got)
        for label, text in (self.answers or {}).items():
            checks.text(where, f"the text of answer {label}", text)
        if not self.fields:
            raise InputError(where, "fields", "name at least one", "none")
        for name in self.fields:
            choice(where, "a field", name, FIELDS)

    def _tokenizers(self) -> list[tuple[Tokenizer, float]]:
        """Each tokenizer and its weight."""
        several = [self.tokens] if callable(self.tokens) else list(self.tokens)
        weights = self.token_weights
        if weights is None:
            weights = [1 / len(several)] * len(several)
        return list(zip(several, weights, strict=True))

    def _question_counts(self, texts: Sequence[str]) -> Any:
        """How often each known token stands in each question, sparse."""
        from scipy import sparse

        pairs = zip(self._tokenizers(), self._vocabularies, strict=True)
        counts = [
            _counts([list(tokenizer(text)) for text in texts], known)
            for (tokenizer, _), known in pairs
        ]
        return sparse.hstack(counts).tocsr()

    def _background(self, counts: Any) -> Floats:
        """Smoothed shares of each word among all words."""
        smoothed = np.asarray(counts.sum(axis=0)).ravel() + self.smoothing
        shares: Floats = smoothed / smoothed.sum()
        return shares

    def _answer_models(self, name: str, labels: Sequence[Any]) -> "_Models":
        """The language models of the answers, of one field."""
        if name == "id":
            # A word that no other answer has: equal texts stay apart.
            tokens = [[str(number)] for number in range(len(labels))]
        else:
            texts, tokenizer = self.answers or {}, self._tokenizers()[0][0]
            tokens = [
                list(tokenizer(texts.get(label, str(label).replace("_", " "))))
                for label in labels
            ]
        counts = _counts(tokens, _numbered(tokens))
        return _Models(counts, self.answer_weight, self._background(counts))

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
        if not hasattr(self, "classes_"):
            need = "have learned, by fit(questions, answers)"
            raise InputError("RelevanceModel", "the model", need, "one that has not")
        counts = self._question_counts(_questions(inputs))
        # A word meets as many questions as have it; then come all answers and words.
        met = np.append(0, np.cumsum(np.diff(self._lifts.indptr)[counts.indices]))
        fixed = len(self.classes_) + max(len(models.rest) for models in self._answers)
        cost = met[counts.indptr] + fixed * np.arange(counts.shape[0] + 1)
        start = 0
        while start < counts.shape[0]:
            limit = cost[start] + _MOST_ENTRIES
            stop = max(int(np.searchsorted(cost, limit, "right")) - 1, start + 1)
            yield self._confidences(counts[start:stop])
            start = stop

    def _confidences(self, counts: Any) -> Floats:
        """The mean over the fields."""
        share = self._shares(counts)
        mean: Floats = np.zeros_like(share)
        for models in self._answers:
            predicted = share @ models.own + models.rest
            # The negative cross-entropy, sum of P(w) log M(w): log M is a sparse lift
            # above the logarithm of the rest, which is the same for all answers.
            mean += predicted @ models.lift.T
            mean += (predicted @ np.log(models.rest))[:, None]
            if self.confidence == "kl":
                mean -= (predicted * np.log(predicted)).sum(axis=1)[:, None]
        mean /= len(self._answers)
        return mean

    def _shares(self, counts: Any) -> Floats:
        """How much of what is predicted comes from each answer; rows add up to 1."""
        lifts = counts @ self._lifts  # logs of B(q), less a constant; absent is 0
        size = np.diff(lifts.indptr)
        # Less the highest of each row, which shares do not see: exp would overflow.
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


class _Models:
    """Smoothed language models of several texts.

    The model of a text is its row of ``own`` plus ``rest``, and the logarithm of that
    is its row of ``lift`` plus the logarithm of ``rest``; both rows are sparse.

    Parameters
    ----------
    counts : sparse matrix, shape (n_texts, n_words)
        How often each word stands in each text.
    weight : float
        Of a text's own words.
    background : array, shape (n_words,)
        The share of each word among the words of all texts.
    """

    def __init__(self, counts: Any, weight: float, background: Floats) -> None:
        # A text without known words has no model of its own, only the rest.
        length = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
        self.rest: Floats = (1 - weight) * background
        self.own = counts.copy()
        self.own.data *= weight / np.repeat(length, np.diff(counts.indptr))
        self.lift = self.own.copy()
        self.lift.data = np.log1p(self.own.data / self.rest[counts.indices])


def _questions(inputs: Iterable[str]) -> list[str]:
    what = "the questions"
    given = checks.in_order("RelevanceModel", what, inputs)
    return checks.texts("RelevanceModel", what, given)


def _numbered(tokens: Iterable[Iterable[str]]) -> dict[str, int]:
    """Each word and its number, in the order in which they come."""
    words_ = dict.fromkeys(chain.from_iterable(tokens))
    return {word: number for number, word in enumerate(words_)}


def _counts(tokens: Sequence[Sequence[str]], known: Mapping[str, int]) -> Any:
    """How often each known word stands in each text, sparse (n_texts, n_words)."""
    from scipy import sparse

    places = [
        [place for place in map(known.get, text) if place is not None]
        for text in tokens
    ]
    starts = np.append(0, np.cumsum([len(text) for text in places]))
    columns = np.fromiter(chain.from_iterable(places), np.int32)
    counts = sparse.csr_matrix(
        (np.ones(len(columns)), columns, starts), (len(tokens), max(len(known), 1))
    )
    counts.sum_duplicates()
    return counts
