"""Files of answers as they come in: copied whole, and left nowhere if they are not."""

import fcntl
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from demur.campaigns.checking import MOST_BYTES, check_plain_file
from demur.campaigns.folder import SUBMISSIONS, Campaign
from demur.errors import InputError
from demur.results import printable

_PARTS: Final = re.compile(r"\.arriving-\d+-\d+\.part")
_NUMBERED: Final = re.compile(r"(\d{4,})\.jsonl(\.gz|\.zst)?")
_PACKED: Final = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}
"""How packed files begin, and end in name."""


@dataclass(frozen=True)
class ArrivedFile:
    """A copy of what a team hands in.

    Parameters
    ----------
    path : Path
        Where it stands, under a name that nobody reads.
    sha256 : str
        Of its bytes.
    ending : str
        Of the name that it will have.
    """

    path: Path
    sha256: str
    ending: str


@contextmanager
def arrived(
    campaign: Campaign, source: str | os.PathLike[str]
) -> Iterator[ArrivedFile]:
    """A copy of a file within the campaign, gone at the end unless it was moved.

    While it is here it is locked, so that others see that somebody is at work on it.

    Raises
    ------
    InputError
        If the file cannot be read, or the copy not be written.
    """
    name = printable(os.fspath(source))
    check_plain_file(source, name)
    folder = submissions_folder(campaign)
    part, descriptor = _new_part(folder)
    try:
        digest, begins = _copied(Path(source), descriptor, name, folder)
        ending = next((e for m, e in _PACKED.items() if begins.startswith(m)), "")
        yield ArrivedFile(part, digest, f".jsonl{ending}")
    finally:
        with suppress(FileNotFoundError):  # it was moved
            part.unlink()
        os.close(descriptor)


def submissions_folder(campaign: Campaign) -> Path:
    """The folder of submissions, made if it is not there.

    Raises
    ------
    InputError
        If it is a symbolic link, or cannot be made.
    """
    folder = campaign.inside(SUBMISSIONS)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from None
    return folder


def place(arrived_file: ArrivedFile, path: Path) -> None:
    """Give a copy its name, in one step that is on disk when this returns."""
    try:
        arrived_file.path.replace(path)
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _unwritable(path, error) from None


def clear_strays(campaign: Campaign) -> list[str]:
    """Remove what killed submissions left, which no entry of the log names.

    To be called by the one who holds the lock of the log.

    Returns
    -------
    list of str
        The names of the files that were removed.
    """
    folder = submissions_folder(campaign)
    named = {submission.path.name for submission in campaign.submissions.values()}
    return [
        path.name
        for path in sorted(folder.iterdir())
        if path.name not in named and _is_stray(path) and _removed(path)
    ]


def _is_stray(path: Path) -> bool:
    if _NUMBERED.fullmatch(path.name):
        return not path.is_dir() or path.is_symlink()
    return bool(_PARTS.fullmatch(path.name)) and not _is_held(path)


def _is_held(path: Path) -> bool:
    """Whether somebody still writes a part."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _removed(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _new_part(folder: Path) -> tuple[Path, int]:
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    for number in count():
        part = folder / f".arriving-{os.getpid()}-{number}.part"
        try:
            descriptor = os.open(part, flags, 0o666)
        except FileExistsError:
            continue
        except OSError as error:
            raise _unwritable(folder, error) from None
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return part, descriptor
    raise AssertionError  # count() does not end


def _copied(
    source: Path, descriptor: int, name: str, folder: Path
) -> tuple[str, bytes]:
    """The SHA-256 of what was copied, and its first bytes."""
    digest, begins, size = hashlib.sha256(), b"", 0
    try:
        with source.open("rb") as file:
            while chunk := file.read(1 << 20):
                begins = begins or chunk[:4]
                size += len(chunk)
                if size > MOST_BYTES:
                    need = f"hold at most {MOST_BYTES >> 20} MiB"
                    raise InputError(name, "the file", need, "more")
                digest.update(chunk)
                _write(descriptor, chunk, folder)
        with _written(folder):
            os.fsync(descriptor)
    except OSError as error:
        raise _unwritable(source, error) from None
    return digest.hexdigest(), begins


def _write(descriptor: int, data: bytes, folder: Path) -> None:
    with _written(folder):
        while data:
            data = data[os.write(descriptor, data) :]


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    """What keeps the copy from being written is no fault of the file that is read."""
    try:
        yield
    except OSError as error:
        need = "have room for what is handed in, and take it"
        got, where = error.strerror or str(error), printable(str(folder))
        hint = "The disk of the campaign is meant, not the file: tell the organiser."
        raise InputError(where, "the disk", need, got, hint) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    got = error.strerror or str(error)
    need = "be there, and be readable and writable"
    return InputError(printable(str(path)), "the file", need, got)
