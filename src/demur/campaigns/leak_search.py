"""The search for hidden answers in what is sent out.

Whatever is written is searched, archives unpacked, for everything that the hidden
references hold: as it is, and as JSON and HTML write it; blanks, quotes and capitals
make no difference. What no search can tell is counted, not passed over.
"""

import gzip
import html
import io
import json
import re
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from demur.campaigns.public_parts import ANSWERS, TOLD, dialogue_of
from demur.errors import InputError, shown
from demur.formats.compression import UNPACKERS
from demur.results import Column, Result, Table, with_noun

LONG: Final = 10
"""So many characters of a query or a table, without blanks, are no accident."""

NOTE: Final = 20
"""So many of any other text."""

DEEP: Final = 4
"""Archives in archives are unpacked so often."""

MOST_UNPACKED: Final = 1 << 30
"""Bytes of an archive that are unpacked at most."""

_QUERIES: Final = ("sql", "sqls", "max_sql", "max_sqls")
_QUERY: Final = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_CELL: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s()"]+)')
_ESCAPE: Final = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|[nrtbf])")
_NOTHING: Final = re.compile(r"""[\s\\"'`\x00-\x1f\x7f-\x9f]+""")
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_LEAST_LETTERS, _LEAST_DIGITS, _FEW_WORDS = 3, 4, 4
_DAMAGED: Final = (
    *(OSError, EOFError, RuntimeError, ValueError, struct.error),
    *(zlib.error, zipfile.BadZipFile),
)
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_ZSTD_MEMBER: Final = 93
"""How a zip archive names zstd, which Python before 3.14 cannot unpack."""

_PLAIN_ANSWERS: Final = frozenset({"nil", "null", "none", "true", "false"})


class HiddenValue(NamedTuple):
    """Something that a hidden reference says.

    Parameters
    ----------
    item : str
        Whose reference.
    field : str
        Where it stands there.
    text : str
        As text.
    kind : str
        "query", "answer" or "note".
    """

    item: str
    field: str
    text: str
    kind: str

    @property
    def is_long(self) -> bool:
        """Whether it cannot stand somewhere else by accident."""
        return len(searched_text(self.text)) >= (LONG if self.is_structured else NOTE)

    @property
    def is_structured(self) -> bool:
        """Whether it is a query or a table, not words that anybody may say."""
        is_table = self.kind == "answer" and self.text.lstrip().startswith("(")
        return self.kind == "query" or is_table


