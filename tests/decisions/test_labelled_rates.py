"""Rechecks of answers that are labelled in part, against a twin and simulations."""

import numpy as np
import pytest

import demur
from demur import choose, lock, recheck


def traffic(rng, n_items, *, error=0.1):
    """Confidences and verdicts: answers of low confidence err more."""
    confidence = rng.random(n_items)
    return confidence, rng.random(n_items) < 2 * error * (1 - confidence)


def locked(target, *, of="all", cutoff=0.37, certainty=0.95):
    rng = np.random.default_rng(0)
    confidence, wrong = traffic(rng, 2000)
    old = demur.Outcomes.from_arrays(
        correct=~wrong, confidence=confidence, item=[f"old {i}" for i in range(2000)]
    )
    kept = lock(old, choose(old, max_error=0.05), certainty=certainty)
    table = {**kept.to_dict(), "target": target, "of": of, "cutoff": cutoff}
    return demur.Lock.from_dict(table)


def labelled_in_part(confidence, wrong, chance, rng, **columns):
    """Rows drawn with their chances; of the others nothing is known."""
    drawn = rng.random(len(wrong)) < chance
    outcome = np.where(wrong, "wrong", "right").astype(object)
    outcome[~drawn] = "unlabelled"
    columns.setdefault("item", [f"q{i}" for i in range(len(wrong))])
    return demur.Outcomes.from_arrays(outcome=outcome, confidence=confidence, **columns)


@pytest.mark.parametrize("weighted", [False, True])
def test_production_labels_of_a_part_are_enough(weighted):
    rng = np.random.default_rng(1)
    confidence, wrong = traffic(rng, 10_000)
    answered = confidence >= 0.37
    truth = (wrong & answered).mean()
    chance = np.where(answered, 300 / answered.sum(), 0.0)
    columns = {}
    if weighted:
        chance = np.where(answered, 0.02 + 0.08 * (confidence < 0.6), 0.0)
        columns["label_weight"] = 1 / np.where(chance > 0, chance, np.nan)
    outcomes = labelled_in_part(confidence, wrong, chance, rng, **columns)
    found = recheck(locked(0.08), outcomes)
    assert found.items == 10_000
    assert found.answered == answered.sum()
    assert found.drift.declined_now == pytest.approx(1 - answered.mean())
    assert found.lower < truth < found.upper
    assert found.upper - found.lower < 0.06
    assert found.labelled == (outcomes.outcome != "ungraded").sum() < 600
    words = "corrected for how" if weighted else "from the labels of"
    assert words in found.sentence()
    assert f"{found.labelled} of {found.answered:,} answers" in found.sentence()


# -- are these the items of the lock? ----------------------------------------------


def numbered(rng, n_items, *, error=0.02, levels=None):
    """Items without names: they are called 0, 1, ... here."""
    confidence = rng.random(n_items)
    if levels:
        confidence = np.ceil(confidence * levels) / levels
    wrong = rng.random(n_items) < error
    return demur.Outcomes.from_arrays(correct=~wrong, confidence=confidence)


def test_a_fresh_sample_is_never_taken_for_that_of_the_lock():
    rng = np.random.default_rng(3)
    for _ in range(60):
        old, fresh = (numbered(rng, 30, error=0.01) for _ in "ab")
        kept = lock(old, choose(old, nonreturn=0.0))
        kept = demur.Lock.from_dict({**kept.to_dict(), "target": 0.2})
        found = recheck(kept, fresh)
        assert found.verdict != "not tested"
        assert "chosen on" not in " ".join(found.notes)


def test_the_rows_of_the_lock_are_known_by_their_confidences():
    old = numbered(np.random.default_rng(4), 50)
    kept = lock(old, choose(old, max_error=0.1))
    assert recheck(kept, old).verdict == "not tested"
    shuffled = demur.Outcomes.from_arrays(
        correct=(old.outcome == "right")[::-1], confidence=old.confidence[::-1]
    )
    assert recheck(kept, shuffled).verdict != "not tested"


@pytest.mark.parametrize("change", [{"digest": ""}, {}])
def test_what_cannot_be_told_is_said_and_tested(change):
    levels = 2 if not change else None
    old = numbered(np.random.default_rng(5), 80, error=0, levels=levels)
    kept = lock(old, choose(old, max_error=0.1))
    kept = demur.Lock.from_dict({**kept.to_dict(), **change})
    found = recheck(kept, old)
    assert found.verdict == "holds"
    assert "cannot be told" in " ".join(found.notes)


def test_an_old_lock_without_a_digest_is_read():
    old = numbered(np.random.default_rng(6), 40)
    table = lock(old, choose(old, max_error=0.1)).to_dict()
    del table["digest"]
    assert demur.Lock.from_dict(table).digest == ""
