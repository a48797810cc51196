"""Addresses that answer in JSON: pauses, statuses, sizes and what an error says."""

import email.utils
import socket
from types import SimpleNamespace

import pytest

from builders import refuses
from demur.systems.adapters import http_posts, json_addresses
from demur.systems.adapters.json_addresses import EndpointFailed, JsonAddress
from local_server import server


@pytest.mark.parametrize(
    ("attempt", "seconds"), [(1, 0.25), (2, 0.5), (3, 1.0), (8, 32.0), (9, 60.0)]
)
def test_each_pause_is_twice_the_one_before(attempt, seconds):
    assert json_addresses._wait(attempt) == seconds


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        *((None, None), ("", None), ("3", 3.0), ("0", 0.0), ("-5", None)),
        *(("59.5", 59.5), ("99", 99.0), ("soon", None), ("nan", None), ("1e9", 1e9)),
        ("Wed, 21 Oct 2015 07:28:00 GMT", None),
    ],
)
def test_the_pause_that_a_server_asks_for(asked, seconds):
    assert json_addresses.asked_wait(asked) == seconds


def test_a_pause_until_a_date_is_that_long(monkeypatch):
    now = 1_800_000_000.0
    monkeypatch.setattr(json_addresses, "time", SimpleNamespace(time=lambda: now))
    date = email.utils.formatdate(now + 30, usegmt=True)
    assert json_addresses.asked_wait(date) == 30


def failure(answer, **options):
    """Why there is no answer, its status and code, and how often was asked."""
    with server(lambda *_: answer) as (url, posted):
        address = JsonAddress(url, timeout=60, **{"retries": 1, **options})
        with pytest.raises(EndpointFailed) as caught:
            address.ask({}, lambda payload: payload)
    return str(caught.value), caught.value.status, caught.value.code, len(posted)


@pytest.fixture
def closed_port():
    """A port of this machine at which nothing listens, and nothing else begins to."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("127.0.0.1", "no connection: Connection refused"),
        ("nowhere.invalid", "no connection: "),
    ],
)
def test_where_nothing_listens_is_no_time_out(closed_port, host, why):
    address = JsonAddress(f"http://{host}:{closed_port}/", timeout=60, retries=0)
    with pytest.raises(EndpointFailed) as caught:
        address.ask({}, lambda payload: payload)
    assert str(caught.value).startswith(f"no answer after 1 attempts: {why}")
    assert "timed out" not in str(caught.value)


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 529])
def test_statuses_that_say_later(status, monkeypatch):
    monkeypatch.setattr(json_addresses, "_wait", lambda *_: 0.0)
    expected = (f"status {status}, 2 times: 'x'", status, "", 2)
    assert failure((status, {}, b"x")) == expected


@pytest.mark.parametrize("status", [400, 409, 426, 430, 501, 505])
def test_statuses_that_say_no(status):
    assert failure((status, {}, b"x")) == (f"status {status}: 'x'", status, "", 1)


@pytest.mark.parametrize(
    ("body", "said", "code"),
    [
        ({"error": "no"}, "'no'", ""),
        ({"error": {"message": "no", "code": "late"}}, "'no'", "late"),
        ({"error": {"code": 3}}, '\'{"error": {"code": 3}}\'', ""),
        ({"error": 3}, "'{\"error\": 3}'", ""),
        ([], "'[]'", ""),
    ],
)
def test_what_an_error_says(body, said, code):
    assert failure((400, {}, body)) == (f"status 400: {said}", 400, code, 1)


@pytest.mark.parametrize("status", [400, 429])
def test_the_reason_of_a_server_is_not_cut_before_it_is_said(status):
    reason = (
        "Your credit balance is too low to access the Anthropic API. Please go to "
        "Plans & Billing to upgrade or purchase credits."
    )
    why = failure((status, {}, {"error": {"message": reason}}), retries=0)[0]
    assert why.endswith(f": {reason!r}")
    assert len(failure((400, {}, {"error": 9999 * "x"}))[0]) < 330


@pytest.mark.parametrize(("size", "read"), [(9, True), (10, True), (11, False)])
def test_an_answer_may_have_so_many_bytes(size, read, monkeypatch):
    monkeypatch.setattr(http_posts, "LARGEST", 10)
    body = b"1" * size
    if not read:
        assert failure((200, {}, body))[0] == "an answer of more than 0 MiB"
        return
    with server(lambda *_: (200, {}, body)) as (url, _):
        address = JsonAddress(url, timeout=60, retries=0)
        assert address.ask({}, lambda payload: payload)[0] == int(body)


def test_large_answers_are_those_of_64_mebibytes():
    assert http_posts.LARGEST == 64 * 1024**2


def test_null_is_an_answer_and_nothing_is_none():
    with server(lambda *_: (200, {}, b" null ")) as (url, _):
        address = JsonAddress(url, timeout=60, retries=0)
        assert address.ask({}, lambda payload: payload)[0] is None
    assert failure((200, {}, b""))[0] == "not JSON (no type): ''"
    start = failure((200, {}, 31 * "\u00e9".encode()))[0]  # two bytes each
    assert start.count("\u00e9") == 30


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://x:0", "be an address"),
        ("ftp://x", "be an address"),
        ("http://", "be an address"),
        ("http://x:99999", "be an address"),
        ("http://me@x", "no user name"),
        ("http://:pw@x", "no user name"),
    ],
)
def test_what_is_no_address(url, words):
    refuses(words, JsonAddress, url, timeout=1, retries=0)


def test_an_address_is_shown_without_its_query():
    shown = [
        str(JsonAddress(url, timeout=1, retries=0))
        for url in ("https://x/a?key=b", "http://x:1/a")
    ]
    assert shown == ["https://x/a", "http://x:1/a"]
