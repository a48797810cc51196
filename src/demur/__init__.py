"""demur: judging language systems that may decline to answer."""

from typing import TYPE_CHECKING, Any

from demur.version import __version__

if TYPE_CHECKING:
    from demur.calibration.calibrating import calibration_of
    from demur.comparisons.comparing import compare
    from demur.comparisons.scoring import score
    from demur.curves.curves import Curve
    from demur.curves.of_outcomes import curve_by, error_return
    from demur.curves.pooling import check_pooled, rank_normalised
    from demur.decisions.certifying import certificate_plan, certified_error
    from demur.decisions.choosing import choose
    from demur.decisions.declining import declining_by
    from demur.decisions.rechecking import lock, recheck
    from demur.errors import (
        DemurError,
        InputError,
        MissingExtra,
        ParseError,
        RunError,
        UndefinedRate,
    )
    from demur.formats import (
        read_outcomes,
        read_references,
        read_responses,
        write_outcomes,
    )
    from demur.judging.judging import judge
    from demur.outcomes.records import Reference, Response
    from demur.outcomes.table import Outcomes
    from demur.references.adjudicating import adjudicate
    from demur.references.adjudications import read_adjudications
    from demur.references.linting import lint
    from demur.references.merging import merge
    from demur.references.reserving import reserve
    from demur.references.stipulations import read_stipulations, unknown_meanings
    from demur.sql.databases import Databases
    from demur.statistics.estimating import band, difference_band, interval

__all__ = [
    "Curve",
    "Databases",
    "DemurError",
    "InputError",
    "MissingExtra",
    "Outcomes",
    "ParseError",
    "Reference",
    "Response",
    "RunError",
    "UndefinedRate",
    "__version__",
    "adjudicate",
    "band",
    "calibration_of",
    "certificate_plan",
    "certified_error",
    "check_pooled",
    "choose",
    "compare",
    "curve_by",
    "declining_by",
    "difference_band",
    "error_return",
    "interval",
    "judge",
    "lint",
    "lock",
    "merge",
    "rank_normalised",
    "read_adjudications",
    "read_outcomes",
    "read_references",
    "read_responses",
    "read_stipulations",
    "recheck",
    "reserve",
    "score",
    "unknown_meanings",
    "write_outcomes",
]

_HOMES = {
    "adjudicate": "references.adjudicating",
    "read_adjudications": "references.adjudications",
    "read_stipulations": "references.stipulations",
    "unknown_meanings": "references.stipulations",
    "Curve": "curves",
    "Databases": "querying",
    "DemurError": "errors",
    "InputError": "errors",
    "MissingExtra": "errors",
    "Outcomes": "outcomes",
    "ParseError": "errors",
    "Reference": "records",
    "Response": "records",
    "RunError": "errors",
    "UndefinedRate": "errors",
    "calibration_of": "calibrating",
    "certificate_plan": "certifying",
    "certified_error": "certifying",
    "choose": "choosing",
    "compare": "comparing",
    "declining_by": "declining",
    "band": "estimating",
    "difference_band": "estimating",
    "interval": "estimating",
    "lint": "references.linting",
    "lock": "rechecking",
    "recheck": "rechecking",
    "check_pooled": "pooling",
    "rank_normalised": "pooling",
    "curve_by": "verbs",
    "error_return": "verbs",
    "reserve": "references.reserving",
    "score": "scoring",
    "judge": "judging",
    "merge": "references.merging",
    "read_outcomes": "formats",
    "read_references": "formats",
    "read_responses": "formats",
    "write_outcomes": "formats",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that importing demur is cheap."""
    if name not in _HOMES:
        raise AttributeError(f"module 'demur' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"demur.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
