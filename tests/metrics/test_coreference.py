"""Coreference: published cases, plain twins in fractions, and laws."""

import json
import random
from fractions import Fraction
from itertools import chain, combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.metrics.coreference import matching
from demur.metrics.coreference.link_counts import MEASURES
from demur.metrics.coreference.overlaps import overlaps_of
from demur.statistics.ratios import ratio_interval

GOLDEN = Path(__file__).parents[1] / "golden" / "coreference_cases.json"
CASES = json.loads(GOLDEN.read_text("utf-8"))["cases"]
PAPER = ([[*"abc"], [*"defg"]], [[*"ab"], [*"cd"], [*"fghi"]])
"""Key and response of the worked example of Pradhan et al. (2014)."""


def scores(key, response, **how):
    return demur.coreference_scores(references=key, hypotheses=response, **how)


def figures(key, response, **how):
    """Recall, precision and F of each measure, of one document."""
    return {
        score.measure: (score.recall, score.precision, score.f)
        for score in scores([key], [response], **how).scores
    }


# -- published cases -------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_cases_of_the_reference_scorer(case):
    key, response = (
        [[*cluster] for cluster in case[side].split()] for side in ("key", "response")
    )
    given_figures = figures(key, response)
    for measure in {*MEASURES} & case.keys():
        # The scorers print 0 where nothing could be right.
        figure = [value or 0.0 for value in given_figures[measure]]
        assert figure == pytest.approx(case[measure], abs=6e-6), measure


def test_the_worked_example_of_its_paper():
    """By hand, from the definitions; .65, .43 and .52 of ceafe are those published."""
    expected = {
        "muc": (2 / 5, 2 / 5),
        "bcub": (35 / 12 / 7, 4 / 8),
        "ceafm": (4 / 7, 4 / 8),
        "ceafe": (1.3 / 2, 1.3 / 3),
        "blanc": ((2 / 9 + 8 / 12) / 2, (2 / 8 + 8 / 20) / 2),
        "lea": ((3 * 1 / 3 + 4 * 1 / 6) / 7, (2 + 2 * 0 + 4 * 1 / 6) / 8),
    }
    for measure, pair in expected.items():
        assert figures(*PAPER)[measure][:2] == pytest.approx(pair), measure
    three = [figures(*PAPER)[name][2] for name in ("muc", "bcub", "ceafe")]
    assert scores([PAPER[0]], [PAPER[1]]).conll == pytest.approx(sum(three) / 3)


# -- plain twins -----------------------------------------------------------------------


def plain_muc(key, response):
    """Links less those that are missing: parts of each true cluster less one."""
    right = true = 0
    for cluster in key:
        holders = [
            {number for number, other in enumerate(response) if mention in other}
            for mention in cluster
        ]
        parts = {min(holder) for holder in holders if holder}
        right += len(cluster) - len(parts) - sum(not holder for holder in holders)
        true += len(cluster) - 1
    return right, true


def plain_bcub(key, response):
    right = Fraction(0)
    for cluster in key:
        for mention in cluster:
            other = next((each for each in response if mention in each), ())
            right += Fraction(len({*cluster} & {*other}), len(cluster))
    return right, sum(map(len, key))


def plain_lea(key, response):
    right = Fraction(0)
    for cluster in key:
        links = [{*pair} for pair in combinations(cluster, 2)]
        kept = sum(any(link <= {*other} for other in response) for link in links)
        if not links:
            links, kept = [{*cluster}], [*cluster] in [list(each) for each in response]
        right += Fraction(len(cluster) * kept, len(links))
    return right, sum(map(len, key))


def plain_ceaf(key, response, similarity):
    few, many = sorted((key, response), key=len)
    return max(
        sum((similarity({*a}, {*b}) for a, b in zip(few, order, strict=False)), 0)
        for order in permutations(many, len(few))
    )


def linked(clusters):
    return {frozenset(pair) for each in clusters for pair in combinations(each, 2)}


