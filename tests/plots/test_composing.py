"""Curves drawn into the user's own axes, and panels for groups."""

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

import demur
from builders import refuses
from demur.plots import pens, rendering
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


# -- words at their places ----------------------------------------------------------


def axes_of(width: float) -> Any:
    """Axes that are so many points wide."""
    figure = Figure(figsize=(width / 72, 4), dpi=72)
    return figure.add_axes((0, 0, 1, 1))


@pytest.mark.parametrize(
    ("words", "places", "turned"),
    [
        (["12345", "12"], [0, 0.01], False),  # few letters are never turned
        (["123456"], [0.5], False),
        (["123456", "1"], [0.2, 0.2 + 49.1 / 720], False),  # 7 letters of 7 points
        (["123456", "1"], [0.2 + 48.9 / 720, 0.2], True),
        (["1", "1", "123456"], [0.2, 0.9, 0.2 + 48.9 / 720], True),
        (["x" * 102], [0.5], True),
        (["x" * 101], [0.5], False),
        ([], [], False),
    ],
)
def test_words_wider_than_their_gap_are_turned(
    words: list[str], places: list[float], turned: bool
) -> None:
    assert rendering._too_long(axes_of(720), places, words) == turned


@pytest.mark.parametrize(
    ("place", "others", "side"),
    [
        (0.5, [], "center"),
        (0.5, [0.5], "center"),
        (0.5, [0.5901], "center"),
        (0.5, [0.5899], "right"),
        (0.5, [0.4101], "left"),
        (0.5, [0.45, 0.54], "right"),
        (0.5, [0.46, 0.55], "left"),
        (0.5, [0.0, 1.0], "center"),
    ],
)
def test_words_make_room_for_their_nearest_neighbour(
    place: float, others: list[float], side: str
) -> None:
    assert rendering._side(place, [place, *others]) == side


def test_values_stand_below_and_right_of_curves_that_fall() -> None:
    def sides(*shares: float, x: float = 0.5) -> list[tuple[Any, ...]]:
        ax = axes_of(400)
        pens.write_values(ax, x, [(share, "0.123", "black") for share in shares])
        return [
            (text.get_ha(), text.get_va(), text.xyann, round(text.xy[1], 4))
            for text in ax.texts
        ]

    low, high = ("right", "top", (-4, -2)), ("left", "bottom", (4, 2))
    assert sides(0.5) == [(*high, 0.5)]
    assert sides(0.8, 0.2) == [(*low, 0.2), (*high, 0.8)]
    # 11 points are 11 / 288 of the height, and 30 points 0.075 of the width.
    gap = 11 / 288
    assert sides(gap + 0.001, 0.9)[0] == (*low, round(gap + 0.001, 4))
    assert sides(gap - 0.001, 0.9)[0] == (*high, round(gap - 0.001, 4))
    assert [side[0] for side in sides(0.2, 0.8, x=0.074)] == ["left", "left"]
    assert [side[0] for side in sides(0.2, 0.8, x=0.076)] == ["right", "left"]
    assert [side[0] for side in sides(0.2, x=0.924)] == ["left"]
    assert [side[0] for side in sides(0.2, x=0.926)] == ["right"]
    near = [up for *_, up in sides(0.1, 0.5, 0.5, 0.51)]
    assert near == [0.1, 0.5, round(0.5 + gap, 4), round(0.5 + 2 * gap, 4)]


def test_axes_that_are_too_few_or_too_many_are_refused() -> None:
    one = curve("one", 1)
    pair = demur.calibration_of(
        demur.Outcomes.from_arrays(correct=[1, 0] * 9, confidence=np.arange(18) / 18),
        replicates=5,
    )
    panels = list(Figure().subplots(1, 3))
    with pytest.raises(demur.InputError, match="axes must be one; got 3") as said:
        one.plot(axes=panels)
    assert "A figure or subfigure" not in str(said.value)
    refuses(
        "axes must be 2, one for each panel; got 3. A figure", pair.plot, axes=panels
    )
    free = Figure().add_axes((0, 0, 1, 1))
    refuses("axes must be 2, one for each panel; got 1", pair.plot, axes=[free])
    assert len(pair.plot(axes=panels[:2])) == 2
    assert len(pair.plot(axes=panels[2])) == 2


def test_the_title_stands_over_the_note_and_words_at_levels() -> None:
    one = curve("one", 1)
    pads = {}
    for at in ((), (0.3,)):
        (ax,) = [one.plot(at=at, title="it")]
        (note,) = [text for text in ax.texts if text.get_text().startswith("ties ")]
        pads[at] = note.xyann[1]
    assert pads == {(): 3, (0.3,): 15}
