"""Target dialogues of Wizard-of-Oz sessions, with what was changed and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.checks import choice, names_shown
from demur.errors import ParseError, shown
from demur.formats.reading import names_formats
from demur.formats.record_reading import iter_records
from demur.formats.streams import MAX_SIZE
from demur.logs.logged_turns import LEFT_OUT, LoggedTurn, SpokenLog
from demur.logs.readers import ReadLog, noted
from demur.outcomes.target_dialogues import CHANGES, TargetDialogue, TurnChange

_FIELDS: Final = ("dialogue", "speaker", "text", "acts", "change", "why", "was")


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
    reader = WizardLog(modules=modules, user=user)
    return reader.read(path, max_size=max_size).dialogues


@dataclass(frozen=True, repr=False)
class WizardLog(SpokenLog):
    """The reader behind `read_wizard_log`; its options are those of `SpokenLog`."""

    name: ClassVar[str] = "wizard"

    # A session may break off, so that a turn without a response tells nothing.
    no_response: str = LEFT_OUT

    def read_log(self, path: Any, max_size: int) -> ReadLog:
        """The dialogues of a log."""
        logged: dict[str, tuple[str, list[LoggedTurn]]] = {}
        for place, record in iter_records(path, max_size=max_size):
            for name in record:
                choice(place, "a field", name, _FIELDS)
            dialogue = _name(place, record, "dialogue")
            _, turns = logged.setdefault(dialogue, (place, []))
            self._add_utterance(place, record, turns)
        dialogues = [
            self._dialogue(name, place, turns)
            for name, (place, turns) in logged.items()
        ]
        everything = [turn for _, turns in logged.values() for turn in turns]
        kept = [turn for turn in everything if not turn.removed]
        n_removed = len(everything) - len(kept)
        removed = n_removed, "turns marked as removed"
        return ReadLog(dialogues, noted(removed, self.without_response(kept)))

    def _add_utterance(
        self, place: str, record: Mapping[str, Any], turns: list[LoggedTurn]
    ) -> None:
        speaker = _name(place, record, "speaker")
        acts = _acts(place, record.get("acts"))
        changes = _changes(place, record, acts)
        removed = any(change.what == "removed" for change in changes)
        if self.is_user(speaker):
            text = record.get("text")
            if text is None:
                hint = "It is what the user said."
                raise ParseError(place, "text", "be there", "nothing", hint)
            turn = LoggedTurn(text, user=acts, changes=changes, removed=removed)
            turns.append(turn)
            return
        turn = self.last_turn(place, turns, speaker)
        turn.changes += changes
        if not removed:
            turn.answered = True
            turn.system += acts

    def _dialogue(
        self, name: str, place: str, turns: Sequence[LoggedTurn]
    ) -> TargetDialogue:
        kept, removed = (
            [self.target_turn(turn) for turn in turns if turn.removed is gone]
            for gone in (False, True)
        )
        if not kept:
            hint = "All its turns are marked as removed."
            raise ParseError(place, f"dialogue {name}", "keep a turn", "none", hint)
        return TargetDialogue(name, kept, removed, place)


def _name(place: str, record: Mapping[str, Any], name: str) -> str:
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


def _changes(
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
