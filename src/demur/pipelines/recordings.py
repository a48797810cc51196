"""What recorded modules cannot tell: how they react to what they have not heard."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from demur.arrays import Flags
from demur.errors import InputError
from demur.pipelines.engine import FREE, PipelineEngine
from demur.pipelines.matching import acts_of
from demur.pipelines.modules import INPUT, Module, Pipeline
from demur.pipelines.turn_parts import Ran, RanTurn


def recorded_listeners(
    pipeline: Pipeline, given: Collection[str] = ()
) -> tuple[Module, ...]:
    """The recorded modules that hear others, and in whose place nothing stands.

    One that hears the user only says the same whatever the others do.

    Examples
    --------
    >>> from demur.pipelines.modules import as_module, recorded_module
    >>> pipeline = Pipeline.of([
    ...     recorded_module("logged", name="nlu"), recorded_module("logged", name="dm"),
    ...     as_module(str, name="nlg")])
    >>> [module.name for module in recorded_listeners(pipeline)]
    ['dm']
    """
    return tuple(
        module
        for module in pipeline.modules
        if module.recorded
        and module.name not in given
        and any(name != INPUT for name in module.inputs)
    )


def no_reaction(listeners: Sequence[Module]) -> str:
    """Why something is not defined, in words; nothing if no module is recorded.

    Examples
    --------
    >>> from demur.pipelines.modules import recorded_module
    >>> no_reaction([recorded_module("logged", name="dm")])
    'dm is recorded and cannot react'
    """
    names = [module.name for module in listeners]
    if len(names) < 2:
        return f"{names[0]} is recorded and cannot react" if names else ""
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{listed} are recorded and cannot react"


def check_reacts(
    where: str, pipeline: Pipeline, name: str, given: Collection[str] = ()
) -> None:
    """Refuse to change what a recorded module hears, at first hand or through others.

    Raises
    ------
    InputError
        Naming it, and what can be done.
    """
    below = {module.name for module in pipeline.below({name: None})}
    for module in recorded_listeners(pipeline, {name, *given}):
        if module.name not in below:
            continue
        need = f"run, to react to what {name} puts out"
        got = f"recorded as {module.recorded!r}"
        hint = "Give it as something that runs (call, system, url)."
        raise InputError(where, f"module {module.name!r}", need, got, hint)


def unknown_turns(
    engine: PipelineEngine, given: Mapping[str, Any], state: str, ran: Ran
) -> Flags:
    """The turns at which a recorded module hears something else than when it spoke.

    What it would have said is not known there, nor, where each turn starts from where
    the one before has led, at later turns of the dialogue. Where the log has a gap, it
    may have heard anything, so whatever takes a place before it is something else.
    """
    unknown = np.zeros(len(ran), dtype=bool)
    listeners = recorded_listeners(engine.pipeline, given)
    if not listeners:
        return unknown
    modules = {module.name: module for module in engine.pipeline.modules}
    heard = {name for one in listeners for name in one.inputs if name != INPUT}
    moved = not _before(engine.pipeline, heard).isdisjoint(given)
    dialogue = -1
    for at, (now, then) in enumerate(zip(ran, engine.as_recorded(), strict=True)):
        if state == FREE and engine.turns[at][0] == dialogue:
            unknown[at] = unknown[at - 1]
        dialogue = engine.turns[at][0]
        if now is None or then is None:
            unknown[at] |= moved
        else:
            unknown[at] |= any(not _same(modules[n], now, then) for n in heard)
    return unknown


def _before(pipeline: Pipeline, names: Collection[str]) -> set[str]:
    """Modules of these names, and all whose outputs they come of."""
    before = set(names)
    for module in reversed(pipeline.modules):
        if module.name in before:
            before.update(module.inputs)
    return before


def strayed_turns(engine: PipelineEngine, given: Mapping[str, Any]) -> Flags:
    """The turns before which a recorded module has heard or said what is no target.

    What it would say after the target dialogue is not known there.
    """
    strayed = np.zeros(len(engine.turns), dtype=bool)
    listeners = recorded_listeners(engine.pipeline, given)
    if not listeners:
        return strayed
    modules = {module.name: module for module in engine.pipeline.modules}
    names = {name for one in listeners for name in (one.name, *one.inputs)} - {INPUT}
    for at, then in enumerate(engine.as_recorded()[:-1]):
        dialogue, number = engine.turns[at]
        if engine.turns[at + 1][0] != dialogue:
            continue
        target = engine.dialogues[dialogue].turns[number].target
        strayed[at + 1] = strayed[at] or any(
            name not in target
            or then is None
            or not _equal(modules[name], target[name], then.values[name])
            for name in names
        )
    return strayed


def strayed_note(engine: PipelineEngine, given: Mapping[str, Any]) -> str:
    """What a number in corrected state rests on where a log went otherwise."""
    strayed = int(strayed_turns(engine, given).sum())
    if not strayed:
        return ""
    return (
        f"{strayed:,} of {len(engine.turns):,} turns of the log follow one that went "
        "otherwise than its target: in corrected state their outputs are taken as they "
        "stand, and a module that runs might say other things there."
    )


def _same(module: Module, now: RanTurn, then: RanTurn) -> bool:
    """Whether a module hands on the same in two runs."""
    return _equal(module, now.values[module.name], then.values[module.name])


def _equal(module: Module, one: Any, other: Any) -> bool:
    """Whether two outputs of a module are the same."""
    if one is other:
        return True
    acts = acts_of(module, one)
    if acts is None:
        return bool(one == other)
    return acts == acts_of(module, other) and (one is None) == (other is None)


def reached(pipeline: Pipeline, names: Collection[str], given: Collection[str]) -> bool:
    """Whether what modules put out can come through to the response.

    Not where something stands in the place of each module that hears them.
    """
    moved = set(names)
    for module in pipeline.modules:
        if module.name not in given and moved.intersection(module.inputs):
            moved.add(module.name)
    return pipeline.last.name in moved
