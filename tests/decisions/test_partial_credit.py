"""Certificates where some answers are partly right."""

import numpy as np
import pytest

import demur
from demur.decisions.choice_tables import BY_PARTIAL_CREDIT


def outcomes(credit, **columns):
    rng = np.random.default_rng(1)
    sure = rng.random(240)
    given = (rng.random(240) < 0.6 + 0.4 * sure).astype(float)
    given[np.flatnonzero(given == 0)[:15]] = credit
    named = np.where(given > 0, "right", "wrong")
    columns |= {"outcome": named, "credit": given, "confidence": sure}
    return demur.Outcomes.from_arrays(**columns)


@pytest.mark.parametrize("of", ["all", "answered"])
@pytest.mark.parametrize("target", [0.15, 0.05])
def test_a_certificate_by_bets_says_that_it_is_for_partial_credit(of, target):
    how = {"max_error": target, "of": of, "certainty": 0.95}
    assert BY_PARTIAL_CREDIT in demur.choose(outcomes(0.5), **how).notes
    assert BY_PARTIAL_CREDIT not in demur.choose(outcomes(0.0), **how).notes
    clusters = outcomes(0.5, cluster=[f"c{n // 2}" for n in range(240)])
    assert BY_PARTIAL_CREDIT not in demur.choose(clusters, **how).notes
    simulated = demur.choose(outcomes(0.5), **how, bound="simulated")
    assert BY_PARTIAL_CREDIT not in simulated.notes


def test_partly_right_counted_as_wrong_may_answer_more():
    how = {"max_error": 0.15, "certainty": 0.95}
    by_bets, exact = (demur.choose(outcomes(c), **how) for c in (0.001, 0.0))
    assert by_bets.answered < exact.answered
