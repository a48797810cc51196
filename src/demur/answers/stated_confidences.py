"""Where a reply states a confidence: after its answer, or in the line of it."""

import re
from collections.abc import Iterator
from typing import Final

from demur.outcomes.written_confidences import written_confidence

NAMES: Final = ("confidence", "probability", "certainty", "likelihood")
"""What models call it; all but the first only count where it was asked for."""

LABEL: Final = r"^[ \t*_#>\"'-]*{}[ \t*_]*[:\uff1a][*_]*"
"""A name at the beginning of a line, and the colon behind it."""

_FLAGS: Final = re.IGNORECASE | re.MULTILINE
# Only from the beginning of a run, so that long ones take no time.
_SIGNS: Final = r"[ \t,;.|/(\[\u2013\u2014*_-]"
_PARTED: Final = rf"(?<!{_SIGNS})(?=[ \t]*+[,;.|/(\[\u2013\u2014]|[ \t]++-){_SIGNS}++"
_NAME: Final = (
    r"(?:my[ \t]+)?confidence(?:[ \t]+(?:level|score|rating))?"
    r"(?:[ \t]*(?:\([^()\n]*\)|\[[^\[\]\n]*\]))?"
)
_LINE: Final = LABEL.format(_NAME)
_CONFIDENCE: Final = re.compile(
    rf"(?:{_LINE}|(?:{_PARTED}|(?<=\S)[ \t]++[*_(\[]*+)"
    rf"\b{_NAME}[*_]*[ \t]*[:=\uff1a][*_]*)(.*)",
    _FLAGS,
)
"""A stated confidence: on a line of its own, or within one behind what parts them."""

_LINE_BEGINS: Final = re.compile(_LINE, _FLAGS)
_ALONE: Final = re.compile(
    r"(?:[^\w\n]|\d|e[-+]?\d|per\s?cent\b|out of\b|of\b"
    r"|(?:very|quite|rather|fairly|high|medium|moderate|low|certain|sure)\b)*",
    re.IGNORECASE,
)
"""What a confidence in the line of the answer may hold."""

_LOOKED_AT: Final = 1000
"""Characters before its end in which an answer may state a confidence: models that
repeat themselves write blanks and digits without end."""

_ANY: Final = rf"(?:{'|'.join(NAMES)})"
_FURTHER: Final = (
    rf"(?:(?:my|the|overall|estimated)[ \t]+){{0,2}}{_ANY}"
    r"(?:[ \t]+(?:level|score|rating|estimate))?"
)
_PER_CENT: Final = r"[~\u2248]?[ \t]*\d[\d.,]*[ \t]*(?:%|per[ ]?cent)"
_BRACKETED: Final = tuple(
    re.compile(pattern, _FLAGS)
    for pattern in (
        # Oslo (95 % confident), Oslo [confidence .9]
        rf"(?<=\S)[ \t]*[(\[][ \t]*({_PER_CENT})[ \t]*"
        r"(?:confident|sure|certain(?:ty)?|confidence)[ \t]*[)\]]\.?[ \t]*$",
        rf"(?<=\S)[ \t]*[(\[][ \t]*{_FURTHER}[ \t]+([~\u2248]?[.,]?\d[\d.,%/ \t]*)[)\]]"
        r"\.?[ \t]*$",
    )
)
"""What names a confidence in brackets at the end of a line."""

