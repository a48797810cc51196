"""Recorded modules cannot react: what is said of them, and of those they hear."""

import json
import random
from contextlib import suppress
from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.pipelines.recordings import no_reaction, recorded_listeners
from demur.results.gates import parse_gate
from pipeline_cases import (
    nlu,
    pipeline,
    random_dialogues,
    target_dialogues,
)
from reference_pipelines import act_rates, run, shapley

NEXT = {"greet": "hello", "bye": "goodbye", "book": "offer"}
SAID = {"hello": ["hi"], "goodbye": ["see you"], "offer": ["4 at 20:00"]}


def logged_dialogues(wrong=()):
    """Five dialogues of a log; wrong has (dialogue, module) and what it said there."""
    dialogues = []
    for at in range(5):
        act = ("greet", "bye", "book")[at % 3]
        said = {"nlu": dict(wrong).get((at, "nlu"), act)}
        said["policy"] = dict(wrong).get((at, "policy"), NEXT[said["nlu"]])
        said["nlg"] = dict(wrong).get((at, "nlg"), SAID[said["policy"]])
        target = {"nlu": act, "policy": NEXT[act], "nlg": SAID[NEXT[act]]}
        turn = demur.TargetTurn(input=act, target=target, annotations={"logged": said})
        dialogues.append(demur.TargetDialogue(f"d{at}", [turn]))
    return dialogues


def built(*recorded):
    """The three modules, some of them recorded."""
    parts = {"nlu": str.lower, "policy": NEXT.get, "nlg": SAID.get}
    return demur.Pipeline.of(
        [
            demur.recorded_module("logged", name=name)
            if name in recorded
            else demur.as_module(part, name=name)
            for name, part in parts.items()
        ]
    )


WRONG = [((0, "nlu"), "bye"), ((1, "policy"), "hello"), ((2, "nlg"), ["booked"])]


@pytest.mark.parametrize(
    ("recorded", "deaf"),
    [((), ()), (("nlu",), ()), (("policy",), ("policy",)), (("nlu", "nlg"), ("nlg",))],
)
def test_only_who_hears_others_would_have_to_react(recorded, deaf):
    listeners = recorded_listeners(built(*recorded))
    assert tuple(module.name for module in listeners) == deaf
    found = demur.attribute_loss(built(*recorded), logged_dialogues(WRONG))
    heard_another = "nlu" in recorded or len(deaf) == 2  # what runs here is right
    reason = no_reaction(listeners) if heard_another else ""
    assert {share.why_undefined for share in found.rows} <= {reason, ""}
    assert any(share.why_undefined for share in found.rows) == bool(reason)


def test_a_log_says_what_is_not_defined_in_every_way():
    found = demur.attribute_loss(built("nlu", "policy", "nlg"), logged_dialogues(WRONG))
    shares = {share.name: share for share in found.rows}
    assert list(shares) == ["nlu", "policy", "history", "nlg"]
    history = shares.pop("history")  # each dialogue has one turn
    assert (history.shapley, history.why_undefined) == (0, "")
    assert {share.shapley for share in shares.values()} == {None}
    assert {share.interval for share in shares.values()} == {None}
    reason = "policy and nlg are recorded and cannot react"
    assert {share.why_undefined for share in shares.values()} == {reason}
    assert (found.now, found.better, found.remaining) == (2 / 5, None, None)
    # Better nlu changes what policy hears in d0 alone, and with it gets 1 or 0 there.
    assert shares["nlu"].bounds == pytest.approx((0, 1 / 10))
    assert (shares["nlu"].alone, shares["nlu"].last) == (None, 0)
    assert shares["nlg"].bounds == pytest.approx((1 / 5, 3 / 5))  # d2 for certain
    sentence = found.sentence()
    assert sentence.startswith(
        f"The blame of nlu, policy and nlg is not defined: {reason}. "
        "In the log 3 turns are wrong; first wrong is nlu in 1, policy in 1 and nlg in "
        "1 (nlu before policy may be luck: p = 1). "
    )
    assert (
        "Free-running, 40.0 % of the target acts are put out; in corrected" in sentence
    )
    assert "with all before nlg right that is not defined (strict; 5 turns)" in sentence
    assert (
        "All that the log leaves open: nlu between +0.0 and +10.0 points; " in sentence
    )
    text = str(found)
    assert f"note: -: not defined, {reason}" in text
    assert "+0.0 to +10.0" in text
    told = json.loads(json.dumps(found.to_dict()))
    assert told["shares"][0]["shapley"] is None
    assert told["shares"][0]["why_undefined"] == reason
    assert f"{reason}" in found._repr_html_()
    assert demur.plot_pipeline(found)
    with pytest.raises(demur.UndefinedRate, match="blame_nlu is undefined: policy and"):
        parse_gate("blame_nlu > 0.5").broken_by(found.figures())


