"""Chat completions and responses of OpenAI, and of all who answer in its form."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, tee
from typing import Any, ClassVar, Final

from msgspec import UNSET

from demur.calls import call_text, unusual
from demur.checks import names_shown
from demur.errors import InputError, shown
from demur.formats.json_documents import json_objects
from demur.formats.paths import path_reader
from demur.formats.streams import Stream
from demur.logs.confidences import (
    LOGPROBS,
    NONE,
    PRODUCT,
    absent,
    confidence_reader,
    product_of,
)
from demur.logs.readers import LEAVE_OUT, ItemReader, LogNotes
from demur.outcomes.fields import FIELDS, also_called
from demur.outcomes.reasons import FORMAT, TRUNCATED
from demur.systems.adapters.answer_tokens import answer_log_probabilities
from demur.systems.adapters.chat_replies import (
    Reply,
    read_reply,
    verbalised,
    with_whole_answer,
)
from demur.systems.adapters.json_addresses import EndpointFailed

ANSWER: Final = "answer"
TEXT: Final = "text"
ROW: Final = "row"
VERBALISED: Final = "verbalised"
FAILED: Final = "failed"

_ANSWERED: Final = ("answered", "unanswered")
_LOOKED_AT: Final = 20
_OWN: Final = "confidence"
_ID: Final = "id"
_NAMES: Final = tuple(
    dict.fromkeys(
        [
            *(
                "item",
                "custom_id",
                *also_called("item"),
                "item_id",
                "case_id",
                "row_id",
            ),
            *("sample_id", "task_id", "test_id", "ticket_id", "example_id", "doc_id"),
        ]
    )
)
_REFERENCES: Final = ("reference", "gold", "expected", "target")
_DONE: Final = ("completed", "incomplete")
_AROUND: Final = ("response", "completion", "chat_completion")
_SUCH_AS: Final = "It needs choices with a message, or an output."

Row = Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class OpenAIObjects(ItemReader):
    """Chat completions and objects of the Responses API, alone, in a batch or in rows.

    Parameters
    ----------
    item : str
        Where the item stands: a path into the row, or ``row``, its number; without it
        ``custom_id`` or another name beside the answer, the id of a row around the
        object, or one in its metadata. ``id`` of an object itself is taken by name.
    confidence : str
        ``logprobs`` (the product of the probabilities of the answer's tokens),
        ``verbalised`` (as the reply states it), ``none``, or a path into the row;
        without it the first of these that there is.
    response : {"answer", "text"}
        What the response is: what the reply marks as its answer, if it marks one, else
        all that it says; or its text as it is.
    length : {"answered", "unanswered"}
        What a reply that was cut off means.
    dont_know : {"unanswered", "answered"}
        What a reply means that says there is no answer.
    error : {"failed", "leave_out"}
        What a request that failed means.
    """

    name: ClassVar[str] = "openai"
    title: ClassVar[str] = "chat completions or responses of OpenAI"
    rows: ClassVar[str] = "object"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **{"response": (ANSWER, TEXT), "length": _ANSWERED, "dont_know": _ANSWERED},
        "error": (FAILED, LEAVE_OUT),
    }

    item: str = ""
    confidence: str = ""
    response: str = ANSWER
    length: str = "answered"
    dont_know: str = "unanswered"
    error: str = FAILED

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The replies, one for each choice."""
        reading = _OpenAIRows(self, stream.name, notes)
        objects = (value for _, value in json_objects(stream))
        read = reading.replies(enumerate(objects, 1))
        for number, (_, record, _) in reading.named(reading.sure(read)):
            yield number, record
        reading.tell()


_Read = tuple[Row, dict[str, Any], Reply | None]
"""A row, what it is read as, and the reply in it, if it holds an answer."""


class _OpenAIRows:
    """One file on its way to records."""

    def __init__(self, reader: OpenAIObjects, name: str, notes: LogNotes) -> None:
        self.reader, self.name, self.notes = reader, name, notes
        self._item: Callable[[Row], Any] | None = None
        self._path = ROW
        self._cut = self._unread = 0
        self._without: Counter[str] = Counter()

    def _place(self, number: int) -> str:
        return f"{self.name}: object {number}"

    def replies(self, rows: Iterator[tuple[int, Row]]) -> Iterator[tuple[int, _Read]]:
        """What each row says, before confidences and systems."""
        first = list(islice(rows, _LOOKED_AT))
        path = self.reader.item or self._path_of_items([row for _, row in first])
        self._item = None if path == ROW else path_reader("openai: item", path)
        self._path = path
        for number, row in chain(first, rows):
            if "custom_id" in row and "body" in row and "response" not in row:
                need, got = "hold replies", "requests: the input of a batch"
                hint = "Give the output file of the batch, which has a response a line."
                raise InputError(self.name, "the file", need, got, hint)
            place = self._place(number)
            held, payload, failure = _unwrapped(row, place)
            failed = None if payload else self._failed(failure)
            item = self._item_of(row, number, failed)
            record = {**_own(row, held), "item": item}
            if payload is None:
                yield number, (row, record | (failed or {}), None)
                continue
            record.setdefault("system", payload.get("model"))
            for n, (repeat, one) in enumerate(_choices(payload)):
                try:
                    asked = self.reader.confidence == VERBALISED
                    reply = read_reply(one, asked=asked)
                except EndpointFailed:
                    need, got = "be a chat completion or a response", shown(one)
                    raise InputError(place, "it", need, got, _SUCH_AS) from None
                fields, answered = self._said(reply)
                repeated = {"repeat": repeat} if repeat else {}
                choice = {} if n == 0 else {"choices": payload["choices"][n:]}
                yield number, ({**row, **choice}, record | repeated | fields, answered)

    def _path_of_items(self, first: Sequence[Row]) -> str:
        """Where the items stand: a name that all of the first rows have, if one is."""
        if not first:
            return ROW
        listed = [_item_paths(row) for row in first]
        met = Counter(path for paths in listed for path in paths)
        common = [path for path, n in met.items() if n == len(first)]
        path = next(iter([*common, *met]), ROW)
        self.notes.chosen["item"] = path
        others = [f"'openai(item={other})'" for other in common if other != path]
        if path == ROW:
            held = (other for row in first for other in _id_paths(row))
            ids = list(dict.fromkeys(held))[:2]
            named = "".join(f"; or by {i}: --log 'openai(item={i})'" for i in ids)
            self.notes.add(
                "the objects name no items: these are their numbers, 1, 2, ... "
                "(references in the same order: --reference-columns 'item=row()'"
                f"{named})"
            )
        elif path != "item":
            beside = f" (beside it: --log {', '.join(others)})" if others else ""
            self.notes.add(f"items are {path}{beside}")
        return path

    def _item_of(self, row: Row, number: int, failed: Mapping[str, Any] | None) -> Any:
        if self._item is None:
            late = [] if self.reader.item else _item_paths(row)
            if late:
                need, got = "be in the first objects too, or in none", late[0]
                such = [{"item": late[0], "error": LEAVE_OUT}, {"item": ROW}]
                typed = [call_text(self.reader.name, options) for options in such]
                hint = f"Such as: --log '{typed[0]}', or '{typed[1]}': their numbers."
                raise InputError(self._place(number), "an item", need, got, hint)
            return number
        value = self._item(row)
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            if failed and failed.get("outcome") == LEAVE_OUT:
                return None
            raise self._no_item(row, number, value, failed=bool(failed))
        return value

    def _no_item(
        self, row: Row, number: int, value: Any, *, failed: bool
    ) -> InputError:
        need = "be an item, a text or a whole number"
        got = "nothing" if value is UNSET else shown(value)
        given = unusual(self.reader)
        such = {**given, "item": next(iter([*_item_paths(row), ROW]))}
        hint = f"Such as: --log '{call_text(self.reader.name, such)}'"
        if failed:
            got += ", in a request that failed"
            without = {**given, "item": self._path, "error": LEAVE_OUT}
            out = f"--log '{call_text(self.reader.name, without)}'"
            hint = f"{out} leaves such requests out." + (
                f" {hint}." if such["item"] != ROW else ""
            )
        elif such["item"] == ROW:
            hint += ", to take their numbers."
        else:
            hint += "."
        return InputError(self._place(number), self._path, need, got, hint)

    def _failed(self, failure: str | dict[str, Any]) -> dict[str, Any]:
        if isinstance(failure, dict):
            return failure
        left_out = {"outcome": LEAVE_OUT} if self.reader.error == LEAVE_OUT else {}
        return {"response": None, "failed": failure, **left_out}

    def _said(self, reply: Reply) -> tuple[dict[str, Any], Reply | None]:
        """The fields of a reply, and the reply with its answer, if there is one."""
        reply, kind = with_whole_answer(reply), reply.kind
        if kind != "truncated":
            kind = reply.kind
        ended = {"finish_reason": reply.finish_reason}
        if kind == "idk" and self.reader.dont_know == "answered":
            first, last = reply.span
            reply, kind = replace(reply, answer=reply.text[first:last]), None
        if kind == "truncated" and reply.answer is not None:
            self._cut += 1
            kind = kind if self.reader.length == "unanswered" else None
        if self.reader.response == TEXT and kind in (None, "format"):
            span = (0, len(reply.text))
            reply = replace(reply, answer=reply.text or None, span=span)
            kind = None if reply.text else kind
        if kind in (TRUNCATED, FORMAT):
            self._without[kind] += 1
        if kind is not None or reply.answer is None:
            return {"response": None, "kind": kind, **ended}, None
        return {"response": reply.answer, **ended}, reply

    def tell(self) -> None:
        """Say at the end what was counted."""
        if self._without:
            kinds = ", ".join(f"{kind} {n:,}" for kind, n in self._without.items())
            many = self._without.total()
            noun = "reply" if many == 1 else "replies"
            self.notes.add(f"{many:,} {noun} without an answer ({kinds}): unanswered")
        if self._cut:
            meaning = self.reader.length
            other = next(name for name in _ANSWERED if name != meaning)
            self.notes.add(
                f"{meaning} although cut off at the most tokens: {self._cut:,} "
                f"(--log 'openai(length={other})' counts them otherwise)"
            )
        if self._unread:
            self.notes.add(
                f"rows with a confidence of their own, which is not read: "
                f"{self._unread:,} (--log 'openai(confidence={_OWN})' reads it)"
            )

    # -- confidences -------------------------------------------------------------------

    def sure(self, read: Iterator[tuple[int, _Read]]) -> Iterator[tuple[int, _Read]]:
        """The same with confidences, of the kind that is met first."""
        first = list(islice(read, _LOOKED_AT))
        how = self.reader.confidence or self._found([held for _, held in first])
        every: Iterator[tuple[int, _Read]] = chain(first, read)
        if not how:
            for number, held in every:
                if how := self._found([held]):
                    every = chain([(number, held)], every)
                    break
                held[1].pop(_OWN, None)
                yield number, held
        yield from self._with_confidences(how, every)

    def _with_confidences(
        self, how: str, read: Iterator[tuple[int, _Read]]
    ) -> Iterator[tuple[int, _Read]]:
        of_reply, of_row = _CONFIDENCES.get(how), None
        if of_reply is None and how not in ("", NONE):
            of_row, read = _with_rows(how, read, self.notes)
        could = given = False
        for number, (row, record, reply) in read:
            number_read = None
            if of_row is not None:
                number_read = of_row(row, self._place(number))
            elif of_reply is not None and reply is not None:
                number_read = of_reply(reply)
            unread = record.pop(_OWN, None)
            self._unread += unread is not None and not (
                self.reader.confidence or of_row
            )
            if number_read is not None:
                record[_OWN] = number_read
            could, given = could or reply is not None, given or number_read is not None
            yield number, (row, record, reply)
        if of_reply is not None and could and not given:
            self.notes.add(absent(how))

    def _found(self, read: list[_Read]) -> str:
        """What the confidence is in these rows; empty if they have none."""
        replies = [reply for _, _, reply in read if reply is not None]
        if any(record.get(_OWN) is not None for _, record, _ in read):
            how = _OWN
        elif any(_of_tokens(reply) is not None for reply in replies):
            how = LOGPROBS
            self.notes.add(f"confidence is {PRODUCT}")
        elif any(verbalised(reply.text) is not None for reply in replies):
            how = VERBALISED
            self.notes.add("confidence is what the replies state")
        else:
            return ""
        self.notes.chosen["confidence"] = how
        return how

    # -- systems -----------------------------------------------------------------------

    def named(self, read: Iterator[tuple[int, _Read]]) -> Iterator[tuple[int, _Read]]:
        """The same; requests that failed, which name no model, are of the first."""
        nameless: list[tuple[int, _Read]] = []
        system = None
        for number, held in read:
            record = held[1]
            if record.get("system") is None and system is None:
                nameless.append((number, held))
                continue
            if system is None:
                system = record["system"]
                yield from _with_system(nameless, system)
                nameless = []
            yield from _with_system([(number, held)], system)
        yield from nameless


def _with_system(
    read: list[tuple[int, _Read]], system: Any
) -> Iterator[tuple[int, _Read]]:
    for number, held in read:
        if held[1].get("system") is None:
            held[1]["system"] = system
        yield number, held


def _with_rows(
    path: str, read: Iterator[tuple[int, _Read]], notes: LogNotes
) -> tuple[Callable[[Row, str], float | None], Iterator[tuple[int, _Read]]]:
    """What takes a confidence out of a row, and the same of which it is taken."""
    read, again = tee(read)
    of_row, rows = confidence_reader(
        *("openai", path, (row for _, (row, _, _) in again), notes),
        answered=_holds_object,
    )
    # The rows end first: then it is known whether any of them has the path.
    return of_row, (held for _, held in zip(rows, read, strict=False))


def _of_tokens(reply: Reply) -> float | None:
    try:
        return product_of(answer_log_probabilities(reply))
    except EndpointFailed:
        return None


def _stated(reply: Reply) -> float | None:
    return verbalised(reply.text)


_CONFIDENCES: Final[Mapping[str, Callable[[Reply], float | None]]] = {
    LOGPROBS: _of_tokens,
    VERBALISED: _stated,
}


# -- rows ------------------------------------------------------------------------------


def _unwrapped(
    row: Row, place: str
) -> tuple[str, dict[str, Any] | None, str | dict[str, Any]]:
    """The field of a row that holds the object, the object, or why there is none."""
    if _is_object(row):
        return "", *_checked_object(dict(row))
    if "custom_id" in row and "response" in row and not _is_object(row["response"]):
        return "response", *_of_batch(row, place)
    held = next((name for name, value in row.items() if _is_object(value)), None)
    if held is not None:
        return held, *_checked_object(row[held])
    error = row.get("error") or row.get("failed")
    around = [name for name in _AROUND if isinstance(row.get(name), dict)]
    error = error or next(
        filter(None, (row[name].get("error") for name in around)), None
    )
    if error:
        return next(iter(around), "error"), None, _failure(error)
    if "response" in row and not isinstance(row["response"], (dict, list)):
        return "", None, {"response": row["response"]}
    need, got = "hold a chat completion or a response", f"the fields {names_shown(row)}"
    raise InputError(place, "a row", need, got, _SUCH_AS)


def _holds_object(row: Row) -> bool:
    held: list[Any] = [row, *row.values()]
    held += [one.get("body") for one in row.values() if isinstance(one, dict)]
    return any(map(_is_object, held))


def _is_object(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    choices, output = value.get("choices"), value.get("output")
    first = choices[0] if isinstance(choices, list) and choices else None
    of_chat = isinstance(first, dict) and "message" in first
    is_response = value.get("object") == "response" or "status" in value
    return of_chat or (isinstance(output, list) and is_response)


def _checked_object(
    payload: dict[str, Any],
) -> tuple[dict[str, Any] | None, str | dict[str, Any]]:
    """An object, or why it holds no reply."""
    status = payload.get("status")
    if payload.get("error"):
        return None, _failure(payload["error"])
    if "choices" not in payload and status is not None and status not in _DONE:
        return None, f"status {status}"
    return payload, ""


def _of_batch(
    row: Row, place: str
) -> tuple[dict[str, Any] | None, str | dict[str, Any]]:
    response = row["response"]
    answered: Any = response if isinstance(response, dict) else {}
    body, status = answered.get("body"), answered.get("status_code", 200)
    held = (row, answered, body if isinstance(body, dict) else {})
    error = next(filter(None, (one.get("error") for one in held)), None)
    if error:
        return None, _failure(error)
    if status != 200 or response is None:
        return None, f"status {status}" if answered else "no response"
    if not _is_object(body):
        need, got = "be a chat completion or a response", shown(body)
        raise InputError(place, "response.body", need, got, _SUCH_AS)
    return _checked_object(body)


def _failure(error: Any) -> str | dict[str, Any]:
    """Why a request failed, or what is known of an answer that was filtered."""
    if isinstance(error, dict):
        if error.get("code") == "content_filter":
            return {"response": None, "kind": "filter"}
        parts = [error.get(name) for name in ("code", "message")]
        error = ": ".join(str(part) for part in parts if part) or "an error"
    return str(error)


def _choices(payload: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The object with each of its choices, and which repeat those after the first are.

    The first has no number, since an object with one choice is one repeat of several
    where others have more.
    """
    choices = payload.get("choices")
    listed = choices if isinstance(choices, list) and choices else [None]
    yield "", payload if len(listed) == 1 else payload | {"choices": listed[:1]}
    for number, choice in enumerate(listed[1:], 2):
        yield str(number), payload | {"choices": [choice]}


def _item_paths(row: Row) -> list[str]:
    """Where an item may stand in a row, the likeliest first."""
    if not _is_object(row):
        return [name for name in _NAMES if _is_label(row.get(name))]
    # An object has an id of its own, which says nothing of the question.
    beside = [name for name in _NAMES if name != _ID and _is_label(row.get(name))]
    return [
        *beside,
        *(f"metadata.{n}" for n in _NAMES if _is_label(_metadata(row).get(n))),
    ]


def _id_paths(row: Row) -> list[str]:
    """Where an id stands in an object that may be of the object alone."""
    paths = [_ID] if _is_label(row.get(_ID)) else []
    return paths + [
        f"metadata.{name}"
        for name, value in _metadata(row).items()
        if name.lower().endswith(_ID) and _is_label(value)
    ]


def _metadata(row: Row) -> Mapping[str, Any]:
    held = row.get("metadata")
    return held if isinstance(held, dict) else {}


def _is_label(value: Any) -> bool:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return is_number or (isinstance(value, str) and value != "")


def _own(row: Row, held: str) -> dict[str, Any]:
    """What a row says beside the object in it."""
    kept: dict[str, Any] = {}
    if not _is_object(row):
        known = FIELDS.keys() - {"response", "error", "failed", "outcome", "correct"}
        kept = {n: value for n, value in row.items() if n in known and n != held}
        named = (row[n] for n in _REFERENCES if n in row and n != held)
        reference = next(named, None)
        if reference is not None and "references" not in kept:
            kept["reference"] = reference
    asked = _asked(row)
    if asked is not None:
        kept.setdefault("input", asked)
    return kept


def _asked(row: Row) -> str | None:
    """The last message of the user, if the request stands there, or the question."""
    request = row.get("request")
    body = request.get("body", request) if isinstance(request, dict) else row
    messages = None
    if isinstance(body, Mapping):
        messages = body.get("messages") or body.get("input")
    if isinstance(messages, list):
        users = [m for m in messages if isinstance(m, dict) and m.get("role") == "user"]
        messages = users[-1].get("content") if users else None
    if isinstance(messages, list):
        parts = (part.get("text") for part in messages if isinstance(part, dict))
        messages = "\n".join(part for part in parts if isinstance(part, str))
    asked = messages or row.get("question") or row.get("prompt")
    return asked if isinstance(asked, str) else None
