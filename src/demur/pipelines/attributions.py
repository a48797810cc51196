"""Which module is to blame, as a result: shares of the loss, and what a log tells."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from demur.decisions.declining import Rate
from demur.pipelines.broken_modules import BrokenModule, broken_words, failed_notes
from demur.pipelines.engine import CORRECTED, FREE, STATE_WORDS
from demur.pipelines.matching import MEASURED, acceptable_words
from demur.pipelines.never_right import NeverRight
from demur.results import (
    Column,
    Contender,
    Figure,
    FigureKind,
    Result,
    Standings,
    Table,
    ends_of,
    p_text,
)

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
    shapley : float or None
        Its share of the whole gain, in the units of the measure; None if it is not
        defined.
    low, high : float or None
        Interval of it over dialogues; None with fewer than five.
    alone : float or None
        What it adds if nothing else gets better.
    last : float or None
        What it adds if all others are better already.
    sampling_error : float or None
        Standard error that comes of sampled orders.
    at_least, at_most : float or None
        What a share that is not defined may be on these turns, whatever recorded
        modules would have said; None if it is known, or the measure has no bounds.
    why_undefined : str
        Which recorded modules would have had to react; empty if it is defined.
    """

    SAYS = "{shapley} of all is lost by {name}, and truly from {low} to {high}."

    name: str
    better: str
    shapley: float | None
    low: float | None
    high: float | None
    alone: float | None
    last: float | None
    sampling_error: float | None
    at_least: float | None = None
    at_most: float | None = None
    why_undefined: str = ""

    interval = property(ends_of)

    @property
    def value(self) -> float | None:
        """The share, as what has an interval names it."""
        return self.shapley

    @property
    def bounds(self) -> tuple[float, float] | None:
        """From where to where a share may be that is not defined."""
        known = self.at_least is not None and self.at_most is not None
        return (self.at_least, self.at_most) if known else None  # type: ignore[return-value]


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
class ModuleErrors(Result):
    """How often a module is wrong, and how often it is the first to be.

    Parameters
    ----------
    name : str
    given_right, given_wrong : Rate
        Turns in which its output is not the target, of those in which all outputs that
        it hears are; of the others.
    first_wrong : int
        Turns whose response is not the target in which it is the first that is wrong.
    acceptable : int
        Turns in which its output counts as wrong, but is acceptable; none where what is
        acceptable counts as right.
    """

    SAYS = "{name} is the first wrong module in {first_wrong} turns."

    name: str
    given_right: Rate
    given_wrong: Rate
    first_wrong: int
    acceptable: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Attribution(Result):
    """The gain from a pipeline to a better one, shared. `attribute_loss` makes it.

    Parameters
    ----------
    measure, match : str
        As they were asked for.
    now, better : float or None
        The measure of the pipeline as it is, and with all that would be better; None if
        it is not defined.
    remaining : float or None
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
    remains : PlayerShare or None
        What remains, as the share of the last module; None if another module before it
        stays as it is, too.
    broke : tuple of BrokenModule
        The modules that broke, each in the run in which it did so most often.
    observed : tuple of ModuleErrors
        Which modules were wrong: in the log, if a recorded one leaves shares undefined;
        else each turn from the state in which the target dialogue is there. Empty if
        some module has no targets that can be compared.
    first_p : float or None
        Whether the two modules that are first wrong most often may be so as often:
        sign flips over dialogues; None with less than two of them.
    never_right : tuple of NeverRight
        The modules none of whose outputs there is right.
    remarks : tuple of str
        What a reader must know of how modules were run.
    acceptable : int
        Turns whose response is not the target, but acceptable, as the pipeline is.
    """

    KINDS = (
        FigureKind(
            *("blame_*", "the share of the loss", "number", -1.0), better="lower"
        ),
    )

    measure: str
    match: str
    now: float | None
    better: float | None
    remaining: float | None
    shares: tuple[PlayerShare, ...]
    values: tuple[tuple[tuple[str, ...], float | None], ...]
    first: tuple[TurnBlame, ...]
    items: int
    left_out: int
    level: float
    orders: int | None
    recipe: Mapping[str, str] = field(repr=False)
    failed: int = 0
    remains: PlayerShare | None = None
    observed: tuple[ModuleErrors, ...] = ()
    first_p: float | None = None
    broke: tuple[BrokenModule, ...] = ()
    never_right: tuple[NeverRight, ...] = ()
    remarks: tuple[str, ...] = ()
    acceptable: int = 0

    @property
    def rows(self) -> tuple[PlayerShare, ...]:
        """All shares of the loss, the last module's at the end."""
        return (*self.shares, *([] if self.remains is None else [self.remains]))

    def sentence(self) -> str:
        """Which module is to blame, what broke, and what all of them better give."""
        undefined = [share for share in self.rows if share.shapley is None]
        known = len(undefined) < len(self.rows)
        lines = [
            _not_defined(undefined),
            self._blamed(partly=bool(undefined)) if known else "",
            broken_words(self.broke),
        ]
        first, worths = self._first_wrong(logged=bool(undefined)), self._worths()
        lines += [first, worths, _bounds(undefined)] if undefined else [worths, first]
        lines.append(self._acceptable())
        says = " ".join(line for line in lines if line)
        return "\n".join([says, *(module.sentence() for module in self.never_right)])

    def _acceptable(self) -> str:
        """What counts as wrong, since only the target is right, but is acceptable."""
        if self.match != "strict":
            return ""
        outputs = {m.name: m.acceptable for m in self.observed[:-1] if m.acceptable}
        return acceptable_words(self.acceptable, outputs)

    def _worths(self) -> str:
        """The measure as it is and with all better, each with its state."""
        history = any(share.name == HISTORY for share in self.shares)
        how = "all of these better"
        if self.remains is not None:
            how = f"all before {self.remains.name} right"
        state = f"in {STATE_WORDS[CORRECTED]} " if history else ""
        state += f"with {how} "
        better = f"{state}that is not defined"
        if self.better is not None:
            better = f"{state}{100 * self.better:.1f} %"
        words = STATE_WORDS[FREE] if history else f"in {STATE_WORDS[CORRECTED]}"
        turns = f"({self.match}; {self.items:,} turns)"
        if self.now is None:
            return f"What is put out {words} is not defined, {better} {turns}."
        now = f"{words[0].upper()}{words[1:]}, {100 * self.now:.1f} % of the"
        return f"{now} {MEASURED[self.measure]}; {better} {turns}."

    def _first_wrong(self, *, logged: bool) -> str:
        """Where turns go wrong first, and whether luck may have put that one first."""
        lost = sum(module.first_wrong for module in self.observed)
        if not lost:
            return ""
        ranked = sorted(self.observed, key=lambda module: -module.first_wrong)
        listed = [
            f"{module.name} in {module.first_wrong:,}"
            for module in ranked
            if module.first_wrong
        ]
        where = "the log" if logged else STATE_WORDS[CORRECTED]
        turns = "1 turn is" if lost == 1 else f"{lost:,} turns are"
        luck = ""
        if self.first_p is not None and self._by_luck:
            one, other = (module.name for module in ranked[:2])
            luck = f" ({one} before {other} may be luck: {p_text(self.first_p)})"
        if len(listed) > 1:
            listed[-2:] = [" and ".join(listed[-2:])]
        first = ", ".join(listed)
        return f"In {where} {turns} wrong; first wrong is {first}{luck}."

    def _blamed(self, *, partly: bool) -> str:
        """Who is to blame most, of the shares that are defined."""
        known = {share.name: share for share in self.rows if share.shapley is not None}
        ranking = Standings(
            (Contender(s.name, s.shapley, s.shapley) for s in known.values()),
            better="higher",
            shown=lambda value, more: f"{100 * value:+.{1 + more}f}",
        )
        if not ranking.best or (ranking.best[0].low or 0.0) <= 0:
            return "" if partly else "No module is to blame."
        if partly:
            return f"Of what is defined, {ranking.names()} has most: {ranking.value}."
        blamed = ranking.who(
            *("is most to blame", "are most to blame", "the greatest blame"),
            what="modules",
        )
        most = known.get(ranking.names())
        ends = sure = apiece = ""
        if most is None:  # several share the place
            apiece = " each"
        elif most.interval is not None:
            interval = " to ".join(f"{100 * end:+.1f}" for end in most.interval)
            ends = f" ({100 * self.level:g} % interval {interval})"
        if most is not None and most.low is not None and most.low <= 0:
            sure = ", which luck may explain"
        all_of_it = sum(share.shapley or 0.0 for share in known.values())
        points = f"{ranking.value} of {100 * all_of_it:+.1f} points{apiece}{ends}{sure}"
        return self._with_first_errors(blamed, points, most)

    def _with_first_errors(
        self, blamed: str, points: str, most: PlayerShare | None
    ) -> str:
        """Who is to blame most; and who errs first most often, if that is another."""
        order = [module.name for module in self.observed]
        by_first = max(self.observed, key=_n_first, default=None)
        if by_first is not None and by_first.first_wrong and most is None:
            first = (
                f"by first error {by_first.name} is ({by_first.first_wrong:,} turns)"
            )
            covers = "The target of a module also covers the errors before it"
            return f"{blamed}: {points}; {first}. {covers}."
        if most is None or by_first is None or most.name not in order:
            return f"{blamed}: {points}."
        module = self.observed[order.index(most.name)]
        if by_first.first_wrong == module.first_wrong:
            return f"{blamed}: {points}."
        turns = f"{by_first.first_wrong:,} turns, {module.name} {module.first_wrong:,}"
        first = f"by first error {by_first.name} is ({turns})"
        earlier = order.index(by_first.name) < order.index(module.name)
        if earlier and most in self.shares:
            why = self._covered(module, by_first)
            return f"By replacement {blamed}: {points}; {first}. {why}"
        if self._by_luck:
            return f"{blamed}: {points}."
        if most in self.shares:
            why = "the share is of what is lost, over all orders of mending"
        else:
            why = f"what {module.name} loses is lost though all before it is right"
        return f"{blamed}: {points}; {first}. First errors count turns; {why}."

    @property
    def _by_luck(self) -> bool:
        """Whether luck may say which module is first wrong most often."""
        return self.first_p is not None and self.first_p > 1 - self.level

    def _covered(self, module: ModuleErrors, by_first: ModuleErrors) -> str:
        """That a share holds the errors of those before, and which to mend first."""
        name, rate = module.name, module.given_right
        says = (
            f"The target in the place of {name} also covers the errors before it, so "
            f"its share is not what mending {name} alone would win"
        )
        if rate.share is not None:
            wrong = f"{100 * rate.share:.1f} % of {rate.base:,.0f} turns"
            says += f": given right inputs, {name} is wrong in {wrong}"
        gain = {share.name: share.alone for share in self.shares}.get(by_first.name)
        if self._by_luck or gain is None or gain <= 0:
            return f"{says}."
        unless = f"unless {name} can be right on wrong inputs"
        return f"{says}. Mend {by_first.name} first, {unless}."

    def figures(self) -> Iterator[Figure]:
        """The share of each module, such as blame_nlu."""
        for share in self.rows:
            figure = self.figure_of(self.KINDS[0], share, name=f"blame_{share.name}")
            yield replace(figure, why_undefined=share.why_undefined)

    def tables(self) -> Sequence[Table]:
        """Who is to blame for how much, and the turns to look at first."""
        unit = "turns" if self.measure == "exact" else "acts"
        columns = [
            column
            for column in _BLAME
            if (column.key != "sampling_error" or self.orders is not None)
            and (column.key != "bounds" or any(s.why_undefined for s in self.shares))
        ]
        shares = sorted(self.rows, key=_from_the_greatest)
        tables = [Table.of("Where the loss comes from", columns, shares)]
        if self.observed:
            undefined = any(share.why_undefined for share in self.rows)
            title = "What the log tells" if undefined else "What each module gets wrong"
            tables.append(Table.of(title, _OBSERVED, self.observed))
        title = f"Turns to look at first ({unit} lost)"
        return (*tables, Table.of(title, _TURNS, self.first))

    @property
    def notes(self) -> tuple[str, ...]:
        """What is lost even then, and what is left out."""
        orders = "all orders" if self.orders is None else f"{self.orders} random orders"
        notes = [f"Shapley values over {orders}"]
        if self.remains is not None:
            before = "what is lost with all before it right"
            notes.insert(0, f"{self.remains.name} ({WHAT_REMAINS}): {before}")
        elif self.remaining is not None:
            lost = f"{100 * self.remaining:.2f} points are lost"
            notes.insert(0, f"{lost} even with all of these better")
        whys = dict.fromkeys(s.why_undefined for s in self.rows if s.why_undefined)
        notes += [f"-: not defined, {why}" for why in whys]
        if self.left_out:
            notes.append(
                f"left out: {self.left_out:,} turns that some source leaves out"
            )
        return (*notes, *self.remarks, *failed_notes(self.failed))


