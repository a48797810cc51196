"""Checks of a judge: planted effects are found, none is claimed without one."""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import numpy as np
import pytest

import demur
from demur.comparisons.pairs import holm
from demur.judge_models.cases import Asking, JudgeCase, JudgeVerdict
from demur.judge_models.check_answers import PADDING, checked_answers
from demur.judge_models.check_results import CHECKS, MEASURES
from demur.judge_models.checking import check_judge, plan_checks
from planted_judges import PlantedJudge, answers


def checked(judge=None, /, *, seed=0, checks=None, own=(), people="people", **made):
    responses, references = answers(seed, **made)
    return check_judge(
        judge or PlantedJudge(seed),
        responses,
        references,
        checks,
        people=people,
        own_systems=own,
        seed=seed,
    )


@contextmanager
def refused(*parts: str) -> Iterator[None]:
    """What is refused with a message that has these parts."""
    with pytest.raises(demur.InputError) as problem:
        yield
    for part in parts:
        assert part in str(problem.value)


def found_in(name, judge, draws=20, **how):
    """In how many draws an effect is claimed."""
    return sum(
        name
        in {effect.name for effect in checked(judge(seed), seed=seed, **how).claimed}
        for seed in range(draws)
    )


# -- what is planted is found ------------------------------------------------------
#
# Of 20 draws at least 16: where an effect is found in nine of ten samples, fewer happen
# in 4 of 1,000 such tests.

PLANTED = [
    ("order right", {"order": 0.2, "sampling": False}, {"items": 60}),
    ("order right", {"order": -0.3}, {"items": 100}),
    ("length right", {"padded": 0.2, "sampling": False}, {"items": 60}),
    ("length right", {"padded": -0.3}, {"items": 100}),
    ("references right", {"bare": -0.3}, {"items": 100}),
    ("length surplus", {"doubling": 0.15}, {"items": 250}),
]


@pytest.mark.parametrize(("name", "planted", "made"), PLANTED)
def test_a_planted_effect_is_found(name, planted, made):
    check = name.partition(" ")[0]
    found = found_in(
        name,
        lambda seed: PlantedJudge(seed, **planted),
        checks=[check, "repeat"],
        **made,
    )
    assert found >= 16


def test_a_judge_that_favours_its_own_model_is_found():
    made = {"items": 120, "systems": "abcd", "accuracy": (0.6,) * 4}
    found = found_in(
        "own surplus",
        lambda seed: PlantedJudge(seed, of_own=0.3),
        checks=["own"],
        own="a",
        **made,
    )
    assert found >= 16


def test_verdicts_that_hang_on_the_order_are_found_where_their_share_stays():
    # Every third verdict turns, half of them each way: nothing moves on average.
    responses, references = answers(items=60, systems="a", accuracy=(0.5,))

    def judge(case, asking):
        item, _, verdict, *_ = case.response.split()
        turns = asking.turned and int(item) % 3 == 0
        return (verdict == "right") != turns

    found = check_judge(judge, responses, references, ["order", "repeat"])
    assert found.effect("order", "changed").claimed
    assert found.effect("order", "changed").effect == pytest.approx(1 / 3)
    assert not found.effect("order", "right").claimed


# -- and nothing else --------------------------------------------------------------


def test_a_sampling_judge_changes_its_mind_and_no_order_is_claimed():
    found = checked(PlantedJudge(1, sampling=True), items=80)
    changed = found.effect("order", "changed")
    assert changed.after > 0.15
    assert found.effect("repeat", "changed").effect == changed.before > 0.15
    assert not found.claimed
    assert "asked the same again" in changed.sentence()


def test_a_judge_without_luck_and_effects_has_none():
    found = checked(
        PlantedJudge(2, sampling=False), checks=["order", "repeat", "length"]
    )
    tested = [
        e for e in found.effects if e.p_value is not None and e.measure != "surplus"
    ]
    assert {effect.effect for effect in tested} == {0.0}
    assert {effect.p_value for effect in tested} == {1.0}
    assert not found.claimed


