"""Freezing: whole subjects and dialogues reserved, everything fixed by hash."""

import hashlib
import hmac
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import read_records, refuses
from demur.campaigns.collecting import CollectedFiles, collect
from demur.campaigns.folder import Campaign
from demur.campaigns.freezing import (
    FreezingRules,
    check_databases,
    freeze,
    frozen_entry,
    references_version,
)
from demur.campaigns.kept_collections import last_collection
from demur.campaigns.public_parts import dialogue_of
from demur.campaigns.teams import add_team
from demur.outcomes.contexts import CONTEXT_RULES, dialogue_turns, in_context
from question_cases import (
    SITES,
    collected,
    day,
    frozen,
    labels_of,
    new_campaign,
    one_dialogue,
    site_questions,
    write,
)

ALL = {site: site_questions(site) for site in SITES}


def items(path: Path, **where) -> list[str]:
    rows = read_records(path) if path.stat().st_size else []
    return [
        row["item"]
        for row in rows
        if all(row.get(name, False) == value for name, value in where.items())
    ]


def parts(campaign: Campaign) -> dict[str, list[str]]:
    questions = campaign.path / "questions"
    return {
        "train": items(questions / "train.jsonl"),
        "asked": items(questions / "test.jsonl", excluded=False),
        "excluded": items(questions / "test.jsonl", excluded=True),
    }


def collected_records(campaign: Campaign) -> dict[str, dict]:
    listed = last_collection(campaign).references()
    return {record["item"]: record for _, record in listed}


