"""What tests of the page wait for."""

from typing import Any


def settled(page: Any) -> None:
    """Wait until the page has drawn what was asked of it."""
    page.evaluate(
        "() => new Promise((f) => requestAnimationFrame(() => setTimeout(f)))"
    )
