"""Segments of an stm file, and words of a ctm file: NIST's transcripts with times."""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from demur.errors import InputError, shown

_COMMENT: Final = ";;"
_FIRST: Final = 20
"""Lines that say what a file is."""
_LAST_OF_CTM: Final = 8
"""Fields of a word; NIST's later forms have a type and a speaker behind confidence."""
_IGNORED: Final = ("IGNORE_TIME_SEGMENT_IN_SCORING", "IGNORETIMESEGMENTINSCORING")
_LABELS: Final = re.compile(r"^<(?:(?:[^\s<>]*,\s+)+[^\s<>]*>(?!\S)|\S*)")
"""Labels of subsets, such as <o,f0,male>, perhaps with blanks behind the commas."""


class Timed(NamedTuple):
    """A segment, or a word, with its time.

    Parameters
    ----------
    place : str
        Where it was read.
    channel : (str, str)
        The recording, and its channel, in small letters as sclite compares them.
    begin, end : float
        In seconds.
    text : str
        What was said.
    speaker : str or None
        Of a segment of an stm file.
    confidence : float or None
        Of a word of a ctm file, if it has one.
    name : str
        Of a segment: what distinguishes it from others.
    """

    place: str
    channel: tuple[str, str]
    begin: float
    end: float
    text: str
    speaker: str | None = None
    confidence: float | None = None
    name: str = ""

    @property
    def middle(self) -> float:
        """The middle of its time, to a millionth: sums of decimals are not exact."""
        return round((self.begin + self.end) / 2, 6)

    @property
    def is_ignored(self) -> bool:
        """Whether the words of its time are not scored."""
        text = self.text.upper()
        return any(sign in text for sign in _IGNORED)


def is_stm(lines: Sequence[str]) -> bool:
    """Whether lines have recording, channel, speaker, begin and end.

    Examples
    --------
    >>> is_stm([";; by hand", "2345 A ann 0.10 2.03 uh huh"]), is_stm(["the cat sat"])
    (True, False)
    """
    return _all_have(lines, 5, 10**9, 3)


def is_ctm(lines: Sequence[str]) -> bool:
    """Whether lines have recording, channel, begin, duration and a word.

    Examples
    --------
    >>> is_ctm(["7654 A 11.34 0.2 yes -6.763"]), is_ctm(["2345 A ann 0.10 2.03 uh"])
    (True, False)
    """
    return _all_have(lines, 5, _LAST_OF_CTM, 2)


def read_stm(name: str, lines: Sequence[str]) -> list[Timed]:
    """The segments of an stm file, also those that are not scored.

    Raises
    ------
    InputError
        If a line lacks a field, or its times are none.

    Examples
    --------
    >>> [segment] = read_stm("r.stm", ["2345 A ann 0.10 2.03 <o,f0> uh huh"])
    >>> segment.text, segment.speaker, segment.name
    ('uh huh', 'ann', '2345-A-ann-0.10-2.03')
    """
    segments = []
    for place, line in _written(name, lines):
        fields = line.split(None, 5)
        begin, end = _times(place, fields, 5, 3, "recording channel speaker begin end")
        text = _LABELS.sub("", fields[5]) if len(fields) > 5 else ""
        if end < begin:
            need, got = "be at its begin or later", f"{fields[4]} after {fields[3]}"
            raise InputError(place, "the end of the segment", need, got)
        channel, speaker = (fields[0].lower(), fields[1].lower()), fields[2]
        its_name = "-".join(fields[:5])
        segments.append(
            Timed(place, channel, begin, end, text.strip(), speaker, name=its_name)
        )
    return segments


def read_ctm(name: str, lines: Sequence[str]) -> list[Timed]:
    """The words of a ctm file.

    Raises
    ------
    InputError
        If a line lacks a field, or its times are none, or it is of alternatives.

    Examples
    --------
    >>> [word] = read_ctm("h.ctm", ["7654 A 11.34 0.2 yes 0.9"])
    >>> word.text, word.confidence, round(word.middle, 2)
    ('yes', 0.9, 11.44)
    """
    words = []
    for place, line in _written(name, lines):
        fields = line.split()
        if len(fields) > 4 and fields[4].upper().startswith("<ALT"):
            need, hint = "be a word", "A hypothesis has no alternatives; choose one."
            raise InputError(place, "the line", need, fields[4], hint)
        begin, lasts = _times(
            place, fields, 5, 2, "recording channel begin seconds word"
        )
        if lasts < 0:
            raise InputError(
                place, "the seconds of the word", "be 0 or more", fields[3]
            )
        confidence = None
        if len(fields) > 5:
            with suppress(ValueError):
                confidence = float(fields[5])
        if confidence is not None and not math.isfinite(confidence):
            confidence = None
        channel = fields[0].lower(), fields[1].lower()
        end = begin + lasts
        words.append(
            Timed(place, channel, begin, end, fields[4], confidence=confidence)
        )
    return words


def _written(name: str, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith(_COMMENT):
            yield f"{name}:{number}", line


def _all_have(lines: Sequence[str], fewest: int, most: int, times: int) -> bool:
    """Whether the first lines have so many fields, two of them with times.

    Some have a decimal point, so that digits that were read aloud are none.
    """
    written = islice(_written("", lines), _FIRST)
    first = [line.split(None, _LAST_OF_CTM) for _, line in written]
    both = [field for fields in first for field in fields[times : times + 2]]
    return (
        all(fewest <= len(fields) <= most for fields in first)
        and all(_number(field) is not None for field in both)
        and any("." in field for field in both)
    )


def _times(
    place: str, fields: Sequence[str], fewest: int, first: int, need: str
) -> tuple[float, float]:
    numbers = [_number(field) for field in fields[first : first + 2]]
    if len(fields) < fewest or None in numbers:
        got = shown(" ".join(fields))
        raise InputError(place, "the line", f"have {need}", got)
    begin, end = numbers
    return float(begin or 0), float(end or 0)


def _number(text: str) -> float | None:
    with suppress(ValueError):
        number = float(text)
        return number if math.isfinite(number) else None
    return None
