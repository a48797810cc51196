"""What every reader of logs has, and what it gives."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Protocol

from demur.calls import call_text, unusual
from demur.checks import choice
from demur.formats.streams import MAX_SIZE
from demur.outcomes.target_dialogues import TargetDialogue


@dataclass(frozen=True, slots=True)
class ReadLog:
    """What a log holds.

    Parameters
    ----------
    dialogues : list of TargetDialogue
    notes : tuple of str
        What a user must know of how it was read, such as what was left out.
    """

    dialogues: list[TargetDialogue]
    notes: tuple[str, ...] = ()


class LogReader(Protocol):
    """Reads logs of one kind. Each is a frozen dataclass whose fields are its options.

    ``name`` is what it is called by. ``statuses`` are those of its options that say
    what a status of the log means (answered, declined, failed), each with the meanings
    that it may have.
    """

    name: ClassVar[str]
    statuses: ClassVar[Mapping[str, tuple[str, ...]]]

    def read_log(self, path: Any, max_size: int) -> ReadLog:
        """Read a file, with what must be known of it: what each reader has to write."""

    def read(self, path: Any, *, max_size: int = MAX_SIZE) -> ReadLog:
        """Read a file; its dialogues say in signatures how they were read."""
        log = self.read_log(path, max_size)
        recipe = self.recipe
        dialogues = [replace(dialogue, log=recipe) for dialogue in log.dialogues]
        return ReadLog(dialogues, log.notes)

    def __post_init__(self) -> None:
        for option, meanings in self.statuses.items():
            choice(self.name, option, getattr(self, option), meanings)

    def __repr__(self) -> str:
        return call_text(self.name, unusual(self))

    @property
    def recipe(self) -> str:
        """The reader as signatures name it: what statuses mean is always said."""
        shown = {*unusual(self), *self.statuses}
        options = {
            option.name: getattr(self, option.name)
            for option in fields(self)  # type: ignore[arg-type]  # a dataclass, above
            if option.name in shown
        }
        return call_text(self.name, options)


def noted(*counts: tuple[int, str]) -> tuple[str, ...]:
    """The notes on what there is any of.

    Examples
    --------
    >>> noted((2, "traces without a step"), (0, "steps with an error"))
    ('traces without a step: 2',)
    """
    return tuple(f"{words}: {count:,}" for count, words in counts if count)
