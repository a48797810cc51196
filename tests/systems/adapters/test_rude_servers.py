"""Servers that misbehave: requests end in time and with a reason; keys stay hidden."""

import base64
import gzip
import html
import json
import threading
import time
import zlib
from urllib.parse import quote

import pytest

import demur
from builders import stderr_of
from demur.systems.adapters import http_posts, json_addresses
from demur.systems.adapters.json_addresses import EndpointFailed, JsonAddress
from demur.systems.adapters.masked_keys import MaskedKeys
from rude_server import answer, drips, rude_server

KEY = "sk-CHAOSKEY-0123456789abcdef"
FINE = answer(b'{"fine": true}')


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(json_addresses, "_wait", lambda *_: 0.0)


def asked(behave, *, timeout=60.0, retries=1, headers=None):
    """What is read or why not, and the requests that came."""
    with rude_server(behave) as (url, requests):
        address = JsonAddress(url, timeout=timeout, retries=retries, headers=headers)
        try:
            return address.ask({"q": 1}, lambda payload: payload)[0], requests
        except EndpointFailed as problem:
            return str(problem), requests
        finally:
            address.close()


def says(*answers):
    """Sends these, one for each request, the last again and again."""

    def behave(connection, _request, number):
        connection.sendall(answers[min(number, len(answers)) - 1])

    return behave


def silent(connection, _request, _number):
    connection.settimeout(600)
    connection.recv(1)  # until its client is gone


def hangs_up(connection, _request, _number):
    connection.close()


CUT = FINE[:-6]
CHUNKS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
PACKED = gzip.compress(b'{"fine": true}')
DEFLATED = zlib.compress(b'{"fine": true}')
BOMB = gzip.compress(b"1" * (8 << 20))
GZIP = b"Content-Encoding: gzip"
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"


def hints_for_ever(connection, _request, _number):
    while True:  # until its client is gone
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" + HINTS)
        time.sleep(0.05)


@pytest.mark.parametrize(
    "behave",
    [
        *(drips(b" "), drips(b"X-A: b\r\n"), drips(b"\r\n1\r\n \r\n")),
        *(hints_for_ever, silent),
    ],
)
def test_an_attempt_has_one_deadline_whatever_is_sent_meanwhile(behave):
    """By themselves these servers never end; an attempt may be late to send, too."""
    got, sent = asked(behave, timeout=0.4)
    assert got == "no answer after 2 attempts: timed out"
    assert len(sent) <= 2


@pytest.mark.parametrize(
    ("behave", "why", "requests"),
    [
        (hangs_up, "no answer after 2 attempts: RemoteDisconnected", 2),
        # Answers that are cut off are asked for again.
        (says(CUT), "no answer after 2 attempts: the answer was cut off", 2),
        (says(CHUNKS + b"5\r\n[1,2"), "no answer after 2 attempts: ", 2),
        (says(CHUNKS + b"zz\r\n[1]"), "no answer after 2 attempts: ", 2),
        (says(b"SSH-2.0-OpenSSH_9\r\n"), "no answer after 2 attempts: ", 2),
        (says(b""), "no answer after 2 attempts: ", 2),
        (says(HINTS), "no answer after 2 attempts: RemoteDisconnected", 2),
        (
            says(answer(PACKED[:-9], b"200 OK", GZIP)),
            "no answer after 2 attempts: the answer was cut off",
            2,
        ),
        (
            says(answer(PACKED + PACKED[:-9], b"200 OK", GZIP)),
            "no answer after 2 attempts: the answer was cut off",
            2,
        ),
        (
            says(answer(b"[1, 2, 3, 4]", b"200 OK", GZIP)),
            "no answer after 2 attempts: the answer cannot be unpacked",
            2,
        ),
        # A server that says no is asked once.
        (says(answer(b"<html>", b"200 OK")), "not JSON (no type): '<html>'", 1),
        (says(answer(b"NaN[", b"200 OK")), "not JSON (no type): 'NaN['", 1),
        (says(answer(b"\xff\xfe{", b"200 OK")), "not JSON (no type): ", 1),
        (says(answer(b"[" * 99_999)), "not JSON (no type): ", 1),
        (says(answer(b"no", b"404 Not Found")), "status 404: 'no'", 1),
        (
            says(answer(b"", b"302 Found", b"Location: http://127.0.0.1:9/")),
            "status 302: ''; it leads to 'http://127.0.0.1:9/': name that address",
            1,
        ),
        (
            says(answer(b"", b"301 Moved", b"Location: file:///etc/passwd")),
            "status 301: ''",
            1,
        ),
        # It says when to come again; beyond a minute the item ends.
        (
            says(answer(b"", b"429 Slow", b"Retry-After: 1000000000")),
            "status 429; it may be asked again in 1,000,000,000 seconds",
            1,
        ),
        (
            says(
                answer(
                    b'{"error": {"message": "pay", "code": "insufficient_quota"}}',
                    b"429 Slow",
                )
            ),
            "status 429: 'insufficient_quota: pay'",
            1,
        ),
        (
            says(answer(b'{"error": {"message": "full"}}', b"503 Busy")),
            "status 503, 2 times: 'full'",
            2,
        ),
    ],
)
def test_why_there_is_no_answer(behave, why, requests):
    got, sent = asked(behave)
    assert str(got).startswith(why)
    assert len(sent) == requests


