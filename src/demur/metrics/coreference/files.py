"""Files of coreference: the columns of CoNLL, and records with clusters of mentions."""

import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    references: Source, hypotheses: Source, *, max_size: int = MAX_SIZE
) -> dict[str, list[Any]]:
    r"""The documents of two files of coreference, joined by their names.

    Files have the columns of CoNLL-2011 and 2012, the last of which says where mentions
    begin and end, or are records, such as JSON lines, with ``doc_key`` (or ``item``)
    and ``clusters``; of hypotheses ``predicted_clusters`` count, if there are any.

    Parameters
    ----------
    references, hypotheses : path, "-" for the standard input, or binary file
        The true clusters (the key), and those of a system (the response).
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
        If a bracket is not closed, a document has another number of words in both
        files, stands twice, or only in the hypotheses.

    Examples
    --------
    >>> import io
    >>> import demur
    >>> head, end = b"#begin document (a); part 000\n", b"\n#end document\n"
    >>> table = demur.read_coreference(
    ...     io.BytesIO(head + b"Ann (0)\nlikes -\nher (1\ncat (0)|1)" + end),
    ...     io.BytesIO(head + b"Ann (0)\nlikes -\nher (0)\ncat -" + end))
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
            return _by_name(_conll_documents(stream.name, text.split("\n")))
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

_BEGIN: Final = "#begin document"
_HEAD: Final = re.compile(r"#\s*begin document\s*(.*?)\s*$")
_END: Final = re.compile(r"#\s*end document\b")
_PART: Final = re.compile(r"\(([\w.:-]+)\)|\(([\w.:-]+)|([\w.:-]+)\)")
_CELL: Final = re.compile(rf"(?:(?:{_PART.pattern})\|?)+")
_NO_MENTION: Final = ("-", "_", "*")


def _conll_documents(name: str, lines: Sequence[str]) -> Iterator[tuple[str, Document]]:
    document: _OpenDocument | None = None
    for number, line in enumerate(lines, 1):
        place = f"{name}:{number}"
        begins = _HEAD.match(line)
        if begins and document is not None:
            raise document.never_ended(place)
        if begins:
            document = _OpenDocument(begins[1], place)
        elif document is None:
            _refuse_word(place, line)
        elif _END.match(line):
            yield document.name, document.closed()
            document = None
        elif cells := line.split():
            document.read(cells[-1], place)
    if document is not None:
        raise document.never_ended(f"{name}:{len(lines)}")


def _refuse_word(place: str, line: str) -> None:
    if line.strip():
        need, hint = "stand in a document", "One begins with #begin document NAME."
        raise ParseError(place, "a word", need, shown(line), hint)


class _OpenDocument:
    """A document that is being read word by word."""

    def __init__(self, name: str, place: str) -> None:
        self.name, self.place, self.words = name, place, 0
        self._clusters: defaultdict[str, list[Any]] = defaultdict(list)
        self._open: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)

    def read(self, cell: str, place: str) -> None:
        """A word, by what its last column says.

        Mentions of one word come first, then beginnings, then ends; an end closes what
        its entity began last. So the reference scorer reads them.
        """
        word = self.words
        self.words += 1
        if cell in _NO_MENTION:
            return
        if not _CELL.fullmatch(cell):
            need = "say where mentions begin and end, as (0), (0, 0) or (0|(1), or be -"
            hint = "Coreference stands in the last column."
            raise ParseError(place, "the last column", need, shown(cell), hint)
        alone, begun, ended = (
            [entity for entity in entities if entity]
            for entities in zip(*_PART.findall(cell), strict=True)
        )
        for entity in alone:
            self._clusters[entity].append((word, word))
        for entity in begun:
            self._clusters.setdefault(entity, [])  # in the order of appearance
            self._open[entity].append((word, place))
        for entity in ended:
            if not self._open[entity]:
                need, got = "close one that was opened", f"{entity}) alone"
                raise ParseError(place, "a bracket", need, got)
            first, _ = self._open[entity].pop()
            self._clusters[entity].append((first, word))

    def closed(self) -> Document:
        """The document, if all brackets are closed."""
        for entity, begun in self._open.items():
            if begun:
                need, got = "be closed in its document", f"({entity} alone"
                raise ParseError(begun[0][1], "a bracket", need, got)
        return Document(self.place, [*self._clusters.values()], self.words)

    def never_ended(self, place: str) -> ParseError:
        """That it has no end, where it should be."""
        need, got = "end with #end document", f"none up to {place}"
        hint = "The file may be cut off."
        return ParseError(self.place, "a document", need, got, hint)
