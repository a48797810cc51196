"""The reliability diagram: what is drawn equals the calibration, and is named."""

from typing import Any

import numpy as np
import pytest

import demur
from builders import refuses
from demur import (
    Calibration,
    calibration_of,
    plot_calibration,
    plot_curves,
    save_picture,
)
from demur.plots import pens

pytest.importorskip("matplotlib")


def drawn(name: str = "a", n: int = 120, *, seed: int = 0, **more: Any) -> Calibration:
    """A system that is right with the chance confidence ** 2."""
    rng = np.random.default_rng(seed)
    confidence = rng.beta(4, 1.5, n)
    right = rng.random(n) < confidence**2
    scale = more.pop("scale", lambda value: value)
    outcomes = demur.Outcomes.from_arrays(
        correct=right, confidence=scale(confidence), system=name
    )
    return calibration_of(outcomes, replicates=20, **more)


def mute(name: str = "mute") -> Calibration:
    return calibration_of(demur.Outcomes.from_arrays(correct=[1, 0], system=name))


def logit(value: Any) -> Any:
    return np.log(value / (1 - value))


def legend_of(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def lines_of(ax: Any) -> list[Any]:
    """The systems' lines, without the diagonal and marks."""
    found = [line for line in ax.lines if line.get_transform() == ax.transData]
    return [line for line in found if line.get_linestyle() != ":"][1:]


def strips_of(ax: Any) -> list[Any]:
    """Areas under zero, from the first down."""
    tops = [(area, area.get_paths()[0].vertices[:, 1].max()) for area in ax.collections]
    return [area for area, top in tops if top <= 0]


def markers_of(ax: Any, shape: str) -> list[tuple[float, float]]:
    return [
        (line.get_xdata()[0], line.get_ydata()[0])
        for line in ax.lines
        if line.get_marker() == shape
    ]


def test_the_line_is_the_isotonic_estimate() -> None:
    found = drawn()
    _, right = plot_calibration(found)
    diagonal, line = right.lines[0], right.lines[1]
    assert (list(diagonal.get_xdata()), list(diagonal.get_ydata())) == ([0, 1], [0, 1])
    diagram = found.reliability
    assert diagram is not None
    at = np.interp(diagram.confidence, line.get_xdata(), line.get_ydata())
    assert at == pytest.approx(diagram.estimate)
    assert set(line.get_ydata()) == {block.estimate for block in diagram.blocks}


def test_the_left_panel_is_the_curve_in_the_same_pen() -> None:
    both = [drawn("a"), drawn("b", seed=1)]
    left, right = plot_calibration(both)
    pure = plot_curves([each.curve for each in both], legend=False)
    for one, other in zip(left.lines, pure.lines, strict=True):
        assert list(one.get_ydata()) == list(other.get_ydata())
    for index, line in enumerate(lines_of(right)[:2]):
        curve = left.lines[2 * index]
        assert line.get_color() == curve.get_color() == pens.COLOURS[index]
        assert line.get_linestyle() == curve.get_linestyle()
        assert line.get_linewidth() == curve.get_linewidth()


def test_one_legend_names_all_signs() -> None:
    left, right = plot_calibration([drawn("a"), drawn("b", seed=1)], region=(0.1, 0.3))
    assert left.get_legend() is None
    assert legend_of(right) == [
        *("a", "b", ""),
        "missed chance: right, but withheld",
        "operating region, 0.1 to 0.3",
        "perfectly calibrated",
        "strips: guesses by confidence (root scale)",
    ]


def test_a_single_system_has_its_band() -> None:
    found = drawn()
    _, right = plot_calibration(found)
    assert "95% consistency band, pointwise" in legend_of(right)
    band = found.band
    assert band is not None
    corners = right.collections[0].get_paths()[0].vertices
    for end in (band.low, band.high):
        for place in zip(band.confidence, end, strict=True):
            assert np.isclose(corners, place).all(axis=1).any()
    _, right = plot_calibration([found, drawn("b", seed=1)])
    assert not [words for words in legend_of(right) if "band" in words]
    assert len(right.collections) == len(strips_of(right)) == 2


def test_strips_show_where_the_guesses_are() -> None:
    sure = calibration_of(
        demur.Outcomes.from_arrays(
            correct=[1, 0, 1, 1, 0], confidence=[0.21, 0.9, 0.9, 0.9, 0.9]
        ),
        replicates=1,
    )
    _, right = plot_calibration([sure, drawn("b")])
    first, second = strips_of(right)
    corners = first.get_paths()[0].vertices
    assert corners[:, 1].max() <= second.get_paths()[0].vertices[:, 1].max() + 0.08
    floor = corners[:, 1].min()
    high = corners[corners[:, 1] > floor + 1e-9]
    assert set(np.round(high[:, 0] // 0.1, 6)) == {2.0, 8.0, 9.0}
    heights = {round(each - floor, 6) for each in high[:, 1]}
    assert max(heights) == pytest.approx(2 * min(heights))  # root of 4 to 1
    low, top = right.get_ylim()
    assert low < second.get_paths()[0].vertices[:, 1].min() < floor
    assert top > 1


def test_targets_are_marked_with_both_cutoffs() -> None:
    found = drawn(targets=[0.5, 0.8])
    left, right = plot_calibration(found)
    for shape, name in (("X", "trusted"), ("*", "best")):
        places = [getattr(trust, name) for trust in found.trust]
        assert markers_of(left, shape) == [
            (point.nonreturn, point.error) for point in places
        ]
    assert {"0.5", "0.8"} <= {text.get_text() for text in right.texts}
    assert {"0.5", "0.8"} <= {text.get_text() for text in left.texts}
    assert "cutoff of least cost at the target" in legend_of(right)
    many = [drawn(name, targets=[0.5]) for name in "abcd"]
    left, right = plot_calibration(many)
    assert len(markers_of(left, "X")) == 4
    assert [words for words in legend_of(right) if "target" in words]


def test_other_scales_have_no_diagonal() -> None:
    found = drawn(scale=logit)
    _, right = plot_calibration(found)
    assert right.get_xlabel() == "confidence (not a probability)"
    assert "perfectly calibrated" not in legend_of(right)
    (picture,) = found.pictures()
    assert "which is no probability" in picture.description
    assert "diagonal" not in picture.description
    diagram = found.reliability
    assert diagram is not None
    low, high = right.get_xlim()
    assert low < diagram.confidence[0] < diagram.confidence[-1] < high
    assert list(right.lines[0].get_ydata())[-1] == diagram.estimate[-1]


def test_what_the_diagram_cannot_show_is_named() -> None:
    systems = [drawn("sure"), drawn("other", scale=logit), mute()]
    left, right = plot_calibration(systems)
    assert "not on the right: other, mute" in legend_of(right)
    assert right.get_xlabel() == "stated confidence"
    assert len(strips_of(right)) == 1
    assert markers_of(left, "D")  # the third system's operating point
    _, right = plot_calibration([*systems, mute("mute too")])
    assert "not on the right: 3 systems" in legend_of(right)


@pytest.mark.parametrize(
    "columns",
    [
        {"correct": [1], "confidence": [0.7]},
        {"correct": [0, 0, 0], "confidence": [0.7, 0.7, 0.7]},
        {"correct": [1, 0]},
        {"correct": [None]},
        {"correct": [1, 0, 1], "confidence": [-np.inf, 0, np.inf]},
        {"correct": [1, 0], "confidence": [-np.inf, np.inf]},
        {"outcome": ["ungraded", "right"], "confidence": [0.5, 0.6]},
        {"correct": [1, 0, 1], "confidence": [0.5, 0.6, 0.6], "weight": [1, 2, 0.1]},
    ],
)
def test_poor_tables_are_drawn(columns: Any, tmp_path: Any) -> None:
    outcomes = demur.Outcomes.from_arrays(**columns)
    axes = plot_calibration(calibration_of(outcomes, targets=[0.5], replicates=3))
    save_picture(axes, tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 1000


def test_a_single_place_is_a_dot() -> None:
    outcomes = demur.Outcomes.from_arrays(correct=[1, 0], confidence=[0.7, 0.7])
    _, right = plot_calibration(calibration_of(outcomes, replicates=9))
    assert markers_of(right, "o") == [(0.7, 0.5)]
    width = np.ptp(right.collections[0].get_paths()[0].vertices[:, 0])
    assert 0 < width < 0.02  # of the band


def test_names_are_shown_literally() -> None:
    names = ["_under $x_1$ <b>", "two\nlines", r"\frac{1}{2}"]
    _, right = plot_calibration(
        [drawn(name, 20, seed=seed) for seed, name in enumerate(names)], title="$t_1$"
    )
    assert legend_of(right)[:3] == ["_under $x_1$ <b>", r"two\nlines", r"\frac{1}{2}"]
    assert not any(text.get_parse_math() for text in right.get_legend().get_texts())
    assert right.figure._suptitle.get_text() == "$t_1$"
    assert not right.figure._suptitle.get_parse_math()


def test_own_axes_and_labels() -> None:
    mine = pens.new_axes(2, size=(8, 4), across=2)
    left, right = plot_calibration([drawn()], axes=mine, labels=["one"], title="t")
    assert [left, right] == mine
    assert legend_of(right)[0] == "one"
    assert left.get_title() == "t"
    assert left.get_xlim() == (0, 1)


def test_many_systems_have_a_diagram_each() -> None:
    many = [drawn(f"s{n}", 10, seed=n) for n in range(18)]
    panels = plot_calibration(many)
    assert [panel.get_title() for panel in panels[1:]] == [f"s{n}" for n in range(18)]
    legend = next(panel.get_legend() for panel in panels if panel.get_legend())
    legend.figure.draw_without_rendering()
    box = legend.get_window_extent()
    assert box.y0 >= 0
    assert box.x1 <= legend.figure.bbox.x1 + 1
    for index, panel in enumerate(panels[1:]):
        assert len(strips_of(panel)) == 1
        coloured = {line.get_color() for line in panel.lines if line.get_label() != "_"}
        assert pens.COLOURS[index % 8] in coloured
        texts = [panel.title, panel.xaxis.label, *panel.get_xticklabels()]
        boxes = [text.get_window_extent() for text in texts if text.get_text()]
        for place, one in enumerate(boxes):
            assert not any(one.overlaps(other) for other in boxes[:place])


def test_given_axes_hold_many_systems_too() -> None:
    many = [drawn(f"s{n}", 10, seed=n) for n in range(18)]
    mine = pens.new_axes(2, size=(8, 4), across=2)
    _, right = plot_calibration(many, axes=mine)
    assert not strips_of(right)
    assert not [words for words in legend_of(right) if "strips" in words]


@pytest.mark.parametrize(
    ("calibrations", "options", "match"),
    [
        ([], {}, "must hold at least one"),
        ([mute()], {"labels": ["a", "b"]}, "name all 1 systems"),
        ([mute()], {"axes": [None]}, "be 2, one for each panel; got 1"),
        ([mute()], {"how": "liner"}, "Did you mean 'linear'"),
    ],
)
def test_bad_arguments(calibrations: Any, options: Any, match: str) -> None:
    refuses(match, plot_calibration, calibrations, **options)


def test_equal_pictures_have_equal_bytes(tmp_path: Any) -> None:
    for name in ("one.svg", "two.svg"):
        save_picture(plot_calibration(drawn(targets=[0.6])), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
