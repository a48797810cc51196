"""demur: judging language systems that may decline to answer.

The public names stand in ``__init__.pyi``, each once; here they are looked up when they
are first used, so that importing demur is cheap.
"""

import sys
from collections.abc import Callable
from functools import cache
from types import ModuleType

from demur.version import __version__ as __version__


@cache
def _homes() -> dict[str, tuple[str, str]]:
    """Of each public name its section in the documentation, and where it comes from."""
    homes, section = {}, ""
    with open(f"{__file__}i", encoding="utf-8") as file:  # noqa: PTH123  (pathlib: 5 ms)
        text = file.read()
    for line in text.replace("(\n    ", "").splitlines():  # long names take two lines
        words = line.split()
        if words[:2] == ["#", "--"]:
            section = " ".join(words[2:])
        elif words[:1] == ["from"]:
            homes[words[3]] = section, words[1]
    return homes


def __getattr__(name: str) -> object:
    if name == "__all__":
        return sorted(_homes())
    if name.startswith("__") or name not in _homes():
        raise AttributeError(f"module 'demur' has no attribute {name!r}")
    from importlib import import_module

    home = _homes()[name][1]
    if home == "demur":
        return import_module(f"demur.{name}")
    room = import_module(home)
    return (
        getattr(room, name) if hasattr(room, name) else import_module(f"{home}.{name}")
    )


class _Demur(ModuleType):
    """The package; a verb is not hidden by a room of its name, such as agreement."""

    def __setattr__(self, name: str, value: object) -> None:
        # Importing a room would set it as an attribute here.
        if isinstance(value, ModuleType) and name in _homes():
            return
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        # A function of a notebook that names demur goes to other processes with it.
        from importlib import import_module

        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = _Demur


def __dir__() -> list[str]:
    return sorted(_homes())
