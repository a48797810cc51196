"""Signals at random times of all commands that write: old files or new ones."""

import os
import random
from pathlib import Path

import pytest

from builders import json_lines, printed, storm
from forks import SIGNALS, promised, sent

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")

N_ITEMS = 20
N_STRESS = 201
"""Signals for each command in ``make stress``, a third of each kind."""

SYSTEM = """
import time
def slow(text):
    time.sleep(0.002)
    return text.title(), 0.5
"""

TOGETHER = {
    "merge g.jsonl -o out.jsonl": "out.jsonl",
    "run mine_slow:slow g.jsonl -o out.jsonl --replace": "out.jsonl",
    "reserve g.jsonl --by cluster --train a.jsonl --test b.jsonl": "a.jsonl b.jsonl",
    "judge r.jsonl g.jsonl -o out.jsonl": "out.jsonl",
    "judge r.jsonl g.jsonl -o out.csv.gz": "out.csv.gz",
    "judge r.jsonl g.jsonl -o out.parquet": "out.parquet",
    "items o.jsonl -o out.jsonl": "out.jsonl",
    "metrics words said.jsonl --ref reference --hyp response -o w.csv": "w.csv",
    "choose o.jsonl --max-error 0.9 --lock lock.json": "lock.json",
    "choose o.jsonl --prices --plot a.svg": "a.svg",
    "curve o.jsonl --plot a.png": "a.png",
    "compare o.jsonl --plot a.svg": "a.svg",
    "agree labels.jsonl --plot a.svg": "a.svg",
    "difficulty said.jsonl --markable system --value response --plot a.svg": "a.svg",
    "report o.jsonl -o a.html": "a.html",
    "score o.jsonl --page a.html": "a.html",
}
"""Commands, and what each writes: the old files or the new ones, all of them."""

ONE_BY_ONE = {
    "judge r.jsonl g.jsonl -o out.jsonl --page a.html": "out.jsonl a.html",
    "curve o.jsonl --plot a.svg --plot-split b.svg": "a.svg b.svg",
    "demo --output d": (
        "d/references.jsonl d/responses.jsonl d/outcomes.jsonl d/curves.png "
        "d/inputs.png d/report.html"
    ),
}
"""Commands whose files are whole each, but may be of two runs after a signal."""

ALL = TOGETHER | ONE_BY_ONE


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    references, responses, outcomes = [], [], []
    for row in range(N_ITEMS):
        item = {"item": f"q{row}"}
        asked = {"input": f"Where is {row}?", "cluster": f"c{row % 4}"}
        references.append({**item, "reference": "Oslo", **asked})
        responses.append({**item, "response": ["Oslo", "Rome"][row % 2]})
        for name, every in (("a", 3), ("b", 4)):
            outcome = "right" if row % every else "wrong"
            sure = {"system": name, "confidence": row / N_ITEMS}
            outcomes.append({**item, **sure, "outcome": outcome})
    said = [
        {**answer, "system": name, "reference": "Oslo"}
        for answer in responses
        for name in "ab"
    ]
    labels = [
        {"unit": row, "annotator": name, "label": row % every == 0}
        for row in range(N_ITEMS)
        for name, every in (("a", 3), ("b", 2))
    ]
    records = {"g": references, "r": responses, "o": outcomes}
    records |= {"said": said, "labels": labels}
    for name, listed in records.items():
        Path(f"{name}.jsonl").write_text(json_lines(listed))
    Path("mine_slow.py").write_text(SYSTEM)
    Path("d").mkdir()


def put_old(paths):
    for path in paths:
        path.write_bytes(b"old")


def contents(paths):
    return [path.read_bytes() for path in paths]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "signals"),
    storm(
        [*((words, 3) for words in list(TOGETHER)[:3])]
        + [(words, N_STRESS) for words in ALL],
        sample=3,
    ),
)
def test_a_signal_leaves_old_files_or_new_ones(words, signals):
    rng = random.Random(f"{words} {signals}")
    paths = [Path(path) for path in ALL[words].split()]
    put_old(paths)
    printed(*words.split())  # here, so that forks find all modules loaded
    new = contents(paths)
    assert b"old" not in new
    code, seconds = sent(words.split())
    assert (code, contents(paths)) == (0, new)
    names = list(SIGNALS) * (signals // len(SIGNALS))
    seen = []
    for name in names:
        put_old(paths)
        # Half of them come late, when files are written.
        after = seconds * rng.choice([rng.uniform(0, 1.1), rng.uniform(0.7, 1.1)])
        ended, _ = sent(words.split(), name, after)
        written = contents(paths)
        case = (name, after, ended)
        assert ended in promised(name), case
        assert all(now in (b"old", one) for now, one in zip(written, new, strict=True))
        if ended == 0 or words in TOGETHER:
            assert written in ([b"old"] * len(paths), new), case
        assert not (ended == 0 and written != new), case
        assert not list(Path().rglob(".demur-*")), case
        if Path("out.jsonl.unfinished").exists():  # the run goes on where it was
            assert (sent(words.split())[0], contents(paths)) == (0, new)
        seen.append((ended, written == new))
    assert not Path("out.jsonl.unfinished").exists()
    assert signals < N_STRESS or {ended for ended, _ in seen} >= set(SIGNALS.values())
