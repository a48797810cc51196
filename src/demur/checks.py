"""Checks of arguments; each raises `demur.InputError` with what to do."""

import difflib
import warnings
from collections.abc import Callable, Iterable, Mapping, Set
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from inspect import signature
from math import ceil, inf, isnan
from numbers import Integral, Real
from os import PathLike
from pathlib import PurePath
from typing import Any, Final, ParamSpec, TypeVar

from demur.errors import InputError, shown

_LISTED = 20  # of more names a message has the first
BY_KEY = "pandas.Series(values) of all of them are joined by their keys."
_LONGEST = 60  # characters of a name in a message
_ROWS = 3  # numbers of rows in a message


def choice(where: str, what: str, value: object, choices: Iterable[str]) -> str:
    """``value`` if it is one of ``choices``; else an error that names the nearest.

    Examples
    --------
    >>> import demur.checks
    >>> demur.checks.choice("at", "how", "linear", ["linear", "at_most"])
    'linear'
    >>> demur.checks.choice("at", "how", "linaer", ["linear", "at_most"])
    Traceback (most recent call last):
    ...
    demur.errors.InputError: at: how must be one of linear, at_most; got 'linaer'.
    Did you mean 'linear'?
    """
    known = list(choices)
    if isinstance(value, str) and value in known:
        return value
    raise not_a_choice(where, what, value, known)


def not_a_choice(where: str, what: str, value: object, known: list[str]) -> InputError:
    """The error that names the choices, and the nearest one.

    Examples
    --------
    >>> str(not_a_choice("at", "how", "linaer", ["linear", "at_most"]))[-22:]
    "Did you mean 'linear'?"
    """
    hint = did_you_mean(value, known) or "Choose one of these."
    if not known:
        return InputError(where, what, "be there", shown(value), "There is none.")
    need = f"be one of {names_shown(known)}"
    return InputError(where, what, need, shown(value), hint)


def did_you_mean(value: object, known: Iterable[str]) -> str:
    """A hint at the name that is nearest to a wrong one; empty if none is near."""
    near = difflib.get_close_matches(str(value), list(known), n=1)
    return f"Did you mean {shown(near[0])}?" if near else ""


def names_shown(names: Iterable[Any]) -> str:
    """Names for a message, the first of many, each in short.

    Examples
    --------
    >>> names_shown(["ref", "hyp"])
    'ref, hyp'
    >>> names_shown(range(100))[-17:]
    '8, 19 and 80 more'
    """
    known = list(names)
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    texts = (str(name) for name in known[:_LISTED])
    short = (t if len(t) <= _LONGEST else f"{t[:_LONGEST]}..." for t in texts)
    return ", ".join(short) + more


def decimal_fraction(where: str, what: str, value: Any) -> Fraction:
    """A rate in [0, 1], read as the decimal it prints as.

    ``0.07`` is 7/100 here, not the nearest binary number, so that counts compare
    exactly: ``0.07 * 100`` is not 7 in floating point.

    Examples
    --------
    >>> decimal_fraction("at", "nonreturn", 0.07)
    Fraction(7, 100)
    """
    if type(value) is float and 0 <= value <= 1:  # read faster by Decimal than Fraction
        return Fraction(*Decimal(repr(value)).as_integer_ratio())
    try:
        exact = value if isinstance(value, Fraction) else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if isinstance(value, bool) or not 0 <= exact <= 1:
        hint = "Rates are fractions: write 0.2 for 20 %."
        raise InputError(where, what, "be a number from 0 to 1", shown(value), hint)
    return exact


def rows_shown(rows: Iterable[int]) -> str:
    """A few row numbers for a message.

    Examples
    --------
    >>> rows_shown([3, 17, 40, 41, 42])
    'rows 3, 17, 40 and 2 more'
    >>> rows_shown([3])
    'row 3'
    """
    listed = [int(row) for row in rows]
    text = ", ".join(map(str, listed[:_ROWS]))
    more = f" and {len(listed) - _ROWS} more" if len(listed) > _ROWS else ""
    return f"{'row' if len(listed) == 1 else 'rows'} {text}{more}"


