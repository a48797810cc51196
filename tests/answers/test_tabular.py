"""Judging by cas and by relation: fields of references, explanations, the command."""

import json

import pytest

import demur
from builders import judge_files, judge_one, printed, printed_json, refuses
from demur.answers import tabular


def judged(response, reference, by="cas"):
    """Outcome, credit and reason of one response."""
    outcomes = judge_one(response, reference, by=by)
    ((outcome, _),) = [each for each in outcomes.counts().items() if each[1]]
    credit = None if outcomes.credit is None else outcomes.credit[0]
    return outcome, credit, outcomes.reason[0]


# -- no answer, no CAS -------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["NO_ANSWER", "no_answer", " no_answer\n", "/* ? */ NO_ANSWER"]
)
def test_no_answer_is_unanswered(text):
    assert judged(text, {"reference": "1"})[::2] == ("unanswered", "no guess")
    assert judged(text, {"answerable": False})[::2] == ("unanswered", "no guess")


def test_no_answer_is_one_only_by_cas():
    assert judged("no_answer", {"reference": "no_answer"}, "label")[0] == "right"
    assert judged('"NO_ANSWER"', {"reference": "1"})[0] == "wrong"
    assert judged("((NO_ANSWER))", {"reference": "1"})[0] == "wrong"


def test_what_is_no_cas():
    assert judged("((1)", {"reference": "1"})[::2] == (
        "wrong",
        "not an answer: a relation must hold tuples and end with ); got 'the end' "
        "(line 1, column 5)",
    )
    assert judged("(1 OR 2)", {"reference": "1"})[::2] == (
        "wrong",
        "alternatives in an answer",
    )
    assert judged("1", {"reference": "((1)"})[::2] == (
        "ungraded",
        "reference: a relation must hold tuples and end with ); got 'the end' "
        "(line 1, column 5)",
    )
    outcome, _, reason = judged("1", {"reference": "NO_ANSWER"})
    assert (outcome, reason.split(";")[0]) == ("ungraded", "reference: NO_ANSWER")
    assert (
        judged("(1 2)", {"reference": "((1) (2))"}, "cas(lenient=true)")[0] == "right"
    )


@pytest.mark.parametrize(("by", "text"), [("cas", "((1))"), ("relation", "[[1]]")])
def test_a_text_is_read_up_to_a_length(by, text):
    longest = text + " " * (tabular.LONGEST - len(text))
    assert judged(longest, {"reference": text}, by)[0] == "right"
    said = "it has 100,001 characters; at most 100,000 are read"
    outcomes = judge_one(longest + " ", {"reference": text}, by=by)
    assert outcomes.reason.tolist() == [f"not an answer: {said}"]
    assert outcomes.reason_code.tolist() == ["not_an_answer"]
    found, _, reason = judged(text, {"reference": longest + " "}, by)
    assert (found, reason) == ("ungraded", f"reference: {said}")


def test_a_broken_alternative_harms_only_itself():
    reference = {"references": ["((1)", "2"]}
    assert judged("2", reference)[0] == "right"
    assert judged("3", reference)[0] == "ungraded"


def test_what_is_no_table():
    assert judged([[1], [2, 3]], {"reference": [[1]]}, "relation")[::2] == (
        "wrong",
        "not an answer: row 2 must have 1 values, as the first has; got 2",
    )
    assert judged([[1]], {"reference": [[1], 2]}, "relation")[0] == "ungraded"
    assert judged({"a": 1}, {"reference": [[1]]}, "relation")[0] == "wrong"


# -- fields of a reference ---------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        ({}, True),
        ({"mode": "bag"}, False),
        ({"mode": "ordered"}, False),
        ({"mode": None}, True),
    ],
)
def test_a_reference_has_its_own_mode(fields, right):
    outcome = judged([[2], [1], [1]], {"reference": [[1], [2]], **fields}, "relation")
    assert outcome[0] == ("right" if right else "wrong")


