"""``demur choose --kinds``: a cutoff for each kind of part."""

import numpy as np
import pytest

from builders import printed, printed_json, stderr_of, write_records

PROMISE = ("--max-error", "0.1", "--of", "wholes", "--kinds", "tool")


@pytest.fixture
def agent(tmp_path):
    """Payments and searches of two agents, on scales of their own."""
    rng = np.random.default_rng(0)
    rows = []
    for system in ("old", "new"):
        for run in range(120):
            for part, scale in enumerate((1, 10, 10)):
                sure = round(rng.random(), 2)
                wrong = rng.random() < 0.3 * (1 - sure) * (part + 1) / 3
                rows.append(
                    {
                        "item": f"run{run}",
                        "part": str(part),
                        "system": system,
                        "outcome": "wrong" if wrong else "right",
                        "confidence": scale * sure,
                        "tool": "pay" if scale == 1 else "search",
                    }
                )
    write_records(tmp_path / "agent.jsonl", rows)
    return str(tmp_path / "agent.jsonl")


def test_cutoffs_are_certified_on_the_rest_of_a_split(agent):
    words = ("choose", agent, *PROMISE, "--certainty", "0.9", "--where", "system=new")
    text = " ".join(printed(*words).split())
    promise = "in truth at most 0.1 of all wholes"
    assert f"Promised of new wholes like these, with certainty 0.9: {promise}" in text
    plain = printed_json(*words)
    assert set(plain["cutoffs"]) == {"pay", "search"}
    assert plain["bound"] <= 0.1
    assert plain["judged"]["wholes"] == plain["searched"]["wholes"] == 60
    third = printed_json(*words, "--split", "0.25", "--seed", "3")
    assert (third["searched"]["wholes"], third["judged"]["wholes"]) == (30, 90)
    assert "split:0.25|seed:3" in third["signature"]


def test_a_kind_may_cost_more(agent):
    words = ("choose", agent, *PROMISE, "--where", "system=new")
    plain = printed_json(*words, "--kind-cost", "search=5")
    assert plain["costs"] == {"pay": 1, "search": 5.0}


def test_several_systems_stand_in_one_table(agent):
    text = printed("choose", agent, *PROMISE)
    assert "old: return a part" in text
    assert "new: return a part" in text
    assert text.count("all kinds") == 2


def test_gates(agent):
    words = ("choose", agent, *PROMISE, "--where", "system=new")
    assert printed(*words, "--fail-if", "whole_error > 0.1")
    gate = "new, tool = search: kind_withheld >= 0"
    assert "kind_withheld is" in stderr_of(*words, "--fail-if", gate, code=1)


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("--max-error .1 --kinds tool", "--kinds must come with --of wholes"),
        ("--nonreturn .1 --kinds tool", "--kinds must come with --max-error"),
        ("--max-error .1 --kind-cost pay=2", "--kind-cost must come with --kinds"),
        (
            "--max-error .1 --of wholes --kinds tool --split .5",
            "--split with --kinds must come with --certainty",
        ),
        (
            "--max-error .1 --of wholes --kinds tool --lock l.json",
            "--lock must come without --kinds",
        ),
        (
            "--max-error .1 --of wholes --kinds tool --kind-cost pay=0",
            "must be a number above 0",
        ),
    ],
)
def test_what_does_not_go_together(agent, words, refused):
    assert refused in stderr_of("choose", agent, *words.split(), code=2)


def test_a_kind_or_a_column_that_is_not_there(agent):
    words = ("choose", agent, "--max-error", ".1", "--of", "wholes", "--kinds")
    assert "tol" in stderr_of(*words, "tol", code=4)
    said = stderr_of(*words, "tool", "--kind-cost", "fly=5", code=4)
    assert "costs must be of kinds that there are (pay, search)" in said
