"""Results and pictures say and show what is kept of them: see ``kept.py``."""

from pathlib import Path

import pytest

from kept import PICTURES, RESULTS, alike, texts

pytest.importorskip("matplotlib")

KEPT = sorted((*PICTURES.glob("*.txt"), *RESULTS.glob("*.txt")))


@pytest.fixture(scope="module")
def now() -> dict[Path, list[str]]:
    """What all files hold now."""
    return dict(texts())


def test_all_is_kept_and_nothing_else(now: dict[Path, list[str]]) -> None:
    assert sorted(now) == KEPT


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_it_is_as_it_is_kept(path: Path, now: dict[Path, list[str]]) -> None:
    kept = path.read_text("utf-8").split("\n")[:-1]
    for number, (before, after) in enumerate(zip(kept, now[path], strict=False), 1):
        same = alike(before, after, places=".svg" in path.name)
        assert same, f"{path.name}, line {number}: is it meant? Then tests/kept.py"
    assert len(kept) == len(now[path])
