"""The verb that looks for what is wrong with references, before systems are judged."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from demur import checks
from demur.errors import InputError
from demur.formats import reference_of
from demur.outcomes.contexts import class_of
from demur.outcomes.records import (
    Reference,
    as_reference,
    pair_name,
    plain_reference,
    with_place,
)
from demur.references.class_signs import Sign, class_findings, read_signs
from demur.references.equal_questions import repeated_questions
from demur.references.findings import Finding, findings_table
from demur.references.query_lints import check_results, tasks_of
from demur.references.stipulations import (
    Stipulation,
    repeated_meanings,
    uncited_meanings,
    unknown_meanings,
    words_without_meaning,
)
from demur.references.text_lints import check_repeated, check_texts, fault
from demur.results import BOUNDS, Column, Figure, Result, Table, count
from demur.sql.execution import engines_of, run_all

CHECKS: Final[dict[str, str]] = {
    "not-a-reference": "a record that cannot be used, or holds no answer",
    "item-repeated": "an item that is listed more than once",
    "empty-answer": "a canonical answer that is empty",
    "equal-alternatives": "two alternatives that say the same",
    "odd-weights": "weights of alternatives of which none is 1, or that do not fit",
    "cas-syntax": "a CAS text or table that cannot be read",
    "min-beyond-max": "a minimum that is not within its maximum",
    "numeric-text": "a column of numerals that are texts",
    "relative-date": "a question whose meaning moves with the calendar",
    "clock-in-sql": "SQL that reads the clock",
    "random-in-sql": "SQL that draws random numbers",
    "ordered-unsorted": "an order that counts, from SQL without ORDER BY",
    "order-not-judged": "SQL with ORDER BY, where the order of rows will not count",
    "limit-unsorted": "SQL with LIMIT and without ORDER BY",
    "constant-sql": "canonical SQL that reads no table",
    "unanswerable-answered": "an item that is not answerable and has an answer",
    "unknown-context": "a context that is no item",
    "later-context": "a context that does not come before its item",
    "other-cluster": "a context in another cluster than its item",
    "no-context": "an item of class D without a context",
    "excluded-context": "a context that is of class X, and is not answered",
    "unknown-class": "a class that is none of A, D and X, where others are",
    "conflicting-reference": "a question with two different answers",
    "unknown-meaning": "a meaning that is cited and was never agreed",
    "meaning-cited-twice": "a meaning that a reference cites more than once",
    "repeated-meaning": "an id that several meanings have",
    "uncited-meaning": "a meaning that no reference cites",
    "word-without-meaning": "a word that was agreed on, not cited",
    "class": "signs against class A, for a person to confirm",
    "gold-fails": "canonical SQL that gives no result",
    "truncated-result": "canonical SQL with more rows than are kept",
    "empty-result": "canonical SQL that returns no rows",
    "only-nulls": "canonical SQL that returns nothing but NULL",
    "repeated-columns": "two equal columns in a canonical result",
    "tie-at-limit": "rows that tie on the sort key where LIMIT cuts",
    "bare-column": "a column beside GROUP BY that is neither grouped by nor summed up",
    "asked-not-shown": "a column that the question lists and the SQL does not show",
    "null-first": "NULL sorted before values, with LIMIT",
    "text-order": "numbers that are sorted or compared as texts",
    "unchecked": "what could not be looked at",
    "unstable-result": "canonical SQL whose second run gives another result",
    "equal-results": "two alternatives with equal results",
    "gold-not-right": "a canonical result that is not right by its own rules",
    "sql-differs": "canonical SQL that does not give the reference's answer",
}
"""All checks by name, with what they look for."""

BY_MEANINGS: Final = (
    *("unknown-meaning", "repeated-meaning", "uncited-meaning"),
    "word-without-meaning",
)
"""Checks that need the meanings that were agreed."""

BY_RUNNING: Final = (
    *("gold-fails", "truncated-result", "empty-result", "only-nulls"),
    *("repeated-columns", "tie-at-limit", "bare-column", "asked-not-shown"),
    *("null-first", "text-order", "unstable-result", "equal-results"),
    *("gold-not-right", "sql-differs"),
)
"""Checks that find nothing where SQL could not be run."""

UNSEEN: Final = ("gold-fails", "unchecked")
"""What is found where the checks that run SQL could not look."""

_COUNTS: Final = (
    Column("check"),
    Column("findings", cells="count", explained="things for a person to look at"),
    Column("looks_for"),
)

Record = Reference | Mapping[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class Lints(Result):
    """What was found in a set of references.

    Parameters
    ----------
    references : int
        How many there are.
    findings : tuple of Finding
        In the order of `CHECKS`, then of the references.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS = (
        count("findings", "findings", better="lower"),
        *(count(name, looks_for, better="lower") for name, looks_for in CHECKS.items()),
    )

    references: int
    findings: tuple[Finding, ...]
    recipe: Mapping[str, str] = field(default_factory=dict)

    @property
    def checks(self) -> dict[str, int]:
        """Checks that found something, with how much, in the order of `CHECKS`."""
        counted = Counter(finding.check for finding in self.findings)
        return {name: counted[name] for name in CHECKS if counted[name]}

    def sentence(self) -> str:
        """How many findings there are, and of which checks most."""
        number = len(self.findings)
        if not number:
            return f"Nothing was found in {self.references} references."
        most = sorted(self.checks.items(), key=lambda pair: -pair[1])[:3]
        counted = [f"{count} by the check {name}" for name, count in most[:1]]
        counted += [f"{count} by {name}" for name, count in most[1:]]
        plural = "" if number == 1 else "s"
        of = "the most are " if len(self.checks) > len(most) else ""
        return (
            f"{number} finding{plural} in {self.references} references: {of}"
            f"{', '.join(counted)}."
        )

    def figures(self) -> Iterator[Figure]:
        """The findings of each check, whether or not it found something."""
        unseen = [
            f"{name} {self.checks[name]}" for name in UNSEEN if name in self.checks
        ]
        yield Figure(self.KINDS[0], len(self.findings))
        for kind in self.KINDS[1:]:
            number = self.checks.get(kind.name, 0)
            others = [line for line in unseen if not line.startswith(f"{kind.name} ")]
            if kind.name in BY_RUNNING and others:
                # There may be more where SQL could not be run, so no gate passes.
                why = f"not all could be looked at ({', '.join(others)})"
                yield Figure(kind, None, number, math.inf, BOUNDS, why_undefined=why)
            else:
                yield Figure(kind, number)

    def tables(self) -> tuple[Table, Table]:
        """How many findings there are of each check, and each of them."""
        counts = ((name, number, CHECKS[name]) for name, number in self.checks.items())
        return Table("", _COUNTS, tuple(counts)), findings_table(self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The findings as plain values for JSON."""
        counts = {"references": self.references, "checks": self.checks}
        return counts | super().to_dict()


def lint(
    references: Iterable[Record | tuple[str, Mapping[str, Any]]],
    *,
    db_root: str | Path | None = None,
    meanings: Iterable[Stipulation] | None = None,
    signs: Iterable[Sign] | None = None,
    timeout: float = 30.0,
    cache: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Lints:
    """Look for what is wrong with references: their answers, their SQL, their class.

    A finding is for a person to look at; some are intended. References that have SQL
    and name a database (``db``) are run, read-only; the others are only read.

    Parameters
    ----------
    references : iterable of Reference or mapping
        Or of pairs (place, mapping), as `demur.formats.iter_records` gives them, so
        that findings name the place.
    db_root : str or Path, optional
        Folder of the databases; that of the file of references if left out. Or one
        database for all: a file, or ``postgresql://user@host/name``.
    meanings : iterable of Stipulation, optional
        What was agreed; the references cite it in their field ``meanings``.
    signs : iterable of Sign, optional
        Signs against class A; those that come with demur if left out.
    timeout : float
        Seconds for each query.
    cache : str or Path, optional
        Folder that keeps results; the second run of a query is never taken from it.
    progress : callable, optional
        Called with the numbers of queries that are done and of all.

    Returns
    -------
    Lints

    Raises
    ------
    InputError
        If an argument is not what it must be, or there are no references.

    Examples
    --------
    >>> import demur
    >>> found = demur.lint([
    ...     {"item": "q1", "input": "Who flies tomorrow?", "reference": "()"}])
    >>> for finding in found.findings:
    ...     print(finding)
    q1: empty-answer: the answer has no rows
    q1: relative-date: the question says 'tomorrow', which moves with the calendar
    """
    references = checks.listed(
        "lint", "references", references, "demur.read_references reads files."
    )
    placed = [with_place(reference, "") for reference in references]
    if not placed:
        raise InputError("lint", "references", "hold at least one reference", "none")
    kept, findings = _usable(placed)
    findings += check_repeated((_item(record), place) for place, record in placed)
    findings += check_texts(kept)
    # A question is of the whole, so that its parts have other answers.
    findings += _conflicts([one for one in kept if one.part is None])
    agreed: list[Stipulation] = []
    if meanings is not None:
        agreed = checks.all_of_kind("lint", "meanings", meanings, Stipulation)
        findings += repeated_meanings(agreed)
        findings += unknown_meanings(kept, agreed)
        findings += uncited_meanings(kept, agreed)
        findings += words_without_meaning(kept, agreed)
    listed = _signs(signs)
    if cache is not None:
        checks.path("lint", cache, "cache")
    findings += class_findings(kept, listed)
    tasks, unrun = tasks_of(kept, db_root)
    run = partial(run_all, timeout=timeout, cache=cache, progress=progress)
    reported = set(findings)
    findings += [finding for finding in unrun if finding not in reported]
    findings += check_results(tasks, run)
    order = list(CHECKS).index
    recipe = {
        "lint": f"{len(CHECKS)} checks",
        "references": str(len(placed)),
        "run": str(len(tasks)),
        "meanings": "none" if meanings is None else str(len(agreed)),
        "signs": str(len(listed)) if signs is not None else "default",
        "timeout": f"{timeout:g}",
    }
    engines = engines_of({task.database for task in tasks}, partial(run, progress=None))
    known = sorted({engine for engine in engines.values() if isinstance(engine, str)})
    recipe |= {"engine": ", ".join(known)} if known else {}
    in_order = sorted(findings, key=lambda finding: order(finding.check))
    return Lints(len(placed), tuple(in_order), recipe)


def _conflicts(references: Sequence[Reference]) -> Iterator[Finding]:
    """Questions of one set that are answered in two ways."""
    placed = [
        (reference.place, plain_reference(reference))
        for reference in references
        if class_of(reference.extra) != "X"
    ]
    for finding in repeated_questions(placed):
        if finding.check == "conflicting-reference":
            yield finding


def _signs(signs: Any) -> Sequence[Sign]:
    """Those that are given, or ours."""
    if signs is None:
        return read_signs()
    return checks.all_of_kind("lint", "signs", signs, Sign)


_Placed = tuple[str, Record]


def _item(record: Any) -> str:
    if isinstance(record, Reference):
        return pair_name(str(record.item), record.part)
    if not isinstance(record, Mapping):
        return ""
    return pair_name(str(record.get("item", "")), record.get("part"))


def _usable(placed: Sequence[_Placed]) -> tuple[list[Reference], list[Finding]]:
    kept, findings = [], []
    for place, record in placed:
        try:
            reference = _reference(record, place)
            if reference.part is not None:
                reference = replace(reference, item=_item(reference))
            kept.append(reference)
        except InputError as problem:
            findings.append(Finding(_item(record), *fault(problem), place))
    return kept, findings


def _reference(record: Any, place: str) -> Reference:
    if isinstance(record, Mapping):
        return reference_of(record, place)
    return as_reference(record, place, otherwise=True)
