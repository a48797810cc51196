"""What is right without a look: empty answers, one answer for all, old rules."""

import pytest

import demur
from builders import printed, refuses
from demur.answers.floors import BEGINS
from sql_cases import sqlite_file


def judged(references, answers, by, **how):
    responses = [
        {"item": f"q{number}", "response": answer}
        for number, answer in enumerate(answers)
    ]
    made = [
        {"item": f"q{number}", **reference}
        for number, reference in enumerate(references)
    ]
    return demur.judge(responses, made, by=by, **how)


def floors(outcomes):
    return [note for note in outcomes.notes if note.startswith(BEGINS)]


def test_the_floor_names_the_best_answer_to_all_items():
    words = ["yes", "no", "Yes", "yes ", "maybe"]
    outcomes = judged([{"reference": word} for word in words], words, "text")
    said = "floor: yes to every item is right on 3 of 5 (60.0 %)"
    assert floors(outcomes) == [said]
    outcomes = judged([{"reference": word} for word in words], words, "label")
    assert floors(outcomes) == []  # nothing is right twice
    several = [{"references": ["a", "b"]}, {"references": ["b", "c"]}]
    [floor] = floors(judged(several, ["a", "a"], "label"))
    assert floor == "floor: b to every item is right on 2 of 2 (100.0 %)"


def test_the_floor_of_tables():
    tables = [[], [], [], [[3]], [[3.0]], [["a", "b"]]]
    outcomes = judged([{"reference": table} for table in tables], tables, "relation")
    [floor] = floors(outcomes)
    said = "floor: the empty answer to every item is right on 3 of 6 (50.0 %), 3 on 2"
    assert floor == said
    [empty] = [note for note in outcomes.notes if "empty, as" in note]
    assert empty == (
        "3 right answers are empty, as their references are: any empty answer is "
        "right there; empty=wrong counts such answers as wrong"
    )
    strict = judged(
        [{"reference": table} for table in tables], tables, "relation(empty=wrong)"
    )
    assert strict.counts()["right"] == 3
    assert floors(strict) == ["floor: 3 to every item is right on 2 of 6 (33.3 %)"]
    assert strict.reason[0] == "both empty, which is wrong by empty=wrong"
    assert "empty=wrong" in strict.recipe["by"]
    assert not [note for note in strict.notes if "empty, as" in note]


@pytest.fixture
def database(tmp_path):
    return sqlite_file(tmp_path / "fares.sqlite")


GOLDS = [
    "SELECT flight FROM fare WHERE cents > 99999",
    "SELECT meal FROM fare WHERE cents < 0",
    "SELECT count(*) FROM fare",
    "SELECT flight FROM fare",
]


def test_the_floor_of_sql(database):
    references = [{"sql": sql, "db": database.name} for sql in GOLDS]
    cheat = ["SELECT name FROM sqlite_master WHERE 0"] * 4
    root = {"databases": database.parent}
    outcomes = judged(references, cheat, "sql", **root)
    said = "floor: the empty answer to every item is right on 2 of 4 (50.0 %)"
    assert floors(outcomes) == [said]
    [empty] = [note for note in outcomes.notes if "empty, as" in note]
    assert empty.startswith("2 right answers are empty, as their references are: ")
    assert "any empty answer is right there" in empty
    strict = judged(references, cheat, "sql(empty=wrong)", **root)
    assert strict.counts()["right"] == 0
    assert floors(strict) == []


def test_the_floor_of_each_database_and_of_a_file_of_outcomes(tmp_path):
    sqlite_file(tmp_path / "a.sqlite")
    sqlite_file(tmp_path / "b.sqlite", "CREATE TABLE t (n); INSERT INTO t VALUES (7)")
    golds = [(sql, "a.sqlite") for sql in GOLDS]
    golds += [("SELECT n FROM t", "b.sqlite"), ("SELECT max(n) FROM t", "b.sqlite")]
    references = [{"sql": sql, "db": name} for sql, name in golds]
    references[5] = {"sqls": [golds[5][0], "SELECT 8"], "db": "b.sqlite"}
    outcomes = judged(references, GOLDS + ["SELECT 7"] * 2, "sql", databases=tmp_path)
    [said] = floors(outcomes)
    assert said == (
        "floor: the empty answer to every item is right on 2 of 6 (33.3 %), 7 on 2; "
        "the best answer for each database on 4"
    )
    none = judged(references[3:4] * 2, GOLDS[3:] * 2, "sql", databases=tmp_path)
    for ending in ("jsonl", "csv"):
        path = tmp_path / f"outcomes.{ending}"
        demur.write_outcomes(outcomes, path)
        assert floors(demur.score(demur.read_outcomes(path))) == [said]
        demur.write_outcomes(none, path)
        assert floors(demur.score(demur.read_outcomes(path))) == []


def test_outcomes_show_the_canonical_query(database):
    several = {"sqls": [GOLDS[2], {"value": "SELECT 3", "weight": 0.5}]}
    references = [{"sql": GOLDS[3]}, several]
    for reference in references:
        reference["db"] = database.name
    root = {"databases": database.parent}
    outcomes = judged(references, ["SELECT 1", "SELECT 3"], "sql", **root)
    assert outcomes.reference.tolist() == [GOLDS[3], [GOLDS[2], "SELECT 3"]]
    # They are references as before for whoever judges by them.
    again = [
        {"item": item, "reference": shown, **reference}
        for item, shown, reference in zip(
            ["q0", "q1"], outcomes.reference, references, strict=True
        )
    ]
    responses = [{"item": "q1", "response": "SELECT 3"}]
    assert demur.judge(
        responses, again, by="sql", missing="leave_out", **root
    ).counts()["right"]


