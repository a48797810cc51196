"""Target dialogues in files: what is written is read, and what is wrong is named."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import refuses

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
names = st.text("abcxyz", min_size=1, max_size=3)
outputs = st.dictionaries(names, plain, max_size=2)
failed = st.builds(demur.Failed, st.text(max_size=5))


@st.composite
def turns(draw):
    annotations = draw(
        st.dictionaries(
            names.filter(lambda n: n != "target"),
            st.dictionaries(names, plain | failed, min_size=1, max_size=2),
            max_size=2,
        )
    )
    sure = {
        source: dict.fromkeys(own, draw(st.floats(-5, 5)))
        for source, own in annotations.items()
        if not any(isinstance(each, demur.Failed) for each in own.values())
    }
    change = st.builds(
        demur.TurnChange, st.sampled_from(["removed", "inserted"]), names
    )
    return demur.TargetTurn(
        input=draw(plain),
        target=draw(outputs),
        acceptable=draw(
            st.dictionaries(names, st.lists(plain, max_size=2), max_size=2)
        ),
        annotations=annotations,
        confidences={name: own for name, own in sure.items() if own},
        changes=draw(st.lists(change, max_size=1)),
    )


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(turns(), min_size=1, max_size=3), min_size=1, max_size=3))
def test_what_is_written_is_read(tmp_path_factory, listed):
    made = [demur.TargetDialogue(f"d{n}", each) for n, each in enumerate(listed)]
    path = tmp_path_factory.mktemp("d") / "dialogues.jsonl"
    demur.write_dialogues(made, path)
    assert demur.read_dialogues(path) == made


def read(*records):
    text = "\n".join(
        each if isinstance(each, str) else json.dumps(each) for each in records
    )
    return demur.read_dialogues(io.BytesIO(text.encode()))


GOOD = {"dialogue": "d1", "turns": [{"input": "hi"}]}


def turn(**fields):
    return {"dialogue": "d1", "turns": [{"input": "hi", **fields}]}


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([{"turns": [{"input": 1}]}], r":1: dialogue must be a name"),
        ([GOOD, {**GOOD, "turn": []}], r":2: a field must be one of dialogue, turns"),
        ([GOOD, GOOD], r":2: dialogue must stand once; got 'd1'. It stands at .*:1"),
        ([{"dialogue": "d1"}], "turns must hold a turn"),
        ([{"dialogue": "d1", "turns": {}}], "turns must be a list"),
        ([{"dialogue": "d1", "turns": [3]}], "turns 1: the record must be an object"),
        ([{"dialogue": "d1", "turns": [{}]}], "turns 1: input must be there"),
        ([turn(targets={})], "a field must be one of .* Did you mean 'target'"),
        ([turn(target=["a"])], "target must be an object"),
        ([turn(acceptable={"dm": "a"})], "acceptable dm must be a list"),
        ([turn(annotations={"s": 3})], "annotations of s must be an object"),
        ([turn(annotations={"target": {"nlu": 1}})], "not be called target"),
        (
            [turn(annotations={"s": {"nlu": 1}}, failed={"s": {"nlu": "x"}})],
            "s must not hold nlu twice",
        ),
        ([turn(confidences={"s": {"nlu": 0.5}})], "confidence of nlu must be of an"),
        (
            [turn(annotations={"s": {"nlu": 1}}, confidences={"s": {"nlu": "high"}})],
            "confidence must be a number",
        ),
        (
            [turn(changes=[{"what": "lost", "why": "x"}])],
            "what .* must be one of removed",
        ),
        ([turn(changes=[{"what": "removed"}])], "why .* must be a text"),
        (['{"dialogue": "d1", "turns": [{"input": 1}'], ":1"),
    ],
)
def test_a_record_that_is_no_dialogue_is_named(records, said):
    with pytest.raises(demur.InputError, match=said) as raised:
        read(*records)
    assert "\n" not in str(raised.value)


# -- annotations from elsewhere --------------------------------------------------------

ROW = {"dialogue": "d1", "turn": 1, "source": "s", "module": "nlu"}


def annotated(*rows, dialogues=None):
    made = dialogues or read({"dialogue": "d1", "turns": [{"input": 1}, {"input": 2}]})
    return demur.with_annotations(
        made, [(f"rows:{n}", row) for n, row in enumerate(rows, 1)]
    )


def test_annotations_join_their_turns():
    [found] = annotated(
        {**ROW, "output": "a", "confidence": 0.5},
        {**ROW, "turn": "2", "output": None},
        {**ROW, "source": "t", "failed": "timeout"},
        {**ROW, "source": "target", "output": "b"},
    )
    first, second = found.turns
    assert first.annotations == {
        "s": {"nlu": "a"},
        "t": {"nlu": demur.Failed("timeout")},
    }
    assert first.confidences == {"s": {"nlu": 0.5}}
    assert first.target == {"nlu": "b"}
    assert second.annotations == {"s": {"nlu": None}}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"dialogue": "d2", "output": 1}, "rows:1: dialogue must be a known one"),
        ({"turn": 3, "output": 1}, "turn must be from 1 to 2"),
        ({"turn": 0, "output": 1}, "turn must be from 1 to 2"),
        ({"turn": "one", "output": 1}, "turn must be from 1 to 2"),
        ({"turn": True, "output": 1}, "turn must be from 1 to 2"),
        ({"source": "", "output": 1}, "source must be a name"),
        ({"module": None, "output": 1}, "module must be a name"),
        ({}, "must have output or failed; got neither"),
        ({"output": 1, "failed": "x"}, "must have output or failed; got both"),
        ({"output": 1, "confidence": "x"}, "confidence must be a number"),
        ({"output": 1, "mdoule": 1}, "a field must be one of"),
    ],
)
def test_annotations_of_unknown_turns_and_other_rows_are_named(row, said):
    refuses(said, annotated, {**ROW, **row})


def test_an_annotation_stands_once():
    with pytest.raises(demur.InputError, match="rows:2: s, nlu must stand once"):
        annotated({**ROW, "output": 1}, {**ROW, "output": 1})
    [found] = annotated({**ROW, "output": 1})
    with pytest.raises(demur.InputError, match="rows:1: s, nlu must stand once"):
        annotated({**ROW, "output": 2}, dialogues=[found])
