"""Samples of lm-evaluation-harness: a document is an item, a filter is read by name."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import PurePath
from typing import Any, ClassVar, Final, TypedDict

import msgspec
from msgspec import UNSET

from demur.checks import choice
from demur.errors import InputError, shown
from demur.formats.json_documents import json_objects
from demur.formats.paths import nothing_at, path_reader
from demur.formats.streams import Stream
from demur.logs.confidences import NONE, confidence_reader
from demur.logs.credits import Credits
from demur.logs.declining_answers import DecliningAnswers
from demur.logs.lm_eval_choices import CONFIDENCES, MUTUAL, arguments_of, choices_of
from demur.logs.readers import MEANINGS, ItemReader, LogNotes

FILTERED: Final = "filtered"
REPLY: Final = "reply"
FOLDER: Final = "folder"
FILE: Final = "file"

_FILE: Final = re.compile(r"samples_(.+)_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?\.")
_INVALID: Final = "[invalid]"
_LOOKED_AT: Final = 20
_LONGEST_LIST: Final = 10_000
_QUESTIONS: Final = ("question", "query", "input", "prompt", "ctx")
_LISTED: Final = re.compile(r"\[['\"].*['\"]\]", re.DOTALL)
_KNOWN: Final = frozenset(
    [
        *("line",),
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps"),
        *("filter", "metrics", "doc_hash", "prompt_hash", "target_hash"),
        *("schema_version", "task_name", "sample_id"),
    ]
)
_TEXTS: Final = frozenset(["doc", "resps", "prompt_hash", "target_hash"])
"""What no verdict needs, and most of a line is."""
_FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_DECLINING: Final = re.compile(r"declin|abst|refus|unansw|no_?ans", re.IGNORECASE)

Row = dict[str, Any]


@dataclass(frozen=True, repr=False)
class LmEvalSamples(ItemReader):
    """Samples of lm-evaluation-harness, as ``lm_eval --log_samples`` writes them.

    Parameters
    ----------
    filter : str
        Whose answers are read; needed where there are several.
    metric : str
        Which metric says what is right; needed where there are several.
    threshold : str
        Numbers from this one on are right, others wrong; without it a number from 0
        to 1 is a credit.
    confidence : str
        Of choices: softmax, the share of the chosen one in the likelihoods of all;
        normalised, the same of log-likelihoods by character; likelihood, that of the
        chosen one alone. Of others a metric, or a path such as ``doc.sure``. None
        reads no confidence.
    declined : str
        A metric that is 1 where no answer was given.
    no_answer : str
        Which wrong answers are none: ``refusals``, or a pattern.
    item : str
        The path to an item's name, such as ``doc.id``. Without it that is the task, as
        the file's name has it, and the number of the document.
    response : {"filtered", "reply"}
        What the answer is: what the filter left, or all that was generated.
    system : {"folder", "file"}
        What a system is called by: the folder, which the harness names after the
        model, or the file.
    invalid : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What it means if a filter finds no answer (``[invalid]``).
    ungraded : {"ungraded", "unanswered", "wrong", "right", "leave_out"}
        What a metric without a number means.
    """

    name: ClassVar[str] = "lm_eval"
    title: ClassVar[str] = "a file of samples of lm-evaluation-harness"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "response": (FILTERED, REPLY),
        **dict.fromkeys(("invalid", "ungraded"), MEANINGS),
    }

    filter: str = ""
    metric: str = ""
    threshold: str = ""
    confidence: str = ""
    declined: str = ""
    no_answer: str = ""
    item: str = ""
    response: str = FILTERED
    system: str = FOLDER
    invalid: str = "unanswered"
    ungraded: str = "ungraded"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self.name, "system", self.system, (FOLDER, FILE))
        Credits(self.name, self.threshold, LogNotes())

    def items(self, stream: Stream, notes: LogNotes) -> Iterator[tuple[int, Row]]:
        """The documents of one filter."""
        reading = _DocumentSamples(self, stream.name, notes)
        yield from reading.records(json_objects(stream, dict[str, Any]))

    def verdicts(self, stream: Stream, notes: LogNotes) -> Iterator[tuple[int, Row]]:
        """The documents without their texts."""
        reading = _DocumentSamples(self, stream.name, notes, brief=True)
        yield from reading.records(json_objects(stream, self._told_by(stream.head)))

    def _told_by(self, head: bytes) -> Any:
        """What is read of each line where texts are not wanted, as msgspec takes it."""
        if self.item or self.confidence not in ("", NONE, *CONFIDENCES):
            return dict[str, Any]  # a path may lead anywhere
        try:
            first = _FIELDS.decode(head.partition(b"\n")[0])
        except (msgspec.DecodeError, UnicodeDecodeError):
            return dict[str, Any]
        left_out = _TEXTS - ({"resps"} if self.response == REPLY else set())
        names = {*first, *_KNOWN, MUTUAL, self.declined or "filter"} - left_out
        return TypedDict("Line", dict.fromkeys(sorted(names), Any), total=False)  # type: ignore[operator]


class _DocumentSamples:
    """One file on its way to records."""

    def __init__(
        self, reader: LmEvalSamples, name: str, notes: LogNotes, *, brief: bool = False
    ) -> None:
        self.reader, self.name, self.notes = reader, name, notes
        self.brief = brief  # what was said is not wanted
        self.credit = Credits(reader.name, reader.threshold, notes)
        self.declines = DecliningAnswers(reader.name, reader.no_answer, notes)
        task = _FILE.match(PurePath(name).name)
        folder = PurePath(name).parent.name if task else ""
        self.of_all = {
            "system": folder if folder and reader.system == FOLDER else None,
            "task": task[1] if task else None,
        }
        self.item = path_reader(f"{reader.name}: item", reader.item or "doc_id")
        self.metric: str | None = None  # None: nobody has judged
        self.filters: dict[str, int] = {}
        self.invalid = self.rows = 0

    def records(self, rows: Iterable[tuple[int, Row]]) -> Iterator[tuple[int, Row]]:
        """The documents as records."""
        checked = (self._checked(number, row) for number, row in rows)
        first = list(islice(checked, _LOOKED_AT))
        self.names = _metrics(first[0]) if first else []
        self.metric = self._metric(first, checked)
        confidence, held = self._confidence(self._of_filter(chain(first, checked)))
        for row in held:
            place = self._place(row)
            record = self._record(row, place)
            sure = confidence(row, place)
            if sure is not None:
                record["confidence"] = sure
            yield row["line"], record
        self._say_what_was_left()

    def _place(self, row: Row) -> str:
        return f"{self.name}:{row['line']}"

    def _checked(self, number: int, row: Row) -> Row:
        row["line"] = number
        for name, kind in (("doc_id", (int, str)), ("filtered_resps", list)):
            if not isinstance(row.get(name), kind):
                need = "be there, as lm_eval --log_samples writes it"
                got = shown(row[name]) if name in row else "nothing"
                raise InputError(self._place(row), name, need, got)
        return row

    # -- what is read ------------------------------------------------------------------

    def _metric(self, first: list[Row], rest: Iterable[Row]) -> str | None:
        """The metric that is read; None if there are no verdicts."""
        names = self.names
        values = {name: [row.get(name) for row in first] for name in names}
        scores = [name for name, held in values.items() if _are_scores(held)]
        wanted = self.reader.metric
        listed = ", ".join(names) or "none"
        if wanted:
            return choice(self.name, "the metric", wanted, names)
        if len(scores) == 1:
            self.notes.chosen["metric"] = scores[0]
            return scores[0]
        if scores:
            need = "be named where there are several"
            hint = self._typed({"filter": self._all_filters(first, rest)}, scores)
            raise InputError(self.name, "the metric", need, ", ".join(scores), hint)
        if all(value is None for held in values.values() for value in held):
            return None
        need = "give each answer a number"
        hint = "They are of whole texts: nothing was answered that may be right."
        raise InputError(self.name, "a metric", need, listed, hint)

    def _typed(self, more: Mapping[str, list[str]], metrics: list[str]) -> str:
        options = {name: held for name, held in more.items() if len(held) > 1}
        named = [f"{name}={held[0]}" for name, held in options.items()]
        named += [f"metric={metrics[0]}"] if metrics else []
        text = "".join(
            f" There are several of {name}, too: {', '.join(held)}."
            for name, held in options.items()
            if metrics
        )
        return f"Such as: --log '{self.reader.name}({', '.join(named)})'.{text}"

    def _all_filters(self, some: Iterable[Row], rest: Iterable[Row]) -> list[str]:
        if self.reader.filter:
            return []
        return list(dict.fromkeys(_filter(row) for row in chain(some, rest)))

    def _of_filter(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The lines of the one filter, each with its choices."""
        rows = iter(rows)
        for row in rows:
            name = _filter(row)
            wanted = self.reader.filter or next(iter(self.filters), name)
            self.filters[name] = self.filters.get(name, 0) + 1
            if name == wanted:
                row["choices"] = choices_of(row, self.metric or "", self._place(row))
                yield row
            elif not self.reader.filter:
                names = self._all_filters([{"filter": wanted}, row], rows)
                need = "be named where there are several"
                hint = self._typed({"filter": names}, [])
                where = self._place(row)
                raise InputError(where, "the filter", need, ", ".join(names), hint)
        if self.reader.filter:
            choice(self.name, "the filter", self.reader.filter, self.filters)
        elif self.filters.keys() - {"none"}:
            self.notes.chosen["filter"] = next(iter(self.filters))

    def _confidence(
        self, rows: Iterator[Row]
    ) -> tuple[Callable[[Mapping[str, Any], str], float | None], Iterator[Any]]:
        kind = self.reader.confidence
        first = list(islice(rows, _LOOKED_AT))
        rows = chain(first, rows)
        if kind in ("", *CONFIDENCES) and any(row["choices"] for row in first):
            kind = kind or CONFIDENCES[0]
            self.notes.chosen["confidence"] = kind
            return lambda row, _: row["choices"] and row["choices"].share(kind), rows
        if kind in CONFIDENCES:
            need = "be a path where there are no choices with log-likelihoods"
            raise InputError(self.name, "confidence", need, kind)
        within = tuple(self.names) or ("metrics",)
        if not kind:
            rows = map(self._without_choices, rows)
        return confidence_reader(self.reader.name, kind, rows, self.notes, within)

    def _without_choices(self, row: Row) -> Row:
        """A line of a file of which the first have no choices: it may have none."""
        if row["choices"]:
            need, got = "be in the first lines too", "some in this one"
            typed = f"--log '{self.reader.name}(confidence=none)'"
            hint = f"Judge them apart, or without likelihoods: {typed}."
            raise InputError(self._place(row), "choices", need, got, hint)
        return row

    # -- records -----------------------------------------------------------------------

    def _record(self, row: Row, place: str) -> Row:
        self.rows += 1
        choices, filtered = row["choices"], _one(row["filtered_resps"])
        record = {"item": self._item(row, place), **self.of_all}
        if not self.brief:
            record["input"] = _input(row)
        if not choices:
            record |= {"response": filtered, **self._references(row)}
            if self.reader.response == REPLY:
                record["response"] = _one(_one(row.get("resps")))
        elif not self.brief:
            record |= {"response": choices.response, "reference": choices.reference}
        is_invalid = not choices and _is_invalid(filtered)
        self.invalid += is_invalid
        if is_invalid and self.reader.response == FILTERED:
            record["response"] = None
        if self.metric is None:
            return record | ({"kind": "format"} if is_invalid else {})
        record.update(self._verdict(row, record, place, is_invalid=is_invalid))
        return record

    def _verdict(self, row: Row, record: Row, place: str, *, is_invalid: bool) -> Row:
        """Outcome, credit and kind."""
        credit = self.credit(row.get(self.metric or ""), place, str(self.metric))
        if credit is None:
            return {"outcome": self.reader.ungraded}
        if row["choices"]:
            row["choices"].settle(right=credit > 0)
            if not self.brief:
                record["response"] = row["choices"].response
        if self.reader.declined and row.get(self.reader.declined):
            return {"outcome": "unanswered"}
        if credit:
            return {"outcome": "right", "credit": credit}
        if is_invalid:
            outcome = self.reader.invalid
            return {
                "outcome": outcome,
                "kind": "format" if outcome == "unanswered" else None,
            }
        declines = row["choices"] is None and self.declines(record["response"])
        return {"outcome": "unanswered" if declines else "wrong"}

    def _references(self, row: Row) -> dict[str, Any]:
        return {} if self.brief else _references(row.get("target"))

    def _item(self, row: Row, place: str) -> Any:
        name = self.item(row)
        if not isinstance(name, (str, int)):
            what = self.reader.item or "doc_id"
            if name is UNSET:
                raise nothing_at(place, what, row)
            raise InputError(place, what, "be a text or a whole number", shown(name))
        if self.reader.item:
            return name
        if self.of_all["task"]:
            return f"{self.of_all['task']}/{name}"
        digest = row.get("doc_hash")  # numbers of documents recur in other tasks
        return f"{name}-{digest[:8]}" if isinstance(digest, str) else name

    def _say_what_was_left(self) -> None:
        others = self.filters.keys() - {self.reader.filter}
        if self.reader.filter and others:
            listed = ", ".join(sorted(others))
            self.notes.add(f"lines of other filters are left out: {listed}")
        if self.invalid:
            self.notes.add(
                f"in {self.invalid:,} of {self.rows:,} replies the filter found no "
                f"answer ({_INVALID}): {self.reader.invalid} (invalid=wrong counts "
                "them as wrong; other filters may find one)"
            )
        declining = [n for n in self.names if _DECLINING.search(n)]
        if declining and not self.reader.declined:
            self.notes.add(
                f"the metric {declining[0]} may say where an answer was declined "
                f"(--log '{self.reader.name}(declined={declining[0]})')"
            )


