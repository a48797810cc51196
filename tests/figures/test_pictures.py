"""Every result with a picture: as data, on axes of any style, and on the page."""

import itertools
from contextlib import contextmanager
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import demur
import picture_cases
from builders import refuses
from demur import Results
from demur.figures import PICTURES, picture_of, pictures_of
from demur.figures.curves import groups_picture
from demur.figures.looks import shape_of, stroke, with_looks
from demur.pages import svg
from demur.plots.pens import contrast
from demur.plots.rendering import draw
from demur.results.pictures import Axis, Bars, Dots, Entry, Level, Line, Panel, Picture
from picture_cases import system

matplotlib = pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return picture_cases.results()


@contextmanager
def style(name: str) -> Any:
    import matplotlib.style

    with matplotlib.style.context(name):
        yield


# -- as data ------------------------------------------------------------------------


def test_every_kind_with_a_picture_is_tried(results: dict[str, Any]) -> None:
    assert set(results) == set(PICTURES)


@pytest.mark.parametrize("kind", PICTURES)
def test_a_result_has_its_picture_as_data(kind: str, results: dict[str, Any]) -> None:
    (picture,) = results[kind].pictures()
    assert isinstance(picture, Picture)
    assert picture.title
    assert picture.description
    assert all(mark.isalnum() or mark == "-" for mark in picture.name)
    assert len(picture.panels) % picture.across == 0
    for panel in picture.panels:
        assert panel.marks
        assert panel.x.low < panel.x.high
        assert panel.y.low != panel.y.high


def test_what_has_no_picture_says_so() -> None:
    choice = demur.choose(system("a"), cost_ratio=0.5)
    assert list(choice.pictures()) == []
    refuses("must be one with a picture; got a", choice.plot)
    undefined = demur.agreement({"a": ["x"]})
    assert list(undefined.pictures()) == []
    with pytest.raises(demur.UndefinedRate):
        undefined.plot()


def test_several_curves_stand_in_one_picture() -> None:
    curves = Results(
        demur.error_return(system(name, n)) for n, name in enumerate("abc")
    )
    (picture,) = pictures_of(curves)
    lines = [m for m in picture.panels[0].marks if isinstance(m, Line) and m.name]
    assert [line.name for line in lines] == list("abc")
    assert [line.look for line in lines] == [0, 1, 2]
    pair = Results([demur.compare(system("a"), system("b", 1))] * 2)
    assert [picture.name for picture in pictures_of(pair)] == [
        "comparison-0",
        "comparison-1",
    ]


def test_errors_are_drawn_from_0() -> None:
    curve = demur.error_return(system("a"))
    groups = groups_picture({"x": {"a": curve}, "y": {"a": curve}})
    for picture in (groups, picture_of(curve)):
        assert {panel.y.low for panel in picture.panels} == {0.0}


def test_what_is_dotted_has_dots_shorter_than_their_gaps() -> None:
    _, (dot, gap) = stroke(0, "dotted")
    assert 0 < dot < gap


def test_systems_have_the_looks_that_they_have_elsewhere(results: Any) -> None:
    picture = with_looks(picture_of(results["Comparison"]), {"a": 5})
    for marks in (picture.panels[0].marks, *(e.marks for e in picture.panels[0].names)):
        looks = {mark.look for mark in marks if isinstance(mark, Line)}
        assert looks <= {5, 1}
    beside = [mark for _, mark in picture.panels[0].beside]
    assert all(any(mark is one for one in picture.panels[0].marks) for mark in beside)
    pipeline = picture_of(results["PipelineEvaluation"])
    assert (
        with_looks(pipeline, {"a": 5}).panels[0].marks[0] is pipeline.panels[0].marks[0]
    )


