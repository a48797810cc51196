"""Collecting: sites merged, labels folded, meanings shared, all of it linted."""

import json
import shutil

import pytest

import demur
from builders import read_records, refuses
from demur.campaigns.collecting import CollectedFiles, collect
from demur.campaigns.folder import Campaign
from demur.campaigns.freezing import FreezingRules, freeze
from demur.campaigns.kept_collections import last_collection
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
    write,
    written_sites,
)

ALL = {site: site_questions(site) for site in SITES}


def facts(campaign, event="collected"):
    return [dict(entry.facts) for entry in Campaign(campaign.path).events(event)]


def records(campaign):
    return [record for _, record in last_collection(campaign).references()]


def collect_sites(campaign, folder, sites, when=1, **how):
    files = CollectedFiles(sites=written_sites(folder, sites))
    return collect(campaign, files, when=day(when), **how)


def test_all_questions_are_there_with_the_site_that_gave_them(tmp_path):
    campaign = collected(tmp_path, ALL)
    listed = records(campaign)
    assert [one["item"] for one in listed] == [
        f"{site}/{one['item']}" for site in SITES for one in ALL[site]
    ]
    for one, given in zip(listed, (q for s in SITES for q in ALL[s]), strict=True):
        assert {name: one[name] for name in ("input", "class")} == {
            name: given[name] for name in ("input", "class")
        }
        assert [one.get(name) for name in ("sql", "min", "max", "why")] == [
            given.get(name) for name in ("sql", "min", "max", "why")
        ]
    assert {one["contributor"] for one in listed} == {*SITES}
    assert listed[0]["contributed_id"] == ALL["bbn"][0]["item"]
    (entry,) = facts(campaign)
    assert entry["sites"] == dict.fromkeys(SITES, 35)


def test_the_public_part_holds_no_column_but_those_of_the_list(tmp_path):
    campaign = collected(tmp_path, ALL)
    rows = read_records(campaign.path / "questions/0001/questions.jsonl")
    assert len(rows) == 105
    columns = {name for row in rows for name in row}
    assert columns <= {"item", "dialogue", "input", "db", "excluded", "reset"}


def test_where_no_query_has_run_it_is_said(tmp_path):
    campaign = new_campaign(tmp_path)
    record = {"input": "How many?", "sql": "SELECT n FROM t", "db": "none.sqlite"}
    rows = [{"item": f"q{number}", **record} for number in range(2)]
    write(tmp_path / "a.jsonl", rows)
    files = CollectedFiles(sites={"a": [str(tmp_path / "a.jsonl")]})
    notes = collect(campaign, files, when=day(1)).notes
    assert any("no query of 2 questions has run, so none was" in note for note in notes)


def test_labels_decide_the_class_and_a_disputed_question_is_excluded(tmp_path):
    labels = labels_of(ALL)
    campaign = collected(tmp_path, ALL, labels)
    by_item = {one["item"]: one for one in records(campaign)}
    given = {}
    for row in labels:
        given.setdefault(row["unit"], []).append(row["label"])
    for item, listed in given.items():
        most = max(set(listed), key=listed.count)
        agreed = most if 2 * listed.count(most) > len(listed) else "disputed"
        assert by_item[item]["class"] == agreed
        assert by_item[item].get("excluded", False) == (agreed == "disputed")
    (entry,) = facts(campaign)
    assert entry["labels"]["alpha"] == pytest.approx(
        demur.agreement(labels).alpha, abs=1e-4
    )
    assert entry["labels"]["disputed"] == entry["classes"]["disputed"] > 0


def test_everything_is_linted_and_the_log_counts_what_was_found(tmp_path):
    leaning = one_dialogue(
        {"item": "q1", "class": "X"},
        {"item": "q2", "class": "D", "context": "q1"},
        {"item": "q3", "class": "A", "input": "Who flies tomorrow?"},
        {"item": "q4", "class": "D", "context": "q9"},
    )
    again = one_dialogue({"item": "a", "class": "A", "input": "who flies TOMORROW"})
    campaign = new_campaign(tmp_path)
    result = collect_sites(campaign, tmp_path, {"bbn": leaning, "sri": again})
    found = {(one.item, one.check) for one in result.findings}
    assert found >= {
        ("bbn/q2", "excluded-context"),
        ("bbn/q3", "relative-date"),
        ("bbn/q4", "unknown-context"),
        ("sri/a", "same-question"),
    }
    rows = read_records(campaign.path / "hidden/collected/0001/findings.jsonl")
    assert [row["check"] for row in rows] == [one.check for one in result.findings]
    (entry,) = facts(campaign)
    assert sum(entry["findings"].values()) == len(rows)
    assert entry["findings"]["same-question"] == 1


