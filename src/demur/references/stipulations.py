"""Agreed meanings: numbered stipulations that references cite by their ids.

"Which flights leave in the morning?" has no right answer before it is agreed when the
morning ends. The agreement is a file; each reference says in its field ``meanings`` on
which points of it the answer rests.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from demur import checks
from demur.errors import InputError, shown
from demur.formats import iter_records
from demur.formats.reading import names_formats
from demur.formats.streams import Source
from demur.outcomes.records import Reference
from demur.outcomes.values import json_or_text
from demur.references.findings import Finding


@dataclass(frozen=True, slots=True)
class Stipulation:
    """One point of the agreement on what words mean.

    Parameters
    ----------
    id : str
        By which references cite it.
    meaning : str
        What was agreed.
    term : str
        The word or phrase it is about.
    place : str
        Where it was read, such as ``FILE:LINE``.

    Examples
    --------
    >>> import demur
    >>> demur.Stipulation("M4", "Departure before 1200.", term="morning").id
    'M4'
    """

    id: str
    meaning: str
    term: str = ""
    place: str = ""


@names_formats
def read_stipulations(*sources: Source) -> list[Stipulation]:
    """Stipulations from files: records with ``id``, ``meaning`` and perhaps ``term``.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        FORMATS.

    Returns
    -------
    list of Stipulation
        In the order of the files; `repeated_meanings` looks for ids given twice.

    Raises
    ------
    InputError
        If a record has no id or says nothing.

    Examples
    --------
    >>> import demur
    >>> import io
    >>> file = io.BytesIO(b'{"id": "M4", "meaning": "Before 1200."}')
    >>> demur.read_stipulations(file)[0].id
    'M4'
    """
    return [_stipulation(record, place) for place, record in iter_records(*sources)]


def _stipulation(record: Mapping[str, Any], place: str) -> Stipulation:
    for name in ("id", "meaning"):
        checks.filled(place, name, record.get(name), "M4, for example.")
    term = record.get("term")
    return Stipulation(
        record["id"], record["meaning"], "" if term is None else str(term), place
    )


def unknown_meanings(
    references: Iterable[Reference], stipulations: Iterable[Stipulation]
) -> list[Finding]:
    """References that cite what was never agreed, or the same point twice.

    Parameters
    ----------
    references : iterable of Reference
        They cite ids in their field ``meanings``: a list, or a text with commas.
    stipulations : iterable of Stipulation
        What was agreed; an id that none of them has is a finding.

    Returns
    -------
    list of Finding
        The checks are "unknown-meaning" and "meaning-cited-twice". A field that holds
        anything but ids is an unknown meaning, too.

    Examples
    --------
    >>> import demur
    >>> references = [demur.Reference(item="q1", extra={"meanings": ["M1", "M44"]})]
    >>> agreed = [
    ...     demur.Stipulation("M1", "One flight."),
    ...     demur.Stipulation("M4", "Before 1200."),
    ... ]
    >>> for finding in demur.unknown_meanings(references, agreed):
    ...     print(finding)
    q1: unknown-meaning: cites 'M44', which is not agreed. Did you mean 'M4'?
    """
    references, stipulations = _checked("unknown_meanings", references, stipulations)
    known = {stipulation.id for stipulation in stipulations}
    findings = (_of_reference(reference, known) for reference in references)
    return list(chain.from_iterable(findings))


def repeated_meanings(stipulations: Iterable[Stipulation]) -> list[Finding]:
    """Ids that were given to several stipulations, so that citing them says nothing.

    Parameters
    ----------
    stipulations : iterable of Stipulation
        What was agreed, in the order in which it stands in files.

    Returns
    -------
    list of Finding
        The check is "repeated-meaning".

    Examples
    --------
    >>> import demur
    >>> first = demur.Stipulation("M1", "So.", place="a:1")
    >>> twice = [first, demur.Stipulation("M1", "Or so.")]
    >>> print(demur.repeated_meanings(twice)[0])
    M1: repeated-meaning: is a stipulation already, at a:1
    """
    _, stipulations = _checked("repeated_meanings", (), stipulations)
    first: dict[str, Stipulation] = {}
    repeated = []
    for stipulation in stipulations:
        before = first.setdefault(stipulation.id, stipulation)
        if before is not stipulation:
            text = "is a stipulation already"
            text += f", at {before.place}" if before.place else ""
            again = stipulation.id, "repeated-meaning", text, stipulation.place
            repeated.append(Finding(*again))
    return repeated


def uncited_meanings(
    references: Iterable[Reference], stipulations: Iterable[Stipulation]
) -> list[Finding]:
    """Stipulations on which no reference rests.

    Parameters
    ----------
    references : iterable of Reference
        They cite ids in their field ``meanings``.
    stipulations : iterable of Stipulation
        What was agreed; each is looked for in all references.

    Returns
    -------
    list of Finding
        The check is "uncited-meaning".

    Examples
    --------
    >>> import demur
    >>> agreed = [demur.Stipulation("M1", "So.", term="flight")]
    >>> for finding in demur.uncited_meanings([], agreed):
    ...     print(finding)
    M1: uncited-meaning: no reference cites it (flight)
    """
    references, stipulations = _checked("uncited_meanings", references, stipulations)
    cited = {name for reference in references for name in _ids(reference)}
    uncited = (one for one in stipulations if one.id not in cited)
    text = "no reference cites it"
    return [
        Finding(
            one.id,
            "uncited-meaning",
            f"{text} ({one.term})" if one.term else text,
            one.place,
        )
        for one in uncited
    ]


def _checked(
    where: str, references: Iterable[Reference], stipulations: Iterable[Stipulation]
) -> tuple[list[Reference], list[Stipulation]]:
    return (
        checks.all_of_kind(where, "references", references, Reference),
        checks.all_of_kind(where, "stipulations", stipulations, Stipulation),
    )


def cited_by(reference: Reference) -> list[str]:
    """The ids that a reference cites in its field ``meanings``.

    Raises
    ------
    InputError
        If that is neither a list of texts nor a text with commas.

    Examples
    --------
    >>> cited_by(Reference(item="q1", extra={"meanings": "M1, M4"}))
    ['M1', 'M4']
    """
    given = reference.extra.get("meanings")
    if given is None:
        return []
    ids = _listed(given) if isinstance(given, str) else given
    if not isinstance(ids, (list, tuple)) or not all(
        isinstance(name, str) for name in ids
    ):
        where = reference.place or f"item {shown(reference.item)}"
        need = "be a list of ids of stipulations"
        raise InputError(where, "meanings", need, shown(given), '["M1", "M4"]')
    return [name.strip() for name in ids if name.strip()]


def _ids(reference: Reference) -> list[str]:
    """The ids that a reference cites; none if it cites something else."""
    try:
        return cited_by(reference)
    except InputError:  # `unknown_meanings` says it
        return []


def _listed(text: str) -> Any:
    """Ids in one text: with commas, or as a JSON array in a cell of a table."""
    listed = text.lstrip().startswith("[")
    return json_or_text(text) if listed else text.split(",")


def _of_reference(reference: Reference, known: set[str]) -> Iterator[Finding]:
    item, place = str(reference.item), reference.place
    try:
        cited = cited_by(reference)
    except InputError as problem:
        text = f"{problem.what} must {problem.must}; got {problem.got}"
        yield Finding(item, "unknown-meaning", text, place)
        return
    for name in dict.fromkeys(cited):
        if name not in known:
            hint = checks.did_you_mean(name, sorted(known))
            text = f"cites {shown(name)}, which is not agreed"
            text += f". {hint}" if hint else ""
            yield Finding(item, "unknown-meaning", text, place)
        if cited.count(name) > 1:
            text = f"cites {shown(name)} {cited.count(name)} times"
            yield Finding(item, "meaning-cited-twice", text, place)


_MOST: Final = Fraction(2, 3)
"""So many of the questions with a word cite its meaning, if the others should, too."""


def words_without_meaning(
    references: Iterable[Reference], stipulations: Iterable[Stipulation]
) -> Iterator[Finding]:
    """Questions with a word that was agreed on, that do not cite what was agreed.

    A word that two of three questions with it do not cite is not meant by its term: a
    meal may be asked for in passing. Of a term with commas each part counts.

    Parameters
    ----------
    references : iterable of Reference
        Those that are not answerable, or of class X, cite nothing.
    stipulations : iterable of Stipulation
        What was agreed, by their terms.

    Yields
    ------
    Finding
        The check is "word-without-meaning".

    Examples
    --------
    >>> agreed = [Stipulation("M4", "Before 1200.", term="morning")]
    >>> references = [
    ...     Reference(item=item, input="Who flies in the morning?",
    ...               extra={"meanings": cited})
    ...     for item, cited in (("q1", "M4"), ("q2", "M4"), ("q3", "M1"))]
    >>> print(*words_without_meaning(references, agreed))
    q3: word-without-meaning: the question says 'morning', and does not cite M4
    """
    asked = [
        (reference, reference.input, set(_ids(reference)))
        for reference in references
        if reference.answerable
        and isinstance(reference.input, str)
        and str(reference.extra.get("class", "")).strip().upper() != "X"
    ]
    for word, ids in _terms(stipulations).items():
        pattern = re.compile(rf"\b{re.escape(word)}s?\b", re.IGNORECASE)
        using = [record for record in asked if pattern.search(record[1])]
        silent = [reference for reference, _, cited in using if ids.isdisjoint(cited)]
        if len(using) - len(silent) < _MOST * len(using):
            continue
        for reference in silent:
            text = f"the question says {shown(word)}, and does not cite "
            text += " or ".join(sorted(ids))
            item, check = str(reference.item), "word-without-meaning"
            yield Finding(item, check, text, reference.place)


def _terms(stipulations: Iterable[Stipulation]) -> dict[str, set[str]]:
    """Words and phrases of terms, with the ids of their stipulations."""
    terms: dict[str, set[str]] = {}
    for stipulation in stipulations:
        for word in stipulation.term.split(","):
            if word.strip():
                terms.setdefault(word.strip().lower(), set()).add(stipulation.id)
    return terms