@pytest.mark.parametrize("n", [2, 3, 8])
def test_systems_in_one_picture_never_share_a_colour(n: int) -> None:
    curves = [demur.error_return(system(f"s{k}", k)) for k in range(n)]
    (picture,) = pictures_of(Results(curves))
    for places in ([0, 8, 16, 24, 1, 9, 17, 25][:n], [*range(5, 5 + n)]):
        looks = {f"s{k}": place for k, place in enumerate(places)}
        marks = with_looks(picture, looks).panels[0].marks
        found = [m.look for m in marks if isinstance(m, Line) and m.name]
        assert len({look % 8 for look in found}) == n
        assert found[0] == places[0]
    assert found == places  # they had colours of their own


def test_any_two_of_thirteen_systems_differ_in_colour_and_also_in_grey() -> None:
    curves = [demur.error_return(system(name, n)) for n, name in enumerate("ab")]
    (picture,) = pictures_of(Results(curves))
    for one, other in itertools.permutations(range(13), 2):
        marks = with_looks(picture, {"a": one, "b": other}).panels[0].marks
        a, b = (m.look for m in marks if isinstance(m, Line) and m.name)
        assert a % 8 != b % 8
        assert shape_of(a) != shape_of(b) or stroke(a, "")[1] != stroke(b, "")[1]


def test_options_of_a_picture_are_those_of_its_function(results: Any) -> None:
    picture = picture_of(results["Comparison"], at=[0.3])
    levels = [mark.at for mark in picture.panels[0].marks if isinstance(mark, Level)]
    assert levels == [0.3]
    with pytest.raises(demur.InputError, match=r"got 'reigon'\. Did you mean 'region'"):
        results["Comparison"].plot(reigon=(0, 1))


# -- on axes ------------------------------------------------------------------------


def of_any(drawn: Any) -> list[Any]:
    return drawn if isinstance(drawn, list) else [drawn]


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_fits_the_users_axes(kind: str, results: dict[str, Any]) -> None:
    from matplotlib.figure import Figure

    result = results[kind]
    n = len(picture_of(result).panels)
    figure = Figure(figsize=(5, 4))
    mine = np.ravel(figure.subplots(1, n)).tolist()
    drawn = result.plot(ax=mine[0]) if n == 1 else result.plot(axes=mine)
    assert of_any(drawn) == mine
    assert tuple(figure.get_size_inches()) == (5, 4)
    if n > 1:
        free = figure.add_axes((0, 0, 1, 1))
        refuses(f"be {n}, one for each panel", result.plot, ax=free)


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_takes_the_place_of_one_of_the_users_axes(
    kind: str, results: dict[str, Any]
) -> None:
    from matplotlib.figure import Figure

    figure = Figure((14, 7), layout="constrained")
    left, right = figure.subplots(1, 2)
    drawn = of_any(results[kind].plot(ax=right))
    assert len(drawn) == len(picture_of(results[kind]).panels)
    figure.draw_without_rendering()
    assert right.axison is (len(drawn) == 1)
    assert left.axison
    for ax in drawn:
        assert ax.get_window_extent().x0 > left.get_window_extent().x1


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_fits_a_subfigure(kind: str, results: dict[str, Any]) -> None:
    from matplotlib.figure import Figure

    figure = Figure((14, 7), layout="constrained")
    left, right = figure.subfigures(1, 2)
    drawn = of_any(results[kind].plot(left))
    assert left.axes == drawn
    assert not right.axes
    figure.draw_without_rendering()


