"""Chat endpoints: what a reply says, how sure it is, what it cost, what is refused."""

import json
import math
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import printed, refuses, stderr_of, write_records
from demur import Input, InputError, RunError
from demur.systems.adapters.answer_tokens import answer_log_probabilities
from demur.systems.adapters.chat_replies import (
    is_dont_know,
    read_reply,
    verbalised,
)
from demur.systems.adapters.json_addresses import EndpointFailed
from demur.systems.adapters.kept_answers import KeptAnswers
from local_server import server

ASKED = [Input("q1", "Capital of Norway?")]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr("demur.systems.adapters.json_addresses._wait", lambda *_: 0.0)


def completion(text, tokens=None, finish="stop", **message):
    """A chat completion; tokens are pairs (text or bytes, log-probability)."""
    listed = [
        {
            "token": token if isinstance(token, str) else "\ufffd",
            "logprob": logprob,
            "bytes": list(token.encode() if isinstance(token, str) else token),
        }
        for token, logprob in tokens or []
    ]
    return {
        "model": "m-2026",
        "choices": [
            {
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish,
                "logprobs": {"content": listed} if listed else None,
            }
        ],
        "usage": {"prompt_tokens": 40, "completion_tokens": 10},
    }


def chat(url, **options):
    return demur.as_system(f"chat:m@{url.partition('/ask')[0]}/v1", **options)


def saying(*replies):
    """A server that gives these replies in turn, the last one from then on."""

    def answer(_, number):
        body = replies[min(number, len(replies)) - 1]
        return 200, {}, completion(body) if isinstance(body, str) else body

    return server(answer)


# -- replies -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer", "kind"),
    [
        ("Answer: Oslo", "Oslo", None),
        ("**Answer:** Oslo \nConfidence: 90 %", "Oslo", None),
        ("Oslo", "Oslo", None),
        ("Let me see.\nanswer : Bergen\nNo.\nAnswer: Oslo", "Oslo", None),
        ("<think>Answer: Bergen?\n</think>\n\nAnswer: Oslo", "Oslo", None),
        ("Answer: None", "None", None),
        ("Answer: **Oslo**", "Oslo", None),
        ("Answer:\nOslo\n\nIt lies on a fjord.", "Oslo", None),
        ("Answer: SELECT a\nFROM b\nConfidence: 9", "SELECT a\nFROM b", None),
        ("Answer: SELECT *", "SELECT *", None),
        (
            "Answer:\n```sql\nSELECT a\n\nFROM b;\n```\nDone.",
            "SELECT a\n\nFROM b;",
            None,
        ),
        ("Answer: ```\nSELECT a", "SELECT a", None),
        ("Answer: `", "`", None),
        ("Answer: `a` and `b`", "`a` and `b`", None),
        ("Answer: I cannot determine this from the text.", None, "idk"),
        ("Answer: I don\u2019t know.", None, "idk"),
        ("I do not know", None, "idk"),
        ("Sorry, I can't help with that.", None, "idk"),
        ("Answer: no idea", "no idea", None),
        ("Answer: I'm not sure", None, "idk"),
        ("no idea", None, "idk"),
        ("Answer: ****", "****", None),
        ("Answer: **a** b **c**", "**a** b **c**", None),
        ("The capital is\nOslo", None, "format"),
        ("Answer:", None, "format"),
        ("", None, "format"),
        ("<think>hm", None, "truncated"),
    ],
)
def test_a_reply_is_an_answer_or_says_why_there_is_none(text, answer, kind):
    reply = read_reply(completion(text))
    assert (reply.answer, reply.kind) == (answer, kind)
    assert reply.text == text


def test_what_the_endpoint_says_of_a_reply_comes_first():
    assert read_reply(completion("Answer: Os", finish="length")).kind == "truncated"
    whole = completion("Answer: Oslo\nConfidence: 9", finish="length")
    assert read_reply(whole).answer == "Oslo"
    assert read_reply(completion("", finish="length")).kind == "truncated"
    assert read_reply(completion("Answer: x", finish="content_filter")).kind == "filter"
    refused = read_reply(completion(None, refusal="I will not."))
    assert (refused.answer, refused.kind, refused.text) == (
        None,
        "refusal",
        "I will not.",
    )


