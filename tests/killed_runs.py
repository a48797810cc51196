"""Runs of commands that are killed while requests are open."""

import os
import signal
import threading
import warnings

import demur.cli


def killed(words, waits):
    """Whether a command ended by being killed, once it was where it is waited for."""
    child = begun(words)
    reached = waits()
    os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return reached and code == -signal.SIGKILL


def begun(words):
    """The process of a command, forked: what it would load is loaded."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the fork does not have
        child = os.fork()
    if not child:
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for stream in (1, 2):
                os.dup2(nowhere, stream)
            demur.cli.main(words)
        finally:
            os._exit(70)  # else the child would go on as a second pytest
    return child


class Gate:
    """Answers some requests of a round, and holds the others open until it is over."""

    def __init__(self, reply):
        self.reply, self.answered, self.held = reply, [], []
        self.left, self.changed = 0, threading.Condition()

    def __call__(self, prompt):
        with self.changed:
            if self.left:
                self.left -= 1
                self.answered.append(prompt)
                return self.reply(prompt)
            self.held.append(prompt)
            self.changed.notify_all()
            self.changed.wait_for(lambda: prompt not in self.held or self.left > 0, 60)
            return None, {}, {}  # its client is gone

    def begin(self, number):
        with self.changed:
            self.held.clear()
            self.left = number
            self.changed.notify_all()

    def wait_for_held(self, number):
        with self.changed:
            return self.changed.wait_for(lambda: len(self.held) >= number, 60)
