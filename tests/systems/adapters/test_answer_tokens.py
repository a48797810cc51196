"""Confidences from tokens, on a model whose probabilities are known."""

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.systems.adapters.answer_tokens import (
    alternatives,
    chosen_letter,
    offered_letters,
    token_entropy,
)
from demur.systems.adapters.reply_shapes import ReplyToken
from local_server import server
from simulated_model import SimulatedModel

CITIES = {"Oslo": 0.6, "Bergen": 0.3, "Osaka": 0.1}
LETTERS = {"A": 0.1, "B": 0.55, "C": 0.25, "Bergen": 0.1}
CHOICES = "Which is a city?\nA. fish\nB. Bergen\nC. Iron"


def asked(model, question, **options):
    with model.served() as (address, posted):
        system = demur.as_system(address, **options)
        inputs = [demur.Input("q", question)]
        system.check(inputs)
        [answer] = system.respond(inputs)
    return answer, posted


def entropy(shares):
    return -sum(share * math.log2(share) for share in shares if share)


def places_of(model, known, answer):
    """The probabilities at each place of an answer, its end left out."""
    tokens = model.tokens(answer)[:-1]
    return [
        (token, model.next_token(known, tokens[:at])) for at, token in enumerate(tokens)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_sums_means_and_entropies_are_those_of_the_model(seed):
    got = {}
    for method in ("sum_logprob", "mean_logprob", "token_entropy"):
        model = SimulatedModel({"Norway": CITIES}, seed=seed)
        answer, _ = asked(model, "Capital of Norway?", confidence=method)
        got[method] = answer.confidence
    places = places_of(model, CITIES, answer.response)
    logs = [math.log(shares[token]) for token, shares in places]
    assert got["sum_logprob"] == pytest.approx(math.fsum(logs))
    assert got["mean_logprob"] == pytest.approx(math.fsum(logs) / len(logs))
    mean = sum(entropy(shares.values()) for _, shares in places) / len(places)
    assert got["token_entropy"] == pytest.approx(-mean)


def test_what_is_not_told_counts_as_one_token():
    known = {"aa": 0.5, "bb": 0.25, "cc": 0.125, "dd": 0.125}
    model = SimulatedModel({"x": known}, n_told=2, seed=1)
    answer, _ = asked(model, "x", confidence="token_entropy")
    told = {"aa", "bb", answer.response}
    shares = [known[name] for name in told]
    assert answer.confidence == pytest.approx(-entropy([*shares, 1 - sum(shares)]))


@pytest.mark.parametrize("sure", [0.0001, 0.2, 0.5, 0.93])
def test_p_true_is_the_share_of_the_letter_for_true(sure):
    model = SimulatedModel({"Norway": {"Oslo": 1.0}}, {"Oslo": sure})
    answer, posted = asked(model, "Capital of Norway?", confidence="p_true")
    assert answer.response == "Oslo"
    assert answer.confidence == pytest.approx(sure)
    assert answer.extra["prompt_tokens"] == 14  # both requests are paid
    assert answer.extra["check_reply"] == (" A" if sure > 0.6 else "(B")
    [last] = posted[-1]["messages"]
    assert last["content"].startswith("Question: Capital of Norway?\n\nProposed answer")
    assert posted[-1]["logprobs"] is True
    assert posted[-1]["top_logprobs"] == 20


def test_a_check_without_a_letter_counts_what_its_first_token_could_have_been():
    model = SimulatedModel({"Norway": {"Oslo": 1.0}}, {"Oslo": 0.25})
    model.says_hm = True
    answer, _ = asked(model, "Capital of Norway?", confidence="p_true")
    assert answer.extra["check_reply"] == "Hm"
    assert answer.confidence == pytest.approx(0.25)
    model.hm = 0.51  # it does not reply by a letter
    answer, _ = asked(model, "Capital of Norway?", confidence="p_true")
    assert (answer.response, answer.confidence) == ("Oslo", None)


def test_nothing_is_asked_of_no_answer():
    model = SimulatedModel({"Norway": {"I don't know": 1.0}})
    answer, posted = asked(model, "Capital of Norway?", confidence="p_true")
    assert (answer.response, answer.confidence, answer.declined) == (None, None, True)
    assert len(posted) == 2  # the first sees whether there are log-probabilities


@pytest.mark.parametrize("n_told", [20, 2])
@pytest.mark.parametrize("seed", range(8))
def test_the_first_token_is_as_sure_as_the_letter_among_letters(n_told, seed):
    model = SimulatedModel({"city": LETTERS}, n_told=n_told, seed=seed)
    answer, posted = asked(model, CHOICES, confidence="first_token")
    assert "<the letter of your choice>" in posted[-1]["messages"][-1]["content"]
    if answer.response == "Bergen":  # no letter was chosen
        assert answer.confidence is None
        return
    told = sorted(LETTERS, key=LETTERS.get)[-n_told:]
    mass = dict.fromkeys("ABC", 0.0)
    for letter in {*told, answer.response} & set("ABC"):
        mass[letter] = LETTERS[letter]
    shares = {letter: mass[letter] / sum(mass.values()) for letter in mass}
    assert answer.confidence == pytest.approx(shares[answer.response])
    assert dict(answer.ranking) == pytest.approx(shares)
    ranked = [share for _, share in answer.ranking]
    assert ranked == sorted(ranked, reverse=True)


def test_a_letter_with_its_text_is_the_letter_and_no_other_letter_is_one():
    for said, taken in (
        ("(B) Bergen", "B"),
        ("B. x", "B"),
        ("D", "D"),
        ("I do", "I do"),
    ):
        model = SimulatedModel({"city": {said: 1.0}})
        answer, _ = asked(model, CHOICES, confidence="first_token")
        assert answer.response == taken
        assert answer.confidence == (1 if taken == "B" else None)


def test_a_question_without_choices_is_refused_before_it_is_asked():
    system = demur.ChatSystem("m", "http://localhost:1", confidence="first_token")
    refuses("list choices with letters", system.check, [demur.Input("q", "Who?")])


def test_choices_of_a_template_are_choices():
    model = SimulatedModel({"city": LETTERS}, seed=1)
    question = {"question": "Which is a city?", "choices": ["fish", "Bergen", "iron"]}
    answer, _ = asked(
        model, question, confidence="first_token", template="{question}\n{choices}"
    )
    assert answer.response == "B"
    assert answer.confidence == pytest.approx(0.55 / 0.9)


def test_an_endpoint_that_tells_no_other_tokens_is_refused_by_name():
    def answer(_payload, _number):
        token = {"token": "yes", "logprob": -0.1}
        choice = {"message": {"content": "yes"}, "logprobs": {"content": [token]}}
        return 200, {}, {"choices": [choice]}

    with server(answer) as (url, _):
        place = f"chat:m@{url.partition('/ask')[0]}"
        system = demur.as_system(place, confidence="p_true")
        message = r"without those of other tokens.*agreement.*\"top_logprobs\": 5"
        refuses(message, system.respond, [demur.Input("q", "x")])


def test_users_say_how_many_tokens_are_told():
    model = SimulatedModel({"x": {"aa": 1.0}})
    _, posted = asked(
        model, "x", confidence="token_entropy", parameters={"top_logprobs": 5}
    )
    assert posted[-1]["top_logprobs"] == 5


# -- samples: expected numbers are sums over all samples -------------------------


@pytest.mark.parametrize("method", ["agreement", "semantic_entropy"])
def test_samples_are_as_sure_as_they_must_be_on_average(method):
    known, samples, asked_of = {"aa": 0.7, "bb": 0.2, "cc": 0.1}, 3, 120
    expected = squares = 0.0
    for drawn in product(known, repeat=samples):
        counts = [drawn.count(name) / samples for name in set(drawn)]
        number = max(counts) if method == "agreement" else -entropy(counts)
        chance = math.prod(known[name] for name in drawn)
        expected += chance * number
        squares += chance * number**2
    model = SimulatedModel({"x": known}, seed=3)
    with model.served() as (address, _):
        system = demur.as_system(address, confidence=method, samples=samples)
        answers = system.respond([demur.Input(n, f"x {n}") for n in range(asked_of)])
    mean = sum(answer.confidence for answer in answers) / asked_of
    error = math.sqrt((squares - expected**2) / asked_of)
    assert abs(mean - expected) < 4 * error


# -- parts -----------------------------------------------------------------------------


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=20), st.floats(0, 1))
@settings(deadline=None)
def test_an_entropy_is_at_most_that_of_as_many_equal_tokens(numbers, told):
    shares = [number / sum(numbers) * (1 - told) for number in numbers]
    others = tuple(
        (str(place).encode(), math.log(share))
        for place, share in enumerate(shares)
        if share
    )
    token = ReplyToken(b"0", others[0][1] if others else None, others)
    bits = token_entropy(token)
    assert 0 <= bits <= math.log2(len(numbers) + 1) + 1e-9
    assert bits == pytest.approx(entropy([*shares, told]), abs=1e-7)


def test_numbers_that_are_none_are_left_out():
    token = ReplyToken(b"a", math.nan, ((b"b", -math.inf), (b"c", 0.1)))
    assert alternatives(token) == {b"b": 0.0, b"c": 1.0}
    assert token_entropy(token) == 0


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Who?\nA. x\nB. y\nC. z", "ABC"),
        ("(A) x (B) y", "AB"),
        ("Vitamin A. is good.\nA) x\nB) y\nC) z", "ABC"),
        ("A. x of plan A. \nB. y", "AB"),
        ("B. y\nC. z", ""),
        ("A. only", ""),
        ("Is A better than B", ""),
        ("A: x\nB: y\nD: z", "AB"),
        ("", ""),
    ],
)
def test_letters_that_a_question_offers(text, letters):
    assert offered_letters(text) == letters


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("B", "B"),
        ("(C)", "C"),
        ("B: x", "B"),
        ("Bergen", None),
        ("", None),
        ("7", None),
    ],
)
def test_the_letter_of_an_answer(answer, letter):
    assert chosen_letter(answer) == letter
