"""What is kept comes back exactly, and is there once."""

import json
import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta
from tempfile import TemporaryDirectory

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import graded, refuses
from demur.outcomes.columns import constant, objects
from demur.store.blobs import blob_of
from demur.store.comparable import differences, hashes_of
from demur.store.data_hashes import data_hash
from demur.store.keeping import keep
from demur.store.packing import packed, unpacked
from demur.store.stores import Store
from random_rows import outcomes_of, rows

# -- columns ---------------------------------------------------------------------------

TEXTS = st.text(st.characters(codec=None), max_size=6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner),
    max_leaves=5,
)
COLUMNS = st.one_of(
    st.lists(st.none() | TEXTS, max_size=9),
    st.lists(st.sampled_from(["a", "b", None, "", "\0", "\ud800"]), max_size=40),
    st.lists(JSON, max_size=5),
).map(lambda values: objects(values, len(values)))


def alike(one: object, other: object) -> bool:
    """Equal, of one type, NaN equal to NaN, all the way down."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict):
        return [*one] == [*other] and all(alike(one[key], other[key]) for key in one)
    return one == other or (one != one and other != other)


@given(COLUMNS)
def test_a_column_of_objects_comes_back_as_it_was(column):
    back = unpacked(packed("response", column))
    assert back.dtype == object
    assert alike(back.tolist(), column.tolist())


@given(
    st.sampled_from(["<f4", ">f8", "<f8", "?", "u1", "<i8", ">i8", "<U3"]),
    st.lists(st.floats(width=16), max_size=9),
)
def test_an_array_comes_back_with_its_type_and_every_bit(dtype, values):
    with np.errstate(invalid="ignore"):
        column = np.array(values).astype(dtype)
    back = unpacked(packed("confidence", column))
    assert back.dtype == column.dtype.newbyteorder("<")
    assert back.tobytes() == column.astype(back.dtype).tobytes()


@pytest.mark.parametrize("n_words", [1, 2, 255, 256, 257, 65536, 65537])
def test_words_that_are_repeated_have_numbers_of_every_width(n_words):
    values = [f"w{row % n_words}" for row in range(max(3 * n_words, 4))]
    column = objects(values, len(values))
    content = packed("reason", column)
    assert b'"words"' in content[:99]
    assert unpacked(content).tolist() == values


def test_a_constant_stays_one():
    column = unpacked(packed("system", constant("a", 5)))
    assert column.tolist() == ["a"] * 5
    assert column.strides == (0,)


def test_many_different_texts_are_not_numbered_and_many_equal_ones_are():
    n = 70_000
    kinds = {
        "texts": [f"q{row}" for row in range(n)],
        "words": [f"d{row // 20}" for row in range(n)],
    }
    for kind, values in kinds.items():
        content = packed("cluster", objects(values, n))
        assert json.loads(content.partition(b"\n")[0])["kind"] == kind
        assert unpacked(content).tolist() == values


def test_what_is_none_of_json_is_refused_with_the_column():
    column = objects([datetime(2027, 1, 1)], 1)
    refuses(
        "keep: topic must hold values of JSON; got datetime", packed, "topic", column
    )


def test_numbers_of_numpy_are_kept_as_numbers():
    column = objects([np.float64(0.5), np.int64(3), "a"], 3)
    assert unpacked(packed("topic", column)).tolist() == [0.5, 3, "a"]


# -- runs ------------------------------------------------------------------------------


def everything() -> demur.Outcomes:
    """Two systems in two settings, with every column there is."""
    n = 8
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.array([1, 2] * 4),
            "system": ["a"] * 4 + ["b"] * 4,
            "setting": ["x", "x", "y", "y"] * 2,
            "outcome": ["right", "wrong", "unanswered", "ungraded"] * 2,
            "credit": [0.5, 0, 0, 0, 1, 0, 0, 0],
            "confidence": np.array([0.1, 0.2, np.nan, 0.4] * 2, np.float32),
            "declined": [False, True] * 4,
            "answerable": [True] * n,
            "weight": [0.5, 2.0] * 4,
            "cluster": ["d1", None] * 4,
            "reason": ["equal", "differs", None, "\0odd\ud800"] * 2,
            "kind": [None, None, "failed", None] * 2,
            "input": [{"turns": ["hello", 1, None]}] * n,
            "response": ["x", 1.5, None, [float("inf"), -0.0]] * 2,
            "reference": [["a", "b"], None] * 4,
        },
        groups={"topic": [1, "two", None, 0.5, True, [], {}, "è"], "plain": ["p"] * n},
        recipe={"by": "text", "comparator": "text/2"},
        notes=["one note"],
    )
    assert outcomes.item.dtype == np.int64
    return outcomes


def exactly_equal(one: demur.Outcomes, other: demur.Outcomes) -> bool:
    same = one == other and dict(one.recipe) == dict(other.recipe)
    columns, others = (
        {**vars(table), **table.groups, "outcome": table.outcome.codes}
        for table in (one, other)
    )
    arrays = {n: a for n, a in columns.items() if isinstance(a, np.ndarray)}
    return same and all(
        others[name].dtype == array.dtype
        and alike(others[name].tolist(), array.tolist())
        for name, array in arrays.items()
    )


def test_outcomes_come_back_exactly(store, now):
    outcomes = everything()
    run = store.keep(outcomes, when=now)
    back = store.outcomes(run)
    assert exactly_equal(back, outcomes)
    assert back.notes == outcomes.notes
    assert not back.confidence.flags.writeable
    with pytest.raises(TypeError, match="cannot be changed"):
        back.recipe["by"] = "cas"


@settings(max_examples=25, deadline=None)
@given(rows())
def test_any_outcomes_come_back_and_figures_are_those_of_the_curve(listed):
    outcomes = outcomes_of(listed)
    with TemporaryDirectory() as folder, Store(f"{folder}/a", make=True) as store:
        run = store.keep(outcomes, when=datetime.fromisoformat("2027-03-01T12:00:00Z"))
        assert exactly_equal(store.outcomes(1), outcomes)
    (system,) = run.systems
    curve = demur.error_return(outcomes)
    counts = {name: getattr(system, name) for name in outcomes.counts()}
    assert counts == outcomes.counts()
    assert (system.error_low, system.error_high) == curve.forced_choice_error
    assert system.own_nonreturn == curve.operating_point.nonreturn
    assert (system.own_low, system.own_high) == curve.operating_point.bounds
    if curve.ladder is not None:
        area = curve.area()
        assert (system.area_low, system.area_high) == (area.low, area.high)


def test_a_run_says_what_it_is(store, now):
    run = store.keep(
        everything(), when=now, tags=["main", "v1"], note="a note", lock="{}\n"
    )
    assert run == store.run(1) == store.run("1") == store.run("main")
    assert (run.number, run.tags, run.note, run.lock) == (
        1,
        ("main", "v1"),
        "a note",
        "{}\n",
    )
    assert [(one.system, one.setting, one.items) for one in run.systems] == [
        *(("a", "x", 2), ("a", "y", 2), ("b", "x", 2), ("b", "y", 2))
    ]
    assert run.systems[1].failed == 1
    assert run.when == now
    assert run.recipe == {"by": "text", "comparator": "text/2"}
    assert run.signature.endswith("|by:text|comparator:text/2|items:8")
    assert run.data_hash == data_hash(everything())
    json.dumps(run.to_dict())


def test_columns_that_are_not_wanted_are_not_read(store, now):
    store.keep(everything(), when=now)
    some = store.outcomes(1, only=["confidence", "topic"])
    assert some.response is None
    assert [*some.groups] == ["topic"]
    assert some.confidence is not None
    assert some.systems == ("a", "b")


def test_runs_are_numbered_and_found_by_tag_and_system(store, now):
    for number, name in enumerate("abab"):
        tags = ["main"] if number != 3 else []
        outcomes = graded([True, False], system=[name] * 2)
        store.keep(outcomes, when=now + timedelta(days=number), tags=tags)
    assert [run.number for run in store.runs()] == [1, 2, 3, 4]
    assert [run.number for run in store.runs(tag="main")] == [1, 2, 3]
    assert [run.number for run in store.runs(system="b")] == [2, 4]
    assert [run.number for run in store.runs(tag="main", system="b")] == [2]
    assert store.runs(tag="none") == []
    assert store.run("main").number == 3


def test_a_tag_moves_and_its_history_stays(store, now):
    for _ in range(2):
        store.keep(graded([True]), when=now)
    assert store.tag(1, "main", when=now).tags == ("main",)
    store.tag(2, "main", when=now)
    store.tag(2, "main", when=now)
    assert store.run("main").number == 2
    store.untag("main", "main", when=now + timedelta(hours=1))
    assert store.run("main").number == 1
    history = store.connection.rows("SELECT * FROM run_tags ORDER BY run")
    assert [tuple(row) for row in history] == [
        (1, "main", "2027-03-01T12:00:00Z", None),
        (2, "main", "2027-03-01T12:00:00Z", "2027-03-01T13:00:00Z"),
    ]
    refuses("bears; got 'main'. It bears none.", store.untag, 2, "main", when=now)


@pytest.mark.parametrize("tag", ["7", "", "two words", "a\nb", "x" * 101, "\u0663"])
def test_a_tag_is_a_word_and_no_number(tag, tmp_path, now):
    with Store(tmp_path / "a.sqlite", make=True) as store:
        refuses("a tag must", store.keep, graded([1]), when=now, tags=[tag])
        assert store.runs() == []


def test_a_moment_needs_a_time_zone(tmp_path):
    with Store(tmp_path / "a.sqlite", make=True) as store:
        naive = datetime(2027, 1, 1)
        refuses("have a time zone", store.keep, graded([1]), when=naive)
        refuses("when must", store.keep, graded([1]), when="today")


def test_what_is_not_there_is_said_with_what_is(store, now):
    refuses("There is none yet: demur keep", store.run, 1)
    store.keep(graded([True]), when=now)
    refuses("There is only run 1: demur show lists", store.run, "main")
    store.keep(graded([True]), when=now)
    refuses("got '7'. There are 2, the newest is 2", store.run, 7)
    refuses("got '9{40}'", store.run, "9" * 40)


def test_no_rows_are_no_run(store, now):
    refuses("hold at least one row", store.keep, graded([True]).take([]), when=now)
    refuses("must be an Outcomes table", store.keep, "a.jsonl", when=now)


def test_what_runs_share_is_there_once(store, now):
    n = 2000
    words = [f"question number {row}" for row in range(n)]
    rng = np.random.default_rng(0)
    size = "SELECT SUM(LENGTH(content)) FROM blobs"
    sizes = []
    for _ in range(3):
        outcomes = graded(rng.random(n) < 0.7, item=words, input=words, reference=words)
        store.keep(outcomes, when=now)
        sizes.append(store.connection.rows(size)[0][0])
    assert sizes[2] - sizes[1] == pytest.approx(sizes[1] - sizes[0], rel=0.1)
    assert sizes[1] - sizes[0] < 0.1 * sizes[0]


def test_a_run_that_is_forgotten_leaves_its_number_and_what_others_share(store, now):
    kept = [graded([True, False], response=["x", text]) for text in "abc"]
    for outcomes in kept:
        store.keep(outcomes, when=now, note="secret", tags=["main"])
    assert store.forget(2, when=now) == 2
    assert [run.number for run in store.runs()] == [1, 3]
    assert store.outcomes(1) == kept[0]
    assert store.outcomes(3) == kept[2]
    refuses("got '2', forgotten at 2027-03-01T12:00:00Z", store.run, 2)
    store.forget(3, when=now)
    refuses("forgotten at", store.run, 3)
    assert store.keep(kept[1], when=now).number == 4
    assert store.outcomes(4) == kept[1]
    held = str(store.connection.rows("SELECT * FROM runs WHERE number = 2"))
    assert "secret" not in held


def test_what_was_forgotten_is_not_left_in_the_file(tmp_path, now):
    path, secret = tmp_path / "a.sqlite", "0123456789abcdef"
    with Store(path, make=True) as store:
        store.keep(graded([1], response=[secret]), when=now, note=secret)
        store.forget(1, when=now)
    assert secret.encode() not in path.read_bytes()


def test_responses_and_references_come_back(store, now):
    responses = [
        {"item": "q1", "response": {"a": [1, None]}, "confidence": 0.5, "more": "x"},
        {"item": 2, "response": None, "failed": "time-out", "ranking": ["a", ["b", 1]]},
    ]
    references = [
        {"item": "q1", "references": ["a", {"value": ["b"], "weight": 0.5}], "db": "d"},
        {"item": 2, "reference": None, "answerable": False, "cluster": "d1"},
    ]
    outcomes = demur.judge(responses, references)
    run = store.keep(outcomes, when=now, responses=responses, references=references)
    assert run.has_records
    back = store.records(run)
    assert demur.judge(*back) == outcomes
    assert (back[0][0].extra, back[0][1].failed) == ({"more": "x"}, "time-out")
    assert back[1][0].alternatives == (("a", 1.0), (["b"], 0.5))
    assert exactly_equal(store.outcomes(run), outcomes)
    frames = {"item": ["q1", "q2"], "response": ["a", None]}, {"item": ["q1", "q2"]}
    frames[1]["reference"] = ["a", "b"]
    responses_frame, references_frame = map(pandas.DataFrame, frames)
    judged = demur.judge(responses_frame, references_frame)
    records = {"responses": responses_frame, "references": references_frame}
    store.keep(judged, when=now, **records)
    assert demur.judge(*store.records(2)).counts() == judged.counts()
    bare = store.keep(outcomes, when=now)
    assert not bare.has_records
    refuses("run 3 must have been kept with its responses", store.records, 3)
    refuses("got responses alone", store.keep, outcomes, when=now, responses=responses)


# -- data hash -------------------------------------------------------------------------


@given(st.permutations(range(8)))
def test_the_order_of_rows_does_not_matter(order):
    outcomes = everything()
    assert data_hash(outcomes.take(np.array(order))) == data_hash(outcomes)


def test_systems_do_not_matter_and_the_usual_is_as_nothing():
    plain = graded([1, 0], item=["a", "b"])
    twice = graded([0] * 4, item=["b", "a"] * 2, system=["x", "x", "y", "y"])
    usual = graded([1, 0], item=["b", "a"], weight=[1, 1], answerable=[True, True])
    assert data_hash(plain) == data_hash(twice) == data_hash(usual)
    assert data_hash(graded([1, 1], item=[1, 2])) == data_hash(
        graded([1, 1], item=["1", "2"])
    )


def test_numbers_of_numpy_in_references_are_numbers_and_keys_may_be_mixed(store, now):
    def hashed(value: object) -> str:
        return data_hash(graded([0, 0], reference=[value, "x"]))

    assert hashed([np.int64(3)]) == hashed([3]) != hashed(["3"])
    assert hashed(np.int8(3)) == hashed(3)
    assert hashed({"a": 1, 2: 0}) == hashed({2: 0, "a": 1}) == hashed({"2": 0, "a": 1})
    run = store.keep(
        graded([0, 0], reference=[{"a": np.int64(1), 2: 0}, "x"]), when=now
    )
    assert run.data_hash == data_hash(store.outcomes(1))


def test_each_thing_it_covers_changes_it():
    usual = {"item": ["a", "b"], "reference": ["x", ["y"]]}
    others = [
        {},
        {"item": ["a", "c"]},
        {"weight": [1, 2]},
        {"weight": [2, 1]},
        {"answerable": [True, False]},
        {"cluster": ["d", None]},
        {"cluster": ["d", "d"]},
        {"cluster": ["'d", "d"]},
        {"cluster": ["d\x1fx", "d"]},
        {"reference": ["x", '["y"]']},
        {"reference": None},
    ]
    hashes = []
    for other in others:
        columns = {n: v for n, v in {**usual, **other}.items() if v is not None}
        hashes.append(data_hash(graded([0, 0], **columns)))
    assert len(set(hashes)) == len(hashes)


# -- comparable ------------------------------------------------------------------------


def test_runs_are_comparable_by_data_and_by_how_they_were_judged(store, now):
    references = [{"item": row, "reference": "x"} for row in range(3)]
    responses = [{"item": row, "response": "x"} for row in range(3)]
    judged = demur.judge(responses, references)
    one = store.keep(judged, when=now)
    two = store.keep(
        replace(judged, recipe={**judged.recipe, "log": "jsonl"}), when=now
    )
    assert differences(one, two) == []
    other = store.keep(demur.judge(responses, references, by="label"), when=now)
    assert differences(one, other) == [
        "by: text in run 1, label in run 3",
        "comparator: text/2 in run 1, label/2 in run 3",
    ]
    references[0]["reference"] = "y"
    adjudicated = store.keep(demur.judge(responses, references), when=now)
    assert differences(one, adjudicated) == [
        "references: those of run 1 and run 4 differ"
    ]
    fewer = store.keep(demur.judge(responses[1:], references[1:]), when=now)
    assert differences(one, fewer) == [
        "items: those of run 1 and run 5 differ (or answerable, weight, cluster)"
    ]
    bare = store.keep(replace(judged, reference=None), when=now)
    assert differences(one, bare) == ["references: run 6 was kept without"]
    assert set(hashes_of(one)) == {"items", "references"}


def test_how_files_were_read_matters_where_it_gives_the_verdicts(store, now):
    outcomes = graded([1, 0])
    runs = [
        store.keep(replace(outcomes, recipe={"columns": text}), when=now)
        for text in (
            "correct=score >= 0.5",
            "item=id, correct=score >= 0.9",
            "correct=score >= 0.5, topic=Topic, system=text(new)",
            "a.csv: correct=score >= 0.5; b.csv: item=id",
        )
    ]
    assert differences(*runs[:2]) == [
        "columns: correct=score >= 0.5 in run 1, correct=score >= 0.9 in run 2"
    ]
    assert differences(runs[0], runs[2]) == []
    assert [line.partition(":")[0] for line in differences(*runs[2:])] == ["columns"]


# -- damage ----------------------------------------------------------------------------


def flipped(content: bytes) -> bytes:
    """The same with one bit changed in the middle."""
    at = len(content) // 2
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize("content", [b"", b"other bytes", "shorter", "flipped"])
def test_a_damaged_column_is_named_with_its_run(store, now, content):
    outcomes = graded([True, False], response=["x" * 90, "y"])
    store.keep(outcomes, when=now)
    rows = store.connection.rows
    ((digest,),) = rows("SELECT hash FROM run_columns WHERE name = ?", "response")
    ((whole,),) = rows("SELECT content FROM blobs WHERE hash = ?", digest)
    changed = {"shorter": bytes(whole)[:-1], "flipped": flipped(bytes(whole))}
    new = changed.get(content, content)
    rows("UPDATE blobs SET content = ? WHERE hash = ?", new, digest)
    refuses("column response of run 1 must be what was kept", store.outcomes, 1)
    assert len(store.outcomes(1, only=[])) == 2
    rows("DELETE FROM blobs WHERE hash = ?", digest)
    refuses("column response of run 1 .* got nothing", store.outcomes, 1)


def test_long_content_is_cut_in_pieces(store, now, monkeypatch):
    monkeypatch.setattr("demur.store.blobs._PIECE", 100)
    _, pieces = blob_of(np.random.default_rng(0).bytes(1000))
    assert len(pieces) == 10
    outcomes = graded([True] * 500, response=[f"{row**9}" for row in range(500)])
    store.keep(outcomes, when=now)
    assert store.outcomes(1) == outcomes
    (pieces,) = store.connection.rows("SELECT MAX(piece) FROM blobs")[0]
    assert pieces > 5


def test_the_tables_answer_questions_in_sql(store, now):
    store.keep(everything(), when=now)
    asked = (
        "SELECT s.system, SUM(s.n_right), MAX(s.n_items) FROM run_systems s "
        "JOIN runs r ON r.number = s.run WHERE r.kept_at >= '2027' GROUP BY s.system "
        "ORDER BY 1"
    )
    rows = store.connection.rows(asked)
    assert [(name, int(right), items) for name, right, items in rows] == [
        ("a", 1, 2),
        ("b", 1, 2),
    ]


def test_a_store_is_closed_behind_a_with(tmp_path):
    with Store(tmp_path / "a.sqlite", make=True) as store:
        assert store.notes == ()
    with pytest.raises(demur.InputError, match="closed"):
        store.runs()
    with sqlite3.connect(tmp_path / "a.sqlite") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_run_kept_twice_is_said(store, now):
    """By the columns of one run: those of several together are none of it."""
    first, second, mixed = (
        demur.Outcomes.from_arrays(
            item=["a", "b"], correct=list(right), confidence=list(sure)
        )
        for right, sure in (
            ((True, False), (0.1, 0.2)),
            ((True, True), (0.3, 0.4)),
            ((True, False), (0.3, 0.4)),
        )
    )
    kept = [keep(store, table, when=now) for table in (first, second, mixed, first)]
    assert [run.repeats for run in kept] == [None, None, None, 1]
    assert [run.to_dict()["repeats"] for run in kept] == [None, None, None, 1]
    assert "all 4 columns were there already" in kept[2].notes[1]
    assert "as in run 1; if it was kept twice: demur keep --f" in kept[3].notes[1]


def test_columns_do_not_say_how_verdicts_came_about(store, now):
    """As a gate says of the same run."""
    table = replace(graded([1, 0]), recipe={"columns": "correct=passed"})
    assert any(
        "came about is not known" in note for note in keep(store, table, when=now).notes
    )
    logged = replace(table, recipe={"log": "inspect(scorer=match)"})
    assert not any("not known" in note for note in keep(store, logged, when=now).notes)
