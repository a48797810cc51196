"""``demur choose``: a cutoff per system, and what it costs."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Final

import numpy as np

from demur import formats
from demur.cli import kinds_chosen, say, shared
from demur.cli.shared import WrongUsage
from demur.comparisons.pricing import PriceList, different_items, price_list
from demur.curves.of_outcomes import curve_by
from demur.decisions.certifying import CertificatePlan, PilotPlans, certificate_plan
from demur.decisions.choice_tables import OF_WHOLES, WHOLES
from demur.decisions.choices import Choice, judged_on
from demur.decisions.choosing import RULES, choose
from demur.decisions.declining import GAP_KINDS, declining_by
from demur.decisions.listing_items import confidences_told
from demur.decisions.locking import lock
from demur.decisions.locks import write_locks
from demur.decisions.ranked_choices import Choices
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.labelling import check_verdicts
from demur.outcomes.parts import halves, labelled_in_part, named_parts
from demur.outcomes.table import Outcomes
from demur.plots.drawing import plot_prices
from demur.results import Bundle, FigureKind


def run(arguments: Namespace) -> int:
    """Choose, judge on held-out items if asked, lock and print; then the gates."""
    files, by = arguments.outcomes, arguments.by
    reads = [*files, *(arguments.held_out or ())]
    shared.check_asked(arguments, _kinds(arguments), reads, ["lock", "plot"])
    _check_together(arguments)
    certificate = shared.named(arguments, "max_error", "certainty", "of")
    how = shared.how_counted(arguments)
    if arguments.plan:
        power = {} if arguments.power is None else {"power": arguments.power}
        return shared.finish(_plans(files, how, certificate | power), arguments)
    counted = shared.counted(arguments, files, NEED_ROWS)
    if counted is not None:
        return _of_parts(shared.counted_systems(counted), arguments)
    groups = dict.fromkeys((by, arguments.each, arguments.gold, arguments.kinds))
    how |= {
        "groups": [name for name in groups if name],
        "display": bool(arguments.page),
    }
    outcomes = formats.read_outcomes(*files, **how)
    if arguments.kinds:
        chosen = kinds_chosen.chosen_by_kind(outcomes, arguments)
        return shared.finish(chosen, arguments)
    held_out: Outcomes | None = None
    if arguments.held_out:
        held_out = formats.read_outcomes(*arguments.held_out, **how)
    elif arguments.split is not None:
        seed = arguments.seed or 0
        outcomes, held_out = halves(outcomes, share=arguments.split, seed=seed)
    if held_out is not None:
        _refuse_nothing(held_out, outcomes.systems)
    if arguments.prices:
        return shared.finish(_prices(outcomes, held_out, arguments.plot), arguments)
    beside = partial(_told, outcomes=outcomes, held_out=held_out, by=by)
    of = outcomes if held_out is None else held_out
    return _of_parts(dict(named_parts(outcomes)), arguments, beside, of)


NEED_ROWS: Final = (
    *("log", "prices", "held_out", "split", "by", "gold", "max_cluster", "kinds"),
)
"""What takes rows in memory."""


def _of_parts(
    parts: Mapping[str, Any],
    arguments: Namespace,
    beside: Callable[[Choice], Choice] = lambda choice: choice,
    of: Outcomes | None = None,
) -> int:
    """Choose for each system, print with what is beside beside, and lock.

    A page also shows the outcomes that the choices are judged on, if all are labelled.
    """
    wanted = (*RULES, "certainty", "of", "max_nonreturn", "each", "gold", "bound")
    chosen = _choices(parts, shared.named(arguments, *wanted))
    results = Choices(map(beside, chosen), without=chosen.without, failed=chosen.failed)
    alone = len(results) == 1 and not results.without
    labelled = of is not None and not labelled_in_part(of)
    result = results[0] if alone else results
    code = shared.finish(result, arguments, of=of if labelled else None)
    if arguments.lock:
        _lock(parts, chosen, arguments.lock, arguments.max_cluster)
    return code


def _refuse_nothing(held_out: Outcomes, systems: Sequence[str]) -> None:
    """Refuse to judge a system of which all held-out items failed."""
    for name, (n_failed, items) in held_out.failures().items():
        if n_failed == items and name in systems:
            need = "have answers of each system"
            whose = shown(name or "the system")
            got = f"none of {whose}: {n_failed} of {items} requests failed"
            raise InputError("choose", "the held-out outcomes", need, got)


def _kinds(arguments: Namespace) -> list[FigureKind]:
    """The figures that there will be, as the options have it."""
    if arguments.prices:
        return [*PriceList.KINDS]
    if arguments.kinds:
        return [*kinds_chosen.KINDS]
    if arguments.plan:
        return [*CertificatePlan.KINDS[: 2 if arguments.outcomes else 1]]
    by_cost = (arguments.cost_ratio, arguments.wrong_costs, arguments.confidence_target)
    asked = {
        "bound": arguments.certainty is not None,
        "cost": any(cost is not None for cost in by_cost),
        "score": arguments.score is not None,
        "corrected_error": arguments.gold is not None,
        "missed": arguments.of not in OF_WHOLES,
    }
    kinds = [kind for kind in Choice.KINDS if asked.get(kind.name, True)]
    return [*kinds, *(GAP_KINDS if arguments.by else ())]


def _told(
    choice: Choice, outcomes: Outcomes, held_out: Outcomes | None, by: str | None
) -> Choice:
    """A choice with what stands beside it: held-out rates, and who gets declined."""
    if held_out is not None:
        choice = choice.with_held_out(_part_of(held_out, choice.system))
    if by is None:
        return choice
    declined = declining_by(
        _part_of(outcomes if held_out is None else held_out, choice.system),
        by,
        cutoff="never" if choice.cutoff is None else choice.cutoff,
    )
    if choice.held_out is None:
        return replace(choice, groups=declined)
    return replace(choice, held_out=replace(choice.held_out, groups=declined))


def _check_together(arguments: Namespace) -> None:
    """Raise `WrongUsage` for options that say nothing without others."""
    _check_ignored(arguments)
    kinds_chosen.check_kinds(arguments)
    limited = arguments.max_error is not None
    certified = arguments.certainty is not None
    several = arguments.max_nonreturn is not None
    all_or_wholes = arguments.of in ("all", WHOLES)
    of_costs = arguments.of == WHOLES  # the rules of wholes are checked where they are
    together = [
        ("--plot", arguments.plot, "--prices", arguments.prices),
        ("--plan", arguments.plan, "--max-error", limited),
        ("--plan", arguments.plan, "--certainty", certified),
        ("--power", arguments.power is not None, "--plan", arguments.plan),
        ("--power", arguments.power is not None, "OUTCOMES", arguments.outcomes),
        ("--certainty", certified, "--max-error", limited),
        ("--of", arguments.of != "all", "--max-error", limited or of_costs),
        ("--bound", arguments.bound != "certified", "--certainty", certified),
        ("--max-nonreturn", several, "--max-error", limited),
        ("--max-nonreturn", several, "--certainty", certified),
        ("--max-nonreturn", several, "--of all or wholes", all_or_wholes),
        ("--each", arguments.each, "--max-error", limited),
        ("--each", arguments.each, "--certainty", certified),
        ("--each", arguments.each, "--of all or wholes", all_or_wholes),
        ("--max-cluster", arguments.max_cluster, "--lock", arguments.lock),
        ("--seed", arguments.seed is not None, "--split", arguments.split is not None),
    ]
    for name, given, other, present in together:
        if given and not present:
            got = f"--of {arguments.of}" if other.startswith("--of ") else "none"
            raise WrongUsage("choose", name, f"come with {other}", got)
    if arguments.gold and arguments.lock:
        need = "come without --gold"
        hint = "demur recheck takes the verdicts of later runs as they stand."
        raise WrongUsage("choose", "--lock", need, "both", hint)
    if not (arguments.outcomes or arguments.plan):
        need, hint = "be named", "Only --plan does without."
        raise WrongUsage("choose", "files of outcomes", need, "none", hint)


def _check_ignored(arguments: Namespace) -> None:
    """Raise `WrongUsage` for options that --prices or --plan would not look at."""
    whole = "--prices" if arguments.prices else "--plan" if arguments.plan else None
    if whole is None:
        return
    ignored = {
        "--held-out": arguments.plan and arguments.held_out,
        "--split": arguments.plan and arguments.split is not None,
        "--lock": arguments.lock,
        "--by": arguments.by,
        "--each": arguments.each,
        "--gold": arguments.gold,
        "--kinds": arguments.kinds,
        "--max-nonreturn": arguments.max_nonreturn is not None,
        "--certainty": arguments.prices and arguments.certainty is not None,
        "--of": arguments.prices and arguments.of != "all",
        "--bound": arguments.bound != "certified",
        "--where": arguments.where and not arguments.outcomes,
        f"--of '{arguments.of}'": arguments.plan and arguments.of in OF_WHOLES,
    }
    given = [name for name, value in ignored.items() if value]
    if given:
        need, got = "come alone, it does not look at other options", ", ".join(given)
        raise WrongUsage("choose", whole, need, got, "Leave these out.")


def _plans(
    files: Sequence[str], how: dict[str, Any], certificate: dict[str, Any]
) -> Bundle:
    """How many items a certificate needs, in general and at the errors of pilots."""
    plans: list[CertificatePlan] = []
    if files:
        for _, part in named_parts(formats.read_outcomes(*files, **how)):
            try:
                plans.append(certificate_plan(**certificate, pilot=part))
            except UndefinedRate as why:
                say(f"no plan: {why.reason}")
    return Bundle(certificate_plan(**certificate), systems=PilotPlans(plans))


def _part_of(outcomes: Outcomes, system: str) -> Outcomes:
    named = dict(named_parts(outcomes))
    if system not in named:
        need = f"hold the system {system!r}"
        raise InputError("choose", "the held-out outcomes", need, ", ".join(named))
    return named[system]


def _lock(
    parts: Mapping[str, Any],
    chosen: Sequence[Choice],
    path: str,
    max_cluster: int | None,
) -> None:
    """Write what demur recheck needs; choices without a cutoff are left out, said."""
    locks = [
        lock(parts[choice.system], choice, max_cluster=max_cluster)
        for choice in chosen
        if choice.found
    ]
    if not locks:
        got = "none found for any system"
        raise InputError("choose", "the cutoffs", "be there to be locked", got)
    write_locks(locks, path)
    left_out = len(chosen) - len(locks)
    also = f"; {left_out} without a cutoff left out" if left_out else ""
    plural = "" if len(locks) == 1 else "s"
    say(f"wrote {path}: {len(locks)} cutoff{plural}{also}")


def _choices(parts: Mapping[str, Any], rules: dict[str, Any]) -> Choices:
    """One choice per system and setting, and why there is none for others, by name."""
    chosen: list[Choice] = []
    without: dict[str, str] = {}
    failed: dict[str, tuple[int, int]] = {}
    for name, part in parts.items():
        failed[name] = _failed(part)
        try:
            chosen.append(choose(part, **rules))
        except UndefinedRate as why:
            without[name] = why.reason
    if not chosen:
        need = "have a system to choose a cutoff for"
        got = f"none: {' '.join(without.values())}".removesuffix(".")
        tables = [part for part in parts.values() if isinstance(part, Outcomes)]
        whole = not labelled_in_part(*tables)
        notes = chain.from_iterable(getattr(p, "notes", ()) for p in parts.values())
        hints = [confidences_told(notes)]
        hints += ["--prices compares operating points."] if whole else []
        hint = " ".join(filter(None, hints))
        raise InputError("choose", "the outcomes", need, got, hint)
    return Choices(chosen, without=without, failed=failed)


def _failed(part: Any) -> tuple[int, int]:
    """How many items of a system failed, of how many."""
    if isinstance(part, Outcomes):
        return int(part.failed.sum()), len(part)
    counted = part.counts().parts[part.system or 0]
    return counted.failed, counted.totals.items


def _prices(
    outcomes: Outcomes, held_out: Outcomes | None, picture: str | None
) -> PriceList:
    """The price list, and its picture."""
    hint = "--cost-ratio, --wrong-costs and --max-error go by the labelled ones."
    check_verdicts("choose --prices", hint, outcomes, *([held_out] if held_out else []))
    curves = curve_by(outcomes)
    prices = price_list(curves, held_out=held_out)
    shared.draw(lambda: plot_prices(curves), picture)
    different = different_items(outcomes)
    notes = [*prices.notes, *([] if different is None else [different])]
    if held_out is not None:
        notes[0] = judged_on(*(np.unique(part.item) for part in (outcomes, held_out)))
    return PriceList(
        prices,
        notes=notes,
        recipe=prices.recipe,
        standings=prices.standings,
        common=curves.common,
        failed=prices.failed,
        failed_held_out=prices.failed_held_out,
    )