def apart(clusters):
    mentions = [mention for cluster in clusters for mention in cluster]
    return {frozenset(pair) for pair in combinations(mentions, 2)} - linked(clusters)


def ratio(above, below):
    return Fraction(above) / below if below else None


def harmonic(first, second):
    if first is None and second is None:
        return None
    first, second = first or 0, second or 0
    return 2 * first * second / (first + second) if first + second else Fraction(0)


def plain_blanc(key, response):
    kinds = []
    for links in (linked, apart):
        true, put = links(key), links(response)
        if true:
            recall = ratio(len(true & put), len(true))
            precision = ratio(len(true & put), len(put)) or Fraction(0)
            kinds.append((recall, precision, harmonic(recall, precision)))
    true, put = (any(linked(side) | apart(side)) for side in (key, response))
    figures = [sum(column) / len(kinds) for column in zip(*kinds, strict=True)]
    recall, precision, f = figures or [Fraction(0)] * 3
    return [
        recall if true else None,
        precision if put else None,
        f if true or put else None,
    ]


def plain(key, response):
    """Recall, precision and F of each measure, in fractions."""
    pairs = {}
    for name, one_side in (
        ("muc", plain_muc),
        ("bcub", plain_bcub),
        ("lea", plain_lea),
    ):
        pairs[name] = ratio(*one_side(key, response)), ratio(*one_side(response, key))
    of_mentions = plain_ceaf(key, response, lambda a, b: len(a & b))
    of_entities = plain_ceaf(
        key, response, lambda a, b: Fraction(2 * len(a & b), len(a) + len(b))
    )
    sizes = [sum(map(len, side)) for side in (key, response)]
    pairs["ceafm"] = tuple(ratio(of_mentions, size) for size in sizes)
    pairs["ceafe"] = ratio(of_entities, len(key)), ratio(of_entities, len(response))
    common = len({*chain(*key)} & {*chain(*response)})
    pairs["mentions"] = tuple(ratio(common, size) for size in sizes)
    whole = {name: [*pair, harmonic(*pair)] for name, pair in pairs.items()}
    return whole | {"blanc": plain_blanc(key, response)}


@st.composite
def sides(draw):
    """Clusters of a key and a response over some letters."""
    drawn = []
    for _ in range(2):
        cluster = draw(st.lists(st.integers(-1, 3), min_size=8, max_size=8))
        mentions = [
            [
                mention
                for mention, own in zip("abcdefgh", cluster, strict=True)
                if own == k
            ]
            for k in range(4)
        ]
        drawn.append([each for each in mentions if each])
    return tuple(drawn)


def same(first, second):
    assert first.keys() == second.keys()
    for name in first:
        for one, other in zip(first[name], second[name], strict=True):
            assert (one is None) == (other is None), name
            assert one is None or float(one) == pytest.approx(float(other)), name


@given(sides())
def test_all_measures_as_by_their_definitions(both):
    same(figures(*both), plain(*both))


@given(st.lists(sides(), min_size=2, max_size=4))
def test_sums_are_over_documents(documents):
    key, response = zip(*documents, strict=True)
    whole = scores(list(key), list(response))
    sums = [[plain_muc(*both), plain_muc(*both[::-1])] for both in documents]
    (right, true), (_, put) = np.sum(sums, axis=0).tolist()
    assert whole.score("muc").recall == (right / true if true else None)
    assert whole.score("muc").precision == (right / put if put else None)
    renamed = [
        [[f"{number} {mention}" for mention in cluster] for cluster in clusters]
        for number, clusters in enumerate(key)
    ]
    others = [
        [[f"{number} {mention}" for mention in cluster] for cluster in clusters]
        for number, clusters in enumerate(response)
    ]
    # As one document the same but for pairs of mentions in two documents.
    at_once = figures([*chain(*renamed)], [*chain(*others)])
    for score in whole.scores[:-1]:
        figure = score.recall, score.precision, score.f
        same({score.measure: figure}, {score.measure: at_once[score.measure]})


