"""Each mark on matplotlib axes, and the properties it is drawn with."""

from typing import Any

import numpy as np
import pytest

from builders import refuses
from demur.plots import pens
from demur.plots.pens import Inks, area_pen, dot_pen, line_pen
from demur.plots.rendering import draw
from demur.results.pictures import (
    Axis,
    Bars,
    Dots,
    Entry,
    Level,
    Line,
    Mark,
    Matrix,
    Panel,
    Picture,
    Shade,
    Shares,
    Spans,
)

matplotlib = pytest.importorskip("matplotlib")

ENDS = np.array([0.0, 1.0])
DARK = Inks("black", "white", dark=True)


def drawn(*marks: Mark, panels: int = 1, across: int = 1, **how: Any) -> list[Any]:
    names = {name: how.pop(name) for name in ("axes", "legend", "title") if name in how}
    shared = how.pop("shared", "")
    panel = Panel(marks, **how)
    picture = Picture("p", "t", "d", (panel,) * panels, across=across, shared=shared)
    return draw(picture, **names)


# -- pens --------------------------------------------------------------------------


def test_lines_of_roles_and_edges_lie_below_the_systems():
    assert line_pen(0)["linestyle"] == "solid"
    assert line_pen(1, name="n") == {
        **{"color": "#005BA5", "linewidth": 1.8, "linestyle": (0, (7, 2))},
        "label": "n",
    }
    for look, style, below in (
        *((1, "edge", True), ("note", "system", True), (1, "thin", False)),
        *((1, "missed", False), ("ink", "thin", True)),
    ):
        assert ("zorder" in line_pen(look, style)) == below
        assert line_pen(look, style).get("zorder", 1.5) == 1.5
    assert line_pen(1, "thick")["solid_capstyle"] == "butt"
    assert "solid_capstyle" not in line_pen(1)
    assert line_pen(9)["color"] == line_pen(1)["color"]
    assert line_pen("note", inks=DARK)["color"] == "#B4B4B4"
    assert line_pen("ink", inks=DARK)["color"] == "white"
    assert line_pen(3, inks=Inks(every="red"))["color"] == "red"


@pytest.mark.parametrize(
    ("how", "more"),
    [
        ({}, {"markeredgecolor": "white"}),
        ({"size": 7.9}, {"markersize": 7.9}),
        ({"size": 8}, {"markersize": 8, "markeredgecolor": "white"}),
        ({"hollow": True}, {"markerfacecolor": "white"}),
        ({"faint": True}, {"alpha": 0.45, "markeredgewidth": 0}),
        ({"shape": "D"}, {"marker": "D", "markeredgecolor": "white"}),
    ],
)
def test_markers_have_an_edge_in_the_colour_of_the_face(how, more):
    pen = dot_pen(Dots(look=1, **how))
    plain = {"color": "#005BA5", "marker": "s", "markersize": 8.0, "linestyle": "none"}
    edge = {"markeredgecolor": "white"} if how.get("faint") else {}
    assert pen == {**plain, **edge, **more, "clip_on": False, "zorder": 4}


@pytest.mark.parametrize(
    ("mark", "pen"),
    [
        (Spans(()), {"facecolor": "#ECECEC", "linewidth": 0, "zorder": 0}),
        (Spans((), height=0.5), {"facecolor": "#ECECEC", "linewidth": 0, "zorder": 3}),
        (Bars(), {"facecolor": "#005BA5", "alpha": 0.75, "linewidth": 0}),
        (Shade(style="open"), {"facecolor": "#595959", "alpha": 0.2, "linewidth": 0}),
        (Shade(style="solid"), {"facecolor": "#595959", "linewidth": 0, "zorder": 0.5}),
        (
            Shade(),
            {
                **{"facecolor": ("#595959", 0.12), "edgecolor": ("#595959", 0.6)},
                **{"linewidth": 0.5, "zorder": 1.5},
            },
        ),
        (
            Shares(ENDS, {"error": ENDS, "right": ENDS}),
            {
                **{"facecolor": "#D55E00", "edgecolor": "white"},
                **{"hatch": "////", "linewidth": 0.4},
            },
        ),
    ],
)
def test_areas_have_their_fill_and_edges(mark, pen):
    assert area_pen(mark) == pen


