"""At which numbers pictures look otherwise: how many are named, drawn, or apart."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import demur
import picture_cases
from builders import drawn, graded, refuses
from demur import Results
from demur.figures import picture_of, pictures_of
from demur.figures.agreements import agreement_picture
from demur.figures.calibrations import calibration_picture
from demur.figures.comparisons import least_cost_picture, prices_picture
from demur.figures.confusions import confusion_picture
from demur.figures.contrasts import contrasts_picture
from demur.figures.corrected_curves import corrected_picture
from demur.figures.curves import (
    average_picture,
    curves_panel,
    groups_picture,
    split_picture,
)
from demur.figures.difficulties import difficulty_picture, scalability_picture
from demur.figures.looks import (
    MISSED,
    across,
    axis_around,
    row_axis,
    shape_of,
    stroke,
    thinned,
)
from demur.figures.pipelines import pipeline_picture
from demur.results.pictures import (
    Axis,
    Bars,
    Dots,
    Level,
    Line,
    Matrix,
    Panel,
    Shade,
    Shares,
    Spans,
)


def curve(name: str = "s", wrong: int = 2, n: int = 8, silent: int = 0) -> demur.Curve:
    """The least sure are wrong; some more have no guess."""
    rows = np.arange(n + silent)
    outcome = np.where(rows < wrong, "wrong", "right").astype(object)
    outcome[n:] = "unanswered"
    sure = np.where(rows < n, (rows + 1.0) / (n + 1), np.nan)
    return demur.error_return(
        demur.Outcomes.from_arrays(
            item=rows, outcome=outcome, confidence=sure, system=name
        )
    )


def point(name: str = "p", wrong: int = 1) -> demur.Curve:
    return demur.error_return(graded(np.arange(8) >= wrong, system=name))


def marks(panel: Panel, kind: Any, **held: Any) -> list[Any]:
    return [
        mark
        for mark in panel.marks
        if isinstance(mark, kind)
        and all(getattr(mark, name) == value for name, value in held.items())
    ]


# -- curves ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "points", "missed", "drawn_"),
    [
        (1, 0, "auto", 1),
        (3, 0, "auto", 3),
        (4, 0, "auto", 0),
        (3, 2, "auto", 3),
        (4, 0, True, 4),
        (1, 0, False, 0),
    ],
)
def test_missed_chances_are_drawn_of_few_curves(lines, points, missed, drawn_):
    listed = [curve(f"s{n}") for n in range(lines)]
    listed += [point(f"p{n}") for n in range(points)]
    panel = curves_panel(listed, missed=missed)
    assert len(marks(panel, Line, style="missed")) == drawn_
    signs = [entry.words for entry in panel.signs]
    assert (MISSED in signs) == bool(drawn_)
    assert ("operating point: own decisions" in signs) == bool(points)


@pytest.mark.parametrize(
    ("lines", "points", "beside"),
    [
        *((1, 0, True), (3, 0, True), (2, 1, True), (4, 0, False), (3, 1, False)),
        *((0, 8, True), (0, 9, False)),
    ],
)
def test_few_systems_have_their_names_beside_them(lines, points, beside):
    listed = [curve(f"s{n}") for n in range(lines)]
    panel = curves_panel([*listed, *(point(f"p{n}") for n in range(points))])
    assert bool(panel.beside) == beside
    if beside:
        names = [*(f"s{n}" for n in range(lines)), *(f"p{n}" for n in range(points))]
        assert [words for words, _ in panel.beside][: lines + points] == names
    assert panel.note.startswith("ties " if lines else "operating points")


@pytest.mark.parametrize(("silent", "seen"), [(0, False), (1, False), (2, True)])
def test_a_curve_that_visibly_starts_later_has_a_mark(silent, seen):
    late = curve(n=200 - silent, silent=silent)
    assert late.start == silent / 200
    panel = curves_panel(late)
    words = [entry.words for entry in panel.signs]
    assert ("no guesses further left" in words) == seen
    (*dots,) = marks(panel, Dots, shape="o", hollow=True)
    assert [float(dot.x[0]) for dot in dots] == [late.start] * seen
    assert [words for words, _ in panel.beside] == [
        *("s", "no guesses further left")[: 1 + seen],
        "missed chance",
    ]


@pytest.mark.parametrize(
    ("at", "n", "listed"),
    [
        ((0.2,), 1, False),
        ((0.2,), 3, False),
        ((0.2,), 4, True),
        ((0.0, 0.09), 1, False),
        ((0.0, 0.08), 1, True),
        ((0.5, 0.0, 0.08), 1, True),
        ((0.9, 0.5, 0.1), 1, False),
    ],
)
def test_errors_stand_beside_the_lines_where_there_is_room(at, n, listed):
    panel = curves_panel([curve(f"s{k}") for k in range(n)], at=at)
    levels = marks(panel, Level, axis="x")
    assert [(level.at, level.words) for level in levels] == [
        (rate, f"{rate:g}") for rate in at
    ]
    values = ", ".join(f"{rate:g}" for rate in at)
    assert panel.signs_title == (f"error at nonreturn {values}" if listed else "")
    dots = marks(panel, Dots, size=4)
    assert len(dots) == n * len(at)
    assert all(bool(dot.words) != listed for dot in dots)
    assert bool(panel.beside) == (n <= 3 and not listed)
    if listed:
        error = curve().at(nonreturn=at[0]).error
        assert panel.names[0].words.startswith(f"{error:.3f}  ")


def test_names_stand_by_falling_error_and_points_last():
    early, late = curve("early", 2), curve("late", 5)
    few = curve("few", 1)
    panel = curves_panel([few, point("p1"), late, point("p2", 3), early])
    names = [entry.words for entry in panel.names]
    assert names == ["late", "early", "few", "p2", "p1"]
    # Both have no error from 0.25 on; at the left end the one has more.
    equal = curves_panel([curve("low", 1), curve("high", 2)], at=0.5)
    assert [entry.words for entry in equal.names] == ["high", "low"]
    assert [len(entry.marks) for entry in panel.names] == [1, 1, 1, 1, 1]


def test_a_missing_error_is_a_dash():
    late = curve(n=8, silent=8)
    panel = curves_panel([late, curve("b")], at=(0.2, 0.25))
    words = {entry.words.split()[-1]: entry.words.split()[0] for entry in panel.names}
    assert words["s"] == "-"
    assert words["b"] != "-"
    assert len(marks(panel, Dots, size=4)) == 2


@pytest.mark.parametrize(("n", "shades"), [(1, 1), (2, 2), (3, 0)])
def test_bands_of_many_are_edges(n, shades):
    band = demur.band(graded([0, 1] * 20, range(40)))
    curves = [curve(f"s{k}") for k in range(n)]
    panel = curves_panel(curves, bands=[band] * n)
    assert len(marks(panel, Shade)) == shades
    assert len(marks(panel, Line, style="edge")) == (0 if shades else 2 * n)
    starts = [entry.words.startswith("thin lines: ") for entry in panel.signs]
    assert any(starts) == (not shades)
    for bands in ([band], [band] * (n + 1), [replace(band, level=0.5), band]):
        if len(bands) != n or n == 2:
            refuses("bands must be", curves_panel, curves, bands=bands)


@pytest.mark.parametrize(
    ("region", "need"),
    [((0.1, 0.2), ""), ((0.2, 0.2), "region must be"), ((0.3, 0.2), "region must be")],
)
def test_a_region_has_two_ends(region, need):
    if need:
        refuses(need, curves_panel, curve(), region=region)
        return
    panel = curves_panel(curve(), region=region)
    assert marks(panel, Spans)[0].ends == (region,)
    assert panel.signs[-1].words == "operating region, 0.1 to 0.2"


def test_the_error_axis_ends_above_all_and_not_at_0():
    assert curves_panel(curve(wrong=0)).y.high == 0.05
    assert curves_panel(curve(wrong=4)).y.high == pytest.approx(0.5 * 1.06)
    assert curves_panel(point(wrong=6)).y.high == pytest.approx(0.75 * 1.06)


@pytest.mark.parametrize(
    ("n", "columns", "size"),
    [
        (1, 1, (4.4, 3.6)),
        (2, 2, (5.0, 2.5)),
        (3, 3, (7.5, 2.5)),
        (4, 3, (7.5, 5.0)),
        (7, 3, (7.5, 7.5)),
    ],
)
def test_panels_stand_three_in_a_row(n, columns, size):
    listed = [curve(f"s{k}") for k in range(n)]
    split = split_picture(listed, at=0.25)
    assert (split.across, split.size, len(split.panels)) == (columns, size, n)
    legends = [bool(panel.signs) for panel in split.panels]
    assert [place for place, has in enumerate(legends) if has] == [columns - 1]
    for panel in split.panels:
        assert [mark.at for mark in marks(panel, Level)] == [0.25]
        assert panel.x.label == ("nonreturn" if n > 1 else panel.x.label)
        assert "at 0.25: error 0.000, missed 0.000" in panel.heading
    groups = groups_picture({f"g{k}": {"s": one} for k, one in enumerate(listed)})
    down = -(-n // columns)
    assert (groups.across, groups.size) == (columns, (3.2 * columns, 2.9 * down))
    named = [bool(panel.names) for panel in groups.panels]
    assert [place for place, has in enumerate(named) if has] == [columns - 1]


def test_only_what_becomes_of_inputs_is_in_the_legend():
    (panel,) = split_picture(curve(wrong=2)).panels
    assert set(marks(panel, Shares)[0].amounts) == {
        *("right", "error", "missed", "avoided")
    }
    assert len(panel.signs) == 4
    assert panel.heading == "s"
    (bare,) = split_picture(point("")).panels
    assert bare.heading == "no confidences: operating point only"
    (early,) = split_picture(curve(n=8, silent=8), at=0.25).panels
    assert early.heading == "s"


def test_groups_have_one_scale_and_say_own_decisions_where_there_are_some():
    low, high = curve(wrong=1), curve(wrong=4)
    groups = groups_picture({"x": {"a": low}, "y": {"b": high, "a": low}})
    assert {panel.y.high for panel in groups.panels} == {0.53}
    assert [entry.words for entry in groups.panels[1].names] == ["a", "b"]
    assert [line.look for line in marks(groups.panels[1], Line, style="system")] == [
        1,
        0,
    ]
    assert not any(panel.signs for panel in groups.panels)
    declining = demur.error_return(picture_cases.declining("d", 0))
    told = groups_picture({"x": {"a": low}, "y": {"d": declining}})
    assert [len(panel.signs) for panel in told.panels] == [0, 1]
    nameless = groups_picture({"x": {"": declining}})
    assert not nameless.panels[0].signs
    assert not nameless.panels[0].names


def test_an_average_has_an_axis_even_without_errors():
    for error, high in ((np.zeros(2), 0.05), (np.array([0.5, 0.0]), 0.53)):
        average: Any = SimpleNamespace(nonreturn=np.array([0.0, 1.0]), error=error)
        (panel,) = average_picture(average).panels
        assert panel.y.high == pytest.approx(high)


# -- calibration -------------------------------------------------------------------


def calibration(seed: int = 0, targets: Any = (0.5,), **how: Any) -> demur.Calibration:
    made = drawn(seed, 30, lambda sure: sure, system=f"s{seed}", **how)
    return demur.calibration_of(made, targets=targets, replicates=2)


@pytest.fixture(scope="module")
def calibrations() -> list[demur.Calibration]:
    return [calibration(seed, (0.5, 0.8)) for seed in range(9)]


@pytest.mark.parametrize(
    ("n", "panels", "across_", "size"),
    [
        (1, 2, 2, (9.4, 4.2)),
        (6, 2, 2, (9.4, 4.2)),
        (7, 8, 4, (11.6, 5.6)),
        (9, 10, 4, (11.6, 8.4)),
    ],
)
def test_more_than_six_systems_have_a_diagram_each(
    n, panels, across_, size, calibrations
):
    picture = calibration_picture(calibrations[:n])
    assert (len(picture.panels), picture.across) == (panels, across_)
    assert picture.size == pytest.approx(size)
    named = [bool(panel.names) for panel in picture.panels]
    assert [place for place, has in enumerate(named) if has] == [across_ - 1]
    pale = [len(marks(panel, Line, look="pale")) for panel in picture.panels[1:]]
    assert pale == ([0] if n <= 6 else [n - 1] * n)
    signs = [entry.words for entry in picture.panels[across_ - 1].signs]
    assert any(words.startswith("strips: ") for words in signs)
    assert any("consistency band" in words for words in signs) == (n == 1)


def test_six_systems_may_be_apart_and_seven_together(calibrations):
    apart = calibration_picture(calibrations[:2], apart=True, curves=False)
    assert [panel.title for panel in apart.panels] == ["s0", "s1"]
    assert apart.size == pytest.approx((5.8, 2.8))
    together = calibration_picture(calibrations[:7], apart=False, curves=False)
    (panel,) = together.panels
    assert not marks(panel, Shade)
    assert not any(entry.words.startswith("strips: ") for entry in panel.signs)
    assert panel.y.low == -0.02


@pytest.mark.parametrize(
    ("n", "height"), [(1, 0.07), (2, 0.07), (4, 0.07), (5, 0.06), (6, 0.05)]
)
def test_strips_below_the_diagram_share_its_foot(n, height, calibrations):
    (panel,) = calibration_picture(calibrations[:n], curves=False).panels
    strips = marks(panel, Shade, style="solid", steps="post")
    assert [float(strip.low[0]) for strip in strips] == pytest.approx(
        [-rank * height for rank in range(1, n + 1)]
    )
    for strip in strips:
        tall = strip.high - strip.low
        assert tall.max() == pytest.approx(0.85 * height)
        assert (len(strip.x), tall[-1]) == (81, 0)
    assert panel.y.low == pytest.approx(-1.03 * n * height)
    assert marks(panel, Level, axis="y")[0].at == 0


@pytest.mark.parametrize(
    ("n", "targets", "worded"),
    [
        *((1, (0.5, 0.8), True), (3, (0.5, 0.8), True)),
        *((4, (0.5, 0.8), False), (3, (0.5,), False)),
    ],
)
def test_targets_are_told_apart_where_several_meet_few_systems(
    n, targets, worded, calibrations
):
    listed = calibrations[:n]
    if len(targets) == 1:
        listed = [replace(one, trust=one.trust[:1]) for one in listed]
    panel = calibration_picture(listed).panels[0]
    crosses = marks(panel, Dots, shape="X")
    assert len(crosses) == len(marks(panel, Dots, shape="*")) == n * len(targets)
    words = [(f"{target:g}",) if worded else () for target in targets] * n
    assert [dot.words for dot in crosses] == words


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ((3.0, 3.0), 2.5, 3.5),
        ((2.0, 4.0), 2.0, 4.0),
        ((5.0, 5.5), 5.0, 5.5),
        ((-7.0, -7.0), -7.5, -6.5),
        ((1e300, 1e300), 1e290, 1e290),
        ((2.0**60, 2.0**60), 2.0**60 - 160 * 256, 2.0**60 + 160 * 256),
        ((2.0**60, 2.0**60 + 256), 2.0**60 - 159.5 * 256, 2.0**60 + 160.5 * 256),
    ],
)
def test_confidences_that_are_none_have_an_axis_around_them(values, low, high):
    scores = graded([0, 1] * 6, np.repeat(values, 6), system="s")
    one = demur.calibration_of(scores, replicates=0)
    (panel,) = calibration_picture(one, curves=False).panels
    margin = 0.012 * (high - low)
    assert panel.x.low == pytest.approx(low - margin)
    assert panel.x.high == pytest.approx(high + margin)
    assert panel.x.low < panel.x.high
    assert panel.x.label == "confidence (not a probability)"


@pytest.mark.parametrize(
    ("bare", "words"),
    [(0, None), (1, "b0"), (2, "b0, b1"), (3, "3 systems")],
)
def test_systems_without_a_diagram_are_named(bare, words, calibrations):
    silent = [
        demur.calibration_of(graded([0, 1], system=f"b{n}"), replicates=0)
        for n in range(bare)
    ]
    (panel,) = calibration_picture([calibrations[0], *silent], curves=False).panels
    left_out = [e.words for e in panel.signs if e.words.startswith("not on the right")]
    assert left_out == ([] if words is None else [f"not on the right: {words}"])
    kinds = [type(entry.marks[0]) for entry in panel.names]
    assert kinds == [Line] + [Dots] * bare


# -- contrasts, prices, corrected curves -------------------------------------------


@pytest.mark.parametrize(
    ("n", "columns", "rows", "size"),
    [
        *((1, 3, 2, (10.5, 6.6)), (6, 3, 2, (10.5, 6.6)), (7, 6, 2, (16.8, 5.6))),
        *((10, 6, 2, (16.8, 5.6)), (11, 6, 3, (16.8, 8.4))),
    ],
)
def test_more_than_six_contrasts_stand_in_rows(n, columns, rows, size):
    listed = [demur.contrast(curve(f"s{k}", 1 + k % 4)) for k in range(n)]
    picture = contrasts_picture(listed)
    assert (picture.across, len(picture.panels)) == (columns, columns * rows)
    assert picture.size == pytest.approx(size)
    named = [len(panel.names) for panel in picture.panels]
    several = n > 6
    assert [count > 0 for count in named] == [
        place % columns == columns - 1 and (several or place < columns)
        for place in range(len(named))
    ]
    assert sum(named) == n
    for place, panel in enumerate(picture.panels):
        row = named[place // columns * columns + columns - 1] if several else n
        assert len(marks(panel, Line, style="system")) == row
        pale = [m for m in panel.marks if getattr(m, "look", "") == "pale"]
        assert len(pale) == n - row
    roc, det = picture.panels[1:3]
    assert (roc.x.high, roc.y.high) == (1.0, 1.02)
    assert det.x.high == det.y.high == det.x.ticks[-1][0] > 3


def test_prices_say_where_the_cheapest_changes():
    two = [demur.error_return(picture_cases.system(name)) for name in "ab"]
    upper, lower = prices_picture(two).panels
    assert [entry.words for entry in upper.names] == ["a", "b"]
    assert "the cheapest cutoff or system changes" in [e.words for e in upper.signs]
    assert all(line.style == "thick" for line in lower.marks)
    assert lower.marks[-1].x[0] == 0
    alone, _ = prices_picture([curve("a", 0)]).panels
    assert [entry.words for entry in alone.signs] == []
    assert alone.y.high == 0.05
    prices = demur.price_list([curve("", 2), curve("b", 6)])
    (panel,) = least_cost_picture(prices).panels
    assert panel.names[-1].words == "error"
    assert panel.marks[-1].x.min() == 0
    assert max(line.x.max() for line in panel.marks) == 1


def test_corrected_curves_have_a_hundred_or_two_places():
    made = demur.corrected_curve(picture_cases.judged(), "people")
    (panel,) = corrected_picture([made, replace(made, system="")]).panels
    assert [entry.words for entry in panel.names] == ["judged", "system"]
    highest = max(made.high[~np.isnan(made.error)].max(), made.raw.max())
    assert panel.y.high == pytest.approx(1.05 * highest)
    assert panel.signs[1].words == "95 % at each cutoff"
    none = dict.fromkeys(("error", "low", "high", "raw"), 0 * made.raw)
    (panel,) = corrected_picture(replace(made, **none)).panels
    assert panel.y.high == 0.05
    long = drawn(1, 500, lambda sure: sure, groups={"people": ["right", None] * 250})
    (panel,) = corrected_picture(demur.corrected_curve(long, "people")).panels
    lines = [mark for mark in panel.marks if isinstance(mark, Line)]
    assert {len(line.x) for line in lines} <= {199, 200}
    last = demur.corrected_curve(long, "people")
    assert [line.x[-1] for line in lines] == [
        last.nonreturn[~np.isnan(last.error)].max()
    ] * 2


# -- difficulty, agreement, pipelines ----------------------------------------------


@pytest.mark.parametrize("n", [1, 8, 9])
def test_up_to_eight_hard_markables_are_named(n):
    counts = {f"m{k}": {"go": 2 + k, "do": 3 + k} for k in range(n)}
    (panel,) = difficulty_picture(demur.difficulty_of_counts(counts)).panels
    every, named = marks(panel, Dots)
    assert (len(every.x), len(named.x)) == (n, min(n, 8))
    assert named.words == tuple(f"m{k}" for k in range(n - 1, max(n - 9, -1), -1))
    assert panel.x.low == pytest.approx(5 / 1.6)
    assert panel.x.high == pytest.approx(2.2 * (5 + 2 * (n - 1)))
    assert panel.y.high == pytest.approx(1.08 * every.y.max())
    sure = demur.difficulty_of_counts({"m": {"go": 2}})
    assert difficulty_picture(sure).panels[0].y.high == pytest.approx(0.108)


def test_scores_without_an_interval_have_no_bar():
    scaled = picture_cases.scaled()
    (panel,) = scalability_picture(scaled).panels
    without = replace(
        scaled, points=[replace(one, interval=None) for one in scaled.points]
    )
    (bare,) = scalability_picture(without).panels
    bars = len(scaled.points)
    assert len(marks(panel, Line, style="thin")) == bars
    assert len(marks(bare, Line, style="thin")) == 0
    assert panel.y.high > bare.y.high
    undefined = [replace(scaled.points[0], score=None), *scaled.points[1:]]
    (fewer,) = scalability_picture(replace(scaled, points=undefined)).panels
    assert len(marks(fewer, Line, style="thin")) == bars - 1


def test_confusions_are_shares_of_the_items_of_a_label():
    scores = demur.label_scores(
        hypotheses=["a", "b", None, "(declined)", "b"],
        references=["a", "a", "a", "a", "(declined)"],
    )
    (panel,) = confusion_picture(scores).panels
    (matrix,) = marks(panel, Matrix)
    names = [words for _, words in panel.x.ticks]
    assert names == ["(declined)", "a", "b", "(declined)"]  # the first is a label
    assert matrix.shares.tolist() == [
        [0, 0, 1, 0],
        [0.25, 0.25, 0.25, 0.25],
        [0, 0, 0, 0],  # b is never true
    ]


def test_of_many_labels_those_that_are_confused_most_are_shown():
    true = [f"l{number:02}" for number in range(30) for _ in range(4)]
    given = [*true]
    given[100:] = ["l00"] * 20  # l25 to l29
    picture = confusion_picture(demur.label_scores(hypotheses=given, references=true))
    (panel,) = picture.panels
    (matrix,) = marks(panel, Matrix)
    names = [words for _, words in panel.y.ticks]
    assert matrix.shares.shape == (20, 21)
    assert {"l00", *(f"l{number}" for number in range(25, 30))} <= set(names)
    assert matrix.shares.sum(axis=1) == pytest.approx(1.0)
    assert (
        "the 20 that take part in most confusions of 30 labels" in picture.description
    )


def test_annotators_that_are_alike_have_an_axis():
    alike = demur.agreement({"a": list("xyxy"), "b": list("xyxy")})
    _, panel = agreement_picture(alike).panels
    assert panel.x.high == 1.2
    apart = demur.agreement({"a": list("xyxy"), "b": list("xyxx")})
    _, panel = agreement_picture(apart).panels
    (bars,) = marks(panel, Bars)
    assert panel.x.high == pytest.approx(1.2 * bars.lengths.max())
    assert bars.words == ("0.250", "0.250")


@pytest.fixture(scope="module")
def pipelines() -> dict[str, Any]:
    return picture_cases.pipelines(human={"nlu": "a"})


def test_sources_have_a_panel_for_each_state(pipelines):
    evaluation = pipelines["PipelineEvaluation"]
    states = list(dict.fromkeys(row.state for row in evaluation.rows))
    assert len(states) == 2
    kept = [
        row
        for row in evaluation.rows
        if row.state == states[0] or row.source != "human"
    ]
    picture = pipeline_picture(replace(evaluation, rows=kept))
    ticks = [[name for _, name in panel.y.ticks] for panel in picture.panels]
    assert ["human" in names for names in ticks] == [True, False]
    assert [bool(panel.signs) for panel in picture.panels] == [False, True]
    for state, panel in zip(states, picture.panels, strict=True):
        rows = [row for row in kept if row.state == state]
        dots = {dot.shape: dot for dot in marks(panel, Dots)}
        for shape, name, place in (("o", "strict", 0.0), ("^", "multiple", 0.22)):
            shares = [getattr(row, name).share for row in rows]
            assert dots[shape].x == pytest.approx(
                [100 * share for share in shares if share is not None]
            )
            assert dots[shape].y[0] == pytest.approx(place)
        assert {shape for shape, dot in dots.items() if dot.hollow} <= {"s"}
    assert (picture.across, picture.size[0]) == (2, 12.4)


def test_heights_of_pipelines_are_those_of_their_rows(pipelines):
    blame, sweep = pipelines["Attribution"], pipelines["CutoffSweep"]
    for results, across_, height in (
        (blame, 1, 2.6),
        ([blame, sweep], 2, (1.3 + 0.42 * 5) * 2),
        ([sweep], 2, 1.3 + 0.42 * 5),
    ):
        picture = pipeline_picture(results)
        assert picture.across == across_
        assert picture.size == pytest.approx((6.2 * across_, height))


@pytest.mark.parametrize(("n", "ticks"), [(0, 0), (1, 1), (20, 20), (21, 0)])
def test_turns_after_an_error_are_numbered_while_they_are_few(n, ticks, pipelines):
    planted = pipelines["PlantedErrors"]
    first = planted.effects[0]
    effects = [replace(first, later=later) for later in range(n)]
    (panel,) = pipeline_picture(replace(planted, effects=effects)).panels
    assert len(panel.x.ticks) == ticks
    assert (panel.x.low, panel.x.high) == (-0.6, max(n - 1, 0) + 0.6)
    bars = marks(panel, Bars)[0]
    assert bars.lengths == pytest.approx([100 * (first.changed.share or 0)] * n)
    known = first.changed.low is not None
    assert len(marks(panel, Line)) == n * known
    for side in ("low", "high"):
        changed = replace(first.changed, **{side: None})
        half = replace(planted, effects=[replace(first, changed=changed)])
        assert not marks(pipeline_picture(half).panels[0], Line)


# -- what they have in common ------------------------------------------------------


def test_systems_differ_in_width_dashes_and_shape():
    assert stroke(0, "system") == (2.6, ())
    assert [stroke(look, "system")[0] for look in (1, 7, 8, 15, 16, 24)] == [
        *(1.8, 1.8, 1.1, 1.1, 1.5, 1.8)
    ]
    dashes = [stroke(look, "system")[1] for look in range(5)]
    assert len(set(dashes)) == 5
    assert stroke(5, "system")[1] == dashes[0]
    assert stroke(8, "system")[1] == dashes[1]
    assert stroke(3, "edge") == (0.7, dashes[3])
    assert stroke("note", "system") == (1.2, ())
    assert stroke(3, "thin") == stroke("note", "thin")
    assert [shape_of(look) for look in (0, 1, 9, 10, "note")] == [*"osp", "o", "o"]


@pytest.mark.parametrize(("n", "kept"), [(3, 3), (4, 4), (5, 4), (9, 4)])
def test_lines_are_thinned_where_more_than_two_meet_in_a_column(n, kept):
    rates = np.linspace(0, 0.999, n)
    places = thinned(rates, columns=2)
    assert len(places) == kept
    assert (places[0], places[-1]) == (0, n - 1)


def test_axes_have_room_around_values():
    assert axis_around("x", [1.0, 3.0]) == Axis("x", 0.9, 3.1)
    assert axis_around("x", [2.0], 0.5) == Axis("x", 1.5, 2.5)
    assert axis_around("x", []) == Axis("x", -0.05, 1.05)
    assert row_axis(["a", "b"]) == Axis("", 1.5, -0.5, ((0, "a"), (1, "b")))
    assert row_axis(["a"], least=4) == Axis("", 3.5, -0.5, ((0, "a"),))
    assert across(0.25, Axis(low=0.0, high=0.5)) == 0.5
    assert across(1.0, Axis(low=3.0, high=1.0)) == 1.0
    assert across(1e308, Axis(low=-1e308, high=1e308)) == 1.0


def test_one_of_several_kinds_is_drawn():
    price = demur.price_list([curve()])[0]
    refuses("result must be one with a picture; got a Price", picture_of, price)
    splits = Results([curve().split])
    refuses("must be one with a picture; got a Split", picture_of, splits)
    assert pictures_of(splits) == pictures_of(Results([])) == ()
    dear = Results([replace(price, low=1.0, high=2.0)])
    assert pictures_of(dear) == ()
    with pytest.raises(demur.UndefinedRate, match="no price from 0 to 1"):
        dear.plot()
    near = Results([replace(price, low=0.9, high=2.0)])
    assert [mark.x.tolist() for mark in picture_of(near).panels[0].marks] == [[0.9, 1]]
    bands = Results(
        [
            demur.difference_band(
                *(graded([0, 1] * 9, range(18), system=s) for s in "ab")
            )
        ]
        * 2
    )
    refuses("result must be one; got 2 of DifferenceBand", picture_of, bands)
    assert len(pictures_of(bands)) == 2
