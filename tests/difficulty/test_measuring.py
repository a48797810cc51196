"""How hard a task is: golden cases, a plain twin, laws, pruning, and bad tables."""

import json
from collections import Counter, defaultdict
from fractions import Fraction
from math import inf, log2

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses, undefined
from demur.difficulty.entropies import ESTIMATORS
from nlu_cases import case, cases, masc

# -- golden --------------------------------------------------------------------------

NAMES = {
    "VS": "items",
    "markables": "markables",
    "values": "values",
    "B": "baseline",
    "H": "entropy",
    "total_bits": "total_bits",
    "bits": "total_bits",
    "perplexity": "perplexity",
    "effective_choices": "perplexity",
    "chance": "chance",
    "chance_uniform": "chance",
    "chance_stratified": "prior",
}


def held(found, expected, *, few):
    for name, wanted in expected.items():
        if name in NAMES:
            digits = 4 if name in ("bits", "perplexity") else 6
            assert round(getattr(found, NAMES[name]), digits) == pytest.approx(
                wanted, abs=2e-6 if digits == 6 else 1e-4
            ), name
        elif name in ("H_i", "B_i"):
            field = "entropy" if name == "H_i" else "baseline"
            values = {
                each.markable: getattr(each, field) for each in found.per_markable
            }
            for markable, value in wanted.items():
                assert values[markable] == pytest.approx(value, abs=1e-6)
        elif name == "H_MM" and not few:
            assert found.miller_madow == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("one", cases("porzel.task_difficulty"))
def test_golden_tasks(one, request):
    if "values" in one["input"]:
        found = demur.difficulty_of_counts(one["input"]["values"])
        few = found.few > 0
    else:
        found = masc(request.getfixturevalue("demur_data"), one["input"]["filter"])
        few = one["input"]["filter"] == "all"
    held(found, one["expected"], few=few)


@pytest.mark.parametrize("one", cases("porzel.ratio"))
def test_the_ratios_of_the_paper(one):
    given, printed = one["input"], one["paper_printed"]["H"]
    assert given["total_bits"] / given["VS"] == pytest.approx(
        one["expected"]["H"], abs=5e-6
    )
    assert round(given["total_bits"] / given["VS"], 2) == printed


def test_a_further_easy_markable_is_harder_and_easier_at_once():
    """The paper's T1 and T2, whose entropy it misprints."""
    wanted = case("porzel_direction_T1_T2")
    first, second = (
        demur.difficulty_of_counts(case(name)["input"]["values"])
        for name in ("porzel_T1", "porzel_T2")
    )
    differences = {
        "dB": second.baseline - first.baseline,
        "dH": second.entropy - first.entropy,
        "dTotalBits": second.total_bits - first.total_bits,
    }
    assert differences == pytest.approx(wanted["expected"], abs=1e-6)


@pytest.mark.parametrize("one", cases("porzel.binary_decisions"))
def test_golden_decisions(one):
    given, wanted = one["input"], one["expected"]
    for decisions in (given["d"], None):
        found = demur.decision_table(
            given["p"], accuracy=given["f"], decisions=decisions
        )
        assert found.mean == pytest.approx(wanted["sum_p_d"])
        assert found.expected_accuracy == pytest.approx(wanted["expected_accuracy"])
        assert found.expected_accuracy >= given["f"] ** found.mean - 1e-12


@pytest.mark.parametrize("one", cases("entropy.estimators_bits"))
def test_golden_estimators(one):
    names = zip(one["expected"].values(), ESTIMATORS, strict=True)
    for wanted, estimator in names:
        found = demur.entropy_of_counts(one["input"]["counts"], estimator)
        assert found == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("one", cases("porzel.prune_vertical"))
def test_golden_vertical_pruning(one):
    held(senseval().prune(drop_ranks=[3]), one["expected"], few=False)