@pytest.mark.parametrize(
    "answers",
    [
        (FINE,),
        (CUT, FINE),
        (b"", FINE),
        (answer(b"", b"503 Busy"), FINE),
        (answer(b"", b"429 Slow", b"Retry-After: 0"), FINE),
        (b"HTTP/1.0 200 OK\r\n\r\n" + b'{"fine": true}',),
        (answer(PACKED, b"200 OK", GZIP),),
        (answer(PACKED[:-1], b"200 OK", GZIP), answer(PACKED, b"200 OK", GZIP)),
        (b"HTTP/1.0 200 OK\r\n" + GZIP + b"\r\n\r\n" + PACKED[:20], FINE),
        (answer(PACKED + b"\0\0", b"200 OK", GZIP),),
        (answer(gzip.compress(b'{"fine"') + gzip.compress(b": true}"), b"200", GZIP),),
        *(
            (answer(packed, b"200 OK", b"Content-Encoding: deflate"),)
            for packed in (DEFLATED, DEFLATED[2:-4])
        ),
        (answer(DEFLATED[:-1], b"200 OK", b"Content-Encoding: Deflate"), FINE),
        (CHUNKS + b'e\r\n{"fine": true}\r\n0\r\n\r\n',),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + FINE,),
        (HINTS + b"HTTP/1.1 102 Processing\r\n\r\n" + HINTS + FINE,),
        (HINTS + answer(b"", b"503 Busy"), HINTS + FINE),
        (answer(b'{"fine": true}', b"200 OK", b"Set-Cookie: a=b"),),
    ],
)
def test_what_is_an_answer_in_the_end(answers):
    got, sent = asked(says(*answers))
    assert got == {"fine": True}
    assert len(sent) == len(answers)


def test_an_answer_that_unpacks_to_too_much_is_left(monkeypatch):
    monkeypatch.setattr(http_posts, "LARGEST", 1 << 20)
    got, sent = asked(says(answer(BOMB, b"200 OK", GZIP)))
    assert got == "an answer of more than 1 MiB"
    assert len(sent) == 1


def test_cookies_are_not_sent_back():
    with rude_server(says(answer(b"1", b"200 OK", b"Set-Cookie: a=b"))) as (url, sent):
        address = JsonAddress(url, timeout=60, retries=0)
        for _ in range(2):
            address.ask({}, lambda payload: payload)
    assert len(sent) == 2
    assert not any(b"cookie" in request.lower() for request in sent)


# -- keys --------------------------------------------------------------------------


@pytest.mark.parametrize("filler", [0, 20, 30, 40, 52, 60])
@pytest.mark.parametrize("status", [b"400 Bad", b"503 Busy"])
def test_a_key_in_an_error_is_masked_before_anything_is_cut(filler, status):
    body = b"x" * filler + f"Bearer {KEY}".encode()
    got, _ = asked(
        says(answer(body, status)), headers={"Authorization": f"Bearer {KEY}"}
    )
    assert "CHAOS" not in got
    assert "sk-" not in got


PACKED_KEY = base64.b64encode(f"Bearer {KEY}".encode()).decode()
ODD = "sk-odd/+" + chr(34) + "key&1234567"
"""A key with signs that JSON, addresses and pages write in other ways."""


