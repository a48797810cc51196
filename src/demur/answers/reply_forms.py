"""Forms of replies: where thoughts end, what is marked as the answer, and code fences.

Chats, logs and the judge read replies by what stands here.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from demur.answers.stated_confidences import (
    LABEL,
    NAMES,
    answer_end,
    stated_confidence,
)
from demur.outcomes.reasons import FAILED, FILTER, FORMAT, REFUSAL, TRUNCATED
from demur.outcomes.thoughts import saying
from demur.outcomes.written_confidences import written_confidence

# -- parts ---------------------------------------------------------------------------

_SAID: Final = ("text", "output_text")
_OF_A_MESSAGE: Final = ("role", "tool_calls", "refusal", "stop_reason")
_CALLS: Final = ("tool_use", "function_call", "function")
"""Parts of a message that call a tool."""


def said_text(content: Any) -> str | None:
    """The text of content that comes in parts, without thoughts; None if it does not.

    Parts that call tools are no text either.

    Examples
    --------
    >>> said_text([{"type": "thinking", "thinking": "..."},
    ...            {"type": "text", "text": "Oslo"}])
    'Oslo'
    """
    if not isinstance(content, Sequence) or isinstance(content, str) or not content:
        return None
    if not all(isinstance(part, dict) and "type" in part for part in content):
        return None
    if _are_calls(content):
        return None
    texts = [part.get("text") for part in content if part["type"] in _SAID]
    if not all(isinstance(text, str) for text in texts):
        return None
    return "".join(map(str, texts))


def _are_calls(content: Any) -> bool:
    """Whether parts of content call tools."""
    return isinstance(content, list) and any(
        isinstance(part, dict) and part.get("type") in _CALLS for part in content
    )


def said_message(value: Any) -> Mapping[str, Any] | None:
    """A message of OpenAI or Anthropic, or the first of a response; None of others.

    Examples
    --------
    >>> said_message('{"role": "assistant", "content": "Oslo"}')["content"]
    'Oslo'
    >>> said_message({"choices": [{"message": {"content": None}}]})
    {'content': None}
    """
    if isinstance(value, str):
        if not value.lstrip().startswith("{") or '"content"' not in value:
            return None
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if not isinstance(value, Mapping):
        return None
    choices = value.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        message = choices[0].get("message")
        return message if isinstance(message, Mapping) else None
    is_one = "content" in value and not value.keys().isdisjoint(_OF_A_MESSAGE)
    return value if is_one else None


def has_calls(message: Mapping[str, Any]) -> bool:
    """Whether a message calls tools."""
    named = message.get("tool_calls") or message.get("function_call")
    return bool(named) or _are_calls(message.get("content"))


def spoken(value: Any) -> Any:
    """What a message without calls says; any other value as it stands.

    Examples
    --------
    >>> spoken({"content": "Oslo", "tool_calls": None}), spoken("Oslo"), spoken(3)
    ('Oslo', 'Oslo', 3)
    """
    message = said_message(value)
    if message is None or has_calls(message):
        return value
    content = message.get("content")
    text = content if isinstance(content, str) else said_text(content)
    return text or refusal_text(message)


def refusal_text(message: Mapping[str, Any]) -> str | None:
    """With what a message refuses, where it says that it does; None if it does not."""
    refusal = message.get("refusal")
    return refusal if refusal and isinstance(refusal, str) else None


# -- thoughts ------------------------------------------------------------------------


def after_thoughts(text: str) -> int:
    """Where what is said begins; at the end, if the model has not stopped thinking.

    Examples
    --------
    >>> reply = "<think>Rome? No.</think>Oslo"
    >>> reply[after_thoughts(reply):], after_thoughts("<think>Rome?")
    ('Oslo', 12)
    """
    speech = saying(text)
    return len(text) if speech.is_thinking else speech.spans[0][0]


# -- the form itself -----------------------------------------------------------------

IF_NONE: Final = "If you have no answer, reply:"
"""What stands before the form of a reply that has no answer."""

_LONGEST_FORM: Final = 80
_OF_ANSWERS: Final = "answer|response|solution|letter|choice|option"
_OF_VALUES: Final = "number|words?|phrase|integer|string|value"
_FILLING: Final = (
    r"an?|the|your|my|one|single|short|brief|final|exact|correct|best|in|of|to|text"
    r"|only|here|goes|insert|put|write|give|just|concise|between|and|from|\d+"
)


def _in_brackets(standing: str, opening: str, closing: str) -> str:
    """A pattern of words in brackets, of which one stands for an answer."""
    inside = rf"[^<>\[\](){{}}]*\b(?:{standing})\b"
    words = rf"(?:{_FILLING}|{_OF_ANSWERS}|{_OF_VALUES})\b"
    return rf"{opening}{{1,2}}\s*(?={inside})(?:{words}[\s_-]*)+{closing}{{1,2}}"


_PLACEHOLDER: Final = re.compile(
    r"(?:(?:(?:final )?answer\s*[:=\uff1a]|#{2,4})\s*)?(?:"
    + _in_brackets(_OF_ANSWERS, r"[<\[({]", r"[>\])}]")
    + "|"
    + _in_brackets(f"{_OF_ANSWERS}|{_OF_VALUES}", r"[<\[{]", r"[>\]}]")
    + r"|(?-i:[<\[({][A-Z](?:\s*[/|]\s*[A-Z])+[>\])}]|\$?(?:ANSWER|LETTER|NUMBER))"
    r"|(?-i:[<\[({]A\s?[-\u2013]\s?[B-Z][>\])}]|A\s?[/|]\s?B\s?[/|]\s?C\s?[/|]\s?D"
    r"(?:\s?[/|]\s?[E-Z])*|A, B, C,? or D)"
    r"|<\d+\s?[-\u2013]\s?\d+>"
    r"|(?:insert )?your (?:final |short )?answer(?: (?:goes )?here)?"
    r"|_{3,}|\.{3,}|\u2026+)",
    re.IGNORECASE,
)
_QUOTED: Final = " \t\r\n\"'\u201c\u201d"
_BARE: Final = f"{_QUOTED}*`"


def is_empty_form(text: str) -> bool:
    """Whether a text only stands for an answer, as in the form that was asked for.

    Examples
    --------
    >>> [is_empty_form(text) for text in ("<your answer>", "{answer}", "...", "Oslo")]
    [True, True, True, False]
    """
    bare = text.strip(_BARE)
    bare = bare.strip("_") or bare
    return len(bare) < _LONGEST_FORM and _PLACEHOLDER.fullmatch(bare) is not None


def holds_nothing(text: str) -> bool:
    """Whether what is marked as the answer is the form of one, or nothing at all.

    Examples
    --------
    >>> [holds_nothing(text) for text in ('""', "****", "<your answer>", "-")]
    [True, False, True, False]
    """
    return not text.strip(_QUOTED) or is_empty_form(text)


def below_form(text: str, end: int) -> tuple[int, int]:
    r"""Where the one line stands that follows the form itself, without blanks.

    It is empty if there is none, or more than one.

    Examples
    --------
    >>> below_form("Answer: <your answer>\nOslo\n", 21)
    (22, 26)
    """
    line_end = text.find("\n", end)
    if line_end < 0:
        return end, end
    start = len(text) - len(text[line_end:].lstrip())
    stop = len(text.rstrip())
    is_answer = start < stop and "\n" not in text[start:stop]
    is_answer = is_answer and stop - start < _LONGEST_FORM
    return (start, stop) if is_answer else (end, end)


# -- the answer ----------------------------------------------------------------------


class MarkedAnswer(NamedTuple):
    """What a reply marks as its answer, or why there is none.

    Parameters
    ----------
    answer : str or None
    span : (int, int)
        Where it stands in the reply.
    kind : {"truncated", "format"} or None
        Why there is none.
    mark : {"label", "tag", "member", ""}
        What marks it: "Answer:", tags, or a JSON object; all of one line has none.
    confidence : float or None
        What is stated beside it, from 0 to 1.
    """

    answer: str | None
    span: tuple[int, int]
    kind: str | None = None
    mark: str = ""
    confidence: float | None = None


_ANSWER: Final = re.compile(
    LABEL.format("(?:final[ \t]+)?answer"), re.IGNORECASE | re.MULTILINE
)
TAGGED: Final = re.compile(
    r"<answer>((?:(?!<answer>).)*?)</answer>", re.IGNORECASE | re.DOTALL
)
"""An answer in tags."""

_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n|\Z")
_MARKED: Final = re.compile(r"(\*\*|__|`|\*|_)((?:(?!\1).)+)\1", re.DOTALL)
_OBJECT: Final = re.compile(r"\s*(?:```\w*\s*)?(\{.*\})(?:\s*```)?\s*", re.DOTALL)
_MEMBER: Final = r"[{{,]\s*\"{}\"\s*:\s*(\"(?:[^\"\\]|\\.)*\"|[^\s,}}]+)"


def marked_answer(text: str, *, asked: bool = False) -> MarkedAnswer:
    """The answer of a reply: in an object, in tags, behind a label, or all of one line.

    What stands within thoughts is none, and neither is the form that was asked for. It
    ends at an empty line, at a stated confidence, or with the code that it is.

    Parameters
    ----------
    text : str
        The reply.
    asked : bool
        Whether the model was asked for its confidence, so that per cent behind the
        answer are one.

    Returns
    -------
    MarkedAnswer

    Examples
    --------
    >>> found = marked_answer("<think>Rome?</think>Answer: Oslo (95%)", asked=True)
    >>> found.answer, found.confidence
    ('Oslo', 0.95)
    >>> [marked_answer(text).kind for text in ("<think>Rome?", "Answer: <your answer>")]
    ['truncated', 'format']
    """
    speech = saying(text)
    if speech.is_thinking or (speech.has_thought and not speech.within(text).strip()):
        return MarkedAnswer(None, (len(text), len(text)), TRUNCATED)
    start = speech.spans[0][0]
    text = speech.blanked(text)[start:]
    members = _members(text)
    if members is not None:
        (answer, span), mark = members["answer"], "member"
        confidence = written_confidence(members["confidence"])
    else:
        answer, span, mark = _labelled(text, asked=asked)
        confidence = stated_confidence(text, span)
    if answer is not None and holds_nothing(answer):
        answer, span = None, (span[0], span[0])
    first, last = span
    kind = FORMAT if answer is None else None
    return MarkedAnswer(answer, (start + first, start + last), kind, mark, confidence)


def _labelled(text: str, *, asked: bool) -> tuple[str | None, tuple[int, int], str]:
    """The answer, where it stands, and what marks it."""
    tags = list(TAGGED.finditer(text))
    tagged = [tag for tag in tags if not holds_nothing(tag[1])]
    # A model may correct itself, quote tags, or repeat the form that it was asked for.
    labels = list(_ANSWER.finditer(text))
    meant = [label for label in labels if not _is_of_the_form(text, label)]
    if tagged and not (meant and meant[-1].start() > tagged[-1].end()):
        return *_stripped(text, *tagged[-1].span(1)), "tag"
    if not meant and (labels or tags):
        first, last = below_form(text, (labels or tags)[-1].end())
        last = answer_end(text, first, last, asked=asked)
        mark = "label" if labels else "tag"
        return *_stripped(text, first, last), mark
    if not meant:
        start = len(text) - len(text.lstrip())
        stop = answer_end(text, start, len(text), asked=asked)
        one_line = "\n" not in text[start:stop].strip()
        nothing = (None, (0, 0))
        return *(_stripped(text, start, stop) if one_line else nothing), ""
    # The end is looked for behind blank lines: the answer may begin below its label.
    start = len(text) - len(text[meant[-1].end() :].lstrip())
    fence = next(fences(text[start:]), None)
    if fence is not None and fence.opening == 0:
        return *_stripped(text, start + fence.first, start + fence.last), "label"
    blank = _BLANK_LINE.search(text, start)
    further = [label.start() for label in labels if label.start() >= start]
    stop = min([blank.start() if blank else start, *further])
    stop = answer_end(text, start, stop, asked=asked)
    return *_stripped(text, start, stop), "label"


def _is_of_the_form(text: str, label: re.Match[str]) -> bool:
    """Whether an answer is only the form of one, as the model was asked for it."""
    line = text[label.end() :].lstrip().partition("\n")[0]
    before = text[: label.start()].rstrip()
    is_form = holds_nothing(line) and not line.startswith("```")
    return is_form or before.endswith(IF_NONE)


def _members(text: str) -> dict[str, Any] | None:
    """Answer and confidence of a reply that is one JSON object, if it is one."""
    whole = _OBJECT.fullmatch(text)
    if whole is None:
        return None
    try:
        held = json.loads(whole[1])
    except (ValueError, RecursionError):
        return None
    members: dict[str, Any] = {"answer": (None, (0, 0)), "confidence": ""}
    names = {name.casefold(): name for name in held}
    if "answer" not in names:
        return None
    stated = next((names[name] for name in NAMES if name in names), None)
    if stated is not None:
        names["confidence"] = stated
    for name in members.keys() & names.keys():
        value = held[names[name]]
        member = re.compile(_MEMBER.format(re.escape(names[name]))).search(text)
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
        if marked is not None:
            size = len(marked[1])
            start, stop = start + size, stop - size
        elif more := _closing(text, start, inner):
            stop -= more
        else:
            return inner, (start, stop)
    return None, (start, start)


def _closing(text: str, start: int, inner: str) -> int:
    """Signs at the end of an answer that are none of it.

    They are the full stop behind marks, and the mark that its label has opened.
    """
    marked = _MARKED.fullmatch(inner[:-1]) if inner.endswith(".") else None
    if marked is not None and marked[1] not in marked[2]:
        return 1
    label = text[text.rfind("\n", 0, start) + 1 : start].lstrip(" \t#>-")
    for mark in ("**", "__", "*", "_"):
        opens = label.startswith(mark) and label.count(mark) == 1
        if opens and inner.endswith(mark) and inner.count(mark) == 1:
            return len(mark)
    return 0


# -- ends ----------------------------------------------------------------------------

LENGTH: Final = "length"
_ENDED: Final = {
    **dict.fromkeys((LENGTH, "max_tokens", "max_output_tokens"), LENGTH),
    **dict.fromkeys(("model_length", "incomplete"), LENGTH),
    **dict.fromkeys(("error", "timeout"), FAILED),
    **dict.fromkeys(("content_filter", "content_filtered", "safety"), FILTER),
    **dict.fromkeys(("image_safety", "prohibited_content", "recitation"), FILTER),
    **dict.fromkeys(("blocklist", "spii", "guardrail_intervened"), FILTER),
    REFUSAL: REFUSAL,
}
"""Ends of replies that may leave no answer, as services call them."""


def ended_by(finish: Any) -> str:
    """What ended a reply, in one word for all services; empty if it ended by itself.

    Examples
    --------
    >>> ended_by("MAX_TOKENS"), ended_by("SAFETY"), ended_by("stop")
    ('length', 'filter', '')
    """
    return _ENDED.get(finish.lower(), "") if isinstance(finish, str) else ""


def kind_of_end(finish: Any, text: str, marked: MarkedAnswer) -> str | None:
    r"""Why a reply that ended so holds no answer; None if it may hold one.

    One that became too long holds its answer if a paragraph stands below it, or if it
    is closed: in tags, or in a JSON object.

    Examples
    --------
    >>> for text in ("Answer: Os", "Answer: Oslo\n\nIt is the cap"):
    ...     print(kind_of_end("length", text, marked_answer(text)))
    truncated
    None
    """
    ended = ended_by(finish)
    if ended != LENGTH:
        return ended or None
    behind = text[marked.span[1] :]
    is_closed = marked.mark == "member" or behind.lstrip().startswith("</")
    is_cut = marked.answer is None or not (is_closed or "\n" in behind)
    return TRUNCATED if is_cut else None


# -- fences --------------------------------------------------------------------------


class Fence(NamedTuple):
    """A code fence: where it begins, and where what it holds begins and ends."""

    opening: int
    first: int
    last: int
    language: str
    is_closed: bool


_FENCE: Final = re.compile(
    r"^[ \t]*+(?P<mark>`{3,}+|~{3,}+)[ \t]*+(?P<info>[^`\n]*+)$", re.MULTILINE
)
_LANGUAGE: Final = re.compile(r"[\w+-]*")


def fences(text: str) -> Iterator[Fence]:
    """The code fences of a text; one that is not closed reaches to its end."""
    marks = list(_FENCE.finditer(text))
    closings: dict[str, list[int]] = {}  # which lines may end a fence of each mark
    for at, mark in enumerate(marks):
        if not mark["info"].strip():
            closings.setdefault(mark["mark"], []).append(at)
    at = 0
    while at < len(marks):
        opening = marks[at]
        ends = closings.get(opening["mark"], [])
        after = bisect_right(ends, at)
        is_closed = after < len(ends)
        at = ends[after] if is_closed else at
        last = marks[at].start() if is_closed else len(text)
        first = min(opening.end() + 1, last)
        language = _LANGUAGE.match(opening["info"])
        name = language[0].lower() if language else ""
        yield Fence(opening.start(), first, last, name, is_closed)
        at += 1


def last_fence(
    text: str, *, languages: Container[str] | None = None, unclosed: bool = False
) -> str | None:
    r"""What the last code fence of a text holds; None if it has none.

    Parameters
    ----------
    text : str
    languages : container of str, optional
        Fences that name another one are passed over.
    unclosed : bool
        Whether one counts that is not closed and holds something.

    Returns
    -------
    str or None

    Examples
    --------
    >>> last_fence("So:\n```python\nx = 1\n```"), last_fence("x = 1")
    ('x = 1', None)
    """
    text = text.replace("\r\n", "\n")
    last = None
    for fence in fences(text):
        if not fence.is_closed and not unclosed:
            continue
        if languages is None or fence.language in languages:
            inner = text[fence.first : fence.last].strip()
            last = inner if fence.is_closed or inner else last
        if not fence.is_closed:
            break  # all further ones are within it
    return last
