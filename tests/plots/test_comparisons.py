"""Pictures for comparing: their numbers are the curves', and they say what they are."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import demur
from builders import drawn, refuses
from demur import (
    difference_curve,
    plot_comparison,
    plot_prices,
    price_list,
    save_picture,
)
from demur.cli import main


def system(name: str, seed: int, better: float = 0.0) -> demur.Outcomes:
    return drawn(seed, 400, lambda sure: 0.3 + 0.5 * sure + better, system=name)


A, B = system("plain", 1), system("bet$ter_", 2, better=0.2)
CURVES = [demur.error_return(each) for each in (A, B)]
POINT = demur.error_return(
    demur.Outcomes.from_arrays(system="point", correct=[True, True, False, None])
)


def legend_of(ax) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_lower_panel_is_the_difference_of_the_curves() -> None:
    _, lower = plot_comparison(*CURVES)
    found = difference_curve(*CURVES)
    assert np.array_equal(lower.lines[-1].get_xdata(), found.nonreturn)
    assert np.array_equal(lower.lines[-1].get_ydata(), found.difference)


def test_the_band_is_drawn_and_named() -> None:
    band = demur.difference_band(A, B)
    upper, lower = plot_comparison(*CURVES, band=band, at=[0.2])
    area = lower.collections[0].get_paths()[0].vertices
    assert area[:, 1].min() == band.low.min()
    assert area[:, 1].max() == band.high.max()
    assert band.text in legend_of(lower)
    assert "bet$ter_ is better: the band leaves out 0" in legend_of(lower)
    assert lower.get_legend().get_title().get_text().startswith("above 0: plain is")
    assert upper.get_xlabel() == ""


def test_bars_lie_where_the_band_leaves_out_0() -> None:
    band = demur.difference_band(A, B)
    _, lower = plot_comparison(*CURVES, band=band)
    bars = lower.collections[1].get_paths()
    drawn = [(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for path in bars]
    assert drawn == [pytest.approx(each[:2]) for each in band.surely()]
    assert band.surely()


def test_a_system_without_a_curve_has_no_difference() -> None:
    with pytest.raises(demur.UndefinedRate):
        plot_comparison(CURVES[0], POINT)


def test_least_costs_are_those_of_the_price_list() -> None:
    upper, lower = plot_prices([*CURVES, POINT])
    for curve, line in zip([*CURVES, POINT], upper.lines, strict=False):
        for r, cost in line.get_xydata():
            chosen = [p for p in price_list([curve]) if p.low <= r < p.high]
            assert cost == pytest.approx(chosen[0].error + r * chosen[0].nonreturn)
    best = [line.get_xydata() for line in lower.lines]
    assert best[-1][0][0] == 0 or best[0][0][0] == 0
    assert all(a[0][1] >= 0 and a[0][1] == a[1][1] for a in best)
    ends = sorted((line[0][0], line[1][0]) for line in best)
    assert all(one[1] == other[0] for one, other in pairwise(ends))
    assert ends[-1][1] == 1


def test_least_costs_are_concave_and_below_every_cutoff() -> None:
    upper, _ = plot_prices(CURVES[:1])
    r, cost = upper.lines[0].get_xydata().T
    slope = np.diff(cost) / np.diff(r)
    assert (np.diff(slope) <= 1e-12).all()
    vertices = CURVES[0].vertices
    for price, least in zip(r, cost, strict=True):
        all_costs = vertices.error + price * vertices.nonreturn
        assert least == pytest.approx(all_costs.min())


def test_there_must_be_a_curve() -> None:
    refuses("at least one", plot_prices, [])


def test_names_are_literal_and_pictures_can_be_saved(tmp_path: Path) -> None:
    panels = plot_comparison(*CURVES, band=demur.difference_band(A, B))
    save_picture(panels, tmp_path / "a.svg")
    assert "bet$ter_" in (tmp_path / "a.svg").read_text()
    odd = replace(CURVES[0], system="<b>_x$")
    save_picture(plot_prices([odd]), tmp_path / "b.png")
    assert (tmp_path / "b.png").stat().st_size > 5000


def test_the_command_line_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(tmp_path / f"{name}.jsonl") for name in "ab"]
    for outcomes, path in zip((A, B), paths, strict=True):
        demur.write_outcomes(outcomes, path)
    picture = tmp_path / "c.png"
    assert main(["compare", *paths, "--plot", str(picture), "--region", "0.1:0.3"]) == 0
    assert picture.exists()
    said = demur.difference_band(*map(demur.read_outcomes, paths)).sentence()
    assert said in " ".join(capsys.readouterr().out.split())
    prices = tmp_path / "p.pdf"
    assert main(["choose", *paths, "--prices", "--plot", str(prices)]) == 0
    assert prices.exists()


def test_names_that_look_like_formulae_are_shown_literally(tmp_path: Path) -> None:
    odd = [
        replace(curve, system=name)
        for curve, name in zip(CURVES, (r"$\frac{$", r"$\alpha$"), strict=True)
    ]
    panels = plot_comparison(*odd, band=demur.difference_band(A, B))
    save_picture(panels, tmp_path / "odd.svg")
    title = panels[1].get_legend().get_title()
    assert title.get_text().startswith(r"above 0: $\frac{$ is better")
    assert not title.get_parse_math()


def test_systems_of_one_name_keep_their_colours() -> None:
    twins = [replace(curve, system="one") for curve in CURVES]
    _, lower = plot_prices(twins)
    _, apart = plot_prices(CURVES)
    colours = [[line.get_color() for line in ax.lines] for ax in (lower, apart)]
    assert colours[0] == colours[1]


def test_the_region_is_shaded_in_both_panels() -> None:
    panels = plot_comparison(*CURVES, region=(0.1, 0.3))
    for ax in panels:
        spans = [patch.get_x() for patch in ax.patches if patch.get_width() < 0.5]
        assert spans == [0.1]
