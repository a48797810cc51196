"""What a page holds, held against the library; what it refuses; what it leaves out."""

import base64
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur import Curves, Result, Results
from demur.cli import main
from demur.pages import embedding, sections
from demur.pages.collecting import ReportOptions, by_area, explore
from demur.pages.svg import Canvas, marks
from demur.results.pictures import Axis, Panel
from random_rows import curve_of, rows


def data_of(page):
    found = re.search(r'id="data">(.*?)</script>', page.html, re.DOTALL)
    return json.loads(found[1])


def unpacked(held):
    kinds = {"Uint8": "<u1", "Uint16": "<u2", "Uint32": "<u4", "Float64": "<f8"}
    return np.frombuffer(base64.b64decode(held["data"]), kinds[held["type"]])


def rates_of(curve, name):
    held = curve["rates"][name]
    if "same" in held:
        return np.full(curve["vertices"], held["same"])
    return unpacked(held) / held.get("over", 1)


@pytest.fixture
def outcomes():
    draw = np.random.default_rng(1)
    n = 60
    return demur.Outcomes.from_arrays(
        item=[*range(n)] * 2,
        system=["a"] * n + ["b"] * n,
        correct=draw.random(2 * n) < 0.7,
        confidence=draw.integers(0, 20, 2 * n) / 20,
        input=[f"question {k}" for k in range(n)] * 2,
        response=[f"answer {k}" for k in range(2 * n)],
        groups={"topic": ["art", "sea", "sky"] * 40},
    )


# -- what it carries is what the library says ----------------------------------------


@given(rows())
def test_carried_vertices_are_those_of_the_curve(listed):
    curve = curve_of(listed)
    words = json.loads(embedding.as_data(embedding.curve_words(curve, 1000)))
    if curve.ladder is None:
        assert words["vertices"] == 0
        return
    assert words["vertices"] == len(curve.cutoff)
    np.testing.assert_array_equal(unpacked(words["cutoffs"]), curve.cutoff[:-1])
    for name in ("nonreturn", "error", "right", "missed", "ungraded"):
        np.testing.assert_array_equal(rates_of(words, name), getattr(curve, name))
    for name in ("avoided", "correct_decline", "no_guess"):
        np.testing.assert_array_equal(rates_of(words, name), getattr(curve.split, name))
    np.testing.assert_array_equal(rates_of(words, "all_ungraded"), curve.split.ungraded)


@given(rows(), st.sampled_from([0.0, 0.07, 0.1, 0.2, 0.29, 0.5, 1.0]))
def test_the_page_opens_at_the_last_cutoff_that_declines_no_more(listed, at):
    curve = curve_of(listed)
    if curve.ladder is None:
        return
    vertex = embedding.opening_vertex(curve.nonreturn, at)
    point = curve.at(nonreturn=at, how="at_most")
    assert curve.nonreturn[vertex] == max(point.nonreturn, curve.start) or (
        point.error is None and vertex == 0
    )


@given(rows())
def test_a_row_is_answered_where_its_rank_says_so(listed):
    outcomes = demur.Outcomes.from_arrays(
        outcome=[row.outcome for row in listed],
        confidence=[
            np.nan if row.outcome == "unanswered" else row.confidence for row in listed
        ],
        answerable=[row.answerable for row in listed],
    )
    curve = demur.error_return(outcomes)
    if curve.ladder is None:
        return
    ranks = embedding.ranks(outcomes, curve, 1000)
    for vertex, cutoff in enumerate([*curve.cutoff[:-1], np.inf]):
        silent = vertex == len(curve.cutoff) - 1
        answered = [
            row.outcome != "unanswered" and not silent and row.confidence >= cutoff
            for row in listed
        ]
        assert (ranks > vertex).tolist() == answered