_ASKED_FOR: Final = _BRACKETED + tuple(
    re.compile(pattern, _FLAGS)
    for pattern in (
        rf"<{_ANY}>([^<\n]*)</",
        # Probability that it is right: 95 %. Confidence = .95. Confidence 95 %
        rf"^[ \t*_#>\"'-]*{_FURTHER}(?:[ \t]+(?:in|of|that|for)\b[^:=\n]{{0,40}})?"
        r"(?:[ \t]*[(\[][^()\[\]\n]*[)\]])?[ \t*_]*(?:[:=\uff1a]"
        r"|(?:[-\u2013\u2014]|(?<=[\w)\]][ \t]))[ \t]*(?=[~\u2248]?\d))(.*)",
        rf"{_PARTED}\b{_FURTHER}[*_]*[ \t]*[:=\uff1a][*_]*(.*)",
        # I am 95 % sure; Oslo (95 % confident)
        rf"(?:^|{_PARTED})[ \t]*(?:I(?:['\u2019]m|[ \t]am)[ \t]+)?"
        r"(?:(?:about|around|approximately|roughly|nearly)[ \t]+)?"
        rf"({_PER_CENT})[ \t]*(?:confident|sure|certain(?:ty)?|confidence)\b"
        r"[^\w\n]*$",
        # Oslo, with 90 % confidence; Oslo with a confidence of 90 %
        rf"(?<=\S)(?:,[ \t]*|[ \t]+)(?:with|at)[ \t]+(?:an?[ \t]+)?({_PER_CENT})[ \t]*"
        rf"{_ANY}\b[^\w\n]*$",
        rf"(?<=\S)(?:,[ \t]*|[ \t]+)(?:with|at)[ \t]+(?:an?[ \t]+)?{_ANY}[ \t]+of[ \t]+"
        rf"({_PER_CENT})[^\w\n]*$",
        # In another language: a word, a colon and per cent, on a line below
        r"(?<=\n)[ \t*_#>\"'-]*[^\W\d_][^:\uff1a\n]{0,40}[:\uff1a][ \t*_]*"
        rf"({_PER_CENT})[^\w\n]*$",
        # [95 %]
        rf"(?<=[^\s:\uff1a])[ \t]*[(\[][ \t]*({_PER_CENT})[ \t]*[)\]]\.?[ \t]*$",
        r"(?<=[^\W\d_])[.!)]?(?:[ \t]*[,;]|[ \t]+[-\u2013\u2014])[ \t]*"
        rf"({_PER_CENT})\.?[ \t]*$",
        rf"(?<=\n)[ \t*_]*({_PER_CENT})[^\w\n]*$",
    )
)
"""Further ways, the plainest first, of those who were asked and kept to no form."""


def answer_end(text: str, start: int, stop: int, *, asked: bool) -> int:
    """Where an answer ends that may be followed by a stated confidence.

    Parameters
    ----------
    text : str
        The reply.
    start, stop : int
        Where the answer begins, and where it ends at the latest.
    asked : bool
        Whether a confidence was asked for, so that one in another form is none of the
        answer.

    Returns
    -------
    int

    Examples
    --------
    >>> answer_end("Oslo [95 %]", 0, 11, asked=True)
    4
    >>> answer_end("Oslo [95 %]", 0, 11, asked=False)
    11
    """
    for match in _CONFIDENCE.finditer(text, start, stop):
        line = _LINE_BEGINS.match(text, match.start()) is not None
        if line or (match.start() > start and _ALONE.fullmatch(match[1])):
            return match.start()
    if not asked or _CONFIDENCE.search(text, stop):
        return _without_brackets(text, start, stop)
    for match in _further(text, start, stop):
        if text[start : match.start()].strip():
            return match.start()
    return stop


def _without_brackets(text: str, start: int, stop: int) -> int:
    """Where an answer ends, if brackets that name a confidence end it."""
    ends = [
        match.start()
        for pattern in _BRACKETED
        for match in pattern.finditer(text, max(start, stop - _LOOKED_AT), stop)
        if text[start : match.start()].strip() and not text[match.end() : stop].strip()
    ]
    return min(ends, default=stop)


def stated_confidence(text: str, span: tuple[int, int]) -> float | None:
    """What a reply states beside its answer, from 0 to 1; None if it cannot be read.

    Parameters
    ----------
    text : str
        The reply, without thoughts.
    span : (int, int)
        Where the answer stands.

    Returns
    -------
    float or None

    Examples
    --------
    >>> stated_confidence("Oslo [95 %]", (0, 4))
    0.95
    """
    first, last = span
    stated = [
        match[1]
        for match in _CONFIDENCE.finditer(text)
        if not first <= match.start() < last
    ]
    # The last one counts: a model that thinks aloud may state others before.
    if stated:
        return written_confidence(stated[-1])
    for match in _further(text, 0, len(text)):
        if not first <= match.start() < last:
            return written_confidence(match[1])
    return None


def _further(text: str, start: int, stop: int) -> Iterator[re.Match[str]]:
    """Other statements that can be read, the plainest kind first, the last of each."""
    start = max(start, stop - _LOOKED_AT)
    for pattern in _ASKED_FOR:
        for match in reversed(list(pattern.finditer(text, start, stop))):
            if _ALONE.fullmatch(match[1]) and written_confidence(match[1]) is not None:
                yield match
