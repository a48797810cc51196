"""The verb that weighs arrangements of judges: their errors against their prices."""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.checks import choice
from demur.errors import InputError, UndefinedRate, shown
from demur.judge_models.arranged_judges import ArrangedJudges, JudgeArrangements
from demur.judge_models.arrangements import (
    MOST_ARRANGEMENTS,
    PEOPLE,
    Arrangement,
    Cascade,
    JudgeDecisions,
    JudgePanel,
    Vote,
    alternatives,
    parse_arrangement,
    usual_arrangements,
)
from demur.judge_models.decided_errors import (
    ACCEPTS,
    REJECTS,
    bound_of_wrong,
    share_wrong,
)
from demur.judge_models.judge_curves import judge_curve
from demur.judge_models.judge_panels import JudgesAndPeople, judges_and_people
from demur.outcomes.parts import labelled_in_part
from demur.outcomes.table import Outcomes
from demur.results import exactly
from demur.statistics.correcting import forced_choice, selection_notes

_WHERE: Final = "arrange_judges"

PEOPLE_RIGHT: Final = (
    "people's verdicts are taken for right: what is left to them has no error here"
)
GIVEN_CUTOFFS: Final = (
    "cutoffs that were given hold only if these labels had no part in their choice; "
    "@* tries several, and its bounds are corrected for that"
)


def arrange_judges(
    outcomes: Outcomes,
    arrangements: Iterable[str | Arrangement] | None = None,
    *,
    prices: Mapping[str, float] | None = None,
    most_error: float | None = None,
    of: str = "all",
    certainty: float = 0.95,
    level: float = 0.95,
) -> JudgeArrangements:
    """Judges alone and in arrangements, held against people's verdicts.

    What an arrangement decides follows from verdicts and confidences alone. Its error
    is the share of all answers that it decides wrongly, by the answers that people have
    judged, each for as many as its ``label_weight`` says; people are taken to be right.

    Parameters
    ----------
    outcomes : Outcomes
        Of judges, as `demur.judge_outcomes` makes them.
    arrangements : iterable of str, Vote or Cascade, optional
        Such as ``vote(a, b, c)``, ``unanimous(a, b)`` and ``cascade(a@0.9, b,
        people)``; ``@*`` tries several cutoffs, which confidences alone say. By default
        each judge alone, all by vote, and cheaper ones before dearer ones.
    prices : mapping of str to float, optional
        What a verdict of each judge costs, and one of ``people``: a vote asks all its
        judges about all answers, a cascade each about what those before left open.
    most_error : float, optional
        Above 0, below 1. Which arrangement is the cheapest whose bound is at most this;
        and a cutoff for each judge, certified by `demur.choose`.
    of : {"all", "answered"}
        Whether bounds are shares of all answers, or of those that judges decide.
    certainty : float
        All bounds hold together with this certainty: that of each is corrected for the
        number of arrangements (Bonferroni), so that the best may be taken.
    level : float
        Of intervals, each by itself.

    Returns
    -------
    JudgeArrangements

    Raises
    ------
    InputError
        If an arrangement names no judge, or cutoffs of one without confidences; if a
        price is missing, negative or no number; or if an argument is out of range.

    Examples
    --------
    >>> import demur
    >>> def judged(outcome):
    ...     return demur.Outcomes.from_arrays(
    ...         outcome=outcome, groups={"people": ["right", "wrong"] * 40})
    >>> judges = demur.judge_outcomes({
    ...     "small": judged(["right", "wrong", "right", "right"] * 20),
    ...     "large": judged(["right", "wrong"] * 40)}, gold="people")
    >>> weighed = demur.arrange_judges(
    ...     judges, prices={"small": 1, "large": 10, "people": 100}, most_error=0.1)
    >>> weighed.best
    'cascade(large, people)'
    >>> [one.price for one in weighed.arrangements]
    [1.0, 1.0, 10.0, 36.0]
    """
    both = judges_and_people(outcomes)
    _check_numbers(most_error, of, certainty, level)
    costs = _checked_prices(prices, both.panel.judges)
    asked = _asked(arrangements, both.panel, costs)
    listed = _tried(asked, both.panel)
    decided = {str(one): one.decide(both.panel) for one in listed}
    looked_at = sum(bool((made.verdict >= 0).any()) for made in decided.values())
    corrected = 1 - (1 - float(certainty)) / max(looked_at, 1)
    how: dict[str, Any] = {"level": level, "of": of, "certainty": corrected}
    measured = [_measured(one, decided[str(one)], both, costs, **how) for one in listed]
    measured = _with_dominated(sorted(measured, key=_by_cost))
    target = None if most_error is None else float(most_error)
    curves = [
        judge_curve(
            *(both.panel, both.labels, part),
            target=target,
            certainty=float(certainty),
            level=level,
        )
        for part in both.parts.values()
    ]
    return JudgeArrangements(
        judges=tuple(curves),
        arrangements=tuple(measured),
        best=_best(measured, target),
        most_error=target,
        of=of,
        looked_at=looked_at,
        answers=both.panel.n_answers,
        labelled=int(both.labels.labelled.sum()),
        prices=costs,
        level=float(level),
        certainty=float(certainty),
        notes=(*outcomes.notes, *_notes(both, asked, measured, looked_at)),
        recipe=_recipe(outcomes, (most_error, of, certainty, level), asked, costs),
    )


