"""Results, pictures, options and pages are what is kept of them: see ``kept.py``."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import kept

pytest.importorskip("matplotlib")


def changes(folder: Path, files: Mapping[str, list[str]]) -> Iterator[str]:
    """The first line of each file that is not as it is kept."""
    for name, now in files.items():
        path = folder / name
        before = path.read_text("utf-8").split("\n")[:-1] if path.exists() else []
        for number, (old, new) in enumerate(zip(before, now, strict=False), 1):
            if not kept.alike(old, new, places=".svg" in name):
                yield f"{name}, line {number}: {old!r} is now {new!r}"
                break
        else:
            if len(before) != len(now):
                yield f"{name}: {len(before)} lines are now {len(now)}"


@pytest.mark.parametrize("folder", kept.ALL, ids=lambda f: f.name)
def test_all_is_as_it_is_kept(folder: Path) -> None:
    files = kept.ALL[folder]()
    assert sorted(files) == sorted(path.name for path in folder.iterdir())
    found = list(changes(folder, files))
    assert not found, "python tests/kept.py, if it is meant"
