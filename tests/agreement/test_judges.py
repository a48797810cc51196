"""Judges against people: counts, intervals, and orders that are turned round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.agreement.annotations import as_annotations
from demur.agreement.judges import (
    JudgeRates,
    _share,
    judge_rates,
    turned_round,
    turned_sentences,
)
from demur.statistics.equal_units import equal_units
from demur.statistics.intervals import wilson
from demur.statistics.units import t_quantile


def table(rows):
    """Records of (item, system, people's verdict, the judge's)."""
    return [
        {"item": item, "system": system, "people": people, "judge": judge}
        for item, system, people, judge in rows
    ]


verdict = st.sampled_from(["right", "wrong"])


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), verdict, st.none() | verdict),
        min_size=1,
        max_size=12,
    )
)
def test_counts_are_those_of_the_table(rows):
    records = table([(k, *row) for k, row in enumerate(rows)])
    if "right" not in {v for row in rows for v in row[1:]}:
        return
    told = as_annotations(records, by="system")
    for each in judge_rates(told, "people", "right", 0.95):
        own = [
            (people, judge)
            for system, people, judge in rows
            if judge is not None and each.group in (None, system)
        ]
        assert each.units == len(own)
        pairs = [
            *(("right", "right"), ("right", "wrong")),
            *(("wrong", "right"), ("wrong", "wrong")),
        ]
        counts = [own.count(pair) for pair in pairs]
        assert [each.both, each.missed, each.wrongly, each.neither] == counts
        both, missed, wrongly, neither = counts
        assert each.key_rate == pytest.approx((wrongly + neither) / len(own))
        assert each.judge_rate == pytest.approx((missed + neither) / len(own))
        for share, hits, of in (
            (each.sensitivity, both, both + missed),
            (each.specificity, neither, neither + wrongly),
            (each.precision, both, both + wrongly),
            (each.negative_predictive_value, neither, neither + missed),
            (each.f, 2 * both, 2 * both + missed + wrongly),
        ):
            if not of:
                assert share is None
            else:
                assert share[0] == pytest.approx(hits / of)
                assert share[1] <= share[0] <= share[2]


def test_shares_are_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng, table = np.random.default_rng(3), []
    for _ in range(40):
        people = rng.random(rng.integers(2, 40)) < rng.random()
        judge = np.where(rng.random(len(people)) < 0.7, people, ~people)
        told = as_annotations(np.array([people, judge], int))
        if not people.any() or not judge.any() or people.all() or judge.all():
            continue
        [rates] = judge_rates(told, "annotator 1", 1, 0.95)
        table.append(len(people))
        assert rates.precision[0] == pytest.approx(
            metrics.precision_score(people, judge)
        )
        assert rates.f[0] == pytest.approx(metrics.f1_score(people, judge))
        assert rates.negative_predictive_value[0] == pytest.approx(
            metrics.precision_score(people, judge, pos_label=False)
        )
        assert rates.prevalence == pytest.approx(people.mean())
    assert len(table) > 20


def test_precision_and_f_cover_what_they_say():
    rng, held, n = np.random.default_rng(11), np.zeros(2), 300
    right, wrongly = 0.6 * 0.85, 0.4 * 0.3
    truth = right / (right + wrongly), 2 * right / (0.6 + right + wrongly)
    for _ in range(n):
        people = rng.random(120) < 0.6
        judge = np.where(people, rng.random(120) < 0.85, rng.random(120) < 0.3)
        told = as_annotations(np.array([people, judge], int))
        [rates] = judge_rates(told, "annotator 1", 1, 0.95)
        for k, share in enumerate((rates.precision, rates.f)):
            held[k] += share[1] <= truth[k] <= share[2]
    assert (held / n >= 0.92).all()
    assert (held / n <= 0.99).all()


def test_that_precision_depends_on_how_many_are_positive_is_said():
    rows = [(k, "a", "right" if k % 3 else "wrong", "right") for k in range(9)]
    found = demur.agreement(table(rows), key="people")
    assert "depend on how many units are positive" in found.notes[-1]
    assert "What their verdicts are worth" in str(found)
    assert "depend on" not in str(demur.agreement(table(rows)).notes)


def test_intervals_are_wilsons_and_wider_for_clusters():
    rng = np.random.default_rng(0)
    people = np.repeat(rng.random(80) < 0.5, 4)
    judge = np.repeat(rng.random(80) < 0.8, 4) == people
    words = np.array(["wrong", "right"])
    columns = zip(words[people.astype(int)], words[judge.astype(int)], strict=True)
    records = [{"unit": k, "people": a, "judge": b} for k, (a, b) in enumerate(columns)]
    [alone] = demur.agreement(records, key="people").judges
    share, low, high = alone.sensitivity
    n = alone.both + alone.missed
    assert (low, high) == pytest.approx(wilson(share, n, t_quantile(0.95, n)), abs=2e-3)
    for k, each in enumerate(records):
        each["cluster"] = k // 4
    [grouped] = demur.agreement(records, key="people").judges
    wide = grouped.sensitivity[2] - grouped.sensitivity[1]
    assert wide == pytest.approx(2 * (high - low), rel=0.15)


def test_sensitivity_covers_what_it_says():
    rng, held, n = np.random.default_rng(7), 0, 300
    for _ in range(n):
        people = rng.random(120) < 0.6
        judge = np.where(people, rng.random(120) < 0.85, rng.random(120) < 0.3)
        told = as_annotations(np.array([people, judge], int))
        [rates] = judge_rates(told, "annotator 1", 1, 0.95)
        held += rates.sensitivity[1] <= 0.85 <= rates.sensitivity[2]
    assert 0.92 <= held / n <= 0.99


def test_a_judge_may_turn_two_systems_round():
    rows = [
        *[(k, "a", "wrong" if k < 2 else "right", "right") for k in range(10)],
        *[
            (k, "b", "wrong" if k < 1 else "right", "wrong" if k < 4 else "right")
            for k in range(10)
        ],
    ]
    found = demur.agreement(table(rows), key="people", by="system")
    [turned] = found.turned
    assert (turned.first, turned.second) == ("b", "a")
    assert turned.key_rates == (0.1, 0.2)
    assert turned.judge_rates == (0.4, 0.0)
    assert "judge turns b and a round: 0.400 and 0.000, by the key 0.100" in " ".join(
        str(found).split()
    )


def test_an_order_that_is_kept_is_not_turned_round():
    rows = [
        *[
            (k, "a", "wrong" if k < 2 else "right", "wrong" if k < 3 else "right")
            for k in range(10)
        ],
        *[
            (k, "b", "wrong" if k < 4 else "right", "wrong" if k < 5 else "right")
            for k in range(10)
        ],
    ]
    found = demur.agreement(table(rows), key="people", by="system")
    assert found.turned == ()


def rates_of(**pairs):
    return [
        JudgeRates("j", name, 1, 0, 0, 0, 1, key, judge, None, None)
        for name, (key, judge) in pairs.items()
    ]


@pytest.mark.parametrize(
    ("pairs", "turned"),
    [
        ({"a": (0.2, 0.3), "b": (0.1, 0.4)}, [("b", "a")]),
        ({"a": (0.1, 0.4), "b": (0.2, 0.3)}, [("a", "b")]),
        ({"a": (0.1, 0.3), "b": (0.2, 0.3)}, []),
        ({"a": (0.2, 0.3), "b": (0.2, 0.4)}, []),
        ({"a": (0.1, 0.9), "b": (0.2, 0.5), "c": (0.9, 0.6)}, [("a", "b"), ("a", "c")]),
    ],
)
def test_groups_are_turned_round_where_both_differ(pairs, turned):
    found = list(turned_round(rates_of(**pairs)))
    assert [(pair.first, pair.second) for pair in found] == turned
    said = turned_sentences(found)
    clearest = sorted(found, key=lambda pair: pair.key_rates[0] - pair.key_rates[1])
    assert [line.split()[2] for line in said] == [pair.first for pair in clearest]
    assert [line.split()[4] for line in said] == [pair.second for pair in clearest]


@pytest.mark.parametrize(
    ("hits", "cluster"),
    [
        ([1, 1, 0, 1, 0, 1, 1], [0, 0, 0, 1, 1, 2, 3]),
        ([1, 1, 0, 1, 0, 1, 1], None),
        ([1, 0, 1, 0], [0, 0, 1, 1]),  # clusters that are alike tell no more than items
        ([1] * 6, [0, 0, 0, 1, 1, 2]),
        ([0] * 3, None),
    ],
)
def test_shares_have_as_many_units_as_clusters_let_them_have(hits, cluster):
    share, *ends = _share(
        np.array(hits, float), np.array(cluster or range(len(hits))), 0.9
    )
    n = len(hits)
    members = {}
    for hit, one in zip(hits, cluster or range(n), strict=True):
        members.setdefault(one, []).append(hit - np.mean(hits))
    c = len(members)
    worth = equal_units(np.array([1.0 * len(offs) for offs in members.values()]))
    effective = worth
    if 0 < share < 1:  # of the jackknife: a cluster that is left out weighs no more
        moved = [sum(offs) / (n - len(offs)) for offs in members.values()]
        variance = (c - 1) / c * sum(off**2 for off in moved)
        effective = min(share * (1 - share) / variance, n) if variance else n
    assert share == pytest.approx(np.mean(hits))
    assert ends == pytest.approx(list(wilson(share, effective, t_quantile(0.9, worth))))


def test_two_clusters_have_an_interval_and_one_has_not():
    lists = [("right", "right"), ("right", "wrong"), ("right", "right")]
    for n, wide in ((2, False), (1, True)):
        records = [
            {"unit": k, "cluster": k % n, "people": a, "judge": b}
            for k, (a, b) in enumerate(lists)
        ]
        [rates] = demur.agreement(records, key="people").judges
        assert (rates.sensitivity[1:] == (0.0, 1.0)) == wide


def test_a_verdict_that_could_not_be_reached_is_none():
    rows = [(1, "a", "right", "ungraded"), (2, "a", "wrong", "wrong")]
    [rates] = demur.agreement(table(rows), key="people").judges
    assert (rates.units, rates.neither, rates.sensitivity) == (1, 1, None)


def test_the_positive_label_may_be_named():
    lists = {"people": ["good", "bad"], "judge": ["good", "good"]}
    assert demur.agreement(lists, key="people").judges == ()
    named = demur.agreement(lists, key="people", positive="good")
    assert named.judges[0].sensitivity[0] == 1
    assert named.recipe["positive"] == "good"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"by": "system"}, "come with key"),
        ({"positive": "right"}, "come with key"),
        ({"key": "people", "positive": "maybe"}, "positive"),
        ({"key": "people", "by": "colour"}, "colour"),
    ],
)
def test_what_is_refused(options, words):
    refuses(words, demur.agreement, table([(1, "a", "right", "right")]), **options)
    with pytest.raises(demur.InputError, match="a column of a table"):
        demur.agreement({"a": [1], "b": [1]}, key="a", by="system")


def test_a_judge_of_nq301_turns_two_systems_round(demur_data):
    path = demur_data / "nq301_judges" / "verdicts.csv.gz"
    found = demur.agreement(
        [record for _, record in demur.iter_records(path)],
        annotators=["human", "gpt4", "davinci003"],
        key="human",
        by="system",
    )
    rates = {(each.judge, each.group): each for each in found.judges}
    few, zero = "text-davinci-003_fewshot-n64", "text-davinci-003_zeroshot"
    own = [rates["davinci003", few], rates["davinci003", zero]]
    assert [round(each.key_rate, 3) for each in own] == [0.236, 0.288]
    assert [round(each.judge_rate, 3) for each in own] == [0.313, 0.224]
    assert round(rates["gpt4", few].judge_rate, 3) == 0.306
    turned = [(each.judge, each.first, each.second) for each in found.turned]
    assert ("davinci003", few, zero) in turned
    assert found.recipe["resample"] == "cluster"
    assert rates["davinci003", None].units == 2990
