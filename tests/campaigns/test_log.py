"""The log: lines are only added, by one writer at a time, and every change is found."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import refuses, storm
from campaign_builders import DURING, campaign_in, damaged
from demur.campaigns.chain import START, Log, canonical, make_log, sha256
from demur.campaigns.folder import Campaign
from demur.errors import InputError

NOW = datetime(2027, 3, 1, tzinfo=UTC)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)


def log_of(path: Path, n: int = 5) -> Log:
    make_log(path)
    log = Log(path)
    for number in range(n):
        log.append("event", when=NOW, name=f"n\u00e9 {number}", files={"a/b": "0" * 64})
    return log


def test_entries_follow_one_another(tmp_path):
    log = log_of(tmp_path / "log.jsonl")
    assert [entry.number for entry in log.entries] == [1, 2, 3, 4, 5]
    assert log.entries[0].before == START
    pairs = zip(log.entries, log.entries[1:], strict=False)
    assert all(after.before == before.hash for before, after in pairs)
    again = Log(tmp_path / "log.jsonl")
    assert again.entries == log.entries
    assert again.head == log.entries[-1].hash


def test_a_hash_can_be_computed_without_demur(tmp_path):
    log_of(tmp_path / "log.jsonl")
    before = "0" * 64
    for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines():
        held = json.loads(line)
        digest = held.pop("hash")
        assert held["before"] == before
        text = json.dumps(
            held, sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        assert sha256(text.encode()) == digest
        before = digest


@given(facts=st.dictionaries(st.text("abc", min_size=1), JSON, max_size=3))
def test_what_is_logged_is_what_is_read(facts, tmp_path_factory):
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    make_log(path)
    entry = Log(path).append("event", when=NOW, **facts)
    (read,) = Log(path).entries
    assert read == entry
    assert read.facts == facts
    assert path.read_bytes().count(b"\n") == 1


@given(value=JSON)
def test_one_value_has_one_spelling(value):
    assert canonical(json.loads(canonical(value))) == canonical(value)


# -- changes ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", storm(range(3_000), sample=100))
def test_every_change_is_found(seed, tmp_path):
    path = tmp_path / "log.jsonl"
    log_of(path)
    data = path.read_bytes()
    changed = damaged(data, random.Random(seed))
    assert changed != data
    path.write_bytes(changed)
    try:
        log = Log(path)
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017
    else:
        assert log.torn
        assert len(log.entries) == 4


def test_each_byte_of_an_entry_is_held():
    """All bytes, not a sample: by each bit of a short log."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.jsonl")
        log_of(path, 2)
        data = path.read_bytes()
        for at in range(len(data) - 1):
            path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            with pytest.raises(InputError):
                Log(path)


def test_a_line_with_its_own_hash_put_right_does_not_fit_the_chain(tmp_path):
    path = tmp_path / "log.jsonl"
    log_of(path)
    lines = path.read_bytes().splitlines()
    held = json.loads(lines[1])
    held["facts"]["name"] = "forged"
    del held["hash"]
    lines[1] = canonical({**held, "hash": sha256(canonical(held))})
    path.write_bytes(b"\n".join(lines) + b"\n")
    refuses("log.jsonl:3: the entry must follow", Log, path)


def test_another_spelling_of_the_same_entry_is_a_change(tmp_path):
    path = tmp_path / "log.jsonl"
    log_of(path, 1)
    path.write_text(json.dumps(json.loads(path.read_bytes())) + "\n", "utf-8")
    refuses("log.jsonl:1", Log, path)


@pytest.mark.parametrize("facts", [[], 3, None, {"files": ["a"]}])
def test_facts_are_an_object_and_files_have_hashes(facts, tmp_path):
    plain = {"n": 1, "when": "2027-03-01T00:00:00Z", "event": "x", "before": START}
    held = {**plain, "facts": facts}
    line = canonical({**held, "hash": sha256(canonical(held))})
    (tmp_path / "log.jsonl").write_bytes(line + b"\n")
    refuses("log.jsonl:1: the line must be an entry", Log, tmp_path / "log.jsonl")


