"""Texts that are dates or times, and others of the same form beside them."""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Final

_FORM: Final = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)?(?(day)(?:[ T](?=\d\d:))?)"
    r"(?P<clock>(?<!\d)\d\d:\d\d(?::\d\d)?)?(?(clock)(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)",
    re.ASCII,
)
_COMPLETED: Final = 2
"""So many moments are made of a part of one, such as a year."""


def is_moment(text: Any) -> bool:
    """Whether a value is an ISO date, time, or both.

    Examples
    --------
    >>> [is_moment(text) for text in ("2024-02-29", "2023-02-29", "10:30", "2024")]
    [True, False, True, False]
    """
    return _parsed(text) is not None


_OTHER_FORM: Final = re.compile(
    r"\d{1,4}([./-])\d{1,2}\1\d{1,4}(?: \d.*)?|(?=.*\d)"
    r"(?:.*[ ,.-])?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"(?:r?uary|ch|il|e|y|ust|t?(?:em|o)ber)?\b.*",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)


def is_other_date(value: Any) -> bool:
    """Whether a value is a date in another form: digits alone, with slashes, in words.

    Examples
    --------
    >>> [is_other_date(one) for one in (20240229, "3/5/2024", "5 May 2024")]
    [True, True, True]
    >>> [is_other_date(one) for one in (20230229, "2024-02-29", "May I", 1990)]
    [False, False, False, False]
    >>> is_other_date("2 September 2024"), is_other_date("Mark 2")
    (True, False)
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        return False
    text = str(value)
    if len(text) == len("20240229") and text.isdecimal() and text.isascii():
        return text[0] in "12" and is_moment(f"{text[:4]}-{text[4:6]}-{text[6:]}")
    if isinstance(value, int) or is_moment(value):
        return False
    return _OTHER_FORM.fullmatch(text) is not None


def beside(moment: str, steps: int) -> str | None:
    """The moment so many days later; a time alone, so many minutes.

    Examples
    --------
    >>> beside("2024-12-31 10:30", 1), beside("23:59", 1)
    ('2025-01-01 10:30', '00:00')
    """
    parsed = _parsed(moment)
    if parsed is None:
        return None
    day, clock = parsed
    if day is not None:
        try:
            return f"{day + timedelta(days=steps)}{moment[10:]}"
        except OverflowError:
            return None
    moved = datetime.combine(date(2000, 1, 2), clock) + timedelta(minutes=steps)
    return f"{moved:%H:%M}{moment[5:]}"


def moments_near(text: str, known: Sequence[str]) -> list[str]:
    """Moments that a text names, as known ones are written, and those beside them.

    Examples
    --------
    >>> moments_near("2025", ["2024-05-07"])[:3]
    ['2024-12-31', '2025-01-01', '2025-01-02']
    >>> moments_near("soon", ["2024-05-07"])
    []
    """
    named = dict[str, None]()
    for moment in _completed(text, known):
        named[moment] = None
        if len(named) == _COMPLETED:
            break
    near = (beside(moment, steps) for moment in named for steps in (-1, 0, 1))
    return list(dict.fromkeys(moment for moment in near if moment is not None))


def fresh_moment(moments: Sequence[str], taken: Collection[Any]) -> str | None:
    """A moment after others that is not taken; None if there is none.

    Examples
    --------
    >>> fresh_moment(["2024-02-28", "2024-01-01"], {"2024-02-29"})
    '2024-03-01'
    """
    last: str | None = max(moments)
    for _ in range(len(taken) + 1):
        last = None if last is None else beside(last, 1)
        if last not in taken:
            break
    return last


def _completed(text: str, known: Sequence[str]) -> Iterator[str]:
    """Known moments, and the first and last day of a year, with a text put in."""
    first = known[0]
    days = [
        f"{first[:4]}-{day}{re.sub('[0-9]', '0', first[10:])}"
        for day in ("01-01", "12-31")
        if first[4:5] == "-"
    ]
    for moment in (*days, *known):
        for at in range(len(moment) - len(text) + 1):
            made = f"{moment[:at]}{text}{moment[at + len(text) :]}"
            if _shape(made) == _shape(moment) and is_moment(made):
                yield made


def _shape(text: str) -> str:
    return re.sub("[0-9]", "9", text)


def _parsed(text: Any) -> tuple[date | None, time] | None:
    """The day of a moment, if it has one, and its time."""
    form = _FORM.fullmatch(text) if isinstance(text, str) and text else None
    if form is None:
        return None
    try:
        day = form["day"] and date.fromisoformat(form["day"])
        return day or None, time.fromisoformat(form["clock"] or "00:00")
    except ValueError:
        return None
