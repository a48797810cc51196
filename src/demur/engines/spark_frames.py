"""What Spark can count: data frames, tables by name, and files read by Spark itself."""

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from demur.engines.spark_sessions import failures, plain
from demur.errors import InputError, shown

READERS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "parquet": ("parquet", {"mergeSchema": "false"}),
    "pq": ("parquet", {"mergeSchema": "false"}),
    "csv": ("csv", {"sep": ","}),
    "tsv": ("csv", {"sep": "\t"}),
    **dict.fromkeys(("jsonl", "ndjson", "json"), ("json", {})),
}
"""How Spark reads files, by their ending."""

_CSV: Final = {
    "header": "true",
    "escape": '"',
    "multiLine": "true",
    "enforceSchema": "false",  # else columns go by their place, whatever a header says
}

_STRICT: Final = {
    "__globPaths__": "false",  # files are listed, by whatever names they have
    "mode": "FAILFAST",
    "ignoreCorruptFiles": "false",
    "ignoreMissingFiles": "false",
}

_ENDING: Final = re.compile(
    r"\.(?P<kind>parquet|pq|csv|tsv|jsonl|ndjson|json)"
    r"(\.(gz|bz2|zst|zstd|lz4|snappy|deflate))?$",
    re.IGNORECASE,
)

READERS_AT_ONCE: Final = 8
"""So many footers of files are looked at side by side."""


@dataclass(frozen=True)
class SparkSource:
    """Rows that Spark can read.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The rows.
    form : {"typed", "cells"}
        Whether values have types, or are all text.
    place : str
        What messages call it.
    files : mapping of str to int
        How many rows files say they have; empty if they say nothing.
    paths : tuple of str
        The files; of a table or frame one without a name.
    """

    frame: Any
    form: str
    place: str
    files: Mapping[str, int] = field(default_factory=dict)
    paths: tuple[str, ...] = ("",)


def source_of(value: Any, session: Any) -> SparkSource:
    """Rows of a frame, a table by name, or the files of a path.

    Parameters
    ----------
    value : pyspark.sql.DataFrame or str or path
        A text is a path if it has a slash or the ending of a file, else a table, or
        a folder if there is no such table.
    session : pyspark.sql.SparkSession
        What reads tables and files.

    Raises
    ------
    InputError
        If there is no such table or file, or files differ in their columns.
    """
    if hasattr(value, "createGlobalTempView"):
        return SparkSource(value, "typed", "a Spark frame")
    if not isinstance(value, str) and not hasattr(value, "__fspath__"):
        need = "be Spark frames, names of tables, or paths"
        raise InputError("spark", "sources", need, f"a {type(value).__name__}")
    text = str(value)
    place = plain(text)
    if "/" in text or _ENDING.search(text):
        return _of_path(text, place, session)
    with failures(place):
        if _is_table(text, session):
            return SparkSource(session.table(text), "typed", f"the table {place}")
        if _files(text, session):
            return _of_path(text, place, session)
    need = "be a table that Spark knows, or a path"
    hint = f"Is it spelt so? Of a temporary view give session.table({shown(text)})."
    raise InputError(place, "the source", need, "none of that name", hint)


def _is_table(text: str, session: Any) -> bool:
    from pyspark.errors import ParseException

    try:
        return bool(session.catalog.tableExists(text))
    except ParseException:  # no name of a table
        return False


# -- files -------------------------------------------------------------------------


def _of_path(path: str, place: str, session: Any) -> SparkSource:
    with failures(place):
        files = _files(path, session)
        if not files:
            raise InputError(
                place, "the source", "be there", "no file", "Is it spelt so?"
            )
        ending = _ending_of_all(files, place)
        kind, options = READERS[ending]
        options = {**_STRICT, **options, **(_CSV if kind == "csv" else {})}
        rows_of = _footers(files, session) if kind == "parquet" else {}
        base = _fixed(path)
        partitions = _partitions(files, _qualified(base, session))
        reader = session.read.options(**options).format(kind)
        columns = reader.load(files[:1]).columns
        if kind == "csv":
            _check_delimiter(columns, options["sep"], plain(files[0]))
        both = sorted({*partitions} & {*columns})
        if both:
            need, got = "name no column that files have", ", ".join(both)
            raise InputError(place, "its folders", need, got, "Rename one.")
        if partitions:
            reader = reader.option("basePath", base)
        form = "cells" if kind == "csv" else "typed"
        # By name, since Spark would pass over files in inner folders.
        paths = tuple(re.sub("^file:/+", "/", file) for file in files)
        return SparkSource(reader.load(files), form, place, rows_of, paths)


