"""Comparators by name: what the command line types and signatures show."""

import inspect
import re
from collections.abc import Callable
from typing import Any, Final

from demur.answers.callables import Custom
from demur.answers.comparators import Comparator
from demur.answers.labels import label
from demur.answers.numerals import number
from demur.answers.sql_results import sql
from demur.answers.tabular import cas, relation
from demur.answers.texts import text
from demur.checks import choice
from demur.errors import InputError, ParseError, shown

COMPARATORS: Final[dict[str, Callable[..., Comparator]]] = {
    "label": label,
    "text": text,
    "number": number,
    "cas": cas,
    "relation": relation,
    "sql": sql,
}
"""The comparators that have a name."""

_CALL = re.compile(r"\s*([^\s()]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


def parse_comparator(name: str) -> Comparator:
    """The comparator of a name with options; the inverse of ``str``.

    Parameters
    ----------
    name : str
        ``NAME`` or ``NAME(OPTION=VALUE, ...)``.

    Returns
    -------
    Comparator

    Raises
    ------
    ParseError
        If the text is not of that form.
    InputError
        If there is no such comparator or option, naming the choices.

    Examples
    --------
    >>> parse_comparator("number( relative = 1e-2 )")
    number(relative=0.01)
    >>> parse_comparator("texts")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: by: the comparator must be one of label, text, number, cas,
    relation, sql; got 'texts'. Did you mean 'text'?
    >>> parse_comparator("text(normalize=squad)")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: text: the option must be one of normalise; got 'normalize'.
    Did you mean 'normalise'?
    """
    form = _CALL.fullmatch(name)
    if form is None:
        must = "be NAME or NAME(OPTION=VALUE, ...)"
        raise ParseError("by", "the comparator", must, shown(name))
    maker = COMPARATORS[choice("by", "the comparator", form[1], COMPARATORS)]
    return maker(
        **_options(form[1], form[2], list(inspect.signature(maker).parameters))
    )


def _options(name: str, listed: str | None, known: list[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in (listed or "").split(","):
        if not part.strip():
            continue
        option, sign, value = (piece.strip() for piece in part.partition("="))
        if not known:
            raise InputError(name, "the comparator", "be given no options", shown(part))
        choice(name, "the option", option, known)
        if not (sign and value) or option in options:
            must = "be given once, as OPTION=VALUE"
            raise ParseError(name, f"the option {option}", must, shown(listed))
        options[option] = value
    return options


def comparator(by: Any) -> Comparator:
    """What ``by`` stands for: a name, a comparator, or a user's function.

    Examples
    --------
    >>> comparator("label")
    label
    >>> comparator(lambda response, reference: response in reference)
    callable(<lambda>)

    Raises
    ------
    InputError
        If it is none of these.
    """
    if isinstance(by, str):
        return parse_comparator(by)
    if not isinstance(by, type):
        if isinstance(by, Comparator):
            return by
        if callable(by):
            return Custom(by)
    must = f"be a name ({', '.join(COMPARATORS)}), a comparator or a function"
    raise InputError("judge", "by", must, shown(by))
