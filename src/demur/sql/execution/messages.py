"""Messages between the two processes: a length, then that many bytes."""

import struct
from typing import BinaryIO, Final

GRACE: Final = 2.0
"""Seconds after the time limit until a process that has not answered is killed."""

_LENGTH: Final = struct.Struct(">Q")


def write_message(stream: BinaryIO, data: bytes) -> None:
    """Send one message.

    Examples
    --------
    >>> import io
    >>> stream = io.BytesIO()
    >>> write_message(stream, b"SELECT 1")
    >>> read_message(io.BytesIO(stream.getvalue()))
    b'SELECT 1'
    """
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_message(stream: BinaryIO) -> bytes:
    """Receive one message.

    Raises
    ------
    EOFError
        If the other side is gone.
    """
    data = _exactly(stream, _LENGTH.size)
    return _exactly(stream, _LENGTH.unpack(data)[0])


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("the other process is gone")
    return data
