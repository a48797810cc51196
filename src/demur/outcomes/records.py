"""What flows through demur: responses, references and verdicts, and checks of them."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur.errors import InputError, shown
from demur.outcomes import fields, values
from demur.outcomes.gaps import is_absent

_DECLINE_HINT: Final = (
    "Set answerable to false if declining is the only correct reaction. Else take the "
    "row out, and leave its responses out with unmatched=leave_out."
)


@dataclass(frozen=True, slots=True, kw_only=True)
@fields.record("response")
class Response:
    """What one system said to one item.

    Parameters
    ----------
    FIELDS
    extra : mapping
        Any further columns.
    place : str
        Where it was read, such as ``FILE:LINE``, for messages.

    Examples
    --------
    >>> import demur
    >>> demur.Response(item="q1", system="a", response="Paris", confidence=0.9).declined
    """

    item: str | int
    response: Any = None
    system: str = ""
    confidence: float | None = None
    declined: bool | None = None
    error: str | None = None
    failed: str | None = None
    kind: str | None = None
    setting: str | None = None
    repeat: str | None = None
    part: str | None = None
    ranking: Sequence[Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
@fields.record("reference")
class Reference:
    """What would be right for one item.

    Parameters
    ----------
    alternatives : tuple of (value, weight)
        Acceptable answers; the weight, in (0, 1], is the credit an answer earns. Plain
        records give them as ``reference`` or ``references``.
    FIELDS
    extra : mapping
        Any further columns.
    place : str
        Where it was read, such as ``FILE:LINE``, for messages.

    Examples
    --------
    Paris is right, France half right; the second question has no answer:

    >>> import demur
    >>> one = demur.Reference(item="q1", alternatives=(("Paris", 1.0), ("France", 0.5)))
    >>> two = demur.Reference(item="q2", answerable=False)
    >>> one.answerable, two.answerable
    (True, False)
    """

    item: str | int
    alternatives: tuple[tuple[Any, float], ...] = ()
    answerable: bool = True
    input: Any = None
    cluster: str | None = None
    weight: float | None = None
    part: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one guess.

    Parameters
    ----------
    outcome : int
        `RIGHT`, `WRONG`, `UNANSWERED` or `UNGRADED`.
    credit : float
        1 for a fully right answer, less for a weaker alternative, 0 otherwise.
    reason : str
        Why, in a few words.
    code : str, optional
        The class of the reason, such as those of `demur.outcomes.reasons.REASONS`.
    """

    outcome: int
    credit: float
    reason: str
    code: str | None = None


# -- plain records, and checks of either form ---------------------------------------


def as_response(record: Response | Mapping[str, Any], place: str) -> Response:
    """A response record, checked as far as judging depends on it.

    Parameters
    ----------
    record : Response or mapping
        Keys of a mapping that have no meaning of their own are further columns.
    place : str
        Where it comes from, if it does not say so itself.

    Raises
    ------
    InputError
        If it is neither, or a field is not what it must be.

    Examples
    --------
    >>> response = as_response({"item": 7, "response": "Oslo", "prompt": "p1"}, "row 1")
    >>> response.response, response.extra, response.place
    ('Oslo', {'prompt': 'p1'}, 'row 1')
    """
    if isinstance(record, Response):
        response = record
    else:
        given, extra = _split(record, place, "response")
        for name in ("error", "failed"):
            given[name] = values.reason(name, given.get(name), place)
        if not ("response" in given or given["error"] or given["failed"]):
            hint = "None stands for no guess."
            raise _lacking(record, place, "response", hint)
        response = Response(**given, extra=extra, place=place)
    if response.error or response.failed:
        _check_response(response, response.place or place)
    return _without_gap(response)


def _without_gap(response: Response) -> Response:
    """The same, None for another library's sign for no value, and text for no text."""
    value = response.response
    if type(value) in _AS_TEXT:
        text = values.whole_text(value)
        return response if text is value else replace(response, response=text)
    if type(value) in _PLAIN or not is_absent(value):
        return response
    return replace(response, response=None)


