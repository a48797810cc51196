"""Which modules were wrong in a run, and which one first."""

from collections.abc import Sequence

import numpy as np

from demur.arrays import Flags, Positions
from demur.pipelines.attributions import ModuleErrors
from demur.pipelines.engine import PipelineEngine
from demur.pipelines.matching import Wanted, matches, wanted_of
from demur.pipelines.modules import INPUT
from demur.pipelines.runs import rate_over
from demur.pipelines.turn_parts import Ran
from demur.statistics.ratio_tests import ratio_difference


def observed_errors(
    engine: PipelineEngine,
    wanted: Wanted,
    match: str,
    level: float,
    *,
    ran: Ran,
    out: Flags | None = None,
) -> tuple[tuple[ModuleErrors, ...], float | None]:
    """Which modules were wrong in a run, which one first, and whether that is luck.

    Of turns in which every module has a target, and that are not left out.
    """
    modules = engine.pipeline.modules
    targets = {module.name: wanted_of(engine, module) for module in modules}
    targets[engine.pipeline.last.name] = wanted
    declines = {engine.pipeline.last.name: engine.pipeline.declines}
    judged = {
        module.name: matches(
            module,
            ran,
            targets[module.name],
            declines=declines.get(module.name, frozenset()),
            acts=False,
        )
        for module in modules
    }
    counted = np.all([matched.counted for matched in judged.values()], axis=0)
    if out is not None:
        counted &= ~out
    right = {
        name: matched.acceptable if match == "multiple" else matched.identical
        for name, matched in judged.items()
    }
    dialogues = np.array([dialogue for dialogue, _ in engine.turns])
    lost = counted & ~right[engine.pipeline.last.name]
    errors, first = [], []
    for module in modules:
        hears = [right[name] for name in module.inputs if name != INPUT]
        before = np.all(hears, axis=0) if hears else np.ones_like(counted)
        wrong = counted & ~right[module.name]
        after_right, after_wrong = (
            rate_over((1.0 * (wrong & turns), 1.0 * turns), dialogues, level)
            for turns in (counted & before, counted & ~before)
        )
        first.append(lost & wrong)
        n_first = int(first[-1].sum())
        also = int((wrong & judged[module.name].acceptable).sum())
        errors.append(
            ModuleErrors(module.name, after_right, after_wrong, n_first, also)
        )
        lost = lost & ~wrong
    return tuple(errors), _first_luck(first, dialogues)


def _first_luck(first: Sequence[Flags], dialogues: Positions) -> float | None:
    """How often luck sets the two that are first most often so far apart, or more."""
    ranked = sorted(first, key=lambda turns: -int(turns.sum()))
    if len(ranked) < 2 or not ranked[1].any():
        return None
    either = 1.0 * (ranked[0] | ranked[1])
    most, second = ((1.0 * turns, either) for turns in ranked[:2])
    return ratio_difference(second, most, dialogues).p_value
