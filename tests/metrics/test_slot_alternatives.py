"""Any of the alternative values of a reference is right."""

import pytest

import demur

TURNS = {
    "references": [
        {"area": "centre | south", "name": "a|b"},
        {"area": "centre|none"},
        {"area": "x>y"},
    ],
    "hypotheses": [{"area": "South", "name": "c"}, {}, {"area": "y"}],
}


@pytest.mark.parametrize(("signs", "errors"), [(None, 4), ("|", 2), ("|>", 1)])
def test_any_alternative_is_right(signs, errors):
    found = demur.slot_scores(**TURNS, alternatives=signs)
    assert found.counted.errors.sum() == errors
    assert ("parted at" in found.signature) == bool(signs)


def test_a_declined_turn_is_held_against_the_state_before():
    found = demur.slot_scores(
        {
            "ref": [{"a": "x"}, {"a": "x|y"}],
            "hyp": [{"a": "x"}, None],
            "dialogue": [1, 1],
        },
        alternatives="|",
    )
    assert found.value("joint goal accuracy") == 1


def test_letters_part_no_values():
    with pytest.raises(demur.InputError, match="alternatives must be signs"):
        demur.slot_scores(**TURNS, alternatives="or")


@pytest.mark.parametrize(
    ("true", "given", "right"),
    [
        (["centre", "south"], "south", 1),
        (["centre"], ["centre"], 1),
        (["centre", "south"], "north", 0),
        ([2, 3], "3.0", 1),
        ("2.0|3", 2, 1),
        ("2.5|3", 2, 0),
    ],
)
def test_alternatives_may_be_lists_and_numbers(true, given, right):
    found = demur.slot_scores(
        references=[{"a": true}], hypotheses=[{"a": given}], alternatives="|"
    )
    assert found.value("joint goal accuracy") == right


def test_a_list_against_a_text_is_refused():
    table = {"ref": [{}, {"a": ["x", "y"]}], "hyp": [{"a": "x"}, {"a": "x"}]}
    with pytest.raises(
        demur.InputError, match=r"slot a must have lists on both.*--alt"
    ):
        demur.slot_scores(table)
    table["hyp"][1]["a"] = ["x", "y"]
    assert demur.slot_scores(table).value("joint goal accuracy") == 0.5
    table["hyp"][1] = None
    assert demur.slot_scores(table).value("joint goal accuracy") == 0


def test_pairs_name_each_slot_once():
    with pytest.raises(demur.InputError, match="hyp must name each slot once"):
        demur.slot_scores(
            references=[{"a": "y"}], hypotheses=[[["a", "x"], ["a", "y"]]]
        )
