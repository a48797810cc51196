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
