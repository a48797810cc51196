"""What stands behind the sign of a column: where its value is, and what is made of it.

A path into the record, alone or in one of these forms; there is no code in it::

    exp(logprob)  percent(sure)  number(sure)  complement(risk)  not(refused)
    thousands(votes)  first(answers)  last(answers)  text(gpt-4)  row()
    or(sure, -inf)  empty(sure, n/a)  percent("Conf. [%]")
    score >= 0.5  status == passed  cases(status, pass=right, fail=wrong)
"""

import ast
import json
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from msgspec import UNSET

from demur.checks import choice, names_shown
from demur.errors import InputError, ParseError, shown
from demur.formats.paths import path_fields, path_reader, whole_name
from demur.formats.written_cells import FLAGS
from demur.outcomes.values import as_text

Value = Callable[[Mapping[str, Any], int], Any]
"""From a record and its number to a value; UNSET where the record has none."""

Change = Callable[[Any], Any]
"""What is made of a value that is there."""

_WHERE: Final = "columns"
_CALL: Final = re.compile(r"([a-z]+)\((.*)\)", re.DOTALL)
_COMPARED: Final = re.compile(r'("[^"]+"|.+?)\s*(>=|<=|==|!=|>|<)\s*(.+)', re.DOTALL)
_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    **{">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt},
    **{"==": operator.eq, "!=": operator.ne},
}
_QUOTED: Final = re.compile(r'(?<![^\s=(,])"[^"]+"')
"""A name in double quotes, where a path may begin."""
_NUMBER: Final = re.compile(r"\s*([-+]?\d*[.,]?\d+(?:[eE][-+]?\d+)?)\s*(%?)\s*")
_AS_IT_IS: Final = ("==", "!=")
_GROUPED: Final = re.compile(
    r"\s*([-+]?\d{1,3}(?:([,.' \u00a0\u202f\u2019])\d{3}(?:\2\d{3})*)?)"
    r"(?:[.,](\d+))?\s*"
)
"""A number whose thousands stand apart, and the digits behind its point."""


def parts_of(text: str, between: str = ",") -> Iterator[str]:
    """The parts of a text between some sign, but for those in brackets or quotes."""
    depth, begins = 0, 0
    for at, sign in enumerate(_QUOTED.sub(lambda name: "_" * len(name[0]), text)):
        depth += (sign == "(") - (sign == ")")
        if sign == between and depth == 0:
            yield text[begins:at]
            begins = at + 1
    if text[begins:].strip():
        yield text[begins:]


@dataclass(frozen=True)
class Form:
    """What stands behind the sign: where a value is, and what is made of it.

    Parameters
    ----------
    taken : callable
        From a record and its number to the value there; UNSET where there is none.
    fields : tuple of str
        The fields of a record that it may be taken from.
    changes : tuple of callable
        What is made of it, in this order.
    instead : str, optional
        What stands there in the end where there is nothing.
    """

    taken: Value
    fields: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    instead: str | None = None

    def __call__(self, record: Mapping[str, Any], number: int) -> Any:
        """The value in a record, changed; nothing stays nothing."""
        held = self.taken(record, number)
        for change in self.changes:
            if held is None or held is UNSET or held == "":
                break
            held = change(held)
        return self._filled(held)

    def _filled(self, held: Any) -> Any:
        nothing = held is None or held is UNSET or held == ""
        return self.instead if nothing and self.instead is not None else held

    def column(
        self, raw: Mapping[str, Sequence[Any]], numbers: Sequence[int]
    ) -> "Held":
        """The same of many records, given as the columns that it is taken from.

        Gives the values, and of the first that cannot be read, where it is and why.
        """
        held = _taken(self, raw, numbers)
        for change in self.changes:
            held, fault = _all_changed(held, change)
            if fault is not None:
                return held, fault
        if self.instead is not None:
            held = [*map(self._filled, held)]
        return held, None


Held = tuple[Sequence[Any], tuple[int, InputError] | None]


