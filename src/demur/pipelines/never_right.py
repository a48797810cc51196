"""Modules that are never right: their targets may have another form than they do."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from demur.answers.slots import Slots
from demur.errors import InputError, shown
from demur.pipelines.engine import PipelineEngine
from demur.pipelines.matching import Wanted, acts_of, is_right, wanted_of
from demur.pipelines.modules import Contains, Module, Whole
from demur.pipelines.turn_parts import Ran
from demur.results import Result

FEWEST: Final = 5
"""Of fewer turns that none is right says nothing."""


@dataclass(frozen=True, eq=False, repr=False)
class NeverRight(Result):
    """A module none of whose outputs is its target.

    Parameters
    ----------
    name : str
    turns : int
        Turns with a target.
    holds : int
        Those in which the output holds all that the target does, and more; 0 if it does
        in less than half of all in which there is one.
    first : str
        The first of them, as ``DIALOGUE:TURN``.
    put_out, target : str
        What was put out there, and what the target is, shortened.
    """

    SAYS = "{name} is right in none of {turns} turns."

    name: str
    turns: int
    holds: int
    first: str
    put_out: str
    target: str

    def sentence(self) -> str:
        """How often, an example, and what to do."""
        start = f"{self.name} is right in none of {self.turns:,} turns"
        first = f"First at {self.first}: {self.put_out} for the target {self.target}."
        if not self.holds:
            form = "see whether its targets have the form of its outputs"
            return f"{start}: {form}. {first}"
        return (
            f"{start}, since only what equals the target is right, but in "
            f"{self.holds:,} its output holds the target, and more. If that is right, "
            f'as of a list of passages, set compare = "contains" for {self.name}. '
            f"{first}"
        )


def never_right(
    engine: PipelineEngine, ran: Ran, given: Collection[str]
) -> Iterator[NeverRight]:
    """The modules none of whose outputs is right, if nothing stands in their place.

    One that hears such a module, and does not put out its target and more, may well be
    wrong because of that, and is left out.
    """
    wrong: set[str] = set()
    for module in engine.pipeline.modules:
        if module.name in given:
            continue
        try:
            wanted = wanted_of(engine, module)
        except InputError:  # targets that no comparator reads are only handed on
            continue
        unfit = _of_module(engine, module, ran, wanted)
        if unfit is not None:
            if unfit.holds or wrong.isdisjoint(module.inputs):
                yield unfit
            wrong.add(module.name)


def _of_module(
    engine: PipelineEngine, module: Module, ran: Ran, wanted: Wanted
) -> NeverRight | None:
    """What is said of one module; None if it is right once, or too seldom judged.

    Also if it is right in part: then its form is that of its targets.
    """
    n_turns, n_shares = 0, 0
    holding: list[int] = []
    judged: list[int] = []
    for at, (turn, want) in enumerate(zip(ran, wanted, strict=True)):
        if turn is None or want is None:
            continue
        value = turn.values[module.name]
        if want.none or (not want.target and isinstance(module.compare, Contains)):
            continue  # right or wrong, it says nothing of the form
        if value is None and want.target:  # to put out nothing is no form of its own
            n_turns += 1
            continue
        put_out = acts_of(module, value)
        if any(is_right(module, put_out, one) for one in (want.target, *want.others)):
            return None
        n_turns += 1
        judged.append(at)
        n_shares += bool(put_out and put_out & want.target)
        if _holds(module, value, engine.turn(at).target[module.name]):
            holding.append(at)
    holding = holding if 2 * len(holding) >= len(judged) else []
    if n_turns < FEWEST or not judged or (n_shares and not holding):
        return None
    at = (holding or judged)[0]
    turn = ran[at]
    return NeverRight(
        name=module.name,
        turns=n_turns,
        holds=len(holding),
        first=engine.where(at),
        put_out=shown(None if turn is None else turn.values[module.name]),
        target=shown(engine.turn(at).target[module.name]),
    )


def _holds(module: Module, value: Any, target: Any) -> bool:
    """Whether a list that was put out holds all of a target, and more."""
    if not isinstance(module.compare, Slots | Whole) or not isinstance(value, list):
        return False
    listed = target if isinstance(target, list) else [target]
    return bool(listed) and all(one in value for one in listed)
