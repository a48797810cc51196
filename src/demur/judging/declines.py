"""What may have been meant as no answer: counted, named, and said."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from demur.answers.refusals import NoAnswers
from demur.answers.reply_forms import spoken
from demur.errors import shown
from demur.outcomes.refusals import (
    failures_named,
    refusals_named,
    several,
    such_as,
)

_OFTEN: Final = 3
"""A wrong answer is named if it is given so often, and is a tenth of them."""

_AGREE: Final = {
    "equal": ("equals its reference", "equal their reference"),
    "right": ("is right by the comparator", "are right by the comparator"),
}
"""What is said of one answer that stays right, and of several."""

_KEPT: Final = 100_000
"""As many different wrong answers are told apart."""


def _typed(texts: Iterable[str]) -> str:
    """The option that counts the first of some texts as no answer.

    Examples
    --------
    >>> _typed(["I'm not sure."])
    "--no-answer 'I.m not sure.'"
    """
    text = next(iter(texts)).strip()
    pattern = re.sub(r"[^\w .,:;-]", ".", text[:_TYPED]) or "^$"
    return f"--no-answer '{pattern}{'.*' if len(text) > _TYPED else ''}'"


_TYPED: Final = 60
"""Characters of a text in a pattern."""


class Declines:
    """Wrong answers, and those that count as none.

    Parameters
    ----------
    no_answer : NoAnswers
        Which responses say that there is no answer.

    Examples
    --------
    >>> declines = Declines(NoAnswers())
    >>> for guess in ["Nem tudom"] * 3 + ["Oslo"]:
    ...     declines.add_wrong(guess)
    >>> print(*declines.notes({"Oslo"}.__contains__))
    3 of 4 wrong answers are 'Nem tudom', which is right for no item: if that is no \
answer, no_answer (--no-answer 'Nem tudom') counts it as unanswered
    """

    def __init__(self, no_answer: NoAnswers) -> None:
        self.no_answer = no_answer
        self.wrong: Counter[str] = Counter()
        self.unanswered: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()
        self._others = self.named = 0

    def add_wrong(self, guess: Any) -> None:
        """Count a wrong answer."""
        guess = spoken(guess)
        if isinstance(guess, str) and (guess in self.wrong or len(self.wrong) < _KEPT):
            self.wrong[guess] += 1
        else:
            self._others += 1

    def add_unanswered(self, guess: Any) -> None:
        """Count a response that says that there is no answer."""
        self.unanswered[spoken(guess)] += 1

    def notes(self, is_known: Callable[[str], bool]) -> Iterator[str]:
        """What a reader must know, given which texts are right for some item."""
        yield from self._unanswered_note()
        refusals = refusals_named(self.wrong)
        if refusals:
            number = refusals.total()
            look, are = ("looks", "is") if number == 1 else ("look", "are")
            hint = (
                "none of them says so surely enough for no_answer=refusals; if they "
                f"are no answers, add a pattern: {_typed(refusals)}"
                if self.no_answer.phrases
                else "no_answer=refusals (--no-answer refusals) counts such responses "
                "as unanswered where a language is sure enough, or name a pattern of "
                "your own"
            )
            yield (
                f"{several(number, 'wrong answer')} that {look} like a refusal or "
                f"{are} empty ({such_as(refusals)}): judged as guesses; {hint}"
            )
        failures = failures_named(self.wrong)
        if failures:
            number = failures.total()
            looks, judged = ("looks", "a guess") if number == 1 else ("look", "guesses")
            yield (
                f"{several(number, 'wrong answer')} that {looks} like a failure of a "
                f"program, not like an answer ({such_as(failures)}): judged as "
                f"{judged}; a record with failed (such as timeout) in place of its "
                "response counts as unanswered, or ask again"
            )
        total = self.wrong.total() + self._others
        for text, count in self.wrong.most_common(3):
            often = count >= _OFTEN and 10 * count >= total
            named = text in refusals or text in failures
            if often and not named and not is_known(text):
                yield (
                    f"{count} of {several(total, 'wrong answer')} are {shown(text)}, "
                    "which is right for no item: if that is no answer, no_answer "
                    f"({_typed([text])}) counts it as unanswered"
                )

    def _unanswered_note(self) -> Iterator[str]:
        option = f"no_answer={self.no_answer.text}"
        if self.unanswered:
            number = self.unanswered.total()
            says = "says" if number == 1 else "say"
            yield (
                f"{several(number, 'response')} that {says} that there is no answer "
                f"({such_as(self.unanswered)}): unanswered by {option}"
            )
        elif not self.kept and self.no_answer.is_nearly_phrases:
            yield (
                f"no response is '{self.no_answer.text}', which {option} looks for: "
                "no_answer=refusals (--no-answer refusals) looks for refusals"
            )
        if self.named:
            which = "response is" if self.named == 1 else "responses are"
            yield (
                f"{self.named} {which} NO_ANSWER, which is also the reference: "
                "unanswered, as it stands for no guess; write another word in both "
                "where it is an answer"
            )
        for agree, number in self.kept.items():
            yield (
                f"{several(number, 'response')} that {option} would take for no answer "
                f"{_AGREE[agree][number > 1]}: right"
            )
