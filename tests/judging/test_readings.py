"""What notes say of signs that a rule drops."""

import pytest

import demur


def notes(pairs, by):
    outcomes = demur.judge(
        [{"item": str(n), "response": said} for n, (said, _) in enumerate(pairs)],
        [
            {"item": str(n), "references": list(wanted)}
            for n, (_, wanted) in enumerate(pairs)
        ],
        by=by,
    )
    assert set(outcomes.outcome) == {"right"}
    return [note for note in outcomes.notes if "drops signs" in note]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("C++", "C"),
        ("-5", "5"),
        ("1.5", "15"),
        ("C#", "c"),
        ("3 %", "3"),
    ],
)
@pytest.mark.parametrize("by", ["text(normalise=squad)", "f1(threshold=1)"])
def test_a_note_names_answers_that_are_right_without_their_signs(said, wanted, by):
    (note,) = notes([(said, [wanted]), ("Oslo.", ["oslo"])], by)
    assert note.startswith(f"1 right answer only because {by} drops signs, such as ")
    assert repr(said) in note
    assert repr(wanted) in note


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("Oslo.", ["Oslo"]),
        ('"The Rhine"', ["Rhine"]),
        ("well-known", ["wellknown"]),
        ("1,234", ["1234"]),
        ("$5", ["5"]),
        ("C++", ["c++"]),
        ("C++", ["C", "C++"]),
        ("-5", ["-5."]),
        ("1.5", ["1.5"]),
        ("don't", ["dont"]),
    ],
)
def test_signs_that_tell_nothing_apart_are_not_noted(said, wanted):
    assert notes([(said, wanted)], "text(normalise=squad)") == []


def test_where_signs_are_kept_there_is_no_note():
    assert notes([("C++", ["c++"]), ("-5", ["-5"])], "text") == []
