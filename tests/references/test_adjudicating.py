"""Judging again with changed references: all systems, and only what has changed."""

import json
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur import InputError, Reference, adjudicate
from demur.outcomes.fields import OUTCOMES
from sql_cases import sqlite_file

pytestmark = pytest.mark.usefixtures("kept_workers")

REFERENCES = [
    {"item": "q1", "reference": "x"},
    {"item": "q2", "references": ["x", {"value": "y", "weight": 0.5}]},
    {"item": "q3", "reference": "z", "weight": 2},
]
ITEMS = ("q1", "q2", "q3")


def said(**answers):
    """Responses: one letter for each item, a dash for none."""
    return [
        {
            "item": item,
            "system": system,
            "response": None if letter == "-" else letter,
        }
        for system, letters in answers.items()
        for item, letter in zip(ITEMS, letters, strict=True)
    ]


def change(item, **rest):
    return {"item": item, "by": "Ada", "why": "so", **rest}


def listed(found):
    return [(each.item, each.system, each.before, each.after) for each in found.changes]


def verdicts(outcomes):
    items, systems = map(str, outcomes.item), outcomes.system
    names = [OUTCOMES[code] for code in outcomes.outcome]
    return dict(zip(zip(items, systems, strict=True), names, strict=True))


def credits_of(outcomes):
    if outcomes.credit is None:
        return [float(code == 0) for code in outcomes.outcome]
    return outcomes.credit.tolist()


def test_all_systems_are_judged_again():
    found = adjudicate(
        said(a="xxz", b="yyz", c="---"),
        REFERENCES,
        [change("q1", set={"references": ["x", "y"]}), change("q2", remove=True)],
    )
    assert listed(found) == [
        ("q1", "b", "wrong", "right"),
        ("q2", "a", "right", "removed"),
        ("q2", "b", "right", "removed"),
        ("q2", "c", "unanswered", "removed"),
    ]
    assert {each.system: each.after["items"] for each in found.standings} == {
        "a": 2, "b": 2, "c": 2
    }  # fmt: skip
    assert found.without_effect == ()
    assert found.before.counts()["wrong"] == 1


def test_credit_changes_are_changes():
    found = adjudicate(
        said(a="-y-"), REFERENCES, [change("q2", set={"references": ["x", "y"]})]
    )
    (only,) = found.changes
    assert (only.before, only.after) == ("right", "right")
    assert (only.credit_before, only.credit_after) == (0.5, 1.0)
    assert (only.reason_before, only.by, only.why) == (
        "alternative 2 of 2, credit 0.5",
        "Ada",
        "so",
    )


def test_ranks_are_by_credit_and_weight():
    found = adjudicate(
        said(a="xx-", b="--z", c="-y-", d="--z"),
        REFERENCES,
        [change("q1", set={"reference": "n"}), change("q3", set={"cluster": "d"})],
    )
    assert {
        each.system: (each.right_before, each.rank_before, each.rank_after)
        for each in found.standings
    } == {
        "a": (2 / 4, 1, 3),
        "b": (2 / 4, 1, 1),
        "c": (0.5 / 4, 4, 4),
        "d": (2 / 4, 1, 1),
    }
    assert found.without_effect == ("q3",)


def test_a_weight_is_an_effect_and_is_told():
    changes = [change("q3", set={"weight": 5}), change("q1", set={"weight": 1})]
    found = adjudicate(said(a="xx-", b="--z"), REFERENCES, changes)
    assert [each.rank_after for each in found.standings] == [2, 1]
    assert found.changes == ()
    assert found.without_effect == ("q1",)
    assert found.notes == ("q3: weight 2 -> 5",)
    assert found.to_dict()["notes"] == ["q3: weight 2 -> 5"]


def test_a_weight_of_all_others_is_one():
    references = [{"item": item, "reference": "x"} for item in ITEMS]
    found = adjudicate(said(a="x--"), references, [change("q1", set={"weight": 0.5})])
    assert found.notes == ("q1: weight 1 -> 0.5",)
    assert found.without_effect == ()


def test_notes_say_what_goes_with_an_old_answer():
    references = [{"item": "q1", "reference": "(1)", "max": "((1 2))", "sql": "-"}]
    found = adjudicate(
        said(a="1--")[:1],
        references,
        [change("q1", set={"reference": "(2)"})],
        by="cas",
    )
    assert found.notes == (
        "q1: setting reference drops what was said of the old one: max",
        "q1: setting reference does not change sql, which may be of the old one",
    )


