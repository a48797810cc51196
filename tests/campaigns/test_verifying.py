"""Whatever is changed in a campaign is found, and said where."""

import json
import shutil
from random import Random

import pytest

from builders import refuses, storm
from campaign_builders import (
    answer_file,
    answers,
    campaign_in,
    damaged,
    hand_in,
    played,
)
from demur.campaigns.chain import Log
from demur.campaigns.folder import Campaign
from demur.campaigns.verifying import verify


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Campaign:
    return played(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def copy(whole, tmp_path):
    shutil.copytree(whole.path, tmp_path / "copy")
    return tmp_path / "copy"


def places(found) -> list[tuple[str, str]]:
    return [(one.check, one.place.rpartition("/")[2]) for one in found.findings]


def test_a_whole_campaign(copy):
    found = verify(copy)
    assert (found.findings, found.notes, found.changes) == ((), (), 0)
    assert found.head == Log(copy / "log.jsonl").head
    assert found.head in found.sentence()
    assert found.files == 5  # the rules, the pack, three submissions


@pytest.mark.parametrize("seed", storm(range(2_000), sample=60))
def test_every_damage_to_the_log_is_found_in_its_line(seed, whole, tmp_path):
    shutil.copytree(whole.path, tmp_path / "copy")
    path = tmp_path / "copy/log.jsonl"
    data = path.read_bytes()
    changed = damaged(data, Random(seed))
    path.write_bytes(changed)
    found = verify(tmp_path / "copy")
    assert found.findings
    same = 0
    pairs = zip(data.splitlines(), changed.splitlines(), strict=False)
    for before, after in pairs:
        if before != after:
            break
        same += 1
    lines = [
        int(one.place.rpartition(":")[2]) for one in found.findings if ":" in one.place
    ]
    assert min(lines) == same + 1


@pytest.mark.parametrize("seed", storm(range(1_000), sample=40))
def test_every_damage_to_a_file_is_found(seed, whole, tmp_path):
    shutil.copytree(whole.path, tmp_path / "copy")
    draw = Random(seed)
    name = draw.choice([*Campaign(whole.path).log.entries[-2].files, "campaign.toml"])
    path = tmp_path / "copy" / name
    data = path.read_bytes()
    at = draw.randrange(len(data))
    flipped = data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]
    more = data[:at] + b" " + data[at:]
    path.write_bytes(
        draw.choice([flipped, more, data[:at], data[:at] + data[at + 1 :]])
    )
    assert places(verify(tmp_path / "copy")) == [("changed", path.name)]


def test_all_faults_are_found_not_only_the_first(copy):
    path = copy / "log.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"n":3', b'"n":4')
    lines[5] = b"what\n"
    path.write_bytes(b"".join(lines) + b"torn")
    (copy / "submissions/0002.jsonl").unlink()
    found = verify(copy)
    assert ("log", "log.jsonl:3") in places(found)
    assert ("log", "log.jsonl:6") in places(found)
    assert ("torn", f"log.jsonl:{len(lines) + 1}") in places(found)
    assert ("removed", "0002.jsonl") in places(found)


def test_a_line_that_is_removed_is_one_fault(copy):
    path = copy / "log.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3] + lines[4:]))
    assert places(verify(copy)) == [("log", "log.jsonl:4")]


def test_links_and_folders_in_place_of_files_are_found(copy, tmp_path):
    file = copy / "submissions/0001.jsonl"
    file.replace(tmp_path / "same")
    file.symlink_to(tmp_path / "same")
    assert places(verify(copy)) == [("changed", "0001.jsonl")]
    file.unlink()
    file.mkdir()
    assert places(verify(copy)) == [("removed", "0001.jsonl")]
    (copy / "log.jsonl").replace(tmp_path / "log")
    (copy / "log.jsonl").symlink_to(tmp_path / "log")
    refuses("a symbolic link", verify, copy)


def test_what_is_added_is_noted(copy):
    (copy / "submissions/0009.jsonl").write_text("{}")
    (copy / "boards/1").mkdir()
    (copy / "boards/1/board.json").write_text("{}")
    found = verify(copy)
    assert not found.findings
    assert "submissions/0009.jsonl, boards/1/board.json" in found.notes[0]


def test_a_public_copy_without_hidden_answers_can_be_verified(copy):
    campaign = Campaign(copy)
    (copy / "hidden/references.jsonl").write_text("{}\n")
    now = campaign.entries[-1].when
    campaign.append(
        "frozen", when=now, files=campaign.digests("hidden/references.jsonl")
    )
    assert not verify(copy).notes
    shutil.rmtree(copy / "hidden")
    found = verify(copy)
    assert not found.findings
    assert "1 file of hidden and verdicts is not in this copy" in found.notes[0]


def test_clocks_that_disagree_are_noted(copy):
    campaigns = [Campaign(copy), Campaign(copy)]
    now = campaigns[0].entries[-1].when
    campaigns[0].append("x", when=now.replace(hour=15))
    campaigns[1].append("x", when=now.replace(hour=14))
    assert "clocks that disagree" in verify(copy).notes[0]


# -- receipts --------------------------------------------------------------------------


@pytest.fixture
def receipt(tmp_path):
    campaign = campaign_in(tmp_path / "c")
    path = answer_file(tmp_path, answers())
    receipt = hand_in(campaign, path)
    hand_in(campaign, path, "beta")
    (tmp_path / "receipt.json").write_bytes(receipt.to_json())
    return tmp_path / "receipt.json"


def test_a_receipt_that_fits(receipt):
    found = verify(receipt.parent / "c", [receipt])
    assert (found.findings, found.receipts) == ((), 1)


def test_an_end_that_was_cut_off_shows_by_a_receipt(receipt):
    folder = receipt.parent / "c"
    path = folder / "log.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-2]))
    assert not verify(folder).findings
    (finding,) = verify(folder, [receipt]).findings
    assert "which is not in the log; it ends at" in finding.message


def test_history_that_was_written_anew_shows_by_a_receipt(receipt):
    other = campaign_in(receipt.parent / "other", teams=("beta", "alpha"))
    hand_in(other, receipt.parent / "answers.jsonl")
    (finding,) = verify(other.path, [receipt]).findings
    assert "history was rewritten" in finding.message


def test_a_receipt_that_was_changed_does_not_fit(receipt):
    held = json.loads(receipt.read_text())
    for name, value in (
        ("team", "beta"),
        ("sha256", "0"),
        ("when", "x"),
        ("number", 9),
    ):
        receipt.write_text(json.dumps({**held, name: value}))
        (finding,) = verify(receipt.parent / "c", [receipt]).findings
        assert f"says {name}" in finding.message
    for text in ("{}", "[]", "{", "3"):
        receipt.write_text(text)
        refuses("be a receipt", verify, receipt.parent / "c", [receipt])
    refuses("be readable", verify, receipt.parent / "c", [receipt.parent / "none"])


def test_no_campaign(tmp_path):
    refuses("the log must be a file that can be read", verify, tmp_path)
    refuses("be the folder of a campaign", Campaign, tmp_path)
