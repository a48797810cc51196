"""A team that answers twice by ``repeat`` is said to have done so."""

import pytest

import demur

REFERENCES = [{"item": f"q{at}", "reference": "x"} for at in range(4)]


def said(system, *times):
    """Responses of a system, so many to each item."""
    return [
        {"item": f"q{at}", "system": system, "repeat": number, "response": "x"}
        for at, count in enumerate(times)
        for number in range(count)
    ]


TWICE = "each of 4 items is answered 2 times (repeat)"
MORE = (
    "2 of 4 items are answered more often than others, up to 3 times (repeat): they "
    "count more"
)


@pytest.mark.parametrize(
    ("responses", "notes"),
    [
        (said("a", 1, 1, 1, 1), []),
        (said("a", 2, 2, 2, 2), [TWICE]),
        (said("a", 1, 3, 1, 2), [MORE]),
        (said("a", 2, 2, 2, 2) + said("b", 1, 1, 1, 1), [f"a: {TWICE}"]),
        (said("a", 1, 3, 1, 2) + said("b", 1, 2, 1, 3), [f"a, b: {MORE}"]),
        (
            said("a", 1, 3, 1, 2) + said("b", 2, 2, 2, 2),
            [f"a: {MORE}", f"b: {TWICE}"],
        ),
    ],
)
@pytest.mark.parametrize("hide", [False, True])
def test_items_that_are_answered_several_times_are_counted(responses, notes, hide):
    how = {"missing": "leave_out", "hide_references": hide}
    outcomes = demur.judge(responses, REFERENCES, **how)
    about = [note for note in outcomes.notes if "(repeat)" in note]
    assert about == notes
    # Once, also where they are scored by who has judged them.
    scored = [note for note in demur.score(outcomes).notes if "(repeat)" in note]
    assert scored == notes


def test_settings_are_no_repeats():
    responses = [
        {"item": f"q{at}", "setting": setting, "repeat": 1, "response": "x"}
        for at in range(4)
        for setting in "st"
    ]
    outcomes = demur.judge(responses, REFERENCES)
    assert not [note for note in outcomes.notes if "(repeat)" in note]


def test_who_repeats_what_is_right_is_told_by_score(tmp_path):
    """Nothing of the judging is known of a file."""
    path = tmp_path / "o.jsonl"
    how = {"missing": "leave_out"}
    demur.write_outcomes(demur.judge(said("a", 1, 3, 1, 2), REFERENCES, **how), path)
    assert MORE in demur.score(demur.read_outcomes(path)).notes
