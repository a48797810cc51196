"""What a system does at cutoffs that are given, against a plain count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur

ROWS = st.lists(
    st.tuples(
        st.sampled_from([True, False, None]),
        st.sampled_from([0.1, 0.5, 0.5, 0.9]),
        st.sampled_from([1.0, 2.0]),
    ),
    min_size=1,
    max_size=12,
).filter(lambda rows: any(right is not None for right, _, _ in rows))


@given(ROWS, st.sampled_from([0.0, 0.5, 0.7, 2.0]), st.sampled_from([0.5, 10.0]))
def test_the_shares_at_a_cutoff_are_plain_counts(rows, cutoff, cost):
    outcomes = demur.Outcomes.from_arrays(
        correct=[right for right, _, _ in rows],
        confidence=[None if right is None else sure for right, sure, _ in rows],
        weight=[weight for _, _, weight in rows],
    )
    [at] = demur.at_cutoffs(outcomes, cutoff, wrong_costs=[cost])
    whole = sum(weight for _, _, weight in rows)
    given_ = [row for row in rows if row[0] is not None and row[1] >= cutoff]
    wrong = sum(weight for right, _, weight in given_ if not right)
    answered = sum(weight for _, _, weight in given_)
    assert at.nonreturn == pytest.approx(1 - answered / whole)
    assert at.error == pytest.approx(wrong / whole)
    assert at.right == pytest.approx((answered - wrong) / whole)
    assert at.answered == len(given_)
    if given_:
        assert at.error_answered == pytest.approx(wrong / answered)
        assert at.error_interval[0] <= at.error <= at.error_interval[1]
    else:
        assert at.error_answered is None
    [(_, paid)] = at.costs
    assert paid == pytest.approx(cost * at.error + at.nonreturn)


def test_it_agrees_with_the_curve_and_says_what_it_does():
    rng = np.random.default_rng(3)
    confidence = rng.random(200).round(2)
    outcomes = demur.Outcomes.from_arrays(
        correct=rng.random(200) < confidence, confidence=confidence
    )
    rows = demur.at_cutoffs(outcomes, [0.3, 0.7])
    for row in rows:
        point = demur.error_return(outcomes).at(cutoff=row.cutoff)
        assert (row.nonreturn, row.error) == pytest.approx(
            (point.nonreturn, point.error)
        )
    assert rows.sentence().startswith("At a cutoff of 0.3, the system declines ")
    assert "cutoff:0.3, 0.7" in rows.signature


@pytest.mark.parametrize(
    ("cutoffs", "message"),
    [([], "name at least one"), (["a"], "a cutoff must be"), (True, "cutoff")],
)
def test_what_is_no_cutoff_is_refused(cutoffs, message):
    outcomes = demur.Outcomes.from_arrays(correct=[True], confidence=[0.5])
    with pytest.raises(demur.InputError, match=message):
        demur.at_cutoffs(outcomes, cutoffs)
    with pytest.raises(demur.UndefinedRate):
        demur.at_cutoffs(demur.Outcomes.from_arrays(correct=[True]), 0.5)
