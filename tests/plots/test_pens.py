"""The means of drawing: thinning, names, pens, and labels that touch nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demur.figures.looks import COLUMNS, SHARES, thinned
from demur.plots.pens import (
    COLOURS,
    ON_DARK,
    Inks,
    _free,
    add_legend,
    contrast,
    label_beside,
    line_pen,
    luminance,
    make_room,
    new_axes,
    write_values,
)
from demur.results.text import short_names


def lightness(colour: str) -> float:
    """CIE lightness of #RRGGBB, from 0 to 100."""
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    amount = float(linear @ [0.2126, 0.7152, 0.0722])
    return 116 * amount ** (1 / 3) - 16 if amount > 0.008856 else 903.3 * amount


# -- thinning -----------------------------------------------------------------------

jumps = st.sampled_from([0, 1, 1, 2, 50, 400])
steps = st.lists(st.tuples(jumps, jumps), min_size=60, max_size=200)


@given(steps=steps, columns=st.integers(3, 25))
def test_thinning_moves_a_monotone_line_by_less_than_a_column(steps, columns):
    across, down = np.array([(0, 0), *steps]).cumsum(axis=0).T
    x = across / max(across[-1], 1)
    y = 1 - down / max(down[-1], 1)
    kept = thinned(x, columns=columns)
    # A column further left the thinned line is as high as each vertex or higher, a
    # column further right as low or lower.
    column = 1 / columns + 1e-9
    assert (np.interp(x - column, x[kept], y[kept]) >= y - 1e-6).all()
    assert (np.interp(x + column, x[kept], y[kept]) <= y + 1e-6).all()


@given(steps=steps, columns=st.integers(3, 25))
def test_thinning_keeps_the_ends_and_little_else(steps, columns):
    across = np.array([0, *(step[0] for step in steps)]).cumsum()
    x = across / max(across[-1], 1)
    kept = thinned(x, columns=columns)
    assert kept[0] == 0
    assert kept[-1] == len(x) - 1
    assert (np.diff(kept) > 0).all()
    assert len(kept) <= 2 * (columns + 1)


def test_thinning_leaves_short_lines_alone():
    x = np.linspace(0, 1, 2 * COLUMNS)
    assert len(thinned(x)) == len(x)
    assert len(thinned(np.linspace(0, 1, 10**5))) < 2 * COLUMNS + 3


# -- names --------------------------------------------------------------------------


def test_short_names_stay_and_long_ones_lose_their_middle():
    long = "organisation/a-model-with-a-long-name-and-many-options-v3"
    short = short_names(["a", long])
    assert short[0] == "a"
    assert len(short[1]) == 32
    assert short[1].startswith("organisation/a-")
    assert short[1].endswith("many-options-v3")
    assert "…" in short[1]


def test_different_names_stay_different():
    twins = [f"{'x' * 25}{number}{'y' * 25}" for number in range(3)]
    assert len(set(short_names(twins))) == 3
    giants = [f"{'x' * 400}{number}{'y' * 400}" for number in range(3)]
    assert len(set(short_names(giants))) == 3
    assert max(map(len, short_names(giants))) < 80


def test_equal_names_stay_equal():
    assert short_names(["a", "a"]) == ["a", "a"]


def test_what_cannot_be_printed_is_escaped():
    assert short_names(["a\nb\t\x00\x1b[0m"]) == [r"a\nb\t\x00\x1b[0m"]
    assert short_names(["čaj $5_<b>\\"]) == ["čaj $5_<b>\\"]


# -- pens ---------------------------------------------------------------------------


def test_forty_systems_have_forty_pens():
    pens = [line_pen(index) for index in range(40)]
    looks = [(str(pen["color"]), str(pen["linestyle"])) for pen in pens]
    assert len(set(looks)) == 40
    # In grey, neighbours are still told apart by their dashes.
    assert all(a[1] != b[1] for a, b in zip(looks, looks[1:], strict=False))


def test_sixteen_systems_are_told_apart_in_grey():
    pens = [line_pen(index) for index in range(16)]
    for place, one in enumerate(pens):
        for other in pens[:place]:
            lighter = abs(lightness(one["color"]) - lightness(other["color"]))
            wider = abs(one["linewidth"] - other["linewidth"])
            same = one["linestyle"] == other["linestyle"]
            assert not same or lighter > 25 or wider > 0.6
    # The last five of thirteen have five dashes.
    assert len({str(pen["linestyle"]) for pen in pens[8:13]}) == 5