@pytest.mark.parametrize("field", ["mode", "weights", "cluster"])
def test_a_fault_that_judging_finds_names_the_adjudication(field):
    changes = [change("q2", remove=True), change("q3", set={field: [1, 2]})]
    with pytest.raises(InputError) as caught:
        adjudicate(said(a="123"), REFERENCES, changes, by="cas")
    assert str(caught.value).startswith(f"adjudications: record 2: {field} must be ")


def test_references_are_counted_as_they_were_given():
    known = [
        Reference(item="q1", alternatives=(("x", 1.0),)),
        Reference(item="q2", answerable=False),
    ]
    changes = [change("q1", remove=True), change("q2", set={"answerable": True})]
    with pytest.raises(InputError) as caught:
        adjudicate(said(a="xxx")[:2], known, changes)
    assert str(caught.value).startswith(
        "adjudications: record 2, of references: record 2: a reference must give at "
    )


def test_there_must_be_references():
    with pytest.raises(InputError, match=r"^judge: references must hold at least one"):
        adjudicate(said(a="xyz"), [], [])


def test_a_fault_of_another_kind_is_not_laid_on_an_adjudication():
    with pytest.raises(InputError, match=r"^responses: record 1: a record must have"):
        adjudicate([{"item": "q1"}], REFERENCES, [change("q1", set={"weight": 2})])
    only = [change("q1", remove=True)]
    with pytest.raises(InputError, match=r"^judge: responses must hold at least one"):
        adjudicate(said(a="x--")[:1], REFERENCES, only, missing="unanswered")


def test_faulty_adjudications_are_found_before_anything_is_judged():
    def never(*_):
        raise AssertionError

    with pytest.raises(InputError, match=r"^adjudications: record 1: a field of set"):
        adjudicate(said(a="xyz"), REFERENCES, [change("q1", set={"x": 1})], by=never)


def database(path, value):
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE t (a)")
        made.execute("INSERT INTO t VALUES (?)", (value,))
        made.commit()


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("new", [{"class": "A"}, {"db": "x.sqlite", "class": "A"}])
def test_databases_are_those_of_the_references(tmp_path, there, new):
    database(tmp_path / "refs" / "x.sqlite", 1)
    (tmp_path / "adj").mkdir()
    if there:
        database(tmp_path / "adj" / "x.sqlite", 2)
    sql = {"item": "q", "sql": "SELECT a FROM t", "db": "x.sqlite"}
    for folder, record in (("refs", sql), ("adj", change("q", set=new))):
        (tmp_path / folder / "a.jsonl").write_text(json.dumps(record), "utf-8")
    found = adjudicate(
        [{"item": "q", "response": "SELECT 1"}],
        demur.read_references(tmp_path / "refs" / "a.jsonl"),
        demur.read_adjudications(tmp_path / "adj" / "a.jsonl"),
        by="sql",
    )
    assert [found.before.counts()["right"], found.outcomes.counts()["right"]] == [1, 1]


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ({"db": "../x"}, ": db must be a path inside the folder of databases"),
        ({"max_sqls": ["SELECT 1", None]}, ": max_sqls must be one for each of 1"),
        ({"sql": [1]}, ", of {refs}:1: sqls must hold SQL as text"),
    ],
)
def test_faults_of_queries_name_the_adjudication(tmp_path, new, said):
    database(tmp_path / "x.sqlite", 1)
    refs = tmp_path / "refs.jsonl"
    sql = {"item": "q", "sql": "SELECT a FROM t", "db": "x.sqlite"}
    refs.write_text(json.dumps(sql), "utf-8")
    with pytest.raises(InputError) as caught:
        adjudicate(
            [{"item": "q", "response": "SELECT 1"}],
            demur.read_references(refs),
            [change("q", set=new)],
            by="sql",
        )
    place = "adjudications: record 1"
    assert str(caught.value).startswith(place + said.format(refs=refs))


