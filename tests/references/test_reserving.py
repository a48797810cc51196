"""Reserving a test set: no subject on both sides, and near the share that is wanted."""

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import refuses
from demur import InputError, reserve

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "air_travel"


def records(*columns, names=("subject", "dialogue", "class")):
    return [
        {"item": f"q{row:03}", **dict(zip(names, values, strict=False))}
        for row, values in enumerate(zip(*columns, strict=True))
    ]


def values(listed, rows, name):
    return {listed[row].get(name) for row in rows} - {None}


def groups_plainly(listed, names):
    """Items that hang together, by walking from each to all that share something."""
    left, groups = set(range(len(listed))), []
    while left:
        group, edge = set(), [min(left)]
        while edge:
            row = edge.pop()
            if row in group:
                continue
            group.add(row)
            edge += [
                other
                for other in left - group
                if any(
                    listed[row].get(name) is not None
                    and listed[row].get(name) == listed[other].get(name)
                    for name in names
                )
            ]
        groups.append(group)
        left -= group
    return groups


graphs = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 8).map(str)),
        st.one_of(st.none(), st.integers(0, 8).map(str)),
        st.sampled_from("AD"),
    ),
    min_size=2,
    max_size=25,
)


@given(graphs, st.sampled_from([0.1, 0.3, 0.5, 0.9]), st.integers(0, 3), st.booleans())
def test_nothing_named_is_on_both_sides(rows, share, seed, stratified):
    listed = records(*zip(*rows, strict=True))
    names = [
        name
        for name in ("subject", "dialogue")
        if any(each[name] is not None for each in listed)
    ]
    groups = groups_plainly(listed, names) if names else []
    if len(groups) < 2:
        return
    found = reserve(
        listed,
        by=names,
        share=share,
        seed=seed,
        stratify="class" if stratified else None,
    )
    train, test = found.train.rows, found.test.rows
    assert sorted([*train, *test]) == list(range(len(listed)))
    assert train
    assert test
    for name in names:
        assert not values(listed, train, name) & values(listed, test, name)
        assert found.test.values[name] == len(values(listed, test, name))
    for group in groups:
        assert group <= set(train) or group <= set(test)
    assert found.groups == len(groups)
    assert found.largest == max(map(len, groups))
    assert found.share == len(test) / len(listed)
    if stratified:
        counts = Counter(listed[row]["class"] for row in test)
        assert found.test.strata == dict(counts)
    # Moving any one group would not bring the shares nearer.
    off = distance(listed, test, share, stratified=stratified)
    for group in groups:
        moved = set(test) ^ group
        if 0 < len(moved) < len(listed):
            assert distance(listed, moved, share, stratified=stratified) >= off


def distance(listed, rows, share, *, stratified):
    """The squared distances of the counts from what is wanted, exactly."""
    names = [each["class"] if stratified else "" for each in listed]
    return sum(
        (sum(names[row] == name for row in rows) - Fraction(str(share)) * count) ** 2
        for name, count in Counter(names).items()
    )


@settings(max_examples=400)
@given(st.integers(0), st.sampled_from([0.2, 0.7]))
def test_the_order_of_the_items_is_no_matter(seed, share):
    drawn = random.Random(seed)
    subject = [str(drawn.randrange(5)) for _ in range(10)]
    listed = records(subject, [None] * 10, drawn.choices("ADXYZUV", k=10))
    turned = drawn.sample(listed, 10)
    cuts = []
    for order in (listed, turned):
        try:
            found = reserve(order, by="subject", share=share, stratify="class")
        except InputError as problem:
            cuts.append(str(problem))
        else:
            cuts.append(({order[row]["item"] for row in found.test.rows}, found.share))
    assert cuts[0] == cuts[1]