def test_no_system_looks_like_the_others_that_stand_pale_behind_it():
    for inks, colours in ((Inks(), COLOURS), (Inks("black", "white", True), ON_DARK)):
        pale = inks.of("pale")
        for colour in colours:
            chroma = np.ptp([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
            assert chroma > 60 or abs(lightness(colour) - lightness(pale)) > 40


def test_the_first_system_is_thick_solid_and_black():
    pens = [line_pen(index) for index in range(40)]
    assert pens[0]["color"] == "#000000"
    assert pens[0]["linestyle"] == "solid"
    assert pens[0]["linewidth"] > 1.3 * max(pen["linewidth"] for pen in pens[1:])


def test_colours_rise_in_lightness():
    systems = [lightness(colour) for colour in COLOURS]
    shares = [lightness(colour) for _, colour, _ in SHARES.values()]
    assert (np.diff(systems) > 4).all()
    assert (np.diff(shares) > 1).all()
    assert systems[-1] < 80  # visible on white


def test_shares_next_to_each_other_differ_in_hatch():
    hatches = [hatch for _, _, hatch in SHARES.values()]
    assert all(a != b for a, b in zip(hatches, hatches[1:], strict=False))


@pytest.mark.parametrize(
    ("colour", "amount"),
    [
        *(("#000000", 0.0), ("#ffffff", 1.0), ("#808080", 0.21586)),
        *(("#ff0000", 0.2126), ("#00ff00", 0.7152), ("#0000ff", 0.0722)),
        *(("#0a0a0a", 10 / 255 / 12.92), ("#0b0b0b", 0.0033465)),
    ],
)
def test_contrasts_are_those_of_wcag(colour, amount):
    assert luminance(colour) == pytest.approx(amount, rel=1e-4)
    on_black, on_white = 20 * amount + 1, 1.05 / (amount + 0.05)
    assert contrast(colour, "black") == pytest.approx(on_black, rel=1e-4)
    assert contrast("white", colour) == pytest.approx(on_white, rel=1e-4)


# -- axes and labels ----------------------------------------------------------------


@pytest.fixture
def ax():
    return new_axes(1, size=(5, 4))[0]


def boxes_of(texts):
    return [text.get_window_extent().extents for text in texts]


def test_labels_stand_off_lines_and_each_other(ax):
    x = np.linspace(0, 1, 50)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    lines = [
        ax.plot(x, height * (1 - x) ** 2)[0] for height in (0.9, 0.6, 0.3)
    ] + ax.plot(x, x)
    names = ["the first", "the second", "the third", "rising"]
    assert label_beside(ax, list(zip(names, lines, strict=True)))
    assert [text.get_text() for text in ax.texts] == names
    ax.figure.draw_without_rendering()
    boxes = boxes_of(ax.texts)
    for left, bottom, right, top in boxes:
        for line in lines:
            fine = np.linspace(0, 1, 5000)
            path = np.column_stack([fine, np.interp(fine, x, line.get_ydata())])
            px, py = ax.transData.transform(path).T
            assert not ((px > left) & (px < right) & (py > bottom) & (py < top)).any()
    for one, a in enumerate(boxes):
        for b in boxes[:one]:
            assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]


def test_a_box_is_free_beside_one_that_is_taken():
    box, inside = np.array([[0.0, 0.0, 10.0, 4.0]]), np.array([-99, -99, 99, 99])
    for gap in (2, 4):
        moves = (-10 - gap, 0), (10 + gap, 0), (0, -4 - gap), (0, 4 + gap)
        for across, up in moves:
            taken = box + np.array([across, up, across, up])
            (free,) = _free(box, inside, np.empty((0, 2)), taken)
            assert free == (gap > 3)


def test_labels_of_one_line_stand_apart(ax):
    ax.set(xlim=(0, 1), ylim=(0, 1))
    (line,) = ax.plot([0, 1], [1, 0])
    assert label_beside(ax, [("first", line), ("second", line)])
    first, second = (text.get_window_extent() for text in ax.texts)
    assert not first.overlaps(second)


def test_labels_are_all_written_or_none(ax):
    ax.set(xlim=(0, 1), ylim=(0, 1))
    (line,) = ax.plot([0, 1], [1, 0])
    wishes = [("fits", line), ("far too long for this figure " * 5, line)]
    assert not label_beside(ax, wishes)
    assert not ax.texts


def test_a_line_that_leaves_the_axes_by_far_is_cheap(ax):
    ax.set(xlim=(0, 1), ylim=(0, 1e-9))
    (line,) = ax.plot([0, 1], [0, 1])
    assert label_beside(ax, [("steep", line)])
    left = ax.transData.inverted().transform(boxes_of(ax.texts)[0][:2])[0]
    assert left < 0.1


def test_values_beside_dots_do_not_cover_each_other(ax):
    ax.set(xlim=(0, 1), ylim=(0, 0.5))
    dots = [
        (0.200, "0.200", "black"),
        (0.201, "0.201", "red"),
        (0.202, "0.202", "blue"),
    ]
    write_values(ax, 0.05, dots)
    boxes = sorted(boxes_of(ax.texts), key=lambda box: box[1])
    assert [text.get_text() for text in ax.texts] == ["0.200", "0.201", "0.202"]
    assert all(a[3] <= b[1] + 1 for a, b in zip(boxes, boxes[1:], strict=False))


def test_the_figure_grows_with_its_legend(ax):
    from matplotlib.lines import Line2D

    before = ax.figure.get_size_inches()
    entries = [(f"system {number}", Line2D([], [])) for number in range(25)]
    legend = add_legend(ax, entries)
    make_room(ax, legend)
    after = ax.figure.get_size_inches()
    assert (after > before).all()
    ax.figure.draw_without_rendering()
    box = legend.get_window_extent()
    assert box.x0 >= ax.bbox.x1
    assert box.x1 <= ax.figure.bbox.x1 + 1
    assert box.y0 >= 0


def test_a_very_long_legend_has_several_columns(ax):
    from matplotlib.lines import Line2D

    def columns(n):
        entries = [("-", Line2D([], [])) for _ in range(n)]
        return add_legend(ax, entries)._ncols

    assert [columns(10), columns(28), columns(29), columns(60)] == [1, 1, 2, 3]
