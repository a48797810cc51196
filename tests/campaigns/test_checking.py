"""Whether a file of answers is whole, by the pack alone."""

import gzip
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import damaged_value, refuses, storm
from campaign_builders import ITEMS, answer_file, answers, lines_of
from demur.campaigns.checking import (
    FAULTS,
    MOST_FAULTS,
    MOST_SHOWN,
    check_answers,
    read_answers,
)
from demur.campaigns.packs import QuestionPack, read_pack
from demur.errors import InputError


@pytest.fixture
def pack(tmp_path) -> QuestionPack:
    return pack_in(tmp_path / "pack", [{"item": item} for item in ITEMS])


def pack_in(folder: Path, questions, about=None) -> QuestionPack:
    folder.mkdir()
    (folder / "questions.jsonl").write_bytes(lines_of(questions))
    if about is not None:
        (folder / "pack.json").write_text(json.dumps(about))
    return read_pack(folder)


def faults(check) -> list[tuple[str, str, str]]:
    """The places, items and kinds of what is wrong."""
    return [
        (one.place.rpartition(":")[2] if ":" in one.place else "", one.item, one.check)
        for one in check.faults
    ]


def test_a_whole_file(pack, tmp_path):
    records = answers(confidence=0.5)
    records[1] |= {"declined": True}
    records[2] = {"item": "q3", "response": None}
    records[3] = {"item": "q4", "failed": "timeout"}
    check = check_answers(answer_file(tmp_path, records), pack)
    assert check.is_whole
    assert (check.items, check.answered, check.unanswered) == (4, 2, 2)
    assert (check.declined, check.confidences, check.n_faults) == (1, True, 0)
    assert "is whole: 4 questions, 2 with a guess (1 of them" in check.sentence()


@pytest.mark.parametrize("measure", ["error@0.2", "error", "weighted_error"])
def test_who_needs_confidences_for_a_rank_is_told_so(measure, tmp_path):
    about = {"rules": {"scoring": {"measure": measure}}}
    pack = pack_in(tmp_path / "p", [{"item": item} for item in ITEMS], about)
    without = check_answers(answer_file(tmp_path, answers(declined=True)), pack)
    said = ("no rank without confidences: the campaign ranks by error@0.2",)
    assert without.notes == (said if measure == "error@0.2" else ())
    sure = check_answers(answer_file(tmp_path, answers(confidence=0.5)), pack)
    assert (without.is_whole, sure.notes) == (True, ())


def test_everything_that_is_wrong_is_said_with_its_line(pack, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"item": "q1", "response": "x", "confidence": 0.3, "min": "?"}\n'
        '{"item": "q1", "response": "y", "confidence": 0.3}\n'
        "\n"
        '{"item": "q9", "response": "x", "confidence": 0.3}\n'
        '{"item": "q2", "response": "x"\n'
        '{"item": "q2", "response": {"a": 1, "a": 2}, "confidence": 1}\n'
        '{"item": "q3", "response": "x", "confidence": "high"}\n'
        '{"item": "q4", "response": NaN}\n'
        '{"item": "q2", "response": "x", "system": "b"}\n'
        "[1]\n"
        '{"item": "q4"}\n'
    )
    check = check_answers(path, pack)
    assert faults(check) == [
        ("1", "q1", "columns"),
        ("2", "q1", "again"),
        ("4", "q9", "foreign"),
        ("5", "", "unreadable"),
        ("6", "", "unreadable"),
        ("7", "q3", "values"),
        ("8", "", "unreadable"),
        ("9", "q2", "systems"),
        ("9", "", "confidences"),
        ("10", "", "unreadable"),
        ("11", "q4", "values"),
    ]
    assert sum(check.counts.values()) == check.n_faults == 11


def test_an_item_twice_is_refused_also_as_a_number(tmp_path):
    pack = pack_in(tmp_path / "numbers", [{"item": 7}, {"item": 8}])
    records = [{"item": 7, "response": "a"}, {"item": "7", "response": "b"}]
    check = check_answers(answer_file(tmp_path, records), pack)
    assert dict(check.counts) == {"again": 1, "missing": 1}


def test_missing_items_are_named(pack, tmp_path):
    check = check_answers(answer_file(tmp_path, answers(["q1", "q3"])), pack)
    assert faults(check) == [("", "q2", "missing"), ("", "q4", "missing")]


@pytest.mark.parametrize("name", ["repeat", "setting", "min", "sql", "reference", "x"])
def test_a_field_that_is_none_of_a_response_is_not_read(name, pack, tmp_path):
    records = [{**record, name: "1"} for record in answers()]
    check = check_answers(answer_file(tmp_path, records), pack)
    assert dict(check.counts) == {"columns": 4}
    assert len(check.faults) == 1  # it is said once


def test_what_a_run_writes_beside_answers_may_stay(pack, tmp_path):
    beside = {"reply": "so: x", "model": "m", "seconds": 0.1, "finish_reason": "stop"}
    beside |= {"prompt_tokens": 3, "completion_tokens": 2, "cached_tokens": 0}
    beside |= {"cost": 1e-5}
    path = answer_file(tmp_path, [{**record, **beside} for record in answers()])
    assert check_answers(path, pack).is_whole
    assert not any(response.extra for response in read_answers(path))


def test_confidences_are_for_all_guesses_or_for_none(pack, tmp_path):
    records = answers()
    assert not check_answers(answer_file(tmp_path, records), pack).confidences
    records[2] |= {"confidence": 0.5}
    check = check_answers(answer_file(tmp_path, records), pack)
    assert faults(check) == [("3", "", "confidences")]
    # What is no guess needs none, and neither does an answer that cannot be executed.
    records = answers(["q1", "q2"], confidence=0.5)
    records += [{"item": "q3", "response": None}]
    records += [{"item": "q4", "response": "SELECT", "error": "no table"}]
    assert check_answers(answer_file(tmp_path, records), pack).is_whole


