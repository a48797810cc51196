"""The verb that checks a judge: asked again with one thing changed."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from demur import checks as arguments
from demur.arrays import Flags, Floats
from demur.errors import InputError, RunError
from demur.judge_models.cases import (
    RIGHT_VERDICT,
    WRONG_VERDICT,
    Asking,
    CaseJudge,
    JudgeCase,
)
from demur.judge_models.check_answers import (
    AS_IS,
    ASKINGS,
    PADDING,
    CheckedAnswers,
    checked_answers,
    words_of,
)
from demur.judge_models.check_effects import (
    FEWEST_IN_A_CELL,
    ArmVerdicts,
    Luck,
    Matched,
    corrected,
    matched_effect,
    paired_effect,
    share_effect,
)
from demur.judge_models.check_results import CHECKS, JudgeChecks, JudgeEffect
from demur.judge_models.function_judges import as_case_judge
from demur.outcomes.records import Reference, Response
from demur.results import exactly, with_noun
from demur.systems.protocol import System

USUAL: Final = ("order", "repeat", "length", "references")
"""The checks that are made if none are named; with systems of its own, that too."""


# -- what will be asked ------------------------------------------------------------


class CheckPlan(NamedTuple):
    """What a judge will be asked, known before it is.

    Parameters
    ----------
    checks : tuple of str
        Which checks are made.
    answers : CheckedAnswers
        On which answers.
    shown_cases : mapping of str to list of JudgeCase or None
        For each way of asking what the judge is shown; None where it is not asked.
    own_systems : tuple of str
        Whose answers are of the judge's own model.
    people : str or None
        The column of people's verdicts.
    n_drawn : int or None
        How many items were asked for.
    padding : str
        What answers are padded by.
    """

    checks: tuple[str, ...]
    answers: CheckedAnswers
    shown_cases: Mapping[str, list[JudgeCase | None]]
    own_systems: tuple[str, ...] = ()
    people: str | None = None
    n_drawn: int | None = None
    padding: str = PADDING

    @property
    def requests(self) -> int:
        """How many verdicts are asked for; equal ones, and kept ones, cost nothing."""
        return sum(
            case is not None for cases in self.shown_cases.values() for case in cases
        )

    def sentence(self) -> str:
        """How much will be asked."""
        ways = with_noun(len(self.shown_cases), "way")
        answers = with_noun(len(self.answers), "answer")
        return f"{self.requests} verdicts will be asked for: {answers} in {ways}"


def plan_checks(  # noqa: PLR0913  (those of check_judge)
    responses: Iterable[Response | Mapping[str, Any]],
    references: Iterable[Reference | Mapping[str, Any]],
    *,
    checks: Sequence[str] | str | None = None,
    own_systems: Sequence[str] | str = (),
    items: int | None = None,
    people: str | None = None,
    padding: str = PADDING,
    seed: int = 0,
) -> CheckPlan:
    """What `check_judge` will ask, from the same arguments.

    Examples
    --------
    >>> plan = plan_checks([{"item": 1, "response": "Oslo"}],
    ...                    [{"item": 1, "reference": "Oslo"}], checks=["order"])
    >>> plan.sentence()
    '2 verdicts will be asked for: 1 answer in 2 ways'
    """
    arguments.whole("check_judge", "seed", seed)
    arguments.filled("check_judge", "padding", padding)
    if items is not None:
        arguments.whole("check_judge", "items", items, 1)
    systems = tuple(arguments.names("check_judge", "own_systems", own_systems))
    chosen = _chosen(checks, systems)
    chosen_answers = checked_answers(responses, references, people)
    for system in systems:
        known = dict.fromkeys(chosen_answers.systems)
        arguments.choice("check_judge", "own_systems", system, known)
    if items is not None:
        chosen_answers = chosen_answers.drawn(items, seed)
    ways = [AS_IS, *(check for check in chosen if check in ASKINGS)]
    cases = {way: chosen_answers.changed(way, padding) for way in ways}
    return CheckPlan(chosen, chosen_answers, cases, systems, people, items, padding)


def _chosen(checks: Any, systems: tuple[str, ...]) -> tuple[str, ...]:
    """The checks by name, each once, in the order of `CHECKS`."""
    usual = (*USUAL, "own") if systems else USUAL
    named = arguments.names(
        "check_judge", "checks", usual if checks is None else checks
    )
    for name in named:
        arguments.choice("check_judge", "checks", name, CHECKS)
    if not named:
        raise InputError("check_judge", "checks", "name at least one check", "none")
    if systems and "own" not in named:
        need = "come with the check own"
        raise InputError("check_judge", "own_systems", need, ", ".join(named))
    return tuple(name for name in CHECKS if name in named)


# -- the verb ----------------------------------------------------------------------


def check_judge(  # noqa: PLR0913  (options are independent of each other)
    judge: CaseJudge | System | Callable[[JudgeCase, Asking], Any] | str,
    responses: Iterable[Response | Mapping[str, Any]],
    references: Iterable[Reference | Mapping[str, Any]],
    checks: Sequence[str] | str | None = None,
    *,
    own_systems: Sequence[str] | str = (),
    items: int | None = None,
    people: str | None = None,
    padding: str = PADDING,
    level: float = 0.95,
    seed: int = 0,
) -> JudgeChecks:
    """What a judge's verdicts hang on beside the answer: each as an effect.

    The judge is asked about the answers as they are, and again with one thing changed.
    Verdicts are paired by answer; items, or their clusters, are the independent units.
    All effects that are tested share one chance of 1 - level that any is claimed
    without being there (Holm's correction of exact tests by flips of signs).

    Parameters
    ----------
    judge : CaseJudge, System, str or callable
        What has ``verdicts(cases, asking)``, such as a `JudgeModel`; a system, or
        ``"model(MODEL@URL)"``, which judge by the usual rubric; or a function
        of a `JudgeCase` and an `Asking` that returns a `JudgeVerdict`, True, False, a
        credit from 0 to 1, or None if it cannot tell. An exception costs that one
        verdict.
    responses : iterable of Response or mapping, or any dataframe
        Answers; those without a guess are left out.
    references : iterable of Reference or mapping, or any dataframe
        What would be right, with the question as ``input``, and maybe ``cluster``.
    checks : sequence of str, optional
        ``order``: choices and references turned round. ``repeat``: asked again; what
        changes by order, length or references must change more verdicts than this.
        ``length``: text answers padded by words that add nothing; with verdicts of
        people, whether longer answers of a system are judged more kindly. ``own``:
        answers by the judge's own model against others', at the same question and
        verdict of people. ``references``: left out. By default all; own if
        ``own_systems`` are named.
    own_systems : str or sequence of str
        Systems that are the judge's own model.
    items : int, optional
        All answers to so many items, drawn at random; by default all.
    people : str, optional
        The column of the responses with people's verdicts, right or wrong or empty.
    padding : str
        What is put behind an answer; by default an English sentence.
    level : float
        Of intervals and claims.
    seed : int
        Of the draw of items, and of random flips where more than 12 units change.

    Returns
    -------
    JudgeChecks
        ``effects``, a `JudgeEffect` for each thing that a check looks at.

    Raises
    ------
    InputError
        If a name is not known, nothing can be judged, or a response has no reference.
    RunError
        If the judge gives another number of verdicts than it was asked for.

    Examples
    --------
    A judge that takes the second of two choices for right, whatever the answer is:

    >>> import demur
    >>> answers = [{"item": i, "response": "x"} for i in range(20)]
    >>> keys = [{"item": i, "reference": "x" if i % 2 else "y"} for i in range(20)]
    >>> def judge(case, asking):
    ...     return asking.turned or case.response == case.references[0][0]
    >>> found = demur.check_judge(judge, answers, keys, ["order", "repeat"])
    >>> found.effect("order").effect, found.effect("order").claimed
    (0.5, True)
    >>> print(found.sentence())
    Beyond luck, of 2 effects tested on verdicts of 20 answers to 20 items: order right
    (+0.500), order changed (+0.500).
    """
    case_judge = as_case_judge(judge)
    arguments.check_level("check_judge", level)
    plan = plan_checks(
        responses,
        references,
        checks=checks,
        own_systems=own_systems,
        items=items,
        people=people,
        padding=padding,
        seed=seed,
    )
    return asked(case_judge, plan, level=level, seed=seed)


def asked(
    judge: CaseJudge, plan: CheckPlan, *, level: float = 0.95, seed: int = 0
) -> JudgeChecks:
    """The effects of a plan: the judge is asked, and what it says is looked at."""
    arms = {
        way: _asked_in_a_way(judge, cases, ASKINGS[way])
        for way, cases in plan.shown_cases.items()
    }
    looking = _Looking(plan, arms, Luck(level, seed))
    effects = corrected([*looking.effects()])
    return JudgeChecks(
        effects=effects,
        answers=len(plan.answers),
        items=plan.answers.n_items,
        requests=plan.requests,
        level=level,
        verdicts=tuple(_rows(plan.answers, arms)),
        notes=(*plan.answers.notes, *_failures(plan, arms), *_untested(effects)),
        recipe=_recipe(judge, plan, level, seed),
    )


def _recipe(
    judge: CaseJudge, plan: CheckPlan, level: float, seed: int
) -> dict[str, str]:
    padding = hashlib.sha256(plan.padding.encode("utf-8", "replace")).hexdigest()[:8]
    parts = {
        **getattr(judge, "recipe", {"judge": str(judge)}),
        "checks": "+".join(plan.checks),
        "own": "+".join(plan.own_systems),
        "people": plan.people or "",
        "items": str(plan.n_drawn or ""),
        "padding": "" if plan.padding == PADDING else padding,
        "level": exactly(level),
        "seed": str(seed),
    }
    return {name: part for name, part in parts.items() if part}


def _asked_in_a_way(
    judge: CaseJudge, cases: Sequence[JudgeCase | None], asking: Asking
) -> ArmVerdicts:
    wanted = [case for case in cases if case is not None]
    given = judge.verdicts(wanted, asking) if wanted else []
    if len(given) != len(wanted):
        raise RunError(
            f"the judge gave {with_noun(len(given), 'verdict')} on "
            f"{with_noun(len(wanted), 'case')}: one for each is needed, in their order"
        )
    verdicts = iter(given)
    return ArmVerdicts.of([None if case is None else next(verdicts) for case in cases])


def _failures(plan: CheckPlan, arms: Mapping[str, ArmVerdicts]) -> Iterator[str]:
    """In which way of asking the judge could not be had, or was not asked."""
    for way, arm in arms.items():
        cases = plan.shown_cases[way]
        absent = sum(case is None for case in cases)
        failed = len(cases) - absent - int(arm.usable.sum())
        if absent:
            what = {"length": "no text to pad", "references": "no reference"}[way]
            yield f"{way}: {with_noun(absent, 'answer')} with {what}: left out of it"
        if failed:
            why = f": {arm.why}" if arm.why else ""
            what = with_noun(failed, "verdict")
            yield f"{way}: {what} failed, whose pairs are left out{why}"


def _untested(effects: Iterable[JudgeEffect]) -> Iterator[str]:
    for effect in effects:
        if effect.untested:
            yield f"{effect.name.replace('_', ' ')}: not tested: {effect.untested}"


def _rows(
    answers: CheckedAnswers, arms: Mapping[str, ArmVerdicts]
) -> Iterator[dict[str, Any]]:
    """Verdicts as annotators of units, each of one answer."""
    people = {1.0: RIGHT_VERDICT, 0.0: WRONG_VERDICT}
    numbers: Counter[tuple[str, str]] = Counter()
    for row, key in enumerate(zip(answers.items, answers.systems, strict=True)):
        numbers[key] += 1
        again = f"#{numbers[key]}" if numbers[key] > 1 else ""
        labels = {way: arm.label[row] or None for way, arm in arms.items()}
        yield {
            "unit": " ".join(filter(None, (*key, again))),
            "cluster": str(answers.cluster[row]),
            "item": key[0],
            "system": key[1],
            **labels,
            "people": people.get(float(answers.people[row])),
        }


# -- what is looked at -------------------------------------------------------------


class _Looking(NamedTuple):
    """Verdicts in all ways, and what each check looks at."""

    plan: CheckPlan
    arms: Mapping[str, ArmVerdicts]
    luck: Luck

    def effects(self) -> Iterator[JudgeEffect]:
        for check in self.plan.checks:
            if check == "repeat":
                yield self.repeated()
            elif check == "own":
                yield self.own_answers()
            else:
                yield from self.changes(check)
            if check == "length":
                yield self.lengths()

    def changes(self, check: str) -> Iterator[JudgeEffect]:
        """What a change does to the verdicts on the same answers."""
        before, after = self.arms[AS_IS], self.arms[check]
        both = before.usable & after.usable
        if not both.any():
            why = "no answer was judged in both ways"
            yield JudgeEffect(check, "right", level=self.luck.level, untested=why)
            return
        cluster = self.plan.answers.cluster[both]

        def paired(measure: str, side: Any, other: Any) -> JudgeEffect:
            pairs = side[both].astype(float), other[both].astype(float)
            return paired_effect(check, measure, pairs, cluster, self.luck)

        yield paired("right", before.credit, after.credit)
        # Whether it ever cannot tell, in whatever way: no way of asking decides on it.
        if any(arm.unsure.any() for arm in self.arms.values()):
            yield paired("cannot_tell", before.unsure, after.unsure)
        yield self.beyond_repeats(check, both)
        if check == "references":
            yield self.unlike_people(both)

    def beyond_repeats(self, check: str, both: Flags) -> JudgeEffect:
        """Verdicts that a change turns, less those that a repeat does.

        Without an effect the changed and the repeated verdict could change places.
        """
        cluster, before = self.plan.answers.cluster, self.arms[AS_IS].label
        changed = self.arms[check].label != before
        again = self.arms.get("repeat")
        usable = both if again is None else both & again.usable
        if again is None or not usable.any():
            effect = share_effect(
                check, "changed", changed[both], cluster[both], self.luck
            )
            why = "needs the check repeat, to know how many change by themselves"
            return replace(effect, untested=why)
        pairs = (again.label != before)[usable], changed[usable]
        sides = pairs[0].astype(float), pairs[1].astype(float)
        return paired_effect(check, "changed", sides, cluster[usable], self.luck)

    def repeated(self) -> JudgeEffect:
        """Verdicts that change by asking again."""
        before, after = self.arms[AS_IS], self.arms["repeat"]
        both = before.usable & after.usable
        if not both.any():
            why = "no answer was judged twice"
            return JudgeEffect("repeat", "changed", level=self.luck.level, untested=why)
        changed = (before.label != after.label)[both]
        cluster = self.plan.answers.cluster[both]
        return share_effect("repeat", "changed", changed, cluster, self.luck)

    def unlike_people(self, both: Flags) -> JudgeEffect:
        """Verdicts that are not people's, without references and with them."""
        people = self.plan.answers.people
        known = both & np.isfinite(people)
        if not known.any():
            why = "needs people's verdicts"
            level = self.luck.level
            return JudgeEffect("references", "unlike_people", level=level, untested=why)
        sides = [
            _distance(self.arms[way], people)[known] for way in (AS_IS, "references")
        ]
        cluster = self.plan.answers.cluster[known]
        return paired_effect(
            "references", "unlike_people", (sides[0], sides[1]), cluster, self.luck
        )

    def own_answers(self) -> JudgeEffect:
        """Answers of the judge's own model, against others to the same question."""
        answers, systems = self.plan.answers, self.plan.own_systems
        if not systems:
            why = "needs the names of systems that are the judge's own model"
            return JudgeEffect("own", "surplus", level=self.luck.level, untested=why)
        trait = np.isin(np.array(answers.systems, object), list(systems)).astype(float)
        why = "no question has an answer of its own and another's with the same verdict"
        return self.surplus("own", trait, answers.item_numbers, why)

    def lengths(self) -> JudgeEffect:
        """Long answers against short ones of the same system."""
        answers = self.plan.answers
        trait = np.array([words_of(case) for case in answers.cases])
        systems = np.unique(np.array(answers.systems, object), return_inverse=True)[1]
        why = (
            "no five items with answers of one system, of unequal length, that people "
        )
        why += "judge alike"
        return self.surplus("length", trait, systems, why, FEWEST_IN_A_CELL)

    def surplus(
        self, check: str, trait: Floats, part: Any, why: str, fewest: int = 1
    ) -> JudgeEffect:
        """Verdicts against a trait, at the same verdict of people in the same part."""
        people, arm = self.plan.answers.people, self.arms[AS_IS]
        level = self.luck.level
        if not np.isfinite(people).any():
            why = "needs people's verdicts"
            return JudgeEffect(check, "surplus", level=level, untested=why)
        known = np.isfinite(people) & np.isfinite(trait) & arm.usable
        cell = 2 * part[known] + people[known].astype(np.int64)
        cluster = self.plan.answers.cluster[known]
        matched = Matched(trait[known], arm.credit[known], cell, cluster)
        matched = matched.telling(fewest)
        if not len(matched.right):
            return JudgeEffect(check, "surplus", level=level, untested=why)
        return matched_effect(check, matched, self.luck, binary=check == "own")


def _distance(arm: ArmVerdicts, people: Floats) -> Floats:
    """How far each verdict is from people's; one that it cannot tell is wholly so."""
    apart: Floats = np.where(arm.unsure, 1.0, np.abs(arm.credit - people))
    return apart
