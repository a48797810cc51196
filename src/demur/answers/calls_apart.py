"""Calls of tools as parts: each with the call that was asked for, if there is one."""

from collections.abc import Sequence
from typing import Any

from demur.answers.answer_parts import AnswerPart, lacking, paired_rows, unasked


def calls_apart(
    calls: Sequence[Any],
    asked: Sequence[Any],
    faults: Sequence[Sequence[str]],
) -> list[AnswerPart]:
    """Each call, and each that was asked for and not made.

    As many calls as possible are right. Of the others, those of one tool are paired in
    their order: a call with other arguments is one wrong part.

    Parameters
    ----------
    calls, asked : sequence of Call
        Those of the answer, and those of the reference.
    faults : sequence of sequence of str
        For each call asked for, what is wrong with each call; empty if nothing is.

    Examples
    --------
    >>> from demur.answers.tool_calls import Call
    >>> calls = [Call("pay", {"sum": 5}), Call("pay", {"sum": 7})]
    >>> asked = [Call("book", {}), Call("pay", {"sum": 7})]
    >>> for part in calls_apart(calls, asked, [["pay", "pay"], ["the sum is 5", ""]]):
    ...     print(part.name, "|", part.is_right, "|", part.reason)
    1 pay | False | nobody asked for this part
    2 pay | True | equal
    book (asked 1) | False | not given
    """
    right = paired_rows([[not fault for fault in row] for row in faults])
    row_of = {column: row for row, column in enumerate(right) if column is not None}
    others = [row for row, column in enumerate(right) if column is None]
    parts = []
    for column, call in enumerate(calls):
        tool, value = call.name, {"name": call.name, "arguments": call.arguments}
        name, places = f"{column + 1} {tool}", (column,)
        same = [row for row in others if asked[row].name == tool]
        if column in row_of:
            part = AnswerPart(name, True, places, "equal", "equal", value, tool)
        elif same:
            others.remove(same[0])
            reason = faults[same[0]][column]
            part = AnswerPart(name, False, places, reason, "differs", value, tool)
        else:
            part = unasked(name, places, value, tool)
        parts.append(part)
    return parts + [
        lacking(f"{asked[row].name} (asked {row + 1})", asked[row].name)
        for row in others
    ]
