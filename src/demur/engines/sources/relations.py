"""What stands behind FROM for files of each kind, all their columns alike."""

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeVar

from demur.engines.sources.source_files import CELLS, TYPED, SourceFile, literal_path
from demur.engines.sql_counts import literal, name
from demur.errors import InputError, ParseError, shown
from demur.formats.delimited import DelimitedTable, Layout
from demur.formats.streams import opened
from demur.outcomes.fields import FIELDS

Told = TypeVar("Told")

Ask = Callable[[str], list[tuple[Any, ...]]]
"""Puts a query to DuckDB and gives the rows of its answer."""

FILE: Final = "demur_file_"
"""The column that tells from which file a row is."""

_LOOKED_AT: Final = 1000
_MOST_KEYS: Final = 1000
_FIRST_LINES: Final = 20
_LONGEST_ROW: Final = 16 << 20
_WHOLE: Final = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_UNSIGNED: Final = ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_FLOATING: Final = ("FLOAT", "DOUBLE")
_NOTHING: Final = '"NULL"'
"""The type of a column in which no row of a file has a value."""


@dataclass(frozen=True)
class Group:
    """Files that are read by one call, since they are laid out alike.

    Parameters
    ----------
    files : tuple of SourceFile
        Which.
    call : str
        The table function, as SQL.
    columns : mapping of str to str
        What stands for each column, as SQL, by their true names.
    types : mapping of str to str
        Types of the columns, by their true names.
    """

    files: tuple[SourceFile, ...]
    call: str
    columns: Mapping[str, str]
    types: Mapping[str, str]


def groups_of(files: Sequence[SourceFile], ask: Ask) -> list[Group]:
    """Files grouped by how they are laid out."""
    if files[0].kind == TYPED:
        return _typed_groups(files, ask)
    return (_cell_groups if files[0].kind == CELLS else _json_groups)(files, ask)


def select(groups: Sequence[Group]) -> tuple[str, dict[str, str]]:
    """A query for the rows of all groups, and the types of its columns.

    Raises
    ------
    InputError
        If a file lacks a column or has it in another type.
    """
    types = _common_types(groups)
    types.pop("", None)  # what has no name is nothing that is asked for
    _check_names(groups[0].files[0], types)
    parts = []
    for group in groups:
        listed = [
            f"{_cast(group.columns[column], group.types[column], its)} "
            f"AS {name(column)}"
            for column, its in types.items()
        ]
        parts.append(f"SELECT {', '.join([*listed, FILE])} FROM {group.call}")
    return " UNION ALL ".join(parts), types


def _cast(column: str, its: str, wanted: str) -> str:
    return column if its == wanted else f"CAST({column} AS {wanted})"


def _common_types(groups: Sequence[Group]) -> dict[str, str]:
    usual, *others = sorted(groups, key=lambda group: -len(group.files))
    types = dict(usual.types)
    typed_by = dict.fromkeys(types, usual.files[0])
    for group in others:
        file, as_ = group.files[0], f"as {usual.files[0].name} has"
        hint = "Name the files that have the same columns."
        for column in types:
            if column not in group.types:
                need = f"have a column {shown(column)}, {as_}"
                raise InputError(file.name, "the file", need, "none", hint)
        for column, its in group.types.items():
            if column not in types:
                need = f"have the columns that {usual.files[0].name} has"
                got = f"{shown(column)} too"
                raise InputError(file.name, "the file", need, got, hint)
            wide = _wider(types[column], its)
            if wide is None:
                need = f"hold {types[column]}, as {typed_by[column].name} has"
                hint = "Write all files with the same types."
                raise InputError(file.name, shown(column), need, its, hint)
            if types[column] == _NOTHING:
                typed_by[column] = file
            types[column] = wide
    return types