def _taken(
    form: Form, raw: Mapping[str, Sequence[Any]], numbers: Sequence[int]
) -> Sequence[Any]:
    fields = [name for name in form.fields if name in raw]
    if len(form.fields) == 1:
        return raw[fields[0]] if fields else [UNSET] * len(numbers)
    records: Iterable[dict[str, Any]] = [{}] * len(numbers)
    if fields:
        rows = zip(*(raw[name] for name in fields), strict=True)
        records = (
            {n: v for n, v in zip(fields, row, strict=True) if v is not UNSET}
            for row in rows
        )
    return [form.taken(*each) for each in zip(records, numbers, strict=True)]


def _all_changed(values: Sequence[Any], change: Change) -> Held:
    """All values changed, each text once."""
    changed: list[Any] = []
    known: dict[str, Any] = {"": ""}
    try:
        for value in values:
            if type(value) is str:
                if value not in known:
                    known[value] = change(value)
                changed.append(known[value])
            elif value is None or value is UNSET:
                changed.append(value)
            else:
                changed.append(change(value))
    except InputError as fault:
        return changed, (len(changed), fault)
    return changed, None


def value_of(form: str) -> Form:
    """What takes the value of a form out of a record.

    Raises
    ------
    InputError
        If it is none of the forms.

    Examples
    --------
    >>> value_of("percent(sure)")({"sure": "53 %"}, 1)
    0.53
    >>> value_of("cases(status, pass=right, fail=wrong)")({"status": "fail"}, 1)
    'wrong'
    """
    if form.count("(") > _MOST_NESTED:
        need, got = f"have at most {_MOST_NESTED} brackets", str(form.count("("))
        raise InputError(_WHERE, "a form", need, got)
    call = None if whole_name(form) else _CALL.fullmatch(form)
    if call is not None:
        name, inner = call.groups()
        choice(_WHERE, "the form", name, _FORMS)
        return _FORMS[name](inner)
    compared = None if whole_name(form) else _COMPARED.fullmatch(form)
    if compared is not None:
        return _comparison(*compared.groups())
    read = path_reader(_WHERE, form)
    return Form(lambda record, _: read(record), path_fields(form))


def _of_numbers(change: Callable[[float], float]) -> Callable[[str], Form]:
    def form(inner: str) -> Form:
        return _changed(inner, lambda value: change(_number(value, inner)))

    return form


def _changed(inner: str, change: Change) -> Form:
    """The value of what stands in brackets, changed."""
    form = value_of(inner.strip())
    if form.instead is not None:
        need = "stand outside of other forms"
        raise InputError(_WHERE, "or()", need, shown(inner.strip()))
    return replace(form, changes=(*form.changes, change))


def _exponential(inner: str) -> Form:
    def change(value: Any) -> float:
        number = _number(value, inner)
        if number > _MOST_EXPONENT:
            need = f"be the logarithm of a number, at most {_MOST_EXPONENT}"
            raise InputError(_WHERE, inner.strip(), need, shown(value))
        return math.exp(number)

    return _changed(inner, change)


_MOST_EXPONENT: Final = 709


def _number(value: Any, what: str) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value != value:
            hint = "Leave it empty where there is none."
            raise InputError(_WHERE, what.strip(), "be a number", "NaN", hint)
        try:
            return float(value)
        except OverflowError:
            need, got = "be a number", "one of more digits than a number has"
            raise InputError(_WHERE, what.strip(), need, got) from None
    read = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if read is None:
        need, hint = "be a number", "Such as 0.5, 0,5 or 50 %."
        raise InputError(_WHERE, what.strip(), need, shown(value), hint)
    digits, percent = read.groups()
    return float(digits.replace(",", ".")) / (100 if percent else 1)


def _thousands(inner: str) -> Form:
    def change(value: Any) -> float:
        read = _GROUPED.fullmatch(value) if isinstance(value, str) else None
        if read is None:
            return _number(value, inner)
        whole, mark, digits = read.groups()
        return float(f"{whole.replace(mark or ',', '')}.{digits or 0}")

    return _changed(inner, change)


