"""Judging again with changed references: all systems, and only what has changed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.adjudicating import adjudicate
from demur.errors import InputError
from demur.records import OUTCOMES

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


def test_ranks_count_those_who_are_better():
    rng = np.random.default_rng(0)
    systems = {name: "".join(rng.choice([*"xyz-"], 3)) for name in "abcdefgh"}
    found = adjudicate(said(**systems), REFERENCES, [change("q1", remove=True)])
    for each in found.standings:
        better = [
            other for other in found.standings if other.right_after > each.right_after
        ]
        assert each.rank_after == 1 + len(better)