def _wider(one: str, other: str) -> str | None:
    """The type that holds the numbers of both exactly.

    Examples
    --------
    >>> _wider("FLOAT", "DOUBLE"), _wider("UINTEGER", "INTEGER")
    ('DOUBLE', 'BIGINT')
    >>> _wider("BIGINT", "DOUBLE")
    """
    if one == other or other == _NOTHING:
        return one
    if one == _NOTHING:
        return other
    if {one, other} <= {*_FLOATING}:
        return "DOUBLE"
    if {one, other} <= {*_UNSIGNED}:
        return max(one, other, key=_UNSIGNED.index)
    if {one, other} <= {*_WHOLE, *_UNSIGNED}:
        return _WHOLE[max(map(_rank, (one, other)))]
    return None


def _rank(its: str) -> int:
    return _WHOLE.index(its) if its in _WHOLE else _UNSIGNED.index(its) + 1


def _check_names(file: SourceFile, columns: Iterable[str]) -> None:
    """Raise where an engine cannot tell two columns apart."""
    seen: dict[str, str] = {}
    for column in columns:
        if column.lower() == FILE:
            need = f"not have a column {FILE}, which the engine adds"
            raise InputError(file.name, "the file", need, "one", "Rename it.")
        if column.lower() in seen:
            need = "differ in more than case"
            got = f"{shown(seen[column.lower()])}, {shown(column)}"
            raise InputError(file.name, "the columns", need, got, "Rename one.")
        seen[column.lower()] = column


def paths_of(files: Sequence[SourceFile]) -> str:
    """The paths as a list of SQL, each taken as it is and not as a pattern."""
    return f"[{', '.join(literal(literal_path(file)) for file in files)}]"


def by_path(files: Sequence[SourceFile], stated: Mapping[str, Told]) -> dict[str, Told]:
    """What DuckDB tells of files, which it may call ``./a`` where we say ``a``."""
    normal = {os.path.normpath(path): value for path, value in stated.items()}
    paths = {file.path: os.path.normpath(file.path) for file in files}
    return {path: normal[usual] for path, usual in paths.items() if usual in normal}


def _grouped(
    files: Sequence[SourceFile], key: Callable[[SourceFile], Any]
) -> Iterator[tuple[Any, list[SourceFile]]]:
    groups: dict[Any, list[SourceFile]] = {}
    for file in files:
        groups.setdefault(key(file), []).append(file)
    return iter(groups.items())


def _options(files: Sequence[SourceFile]) -> str:
    if not files[0].partitions:
        return f"filename='{FILE}', hive_partitioning=false"
    return f"filename='{FILE}', hive_partitioning=true, hive_types_autocast=false"


# -- Parquet -----------------------------------------------------------------------


def _typed_groups(files: Sequence[SourceFile], ask: Ask) -> list[Group]:
    schemas: dict[str, list[tuple[Any, ...]]] = {}
    of_schema = (
        "name, type, num_children, converted_type, logical_type, scale, precision"
    )
    query = f"SELECT file_name, {of_schema} FROM parquet_schema({paths_of(files)})"
    for path, *element in ask(query):
        schemas.setdefault(path, []).append(tuple(element))
    schemas = by_path(files, schemas)
    groups = []
    for schema, alike in _grouped(files, lambda file: tuple(schemas[file.path][1:])):
        elements = [*_top_level(schema)]
        written = [column for column, *_ in elements]
        _check_partitions(alike[0], written)
        named = [*filter(None, written), *alike[0].partitions]
        _check_names(alike[0], named)
        described = ask(f"DESCRIBE SELECT * FROM {_typed_call(alike[:1])}")
        called = {one: its for one, its, *_ in described}
        # DuckDB calls the second of two columns otherwise that differ in case only.
        columns = dict(zip(written, called, strict=False))
        columns |= {one: one for one in alike[0].partitions}
        types = {column: called[one] for column, one in columns.items()}
        # What DuckDB before 2 takes for whole numbers.
        types |= {one[0]: _NOTHING for one in elements if "NullType()" in one}
        columns = {column: name(one) for column, one in columns.items()}
        groups.append(Group(tuple(alike), _typed_call(alike), columns, types))
    return groups