def test_shares_have_other_colours_on_dark():
    for name, light, dark, edge in (
        ("right", "#00456B", "#2F7DB0", "#8C8C8C"),
        ("missed", "#E69F00", "#F2C14E", "white"),
        ("correct_decline", "#BFE8D4", "#BFE8D4", "#8C8C8C"),
    ):
        for inks, colour in ((Inks(), light), (DARK, dark)):
            pen = area_pen(Shares(ENDS, {name: ENDS}), inks)
            assert (pen["facecolor"], pen["edgecolor"]) == (colour, edge)


@pytest.mark.parametrize(
    ("face", "figure", "text", "found"),
    [
        ("white", "white", "black", ("black", False)),
        ("black", "white", "black", ("white", True)),
        ("black", "white", "#ffff00", ("#ffff00", True)),
        ("#777777", "white", "black", ("black", False)),
        ("#757575", "white", "#777777", ("white", True)),
        ("none", "black", "black", ("white", True)),
        ("none", "none", "white", ("black", False)),
        ("#ffffff01", "black", "black", ("black", False)),
    ],
)
def test_words_are_seen_on_the_face_of_axes(face, figure, text, found):
    (ax,) = pens.new_axes(1, size=(2, 2))
    ax.set_facecolor(face)
    ax.figure.set_facecolor(figure)
    with matplotlib.rc_context({"text.color": text}):
        inks = pens.inks_of(ax, "red")
    assert (inks.text, inks.dark, inks.every) == (*found, "red")


# -- marks -------------------------------------------------------------------------


def test_lines_and_dots_are_where_their_places_are():
    line, stairs = Line(ENDS, ENDS, 1, name="n"), Line(ENDS, ENDS, 0, steps="post")
    (ax,) = drawn(line, stairs, Dots(ENDS, ENDS, 2), x=Axis("across"), y=Axis("up"))
    first, second, dots = ax.lines
    assert first.get_label() == "n"
    assert [one.get_drawstyle() for one in ax.lines] == [
        *("default", "steps-post", "default")
    ]
    assert (second.get_linewidth(), dots.get_marker()) == (2.6, "D")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("across", "up")
    assert not ax.spines["top"].get_visible()
    many = np.linspace(0, 1, 9000)
    (ax,) = drawn(Line(many, many), Line(many[::3], many[::3]))
    assert [len(one.get_xdata()) for one in ax.lines] == [4001, 3000]


def test_bars_shares_levels_and_spans():
    bars = Bars(np.array([1.0]), np.array([2.0]), lying=True, words=("w",))
    wide = {"x": Axis(high=4.0), "y": Axis(high=4.0)}
    (ax,) = drawn(bars, **wide)
    assert ax.patches[0].get_bbox().bounds == pytest.approx((0, 0.7, 2, 0.6))
    (word,) = ax.texts
    assert (word.get_text(), word.xy, word.get_va()) == ("w", (2.0, 1.0), "center")
    assert word.xyann == (4, 0)
    (ax,) = drawn(Bars(np.array([1.0]), np.array([2.0])), **wide)
    assert ax.patches[0].get_bbox().bounds == pytest.approx((0.7, 0, 0.6, 2))
    single = Shares(
        np.array([0.5]), {"right": np.array([0.25]), "error": np.array([0.5])}
    )
    (ax,) = drawn(single)
    assert [bar.get_bbox().bounds for bar in ax.patches] == [
        pytest.approx(bounds)
        for bounds in ((0.475, 0, 0.05, 0.25), (0.475, 0.25, 0.05, 0.5))
    ]
    (ax,) = drawn(Shares(ENDS, {"right": ENDS / 2, "error": ENDS / 2}))
    tops = [area.get_paths()[0].vertices[:, 1].max() for area in ax.collections]
    assert tops == [0.5, 1.0]
    levels = Level(0.25, "x", "note", "x"), Level(0.5, "y", 1, "y"), Level(0.75)
    (ax,) = drawn(*levels)
    assert [line.get_xydata()[0].tolist() for line in ax.lines] == [
        *([0.25, 0], [0, 0.5], [0, 0.75])
    ]
    assert {(line.get_linewidth(), line.zorder) for line in ax.lines} == {(0.7, 1)}
    upright, lying = ax.texts
    assert (upright.xy, upright.get_ha(), upright.xyann) == (
        (0.25, 1),
        "center",
        (0, 2),
    )
    assert (lying.xy, lying.get_ha(), lying.xyann) == ((1, 0.5), "right", (0, 2))
    (ax,) = drawn(Spans(((0.25, 0.5), (0.6, 0.7))), Spans(((0.1, 0.3),), height=0.5))
    assert [patch.get_x() for patch in ax.patches] == [0.25, 0.6]
    foot = ax.collections[0].get_paths()[0].vertices
    assert (foot[:, 0].max(), foot[:, 1].max()) == pytest.approx((0.3, 0.5))


