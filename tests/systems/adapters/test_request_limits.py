"""Limits of requests by a clock that the tests turn: rates, budgets, headers."""

import threading

import pytest

import demur
from builders import printed_json, refuses, stderr_of, write_records
from chat_cases import chat, completion
from demur import Input, RunError
from demur.systems import running
from demur.systems.adapters.json_addresses import JsonAddress
from demur.systems.adapters.masked_keys import read_headers
from demur.systems.adapters.request_limits import RequestLimits
from local_server import server

USAGE = {"prompt_tokens": 40, "completion_tokens": 10}
PAID = completion("Answer: x\nConfidence: 90 %", usage=USAGE)
PRICES = (1e6, 0)  # 40 an answer
ASKED = [Input(f"q{k}", f"{k}?") for k in range(9)]


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def limits(**named):
    clock = Clock()
    same = {"tokens_of": lambda answer: answer, "cost_of": lambda answer: answer}
    return RequestLimits(**{**same, **named}, clock=clock), clock


# -- rates -----------------------------------------------------------------------------


def test_requests_stand_apart_as_the_rate_says():
    limit, clock = limits(requests=30)
    assert limit.wait() == 0
    assert limit.wait() == 2.0
    clock.now += 1.5
    assert limit.wait() == 0.5
    clock.now += 0.5
    assert limit.wait() == 0
    clock.now += 60  # what was not used is not saved up
    assert limit.wait() == 0
    assert limit.wait() == 2.0


def test_tokens_are_reckoned_with_and_made_up_for():
    limit, clock = limits(tokens=60)
    assert limit.wait() == 0
    assert limit.wait() == 0.05  # nothing is known yet: one by one
    limit.ended(10)
    assert limit.wait() == 10.0
    clock.now += 10
    assert limit.wait() == 0  # reckoned with as many
    assert limit.wait() == 10.0
    limit.ended(30)
    assert limit.wait() == 30.0
    clock.now += 30
    assert limit.wait() == 0  # with 20, the mean
    limit.ended(None)
    assert limit.wait() == 0  # and they were not used


def test_no_limit_is_none():
    limit, _ = limits()
    assert [limit.wait() for _ in range(3)] == [0, 0, 0]


def test_threads_share_a_limit():
    limit, clock = limits(requests=60)
    begun = []

    def ask():
        for _ in range(50):
            if limit.wait() == 0:
                begun.append(clock.now)

    for _ in range(5):
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        clock.now += 1
    assert begun == [100.0, 101.0, 102.0, 103.0, 104.0]


def test_each_attempt_is_a_request_and_a_kept_answer_is_none(tmp_path, monkeypatch):
    waited = []

    class Counting(RequestLimits):
        def wait(self):
            waited.append(1)
            return super().wait()

    monkeypatch.setattr("demur.systems.adapters.json_addresses._wait", lambda _: 0.0)
    limit = Counting(requests=1e9)
    path = tmp_path / "cache"
    with server(lambda _, n: (503 if n == 1 else 200, {}, {})) as (url, posted):
        how = {"timeout": 9, "retries": 2, "cache": path, "limits": limit}
        address = JsonAddress(url, **how)
        for _ in range(2):
            address.ask({}, lambda payload: payload)
    assert len(posted) == len(waited) == 2


def test_a_run_that_ends_waits_for_no_rate():
    came = threading.Event()
    failed = []

    def answer(*_):
        came.set()
        return 200, {}, PAID

    with server(answer) as (url, posted):
        system = chat(url, rate=1e-6)

        def ask():
            failed.append(system.respond(ASKED[:2])[1].failed)

        asking = threading.Thread(target=ask)
        asking.start()
        came.wait()
        while asking.is_alive():  # the first answer may still be on its way
            asking.join(0.05)
            if len(posted) == 1:
                system.close()
    assert failed == ["the run has ended"]
    assert len(posted) == 1


# -- budgets ---------------------------------------------------------------------------


def test_no_request_is_sent_that_could_pass_the_budget():
    limit, clock = limits(budget=100)
    assert limit.wait() == 0
    assert limit.wait() == 0.05  # nothing is known yet: one by one
    limit.ended(30)
    assert limit.wait() == 0
    assert limit.wait() == 0  # 30 are spent, 60 under way
    assert limit.wait() == 0.05
    limit.ended(10)
    limit.ended(None)  # it failed, and cost nothing
    assert limit.wait() == 0
    assert limit.wait() == 0
    limit.ended(30)
    limit.ended(30)  # 100
    assert limit.wait() == 0.05  # what has come goes to the journal first
    clock.now += 1
    with pytest.raises(RunError, match=r"budget of 100 .* 100 is spent.* cost 30"):
        limit.wait()


