"""Signals at random times of ``demur pipeline``: old or new, and no exit code lies."""

import os
import random
import signal
import time
import warnings
from pathlib import Path

import pytest
import scipy.special  # noqa: F401  (else each fork loads it)

import demur.cli
import demur.cli.pipeline_command
from builders import storm

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")

PLAIN = "    time.sleep(0.002)\n    return ['greet.back']"
CATCHES = """    try:
        time.sleep(0.002)
    except BaseException:
        return ["was.caught"]
    return ["greet.back"]"""
RETRIES = """    while True:
        try:
            time.sleep(0.002)
            return ["greet.back"]
        except BaseException:
            continue"""
TURN = '{"input": "hello", "target": {"nlu": "hello", "dm": ["greet.back"]}}'
SIGNALS = {"SIGTERM": 143, "SIGHUP": 129, "SIGINT": 130}
LIMITED = {"no limit": "", "in a thread": "timeout = 60\n"}
WORDS = ["pipeline", "p.toml", "-o", "o.jsonl", "--replicates", "40"]


def write_pipeline(folder, body, limit="", concurrency=1):
    (folder / "m.py").write_text(f"import time\ndef dm(act):\n{body}\n")
    (folder / "p.toml").write_text(
        f'dialogues = "d.jsonl"\nconcurrency = {concurrency}\n'
        '[[module]]\nname = "nlu"\ncall = "n.py:nlu"\n'
        f'[[module]]\nname = "dm"\ncall = "m.py:dm"\n{limit}'
    )
    (folder / "n.py").write_text("def nlu(text):\n    return text\n")
    lines = [f'{{"dialogue": "d{n}", "turns": [{TURN}]}}\n' for n in range(8)]
    (folder / "d.jsonl").write_text("".join(lines))


def sent(number, after):
    """Run the pipeline in a fork that gets a signal; how it ended, and how long."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the fork does not have
        child = os.fork()
    if not child:
        code = 70
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for stream in (1, 2):
                os.dup2(nowhere, stream)
            code = demur.cli.main(WORDS)
        finally:
            os._exit(code)  # else the child would go on as a second pytest
    begun = time.monotonic()
    if number is not None:
        time.sleep(after)
        os.kill(child, number)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status, time.monotonic() - begun


@pytest.fixture
def undisturbed(tmp_path, monkeypatch):
    """What is written if nothing happens, and how long it takes."""
    monkeypatch.chdir(tmp_path)

    def result(*how):
        write_pipeline(tmp_path, *how)
        code, seconds = sent(None, 0)
        assert code == 0
        return Path("o.jsonl").read_bytes(), seconds

    return result


@pytest.mark.parametrize("seed", storm(range(23), sample=1))
@pytest.mark.parametrize("body", [PLAIN, CATCHES, RETRIES])
def test_a_signal_leaves_old_rows_or_right_ones(undisturbed, seed, body):
    rng = random.Random(seed)
    limit = rng.choice(list(LIMITED.values()))
    new, seconds = undisturbed(body, limit, rng.choice([1, 1, 2]))
    for name, code in SIGNALS.items():
        Path("o.jsonl").write_bytes(b"old")
        ended, _ = sent(getattr(signal, name), rng.uniform(0, 1.1 * seconds))
        written = Path("o.jsonl").read_bytes()
        assert written in (b"old", new)
        # Before demur handles signals the system ends the process; 0: it was too late.
        assert ended in (0, code, -getattr(signal, name))
        assert not (ended == 0 and written != new)
        assert not list(Path().glob(".demur-*"))


@pytest.mark.parametrize("body", [CATCHES, RETRIES])
def test_what_code_that_catches_everything_put_out_is_not_written(
    tmp_path, monkeypatch, body
):
    monkeypatch.chdir(tmp_path)
    write_pipeline(tmp_path, body.replace("0.002", "0.02"))
    Path("o.jsonl").write_bytes(b"old")
    ended, _ = sent(signal.SIGTERM, 0.3)
    assert ended in (143, -signal.SIGTERM)
    assert Path("o.jsonl").read_bytes() == b"old"
