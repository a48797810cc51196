"""Judged outcomes become outcomes of judges."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
import judge_cases
import reference_judges
from builders import refuses


def judged(outcome, people, **further):
    groups = {"people": people, **further.pop("groups", {})}
    return demur.Outcomes.from_arrays(outcome=outcome, groups=groups, **further)


def columns(judges, *names):
    return [judges.column(name).tolist() for name in names]


@settings(max_examples=300)
@given(judge_cases.answers(), st.randoms(use_true_random=False))
def test_each_row_says_how_a_judge_stands_to_people(listed, random):
    order = list(range(len(listed)))
    random.shuffle(order)
    tables = judge_cases.tables(listed)
    names = [*tables]
    tables[names[-1]] = judge_cases.tables(listed, order=order)[names[-1]]
    judges = demur.judge_outcomes(tables, gold="people")
    assert len(judges) == len(names) * len(listed)
    rows = judges.to_columns()
    alone = len({answer.item for answer in listed}) == len(listed)
    answers = {a.item if alone else f"{a.item} | {a.system}": a for a in listed}
    for row, (item, judge) in enumerate(zip(rows["item"], rows["system"], strict=True)):
        answer = answers[item]
        says = answer.says[judge]
        if says is None:
            outcome = "unanswered"
        elif answer.people is None:
            outcome = "ungraded"
        else:
            outcome = "right" if says == answer.people else "wrong"
        assert rows["outcome"][row] == outcome
        assert rows["verdict"][row] == says
        assert rows["people"][row] == answer.people
        assert rows.get("label_weight", [None] * len(judges))[row] == answer.weight
        if not alone:
            assert rows["cluster"][row] == answer.item
        if says is not None and "confidence" in rows:
            sure = answer.sure[judge]
            some = [a for a in listed if a.says[judge] and a.sure[judge] is not None]
            assert rows["confidence"][row] == (
                (-np.inf if sure is None else sure) if some else None
            )


@settings(max_examples=200)
@given(judge_cases.answers(labels="all"))
def test_the_curve_of_a_judge_is_that_of_a_loop(listed):
    name = "small"
    if not any(answer.says[name] for answer in listed):
        return
    judges = demur.judge_outcomes(judge_cases.tables(listed), gold="people")
    curve = demur.error_return(judges.select(system=name))
    for cutoff, nonreturn, error in reference_judges.curve_of(name, listed):
        point = curve.at(cutoff=cutoff)
        assert (point.nonreturn, point.error) == pytest.approx((nonreturn, error))


def test_cannot_tell_and_a_judge_that_could_not_be_had_are_told_apart():
    table = judged(
        ["ungraded", "ungraded", "ungraded", "right"],
        ["right"] * 4,
        reason_code=["cannot_tell", "failed", None, None],
        reason=["it depends", "503 from the server", None, None],
    )
    judges = demur.judge_outcomes({"a": table}, gold="people")
    assert columns(judges, "outcome", "kind", "reason") == [
        ["unanswered", "unanswered", "unanswered", "right"],
        ["idk", "failed", "idk", None],
        ["it depends", "503 from the server", None, None],
    ]
    assert judges.failures() == {"a": (1, 4)}


def test_a_single_table_needs_no_name():
    judges = demur.judge_outcomes(judged(["right"], ["wrong"]), gold="people")
    assert judges.systems == ("judge",)


def test_credit_in_part_counts_as_right_and_is_told():
    table = demur.Outcomes.from_arrays(
        correct=[0.3, 1, 0], groups={"people": ["right", "right", "right"]}
    )
    judges = demur.judge_outcomes({"a": table}, gold="people")
    assert columns(judges, "outcome") == [["right", "right", "wrong"]]
    assert "a: 1 with credit in part count as right" in judges.notes


def test_what_no_judge_was_given_is_left_out():
    words = ["right", "unanswered", "unanswered"]
    first = judged(words, ["right", "", "right"])
    second = judged(["right", "unanswered", "wrong"], ["right", "", ""])
    judges = demur.judge_outcomes({"a": first, "b": second}, gold="people")
    # One judge takes the last for an answer: to the other it is "not right".
    assert columns(judges, "item", "outcome", "verdict") == [
        ["0", "2", "0", "2"],
        ["right", "wrong", "right", "wrong"],
        ["right", "wrong", "right", "wrong"],
    ]
    assert "1 without an answer are left out: nothing was judged" in judges.notes
    silent = judged(["unanswered"], ["right"])
    refuses("all are unanswered", demur.judge_outcomes, silent, gold="people")


def test_answers_are_joined_by_what_they_are_called_never_by_place():
    keys = {
        "item": ["q", "q", "q", "q"],
        "system": ["s", "t", "s", "s"],
        "setting": ["x", "x", "y", "x"],
        "repeat": ["1", "1", "1", "2"],
    }
    first = judged(["right", "wrong", "wrong", "right"], ["right"] * 4, **keys)
    turned = {name: values[::-1] for name, values in keys.items()}
    second = judged(["wrong", "right", "right", "right"], [None] * 4, **turned)
    judges = demur.judge_outcomes({"a": first, "b": second}, gold="people")
    by_judge = [judges.select(system=name) for name in "ab"]
    assert by_judge[0].item.tolist() == [
        *("q | s | x | 1", "q | t | x | 1", "q | s | y | 1", "q | s | x | 2")
    ]
    assert by_judge[1].item.tolist() == by_judge[0].item.tolist()
    assert columns(by_judge[0], "verdict") == [["right", "wrong", "wrong", "right"]]
    assert columns(by_judge[1], "verdict") == [["right", "right", "right", "wrong"]]
    assert set(judges.cluster) == {"q"}


def test_names_that_would_be_one_are_told_apart():
    keys = {"item": ["a | b", "a"], "system": ["c", "b | c"]}
    table = judged(["right", "right"], ["right", "right"], **keys)
    more = judged(
        ["right"] * 3,
        ["right"] * 3,
        **{"item": [*keys["item"], "a"], "system": [*keys["system"], "x"]},
    )
    for one in (table, more):
        judges = demur.judge_outcomes(one, gold="people")
        assert len(set(judges.item)) == len(one)


def test_what_does_not_join_is_an_error_or_counted():
    first = judged(["right"] * 3, ["right"] * 3, item=["a", "b", "c"])
    second = judged(["right"] * 2, ["right"] * 2, item=["b", "a"])
    both = {"one": first, "two": second}
    words = "have judged the same answers; got 1 only of one, such as 'c'"
    refuses(words, demur.judge_outcomes, both, gold="people")
    judges = demur.judge_outcomes(both, gold="people", items="common")
    assert judges.notes[0] == "2 answers that all have judged; left out: 1 of one"
    assert len(judges) == 4
    other = judged(["right"], ["right"], item=["z"])
    words = r"none in common \(one: 'a'; three: 'z'\)"
    both = {"one": first, "three": other}
    refuses(words, demur.judge_outcomes, both, gold="people", items="common")


def test_what_a_judge_was_not_asked_is_not_judged():
    first = judged(["right", "right"], ["right", "right"])
    second = judged(["right", "unlabelled"], ["right", "right"])
    both = {"one": first, "two": second}
    refuses("got 1 only of one", demur.judge_outcomes, both, gold="people")
    judges = demur.judge_outcomes(both, gold="people", items="common")
    assert judges.item.tolist() == ["0", "0"]


def test_people_must_not_contradict_themselves():
    first, second = (judged(["right"], [word]) for word in ("right", "wrong"))
    both = {"a": first, "b": second}
    words = "say the same of an answer in every table; got right and wrong for '0'"
    refuses(words, demur.judge_outcomes, both, gold="people")
    nothing = judged(["right"], [None])
    silent = demur.Outcomes.from_arrays(outcome=["right"])
    judges = demur.judge_outcomes(
        {"a": nothing, "b": silent, "c": first}, gold="people"
    )
    assert columns(judges, "outcome") == [["right"] * 3]


def test_what_people_could_not_judge_is_unlabelled():
    table = judged(["right", "right"], ["ungraded", "yes"])
    judges = demur.judge_outcomes(table, gold="people")
    assert columns(judges, "reason_code") == [["unlabelled", None]]
    note = "1 answers that people could not judge count as unlabelled"
    assert note in judges.notes


def test_weights_and_clusters_must_be_one_in_all_tables():
    first = judged(["right"] * 2, ["right", None], label_weight=[2, None])
    second = judged(["right"] * 2, ["right", None], label_weight=[3, None])
    both = {"a": first, "b": second}
    words = "label_weight must be the same in every table; got 2.0 and 3.0 for '0'"
    refuses(words, demur.judge_outcomes, both, gold="people")
    plain = judged(["right"] * 2, ["right", None], cluster=["x", None])
    judges = demur.judge_outcomes({"a": plain, "b": first}, gold="people")
    assert judges.label_weight[[0, 2]].tolist() == [2, 2]
    assert judges.cluster.tolist() == ["x", None, "x", None]


def test_confidences_are_by_judge_and_those_that_lack_have_a_rule():
    sure = {"verdict_confidence": [0.9, None, "0.5", ""]}
    words = ["right", "right", "wrong", "ungraded"]
    table = judged(words, ["right"] * 4, groups=sure)
    bare = judged(["right"] * 4, ["right"] * 4)
    both = {"sure": table, "bare": bare}
    judges = demur.judge_outcomes(both, gold="people")
    assert judges.confidence[:3].tolist() == [0.9, -np.inf, 0.5]
    assert np.isnan(judges.confidence[3:]).all()
    words = "sure: 1 of 3 verdicts without one count as less sure than all others"
    assert words in judges.notes
    assert demur.error_return(judges.select(system="sure")).at(cutoff=0.5).error == 0.25
    words = "be there for every verdict of a judge, or for none; got 1 of 3"
    how = {"gold": "people", "without_confidence": "refuse"}
    refuses(words, demur.judge_outcomes, both, **how)


@pytest.mark.parametrize("value", ["high", float("inf"), True, [1]])
def test_a_confidence_must_be_a_number(value):
    sure = np.empty(1, object)
    sure[0] = value
    table = judged(["right"], ["right"], groups={"verdict_confidence": sure})
    words = "a: column verdict_confidence must be a finite number"
    refuses(words, demur.judge_outcomes, {"a": table}, gold="people")


def test_arguments_are_checked():
    table = judged(["right"], ["right"], groups={"verdict": ["x"]})
    verb = demur.judge_outcomes
    refuses("got 'peeple', where there are", verb, table, gold="peeple")
    refuses("Did you mean 'people'|people", verb, table, gold="peeple")
    refuses("not be verdict", verb, table, gold="verdict")
    refuses("at least one judge", verb, {}, gold="people")
    for name in ("people", "", " "):
        refuses("the name of a judge", verb, {name: table}, gold="people")
    refuses("name of a judge", verb, {3: table}, gold="people")
    refuses("items must be one of", verb, table, gold="people", items="all")
    refuses(
        "people must be right or wrong", verb, judged(["right"], ["so"]), gold="people"
    )


def test_one_judge_under_two_names_is_told():
    made = judge_cases.simulated(np.random.default_rng(0), 30, accuracy={"a": 0.8})
    judges = demur.judge_outcomes({"a": made["a"], "b": made["a"]}, gold="people")
    assert any("a and b say the same of every answer" in n for n in judges.notes)


def test_the_outcomes_of_judges_come_back_from_a_file():
    made = judge_cases.simulated(
        *(np.random.default_rng(0), 30), accuracy={"a": 0.8, "b": 0.9}, cannot_tell=0.1
    )
    judges = demur.judge_outcomes(made, gold="people")
    file = io.BytesIO()
    demur.write_outcomes(judges, file)
    read = demur.read_outcomes(io.BytesIO(file.getvalue()), groups=None)
    first, second = map(demur.arrange_judges, (judges, read))
    assert first.arrangements == second.arrangements


def test_all_verbs_work_on_judges():
    made = judge_cases.simulated(
        *(np.random.default_rng(1), 200), accuracy={"a": 0.8, "b": 0.9}, labelled=0.6
    )
    judges = demur.judge_outcomes(made, gold="people")
    a, b = (judges.select(system=name) for name in "ab")
    assert 0 < demur.corrected_error(a).corrected.value < 0.5
    assert demur.compare(a, b, at=0.2).difference.value < 0
    assert demur.choose(a, max_error=0.2, certainty=0.9).found
    assert len(demur.curve_by(judges)) == 2
