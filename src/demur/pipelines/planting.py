"""How far an error reaches: one is planted, and the turns after it are watched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.checks import choice
from demur.decisions.declining import Rate
from demur.errors import InputError, shown
from demur.pipelines.engine import FREE, PipelineEngine
from demur.pipelines.matching import acts_of
from demur.pipelines.modules import Module, Pipeline
from demur.pipelines.runs import judged_run, recipe_of, targets_of
from demur.pipelines.target_dialogues import Failed, TargetDialogue, TargetTurn
from demur.pipelines.turn_parts import PLANTED, Running
from demur.results import Column, Result, Table, count
from demur.statistics.ratios import ratio_interval

_MISSING: Final = object()
NOTHING: Final = "nothing"


@dataclass(frozen=True, eq=False, repr=False)
class LaterEffect(Result):
    """What errors do so many turns later.

    Parameters
    ----------
    later : int
        Turns after the error; 0 is its own turn.
    turns : int
    changed : Rate
        Turns with another response than without the error.
    lost : float or None
        Target acts that are no longer put out, over all target acts; negative if the
        error helps.
    """

    SAYS = (
        "{later} turns after the error, {lost} of the acts are lost, over {turns} "
        "turns."
    )

    later: int
    turns: int
    changed: Rate
    lost: float | None


@dataclass(frozen=True, eq=False, repr=False)
class PlantedError(Result):
    """One error, and the turns whose responses it changes.

    Parameters
    ----------
    turn : str
        ``DIALOGUE:TURN`` where it was planted.
    changed : tuple of int
        How many turns later responses are others; 0 is its own turn.
    """

    turn: str
    changed: tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class PlantedErrors(Result):
    """How far errors of a module reach. `plant_errors` makes it.

    Parameters
    ----------
    module : str
    source : str
        What was planted.
    effects : tuple of LaterEffect
    errors : tuple of PlantedError
    without_effect : int
        Errors that change no response at all.
    only_here : int
        Errors that change the response to their own turn and no later one.
    level : float
        Of intervals over dialogues.
    recipe : mapping
    """

    KINDS = (
        count("without_effect", "errors that change no response"),
        count("only_here", "errors that change only their own turn"),
    )

    module: str
    source: str
    effects: tuple[LaterEffect, ...]
    errors: tuple[PlantedError, ...]
    without_effect: int
    only_here: int
    level: float
    recipe: Mapping[str, str] = field(repr=False)

    def sentence(self) -> str:
        """How far errors reach."""
        n_later = len(self.errors) - self.without_effect - self.only_here
        return (
            f"Of {len(self.errors):,} errors of {self.module} ({self.source} in place "
            f"of the target), one at a time, free-running, {self.without_effect:,} "
            f"change no response, {self.only_here:,} only that to their own turn, "
            f"{n_later:,} later ones."
        )

    def tables(self) -> tuple[Table]:
        """What errors do so many turns later."""
        rows = [
            (
                effect.later,
                effect.turns,
                effect.changed.share,
                None
                if effect.changed.low is None
                else (effect.changed.low, effect.changed.high),
                effect.lost,
            )
            for effect in self.effects
        ]
        return (Table("", _EFFECTS, tuple(rows)),)


_EFFECTS: Final = (
    Column("later", "turns later", "count", "than the error; 0 is its own turn"),
    Column("turns", "", "count", "that there are"),
    Column("changed", "response changed", "percent", "turns with another response"),
    Column("changed_interval", "interval", "percent", "of that, over dialogues"),
    Column("lost", "points lost", "percent", "target acts no longer put out / all"),
)


def plant_errors(  # noqa: PLR0913  (what is planted, how it is run, how judged)
    pipeline: Pipeline,
    dialogues: Sequence[TargetDialogue],
    *,
    module: str,
    source: str | None = None,
    latest: int = 10,
    target: str = "wizard",
    level: float = 0.95,
    running: Running = Running(),  # noqa: B008  (frozen)
) -> PlantedErrors:
    """Plant one error of a module at a time, and see which responses it changes.

    Parameters
    ----------
    pipeline : Pipeline
    dialogues : sequence of TargetDialogue
    module : str
        Not the last one. It gives its targets at all other turns.
    source : str, optional
        Whose annotation is planted where it is not the target; nothing (the module
        declines) at every turn if left out.
    latest : int
        How many turns later are in the table; the errors have all.
    target : {"wizard", "reference_run"}
    level : float
    running : Running

    Returns
    -------
    PlantedErrors

    Raises
    ------
    InputError
        If a module or source is not known, or there is no error to plant.

    Notes
    -----
    In corrected state an error changes its own turn only, by definition; here all is
    free-running, with the module's targets at the other turns, so that the one error is
    all that differs.

    Examples
    --------
    >>> import demur
    >>> class Counter:  # says how often it was greeted
    ...     def step(self, state, act):
    ...         count = (state or 0) + (act == "hi")
    ...         return [str(count)], count
    ...     def observe(self, state, act, acts):
    ...         return (state or 0) + (act == "hi")
    >>> turns = [
    ...     demur.TargetTurn(input="hi", target={"nlu": "hi", "dm": [str(n)]})
    ...     for n in (1, 2, 3)]
    >>> pipeline = demur.Pipeline.of([
    ...     demur.as_module(str.lower, name="nlu"),
    ...     demur.as_module(Counter(), name="dm")])
    >>> found = demur.plant_errors(
    ...     pipeline, [demur.TargetDialogue("d1", turns)], module="nlu")
    >>> [(each.turn, each.changed) for each in found.errors]
    [('d1:1', (0, 1, 2)), ('d1:2', (0, 1)), ('d1:3', (0,))]
    """
    where = "plant_errors"
    checks.of_kind(where, "pipeline", pipeline, Pipeline)
    dialogues = checks.all_of_kind(where, "dialogues", dialogues, TargetDialogue)
    choice(where, "module", module, pipeline.names)
    if module == pipeline.last.name:
        must = "come before the last one"
        raise InputError(where, "module", must, shown(module))
    if type(latest) is not int or latest < 0:
        raise InputError(where, "latest", "be a whole number", shown(latest))
    of = next(each for each in pipeline.modules if each.name == module)
    with PipelineEngine(pipeline, dialogues, running) as engine:
        if source is not None:
            engine.check_given(where, {module: source})
        targets_of(engine, target)
    changed_dialogues: list[TargetDialogue] = []
    planted: list[tuple[int, int]] = []
    for at, dialogue in enumerate(dialogues):
        values = [each.target.get(module, _MISSING) for each in dialogue.turns]
        base = [
            _with(each, module, v)
            for each, v in zip(dialogue.turns, values, strict=True)
        ]
        for number, turn in enumerate(dialogue.turns):
            error = _error(of, turn, module, source)
            if error is _MISSING or values[number] is _MISSING:
                continue
            turns = [*base]
            turns[number] = _with(turn, module, error)
            planted.append((at, number))
            name = f"{dialogue.dialogue}:{number + 1}"
            changed_dialogues.append(TargetDialogue(name, turns, (), dialogue.place))
    if not planted:
        hint = "Where the source says what the target says there is none."
        raise InputError(where, "an error", "be there to plant", "none", hint)
    wholes = [
        replace(
            each,
            turns=[
                _with(t, module, t.target.get(module, _MISSING)) for t in each.turns
            ],
        )
        for each in dialogues
    ]
    return _watched(
        pipeline,
        (wholes, changed_dialogues, planted),
        (module, source or NOTHING, latest, target, level),
        running,
    )


def _error(of: Module, turn: TargetTurn, module: str, source: str | None) -> Any:
    """What is planted at a turn; missing if there is no error to plant."""
    wanted = acts_of(of, turn.target.get(module))
    if source is None:
        return None if wanted else _MISSING
    value = turn.given_by(source).get(module, _MISSING)
    if value is _MISSING or isinstance(value, Failed):
        return _MISSING if value is _MISSING else value
    return _MISSING if acts_of(of, value) == wanted else value


def _with(turn: TargetTurn, module: str, value: Any) -> TargetTurn:
    if value is _MISSING:
        return turn
    return replace(turn, annotations={**turn.annotations, PLANTED: {module: value}})


def _watched(
    pipeline: Pipeline,
    made: tuple[list[TargetDialogue], list[TargetDialogue], list[tuple[int, int]]],
    options: tuple[str, str, int, str, float],
    running: Running,
) -> PlantedErrors:
    wholes, changed_dialogues, planted = made
    module, source, latest, target, level = options
    given = {module: PLANTED}
    found = []
    for dialogues in (wholes, changed_dialogues):
        with PipelineEngine(pipeline, dialogues, running) as engine:
            wanted = targets_of(engine, target)
            run = judged_run(engine, given, FREE, wanted)
            ratio = run.ratio("recall", multiple=False)
            acts = [
                None
                if ran is None
                else acts_of(pipeline.last, ran.values[pipeline.last.name])
                for ran in run.repeats[0]
            ]
            found.append((acts, ratio))
            recipe = recipe_of(
                engine,
                FREE,
                target,
                module=module,
                planted=source,
                latest=latest,
                level=level,
            )
    (acts, (above, below)), (acts_then, (above_then, _)) = found
    first = np.cumsum([0, *(len(each.turns) for each in wholes)]).tolist()
    by_lag: dict[int, list[tuple[int, bool, float, float]]] = {}
    errors = []
    at = 0
    for (dialogue, number), each in zip(planted, changed_dialogues, strict=True):
        changed = []
        for later in range(len(each.turns) - number):
            here, then = first[dialogue] + number + later, at + number + later
            differs = acts[here] != acts_then[then]
            if differs:
                changed.append(later)
            if later <= latest:
                row = (dialogue, differs, above[here] - above_then[then], below[here])
                by_lag.setdefault(later, []).append(row)
        at += len(each.turns)
        errors.append(PlantedError(each.dialogue, tuple(changed)))
    return PlantedErrors(
        module=module,
        source=source,
        effects=tuple(
            _effect(later, rows, level) for later, rows in sorted(by_lag.items())
        ),
        errors=tuple(errors),
        without_effect=sum(not each.changed for each in errors),
        only_here=sum(each.changed == (0,) for each in errors),
        level=level,
        recipe=recipe,
    )


def _effect(
    later: int, rows: Sequence[tuple[int, bool, float, float]], level: float
) -> LaterEffect:
    cluster, changed, lost, acts = (np.array(each) for each in zip(*rows, strict=True))
    codes = np.unique(cluster, return_inverse=True)[1]
    n_turns, n_changed = len(rows), float(changed.sum())
    ends = ratio_interval(changed, np.ones(n_turns), codes, level, share=True)
    total = float(acts.sum())
    return LaterEffect(
        later=later,
        turns=n_turns,
        changed=Rate(n_changed, n_turns, n_changed / n_turns, *(ends or (None, None))),
        lost=float(lost.sum()) / total if total else None,
    )
