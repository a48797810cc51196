"""Confidences as people and models write them: ``95 %``, ``0,95``, ``9/10``."""

import re
import unicodedata
from typing import Final

_AMOUNT: Final = r"""[-+\u2212]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:e[-+]?\d+)?"""
_PER_CENT: Final = r"%|per\s?cent\b|pct\b|prozent\b"
_PATTERN: Final = re.compile(
    rf"""(?<![\w.,])(?:(?P<before>%)\s*)?(?P<amount>{_AMOUNT})
    (?:\s*(?P<after>{_PER_CENT})
      |\s*(?:/|out\s+of\b|of\b)\s*(?P<scale>{_AMOUNT})(?!\s*(?:{_PER_CENT}))
    )?(?![\w%])""",
    re.VERBOSE,
)
_LEVELS: Final = frozenset(
    [
        "about",
        "almost",
        "answer",
        "approx",
        "approximately",
        "around",
        "at",
        "c",
        "ca",
        "certain",
        "chance",
        "circa",
        "confidence",
        "confident",
        "estimated",
        "extremely",
        "fairly",
        "high",
        "i",
        "i'd",
        "i'm",
        "am",
        "is",
        "its",
        "level",
        "likely",
        "low",
        "medium",
        "moderate",
        "moderately",
        "my",
        "near",
        "nearly",
        "of",
        "pretty",
        "probability",
        "quite",
        "rather",
        "roughly",
        "say",
        "score",
        "sure",
        "very",
    ]
)
"""Words before a number that leave its meaning as it is."""

_AGAINST: Final = re.compile(
    r"[^.,;:(]*\b(?:wrong|false|incorrect|not|un(?:sure|certain|likely)|doubt\w*)\b"
)
_JOINED: Final = re.compile(
    r"\s*(?:[-\u2013\u2014:]\s*[\d.,%]|[/+*^\u00b1\u2026]|[\u2190-\u21ff\u2794-\u27bf\u27f0-\u27ff]|\.\.|to\b|or\b|and\b|in\b"
    r"|of\b|out\b|\w*th\b)"
)
_STRUCK: Final = re.compile(r"~~.*?~~|<(s|del|strike)>.*?</\1>")
"""What was written and crossed out, in Markdown or HTML."""

_REASON: Final = re.compile(r"\b(?:because|since|as|given)\b.*", re.DOTALL)
_ALL: Final = 100
_THOUSANDS: Final = re.compile(r"[1-9]\d*,\d{3}")
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SIGNS: Final[dict[int, int | str]] = {
    **_FULL_WIDTH,
    0x066A: "%",
    0x066B: ".",
    0x2044: "/",
    0x2019: "'",
    0x2212: "-",
}


def written_confidence(text: str) -> float | None:
    r"""The chance that a text states, from 0 to 1; None if it cannot be read.

    A number with a decimal point or comma and without a sign is a chance if it is at
    most 1; others are out of 100, unless the text says out of how many. A text with a
    second number that may count, such as ``80-90 %`` or ``95 %, no, 80 %``, cannot be
    read, and neither can odds such as ``50/50``; what is crossed out does not count.

    Parameters
    ----------
    text : str
        What stands for the confidence, and nothing else that holds numbers.

    Returns
    -------
    float or None

    Examples
    --------
    >>> [written_confidence(text) for text in ("95 %", "0,95", "1e-1", "high (90 %)")]
    [0.95, 0.95, 0.1, 0.9]
    >>> [written_confidence(text) for text in ("9/10", "4 out of 5", "95", "%\uff19")]
    [0.9, 0.8, 0.95, 0.09]
    >>> [written_confidence(text) for text in ("high", "50 or 90", "12/10", "50/50")]
    [None, None, None, None]
    """
    plain = _plain(text)
    first = _PATTERN.search(plain)
    if first is None:
        return None
    before, rest = plain[: first.start()], plain[first.end() :]
    if not _levels(before) or _AGAINST.match(rest) or _JOINED.match(rest):
        return None
    chance = _chance(first)
    exact = _is_exact(first)
    if re.search(r"\d", rest) and (before or not exact):
        # Either number may be the one that is meant, unless they say the same.
        second = _PATTERN.search(rest)
        return chance if second is not None and _chance(second) == chance else None
    others = _PATTERN.finditer(_REASON.sub("", rest))
    changed = any(_is_exact(other) and _chance(other) != chance for other in others)
    return None if changed else chance


def _is_exact(match: re.Match[str]) -> bool:
    """Whether a number says out of how many it is."""
    return bool(match["before"] or match["after"] or match["scale"])


def _plain(text: str) -> str:
    """A text with the digits and signs of ASCII, without marks around it."""
    text = _STRUCK.sub(" ", text.translate(_SIGNS).casefold())
    text = re.sub(r"[-=~]+>", "\u2192", text)
    if not text.isascii():
        text = "".join(
            sign if sign.isascii() else str(unicodedata.decimal(sign, sign))
            for sign in text
        )
    return re.sub(r"[*_`\"~<>=\u2248\u2264\u2265|\[\]]", " ", text).strip()


def _levels(before: str) -> bool:
    """Whether words before a number only say the same, or nothing."""
    if before.rstrip().endswith(("-", "/", "+", "^")):
        return False
    return _LEVELS.issuperset(re.findall(r"[^\W\d_]+(?:'\w+)?", before)) and (
        re.search(r"\d", before) is None
    )


def _chance(match: re.Match[str]) -> float | None:
    written, scale = match["amount"], match["scale"]
    if _THOUSANDS.fullmatch(written):
        return None
    number = float(written.replace(",", "."))
    if scale is not None:
        whole = float(scale.replace(",", "."))
        if number + whole == _ALL:  # 50/50 are odds
            return None
        return number / whole if 0 <= number <= whole and whole > 0 else None
    is_share = re.search(r"[.,e]", written) is not None and number <= 1
    if is_share and not (match["before"] or match["after"]):
        return number if number >= 0 else None
    return number / 100 if 0 <= number <= 100 else None
