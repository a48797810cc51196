"""The exceptions demur raises, one tree.

::

    DemurError
    ├── InputError (also ValueError)      data or an argument is not what it must be
    │   └── ParseError                    a text or a file cannot be read
    ├── UndefinedRate (also ValueError)   a ratio whose denominator is empty
    ├── MissingExtra (also ImportError)   an optional dependency is not installed
    └── RunError (also RuntimeError)      something the user plugged in failed

Every message is one line: where, what must hold, what was found, what to do. Keys in
addresses are masked.
"""

import os
import re
from functools import cache
from importlib import import_module
from typing import Any, Final

_SHOWN = 60
_LONG = 300

_ADDRESS: Final = r"(?i)[a-z][a-z0-9+.-]+://\S*"
"""A text that is an address; a drive of Windows is one letter."""

_SCHEME: Final = r"\b[a-z][a-z0-9+.-]+:/+"
"""How they begin in messages, where a path may have lost a slash."""

_STORE: Final = r"\b(?:s3[an]?|gcs|gs|r2|azure|az|abfss?|wasbs?|hf):/+"
"""Of object storage, where no address has a port."""


@cache  # patterns are compiled for the first message: the help needs none
def _users(ends: str) -> tuple[re.Pattern[str], ...]:
    """Who reads an address, behind its scheme, where it ends before some signs.

    A password may hold a slash, behind a colon and no port.
    """
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"({_STORE})[^/{ends}:]*:[^{ends}]*@",
            rf"({_SCHEME})(?:[^/{ends}:]*:(?!\d+/)[^{ends}]*|[^/{ends}]*)@",
        )
    )


_WITHIN: Final = r"\s'\"`<>"
"""What ends an address within a message."""

_OPTION: Final = r"([?&;#][^=&;#]+=)(?!\.\.\.)[^&;#]*[^&;#:.,)]"
"""An option and its value, but for the signs of a sentence behind it."""

_SECRET_OPTION: Final = (
    r"(?i)([?&;][\w-]*(?:sig|signature|token|key|secret|password|credential)=)"
    r"(?!\.\.\.)[^\s&;#'\"]+"
)
"""An option that holds a key by its name, in whatever stands before it."""

_SECRETS: Final = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
_SHORT: Final = 8
"""Of fewer signs a key is a word, such as ``test``."""

Proposed = tuple[tuple[str, str, str], ...]
"""Fields of a file, the form in which each may be read, and how it would be read."""


def masked(text: str) -> str:
    """A text, its addresses without users, passwords and what follows options.

    Examples
    --------
    >>> masked("s3://KEY:SECRET@logs/a.parquet")
    's3://...@logs/a.parquet'
    >>> masked("https://host/a.parquet?X-Amz-Signature=0af1&part=1")
    'https://host/a.parquet?X-Amz-Signature=...&part=...'
    >>> masked("md:answers?motherduck_token=0af1")
    'md:answers?motherduck_token=...'
    """
    for name in _SECRETS:
        key = os.environ.get(name, "")
        if len(key) >= _SHORT:
            text = text.replace(key, "...")
    if ":/" not in text:
        return re.sub(_SECRET_OPTION, r"\1...", text)
    # A text without blanks that begins with a scheme is one address, quotes and all.
    ends = r"\s" if re.fullmatch(_ADDRESS, text) else _WITHIN
    for pattern in _users(ends):
        text = pattern.sub(_without_user, text)
    address = f"(?i){_SCHEME}[^{ends}]*"
    text = re.sub(address, lambda rest: re.sub(_OPTION, r"\1...", rest[0]), text)
    return re.sub(_SECRET_OPTION, r"\1...", text)


def _without_user(address: re.Match[str]) -> str:
    """The address without who reads it; ``USER`` stands for anybody in a hint."""
    return address[0] if address[0] == f"{address[1]}USER@" else f"{address[1]}...@"


def escaped(text: str) -> str:
    r"""Text on one line, without the control characters that a terminal obeys.

    Examples
    --------
    >>> escaped("a\x1b[31mb\n")
    'a\\x1b[31mb\\n'
    """
    return "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in text)


def shown(value: object) -> str:
    r"""``value`` as it appears in a message: one line, shortened.

    Examples
    --------
    >>> import demur
    >>> demur.errors.shown("two\nlines")
    "'two\\nlines'"
    >>> len(demur.errors.shown("x" * 1000))
    60
    """
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()  # what Python itself has, of a number of numpy
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        text = f"a very long {type(value).__name__}"
    if "\n" in text:  # of arrays and frames
        text = " ".join(text.split())
    text = escaped(masked(text))  # before a part of an address is cut off
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def one_line(text: str) -> str:
    r"""What a server or somebody's code says: one line, longer than what is `shown`.

    Examples
    --------
    >>> one_line("two\nlines"), len(one_line("x" * 1000))
    ('two lines', 300)
    """
    text = masked(" ".join(text.split()))
    return text if len(text) <= _LONG else text[: _LONG - 3] + "..."


