"""How pictures become SVG: places, sizes, and where words find room."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from demur.pages.svg import Canvas, canvases, drawn, key, marks, stripe, text_of
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

ENDS = np.array([0.0, 1.0])


UNIT = Axis()


def canvas(*drawn_: Mark, x: Axis = UNIT, y: Axis = UNIT, **words: str) -> Canvas:
    return Canvas("p", "t", "d", Panel(drawn_, x, y, **words), (174, 170))


def parts(*drawn_: Mark, **how: Axis) -> list[str]:
    """What marks become, on axes of 96 times 110 units from (64, 12)."""
    return canvas(*drawn_, **how).parts


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", text)]


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 1.21, [0, 0.5, 1]),
        (0, 1.19, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 6, [0, 2, 4, 6]),
        (0, 5.9, [0, 1, 2, 3, 4, 5]),
        (0.05, 0.34, [0.05, 0.1, 0.15, 0.2, 0.25, 0.3]),
        (-3, 3, [-2, 0, 2]),
        (1000, 4000, [1000, 2000, 3000, 4000]),
        (0, 0.01, [0, 0.002, 0.004, 0.006, 0.008, 0.01]),
        (0.3, 0.6, [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6]),
    ],
)
def test_marks_of_axes_are_round(low, high, found):
    assert marks(low, high) == pytest.approx(found)


def test_places_go_from_corner_to_corner():
    page = canvas()
    assert (page.left, page.top) == (64, 12)
    assert [page.x(value) for value in (0.0, 0.5, 1.0)] == [64, 112, 160]
    assert [page.y(value) for value in (0.0, 0.5, 1.0)] == [122, 67, 12]
    assert page.y_range == (0.0, 1.0)
    lower = canvas(y=Axis(low=3.0, high=1.0))
    assert [lower.y(value) for value in (3.0, 1.0)] == [122, 12]
    assert page.path(np.array([]), np.array([])) == "M0 0"
    far = page.path(np.array([-1e9, 1e9]), np.array([-1e9, 1e9]))
    assert far == "M-10000.0 10000.0L10000.0 -10000.0"


@pytest.mark.parametrize(
    ("longest", "left"), [(0, 64), (3, 64), (4, 74), (31, 257), (32, 260), (99, 260)]
)
def test_names_of_rows_have_room(longest, left):
    ticks = ((0.0, "x" * longest), (1.0, "")) if longest else ()
    assert canvas(y=Axis(ticks=ticks)).left == left


@pytest.mark.parametrize(
    ("words", "title", "note", "top"),
    [
        ([], "", "", 12),
        ([], "t", "", 32),
        ([], "", "n", 32),
        (["0.2"], "", "", 28),
        (["0.2"], "t", "n", 48),
        ([""], "", "", 12),
        (["x" * 60], "", "", 28),
        (["x" * 30, "x" * 31], "", "", 82),
    ],
)
def test_words_over_the_axes_have_room(words, title, note, top):
    levels = [Level(0.5, "x", "note", text) for text in words]
    page = canvas(*levels, Level(0.5, "y", "note", "y" * 99), title=title, note=note)
    assert page.top == top
    turned = [part for part in page.parts if "rotate(-35)" in part]
    assert len(turned) == (len(words) if top == 82 else 0)
    if words == ["0.2"] and not title:
        assert '<text x="112.0" y="23.0" class="mark mid">0.2</text>' in page.parts
    if turned:
        assert "translate(112.0 77)" in turned[0]


def test_lines_are_thinned_stepped_and_left_out_where_there_is_nothing():
    (path,) = parts(Line(np.array([0, 0.5, 1]), np.array([0, np.nan, 1]), 0))
    assert 'd="M64.0 122.0L160.0 12.0"' in path
    (post,) = parts(Line(ENDS, ENDS, 0, steps="post"))
    assert 'd="M64.0 122.0L160.0 122.0L160.0 12.0"' in post
    (pre,) = parts(Line(ENDS, ENDS, 0, steps="pre"))
    assert 'd="M64.0 122.0L64.0 12.0L160.0 12.0"' in pre
    many = np.linspace(0, 1, 2000)
    (path,) = parts(Line(many, many, 0))
    assert 600 < path.count("L") < 702
    (whole,) = parts(Line(many[::3], many[::3], 0))
    assert whole.count("L") == 666
    assert ('stroke-width="2.6"' in path, "dasharray" in path) == (True, False)
    (dashed,) = parts(Line(ENDS, ENDS, 1))
    assert 'class="line c1" stroke-width="1.8" stroke-dasharray="12.6 3.6"' in dashed
    (ninth,) = parts(Line(ENDS, ENDS, 9))
    assert 'class="line c1"' in ninth
    (note,) = parts(Line(ENDS, ENDS, "note"))
    assert 'class="line note"' in note


def test_marks_say_whose_they_are_where_the_page_moves_them():
    dots = Dots(ENDS[:1], ENDS[:1], 3), Dots(ENDS[:1], ENDS[:1], "note")
    panel = Panel((*dots, Line(ENDS, ENDS, 2)))
    tagged = Canvas("p", "t", "d", panel, tagged=True).parts
    assert ['data-system="' in part for part in tagged] == [True, False, True]
    assert not any("data-system" in part for part in canvas(*panel.marks).parts)


@pytest.mark.parametrize(
    ("shape", "box"),
    [
        ("s", (-4.5, -4.5, 4.5, 4.5)),
        ("D", (-6, -6, 6, 6)),
        ("^", (-5.5, -6, 5.5, 4.5)),
        ("v", (-5.5, -4.5, 5.5, 6)),
        ("<", (-6, -5.5, 4.5, 5.5)),
        (">", (-4.5, -5.5, 6, 5.5)),
        ("p", (-5.7, -6, 5.7, 4.9)),
        ("P", (-6, -6, 6, 6)),
        ("X", (-5.6, -5.6, 5.6, 5.6)),
    ],
)
def test_shapes_of_markers_reach_as_far_as_they_are_wide(shape, box):
    for size in (8.0, 16.0):
        dots = Dots(np.array([0.5]), np.array([0.5]), 0, shape, size)
        (path,) = parts(dots)
        places = np.array(numbers(path.split('class="')[0])).reshape(-1, 2)
        reach = np.concatenate([places.min(0), places.max(0)]) - [112, 67, 112, 67]
        assert reach == pytest.approx(np.array(box) * size / 8, abs=0.06)
    assert 'class="dot c0"' in path


def test_round_markers_have_a_radius_and_looks():
    for how, look, radius in (
        ({"size": 8}, "dot c0", "5"),
        ({"size": 4}, "dot c0", "2.5"),
        ({"hollow": True}, "dot hollow c0", "5"),
        ({"faint": True}, "dot faint c0", "5"),
    ):
        (circle,) = parts(Dots(ENDS[:1], ENDS[:1], 0, "o", **how))
        assert circle == f'<circle cx="64.0" cy="122.0" r="{radius}" class="{look}"/>'


@pytest.mark.parametrize(
    ("x", "y", "kept"),
    [
        (0.5, 0.0, ["one", "two"]),
        (0.2, 0.0, ["one"]),
        (0.21 / 0.96 + 0.001, 0.0, ["one", "two"]),
        (0.0, 0.05, ["one"]),
        (0.0, 0.13, ["one", "two"]),
        (0.0, 0.0, ["two"]),  # drawn once, with the words of the last
    ],
)
def test_words_beside_dots_do_not_cover_each_other(x, y, kept):
    dots = Dots(np.array([0, x]), np.array([0, y]), 0, words=("one", "two"))
    texts = [part for part in parts(dots) if part.startswith("<text")]
    assert [re.sub("<.*?>", "", text) for text in texts] == kept
    assert texts[0].startswith('<text x="70.0" y="117.0" class="mark c0">')
    assert len(parts(Dots(ENDS, ENDS, 0))) == 2


def test_areas_are_between_their_lines():
    (area,) = parts(Shade(ENDS, ENDS / 2, ENDS, 0))
    assert 'd="M64.0 122.0L160.0 67.0L160.0 12.0L64.0 122.0Z" class="band c0"' in area
    (solid,) = parts(Shade(ENDS, 0 * ENDS, ENDS, 0, "solid", "post"))
    assert 'class="bar c0"' in solid
    assert numbers(solid.split('"')[1])[:6] == [64, 122, 160, 122, 160, 122]
    shares = Shares(ENDS, {"right": np.array([0.5, 0.5]), "error": np.array([0.5, 0])})
    right, error = parts(shares)
    assert (
        'd="M64.0 122.0L160.0 122.0L160.0 67.0L64.0 67.0Z" class="share-right"' in right
    )
    assert (
        'd="M64.0 67.0L160.0 67.0L160.0 67.0L64.0 12.0Z" class="share-error"' in error
    )
    single = Shares(np.array([0.5]), {"right": np.array([1.0])})
    (bar,) = parts(single)
    assert numbers(bar.split('"')[1])[:4] == [109.6, 122.0, 114.4, 122.0]


def test_bars_levels_and_spans_stand_where_they_are():
    wide = Axis(low=0.0, high=4.0)
    lying = Bars(np.array([1.0]), np.array([2.0]), lying=True, words=("w",))
    words, box = parts(lying, x=wide, y=wide)
    assert words == '<text x="117.0" y="98.5" class="mark">w</text>'
    assert numbers(box)[:4] == [64.0, 86.2, 48.0, 16.5]
    (standing,) = parts(Bars(np.array([1.0]), np.array([-2.0])), x=wide, y=wide)
    assert numbers(standing)[:4] == [80.8, 122.0, 14.4, 55.0]
    line, text = parts(Level(0.5, words="w", look=1))
    assert line == '<line x1="64.0" x2="160.0" y1="67.0" y2="67.0" class="level c1"/>'
    assert text == '<text x="160.0" y="62.0" class="mark end c1">w</text>'
    line, _ = parts(Level(0.5, "x"))
    assert numbers(line)[1::2] == [112.0, 112.0, 12.0, 122.0]
    (span,) = parts(Spans(((0.25, 0.5),), height=0.5))
    assert numbers(span)[:4] == [88.0, 67.0, 24.0, 55.0]


def test_cells_are_darker_with_their_share_and_say_it():
    side = Axis(low=-0.5, high=1.5)
    shares = np.array([[0.0, 0.004], [0.5, 0.52]])
    made = parts(Matrix(shares), x=side, y=side)
    boxes = [part for part in made if part.startswith("<rect")]
    assert [numbers(box)[:4] for box in boxes] == [
        *([64, 67, 48, 55], [112, 67, 48, 55], [64, 12, 48, 55], [112, 12, 48, 55])
    ]
    assert [re.search(r'"0\.\d{3}"', box)[0] for box in boxes] == [
        '"0.000"',
        '"0.003"',
        '"0.425"',
        '"0.442"',
    ]
    words = [part for part in made if part.startswith("<text")]
    assert words == [
        '<text x="88.0" y="43.5" class="mark mid ink">0.50</text>',
        '<text x="136.0" y="43.5" class="mark mid paper">0.52</text>',
    ]
    assert 'class="grid"' not in str(canvas(Matrix(shares), x=side, y=side))
    (_, word) = parts(Matrix(np.array([[0.005]])), x=side, y=side)
    assert ">0.01<" in word or ">0.00<" in word


def test_the_frame_is_around_the_axes():
    whole = str(canvas(x=Axis("across"), y=Axis("up"), title="T", note="N"))
    root = ElementTree.fromstring(whole)
    assert root.get("viewBox") == "0 0 174 170"
    assert '<rect x="64" y="31" width="96" height="91"/></clipPath>' in whole
    assert '<path d="M64 32V122H160" class="axis"/>' in whole
    assert '<text x="112" y="160" class="label mid">across</text>' in whole
    assert 'transform="translate(16 77) rotate(-90)" class="label mid">up' in whole
    assert '<text x="64" y="18" class="label">T</text>' in whole
    assert '<text x="160" y="18" class="mark end">N</text>' in whole
    assert '<text x="64.0" y="140" class="mark mid">0</text>' in whole
    assert '<text x="56" y="126.0" class="mark end">0</text>' in whole
    assert '<line x1="64.0" x2="64.0" y1="32" y2="122" class="grid"/>' in whole
    assert '<line x1="64" x2="160" y1="32.0" y2="32.0" class="grid"/>' in whole


@pytest.mark.parametrize(
    ("places", "shown", "on_phones"),
    [
        ((0.0, 0.5, 1.0), 3, 2),  # 44 units apart
        ((0.0, 0.39, 1.0), 2, 2),
        ((0.0, 0.4, 1.0), 3, 2),  # from 35 units on, or 55 where letters are larger
        ((0.0, 0.6, 1.0), 3, 2),  # the last is there before others
        ((0.0, 0.2, 0.4), 2, 1),
    ],
)
def test_words_below_the_axis_do_not_run_into_each_other(places, shown, on_phones):
    ticks = tuple((place, "abcd") for place in places)
    whole = str(canvas(x=Axis(ticks=ticks), y=Axis(ticks=((0.0, ""),))))
    assert len(re.findall('class="mark mid(?: roomy)?">abcd<', whole)) == shown
    assert len(re.findall('class="mark mid">abcd<', whole)) == on_phones
    assert whole.count('class="grid"') == len(places) + 1


def test_words_at_the_end_of_an_axis_are_not_cut():
    whole = str(canvas(x=Axis(ticks=((1.0, "99.9 %"),))))
    [at] = re.findall(r'<text x="([\d.]+)" y="\d+" class="mark mid">99.9 %', whole)
    assert float(at) + 11 * len("99.9 %") / 2 <= 174


def test_a_note_that_would_run_into_the_title_stands_in_the_frame():
    for title, line in (("T", 18), ("A long title", 50)):
        whole = str(canvas(title=title, note="a note"))
        assert f'y="{line}" class="mark end">a note<' in whole


def test_axes_of_factors_have_powers_of_ten():
    for low, high, shown in (
        (1, 100, ["1", "10", "100"]),
        (0.5, 99, ["1", "10"]),
        (1.1, 9.9, []),
    ):
        whole = str(canvas(x=Axis(low=low, high=high, log=True)))
        assert re.findall('class="mark mid">(.*?)<', whole) == shown


@pytest.mark.parametrize(
    ("n", "across", "size", "heights", "sizes"),
    [
        (1, 1, (5.6, 4.2), (), [(638, 479)]),
        (2, 1, (5.6, 6.4), (3, 2), [(638, 438), (638, 292)]),
        (2, 2, (9.4, 4.2), (), [(536, 479)] * 2),
        (4, 3, (7.5, 5.0), (), [(360, 360)] * 4),
        (2, 1, (2.0, 4.0), (), [(360, 360)] * 2),
    ],
)
def test_panels_share_the_size_of_a_picture(n, across, size, heights, sizes):
    panels = (Panel((), title="one"), *(Panel(()) for _ in range(n - 1)))
    made = canvases(Picture("p", "T", "d", panels, size, across, heights))
    assert [page.size for page in made] == sizes
    assert [page.title for page in made] == ["T: one", *["T"] * (n - 1)]


def test_legends_show_each_kind_of_mark():
    listed = (
        Entry("line", (Line(look=0),)),
        Entry("dots", (Dots(look=0, shape="o"),)),
        Entry("share", (Shares(ENDS, {"right": ENDS}),)),
        Entry("band", (Shade(),)),
        Entry("bars", (Bars(look=2),)),
    )
    (text,) = drawn(
        Picture("p", "t", "d", (Panel((), names=listed[:1], signs=listed[1:]),))
    )
    keys = re.findall('<svg class="key".*?>(.*?)</svg>', text)
    assert keys == [
        '<path d="M1 7L33 7" class="line c0" stroke-width="2.6"/>',
        '<circle cx="17.0" cy="7.0" r="5" class="dot c0"/>',
        *(
            f'<rect x="4" y="1" width="26" height="12" class="{look}"/>'
            for look in ("share-right", "band note", "bar c2")
        ),
    ]
    (none,) = drawn(Picture("p", "t", "d", (Panel(()),)))
    assert none.endswith("</svg>")
    (hint,) = drawn(Picture("p", "t", "d", (Panel((), signs_title="a\nb"),)))
    assert hint.endswith('<p class="hint">a<br/>b</p>')
    assert key(1).count("c1") == 2
    assert text_of("<\n>") == r"&lt;\n&gt;"


def test_a_stripe_is_as_long_as_its_shares():
    bars = re.findall("<rect (.*?)/>", stripe([("right", 0.25), ("error", 0.75)]))
    assert bars == [
        'x="0.00" y="0" width="250.00" height="40" class="share-right"',
        'x="250.00" y="0" width="750.00" height="40" class="share-error"',
    ]