def test_a_budget_cannot_be_kept_where_answers_have_no_price():
    limit, clock = limits(budget=100, cost_of=lambda _: None)
    assert limit.wait() == 0
    limit.ended(1)
    clock.now += 1
    with pytest.raises(RunError, match="no numbers of tokens"):
        limit.wait()


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_run_ends_before_its_budget_and_goes_on_with_another(concurrency, tmp_path):
    path = tmp_path / "out.jsonl"
    how = {"path": path, "concurrency": concurrency}
    with server(lambda *_: (200, {}, PAID)) as (url, posted):
        with pytest.raises(RunError, match="budget"):
            demur.run(chat(url, prices=PRICES, budget=170), ASKED, **how)
        assert len(posted) == 4  # of 40 each
        answers = demur.run(chat(url, prices=PRICES, budget=300), ASKED, **how)
    assert len(posted) == len(ASKED)  # each was paid once
    assert sum(answer.extra["cost"] for answer in answers) == 40 * len(ASKED)


def test_what_is_under_way_when_a_budget_ends_a_run_is_kept(tmp_path, monkeypatch):
    raised = threading.Event()
    take = running._Askers.take

    def taken(askers):
        try:
            return take(askers)
        except RunError:
            raised.set()
            raise

    class Paid:
        def respond(self, inputs):
            if inputs[0].item == "q1":
                raise RunError("the budget is spent")
            assert raised.wait(60)
            return [inputs[0].answered("", inputs[0].input)]

    monkeypatch.setattr(running._Askers, "take", taken)
    path = tmp_path / "out.jsonl"
    with pytest.raises(RunError, match="the budget is spent"):
        demur.run(Paid(), ASKED[:4], path=path, concurrency=3)
    written = path.with_name("out.jsonl.unfinished").read_text()
    assert [f'"{k}?"' in written for k in range(4)] == [True, False, True, False]


def test_tokens_that_the_service_had_kept_have_their_own_price():
    usage = {**USAGE, "prompt_tokens_details": {"cached_tokens": 30}}
    with server(lambda *_: (200, {}, {**PAID, "usage": usage})) as (url, _):
        [answer] = chat(url, prices=(1e6, 0, 1e5)).respond(ASKED[:1])
        [dear] = chat(url, prices=PRICES).respond(ASKED[:1])
    assert answer.extra["cached_tokens"] == 30
    assert answer.extra["cost"] == 10 + 3
    assert dear.extra["cost"] == 40


def test_samples_that_were_paid_stand_at_an_item_that_failed():
    def answer(_payload, number, _headers):
        return (200, {}, PAID) if number < 3 else (400, {}, {"error": "no"})

    options = {"confidence": "agreement", "samples": 3, "prices": PRICES}
    with server(answer) as (url, _):
        [failed] = chat(url, **options).respond(ASKED[:1])
    assert failed.failed == "status 400: 'no'"
    assert (failed.extra["prompt_tokens"], failed.extra["cost"]) == (80, 80)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rate": 0}, "rate must be a number"),
        ({"token_rate": -1}, "token_rate must be a number"),
        ({"budget": 1}, "budget must come with prices"),
        ({"budget": "1", "prices": PRICES}, "budget must be a number"),
    ],
)
def test_what_is_no_limit_is_refused(options, words):
    refuses(words, chat, "http://127.0.0.1:1", **options)


# -- headers ---------------------------------------------------------------------------


def test_a_header_of_the_environment_is_sent_and_never_shown(monkeypatch):
    monkeypatch.setenv("MY_ORG", "org-secret")
    sent = []

    def answer(_payload, _number, headers):
        sent.append(headers.get("x-org"))
        return 400, {}, {"error": {"message": "no: org-secret"}}

    with server(answer) as (url, _):
        system = demur.as_system(url, headers={"x-org": "env:MY_ORG"})
        [failed] = system.respond(ASKED[:1])
    assert sent == ["org-secret"]
    assert "no: [key]" in failed.failed
    assert "secret" not in str(system) + repr(failed)


