"""Regular expressions that users give: checked, and stopped if they do not end."""

import math
import re
import warnings
from collections.abc import Callable
from typing import Any, Final, NoReturn

from demur.errors import InputError, shown

SECONDS: Final = 2.0
"""How long one text may take, of computing."""

MOST_REPEATS: Final = 100_000
"""How often a part may be repeated exactly."""

_EXACT: Final = re.compile(r"(\))?\{(\d+)\}")


_FUZZY: Final = re.compile(r"(?<!\\)(?<!\\N)\{(?=[eids\d<=,+]*[eids])")
"""Plain signs for `re`, and for regex the start of a fuzzy match."""


class UserPattern:
    """A regular expression whose search in a text ends, with a match or an error.

    The module `re` says whether it is one, and the package `regex` searches: it can be
    stopped, in any thread and on any system.

    Parameters
    ----------
    text : str
        The expression.
    flags : int
        Of the module `re`.
    where, what : str
        For messages.

    Raises
    ------
    InputError
        If it is no regular expression.

    Examples
    --------
    >>> pattern = UserPattern("a+", re.IGNORECASE, "signs.jsonl:1", "pattern")
    >>> pattern.search("Baa").group()
    'aa'
    """

    def __init__(self, text: str, flags: int, where: str, what: str) -> None:
        self.text, self.where, self.what = text, where, what
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                re.compile(text, flags)
            except RecursionError:
                hint = "Its brackets are nested too deeply."
                self._refuse("be a regular expression", hint)
            except (re.error, TypeError, OverflowError, MemoryError) as problem:
                self._refuse("be a regular expression", f"{problem}.".capitalize())
            if _repeats(text) > MOST_REPEATS:  # regex would write them all out
                need = f"repeat no part exactly more than {MOST_REPEATS:,} times"
                self._refuse(need, "Repeat it less, or from a number on: {1000,}.")
            self._pattern = self._searching(text, flags)

    def _searching(self, text: str, flags: int) -> Any:
        import regex  # here, for it is needed for users' patterns alone

        try:
            return regex.compile(_FUZZY.sub(r"\\{", text), flags)
        except (regex.error, RecursionError) as problem:
            self._refuse("be a regular expression", f"{problem}.".capitalize())

    def _refuse(self, need: str, hint: str) -> NoReturn:
        raise InputError(self.where, self.what, need, shown(self.text), hint) from None

    def search(self, text: str) -> Any:
        """The first match anywhere in a text, or None."""
        return self._timed(self._pattern.search, text)

    def fullmatch(self, text: str) -> Any:
        """The match of a whole text, or None."""
        return self._timed(self._pattern.fullmatch, text)

    def _timed(self, search: Callable[..., Any], text: str) -> Any:
        try:
            return search(text, timeout=SECONDS)
        except TimeoutError:
            hint = "A repeat within a repeat, such as (a+)+, can take for ever."
            self._refuse(f"find its match within {SECONDS:g} seconds", hint)


def _repeats(text: str) -> int:
    """How often a part may be repeated exactly, if all brackets are nested."""
    counts = [(bracket, int(count)) for bracket, count in _EXACT.findall(text)]
    plain = max((count for bracket, count in counts if not bracket), default=1)
    return plain * math.prod(count for bracket, count in counts if bracket)