def test_of_very_many_vertices_some_are_carried_and_that_is_said(monkeypatch):
    monkeypatch.setattr(embedding, "MOST_VERTICES", 200)
    n = 5000
    draw = np.random.default_rng(2)
    outcomes = demur.Outcomes.from_arrays(
        correct=draw.random(n) < 0.5, confidence=draw.random(n)
    )
    page = demur.report(outcomes)
    curve, (held,) = demur.error_return(outcomes), data_of(page)["systems"]
    assert 100 <= held["curve"]["vertices"] <= 210
    assert not held["curve"]["all"]
    kept = np.searchsorted(curve.cutoff[:-1], unpacked(held["curve"]["cutoffs"]))
    assert kept[0] == 0
    np.testing.assert_array_equal(
        rates_of(held["curve"], "error")[:-1], curve.error[kept]
    )
    gaps = np.diff(rates_of(held["curve"], "nonreturn"))
    assert gaps.max() < 0.02
    assert "carry 200 of them" in page.html


# -- texts within a budget -----------------------------------------------------------


def test_texts_that_matter_most_come_first(outcomes):
    whole = data_of(demur.report(outcomes))["texts"]
    assert len(whole["items"]) == 60
    page = demur.report(outcomes, max_text=2000)
    texts = data_of(page)["texts"]
    assert 0 < len(texts["items"]) < 40
    assert len(json.dumps(texts)) < 2200
    left_out = 60 - len(texts["items"])
    assert any(f"Texts of {left_out} items are left out" in n for n in page.notes)
    assert f"Texts of {left_out} items" in page.html
    a, b = outcomes.select(system="a"), outcomes.select(system="b")
    differ = {str(k) for k in np.flatnonzero(a.outcome != b.outcome)}
    assert set(texts["items"]) <= differ or differ <= set(texts["items"])


def test_long_texts_are_whole_where_there_is_room_else_they_say_what_is_missing():
    outcomes = demur.Outcomes.from_arrays(
        correct=[1, 0], confidence=[2, 1], response=["x" * 5000, {"a": [1, None]}]
    )
    texts = data_of(demur.report(outcomes))["texts"]["rows"]
    assert texts["0:0"][0] == "x" * 5000
    assert texts["0:1"][0] == '{"a": [1, null]}'
    page = demur.report(outcomes, max_text=5000)
    texts = data_of(page)["texts"]["rows"]
    assert texts["0:0"][0] == "x" * 2000 + "… [3,000 more characters]"
    assert any("Long texts of 1 item are cut at 2,000" in note for note in page.notes)


def test_without_texts_the_page_says_where_they_come_from(outcomes):
    plain = demur.Outcomes.from_arrays(correct=[1, 0], confidence=[2, 1])
    assert any("display=True" in note for note in demur.report(plain).notes)
    assert not any("display=True" in note for note in demur.report(outcomes).notes)


# -- results of any kind -------------------------------------------------------------


def test_results_of_every_kind_have_a_section(outcomes):
    a, b = outcomes.select(system="a"), outcomes.select(system="b")
    curves = demur.curve_by(outcomes)
    comparison = demur.compare(a, b)
    results = [
        comparison,
        curves,
        demur.score(outcomes),
        demur.price_list(curves),
        demur.choose(a, cost_ratio=0.3),
        demur.choose(a, max_error=0.1, certainty=0.9),
        demur.calibration_of(a),
        demur.contrast(curves[0]),
        demur.interval(a, "error", 0.2),
        demur.check_pooled(a, fold="topic"),
    ]
    page = demur.report(results, title="All of it")
    assert page.sections[:7] == (
        *("Side by side", "Operating points and errors", "Scores", "What is cheapest"),
        *("Chosen cutoffs", "Calibration", "What others print"),
    )
    assert len(page.sections) == 9
    found = comparison.difference
    assert f"{found.value:+.4f}" in page.html
    assert demur.choose(a, cost_ratio=0.3).signature in page.html
    assert "<h1>All of it</h1>" in page.html


def test_headings_are_of_results_that_exist():
    from demur.pages import collecting
    from demur.pages.sections import HEADINGS

    for name in HEADINGS:
        of_pages = getattr(collecting, name, None)
        assert issubclass(of_pages or getattr(demur, name), Result), name


