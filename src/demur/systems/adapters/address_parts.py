"""Addresses that can be spoken to, and the secrets in them."""

import ipaddress
from urllib.parse import SplitResult, urlsplit

from demur.errors import InputError, shown


def address_parts(url: str) -> SplitResult:
    """The parts of an address that can be spoken to.

    Raises
    ------
    InputError
        If it is none, or holds a user name or a password.
    """
    try:
        parts = urlsplit(url)
        proper = parts.scheme in ("http", "https") and bool(parts.hostname)
        proper = proper and parts.port != 0
    except ValueError:
        proper = False
    if not proper:
        need = "be an address such as http://host:port/path"
        raise InputError("as_system", "url", need, shown(without_secrets(url)))
    if parts.username is not None or parts.password is not None:
        need = "have no user name and no password"
        hint = "Give them as a header: addresses are shown, headers are not."
        raise InputError("as_system", "url", need, "one before the host", hint)
    return parts


def without_secrets(url: str) -> str:
    """An address, sound or not, as it may be shown: no query, no name, no password.

    Examples
    --------
    >>> without_secrets("htps://me:pw@h/ask?key=K")
    'htps://h/ask'
    """
    start, sign, rest = url.partition("?")[0].partition("://")
    host, slash, path = rest.partition("/")
    return f"{start}{sign}{host.rpartition('@')[2]}{slash}{path}"


def is_here(host: str) -> bool:
    """Whether a host is this machine.

    Examples
    --------
    >>> is_here("127.0.0.1"), is_here("localhost"), is_here("api.openai.com")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
