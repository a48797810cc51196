"""The bundle of Codabench: its shape as published, and the same numbers inside."""

import json
import shlex
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from campaign_cases import DURING, hand_in, take_in, write_lines
from demur.campaigns.codabench import export_codabench
from demur.campaigns.codabench_scoring import columns_of, score_folder
from demur.campaigns.folder import Campaign
from demur.campaigns.freezing import FreezingRules, freeze, references_version
from demur.campaigns.packing import pack
from demur.campaigns.publishing import board_of
from demur.campaigns.scoring_queue import score_campaign
from demur.errors import InputError
from question_cases import collected, day, frozen

RULES = """
name = "Flights: 2027 \\"again\\""
[scoring]
by = "cas"
measure = "error"
[board]
rates = [0.2, 0.5]
digits = 3
accepts = ["leak"]
[[phases]]
name = "dry run"
opens = 2027-02-01T00:00:00Z
closes = 2027-02-02T12:00:00Z
[[phases]]
name = "test"
opens = 2027-03-01T00:00:00Z
closes = 2027-03-15T00:00:00Z
submissions = 5
per_day = 2
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    path = collected(tmp_path).path
    (path / "campaign.toml").write_text(RULES, "utf-8")
    made = Campaign(path)
    freeze(made, FreezingRules(), when=day(2))
    pack(made, when=day(3))
    return made


def hidden(campaign: Campaign) -> list[dict]:
    text = references_version(campaign)[1].read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def answers_of(campaign: Campaign) -> list[dict]:
    """A third right, a third wrong, a third without an answer."""
    right = {one["item"]: one.get("min") for one in hidden(campaign)}
    return [
        {
            "item": item,
            "response": [value, "((1))", None][place % 3],
            "confidence": place / 100,
        }
        for place, (item, value) in enumerate(right.items())
    ]


def unpacked(campaign: Campaign, folder: Path) -> Path:
    """As Codabench lays a bundle out for its scoring program."""
    bundle = folder / "bundle.zip"
    export_codabench(campaign, bundle, image="demur:0.1")
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder / "bundle")
    app = folder / "app"
    (app / "input" / "res").mkdir(parents=True)
    (app / "output").mkdir()
    (folder / "bundle" / "reference_data").rename(app / "input" / "ref")
    (folder / "bundle" / "scoring_program").rename(app / "program")
    return app


def command_of(app: Path) -> list[str]:
    said = json.loads((app / "program" / "metadata.yaml").read_text("ascii"))
    return shlex.split(said["command"].replace("/app", str(app)))


def test_the_bundle_says_what_codabench_needs(campaign, tmp_path):
    app = unpacked(campaign, tmp_path)
    said = json.loads((tmp_path / "bundle" / "competition.yaml").read_text("ascii"))
    assert {"version", "title", "image", "terms", "phases", "tasks"} <= set(said)
    assert said["version"] == 2
    assert said["title"] == campaign.rules.name
    for file in (said["image"], said["terms"], said["pages"][0]["file"]):
        assert (tmp_path / "bundle" / file).is_file()
    first, second = said["phases"]
    assert (first["start"], second["end"]) == (
        "2027-02-01 00:00:00",
        "2027-03-15 00:00:00",
    )
    assert "max_submissions" not in first
    assert (second["max_submissions"], second["max_submissions_per_day"]) == (5, 2)
    for phase in said["phases"]:
        assert phase["tasks"] == [0]
        assert all(
            phase[f"hide_{what}output"] for what in ("", "prediction_", "score_")
        )
    (board,) = said["leaderboards"]
    assert [one["index"] for one in board["columns"]] == [0, 1, 2, 3]
    assert [one["sorting"] for one in board["columns"]] == ["asc"] * 3 + ["desc"]
    assert shlex.split(
        json.loads((app / "program/metadata.yaml").read_text())["command"]
    )


def test_the_logo_is_a_picture(campaign, tmp_path):
    unpacked(campaign, tmp_path)
    content = (tmp_path / "bundle" / "logo.png").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (64, 64)


def test_only_the_reference_data_hold_references(campaign, tmp_path):
    unpacked(campaign, tmp_path)
    secrets = [
        str(value).encode()
        for one in hidden(campaign)
        for value in (one["sql"], one["min"])
    ]
    assert secrets
    sent = b"".join(
        path.read_bytes()
        for path in (tmp_path / "bundle").rglob("*")
        if path.is_file() and path.name != "train.jsonl"
    )
    assert not [secret for secret in secrets if secret in sent]


def test_the_program_gives_the_numbers_of_the_board(campaign, tmp_path):
    take_in(campaign, "one")
    hand_in(campaign, "one", answers_of(campaign))
    score_campaign(campaign, clock=lambda: DURING, workers=1)
    board = board_of(Campaign(campaign.path), now=DURING)
    (row,) = (row for row in board.rows if row.team == "one")
    app = unpacked(campaign, tmp_path)
    write_lines(app / "input" / "res" / "answers.jsonl", answers_of(campaign))
    (app / "input" / "res" / "metadata").write_text("description: none")
    subprocess.run([sys.executable, *command_of(app)[1:]], check=True, timeout=60)
    scores = json.loads((app / "output" / "scores.json").read_text())
    keys = [key for key, _, _ in columns_of(campaign.rules)]
    shown = dict(zip(keys, [*row.values, row.answered], strict=True))
    assert shown.pop("error_at_0_2") is None  # a third is not answered
    assert scores == shown


@pytest.mark.parametrize("files", [{}, {"a": "[]", "b": "[]"}, {"a": '{"item": 1'}])
def test_broken_answers_end_the_program_without_a_word_of_references(
    campaign, tmp_path, files
):
    app = unpacked(campaign, tmp_path)
    for name, content in files.items():
        (app / "input" / "res" / f"{name}.jsonl").write_text(content)
    with pytest.raises(SystemExit) as ended:
        score_folder(str(app / "input"), str(app / "output"))
    assert str(ended.value).startswith("the answers are not one whole file")
    assert not any((app / "output").iterdir())


def test_the_same_campaign_gives_the_same_bytes(campaign, tmp_path):
    for name in ("a.zip", "b.zip"):
        export_codabench(campaign, tmp_path / name, image="demur:0.1")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_bundle_lies_nowhere_that_git_takes_along(campaign):
    for name in ("b.zip", "pack/b.zip", "hidden/../b.zip"):
        with pytest.raises(InputError, match="not lie in the folder of the campaign"):
            export_codabench(campaign, campaign.path / name, image="demur:0.1")
    export_codabench(campaign, campaign.path / "hidden/b.zip", image="demur:0.1")
    assert [*campaign.path.rglob("b.zip")] == [campaign.path / "hidden/b.zip"]


def test_what_is_not_packed_or_frozen_is_refused(tmp_path):
    made = frozen(tmp_path)
    with pytest.raises(InputError, match="packed before it is exported"):
        export_codabench(made, tmp_path / "b.zip", image="demur:0.1")
    assert not (tmp_path / "b.zip").exists()
