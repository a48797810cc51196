"""Pictures and pages as a browser shows them; skipped where there is no Chromium."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import demur
from demur import save_picture

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(
    not CHROMIUM, reason="there is no chromium on this machine"
)


@needs_chromium
def test_a_picture_in_svg_shows_the_curve(tmp_path: Path) -> None:
    image = pytest.importorskip("matplotlib.image")
    from demur import plot_curves

    rng = np.random.default_rng(3)
    confidence = rng.random(200)
    outcomes = demur.Outcomes.from_arrays(
        system="<b>&amp; $x_1$",
        correct=rng.random(200) < confidence,
        confidence=confidence,
    )
    picture, screen = tmp_path / "curve.svg", tmp_path / "screen.png"
    save_picture(plot_curves(demur.error_return(outcomes)), picture)
    subprocess.run(
        [
            str(CHROMIUM),
            *("--headless", "--no-sandbox", "--disable-gpu"),
            *("--disable-background-networking", "--window-size=900,700"),
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--screenshot={screen}",
            picture.as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    pixels = image.imread(screen)[..., :3]
    dark = (pixels < 0.5).all(axis=2)
    # Axes, words and a curve: some ink, spread out, on a mostly white page.
    assert 0.002 < dark.mean() < 0.2
    rows, columns = np.nonzero(dark)
    assert np.ptp(rows) > 250
    assert np.ptp(columns) > 350
