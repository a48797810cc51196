"""What a chat endpoint replied: an answer, or why there is none."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from demur.outcomes.refusals import looks_like_refusal
from demur.outcomes.written_confidences import written_confidence
from demur.systems.adapters.reply_shapes import ReplyToken, Said, said_in, token_counts
from demur.systems.adapters.stated_confidences import (
    LABEL,
    NAMES,
    answer_end,
    stated_confidence,
)

DONT_KNOW: Final = "I don't know"
"""What a model is asked to say if it has no answer."""

DECLINING: Final = ("idk", "refusal")
"""The kinds of replies by which the model itself declines."""

PLACEHOLDER: Final = "<a short answer>"
"""What stands for the answer in the form of the reply."""

IF_NONE: Final = "If you have no answer, reply:"
"""What stands before the form of a reply that has no answer."""

_ANSWER: Final = re.compile(
    LABEL.format("(?:final[ \t]+)?answer"), re.IGNORECASE | re.MULTILINE
)
_TAGGED: Final = re.compile(r"<answer>(.*?)</answer>", re.IGNORECASE | re.DOTALL)
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n|\Z")
_FENCED: Final = re.compile(r"\s*```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_MARKED: Final = re.compile(r"(\*\*|__|`|\*|_)((?:(?!\1).)+)\1", re.DOTALL)
_TAG: Final = r"(?:think(?:ing)?|thoughts?|reasoning)"
_OPENED: Final = re.compile(rf"\s*<{_TAG}>", re.IGNORECASE)
_CLOSED: Final = re.compile(rf"</{_TAG}>", re.IGNORECASE)
_EMPTY_FORM: Final = re.compile(
    r"[<\[](?:(?:an?|your|the)?\s*(?:short|final)?\s*answer(?:\s+here)?"
    r"|the letter of your choice)[>\]]",
    re.IGNORECASE,
)
_OBJECT: Final = re.compile(r"\s*(?:```\w*\s*)?(\{.*\})(?:\s*```)?\s*", re.DOTALL)
_MEMBER: Final = r"[{{,]\s*\"{}\"\s*:\s*(\"(?:[^\"\\]|\\.)*\"|[^\s,}}]+)"


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
    tokens : sequence of ReplyToken
        Empty if the endpoint gives none.
    usage : mapping of str to int
        Numbers of tokens, as far as they are given.
    finish_reason, model : str or None
        As the endpoint says.
    is_call : bool
        Whether it calls a tool; the answer is the call then, as JSON.
    """

    answer: str | None
    kind: str | None
    text: str
    span: tuple[int, int] = (0, 0)
    tokens: Sequence[ReplyToken] = ()
    usage: dict[str, int] = field(default_factory=dict)
    finish_reason: str | None = None
    model: str | None = None
    is_call: bool = False


def read_reply(
    payload: Any, *, asked: bool = False, calls: bool = False, thinks: bool = False
) -> Reply:
    """Read a chat completion, a response, or a message of Anthropic.

    Parameters
    ----------
    payload : mapping
        What the endpoint gave.
    asked : bool
        Whether the model was asked for its confidence.
    calls : bool
        Whether a call of a tool is an answer: the call as JSON.
    thinks : bool
        Whether the model was asked to reason first: only what is marked as the answer
        is one, and none of a reply that was cut off.

    Raises
    ------
    EndpointFailed
        If it is none of these.

    References
    ----------
    OpenAI API reference, "The chat completion object", "The response object".
    Anthropic API reference, "Create a message".

    Examples
    --------
    >>> message = {"content": "Answer: Oslo"}
    >>> read_reply({"choices": [{"message": message, "finish_reason": "stop"}]}).answer
    'Oslo'
    """
    held = said_in(payload)
    text, call = held.text, held.call if calls else None
    answer, span = _answer(text, asked=asked)
    if call is not None:
        answer, span = call, (len(text), len(text))
    kind = _kind(text, answer, span, held, is_call=call is not None)
    if thinks and kind is None and call is None:
        kind = _kind_of_thoughts(text, held)
    model = payload.get("model")
    return Reply(
        answer=answer if kind is None else None,
        kind=kind,
        text=text or held.refusal or call or "",
        span=span,
        tokens=held.tokens,
        usage=token_counts(payload),
        finish_reason=held.finish if isinstance(held.finish, str) else None,
        model=model if isinstance(model, str) else None,
        is_call=call is not None,
    )


def _answer(text: str, *, asked: bool) -> tuple[str | None, tuple[int, int]]:
    """The answer and where it stands: after the last label, or all of one line.

    It ends at an empty line, at a stated confidence, or with the code that it is.
    """
    start = _after_thoughts(text)
    held = _members(text, start)
    if held is not None:
        answer: tuple[str | None, tuple[int, int]] = held["answer"]
        return answer
    tagged = list(_TAGGED.finditer(text, start))
    if tagged:
        return _stripped(text, *tagged[-1].span(1))
    # A model may correct itself, or repeat the form that it was asked for.
    labels = list(_ANSWER.finditer(text, start))
    meant = [label for label in labels if not _is_of_the_form(text, label)]
    if labels and not meant:
        return None, (start, start)
    if not meant:
        start = len(text) - len(text[start:].lstrip())
        stop = answer_end(text, start, len(text), asked=asked)
        one_line = "\n" not in text[start:stop].strip()
        return _stripped(text, start, stop) if one_line else (None, (start, start))
    after = meant[-1].end()
    code = _FENCED.match(text, after)
    if code is not None:
        return _stripped(text, *code.span(1))
    # The end is looked for behind blank lines: the answer may begin below its label.
    start = len(text) - len(text[after:].lstrip())
    blank = _BLANK_LINE.search(text, start)
    stop = blank.start() if blank else start
    return _stripped(text, start, answer_end(text, start, stop, asked=asked))


