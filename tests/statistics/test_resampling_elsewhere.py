"""Resampling on an executor: the same numbers, whoever draws, and however it is cut."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from demur.statistics import resampling
from demur.statistics.resampling import draws, draws_of_kinds, of_blocks, swaps
from executor_cases import EXECUTORS, Backwards

N = 300
DRAWN = np.random.default_rng(3)


def system(name: str, *, weights: bool = False, silent: float = 0.0) -> demur.Outcomes:
    sure = DRAWN.random(N)
    right = DRAWN.random(N) < 0.4 + sure / 2
    guess = DRAWN.random(N) >= silent
    return demur.Outcomes.from_arrays(
        item=range(N),
        system=name,
        correct=[bool(r) if g else None for r, g in zip(right, guess, strict=True)],
        confidence=[s if g else None for s, g in zip(sure, guess, strict=True)],
        cluster=[f"c{number % 90}" for number in range(N)] if silent else None,
        weight=np.random.default_rng(5).random(N) + 0.5 if weights else None,
    )


A, B, C = (system(name) for name in "abc")
HEAVY, OTHER = (system(name, weights=True) for name in "hw")
SPOKEN, HEARD = (system(name, silent=0.1) for name in "sh")

VERBS = {
    "bootstrap": lambda **how: demur.compare(A, B, method="bootstrap", **how),
    "permutation": lambda **how: demur.compare(A, B, method="permutation", **how),
    "nonreturn": lambda **how: demur.compare(A, B, at_error=0.2, **how),
    "clusters": lambda **how: demur.compare(SPOKEN, HEARD, method="bootstrap", **how),
    "weights": lambda **how: demur.compare(HEAVY, OTHER, method="permutation", **how),
    "several rates": lambda **how: demur.compare(
        A, B, at=[0.1, 0.3], method="bootstrap", **how
    ),
    "all pairs": lambda **how: demur.compare_all([A, B, C], method="bootstrap", **how),
    "band": lambda **how: demur.band(HEAVY, **how),
    "pointwise band": lambda **how: demur.band(SPOKEN, method="bootstrap", **how),
    "interval": lambda **how: demur.interval(HEAVY, method="bootstrap", **how),
}
"""What resamples; of all but the first in one more process only."""


@pytest.mark.parametrize("verb", VERBS)
def test_no_executor_changes_a_number(verb):
    alone = VERBS[verb](seed=3).to_dict()
    assert VERBS[verb](seed=3, executor=Backwards()).to_dict() == alone
    assert VERBS[verb](seed=4, executor=Backwards()).to_dict() != alone


@pytest.mark.parametrize("name", EXECUTORS)
def test_no_number_of_workers_changes_a_number(name):
    with EXECUTORS[name]() as executor:
        for verb in ("permutation", "band"):
            found = VERBS[verb](seed=3, executor=executor)
            alone = VERBS[verb](seed=3)
            assert found.to_dict() == alone.to_dict()
            assert found.signature == alone.signature


def kinds(n_units: int, replicates: int, seed: int, *, width: int) -> resampling.Draws:
    size = np.arange(1, n_units + 1)
    return draws_of_kinds(
        size if width % 2 else np.ones(n_units, int), replicates, seed
    )


@settings(max_examples=60, deadline=None)
@given(
    make=st.sampled_from([draws, swaps, kinds]),
    n_units=st.integers(1, 40),
    replicates=st.integers(1, 60),
    width=st.integers(0, 90),
    seed=st.integers(0, 5),
    block=st.integers(1, 300),
    most=st.integers(1, 70),
)
def test_parts_are_the_blocks_of_the_whole(
    make, n_units, replicates, width, seed, block, most
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "BLOCK", block)
        whole = make(n_units, replicates, seed, width=width)
        parts = list(whole.parts(most))
        assert len(parts) <= most
        last_first = [list(part) for part in reversed(parts)][::-1]
        cut = [row for part in last_first for each in part for row in each.tolist()]
        assert cut == [row for each in whole for row in each.tolist()]
        assert len(cut) == replicates


def test_a_part_holds_little():
    import pickle

    part = next(draws(100_000, 2000, seed=0).parts(32))
    assert len(pickle.dumps(part)) < 1000


def test_the_draws_of_a_seed_are_what_they_have_always_been():
    plain = np.random.default_rng(7)
    for at, block in enumerate(draws(1000, 70, seed=7)):
        size = 32 if at < 2 else 6
        unit = plain.integers(0, 1000, (size, 1000))
        wanted = [np.bincount(row, minlength=1000).tolist() for row in unit]
        assert block.tolist() == wanted


def test_no_executor_reaches_what_is_asked_later():
    found = VERBS["all pairs"](executor=Backwards())
    assert found.again.__self__.testing["executor"] is None
    two = VERBS["bootstrap"](executor=Backwards())
    assert two.again.args[2]["executor"] is None


def test_blocks_are_given_as_they_come():
    drawn = draws(2**14, 5, seed=0)
    assert (
        of_blocks(len, drawn, None) == of_blocks(len, drawn, Backwards()) == [2, 2, 1]
    )
