"""Which module is to blame: the loss of a pipeline shared among its modules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats
from demur.checks import choice
from demur.errors import InputError, shown
from demur.pipelines.engine import CORRECTED, FREE, Given, PipelineEngine
from demur.pipelines.matching import MEASURES
from demur.pipelines.modules import Module, Pipeline
from demur.pipelines.runs import (
    MATCHES,
    JudgedRun,
    common,
    given_text,
    judged_run,
    recipe_of,
    source_text,
    targets_of,
)
from demur.pipelines.shapley import Coalition, Plan, plan_of, valued
from demur.pipelines.target_dialogues import TARGET, TargetDialogue
from demur.pipelines.turn_parts import Running
from demur.results import Column, Figure, FigureKind, Result, Table
from demur.statistics.units import FEWEST_UNITS, check_level, left_out, t_interval

HISTORY: Final = "history"
"""The player whose turns came before: as they should have been, or as they were."""


@dataclass(frozen=True, eq=False, repr=False)
class PlayerShare(Result):
    """What a better module, or history, would add to a pipeline.

    Parameters
    ----------
    name : str
        A module, or ``history``.
    better : str
        What would take its place.
    shapley : float
        Its share of the whole gain, in the units of the measure.
    low, high : float or None
        Interval of it over dialogues; None with fewer than five.
    alone : float
        What it adds if nothing else gets better.
    last : float
        What it adds if all others are better already.
    sampling_error : float or None
        Standard error that comes of sampled orders.
    """

    SAYS = "{shapley} of all is lost by {name}, and truly from {low} to {high}."

    name: str
    better: str
    shapley: float
    low: float | None
    high: float | None
    alone: float
    last: float
    sampling_error: float | None


@dataclass(frozen=True, eq=False, repr=False)
class TurnBlame(Result):
    """How much a turn loses, and to which module.

    Parameters
    ----------
    turn : str
        ``DIALOGUE:TURN``.
    name : str
        The module, or history, that loses the most here.
    lost : float
        By it, in acts (in turns for the measure ``exact``).
    shares : mapping of name to float
        What each of them loses.
    """

    SAYS = "Turn {turn} loses most by {name}: {lost}."

    turn: str
    name: str
    lost: float
    shares: Mapping[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class Attribution(Result):
    """The gain from a pipeline to a better one, shared. `attribute_loss` makes it.

    Parameters
    ----------
    measure, match : str
    now, better : float
        The measure of the pipeline as it is, and with all that would be better.
    remaining : float
        What is lost even so: by the modules that nothing takes the place of.
    shares : tuple of PlayerShare
        They add up to better - now.
    values : tuple of (names, value)
        The measure with just these better.
    first : tuple of TurnBlame
        The turns to look at first, those that lose most before.
    items : int
        Turns that count in every run.
    left_out : int
        Turns that count in some runs only, since a source says nothing there.
    level : float
    orders : int or None
        Sampled orders; None if all were gone through.
    recipe : mapping
    """

    KINDS = (
        FigureKind(
            *("blame_*", "the share of the loss", "number", -1.0), better="lower"
        ),
    )

    measure: str
    match: str
    now: float
    better: float
    remaining: float
    shares: tuple[PlayerShare, ...]
    values: tuple[tuple[tuple[str, ...], float], ...]
    first: tuple[TurnBlame, ...]
    items: int
    left_out: int
    level: float
    orders: int | None
    recipe: Mapping[str, str] = field(repr=False)

    def sentence(self) -> str:
        """Which module is to blame, and what all of them better would give."""
        gain = self.better - self.now
        start = (
            f"{100 * self.now:.1f} % now, {100 * self.better:.1f} % with all of these "
            f"better ({self.measure}, {self.match}; {self.items:,} turns)"
        )
        most = max(self.shares, key=lambda share: share.shapley, default=None)
        if most is None or most.shapley <= 0:
            return f"No module is to blame: {start}."
        ends = ""
        if most.low is not None and most.high is not None:
            interval = f"{100 * most.low:+.1f} to {100 * most.high:+.1f}"
            ends = f" ({100 * self.level:g} % interval {interval})"
        sure = "" if most.low is None or most.low > 0 else ", which luck may explain"
        return (
            f"{most.name} is most to blame: {100 * most.shapley:+.1f} of "
            f"{100 * gain:+.1f} points{ends}{sure}. {start}."
        )

    def figures(self) -> Iterator[Figure]:
        """The share of each module, such as blame_nlu."""
        words = f"{100 * self.level:g} % interval"
        for share in self.shares:
            ends = words if share.low is not None else ""
            name = f"blame_{share.name}"
            value = share.shapley, share.low, share.high
            yield Figure(self.KINDS[0], *value, interval=ends, name=name)

    def tables(self) -> tuple[Table, Table]:
        """What each module would add; the turns to look at first."""
        blame = [
            (
                share.name,
                share.better,
                share.shapley,
                None if share.low is None else (share.low, share.high),
                share.alone,
                share.last,
                share.sampling_error,
            )
            for share in sorted(self.shares, key=lambda share: -share.shapley)
        ]
        turns = [(turn.turn, turn.name, turn.lost) for turn in self.first]
        unit = "turns" if self.measure == "exact" else "acts"
        sampled = _BLAME if self.orders is not None else _BLAME[:-1]
        rows = tuple(row[: len(sampled)] for row in blame)
        return (
            Table("Where the loss comes from", sampled, rows),
            Table(f"Turns to look at first ({unit} lost)", _TURNS, tuple(turns)),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What is lost even then, and what is left out."""
        orders = "all orders" if self.orders is None else f"{self.orders} random orders"
        notes = [
            f"{100 * self.remaining:.2f} points are lost even with all of these better",
            f"Shapley values over {orders}",
        ]
        if self.left_out:
            notes.append(
                f"left out: {self.left_out:,} turns that some source leaves out"
            )
        return tuple(notes)


