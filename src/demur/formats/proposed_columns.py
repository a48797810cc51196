"""What to type for a file whose columns are called otherwise: the whole mapping."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from demur.errors import InputError
from demur.formats.column_forms import value_of
from demur.formats.paths import path_fields, path_reader
from demur.formats.side_by_side import apart, sides_within
from demur.outcomes.fields import also_called
from demur.outcomes.proposed_forms import proposed_forms
from demur.outcomes.values import UNKNOWN, checked, plain_float

Records = Sequence[Mapping[str, Any]]

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

_ALSO: Final[Mapping[str, str]] = {
    "item": "uuid guid sample_id item_id test_id testid case_id caseid task_id taskid "
    "prompt_id request_id frage_id frageid fall lfd_nr key idx index row case no",
    "input": "question prompt query frage pregunta domanda utterance",
    "system": "model model_name modelname modell bot engine provider",
    "repeat": "epoch repetition attempt trial",
    "response": "completion generated generation generated_text pred guess reply hyp "
    "model_answer model_output actual_output y_pred predicted_label pred_label "
    "predicted_answer ausgabe modellantwort systemantwort llm_output assistant content "
    "text",
    "correct": "verdict outcome judgement judgment grade ok hit pass em exact_match "
    "bewertung urteil treffer iscorrect match acc status result label_correct",
    "confidence": "sure sicher confidence_score logprobs avg_logprob mean_logprob "
    "log_prob loglikelihood konfidenz_score konf uncertainty risk unsicherheit",
    "declined": "abstained abstain refused is_refusal refusal enthalten abgelehnt",
    "reference": "ground_truth groundtruth truth gold_answer gold_label correct_answer "
    "true_label y_true ideal expected_output expected_answer musterl\u00f6sung "
    "soll wahrheit referenz label answer_key solution antwort_soll",
}
"""What else files call fields, where nothing but a proposal hangs on it."""

_WHOLES: Final = (
    "run trace session conversation dialogue episode answer document doc form invoice "
    "question prompt query lauf dokument formular beleg rechnung frage antwort"
)
"""What else files call items that have several rows, beside names with id."""
_PARTS: Final = (
    "part step step_no step_id action_id action_no call_id call_no claim_id claim_no "
    "claim_nr fact_id field field_name slot slot_name sentence_id sentence_no action "
    "teil schritt schritt_nr aktion feld feldname aussage_nr satz_nr claim fact no nr"
)
"""What files call parts, the surest names first."""

_PLAIN: Final = frozenset(["content", "text", "value", "message", "name", "parts"])
"""Names that say less than that of the object around them."""
_BRACES: Final = re.compile(r"\{[^{}]*\}")
"""What the names of columns of several systems differ in."""
_METRIC: Final = re.compile(r"/(?:v\d+/)?score$")
"""How MLflow ends the names of columns with scores."""
_REMARK: Final = re.compile(r"(?<=\S)\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*$")
"""A unit or the like in brackets, behind a name."""
_SCORES: Final = ("score", "accuracy", "acc", "em", "exactmatch")
_LOGARITHMS: Final = ("logprob", "loglik", "logp")
_RISKS: Final = ("risk", "uncertainty", "unsicherheit")
_DEEPEST: Final = 4
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
    typed = ((_typed(path, names), plain) for path, plain in _paths(records))
    left = {path: plain for path, plain in typed if path}
    needed = ["correct" if "correct" in choice else choice[0] for choice in choices]
    mapping = {} if "part" in names else _parts(needed, left, records)
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
        plain = re.sub(r"[\W_]", "", name.casefold())
        fields = ("correct", "confidence", "response", "declined")
        return next((f for f in fields if _paths_called(f, {name: plain})), "")

    paths = [path for path, _ in _paths(records)]
    if "system" in paths or any(map(field_of, paths)):
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
    held = [value for value in _values(path, records) if value not in _NOTHING]
    return _are_scores(held) and _are_fractions(held)


def _lacks_confidences(mapping: Mapping[str, str], records: Records) -> bool:
    """Whether a system has confidences, but not for each of its guesses."""
    verdict = next((name for name in _JUDGED if name in mapping), "")
    if not verdict or "confidence" not in mapping:
        return False
    try:
        forms = [
            value_of(mapping.get(name, "text()").replace("LIMIT", "0"))
            for name in ("system", verdict, "confidence")
        ]
        rows = [[form(one, 1) for form in forms] for one in records]
    except InputError:
        return False
    guesses = [row for row in rows if row[1] not in _NO_GUESS]
    having = {str(row[0]) for row in guesses if row[2] not in _NOTHING}
    return any(row[2] in _NOTHING and str(row[0]) in having for row in guesses)


_NOTHING: Final = (None, "", UNSET)
_NO_GUESS: Final = (*_NOTHING, UNKNOWN, "unanswered", "unlabelled")


def _called(
    field: str,
    path: str,
    mapping: Mapping[str, str],
    records: Records,
    *,
    of_texts: bool,
) -> tuple[str, str]:
    """The field that a path holds, by what stands there, and the form of it."""
    values = _values(path, records)
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
        return _item(left, apart, records)
    path = _path_of(field, left)
    if not path and field == "confidence":
        names = {*mapping, *(name for record in records for name in record)}
        path = _score_beside(left, records) if names & {"correct", "outcome"} else ""
    if not path and field == kind == "reference":  # it is their answers that are meant
        path = _path_of("response", left)
    return path


def _typed(path: str, names: Collection[str]) -> str:
    """A path as it can be typed, the name of a column in quotes; empty if it cannot."""
    if _SIMPLE.fullmatch(path):
        return path
    return f'"{path}"' if path in names and _QUOTABLE.fullmatch(path) else ""


def _paths(records: Records) -> Iterator[tuple[str, str]]:
    """Where values stand, each with the name by which it is known."""
    seen: dict[str, str] = {}
    for record in records[:_LOOKED_AT]:
        seen |= dict(_paths_within(record, "", "", 1))
    yield from seen.items()


_LOOKED_AT: Final = 20


def _paths_within(
    value: Any, path: str, known: str, depth: int
) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and depth <= _DEEPEST:
        for name, held in value.items():
            plain = _BRACES.sub("", str(name).casefold())
            plain = _METRIC.sub("", _REMARK.sub("", plain))
            plain = re.sub(r"[\W_]", "", plain)
            inner = f"{path}.{name}" if path else str(name)
            says_less = plain in _PLAIN and known
            yield from _paths_within(
                held, inner, known if says_less else plain, depth + 1
            )
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        yield from _paths_within(value[0], f"{path}[0]", known, depth + 1)
    elif path:
        yield path, known


def _score_beside(left: Mapping[str, str], records: Records) -> str:
    """A score from 0 to 1 beside a verdict, which is the confidence if nothing is."""
    scores = (path for path in left if left[path] in _SCORES)
    for path in scores:
        held = [value for value in _values(path, records) if value not in (None, "")]
        if held and _are_scores(held) and _are_fractions(held):
            return path
    return ""


def _item(left: Mapping[str, str], apart: Sequence[str], records: Records) -> str:
    """The path that names items, if need be beside the system and the repeat."""
    paths = _paths_called("item", left)
    beside = [_values(path, records) for path in apart]
    beside = [values for values in beside if len(values) == len(records)]
    for path in paths:
        values = _values(path, records)
        keys = zip(values, *beside, strict=False)
        if len(values) == len(records) == len({str(key) for key in keys}):
            return path
    return next((path for path in paths if "id" in left[path]), "")


def _parts(
    needed: Sequence[str], left: Mapping[str, str], records: Records
) -> dict[str, str]:
    """The paths that name wholes and parts, where only both tell rows apart."""
    beside = ("system",) if "system" in records[0] else ()
    named = _item(left, beside, records)
    if "item" not in needed or (named and _names_all(named, beside, records)):
        return {}
    wholes = [path for path in _wholes(left) if not _names_all(path, beside, records)]
    for name in _PARTS.split():
        plain = name.replace("_", "")
        for part in (path for path in left if left[path] == plain):
            for whole in wholes:
                if whole != part and _names_all(whole, (part, *beside), records):
                    return {"item": whole, "part": part}
    return {}


def _wholes(left: Mapping[str, str], records: Records = ()) -> list[str]:
    """Paths that may name wholes; of records those that tell them apart."""
    wholes = [path for path in left if left[path].endswith("id")]
    wholes += [path for name in _WHOLES.split() for path in left if left[path] == name]
    return [path for path in wholes if not records or _names_all(path, (), records)]


def _names_all(path: str, beside: Sequence[str], records: Records) -> bool:
    """Whether values of a path, with those beside it, tell all records apart."""
    columns = [_values(name, records) for name in (path, *beside) if name]
    if not columns or any(len(column) != len(records) for column in columns):
        return False
    return len(set(map(str, zip(*columns, strict=True)))) == len(records)


def _paths_called(field: str, left: Mapping[str, str]) -> list[str]:
    names = [field, *also_called(field), *_ALSO.get(field, "").split()]
    if field == "confidence":
        names = [name for name in names if name not in _SCORES]
    # What is called like a verdict or a reference goes before a score or an answer.
    last = {"correct": _SCORES, "reference": also_called("response")}.get(field, ())
    names.sort(key=lambda name: name in last)
    plain = [re.sub(r"[\W_]", "", name) for name in names]
    return [path for name in plain for path in left if left[path] == name]


def _path_of(field: str, left: Mapping[str, str]) -> str:
    """The path that holds a field: by its name, else by a word of its name."""
    paths = _paths_called(field, left)
    if field == "correct" and (not paths or left[paths[0]] in _SCORES):
        paths = [path for path in left if _VERDICT.fullmatch(left[path])] or paths
    if not paths and field in ("confidence", "response", "reference"):
        words = (field, *also_called(field), *_ALSO[field].split())
        long = [re.sub(r"[\W_]", "", w) for w in words if len(w) > _SHORTEST]
        long = [word for word in long if word not in _SCORES]
        paths = [path for path in left for word in long if word in left[path]]
    return paths[0] if paths else ""


_SHORTEST: Final = 4
_VERDICT: Final = re.compile(
    r"(?!n?in|num|n_|total|percent|share)\w*(correct|verdict|judge?ment|richtig|korrekt)"
    r"|(bewertung|urteil|verdict|judge?ment)\w*"
)
"""Names that end or begin in a word for a verdict, such as ``humancorrect``."""


def _values(path: str, records: Records) -> list[Any]:
    read = path_reader("columns", path)
    return [value for record in records if (value := read(record)) is not UNSET]


def _form(field: str, path: str, values: Sequence[Any], *, of_texts: bool) -> str:
    """A path in the form in which its values are read."""
    held = [value for value in values if value is not None and value != ""]
    last = _METRIC.sub("", path.rpartition(".")[2].casefold())
    plain = re.sub(r"[\W_]", "", last)
    numbers = [_number(value) for value in held]
    if field == "confidence" and held and None not in numbers:
        if any(word in plain for word in _LOGARITHMS) and max(numbers) <= 0:  # type: ignore[type-var, operator]
            return f"exp({path})"
        if any(word in plain for word in _RISKS):
            return f"complement({path})"
    numeric = None not in numbers
    if field == "correct" and numeric and (plain in _SCORES or _are_scores(held)):
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

    texts = {value for value in _values(path, records) if isinstance(value, str)}
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


def parts_within(mapping: Mapping[str, str], records: Records) -> str:
    """What jq makes lists of parts with, where records hold them; empty if none do.

    Examples
    --------
    >>> fields = [{"name": "total", "ok": True}, {"name": "date", "ok": True}]
    >>> parts_within({"correct": "fields[0].ok"}, [{"doc": "d1", "fields": fields}])
    '{item: .doc, parts: [.fields[] | {part: .name, correct: .ok}]}'
    """
    path, sign, _ = mapping.get("correct", "").partition("[0].")
    if not sign or not _JQ.fullmatch(path):
        return ""
    lists = [held for held in _values(path, records) if isinstance(held, list)]
    inner = {
        field: form.removeprefix(f"{path}[0].")
        for field, form in mapping.items()
        if form.startswith(f"{path}[0].") and field not in ("item", "system")
    }
    part = _name_of_parts(lists)
    item = next(iter(_wholes(dict(_paths(records)), records)), "")
    system = mapping.get("system", "")
    outer = {"item": item, **({"system": system} if _JQ.fullmatch(system) else {})}
    named = {"part": part, **inner}
    if not all(map(_JQ.fullmatch, [*outer.values(), *named.values()])):
        return ""
    within = f"[.{path}[] | {{{_jq(named)}}}]"
    return f"{{{_jq(outer)}, parts: {within}}}"


_JQ: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
"""A path that jq reads with a point before it."""


def _jq(named: Mapping[str, str]) -> str:
    return ", ".join(f"{field}: .{path}" for field, path in named.items())


def _name_of_parts(lists: Sequence[list[Any]]) -> str:
    """What tells elements of a list apart, where some list has several."""
    rows = [row for held in lists for row in held if isinstance(row, Mapping)]
    if max(map(len, lists), default=0) < _SEVERAL or len(rows) < sum(map(len, lists)):
        return ""
    names = (*_PARTS.split(), "name", "key", "tool", "id")
    return next((name for name in names if _differ(name, lists)), "")


def _differ(name: str, lists: Sequence[list[Any]]) -> bool:
    return all(len({str(row.get(name)) for row in held}) == len(held) for held in lists)


_SEVERAL: Final = 2


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
    if isinstance(value, Mapping) and depth <= _DEEPEST:
        for name, held in value.items():
            if re.fullmatch(r"[A-Za-z_]\w*", str(name), re.ASCII):
                yield from _lists(held, f"{path}.{name}", depth + 1)
    elif path and isinstance(value, list) and value:
        yield from [path] if all(isinstance(row, Mapping) for row in value) else []
