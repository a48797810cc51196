"""Files written whole: others see the old content or the new one, never a part."""

import errno
import os
import shutil
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

from demur.errors import InputError
from demur.results import printable

MOST_READ_WHOLE = 16 << 20
"""More bytes have no configs, instructions and scripts, which are read whole."""


def small_file(path: str | os.PathLike[str]) -> bytes:
    """What a file holds that people write by hand; a device gives no end of it.

    Raises
    ------
    OSError
        If it cannot be read.
    InputError
        If it holds too much.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.toml").write_text("repeats = 1")
    ...     small_file(Path(folder, "a.toml"))
    b'repeats = 1'
    """
    with Path(path).open("rb") as file:
        content = file.read(MOST_READ_WHOLE + 1)
    if len(content) > MOST_READ_WHOLE:
        need, hint = f"hold at most {MOST_READ_WHOLE >> 20} MiB", "Is it the right one?"
        raise InputError(os.fspath(path), "the file", need, "more", hint)
    return content


def is_database(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a database of DuckDB, which holds tables.

    Examples
    --------
    >>> is_database("answers.csv")
    False
    """
    try:
        if not Path(path).is_file():  # a pipe would wait for somebody who writes
            return False
        with Path(path).open("rb") as file:
            return file.read(12)[8:] == _DATABASE
    except (OSError, ValueError):
        return False


_DATABASE = b"DUCK"
"""How databases of DuckDB begin, behind a checksum."""


@contextmanager
def new_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file that takes the place of another once it is complete.

    Until then it stands beside it under a name of its own. A symbolic link stays, and
    what it leads to is replaced; the mode of the file stays. Devices and pipes are
    written to as they are; a named pipe needs a reader within ten seconds.

    Parameters
    ----------
    path : str or path
        Of the file.

    Raises
    ------
    InputError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.txt")
    ...     with new_file(path) as file:
    ...         written = file.write(b"new")
    ...         before = path.exists()
    ...     before, path.read_bytes()
    (False, b'new')
    """
    with new_files([path]) as (file,):
        yield file


@contextmanager
def new_files(paths: Sequence[str | os.PathLike[str]]) -> Iterator[list[IO[bytes]]]:
    """Files that take their places together: all of them or none.

    Parameters
    ----------
    paths : sequence of str or path
        Of different files.

    Raises
    ------
    InputError
        If one of them cannot be written.
    """
    with ExitStack() as closing:
        targets = [_Target(Path(path), closing) for path in paths]
        with _saying(" and ".join(target.name for target in targets)):
            yield [target.file for target in targets]
            for target in targets:
                target.finish()
            _replace_all(targets)


def check_new_folder(path: str | os.PathLike[str]) -> None:
    """Refuse a folder that holds something, or has none to lie in.

    Raises
    ------
    InputError
        Also if it is a file, or cannot be looked at.

    Examples
    --------
    >>> check_new_folder("no/such")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: no/such: the folder must lie in a directory that exists;
    got no.
    """
    target, name = Path(path), printable(os.fspath(path))
    with _saying(name):
        try:
            taken = any(target.iterdir())
        except FileNotFoundError:
            taken = target.is_symlink()  # one that leads nowhere
        except ValueError:  # NUL
            taken = True
    if taken:
        need, hint = "be new, or empty", "Name another, or remove it."
        raise InputError(name, "the folder", need, "one that holds files", hint)
    lies_in, need = target.absolute().parent, ""
    if not lies_in.is_dir():
        need = "lie in a directory that exists"
    elif not os.access(lies_in, os.W_OK):
        need = "lie in a directory that can be written to"
    if need:
        raise InputError(name, "the folder", need, printable(str(target.parent)))


@contextmanager
def new_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A folder that is there once it is complete; until then it has another name.

    Parameters
    ----------
    path : str or path
        Not there yet, or an empty folder.

    Yields
    ------
    Path
        Where to write what it will hold.

    Raises
    ------
    InputError
        If it holds something, or cannot be made.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "new")
    ...     with new_folder(path) as inside:
    ...         _ = (inside / "a.txt").write_text("new")
    ...         before = path.exists()
    ...     before, (path / "a.txt").read_text()
    (False, 'new')
    """
    check_new_folder(path)
    name, real = printable(os.fspath(path)), Path(os.path.realpath(path))
    part = real.with_name(f".demur-{os.getpid()}-{real.name}.part")
    try:
        with _saying(name):
            part.mkdir()
            yield part
            for file in part.rglob("*"):
                if file.is_file():
                    with file.open("rb") as written:
                        os.fsync(written.fileno())
            part.replace(real)
    finally:
        shutil.rmtree(part, ignore_errors=True)


@contextmanager
def _saying(name: str, folder: Path | None = None) -> Iterator[None]:
    """What the system refuses, as an error that names the file."""
    try:
        yield
    except OSError as error:
        got = error.strerror or str(error)
        absent = folder is not None and not folder.is_dir()
        hint = f"There is no directory {printable(str(folder))}." if absent else ""
        raise InputError(name, "the file", "be writable", got, hint) from None


class _Target:
    """What is written, and where it will go."""

    def __init__(self, path: Path, closing: ExitStack) -> None:
        self.name = printable(str(path))
        self.real = Path(os.path.realpath(path))
        self.part: Path | None = None
        closing.callback(self._clean)
        with _saying(self.name, self.real.parent):
            mode = self._mode()
            if mode is None or stat.S_ISREG(mode):
                file: IO[bytes] = os.fdopen(self._exclusive(mode), "wb")
            elif stat.S_ISFIFO(mode):
                file = _opened_pipe(self.real, self.name)
            else:
                file = self.real.open("wb")
        closing.callback(_closed, file)
        self.file = file

    def _mode(self) -> int | None:
        try:
            return self.real.stat().st_mode
        except FileNotFoundError:
            return None

    def _exclusive(self, mode: int | None) -> int:
        """Open a part that was not there before, with the mode of the old file."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        for number in count():
            # Named first, so that it is removed whenever an interrupt comes.
            self.part = self.real.with_name(f".demur-{os.getpid()}-{number}.part")
            try:
                # Nobody else may read a part before it has the mode of the old file.
                descriptor = os.open(self.part, flags, 0o666 if mode is None else 0o600)
            except FileExistsError:
                self.part = None
                continue
            if mode is not None:
                with suppress(OSError):  # some file systems have no modes
                    self.part.chmod(stat.S_IMODE(mode))
            return descriptor
        raise AssertionError  # count() does not end

    def finish(self) -> None:
        """Everything on disk."""
        self.file.flush()
        if self.part is not None:
            os.fsync(self.file.fileno())
        self.file.close()

    def _clean(self) -> None:
        if self.part is not None:
            with suppress(OSError):
                self.part.unlink()


