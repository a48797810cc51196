"""``demur campaign collect, adjudicate, freeze, pack`` as they are typed."""

import json

import pytest

from builders import printed, printed_json, read_records, run, stderr_of
from question_cases import SITES, labels_of, site_questions, write

ALL = {site: site_questions(site) for site in SITES}
NOW = ("--now", "2027-01-05T00:00:00Z")


@pytest.fixture
def folder(tmp_path):
    printed("campaign", "new", tmp_path / "c", "--name", "Flights", *NOW)
    for site, records in ALL.items():
        write(tmp_path / f"{site}.jsonl", records)
    write(tmp_path / "labels.jsonl", labels_of(ALL))
    return tmp_path


def typed(folder, *sites):
    return [f"{site}={folder}/{site}.jsonl" for site in sites]


def campaign(verb, folder, *words):
    return printed("campaign", verb, folder / "c", *words, *NOW)


def test_from_questions_to_the_pack(folder):
    shown = campaign(
        "collect", folder, *typed(folder, *SITES), "--labels", folder / "labels.jsonl"
    )
    assert "Collection 1: 105 questions of 3 sites." in shown
    assert "Krippendorff's alpha nominal is" in shown
    disputed = [
        one["item"]
        for one in read_records(folder / "c/hidden/collected/0001/references.jsonl")
        if one["class"] == "disputed"
    ]
    decision = {"item": disputed[0], "by": "Ada", "why": "it leans on nothing"}
    write(folder / "d.jsonl", [{**decision, "set": {"class": "A"}}])
    shown = campaign("adjudicate", folder, folder / "d.jsonl")
    assert "Collection 2: 105 questions of 3 sites." in shown
    shown = campaign("freeze", folder, "--share", "0.3", "--by", "subject", "--by",
                     "dialogue", "--stratify", "class", "--seed", "4")  # fmt: skip
    assert "Frozen: the test asks" in shown
    assert "hidden/references.jsonl" in shown
    shown = campaign("pack", folder)
    assert "none found." in shown
    about = json.loads((folder / "c/pack/pack.json").read_bytes())
    assert about["campaign"] == "Flights"
    code, _, err = run("campaign", "collect", folder / "c", *typed(folder, "bbn"), *NOW)
    assert code == 4
    assert "must not be frozen" in err
    assert "Nothing was changed" in printed("campaign", "verify", folder / "c")


def test_json_says_the_same(folder):
    made = ("campaign", "collect", folder / "c", *typed(folder, *SITES), *NOW)
    held = printed_json(*made, "--labels", folder / "labels.jsonl")
    assert held["questions"] == 105
    assert sum(held["classes"].values()) == 105
    assert held["classes"]["disputed"] == held["labels"]["disputed"]
    frozen = printed_json("campaign", "freeze", folder / "c", *NOW)
    sides = ("asked", "excluded", "train", "train_excluded")
    assert sum(frozen[name] for name in sides) == 105
    packed = printed_json("campaign", "pack", folder / "c", *NOW)
    assert packed["asked"] == frozen["asked"]
    assert packed["searched"]["values"] > 100


def test_a_broken_site_is_named_and_the_others_are_collected(folder):
    with (folder / "cmu.jsonl").open("a") as file:
        file.write('{"item": "cut')
    made = ("campaign", "collect", folder / "c", *typed(folder, *SITES), *NOW)
    code, out, err = run(*made)
    assert code == 4
    assert "70 questions of 2 sites" in out
    assert f"demur: cmu: {folder}/cmu.jsonl:36: " in err
    assert f"demur: cmu: {folder}/cmu.jsonl:36: " in stderr_of(*made, "--all")
    assert len(list((folder / "c/questions").iterdir())) == 1


def test_an_option_that_is_no_pair_is_wrong_usage(folder):
    said = stderr_of("campaign", "collect", folder / "c", "bbn.jsonl", *NOW, code=2)
    assert "SITE=FILE must be SITE=FILE; got 'bbn.jsonl'" in said or "bbn=" in said
    said = stderr_of(
        "campaign", "collect", folder / "c", "--meanings", "=x", *NOW, code=2
    )
    assert "--meanings must be SITE=FILE" in said
    assert "--share" in stderr_of(
        "campaign", "freeze", folder / "c", "--share", "2", code=2
    )


def test_what_tells_answers_is_refused_and_quotes_none(folder):
    telling = [
        {**one, "input": f"{one['input']} ({one.get('sql', '')})"} for one in ALL["bbn"]
    ]
    write(folder / "bbn.jsonl", telling)
    campaign("collect", folder, *typed(folder, "bbn"))
    campaign("freeze", folder)
    said = stderr_of("campaign", "pack", folder / "c", *NOW)
    assert "must say nothing of the hidden answers; got sql of item 'bbn/" in said
    assert "SELECT" not in said
    assert not (folder / "c/pack").exists()


def test_answers_that_demur_run_gave_under_the_rule_of_the_campaign_are_whole(folder):
    campaign("collect", folder, *typed(folder, *SITES))
    campaign("freeze", folder)
    campaign("pack", folder)
    pack = folder / "c/pack"
    asked = [
        row["item"]
        for row in read_records(pack / "questions.jsonl")
        if not row.get("excluded")
    ]
    for rule, code in (("excluded", 0), ("alone", 4)):
        rows = [{"item": i, "response": "((1))", "context_rule": rule} for i in asked]
        ended = run("campaign", "check", pack, write(folder / "a.jsonl", rows))
        assert (ended.code == 0) == (code == 0), ended
        assert ("asked under the rule of context 'alone'" in ended.out) == (code == 4)