_BLAME: Final = (
    Column("to_blame"),
    Column("better", explained="what would take its place"),
    Column(
        "shapley",
        "Shapley",
        "percent",
        "points of the gain that are its share",
        digits=2,
    ),
    Column(
        "interval", cells="percent", explained="of the share, over dialogues", digits=2
    ),
    Column("alone", "", "percent", "points if nothing else gets better", digits=2),
    Column("last", "", "percent", "points if all others are better", digits=2),
    Column(
        "sampling_error", "", "percent", "standard error by sampled orders", digits=2
    ),
)
_TURNS: Final = (
    *(Column("turn"), Column("to_blame")),
    Column("lost", "", "number", "by the one to blame", digits=2),
)


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
    better : mapping of module to source or Module, optional
        What takes the place of modules; the target of all modules but the last, if left
        out.
    history : bool
        Whether the turns before are to blame too: better is the corrected state, and
        now free-running. If not, all is in corrected state.
    given : mapping of module to source or Module, optional
        What takes the place of modules now.
    measure : {"recall", "precision", "exact"}
    match : {"strict", "multiple"}
    target : {"wizard", "reference_run"}
    permutations : int, optional
        Random orders; for up to five players all orders if left out, else 200.
    first : int
        How many turns to look at are listed.
    level : float
        Of intervals over dialogues.
    seed : int
        Of random orders.
    running : Running

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
    checks.of_kind(where, "pipeline", pipeline, Pipeline)
    dialogues = checks.all_of_kind(where, "dialogues", dialogues, TargetDialogue)
    choice(where, "measure", measure, MEASURES)
    choice(where, "match", match, MATCHES)
    check_level(where, level)
    if type(first) is not int or first < 0:
        raise InputError(where, "first", "be a whole number", shown(first))
    fixed = dict(given or {})
    with PipelineEngine(pipeline, dialogues, running) as engine:
        gains = dict(better) if better is not None else _targets(engine)
        for each in (gains, fixed):
            engine.check_given(where, each)
        names = [*gains, *([HISTORY] if history else [])]
        if not names:
            hint = "Give modules better sources, or leave better out."
            raise InputError(where, "better", "hold a module", "none", hint)
        wanted = targets_of(engine, target)
        plan = plan_of(len(names), permutations, seed)

        def run(coalition: Coalition) -> JudgedRun:
            taken = {n: gains[n] for at, n in enumerate(gains) if at in coalition}
            corrected = not history or len(gains) in coalition
            state = CORRECTED if corrected else FREE
            return judged_run(engine, {**fixed, **taken}, state, wanted)

        runs = [_Counts.of(run(each), measure, match) for each in plan.coalitions]
        return _attribution(
            engine,
            plan,
            runs,
            (gains, fixed),
            names,
            (measure, match, level, first, target),
        )


def _targets(engine: PipelineEngine) -> dict[str, str | Module]:
    names = engine.pipeline.names[:-1]
    return {name: TARGET for name in names if TARGET in engine.sources(name)[:1]}


