"""Scripts of dialogue managers: their rules, their checklists, and their words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Final

NOTHING: Final = "nothing"
"""The pattern of a rule for what was not understood."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What is done about some acts.

    Parameters
    ----------
    patterns : tuple of str
        Of acts, with ``*`` for anything; ``nothing`` is what was not understood.
    node : str or None
        Where it holds; None is everywhere.
    conditions : tuple of (kind, value)
        All have to hold.
    actions : tuple of (action, value)
        In the order in which they are done.
    line : int
        Of the file, for messages.
    """

    patterns: tuple[str, ...]
    node: str | None
    conditions: tuple[tuple[str, Any], ...]
    actions: tuple[tuple[str, Any], ...]
    line: int

    @property
    def needs(self) -> tuple[str, ...]:
        """The promises that it waits for."""
        return tuple(value for action, value in self.actions if action == "needs")

    @property
    def says(self) -> tuple[str, ...]:
        """The acts that it may put out by itself."""
        speaking = ("say", "otherwise")
        return tuple(value for action, value in self.actions if action in speaking)


@dataclass(slots=True)
class Script:
    """All that the file of a dialogue manager says.

    Parameters
    ----------
    name : str
        Of the character.
    start : str
        The first node.
    compliance : int
        How willing the character is at first.
    rules : list of Rule
        The first that fits is followed.
    checklists : dict of name to acts
        What is gone through in its order once the list is open.
    questions : set of str
        Acts of checklists after which the user speaks.
    heard : dict of act to texts
        What users may say for an act.
    spoken : dict of act to text
        What the character says for one.
    digest : str
        Of the file.
    """

    name: str
    start: str = "start"
    compliance: int = 0
    rules: list[Rule] = field(default_factory=list)
    checklists: dict[str, list[str]] = field(default_factory=dict)
    questions: set[str] = field(default_factory=set)
    heard: dict[str, tuple[str, ...]] = field(default_factory=dict)
    spoken: dict[str, str] = field(default_factory=dict)
    digest: str = ""

    @property
    def listed(self) -> frozenset[str]:
        """The acts of all checklists."""
        return frozenset(act for acts in self.checklists.values() for act in acts)

    @property
    def elicits(self) -> frozenset[str]:
        """The acts that ask for a promise."""
        needed = (promise for rule in self.rules for promise in rule.needs)
        return frozenset(map(self.elicit, needed))

    def elicit(self, promise: str) -> str:
        """The act that asks for a promise."""
        return f"elicit-offer.{promise}"


def matches(patterns: Sequence[str], act: str | None) -> bool:
    """Whether an act, or None for nothing understood, fits one of the patterns.

    Examples
    --------
    >>> matches(("whq.*",), "whq.name"), matches(("*",), None)
    (True, False)
    """
    if act is None:
        return NOTHING in patterns
    # An act may be called "nothing": the pattern of that name is never of acts.
    return any(name != NOTHING and fnmatchcase(act, name) for name in patterns)
