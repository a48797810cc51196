"""Responses of a run judged anew: by another comparator, or against other references.

A comparator whose version has changed, or a reference that was adjudicated, is thereby
seen in the verdicts that it changes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from demur.checks import of_kind
from demur.errors import InputError, shown
from demur.judging.judging import POLICIES, judge
from demur.outcomes.parts import item_names
from demur.outcomes.table import Outcomes, part_name
from demur.results import Column, Result, Table, count
from demur.store.kept_runs import KeptRun
from demur.store.stores import Store

_READ: Final = ("log", "columns", "where", "reference_log", "reference_columns")
"""Parts of a recipe that say how files were read, which stays as it was."""

_MOST_ITEMS: Final = 10

_CHANGES: Final = (
    Column("system"),
    Column("before", explained="the outcome in the run that was judged anew"),
    Column("after", explained="the outcome now"),
    Column("items", cells="count", explained="whose outcome has changed so"),
)
_ITEMS: Final = (
    Column("item"),
    Column("system"),
    Column("before", explained="the outcome in the run that was judged anew"),
    Column("after", explained="the outcome now"),
    Column("reason", explained="of the outcome now"),
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ChangedOutcome(Result):
    """An item whose outcome has changed.

    Parameters
    ----------
    item, system : str
        The item with its part, if it has parts; the system with its setting and
        repeat, if there are several.
    before, after : str
        Outcomes; "none" where only the other run has a row.
    reason : str or None
        Of the outcome now.
    """

    item: str
    system: str
    before: str
    after: str
    reason: str | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Rejudged(Result):
    """What has changed in a run whose responses were judged anew.

    Parameters
    ----------
    before, after : KeptRun
        The run, and what it became.
    rows : int
        Verdicts that there are now.
    changes : tuple of ChangedOutcome
        In the order of the rows.
    """

    KINDS = (count("changed", "outcomes that are others now"),)

    before: KeptRun
    after: KeptRun
    rows: int
    changes: tuple[ChangedOutcome, ...]

    @property
    def signature(self) -> str:
        """That of the new run."""
        return self.after.signature

    @property
    def changed(self) -> int:
        """How many outcomes have changed."""
        return len(self.changes)

    def sentence(self) -> str:
        """How many verdicts have changed."""
        kept = f"kept as run {self.after.number}"
        if not self.changes:
            same = f"all {self.rows} verdicts are as they were"
            return f"Run {self.before.number} judged anew, {kept}: {same}."
        changed = f"{self.changed} of {self.rows} verdicts have changed"
        return f"Run {self.before.number} judged anew, {kept}: {changed}."

    def tables(self) -> tuple[Table, ...]:
        """From what to what, by system; then the first items."""
        if not self.changes:
            return ()
        counts = Counter((it.system, it.before, it.after) for it in self.changes)
        rows = tuple((*change, number) for change, number in counts.items())
        items = Table.of("items", _ITEMS, self.changes)
        return Table("", _CHANGES, rows), replace(items, most=_MOST_ITEMS)

    @property
    def notes(self) -> tuple[str, ...]:
        """Both signatures, and whether the references are others."""
        lines = [f"before, the signature was {self.before.signature}"]
        if self.before.data_hash != self.after.data_hash:
            lines.append("the references are others than those of the run before")
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        """Both runs and the changes, as plain values for JSON."""
        return {
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "rows": self.rows,
            "changed": self.changed,
            "changes": [change.to_dict() for change in self.changes],
            "signature": self.signature,
        }


def judge_again(
    store: Store,
    run: KeptRun | int | str,
    *,
    when: datetime,
    references: Iterable[Any] | None = None,
    tags: Iterable[str] = (),
    note: str = "",
    **how: Any,
) -> Rejudged:
    """Judge the responses of a run anew, and keep that as a run of its own.

    Parameters
    ----------
    store : Store
        Where the run is kept, with its responses and references.
    run : KeptRun, int or str
        Itself, its number, or a tag.
    when : datetime
        With its time zone.
    references : iterable of records, optional
        What is right now; what was right then if left out.
    tags, note
        As for `Store.keep`.
    **how
        As for `demur.judge`: ``by``, ``extract``, ``missing``, ...; what is left out is
        as it was for the run.

    Returns
    -------
    Rejudged

    Raises
    ------
    InputError
        If the run was kept without its responses, or what judged it cannot be told
        from its recipe; or as `demur.judge` does.

    Examples
    --------
    >>> import demur, tempfile
    >>> from datetime import UTC, datetime
    >>> now = datetime(2027, 3, 1, 12, tzinfo=UTC)
    >>> responses = [{"item": "q1", "response": "The Rhine"}]
    >>> references = [{"item": "q1", "reference": "rhine"}]
    >>> outcomes = demur.judge(responses, references, by="text")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with demur.Store(f"{folder}/runs.sqlite", make=True) as store:
    ...         run = store.keep(
    ...             outcomes, when=now, responses=responses, references=references)
    ...         again = demur.judge_again(
    ...             store, run, when=now, by="text(normalise=squad)")
    ...         print(again.sentence())
    Run 1 judged anew, kept as run 2: 1 of 1 verdicts have changed.
    """
    of_kind("judge_again", "store", store, Store)
    before = store.run(run.number if isinstance(run, KeptRun) else run)
    responses, held = store.records(before)
    now: Any = held if references is None else list(references)
    outcomes = judge(responses, now, **judged_by(before, how))
    recipe = {name: text for name, text in before.recipe.items() if name in _READ}
    outcomes = replace(outcomes, recipe={**outcomes.recipe, **recipe})
    old = store.outcomes(before, only=["setting", "repeat"])
    after = store.keep(
        outcomes,
        when=when,
        tags=tags,
        note=note,
        responses=responses,
        references=now,
        judged_from=before.number,
    )
    changes = tuple(changed_outcomes(old, outcomes))
    return Rejudged(
        before=before,
        after=after,
        rows=len(outcomes),
        changes=changes,
    )


def judged_by(run: KeptRun, how: Mapping[str, Any]) -> dict[str, Any]:
    """How a run was judged, as arguments of `demur.judge`; what is given goes before.

    Raises
    ------
    InputError
        If the recipe does not say it, and it is not given.
    """
    given = {name: value for name, value in how.items() if value not in (None, [], ())}
    recipe, where = run.recipe, f"run {run.number}"
    if "by" not in recipe and "by" not in given:
        hint = "Say by what to judge: by=..., --by COMPARATOR."
        need = "have a recipe that says how it was judged"
        raise InputError(where, "it", need, "outcomes of a file", hint)
    names = ("by", "extract", *POLICIES, "no_answer")
    known: dict[str, Any] = {name: recipe[name] for name in names if name in recipe}
    if ", " in known.get("no_answer", "") and "no_answer" not in given:
        # Patterns may hold commas, so that nobody knows where one ends.
        hint = "Give them again: no_answer=[...], --no-answer PATTERN."
        need = "be one pattern to be told from the recipe"
        got = shown(known["no_answer"])
        raise InputError(where, "no_answer", need, got, hint)
    return {**known, **given}


def changed_outcomes(before: Outcomes, after: Outcomes) -> Iterable[ChangedOutcome]:
    """The rows whose outcome is another now, and those that only one table has."""
    old = {key: row for row, key in enumerate(_keys(before))}
    for row, key in enumerate(_keys(after)):
        place = old.pop(key, None)
        was = "none" if place is None else before.outcome[place]
        now = after.outcome[row]
        if was != now:
            reason = None if after.reason is None else after.reason[row]
            yield _change(key, was, now, reason)
    for key, place in old.items():
        yield _change(key, before.outcome[place], "none", None)


_Key = tuple[str, str, str | None, str | None]


def _keys(outcomes: Outcomes) -> Iterable[_Key]:
    nothing = [None] * len(outcomes)
    setting, repeat = (
        nothing if column is None else column.tolist()
        for column in (outcomes.setting, outcomes.repeat)
    )
    return zip(
        item_names(outcomes), outcomes.system.tolist(), setting, repeat, strict=True
    )


def _change(key: _Key, before: str, after: str, reason: str | None) -> ChangedOutcome:
    item, system, *further = key
    named = zip(("setting", "repeat"), further, strict=True)
    group = {name: value for name, value in named if value is not None}
    return ChangedOutcome(
        item=item,
        system=part_name(system, group),
        before=before,
        after=after,
        reason=reason,
    )
