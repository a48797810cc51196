"""The verb that judges: responses and references, joined by item, become outcomes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from demur import answers
from demur.answers.values import json_text
from demur.checks import choice
from demur.columns import COLUMNS
from demur.errors import InputError, RunError, shown
from demur.outcomes import Outcomes
from demur.plain_records import as_reference, as_response, item_text, name_text
from demur.records import UNANSWERED, WRONG, Reference, Response, Verdict

NO_ANSWER: Final = "NO_ANSWER"
"""The text that, as a response, says that there is no guess."""

POLICIES: Final[dict[str, tuple[str, ...]]] = {
    "missing": ("error", "unanswered", "leave_out"),
    "unmatched": ("error", "leave_out"),
    "repeated": ("error", "first", "last"),
}
"""What may be done about items that do not join one to one."""

_RESERVED: Final = frozenset((*COLUMNS, "correct", "answered"))
_NO_GUESS: Final = Verdict(UNANSWERED, 0.0, "no guess")
_NO_RESPONSE: Final = Verdict(UNANSWERED, 0.0, "no response")
_UNANSWERABLE: Final = Verdict(WRONG, 0.0, "unanswerable")


def judge(
    responses: Iterable[Response | Mapping[str, Any]],
    references: Iterable[Reference | Mapping[str, Any]],
    *,
    by: str | answers.Comparator | Callable[[Any, Any], Any] = "text",
    missing: Literal["error", "unanswered", "leave_out"] = "error",
    unmatched: Literal["error", "leave_out"] = "error",
    repeated: Literal["error", "first", "last"] = "error",
) -> Outcomes:
    """Decide for each response: right, wrong, no answer, or impossible to say.

    Responses and references are joined by their item (compared as text), never by
    position. No guess (None, or the text NO_ANSWER) and a response that ``failed`` are
    unanswered; one with an ``error`` is wrong, and so is any guess where the reference
    is not answerable. An empty ``error`` or ``failed`` is none. The comparator decides
    on the rest; what it cannot decide is ungraded.

    Parameters
    ----------
    responses : iterable of Response or mapping
        What the systems said; read once, one at a time.
    references : iterable of Reference or mapping
        What would be right; one for each item.
    by : str, comparator or callable
        "label", "text", "text(normalise=squad)", "number(relative=0.01)", ...; what
        the functions of `demur.answers` make; or a function of the values of a
        response and of one acceptable answer that returns True or False, a credit
        from 0 to 1, or None if it cannot judge. The best alternative counts.
    missing : {"error", "unanswered", "leave_out"}
        Items to which a system has no response (for each setting and repeat).
    unmatched : {"error", "leave_out"}
        Responses to items that have no reference.
    repeated : {"error", "first", "last"}
        Several responses of one system to one item in one setting and repeat.

    Returns
    -------
    Outcomes
        One row per response, in their order, with a reason for each verdict; further
        columns of responses and references as groups. Its recipe holds the comparator
        and the policies, its notes what was left out or ignored.

    Raises
    ------
    InputError
        If there are no responses or references, or none in common; if items do not
        join as the policies demand; if a record or an argument is not what it must be.
    RunError
        If a function given as ``by`` raises something.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.judge(
    ...     [{"item": "q2", "response": "The Rhine"}, {"item": "q1", "response": None}],
    ...     [{"item": "q1", "reference": "Oslo"}, {"item": "q2", "references": [
    ...         "Danube", {"value": "rhine", "weight": 0.5}]}],
    ...     by="text(normalise=squad)")
    >>> outcomes
    Outcomes(2 rows, 1 system: 1 right, 0 wrong, 1 unanswered, 0 ungraded)
    >>> outcomes.reason.tolist()
    ['alternative 2 of 2, credit 0.5', 'no guess']
    >>> outcomes.recipe["by"], outcomes.recipe["comparator"]
    ('text(normalise=squad)', 'text/1')
    """
    policies = {"missing": missing, "unmatched": unmatched, "repeated": repeated}
    for name, choices in POLICIES.items():
        choice("judge", name, policies[name], choices)
    judging = _Judging(answers.comparator(by), _targets(references), policies)
    for number, record in enumerate(responses, 1):
        place = getattr(record, "place", "") or f"responses: record {number}"
        judging.add(as_response(record, place), place)
    judging.check()
    return judging.outcomes()


# -- references --------------------------------------------------------------------


@dataclass(slots=True)
class _Target:
    """A reference that has been checked, and its alternatives once they were read."""

    item: str
    reference: Reference
    cluster: str | None
    place: str
    alternatives: answers.Alternatives | None = None

    def shown(self) -> Any:
        """The acceptable value, or the list of them."""
        values = [value for value, _ in self.reference.alternatives]
        return values if len(values) > 1 else (values or [None])[0]


def _targets(references: Iterable[Reference | Mapping[str, Any]]) -> dict[str, _Target]:
    """References by the text of their item."""
    targets: dict[str, _Target] = {}
    for number, record in enumerate(references, 1):
        place = getattr(record, "place", "") or f"references: record {number}"
        reference = as_reference(record, place)
        item = item_text(reference.item, place)
        if item in targets:
            got = f"another for {shown(item)}, first at {targets[item].place}"
            hint = "Put alternatives into one list, `references`."
            raise InputError(place, "an item", "have one reference", got, hint)
        cluster = name_text(reference.cluster, "cluster", place)
        targets[item] = _Target(item, reference, cluster, place)
    if not targets:
        must = "hold at least one reference"
        raise InputError("judge", "references", must, "none")
    return targets


# -- the join ----------------------------------------------------------------------


@dataclass(slots=True)
class _Run:
    """The responses of one system in one setting and repeat: item to row number."""

    system: str
    setting: str | None
    repeat: str | None
    rows: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [
            f"{name} {shown(value)}"
            for name in ("system", "setting", "repeat")
            if (value := getattr(self, name))
        ]
        return " of " + ", ".join(parts) if parts else ""


class _Row(NamedTuple):
    """One judged response, or one that is missing."""

    run: _Run
    target: _Target
    verdict: Verdict
    place: str
    response: Any = None
    confidence: Any = None
    declined: Any = None
    kind: Any = None
    unrunnable: bool = False
    extra: Mapping[str, Any] = MappingProxyType({})


@dataclass
class _Odd:
    """Responses that do not join: how many, and a few of them for the message."""

    count: int = 0
    first: list[str] = field(default_factory=list)
    place: str = ""

    def add(self, name: str, place: str) -> None:
        self.count += 1
        self.place = self.place or place
        if len(self.first) < 3:
            self.first.append(name)

    def __str__(self) -> str:
        more = self.count - len(self.first)
        return "; ".join(self.first) + (f"; and {more} more" if more else "")


class _Judging:
    """Rows as they are judged, and what does not join."""

    def __init__(
        self,
        comparator: answers.Comparator,
        targets: dict[str, _Target],
        policies: Mapping[str, str],
    ) -> None:
        self.comparator, self.targets, self.policies = comparator, targets, policies
        self.rows: list[_Row] = []
        self.runs: dict[tuple[Any, ...], _Run] = {}
        self._run_of: dict[tuple[Any, ...], _Run] = {}
        self.unmatched, self.repeated, self.missing = _Odd(), _Odd(), _Odd()

    def add(self, response: Response, place: str) -> None:
        """Judge one response, if it has a reference and is the one that counts."""
        item = item_text(response.item, place)
        run = self._run(response, place)
        target = self.targets.get(item)
        if target is None:
            self.unmatched.add(f"{shown(item)}{run}", place)
            return
        row = run.rows.get(item)
        if row is None:
            run.rows[item] = len(self.rows)
            self.rows.append(self._judged(response, target, run, place))
            return
        first = self.rows[row].place
        self.repeated.add(f"{shown(item)}{run} (first at {first})", place)
        if self.policies["repeated"] == "last":
            self.rows[row] = self._judged(response, target, run, place)

    def _run(self, response: Response, place: str) -> _Run:
        key = (response.system, response.setting, response.repeat)
        try:
            return self._run_of[key]
        except (KeyError, TypeError):
            system = name_text(response.system, "system", place) or ""
            setting = name_text(response.setting, "setting", place)
            repeat = name_text(response.repeat, "repeat", place)
        run = _Run(system, setting, repeat)
        run = self.runs.setdefault((system, setting, repeat), run)
        return self._run_of.setdefault(key, run)

    def _judged(
        self, response: Response, target: _Target, run: _Run, place: str
    ) -> _Row:
        return _Row(
            run,
            target,
            self._verdict(response, target, place),
            place,
            response.response,
            response.confidence,
            response.declined,
            response.kind,
            bool(response.error),
            response.extra,
        )

    def _verdict(self, response: Response, target: _Target, place: str) -> Verdict:
        guess = response.response
        if response.failed:
            return Verdict(UNANSWERED, 0.0, _because("failed", response.failed))
        if response.error:
            return Verdict(WRONG, 0.0, _because("error", response.error))
        if guess is None or (isinstance(guess, str) and guess == NO_ANSWER):
            return _NO_GUESS
        if not target.reference.answerable:
            return _UNANSWERABLE
        try:
            if target.alternatives is None:
                target.alternatives = answers.read_all(
                    self.comparator, target.reference.alternatives
                )
            return answers.verdict(self.comparator, guess, target.alternatives)
        except RunError as problem:
            where = f"{place}: item {shown(target.item)}"
            raise RunError(f"{where}: {problem}") from problem.__cause__
        except InputError as problem:
            where = f"{place}: item {shown(target.item)}"
            raise InputError(
                where, problem.what, problem.must, problem.got, problem.hint
            ) from None

    def check(self) -> None:
        """Refuse what the policies do not allow; add the rows of missing responses.

        Raises
        ------
        InputError
        """
        if not self.rows:
            self._refuse_nothing()
        if self.unmatched.count and self.policies["unmatched"] == "error":
            must = "have a reference"
            got = f"{self.unmatched.count} without: {self.unmatched}"
            hint = "unmatched=leave_out leaves them out."
            raise InputError(self.unmatched.place, "every response", must, got, hint)
        if self.repeated.count and self.policies["repeated"] == "error":
            must = "have one response per system, setting and repeat"
            got = f"{self.repeated.count} more: {self.repeated}"
            hint = (
                "repeated=first or repeated=last takes one; a column setting or "
                "repeat tells them apart."
            )
            raise InputError(self.repeated.place, "an item", must, got, hint)
        self._look_for_missing()

    def _refuse_nothing(self) -> None:
        if not self.unmatched.count:
            must = "hold at least one response"
            raise InputError("judge", "responses", must, "none")
        target = next(iter(self.targets.values()))
        got = (
            f"none: the responses have items such as {self.unmatched.first[0]} "
            f"({self.unmatched.place}), the references such as "
            f"{shown(target.item)} ({target.place})"
        )
        hint = "Are both ids of the same column? They are compared as text."
        what, must = "responses and references", "have items in common"
        raise InputError("judge", what, must, got, hint)

    def _look_for_missing(self) -> None:
        found: list[_Row] = []
        for run in self.runs.values():
            if len(run.rows) == len(self.targets):
                continue
            for item, target in self.targets.items():
                if item not in run.rows:
                    self.missing.add(f"{shown(item)}{run}", target.place)
                    found.append(_Row(run, target, _NO_RESPONSE, target.place))
        if self.missing.count and self.policies["missing"] == "error":
            got = f"none for {self.missing.count}: {self.missing}"
            hint = (
                "missing=unanswered counts them as unanswered, "
                "missing=leave_out leaves them out."
            )
            must = "have a response"
            raise InputError(self.missing.place, "every item", must, got, hint)
        if self.policies["missing"] == "unanswered":
            self.rows += found

    def outcomes(self) -> Outcomes:
        """The table of all rows."""
        notes = [*self._join_notes()]
        groups = _groups(self.rows, notes)
        return Outcomes.from_columns(
            _table(self.rows, notes),
            groups=groups,
            locate=lambda row: self.rows[row].place,
            recipe={
                "by": str(self.comparator),
                "comparator": self.comparator.version,
                **self.policies,
            },
            notes=notes,
        )

    def _join_notes(self) -> Iterator[str]:
        """How many responses and items did not join, and what became of them."""
        fates = {"leave_out": "left out", "unanswered": "counted as unanswered"}
        said = {
            "unmatched": ("response", " without a reference"),
            "repeated": ("repeated response", ""),
            "missing": ("item", " without a response"),
        }
        for name, (noun, rest) in said.items():
            policy, count = self.policies[name], getattr(self, name).count
            if count:
                fate = fates.get(policy, f"the {policy} one counts")
                yield f"{_several(count, noun)}{rest}: {fate} ({name}={policy})"


def _because(name: str, why: str) -> str:
    """The reason of an error or a failure; a bare "true" gives none."""
    return name if why == name else f"{name}: {why}"


def _several(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


# -- the table ---------------------------------------------------------------------


def _table(rows: Sequence[_Row], notes: list[str]) -> dict[str, Any]:
    """The columns of the outcomes table; those that hold nothing are left out."""
    columns: dict[str, list[Any]] = {
        "item": [row.target.item for row in rows],
        "system": [row.run.system for row in rows],
        "setting": [row.run.setting for row in rows],
        "repeat": [row.run.repeat for row in rows],
        "reason": [row.verdict.reason for row in rows],
        "confidence": _confidences(rows, notes),
        "declined": [row.declined for row in rows],
        "kind": _kinds(rows, notes),
        "cluster": [row.target.cluster for row in rows],
        "weight": [row.target.reference.weight for row in rows],
        "input": [row.target.reference.input for row in rows],
        "response": [row.response for row in rows],
        "reference": [row.target.shown() for row in rows],
    }
    table: dict[str, Any] = {
        name: _objects(values)
        for name, values in columns.items()
        if any(value is not None for value in values)
    }
    n_rows = len(rows)
    table["outcome"] = np.fromiter(
        (row.verdict.outcome for row in rows), np.uint8, n_rows
    )
    table["credit"] = np.fromiter((row.verdict.credit for row in rows), float, n_rows)
    answerable = [bool(row.target.reference.answerable) for row in rows]
    if not all(answerable):
        table["answerable"] = np.array(answerable)
    return table


def _objects(values: Sequence[Any]) -> npt.NDArray[np.object_]:
    """Values of any kind, lists included, as a column of objects."""
    column = np.empty(len(values), object)
    for row, value in enumerate(values):
        column[row] = value
    return column


def _confidences(rows: Sequence[_Row], notes: list[str]) -> list[Any]:
    """Confidences; errors without one rank below all guesses of their system."""
    confident = {
        (row.run.system, row.run.setting)
        for row in rows
        if row.confidence is not None and row.verdict.outcome != UNANSWERED
    }
    confidences = [row.confidence for row in rows]
    lowest = [
        number
        for number, row in enumerate(rows)
        if row.unrunnable
        and row.confidence is None
        and (row.run.system, row.run.setting) in confident
    ]
    for number in lowest:
        confidences[number] = -np.inf
    if lowest:
        notes.append(
            f"{_several(len(lowest), 'error')} without a confidence: ranked lowest"
        )
    return confidences


def _kinds(rows: Sequence[_Row], notes: list[str]) -> list[Any]:
    """Why there was no answer, where there was none."""
    ignored = 0
    kinds = []
    for row in rows:
        silent = row.verdict.outcome == UNANSWERED or row.declined
        ignored += row.kind is not None and not silent
        kinds.append(row.kind if silent else None)
    if ignored:
        notes.append(f"{_several(ignored, 'kind')} of answered responses: ignored")
    return kinds


def _groups(rows: Sequence[_Row], notes: list[str]) -> dict[str, Any]:
    """Further columns of references and responses."""
    names = dict.fromkeys(
        name
        for row in rows
        for extra in (row.target.reference.extra, row.extra)
        for name in extra
    )
    ignored = [name for name in names if name in _RESERVED]
    if ignored:
        notes.append(
            f"columns ignored, because judging makes them: {', '.join(ignored)}"
        )
    return {
        name: _objects([_further(row, name) for row in rows])
        for name in names
        if name not in _RESERVED
    }


def _further(row: _Row, name: str) -> Any:
    """A further column's value, from the response or the reference."""
    said, known = row.extra.get(name), row.target.reference.extra.get(name)
    if said is None or said is known:
        return known
    if known is None or json_text(said) == json_text(known):
        return said
    must = "be the same in the response and the reference"
    got = f"{shown(said)} and {shown(known)}"
    raise InputError(row.place, name, must, got, "Rename one of the columns.")