@pytest.mark.parametrize(
    "payload",
    [
        [],
        {},
        {"choices": []},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": [1]}}]},
        {"choices": [{"message": {"content": "x"}, "logprobs": {"content": [{}]}}]},
    ],
)
def test_what_is_no_completion_has_failed(payload):
    with pytest.raises(EndpointFailed, match="no chat completion"):
        read_reply(payload)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("85 %", 0.85),
        ("85%", 0.85),
        ("85", 0.85),
        ("85/100", 0.85),
        ("0.85", 0.85),
        ("1.0", 1.0),
        ("1", 0.01),
        ("0", 0.0),
        ("0.5 %", 0.005),
        ("~ 70 percent", 0.7),
        ("**100** %", 1.0),
        ("high", None),
        ("140 %", None),
        ("100", 1.0),
        ("100.5", None),
        ("1.5", 0.015),
        ("1.0 %", 0.01),
        ("", None),
    ],
)
def test_a_stated_confidence(said, number):
    assert verbalised(f"Answer: x\nConfidence: {said}") == number


def test_without_a_stated_confidence_there_is_none():
    assert verbalised("Answer: 85 %") is None
    assert not is_dont_know("I know")


# -- log-probabilities ---------------------------------------------------------------


def test_only_the_tokens_of_the_answer_count():
    tokens = [("Answer", -9), (":", -9), (" O", -0.5), ("slo", -0.25), ("\n", -9)]
    tokens += [("Conf", -9), ("idence: 1", -9), ("<|end|>", -9)]
    reply = read_reply(completion("Answer: Oslo\nConfidence: 1", tokens))
    assert answer_log_probabilities(reply) == [-0.5, -0.25]


@settings(deadline=None)
@given(st.data())
def test_tokens_may_be_cut_anywhere_even_within_a_letter(data):
    answer = data.draw(st.text("añ漢🙂 b", min_size=1).filter(str.strip)).strip()
    # Blanks within are part of the answer, blanks around it are not.
    before, after = "Answer: ", "\nConfidence: 5"
    said = (before + answer + after).encode()
    cuts = sorted(data.draw(st.sets(st.integers(1, len(said) - 1))))
    pieces = [said[a:b] for a, b in zip([0, *cuts], [*cuts, len(said)], strict=True)]
    tokens = [(piece, -float(k)) for k, piece in enumerate(pieces)]
    reply = read_reply(completion(said.decode(), tokens))
    start, stop = len(before.encode()), len((before + answer).encode())
    at, wanted = 0, []
    for piece, logprob in tokens:
        if any(start <= place < stop for place in range(at, at + len(piece))):
            wanted.append(logprob)
        at += len(piece)
    assert answer_log_probabilities(reply) == wanted


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ([], "no log-probabilities of tokens"),
        ([("Something", -1), (" else", -1)], "are not those of its text"),
        ([("Answer: ", -1), ("Oslo", None)], "for a token of the answer"),
        ([("Answer: ", -1), ("Oslo", math.nan)], "for a token of the answer"),
        ([("Answer: ", -1), ("Os", -1), ("lo", None)], "for a token of the answer"),
    ],
)
def test_log_probabilities_that_are_not_there(tokens, words):
    with pytest.raises(EndpointFailed, match=words):
        answer_log_probabilities(read_reply(completion("Answer: Oslo", tokens)))


def test_the_sum_prefers_short_answers_and_the_mean_does_not():
    short = completion("Answer: Oslo", [("Answer: ", -9), ("Oslo", -0.5)])
    long = completion(
        "Answer: New York", [("Answer: ", -9), ("New", -0.4), (" York", -0.4)]
    )
    found = {}
    for confidence in ("mean_logprob", "sum_logprob"):
        with saying(short, short, long) as (url, posted):
            system = chat(url, confidence=confidence)
            answers = system.respond([*ASKED, Input("q2", "Largest city?")])
        found[confidence] = [each.confidence for each in answers]
        assert all(each["logprobs"] is True for each in posted)
        assert len(posted) == 3  # one to see whether there are any, then the two
    assert found["sum_logprob"] == pytest.approx([-0.5, -0.8])
    assert found["mean_logprob"] == pytest.approx([-0.5, -0.4])