@pytest.mark.parametrize("one", cases("porzel.prune_diagonal"))
def test_golden_diagonal_pruning(one):
    found = senseval().prune("majority >= 0.6", drop_ranks=[3])
    held(found, one["expected"], few=False)
    assert sorted(found.task.markables) == one["expected"]["kept"]
    assert "rank 3 by frequency; markables with majority >= 0.6" in found.signature


def senseval():
    values = case("senseval2_four_words_whole")["input"]["values"]
    return demur.difficulty_of_counts(values)


@pytest.mark.parametrize("one", cases("normalise.lift"))
def test_golden_lifts(one):
    given, wanted = one["input"], one["expected"]["lift"]
    if wanted is None:
        undefined("baseline of 1", demur.lift, given["acc"], given["B"])
    else:
        assert demur.lift(given["acc"], given["B"]) == pytest.approx(wanted, abs=1e-6)


def test_chao_and_shen_see_more_on_real_words(demur_data):
    assert masc(demur_data, "ambiguous_min10").chao_shen == pytest.approx(
        0.853, abs=5e-4
    )


# -- a plain twin, and laws ----------------------------------------------------------

tokens = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("uvwx"), st.integers(0, 3)),
    min_size=1,
    max_size=40,
)


def table_of(rows):
    return {
        "word": [word for word, _, _ in rows],
        "sense": [sense for _, sense, _ in rows],
        "doc": [doc for _, _, doc in rows],
    }


@given(tokens)
def test_every_figure_is_that_of_a_plain_count(rows):
    found = demur.difficulty(table_of(rows), markable="word", value="sense")
    own = defaultdict(Counter)
    for word, sense, _ in rows:
        own[word][sense] += 1
    n = len(rows)
    best = sum(max(each.values()) for each in own.values())
    assert found.baseline == pytest.approx(float(Fraction(best, n)))
    bits = sum(-log2(own[w][s] / own[w].total()) for w, s, _ in rows)
    assert found.total_bits == pytest.approx(bits, abs=1e-9)
    assert found.entropy == pytest.approx(bits / n, abs=1e-9)
    chance = sum(Fraction(1, len(own[w])) for w, _, _ in rows) / n
    assert found.chance == pytest.approx(float(chance))
    prior = sum(Fraction(own[w][s], own[w].total()) for w, s, _ in rows) / n
    assert found.prior == pytest.approx(float(prior))
    assert sum(items for _, items in found.strata) == n
    table = found.item_table()
    for row, (word, sense, _) in enumerate(rows):
        order = sorted(own[word], key=lambda s, word=word: (-own[word][s], s))
        assert table["rank"][row] == order.index(sense) + 1
        assert table["is_majority"][row] == (order[0] == sense)
        assert table["p"][row] == pytest.approx(own[word][sense] / own[word].total())


@given(tokens)
def test_bounds_between_baseline_and_entropy(rows):
    found = demur.difficulty(table_of(rows), markable="word", value="sense")
    for each in [*found.per_markable, found]:
        error, bits = 1 - each.baseline, each.entropy
        assert 2**-bits <= each.baseline + 1e-12
        assert error <= bits / 2 + 1e-12  # Hellman and Raviv
    for each in found.per_markable:
        e = 1 - each.baseline
        doubt = 0 if e in (0, 1) else -e * log2(e) - (1 - e) * log2(1 - e)
        more = e * log2(each.values - 1) if each.values > 1 else 0
        assert each.entropy <= doubt + more + 1e-9  # Fano
    assert found.chance <= found.baseline + 1e-12
    assert found.prior <= found.baseline + 1e-12


@given(tokens, st.randoms())
def test_the_order_of_rows_and_the_names_of_values_do_not_matter(rows, random):
    mixed = list(rows)
    random.shuffle(mixed)
    renamed = [(w, s.upper(), d) for w, s, d in mixed]
    one, two = (
        demur.difficulty(table_of(each), markable="word", value="sense", cluster="doc")
        for each in (rows, renamed)
    )
    assert one.strata == two.strata
    for name in ("baseline", "entropy", "chance", "prior", "chao_shen"):
        assert getattr(one, name) == pytest.approx(getattr(two, name))
    for name in ("true_entropy_interval", "true_baseline_interval"):
        assert getattr(one, name) == pytest.approx(getattr(two, name), abs=1e-9)