def test_of_many_faults_the_first_of_each_kind_are_shown(tmp_path):
    pack = pack_in(tmp_path / "many", [{"item": f"q{n}"} for n in range(200)])
    records = [{"item": f"x{n}", "response": 1} for n in range(500)]
    check = check_answers(answer_file(tmp_path, records), pack)
    assert dict(check.counts) == {"foreign": 500, "missing": 200}
    assert len(check.faults) == 2 * MOST_SHOWN
    assert "660 more faults" in check.notes[0]


def test_turns_that_are_not_asked_are_not_answered(tmp_path):
    turns = [
        {"item": "q1", "dialogue": "d", "class": "A"},
        {"item": "q2", "dialogue": "d", "class": "X"},
        {"item": "q3", "dialogue": "d", "class": "D", "context": "q1"},
        {"item": "q4", "dialogue": "d", "excluded": True},
    ]
    pack = pack_in(tmp_path / "excluded", turns)
    assert list(pack.asked) == ["q1"]
    check = check_answers(answer_file(tmp_path, answers(["q1", "q2"])), pack)
    assert dict(check.counts) == {"foreign": 1}
    assert "is not asked: it is excluded" in check.to_text()
    rules = {"rules": {"scoring": {"context": "dialogue"}}}
    pack = pack_in(tmp_path / "dialogue", turns, rules)
    assert list(pack.asked) == ["q1", "q3"]


# -- files -----------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [True, False])
def test_packed_or_plain(packed, pack, tmp_path):
    data = lines_of(answers())
    path = tmp_path / "answers"
    path.write_bytes(gzip.compress(data) if packed else data.replace(b"\n", b"\r\n"))
    assert check_answers(path, pack).is_whole
    assert [one.item for one in read_answers(path)] == list(ITEMS)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "be JSON Lines"),
        (b"item,response\nq1,x\n", "be JSON Lines"),
        (b"[]", "be JSON Lines"),
        (b"PAR1", "be JSON Lines"),
        (gzip.compress(b"{}\n" * 100, mtime=0)[:-20], "whole, readable gzip"),
        (b'{"item": "q1", "response": "\xff"}', "be UTF-8"),
        (b'{"item": "q1", "response": "\0"}', "NUL"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_fault(data, words, pack, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(data)
    check = check_answers(path, pack)
    assert dict(check.counts) == {"unreadable": 1}
    assert words in check.to_text()
    with pytest.raises(InputError):
        list(read_answers(path))


def test_a_bomb_is_not_unpacked(pack, tmp_path, monkeypatch):
    monkeypatch.setattr("demur.campaigns.checking.MOST_BYTES", 1 << 20)
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"item": "q1", "response": "' + b"x" * (1 << 24)))
    check = check_answers(path, pack)
    assert dict(check.counts) == {"unreadable": 1}
    path.write_bytes(b" " * ((1 << 20) + 1))
    assert "hold at most 1 MiB" in check_answers(path, pack).to_text()


def test_who_errs_in_millions_of_lines_is_not_read_to_the_end(pack, tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}\n" * (MOST_FAULTS + 5)))
    check = check_answers(path, pack)
    assert check.counts == {"unreadable": 1, "values": MOST_FAULTS}
    assert faults(check)[-1] == (str(MOST_FAULTS), "", "unreadable")


def test_what_is_no_file(pack, tmp_path):
    refuses(
        "be a file that can be read; got nothing", check_answers, tmp_path / "x", pack
    )
    refuses("got a folder", check_answers, tmp_path, pack)
    refuses("got nothing", check_answers, "a\0b", pack)


def test_a_pack_that_is_none_or_damaged(tmp_path):
    refuses("be a pack", read_pack, tmp_path)
    folder = tmp_path / "pack"
    pack_in(folder, [{"item": "q1"}])
    (folder / "pack.json").write_text('{"sha256": "0"}')
    refuses("be as it was sent out", read_pack, folder)
    (folder / "pack.json").write_text("[]")
    refuses("be an object", read_pack, folder)
    (folder / "pack.json").write_text("{")
    refuses("be JSON", read_pack, folder)
    (folder / "pack.json").unlink()
    (folder / "questions.jsonl").write_bytes(lines_of([{"item": 1}, {"item": "1"}]))
    refuses("item must be listed once", read_pack, folder)
    (folder / "questions.jsonl").write_bytes(lines_of([{"item": 1, "class": "X"}]))
    refuses("ask something", read_pack, folder)


# -- whatever passes can be judged -----------------------------------------------------


@pytest.mark.parametrize("seed", storm(range(1_000), sample=60))
def test_whatever_passes_is_read_and_judged(seed, pack, tmp_path):
    import demur

    draw = random.Random(seed)
    records = answers(confidence=0.5, declined=False, kind="other", system="s")
    for record in draw.sample(records, draw.randrange(1, 3)):
        damaged_value(draw, record)
    path = answer_file(tmp_path, records)
    check = check_answers(path, pack)
    assert set(check.counts) <= set(FAULTS)
    if check.is_whole:
        references = [{"item": item, "reference": f"a {item}"} for item in ITEMS]
        outcomes = demur.judge(list(read_answers(path)), references, by="text")
        assert len(outcomes.item) == len(ITEMS)


@given(data=st.binary(max_size=200))
def test_any_bytes_are_whole_or_at_fault(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    pack = pack_in(folder / "pack", [{"item": "q1"}])
    (folder / "a").write_bytes(data)
    assert not check_answers(folder / "a", pack).is_whole