def test_cells_say_their_share_where_there_is_any():
    shares = np.array([[0.0, 0.004, 0.005], [0.55, 0.56, 1.0]])
    side = {"x": Axis(low=-0.5, high=2.5), "y": Axis(low=1.5, high=-0.5)}
    (ax,) = drawn(Matrix(shares), **side)
    words = {text.get_text(): text.get_color() for text in ax.texts}
    assert len(ax.texts) == 4
    assert (words[".55"], words[".56"], words["1"]) == ("black", "white", "white")
    assert ax.images[0].get_clim() == (0, 1)
    assert ax.spines["top"].get_visible()
    assert ax.get_ylim() == (1.5, -0.5)


def test_words_of_a_panel_stand_above_it():
    words = {"title": "T", "note": "N", "heading": "H"}
    (ax,) = drawn(**{key: words[key] for key in ("note", "heading")})
    (note,) = ax.texts
    assert (note.get_text(), note.xy, note.xyann) == ("N", (1, 1), (0, 3))
    assert ax.get_title("left") == "H"
    (ax,) = drawn(Level(0.5, "x", words="w"), note="N")
    assert {text.get_text(): text.xyann for text in ax.texts}["N"] == (0, 15)
    (ax,) = drawn(Level(0.5, "y", words="w"), Level(0.5, "x"), note="N")
    assert {text.get_text(): text.xyann for text in ax.texts}["N"] == (0, 3)


@pytest.mark.parametrize(
    ("panels", "across", "shared", "words"),
    [
        (4, 2, "xy", [("", "up"), ("", ""), ("across", "up"), ("across", "")]),
        (3, 2, "xy", [("", "up"), ("across", ""), ("across", "up")]),
        (2, 1, "x", [("", "up"), ("across", "up")]),
        (2, 2, "x", [("across", "up")] * 2),
        (4, 2, "", [("across", "up")] * 4),
    ],
)
def test_panels_that_share_axes_name_them_at_the_outer_edges(
    panels, across, shared, words
):
    axes = drawn(
        *(), x=Axis("across"), y=Axis("up"), panels=panels, across=across, shared=shared
    )
    assert [(ax.get_xlabel(), ax.get_ylabel()) for ax in axes] == words


def test_a_title_is_of_the_whole_picture():
    axes = drawn(panels=2, across=2, title="$T$")
    assert axes[0].figure.get_suptitle() == "$T$"
    assert [ax.get_title() for ax in axes] == ["", ""]
    assert drawn(title="T")[0].get_title() == "T"
    given = drawn(panels=2, across=2)
    (first, second) = drawn(panels=2, across=2, axes=given, title="T")
    assert (first.get_title(), second.get_title()) == ("T", "")
    refuses("title must be", drawn, title=3)


