"""A reference that is empty text is a text, and said to be one."""

import demur


def test_wrong_answers_where_the_reference_is_empty_text_are_noted():
    outcomes = demur.judge(
        [{"item": n, "response": said} for n, said in enumerate(["Bern", "", "Oslo"])],
        [{"item": n, "reference": known} for n, known in enumerate(["", "", "Oslo"])],
    )
    assert outcomes.outcome.tolist() == ["wrong", "right", "right"]
    assert outcomes.notes == (
        "floor: empty text to every item is right on 2 of 3 (66.7 %)",
        "1 wrong answer where the reference is empty text, which no other answer "
        "equals: leave the item out, or give its reference",
    )
