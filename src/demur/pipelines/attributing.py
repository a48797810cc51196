"""Which module is to blame: the loss of a pipeline shared among its modules."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.checks import check_level, choice
from demur.errors import InputError, shown
from demur.outcomes.target_dialogues import TARGET, TargetDialogue
from demur.pipelines.attributions import (
    HISTORY,
    WHAT_REMAINS,
    Attribution,
    ModuleErrors,
    PlayerShare,
    TurnBlame,
)
from demur.pipelines.broken_modules import RunOf, broken_modules
from demur.pipelines.engine import CORRECTED, FREE, Given, PipelineEngine
from demur.pipelines.matching import MEASURES, Wanted
from demur.pipelines.module_errors import observed_errors
from demur.pipelines.modules import Module, Pipeline
from demur.pipelines.never_right import never_right
from demur.pipelines.recordings import (
    no_reaction,
    reached,
    recorded_listeners,
    strayed_turns,
)
from demur.pipelines.remote_modules import unled_notes
from demur.pipelines.runs import (
    MATCHES,
    JudgedRun,
    checked,
    given_text,
    judged_run,
    rate_over,
    recipe_of,
    source_text,
    targets_of,
)
from demur.pipelines.shapley import Coalition, Plan, plan_of, valued
from demur.pipelines.turn_parts import Ran, Running
from demur.statistics.equal_units import equal_units
from demur.statistics.ratio_tests import Ratio
from demur.statistics.units import FEWEST_UNITS, left_out, t_interval


def attribute_loss(  # noqa: PLR0913  (what is better, how it is run, how measured)
    pipeline: Pipeline,
    dialogues: Sequence[TargetDialogue],
    *,
    better: Given | None = None,
    history: bool = True,
    given: Given | None = None,
    measure: str = "recall",
    match: str = "strict",
    target: str = "wizard",
    permutations: int | None = None,
    first: int = 10,
    level: float = 0.95,
    seed: int = 0,
    running: Running = Running(),  # noqa: B008  (frozen)
) -> Attribution:
    """Share what a pipeline loses among its modules, by Shapley values.

    Parameters
    ----------
    pipeline : Pipeline
    dialogues : sequence of TargetDialogue
        What users said, and what should have come out; no two of one name.
    better : mapping of module to source or Module, optional
        What takes the place of modules; the target of all modules but the last, if left
        out.
    history : bool
        Whether the turns before are to blame too: better is the corrected state, and
        now free-running. If not, all is in corrected state.
    given : mapping of module to source or Module, optional
        What takes the place of modules now.
    measure : {"recall", "precision", "exact"}
        Matched acts over target acts, over acts put out; turns with equal sets.
    match : {"strict", "multiple"}
        Against the target alone, or any acceptable output.
    target : {"wizard", "reference_run"}
        As for `run_pipeline`.
    permutations : int, optional
        Random orders; for up to five players all orders if left out, else 200.
    first : int
        How many turns to look at are listed.
    level : float
        Of intervals over dialogues.
    seed : int
        Of random orders.
    running : Running
        How many turns at a time, how often, and where steps are kept.

    Returns
    -------
    Attribution

    Raises
    ------
    InputError
        If a module or source is not known, or there is nothing to share.
    RunError
        If a module fails from the start.

    Notes
    -----
    With k players the pipeline is run 2^k times. What a module adds depends on the
    others, so its share stands between what it adds alone and what it adds last, which
    may be far apart. Only turns that count in every run are used.

    A recorded module says the same whatever it would hear. So the share of a module
    that it hears is not defined: it is None, with a reason, and with bounds for all
    that the recorded module might have said. Nor is that of history, but in dialogues
    of one turn.

    References
    ----------
    Shapley (1953). That history is a player, and that people's annotations stand for
    better modules, is ours.

    Examples
    --------
    >>> import demur
    >>> turns = [
    ...     demur.TargetTurn(input=word, target={"nlu": word, "dm": [f"re.{word}"]})
    ...     for word in ("yes", "no")]
    >>> nlu = demur.as_module(lambda text: None, name="nlu")
    >>> dm = demur.as_module(lambda act: act and [f"re.{act}"], name="dm")
    >>> pipeline = demur.Pipeline.of([nlu, dm])
    >>> found = demur.attribute_loss(pipeline, [demur.TargetDialogue("d1", turns)])
    >>> [(each.name, each.shapley) for each in found.shares]
    [('nlu', 1.0), ('history', 0.0)]
    """
    where = "attribute_loss"
    dialogues = checked(where, pipeline, dialogues)
    how = _how_measured(measure, match, level)
    if type(first) is not int or first < 0:
        raise InputError(where, "first", "be a whole number", shown(first))
    with PipelineEngine(pipeline, dialogues, running) as engine:
        game = _game(engine, better, given, history=history)
        wanted = targets_of(engine, target)
        plan = plan_of(len(game.names), permutations, seed)
        runs = list(_runs(engine, plan, game, wanted))
        coalitions = _Values(engine.pipeline, plan, game, runs, (measure, match))
        evidence = _evidence(engine, coalitions, wanted, match, level)
        recipe = recipe_of(
            engine,
            game.states,
            target,
            better=given_text(game.gains),
            given=given_text(game.fixed),
            first=first,
            **how,
            **plan.recipe,
        )
    return Attribution(
        **how,
        **coalitions.worths(level),
        shares=tuple(_shares(coalitions, level)),
        first=tuple(_first(coalitions, first)),
        orders=None if plan.orders is None else len(plan.orders),
        recipe=recipe,
        failed=max(run.n_failed for run in runs),
        broke=broken_modules(_ran(runs, plan, game)),
        **evidence,
    )


def _how_measured(measure: str, match: str, level: float) -> dict[str, Any]:
    choice("attribute_loss", "measure", measure, MEASURES)
    choice("attribute_loss", "match", match, MATCHES)
    check_level("attribute_loss", level)
    return {"measure": measure, "match": match, "level": level}


class _Game(NamedTuple):
    """Who gets better by what, and what stands in the place of modules in any case.

    ``states`` are of nobody and of all. ``rest`` is the last module, if it alone stays
    as it is with all players.
    """

    gains: Given
    fixed: Given
    names: list[str]
    states: str
    rest: str

    def taken(self, coalition: Coalition) -> dict[str, str | Module]:
        """What takes the place of the modules that are better in a coalition."""
        return {
            n: by for at, (n, by) in enumerate(self.gains.items()) if at in coalition
        }

    def state(self, coalition: Coalition) -> str:
        """The state that a coalition is run in."""
        plays = len(self.names) > len(self.gains)
        return FREE if plays and len(self.gains) not in coalition else CORRECTED


def _game(
    engine: PipelineEngine, better: Given | None, given: Given | None, *, history: bool
) -> _Game:
    """The players; refuses what is not known, or a game of nobody."""
    gains = dict(better) if better is not None else _targets(engine)
    fixed = dict(given or {})
    for replaced in (gains, fixed):
        engine.check_given("attribute_loss", replaced)
    names = [*gains, *([HISTORY] if history else [])]
    if not names:
        hint = "Give modules better sources, or leave better out."
        raise InputError("attribute_loss", "better", "hold a module", "none", hint)
    states = "free to corrected" if history else CORRECTED
    right = {name for name, by in {**gains, **fixed}.items() if by == TARGET}
    last, before = engine.pipeline.last.name, set(engine.pipeline.names[:-1])
    return _Game(gains, fixed, names, states, last if right == before else "")


def _runs(
    engine: PipelineEngine, plan: Plan, game: _Game, wanted: Wanted
) -> Iterator[JudgedRun]:
    """The run of each coalition, in which its players are better."""
    for coalition in plan.coalitions:
        given, state = {**game.fixed, **game.taken(coalition)}, game.state(coalition)
        run = judged_run(engine, given, state, wanted)
        if state == CORRECTED:
            strayed = np.tile(strayed_turns(engine, given), len(run.repeats))
            run = replace(run, unknown=run.unknown | strayed)
        yield run


def _ran(runs: Sequence[JudgedRun], plan: Plan, game: _Game) -> Iterator[RunOf]:
    """What came out of each coalition's run, with what was better in it."""
    for coalition, run in zip(plan.coalitions, runs, strict=True):
        yield run.run_of(game.taken(coalition), game.state(coalition))


