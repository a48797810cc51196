"""Asides, lists and tables, as replies write them."""

import json
import re
from typing import Any, Final

from demur.answers.sentences import STOP, bare
from demur.outcomes.value_kinds import is_numeral

# -- asides and lists ------------------------------------------------------------------

_ASIDE: Final = re.compile(
    r"(?:(?:(?<=[\w\]])|\s+)\[\d+\]|\s+\((?P<inner>[^()]*)\)"
    r"|\s*\uff08(?P<wide>[^\uff08\uff09]*)\uff09)\s*\.?\s*\Z"
)
_DOUBTED: Final = re.compile(
    r"\b(?:or|maybe|perhaps|possibly|probably|alternatively|not|but|unless|if|sure)\b"
    r"|[?+*/=]",
    re.IGNORECASE,
)


def without_aside(text: str) -> str | None:
    """What stands before brackets at the end, unless they hold another answer."""
    shorter = text
    while aside := _ASIDE.search(shorter[-_LONGEST_ASIDE:]):
        if _DOUBTED.search(aside["inner"] or aside["wide"] or ""):
            break
        shorter = shorter[: len(shorter) - len(aside[0])].rstrip()
        if not shorter:
            return None
    return shorter if shorter != text else None


_LONGEST_ASIDE: Final = 200
_ENTRY: Final = re.compile(r"[ \t]*(?:[-*\u2022\u2013]|\d{1,2}[.)])[ \t]+(.+)")
_LEAD: Final = re.compile(
    r"(?:[^:;,]{1,80}:|(?:the|they|these|those|both)\b[^:;,]{0,60}?"
    r"\b(?:are|were|is|was|includ(?:ed?|es)))\s+",
    re.IGNORECASE,
)
_LAST_OF_LIST: Final = re.compile(r",?\s+(?:and|&|as well as)\s+")
_MOST_ENTRIES, _MOST_WORDS = 500, 8


def listed_texts(text: str) -> list[str] | None:
    """Entries of a list: bulleted or numbered lines, lines, or parts of a sentence."""
    lines = [line for line in text.splitlines() if line.strip()][: _MOST_ENTRIES + 1]
    entries = [entry[1] for line in lines if (entry := _ENTRY.fullmatch(line))]
    if not entries:
        entries = lines if len(lines) > 1 else _parts("".join(lines))
    entries = [bare(entry) for entry in entries]
    fit = all(0 < len(entry.split()) <= _MOST_WORDS for entry in entries)
    sentences = any(STOP.search(entry) for entry in entries)
    long = len(entries) > _MOST_ENTRIES
    return entries if entries and fit and not sentences and not long else None


def _parts(line: str) -> list[str]:
    """The parts of a sentence that lists them, without what leads to them."""
    lead = _LEAD.match(line)
    line = line[lead.end() :] if lead else line
    if ";" in line:
        return [part for part in line.split(";") if part.strip()]
    parts = re.split(r",(?!\d{3}\b)\s*", line)
    *rest, last = [part for part in parts if part.strip()] or [""]
    last = re.sub(r"^and\s+", "", last.strip())
    return [*rest, *_LAST_OF_LIST.split(last)] if last else rest


# -- tables --------------------------------------------------------------------------

_RULE: Final = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_CELLS: Final = re.compile(r"(?<!\\)\|")
_NULLS: Final = frozenset(("", "null", "nil", "none", "n/a"))


def last_table(text: str) -> list[list[Any]] | None:
    """The rows of the last Markdown table, below its head."""
    lines = text.splitlines()
    for at in range(len(lines) - 1, 0, -1):
        head = lines[at - 1]
        if "|" in head and "-" in lines[at] and _RULE.fullmatch(lines[at]):
            width = len(_cells(head))
            if width != len(_cells(lines[at])):
                continue
            rows = []
            for line in lines[at + 1 :]:
                if "|" not in line:
                    break
                cells = [_cell(cell) for cell in _cells(line)[:width]]
                rows.append(cells + [None] * (width - len(cells)))
            return rows
    return None


def _cells(line: str) -> list[str]:
    return _CELLS.split(line.strip().removeprefix("|").removesuffix("|"))


def _cell(text: str) -> Any:
    """A cell as a number, if it is one as JSON writes them; as text; or as nothing."""
    text = bare(text.replace("\\|", "|"))
    if text.casefold() in _NULLS:
        return None
    if not is_numeral(text):
        return text
    return json.loads(text.replace("\u2212", "-"))
