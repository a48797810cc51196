"""Packing: whatever a reference holds, nothing of it is in what is sent out."""

import gzip
import hashlib
import json
import sqlite3
from pathlib import Path

import pytest

import demur
from builders import read_records, refuses
from demur.campaigns.folder import Campaign
from demur.campaigns.freezing import FreezingRules, freeze
from demur.campaigns.packing import pack
from demur.campaigns.packs import read_pack
from demur.campaigns.public_parts import PUBLIC, TRAINING
from question_cases import (
    MEANINGS,
    SITES,
    collected,
    day,
    frozen,
    labels_of,
    new_campaign,
    one_dialogue,
    site_questions,
)

ALL = {site: site_questions(site) for site in SITES}


def packed(campaign: Campaign, **how) -> Path:
    pack(campaign, when=day(3), **how)
    return campaign.path / "pack"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_pack_holds_questions_training_meanings_and_rules(tmp_path):
    campaign = collected(tmp_path, ALL, labels_of(ALL), MEANINGS)
    freeze(campaign, FreezingRules(stratify="class", seed=2), when=day(2))
    folder = packed(campaign)
    files = contents(folder)
    assert {*files} == {"questions.jsonl", "train.jsonl", "meanings.jsonl", "pack.json"}
    about = json.loads(files["pack.json"])
    rows = read_records(folder / "questions.jsonl")
    train = read_records(folder / "train.jsonl")
    asked = [row for row in rows if not row.get("excluded")]
    assert about["questions"] == len(asked)
    assert about["excluded"] == len(rows) - len(asked)
    assert about["training"] == len(train)
    assert len(rows) + len(train) == 105
    for name, digest in about["files"].items():
        assert hashlib.sha256(files[name]).hexdigest() == digest
    assert about["rules"]["scoring"]["context"] == "excluded"
    assert about["rules"]["phases"][0]["closes"] == "2027-01-22T00:00:00Z"
    assert read_records(folder / "meanings.jsonl") == MEANINGS
    assert {name for row in rows for name in row} <= {*PUBLIC}
    assert {name for row in train for name in row} <= {*TRAINING}


def test_the_pack_is_what_check_reads(tmp_path):
    folder = packed(frozen(tmp_path, ALL, labels_of(ALL)))
    read = read_pack(folder)
    rows = read_records(folder / "questions.jsonl")
    assert [*read.asked] == [row["item"] for row in rows if not row.get("excluded")]
    assert [*read.others] == [row["item"] for row in rows if row.get("excluded")]
    assert read.asked.keys() == {
        one["item"] for one in read_records(folder.parent / "hidden/references.jsonl")
    }


def test_packing_twice_gives_the_same_bytes(tmp_path):
    campaign = frozen(tmp_path, ALL, labels_of(ALL))
    first = contents(packed(campaign))
    pack(Campaign(campaign.path), when=day(9))
    assert contents(campaign.path / "pack") == first
    pack(Campaign(campaign.path), tmp_path / "elsewhere", when=day(9))
    assert contents(tmp_path / "elsewhere") == first
    logged = [entry.facts["pack"] for entry in Campaign(campaign.path).events("packed")]
    assert logged[0] == logged[1] == logged[2]


def test_the_same_campaign_made_again_gives_the_same_pack(tmp_path):
    packs = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        campaign = frozen(tmp_path / name, ALL, labels_of(ALL), seed=5)
        packs.append(contents(packed(campaign)))
    assert packs[0] == packs[1]


# -- nothing of what is hidden ---------------------------------------------------------