def test_a_reference_overrules_the_comparator():
    reference = {"reference": [[1], [2]]}
    by = "relation(mode=bird-ex)"
    assert judged([[1, 5], [2, 5]], reference, by)[0] == "wrong"
    wide = {"mode": "cas2", "max": [[1, 5], [2, 5]]}
    assert judged([[1, 5], [2, 5]], reference | wide, by)[0] == "right"


def test_order():
    reference = {"reference": [["a", 1], ["b", 1], ["c", 2]], "ordered": True}
    swapped = [["b", 1], ["a", 1], ["c", 2]]
    assert judged(swapped, reference, "relation")[::2] == (
        "wrong",
        "the same rows in another order",
    )
    for order_by in ([1], "[1]", 1):
        tied = reference | {"order_by": order_by}
        assert judged(swapped, tied, "relation")[0] == "right"
    assert (
        judged(swapped[::-1], reference | {"order_by": [1]}, "relation")[0] == "wrong"
    )
    assert judged(swapped, reference | {"ordered": "false"}, "relation")[0] == "right"
    free = reference | {"ordered": False, "mode": "ordered"}
    assert judged(swapped, free, "relation")[0] == "right"


def test_a_sort_key_says_that_order_counts():
    reference = {"reference": "((1) (2))", "order_by": [0]}
    assert judged("((2) (1))", reference)[::2] == (
        "wrong",
        "the same rows in another order",
    )
    assert judged("((1) (2))", reference)[0] == "right"
    assert judged("((2) (1))", reference, "cas(mode=bag)")[0] == "wrong"
    for free in ({"ordered": False}, {"mode": "test-suite"}, {"mode": "bird-ex"}):
        table = {"reference": [[1], [2]], "order_by": [0], **free}
        assert judged([[2], [1]], table, "relation")[0] == "right"


def test_order_in_the_modes_of_others():
    reference = {"reference": [[1], [2]], "ordered": True}
    assert judged([[2], [1]], reference, "relation(mode=test-suite)")[0] == "wrong"
    assert judged([[2], [1]], reference, "relation(mode=bird-ex)")[0] == "right"


def test_weights_of_alternatives():
    reference = {"reference": "(((1)) OR ((2)))", "weights": [1, 0.5]}
    assert judged("1", reference) == ("right", None, "alternative 1 of 2")
    assert judged("2", reference) == ("right", 0.5, "alternative 2 of 2, credit 0.5")
    text = reference | {"weights": "[1, 0.5]"}
    assert judged("2", text)[1] == 0.5


def test_other_fields():
    reference = {"reference": "YES", "rules": 1990}
    assert judged("((1) (2))", reference)[0] == "right"
    assert judged("((1) (2))", {"reference": "YES"})[0] == "wrong"
    assert judged("3", {"reference": '"3"', "coerce_numeric_text": True})[0] == "right"
    assert judged("1.01", {"reference": "1.0", "relative": 0.02})[0] == "right"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mode": "cas"}, "mode must be one of cas2, bag"),
        ({"ordered": "yes"}, "ordered must be true or false; got 'yes'"),
        ({"order_by": [-1]}, "order_by must be a list of column positions"),
        ({"order_by": "name"}, "order_by must be a list of column positions"),
        ({"rules": "1991"}, "rules must be one of 1989, 1990, 1992"),
        ({"coerce_numeric_text": 1}, "coerce_numeric_text must be true or false"),
        ({"relative": 1}, "relative must be a number from 0 to below 1"),
        (
            {"weights": [1, 0.5]},
            "weights must be one for each of 1 alternatives; got 2",
        ),
        ({"weights": [0]}, "weights must be a list of numbers above 0"),
        ({"min": "1"}, "its answer as `reference`, `references` or `min`; got two"),
    ],
)
def test_fields_that_are_not_what_they_must_be(fields, message):
    with pytest.raises(demur.InputError, match=message) as raised:
        judged("1", {"reference": "1", **fields})
    assert str(raised.value).startswith("references: record 1: item 'q': ")
    refuses(message, judged, None, {"reference": "1", **fields})


