"""Where a value stands within a record: ``output.message.content``, ``scores[0]``."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET

from demur.checks import names_shown
from demur.errors import InputError, shown

_STEP: Final = re.compile(r"([^.\[\]]+)|\[(-?\d+)\]")

_QUOTED: Final = re.compile(r'\s*"([^"]+)"\s*')
_WORDS: Final = re.compile(r"\w[\w -]*\.(?: [\w .-]*)?")
"""A name with a full stop that is no step: at its end, or before a space."""


def path_reader(where: str, path: str) -> Callable[[Mapping[str, Any]], Any]:
    """What takes the value at a path out of a record; UNSET where there is none.

    A field that is called as the whole path is written comes first. A list is entered
    by a number, in brackets or behind a dot. In double quotes stands the name of one
    field, whatever is in it.

    Parameters
    ----------
    where : str
        Who asks, for messages.
    path : str
        Names with dots between them.

    Raises
    ------
    InputError
        If it is no path.

    Examples
    --------
    >>> read = path_reader("columns", "choices[0].text")
    >>> read({"choices": [{"text": "Oslo"}]}), read({"choices": []})
    ('Oslo', UNSET)
    """
    quoted = whole_name(path)
    plain = quoted or path.strip()
    if quoted or _WORDS.fullmatch(plain):  # as "Lfd. Nr." is, which goes nowhere
        return lambda record: record.get(plain, UNSET)
    steps = _steps(path)
    whole = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in steps)
    if not steps or whole.lstrip(".") != re.sub(r"\s*\.\s*", ".", path.strip()):
        need = "be a column or a path into it, such as output.content or scores[0]"
        raise InputError(where, "a path", need, shown(path))

    def read(record: Mapping[str, Any]) -> Any:
        if plain in record:
            return record[plain]
        return _within(record, steps)

    return read


def whole_name(path: str) -> str:
    """The name of a field in double quotes; empty if it is none.

    Examples
    --------
    >>> whole_name('"Conf. [%]"'), whole_name("score")
    ('Conf. [%]', '')
    """
    quoted = _QUOTED.fullmatch(path)
    return quoted[1] if quoted else ""


def path_fields(path: str) -> tuple[str, ...]:
    """The fields of a record that a path may begin in.

    Examples
    --------
    >>> path_fields("score"), path_fields("output.text")
    (('score',), ('output.text', 'output'))
    """
    name = whole_name(path)
    return (name,) if name else tuple({path.strip(): 0, str(_steps(path)[0]): 0})


def _steps(path: str) -> list[str | int]:
    parts = _STEP.findall(path)
    return [name.strip() if name else int(number) for name, number in parts]


def _within(value: Any, steps: list[str | int]) -> Any:
    for step in steps:
        if isinstance(value, Mapping):
            value = value.get(str(step), UNSET)
        elif isinstance(value, list) and str(step).lstrip("-").isdigit():
            at = int(step)
            value = value[at] if -len(value) <= at < len(value) else UNSET
        else:
            return UNSET
    return value


def nothing_at(place: str, path: str, record: Mapping[str, Any]) -> InputError:
    """The error for a path that a record does not have, with what is there instead.

    Examples
    --------
    >>> print(nothing_at("a.json: result 1", "vars.nr", {"vars": {"id": 1, "q": ""}}))
    a.json: result 1: vars.nr must be there; got nothing. In vars stand id, q.
    """
    held: Any = record
    passed: list[str] = []
    for step in _steps(path):
        inner = _within(held, [step])
        if not isinstance(inner, (Mapping, list)):
            break
        passed.append(str(step))
        held = inner
    inside = f"In {'.'.join(passed)} stand" if passed else "There are"
    hint = ""
    if isinstance(held, Mapping) and held:
        names = (name for name, value in held.items() if value is not None)
        hint = f"{inside} {names_shown(map(str, names))}."
    return InputError(place, path, "be there", "nothing", hint)


def number_paths(record: Any, words: re.Pattern[str], before: str = "") -> list[str]:
    """The paths to numbers in a record that are called like what is sought.

    Examples
    --------
    >>> held = {"score": 1, "metadata": {"confidence": 0.9, "by": "me"}}
    >>> number_paths(held, re.compile("conf"))
    ['metadata.confidence']
    """
    paths: list[str] = []
    if not isinstance(record, Mapping):
        return paths
    for name, value in record.items():
        path = f"{before}{name}"
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if is_number and words.search(str(name)):
            paths.append(path)
        elif isinstance(value, Mapping):
            paths += number_paths(value, words, f"{path}.")
    return paths
