"""The dialogue manager: promises, compliance, checklists, and states that are data."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.reference_systems.dialogue_managers import CHARACTERS


def talk(manager, *acts, state=None):
    said = []
    for act in acts:
        answer, state = manager.step(state, act)
        said.append(answer)
    return said, state


@pytest.fixture
def porter():
    return demur.character("porter")


@pytest.fixture
def doctor():
    return demur.character("plant_doctor")


# -- who withholds -------------------------------------------------------------------


def test_a_fact_is_withheld_until_the_promise_is_given(porter):
    said, _ = talk(
        porter, "whq.thief.name", "whq.name", "offer.secrecy", "whq.thief.look"
    )
    assert said == [
        ["elicit-offer.secrecy"],
        ["assert.name"],
        ["ack.offer.secrecy", "assert.thief.name"],
        ["assert.thief.look"],
    ]


def test_what_needs_two_promises_asks_for_one_after_the_other(porter):
    said, state = talk(porter, "whq.thief.place", "offer.secrecy", "offer.safety")
    assert said == [
        ["elicit-offer.secrecy"],
        ["ack.offer.secrecy", "elicit-offer.safety"],
        ["ack.offer.safety", "assert.thief.place", "warn.thief.armed"],
    ]
    assert state["pending"] is None
    assert state["promises"] == ["safety", "secrecy"]


def test_a_promise_that_nothing_waits_for_is_taken_as_it_is(porter):
    said, state = talk(porter, "whq.thief.name", "offer.reward", "offer.secrecy")
    assert said[1:] == [
        ["ack.offer.reward"],
        ["ack.offer.secrecy", "assert.thief.name"],
    ]
    assert talk(porter, "offer.secrecy", state=state)[0] == [["ack.offer.secrecy"]]


def test_a_threat_costs_compliance_and_what_has_waited(porter):
    said, state = talk(
        porter, "whq.thief.name", "threat.police", "offer.secrecy", "whq.name"
    )
    assert said[1:] == [
        ["complain.threat"],
        ["ack.offer.secrecy"],
        ["refuse.unwilling"],
    ]
    assert state["compliance"] == -1
    assert talk(porter, "apologise.sorry", "whq.name", state=state)[0] == [
        ["accept.apology"],
        ["assert.name"],
    ]


def test_what_was_not_understood_and_what_no_rule_knows(porter, doctor):
    for manager in (porter, doctor):
        said, _ = talk(manager, None, "whq.weather")
        assert said == [["request.repeat"], ["request.clarify"]]


# -- who asks ------------------------------------------------------------------------


def test_checklists_are_worked_through_with_several_acts_a_turn(doctor):
    said, _ = talk(
        doctor,
        "answer.observable.yellow-leaves",
        "answer.number",
        "answer.observable.gnats",
        "answer.yes",
        "answer.place",
        "whq.why",
        "answer.no",
        "answer.no",
        "answer.no",
    )
    assert said == [
        ["empathise.yellow-leaves", "question.watering.how-often"],
        ["question.watering.soil-wet"],
        ["empathise.gnats", "question.watering.pot-has-hole"],
        ["advise.watering", "question.light.window"],
        ["question.light.moved"],
        ["explain.why", "advise.light", "question.pests.under-leaves"],
        ["question.pests.other-plants"],
        ["advise.pests"],
        ["question.anything-else"],
    ]


def test_a_checklist_is_opened_once(doctor):
    said, state = talk(doctor, *["answer.observable.spots"] * 4)
    assert [answer[-1] for answer in said] == [
        "question.pests.under-leaves",
        "question.pests.other-plants",
        "advise.pests",
        "question.anything-else",
    ]
    assert state["open"] == ["pests"]


# -- states --------------------------------------------------------------------------


def acts_of(manager):
    listed = [*manager.heard, None, "unknown.act"]
    return st.lists(st.sampled_from(listed), max_size=12)


@given(st.sampled_from(CHARACTERS), st.data())
def test_something_is_always_said_and_states_are_plain_and_never_changed(name, data):
    manager = demur.character(name)
    state = None
    for act in data.draw(acts_of(manager)):
        before = json.dumps(state)
        said, after = manager.step(state, act)
        assert said
        assert all(each in manager.spoken for each in said)
        assert json.dumps(state) == before
        assert (said, after) == manager.step(json.loads(before), act)
        assert json.loads(json.dumps(after)) == after
        state = after


@given(st.sampled_from(CHARACTERS), st.data())
def test_observing_what_it_said_itself_is_the_state_it_came_to(name, data):
    manager = demur.character(name)
    state = None
    for act in data.draw(acts_of(manager)):
        said, after = manager.step(state, act)
        assert manager.observe(state, act, said) == after
        state = after


def test_the_state_follows_what_was_said_instead(doctor, porter):
    # A wizard skipped a question: it is still to come.
    state = doctor.observe(
        None, "answer.observable.yellow-leaves", ["question.watering.soil-wet"]
    )
    assert state["said"] == ["question.watering.soil-wet"]
    assert doctor.step(state, "answer.yes")[0] == ["question.watering.how-often"]
    # A wizard told without a promise: nothing waits.
    state = porter.observe(None, "whq.thief.name", ["assert.thief.name"])
    assert state["pending"] is None
    assert porter.step(state, "offer.secrecy")[0] == ["ack.offer.secrecy"]
    # A wizard asked for a promise where the manager would not have.
    state = porter.observe(None, "whq.name", ["elicit-offer.secrecy"])
    assert state["pending"] == "whq.name"
    # A wizard asked again for what was waiting.
    _, waiting = porter.step(None, "whq.thief.name")
    state = porter.observe(waiting, "greet.hello", ["elicit-offer.secrecy"])
    assert state["pending"] == "whq.thief.name"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: m.step(None, ["greet.hello"]), "one speech act"),
        (lambda m: m.step(None, 3), "one speech act"),
        (lambda m: m.step({}, "greet.hello"), "the state"),
        (lambda m: m.step([1], "greet.hello"), "the state"),
        (lambda m: m.observe(None, "greet.hello", "greet.back"), "a list of speech"),
        (lambda m: m.observe(None, "greet.hello", [None]), "a list of speech"),
    ],
)
def test_what_is_refused(call, words, porter):
    refuses(words, call, porter)


# -- the characters ------------------------------------------------------------------


@pytest.mark.parametrize("name", CHARACTERS)
def test_a_character_has_examples_and_words_for_all_its_acts(name):
    manager = demur.character(name)
    assert isinstance(manager, demur.Stateful)
    assert all(len(texts) >= 5 for texts in manager.heard.values())
    texts = [text for each in manager.heard.values() for text in each]
    assert len(set(texts)) == len(texts)
    assert manager.name in str(manager)


@pytest.mark.parametrize("name", CHARACTERS)
def test_a_classifier_learns_to_understand_for_a_character(name):
    heard = demur.character(name).heard
    pairs = [(text, act) for act, texts in heard.items() for text in texts]
    model = demur.RelevanceModel().fit(*zip(*pairs, strict=True))
    found = model.predict([text for text, _ in pairs]).tolist()
    right = sum(a == act for a, (_, act) in zip(found, pairs, strict=True))
    assert right / len(pairs) > 0.95


def test_only_the_characters_that_there_are():
    refuses("porter", demur.character, "amani")