def test_a_question_that_tells_an_answer_is_found_before_it_is_sent(tmp_path):
    sql = "SELECT flight_id FROM flight WHERE leaves > 900"
    telling = one_dialogue(
        {"item": "q1", "class": "A", "sql": sql, "input": "Which leave after 9?"},
        {"item": "q2-oslo", "class": "A", "reference": "Oslo", "input": f"So? {sql}"},
        {"item": "q3", "class": "A", "reference": "Rome", "input": "Oslo or Rome?"},
    )
    result = collect_sites(new_campaign(tmp_path), tmp_path, {"bbn": telling})
    told = [one for one in result.findings if one.check == "answer-told"]
    assert [one.item for one in told] == ["bbn/q1", "bbn/q2-oslo"]
    assert "SELECT" not in told[0].message


def test_meanings_are_shared_and_cited_by_their_new_ids(tmp_path):
    campaign = new_campaign(tmp_path)
    question = {"item": "q1", "class": "A", "meanings": ["M4"]}
    sites = {site: one_dialogue(question) for site in ("bbn", "sri")}
    other = [{**MEANINGS[1], "meaning": "Before 1100."}, MEANINGS[0]]
    files = CollectedFiles(
        sites=written_sites(tmp_path, sites),
        meanings={
            "bbn": [write(tmp_path / "b.jsonl", MEANINGS)],
            "sri": [write(tmp_path / "s.jsonl", other)],
        },
    )
    result = collect(campaign, files, when=day(1))
    (conflict,) = (one for one in result.findings if one.check == "conflicting-meaning")
    assert "at sri (sri/M4)" in conflict.message
    assert "at bbn (bbn/M4)" in conflict.message
    assert [one["meanings"] for one in records(campaign)] == [["bbn/M4"], ["sri/M4"]]
    assert not [one for one in result.findings if one.check == "unknown-meaning"]
    shared = read_records(campaign.path / "questions/0001/meanings.jsonl")
    assert [one["id"] for one in shared] == ["M1", "bbn/M4", "sri/M4"] or {
        one["id"] for one in shared
    } == {"M1", "bbn/M4", "sri/M4"}


# -- again -----------------------------------------------------------------------------


def test_a_corrected_file_makes_a_new_collection_and_the_old_one_stays(tmp_path):
    campaign = collected(tmp_path, ALL, labels_of(ALL), MEANINGS)
    before = {
        path: path.read_bytes() for path in campaign.path.rglob("*") if path.is_file()
    }
    corrected = [{**one, "input": one["input"] + "!"} for one in ALL["cmu"]]
    result = collect_sites(campaign, tmp_path, {"cmu": corrected}, when=2)
    assert result.number == 2
    inputs = {one["item"]: one["input"] for one in records(campaign)}
    assert inputs["cmu/1-1"].endswith("!")
    assert inputs["bbn/1-1"] == ALL["bbn"][0]["input"]
    assert result.folded is not None
    assert len(facts(campaign)) == 2
    for path, data in before.items():
        if path.name != "log.jsonl":
            assert path.read_bytes() == data


def test_a_number_whose_writer_was_killed_is_not_used_again(tmp_path):
    campaign = collected(tmp_path, ALL)
    (campaign.path / "hidden/collected/0002").mkdir()
    (campaign.path / "hidden/collected/0002/part").write_text("half")
    assert collect_sites(campaign, tmp_path, {"bbn": ALL["bbn"]}, when=2).number == 3
    assert last_collection(campaign).number == 3


def test_collecting_the_same_again_gives_the_same_questions(tmp_path):
    campaign = collected(tmp_path, ALL, labels_of(ALL), MEANINGS)
    first = records(campaign)
    collect_sites(campaign, tmp_path, {"sri": ALL["sri"]}, when=2)
    assert records(campaign) == first


def test_after_freezing_nothing_is_collected(tmp_path):
    campaign = frozen(tmp_path, ALL)
    before = campaign.log.head
    refuses(
        "the campaign must not be frozen; got so since 2027-01-03 00:00 UTC, entry 4. "
        "demur campaign adjudicate",
        collect_sites, campaign, tmp_path, ALL, when=3,
    )  # fmt: skip
    assert Campaign(campaign.path).log.head == before


# -- decisions -------------------------------------------------------------------------


def decisions(folder, *changes):
    rows = [{"by": "the committee", "why": "it was disputed", **one} for one in changes]
    return CollectedFiles(adjudicated=[write(folder / "decisions.jsonl", rows)])


