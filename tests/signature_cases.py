"""What tests of signatures share: each argument of a verb, changed one at a time."""

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import pytest

from demur import Result


class Calls(NamedTuple):
    """How a verb is usually called, and other values of its arguments."""

    verb: Callable[..., Result]
    usual: Mapping[str, Any]
    changes: Mapping[str, list[Any]]
    data: tuple[Any, ...] = ()
    """What it is given by place."""


def one_change_each(calls: list[Calls]) -> pytest.MarkDecorator:
    """A case for every other value: the calls, the argument, the value."""
    cases = [
        pytest.param(of, name, value, id=f"{of.verb.__name__}-{name}-{place}")
        for of in calls
        for name, values in of.changes.items()
        for place, value in enumerate(values)
    ]
    return pytest.mark.parametrize(("calls", "name", "value"), cases)


def called(calls: Calls, **changed: Any) -> Any:
    return calls.verb(*calls.data, **{**calls.usual, **changed})


def check_signatures(
    calls: Calls, name: str, value: Any, figures: Callable[[Any], str]
) -> bool:
    """Other figures have another signature, equal calls the same; whether they differ.

    Parameters
    ----------
    figures : callable
        All that a result says, without its recipe.
    """
    first, second = called(calls), called(calls, **{name: value})
    assert called(calls).signature == first.signature
    differ = figures(first) != figures(second)
    assert not differ or first.signature != second.signature
    return differ


def each_verb(calls: list[Calls]) -> pytest.MarkDecorator:
    """A case for every verb: itself, and the arguments that are tried."""
    tried: dict[Callable[..., Result], set[str]] = {}
    for of in calls:
        tried.setdefault(of.verb, set()).update(of.changes)
    names = [verb.__name__ for verb in tried]
    return pytest.mark.parametrize(("verb", "tried"), tried.items(), ids=names)


def check_all_tried(
    verb: Callable[..., Result], tried: set[str], measured: Collection[str]
) -> None:
    """Every argument is tried that is not what is measured."""
    missing = set(inspect.signature(verb).parameters) - tried - {*measured}
    assert not missing, f"{verb.__name__}: no row in CASES changes {sorted(missing)}"
