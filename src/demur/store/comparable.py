"""Whether figures of two runs may stand in one line."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from demur.errors import InputError
from demur.store.kept_runs import KeptRun

_OF_READING: Final = ("where", "split", "seed")
"""Parts of a recipe that choose rows, which the data hash sees."""

_OF_VERDICTS: Final = ("log", "columns", "reference_log", "reference_columns")
"""Parts that say how files were read: verdicts of others, if demur did not judge."""

_OF_DATA: Final = ("items:", "references:")
"""How reasons begin that are about the data, not about verdicts."""

_JUDGING_COLUMNS: Final = (
    *("correct", "answered", "outcome", "credit", "confidence", "declined"),
    *("label_weight", "reason", "reason_code", "kind"),
)
"""Of columns that were read by other names: others are of the data, or of neither."""


def differences(one: KeptRun, other: KeptRun) -> list[str]:
    """Why two runs are not comparable, each in a few words; empty if they are.

    They are if the data are the same and verdicts came about in the same way: by the
    same comparator, in the same version, by the same policies.

    Examples
    --------
    >>> from datetime import datetime
    >>> old, new = (
    ...     KeptRun(number=n, when=datetime(2027, 1, n), recipe={"comparator": version})
    ...     for n, version in [(1, "cas/1"), (2, "cas/2")])
    >>> differences(old, new)
    ['comparator: cas/1 in run 1, cas/2 in run 2']
    """
    unlike = [*_data(one, other)]
    recipes = _judging(one.recipe), _judging(other.recipe)
    for name in dict.fromkeys([*recipes[0], *recipes[1]]):
        first, second = (recipe.get(name, "nothing") for recipe in recipes)
        if first != second:
            numbers = one.number, other.number
            unlike.append(
                f"{name}: {first} in run {numbers[0]}, {second} in run {numbers[1]}"
            )
    return unlike


def judged_otherwise(one: KeptRun, other: KeptRun) -> list[str]:
    """Why the verdicts of two runs are not comparable, whatever their data are.

    Examples
    --------
    >>> from datetime import datetime
    >>> old, new = (
    ...     KeptRun(number=n, when=datetime(2027, 1, n), data_hash=f"items:{n}")
    ...     for n in (1, 2))
    >>> len(differences(old, new)), judged_otherwise(old, new)
    (1, [])
    """
    if one.recipe == other.recipe:
        return []
    return not_of_data(differences(one, other))


def not_of_data(reasons: Sequence[str]) -> list[str]:
    """Of what `differences` lists that which choosing items does not mend."""
    return [text for text in reasons if not text.startswith(_OF_DATA)]


def _data(one: KeptRun, other: KeptRun) -> list[str]:
    first, second = hashes_of(one), hashes_of(other)
    numbers = f"run {one.number} and run {other.number}"
    if first.get("items") != second.get("items"):
        return [f"items: those of {numbers} differ (or answerable, weight, cluster)"]
    if first.get("references") == second.get("references"):
        return []
    bare = [run for run in (one, other) if "references" not in hashes_of(run)]
    if bare:
        return [f"references: run {bare[0].number} was kept without"]
    return [f"references: those of {numbers} differ"]


def is_judging_known(recipe: Mapping[str, str]) -> bool:
    """Whether a recipe says how the verdicts came about.

    Examples
    --------
    >>> is_judging_known({"by": "text"}), is_judging_known({"columns": "item=id"})
    (True, False)
    """
    return not {"by", "comparator", "log"}.isdisjoint(recipe)


def hashes_of(run: KeptRun) -> dict[str, str]:
    """The parts of a data hash by what they cover."""
    parts = (part.partition(":") for part in run.data_hash.split("|") if part)
    return {what: digest for what, _, digest in parts}


def _judging(recipe: Mapping[str, str]) -> dict[str, str]:
    left_out = (*_OF_READING, *(_OF_VERDICTS if "by" in recipe else ()))
    parts = {name: value for name, value in recipe.items() if name not in left_out}
    if "columns" in parts:
        parts["columns"] = _judging_columns(parts["columns"])
        if not parts["columns"]:
            del parts["columns"]
    return parts


@cache
def _judging_columns(text: str) -> str:
    """Of columns as they were typed those that verdicts and figures come from.

    Examples
    --------
    >>> _judging_columns("topic=t, correct=score >= 0.5, item=id")
    'correct=score >= 0.5'
    """
    from demur.formats.column_mappings import column_mapping, mapping_text

    try:
        named = column_mapping(text)
    except InputError:  # of several files
        return text
    return mapping_text(
        {name: named[name] for name in _JUDGING_COLUMNS if name in named}
    )
