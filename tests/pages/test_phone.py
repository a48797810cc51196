"""``docs/phone.py`` holds the built docs against a phone; here that it can fail."""

import importlib.util
from pathlib import Path

import pytest

PHONE = Path(__file__).parents[2] / "docs/phone.py"


@pytest.mark.parametrize(
    ("inside", "wide"),
    [
        ("<p>Words that go on below.</p>", 0),
        ("<pre>" + "x" * 300 + "</pre>", 1),
        ("<table><td>" + "<td>number".join("123456789") + "</table>", 1),
        ('<div style="overflow-x: auto"><img width="900" height="9"></div>', 1),
        (f'<p style="white-space: nowrap">{"word " * 90}</p>', 1),
    ],
)
def test_a_page_that_scrolls_sideways_is_named(browser, tmp_path, inside, wide):
    spec = importlib.util.spec_from_file_location("phone", PHONE)
    phone = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(phone)
    head = '<meta name="viewport" content="width=device-width">'
    style = "<style>pre { overflow-x: auto }</style>"
    page = tmp_path / "page.html"
    page.write_text(f"<!DOCTYPE html>{head}{style}<article>{inside}</article>")
    view = browser.new_page()
    assert phone.wider(view, page).startswith("page.html: ") == bool(wide)
    view.close()