def test_nothing_is_lost_and_nothing_is_on_both_sides(tmp_path):
    campaign = frozen(tmp_path, ALL, labels_of(ALL), stratify="class", seed=3)
    sides = parts(campaign)
    every = [item for side in sides.values() for item in side]
    assert sorted(every) == sorted(collected_records(campaign))
    hidden = campaign.path / "hidden"
    assert items(hidden / "references.jsonl") == sides["asked"]
    assert items(hidden / "excluded.jsonl") == sides["excluded"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("by", [("subject",), ("dialogue",), ("subject", "dialogue")])
def test_every_subject_and_dialogue_is_on_one_side(tmp_path, by, seed):
    campaign = frozen(tmp_path, ALL, by=by, seed=seed)
    records, sides = collected_records(campaign), parts(campaign)
    for name in by:
        values = {
            side: {
                dialogue_of(records[item])
                if name == "dialogue"
                else records[item]["subject"]
                for item in listed
            }
            for side, listed in sides.items()
        }
        assert not values["train"] & (values["asked"] | values["excluded"])


def test_the_same_seed_gives_the_same_split_and_another_one_does_not(tmp_path):
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    splits = [
        parts(frozen(folder, ALL, seed=seed))
        for folder, seed in zip(folders, (1, 1, 2), strict=True)
    ]
    assert splits[0] == splits[1]
    assert splits[0] != splits[2]


@pytest.mark.parametrize("rule", CONTEXT_RULES)
def test_what_is_asked_and_reset_is_what_the_rule_of_context_says(tmp_path, rule):
    campaign = collected(tmp_path, ALL, labels_of(ALL))
    rules = (campaign.path / "campaign.toml").read_text()
    rules = rules.replace('context = "excluded"', f'context = "{rule}"')
    (campaign.path / "campaign.toml").write_text(rules)
    freeze(Campaign(campaign.path), FreezingRules(seed=1), when=day(2))
    records = collected_records(campaign)
    sent = read_records(campaign.path / "questions/test.jsonl")
    under = in_context(dialogue_turns(records[row["item"]] for row in sent), rule)
    for row, turn in zip(sent, under, strict=True):
        assert row.get("excluded", False) == (not turn.is_asked)
        assert row.get("reset", False) == bool(turn.reset)
    # Who reads the marks alone is given the same turns.
    again = in_context(dialogue_turns(sent), rule)
    for turn, same in zip(under, again, strict=True):
        assert same.is_asked == turn.is_asked
        if turn.is_asked:
            assert same.given == turn.given


def test_turns_of_a_dialogue_stand_together_in_their_order(tmp_path):
    mixed = [
        one
        for pair in zip(ALL["bbn"][:15], ALL["bbn"][15:], strict=False)
        for one in pair
    ]
    campaign = frozen(tmp_path, {"bbn": mixed}, share=0.5, by=("dialogue",))
    rows = read_records(campaign.path / "questions/test.jsonl")
    dialogues = [row["dialogue"] for row in rows]
    starts = [d for n, d in enumerate(dialogues) if n == 0 or dialogues[n - 1] != d]
    assert len(starts) == len(set(starts)) > 1
    records = [*collected_records(campaign)]
    for dialogue in starts:
        turns = [row["item"] for row in rows if row["dialogue"] == dialogue]
        assert turns == sorted(turns, key=records.index)


def test_the_training_part_goes_out_with_answers_and_the_test_part_without(tmp_path):
    campaign = frozen(tmp_path, ALL)
    train = read_records(campaign.path / "questions/train.jsonl")
    records = collected_records(campaign)
    for row in train:
        for name in ("sql", "min", "max", "max_sql", "class", "weight"):
            assert row.get(name) == records[row["item"]].get(name)
        assert "why" not in row
    for row in read_records(campaign.path / "questions/test.jsonl"):
        assert row.keys() <= {"item", "dialogue", "input", "db", "excluded", "reset"}


# -- what is fixed ---------------------------------------------------------------------


def test_the_log_holds_the_hash_of_every_file(tmp_path):
    campaign = frozen(tmp_path, ALL)
    entry = frozen_entry(Campaign(campaign.path))
    assert {*entry.files} == {
        "hidden/references.jsonl",
        "hidden/excluded.jsonl",
        "questions/test.jsonl",
        "questions/train.jsonl",
    }
    for name, digest in entry.files.items():
        data = (campaign.path / name).read_bytes()
        hashed = hashlib.sha256(data)
        if name.startswith("hidden/"):
            hashed = hmac.new(b"a key of tests", data, "sha256")
        assert hashed.hexdigest() == digest
    assert references_version(Campaign(campaign.path)) == (
        1,
        campaign.path / "hidden/references.jsonl",
    )


def test_changed_rules_of_scoring_are_refused_and_others_are_not(tmp_path):
    campaign = frozen(tmp_path, ALL)
    path = campaign.path / "campaign.toml"
    rules = path.read_text()
    path.write_text(rules.replace("digits = 2", "digits = 3"))
    assert frozen_entry(Campaign(campaign.path)).event == "frozen"
    path.write_text(rules.replace("weight = 2 ", "weight = 3 "))
    message = "the rules of scoring must be as they were frozen, in entry 4"
    refuses(message, frozen_entry, Campaign(campaign.path))
    path.write_text(rules)
    assert frozen_entry(Campaign(campaign.path)).number == 4


def test_a_campaign_is_frozen_once_and_has_questions(tmp_path):
    campaign = new_campaign(tmp_path)
    refuses("be frozen; got not so", frozen_entry, campaign)
    rules = FreezingRules()
    refuses("have questions; got none", freeze, campaign, rules, when=day(1))
    campaign = (
        frozen(tmp_path / "made", ALL) if (tmp_path / "made").mkdir() is None else 0
    )
    refuses("must not be frozen", freeze, campaign, rules, when=day(3))


def test_a_test_of_excluded_turns_alone_is_refused(tmp_path):
    excluded = one_dialogue({"item": "q1", "class": "X"}, cluster="e", subject="e")
    also = one_dialogue({"item": "q2", "class": "X"}, cluster="f", subject="f")
    campaign = collected(tmp_path, {"bbn": [*excluded, *also]})
    refuses("must ask something", freeze, campaign, FreezingRules(), when=day(2))
    assert not list(Campaign(campaign.path).events("frozen"))


def test_questions_without_dialogue_or_subject_are_parted_by_themselves(tmp_path):
    single = [
        {"item": f"q{n}", "input": f"Who is {n}?", "reference": "nobody at all"}
        for n in range(10)
    ]
    single[0]["subject"] = "s"
    campaign = frozen(tmp_path, {"bbn": single}, by=("subject",))
    assert len(parts(campaign)["asked"]) == 3
    rows = read_records(campaign.path / "questions/test.jsonl")
    assert all(row.keys() == {"item", "input"} for row in rows)
    refuses(
        "a column must be one that items have",
        frozen, tmp_path / "b" if (tmp_path / "b").mkdir() is None else 0,
        {"bbn": single}, by=("speaker",),
    )  # fmt: skip


@pytest.fixture
def with_database(tmp_path):
    """A campaign whose references name a database in the folder of the rules."""
    campaign = new_campaign(tmp_path)
    (campaign.path / "databases").mkdir()
    path = campaign.path / "databases/air.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE flight (flight_id, leaves)")
        connection.execute("INSERT INTO flight VALUES (1001, 900), (1002, 1300)")
    connection.close()
    rules = (campaign.path / "campaign.toml").read_text()
    (campaign.path / "campaign.toml").write_text(
        rules.replace("[scoring]\n", '[scoring]\ndatabases = "databases"\n')
    )
    questions = [
        {
            "item": f"q{n}", "subject": f"s{n}", "input": f"Which leave after {n}?",
            "sql": f"SELECT flight_id FROM flight WHERE leaves > {n * 100}",
            "min": "((1001) (1002))" if n < 9 else "((1002))", "db": "air.sqlite",
        }
        for n in range(8, 12)
    ]  # fmt: skip
    files = CollectedFiles(sites={"bbn": [write(tmp_path / "bbn.jsonl", questions)]})
    campaign = Campaign(campaign.path)
    return campaign, path, collect(campaign, files, when=day(1))


def test_databases_are_run_by_lint_and_fixed_by_hash(with_database):
    campaign, path, result = with_database
    checks = {finding.check for finding in result.findings}
    assert not checks & {"gold-fails", "unchecked", "sql-differs"}
    frozen_now = freeze(campaign, FreezingRules(by=("subject",)), when=day(2))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert frozen_now.databases == {"air.sqlite": digest}
    entry = frozen_entry(campaign)
    records = read_records(campaign.path / "hidden/references.jsonl")
    check_databases(campaign, records, entry)
    path.write_bytes(path.read_bytes() + b"\0")
    message = "air.sqlite: the database must be as it was frozen"
    refuses(message, check_databases, campaign, records, entry)