def test_a_new_query_is_not_beyond_the_old_maximum(tmp_path):
    database(tmp_path / "x.sqlite", 1)
    sql = {"sql": "SELECT a FROM t", "max_sql": "SELECT a, 7 FROM t", "max": "((1 7))"}
    found = adjudicate(
        [{"item": "q", "response": "SELECT a, 8 FROM t"}],
        [{"item": "q", **sql}],
        [change("q", set={"sql": "SELECT a, 8 FROM t"})],
        by="sql",
        databases=tmp_path / "x.sqlite",
    )
    assert [(each.before, each.after) for each in found.changes] == [("wrong", "right")]
    assert found.notes == (
        "q: setting sql drops what was said of the old one: max, max_sql",
    )


def test_reasons_of_several_changes_of_one_item():
    found = adjudicate(
        said(a="y--"),
        REFERENCES,
        [
            {"item": "q1", "by": "Bo", "why": "one", "set": {"reference": "y"}},
            {"item": "q1", "by": "Cy", "why": "two", "set": {"cluster": "d"}},
        ],
    )
    assert (found.changes[0].by, found.changes[0].why) == ("Bo; Cy", "one; two")


def test_the_signature_holds_number_and_hash():
    one = [change("q1", set={"reference": "y"})]
    found = adjudicate(said(a="xyz"), REFERENCES, one)
    marked = found.outcomes.recipe["adjudications"]
    assert marked == f"1 {found.to_dict()['hash']}"
    assert "adjudications" not in found.before.recipe
    other = adjudicate(said(a="xyz"), REFERENCES, [change("q1", remove=True)])
    assert other.outcomes.recipe["adjudications"] != marked


def test_policies_and_comparators_are_those_of_judge():
    found = adjudicate(
        said(a="X--")[:1],
        REFERENCES,
        [change("q3", remove=True)],
        by="label",
        missing="unanswered",
    )
    assert found.before.counts() == {
        "right": 0, "wrong": 1, "unanswered": 2, "ungraded": 0
    }  # fmt: skip
    assert len(found.outcomes) == 2
    with pytest.raises(InputError, match="every item must have a response"):
        adjudicate(said(a="X--")[:1], REFERENCES, [])


def test_settings_are_told_apart():
    responses = [
        {"item": "q1", "system": "a", "setting": "s", "response": "y"},
        {"item": "q1", "system": "a", "setting": "t", "response": "x"},
    ]
    found = adjudicate(
        responses, REFERENCES[:1], [change("q1", set={"reference": "y"})]
    )
    assert [(each.system, each.after) for each in found.changes] == [
        ("a, s", "right"),
        ("a, t", "wrong"),
    ]


answers = st.dictionaries(
    st.sampled_from("abc"), st.text("xyz-", min_size=3, max_size=3), min_size=1
)
changes = st.dictionaries(
    st.sampled_from(ITEMS[:2]),
    st.one_of(
        st.just({"remove": True}),
        st.sampled_from("xyz").map(lambda value: {"set": {"reference": value}}),
        st.just({"set": {"answerable": False}}),
    ),
)


@given(answers)
def test_no_adjudication_changes_nothing(given):
    found = adjudicate(said(**given), REFERENCES, [])
    plain = demur.judge(said(**given), REFERENCES)
    assert found.changes == ()
    for outcomes in (found.before, found.outcomes):
        assert outcomes.to_columns() == plain.to_columns()
    assert found.outcomes.recipe == {**plain.recipe, "adjudications": "0"}
    for each in found.standings:
        assert each.before == each.after
        assert each.rank_before == each.rank_after
        assert each.right_before == each.right_after


@given(answers, changes)
def test_changes_are_the_whole_difference(given, decided):
    found = adjudicate(
        said(**given),
        REFERENCES,
        [change(item, **rest) for item, rest in decided.items()],
    )
    before, after = verdicts(found.before), verdicts(found.outcomes)
    earned = [
        dict(zip(verdicts(each), credits_of(each), strict=True))
        for each in (found.before, found.outcomes)
    ]
    changed = {
        (each.item, each.system): (each.before, each.after) for each in found.changes
    }
    for key, name in before.items():
        now = after.get(key, "removed")
        same = name == now and earned[0][key] == earned[1][key]
        assert changed.get(key, (name, name)) == (name, now)
        assert (key in changed) is not same
        assert same or key[0] in decided
    for each in found.standings:
        part = found.outcomes.select(system=each.system)
        assert {**part.counts(), "items": len(part)} == each.after


