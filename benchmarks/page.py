"""How long a page takes to open, how large it is, and how smoothly its cutoff moves.

Needs Chromium. Run::

    python benchmarks/page.py
"""

import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright

import demur

SIZES = ((13, 6_000), (100, 10_000))

_DRAG = """
async () => {
  const plot = document.getElementById("explore-plot");
  const box = plot.getBoundingClientRect();
  plot.setPointerCapture = () => {};
  plot.hasPointerCapture = () => true;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const start = performance.now();
  let frames = 0;
  while (performance.now() - start < 3000) {
    const x = box.left + 70 + (box.width - 90) * Math.abs(Math.sin(frames / 37));
    const move = { clientX: x, clientY: box.top + 50, pointerId: 1 };
    plot.dispatchEvent(new PointerEvent("pointermove", move));
    await frame();
    frames++;
  }
  return frames / ((performance.now() - start) / 1000);
}
"""


def outcomes(n_systems: int, n_items: int) -> demur.Outcomes:
    """Systems of different skill, each row with a question and an answer."""
    draw, n = np.random.default_rng(0), n_systems * n_items
    confidence = draw.random(n)
    skill = np.repeat(draw.random(n_systems), n_items)
    item = np.tile(np.arange(n_items), n_systems)
    return demur.Outcomes.from_arrays(
        item=item,
        system=np.repeat([f"s{k:03d}" for k in range(n_systems)], n_items),
        correct=draw.random(n) < 0.3 + 0.4 * confidence + 0.2 * skill,
        confidence=confidence,
        input=[f"question number {k}, about something or other" for k in item],
        response=[f"answer {value:.4f}" for value in confidence],
    )


def opened(browser: Browser, path: Path) -> tuple[float, float]:
    """Seconds until the last part of the page is there, and frames a second."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    start = time.perf_counter()
    page.goto(path.as_uri())
    page.locator("#place", has_text="items").wait_for()
    seconds = time.perf_counter() - start
    frames = page.evaluate(_DRAG)
    page.close()
    return seconds, frames


def main() -> None:
    """Measure, and print a table."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    print("systems  items  made in s    MB  opens in s  frames a second")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        for n_systems, n_items in SIZES:
            table, path = outcomes(n_systems, n_items), Path(folder) / "page.html"
            start = time.perf_counter()
            page = demur.report(table, path=path)
            made = time.perf_counter() - start
            found = sorted(opened(browser, path) for _ in range(3))[1]
            print(
                f"{n_systems:7} {n_items:6} {made:10.1f} {page.size / 1e6:5.1f} "
                f"{found[0]:11.2f} {found[1]:16.0f}"
            )
        browser.close()


if __name__ == "__main__":
    main()