def _typed_call(files: Sequence[SourceFile]) -> str:
    return f"read_parquet({paths_of(files)}, {_options(files)})"


def _top_level(schema: Sequence[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """The columns among all elements of a schema, each with its name first."""
    inner = 0
    for element in schema:
        if not inner:
            yield element
        inner += (element[2] or 0) - bool(inner)


def _check_partitions(file: SourceFile, columns: Iterable[str]) -> None:
    """Raise where folders and files both tell a column, for which case is nothing."""
    if not file.partitions:
        return
    known = {column.lower(): column for column in columns}
    for part in re.split(r"[/\\]", file.path)[:-1]:
        key, mark, _ = part.partition("=")
        if mark and key.lower() in known:
            column = known[key.lower()]
            need = f"not have a column {shown(column)}, which its folder tells"
            raise InputError(file.name, "the file", need, "one", "Rename it.")


# -- delimited text ----------------------------------------------------------------


def _cell_groups(files: Sequence[SourceFile], ask: Ask) -> list[Group]:
    groups = []
    layouts = {file: _layout(file, ask) for file in files}
    for file in files:
        if not file.is_remote:
            _check_beginning(file, layouts[file], ask)
    for (layout, packing), alike in _grouped(
        files, lambda file: (layouts[file], file.packing)
    ):
        _check_partitions(alike[0], layout.columns)
        cells = enumerate(layout.columns)
        called = {column: f"c{at}" for at, column in cells if column}
        called |= {one: name(one) for one in alike[0].partitions}
        call = _cell_call(alike, layout, packing)
        groups.append(
            Group(tuple(alike), call, called, dict.fromkeys(called, "VARCHAR"))
        )
    return groups


def _cell_call(
    files: Sequence[SourceFile], layout: Layout, packing: str, further: str = ""
) -> str:
    texts = ", ".join(f"'c{at}': 'VARCHAR'" for at in range(len(layout.columns)))
    return (
        f"read_csv({paths_of(files)}, auto_detect=false, header=false, "
        f"columns={{{texts}}}, skip={layout.n_rows}, "
        f"delim={literal(layout.delimiter)}, quote='\"', escape='\"', "
        f"compression={literal(packing)}, {_options(files)}{further})"
    )


def _check_beginning(file: SourceFile, layout: Layout, ask: Ask) -> None:
    """Raise where DuckDB begins with another row than our own reader does.

    It may take mixed line ends, or a quote within a name, for no end of the header.
    """
    with opened(file.path) as stream:
        rows = [
            list(row.values())
            for _, row in islice(DelimitedTable(stream).cells(), _FIRST_LINES)
        ]
    listed = ", ".join(f"c{at}" for at, column in enumerate(layout.columns) if column)
    call = _cell_call([file], layout, file.packing, ", parallel=false")
    begins = [[*row] for row in ask(f"SELECT {listed} FROM {call} LIMIT {len(rows)}")]
    if begins == rows or stream.notes:  # in another encoding, which DuckDB refuses
        return
    need = "have plain names, and line ends of one kind"
    got, hint = "a header that DuckDB reads otherwise", "Write it again, or as Parquet."
    raise ParseError(f"{file.name}:1", "the header", need, got, hint)


class _FirstLines(io.BytesIO):
    """The beginning of a file that is elsewhere."""

    name = ""


def _layout(file: SourceFile, ask: Ask) -> Layout:
    """How our own reader of delimited text reads the header."""
    source: Any = file.path
    if file.is_remote:
        query = (
            f"SELECT line FROM read_csv({paths_of([file])}, auto_detect=false, "
            "columns={'line': 'VARCHAR'}, header=false, delim=chr(1), quote='', "
            f"escape='', parallel=false, compression={literal(file.packing)}) "
            f"LIMIT {_FIRST_LINES}"
        ).replace("chr(1)", "'\x01'")
        lines = [line or "" for (line,) in ask(query)]
        source = _FirstLines("\n".join(lines).encode())
        source.name = file.name
    with opened(source) as stream:
        layout = DelimitedTable(stream).layout
    if not layout.columns:
        need, hint = "name every column", "Leave out blank lines above it."
        raise ParseError(file.name, "the header", need, "a blank line", hint)
    return layout


# -- JSON Lines --------------------------------------------------------------------


def _json_groups(files: Sequence[SourceFile], ask: Ask) -> list[Group]:
    """Fields that any record has; of very many those of the first ones, and ours."""
    keys = _first_keys(files, ask)
    for _, alike in _grouped(files, lambda file: file.packing):
        keys |= _all_keys(alike, ask)
    columns = sorted(filter(None, keys))
    groups = []
    for _, alike in _grouped(files, lambda file: file.packing):
        _check_partitions(alike[0], columns)
        called = {one: name(one) for one in columns}
        called |= {one: f"to_json({name(one)})" for one in alike[0].partitions}
        types = dict.fromkeys(called, "JSON")
        groups.append(Group(tuple(alike), _json_call(alike, columns), called, types))
    return groups


def _json_call(files: Sequence[SourceFile], columns: Sequence[str]) -> str:
    texts = ", ".join(f"{literal(one)}: 'JSON'" for one in columns)
    return (
        f"read_json({paths_of(files)}, records=true, format='newline_delimited', "
        f"columns={{{texts}}}, compression={_json_packing(files[0])}, "
        f"maximum_object_size={_LONGEST_ROW}, {_options(files)})"
    )


def _json_packing(file: SourceFile) -> str:
    """What the reader of JSON calls a compression."""
    return literal("uncompressed" if file.packing == "none" else file.packing)


def _all_keys(files: Sequence[SourceFile], ask: Ask) -> set[str]:
    """The keys of all records; of very many different ones those of our fields."""
    of_records = (
        f"SELECT DISTINCT key_ FROM (SELECT UNNEST(json_keys(json)) AS key_ "
        f"FROM read_json({paths_of(files)}, records=false, "
        "format='newline_delimited', columns={'json': 'JSON'}, "
        f"maximum_object_size={_LONGEST_ROW}, compression={_json_packing(files[0])}))"
    )
    keys = {key for (key,) in ask(f"{of_records} LIMIT {_MOST_KEYS + 1}")}
    if len(keys) <= _MOST_KEYS:
        return keys
    known = ", ".join(map(literal, FIELDS))
    return {key for (key,) in ask(f"{of_records} WHERE key_ IN ({known})")}


def _first_keys(files: Sequence[SourceFile], ask: Ask) -> set[str]:
    """The keys of the first records.

    Raises
    ------
    InputError
        If a file never has a key there that every record of another one has.
    """
    always: dict[str, SourceFile] = {}
    met: dict[SourceFile, set[str]] = {}
    for file in files:
        records = ask(
            f"SELECT json_keys(json) FROM read_json({paths_of([file])}, records=false, "
            "format='newline_delimited', columns={'json': 'JSON'}, "
            f"compression={_json_packing(file)}) LIMIT {_LOOKED_AT}"
        )
        per_record = [set(keys or ()) for (keys,) in records]
        if not per_record:
            need, hint = "hold at least one record", "Was it written to the end?"
            raise ParseError(file.name, "the file", need, "nothing", hint)
        met[file] = set.union(*per_record)
        for key in set.intersection(*per_record):
            always.setdefault(key, file)
    for file, keys in met.items():
        if missing := next((one for one in always if one not in keys), None):
            need = f"have a field {shown(missing)}, as {always[missing].name} has"
            hint = "Name the files that have the same fields."
            raise InputError(file.name, "the records", need, "none", hint)
    return set.union(*met.values())
