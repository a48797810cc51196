"""Decisions at their edges: a limit just met, a value that is just one more."""

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import demur
from demur.arrays import Sample
from demur.decisions import certificates
from demur.decisions.certificates import certified
from demur.decisions.declining import SMALL
from demur.decisions.locks import read_lock, read_locks, write_locks


def all_right(n_items: int) -> Sample:
    confidence = np.linspace(0, 1, n_items)
    return Sample(np.ones(n_items, bool), confidence, np.zeros(n_items))


def test_59_items_without_an_error_certify_5_per_cent_and_58_do_not() -> None:
    enough = certified(all_right(59), Fraction(1, 20), 0.95)
    assert (enough.position, enough.bound) == (0, pytest.approx(1 - 0.05 ** (1 / 59)))
    few = certified(all_right(58), Fraction(1, 20), 0.95)
    assert (few.position, few.bound) == (58, 0.0)  # silence


@pytest.mark.parametrize("of", ["all", "answered"])
def test_where_all_is_wrong_only_silence_is_certified(of: str) -> None:
    outcomes = demur.Outcomes.from_arrays(
        confidence=np.linspace(0, 1, 400),
        correct=[False] * 400,
        cluster=[f"c{row // 2}" for row in range(400)],
    )
    choice = demur.choose(outcomes, max_error=0.01, certainty=0.9, of=of)
    assert choice.cutoff is None
    assert choice.found == (of == "all")
    assert choice.bound == (0.0 if of == "all" else None)


def test_a_few_of_many_cutoffs_begin_with_the_lowest_and_end_with_the_highest() -> None:
    many = 3 * certificates.CUTOFFS
    ladder = certificates.erring(all_right(many))
    few = certificates._few_cutoffs(ladder)
    assert (few[0], few[-1]) == (many - 1, 0)
    assert len(few) <= certificates.CUTOFFS
    assert few == sorted(few, reverse=True)


def test_the_bound_of_several_groups_is_that_of_the_worst() -> None:
    draw = np.random.default_rng(3)
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(900),
            "confidence": draw.random(900),
            "correct": (np.arange(900) % 3 > 0) | (np.arange(900) % 10 > 0),
        },
        groups={"topic": np.array(list("xyz") * 300, object)},
    )
    choice = demur.choose(outcomes, max_error=0.2, certainty=0.9, each="topic")
    bounds = {risk.what: risk.bound for risk in choice.risks}
    assert len(set(bounds.values())) > 1
    assert choice.bound == max(bounds.values())


def test_items_that_are_not_numbered_through_tell_what_was_seen_before() -> None:
    first = demur.Outcomes.from_arrays(
        item=[5, 1, 7], confidence=[0.9, 0.5, 0.1], correct=[1, 0, 1]
    )
    other = demur.Outcomes.from_arrays(
        item=[5, 1, 9], confidence=[0.9, 0.5, 0.1], correct=[1, 0, 1]
    )
    judged = demur.choose(first, max_error=0.5).on(other)
    assert any("2 of the 3 items" in note for note in judged.notes)


def test_ungraded_answers_are_counted_in_the_note() -> None:
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(5),
            "confidence": np.array([0.9, 0.8, 0.7, 0.6, 0.1]),
            "outcome": np.array(["ungraded", "right", "wrong", "right", "ungraded"]),
        },
        groups={"g": np.array(list("aabbb"), object)},
    )
    notes = demur.declining_by(outcomes, "g", cutoff=0.5).notes
    assert "1 ungraded answers count as errors" in notes


@pytest.mark.parametrize("small", [SMALL - 1, SMALL])
def test_groups_are_compared_from_a_size_on(small: int) -> None:
    sizes = {"a": small, "b": 3 * SMALL, "c": 3 * SMALL}
    names = [name for name, size in sizes.items() for _ in range(size)]
    draw = np.random.default_rng(1)
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(len(names)),
            "confidence": draw.random(len(names)),
            "correct": draw.random(len(names)) < 0.7,
        },
        groups={"g": np.array(names, object)},
    )
    declining = demur.declining_by(outcomes, "g", cutoff=0.5)
    assert declining.gaps[0].pairs == (1 if small < SMALL else 3)


@pytest.mark.parametrize("certainty", [0, 1, 1.5])
def test_a_certainty_is_neither_0_nor_1(certainty: float) -> None:
    outcomes = demur.Outcomes.from_arrays(confidence=[0.9, 0.5], correct=[1, 0])
    choice = demur.choose(outcomes, max_error=0.5)
    with pytest.raises(demur.InputError, match="certainty must be"):
        demur.lock(outcomes, choice, certainty=certainty)
    with pytest.raises(demur.InputError, match="certainty must be"):
        demur.certified_error(outcomes, cutoff=0.5, certainty=certainty)


def test_a_bound_that_equals_the_target_breaks_nothing() -> None:
    right = demur.Outcomes.from_arrays(
        item=[f"a{row}" for row in range(50)],
        confidence=np.linspace(0, 1, 50),
        correct=[True] * 50,
    )
    locked = demur.lock(right, demur.choose(right, max_error=0))
    other = demur.Outcomes.from_arrays(
        item=[f"b{row}" for row in range(50)],
        confidence=np.linspace(0, 1, 50),
        correct=[True] * 50,
    )
    found = demur.recheck(locked, other)
    assert locked.target == 0
    assert (found.lower, found.verdict) == (0.0, "inconclusive")


def test_one_lock_is_read_and_two_are_refused(tmp_path: Any) -> None:
    outcomes = demur.Outcomes.from_arrays(
        system="a", confidence=[0.9, 0.5], correct=[1, 0]
    )
    first = demur.lock(outcomes, demur.choose(outcomes, max_error=0.5))
    second = type(first)(**{**vars(first), "system": "b"})
    path = tmp_path / "locks.json"
    write_locks([first, second], path)
    assert [each.system for each in read_locks(path)] == ["a", "b"]
    with pytest.raises(demur.ParseError, match="be of one system"):
        read_lock(path)
    kept = json.loads(path.read_text())
    assert kept["locks"][0]["demur-lock"] == 1  # files of this version stay readable


def test_the_test_of_declined_shares_is_named() -> None:
    clustered = {"cluster": [f"c{row // 5}" for row in range(100)]}
    for columns, named in (
        (clustered, "declined: z"),
        ({}, "declined: Fisher's exact"),
    ):
        outcomes = [
            demur.Outcomes.from_arrays(
                item=[f"{name}{row}" for row in range(100)],
                confidence=[(row // 5) / 20 for row in range(100)],
                correct=[row % 7 > 0 for row in range(100)],
                **columns,
            )
            for name in "ab"
        ]
        locked = demur.lock(outcomes[0], demur.choose(outcomes[0], max_error=0.1))
        assert demur.recheck(locked, outcomes[1]).drift.method.startswith(named)


def test_certified_cutoffs_of_answered_items_against_all_cutoffs() -> None:
    # Where few are answered nothing can be certified, and lower cutoffs are tried.
    draw = np.random.default_rng(7)
    confidence = draw.random(600)
    correct = draw.random(600) < 0.97
    outcomes = demur.Outcomes.from_arrays(
        confidence=confidence,
        correct=correct,
        cluster=[f"c{row // 2}" for row in range(600)],
    )
    choice = demur.choose(outcomes, max_error=0.1, certainty=0.9, of="answered")
    assert choice.found
    assert choice.bound is not None
    assert choice.bound <= 0.1
    answered = confidence >= choice.cutoff
    assert answered.mean() > 0.5
    assert 1 - correct[answered].mean() < 0.1
