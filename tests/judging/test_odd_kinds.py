"""Wrong answers of another kind than their references are named, and what to type."""

import pytest

from demur.answers import cas, label, number, text
from demur.judging.odd_kinds import OddKinds

CHAT = {"choices": [{"message": {"content": "Oslo"}}]}
HERE = "whose text stands under"


@pytest.mark.parametrize(
    ("guess", "references", "note"),
    [
        (CHAT, ["Oslo"], f"a chat completion, {HERE} choices[0].message.content;"),
        ({"body": CHAT}, ["Oslo"], f"in a batch, {HERE} body.choices[0].message"),
        (
            {"role": "x", "content": "Oslo"},
            ["Oslo"],
            "a chat message, whose",
        ),
        (
            {"candidates": []},
            ["Oslo"],
            "its reference a text: the answer is",
        ),
        ('{"answer": "Oslo"}', ["Oslo"], "the answer may stand under answer; give"),
        (
            ["Oslo"],
            ["Oslo"],
            "is a list, its reference a text: give the",
        ),
        ("Oslo", [["Oslo"]], "its reference a list: several acceptable answers stand"),
        ("Oslo", [{"text": ["Oslo"]}], "under text; give it alone, or several under"),
        (True, [1], "true is not 1"),
        ("1.0", ["x", "1"], "written otherwise ('1.0', '1'): by=number (--by number)"),
        *(("Oslo", ["Rome"], ""), ("Oslo", [7], ""), ("12", ["13"], "")),
        *((["a"], [["b"]], ""), ("[1", ["a"], ""), ("Oslo", [], "")),
    ],
)
def test_one_wrong_answer_of_another_kind(
    guess: object, references: list[object], note: str
) -> None:
    kinds = OddKinds(label())
    kinds.add(guess, [(value, 1.0) for value in references])
    notes = "".join(kinds.notes(9))
    assert note in notes
    assert bool(notes) is bool(note)


def test_all_answers_of_one_kind_are_named_if_all_references_are_of_another() -> None:
    kinds = OddKinds(text())
    for _ in range(2):
        kinds.add("Oslo", [(7, 1.0)])
    assert list(kinds.notes(3)) == []
    [note] = kinds.notes(2)
    assert note.startswith("all 2 answers are texts, and their references numbers")


@pytest.mark.parametrize(("comparator", "notes"), [(number(), 1), (cas(), 0)])
def test_comparators_that_read_lists_are_left_alone(
    comparator: object, notes: int
) -> None:
    kinds = OddKinds(comparator)
    for _ in range(2):
        kinds.add([4], [(4, 1.0)])
    assert len(list(kinds.notes(2))) == notes
    assert all("2 wrong answers are lists" in note for note in kinds.notes(2))