def test_ranks_go_by_the_weighted_error_where_it_is_named():
    """As many right, more wrong: the same rank by right %, another by what wrong costs.

    Of six items shy has 3 right and 3 unanswered, bold 3 right and 3 wrong.
    """
    references = [{"item": f"q{at}", "reference": "x"} for at in range(6)]
    responses = [
        {
            "item": f"q{at}",
            "system": system,
            "response": letter if letter > "-" else None,
        }
        for system, letters in (("bold", "xxxyyy"), ("shy", "xxx---"))
        for at, letter in enumerate(letters)
    ]
    # Two of the wrong answers turn out to be right.
    new = [change(f"q{at}", set={"references": ["x", "y"]}) for at in (3, 4)]
    plain = adjudicate(responses, references, new)
    assert [one.rank_before for one in plain.standings] == [1, 1]
    assert plain.ranked_by == "right %"
    assert {one.weighted_before for one in plain.standings} == {None}
    found = adjudicate(responses, references, new, weight=2)
    ranks = {one.system: (one.rank_before, one.rank_after) for one in found.standings}
    assert ranks == {"bold": (2, 1), "shy": (1, 2)}
    bold, shy = found.standings
    assert (bold.weighted_before, bold.weighted_after) == (1.0, pytest.approx(1 / 3))
    assert (shy.weighted_before, shy.weighted_after) == (0.5, 0.5)
    for part, standing in zip(("bold", "shy"), found.standings, strict=True):
        scores = demur.score(found.outcomes, weights=[2]).scores
        [after] = [one.weighted[0].high for one in scores if one.system == part]
        assert standing.weighted_after == after
    text = str(found)
    assert "100.0 -> 33.3" in text
    assert "rank: by weighted error % at weight 2" in " ".join(text.split())
    assert found.to_dict()["ranked_by"] == "weighted error % at weight 2"
    # At a light weight guessing pays.
    light = adjudicate(responses, references, new, weight=0.5)
    assert [one.rank_before for one in light.standings] == [1, 2]


@pytest.mark.parametrize("weight", [0, -1, "2", float("nan")])
def test_what_is_no_weight_is_refused(weight):
    with pytest.raises(InputError, match="a weight must be above 0"):
        adjudicate(
            said(a="xxx"), REFERENCES, [change("q1", remove=True)], weight=weight
        )


def test_a_removed_system_loses_nothing_and_is_ranked():
    lone = [{"item": "q1", "system": "b", "response": "x"}, *said(a="xxz")]
    how = {"weight": 2, "missing": "leave_out"}
    found = adjudicate(lone, REFERENCES, [change("q1", remove=True)], **how)
    assert [one.weighted_after for one in found.standings] == [0.0, 0.0]


def test_ranks_count_those_who_are_better():
    rng = np.random.default_rng(0)
    systems = {name: "".join(rng.choice([*"xyz-"], 3)) for name in "abcdefgh"}
    found = adjudicate(said(**systems), REFERENCES, [change("q1", remove=True)])
    for each in found.standings:
        better = [
            other for other in found.standings if other.right_after > each.right_after
        ]
        assert each.rank_after == 1 + len(better)


def test_an_adjudication_that_cannot_run_is_said(tmp_path):
    sqlite_file(tmp_path / "one.sqlite", "CREATE TABLE t (a INT);")
    found = demur.adjudicate(
        [{"item": item, "response": "SELECT 1"} for item in "12"],
        [{"item": item, "db": "one.sqlite", "sql": "SELECT 1"} for item in "12"],
        [{"item": "1", "by": "Ada", "why": "x", "set": {"sql": "SELECT b FROM t"}}],
        by="sql",
        databases=tmp_path,
    )
    said = (
        "item 1 as adjudicated cannot be judged: reference: sql error: no such column"
    )
    assert any(note.startswith(said) for note in found.notes)


def test_what_cannot_be_compared_as_adjudicated_is_named_whatever_its_words():
    changed = adjudicate(
        [{"item": "q1", "response": "3"}],
        [{"item": "q1", "reference": 3}],
        [
            {
                "item": "q1",
                "by": "mm",
                "why": "words",
                "set": {"references": ["three", "III"]},
            }
        ],
        by="number",
    )
    assert changed.outcomes.reason_code.tolist() == ["bad_reference"]
    assert any("item q1 as adjudicated cannot be judged" in n for n in changed.notes)
