"""A browser for the tests of the page."""

import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM:
        pytest.skip("there is no chromium on this machine")
    with sync_api.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        # Else every vertex that a test looks at waits for the screen.
        flags += ["--disable-frame-rate-limit", "--disable-gpu-vsync"]
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield running
        running.close()


@pytest.fixture
def look(browser):
    """Open a page, and see to it that nothing goes wrong and nothing is asked for."""
    contexts, wrong = [], []

    def at(path, fragment="", **options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(f"dialog {dialog.message}"))
        page.on(
            "console",
            lambda said: said.type == "error" and wrong.append(said.text),
        )
        address = path.as_uri()
        page.on(
            "request",
            lambda asked: (
                asked.url.partition("#")[0] != address and wrong.append(asked.url)
            ),
        )
        page.goto(address + fragment)
        return page

    yield at
    for context in contexts:
        context.close()
    assert wrong == []