def _or(inner: str) -> Form:
    form, _, instead = inner.rpartition(",")
    if not (form.strip() and instead.strip()):
        need, such = "be given a column and a value", "Such as: or(sure, -inf)."
        raise InputError(_WHERE, "or()", need, shown(inner), such)
    return replace(value_of(form.strip()), instead=instead.strip())


def _empty(inner: str) -> Form:
    form, _, nothing = (part.strip() for part in inner.rpartition(","))
    if not (form and nothing):
        need, such = "be given a column and a word", "Such as: empty(sure, n/a)."
        raise InputError(_WHERE, "empty()", need, shown(inner), such)

    def change(value: Any) -> Any:
        return None if (as_text(value) or "").strip() == nothing else value

    return _changed(form, change)


def _percent(inner: str) -> Form:
    def change(value: Any) -> float:
        signed = isinstance(value, str) and "%" in value
        return _number(value, inner) / (1 if signed else 100)

    return _changed(inner, change)


def _not(inner: str) -> Form:
    def change(value: Any) -> bool:
        if isinstance(value, (list, dict)):
            return not value
        flag = flag_of(value)
        if flag is None:
            need = "be true or false, yes or no, 1 or 0"
            hint = "Or compare it: status != passed."
            raise InputError(_WHERE, inner.strip(), need, shown(value), hint)
        return not flag

    return _changed(inner, change)


def _element(at: int) -> Callable[[str], Form]:
    def change(value: Any) -> Any:
        held = _listed(value) if isinstance(value, str) else value
        if not isinstance(held, list):
            return held
        return held[at] if held else None

    return lambda inner: _changed(inner, change)


def _listed(text: str) -> Any:
    """A list that a cell holds as text, of JSON or of Python; else the text."""
    if not text.lstrip().startswith("["):
        return text
    for read, faults in (
        (json.loads, (ValueError, RecursionError)),
        (ast.literal_eval, (ValueError, SyntaxError, MemoryError, RecursionError)),
    ):
        with suppress(*faults):
            held = read(text)
            return held if isinstance(held, list) else text
    return text


def _constant(inner: str) -> Form:
    return Form(lambda record, number: inner.strip())  # noqa: ARG005


def _row(inner: str) -> Form:
    if inner.strip():
        raise InputError(_WHERE, "row()", "be given nothing", shown(inner))
    return Form(lambda record, number: number)  # noqa: ARG005


def cases_of(form: str) -> tuple[str, dict[str, str]] | None:
    """The column of ``cases(...)``, and the meaning of each word; None of other forms.

    Examples
    --------
    >>> cases_of("cases(status, pass=right, fail=wrong)")
    ('status', {'pass': 'right', 'fail': 'wrong'})
    """
    call = _CALL.fullmatch(form)
    return _column_and_cases(call[2]) if call and call[1] == "cases" else None


def _column_and_cases(inner: str) -> tuple[str, dict[str, str]]:
    path, *parts = [*parts_of(inner)] or [""]
    if not path.strip():
        need, such = "be given a column", "Such as: cases(status, pass=right)."
        raise InputError(_WHERE, "cases()", need, "none", such)
    known: dict[str, str] = {}
    for part in parts:
        value, sign, meaning = (piece.strip() for piece in part.rpartition("="))
        if not sign:
            need = "be VALUE=MEANING"
            raise ParseError(_WHERE, "a case", need, shown(part.strip()))
        known[value] = meaning
    return path, known


def _cases(inner: str) -> Form:
    path, known = _column_and_cases(inner)
    of_nothing = known.pop("", None)

    def change(value: Any) -> str | None:
        text = (as_text(value) or "").strip()
        if not text:
            return None
        if text not in known:
            need = f"be one of the cases of {path.strip()}: {names_shown(known)}"
            hint = f"Add {text}=..., or select other rows."
            raise InputError(_WHERE, path.strip(), need, shown(value), hint)
        return known[text]

    return replace(_changed(path, change), instead=of_nothing)


