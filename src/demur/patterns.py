"""Regular expressions that users give: checked, and stopped if they do not end."""

import re
import signal
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from demur.errors import InputError, shown

SECONDS: Final = 2.0
"""How long one text may take."""


class UserPattern:
    """A regular expression whose search in a text ends, with a match or an error.

    It is stopped by a timer of the process, which only the main thread can set, and not
    where another timer runs or on Windows: there it takes as long as it takes.

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
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._pattern = re.compile(text, flags)
        except RecursionError:
            hint = "Its brackets are nested too deeply."
            self._refuse("be a regular expression", hint)
        except (re.error, TypeError, OverflowError, MemoryError) as problem:
            self._refuse("be a regular expression", f"{problem}.".capitalize())

    def _refuse(self, need: str, hint: str) -> None:
        raise InputError(self.where, self.what, need, shown(self.text), hint) from None

    def search(self, text: str) -> re.Match[str] | None:
        """The first match anywhere in a text."""
        with self._timed():
            return self._pattern.search(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match of a whole text."""
        with self._timed():
            return self._pattern.fullmatch(text)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        if not _may_set_a_timer():
            yield
            return
        # The module re looks for signals while it searches; nothing else can stop it.
        former = signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            yield
        except _TooLongError:
            hint = "A repeat within a repeat, such as (a+)+, can take for ever."
            self._refuse(f"find its match within {SECONDS:g} seconds", hint)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, former)


class _TooLongError(Exception):
    """The timer has rung."""


def _stop(number: int, frame: Any) -> None:
    del number, frame
    raise _TooLongError


def _may_set_a_timer() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0
    )
