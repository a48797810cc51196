"""What counts say of the task they were drawn from: plain twins, laws, and edges."""

import math
from collections import Counter, defaultdict
from itertools import permutations
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.difficulty.task_intervals import drawn_task

rows = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("uvw"), st.integers(0, 6)),
    min_size=1,
    max_size=25,
)


def measured(drawn, *, clustered=True):
    table = {
        "word": [word for word, _, _ in drawn],
        "sense": [sense for _, sense, _ in drawn],
        "doc": [doc for _, _, doc in drawn] if clustered else range(len(drawn)),
    }
    cluster = "doc" if clustered else None
    return demur.difficulty(table, markable="word", value="sense", cluster=cluster)


def counted(drawn):
    counts = defaultdict(Counter)
    for word, sense, _ in drawn:
        counts[word][sense] += 1
    return counts


def bits(drawn):
    counts = counted(drawn)
    return sum(-log2(counts[w][s] / counts[w].total()) for w, s, _ in drawn)


def best(drawn):
    return sum(max(values.values()) for values in counted(drawn).values())


def alike(drawn):
    """Items times the share of pairs in two documents with one value; at most best."""
    total = 0
    for word, values in counted(drawn).items():
        here = [(sense, doc) for w, sense, doc in drawn if w == word]
        pairs = [a[0] == b[0] for a, b in permutations(here, 2) if a[1] != b[1]]
        share = sum(pairs) / max(len(pairs), 1)
        total += min(len(here) * share, max(values.values()))
    return total


@given(rows, st.booleans())
def test_the_jackknife_is_that_of_leaving_each_unit_out(drawn, clustered):
    if not clustered:
        drawn = [(word, sense, k) for k, (word, sense, _) in enumerate(drawn)]
    found = measured(drawn, clustered=clustered)
    added = {"entropy": 0.0, "baseline": 0.0}
    learned = 0.0
    for doc in {doc for _, _, doc in drawn}:
        others = [row for row in drawn if row[2] != doc]
        added["entropy"] += bits(drawn) - bits(others)
        added["baseline"] += best(drawn) - best(others)
        counts = counted(others)
        for word, sense, own in drawn:
            most = max(counts[word].values(), default=0)
            tied = [s for s, n in counts[word].items() if n == most]
            learned += own == doc and sense in tied and 1 / len(tied)
    n = len(drawn)
    assert found.true_entropy == pytest.approx(added["entropy"] / n, abs=1e-9)
    least = max(added["baseline"], alike(drawn))
    assert found.true_baseline == pytest.approx(least / n)
    assert drawn_task(found.task).learned.sum() == pytest.approx(learned)
    assert learned / n <= found.true_baseline + 1e-9 <= found.baseline + 2e-9
    for name, most in (("true_entropy", math.inf), ("true_baseline", 1.0)):
        ends, value = getattr(found, f"{name}_interval"), getattr(found, name)
        if ends is not None:
            assert 0 <= ends[0] <= value + 1e-9
            assert value <= ends[1] + 1e-9 <= most + 1e-9


@pytest.mark.parametrize("items", [10, 400])
def test_the_true_figures_are_held_where_those_seen_are_not(items):
    """Markables of eight equally frequent values: 3 bits, and a baseline of 1/8."""
    rng = np.random.default_rng(0)
    seen = [(word, str(rng.integers(8)), 0) for word in "abcdefghij" * items]
    found = measured(seen, clustered=False)
    assert found.entropy < 2.99
    assert found.baseline > 0.14
    for ends, truth in (
        (found.true_entropy_interval, 3),
        (found.true_baseline_interval, 1 / 8),
    ):
        assert ends[0] < truth < ends[1]


def test_equal_shares_leave_room_on_both_sides():
    """Before, 3 bits had the interval 2.955 to 1.0."""
    counts = {word: dict.fromkeys("stuvwxyz", 5) for word in "abc"}
    found = demur.difficulty_of_counts(counts)
    low, high = found.true_entropy_interval
    assert low < 3 < high
    low, high = found.true_baseline_interval
    assert found.true_baseline == pytest.approx(4 / 39)
    assert low < 4 / 39 < 1 / 8 < high


def test_one_value_may_have_others_that_were_not_seen():
    found = demur.difficulty_of_counts({"a": {"u": 60}, "b": {"v": 40}})
    assert (found.true_entropy, found.true_baseline) == (0, 1)
    low, high = found.true_entropy_interval
    assert low == 0 < high < 0.3
    low, high = found.true_baseline_interval
    assert 0.9 < low < high == 1