def test_shares_that_binary_numbers_cannot_hold_are_exact():
    subjects, classes = (1, 1, 1, 4, 3, 3), "DDXDDA"
    listed = records(map(str, subjects), [None] * 6, classes)
    for order in (listed, listed[::-1]):
        found = reserve(order, by="subject", share=0.2, stratify="class")
        assert [order[row]["item"] for row in found.test.rows] == ["q003"]


@pytest.mark.parametrize("item", ["q001", 1])
def test_an_item_that_is_listed_twice_is_refused(item):
    listed = records([*"abc"])
    listed[1]["item"] = listed[2]["item"] = item
    with pytest.raises(InputError) as caught:
        reserve(listed, by="subject")
    assert str(caught.value) == (
        f"references: record 3: item must be listed once; got {str(item)!r} again, "
        "first at references: record 2. Judging refuses such references, too; keep one "
        "of them."
    )
    placed = [(f"a.jsonl:{at}", each) for at, each in enumerate(listed, 7)]
    refuses(r"^a\.jsonl:9: .* first at a\.jsonl:8\.", reserve, placed, by="subject")
    assert reserve(placed[:2], by="subject", share=0.5).share == 0.5


def test_an_item_without_a_name_is_refused():
    with pytest.raises(InputError, match="record 2: item must be a text"):
        reserve([*records("a"), {"subject": "b"}], by="subject")


def test_what_hangs_together_through_a_third_item_stays_together():
    listed = records([*"aabbcd"], [*"122334"])
    found = reserve(listed, by=["subject", "dialogue"], share=0.5)
    assert found.groups == 2
    assert found.largest == 5
    assert reserve(listed, by="subject", share=0.5).groups == 4


def test_items_without_a_value_stand_alone():
    listed = records([None, None, "", "", "a", "a"])
    assert reserve(listed, by="subject", share=0.5).groups == 5