def test_a_page_of_outcomes_loads_only_what_it_shows(outcomes, tmp_path):
    file = tmp_path / "outcomes.jsonl"
    demur.write_outcomes(outcomes, file)
    code = (
        "import sys; from demur.cli import main; code = main(sys.argv[1:]); "
        "names = [n for n in sys.modules if n.split('.')[0] == 'demur']; "
        "print(code, len(names), *names)"
    )
    asked = ["report", str(file), "-o", str(tmp_path / "page.html")]
    done = subprocess.run(
        [sys.executable, "-c", code, *asked], capture_output=True, text=True, check=True
    )
    code, _, *names = done.stdout.splitlines()[-1].split()
    assert code == "0"
    declaring = [name for name in names if name.startswith("demur.cli.options")]
    assert len(declaring) <= 6, sorted(declaring)
    assert len(names) - len(declaring) <= 110, sorted(names)
    assert not [name for name in names if name.startswith("demur.pipelines")]


def test_a_pair_that_was_asked_for_is_compared(outcomes):
    page = demur.report(outcomes, compare=[("a", "b")], at=0.3)
    found = demur.compare(
        outcomes.select(system="a"), outcomes.select(system="b"), at=0.3
    )
    assert f"{found.difference.value:+.4f}" in page.html
    assert data_of(page)["pairs"] == [[0, 1]]
    again = demur.report(outcomes, against="b")
    assert data_of(again)["pairs"] == [[1, 0]]


def test_by_default_the_first_two_by_area_are_compared():
    draw = np.random.default_rng(4)
    n, skill = 80, {"poor": 0.3, "best": 0.95, "none": 0.5, "good": 0.8}
    outcomes = demur.Outcomes.from_arrays(
        item=[*range(n)] * 4,
        system=np.repeat(list(skill), n),
        correct=draw.random(4 * n) < np.repeat(list(skill.values()), n),
        confidence=[
            None if name == "none" else value
            for name, value in zip(
                np.repeat(list(skill), n), draw.random(4 * n), strict=True
            )
        ],
    )
    explored = explore(outcomes, ReportOptions())
    assert [explored.names[i] for i in by_area(explored.curves)] == [
        *("best", "good", "poor", "none")
    ]
    (pair,) = explored.pairs
    assert (pair.comparison.a, pair.comparison.b) == ("best", "good")


def many_systems(count, n=40):
    """Systems whose order by area is not that by the error at nonreturn 0.2."""
    draw = np.random.default_rng(3)
    return demur.Outcomes.from_arrays(
        item=[*range(n)] * count,
        system=[f"v{k:02}" for k in range(count) for _ in range(n)],
        correct=draw.random(count * n) < 0.7,
        confidence=draw.random(count * n),
    )


def test_of_many_systems_the_page_says_what_the_curves_say_and_claims_no_more():
    outcomes = many_systems(13, n=97)
    page = demur.report(outcomes, at=0.1)
    curves = demur.curve_by(outcomes)
    best = Curves(curves, at=(0.1,)).ranked[0]
    assert page.lead == (Curves(curves, at=(0.1,)).sentence(),)
    assert f"At nonreturn 0.1 {best.system} errs least" in page.lead[0]
    assert "Whether that is luck is for demur compare to say" in page.lead[0]
    assert "were picked of 13 systems by their areas, and p is not" in page.html
    asked = demur.report(outcomes, compare=[("v00", "v01")])
    assert "were picked of" not in asked.html


@pytest.mark.parametrize("confidence", [None, [0.9, 0.8]])
def test_a_lead_about_a_system_without_a_name_begins_as_a_sentence(confidence):
    outcomes = demur.Outcomes.from_arrays(correct=[1, 0], confidence=confidence)
    [lead, *_] = demur.report(outcomes).lead
    assert lead.startswith("The system ")


def test_of_two_systems_the_lead_is_about_the_one_that_errs_least_at_its_rate():
    outcomes = demur.Outcomes.from_arrays(
        item=[*range(10)] * 2,
        system=["early"] * 10 + ["late"] * 10,
        correct=[1, 1, 1, 1, 1, 1, 1, 0, 0, 0] + [0] + [1] * 8 + [0],
        confidence=[*range(10, 0, -1)] * 2,
    )
    firsts = set()
    for rate in (0.0, 0.1, 0.3, 0.5):
        page = demur.report(outcomes, at=rate)
        best = Curves(demur.curve_by(outcomes), at=(rate,)).ranked[0]
        firsts.add(best.system)
        assert page.lead[0].startswith(best.system)
        assert len(page.lead) == 2
        assert "picked of" not in page.html
    assert len(firsts) == 2  # the curves cross: the best by area is not always best


