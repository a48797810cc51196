"""What public functions do if they are not told otherwise."""

import inspect

import pytest

import demur

USUAL = {"level": 0.95, "seed": 0, "how": "linear", "simultaneous": True}
FUNCTIONS = [
    name
    for name in demur.__all__
    if inspect.isfunction(getattr(demur, name))
    and USUAL.keys() & inspect.signature(getattr(demur, name)).parameters.keys()
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_usual_values(name: str) -> None:
    given = inspect.signature(getattr(demur, name)).parameters
    for parameter, usual in USUAL.items():
        if parameter in given and given[parameter].default is not inspect._empty:
            assert given[parameter].default in (usual, None)
