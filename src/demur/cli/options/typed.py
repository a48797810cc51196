"""What arguments of commands must look like: one function for each kind.

Functions of demur that check one are loaded when it is typed, and not before.
"""

import argparse
import os
import re
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from math import inf, isfinite, nan
from typing import Any, Final

from demur.cli.options import choices
from demur.errors import DemurError


def _checked(text: str, module: str, check: str) -> Any:
    """What a function of demur makes of an argument; its refusal is wrong usage."""
    try:
        return getattr(import_module(module), check)(text)
    except DemurError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _refused(need: str, text: str, hint: str = "") -> argparse.ArgumentTypeError:
    """What an argument must look like, and does not."""
    return argparse.ArgumentTypeError(f"must {need}; got {text!r}{hint}")


def _number(
    text: str, sound: Callable[[float], bool], need: str, hint: str = ""
) -> float:
    """A number if it is sound; what is none is NaN, which no comparison holds for."""
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not sound(value):
        raise _refused(need, text, hint)
    return value


def _whole(text: str, least: int) -> int:
    """A whole number, written in plain digits."""
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise _refused(f"be a whole number from {least} upwards", text)
    return int(text)


def seconds(text: str) -> float:
    """A time above 0."""
    need = "be seconds, above 0 and below 1,000,000"
    return _number(text, lambda value: 0 < value < 1_000_000, need)


def count(text: str) -> int:
    """A whole number from 1 upwards."""
    return _whole(text, 1)


def whole_number(text: str) -> int:
    """A whole number from 0 upwards."""
    return _whole(text, 0)


def folder(text: str) -> str:
    """A folder that can be written to, or made: that is left to who writes."""
    from pathlib import Path

    place, writable = Path(text).absolute(), False
    with suppress(OSError, ValueError):
        there = next(folder for folder in (place, *place.parents) if folder.exists())
        writable = there.is_dir() and os.access(there, os.W_OK)
    if not writable:
        raise _refused("be a folder that can be written to", text)
    return text


def new_folder(text: str) -> str:
    """A folder that is not there yet, or is empty."""
    _checked(text, "demur.files", "check_new_folder")
    return text


def comparator(text: str) -> Any:
    """A comparator with its options."""
    return _checked(text, "demur.answers", "comparator")


def chat_confidence(text: str) -> str:
    """The name of a way in which a chat says how sure it is."""
    if text not in choices.CHAT_CONFIDENCES:
        raise _refused(f"be one of {', '.join(choices.CHAT_CONFIDENCES)}", text)
    return text


def linear_score(text: str) -> str:
    """A named score by which a cutoff can be chosen, with its parameter."""
    _checked(text, "demur.decisions.linear_scores", "linear_score")
    return text


def named_score(text: str) -> str:
    """A named score of any kind, with its parameter."""
    _checked(text, "demur.comparisons.selective_scores", "named_score")
    return text


def no_answer(text: str) -> str:
    """A regular expression, or the word that stands for several."""
    _checked(text, "demur.answers.refusals", "NoAnswers")
    return text


def extraction(text: str) -> Any:
    """Steps that take answers out of responses."""
    return _checked(text, "demur.answers.extracting", "extraction")


def picture(text: str) -> str:
    """A path that ends like a picture, where one can be drawn."""
    _checked(text, "demur.plots.pens", "check_picture_ending")
    check_drawing()
    return text


def page(text: str) -> str:
    """A path that ends like a page, where one can be made."""
    if not text.endswith((".html", ".htm")):
        raise _refused("end in .html", text, " (a browser opens it by its ending)")
    return text


def check_drawing() -> None:
    """Refuse a picture before any work where none can be drawn; nothing is loaded."""
    if not draws():
        from demur.errors import MissingExtra

        raise MissingExtra("plot", "Drawing a picture")