# -- laws ------------------------------------------------------------------------------


@given(sides())
def test_the_key_itself_is_right(both):
    for values in figures(both[0], both[0]).values():
        assert all(value in (None, pytest.approx(1)) for value in values)


@given(sides())
def test_exchanged_sides_exchange_precision_and_recall(both):
    there, back = figures(*both), figures(*both[::-1])
    del there["blanc"], back["blanc"]  # where the references alone choose the kinds
    same(there, {name: (p, r, f) for name, (r, p, f) in back.items()})


@given(sides(), st.randoms(use_true_random=False))
def test_order_and_names_change_nothing(both, chance):
    names = dict(zip("abcdefgh", chance.sample(range(99), 8), strict=True))
    shuffled = []
    for clusters in both:
        others = [
            chance.sample([(names[x], names[x] + 1) for x in cluster], len(cluster))
            for cluster in clusters
        ]
        shuffled.append(chance.sample(others, len(others)))
    same(figures(*shuffled), figures(*both))


@given(sides(), st.integers(1, 5))
def test_large_matchings_are_as_good_as_small_ones(both, many):
    overlaps = overlaps_of([both[0]] * many, [both[1]] * many)
    similarity = np.sqrt(overlaps.shared + np.arange(len(overlaps.shared)) % 3)
    with pytest.MonkeyPatch.context() as patch:
        small = similarity @ matching.best_matching(overlaps, similarity)
        patch.setattr(matching, "_DENSE", 0)
        large = similarity @ matching.best_matching(overlaps, similarity)
    assert large == pytest.approx(small)


# -- what is left out ------------------------------------------------------------------


def test_singletons_may_be_removed():
    key, response = [[*"ab"], ["c"]], [[*"ab"], ["c"], ["d"]]
    kept = scores([key], [response])
    removed = scores([key], [response], keep_singletons=False)
    assert (kept.true, kept.given, kept.score("lea").precision) == (3, 4, 0.75)
    assert (removed.true, removed.given, removed.conll) == (2, 2, 1.0)
    assert "1 cluster of one mention left out of the references" in removed.notes
    assert "2 clusters of one mention left out of the hypotheses" in removed.notes
    assert "singletons:removed" in removed.signature


def test_what_stands_twice_counts_once_and_is_noted():
    twice = scores([[[*"ab"], [*"bc"]]], [[[*"aab"]]])
    once = scores([[[*"ab"], ["c"]]], [[[*"ab"]]])
    assert [score.f for score in twice.scores] == [score.f for score in once.scores]
    assert [note.split(",")[0] for note in twice.notes[:2]] == [
        "1 mention of the references stand again",
        "1 mention of the hypotheses stand again",
    ]


def test_declined_documents_stand_apart():
    key = [[*"ab"], [*"cd"]]
    whole = scores([key] * 6, [key] * 4 + [None, float("nan")])
    assert (whole.documents, whole.declined) == (6, 2)
    assert whole.score("bcub").recall == pytest.approx(4 / 6)
    assert whole.score("bcub").precision == 1
    assert whole.score("bcub").f_answered == whole.conll_answered == 1
    assert whole.conll == pytest.approx(0.8)
    low, high = whole.conll_interval
    assert 0.3 < low < 0.8 < high < 1
    nothing = scores([key] * 6, [key] * 4 + [[], []])
    assert nothing.declined == 0
    assert nothing.conll == whole.conll
    assert nothing.conll_answered == pytest.approx(0.8)


def test_what_has_no_links_has_no_muc():
    alone = scores([[["a"], ["b"]]], [[["a"], ["b"]]])
    assert alone.score("muc").f is None
    assert alone.score("bcub").f == alone.score("blanc").f == 1
    assert alone.conll is None
    assert "no mean of CoNLL" in str(alone)
    assert any(
        note.startswith("nothing is true or given that muc") for note in alone.notes
    )
    silent = scores([[[*"ab"]]], [None])
    assert (silent.score("muc").precision, silent.conll) == (None, 0)
    assert scores([[]], [[]]).conll is None


