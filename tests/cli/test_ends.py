"""How the process ends: exit codes whatever the streams do, interrupted runs."""

import io
import json
import os
import shlex
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import demur.cli
from builders import printed, run, stderr_of, storm, write_records
from demur.cli import as_json
from demur.cli.streams import Messages, open_streams, progress

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
        write_records(Path(f"{name}.jsonl"), kept)
    return tmp_path


def test_progress_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert progress("queries") is None  # nobody watches
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    show = progress("queries")
    assert show is not None
    for done in (1, 25, 100, 120):
        show(done, 120)
    said = capsys.readouterr().err
    assert said == "\r\x1b[K1 of 120 queries\r\x1b[K100 of 120 queries\r\x1b[K"


def test_a_line_is_written_for_the_first_two_of_fifty(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    show = progress("rows")
    assert show is not None
    seen = []
    for done in range(120):
        show(done, 120)
        seen += [done] if capsys.readouterr().err else []
    assert seen == [0, 1, 50, 51, 100, 101]


def test_a_process_without_standard_error_is_given_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for without in (None, io.TextIOWrapper(io.BytesIO())):
        monkeypatch.setattr("sys.stderr", without)
        open_streams()
        assert isinstance(sys.stderr, Messages)
    own = io.StringIO()
    monkeypatch.setattr("sys.stderr", own)
    open_streams()
    assert sys.stderr is own


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
    "reserve g.jsonl --by cluster --train a.jsonl --test b.jsonl": [
        *("a.jsonl", "b.jsonl")
    ],
    "choose o.jsonl --max-error 0.9 --lock lock.json": ["lock.json"],
    "judge r.jsonl g.jsonl -o out.csv.gz": ["out.csv.gz"],
    "merge g.jsonl -o out.jsonl": ["out.jsonl"],
    "judge r.jsonl g.jsonl -o out.parquet": ["out.parquet"],
    "curve o.jsonl --plot a.png": ["a.png"],
    "report o.jsonl -o a.html": ["a.html"],
}
OWN = ("demur/files.py", "demur/formats/writing.py", "demur/decisions/locks.py")
N_STOPS = 5


def default_interrupts() -> None:
    """Take Ctrl-C as a terminal gives it: in the background it is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def stopped(words: str, at: int | None, stop: Callable[[], None]) -> tuple[int, int]:
    """Run a command, stopped at a line of what writes; its exit code, and the lines."""
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

    sys.settrace(traced)
    try:
        code = demur.cli.main(words.split())
    finally:
        sys.settrace(None)
    return code, count


def in_a_fork(work: Callable[[], Any]) -> tuple[Any, int]:
    """What work returns in a forked process that prints nothing, and how that ended."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the fork does not have
        child = os.fork()
    if not child:
        code = 70
        try:
            default_interrupts()
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            with os.fdopen(writing, "w") as pipe:
                try:
                    json.dump(work(), pipe)
                    code = 0
                except BaseException:  # noqa: BLE001  (it is told to the parent)
                    json.dump(traceback.format_exc(), pipe)
        finally:
            os._exit(code)  # else the child would go on as a second pytest
    os.close(writing)
    with os.fdopen(reading) as pipe:
        result = json.loads(pipe.read() or "null")
    return result, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def put_old(paths: list[str]) -> None:
    for path in paths:
        Path(path).write_bytes(b"old")
        Path(path).chmod(0o600)


def state(paths: list[str], new: list[bytes]) -> list[str]:
    """Of each file whether it is the old one or the new one, with its old mode."""
    names = []
    for path, made in zip(map(Path, paths), new, strict=True):
        assert path.stat().st_mode & 0o777 == 0o600
        names.append({b"old": "old", made: "new"}.get(path.read_bytes(), "damaged"))
    return names


@pytest.fixture
def modules() -> None:
    """What the forks would otherwise each load anew, and count as lines that write."""
    for name in OWN:
        import_module(name.removesuffix(".py").replace("/", "."))
    pytest.importorskip("matplotlib.font_manager")
    pytest.importorskip("pyarrow.parquet")


def stops_of(words: str) -> tuple[list[int], list[bytes]]:
    """Lines at which to stop a command, and the files that it writes undisturbed."""
    (code, lines), _ = in_a_fork(lambda: stopped(words, None, kill))
    assert (code, lines > 5) == (0, True)
    paths = WRITING[words]
    slow = "--plot" in words or "report" in words  # pictures and pages take long
    stops = range(1, lines + 1, max(1, lines // (2 if slow else N_STOPS)))
    between = range(max(1, lines - 25), lines + 1) if len(paths) > 1 else [lines]
    return [*stops, *between], [Path(path).read_bytes() for path in paths]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("words", storm(WRITING, sample=2))
@pytest.mark.usefixtures("modules")
def test_a_killed_run_leaves_the_old_file_or_the_new_one(words: str) -> None:
    paths = WRITING[words]
    stops, new = stops_of(words)
    states = []
    for at in stops:
        put_old(paths)
        _, status = in_a_fork(lambda at=at: stopped(words, at, kill))
        assert status in (-signal.SIGKILL, 0)  # 0: after the last line of what writes
        states.append(state(paths, new))
    assert not any("damaged" in names for names in states)
    assert any("old" in names for names in states)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("words", storm(WRITING, sample=4))
@pytest.mark.usefixtures("modules")
def test_an_interrupted_run_leaves_all_old_files_or_all_new_ones(
    words: str, folder: Path
) -> None:
    paths = WRITING[words]
    stops, new = stops_of(words)

    def interrupted_at(at: int) -> tuple[int, list[str], int]:
        put_old(paths)
        code, _ = stopped(words, at, interrupt)
        return code, state(paths, new), len(list(folder.glob(".demur-*")))

    runs, status = in_a_fork(lambda: [interrupted_at(at) for at in stops])
    assert status == 0, runs
    for code, states, left in runs:
        assert code in (130, 0)  # 0: after the last line of what writes
        assert states in (["old"] * len(paths), ["new"] * len(paths))
        assert left == 0
    assert any("old" in states for _, states, _ in runs)


PRESSES = [(0, 1), (40, 2), (150, 1), (0, 2), (5, 1), (5, 2), (40, 1), (120, 1)]
PRESSES += [(120, 2), (150, 2)]


@pytest.mark.parametrize(("later", "presses"), storm(PRESSES, sample=3))
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
    # What the interpreter itself says where decimal was half loaded.
    said = [line for line in said if line and "libmpdec" not in line]
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


@pytest.mark.parametrize(
    ("encoding", "wanted"), [("utf-8", '"é"'), ("ascii", r'"\u00e9"')]
)
def test_json_holds_the_letters_that_the_terminal_has(encoding, wanted, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr("sys.stdout", stream)
    assert as_json("é") == wanted


def test_a_folder_that_cannot_be_written_to_is_said_before_work(folder, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    words = ("curve", folder / "o.jsonl", "--plot", folder / "new.png")
    assert "a directory that can be written to" in stderr_of(*words, code=2)