_WAITED = 10.0
"""Seconds until a pipe that nobody reads is given up."""


def _opened_pipe(path: Path, name: str) -> IO[bytes]:
    """A named pipe, once somebody has opened it for reading."""
    ends = time.monotonic() + _WAITED
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError as error:
            if error.errno != errno.ENXIO:  # what it is without a reader
                raise
        if time.monotonic() > ends:
            need, got = "be read", f"no reader within {_WAITED:g} seconds"
            hint = "It is a named pipe: start the program that reads it."
            raise InputError(name, "the pipe", need, got, hint)
        time.sleep(0.02)
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "wb")


def _closed(file: IO[bytes]) -> None:
    with suppress(OSError):  # a full disk has been said
        file.close()


def _replace_all(targets: Sequence[_Target]) -> None:
    """Put all files in place; if one cannot be, those before it are put back."""
    placed: list[tuple[Path, Path | None]] = []
    kept: list[Path] = []
    try:
        for target in targets:
            if target.part is None:
                continue
            if len(targets) > 1:  # one alone is placed in one step, or not at all
                there = target.real.exists()
                former = _second_name(target.real, kept) if there else None
                placed.append((target.real, former))
            target.part.replace(target.real)
    except BaseException:
        _put_back(placed)
        raise
    finally:
        try:
            _remove(kept)
        except KeyboardInterrupt:  # of several signals only the first one raises
            _remove(kept)
            raise


def _remove(paths: Sequence[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _second_name(path: Path, kept: list[Path]) -> Path:
    """A second name for a file, so that it can be put back; it is added to a list."""
    for number in count():
        name = path.with_name(f".demur-{os.getpid()}-{number}.old")
        kept.append(name)  # first, so that it is removed whenever an interrupt comes
        try:
            name.hardlink_to(path)
        except FileExistsError:
            kept.remove(name)
            continue
        except OSError:  # some file systems have no links
            shutil.copy2(path, name)
        return name
    raise AssertionError  # count() does not end


def _put_back(placed: Sequence[tuple[Path, Path | None]]) -> None:
    for real, former in placed:
        if former is None:
            real.unlink(missing_ok=True)
        else:
            former.replace(real)
