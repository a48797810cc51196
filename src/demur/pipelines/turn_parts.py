"""Turns at work: how they are run, what came out, and the modules that stand there."""

import marshal
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from demur.errors import InputError, shown
from demur.executors import check_alone
from demur.outcomes.target_dialogues import Failed, TargetTurn
from demur.pipelines.modules import Observe, Step

if TYPE_CHECKING:
    from concurrent.futures import Executor

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})

_UNCHANGED: Final = (str, int, float, bool)

PLANTED: Final = "(planted)"
"""A source that may say nothing at a turn: the module itself answers there."""

MISSING: Final = object()
"""Stands for what a source has not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """How a pipeline is run.

    Parameters
    ----------
    concurrency : int
        How many turns (in corrected state) or dialogues (free-running) at a time.
        Modules are then called from several threads.
    executor : Executor, optional
        Of `concurrent.futures`: its workers run the dialogues, in shares, and the
        outputs are the same. Modules are sent to them with each share.
    cache : path, optional
        A file that keeps each step of each module. A run that was interrupted, or
        killed, goes on from there, and replacing one module runs again only what
        changes. All modules need a version then.
    repeats : int
        How often each turn is run if a module that runs is stochastic.
    progress : callable, optional
        Called with the numbers of turns that are done and of all.

    Examples
    --------
    >>> import demur
    >>> demur.Running(concurrency=8).repeats
    1
    """

    concurrency: int = 1
    executor: "Executor | None" = None
    cache: str | os.PathLike[str] | None = None
    repeats: int = 1
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        for name in ("concurrency", "repeats"):
            number = getattr(self, name)
            if type(number) is not int or number < 1:
                need = "be a whole number from 1"
                raise InputError("Running", name, need, shown(number))
        check_alone("Running", self.executor, "concurrency", self.concurrency)


@dataclass(slots=True)
class RanTurn:
    """What came out at one turn.

    Parameters
    ----------
    values : dict
        What each module handed on, and the user's input.
    failed : mapping
        Why modules gave nothing.
    guesses : mapping
        (guess, confidence) of modules that gave a `Response`.
    """

    values: dict[str, Any]
    failed: Mapping[str, str] = field(default_factory=lambda: _NONE)
    guesses: Mapping[str, tuple[Any, float | None]] = field(
        default_factory=lambda: _NONE
    )

    def __reduce__(self) -> tuple[Any, ...]:
        # Nothing that is shared, and cannot be changed, can be pickled.
        return _ran_turn, (self.values, dict(self.failed), dict(self.guesses))


def _ran_turn(values: Any, failed: Any, guesses: Any) -> RanTurn:
    return RanTurn(values, failed or _NONE, guesses or _NONE)


Ran = list[RanTurn | None]
"""All turns in order; None where a source that replaces a module has said nothing."""


@dataclass(slots=True)
class FirstSteps:
    """How a module began: why steps failed before the first that worked."""

    reasons: list[str] = field(default_factory=list)
    works: bool = False

    def go_on(self, later: "FirstSteps") -> None:
        """Take in what came after."""
        if not self.works:
            self.reasons += later.reasons
            self.works = later.works


@dataclass(slots=True)
class Part:
    """A module at work in one configuration."""

    name: str
    inputs: tuple[str, ...]
    step: Step
    observe: Observe | None
    source: str | None
    cutoff: float | None
    known_as: int | None = None
    """By what the outputs of the module are known, if the same is answered alike."""
    states: list[Any] | None = None
    last: tuple[Any, bytes | None] = (None, None)
    """What the module put out last, and how it was then."""

    def given(self, values: dict[str, Any]) -> Any:
        """What the module gets, of what others handed on."""
        if len(self.inputs) == 1:
            return values[self.inputs[0]]
        return {name: values[name] for name in self.inputs}

    def withholds(self, confidence: float | None) -> bool:
        """Whether a guess is not sure enough; without a confidence only if none is."""
        if self.cutoff is None or self.cutoff == float("inf"):
            return self.cutoff is not None
        return confidence is not None and confidence < self.cutoff


def snapshot(*values: Any) -> bytes | None:
    """Plain data as bytes, to see whether they were changed; None if there is no need.

    Examples
    --------
    >>> state = {"said": ["hello"]}
    >>> before = snapshot(state)
    >>> state["said"].append("bye")
    >>> snapshot(state) == before, snapshot("hello", None)
    (False, None)
    """
    if all(value is None or type(value) in _UNCHANGED for value in values):
        return None
    try:
        return marshal.dumps(values, 2)  # equal values give equal bytes
    except ValueError:
        return None  # no plain data


def said_by(turn: TargetTurn, part: Part) -> Any:
    """What a source says in the place of a module."""
    outputs = turn.given_by(part.source or "")
    return outputs.get(part.name, MISSING)


def take(ran: RanTurn, part: Part, value: Any, turn: TargetTurn) -> Any:
    """Put what a source said in the place of a module, if it is sure enough."""
    if type(value) is Failed:
        ran.failed = {**ran.failed, part.name: f"{part.source} failed: {value.why}"}
        value = None
    if part.cutoff is not None:
        confidence = turn.confidences.get(part.source or "", {}).get(part.name)
        ran.guesses = {**ran.guesses, part.name: (value, confidence)}
        if part.withholds(confidence):
            value = None
    ran.values[part.name] = value
    return value


def copy_outputs(base: RanTurn, ran: RanTurn, names: set[str]) -> None:
    """Take over what modules said that are not touched by a replacement."""
    for name in names:
        ran.values[name] = base.values[name]
    if base.failed:
        ran.failed = {name: why for name, why in base.failed.items() if name in names}
    if base.guesses:
        ran.guesses = {n: guess for n, guess in base.guesses.items() if n in names}