def test_what_a_log_tells():
    found = demur.attribute_loss(built("nlu", "policy", "nlg"), logged_dialogues(WRONG))
    told = {
        each.name: (
            each.given_right.amount,
            each.given_right.base,
            each.given_wrong.amount,
            each.given_wrong.base,
            each.first_wrong,
        )
        for each in found.observed
    }
    assert told == {
        "nlu": (1, 5, 0, 0, 1),
        "policy": (1, 4, 1, 1, 1),
        "nlg": (1, 3, 2, 2, 1),
    }


def test_a_module_that_runs_is_told_by_its_own_errors_not_by_what_it_covers_up():
    def understand(text):
        return None if "low" in text else text

    modules = [
        demur.as_module(understand, name="nlu"),
        demur.as_module(lambda act: act, name="tracker"),
        demur.as_module(lambda act: [f"re.{act}"], name="policy"),
    ]
    turns = [
        demur.TargetTurn(
            input=text,
            target={"nlu": text, "tracker": text, "policy": [f"re.{text}"]},
        )
        for text in ("rome", "low", "oslo", "lower")
    ]
    dialogues = [demur.TargetDialogue(f"d{n}", [one]) for n, one in enumerate(turns)]
    found = demur.attribute_loss(demur.Pipeline.of(modules), dialogues)
    shares = {share.name: share.shapley for share in found.shares}
    assert shares["nlu"] == pytest.approx(1 / 4)
    assert shares["tracker"] == pytest.approx(1 / 4)  # put right, it covers up
    told = {
        each.name: (
            *(each.given_right.amount, each.given_right.base),
            *(each.given_wrong.amount, each.given_wrong.base, each.first_wrong),
        )
        for each in found.observed
    }
    assert told == {
        "nlu": (2, 4, 0, 0, 2),
        "tracker": (0, 2, 2, 2, 0),
        "policy": (0, 2, 2, 2, 0),
    }
    assert found.sentence().endswith(
        "In corrected state 2 turns are wrong; first wrong is nlu in 2."
    )
    untold = [
        demur.TargetDialogue(one.dialogue, [replace(turn, target=dict(rest))])
        for one in dialogues
        for turn in one.turns
        for rest in [[(n, t) for n, t in turn.target.items() if n != "tracker"]]
    ]
    pipeline = demur.Pipeline.of(modules)
    assert not demur.attribute_loss(pipeline, untold, better={"nlu": "target"}).observed


def test_what_is_lost_with_all_before_it_right_is_the_share_of_the_last_module():
    parts = [
        demur.as_module(str.lower, name="nlu"),
        demur.as_module(NEXT.get, name="policy"),
        demur.as_module(lambda act: ["booked"], name="nlg"),
    ]
    found = demur.attribute_loss(demur.Pipeline.of(parts), logged_dialogues())
    assert found.remains.name == "nlg"
    assert found.remains.shapley == found.remaining == 1
    assert found.sentence().startswith("nlg is most to blame: +100.0 of +100.0 points")
    row = str(found).partition("Shapley")[2].split("\n")[2].split()
    assert row[:5] == ["nlg", "what", "remains", "+100.0", "+39.3"]
    assert {figure.called for figure in found.figures()} == {
        *("blame_nlu", "blame_policy", "blame_history", "blame_nlg")
    }
    some = demur.attribute_loss(
        demur.Pipeline.of(parts), logged_dialogues(), better={"nlu": "target"}
    )
    assert some.remains is None
    assert "100.00 points are lost even with all of these better" in str(some)


def test_the_interval_of_what_remains_is_that_of_the_last_run():
    dialogues = target_dialogues(random_dialogues(3, 30, gaps=False))
    found = demur.attribute_loss(pipeline(), dialogues)
    given_ = {"nlu": "target", "tracker": "target"}
    best = demur.run_pipeline(pipeline(), dialogues, given=given_)
    assert found.remains.shapley == pytest.approx(1 - best.strict)
    assert found.remains.low < found.remains.shapley < found.remains.high
    total = sum(share.shapley for share in found.rows)
    assert total == pytest.approx(1 - found.now)


class Remembering:
    """Says something by all that it has heard and said so far."""

    def __init__(self, name, said):
        self.name, self.said = name, said

    def step(self, state, given):
        before = state or []
        key = json.dumps([self.name, before, given], sort_keys=True)
        output = self.said[crc32(key.encode()) % len(self.said)]
        return output, self.observe(before, given, output)

    def observe(self, state, given, output):
        return [*(state or []), [given, output]]