def inner_fraction(where: str, what: str, value: Any) -> Fraction:
    """As `decimal_fraction`, but neither 0 nor 1.

    Examples
    --------
    >>> inner_fraction("choose", "certainty", 0.95)
    Fraction(19, 20)
    """
    exact = decimal_fraction(where, what, value)
    if exact in (0, 1):
        raise InputError(where, what, "be above 0 and below 1", shown(value))
    return exact


# -- kinds of arguments ------------------------------------------------------------

_MAKERS: Final = {
    "Agreement": "demur.agreement(annotations) makes one.",
    "Calibration": "demur.calibration_of(outcomes) makes one.",
    "CasAnswer": "demur.parse_cas(text) makes one.",
    "Choice": "demur.choose(outcomes, ...) makes one.",
    "Contrast": "demur.contrast(curve) makes one.",
    "CorrectedCurve": "demur.corrected_curve(outcomes, gold) makes one.",
    "Curve": "demur.error_return(outcomes) makes one.",
    "Difficulty": "demur.difficulty(tokens, markable=..., value=...) makes one.",
    "DifferenceBand": "demur.difference_band(a, b) makes one.",
    "Lock": "demur.lock(outcomes, choice) makes one, demur.read_lock(path) reads one.",
    "Outcomes": "demur.Outcomes.from_arrays and demur.judge make one.",
    "NgramModel": "demur.ngram_model(texts) makes one, demur.read_arpa reads one.",
    "Pipeline": "demur.Pipeline(modules) makes one, demur.read_pipeline reads one.",
    "PipelineEvaluation": "demur.evaluate_pipeline makes one.",
    "Scalability": "demur.scalability(versions) makes one.",
    "System": "demur.as_system(obj) makes one of what answers.",
    "Stipulation": "demur.read_stipulations(path) reads them.",
    "TargetDialogue": "demur.read_dialogues(path) reads them.",
    "WordErrors": "demur.word_errors(hypotheses=..., references=...) makes one.",
}
"""Which verb makes what other verbs take, by the name of the class."""
_PATHS: Final = (str, PurePath)


def of_kind(where: str, what: str, value: object, *kinds: type) -> None:
    """Refuse an argument of another kind, with the verb that makes what is needed.

    Parameters
    ----------
    where, what : str
        The verb, and its argument.
    value : object
        What was given.
    *kinds : type
        What it may be.

    Raises
    ------
    InputError
        If it is none of these.

    Examples
    --------
    >>> from demur.outcomes.table import Outcomes
    >>> of_kind("halves", "outcomes", "a.csv", Outcomes)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: halves: outcomes must be an Outcomes table; got 'a.csv'.
    demur.read_outcomes(path) reads files.
    """
    if not isinstance(value, kinds):
        names = [kind.__name__ for kind in kinds]
        need = f"be {' or '.join(map(with_article, names))}"
        raise InputError(where, what, need, _kind_shown(value), _way(names[0], value))


def all_of_kind(
    where: str, what: str, values: Any, *kinds: type, alone: bool = False
) -> list[Any]:
    """Several values, each of some kind, in a list; else an error as of `of_kind`.

    Parameters
    ----------
    where, what : str
    values : iterable
    *kinds : type
    alone : bool
        Whether one that stands in no list will do.

    Examples
    --------
    >>> all_of_kind("price_list", "curves", 3, int)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: price_list: curves must be in a list; got 3. Write [...]
    around it.
    """
    if isinstance(values, kinds):
        if alone:
            return [values]
        got, hint = _kind_shown(values), "Write [...] around it."
        raise InputError(where, what, "be in a list", got, hint)
    if not _is_series(values):
        of_kind(where, what, values, *kinds)
    listed = list(values)
    for value in listed:
        of_kind(where, f"each of {what}", value, *kinds)
    return listed


