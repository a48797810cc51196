"""Configs read from Python; for wrong ones see tests/cli/test_pipeline_command.py."""

from importlib.resources import files

import demur


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
