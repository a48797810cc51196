"""The verbs on a store: keep a run and say what is new, and list all runs."""

from dataclasses import dataclass
from typing import Any

from demur.outcomes.table import Outcomes
from demur.results import Column, FigureKind, Result, Table, count
from demur.store.comparable import differences, hashes_of, is_judging_known
from demur.store.kept_runs import KeptRun, moment_text
from demur.store.stores import Store


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Kept(Result):
    """A run that was just kept, beside those before it.

    Parameters
    ----------
    run : KeptRun
        With the number that it got.
    store : str
        Where it is kept.
    new_columns, held_columns : int
        Its columns that no run before had, and all of them.
    new_bytes, held_bytes : int
        How much they take there.
    same_data : tuple of int
        Runs before it on the same data.
    same_items : tuple of int
        Those on the same items, whose references are others or were not kept.
    unlike : tuple of str
        How the newest run on the same data was judged otherwise.
    repeats : int or None
        The newest run before with the very same columns; None if there is none.
    """

    KINDS = (
        count("same_data", "runs before on the same data"),
        FigureKind("new_bytes", "bytes that no run before had", "count", most=2.0**63),
    )

    run: KeptRun
    store: str
    new_columns: int
    held_columns: int
    new_bytes: int
    held_bytes: int
    same_data: tuple[int, ...] = ()
    same_items: tuple[int, ...] = ()
    unlike: tuple[str, ...] = ()
    repeats: int | None = None

    @property
    def signature(self) -> str:
        """That of the run."""
        return self.run.signature

    def figures(self) -> Any:
        """How many runs are on the same data, and what is new."""
        values = {"same_data": len(self.same_data), "new_bytes": self.new_bytes}
        for kind in self.KINDS:
            yield self.figure(kind, values[kind.name])

    def sentence(self) -> str:
        """The number that the run got."""
        tags = f", tagged {', '.join(self.run.tags)}" if self.run.tags else ""
        return f"Kept as run {self.run.number} in {self.store}{tags}."

    def tables(self) -> tuple[Table]:
        """A row for each system with its counts and rates."""
        return self.run.tables()

    @property
    def notes(self) -> tuple[str, ...]:
        """Whether the data are known, what is new, and how verdicts came about."""
        lines = [self._data()]
        if self.unlike:
            lines.append(
                f"figures are not comparable with it: {'; '.join(self.unlike)}"
            )
        lines.append(self._new())
        if not is_judging_known(self.run.recipe):
            lines.append(
                "how these verdicts came about is not known: --judged SIGNATURE tells, "
                "with what demur judge printed; demur keep --responses R --references "
                "REF --by COMPARATOR judges, and keeps that too"
            )
        if self.run.has_records:
            lines.append("its responses and references are kept with it")
        return tuple(lines)

    def _data(self) -> str:
        if self.same_data:
            return f"the data are those of {_listed(self.same_data)}"
        if self.same_items:
            which = _listed(self.same_items)
            return f"the items are those of {which}, the references are not"
        if self.run.number == 1:
            return "the first run here"
        return "no run before has these items"

    def _new(self) -> str:
        if self.repeats is None:
            return _new(self.new_columns, self.held_columns)
        return (
            f"every column is as in run {self.repeats}; if it was kept twice: demur "
            f"keep --forget {self.run.number}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The run as plain values for JSON, with what is new."""
        return {
            **self.run.to_dict(),
            "store": self.store,
            "new_columns": self.new_columns,
            "held_columns": self.held_columns,
            "new_bytes": self.new_bytes,
            "held_bytes": self.held_bytes,
            "same_data": list(self.same_data),
            "same_items": list(self.same_items),
            "unlike": list(self.unlike),
            "repeats": self.repeats,
        }


def _listed(numbers: tuple[int, ...]) -> str:
    """Runs by the newest of them, and how many others.

    Examples
    --------
    >>> _listed((1, 2, 5)), _listed((4,))
    ('run 5 and 2 before it', 'run 4')
    """
    more = f" and {len(numbers) - 1} before it" if len(numbers) > 1 else ""
    return f"run {numbers[-1]}{more}"


def _new(new: int, held: int) -> str:
    """How many columns are new.

    Examples
    --------
    >>> _new(3, 9)
    '3 of 9 columns are new, the others were there already'
    """
    if new == held:
        return f"all {held} columns are new"
    if not new:
        return f"all {held} columns were there already"
    are = "is" if new == 1 else "are"
    return f"{new} of {held} columns {are} new, the others were there already"


def keep(store: Store, outcomes: Outcomes, **how: Any) -> Kept:
    """Keep a run in a store, and say what is new.

    Parameters
    ----------
    store : Store
        Where to.
    outcomes : Outcomes
        Judged responses.
    **how
        As for `Store.keep`: when, tags, note, lock, responses, references.

    Returns
    -------
    Kept
    """
    return described(store, store.keep(outcomes, **how))


def described(store: Store, run: KeptRun) -> Kept:
    """A run beside those before it."""
    rows = store.connection.rows
    earlier = rows(
        "SELECT number, data_hash FROM runs WHERE number < ? AND forgotten_at IS NULL "
        "ORDER BY number",
        run.number,
    )
    items = f"items:{hashes_of(run)['items']}"
    same = tuple(number for number, hashed in earlier if hashed == run.data_hash)
    alike = tuple(
        number
        for number, hashed in earlier
        if hashed != run.data_hash and hashed.partition("|")[0] == items
    )
    asked = (
        "SELECT COUNT(DISTINCT hash), SUM(LENGTH(content)) FROM blobs WHERE hash IN "
        "(SELECT hash FROM run_columns WHERE run = ?)"
    )
    before = " AND hash NOT IN (SELECT hash FROM run_columns WHERE run < ?)"
    held, new = (
        rows(asked, run.number)[0],
        rows(asked + before, run.number, run.number)[0],
    )
    return Kept(
        run=run,
        store=store.name,
        held_columns=held[0],
        held_bytes=int(held[1] or 0),
        new_columns=new[0],
        new_bytes=int(new[1] or 0),
        same_data=same,
        same_items=alike,
        unlike=tuple(differences(store.run(same[-1]), run)) if same else (),
        repeats=None if new[0] else _repeated(store, run),
    )


def _repeated(store: Store, run: KeptRun) -> int | None:
    """The newest run before with the very same columns."""
    copies = store.connection.rows(
        "SELECT r.number FROM runs r JOIN runs s ON s.number = ? WHERE r.number < "
        "s.number AND r.forgotten_at IS NULL AND r.data_hash = s.data_hash AND "
        "r.n_columns = s.n_columns AND NOT EXISTS (SELECT 1 FROM run_columns c WHERE "
        "c.run = s.number AND NOT EXISTS (SELECT 1 FROM run_columns d WHERE d.run = "
        "r.number AND d.part = c.part AND d.name = c.name AND d.hash = c.hash)) "
        "ORDER BY r.number DESC LIMIT 1",
        run.number,
    )
    return copies[0][0] if copies else None


# -- all of them -----------------------------------------------------------------------

_RUNS = (
    Column("run", cells="count"),
    Column("when", explained="in UTC"),
    Column("tags"),
    Column("systems"),
    Column("items", cells="count", explained="rows of the first system"),
    Column(
        *("error", "", "share"),
        "wrong / items of the first system, if all were answered",
    ),
    Column("own_error", "own error", "share", "of the first system, as it decided"),
    Column("data", explained="runs with one letter are on the same data"),
    Column("note"),
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class KeptRuns(Result):
    """The runs of a store, the newest last.

    Parameters
    ----------
    runs : tuple of KeptRun
        In order of number.
    store : str
        Where they are kept.
    """

    KINDS = (count("runs", "runs that are kept"),)

    runs: tuple[KeptRun, ...]
    store: str

    def figures(self) -> Any:
        """How many there are."""
        yield self.figure(self.KINDS[0], len(self.runs))

    def sentence(self) -> str:
        """How many runs there are."""
        runs = "1 run" if len(self.runs) == 1 else f"{len(self.runs)} runs"
        return f"{runs} in {self.store}."

    def tables(self) -> tuple[Table]:
        """A row for each run."""
        letters = _letters([run.data_hash for run in self.runs])
        rows = tuple(_row(run, letters[run.data_hash]) for run in self.runs)
        return (Table("", _RUNS, rows).without_empty(),)

    def to_dict(self) -> dict[str, Any]:
        """The runs as plain values for JSON."""
        return {"store": self.store, "runs": [run.to_dict() for run in self.runs]}


def _row(run: KeptRun, data: str) -> tuple[Any, ...]:
    first, *others = run.systems
    names = first.name + (f" and {len(others)} more" if others else "")
    moment = moment_text(run.when).replace("T", " ").replace(":00Z", "").rstrip("Z")
    figures = first.items, first.error, first.own_error
    note = " ".join(run.note.split())
    return (run.number, moment, ", ".join(run.tags), names, *figures, data, note)


def _letters(hashes: list[str]) -> dict[str, str]:
    """A letter for each data hash, in order of appearance; numbers where none is left.

    Examples
    --------
    >>> _letters(["items:1", "items:2", "items:1"])
    {'items:1': 'A', 'items:2': 'B'}
    """
    different = dict.fromkeys(hashes)
    return {
        hashed: chr(ord("A") + place) if place < 26 else f"#{place + 1}"
        for place, hashed in enumerate(different)
    }


def kept_runs(store: Store, **which: Any) -> KeptRuns:
    """The runs of a store, or those with a tag or a system."""
    return KeptRuns(runs=tuple(store.runs(**which)), store=store.name)
