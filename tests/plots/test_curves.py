"""Pictures: what is drawn equals the curves' numbers, and says what it is."""

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import same_color

import demur
from builders import refuses
from demur import Band, plot_curves, plot_split, save_picture
from demur.curves.curves import build_curve
from demur.figures import looks
from demur.figures.curves import READINGS
from demur.plots import pens

DUE = "operating point: own decisions"
START = "no guesses further left"


def curve_of(outcomes, confidence=None, *, name="", **more):
    """A curve from outcome letters: r, w, - (unanswered), ? (ungraded)."""
    codes = np.array(["rw-?".index(each) for each in outcomes], np.uint8)
    if confidence is not None:
        confidence = np.array(confidence, float)
    more = {key: np.array(values) for key, values in more.items()}
    curve = build_curve(codes, confidence=confidence, **more)
    return replace(curve, system=name)


def simulated(seed, *, n=200, error=0.3, name=None):
    """A curve whose confidence tells something."""
    random = np.random.default_rng(seed)
    wrong = random.random(n) < error
    confidence = random.normal(size=n) + np.where(wrong, 0, 1)
    curve = build_curve(wrong.astype(np.uint8), confidence=confidence)
    return replace(curve, system=f"system {seed}" if name is None else name)


#                  silent                    ties
PLAIN = curve_of("rrwrwrrw", [9, 8, 7, 6, 5, 5, 3, 1], name="plain")
SILENT = curve_of("rwr--w", [5, 4, 3, 0, 0, 1], name="silent")
UNGRADED = curve_of("rwr?w?", [6, 5, 4, 3, 2, 1], name="ungraded")
MODEST = curve_of(
    "rwrw", [4, 3, 2, 1], name="modest", declined=[False, True, False, True]
)
POINT = curve_of("rrw-", name="point")


def lines_of(ax):
    """Lines with more than one vertex, but for the vertical marks."""
    return [
        line
        for line in ax.lines
        if len(line.get_xdata()) > 1 and line.get_transform() == ax.transData
    ]


def points_of(ax, shape=None):
    """Places of the single markers, of one shape."""
    singles = [line for line in ax.lines if len(line.get_xdata()) == 1]
    return [
        (line.get_xdata()[0], line.get_ydata()[0])
        for line in singles
        if shape in (None, line.get_marker())
    ]


def hollow_of(ax):
    return [line for line in ax.lines if same_color(line.get_markerfacecolor(), "w")]


def legend_of(ax):
    """The words of the legend."""
    legend = ax.get_legend()
    return [text.get_text() for text in legend.get_texts()] if legend else []


def words_of(ax):
    """All words in the axes but those of the legend."""
    return [text.get_text() for text in ax.texts]


# -- what is drawn ------------------------------------------------------------------


def test_lines_are_the_corners():
    ax = plot_curves([PLAIN])
    error, missed = lines_of(ax)
    corners = PLAIN.corners
    assert np.array_equal(error.get_xdata(), corners.nonreturn)
    assert np.array_equal(error.get_ydata(), corners.error)
    assert np.array_equal(missed.get_xdata(), corners.nonreturn)
    assert np.array_equal(missed.get_ydata(), corners.missed)
    assert error.get_drawstyle() == missed.get_drawstyle() == "default"


outcomes = st.lists(
    st.tuples(st.sampled_from("rrww-?"), st.integers(0, 6)), min_size=1, max_size=25
).filter(lambda rows: any(outcome != "-" for outcome, _ in rows))


