"""Sheets that follow each other, of other draws, and of clusters."""

import numpy as np
import pytest

import demur
from builders import by_outcome, refuses, run, write_records


def answers(n=30, *, seed=1, **columns):
    sure = np.random.default_rng(seed).random(n).round(3)
    texts = [f"x{k % 3}" for k in range(n)]
    given = {"item": [f"q{k}" for k in range(n)], "response": texts, **columns}
    return by_outcome(["ungraded"] * n, sure, **given)


def filled(drawn, word="right"):
    return [{**row, "verdict": word} for row in drawn.sheet]


def keys_of(drawn):
    held = zip(drawn.outcomes.item, drawn.outcomes.column("label_key"), strict=True)
    return {item: key for item, key in held if key}


def test_an_answer_has_the_same_key_in_every_draw():
    first, second = (
        demur.sample(answers(), budget=budget, purpose="cutoff", seed=seed)
        for budget, seed in ((12, 0), (20, 3))
    )
    one, two = keys_of(first), keys_of(second)
    both = one.keys() & two.keys()
    assert both
    assert all(one[item] == two[item] for item in both)
    assert len({*one.values()}) == 12


@pytest.mark.parametrize("column", ["item", "input", "response"])
def test_the_sheet_of_other_answers_is_refused(column):
    columns = {"input": [f"What, {k}?" for k in range(30)]}
    drawn = demur.sample(answers(**columns), budget=12, purpose="cutoff")
    others = answers(**columns | {column: [f"other {k}" for k in range(30)]})
    other = demur.sample(others, budget=12, purpose="cutoff")
    refuses("be of a drawn row", demur.take_labels, drawn.outcomes, filled(other))


def test_labels_of_a_small_draw_are_kept_in_a_larger_one():
    small, large = (
        demur.sample(answers(), budget=budget, purpose="cutoff", near=0)
        for budget in (8, 20)
    )
    held = keys_of(large).values()
    rows = [row for row in filled(small) if row["key"] in held]
    assert len(rows) > 4
    taken = demur.take_labels(large.outcomes, rows)
    assert demur.label_counts(taken).labelled == len(rows)


@pytest.mark.parametrize("purpose", ["cutoff", "judge"])
def test_a_second_batch_is_added_to_the_first(purpose, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    judged = [
        {"item": f"q{k}", "response": f"x{k}", "confidence": k / 40, "correct": k % 3}
        for k in range(40)
    ]
    write_records(
        tmp_path / "a.jsonl", [row | {"correct": row["correct"] > 0} for row in judged]
    )
    draw = ("--budget", 9, "--for", purpose, "--sheet", "s.jsonl", "-o", "d.jsonl")
    assert run("sample", "a.jsonl", *draw).code == 0
    keys = [row.key for row in demur.sampling.sheets.read_sheet("s.jsonl")]
    one = [{"key": key, "verdict": "right", "note": "n"} for key in keys[:4]]
    two = [{"key": key, "verdict": "yes"} for key in keys[3:7]]
    write_records(tmp_path / "one.jsonl", one)
    write_records(tmp_path / "two.jsonl", two)
    write_records(
        tmp_path / "other.jsonl", [{"key": keys[5], "verdict": "right"}, one[0] | NO]
    )
    assert run("sample", "d.jsonl", "--labels", "one.jsonl", "-o", "h.jsonl").code == 0
    ended = run("sample", "h.jsonl", "--labels", "two.jsonl", "-o", "h2.jsonl")
    assert "7 of 9 drawn answers are labelled: 7 right" in ended.out
    taken = demur.read_outcomes("h2.jsonl", groups=None, display=True)
    assert taken.column("label_key")[:7].tolist() == keys[:7]
    assert ("people" in taken.groups) == (purpose == "judge")
    ended = run("sample", "h2.jsonl", "--labels", "other.jsonl", "-o", "h3.jsonl")
    words = "other.jsonl:2: verdict must be right, as this answer has been labelled"
    assert words in ended.err


NO = {"verdict": "no"}


def test_a_judge_s_draw_needs_the_name_of_its_column():
    judged = by_outcome(["right", "wrong"] * 10)
    drawn = demur.sample(judged, budget=5, purpose="judge", gold="lab")
    refuses("no column people", demur.take_labels, drawn.outcomes, filled(drawn))


def test_clusters_stand_together_and_are_looked_at_when_they_are_finished():
    groups = [f"c{k % 100}" for k in range(400)]
    old = by_outcome(["right"] * 400, np.arange(400) / 400, cluster=groups)
    lock = demur.lock(old, demur.choose(old, max_error=0.2), max_cluster=4)
    drawn = demur.sample(
        answers(400, cluster=groups), budget=150, purpose="recheck", lock=lock
    )
    rows = filled(drawn)
    cluster = drawn.outcomes.cluster[:150].tolist()
    assert sum(a != b for a, b in zip(cluster, cluster[1:], strict=False)) == (
        len(set(cluster)) - 1
    )
    cut = next(at for at in range(60, 150) if cluster[at] == cluster[at - 1])
    half = demur.take_labels(drawn.outcomes, rows[:cut])
    early = demur.recheck(lock, half, anytime=True)
    begun = cluster[:cut].count(cluster[cut])
    assert early.labelled == cut - begun
    assert any(f"{begun} labels are left out of this" in note for note in early.notes)
    whole = demur.take_labels(half, rows[cut:])
    done = demur.recheck(lock, whole, anytime=True)
    assert done.labelled == 150
    assert whole.item[: cut - begun].tolist() == half.item[: cut - begun].tolist()


def test_one_lowest_rate_is_asked_for(tmp_path):
    path = write_records(tmp_path / "a.jsonl", [{"item": "q", "response": "x"}])
    words = ("--budget", 3, "--for", "compare", "--at", "0.1,0.2", "-o", "d.jsonl")
    ended = run("sample", path, *words)
    assert "be one rate, the lowest that you will look at" in ended.err


@pytest.mark.parametrize("purpose", ["judge", "compare"])
@pytest.mark.parametrize("seed", range(4))
def test_systems_keep_their_order_through_a_draw_and_its_labels(purpose, seed):
    """Which is first decides the sign of a difference."""
    rng = np.random.default_rng(seed)
    systems = ["z", "a"] * 30
    if purpose == "judge":
        told = {"correct": rng.random(60) < 0.7}
    else:
        told = {"outcome": ["ungraded"] * 60}
    before = demur.Outcomes.from_arrays(
        item=np.repeat(np.arange(30), 2),
        system=systems,
        response=[f"{name}{k % 7}" for k, name in enumerate(systems)],
        **told,
    )
    drawn = demur.sample(before, budget=12, purpose=purpose, seed=seed)
    taken = demur.take_labels(drawn.outcomes, filled(drawn))
    assert drawn.outcomes.systems == taken.systems == ("z", "a")