def test_own_answers_that_are_better_are_no_favour():
    # People call .9 of a's answers right and .4 of b's: its surplus over people alone
    # would differ by .15 for a judge of sensitivity .9 and specificity .8.
    made = {"items": 150, "accuracy": (0.9, 0.4)}
    found = found_in(
        "own surplus", PlantedJudge, draws=12, checks=["own"], own=["a"], **made
    )
    assert found <= 3


def test_better_answers_that_are_longer_are_no_effect_of_length():
    claimed = 0
    for seed in range(12):
        responses, references = answers(seed, items=100, systems="a", accuracy=(0.5,))
        for response in responses:
            response["response"] += " w" * (12 * (response["people"] == "right"))
        found = check_judge(
            PlantedJudge(seed), responses, references, "length", people="people"
        )
        claimed += bool(found.effect("length", "surplus").claimed)
    assert claimed <= 3


@pytest.mark.stress
@pytest.mark.parametrize("sampling", [True, False])
@pytest.mark.parametrize(
    ("items", "systems", "in_cluster"),
    [(6, "ab", 1), (30, "abc", 1), (60, "abcd", 6), (120, "a", 1)],
)
def test_all_checks_together_rarely_claim_anything(
    items, systems, in_cluster, sampling
):
    # 5 % of 500 draws, and three standard errors of that share (2.9 %).
    accuracy = (0.8, 0.6, 0.4, 0.9)[: len(systems)]
    claimed = sum(
        bool(
            checked(
                PlantedJudge(seed, sampling=sampling),
                seed=seed,
                own="a" if len(systems) > 1 else (),
                items=items,
                systems=systems,
                accuracy=accuracy,
                in_cluster=in_cluster,
            ).claimed
        )
        for seed in range(500)
    )
    assert claimed <= 500 * 0.079


# -- a twin ------------------------------------------------------------------------


def plain_checks(judge, responses, references):
    """Shares and p values of order and repeat, in loops over dictionaries."""
    right, label = {}, {}
    keys = {reference["item"]: reference for reference in references}
    for way, asking in (
        ("as_is", Asking()),
        ("order", Asking(turned=True)),
        ("repeat", Asking(repeat=1)),
    ):
        for number, response in enumerate(responses):
            key = keys[response["item"]]
            case = JudgeCase(
                response["response"], key["input"], ((key["reference"], 1.0),)
            )
            [verdict] = judge.verdicts([case], asking)
            right[way, number] = verdict.credit or 0.0
            label[way, number] = verdict.code

    def tested(value):
        sums = defaultdict(float)
        for number, response in enumerate(responses):
            sums[response["item"]] += value(number)
        signs = [*product((1, -1), repeat=len(sums))]
        wanted = abs(sum(sums.values())) - 1e-9
        extreme = sum(
            abs(sum(s * v for s, v in zip(row, sums.values(), strict=True))) >= wanted
            for row in signs
        )
        return sum(sums.values()) / len(responses), extreme / len(signs)

    def turned(number):
        return right["order", number] - right["as_is", number]

    def unsure(number):
        codes = label["order", number], label["as_is", number]
        return (codes[0] == "cannot_tell") - (codes[1] == "cannot_tell")

    def changed(number):
        first = label["as_is", number]
        return (label["order", number] != first) - (label["repeat", number] != first)

    return {
        "right": tested(turned),
        "cannot_tell": tested(unsure),
        "changed": tested(changed),
    }


@pytest.mark.parametrize("seed", range(4))
def test_order_and_repeat_are_as_a_plain_twin_has_them(seed):
    class Known:
        """The same verdict for a case and an asking, whoever asks first."""

        def verdicts(self, cases, asking):
            given = []
            for case in cases:
                key = f"{case.response}|{asking}|{seed}".encode()
                dice = np.random.default_rng([*key]).random()
                code = "right" if dice < 0.5 + 0.3 * asking.turned else "wrong"
                code = "cannot_tell" if dice > 0.9 else code
                credit = {"right": 1.0, "wrong": 0.0}.get(code)
                given.append(JudgeVerdict(credit, code))
            return given

    responses, references = answers(seed, items=9, systems="ab")
    found = check_judge(Known(), responses, references, ["order", "repeat"], seed=seed)
    twin = plain_checks(Known(), responses, references)
    effects = {e.measure: e for e in found.effects if e.check == "order"}
    assert effects.keys() == twin.keys()
    for measure, (effect, p_value) in twin.items():
        assert effects[measure].effect == pytest.approx(effect, abs=1e-12)
        assert effects[measure].p_value == pytest.approx(p_value, abs=1e-12)
    adjusted = holm(np.array([p for _, p in twin.values()]))
    assert [e.adjusted_p for e in effects.values()] == pytest.approx(adjusted.tolist())


