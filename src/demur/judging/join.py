"""Two tables joined by item: references by number, judged responses column by column.

Nothing is kept per record but a few numbers per column and what is shown: a file of
responses may be many times longer than what records as objects would leave room for.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.answers import Alternatives, Comparator, ReferenceReader, read_all
from demur.errors import InputError, shown
from demur.outcomes import fields
from demur.outcomes.columns import objects
from demur.outcomes.fields import RIGHT
from demur.outcomes.records import (
    Reference,
    Response,
    Verdict,
    as_reference,
    item_text,
)
from demur.outcomes.values import label_text

Objects = npt.NDArray[np.object_]
Integers = npt.NDArray[Any]

ABSENT: Final = object()
"""Stands where a response does not have a further column at all."""

_OF_ROWS: Final = frozenset(
    {"item", "part", "system", "setting", "repeat", "response", "confidence"}
)
_OF_REFERENCES: Final = frozenset(
    {"item", "part", "answerable", "weight", "cluster", "input"}
)
"""What has a column of its own here, for its size or its part in judging."""

_SHARED: Final = 10_000  # that many texts are looked up, so that equal ones are one
_SPARSE: Final = 16
_DIGITS: Final = "0123456789"
_NOTHING: Final[Mapping[str, Any]] = {}


def _carried(record: str, apart: frozenset[str]) -> list[str]:
    names = set(fields.names_of("outcomes")) - apart
    return [name for name in fields.names_of(record) if name in names]


# -- columns -----------------------------------------------------------------------


class Coded:
    """A column of few different values, each kept once.

    Examples
    --------
    >>> column = Coded()
    >>> for value in ("differs", True, "differs", 1):
    ...     column.append(value)
    >>> column.values, column.codes.tolist()
    (['differs', True, 1], [0, 1, 0, 2])
    """

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.codes = array("i")
        self._known: dict[Any, int] = {}

    def append(self, value: Any) -> None:
        """Add a row."""
        try:
            code = self._known.get((value.__class__, value))  # True is not 1 here
        except TypeError:  # a list has no hash
            code = self._new(value)
        if code is None:
            code = self._new(value)
            if code < _SHARED:
                self._known[value.__class__, value] = code
        self.codes.append(code)

    def _new(self, value: Any) -> int:
        self.values.append(value)
        return len(self.values) - 1

    def column(self) -> Objects:
        """The value of each row."""
        column: Objects = objects(self.values, len(self.values))[np.asarray(self.codes)]
        return column


class Places:
    """Where records come from; what stands before the line number is kept once.

    Examples
    --------
    >>> places = Places()
    >>> places.append("a.jsonl:12")
    >>> places.append("frame")
    >>> places[0], places[1]
    ('a.jsonl:12', 'frame')
    """

    def __init__(self) -> None:
        self._heads = Coded()
        self._numbers = array("q")
        self.parts = (self._heads.codes, self._numbers)

    def append(self, place: str) -> None:
        """Add a row."""
        head = place.rstrip(_DIGITS)
        digits = place[len(head) :]
        if 0 < len(digits) < 18 and digits[0] != "0":
            self._numbers.append(int(digits))
            self._heads.append(head)
        else:
            self._numbers.append(-1)
            self._heads.append(place)

    def __getitem__(self, row: int) -> str:
        head: str = self._heads.values[self._heads.codes[row]]
        number = self._numbers[row]
        return head if number < 0 else f"{head}{number}"


# -- references --------------------------------------------------------------------


class References:
    """What judging needs of the references, by their number in order of reading.

    Parameters
    ----------
    records : iterable of Reference or mapping
        One for each item.
    instead : sequence of str
        Fields that may stand in place of acceptable values.

    Raises
    ------
    InputError
        If there are none, two are of one item, or one is not what it must be.

    Examples
    --------
    >>> references = References([{"item": 7, "reference": "Oslo"}])
    >>> references.number_of["7"], references.shown(0)
    (0, 'Oslo')
    """

    def __init__(
        self,
        records: Iterable[Reference | Mapping[str, Any]],
        instead: Sequence[str] = (),
    ) -> None:
        self.number_of: dict[str, int] = {}
        self.places = Places()
        self.answerable = array("b")
        self.alternatives: list[tuple[tuple[Any, float], ...]] = []
        self.inputs: list[Any] = []
        self.clusters = Coded()
        self.weights: list[float | None] = []
        self.carried: dict[str, list[Any]] = {
            name: [] for name in _carried("reference", _OF_REFERENCES)
        }
        self.extras: list[Mapping[str, Any]] = []
        self._read: list[Alternatives | None] = []
        self._texts: set[str] | None = None
        # To look a protocol up takes longer than to read most references.
        self._comparator: Any = None
        self._reader: Any = None
        for number, record in enumerate(records, 1):
            place = getattr(record, "place", "") or f"references: record {number}"
            otherwise = _has_any(record, instead)
            self._add(as_reference(record, place, otherwise=otherwise), place)
        if not self.number_of:
            need = "hold at least one reference"
            raise InputError("judge", "references", need, "none")
        self.items = list(self.number_of)
        self.n_asked = len(self.items)

    def __len__(self) -> int:
        return len(self.number_of)

    def _add(self, reference: Reference, place: str) -> None:
        item = item_text(reference.item, place)
        first = self.number_of.setdefault(item, len(self.inputs))
        if first != len(self.inputs):
            got = f"another for {shown(item)}, first at {self.places[first]}"
            hint = "Put alternatives into one list, `references`."
            raise InputError(place, "an item", "have one reference", got, hint)
        self.clusters.append(label_text("cluster", reference.cluster, place))
        self.places.append(place)
        self.answerable.append(bool(reference.answerable))
        self.alternatives.append(reference.alternatives)
        self.inputs.append(reference.input)
        self.weights.append(reference.weight)
        for name, column in self.carried.items():
            column.append(getattr(reference, name))
        self.extras.append(reference.extra or _NOTHING)
        self._read.append(None)

    def add_unasked(self, item: str, beside: Sequence[int]) -> int:
        """The number of what nobody asked for, which says what others beside it do."""
        number = self.number_of[item] = len(self.items)
        self.items.append(item)
        clusters, codes = self.clusters.values, self.clusters.codes
        self.clusters.append(same_in_all(clusters[codes[other]] for other in beside))
        self.places.append(self.places[beside[0]])
        self.answerable.append(self.answerable[beside[0]])
        for column in (self.inputs, self.weights, *self.carried.values()):
            column.append(same_in_all(column[other] for other in beside))
        extras = [self.extras[other] for other in beside]
        self.extras.append(
            {name: same_in_all(e.get(name) for e in extras) for name in extras[0]}
        )
        self.alternatives.append(())
        self._read.append(())
        return number

    def read(self, number: int, comparator: Comparator) -> Alternatives:
        """The acceptable values of an item as the comparator reads them, read once."""
        read = self._read[number]
        if read is None:
            raw = self.alternatives[number]
            if comparator is not self._comparator:
                self._comparator = comparator
                reads = isinstance(comparator, ReferenceReader)
                self._reader = comparator if reads else None
            if self._reader is not None:
                read = self._reader.read_reference(self.record(number))
            else:
                read = read_all(comparator, raw)
            if _same_texts(read, raw):
                read = raw
            self._read[number] = read
        return read

    def record(self, number: int) -> Reference:
        """What a comparator may want to know of an item's reference."""
        return Reference(
            item=self.items[number],
            alternatives=self.alternatives[number],
            input=self.inputs[number],
            extra=self.extras[number],
            place=self.places[number],
        )

    def own(self, number: int, guess: Any) -> Any:
        """A guess; if it is the text of the reference, that one object for both."""
        if type(guess) is str:
            for value, _ in self.alternatives[number]:
                if type(value) is str and value == guess:
                    return value
        return guess

    def is_known(self, text: str) -> bool:
        """Whether a text is an acceptable value of some item."""
        if self._texts is None:
            values = (pair[0] for pairs in self.alternatives for pair in pairs)
            self._texts = {value for value in values if isinstance(value, str)}
        return text in self._texts

    def forget_readings(self) -> None:
        """All responses are judged: what the comparator made is no longer needed."""
        self._read.clear()

    def shown(self, number: int) -> Any:
        """The acceptable value of an item, or the list of them; else its SQL."""
        values = [value for value, _ in self.alternatives[number]]
        values = values or queries_of(self.extras[number])
        return values if len(values) > 1 else (values or [None])[0]

    def columns(self) -> Iterator[tuple[str, Objects]]:
        """Columns of the outcomes table, by the number of the reference."""
        n = len(self)
        yield "cluster", self.clusters.column()
        yield "input", objects(self.inputs, n)
        yield "reference", objects(map(self.shown, range(n)), n)