def test_blanc_has_a_value_where_pairs_are_true_or_given():
    """As of all measures; the reference scorer, v8.01, prints 0 for all of these."""
    one, two = [["a"]], [[*"ab"]]
    for key, response, expected in (
        (one, two, (None, 0, 0)),
        (two, one, (0, None, 0)),
        (one, one, (None, None, None)),
    ):
        found = scores([key], [response])
        assert figures(key, response)["blanc"] == expected
        assert any("blanc" in note for note in found.notes) == (expected[2] is None)
    declined = scores([two], [None])
    assert {score.precision for score in declined.scores} == {None}


def test_intervals_are_over_documents_or_clusters_of_them():
    rng = random.Random(2)
    documents = []
    for _ in range(40):
        key = [rng.sample("abcdef", 3)]
        documents.append((key, [rng.sample("abcdef", 3)]))
    key, response = zip(*documents, strict=True)
    table = {"ref": list(key), "hyp": list(response)}
    wide = demur.coreference_scores({**table, "cluster": [n // 10 for n in range(40)]})
    assert wide.conll_interval is None
    assert "too few clusters (4)" in str(wide)
    narrow, sure = (
        demur.coreference_scores(table, level=level).score("bcub").f_interval
        for level in (0.8, 0.99)
    )
    assert sure[0] < narrow[0] < narrow[1] < sure[1]
    # Of MUC precision is a ratio like any other.
    right = np.array([plain_muc(*both)[0] for both in documents])
    put = np.full(40, 2.0)
    muc = demur.coreference_scores(table).score("muc")
    assert muc.precision == right.sum() / 80
    ends = ratio_interval(right, put, None, 0.95, share=True)
    assert muc.precision_interval == pytest.approx(ends)


# -- what is refused -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clusters", "message"),
    [
        ("x", "row 1: hyp must be a list of clusters; got 'x'"),
        ({"a": 1}, "row 1: hyp must be a list of clusters"),
        ([3], "row 1: a cluster of hyp must be a list of mentions; got 3"),
        ([[]], "row 1: a cluster of hyp must have a mention; got none"),
        ([[[1]]], "a mention of hyp must be the numbers of its first and last word"),
        ([[[1, 2, 3]]], "its first and last word; got [1, 2, 3]"),
        ([[[True, 2]]], "its first and last word; got [True, 2]"),
        ([[[0.0, 2.5]]], "its first and last word; got [0.0, 2.5]"),
        ([[[3, 2]]], "a mention of hyp must end where it begins, or later; got [3, 2]"),
        ([[[-1, 2]]], "a mention of hyp must end where it begins, or later"),
        ("[[[0, 1]", "row 1: hyp must be JSON"),
        ([[None]], "its first and last word; got None"),
    ],
)
def test_what_is_no_cluster_is_refused(clusters, message):
    with pytest.raises(demur.InputError) as refused:
        scores([[]], [clusters])
    assert message in str(refused.value)


def test_a_reference_must_be_there():
    with pytest.raises(demur.InputError, match="row 2: ref must have clusters"):
        scores([[], None], [[], []])


def test_numbers_of_numpy_and_texts_of_tables_are_read():
    key = "[[[0, 1], [5, 5]]]"
    response = np.array([[[0, 1], [5, 5]]])
    assert scores([key], [response]).conll == 1


@pytest.mark.parametrize("other", [None, []])
def test_a_share_that_rests_on_one_document_has_no_interval(other):
    key = [["a", "b"], ["c", "d"]]
    found = scores([key] * 5, [key, *[other] * 4])
    assert found.score("blanc").precision == 1
    assert found.score("blanc").precision_interval is None