# -- minimum and maximum -----------------------------------------------------------


def test_minimum_and_maximum():
    reference = {"min": "((1) (2))", "max": '((1 "a" "x") (2 "b" "y"))'}
    assert judged("((1) (2))", reference)[0] == "right"
    assert judged("((a 1) (b 2))", reference)[0] == "right"
    assert judged("((1 SNACK) (2 SNACK))", reference)[::2] == (
        "wrong",
        "beyond the maximum: column 2",
    )
    assert judged("((1 b) (2 a))", reference)[2] == 'not in the maximum: (1 "b")'
    assert judged("((a) (b))", reference)[2].startswith("missing")


def test_a_maximum_beside_references():
    reference = {"references": ["1", {"value": "2", "weight": 0.5}]}
    reference["max"] = ["((1 a))", "((2 b))"]
    assert judged("((1 a))", {"reference": "((1))", "max": "((1 a))"})[0] == "right"
    assert judged("((1 b))", {"reference": "((1))", "max": "((1 a))"})[0] == "wrong"
    assert judged("2", reference)[1] == 0.5
    uneven = reference | {"max": "((1 a))"}
    outcome, _, reason = judged("1", uneven)
    assert outcome == "ungraded"
    assert reason.endswith("reference: 2 alternatives, but 1 maxima")


def test_an_alternative_without_a_maximum():
    reference = {"references": ["1", "2"], "max": ["((1 a))", None]}
    assert (
        judged("((1 a))", {**reference, "references": ["((1))", "((2))"]})[0] == "right"
    )
    assert (
        judged("((1 b))", {**reference, "references": ["((1))", "((2))"]})[0] == "wrong"
    )
    assert (
        judged("((2 b))", {**reference, "references": ["((1))", "((2))"]})[0] == "right"
    )
    tables = {"references": [[[1]], [[2]]], "max": [[[1, 3]], None]}
    assert judged([[1, 3]], tables, "relation")[0] == "right"
    assert judged([[1, 4]], tables, "relation")[0] == "wrong"
    assert judged([[2, 4]], tables, "relation")[0] == "right"
    for by in ("cas", "relation"):
        none = {"references": [[[1]], [[2]]], "max": [None, None]}
        assert judged([[2, 4]], none, by)[0] == "right"
    few = {"references": [[[1]], [[2]]], "max": [[[1, 3]], None, None]}
    assert judged([[3]], few, "relation")[2] == (
        "alternative 1 of 2: reference: 2 alternatives, but 3 maxima"
    )


def test_minima_that_are_tables():
    one = {"min": [[1], [2]], "max": [[1, "a"], [2, "b"]]}
    assert judged([["a", 1], ["b", 2]], one, "relation")[0] == "right"
    assert judged([["b", 1], ["a", 2]], one, "relation")[0] == "wrong"
    several = {"min": [[[1]], [[2]]], "max": [[[1, "a"]], [[2, "b"]]]}
    assert judged([[2, "b"]], several, "relation")[0] == "right"
    assert judged([[2, "a"]], several, "relation")[0] == "wrong"


def test_the_minimum_is_needed_only_where_it_is_read():
    refuses("at least one acceptable value", judged, "1", {"min": "1"}, "text")
    refuses("at least one acceptable value", judged, "1", {"max": "1"})


def test_a_minimum_outside_its_maximum():
    said = "reference: its minimum is beyond the maximum: column 1"
    assert judged("1", {"min": "1", "max": "((2))"})[::2] == ("ungraded", said)
    assert judged("2", {"min": "1", "max": "((2))"})[0] == "wrong"


def test_an_empty_tuple_is_no_answer():
    said = "row 1 must hold at least one value; got []"
    reference = {"reference": [[]]}
    assert judged([[]], reference, "relation")[::2] == (
        "ungraded",
        f"reference: {said}",
    )
    answer = judged([[]], {"reference": [[1]]}, "relation")
    assert answer[::2] == ("wrong", f"not an answer: {said}")


