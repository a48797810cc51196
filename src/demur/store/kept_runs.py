"""What a store knows of each run without its rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from demur.results import Column, Result, Table
from demur.results.text import between

_SYSTEMS = (
    Column("system", of="name"),
    Column("items", cells="count", explained="rows"),
    *(
        Column(name, cells="count", explained=f"outcomes {name}")
        for name in ("right", "wrong", "unanswered", "ungraded")
    ),
    Column(
        "failed", cells="count", explained="those unanswered that failed", wide=True
    ),
    Column("error", cells="share", explained="wrong / items if all were answered"),
    Column(
        *("own_nonreturn", "not returned", "share"),
        "declined or without a guess / items, by the system's own decision",
    ),
    Column("own_error", "own error", "share", "wrong answers given / items"),
    Column("area", cells="share", explained="area under the error-return curve"),
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class KeptSystem(Result):
    """Counts and rates of one system, in one setting, as a run keeps them.

    Parameters
    ----------
    system : str
        Its name; empty if there is one nameless system.
    setting : str or None
        The prompt or announced target, if there are several.
    items, right, wrong, unanswered, ungraded, failed : int
        Rows, by outcome; those that failed are among the unanswered.
    error_low, error_high : float or None
        Bounds of the forced-choice error, by weight: wrong answers / items if every
        item had to be answered. None if labels were drawn and rows are missing.
    own_nonreturn : float or None
        Items declined or without a guess / items, by the system's own decisions.
    own_low, own_high : float or None
        Bounds of the error there: wrong answers that were given / items.
    area_low, area_high : float or None
        Bounds of the area under the error-return curve; None without confidences.
    """

    system: str
    setting: str | None = None
    items: int
    right: int
    wrong: int
    unanswered: int
    ungraded: int
    failed: int
    error_low: float | None = None
    error_high: float | None = None
    own_nonreturn: float | None = None
    own_low: float | None = None
    own_high: float | None = None
    area_low: float | None = None
    area_high: float | None = None

    @property
    def error(self) -> Any:
        """The forced-choice error, or the pair of its bounds."""
        return _range(self.error_low, self.error_high)

    @property
    def own_error(self) -> Any:
        """The error by the system's own decision, or the pair of its bounds."""
        return _range(self.own_low, self.own_high)

    @property
    def area(self) -> Any:
        """The area, or the pair of its bounds."""
        return _range(self.area_low, self.area_high)

    @property
    def name(self) -> str:
        """The system, with its setting if there are several."""
        if self.setting is None:
            return self.system
        return f"{self.system}, setting = {self.setting}"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class KeptRun(Result):
    """A run in a store, without its rows.

    Parameters
    ----------
    number : int
        Counted from 1 on; never given again.
    when : datetime
        When it was kept, in UTC.
    tags : tuple of str
        Those that it bears, in the order in which they were put on.
    note : str
        What somebody wrote beside it.
    systems : tuple of KeptSystem
        In order of appearance.
    recipe : mapping of str to str
        How the outcomes came about.
    signature : str
        The same on one line, with the version of demur that kept it.
    data_hash : str
        ``items:HASH``, of the items with answerable, weight and cluster, and where the
        outcomes have references ``|references:HASH``, of the items with these. The
        order of rows, and how many systems there are, do not matter.
    lock : str or None
        The text of a lock file.
    judged_from : int or None
        These are the responses of that run, judged anew.
    has_records : bool
        Whether responses and references are kept too, so that it can be judged anew.
    """

    number: int
    when: datetime
    tags: tuple[str, ...] = ()
    note: str = ""
    systems: tuple[KeptSystem, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)
    signature: str = ""
    data_hash: str = ""
    lock: str | None = None
    judged_from: int | None = None
    has_records: bool = False

    def sentence(self) -> str:
        """Which run it is, and of what."""
        of = ", ".join(system.name or "one system" for system in self.systems)
        return f"Run {self.number} of {self.when:%Y-%m-%d %H:%M} UTC: {of}."

    def tables(self) -> tuple[Table]:
        """A row for each system with its counts and rates."""
        return (Table.of("", _SYSTEMS, self.systems),)

    @property
    def notes(self) -> tuple[str, ...]:
        """Tags, note, data, and what else is kept with it."""
        lines = [
            f"tagged {', '.join(self.tags)}" if self.tags else "",
            f'"{" ".join(self.note.split())}"' if self.note else "",
            f"judged anew from the responses of run {self.judged_from}"
            if self.judged_from
            else "",
            f"data: {short_hash(self.data_hash)}",
            "a lock is kept with it" if self.lock is not None else "",
            "its responses and references are kept: demur keep --again judges them anew"
            if self.has_records
            else "",
        ]
        return tuple(filter(None, lines))

    def to_dict(self) -> dict[str, Any]:
        """The run as plain values for JSON."""
        return {
            "run": self.number,
            "when": moment_text(self.when),
            "tags": list(self.tags),
            "note": self.note,
            "systems": [system.to_dict() for system in self.systems],
            "recipe": dict(self.recipe),
            "data_hash": self.data_hash,
            "lock": self.lock,
            "judged_from": self.judged_from,
            "has_records": self.has_records,
            "signature": self.signature,
        }


def _range(low: float | None, high: float | None) -> Any:
    return None if low is None or high is None else between(low, high)


def short_hash(data_hash: str) -> str:
    """The first signs of each part of a data hash, which tell it from others.

    Examples
    --------
    >>> short_hash("items:b3c5a6817af2|references:0d1c2b3a4f5e")
    'items b3c5a681, references 0d1c2b3a'
    """
    parts = (part.partition(":") for part in data_hash.split("|"))
    return ", ".join(f"{what} {digest[:8]}" for what, _, digest in parts)


def moment_text(when: datetime) -> str:
    """A moment in UTC as text, whose order is that of time.

    Examples
    --------
    >>> from datetime import datetime, timezone
    >>> moment_text(datetime(2027, 3, 1, 12, tzinfo=timezone.utc))
    '2027-03-01T12:00:00Z'
    """
    return f"{when:%Y-%m-%dT%H:%M:%S}Z"
