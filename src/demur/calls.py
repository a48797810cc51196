"""Names with options, ``text(normalise=squad)``: as they are typed, and read again."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any, Final, TypeVar

from demur.checks import choice
from demur.errors import InputError, ParseError, shown

Made = TypeVar("Made")

_CALL: Final = re.compile(r"\s*([^\s()]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_MOST_DIGITS: Final = 28  # a tolerance of more is written with an exponent


def call_text(name: str, options: Mapping[str, object]) -> str:
    """What has a name and options as it is typed.

    Parameters
    ----------
    name : str
    options : mapping
        Those that are to be seen: usually the ones that are not the usual.

    Examples
    --------
    >>> call_text("cas", {"mode": "bag", "relative": Decimal("1E-3"), "lenient": True})
    'cas(mode=bag, relative=0.001, lenient=true)'
    >>> call_text("label", {}), call_text("acts", {"modules": ("asr", "nlu")})
    ('label', 'acts(modules=asr+nlu)')
    """
    listed = ", ".join(f"{key}={_option_text(value)}" for key, value in options.items())
    return f"{name}({listed})" if listed else name


def unusual(settings: Any) -> dict[str, Any]:
    """The fields of a dataclass that are not as usual, by name.

    Examples
    --------
    >>> from demur.answers.tables.modes import TableSettings
    >>> unusual(TableSettings(mode="bag"))
    {'mode': 'bag'}
    """
    held = ((field, getattr(settings, field.name)) for field in fields(settings))
    return {field.name: value for field, value in held if value != field.default}


def _option_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal) and abs(value.adjusted()) < _MOST_DIGITS:
        return f"{value:f}"
    # A comma would end the option, so several values are joined as `normalise` is.
    return "+".join(value) if isinstance(value, tuple) else str(value)


def parse_call(
    text: str,
    names: Iterable[str],
    maker_of: Callable[[str], Callable[..., Made]],
    *,
    where: str,
    what: str,
) -> Made:
    """Make what a name with options stands for; the inverse of `call_text`.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME(OPTION=VALUE, ...)``.
    names : iterable of str
        The names that there are.
    maker_of : callable
        From a name to what takes its options, as texts; asked for one name only, so
        that no other is loaded.
    where, what : str
        For messages: where the text stands, and what it should be.

    Raises
    ------
    ParseError
        If the text is not of that form.
    InputError
        If there is no such name or option, naming the choices.

    Examples
    --------
    >>> parse_call("int(x = 3)", ["int"], lambda name: lambda x=0: int(x),
    ...     where="here", what="a number")
    3
    """
    form = _CALL.fullmatch(text)
    if form is None:
        need = "be NAME or NAME(OPTION=VALUE, ...)"
        raise ParseError(where, what, need, shown(text))
    name, listed = form.groups()
    maker = maker_of(choice(where, what, name, names))
    known = list(inspect.signature(maker).parameters)
    options: dict[str, str] = {}
    for part in (listed or "").split(","):
        if not part.strip():
            continue
        option, sign, value = (piece.strip() for piece in part.partition("="))
        if not known:
            raise InputError(name, what, "be given no options", shown(part))
        choice(name, "the option", option, known)
        if not (sign and value) or option in options:
            need = "be given once, as OPTION=VALUE"
            raise ParseError(name, f"the option {option}", need, shown(listed))
        options[option] = value
    return maker(**options)
