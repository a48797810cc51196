"""Named scores: one formula, held against each name's own definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import by_outcome, graded, printed, printed_json, refuses, stderr_of
from demur.decisions.linear_scores import PRESETS

# Each score as its own source defines it, item by item: what is earned by a right
# answer, a wrong one, a declined answerable item, and a declined unanswerable one.
EARNED = {
    "atis-1991": lambda _: (100, -100, 0, 0),
    "omniscience-index": lambda _: (100, -100, 0, 0),
    "net-benefit": lambda t: (1, -t / (1 - t), 0, 0),
    "confidence-target": lambda t: (1, -t / (1 - t), 0, 0),
    "reliability-score": lambda c: (1, -c, 0, 1),
    # 1 less weight x wrong + declined, so that more is better
    "weighted-error": lambda w: (1, 1 - w, 0, 0),
}
TYPED = {
    "atis-1991": [("", None)],
    "omniscience-index": [("", None)],
    "net-benefit": [("(threshold=0.8)", 0.8), ("(0.25)", 0.25), ("(0)", 0)],
    "confidence-target": [("(target=0.75)", 0.75), ("(target=0.9)", 0.9)],
    "reliability-score": [("(c=10)", 10), ("(c=0.5)", 0.5), ("(c=0)", 0)],
    "weighted-error": [("(weight=2)", 2), ("(weight=5)", 5), ("(weight=0.5)", 0.5)],
}
CASES = [
    (name + typed, EARNED[name](value), name)
    for name, listed in TYPED.items()
    for typed, value in listed
]


def earned(kinds, given_, amounts):
    """The mean of what the items earn, one by one."""
    right, wrong, declined, rightly = amounts
    total = 0.0
    for kind, answered in zip(kinds, given_, strict=True):
        if answered:
            total += right if kind == "right" else wrong
        else:
            total += rightly if kind == "hopeless" else declined
    return total / len(kinds)


items = st.lists(
    st.tuples(
        st.sampled_from(["right", "wrong", "hopeless"]),
        st.sampled_from([0.2, 0.4, 0.6, 0.8]),
    ),
    min_size=1,
    max_size=12,
)


def test_every_name_has_a_definition_here():
    assert set(EARNED) == set(TYPED) == set(PRESETS)


@given(items)
@pytest.mark.parametrize(("typed", "amounts", "name"), CASES)
def test_the_chosen_cutoff_earns_most(typed, amounts, name, listed):
    kinds, confidence = zip(*listed, strict=True)
    outcomes = graded(
        [kind == "right" for kind in kinds],
        confidence,
        answerable=[kind != "hopeless" for kind in kinds],
    )
    chosen = demur.choose(outcomes, score=typed)
    cutoffs = [*sorted(set(confidence)), np.inf]
    found = [earned(kinds, np.array(confidence) >= c, amounts) for c in cutoffs]
    mine = np.inf if chosen.cutoff is None else chosen.cutoff
    assert found[cutoffs.index(mine)] == pytest.approx(max(found))
    first = next(i for i, value in enumerate(found) if value == max(found))
    assert cutoffs.index(mine) <= first or found[first] == pytest.approx(
        found[cutoffs.index(mine)]
    )
    shown = 1 - chosen.score if PRESETS[name].is_cost else chosen.score
    assert shown == pytest.approx(found[cutoffs.index(mine)])


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("weighted-error(2)", {"wrong_costs": 2}),
        ("atis-1991", {"cost_ratio": 0.5}),
        ("omniscience-index", {"cost_ratio": 0.5}),
        ("net-benefit(0.7)", {"confidence_target": 0.7}),
        ("confidence-target(0.7)", {"confidence_target": 0.7}),
        ("reliability-score(9)", {"cost_ratio": 0.1}),
    ],
)
def test_names_and_cost_ratios_choose_the_same_cutoff(typed, same):
    draw = np.random.default_rng(5)
    for size in (1, 4, 30, 200):
        confidence = draw.integers(0, 30, size)
        outcomes = graded(draw.random(size) < confidence / 30, confidence)
        by_name = demur.choose(outcomes, score=typed)
        assert by_name.cutoff == demur.choose(outcomes, **same).cutoff
        (ratio,) = same.values() if "cost_ratio" in same else (None,)
        if ratio is not None:
            assert demur.linear_score(typed).cost_ratio == pytest.approx(ratio)


def test_a_declined_unanswerable_item_earns_by_one_name_only():
    """Case G21: RS(1) at every cutoff, in counts of six items."""
    outcomes = graded(
        [1, 0, 1, 1, 0, 0],
        [0.9, 0.7, 0.6, 0.2, 0.8, 0.1],
        answerable=[True] * 4 + [False] * 2,
    )
    expected = {0.1: 0, 0.2: 1 / 3, 0.6: 1 / 6, 0.7: 0, 0.8: 1 / 6, 0.9: 1 / 2}
    score = demur.linear_score("reliability-score(1)")
    curve = demur.error_return(outcomes)
    split = curve.split
    found = {
        cutoff: score.bounds(right, error, 0, declined)[0]
        for cutoff, right, error, declined in zip(
            split.cutoff[:-1],
            split.right,
            split.error,
            split.correct_decline,
            strict=False,
        )
    }
    assert found == pytest.approx(expected)
    assert demur.choose(outcomes, score="reliability-score(1)").cutoff == 0.9
    assert demur.choose(outcomes, score="omniscience-index").cutoff == 0.2
    credits_ = {name for name, each in PRESETS.items() if each.credits_declines}
    assert credits_ == {"reliability-score"}


def test_the_score_is_judged_again_on_other_data():
    outcomes = graded([1, 0, 1, 0], [4, 3, 2, 1], item=list("abcd"))
    other = graded([0, 0, 0, 1], [4, 3, 2, 1], item=list("efgh"))
    chosen = demur.choose(outcomes, score="atis-1991")
    later = chosen.on(other)
    assert (chosen.cutoff, chosen.score) == (2, 25)
    assert later.score == -75
    assert "atis-1991 is 25.000." in " ".join(str(chosen).split())


def test_ungraded_answers_leave_bounds():
    outcomes = by_outcome(["right", "ungraded", "wrong", "unanswered"])
    (found,) = demur.score(outcomes, named=["atis-1991", "weighted-error(2)"]).scores
    atis, cost = found.named
    assert (atis.low, atis.high) == (-25, 25)
    assert (cost.low, cost.high) == (0.75, 1.25)
    assert (found.weighted[0].low, found.weighted[0].high) == (0.75, 1.25)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("rs(10)", "must be one of weighted-error"),
        ("reliability-score", "must have the parameter c"),
        ("reliability-score(c=-1)", "must be 0 or more"),
        ("reliability-score(c=inf)", "must be 0 or more"),
        ("reliability-score(c=1e99)", "must be 0 or more"),
        ("reliability-score(w=1)", "must have the parameter c"),
        ("net-benefit(1)", "must be from 0 to below 1"),
        ("net-benefit(1/0)", "must be from 0 to below 1"),
        ("weighted-error(0)", "must be above 0"),
        ("atis-1991(2)", "must have no parameter"),
        ("atis-1991()", "must read NAME"),
        ("", "must read NAME"),
        (None, "must read NAME"),
    ],
)
def test_what_is_no_score_is_refused(typed, words):
    refuses(words.replace("(", r"\("), demur.linear_score, typed)


def test_the_commands_take_names(tmp_path):
    path = tmp_path / "o.csv"
    path.write_text("item,correct,confidence\na,1,3\nb,0,2\nc,1,1\n")
    (score,) = printed_json("score", path, "--score", "atis-1991")["scores"]
    assert score["named"][0]["low"] == pytest.approx(100 / 3)
    out = printed("choose", path, "--score", "reliability-score(c=10)")
    assert "choose:score=reliability-score(c=10)" in out
    assert "must be one of" in stderr_of("choose", path, "--score", "f1", code=2)


def test_three_names_are_one_number_and_f_prefers_another(simpleqa):
    """Czech SimpleQA: F ranks gpt-4o first, right less wrong the older Sonnet."""
    scores = demur.score(simpleqa, named=["atis-1991", "omniscience-index"]).scores
    index = {}
    for each in scores:
        difference = 100 * (each.right - each.wrong) / each.items
        assert [named.low for named in each.named] == pytest.approx([difference] * 2)
        index[each.system] = each.named[1].low
        assert each.weighted[0].low == pytest.approx(1 - difference / 100)
    f_of = {
        curve.system: demur.contrast(curve).f_own for curve in demur.curve_by(simpleqa)
    }
    assert max(f_of, key=f_of.get) == "gpt-4o-2024-11-20"
    assert max(index, key=index.get) == "claude-3-5-sonnet-20240620"


@pytest.fixture
def simpleqa(demur_data):
    return demur.read_outcomes(demur_data / "czech_simpleqa" / "outcomes.csv.gz")