@pytest.mark.parametrize("share", [0.2, 0.3, 0.5, 0.8])
def test_equal_subjects_give_the_share_that_is_wanted(share):
    listed = records([str(row // 5) for row in range(200)])
    found = reserve(listed, by="subject", share=share)
    assert found.share == share
    assert found.test.values["subject"] == round(40 * share)


@pytest.mark.parametrize("seed", range(5))
def test_strata_are_cut_alike(seed):
    subject = [str(row // 4) for row in range(400)]
    kind = ["A" if row // 4 % 4 else "D" for row in range(400)]
    listed = records(subject, [None] * 400, kind)
    found = reserve(listed, by="subject", share=0.2, stratify="class", seed=seed)
    assert found.test.strata == {"A": 60, "D": 20}
    assert found.train.strata == {"A": 240, "D": 80}
    none = reserve(listed, by="subject", share=0.2, seed=seed)
    assert none.test.strata == {}


def test_a_group_that_is_not_needed_in_the_end_is_put_back():
    # Wanted are 5 of 16: 1 and then 6 make 7, but 6 alone is nearer.
    listed = records([*"a", *"b" * 6, *"c" * 9])
    sizes = {
        len(reserve(listed, by="subject", share=5 / 16, seed=seed).test.rows)
        for seed in range(30)
    }
    assert 6 in sizes
    assert 7 not in sizes


def test_a_group_that_brings_the_share_no_nearer_is_not_taken():
    # Wanted are 3 of 8: 2 and another 2 are as far away as the first 2 alone.
    listed = records([*"aabbcccc"])
    groups = (0, 1), (2, 3), (4, 5, 6, 7)
    for seed in range(9):
        first = np.random.default_rng(seed).permutation(3)[0]
        found = reserve(listed, by="subject", share=3 / 8, seed=seed)
        assert found.test.rows == groups[first]  # and so it stays


def test_draws_repeat_with_the_seed_and_differ_without():
    listed = records([str(row // 3) for row in range(90)])
    draws = {
        seed: reserve(listed, by="subject", seed=seed).test.rows
        for seed in (*range(6),)
    }
    assert draws[0] == reserve(listed, by="subject", seed=0).test.rows
    assert len(set(draws.values())) == 6


def test_every_subject_may_come_to_the_test():
    sizes = [30, 20, 10, 10, 5, 5, 5, 5, 5, 5]
    subject = [str(at) for at, size in enumerate(sizes) for _ in range(size)]
    listed = records(subject)
    met = Counter(
        name
        for seed in range(200)
        for name in values(
            listed, reserve(listed, by="subject", seed=seed).test.rows, "subject"
        )
    )
    assert set(met) == set(map(str, range(10)))
    assert max(met.values()) < 180


def test_the_order_of_the_file_is_no_matter():
    listed = records([str(row // 3) for row in range(60)])
    turned = listed[::-1]
    here = {listed[row]["item"] for row in reserve(listed, by="subject").test.rows}
    there = {turned[row]["item"] for row in reserve(turned, by="subject").test.rows}
    assert here == there


def test_a_small_share_takes_the_smallest_group():
    listed = records([*"aaaaaaaabbbbb"])
    found = reserve(listed, by="subject", share=0.01)
    assert found.test.values["subject"] == 1
    assert len(found.test.rows) == 5


def test_references_of_files_are_reserved_alike():
    references = demur.read_references(EXAMPLE / "questions.jsonl")
    found = reserve(references, by=["subject", "cluster"], stratify="class")
    train, test = (
        [references[row] for row in side.rows] for side in (found.train, found.test)
    )
    for side in (train, test):
        assert side
    assert not {e.extra["subject"] for e in train} & {e.extra["subject"] for e in test}
    assert not {each.cluster for each in train} & {each.cluster for each in test}
    assert abs(found.share - 0.3) < 0.1
    assert set(found.test.strata) == {"A", "D", "X"}
    assert found.signature.endswith(
        "|reserve:subject+cluster|share:0.3|stratify:class|seed:0|items:99"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"by": "sbject"}, "got 'sbject'; there are item, subject, dialogue, class"),
        ({"by": "class"}, "got one group: all 4 hang together"),
        ({"by": "subject", "stratify": "x"}, "a column must be one that items have"),
        ({"by": "subject", "share": 0}, "share must be above 0 and at most 1"),
        ({"by": "subject", "share": 1.1}, "share must be a number from 0 to 1"),
        ({"by": "subject", "share": 30}, "share must be a number from 0 to 1"),
    ],
)
def test_what_cannot_be_reserved_is_refused(options, said):
    listed = records([*"abcd"], [*"1234"], [*"AAAA"])
    with pytest.raises(InputError) as caught:
        reserve(listed, **options)
    assert said in str(caught.value)


# -- contexts ------------------------------------------------------------------------


def dialogue(form):
    """One question and nine that lean on it, each in the form of a context."""
    first = {"item": "q0", "cluster": "d1"}
    return [first] + [
        {"item": f"q{row}", "cluster": "d1", "context": form} for row in range(1, 10)
    ]


@pytest.mark.parametrize("form", ["q0", ["q0"], '["q0"]', ["none", "q0"]])
def test_questions_apart_from_their_context_are_counted_and_said(form):
    listed = dialogue(form)
    found = reserve(listed, by="item", share=0.3)
    first = 0 in found.test.rows
    apart = found.train.rows if first else found.test.rows
    assert found.torn == len(apart) == found.to_dict()["torn"]
    assert found.notes[1].startswith(f"{found.torn} items lean on a context")
    [torn] = [figure for figure in found.figures() if figure.kind.name == "torn"]
    assert torn.value == found.torn


def test_whole_dialogues_keep_questions_and_contexts():
    listed = [*dialogue("q0"), {"item": "r", "cluster": "d2", "context": None}]
    found = reserve(listed, by="cluster")
    assert (found.torn, len(found.notes)) == (0, 1)
    # A context that is no item is nowhere, and not on the other side.
    assert reserve([*listed, {"item": "s", "context": "x"}], by="cluster").torn == 0
