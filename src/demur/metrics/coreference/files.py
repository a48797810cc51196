"""Files of coreference: the columns of CoNLL, and records with clusters of mentions."""

import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from demur import formats
from demur.errors import InputError, ParseError, shown
from demur.formats.streams import MAX_SIZE, PARQUET, ZIP, Source, Stream, opened
from demur.metrics.coreference.clusters import Clusters, clusters_of
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import NamedColumns, name_text
from demur.results import with_noun


@dataclass(frozen=True)
class Document:
    """A document of a file.

    Parameters
    ----------
    place : str
        Where it begins.
    clusters : list of list of mentions, or None
        None if the file says that there are none, as of a declined one.
    words : int or None
        How many words it has; None if the file does not say.
    """

    place: str
    clusters: Clusters | None
    words: int | None = None


def read_coreference(
    *, hypotheses: Source, references: Source, max_size: int = MAX_SIZE
) -> dict[str, list[Any]]:
    r"""The documents of two files of coreference, joined by their names.

    Files have the columns of CoNLL-2011 and 2012, the last of which says where mentions
    begin and end, or are records, such as JSON lines, with ``doc_key`` (or ``item``)
    and ``clusters``; of hypotheses ``predicted_clusters`` count, if there are any.

    Parameters
    ----------
    hypotheses, references : path, "-" for the standard input, or binary file
        The clusters of a system (the response), and the true ones (the key).
    max_size : int
        As for `read_outcomes`.

    Returns
    -------
    dict of str to list
        A table for `coreference_scores`: ``item``, the name of each document; ``ref``
        and ``hyp``, its clusters, None where the hypotheses lack it.

    Raises
    ------
    InputError
        If a bracket is not closed, a line has other columns than its sentence, a
        document has another number of words in both files, stands twice, or only in the
        hypotheses.

    Examples
    --------
    >>> import io
    >>> import demur
    >>> head, end = b"#begin document (a); part 000\n", b"\n#end document\n"
    >>> table = demur.read_coreference(
    ...     hypotheses=io.BytesIO(head + b"Ann (0)\nlikes -\nher (0)\ncat -" + end),
    ...     references=io.BytesIO(head + b"Ann (0)\nlikes -\nher (1\ncat (0)|1)" + end))
    >>> table["ref"], table["hyp"]
    ([[[(0, 0), (3, 3)], [(2, 3)]]], [[[(0, 0), (2, 2)]]])
    """
    key = read_documents(references, ("clusters",), max_size=max_size)
    response = read_documents(hypotheses, _GIVEN, max_size=max_size)
    return dict(joined(key, response).columns)


_GIVEN: Final = ("predicted_clusters", "clusters")


def joined(
    references: Mapping[str, Document], hypotheses: Mapping[str, Document]
) -> NamedColumns:
    """Documents of both sides by name, in the order of the references.

    Raises
    ------
    InputError
        As `read_coreference`.
    """
    for name, document in hypotheses.items():
        where, what = document.place, f"document {shown(name)}"
        if name not in references:
            hint = "Give the references of all documents, or leave it out here."
            raise InputError(where, what, "be in the references", "none there", hint)
        words = references[name].words
        if words is not None and document.words not in (None, words):
            need = f"have {with_noun(words, 'word')}, as at {references[name].place}"
            raise InputError(where, what, need, str(document.words))
    columns: dict[str, list[Any]] = {"item": [*references], "ref": [], "hyp": []}
    for name, document in references.items():
        columns["ref"].append(document.clusters)
        columns["hyp"].append(hypotheses.get(name, _NONE).clusters)
    return NamedColumns(columns, [document.place for document in references.values()])


_NONE: Final = Document("", None)


def has_columns(source: Source, *, max_size: int = MAX_SIZE) -> bool:
    """Whether a file is in the columns of CoNLL; of what can be read once: no."""
    if source == "-" or hasattr(source, "read"):
        return False
    with opened(source, max_size) as stream:
        return _is_conll(stream)


def _is_conll(stream: Stream) -> bool:
    return re.match(rb"\s*#\s*begin document", stream.head) is not None


def read_documents(
    source: Source,
    fields: Sequence[str] = _GIVEN,
    *,
    max_size: int = MAX_SIZE,
    **how: Any,
) -> dict[str, Document]:
    """The documents of a file by name.

    Parameters
    ----------
    source : path, "-" for the standard input, or binary file
        In the columns of CoNLL, or records.
    fields : sequence of str
        Which field of a record has the clusters: the first that is there.
    max_size, **how
        As for `formats.iter_records`.
    """
    with opened(source, max_size) as stream:
        if _is_conll(stream):
            text = stream.whole().decode()
            return _by_name(
                _conll_documents(stream.name, text.removesuffix("\n").split("\n"))
            )
        is_text = not stream.head.startswith((PARQUET, ZIP))
        file = io.BytesIO(stream.whole() if is_text else stream.file.read())
        file.name = stream.name  # which messages have
    records = formats.iter_records(file, max_size=max_size, **how)
    return _by_name(_record_documents(records, fields))


def _by_name(documents: Iterator[tuple[str, Document]]) -> dict[str, Document]:
    by_name: dict[str, Document] = {}
    for name, document in documents:
        if name in by_name:
            need, got = "be there once", f"also at {by_name[name].place}"
            raise InputError(document.place, f"document {shown(name)}", need, got)
        by_name[name] = document
    return by_name


# -- records ---------------------------------------------------------------------------


