"""The list of claims in a reply of a model that has cut an answer into them."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from demur.judge_models.replies import said_texts, shortened
from demur.outcomes.records import Response
from demur.outcomes.thoughts import saying

NO_LIST: Final = "no list of claims in the judge's reply"
_CUT_OFF: Final = "the judge's list of claims was cut off"
_TOO_MANY: Final = "the judge lists more claims than the answer could hold"

_CLAIM: Final = 4
"""No claim is made of fewer signs of an answer, on average."""

_MOST_STARTS: Final = 1000
"""In so many places of a reply it is looked for a list."""

_STARTS: Final = re.compile(r"[\[{]")
_QUOTED: Final = 80


def listed_claims(response: Response, answer: str) -> tuple[str, ...] | str:
    r"""The claims that a reply lists; of a reply without a list, what is wrong.

    A list is a JSON array of texts, or one with the name "claims" in an object; of
    several the last counts. What a model thinks is none. A claim that is listed twice
    is one claim.

    Parameters
    ----------
    response : Response
        Of the model; not one that failed.
    answer : str
        What was cut.

    Returns
    -------
    tuple of str, or str

    Examples
    --------
    >>> said = 'Here they are:\n```json\n["Oslo is big.", "Oslo is old."]\n```'
    >>> listed_claims(Response(item=1, response=said), "Oslo is big and old.")
    ('Oslo is big.', 'Oslo is old.')
    >>> listed_claims(Response(item=1, response="It claims a lot."), "Oslo is big.")
    "no list of claims in the judge's reply: 'It claims a lot.'"
    """
    texts = said_texts(response)
    is_cut_off = response.kind == "truncated"
    for text in [] if is_cut_off else texts:
        spoken = saying(text).within(text)
        lists = [*filter(None, map(_texts_of, _values(spoken)))]
        if lists:
            claims = _different(lists[-1][0])
            if len(claims) > 1 + len(answer) // _CLAIM:
                return _TOO_MANY
            return claims
    reason = _CUT_OFF if is_cut_off else NO_LIST
    quoted = next((text for text in texts if text.strip()), "")
    return f"{reason}: {shortened(quoted, _QUOTED)!r}" if quoted else reason


def _values(text: str) -> Iterator[Any]:
    """The arrays and objects in a text that stand in no other."""
    decoder, at = json.JSONDecoder(strict=False), 0
    for _ in range(_MOST_STARTS):
        start = _STARTS.search(text, at)
        if start is None:
            return
        try:
            value, at = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            at = start.end()
            continue
        yield value


def _texts_of(value: Any) -> tuple[list[str]] | None:
    """The texts of a list of claims, also of none; None if it is something else."""
    if isinstance(value, dict):
        value = value.get("claims")
    if not isinstance(value, list):
        return None
    if not all(isinstance(text, str) for text in value):
        return None
    return (value,)


def _different(texts: list[str]) -> tuple[str, ...]:
    """Texts on one line each, those that are empty or listed before left out."""
    known: dict[str, str] = {}
    for text in texts:
        line = " ".join(text.encode("utf-8", "replace").decode().split())
        if line:
            known.setdefault(line.casefold(), line)
    return tuple(known.values())