SECRETS = {
    "sql": "SELECT secret_sql FROM hidden WHERE a = 1",
    "sqls": ["SELECT secret_sqls FROM hidden", "SELECT secret_other FROM hidden"],
    "max_sql": "SELECT secret_max_sql, b FROM hidden",
    "max_sqls": ["SELECT secret_max_sqls FROM hidden"],
    "reference": "secret reference that nobody knows",
    "references": ["secret references, first of several", "secret second of them all"],
    "min": '((80001 "secret minimum"))',
    "max": '((80001 "secret minimum" "secret maximum"))',
    "class": "secretclass",
    "why": "secret why the question is excluded",
    "order_by": ["secret_order_by_key_of_rows"],
    "answer": "secret answer under its own name",
    "Reference ": "secret reference under an odd name",
    "référence": "secret référence with an accent",
    "notes": {"deep": [{"er": "secret note in the depth of it"}]},
    "contributed_class": "secret contributed class",
    "not_asked": "secret reason of not being asked",
    "__proto__": "secret of an odd name of another language",
    "excluded ": "secret behind a name with a blank",
    "credit": "secret credit of a verdict",
    "outcome": "secret outcome of a judgement",
}


def leaves(value):
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in leaves(one)]
    return [value]


@pytest.mark.parametrize("name", SECRETS)
def test_a_field_of_whatever_name_is_not_sent_out(tmp_path, name):
    questions = site_questions("bbn")
    secret = [
        {**one, name: SECRETS[name]} if one["class"] != "X" or name == "why" else one
        for one in questions
    ]
    if name in ("sqls", "reference", "references"):
        for one in secret:  # one form of an answer for each question
            for other in ("sql", "max_sql", "min", "max"):
                one.pop(other, None)
    campaign = frozen(tmp_path, {"bbn": secret}, seed=1)
    folder = packed(campaign)
    for leaf in leaves(SECRETS[name]):
        questions_text = (folder / "questions.jsonl").read_text("utf-8")
        for text in (str(leaf), json.dumps(leaf)[1:-1]):
            assert text not in questions_text
            assert text not in (folder / "pack.json").read_text("utf-8")
        if name not in TRAINING:
            assert all(
                str(leaf).encode() not in data for data in contents(folder).values()
            )


@pytest.mark.parametrize("place", ["input", "cluster", "structured"])
@pytest.mark.parametrize("name", ["sql", "max_sql", "min", "max", "notes"])
def test_an_answer_inside_what_is_sent_out_stops_the_pack(tmp_path, name, place):
    def planted(record):
        text = str(record.get(name, ""))
        if place == "structured":
            return {**record, "input": {"text": record["input"], "Ünlike": [text]}}
        return {**record, place: f"{record[place]} {text}"}

    questions = [
        {**one, "notes": f"what only the makers know of {one['item']}"}
        for one in ALL["bbn"]
    ]
    campaign = frozen(tmp_path, {"bbn": [planted(one) for one in questions]}, seed=1)
    message = f"what is sent out must say nothing of the hidden answers; got {name} of"
    with pytest.raises(demur.InputError) as caught:
        packed(campaign)
    assert message in str(caught.value)
    assert str(caught.value).startswith("questions.jsonl:")
    assert not (campaign.path / "pack").exists()
    assert not list(Campaign(campaign.path).events("packed"))


def test_an_answer_in_a_meaning_stops_the_pack(tmp_path):
    campaign = collected(tmp_path, ALL)
    freeze(campaign, FreezingRules(), when=day(2))
    (hidden, *_) = read_records(campaign.path / "hidden/references.jsonl")
    (tmp_path / "b").mkdir()
    meaning = {"id": "M9", "meaning": f"As in {hidden['sql'].lower()}"}
    campaign = collected(tmp_path / "b", ALL, meanings=[meaning])
    freeze(campaign, FreezingRules(), when=day(2))
    refuses("meanings.jsonl:1: what is sent out must say nothing", packed, campaign)


def test_a_name_that_tells_its_answer_stops_the_pack_until_somebody_has_looked(
    tmp_path,
):
    def capital(number, city):
        item = f"q{number}-{city.lower()}"
        record = {"item": item, "input": f"Capital {number}?", "reference": city}
        return {**record, "subject": f"s{number}"}

    cities = ("Rome", "Oslo", "Paris", "Bern", "Riga", "Cairo")
    questions = [capital(number, city) for number, city in enumerate(cities)]
    campaign = frozen(tmp_path, {"bbn": questions}, by=("subject",))
    refuses("in the item's name", packed, campaign)
    items = [
        one["item"] for one in read_records(campaign.path / "questions/test.jsonl")
    ]
    packed(campaign, allowed=items)
    (entry,) = Campaign(campaign.path).events("packed")
    assert entry.facts["allowed"] == items
    refuses("must be an item of the test part", packed, campaign, allowed=["q1"])