def with_article(name: str) -> str:
    """The name of a class in a sentence.

    Examples
    --------
    >>> with_article("Outcomes"), with_article("Curve")
    ('an Outcomes table', 'a Curve')
    """
    name = {"Outcomes": "Outcomes table"}.get(name, name)
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _kind_shown(value: object) -> str:
    """A plain value as it stands, of all else the name of its class."""
    if isinstance(value, _PATHS):
        return shown(str(value))
    plain = value is None or isinstance(value, (bool, int, float))
    return shown(value) if plain else type(value).__name__


def _way(name: str, value: Any) -> str:
    """How to get what is needed from what was given."""
    given = type(value).__name__
    if isinstance(value, (list, tuple)) and value and type(value[0]).__name__ == name:
        return "Give one of them."
    if name == "Outcomes":
        if isinstance(value, _PATHS):
            return "demur.read_outcomes(path) reads files."
        if given == "Curve":
            return "Give the outcomes that the curve was made of."
        if _is_frame(value):
            return "demur.Outcomes.from_frame(df) makes one of a dataframe."
    return _MAKERS.get(name, "")


def _is_frame(value: object) -> bool:
    """Whether it is a dataframe of any library, by what all of them can."""
    shared = ("__dataframe__", "__arrow_c_stream__", "__narwhals_dataframe__")
    return hasattr(type(value), "columns") and any(
        hasattr(type(value), name) for name in shared
    )


def _is_series(value: object) -> bool:
    """Whether it gives values one by one, each of which counts for itself."""
    apart = isinstance(value, (str, bytes, Mapping)) or _is_frame(value)
    return isinstance(value, Iterable) and not apart


def series(where: str, what: str, values: object, hint: str = "") -> None:
    """Refuse what does not give values one by one: text, mappings, dataframes, numbers.

    Examples
    --------
    >>> series("judge", "responses", 3)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: judge: responses must be a list; got 3.
    """
    if _is_series(values):
        return
    if _is_frame(values):
        hint = "Of a pandas dataframe df.to_dict('records') makes records."
    alone = "Write [...] around a text that stands alone."
    others: dict[type, str] = {str: alone, bytes: alone, dict: BY_KEY}
    hint = hint or others.get(type(values), "")
    raise InputError(where, what, "be a list", _kind_shown(values), hint)


def listed(where: str, what: str, values: Any, hint: str = "") -> list[Any]:
    """The values of what passes `series`, as a list.

    Examples
    --------
    >>> listed("lint", "references", iter("ab"))
    ['a', 'b']
    """
    series(where, what, values, hint)
    return list(values)


def in_order(where: str, what: str, values: Any) -> Any:
    """The values of what passes `series` and has an order, which sets have not.

    Examples
    --------
    >>> in_order("word_errors", "references", {"a", "b"})
    Traceback (most recent call last):
    ...
    demur.errors.InputError: word_errors: references must be a list; got set. A set has
    no order.
    """
    series(where, what, values)
    if isinstance(values, Set):
        hint = "A set has no order."
        raise InputError(where, what, "be a list", _kind_shown(values), hint)
    if len(shape := getattr(values, "shape", ())) > 1:
        need, got = "be a list, of one dimension", f"an array of shape {tuple(shape)}"
        hint = "array.ravel() flattens a column; probabilities.argmax(axis=1) decides."
        raise InputError(where, what, need, got, hint)
    return values


def names(where: str, what: str, value: Any) -> list[str]:
    """One name, or several, as a list.

    Examples
    --------
    >>> names("score", "by", "domain"), names("score", "by", ("domain", "speaker"))
    (['domain'], ['domain', 'speaker'])
    """
    given = [value] if isinstance(value, str) else value
    if not _is_series(given) or not all(isinstance(name, str) for name in given):
        raise InputError(where, what, "be a name, or a list of names", shown(value))
    return list(given)


