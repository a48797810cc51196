"""Sentences that rank systems claim no more than is so, in every command."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import demur
from demur.cli import main

Rows = list[dict[str, Any]]
Write = Callable[..., str]


@pytest.fixture
def path(tmp_path: Path) -> Write:
    def write(*listed: Rows) -> str:
        target = tmp_path / "rows.jsonl"
        lines = (json.dumps(row) for rows in listed for row in rows)
        target.write_text("\n".join(lines), "utf-8")
        return str(target)

    return write


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The first paragraph of what a command prints."""

    def run(*words: str) -> str:
        assert main(list(words)) == 0
        return " ".join(capsys.readouterr().out.split("\n\n")[0].split())

    return run


def rows(
    system: str, wrong: int, n: int = 100, ungraded: int = 0, start: int = 0
) -> Rows:
    """The least sure answers are wrong, the next ones ungraded."""
    outcomes = ["wrong"] * wrong + ["ungraded"] * ungraded
    outcomes += ["right"] * (n - len(outcomes))
    return [
        {
            "item": f"q{start + place}",
            "system": system,
            "outcome": outcome,
            "confidence": (place + 1) / (n + 1),
        }
        for place, outcome in enumerate(outcomes)
    ]


SAME = [rows(f"s{number}", 30) for number in range(13)]
"""Thirteen systems that cannot be told apart."""


def mute(listed: Rows) -> Rows:
    return [{k: v for k, v in row.items() if k != "confidence"} for row in listed]


# -- ties ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["curve"], "13 systems share the least error, each on 0.100"),
        (["choose", "--wrong-costs", "3"], "13 systems share the least cost where"),
        (["choose", "--cost-ratio", "0.3"], "13 systems share the least cost where"),
        (
            ["choose", "--score", "omniscience-index"],
            "13 systems share the best omnisc",
        ),
        (["choose", "--max-error", "0.1"], "13 systems share the greatest share answe"),
        (["choose", "--balance"], "13 systems share the least error by this rule"),
        (
            ["choose", "--prices"],
            "13 systems share the least cost: 0.150 per item each",
        ),
        (["compare"], "Of 13 systems 13 share the least error at nonreturn 0.2: 0.100"),
        (["score"], "13 systems share the least weighted error: 60.0 %."),
    ],
)
def test_thirteen_alike_are_all_best(words: Sequence[str], text: str, path, said):
    answer = said(*words[:1], path(*SAME), *words[1:])
    assert text in answer
    assert "s0" not in answer


def test_a_tie_of_named_scores_of_contrasts_and_of_calibration(path, said):
    alike = path(*SAME)
    index = said("score", alike, "--score", "omniscience-index")
    assert "By omniscience-index 13 systems share the best value: 40." in index
    contrast = said("curve", alike, "--contrast")
    assert "13 systems share the first place (1.000); 13 systems also share" in contrast
    sure = said("curve", alike, "--calibration")
    assert "13 systems share the lowest Brier score" in sure
    assert "13 systems share the least miscalibration" in sure


def test_groups_with_one_error_are_not_told_apart(path, said):
    cut = [row | {"t": place % 2} for place, row in enumerate(rows("a", 20))]
    answer = said("curve", path(cut), "--by", "t", "--at", "0")
    assert "the error is the same for all, 0.200 of all items" in answer


def test_a_tie_of_metrics_is_told(path, said):
    table = [
        {"item": str(item), "system": name, "ref": "x y", "hyp": hyp}
        for name, hyp in {"a": "x y", "b": "x z", "c": "x y", "d": "x z"}.items()
        for item in range(4)
    ]
    answer = said("metrics", "words", path(table))
    assert answer.startswith(
        "Of 4 systems a and c are best: the word error rate is 0.000; "
    )
    assert answer.endswith("b and d follow: the word error rate is 0.500.")


# -- bounds ----------------------------------------------------------------------------


