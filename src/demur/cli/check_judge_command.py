"""``demur check-judge``: what a judge's verdicts hang on beside the answer."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from demur import answers, formats
from demur.checks import choice
from demur.cli import (
    FINE,
    as_json,
    judge_models_asked,
    say,
    shared,
    show,
)
from demur.cli.shared import WrongUsage
from demur.judge_models.check_results import CHECKS, JudgeChecks
from demur.version import __version__

if TYPE_CHECKING:
    from demur.judge_models.asking import JudgeModel
    from demur.judge_models.checking import CheckPlan


def run(arguments: Namespace) -> int:
    """Say what will be asked, ask, print; then the gates."""
    from demur.judge_models.checking import asked, plan_checks

    read = [*arguments.responses, arguments.references]
    shared.check_asked(arguments, JudgeChecks.KINDS, read, ["verdicts", "cache"])
    _check_names(arguments)
    by = arguments.by
    is_claims = isinstance(by, answers.ClaimsJudgedByModel)
    if is_claims or not isinstance(by, answers.ModelJudge):
        need, hint = "be a model that judges", "Such as model(MODEL@URL)."
        raise WrongUsage("check-judge", "--by", need, str(by), hint)
    judge = judge_models_asked.judge_model(
        "check-judge", by, arguments, arguments.cache
    )
    plan = plan_checks(*_records(arguments), people=arguments.gold, **_how(arguments))
    if arguments.dry_run:
        _show_plan(plan, judge, arguments)
        return FINE
    say(_sentence(plan, judge))
    result = asked(judge, plan, level=arguments.level, seed=arguments.seed)
    spent = [f"{round(value, 6):,} {name}" for name, value in judge.spent.items()]
    if spent:
        say(f"spent: {', '.join(spent)}".replace("_", " "))
    if arguments.verdicts:
        formats.write_records(result.verdicts, arguments.verdicts)
        say(f"wrote {arguments.verdicts}")
    return shared.finish(result, arguments)


def _check_names(arguments: Namespace) -> None:
    """Refuse checks that there are not, and systems that nothing looks at."""
    for name in arguments.checks or ():
        with shared.wrong_usage("check-judge"):
            choice("check-judge", "--checks", name, CHECKS)
    if arguments.checks == ["own"] and not arguments.own_systems:
        need, hint = "come with --own SYSTEM", "Whose answers are the judge's own?"
        raise WrongUsage("check-judge", "--checks own", need, "none", hint)
    if arguments.own_systems and "own" not in (arguments.checks or ["own"]):
        need, got = "come with the check own", ",".join(arguments.checks)
        raise WrongUsage("check-judge", "--own", need, got)


def _records(arguments: Namespace) -> tuple[Any, Any]:
    """Responses and references, as they stand in their files."""
    how = shared.named(arguments, "max_size", "log", "columns")
    if arguments.references not in arguments.responses:
        how |= {"log": None, "columns": arguments.reference_columns}
    responses = formats.iter_responses(
        *arguments.responses, **shared.how_read(arguments)
    )
    return responses, formats.iter_references(arguments.references, **how)


def _how(arguments: Namespace) -> dict[str, Any]:
    how = shared.named(arguments, "checks", "own_systems", "items", "seed")
    if arguments.padding is not None:
        how["padding"] = arguments.padding
    return how


def _n_requests(plan: "CheckPlan", judge: "JudgeModel") -> int:
    """How many requests there are at most, over all ways of asking."""
    from demur.judge_models.check_answers import ASKINGS

    shown = {
        way: [case for case in cases if case is not None]
        for way, cases in plan.shown_cases.items()
    }
    made = (judge.requests(cases, ASKINGS[way]) for way, cases in shown.items())
    return len(set().union(*made))


def _sentence(plan: "CheckPlan", judge: "JudgeModel") -> str:
    return (
        f"{plan.sentence()}; at most {_n_requests(plan, judge)} requests, and none for "
        "replies that are kept"
    )


def _show_plan(plan: "CheckPlan", judge: "JudgeModel", arguments: Namespace) -> None:
    if not arguments.json:
        show(f"{_sentence(plan, judge)}.")
        return
    counts = {
        way: sum(case is not None for case in cases)
        for way, cases in plan.shown_cases.items()
    }
    document = {
        "demur": __version__,
        "sentence": _sentence(plan, judge),
        "verdicts": plan.requests,
        "most_requests": _n_requests(plan, judge),
        "ways": counts,
    }
    show(as_json(document))