def _has_any(record: Any, names: Sequence[str]) -> bool:
    if isinstance(record, Reference) and "input" in names and record.input is not None:
        return True
    extra = record.extra if isinstance(record, Reference) else record
    return isinstance(extra, Mapping) and any(
        extra.get(name) is not None for name in names
    )


def queries_of(extra: Mapping[str, Any]) -> list[Any]:
    """The canonical queries of a reference that has them in place of values.

    Examples
    --------
    >>> queries_of({"sqls": ["SELECT 1", {"value": "SELECT 2", "weight": 0.5}]})
    ['SELECT 1', 'SELECT 2']
    """
    sql, several = extra.get("sql"), extra.get("sqls")
    listed = several if isinstance(several, (list, tuple)) else [sql]
    texts = [
        one.get("value") if isinstance(one, Mapping) else one for one in listed or [sql]
    ]
    return [text for text in texts if isinstance(text, str)]


def _same_texts(read: Alternatives, raw: Alternatives) -> bool:
    """Whether reading changed nothing; only texts are sure to be equal then."""
    return len(read) == len(raw) and all(
        type(ours) is str and type(theirs) is str and ours == theirs
        for (ours, _), (theirs, _) in zip(read, raw, strict=True)
    )


def at_item(item: str) -> str:
    """How a place ends that names an item, too.

    Examples
    --------
    >>> "a.jsonl:3" + at_item("q1")
    "a.jsonl:3: item 'q1'"
    """
    return f": item {shown(item)}"