POLICY_ACTS = [["re.a"], ["re.b", "odd"], ["odd"], None]


def remembering():
    """The modules for the plain twin: nlu hears the user, tracker and policy others."""
    tracker = Remembering("tracker", [{"heard": n} for n in range(3)])
    policy = Remembering("policy", POLICY_ACTS)
    return [
        ("nlu", lambda state, text: (nlu(text), None), None, ["input"], nlu),
        ("tracker", tracker.step, tracker.observe, ["nlu"], tracker),
        ("policy", policy.step, policy.observe, ["nlu", "tracker"], policy),
    ]


def attributed(plain, recorded, **options):
    """The shares of a log; None if no acts are put out in some run."""
    log = demur.Pipeline.of(
        [
            demur.recorded_module("logged", name=name, inputs=inputs)
            if name in recorded
            else demur.as_module(made, name=name, inputs=inputs)
            for name, _, _, inputs, made in remembering()
        ]
    )
    with suppress(demur.InputError):
        return demur.attribute_loss(log, target_dialogues(plain), **options)


def plainly(plain, given, state):
    """What the modules put out when all of them run."""
    return run([parts[:4] for parts in remembering()], plain, given, state)


def logged(seed):
    """Dialogues with what the modules put out, run freely, as a source."""
    plain, rng = random_dialogues(seed, gaps=False), random.Random(seed)
    outputs = iter(plainly(plain, {}, "free"))
    for turns in plain:
        for turn in turns:
            said = {k: v for k, v in next(outputs).items() if k != "input"}
            turn["annotations"]["logged"] = said
            right = {name: said[name] for name in said if rng.random() < 0.6}
            others = {"policy": rng.choice([acts or [] for acts in POLICY_ACTS])}
            turn["target"] |= {**others, **right}
    return plain


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    recorded=st.sets(st.sampled_from(["nlu", "tracker", "policy"]), min_size=1),
    measure=st.sampled_from(["recall", "exact", "precision"]),
    history=st.booleans(),
)
def test_bounds_of_a_log_hold_what_the_modules_would_have_done(
    seed, recorded, measure, history
):
    plain = logged(seed)
    found = attributed(plain, recorded, measure=measure, history=history)
    if found is None:
        return

    def value(players):
        given_ = {name: "target" for name in ("nlu", "tracker") if name in players}
        state = "corrected" if "history" in players or not history else "free"
        out = plainly(plain, given_, state)
        return act_rates(out, plain, "policy")["strict"][measure] or 0.0

    truth = shapley(["nlu", "tracker", *(["history"] if history else [])], value)
    truth["policy"] = 1 - value(frozenset(truth))
    assert [share.name for share in found.rows] == list(truth)
    assert found.now in (None, pytest.approx(value(frozenset()), abs=1e-9))
    for share in found.rows:
        if share.shapley is not None:
            assert share.shapley == pytest.approx(truth[share.name], abs=1e-9)
        elif measure != "precision":
            low, high = share.bounds
            assert low - 1e-9 <= truth[share.name] <= high + 1e-9
        else:
            assert share.bounds is None


def test_after_another_history_a_recorded_module_is_not_known():
    """A policy that heard a wrong act before would, in corrected state, not have."""
    outputs = [("greet", "hello"), ("bye", "hello"), ("book", "offer")]
    targets = [("greet", "hello"), ("greet", "hello"), ("book", "offer")]
    turns = [
        demur.TargetTurn(
            input=wanted[0],
            target=dict(zip(("nlu", "policy"), wanted, strict=True)),
            annotations={"logged": dict(zip(("nlu", "policy"), said, strict=True))},
        )
        for said, wanted in zip(outputs, targets, strict=True)
    ]
    log = demur.Pipeline.of(
        [demur.recorded_module("logged", name=name) for name in ("nlu", "policy")]
    )
    dialogues = [demur.TargetDialogue("d", turns)]
    found = demur.attribute_loss(log, dialogues)
    assert (found.now, found.better) == (1, None)
    # A better nlu leaves turns 2 and 3 open, history alone turn 3: it hears the same.
    [nlu_share, history] = found.shares
    assert nlu_share.bounds == pytest.approx((-2 / 3, 1 / 6))
    assert history.bounds == pytest.approx((-1 / 2, 1 / 3))
    assert (nlu_share.alone, history.alone) == (None, None)
    assert demur.attribute_loss(log, dialogues, history=False).now is None


def test_most_logs_of_the_twin_count():
    found = [
        attributed(logged(seed), {"policy"}, measure="recall") for seed in range(10)
    ]
    assert sum(each is not None for each in found) > 8