def test_what_the_sample_cannot_say_is_left_open():
    single = {word: {word: 1} for word in "abcdefgh"}
    found = demur.difficulty_of_counts(single)
    assert found.true_entropy_interval == (0, math.inf)
    assert found.true_baseline_interval == (0, 1)
    assert "no upper end: 100 % of the items" in found.notes[-1]
    closed = demur.difficulty_of_counts(single, closed=True)
    assert closed.true_entropy_interval[1] < math.inf
    assert not any("no upper end" in note for note in closed.notes)
    many = {**single, "m": {"u": 20, "v": 12}}
    told = demur.difficulty_of_counts(many)
    assert told.true_entropy_interval[1] < math.inf
    assert "20 % of the items are of markables that no other item has" in told.notes[-1]
    few = demur.difficulty_of_counts({"a": {"u": 4}})
    assert few.true_entropy_interval is None is few.true_baseline_interval
    assert "no intervals: 4 items; 5 are needed" in few.notes


def test_closed_values_bound_the_entropy():
    counts = {"a": {"u": 5, "v": 5, "w": 1}, "b": {"u": 7, "v": 6}}
    free, closed = (
        demur.difficulty_of_counts(counts, closed=closed) for closed in (False, True)
    )
    assert closed.true_entropy <= (11 * log2(3) + 13) / 24
    assert closed.true_entropy_interval[1] < free.true_entropy_interval[1]


def test_documents_of_one_sense_count_once():
    """Twelve documents that repeat one draw tell as much as twelve items."""
    drawn = [("a", "uvu"[k % 3], k) for k in range(12) for _ in range(5)]
    once, alone = measured(drawn), measured(drawn, clustered=False)
    width = [
        high - low
        for low, high in (once.true_entropy_interval, alone.true_entropy_interval)
    ]
    assert width[0] > 2 * width[1]
    assert once.true_entropy > alone.true_entropy > once.entropy


def test_a_sample_of_real_words_holds_the_whole(demur_data):
    """Every ninth word of MASC: .57 bits seen, and .650 in all."""
    import pandas

    path = demur_data / "wsd_masc_noad" / "tokens.tsv.gz"
    frame = pandas.read_csv(path, sep="\t", quoting=3, dtype=str, na_filter=False)
    names = {"markable": ["lemma", "pos"], "value": "sense", "cluster": "doc"}
    for first in (0, 4):
        found = demur.difficulty(frame.iloc[first::9], **names)
        low, high = found.true_entropy_interval
        assert found.entropy < 0.6 < low < 0.650 < high
        low, high = found.true_baseline_interval
        assert low < 0.823 < high


def test_how_hard_markables_seen_once_are_is_left_open():
    """Rare markables are harder: before, the baseline .702 had .917 to .982."""
    rng = np.random.default_rng(6)
    rare = rng.random(300) < 0.3
    word = np.where(rare, 100 + rng.integers(0, 400, 300), rng.integers(0, 10, 300))
    value = np.where(rare, rng.integers(0, 8, 300), rng.random(300) < 0.05)
    table = {"word": word.tolist(), "value": value.tolist()}
    free, closed = (
        demur.difficulty(table, markable="word", value="value", closed=closed)
        for closed in (False, True)
    )
    low, high = free.true_baseline_interval
    assert low < 0.7 * 0.95 + 0.3 / 8 < high
    low, high = free.true_entropy_interval
    assert low < 0.7 * 0.286 + 0.3 * 3 < high
    assert "for best values that are never right, and for 8 equally" in free.notes[-1]
    # Closed, a markable with one value seen has no other.
    assert closed.true_baseline_interval[0] > free.true_baseline_interval[0] + 0.15
    assert closed.true_entropy_interval[1] < free.true_entropy_interval[1] - 0.4


@pytest.mark.parametrize(
    ("counts", "truth"),
    [
        # Of 60 items with a value of .01, two have it: before, from .100.
        ({"a": {"u": 58, "v": 2}}, 0.0808),
        # Fifty markables of .9 and .1, each seen twice: before, to .424.
        (
            {f"m{k}": {"u": 1, "v": 1} if k < 6 else {"u": 2} for k in range(50)},
            0.469,
        ),
    ],
)
def test_a_few_rare_values_may_be_rarer_or_less_rare(counts, truth):
    low, high = demur.difficulty_of_counts(counts).true_entropy_interval
    assert low < truth < high