@given(tokens)
def test_pruning_leaves_what_it_says(rows):
    found = demur.difficulty(table_of(rows), markable="word", value="sense")
    wanted = [each for each in found.per_markable if each.baseline <= 0.6]
    if not wanted:
        refuses("hold for some markable", found.prune, "majority <= 0.6")
        return
    for pruned in (
        found.prune("majority <= 0.6"),
        found.prune(lambda each: each.baseline <= 0.6),
    ):
        assert [each.to_dict() for each in pruned.per_markable] == [
            each.to_dict() for each in wanted
        ]
        assert pruned.items == sum(each.items for each in wanted)
        assert len(pruned.steps) == 1


def test_places_by_appearance_are_those_of_the_table():
    rows = {"w": ["a"] * 6, "s": ["late", "early", "early", "early", "mid", "mid"]}
    found = demur.difficulty(rows, markable="w", value="s")
    by_frequency = found.prune(drop_ranks=[1])
    assert sorted(set(by_frequency.item_table()["value"])) == ["late", "mid"]
    by_appearance = found.prune(drop_ranks=[1], order="appearance")
    assert sorted(set(by_appearance.item_table()["value"])) == ["early", "mid"]


def test_several_columns_are_one_markable_and_frames_are_read():
    frame = pandas.DataFrame(
        {"lemma": ["run", "run", "run"], "pos": ["V", "N", "V"], "s": [1, 2, 3]}
    )
    found = demur.difficulty(frame, markable=["lemma", "pos"], value="s")
    assert {each.markable: each.items for each in found.per_markable} == {
        "run/V": 2,
        "run/N": 1,
    }


def test_a_closed_set_of_values_caps_the_corrected_entropy():
    counts = {"a": dict.fromkeys("uvwxyz", 1)}
    free, closed = (
        demur.difficulty_of_counts(counts, closed=closed) for closed in (False, True)
    )
    assert free.grassberger > log2(6) == pytest.approx(closed.grassberger)
    assert free.entropy == closed.entropy


def test_five_items_are_enough_for_a_correction():
    found = demur.difficulty_of_counts({"a": {"u": 3, "v": 2}})
    assert found.chao_shen == pytest.approx(
        demur.entropy_of_counts([3, 2], "Chao-Shen")
    )
    assert found.miller_madow > found.entropy
    four = demur.difficulty_of_counts({"a": {"u": 2, "v": 2}})
    assert four.miller_madow == four.entropy


def test_small_and_diluted_tasks_say_so():
    counts = {"a": {"u": 3, "v": 1}, "b": {"u": 50}}
    found = demur.difficulty_of_counts(counts)
    assert any("diluted" in note for note in found.notes)
    assert any("fewer than 5" in note for note in found.notes)
    nothing_else = demur.difficulty_of_counts({"a": {"u": 9}, "b": {"u": 50}})
    assert nothing_else.notes[0].startswith("markables all have one value")
    [small] = [each for each in found.per_markable if each.markable == "a"]
    assert small.chao_shen is None
    assert not demur.difficulty_of_counts({"a": {"u": 30, "v": 10}}).notes


def test_notes_begin_beyond_their_shares():
    for counts, single, few in (
        ({"a": {"u": 1}, "b": {"u": 10, "v": 9}}, 0.05, 0.05),
        ({"a": {"u": 4}, "b": {"u": 9, "v": 7}}, 0.2, 0.2),
        ({"a": {"u": 5}, "b": {"u": 10, "v": 10}}, 0.2, 0.0),
        ({"a": {"u": 6}, "b": {"u": 10, "v": 10}}, 6 / 26, 0.0),
    ):
        found = demur.difficulty_of_counts(counts)
        assert (found.single_valued, found.few) == pytest.approx((single, few))
        notes = "; ".join(found.notes)
        assert ("diluted" in notes) == (single > 0.2)
        assert ("fewer than 5" in notes) == (few > 0.05)
    few = demur.difficulty_of_counts({"a": dict.fromkeys("uvwxy", 1)})
    assert few.notes[0].startswith("few counts: corrected by Chao and Shen")


