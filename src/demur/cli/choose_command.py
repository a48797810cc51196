"""``demur choose``: a cutoff per system, and what it costs."""

import argparse
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from typing import Any

from demur import formats, results
from demur.cli import shared
from demur.cli.shared import how_read
from demur.cli.streams import as_json, say, show
from demur.cli.usage import WrongUsage, check_outputs
from demur.comparisons.pricing import different_items, price_list
from demur.curves.of_outcomes import curve_by
from demur.decisions.certifying import CertificatePlan, certificate_plan
from demur.decisions.choice_tables import SAME_DATA, choices_table
from demur.decisions.choices import Choice
from demur.decisions.choosing import RULES, choose
from demur.decisions.declining import Declining, declining_by, declining_table
from demur.decisions.locks import write_locks
from demur.decisions.rechecking import lock
from demur.errors import InputError, UndefinedRate
from demur.outcomes.parts import halves, named_parts
from demur.outcomes.table import Outcomes
from demur.plots import comparisons
from demur.plots.pens import save_picture
from demur.results import printable
from demur.version import __version__


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur choose``."""
    command.description = "Choose a cutoff per system, and say what it costs."
    command.add_argument(
        "outcomes",
        nargs="*",
        metavar="OUTCOMES",
        help="files of outcomes; with --plan there may be none",
    )
    _rules_options(command)
    _max_error_options(command)
    _held_out_options(command)
    command.add_argument(
        "--by",
        metavar="GROUP",
        help="who gets declined at the cutoff: rates for each value of this column, "
        "on held-out items where there are some",
    )
    shared.add_picture(command, "with --prices: draw the least costs at each R")
    command.add_argument(
        "--lock",
        metavar="FILE",
        help="keep the cutoff, its target and the mix of confidences for demur recheck",
    )
    shared.add_selection(command, "outcomes")
    shared.add_json(command)


def _rules_options(command: argparse.ArgumentParser) -> None:
    rule = command.add_mutually_exclusive_group(required=True)
    rule.add_argument(
        "--cost-ratio",
        type=shared.cost_ratio,
        metavar="R",
        help="least error + R x nonreturn: the cost of a non-return over that of an "
        "error; from 1 upwards never decline",
    )
    rule.add_argument(
        "--wrong-costs",
        type=shared.positive,
        metavar="W",
        help="how many declined items a wrong answer costs as much as; the same as "
        "--cost-ratio with R = 1 / W",
    )
    rule.add_argument(
        "--confidence-target",
        type=shared.rate,
        metavar="T",
        help="answer where the chance of being right is worth it: R = 1 - T",
    )
    rule.add_argument(
        "--score",
        type=shared.named_score,
        metavar="NAME",
        help="the best cutoff by a named score, such as omniscience-index or "
        "'reliability-score(c=10)'",
    )
    rule.add_argument(
        "--max-error",
        type=shared.rate,
        metavar="E",
        help="the smallest cutoff with error <= E",
    )
    rule.add_argument(
        "--nonreturn", type=shared.rate, metavar="X", help="the largest nonreturn <= X"
    )
    rule.add_argument(
        "--balance",
        action="store_true",
        help="error and missed chance as equal as can be",
    )
    rule.add_argument(
        "--prices",
        action="store_true",
        help="which system, at which cutoff, is cheapest at which R, or whether to "
        "answer nothing; systems judged on the same items",
    )


def _max_error_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--of",
        default="all",
        choices=["all", "answered"],
        help="with --max-error: errors over all items or over answered ones "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--certainty",
        type=shared.share,
        metavar="C",
        help="with --max-error: certify the error, so that it is truly greater with "
        "chance 1 - C at most",
    )
    command.add_argument(
        "--max-nonreturn",
        type=shared.rate,
        metavar="X",
        help="with --max-error and --certainty: also promise that no more is declined",
    )
    command.add_argument(
        "--each",
        metavar="GROUP",
        help="with --max-error and --certainty: promise the error for each value of "
        "this column",
    )
    command.add_argument(
        "--plan",
        action="store_true",
        help="with --max-error and --certainty: how many items it takes before the "
        "error can be certified; with OUTCOMES also at their share of errors",
    )


def _held_out_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--gold",
        metavar="COLUMN",
        help="the column with people's verdicts on a part of the items, drawn at "
        "random: choose by corrected errors; with --certainty by people's verdicts "
        "alone",
    )
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "--held-out",
        action="extend",
        nargs="+",
        metavar="OUTCOMES",
        help="judge the cutoff on these outcomes; may be repeated",
    )
    where.add_argument(
        "--split",
        type=shared.share,
        metavar="SHARE",
        help="choose on this share of the items, drawn at random, judge on the rest",
    )
    command.add_argument("--seed", type=shared.seed, help="of the split (default: 0)")


def run(arguments: Namespace) -> int:
    """Choose, judge on held-out items if asked, and print."""
    how = how_read(arguments)
    places = {"--lock": arguments.lock, "--plot": arguments.plot}
    check_outputs("choose", places, [*arguments.outcomes, *(arguments.held_out or ())])
    _check_together(arguments)
    if arguments.plan:
        return _plan(how, arguments)
    groups = _groups(arguments)
    outcomes = formats.read_outcomes(*arguments.outcomes, groups=groups, **how)
    if arguments.prices:
        return _prices(outcomes, arguments)
    outcomes, held_out = _held_out(outcomes, how, arguments)
    chosen, without = _choices(outcomes, arguments)
    judged = [None if held_out is None else _judged(each, held_out) for each in chosen]
    honest = outcomes if held_out is None else held_out
    declined = _declined(honest, chosen, arguments.by) if arguments.by else []
    if arguments.json:
        show(as_json(_shown(chosen, judged, declined)))
    else:
        show(choices_table(chosen, judged))
        where_from = (
            "the data it was chosen on" if held_out is None else "held-out data"
        )
        for each in declined:
            show("\n" + declining_table(each, where_from))
    if arguments.lock:
        _lock(outcomes, chosen, arguments.lock)
    for why in without.values():
        say(why)
    return 0


def _groups(arguments: Namespace) -> list[str]:
    """The columns that are needed as groups."""
    wanted = (arguments.by, arguments.each, arguments.gold)
    return [name for name in dict.fromkeys(wanted) if name]


def _check_together(arguments: Namespace) -> None:
    """Raise `WrongUsage` for options that say nothing without others."""
    _check_ignored(arguments)
    limited = arguments.max_error is not None
    certified = arguments.certainty is not None
    several = arguments.max_nonreturn is not None
    together = [
        ("--plot", arguments.plot, "--prices", arguments.prices),
        ("--plan", arguments.plan, "--max-error", limited),
        ("--plan", arguments.plan, "--certainty", certified),
        ("--certainty", certified, "--max-error", limited),
        ("--of", arguments.of != "all", "--max-error", limited),
        ("--max-nonreturn", several, "--max-error", limited),
        ("--max-nonreturn", several, "--certainty", certified),
        ("--max-nonreturn", several, "--of all", arguments.of == "all"),
        ("--each", arguments.each, "--max-error", limited),
        ("--each", arguments.each, "--certainty", certified),
        ("--each", arguments.each, "--of all", arguments.of == "all"),
    ]
    for name, given, other, present in together:
        if given and not present:
            raise WrongUsage("choose", name, f"come with {other}", "none")
    drawn = arguments.split is not None
    if arguments.seed is not None and not drawn:
        raise WrongUsage("choose", "--seed", "come with --split", "none")
    if arguments.gold and arguments.lock:
        must = "come without --gold"
        hint = "demur recheck takes the verdicts of later runs as they stand."
        raise WrongUsage("choose", "--lock", must, "both", hint)
    if not (arguments.outcomes or arguments.plan):
        must, hint = "be named", "Only --plan does without."
        raise WrongUsage("choose", "files of outcomes", must, "none", hint)


def _check_ignored(arguments: Namespace) -> None:
    """Raise `WrongUsage` for options that --prices or --plan would not look at."""
    whole = "--prices" if arguments.prices else "--plan" if arguments.plan else None
    if whole is None:
        return
    ignored = {
        "--held-out": arguments.held_out,
        "--split": arguments.split is not None,
        "--lock": arguments.lock,
        "--by": arguments.by,
        "--each": arguments.each,
        "--gold": arguments.gold,
        "--max-nonreturn": arguments.max_nonreturn is not None,
        "--certainty": arguments.prices and arguments.certainty is not None,
        "--of": arguments.prices and arguments.of != "all",
        "--where": arguments.where and not arguments.outcomes,
    }
    given = [name for name, value in ignored.items() if value]
    if given:
        must, got = "come alone, it does not look at other options", ", ".join(given)
        raise WrongUsage("choose", whole, must, got, "Leave these out.")


def _plan(how: dict[str, Any], arguments: Namespace) -> int:
    """How many items a certificate needs, in general and at the errors of a pilot."""
    planned = partial(
        certificate_plan,
        max_error=arguments.max_error,
        certainty=arguments.certainty,
        of=arguments.of,
    )
    plans: dict[str, CertificatePlan] = {}
    if arguments.outcomes:
        outcomes = formats.read_outcomes(*arguments.outcomes, **how)
        for name, part in named_parts(outcomes):
            try:
                plans[name] = planned(pilot=part)
            except UndefinedRate as why:
                say(f"no plan: {_reason(why)}")
    general = planned()
    if arguments.json:
        kept = ("by_nonreturn", "notes")
        listed = [
            {"system": name, **{key: plan.to_dict()[key] for key in kept}}
            for name, plan in plans.items()
        ]
        show(as_json({"demur": __version__, **general.to_dict(), "systems": listed}))
        return 0
    rows = [[str(wrong), str(items)] for wrong, items in general.by_errors.items()]
    of_all = general.of == "all"
    needed = "items needed" if of_all else "answered items needed"
    show(results.table(["wrong", needed], rows))
    for name, plan in plans.items():
        show("\n" + _pilot_table(name, plan))
    show(
        f"\nto certify an error of {general.max_error:g} of "
        f"{'all' if of_all else 'answered'} items with certainty "
        f"{general.certainty:g}; independent items, exact binomial bound. Partial "
        "credit and ungraded answers count as one wrong each."
    )
    return 0


def _pilot_table(name: str, plan: CertificatePlan) -> str:
    rows = [
        [
            f"{nonreturn:.1f}",
            results.rate(wrong),
            "never: share too high" if items is None else str(items),
        ]
        for nonreturn, wrong, items in plan.by_nonreturn
    ]
    what = "share wrong" if plan.of == "all" else "share wrong of answered"
    header = ["nonreturn", what, "items in all, if it stays so"]
    lines = [f"note: {printable(note)}" for note in plan.notes]
    return "\n".join(
        [
            f"{printable(name) or 'the system'}:\n",
            results.table(header, rows),
            *(["", *lines] if lines else []),
        ]
    )


def _held_out(
    outcomes: Outcomes, how: dict[str, Any], arguments: Namespace
) -> tuple[Outcomes, Outcomes | None]:
    if arguments.held_out:
        groups = _groups(arguments)
        read = formats.read_outcomes
        return outcomes, read(*arguments.held_out, groups=groups, **how)
    if arguments.split is not None:
        return halves(outcomes, share=arguments.split, seed=arguments.seed or 0)
    return outcomes, None


def _part_of(outcomes: Outcomes, system: str) -> Outcomes:
    named = dict(named_parts(outcomes))
    if system not in named:
        must = f"hold the system {system!r}"
        raise InputError("choose", "the held-out outcomes", must, ", ".join(named))
    return named[system]


def _lock(outcomes: Outcomes, chosen: Sequence[Choice], path: str) -> None:
    """Write what demur recheck needs; choices without a cutoff are left out, said."""
    locks = [
        lock(_part_of(outcomes, choice.system), choice)
        for choice in chosen
        if choice.found
    ]
    if not locks:
        got = "none found for any system"
        raise InputError("choose", "the cutoffs", "be there to be locked", got)
    write_locks(locks, path)
    left_out = len(chosen) - len(locks)
    also = f"; {left_out} without a cutoff left out" if left_out else ""
    say(f"wrote {path}: {len(locks)} cutoffs{also}")


def _declined(
    outcomes: Outcomes, chosen: Sequence[Choice], group: str
) -> list[Declining]:
    return [
        declining_by(
            _part_of(outcomes, choice.system),
            group,
            cutoff="never" if choice.cutoff is None else choice.cutoff,
        )
        for choice in chosen
    ]


def _choices(
    outcomes: Outcomes, arguments: Namespace
) -> tuple[list[Choice], dict[str, str]]:
    """One choice per system and setting, and why there is none for others, by name."""
    rules = {name: getattr(arguments, name) for name in RULES}
    chosen: list[Choice] = []
    without: dict[str, str] = {}
    for name, part in named_parts(outcomes):
        try:
            chosen.append(
                choose(
                    part,
                    **rules,
                    of=arguments.of,
                    certainty=arguments.certainty,
                    max_nonreturn=arguments.max_nonreturn,
                    each=arguments.each,
                    gold=arguments.gold,
                )
            )
        except UndefinedRate as why:
            without[name] = _reason(why)
    if not chosen:
        must = "have a system to choose a cutoff for"
        got = " ".join(without.values()).removesuffix(".")
        hint = "--prices compares operating points."
        raise InputError("choose", "the outcomes", must, got, hint)
    return chosen, without


def _reason(why: UndefinedRate) -> str:
    """What is undefined, without the function that says so; it names the system."""
    return str(why).partition(": ")[2] or str(why)


def _judged(chosen: Choice, held_out: Outcomes) -> Choice:
    return chosen.on(_part_of(held_out, chosen.system))


def _shown(
    chosen: Sequence[Choice],
    judged: Sequence[Choice | None],
    declined: Sequence[Declining],
) -> dict[str, Any]:
    systems = [
        choice.to_dict() | ({} if other is None else {"held_out": other.to_dict()})
        for choice, other in zip(chosen, judged, strict=True)
    ]
    for system, groups in zip(systems, declined, strict=False):
        system.get("held_out", system)["declined"] = groups.to_dict()
    head: dict[str, Any] = {"demur": __version__}
    return head | (systems[0] if len(systems) == 1 else {"systems": systems})


def _prices(outcomes: Outcomes, arguments: Namespace) -> int:
    curves = curve_by(outcomes)
    prices = price_list(curves)
    different = different_items(outcomes)
    notes = [SAME_DATA, *([] if different is None else [different])]
    notes += dict.fromkeys(note for curve in curves for note in curve.notes)
    if arguments.plot:
        save_picture(comparisons.plot_prices(curves), arguments.plot)
        say(f"wrote {arguments.plot}")
    if arguments.json:
        listed = [price.to_dict() for price in prices]
        show(as_json({"demur": __version__, "prices": listed, "notes": notes}))
        return 0
    rows = [
        [
            price.system or results.NONE,
            f"{price.low:.4f}",
            "" if price.high == float("inf") else f"{price.high:.4f}",
            price.choice if price.cutoff is None else str(price.cutoff),
            results.rate(price.nonreturn),
            results.rate(price.error),
        ]
        for price in prices
    ]
    header = ["system", "from r", "to below r", "cutoff", "nonreturn", "error"]
    show(results.table(header, rows))
    lines = ["r: the cost of a non-return over the cost of an error."]
    lines += [printable(f"note: {note}") for note in notes]
    show("\n" + "\n".join(lines))
    return 0