def text(where: str, what: str, value: object, hint: str = "") -> None:
    """Refuse what is no text.

    Examples
    --------
    >>> text("parse_cas", "text", "((1 2))")
    """
    if not isinstance(value, str):
        raise InputError(where, what, "be a text", _kind_shown(value), hint)


def truth(where: str, what: str, value: object) -> None:
    """Refuse what is neither True nor False, such as the text "no"."""
    if not isinstance(value, bool):
        raise InputError(where, what, "be True or False", shown(value))


def filled(where: str, what: str, value: object, hint: str = "") -> None:
    """Refuse what is no text, or a blank one."""
    if not (isinstance(value, str) and value.strip()):
        raise InputError(where, what, "be a text, not empty", shown(value), hint)


def texts(where: str, what: str, values: Any) -> list[str]:
    """Several texts, in a list.

    Examples
    --------
    >>> texts("out_of_vocabulary", "vocabulary", ("the", "day"))
    ['the', 'day']
    """
    given = listed(where, what, values)
    for value in given:
        text(where, f"each of {what}", value)
    return given


def path(where: str, value: object, what: str = "path") -> None:
    """Refuse what names no file, or no folder.

    Examples
    --------
    >>> path("read_lock", "a.json")
    """
    if not isinstance(value, (str, PathLike)):
        raise InputError(where, what, "be a path", _kind_shown(value))


def function(where: str, what: str, value: object) -> None:
    """Refuse what cannot be called, if it is there.

    Examples
    --------
    >>> function("run", "progress", print)
    """
    if value is not None and not callable(value):
        raise InputError(where, what, "be a function", _kind_shown(value))


def number(
    where: str, what: str, value: Any, low: float = -inf, high: float = inf
) -> None:
    """Refuse what is no number, or outside the range that is meant.

    Examples
    --------
    >>> number("lift", "accuracy", 0.5, 0, 1)
    >>> number("lift", "accuracy", "high", 0, 1)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: lift: accuracy must be a number from 0 to 1; got 'high'.
    """
    if _is_number(value) and low <= value <= high:
        return
    bounds = f" from {low:g}" if low > -inf else ""
    bounds += f" to {high:g}" if high < inf else ""
    hint = f"Give its {what}." if hasattr(value, what) else ""
    raise InputError(where, what, f"be a number{bounds}", shown(value), hint)


def _is_number(value: Any) -> bool:
    """Whether it is a number, none that a float cannot hold and not NaN."""
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        return False
    try:
        return not isnan(value)
    except (OverflowError, ValueError):
        return False


def whole(where: str, what: str, value: Any, least: int = 0) -> None:
    """Refuse what is no whole number, or less than the least.

    Examples
    --------
    >>> whole("halves", "seed", -1)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: halves: seed must be a whole number from 0; got -1.
    """
    plain = isinstance(value, Integral) and not isinstance(value, bool)
    if not plain or value < least:
        need = f"be a whole number from {least}"
        raise InputError(where, what, need, shown(value))


def pair(where: str, what: str, value: Any) -> tuple[Any, Any]:
    """Two numbers, the ends of a range.

    Examples
    --------
    >>> pair("interval", "between", 0.2)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: interval: between must be two numbers, such as (0.1, 0.3);
    got 0.2.
    """
    both = value if isinstance(value, (list, tuple)) else ()
    if len(both) != 2:
        need = "be two numbers, such as (0.1, 0.3)"
        raise InputError(where, what, need, shown(value))
    return both[0], both[1]


def mapping(where: str, what: str, value: object) -> None:
    """Refuse what is no mapping of names to values.

    Examples
    --------
    >>> mapping("score", "leave_out", {"status": "failed"})
    """
    if not isinstance(value, Mapping):
        need = "be a mapping, such as {'name': ...}"
        raise InputError(where, what, need, _kind_shown(value))