def test_a_short_header_of_the_environment_masks_nothing(monkeypatch):
    monkeypatch.setenv("MY_TEAM", "x")
    with server(lambda *_: (200, {}, PAID)) as (url, _):
        [answer] = chat(url, headers={"team": "env:MY_TEAM"}).respond(ASKED[:1])
    assert answer.response == "x"


@pytest.mark.parametrize(
    ("url", "headers", "words"),
    [
        ("https://x", {"a": "env:NO_SUCH"}, "Set NO_SUCH in the environment"),
        ("http://example.org", {"a": "env:MY_ORG"}, "be https where a key is sent"),
        *(
            ("http://10.0.0.1:8000/v1", {name: "Bearer k"}, f"Others could read {name}")
            for name in ("Authorization", "api-key", "X-API-Key", "cookie", "X-Token")
        ),
        (
            "http://h/ask?v=1&key=abc",
            {},
            "https where a key is sent; got http://h. Oth",
        ),
        ("http://h/ask?access_token=abc", {}, "Others could read access_token"),
        ("https://x", {"a b": "c"}, "a name and a value of one line"),
        ("https://x", {"a": "b\r\nc: d"}, "a name and a value of one line"),
        ("https://x", {"": "b"}, "a name and a value of one line"),
    ],
)
def test_headers_that_are_none(url, headers, words, monkeypatch):
    monkeypatch.setenv("MY_ORG", "org-secret")
    refuses(words, read_headers, url, headers)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.org?key=b", "Authorization"),
        *((f"http://{host}:1/?key=b", "x-api-key") for host in ("[::1]", "127.0.0.1")),
        ("http://example.org/?keyword=b&author=c&max_tokens=7", "x-author"),
    ],
)
def test_what_nobody_else_reads_and_what_is_no_key_may_be_sent(url, name):
    assert read_headers(url, {name: "Bearer k"}) == ({name: "Bearer k"}, [])


# -- the command -----------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MY_ORG", "org-secret")
    write_records(tmp_path / "in.jsonl", [one._asdict() for one in ASKED])
    return tmp_path


def test_the_command_takes_headers_limits_and_prices(folder):
    sent = []

    def answer(_payload, _number, headers):
        sent.append((headers.get("x-org"), headers.get("x-two")))
        usage = {**USAGE, "prompt_tokens_details": {"cached_tokens": 30}}
        return 200, {}, {**PAID, "usage": usage}

    with server(answer) as (url, _):
        name = f"chat:m@{url.partition('/ask')[0]}/v1"
        words = ["run", name, "in.jsonl", "-o", "out.jsonl", "--rate", "1e9"]
        words += ["--header", "x-org: env:MY_ORG", "--header", "x-two:2"]
        words += ["--prices", "1e6", "0", "--cached-price", "1e5"]
        words += ["--budget", "60", "--token-rate", "1e9"]
        told = stderr_of(*words, code=4)
    assert "the budget of 60.0 may be passed: 52 is spent" in told
    assert sent == [("org-secret", "2")] * 4
    written = (folder / "out.jsonl.unfinished").read_text()
    assert written.count('"cached_tokens": 30') == 4
    assert "secret" not in written + told


@pytest.mark.usefixtures("folder")
def test_the_command_says_of_how_many_answers_the_cost_is_not_known():
    unknown = {name: value for name, value in PAID.items() if name != "usage"}

    def answer(_payload, number, _headers):
        return 200, {}, PAID if number < 3 else unknown

    with server(answer) as (url, _):
        name = f"chat:m@{url.partition('/ask')[0]}/v1"
        words = ["run", name, "in.jsonl", "-o", "out.jsonl", "--prices", "1e6", "0"]
        counts = printed_json(*words)
    assert (counts["spent"]["cost"], counts["without_cost"]) == (80, 7)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--header", "sk-secret"], 2, "must read NAME: VALUE"),
        (["--header", "a: b", "--header", "A: c"], 2, "--header a must stand once"),
        (["--header", "a: env:NO_SUCH"], 4, "Set NO_SUCH"),
        (["--rate", "0"], 2, "above 0"),
        (["--budget", "1"], 2, "--budget must come with --prices"),
        (["--cached-price", "1"], 2, "--cached-price must come with --prices"),
    ],
)
def test_the_command_refuses(words, code, told, folder):
    name = "chat:m@http://127.0.0.1:1"
    refused = stderr_of("run", name, "in.jsonl", "-o", "o.jsonl", *words, code=code)
    assert told in refused
    assert "secret" not in refused
    assert not (folder / "o.jsonl").exists()
