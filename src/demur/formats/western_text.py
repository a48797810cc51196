"""Text that is not ASCII: UTF-8, or an encoding of Western Europe from before it."""

import codecs
import re
from typing import Final

_PIECE: Final = 1 << 20

_IN_UTF8: Final = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")
_OTHER_SCRIPT: Final = re.compile(rb"[\xc0-\xff]{4}")
_UNUSUAL: Final = re.compile(rb"[\x81\x8d\x8f\x90\x9d\xac\xa6\xb6\xd7\xf7]")


def legacy_text(block: bytes) -> str | None:
    """Text in Windows-1252, which is Latin-1 and more; None if it is hardly that.

    UTF-8 that is damaged, other scripts (whose letters stand side by side), and bytes
    that texts of Western languages do not have, are not taken for it.

    Examples
    --------
    >>> legacy_text("größer".encode("cp1252")), legacy_text("больше".encode("cp1251"))
    ('größer', None)
    """
    if any(p.search(block) for p in (_IN_UTF8, _OTHER_SCRIPT, _UNUSUAL)):
        return None
    return block.decode("cp1252")


def decode_in_pieces(data: bytes) -> None:
    """Raise as ``data.decode()`` does, without making a text of its size.

    Raises
    ------
    UnicodeDecodeError
        If it is no UTF-8.

    Examples
    --------
    >>> decode_in_pieces("Øst".encode())
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for at in range(0, len(data), _PIECE):
            decoder.decode(data[at : at + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        data.decode()  # which says where in the whole
        raise
