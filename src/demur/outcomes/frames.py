"""Dataframes of any library, read and written through narwhals."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from demur.checks import choice, names_shown
from demur.errors import InputError, MissingExtra, shown
from demur.outcomes import fields
from demur.outcomes.gaps import is_absent


def read_frame(
    frame: Any, names: Mapping[str, str], groups: Sequence[str] | None
) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Columns of the outcomes table, and further ones, from a dataframe.

    Parameters
    ----------
    frame : dataframe or lazy frame
        Anything that narwhals knows.
    names : mapping of our column name to the frame's
        For columns that are called something else.
    groups : sequence of str, or None
        Further columns to keep; None keeps all.

    Returns
    -------
    (table, groups, notes) : two mappings of name to array, and a list of str
        Notes name columns that may be meant and are not read.

    Raises
    ------
    InputError
        If it is no dataframe, or lacks a column that is named, or outcomes.
    """
    import narwhals as nw

    try:
        table = _opened("from_frame", frame)
    except (TypeError, AttributeError):
        table = None
    if not isinstance(table, nw.DataFrame):
        need = "be a dataframe (pandas, polars, pyarrow, DuckDB, datasets, ...)"
        got = shown(type(frame).__name__)
        hint = _of_datasets(frame)
        raise InputError("from_frame", "frame", need, got, hint)
    columns: list[Any] = table.columns  # which are texts in every library but pandas
    for name in columns:
        if not isinstance(name, str):
            hint = "In pandas: df.columns = df.columns.map(str)."
            need = "have texts for names"
            raise InputError("from_frame", "the columns", need, shown(name), hint)
    known = fields.columns()
    for ours, theirs in names.items():
        choice("from_frame", "names", ours, known)
        choice("from_frame", f"names[{ours!r}]", theirs, table.columns)
    ours_of = {theirs: ours for ours, theirs in names.items()}
    theirs_of = {
        ours_of.get(column, column): column
        for column in table.columns
        if column in ours_of or (column in known and column not in names)
    }
    if not {"outcome", "correct"} & theirs_of.keys():
        need, got = "include outcome or correct", names_shown(columns) or "none"
        hint = f"Name the one that says it: names={{'correct': {_judging(columns)!r}}}."
        raise InputError("from_frame", "the columns", need, got, hint)
    # A column that another one stands in for keeps out of the way.
    rest = [
        column
        for column in table.columns
        if column not in theirs_of.values() and column not in known
    ]
    for name in groups or ():
        choice("from_frame", "groups", name, (*rest, *theirs_of))
    kept = rest if groups is None else [name for name in groups if name in rest]
    return (
        {ours: _values(table[column]) for ours, column in theirs_of.items()},
        {column: _values(table[column]) for column in kept},
        _unread_levels(table)
        + fields.unread(
            [name for name in columns if name not in ours_of],
            confidence="confidence" in theirs_of,
        ),
    )


def _of_datasets(frame: Any) -> str:
    """What to give in place of several data sets, or of one that is streamed."""
    if not hasattr(type(frame), "column_names"):
        return ""
    if isinstance(frame, Mapping):
        return f"Give one of them: [{next(iter(frame), 'train')!r}]."
    return "datasets.Dataset.from_list(list(it)) makes one of what is streamed."


def _unread_levels(table: Any) -> list[str]:
    """A note on texts in levels of an index that have no name."""
    import narwhals as nw

    index = nw.maybe_get_index(table)
    if index is None or index.nlevels == 1:
        return []
    for number, name in enumerate(index.names):
        if name is None and are_texts(index.get_level_values(number)):
            way = "df.rename_axis(index=['system', 'item']) names them"
            return [f"level {number} of the index has no name and is not read; {way}"]
    return []


def _judging(columns: Sequence[str]) -> str:
    """The column that most likely says what is correct; a placeholder if none does."""
    meant = fields.also_called("correct")
    return next((name for name in columns if name.lower() in meant), "COLUMN")


def _opened(where: str, frame: Any) -> Any:
    """A dataframe as narwhals has it, lazy ones collected; anything else as it is."""
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    if hasattr(type(frame), "with_format") and hasattr(type(frame), "features"):
        frame = frame.with_format("arrow")[:]  # a Dataset of Hugging Face
    try:
        table = nw.from_native(frame, pass_through=True)
        if isinstance(table, nw.LazyFrame):
            return table.collect()
        if not isinstance(table, nw.DataFrame):
            return table
        _check_levels(where, table)
        return _with_index(table)
    except DuplicateError:
        columns = [str(name) for name in frame.columns]
        twice = next(name for name in columns if columns.count(name) > 1)
        hint = "In pandas df.loc[:, ~df.columns.duplicated()] keeps the first."
        need = "have different names"
        raise InputError(where, "the columns", need, f"{twice!r} twice", hint) from None


