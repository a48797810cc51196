"""What is sent out to the teams, read back: the questions that are asked."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from demur.campaigns.folder import file_sha256
from demur.campaigns.rules import ScoringRules
from demur.errors import InputError, ParseError, shown
from demur.files import small_file
from demur.formats.record_reading import iter_json
from demur.outcomes.contexts import dialogue_turns, in_context

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

    @property
    def context(self) -> str:
        """The rule of when context is reset."""
        return _context_rule(self.about)

    @property
    def measure(self) -> str:
        """What ranks; "" if the pack does not say."""
        return str(_scoring_rule(self.about, "measure") or "")


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
    turns = in_context(dialogue_turns(iter_json(folder / PACKED)), _context_rule(about))
    asked = {one.turn.item: at for at, one in enumerate(turns, 1) if one.is_asked}
    others = {one.turn.item: one.reason for one in turns if not one.is_asked}
    if not asked:
        raise InputError(str(folder / PACKED), "the pack", "ask something", "nothing")
    return QuestionPack(folder, asked, others, about, digest)


def _scoring_rule(about: Mapping[str, Any], name: str) -> Any:
    """A rule of scoring, as the pack says it; None if it does not."""
    held: Any = about
    for key in ("rules", "scoring", name):
        held = held.get(key) if isinstance(held, dict) else None
    return held


def _context_rule(about: Mapping[str, Any]) -> str:
    """The rule of when context is reset, as the pack says it."""
    held = _scoring_rule(about, "context")
    return ScoringRules.context if held is None else str(held)


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
