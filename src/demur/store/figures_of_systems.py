"""Counts and rates of each system of a run, as the store keeps them."""

from typing import Any

from demur.curves.curves import Curve
from demur.curves.of_outcomes import named_curve
from demur.errors import DemurError
from demur.outcomes.table import Outcomes, grouped_parts, part_name
from demur.store.kept_runs import KeptSystem


def kept_systems(outcomes: Outcomes) -> tuple[KeptSystem, ...]:
    """A row for each system and setting, in order of appearance."""
    return tuple(
        KeptSystem(
            system=system,
            setting=group.get("setting"),
            items=len(part),
            **part.counts(),
            failed=int(part.failed.sum()),
            **_rates(part_name(system, group), part),
        )
        for system, group, part in grouped_parts(outcomes)
    )


def _rates(name: str, part: Outcomes) -> dict[str, Any]:
    """Rates of one system; none where rows are missing that they would need."""
    try:
        curve = named_curve(name, part)
    except DemurError:
        return {}
    low, high = curve.forced_choice_error
    point = curve.operating_point
    return {
        "error_low": low,
        "error_high": high,
        "own_nonreturn": point.nonreturn,
        "own_low": point.bounds[0],
        "own_high": point.bounds[1],
        **_area(curve),
    }


def _area(curve: Curve) -> dict[str, float]:
    if curve.ladder is None:
        return {}
    area = curve.area()
    return {"area_low": area.low, "area_high": area.high}
