"""How the process ends: exit codes whatever the streams do, interrupted runs."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import demur.cli
from builders import json_lines, printed, run, stderr_of

DEMUR = f"{sys.executable} -m demur"

ROWS = [
    {
        "item": f"q{row}",
        "outcome": "wrong" if row % 3 else "right",
        "confidence": row / 20,
        "cluster": f"c{row % 4}",
        "reference": "Oslo",
        "response": "Rome",
        "input": f"Where is {row}?",
    }
    for row in range(20)
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, left_out in {
        "o": ("reference", "response", "input"),
        "g": ("outcome", "confidence", "response"),
        "r": ("outcome", "confidence", "reference", "input", "cluster"),
    }.items():
        kept = [
            {key: value for key, value in row.items() if key not in left_out}
            for row in ROWS
        ]
        text = json_lines(kept)
        Path(f"{name}.jsonl").write_text(text)
    return tmp_path


def shell(script: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", script.replace("demur", DEMUR, 1)],
        capture_output=True,
        check=False,
    )


# -- streams -----------------------------------------------------------------------

FULL = "standard output: the stream must be writable; got No space left on device."


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("script", "code", "err"),
    [
        ("demur curve o.jsonl > /dev/full", 4, FULL),
        ("demur curve o.jsonl --json > /dev/full", 4, FULL),
        ("demur --help > /dev/full", 4, FULL),
        ("demur curve --help > /dev/full", 4, FULL),
        ("demur merge g.jsonl -o - > /dev/full", 4, FULL),
        ("demur judge r.jsonl g.jsonl -o - > /dev/full", 4, FULL),
        ("demur curve o.jsonl 2> /dev/full", 0, ""),
        ("demur curve o.jsonl --fail-if 'error > 0' 2> /dev/full", 1, ""),
        ("demur curve none.jsonl 2> /dev/full", 4, ""),
        ("demur curve none.jsonl --debug 2> /dev/full", 4, ""),
        ("demur curve 2> /dev/full", 2, ""),
        ("demur merge g.jsonl -o - --json > m.jsonl 2> /dev/full", 0, ""),
        ("demur choose o.jsonl --max-error 0.9 --lock l.json 2> /dev/full", 0, ""),
        ("demur curve o.jsonl >&-", 0, ""),
        ("demur curve o.jsonl --fail-if 'error > 0' >&- 2>&-", 1, ""),
        ("demur curve none.jsonl 2>&-", 4, ""),
        ("demur curve - <&-", 4, "stdin: the file must hold at least one record"),
        ("demur judge r.jsonl g.jsonl -o o2.jsonl <&- >&- 2>&-", 0, ""),
        ("demur curve o.jsonl --debug --fail-if 'error > 0'", 1, "gate broken"),
        ("demur curve none.jsonl --debug", 4, "InputError"),
    ],
)
def test_exit_codes_do_not_depend_on_streams(script: str, code: int, err: str) -> None:
    done = shell(script)
    assert done.returncode == code, done.stderr
    assert err.encode() in done.stderr
    if "2>&-" in script:
        assert done.stdout == b""  # messages do not go there instead
    if "o2.jsonl" in script:  # nothing else got into the file
        assert len(Path("o2.jsonl").read_text().splitlines()) == len(ROWS)


def test_a_reader_that_has_gone_hides_no_gate() -> None:
    done = shell("demur curve o.jsonl --fail-if 'error > 0' | true; exit ${PIPESTATUS}")
    assert done.returncode == 1


# -- usage -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "choose o.jsonl --cost-ratio -1",
        "choose o.jsonl --cost-ratio nan",
        "choose o.jsonl --wrong-costs 0",
        "choose o.jsonl --max-error 0.1 --certainty 1",
        "choose o.jsonl --nonreturn 0.1 --of answered",
        "choose o.jsonl --max-error 0.1 --max-nonreturn 0.5",
        "choose o.jsonl --max-error 0.1 --lock o.jsonl",
        "choose o.jsonl --max-error 0.1 --lock ''",
        "choose o.jsonl --max-error 0.1 --lock no/l.json",
        "choose o.jsonl --balance --split 1",
        "compare o.jsonl o.jsonl --plan 0",
        "compare o.jsonl o.jsonl --plan 1e-320",
        "compare o.jsonl o.jsonl --plot o.jsonl.png --plot no/x.png",
        "curve o.jsonl --fail-if 'certified_error(cutoff=0.5,certainty=2) > 0.1'",
        "curve o.jsonl --fail-if 'error > 5'",
        "curve o.jsonl --fail-if 'error > 1'",
        "curve o.jsonl --fail-if 'error >= 1e999'",
        "curve o.jsonl --fail-if 'error@0.4 > 0.6'",
        "curve o.jsonl --fail-if 'error < 0'",
        "curve o.jsonl --fail-if 'wrong == 1.5'",
        "curve o.jsonl --fail-if 'wrong > 1e-999999999'",
        "curve o.jsonl --fail-if 'wrong < -1'",
        "curve o.jsonl --band sup-t",
        "curve o.jsonl --plot a.png --plot-split ./a.png",
        "curve o.jsonl --plot no/a.png",
        "curve o.jsonl --by ''",
        "curve o.jsonl --max-size 0",
        "judge r.jsonl g.jsonl -o g.jsonl",
        "judge r.jsonl g.jsonl -o no/x.jsonl",
        "judge r.jsonl g.jsonl --no-answer '('",
        "judge r.jsonl g.jsonl --timeout 3",
        "lint g.jsonl --fail-if 'uncited-meaning > 0'",
        "lint g.jsonl --fail-if 'findings > 1e999'",
        "merge g.jsonl -o g.jsonl",
        "agree g.jsonl --fail-if 'alpha < 2'",
        "agree g.jsonl --fail-if 'alpha > 1'",
        "curve o.jsonl --baseline majority",
        "curve o.jsonl --gold people --band sup-t",
        "choose o.jsonl --max-error 0.1 --gold people --lock l.json",
        "difficulty o.jsonl --markable item --value outcome --version hard",
        "difficulty o.jsonl --markable item --value outcome --words item",
        "metrics words o.jsonl -o o.jsonl",
        "metrics words g.jsonl g.jsonl --where item=q1",
        "reserve g.jsonl --by cluster --train x.jsonl --test ./x.jsonl",
        "compare o.jsonl o.jsonl --fail-if 'b not worse than a by 1'",
        "compare o.jsonl o.jsonl --fail-if 'b worse than a @1'",
    ],
)
def test_wrong_usage_is_2_before_any_output(words: str, folder: Path) -> None:
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    code, out, err = run(*shlex.split(words))
    if words.endswith("1e-999999999'"):  # a small number is a limit like another
        assert code == 1
        return
    assert (code, out) == (2, ""), err
    assert err.count("\n") == 1
    assert err.startswith("demur: ")
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before


# -- interrupted runs --------------------------------------------------------------

WRITING = {
    "judge r.jsonl g.jsonl -o out.jsonl": ["out.jsonl"],
    "judge r.jsonl g.jsonl -o out.csv.gz": ["out.csv.gz"],
    "judge r.jsonl g.jsonl -o out.parquet": ["out.parquet"],
    "choose o.jsonl --max-error 0.9 --lock lock.json": ["lock.json"],
    "curve o.jsonl --plot a.png": ["a.png"],
    "report o.jsonl -o a.html": ["a.html"],
    "merge g.jsonl -o out.jsonl": ["out.jsonl"],
    "reserve g.jsonl --by cluster --train a.jsonl --test b.jsonl": [
        *("a.jsonl", "b.jsonl")
    ],
}
OWN = ("demur/files.py", "demur/formats/writing.py", "demur/decisions/locks.py")
N_STOPS = 5


def default_interrupts() -> None:
    """Take Ctrl-C as a terminal gives it: in the background it is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def stopped(words: str, at: int | None, stop: Callable[[], None]) -> tuple[int, int]:
    """Run a command in a fork, stopped at a line of what writes; lines, and status."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the fork does not have
        child = os.fork()
    if not child:
        count = 0

        def traced(frame: Any, event: str, _: Any) -> Any:
            nonlocal count
            if not frame.f_code.co_filename.endswith(OWN):
                return None
            if event == "line":
                count += 1
                if count == at:
                    stop()
            return traced

        code = 70
        default_interrupts()
        with contextlib.suppress(BaseException):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            sys.settrace(traced)
            code = demur.cli.main(words.split())
            sys.settrace(None)
            os.write(writing, str(count).encode())
        os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        count = int(pipe.read() or 0)
    return count, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def contents(paths: list[str]) -> list[bytes]:
    return [Path(path).read_bytes() for path in paths]


@pytest.fixture
def modules() -> None:
    """What the forks would otherwise each load anew."""
    pytest.importorskip("matplotlib.font_manager")
    pytest.importorskip("pyarrow.parquet")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("words", WRITING)
@pytest.mark.usefixtures("modules")
@pytest.mark.parametrize(("stop", "ends"), [(kill, -signal.SIGKILL), (interrupt, 130)])
def test_an_interrupted_run_leaves_the_old_file_or_the_new_one(
    words: str, stop: Callable[[], None], ends: int, folder: Path
) -> None:
    paths = WRITING[words]
    lines, status = stopped(words, None, stop)
    assert (status, lines > 5) == (0, True)
    new = contents(paths)
    pair = len(paths) > 1
    old = [b"old"] * len(paths)
    found = []
    slow = "--plot" in words or "report" in words  # pictures and pages take long
    n_stops = 2 if slow else N_STOPS
    stops = range(1, lines + 1, max(1, lines // n_stops))
    for at in [*stops, *range(max(1, lines - 25 * pair), lines + 1)]:
        for path in paths:
            Path(path).write_bytes(b"old")
            Path(path).chmod(0o600)
        _, status = stopped(words, at, stop)
        assert status in (ends, 0)  # 0: after the last line of what writes
        now = contents(paths)
        assert all(each in (b"old", made) for each, made in zip(now, new, strict=True))
        if not pair or stop is interrupt:
            assert now in (old, new)
        assert all(Path(path).stat().st_mode & 0o777 == 0o600 for path in paths)
        if stop is interrupt:
            assert not list(folder.glob(".demur-*"))
        found.append(now == new)
    assert False in found


@pytest.mark.parametrize("presses", [1, 2])
@pytest.mark.parametrize("later", [0, 5, 40, 120, 150])
def test_ctrl_c_prints_no_traceback(later: int, presses: int) -> None:
    os.mkfifo("pipe")
    command = [sys.executable, "-X", "importtime", "-m", "demur", "curve", "pipe"]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=default_interrupts,
    )
    assert process.stderr is not None
    ours = False
    for line in process.stderr:  # each is a module that has been loaded
        ours = ours or " argparse" in line
        later -= ours
        if later < 0:
            break
    for _ in range(presses):
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    said = [line for line in err.splitlines() if not line.startswith("import time:")]
    assert process.returncode == 130
    assert said in ([], ["demur: interrupted"])
    assert out == ""


def test_a_pipe_that_nobody_writes_to_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo("pipe")
    monkeypatch.setattr("demur.formats.streams._WAITED", 0.05)
    said = "demur: pipe: the pipe must be written to; got no writer within 0.05 seconds"
    assert stderr_of("curve", "pipe").startswith(said)
    with subprocess.Popen(["bash", "-c", "sleep 0.3; cat o.jsonl > pipe"]):
        monkeypatch.setattr("demur.formats.streams._WAITED", 10.0)
        printed("curve", "pipe")