def _check_levels(where: str, table: Any) -> None:
    """Refuse columns of several levels, and say what they would be called in one."""
    columns: list[Any] = table.columns
    levels = [name for name in columns if isinstance(name, tuple)]
    if levels:
        flat = ["_".join(map(str, filter(None, name))) for name in levels]
        need = "have texts for names"
        hint = (
            "df.columns = ['_'.join(map(str, filter(None, name))) for name in "
            f"df.columns] calls them {names_shown(flat)}; df.columns.droplevel(0) "
            "leaves the first level away."
        )
        raise InputError(where, "the columns", need, shown(levels[0]), hint)


def _with_index(table: Any) -> Any:
    """A dataframe with what its index says as columns; row numbers say nothing.

    A level has the name of its column; texts of an index without a name are items.
    """
    import narwhals as nw

    index = nw.maybe_get_index(table)
    if index is None:  # as of all libraries but pandas
        return table
    levels: dict[str, Any] = {}
    for number, name in enumerate(index.names):
        values = index.get_level_values(number)
        items = name is None and index.nlevels == 1 and are_texts(values)
        column = "item" if items else name
        if isinstance(column, str) and column not in table.columns:
            levels[column] = values.to_numpy()
    if not levels:
        return table
    return nw.from_native(nw.to_native(table).assign(**levels))


def read_columns(
    where: str, frame: Any, needed: Sequence[str], optional: Sequence[str]
) -> dict[str, Any]:
    """Columns of a dataframe by name.

    Raises
    ------
    InputError
        If it is no dataframe, or lacks a column that is needed.
    """
    import narwhals as nw

    table = _opened(where, frame)
    if not isinstance(table, nw.DataFrame):
        need = "be a dataframe, a mapping of columns, or records"
        raise InputError(where, "the source", need, shown(type(frame).__name__))
    for name in needed:
        choice(where, "a column", name, table.columns)
    kept = [name for name in (*needed, *optional) if name in table.columns]
    columns = {name: _values(table[name]) for name in kept}
    return {name: _with_gaps(column) for name, column in columns.items()}


def _with_gaps(column: Any) -> Any:
    """A column whose gaps are NaN, or None among integers, which stay exact."""
    if not np.ma.is_masked(column):
        return np.asarray(column)
    if column.dtype.kind == "f":
        return column.filled(np.nan)
    values = np.asarray(column.data, object)
    values[np.ma.getmaskarray(column)] = None
    return values


def _values(series: Any) -> Any:
    import narwhals as nw

    missing = series.is_null().to_numpy()
    if series.dtype.is_decimal() or series.dtype in (nw.Int128, nw.UInt128):
        series = series.cast(nw.Float64)
    if series.dtype.is_numeric():
        filled = series.fill_null(0) if missing.any() else series
        return np.ma.masked_array(filled.to_numpy(), missing)
    # Not np.array(list): of lists it would make a table of two dimensions.
    values = np.empty(len(series), object)
    values[:] = series.to_list()
    values[missing] = None
    return values


def write_frame(columns: Mapping[str, Sequence[Any]], backend: str) -> Any:
    """A dataframe of a library from named columns.

    Raises
    ------
    MissingExtra
        If the library is not installed.
    """
    import narwhals as nw

    try:
        return nw.from_dict(dict(columns), backend=backend).to_native()  # type: ignore[arg-type]
    except ImportError:
        raise MissingExtra(backend, f"a {backend} frame", package=True) from None


def records_of(source: Any) -> Any:
    """The rows of a dataframe as mappings, gaps as None; anything else as it is.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"item": ["q1"], "confidence": [float("nan")]})
    >>> list(records_of(frame))
    [{'item': 'q1', 'confidence': None}]
    """
    # Asked of the type: to look at a lazy frame's columns would resolve its schema.
    if isinstance(source, (list, tuple)) or not hasattr(type(source), "columns"):
        return source
    import narwhals as nw

    frame = _opened("records", source)
    if not isinstance(frame, nw.DataFrame):
        return source
    whole = _has_whole_ids(frame)
    return (_record(row, whole_ids=whole) for row in frame.iter_rows(named=True))


def _record(row: Mapping[str, Any], *, whole_ids: bool) -> dict[str, Any]:
    record = {name: None if is_absent(value) else value for name, value in row.items()}
    if whole_ids and record["item"] is not None:
        record["item"] = int(record["item"])
    return record


def _has_whole_ids(frame: Any) -> bool:
    """Whether ids of a dataframe are whole numbers of which a gap made decimals."""
    ids = frame["item"] if "item" in frame.columns else None
    if ids is None or not ids.dtype.is_float():
        return False
    # Beyond 2**53 a float may stand for several whole numbers.
    known = ids.filter(~(ids.is_null() | ids.is_nan()))
    return bool(((known == known.round(0)) & (known.abs() < _EXACT_IDS)).all())


_EXACT_IDS = 2**53


def are_texts(index: Any) -> bool:
    """Whether an index of pandas holds texts alone."""
    return bool(len(index)) and index.inferred_type == "string"