def test_replacing_what_a_recorded_module_hears_is_not_defined():
    dialogues = logged_dialogues(WRONG)
    log = built("nlu", "policy", "nlg")
    one = demur.run_pipeline(log, dialogues, given={"nlu": "target"})
    assert (one.strict, one.multiple) == (None, None)
    assert "not defined, policy and nlg are recorded" in one.sentence()
    refuses("responses must be known", one.outcomes)
    assert demur.run_pipeline(log, dialogues).strict == 2 / 5
    found = demur.evaluate_pipeline(log, dialogues, replace="nlu")
    target, actual = found.row("target"), found.row("actual")
    assert (target.identical.share, actual.identical.share) == (1, 4 / 5)
    assert (target.strict.share, actual.strict.share) == (None, 2 / 5)
    assert {test.question for test in found.tests} == {"response - module"}
    assert "another nlu that is not defined: policy and nlg are" in found.sentence()
    assert [each.given for each in found.compatible] == [()]
    explained = demur.explain_turn(log, dialogues, "d0:1")
    by_source = {(row.module, row.source): row.match for row in explained.rows}
    assert by_source["nlu", "target"] == "not defined (recorded)"
    assert by_source["", ""] == "wrong"


def test_what_a_recorded_module_heard_in_a_gap_of_the_log_is_not_known():
    def turn(act, said, **logged):
        target = {"nlu": act, "policy": said}
        return demur.TargetTurn(
            input=act, target=target, annotations={"logged": logged}
        )

    whole = turn("greet", "hello", nlu="greet", policy="hello")
    gap = turn("greet", "hello", policy="hello")
    after = turn("bye", "goodbye", nlu="bye", policy="hello")
    log = demur.Pipeline.of(
        [demur.recorded_module("logged", name=name) for name in ("nlu", "policy")]
    )
    dialogues = [
        demur.TargetDialogue("whole", [whole]),
        demur.TargetDialogue("gap", [gap, after]),
    ]
    for state in ("free", "corrected"):
        right = {"nlu": "target"}
        found = demur.run_pipeline(log, dialogues, given=right, state=state)
        assert found.strict is None
        assert demur.run_pipeline(log, dialogues, state=state).strict == 1 / 2
    [nlu_share, _] = demur.attribute_loss(log, dialogues).shares
    assert nlu_share.bounds == pytest.approx((-1 / 4, 1 / 2))  # of two turns


def test_what_says_the_same_as_the_log_is_defined():
    found = demur.evaluate_pipeline(
        built("policy", "nlg"), logged_dialogues(), replace="nlu"
    )
    assert found.row("target").strict.share == 1


@pytest.mark.parametrize(
    ("verb", "options"),
    [
        (demur.plant_errors, {"module": "nlu"}),
        (demur.sweep_cutoff, {"module": "nlu"}),
        (demur.run_pipeline, {"target": "reference_run"}),
    ],
)
def test_what_changes_what_a_recorded_module_hears_is_refused(verb, options):
    said = "module 'nlg' must run, to react to what"
    refuses(said, verb, built("nlg"), logged_dialogues(), **options)


def test_steps_of_recorded_modules_are_refused():
    said = "module 'nlg' must run, to react to what"
    [first, *_] = logged_dialogues()
    refuses(said, demur.attribute_steps, built("nlg"), first)


def test_history_is_to_blame_where_only_what_hears_the_user_is_recorded():
    found = demur.attribute_loss(built("nlu"), logged_dialogues(WRONG))
    assert [share.name for share in found.shares] == ["nlu", "policy", "history"]
    # In d0 a better policy does as well as a better nlu.
    assert [share.shapley for share in found.shares] == pytest.approx([0.1, 0.1, 0])
    assert np.isfinite([share.low for share in found.shares]).all()


@pytest.mark.parametrize("wrong", [False, True])
def test_a_number_of_a_log_that_went_otherwise_says_what_it_rests_on(wrong):
    dialogues = [one.turns[0] for one in logged_dialogues(WRONG if wrong else ())]
    dialogues = [demur.TargetDialogue("d", dialogues[:3])]
    logged = built("nlu", "policy", "nlg")
    run = demur.run_pipeline(logged, dialogues)
    # The first of three turns went otherwise: both that follow it have another past.
    note = "2 of 3 turns of the log follow one that went otherwise"
    assert any(note in one for one in run.notes) == wrong
    free = demur.run_pipeline(logged, dialogues, state="free")
    assert not any(note in one for one in free.notes)
    whole = demur.evaluate_pipeline(logged, dialogues, replace="nlu")
    assert any(note in one for one in whole.remarks) == wrong
    assert not any(note in one for one in demur.run_pipeline(built(), dialogues).notes)
