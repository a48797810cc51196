"""Decisions on disputed references after freezing: new versions, old ones readable."""

import pytest

from builders import read_records, refuses
from demur.campaigns.deciding import decide
from demur.campaigns.folder import Campaign
from demur.campaigns.freezing import frozen_entry, references_version
from demur.campaigns.packing import pack
from demur.campaigns.verifying import verify
from question_cases import SITES, day, frozen, site_questions, write

ALL = {site: site_questions(site) for site in SITES}


@pytest.fixture
def campaign(tmp_path):
    return frozen(tmp_path, ALL)


def hidden(campaign, version=1):
    name = "references.jsonl" if version == 1 else f"references.{version}.jsonl"
    return {one["item"]: one for one in read_records(campaign.path / "hidden" / name)}


def decisions(tmp_path, *changes):
    rows = [{"by": "the committee", "why": "two readings", **one} for one in changes]
    return [write(tmp_path / "decisions.jsonl", rows)]


def test_a_decision_makes_a_version_and_the_old_one_stays(tmp_path, campaign):
    first = (campaign.path / "hidden/references.jsonl").read_bytes()
    item, other, *rest = hidden(campaign)
    paths = decisions(
        tmp_path,
        {"item": item, "set": {"references": ["((1))", "((2))"]}},
        {"item": other, "remove": True},
    )
    result = decide(campaign, paths, when=day(5))
    assert (result.version, result.items, result.removed) == (2, (item, other), 1)
    assert any("drops what was said of the old one" in note for note in result.notes)
    assert (campaign.path / "hidden/references.jsonl").read_bytes() == first
    old, new = hidden(campaign), hidden(campaign, 2)
    assert [*new] == [item, *rest]
    assert all(new[name] == old[name] for name in rest)
    assert {"min", "max"}.isdisjoint(new[item])
    again = Campaign(campaign.path)
    assert references_version(again) == (
        2,
        campaign.path / "hidden/references.2.jsonl",
    )
    (entry,) = again.events("adjudicated")
    assert entry.facts["items"] == [item, other]
    assert not verify(campaign.path).changes


def test_versions_follow_one_another(tmp_path, campaign):
    (item, *_) = hidden(campaign)
    for version, text in ((2, "((1))"), (3, "((2))")):
        paths = decisions(tmp_path, {"item": item, "set": {"min": text}})
        assert decide(Campaign(campaign.path), paths, when=day(5)).version == version
        assert hidden(campaign, version)[item]["min"] == text
    assert hidden(campaign, 2)[item]["min"] == "((1))"


def test_a_changed_reference_is_linted_again(tmp_path, campaign):
    (item, *_) = hidden(campaign)
    paths = decisions(tmp_path, {"item": item, "set": {"min": "((1", "sql": None}})
    result = decide(campaign, paths, when=day(5))
    assert "cas-syntax" in {finding.check for finding in result.findings}
    assert {finding.item for finding in result.findings} == {item}


@pytest.mark.parametrize(
    "name", ["input", "class", "context", "db", "excluded", "cluster"]
)
def test_what_was_asked_does_not_change(tmp_path, campaign, name):
    (item, *_) = hidden(campaign)
    paths = decisions(tmp_path, {"item": item, "set": {name: "x"}})
    refuses(
        "be one of what is right, not of what was asked",
        decide,
        campaign,
        paths,
        when=day(5),
    )
    assert references_version(Campaign(campaign.path))[0] == 1


def test_what_is_not_hidden_does_not_change(tmp_path, campaign):
    train = read_records(campaign.path / "questions/train.jsonl")
    paths = decisions(tmp_path, {"item": train[0]["item"], "remove": True})
    refuses("item must be hidden; got", decide, campaign, paths, when=day(5))
    paths = decisions(tmp_path, {"item": "bbn/none", "remove": True})
    refuses(
        "item must be one that has a reference", decide, campaign, paths, when=day(5)
    )
    refuses("be at least one", decide, campaign, decisions(tmp_path), when=day(5))
    assert frozen_entry(Campaign(campaign.path)) == Campaign(campaign.path).entries[-1]


def test_a_pack_made_again_holds_no_answer_of_any_version(tmp_path, campaign):
    pack(campaign, when=day(3))
    (item, *_) = hidden(campaign)
    question = hidden(campaign)[item]["input"]
    paths = decisions(
        tmp_path,
        {"item": item, "set": {"references": [f"{question} {n}" for n in "ab"]}},
    )
    decide(campaign, paths, when=day(5))
    pack(Campaign(campaign.path), when=day(6))
    paths = decisions(tmp_path, {"item": item, "set": {"references": [question]}})
    decide(Campaign(campaign.path), paths, when=day(7))
    refuses("reference of item", pack, Campaign(campaign.path), when=day(8))
