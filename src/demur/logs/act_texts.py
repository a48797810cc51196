"""Target dialogues of plain texts, the acts of each utterance below it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from demur.errors import ParseError, shown
from demur.formats.streams import MAX_SIZE
from demur.formats.text_lines import read_lines
from demur.logs.logged_turns import LoggedTurn, SpokenLog
from demur.logs.readers import ReadLog, noted
from demur.outcomes.target_dialogues import TargetDialogue

_SPEAKER = re.compile(r"(?P<who>[^\s:~#][^:~]*):\s*(?P<text>.*)")


def read_act_text(
    path: Any,
    *,
    modules: Sequence[str] = ("nlu", "dm"),
    user: str = "user",
    max_size: int = MAX_SIZE,
) -> list[TargetDialogue]:
    r"""Target dialogues of a text with the act of each utterance below it.

    ::

        # dialogue d1
        user: who took the painting?
        ~ whq.thief.name
        porter: Why should I tell you?
        ~ elicit-offer.secrecy

    A line with an utterance begins with its speaker and a colon, one with an act by
    ``~``; an utterance may have several acts. ``# dialogue NAME`` or an empty line
    begins a new dialogue, any other line with ``#`` is a remark.

    Parameters
    ----------
    path : path, "-" for the standard input, or binary file
    modules : (str, str)
        Whose targets are the acts of the user, and those of the system.
    user : str
        What the user is called; whoever else speaks is the system.
    max_size : int
        As for `read_outcomes`.

    Returns
    -------
    list of TargetDialogue
        The target of the first module is one act, or a list of several; that of the
        second is a list, empty if the system says nothing. A user's utterance without
        an act has no target.

    Raises
    ------
    InputError
        If a line is none of these, or the system speaks first, naming the line.

    Examples
    --------
    >>> import io, demur
    >>> text = b"user: hello\n~ greet\nporter: Good evening.\n~ greet.back\n"
    >>> [dialogue] = demur.read_act_text(io.BytesIO(text))
    >>> dialogue.turns[0].input, dialogue.turns[0].target
    ('hello', {'nlu': 'greet', 'dm': ['greet.back']})
    """
    reader = ActText(modules=modules, user=user)
    return reader.read(path, max_size=max_size).dialogues


@dataclass(frozen=True, repr=False)
class ActText(SpokenLog):
    """The reader behind `read_act_text`; its options are those of `SpokenLog`."""

    name: ClassVar[str] = "acts"

    def read_log(self, path: Any, max_size: int) -> ReadLog:
        """The dialogues of a text."""
        name = getattr(path, "name", path)
        where = "text" if hasattr(path, "read") else str(name)
        lines = _TextLines(where, self)
        for number, line in enumerate(read_lines(path, max_size=max_size), 1):
            lines.read(number, line.strip())
        lines.finish()
        if not lines.dialogues:
            hint = "See its form."
            raise ParseError(where, "the text", "hold a dialogue", "none", hint)
        return ReadLog(lines.dialogues, noted(self.without_response(lines.turns)))


class _TextLines:
    """Reads a text line by line."""

    def __init__(self, where: str, log: ActText) -> None:
        self.where, self.log = where, log
        self.dialogues: list[TargetDialogue] = []
        self.turns: list[LoggedTurn] = []
        self._turns: list[LoggedTurn] = []
        self._acts: list[Any] | None = None  # of the utterance that was read last
        self._title = self._place = ""

    def read(self, number: int, text: str) -> None:
        """Read one line."""
        here = f"{self.where}:{number}"
        title = re.fullmatch(r"#\s*dialogue\s+(.+)", text)
        if title or not text:
            self.finish()
        if title:
            self._title, self._place = title[1].strip(), here
        if not text or text.startswith("#"):
            return
        self._place = self._place or here
        if text.startswith("~"):
            self._add_act(here, text)
        else:
            self._add_utterance(here, text)

    def _add_act(self, here: str, text: str) -> None:
        act = text[1:].strip()
        if self._acts is None or not act:
            hint = "Write the utterance above its act."
            need = "be below an utterance"
            raise ParseError(here, "an act", need, shown(text), hint)
        self._acts.append(act)

    def _add_utterance(self, here: str, text: str) -> None:
        spoken = _SPEAKER.fullmatch(text)
        if spoken is None:
            need = "begin with a speaker and a colon, ~ or #"
            hint = "Write user: TEXT, and ~ ACT below it."
            raise ParseError(here, "a line", need, shown(text), hint)
        if self.log.is_user(spoken["who"].strip()):
            self._turns.append(LoggedTurn(spoken["text"]))
            self._acts = self._turns[-1].user
            return
        turn = self.log.last_turn(here, self._turns, text)
        turn.answered = True
        self._acts = turn.system

    def finish(self) -> None:
        """End a dialogue, if one has begun."""
        if self._turns:
            title = self._title or f"d{len(self.dialogues) + 1}"
            if any(title == dialogue.dialogue for dialogue in self.dialogues):
                what, hint = "a dialogue", "Name dialogues apart."
                raise ParseError(self._place, what, "stand once", shown(title), hint)
            turns = [self.log.target_turn(turn) for turn in self._turns]
            self.turns += self._turns
            self.dialogues.append(TargetDialogue(title, turns, (), self._place))
        elif self._title:
            what, hint = f"dialogue {self._title}", "Write user: TEXT below it."
            raise ParseError(self._place, what, "have a turn", "none", hint)
        self._turns, self._acts, self._title, self._place = [], None, "", ""
