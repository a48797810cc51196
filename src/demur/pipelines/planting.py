"""How far an error reaches: one is planted, and the turns after it are watched."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from demur.arrays import Floats
from demur.decisions.declining import Rate
from demur.errors import InputError, shown
from demur.outcomes.target_dialogues import Failed, TargetDialogue, TargetTurn
from demur.pipelines.broken_modules import failed_notes
from demur.pipelines.engine import FREE, PipelineEngine
from demur.pipelines.matching import Acts, acts_of
from demur.pipelines.modules import Module, Pipeline
from demur.pipelines.recordings import check_reacts
from demur.pipelines.runs import (
    checked,
    inner_module,
    judged_run,
    rate_over,
    recipe_of,
    targets_of,
)
from demur.pipelines.turn_parts import PLANTED, Running
from demur.results import Column, Result, Table, count

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
        That come so much later; towards the end of dialogues there are fewer.
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
        Whose errors they are.
    source : str
        What was planted.
    effects : tuple of LaterEffect
        What errors do to their own turn, the next, and so on.
    errors : tuple of PlantedError
        One for each turn at which there is an error to plant.
    without_effect : int
        Errors that change no response at all.
    only_here : int
        Errors that change the response to their own turn and no later one.
    level : float
        Of intervals over dialogues.
    recipe : mapping
        How it came about; the signature is made of it.
    failed : int
        Turns that count in which a module broke, with and without errors planted.
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
    failed: int = 0

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
        return (Table.of("", _EFFECTS, self.effects),)

    @property
    def notes(self) -> tuple[str, ...]:
        """Turns in which a module broke."""
        return failed_notes(self.failed)


_EFFECTS: Final = (
    Column("later", "turns later", "count", "than the error; 0 is its own turn"),
    Column("turns", "", "count", "that there are"),
    Column(
        *("changed", "response changed", "percent", "turns with another response"),
        of="changed.share",
    ),
    Column(
        *("changed_interval", "interval", "percent", "of that, over dialogues"),
        of="changed.interval",
    ),
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
        What users said, and what should have come out; no two of one name.
    module : str
        Not the last one. It gives its targets at all other turns.
    source : str, optional
        Whose annotation is planted where it is not the target; nothing (the module
        declines) at every turn if left out.
    latest : int
        How many turns later are in the table; the errors have all.
    target : {"wizard", "reference_run"}
        As for `run_pipeline`.
    level : float
        Of intervals over dialogues.
    running : Running
        How many turns at a time, how often, and where steps are kept.

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
    dialogues = checked(where, pipeline, dialogues)
    of = inner_module(where, "module", pipeline, module)
    check_reacts(where, pipeline, module)
    if type(latest) is not int or latest < 0:
        raise InputError(where, "latest", "be a whole number", shown(latest))
    with PipelineEngine(pipeline, dialogues, running) as engine:
        if source is not None:
            engine.check_given(where, {module: source})
        targets_of(engine, target)
        recipe = recipe_of(
            engine,
            FREE,
            target,
            module=module,
            planted=source or NOTHING,
            latest=latest,
            level=level,
        )
    right = [_put_right(dialogue, module) for dialogue in dialogues]
    planted = _planted(dialogues, right, of, source)
    before, then = (
        _played(pipeline, played, module, target, running)
        for played in (right, [error.dialogue for error in planted])
    )
    errors, by_lag = _watched(planted, right, before, then)
    return PlantedErrors(
        module=module,
        source=source or NOTHING,
        effects=tuple(_effects(by_lag, latest, level)),
        errors=tuple(errors),
        without_effect=sum(not error.changed for error in errors),
        only_here=sum(error.changed == (0,) for error in errors),
        level=level,
        recipe=recipe,
        failed=before.failed + then.failed,
    )


class _Planted(NamedTuple):
    """A dialogue that is right but for one turn, and where it comes from."""

    place: int
    turn: int
    dialogue: TargetDialogue


class _Played(NamedTuple):
    """What came out: acts of each response, and how many target acts are in it.

    And in how many turns a module broke.
    """

    acts: list[Acts | None]
    above: Floats
    below: Floats
    failed: int


def _put_right(dialogue: TargetDialogue, module: str) -> TargetDialogue:
    turns = [
        _with(turn, module, turn.target.get(module, _MISSING))
        for turn in dialogue.turns
    ]
    return replace(dialogue, turns=turns)


def _planted(
    dialogues: Sequence[TargetDialogue],
    right: Sequence[TargetDialogue],
    of: Module,
    source: str | None,
) -> list[_Planted]:
    """For each error that there is, its dialogue with all other turns right."""
    planted = []
    for place, dialogue in enumerate(dialogues):
        for number, turn in enumerate(dialogue.turns):
            error = _error(of, turn, source)
            if error is not _MISSING and of.name in turn.target:
                turns = [*right[place].turns]
                turns[number] = _with(turn, of.name, error)
                name = f"{dialogue.dialogue}:{number + 1}"
                made = replace(dialogue, dialogue=name, turns=turns, removed=())
                planted.append(_Planted(place, number, made))
    if not planted:
        hint = "Where the source says what the target says there is none."
        raise InputError("plant_errors", "an error", "be there to plant", "none", hint)
    return planted


def _error(of: Module, turn: TargetTurn, source: str | None) -> Any:
    """What is planted at a turn; missing if there is no error to plant."""
    wanted = acts_of(of, turn.target.get(of.name))
    if source is None:
        return None if wanted else _MISSING
    value = turn.given_by(source).get(of.name, _MISSING)
    if value is _MISSING or isinstance(value, Failed):
        return value
    return _MISSING if acts_of(of, value) == wanted else value


def _with(turn: TargetTurn, module: str, value: Any) -> TargetTurn:
    if value is _MISSING:
        return turn
    return replace(turn, annotations={**turn.annotations, PLANTED: {module: value}})


def _played(
    pipeline: Pipeline,
    dialogues: Sequence[TargetDialogue],
    module: str,
    target: str,
    running: Running,
) -> _Played:
    with PipelineEngine(pipeline, dialogues, running) as engine:
        run = judged_run(engine, {module: PLANTED}, FREE, targets_of(engine, target))
    last = pipeline.last
    acts = [
        None if ran is None else acts_of(last, ran.values[last.name])
        for ran in run.repeats[0]
    ]
    return _Played(acts, *run.ratio("recall"), run.n_failed)


_Seen = tuple[int, bool, float, float]
"""Of a turn its dialogue, whether the response changed, acts lost, and target acts."""


def _watched(
    planted: Sequence[_Planted],
    right: Sequence[TargetDialogue],
    before: _Played,
    then: _Played,
) -> tuple[list[PlantedError], dict[int, list[_Seen]]]:
    """Which turns each error changes; and all turns by how much later they are."""
    # Where each right dialogue begins among all turns; planted ones follow one another.
    first = np.cumsum([0, *(len(dialogue.turns) for dialogue in right)]).tolist()
    by_lag: dict[int, list[_Seen]] = {}
    errors = []
    begin = 0
    for place, number, dialogue in planted:
        changed = []
        for later in range(len(dialogue.turns) - number):
            old, new = (start + number + later for start in (first[place], begin))
            differs = before.acts[old] != then.acts[new]
            if differs:
                changed.append(later)
            lost = before.above[old] - then.above[new]
            seen = (place, differs, lost, before.below[old])
            by_lag.setdefault(later, []).append(seen)
        begin += len(dialogue.turns)
        errors.append(PlantedError(dialogue.dialogue, tuple(changed)))
    return errors, by_lag


def _effects(
    by_lag: Mapping[int, Sequence[_Seen]], latest: int, level: float
) -> Iterator[LaterEffect]:
    for later in sorted(by_lag):
        if later <= latest:
            yield _effect(later, by_lag[later], level)


def _effect(later: int, rows: Sequence[_Seen], level: float) -> LaterEffect:
    columns = zip(*rows, strict=True)
    place, changed, lost, acts = (np.array(column) for column in columns)
    total = float(acts.sum())
    return LaterEffect(
        later=later,
        turns=len(rows),
        changed=rate_over((changed, np.ones(len(rows))), place, level),
        lost=float(lost.sum()) / total if total else None,
    )
