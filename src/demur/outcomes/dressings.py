"""Wrong answers that are their references in another dress: what differs everywhere."""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol

from demur.errors import shown
from demur.outcomes.gaps import is_written_gap
from demur.outcomes.refusals import several
from demur.outcomes.values import json_or_text

_OFTEN: Final = 3
_KEPT: Final = 1_000
"""As many different dresses are told apart."""
_LONGEST: Final = 60
"""Characters about a reference; with more it is an answer in a sentence of its own."""

_MOST_READ: Final = 1_000
"""Characters of an answer that is looked at."""

_ENOUGH: Final = 5_000
"""Wrong answers that are looked at; further ones only if these are dressed."""

_OPTION: Final = re.compile(r"\(?([A-Za-z]|\d)[.):\]]\)?\s+\Z")
_SIGNS: Final = re.compile(r"[\W_]+")
_CODES: Final = (
    ("letters of options", re.compile(r"\(?[A-Ha-h][.)]?")),
    ("numbers of classes", re.compile(r"LABEL_\d+")),
)

_CASE: Final = "but for case"
_WRITTEN: Final = "but for case, signs and blanks"
_LETTERED: Final = "after the letter of an option"
_UNSEEN: Final = "but for blanks about them, signs that are not seen, or full width"
_GROUPED: Final = "but for what parts their thousands"
_POINTED: Final = "but for points that part their thousands"
_BLANKED: Final = "but for blanks or apostrophes that part their thousands"
_FLAGGED: Final = "in another word for yes or no"
_CHATTED: Final = "in a whole chat"
_AMONG: Final = {sign: f"in part, between {sign!r}" for sign in "|;/"}
_ENCODED: Final = "in another encoding, or escaped"
_SURE: Final = frozenset(
    (
        *(_ENCODED, _UNSEEN, _FLAGGED, _CHATTED, *_AMONG.values()),
        *(_GROUPED, _POINTED, _BLANKED),
    )
)
"""What is no chance, so that one answer is enough."""

_HOW: Final = {
    _ENCODED: "read files as UTF-8, and undo escapes (html.unescape, json.loads)",
    _UNSEEN: "take these off",
    _GROUPED: "take it off; judge by=number (--by number) reads 1,234 as a number",
    _POINTED: (
        "take them off; judge by='number(written=comma)' (--by "
        "'number(written=comma)') reads 1.234 as 1,234"
    ),
    _BLANKED: (
        "take them off; judge by='number(written=point)' (--by "
        "'number(written=point)') reads 1 234 as 1,234"
    ),
    _FLAGGED: "write both in one form",
    _CHATTED: "give its last reply alone, without roles and signs of a template",
    **dict.fromkeys(
        _AMONG.values(),
        "several acceptable answers stand in a list under references, not in one text",
    ),
    _CASE: "write both in one form; judge by=text (--by text) does not tell case apart",
    _WRITTEN: "write both in one form",
    _LETTERED: "take the letters off, or give letters as references",
}