def test_systems_on_other_items_are_not_compared_and_that_is_said():
    outcomes = demur.Outcomes.from_arrays(
        item=list("abcd"),
        system=list("xxyy"),
        correct=[1, 0, 1, 1],
        confidence=range(4),
    )
    page = demur.report(outcomes)
    assert any("are not compared" in note for note in page.notes)
    refuses("items in common", demur.report, outcomes, compare=[("x", "y")])


def test_of_very_many_groups_the_largest_have_curves(monkeypatch):
    monkeypatch.setattr("demur.pages.collecting.MOST_GROUPS", 2)
    topics = list("aaabbcccc")
    outcomes = demur.Outcomes.from_arrays(
        correct=[1, 0] * 4 + [1], confidence=range(9), groups={"topic": topics}
    )
    page = demur.report(outcomes, by="topic")
    assert [group["value"] for group in data_of(page)["groups"]] == ["a", "c"]
    assert "topic has 3 values; the 2 with the most rows have curves" in page.notes


@pytest.mark.parametrize(
    ("n", "kept"), [(4, [0, 1, 2, 3]), (5, [0, 1, 2, 4]), (10, [0, 3, 6, 9])]
)
def test_of_very_many_rows_some_are_shown_from_the_first_to_the_last(
    n, kept, monkeypatch
):
    monkeypatch.setattr(sections, "MOST_ROWS", 4)
    rows = tuple((row,) for row in range(n))
    table = demur.Table("Rows", (demur.Column("row"),), rows)
    shown = sections._spread(table)
    assert [row for (row,) in shown.rows] == kept
    assert shown.title == ("Rows" if n == 4 else f"Rows (4 of {n} rows)")


INF = float("inf")
ODD = {
    "one item": {"correct": [1], "confidence": [0.5]},
    "no confidence": {"correct": [1, 0, None]},
    "no answer": {"correct": [None, None], "confidence": [None, None]},
    "infinite": {"correct": [1, 0, 1], "confidence": [INF, -INF, 0.0]},
    "float32": {"correct": [1, 0], "confidence": np.array([0.1, 0.7], np.float32)},
    "weights": {
        "correct": [1, 0, 0.5, None],
        "confidence": [1, 2, 3, None],
        "weight": [1 / 7, 2, 3, 1e-3],
    },
    "ungraded": {
        "outcome": ["right", "ungraded", "wrong", "unanswered"],
        "confidence": [3, 2, 1, None],
    },
    "repeats": {
        "item": list("aabb"),
        "repeat": list("1212"),
        "correct": [1, 0, 1, 1],
        "confidence": range(4),
    },
    "settings": {
        "item": list("abab"),
        "setting": ["lo", "lo", "hi", "hi"],
        "correct": [1, 0, 1, 1],
        "confidence": range(4),
    },
}


@pytest.mark.parametrize("name", ODD)
def test_odd_outcomes_have_a_page(name):
    page = demur.report(demur.Outcomes.from_arrays(**ODD[name]))
    data = data_of(page)
    assert "NaN" not in page.html.partition('id="data">')[2].partition("<")[0]
    assert len(data["systems"]) == len(data["names"])


# -- what is refused -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([], "must hold at least one"),
        ("outcomes.jsonl", "must be outcomes and results"),
        (3, "must be outcomes and results"),
        (["outcomes.jsonl"], "must be results of demur; got a str"),
        ([None], "got a NoneType"),
    ],
)
def test_what_is_no_result_is_refused(results, words):
    refuses(words, demur.report, results)


def test_wrong_arguments_are_refused(outcomes):
    refuses("hold one Outcomes", demur.report, [outcomes, outcomes])
    refuses("must be a system; known: a, b", demur.report, outcomes, against="c")
    refuses("at must be", demur.report, outcomes, at=20)
    refuses("colour", demur.report, outcomes, by="colour")