_PLAIN: Final = {bool, list, dict, type(None)}
_AS_TEXT: Final = {str, int}


def _check_response(response: Response, place: str) -> None:
    """What can be wrong with a response that is not a plain guess."""
    for name in ("error", "failed"):
        value = getattr(response, name)
        if not (value is None or isinstance(value, str)):
            need = "be a text that says why, or true or false"
            raise InputError(place, name, need, shown(value))
    if response.error and response.failed:
        need = "have either error (counts as wrong) or failed (counts as unanswered)"
        raise InputError(place, "a response", need, "both")


def as_reference(
    record: Reference | Mapping[str, Any], place: str, *, otherwise: bool = False
) -> Reference:
    """A reference record, checked as far as judging depends on it.

    Parameters
    ----------
    record : Reference or mapping
        A mapping has one value as ``reference``, or a list as ``references``, each a
        value or ``{"value": ..., "weight": ...}``.
    place : str
        Where it comes from, if it does not say so itself.
    otherwise : bool
        Whether the item is judged by something else than acceptable values.

    Raises
    ------
    InputError
        If it is neither, or a field is not what it must be.

    Examples
    --------
    >>> as_reference({"item": 7, "references": [
    ...     "Oslo", {"value": "Christiania", "weight": 0.5}]}, "row 1").alternatives
    (('Oslo', 1.0), ('Christiania', 0.5))
    """
    reference = record if isinstance(record, Reference) else _mapped(record, place)
    place = reference.place or place
    answerable: Any = reference.answerable
    if not isinstance(answerable, (bool, np.bool_)):
        raise InputError(place, "answerable", "be true or false", shown(answerable))
    weight = reference.weight
    if weight is not None and not (
        _is_number(weight) and fields.in_range("weight", weight)
    ):
        got, hint = shown(weight), values.NO_ZERO_HINT
        raise InputError(place, "weight", values.POSITIVE, got, hint)
    if answerable and not (otherwise and not reference.alternatives):
        _check_alternatives(reference, place)
    return reference


def plain_reference(record: Reference) -> dict[str, Any]:
    """A reference as it may stand in a file; what it does not say is left out.

    Examples
    --------
    >>> plain_reference(Reference(item=7, alternatives=(("Oslo", 1.0),)))
    {'item': 7, 'answerable': True, 'reference': 'Oslo'}
    """
    plain = ("item", "part", "input", "answerable", "cluster", "weight")
    table = {name: getattr(record, name) for name in plain}
    if len(record.alternatives) == 1 and record.alternatives[0][1] == 1:
        table["reference"] = record.alternatives[0][0]
    elif record.alternatives:
        table["references"] = [
            {"value": value, "weight": weight} for value, weight in record.alternatives
        ]
    held = {name: value for name, value in table.items() if value is not None}
    return held | dict(record.extra)


def _mapped(record: Any, place: str) -> Reference:
    given, extra = _split(record, place, "reference")
    one, several = given.pop("reference", None), given.pop("references", None)
    if one is not None and several is not None:
        need = "give either reference or references"
        raise InputError(place, "a reference record", need, "both")
    if several is None:
        alternatives: tuple[Any, ...] = () if one is None else ((one, 1.0),)
    elif isinstance(several, (list, tuple)):
        alternatives = tuple(_weighted(alternative, place) for alternative in several)
    else:
        need, got = "be a list of acceptable values", shown(several)
        raise InputError(place, "references", need, got, "For one, use `reference`.")
    if given.get("answerable", True) is None:
        del given["answerable"]
    return Reference(**given, alternatives=alternatives, extra=extra, place=place)


def _weighted(alternative: Any, place: str) -> tuple[Any, Any]:
    """An alternative as (value, weight); the weight is 1 unless it is given."""
    if not isinstance(alternative, dict) or "value" not in alternative:
        return alternative, 1.0
    other = sorted(map(str, alternative.keys() - {"value", "weight"}))
    if not other:
        return alternative["value"], alternative.get("weight", 1.0)
    # A value may itself be an object with a field "value", but hardly with a weight.
    near = difflib.get_close_matches("weight", other, n=1, cutoff=0.7)
    if near or "weight" in alternative:
        need = "have no fields but value and weight"
        raise InputError(place, "an acceptable answer", need, ", ".join(other))
    return alternative, 1.0


