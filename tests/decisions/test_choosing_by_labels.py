"""Cutoffs chosen and certified on answers that are labelled in part."""

import numpy as np
import pytest

import demur
from demur import certified_error, choose, lock, recheck


def sampled(seed, n_items=3000, *, weighted=True, silent=0.1, all_labelled=False):
    rng = np.random.default_rng(seed)
    confidence = rng.random(n_items)
    wrong = rng.random(n_items) < 0.4 * (1 - confidence)
    chance = np.where(confidence < 0.5, 0.4, 0.2) if weighted else np.full(n_items, 0.3)
    chance = np.ones(n_items) if all_labelled else chance
    drawn = rng.random(n_items) < chance
    outcome = np.where(wrong, "wrong", "right").astype(object)
    outcome[~drawn] = "unlabelled"
    none = rng.random(n_items) < silent
    outcome[none] = "unanswered"
    given = [None if row < 0 else row for row in np.where(none, -1, confidence)]
    stands = np.where(drawn, 1 / chance, np.nan)
    columns = {"label_weight": stands} if weighted else {}
    return demur.Outcomes.from_arrays(
        outcome=outcome,
        confidence=given,
        item=[f"{seed} {row}" for row in range(n_items)],
        **columns,
    )


def true_error(cutoff, silent=0.1):
    """Of all items: wrong and at or above a cutoff."""
    return (1 - silent) * 0.2 * (1 - cutoff) ** 2


@pytest.mark.parametrize("weighted", [False, True])
def test_a_cutoff_goes_by_the_labelled_answers(weighted):
    outcomes = sampled(1, weighted=weighted)
    chosen = choose(outcomes, max_error=0.05)
    assert chosen.found
    assert chosen.corrected.value <= 0.05
    assert chosen.error == chosen.corrected.value
    assert true_error(chosen.cutoff) == pytest.approx(0.05, abs=0.02)
    assert chosen.nonreturn == pytest.approx(1 - 0.9 * (1 - chosen.cutoff), abs=0.03)
    assert "by the labelled answers" in chosen.sentence()
    held_out = chosen.on(sampled(2, weighted=weighted))
    assert held_out.error == pytest.approx(true_error(chosen.cutoff), abs=0.02)
    cheap = choose(outcomes, wrong_costs=4)
    assert 0.2 < cheap.cutoff < 0.6  # where an answer errs on a quarter: .375


@pytest.mark.parametrize(("of", "target"), [("all", 0.12), ("answered", 0.2)])
def test_a_certificate_counts_labels_for_what_they_stand_for(of, target):
    outcomes = sampled(3)
    chosen = choose(outcomes, max_error=target, of=of, certainty=0.95)
    assert chosen.found
    assert "labelled ones stand for them" in " ".join(chosen.notes)
    truth = true_error(chosen.cutoff)
    truth = truth if of == "all" else truth / (0.9 * (1 - chosen.cutoff))
    assert truth <= target
    assert chosen.bound <= target
    kept = lock(outcomes, chosen)
    assert kept.items == 3000
    assert kept.error == pytest.approx(truth, abs=0.03)
    assert recheck(kept, sampled(4)).verdict in ("holds", "inconclusive")


def test_a_bound_at_a_fixed_cutoff_is_above_the_truth():
    bounds = [certified_error(sampled(seed), cutoff=0.5) for seed in range(20)]
    above = [bound > true_error(0.5) for bound in bounds]
    assert sum(above) >= 17
    assert max(bounds) < 0.12


def test_other_rules_say_what_they_need():
    with pytest.raises(demur.InputError, match="where answers are unlabelled"):
        choose(sampled(5), balance=True)


def test_the_labelled_rows_of_a_lock_are_known_again():
    outcomes = sampled(6)
    kept = lock(outcomes, choose(outcomes, max_error=0.08))
    assert recheck(kept, outcomes).verdict == "not tested"