WHAT_REMAINS: Final = "what remains"


def _n_first(module: ModuleErrors) -> int:
    return module.first_wrong


def _from_the_greatest(share: PlayerShare) -> tuple[bool, float]:
    """Sorts the greatest first, and what is not defined last, in its order."""
    return share.shapley is None, -(share.shapley or 0.0)


def _not_defined(shares: Sequence[PlayerShare]) -> str:
    """Whose blame is not known, and why."""
    if not shares:
        return ""
    names = [share.name for share in shares]
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"The blame of {listed} is not defined: {shares[0].why_undefined}."


def _bounds(shares: Sequence[PlayerShare]) -> str:
    """Between which bounds blame is that is not known."""
    bounds = "; ".join(
        f"{share.name} between {100 * share.bounds[0]:+.1f} and "
        f"{100 * share.bounds[1]:+.1f} points"
        for share in shares
        if share.bounds is not None
    )
    return f"All that the log leaves open: {bounds}." if bounds else ""


_BLAME: Final = (
    Column("to_blame", of="name"),
    Column("better", explained="what would take its place"),
    Column(
        "shapley",
        "Shapley",
        "points",
        "points of the gain that are its share",
    ),
    Column("interval", cells="points", explained="of the share, over dialogues"),
    Column("bounds", cells="points", explained="of what is not defined"),
    Column("alone", "", "points", "points if nothing else gets better"),
    Column("last", "", "points", "points if all others are better"),
    Column("sampling_error", "", "points", "standard error by sampled orders"),
)
_OBSERVED: Final = (
    Column("module", of="name"),
    Column(
        "wrong_given_right",
        "wrong if right before",
        "percent",
        "turns with a wrong output where all it hears is right",
        of="given_right.share",
    ),
    Column("right_turns", "n", "number", "such turns", of="given_right.base"),
    Column("wrong_interval", "interval", "percent", of="given_right.interval"),
    Column(
        "wrong_given_wrong",
        "if wrong before",
        "percent",
        "turns with a wrong output where it hears a wrong one",
        of="given_wrong.share",
    ),
    Column(
        "first_wrong",
        "first wrong",
        "count",
        "turns with a wrong response in which it is the first that is wrong",
    ),
)
_TURNS: Final = (
    *(Column("turn"), Column("to_blame", of="name")),
    Column("lost", "", "number", "by the one to blame", digits=2),
)