# -- the command ---------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch, outcomes):
    monkeypatch.chdir(tmp_path)
    demur.write_outcomes(outcomes, "o.jsonl")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_page_of_a_choice_opens_at_its_cutoff(capsys):
    words = ("--max-error", "0.2", "--page", "p.html", "--where", "system=b")
    assert main(["choose", "o.jsonl", *words]) == 0
    said = capsys.readouterr().out
    html = Path("p.html").read_text("utf-8").replace("\u00a0", " ")
    sentence = " ".join(said.partition("\n\n")[0].split())
    lead = " ".join(re.findall(r'<p class="lead">(.*?)</p>', html)[:2])
    assert sentence == lead
    cutoff = re.search(r"at a confidence of (\S+) or more", sentence)[1]
    assert f'<td data-value="{cutoff}">{cutoff}</td>' in html.partition('id="now"')[2]
    assert html.index("Chosen cutoffs</h2>") < html.index("Scores</h2>")
    assert "demur choose o.jsonl --max-error 0.2 --page p.html" in html
    assert "demur score o.jsonl --score" in html


def test_a_choice_is_shown_with_the_outcomes_that_it_was_made_on():
    a, b = (
        demur.Outcomes.from_arrays(
            correct=[True, False, True], confidence=[3, 2, 1], system=[name] * 3
        )
        for name in "ab"
    )
    refuses("hold the system 'a'", demur.report, [b, demur.choose(a, cost_ratio=0.3)])
    two = demur.Outcomes.from_arrays(
        correct=[True, False, True, True, True, True],
        confidence=[3, 2, 1, 9, 8, 7],
        system=["a"] * 3 + ["c"] * 3,
        item=[1, 2, 3] * 2,
    )
    chosen = (demur.choose(two.select(system=name), max_error=0.0) for name in "ac")
    page = demur.report([two, demur.Choices(chosen)])
    assert page.lead[0].startswith("c answers most")
    assert re.search('<td data-value="7(.0)?">', page.html)  # not where a stands
    assert "at nonreturn 0.2" in " ".join(page.lead)  # a rate that no data picked
    page = demur.report([a, demur.choose(a, max_error=0.0)])
    assert page.lead[0].startswith("a: answer at a confidence of 3.0 or more")
    assert re.search('<td data-value="3(.0)?">', page.html)


