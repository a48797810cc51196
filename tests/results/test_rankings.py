"""Who is best of several: ties, bounds, and who has no number."""

import random
import re
from dataclasses import dataclass, replace

import pytest

import demur
from demur import FigureKind, Result, Results
from demur.results import Contender, Standings
from demur.results.several import common_items
from demur.results.text import significant

WORDS = "errs least", "err least", "the least error"


def points(**values: float | None) -> list[Contender]:
    return [Contender(name, value, value) for name, value in values.items()]


@pytest.mark.parametrize(
    ("standings", "who"),
    [
        (points(a=0.3, b=0.2), "b errs least"),
        (points(a=0.3, b=0.3, c=0.4), "a and b err least"),
        (points(a=0.1 + 0.2, b=0.3), "a and b err least"),
        (points(a=0.3, b=0.3, c=0.3), "3 systems share the least error"),
        ([*points(a=0.3), Contender("b", 0.3, 0.4)], "a errs least"),
        ([*points(a=0.3), Contender("b", 0.2, 0.4)], "who errs least is not known"),
        ([Contender("a", 0.1, 0.2), Contender("b", 0.1, 0.2)], WORDS[0]),
        (points(a=None, b=0.3), "b errs least"),
        (points(a=float("nan"), b=0.3), "b errs least"),
    ],
)
def test_who_is_best(standings, who):
    for order in (standings, standings[::-1]):
        said = Standings(order).who(*WORDS)
        assert sorted(said.split()) == sorted(who.split()) or who in said


def test_all_that_may_be_best_are_looked_at_not_only_two():
    ranking = Standings([*points(a=0.3, b=0.31), Contender("c", 0.0, 0.32)])
    assert not ranking.known
    assert ranking.rivals_text("{} errs on {}", "{} on {}") == (
        "a errs on 0.300, c on 0.000 to 0.320"
    )
    many = [Contender(f"s{n}", 0.0, 0.4) for n in range(9)]
    assert Standings(many).rivals_text("{} {}", "{} {}").endswith(" and 6 more")


def test_who_follows_is_told_as_the_best_are():
    assert Standings(points(a=1, b=2)).follows() == "; b follows with 2.000"
    assert Standings(points(a=1, b=2, c=2)).follows() == "; b and c follow with 2.000"
    many = points(a=1, b=2, c=2, d=2)
    assert Standings(many).follows() == "; 3 systems follow with 2.000"
    open_ = [*points(a=1, b=2), Contender("c", 1.5, 3)]
    assert Standings(open_).follows() == "; who follows is not known"
    assert Standings(points(a=1, b=1)).follows() == ""


def test_numbers_that_differ_do_not_look_alike():
    ranking = Standings(points(a=0.30001, b=0.30002), shown=significant)
    assert ranking.value == "0.30001"
    assert ranking.follows() == "; b follows with 0.30002"
    close = points(a=0.3000000001, b=0.3000000002)  # told with up to 5 digits more
    assert Standings(close, shown=significant).value == "0.3"
    near = points(a=0.300000001, b=0.300000002)
    assert Standings(near, shown=significant).value == "0.300000001"
    nearer = points(a=0.1000000001, b=0.1000000004)  # 6 digits more would tell them
    assert Standings(nearer, shown=significant).value == "0.1"


def test_those_without_a_number_are_named():
    ranking = Standings(points(a=None, b=1, c=2))
    assert ranking.left_out("no rate") == " a is left out: no rate."
    ranking = Standings(points(a=None, b=None, c=None))
    assert ranking.left_out("no rate") == " 3 are left out: no rate."
    assert not ranking.known


def test_higher_is_better_where_it_is_said():
    standings = [Contender("a", 0.5, 0.9), *points(b=0.6)]
    assert not Standings(standings, better="higher").known
    assert Standings(points(a=1, b=2), better="higher").value == "2.000"


def test_the_order_of_the_systems_does_not_matter():
    draw = random.Random(0)
    for _ in range(200):
        ends = [sorted(draw.choices([0.1, 0.2, 0.3, 0.4], k=2)) for _ in range(4)]
        standings = [Contender(f"s{n}", *two) for n, two in enumerate(ends)]
        ranking = Standings(standings)
        again = Standings(draw.sample(standings, 4))
        assert ranking.known == again.known
        if ranking.known:
            assert {one.name for one in ranking.best} == {o.name for o in again.best}
            worst = ranking.best[0].high
            assert all(one.low >= worst for one in standings if one not in ranking.best)


def test_items_in_common():
    assert common_items([]) is None
    assert common_items([["a", "a"], ["a"]]) is None
    assert common_items([["a", "b"], ["b", "c"]]) == 1


@pytest.mark.parametrize("others", [1, 2])
def test_two_results_are_ranked_like_three_and_to_three_digits(others):
    scores = [
        demur.label_scores(
            references=["x"] * 30, hypotheses=["y"] * wrong + ["x"] * (30 - wrong)
        )
        for wrong in (7, 4, 10)[: 1 + others]
    ]
    named = [
        replace(one, system=name) for one, name in zip(scores, "abc", strict=False)
    ]
    sentence = demur.Results(named).sentence()
    assert sentence.startswith(
        f"Of {1 + others} systems b is best: the accuracy is 0.867"
    )
    assert "a follows: the accuracy is 0.767" in sentence
    assert not re.search(r"\d\.\d{4}", sentence)


def accuracies(*named: tuple[str, int]) -> str:
    """The sentence of systems with so many of 30 labels wrong, without intervals."""
    results = [
        replace(
            demur.label_scores(
                references=["x"] * 30, hypotheses=["y"] * wrong + ["x"] * (30 - wrong)
            ),
            system=name,
        )
        for name, wrong in named
    ]
    sentence = re.sub(r" \(95 %.*?\)", "", demur.Results(results).sentence())
    return sentence.replace("the accuracy is ", "")


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ([("", 6), ("", 6)], "number 1 and number 2 are best: 0.800."),
        ([("", 6), ("", 3)], "number 2 is best: 0.900; number 1 follows: 0.800."),
        ([("", 3), ("b", 6)], "(nameless) is best: 0.900; b follows: 0.800."),
        ([("a", 3), (" ", 6)], "a is best: 0.900; (nameless) follows: 0.800."),
        (
            [("a", 3), ("a", 6), ("b", 6)],
            "a (number 1) is best: 0.900; a (number 2) and b follow: 0.800.",
        ),
    ],
)
def test_systems_without_a_name_of_their_own_are_told_apart(named, sentence):
    assert accuracies(*named) == f"Of {len(named)} systems {sentence}"


def test_results_without_figures_say_each_their_sentence():
    curve = demur.error_return(
        demur.Outcomes.from_arrays(correct=[1, 0], confidence=[2, 1])
    )
    assert not list(curve.split.figures())
    told = demur.Results([curve.split, curve.split])
    assert told.sentence() == "\n".join([curve.split.sentence()] * 2)
    assert list(told.ranked) == list(told)


@dataclass(frozen=True, eq=False, repr=False)
class Height(Result):
    """A number of which neither more nor less is better."""

    KINDS = (FigureKind("height", "height", "number", most=9.0, better="neither"),)
    height: float


def test_two_results_that_nothing_ranks_say_their_sentences_and_more_their_number():
    one = Height(2.5)
    for n in (1, 2):
        assert Results([one] * n).sentence() == "\n".join([one.sentence()] * n)
    for n in (3, 4):
        assert Results([one] * n).sentence() == f"{n} {Results.PLURAL}."