@pytest.mark.parametrize(
    ("key", "written"),
    [
        (KEY, json.dumps(KEY)[1:-1]),
        (KEY, "".join(f"\\u{ord(letter):04x}" for letter in KEY)),
        (KEY, f"\\u0073{KEY[1:]}"),
        (KEY, KEY.upper()),
        (KEY, PACKED_KEY),
        (KEY, PACKED_KEY.rstrip("=")),
        (ODD, json.dumps(ODD)[1:-1]),
        (ODD, quote(ODD, safe="").lower()),
        (ODD, html.escape(ODD)),
        (ODD, base64.urlsafe_b64encode(ODD.encode()).decode().rstrip("=")),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_key_is_masked_however_it_is_written(tmp_path, key, written, encoding):
    body = ('{"error": "bad ' + written + ' end"}').encode(encoding)
    cache = tmp_path / "kept.sqlite"
    for status in (b"401 No", b"200 OK"):
        with rude_server(says(answer(body, status))) as (url, _):
            headers = {"Authorization": f"Bearer {key}"}
            address = JsonAddress(
                url, timeout=60, retries=0, headers=headers, cache=cache
            )
            try:
                got = str(address.ask({"s": str(status)}, lambda payload: payload))
            except EndpointFailed as problem:
                got = str(problem)
            address._kept.close()
        assert "[key]" in got
        assert key.lower() not in got.lower()
    everything = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert key.encode() not in everything


@pytest.mark.parametrize(
    "between",
    [
        "\n",
        "\r\n    ",
        "\\n",
        "\\\\n",
        "\\u000a",
        " ",
        "\t",
        "<br>",
        "<wbr />",
        "\xa0",
    ],
)
@pytest.mark.parametrize("every", [1, 9])
def test_a_key_that_is_broken_is_masked(between, every):
    pieces = [KEY[at : at + every] for at in range(0, len(KEY), every)]
    written = between.join(pieces)
    for body in (f"<p>no: {written}.", json.dumps({"error": f"no: {written}."})):
        headers = {"Authorization": f"Bearer {KEY}"}
        got, _ = asked(says(answer(body.encode(), b"401 No")), headers=headers)
        assert got.endswith(("'no: [key].'", "'<p>no: [key].'"))


def test_a_key_in_a_text_of_utf_16_is_masked():
    body = f"<p>no: {KEY}".encode("utf-16-le")
    got, _ = asked(says(answer(body, b"401 No")), headers={"x-api-key": KEY})
    assert got == "status 401: '<p>no: [key]'"


def test_what_only_looks_like_a_key_in_pieces_stays():
    masked = MaskedKeys(["swordfish", KEY, "back\\nslash-0123456789"])
    for text in ("a sword fish", "sk-\nCHAOSKEY-0123", f"{KEY[:9]}.{KEY[9:]}"):
        assert masked(text) == text
    assert masked("a back\\nslash-0123456789") == "a [key]"
    assert masked.of_bytes(f"a {KEY[:9]}\u200b{KEY[9:]}".encode()) == b"a [key]"


def test_a_key_in_the_type_of_an_answer_is_masked():
    kind = b"Content-Type: text/html; k=" + KEY.encode()
    got, _ = asked(says(answer(b"<", b"200 OK", kind)), headers={"x-api-key": KEY})
    assert got == "not JSON (text/html; k=[key]): '<'"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:0/ask?key=KEY",
        "http://127.0.0.1:99999/ask?key=KEY",
        "http://me:KEY@127.0.0.1:xx/",
        "chat:m@htp://h/ask?key=KEY",
        "htps://h/ask?key=KEY",
    ],
)
def test_an_address_that_is_none_is_shown_without_its_key(tmp_path, url):
    (tmp_path / "i.jsonl").write_text('{"item": 1, "input": "a"}')
    said = stderr_of(
        "run", url, tmp_path / "i.jsonl", "-o", tmp_path / "o.jsonl", code=4
    )
    assert "KEY" not in said


@pytest.mark.parametrize(
    "written",
    [KEY, KEY.replace("/", "\\/"), f"Bearer {KEY}"],
)
def test_a_key_in_an_answer_is_masked_where_it_is_kept(tmp_path, written):
    body = json.dumps({"reply": f"you sent {written}"}).encode()
    cache = tmp_path / "kept.sqlite"
    with rude_server(says(answer(body))) as (url, sent):
        headers = {"x-api-key": KEY}
        address = JsonAddress(url, timeout=60, retries=0, headers=headers, cache=cache)
        got, _ = address.ask({}, lambda payload: payload)
        again, _ = address.ask({}, lambda payload: payload)
        address._kept.close()
    assert KEY.encode() in sent[0]
    assert len(sent) == 1
    assert got == again
    assert "[key]" in got["reply"]
    assert not any(KEY.encode() in file.read_bytes() for file in tmp_path.iterdir())


