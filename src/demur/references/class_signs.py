"""Signs that a question is not of class A, for a person to confirm.

Class A is what is left: questions that stand alone and have one answer in the database
(Bates, Boisen and Makhoul 1990, appendix A). Signs speak against it and prove nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from demur import checks
from demur.formats import iter_records
from demur.formats.streams import Source
from demur.outcomes.records import Reference
from demur.patterns import UserPattern
from demur.references.findings import Finding
from demur.sql.reference_fields import readable_texts

_YES_NO: Final = re.compile(r"\(\s*(?:YES|NO|TRUE|FALSE)\b", re.IGNORECASE)

_LONG_NAME: Final = re.compile(r"\w+_\w+")


@dataclass(frozen=True, slots=True)
class Sign:
    """A pattern in questions that speaks against class A.

    Parameters
    ----------
    id : str
        Its name.
    pattern : UserPattern
        Searched in the question, whatever its capitals.
    suggests : str
        The class that it speaks for: D or X.
    why : str
        What it is a sign of.
    """

    id: str
    pattern: UserPattern
    suggests: str
    why: str


def read_signs(*sources: Source) -> list[Sign]:
    """Signs from files: records with ``id``, ``pattern``, ``suggests`` and ``why``.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Without any, the signs that come with demur.

    Raises
    ------
    InputError
        If a record lacks one of them, or its pattern is no regular expression.

    Examples
    --------
    >>> import demur
    >>> signs = demur.read_signs()
    >>> [sign.id for sign in signs if sign.pattern.search("What about Oslo?")]
    ['S2']
    """
    if sources:
        return [_sign(record, place) for place, record in iter_records(*sources)]
    shipped = resources.files("demur.references") / "class_signs.jsonl"
    with resources.as_file(shipped) as path:
        return read_signs(path)


def class_findings(
    references: Sequence[Reference], signs: Iterable[Sign]
) -> Iterator[Finding]:
    """References of class A, or of no class, that may be of another one.

    Parameters
    ----------
    references : sequence of Reference
        Their class is in the field ``class``.
    signs : iterable of Sign
        Looked for in the question of each reference.

    Yields
    ------
    Finding
        The check is "class"; there is at most one for each reference.

    Examples
    --------
    >>> references = [Reference(item="q1", input="Why?", extra={"class": "A"})]
    >>> print(*class_findings(references, read_signs()))
    q1: class: may not be of class A: one word alone (S6, for D); asks for a reason (S9,
    for X)
    """
    listed = list(signs)
    with_sql = any(readable_texts(reference.extra, "sql") for reference in references)
    for reference in references:
        given = reference.extra.get("class")
        if given is not None and str(given).strip().upper() != "A":
            continue
        why = [*_in_question(reference, listed), *_in_record(reference, with_sql)]
        if why:
            text = f"may not be of class A: {'; '.join(why)}"
            yield Finding(str(reference.item), "class", text, reference.place)


def _in_question(reference: Reference, signs: Iterable[Sign]) -> Iterator[str]:
    if not isinstance(reference.input, str):
        return
    in_data = _parts_of_names(reference)
    for sign in signs:
        match = sign.pattern.search(reference.input.strip())
        if match and match.group().lower() not in in_data:
            yield f"{sign.why} ({sign.id}, for {sign.suggests})"


def _parts_of_names(reference: Reference) -> set[str]:
    """Words within longer names in the SQL: of ``Best_Finish``, best is in the data."""
    return {
        part
        for sql, _ in readable_texts(reference.extra, "sql")
        for name in _LONG_NAME.findall(sql.lower())
        for part in name.split("_")
    }


def _in_record(reference: Reference, with_sql: bool) -> Iterator[str]:  # noqa: FBT001
    if reference.extra.get("context"):
        yield "it has a context (for D)"
    queries = readable_texts(reference.extra, "sql")
    if not reference.answerable:
        yield "it is not answerable (for X)"
    elif with_sql and not queries:
        yield "it has no SQL (for X)"
    values = [value for value, _ in reference.alternatives]
    values.append(reference.extra.get("min"))
    yes_no = any(isinstance(value, str) and _YES_NO.match(value) for value in values)
    if len(queries) > 1 and not yes_no:
        yield f"it has {len(queries)} readings (for X)"


def _sign(record: dict[str, Any], place: str) -> Sign:
    for name in ("id", "pattern", "suggests", "why"):
        hint = "A sign has id, pattern, suggests and why."
        checks.filled(place, name, record.get(name), hint)
    pattern = UserPattern(record["pattern"], re.IGNORECASE, place, "pattern")
    return Sign(record["id"], pattern, record["suggests"], record["why"])