@settings(deadline=None, max_examples=30)
@given(rows=outcomes, how=st.sampled_from(["linear", "step"]))
def test_a_line_goes_through_every_look_up(rows, how):
    curve = curve_of(*zip(*rows, strict=True))
    ax = plot_curves([curve], how=how, legend=False)
    error, missed = lines_of(ax)
    for rate in np.linspace(0, 1, 31).round(4):
        if rate < curve.start:
            continue
        if how == "linear":
            point = curve.at(nonreturn=rate)
            drawn = [np.interp(rate, *line.get_data()) for line in (error, missed)]
        else:
            point = curve.at(nonreturn=rate, how="at_most")
            drawn = []
            for line in (error, missed):
                assert line.get_drawstyle() == "steps-post"
                x, y = line.get_data()
                drawn.append(y[np.searchsorted(x, rate + 1e-12, "right") - 1])
        assert drawn == pytest.approx([point.error, point.missed], abs=1e-9)


@pytest.mark.parametrize(
    ("n", "missed", "expected"),
    [(1, "auto", 2), (3, "auto", 6), (4, "auto", 4), (4, True, 8), (1, False, 1)],
)
def test_missed_chances_are_drawn_for_few_curves(n, missed, expected):
    ax = plot_curves([simulated(seed) for seed in range(n)], missed=missed)
    assert len(lines_of(ax)) == expected
    thin = [line for line in lines_of(ax) if line.get_linewidth() < 1]
    assert len(thin) == (n if missed else 0) * (expected > n)


def test_missed_chances_have_the_colour_of_their_curve():
    first, missed_1, second, missed_2 = lines_of(plot_curves([PLAIN, MODEST]))
    assert first.get_color() == missed_1.get_color()
    assert second.get_color() == missed_2.get_color()
    assert first.get_color() != second.get_color()


def test_scales_fit_the_errors():
    ax = plot_curves([PLAIN])
    assert ax.get_xlim() == (0, 1)
    bottom, top = ax.get_ylim()
    assert bottom == 0
    assert 3 / 8 < top < 3 / 8 * 1.1
    assert plot_curves([curve_of("rr", [1, 2])]).get_ylim()[1] > 0
    assert plot_curves([UNGRADED]).get_ylim()[1] > 4 / 6
    assert plot_curves([PLAIN, curve_of("wwww-")]).get_ylim()[1] > 0.8


def test_axes_say_numerator_and_denominator():
    ax = plot_curves([PLAIN])
    assert ax.get_xlabel() == "nonreturn (share of inputs not answered)"
    assert ax.get_ylabel() == "error (share of all inputs answered wrongly)"


@pytest.mark.parametrize(
    ("curve", "due"),
    [
        (PLAIN, []),
        (SILENT, []),  # silence for want of a guess is where the curve starts
        (UNGRADED, []),
        (MODEST, [(0.5, 0.0)]),
        (POINT, [(0.25, 0.25)]),
        (curve_of("rw", [2, 1], declined=[False, False]), []),
        (curve_of("--"), [(1.0, 0.0)]),
    ],
)
def test_operating_points_are_drawn_where_a_system_decides(curve, due):
    ax = plot_curves([curve])
    assert points_of(ax, "o") == due + [
        (line.get_xdata()[0], line.get_ydata()[0]) for line in hollow_of(ax)
    ]


def test_a_system_without_confidences_is_a_point_only():
    ax = plot_curves([POINT])
    assert len(ax.lines) == 1
    assert "point" in words_of(ax)
    assert any("no confidences" in words for words in words_of(ax))


def test_a_late_start_is_marked():
    ax = plot_curves([SILENT, PLAIN], legend=False)
    (start,) = hollow_of(ax)
    assert start.get_xdata()[0] == SILENT.start == 2 / 6
    assert start.get_ydata()[0] == SILENT.corners.error[0]
    said = legend_of(plot_curves([SILENT, *[PLAIN] * 3]))
    assert START in said
    assert START not in legend_of(plot_curves([PLAIN] * 4))


def test_a_start_too_near_to_see_is_not_marked():
    for silent, marked in ((1, 0), (20, 1)):
        letters = "r" * 600 + "w" * (400 - silent) + "-" * silent
        ax = plot_curves([curve_of(letters, np.arange(1000))])
        assert len(hollow_of(ax)) == marked