@pytest.mark.usefixtures("folder")
def test_the_command_writes_the_page_and_says_what_it_says(capsys):
    assert main(["report", "o.jsonl", "-o", "p.html", "--by", "topic"]) == 0
    said = capsys.readouterr()
    first = said.out.splitlines()[0]
    html = Path("p.html").read_text("utf-8").replace("\u00a0", " ")
    assert first in html
    assert "wrote p.html" in said.err
    assert "demur compare o.jsonl --where system=" in html
    assert "topic = sea" in html
    assert main(["report", "o.jsonl", "-o", "p.html", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["lead"][0] == first
    assert shown["size"] > 50_000
    assert "html" not in shown


def test_the_page_of_judge_holds_what_judge_prints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text("item,response,confidence\n1,a,.9\n2,b,.5\n", "utf-8")
    Path("g.csv").write_text("item,reference\n1,a\n2,a\n", "utf-8")
    assert main(["judge", "r.csv", "g.csv", "--page", "p.html"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    html = Path("p.html").read_text("utf-8")
    assert first.startswith("2 outcomes: 1 right")
    assert f'<p class="found">{first}</p>' in html
    assert "Verdicts" in html
    assert "mean credit" in html
    assert "Items and what the system made of them" in html
    assert "two systems" not in html.partition("<script")[0]
    assert re.search(r'<p hidden><label for="first">', html)


def test_of_many_systems_those_that_err_least_are_switched_on_and_ranked():
    outcomes = many_systems(13, n=97)
    explored = explore(outcomes, ReportOptions(at=0.1))
    ranked = [c.system for c in Curves(demur.curve_by(outcomes), at=(0.1,)).ranked]
    assert sorted(explored.order) == [*range(13)]
    page = demur.report(outcomes, at=0.1)
    now = re.search(r'<table id="now">(.*?)</table>', page.html, re.DOTALL)[1]
    listed = re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', now)
    assert listed == [explored.names[place] for place in explored.order]
    assert listed[-1] == ranked[-1]
    assert "first who errs least at nonreturn 0.1" in now
    checked = re.findall(r'data-system="(\d+)" checked', page.html)
    assert sorted(map(int, checked)) == sorted(explored.order[:8])
    assert data_of(page)["order"] == explored.order


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("report o.jsonl -o p.txt", 2, "must end in .html"),
        ("report o.jsonl -o nowhere/p.html", 2, "nowhere"),
        ("report o.jsonl --compare a", 2, "must be two systems"),
        ("report o.jsonl --compare a,b --against a", 2, "not allowed with"),
        ("report o.jsonl --against c", 4, "must be a system"),
        ("report o.jsonl --where system=c", 4, "system"),
        ("report nothing.jsonl", 4, "nothing.jsonl"),
    ],
)
def test_the_command_refuses(words, code, said, capsys):
    if said in ("not allowed with", "must end in .html"):
        with pytest.raises(SystemExit, match=str(code)):
            main(words.split())
    else:
        assert main(words.split()) == code
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


# -- pictures ------------------------------------------------------------------------


@given(st.floats(0.01, 1), st.floats(0, 1))
def test_marks_are_few_round_and_inside(high, share):
    low = -high * share
    found = marks(low, high)
    assert 1 <= len(found) <= 7
    assert all(low - 1e-9 <= value <= high + 1e-9 for value in found)
    assert all(len(f"{value:g}") <= 6 for value in found)


def test_a_picture_is_text_whatever_its_words():
    panel = Panel((), Axis("<x>"), Axis("]]>"), title="<i>")
    picture = Canvas("p", "<b>&", 'a"b', panel)
    picture.line(np.array([0.0, 1.0]), np.array([0.5, np.nan]), 3)
    drawn = str(picture)
    assert "<b>" not in drawn
    assert not any(mark in drawn for mark in ("<x>", "<i>"))
    assert ElementTree.fromstring(drawn).tag == "svg"


# -- verdicts of people --------------------------------------------------------------


def test_errors_that_people_correct_have_a_section(outcomes, tmp_path):
    people = np.where(outcomes.outcome == 0, "right", "wrong").astype(object)
    people[::3] = None
    judged = replace(outcomes, groups={"people": people})
    page = demur.report(judged, gold="people")
    assert "Errors corrected by people" in page.sections
    found = demur.corrected_curve(judged.select(system="a"), "people")
    assert f"<bdi>{found.error[0]:.3f}</bdi>" in page.html
    demur.write_outcomes(judged, path := tmp_path / "o.jsonl")
    out = tmp_path / "p.html"
    assert main(["report", str(path), "--gold", "people", "-o", str(out)]) == 0
    assert "demur curve" in (text := out.read_text("utf-8"))
    assert "--gold people" in text
    people[12:] = None
    few = replace(judged, groups={"people": people})
    page = demur.report(few, gold="people")
    assert "Errors corrected by people" not in page.sections
    assert any("at least 10" in note for note in page.notes)


def test_no_line_is_drawn_through_the_numbers_of_a_matrix():
    table = {"ann": ["x", "y", "x", "y"], "bob": ["x", "y", "y", "y"]}
    page = demur.report(demur.agreement(table))
    cells, bars = re.findall(r'<svg id="section1-.*?</svg>', page.html, re.DOTALL)
    assert 'class="cell' in cells
    assert 'class="grid"' not in cells
    assert 'class="grid"' in bars


def test_the_title_of_a_page_says_what_was_measured():
    words = [
        demur.word_errors(hypotheses=["a c"], references=["a b"], system=name)
        for name in ("x", "y")
    ]
    for measured in (words[0], words, Results(words)):
        page = demur.report(measured)
        assert (page.title, page.sections) == ("Word errors", ("Word errors",))
        assert "<h1>Word errors</h1>" in page.html
    counted = demur.difficulty_of_counts({"run": {"go": 3}})
    assert demur.report([words[0], counted]).title == "Word errors, Difficulty"
    assert demur.report(counted, title="Verbs").title == "Verbs"


def test_agreement_has_a_section():
    found = demur.agreement(
        {"key": [1, 1, 0, 0, 1], "ann <b>": [1, 0, 0, 0, 1], "bob": [1, 1, 0, 1, None]},
        key="key",
    )
    page = demur.report(found)
    assert page.sections == ("Agreement",)
    assert f"{found.alpha:.3f}" in page.html
    assert "<b>" not in page.html
    for judge in found.judges:
        assert f"<bdi>{judge.sensitivity[0]:.3f}</bdi>" in page.html
    undefined = demur.report(demur.agreement({"ann": [1, 1], "bob": [1, 1]}))
    assert "undefined" in undefined.html


def test_difficulty_and_scalability_have_sections():
    rows = {"word": ["run"] * 60, "sense": ["go"] * 40 + ["storm"] * 20}
    rows = {name: [*own, *own] for name, own in rows.items()}
    rows["word"][60:] = ["bank <i>"] * 60
    whole = demur.difficulty(rows, markable="word", value="sense")
    versions = {"whole": whole, "less": whole.prune(drop_ranks=[2])}
    found = demur.scalability(
        {
            name: (task, demur.try_methods(task)[-1].outcomes)
            for name, task in versions.items()
        }
    )
    page = demur.report([*versions.values(), found])
    assert page.sections == ("Difficulty", "Scalability")
    assert f"{whole.entropy:.3f}" in page.html
    assert "<i>" not in page.html
    assert f"{found.points[0].accuracy:.3f}" in page.html
    ElementTree.fromstring(
        re.search(r"<svg id=\"section2-scalab.*?</svg>", page.html, re.DOTALL)[0]
    )


def test_pipelines_have_sections():
    turns = [
        demur.TargetTurn(
            input=word,
            target={"nlu <i>": word, "dm": [word]},
            acceptable={"dm": [["c"]]},
            annotations={"<b>people": {"nlu <i>": "b"}},
        )
        for word in ("a", "b", "c")
    ]
    dialogues = [demur.TargetDialogue(f"d{n}<u>", turns) for n in range(6)]
    sure = {"a": 0.9, "b": 0.5, "c": 0.2}
    pipeline = demur.Pipeline.of(
        [
            demur.as_module(lambda w: ("a", sure[w]), name="nlu <i>"),
            demur.as_module(lambda act: [act] if act else [], name="dm"),
        ]
    )
    evaluation = demur.evaluate_pipeline(pipeline, dialogues, replace="nlu <i>")
    blame = demur.attribute_loss(pipeline, dialogues)
    sweep = demur.sweep_cutoff(pipeline, dialogues, module="nlu <i>")
    planted = demur.plant_errors(pipeline, dialogues, module="nlu <i>")
    page = demur.report([evaluation, blame, sweep, planted])
    assert page.sections == (
        "Sources in the place of modules",
        "Where the loss comes from",
        "Cutoffs inside the pipeline",
        "How far an error reaches",
    )
    html = page.html
    assert not any(mark in html for mark in ("<i>", "<b>people", "<u>"))
    assert "<bdi>33.3 %</bdi>" in html  # strict, of the pipeline as it is
    assert f"<bdi>{100 * blame.shares[0].shapley:+.1f}</bdi>" in html
    for each in sweep.best:
        assert f"{each.cost:.4f}" in html
    assert f"{len(planted.errors)} errors of nlu" in html
    for name in ("section1-pipeline-0", "section3-pipeline-1"):
        picture = re.search(rf'<svg id="{name}.*?</svg>', html, re.DOTALL)
        ElementTree.fromstring(picture[0])


def test_a_page_of_measures_is_titled_by_what_was_measured() -> None:
    scores = [
        demur.label_scores(references=["x", "y"], hypotheses=["x", hyp], system=name)
        for name, hyp in (("a", "y"), ("b", "x"))
    ]
    page = demur.report([demur.Results(scores)])
    assert (page.title, page.sections) == ("Label scores", ("Label scores",))
    assert "<h1>Label scores</h1>" in page.html


def test_what_columns_hold_is_said_in_words() -> None:
    systems = [
        demur.Outcomes.from_arrays(
            system=name,
            correct=[k % (3 + place) > 0 for k in range(40)],
            confidence=range(40),
        )
        for place, name in enumerate("abc")
    ]
    html = demur.report([demur.compare_all(systems)]).html
    assert "of a: of a" not in html
    assert "method: of the test" not in html


@pytest.mark.parametrize(
    ("highest", "kind"),
    [(255, "uint8"), (256, "uint16"), (65535, "uint16"), (65536, "uint32")],
)
def test_whole_numbers_are_packed_in_the_fewest_bytes(highest, kind):
    packed = embedding._smallest(np.array([0, highest]))
    assert packed.dtype == kind
    assert packed.tolist() == [0, highest]
