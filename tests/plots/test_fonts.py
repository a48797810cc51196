"""Names that the usual font cannot write are drawn with one that can."""

import logging
import warnings
from pathlib import Path

import pytest

import demur
from demur.plots import fonts

pytest.importorskip("matplotlib")


@pytest.fixture(autouse=True)
def forgotten() -> None:
    fonts._having.cache_clear()


def test_plain_names_need_no_other_font() -> None:
    assert fonts.families_for("gpt-4 éß $x_1$", ["sans-serif"]) == ["sans-serif"]
    assert fonts.families_for("Ωλ√", ["DejaVu Sans"]) == ["DejaVu Sans"]


def test_a_missing_character_is_taken_from_a_font_that_has_it() -> None:
    from matplotlib.font_manager import findfont, fontManager

    usual = fonts._characters(findfont("DejaVu Sans"))
    names = {font.name for font in fontManager.ttflist if "Last" not in font.name}
    stix = fonts._characters(findfont("STIXGeneral"))
    (mark, *_) = (chr(code) for code in sorted(stix - usual) if code > 255)
    first, second = fonts.families_for(f"a {mark}", ["DejaVu Sans"])
    assert first == "DejaVu Sans"
    assert second in names
    assert ord(mark) in fonts._characters(findfont(second))


def test_what_no_font_has_is_drawn_as_a_box_without_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from matplotlib.font_manager import fontManager

    only = [font for font in fontManager.ttflist if font.name == "DejaVu Sans"]
    monkeypatch.setattr(fontManager, "ttflist", only)
    assert fonts.families_for("通义", ["sans-serif"]) == ["sans-serif"]
    outcomes = demur.Outcomes.from_arrays(
        system="通义 🦙", correct=[True, False], confidence=[0.9, 0.2]
    )
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.filterwarnings("ignore", "Glyph .* missing")  # while it is laid out
        axes = demur.plot_curves(demur.error_return(outcomes))
        warnings.simplefilter("error")
        demur.save_picture(axes, tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 1000
    assert not caplog.records


def test_fonts_that_matplotlib_cannot_read_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.ttf"
    path.write_bytes(b"no font")
    assert fonts._characters(str(path)) == frozenset()
    assert not fonts._draws(str(path), "a")
