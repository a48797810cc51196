"""What arguments of the command line must look like; loads modules when used."""

import argparse
from typing import Any


def _checked(text: str, module: str, check: str) -> Any:
    """What a function of demur makes of an argument; its refusal is wrong usage."""
    from importlib import import_module

    from demur.errors import DemurError

    try:
        return getattr(import_module(module), check)(text)
    except DemurError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def gate(text: str) -> Any:
    """A gate, parsed."""
    return _checked(text, "demur.gates", "parse_gate")


def worse(text: str) -> Any:
    """A gate on a comparison, parsed."""
    return _checked(text, "demur.gates", "parse_worse")


def comparator(text: str) -> Any:
    """A comparator with its options."""
    return _checked(text, "demur.answers", "comparator")


def picture(text: str) -> str:
    """A path that ends like a picture."""
    _checked(text, "demur.plots", "check_ending")
    return text


def target(text: str) -> str:
    """A path that ends like a table, or - for standard output."""
    if text != "-":
        _checked(text, "demur.formats.writing", "check_ending")
    return text


def condition(text: str) -> tuple[str, str]:
    """``COL=VALUE`` as a pair."""
    column, equals, value = text.partition("=")
    if not equals or not column:
        raise argparse.ArgumentTypeError(f"must read COL=VALUE; got {text!r}")
    return column, value


def rate(text: str) -> float:
    """A rate from 0 to 1."""
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        hint = "rates are fractions: 0.2 is 20 %"
        raise argparse.ArgumentTypeError(f"must be from 0 to 1; got {text!r} ({hint})")
    return rate


def level(text: str) -> float:
    """A level of confidence."""
    level = rate(text)
    if not 0.5 <= level < 1:
        raise argparse.ArgumentTypeError(f"must be from 0.5 to below 1; got {text!r}")
    return level


def seed(text: str) -> int:
    """A seed of random draws."""
    try:
        seed = int(text)
    except ValueError:
        seed = -1
    if seed < 0:
        must = f"must be a whole number from 0 upwards; got {text!r}"
        raise argparse.ArgumentTypeError(must)
    return seed


def rates(text: str) -> list[float]:
    """Rates separated by commas."""
    return [rate(part) for part in text.split(",")]


def region(text: str) -> tuple[float, float]:
    """``LOW:HIGH`` as a pair of rates."""
    low, _, high = text.partition(":")
    region = rate(low), rate(high)
    if not region[0] < region[1]:
        raise argparse.ArgumentTypeError(f"must read LOW:HIGH; got {text!r}")
    return region