def test_all_whose_bounds_reach_the_best_are_told(path, said):
    listed = path(rows("a", 30), rows("b", 31), rows("c", 0, ungraded=32))
    assert said("curve", listed, "--at", "0").startswith(
        "At nonreturn 0 who errs least is not known: a errs on 0.300 of all items, c "
        "on 0.000 to 0.320"
    )
    guessless = rows("c", 0)
    for row in guessless[:32]:
        row.update(outcome="unanswered", confidence=None)
    listed = path(rows("a", 30), rows("b", 31), guessless)
    assert "c on 0.000 to 0.320" in said("curve", listed, "--at", "0")


def test_many_are_beyond_luck_only_where_two_are(path, said, capsys):
    old, new = rows("old", 30), rows("new", 0, ungraded=40)
    third = rows("third", 30)
    answer = said("compare", path(old, new, third), "--at", "0")
    assert answer.startswith(
        "Who of 3 systems errs least at nonreturn 0 is not known: old has 0.300 of all "
        "items, new 0.000 to 0.400"
    )
    assert "might turn the difference between old and new" in answer
    assert main(["compare", path(old, new, third), "--at", "0", "--json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    many = {(pair["a"], pair["b"]): pair for pair in pairs if pair["at"] == 0}
    assert many["old", "new"]["better"] is None
    assert many["old", "new"]["adjusted_p"] < 0.001
    assert main(["compare", path(old, new), "--at", "0", "--json"]) == 0
    two = json.loads(capsys.readouterr().out)
    assert two["better"] is None
    low, high = (bound["value"] for bound in many["old", "new"]["bounds"])
    assert (low, high) == pytest.approx((-0.3, 0.1))
    assert [bound["value"] for bound in two["bounds"]["error"]] == pytest.approx(
        [low, high]
    )


def test_what_ungraded_answers_cannot_turn_is_beyond_luck(path, said):
    listed = path(rows("a", 60), rows("b", 0, ungraded=10), rows("c", 61))
    answer = said("compare", listed, "--at", "0")
    assert "Of 3 systems b errs least at nonreturn 0: 0.000 to 0.100" in answer
    assert "b beats a and c beyond luck" in answer


def test_own_decisions_have_bounds_too(path, said):
    listed = [rows("old", 30), rows("new", 0, ungraded=40), rows("third", 30)]
    answer = said("compare", path(*map(mute, listed)))
    assert "errs least by its own decisions is not known: old has 0.300" in answer
    assert "might turn" in answer


@pytest.mark.parametrize(
    "words",
    [
        ["score"],
        ["score", "--score", "omniscience-index"],
        ["choose", "--cost-ratio", "1.5"],
        ["choose", "--nonreturn", "0"],
        ["choose", "--prices"],
    ],
)
def test_costs_and_scores_with_ungraded_answers_are_hedged(words, path, said):
    listed = path(rows("old", 30), rows("new", 0, ungraded=40))
    answer = said(*words[:1], listed, *words[1:])
    assert "is not known" in answer
    assert "as ungraded answers are" in answer


# -- other items -----------------------------------------------------------------------


DISJOINT = rows("a", 1, 10), rows("b", 20, 30, start=10)


@pytest.mark.parametrize(
    "words",
    [
        ["curve"],
        ["score"],
        ["choose", "--wrong-costs", "3"],
        ["choose", "--max-error", "0.2"],
        ["choose", "--nonreturn", "0"],
        ["choose", "--score", "atis-1991"],
        ["choose", "--prices"],
    ],
)
def test_systems_without_a_common_item_are_not_sent_to_compare(words, path, said):
    answer = said(*words[:1], path(*DISJOINT), *words[1:])
    assert "demur compare" not in answer
    assert answer.startswith("No item is common to all systems, so none is ranked")


def test_items_that_differ_are_said(path, said, capsys):
    listed = path(rows("a", 1, 10), rows("b", 20, 30))
    assert "items differ, 10 are common to all" in said("curve", listed)
    assert main(["curve", listed]) == 0
    assert "judged on different items: 10 in common" in capsys.readouterr().out
    outcomes = demur.read_outcomes(path(rows("a", 1, 10), rows("b", 2, 10)))
    assert "items differ" not in demur.curve_by(outcomes).sentence()


def labels(system: str, wrong: int, n: int, start: int = 0) -> Rows:
    return [
        {
            "item": f"q{start + place}",
            "system": system,
            "ref": "x",
            "hyp": "y" if place < wrong else "x",
        }
        for place in range(n)
    ]


def test_measures_of_different_items_are_said_to_be_so(path, said):
    listed = path(labels("a", 1, 10), labels("b", 9, 30, 10), labels("c", 2, 9, 50))
    answer = said("metrics", "labels", listed)
    assert answer.startswith("No item is common to all systems, so none is ranked")
    listed = path(labels("a", 1, 10), labels("b", 9, 30), labels("c", 2, 10))
    answer = said("metrics", "labels", listed)
    assert "a is best" in answer
    assert "items differ: 10 are common to all" in answer


# -- undefined, order, and by whom -----------------------------------------------------


def test_who_has_no_number_is_named_and_tables_follow_the_sentence(path, capsys):
    hyps = {"a": "u", "b": "u z", "c": "u v"}
    table = [
        {"item": str(item), "system": name, "ref": ref, "hyp": hyp}
        for name, hyp in hyps.items()
        for ref in [None if name == "a" else "u v"]
        for item in range(3)
    ]
    assert main(["metrics", "words", path(table)]) == 0
    out = capsys.readouterr().out
    answer = " ".join(out.split("\n\n")[0].split())
    assert "c is best" in answer
    assert "a is left out: the word error rate is undefined." in answer
    listed = [line.split()[0] for line in out.splitlines() if line[:2] in HEADS]
    assert listed[:3] == ["c", "b", "a"]


HEADS = {"a ", "b ", "c "}


def judged(system: str, wrong: int, truly: int) -> Rows:
    """By the judge so many of 100 are wrong; people have seen every second item."""
    return [
        {
            "item": f"q{place}",
            "system": system,
            "outcome": "wrong" if place < wrong else "right",
            "confidence": ((place * 37) % 100 + 1) / 101,
            "gold": ("wrong" if place < truly else "right") if place % 2 else None,
        }
        for place in range(100)
    ]


def test_the_best_choice_is_so_by_the_number_that_is_printed(path, said, capsys):
    listed = path(judged("a", 4, 40), judged("b", 16, 8))
    words = ["--nonreturn", "0", "--gold", "gold"]
    answer = said("choose", listed, *words)
    assert answer.startswith("b errs least by this rule")
    assert "as people's verdicts in gold correct it" in answer
    assert main(["choose", listed, *words, "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)["systems"]
    corrected = {one["system"]: one["corrected"]["value"] for one in plain}
    assert corrected["b"] < corrected["a"]
    assert f"a follows with {100 * corrected['a']:.3g} % wrong" in answer


def test_the_error_by_the_judge_is_said_to_be_so(path, said):
    listed = path(judged("a", 4, 40), judged("b", 16, 8))
    answer = said("curve", listed, "--gold", "gold", "--at", "0.1")
    assert answer.startswith("By the judge alone: At nonreturn 0.1 ")
    alone = said("curve", path(judged("a", 4, 40)), "--gold", "gold")
    assert alone.startswith("By the judge alone: ")


def test_people_say_who_errs_least_where_they_correct_the_judge(path, capsys):
    listed = path(judged("a", 4, 40), judged("b", 16, 8))
    assert main(["curve", listed, "--gold", "gold", "--at", "0.1"]) == 0
    answer = " ".join(capsys.readouterr().out.split("\n\n")[0].split())
    people = answer.partition("As people's verdicts correct it, ")[2]
    assert people.startswith("at nonreturn 0.1 b errs least, on 0.")


def test_the_ties_of_other_rankings_are_told():
    able = demur.Outcomes.from_arrays(
        item=[f"q{n}" for _ in range(12) for n in range(20)],
        system=[f"s{n}" for n in range(12) for _ in range(20)],
        correct=[
            n < (15 if s < 3 else 4 + s % 3) for s in range(12) for n in range(20)
        ],
    )
    found = demur.rasch(able).sentence()
    assert found.startswith("3 systems share the greatest ability (+")
