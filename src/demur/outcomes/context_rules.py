"""The rules of context under which verdicts were given: ``context`` in recipes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from demur.outcomes.fields import RULE_COLUMN as RULE_COLUMN
from demur.outcomes.gaps import is_gap

_NONE: Final = "none"
_JOINED: Final = " + "


def rules_in(values: Any) -> list[str]:
    """The rules that a column names, "none" where it is empty.

    Examples
    --------
    >>> rules_in(["excluded", None, "excluded", "alone"]), rules_in("alone")
    (['alone', 'excluded', 'none'], ['alone'])
    """
    listed: Iterable[Any] = [values] if isinstance(values, str) else values
    return sorted({_NONE if is_gap(value) else str(value) for value in listed})


def with_rule(
    recipe: Mapping[str, str] | None, groups: Mapping[str, Any]
) -> dict[str, str]:
    """A recipe with the rules of context that a table names.

    Examples
    --------
    >>> with_rule({"by": "text"}, {"context_rule": ["excluded", "alone"]})
    {'by': 'text', 'context': 'alone + excluded'}
    """
    known = dict(recipe or {})
    rules = rules_in(groups[RULE_COLUMN]) if RULE_COLUMN in groups else []
    return (
        known if rules in ([], [_NONE]) else {**known, "context": _JOINED.join(rules)}
    )


def mixed_rules(recipes: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """What to note of numbers that rest on several rules of context.

    Examples
    --------
    >>> list(mixed_rules([{"context": "alone"}, {"context": "alone"}, ]))
    []
    >>> print(*mixed_rules([{"context": "alone"}, {}]))
    verdicts under several rules of context (alone, none): questions were given ...
    """
    rules = {
        rule
        for recipe in recipes
        for rule in recipe.get("context", _NONE).split(_JOINED)
    }
    if len(rules) > 1:
        listed = ", ".join(sorted(rules))
        yield (
            f"verdicts under several rules of context ({listed}): questions were given "
            "different turns before, so numbers differ by that, too"
        )
