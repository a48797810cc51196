"""A system that failed in part wins nothing by that."""

import itertools

import pytest

import demur
from demur.comparisons.own_decisions import own_difference


def system(name, kinds):
    """One of right, wrong, declined, failed for each item."""
    words = {"r": "right", "w": "wrong", "d": "unanswered", "f": "unanswered"}
    why = {"d": "idk", "f": "failed"}
    return demur.Outcomes.from_arrays(
        item=[f"q{number}" for number in range(len(kinds))],
        system=name,
        outcome=[words[kind] for kind in kinds],
        kind=[why.get(kind) for kind in kinds],
    )


def test_an_outage_makes_no_system_better():
    good = system("b", "rrrrrrrwww" * 4)
    half = system("a", "f" * 30 + "rrrrrrrwww")
    compared = demur.compare(half, good)
    assert compared.sentence().endswith("might turn that.")
    assert "what failed" in compared.sentence()
    many = demur.compare_all(
        [half, good, system("c", "rrrrrrrwww" * 4)], quantity="own error"
    )
    pair = next(one for one in many if (one.a, one.b) == ("a", "b"))
    assert pair.turned
    assert pair.better is None
    assert "what failed" in pair.sentence()
    # As before where all was answered or declined.
    careful = system("a", "d" * 30 + "rrrrrrrwww")
    assert "beyond luck" in demur.compare(careful, good).sentence()


@pytest.mark.parametrize("rate", ["own error", "own nonreturn"])
def test_bounds_are_the_extremes_of_all_that_could_have_been(rate):
    first, second = "rwdffrw", "wfrrfdw"
    lost = {"own error": "w", "own nonreturn": "d"}[rate]

    def share(kinds):
        return sum(kind == lost for kind in kinds) / len(kinds)

    def could_be(kinds):
        places = [place for place, kind in enumerate(kinds) if kind == "f"]
        for told in itertools.product("rwd", repeat=len(places)):
            filled = list(kinds)
            for place, kind in zip(places, told, strict=True):
                filled[place] = kind
            yield share(filled)

    differences = [b - a for a in could_be(first) for b in could_be(second)]
    compared = demur.compare(system("a", first), system("b", second))
    least, most = compared.bounds[rate]
    assert least.value == pytest.approx(min(differences))
    assert most.value == pytest.approx(max(differences))
    shown = own_difference(system("a", first), system("b", second), quantity=rate)
    assert shown.value == pytest.approx(
        share(second.replace("f", "d")) - share(first.replace("f", "d"))
    )