def test_without_references_errors_are_against_people():
    responses = [
        {"item": i, "response": "x", "people": "right" if i < 6 else "wrong"}
        for i in range(12)
    ]
    responses.append({"item": 12, "response": "x", "people": None})
    references = [{"item": i, "reference": "x"} for i in range(13)]

    def judge(_case, asking):
        return asking.with_references or None

    effect = check_judge(
        judge, responses, references, "references", people="people"
    ).effect("references", "unlike_people")
    assert (effect.answers, effect.before, effect.after) == (12, 0.5, 1.0)


# -- what is hostile ---------------------------------------------------------------


def few(number=8):
    responses = [{"item": i, "response": f"{i} a right"} for i in range(number)]
    references = [{"item": i, "reference": "right"} for i in range(number)]
    return responses, references


def test_what_fails_in_one_way_is_left_out_of_its_pairs_and_counted():
    class Failing:
        def verdicts(self, cases, asking):
            return [
                JudgeVerdict(None, "failed", "503")
                if asking.turned and case.response[0] in "12"
                else JudgeVerdict(1.0, "right")
                for case in cases
            ]

    found = check_judge(Failing(), *few(), ["order", "repeat"])
    assert found.effect("order").answers == 6
    assert found.effect("order", "changed").answers == 6
    assert found.effect("repeat", "changed").answers == 8
    assert "order: 2 verdicts failed, whose pairs are left out: 503" in found.notes
    assert found.verdicts[1]["order"] is None
    assert found.verdicts[1]["as_is"] == "right"


def test_a_function_that_raises_costs_one_verdict():
    def judge(case, _asking):
        return 1 / (int(case.response[0]) - 3) is not None

    found = check_judge(judge, *few(), "order")
    assert found.effect("order").answers == 7
    assert any(
        "as_is: 1 verdict failed, whose pairs are left out: Zero" in n
        for n in found.notes
    )


def test_a_judge_that_always_fails_is_no_crash():
    found = check_judge(lambda _case, _asking: 1 / 0, *few(), people=None)
    assert not found.claimed
    assert all(effect.effect is None for effect in found.effects)
    assert found.sentence() == (
        "Nothing could be tested on verdicts of 8 answers to 8 items."
    )
    assert "order right: not tested: no answer was judged in both ways" in str(found)


@pytest.mark.parametrize("verdict", [True, False, None, 0.5])
def test_one_verdict_for_all_has_no_effect(verdict):
    found = check_judge(lambda _case, _asking: verdict, *few())
    assert not found.claimed
    effects = [effect for effect in found.effects if effect.effect is not None]
    assert {effect.effect for effect in effects} == {0.0}
    for effect in effects:
        assert effect.low <= 0 <= effect.high


def test_one_item_has_effects_and_neither_interval_nor_claim():
    found = check_judge(lambda _case, asking: asking.turned, *few(1))
    effect = found.effect("order")
    assert (effect.effect, effect.interval, effect.p_value) == (1.0, None, 1.0)
    assert not found.claimed
    json.dumps(found.to_dict())