@dataclass(frozen=True, slots=True)
class _Counts:
    """What is kept of a run."""

    above: Floats
    below: Floats
    counted: Flags
    run: JudgedRun

    @classmethod
    def of(cls, run: JudgedRun, measure: str, match: str) -> "_Counts":
        above, below = run.ratio(measure, multiple=match == "multiple")
        return cls(above, below, run.matched.counted, run)


def _attribution(
    engine: PipelineEngine,
    plan: Plan,
    runs: Sequence[_Counts],
    given: tuple[Given, Given],
    names: Sequence[str],
    options: tuple[str, str, float, int, str],
) -> Attribution:
    measure, match, level, first, target = options
    gains, fixed = given
    used = common([each.run for each in runs])
    some = np.logical_or.reduce([each.counted for each in runs])
    above = np.array([np.where(used, each.above, 0.0) for each in runs])
    below = np.array([np.where(used, each.below, 0.0) for each in runs])
    totals = below.sum(axis=1)
    if not totals.all():
        must = "count in every run"
        hint = "A source may say nothing, or a run put nothing out (take recall)."
        raise InputError("attribute_loss", "some turns", must, "none", hint)
    worth = above.sum(axis=1) / totals
    by_turn = plan.coefficients @ (above / totals[:, None])
    intervals = _intervals(plan, (above, below, worth, totals), runs[0].run, level)
    whole = frozenset(range(len(names)))
    end = float(worth[plan.coalitions.index(whole)])
    shares = tuple(
        PlayerShare(
            name=name,
            better="as it should be" if name == HISTORY else source_text(gains[name]),
            shapley=each.value,
            low=ends[0],
            high=ends[1],
            alone=each.alone,
            last=each.last,
            sampling_error=each.sampling_error,
        )
        for name, each, ends in zip(names, valued(plan, worth), intervals, strict=True)
    )
    now = float(worth[plan.coalitions.index(frozenset())])
    return Attribution(
        measure=measure,
        match=match,
        now=now,
        better=end,
        remaining=1 - end,
        shares=shares,
        values=tuple(
            (tuple(names[p] for p in sorted(each)), float(value))
            for each, value in zip(plan.coalitions, worth, strict=True)
        ),
        first=_first(by_turn, float(totals[0]), names, runs[0].run, first),
        items=int(used.sum()),
        left_out=int((some & ~used).sum()),
        level=level,
        orders=None if plan.orders is None else len(plan.orders),
        recipe=recipe_of(
            engine,
            "free to corrected" if HISTORY in names else CORRECTED,
            target,
            better=given_text(gains),
            given=given_text(fixed),
            measure=measure,
            match=match,
            first=first,
            level=level,
            **plan.recipe,
        ),
    )


def _intervals(
    plan: Plan,
    amounts: tuple[Floats, Floats, Floats, Floats],
    run: JudgedRun,
    level: float,
) -> list[tuple[float | None, float | None]]:
    """Intervals of the Shapley values, which are sums of ratios, over dialogues."""
    above, below, worth, totals = amounts
    used = below.any(axis=0)
    cluster = np.unique(run.cluster[used], return_inverse=True)[1]
    n_units = int(cluster.max()) + 1
    if n_units < FEWEST_UNITS:
        return [(None, None)] * len(plan.coefficients)
    moved = np.zeros((len(plan.coefficients), n_units))
    for at, total in enumerate(totals):
        influence = (above[at] - worth[at] * below[at])[used] / total
        weight = below[at][used]
        if np.bincount(cluster, weight).max() < total:
            moved += plan.coefficients[:, [at]] * left_out(influence, weight, cluster)
    values = plan.coefficients @ worth
    return [
        t_interval(float(value), each, level=level)
        for value, each in zip(values, moved, strict=True)
    ]


def _first(
    by_turn: Floats, total: float, names: Sequence[str], run: JudgedRun, first: int
) -> tuple[TurnBlame, ...]:
    """The turns that lose most to a module, in acts."""
    n_turns = len(run.places)
    lost = by_turn.reshape(len(names), -1, n_turns).mean(axis=1) * total
    order = np.argsort(-lost.max(axis=0), kind="stable")
    found = []
    for at in islice(order.tolist(), first):
        most = int(lost[:, at].argmax())
        if lost[most, at] <= 1e-12:
            break
        found.append(
            TurnBlame(
                turn=run.places[at],
                name=names[most],
                lost=float(lost[most, at]),
                shares=dict(zip(names, lost[:, at].tolist(), strict=True)),
            )
        )
    return tuple(found)
