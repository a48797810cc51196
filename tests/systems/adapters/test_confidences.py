"""Confidence methods: one row of the table is all that a method needs."""

import pickle

import numpy as np
import pytest

import demur
from builders import refuses
from demur.systems.adapters.answer_tokens import answer_log_probabilities
from demur.systems.adapters.confidences import (
    CONFIDENCES,
    ChatConfidence,
    ScoreConfidence,
    confidences,
)
from demur.systems.adapters.estimators import EstimatorSystem
from local_server import server


@pytest.fixture
def lowest(monkeypatch):
    """A method that demur does not have, as a row of the table."""
    method = ChatConfidence(
        name="invented",
        help="the lowest log-probability of a token of the answer",
        of=lambda reply: min(answer_log_probabilities(reply)),
        of_tokens=True,
    )
    monkeypatch.setitem(CONFIDENCES, method.name, method)
    return method


def reply(_payload, _number):
    tokens = [("Answer: ", -9.0), ("Os", -0.5), ("lo", -0.25)]
    listed = [{"token": token, "logprob": logprob} for token, logprob in tokens]
    choice = {
        "message": {"content": "Answer: Oslo"},
        "finish_reason": "stop",
        "logprobs": {"content": listed},
    }
    return 200, {}, {"choices": [choice]}


def test_a_row_of_the_table_is_a_method_of_chats(lowest):
    with server(reply) as (url, posted):
        place = url.partition("/ask")[0]
        system = demur.as_system(f"chat:m@{place}", confidence=lowest.name)
        [answer] = system.respond([demur.Input("q1", "Capital of Norway?")])
    assert (answer.response, answer.confidence) == ("Oslo", -0.5)
    assert len(posted) == 2  # the first sees whether there are log-probabilities
    assert all(request["logprobs"] is True for request in posted)
    assert "confidence=invented," in str(system)


@pytest.mark.usefixtures("lowest")
def test_a_row_of_the_table_is_in_messages():
    # That the help names the table's rows is held by tests/cli/test_choices.py.
    message = "one of mean_logprob, .*none, invented; got 'min'"
    with pytest.raises(demur.InputError, match=message):
        demur.ChatSystem("m", "http://localhost:1", confidence="min")


def test_a_method_of_one_kind_is_none_of_another():
    chats, estimators = confidences(ChatConfidence), confidences(ScoreConfidence)
    assert {**chats, **estimators} == dict(CONFIDENCES)
    assert not chats.keys() & estimators.keys()
    refuses("one of mean_logprob", demur.ChatSystem, "m", "http://a", confidence="max")


@pytest.mark.parametrize(
    ("kind", "named", "left_out"),
    [
        (demur.ChatSystem, "``agreement``, the share", "``margin``"),
        (EstimatorSystem, "``margin``, the lead", "``agreement``"),
    ],
)
def test_docstrings_name_the_methods_of_their_kind(kind, named, left_out):
    assert named in kind.__doc__
    assert left_out not in kind.__doc__


@pytest.mark.parametrize(
    ("scores", "taken"),
    [
        ([[0.0, 1.0], [0.5, 0.5]], True),
        ([[0.0, 0.0], [0.5, 0.5]], False),
        ([[-0.1, 1.1], [0.5, 0.5]], False),
    ],
)
def test_all_rows_are_probabilities_or_none_is_taken(scores, taken):
    class Scores:
        classes_ = ("a", "b")

        def predict_proba(self, texts):
            return scores[: len(texts)]

    system = demur.as_system(Scores(), confidence="entropy")
    inputs = [demur.Input(1, "x"), demur.Input(2, "y")]
    if taken:
        assert [a.confidence for a in system.respond(inputs)] == [0, -1]
    else:
        refuses("give probabilities", system.respond, inputs)


def test_only_probabilities_have_an_entropy_and_the_hint_names_what_needs_none():
    class Scores:
        classes_ = ("a", "b")

        def decision_function(self, texts):
            return [[-1.0, 2.0] for _ in texts]

    system = demur.as_system(Scores(), confidence="entropy")
    with pytest.raises(demur.InputError, match="max and margin take any scores"):
        system.respond([demur.Input(1, "x")])


def test_the_entropy_of_rows_that_do_not_add_up_to_1_is_that_of_their_shares():
    method = CONFIDENCES["entropy"]
    twice = np.array([[1.0, 1.0, 0.0], [0.2, 0.0, 0.0]])
    assert method.of(twice).tolist() == [-1.0, 0.0]


@pytest.mark.parametrize("method", CONFIDENCES.values(), ids=str)
def test_a_method_goes_to_other_processes(method):
    again = pickle.loads(pickle.dumps(method))
    assert (type(again), again.name) == (type(method), method.name)
    assert getattr(again, "of", None) is getattr(method, "of", None)
