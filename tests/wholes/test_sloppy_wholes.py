"""Answers made of parts, sloppily given or meant to cheat: what is said of them."""

import pytest

import demur
from builders import printed, stderr_of, write_records
from demur import InputError


def rows():
    """Thirty runs of three actions, one action of ten wrong."""
    return [
        {
            "item": f"run{i // 3}",
            "part": str(i % 3),
            "correct": i % 10 != 7,
            "confidence": (i * 37 % 90) / 90,
        }
        for i in range(90)
    ]


def runs(**columns):
    """The `rows` as outcomes."""
    given = {name: [row[name] for row in rows()] for name in rows()[0]}
    return demur.Outcomes.from_arrays(**given, **columns)


@pytest.fixture
def agent(tmp_path):
    """A file of the `rows`."""
    write_records(tmp_path / "agent.jsonl", rows())
    return str(tmp_path / "agent.jsonl")


@pytest.mark.parametrize("column", ["outcome", "credit", "correct", "reason_code"])
def test_a_kind_is_known_before_the_verdict(column):
    with pytest.raises(InputError, match="be known before there is a verdict"):
        demur.choose_by_kind(runs(), kinds=column, max_error=0.1, certainty=0.9)


def test_a_kind_is_known_before_the_verdict_of_a_file(agent):
    words = ("choose", agent, "--max-error", "0.1", "--of", "wholes", "--kinds")
    said = stderr_of(*words, "correct", code=4)
    assert "kinds must be known before there is a verdict; got 'correct'" in said


def test_a_part_without_a_kind_is_named():
    tool = ["pay"] * 90
    tool[7] = None
    with pytest.raises(InputError, match=r"row 7, first for .run2 \(1\)"):
        demur.choose_by_kind(runs(groups={"tool": tool}), kinds="tool", max_error=0.1)


def test_a_kind_has_one_cost(agent):
    words = ("choose", agent, "--max-error", "0.1", "--of", "wholes", "--kinds", "part")
    costs = ("--kind-cost", "1=2", "--kind-cost", "1=3")
    said = stderr_of(*words, *costs, code=2)
    assert "--kind-cost must be given once for each kind; got 2 for '1'" in said


def test_items_of_a_recheck_are_parts_and_it_says_so(agent, tmp_path):
    lock = str(tmp_path / "lock.json")
    printed("choose", agent, "--max-error", "0.2", "--lock", lock)
    said = " ".join(printed("recheck", lock, agent).split())
    assert "each part counts as an item here" in said


def test_a_recheck_of_wholes_speaks_of_no_parts_as_items(agent, tmp_path):
    lock = str(tmp_path / "lock.json")
    printed("choose", agent, "--max-error", "0.2", "--of", "wholes", "--lock", lock)
    said = " ".join(printed("recheck", lock, agent).split())
    assert "each part counts as an item here" not in said


def test_items_of_scores_are_parts_and_they_say_so(agent):
    said = " ".join(printed("score", agent).split())
    assert "each part counts as an item here" in said


def locked(agent, tmp_path, of="wholes"):
    lock = str(tmp_path / "lock.json")
    printed("choose", agent, "--max-error", "0.2", "--of", of, "--lock", lock)
    return lock


def silent(count):
    return [{"item": f"silent{i}", "part": None, "correct": None} for i in range(count)]


def test_a_recheck_names_wholes_that_were_added_without_parts(agent, tmp_path):
    lock, padded = locked(agent, tmp_path), tmp_path / "padded.jsonl"
    assert "have no parts" not in printed("recheck", lock, agent)
    write_records(padded, [*rows(), *silent(1000)])
    text = " ".join(printed("recheck", lock, str(padded)).split())
    assert "1,000 of the wholes have no parts: they count, and hold no error" in text


@pytest.mark.parametrize("of", ["wholes", "answered wholes"])
def test_a_recheck_takes_a_whole_with_parts(agent, tmp_path, of):
    lock, without = locked(agent, tmp_path, of), tmp_path / "without.jsonl"
    write_records(without, silent(20))
    text = stderr_of("recheck", lock, str(without), code=4)
    assert "outcomes must have a whole with parts; got 20 without" in text


def test_rows_of_one_item_may_be_told_apart_by_their_part(tmp_path):
    claims = [{**row, "claim": row["part"]} for row in rows()]
    for row in claims:
        del row["part"]
    write_records(tmp_path / "claims.jsonl", claims)
    text = stderr_of("curve", str(tmp_path / "claims.jsonl"), code=4)
    assert "A column part, setting or repeat tells rows apart" in text


def named(rows, system):
    return [{**row, "system": system} for row in rows]


def test_comparisons_name_wholes_without_parts(tmp_path):
    padded = [*rows(), *silent(1000)]
    write_records(tmp_path / "a.jsonl", named(padded, "a"))
    write_records(tmp_path / "b.jsonl", named(padded, "b"))
    files = (str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"))
    text = " ".join(printed("compare", *files, "--of", "wholes", "--at", "0.1").split())
    assert "b: 1,000 of the wholes have no parts: they count, and hold no error" in text


def test_groups_that_tear_wholes_are_named():
    tools = ["pay" if i % 3 else "search" for i in range(90)]
    torn = demur.whole_curve_by(runs(groups={"tool": tools}), by="tool")
    assert any("are in several groups" in note for note in torn[0].notes)
    days = [None if i < 45 else float("nan") for i in range(90)]
    whole = demur.whole_curve_by(runs(groups={"day": days}), by="day")
    assert not any("are in several groups" in note for note in whole[0].notes)


def test_parts_that_were_made_wholes_are_named(tmp_path):
    torn = [{**row, "item": f"{row['item']}/{row['part']}"} for row in rows()]
    write_records(tmp_path / "torn.jsonl", torn)
    words = ("--max-error", "0.3", "--of", "wholes")
    text = " ".join(printed("choose", str(tmp_path / "torn.jsonl"), *words).split())
    assert "no whole has more than one part" in text


def test_what_an_option_goes_without_is_named(agent):
    words = ("--max-error", "0.3", "--certainty", "0.9", "--of", "answered wholes")
    text = stderr_of("choose", agent, *words, "--each", "part", code=2)
    assert "come with --of all or wholes; got --of answered wholes" in text


def test_a_month_whose_verdicts_are_still_empty_is_told_so(tmp_path):
    path = tmp_path / "march.csv"
    path.write_text("item,part,correct,confidence\nr1,a,,0.9\nr1,b,,0.8\nr2,a,,.7\n")
    notes = " ".join(demur.read_outcomes(path).notes)
    assert "nobody has judged yet has the outcome unlabelled" in notes
    path.write_text("item,part,correct,confidence\nr1,a,1,0.9\nr1,b,,0.8\n")
    assert "nobody has judged" not in " ".join(demur.read_outcomes(path).notes)
