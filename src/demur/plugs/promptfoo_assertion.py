"""An assertion for promptfoo that tells a refusal from a wrong answer.

promptfoo takes a Python file; one line is enough::

    from demur.plugs.promptfoo_assertion import get_assert
"""

from collections.abc import Mapping
from typing import Any, Final

import demur
from demur.checks import choice

_SETTINGS: Final = ("by", "reference", "no_answer", "passes")


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """Judge one output, as `demur.judge` does.

    Parameters
    ----------
    output : str
        What the provider said.
    context : mapping
        Of promptfoo. ``vars`` holds the reference; ``config`` may hold ``by`` (the
        comparator, text), ``reference`` (the name of that variable, reference),
        ``no_answer`` (as for `demur.judge`, refusals) and ``passes`` (the outcomes that
        pass, right alone).

    Returns
    -------
    dict
        A result for promptfoo. Its named scores ``right``, ``wrong``, ``unanswered``
        and ``ungraded`` are 1 or 0, so promptfoo's table sums them up.

    Examples
    --------
    >>> held = get_assert("I don't know.", {"vars": {"reference": "Rome"}})
    >>> held["pass"], held["namedScores"]["wrong"], held["namedScores"]["unanswered"]
    (False, 0, 1)
    """
    config = context.get("config") or {}
    for name in config:
        choice("promptfoo", "a key of config", name, _SETTINGS)
    name = config.get("reference", "reference")
    given = context.get("vars") or {}
    choice("promptfoo", "config.reference", name, given)
    outcomes = demur.judge(
        [{"item": "output", "response": output}],
        [{"item": "output", "reference": given[name]}],
        by=config.get("by", "text"),
        no_answer=config.get("no_answer", "refusals"),
    )
    counts = outcomes.counts()
    outcome = next(name for name, count in counts.items() if count)
    reason = None if outcomes.reason is None else outcomes.reason[0]
    return {
        "pass": outcome in config.get("passes", ["right"]),
        "score": outcomes.mean_credit() or 0.0,
        "reason": f"{outcome}: {reason}" if reason else outcome,
        "namedScores": counts,
    }
