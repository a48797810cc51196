"""Commands in forks that get signals: how they end, and how long they take."""

import os
import signal
import time
import warnings

import demur.cli

SIGNALS = {"SIGTERM": 143, "SIGHUP": 129, "SIGINT": 130}
"""Those that end the process, with the exit codes that demur promises."""

ENDED = os.WEXITED | os.WNOHANG | os.WNOWAIT if hasattr(os, "waitid") else 0


def sent(words, name=None, after=0.0):
    """Run a command in a fork that gets a signal; how it ended, and how long.

    It comes after so many seconds, or once a callable says that it is time.
    Before demur handles signals, and afterwards, the system ends the process: what
    comes back is the signal then, less than 0.
    """
    waits = {signal.SIGINT}  # which pytest handles, until the fork does not
    signal.pthread_sigmask(signal.SIG_BLOCK, waits)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the fork does not have
        child = os.fork()
    if child:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, waits)
    else:
        code = 70
        try:
            for other in SIGNALS:  # as in a terminal, also under nohup
                signal.signal(getattr(signal, other), signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, waits)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for stream in (1, 2):
                os.dup2(nowhere, stream)
            code = demur.cli.main(words)
        finally:
            os._exit(code)  # else the child would go on as a second pytest
    begun = time.monotonic()
    if name is not None:
        if callable(after):
            while not after() and os.waitid(os.P_PID, child, ENDED) is None:
                time.sleep(0.001)
        else:
            time.sleep(after)
        os.kill(child, getattr(signal, name))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status, time.monotonic() - begun


def promised(name):
    """How a command may end that gets a signal; 0: it was too late."""
    return 0, SIGNALS[name], -getattr(signal, name)
