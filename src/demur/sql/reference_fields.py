"""What a reference says in SQL: queries, their weights, and results that are stored."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from demur import answers
from demur.answers import Relation
from demur.answers.tables.modes import weights
from demur.errors import InputError, shown
from demur.outcomes.records import Reference
from demur.outcomes.values import json_or_text


def texts_of(
    extra: Mapping[str, Any], name: str, place: str
) -> list[tuple[str | None, float]]:
    """The queries in a field or its plural, with weights.

    Parameters
    ----------
    extra : mapping
        The fields of the reference.
    name : str
        ``sql`` or ``max_sql``; its plural holds a list.
    place : str
        Where the reference was read.

    Returns
    -------
    list of (str or None, float)
        None where ``max_sqls`` says that there is no limit.

    Raises
    ------
    InputError
        If a field is not what it must be.

    Examples
    --------
    >>> listed = ["SELECT 1", {"value": "SELECT 2", "weight": 0.5}]
    >>> texts_of({"sqls": listed}, "sql", "")
    [('SELECT 1', 1.0), ('SELECT 2', 0.5)]
    """
    one, several = extra.get(name), extra.get(f"{name}s")
    if one is not None and several is not None:
        raise InputError(place, "a reference", f"give {name} or {name}s", "both")
    if several is not None and not isinstance(several, (list, tuple)):
        raise InputError(place, f"{name}s", "be a list of queries", shown(several))
    texts: list[tuple[str | None, float]] = []
    for given, (text, weight) in _given(extra, name):
        if given is None and name == "max_sql":
            texts.append((None, 1.0))
        elif isinstance(text, str) and text.strip():
            texts.append((text, weights(place, [weight])[0]))
        else:
            raise InputError(place, f"{name}s", "hold SQL as text", shown(given))
    return texts


def readable_texts(extra: Mapping[str, Any], name: str) -> list[tuple[str, Any]]:
    """The same of a reference that may be faulty: what is text, weights as they stand.

    Examples
    --------
    >>> readable_texts({"sqls": ["SELECT 1", 2]}, "sql")
    [('SELECT 1', 1.0)]
    """
    pairs = (pair for _, pair in _given(extra, name))
    return [(text, weight) for text, weight in pairs if isinstance(text, str)]


def _given(
    extra: Mapping[str, Any], name: str
) -> Iterator[tuple[Any, tuple[Any, Any]]]:
    """What a field or its plural holds, each as it stands and as (text, weight)."""
    several = extra.get(f"{name}s")
    if several is None:
        several = [] if extra.get(name) is None else [extra[name]]
    for given in several if isinstance(several, (list, tuple)) else [several]:
        if isinstance(given, Mapping):
            yield given, (given.get("value"), given.get("weight", 1.0))
        else:
            yield given, (given, 1.0)


def credits_of(
    extra: Mapping[str, Any], texts: Sequence[tuple[Any, float]], place: str
) -> list[float]:
    """The credit of each query: ``weights``, or what stands beside the queries.

    Raises
    ------
    InputError
        If there are not as many weights.

    Examples
    --------
    >>> credits_of({"weights": [1, 0.5]}, [("SELECT 1", 1.0), ("SELECT 2", 1.0)], "")
    [1.0, 0.5]
    """
    if extra.get("weights") is None:
        return [weight for _, weight in texts]
    given = weights(place, extra["weights"])
    if len(given) != len(texts):
        need = f"be one for each of {len(texts)} queries"
        raise InputError(place, "weights", need, str(len(given)))
    return given


def stored_results(given: Any, place: str, name: str = "max") -> list[Relation | None]:
    """What a reference holds as results: CAS text, or lists of rows.

    Parameters
    ----------
    given : any JSON value
        What its field holds.
    place : str
        Where the reference was read.
    name : str
        The field.

    Returns
    -------
    list of (Relation or None)
        One for each alternative; None where null says that there is no limit.

    Raises
    ------
    InputError
        If one cannot be read.

    Examples
    --------
    >>> stored_results('((("AA 17" 12900)) OR 48)', "a.jsonl:1")
    [Relation(1 rows of 2 columns), Relation(1 rows of 1 columns)]
    >>> stored_results([["AA 17", 12900], ["DL 8", None]], "a.jsonl:1")
    [Relation(2 rows of 2 columns)]
    >>> stored_results([None, "48"], "a.jsonl:1")
    [None, Relation(1 rows of 1 columns)]
    """
    given = _from_json(given)
    if isinstance(given, (list, tuple)) and any(result is None for result in given):
        return [
            None if result is None else stored_results(result, place, name)[0]
            for result in given
        ]
    listed = given if isinstance(given, (list, tuple)) and given else [given]
    as_text = all(isinstance(result, str) for result in listed)
    rows = isinstance(given, str) and given.lstrip().startswith("[")
    comparator = answers.cas() if as_text and not rows else answers.relation()
    cases = comparator.read_reference(Reference(item=name, extra={"min": given}))
    maxima: list[Relation | None] = []
    for case, _ in cases:
        if not isinstance(case.minimum, Relation):
            need = "be a result, as CAS text or a list of rows"
            raise InputError(place, name, need, case.minimum.reason)
        maxima.append(case.minimum)
    return maxima


def stored_table(value: Any, place: str) -> Relation | None:
    """An acceptable value that is a table: a list of rows, or that as JSON.

    Parameters
    ----------
    value : any JSON value
        One alternative of a reference.
    place : str
        Where the reference was read.

    Returns
    -------
    Relation or None
        None for single values and texts: what SQL returns is a table.

    Raises
    ------
    InputError
        If it is a list, but not of rows.

    Examples
    --------
    >>> stored_table([["AA 17", 12900], ["DL 8", None]], "a.jsonl:1")
    Relation(2 rows of 2 columns)
    >>> stored_table("AA 17", "a.jsonl:1")
    """
    value = _from_json(value)
    if not isinstance(value, (list, tuple)):
        return None
    [table] = stored_results([list(value)], place, "reference")
    return table


def required_columns(
    extra: Mapping[str, Any], tables: Sequence[Relation], place: str
) -> list[tuple[int, ...] | None]:
    """The columns of each stored table that an answer must have.

    Parameters
    ----------
    extra : mapping
        The fields of the reference; ``condition_cols`` holds positions counted from 0,
        or a list of them for each table. An empty list stands for all columns.
    tables : sequence of Relation
        The stored tables.
    place : str
        Where the reference was read.

    Returns
    -------
    list of (tuple of int or None)
        One for each table; None where all columns are required.

    Raises
    ------
    InputError
        If they are no such positions.

    Examples
    --------
    >>> table = Relation.from_rows([["AA 17", 12900]])
    >>> required_columns({"condition_cols": [1]}, [table], "a.jsonl:1")
    [(1,)]
    """
    given = _from_json(extra.get("condition_cols"))
    if given is None:
        return [None] * len(tables)
    listed = given if isinstance(given, (list, tuple)) else [given]
    if not any(isinstance(positions, (list, tuple)) for positions in listed):
        listed = [listed] * len(tables)
    if len(listed) != len(tables):
        need = f"hold a list for each of {len(tables)} tables"
        raise InputError(place, "condition_cols", need, shown(given))
    return [
        _positions(positions, table, given, place)
        for positions, table in zip(listed, tables, strict=True)
    ]


def _positions(
    listed: Any, table: Relation, given: Any, place: str
) -> tuple[int, ...] | None:
    width = table.n_columns
    if isinstance(listed, (list, tuple)) and all(
        type(at) is int and 0 <= at < width for at in listed
    ):
        return tuple(dict.fromkeys(listed)) or None
    need = f"be positions of columns from 0 to {width - 1}"
    raise InputError(place, "condition_cols", need, shown(given))


def _from_json(given: Any) -> Any:
    listed = isinstance(given, str) and given.lstrip().startswith("[")
    return json_or_text(given) if listed else given
