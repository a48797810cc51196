"""One spelling of what looks alike, and the words of a text, in any language.

Texts of ASCII letters take a short way, with the same result.
"""

import re
from typing import Final
from unicodedata import category, normalize

# -- one spelling --------------------------------------------------------------------

_APOSTROPHES: Final = "\u2018\u2019\u201a\u201b\u2032\u00b4\u055a\u05f3"
_LETTERS_LIKE_THEM: Final = "\u02bb\u02bc\u02bd\ua78c"
_QUOTES: Final = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\u301f\u05f4"
_CORNERS: Final = "\u300c\u300d\u300e\u300f\uff62\uff63"
_PLAIN: Final = {
    **dict.fromkeys(map(ord, f"{_APOSTROPHES}{_LETTERS_LIKE_THEM}\u2039\u203a"), "'"),
    **dict.fromkeys(map(ord, _QUOTES + _CORNERS), '"'),
}

_DOTTED: Final = "i\u0307"
"""What becomes of the Turkish capital I with a dot as a small letter."""


def composed(text: str) -> str:
    r"""A text in Unicode's composed form (NFC), as most texts are.

    Examples
    --------
    >>> composed("cafe\u0301") == "caf\u00e9"
    True
    """
    return text if text.isascii() else normalize("NFC", text)


def plain_quotes(text: str) -> str:
    r"""A text with one sign for all apostrophes, and one for all quotation marks.

    Examples
    --------
    >>> plain_quotes("\u00abL\u2019Or\u00e9al\u00bb"), plain_quotes("\u201eja\u201c")
    ('"L\'Oréal"', '"ja"')
    """
    return text if text.isascii() else text.translate(_PLAIN)


def undotted(text: str) -> str:
    r"""A text of small letters without the dot that a capital brings to an i.

    Examples
    --------
    >>> undotted("\u0130stanbul".lower())
    'istanbul'
    """
    return text.replace(_DOTTED, "i")


def small(text: str) -> str:
    r"""A text in small letters, composed.

    Examples
    --------
    >>> small("CAFE\u0301"), small("\u0130zmir")
    ('café', 'izmir')
    """
    return text.lower() if text.isascii() else undotted(composed(text).lower())


def _table(letters: str, latin: str) -> dict[int, str]:
    return dict(zip(map(ord, letters), latin, strict=True))


_SMALL_LIKE_LATIN: Final = {
    **_table(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455", "aeopcyxijs"
    ),
    **_table("\u03bf\u03b1\u03bd\u03c1\u03b9\u03c5\u03ba\u03c7", "oavpiukx"),
}
_CAPITALS_LIKE_LATIN: Final = {
    **_table("\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420", "ABEKMHOP"),
    **_table("\u0421\u0422\u0423\u0425\u0406\u0408\u0405", "CTYXIJS"),
    **_table("\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c", "ABEZHIKM"),
    **_table("\u039d\u039f\u03a1\u03a4\u03a5\u03a7", "NOPTYX"),
}
"""Cyrillic and Greek letters that are written as Latin ones are."""


def look_alike(one: str, other: str) -> bool:
    r"""Whether one text may be taken for another, in small letters or in capitals.

    Compatible forms, capitals and blanks make no difference, nor do Cyrillic and Greek
    letters that look like Latin ones; l and 1, or O and 0, do.

    Examples
    --------
    >>> look_alike("\uff21lpha 1", "\u0410LPH\u04101"), look_alike("alpha", "alpha2")
    (True, False)
    >>> look_alike("MTY", "\u041c\u0422\u0423")
    True
    """
    pairs = zip(_looks(one), _looks(other), strict=True)
    return any(first == second for first, second in pairs)


def _looks(text: str) -> tuple[str, str]:
    text = "".join(normalize("NFKC", text).split())
    lower = undotted(normalize("NFKC", text.casefold()))
    return (
        lower.translate(_SMALL_LIKE_LATIN),
        normalize("NFKC", text.upper()).translate(_CAPITALS_LIKE_LATIN),
    )


# -- words ---------------------------------------------------------------------------

_ASCII_WORD: Final = re.compile(r"[a-z0-9']+")

# Of Thai, Lao, Burmese, Khmer, the Tai scripts, Balinese, Chinese, Japanese, Yi and
# Javanese.
_WITHOUT_SPACES: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u1b00-\u1b7f"
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3040-\u30ff\u3100-\u312f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\ua980-\ua9ff"
    "\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_UNSPACED: Final = re.compile(f"[{_WITHOUT_SPACES}]")

