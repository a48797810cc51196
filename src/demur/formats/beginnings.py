"""What a file begins with: the keys by which other tools' files are recognised."""

import re
import zipfile
from typing import IO, Final

from demur.formats.streams import BEGINNING, ZIP
from demur.outcomes.fields import FIELDS, columns

_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:,]')
_DEEPEST: Final = 3
_MOST_MEMBERS: Final = 100

_REPLY: Final = ("choices.message", "parallel_tool_calls")
_REPLIES: Final = frozenset(
    f"{field}.{key}"
    for field in ("response", "completion", "chat_completion")
    for key in _REPLY
)
"""A file of ours whose responses are what an API replied is read as a log of it."""

_OF_RAGAS: Final = {"user_input", "retrieved_contexts"}
_READ_TOO: Final = {"item", "response", "reference", "confidence", "system"}
"""Fields of ours that a table of Ragas may have, and that are read of it."""


def are_ours(keys: frozenset[str], *, begun: bool) -> bool:
    """Whether a file names items as ours do, and is not what another tool writes.

    Parameters
    ----------
    keys : frozenset of str
        As of `keys_of`.
    begun : bool
        Whether it begins as files of ours do.

    Examples
    --------
    >>> keys = ["item", "response", "response.choices.message"]
    >>> [are_ours(frozenset(some), begun=False) for some in (keys, keys[:2])]
    [False, True]
    """
    names = {key.removeprefix("column:") for key in keys}
    if names >= _OF_RAGAS and names & {*FIELDS, *columns()} <= _READ_TOO:
        return False
    replies = _REPLIES if "response" in keys else _REPLIES.union(_REPLY)
    return begun or ("item" in keys and keys.isdisjoint(replies))


def keys_of(head: bytes, file: IO[bytes] | None = None) -> frozenset[str]:
    r"""The keys of the first object of a file, as paths of up to three names.

    Of a table they are the names of its columns, after ``column:``, of a zip archive
    those of its members, after ``zip:``.

    Parameters
    ----------
    head : bytes
        What it begins with.
    file : binary file, optional
        Of a zip archive: the whole, which is read from any place.

    Examples
    --------
    >>> sorted(keys_of(b'[{"id": 1, "output": {"text": "Os'))
    ['id', 'output', 'output.text']
    >>> sorted(keys_of(b"id;answer\n1;Oslo"))
    ['column:answer', 'column:id']
    """
    if head.startswith(ZIP) and file is not None:
        return _members(file)
    if head[:1] in (b"{", b"["):
        return _json_keys(head[:BEGINNING])
    first = head[:BEGINNING].split(b"\n", 1)[0].decode("utf-8", "replace")
    cells = re.split(r"[,;\t]", first.strip("\r\ufeff"))
    names = (cell.strip().strip('"') for cell in cells)
    return frozenset(f"column:{name}" for name in names)


def _members(file: IO[bytes]) -> frozenset[str]:
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return frozenset()
    finally:
        file.seek(0)
    ends = (*names[:_MOST_MEMBERS], *names[-_MOST_MEMBERS:])
    return frozenset(f"zip:{name}" for name in ends)


def _json_keys(head: bytes) -> frozenset[str]:
    """Keys of the first object, however much of it is there; no value is read."""
    keys: set[str] = set()
    path: list[str] = []  # the key that was last met, in each object that is open
    opened: list[bytes] = []
    text = ""
    for token in _TOKEN.findall(head):
        if token[:1] == b'"':
            text = token[1:-1].decode("utf-8", "replace")
        elif token == b":" and opened[-1:] == [b"{"]:
            path[-1] = text
            if len(path) <= _DEEPEST:
                keys.add(".".join(path))
        elif token in (b"{", b"["):
            opened.append(token)
            path += [""] if token == b"{" else []
        elif token in (b"}", b"]") and opened and opened.pop() == b"{":
            path.pop()
            if not path:
                break
    return frozenset(keys)
