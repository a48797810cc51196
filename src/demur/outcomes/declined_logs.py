"""What logs of other programs count as wrong, or right, though nothing was answered."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from demur.arrays import Flags
from demur.outcomes.fields import OUTCOMES, RIGHT, UNANSWERED, WRONG
from demur.outcomes.refusals import (
    failures_named,
    refusals_named,
    several,
    such_as,
)

_HOW: Final = "outcome: unanswered, or correct: null, counts them as unanswered"


def answered_after_all(
    columns: Mapping[str, Any], *, of_log: bool = False
) -> Iterator[str]:
    """Notes on outcomes that are right or wrong, while other columns say no answer.

    Parameters
    ----------
    columns : mapping of name to array
        Of an outcomes table.
    of_log : bool
        Whether they are of another tool's log: nobody writes its rows anew, and its
        reader says how they can be counted otherwise.

    Examples
    --------
    >>> columns = {"outcome": np.array([WRONG]), "kind": np.array(["idk"], object)}
    >>> print(*answered_after_all(columns))
    1 outcome that is wrong has a kind (idk 1), as if it were no answer: counted as \
wrong; outcome: unanswered, or correct: null, counts them as unanswered
    """
    for note in _counted_otherwise(columns):
        yield note if of_log else f"{note}; {_HOW}"


def answers_without_verdict(columns: Mapping[str, Any], given: Flags) -> Iterator[str]:
    """A note on answers that stand beside an empty verdict, which counts as no answer.

    Parameters
    ----------
    columns : mapping of name to array
        Of an outcomes table, with responses.
    given : array of bool
        Rows without a verdict for which a confidence is stated.
    """
    responses = columns["response"][given]
    texts = Counter(str(value) for value in responses if value is not None)
    no_answers = refusals_named(texts) + failures_named(texts)
    answers = texts.total() - no_answers.total()
    if answers > 0:
        have = "has" if answers == 1 else "have"
        rows = several(answers, "row")
        yield (
            f"{rows} {have} an answer and a confidence, but no verdict: "
            "counted as not answered. An answer that nobody has judged yet is "
            "unlabelled: outcome=cases(VERDICT, ..., =unlabelled) in --columns"
        )


def _counted_otherwise(columns: Mapping[str, Any]) -> Iterator[str]:
    outcome = columns["outcome"]
    if columns.get("kind") is not None:
        kept = columns.get("declined")
        given = np.array([value is not None for value in columns["kind"]], bool)
        given &= True if kept is None else ~kept
        for code in (WRONG, RIGHT):
            yield from _kinds_note(columns["kind"][given & (outcome == code)], code)
    if columns.get("response") is not None:
        yield from _responses_notes(columns, outcome == WRONG)


def _kinds_note(kinds: Any, code: int) -> Iterator[str]:
    if len(kinds):
        listed = ", ".join(f"{kind} {n}" for kind, n in Counter(kinds).most_common(5))
        are, have = ("is", "has a kind") if len(kinds) == 1 else ("are", "have a kind")
        it = "it were" if len(kinds) == 1 else "they were"
        name = OUTCOMES[code]
        yield (
            f"{several(len(kinds), 'outcome')} that {are} {name} {have} ({listed}), as "
            f"if {it} no answer: counted as {name}"
        )


def _responses_notes(columns: Mapping[str, Any], wrong: Flags) -> Iterator[str]:
    """On wrong outcomes without a guess, and with one that looks like a refusal."""
    response, system = columns["response"], columns["system"]
    absent = np.array([value is None or value != value for value in response], bool)
    with_some = set(system[~absent])  # others may keep no responses at all
    blank = np.flatnonzero(wrong & absent)
    codes = columns.get("reason_code")
    silent = [
        row
        for row in blank
        if system[row] in with_some and (codes is None or codes[row] != "error")
    ]
    if silent:
        have = "has" if len(silent) == 1 else "have"
        yield (
            f"{several(len(silent), 'wrong outcome')} {have} no guess (response is "
            f"null or empty): counted as wrong"
        )
    texts = Counter(
        value for value in response[wrong & ~absent] if isinstance(value, str)
    )
    refusals = refusals_named(texts)
    if refusals:
        number = refusals.total()
        look = "whose response looks" if number == 1 else "whose responses look"
        yield (
            f"{several(number, 'wrong outcome')} {look} like a refusal "
            f"({such_as(refusals)}): counted as wrong"
        )
    failures = failures_named(texts)
    if failures:
        number = failures.total()
        look = "whose response looks" if number == 1 else "whose responses look"
        yield (
            f"{several(number, 'wrong outcome')} {look} like a failure of a program "
            f"({such_as(failures)}): counted as wrong"
        )


def least_sure(confidence: Any, outcome: Any, system: Any) -> Iterator[str]:
    """Take guesses of a log without a confidence for the least sure of their system.

    A system that has no confidences at all is left as it is.

    Parameters
    ----------
    confidence, outcome, system : arrays, shape (n_rows,)
        Confidences are changed where they stand.

    Yields
    ------
    str
        A note on how many were taken so, if any.

    Examples
    --------
    >>> confidence = np.array([0.5, np.nan, np.nan])
    >>> systems = np.array(["a", "a", "b"], object)
    >>> print(*least_sure(confidence, np.full(3, WRONG), systems))
    1 guess has no confidence: taken for the least sure
    >>> confidence
    array([ 0.5, -inf,  nan])
    """
    guess, absent = outcome != UNANSWERED, np.isnan(confidence)
    having = set(system[guess & ~absent].tolist())
    lacking = np.flatnonzero(guess & absent)
    rows = [row for row in lacking.tolist() if system[row] in having]
    confidence[rows] = -np.inf
    if rows:
        guesses = "1 guess has" if len(rows) == 1 else f"{len(rows):,} guesses have"
        yield f"{guesses} no confidence: taken for the least sure"
