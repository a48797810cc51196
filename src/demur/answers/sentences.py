"""Where sentences end, and texts without the marks around them."""

import re
from typing import Final

STOP: Final = re.compile(r"([.!?])[\"')\]*_]{0,4}[ \t]+(?=[^\W\d_a-z]|[(\[\"*])")
_ABBREVIATED: Final = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "st",
        "mt",
        "ft",
        "no",
        "nos",
        "vs",
        "etc",
        "jr",
        "sr",
        "prof",
        "gen",
        "col",
        "capt",
        "lt",
        "sgt",
        "rev",
        "hon",
        "inc",
        "ltd",
        "co",
        "corp",
        "vol",
        "fig",
        "ca",
        "approx",
    ]
)
_INITIALS: Final = re.compile(r"(?:^|\W)(?:[^\W\d_]\.)+[^\W\d_]?\Z")
_PAIRED: Final = re.compile(
    r"(?P<mark>\*\*|__|`|\*|\$\$|\$|\")(?P<inner>(?:(?!(?P=mark)).)+)(?P=mark)"
    r"|[\u201c\u201e](?P<quoted>[^\u201c\u201d]+)[\u201c\u201d]"
    r"|\\\((?P<math>.+)\\\)",
    re.DOTALL,
)


def first_sentence(line: str) -> str:
    """The first sentence of a line; initials and short forms end none.

    Examples
    --------
    >>> first_sentence("It is St. Petersburg. I think.").strip()
    'It is St. Petersburg.'
    """
    for stop in STOP.finditer(line):
        if stop[1] != "." or not _is_short(line[: stop.start()]):
            return line[: stop.end()]
    return line


def _is_short(text: str) -> bool:
    """Whether a full stop behind a text belongs to its last word."""
    word = text[-12:].rpartition(" ")[2].strip("*_\"'(").casefold()
    return word in _ABBREVIATED or _INITIALS.search(f"{text[-12:]}.") is not None


def bare(text: str) -> str:
    """A text without a full stop at its end, and without marks and quotes around it.

    Examples
    --------
    >>> bare("**Oslo.**"), bare('"the U.S."')
    ('Oslo', 'the U.S.')
    """
    while True:
        before = text
        text = text.strip()
        if text.endswith(".") and not _is_short(text[:-1]):
            text = text[:-1]
        if text.startswith("**") and text.count("**") == 1:
            text = text[2:]  # of **Answer: Oslo** the second mark alone is left
        if text.endswith("**") and text.count("**") == 1:
            text = text[:-2]
        whole = _PAIRED.fullmatch(text)
        if whole is not None:
            text = whole["inner"] or whole["quoted"] or whole["math"]
        if text == before:
            return text


_DENIED: Final = re.compile(
    r"(?:\b(?:not|never|cannot|neither|nor|unlikely|impossible|doubt(?:ful)?|except"
    r"|if|whether|suppos(?:e|ing)|assum(?:e|ing)"
    r"|excluding|instead of|rather than|other than|(?:any|every)thing but|all but"
    r"|(?:rule[sd]?|ruling) out|(?:eliminat|exclud|reject)(?:e|es|ed|ing)"
    r"|(?:less|fewer|more|greater|smaller|larger|higher|lower) than)\b"
    r"|n['\u2019]t\b)"
    r"(?:[ \t]+(?:that|the|an?|it|is|be|to|of|would|could|answer|option|choice|letter"
    r"|my|our|final|sure|certain|clear|correct|right|likely|simply|just|exactly|really|equal|think|believe|number))"
    r"{0,6}[ \t*_`$\"'(\[\\]*\Z",
    re.IGNORECASE,
)
_LOOKED_BACK: Final = 100


def is_denied(text: str, start: int) -> bool:
    """Whether what begins at a place of a text is said not to be so.

    Examples
    --------
    >>> text = "It is not A, so it is B"
    >>> is_denied(text, text.index("A")), is_denied(text, text.index("B"))
    (True, False)
    """
    before = text[max(0, start - _LOOKED_BACK) : start]
    return _DENIED.search(before) is not None
