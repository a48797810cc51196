"""Fonts for what the usual one cannot write: Chinese, Japanese, Korean, emoji."""

import logging
from collections.abc import Sequence
from functools import cache


def families_for(words: str, families: Sequence[str]) -> list[str]:
    """Font families for some words: the given ones, and those that fill their gaps.

    Parameters
    ----------
    words : str
        What will be drawn.
    families : sequence of str
        As matplotlib names them; the first one that has a character draws it.

    Returns
    -------
    list of str
        A character that no installed font has is drawn as a box.

    Examples
    --------
    >>> families_for("gpt-4", ["sans-serif"])
    ['sans-serif']
    """
    known = tuple(families)
    added = (_having(mark, known) for mark in dict.fromkeys(words) if ord(mark) > 255)
    return list(dict.fromkeys([*known, *filter(None, added)]))


@cache
def _having(mark: str, families: tuple[str, ...]) -> str | None:
    """A family that has a character; None if the given ones do, or none does."""
    from matplotlib.font_manager import FontProperties, findfont, fontManager

    usual = findfont(FontProperties(family=list(families)))
    if ord(mark) in _characters(usual):
        return None
    plain = [
        font
        for font in fontManager.ttflist
        if font.style == "normal" and not font.name.startswith("Last Resort")  # boxes
    ]
    plain.sort(key=lambda font: ("Sans" not in font.name, font.weight != 400))
    for font in plain:
        if ord(mark) in _characters(font.fname) and _draws(font.fname, mark):
            # It may lack a weight that is asked for; nobody can do anything about it.
            logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
            return font.name
    return None


@cache
def _characters(path: str) -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    try:
        return frozenset(FT2Font(path).get_charmap())
    except (RuntimeError, OSError):  # a kind of font that matplotlib does not read
        return frozenset()


def _draws(path: str, mark: str) -> bool:
    """Whether matplotlib can draw with a font; with bitmaps of emoji it cannot."""
    from matplotlib.ft2font import FT2Font

    try:
        font = FT2Font(path)
        font.set_size(12, 72)
        font.load_char(ord(mark))
    except RuntimeError:
        return False
    return True
