"""The program demur, loaded once and forked for each call: most of a call is loading.

Pages call it hundreds of times. What tests of pages hold is what commands do and say;
test_public.py and cli/test_ends.py hold how demur starts.
"""

import ast
import atexit
import gc
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

CALL = """#!{python} -IS
import os, socket, sys
there = socket.socket(socket.AF_UNIX)
there.connect({address!r})
socket.send_fds(there, [b"."], [0, 1, 2])
there.sendall(repr((os.getcwd(), dict(os.environ), sys.argv[1:])).encode())
there.shutdown(socket.SHUT_WR)
os._exit(int(there.recv(3) or 70))
"""
"""Hands streams, folder, environment and words over; ends with the code it is told."""

BESIDE = [
    *("duckdb", "jinja2", "narwhals.stable.v2", "pyarrow", "rapidfuzz", "regex"),
    *("matplotlib.backends.backend_agg", "matplotlib.figure", "scipy.stats"),
    *("sklearn.linear_model", "sqlglot", "sqlglot.optimizer"),
]
"""What commands load besides demur. Not pyplot, through which pictures were made."""


@contextmanager
def loaded_demur() -> Iterator[Path]:
    """A folder for PATH with a program ``demur`` whose modules are loaded already."""
    folder = Path(tempfile.mkdtemp())  # short, as addresses of sockets must be
    try:
        address = str(folder / "address")
        (folder / "bin").mkdir()
        program = folder / "bin" / "demur"
        program.write_text(CALL.format(python=sys.executable, address=address))
        program.chmod(0o755)
        command = [sys.executable, __file__, address]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as serving:
            assert serving.stdin
            assert serving.stdout
            assert serving.stdout.readline() == b"ready\n"
            yield folder / "bin"
            serving.stdin.close()  # it ends, as if this process did
    finally:
        shutil.rmtree(folder)


def serve(address: str) -> None:
    """Fork for each call until stdin is closed."""
    load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a fork has ended
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        os.write(1, b"ready\n")
        while True:
            ready, _, _ = select.select([0, listening], [], [])
            if 0 in ready:
                return
            call, _ = listening.accept()
            with call:
                if not os.fork():
                    listening.close()
                    answer(call)


def load() -> None:
    """All modules of demur, and those that its commands load when they need them."""
    import demur
    from demur.outcomes import refusals

    for found in pkgutil.walk_packages(demur.__path__, "demur."):
        if not found.name.endswith("__main__"):
            with suppress(ImportError):  # an extra that is not there
                import_module(found.name)
    for name in BESIDE:
        with suppress(ImportError):
            import_module(name)
    for language in refusals._LATIN:  # patterns that take a while to compile
        refusals._matcher(language)
    gc.freeze()


def answer(call: socket.socket) -> None:
    """Run what was called in a fork of its own, and tell how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(call, 1, 3)
    given = b"".join(iter(lambda: call.recv(65536), b""))
    child = os.fork()
    if not child:
        call.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        run(*ast.literal_eval(given.decode()))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    call.sendall(str(status % 256).encode())
    os._exit(0)


def run(folder: str, environment: dict[str, str], words: list[str]) -> None:
    """Be the program in this process, and end it."""
    from demur.__main__ import start

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["demur", *words]
    code = 70
    try:
        start()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    finally:
        atexit._run_exitfuncs()
        os._exit(code)


if __name__ == "__main__":
    serve(sys.argv[1])
