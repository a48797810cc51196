"""What a chat endpoint replied: an answer, or why there is none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from demur.answers.refusals import looks_like_refusal
from demur.errors import shown
from demur.systems.adapters.json_addresses import EndpointFailed

DONT_KNOW: Final = "I don't know"
"""What a model is asked to say if it has no answer."""

DECLINING: Final = ("idk", "refusal")
"""The kinds of replies by which the model itself declines."""

_LABEL: Final = r"^[ \t*_#>\"'-]*{}[ \t*_]*:[*_]*"
_FLAGS: Final = re.IGNORECASE | re.MULTILINE
_ANSWER: Final = re.compile(_LABEL.format("answer"), _FLAGS)
_CONFIDENCE: Final = re.compile(_LABEL.format("confidence") + "(.*)", _FLAGS)
_END: Final = re.compile(rf"\n[ \t]*\n|{_LABEL.format('confidence')}|\Z", _FLAGS)
_FENCED: Final = re.compile(r"\s*```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_MARKED: Final = re.compile(r"(\*\*|__|`|\*|_)((?:(?!\1).)+)\1", re.DOTALL)
_FEWEST_WORDS: Final = 3  # of a refusal after "Answer:", where "None" is an answer
_NUMBER: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(%|percent\b|/\s*100\b)?")
_THOUGHTS: Final = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reply:
    """What one reply says.

    Parameters
    ----------
    answer : str or None
        None if there is none; ``kind`` says why.
    kind : str or None
        ``idk``, ``refusal``, ``filter``, ``truncated`` or ``format``.
    text : str
        All that was said.
    span : (int, int)
        Where in the text the answer stands.
    tokens : sequence of (bytes, float or None)
        Each token and its log-probability; empty if the endpoint gives none.
    usage : mapping of str to int
        Numbers of tokens, as far as they are given.
    finish_reason, model : str or None
        As the endpoint says.
    """

    answer: str | None
    kind: str | None
    text: str
    span: tuple[int, int] = (0, 0)
    tokens: Sequence[tuple[bytes, float | None]] = ()
    usage: dict[str, int] = field(default_factory=dict)
    finish_reason: str | None = None
    model: str | None = None


def read_reply(payload: Any) -> Reply:
    """Read a chat completion.

    Raises
    ------
    EndpointFailed
        If it is none.

    References
    ----------
    OpenAI API reference, "The chat completion object".

    Examples
    --------
    >>> message = {"content": "Answer: Oslo"}
    >>> read_reply({"choices": [{"message": message, "finish_reason": "stop"}]}).answer
    'Oslo'
    """
    try:
        choice = payload["choices"][0]
        message = choice["message"]
        text = message.get("content") or ""
        refused, finish = message.get("refusal"), choice.get("finish_reason")
        tokens = _tokens(choice.get("logprobs"))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise EndpointFailed(f"no chat completion: {shown(payload)}") from None
    if not isinstance(text, str):
        raise EndpointFailed(f"no chat completion: content is {shown(text)}")
    answer, span = _answer(text)
    kind = _kind(text, answer, span, refused, finish)
    counts = payload.get("usage")
    usage = {
        name: int(counts[name])
        for name in ("prompt_tokens", "completion_tokens")
        if isinstance(counts, dict) and isinstance(counts.get(name), int)
    }
    model = payload.get("model")
    return Reply(
        answer=answer if kind is None else None,
        kind=kind,
        text=refused if refused and not text else text,
        span=span,
        tokens=tokens,
        usage=usage,
        finish_reason=finish if isinstance(finish, str) else None,
        model=model if isinstance(model, str) else None,
    )


def _tokens(logprobs: Any) -> tuple[tuple[bytes, float | None], ...]:
    listed = (logprobs or {}).get("content") or []
    return tuple(map(_token, listed))


def _token(token: Any) -> tuple[bytes, float | None]:
    # The text of a token that ends within a letter is not its own; its bytes are.
    given, logprob = token.get("bytes"), token.get("logprob")
    text = token["token"].encode() if given is None else bytes(given)
    return text, None if logprob is None else float(logprob)


def _answer(text: str) -> tuple[str | None, tuple[int, int]]:
    """The answer and where it stands: after the last label, or all of one line.

    It ends at an empty line, at a stated confidence, or with the code that it is.
    """
    thoughts = _THOUGHTS.match(text)
    start = thoughts.end() if thoughts else 0
    labels = list(_ANSWER.finditer(text, start))  # a model may correct itself
    if not labels:
        rest = text[start:].strip()
        one_line = "\n" not in rest
        return _stripped(text, start, len(text)) if one_line else (None, (start, start))
    after = labels[-1].end()
    code = _FENCED.match(text, after)
    if code is not None:
        return _stripped(text, *code.span(1))
    # The end is looked for behind blank lines: the answer may begin below its label.
    start = len(text) - len(text[after:].lstrip())
    end = _END.search(text, start)
    return _stripped(text, start, end.start() if end else len(text))


def _stripped(text: str, start: int, stop: int) -> tuple[str | None, tuple[int, int]]:
    """A part of a text without blanks and marks around it, and where that is."""
    while inner := text[start:stop].strip():
        start = text.index(inner, start)
        stop = start + len(inner)
        marked = _MARKED.fullmatch(inner)
        if marked is None:
            return inner, (start, stop)
        size = len(marked[1])
        start, stop = start + size, stop - size
    return None, (start, start)


def _kind(
    text: str, answer: str | None, span: tuple[int, int], refused: Any, finish: Any
) -> str | None:
    """Why a reply holds no answer; None if it holds one."""
    if refused:
        return "refusal"
    if finish == "content_filter":
        return "filter"
    if finish == "length" and "\n" not in text[span[1] :]:
        return "truncated"  # the line of the answer was still being written
    if answer is None:
        return "format"
    labelled = _ANSWER.search(text) is not None
    long_enough = not labelled or len(answer.split()) >= _FEWEST_WORDS
    if is_dont_know(answer) or (long_enough and looks_like_refusal(answer)):
        return "idk"
    return None


def is_dont_know(answer: str) -> bool:
    """Whether an answer is that there is none, in the words that were asked for.

    Examples
    --------
    >>> is_dont_know('"I do not know."'), is_dont_know("None")
    (True, False)
    """
    # Models like the curly apostrophe, which the prompt did not have.
    words = answer.strip(" \t\"'.!*_`").replace("\u2019", "'").casefold()
    return words in ("i don't know", "i do not know", "don't know", "idk")


def verbalised(text: str) -> float | None:
    """The confidence that a reply states, from 0 to 1; None if it cannot be read.

    A number with a decimal point and without a sign is a chance, others are out of 100,
    as they were asked for.

    Examples
    --------
    >>> [verbalised(f"Confidence: {said}") for said in ("85 %", "0.85", "1", "high")]
    [0.85, 0.85, 0.01, None]
    """
    stated = [match[1].lstrip("~<>= *_") for match in _CONFIDENCE.finditer(text)]
    # The last one counts: a model that thinks aloud may state others before.
    match = _NUMBER.match(stated[-1]) if stated else None
    if match is None:
        return None
    number = float(match[1])
    if match[2] is None and "." in match[1] and number <= 1:
        return number
    return number / 100 if number <= 100 else None


def answer_log_probabilities(reply: Reply) -> list[float]:
    """The log-probabilities of the tokens that the answer is made of, and of no others.

    Raises
    ------
    EndpointFailed
        If there are none, or they are not of this text.
    """
    if not reply.tokens:
        raise EndpointFailed("no log-probabilities of tokens came with the reply")
    whole = b"".join(token for token, _ in reply.tokens)
    text = reply.text.encode("utf-8", "replace")
    # Reasoning may stand before the text, and tokens that are never shown after it.
    offset = 0 if whole.startswith(text) else whole.rfind(text)
    if offset < 0:
        raise EndpointFailed("the tokens of the reply are not those of its text")
    first, last = (
        offset + len(reply.text[:end].encode("utf-8", "replace")) for end in reply.span
    )
    logprobs: list[float | None] = []
    at = 0
    for token, logprob in reply.tokens:
        # A token may hold the end of the blank before the answer, or half a letter.
        if at < last and at + len(token) > first:
            logprobs.append(logprob)
        at += len(token)
    numbers = [number for number in logprobs if number is not None and number == number]
    if not numbers or len(numbers) < len(logprobs):
        raise EndpointFailed("no log-probability for a token of the answer")
    return numbers