_ROLE: Final = re.compile(
    r"<\|\w+\|>|\[/?INST\]|^\s*(?:user|human|assistant|ai|bot|system)\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_THOUSANDS: Final = re.compile(r"[-\u2212]?\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+")
_YES: Final = frozenset(("y", "yes", "t", "true"))
_NO: Final = frozenset(("n", "no", "f", "false"))


class MendingRule(Protocol):
    """Another rule of comparing, by which dressed answers may be right."""

    @property
    def how(self) -> str:
        """What to type for it."""

    @property
    def mends(self) -> Callable[[str, str], bool]:
        """Whether an answer and its reference are equal by it."""


class Dressings:
    """Counts of wrong answers that hold their reference, by what stands about it.

    Parameters
    ----------
    mending : MendingRule, optional
        A rule by which some of them may be right.

    Examples
    --------
    >>> dressings = Dressings()
    >>> for guess, value in (("Answer: a", "a"), ("Answer: b", "b")):
    ...     dressings.add(guess, [value])
    >>> print(*dressings.notes(2))
    2 of 2 wrong answers are their references with 'Answer: ' in front: take it off,
    as .removeprefix('Answer: ') does in Python
    """

    def __init__(self, mending: MendingRule | None = None) -> None:
        self._mending = mending
        self._mended: Counter[str | tuple[str, str]] = Counter()
        self.has_looked = False
        self._left = _ENOUGH
        self._about: Counter[str | tuple[str, str]] = Counter()
        self._dressed: set[str] = set()
        self._codes: Counter[str] = Counter()
        self._example = ("", "")
        self._wrong = 0
        self._gaps: Counter[str] = Counter()

    def add(self, guess: Any, values: Sequence[Any], times: int = 1) -> None:
        """Look at a wrong guess that is given so often, and at what would be right."""
        if self.has_looked:
            return
        self._wrong += times
        self._left -= 1
        if not self._left and not self._often() and not self._codes:
            self.has_looked = True
        self._look_for_gaps(values, times)
        if type(guess) is not str or len(guess) > _MOST_READ:
            return
        texts = [v if type(v) is str else _written(v) for v in values]
        dresses = ((_dress(guess, text), text) for text in texts if text)
        held = (pair for pair in dresses if pair[0] is not None)
        dress, text = next(held, (None, ""))
        if dress is None:
            self._look_for_codes(guess, texts[0] if texts else "", times)
        elif dress in self._about or len(self._about) < _KEPT:
            self._about[dress] += times
            if self._mending is not None and self._mending.mends(guess, text):
                self._mended[dress] += times
            if len(self._dressed) < _KEPT:
                self._dressed.add(guess)

    def _look_for_gaps(self, values: Sequence[Any], times: int) -> None:
        for value in values:
            if type(value) is str and (not value.strip() or is_written_gap(value)):
                self._gaps[value] += times

    def _look_for_codes(self, guess: str, value: str, times: int) -> None:
        for name, form in _CODES:
            if form.fullmatch(guess) and not form.fullmatch(value):
                self._codes[name] += times
                self._example = (guess, value)

    def is_dressed(self, text: str, is_known: Callable[[str], bool]) -> bool:
        """Whether a text that comes often is in a dress that is named, or a code."""
        if any(form.fullmatch(text) for name, form in _CODES if self._codes[name]):
            return True
        often = self._often()
        if often and text in self._dressed:
            return True
        for front, back in (dress for dress, _ in often if not isinstance(dress, str)):
            inner = text.removeprefix(front).removesuffix(back)
            if len(inner) + len(front) + len(back) == len(text) and is_known(inner):
                return True
        return False

    def _often(self) -> list[tuple[str | tuple[str, str], int]]:
        return [
            (dress, count)
            for place, (dress, count) in enumerate(self._about.most_common())
            if _is_sure(dress)
            or (place < _OFTEN and (count >= _OFTEN and 10 * count >= self._wrong))
            or (count > 1 and 2 * count > self._wrong)
        ]

    def _cure(self, dress: str | tuple[str, str]) -> str:
        """The rule by which such answers are right, if it is so of any."""
        mended = self._mended[dress]
        if self._mending is None or not mended:
            return ""
        some = "all" if mended == self._about[dress] else f"{mended} of these"
        return f"{self._mending.how} takes {some} for right; or "

    def notes(self, guesses: int) -> Iterator[str]:
        """What stands about references, of all guesses so many."""
        for dress, count in self._often():
            are = "is its reference" if count == 1 else "are their references"
            start = f"{count} of {several(self._wrong, 'wrong answer')} {are}"
            if isinstance(dress, str):
                yield f"{start} {dress}: {self._cure(dress)}{_HOW[dress]}"
                continue
            front, back = dress
            ends = ((front, "in front", "prefix"), (back, "behind", "suffix"))
            held = [end for end in ends if end[0]]
            stand = " and ".join(
                f"{shown(sign)}{'' if sign.strip() else ' (blank)'} {place}"
                for sign, place, _ in held
            )
            calls = "".join(f".remove{end}({sign!r})" for sign, _, end in held)
            off = f"take {'it' if len(held) == 1 else 'both'} off"
            cure = self._cure(dress)
            yield f"{start} with {stand}: {cure}{off}, as {calls} does in Python"
        for value, count in self._gaps.items():
            is_text = f"is the text {shown(value)}, which programs write for nothing"
            if not value.strip():
                is_text = "is empty text, which no other answer equals"
            yield (
                f"{several(count, 'wrong answer')} where the reference {is_text}: "
                "leave the item out, or give its reference"
            )
        for name, count in self._codes.items():
            if count == guesses > 1:
                one, other = map(shown, self._example)
                yield (
                    f"all {count} answers are {name}, such as {one}, and their "
                    f"references are not ({other}): none can be right; give both in "
                    "one form"
                )


def _written(value: Any) -> str:
    """A number as text; of anything else nothing."""
    return str(value) if type(value) in (int, float) else ""


def _dress(guess: str, text: str) -> str | tuple[str, str] | None:
    """What stands about a reference in a guess, or how else they differ."""
    sure = _sure_dress(guess, text)
    if sure is not None:
        return sure
    start = guess.rfind(text)
    if start >= 0 and len(guess) - len(text) <= _LONGEST:
        front, back = guess[:start], guess[start + len(text) :]
        if (front or back) and not (front[-1:].isalnum() or back[:1].isalnum()):
            if not back and _OPTION.fullmatch(front):
                return _LETTERED
            return front, back
    folded = guess.casefold()
    if folded == text.casefold():
        return _CASE
    signs = _SIGNS.sub("", text).casefold()
    return _WRITTEN if signs and _SIGNS.sub("", folded) == signs else None


def _sure_dress(guess: str, text: str) -> str | None:
    """How a guess says what its reference says, if that cannot be chance."""
    if guess.strip() not in ("", text) and _as_seen(guess) == _as_seen(text):
        return _UNSEEN
    if _is_encoded(guess, text) or _is_encoded(text, guess):
        return _ENCODED
    if _is_grouped(guess, text) or _is_grouped(text, guess):
        parted = max(guess, text, key=len)
        if "." in parted:
            return _POINTED
        return _GROUPED if "," in parted else _BLANKED
    bare, wanted = _bare(guess), _bare(text)
    if bare != wanted and any({bare, wanted} <= words for words in (_YES, _NO)):
        return _FLAGGED
    for sign, among in _AMONG.items():
        if sign in text and bare in _parts(text, sign):
            return among
    return _CHATTED if text in guess and len(_ROLE.findall(guess)) > 1 else None


def _is_encoded(text: str, plain: str) -> bool:
    """Whether a text is another one escaped, or read with a wrong encoding."""
    if "&" in text and html.unescape(text) == plain != text:
        return True
    if plain.isascii():
        return False
    if text.isascii():
        return json_or_text(f'"{text}"') == plain if "\\u" in text else False
    return any(plain.encode() == _bytes(text, code) for code in ("latin-1", "cp1252"))


def _bytes(text: str, code: str) -> bytes:
    return text.encode(code, "ignore")


def _is_grouped(number: str, plain: str) -> bool:
    parted = _THOUSANDS.fullmatch(number) is not None
    return parted and re.sub(r"[^-\u2212\d]", "", number) == plain


def _parts(text: str, sign: str) -> list[str]:
    parts = text.split(" / " if sign == "/" else sign)
    return [_bare(part) for part in parts] if len(parts) > 1 else []


def _is_sure(dress: str | tuple[str, str]) -> bool:
    return dress in _SURE if isinstance(dress, str) else not "".join(dress).strip()


def _as_seen(text: str) -> str:
    if text.isascii():
        return text.strip()
    plain = unicodedata.normalize("NFKC", text)
    return "".join(c for c in plain if unicodedata.category(c) != "Cf").strip()


def _bare(text: str) -> str:
    return text.strip().casefold()
