"""Hold the built pages against a phone: nothing scrolls sideways at 400 pixels.

Usage: python docs/phone.py docs/_build/html

Without Chromium or Playwright it says so and ends well.
"""

import shutil
import sys
from pathlib import Path
from typing import Any, Final

WIDE: Final = """() => {
    const wide = [...document.querySelectorAll(
        "article pre, article table, article .table-wrapper, article img")]
        .filter(one => one.scrollWidth > one.clientWidth + 2
            && getComputedStyle(one).overflowX !== "visible"
            || one.getBoundingClientRect().right > innerWidth + 2);
    const page = document.documentElement.scrollWidth;
    return [page, wide.map(one => one.tagName + ": " + one.textContent.slice(0, 60))];
}"""
WIDTH: Final = 400


def wider(view: Any, page: Path) -> str:
    """What of a page is wider than a phone; empty if nothing is."""
    view.set_viewport_size({"width": WIDTH, "height": 800})
    view.goto(page.as_uri(), wait_until="load")
    width, parts = view.evaluate(WIDE)
    if width <= WIDTH + 2 and not parts:
        return ""
    return f"{page.name}: {width} pixels wide on a phone; {', '.join(parts)}\n"


def main(folder: str) -> int:
    """1 if a page is wider than a phone; each is named."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        sys.stdout.write("docs/phone.py: no Chromium or Playwright, nothing is seen\n")
        return 0
    pages = sorted(Path(folder).resolve().rglob("*.html"))
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        view = browser.new_page()
        lines = [wider(view, page) for page in pages]
        browser.close()
    sys.stdout.writelines(lines)
    return int(any(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
