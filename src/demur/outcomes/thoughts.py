"""Where the thoughts of a model stand in its reply, and what it says beside them."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

_UNSEEN: Final = "\ufeff\u200b-\u200f\u2060"
"""Marks of the byte order, and other characters that have no width."""

_MARKED: Final = re.compile(rf"[<\[\u25c1{_UNSEEN}]")
_SIGN: Final = (
    r"(?:<[|\uff5c](?!channel|tool|python|function|message|\w+_th(?:ought|inking)\b)"
    r"[\w\u2581]+[|\uff5c]>"
    r"|</?s>|<[be]os>|<(?:start|end)_of_turn>)"
)
"""A sign of a chat template, such as ``<|im_start|>``."""

_BEFORE: Final = re.compile(
    rf"(?:[\s{_UNSEEN}]*(?:{_SIGN}(?:\s*(?:assistant|model)\b)?|[{_UNSEEN}]))*",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(_SIGN, re.IGNORECASE)
_SIGNS: Final = 8
"""How many of them may stand behind a reply."""

_BLANK: Final = " \t\r\n\ufeff\u200b\u200c\u200d\u200e\u200f\u2060"

_TAG: Final = (
    r"(?:(?:\w+:)?think(?:ing)?|thoughts?|thought_process|reasoning|scratchpad"
    r"|analysis)"
)
_OPENING: Final = (
    rf"(?:<{_TAG}\s*>|\[THINK\]|\u25c1think\u25b7"
    r"|<\|(?:begin_of_thought|START_THINKING)\|>"
    r"|(?:<\|start\|>\s*assistant\s*)?<\|channel\|>\s*(?:analysis|commentary(?!\s*to=))\b)"
)
_CLOSING: Final = (
    rf"(?:</{_TAG}\s*>|\[/THINK\]|\u25c1/think\u25b7"
    r"|<\|(?:end_of_thought|END_THINKING)\|>"
    r"|<\|channel\|>\s*final\s*<\|message\|>)(?:\*\*(?=\s|\Z))?"
)
_OPENED: Final = re.compile(rf"[\s*_]*{_OPENING}", re.IGNORECASE)
_CLOSED: Final = re.compile(_CLOSING, re.IGNORECASE)
_CALL: Final = (
    r"<\|channel\|>\s*commentary\s+to="
    r"|\bto=[\w.-]+\s*<\|channel\|>\s*commentary\b"
)
"""The head of a call of a tool, which is said."""

_MARK: Final = re.compile(
    rf"(?P<call>{_CALL})|(?P<opening>{_OPENING})|{_CLOSING}", re.IGNORECASE
)
_BEGINS_LINE: Final = re.compile(r"(?:^|\n)[ \t*_]*\Z|[\w.!?>]\Z")
"""Thoughts begin here behind what is said; elsewhere a tag may only be mentioned."""

_MENTIONED_BEFORE: Final = "\"'`(\u201c\u2018\u00ab"
_MENTIONED_WITH: Final = re.compile(
    rf"[\"'`)\u201d\u2019\u00bb]|[\s,/]*(?:and|or|to|[,/]|\.{{3}}|\u2026)\s*{_CLOSING}",
    re.IGNORECASE,
)


class Saying(NamedTuple):
    """What a reply says beside the thoughts of the model.

    Parameters
    ----------
    spans : sequence of (int, int)
        Where it stands, without signs of a chat template.
    is_thinking : bool
        Whether the reply ends within thoughts: it was cut off.
    has_thought : bool
        Whether there are thoughts.
    """

    spans: Sequence[tuple[int, int]]
    is_thinking: bool = False
    has_thought: bool = False

    def within(self, text: str) -> str:
        """What is said."""
        return " ".join(text[start:stop] for start, stop in self.spans)

    def blanked(self, text: str) -> str:
        """The same up to its end, with blanks where thoughts stand between."""
        parts = [text[: self.spans[0][0]]] if self.spans else []
        for (start, stop), (later, _) in pairwise([*self.spans, (len(text), 0)]):
            parts += [text[start:stop], " " * (later - stop)]
        return "".join(parts)


def saying(text: str) -> Saying:
    """What a reply says, and whether it ends within thoughts.

    Thoughts may have no beginning, if that was in the prompt. A tag in quotation marks
    is only mentioned, and so is one within a line that nothing closes.

    Examples
    --------
    >>> reply = "<think>Rome? No.</think>Oslo <think>Yes.</think>"
    >>> saying(reply).within(reply).strip(), saying("<think>Rome?").is_thinking
    ('Oslo', True)
    """
    if _MARKED.search(text) is None:
        return Saying([(0, len(text))])
    return _parted(text)


def _parted(text: str) -> Saying:
    start = _BEFORE.match(text).end()  # type: ignore[union-attr]
    at_first = inside = _OPENED.match(text, start) is not None
    closings = [match.start() for match in _CLOSED.finditer(text, start)]
    spans: list[tuple[int, int]] = []
    has_thought, named = inside, False
    for mark in _MARK.finditer(text, start):
        if mark["call"] is not None:
            start, inside = (mark.start() if inside else start), False
        elif mark["opening"] is None:
            if not inside and named and not at_first:
                continue
            if not inside:  # what stood before it were thoughts, too
                spans.clear()
                at_first = True
            inside, has_thought = False, True
            start = _BEFORE.match(text, mark.end()).end()  # type: ignore[union-attr]
        elif not inside:
            named = True
            if not _is_mentioned(text, mark, closings):
                spans.append((start, mark.start()))
                inside = True
    rest = [] if inside else [(start, _end(text, start))]
    return Saying([*spans, *rest], inside, has_thought or inside)


def _is_mentioned(text: str, mark: re.Match[str], closings: Sequence[int]) -> bool:
    """Whether a tag that could begin thoughts is a word of what is said."""
    if _BEGINS_LINE.search(text, max(0, mark.start() - 20), mark.start()):
        return False
    is_closed = bisect_left(closings, mark.end()) < len(closings)
    quoted = text[mark.start() - 1] in _MENTIONED_BEFORE
    return not is_closed or quoted or bool(_MENTIONED_WITH.match(text, mark.end()))


def _end(text: str, start: int) -> int:
    """Where what is said ends, before signs of a chat template."""
    stop = len(text)
    for _ in range(_SIGNS):
        inner = text[start:stop].rstrip(_BLANK)
        sign = inner.rfind("<")
        if sign < 0 or not _BEHIND.fullmatch(inner, sign):
            break
        stop = start + sign
    return stop


def holds_thoughts(text: str) -> bool:
    """Whether a text has marks of thoughts."""
    return _CLOSED.search(text) is not None or _OPENED.match(text) is not None