@pytest.mark.parametrize(
    "answer",
    [
        (200, {}, completion("yes")),
        (400, {}, {"error": {"message": "logprobs is not supported"}}),
    ],
)
def test_log_probabilities_that_cannot_be_had_end_the_run_before_any_question(answer):
    with server(lambda *_: answer) as (url, posted):
        system = chat(url, confidence="mean_logprob")
        with pytest.raises(InputError, match="agreement, semantic_entropy need none"):
            demur.run(system, ASKED * 1, concurrency=4)
    assert len(posted) == 1
    assert "Norway" not in json.dumps(posted)


@pytest.mark.parametrize(
    ("status", "error"), [(418, InputError), (499, InputError), (500, RunError)]
)
def test_only_an_endpoint_that_answers_has_no_log_probabilities(status, error):
    with server(lambda *_: (status, {}, b"x")) as (url, posted):
        system = chat(url, confidence="mean_logprob", retries=0)
        with pytest.raises(error, match=f"status {status}"):
            system.respond(ASKED)
    assert len(posted) == 1


def test_a_reply_without_log_probabilities_later_on_has_failed():
    first = completion("yes", [("yes", -0.1)])
    with saying(first, "Answer: Oslo") as (url, _):
        [answer] = chat(url, confidence="mean_logprob").respond(ASKED)
    assert answer.failed == "no log-probabilities of tokens came with the reply"
    assert answer.response is None


# -- responses -----------------------------------------------------------------------


def test_a_response_says_what_it_cost():
    with saying("Answer: Oslo\nConfidence: 90 %") as (url, posted):
        system = chat(url, prices=(1.0, 10.0), parameters={"temperature": 0})
        [answer] = system.respond(ASKED)
    assert (answer.response, answer.confidence, answer.system) == ("Oslo", 0.9, "m")
    assert answer.declined is False
    assert answer.extra["cost"] == pytest.approx((40 * 1 + 10 * 10) / 1e6)
    assert answer.extra["prompt_tokens"] == 40
    assert answer.extra["completion_tokens"] == 10
    assert answer.extra["model"] == "m-2026"
    assert answer.extra["seconds"] > 0
    assert posted[0]["temperature"] == 0
    told = posted[0]["messages"][0]["content"]
    assert "Confidence:" in told
    assert "I don't know" in told


def test_the_curve_begins_where_the_model_says_that_it_does_not_know():
    said = ["Answer: s\nConfidence: 90 %", "Answer: I don't know", "Answer: t"]
    with saying(*said) as (url, _):
        answers = chat(url).respond([Input(k, "?") for k in range(4)])
    right = [{"item": k, "reference": "s"} for k in range(4)]
    refuses("unsure=lowest", demur.judge, answers, right, by="label")
    judged = demur.judge(answers, right, by="label", unsure="lowest")
    assert "2 guesses without a confidence: ranked lowest" in "; ".join(judged.notes)
    assert judged.recipe["unsure"] == "lowest"
    curve = demur.error_return(judged)
    assert curve.start == 0.25
    assert curve.forced_choice_error == (0.5, 0.75)
    assert curve.at(nonreturn=0.75).error == 0  # the sure guess is the last to go


def test_a_guess_may_be_asked_for_in_any_case():
    with saying("Answer: Oslo") as (url, posted):
        system = chat(url, may_decline=False, instructions="Answer in French.")
        system.respond(ASKED)
    told = posted[0]["messages"][0]["content"]
    assert told.startswith("Answer in French.")
    assert "don't know" not in told


def test_i_dont_know_is_a_decline_without_a_guess():
    with saying("Answer: I don't know\nConfidence: 10 %") as (url, _):
        [answer] = chat(url).respond(ASKED)
    assert (answer.response, answer.confidence) == (None, None)
    assert (answer.declined, answer.kind) == (True, "idk")


def test_a_filter_that_answers_with_an_error_is_no_failure():
    error = {"error": {"message": "filtered", "code": "content_filter"}}
    with server(lambda *_: (400, {}, error)) as (url, _):
        [answer] = chat(url).respond(ASKED)
    assert (answer.failed, answer.kind, answer.response) == (None, "filter", None)


def test_agreement_is_the_share_of_samples_that_say_the_same():
    said = ["Answer: Oslo", "Answer: oslo.", "Answer: Bergen", "Answer: I don't know"]
    with saying(*said) as (url, posted):
        [answer] = chat(url, confidence="agreement", samples=4).respond(ASKED)
    assert len(posted) == 4
    assert (answer.response, answer.confidence) == ("Oslo", 0.5)
    assert answer.declined is False
    assert answer.ranking == (("Oslo", 0.5), ("Bergen", 0.25))
    assert answer.extra["completion_tokens"] == 40
    assert answer.extra["replies"] == said


