"""Which module is to blame: the loss of a pipeline shared among its modules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from demur.checks import check_level, choice
from demur.errors import InputError, shown
from demur.outcomes.target_dialogues import TARGET, TargetDialogue
from demur.pipelines.engine import CORRECTED, FREE, Given, PipelineEngine
from demur.pipelines.matching import MEASURES, Wanted
from demur.pipelines.modules import Module, Pipeline
from demur.pipelines.runs import (
    MATCHES,
    JudgedRun,
    checked,
    failed_notes,
    given_text,
    judged_run,
    recipe_of,
    source_text,
    targets_of,
)
from demur.pipelines.shapley import Plan, plan_of, valued
from demur.pipelines.turn_parts import Running
from demur.results import (
    Column,
    Contender,
    Figure,
    FigureKind,
    Result,
    Standings,
    Table,
    ends_of,
)
from demur.statistics.equal_units import equal_units
from demur.statistics.ratio_tests import Ratio
from demur.statistics.units import FEWEST_UNITS, left_out, t_interval

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

    interval = property(ends_of)

    @property
    def value(self) -> float:
        """The share, as what has an interval names it."""
        return self.shapley


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
        As they were asked for.
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
        Of the intervals of shares.
    orders : int or None
        Sampled orders; None if all were gone through.
    recipe : mapping
        How it came about; the signature is made of it.
    failed : int
        Turns that count in which a module broke, in the run with most of them.
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
    failed: int = 0

    def sentence(self) -> str:
        """Which module is to blame, and what all of them better would give."""
        gain = self.better - self.now
        start = (
            f"{100 * self.now:.1f} % now, {100 * self.better:.1f} % with all of these "
            f"better ({self.measure}, {self.match}; {self.items:,} turns)"
        )
        ranking = Standings(
            (Contender(s.name, s.shapley, s.shapley) for s in self.shares),
            better="higher",
            shown=lambda value, more: f"{100 * value:+.{1 + more}f}",
        )
        most = [share for share in self.shares if share.name == ranking.names()]
        if not ranking.best or (ranking.best[0].low or 0.0) <= 0:
            return f"No module is to blame: {start}."
        blamed = ranking.who(
            *("is most to blame", "are most to blame", "the greatest blame"),
            what="modules",
        )
        ends = sure = apiece = ""
        if not most:  # several share the place
            apiece = " each"
        elif most[0].interval is not None:
            interval = " to ".join(f"{100 * end:+.1f}" for end in most[0].interval)
            ends = f" ({100 * self.level:g} % interval {interval})"
        if most and most[0].low is not None and most[0].low <= 0:
            sure = ", which luck may explain"
        return (
            f"{blamed}: {ranking.value} of {100 * gain:+.1f} points"
            f"{apiece}{ends}{sure}. {start}."
        )

    def figures(self) -> Iterator[Figure]:
        """The share of each module, such as blame_nlu."""
        for share in self.shares:
            yield self.figure_of(self.KINDS[0], share, name=f"blame_{share.name}")

    def tables(self) -> tuple[Table, Table]:
        """Who is to blame for how much, and the turns to look at first."""
        unit = "turns" if self.measure == "exact" else "acts"
        columns = _BLAME if self.orders is not None else _BLAME[:-1]
        shares = sorted(self.shares, key=lambda share: -share.shapley)
        return (
            Table.of("Where the loss comes from", columns, shares),
            Table.of(f"Turns to look at first ({unit} lost)", _TURNS, self.first),
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
        return (*notes, *failed_notes(self.failed))


_BLAME: Final = (
    Column("to_blame", of="name"),
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
    *(Column("turn"), Column("to_blame", of="name")),
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
        gains, fixed = _replacements(engine, better, given)
        names = _players(gains, history=history)
        wanted = targets_of(engine, target)
        plan = plan_of(len(names), permutations, seed)
        runs = list(_runs(engine, plan, (gains, fixed), wanted))
        recipe = recipe_of(
            engine,
            "free to corrected" if history else CORRECTED,
            target,
            better=given_text(gains),
            given=given_text(fixed),
            first=first,
            **how,
            **plan.recipe,
        )
    coalitions = _Values(plan, runs, [run.ratio(measure, match) for run in runs])
    return Attribution(
        **how,
        **_worths(coalitions, names),
        shares=tuple(_shares(coalitions, gains, names, level)),
        first=tuple(_first(coalitions, names, first)),
        items=int(coalitions.used.sum()),
        left_out=coalitions.left_out,
        orders=None if plan.orders is None else len(plan.orders),
        recipe=recipe,
        failed=max(run.n_failed for run in runs),
    )


def _how_measured(measure: str, match: str, level: float) -> dict[str, Any]:
    choice("attribute_loss", "measure", measure, MEASURES)
    choice("attribute_loss", "match", match, MATCHES)
    check_level("attribute_loss", level)
    return {"measure": measure, "match": match, "level": level}


def _replacements(
    engine: PipelineEngine, better: Given | None, given: Given | None
) -> tuple[Given, Given]:
    """What takes the place of players that are better, and of modules in any case."""
    gains = dict(better) if better is not None else _targets(engine)
    fixed = dict(given or {})
    for replaced in (gains, fixed):
        engine.check_given("attribute_loss", replaced)
    return gains, fixed


def _worths(coalitions: "_Values", names: Sequence[str]) -> dict[str, Any]:
    """What the pipeline is worth as it is, with all players, and with some of them."""
    best = coalitions.worth_of(range(len(names)))
    return {
        "now": coalitions.worth_of(()),
        "better": best,
        "remaining": 1 - best,
        "values": tuple(coalitions.named(names)),
    }


def _runs(
    engine: PipelineEngine, plan: Plan, given: tuple[Given, Given], wanted: Wanted
) -> Iterator[JudgedRun]:
    """The run of each coalition, in which its players are better."""
    gains, fixed = given
    n_players = len(plan.coefficients)
    for coalition in plan.coalitions:
        taken = {name: gains[name] for at, name in enumerate(gains) if at in coalition}
        corrected = n_players == len(gains) or len(gains) in coalition
        state = CORRECTED if corrected else FREE
        yield judged_run(engine, {**fixed, **taken}, state, wanted)


def _players(gains: Given, *, history: bool) -> list[str]:
    names = [*gains, *([HISTORY] if history else [])]
    if not names:
        hint = "Give modules better sources, or leave better out."
        raise InputError("attribute_loss", "better", "hold a module", "none", hint)
    return names


def _targets(engine: PipelineEngine) -> dict[str, str | Module]:
    names = engine.pipeline.names[:-1]
    return {name: TARGET for name in names if TARGET in engine.sources(name)[:1]}


class _Values:
    """What each coalition is worth, and how turns have a part in it.

    Rows of ``above`` and ``below`` are coalitions, columns turns; turns that some run
    leaves out are 0.
    """

    def __init__(
        self, plan: Plan, runs: Sequence[JudgedRun], ratios: Sequence[Ratio]
    ) -> None:
        counted = np.array([run.matched.counted for run in runs])
        self.plan, self.run, self.used = plan, runs[0], counted.all(axis=0)
        self.left_out = int((counted.any(axis=0) & ~self.used).sum())
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

    def worth_of(self, players: Iterable[int]) -> float:
        """What a coalition is worth."""
        return float(self.worth[self.plan.coalitions.index(frozenset(players))])

    def named(self, names: Sequence[str]) -> Iterator[tuple[tuple[str, ...], float]]:
        """Each coalition by the names of its players, and what it is worth."""
        for coalition, value in zip(self.plan.coalitions, self.worth, strict=True):
            yield tuple(names[player] for player in sorted(coalition)), float(value)

    def intervals(self, level: float) -> list[tuple[float | None, float | None]]:
        """The interval of each player's share, over dialogues."""
        coefficients = self.plan.coefficients
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


def _shares(
    coalitions: _Values, gains: Given, names: Sequence[str], level: float
) -> Iterator[PlayerShare]:
    values = valued(coalitions.plan, coalitions.worth)
    intervals = coalitions.intervals(level)
    for name, share, ends in zip(names, values, intervals, strict=True):
        yield PlayerShare(
            name=name,
            better="as it should be" if name == HISTORY else source_text(gains[name]),
            shapley=share.value,
            low=ends[0],
            high=ends[1],
            alone=share.alone,
            last=share.last,
            sampling_error=share.sampling_error,
        )


def _first(
    coalitions: _Values, names: Sequence[str], first: int
) -> Iterator[TurnBlame]:
    """The turns that lose most, each with the player to blame for most of it."""
    places, totals = coalitions.run.places, coalitions.totals
    by_row = coalitions.plan.coefficients @ (coalitions.above / totals[:, None])
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
