"""Shares of the loss, against all orders by hand, published splits, and laws."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.pipelines.shapley import errors_of_pairs, exact_plan, sampled_plan
from pipeline_cases import (
    modules,
    pipeline,
    pipeline_of,
    random_dialogues,
    target_dialogues,
)
from reference_pipelines import act_rates, run, shapley

values = st.floats(-5, 5)


def tables(n):
    players = "abcdef"[:n]
    sets = [frozenset(c) for k in range(n + 1) for c in combinations(players, k)]
    return st.fixed_dictionaries(dict.fromkeys(sets, values))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4).flatmap(tables))
def test_shapley_values_are_means_over_all_orders(table):
    players = sorted(max(table, key=len))
    expected = shapley(players, table.__getitem__)
    found = demur.shapley_values(players, table)
    nobody, everybody = table[frozenset()], table[frozenset(players)]
    for player in players:
        each = found[player]
        assert each.value == pytest.approx(expected[player], abs=1e-9)
        assert each.alone == table[frozenset([player])] - nobody
        assert each.last == everybody - table[frozenset(players) - {player}]
        assert each.sampling_error is None
    total = sum(each.value for each in found.values())
    assert total == pytest.approx(everybody - nobody, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(tables(4), st.integers(0, 100))
def test_sampled_orders_come_near_and_say_how_near(table, seed):
    exact = demur.shapley_values("abcd", table)
    found = demur.shapley_values("abcd", table, permutations=400, seed=seed)
    total = sum(each.value for each in found.values())
    whole = table[frozenset("abcd")] - table[frozenset()]
    assert total == pytest.approx(whole, abs=1e-9)
    for player in "abcd":
        error = found[player].sampling_error
        apart = abs(found[player].value - exact[player].value)
        assert apart <= 5 * error + 1e-9


def test_the_error_of_sampled_orders_is_not_too_small():
    rng = np.random.default_rng(4)
    table = {}
    for k in range(7):
        for each in combinations("abcdef", k):
            table[frozenset(each)] = float(rng.normal())
    # Exactly, by all orders of six players.
    exact = shapley(list("abcdef"), table.__getitem__)
    apart = []
    for seed in range(60):
        found = demur.shapley_values("abcdef", table, permutations=40, seed=seed)
        apart += [
            (found[p].value - exact[p]) / found[p].sampling_error for p in "abcdef"
        ]
    assert np.std(apart) < 1.25


@pytest.mark.parametrize(("n", "orders"), [(7, 50), (9, 50), (9, 51)])
def test_errors_are_those_of_pairs_of_an_order_and_its_reverse(n, orders):
    rng, held, runs = np.random.default_rng(0), 0, 150
    for _ in range(runs):
        order = np.empty((orders, n), int)
        for row in range(0, orders, 2):
            order[row] = rng.permutation(n)
            order[row + 1 : row + 2] = order[row][::-1]
        # The vote in the middle makes the majority.
        added = np.zeros((orders, n))
        added[np.arange(orders), order[:, n // 2]] = 1.0
        errors = errors_of_pairs(added)
        assert (errors > 0).all()
        held += (np.abs(added.mean(axis=0) - 1 / n) <= 1.96 * errors).sum()
    assert held / (runs * n) >= 0.92  # by single orders .68 to .80


def test_errors_are_none_only_where_all_orders_are_alike():
    assert errors_of_pairs(np.ones((6, 3))).tolist() == [0, 0, 0]
    one_pair = errors_of_pairs(np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert (one_pair > 0.5).all()


@pytest.mark.parametrize(("n_players", "sampled"), [(1, False), (5, False), (6, True)])
def test_more_than_five_players_are_sampled(n_players, sampled):
    found = demur.shapley_values(range(n_players), lambda s: float(len(s)))
    assert [each.value for each in found.values()] == pytest.approx([1] * n_players)
    errors = {each.sampling_error is None for each in found.values()}
    assert errors == {not sampled}


def test_each_set_is_asked_for_once():
    asked = []
    demur.shapley_values("abcdefg", lambda s: asked.append(s) or float(len(s)))
    assert len(asked) == len(set(asked))
    assert {len(each) for each in asked} == set(range(8))


def test_players_that_add_nothing_or_the_same_get_nothing_or_the_same():
    found = demur.shapley_values("abc", lambda s: float("a" in s and "b" in s))
    assert found["c"].value == 0
    assert found["a"].value == found["b"].value == 0.5


@pytest.mark.parametrize(
    ("players", "value", "options", "said"),
    [
        ([], lambda _: 0.0, {}, "players must hold at least one"),
        ("aa", lambda _: 0.0, {}, "players must stand once each"),
        ("ab", lambda _: float("nan"), {}, "must have a finite number"),
        ("ab", lambda _: "x", {}, "must have a finite number"),
        ("ab", {frozenset(): 0.0}, {}, "each set of players must be there"),
        ("ab", lambda _: 0.0, {"permutations": 1}, "whole number from 2"),
    ],
)
def test_wrong_games_are_refused(players, value, options, said):
    refuses(said, demur.shapley_values, players, value, **options)


def test_plans_share_out_all_orders():
    for n in range(1, 6):
        exact = exact_plan(n)
        assert exact.coefficients.sum() == pytest.approx(0)
        whole = exact.coalitions.index(frozenset(range(n)))
        assert exact.coefficients[:, whole] == pytest.approx([1 / n] * n)
    sampled = sampled_plan(6, 50, 0)
    assert np.abs(sampled.coefficients.sum(axis=1)).max() < 1e-12


# -- of pipelines ----------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    measure=st.sampled_from(["recall", "precision", "exact"]),
    match=st.sampled_from(["strict", "multiple"]),
)
def test_shares_are_those_of_all_orders_by_hand(seed, measure, match):
    plain = random_dialogues(seed, gaps=False)
    if not any(turn["target"]["policy"] for each in plain for turn in each):
        return

    def value(players):
        given_ = {name: "target" for name in ("nlu", "tracker") if name in players}
        state = "corrected" if "history" in players else "free"
        out = run(modules(), plain, given_, state)
        return act_rates(out, plain, "policy")[match][measure]

    found = demur.attribute_loss(
        pipeline(), target_dialogues(plain), measure=measure, match=match
    )
    expected = shapley(["nlu", "tracker", "history"], value)
    for each in found.shares:
        assert each.shapley == pytest.approx(expected[each.name], abs=1e-9)
    assert found.now == pytest.approx(value(frozenset()))
    gain = sum(each.shapley for each in found.shares)
    assert found.better - found.now == pytest.approx(gain, abs=1e-9)
    assert found.remaining == pytest.approx(1 - found.better)


def test_turns_to_look_at_add_up_to_the_shares():
    dialogues = target_dialogues(random_dialogues(21, 12, gaps=False))
    found = demur.attribute_loss(pipeline(), dialogues, first=1000)
    acts = demur.run_pipeline(pipeline(), dialogues).outcomes().weight.sum()
    lost = [each.lost for each in found.first]
    assert lost == sorted(lost, reverse=True)
    assert all(each.lost == max(each.shares.values()) for each in found.first)
    listed = {each.turn for each in found.first}
    assert len(listed) == len(found.first)
    for share in found.shares:
        positive = sum(max(t.shares[share.name], 0) for t in found.first) / acts
        assert positive >= share.shapley - 1e-9


def test_turns_in_which_a_module_broke_are_those_of_the_run_with_most():
    turns = [
        demur.TargetTurn(input=word, target={"nlu": word, "dm": [word]})
        for word in "aab"
    ]
    built = pipeline_of(nlu={"a": "a"}.__getitem__, dm=lambda act: act and [act])
    found = demur.attribute_loss(built, [demur.TargetDialogue("d", turns)])
    assert (found.failed, found.items) == (1, 3)


@pytest.mark.parametrize(("n_dialogues", "known"), [(4, False), (5, True), (6, True)])
def test_intervals_of_shares_want_five_dialogues(n_dialogues, known):
    turn = demur.TargetTurn(input="a", target={"nlu": "a", "dm": ["a"]})
    built = pipeline_of(nlu=lambda _: None, dm=lambda act: act and [act])
    dialogues = [demur.TargetDialogue(f"d{n}", [turn]) for n in range(n_dialogues)]
    found = demur.attribute_loss(built, dialogues, first=0)
    assert (found.shares[0].interval is not None) == known
    assert found.first == ()
    refuses("first must be a whole", demur.attribute_loss, built, dialogues, first=-1)


def test_a_dialogue_that_has_all_acts_may_stand_among_others():
    built = pipeline_of(nlu=lambda text: text or None, dm=lambda act: act and [act])
    dialogues = [
        demur.TargetDialogue(
            f"d{n}",
            [demur.TargetTurn(input=text, target={"nlu": "a", "dm": ["a"]})],
        )
        for n, text in enumerate(["a", "", "", "", ""])
    ]
    found = demur.attribute_loss(built, dialogues, measure="precision")
    assert all(np.isfinite(each.interval).all() for each in found.shares)


def test_what_a_turn_loses_is_counted_in_acts():
    turns = [
        demur.TargetTurn(
            input=word, target={"nlu": word, "dm": ["x"] + ["y"] * (n > 0)}
        )
        for n, word in enumerate("aab")
    ]
    built = pipeline_of(nlu={"a": "a"}.get, dm=lambda act: act and ["x", "y"])
    found = demur.attribute_loss(
        built, [demur.TargetDialogue("d", turns)], history=False
    )
    assert [(t.turn, t.name, t.lost) for t in found.first] == [("d:3", "nlu", 2.0)]
    assert found.shares[0].shapley == pytest.approx(2 / 5)
    exact = demur.attribute_loss(
        built, [demur.TargetDialogue("d", turns)], history=False, measure="exact"
    )
    assert [(t.turn, t.lost) for t in exact.first] == [("d:3", 1.0)]


@pytest.mark.parametrize("measure", ["recall", "precision"])
def test_intervals_of_shares_are_those_of_the_jackknife(measure):
    from scipy.stats import t

    dialogues = target_dialogues(random_dialogues(31, 40, gaps=False))

    def share(some):
        found = demur.attribute_loss(pipeline(), some, measure=measure)
        return found.shares[0]

    whole = share(dialogues)
    kept = [
        each for each in dialogues if any(turn.target["policy"] for turn in each.turns)
    ]
    n = len(kept)
    left_out = [share([d for d in kept if d is not each]).shapley for each in kept]
    error = np.sqrt((n - 1) / n * np.square(np.array(left_out) - whole.shapley).sum())
    reach = t.ppf(0.975, n - 1) * error
    assert whole.high - whole.shapley == pytest.approx(reach, rel=0.05)
    assert whole.shapley - whole.low == pytest.approx(reach, rel=0.05)


def test_without_history_all_is_in_corrected_state():
    dialogues = target_dialogues(random_dialogues(2, 8, gaps=False))
    found = demur.attribute_loss(pipeline(), dialogues, history=False)
    assert [each.name for each in found.shares] == ["nlu", "tracker"]
    assert found.now == demur.run_pipeline(pipeline(), dialogues).strict


def test_only_turns_that_count_in_every_run_are_used():
    turns = [
        demur.TargetTurn(
            input="a",
            target={"nlu": "a", "dm": ["re.a"]},
            annotations={} if missing else {"s": {"nlu": "a"}},
        )
        for missing in (False, True)
    ]
    two = pipeline_of(nlu=lambda _: None, dm=lambda act: act and [f"re.{act}"])
    found = demur.attribute_loss(
        two, [demur.TargetDialogue("d", turns)], better={"nlu": "s"}
    )
    assert (found.items, found.left_out) == (1, 1)
    assert (found.now, found.better) == (0, 1)


def test_intervals_of_shares_hold_the_truth():
    """Of dialogues drawn from many, 95 % of intervals hold the share of all."""
    everything = target_dialogues(random_dialogues(77, 400, 3, gaps=False))
    truth = demur.attribute_loss(pipeline(), everything).shares[0].shapley
    rng, held = np.random.default_rng(1), 0
    for _ in range(60):
        drawn = rng.choice(400, 40)
        sample = [
            demur.TargetDialogue(f"s{n}", everything[at].turns)
            for n, at in enumerate(drawn)
        ]
        share = demur.attribute_loss(pipeline(), sample).shares[0]
        held += share.low <= truth <= share.high
    assert 51 <= held <= 60  # of 60: fewer than 51 has a chance of .001 at .95


def test_more_players_than_five_are_sampled():
    names = [f"m{n}" for n in range(6)]
    built = demur.Pipeline.of(
        [
            *(demur.as_module(lambda x: None, name=name) for name in names),
            demur.as_module(lambda x: x and ["ok"], name="dm"),
        ]
    )
    target = dict.fromkeys(names, "x") | {"dm": ["ok"]}
    dialogues = [
        demur.TargetDialogue(f"d{n}", [demur.TargetTurn(input="a", target=target)])
        for n in range(6)
    ]
    found = demur.attribute_loss(built, dialogues)
    assert found.orders == 200
    assert found.shares[5].shapley == pytest.approx(1), "only the last one is heard"
    assert "sampling error" in str(found)


# -- steps and planted errors ----------------------------------------------------------


class Memory:
    """Says how many greetings it knows of; forgets after three turns if asked to."""

    def __init__(self, keeps):
        self.keeps = keeps

    def step(self, state, act):
        kept = [*(state or []), act][-self.keeps :]
        return [str(kept.count("hi"))], kept

    def observe(self, state, act, acts):
        return [*(state or []), act][-self.keeps :]


def greetings(n=5):
    turns = [
        demur.TargetTurn(
            input="hi",
            target={"nlu": "hi", "dm": [str(at + 1)]},
            annotations={"s": {"nlu": "bye" if at == 1 else "hi"}},
        )
        for at in range(n)
    ]
    return [demur.TargetDialogue("d", turns)]


def remembering(keeps):
    return pipeline_of(nlu=str.lower, dm=Memory(keeps))


@pytest.mark.parametrize(
    ("keeps", "reach"), [(1, (0,)), (2, (0, 1)), (9, (0, 1, 2, 3))]
)
def test_a_planted_error_reaches_as_far_as_by_hand(keeps, reach):
    found = demur.plant_errors(
        remembering(keeps), greetings(), module="nlu", source="s"
    )
    assert [(each.turn, each.changed) for each in found.errors] == [("d:2", reach)]
    assert found.only_here == (reach == (0,))
    nothing = demur.plant_errors(remembering(keeps), greetings(), module="nlu")
    changed = {each.turn: each.changed for each in nothing.errors}
    assert changed["d:2"] == reach
    assert len(changed) == 5


def test_corrected_and_free_running_differ_as_by_hand():
    """The one error of the source costs one turn, or all that remember it."""
    dialogues, given_ = greetings(), {"nlu": "s"}
    rates = {
        (keeps, state): demur.run_pipeline(
            remembering(keeps), dialogues, given=given_, state=state
        ).strict
        for keeps in (1, 9)
        for state in ("corrected", "free")
    }
    assert rates == {
        (9, "corrected"): 4 / 5,
        (9, "free"): 1 / 5,
        (1, "corrected"): 1 / 5,  # it can say 1 only, which is right at the start
        (1, "free"): 1 / 5,
    }


def test_an_error_without_effect():
    deaf = pipeline_of(nlu=str.lower, dm=lambda _: ["1"])
    found = demur.plant_errors(deaf, greetings(), module="nlu")
    assert (found.without_effect, found.effects[0].changed.share) == (5, 0)
    assert found.effects[0].lost == 0
    with pytest.raises(demur.InputError, match="an error must be there to plant"):
        demur.plant_errors(deaf, greetings(1), module="nlu", source="s")


def test_steps_of_a_trace_share_its_loss():
    words = ("find", "book", "pay")
    turns = [
        demur.TargetTurn(input=w, target={"call": w, "reply": [f"re.{w}"]})
        for w in words
    ]
    built = pipeline_of(call=lambda text: "find", reply=lambda call: [f"re.{call}"])
    found = demur.attribute_steps(built, demur.TargetDialogue("trace", turns))
    assert [each.value for each in found.shares] == pytest.approx([0, 1 / 3, 1 / 3])
    assert (found.now, found.better) == (1 / 3, 1)
    assert found.turns == ("trace:1", "trace:2", "trace:3")
    assert "; step trace:2 and step trace:3 cost most, 33.3" in found.sentence()
    sampled = demur.attribute_steps(
        built, demur.TargetDialogue("trace", turns), permutations=50
    )
    assert [e.value for e in sampled.shares] == pytest.approx([0, 1 / 3, 1 / 3])
    # It added nothing in any order, and might have in one that was not tried.
    assert 0 < sampled.shares[0].sampling_error < 0.1


def chained(wrong, n_dialogues=12):
    """Three modules that hand a word on; ``wrong`` says who loses it in a dialogue."""

    def module(name):
        return demur.as_module(
            lambda word: None if word and wrong(int(word)) == name else word, name=name
        )

    dialogues = [
        demur.TargetDialogue(
            f"d{at}",
            [
                demur.TargetTurn(
                    input=str(at),
                    target={"nlu": str(at), "dm": str(at), "nlg": [str(at)]},
                )
            ],
        )
        for at in range(n_dialogues)
    ]
    parts = [module("nlu"), module("dm"), demur.as_module(_listed, name="nlg")]
    return demur.attribute_loss(demur.Pipeline.of(parts), dialogues)


def _listed(word):
    return word and [word]


def test_which_module_is_first_wrong_more_often_may_be_luck():
    near = chained(lambda at: {0: "nlu", 1: "nlu", 2: "dm"}.get(at))
    assert near.first_p == pytest.approx(1)
    assert "first wrong is nlu in 2 and dm in 1 (nlu before dm may be luck: p = 1)" in (
        near.sentence()
    )
    far = chained(lambda at: "dm" if at == 0 else "nlu")
    assert far.first_p == pytest.approx(
        2 * (1 + 12) / 2**12
    )  # by hand: 1 of 12 or less
    assert far.sentence().endswith("first wrong is nlu in 11 and dm in 1.")
    one = chained(lambda at: "nlu" if at < 3 else None)
    assert one.first_p is None


def test_what_remains_is_a_loss_and_never_below_nothing():
    found = chained(lambda at: "nlu" if at < 3 else None)
    assert found.remains.shapley == 0
    assert found.remains.low == 0
    assert 0 < found.remains.high < 0.4


def test_every_figure_of_the_sentence_names_its_state():
    found = chained(lambda at: "nlu" if at < 3 else None)
    assert (
        "Free-running, 75.0 % of the target acts are put out; in corrected state with "
        "all before nlg right 100.0 % (strict; 12 turns). In corrected state 3 turns "
        "are wrong; first wrong is nlu in 3."
    ) in found.sentence()