def holds(column: Any) -> bool:
    """Whether a column says anything.

    Examples
    --------
    >>> holds("a"), holds(objects([None, None], 2))
    (True, False)
    """
    if column is None or isinstance(column, str):
        return column is not None
    if isinstance(column, np.ma.MaskedArray):
        return not column.mask.all()
    return column.dtype != object or any(value is not None for value in column)


def same_in_all(values: Iterable[Any]) -> Any:
    """The value that all have; None if they differ.

    Examples
    --------
    >>> same_in_all(["d1", "d1"]), same_in_all(["book", "pay"])
    ('d1', None)
    """
    first, *others = values
    return first if all(value == first for value in others) else None


# -- runs --------------------------------------------------------------------------


class Run:
    """The responses of one system in one setting and repeat: references to rows.

    Parameters
    ----------
    key : tuple of (system, setting, repeat)
        Who answered.
    number : int
        The position of this run among all.
    n_references : int
        How many items there are.

    Examples
    --------
    >>> run = Run(("a", None, "1"), 0, 50)
    >>> run[7] = 3
    >>> run.get(7), run.get(8), len(run), str(run), run.label
    (3, None, 1, " of system 'a', repeat '1'", 'a')
    """

    def __init__(
        self, key: tuple[str, str | None, str | None], number: int, n_references: int
    ) -> None:
        self.system, self.setting, self.repeat = key
        self.number = number
        self._n_references = n_references
        self._few: dict[int, int] = {}
        self._rows: array[int] | None = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def get(self, reference: int) -> int | None:
        """The row of a reference, if there is one."""
        if self._rows is None or reference >= self._n_references:
            return self._few.get(reference)
        row = self._rows[reference]
        return None if row < 0 else row

    def __setitem__(self, reference: int, row: int) -> None:
        if reference >= self._n_references:  # nobody asked for it
            self._few[reference] = row
            return
        self._count += 1
        if self._rows is not None:
            self._rows[reference] = row
            return
        self._few[reference] = row
        # A dictionary for a run of few responses, an array as soon as that is smaller.
        if self._count * _SPARSE >= self._n_references:
            self._rows = array("i", [-1]) * self._n_references
            unasked: dict[int, int] = {}
            for known, its_row in self._few.items():
                kept: Any = self._rows if known < self._n_references else unasked
                kept[known] = its_row
            self._few = unasked

    @property
    def label(self) -> str:
        """System and setting, as a note names them."""
        system = self.system or "no name"
        return system if self.setting is None else f"{system} setting {self.setting}"

    def __str__(self) -> str:
        names = ("system", "setting", "repeat")
        named = [(name, getattr(self, name)) for name in names]
        parts = [f"{name} {shown(value)}" for name, value in named if value]
        return " of " + ", ".join(parts) if parts else ""