def test_a_broken_maximum_is_the_fault_of_the_reference():
    assert judged("1", {"min": "1", "max": "((1)"})[0] == "ungraded"
    assert judged("2", {"min": "1", "max": "((1)"})[0] == "ungraded"


# -- the rest of the way -----------------------------------------------------------


def test_out_of_steps_is_ungraded():
    reference = {"reference": "((2 1))"}
    outcome, _, reason = judged("((1 2))", reference, "cas(steps=0)")
    assert (outcome, reason) == ("ungraded", "undecided after 0 steps")
    with pytest.raises(demur.InputError, match="steps must be a whole number"):
        judged("((1 2))", reference, "cas(steps=-1)")


@pytest.mark.parametrize("steps", [0, -1, "look, then count", ["look", "count"]])
def test_a_column_of_steps_is_no_budget(steps):
    reference = {"reference": "((2 1))", "steps": steps}
    assert judged("((1 2))", reference)[0] == "right"


def test_a_relation_as_response_and_as_reference():
    table = demur.answers.Relation.from_rows([[1, "a"]], truncated=True)
    whole = demur.answers.Relation.from_rows([[1, "a"]])
    assert judged(whole, {"reference": whole}, "relation")[0] == "right"
    assert judged(table, {"reference": whole}, "relation")[::2] == (
        "ungraded",
        "the response is truncated after 1 rows",
    )


def test_both_empty_is_said():
    assert judged([], {"reference": []}, "relation")[::2] == ("right", "both empty")


def test_the_recipe_names_mode_and_version():
    outcomes = demur.judge(
        [{"item": 1, "response": "1"}],
        [{"item": 1, "reference": "1"}],
        by="cas( mode=bag )",
    )
    assert outcomes.recipe["by"] == "cas(mode=bag, maximum=derived)"
    assert outcomes.recipe["comparator"] == "cas/2"


@pytest.fixture
def files(tmp_path):
    """Responses of two systems and references, as files."""
    responses = [
        {"item": "q1", "system": "a", "response": '((1 "SNACK"))'},
        {"item": "q1", "system": "b", "response": "((1))"},
        {"item": "q2", "system": "a", "response": "no_answer"},
        {"item": "q2", "system": "b", "response": "((2) (3))"},
    ]
    references = [
        {"item": "q1", "min": "((1))", "max": "((1 2))"},
        {"item": "q2", "references": ["((2))", "((3) (4))"]},
    ]
    return judge_files(tmp_path, responses, references)[1:]


def test_the_command_judges(files):
    found = printed_json("judge", *files, "--by", "cas")
    assert (found["right"], found["wrong"], found["unanswered"]) == (1, 2, 1)
    assert found["comparator"] == "cas/2"


def test_the_command_explains(files):
    shown = printed("judge", *files, "--by", "cas", "--explain", "q1")
    assert shown == (
        "item: q1\n"
        "min: ((1))\n"
        "max: ((1 2))\n"
        "\n"
        "system: a\n"
        "outcome: wrong\n"
        'response: ((1 "SNACK"))\n'
        "reason: beyond the maximum: column 2\n"
        "explanation:\n"
        "  wrong (cas2/2): beyond the maximum: column 2\n"
        "    columns of the reference: 1 is 1 of the response\n"
        "    beyond the maximum: column 2\n"
        "\n"
        "system: b\n"
        "outcome: right\n"
        "response: ((1))\n"
        "reason: equal\n"
        "explanation:\n"
        "  right (cas2/2): equal\n"
        "    columns of the reference: 1 is 1 of the response\n"
    )