def test_a_header_that_is_no_key_stays_in_answers():
    got, _ = asked(says(answer(b'"2023-06-01"')), headers={"version": "2023-06-01"})
    assert got == "2023-06-01"


def test_a_key_in_the_query_is_masked():
    with rude_server(says(answer(b'"?key=abcdef123"'))) as (url, _):
        address = JsonAddress(f"{url}?key=abcdef123", timeout=60, retries=0)
        assert address.ask({}, lambda payload: payload)[0] == "?key=[key]"


# -- proxies -----------------------------------------------------------------------


def through(monkeypatch, url, proxy):
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    return JsonAddress(url, timeout=60, retries=0)


def test_a_proxy_of_the_environment_is_asked(monkeypatch):
    with rude_server(says(FINE)) as (url, sent):
        proxy = url.replace("http://", "http://me:secret@").removesuffix("/ask")
        address = through(monkeypatch, "http://model.example/v1?a=b", proxy)
        assert address.ask({}, lambda payload: payload)[0] == {"fine": True}
    assert sent[0].startswith(b"POST http://model.example/v1?a=b HTTP/1.1")
    assert b"proxy-authorization: basic bwu6c2vjcmv0" in sent[0].lower()


def test_what_a_proxy_is_told_is_not_shown(monkeypatch):
    packed = b"bob:hunter2secret Ym9iOmh1bnRlcjJzZWNyZXQ="
    refusal = says(answer(packed, b"407 bob:hunter2secret"))
    with rude_server(refusal) as (url, _):
        proxy = url.replace("//", "//bob:hunter2secret@").removesuffix("/ask")
        monkeypatch.setenv("https_proxy", proxy)
        for model in ("http://model.example/", "https://model.example/"):
            address = through(monkeypatch, model, proxy)
            with pytest.raises(EndpointFailed) as caught:
                address.ask({}, lambda payload: payload)
            assert "hunter2" not in str(caught.value)
            assert "Ym9i" not in str(caught.value)


def test_this_machine_is_asked_without_a_proxy(monkeypatch):
    with rude_server(says(FINE)) as (url, sent):
        address = through(monkeypatch, url, "http://127.0.0.1:9")
        assert address.ask({}, lambda payload: payload)[0] == {"fine": True}
    assert sent[0].startswith(b"POST /ask HTTP/1.1")


def test_addresses_that_no_proxy_names_are_asked_without_one(monkeypatch):
    with rude_server(says(FINE)) as (url, sent):
        address = through(monkeypatch, "http://model.invalid/", url)
        monkeypatch.setenv("no_proxy", "model.invalid")
        with pytest.raises(EndpointFailed, match="no answer after 1 attempts"):
            address.ask({}, lambda payload: payload)
    assert not sent


def test_a_proxy_that_is_not_there_is_named(monkeypatch):
    address = through(monkeypatch, "http://model.invalid/", "http://127.0.0.1:9")
    with pytest.raises(EndpointFailed, match="attempts: the proxy: no connection: "):
        address.ask({}, lambda payload: payload)


def test_a_proxy_of_another_kind_is_refused(monkeypatch):
    address = through(monkeypatch, "http://model.invalid/", "socks5://me:pw@h:1")
    with pytest.raises(demur.InputError, match=r"got socks5://\.\.\.") as caught:
        address.ask({}, lambda payload: payload)
    assert "pw" not in str(caught.value)


# -- the end -------------------------------------------------------------------------


@pytest.mark.parametrize("behave", [silent, says(answer(b"", b"503 Busy"))])
def test_closing_ends_what_is_under_way(monkeypatch, behave):
    """By itself it would go on for an hour."""
    monkeypatch.setattr(json_addresses, "_wait", lambda *_: 3600.0)
    ends = []
    with rude_server(behave) as (url, sent):
        address = JsonAddress(url, timeout=3600, retries=9)

        def ask():
            with pytest.raises(EndpointFailed):
                address.ask({}, lambda payload: payload)
            ends.append(len(sent))

        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        while not sent:
            time.sleep(0.01)
        address.close()
        thread.join(600)
    assert ends == [1]


def test_an_address_is_asked_again_after_it_was_closed():
    with rude_server(says(FINE)) as (url, _):
        address = JsonAddress(url, timeout=60, retries=0)
        for _ in range(2):
            assert address.ask({}, lambda payload: payload)[0] == {"fine": True}
            address.close()
