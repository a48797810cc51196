"""The streams of the process, its signals, and what is printed, one function each."""

import argparse
import contextlib
import io
import math
import signal
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import demur.cli
from builders import refuses, run
from demur.cli import Interrupts, as_json, check_no_empty, reader_may_go
from demur.cli import orderly_ends as ends
from demur.cli.shared import WrongUsage, check_outputs, same_file
from demur.cli.streams import Messages, end_streams


class Broken(io.StringIO):
    """A stream that cannot be written to."""

    def __init__(self, problem: OSError) -> None:
        super().__init__()
        self.problem = problem

    def flush(self) -> None:
        raise self.problem


FULL, GONE = OSError(28, "No space left"), BrokenPipeError(32, "Broken pipe")


@pytest.mark.parametrize(
    ("stream", "code", "ended"),
    [
        (io.StringIO(), 0, 0),
        (io.StringIO(), 1, 1),
        (Broken(GONE), 0, 0),
        (Broken(GONE), 1, 1),
        (Broken(FULL), 0, 4),
        (Broken(FULL), 1, 1),
        (Broken(FULL), 3, 3),
    ],
)
def test_a_full_disk_hides_no_other_exit_code(stream, code, ended, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout", stream)
    assert end_streams(code) == ended
    full = isinstance(stream, Broken) and stream.problem is FULL
    told = "demur: standard output: No space left\n" if full else ""
    assert capsys.readouterr().err == told


def test_a_reader_that_has_gone_is_no_error_and_a_full_disk_is_one(monkeypatch):
    with reader_may_go(Broken(GONE)):
        pass
    full = Broken(FULL)
    for name in ("standard output", "standard error"):
        told = pytest.raises(demur.InputError, match=f"{name}: the stream must be")
        with told, reader_may_go(full):
            pass
        monkeypatch.setattr("sys.stderr", full)


def test_messages_that_cannot_be_written_are_lost():
    closed = Messages(io.BufferedWriter(io.FileIO("/dev/null", "r+")))
    assert closed.write("four") == 4
    closed.flush()

    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, _: Any) -> int:
            raise FULL

    lost = Messages(Full(), line_buffering=True, write_through=True)
    assert lost.write("four\n") == 5
    lost.flush()


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "latin-1", None])
def test_json_is_escaped_for_terminals_without_utf_8(encoding, monkeypatch):
    monkeypatch.setattr("sys.stdout", SimpleNamespace(encoding=encoding))
    plain = encoding in ("utf-8", "UTF8")
    assert as_json("é") == ('"é"' if plain else r'"\u00e9"')
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json(math.nan)


# -- signals -----------------------------------------------------------------------


def test_the_first_interrupt_raises_the_third_ends(monkeypatch):
    ended: list[int] = []
    monkeypatch.setattr("os._exit", ended.append)
    interrupts = Interrupts()
    assert interrupts.count == 0
    with pytest.raises(KeyboardInterrupt):
        interrupts(2, None)
    interrupts(2, None)
    assert (interrupts.count, ended) == (2, [])
    interrupts(2, None)
    assert (interrupts.count, ended) == (3, [130])


def test_an_interrupt_that_python_lost_is_raised_again(monkeypatch):
    raised: list[Any] = []
    monkeypatch.setattr("signal.raise_signal", raised.append)
    monkeypatch.setattr("sys.__unraisablehook__", raised.append)
    interrupts = Interrupts()
    interrupts.count = 1
    other = SimpleNamespace(exc_type=ValueError)
    interrupts.lost(other)
    assert (interrupts.count, raised) == (1, [other])
    interrupts.lost(SimpleNamespace(exc_type=KeyboardInterrupt))
    assert (interrupts.count, raised) == (0, [other, signal.SIGINT])


def handled(now: dict[int, Any], monkeypatch: pytest.MonkeyPatch) -> dict[int, Any]:
    """Which signals are handled inside, if these are handled so outside."""
    handlers = dict(now)

    def handle(number: int, handler: Any) -> Any:
        former, handlers[number] = handlers[number], handler
        return former

    monkeypatch.setattr("signal.getsignal", handlers.get)
    monkeypatch.setattr("signal.signal", handle)
    hook = sys.unraisablehook
    with ends() as interrupts:
        inside = {number for number in now if handlers[number] is not now[number]}
        assert (sys.unraisablehook == interrupts.lost) == bool(inside)
    assert handlers == now
    assert sys.unraisablehook is hook
    return inside


def test_signals_are_handled_that_are_neither_ignored_nor_handled(monkeypatch):
    three = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
    usual, ignored, mine = signal.SIG_DFL, signal.SIG_IGN, print
    for now, inside in (
        ((usual, usual, usual), set(three)),
        ((mine, mine, mine), {signal.SIGINT}),
        ((ignored, usual, ignored), {signal.SIGTERM}),
        ((ignored, ignored, usual), {signal.SIGHUP}),
        ((ignored, ignored, mine), set()),
    ):
        given = dict(zip(three, now, strict=True))
        assert handled(given, monkeypatch) == inside


@pytest.mark.parametrize(
    ("number", "code", "name"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "ended by SIGTERM"),
        (signal.SIGHUP, 129, "ended by SIGHUP"),
    ],
)
def test_a_signal_that_ends_has_its_own_code(monkeypatch, number, code, name):
    ended: list[int] = []
    monkeypatch.setattr("os._exit", ended.append)
    signals = demur.cli.Interrupts()
    with pytest.raises(KeyboardInterrupt):
        signals(number, None)
    signals(signal.SIGINT, None)  # the second does not disturb what is cleaned up
    assert not ended
    signals(signal.SIGINT, None)
    assert ended == [code] == [signals.code]
    assert signals.name == name