# -- what is asked -------------------------------------------------------------------


def _check_numbers(most_error: Any, of: str, certainty: Any, level: Any) -> None:
    choice(_WHERE, "of", of, ["all", "answered"])
    checks.inner_fraction(_WHERE, "certainty", certainty)
    checks.check_level(_WHERE, level)
    if most_error is not None:
        checks.inner_fraction(_WHERE, "most_error", most_error)


def _asked(
    given: Iterable[str | Arrangement] | None,
    panel: JudgePanel,
    prices: Mapping[str, float] | None,
) -> list[Arrangement]:
    """What is asked for, cutoffs still to be tried."""
    if given is None:
        return usual_arrangements(panel, prices)
    listed = [given] if isinstance(given, (str, Vote, Cascade)) else [*given]
    asked = [parse_arrangement(one) if isinstance(one, str) else one for one in listed]
    for one in asked:
        checks.of_kind(_WHERE, "each arrangement", one, Vote, Cascade)
        for judge in one.judges:
            panel.place(judge)
    if not asked:
        hint = "Left out, the usual ones are looked at."
        raise InputError(_WHERE, "arrangements", "be at least one", "none", hint)
    return list({str(one): one for one in asked}.values())


def _tried(asked: Sequence[Arrangement], panel: JudgePanel) -> list[Arrangement]:
    """The arrangements to look at, each once, their cutoffs tried."""
    listed = [made for one in asked for made in alternatives(one, panel)]
    listed = list({str(one): one for one in listed}.values())
    if len(listed) > MOST_ARRANGEMENTS:
        need, hint = f"be at most {MOST_ARRANGEMENTS:,}", "Give some cutoffs."
        raise InputError(_WHERE, "arrangements", need, f"{len(listed):,}", hint)
    return listed


def _checked_prices(
    prices: Mapping[str, float] | None, judges: Sequence[str]
) -> dict[str, float]:
    """Prices of all judges and of people; empty if nobody names one."""
    if prices is None:
        return {}
    checks.mapping(_WHERE, "prices", prices)
    known = [*judges, PEOPLE]
    for name in prices:
        choice(_WHERE, "the name of a price", name, known)
    for name in known:
        if name not in prices:
            need, got = "be there for every judge and for people", f"none for {name}"
            hint = "A verdict that costs nothing has the price 0."
            raise InputError(_WHERE, "prices", need, got, hint)
        checks.number(_WHERE, f"the price of {name}", prices[name])
        if not 0 <= prices[name] < math.inf:
            need, got = "be 0 or more, and finite", shown(prices[name])
            hint = "All prices are in one unit, such as cents."
            raise InputError(_WHERE, f"the price of {name}", need, got, hint)
    return {name: float(prices[name]) for name in known}


# -- what comes of it ----------------------------------------------------------------


def _measured(
    arrangement: Arrangement,
    made: JudgeDecisions,
    both: JudgesAndPeople,
    prices: Mapping[str, float],
    *,
    level: float,
    of: str,
    certainty: float,
) -> ArrangedJudges:
    """One arrangement against people's labels."""
    labels, verdict = both.labels, made.verdict
    wrong = labels.wrong(verdict)
    error, accepts, rejects = (
        share_wrong(verdict, wrong[kind], labels, level)
        for kind in ("", ACCEPTS, REJECTS)
    )
    return ArrangedJudges(
        arrangement=str(arrangement),
        price=price_of(made, both.panel.judges, prices) if prices else None,
        left=float(np.mean(verdict < 0)),
        n_left=int((verdict < 0).sum()),
        decided_by=tuple(
            (name, float(np.mean(made.stage == place)))
            for place, name in enumerate(arrangement.stages)
        ),
        labelled=int(((verdict >= 0) & labels.labelled).sum()),
        error=error,
        false_accepts=accepts,
        false_rejects=rejects,
        bound=bound_of_wrong(verdict, labels, of=of, certainty=certainty),
    )


