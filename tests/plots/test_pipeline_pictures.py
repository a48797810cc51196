"""Pictures of pipelines: what is drawn is what was found, words as they are."""

import pytest

import demur
import picture_cases


@pytest.fixture
def found():
    made = picture_cases.pipelines(**{"$x_1$": {"nlu": "b"}})
    names = ("evaluation", "blame", "sweep", "planted")
    return dict(zip(names, made.values(), strict=True))


def points(ax, marker):
    return [
        (float(x), float(y))
        for line in ax.lines
        if line.get_marker() == marker
        for x, y in line.get_xydata()
    ]


def test_sources_stand_below_one_another_at_their_shares(found):
    panels = demur.plot_pipeline(found["evaluation"])
    assert len(panels) == 2
    for ax, state in zip(panels, ("corrected", "free"), strict=True):
        rows = [row for row in found["evaluation"].rows if row.state == state]
        names = [label.get_text() for label in ax.get_yticklabels()]
        assert names == ["target", "$x_1$", "actual"]
        assert not any(label.get_parse_math() for label in ax.get_yticklabels())
        for marker, name in (("s", "identical"), ("o", "strict"), ("^", "multiple")):
            x = [x for x, _ in points(ax, marker)]
            assert x == [100 * getattr(row, name).share for row in rows]


def test_blame_shows_shares_and_bounds(found):
    [ax] = demur.plot_pipeline(found["blame"])
    shares, remains = found["blame"].shares, found["blame"].remains
    widths = [100 * s.shapley for s in (*shares, remains)]
    assert [bar.get_width() for bar in ax.patches] == widths
    assert [x for x, _ in points(ax, "D")] == [100 * each.alone for each in shares]
    assert [x for x, _ in points(ax, "s")] == [100 * each.last for each in shares]


def test_a_sweep_has_points_and_no_line_between_them(found):
    left, right = demur.plot_pipeline(found["sweep"])
    every = next(line for line in left.lines if line.get_marker() == ".")
    assert every.get_linestyle() == "None"
    expected = [(p.nonreturn, p.error) for p in found["sweep"].points]
    assert list(zip(*every.get_data(), strict=True)) == expected
    errors = right.lines[0].get_ydata().tolist()
    assert errors == [p.error for p in found["sweep"].points[:-1]]
    assert right.lines[0].get_drawstyle() == "steps-pre"


def test_planted_errors_are_bars(found):
    [ax] = demur.plot_pipeline(found["planted"])
    effects = found["planted"].effects
    heights = [bar.get_height() for bar in ax.patches]
    assert heights == [100 * each.changed.share for each in effects]


def test_several_share_a_figure(found, tmp_path):
    panels = demur.plot_pipeline(list(found.values()))
    assert len(panels) == 6
    assert len({id(ax.figure) for ax in panels}) == 1
    demur.save_picture(panels, tmp_path / "all.png")
    assert (tmp_path / "all.png").stat().st_size > 10_000
