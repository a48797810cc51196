"""Keys masked in what comes back from an address, where a server echoes them."""

import base64
import json
import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import parse_qsl, quote, urlsplit

MASK: Final = "[key]"

_SECRET: Final = re.compile(
    r"auth|key|token|secret|cookie|password|signature|credential", re.IGNORECASE
)
_SHORTEST: Final = 6
"""Shorter ones are found in too many words; no service gives such a key."""


def secrets_of(url: str, headers: Mapping[str, str]) -> tuple[str, ...]:
    """What must not be shown: of headers and of the query, by what they are called.

    Examples
    --------
    >>> secrets_of("http://a?key=abcdef&v=2", {"Authorization": "Bearer sk-1234"})
    ('Bearer sk-1234', 'sk-1234', 'abcdef')
    """
    secrets: list[str] = []
    query = parse_qsl(urlsplit(url).query)
    for name, value in (*headers.items(), *query):
        if _SECRET.search(name):
            secrets += [value, value.rpartition(" ")[2]]
    return tuple(dict.fromkeys(text for text in secrets if len(text) >= _SHORTEST))


class MaskedKeys:
    """Replaces keys by ``[key]``, in each way that a server may write them.

    Parameters
    ----------
    secrets : iterable of str

    Examples
    --------
    >>> MaskedKeys(["sk-1234"])("status 400: Bearer sk-1234")
    'status 400: Bearer [key]'
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = dict.fromkeys(form for secret in secrets for form in _forms(secret))
        longest_first = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))
        self._bytes = re.compile(self._pattern.pattern.encode())
        self._any = bool(longest_first)

    def __call__(self, text: str) -> str:
        """A text without them."""
        return self._pattern.sub(MASK, text) if self._any else text

    def of_bytes(self, answer: bytes) -> bytes:
        """The same of bytes."""
        return self._bytes.sub(MASK.encode(), answer) if self._any else answer


def _forms(secret: str) -> list[str]:
    escaped = json.dumps(secret)[1:-1]
    return [
        secret,
        *(escaped, json.dumps(secret, ensure_ascii=False)[1:-1]),
        *(escaped.replace("/", "\\/"), quote(secret, safe=""), quote(secret)),
        base64.b64encode(secret.encode()).decode(),
    ]