def test_the_command_line_has_both_options(tmp_path):
    references, responses = tmp_path / "references.jsonl", tmp_path / "a.jsonl"
    references.write_text('{"item": "1", "reference": []}\n')
    responses.write_text('{"item": "1", "response": []}\n')
    command = ["judge", str(responses), str(references), "--by"]
    assert "1 right" in printed(*command, "relation")
    strict = printed(*command, "relation", "--empty", "wrong", "--maximum", "none")
    assert "1 wrong" in strict
    assert "relation(empty=wrong, maximum=none)" in strict


def test_rules_that_can_be_gamed_say_so(database):
    told = "rules=1989: a single value may stand beside any others"
    tables = [[[1]], [[2]]]
    for by in ("relation(rules=1989)", "relation"):
        outcomes = judged([{"reference": table} for table in tables], tables, by)
        assert any(told in note for note in outcomes.notes) == ("1989" in by)
    references = [{"sql": GOLDS[2], "db": database.name}]
    root = {"databases": database.parent}
    outcomes = judged(references, GOLDS[2:3], "sql(rules=1989)", **root)
    assert any(told in note for note in outcomes.notes)


@pytest.mark.parametrize("by", ["relation", "cas"])
def test_a_table_is_its_own_maximum(by):
    cheat = [[*range(300)]]
    tables = [[[7]], [[8], [9]], [[7]], [[1, 2]]]
    answers = [cheat, cheat, [[7, 7, 7]], [[2, 1]]]
    references = [{"reference": table} for table in tables]
    outcomes = judged(references, answers, by)
    assert outcomes.outcome.tolist() == [1, 1, 0, 0]
    assert outcomes.reason[0] == "beyond the maximum: 300 columns, of 1 column"
    assert outcomes.recipe["by"] == f"{by}(maximum=derived)"
    assert any("1 wrong answer with more" in note for note in outcomes.notes) is False
    free = judged(references, answers, f"{by}(maximum=none)")
    assert free.outcome.tolist() == [0, 1, 0, 0]
    repeated = judged([{"reference": [[7]]}], [[[7, 7.0]]], by)
    assert repeated.outcome.tolist() == [0]
    allowed = judged([{"reference": [[7]], "max": [[7, 8]]}], [[[8, 7]]], by)
    assert allowed.outcome.tolist() == [0]
    old = judged([{"reference": [[7]]}], [[[8, 7]]], f"{by}(rules=1989)")
    assert old.outcome.tolist() == [0]


def test_integers_and_reals_are_equal_or_not():
    def right(response, reference, **settings):
        made = demur.TableSettings(**settings)
        verdict = demur.compare_relations(
            response=response, reference=reference, settings=made
        )
        return verdict.right

    for response, reference in [
        ([[3.00001]], [[3]]),
        ([[3]], [[3.00001]]),
        ([[3.00001], [30000.9]], [[3], [30000]]),
        ([[3.00001, "a"], [3, "b"]], [[3, "a"], [3, "b"]]),
    ]:
        assert not right(response, reference)
        assert right(response, reference, integers="near")
    for response, reference in [
        ([[3.0]], [[3]]),
        ([[3]], [[3.0]]),
        ([[3.00001]], [[3.0]]),
        ([[3], [3.00001], [7.5]], [[3.0], [3.00002], [7.5001]]),
        ([[2, 3.00001], [3, 3.0]], [[3, 3.00001], [2, 3.0]]),
    ]:
        assert right(response, reference)
    for by in ("relation", "cas", "sql"):
        assert "integers=near" in str(
            demur.answers.parse_comparator(f"{by}(integers=near)")
        )
    refuses(
        "relation: integers must be one of exact, near; got 'exakt'. Did you mean "
        "'exact'?",
        lambda: demur.answers.relation(integers="exakt"),
    )


def test_scores_of_files_say_the_floor_once(tmp_path):
    words = ["yes", "no", "yes"]
    outcomes = judged([{"reference": word} for word in words], words, "label")
    said = ["floor: yes to every item is right on 2 of 3 (66.7 %)"]
    assert [n for n in demur.score(outcomes).notes if n.startswith(BEGINS)] == said
    path = str(tmp_path / "o.jsonl")
    demur.write_outcomes(outcomes, path)
    read = demur.score(demur.read_outcomes(path, display=True))
    assert [n for n in read.notes if n.startswith(BEGINS)] == said


def test_no_floor_is_said_where_some_items_show_no_reference():
    columns = {"item": list("abc"), "correct": [1, 0, 0]}
    known = demur.Outcomes.from_arrays(**columns, reference=["x", "x", "y"])
    assert floors(demur.score(known)) == [
        "floor: x to every item is right on 2 of 3 (66.7 %)"
    ]
    partly = demur.Outcomes.from_arrays(**columns, reference=["x", "x", None])
    assert floors(demur.score(partly)) == []
    hopeless = demur.Outcomes.from_arrays(
        **columns, reference=["x", "x", None], answerable=[True, True, False]
    )
    assert floors(demur.score(hopeless)) == floors(demur.score(known))