def test_answers_that_cannot_be_changed_are_left_out_and_counted():
    responses = [
        {"item": 0, "response": ""},
        {"item": 1, "response": [1, 2]},
        {"item": 2, "response": "two"},
        {"item": 3, "response": None},
        {"item": 4, "response": "NO_ANSWER"},
        {"item": 5, "response": "five"},
        {"item": 6, "response": "six"},
    ]
    references = [{"item": i, "reference": "x"} for i in range(5)]
    references += [{"item": 5, "answerable": False}, {"item": 6}]
    found = check_judge(lambda _case, _asking: True, responses, references)
    assert (found.answers, found.items) == (4, 4)
    assert found.effect("length").answers == 2
    assert found.effect("references").answers == 3
    assert found.notes[:4] == (
        "2 responses without a guess: left out",
        "1 response to questions without an answer: left out",
        "length: 2 answers with no text to pad: left out of it",
        "references: 1 answer with no reference: left out of it",
    )
    assert found.requests == 4 + 4 + 4 + 2 + 3


def test_without_any_reference_there_is_nothing_to_leave_out():
    responses, _ = few()
    found = check_judge(
        lambda _case, _asking: True, responses, [{"item": i} for i in range(8)]
    )
    assert "no answer was judged" in found.effect("references").untested


def test_what_needs_people_or_names_says_so():
    found = check_judge(PlantedJudge(), *few(), [*CHECKS])
    untested = {e.name: e.untested for e in found.effects if e.untested}
    assert untested == {
        "length surplus": "needs people's verdicts",
        "own surplus": "needs the names of systems that are the judge's own model",
        "references unlike_people": "needs people's verdicts",
    }
    alone = check_judge(PlantedJudge(), *few(), "order").effect("order", "changed")
    assert alone.untested.startswith("needs the check repeat")
    assert alone.effect is not None
    assert alone.p_value is None


def test_own_answers_need_another_with_the_same_verdict():
    responses, references = answers(items=8, systems="ab", accuracy=(1.0, 0.0))
    found = check_judge(
        PlantedJudge(), responses, references, "own", own_systems="a", people="people"
    )
    assert found.effect("own", "surplus").untested.startswith("no question has")


def test_wrong_arguments_are_refused_before_anything_is_asked():
    def never(_case, _asking):
        raise AssertionError

    def judged(**how):
        return check_judge(never, *answers(items=6), **how)

    with refused("check_judge: checks must be one of", "Did you mean 'order'"):
        judged(checks=["ordr"])
    with refused("check_judge: checks must name at least one check"):
        judged(checks=[])
    with refused("people must be one of people", "Did you mean 'people'?"):
        judged(people="peopel")
    with refused("hold people's verdicts, in a column people; got none", "--labels"):
        check_judge(never, *few(1), people="people")
    with refused("own_systems must be one of a, b; got 'c'"):
        judged(own_systems=["c"])
    with refused("own_systems must come with the check own; got order"):
        judged(own_systems=["a"], checks=["order"])
    with refused("items must be a whole number from 1"):
        judged(items=0)
    with refused("padding must be a text, not empty"):
        judged(padding=" ")
    with refused("level"):
        judged(level=1.0)
    with refused("the judge must have verdicts(cases, asking)"):
        check_judge(7, *answers(items=6))
    with refused("column people must be right or wrong, or empty; got 'perhaps'"):
        check_judge(
            never,
            [{"item": 1, "response": "x", "people": "perhaps"}],
            [{"item": 1, "reference": "x"}],
            people="people",
        )
    with refused("item '2' must have a reference; got none"):
        check_judge(
            never, [{"item": 2, "response": "x"}], [{"item": 1, "reference": "x"}]
        )
    with refused("item '1' must have one reference; got another"):
        check_judge(never, *few(1)[:1], [{"item": 1}, {"item": 1}])
    with refused("must have one response of each system, setting and repeat; got"):
        check_judge(never, few(1)[0] + few(1)[0][:1], few(1)[1])
    with refused("references must hold at least one reference"):
        check_judge(never, few(1)[0], [])
    with refused("responses must hold an answer that can be judged"):
        check_judge(never, [{"item": 0, "response": None}], few(1)[1])


def test_a_judge_that_loses_verdicts_is_refused():
    class Losing:
        def verdicts(self, cases, asking):  # noqa: ARG002
            return []

    with pytest.raises(demur.RunError, match="gave 0 verdicts on 8 cases"):
        check_judge(Losing(), *few())


def test_a_function_that_returns_something_else_is_refused():
    with refused("the judge must return a verdict, True, False, a credit", "'yes'"):
        check_judge(lambda _case, _asking: "yes", *few())