def test_the_command_explains_for_programs(files):
    command = ["judge", *files, "--by", "cas", "--explain", "q1", "--json"]
    found = printed_json(*command)
    assert found["demur"] == demur.__version__
    assert found["fields"] == {"item": "q1", "min": "((1))", "max": "((1 2))"}
    judged = found["judged"]
    assert [each["outcome"] for each in judged] == ["wrong", "right"]
    assert judged[1] == {
        "system": "b",
        "outcome": "right",
        "response": "((1))",
        "reason_code": "equal",
        "reason": "equal",
        "explanation": "right (cas2/2): equal\n"
        "  columns of the reference: 1 is 1 of the response",
    }


def test_the_command_explains_alternatives(files):
    shown = printed("judge", *files, "--by", "cas", "--explain", "q2")
    assert shown.count("explanation:") == 1
    assert "  alternative 1 of 2: wrong (cas2/2): extra (3)\n" in shown
    assert "  alternative 2 of 2: wrong (cas2/2): missing (4); extra (2)\n" in shown


def test_other_comparators_explain_as_before(files):
    files[1] = files[1].replace("references", "labels")
    with open(files[1], "w", encoding="utf-8") as file:  # noqa: PTH123
        for item in ("q1", "q2"):
            file.write(json.dumps({"item": item, "reference": "x"}) + "\n")
    out = printed("judge", *files, "--by", "label", "--explain", "q1")
    assert "explanation" not in out


def test_cells_of_minima_keep_their_quotes(tmp_path):
    responses, references = tmp_path / "a.csv", tmp_path / "b.csv"
    responses.write_text('item,response\nq,"""1355"""\n', "utf-8")
    references.write_text('item,min,max\nq,"""1355""","((""1355"" 7))"\n', "utf-8")
    files = [str(responses), str(references)]
    assert printed_json("judge", *files, "--by", "cas")["right"] == 1
    references.write_text('item,min\nq,"[[""1355""]]"\n', "utf-8")
    assert printed_json("judge", *files, "--by", "cas")["right"] == 1


@pytest.mark.parametrize(
    ("response", "reference", "expected"),
    [
        ('[["a", 1], ["b", null]]', [[None, "b"], [1, "a"]], ("right", "equal")),
        (' [ ["a"] ]\n', '[["a"]]', ("right", "equal")),
        ("[]", [], ("right", "both empty")),
        ("[[5]]", 5, ("right", "equal")),
        ("5", 5, ("wrong", 'missing (5); extra ("5")')),
        ("[sic]", "[sic]", ("right", "equal")),
        ("[1, 2]", "[1, 2]", ("right", "equal")),
        (
            "[['a', 1]]",
            [["a", 1]],
            (
                "wrong",
                "not an answer: the text must be a list of rows in JSON; "
                "got \"[['a', 1]]\"",
            ),
        ),
        ('[["a"], 1]', [["a"]], ("wrong", "not an answer: row 2 must be a list")),
        ("[" * 100_000, [["a"]], ("wrong", "not an answer: the text must be a list")),
        ([["a"]], "[['a']]", ("ungraded", "reference: the text must be a list")),
    ],
)
def test_a_table_may_be_written_as_text(response, reference, expected):
    outcome, _, reason = judged(response, {"reference": reference}, "relation")
    assert outcome == expected[0]
    assert reason.startswith(expected[1])


def test_tables_in_cells_of_delimited_text(tmp_path):
    (tmp_path / "r.csv").write_text('item,response\n1,"[[1, ""a""]]"\n2,Oslo\n3,[]\n')
    (tmp_path / "g.csv").write_text(
        "item,reference,references,min,max\n"
        '1,"[[""a"", 1.0]]",,,\n'
        '2,,"[[[""Rome""]], ""Oslo""]",,\n'
        '3,,,[],"[[""a""]]"\n'
    )
    outcomes = demur.judge(
        demur.read_responses(tmp_path / "r.csv"),
        demur.read_references(tmp_path / "g.csv"),
        by="relation",
    )
    assert outcomes.reason.tolist() == ["equal", "alternative 2 of 2", "both empty"]
