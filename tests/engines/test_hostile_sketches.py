"""Sketches that somebody has damaged or made up: a result, or one line of refusal."""

import gzip
import itertools
import json
import random
import resource
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from builders import damaged_value, stderr_of, storm
from demur import InputError, Outcomes, ParseError, UndefinedRate
from demur.engines.sketch_checks import is_sketch
from demur.engines.sketches import read_sketch

Damage = Callable[[list[Any]], object]


def good_lines() -> list[Any]:
    """The lines of a good sketch: its head, a part of 3 blocks, one of 2, the end."""
    outcomes = Outcomes.from_arrays(
        item=[f"q{n}" for n in range(8)],
        outcome=["right", "wrong", "right", "unanswered"] * 2,
        confidence=[0.5, 0.25, 0.75, np.nan, 0.5, 0.5, 0.125, np.nan],
        groups={"topic": ["x"] * 4 + ["y"] * 4},
    )
    sketch = demur.sketch(outcomes, by="topic")
    path = Path("good.sketch")
    sketch.write(path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.unlink()
    return lines


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def text_of(lines: list[Any]) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def head(**values: Any) -> Damage:
    return lambda lines: lines[0].update(values)


def part(**values: Any) -> Damage:
    return lambda lines: lines[1].update(values)


def ends(low: Any, high: Any) -> Damage:
    return lambda lines: lines[2].__setitem__(slice(2), [low, high])


def no_parts(lines: list[Any]) -> None:
    lines[0].update(parts=0, items=0)
    lines[1:] = [{"end": 1}]


CUTS = "cuts must be a list of rising ends with a width, a power of two"

HOSTILE: dict[str, tuple[Damage, str]] = {
    "no parts": (no_parts, ":1: items must be a whole number from 1"),
    "parts": (head(parts=0), ":1: parts must be a whole number from 1"),
    "exponent": (part(unit="1e99999999"), ":2: unit must be a fraction above 0"),
    "small": (part(unit="1e-99999999"), ":2: unit must be a fraction above 0"),
    "signs": (part(unit=" 1_0"), ":2: unit must be a fraction above 0"),
    "units": (part(unit="9" * 900), ": the unit of a part must be 1"),
    "a quarter": (part(unit="1/4"), ": the unit of a part must be 1 where"),
    "400 digits": (ends(int("9" * 400), int("9" * 400)), ":3: the ends of a block"),
    "great cuts": (head(cuts=[[0, int("9" * 400), 0.5]]), f":1: {CUTS}"),
    "one over another": (head(cuts=[[0, 2, 0.5], [1, 3, 0.5]]), f":1: {CUTS}"),
    "widths": (head(cuts=[[0, 1, 0.3]]), f":1: {CUTS}"),
    "too fine": (head(cuts=[[0, 1e300, 2.0**-1000]]), f":1: {CUTS}"),
    "version": (head(**{"demur-sketch": True}), ":1: demur-sketch must be 1; got True"),
    "few hashes": (head(hashes=["0" * 24]), ":1: the hashes of items must be 8, or"),
    "one hash": (head(hashes=["0" * 24] * 8), ":1: hashes must be at most 4096 diff"),
    "no hash": (head(hashes=["<b>"] * 8), ":1: hashes must be at most 4096 different"),
    "no data": (head(data=[]), ":1: data must be a list of different hashes"),
    "no digest": (head(data=["\x1b"]), ":1: data must be a list of different hashes"),
    "fields": (head(fields=["<b>"]), ":1: fields must be a list of some of credit, c"),
    "twice": (head(by=["topic", "topic"]), ":1: by must be a list of columns, each"),
    "system": (head(by=["system"]), ":1: by must be a list of columns, each once"),
    "least": (head(least_count=2), ":3: the block must hold at least 2 guesses"),
    "clusters": (part(clusters=5), ": clusters of '' must fit the other totals"),
    "no cluster": (part(clusters=0), ":2: clusters must be null or a whole number"),
    "half a character": (part(system="\ud800"), ":2: system must be a text of whole"),
    "became": (part(became=[[0, 1, 0, 0, 9]]), ": became of '' must fit the other"),
    "no kinds": (part(became=[[4, 1, 0, 0, 9]]), ":2: became must be lists of an out"),
    "kinds": (part(became=[[0, 1, 0, 0, 1]] * 2), ":2: became must be lists of an ou"),
    "list": (part(totals=[]), ":2: totals must be counts by name; got []"),
    "blocks": (part(blocks=2**61), ": the sketch must go on to its last line"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_cannot_be_is_refused_in_one_line_by_file(name):
    damage, text = HOSTILE[name]
    lines = good_lines()
    damage(lines)
    Path("a.sketch").write_text(text_of(lines))
    for words in (["a.sketch"], ["a.sketch", "--by", "topic"]):
        if name == "units" and len(words) > 1:
            continue  # groups of other units stand beside each other
        said = stderr_of("curve", *words)
        assert said.startswith("demur: a.sketch:")
        assert text in said
        assert said.count("\n") == 1


BYTES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "deep": (lambda _: b'{"demur-sketch": 1, "x": ' + b"[" * 100_000 + b"\n", "JSON"),
    "objects": (
        lambda _: b'{"demur-sketch": ' + b'{"":' * 90_000 + b"1\n",
        "be JSON; got lists in lists",
    ),
    "twice": (
        lambda data: data.replace(b'"items"', b'"items": 7, "items"', 1),
        "a.sketch:1: the line must be JSON; got the key 'items' twice",
    ),
    "NaN": (
        lambda data: data.replace(b"[0.25", b"[NaN", 1),
        "a.sketch:3: the line must be JSON; got NaN",
    ),
    "infinity": (
        lambda data: data.replace(b"[0.25", b"[1e999", 1),
        "a.sketch:3: the ends of a block must be numbers",
    ),
    "digits": (
        lambda data: data.replace(b"[0.25", b"[" + b"9" * 5000, 1),
        "a.sketch:3: the line must hold at most 1024 bytes",
    ),
    "bytes": (
        lambda data: data.replace(b'"x"', b'"\xff"', 1),
        "a.sketch:2: the line must be JSON",
    ),
    "mark": (lambda data: b"\xef\xbb\xbf" + data, "be plain text; got UTF-8 behind"),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), "plain text; got UTF-16"),
    "packed": (gzip.compress, "be plain text; got compressed. Unpack it"),
    "bomb": (
        lambda data: gzip.compress(data + b" " * (1 << 26)),
        "be plain text; got compressed",
    ),
    "line": (lambda data: data + b"\n", "the sketch must end here"),
    "no end": (lambda data: data[:-1], "must go on to its last line"),
    "start": (lambda data: data[:16], "must go on to its last line"),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_no_sketch_has_are_refused_in_one_line_by_file(name):
    change, text = BYTES[name]
    Path("a.sketch").write_bytes(change(text_of(good_lines()).encode()))
    said = stderr_of("curve", "a.sketch")
    assert said.startswith("demur: a.sketch:")
    assert text in said
    assert said.count("\n") == 1


def test_zeros_behind_a_sketch_or_in_its_place_take_no_time_and_no_memory():
    good = text_of(good_lines()).encode()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for begins in (b"", good[:17], good[:-1], good):
        with Path("a.sketch").open("wb") as file:
            file.write(begins)
            file.truncate(200 << 20)
        start = time.thread_time()  # of this thread alone, however busy the machine is
        with pytest.raises(ParseError):
            read_sketch("a.sketch")
        assert time.thread_time() - start < 2
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 100 << 10  # kilobytes


def test_line_ends_of_other_systems_change_nothing():
    good = text_of(good_lines())
    Path("a.sketch").write_text(good)
    Path("b.sketch").write_bytes(good.replace("\n", "\r\n").encode())
    assert read_sketch("b.sketch").to_dict() == read_sketch("a.sketch").to_dict()


def test_sums_of_sketches_stay_whole():
    lines = good_lines()
    for number in (3, 2):
        lines[number][2:8] = [2**61, 0, 0, 0, 2**61, 0]
    files = ("a.sketch", "b.sketch")
    for digest, path in zip("ab", files, strict=True):
        huge = 2**61
        total = {"items": huge, "right": huge, "weight": huge, "credit": huge}
        totals = dict.fromkeys(lines[1]["totals"], 0) | total
        one = {**lines[1], "totals": totals, "declined": [0, 0, 0], "blocks": 1}
        one["became"] = [[0, 1, 0, 0, huge]]
        head = {**lines[0], "items": huge, "parts": 1, "hashes": []}
        head["data"] = [digest * 32]
        block = [0.5, 0.5, huge, 0, 0, 0, huge, 0, 0, 0]
        Path(path).write_text(text_of([head, one, block, {"end": 3}]))
    said = stderr_of("curve", *files)
    assert "b.sketch: the items must be fewer than 2**62 with those before" in said


def test_markup_and_marks_in_names_do_no_harm():
    lines = good_lines()
    name = "<script>\x1b[31m\n\u202e"
    for line in lines[1:-1]:
        if isinstance(line, dict):
            line.update(system=name, group={name: line["group"]["topic"]})
    lines[0]["by"] = [name]
    Path("a.sketch").write_text(text_of(lines))
    counted = demur.count_outcomes("a.sketch")
    shown = [demur.error_return(counted).to_text(), read_sketch("a.sketch").to_text()]
    for text in shown:
        assert not {"\x1b", "\u202e"} & {*text}


def damaged(draw: random.Random, data: bytes) -> bytes:
    """The bytes of a sketch with something in them changed."""
    lines = data.splitlines(keepends=True)
    how = draw.choice(["values", "values", "bytes", "cut", "swapped", "repeated"])
    if how == "values":
        values = [json.loads(line) for line in lines]
        for _ in range(draw.choice([1, 2])):
            at = draw.randrange(len(values))
            values[at] = damaged_value(draw, values[at])
        return text_of(values).encode()
    if how == "bytes":
        changed = bytearray(data)
        for _ in range(draw.choice([1, 2, 4])):
            digit = chr(changed[at := draw.randrange(len(data))]).isdigit()
            signs = b"0123456789.e-" if digit else b'"[]{},: 0eE-\n\r\t\x00\xff'
            changed[at] = draw.choice(signs)
        return bytes(changed)
    one, other = (draw.randrange(len(lines)) for _ in range(2))
    if how == "cut":
        return data[: draw.randrange(len(data))]
    if how == "swapped":
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines[one:one] = [lines[one]] * draw.choice([1, 2])
    return b"".join(lines)


def tried(*attempts: Callable[[], object]) -> None:
    """Each gives a result, or says in one line why not."""
    for attempt in attempts:
        lines = []
        try:
            attempt()
        except (InputError, ParseError, UndefinedRate) as problem:
            lines = str(problem).split("\n")
        assert len(lines) < 2


def used(path: str) -> None:
    """Whatever can be done with a sketch."""
    sketch = demur.read_sketches(path)
    assert sketch.to_text()
    counted = demur.count_outcomes(path)
    curves = demur.curve_by(counted)
    rates = itertools.product(curves, ("nonreturn", "error", "cutoff"), (0.1, 0.4))
    tried(
        *(partial(curve.at, **{what: rate}) for curve, what, rate in rates),
        *(lambda c=curve: (c.area(), c.crossing, c.to_text()) for curve in curves),
        lambda: demur.curve_by(counted, by=sketch.by).to_text(),
        lambda: demur.choose(counted, max_error=0.2),
        lambda: demur.choose(counted, max_error=0.3, certainty=0.8),
        lambda: demur.score(counted).to_text(),
        lambda: demur.sketch(counted).write("again.sketch"),
    )


@pytest.mark.parametrize("seed", storm(range(400), sample=40))
def test_a_damaged_sketch_gives_a_result_or_a_refusal(seed):
    draw = random.Random(seed)
    rng = np.random.default_rng(seed)
    n_items = 30
    outcome = rng.choice(["right", "wrong", "unanswered", "ungraded"], n_items)
    confidence = np.where(outcome == "unanswered", np.nan, rng.random(n_items))
    outcomes = Outcomes.from_arrays(
        item=[f"q{n}" for n in range(n_items)],
        outcome=outcome,
        confidence=confidence,
        weight=rng.choice([0.5, 1], n_items),
        groups={"topic": ["x", "y"] * 15},
    )
    how = {"by": "topic"} if draw.random() < 0.5 else {"blocks": 16}
    demur.sketch(outcomes, **how, hashes=draw.random() < 0.3).write("a.sketch")
    data = Path("a.sketch").read_bytes()
    for _ in range(10):
        Path("a.sketch").write_bytes(damaged(draw, data))
        tried(lambda: used("a.sketch"))


def test_what_only_begins_like_something_packed_is_no_sketch():
    Path("a").write_bytes(b"\x1f\x8b" + b"\0" * 40)
    assert not is_sketch("a")