@pytest.mark.parametrize("how", ["linear", "step"])
def test_ungraded_answers_give_a_band(how):
    ax = plot_curves([UNGRADED], how=how)
    (band,) = ax.collections
    corners = UNGRADED.corners
    edges = {tuple(vertex) for vertex in band.get_paths()[0].vertices.round(12)}
    pairs = zip(corners.nonreturn, corners.error, corners.ungraded, strict=True)
    for x, low, more in pairs:
        assert (x.round(12), low.round(12)) in edges
        assert (x.round(12), (low + more).round(12)) in edges
    # In steps, the height of a vertex lasts up to the next one.
    later = list(zip(corners.nonreturn[1:], corners.error[:-1], strict=True))
    steps = [(x.round(12), low.round(12)) in edges for x, low in later]
    assert all(steps) == (how == "step")
    assert "if ungraded answers are wrong" in legend_of(ax)
    assert not plot_curves([PLAIN]).collections


def band_of(curve, method="dkw", level=0.95):
    """A band as if the curve had 30 independent items at each rate."""
    rates = np.linspace(curve.start, 1, 5)
    error = np.array([curve.at(nonreturn=rate).error for rate in rates])
    low, high = np.maximum(error - 0.1, 0), np.minimum(error + 0.3, 1 - rates)
    recipe = ("vertical", level, method == "dkw", method, None, None)
    return Band(rates, error, low, np.maximum(high, error), *recipe)


def test_confidence_bands_are_drawn_and_named():
    bands = [band_of(PLAIN), None]
    ax = plot_curves([PLAIN, SILENT], bands=bands)
    (area,) = ax.collections
    corners = area.get_paths()[0].vertices
    assert corners[:, 1].max() == bands[0].high.max()
    assert corners[:, 1].min() == bands[0].low.min()
    assert ax.get_ylim()[1] >= bands[0].high.max()
    assert "95 % vertical band, simultaneous (DKW)" in legend_of(ax)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bands": [None]}, "bands must be one for each of 2 curves"),
        ({"how": "step"}, 'how must be "linear" with bands'),
        ({"other": "influence"}, "bands must be of one kind and level"),
    ],
)
def test_bands_that_do_not_fit_are_refused(options, message):
    other = band_of(SILENT, options.pop("other", "dkw"))
    options = {"bands": [band_of(PLAIN), other], **options}
    refuses(message, plot_curves, [PLAIN, SILENT], **options)


def test_many_bands_are_edges_only():
    curves = [PLAIN, SILENT, UNGRADED]
    ax = plot_curves(curves, bands=[band_of(PLAIN), None, band_of(UNGRADED)])
    edges = [line for line in ax.lines if line.get_linewidth() == 0.7]
    assert len(edges) == 4
    assert np.array_equal(edges[1].get_ydata(), band_of(PLAIN).high)
    assert "thin lines: 95 % vertical band, simultaneous (DKW)" in legend_of(ax)


def test_the_region_is_shaded_and_named():
    ax = plot_curves([PLAIN], region=(0.15, 0.25))
    (patch,) = ax.patches
    box = patch.get_extents().transformed(ax.transData.inverted())
    assert (box.x0, box.x1) == pytest.approx((0.15, 0.25))
    assert "operating region, 0.15 to 0.25" in legend_of(ax)


def test_marks_carry_the_error_of_the_curve():
    ax = plot_curves([PLAIN, MODEST], at=[0.2, 0.5], legend=False)
    dots = [place for place in points_of(ax, "o") if place[0] == 0.2]
    expected = [(0.2, curve.at(nonreturn=0.2).error) for curve in (PLAIN, MODEST)]
    assert dots == expected
    for _, error in expected:
        assert f"{error:.3f}" in words_of(ax)
    assert {"0.2", "0.5"} <= set(words_of(ax))


