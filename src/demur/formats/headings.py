"""Messages about the columns that a file has, lacks, or should have."""

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Final

from demur.checks import did_you_mean, names_shown
from demur.errors import InputError, shown
from demur.outcomes.fields import also_called
from demur.results import printable

_ALIKE: Final = 0.7


def listed(names: Iterable[str]) -> str:
    """Column names for a message.

    Examples
    --------
    >>> listed(["item", "outcome"])
    'item, outcome'
    """
    return names_shown(map(printable, names)) or "none"


def lacking_columns(
    where: str,
    needed: Iterable[Sequence[str]],
    present: Iterable[str],
    *,
    kind: str = "response",
) -> InputError:
    """The error for a record or a file that lacks columns.

    Parameters
    ----------
    where : str
        File, or file and line.
    needed : iterable of sequences of str
        Of each, one column is needed and none is there.
    present : iterable of str
        The columns that are there.
    kind : {"response", "reference"}
        What the records are.

    Examples
    --------
    >>> needed = [["item"], ["outcome", "correct"]]
    >>> print(lacking_columns("a.csv", needed, ["id", "text"]))
    a.csv: the columns must include item, and outcome or correct; got id, text.
    Is 'id' what is called item here? Type --columns 'item=id, correct=COLUMN'.
    """
    names, choices = list(present), list(needed)
    need = "include " + ", and ".join(" or ".join(choice) for choice in choices)
    hint = "".join(_namesake(choice, names) for choice in choices[:1])
    hint = hint or "Rename the column that holds it, or add one."
    proposed = _proposed(choices, names, _MAPPED[kind])
    option = "--reference-columns" if kind == "reference" else "--columns"
    hint += f" Type {option} '{proposed}'." if proposed else ""
    return InputError(where, "the columns", need, listed(names), hint)


_MAPPED: Final = {
    "response": ("item", "response", "correct", "confidence", "reference"),
    "reference": ("item", "reference"),
}
"""The fields that are proposed, of responses and outcomes and of references."""
_TRUE: Final = ("score", "accuracy")
_SIMPLE: Final = re.compile(r"[\w .-]+")


def _proposed(
    choices: Sequence[Sequence[str]], names: Sequence[str], mapped: Sequence[str]
) -> str:
    """The whole mapping from the columns that are there; empty if none is known.

    Examples
    --------
    >>> needed = [["item"], ["outcome", "correct"]]
    >>> _proposed(needed, ["custom_id", "Antwort", "score"], _MAPPED["response"])
    'item=custom_id, response=Antwort, correct=score >= 0.5'
    """
    needed = {
        ("correct" if "correct" in choice else choice[0]): choice for choice in choices
    }
    left = [name for name in names if _SIMPLE.fullmatch(name)]
    parts: dict[str, str] = {}
    for field in mapped:
        if field in names or (field == "correct" and "outcome" in names):
            continue
        known = [
            also
            for also in also_called(field)
            if field == "correct" or also not in _TRUE
        ]
        meant = [name for also in known for name in left if name.lower() == also]
        if meant:
            left.remove(meant[0])
            is_score = field == "correct" and meant[0].lower() in _TRUE
            parts[field] = f"{meant[0]} >= 0.5" if is_score else meant[0]
    if not parts:
        return ""
    for field in needed:
        if field not in parts:
            parts[field] = "row()" if field == "item" else "COLUMN"
    order = [*mapped, *needed]
    return ", ".join(f"{f}={parts[f]}" for f in dict.fromkeys(order) if f in parts)


def _namesake(wanted: Sequence[str], names: Sequence[str]) -> str:
    for name in wanted:
        known = [other for other in names if other.lower() in also_called(name)]
        near = known or difflib.get_close_matches(name, names, n=1, cutoff=_ALIKE)
        if near:
            return f"Is {shown(near[0])} what is called {name} here?"
    return ""


def absent(place: str, name: str) -> InputError:
    """The error for a record without a field that other records have."""
    need = "be present in every record"
    need += ", null for no answer" if name == "correct" else ""
    hint = "Add it here, or leave it out of all records."
    return InputError(place, name, need, "none", hint)


def unknown(where: str, what: str, name: str, present: Iterable[str]) -> InputError:
    """The error for a column that was asked for by name and is not there.

    Examples
    --------
    >>> print(unknown("a.csv", "where", "promt", ["item", "prompt"]))
    a.csv: where must name columns of the file; got 'promt'.
    Its columns are item, prompt. Did you mean 'prompt'?
    """
    names = list(present)
    hint = f"Its columns are {listed(names)}. {did_you_mean(name, names)}"
    need, got = "name columns of the file", shown(name)
    return InputError(where, what, need, got, hint.rstrip())
