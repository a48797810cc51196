"""Configs read from Python; for wrong ones see tests/cli/test_pipeline_command.py."""

from importlib.resources import files
from pathlib import Path

import pytest

import demur
from builders import python

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_files_are_looked_for_beside_the_config(tmp_path):
    script = files("demur.reference_systems") / "characters" / "porter.txt"
    (tmp_path / "porter.txt").write_text(script.read_text())
    (tmp_path / "d.jsonl").write_text(
        '{"dialogue": "d1", "turns": '
        '[{"input": "hi", "target": {"dm": ["greet.back"]}}]}'
    )
    row = '{"dialogue": "d1", "turn": 1, "source": "log", "module": "nlu", '
    (tmp_path / "rows.jsonl").write_text(row + '"output": "greet.hello"}\n')
    (tmp_path / "p.toml").write_text(
        'dialogues = "d.jsonl"\nannotations = "rows.jsonl"\ncache = "c.sqlite"\n'
        'concurrency = 3\nrepeats = 2\ndeclines = "request.repeat"\n'
        '[[module]]\nname = "nlu"\nsource = "log"\n'
        '[[module]]\nname = "dm"\nscript = "porter.txt"\ntimeout = 5\n'
    )
    found = demur.read_pipeline(tmp_path / "p.toml")
    assert (found.cache, found.concurrency, found.repeats) == (
        tmp_path / "c.sqlite",
        3,
        2,
    )
    assert found.pipeline.declines == {"request.repeat"}
    nlu, dm = found.pipeline.modules
    assert (nlu.recorded, dm.timeout) == ("log", 5)
    assert dm.version, "a script has a digest"
    assert demur.run_pipeline(found.pipeline, found.dialogues).strict == 1.0


def test_logs_are_read_with_options_and_the_signature_tells_how(tmp_path):
    (tmp_path / "d.txt").write_text(
        "caller: hi\n~ greet.hello\nporter: Hello.\n~ greet.back\ncaller: so\n~ bye\n"
    )
    module = '[[module]]\nname = "dm"\ncharacter = "porter"\ninputs = ["input"]\n'
    form = "acts(user=caller, no_response=left_out)"
    (tmp_path / "p.toml").write_text(f'dialogues = "d.txt"\nform = "{form}"\n' + module)
    setup = demur.read_pipeline(tmp_path / "p.toml")
    note = "utterances without a response (no_response=left_out): 1"
    assert setup.notes == (f"{tmp_path.resolve() / 'd.txt'}: {note}",)
    made = demur.run_pipeline(setup.pipeline, setup.dialogues)
    assert (made.items, made.without_target) == (1, 1)
    assert made.recipe["log"] == form
    assert f"log:{form}" in made.signature
    demur.write_dialogues(setup.dialogues, tmp_path / "d.jsonl")
    again = demur.run_pipeline(
        setup.pipeline, demur.read_dialogues(tmp_path / "d.jsonl")
    )
    assert "log" not in again.recipe  # the form is our own
    assert (setup.cache, setup.concurrency, setup.repeats) == (None, 1, 1)
    assert not setup.pipeline.declines
    [dm] = setup.pipeline.modules
    assert (dm.timeout, dm.stochastic) == (None, False)


LOADED = """
import sys
from demur.cli import main
code = main(sys.argv[1:])
loaded = [name for name in sys.modules if name.startswith("demur.logs.")]
print(*loaded, file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize("option", ["--explain", "--sweep"])
def test_plain_target_dialogues_load_no_reader_of_other_logs(option):
    config = EXAMPLES / "characters" / "porter.toml"
    what = {"--explain": "porter 1:1", "--sweep": "nlu"}[option]
    done = python("-c", LOADED, "pipeline", config, option, what)
    assert done.returncode == 0, done.stderr
    assert done.stderr.split() == ["demur.logs.readers", "demur.logs.dialogue_files"]