def test_marks_in_steps_are_what_one_cutoff_can_do():
    ax = plot_curves([PLAIN], at=0.4, how="step", legend=False)
    assert points_of(ax, "o") == [(0.4, PLAIN.at(nonreturn=0.4, how="at_most").error)]
    assert PLAIN.at(nonreturn=0.4).error != PLAIN.at(nonreturn=0.4, how="at_most").error


def test_a_mark_left_of_the_start_has_no_value():
    ax = plot_curves([SILENT], at=0.1, legend=False)
    assert [line for line in ax.lines if list(line.get_xdata()) == [0.1, 0.1]]
    assert len(points_of(ax)) == 1  # the start only
    said = legend_of(plot_curves([SILENT, *[PLAIN] * 4], at=0.1))
    assert any(words.startswith("-") and "silent" in words for words in said)


def test_the_value_of_a_mark_is_a_range_with_ungraded_answers():
    ax = plot_curves([UNGRADED], at=0, legend=False)
    assert "0.333\N{EN DASH}0.667" in words_of(ax)


def test_values_of_many_curves_or_close_marks_stand_in_the_legend():
    many = [simulated(seed) for seed in range(5)]
    ax = plot_curves(many, at=[0.2, 0.4])
    assert ax.get_legend().get_title().get_text() == "error at nonreturn 0.2, 0.4"
    said = legend_of(ax)
    for curve in many:
        first, second = (f"{curve.at(nonreturn=at).error:.3f}" for at in (0.2, 0.4))
        assert f"{first}  {second}  {curve.system}" in said
    ax = plot_curves([PLAIN], at=[0.2, 0.22])
    assert any(words.endswith("plain") for words in legend_of(ax))
    assert plot_curves([PLAIN], at=[0.1, 0.2, 0.3]).get_legend() is None


@pytest.mark.parametrize(("how", "words"), READINGS.items())
def test_the_reading_is_named(how, words):
    assert words in words_of(plot_curves([PLAIN], how=how))
    many = plot_curves([simulated(seed) for seed in range(6)], how=how)
    assert words in words_of(many)


def test_plotting_changes_nothing():
    def state(curve):
        rates = (curve.vertices, curve.corners, curve.split)
        return [array.tobytes() for rate in rates for array in vars(rate).values()]

    for curve in (PLAIN, SILENT, UNGRADED, MODEST):
        before, told = state(curve), curve.to_dict()
        plot_curves([curve], at=[0.2, 0.7], how="step")
        plot_split([curve], at=0.5)
        assert state(curve) == before
        assert curve.to_dict() == told


def test_a_huge_curve_is_thinned_and_keeps_its_numbers():
    curve = simulated(0, n=200_000)
    ax = plot_curves([curve])
    line = lines_of(ax)[0]
    x, y = line.get_data()
    corners = curve.corners
    assert len(x) <= 2 * looks.COLUMNS + 2 < len(corners)
    assert (x[0], y[0]) == (corners.nonreturn[0], corners.error[0])
    assert (x[-1], y[-1]) == (1, 0)
    assert set(zip(x, y, strict=True)) <= set(
        zip(corners.nonreturn, corners.error, strict=True)
    )
    for rate in np.linspace(0, 1, 101).round(2):
        error = curve.at(nonreturn=rate).error
        assert np.interp(rate, x, y) == pytest.approx(error, abs=1 / looks.COLUMNS)


def test_tiny_errors_do_not_make_missed_chances_endless():
    wrong = np.zeros(50_000, np.uint8)
    wrong[[3, 4000, 30_000]] = 1
    curve = build_curve(wrong, confidence=np.linspace(0, 1, 50_000))
    ax = plot_curves([replace(curve, system="nearly perfect")])
    assert ax.get_ylim()[1] < 1e-4
    assert {"nearly perfect", "missed chance"} <= set(words_of(ax))


# -- names and legends --------------------------------------------------------------


def test_few_curves_are_named_beside_their_lines():
    ax = plot_curves([simulated(1, name="alone")])
    assert ax.get_legend() is None
    assert {"alone", "missed chance"} <= set(words_of(ax))
    ax = plot_curves([simulated(1, name="alone")], legend=False)
    assert "alone" not in words_of(ax)


