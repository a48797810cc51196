"""Curves drawn into the user's own axes, and panels for groups."""

import numpy as np
from matplotlib.figure import Figure

import demur
from builders import refuses
from demur.plots.drawing import plot_groups
from demur.plots.pens import line_pen


def curve(name: str, seed: int, **columns: object) -> demur.Curve:
    rng = np.random.default_rng(seed)
    confidence = rng.random(60)
    return demur.error_return(
        demur.Outcomes.from_arrays(
            system=name, correct=rng.random(60) < confidence, confidence=confidence,
            **columns,
        )
    )  # fmt: skip


def test_two_calls_two_looks_one_legend() -> None:
    figure = Figure()
    left, right = figure.subplots(1, 2)
    right.plot([0, 1], [0, 7])
    before = right.get_position().bounds, right.get_ylim()
    curve("one", 1).plot(ax=left, label="first", missed=False)
    curve("two", 2).plot(ax=left, missed=False)
    curve("three", 3).plot(ax=left, color="tab:red", missed=False)
    lines = [
        line for line in left.lines if line.get_label() in ("first", "two", "three")
    ]
    looks = {
        (str(line.get_color()), str(line._unscaled_dash_pattern)) for line in lines
    }
    assert len(looks) == 3
    assert lines[2].get_color() == "tab:red"
    names = [text.get_text() for text in left.get_legend().get_texts()]
    assert names == ["first", "two", "three"]
    figure.draw_without_rendering()
    box = left.get_legend().get_window_extent()
    assert left.bbox.x0 <= box.x0
    assert box.x1 <= left.bbox.x1 + 1
    assert (right.get_position().bounds, right.get_ylim()) == before
    assert right.get_legend() is None
    tops = [each.error.max() for each in (curve("one", 1), curve("two", 2))]
    assert left.get_ylim()[1] > max(tops)


def test_no_two_of_many_systems_look_alike() -> None:
    looks = [line_pen(index) for index in range(40)]
    pairs = {(look["color"], str(look["linestyle"])) for look in looks}
    assert len(pairs) == 40
    # Of thirteen, those of one colour have dashes of another kind: solid is never
    # beside solid, and the number of dots differs.
    for first in range(5):
        one, other = looks[first]["linestyle"], looks[first + 8]["linestyle"]
        kinds = [0 if each == "solid" else len(each[1]) for each in (one, other)]
        assert kinds[0] != kinds[1]


def test_targets_are_marked_however_many_systems_there_are() -> None:
    rng = np.random.default_rng(0)
    found = []
    for name in "abcde":
        confidence = rng.random(80)
        outcomes = demur.Outcomes.from_arrays(
            system=name, correct=rng.random(80) < confidence, confidence=confidence
        )
        found.append(demur.calibration_of(outcomes, targets=[0.8], replicates=20))
    left, right = demur.plot_calibration(found)
    assert any(
        len(set(line.get_xdata())) == 1 and line.get_xdata()[0] == 0.8
        for line in right.lines
    )
    stars = [line for line in left.lines if line.get_marker() == "*"]
    assert len(stars) == 5


def test_many_groups_have_a_panel_each(tmp_path) -> None:
    rng = np.random.default_rng(0)
    n = 240
    both = [
        demur.Outcomes.from_arrays(
            system=name,
            item=[f"q{row}" for row in range(n)],
            correct=rng.random(n) < 0.7,
            confidence=rng.random(n),
            groups={"topic": [f"t{row % 5}" for row in range(n)]},
        )
        for name in ("a", "b")
    ]
    paths = []
    for outcomes in both:
        paths.append(str(tmp_path / f"{outcomes.systems[0]}.jsonl"))
        demur.write_outcomes(outcomes, paths[-1])
    from demur.cli import main

    picture = tmp_path / "c.svg"
    assert main(["curve", *paths, "--by", "topic", "--plot", str(picture)]) == 0
    assert picture.stat().st_size > 1000
    curves = {
        name: {"b": curve("b", 1), "a": curve("a", 2)} for name in ("x", "y", "z")
    }
    curves["z"].pop("b")
    panels = plot_groups(curves)
    assert [panel.get_title() for panel in panels] == ["x", "y", "z"]
    assert len({panel.get_ylim() for panel in panels}) == 1
    colours = [
        {line.get_label(): line.get_color() for line in panel.lines} for panel in panels
    ]
    assert colours[0]["a"] == colours[2]["a"] != colours[0]["b"]
    refuses("at least one group", plot_groups, {})
