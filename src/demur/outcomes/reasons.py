"""Why an outcome is what it is, as one word that programs can count.

A reason in words says what was found in one item, and its words may change. Its code
says which class of reason it is, and stays. Whatever counts or decides reads codes.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

BOTH_EMPTY: Final = "both_empty"
BAD_REFERENCE: Final = "bad_reference"
FAILED: Final = "failed"
"""Also the kind of an item of which the system gave nothing."""

IDK: Final = "idk"
REFUSAL: Final = "refusal"
FILTER: Final = "filter"
TRUNCATED: Final = "truncated"
FORMAT: Final = "format"
"""Why a reply holds no answer; also the kinds of such items."""

NO_ANSWER: Final = "no_answer"

UNLABELLED: Final = "unlabelled"
"""Also what files may call the outcome of such an item."""

CANNOT_TELL: Final = "cannot_tell"
JUDGE_FAILED: Final = "judge_failed"

DATABASE_UNREADABLE: Final = "database_unreadable"
SERVER_LOST: Final = "server_lost"

REASONS: Final[dict[str, str]] = {
    # how an answer stands to its reference
    "equal": "the answer is one that is accepted",
    BOTH_EMPTY: "neither the answer nor the reference holds anything",
    "within_tolerance": "the number differs, but is near enough",
    "partly_equal": "part of the answer is right; it earns some credit, or none",
    "differs": "the answer is a different one",
    "differs_in_form": "only capitals or outer spaces differ, where they count",
    "other_columns": "a table with too few or too many columns",
    "other_rows": "a table in which rows are missing or extra",
    "other_order": "the same rows in another order, where order counts",
    "beyond_maximum": "the answer says more than it may",
    "not_an_answer": "the response is not of the kind that is compared",
    # answers that are queries
    "sql_error": "the database refuses the query",
    "forbidden": "the query does more than read",
    "timeout": "the query takes too long",
    "memory": "the query takes too much memory",
    "crashed": "the query makes the database engine crash",
    "unsupported": "the result holds a value that cannot be read",
    # before anything is compared
    "no_guess": "the response is empty: null, or `NO_ANSWER`",
    NO_ANSWER: "the response declines to answer, or says nothing",
    IDK: "the response says that there is no answer, or that it is not known",
    REFUSAL: "the response refuses to answer",
    FILTER: "the service held the response back",
    FORMAT: "the response marks no answer, or repeats the form that was asked for",
    "no_response": "there is no response to this item",
    FAILED: "the system gave nothing",
    "error": "the answer could not be executed",
    "unanswerable": "the item has no answer, and one was given",
    # what is not judged, or cannot be
    UNLABELLED: "nobody has looked at the answer: it was not drawn, or not yet judged",
    BAD_REFERENCE: "the reference cannot be read or run, or no answer could be right",
    "cannot_judge": "the comparator cannot say",
    CANNOT_TELL: "the judge says that it cannot tell, or its reply cannot be read",
    JUDGE_FAILED: "the judge could not be reached, or raised an exception",
    "undecided": "the comparison takes more steps than are allowed",
    TRUNCATED: "a reply or a table was cut off, and the rest may hold what is missing",
    DATABASE_UNREADABLE: "the database is missing, damaged or out of reach",
    SERVER_LOST: "the server of the database went down, but not because of this query",
}
"""The codes that demur gives, and what each means.

A comparator of one's own, or another program, may give others of the same form. They
are kept as they are, and nothing here counts them.
"""

_CODE: Final = re.compile(r"[a-z][a-z0-9_]*")


def is_code(text: str) -> bool:
    """Whether a text can be a code: small letters, digits and underscores.

    Examples
    --------
    >>> is_code("both_empty"), is_code("my_own_2"), is_code("both empty")
    (True, True, False)
    """
    return _CODE.fullmatch(text) is not None


def counts_text(
    counts: Mapping[str, int],
    kinds: Iterable[str | None] | None,
    *,
    unlabelled: int = 0,
) -> str:
    """Counts of outcomes, with those apart of which no answer could be read.

    Answers that nobody has looked at are told apart from those that nobody could judge.

    Examples
    --------
    >>> counts_text({"wrong": 1, "unanswered": 3}, [None, "idk", "format", "format"])
    '1 wrong, 3 unanswered (2 format)'
    >>> counts_text({"wrong": 1, "ungraded": 9}, None, unlabelled=6)
    '1 wrong, 3 ungraded, 6 unlabelled'
    """
    if unlabelled:
        graded = counts["ungraded"] - unlabelled
        counts = {**counts, "ungraded": graded, UNLABELLED: unlabelled}
    known = () if kinds is None else kinds
    unread = Counter(kind for kind in known if kind in (TRUNCATED, FORMAT))
    apart = ", ".join(f"{number} {kind}" for kind, number in sorted(unread.items()))
    texts = (
        f"{number} {name} ({apart})"
        if apart and name == "unanswered"
        else f"{number} {name}"
        for name, number in counts.items()
    )
    return ", ".join(texts)


_MOST_NAMED: Final = 3
"""Of more systems that failed only the worst is named."""


def failures_text(failed: Mapping[str, tuple[int, int]]) -> str:
    """What is said before all else where requests failed; empty if none did.

    Parameters
    ----------
    failed : mapping of system to (int, int)
        Of each system how many items failed, and how many there are.

    Examples
    --------
    >>> failures_text({"": (50, 60)})
    '50 of 60 requests failed: they are not answers.'
    >>> failures_text({"a": (0, 60), "b": (60, 60)})
    'b: 60 of 60 requests failed: they are not answers.'
    """
    some = {name: counts for name, counts in failed.items() if counts[0]}
    if not some:
        return ""
    if len(some) <= _MOST_NAMED:
        alone = len(failed) == 1
        parts = [
            f"{n_failed:,} of {items:,} requests failed"
            if alone or not name
            else f"{name}: {n_failed:,} of {items:,} requests failed"
            for name, (n_failed, items) in some.items()
        ]
        return f"{'; '.join(parts)}: they are not answers."
    n_failed, items = (sum(counts) for counts in zip(*failed.values(), strict=True))
    worst = max(some, key=lambda name: some[name][0] / some[name][1])
    return (
        f"{n_failed:,} of {items:,} requests failed, in {len(some)} of {len(failed)} "
        f"systems, most of all in {worst} ({some[worst][0]:,} of {some[worst][1]:,}): "
        "they are not answers."
    )


def with_failures(
    failed: Mapping[str, tuple[int, int]],
    text: str,
    *,
    held_out: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> str:
    """A text, with what failed said before it, also of held-out items.

    Examples
    --------
    >>> with_failures({"": (0, 2)}, "All is well."), with_failures({"": (1, 2)}, "")
    ('All is well.', '1 of 2 requests failed: they are not answers.')
    >>> with_failures({}, "Well.", held_out={"": (1, 2)})
    'On held-out items 1 of 2 requests failed: they are not answers. Well.'
    """
    later = failures_text(held_out)
    later = later and f"On held-out items {later}"
    return " ".join(filter(None, [failures_text(failed), later, text]))