def draws() -> bool:
    """Whether matplotlib is installed."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def target(text: str) -> str:
    """A path that ends like a table, or - for standard output."""
    if text != "-":
        _checked(text, "demur.formats.writing", "check_table_ending")
    return text


def table_file(text: str) -> str:
    """A path that ends like a table."""
    _checked(text, "demur.formats.writing", "check_table_ending")
    return text


def sheet(text: str) -> str:
    """A path that ends like a sheet for annotators."""
    _checked(text, "demur.sampling.sheets", "check_sheet_ending")
    return text


def condition(text: str) -> tuple[str, str]:
    """``COL=VALUE`` as a pair."""
    return _pair(text, "COL=VALUE")


def given(text: str) -> tuple[str, str]:
    """``MODULE=SOURCE`` as a pair."""
    module, source = _pair(text, "MODULE=SOURCE")
    if not source:
        raise _refused("read MODULE=SOURCE", text)
    return module, source


def kind_cost(text: str) -> tuple[str, float]:
    """``KIND=COST``, a kind of part and what withholding one costs."""
    kind, cost = _pair(text, "KIND=COST")
    return kind, positive(cost)


def header(text: str) -> tuple[str, str]:
    """``NAME: VALUE`` as a pair; what is none is not shown, since it may be a key."""
    name, colon, value = text.partition(":")
    if not colon or not name.strip() or not value.strip():
        raise argparse.ArgumentTypeError("must read NAME: VALUE")
    return name.strip(), value.strip()


def _pair(text: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise _refused(f"read {form}", text)
    return name, value


def _plain_number(text: str) -> str:
    """A number as Python reads it, of ``0,7`` and ``70 %`` too.

    Examples
    --------
    >>> _plain_number("0,7"), _plain_number("5 %"), _plain_number("-1.5")
    ('0.7', '0.05', '-1.5')
    """
    number = text.strip().removesuffix("%").strip()
    if re.fullmatch(r"[-+]?\d*,\d+", number):
        number = number.replace(",", ".")
    if not text.strip().endswith("%"):
        return number
    from decimal import Decimal, InvalidOperation

    with suppress(InvalidOperation):
        return str(Decimal(number) / 100)
    return text


def cutoff(text: str) -> float:
    """A confidence from which on a guess is answered: any number, also ``70 %``."""
    hint = " (such as 0.7; or never, where that is allowed)"
    return _number(_plain_number(text), isfinite, "be a number", hint)


def cutoffs(text: str) -> list[float]:
    """Cutoffs separated by commas."""
    return [cutoff(part) for part in _listed(text)]


def _listed(text: str) -> list[str]:
    """The parts of a list; none that may be one number with a decimal comma."""
    if re.fullmatch(r"\s*[-+]?\d+,\d+\s*%?\s*", text):
        point = text.strip().replace(",", ".")
        several = text.strip().replace(",", ", ")
        raise _refused("have one reading", text, f" (write {point}, or '{several}')")
    return text.split(",")


def rate(text: str) -> float:
    """A rate from 0 to 1, also as ``5 %``."""
    hint = " (rates are fractions: 0.2 is 20 %)"
    plain = _plain_number(text)
    return _number(plain, lambda value: 0 <= value <= 1, "be from 0 to 1", hint)


def level(text: str) -> float:
    """A level of confidence."""
    if not 0.5 <= rate(text) < 1:
        raise _refused("be from 0.5 to below 1", text)
    return float(_plain_number(text))


def lowest_rate(text: str) -> float:
    """A rate that serves all higher ones."""
    if "," in text:
        raise _refused("be one rate, the lowest that you will look at", text)
    return rate(text)


def rates(text: str) -> list[float]:
    """Rates separated by commas."""
    return [rate(part) for part in _listed(text)]


def rate_or_rates(text: str) -> float | list[float]:
    """A rate alone, or several separated by commas."""
    listed = rates(text)
    return listed if len(listed) > 1 else listed[0]


def weights(text: str) -> list[float]:
    """Weights of a wrong answer, separated by commas."""
    try:
        return [positive(part) for part in text.split(",")]
    except argparse.ArgumentTypeError:
        hint = " (2: a wrong answer costs as much as two not given)"
        raise _refused("be numbers above 0", text, hint) from None


def positive(text: str) -> float:
    """A number above 0, not infinite; also as a ratio, ``10:1``."""
    need = "be a number above 0"
    return _number(_ratio(text), lambda value: 0 < value < inf, need)


def cost_ratio(text: str) -> float:
    """A number from 0 upwards, not infinite; also as a ratio, ``1:10``."""
    need = "be a number from 0 upwards"
    return _number(_ratio(text), lambda value: 0 <= value < inf, need)


def _ratio(text: str) -> str:
    """A number as Python reads it, of ``10:1`` too.

    Examples
    --------
    >>> _ratio("10:1"), _ratio("1:4"), _ratio("0,5"), _ratio("1:0")
    ('10.0', '0.25', '0.5', '1:0')
    """
    first, sign, second = text.partition(":")
    with suppress(ValueError, ZeroDivisionError):
        return str(float(first) / float(second)) if sign else _plain_number(text)
    return text


def share(text: str) -> float:
    """A share between 0 and 1, neither of them."""
    if not 0 < rate(text) < 1:
        raise _refused("be inside (0, 1)", text)
    return float(_plain_number(text))


def difference(text: str) -> float:
    """A difference of two rates, above 0 and below 1."""
    if share(text) < 1e-9:
        raise _refused("be at least 1e-9", text)
    return float(_plain_number(text))


_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}


def size(text: str) -> int:
    """A number of bytes, such as 500MB or 20GiB."""
    digits = text.rstrip("kKmMgGtTiIbB ")
    unit = text[len(digits) :].strip().lower()
    if not (digits.isascii() and digits.isdigit() and int(digits)) or (
        unit not in _UNITS
    ):
        raise _refused("be a size such as 500MB or 20GiB", text)
    return int(digits) * _UNITS[unit]


def memory(text: str) -> int:
    """A number of bytes that is enough for an engine."""
    given = size(text)
    if given < 1 << 26:
        raise _refused("be at least 64MiB", text)
    return given


def record_file(text: str) -> str:
    """A path that ends like JSON Lines."""
    _checked(text, "demur.formats.writing", "check_record_ending")
    return text


def record_target(text: str) -> str:
    """A path that ends like JSON Lines, or - for standard output."""
    return text if text == "-" else record_file(text)


OF_OUTCOMES: Final = (
    *(".jsonl", ".json", ".csv", ".tsv", ".parquet", ".xlsx"),
    *(".gz", ".zst"),
)
"""How files of outcomes end; what ends so is not looked at for a sketch."""


def sketch_file(text: str) -> str:
    """Where a sketch goes, which must not look like outcomes."""
    if text.endswith(OF_OUTCOMES):
        need = "be a file that does not end like outcomes, such as part.sketch"
        raise _refused(need, text)
    return text


def blocks(text: str) -> int:
    """How many blocks of confidences there are, about."""
    return _whole(text, choices.FEWEST_BLOCKS)


def names(text: str) -> list[str]:
    """Names separated by commas."""
    names = [part.strip() for part in text.split(",")]
    if not all(names):
        raise _refused("be names with commas", text)
    return names


def region(text: str) -> tuple[float, float]:
    """``LOW:HIGH`` as a pair of rates."""
    low, _, high = text.partition(":")
    region = rate(low), rate(high)
    if not region[0] < region[1]:
        raise _refused("read LOW:HIGH", text)
    return region


def moment(text: str) -> Any:
    """A moment in UTC, to the second."""
    from demur.campaigns.moments import moment as checked_moment

    try:
        return checked_moment("now", "the moment", text)
    except DemurError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def day(text: str) -> str:
    """A UTC day."""
    return str(moment(f"{text}T00:00:00Z"))[:10]


# -- options that several commands have --------------------------------------------


def item_log(text: str) -> str:
    """A reader of logs of single answers, as it is typed."""
    return str(_checked(text, "demur.logs", "item_log"))


def column_names(text: str) -> str | dict[str, dict[str, str]]:
    """What columns are called in the files, or in each of them, as it is typed."""
    named: str | dict[str, dict[str, str]] = _checked(
        text, "demur.formats.column_mappings", "columns_typed"
    )
    return named


def parsed_gate(text: str) -> Any:
    """A gate, in the grammar that all commands share."""
    return _checked(text, "demur.results.gates", "parse_gate")


def tag(text: str) -> str:
    """A word that a run may bear, and no number."""
    checked: list[str] = _checked(text, "demur.store.run_rows", "checked_tags")
    return checked[0]


def price(text: str) -> tuple[str, float]:
    """``NAME=PRICE`` as a pair; the name may hold ``=``."""
    name, _, number = text.rpartition("=")
    if not name:
        raise _refused("read NAME=PRICE", text, " (such as small=0.01)")
    return name, cost_ratio(number)


def arrangement(text: str) -> Any:
    """An arrangement of judges."""
    return _checked(text, "demur.judge_models.arrangements", "parse_arrangement")