def _targets(engine: PipelineEngine) -> dict[str, str | Module]:
    names = engine.pipeline.names[:-1]
    return {name: TARGET for name in names if TARGET in engine.sources(name)[:1]}


class _Values:
    """What each coalition is worth, and how turns have a part in it.

    Rows of ``above``, ``below`` and ``unknown`` are coalitions, columns turns; turns
    that some run leaves out are 0. ``alike`` has parts of the turns: coalitions with
    the same number differ in players that nobody hears there, and are worth the same.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        plan: Plan,
        game: _Game,
        runs: Sequence[JudgedRun],
        how: tuple[str, str],
    ) -> None:
        counted = np.array([run.matched.counted for run in runs])
        self.plan, self.game = plan, game
        self.run = runs[0]
        self.used: Flags = np.asarray(counted.all(axis=0))
        self.left_out = int((counted.any(axis=0) & ~self.used).sum())
        ratios: list[Ratio] = [run.ratio(*how) for run in runs]
        self.above, self.below = (
            np.array([np.where(self.used, ratio[side], 0.0) for ratio in ratios])
            for side in (0, 1)
        )
        self.totals = self.below.sum(axis=1)
        if not self.totals.all():
            need = "count in every run"
            hint = "A source may say nothing, or a run put nothing out (take recall)."
            raise InputError("attribute_loss", "some turns", need, "none", hint)
        self.worth = self.above.sum(axis=1) / self.totals
        self.unknown = np.array([run.unknown for run in runs]) & self.used
        self.bounded = how[0] != "precision"  # whose denominator is not known either
        self.why = no_reaction(recorded_listeners(pipeline, game.fixed))
        self.alike = list(self._alike(pipeline)) if self.unknown.any() else None

    def _alike(self, pipeline: Pipeline) -> Iterator[tuple[Flags, Positions]]:
        """The first turns of dialogues and the others, with the coalitions' numbers.

        What differs between coalitions of one number is not heard: what comes through
        to nobody, and at first turns history.
        """
        first = np.tile(
            np.diff(self.run.cluster[: len(self.run.places)], prepend=-1) != 0,
            len(self.run.repeats),
        )
        for turns, silent in ((first, {HISTORY}), (~first, set[str]())):
            numbers: dict[Coalition, int] = {}
            alike = []
            for coalition in self.plan.coalitions:
                given = {*self.game.fixed, *(self.game.names[at] for at in coalition)}
                heard = frozenset(
                    player
                    for player in coalition
                    if (name := self.game.names[player]) not in silent
                    and (name == HISTORY or reached(pipeline, [name], given))
                )
                alike.append(numbers.setdefault(heard, len(numbers)))
            yield turns, np.array(alike)

    def value(self, coefficients: Floats) -> "_Worth":
        """A sum over coalitions; bounds of it where one of them is not known."""
        parts = [self._bounds(coefficients, *part) for part in self.alike or ()]
        if all(low == high for low, high in parts):
            value = float(coefficients @ self.worth)
            return _Worth(value if abs(value) > _ROUNDING else 0.0, None, "")
        if not self.bounded:
            return _Worth(None, None, self.why)
        low, high = (sum(ends) for ends in zip(*parts, strict=True))
        return _Worth(None, (low, high), self.why)

    def _bounds(
        self, coefficients: Floats, turns: Flags, alike: Positions
    ) -> tuple[float, float]:
        """The least and the most that some turns add to a sum over coalitions."""
        # Summed first: what is not known may cancel out, as it does for who is unheard.
        merged = np.bincount(alike, coefficients)
        once = np.unique(alike, return_index=True)[1]
        hidden = self.unknown[np.ix_(once, turns)]
        above, below = self.above[np.ix_(once, turns)], self.below[np.ix_(once, turns)]
        ends = (np.where(hidden, value, above).sum(axis=1) for value in (0.0, below))
        least, most = (end / self.totals[once] for end in ends)
        open_ = np.where(np.abs(merged) > _ROUNDING, merged, 0.0)
        up, down = np.maximum(open_, 0.0), np.minimum(open_, 0.0)
        return float(up @ least + down @ most), float(up @ most + down @ least)

    def coefficients(self, *signed: tuple[float, Iterable[int]]) -> Floats:
        """Those of a sum of a few coalitions."""
        row = np.zeros(len(self.plan.coalitions))
        for sign, players in signed:
            row[self.plan.coalitions.index(frozenset(players))] += sign
        return row

    def worths(self, level: float) -> dict[str, Any]:
        """What the pipeline is worth as it is, with all players, and with some."""
        everybody = range(len(self.game.names))
        best = self.value(self.coefficients((1.0, everybody))).value
        return {
            "now": self.value(self.coefficients((1.0, ()))).value,
            "better": best,
            "remaining": None if best is None else 1 - best,
            "remains": self._remains(level),
            "values": tuple(self._named()),
            "items": int(self.used.sum()),
            "acceptable": int((self.used & self.run.matched.only_acceptable).sum()),
            "left_out": self.left_out,
        }

    def _named(self) -> Iterator[tuple[tuple[str, ...], float | None]]:
        """Each coalition by the names of its players, and what it is worth."""
        names = self.game.names
        hidden = np.asarray(self.unknown.any(axis=1))
        for at, coalition in enumerate(self.plan.coalitions):
            value = None if hidden[at] else float(self.worth[at])
            yield tuple(names[player] for player in sorted(coalition)), value

    def _remains(self, level: float) -> PlayerShare | None:
        """What is lost with all players, if that is the share of the last module."""
        name = self.game.rest
        if not name:
            return None
        everybody = frozenset(range(len(self.game.names)))
        value = self.value(self.coefficients((-1.0, everybody)))
        at = self.plan.coalitions.index(everybody)
        below, lost = self.below[at], self.below[at] - self.above[at]
        rate = rate_over((lost, below), self.run.cluster, level)  # from 0 to 1
        return PlayerShare(
            name=name,
            better=WHAT_REMAINS,
            shapley=None if value.value is None else 1 + value.value,
            low=rate.low if value.known else None,
            high=rate.high if value.known else None,
            alone=None,
            last=None,
            sampling_error=None,
            at_least=None if value.bounds is None else 1 + value.bounds[0],
            at_most=None if value.bounds is None else 1 + value.bounds[1],
            why_undefined=value.why,
        )

    def intervals(
        self, level: float, coefficients: Floats
    ) -> list[tuple[float | None, float | None]]:
        """The intervals of sums over coalitions, over dialogues."""
        used = self.below.any(axis=0)
        cluster = np.unique(self.run.cluster[used], return_inverse=True)[1]
        n_units = int(cluster.max()) + 1
        if n_units < FEWEST_UNITS:
            return [(None, None)] * len(coefficients)
        # A Shapley value is a sum over coalitions, so what leaving a dialogue out moves
        # is the same sum of what it moves in each.
        moved = np.zeros((len(coefficients), n_units))
        for at, total in enumerate(self.totals):
            influence = (self.above[at] - self.worth[at] * self.below[at])[used] / total
            weight = self.below[at][used]
            if np.bincount(cluster, weight).max() < total:  # else one has all acts
                moved += coefficients[:, [at]] * left_out(influence, weight, cluster)
        values = coefficients @ self.worth
        counts = (self.below[:, used] / self.totals[:, None]).sum(axis=0)
        worth = equal_units(counts, cluster)
        return [
            t_interval(float(value), moves, level=level, worth=worth)
            for value, moves in zip(values, moved, strict=True)
        ]


class _Worth(NamedTuple):
    """A number, or the bounds of one that is not known, and why it is not."""

    value: float | None
    bounds: tuple[float, float] | None
    why: str

    @property
    def known(self) -> bool:
        """Whether there is a number."""
        return self.value is not None


def _shares(coalitions: _Values, level: float) -> Iterator[PlayerShare]:
    plan, game = coalitions.plan, coalitions.game
    values = valued(plan, coalitions.worth)
    intervals = coalitions.intervals(level, plan.coefficients)
    everybody = frozenset(range(len(game.names)))
    for at, (name, sampled) in enumerate(zip(game.names, values, strict=True)):
        share = coalitions.value(plan.coefficients[at])
        alone = coalitions.coefficients((1.0, [at]), (-1.0, ()))
        last = coalitions.coefficients((1.0, everybody), (-1.0, everybody - {at}))
        low, high = share.bounds or (None, None)
        yield PlayerShare(
            name=name,
            better=_AS_IT_SHOULD if name == HISTORY else source_text(game.gains[name]),
            shapley=share.value,
            low=intervals[at][0] if share.known else None,
            high=intervals[at][1] if share.known else None,
            alone=coalitions.value(alone).value,
            last=coalitions.value(last).value,
            sampling_error=sampled.sampling_error if share.known else None,
            at_least=low,
            at_most=high,
            why_undefined=share.why,
        )


def _evidence(
    engine: PipelineEngine,
    coalitions: _Values,
    wanted: Wanted,
    match: str,
    level: float,
) -> dict[str, Any]:
    """What is seen of modules by themselves, beside the shares."""
    fixed = coalitions.game.fixed
    ran = _judged_by_itself(engine, coalitions)
    observed, first_p = _module_errors(engine, coalitions, wanted, match, level)
    return {
        "observed": observed,
        "first_p": first_p,
        "never_right": tuple(never_right(engine, ran, fixed)),
        "remarks": tuple(unled_notes(engine.running_modules(fixed))),
    }


def _module_errors(
    engine: PipelineEngine,
    coalitions: _Values,
    wanted: Wanted,
    match: str,
    level: float,
) -> tuple[tuple[ModuleErrors, ...], float | None]:
    """Which modules are wrong: in the log if only that tells, else in corrected state.

    A module that is put right covers up what those before it got wrong, so a share says
    nothing of its own errors. Nothing if some modules have no targets.
    """
    ran = _judged_by_itself(engine, coalitions)
    if coalitions.alike is not None:
        return observed_errors(engine, wanted, match, level, ran=ran)
    unused = ~coalitions.used[: len(engine.turns)]  # of the first repeat
    try:
        out = unused | strayed_turns(engine, coalitions.game.fixed)
        errors, p_value = observed_errors(
            engine, wanted, match, level, ran=ran, out=out
        )
    except InputError:  # targets that no comparator reads are only handed on
        return (), None
    return (errors, p_value) if errors[0].given_right.base else ((), None)


def _judged_by_itself(engine: PipelineEngine, coalitions: _Values) -> Ran:
    """The run in which each module is judged by itself: the log, or corrected state."""
    if coalitions.alike is not None:
        return engine.as_recorded()
    return engine.ran(coalitions.game.fixed, CORRECTED)


_AS_IT_SHOULD: Final = "as it should be"
_ROUNDING: Final = 1e-12


def _first(coalitions: _Values, first: int) -> Iterator[TurnBlame]:
    """The turns that lose most, each with the player to blame for most of it."""
    places, totals = coalitions.run.places, coalitions.totals
    rows = [c for c in coalitions.plan.coefficients if coalitions.value(c).known]
    if not rows:
        return
    names = [
        name
        for name, c in zip(
            coalitions.game.names, coalitions.plan.coefficients, strict=True
        )
        if coalitions.value(c).known
    ]
    by_row = np.array(rows) @ (coalitions.above / totals[:, None])
    # Rows are repeats of the turns one after another; a turn loses their mean, in acts.
    lost = by_row.reshape(len(names), -1, len(places)).mean(axis=1) * totals[0]
    for at in np.argsort(-lost.max(axis=0), kind="stable")[:first].tolist():
        most = int(lost[:, at].argmax())
        if lost[most, at] <= 1e-12:  # what rounding leaves of nothing
            return
        yield TurnBlame(
            turn=places[at],
            name=names[most],
            lost=float(lost[most, at]),
            shares=dict(zip(names, lost[:, at].tolist(), strict=True)),
        )