def test_missed_chances_are_named_once():
    curves = [simulated(1, error=0.6), simulated(2, error=0.1)]
    ax = plot_curves(curves)
    assert sorted(words_of(ax)) == sorted(
        [READINGS["linear"], "system 1", "system 2", "missed chance"]
    )


def test_a_curve_without_a_name_is_called_error():
    assert "error" in words_of(plot_curves([replace(PLAIN, system="")]))


def test_points_are_named_beside_them():
    points = [
        curve_of("r" * right + "w" * (9 - right) + "-", name=f"p{right}")
        for right in (0, 3, 6)
    ]
    ax = plot_curves(points)
    assert ax.get_legend() is None
    assert {"p0", "p3", "p6"} <= set(words_of(ax))
    assert len({line.get_marker() for line in ax.lines}) == 3


def test_the_legend_follows_the_lines():
    curves = [simulated(seed, error=0.1 + 0.15 * (seed % 5)) for seed in range(5)]
    ax = plot_curves([curves[index] for index in (2, 0, 4, 1, 3)])
    ranked = sorted(curves, key=lambda curve: -curve.at(nonreturn=0.2).error)
    assert legend_of(ax) == [curve.system for curve in ranked]


def test_the_legend_is_ordered_at_the_first_mark_then_at_the_left_end():
    order = [1, 2, 3, 4, 5]
    early = curve_of("wwrrr", order, name="early")
    late = curve_of("rrrrw", order, name="late")
    worst = curve_of("rwwrw", order, name="worst")
    perfect = curve_of("rrrrr", order, name="perfect")
    assert early.at(nonreturn=0.2).error == late.at(nonreturn=0.2).error
    curves = [perfect, late, early, worst]
    assert legend_of(plot_curves(curves)) == ["worst", "early", "late", "perfect"]
    said = legend_of(plot_curves(curves, at=0.6))
    names = [words.split("  ")[-1] for words in said]
    assert names == ["worst", "late", "early", "perfect"]


def test_points_come_last_in_the_legend():
    curves = [curve_of("wwww", name="worst"), *(simulated(seed) for seed in range(4))]
    said = legend_of(plot_curves(curves))
    assert said[4] == "worst"
    assert said[5:] == ["", DUE]


def test_signs_that_occur_are_explained_once():
    curves = [MODEST, SILENT, UNGRADED, PLAIN]
    ax = plot_curves(curves, missed=True, region=(0.1, 0.2))
    keys = legend_of(ax)[len(curves) :]
    assert keys == [
        "",
        "missed chance: right, but withheld",
        DUE,
        START,
        "if ungraded answers are wrong",
        "operating region, 0.1 to 0.2",
    ]
    assert legend_of(plot_curves([PLAIN] * 4)) == ["plain"] * 4


NAMES = ["cost_$5_and_$6", "_hidden", "<b>&amp;", r"$\frac$", "two\nlines", "%d {0}"]


def test_names_are_shown_literally(tmp_path):
    curves = [simulated(seed, name=name) for seed, name in enumerate(NAMES)]
    ax = plot_curves(curves, title="$x_")
    assert sorted(legend_of(ax)) == sorted(
        [*NAMES[:4], r"two\nlines", NAMES[5]],
    )
    for text in (*ax.get_legend().get_texts(), ax.title):
        assert not text.get_parse_math()
    save_picture(ax, tmp_path / "names.svg")
    for name in NAMES:
        ax = plot_curves([simulated(1, name=name)])
        save_picture(ax, tmp_path / "name.svg")
        assert not any(text.get_parse_math() for text in ax.texts)
    panels = plot_split(curves)
    save_picture(panels, tmp_path / "panels.svg")
    assert panels[0].get_title(loc="left") == "cost_$5_and_$6"


