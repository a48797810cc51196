"""Runs of a store, read by address wherever outcomes are."""

from datetime import UTC, datetime

import numpy as np
import pytest

import demur
from builders import drawn, printed, printed_json, refuses, run, stderr_of

WHEN = datetime(2027, 3, 1, 12, tzinfo=UTC)


def full(n=60):
    """Outcomes with every column that there can be."""
    rng = np.random.default_rng(7)
    outcome = np.array(["right", "wrong", "unanswered", "ungraded"], object)[
        rng.integers(0, 4, n)
    ]
    some = [None if k % 5 == 0 else f"c{k % 7}" for k in range(n)]
    return demur.Outcomes.from_arrays(
        item=[f"q{k // 2}" for k in range(n)],
        system=["a", "b"] * (n // 2),
        outcome=outcome,
        credit=np.where(outcome == "right", 0.5, 0.0),
        confidence=np.where(outcome == "unanswered", np.nan, rng.random(n)),
        declined=rng.random(n) < 0.2,
        answerable=outcome != "nothing",
        weight=np.repeat(rng.random(n // 2) + 0.5, 2),
        cluster=[f"d{k // 6}" for k in range(n)],
        reason=[None if k % 3 else "because" for k in range(n)],
        input=[{"text": f"who {k}?", "n": [k]} for k in range(n)],
        response=[k if k % 2 else f"r{k}" for k in range(n)],
        reference=[[f"g{k // 2}"] for k in range(n)],
        groups={"topic": some, "level": [str(k % 3) for k in range(n)]},
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DEMUR_STORE", raising=False)
    return tmp_path


def keep(*tables, store="demur.sqlite", tags=("main",), **more):
    with demur.Store(store, make=True) as opened:
        for table in tables:
            opened.keep(table, when=WHEN, tags=tags, **more)


@pytest.mark.parametrize("address", ["kept:main", "kept:1", "demur.sqlite:main"])
def test_a_kept_run_is_read_as_it_was_kept(address):
    table = full()
    keep(table)
    read = demur.read_outcomes(address, groups=None, display=True)
    assert read == table
    assert read.notes == table.notes
    assert read.recipe == table.recipe


def test_it_is_read_as_the_file_is(tmp_path):
    demur.write_outcomes(full(), tmp_path / "a.jsonl")
    table = demur.read_outcomes(tmp_path / "a.jsonl", groups=None, display=True)
    keep(table)
    for how in (
        {},
        {"groups": ["topic"]},
        {"where": {"topic": "c1"}},
        {"where": {"topic": ["", "c2"], "outcome": "wrong"}, "groups": None},
        {"display": True, "where": {"system": "b"}},
        {"columns": "confidence=weight"},
    ):
        read, of_file = (
            demur.read_outcomes(name, **how).to_columns()
            for name in ("kept:main", "a.jsonl")
        )
        # Of a small file references are read, to look for refusals, and stay.
        assert {"reference": None} | read == {"reference": None} | of_file | {
            "reference": read.get("reference")
        }, how
    scores = [
        printed_json("score", name, "--by", "topic")
        for name in ("kept:main", "a.jsonl")
    ]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_confidences_keep_their_precision(dtype):
    confidence = np.array([0.1, 1e-30, np.inf, -np.inf, 3], dtype)
    keep(demur.Outcomes.from_arrays(correct=[1, 0, 1, 0, 1], confidence=confidence))
    read = demur.read_outcomes("kept:main").confidence
    assert read.dtype == dtype
    assert read.tolist() == confidence.tolist()


def test_items_that_are_numbers_are_texts_as_in_a_file(tmp_path):
    table = demur.Outcomes.from_arrays(item=[1, 2, 3], correct=[1, 0, 1])
    keep(table)
    demur.write_outcomes(table, tmp_path / "a.jsonl")
    assert demur.read_outcomes("kept:main").item.tolist() == ["1", "2", "3"]
    assert demur.read_outcomes("kept:main") == demur.read_outcomes("a.jsonl")


def test_several_runs_and_files_are_put_together(tmp_path):
    one, two = (drawn(seed, 20, lambda c: c, system=f"s{seed}") for seed in (1, 2))
    keep(one)
    demur.write_outcomes(two, tmp_path / "b.jsonl")
    both = demur.read_outcomes("kept:main", "b.jsonl")
    assert both.systems == ("s1", "s2")
    found = printed_json("compare", "kept:main", "b.jsonl")
    assert (found["a"], found["b"]) == ("s1", "s2")


def test_a_nameless_system_is_named_by_its_address(tmp_path):
    keep(drawn(1, 20, lambda c: c), drawn(2, 20, lambda c: c))
    demur.write_outcomes(drawn(3, 20, lambda c: c), tmp_path / "b.jsonl")
    both = demur.read_outcomes("kept:1", "kept:2", "b.jsonl")
    assert both.systems == ("kept:1", "kept:2", "b")


def test_a_system_is_compared_with_itself_as_it_was(tmp_path):
    keep(drawn(1, 50, lambda c: c, system="s"))
    demur.write_outcomes(drawn(2, 50, lambda c: c, system="s"), tmp_path / "b.jsonl")
    found = printed_json("compare", "kept:main", "b.jsonl")
    assert (found["a"], found["b"]) == ("s, kept:main", "s, b")


def test_the_store_is_the_one_of_the_environment(tmp_path, monkeypatch):
    keep(full(), store=str(tmp_path / "other.sqlite"))
    monkeypatch.setenv("DEMUR_STORE", str(tmp_path / "other.sqlite"))
    assert len(demur.read_outcomes("kept:main")) == 60
    assert "60" in printed("curve", "kept:main", "--points", "none", "--json")


def test_a_file_of_that_name_is_read_by_its_path(tmp_path):
    keep(full())
    demur.write_outcomes(drawn(1, 5, lambda c: c), tmp_path / "c.jsonl")
    (tmp_path / "c.jsonl").rename(tmp_path / "kept:main")
    (tmp_path / "demur.sqlite:9").write_bytes((tmp_path / "kept:main").read_bytes())
    assert len(demur.read_outcomes("./kept:main")) == 5
    assert len(demur.read_outcomes(tmp_path / "kept:main")) == 5
    assert len(demur.read_outcomes("demur.sqlite:9")) == 5
    assert len(demur.read_outcomes("kept:main")) == 60


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (
            "kept:mian",
            "There is only run 1: demur show lists them. Did you mean 'main'",
        ),
        ("kept:2", "the run must be the number of a run, or a tag that one bears"),
        ("kept:", "got ''"),
        ("kept:*", "got '*'"),
        ("kept:a\nb", "got 'a"),
        ("no.sqlite:main", "no.sqlite: the store must be there"),
        ("kept:9999999999999999999999", "the run must be"),
    ],
)
def test_what_is_not_there_is_one_line(address, words):
    keep(full())
    refuses(words, demur.read_outcomes, address)
    error = stderr_of("curve", address)
    assert error.count("\n") == 1
    assert words in error


def test_without_a_store_it_is_said():
    assert "demur.sqlite: the store must be there" in stderr_of("curve", "kept:main")


def test_what_is_of_files_is_refused_by_name(tmp_path):
    keep(full())
    for words in (
        ("curve", "kept:main", "--engine", "duckdb"),
        ("curve", "kept:main", "*.csv"),
        ("compare", "kept:main", "kept:1", "--engine", "spark"),
    ):
        assert "--engine must come with files" in stderr_of(*words, code=2)
    assert "log must come with files" in stderr_of(
        "curve", "kept:main", "--log", "ragas"
    )
    refuses("a source must be files", demur.count_outcomes, "kept:main")
    assert demur.count_outcomes("kept:main", engine="memory") is not None
    # A store is not written over by what is made of it.
    (tmp_path / "s.jsonl").write_bytes((tmp_path / "demur.sqlite").read_bytes())
    path = f"{tmp_path}/demur.sqlite"
    error = stderr_of("curve", "kept:main", "--page", path, code=2)
    assert "--page" in error
    assert "an SQLite database" in stderr_of("curve", "demur.sqlite")


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0" + b"x" * 5000, b"no"])
def test_a_damaged_store_is_one_line(tmp_path, damage):
    (tmp_path / "demur.sqlite").write_bytes(damage)
    error = stderr_of("curve", "kept:main")
    assert error.count("\n") == 1
    assert "demur.sqlite" in error


def test_commands_take_kept_runs():
    keep(full(), drawn(1, 100, lambda c: c, system="b"))
    for words in (
        ("curve", "kept:1"),
        ("score", "kept:1", "--by", "topic"),
        ("items", "kept:1", "--outcome", "wrong"),
        ("choose", "kept:2", "--max-error", "0.3"),
        ("compare", "kept:1"),
        ("report", "kept:1", "-o", "report.html"),
        ("sketch", "kept:2", "-o", "a.sketch"),
        (
            "sample",
            "kept:2",
            "--for",
            "judge",
            "--budget",
            "20",
            "-o",
            "s.jsonl",
            "--sheet",
            "s.csv",
        ),
    ):
        assert run(*words).code == 0, words


def test_a_lock_that_was_kept_is_rechecked(tmp_path):
    old, new = (drawn(seed, 300, lambda c: 0.6 + 0.4 * c) for seed in (1, 2))
    demur.lock(old, demur.choose(old, max_error=0.1)).write(tmp_path / "cutoff.json")
    text = (tmp_path / "cutoff.json").read_text()
    keep(old, lock=text)
    keep(new, tags=["later"])
    of_file = printed_json("recheck", "cutoff.json", "kept:later")
    assert printed_json("recheck", "kept:main", "kept:later") == of_file
    assert "must be kept with a lock" in stderr_of("recheck", "kept:later", "kept:main")
    assert "must be the number" in stderr_of("recheck", "kept:no", "kept:main")
