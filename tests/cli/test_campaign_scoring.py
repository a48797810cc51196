"""``demur campaign score, board, close``, as they are typed."""

import json
from pathlib import Path
from typing import Any

import pytest

from campaign_cases import hand_in, played, take_in
from demur.campaigns import judging_workers, scoring_queue
from demur.cli import main

DURING = ["--now", "2027-03-06T00:00:00Z"]
AFTER = ["--now", "2027-04-06T00:00:00Z"]


def here(tasks: Any, references: str, how: Any, **_: Any) -> Any:
    known: list[Any] = []
    for task in tasks:
        yield judging_workers._done(task, {"references": references, "how": how}, known)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(scoring_queue, "judged_by_processes", here)
    items = [f"q{number:02}" for number in range(30)]
    references = [{"item": item, "reference": "hiddenword"} for item in items]
    campaign = played(tmp_path / "c", references, more='accepts = ["leak"]')
    for team in ("alpha", "beta"):
        take_in(campaign, team)
    for team, wrong in (("alpha", 9), ("beta", 24)):
        answers = [
            {
                "item": item,
                "response": "no" if number < wrong else "hiddenword",
                "confidence": float(number),
            }
            for number, item in enumerate(items)
        ]
        hand_in(campaign, team, answers)
    return str(tmp_path / "c")


def test_from_the_queue_to_the_closed_board(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["campaign", "score", folder, *DURING]) == 0
    out, err = capsys.readouterr()
    assert "Version 1: 2 judged, 0 failed, 0 scored before." in out
    assert "leak budget: 5 numbers of 2 digits for a team" in err
    assert "0 are allowed" in err
    assert main(["campaign", "status", folder, *DURING]) == 0
    assert "leak budget: 5 numbers" in capsys.readouterr().err
    assert main(["campaign", "board", folder, *DURING]) == 0
    out, err = capsys.readouterr()
    assert "alpha is first" in out
    assert "hiddenword" not in out + err
    assert "version 1, 2027-03-06T00:00:00Z: the first" in out
    assert main(["campaign", "close", folder, *DURING]) == 4
    assert "the last phase must be over" in capsys.readouterr().err
    assert main(["campaign", "close", folder, *AFTER]) == 0
    assert "Played is closed: alpha is first." in capsys.readouterr().out
    assert main(["campaign", "verify", folder]) == 0


def test_json_of_boards_and_scoring(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["campaign", "score", folder, "--json", *DURING])
    scoring = json.loads(capsys.readouterr().out)
    assert (scoring["version"], scoring["judged"]) == (1, 2)
    main(["campaign", "board", folder, "--json", *DURING])
    board = json.loads(capsys.readouterr().out)
    assert board["open"] is True
    assert board["rows"][0]["figures"] == {"error@0.2": 0.1}
    assert board["rows"][0]["ranks"] == [1, 1]
    main(["campaign", "close", folder, "--json", *AFTER])
    board = json.loads(capsys.readouterr().out)
    assert board["open"] is False
    assert board["rows"][0]["counts"] == [21, 9, 0, 0]


def test_failures_are_a_gate_and_no_error(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(folder, "submissions/0001.jsonl").write_text("changed")
    words = ["campaign", "score", folder, "--fail-if", "failed > 0", *DURING]
    assert main(words) == 1
    out = capsys.readouterr().out
    assert "the file is not the one that was taken" in out
    assert main(["campaign", "score", folder, *DURING]) == 0
    assert "0 judged, 0 failed, 2 scored before" in capsys.readouterr().out


def test_a_campaign_that_was_never_scored_has_no_board(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["campaign", "board", folder, *DURING]) == 4
    assert "the campaign must be scored first" in capsys.readouterr().err


def test_a_leak_that_is_not_accepted_is_refused(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = Path(folder, "campaign.toml")
    rules.write_text(rules.read_text().replace('accepts = ["leak"]', ""))
    main(["campaign", "score", folder, *DURING])
    assert main(["campaign", "board", folder, *DURING]) == 4
    err = capsys.readouterr().err
    assert "numbers shown to a team must be at most 0 on 30 items; got 5" in err
    assert 'accepts = ["leak"]' in err


@pytest.mark.parametrize("text", ['["all"]', '"leak"', "[1]"])
def test_rules_accept_only_what_has_a_name(
    folder: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = Path(folder, "campaign.toml")
    rules.write_text(rules.read_text().replace('["leak"]', text))
    assert main(["campaign", "board", folder, *DURING]) == 4
    assert "accepts" in capsys.readouterr().err