def test_long_names_are_cut_in_the_middle():
    long = "organisation/a-model-with-a-long-name-and-many-options-v"
    curves = [simulated(seed, name=f"{long}{seed}") for seed in range(5)]
    said = legend_of(plot_curves(curves))
    assert len(set(said)) == 5
    assert all(len(words) <= 32 and "…" in words for words in said)


def test_labels_replace_names():
    ax = plot_curves([PLAIN, *[SILENT] * 3], labels=list("abcd"))
    assert set("abcd") <= set(legend_of(ax))
    assert "plain" not in legend_of(ax)


def test_words_stay_apart():
    curves = [simulated(seed, name=f"a rather long name {seed}") for seed in range(13)]
    title = "A title that is about as wide as the axes are"
    ax = plot_curves(curves, at=[0.2, 0.9], title=title, region=(0.1, 0.3))
    ax.figure.draw_without_rendering()
    texts = [*ax.texts, ax.title, *ax.get_legend().get_texts(), ax.xaxis.label]
    boxes = [text.get_window_extent() for text in texts if text.get_text()]
    for index, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:index])


# -- where it is drawn --------------------------------------------------------------


def test_given_axes_are_used_and_their_figure_keeps_its_size():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4, 3))
    ax = figure.subplots()
    assert plot_curves([PLAIN], ax=ax) is ax
    assert legend_of(ax)[0] == "plain"
    assert tuple(figure.get_size_inches()) == (4, 3)
    assert PLAIN.plot(figure.subplots(), how="step").lines


def test_pyplot_makes_the_figure_only_if_it_is_loaded(monkeypatch):
    from matplotlib.figure import Figure

    made = []

    def figure(**options):
        made.append(Figure(**options))
        return made[-1]

    assert plot_curves([PLAIN]).figure not in made
    fake = SimpleNamespace(figure=figure)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", fake)
    assert plot_curves([PLAIN]).figure is made[0]


def test_a_notebook_shows_pictures_though_nobody_loads_pyplot(monkeypatch):
    assert "matplotlib.pyplot" not in sys.modules
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    figure = PLAIN.plot().figure
    from matplotlib import pyplot

    assert [pyplot.figure(number) for number in pyplot.get_fignums()] == [figure]


