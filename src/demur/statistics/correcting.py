"""The verb that corrects the errors that a noisy judge has counted."""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats, answered_at, rank
from demur.checks import check_level, choice, decimal_fraction
from demur.curves.of_outcomes import error_return
from demur.errors import InputError, UndefinedRate
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.labelling import check_reach, label_weights, unlabelled
from demur.outcomes.parts import (
    check_one_system,
    confidences_of,
    labelled_in_part,
    sample_of,
)
from demur.outcomes.refusals import several
from demur.outcomes.table import Outcomes, check_outcomes
from demur.outcomes.verdict_words import losses_of_people
from demur.results import (
    Column,
    Contender,
    FigureKind,
    Result,
    Results,
    Standings,
    Table,
    exactly,
    shared_recipe,
)
from demur.statistics.noisy_verdicts import (
    CorrectedRate,
    Verdicts,
    labelled_only,
    labels_for,
    prediction_powered,
    rogan_gladen,
    unlike,
)
from demur.statistics.quantities import (
    WIDTH,
    answered_shares,
    cutoff_moves,
    local_loss,
    observed,
)
from demur.statistics.units import (
    left_out,
    spread,
)

UNLIKELY: Final = 0.001
FEWEST: Final = 10
"""Of fewer labelled units, nothing is corrected."""


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedError(Result):
    """An error by a noisy judge, and what people make of it.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    cutoff : float or None
        None answers every guess, or guesses of one confidence in part.
    nonreturn : float
        Items that are not answered / all items.
    items, labelled : int
        All, and those that are answered and that people have judged.
    raw : float or None
        The error by the judge, over all items; None without one.
    corrected : CorrectedRate
        Prediction-powered.
    trust : float
        How much of it is the judge: 0 is people alone.
    rogan_gladen : CorrectedRate or None
        From sensitivity and specificity; None if they are not known.
    labelled_only : CorrectedRate
        What people alone say.
    labels_for_half : int or None
        About how many labels halve the width of the corrected interval; None if no
        number does.
    level : float
        Of the intervals.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        How the numbers came about.
    """

    KINDS: ClassVar = (
        FigureKind(
            "corrected", "the corrected error", at=("nonreturn",), most_at="answered"
        ),
        FigureKind("raw", "the error by the judge"),
        FigureKind("trust", "how much of it is the judge", better="neither"),
    )

    system: str
    cutoff: float | None
    nonreturn: float
    items: int
    labelled: int
    raw: float | None
    corrected: CorrectedRate
    trust: float
    rogan_gladen: CorrectedRate | None
    labelled_only: CorrectedRate
    labels_for_half: int | None
    level: float
    notes: tuple[str, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """The corrected error beside the judge's, and what it rests on."""
        name, error = self.system or "the system", self.corrected
        where = f"At nonreturn {self.nonreturn:.3f} " if self.nonreturn > 0 else ""
        by = f"by the labels of {self.labelled:,} of {self.answered:,} answers."
        if self.raw is not None:
            by = (
                f"corrected by people's verdicts on {self.labelled} of {self.items}; "
                f"the judge has {self.raw:.3f}."
            )
        text = (
            f"{where}{name} errs on {error.value:.3f} of all items "
            f"({100 * self.level:g} % interval {error.low:.3f} to {error.high:.3f}), "
            f"{by}"
        )
        return text if where or self.system else f"T{text[1:]}"

    def tables(self) -> tuple[Table]:
        """The error by the judge, corrected, and by people alone, in one row."""
        if self.raw is None:
            return (Table.of("Errors by the labelled answers", _BY_LABELS, [self]),)
        title = "Errors corrected by people's verdicts"
        return (Table.of(title, _COLUMNS, [self]),)

    @property
    def answered(self) -> int:
        """Items that are answered, to the nearest one."""
        return round((1 - self.nonreturn) * self.items)


class CorrectedErrors(Results[CorrectedError]):
    """Corrected errors of several systems, or at several rates."""

    KINDS: ClassVar = CorrectedError.KINDS
    recipe = property(shared_recipe)

    def sentence(self) -> str:
        """Who errs least by people's verdicts, and by how much they move the errors."""
        if len(self) == 1:
            return self[0].sentence()
        moved = [one.corrected.value - (one.raw or 0.0) for one in self]
        most = max(range(len(self)), key=lambda place: abs(moved[place]))
        if all(one.raw is None for one in self):
            return f"{self._least()}{self[0].sentence()}"
        return (
            f"{self._least()}People's verdicts move the errors by up to "
            f"{abs(moved[most]):.3f}: {self[most].sentence()}"
        )

    def _least(self) -> str:
        """Who errs least where all systems have a corrected error, the last such."""
        rates = dict.fromkeys(one.nonreturn for one in self)
        systems = {one.system for one in self}
        for rate in reversed(rates):
            here = [one for one in self if one.nonreturn == rate]
            if len(systems) > 1 and {one.system for one in here} == systems:
                errors = [(one.system, one.corrected.value) for one in here]
                ranking = Standings(Contender(name, of, of) for name, of in errors)
                who = ranking.who("errs least", "err least", "the least error")
                where = f"at nonreturn {rate:.3g} " if rate else ""
                by = "As people's verdicts correct it"
                if all(one.raw is None for one in self):
                    by = "By the labelled answers"
                follows = ranking.follows()
                return f"{by}, {where}{who}, on {ranking.value} of all items{follows}. "
        return ""


_PREDICTED = (
    "prediction-powered, from what people say of the labelled items, which must be "
    "drawn at random"
)
_COLUMNS: Final = (
    Column("system"),
    Column("nonreturn", cells="share", explained="items that are not answered / all"),
    Column("cutoff", cells="value", wide=True),
    Column("answered", cells="count", explained="items"),
    Column("labelled", cells="count", explained="those of them that people judged"),
    Column("raw", "by judge", "share", "the error as the judge has it"),
    Column("corrected", "", "share", _PREDICTED, of="corrected.value"),
    Column("interval", cells="share", of="corrected.interval"),
    Column(
        *("rogan_gladen", "Rogan-Gladen", "share", "from the judge's error rates"),
        of="rogan_gladen.value",
    ),
    Column(
        *("rogan_gladen_interval", "its interval", "share"), of="rogan_gladen.interval"
    ),
    Column(
        *("labelled_only", "people alone", "share", "what the labelled items say"),
        of="labelled_only.value",
    ),
    Column(
        *("labelled_only_interval", "their interval", "share"),
        of="labelled_only.interval",
    ),
    Column(
        "labels_for_half",
        "half with",
        "count",
        "about how many labels halve the interval, of more items if there are not so "
        "many",
    ),
)


_OF_LABELS: Final = "of labelled answers, drawn without regard to the verdict"
_BY_LABELS: Final = (
    *(column for column in _COLUMNS if column.key in ("system", "nonreturn", "cutoff")),
    Column("answered", cells="count", explained="items"),
    Column("labelled", cells="count", explained="answers somebody has looked at"),
    Column("corrected", "error", "share", _OF_LABELS, of="corrected.value"),
    *(c for c in _COLUMNS if c.key in ("interval", "labels_for_half")),
)
"""The columns where there is no judge."""


def corrected_error(
    outcomes: Outcomes,
    gold: str | None = None,
    *,
    cutoff: float | None = None,
    nonreturn: float | None = None,
    level: float = 0.95,
) -> CorrectedError:
    """The error of a system whose answers a noisy judge has judged.

    People have judged a part of the items, drawn at random. Where they did, it shows
    how far the judge is off; the error over all items is moved by that. Ungraded
    answers count as wrong by the judge. Without a judge, of answers that are labelled
    in part, the error is that of the labelled ones, each for as many as its
    ``label_weight`` says.

    Parameters
    ----------
    outcomes : Outcomes
        Of one system, with the verdicts of the judge.
    gold : str, optional
        The column with people's verdicts: right or wrong (also true and false, yes and
        no, 1 and 0); empty where people have not judged. What it says of items without
        a guess is not looked at. If left out, the outcomes themselves are people's
        verdicts, and some answers are unlabelled.
    cutoff, nonreturn : float, optional
        Answer only guesses with at least this confidence, or the 1 - nonreturn of the
        items with the highest, a tied block at random in part; by default every guess.
    level : float
        Of the intervals.

    Returns
    -------
    CorrectedError

    Raises
    ------
    InputError
        If the column is not there or holds something else, or the items have weights.
    UndefinedRate
        If fewer than ten independent guesses are labelled, or no item that is answered
        is, or a cutoff is asked for and there are no confidences.

    References
    ----------
    See `demur.statistics.noisy_verdicts` for the estimators.

    Examples
    --------
    The judge finds 2 errors in 40; where people looked, it missed one of two:

    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[False] * 2 + [True] * 38,
    ...     groups={"gold": ["wrong", None, "wrong"] + ["right"] * 18 + [None] * 19})
    >>> found = demur.corrected_error(outcomes, "gold")
    >>> found.raw, found.labelled, found.labelled_only.value
    (0.05, 20, 0.1)
    >>> round(found.corrected.value, 3), round(found.trust, 2)
    (0.1, 0.2)
    """
    where = "corrected_error"
    check_level(where, level)
    if cutoff is not None:
        checks.number(where, "cutoff", cutoff)
    if cutoff is not None and nonreturn is not None:
        raise InputError(where, "the cutoff", "be one of cutoff and nonreturn", "both")
    verdicts = forced_choice(where, outcomes, gold)
    notes, asked = selection_notes(outcomes, verdicts), cutoff
    if cutoff is not None:
        verdicts = at_cutoff(where, outcomes, verdicts, cutoff)
    if nonreturn is not None:
        verdicts = at_nonreturn(where, outcomes, verdicts, nonreturn)
        cutoff = error_return(outcomes).at(nonreturn=nonreturn).cutoff
    check_reach(where, outcomes, verdicts.answered)
    if not verdicts.n_units:
        raise UndefinedRate(
            f"no item that is answered there has a label{_where_in(gold)}.",
            where=where,
        )
    corrected, trust = prediction_powered(verdicts, level)
    half = (corrected.high - corrected.low) / 4
    return CorrectedError(
        system=outcomes.systems[0],
        cutoff=cutoff,
        nonreturn=1 - verdicts.share,
        items=len(outcomes),
        labelled=int((verdicts.labelled & (verdicts.answered > 0)).sum()),
        raw=None if verdicts.alone else verdicts.raw,
        corrected=corrected,
        trust=trust,
        rogan_gladen=None if verdicts.alone else rogan_gladen(verdicts, level),
        labelled_only=labelled_only(verdicts, level),
        labels_for_half=labels_for(verdicts, level, half) if half else None,
        level=level,
        notes=notes,
        recipe=recipe_of(outcomes, gold, level, cutoff=asked, nonreturn=nonreturn),
    )


def recipe_of(
    outcomes: Outcomes, gold: str | None, level: float, **asked: float | None
) -> dict[str, str]:
    """How a corrected error came about, with where it was looked up."""
    where = {name: exactly(value) for name, value in asked.items() if value is not None}
    people = {"gold": gold} if gold is not None else {"errors": "of labelled answers"}
    recipe = {**outcomes.recipe, **people, **where, "level": exactly(level)}
    if outcomes.label_weight is not None:
        recipe["labels"] = "weighted"
    return recipe | {"items": str(len(outcomes))}


def selection_notes(outcomes: Outcomes, verdicts: Verdicts) -> tuple[str, ...]:
    """Whether the labelled items look as if they were not drawn at random.

    By the judge's verdicts and by ranks of confidences, each tested at a thousandth.
    Of labels with weights it is known how they were drawn. Also what counts as wrong.
    """
    name = f"{outcomes.systems[0]}: " if outcomes.systems[0] else ""
    unclear = outcomes.outcome == UNGRADED
    counted = int((unclear & verdicts.labelled if verdicts.alone else unclear).sum())
    where = "" if verdicts.alone else " in the judge's error that people correct"
    count = "counts" if counted == 1 else "count"
    note = f"{name}{several(counted, 'ungraded answer')} {count} as wrong{where}"
    notes = [note] if counted else []
    if verdicts.weight is not None:
        return tuple(notes)
    figures = {} if verdicts.alone else {"the judge's errors": verdicts.judge}
    if outcomes.confidence is not None:
        given = np.nan_to_num(np.asarray(outcomes.confidence, float))
        ranks = np.searchsorted(np.sort(given), given)
        figures["confidences"] = ranks / len(ranks)
    unlike_in = [
        name for name, column in figures.items() if unlike(verdicts, column) < UNLIKELY
    ]
    if unlike_in:
        notes.append(
            f"{name}the labelled items differ from the others in "
            f"{' and in '.join(unlike_in)} (p < {UNLIKELY:g}): they were not drawn at "
            "random, so that corrections do not hold"
        )
    return tuple(notes)


def _where_in(gold: str | None) -> str:
    return "" if gold is None else f" in {gold}"


def forced_choice(where: str, outcomes: Outcomes, gold: str | None) -> Verdicts:
    """The verdicts of the judge and of people, every guess answered.

    Raises
    ------
    InputError
        If the outcomes are of several systems or have weights, or the column is not
        there or holds something else.
    UndefinedRate
        If fewer than ten independent guesses are labelled.
    """
    check_outcomes(where, outcomes)
    check_one_system(where, outcomes)
    sample = sample_of(outcomes)
    if sample.weight is not None:
        need, got = "have equal weights", "different ones"
        raise InputError(where, "the items", need, got)
    people, labelled = _by_people(where, outcomes, gold, loss=sample.loss)
    cluster = np.arange(len(sample)) if sample.cluster is None else sample.cluster
    verdicts = Verdicts(
        judge=np.zeros(len(sample)) if gold is None else sample.loss,
        people=people,
        labelled=labelled & sample.guess,
        answered=sample.guess.astype(float),
        cluster=cluster,
        weight=label_weights(where, outcomes, labelled & sample.guess),
        alone=gold is None,
    )
    if verdicts.n_units < FEWEST:
        raise UndefinedRate(
            f"{verdicts.n_units} independent items with a guess have a label"
            f"{_where_in(gold)}; at least {FEWEST} are needed.",
            where=where,
        )
    return verdicts


def _by_people(
    where: str, outcomes: Outcomes, gold: str | None, *, loss: Floats
) -> tuple[Floats, Flags]:
    """Losses by people, and where there are any: of a column, or of the outcomes."""
    if gold is not None:
        choice(where, "gold", gold, list(outcomes.groups))
        return losses_of_people(where, outcomes.groups[gold].tolist(), gold)
    if not labelled_in_part(outcomes) and outcomes.label_weight is None:
        need = "name the column with people's verdicts, where every answer has one"
        hint = "Answers that nobody has looked at are unlabelled."
        raise InputError(where, "gold", need, "None", hint)
    return loss, ~unlabelled(outcomes)


def labelled_part(where: str, outcomes: Outcomes, gold: str) -> Outcomes:
    """The items that people have judged, with their verdicts.

    Items without a guess stay without, if the column holds something for them. Where it
    holds nothing for any of them, errors over all items come out too high, never too
    low.
    """
    choice(where, "gold", gold, list(outcomes.groups))
    people, labelled = losses_of_people(where, outcomes.groups[gold].tolist(), gold)
    guess = outcomes.outcome != UNANSWERED
    verdicts = np.where(people > 0, WRONG, RIGHT).astype(np.uint8)
    stands = label_weights(where, outcomes, labelled & guess)
    by_people = replace(
        outcomes,
        outcome=np.where(guess, verdicts, outcomes.outcome.codes),
        credit=None,
        weight=outcomes.weight if stands is None else stands,
        recipe={**outcomes.recipe, "verdicts": f"people's, {gold}"},
    )
    return by_people.take(labelled)


def at_cutoff(
    where: str, outcomes: Outcomes, verdicts: Verdicts, cutoff: float
) -> Verdicts:
    """The verdicts where only guesses with at least this confidence are answered."""
    guess = verdicts.answered > 0
    confidence = confidences_of(where, outcomes, guess)
    answered = answered_at(confidence, guess, cutoff)
    return replace(verdicts, answered=answered.astype(float))


def at_nonreturn(
    where: str, outcomes: Outcomes, verdicts: Verdicts, nonreturn: float
) -> Verdicts:
    """The verdicts at a nonreturn, a tied block answered at random in part."""
    confidences_of(where, outcomes, verdicts.answered > 0)
    rate = float(decimal_fraction(where, "nonreturn", nonreturn))
    ranking = rank(sample_of(outcomes))
    answered = answered_shares(ranking, rate)
    moves = cutoff_moves(ranking, rate, answered)
    moves = left_out(moves, ranking.weights(), verdicts.cluster)
    if verdicts.alone:  # the slope is that of the labelled answers
        sample = replace(sample_of(outcomes), weight=verdicts.label_weight)
        rows = np.flatnonzero(verdicts.labelled)
        stands = verdicts.label_weight[rows]
        ranking = rank(sample.take(rows))
        rate = float(1 - answered[rows] @ stands / stands.sum())
    slope = local_loss(observed(ranking), rate, width=WIDTH * spread(moves))
    return replace(verdicts, answered=answered, slope=slope)


def by_own_decision(outcomes: Outcomes, verdicts: Verdicts) -> Verdicts:
    """The verdicts where what a system itself declines is not answered."""
    if outcomes.declined is None:
        return verdicts
    return replace(verdicts, answered=verdicts.answered * ~outcomes.declined)
