"""What a judge has replied, as a verdict: read as all replies are."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from demur.answers.extracting import NOTHING, Step
from demur.answers.reply_forms import MarkedAnswer, marked_answer
from demur.answers.sentences import bare
from demur.errors import masked
from demur.judge_models.cases import (
    CANNOT_TELL,
    DECLINED,
    FAILED_VERDICT,
    PARTLY,
    RIGHT_VERDICT,
    WRONG_VERDICT,
    JudgeVerdict,
)
from demur.judge_models.rubrics import Rubric, RubricChoice, plain_word
from demur.outcomes.records import Response
from demur.outcomes.thoughts import saying
from demur.outcomes.written_confidences import written_confidence

_MEMBERS: Final = (
    *("verdict", "answer", "grade", "judgement", "judgment", "label", "choice"),
    *("decision", "result", "rating", "score"),
)
_REASONS: Final = ("reason", "reasoning", "explanation", "rationale", "why", "because")
_SURE: Final = ("confidence", "probability", "certainty", "likelihood")
_ENDS: Final = ".,;:!?(\u2013\u2014\n\u3002\uff0c\uff1a\uff1f"
"""What may stand behind the word of a verdict, before more words."""

_LABELS: Final = ":\uff1a"
"""Those of them behind which the verdict may stand: "Correct: no"."""

_ASKS: Final = "?\uff1f"
"""Those of them that ask: "Correct? No"."""

_JOINS: Final = frozenset({"or", "and", "nor", "not"})

_OF_ANOTHER: Final = re.compile(r" (?:the|a|an) \w+ (?=\w)")
"""An adjective before its noun, as in "the right answer"."""

NO_VERDICT: Final = "no verdict in the judge's reply"
_DECLINES: Final = "the judge declines"
_HELD_BACK: Final = "the judge's reply was held back"
_CUT_OFF: Final = "the judge's reply was cut off"
UNREAD: Final = (NO_VERDICT, _DECLINES, _HELD_BACK, _CUT_OFF)
"""How reasons begin of replies that hold no verdict."""

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")

_LONGEST_WORD: Final = 200
_LONGEST_REASON: Final = 300
_QUOTED: Final = 80


class ReadReply(NamedTuple):
    """A verdict of a reply, before it is weighed.

    Parameters
    ----------
    choice : RubricChoice or None
        None if no verdict can be read.
    reason : str
        In the judge's own words; of no verdict, what is wrong.
    confidence : float or None
    """

    choice: RubricChoice | None
    reason: str
    confidence: float | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether it gives no credit, so that a weaker reference may give some."""
        return self.choice is not None and self.choice.credit == 0


def read_judge_reply(response: Response, rubric: Rubric) -> ReadReply:
    r"""The verdict of one reply.

    It stands behind "Answer:", in a JSON object, or in the last line, and is a word of
    the rubric's, in any case. What a judge thinks, or quotes before it, is none.

    Parameters
    ----------
    response : Response
        Of the judge; not one that failed.
    rubric : Rubric

    Returns
    -------
    ReadReply

    Examples
    --------
    >>> from demur.judge_models.rubrics import read_rubric
    >>> said = "Both are the capital.\nAnswer: **RIGHT**\nConfidence: 90 %"
    >>> read = read_judge_reply(Response(item=1, response=said),
    ...                         read_rubric("same-answer"))
    >>> read.choice.name, read.reason, read.confidence
    ('right', 'Both are the capital.', 0.9)
    """
    answer = response.response
    texts = said_texts(response)
    for text in texts:
        marked = marked_answer(text, asked=True)
        for candidate in _candidates(text, marked):
            choice = choice_of(candidate, rubric)
            if choice is not None and _agrees(answer, choice, rubric):
                return ReadReply(
                    choice, _reason(text, marked), _sure(response, text, marked)
                )
    return _unread(response, texts)


def said_texts(response: Response) -> list[str]:
    """All that the judge has said, sample by sample, then what was read of it."""
    extra = response.extra
    replies = [extra.get("reply"), *(extra.get("replies") or ())]
    texts = [text for text in replies if isinstance(text, str) and text.strip()]
    answer = response.response
    if answer is None:
        return texts
    if isinstance(answer, bool):
        answer = "true" if answer else "false"
    if not isinstance(answer, str):
        answer = json.dumps(answer, ensure_ascii=False, default=str)
    return [*texts, answer]


def _agrees(answer: Any, choice: RubricChoice, rubric: Rubric) -> bool:
    """Whether a sample says what the judge says on the whole, where that is known."""
    whole = choice_of(answer, rubric) if isinstance(answer, str) else None
    return whole is None or whole is choice


