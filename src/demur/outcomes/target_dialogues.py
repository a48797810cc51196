"""Target dialogues: what users said, and what each module should have made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

CHANGES: Final = ("removed", "reordered", "inserted", "clarification", "corrected")
"""What may have been done to a turn of a log to make a target dialogue of it."""

TARGET: Final = "target"
"""The source of annotations that every dialogue has."""

Outputs = Mapping[str, Any]
"""Outputs by the name of their module; None is the output of one that declines."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Stands for the output of a module that gave none because it broke.

    Parameters
    ----------
    why : str
    """

    why: str


@dataclass(frozen=True, slots=True)
class TurnChange:
    """How a turn differs from the log that the dialogue was made of.

    Parameters
    ----------
    what : {"removed", "reordered", "inserted", "clarification", "corrected"}
    why : str
    was : any
        What stood there before, if it is known.
    """

    what: str
    why: str
    was: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetTurn:
    """What a user said, and what the modules of a pipeline should make of it.

    Parameters
    ----------
    input : any
        A text, or any JSON value.
    target : mapping of module to output
        A module that is missing has no target; None means that it should decline.
    acceptable : mapping of module to sequence of outputs
        What would do as well as the target.
    annotations : mapping of source to mapping of module to output
        From people or other systems. A module that is missing was not annotated, None
        says that the source declines, and `Failed` that it broke.
    confidences : mapping of source to mapping of module to float
        Of annotations; higher is surer.
    changes : sequence of TurnChange
        How the turn differs from what was said.
    """

    input: Any
    target: Outputs = field(default_factory=dict)
    acceptable: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    annotations: Mapping[str, Outputs] = field(default_factory=dict)
    confidences: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    changes: Sequence[TurnChange] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(self.changes))

    def given_by(self, source: str) -> Outputs:
        """The outputs by a source; ``target`` is one."""
        return self.target if source == TARGET else self.annotations.get(source, {})


@dataclass(frozen=True, slots=True)
class TargetDialogue:
    """A dialogue as it should run.

    Parameters
    ----------
    dialogue : str
        Its name.
    turns : sequence of TargetTurn
    removed : sequence of TargetTurn
        Turns of the log that are no part of it; their `TurnChange` says why.
    place : str
        Where it was read, for messages.
    log : str
        The reader of the log that it comes from, with what statuses were taken to mean;
        signatures name it. Empty if it was written as a target dialogue.

    Notes
    -----
    Sources are called by their names, modules by theirs; which modules there are is the
    pipeline's business.

    References
    ----------
    Margaretha and DeVault (2011), "An approach to the automated evaluation of pipeline
    architectures in natural language dialogue systems", SIGDIAL, section 3.

    Examples
    --------
    >>> import demur
    >>> turn = demur.TargetTurn(
    ...     input="Who was it?", target={"nlu": "whq.thief", "dm": ["refuse"]},
    ...     annotations={"human1": {"nlu": "whq.name"}, "human2": {"nlu": None}})
    >>> turn.given_by("human1")
    {'nlu': 'whq.name'}
    >>> len(demur.TargetDialogue("d1", [turn]).turns)
    1
    """

    dialogue: str
    turns: Sequence[TargetTurn]
    removed: Sequence[TargetTurn] = ()
    place: str = field(default="", compare=False)
    log: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("turns", "removed"):  # lists become tuples: it is frozen
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def where(self, turn: int) -> str:
        """The place of a turn, counted from 0, for messages."""
        return self.place or f"dialogue {self.dialogue}:{turn + 1}"