def test_a_decision_ends_a_dispute_and_is_linted_again(tmp_path):
    campaign = collected(tmp_path, ALL, labels_of(ALL))
    disputed = [one["item"] for one in records(campaign) if one["class"] == "disputed"]
    files = decisions(tmp_path, {"item": disputed[0], "set": {"class": "A"}})
    result = collect(campaign, files, when=day(2))
    by_item = {one["item"]: one for one in records(campaign)}
    assert by_item[disputed[0]]["class"] == "A"
    assert not by_item[disputed[0]].get("excluded")
    assert all(by_item[item]["excluded"] for item in disputed[1:])
    unknown = [one.item for one in result.findings if one.check == "unknown-class"]
    assert disputed[0] not in unknown
    assert {*disputed[1:]} <= {*unknown}


def test_decisions_stay_when_a_site_corrects_its_file_and_later_ones_count(tmp_path):
    campaign = collected(tmp_path, ALL)
    item = next(f"bbn/{one['item']}" for one in ALL["bbn"] if one["class"] == "A")
    for number, text in ((2, "((7))"), (3, "((8))")):
        files = decisions(tmp_path, {"item": item, "set": {"min": text}})
        collect(campaign, files, when=day(number))
    collect_sites(campaign, tmp_path, {"bbn": ALL["bbn"]}, when=4)
    by_item = {one["item"]: one for one in records(campaign)}
    assert by_item[item]["min"] == "((8))"
    assert "max" not in by_item[item]  # it was said of the former answer


def test_a_decision_on_an_unknown_question_is_refused(tmp_path):
    campaign = collected(tmp_path, ALL)
    files = decisions(tmp_path, {"item": "bbn/1-11", "remove": True})
    refuses(
        "item must be one that has a reference", collect, campaign, files, when=day(2)
    )
    assert len(facts(campaign)) == 1


# -- hostile files ---------------------------------------------------------------------


def broken_file(tmp_path):
    lines = [json.dumps(one) for one in site_questions("cmu")]
    lines[6] = lines[6][:40]
    path = tmp_path / "cmu.jsonl"
    path.write_text("\n".join(lines))
    return str(path)


def files_with_a_broken_one(tmp_path):
    sites = written_sites(tmp_path, {"bbn": ALL["bbn"], "sri": ALL["sri"]})
    return {"bbn": sites["bbn"], "cmu": [broken_file(tmp_path)], "sri": sites["sri"]}


def test_a_broken_line_stops_its_site_alone(tmp_path):
    campaign = new_campaign(tmp_path)
    files = CollectedFiles(
        sites=files_with_a_broken_one(tmp_path),
        labels=[write(tmp_path / "labels.jsonl", labels_of(ALL))],
    )
    result = collect(campaign, files, when=day(1))
    (site,) = result.broken
    assert str(site).startswith(f"cmu: {tmp_path}/cmu.jsonl:7: ")
    assert {one["contributor"] for one in records(campaign)} == {"bbn", "sri"}
    assert result.folded.left_out == 3 * 35
    (entry,) = facts(campaign)
    assert entry["broken"] == {"cmu": "cmu.jsonl:7"}


def test_asked_for_all_a_broken_line_stops_all(tmp_path):
    campaign = new_campaign(tmp_path)
    files = CollectedFiles(sites=files_with_a_broken_one(tmp_path))
    message = r"cmu: .*cmu.jsonl:7: "
    with pytest.raises(demur.InputError, match=message):
        collect(campaign, files, when=day(1), together=True)
    assert not facts(campaign)
    assert not any((campaign.path / "questions").iterdir())


def test_a_site_that_is_broken_now_stays_as_it_was(tmp_path):
    campaign = collected(tmp_path, ALL)
    first = records(campaign)
    files = CollectedFiles(sites={"cmu": [broken_file(tmp_path)]})
    assert len(collect(campaign, files, when=day(2)).broken) == 1
    assert records(campaign) == first


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"item": "q1"}, "item must be listed once; got 'bbn/q"),
        ({"item": "q2", "contributor": "sri"}, "contributor must be 'bbn'; got 'sri'"),
        ({"item": "q2", "excluded": "perhaps"}, "excluded must be true or false"),
        ({"item": "q2", "reset": 2}, "reset must be true or false"),
        ({"item": ""}, "item must"),
        ({"item": "q2", "contributed_id": "q2"}, "contributed_id must come with"),
        (
            {"item": "sri/q2", "contributor": "bbn", "contributed_id": "q2"},
            "item must be",
        ),
    ],
)
def test_a_site_with_a_record_that_is_none_is_named_with_its_line(
    tmp_path, second, message
):
    campaign = new_campaign(tmp_path)
    sites = {"bbn": one_dialogue({"item": "q1"}, second), "sri": ALL["sri"]}
    (site,) = collect_sites(campaign, tmp_path, sites).broken
    assert str(site).startswith(f"bbn: {tmp_path}/bbn.jsonl:2: ")
    assert message in str(site)


