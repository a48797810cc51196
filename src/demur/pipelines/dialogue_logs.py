"""Target dialogues out of logs: plain texts with acts, and Wizard-of-Oz sessions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from demur.checks import choice, names_shown
from demur.errors import ParseError, shown
from demur.formats.reading import iter_records, read_lines
from demur.formats.streams import MAX_SIZE
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
    first, second = modules
    dialogues: list[TargetDialogue] = []
    turns: list[dict[str, Any]] = []
    title, place, said = "", "", ""

    def finish() -> None:
        nonlocal title
        if turns:
            own = title or f"d{len(dialogues) + 1}"
            if any(own == each.dialogue for each in dialogues):
                hint = "Name dialogues apart."
                raise ParseError(place, "a dialogue", "stand once", shown(own), hint)
            made = [_text_turn(each, first, second) for each in turns]
            dialogues.append(TargetDialogue(own, made, (), place))
        elif title:
            hint = "Write user: TEXT below it."
            raise ParseError(place, f"dialogue {title}", "have a turn", "none", hint)
        turns.clear()
        title = ""

    for number, line in enumerate(read_lines(path, max_size=max_size), 1):
        text, here = line.strip(), f"{where}:{number}"
        if not text or text.startswith("#"):
            named = re.fullmatch(r"#\s*dialogue\s+(.+)", text)
            if named or not text:
                finish()
                said = ""
            if named:
                title, place = named[1].strip(), here
            continue
        place = place if turns or title else here
        if text.startswith("~"):
            act = text[1:].strip()
            if not said or not act:
                hint = "Write the utterance above its act."
                raise ParseError(
                    here, "an act", "be below an utterance", shown(line), hint
                )
            turns[-1][said].append(act)
            continue
        spoken = _SPEAKER.fullmatch(text)
        if spoken is None:
            must = "begin with a speaker and a colon, ~ or #"
            hint = "Write user: TEXT, and ~ ACT below it."
            raise ParseError(here, "a line", must, shown(line), hint)
        if spoken["who"].strip().lower() == user.lower():
            turns.append(
                {"input": spoken["text"], "user": [], "system": [], "any": False}
            )
            said = "user"
            continue
        if not turns:
            hint = f"A dialogue begins with {user}: TEXT."
            must = "speak after the user"
            raise ParseError(here, "the system", must, shown(line), hint)
        turns[-1]["any"] = True
        said = "system"
    finish()
    if not dialogues:
        raise ParseError(where, "the text", "hold a dialogue", "none", "See its form.")
    return dialogues


def _text_turn(turn: Mapping[str, Any], first: str, second: str) -> TargetTurn:
    target: dict[str, Any] = {}
    if turn["user"]:
        acts = turn["user"]
        target[first] = acts[0] if len(acts) == 1 else acts
    if turn["system"] or not turn["any"]:
        target[second] = turn["system"]
    return TargetTurn(input=turn["input"], target=target)


_OF_WIZARD: Final = (
    "dialogue",
    "speaker",
    "text",
    "acts",
    "change",
    "why",
    "was",
)


def read_wizard_log(
    path: Any,
    *,
    modules: Sequence[str] = ("nlu", "dm"),
    user: str = "user",
    max_size: int = MAX_SIZE,
) -> list[TargetDialogue]:
    r"""Target dialogues of a Wizard-of-Oz log, with a mark on what was changed and why.

    One record (JSON Lines, CSV, Parquet) for each utterance, in order: ``dialogue``,
    ``speaker``, ``text``, ``acts`` (one, or a list), and where the log was changed
    ``change`` (removed, reordered, inserted, clarification, corrected), ``why``, and
    perhaps ``was``, what stood there before.

    Parameters
    ----------
    path : path, "-" for the standard input, or binary file
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
    first, second = modules
    found: dict[str, tuple[str, list[dict[str, Any]]]] = {}
    for place, record in iter_records(path, max_size=max_size):
        for name in record:
            choice(place, "a field", name, _OF_WIZARD)
        dialogue = _word(place, record, "dialogue")
        speaker = _word(place, record, "speaker")
        acts = _acts(place, record.get("acts"))
        changes = _changed(place, record)
        if changes:
            changes[0] = TurnChange(
                changes[0].what,
                changes[0].why,
                record.get("was")
                if record.get("was") is not None
                else _was(record, acts),
            )
        turns = found.setdefault(dialogue, (place, []))[1]
        removed = any(each.what == "removed" for each in changes)
        if speaker.lower() == user.lower():
            text = record.get("text")
            if text is None:
                hint = "It is what the user said."
                raise ParseError(place, "text", "be there", "nothing", hint)
            turns.append(
                {
                    "input": text,
                    "user": acts,
                    "system": [],
                    "any": False,
                    "changes": changes,
                    "removed": removed,
                }
            )
            continue
        if not turns:
            must = "speak after the user"
            hint = f"A dialogue begins with the speaker {user}."
            raise ParseError(place, "the wizard", must, shown(speaker), hint)
        turns[-1]["changes"] += changes
        if not removed:
            turns[-1]["any"] = True
            turns[-1]["system"] += acts
    dialogues = []
    for name, (place, turns) in found.items():
        made = [_wizard_turn(each, first, second) for each in turns]
        kept = [t for t, each in zip(made, turns, strict=True) if not each["removed"]]
        gone = [t for t, each in zip(made, turns, strict=True) if each["removed"]]
        if not kept:
            hint = "All its turns are marked as removed."
            raise ParseError(place, f"dialogue {name}", "keep a turn", "none", hint)
        dialogues.append(TargetDialogue(name, kept, gone, place))
    return dialogues


def _wizard_turn(turn: Mapping[str, Any], first: str, second: str) -> TargetTurn:
    target: dict[str, Any] = {}
    if turn["user"]:
        acts = turn["user"]
        target[first] = acts[0] if len(acts) == 1 else acts
    if turn["any"]:
        target[second] = list(dict.fromkeys(map(_hashable, turn["system"])))
    return TargetTurn(input=turn["input"], target=target, changes=turn["changes"])


def _hashable(act: Any) -> Any:
    return tuple(act) if isinstance(act, list) else act


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


def _changed(place: str, record: Mapping[str, Any]) -> list[TurnChange]:
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
    return [TurnChange(str(what), why)]


def _was(record: Mapping[str, Any], acts: Iterable[Any]) -> Any:
    """What stood in the log, of an utterance that was removed."""
    if record.get("change") != "removed":
        return None
    return {"text": record.get("text"), "acts": list(acts)}
