"""Merging challenge sets: all is kept, with its provenance, and likeness is told."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demur import InputError, iter_records, merge
from demur.references.merging import contributors_of


def question(item="q1", text="Who flies?", **rest):
    return {"item": item, "input": text, **({"reference": "BF"} | rest)}


def pairs(merged):
    return [(each.item, each.check) for each in merged.findings]


def one_each(first, second):
    """The finding about the second of two questions, if there is one."""
    merged = merge({"ada": [first], "bo": [second]})
    return [each.check for each in merged.findings]


# -- names and provenance ------------------------------------------------------------


def test_all_is_kept_and_says_where_it_comes_from():
    merged = merge(
        {
            "ada": [question(cluster="d1", subject="s1", extra=[1])],
            "bo": [question(text="Which?", cluster="d1", subject="s1")],
        },
        apart=["subject"],
    )
    assert merged.records[0] == {
        "item": "ada/q1",
        "input": "Who flies?",
        "reference": "BF",
        "cluster": "ada/d1",
        "subject": "ada/s1",
        "extra": [1],
        "contributor": "ada",
        "contributed_id": "q1",
    }
    assert merged.records[1]["cluster"] == "bo/d1"
    assert merged.contributed == {"ada": 1, "bo": 1}
    assert merged.findings == merged.notes == ()


def test_subjects_are_kept_apart_only_if_asked():
    merged = merge({"ada": [question(subject="s1")]})
    assert merged.records[0]["subject"] == "s1"


def test_context_follows_the_new_names():
    merged = merge(
        {"ada": [question(), question("q2", "And?", context=["q1", "elsewhere"])]}
    )
    assert merged.records[1]["context"] == ["ada/q1", "elsewhere"]


@pytest.mark.parametrize(
    ("item", "context", "followed"),
    [
        ("q1", "q1", "ada/q1"),
        ("q1", ("q1", "x"), ["ada/q1", "x"]),
        (7, 7, "ada/7"),
        (7, [7, "7", 8], ["ada/7", "ada/7", 8]),
        ("q1", '["q1", "x"]', ["ada/q1", "x"]),
        (7, "[7]", ["ada/7"]),
        ("[7]", "[7]", "ada/[7]"),
        ("q1", "x", "x"),
        ("q1", '["x"]', '["x"]'),
        ("q1", "[laughs]", "[laughs]"),
        ("q1", '{"q1": 1}', '{"q1": 1}'),
        ("q1", "[" * 100_000, "[" * 100_000),
        ("q1", "", ""),
        ("q1", None, None),
    ],
)
def test_a_context_in_any_form_follows(item, context, followed):
    records = [question(item), question("q2", "And?", context=context)]
    assert merge({"ada": records}).records[1]["context"] == followed


def test_the_context_of_a_table_follows(tmp_path):
    path = tmp_path / "ada.csv"
    path.write_text(
        "item,input,reference,context\n"
        'q1,Who?,x,\nq2,And?,y,q1\nq3,Or?,z,"[""q1"", ""q2""]"\n',
        "utf-8",
    )
    merged = merge({"ada": iter_records(path)})
    contexts = [each.get("context") for each in merged.records]
    assert contexts[1:] == ["ada/q1", ["ada/q1", "ada/q2"]]


def test_a_context_that_was_merged_before_keeps_its_name():
    first = merge({"ada": [question()]}).records
    follow = question("q2", "And?", context=["ada/q1", "q2"])
    merged = merge({"both": [*first, follow]})
    assert merged.records[1]["context"] == ["ada/q1", "both/q2"]


def test_a_merged_set_merges_again_under_its_names():
    first = merge({"ada": [question()], "bo": [question("q2", "Which?")]})
    again = merge({"both": first.records, "cy": [question("q3", "When?")]})
    assert [each["item"] for each in again.records] == ["ada/q1", "bo/q2", "cy/q3"]
    assert again.contributed == {"ada": 1, "bo": 1, "cy": 1}


names = st.text("abc/", min_size=1, max_size=3)
sets = st.dictionaries(
    st.sampled_from(["ada", "bo", "cy"]),
    st.dictionaries(names, st.sampled_from(["Who?", "which", "When "]), min_size=1),
    min_size=1,
)


@given(sets)
def test_nothing_is_lost_and_every_name_is_its_own(given):
    merged = merge(
        {
            who: [question(item, text) for item, text in items.items()]
            for who, items in given.items()
        }
    )
    back = [(each["contributor"], each["contributed_id"]) for each in merged.records]
    assert back == [(who, item) for who, items in given.items() for item in items]
    assert len({each["item"] for each in merged.records}) == len(back)
    assert merged.contributed == Counter(who for who, _ in back)
    # Each question after the first like it is reported, and no other.
    texts = [each["input"].strip(" ?").lower() for each in merged.records]
    again = [
        each["item"]
        for at, each in enumerate(merged.records)
        if texts[at] in texts[:at]
    ]
    assert [each.item for each in merged.findings] == again


# -- equal questions -----------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["who flies", "WHO FLIES?", " Who  flies ?!", "\uff37ho flies?"]
)
def test_questions_are_the_same_whatever_their_looks(text):
    assert one_each(question(), question("q7", text)) == ["same-question"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (question(), question(text="Who flew?")),
        (question(db="one.sqlite"), question(db="two.sqlite")),
        (question(context=["q0"]), question()),
        (question(text=""), question(text="")),
        (question(text=None), question(text=None)),
    ],
)
def test_other_questions_are_not_compared(first, second):
    assert one_each(first, second) == []


def test_the_same_words_in_another_context_are_another_question():
    def dialogue(opening):
        return [question("q1", opening), question("q2", "And?", context=["q1"])]

    merged = merge({"ada": dialogue("Who?"), "bo": dialogue("When?")})
    assert pairs(merged) == []
    merged = merge({"ada": dialogue("Who?"), "bo": dialogue("who")})
    assert pairs(merged) == [("bo/q1", "same-question"), ("bo/q2", "same-question")]


@pytest.mark.parametrize("context", [None, "", []])
def test_no_context_is_none_in_any_form(context):
    assert one_each(question(), question(context=context)) == ["same-question"]


def test_one_context_is_a_list_of_one():
    ada = [question("q1", "Who?"), question("q2", "And?", context="q1")]
    bo = [question("q7", "who"), question("q8", "and", context=["q7"])]
    merged = merge({"ada": ada, "bo": bo})
    assert pairs(merged) == [("bo/q7", "same-question"), ("bo/q8", "same-question")]


def test_the_folder_of_a_database_is_no_matter():
    assert one_each(question(db="a/x.db"), question(db="b/x.db")) == ["same-question"]


@pytest.mark.parametrize(
    ("first", "second", "conflict"),
    [
        ({"reference": "BF"}, {"references": ["BF"]}, False),
        ({"reference": "BF"}, {"reference": "MS"}, True),
        ({"reference": 1}, {"reference": 1.0}, False),
        ({"reference": "1"}, {"reference": 1}, True),
        ({"references": ["BF", "MS"]}, {"references": ["BF"]}, True),
        ({"answerable": False}, {"reference": "BF"}, True),
        ({"answerable": False}, {"answerable": False}, False),
        ({"min": "(1)", "max": "(1)"}, {"min": "(1)", "max": "((1 2))"}, True),
        ({"sql": "SELECT 1"}, {"sqls": ["SELECT  1"]}, False),
        ({"sql": "SELECT 1"}, {"sql": "SELECT 2"}, True),
        (
            {"sql": "SELECT a WHERE x='GREY'"},
            {"sql": "select A where X = 'GREY'"},
            False,
        ),
        ({"sql": 'SELECT "a" FROM [t];'}, {"sql": "SELECT a\nFROM t -- all"}, False),
        ({"sql": "SELECT a WHERE x='GREY'"}, {"sql": "SELECT a WHERE x='grey'"}, True),
        ({"sql": "SELECT a WHERE x='a b'"}, {"sql": "SELECT a WHERE x='a  b'"}, True),
        ({"sql": 'SELECT a WHERE x="GREY"'}, {"sql": 'SELECT a WHERE x="grey"'}, True),
        ({"sql": "SELECT (("}, {"sql": "SELECT (( "}, False),
        ({"sqls": [{"value": "SELECT A"}]}, {"sqls": [{"value": "select a"}]}, False),
        ({"sql": "SELECT 1"}, {"reference": "1"}, False),
        (
            {"sql": "SELECT 1", "reference": "1"},
            {"sql": "SELECT 2-1", "reference": "1"},
            False,
        ),
    ],
)
def test_references_that_contradict_each_other_are_told(first, second, conflict):
    asked = {"item": "q1", "input": "Who?"}
    expected = "conflicting-reference" if conflict else "same-question"
    assert one_each({**asked, **first}, {**asked, **second}) == [expected]


def test_a_finding_names_both_places():
    merged = merge(
        {
            "ada": [("ada.jsonl:3", question())],
            "bo": [("bo.jsonl:9", question("q7", reference="MS"))],
        }
    )
    assert str(merged.findings[0]) == (
        "bo.jsonl:9: bo/q7: conflicting-reference: another answer to the question of "
        "ada/q1 (ada.jsonl:3): 'BF' there, 'MS' here"
    )


def test_a_finding_quotes_queries_as_they_were_typed():
    asked = {"item": "q1", "input": "Who?"}
    sets = {"ada": "select  1", "bo": "select  2"}
    merged = merge({name: [{**asked, "sql": sql}] for name, sql in sets.items()})
    assert merged.findings[0].message.endswith("'select  1' there, 'select  2' here")


def test_questions_that_lean_on_nobody_knows_what_are_not_compared():
    leaning = {"item": "q1", "input": "And to Oslo?", "class": "D"}
    sets = {"ada": [{**leaning, "reference": 1}], "bo": [{**leaning, "reference": 2}]}
    assert merge(sets).findings == ()


def test_a_contributor_may_ask_twice():
    merged = merge({"ada": [question(), question("q2")]})
    assert pairs(merged) == [("ada/q2", "same-question")]


@pytest.mark.parametrize(
    ("field", "value", "starts"),
    [
        ("input", None, "1 references without"),
        ("input", "", "1 references without"),
        ("db", "x", "paths in db"),
        ("meanings", ["M1"], "ids in meanings"),
        ("db", None, None),
        ("meanings", None, None),
    ],
)
def test_what_a_reader_must_know_is_noted_if_one_record_has_it(field, value, starts):
    notes = merge({"ada": [question(), {**question("q2"), field: value}]}).notes
    assert len(notes) == (starts is not None)
    assert all(note.startswith(starts) for note in notes)


# -- what is refused -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([question(), question()], "got 'ada/q1' again, first at ada: record 1"),
        ([{"item": "q1", "input": "?"}], "ada: record 1"),
        ([{"input": "?", "reference": 1}], "ada: record 1"),
        ([question(contributor="x")], "contributor must come with contributed_id"),
        ([question(contributed_id="x")], "contributed_id must come with contributor"),
    ],
)
def test_what_is_no_set_of_references_is_refused(records, said):
    with pytest.raises(InputError) as caught:
        merge({"ada": records})
    assert said in str(caught.value)


def test_contributors_are_named_by_files_or_by_hand():
    assert contributors_of(["x/ada.v2.jsonl", "-"], None) == ["ada", "-"]
    assert contributors_of(["a.jsonl", "b.jsonl"], ["x", "y"]) == ["x", "y"]
    with pytest.raises(InputError, match="Name them with --contributors"):
        contributors_of(["x/a.jsonl", "y/a.jsonl"], None)
    with pytest.raises(InputError, match="be one for each of 2 files; got 1"):
        contributors_of(["a.jsonl", "b.jsonl"], ["x"])


def test_the_order_of_alternatives_is_no_conflict():
    def checks(one, other):
        sets = {
            "a": [{"item": "1", "input": "Which?", **one}],
            "b": [{"item": "1", "input": "which", **other}],
        }
        return [each.check for each in merge(sets).findings]

    one, other = ["SELECT 1", "SELECT 2"], ["SELECT 2", "SELECT 1"]
    assert checks({"sqls": one}, {"sqls": other}) == ["same-question"]
    assert checks({"references": [1, 2]}, {"references": [2, 1]}) == ["same-question"]
    weighted = [{"sqls": each, "weights": [1, 0.5]} for each in (one, other)]
    assert checks(*weighted) == ["conflicting-reference"]
    assert checks({"sqls": one}, {"sqls": one[:1]}) == ["conflicting-reference"]
