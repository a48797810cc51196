"""A cutoff that was chosen, and what it is worth on that and on other data."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from demur.arrays import Numbers
from demur.curves import counting
from demur.curves.curves import Curve, _silence
from demur.curves.of_outcomes import error_return, origin_of
from demur.curves.rates import Point
from demur.decisions.choice_tables import (
    AS_THEY_STAND,
    BY_SILENCE,
    COLUMNS,
    COLUMNS_OF_WHOLES,
    DEPENDENT,
    KINDS,
    NONE_FOUND,
    NOT_DRAWN,
    NOT_GATED,
    OF_WHOLES,
    RISKS,
    SAME_DATA,
    VERDICTS_STAND,
    base_words,
    of_held_out,
    percent,
    price_words,
    promised_words,
    rates_of_wholes,
    silence,
    unfound_words,
)
from demur.decisions.linear_scores import LinearScore
from demur.decisions.several_risks import Risk
from demur.errors import UndefinedRate
from demur.outcomes.labelling import LEFT_OPEN, OutOfReach, check_verdicts
from demur.outcomes.parts import labelled_in_part
from demur.outcomes.reasons import with_failures
from demur.outcomes.table import Outcomes, check_outcomes
from demur.results import Figure, Result, Table
from demur.statistics.correcting import (
    corrected_error,
    forced_choice,
    selection_notes,
)
from demur.statistics.noisy_verdicts import CorrectedRate

if TYPE_CHECKING:
    from demur.decisions.declining import Declining
    from demur.wholes.whole_curves import WholeCurve
    from demur.wholes.whole_points import WholePoint


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Result):
    """A cutoff, and what it costs on the data it was chosen on.

    Parameters
    ----------
    system : str
        Whose cutoff it is.
    rule : str
        How it was chosen, such as ``"max_error=0.05 of all, certainty 0.95"``.
    cutoff : float or None
        Answer every guess with at least this confidence; None is never answer.
    nonreturn, error, missed : float
        Rates over all items at the cutoff; the error counts ungraded answers. None is
        missed that labels say nothing of: answers that could not be drawn.
    error_answered : float or None
        Loss of the answered items / answered items; None if nothing is answered.
    bound : float or None
        Upper bound of the certified error; None if none was asked for or found.
    found, why : bool, str
        False if no cutoff could be certified (the cutoff is then None), and why.
    target, certainty : float or None
        The error that was asked for, and how surely; None if it was not.
    of : str
        What the target is a share of: "all" items or "answered" ones, "wholes" or
        "answered wholes".
    risks : tuple of Risk
        What is promised together, if it is more than one thing.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    score : float or None
        The named score at the cutoff, if it was chosen by one; ungraded answers count
        as wrong.
    gold : str or None
        The column with people's verdicts, if errors are corrected by them.
    corrected : CorrectedRate or None
        The error over all items, corrected; ``error`` is the judge's. None without
        ``gold``, and where nobody has judged an answered item.
    by_labels : bool
        Whether a part of the answers is labelled, so that all errors are estimated from
        it, each label counting for as many as it stands for.
    items : array, shape (n_rows,), or None
        The items it was chosen on, so that `on` sees whether others are judged.
    cost_ratio : float or None
        What a non-return costs, an error being 1, if it was chosen by a cost.
    held_out : Choice or None
        The same cutoff on held-out outcomes, see `with_held_out`.
    groups : Declining or None
        Who gets declined at the cutoff.
    left_open : float
        By how much the error, or the score it was chosen by, may be better than it
        stands here, where ungraded answers count as wrong.
    failures : tuple (int, int)
        How many items failed, of how many.
    simulated : bool
        Whether it was chosen by a bound that holds in simulations and is not proven.
    simulated_bound : float or None
        That bound of the error; ``bound`` is then None.
    wholes : WholePoint or None
        What holds of wholes at the cutoff, if the error is one of wholes: ``error`` is
        then that of wholes, ``nonreturn`` the share of parts withheld.
    """

    KINDS: ClassVar = KINDS

    system: str
    rule: str
    cutoff: float | None
    nonreturn: float
    error: float
    missed: float | None
    error_answered: float | None
    bound: float | None = None
    found: bool = True
    target: float | None = None
    certainty: float | None = None
    of: str = "all"
    risks: tuple[Risk, ...] = ()
    notes: tuple[str, ...] = (SAME_DATA,)
    recipe: dict[str, str] = field(default_factory=dict)
    score: float | None = None
    scored: LinearScore | None = field(default=None, repr=False)
    gold: str | None = None
    corrected: CorrectedRate | None = None
    by_labels: bool = field(default=False, repr=False)
    items: Any = field(default=None, repr=False, compare=False)
    cost_ratio: float | None = None
    held_out: "Choice | None" = field(default=None, repr=False)
    groups: "Declining | None" = field(default=None, repr=False)
    left_open: float = field(default=0.0, repr=False)
    failures: tuple[int, int] = field(default=(0, 1), repr=False)
    simulated: bool = False
    simulated_bound: float | None = None
    why: str = field(default="", repr=False)
    wholes: "WholePoint | None" = field(default=None, repr=False)

    @property
    def answered(self) -> float:
        """Answered items / all items."""
        return 1 - self.nonreturn

    @property
    def corrected_error(self) -> CorrectedRate | None:
        """`corrected`, by the name that gates and tables give it."""
        return self.corrected

    @property
    def cost(self) -> float | None:
        """``error + cost_ratio * nonreturn``; None if it was chosen by another rule.

        Of the corrected error, if there is one.
        """
        if self.cost_ratio is None:
            return None
        error = self.error if self.corrected is None else self.corrected.value
        return error + self.cost_ratio * self.nonreturn

    @property
    def judged(self) -> "Choice":
        """The choice with the honest rates: those on held-out items, if there are."""
        return self if self.held_out is None else self.held_out

    def sentence(self) -> str:
        """What to do, what comes of it, and what is promised."""
        held_out = {} if self.held_out is None else {"": self.held_out.failures}
        return with_failures({"": self.failures}, self.advice(), held_out=held_out)

    @property
    def failed(self) -> int:
        """How many items failed, of those without a guess."""
        return self.failures[0]

    @property
    def failed_rate(self) -> float:
        """How many items failed / all items."""
        return self.failures[0] / self.failures[1]

    def advice(self) -> str:
        """The same sentence, where what failed has been said."""
        lines = [self._does(), self._promise()]
        if (held := self.held_out) is not None:
            rates = held._rates() + held._worth()
            lines.insert(1, f"On held-out {self._unit}s {rates}.")
        if self.judged.groups is not None:
            lines.append(self.judged.groups.words())
        return "\n".join(lines)

    @property
    def _not_asked(self) -> set[str]:
        """Figures and columns that the rule does not give."""
        given = {
            "cost": self.cost_ratio is not None,
            "score": self.scored is not None,
            "bound": self.certainty is not None and not self.simulated,
            "simulated_bound": self.simulated,
            "missed": self.wholes is None,
            **dict.fromkeys(
                ("corrected_error", "corrected_interval"),
                self.gold is not None or self.by_labels,
            ),
        }
        return {name for name, asked in given.items() if not asked}

    def figures(self) -> Iterator[Figure]:
        """The cutoff and its bound; the rates, on held-out items if there are any."""
        why = "nothing is answered" if self.found else "no cutoff could be found"
        figures = {figure.called: figure for figure in Result.figures(self)}
        honest = {figure.called: figure for figure in Result.figures(self.judged)}
        if self.judged.nonreturn == 1:
            honest["error"] = replace(honest["error"], value=None)
        if self.simulated:
            yield replace(figures["bound"], why_undefined=NOT_GATED)
        for name in figures:
            if name not in self._not_asked:
                whose = figures if name in ("cutoff", "bound") else honest
                no_labels = name == "missed" and self.judged.missed is None
                reason = NOT_DRAWN if no_labels else why
                yield replace(whose[name], why_undefined=reason)
        if self.judged.groups is not None:
            yield from self.judged.groups.gap_figures()

    def tables(self) -> list[Table]:
        """The cutoff and its rates, on held-out items too; promises; groups."""
        where = "on the data it was chosen on"
        tables = [self._rates_table("", self._not_asked)]
        if self.held_out is not None:
            where = f"on held-out {self._unit}s"
            left_out = self._not_asked | {"bound", "simulated_bound"}
            tables.append(self.held_out._rates_table(f"O{where[1:]}", left_out))
        if self.risks:
            tables.append(Table.of("Promised together", RISKS, self.risks))
        if self.judged.groups is not None:
            tables += self.judged.groups.titled_tables(where)
        return tables

    def _rates_table(self, title: str, left_out: set[str]) -> Table:
        left_out = left_out | ({"missed"} if self.missed is None else set())
        columns = COLUMNS if self.wholes is None else COLUMNS_OF_WHOLES
        kept = [column for column in columns if column.key not in left_out]
        return Table.of(title, kept, [self])

    def to_dict(self) -> dict[str, Any]:
        """As plain values, with what stands beside the choice."""
        plain = {**super().to_dict(), "cost": self.cost, "failed": self.failed}
        if self.held_out is not None:
            plain["held_out"] = self.held_out.to_dict()
        if self.groups is not None:
            plain["declined"] = self.groups.to_dict()
        if self.wholes is not None:
            plain["wholes"] = self.wholes.to_dict()
        return plain

    @property
    def choice(self) -> str:
        """What to do without a cutoff."""
        nothing = silence(self.of) if self.found else NONE_FOUND
        return nothing if self.cutoff is None else ""

    def _does(self) -> str:
        name = f"{self.system}: " if self.system else ""
        rates = "" if self.cutoff is None else f": {self._rates()}"
        does = f"{self.words()}{rates}{self._worth()}"
        return f"{name}{does if name else does[:1].upper() + does[1:]}."

    def _worth(self) -> str:
        """The cost or score that the rule is about."""
        if self.scored is not None:
            return f"; {self.scored.name} is {self.score:.3f}"
        if self.cost_ratio is None or self.cost is None:
            return ""
        cost = f"; the cost is {self.cost:.4g} per {self._unit}"
        return f"{cost}, where {price_words(self.cost_ratio, self.of)}"

    @property
    def _unit(self) -> str:
        return "item" if self.wholes is None else "whole"

    def words(self) -> str:
        """What to do."""
        if self.cutoff is None:
            return silence(self.of) if self.found else "no cutoff could be found"
        does = "answer" if self.wholes is None else "return parts"
        return f"{does} at a confidence of {self.cutoff} or more"

    def _rates(self) -> str:
        if self.wholes is not None:
            return rates_of_wholes(self.wholes, self.error)
        start = f"{percent(self.answered)} of the items are answered, "
        if self.corrected is not None:
            by = f"as people's verdicts in {self.gold} correct it"
            by = "by the labelled answers" if self.by_labels else by
            return f"{start}{percent(self.corrected.value)} of all items wrongly {by}"
        wrong = (
            ""
            if self.error_answered is None
            else f", and {percent(self.error_answered)} of the answers given are wrong"
        )
        return f"{start}{percent(self.error)} of all items wrongly{wrong}"

    def _promise(self) -> str:
        """What is promised and what is not."""
        if "chosen_on" in self.recipe:
            return "The cutoff was chosen on other data; no error is promised here."
        if self.target is None:
            return "These are rates of this data; nothing is promised of other data."
        if not self.found or (self.certainty is not None and self.cutoff is None):
            planned = self.certainty is not None and self.target != 0
            return (
                BY_SILENCE if self.found else unfound_words(self.why, planned=planned)
            )
        if self.certainty is None and (self.gold or self.by_labels):
            return (
                f"The error {base_words(self.of)} is estimated at {self.target:g} at "
                "most. That is no promise: about every second cutoff that is chosen "
                "like this errs more in truth. With a certainty it is certified."
            )
        if self.certainty is None:
            return (
                f"The error {base_words(self.of)} is at most {self.target:g} on this "
                "data; nothing is promised of other data."
            )
        return self.certified_words()

    def certified_words(self, of_each: str = "") -> str:
        """What is promised with certainty, of this system or of each."""
        if self.simulated:
            return (
                f"Simulated, not certified{of_each}: with certainty "
                f"{self.certainty:g} the true error {base_words(self.of)} is at most "
                f"{self.target:g}, by a bound that holds in simulations and is not "
                "proven."
            )
        other = f"Nothing is promised of the error {base_words('answered')}."
        if self.of == "answered":
            other = f"So is the error {base_words('all')}, which is no greater."
        promised = promised_words(self.of, self.target or 0.0)
        if self.risks:
            parts = "; ".join(f"{r.what} at most {r.target:g}" for r in self.risks)
            promised = f"all of these hold together: {parts}"
        rests = AS_THEY_STAND
        if self.gold is not None:
            rests = f"It rests on people's verdicts alone, those in {self.gold}."
        whose = "wholes" if self.of in OF_WHOLES else "items"
        if self.of in OF_WHOLES:
            other, rests = DEPENDENT, VERDICTS_STAND
        if self.by_labels:
            rests = "It rests on the labelled answers; which these are was drawn."
        return (
            f"Promised of new {whose} like these{of_each}, "
            f"with certainty {self.certainty:g}: {promised}. "
            f"{other} {rests}"
        )

    def on(self, outcomes: Outcomes) -> "Choice":
        """The same cutoff on other outcomes: the honest figure.

        Parameters
        ----------
        outcomes : Outcomes
            Of the same system, with items that had no part in the choice; a note
            says how many had.

        Returns
        -------
        Choice
            With the rates on these outcomes and no bound.

        Raises
        ------
        UndefinedRate
            If the outcomes have no confidences.
        """
        check_outcomes("Choice.on", outcomes)
        if self.wholes is not None:
            return self._on_wholes(outcomes)
        curve = error_return(outcomes)
        point = _silence(curve) if self.cutoff is None else curve.at(cutoff=self.cutoff)
        notes = (judged_on(self.items, outcomes.item), *curve.notes)
        judged = choice_at(curve, point, self.rule)
        if self.scored is not None:
            judged = with_score(judged, curve, point, self.scored)
        if self.gold is not None or labelled_in_part(outcomes):
            judged = with_people(judged, outcomes, self.gold)
        return self._judged(judged, notes)

    def _on_wholes(self, outcomes: Outcomes) -> "Choice":
        """The same cutoff on other parts, by an error of wholes."""
        from demur.wholes.counting_wholes import whole_curve
        from demur.wholes.numbering import whole_numbers

        check_verdicts("Choice.on", "Keep the wholes with all verdicts.", outcomes)
        curve, cutoff = whole_curve(outcomes), self.cutoff
        scaled, items = curve.scaled, outcomes.item[whole_numbers(outcomes)[1]]
        point = _silence(scaled) if cutoff is None else scaled.at(cutoff=cutoff)
        judged = whole_choice_at(curve, point, self.rule, self.of)
        note = judged_on(self.items, items).replace("items", "wholes")
        failures = int(outcomes.failed.sum()), len(outcomes)
        judged = replace(judged, failures=failures)
        return self._judged(judged, (note, *curve.notes))

    def _judged(self, judged: "Choice", notes: tuple[str, ...]) -> "Choice":
        """A choice on other data, which says where its cutoff comes from."""
        chosen = {
            "cutoff": "never" if self.cutoff is None else repr(float(self.cutoff)),
            "chosen_on": self.recipe.get("items", "other") + f" {self._unit}s",
        }
        return replace(
            judged,
            notes=notes,
            found=self.found,
            cost_ratio=self.cost_ratio,
            recipe=judged.recipe | chosen,
        )

    def with_held_out(self, outcomes: Outcomes) -> "Choice":
        """The choice with its rates on held-out outcomes beside it.

        Parameters
        ----------
        outcomes : Outcomes
            As for `on`.
        """
        judged = self.on(outcomes)
        notes = [note for note in self.notes if note != SAME_DATA]
        items = {"held_out": f"{judged.recipe['items']} {self._unit}s"}
        return replace(
            self,
            held_out=judged,
            notes=tuple(dict.fromkeys([*map(of_held_out, judged.notes), *notes])),
            recipe=self.recipe | items,
        )


def judged_on(chosen_on: Any, items: Any) -> str:
    """Whether the items of a judgement had a part in the choice, and how many.

    Parameters
    ----------
    chosen_on : array, shape (n_chosen,), or None
        Items of the choice, if they are known.
    items : array, shape (n_judged,)
        Those judged on.
    """
    n_rows = len(items)
    if chosen_on is items:
        return SAME_DATA
    known = set() if chosen_on is None else set(chosen_on.tolist())
    shared = sum(item in known for item in items.tolist())
    if shared and _numbered(chosen_on) and _numbered(items):
        return (
            f"judged on {n_rows} items, of which {shared} have numbers that items of "
            "the choice have too: if they are the same, the error is too good by an "
            "unknown amount; names of items would tell"
        )
    if shared == n_rows:
        return SAME_DATA
    if shared:
        return (
            f"{shared} of the {n_rows} items judged on had a part in the choice: the "
            "error is too good by an unknown amount; leave them out for an honest "
            "figure"
        )
    return f"judged on {n_rows} held-out items"


def _numbered(items: Any) -> bool:
    return bool(items.dtype == np.int64 and (items == np.arange(len(items))).all())


def with_people(
    chosen: Choice, outcomes: Outcomes, gold: str | None, *, certified: bool = False
) -> Choice:
    """A choice with the error at its cutoff as people's verdicts correct it.

    Without a column of them the outcomes are people's, on a part of the answers, and
    all of its rates are estimated from that. A certified choice has rates of its own,
    where labels say nothing of its cutoff.
    """
    corrected: CorrectedRate | None = None
    notes: tuple[str, ...] = ()
    try:
        notes = selection_notes(outcomes, forced_choice("choose", outcomes, gold))
        if chosen.cutoff is None:  # silence errs on nothing, for sure
            corrected, nonreturn = CorrectedRate(0.0, 0.0, 0.0), 1.0
        else:
            there = corrected_error(outcomes, gold, cutoff=chosen.cutoff)
            corrected, nonreturn = there.corrected, there.nonreturn
        if gold is None:
            chosen = _by_labels(chosen, outcomes, corrected.value, nonreturn)
    except UndefinedRate:  # too few labels, or none at this cutoff
        if gold is None and not certified:
            raise
    return replace(
        chosen,
        gold=gold,
        by_labels=gold is None,
        corrected=corrected,
        notes=(*chosen.notes, *notes),
        recipe={**chosen.recipe, **({} if gold is None else {"gold": gold})},
    )


def _by_labels(
    chosen: Choice, outcomes: Outcomes, error: float, nonreturn: float
) -> Choice:
    """A choice whose rates are those that the labelled answers estimate."""
    missed: float | None = None
    with suppress(OutOfReach):
        forced = corrected_error(outcomes)
        avoided = forced.corrected.value - error
        missed = max(nonreturn - forced.nonreturn - avoided, 0.0)
    return replace(
        chosen,
        nonreturn=nonreturn,
        error=error,
        error_answered=error / (1 - nonreturn) if nonreturn < 1 else None,
        missed=missed,
        left_open=0.0,
        notes=tuple(note for note in chosen.notes if LEFT_OPEN not in note),
        recipe={**chosen.recipe, "items": str(len(outcomes))},
    )


def declined_weight(curve: Curve, cutoff: Any) -> Numbers:
    """Weight of unanswerable items not answered at each cutoff, and in silence."""
    given = counting.answered(*curve.unanswerable, np.asarray(cutoff))
    whole = counting.answered(*curve.unanswerable, np.array([-np.inf]))[0]
    withheld: Numbers = curve.totals.no_guess_unanswerable + whole - given
    return withheld


def with_score(
    chosen: Choice, curve: Curve, point: Point, named: LinearScore
) -> Choice:
    """A choice with its score by a named linear score."""
    silent = point.nonreturn == 1 or point.cutoff is None
    declined = declined_weight(curve, [] if silent else [point.cutoff])[0]
    share = float(declined / curve.totals.weight)
    low, high = named.bounds(
        float(point.right or 0),
        float(point.error or 0),
        float(point.ungraded or 0),
        share,
    )
    score = high if named.is_cost else low
    return replace(chosen, score=score, scored=named, left_open=high - low)


def choice_at(curve: Curve, point: Point, rule: str) -> Choice:
    """The choice of a point of the curve."""
    error, answered = point.bounds[1], 1 - point.nonreturn
    return Choice(
        system=curve.system,
        rule=rule,
        cutoff=point.cutoff,
        nonreturn=point.nonreturn,
        error=error,
        missed=float(point.missed or 0.0),
        left_open=error - point.bounds[0],
        error_answered=error / answered if point.nonreturn < 1 else None,
        failures=(curve.failed, curve.items),
        notes=(SAME_DATA, *curve.notes),
        recipe={**origin_of(curve), "items": str(curve.items), "choose": rule},
    )


def whole_choice_at(curve: "WholeCurve", point: Point, rule: str, of: str) -> Choice:
    """The choice of a point of a curve of wholes: its error is that of wholes."""
    chosen, there = choice_at(curve.scaled, point, rule), curve.whole_point(point)
    return replace(
        chosen,
        of=of,
        missed=None,
        error_answered=there.error_answered,
        wholes=there,
        notes=(SAME_DATA, *curve.notes),
    )
