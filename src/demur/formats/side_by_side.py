"""Tables with several systems side by side: ``correct={Bot A|Bot B} correct``.

What stands in braces are the parts of names in which the columns of two systems differ.
Each row is read once for each system.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from msgspec import UNSET

from demur.errors import InputError, shown
from demur.formats.paths import path_reader, whole_name

_WHERE: Final = "columns"
_BRACES: Final = re.compile(r"\{([^{}]*\|[^{}]*)\}")
_PATH: Final = re.compile(
    r'"[^"]*\{[^{}]*\|[^{}]*\}[^"]*"|[^(),=<>!"]*\{[^{}]*\|[^{}]*\}[^(),=<>!"]*'
)
"""A path with braces, within a form; in double quotes whatever is in it."""
_BETWEEN: Final = re.compile(r"[\s_\-.:/|()]+")
"""What stands between the name of a system and that of a field."""

Sides = dict[str, dict[str, str]]
"""Paths with braces, of each the path for every system."""


def sides_of(named: Mapping[str, str]) -> Sides:
    """The paths with braces in what is typed, each with the path of every system.

    Parameters
    ----------
    named : mapping of str to str
        What stands for each column. The systems are called as ``system`` says,
        else as the braces say that come first.

    Raises
    ------
    InputError
        If the braces do not all hold as many names, or one holds a name twice.

    Examples
    --------
    >>> sides_of({"item": "id", "correct": "{A|B} ok", "confidence": "percent({A|B})"})
    {'{A|B} ok': {'A': 'A ok', 'B': 'B ok'}, '{A|B}': {'A': 'A', 'B': 'B'}}
    """
    forms = sorted(named.items(), key=lambda one: one[0] != "system")
    paths = {
        path.strip(): _names(_BRACES.search(path)[1])  # type: ignore[index]
        for _, form in forms
        for path in _PATH.findall(form)
    }
    systems = next(iter(paths.values()), [])
    for path, names in paths.items():
        if len(names) != len(systems) or len({*names}) < len(names):
            need = (
                f"hold {len(systems)} different names between braces, as the others do"
            )
            raise InputError(_WHERE, "a path", need, shown(path))
    typed = named.get("system", "").strip()
    if paths and typed and not paths.pop(typed, None):
        need = "name the systems in braces, as other columns do"
        raise InputError(_WHERE, "system", need, shown(typed))
    return {
        path: {
            system: _BRACES.sub(lambda braces, at=at: _names(braces[1])[at], path)  # type: ignore[misc]
            for at, system in enumerate(systems)
        }
        for path in paths
    }


def _names(braces: str) -> list[str]:
    return [name.strip() for name in braces.split("|")]


def apart(
    record: Mapping[str, Any], sides: Sides, system: str = "system"
) -> Iterator[dict[str, Any]]:
    """A row as one record for each system, whose name is in the field that is named.

    Examples
    --------
    >>> row = {"id": 1, "A ok": True, "B ok": False}
    >>> [one["system"] for one in apart(row, {"{A|B} ok": {"A": "A ok", "B": "B ok"}})]
    ['A', 'B']
    """
    for name in next(iter(sides.values())):
        held = {
            whole_name(path) or path: _reader(paths[name])(record)
            for path, paths in sides.items()
        }
        yield {
            **record,
            system: name,
            **{path: value for path, value in held.items() if value is not UNSET},
        }


@cache
def _reader(path: str) -> Callable[[Mapping[str, Any]], Any]:
    """What takes the value at a path; made once, not for every row."""
    return path_reader(_WHERE, path)


def sides_within(names: Iterable[str], field_of: Callable[[str], str]) -> Sides:
    """The columns of several systems among those of a table; empty if it has one.

    Parameters
    ----------
    names : iterable of str
        The columns.
    field_of : callable
        The field that a name stands for; empty if it is none.

    Examples
    --------
    >>> names = ["id", "Bot A answer", "Bot B answer", "Bot A ok", "Bot B ok"]
    >>> fields = {"answer": "response", "ok": "correct"}
    >>> [*sides_within(names, lambda name: fields.get(name, ""))]
    ['{Bot A|Bot B} answer', '{Bot A|Bot B} ok']
    """
    listed = list(names)
    for systems in _systems(listed, field_of):
        matching: dict[str, dict[str, str]] = {}
        for name in listed:
            for system in systems:
                template = _template(name, system)
                if template:
                    matching.setdefault(template, {})[system] = name
        alike = {
            template.replace(_HOLE, f"{{{'|'.join(systems)}}}"): columns
            for template, columns in matching.items()
            if len(columns) == len(systems)
        }
        stems = (_BETWEEN.sub(" ", one.replace(_HOLE, " ")) for one in matching)
        fields = {field_of(stem.strip()) for stem in stems}
        if len(alike) > 1 and {"response", "confidence"} & fields:
            return alike
    return {}


_HOLE: Final = "\0"


def _template(name: str, system: str) -> str:
    """A name with a hole where the system stands as a word; empty if it does not."""
    word = rf"(?<![^\W_]){re.escape(system)}(?![^\W_])"
    return re.sub(word, _HOLE, name, count=1) if re.search(word, name) else ""


def _systems(
    names: Sequence[str], field_of: Callable[[str], str]
) -> Iterator[Sequence[str]]:
    """What the columns with verdicts differ in, before or behind the same words."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name in names:
        for gap in _BETWEEN.finditer(name):
            before, after = name[: gap.start()], name[gap.end() :]
            groups.setdefault(("", name[gap.start() :]), []).append(before)
            bare = after.rstrip(")]}")
            stem = name[: gap.end()], after[len(bare) :]
            groups.setdefault(stem, []).append(bare)
    for stem, systems in groups.items():
        words = _BETWEEN.sub("", "".join(stem))
        if len(systems) > 1 and all(systems) and field_of(words) == "correct":
            yield systems
