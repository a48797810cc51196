"""Wrong answers that were not read: notes say what to type, and nothing else."""

import pytest

import demur


def notes(pairs, by, **how):
    responses, references = (
        [{"item": str(n), field: pair[part]} for n, pair in enumerate(pairs)]
        for part, field in enumerate(("response", "reference"))
    )
    found = demur.judge(responses, references, by=by, **how).notes
    return [note for note in found if not note.startswith("floor")]


def of(form, values):
    return [(form.format(value), value) for value in values]


@pytest.mark.parametrize(
    ("by", "pairs", "steps"),
    [
        ("number", of("#### {}", "567"), "final"),
        ("number", of("The answer is {}.", "567"), "final"),
        ("number(written=point)", of(r"so \boxed{{{}}}", "567"), "boxed"),
        ("text", of(r"so \boxed{{{}}}", "abc"), "boxed"),
        ("letters", of("The answer is ({})", "ABC"), "final"),
        ("json", [('Sure: {"a": 1}', {"a": 1})] * 3, "json"),
        ("json", [('{"answer": 3}', 3)] * 3, "json(field=answer)"),
        ("number", [("#### 5", "5"), (r"so \boxed{7}", "7")], "final+boxed"),
    ],
)
def test_the_steps_that_read_wrong_answers_are_named(by, pairs, steps):
    (note,) = [note for note in notes(pairs, by) if "extract=" in note]
    many = len(pairs)
    assert note.startswith(
        f"{steps} reads an answer in {many} of {many} wrong answers, and {many} of "
        f"these are right: extract='{steps}' (--extract "
    )
    assert not any("can be right" in note for note in notes(pairs, by))
    assert not any("wrong" in note for note in notes(pairs, by, extract=steps))


@pytest.mark.parametrize(
    ("by", "pairs"),
    [
        ("number", of("The answer is {}.", "567")[:1] + of("{}0", "123456")),
        ("text", [("The answer is Rome.", "Oslo")] * 5),
        ("number", [("I am 1 of 7", "9")] * 5),
        (lambda response, reference: response == reference, of("Answer: {}", "567")),
    ],
)
def test_no_steps_are_named_for_few_or_where_they_help_none(by, pairs):
    assert not any("extract" in note for note in notes(pairs, by))


def test_steps_for_queries_are_named_by_what_they_find(tmp_path):
    import sqlite3

    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE t (n INTEGER)")
    made.close()
    said = [("Here:\n```sql\nSELECT 1\n```", "SELECT 1")] * 3
    outcomes = demur.judge(
        [{"item": str(n), "response": text} for n, (text, _) in enumerate(said)],
        [{"item": str(n), "sql": sql} for n, (_, sql) in enumerate(said)],
        **{"by": "sql", "databases": str(path)},
    )
    assert (
        "fence reads an answer in 3 of 3 wrong answers: extract='fence' (--extract "
        "fence) reads it before comparing" in outcomes.notes
    )


def test_numbers_as_they_are_written_are_told_apart_from_sentences():
    (note,) = notes([("3 km", "3"), ("4", "4")], "number")
    assert note.startswith("1 wrong answer with other signs beside a number ('3 km')")
    assert not any("written=point" in it for it in notes([("#### 9", "8")], "number"))


def test_numbers_in_texts_are_no_other_kind_where_they_are_read():
    pairs = [("2", "30 minutes"), ("45", "46 min")]
    assert notes(pairs, "number(written=point)") == []
    assert "none can be right" in notes([("2", "a"), ("4", "b")], "text")[0]


@pytest.mark.parametrize("by", ["number", "number(written=point)"])
def test_points_between_thousands_are_read_with_a_decimal_comma(by):
    (note,) = notes([("1.500", 1500)], by)
    assert "by='number(written=comma)'" in note
    assert "by=number " not in note
    (note,) = notes([("1 500", "1500")], "text")
    assert "by='number(written=point)'" in note
    assert notes([("1.500", 1500)], "number(written=comma)") == []


@pytest.mark.parametrize(
    ("by", "pairs", "said"),
    [
        (
            "letters",
            [("B", "x y"), ("A", "A"), ("C", "zz")],
            "2 references could not be used, so that 2 answers are ungraded: the "
            "reference names no letter; such as that of item '0'",
        ),
        (
            "number",
            [("18", "17"), ("18", "abc"), ("17", "17")],
            "1 reference could not be used, so that 1 answer is ungraded: reference is "
            "not a number; it is that of item '1'",
        ),
    ],
)
def test_references_that_cannot_be_used_are_counted_and_shown(by, pairs, said):
    assert said in notes(pairs, by)


def test_no_floor_is_said_of_references_that_cannot_be_used():
    records = [{"item": "a", "reference": "abc"}, {"item": "b", "reference": "abc"}]
    said = [{"item": name, "response": "1"} for name in "ab"]
    found = demur.judge(said, records, by="number").notes
    assert not any(note.startswith("floor") for note in found)


def test_queries_of_references_that_fail_are_counted_and_shown(tmp_path):
    import sqlite3

    with sqlite3.connect(tmp_path / "a.sqlite") as made:
        made.execute("CREATE TABLE t (n INTEGER)")
    made.close()
    golds = [("SELECT m FROM t", "a.sqlite"), ("SELECT n FROM t", "b.sqlite")]
    golds.append(("SELECT n FROM t", "a.sqlite"))
    outcomes = demur.judge(
        [
            {"item": str(n), "system": system, "response": "SELECT n FROM t"}
            for n in range(3)
            for system in "xy"
        ],
        [{"item": str(n), "sql": sql, "db": db} for n, (sql, db) in enumerate(golds)],
        **{"by": "sql", "databases": str(tmp_path)},
    )
    assert (
        "2 references could not be used, so that 4 answers are ungraded: reference: "
        "sql error: no such column: m; such as that of item '0'" in outcomes.notes
    )
