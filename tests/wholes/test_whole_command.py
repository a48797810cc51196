"""``demur curve`` of answers that are made of parts."""

import pytest

from builders import printed, printed_json, stderr_of, write_records


@pytest.fixture
def agent(tmp_path):
    path = tmp_path / "agent.jsonl"
    rows = [
        ("run1", "pay", "right", 0.9),
        ("run1", "book", "wrong", 0.4),
        ("run2", "pay", "right", 0.8),
        ("run2", "book", "right", 0.6),
        ("run3", None, "unanswered", None),
    ]
    names = ("item", "part", "outcome", "confidence")
    write_records(path, [dict(zip(names, row, strict=True)) for row in rows])
    return str(path)


def test_wholes_stand_below_parts(agent):
    text = printed("curve", agent, "--at", "0.25", "--minutes", "2")
    assert "0.000 of the wholes of the system hold a wrong part" in " ".join(
        text.split()
    )
    assert "Wholes\n" in text
    assert "1 of the wholes have no parts" in " ".join(text.split())
    plain = printed_json("curve", agent, "--at", "0.25", "--people-error", "0.1")
    wholes = plain["systems"][0]["wholes"]
    assert (wholes["wholes"], wholes["parts"]) == (3, 4)
    [point] = wholes["at"]
    assert (point["cutoff"], point["whole_error"]) == (0.6, 0.0)
    assert point["error_with_people"] == pytest.approx(0.1 / 3)


def test_gates_on_wholes(agent):
    assert printed("curve", agent, "--fail-if", "whole_error@0.25 > 0.02")
    broken = stderr_of("curve", agent, "--fail-if", "whole_error@0 > 0.02", code=1)
    assert "whole_error@0 is 0.333" in broken


def test_what_needs_parts_says_so(tmp_path):
    write_records(tmp_path / "items.jsonl", [{"item": "a", "outcome": "right"}])
    path = str(tmp_path / "items.jsonl")
    for option in (["--minutes", "2"], ["--fail-if", "whole_error > 0.02"]):
        said = stderr_of("curve", path, *option, code=2)
        assert "must come with answers that have a column part; got none" in said


def test_an_engine_refuses_parts_and_memory_reads_them(agent):
    said = stderr_of("curve", agent, "--engine", "duckdb", code=4)
    assert "the column part must be read into memory" in said
    assert "Wholes" in printed("curve", agent, "--engine", "memory")


def test_a_sketch_of_parts_is_read_again(agent, tmp_path):
    """Parts of one item have hashes of their own."""
    sketch = str(tmp_path / "agent.sketch")
    stderr_of("sketch", agent, "-o", sketch, code=0)
    [counted] = printed_json("curve", sketch, "--at", "0.25")["systems"]
    [rows] = printed_json("curve", agent, "--at", "0.25")["systems"]
    for name in ("items", "right", "wrong", "unanswered"):
        assert counted[name] == rows[name]


def test_a_certificate_says_that_it_is_of_parts(agent):
    text = printed("choose", agent, "--max-error", "0.5", "--certainty", "0.5")
    assert "each part counts as an item here, and promises are of parts" in " ".join(
        text.split()
    )


def test_runs_keep_their_parts(agent, tmp_path, monkeypatch):
    monkeypatch.setenv("DEMUR_STORE", str(tmp_path / "runs.db"))
    printed("keep", agent)
    [kept] = printed_json("curve", "kept:1")["systems"]
    [rows] = printed_json("curve", agent)["systems"]
    assert kept["wholes"]["at"] == rows["wholes"]["at"]


def test_a_column_part_of_responses_stays(tmp_path):
    responses, references = tmp_path / "r.jsonl", tmp_path / "g.jsonl"
    write_records(responses, [{"item": "a", "response": "x", "part": "p"}])
    write_records(references, [{"item": "a", "reference": "x"}])
    output = str(tmp_path / "o.jsonl")
    printed("judge", str(responses), str(references), "--by", "text", "-o", output)
    assert '"part":"p"' in (tmp_path / "o.jsonl").read_text()


def test_what_is_not_known_of_people_passes_no_gate(agent):
    gate = "whole_error_with_people@0.25 > 0.02"
    said = stderr_of("curve", agent, "--fail-if", gate, code=4)
    assert "how often people err (people_error) is not given" in said
