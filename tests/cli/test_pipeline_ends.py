"""Signals at random times of ``demur pipeline``: old or new, and no exit code lies."""

import os
import random
import signal
from pathlib import Path

import pytest
import scipy.special  # noqa: F401  (else each fork loads it)

import demur.cli.pipeline_command  # noqa: F401  (the same)
from builders import storm
from forks import SIGNALS, promised, sent

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
WAITS = """
from pathlib import Path

def wait():
    if not Path("begun").exists():
        Path("begun").touch()
        time.sleep(60)  # the signal ends it

"""
TURN = '{"input": "hello", "target": {"nlu": "hello", "dm": ["greet.back"]}}'
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


@pytest.fixture
def undisturbed(tmp_path, monkeypatch):
    """What is written if nothing happens, and how long it takes."""
    monkeypatch.chdir(tmp_path)

    def result(*how):
        write_pipeline(tmp_path, *how)
        code, seconds = sent(WORDS)
        assert code == 0
        return Path("o.jsonl").read_bytes(), seconds

    return result


@pytest.mark.parametrize("seed", storm(range(23), sample=1))
@pytest.mark.parametrize("body", [PLAIN, CATCHES, RETRIES])
def test_a_signal_leaves_old_rows_or_right_ones(undisturbed, seed, body):
    rng = random.Random(seed)
    limit = rng.choice(list(LIMITED.values()))
    new, seconds = undisturbed(body, limit, rng.choice([1, 1, 2]))
    for name in SIGNALS:
        Path("o.jsonl").write_bytes(b"old")
        ended, _ = sent(WORDS, name, rng.uniform(0, 1.1 * seconds))
        written = Path("o.jsonl").read_bytes()
        assert written in (b"old", new)
        assert ended in promised(name)
        assert not (ended == 0 and written != new)
        assert not list(Path().glob(".demur-*"))


@pytest.mark.parametrize("body", [CATCHES, RETRIES])
def test_what_code_that_catches_everything_put_out_is_not_written(
    tmp_path, monkeypatch, body
):
    monkeypatch.chdir(tmp_path)
    write_pipeline(tmp_path, body.replace("time.sleep(0.002)", "wait()"))
    Path("m.py").write_text(WAITS + Path("m.py").read_text())
    Path("o.jsonl").write_bytes(b"old")
    ended, _ = sent(WORDS, "SIGTERM", Path("begun").exists)
    assert ended in (143, -signal.SIGTERM)
    assert Path("o.jsonl").read_bytes() == b"old"
