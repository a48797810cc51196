"""Sets of labels: a plain twin, another package, and what is no set."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed, printed_json, refuses, write_records

sets = st.frozensets(st.sampled_from("abcd"))


@given(st.lists(st.tuples(sets, st.none() | sets), min_size=1, max_size=12))
def test_sets_are_counted_plainly(rows):
    found = demur.set_scores(
        references=[list(true) for true, _ in rows],
        hypotheses=[said and sorted(said, reverse=True) for _, said in rows],
        alpha=0.2,
    )
    n, names = len(rows), set().union(*(true | (said or set()) for true, said in rows))
    assert found.items == n
    assert found.declined == sum(said is None for _, said in rows)
    assert found.subset_accuracy == sum(true == said for true, said in rows) / n
    jaccard, f, errors = [], [], 0
    for true, said in rows:
        put = said or set()
        errors += len(true ^ put)
        nothing = float(said is not None)
        jaccard.append(len(true & put) / len(true | put) if true | put else nothing)
        size = 0.2 * len(put) + 0.8 * len(true)
        f.append(len(true & put) / size if size else nothing)
    assert found.jaccard == pytest.approx(np.mean(jaccard))
    assert found.f_samples == pytest.approx(np.mean(f))
    assert found.hamming_loss == pytest.approx(errors / (n * max(len(names), 1)))
    assert found.outcomes().credit == pytest.approx(jaccard)
    assert found.outcomes().weight is None
    for label in found.classes:
        assert label.true == sum(label.label in true for true, _ in rows)
        assert label.given == sum(label.label in (said or ()) for _, said in rows)
        assert label.right == sum(
            label.label in true & (said or set()) for true, said in rows
        )
    assert {label.label for label in found.classes} == names
    assert found.micro.right == sum(label.right for label in found.classes)


@pytest.mark.parametrize("seed", range(4))
def test_another_package_has_the_same_measures(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(seed)
    names = np.array([*"abcde"])
    true = rng.random((30, 5)) < 0.4
    said = np.where(rng.random((30, 5)) < 0.8, true, rng.random((30, 5)) < 0.3)
    true[0], said[0] = True, True  # each label is true somewhere
    found = demur.set_scores(
        references=[set(names[row]) for row in true],
        hypotheses=[names[row] for row in said],
    )
    assert found.subset_accuracy == metrics.accuracy_score(true, said)
    assert found.hamming_loss == pytest.approx(metrics.hamming_loss(true, said))
    values = {
        "samples": found.f_samples,
        "micro": found.micro.f,
        "macro": found.macro.f,
        "weighted": found.weighted_f,
    }
    for average, value in values.items():
        wanted = metrics.f1_score(true, said, average=average, zero_division=1.0)
        assert value == pytest.approx(wanted), average
    wanted = metrics.jaccard_score(true, said, average="samples", zero_division=1.0)
    assert found.jaccard == pytest.approx(wanted)


def test_labels_are_what_they_are():
    found = demur.set_scores(references=[[1, 2]], hypotheses=[["2.0", "1"]])
    assert found.subset_accuracy == 1
    found = demur.set_scores(references=["a|b"], hypotheses=["b| a|a"], separator="|")
    assert found.subset_accuracy == 1
    assert found.notes == ("labels that stand again in the same set count once: 1",)
    found = demur.set_scores(references=['["a"]', "[]"], hypotheses=["[]", "[]"])
    assert (found.subset_accuracy, found.jaccard) == (0.5, 0.5)
    assert demur.set_scores(references=[[]], hypotheses=[[]]).weighted_f is None


@pytest.mark.parametrize(
    ("true", "said", "words"),
    [
        (["a|b"], [["a"]], "separator='|'"),
        ([["a"]], [3], "hyp must be a list or a set"),
        ([None], [["a"]], "ref must be a set of labels"),
        ([["a", None]], [["a"]], "no empty label"),
        ([["a", " "]], [["a"]], "no empty label"),
        ([["a", float("nan")]], [["a"]], "no empty label"),
        ([[["a"]]], [["a"]], "be one label"),
        ([["a"]], [{"a": 1}], "hyp must be a list or a set"),
    ],
)
def test_what_is_no_set_is_refused(true, said, words):
    refuses(words, demur.set_scores, references=true, hypotheses=said)


def test_the_command_says_what_the_verb_finds(tmp_path):
    rows = [
        {"ref": "a|b", "hyp": "a"},
        {"ref": "b", "hyp": ""},
        {"ref": "a", "hyp": "a"},
    ]
    path = write_records(tmp_path / "sets.jsonl", rows)
    out = tmp_path / "o.jsonl"
    asked = ["metrics", "sets", path, "--separator", "|"]
    found = printed_json(*asked)
    assert found["subset_accuracy"] == pytest.approx(1 / 3)
    assert found["declined"] == 1
    printed(*asked, "-o", out)
    assert demur.read_outcomes(out).credit.tolist() == [0.5, 0, 1]


def test_rows_of_zeros_and_ones_are_no_sets():
    refuses(
        "0 or 1 for each of 2 labels",
        demur.set_scores,
        references=[[1, 0], [0, 1]],
        hypotheses=[[0, 1], [1, 0]],
    )
    demur.set_scores(references=[[1], [0]], hypotheses=[[0], []])


def test_lists_need_no_separator(tmp_path):
    path = write_records(tmp_path / "s.jsonl", [{"ref": ["a", "b"], "hyp": ["a"]}])
    assert "right set" in printed("metrics", "sets", path)


def test_a_set_that_is_not_there_is_not_an_empty_one():
    refuses(r"Write \[\] for an item", demur.set_scores, [{"ref": None, "hyp": []}])
