"""How sure a system is of its answer: the confidence methods, and their one table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, TypeVar

import numpy as np

from demur import checks
from demur.answers import Comparator, parse_comparator
from demur.arrays import Floats
from demur.errors import InputError, shown
from demur.outcomes.records import Response
from demur.systems.adapters.answer_tokens import (
    answer_log_probabilities,
    answer_tokens,
    chosen_letter,
    letter_shares,
    offered_letters,
    token_entropy,
)
from demur.systems.adapters.chat_replies import (
    DECLINING,
    PLACEHOLDER,
    Reply,
    verbalised,
)

AGREE_BY: Final = "text(normalise=casefold+punctuation)"
"""The comparator by which samples agree, unless another is named."""


@dataclass(frozen=True, kw_only=True)
class ConfidenceMethod:
    """A way to tell how sure a system is; ``str`` of it stands in the signature.

    Parameters
    ----------
    name : str
        What ``confidence=`` takes; on the command line with hyphens.
    help : str
        What the number is, as a clause.
    details : str
        What else the page on systems says of it, in whole sentences.
    """

    name: str
    help: str
    details: str = ""

    def __str__(self) -> str:
        return self.name


def _nothing(_: Reply) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class ChatConfidence(ConfidenceMethod):
    """A method of chats: the response, of the reply to a question, or of several.

    Parameters
    ----------
    of : callable
        From a reply with an answer to the number; None if it has none.
    form : str
        A line that is added to the form of the reply.
    placeholder : str
        What stands for the answer in the form of the reply.
    of_tokens : bool
        Whether it needs log-probabilities, which not every endpoint gives.
    of_others : bool
        Whether it needs those of tokens that could have stood there, too.
    samples : int
        How often a question is asked.
    """

    of: Callable[[Reply], float | None] = _nothing
    form: str = ""
    placeholder: str = PLACEHOLDER
    of_tokens: bool = False
    of_others: bool = False
    samples: int = 1

    options: ClassVar[tuple[str, ...]] = ()
    """The arguments of `ChatSystem` that only this method has."""

    @property
    def whole_form(self) -> str:
        """The form of a reply that has an answer."""
        return f"\nAnswer: {self.placeholder}{self.form}"

    def check(self, parameters: Mapping[str, Any]) -> None:
        """Refuse parameters of the request under which the number means nothing."""

    def check_question(self, question: str, where: str) -> None:
        """Refuse a question of which the number cannot be had."""

    def asked_then(self, replies: Sequence[Reply]) -> str:  # noqa: ARG002
        """What the model is asked of its answer in a further request; often nothing."""
        return ""

    def answered(
        self,
        blank: Response,
        replies: Sequence[Reply],
        question: str,  # noqa: ARG002
    ) -> Response:
        """A response without content, filled with what the replies say."""
        [reply] = replies
        # What is known of a text says nothing of a call.
        unsure = reply.answer is None or reply.is_call
        return replace(
            blank,
            response=reply.answer,
            confidence=None if unsure else self.of(reply),
            declined=reply.kind in DECLINING,
            kind=reply.kind,
            extra={"reply": reply.text, "finish_reason": reply.finish_reason},
        )


@dataclass(frozen=True, kw_only=True)
class TruthProbability(ChatConfidence):
    """P(True): the model is shown its answer, and asked in a new request if it is true.

    The probability of the letter for true, among the two letters. As in the paper, but
    that other samples are not shown, and what is left for other tokens is not counted,
    if it is at most half.

    References
    ----------
    Kadavath et al. (2022), "Language models (mostly) know what they know".
    """

    def asked_then(self, replies: Sequence[Reply]) -> str:
        """The answer, and the two letters; nothing without an answer."""
        [reply] = replies
        if reply.answer is None or reply.is_call:
            return ""
        return _IS_TRUE.format(reply.answer)

    def answered(
        self, blank: Response, replies: Sequence[Reply], question: str
    ) -> Response:
        """What the first reply says, and how sure the second one is of it."""
        reply, *checks_made = replies
        response = super().answered(blank, [reply], question)
        for check in checks_made:
            shares = letter_shares(check, _TRUE + _FALSE, least=0.5)
            extra = {**response.extra, "check_reply": check.text}
            response = replace(response, confidence=shares.get(_TRUE), extra=extra)
        return response


@dataclass(frozen=True, kw_only=True)
class LetterProbability(ChatConfidence):
    """The probability of the letter that was chosen, among the letters of the choices.

    References
    ----------
    Kadavath et al. (2022), "Language models (mostly) know what they know", section 3,
    for letters as choices.
    """

    def check_question(self, question: str, where: str) -> None:
        """Refuse a question without choices."""
        if not offered_letters(question):
            need = f"list choices with letters for the confidence {self.name}"
            hint = (
                "Write them as A. or (A) from A on, or name {choices} in a template, "
                "for at most 26."
            )
            raise InputError(where, "the input", need, shown(question), hint)

    def answered(
        self, blank: Response, replies: Sequence[Reply], question: str
    ) -> Response:
        """The letter, how sure it is, and the others by their probability."""
        response = super().answered(blank, replies, question)
        [reply] = replies
        letter = None if reply.answer is None else chosen_letter(reply.answer)
        letters = offered_letters(question)
        if letter is None or letter not in letters or reply.is_call:
            return response
        shares = letter_shares(reply, letters)
        if not shares:
            return replace(response, response=letter)
        ranking = sorted(shares.items(), key=lambda pair: -pair[1])
        return replace(
            response,
            response=letter,
            confidence=shares[letter],
            ranking=tuple(ranking),
        )


_TRUE: Final = "A"
_FALSE: Final = "B"
_IS_TRUE: Final = (
    "\n\nProposed answer: {}\n\nIs the proposed answer true?\n(A) It is true.\n"
    "(B) It is false.\n\nReply with the letter A or B, without anything else."
)


@dataclass(frozen=True, kw_only=True)
class SampleAgreement(ChatConfidence):
    """The share of several samples that say the same.

    Parameters
    ----------
    agree_by : Comparator
        Says whether two answers are the same.

    References
    ----------
    Wang et al. (2023), "Self-consistency improves chain of thought reasoning in
    language models".
    """

    samples: int = 5
    agree_by: Comparator = field(default_factory=lambda: parse_comparator(AGREE_BY))

    options: ClassVar[tuple[str, ...]] = ("samples", "agree_by")

    def __post_init__(self) -> None:
        checks.whole("as_system", "samples", self.samples, 2)

    def __str__(self) -> str:
        return f"{self.name}(samples={self.samples}, by={self.agree_by})"

    def check(self, parameters: Mapping[str, Any]) -> None:
        """Refuse samples that cannot differ."""
        if parameters.get("temperature") == 0:
            need = "have a temperature above 0 for agreement"
            hint = "At 0 all samples say the same, whatever the model knows."
            raise InputError("as_system", "parameters", need, "0", hint)

    def answered(
        self,
        blank: Response,
        replies: Sequence[Reply],
        question: str,  # noqa: ARG002
    ) -> Response:
        """What most of the samples say; a sample without an answer agrees with none."""
        answers = [reply.answer for reply in replies if reply.answer is not None]
        groups = sorted(self._groups(answers), key=len, reverse=True)
        silent = [reply.kind for reply in replies if reply.answer is None]
        extra = {"replies": [reply.text for reply in replies]}
        if not groups:
            kind = max(silent, key=silent.count)
            return replace(blank, kind=kind, declined=kind in DECLINING, extra=extra)
        ranking = [(group[0], len(group) / self.samples) for group in groups]
        return replace(
            blank,
            response=ranking[0][0],
            confidence=self.sure([len(group) for group in groups], len(silent)),
            declined=len(silent) > len(groups[0]),
            ranking=tuple(ranking),
            extra=extra,
        )

    def sure(self, sizes: Sequence[int], silent: int) -> float:
        """How sure the samples are.

        Parameters
        ----------
        sizes : sequence of int
            How many samples agree, of each answer, the most first.
        silent : int
            How many have no answer.
        """
        return sizes[0] / (sum(sizes) + silent)

    def _groups(self, answers: Iterable[str]) -> list[list[str]]:
        """The answers, each beside the first that it agrees with."""
        groups: list[tuple[Any, list[str]]] = []
        for answer in answers:
            value = self.agree_by.read(answer)
            for first, group in groups:
                if self.agree_by.compare(value, first).credit == 1:
                    group.append(answer)
                    break
            else:
                groups.append((value, [answer]))
        return [group for _, group in groups]


@dataclass(frozen=True, kw_only=True)
class SampleEntropy(SampleAgreement):
    """The negative entropy of what several samples say, in bits: 0 if all say the same.

    References
    ----------
    Farquhar et al. (2024), "Detecting hallucinations in large language models using
    semantic entropy", Nature 630 (its discrete form; a comparator in place of a model
    says which answers mean the same).
    """

    def sure(self, sizes: Sequence[int], silent: int) -> float:
        """How sure the samples are; those without an answer say the same, too."""
        shares = np.array([*sizes, *([silent] if silent else [])], float)
        shares /= shares.sum()
        return float(shares @ np.log2(shares))


@dataclass(frozen=True, kw_only=True)
class ScoreConfidence(ConfidenceMethod):
    """A method of estimators, which reads the numbers off the scores of all classes.

    Parameters
    ----------
    of : callable
        From scores, shape (n_inputs, n_classes), to numbers, shape (n_inputs,).
    of_probabilities : bool
        Whether the scores have to be probabilities.
    """

    of: Callable[[Floats], Floats]
    of_probabilities: bool = False


# Functions with names, so that systems pickle: GridSearchCV sends them to processes.


def _mean_log_probability(reply: Reply) -> float:
    numbers = answer_log_probabilities(reply)
    return sum(numbers) / len(numbers)


def _sum_of_log_probabilities(reply: Reply) -> float:
    return sum(answer_log_probabilities(reply))


def _negative_token_entropy(reply: Reply) -> float:
    entropies = [token_entropy(token) for token in answer_tokens(reply)]
    return -sum(entropies) / len(entropies)


def _stated(reply: Reply) -> float | None:
    return verbalised(reply.text)


def _best(scores: Floats) -> Floats:
    return np.asarray(scores.max(axis=1))


def _lead(scores: Floats) -> Floats:
    two = np.partition(scores, -2, axis=1)[:, -2:]  # the two highest, in order
    lead: Floats = two[:, 1] - two[:, 0]
    return lead


def _negative_entropy(scores: Floats) -> Floats:
    """In bits, of rows that need not add up to 1: 0 where one class has all."""
    shares = scores / scores.sum(axis=1, keepdims=True)
    # A share of 0 adds nothing, though its logarithm is infinite.
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    entropy: Floats = (shares * logs).sum(axis=1)
    return entropy


NO_CONFIDENCE: Final = ChatConfidence(
    name="none", help="no number: the curve is a single operating point"
)

BEST_SCORE: Final = ScoreConfidence(
    name="max",
    help="the score of the best class",
    of=_best,
)

CONFIDENCES: Final[Mapping[str, ConfidenceMethod]] = {
    method.name: method
    for method in (
        ChatConfidence(
            name="mean_logprob",
            help="the mean of the log-probabilities of the answer's tokens",
            details="They are natural logarithms; no other tokens count.",
            of=_mean_log_probability,
            of_tokens=True,
        ),
        ChatConfidence(
            name="sum_logprob",
            help="the sum of the log-probabilities of the answer's tokens",
            details="It falls with every token, so it prefers short answers.",
            of=_sum_of_log_probabilities,
            of_tokens=True,
        ),
        ChatConfidence(
            name="token_entropy",
            help="the negative mean entropy of the answer's tokens, in bits",
            details="Of each token the endpoint tells what else could have stood "
            "there, 20 tokens if `--parameters` does not say `top_logprobs`; all that "
            "it does not tell counts as one more. 0 is sure.",
            of=_negative_token_entropy,
            of_tokens=True,
            of_others=True,
        ),
        LetterProbability(
            name="first_token",
            help="the probability of the chosen letter among those of the choices",
            details="For multiple choice: each question lists choices as `A.`, `B.` or "
            "`(A)`, `(B)`, as a template with `{choices}` does. The response is the "
            "letter; the others are its ranking. An answer without a letter has no "
            "confidence.",
            placeholder="<the letter of your choice>",
            of_tokens=True,
            of_others=True,
        ),
        TruthProbability(
            name="p_true",
            help="the probability that the model gives to its answer being true",
            details="P(True) of Kadavath et al. (2022): in a second request, which "
            "costs as much as the question and a few tokens, the model is shown its "
            "answer and says by a letter whether it is true. The number is the share "
            "of the letter for true among both letters in its place, or that of the "
            "first token. Where both together have less than half of the place, the "
            "model does not reply by a letter, and there is none.",
            of_tokens=True,
            of_others=True,
        ),
        ChatConfidence(
            name="verbalised",
            help="what the model states, as a fraction",
            details="It is also read in brackets behind the answer, in tags, or under "
            "another name. Few of these numbers differ, so many are ties. What cannot "
            "be read, or changes within its line, is no confidence; `demur judge "
            "--unsure lowest` ranks such guesses lowest, and says how many there are.",
            of=_stated,
            form="\nConfidence: <how likely it is that your answer is right, from 0 to "
            "100> %",
        ),
        SampleAgreement(
            name="agreement",
            help="the share of several samples that say the same",
            details="The model is asked `--samples` times, and the answer that most "
            "samples give is the guess. `--agree-by COMPARATOR` says what counts as "
            "the same. If more samples have no answer than agree, it is declined, and "
            "the guess stays.",
        ),
        SampleEntropy(
            name="semantic_entropy",
            help="the negative entropy of several samples, in bits",
            details="As `agreement`, but all groups of samples count: two answers that "
            "halve the samples are surer than five that share them with the same best "
            "one. Samples without an answer are a group, too.",
        ),
        NO_CONFIDENCE,
        BEST_SCORE,
        ScoreConfidence(
            name="margin",
            help="the lead of the best class over the next one",
            of=_lead,
        ),
        ScoreConfidence(
            name="entropy",
            help="the negative entropy of probabilities in bits",
            of=_negative_entropy,
            of_probabilities=True,
        ),
    )
}
"""All confidence methods, by name; the adapter that takes one is told by its class."""

_Method = TypeVar("_Method", bound=ConfidenceMethod)
_Class = TypeVar("_Class", bound=type)


def confidences(kind: type[_Method]) -> dict[str, _Method]:
    """The confidence methods of one kind of system, by name.

    Examples
    --------
    >>> list(confidences(ScoreConfidence))
    ['max', 'margin', 'entropy']
    """
    return {
        name: method for name, method in CONFIDENCES.items() if isinstance(method, kind)
    }


def names_confidences(kind: type[ConfidenceMethod]) -> Callable[[_Class], _Class]:
    """Decorator: ``CONFIDENCES`` in a docstring becomes the methods of a kind."""
    clauses = (f"``{name}``, {how.help}" for name, how in confidences(kind).items())
    listed = "; ".join(clauses)

    def named(cls: _Class) -> _Class:
        cls.__doc__ = (cls.__doc__ or "").replace("CONFIDENCES", listed)
        return cls

    return named