def _check_delimiter(columns: Sequence[str], sep: str, place: str) -> None:
    """Raise `InputError` where a header holds cells, but not of this delimiter."""
    if len(columns) == 1 and re.search(r"\w[,;\t|]\w", columns[0]):
        need = f"part cells by {'commas' if sep == ',' else 'tabs'}, where Spark reads"
        hint = "DuckDB reads it as it is: --engine duckdb."
        raise InputError(place, "the header", need, shown(columns[0]), hint)


def _partitions(files: Sequence[str], base: str) -> list[str]:
    """Columns whose values are in the names of folders below another.

    Raises
    ------
    InputError
        If files differ in them: Spark would pass over those with fewer.
    """
    usual: list[str] = []
    for place, file in enumerate(files):
        inner = file.removeprefix(base).split("/")[:-1]
        named = [one.partition("=")[0] for one in inner if "=" in one]
        if place and named != usual:
            folders = "/".join(f"{one}=..." for one in usual) or "nothing"
            need = f"be in folders named {folders}, as {plain(files[0])} is"
            got = "/".join(f"{one}=..." for one in named) or "nothing"
            raise InputError(plain(file), "the file", need, got)
        usual = named
    return usual


def _ending_of_all(files: Sequence[str], place: str) -> str:
    """The ending that tells how all files are read.

    Raises
    ------
    InputError
        If a file is of no format that is known, or they are of several.
    """
    endings: dict[str, str] = {}
    for file in files:
        match = _ENDING.search(file)
        if match is None:
            need = f"end in one of {', '.join('.' + one for one in READERS)}"
            hint = "Name the files that belong to it: FOLDER/*.parquet."
            raise InputError(place, "each file", need, plain(file), hint)
        endings.setdefault(match["kind"].lower(), file)
    first, *others = endings
    for other in others:
        if READERS[other] != READERS[first]:
            need, hint = "be of one format", "Name one of them: FOLDER/*.parquet."
            got = f"{plain(endings[first])} and {plain(endings[other])}"
            raise InputError(place, "all files", need, got, hint)
    return first


def _fixed(path: str) -> str:
    """What a pattern begins with: folders below it are partitions.

    Examples
    --------
    >>> _fixed("logs/*/hour=01"), _fixed("*.csv"), _fixed("logs/day=1")
    ('logs/', '.', 'logs/day=1')
    """
    begin = re.split(r"[*?{\[]", path)[0]
    return path if begin == path else begin[: begin.rfind("/") + 1] or "."


def _qualified(path: str, session: Any) -> str:
    """A path as Spark calls it in full."""
    named = session._jvm.org.apache.hadoop.fs.Path(path)
    system = named.getFileSystem(_settings(session))
    return str(system.makeQualified(named).toString())


def _files(path: str, session: Any) -> list[str]:
    """The files of a path, a folder or a pattern, as Spark would read them."""
    jvm = session._jvm
    pattern = jvm.org.apache.hadoop.fs.Path(path)
    system = pattern.getFileSystem(_settings(session))
    files = []
    for status in system.globStatus(pattern) or []:
        if not status.isDirectory():
            files.append(status.getPath().toString())
            continue
        listed = system.listFiles(status.getPath(), True)
        while listed.hasNext():
            one = listed.next()
            inside = one.getPath().toString().removeprefix(status.getPath().toString())
            if not re.search(r"/[_.]", inside):
                files.append(one.getPath().toString())
    return sorted(files)


def _settings(session: Any) -> Any:
    return session._jsparkSession.sessionState().newHadoopConf()


def _footers(files: Sequence[str], session: Any) -> dict[str, int]:
    """How many rows Parquet files have, all of them with the same columns."""
    settings = _settings(session)

    def footer(file: str) -> tuple[int, dict[str, str]]:
        with failures(plain(file)):
            jvm = session._jvm
            path = jvm.org.apache.hadoop.fs.Path(file)
            opened = jvm.org.apache.parquet.hadoop.util.HadoopInputFile.fromPath(
                path, settings
            )
            reader = jvm.org.apache.parquet.hadoop.ParquetFileReader.open(opened)
            try:
                schema = reader.getFileMetaData().getSchema().toString()
                return int(reader.getRecordCount()), _columns(schema)
            finally:
                reader.close()

    with ThreadPoolExecutor(READERS_AT_ONCE) as pool:
        footers = list(pool.map(footer, files))
    usual = footers[0][1]
    for file, (_, columns) in zip(files, footers, strict=True):
        if columns != usual:
            need = f"have the columns of {plain(files[0])}"
            different = {*columns.items()} ^ {*usual.items()}
            got = f"others ({', '.join(sorted({one for one, _ in different})[:5])})"
            hint = "Leave it out, or name the files that belong together."
            raise InputError(plain(file), "a file", need, got, hint)
    return {file: rows for file, (rows, _) in zip(files, footers, strict=True)}