def colours_of(ax: Any) -> list[tuple[str, Any]]:
    """Colours of all lines, edges of markers and words in some axes, and the legend."""
    guides = ("#ECECEC", "#2E2E2E")  # of rows and versions: like a grid
    lines = [line for line in ax.lines if line.get_color() not in guides]
    listed = [(str(line), line.get_color()) for line in lines]
    legend = ax.get_legend()
    words = [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label]
    words += [*ax.get_xticklabels(), *ax.get_yticklabels()]
    words += [*legend.get_texts(), legend.get_title()] if legend else []
    # Numbers in cells stand on their cells.
    inside = {id(text) for text in ax.texts} if ax.images else set()
    listed += [
        (text.get_text(), text.get_color())
        for text in words
        if text.get_text() and id(text) not in inside
    ]
    if legend:
        handles = [line for line in legend.get_lines() if line.get_marker() != "None"]
        listed += [(str(line), line.get_color()) for line in handles]
    return listed


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("name", ["dark_background", "Solarize_Light2", "default"])
def test_all_is_seen_on_any_style(
    kind: str, name: str, results: dict[str, Any]
) -> None:
    with style(name):
        axes = of_any(results[kind].plot())
        axes[0].figure.draw_without_rendering()
        for ax in axes:
            face = ax.get_facecolor()
            figure = ax.figure.get_facecolor()
            for what, colour in colours_of(ax):
                seen = min(contrast(colour, face), contrast(colour, figure))
                # A style has its own colours of ticks and labels.
                assert seen >= (3 if name != "Solarize_Light2" else 2.4), what


def test_every_system_is_seen_on_black() -> None:
    curves = [demur.error_return(system(f"s{n}", n)) for n in range(10)]
    with style("dark_background"):
        ax = demur.plot_curves(curves)
        assert len(ax.lines) == 10
        for line in ax.lines:
            assert contrast(line.get_color(), ax.get_facecolor()) >= 3
        light = {line.get_color() for line in demur.plot_curves(curves).lines}
    with style("default"):
        assert light.isdisjoint(
            line.get_color() for line in demur.plot_curves(curves).lines
        )


def test_edges_of_markers_are_the_face() -> None:
    point = demur.error_return(demur.Outcomes.from_arrays(correct=[True, False]))
    for name, face in (("dark_background", "black"), ("default", "white")):
        with style(name):
            (line,) = demur.plot_curves(point).lines
            assert contrast(line.get_markeredgecolor(), face) == pytest.approx(1)


def test_words_that_would_touch_are_turned() -> None:
    names = ["an annotator", "another annotator", "one more of them"]
    ticks = tuple(enumerate(names))
    panel = Panel((Line(),), Axis(low=-0.5, high=2.5, ticks=ticks))
    (ax,) = draw(Picture("p", "t", "d", (panel,), (3, 3)))
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {45}
    (ax,) = draw(Picture("p", "t", "d", (panel,), (12, 3)))
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {0}


def test_names_of_dots_cover_no_other() -> None:
    x = np.array([10.0, 10.5, 11.0, 11.2])
    names = tuple(f"markable {n}" for n in range(4))
    dots = Dots(x, np.full(4, 0.5), faint=True, words=names)
    (ax,) = draw(Picture("p", "t", "d", (Panel((dots,), Axis(low=5, high=20)),)))
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) >= 2
    assert ax.texts[0].get_text() == names[0]
    for place, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:place])


# -- on the page --------------------------------------------------------------------


@pytest.mark.parametrize("kind", PICTURES)
def test_the_page_draws_the_same_picture(kind: str, results: dict[str, Any]) -> None:
    picture = picture_of(results[kind])
    drawn = svg.drawn(picture)
    assert len(drawn) == len(picture.panels)
    for text, panel in zip(drawn, picture.panels, strict=True):
        root = ElementTree.fromstring(f"<figure>{text}</figure>")
        assert root[0].tag == "svg"
        listed = [item.text for item in root.iter("bdi")]
        assert listed == [entry.words for entry in (*panel.names, *panel.signs)]


def test_places_on_the_page_are_those_of_the_axes() -> None:
    line = Line(np.array([1.0, 10.0, 100.0]), np.array([0.0, 0.5, 1.0]), 3)
    panel = Panel((line,), Axis("x", 1, 100, log=True), Axis("y", 1.0, 0.0))
    canvas = svg.Canvas("p", "t", "d", panel, (640, 380))
    right, bottom = 640 - canvas.right, 380 - canvas.bottom
    middle = f"{(canvas.left + right) / 2:.1f} {(canvas.top + bottom) / 2:.1f}"
    path = f"M{canvas.left:.1f} {canvas.top:.1f}L{middle}L{right:.1f} {bottom:.1f}"
    assert f'd="{path}"' in str(canvas)
    assert 'class="line c3"' in str(canvas)
    for words in (">1<", ">10<", ">100<"):
        assert words in str(canvas)


