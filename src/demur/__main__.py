"""The process of the command line: ``demur``, or ``python -m demur``."""

import os
import signal
import sys
from typing import NoReturn


def start() -> NoReturn:
    """Run the command line, and end the process with its exit code."""
    # Until there is something to clean up, and after that, Ctrl-C just ends.
    _exit_when_interrupted(130)
    from demur.cli import main
    from demur.cli.streams import end_streams, open_streams

    if not sys.warnoptions:
        import warnings

        warnings.simplefilter("ignore")  # what concerns users is said by demur
    open_streams()
    try:
        code = main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    _exit_when_interrupted(code)
    ended = end_streams(code)
    if code > _SIGNALLED:  # Python may remember a KeyboardInterrupt of code of users
        if "demur.temporary" in sys.modules:
            sys.modules["demur.temporary"].drop_folders()
        os._exit(ended)
    sys.exit(ended)


_SIGNALLED = 128
"""Exit codes of signals are above it."""


def _exit_when_interrupted(code: int) -> None:
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as under nohup
        signal.signal(signal.SIGINT, lambda *_: os._exit(code))


if __name__ == "__main__":
    start()