def _candidates(text: str, marked: MarkedAnswer) -> Iterator[Any]:
    """What may be the verdict, the plainest first."""
    yield marked.answer
    for name in _MEMBERS:
        value = _member(text, name)
        if value is not None:
            yield "true" if value is True else "false" if value is False else value
    lines = saying(text).within(text).strip().splitlines()
    kept = [line for line in lines if line.strip() and not _is_confidence(line)]
    if kept and marked.kind != "truncated":
        yield kept[-1]
        label, _, word = kept[-1].rpartition(":")
        # "Whether the answer is right" is none, and so a sentence is not looked into.
        yield word if plain_word(label).rpartition(" ")[2] in _MEMBERS else None


def _is_confidence(line: str) -> bool:
    return plain_word(line).split(" ")[0] in _SURE


def _member(text: str, name: str) -> Any:
    """What a JSON object in a reply has under a name; None if nothing."""
    if "{" not in text:
        return None
    value = Step("json", name)(saying(text).within(text))
    return None if value is NOTHING or not isinstance(value, (str, bool)) else value


def choice_of(text: Any, rubric: Rubric) -> RubricChoice | None:
    """The choice that a text names; None if it names none, or several.

    Examples
    --------
    >>> from demur.judge_models.rubrics import read_rubric
    >>> rubric = read_rubric("same-answer")
    >>> for text in ("RIGHT.", "Incorrect, since it is Rome", "right or wrong", "Rome"):
    ...     choice = choice_of(text, rubric)
    ...     print(choice and choice.name)
    right
    wrong
    None
    None
    """
    if not isinstance(text, str) or len(text) > _LONGEST_WORD:
        return None
    words = {
        plain_word(word): choice
        for choice in rubric.choices
        for word in (choice.name, *choice.also)
    }
    whole = bare(text)
    if plain_word(whole) in words:
        return words[plain_word(whole)]
    ends = [at for at in map(whole.find, _ENDS) if at > 0]
    if not ends:
        return None
    first, rest = whole[: min(ends)], plain_word(whole[min(ends) :])
    choice = words.get(plain_word(first))
    sign = whole[min(ends)]
    if rest and (sign in _ASKS or (sign in _LABELS and _is_label(rest, words))):
        return choice if words.get(rest) is choice is not None else None
    others = {word for word, other in words.items() if other is not choice}
    return None if _is_form(rest, others, {*words}) else choice


def _is_form(rest: str, others: set[str], words: set[str]) -> bool:
    """Whether what stands behind a verdict takes it back, or offers another.

    Examples
    --------
    >>> [_is_form(rest, {"no", "wrong"}, {"yes", "no", "right", "wrong"})
    ...  for rest in ("wrong or cannot tell", "no", "no doubt", "not the wrong city")]
    [True, True, False, False]
    """
    tokens = {*rest.split()}
    if tokens <= words | _JOINS and tokens & (others | _JOINS):
        return True
    # "The right answer is Oslo" says why an answer is wrong, and is no verdict.
    said_of_it = _OF_ANOTHER.sub(" ", f" {rest} ")
    # Short ones are words of sentences, too.
    return any(f" {word} " in said_of_it for word in others if len(word) > 3)


def _is_label(rest: str, words: Mapping[str, RubricChoice]) -> bool:
    """Whether what stands behind "Correct:" decides, and is not the reason for it.

    Examples
    --------
    >>> [_is_label(rest, {}) for rest in ("no", "0 of 2", "it names another city")]
    [True, True, False]
    """
    first, *more = rest.split()
    is_verdict = any(f"{rest} ".startswith(f"{word} ") for word in words)
    return len(more) < 2 or is_verdict or first in _JOINS or first.isdigit()


def _reason(text: str, marked: MarkedAnswer) -> str:
    """Why, in the judge's own words: a member of its object, or what stands before."""
    for name in _REASONS:
        value = _member(text, name)
        if isinstance(value, str) and value.strip():
            return shortened(value, _LONGEST_REASON)
    if marked.mark in ("label", "tag"):
        first, last = marked.span
        before = text[: text.rfind("\n", 0, first) + 1]
        spoken = saying(before)
        words = "" if spoken.is_thinking else spoken.within(before)
        behind = text[last:].partition(">")[2] if marked.mark == "tag" else text[last:]
        words = words if words.strip() else behind
    else:
        lines = saying(text).within(text).strip().splitlines()
        words = "\n".join(lines[:-1]) if len(lines) > 1 else ""
    lines = [line for line in words.splitlines() if not _is_confidence(line)]
    return shortened("\n".join(lines), _LONGEST_REASON)