@pytest.mark.parametrize(
    ("samples", "bits"),
    [
        (["Oslo"] * 4, 0.0),
        (["Oslo", "oslo", "Bergen", "Bergen"], -1.0),
        (["Oslo", "Oslo", "Bergen", "I don't know"], -1.5),
        (["Oslo", "I don't know", "I don't know", "I don't know"], -0.8112781244591328),
        (["Oslo", "Bergen", "Moss", "Hamar"], -2.0),
    ],
)
def test_semantic_entropy_is_that_of_groups_of_samples(samples, bits):
    with saying(*(f"Answer: {sample}" for sample in samples)) as (url, _):
        [answer] = chat(url, confidence="semantic_entropy", samples=4).respond(ASKED)
    assert answer.response == "Oslo"
    assert answer.confidence == pytest.approx(bits, abs=1e-12)
    assert answer.declined is (samples.count("I don't know") == 3)


def test_samples_come_with_the_methods_that_take_them(tmp_path):
    (tmp_path / "i.jsonl").write_text('{"item": 1, "input": "a"}')
    asked = ["run", "chat:m@http://localhost:9", tmp_path / "i.jsonl", "-o"]
    how = ["--samples", "3", "--confidence", "verbalised"]
    said = stderr_of(*asked, tmp_path / "o.jsonl", *how, code=2)
    assert "--samples must come with agreement or semantic-entropy" in said


def test_what_is_free_costs_nothing():
    with saying("Answer: Oslo") as (url, _):
        [answer] = chat(url, prices=(0, 0)).respond(ASKED)
    assert answer.extra["cost"] == 0
    assert answer.extra["seconds"] == round(answer.extra["seconds"], 4)


def test_tokens_that_one_sample_does_not_count_are_not_summed():
    without = completion("Answer: Oslo")
    del without["usage"]["completion_tokens"]
    with saying("Answer: Oslo", without) as (url, _):
        options = {"confidence": "agreement", "samples": 2, "prices": (1, 1)}
        [answer] = chat(url, **options).respond(ASKED)
    assert answer.extra["prompt_tokens"] == 80
    assert "completion_tokens" not in answer.extra
    assert "cost" not in answer.extra


def test_most_samples_without_an_answer_are_a_decline_with_a_guess():
    none = "Answer: I don't know"
    with saying(none, none, "Answer: Oslo") as (url, _):
        [answer] = chat(url, confidence="agreement", samples=3).respond(ASKED)
    assert (answer.response, answer.declined) == ("Oslo", True)
    with saying(none) as (url, _):
        [answer] = chat(url, confidence="agreement", samples=3).respond(ASKED)
    assert (answer.response, answer.declined, answer.kind) == (None, True, "idk")
    with saying("one\ntwo", "one\ntwo", none) as (url, _):
        [answer] = chat(url, confidence="agreement", samples=3).respond(ASKED)
    assert (answer.declined, answer.kind) == (False, "format")  # as most of them
    with saying("Answer: Oslo", none) as (url, _):
        [answer] = chat(url, confidence="agreement", samples=2).respond(ASKED)
    assert (answer.response, answer.declined) == ("Oslo", False)  # as many as agree


def test_what_decides_the_answers_stands_in_the_signature():
    url = "http://localhost:1/v1"
    text = str(demur.as_system(f"chat:org/m@2@{url}", confidence="agreement"))
    assert text.startswith(
        "chat(org/m@2@http://localhost:1/v1/chat/completions, confidence=agreement("
        "samples=5, by=text(normalise=casefold+punctuation)), instructions="
    )
    others = {
        str(demur.as_system(f"chat:m@{url}", **options))
        for options in (
            {},
            {"confidence": "none"},
            {"may_decline": False},
            {"instructions": "Be brief."},
            {"parameters": {"seed": 1}},
        )
    }
    assert len(others) == 5
    assert {len(text.split("instructions=")[1].split(",")[0]) for text in others} == {8}


# -- keys ----------------------------------------------------------------------------