def _after_thoughts(text: str) -> int:
    """Where what is said begins; at the end, if the model has not stopped thinking.

    Thoughts may have no beginning, if that was in the prompt.
    """
    opened = _OPENED.match(text)
    ends = [match.end() for match in _CLOSED.finditer(text)]
    if opened is None and re.search(f"<{_TAG}>", text, re.IGNORECASE):
        return 0  # they stand within what is said
    return ends[-1] if ends else (len(text) if opened else 0)


def _is_of_the_form(text: str, label: re.Match[str]) -> bool:
    """Whether an answer is only the form of one, as the model was asked for it."""
    line = text[label.end() :].lstrip().partition("\n")[0]
    return _EMPTY_FORM.fullmatch(line.strip(' \t*_`"')) is not None or text[
        : label.start()
    ].rstrip().endswith(IF_NONE)


def with_whole_answer(reply: Reply) -> Reply:
    r"""The same reply; if it marks no answer, all that it says is the answer.

    What it says is what stands behind thoughts and before a stated confidence. A reply
    that was cut off has the answer that was begun. None of a label, or of a JSON
    object, without an answer is one.

    Examples
    --------
    >>> message = {"content": "It is Oslo.\nI think.\nConfidence: 0.9"}
    >>> reply = read_reply({"choices": [{"message": message, "finish_reason": "stop"}]})
    >>> reply.answer, with_whole_answer(reply).answer
    (None, 'It is Oslo.\nI think.')
    """
    kind: str | None = reply.kind
    if kind not in ("format", "truncated"):
        return reply
    text, (first, last) = reply.text, reply.span
    if first == last:
        start = _after_thoughts(text)
        if _members(text, start) is None and not _ANSWER.search(text, start):
            first = len(text) - len(text[start:].lstrip())
            end = answer_end(text, first, len(text), asked=False)
            last = first + len(text[first:end].rstrip())
    answer = text[first:last]
    if answer and kind == "format":
        kind = "idk" if looks_like_refusal(answer) else None
    return replace(reply, answer=answer or None, kind=kind, span=(first, last))


def _members(text: str, start: int) -> dict[str, Any] | None:
    """Answer and confidence of a reply that is one JSON object, if it is one."""
    whole = _OBJECT.fullmatch(text, start)
    if whole is None:
        return None
    try:
        held = json.loads(whole[1])
    except (ValueError, RecursionError):
        return None
    members: dict[str, Any] = {"answer": (None, (start, start)), "confidence": ""}
    names = {name.casefold(): name for name in held}
    if "answer" not in names:
        return None
    stated = next((names[name] for name in NAMES if name in names), None)
    if stated is not None:
        names["confidence"] = stated
    for name in members.keys() & names.keys():
        value = held[names[name]]
        member = re.compile(_MEMBER.format(re.escape(names[name]))).search(text, start)
        if name == "confidence":
            members[name] = value if isinstance(value, str) else json.dumps(value)
        elif isinstance(value, str | int | float) and member is not None:
            quoted = isinstance(value, str)
            inner = member.start(1) + quoted, member.end(1) - quoted
            members[name] = (
                (value if isinstance(value, str) else member[1]).strip() or None,
                inner,
            )
    return members


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


_FILTERED: Final = ("content_filter", "safety")


def _kind(
    text: str,
    answer: str | None,
    span: tuple[int, int],
    reply: Said,
    *,
    is_call: bool,
) -> str | None:
    """Why a reply holds no answer; None if it holds one, or calls a tool."""
    finish = reply.finish.lower() if isinstance(reply.finish, str) else ""
    if reply.refusal or finish == "refusal":
        return "refusal"
    if finish in _FILTERED:
        return "filter"
    if finish == "length" and (answer is None or "\n" not in text[span[1] :]):
        return "truncated"  # the line of the answer was still being written
    if answer is None:
        return "format"
    if is_call:
        return None
    labelled = _ANSWER.search(text) is not None
    if is_dont_know(answer) or looks_like_refusal(answer, bare=not labelled):
        return "idk"
    return None


def _kind_of_thoughts(text: str, reply: Said) -> str | None:
    """Why an answer among thoughts is none; None if it is one."""
    if reply.finish == "length":
        return "truncated"  # it may have been a draft
    is_marked = _ANSWER.search(text) or _TAGGED.search(text)
    return None if is_marked or _members(text, _after_thoughts(text)) else "format"


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

    Examples
    --------
    >>> [verbalised(f"Confidence: {said}") for said in ("85 %", "0,85", "1", "high")]
    [0.85, 0.85, 0.01, None]
    """
    start = _after_thoughts(text)
    held = _members(text, start)
    if held is not None:
        return written_confidence(held["confidence"])
    return stated_confidence(text, start, _answer(text, asked=True)[1])