def plain_text(text: str) -> str:
    r"""A text as it is searched: without capitals, each run of blanks one.

    Examples
    --------
    >>> plain_text("SELECT  a\n FROM T")
    'select a from t'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def searched_text(text: str) -> str:
    r"""A text as it is searched for: no blanks, quotes, escapes and capitals.

    Examples
    --------
    >>> searched_text("SELECT \"a\"\n FROM T WHERE x > 'é'")
    'selectafromtwherex>é'
    >>> searched_text(r"SELECT \\\"a\\\"\\n from t where x &gt; \u00e9")
    'selectafromtwherex>é'
    """
    if "\\" in text:
        text = _ESCAPE.sub(_unescaped, text)
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    for _ in range(DEEP):
        if "&" not in text:
            break
        text = html.unescape(text)
    text = unicodedata.normalize("NFKC", text).casefold()
    return _NOTHING.sub("", text)


def _unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else " "


def hidden_values(records: Iterable[Mapping[str, Any]]) -> list[HiddenValue]:
    """All that references say beside what is sent out.

    Parameters
    ----------
    records : iterable of mapping
        References. Every field counts that is not known to be told, whatever its name.

    Examples
    --------
    >>> record = {"item": "q1", "input": "Who?", "min": '(("BF"))', "why?": "code BF"}
    >>> for value in hidden_values([record]):
    ...     print(value.field, value.kind, value.text)
    min answer (("BF"))
    min answer BF
    why? note code BF
    """
    values: dict[HiddenValue, None] = {}
    for record in records:
        item = str(record.get("item", ""))
        for name, held in record.items():
            if name not in TOLD:
                values |= dict.fromkeys(_values(item, str(name), held))
        for name in ("db",):  # further databases are no more than hidden names
            listed = record.get(name)
            if isinstance(listed, (list, tuple)):
                values |= dict.fromkeys(_values(item, name, list(listed[1:])))
    return list(values)


def _values(item: str, name: str, held: Any) -> Iterator[HiddenValue]:
    for text in _leaves(held):
        kind = "answer" if name in ANSWERS else "note"
        if name in _QUERIES or _QUERY.match(text):
            yield HiddenValue(item, name, text, "query")
            continue
        yield HiddenValue(item, name, text, kind)
        if text.lstrip().startswith("("):
            for quoted, bare in _CELL.findall(text):
                yield HiddenValue(item, name, quoted or bare, kind)


def _leaves(held: Any) -> Iterator[str]:
    """Texts and numbers in a value; true, false and null tell nothing by themselves."""
    if isinstance(held, str):
        if held.strip():
            yield held
    elif isinstance(held, Mapping):
        names = () if held.keys() <= {"value", "weight"} else map(str, held)
        yield from _leaves([*names, *held.values()])
    elif isinstance(held, (list, tuple)):
        for value in held:
            yield from _leaves(value)
    elif held is not None and not isinstance(held, bool):
        yield str(held)


# -- what was found --------------------------------------------------------------------


class Leak(NamedTuple):
    """A hidden value that stands in what is sent out; it is not quoted."""

    place: str
    value: HiddenValue
    why: str


_COUNTED: Final = {
    "long": "queries, tables and long texts, searched for in every byte",
    "words": "words of answers, searched for in names of items and dialogues",
    "in_training": "long ones that questions for training have as well",
    "in_question": "items whose own question says a word of the answer: not told",
    "in_further": "long answers in plain words, in further files: not told",
    "in_names": "words of answers in names that others bear, too: not told",
    "short": "values too short to be told from chance: not searched for",
}
"""What was counted, in words."""


@dataclass(frozen=True, eq=False, repr=False)
class LeakSearch(Result):
    """What was searched for hidden values, what was found, and what cannot be told.

    Parameters
    ----------
    values : int
        Hidden values, each text of each item.
    files, size : int
        Files and their bytes, unpacked.
    leaks : tuple of Leak
        What tells of hidden answers.
    long : int
        Values that were searched for in every byte.
    words : int
        Words that were searched for in names of items and dialogues.
    in_training : int
        Long values that the training part says too, of its own questions.
    in_question : int
        Items whose own question says a word of their answer, as questions may.
    in_further : int
        Long answers in plain words that further files say, such as a database.
    in_names : int
        Words of answers in names of items that also stand in names of other items.
    short : int
        Values so short that they stand everywhere: they were not searched for.
    unread : tuple of str
        Files that could not be unpacked.
    """

    values: int
    files: int
    size: int
    leaks: tuple[Leak, ...] = ()
    long: int = 0
    words: int = 0
    in_training: int = 0
    in_question: int = 0
    in_further: int = 0
    in_names: int = 0
    short: int = 0
    unread: tuple[str, ...] = field(default=())

    def sentence(self) -> str:
        """What was searched, and whether anything was found."""
        start = f"{with_noun(self.size, 'byte')} of {with_noun(self.files, 'file')} "
        start += f"were searched for {with_noun(self.values, 'hidden value')}: "
        return start + (f"{len(self.leaks)} found." if self.leaks else "none found.")

    def tables(self) -> tuple[Table]:
        """How many values of each kind there are, and what is known of them."""
        rows = [(getattr(self, name), words) for name, words in _COUNTED.items()]
        columns = Column("number", cells="count"), Column("hidden")
        return (Table("", columns, tuple(rows)),)

    def counts(self) -> dict[str, int]:
        """What was searched for, and what cannot be told, as plain numbers."""
        names = ("values", "files", "size", *_COUNTED)
        return {name: getattr(self, name) for name in names}

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be searched."""
        return tuple(f"{name} could not be unpacked" for name in self.unread)

    def check(self) -> None:
        """Refuse what tells of hidden answers.

        Raises
        ------
        InputError
            With the place, the item and the field; the value is not quoted.
        """
        for leak in self.leaks:
            got = f"{leak.value.field} of item {shown(leak.value.item)}, {leak.why}"
            more = len(self.leaks) - 1
            hint = "Nothing was written." + (f" There are {more} more." if more else "")
            need = "say nothing of the hidden answers"
            raise InputError(leak.place, "what is sent out", need, got, hint)


# -- the search ------------------------------------------------------------------------