def test_a_legend_says_what_is_not_beside_the_lines():
    line = Line(ENDS, ENDS, 0)
    name, sign, always = (
        Entry("name", (line,)),
        Entry("sign", (Dots(look="note"),)),
        Entry("always", (Shade(),), always=True),
    )

    def legend(**how: Any) -> list[str] | None:
        (ax,) = drawn(line, **how)
        found = ax.get_legend()
        return (
            None if found is None else [text.get_text() for text in found.get_texts()]
        )

    assert legend(names=(name,), signs=(sign, always)) == ["name", "", "sign", "always"]
    assert legend(signs=(sign,)) == ["sign"]
    assert legend(names=(name,)) == ["name"]
    beside = {"beside": (("name", line),), "names": (name,)}
    assert legend(**beside, signs=(sign, always)) == ["always"]
    assert legend(**beside, signs=(sign,)) is None
    assert legend(names=(name,), legend=False) is None
    (ax,) = pens.new_axes(1, size=(4, 3))
    inside = {"axes": ax, "names": (name,), "signs": (sign,)}
    assert legend(**inside, legend=False) is None
    assert legend(**inside) == ["name", "name", "sign"]
    assert [one.get_color() for one in ax.lines] == ["#000000", "#005BA5"]


def test_a_second_call_keeps_what_is_higher():
    (ax,) = drawn(Line(ENDS, ENDS, 0), y=Axis(high=0.5), note="N")
    for high, top in ((0.4, 0.5), (0.7, 0.7)):
        drawn(Line(ENDS, ENDS, 0), y=Axis(high=high), axes=ax, note="N")
        drawn(Line(ENDS, ENDS, 0), y=Axis(high=0.2), axes=ax, note="N")
        assert ax.get_ylim() == (0.0, top if high == 0.7 else ax.get_ylim()[1])
    assert ax.get_ylim() == (0.0, 0.7)
    assert sum(text.get_text() == "N" for text in ax.texts) == 2


@pytest.mark.parametrize(("n", "small"), [(8, False), (9, True)])
def test_many_ticks_are_small(n, small):
    ticks = tuple((at / 10, f"{at}") for at in range(n))
    (ax,) = drawn(y=Axis(ticks=ticks))
    sizes = {label.get_fontsize() for label in ax.get_yticklabels()}
    (usual,) = {label.get_fontsize() for label in ax.get_xticklabels()}
    assert [size < usual for size in sizes] == [small]


def test_names_go_round_their_dots_until_they_are_free():
    (ax,) = pens.new_axes(1, size=(4, 3))
    ax.set(xlim=(0, 1), ylim=(0, 1))
    pens.write_names(ax, [0.5] * 5, [0.5] * 5, "abcde")
    sides = [(text.get_text(), text.get_ha(), text.get_va()) for text in ax.texts]
    assert sides == [
        *(("a", "left", "bottom"), ("b", "left", "top")),
        *(("c", "right", "bottom"), ("d", "right", "top")),
    ]
    assert [text.xyann for text in ax.texts] == [(4, 2), (4, -2), (-4, 2), (-4, -2)]
    pens.write_names(ax, [1.0], [0.9], ["a long name"])
    assert ax.texts[-1].get_ha() == "right"


def test_axes_are_made_row_by_row():
    axes = pens.new_axes(5, size=(6, 4), across=3)
    assert len(axes[0].figure.axes) == 5
    rows = [ax.get_subplotspec().rowspan.start for ax in axes]
    assert rows == [0, 0, 0, 1, 1]
    assert tuple(axes[0].figure.get_size_inches()) == (6, 4)
    high, low = pens.new_axes(2, size=(3, 5), heights=(3, 2))
    assert [*high.get_gridspec().get_height_ratios()] == [3, 2]
    assert pens.flat([[high], [low]]) == [high, low]
    assert pens.flat(high) == [high]
    legends = [
        pens.add_legend(ax, [("w", ax.plot([])[0])], title)
        for ax, title in ((high, ""), (low, "t"))
    ]
    assert [legend.get_title().get_text() for legend in legends] == ["", "t"]
