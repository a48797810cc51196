"""Responses as outcomes that nobody has judged yet."""

from collections.abc import Iterable
from math import inf
from typing import Any, Final

from demur import checks
from demur.outcomes.fields import names_of
from demur.outcomes.reasons import FAILED
from demur.outcomes.records import Response
from demur.outcomes.table import Outcomes
from demur.outcomes.values import as_text

_SAID: Final = ("confidence", "declined", "kind", "repeat", "setting", "response")
_READ: Final = "demur.read_responses and demur.read_outcomes read files."


def unjudged(responses: Iterable[Response]) -> Outcomes:
    """Responses as outcomes: guesses are unlabelled, what is no guess unanswered.

    What could not be executed is wrong, as it is to every comparator.

    Examples
    --------
    >>> import demur
    >>> unjudged([demur.Response(item="q1", response="Oslo"),
    ...           demur.Response(item="q2")]).column("outcome").tolist()
    ['ungraded', 'unanswered']
    """
    listed = checks.listed("sample", "outcomes", responses, _READ)
    checks.all_of_kind("sample", "outcomes", listed, Response)
    table: dict[str, list[Any]] = {
        "item": [response.item for response in listed],
        "system": [response.system for response in listed],
        "outcome": [_outcome(response) for response in listed],
        "reason": [response.error or response.failed for response in listed],
        "reason_code": [_code(response) for response in listed],
    }
    for name in _SAID:
        column = [getattr(response, name) for response in listed]
        if any(value is not None for value in column):
            table[name] = column
    if "confidence" in table:  # what broke is the least sure, as when it is judged
        table["confidence"] = [_confidence(response) for response in listed]
    if "declined" in table:
        table["declined"] = [bool(response.declined) for response in listed]
    groups: dict[str, list[Any]] = {}
    for name in dict.fromkeys(name for response in listed for name in response.extra):
        column = [response.extra.get(name) for response in listed]
        known = name in names_of("outcomes")
        if known and name not in table:
            table[name] = column
        elif not known:
            groups[name] = [as_text(value) for value in column]
    return Outcomes.from_columns(table, groups=groups)


def _outcome(response: Response) -> str:
    if response.error:
        return "wrong"
    return "unanswered" if response.failed or response.response is None else "ungraded"


def _confidence(response: Response) -> float | None:
    return (
        -inf if response.error and response.confidence is None else response.confidence
    )


def _code(response: Response) -> str | None:
    if response.error:
        return "error"
    if response.failed:
        return FAILED
    return None if response.response is None else "unlabelled"
