"""Results of promptfoo: a test is an item, a provider a system, a prompt a setting."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar, Final

import msgspec

from demur.errors import InputError, ParseError, shown
from demur.formats.beginnings import keys_of
from demur.formats.json_documents import json_objects, json_value
from demur.formats.paths import nothing_at, path_reader
from demur.formats.streams import Stream
from demur.logs.confidences import confidence_reader, product_of
from demur.logs.credits import Credits
from demur.logs.declining_answers import DecliningAnswers
from demur.logs.readers import MEANINGS, ItemReader, LogNotes
from demur.results import printable

SUCCESS: Final = "success"

_FAILED: Final = 2
_LOOKED_AT: Final = 200
_LONGEST: Final = 200
_WITHIN: Final = ("namedScores", "metadata")

Held = dict[str, Any]


class _Result(msgspec.Struct):
    """What is read of a result; all else is skipped."""

    provider: Any = None
    prompt: Any = None
    promptIdx: Any = None  # noqa: N815  (as promptfoo writes it)
    testIdx: Any = None  # noqa: N815
    vars: Any = None
    testCase: Any = None  # noqa: N815
    response: Any = None
    success: Any = None
    score: Any = None
    failureReason: Any = None  # noqa: N815
    error: Any = None
    gradingResult: Any = None  # noqa: N815
    namedScores: Any = None  # noqa: N815
    metadata: Any = None


class _Summary(msgspec.Struct):
    results: list[_Result]


class _Export(msgspec.Struct):
    results: _Summary


@dataclass(frozen=True, repr=False)
class PromptfooResults(ItemReader):
    """Results of promptfoo, as ``promptfoo eval -o`` writes them: JSON, JSONL, CSV.

    Parameters
    ----------
    verdict : str
        What says whether an answer is right: ``success`` (all assertions hold), or the
        path to a number, such as ``namedScores.correct``.
    threshold : str
        Numbers from this one on are right, others wrong; without it a number from 0
        to 1 is a credit.
    confidence : str
        The path to it, such as ``namedScores.p`` or ``response.metadata.sure``;
        ``logprobs`` (the product of the probabilities of the reply's tokens); none
        reads no confidence.
    item : str
        The path to an item's name, such as ``vars.id``; without it the description of
        a test, or else its variables.
    no_answer : str
        Which wrong answers are none: ``refusals``, or a pattern.
    refusal : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What a wrong answer means that the provider flags (``response.isRefusal``).
    error : {"unanswered", "ungraded", "wrong", "right", "leave_out"}
        What a result means that ended in an error.
    no_assertions : {"ungraded", "right", "wrong", "unanswered", "leave_out"}
        What a test without assertions means, if others have some.
    """

    name: ClassVar[str] = "promptfoo"
    title: ClassVar[str] = "results of promptfoo"
    rows: ClassVar[str] = "result"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(
        ("refusal", "error", "no_assertions"), MEANINGS
    )

    verdict: str = SUCCESS
    threshold: str = ""
    confidence: str = ""
    item: str = ""
    no_answer: str = ""
    refusal: str = "unanswered"
    error: str = "unanswered"
    no_assertions: str = "ungraded"

    def __post_init__(self) -> None:
        super().__post_init__()
        Credits(self.name, self.threshold, LogNotes())

    def items(self, stream: Stream, notes: LogNotes) -> Iterator[tuple[int, Held]]:
        """The results."""
        results = _results(stream, notes)
        held: Iterable[Held] = map(_fields, results)
        held = list(held) if isinstance(results, list) else held
        yield from _TestResults(self, stream.name, notes).records(held)


class _TestResults:
    """One file on its way to records."""

    def __init__(self, reader: PromptfooResults, name: str, notes: LogNotes) -> None:
        self.reader, self.name, self.notes = reader, name, notes
        self.credit = Credits(reader.name, reader.threshold, notes)
        self.verdict = path_reader("promptfoo: verdict", reader.verdict)
        self.item = path_reader("promptfoo: item", reader.item or "testIdx")
        self.declines = DecliningAnswers(reader.name, reader.no_answer, notes)
        self.described: dict[str, str] = {}  # from descriptions to their variables
        self.by_description = self.several_prompts = self.judged = False
        self.of_prompt: dict[tuple[str, str | None], Any] = {}
        self.times: dict[tuple[Any, ...], int] = {}
        self.contradicted = 0

    def records(self, rows: Iterable[Held]) -> Iterator[tuple[int, Held]]:
        """The results as records."""
        most = None if isinstance(rows, list) else _LOOKED_AT
        rows = iter(rows)
        first = list(islice(rows, most))
        self.by_description = _names_tests(first)
        self.several_prompts = len({_label(row["prompt"]) for row in first}) > 1
        self.judged = any(_has_assertions(row) for row in first)
        confidence, held = confidence_reader(
            self.reader.name,
            self.reader.confidence,
            chain(first, rows),
            self.notes,
            _WITHIN,
            tokens=_of_tokens,
            answered=_is_answered,
        )
        for number, row in enumerate(held, 1):
            place = f"{self.name}: result {number}"
            record = self._record(row, place)
            sure = confidence(row, place)
            yield number, record if sure is None else record | {"confidence": sure}
        if self.contradicted:
            self.notes.add(
                "results whose success contradicts the pass of their gradingResult: "
                f"{self.contradicted:,}, read as success says "
                "(--log 'promptfoo(verdict=gradingResult.pass)' reads the other)"
            )

    def _record(self, row: Mapping[str, Any], place: str) -> Held:
        if row["success"] is None and row["testIdx"] is None and not row["vars"]:
            need, got = "be one of promptfoo, with a test", "no test"
            raise InputError(place, "a result", need, got)
        system, setting = self._system(row)
        item = self._item(row, place)
        key = item, system, setting
        time = self.times[key] = self.times.get(key, 0) + 1
        reference = _reference(row)
        record: Held = {
            "item": item,
            "system": system,
            "setting": setting,
            "repeat": None if time == 1 else str(time),
            "input": _input(row, reference),
            "response": row["response"].get("output"),
            **({} if reference is None else {"reference": reference}),
        }
        if _asks_for_refusal(row):
            record["answerable"] = False
        if row["failureReason"] == _FAILED or _is_old_error(row):
            message = str(row["error"] or row["response"].get("error") or "an error")
            reason = {"reason": f"failed: {message}", "reason_code": "failed"}
            silent = {"response": None, "failed": message, "outcome": self.reader.error}
            return record | silent | reason
        return record | self._judged(row, record, place) if self.judged else record

    def _judged(self, row: Mapping[str, Any], record: Held, place: str) -> Held:
        """Outcome, credit and kind of a result."""
        if not _has_assertions(row):
            return {"outcome": self.reader.no_assertions}
        value = self.verdict(row)
        if value is msgspec.UNSET:
            raise nothing_at(place, self.reader.verdict, row)
        graded = row["gradingResult"].get("pass")
        if self.reader.verdict == SUCCESS and graded in (True, False):
            self.contradicted += value is not graded
        credit = self.credit(value, place, self.reader.verdict)
        if credit is None:
            return {"outcome": "ungraded"}
        why = {"reason": _message(row)}
        if credit and record.get("answerable") is False:
            return {"outcome": "unanswered", "kind": "refusal"}
        if credit:
            return {"outcome": "right", "credit": credit}
        if row["response"].get("isRefusal") is True:
            outcome = self.reader.refusal
            kind = "refusal" if outcome == "unanswered" else None
            return {"outcome": outcome, "kind": kind, **why}
        declines = self.declines(record["response"])
        return {"outcome": "unanswered" if declines else "wrong", **why}

    def _item(self, row: Mapping[str, Any], place: str) -> Any:
        if self.reader.item:
            name = self.item(row)
            if name is msgspec.UNSET:
                raise nothing_at(place, self.reader.item, row)
            if isinstance(name, bool) or not isinstance(name, (str, int)):
                need = "be a text or a whole number"
                raise InputError(place, self.reader.item, need, shown(name))
            return name
        tested, description = _variables(row["vars"]), _description(row)
        if not (self.by_description and description):
            return tested or str(row["testIdx"])
        if self.described.setdefault(description, tested) != tested:
            need, hint = "name one test", "Such as: --log 'promptfoo(item=vars.id)'."
            raise InputError(place, "a description", need, shown(description), hint)
        return description

    def _system(self, row: Mapping[str, Any]) -> tuple[str, str | None]:
        """Provider and prompt, told apart where two are called alike."""
        provider = row["provider"]
        if isinstance(provider, dict):
            provider = provider.get("label") or provider.get("id")
        setting = _label(row["prompt"]) if self.several_prompts else None
        name = str(provider or "provider"), setting
        if self.of_prompt.setdefault(name, row["promptIdx"]) != row["promptIdx"]:
            return f"{name[0]} #{row['promptIdx']}", setting
        return name


# -- the file --------------------------------------------------------------------------


def _results(stream: Stream, notes: LogNotes) -> Iterable[_Result]:
    if not stream.head.startswith((b"{", b"[")):
        return _of_table(stream, notes)
    keys = keys_of(stream.head)
    # What stands before the results may be longer than what is looked at.
    if "results" in keys or keys.isdisjoint(("testIdx", "promptIdx", "success")):
        export: _Export = json_value(stream.name, stream.whole(), _Export)
        return export.results.results
    return (result for _, result in json_objects(stream, _Result))


def _of_table(stream: Stream, notes: LogNotes) -> Iterator[_Result]:
    """The results of a CSV export, which has some columns for each prompt."""
    notes.add("a CSV export says nothing of refusals that a provider flags")
    table = csv.reader(io.StringIO(stream.whole().decode(), newline=""), strict=True)
    try:
        header = next(table)
        starts = [at - 1 for at, name in enumerate(header) if name == "Status" and at]
        if not starts:
            need = "have a column Status, as exports of promptfoo do"
            raise InputError(stream.name, "the table", need, "none")
        for number, cells in enumerate(table):
            if cells:
                yield from _of_row(header, starts, number, cells, stream.name)
    except csv.Error as error:
        got = printable(str(error))
        raise ParseError(stream.name, "the table", "be CSV", got) from None


def _of_row(
    header: list[str], starts: list[int], number: int, cells: list[str], name: str
) -> Iterator[_Result]:
    if len(cells) != len(header):
        need, got = f"have {len(header)} cells", str(len(cells))
        raise ParseError(f"{name}: row {number + 1}", "the row", need, got)
    tested = dict(zip(header[: starts[0]], cells, strict=False))
    case: Held = {"description": tested.pop("Description", None), "assert": [{}]}
    for prompt, (start, end) in enumerate(
        zip(starts, [*starts[1:], len(header)], strict=True)
    ):
        held = dict(zip(header[start + 1 : end], cells[start + 1 : end], strict=True))
        label, _, text = header[start].removeprefix("[").partition("] ")
        status = held["Status"]
        if status not in ("PASS", "FAIL", "ERROR"):
            need = "be PASS, FAIL or ERROR"
            place = f"{name}: row {number + 1}"
            raise InputError(place, "Status", need, shown(status))
        scores = held.get("Named Scores")
        yield _Result(
            provider=label,
            prompt={"label": text},
            promptIdx=prompt,
            testIdx=number,
            vars=tested,
            testCase=case,
            response={"output": cells[start]},
            success=status == "PASS",
            failureReason=_FAILED if status == "ERROR" else None,
            error=cells[start] if status == "ERROR" else None,
            gradingResult={"reason": held.get("Grader Reason")},
            namedScores=json_value(name, scores.encode()) if scores else None,
        )


def _fields(result: _Result) -> Held:
    """The fields of a result, objects where they are to be."""
    held = msgspec.structs.asdict(result)
    for name in ("vars", "testCase", "response", "gradingResult"):
        if not isinstance(held[name], dict):
            held[name] = {} if held[name] is None else {"output": held[name]}
    return held


# -- fields of a result ----------------------------------------------------------------


def _assertions(row: Mapping[str, Any]) -> list[Any]:
    listed = row["testCase"].get("assert")
    return listed if isinstance(listed, list) else []


def _has_assertions(row: Mapping[str, Any]) -> bool:
    return bool(_assertions(row) or row["gradingResult"].get("componentResults"))


def _asks_for_refusal(row: Mapping[str, Any]) -> bool:
    kinds = [a.get("type") for a in _assertions(row) if isinstance(a, dict)]
    return "is-refusal" in kinds


def _is_old_error(row: Mapping[str, Any]) -> bool:
    """Whether a result of a release without ``failureReason`` ended in an error."""
    graded = row["gradingResult"] or row["response"].get("output") is not None
    return row["failureReason"] is None and bool(row["error"]) and not graded


def _is_answered(row: Mapping[str, Any]) -> bool:
    return row["failureReason"] != _FAILED and not _is_old_error(row)


def _of_tokens(row: Mapping[str, Any]) -> float | None:
    """The product of the probabilities of all tokens, which have no texts here."""
    listed = row["response"].get("logProbs")
    if not isinstance(listed, list) or not listed or not _is_answered(row):
        return None
    if any(type(p) not in (int, float) or p != p for p in listed):
        return None
    try:
        return product_of(listed)
    except (OverflowError, ValueError):  # numbers that are no logarithms of any
        return None


def _message(row: Mapping[str, Any]) -> str | None:
    why = row["gradingResult"].get("reason")
    return why if isinstance(why, str) else None


def _label(prompt: Any) -> str:
    if isinstance(prompt, dict):
        # Before 2024 the template was called display; the raw text is of one test.
        names = ("label", "display", "raw")
        prompt = next((prompt[name] for name in names if prompt.get(name)), None)
    return str(prompt)


def _description(row: Mapping[str, Any]) -> str:
    description = row["testCase"].get("description")
    return description if isinstance(description, str) else ""


def _names_tests(rows: list[Held]) -> bool:
    """Whether descriptions name tests: each has one, and no two the same."""
    named = {(_description(row), _variables(row["vars"])) for row in rows}
    names = {description for description, _ in named}
    return "" not in names and len(names) == len(named)


def _variables(tested: Mapping[str, Any]) -> str:
    """Variables as a name: that of one is its text, of several all, if not too long."""
    if len(tested) == 1:
        (value,) = tested.values()
        text = value if isinstance(value, str) else json.dumps(value)
    else:
        text = json.dumps(tested, ensure_ascii=False) if tested else ""
    if len(text) <= _LONGEST:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{text[: _LONGEST // 2]}... {digest}"


def _reference(row: Mapping[str, Any]) -> Any:
    """What the first assertion of equality asks for."""
    results = row["gradingResult"].get("componentResults")
    for held in results if isinstance(results, list) else []:
        test = held.get("assertion") if isinstance(held, dict) else None
        if isinstance(test, dict) and test.get("type") == "equals":
            more = held.get("metadata")
            if isinstance(more, dict) and "renderedAssertionValue" in more:
                return more["renderedAssertionValue"]
            value = test.get("value")
            return None if isinstance(value, str) and "{{" in value else value
    return None


def _input(row: Mapping[str, Any], reference: Any) -> Any:
    """The variable that is not the reference, or all of them."""
    asked = {name: value for name, value in row["vars"].items() if value != reference}
    return next(iter(asked.values())) if len(asked) == 1 else asked or None