def test_a_database_that_is_not_there_is_named(with_database):
    campaign, path, _ = with_database
    path.unlink()
    rules = FreezingRules(by=("subject",))
    with pytest.raises(demur.InputError, match=r"air\.sqlite"):
        freeze(campaign, rules, when=day(2))
    assert not list(Campaign(campaign.path).events("frozen"))


KNOWN = ("fall into groups", "ask something", "lie on one side")
turns = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from("AADX"), st.integers(0, 3)),
    min_size=4,
    max_size=16,
)


@settings(deadline=None, max_examples=25)
@given(turns, st.integers(0, 3), st.sampled_from(sorted(CONTEXT_RULES)))
def test_the_laws_hold_for_any_dialogues(tmp_path_factory, made, seed, rule):
    records = [
        {
            "item": f"q{number}", "cluster": f"d{dialogue}", "class": label,
            "input": f"Question {number}?", "reference": "nowhere at all",
            **({"context": f"q{max(0, number - back)}"} if label == "D" else {}),
        }
        for number, (dialogue, label, back) in enumerate(made)
    ]  # fmt: skip
    folder = tmp_path_factory.mktemp("laws")
    campaign = collected(folder, {"bbn": records})
    path = campaign.path / "campaign.toml"
    text = path.read_text().replace('context = "excluded"', f'context = "{rule}"')
    path.write_text(text)
    campaign = Campaign(campaign.path)
    refused = None
    try:
        freeze(campaign, FreezingRules(by=("dialogue",), seed=seed), when=day(2))
    except demur.InputError as error:
        refused = error
        assert not list(Campaign(campaign.path).events("frozen"))
    assert refused is None or refused.must.startswith(KNOWN)
    if refused:
        return
    sides = parts(campaign)
    every = [item for side in sides.values() for item in side]
    assert sorted(every) == sorted(f"bbn/q{n}" for n in range(len(records)))
    dialogue = {f"bbn/{one['item']}": one["cluster"] for one in records}
    train = {dialogue[item] for item in sides["train"]}
    test = {dialogue[item] for item in sides["asked"] + sides["excluded"]}
    assert not train & test


def test_what_stays_together_is_what_questions_have_of_subject_and_dialogue(tmp_path):
    single = [
        {"item": f"q{n}", "cluster": f"d{n // 2}", "input": f"Who is {n}?",
         "reference": "nobody at all"}
        for n in range(10)
    ]  # fmt: skip
    campaign = frozen(tmp_path, {"bbn": single})
    assert frozen_entry(campaign).facts["reserved"]["reserve"] == "dialogue"


def test_questions_without_subject_and_dialogue_need_not_say_what_stays_together(
    tmp_path,
):
    single = [
        {"item": f"q{n}", "input": f"Who is {n}?", "reference": "nobody at all"}
        for n in range(10)
    ]
    campaign = frozen(tmp_path, {"bbn": single})
    assert frozen_entry(campaign).facts["reserved"]["reserve"] == "item"
    assert len(parts(campaign)["asked"]) == 3


def test_once_frozen_a_contributor_is_one_of_the_sites(tmp_path):
    single = [
        {"item": f"q{n}", "input": f"Who is {n}?", "reference": "nobody at all"}
        for n in range(10)
    ]
    campaign = frozen(tmp_path, {"bbn": single})
    how = {"token": "a long token of a", "when": day(3)}
    wrong = {**how, "contributor": "bnb"}
    refuses("contributor must be one of bbn", add_team, campaign, "a", **wrong)
    assert add_team(campaign, "a", contributor="bbn", **how).contributor == "bbn"


def test_a_question_that_stands_in_the_training_part_is_noted(tmp_path):
    words = ("who flies", "Who  flies")
    usual = {"reference": "nobody at all"}
    same = [
        {"item": f"q{n}", "subject": f"s{n}", "input": words[n % 2], **usual}
        for n in range(6)
    ]
    campaign = collected(tmp_path, {"bbn": same})
    result = freeze(campaign, FreezingRules(), when=day(2))
    assert any("2 questions of the test stand word for word" in n for n in result.notes)


@pytest.mark.parametrize("name", ["hidden/collected/0001", "questions/0001"])
def test_what_was_collected_and_has_changed_is_not_frozen(tmp_path, name):
    campaign = collected(tmp_path, ALL)
    path = next((campaign.path / name).glob("*.jsonl"))
    path.write_bytes(path.read_bytes() + b"\n")
    message = "the file must be as it was collected"
    refuses(message, freeze, campaign, FreezingRules(), when=day(2))


def test_hidden_references_that_have_changed_are_not_used(tmp_path):
    campaign = frozen(tmp_path, ALL)
    path = campaign.path / "hidden/references.jsonl"
    path.write_bytes(path.read_bytes().replace(b"((", b"((9", 1))
    refuses("the file must be as it was frozen", references_version, campaign)
