"""Rechecks of answers that are labelled in part, against a twin and simulations."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference_guards as twin
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


@pytest.mark.parametrize("change", [{"digest": []}, {}])
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
    assert demur.Lock.from_dict(table).digest == ()


# -- laws, and a twin --------------------------------------------------------------

CELLS = st.tuples(
    st.sampled_from(["right", "wrong", "ungraded", "unlabelled", "unanswered"]),
    st.sampled_from([0.2, 0.5, 0.8]),  # the cutoff is .37
    st.sampled_from([1.0, 2.0, 7.0]),
)


def outcomes_of(cells, *, weighted=True, factor=1.0, order=None):
    """A table of cells: outcome, confidence, what a label stands for."""
    cells = [(number, *cell) for number, cell in enumerate(cells)]
    cells = cells if order is None else [cells[row] for row in order]
    columns = {}
    if weighted:
        columns["label_weight"] = [
            factor * weight if outcome in ("right", "wrong", "ungraded") else None
            for _, outcome, _, weight in cells
        ]
    return demur.Outcomes.from_arrays(
        item=[f"q{number}" for number, *_ in cells],
        outcome=[outcome for _, outcome, *_ in cells],
        confidence=[None if o == "unanswered" else c for _, o, c, _ in cells],
        **columns,
    )


@given(st.lists(CELLS, min_size=1, max_size=30), st.sampled_from(["all", "answered"]))
def test_the_error_is_that_of_the_twin(cells, of):
    found = recheck(LOCKS[of], outcomes_of(cells))
    error = twin.error_by_labels(cells, cutoff=0.37, of=of)
    answered = [cell for cell in cells if cell[0] != "unanswered" and cell[1] >= 0.37]
    labelled = [cell for cell in answered if cell[0] != "unlabelled"]
    assert (found.answered, found.labelled) == (len(answered), len(labelled))
    if not answered:
        return
    assert found.error == (None if error is None else pytest.approx(error))
    if error is None:
        assert found.verdict == "inconclusive"
        assert "nothing is tested" in " ".join(found.notes)
        assert found.broken
    else:
        assert found.lower <= error + 1e-9
        assert error <= found.upper + 1e-9


LOCKS = {of: locked(0.1, of=of) for of in ("all", "answered")}


@given(st.lists(CELLS, min_size=1, max_size=30), st.sampled_from(["all", "answered"]))
def test_labels_of_all_with_one_weight_are_no_news(cells, of):
    whole = [(outcome, c, 1.2) for outcome, c, _ in cells if outcome != "unlabelled"]
    if whole:
        found = recheck(LOCKS[of], outcomes_of(whole)).to_dict()
        assert found == recheck(LOCKS[of], outcomes_of(whole, weighted=False)).to_dict()


@given(st.lists(CELLS, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_unit_of_weights_matters(cells, random):
    cells = [*cells, ("unlabelled", 0.2, 1.0)]
    order = random.sample(range(len(cells)), len(cells))
    found = recheck(LOCKS["all"], outcomes_of(cells))
    for same in (
        recheck(LOCKS["all"], outcomes_of(cells, order=order)),
        recheck(LOCKS["all"], outcomes_of(cells, factor=0.3)),
    ):
        assert same.verdict == found.verdict
        assert same.error == (found.error and pytest.approx(found.error))
        assert same.upper == pytest.approx(found.upper)
        assert same.lower == pytest.approx(found.lower)


def test_a_labelled_answer_without_a_weight_is_refused():
    cells = [("right", 0.5, None), ("unlabelled", 0.5, 1.0), ("wrong", 0.5, 2.0)]
    table = outcomes_of([(o, c, w or 1.0) for o, c, w in cells])
    bad = np.array([np.nan, np.nan, 2.0])
    with pytest.raises(demur.InputError, match="label_weight must be above"):
        recheck(LOCKS["all"], replace(table, label_weight=bad))


def test_labels_drawn_by_confidence_without_weights_are_noticed():
    rng = np.random.default_rng(7)
    confidence, wrong = traffic(rng, 4000)
    chance = np.where(confidence < 0.6, 0.4, 0.02)
    found = recheck(LOCKS["all"], labelled_in_part(confidence, wrong, chance, rng))
    assert "were not drawn with one chance" in " ".join(found.notes)


def test_declined_rows_that_are_missing_are_noticed():
    rng = np.random.default_rng(8)
    confidence, wrong = traffic(rng, 400)
    rows = confidence >= 0.37
    old = demur.Outcomes.from_arrays(
        correct=~wrong, confidence=confidence, item=[f"o{i}" for i in range(400)]
    )
    kept = lock(old, choose(old, max_error=0.05))
    rows = confidence >= kept.cutoff
    new = demur.Outcomes.from_arrays(correct=~wrong[rows], confidence=confidence[rows])
    assert "held against a target of all" in " ".join(recheck(kept, new).notes)
    whole = demur.Outcomes.from_arrays(correct=~wrong, confidence=confidence)
    assert "target of all" not in " ".join(recheck(kept, whole).notes)


def test_labels_that_come_one_by_one_hold_at_all_looks():
    false = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        confidence, wrong = traffic(rng, 900)
        answered = confidence >= 0.37
        truth = (2 * 0.1 * (1 - confidence) * answered).sum() / answered.sum()
        kept = LOCKS["answered"]
        kept = demur.Lock.from_dict({**kept.to_dict(), "target": float(truth)})
        chance = np.where(answered, 0.05 + 0.3 * (confidence < 0.6), 0.0)
        drawn = np.flatnonzero(rng.random(900) < chance)
        rng.shuffle(drawn)
        rest = np.setdiff1d(np.arange(900), drawn)
        order = np.concatenate([drawn, rest])
        stands = np.where(
            np.isin(order, drawn), 1 / np.maximum(chance[order], 0.01), np.nan
        )
        outcome = np.where(wrong, "wrong", "right").astype(object)[order]
        verdicts = set()
        for seen in (30, 60, 120, len(drawn)):
            labelled = outcome.copy()
            labelled[min(seen, len(drawn)) :] = "unlabelled"
            table = demur.Outcomes.from_arrays(
                item=[f"q{row}" for row in order],
                outcome=labelled,
                confidence=confidence[order],
                label_weight=stands,
            )
            found = recheck(kept, table, anytime=True)
            verdicts.add(found.verdict)
        false += bool(verdicts & {"broken", "holds"})
    assert false <= 5


def test_a_note_says_where_rows_without_a_label_seem_left_out():
    rng = np.random.default_rng(2)
    confidence, wrong = traffic(rng, 4000)
    drawn = rng.random(4000) < 0.1
    outcome = np.where(wrong, "wrong", "right").astype(object)
    outcome[~drawn] = "unlabelled"
    whole = demur.Outcomes.from_arrays(
        outcome=outcome,
        confidence=confidence,
        item=[f"new {i}" for i in range(4000)],
        label_weight=np.where(drawn, 10.0, np.nan),
    )
    kept = locked(0.1, of="answered")
    noted = [
        any("were left out" in note for note in recheck(kept, rows).notes)
        for rows in (whole, whole.take(drawn))
    ]
    assert noted == [False, True]


def test_an_error_among_the_answered_bounds_that_of_all():
    rng = np.random.default_rng(4)
    confidence, wrong = traffic(rng, 1000)
    old = demur.Outcomes.from_arrays(correct=~wrong, confidence=confidence)
    words = {
        of: choose(old, max_error=0.15, of=of, certainty=0.95).sentence()
        for of in ("all", "answered")
    }
    assert "Nothing is promised of the error among the answers" in words["all"]
    assert "So is the error over all items, which is no greater" in words["answered"]


def by_confidence(n_items=4000):
    """Answers below .3 are drawn with a chance of a half, others with .03."""
    rng = np.random.default_rng(6)
    confidence, wrong = traffic(rng, n_items, error=0.2)
    chance = np.where(confidence < 0.3, 0.5, 0.03)
    outcomes = labelled_in_part(confidence, wrong, chance, rng)
    weight = np.where(outcomes.outcome == "ungraded", np.nan, 1 / chance)
    return replace(outcomes, label_weight=weight)


def test_labelled_answers_alone_are_refused():
    whole = by_confidence()
    assert recheck(locked(0.06, cutoff=0.1), whole).verdict == "broken"
    alone = whole.take(whole.outcome != "ungraded")
    for verb in (
        lambda: recheck(locked(0.06, cutoff=0.1), alone),
        lambda: demur.certified_error(alone, cutoff=0.2),
        lambda: choose(alone, max_error=0.2),
        lambda: demur.error_return(alone),
    ):
        with pytest.raises(demur.InputError, match="hold all rows, labelled or not"):
            verb()


def test_what_was_drawn_and_passed_over_is_noted():
    whole = by_confidence()
    codes = np.where(whole.outcome == "wrong", 3, whole.outcome.codes).astype(np.uint8)
    reasons = np.where(codes == 3, "unlabelled", None)
    passed = replace(whole, outcome=codes, reason_code=reasons)
    notes = recheck(locked(0.06, cutoff=0.1), passed).notes
    assert any("drawn and have no label yet" in note for note in notes)


def test_what_a_judge_could_not_grade_is_no_missing_label():
    judged = demur.Outcomes.from_arrays(
        outcome=["right", "wrong", "ungraded", "right"],
        label_weight=[np.nan, 2, np.nan, 2],
    )
    assert judged.outcome.tolist().count("ungraded") == 1
    assert not demur.error_return(judged).notes


@pytest.mark.parametrize("first", [0, 1])
def test_numbers_are_no_names(first):
    rng = np.random.default_rng(8)

    def sample(seed, named):
        draw = np.random.default_rng(seed)
        return demur.Outcomes.from_arrays(
            correct=[True] * 100, confidence=draw.random(100).round(3), item=named
        )

    numbers = [str(first + k) for k in range(100)]
    old = sample(1, numbers)
    kept = lock(old, choose(old, max_error=0.05))
    assert recheck(kept, sample(2, numbers)).verdict == "holds"
    assert recheck(kept, sample(1, numbers)).verdict == "not tested"
    renamed = [f"new {k}" for k in rng.permutation(100)]
    assert recheck(kept, sample(1, renamed)).verdict == "not tested"