def numbers(where: str, what: str, values: Any) -> Any:
    """Several numbers, an array as it is, anything else in a list.

    Examples
    --------
    >>> numbers("holm", "p_values", "high")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: holm: p_values must be a list; got 'high'. Write [...]
    around a text that stands alone.
    """
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    if kind in ("i", "u", "f") and getattr(values, "ndim", None) == 1:
        if kind == "f" and (values != values).any():
            raise InputError(where, what, "be numbers", "NaN")
        return values
    given = listed(where, what, values)
    for value in given:
        number(where, f"each of {what}", value)
    return given


P = ParamSpec("P")
R = TypeVar("R")


def renamed(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Take arguments under their old names too, with a `DeprecationWarning`.

    Parameters
    ----------
    **names
        Old name = new name.

    Examples
    --------
    >>> @renamed(groups="by")
    ... def cut(by): return by
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as warned:
    ...     warnings.simplefilter("always")
    ...     cut(groups="topic")
    'topic'
    >>> str(warned[0].message)
    'cut: groups is called by now; demur 0.2 will not take the old way'
    """
    return by_name(**names)


def by_name(*places: str, **names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Take by position too what is by name now, with a `DeprecationWarning`.

    Parameters
    ----------
    *places
        What was taken by position, in the old order. One argument alone still is the
        table of a verb that begins with ``table``.
    **names
        Old name = new name, as for `renamed`.

    Examples
    --------
    >>> @by_name("reference", "response")
    ... def told(*, response, reference): return f"{response} for {reference}"
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as warned:
    ...     warnings.simplefilter("always")
    ...     told("Rome", "Oslo")
    'Oslo for Rome'
    >>> str(warned[0].message)
    'told: reference, response are by name now; demur 0.2 will not take the old way'
    """

    def wrap(verb: Callable[P, R]) -> Callable[P, R]:
        parameters = signature(verb).parameters
        fixed = [n for n, it in parameters.items() if it.kind is not it.KEYWORD_ONLY]

        @wraps(verb)
        def called(*args: Any, **options: Any) -> R:
            for old in names.keys() & options.keys():
                if names[old] not in options:
                    _warn_of_old(verb, f"{old} is called {names[old]} now")
                    options[names[old]] = options.pop(old)
            moved = [name for name in places[: len(args)] if name not in fixed]
            is_table = fixed[:1] == ["table"] and len(args) == 1
            if moved and not (is_table and options.keys().isdisjoint(places)):
                sides = [name for name in places if name not in fixed]
                _warn_of_old(verb, f"{', '.join(sides)} are by name now")
                by_place = dict(zip(places, args, strict=False))
                return verb(*args[len(places) :], **by_place, **options)
            return verb(*args, **options)

        return called

    return wrap


def _warn_of_old(verb: Callable[..., Any], text: str) -> None:
    text = f"{verb.__name__}: {text}; demur 0.2 will not take the old way"
    warnings.warn(text, DeprecationWarning, stacklevel=3)


def check_level(where: str, level: Any) -> None:
    """Raise `InputError` if a level makes no sense."""
    real = isinstance(level, Real) and not isinstance(level, bool)
    if not real or not 0.5 <= level < 1:
        hint = "It is the share of intervals that hold the truth: 0.95."
        raise InputError(where, "level", "be from 0.5 to below 1", shown(level), hint)


def check_recipe(where: str, level: Any, replicates: int | None) -> None:
    """Raise `InputError` if a level, or a number of replicates, makes no sense."""
    check_level(where, level)
    if replicates is None:
        return
    whole(where, "replicates", replicates, 1)
    least = ceil(2 / (1 - level)) - 1
    if replicates < least:
        need = f"be at least {least} for a level of {level:g}"
        raise InputError(where, "replicates", need, shown(replicates))
