"""What ``demur choose --kinds`` does: a cutoff for each kind of part."""

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from demur.cli.shared import WrongUsage
from demur.decisions.choosing_by_kind import choose_by_kind
from demur.decisions.cutoffs_by_kind import ChoiceByKind, ChoicesByKind
from demur.errors import shown
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes
from demur.results import Result

KINDS: Final = ChoiceByKind.KINDS

_WITHOUT: Final = ("each", "gold", "by", "lock", "held_out", "max_nonreturn")
"""Options that say nothing of cutoffs by kind."""


def check_kinds(arguments: Namespace) -> None:
    """Raise `WrongUsage` for options that do not go with ``--kinds``, or without it."""
    if arguments.kinds is None:
        if arguments.kind_cost:
            raise WrongUsage("choose", "--kind-cost", "come with --kinds", "none")
        return
    _check_costs(arguments.kind_cost or ())
    if arguments.max_error is None:
        raise WrongUsage("choose", "--kinds", "come with --max-error", "none")
    if arguments.of != "wholes":
        need = "come with --of wholes"
        raise WrongUsage("choose", "--kinds", need, f"--of {arguments.of}")
    if arguments.certainty is None and arguments.split is not None:
        name = "--split with --kinds"
        raise WrongUsage("choose", name, "come with --certainty", "none")
    given = [name for name in _WITHOUT if getattr(arguments, name) is not None]
    if arguments.bound != "certified":
        given.append("bound")
    if given:
        option = f"--{given[0].replace('_', '-')}"
        hint = "Leave it out, or choose one cutoff for all kinds."
        raise WrongUsage("choose", option, "come without --kinds", "both", hint)


def _check_costs(costs: Sequence[tuple[str, float]]) -> None:
    counts = Counter(kind for kind, _ in costs)
    for kind, count in counts.items():
        if count > 1:
            need, got = "be given once for each kind", f"{count} for {shown(kind)}"
            raise WrongUsage("choose", "--kind-cost", need, got)


def chosen_by_kind(outcomes: Outcomes, arguments: Namespace) -> Result:
    """The cutoffs by kind of each system."""
    how: dict[str, Any] = {
        "kinds": arguments.kinds,
        "max_error": arguments.max_error,
        "certainty": arguments.certainty,
        "costs": dict(arguments.kind_cost or ()) or None,
    }
    if arguments.split is not None:
        how["share"] = arguments.split
    if arguments.seed is not None:
        how["seed"] = arguments.seed
    chosen = [choose_by_kind(part, **how) for _, part in named_parts(outcomes)]
    return chosen[0] if len(chosen) == 1 else ChoicesByKind(chosen)