# What is left of a text has letters, digits, marks, apostrophes and blanks alone; so a
# sign that is none of the others is a mark. A letter below a Khmer or Burmese one
# belongs to it.
_JOINED: Final = "'\u2044\u00b7"
_MARKS: Final = rf"[^\w\s{_JOINED}]*"
_LETTER: Final = rf"(?=[^\W\d])[{_WITHOUT_SPACES}]{_MARKS}"
_OTHER: Final = rf"[^\W{_WITHOUT_SPACES}]|[\d{_JOINED}]"
_WORD_OR_LETTER: Final = re.compile(
    rf"{_LETTER}(?:(?<=[\u17d2\u1039]){_LETTER})*|(?:{_OTHER})(?:{_OTHER}|[^\w\s])*"
)

_LIKE_APOSTROPHES: Final = re.compile(f"[{_APOSTROPHES}]")
_INSIDE: Final = re.compile(rf"(?<=\w)[{_APOSTROPHES}](?=\w)")
_QUOTED: Final = re.compile(
    r"(?<!\w)[\u2018\u2019\u201a\u201b]([^\u2018\u2019\u201a\u201b]+)[\u2018\u2019](?!\w)"
)
_AT_ITS_END: Final = re.compile(r"(?<=\w)[\u2019\u05f3]|\u2019(?=\w)")
_HEBREW: Final = re.compile('["\u201c\u201d](?<=[\u0590-\u05ff].)(?=[\u0590-\u05ff])')
_NOT_CATALAN: Final = re.compile("(?<![lL])\u00b7|\u00b7(?![lL])")
_GERSHAYIM: Final = "\u05f4"
_UNWRITTEN: Final = frozenset(
    "\u00ad\u034f\u055b\u055c\u055e\u061c\u0640\u180b\u180c\u180d\u200c\u200d\u200e\u200f\ufeff"
)
"""The soft hyphen, joiners, direction marks, the stroke that lengthens Arabic words
and Armenian signs of questions, which stand in a word; `_is_unwritten` has others."""


def _is_unwritten(sign: str) -> bool:
    """Whether a sign changes how others look, and is none of its own."""
    return (
        sign in _UNWRITTEN
        or "\u202a" <= sign <= "\u202e"
        or "\u2060" <= sign <= "\u2069"
        or "\ufe00" <= sign <= "\ufe0f"
        or "\U000e0100" <= sign <= "\U000e01ef"
    )


class _SignTable(dict[int, int | str | None]):
    """What each sign of a text is among its words: itself, nothing or a blank.

    It is filled as signs come: texts have few, and Unicode many.
    """

    def __init__(self) -> None:
        super().__init__({ord(sign): sign for sign in (*_JOINED, _GERSHAYIM)})
        self.update(dict.fromkeys(map(ord, _LETTERS_LIKE_THEM), "'"))
        self.marks: set[str] = set()

    def __missing__(self, code: int) -> int | None:
        sign = chr(code)
        kind = category(sign)
        kept: int | None = code if kind[0] in "LN" or kind in ("Mn", "Mc") else 32
        if _is_unwritten(sign):
            kept = None
        elif kind[0] == "M":
            self.marks.add(sign)
        self[code] = kept
        return kept


_SIGNS: Final = _SignTable()


def words(text: str) -> list[str]:
    r"""The words of a text: letters with their marks, digits and apostrophes.

    They are in small letters and one spelling: in the compatible composed form (NFKC),
    with one apostrophe, without joiners. Of scripts without spaces between words each
    character is one, with the marks on it.

    Examples
    --------
    >>> words("What's THAT?"), words("Where\u2019s the Caf\u00e9?")
    (["what's", 'that'], ["where's", 'the', 'café'])
    >>> words("\u0915\u0940"), words("\u6211\u4e70iPhone 15")
    (['की'], ['我', '买', 'iphone', '15'])
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    if "\u00b4" in text:  # the form would part it into a blank and a mark
        text = text.replace("\u00b4", "\u2019")
    text = normalize("NFKC", text)
    if _LIKE_APOSTROPHES.search(text):
        text = _with_apostrophes(text)
    if _HEBREW.search(text):
        text = _HEBREW.sub(_GERSHAYIM, text)
    if "\u00b7" in text:  # a letter with the l on both sides, and else a sign
        text = _NOT_CATALAN.sub(" ", text)
    text = undotted(text.lower()).translate(_SIGNS)
    parts = text.split()
    # A mark that stands on no letter is no part of a word.
    if unspaced(text) or not _SIGNS.marks.isdisjoint(word[0] for word in parts):
        return _WORD_OR_LETTER.findall(text)
    return parts


def _with_apostrophes(text: str) -> str:
    """A text with plain apostrophes, and without single quotation marks."""
    text = _INSIDE.sub("'", text)
    if not _LIKE_APOSTROPHES.search(text):
        return text
    text = _QUOTED.sub(r" \1 ", text)
    return _AT_ITS_END.sub("'", text)


def unspaced(text: str) -> bool:
    r"""Whether a text has letters of a script without spaces between its words.

    Examples
    --------
    >>> unspaced("\u6771\u4eac"), unspaced("Tokyo")
    (True, False)
    """
    return _UNSPACED.search(text) is not None