def test_two_sites_may_use_one_id_and_one_subject(tmp_path):
    campaign = new_campaign(tmp_path)
    same = one_dialogue({"item": "q1"}, {"item": "q2", "context": "q1", "class": "D"})
    collect_sites(campaign, tmp_path, {"bbn": same, "sri": same})
    listed = records(campaign)
    assert [one["item"] for one in listed] == ["bbn/q1", "bbn/q2", "sri/q1", "sri/q2"]
    assert listed[3]["context"] == ["sri/q1"] or listed[3]["context"] == "sri/q1"
    assert {one["subject"] for one in listed} == {"bbn/s", "sri/s"}
    assert {one["cluster"] for one in listed} == {"bbn/d", "sri/d"}


def test_a_site_that_leans_on_the_context_of_another_is_found_and_cannot_part(tmp_path):
    campaign = new_campaign(tmp_path)
    thief = one_dialogue({"item": "q1", "class": "D", "context": "bbn/1-1"})
    sites = {"bbn": ALL["bbn"], "sri": [*thief, *ALL["sri"]]}
    result = collect_sites(campaign, tmp_path, sites)
    found = {(one.item, one.check) for one in result.findings}
    assert ("sri/q1", "other-cluster") in found
    torn = []
    for seed in range(6):
        folder = tmp_path / f"again{seed}"
        shutil.copytree(campaign.path, folder)
        rules = FreezingRules(seed=seed)
        try:
            freeze(Campaign(folder), rules, when=day(2))
        except demur.InputError as error:
            torn.append(str(error))
            assert not list(Campaign(folder).events("frozen"))
    assert torn
    assert all("'sri/q1' parted from theirs" in text for text in torn)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_odd_encodings_and_markup_are_kept_letter_by_letter(tmp_path, encoding):
    campaign = new_campaign(tmp_path)
    text = "Wer fliegt <b>früh</b> nach Łódź & zurück?\u2028 \x7f '; DROP TABLE--"
    row = {"item": "q1", "cluster": "d", "input": text, "reference": "nobody at all"}
    path = tmp_path / "bbn.jsonl"
    path.write_bytes((json.dumps(row, ensure_ascii=False) + "\n").encode(encoding))
    collect(campaign, CollectedFiles(sites={"bbn": [str(path)]}), when=day(1))
    public = (campaign.path / "questions/0001/questions.jsonl").read_bytes()
    assert json.loads(public)["input"] == text


def test_a_table_of_another_form_is_read_too(tmp_path):
    campaign = new_campaign(tmp_path)
    path = tmp_path / "bbn.csv"
    path.write_text('item,cluster,class,input,reference,context\nq1,d,A,Who?,BF,\n'
                    'q2,d,D,And?,MS,"[""q1""]"\n')  # fmt: skip
    collect(campaign, CollectedFiles(sites={"bbn": [str(path)]}), when=day(1))
    assert records(campaign)[1]["context"] == ["bbn/q1"]


def test_what_columns_are_called_is_asked_for_and_taken(tmp_path):
    path = tmp_path / "bbn.csv"
    path.write_text("id,question,answer\nq1,Who?,Lem\n", "utf-8")
    campaign = new_campaign(tmp_path)
    files = CollectedFiles(sites={"bbn": [str(path)]})
    message = "must include item, and reference or .*Type --reference-columns 'item=id"
    refuses(message, collect, campaign, files, when=day(1))
    files = CollectedFiles(sites=files.sites, columns="item=id, reference=answer")
    said = collect(campaign, files, when=day(1)).notes
    assert said == ("1 question without input: nothing to ask",)
    columns = "item=id, input=question, reference=answer"
    files = CollectedFiles(sites={"bbn": [str(path)]}, columns=columns)
    collect(campaign, files, when=day(1))
    (one,) = records(campaign)
    assert (one["item"], one["input"], one["reference"]) == ("bbn/q1", "Who?", "Lem")


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a b", "x\n"])
def test_a_site_has_a_name_that_is_no_path(tmp_path, name):
    campaign = new_campaign(tmp_path)
    files = CollectedFiles(sites={name: ["none.jsonl"]})
    refuses("the name of a site must be", collect, campaign, files, when=day(1))


def test_an_empty_file_is_a_broken_one(tmp_path):
    campaign = new_campaign(tmp_path)
    empty = tmp_path / "cmu.jsonl"
    empty.write_text("")
    files = CollectedFiles(sites={"cmu": [str(empty)]})
    refuses("cmu: ", collect, campaign, files, when=day(1))
    refuses("name a site's file", collect, campaign, CollectedFiles(), when=day(1))


def test_the_log_says_nothing_of_answers(tmp_path):
    campaign = collected(tmp_path, ALL, labels_of(ALL), MEANINGS)
    log = (campaign.path / "log.jsonl").read_text()
    for record in (one for listed in ALL.values() for one in listed):
        for name in ("sql", "min", "max", "why", "input"):
            assert record.get(name, "\0") not in log