def test_strata_hold_what_is_as_hard_as_their_ends():
    found = demur.difficulty_of_counts(
        {"a": {"u": 8, "v": 4, "w": 2, "x": 1, "y": 1}, "b": {"u": 3}, "c": {"u": 2}}
    )
    assert found.strata == ((0.0, 5), (0.5, 0), (1.0, 8), (2.0, 4), (4.0, 4), (None, 0))
    hard = demur.difficulty_of_counts({"a": {"u": 16, "v": 1}})
    assert hard.strata[1:] == ((0.5, 16), (1.0, 0), (2.0, 0), (4.0, 0), (None, 1))


def test_markables_stand_by_their_items_and_names():
    counts = {
        "b": {"u": 2},
        "c": {"u": 1, "v": 2},
        "a": {"v": 1, "u": 1},
        "d": {"u": 9},
    }
    found = demur.difficulty_of_counts(counts)
    assert [one.markable for one in found.per_markable] == [*"dcab"]
    assert [one.items for one in found.per_markable] == [9, 3, 2, 2]


def test_plain_values_are_those_of_the_design():
    plain = json.loads(json.dumps(senseval().to_dict()))
    names = ["items", "markables", "baseline", "entropy", "total_bits", "perplexity"]
    assert set(names) < set(plain)
    assert set(plain["per_markable"][0]) >= {
        *("markable", "items", "values", "baseline", "entropy"),
    }


# -- bad tables ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"w": [], "s": []}, "hold at least one row"),
        ({"w": ["a", None], "s": ["u", "v"]}, "row 2: a row must have w"),
        ({"w": ["a", "b"], "s": ["u", " "]}, "row 2: a row must have s"),
        ({"w": ["a"], "t": ["u"]}, "must be one of w, t"),
        ({"w": ["a", "b"], "s": ["u"]}, "equally long"),
        ([{"w": "a"}], "have s"),
        ([3], "named fields"),
        ("tokens.tsv", "be a table"),
    ],
)
def test_tables_that_are_none(table, words):
    refuses(words, demur.difficulty, table, markable="w", value="s")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"keep": "majority is high"}, "read like"),
        ({"keep": "colour > 1"}, "majority, entropy, items, values"),
        ({"keep": "items > 100000"}, "hold for some markable"),
        ({"keep": [3]}, "or a function"),
        ({"drop_ranks": [0]}, "from 1"),
        ({"drop_ranks": [1], "order": "size"}, "frequency, appearance"),
        ({"drop_ranks": [1, 2, 3, 4, 5, 6]}, "leave some value"),
    ],
)
def test_prunings_that_are_none(how, words):
    with pytest.raises((demur.InputError, demur.ParseError), match=words):
        senseval().prune(**how)


@pytest.mark.parametrize("counts", [[], [0, 0], [-1, 2], [0.5, 0.5]])
def test_counts_that_are_none(counts):
    refuses("whole numbers", demur.entropy_of_counts, counts)


def test_counts_of_tasks_that_are_none():
    for counts in ({}, {"a": {}}, {"a": {"u": 0}}):
        refuses("at least one item", demur.difficulty_of_counts, counts)
    refuses("whole numbers", demur.difficulty_of_counts, {"a": {"u": 1.5}})


@pytest.mark.parametrize("counts", [[-1, 2], [0, 0], [inf, 1]])
def test_decisions_that_are_none(counts):
    refuses("counts must be", demur.decision_table, counts, accuracy=0.9)