# -- fields of a line ------------------------------------------------------------------


def _filter(row: Row) -> str:
    return str(row.get("filter", "none"))


def _metrics(row: Row) -> list[str]:
    """The metrics of a line; before release 0.4.9 it does not list them."""
    listed = row.get("metrics")
    if isinstance(listed, list):
        return [name for name in listed if isinstance(name, str) and name in row]
    return [name for name in row if name not in _KNOWN]


def _are_scores(values: list[Any]) -> bool:
    """Whether they judge an answer each: a number that is not negative, or nothing."""
    numbers = [value for value in values if value is not None]
    return bool(numbers) and all(
        isinstance(value, (bool, int, float)) and not value < 0 for value in numbers
    )


def _one(values: Any) -> Any:
    """What a list holds if it is one, else the list."""
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def _is_invalid(response: Any) -> bool:
    answers = response if isinstance(response, list) and response else [response]
    return all(answer == _INVALID for answer in answers)


def _input(row: Row) -> Any:
    """The question of a document, or else the first prompt."""
    doc = row.get("doc")
    if isinstance(doc, dict):
        for name in _QUESTIONS:
            if isinstance(doc.get(name), str):
                return doc[name]
    return next((given[0] for given in arguments_of(row)), None)


def _references(target: Any) -> dict[str, Any]:
    """What would be right; a list of answers is a text like any other in the file."""
    is_short = isinstance(target, str) and len(target) < _LONGEST_LIST
    if is_short and _LISTED.fullmatch(target):
        try:
            target = ast.literal_eval(target)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return {"reference": target}
    if isinstance(target, list):
        return {"references": target} if target else {}
    return {} if target is None else {"reference": target}
