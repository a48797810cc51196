"""Pictures stay as they are kept: their data, their SVG, and what matplotlib draws."""

from typing import Any

import pytest

from kept_pictures import KEPT, alike, texts_of
from picture_cases import pictures

pytest.importorskip("matplotlib")

NAMES = sorted({path.name.split(".")[0] for path in KEPT.glob("*.txt")})


@pytest.fixture(scope="module")
def drawn_now() -> dict[str, Any]:
    return pictures()


def test_every_picture_is_kept(drawn_now: dict[str, Any]) -> None:
    assert sorted(drawn_now) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_as_it_is_kept(name: str, drawn_now: dict[str, Any]) -> None:
    for file, lines in texts_of(name, drawn_now[name]).items():
        kept = (KEPT / file).read_text("utf-8").split("\n")[:-1]
        for number, (before, now) in enumerate(zip(kept, lines, strict=False), 1):
            hint = f"{file}, line {number}: python tests/kept_pictures.py"
            assert alike(before, now, places=".svg" in file), hint
        assert len(kept) == len(lines), file