@pytest.mark.parametrize("lying", [True, False])
def test_bars_on_the_page_lie_about_their_places(lying: bool) -> None:
    bars = Bars(np.array([1.0]), np.array([2.0]), lying=lying)
    panel = Panel((bars,), Axis("x", 0.0, 4.0), Axis("y", 0.0, 4.0))
    canvas = svg.Canvas("p", "t", "d", panel, (640, 380))
    page = ElementTree.fromstring(str(canvas))
    (bar,) = (each for each in page if each.get("class", "").startswith("bar"))
    rect = (bar.get(side, "") for side in ("x", "y", "width", "height"))
    left, top, width, height = map(float, rect)
    x, y = (0.0, 0.7) if lying else (0.7, 0.0)
    across, up = (2.0, 0.6) if lying else (0.6, 2.0)
    assert (left, top + height) == pytest.approx((canvas.x(x), canvas.y(y)), abs=0.1)
    right, highest = canvas.x(x + across), canvas.y(y + up)
    assert (left + width, top) == pytest.approx((right, highest), abs=0.1)


def test_pictures_on_the_page_are_numbered_only_where_there_are_several() -> None:
    for count, names in ((1, ["p"]), (2, ["p-0", "p-1"])):
        picture = Picture("p", "t", "d", (Panel(()),) * count)
        assert [canvas.name for canvas in svg.canvases(picture)] == names


def test_a_legend_of_the_page_is_text() -> None:
    entry = Entry("<b>&", (Line(look=0),))
    panel = Panel((), signs=(entry,), signs_title="<i>\nbelow")
    (text,) = svg.drawn(Picture("p", "<t>", "<d>", (panel,)))
    assert not any(mark in text for mark in ("<b>", "<i>", "<t>", "<d>"))
    assert "&lt;i&gt;<br/>below" in text


# -- contrasts without a curve -----------------------------------------------------


def contrasts_of(*systems: dict[str, Any]) -> Any:
    curves = (
        demur.error_return(demur.Outcomes.from_arrays(system=f"s{at}", **system))
        for at, system in enumerate(systems)
    )
    return picture_of(Results(map(demur.contrast, curves)))


def test_a_system_without_a_curve_is_a_dot_in_every_contrast() -> None:
    picture = contrasts_of(
        {"correct": [1, 1, 0, 0], "declined": [False, True] * 2},
        {"correct": [1, 0, 1, 0], "confidence": [4, 3, 2, 1]},
    )
    dots = {
        panel.title: [(float(m.x[0]), float(m.y[0])) for m in panel.marks][:1]
        for panel in picture.panels
    }
    assert dots["ROC"] == [(0.5, 0.5)]
    assert dots["DET"] == [(0.0, 0.0)]
    assert dots["precision and recall"] == [(0.25, 0.5)]
    assert dots["risk and coverage"] == [(0.5, 0.5)]
    assert dots["F of SimpleQA and QALD-1"] == [(0.5, pytest.approx(1 / 3))]
    signs = [type(entry.marks[0]) for p in picture.panels for entry in p.names]
    assert signs == [Dots, Line]


def test_a_contrast_with_nothing_to_draw_says_why() -> None:
    notes = {p.title: p.note for p in contrasts_of({"correct": [1, 1]}).panels}
    assert notes["ROC"] == notes["DET"] == "needs right and wrong guesses"
    assert notes["risk and coverage"] == ""
    alike = contrasts_of({"correct": [1, 0]}, {"correct": [1, 0, 0]})
    assert alike.panels[1].note == "all in one place"
    det = next(panel for panel in alike.panels if panel.title == "DET")
    for dots in det.marks:
        assert det.x.low <= dots.x[0] <= det.x.high
        assert det.y.low <= dots.y[0] <= det.y.high
