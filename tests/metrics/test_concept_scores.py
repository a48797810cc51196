"""Precision, recall and F of concepts: SLURP's figures, a plain twin, laws."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed_json, refuses, write_records
from demur.metrics.concept_scores import MATCHES
from demur.statistics.ratios import ratio_interval

# -- a plain twin ----------------------------------------------------------------------


def edits(left, right):
    """The fewest changes that make one sequence of the other."""
    table = np.zeros((len(left) + 1, len(right) + 1), int)
    table[:, 0], table[0] = range(len(left) + 1), range(len(right) + 1)
    for i, a in enumerate(left, 1):
        for j, b in enumerate(right, 1):
            around = table[i - 1, j] + 1, table[i, j - 1] + 1
            table[i, j] = min(*around, table[i - 1, j - 1] + (a != b))
    return int(table[-1, -1])


def in_words(true, hyp):
    return edits(true.split(), hyp.split()) / len(true.split())


def in_characters(true, hyp):
    return edits(true, hyp) / max(len(true), len(hyp))


def counted(true, hyp, distance):
    """tp, fp and fn as SLURP's paper has them."""
    left, tp, fp = list(true), 0, 0.0
    shared = 0.0
    for name, value in hyp or []:
        best = None
        for place, (of, other) in enumerate(left):
            if of == name and (best is None or distance(other, value) < best[0]):
                best = distance(other, value), place
        if best is None:
            fp += 1
        else:
            tp += 1
            shared += best[0]
            left.pop(best[1])
    return np.array([tp, fp + shared, len(left) + shared])


def in_bags(true, hyp):
    same = (Counter(true) & Counter(hyp or [])).total()
    return np.array([same, len(hyp or []) - same, len(true) - same])


def plain(true, hyp, match):
    if match == "concept":
        return in_bags(true, hyp)
    parts = {"word": [in_words], "character": [in_characters]}
    ways = parts.get(match, [in_words, in_characters])
    return sum(counted(true, hyp, way) for way in ways)


values = st.lists(st.sampled_from(["new", "york", "newark", "5"]), min_size=1)
entities = st.lists(
    st.tuples(st.sampled_from(["city", "date"]), values.map(" ".join)), max_size=4
)
items = st.lists(st.tuples(entities, st.none() | entities), min_size=1, max_size=9)


def scored(rows, **how):
    return demur.concept_errors(
        hypotheses=[hyp for _, hyp in rows],
        references=[true for true, _ in rows],
        **how,
    )


def figures(sums):
    tp, fp, fn = sums
    return (
        *(tp, fp, fn, tp / (tp + fp) if tp + fp else None),
        *(tp / (tp + fn) if tp + fn else None,),
        2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None,
    )


@given(items)
def test_scores_are_those_of_a_plain_twin(rows):
    found = scored(rows, order="bag")
    answered = [(true, hyp) for true, hyp in rows if hyp is not None]
    none = np.zeros(3)
    for match in MATCHES:
        score = found.score(match)
        of_all = figures(sum((plain(*row, match) for row in rows), none))
        names = ("right", "further", "missing", "precision", "recall", "f")
        assert [getattr(score, name) for name in names] == pytest.approx(of_all)
        *_, recall, f = figures(sum((plain(*row, match) for row in answered), none))
        assert (score.recall_answered, score.f_answered) == pytest.approx((recall, f))


# -- laws ------------------------------------------------------------------------------


@given(items)
def test_the_same_on_both_sides_is_perfect(rows):
    same = [(true, true) for true, _ in rows]
    for order in ("sequence", "bag"):
        for score in scored(same, order=order).scores:
            assert (score.further, score.missing) == (0, 0)
            assert score.f == (1 if any(true for true, _ in rows) else None)


@given(items)
def test_swapped_sides_swap_precision_and_recall(rows):
    """In bags; by characters if names stand once; not by words."""
    both = [(true, hyp or []) for true, hyp in rows]
    once = [(list(dict(true).items()), list(dict(hyp).items())) for true, hyp in both]
    for given_, match in ((both, "concept"), (once, "concept"), (once, "character")):
        there = scored(given_, order="bag").score(match)
        back = scored([row[::-1] for row in given_], order="bag").score(match)
        assert there.precision == pytest.approx(back.recall)
        assert there.recall == pytest.approx(back.precision)
        assert there.f == pytest.approx(back.f)


@given(items)
def test_counts_fit_the_errors(rows):
    for order in ("sequence", "bag"):
        found = scored(rows, order=order)
        score = found.score("concept")
        assert score.further == found.substitutions + found.insertions
        assert score.right + score.missing == found.cer.units
        slu, word, character = map(found.score, ("slu", "word", "character"))
        assert word.right == character.right == slu.right / 2 >= score.right
        assert slu.further == pytest.approx(word.further + character.further)
        assert slu.missing == pytest.approx(word.missing + character.missing)