def test_a_key_is_sent_and_never_shown(monkeypatch, tmp_path):
    monkeypatch.setenv("MY_KEY", "sk-secret")
    sent = []

    def answer(_payload, _number, headers):
        sent.append(headers.get("Authorization"))
        return 400, {}, {"error": {"message": "no: sk-secret"}}

    with server(answer) as (url, _):
        system = chat(url, key_env="MY_KEY", cache=tmp_path / "cache")
        [answer] = system.respond(ASKED)
    assert sent == ["Bearer sk-secret"]
    assert "no: [key]" in answer.failed
    assert "secret" not in str(system) + repr(answer)
    assert b"secret" not in (tmp_path / "cache").read_bytes()


def test_further_headers_are_sent_and_never_shown():
    sent = []

    def answer(_payload, _number, headers):
        sent.append(headers.get("api-key"))
        return 400, {}, {"error": {"message": "no: azure-secret"}}

    with server(answer) as (url, _):
        system = chat(url, headers={"api-key": "azure-secret"})
        [answer] = system.respond(ASKED)
    assert sent == ["azure-secret"]
    assert "no: [key]" in answer.failed
    assert "secret" not in str(system) + repr(answer)


def test_no_key_goes_where_it_was_not_meant(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    sent = []

    def answer(_payload, _number, headers):
        sent.append(headers.get("Authorization"))
        return 200, {}, completion("Answer: Oslo")

    with server(answer) as (url, _):
        chat(url).respond(ASKED)
    assert sent == [None]
    with pytest.raises(InputError, match="be https where a key is sent"):
        demur.as_system("chat:m@http://example.org/v1", key_env="OPENAI_API_KEY")


def test_a_key_that_is_refused_ends_the_run_at_once():
    body = {"error": {"message": "bad key"}}
    told = pytest.raises(RunError, match=r"m@http://.*status 401: .*bad key")
    with server(lambda *_: (401, {}, body)) as (url, posted), told:
        demur.run(chat(url), [(k, "x") for k in range(9)])
    assert len(posted) <= 2


# -- the cache -----------------------------------------------------------------------


def test_what_is_kept_is_not_paid_for_twice(tmp_path):
    path = tmp_path / "cache"
    with saying("Answer: Oslo\nConfidence: 90 %") as (url, posted):
        first = chat(url, cache=path).respond(ASKED)
        again = chat(url, cache=path).respond(ASKED)
        assert len(posted) == 1
        assert again == first
        chat(url, cache=path, parameters={"seed": 2}).respond(ASKED)
        assert len(posted) == 2


def test_samples_are_kept_each_by_itself(tmp_path):
    path = tmp_path / "cache"
    options = {"confidence": "agreement", "samples": 3, "cache": path}
    with saying("Answer: a", "Answer: b", "Answer: a") as (url, posted):
        first = chat(url, **options).respond(ASKED)
        assert chat(url, **options).respond(ASKED) == first
        assert len(posted) == 3
    assert first[0].confidence == pytest.approx(2 / 3)


def test_what_cannot_be_read_is_not_kept(tmp_path):
    path = tmp_path / "cache"
    with saying({"choices": []}, "Answer: Oslo") as (url, _):
        [failed] = chat(url, cache=path).respond(ASKED)
        assert "no chat completion" in failed.failed
        [answer] = chat(url, cache=path).respond(ASKED)
    assert answer.response == "Oslo"


def test_an_address_of_another_shape_keeps_its_answers_too(tmp_path):
    def answer(payload, _):
        listed = [{"item": e["item"], "response": "x"} for e in payload["inputs"]]
        return 200, {}, {"responses": listed}

    with server(answer) as (url, posted):
        for _ in range(2):
            demur.as_system(url, cache=tmp_path / "cache").respond(ASKED)
    assert len(posted) == 1


def test_a_cache_that_is_none_and_one_that_is_damaged(tmp_path):
    path = tmp_path / "cache"
    path.write_text("something else, and long enough to be no database at all")
    refuses("be a file that can hold answers", KeptAnswers, path)
    kept = KeptAnswers(tmp_path / "good")
    kept.keep("a", {"answer": 1, "seconds": 0.5})
    assert kept.find("a") == {"answer": 1, "seconds": 0.5}
    assert kept.find("b") is None
    with sqlite3.connect(tmp_path / "good") as file:
        file.execute("update answers set answer = '{\"ans'")
    assert kept.find("a") is None
    kept.close()


# -- what is refused -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("chat:m", {}, "be chat:MODEL@URL"),
        ("chat:@http://x", {}, "be chat:MODEL@URL"),
        ("chat:m@ftp://x", {}, "be chat:MODEL@URL"),
        ("chat:m@http://", {}, "be an address such as"),
        ("chat:m@http://me:pw@x/v1", {}, "have no user name"),
        ("chat:m@http://[::1", {}, "be an address such as"),
        ("chat:m@http://x", {"confidence": "sure"}, "confidence"),
        ("chat:m@http://x", {"agree_by": "nothing"}, "nothing"),
        ("chat:m@http://x", {"confidence": "agreement", "samples": 1}, "from 2"),
        ("chat:m@http://x", {"parameters": {"n": 5}}, "leave model"),
        ("chat:m@http://x", {"prices": 3}, "two or three numbers"),
        ("chat:m@http://x", {"prices": (1, -1)}, "two or three numbers"),
        ("chat:m@http://x", {"prices": (-1, 1)}, "two or three numbers"),
        ("chat:m@http://x", {"prices": (1, math.inf)}, "two or three numbers"),
        ("chat:m@http://x", {"prices": (math.inf, 1)}, "two or three numbers"),
        ("chat:m@http://x", {"prices": (1, 1, 1, 1)}, "two or three numbers"),
        ("chat:m@http://x", {"samples": 0}, "from 1"),
        ("chat:m@http://x", {"key_env": "NO_SUCH_KEY"}, "Set NO_SUCH_KEY"),
        ("chat:m@http://x", {"colour": "red"}, "be known to it"),
        (
            "chat:m@http://x",
            {"confidence": "agreement", "parameters": {"temperature": 0}},
            "above 0",
        ),
    ],
)
def test_what_a_chat_endpoint_must_be(name, options, words):
    refuses(words, demur.as_system, name, **options)