def problem_text(problem: BaseException) -> str:
    r"""What somebody's code has raised, on one line.

    Examples
    --------
    >>> problem_text(ValueError("two\nlines")), problem_text(KeyboardInterrupt())
    ('ValueError: two lines', 'KeyboardInterrupt')
    """
    try:
        text = one_line(str(problem))
    except Exception:  # noqa: BLE001  (somebody's code, too)
        text = ""
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__


class DemurError(Exception):
    """Whatever demur raises on purpose."""

    def __init__(self, text: str = "") -> None:
        super().__init__(escaped(masked(text)))

    def __reduce__(self) -> tuple[Any, ...]:
        # Python would make it again from its text, and what it is made of is more.
        return _remade, (type(self), *self.args), self.__dict__


def _remade(kind: type[DemurError], *texts: str) -> DemurError:
    """An error as it was before it was pickled."""
    return kind.__new__(kind, *texts)


class InputError(DemurError, ValueError):
    """Data or an argument is not what it must be.

    Parameters
    ----------
    where : str
        Function, or ``FILE:LINE``.
    what : str
        The field or argument.
    must : str
        What must hold, completing "WHAT must ...".
    got : str
        What was found, as text.
    hint : str
        What to do about it.

    Attributes
    ----------
    proposed : tuple of (str, str, str)
        What ``--columns`` may say of fields in a file: each the field, the form (``{}``
        is its column), and how that would be read.
    judged_by : str
        Of a file of answers that nobody has judged: the command in the hint that
        judges them.
    repeated : tuple of tuples of (int, str)
        Rows that have one key, of each key their numbers from 0 and places.

    Examples
    --------
    >>> import demur
    >>> print(demur.InputError("a.csv:7", "confidence", "be a number", "'high'"))
    a.csv:7: confidence must be a number; got 'high'.
    """

    proposed: Proposed = ()
    judged_by: str = ""
    repeated: tuple[tuple[tuple[int, str], ...], ...] = ()

    def __init__(
        self, where: str, what: str, must: str, got: str, hint: str = ""
    ) -> None:
        self.where, self.what, self.must = masked(where), masked(what), masked(must)
        self.got, self.hint = masked(got), masked(hint)
        where, what, got, hint = self.where, self.what, self.got, self.hint
        text = f"{where}: {what} must {self.must}; got {got}. {hint}"
        super().__init__(text.rstrip())

    def with_hint(self, hint: str) -> "InputError":
        """The same error with another hint."""
        error = type(self)(self.where, self.what, self.must, self.got, hint)
        error.repeated = self.repeated
        return error


class ParseError(InputError):
    """A text or a file cannot be read as what it should be."""


class UndefinedRate(DemurError, ValueError):
    """A rate has no value, because its denominator is empty or its curve missing.

    Parameters
    ----------
    reason : str
        What is undefined, in a sentence.
    where : str
        The function that was asked for it.
    """

    def __init__(self, reason: str, *, where: str = "") -> None:
        self.where, self.reason = where, reason
        super().__init__(f"{where}: {reason}" if where else reason)


class MissingExtra(DemurError, ImportError):
    """An optional dependency is not installed.

    Parameters
    ----------
    extra : str
        Name of the extra that installs it.
    purpose : str
        What it is needed for.
    package : bool
        Whether it is a package by itself and no extra of demur.
    """

    def __init__(self, extra: str, purpose: str, *, package: bool = False) -> None:
        self.extra = extra
        if package:
            super().__init__(f"{purpose} needs a package: pip install {extra}")
        else:
            super().__init__(f'{purpose} needs an extra: pip install "demur[{extra}]"')


def extra_module(module: str, extra: str, purpose: str) -> Any:
    """A module that an extra of demur brings, imported.

    Parameters
    ----------
    module, extra : str
        What is imported, and the extra that it belongs to.
    purpose : str
        What it is needed for, as a message says it.

    Raises
    ------
    MissingExtra
        If it is not installed.

    Examples
    --------
    >>> extra_module("json", "parquet", "reading a file").__name__
    'json'
    >>> extra_module("no_such_module", "excel", "reading a.xlsx")
    Traceback (most recent call last):
    ...
    demur.errors.MissingExtra: reading a.xlsx needs an extra: pip install "demur[excel]"
    """
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtra(extra, purpose) from None


class RunError(DemurError, RuntimeError):
    """Something the user plugged in (a comparator, a system) failed."""