def test_further_files_go_out_and_are_searched(tmp_path):
    campaign = frozen(tmp_path, ALL)
    hidden = read_records(campaign.path / "hidden/references.jsonl")
    database = tmp_path / "air.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE flight (flight_id, leaves)")
    connection.close()
    folder = packed(campaign, further=[str(database)])
    assert (folder / "air.sqlite").read_bytes() == database.read_bytes()
    assert "air.sqlite" in json.loads((folder / "pack.json").read_bytes())["files"]
    before = contents(folder)
    telling = tmp_path / "notes.txt.gz"
    telling.write_bytes(gzip.compress(f"hint: {hidden[0]['sql']}".encode()))
    message = r"notes.txt \(unpacked\): what is sent out must say nothing"
    refuses(message, packed, campaign, further=[str(telling)])
    assert contents(folder) == before
    refuses("have a name of its own", packed, campaign, further=["x/pack.json"])
    refuses("be readable", packed, campaign, further=["no/such"])


def test_a_second_database_of_a_reference_is_not_named(tmp_path):
    questions = one_dialogue(*(
        {"item": f"q{n}", "subject": f"s{n}", "cluster": f"d{n}",
         "db": ["air.sqlite", "hidden_second_instance_of_it.sqlite"]}
        for n in range(6)
    ))  # fmt: skip
    folder = packed(frozen(tmp_path, {"bbn": questions}))
    for data in contents(folder).values():
        assert b"hidden_second" not in data
    assert {row["db"] for row in read_records(folder / "questions.jsonl")} == {
        "air.sqlite"
    }


# -- what has changed, and where it goes -----------------------------------------------


@pytest.mark.parametrize(
    "name", ["hidden/references.jsonl", "questions/test.jsonl", "questions/train.jsonl"]
)
def test_what_was_frozen_and_has_changed_is_not_packed(tmp_path, name):
    campaign = frozen(tmp_path, ALL)
    path = campaign.path / name
    path.write_bytes(path.read_bytes().replace(b"flights", b"FLIGHTS", 1))
    refuses(f"{path}: the file must be as it was frozen", packed, campaign)


def test_what_is_not_frozen_is_not_packed(tmp_path):
    refuses("must be frozen", packed, collected(tmp_path, ALL))
    (tmp_path / "b").mkdir()
    refuses("must be frozen", packed, new_campaign(tmp_path / "b"))


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    campaign = frozen(tmp_path, ALL)
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("years of work")
    message = "the folder must be new, empty, or hold nothing but a former pack; got"
    refuses(message, pack, campaign, other, when=day(3))
    assert [path.name for path in other.iterdir()] == ["thesis.tex"]
    folder = packed(campaign)
    (folder / "mine.txt").write_text("mine")
    refuses(message, pack, campaign, when=day(3))
    assert (folder / "mine.txt").read_text() == "mine"


def test_what_a_former_pack_held_and_this_one_does_not_is_gone(tmp_path):
    campaign = frozen(tmp_path, ALL)
    further = tmp_path / "read me.txt"
    further.write_text("Welcome.")
    folder = packed(campaign, further=[str(further)])
    assert (folder / "read me.txt").exists()
    packed(campaign)
    assert not (folder / "read me.txt").exists()
    assert not [path for path in campaign.path.iterdir() if path.name[:7] == ".demur-"]


def test_all_questions_may_be_for_the_test(tmp_path):
    campaign = frozen(tmp_path, ALL, share=1.0)
    sent = contents(packed(campaign))
    assert sent["train.jsonl"] == b""
    asked = [json.loads(line) for line in sent["questions.jsonl"].splitlines()]
    assert len(asked) == sum(map(len, ALL.values()))
