"""Segments of a reference with the words of hypotheses that fall into them by time."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from demur.errors import InputError, shown
from demur.metrics.transcripts.text_grids import is_text_grid, read_tier
from demur.metrics.transcripts.timed_texts import (
    Timed,
    is_ctm,
    is_stm,
    read_ctm,
    read_stm,
)
from demur.results import with_noun

_SUFFIXES: Final = {".stm": "stm", ".ctm": "ctm", ".textgrid": "TextGrid"}
_HINT: Final = (
    "References are an stm file or a TextGrid file, hypotheses a ctm file or a "
    "TextGrid file."
)
_ROUNDED: Final = 1e-6
"""Seconds that are no overlap: sums of decimals are not exact."""


@dataclass(frozen=True)
class Heard:
    """What one recogniser heard in each segment.

    Parameters
    ----------
    texts : list of str
        Empty where no word fell.
    confidences : list of float or None, or None
        Means of the words' confidences; None if a word has none.
    """

    texts: list[str]
    confidences: list[float | None] | None


@dataclass(frozen=True)
class TimedUtterances:
    """Segments of a reference that are scored, and what was heard in them.

    Parameters
    ----------
    segments : list of Timed
        In the order of the file.
    heard : list of Heard
        For each recogniser.
    remarks : list of str
        What a reader must know of how they were joined.
    """

    segments: list[Timed]
    heard: list[Heard]
    remarks: list[str]


def form_of(name: str, lines: Sequence[str], *, is_reference: bool) -> str:
    """The form of a file with times, by its name or its lines; "" if it is another.

    Examples
    --------
    >>> form_of("h.txt", ["7654 A 11.34 0.2 yes"], is_reference=False)
    'ctm'
    """
    for suffix in PurePath(name).suffixes[-2:]:
        if suffix.lower() in _SUFFIXES:
            return _SUFFIXES[suffix.lower()]
    if is_text_grid(lines):
        return "TextGrid"
    # Words that are numbers make a word look like a segment.
    forms = {"stm": is_stm, "ctm": is_ctm}
    order = forms if is_reference else [*forms][::-1]
    return next((form for form in order if forms[form](lines)), "")


def joined_by_time(
    names: Sequence[str], files: Sequence[Sequence[str]], tier: str | None = None
) -> TimedUtterances | None:
    """Words of hypotheses joined to the segments of a reference by their time.

    A word counts for the first segment that ends after its middle, as in sclite: one
    between two segments for the second, and one behind all for the last. None counts
    for an earlier segment than a word that begins before it.

    Parameters
    ----------
    names : sequence of str
        Of the files, the reference first; for messages.
    files : sequence of sequence of str
        Their lines.
    tier : str, optional
        Of TextGrid files.

    Returns
    -------
    TimedUtterances or None
        None if no file has times.

    Raises
    ------
    InputError
        If only some files have times, a line is not what it must be, or a recording
        has no reference.

    Examples
    --------
    >>> files = [["a 1 ann 0.0 2.0 hello", "a 1 bob 2.0 3.0 yes"],
    ...          ["a 1 0.4 0.3 hello 0.9", "a 1 2.1 0.2 yeah 0.5"]]
    >>> found = joined_by_time(["r.stm", "h.ctm"], files)
    >>> [heard.texts for heard in found.heard]
    [['hello', 'yeah']]
    """
    forms = [
        form_of(name, lines, is_reference=not row)
        for row, (name, lines) in enumerate(zip(names, files, strict=True))
    ]
    grids = "TextGrid" in forms
    if tier is not None and not grids:
        need = "be of a TextGrid file"
        raise InputError(names[0], f"the tier {shown(tier)}", need, "no such file")
    if not any(forms):
        return None
    _check_forms(names, forms)
    segments, *others = (
        _read(name, lines, form, tier)
        for name, lines, form in zip(names, files, forms, strict=True)
    )
    _check_once(segments)
    remarks = list(_of_segments(names[0], forms[0], segments)) if others else []
    heard = []
    for name, form, words in zip(names[1:], forms[1:], others, strict=True):
        if (form == "TextGrid") != (forms[0] == "TextGrid"):
            words = _of_one_channel(names[0], segments, name, words)
        rows, late = _rows_of(names[0], segments, words)
        remarks += _of_words(name, segments, words, rows, late)
        heard.append(_heard(segments, words, rows))
        if form == "ctm":
            remarks += _of_confidence(name, words)
    kept = [segment for segment in segments if not segment.is_ignored]
    return TimedUtterances(kept, heard, remarks)


def _read(name: str, lines: Sequence[str], form: str, tier: str | None) -> list[Timed]:
    if form == "TextGrid":
        return read_tier(name, lines, tier)
    return (read_stm if form == "stm" else read_ctm)(name, lines)


def _check_forms(names: Sequence[str], forms: Sequence[str]) -> None:
    if forms[0] not in ("stm", "TextGrid"):
        row = next(row for row, form in enumerate(forms) if form)
        need = f"have segments with times, as {names[row]} has times ({forms[row]})"
        got = "words alone (ctm)" if forms[0] else "texts without times"
        raise InputError(names[0], "the references", need, got, _HINT)
    for name, form in zip(names, forms, strict=True):
        if not form:
            need = f"have times, as {names[0]} has ({forms[0]})"
            raise InputError(name, "the hypotheses", need, "lines without", _HINT)


def _check_once(segments: Sequence[Timed]) -> None:
    first: dict[str, str] = {}
    for segment in segments:
        place = first.setdefault(segment.name, segment.place)
        if place != segment.place:
            got = f"{segment.name} again, first in {place}"
            need = "have a speaker or a time of its own"
            raise InputError(segment.place, "the segment", need, got)


def _of_one_channel(
    reference: str, segments: Sequence[Timed], name: str, words: list[Timed]
) -> list[Timed]:
    """Words as if they were of the only channel of the reference."""
    for place, timed in ((reference, segments), (name, words)):
        channels = {one.channel: one.place for one in timed}
        if len(channels) > 1:
            need = "be one, as a TextGrid file has"
            got = shown(" ".join([*channels][1]))
            where = [*channels.values()][1]
            raise InputError(where, f"the recording of {place}", need, got)
    channel = segments[0].channel if segments else ("", "")
    return [word._replace(channel=channel) for word in words]


def _rows_of(
    reference: str, segments: Sequence[Timed], words: Sequence[Timed]
) -> tuple[list[int], set[int]]:
    """The row of the segment of each word, and words of which it is a later one."""
    of_channel: dict[tuple[str, str], list[int]] = {}
    for row in sorted(range(len(segments)), key=lambda row: segments[row].begin):
        of_channel.setdefault(segments[row].channel, []).append(row)
    at = dict.fromkeys(of_channel, 0)
    passed = dict.fromkeys(of_channel, -math.inf)
    rows, late = [0] * len(words), set()
    for number in _in_time(words):
        word = words[number]
        if word.channel not in of_channel:
            got, need = shown(" ".join(word.channel)), f"be one of {reference}"
            raise InputError(word.place, "the recording and channel", need, got)
        its = of_channel[word.channel]
        place = at[word.channel]
        while place < len(its) - 1 and word.middle >= segments[its[place]].end:
            passed[word.channel] = max(passed[word.channel], segments[its[place]].end)
            place += 1
        if word.middle < passed[word.channel]:
            late.add(number)
        at[word.channel] = place
        rows[number] = its[place]
    return rows, late


def _in_time(words: Sequence[Timed]) -> list[int]:
    return sorted(range(len(words)), key=lambda number: words[number].begin)


def _heard(
    segments: Sequence[Timed], words: Sequence[Timed], rows: Sequence[int]
) -> Heard:
    of_row: list[list[Timed]] = [[] for _ in segments]
    for number in _in_time(words):
        of_row[rows[number]].append(words[number])
    kept = [
        its
        for segment, its in zip(segments, of_row, strict=True)
        if not segment.is_ignored
    ]
    texts = [" ".join(word.text for word in its) for its in kept]
    if not words or any(word.confidence is None for word in words):
        return Heard(texts, None)
    return Heard(texts, [_mean([word.confidence or 0 for word in its]) for its in kept])


def _mean(confidences: Sequence[float]) -> float | None:
    return sum(confidences) / len(confidences) if confidences else None


# -- what is said ----------------------------------------------------------------------


def _of_segments(name: str, form: str, segments: Sequence[Timed]) -> Iterator[str]:
    yield (
        f"{name}: {with_noun(len(segments), 'segment')} ({form}); a word counts for "
        "the first that ends after the middle of its time"
    )
    last: dict[tuple[str, str], float] = {}
    overlapping = 0
    for segment in sorted(segments, key=lambda segment: segment.begin):
        end = last.get(segment.channel, segment.begin)
        overlapping += end - segment.begin > _ROUNDED
        last[segment.channel] = max(end, segment.end)
    if overlapping:
        begin = "begins" if overlapping == 1 else "begin"
        yield (
            f"{name}: {with_noun(overlapping, 'segment')} {begin} before another ends; "
            "words in both count for the one that begins first"
        )


def _of_words(
    name: str,
    segments: Sequence[Timed],
    words: Sequence[Timed],
    rows: Sequence[int],
    late: set[int],
) -> Iterator[str]:
    ignored = sum(segment.is_ignored for segment in segments)
    if ignored:
        many = sum(segments[row].is_ignored for row in rows)
        yield (
            f"{with_noun(ignored, 'segment')} of the references left out, which say "
            f"IGNORE_TIME_SEGMENT_IN_SCORING, with {with_noun(many, 'word')} of {name}"
        )
    outside = sum(
        not segments[row].begin <= word.middle < segments[row].end
        for number, (word, row) in enumerate(zip(words, rows, strict=True))
        if number not in late
    )
    if late:
        count = "counts" if len(late) == 1 else "count"
        yield (
            f"{name}: {with_noun(len(late), 'word')} {count} for a later segment than "
            "by time, behind a long word that begins before, as in sclite"
        )
    if outside:
        count = "counts" if outside == 1 else "count"
        yield (
            f"{name}: {with_noun(outside, 'word')} outside of all segments {count} for "
            "the next one, or the last, as in sclite"
        )


def _of_confidence(name: str, words: Sequence[Timed]) -> Iterator[str]:
    lacking = sum(word.confidence is None for word in words)
    if words and not lacking:
        yield f"{name}: the confidence of an utterance is the mean of its words'"
    elif lacking < len(words):
        yield (
            f"{name}: {lacking} of {with_noun(len(words), 'word')} without confidence, "
            "so utterances have none"
        )