@pytest.mark.parametrize("line", ["", "[]", "3", "null", '{"n": 1}', "[" * 10_000])
def test_a_line_that_is_no_entry_is_named(line, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(line + "\n")
    refuses("log.jsonl:1: the line must be an entry", Log, path)


# -- writers that are killed -----------------------------------------------------------


def test_a_torn_line_is_dropped_by_the_next_writer_and_said(tmp_path):
    path = tmp_path / "log.jsonl"
    log_of(path, 3)
    data = path.read_bytes()
    for cut in range(1, 60):
        path.write_bytes(data[:-cut])
        log = Log(path)
        assert (len(log.entries), bool(log.torn)) == (2, True)
        log.append("event", when=NOW)
        assert "torn off" in log.notes[0]
        assert [entry.number for entry in Log(path).entries] == [1, 2, 3]


def test_who_reads_mends_nothing(tmp_path):
    path = tmp_path / "log.jsonl"
    log_of(path, 2)
    path.write_bytes(path.read_bytes()[:-5])
    before = path.read_bytes()
    Log(path)
    assert path.read_bytes() == before


WRITER = """
import sys
from datetime import UTC, datetime
from demur.campaigns.chain import Log
log = Log(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    when = datetime(2027, 3, 1, tzinfo=UTC)
    entry = log.append("event", when=when, who=sys.argv[2], nr=number)
    print(number, entry.hash, flush=True)
"""


def writer(path: Path, who: str, n: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(path), who, str(n)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(command, **pipes, text=True)
    assert process.stdout.readline() == "ready\n"
    return process


def begin(*processes: "subprocess.Popen[str]") -> None:
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()


def test_two_writers_at_once_lose_nothing(tmp_path):
    path = tmp_path / "log.jsonl"
    make_log(path)
    processes = [writer(path, who, 40) for who in "abc"]
    begin(*processes)
    said = {who: p.communicate()[0] for who, p in zip("abc", processes, strict=True)}
    entries = Log(path).entries
    assert len(entries) == 120
    for who, lines in said.items():
        own = [entry for entry in entries if entry.facts["who"] == who]
        assert [entry.facts["nr"] for entry in own] == list(range(40))
        assert [line.split()[1] for line in lines.splitlines()] == [e.hash for e in own]


def test_a_writer_waits_for_the_one_who_holds_the_lock(tmp_path):
    path = tmp_path / "log.jsonl"
    log = log_of(path, 1)
    process = writer(path, "a", 1)
    with log.locked():
        begin(process)
        time.sleep(0.5)
        assert len(Log(path).entries) == 1
        log.append("event", when=NOW, who="b")
    process.communicate()
    assert [entry.facts.get("who") for entry in Log(path).entries] == [None, "b", "a"]


@pytest.mark.parametrize("seed", storm(range(60), sample=2))
def test_a_writer_that_is_killed_holds_no_lock_and_loses_nothing_it_has_said(
    seed, tmp_path
):
    path = tmp_path / "log.jsonl"
    make_log(path)
    process = writer(path, "a", 100_000)
    begin(process)
    time.sleep(random.Random(seed).random() / 10)
    process.send_signal(signal.SIGKILL)
    said = process.communicate()[0].splitlines()
    log = Log(path)
    log.append("event", when=NOW, who="b")
    hashes = {entry.hash for entry in Log(path).entries}
    whole = [line for line in said if len(line.split()) == 2 and len(line) > 65]
    assert {line.split()[1] for line in whole} <= hashes


def test_a_full_disk_leaves_nothing_of_a_line(tmp_path, monkeypatch):
    path = tmp_path / "log.jsonl"
    log = log_of(path, 2)
    before, write = path.read_bytes(), os.write

    def always_full(descriptor, data):
        if os.fstat(descriptor).st_size > len(before):
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:50])

    monkeypatch.setattr(os, "write", always_full)
    refuses("No space left", log.append, "event", when=NOW)
    monkeypatch.undo()
    assert path.read_bytes() == before
    log.append("event", when=NOW)
    assert len(Log(path).entries) == 3


# -- the clock, and what is no file ----------------------------------------------------


def test_a_clock_before_the_last_entry_is_refused(tmp_path):
    log = log_of(tmp_path / "log.jsonl")
    earlier = NOW - timedelta(seconds=1)
    message = "now must not be before the last entry of the log, 2027-03-01T00:00:00Z"
    refuses(message, log.append, "event", when=earlier)
    refuses(message, Log(tmp_path / "log.jsonl").append, "event", when=earlier)


def test_who_began_before_another_wrote_may_still_write(tmp_path):
    log_of(tmp_path / "log.jsonl")
    slow, fast = (Log(tmp_path / "log.jsonl") for _ in range(2))
    fast.append("event", when=NOW + timedelta(seconds=9))
    entry = slow.append("event", when=NOW + timedelta(seconds=3))
    assert entry.number == 7
    assert len(Log(tmp_path / "log.jsonl").entries) == 7


def test_a_log_that_is_no_plain_file_is_refused(tmp_path):
    log_of(tmp_path / "log.jsonl")
    (tmp_path / "link.jsonl").symlink_to("log.jsonl")
    refuses("a symbolic link", Log, tmp_path / "link.jsonl")
    refuses("be a plain file|be a file", Log, tmp_path)
    os.mkfifo(tmp_path / "pipe.jsonl")
    refuses("a plain file", Log, tmp_path / "pipe.jsonl")
    refuses("No such file", Log, tmp_path / "none.jsonl")
    refuses("File exists", make_log, tmp_path / "log.jsonl")


def test_a_log_that_another_one_replaced_meanwhile_is_held_against_what_was_read(
    tmp_path,
):
    path = tmp_path / "log.jsonl"
    log = log_of(path, 3)
    shorter = path.read_bytes().splitlines(keepends=True)[0]
    (tmp_path / "new").write_bytes(shorter)
    (tmp_path / "new").replace(path)
    refuses("only grow", log.append, "event", when=NOW)
    assert path.read_bytes() == shorter


@pytest.mark.parametrize(
    ("event", "facts", "lacks"),
    [
        ("submitted", {"number": 1}, "files"),
        ("team", {"name": "z"}, "contributor"),
        ("withdrawn", {}, "number"),
    ],
)
def test_an_entry_that_lacks_a_fact_is_refused_by_its_name(
    tmp_path, event, facts, lacks
):
    made = campaign_in(tmp_path / "c")
    Log(made.path / "log.jsonl").append(event, when=DURING, **facts)
    campaign = Campaign(made.path)
    with pytest.raises(
        InputError, match=f"{event}'.*: {lacks} must be among its facts"
    ):
        _ = campaign.teams, campaign.submissions
