"""JSON Schema: whether a value keeps to one, and where it does not."""

import json
from dataclasses import dataclass
from typing import Any, Final

from demur.answers.comparators import Match
from demur.errors import InputError, extra_module, shown

KEPT: Final = Match(1.0, "keeps to the schema", "equal")
"""What is right where any value will do that keeps to the schema."""

_LONGEST: Final = 120


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema, ready to be held against values.

    Parameters
    ----------
    validator : object
        Of the library jsonschema.
    place : str
        Where the schema was read.
    """

    validator: Any
    place: str

    def broken_by(self, value: Any) -> str:
        """Where and how a value breaks the schema; empty if it keeps to it.

        Raises
        ------
        InputError
            If the schema points to what is not within it.
        """
        errors = extra_module("jsonschema.exceptions", "schema", _PURPOSE)
        unknown = extra_module("referencing.exceptions", "schema", _PURPOSE)
        try:
            problem = errors.best_match(self.validator.iter_errors(value))
        except unknown.Unresolvable as error:
            raise _faulty(self.place, f"has no {shown(str(error.ref))}") from None
        except RecursionError:
            return "the schema: nested too deeply"
        if problem is None:
            return ""
        path = "".join(
            f"[{part}]" if isinstance(part, int) else f".{part}"
            for part in problem.absolute_path
        )
        words = " ".join(problem.message.split())
        words = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."
        return f"breaks the schema{' at ' + path if path else ''}: {words}"


_PURPOSE: Final = "a schema in references"


def schema_of(given: Any, place: str) -> Schema:
    """The schema of a reference.

    Parameters
    ----------
    given : dict or str
        An object in JSON Schema, or JSON text that holds one.
    place : str
        Where it was read, such as ``FILE:LINE``.

    Raises
    ------
    InputError
        If it is no schema.
    MissingExtra
        If the extra is not installed.
    """
    library = extra_module("jsonschema", "schema", _PURPOSE)
    registry = extra_module("referencing", "schema", _PURPOSE).Registry()
    held = given
    if isinstance(given, str):
        try:
            held = json.loads(given)
        except (ValueError, RecursionError):
            raise _faulty(place, shown(given)) from None
    if not isinstance(held, (dict, bool)):
        raise _faulty(place, shown(given))
    kind = library.validators.validator_for(held, library.Draft202012Validator)
    try:
        kind.check_schema(held)
    except library.SchemaError as problem:
        words = " ".join(problem.message.split())
        raise _faulty(place, shown(words)) from None
    # An own registry: the usual one would fetch addresses.
    return Schema(kind(held, registry=registry), place)


def _faulty(place: str, got: str) -> InputError:
    need = "be a JSON Schema that stands by itself"
    return InputError(place or "reference", "schema", need, got)