def test_intervals_are_over_clusters():
    rng = np.random.default_rng(0)
    rows = [
        (
            [("city", "new york")],
            None if k % 7 == 0 else [("city", rng.choice(["new", "york"]))],
        )
        for k in range(40)
    ]
    cluster = np.arange(40) // 4
    table = {"ref": [t for t, _ in rows], "hyp": [h for _, h in rows]}
    score = demur.concept_errors(table | {"cluster": cluster}, level=0.9).score("slu")
    counts = np.array([plain(*row, "slu") for row in rows])
    right, further, missing = counts.T
    for name, below in (
        ("precision", right + further),
        ("recall", right + missing),
        ("f", right + (further + missing) / 2),
    ):
        wanted = ratio_interval(right, below, cluster, 0.9, share=True)
        assert getattr(score, f"{name}_interval") == pytest.approx(wanted)
        low, high = wanted
        assert low < getattr(score, name) < high
    kept = np.array([hyp is not None for _, hyp in rows])
    of = counts[kept, 0], counts[kept] @ [1, 0.5, 0.5], cluster[kept], 0.9
    assert score.f_answered_interval == pytest.approx(ratio_interval(*of, share=True))


# -- cases -----------------------------------------------------------------------------


def test_the_order_of_what_is_given_tells():
    """A given concept may take what the next would have matched, as in SLURP."""
    true = [("city", "Rome")]
    first, then = ("city", "Rome"), ("city", "Pisa")
    scores = {
        order: scored([(true, [*order])], order="bag").score("word")
        for order in ((first, then), (then, first))
    }
    assert [score.f for score in scores.values()] == pytest.approx([2 / 3, 2 / 5])


def test_values_that_are_none_or_empty_or_longer():
    rows = [
        (
            [("yes", None), ("city", ""), ("day", "may")],
            [("yes", None), ("city", "Rome")],
        ),
        ([("city", "Rome")], [("city", "the town of Rome")]),
    ]
    word, character = (scored(rows).score(match) for match in ("word", "character"))
    assert (word.right, word.further, word.missing) == (3, 1 + 3, 1 + 1 + 3)
    assert character.further == pytest.approx(1 + 12 / 16)


def test_classes_say_what_of_a_concept_counts():
    rows = [([("yes", "yeah"), ("please", "")], [("yes", "sure"), ("please", "x")])]
    assert scored(rows).score("concept").f == 0
    classes = {"yes": "value-insensitive", "please": "non-concept"}
    for score in scored(rows, classes=classes).scores:
        assert (score.f, score.further, score.missing) == (1, 0, 0)


def test_objects_of_slurp_are_concepts():
    told = {"type": "date", "filler": "march the fifth"}
    found = scored([([told], [("date", "march the fifth")]), ([told], [told])])
    assert (found.cer.value, found.score("slu").f) == (0, 1)
    refuses("names, or pairs", scored, [([{"type": 1, "filler": "x"}], [])])


def test_nothing_anywhere_has_no_score():
    for score in scored([([], None), ([], [])]).scores:
        assert (score.precision, score.recall, score.f) == (None, None, None)
    refuses("match", scored([([], [])]).score, "slurp")


def test_the_command_prints_and_gates_slu_f(tmp_path):
    row = {"ref": [["city", "new york"]], "hyp": [["city", "new"]]}
    path = write_records(tmp_path / "c.jsonl", [row] * 6)
    found = printed_json("metrics", "concepts", path, "--fail-if", "f slu < 0.6")
    slu = found["scores"][-1]
    assert slu["match"] == "slu"
    assert slu["f"] == pytest.approx(2 / (2 + 0.5 + 5 / 8))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        # Precision, recall, F of entities; of words; of characters; SLU-F1: printed by
        # SLURP's own program (commit 8eb1654) of these predictions.
        ("gold_hermit", (0.792576, 0.771520, 0.781906, 0.810884, 0.816777, 0.813820)),
        ("google_hermit", (0.589905, 0.570398, 0.579987, 0.640124, 0.681173, 0.660011)),
        (
            "multi_slurp_hermit",
            (0.674263, 0.611905, 0.641573, 0.693449, 0.723900, 0.708347),
        ),
    ],
)
def test_published_predictions_of_slurp(demur_data, name, wanted):
    rows = slurp(demur_data, name)
    found = scored(rows, order="bag")
    concept = found.score("concept")
    figures_ = (
        *(concept.precision, concept.recall_answered),
        *(score.f_answered for score in found.scores),
    )
    assert figures_ == pytest.approx(wanted, abs=1e-6)


def slurp(data, name):
    """True and given entities of each recording; None where it has no answer."""
    folder = data / "slurp_nlu_outputs"
    records = demur.iter_records
    gold = {
        str(row["id"]): row["entities"] for _, row in records(folder / "gold.jsonl.gz")
    }
    given_ = {
        str(row["id"]): row["entities"]
        for _, row in records(folder / f"pred_{name}.jsonl.gz")
    }
    if name.startswith("gold_"):
        return [(gold[key], given_.get(key)) for key in gold]
    listed = records(folder / "recordings.tsv.gz")
    return [(gold[row["slurp_id"]], given_.get(row["file"])) for _, row in listed]