def test_nothing_loads_pyplot(tmp_path):
    code = (
        "import sys, demur\n"
        "assert 'matplotlib' not in sys.modules\n"
        "outcomes = demur.Outcomes.from_arrays(correct=[1, 0], confidence=[2, 1])\n"
        "curve = demur.error_return(outcomes)\n"
        f"demur.save_picture(demur.plot_curves(curve), {str(tmp_path / 'a.png')!r})\n"
        f"demur.save_picture(demur.plot_split(curve), {str(tmp_path / 'b.pdf')!r})\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


# -- what becomes of the inputs -----------------------------------------------------

HOPELESS = curve_of(
    "rww-?w-",
    [7, 6, 5, 0, 4, 3, 0],
    name="all kinds",
    answerable=[True, True, False, True, True, True, False],
)


def heights(area, x):
    """Lower and upper edge of an area at one of its vertices."""
    at = area.get_paths()[0].vertices
    return at[np.isclose(at[:, 0], x), 1].min(), at[np.isclose(at[:, 0], x), 1].max()


def test_the_split_is_stacked():
    (ax,) = plot_split([HOPELESS])
    split = HOPELESS.split
    assert len(ax.collections) == len(looks.SHARES)
    for index, x in enumerate(split.nonreturn):
        bottom = 0.0
        for name, area in zip(looks.SHARES, ax.collections, strict=True):
            low, high = heights(area, x)
            share = getattr(split, name)[index]
            assert (low, high) == pytest.approx((bottom, bottom + share), abs=1e-12)
            bottom += share
        assert bottom == pytest.approx(1)
    left = min(area.get_paths()[0].vertices[:, 0].min() for area in ax.collections)
    assert left == HOPELESS.start > 0


def test_only_shares_that_occur_are_listed_from_the_top_down():
    (ax,) = plot_split([HOPELESS])
    words = [words for words, _, _ in looks.SHARES.values()]
    assert legend_of(ax) == words[::-1]
    (ax,) = plot_split([PLAIN])
    assert legend_of(ax) == words[3::-1]
    assert ax.get_legend().get_title().get_text() == READINGS["linear"]


def test_one_panel_per_system():
    curves = [PLAIN, SILENT, UNGRADED, MODEST, POINT]
    panels = plot_split(curves)
    titles = [ax.get_title(loc="left").split("\n")[0] for ax in panels]
    assert titles == [curve.system for curve in curves]
    assert sum(ax.get_legend() is not None for ax in panels) == 1
    assert all(ax.get_xlim() == ax.get_ylim() == (0, 1) for ax in panels)
    assert panels[0].figure.axes == panels


def test_a_system_without_confidences_is_a_bar():
    curve = curve_of("rrww?-", name="own", declined=[each in "13" for each in "012345"])
    (ax,) = plot_split([curve])
    point = curve.operating_point
    bars = [(bar.get_y(), bar.get_height()) for bar in ax.patches]
    amounts = [point.right, point.error, point.missed, point.ungraded]
    assert [height for _, height in bars] == pytest.approx(amounts)
    assert [low for low, _ in bars] == pytest.approx(np.cumsum([0, *amounts[:3]]))
    for bar in ax.patches:
        assert bar.get_x() + bar.get_width() / 2 == pytest.approx(point.nonreturn)
    assert "no confidences" in ax.get_title(loc="left")


def test_a_mark_shows_error_and_missed():
    (ax,) = plot_split([PLAIN], at=0.2)
    point = PLAIN.at(nonreturn=0.2)
    words = f"plain\nat 0.2: error {point.error:.3f}, missed {point.missed:.3f}"
    assert ax.get_title(loc="left") == words
    assert [list(line.get_xdata()) for line in ax.lines] == [[0.2, 0.2]]


def test_split_uses_given_axes():
    from matplotlib.figure import Figure

    given_ = Figure().subplots(1, 2)
    assert plot_split([PLAIN, SILENT], axes=given_) == list(given_)
    refuses("be 3, one for each panel; got 2", plot_split, [PLAIN] * 3, axes=given_)


def test_a_huge_split_is_thinned():
    curve = simulated(0, n=100_000)
    (ax,) = plot_split([curve])
    for area in ax.collections:
        assert len(area.get_paths()[0].vertices) < 10 * looks.COLUMNS


# -- files --------------------------------------------------------------------------


def pictures():
    many = [simulated(seed) for seed in range(5)]
    return [
        plot_curves(many, at=[0.2], region=(0.1, 0.3), title="many"),
        plot_curves([MODEST, UNGRADED], how="step"),
        plot_split([HOPELESS, PLAIN], at=0.5),
    ]


@pytest.fixture(scope="module")
def twice():
    """Pictures made twice; to lay them out takes longer than to save them."""
    return list(zip(pictures(), pictures(), strict=True))


@pytest.mark.parametrize("ending", pens.ENDINGS)
def test_equal_pictures_give_equal_bytes(tmp_path, ending, twice):
    path = tmp_path / f"picture{ending}"
    for picture, again in twice:
        written = []
        for each in (picture, again, picture):
            save_picture(each, path)
            written.append(path.read_bytes())
        assert written[0] == written[1] == written[2]


def test_files_are_what_their_ending_says(tmp_path):
    ax = plot_curves([PLAIN])
    starts = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".PNG": b"\x89PNG"}
    for ending, start in starts.items():
        path = tmp_path / f"picture{ending}"
        save_picture(ax, str(path))
        assert path.read_bytes().startswith(start)
    assert b"<dc:date>" not in (tmp_path / "picture.svg").read_bytes()
    pdf = (tmp_path / "picture.pdf").read_bytes()
    assert b"CreationDate" not in pdf
    assert b"/Type3" not in pdf
    assert b"/CIDFontType2" in pdf


