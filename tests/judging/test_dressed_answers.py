"""Wrong answers that are their references, written otherwise."""

import demur


def test_references_with_something_about_them_are_said_first_with_what_mends_them():
    said = ["Bern.", "Oslo.", "Rome.", "It's Kiev", "It's Paris", "It's Riga", "Baku"]
    known = ["Bern", "Oslo", "Rome", "Kiev", "Paris", "Riga", "Lima"]
    outcomes = demur.judge(
        [{"item": f"q{n}", "response": one} for n, one in enumerate(said)],
        [{"item": f"q{n}", "reference": one} for n, one in enumerate(known)],
    )
    first = "6 of 7 wrong answers are their references, written otherwise (see notes)."
    assert outcomes.sentence().startswith(f"{first} 7 outcomes: 0 right")
    mended, other = outcomes.notes
    assert "(--by 'text(normalise=squad)') takes all for right; or take it" in mended
    assert "--by" not in other
    by_squad = demur.judge(
        [{"item": f"q{n}", "response": one} for n, one in enumerate(said)],
        [{"item": f"q{n}", "reference": one} for n, one in enumerate(known)],
        by="text(normalise=squad)",
    )
    assert by_squad.counts()["right"] == 3
    assert "--by" not in str(by_squad.notes)
