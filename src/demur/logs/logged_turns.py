"""Logs of what two speakers said, with the acts of each utterance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from demur.errors import InputError, ParseError, shown
from demur.logs.readers import DialogueReader
from demur.outcomes.target_dialogues import TargetTurn, TurnChange

SILENCE: Final = "silence"
LEFT_OUT: Final = "left_out"


@dataclass(slots=True)
class LoggedTurn:
    """What the user said in a turn of a log, and what the system said to it."""

    input: Any
    user: list[Any] = field(default_factory=list)
    system: list[Any] = field(default_factory=list)
    changes: list[TurnChange] = field(default_factory=list)
    answered: bool = False
    removed: bool = False


@dataclass(frozen=True, repr=False)
class SpokenLog(DialogueReader):
    """What the readers of such logs have in common.

    Parameters
    ----------
    modules : (str, str), or str with a plus between them
        Whose targets are the acts of the user, and those of the system.
    user : str
        What the user is called; whoever else speaks is the system.
    no_response : {"silence", "left_out"}
        What an utterance means that the system says nothing to: that it should say
        nothing, or that there is no target.
    """

    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "no_response": (SILENCE, LEFT_OUT)
    }

    modules: str | Sequence[str] = ("nlu", "dm")
    user: str = "user"
    no_response: str = SILENCE

    def __post_init__(self) -> None:
        super().__post_init__()
        listed = self.modules
        names = tuple(listed.split("+") if isinstance(listed, str) else listed)
        if len(names) != 2 or not all(isinstance(n, str) and n for n in names):
            need, hint = "be two names", "The user's acts are of one, the system's too."
            raise InputError(self.name, "modules", need, shown(listed), hint)
        object.__setattr__(self, "modules", names)

    def is_user(self, speaker: str) -> bool:
        """Whether it is the user who speaks."""
        return speaker.lower() == self.user.lower()

    def last_turn(
        self, place: str, turns: Sequence[LoggedTurn], got: str
    ) -> LoggedTurn:
        """The turn that an utterance of the system answers."""
        if not turns:
            need, hint = "speak after the user", f"A dialogue begins with {self.user}."
            raise ParseError(place, "the system", need, shown(got), hint)
        return turns[-1]

    def without_response(self, turns: Sequence[LoggedTurn]) -> tuple[int, str]:
        """How many turns have no response, and what the note on them says."""
        words = f"utterances without a response (no_response={self.no_response})"
        return sum(not turn.answered for turn in turns), words

    def target_turn(self, turn: LoggedTurn) -> TargetTurn:
        """The turn with the acts as targets of the two modules."""
        first, second = self.modules
        target: dict[str, Any] = {}
        if turn.user:
            target[first] = turn.user[0] if len(turn.user) == 1 else turn.user
        if turn.answered or self.no_response == SILENCE:
            target[second] = turn.system
        return TargetTurn(input=turn.input, target=target, changes=turn.changes)
