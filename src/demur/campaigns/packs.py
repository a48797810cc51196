"""What is sent out to the teams, read back: the questions that are asked."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from demur.campaigns.folder import file_sha256
from demur.errors import InputError, ParseError, shown
from demur.files import small_file
from demur.formats.record_reading import iter_json
from demur.outcomes.records import check_once, item_text

PACKED: Final = "questions.jsonl"
DESCRIBED: Final = "pack.json"


@dataclass(frozen=True)
class QuestionPack:
    """The questions of a pack.

    Parameters
    ----------
    path : Path
        Of its folder.
    asked : mapping of item to int
        The items that are asked, each with its line.
    others : mapping of item to str
        Those that are not, such as excluded turns of dialogues, and why.
    about : mapping
        What ``pack.json`` says: the rules that teams must know.
    sha256 : str
        Of the questions.
    """

    path: Path
    asked: Mapping[str, int]
    others: Mapping[str, str]
    about: Mapping[str, Any]
    sha256: str


def read_pack(path: str | os.PathLike[str]) -> QuestionPack:
    """The pack in a folder.

    Raises
    ------
    InputError
        If it is none, or its questions are not those it was made with.
    """
    folder = Path(path)
    if not (folder / PACKED).is_file():
        need, got = f"be a pack, a folder with {PACKED}", "none"
        hint = "The organiser's demur campaign pack makes it."
        raise InputError(str(path), "the pack", need, got, hint)
    about = _about(folder / DESCRIBED)
    digest = file_sha256(folder / PACKED)
    promised = about.get("sha256")
    if promised is not None and promised != digest:
        need, hint = "be as it was sent out", "Fetch the pack again."
        got = f"SHA-256 {digest[:12]} and not {shown(promised)[1:13]}"
        raise InputError(str(folder / PACKED), "the file", need, got, hint)
    asked: dict[str, int] = {}
    others: dict[str, str] = {}
    first: dict[str, str] = {}
    for number, (place, record) in enumerate(iter_json(folder / PACKED), 1):
        item = item_text(record.get("item"), place)
        check_once(item, place, first, "The pack is damaged: fetch it again.")
        why = _not_asked(record)
        if why:
            others[item] = why
        else:
            asked[item] = number
    if not asked:
        raise InputError(str(folder / PACKED), "the pack", "ask something", "nothing")
    return QuestionPack(folder, asked, others, about, digest)


def _not_asked(record: Mapping[str, Any]) -> str:
    """Why a question is not asked; "" if it is."""
    label = str(record.get("class") or "").strip().upper()
    return "it is excluded" if record.get("excluded") is True or label == "X" else ""


def _about(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    try:
        about = json.loads(small_file(path))
    except (OSError, ValueError, RecursionError) as problem:
        raise ParseError(str(path), "the file", "be JSON", str(problem)) from None
    if not isinstance(about, dict):
        raise ParseError(str(path), "the file", "be an object", shown(about))
    return about
