"""What tests of the page wait for."""

from typing import Any


def settled(page: Any) -> None:
    """Wait until the page has drawn what was asked of it."""
    page.evaluate(
        "() => new Promise((f) => requestAnimationFrame(() => setTimeout(f)))"
    )


def at_rest(page: Any) -> None:
    """Wait until what follows a change with a delay (counts, address) has followed."""
    settled(page)
    rest = page.locator('body:not([data-pending]), body[data-pending="0"]')
    rest.wait_for(state="attached")