def search_leaks(
    files: Mapping[str, bytes],
    hidden: Sequence[Mapping[str, Any]],
    *,
    questions: str,
    training: str = "",
    further: Collection[str] = (),
    allowed: Iterable[str] = (),
) -> LeakSearch:
    """Search what is sent out for what hidden references say.

    Parameters
    ----------
    files : mapping of name to bytes
        What is sent out.
    hidden : sequence of mapping
        The hidden references.
    questions : str
        The file that holds their questions, JSON Lines.
    training : str
        The file of training questions with their own answers.
    further : collection of str
        Files that go out as well, such as a database, which holds what is asked for.
    allowed : iterable of str
        Items whose line somebody has looked at.

    Examples
    --------
    >>> hidden = [{"item": "q17-rome", "input": "What is the capital of Italy?",
    ...            "reference": "Rome"}]
    >>> files = {"q.jsonl": b'{"item": "q17-rome"}'}
    >>> search = search_leaks(files, hidden, questions="q.jsonl")
    >>> print(search.leaks[0].place, search.leaks[0].value.field, search.leaks[0].why)
    q.jsonl:1 reference in the item's name
    """
    values = hidden_values(hidden)
    long = [value for value in values if value.is_long]
    unread: list[str] = []
    contents = list(_unpacked(files, unread))
    finder = _LongValues(long)
    leaks: dict[Leak, None] = {}
    expected: dict[str, set[str]] = {training: set(), "": set()}
    for source, name, data in contents:
        for place, at in finder.places(name, data):
            value, known = long[at], source if source == training else None
            if source in further and value.kind == "answer":
                known = known if value.is_structured else ""
            if known is None:
                leaks.setdefault(Leak(place, value, "as a whole"))
            else:
                expected[known].add(plain_text(value.text))
    rows = _rows(questions, files.get(questions, b""))
    looked_at = {rows[item][0]: item for item in allowed if item in rows}
    leaks |= dict.fromkeys(_in_structured_inputs(rows, values))
    names = _Names(rows, values)
    leaks |= dict.fromkeys(names.telling())
    return LeakSearch(
        values=len(values),
        files=len(contents),
        size=sum(len(data) for *_, data in contents),
        leaks=tuple(
            leak for leak in leaks if looked_at.get(leak.place) != leak.value.item
        ),
        long=len(long),
        words=names.n_words,
        in_training=len(expected[training]) if training else 0,
        in_further=len(expected[""]),
        in_question=_in_own_question(rows, values),
        in_names=names.untold,
        short=sum(not (value.is_long or _words(value)) for value in values),
        unread=tuple(unread),
    )


class _LongValues:
    """Values of which the first characters are looked up wherever a text goes on."""

    def __init__(self, values: Sequence[HiddenValue]) -> None:
        # By their beginning, then by length: many queries begin alike.
        self._starting: dict[str, dict[int, dict[str, int]]] = {}
        for at, value in enumerate(values):
            text = searched_text(value.text)
            lengths = self._starting.setdefault(text[:LONG], {})
            lengths.setdefault(len(text), {}).setdefault(text, at)

    def places(self, name: str, data: bytes) -> Iterator[tuple[str, int]]:
        """Where values stand in a file, and which."""
        by_line = name.endswith((".jsonl", ".ndjson"))
        parts = data.split(b"\n") if by_line else [data]
        for at in self._within(searched_text(name)):
            yield name, at
        for number, part in enumerate(parts, 1):
            place = f"{name}:{number}" if by_line else name
            for at in self._within(searched_text(_decoded(part))):
                yield place, at

    def _within(self, text: str) -> Iterator[int]:
        starting = self._starting
        for begin in range(len(text) - LONG + 1) if starting else ():
            lengths = starting.get(text[begin : begin + LONG])
            for length, values in lengths.items() if lengths else ():
                at = values.get(text[begin : begin + length])
                if at is not None:
                    yield at


def _decoded(data: bytes) -> str:
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


def _unpacked(
    files: Mapping[str, bytes], unread: list[str], depth: int = 0, source: str = ""
) -> Iterator[tuple[str, str, bytes]]:
    """Files as they are, and what is in those that are archives.

    Each has the name of the file that it came in, and its own.
    """
    for name, data in files.items():
        yield source or name, name, data
        try:
            members = _members(name, data)
        except InputError:  # which is a ValueError, too
            raise
        except _DAMAGED:
            unread.append(name)
            continue
        if members and depth == DEEP:
            unread.append(name)
        elif members:
            yield from _unpacked(members, unread, depth + 1, source or name)