def test_figures_are_not_believed_where_code_of_users_caught_a_signal(
    monkeypatch, capsys
):
    def swallow(_arguments):
        with contextlib.suppress(BaseException):
            signal.raise_signal(signal.SIGTERM)
        return 0

    monkeypatch.setattr(demur.cli, "_run", swallow)
    assert demur.cli.main(["lint", "x"]) == 143
    assert capsys.readouterr().err == "demur: ended by SIGTERM\n"


@pytest.mark.parametrize("words", ["lint x", "lint --help", "lint"])
def test_a_signal_that_comes_too_late_is_not_raised(words, monkeypatch, capsys):
    restored, handle = [], signal.signal

    def late(number, handler):
        if handler == signal.SIG_DFL:  # the last moment in which demur handles it
            restored.append(number)
            signal.raise_signal(number)
        return handle(number, handler)

    monkeypatch.setattr(demur.cli, "_run", lambda _: 0)
    monkeypatch.setattr("signal.signal", late)
    with contextlib.suppress(SystemExit):
        assert demur.cli.main(words.split()) == 0
    assert signal.SIGTERM in restored
    assert "ended by" not in capsys.readouterr().err


def test_a_signal_before_the_command_begins_ends_it(monkeypatch, capsys):
    interrupts = Interrupts(deferred=True)
    interrupts(signal.SIGHUP, None)
    monkeypatch.setattr(demur.cli, "_ended", lambda *_: 0)
    assert demur.cli._guarded([], interrupts) == 129
    assert capsys.readouterr().err == "demur: ended by SIGHUP\n"
    interrupts.count = 0
    assert demur.cli._guarded([], interrupts) == 0
    interrupts(signal.SIGTERM, None)  # too late


# -- errors ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "code", "line"),
    [
        (demur.InputError("w", "x", "be y", "z"), 4, "w: x must be y; got z."),
        (WrongUsage("w", "x", "be y", "z"), 2, "w: x must be y; got z."),
        (demur.MissingExtra("plot", "Drawing"), 2, "Drawing"),
        (OSError(2, "No such file", "a.csv"), 4, "a.csv: No such file"),
        (OSError("odd"), 4, "the system: odd"),
        (MemoryError(), 4, "there is not enough memory: none left. Use fewer"),
        (MemoryError("9 GB"), 4, "there is not enough memory: 9 GB. Use fewer"),
        (ValueError("a\n b"), 3, "internal error: ValueError: a b. Run again with"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_each_error_is_a_line_and_a_code(problem, code, line, monkeypatch):
    def fails(_: Any) -> int:
        raise problem

    monkeypatch.setattr("demur.cli._run", fails)
    for debug in ([], ["--debug"]):
        ended = run("score", "o.jsonl", *debug)
        assert ended.code == code
        assert ended.out == ""
        *traced, told = ended.err.splitlines()
        assert told.startswith(f"demur: {line}")
        assert bool(traced) == (bool(debug) and code != 130)


@pytest.mark.parametrize(
    ("cause", "end"),
    [(ValueError(), "with --debug for the traceback."), (None, "the system failed")],
)
def test_an_error_of_the_users_code_is_no_internal_one(cause, end, monkeypatch):
    def fails(_: Any) -> int:
        raise demur.RunError("the system failed") from cause

    monkeypatch.setattr("demur.cli._run", fails)
    ended = run("score", "o.jsonl")
    assert ended.code == 4
    assert ended.err.rstrip().endswith(end)


def test_an_interrupt_that_a_library_made_an_error_of_is_one(monkeypatch):
    def fails(_: Any) -> int:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ValueError from None
        return 0

    monkeypatch.setattr("demur.cli._run", fails)
    former = signal.signal(signal.SIGINT, signal.default_int_handler)  # if ignored
    try:
        assert run("score", "o.jsonl") == (130, "", "demur: interrupted\n")
    finally:
        signal.signal(signal.SIGINT, former)


def test_no_option_may_be_empty_but_one():
    for name, value in (("plot", ""), ("by", ["a", ""]), ("max_size", "")):
        given = argparse.Namespace(**{name: value})
        option = f"--{name.replace('_', '-')}"
        refuses(f"score: {option} must not be empty", check_no_empty, "score", given)
    fine = {"no_answer": "", "by": ["a"], "other": [], "none": None, "zero": 0}
    check_no_empty("score", argparse.Namespace(**fine))


# -- files -------------------------------------------------------------------------


def test_outputs_are_files_of_their_own(tmp_path):
    read, other = tmp_path / "read.csv", tmp_path / "other.csv"
    read.write_text("x")
    (tmp_path / "link.csv").symlink_to(read)
    for given, need in (
        ({"-o": read}, "-o must not be a file that is read"),
        ({"-o": tmp_path / "link.csv"}, "-o must not be a file that is read"),
        ({"-o": other, "--plot": other}, "-o and --plot must go to two files"),
        ({"-o": "-", "--plot": read}, "--plot must not be a file that is read"),
        ({"-o": tmp_path}, "-o must name a file"),
        ({"-o": tmp_path / "no" / "a"}, "-o must lie in a directory that exists"),
        ({"-o": f"{other}\0"}, "-o must hold no NUL"),
    ):
        places = {option: str(path) for option, path in given.items()}
        refuses(need, check_outputs, "score", places, [None, "-", str(read)])
    fine = {"-o": str(other), "--plot": None, "--page": "-", "--lock": "-"}
    check_outputs("score", fine, [str(read), None])
    assert [same_file(*two) for two in (("a", "-"), ("-", "a"), ("a", "b/../a"))] == [
        *(False, False, True)
    ]
