"""Messages about the columns that a file has, lacks, or should have."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from demur.checks import did_you_mean, names_shown
from demur.errors import InputError, shown
from demur.outcomes.fields import also_called, type_of
from demur.outcomes.values import EMPTY_HINT, FLAG_HINT, NULL_HINT, UNKNOWN
from demur.results import printable

COLUMNS: Final = "the columns"
"""What is at fault in a file that lacks some."""
_ALIKE: Final = 0.7

READ_ONCE: Final = (
    "A column part, setting or repeat tells rows apart; or select some. Of a file that "
    "is named it is said in which columns they differ."
)

RUN_AGAIN: Final = (
    "A log of a retry, or of a second run, holds the same items again: give the last "
    "one alone."
)
"""What to do about two rows of one key."""


def listed(names: Iterable[str]) -> str:
    """Column names for a message.

    Examples
    --------
    >>> listed(["item", "outcome"])
    'item, outcome'
    """
    return names_shown(map(printable, names)) or "none"


def lacking_columns(
    where: str,
    needed: Iterable[Sequence[str]],
    present: Iterable[str],
    *,
    records: Sequence[Mapping[str, Any]] = (),
    of_texts: bool = False,
    named: Mapping[str, str] | None = None,
    kind: str = "response",
) -> InputError:
    """The error for a record or a file that lacks columns.

    Parameters
    ----------
    where : str
        File, or file and line.
    needed : iterable of sequences of str
        Of each, one column is needed and none is there.
    present : iterable of str
        The columns that are there.
    records : sequence of mappings, optional
        Some records, for what their columns hold.
    of_texts : bool
        Whether these are texts, which stand for numbers and flags too.
    named : mapping of str to str, optional
        What was typed already.
    kind : {"response", "reference"}
        What the records are.

    Examples
    --------
    >>> needed = [["item"], ["outcome", "correct"]]
    >>> print(lacking_columns("a.csv", needed, ["id", "ok"]))
    a.csv: the columns must include item, and outcome or correct; got id, ok.
    Is 'id' what is called item here? Type --columns 'item=id, correct=ok'.
    """
    names, choices = list(present), list(needed)
    need = "include " + ", and ".join(" or ".join(choice) for choice in choices)
    hint = "".join(_namesake(choice, names) for choice in choices[:1])
    hint = hint or _RENAME
    beginning = records or [dict.fromkeys(names)]
    from demur.formats.proposed_columns import (
        by_item,
        proposed_columns,
        rows_within,
    )
    from demur.formats.proposed_items import parts_within

    alone = beginning[0] if len(beginning) == 1 else {}
    rows, log = rows_within(alone), by_item(alone)
    if log:
        hint, typed = f"If it holds an answer for each item, type --log '{log}'.", ""
    elif rows:
        typed = f"Its rows stand within: jq -c '{rows}' FILE > rows.jsonl makes lines."
    else:
        mapping = proposed_columns(choices, beginning, kind, of_texts=of_texts)
        parts = parts_within(mapping, beginning)
        if parts:
            made = f"jq -c '{parts}' FILE > parts.jsonl"
            hint = f"Its records hold lists: if these are parts, {made} makes them so."
            return InputError(where, COLUMNS, need, listed(names), hint)
        if mapping:
            typed = _to_type(where, {**(named or {}), **mapping}, kind, beginning)
            forms = {*mapping.values()} - {"row()"}
            if "demur judge" in typed:
                hint = hint.replace(_RENAME, _JUDGED)
            elif forms and "COLUMN" not in forms:
                hint = hint.replace(_RENAME, "")
        else:
            typed = ""
    error = InputError(where, COLUMNS, need, listed(names), f"{hint} {typed}".strip())
    if judging := _JUDGING.search(typed):
        error.judged_by = judging[0]
    return error


_JUDGING: Final = re.compile(r"demur judge .*'(?=\.)")
_JUDGED: Final = "If a column says what is right, name it correct."
_RENAME: Final = "Rename the column that holds it, or add one."


def _to_type(
    where: str, mapping: dict[str, str], kind: str, records: Sequence[Mapping[str, Any]]
) -> str:
    """A mapping as it is typed, with what its user has to know."""
    from demur.formats.proposed_columns import answers_decline
    from demur.formats.proposed_items import repeated_items

    judged = mapping.get("correct") != "COLUMN"
    names = {name for record in records for name in record}
    if not judged and {"response", "reference"} <= {*mapping, *names}:
        del mapping["correct"]
        file = where.partition(":")[0]
        if answers_decline(mapping.get("response", "response"), records):
            file = f"--no-answer refusals {file}"
        typed = (
            f"demur judge {file} {where.partition(':')[0]} --columns '{_text(mapping)}'"
        )
        return f"If nobody has judged the answers: {typed}.{_of_rows(mapping)}"
    option = "--reference-columns" if kind == "reference" else "--columns"
    hints = [f"Type {option} '{_text(mapping)}'."]
    hints += [_meaning(name) for name in mapping if UNKNOWN in mapping[name]][:1]
    confidence = mapping.get("confidence", "")
    words = {
        "COLUMN is the one that says what is right.": not judged,
        "LIMIT is the number from which on an answer is right.": "LIMIT"
        in mapping.get("correct", ""),
        "Of the numbers for words only the order counts.": "cases(" in confidence,
        "or(..., -inf) takes a guess without a confidence for the least sure.": (
            confidence.startswith("or(")
        ),
    }
    hints += [text for text, holds in words.items() if holds]
    if kind == "response" and (again := repeated_items(mapping, records)):
        which = f"Item {shown(again[0])} has"
        if len(again) > 1:
            which = f"{len(again)} items, such as {shown(again[0])}, have"
        hints.append(
            f"{which} rows that differ: --repeated last counts the last of each."
        )
    return f"{' '.join(hints)}{_of_rows(mapping)}"


def _of_rows(mapping: Mapping[str, str]) -> str:
    by_row = mapping.get("item") == "row()"
    return " row() numbers rows that nothing but their order names." if by_row else ""


def _text(mapping: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={form}" for name, form in mapping.items())


def _namesake(wanted: Sequence[str], names: Sequence[str]) -> str:
    for name in wanted:
        known = [other for other in names if other.lower() in also_called(name)]
        near = known or difflib.get_close_matches(name, names, n=1, cutoff=_ALIKE)
        if near:
            return f"Is {shown(near[0])} what is called {name} here?"
    return ""


def with_proposals(
    error: InputError, named: Mapping[str, str], option: str = "--columns"
) -> InputError:
    """The error for a value in a file, with what to type; as it is if nothing helps.

    Parameters
    ----------
    error : InputError
        With the forms that are proposed for its column.
    named : mapping of str to str
        What is typed already.
    option : str
        Where it is typed.

    Examples
    --------
    >>> error = InputError("a.csv:2", "correct", "be true or false", "'C'")
    >>> error.proposed = (("correct", "cases({}, C=right)", ""),)
    >>> print(with_proposals(error, {"item": "id", "correct": "grade"}))
    a.csv:2: correct must be true or false; got 'C'.
    Type --columns 'item=id, correct=cases(grade, C=right)'.
    """
    ways = []
    for field, form, reading in error.proposed:
        made = _form_over(form, named.get(field, field))
        typed = _text({**named, field: made})
        if made and "'" not in typed:
            ways.append(f"{option} '{typed}'" + (f" for {reading}" if reading else ""))
    if not ways:
        typed = named.get(error.what, "")
        return error.with_hint(_meaning(error.what)) if UNKNOWN in typed else error
    no_help = error.hint in _NO_HELP or len(ways) > 1
    hint = "" if no_help else f"{error.hint} "
    hint += f"Type {', or '.join(ways)}."
    if UNKNOWN in hint:
        hint += f" {_meaning(error.proposed[0][0])}"
    return error.with_hint(hint)


def _meaning(field: str) -> str:
    """What stands in place of a meaning that only a user knows."""
    return f"{UNKNOWN} is {_MEANINGS.get(type_of(field), 'a number')}."


def _form_over(form: str, typed: str) -> str:
    """A form over what is typed already; empty if nothing better comes of it.

    Examples
    --------
    >>> _form_over("percent({})", "sure")
    'percent(sure)'
    >>> _form_over("cases({}, good=right, bad=wrong)", "cases(grade, 1=good, 2=bad)")
    'cases(grade, 1=right, 2=wrong)'
    >>> _form_over("cases({}, godo=MEANING)", "cases(grade, good=right)")
    'cases(grade, good=right, godo=MEANING)'
    """
    from demur.formats.column_forms import cases_of, value_of

    before, after = cases_of(typed), cases_of(form)
    if before and after:  # what the cases gave is given another meaning
        cases = {word: after[1].get(m, m) for word, m in before[1].items()}
        met = {*before[1].values()}
        cases |= {w: m for w, m in after[1].items() if w not in met and w not in cases}
        listed = ", ".join(f"{word}={meaning}" for word, meaning in cases.items())
        return "" if cases == before[1] else f"cases({before[0]}, {listed})"
    made = form.format(typed)
    try:
        value_of(made.replace("LIMIT", "0"))
    except InputError:
        return ""
    return made


_NO_HELP: Final = (NULL_HINT, EMPTY_HINT, FLAG_HINT)
"""Hints that say nothing where something better is known."""
_MEANINGS: Final = {
    "correct": "right, wrong, unanswered or a credit from 0 to 1",
    "flag": "true or false",
    "outcome": "right, wrong, unanswered (no answer was given), ungraded (it cannot be "
    "judged) or unlabelled (not judged yet)",
}


def absent(place: str, name: str) -> InputError:
    """The error for a record without a field that other records have."""
    need = "be present in every record"
    need += ", null for no answer" if name == "correct" else ""
    hint = "Add it here, or leave it out of all records."
    return InputError(place, name, need, "none", hint)


def unknown(where: str, what: str, name: str, present: Iterable[str]) -> InputError:
    """The error for a column that was asked for by name and is not there.

    Examples
    --------
    >>> print(unknown("a.csv", "where", "promt", ["item", "prompt"]))
    a.csv: where must name columns of the file; got 'promt'.
    Its columns are item, prompt. Did you mean 'prompt'?
    """
    names = list(present)
    hint = f"Its columns are {listed(names)}. {did_you_mean(name, names)}"
    return InputError(where, what, COLUMNS_OF_FILE, shown(name), hint.rstrip())


COLUMNS_OF_FILE: Final = "name columns of the file"
"""What must hold where a column is asked for by name."""
