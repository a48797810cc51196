"""What the picture of wholes shows, as data."""

import numpy as np
import pytest

import demur
from demur.figures import picture_of
from demur.figures.whole_curves import parts_and_wholes_picture, whole_groups_picture
from demur.results.pictures import Dots, Line, Shade
from picture_cases import runs

CURVES = [
    demur.whole_curve(runs(name, seed), people_error=0.25)
    for seed, name in ((0, "a"), (1, "b"))
]


def lines(panel, style):
    return [m for m in panel.marks if isinstance(m, Line) and m.style == style]


def test_a_line_is_the_share_of_wholes_at_each_corner():
    [panel] = picture_of(CURVES[0]).panels
    [line] = lines(panel, "system")
    cutoffs = CURVES[0].nonreturn.tolist()
    at = [cutoffs.index(x) for x in line.x]
    assert line.y.tolist() == CURVES[0].whole_error[at].tolist()
    assert not line.steps
    [people] = lines(panel, "missed")
    assert people.x.tolist() == cutoffs
    assert people.y.tolist() == CURVES[0].error_with_people.tolist()
    [open_] = [mark for mark in panel.marks if isinstance(mark, Shade)]
    first = CURVES[0].at(nonreturn=CURVES[0].scaled.start)
    assert (open_.low[0], open_.high[0]) == pytest.approx(first.bounds)
    own = CURVES[0].own
    dots = [m for m in panel.marks if isinstance(m, Dots) and not m.hollow]
    assert [(d.x[0], d.y[0]) for d in dots] == [(own.nonreturn, own.whole_error)]
    assert panel.y.high >= max(people.y.max(), open_.high.max())


def test_nothing_is_dashed_if_nothing_is_known_of_people():
    [panel] = picture_of(demur.whole_curve(runs("a")), how="step").panels
    assert not lines(panel, "missed")
    assert panel.note == "step: one cutoff for all parts"
    assert not any("people" in entry.words for entry in panel.signs)


def test_a_system_without_confidences_is_a_dot_and_a_hollow_one_after_people():
    outcomes = demur.Outcomes.from_arrays(
        item=["a", "a", "b", "b"],
        part=["x", "y", "x", "y"],
        correct=[1, 0, 1, 1],
        declined=[False, False, True, False],
    )
    [panel] = picture_of(demur.whole_curve(outcomes, people_error=0.5)).panels
    places = [(d.x.tolist(), d.y.tolist(), d.hollow) for d in panel.marks]
    assert places == [([0.25], [0.5], False), ([0.25], [0.75], True)]
    assert panel.signs[-1].words.endswith("by own decisions")


def test_parts_and_wholes_share_what_is_withheld():
    parts = [demur.error_return(runs(name, seed)) for seed, name in enumerate("ab")]
    left, right = parts_and_wholes_picture(parts, CURVES, at=0.5).panels
    assert left.x == right.x
    assert [line.look for line in lines(left, "system")] == [0, 1]
    assert [line.look for line in lines(right, "system")] == [0, 1]
    assert left.names == left.signs == ()
    words = [entry.words for entry in right.signs]
    assert len(words) == len(set(words))
    assert "if ungraded parts are wrong" in words


def test_groups_have_a_panel_of_wholes_each():
    groups = {"spring": {"a": CURVES[0]}, "autumn": {"a": CURVES[1]}}
    panels = whole_groups_picture(groups).panels
    assert [panel.title for panel in panels] == ["spring", "autumn"]
    assert {panel.y.label for panel in panels} == {"wholes with a wrong part"}
    assert np.array_equal(
        lines(panels[1], "system")[0].y,
        lines(picture_of(CURVES[1]).panels[0], "system")[0].y,
    )