# -- the command ---------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"item": f"q{k}", "input": f"{k}?", "reference": "s"} for k in range(3)]
    write_records(tmp_path / "in.jsonl", rows)
    return tmp_path


def test_the_command_asks_a_chat_and_its_responses_can_be_judged(folder):
    (folder / "told.txt").write_text("Be brief.")
    with saying("Answer: s", "Answer: t") as (url, posted):
        words = ["run", f"chat:m@{url.partition('/ask')[0]}/v1", "in.jsonl"]
        words += ["-o", "out.jsonl", "--confidence", "agreement", "--samples", "2"]
        words += ["--instructions", "told.txt", "--parameters", '{"temperature": 1}']
        words += ["--prices", "1", "2", "--cache", "cache", "--always-guess"]
        words += ["--agree-by", "label"]
        said = printed(*words)
        again = printed(*words, "--replace")
    assert "from the cache: 3, which cost nothing." in again
    assert "spent" not in again
    assert "3 items: 3 answered" in said
    assert "spent: 240 prompt tokens, 60 completion tokens, 0.00036 cost." in said
    assert len(posted) == 6
    lines = (folder / "out.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    assert [each["confidence"] for each in records] == [0.5, 1.0, 1.0]
    assert records[0]["ranking"] == [["s", 0.5], ["t", 0.5]]
    assert all(each["cost"] > 0 for each in records)
    printed("judge", "out.jsonl", "in.jsonl", "-o", "judged.jsonl")
    asked = [p["messages"][0]["content"] for p in posted]
    assert all(text.endswith(("0?", "1?", "2?")) for text in asked)
    assert all(text.startswith("Be brief.") for text in asked)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["http://x", "--confidence", "none"], 2, "--confidence"),
        (["json:dumps", "--cache", "c"], 2, "--cache"),
        (["chat:m@http://x", "--samples", "3"], 2, "--samples"),
        (["chat:m@http://x", "--parameters", "[1]"], 2, "--parameters"),
        (["chat:m@http://x", "--instructions", "absent"], 4, "absent"),
        (["chat:m@http://x", "--instructions", "bytes"], 4, "UTF-8"),
        (["chat:m"], 4, "chat:MODEL@URL"),
    ],
)
def test_the_command_refuses(words, code, said, folder):
    (folder / "bytes").write_bytes(b"\xff\xfe")
    assert said in stderr_of(
        "run", words[0], "in.jsonl", "-o", "out.jsonl", *words[1:], code=code
    )
    assert not (folder / "out.jsonl").exists()