# -- what is asked -----------------------------------------------------------------


def test_a_judge_is_asked_once_in_each_way():
    seen = []

    class Recording:
        def verdicts(self, cases, asking):
            seen.append((asking, [case.response for case in cases]))
            return [JudgeVerdict(1.0, "right")] * len(cases)

    plan = plan_checks(*few(3))
    found = check_judge(Recording(), *few(3))
    texts = [f"{i} a right" for i in range(3)]
    padded = [f"{text} {PADDING}" for text in texts]
    assert seen == [
        (Asking(), texts),
        (Asking(turned=True), texts),
        (Asking(repeat=1), texts),
        (Asking(), padded),
        (Asking(with_references=False), texts),
    ]
    assert plan.requests == found.requests == 15
    assert plan.sentence() == "15 verdicts will be asked for: 3 answers in 5 ways"


def test_a_draw_takes_all_answers_to_the_same_items_whatever_their_order():
    responses, references = answers(items=30)
    drawn = checked_answers(responses, references).drawn(7, seed=5)
    other = checked_answers(responses[::-1], references[::-1]).drawn(7, seed=5)
    assert len(drawn) == 14
    assert sorted(drawn.items) == sorted(other.items)
    assert drawn.cluster.max() == 6
    assert checked_answers(responses, references).drawn(99, seed=0).n_items == 30
    found = check_judge(PlantedJudge(), responses, references, "order", items=7, seed=5)
    assert found.notes[0] == "7 of 30 items drawn at random (seed 5)"
    assert {row["item"] for row in found.verdicts} == set(drawn.items)


def test_clusters_are_the_units():
    found = checked(items=60, in_cluster=10, checks="order", people=None)
    assert found.effect("order").items == 6
    assert found.items == 60


# -- what is shown -----------------------------------------------------------------


def test_verdicts_in_two_ways_are_annotators():
    found = checked(PlantedJudge(order=0.3, sampling=False), items=40)
    agreed = demur.agreement(list(found.verdicts), annotators=["as_is", "order"])
    changed = found.effect("order", "changed").after
    assert agreed.coefficients[0].observed == pytest.approx(changed)


def test_gates_hold_effects_and_the_number_of_claims():
    found = checked(PlantedJudge(order=0.4, sampling=False), items=60)
    figures = {figure.called: figure for figure in found.figures()}
    assert figures["claimed"].value == len(found.claimed) > 0
    order = found.effect("order")
    held = figures["order right"]
    assert (held.value, held.low, held.high) == (order.effect, order.low, order.high)
    known = {kind.name for kind in demur.JudgeChecks.KINDS}
    assert known == {"claimed"} | {
        f"{check} {measure}" for check in CHECKS for measure in MEASURES[check]
    }


@pytest.mark.parametrize(
    ("checks", "why"),
    [
        (["order", "own"], "not tested: own"),
        (["repeat"], "nothing was tested"),
        (["order", "repeat"], ""),
    ],
)
def test_a_gate_on_claims_is_broken_where_a_check_tested_nothing(checks, why):
    found = check_judge(PlantedJudge(sampling=False), *few(), checks)
    claimed = next(figure for figure in found.figures() if figure.called == "claimed")
    assert claimed.why_undefined == why
    assert claimed.value == (None if why else 0)


def test_every_effect_has_a_sentence_and_the_whole_has_one():
    judge = PlantedJudge(order=0.4, sampling=False)
    found = checked(judge, checks=[*CHECKS], own="a", items=60)
    assert all(effect.sentence().endswith(".") for effect in found.effects)
    assert found.sentence().startswith("Beyond luck, of ")
    plain = found.to_dict()
    assert plain["effects"][0]["sentence"] == found.effects[0].sentence()
    assert "verdicts" not in plain
    json.dumps(plain)
    assert "claimed" in str(found)
    with refused("the effect must be one of", "Did you mean 'order right'?"):
        found.effect("order", "rigt")


def test_equal_arguments_give_equal_results():
    assert checked(items=20) == checked(items=20)