def price_of(
    made: JudgeDecisions, judges: Sequence[str], prices: Mapping[str, float]
) -> float:
    """What a verdict costs on average: each judge where it was asked, people the rest.

    Parameters
    ----------
    made : JudgeDecisions
        Of an arrangement.
    judges : sequence of str
        The names of the rows of ``made.asked``.
    prices : mapping of str to float
        Of a verdict of each, and of people.

    Examples
    --------
    >>> verdict, stage = np.array([1, -1]), np.array([0, -1])
    >>> made = JudgeDecisions(verdict, stage, np.ones((1, 2), bool))
    >>> price_of(made, ["a"], {"a": 1.0, "people": 10.0})
    6.0
    """
    by_judges = sum(
        prices[name] * float(np.mean(asked))
        for name, asked in zip(judges, made.asked, strict=True)
    )
    return by_judges + prices[PEOPLE] * float(np.mean(made.verdict < 0))


def _by_cost(one: ArrangedJudges) -> tuple[float, float, str]:
    return one.cost, one.error_seen, one.arrangement


def _with_dominated(ordered: Sequence[ArrangedJudges]) -> list[ArrangedJudges]:
    """Those in the order of their cost, each with the first that dominates it."""
    kept: list[ArrangedJudges] = []
    marked = []
    for one in ordered:
        better = (
            other.arrangement
            for other in kept
            if other.error_seen <= one.error_seen
            and (other.error_seen < one.error_seen or other.cost < one.cost)
        )
        by = next(better, None)
        if by is None:
            kept.append(one)
        marked.append(replace(one, dominated_by=by))
    return marked


def _best(measured: Sequence[ArrangedJudges], most_error: float | None) -> str | None:
    """The cheapest whose bound is low enough, among those that decide something."""
    if most_error is None:
        return None
    good = [one for one in measured if one.bound <= most_error and one.left < 1]
    if not good:
        return None
    return min(good, key=lambda one: (one.cost, one.bound)).arrangement


# -- what a reader must know ---------------------------------------------------------


def _notes(
    both: JudgesAndPeople,
    asked: Sequence[Arrangement],
    measured: Sequence[ArrangedJudges],
    looked_at: int,
) -> list[str]:
    notes = [PEOPLE_RIGHT]
    if looked_at > 1:
        notes.append(
            f"bounds are corrected for {looked_at} arrangements; intervals hold each "
            "by itself"
        )
    steps = (step for one in asked if isinstance(one, Cascade) for step in one.steps)
    if any(step.cutoff is not None for step in steps):
        notes.append(GIVEN_CUTOFFS)
    for part in both.parts.values():
        if labelled_in_part(part):
            with suppress(UndefinedRate):
                forced = forced_choice(_WHERE, part, None)
                notes += selection_notes(part, forced)
    unknown = any(one.left < 1 and one.error is None for one in measured)
    if unknown and both.labels.labelled.any():
        notes.append(
            "an error is undefined where no decided answer has a label, or some had no "
            "chance of one (label_weight 0); its bound is 1"
        )
    return list(dict.fromkeys(notes))


def _recipe(
    outcomes: Outcomes,
    numbers: tuple[Any, ...],
    asked: Sequence[Arrangement],
    prices: Mapping[str, float],
) -> dict[str, str]:
    most_error, of, certainty, level = numbers
    recipe = {**outcomes.recipe, "arrangements": "+".join(map(str, asked))}
    if prices:
        recipe["prices"] = ", ".join(f"{n}={exactly(p)}" for n, p in prices.items())
    if most_error is not None:
        recipe["most_error"] = f"{exactly(most_error)} of {of}"
    if outcomes.label_weight is not None:
        recipe["labels"] = "weighted"
    recipe |= {"certainty": exactly(certainty), "level": exactly(level)}
    return recipe | {"items": str(len(outcomes))}