def _record_documents(
    records: Any, fields: Sequence[str]
) -> Iterator[tuple[str, Document]]:
    for place, record in records:
        field = next((name for name in fields if name in record), None)
        if field is None:
            need, got = f"have {fields[-1]}", ", ".join(map(str, record)) or "nothing"
            hint = 'Such as {"doc_key": "a", "clusters": [[[0, 1], [7, 7]]]}.'
            raise InputError(place, "a record", need, shown(got), hint)
        name = record.get("doc_key", record.get("item"))
        if is_gap(name) or isinstance(name, (list, dict)):
            need, hint = "have doc_key", "Its name joins it with the other file."
            raise InputError(place, "a record", need, shown(name), hint)
        value = record[field]
        clusters = None if is_gap(value) else clusters_of(place, field, value)
        yield name_text(name), Document(place, clusters)


# -- columns of CoNLL ------------------------------------------------------------------

_MARK: Final = re.compile(r"#\s*(?:begin|end) document\b")
_END: Final = re.compile(r"#\s*end document\b")
_PART: Final = re.compile(r"\(([\w.:-]+)\)|\(([\w.:-]+)|([\w.:-]+)\)")
# Each part in one way alone: (12) would else be (1 and 2) too, twice as many each time.
_CELL: Final = re.compile(rf"(?:(?>{_PART.pattern})\|?)+")
_NO_MENTION: Final = ("-", "_", "*")


def _conll_documents(name: str, lines: Sequence[str]) -> Iterator[tuple[str, Document]]:
    marks = [number for number, line in enumerate(lines) if _MARK.match(line)]
    begin = -1
    for number in [*marks, len(lines)]:
        ends = number < len(lines) and _END.match(lines[number])
        if begin < 0:
            _refuse_words(name, lines, begin=-begin - 1, end=number)
        if begin >= 0 and not ends:
            last = min(number + 1, len(lines))
            need, got = "end with #end document", f"none up to {name}:{last}"
            hint = "The file may be cut off."
            raise ParseError(f"{name}:{begin + 1}", "a document", need, got, hint)
        if begin >= 0:
            head = lines[begin].split("document", 1)[1].strip()
            document = _OpenDocument(name)
            document.read(lines[begin + 1 : number], begin + 2)
            yield head, document.closed(begin + 1)
        begin = -number - 2 if ends else number


def _refuse_words(name: str, lines: Sequence[str], *, begin: int, end: int) -> None:
    """Refuse what stands outside of documents."""
    for number in range(begin, end):
        if lines[number].strip():
            place, got = f"{name}:{number + 1}", shown(lines[number])
            hint = "One begins with #begin document NAME."
            raise ParseError(place, "a word", "stand in a document", got, hint)


_Entities = tuple[list[str], list[str], list[str]]


@lru_cache(maxsize=1 << 16)
def _entities(cell: str) -> _Entities | None:
    """Entities with a mention of one word here, that begin, and that end; or None."""
    if not _CELL.fullmatch(cell):
        return None
    alone, begun, ended = (
        [entity for entity in entities if entity]
        for entities in zip(*_PART.findall(cell), strict=True)
    )
    return alone, begun, ended


def _columns(line: str) -> int:
    """How many there are, parted by tabs or else by blanks."""
    line = line.strip()
    return line.count("\t") + 1 if "\t" in line else len(line.split())


class _OpenDocument:
    """A document that is being read word by word."""

    def __init__(self, file: str) -> None:
        self.file, self.words = file, 0
        self._clusters: defaultdict[str, list[Any]] = defaultdict(list)
        self._open: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)

    def read(self, lines: Sequence[str], first: int) -> None:
        """All lines, of which the first has this number."""
        word = columns = begin = 0
        for number, line in enumerate(lines, first):
            cells = line.rsplit(None, 1)
            if not cells:
                columns = 0
                continue
            if not columns:
                columns, begin = _columns(line), number
            elif _columns(line) != columns:
                self._refuse_line(line, number, columns, begin)
            if cells[-1] not in _NO_MENTION:
                self._add(cells[-1], word, number)
            word += 1
        self.words = word

    def _refuse_line(self, line: str, number: int, columns: int, begin: int) -> None:
        need = (
            f"have as many columns as the first of its sentence, {columns}, at "
            f"{self.file}:{begin}"
        )
        hint = "It may be cut off. Between sentences there is an empty line."
        got = str(_columns(line))
        raise ParseError(f"{self.file}:{number}", "a line", need, got, hint)

    def _add(self, cell: str, word: int, line: int) -> None:
        """What the last column says of a word.

        Mentions of one word come first, then beginnings, then ends; an end closes what
        its entity began last. So the reference scorer reads them.
        """
        entities = _entities(cell)
        if entities is None:
            place, got = f"{self.file}:{line}", shown(cell)
            need = "say where mentions begin and end, as (0), (0, 0) or (0|(1), or be -"
            hint = "Coreference stands in the last column."
            raise ParseError(place, "the last column", need, got, hint)
        alone, begun, ended = entities
        for entity in alone:
            self._clusters[entity].append((word, word))
        for entity in begun:
            self._clusters.setdefault(entity, [])  # in the order of appearance
            self._open[entity].append((word, line))
        for entity in ended:
            if not self._open[entity]:
                need, got = "close one that was opened", f"{entity}) alone"
                raise ParseError(f"{self.file}:{line}", "a bracket", need, got)
            first, _ = self._open[entity].pop()
            self._clusters[entity].append((first, word))

    def closed(self, begin: int) -> Document:
        """The document, if all brackets are closed."""
        for entity, begun in self._open.items():
            if begun:
                need, got = "be closed in its document", f"({entity} alone"
                place = f"{self.file}:{begun[0][1]}"
                raise ParseError(place, "a bracket", need, got)
        place = f"{self.file}:{begin}"
        return Document(place, [*self._clusters.values()], self.words)
