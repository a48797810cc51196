"""Target dialogues out of logs: plain texts with acts, and Wizard-of-Oz sessions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from demur.checks import choice, names_shown
from demur.errors import ParseError, shown
from demur.formats.reading import iter_records, names_formats
from demur.formats.streams import MAX_SIZE, read_lines
from demur.pipelines.target_dialogues import (
    CHANGES,
    TargetDialogue,
    TargetTurn,
    TurnChange,
)

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
    name = getattr(path, "name", path)
    where = "text" if hasattr(path, "read") else str(name)
    reader = _ActText(where, modules, user)
    for number, line in enumerate(read_lines(path, max_size=max_size), 1):
        reader.read(number, line.strip())
    reader.finish()
    if not reader.dialogues:
        raise ParseError(where, "the text", "hold a dialogue", "none", "See its form.")
    return reader.dialogues


class _ActText:
    """Reads a text line by line."""

    def __init__(self, where: str, modules: Sequence[str], user: str) -> None:
        self.where, self.modules, self.user = where, modules, user
        self.dialogues: list[TargetDialogue] = []
        self._turns: list[_LoggedTurn] = []
        self._acts: list[Any] | None = None
        self._title = self._place = ""

    def read(self, number: int, text: str) -> None:
        """Read one line."""
        here = f"{self.where}:{number}"
        named = re.fullmatch(r"#\s*dialogue\s+(.+)", text)
        if named or not text:
            self.finish()
        if named:
            self._title, self._place = named[1].strip(), here
        if not text or text.startswith("#"):
            return
        self._place = self._place or here
        if text.startswith("~"):
            self._act(here, text)
        else:
            self._utterance(here, text)

    def _act(self, here: str, text: str) -> None:
        act = text[1:].strip()
        if self._acts is None or not act:
            hint = "Write the utterance above its act."
            need = "be below an utterance"
            raise ParseError(here, "an act", need, shown(text), hint)
        self._acts.append(act)

    def _utterance(self, here: str, text: str) -> None:
        spoken = _SPEAKER.fullmatch(text)
        if spoken is None:
            need = "begin with a speaker and a colon, ~ or #"
            hint = "Write user: TEXT, and ~ ACT below it."
            raise ParseError(here, "a line", need, shown(text), hint)
        if spoken["who"].strip().lower() == self.user.lower():
            self._turns.append(_LoggedTurn(spoken["text"]))
            self._acts = self._turns[-1].user
            return
        turn = _last(here, self._turns, self.user, text)
        turn.answered = True
        self._acts = turn.system

    def finish(self) -> None:
        """End a dialogue, if one has begun."""
        if self._turns:
            own = self._title or f"d{len(self.dialogues) + 1}"
            if any(own == each.dialogue for each in self.dialogues):
                what, hint = "a dialogue", "Name dialogues apart."
                raise ParseError(self._place, what, "stand once", shown(own), hint)
            # Where nobody answers, the user's act has silence as its target.
            made = [each.made(self.modules, silence=True) for each in self._turns]
            self.dialogues.append(TargetDialogue(own, made, (), self._place))
        elif self._title:
            what, hint = f"dialogue {self._title}", "Write user: TEXT below it."
            raise ParseError(self._place, what, "have a turn", "none", hint)
        self._turns, self._acts, self._title, self._place = [], None, "", ""


@dataclass(slots=True)
class _LoggedTurn:
    """What was said in a turn of a log."""

    input: Any
    user: list[Any] = field(default_factory=list)
    system: list[Any] = field(default_factory=list)
    changes: list[TurnChange] = field(default_factory=list)
    answered: bool = False
    removed: bool = False

    def made(self, modules: Sequence[str], *, silence: bool) -> TargetTurn:
        """The turn with the acts as targets of two modules."""
        first, second = modules
        target: dict[str, Any] = {}
        if self.user:
            target[first] = self.user[0] if len(self.user) == 1 else self.user
        if self.answered or silence:
            target[second] = self.system
        return TargetTurn(input=self.input, target=target, changes=self.changes)


def _last(
    place: str, turns: Sequence[_LoggedTurn], user: str, said: str
) -> _LoggedTurn:
    """The turn that an utterance of the system answers."""
    if not turns:
        need, hint = "speak after the user", f"A dialogue begins with {user}."
        raise ParseError(place, "the system", need, shown(said), hint)
    return turns[-1]


_OF_WIZARD: Final = (
    "dialogue",
    "speaker",
    "text",
    "acts",
    "change",
    "why",
    "was",
)


@names_formats
def read_wizard_log(
    path: Any,
    *,
    modules: Sequence[str] = ("nlu", "dm"),
    user: str = "user",
    max_size: int = MAX_SIZE,
) -> list[TargetDialogue]:
    r"""Target dialogues of a Wizard-of-Oz log, with a mark on what was changed and why.

    One record for each utterance, in order: ``dialogue``, ``speaker``, ``text``,
    ``acts`` (one, or a list), and where the log was changed ``change`` (removed,
    reordered, inserted, clarification, corrected), ``why``, and perhaps ``was``, what
    stood there before.

    Parameters
    ----------
    path : path, "-" for the standard input, or binary file
        FORMATS.
    modules : (str, str)
        Whose targets are the acts of the user, and those of the wizard.
    user : str
        What the user is called; whoever else speaks is the wizard.
    max_size : int
        As for `read_outcomes`.

    Returns
    -------
    list of TargetDialogue
        A turn of the user that was removed, with what the wizard said to it, stands
        under ``removed``. An utterance of the wizard that was removed is left out of
        the target, and its turn says so.

    Raises
    ------
    InputError
        If a record is not as above, or the wizard speaks first, naming the line.

    Examples
    --------
    >>> import io, demur
    >>> log = io.BytesIO(
    ...     b'{"dialogue": "d1", "speaker": "user", "text": "hi", "acts": "greet"}\n'
    ...     b'{"dialogue": "d1", "speaker": "wizard", "acts": ["greet.back"]}\n'
    ...     b'{"dialogue": "d1", "speaker": "wizard", "acts": ["joke"],'
    ...     b' "change": "removed", "why": "the character tells no jokes"}\n')
    >>> [dialogue] = demur.read_wizard_log(log)
    >>> dialogue.turns[0].target["dm"], dialogue.turns[0].changes[0].what
    (['greet.back'], 'removed')
    """
    found: dict[str, tuple[str, list[_LoggedTurn]]] = {}
    for place, record in iter_records(path, max_size=max_size):
        for name in record:
            choice(place, "a field", name, _OF_WIZARD)
        dialogue = _word(place, record, "dialogue")
        turns = found.setdefault(dialogue, (place, []))[1]
        _add_utterance(place, record, turns, user)
    dialogues = []
    for name, (place, turns) in found.items():
        kept, gone = (
            [t.made(modules, silence=False) for t in turns if t.removed is gone]
            for gone in (False, True)
        )
        if not kept:
            hint = "All its turns are marked as removed."
            raise ParseError(place, f"dialogue {name}", "keep a turn", "none", hint)
        dialogues.append(TargetDialogue(name, kept, gone, place))
    return dialogues


def _add_utterance(
    place: str, record: Mapping[str, Any], turns: list[_LoggedTurn], user: str
) -> None:
    speaker = _word(place, record, "speaker")
    acts = _acts(place, record.get("acts"))
    changes = _changed(place, record, acts)
    removed = any(each.what == "removed" for each in changes)
    if speaker.lower() == user.lower():
        if record.get("text") is None:
            hint = "It is what the user said."
            raise ParseError(place, "text", "be there", "nothing", hint)
        turn = _LoggedTurn(record["text"], user=acts, changes=changes, removed=removed)
        turns.append(turn)
        return
    turn = _last(place, turns, user, speaker)
    turn.changes += changes
    if not removed:
        turn.answered = True
        turn.system += acts


def _word(place: str, record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        hint = f"Each record has {names_shown(('dialogue', 'speaker', 'acts'))}."
        raise ParseError(place, name, "be a name", shown(value), hint)
    return str(value)


def _acts(place: str, value: Any) -> list[Any]:
    if value is None or value == "":
        return []
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        hint = 'Write "greet" or ["greet", "ask"].'
        raise ParseError(place, "acts", "be an act or a list", shown(value), hint)
    return value


def _changed(
    place: str, record: Mapping[str, Any], acts: Sequence[Any]
) -> list[TurnChange]:
    what = record.get("change")
    if what in (None, ""):
        if record.get("why"):
            hint = f"Say what was done: {', '.join(CHANGES)}."
            raise ParseError(place, "change", "stand with why", "nothing", hint)
        return []
    choice(place, "change", what, CHANGES)
    why = record.get("why")
    if not isinstance(why, str) or not why.strip():
        hint = "Say why the log was changed."
        raise ParseError(place, "why", "be a text", shown(why), hint)
    was = record.get("was")
    if was is None and what == "removed":
        was = {"text": record.get("text"), "acts": list(acts)}
    return [TurnChange(str(what), why, was)]