def _columns(schema: str) -> dict[str, str]:
    """The columns of a Parquet file's schema, each with all that is said of it."""
    inner = schema.partition("{")[2].rpartition("}")[0]
    columns, depth, text = {}, 0, ""
    for line in inner.splitlines():
        depth += line.count("{") - line.count("}")
        text += line.strip()
        if not depth and text:
            kind, _, rest = text.partition(" ")[2].partition(" ")
            columns[rest.partition(" ")[0].rstrip(";")] = f"{kind} {rest}"
            text = ""
    return columns


# -- one relation ------------------------------------------------------------------

_WHOLE: Final = ("tinyint", "smallint", "int")

_PLAIN: Final = {
    "string": "VARCHAR",
    "bigint": "BIGINT",
    "double": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp": "TIMESTAMP WITH TIME ZONE",
    "timestamp_ntz": "TIMESTAMP",
}
"""Types that stay as they are, and what DuckDB calls them."""


@dataclass(frozen=True)
class SparkRelation:
    """Rows of all sources under names of their own.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        With columns ``c0``, ``c1`` and so on: a name that differs in case only, or
        holds a dot, is nothing that Spark has to understand.
    types : mapping of column to type
        As DuckDB would call it, by the name in the sources.
    form : {"typed", "cells"}
        Whether values have types, or are all text.
    files : mapping of str to int, or None
        How many rows there are in each file; None if that is not known of all.
    """

    frame: Any
    types: Mapping[str, str]
    form: str
    files: Mapping[str, int] | None = None

    @property
    def names(self) -> dict[str, str]:
        """What columns are called in the frame, by their names in the sources."""
        return {one: f"c{place}" for place, one in enumerate(self.types)}

    def check_rows(self, n_rows: int) -> None:
        """Raise `InputError` if files have another number of rows than were read."""
        rows = sum(self.files.values()) if self.files else n_rows
        if rows != n_rows:
            need = f"be the {rows} that the {len(self.files or ())} files have"
            hint = "Were files added or removed, or is one of them damaged?"
            raise InputError("spark", "the rows", need, str(n_rows), hint)


def relation_of(sources: Sequence[SparkSource], session: Any) -> SparkRelation:
    """The rows of all sources together, in one session.

    Raises
    ------
    InputError
        If their columns differ.
    """
    first, *others = sources
    types = plain_types(first.frame)
    frame = _plain(first.frame, types, session)
    for other in others:
        theirs = plain_types(other.frame)
        if other.form != first.form or theirs != types:
            need = f"have the columns of {first.place}"
            different = {one for one, _ in {*theirs.items()} ^ {*types.items()}}
            got = f"others ({', '.join(sorted(different)[:5])})"
            raise InputError(
                other.place, "a source", need, got, "Count each by itself."
            )
        frame = frame.union(_plain(other.frame, types, session))
    files = {file: rows for one in sources for file, rows in one.files.items()}
    known = all(one.files for one in sources)
    return SparkRelation(frame, types, first.form, files if known else None)


def plain_types(frame: Any) -> dict[str, str]:
    """Types of columns as DuckDB would call them, once they are plain."""
    return {one: _plain_type(its) for one, its in frame.dtypes}


def _plain_type(its: str) -> str:
    if its == "decimal(20,0)":  # what Spark makes of 64 bits without a sign
        return "HUGEINT"
    if its in _PLAIN or its.startswith("decimal"):
        return _PLAIN.get(its, its.upper())
    return "BIGINT" if its in _WHOLE else "DOUBLE" if its == "float" else "VARCHAR"


def _plain(frame: Any, order: Iterable[str], session: Any) -> Any:
    """Rows with plain types in another session, under the names ``c0``, ``c1``, ..."""
    its = [kind for _, kind in frame.dtypes]
    places = [frame.columns.index(one) for one in order]
    with viewed(frame.toDF(*(f"c{place}" for place in range(len(its))))) as view:
        return session.table(view).selectExpr(
            *(
                f"{_plain_text(f'c{place}', its[place])} AS c{target}"
                for target, place in enumerate(places)
            )
        )


def _plain_text(column: str, its: str) -> str:
    """A column of Spark as a plain value: a number, true or false, or a text."""
    if its in _PLAIN or its.startswith("decimal"):
        return column
    if its in _WHOLE:
        return f"CAST({column} AS BIGINT)"
    if its == "float":  # the short decimal that it was written as
        return f"CAST(CAST({column} AS STRING) AS DOUBLE)"
    if its.startswith(("struct", "array", "map", "variant")):
        return f"TO_JSON({column})"
    return f"CAST({column} AS STRING)"


@contextmanager
def viewed(frame: Any) -> Iterator[str]:
    """A name under which another session of the same cluster sees a frame."""
    name = f"demur_{uuid.uuid4().hex}"
    frame.createGlobalTempView(name)
    try:
        yield f"global_temp.{name}"
    finally:
        frame.sparkSession.catalog.dropGlobalTempView(name)