def test_a_png_has_150_dots_per_inch(tmp_path):
    save_picture(plot_curves([PLAIN]), tmp_path / "a.png")
    head = (tmp_path / "a.png").read_bytes()
    at = head.index(b"pHYs") + 4
    assert int.from_bytes(head[at : at + 4], "big") == round(150 / 0.0254)


def test_a_legend_stays_inside_given_axes():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4, 3))
    ax = figure.subplots()
    plot_curves([PLAIN], ax=ax)
    figure.draw_without_rendering()
    box = ax.get_legend().get_window_extent()
    assert ax.bbox.x0 < box.x0 < box.x1 <= ax.bbox.x1 + 1


def test_figures_axes_and_panels_can_be_saved(tmp_path):
    panels = plot_split([PLAIN, SILENT])
    written = []
    for number, picture in enumerate([panels[0].figure, panels[0], panels]):
        save_picture(picture, tmp_path / f"{number}.svg")
        written.append((tmp_path / f"{number}.svg").read_bytes())
    assert written[0] == written[1] == written[2]


def test_saving_leaves_settings_alone(tmp_path):
    import matplotlib

    before = matplotlib.rcParams.copy()  # dict() of it would load pyplot
    save_picture(plot_curves([PLAIN]), tmp_path / "a.svg")
    assert matplotlib.rcParams.copy() == before


@pytest.mark.parametrize("path", ["curves.jpg", "curves", ".svg", "curves.svg.gz"])
def test_other_endings_are_refused(path, tmp_path):
    with pytest.raises(demur.InputError) as caught:
        save_picture(plot_curves([PLAIN]), tmp_path / path)
    assert "path must end in .png, .svg or .pdf; got" in str(caught.value)
    assert not list(tmp_path.iterdir())


# -- errors -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"how": "stpe"}, "how must be one of linear, step; got 'stpe'. Did you mean"),
        ({"missed": "yes"}, "missed must be True, False or \"auto\"; got 'yes'"),
        ({"at": 20}, "at must be a number from 0 to 1; got 20. Rates are fractions"),
        ({"at": [0.2, -1]}, "at must be a number from 0 to 1; got -1"),
        ({"at": [True]}, "at must be a number from 0 to 1; got True"),
        ({"region": (0.3, 0.1)}, "region must be (low, high); got [0.3, 0.1]"),
        ({"region": 0.2}, "region must be two numbers, such as (0.1, 0.3); got 0.2"),
        ({"region": (0.1, 20)}, "region must be a number from 0 to 1; got 20"),
        ({"labels": ["a", "b"]}, "labels must name all 1 curves; got 2 names"),
        ({"legnd": False}, "looks, legend, title; got 'legnd'. Did you mean 'legend'"),
    ],
)
def test_wrong_arguments_are_named(options, message):
    with pytest.raises(demur.InputError) as caught:
        plot_curves([PLAIN], **options)
    assert str(caught.value).startswith("plot_curves: ")
    assert message in str(caught.value)


def test_there_must_be_a_curve():
    for plot in (plot_curves, plot_split):
        refuses("at least one curve; got none", plot, [])
    refuses("plot_split: at must be a number", plot_split, [PLAIN], at=2)


def test_a_single_curve_needs_no_list():
    assert len(lines_of(plot_curves(PLAIN))) == 2
    assert len(plot_split(PLAIN)) == 1


@pytest.mark.parametrize(
    "draw",
    [
        lambda _: plot_curves([PLAIN]),
        lambda _: plot_split([PLAIN]),
        lambda path: save_picture(None, path / "a.png"),
        lambda _: PLAIN.plot(),
    ],
)
def test_without_matplotlib_the_extra_is_named(draw, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(demur.MissingExtra, match=r'pip install "demur\[plot\]"'):
        draw(tmp_path)