def shortened(text: str, longest: int) -> str:
    r"""A text on one line, cut behind a word if it is too long.

    What no file could hold, such as a zero byte, is a question mark.

    Examples
    --------
    >>> shortened("one\n two three", 9)
    'one two...'
    """
    whole = text.encode("utf-8", "replace").decode()
    line = masked(_CONTROLS.sub("?", " ".join(whole.split())))
    if len(line) <= longest:
        return line
    return f"{line[:longest].rpartition(' ')[0] or line[:longest]}..."


def _sure(response: Response, text: str, marked: MarkedAnswer) -> float | None:
    """How sure the judge is: as the system tells, else as the reply states."""
    if response.confidence is not None:
        return float(response.confidence)
    if marked.mark == "label" and marked.confidence is not None:
        return marked.confidence
    for name in _SURE:
        if "{" in text:
            value = Step("json", name)(saying(text).within(text))
            if isinstance(value, (str, int, float)) and not isinstance(value, bool):
                return written_confidence(
                    value if isinstance(value, str) else json.dumps(value)
                )
    return marked.confidence


def _unread(response: Response, texts: list[str]) -> ReadReply:
    """What is said of a reply without a verdict."""
    speeches = (saying(text).within(text).strip() for text in texts)
    quoted = next((speech for speech in speeches if speech), "")
    if response.declined:
        reason = _DECLINES
    elif response.kind == "filter":
        reason = _HELD_BACK
    elif response.kind == "truncated":
        reason = _CUT_OFF
    else:
        reason = NO_VERDICT
    if quoted:
        reason += f": {shortened(quoted, _QUOTED)!r}"
    return ReadReply(None, reason)


# -- verdicts ------------------------------------------------------------------------


def failed_verdict(why: str) -> JudgeVerdict:
    """That of a judge that could not be had.

    Examples
    --------
    >>> failed_verdict("status 500").code
    'failed'
    """
    return JudgeVerdict(None, FAILED_VERDICT, shortened(why, _LONGEST_REASON))


def verdict_of(read: ReadReply, weight: float = 1.0) -> JudgeVerdict:
    """The verdict of a reply about references of this weight.

    Examples
    --------
    >>> verdict_of(ReadReply(RubricChoice("met", "...", 1.0), "It says so."), 0.5)
    JudgeVerdict(credit=0.5, code='partly_right', reason='It says so.', confidence=None)
    """
    if read.choice is None:
        return JudgeVerdict(None, CANNOT_TELL, read.reason)
    name, sure = read.choice.name, read.confidence
    reason = read.reason or name
    if read.choice.credit is None:
        return JudgeVerdict(None, read.choice.verdict, reason, sure, name)
    credit = read.choice.credit * weight
    return JudgeVerdict(credit, code_of(credit), reason, sure, name)


def code_of(credit: float) -> str:
    """Right, wrong or partly right."""
    if credit in (0, 1):
        return RIGHT_VERDICT if credit else WRONG_VERDICT
    return PARTLY


def of_criteria(reads: Mapping[str, tuple[ReadReply, float]]) -> JudgeVerdict:
    """The verdict of several criteria, each with its part of the credit.

    One that cannot be told leaves all untold; the least sure one says how sure it is.

    Examples
    --------
    >>> met, unmet = RubricChoice("met", "", 1.0), RubricChoice("not met", "", 0.0)
    >>> of_criteria({"truth": (ReadReply(met, "", 0.9), 0.75),
    ...              "focus": (ReadReply(unmet, "It strays.", 0.8), 0.25)})
    JudgeVerdict(credit=0.75, code='partly_right',
                 reason='truth: met; focus: not met (It strays.)', confidence=0.8)
    """
    parts, sure = [], []
    for name, (read, _) in reads.items():
        word = "cannot tell" if read.choice is None else read.choice.name
        parts.append(f"{name}: {word}" + (f" ({read.reason})" if read.reason else ""))
        sure.append(read.confidence)
    reason = shortened("; ".join(parts), _LONGEST_REASON)
    known = [number for number in sure if number is not None]
    confidence = min(known) if len(known) == len(sure) else None
    choices = [read.choice for read, _ in reads.values()]
    if any(choice is None or choice.verdict == CANNOT_TELL for choice in choices):
        return JudgeVerdict(None, CANNOT_TELL, reason, confidence)
    if any(choice is not None and choice.verdict == DECLINED for choice in choices):
        return JudgeVerdict(None, DECLINED, reason, confidence)
    credit = sum(
        weight * (read.choice.credit or 0.0)
        for read, weight in reads.values()
        if read.choice is not None
    )
    credit = min(1.0, round(credit, 9))  # weights add up to 1 but for rounding
    return JudgeVerdict(credit, code_of(credit), reason, confidence)
