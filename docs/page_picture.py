"""Make the picture of the page: ``python docs/page_picture.py`` (needs Chromium)."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from demur.cli import main

HERE = Path(__file__).resolve().parent


def picture() -> None:
    """Run the demo, open its page, and keep the first screen."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        main(["demo", "--output", folder])
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page(viewport={"width": 1180, "height": 800})
        page.goto((Path(folder) / "report.html").as_uri())
        page.locator("#said", has_text="%").wait_for()
        page.screenshot(path=HERE / "images" / "demo-report.png")
        browser.close()


if __name__ == "__main__":
    picture()
