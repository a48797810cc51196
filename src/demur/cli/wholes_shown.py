"""What ``demur curve`` says of answers that are made of parts."""

from argparse import Namespace
from typing import Any

from demur.cli.shared import OF_WHOLES, WrongUsage, option_name
from demur.outcomes.table import Outcomes


def add_wholes(
    shown: Any, outcomes: Outcomes, arguments: Namespace, at: list[float]
) -> None:
    """Add the curves of wholes, where answers have parts.

    Raises
    ------
    WrongUsage
        If something is asked of people, or a gate is on wholes, and there are no parts.
    """
    if outcomes.part is None:
        _check_no_parts(arguments)
        return
    from demur.wholes.counting_wholes import whole_curve_by

    curves = whole_curve_by(
        outcomes,
        by=arguments.by,
        at=at,
        how=arguments.how,
        people_error=arguments.people_error,
        minutes=arguments.minutes,
        without_parts=arguments.without_parts or "answerable",
    )
    plain = curves.to_dict(points=arguments.points)["systems"]
    shown.add("wholes", plain, lambda _: curves)


def _check_no_parts(arguments: Namespace) -> None:
    from demur.wholes.whole_points import WHOLE_KINDS

    given = [name for name in OF_WHOLES if getattr(arguments, name) is not None]
    asked = [option_name(name) for name in given]
    kinds = {kind.name for kind in WHOLE_KINDS}
    asked += [g.text for g in arguments.fail_if if getattr(g, "name", "") in kinds]
    if asked:
        need, got = "come with answers that have a column part", "none"
        hint = "Give each part of an answer a row: the item, and its name as part."
        raise WrongUsage("curve", asked[0], need, got, hint)
