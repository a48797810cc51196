"""Files that nobody has judged: the line that judges them can be copied."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from builders import json_lines, printed, stderr_of, write_records

FORMATS = Path(__file__).parents[1] / "golden/formats"
ASKED = ("--max-error", "0.5", "--of", "answered", "--certainty", "0.5")
SAID = ("Oslo", "Rome", "Bonn", "I'm sorry, I can't assist with that.", "Paris")
RIGHT = ("Oslo", "Rome", "Bern", "Oslo", "Paris")


def completion(number: int, said: str, *, sure: bool = True) -> dict[str, object]:
    listed = {"content": [{"token": said, "logprob": -0.1 * number}]}
    message = {"role": "assistant", "content": said}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    choice["logprobs"] = listed if sure else None
    name = f"t-{number}"
    return {"custom_id": name, "object": "chat.completion", "choices": [choice]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def line_of(err: str) -> tuple[list[str], list[str]]:
    """Both commands of the line that an error tells to type."""
    line = re.search(r"Judge them: (demur judge .*) && (demur .*)\.$", err.strip())
    assert line is not None, err
    return shlex.split(line[1]), shlex.split(line[2])


@pytest.mark.parametrize("columns", ["ticket,right", "item,reference"])
def test_right_answers_beside_completions_are_what_they_are_judged_by(folder, columns):
    rows = [completion(n, said, sure=n != 2) for n, said in enumerate(SAID)]
    write_records(folder / "said.jsonl", rows)
    table = "\n".join(f"t-{n},{text}" for n, text in enumerate(RIGHT))
    (folder / "right ones.csv").write_text(f"{columns}\n{table}\n", "utf-8")
    judging, choosing = line_of(
        stderr_of("choose", "said.jsonl", "right ones.csv", *ASKED)
    )
    form = ["--reference-columns", "item=ticket, reference=right"]
    assert judging == [
        *("demur", "judge", "said.jsonl", "right ones.csv"),
        *(form if "ticket" in columns else []),
        *("--unsure", "lowest", "-o", "judged.jsonl"),
    ]
    assert choosing == ["demur", "choose", "judged.jsonl", *ASKED]
    assert "3 right" in printed(*judging[1:])
    assert "of answered" in printed(*choosing[1:])


def test_refusals_that_judge_would_count_as_wrong_are_told_to_it(folder):
    rows = [completion(n, said) for n, said in enumerate(SAID)]
    write_records(folder / "said.jsonl", rows)
    log = "openai(dont_know=answered)"
    err = stderr_of("choose", "said.jsonl", "--log", log, *ASKED)
    judging, choosing = line_of(err)
    assert judging == [
        *("demur", "judge", "said.jsonl", "REFERENCES", "--log", log),
        *("--no-answer", "refusals", "-o", "judged.jsonl"),
    ]
    assert choosing == ["demur", "choose", "judged.jsonl", *ASKED]


def test_outcomes_beside_completions_are_no_references(folder):
    rows = [completion(n, said) for n, said in enumerate(SAID)]
    write_records(folder / "said.jsonl", rows)
    held = [{"item": "a", "outcome": "right", "reference": "b", "confidence": 0.5}]
    (folder / "held.jsonl").write_text(json_lines(held), "utf-8")
    judging, choosing = line_of(stderr_of("choose", "said.jsonl", "held.jsonl", *ASKED))
    assert judging[3] == "REFERENCES"
    assert choosing[2:4] == ["judged.jsonl", "held.jsonl"]
    (folder / "broken.csv").write_text(json.dumps({"a": 1}), "utf-8")
    judging, _ = line_of(stderr_of("choose", "said.jsonl", "broken.csv", *ASKED))
    assert judging[3] == "REFERENCES"


@pytest.mark.parametrize("options", [(), ("--log", "inspect(scorer=tri)")])
def test_a_folder_of_logs_is_told_with_the_logs_in_it(folder, options):
    logs = folder / "all logs"
    logs.mkdir()
    for name in ("demo.json", "facts.eval"):
        shutil.copy(FORMATS / "inspect" / name, logs / name)
    write_records(logs / "ours.jsonl", [{"item": "a", "outcome": "right"}])
    err = stderr_of("choose", "all logs", *ASKED, *options)
    assert "got a folder that holds an Inspect log." in err
    assert err.endswith("mean: 'all logs/demo.json' 'all logs/facts.eval'.\n")