def _members(name: str, data: bytes) -> dict[str, bytes]:
    if data.startswith(b"\x1f\x8b"):
        with gzip.open(io.BytesIO(data)) as file:
            return {name.removesuffix(".gz") + " (unpacked)": _whole(file)}
    if data.startswith(_ZSTD):
        unpacked, faults, _ = UNPACKERS[_ZSTD](io.BytesIO(data), name)
        try:
            with unpacked:
                return {name.removesuffix(".zst") + " (unpacked)": _whole(unpacked)}
        except faults as error:
            raise OSError(str(error)) from None
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return {}
    members = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.compress_type == _ZSTD_MEMBER:
                need, hint = "have members that can be searched", "Pack it by deflate."
                place = f"{name}/{info.filename}"
                raise InputError(place, "the archive", need, "zstd", hint)
            with archive.open(info) as file:
                members[f"{name}/{info.filename}"] = _whole(file)
        members[f"{name} (comment)"] = archive.comment
    return members


def _whole(file: Any) -> bytes:
    data: bytes = file.read(MOST_UNPACKED + 1)
    if len(data) > MOST_UNPACKED:
        raise OSError("more than is unpacked")
    return data


# -- names and questions ---------------------------------------------------------------


def _rows(name: str, data: bytes) -> dict[str, tuple[str, dict[str, Any]]]:
    """The questions by item, each with its place."""
    rows = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            row = json.loads(line)
            rows[str(row["item"])] = f"{name}:{number}", row
    return rows


def _words(value: HiddenValue) -> set[str]:
    """Words of a short text that are long enough to be no accident in a name."""
    words = _WORD.findall(plain_text(value.text))
    if value.is_long and len(words) > _FEW_WORDS:
        return set()
    return {word for word in words if _tells(word)}


def _tells(word: str) -> bool:
    least = _LEAST_DIGITS if word.isdigit() else _LEAST_LETTERS
    return len(word) >= least and word not in _PLAIN_ANSWERS


_Rows = Mapping[str, tuple[str, Mapping[str, Any]]]


class _Names:
    """Words of answers in the names of their items and dialogues."""

    def __init__(self, rows: _Rows, values: Iterable[HiddenValue]) -> None:
        self._rows = rows
        self._answers: dict[str, dict[str, HiddenValue]] = {}
        for value in values:
            if value.kind == "answer" and value.item in rows:
                for word in _words(value):
                    self._answers.setdefault(value.item, {}).setdefault(word, value)
        self._named = {item: _named(row) for item, (_, row) in rows.items()}
        self._bearing = Counter(w for words in self._named.values() for w in words)
        self.n_words = sum(map(len, self._answers.values()))
        self.untold = 0

    def telling(self) -> Iterator[Leak]:
        """Names with a word that only items with that answer bear.

        A word that items with other answers bear, too, tells nothing: it is counted.
        """
        answering = Counter(w for words in self._answers.values() for w in words)
        for item, words in self._answers.items():
            for word, value in words.items():
                if word not in self._named[item]:
                    continue
                right = sum(
                    word in named and word in self._answers.get(other, ())
                    for other, named in self._named.items()
                )
                everywhere = answering[word] == len(self._rows) > 1
                if right < self._bearing[word] or everywhere:
                    self.untold += 1
                else:
                    yield Leak(self._rows[item][0], value, "in the item's name")


def _named(row: Mapping[str, Any]) -> set[str]:
    names = f"{row.get('item', '')} {dialogue_of(row) or ''} {row.get('db', '')}"
    return set(_WORD.findall(plain_text(names)))


def _in_own_question(rows: _Rows, values: Iterable[HiddenValue]) -> int:
    """Items whose own question says a word of the answer: nobody can tell why."""
    asked = {
        item: set(_WORD.findall(plain_text(" ".join(_leaves(row.get("input"))))))
        for item, (_, row) in rows.items()
    }
    saying = {
        value.item
        for value in values
        if value.kind == "answer"
        and value.item in asked
        and not asked[value.item].isdisjoint(_words(value))
    }
    return len(saying)


def _in_structured_inputs(rows: _Rows, values: Iterable[HiddenValue]) -> Iterator[Leak]:
    """Answers that are a value of their own in a question that is no plain text."""
    leaves = {
        item: {*map(plain_text, _leaves(row["input"]))}
        for item, (_, row) in rows.items()
        if isinstance(row.get("input"), (dict, list))
    }
    for value in values:
        if value.kind != "note" and plain_text(value.text) in leaves.get(
            value.item, ()
        ):
            yield Leak(rows[value.item][0], value, "as a value of its input")
