"""Judging: the join by item, what becomes of each kind of response, the policies."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from builders import refuses
from demur import InputError, Reference, Response, RunError, answers, judge
from demur.outcomes.fields import OUTCOMES
from demur.outcomes.table import EVERY_GUESS

REFERENCES = [
    {"item": "q1", "input": "Norway?", "reference": "Oslo", "cluster": "d1"},
    {"item": "q2", "references": ["Rome", {"value": "Roma", "weight": 0.5}]},
    {"item": "q3", "answerable": False, "cluster": "d2"},
]


def said(item, response=None, **further):
    return {"item": item, "response": response, **further}


def names(outcomes):
    return [OUTCOMES[code] for code in outcomes.outcome]


def one(response, reference=None, **options):
    """Outcome and reason of a single response."""
    outcomes = judge([response], [reference or REFERENCES[0]], **options)
    return names(outcomes)[0], outcomes.reason[0]


def refusal(*arguments, **options):
    with pytest.raises(InputError) as caught:
        judge(*arguments, **options)
    return str(caught.value)


# -- what becomes of a response ----------------------------------------------------


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (said("q1", " OSLO"), ("right", "equal")),
        (said("q1", "Rome"), ("wrong", "differs")),
        (said("q1"), ("unanswered", "no guess")),
        (said("q1", "NO_ANSWER"), ("unanswered", "no guess")),
        (said("q1", "no_answer"), ("wrong", "differs")),
        (said("q1", ""), ("wrong", "differs")),
        (said("q1", failed="time-out"), ("unanswered", "failed: time-out")),
        (said("q1", "Oslo", failed="crash"), ("unanswered", "failed: crash")),
        (said("q1", "Oslo", error="syntax"), ("wrong", "error: syntax")),
        (said("q1", error="syntax"), ("wrong", "error: syntax")),
        (said("q1", "Oslo", error="", failed=""), ("right", "equal")),
        (said("q1", "Oslo", error=False, failed=None), ("right", "equal")),
        (said("q1", "Oslo", error=True), ("wrong", "error")),
        (said("q1", "Oslo", failed=True), ("unanswered", "failed")),
        ({"item": "q1", "error": "syntax"}, ("wrong", "error: syntax")),
    ],
)
def test_outcomes_of_responses(response, expected):
    assert one(response) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (said("q3", "Oslo"), ("wrong", "unanswerable")),
        (said("q3"), ("unanswered", "no guess")),
        (said("q3", "NO_ANSWER"), ("unanswered", "no guess")),
        (said("q3", error="syntax"), ("wrong", "error: syntax")),
        (said("q3", failed="crash"), ("unanswered", "failed: crash")),
    ],
)
def test_outcomes_where_nothing_can_be_right(response, expected):
    assert one(response, REFERENCES[2]) == expected
    with_value = {"item": "q3", "answerable": False, "reference": "Oslo"}
    assert one(response, with_value) == expected


def test_what_cannot_be_compared_is_ungraded():
    reference = {"item": "q1", "reference": "many"}
    expected = ("ungraded", "reference is not a number")
    assert one(said("q1", 3), reference, by="number") == expected
    assert one(said("q1", "x"), reference, by=lambda *_: None)[0] == "ungraded"
    assert one(said("q1"), reference, by="number") == ("unanswered", "no guess")


def test_columns_of_the_table():
    outcomes = judge(
        [
            said("q2", "roma", system="a", confidence=0.5, topic="x"),
            said("q1", "Oslo", system="a", confidence=1, declined=True),
            said("q3", system="a", kind="refusal", seconds=3),
        ],
        REFERENCES,
    )
    columns = outcomes.to_columns()
    assert columns == {
        "item": ["q2", "q1", "q3"],
        "system": ["a", "a", "a"],
        "outcome": ["right", "right", "unanswered"],
        "credit": [0.5, 1.0, 0.0],
        "confidence": [0.5, 1.0, None],
        "declined": [False, True, False],
        "answerable": [True, True, False],
        "cluster": [None, "d1", "d2"],
        "reason": [
            *("alternative 2 of 2, credit 0.5", "equal", "refuses to answer"),
        ],
        "reason_code": ["equal", "equal", "refusal"],
        "kind": [None, None, "refusal"],
        "input": [None, "Norway?", None],
        "response": ["roma", "Oslo", None],
        "reference": [["Rome", "Roma"], "Oslo", None],
        "topic": ["x", None, None],
        "seconds": [None, None, 3],
    }
    assert outcomes.recipe == {
        "by": "text",
        "comparator": "text/2",
        "missing": "error",
        "unmatched": "error",
        "repeated": "error",
    }
    assert outcomes.notes == (EVERY_GUESS,)


def test_columns_that_hold_nothing_are_absent():
    outcomes = judge([said("q1", "x")], REFERENCES[:1])
    for name in ("confidence", "credit", "declined", "answerable", "kind", "setting"):
        assert getattr(outcomes, name) is None, name
    assert outcomes.groups == {}


def test_records_and_mappings_say_the_same():
    mapped = judge(
        [said("q1", "Oslo", system="a", topic="x"), said("q2", ["Rome"], system="a")],
        [
            {"item": "q1", "reference": "Oslo", "weight": 2, "level": 3},
            {"item": "q2", "references": [{"value": ["Rome"]}, "Roma"]},
        ],
    )
    typed = judge(
        [
            Response(item="q1", response="Oslo", system="a", extra={"topic": "x"}),
            Response(item="q2", response=["Rome"], system="a"),
        ],
        [
            Reference(
                item="q1", alternatives=(("Oslo", 1.0),), weight=2, extra={"level": 3}
            ),
            Reference(item="q2", alternatives=((["Rome"], 1.0), ("Roma", 1.0))),
        ],
    )
    assert mapped.to_columns() == typed.to_columns()
    assert mapped.weight.tolist() == [2, 1]
    assert mapped.groups["level"].tolist() == [3, None]


def test_alternatives_that_are_lists_of_one_length():
    outcomes = judge(
        [said("q1", [1, 2]), said("q2", [3, 5])],
        [{"item": "q1", "reference": [1, 2]}, {"item": "q2", "reference": [3, 4]}],
    )
    assert names(outcomes) == ["right", "wrong"]
    assert outcomes.reference.tolist() == [[1, 2], [3, 4]]
    single = judge([said("q1", [[1, 2]])], [{"item": "q1", "reference": [[1, 2]]}])
    assert single.response.tolist() == [[[1, 2]]]


def test_responses_are_joined_by_the_text_of_the_item():
    outcomes = judge(
        [said(2, "b"), said("1", "a")],
        [{"item": 1, "reference": "a"}, {"item": "2", "reference": "b"}],
    )
    assert outcomes.item.tolist() == ["2", "1"]
    assert names(outcomes) == ["right", "right"]


# -- comparators -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "recipe"),
    [
        ("label", ("label", "label/2")),
        ("text( normalise=squad )", ("text(normalise=squad)", "text/2")),
        (answers.number(absolute=0.5), ("number(absolute=0.5)", "number/1")),
        (str.__eq__, ("callable(str.__eq__)", "callable")),
    ],
)
def test_the_comparator_stands_in_the_recipe(by, recipe):
    outcomes = judge([said("q1", "1")], [{"item": "q1", "reference": "1"}], by=by)
    assert (outcomes.recipe["by"], outcomes.recipe["comparator"]) == recipe
    assert names(outcomes) == ["right"]


def test_a_reference_is_read_once_for_all_systems():
    class Counting:
        version = "counting/1"

        def __init__(self):
            self.read_values = Counter()

        def read(self, value):
            self.read_values[value] += 1
            return value

        def compare(self, response, reference):
            return answers.Match(float(response.lower() == reference.lower()), "")

    comparator = Counting()
    responses = [said("q1", "OSLO", system=str(system)) for system in range(5)]
    judge(responses, REFERENCES, by=comparator, missing="leave_out")
    assert comparator.read_values == {"OSLO": 5, "Oslo": 1}


def test_a_function_that_fails_names_the_item():
    def same(response, reference):
        return len(response) / len(reference) - 1

    response = Response(item="q1", response=3, place="run.jsonl:7")
    with pytest.raises(RunError) as caught:
        judge([response], REFERENCES[:1], by=same)
    text = str(caught.value)
    assert text.startswith("run.jsonl:7: item 'q1': callable(")
    assert text.endswith("raised TypeError: object of type 'int' has no len()")
    assert isinstance(caught.value.__cause__, TypeError)
    text = refusal([said("q1", "Lillehammer")], REFERENCES[:1], by=same)
    assert text.startswith("responses: record 1: item 'q1': callable(")
    assert text.endswith("a credit from 0 to 1, or None; got 1.75.")


# -- confidences, kinds, further columns -------------------------------------------


def test_errors_without_confidence_rank_lowest():
    outcomes = judge(
        [
            said("q1", "Oslo", system="a", confidence=-5),
            said("q2", error="syntax", system="a"),
            said("q1", "Oslo", system="b"),
            said("q2", error="syntax", system="b"),
            said("q1", error="syntax", system="c", confidence=0.5),
            said("q2", "Rome", system="c", confidence=0.1),
        ],
        REFERENCES[:2],
    )
    confidence = outcomes.confidence
    assert confidence[:2].tolist() == [-5, -np.inf]
    assert np.isnan(confidence[2:4]).all()
    assert confidence[4:].tolist() == [0.5, 0.1]
    assert outcomes.notes == ("1 error without a confidence: ranked lowest (a: 1)",)


def test_confidences_without_a_guess_do_not_make_a_system_confident():
    outcomes = judge(
        [said("q1", confidence=0.5), said("q2", error="syntax")], REFERENCES[:2]
    )
    assert outcomes.confidence is None
    assert outcomes.notes == ("1 confidence of an unanswered item is ignored",)


def test_settings_are_confident_apart():
    outcomes = judge(
        [
            said("q1", "Oslo", confidence=0.5, setting="sure"),
            said("q1", error="syntax", setting="plain"),
        ],
        REFERENCES[:1],
    )
    assert outcomes.confidence[0] == 0.5
    assert np.isnan(outcomes.confidence[1])


def test_kinds_belong_to_what_was_not_answered():
    outcomes = judge(
        [
            said("q1", "Oslo", kind="idk"),
            said("q2", "Oslo", kind="clarify", declined=True),
            said("q3", failed="time-out after 3 s"),
        ],
        REFERENCES,
    )
    assert outcomes.kind.tolist() == [None, "clarify", "failed"]
    assert outcomes.notes == ("1 kind of answered responses: ignored", EVERY_GUESS)


def test_further_columns_of_both_sides():
    references = [
        {"item": "q1", "reference": "Oslo", "level": 3, "db": "geo"},
        {"item": "q2", "reference": "Rome", "level": 4},
    ]
    outcomes = judge([said("q1", "Oslo", tokens=[1, 2]), said("q2", "x")], references)
    assert outcomes.groups["level"].tolist() == [3, 4]
    assert outcomes.groups["db"].tolist() == ["geo", None]
    assert outcomes.groups["tokens"].tolist() == [[1, 2], None]
    assert outcomes.notes == ()


@pytest.mark.parametrize(
    "name", ["min", "max", "sql", "max_sql", "class", "meanings", "subject", "context"]
)
def test_columns_of_references_are_not_taken_from_responses_nor_shown(name):
    references = [
        {"item": "q1", "reference": "Oslo", name: "((1001))"},
        {"item": "q2", "reference": "Rome"},
    ]
    responses = [said("q1", "Oslo", **{name: "?"}), said("q2", "x", **{name: "!"})]
    outcomes = judge(responses, references)
    assert outcomes.groups[name].tolist() == ["((1001))", None]
    note = f"columns of responses ignored, because references have them: {name}"
    assert outcomes.notes == (note,)
    # Nor does the note tell whether the two are equal.
    responses[0][name] = "((1001))"
    assert judge(responses, references).notes == (note,)


def test_a_participant_does_not_say_what_a_blind_guess_gets():
    [note] = judge([said("q1", "x", right_constant="x")], REFERENCES[:1]).notes
    assert note == "columns ignored, because judging makes them: right_constant"


def test_columns_that_judging_makes_are_not_taken_from_records():
    outcomes = judge(
        [said("q1", "x", outcome="right", credit=1, reason="I said so")],
        [{**REFERENCES[0], "correct": True}],
    )
    assert names(outcomes) == ["wrong"]
    assert outcomes.groups == {}
    assert outcomes.notes == (
        "columns ignored, because judging makes them: correct, outcome, credit, reason",
    )


# -- policies ----------------------------------------------------------------------

SYSTEMS = [
    said("q1", "Oslo", system="a"),
    said("q2", "Rome", system="a"),
    said("q2", "Rome", system="b", setting="s"),
]


def test_missing_responses_are_an_error_by_default():
    assert refusal(SYSTEMS, REFERENCES) == (
        "references: record 3: every item must have a response; got none for 3: "
        "'q3' of system 'a'; 'q1' of system 'b', setting 's'; 'q3' of system 'b', "
        "setting 's'. missing=unanswered counts them as unanswered, missing=leave_out "
        "leaves them out."
    )


def test_missing_responses_as_unanswered():
    outcomes = judge(SYSTEMS, REFERENCES, missing="unanswered")
    columns = (outcomes.item, outcomes.system, outcomes.setting, names(outcomes))
    assert list(zip(*columns, strict=True))[3:] == [
        ("q3", "a", None, "unanswered"),
        ("q1", "b", "s", "unanswered"),
        ("q3", "b", "s", "unanswered"),
    ]
    assert outcomes.reason.tolist()[3:] == ["no response"] * 3
    assert outcomes.input.tolist()[4] == "Norway?"
    assert outcomes.recipe["missing"] == "unanswered"
    assert outcomes.notes == (
        "3 items without a response: counted as unanswered (missing=unanswered; "
        "a: 1, b setting s: 2)",
    )


def test_missing_responses_left_out():
    outcomes = judge(SYSTEMS, REFERENCES, missing="leave_out")
    assert len(outcomes) == 3
    assert outcomes.notes == (
        "3 items without a response: left out (missing=leave_out; "
        "a: 1, b setting s: 2)",
    )


def test_responses_without_a_reference():
    responses = [
        Response(item=f"x{number}", response="?", place=f"run.csv:{number}")
        for number in range(2, 7)
    ]
    responses.insert(2, Response(item="q1", response="Oslo"))
    assert refusal(responses, REFERENCES[:1]) == (
        "run.csv:2: every response must have a reference; got 5 without: 'x2'; 'x3'; "
        "'x4'; and 2 more. unmatched=leave_out leaves them out."
    )
    outcomes = judge(responses, REFERENCES[:1], unmatched="leave_out")
    assert outcomes.item.tolist() == ["q1"]
    assert outcomes.notes == (
        "5 responses without a reference: left out (unmatched=leave_out)",
    )


REPEATED = [
    Response(item="q1", response="Oslo", confidence=0.5, place="run.jsonl:1"),
    Response(item="q2", response="Rome", confidence=0.5, place="run.jsonl:2"),
    Response(item="q1", response="Rome", confidence=0.1, place="run.jsonl:3"),
]


def test_repeated_responses_are_an_error_by_default():
    assert refusal(REPEATED, REFERENCES[:2]) == (
        "run.jsonl:3: an item must have one response per system, setting and repeat; "
        "got 1 more: 'q1' (first at run.jsonl:1). repeated=first or repeated=last "
        "takes one; a column setting or repeat tells them apart."
    )


@pytest.mark.parametrize(
    ("policy", "expected", "confidence"),
    [("first", "right", 0.5), ("last", "wrong", 0.1)],
)
def test_one_of_the_repeated_responses(policy, expected, confidence):
    outcomes = judge(REPEATED, REFERENCES[:2], repeated=policy)
    assert outcomes.item.tolist() == ["q1", "q2"]
    assert names(outcomes) == [expected, "right"]
    assert outcomes.confidence[0] == confidence
    assert outcomes.notes == (
        f"1 repeated response: the {policy} one counts (repeated={policy})",
    )


def test_columns_of_replaced_responses_are_gone():
    responses = [said("q1", "Oslo", tokens=3), said("q1", "Oslo", seconds=1)]
    outcomes = judge(responses, REFERENCES[:1], repeated="last")
    assert {name: group.tolist() for name, group in outcomes.groups.items()} == {
        "seconds": [1]
    }


def test_settings_and_repeats_tell_responses_apart():
    responses = [
        said("q1", "Oslo", repeat=1),
        said("q1", "Oslo", repeat="2"),
        said("q1", "Oslo", repeat=1, setting="s"),
    ]
    outcomes = judge(responses, REFERENCES[:1])
    assert outcomes.repeat.tolist() == ["1", "2", "1"]
    assert outcomes.setting.tolist() == [None, None, "s"]
    text = refusal([*responses, said("q1", "Oslo", repeat="1")], REFERENCES[:1])
    assert "'q1' of repeat '1' (first at responses: record 1)" in text


def test_nothing_in_common_is_always_an_error():
    responses = [Response(item="17", response="Oslo", place="run.csv:2")]
    for missing in ("error", "unanswered", "leave_out"):
        text = refusal(responses, REFERENCES, missing=missing, unmatched="leave_out")
        assert text == (
            "judge: responses and references must have items in common; got none: the "
            "responses have items such as '17' (run.csv:2), the references such as "
            "'q1' (references: record 1). Are both ids of the same column? They are "
            "compared as text."
        )


# -- bad input ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        ([], "judge: responses must hold at least one response; got none"),
        ("run.jsonl", "must be a list; got 'run.jsonl'. demur.read_responses and"),
        ([{"response": "a"}], "must have a field item; got response"),
        ([{"item": "q1", "answer": "a"}], "must have a field response; got item, ans"),
        (
            [said(None, "a")],
            "a text or a whole number, not empty; got null",
        ),
        ([said("", "a")], "item must be a text or a whole number, not empty; got ''"),
        ([said(1.0, "a")], "item must be a text or a whole number, not empty; got 1.0"),
        (
            [said(True, "a")],
            "a text or a whole number, not empty; got true",
        ),
        ([said("q1", "a", system=["x"])], "system must be a text or a number"),
        ([said("q1", "a", repeat=[0.5])], "repeat must be a text or a number"),
        ([said("q1", error=["x"])], "error must be a text that says why, or true or"),
        ([said("q1", failed=3)], "failed must be a text that says why, .*; got 3"),
        ([said("q1", error="a", failed="b")], "must have either error .* got both"),
        ([said("q1", "a", declined="no")], "declined must be true or false; got 'no'"),
        ([said("q1", "a", confidence="x")], "confidence must be a number; got 'x'"),
        ([said("q1", "a", confidence=float("nan"))], "must be a number; got NaN"),
        ([said("q1", kind="tired")], "kind must be one of idk"),
    ],
)
def test_bad_responses(responses, message):
    with pytest.raises(InputError, match=message) as caught:
        judge(responses, REFERENCES[:1])
    assert str(caught.value).startswith(("responses: record 1: ", "judge: responses"))


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ([], "judge: references must hold at least one reference; got none"),
        (["q1"], "must be a Reference or a mapping; got 'q1'.*demur.read_references"),
        ([{"reference": "a"}], "must have a field item; got reference"),
        ([{"item": "q1"}], "give at least one acceptable value .* Set answerable to f"),
        ([{"item": "q1", "reference": None}], "give at least one acceptable value"),
        ([{"item": "q1", "references": []}], "give at least one acceptable value"),
        ([{"item": "q1", "references": "a"}], "be a list .* For one, use `reference`"),
        ([{"item": "q1", "references": ["a", None]}], "answer must be a value; got N"),
        ([{"item": "q1", "reference": float("nan")}], "answer must be a value; got n"),
        ([{"item": "q1", "reference": 1, "references": [1]}], "either .* got both"),
        ([{**REFERENCES[0], "weight": 0}], "weight must be positive and finite; got 0"),
        ([{**REFERENCES[0], "weight": float("inf")}], "must be positive and finite"),
        ([{**REFERENCES[0], "weight": "2"}], "must be positive and finite; got '2'"),
        ([{**REFERENCES[0], "cluster": [1]}], "cluster must be a text or a num"),
        ([{**REFERENCES[0], "answerable": "no"}], "answerable must be true or false"),
        ([REFERENCES[0]] * 2, "got another for 'q1', first at references: record 1"),
        ([REFERENCES[2], {"item": "q3", "answerable": False}], "another for 'q3'"),
    ]
    + [
        (
            [{"item": "q1", "references": [{"value": "a", "weight": weight}]}],
            "weight of an alternative must be above 0 and at most 1",
        )
        for weight in (0, 1.5, -1, True + 1, None, "1", float("nan"))
    ],
)
def test_bad_references(references, message):
    with pytest.raises(InputError, match=message) as caught:
        judge([said("q1", "a")], references)
    assert str(caught.value).startswith(("references: record ", "judge: references"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "ignore"}, "judge: missing must be one of error, unanswered, le"),
        ({"unmatched": "first"}, "judge: unmatched must be one of error, leave_out"),
        (
            {"repeated": "fist"},
            "judge: repeated must be one of .* Did you mean 'first'",
        ),
        ({"by": "lable"}, "by: the comparator must be one of .* Did you mean 'label'"),
        ({"by": None}, "judge: by must be a name"),
    ],
)
def test_bad_arguments_are_found_before_anything_is_read(options, message):
    def unread():
        pytest.fail("read")
        yield

    refuses(message, judge, unread(), unread(), **options)


def test_a_place_is_named_where_a_record_has_one():
    bad = Response(item="q1", response="a", declined="no", place="run.jsonl:9")
    assert refusal([bad], REFERENCES[:1]).startswith("run.jsonl:9: declined must be")
    worse = Reference(item="q1", weight=-1, answerable=False, place="gold.jsonl:4")
    assert refusal([bad], [worse]).startswith("gold.jsonl:4: weight must be")


# -- laws --------------------------------------------------------------------------

guesses = st.sampled_from([None, "NO_ANSWER", "a", "A ", "b", 3, "3", "x"])
items = st.integers(0, 5).map("q{}".format)
tables = st.tuples(
    st.lists(
        st.fixed_dictionaries(
            {
                "item": items,
                "system": st.sampled_from(["s", "t"]),
                "response": guesses,
                "error": st.sampled_from([None, None, "bad"]),
            }
        ),
        min_size=1,
        max_size=12,
        unique_by=lambda record: (record["item"], record["system"]),
    ),
    st.lists(
        st.one_of(
            st.fixed_dictionaries(
                {
                    "item": items,
                    "references": st.lists(
                        st.sampled_from(["a", "b", 3, "x"]), min_size=1
                    ),
                }
            ),
            st.fixed_dictionaries({"item": items, "answerable": st.just(False)}),
        ),
        min_size=1,
        unique_by=lambda record: record["item"],
    ),
)
LENIENT = {"missing": "unanswered", "unmatched": "leave_out"}


def have_items_in_common(responses, references):
    return {each["item"] for each in responses} & {each["item"] for each in references}


def as_set(outcomes):
    columns = outcomes.to_columns()
    return Counter(map(repr, zip(*columns.values(), strict=True)))


@given(tables, st.sampled_from(["text", "label", "number"]), st.randoms())
@settings(max_examples=200)
def test_the_order_of_rows_never_matters(table, by, random):
    responses, references = table
    if not have_items_in_common(responses, references):
        refusal(responses, references, by=by, **LENIENT)
        return
    outcomes = judge(responses, references, by=by, **LENIENT)
    random.shuffle(responses)
    random.shuffle(references)
    shuffled = judge(iter(responses), iter(references), by=by, **LENIENT)
    assert as_set(shuffled) == as_set(outcomes)
    assert shuffled.notes == outcomes.notes


@given(tables)
@settings(max_examples=200)
def test_every_item_of_every_system_has_one_outcome(table):
    responses, references = table
    assume(have_items_in_common(responses, references))
    outcomes = judge(responses, references, **LENIENT)
    systems = {each["system"] for each in responses}
    keys = set(zip(outcomes.item, outcomes.system, strict=True))
    assert keys == {(each["item"], name) for each in references for name in systems}
    assert sum(outcomes.counts().values()) == len(outcomes) == len(keys)
    guessed = sum(
        each["error"] is not None or each["response"] not in (None, "NO_ANSWER")
        for each in responses
        if each["item"] in {reference["item"] for reference in references}
    )
    assert outcomes.counts()["unanswered"] == len(outcomes) - guessed
