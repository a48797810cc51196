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
