"""Scores: counts and weighted errors per group, and who is better at which weight."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import by_outcome, graded, refuses
from demur import InputError, score
from demur.comparisons.score_results import group_label
from demur.outcomes.fields import OUTCOMES

# Right, wrong and no answer, as published. Paramax, February 1992 (ATIS, 687 queries
# of classes A and D), natural language and speech; CMU, the same test, in per cent.
PUBLISHED = [
    ((331, 102, 254), 66.7),
    ((322, 128, 237), 71.8),
    ((582, 102, 3), 30.1),
]


def table(*systems, **further):
    """Outcomes of systems with given counts of right, wrong and unanswered items."""
    outcome, system, item = [], [], []
    for number, counts in enumerate(systems):
        for code, count in enumerate(counts):
            outcome += [OUTCOMES[code]] * count
        system += ["abcdef"[number]] * sum(counts)
        item += range(sum(counts))
    return by_outcome(outcome, system=system, item=item, **further)


def total(scores, system="a"):
    (found,) = [
        each for each in scores.scores if each.system == system and not each.group
    ]
    return found


def by_label(scores):
    return {(each.system, group_label(each.group)): each for each in scores.scores}


def counted(found):
    return tuple(getattr(found, name) for name in OUTCOMES)


# -- published numbers ---------------------------------------------------------------


@pytest.mark.parametrize(("counts", "published"), PUBLISHED)
def test_published_weighted_errors_are_reproduced(counts, published):
    found = total(score(table(counts)))
    assert counted(found)[:3] == counts
    weighted = found.weighted[0]
    assert weighted.weight == 2
    assert round(100 * weighted.low, 1) == published
    assert weighted.low == weighted.high
    # H91-1008: the score is 100 - weighted error = right % - wrong %.
    exact = Fraction(counts[0] - counts[1], sum(counts))
    assert weighted.to_dict()["score"] == pytest.approx(float(exact))


def test_per_cents_of_a_published_row():
    found = total(score(table((582, 102, 3))))
    rates = (found.right_rate, found.error, found.nonreturn)
    assert [round(100 * rate, 1) for rate in rates] == [84.7, 14.8, 0.4]


def test_where_published_systems_change_places():
    # 128 - 102 more errors buy 254 - 237 fewer silences: weight 17/26.
    (exchange,) = score(table((331, 102, 254), (322, 128, 237))).exchanges
    assert exchange.weight == pytest.approx(17 / 26)
    assert (exchange.below, exchange.above) == ("b", "a")


# -- what is counted -----------------------------------------------------------------


def test_own_decisions_count():
    outcomes = by_outcome(
        ["right", "wrong", "ungraded", "right", "unanswered", "ungraded"],
        [0.1, 0.2, 0.3, 0.4, None, 0.6],
        declined=[True, True, True, False, True, False],
    )
    found = total(score(outcomes, weights=[2, 0.5]), "")
    assert counted(found) == (1, 0, 4, 1)
    assert [(each.low, each.high) for each in found.weighted] == [
        (pytest.approx(4 / 6), pytest.approx(1)),
        (pytest.approx(4 / 6), pytest.approx(4.5 / 6)),
    ]
    assert found.weighted[0].to_dict()["weighted_error"] is None
    assert found.weighted[0].to_dict()["score"] is None


def test_figures_hold_what_ungraded_answers_leave_open():
    outcomes = by_outcome(
        ["right", "wrong", "ungraded", "right", "unanswered", "ungraded"],
        [0.1, 0.2, 0.3, 0.4, None, 0.6],
        declined=[True, True, True, False, True, False],
        answerable=[True, True, True, True, False, True],
    )
    shown = score(
        outcomes,
        weights=[2, 0.5],
        named=["omniscience-index", "confidence-target(target=0.75)"],
    )
    found = total(shown, "")
    ends = {
        figure.kind.name: (figure.value, figure.low, figure.high)
        for figure in shown.figures()
    }
    assert ends["error"] == pytest.approx((0, 0, 1 / 6))
    for name, held in zip(("2", "0.5"), found.weighted, strict=True):
        assert ends[f"weighted_error_{name}"] == (None, held.low, held.high)
    for named in found.named:
        assert named.low < named.high
        short = named.name.partition("(")[0]
        assert ends[short] == (None, named.low, named.high)
    plain = score(graded([1, 0, None]), named=["omniscience-index"])
    for figure in plain.figures():
        assert figure.low is None or figure.low == figure.value == figure.high


def test_partial_credit_counts_as_part_of_an_error():
    found = total(score(graded([1, 0.5, 0, None])), "")
    assert counted(found) == (2, 1, 1, 0)
    assert found.error == 1.5 / 4
    assert found.weighted[0].low == 2 * 1.5 / 4 + 1 / 4


def test_weights_of_items_count_in_rates_only():
    outcomes = graded([1, 0, None], weight=[1, 2, 5])
    found = total(score(outcomes), "")
    assert counted(found) == (1, 1, 1, 0)
    assert found.weighted[0].low == pytest.approx((2 * 2 + 5) / 8)


def test_matches_of_nothing_with_nothing_are_counted_apart():
    outcomes = graded(
        [1, 1, 1, 0, None],
        reason=["both empty.", "equal", "both empty", "both empty", None],
        reason_code=["both_empty", "equal", None, "both_empty", None],
        declined=[False, False, False, False, False],
    )
    assert total(score(outcomes), "").both_empty == 1
    declined = graded([1], reason_code=["both_empty"], declined=[True])
    assert total(score(declined), "").both_empty == 0


@pytest.mark.parametrize("by", ["relation", "relation(mode=bird-ex)"])
def test_matches_of_nothing_are_counted_as_the_comparator_says_them(by):
    references = [
        {"item": 1, "reference": []},
        {"item": 2, "references": [[[1]], []]},
        {"item": 3, "references": [[[1]], {"value": [], "weight": 1e-5}]},
        {"item": 4, "reference": [["both empty"]]},
        {"item": 5, "reference": [[1]]},
    ]
    responses = [
        *({"item": item, "response": []} for item in (1, 2, 3)),
        {"item": 4, "response": [["both empty"]]},
        {"item": 5, "response": []},
    ]
    outcomes = demur.judge(responses, references, by=by)
    assert outcomes.reason.tolist()[1:3] == [
        "alternative 2 of 2, both empty",
        "alternative 2 of 2, both empty, credit 1e-05",
    ]
    assert total(score(outcomes), "").both_empty == 3


def test_correct_declines_are_counted_and_said():
    outcomes = by_outcome(
        ["unanswered", "wrong", "right", "unanswered"],
        answerable=[False, False, True, True],
    )
    scores = score(outcomes)
    assert total(scores, "").correct_declines == 1
    assert "rightly not answered (the system 1)" in scores.notes[0]
    scores = score(outcomes, leave_out={"answerable": "false"})
    assert total(scores, "").items == 2
    assert "rightly" not in "".join(scores.notes)


# -- groups, and what is left out ----------------------------------------------------


def classes():
    return graded(
        [1, 0, None, 1, 1, 1, 1, 0, None, 0],
        item=[*"12345", *"12345"],
        system=["a"] * 5 + ["b"] * 5,
        groups={"class": ["A", "A", "D", "X", "X"] * 2, "site": ["s", "t"] * 5},
    )


def test_counts_per_group_add_up_to_the_total():
    scores = score(classes(), by="class")
    found = by_label(scores)
    assert [key[1] for key in found] == ["A", "A", "D", "D", "X", "X", "all", "all"]
    assert counted(found["a", "A"]) == (1, 1, 0, 0)
    assert counted(found["b", "X"]) == (0, 1, 1, 0)
    for system in "ab":
        parts = [counted(found[system, group]) for group in "ADX"]
        assert tuple(map(sum, zip(*parts, strict=True))) == counted(
            found[system, "all"]
        )


def test_two_columns_make_a_group_for_each_pair():
    found = by_label(score(classes(), by=["class", "site"]))
    assert ("a", "A, t") in found
    assert found["a", "A, t"].group == {"class": "A", "site": "t"}


def test_what_is_left_out_is_not_scored_but_said():
    scores = score(classes(), by="class", leave_out={"class": "X"})
    found = by_label(scores)
    assert ("a", "X") not in found
    assert found["a", "all"].items == 3
    assert scores.left_out == 4
    assert scores.notes == (
        "2 items with class=X not scored, even where answered (a 2, b 1)",
        "fewer than 5 items, so no interval: A (2), D (1), all (3)",
    )
    assert "|without class:X|" in scores.signature


def test_several_values_may_be_left_out():
    scores = score(classes(), leave_out={"class": ["X", "D"]})
    assert total(scores).items == 2
    assert "none of them answered" not in scores.notes[0]
    silent = graded([1, None], groups={"class": ["A", "X"]})
    note = score(silent, leave_out={"class": "X"}).notes[0]
    assert note == "1 item with class=X not scored, none of them answered"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"leave_out": {"class": "x"}}, "class must be one of A, D, X; got 'x'"),
        ({"leave_out": {"clas": "X"}}, "got 'clas'. Did you mean 'class'?"),
        ({"leave_out": {"class": ["A", "D", "X"]}}, "everything was left out"),
        ({"by": "clas"}, "Did you mean 'class'?"),
        ({"weights": []}, "weights must hold at least one"),
        ({"weights": [0]}, "a weight must be above 0; got 0"),
        ({"weights": [-1.0]}, "a weight must be above 0"),
        ({"weights": [math.nan]}, "a weight must be above 0; got nan"),
        ({"weights": [math.inf]}, "a weight must be above 0; got inf"),
        ({"level": 2}, "level must be"),
    ],
)
def test_what_cannot_be_scored_is_refused(options, said):
    with pytest.raises(InputError) as caught:
        score(classes(), **options)
    assert said in str(caught.value)


def test_a_value_of_many_that_is_not_there_is_refused():
    outcomes = graded(
        [1] * 30, groups={"topic": [f"t{number}" for number in range(30)]}
    )
    refuses("topic must hold 'x'", score, outcomes, leave_out={"topic": "x"})


# -- the slow plain twin, and laws ---------------------------------------------------

rows = st.lists(
    st.tuples(
        st.sampled_from(OUTCOMES),
        st.booleans(),
        st.sampled_from(["A", "D"]),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=12,
)


def as_table(*systems):
    """Outcomes of systems that answered the same items, each a list of rows."""
    outcome, declined, group, weight = [], [], [], []
    for listed in systems:
        outcome += [row[0] for row in listed]
        declined += [row[1] for row in listed]
        group += [row[2] for row in systems[0]]
        weight += [row[3] for row in systems[0]]
    names = "abcdef"[: len(systems)]
    return by_outcome(
        outcome,
        declined=declined,
        weight=weight,
        system=[name for name in names for _ in systems[0]],
        item=[*range(len(systems[0]))] * len(systems),
        groups={"class": group},
    )


def plain_bounds(listed, weights, weight):
    """Low and high weighted error, item by item."""
    low = high = Fraction(0)
    for (outcome, declined, *_), own in zip(listed, weights, strict=True):
        if declined or outcome == "unanswered":
            low, high = low + own, high + own
        elif outcome == "wrong":
            low, high = low + own * weight, high + own * weight
        elif outcome == "ungraded":
            high += own * weight
    return low / sum(weights), high / sum(weights)


@given(rows, st.integers(1, 9))
def test_scores_are_those_of_the_plain_twin(listed, quarters):
    weight = Fraction(quarters, 4)
    scores = score(as_table(listed), by="class", weights=[float(weight)])
    for group, found in [(group_label(each.group), each) for each in scores.scores]:
        chosen = [row for row in listed if group in ("all", row[2])]
        low, high = plain_bounds(chosen, [row[3] for row in chosen], weight)
        assert found.weighted[0].low == pytest.approx(float(low))
        assert found.weighted[0].high == pytest.approx(float(high))
        assert sum(counted(found)) == found.items == len(chosen)
        rates = (found.right_rate, found.error, found.nonreturn, found.ungraded_rate)
        assert sum(rates) == pytest.approx(1)


@given(rows)
def test_the_weighted_error_is_linear_in_the_weight(listed):
    found = total(score(as_table(listed), weights=[1, 2, 3, 10]))
    first, second, third, tenth = found.weighted
    assert second.low - first.low == pytest.approx(found.error)
    assert third.low - second.low == pytest.approx(found.error)
    assert tenth.low == pytest.approx(10 * found.error + found.nonreturn)
    at_most = found.error + found.ungraded_rate
    assert third.high - first.high == pytest.approx(2 * at_most)


@st.composite
def rivals(draw, most=4):
    """Several systems, each with rows for the same items."""
    first = draw(rows)
    n_items = len(first)
    others = draw(
        st.lists(
            st.lists(
                st.tuples(st.sampled_from(OUTCOMES), st.booleans()),
                min_size=n_items,
                max_size=n_items,
            ),
            min_size=1,
            max_size=most - 1,
        )
    )
    return [first, *others]


@given(rivals())
def test_places_change_at_the_exchange_and_nowhere_else(systems):
    scores = score(as_table(*systems))
    weights = [row[3] for row in systems[0]]
    listed = dict(zip("abcdef", systems, strict=False))

    def costs(each, weight):
        return [
            plain_bounds(listed[name], weights, weight)[1] for name in (each.a, each.b)
        ]

    assert len(scores.exchanges) == len(systems) * (len(systems) - 1) // 2
    for each in scores.exchanges:
        if each.weight is None:
            for weight in (Fraction(1, 1000), Fraction(1), Fraction(1000)):
                a, b = costs(each, weight)
                better = None if a == b else each.a if a < b else each.b
                # Systems that differ in errors or silences only meet at 0 or never.
                assert better == each.below == each.above
            continue
        for factor, better in ((0.99, each.below), (1.01, each.above)):
            a, b = costs(each, Fraction(each.weight) * Fraction(factor))
            assert better == (each.a if a < b else each.b)
        a, b = costs(each, Fraction(each.weight))
        assert float(a) == pytest.approx(float(b))


@given(rivals(most=5))
def test_the_best_system_of_each_range_is_the_best(systems):
    scores = score(as_table(*systems))
    weights = [row[3] for row in systems[0]]
    names = "abcdef"[: len(systems)]
    ranges = scores.best
    assert ranges[0].start == 0
    assert ranges[-1].end == math.inf
    for before, after in zip(ranges, ranges[1:], strict=False):
        assert before.end == after.start
        assert not set(before.systems) & set(after.systems)
    for each in ranges:
        if each.end == math.inf:
            middle = Fraction(2 * each.start + 1)
        else:
            middle = Fraction(each.start + each.end) / 2
        costs = {
            name: plain_bounds(listed, weights, middle)[1]
            for name, listed in zip(names, systems, strict=True)
        }
        least = min(*costs.values(), 1)  # silence costs 1, whatever the weight
        best = tuple(name for name in names if costs[name] == least)
        assert each.systems == (best or ("never answer",))


def test_three_systems_have_three_ranges():
    # errors 50, 20, 5; silences 0, 15, 50: exchanges at 15/30, 35/15; 50/45 unseen.
    scores = score(table((50, 50, 0), (65, 20, 15), (45, 5, 50)))
    found = [(each.systems, each.start, each.end) for each in scores.best]
    assert found == [
        (("a",), 0, 0.5),
        (("b",), 0.5, pytest.approx(35 / 15)),
        (("c",), pytest.approx(35 / 15), pytest.approx(10)),
        (("never answer",), pytest.approx(10), math.inf),  # 5 w + 50 > 100
    ]
    weights = {(each.a, each.b): each.weight for each in scores.exchanges}
    assert weights["a", "c"] == pytest.approx(50 / 45)


def test_three_systems_that_meet_in_one_point_have_two_ranges():
    found = score(table((0, 3, 3), (0, 5, 1), (0, 4, 2))).best
    # Nobody is right, so from the weight 1 on silence is better than all three.
    assert [each.systems for each in found] == [("b",), ("never answer",)]
    assert found[0].end == found[1].start == pytest.approx(1)


def test_confidences_are_no_matter():
    # By its confidences a could decline just its errors; it does not.
    outcomes = graded(
        [1, 1, 0, 0, 1, 0, None, None],
        [0.9, 0.8, 0.2, 0.1, 0.5, 0.5, None, None],
        item=[*range(4)] * 2,
        system=[*"aaaabbbb"],
    )
    found = score(outcomes).best
    assert [each.systems for each in found] == [("a",), ("never answer",)]
    assert found[0].end == 2


def test_equal_systems_share_a_range():
    both, silence = score(table((5, 3, 2), (5, 3, 2))).best
    assert both.systems == ("a", "b")
    assert both.end == silence.start == pytest.approx(8 / 3)
    assert silence.to_dict() == {
        "group": {}, "from": silence.start, "to": None, "systems": ["never answer"]
    }  # fmt: skip


def test_nobody_is_recommended_who_is_worse_than_silence():
    best = score(table((10, 30, 60), (20, 70, 10))).best
    assert best[-1].systems == ("never answer",)
    for each in best[:-1]:
        assert each.end < 2  # 30 w + 60 > 100 from 4/3 on, 70 w + 10 > 100 before


def test_systems_with_other_items_are_not_compared():
    outcomes = graded([1, 0, None, 1], item=["1", "2", "1", "3"], system=[*"aabb"])
    scores = score(outcomes)
    assert scores.exchanges == scores.best == ()
    assert scores.notes == (
        "all: systems not compared, because their items differ",
        "fewer than 5 items, so no interval: all (2)",
    )


def test_places_are_found_in_each_group():
    scores = score(classes(), by="class")
    assert [group_label(each.group) for each in scores.exchanges] == [
        "A",
        "D",
        "X",
        "all",
    ]


def test_settings_are_systems_of_their_own():
    outcomes = graded([1, None], item=["1", "1"], system="a", setting=["s", "t"])
    scores = score(outcomes)
    assert [each.system for each in scores.scores] == [
        "a, setting = s",
        "a, setting = t",
    ]


def test_signature_and_json():
    scores = score(classes(), by="class", weights=[0.5, 2], seed=3)
    assert scores.signature == (
        f"demur:{demur.__version__}|by:class|weights:0.5,2|level:0.95|"
        "intervals:bootstrap of items, 2000, seed 3|items:5"
    )
    shown = scores.to_dict()
    assert set(shown) == {
        *("by", "level", "left_out", "scores", "exchanges", "best", "notes"),
        *("systems", "signature"),
    }
    assert list(shown["scores"][0]) == [
        *("system", "group", "items", "right", "wrong", "unanswered", "ungraded"),
        *("both_empty", "correct_declines", "right_rate", "error", "nonreturn"),
        *("ungraded_rate", "weighted", "named", "failed"),
    ]


def test_clusters_are_drawn_whole():
    correct = np.repeat([1, 0], [40, 40])
    apart = total(score(graded(correct)), "").weighted[0]
    outcomes = graded(correct, cluster=[f"d{row // 8}" for row in range(80)])
    scores = score(outcomes)
    together = total(scores, "").weighted[0]
    assert "bootstrap of clusters" in scores.signature
    wide, narrow = np.diff(together.interval)[0], np.diff(apart.interval)[0]
    assert wide > 2 * narrow


# -- intervals -----------------------------------------------------------------------


def test_a_group_without_an_interval_says_why():
    groups = ["few"] * 6 + ["many"] * 10
    clusters = ["c1"] * 2 + ["c2"] * 4 + [f"d{at}" for at in range(10)]
    columns = {"cluster": clusters, "groups": {"contributor": groups}}
    outcomes = graded([1, 0] * 8, **columns)
    found = demur.score(outcomes, by="contributor")
    lacking = [one.group for one in found.scores if one.weighted[0].interval is None]
    assert lacking == [{"contributor": "few"}]
    assert "fewer than 5 clusters, so no interval: few (2)" in found.notes
    # Said once, whoever the systems are.
    two = graded(
        [1, 0, 1] * 2,
        item=[*range(3)] * 2,
        system=["a"] * 3 + ["b"] * 3,
    )
    notes = [note for note in demur.score(two).notes if "no interval" in note]
    assert notes == ["fewer than 5 items, so no interval: all (3)"]
