"""Images of a chat: read from a file or a data URL, and known by their first bytes."""

import base64
import binascii
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from demur.errors import InputError, shown

LARGEST_IMAGE: Final = 20 << 20  # bytes; services take no more, and many take less

_DATA: Final = re.compile(r"data:image/[\w.+-]+;base64,(.*)", re.DOTALL)
_MARKS: Final = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}


class Image(NamedTuple):
    """An image as requests hold it.

    Parameters
    ----------
    kind : str
        Such as ``image/png``.
    data : str
        Its bytes in base64.
    """

    kind: str
    data: str

    @property
    def url(self) -> str:
        """The image as a data URL."""
        return f"data:{self.kind};base64,{self.data}"


def image_of(part: dict[str, Any], where: str) -> Image:
    """The image of a part of content: its ``path``, or its ``url`` with ``data:``.

    Parameters
    ----------
    part : dict
        ``{"type": "image", "path": "a.png"}``, the same with ``url``, or
        ``{"type": "image_url", "image_url": {"url": "data:..."}}``.
    where : str
        For messages.

    Raises
    ------
    InputError
        If there is no image of a known kind.
    """
    path, url = part.get("path"), part.get("url", part.get("image_url"))
    if isinstance(url, dict):
        url = url.get("url")
    if isinstance(path, str):
        content = _of_file(path, where)
    elif isinstance(url, str):
        content = _of_url(url, where)
    else:
        need = "have a path, or a url that begins with data:"
        raise InputError(where, "an image", need, shown(part))
    if len(content) > LARGEST_IMAGE:
        need = f"have at most {LARGEST_IMAGE >> 20} MiB"
        raise InputError(where, "an image", need, shown(path or "more"))
    kinds = (kind for kind, mark in _MARKS.items() if mark.match(content))
    kind = next(kinds, None)
    if kind is None:
        need = "be a PNG, JPEG, GIF or WebP"
        raise InputError(where, "an image", need, shown(path or content[:20]))
    return Image(kind, base64.b64encode(content).decode())


def _of_file(path: str, where: str) -> bytes:
    try:
        if not Path(path).is_file():
            raise FileNotFoundError
        with Path(path).open("rb") as file:
            return file.read(LARGEST_IMAGE + 1)  # one more than may be, to see it
    except (OSError, ValueError):
        need, hint = "be a file", "Its path begins where the command runs."
        raise InputError(where, "an image", need, shown(path), hint) from None


def _of_url(url: str, where: str) -> bytes:
    match = _DATA.fullmatch(url)
    try:
        if match is not None:
            return base64.b64decode("".join(match[1].split()), validate=True)
    except binascii.Error:
        pass
    need = "be a path, or a URL such as data:image/png;base64,..."
    hint = "Keep images in files: what an address holds may change."
    raise InputError(where, "an image", need, shown(url), hint)
