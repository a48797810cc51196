"""Names of modules in dialogues: slips are refused with their place, others noted."""

import json

import pytest

import demur
from builders import refuses

CONFIG = """
dialogues = "d.jsonl"

[[module]]
name = "nlu"
call = "m.py:nlu"

[[module]]
name = "tracker"
call = "m.py:nlu"
"""


@pytest.fixture
def config(tmp_path):
    (tmp_path / "p.toml").write_text(CONFIG)
    (tmp_path / "m.py").write_text("def nlu(text): return text\n")

    def read(*turns):
        lines = [
            json.dumps({"dialogue": f"d{n}", "turns": [{"input": "a", **turn}]})
            for n, turn in enumerate(turns)
        ]
        (tmp_path / "d.jsonl").write_text("\n".join(lines))
        return demur.read_pipeline(tmp_path / "p.toml")

    return read


RIGHT = {"target": {"nlu": "a", "tracker": ["a"]}}


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ({"target": {"nlu": "a", "trakcer": ["a"]}}, "under target must be one of nlu"),
        ({"annotations": {"x": {"NLU": "a"}}}, "annotations of x .* mean 'nlu'"),
        ({"acceptable": {"traker": [["a"]]}}, "under acceptable .* mean 'tracker'"),
    ],
)
def test_a_slip_is_refused_with_its_place(config, turn, said):
    with pytest.raises(demur.InputError, match=said) as told:
        config(RIGHT, {**RIGHT, **turn})
    assert "d.jsonl" in str(told.value)
    assert "2" in told.value.where


def test_one_slip_among_right_names_is_found(config):
    slip = {"target": {"nlu": "a", "trakcer": ["a"]}}
    with pytest.raises(demur.InputError, match="Did you mean 'tracker'"):
        config(RIGHT, RIGHT, slip, RIGHT)


def test_names_of_other_modules_are_noted(config):
    more = {"target": {**RIGHT["target"], "voice": "warm", "nlu2": "a"}}
    notes = config(RIGHT, more, more).notes
    [voice, second] = notes
    assert voice.startswith("not used: 'voice' under target is no module here (2 turns")
    assert "d.jsonl" in voice
    assert "'nlu2'" in second
    assert config(RIGHT).notes == ()


def test_dialogues_made_in_python_are_checked_too():
    turn = demur.TargetTurn(input="a", target={"NLU": "a", "dm": ["a"]})
    pipeline = demur.Pipeline.of(
        [demur.as_module(str, name="nlu"), demur.as_module(list, name="dm")]
    )
    said = "dialogue d1:1: turn 1: a module under target"
    refuses(said, demur.run_pipeline, pipeline, [demur.TargetDialogue("d1", [turn])])
