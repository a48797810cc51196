"""The notebooks of the docs run as they stand, and each can be taken away."""

import ast
import re
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

import demur

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md")

FACTS = {
    "agent_actions": ["by_kind.parts_withheld < promised.nonreturn / 2"],
    "bot_goes_live": [
        "demur.error_return(everyone).at(cutoff=promised.cutoff).error < 0.05",
        "demur.recheck(lock, second).verdict == 'inconclusive'",
        "broken.verdict == 'broken'",
    ],
    "frame_to_decision": ["comparison.difference.value < 0"],
    "which_module": [
        "max(blame.shares, key=lambda share: share.shapley).name == 'nlu'",
        "{share.name: share.alone for share in blame.shares}['asr'] < 0.1",
    ],
    "which_system": [
        "comparison.difference.p_value < 0.05",
        "min(pair.adjusted_p for pair in three) > 0.05",
        "max(pair.adjusted_p for pair in three) > 0.5",
    ],
}
"""What the words of a notebook say of its numbers."""

notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(text: str) -> list[str]:
    """The code of a notebook, without what is said to those who draw the page."""
    found = re.findall(r"^```\{code-cell\} python\n(.*?)^```$", text, re.S | re.M)
    return [re.sub(r"\A---\n.*?^---\n", "", cell, flags=re.S | re.M) for cell in found]


def compiled(cell: str, name: str) -> tuple[CodeType, CodeType | None]:
    """What a cell does, and the expression at its end, which a notebook shows."""
    body, last = ast.parse(cell).body, None
    if isinstance(body[-1], ast.Expr):
        last = compile(ast.Expression(body.pop().value), name, "eval")
    return compile(ast.Module(body, []), name, "exec"), last


@notebook
def test_a_notebook_runs_and_shows_tables_and_pictures(path, tmp_path, monkeypatch):
    for package in ("matplotlib", "pandas"):
        pytest.importorskip(package)
    from matplotlib.axes import Axes

    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": path.stem}
    shown: list[Any] = []
    for cell in cells(path.read_text("utf-8")):
        code, last = compiled(cell, str(path))
        exec(code, names)
        if last:
            shown.append(eval(last, names))
    results = [each for each in shown if isinstance(each, demur.Result)]
    drawn = [each for each in shown if isinstance(each, Axes | list)]
    assert len(results) >= 3
    assert drawn
    assert all("<table>" in result._repr_html_() for result in results)
    assert not list(tmp_path.iterdir())
    for fact in FACTS[path.stem]:
        assert eval(fact, names), fact


@notebook
def test_a_notebook_is_listed_and_says_what_to_install(path):
    text = path.read_text("utf-8")
    assert f"({path.name})" in (FOLDER / "index.md").read_text("utf-8")
    (command,) = re.findall(
        r"^To run it yourself, type `(pip .*)` first\.$", text, re.M
    )
    assert ("pandas" in command) == ("import pandas" in text)


@notebook
def test_every_picture_of_a_notebook_is_described(path):
    text = path.read_text("utf-8")
    assert text.count("\n    alt: ") == text.count(".plot(") > 0
