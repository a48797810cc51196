"""Outcomes that may be handed to participants: nothing in them says what is right.

Of references a short list of columns is kept, not all but a list of secrets: a column
that nobody thought of is left out, too.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from demur.outcomes.columns import objects
from demur.outcomes.context_rules import RULE_COLUMN
from demur.outcomes.fields import names_of
from demur.outcomes.reasons import BOTH_EMPTY, REASONS
from demur.outcomes.table import Outcomes

SHOWN: Final = ("class", "subject", "contributor", "contributed_id", RULE_COLUMN)
"""Further columns of references that tell no answer."""

ANSWERS: Final = frozenset(
    {
        *names_of("acceptable"),
        *names_of("compared"),
        *("answerable", "reason", "sql", "max_sql", "right_constant"),
    }
)
"""Columns that no table by groups may show."""

HIDDEN: Final = (
    "references are hidden: their columns and what is noted of them are left out, and "
    "reasons say only of what class they are"
)
"""What is noted of such outcomes."""

_LIKE: Final = {"unanswerable": "differs", BOTH_EMPTY: "equal"}
"""Codes that say what the reference is, and those that say the verdict alone."""


def without_references(
    outcomes: Outcomes, *, keep: Iterable[str] = (), notes: Iterable[str] = ()
) -> Outcomes:
    """The same verdicts, without what would be right, and what tells of it.

    Parameters
    ----------
    outcomes : Outcomes
        As they were judged, or read from a file.
    keep : iterable of str
        Further columns to keep beside `SHOWN`: those of responses.
    notes : iterable of str
        Those that quote no reference; all others are dropped.

    Returns
    -------
    Outcomes
        Without ``reference`` and ``answerable``; each reason is that of its class.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.judge(
    ...     [{"item": "q1", "response": "((1001))"}],
    ...     [{"item": "q1", "min": "((1028))", "class": "A"}], by="cas")
    >>> outcomes.reason.tolist()
    ['missing (1028); extra (1001)']
    >>> hidden = without_references(outcomes)
    >>> hidden.reason.tolist(), list(hidden.groups)
    (['a table in which rows are missing or extra'], ['class'])
    """
    codes = outcomes.reason_code
    reasons = None
    if codes is not None:
        listed = [_LIKE.get(code, code) for code in codes.tolist()]
        codes = objects(listed, len(listed))
        reasons = objects(map(REASONS.get, listed), len(listed))
        for column in (codes, reasons):
            column.setflags(write=False)
    kept = {*SHOWN, *keep}
    return replace(
        outcomes,
        reference=None,
        answerable=None,
        reason=reasons,
        reason_code=codes,
        groups={name: c for name, c in outcomes.groups.items() if name in kept},
        notes=(*notes, HIDDEN),
    )