# -- rows --------------------------------------------------------------------------


class Rows:
    """Judged responses, column by column.

    Examples
    --------
    >>> rows = Rows()
    >>> run = Run(("a", None, None), 0, 1)
    >>> verdict = Verdict(RIGHT, 1.0, "equal")
    >>> for guess in ("Oslo", "oslo"):
    ...     rows.append(run, 0, verdict, Response(item="q"), guess, "row")
    >>> rows.move_last_to(0)
    >>> len(rows), rows.response
    (1, ['oslo'])
    """

    def __init__(self) -> None:
        self.run, self.reference = array("i"), array("i")
        self.outcome, self.error = array("B"), array("b")
        self.credit: array[float] | None = None
        self.confidence: array[float] | list[Any] = array("d")
        self.response: list[Any] = []
        names = ("reason", "reason_code", *_carried("response", _OF_ROWS))
        self.coded = {name: Coded() for name in names}
        self.further: dict[str, list[Any]] = {}
        self.places = Places()
        self._texts: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self.outcome)

    def append(
        self,
        run: Run,
        reference: int,
        verdict: Verdict,
        response: Response,
        guess: Any,
        place: str,
    ) -> None:
        """Add a row; the guess is what the response says, perhaps shared."""
        if response.extra:
            self._add_further(response.extra)
        self._add_credit(verdict)
        self.run.append(run.number)
        self.reference.append(reference)
        self.outcome.append(verdict.outcome)
        self.error.append(bool(response.error))
        self._add_confidence(response.confidence)
        judged = {"reason": verdict.reason, "reason_code": verdict.code}
        for name, column in self.coded.items():
            column.append(judged[name] if name in judged else getattr(response, name))
        self.response.append(self.shared(guess))
        self.places.append(place)

    def has_right(self, text: str) -> bool:
        """Whether a response was right that is this text."""
        pairs = zip(self.outcome, self.response, strict=True)
        return any(outcome == RIGHT and guess == text for outcome, guess in pairs)

    def move_last_to(self, row: int) -> None:
        """Let the last row take the place of an earlier one."""
        for further in self.further.values():
            _pad(further, len(self))
        for column in self._all():
            column[row] = column.pop()

    def differing(self, row: int, extra: Mapping[str, Any]) -> list[str]:
        """Further columns in which a response is another than that of a row."""
        return [
            name
            for name, value in extra.items()
            if row >= len(column := self.further.get(name, ()))
            or str(column[row]) != str(value)
        ]

    def _all(self) -> Iterator[Any]:
        yield from (self.run, self.reference, self.error, self.confidence)
        yield from (column.codes for column in self.coded.values())
        yield from self.places.parts
        yield from self.further.values()
        yield from (self.response, self.outcome)
        if self.credit is not None:
            yield self.credit

    def _add_credit(self, verdict: Verdict) -> None:
        """Credits are kept from the first one that the outcome does not tell."""
        if self.credit is None and verdict.credit != (verdict.outcome == RIGHT):
            right = np.asarray(self.outcome) == RIGHT
            self.credit = array("d", right.astype(float).tobytes())
        if self.credit is not None:
            self.credit.append(verdict.credit)

    def _add_confidence(self, value: Any) -> None:
        """NaN stands for none; what is no number is kept as it is, for the message."""
        number = value if type(value) is float and value == value else _number(value)
        if isinstance(self.confidence, array):
            if number is not None:
                self.confidence.append(number)
                return
            self.confidence = [None if x != x else x for x in self.confidence]
        self.confidence.append(value)

    def _add_further(self, extra: Mapping[str, Any]) -> None:
        for name, value in extra.items():
            column = self.further.setdefault(name, [])
            _pad(column, len(self))
            column.append(self.shared(value))

    def shared(self, value: Any) -> Any:
        """The same value, one object for texts that come often."""
        if type(value) is not str:
            return value
        if len(self._texts) < _SHARED:
            return self._texts.setdefault(value, value)
        return self._texts.get(value, value)


def _pad(column: list[Any], n_rows: int) -> None:
    column.extend([ABSENT] * (n_rows - len(column)))


def _number(value: Any) -> float | None:
    """A number as the equal float, NaN for nothing, None for anything else."""
    if value is None:
        return np.nan
    numeric = isinstance(value, (int, float, np.integer, np.floating))
    if not numeric or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if number == value else None
