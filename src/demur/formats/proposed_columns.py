"""What to type for a file whose columns are called otherwise: the whole mapping."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from msgspec import UNSET

from demur.errors import InputError
from demur.formats.column_forms import value_of
from demur.formats.field_names import (
    DEEPEST,
    METRIC,
    SCORES,
    Records,
    path_of,
    paths_called,
    paths_in,
    values_at,
)
from demur.formats.paths import path_fields, path_reader
from demur.formats.proposed_items import item_path, whole_and_part
from demur.formats.side_by_side import apart, sides_within
from demur.outcomes.proposed_forms import proposed_forms
from demur.outcomes.values import UNKNOWN, checked, plain_float

_MAPPED: Final = {
    "response": (
        *("system", "repeat", "item", "response", "correct", "confidence"),
        *("declined", "reference"),
    ),
    "reference": ("item", "reference", "input"),
}
"""The fields that are proposed, of responses and outcomes and of references."""
_JUDGED: Final = ("outcome", "correct")
"""What a file needs that says what became of the items: it has questions, too."""
_LOGARITHMS: Final = ("logprob", "loglik", "logp")
_RISKS: Final = ("risk", "uncertainty", "unsicherheit")
_SIMPLE: Final = re.compile(r"[^,()=<>!'\"\[\]]+(?:\[0\][^,()=<>!'\"\[\]]*)*")
_QUOTABLE: Final = re.compile(r"[^\"'\n]+")
"""A name that stands in double quotes, and with them in the quotes of a shell."""


def proposed_columns(
    choices: Sequence[Sequence[str]],
    records: Records,
    kind: str,
    *,
    of_texts: bool = False,
) -> dict[str, str]:
    """The whole mapping from the columns that are there; empty if none is known.

    Parameters
    ----------
    choices : sequence of sequences of str
        Of each, one column is needed and none is there.
    records : sequence of mappings
        Those at the beginning of the file.
    kind : {"response", "reference"}
    of_texts : bool
        Whether the file has texts alone, which stand for numbers and flags too.

    Examples
    --------
    >>> needed = [["item"], ["outcome", "correct"]]
    >>> record = {"custom_id": "a", "Antwort": "Oslo", "score": 1}
    >>> proposed_columns(needed, [record], "response")
    {'item': 'custom_id', 'response': 'Antwort', 'correct': 'score >= 0.5'}
    """
    if not any(records):
        return {}
    if any("correct" in choice for choice in choices):
        records = _side_by_side(records)
    mapping = _proposed(choices, records, kind, of_texts=of_texts)
    if "item" in mapping:
        ahead = [name for name in ("item", "part") if name in mapping]
        mapping = {name: mapping[name] for name in ahead} | mapping
    known = set(mapping.values()) - {"COLUMN", "row()"}
    return mapping if known or (mapping and "COLUMN" not in mapping.values()) else {}


def _proposed(
    choices: Sequence[Sequence[str]], records: Records, kind: str, *, of_texts: bool
) -> dict[str, str]:
    names = {name for record in records for name in record}
    typed = ((_typed(path, names), plain) for path, plain in paths_in(records))
    left = {path: plain for path, plain in typed if path}
    needed = ["correct" if "correct" in choice else choice[0] for choice in choices]
    mapping = {} if "part" in names else whole_and_part(needed, left, records)
    left = {path: plain for path, plain in left.items() if path not in mapping.values()}
    asked = ["input"] if kind == "response" and {*_JUDGED} & {*needed, *names} else []
    for field in dict.fromkeys([*_MAPPED[kind], *needed, *asked]):
        if field in {*names, *mapping} or (field == "correct" and "outcome" in names):
            continue
        path = _chosen(field, kind, mapping, left, records)
        if path:
            del left[path]
            name, form = _called(field, path, mapping, records, of_texts=of_texts)
            mapping[name] = form
        elif field in needed:
            mapping[field] = "row()" if field == "item" else "COLUMN"
    if _is_confidence(mapping.get("correct", ""), {*names, *mapping}, records):
        mapping |= {
            "correct": "COLUMN",
            "confidence": mapping["correct"].split(" >=")[0],
        }
    if _lacks_confidences({name: name for name in names} | mapping, records):
        mapping["confidence"] = f"or({mapping.get('confidence', 'confidence')}, -inf)"
    return mapping


def _side_by_side(records: Records) -> Records:
    """Records of one system each, where columns of several stand side by side."""

    def field_of(name: str) -> str:
        left = {name: re.sub(r"[\W_]", "", name.casefold())}
        fields = ("correct", "confidence", "response", "declined")
        exact = (field for field in fields if paths_called(field, left))
        loose = (field for field in fields[1:3] if path_of(field, left))
        return next(chain(exact, loose), "")

    def is_known(name: str) -> bool:
        left = {name: re.sub(r"[\W_]", "", name.casefold())}
        return bool(paths_called("correct", left))

    paths = [path for path, _ in paths_in(records)]
    if "system" in paths or any(map(is_known, paths)):
        return records
    sides = sides_within(paths, field_of)
    if not sides:
        return records
    columns = (column for named in sides.values() for column in named.values())
    taken = {field for column in columns for field in path_fields(column)}
    return [
        {name: value for name, value in one.items() if name not in taken}
        for record in records
        for one in apart(record, sides)
    ]


def _is_confidence(verdict: str, known: Collection[str], records: Records) -> bool:
    """Whether a score is a confidence, and answers are still to be judged.

    It is one if an answer and a right answer stand beside it and no other confidence,
    and if it is a fraction, such as 0.83.
    """
    path, sign, _ = verdict.partition(" >= ")
    given = {"response", "confidence"} & {*known}
    if not sign or given != {"response"} or not {"reference", "references"} & {*known}:
        return False
    held = [value for value in values_at(path, records) if value not in _NOTHING]
    return _are_scores(held) and _are_fractions(held)


def _lacks_confidences(mapping: Mapping[str, str], records: Records) -> bool:
    """Whether a system has confidences, but not for each of its guesses."""
    verdict = next((name for name in _JUDGED if name in mapping), "")
    if not verdict or "confidence" not in mapping:
        return False
    try:
        forms = [
            value_of(mapping.get(name, "text(-)").replace("LIMIT", "0"))
            for name in ("system", verdict, "confidence", "response")
        ]
        rows = [[form(one, 1) for form in forms] for one in records]
    except InputError:
        return False
    guesses = [row for row in rows if row[1] not in _NO_GUESS and row[3] not in _EMPTY]
    having = {str(row[0]) for row in guesses if row[2] not in _NOTHING}
    return any(row[2] in _NOTHING and str(row[0]) in having for row in guesses)


_NOTHING: Final = (None, "", UNSET)
_EMPTY: Final = (None, "")
_NO_GUESS: Final = (*_NOTHING, "unanswered", "unlabelled")


def _called(
    field: str,
    path: str,
    mapping: Mapping[str, str],
    records: Records,
    *,
    of_texts: bool,
) -> tuple[str, str]:
    """The field that a path holds, by what stands there, and the form of it."""
    values = values_at(path, records)
    if field == "reference" and any(isinstance(v, list) for v in values):
        field = "references"
    form = _form(field, path, values, of_texts=of_texts)
    if field == "correct" and form.startswith("cases(") and "response" in mapping:
        verdict, response = (
            path_reader("columns", at) for at in (path, mapping["response"])
        )
        if any(
            verdict(one) in _NOTHING and response(one) not in _NOTHING
            for one in records
        ):
            # Whether these are no answers, or not judged yet, only users know.
            return "outcome", f"{form[:-1]}, ={UNKNOWN})"
    return field, form


def _chosen(
    field: str,
    kind: str,
    mapping: Mapping[str, str],
    left: Mapping[str, str],
    records: Records,
) -> str:
    """The path that holds a field, after those that others hold; empty if none."""
    if field == "item":
        apart = [mapping.get(name, name) for name in ("system", "repeat")]
        return item_path(left, apart, records)
    path = path_of(field, left)
    if not path and field == "confidence":
        names = {*mapping, *(name for record in records for name in record)}
        judged = names & {"correct", "outcome"}
        path = (_score_beside(left, records) or _sure(left, records)) if judged else ""
    if not path and field == kind == "reference":  # it is their answers that are meant
        path = path_of("response", left)
    return path


def _typed(path: str, names: Collection[str]) -> str:
    """A path as it can be typed, the name of a column in quotes; empty if it cannot."""
    if _SIMPLE.fullmatch(path):
        return path
    return f'"{path}"' if path in names and _QUOTABLE.fullmatch(path) else ""


def _score_beside(left: Mapping[str, str], records: Records) -> str:
    """A score from 0 to 1 beside a verdict, which is the confidence if nothing is."""
    scores = (path for path in left if left[path] in SCORES)
    for path in scores:
        held = [value for value in values_at(path, records) if value not in (None, "")]
        if held and _are_scores(held) and _are_fractions(held):
            return path
    return ""


def _sure(left: Mapping[str, str], records: Records) -> str:
    """A column whose name ends in a word for a confidence, and that is read as one."""
    for path in (path for path in left if _SURE.search(left[path])):
        form = _form("confidence", path, values_at(path, records), of_texts=True)
        if form != path or (left[path] not in SCORES and _all_read(path, records)):
            return path
    return ""


def _all_read(path: str, records: Records) -> bool:
    """Whether each value at a path is read as a confidence, as it stands."""
    try:
        for value in values_at(path, records):
            if value not in _NOTHING:
                _read("confidence", value, of_texts=True)
    except InputError:
        return False
    return True


_SURE: Final = re.compile(r"(sure|score|prob|conf|certainty|sicher|sicherheit)$")


def _form(field: str, path: str, values: Sequence[Any], *, of_texts: bool) -> str:
    """A path in the form in which its values are read."""
    held = [value for value in values if value is not None and value != ""]
    last = METRIC.sub("", path.rpartition(".")[2].casefold())
    plain = re.sub(r"[\W_]", "", last)
    numbers = [_number(value) for value in held]
    if field == "confidence" and held and None not in numbers:
        if any(word in plain for word in _LOGARITHMS) and max(numbers) <= 0:  # type: ignore[type-var, operator]
            return f"exp({path})"
        if any(word in plain for word in _RISKS):
            return f"complement({path})"
    numeric = None not in numbers
    if field == "correct" and numeric and (plain in SCORES or _are_scores(held)):
        limit = "0.5" if held and _are_fractions(held) else "LIMIT"
        return f"{path} >= {limit}"
    try:
        for value in held:
            _read(field, value, of_texts=of_texts)
    except InputError:
        forms = proposed_forms(field, held)
        return forms[0][1].format(path) if forms else path
    return path


def _are_scores(values: Sequence[Any]) -> bool:
    """Whether they are numbers, of which some are neither 0 nor 1."""
    numbers = [_number(value) for value in values]
    return None not in numbers and any(number not in (0, 1) for number in numbers)


def _are_fractions(values: Sequence[Any]) -> bool:
    numbers = [_number(value) for value in values]
    return all(number is not None and 0 <= number <= 1 for number in numbers)


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return plain_float(value.strip().replace(",", "."))
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number else None


def _read(field: str, value: Any, *, of_texts: bool) -> None:
    """Raise unless a value, or the text in a cell, can be read as it is."""
    if not (of_texts and isinstance(value, str)):
        checked(field, value, field)
        return
    from demur.formats.written_cells import WrittenCells
    from demur.outcomes.values import cell_rule

    rule = cell_rule(field)
    if rule is not None:
        rule(field, WrittenCells().plain(field, value, field), field)


def answers_decline(path: str, records: Records) -> bool:
    """Whether an answer in records declines in words, as refusals do.

    Examples
    --------
    >>> answers_decline("answer", [{"answer": "Oslo"}, {"answer": "I don't know."}])
    True
    """
    from demur.outcomes.refusals import looks_like_refusal

    texts = {value for value in values_at(path, records) if isinstance(value, str)}
    return any(text.strip() and looks_like_refusal(text) for text in texts)


def rows_within(record: Mapping[str, Any]) -> str:
    """What jq takes the rows out of an object with; empty if it holds none.

    Examples
    --------
    >>> rows_within({"version": 1, "results": {"rows": [{"id": 1}]}})
    '.results.rows[]'
    >>> rows_within({"q1": {"ok": True}, "q2": {"ok": False}})
    'to_entries[] | {item: .key} + .value'
    """
    paths = list(_lists(record, "", 1))
    if len(paths) == 1:
        return f"{paths[0]}[]"
    keys = [set(value) for value in record.values() if isinstance(value, Mapping)]
    if len(record) > 1 and len(keys) == len(record) and set.intersection(*keys):
        return "to_entries[] | {item: .key} + .value"
    return ""


def by_item(record: Mapping[str, Any]) -> str:
    """The log to type of an object whose keys are items; empty if it is a record.

    Examples
    --------
    >>> by_item({"q1": "Oslo", "q2": ""}), by_item({"q1": "SELECT 1", "q2": "null"})
    ('squad2(data=FILE)', 'ehrsql(labels=FILE)')
    >>> by_item({"answer": "Oslo", "q2": ""})
    ''
    """
    texts = [value for value in record.values() if isinstance(value, str)]
    numbered = all(any(map(str.isdigit, name)) for name in record)
    if not texts or len(texts) < len(record) or not (numbered or len(record) > _MANY):
        return ""
    queries = any(map(_QUERY.match, texts))
    return "ehrsql(labels=FILE)" if queries else "squad2(data=FILE)"


_MANY: Final = 50
"""No record has so many fields that all hold texts."""
_QUERY: Final = re.compile(r"\s*(?:select\b|with\b.*\bselect\b)", re.I | re.DOTALL)


def _lists(value: Any, path: str, depth: int) -> Iterator[str]:
    """Paths to lists of objects, as jq writes them."""
    if isinstance(value, Mapping) and depth <= DEEPEST:
        for name, held in value.items():
            if re.fullmatch(r"[A-Za-z_]\w*", str(name), re.ASCII):
                yield from _lists(held, f"{path}.{name}", depth + 1)
    elif path and isinstance(value, list) and value:
        yield from [path] if all(isinstance(row, Mapping) for row in value) else []