def _check_alternatives(reference: Reference, place: str) -> None:
    if not reference.alternatives:
        need = "give at least one acceptable value as `reference` or `references`"
        hint = "Queries are judged with --by sql." if "sql" in reference.extra else ""
        raise InputError(place, "a reference", need, "none", hint or _DECLINE_HINT)
    for alternative in reference.alternatives:
        pair: Any = alternative
        if not (isinstance(pair, tuple) and len(pair) == 2):
            need = "be a pair (value, weight)"
            raise InputError(place, "an acceptable answer", need, shown(alternative))
        value, weight = alternative
        if is_absent(value):
            need, got = "be a value", shown(value)
            raise InputError(place, "an acceptable answer", need, got, _DECLINE_HINT)
        if type(value) is int and values.whole_text(value) is not value:
            need = f"be a number of at most {values.MOST_DIGITS:,} digits"
            raise InputError(place, "an acceptable answer", need, shown(value))
        if not (_is_number(weight) and 0 < weight <= 1):
            need, got = "be above 0 and at most 1", shown(weight)
            raise InputError(place, "the weight of an alternative", need, got)


def item_text(value: Any, place: str) -> str:
    """An item's id as text.

    Examples
    --------
    >>> import demur
    >>> demur.baselines.item_text(7, "row 1"), demur.baselines.item_text("7", "row 2")
    ('7', '7')
    """
    if type(value) is str and value:
        return value
    return values.item_text("item", value, place)


def pair_name(item: str, part: str | None) -> str:
    """What an item is called, or a part of one.

    Examples
    --------
    >>> pair_name("r1", "pay"), pair_name("r1", None)
    ('r1, part pay', 'r1')
    """
    return item if part is None else f"{item}, part {part}"


def with_place(given: Any, place: str) -> tuple[str, Any]:
    """A record with where it comes from: as it says itself, else the place given.

    Examples
    --------
    >>> with_place({"item": "q1"}, "record 1"), with_place(("a.csv:2", {}), "record 2")
    (('record 1', {'item': 'q1'}), ('a.csv:2', {}))
    """
    if isinstance(given, tuple):
        return given
    return getattr(given, "place", "") or place, given


def check_once(item: str, place: str, first: dict[str, str], hint: str) -> None:
    """Refuse an item that is there already; else remember where it was listed.

    Parameters
    ----------
    item, place : str
        The item, and where it is listed now.
    first : dict of item to place
        Where each item was listed first; this one is added.
    hint : str
        What to do about an item that is listed twice.
    """
    if item in first:
        got = f"{shown(item)} again, first at {first[item]}"
        raise InputError(place, "item", "be listed once", got, hint)
    first[item] = place


def _split(record: Any, place: str, kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fields of a plain record that have a meaning, and the further ones."""
    if not isinstance(record, Mapping):
        need = f"be a {kind.capitalize()} or a mapping"
        hint = (
            f"Such as {{'item': 'q1', '{kind}': ...}}; demur.read_{kind}s reads files."
        )
        raise InputError(place, f"a {kind}", need, shown(record), hint)
    if "item" not in record:
        raise _lacking(record, place, "item")
    known = fields.names_of(kind)
    known += fields.names_of("acceptable") if kind == "reference" else ()
    return (
        {name: record[name] for name in known if name in record},
        {str(name): value for name, value in record.items() if name not in known},
    )


def _lacking(
    record: Mapping[str, Any], place: str, name: str, hint: str = ""
) -> InputError:
    got = ", ".join(map(str, record)) or "no fields"
    return InputError(place, "a record", f"have a field {name}", got, hint)


def _is_number(value: Any) -> bool:
    known = isinstance(value, (int, float, np.integer, np.floating))
    return known and not isinstance(value, bool)
