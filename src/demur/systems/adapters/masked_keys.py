"""Headers with keys: read from the environment, masked where a server echoes them."""

import base64
import html
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlsplit

from demur.errors import InputError, shown
from demur.systems.adapters.address_parts import is_here

MASK: Final = "[key]"

_SECRET: Final = re.compile(
    r"auth|key|token|secret|cookie|pass|pwd|sign|credential|session|\b(?:sig|code)\b",
    re.IGNORECASE,
)
_SURELY: Final = re.compile(
    r"(?:key|token|secret|auth|authorization|cookie|password|passwd|pwd|credentials?"
    r"|signature)$|^(?:sig|code)$",
    re.IGNORECASE,
)
"""Fewer names: what is masked in vain does no harm, what is refused does."""

_FROM: Final = "env:"
"""How a value begins that is read from the environment."""

_NAME: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
_VALUE: Final = re.compile(r"[\t\x20-\x7e\xa0-\xff]*")
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


def read_headers(
    url: str, headers: Mapping[str, str]
) -> tuple[dict[str, str], list[str]]:
    """Headers as they are sent, and those values that came from the environment.

    Parameters
    ----------
    url : str
        Where they are sent.
    headers : mapping of str to str
        A value ``env:NAME`` is read from the environment.

    Raises
    ------
    InputError
        If one is none, is not in the environment, or could be read by others.
    """
    sent, secrets = {}, []
    for name, given in headers.items():
        value = given
        if given.startswith(_FROM):
            variable = given.removeprefix(_FROM)
            value = os.environ.get(variable, "").strip()
            if not value:
                need, hint = "hold a header", f"Set {variable} in the environment."
                raise InputError("as_system", variable, need, "nothing", hint)
            refuse_plain(url, variable)
            secrets += [value] if len(value) >= _SHORTEST else []
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            need = "be a name and a value of one line"
            raise InputError("as_system", "a header", need, f"one called {shown(name)}")
        sent[name] = value
    for name, value in (*sent.items(), *parse_qsl(urlsplit(url).query)):
        if value and _SURELY.search(name):
            refuse_plain(url, name)
    return sent, secrets


def refuse_plain(url: str, name: str) -> None:
    """Refuse an address where others could read a key.

    Parameters
    ----------
    url : str
        Where it would be sent.
    name : str
        What holds it: a header, a parameter or a variable of the environment.

    Raises
    ------
    InputError
        If it is plain HTTP to another machine.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and not is_here(parts.hostname or ""):
        need = "be https where a key is sent"
        got = f"{parts.scheme}://{parts.hostname}"
        hint = f"Others could read {name}; a tunnel that ends on this machine is safe."
        raise InputError("as_system", "url", need, got, hint)


class MaskedKeys:
    r"""Replaces keys by ``[key]``, in each way that a server may write them.

    Those ways are as it is, escaped for JSON, an address or a page, and in base 64. Of
    keys of 16 signs or more white space and breaks may stand between any two signs, as
    they are or as ``\n`` and ``<br>``. A key that other signs part, or of which a
    server shows a piece, is not found.

    Parameters
    ----------
    secrets : iterable of str

    Examples
    --------
    >>> MaskedKeys(["sk-1234"])("status 400: Bearer sk-1234")
    'status 400: Bearer [key]'
    >>> MaskedKeys(["sk-0123456789abcdef"])("status 400: sk-0123456789\n abcdef")
    'status 400: [key]'
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = dict.fromkeys(form for secret in secrets for form in _forms(secret))
        pattern = _any_of(forms)
        self._pattern = re.compile(pattern, re.IGNORECASE)
        self._bytes = re.compile(pattern.encode(), re.IGNORECASE)
        self._any = bool(forms)
        without_blanks = ("".join(form.split()).lower() for form in forms)
        self._long = [signs for signs in without_blanks if len(signs) >= _LONG]

    def __call__(self, text: str) -> str:
        """A text without them."""
        return self._mended(self._pattern.sub(MASK, text)) if self._any else text

    def of_bytes(self, answer: bytes) -> bytes:
        """The same of bytes."""
        if not self._any:
            return answer
        masked = self._bytes.sub(MASK.encode(), answer)
        return self._mended(masked.decode("latin-1")).encode("latin-1")

    def _mended(self, text: str) -> str:
        """A text without long keys that are broken."""
        mended = _BREAK.sub("", "".join(text.split())).lower() if self._long else ""
        for key in self._long:
            if key in mended:
                parted = rf"(?:\s|{_BREAK.pattern})*".join(map(re.escape, key))
                text = re.sub(parted, MASK, text, flags=re.IGNORECASE)
        return text

    def of_value(self, value: Any) -> Any:
        """The same of all texts in a value of JSON, however they were escaped."""
        if not self._any:
            return value
        if isinstance(value, str):
            return self(value)
        if isinstance(value, list):
            return [self.of_value(part) for part in value]
        if isinstance(value, dict):
            return {self(name): self.of_value(part) for name, part in value.items()}
        return value


def _forms(secret: str) -> list[str]:
    escaped = json.dumps(secret)[1:-1]
    return [
        secret,
        *(escaped, json.dumps(secret, ensure_ascii=False)[1:-1]),
        *(escaped.replace("/", "\\/"), quote(secret, safe=""), quote(secret)),
        *(html.escape(secret), html.escape(secret, quote=False)),
        *(packed.decode() for packed in _packed(secret.encode())),
    ]


_LONG: Final = 16
"""Shorter ones, such as passwords, may be words that stand side by side."""

_BREAK: Final = re.compile(
    r"\\\\*(?:[nrtNRT]|[uU]000[9aAdD])|<[wW]?[bB][rR] */?>"
    r"|[\xad\u200b\xc2]|\xe2\x80\x8b"
)
"""Breaks that are no white space, as text and as what is left of their UTF-8."""


def _any_of(forms: Iterable[str]) -> str:
    """A pattern of all of these, the longest first."""
    return "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))


def _packed(secret: bytes) -> Iterator[bytes]:
    """A key in base 64, in both alphabets, with what fills up its end and without."""
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        whole = encode(secret)
        yield whole
        yield whole.rstrip(b"=")