_FORMS: Final[Mapping[str, Callable[[str], Form]]] = {
    "exp": _exponential,
    "percent": _percent,
    "number": _of_numbers(lambda value: value),
    "thousands": _thousands,
    "or": _or,
    "empty": _empty,
    "complement": _of_numbers(lambda value: 1 - value),
    "not": _not,
    "first": _element(0),
    "last": _element(-1),
    "text": _constant,
    "row": _row,
    "cases": _cases,
}


_MOST_NESTED: Final = 20


def compared_word(form: str) -> str:
    """The word that a form compares a value to, if it stands without quotes.

    Examples
    --------
    >>> compared_word("status == passed"), compared_word("status == 'passed'")
    ('passed', '')
    """
    compared = None if whole_name(form) else _COMPARED.fullmatch(form)
    return compared[3].strip() if compared and compared[3][:1] not in "'\"" else ""


OF_TYPED: Final = ("cases(", "or(", "text(")
"""Forms that give texts which somebody typed, to be read as cells are."""


def _comparison(path: str, sign: str, limit: str) -> Form:
    compare, limit = _COMPARISONS[sign], limit.strip()
    quoted = limit[:1] in ("'", '"')
    limit = limit.strip("'\"")
    number = _number(limit, path) if _NUMBER.fullmatch(limit) else None
    flag = None if quoted else _PLAIN_FLAGS.get(limit.lower())
    if sign not in _AS_IT_IS:
        return _changed(path, _ordered(path, sign, limit, number))

    def change(value: Any) -> bool:
        if quoted or as_text(value) == limit:
            return compare(as_text(value), limit)
        if flag is not None and (held := flag_of(value)) is not None:
            return compare(held, flag)
        if number is not None and _reads_as_number(value):
            return compare(_unambiguous(value, path), number)
        return compare(as_text(value), limit)

    return _changed(path, change)


def _ordered(path: str, sign: str, limit: str, number: float | None) -> Change:
    compare = _COMPARISONS[sign]

    def change(value: Any) -> bool:
        if number is None:
            need = "be compared to a number"
            raise InputError(_WHERE, f"{path} {sign}", need, shown(limit))
        if type(value) in (int, float) and abs(value) < _EXACT:  # as most are
            return compare(value, number)
        return compare(_unambiguous(value, path), number)

    return change


_EXACT: Final = 2**53
"""Whole numbers below it are floats, too."""
_PLAIN_FLAGS: Final = {
    **dict.fromkeys(("true", "yes", "1", "1.0"), True),
    **dict.fromkeys(("false", "no", "0", "0.0"), False),
}
"""What is compared as true or false; other words are compared as words."""


def flag_of(value: Any) -> bool | None:
    """What a value says if it is true or false, in a word, as 1 or 0; else None.

    Examples
    --------
    >>> [flag_of(value) for value in (True, 0, "1.0", "Nein", "maybe", 0.5)]
    [True, False, True, False, None, None]
    """
    if isinstance(value, str):
        word = value.strip().casefold()
        known = FLAGS.get(word)
        return _PLAIN_FLAGS.get(word) if known is None else known == "true"
    if isinstance(value, (bool, int, float)) and value in (0, 1):
        return bool(value)
    return None


def _reads_as_number(value: Any) -> bool:
    """Whether it is a number, or a text of one without zeros in front, as ids have."""
    if isinstance(value, str):
        return bool(_NUMBER.fullmatch(value)) and not _PADDED.match(value)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _unambiguous(value: Any, path: str) -> float:
    """A number, but for texts such as ``1,234``, which may be two."""
    if isinstance(value, str) and _TWO_READINGS.fullmatch(value):
        need = "be a number with one reading"
        name = path.strip()
        hint = f"thousands({name}) takes it as a whole number, number({name}) does not."
        raise InputError(_WHERE, name, need, shown(value), hint)
    return _number(value, path)


_PADDED: Final = re.compile(r"\s*[-+]?0\d")
_TWO_READINGS: Final = re.compile(r"\s*[-+]?[1-9]\d{0,2},\d{3}\s*")
