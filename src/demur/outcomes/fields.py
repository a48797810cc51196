"""What each field of a record is and must be, said once.

Readers, columns, records, the join, errors, ``--help`` and the documentation take it
from `FIELDS`. A field has one of these types:

- ``item``: text, not empty, or a whole number, kept as text;
- ``label``: text or a number, kept as text;
- ``outcome``, ``kind``: one of a closed list of names;
- ``code``: one of `demur.outcomes.reasons.REASONS`, or a word of the same form;
- ``number``; ``weight``: one that is positive and finite;
- ``correct``: true, false or a credit;
- ``flag``: true or false;
- ``reason``: why something went wrong, or just that it did;
- ``any``: any JSON value, kept as it is;
- ``list``, ``texts``, ``table``: values that a cell of delimited text holds as JSON.

Further fields are ``text``: whatever they hold, as it is written in JSON.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

from demur.errors import shown
from demur.outcomes.reasons import UNLABELLED

RULE_COLUMN: Final = "context_rule"
"""The further column that says under which rule of context a verdict was given."""

VERDICT_CONFIDENCE: Final = "verdict_confidence"
"""The further column that says how sure a model was of each verdict that it gave."""

OUTCOMES: Final = ("right", "wrong", "unanswered", "ungraded")
"""The four outcomes of a forced choice; a code is a position in this tuple."""

KINDS: Final = (
    *("idk", "refusal", "filter", "truncated", "format", "timeout", "clarify"),
    *("failed", "other"),
)
"""Why there was no answer (the optional column ``kind``)."""

RIGHT: Final = 0
WRONG: Final = 1
UNANSWERED: Final = 2
UNGRADED: Final = 3

UNLABELLED_CODE: Final = 254
"""What ``unlabelled`` is read as, until the table has made it ungraded, with a reason.
"""


@dataclass(frozen=True, slots=True)
class Field:
    """One field, wherever it stands.

    Parameters
    ----------
    name : str
        As files and arguments call it.
    type : str
        See the head of this module.
    meaning : str
        What it says, in a sentence without a full stop.
    of : str
        The records that have it: ``response``, ``reference``, ``outcomes`` (columns of
        the table); ``acceptable`` (what a plain reference holds in place of
        alternatives), ``form`` (another way to say the outcome), ``compared`` (what
        only some comparators read in references).
    usual : any
        What it is where nothing is said.
    also : tuple of str
        What other files call it, for hints.
    """

    name: str
    type: str
    meaning: str
    of: str
    usual: Any = None
    also: tuple[str, ...] = ()


# fmt: off
_LISTED: Final = (
    Field("item", "item", "identifier of the input, text or whole number; required",
          "response reference outcomes",
          also=("id", "qid", "uid", "question_id", "example_id", "doc_id", "custom_id",
                "nr", "nummer", "numéro", "número")),
    Field("part", "label",
          "which part of the item, if its answer is made of parts: a claim, an action, "
          "a field, a slot; empty where an item has none",
          "response reference outcomes"),
    Field("system", "label", "who answered, if there are several",
          "response outcomes", usual=""),
    Field("outcome", "outcome",
          "`right`, `wrong`, `unanswered`, `ungraded`, or `unlabelled` where nobody "
          "has looked; this or `correct` is required",
          "outcomes", also=("verdict", "judgement", "judgment", "result")),
    Field("correct", "correct",
          "`true`, `false`, a credit from 0 to 1, or `null` for no answer",
          "form", also=("is_correct", "score", "accuracy", "passed", "success",
                "richtig", "korrekt", "juste", "correcto", "correcta")),
    Field("credit", "number",
          "beside `outcome`: what a right answer is worth, above 0 and at most 1",
          "outcomes"),
    Field("answered", "flag",
          "`false`: there was no guess, whatever else the row says",
          "form", usual=True),
    Field("confidence", "number",
          "a number, higher is surer; for every guess of a system or for none",
          "response outcomes",
          also=("conf", "certainty", "probability", "prob", "logprob", "score",
                "conf.", "proba", "p", "p_correct", "prob_correct", "max_prob",
                "likelihood", "wahrscheinlichkeit", "konfidenz", "sicherheit",
                "confiance", "confianza",
                "confian\u00e7a", "confidenza",
                "\u0443\u0432\u0435\u0440\u0435\u043d\u043d\u043e\u0441\u0442\u044c",
                "\u7f6e\u4fe1\u5ea6", "\u78ba\u4fe1\u5ea6")),
    Field("declined", "flag", "`true` if the system decided not to give this guess",
          "response outcomes", usual=False),
    Field("answerable", "flag",
          "`false` if no answer is acceptable; then no reference is needed",
          "reference outcomes", usual=True),
    Field("weight", "weight", "how much the item counts; positive",
          "reference outcomes"),
    Field("cluster", "label",
          "dialogue, speaker or document it belongs to; resampling keeps these whole",
          "reference outcomes"),
    Field("label_weight", "number",
          "how many items a person's label stands for: 1 / the chance that the item "
          "was drawn for it; empty where it was not drawn, 0 where it could not be",
          "outcomes"),
    Field("reason", "label", "why the outcome is what it is", "outcomes"),
    Field("reason_code", "code",
          "the class of that reason, one word to count by: `equal`, `both_empty`, "
          "`timeout` and others", "outcomes"),
    Field("kind", "kind",
          f"why there is no answer: {', '.join(f'`{kind}`' for kind in KINDS)}",
          "response outcomes"),
    Field("repeat", "label", "which run, if the item was asked several times",
          "response outcomes"),
    Field("setting", "label",
          "the prompt or announced target, if one system ran under several",
          "response outcomes"),
    Field("error", "reason",
          "why the answer could not be executed; the outcome is `wrong`", "response"),
    Field("failed", "reason",
          "why the system gave nothing, such as a time-out; the outcome is "
          "`unanswered`",
          "response"),
    Field("input", "any", "the question, for display", "reference outcomes"),
    Field("response", "any", "the guess, any JSON value; `null` is no guess",
          "response outcomes",
          also=("answer", "prediction", "predicted", "output", "hypothesis",
                "antwort", "vorhersage", "réponse", "respuesta")),
    Field("ranking", "list",
          "guesses from the best on, each a value or a pair of value and confidence",
          "response"),
    Field("reference", "any", "the acceptable answer",
          "acceptable outcomes", also=("answer", "gold", "target", "expected",
                "erwartet", "lösung", "attendu", "esperado")),
    Field("references", "list",
          "several acceptable answers, each a value or "
          '`{"value": ..., "weight": 0.5}`, where the weight is its credit',
          "acceptable"),
    Field("sqls", "texts",
          "with `--by sql`: several queries in place of `sql`, of which any will do",
          "compared"),
    Field("max_sqls", "texts",
          "with `--by sql`: queries for all that an answer may show", "compared"),
    Field("db", "texts",
          "with `--by sql`: the database that queries run on, or several", "compared"),
    Field("min", "table", "with `--by cas` and `relation`: what an answer must hold",
          "compared"),
    Field("max", "table",
          "with `--by cas` and `relation`: all that an answer may hold", "compared"),
    Field("choices", "table",
          "with `--by letters`: the texts that letters stand for: a list from A on, an "
          "object of letters and texts, or of lists `label` and `text`", "compared"),
    Field("schema", "any",
          "with `--by json`: the JSON Schema that answers must keep to", "compared"),
)
# fmt: on

FIELDS: Final = {field.name: field for field in _LISTED}
"""All fields that have a meaning, by name."""

CODES: Final[Mapping[str, int]] = {name: code for code, name in enumerate(OUTCOMES)}

READ: Final = (*OUTCOMES, UNLABELLED)
"""The outcomes that files may name."""

READ_AS: Final[Mapping[str, int]] = {**CODES, UNLABELLED: UNLABELLED_CODE}
"""What each of them is read as."""

NUMERIC: Final = ("number", "weight", "correct")
"""Types of columns that hold numbers."""

DISPLAY: Final = ("input", "response", "reference")
"""Columns that are read only to be shown."""


@cache
def names_of(record: str) -> tuple[str, ...]:
    """The fields of a record.

    Examples
    --------
    >>> names_of("form")
    ('correct', 'answered')
    """
    return tuple(name for name, field in FIELDS.items() if record in field.of.split())


@cache
def columns() -> tuple[str, ...]:
    """The columns that an outcomes file may have, in either form."""
    return (*names_of("outcomes"), *names_of("form"))


def type_of(name: str) -> str:
    """The type of a field; that of a further one is ``text``."""
    return FIELDS[name].type if name in FIELDS else "text"


def column_type(name: str) -> str:
    """The type of a column of an outcomes file; what is none of the table's is text."""
    return type_of(name) if name in columns() else "text"


_Class = TypeVar("_Class", bound=type)


def record(name: str) -> Callable[[_Class], _Class]:
    """Class decorator, under ``dataclass``: the fields that a record has.

    A field of the table that the class does not name is added, with its usual value;
    ``FIELDS`` in the docstring becomes what each field means.
    """

    def complete(kind: _Class) -> _Class:
        annotations = dict(kind.__annotations__)
        listed = {field: annotations.pop(field, Any) for field in names_of(name)}
        for field, its in listed.items():
            if field not in kind.__annotations__:
                setattr(kind, field, FIELDS[field].usual)
            kind.__annotations__[field] = its
        meanings = [f"{field}\n        {_sentence(field)}" for field in listed]
        text = "\n    ".join(meanings)
        kind.__doc__ = (kind.__doc__ or "").replace("FIELDS", text)
        return kind

    return complete


def _sentence(name: str) -> str:
    meaning = FIELDS[name].meaning
    return f"{meaning[0].upper()}{meaning[1:]}."


MOST_APART = 1e12
"""Weights further apart cannot be added up without losing the light ones."""


def in_range(name: str, values: Any) -> Any:
    """Whether a number, or each of an array, is one that its field may hold.

    Examples
    --------
    >>> in_range("weight", 0.0), in_range("confidence", -3.0)
    (False, True)
    """
    # Comparisons with NaN are False, so that NaN is in no range.
    if type_of(name) == "correct":
        return (values >= 0) & (values <= 1)
    if type_of(name) == "weight":
        return (values > 0) & (values < math.inf)
    return values == values


def maybe(name: str, names: Iterable[str]) -> str:
    """A note that a column is absent and another may be meant; empty if none is.

    Examples
    --------
    >>> maybe("confidence", ["item", "outcome", "Confidence"])
    "there is no column confidence: is it 'Confidence'?"
    """
    listed = list(names)
    if name in listed:  # it is there, and empty
        return ""
    for meant in ([name], also_called(name)):
        for other in listed:
            if other.strip().lower() in meant:
                return f"there is no column {name}: is it {shown(other)}?"
    # Longer names, such as confidence_score; short ones stand in too many words.
    if name == "confidence":
        longer = (other for other in listed if name in other.lower())
        return next(
            (f"there is no column {name}: is it {shown(other)}?" for other in longer),
            "",
        )
    return ""


def also_called(name: str) -> tuple[str, ...]:
    """What other files call a field."""
    return FIELDS[name].also if name in FIELDS else ()


def miscased(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Notes on columns that would be read if they were written otherwise.

    Examples
    --------
    >>> miscased(["item", "Declined"], ["item", "declined"])
    ["the column 'Declined' is not read: is declined meant?"]
    """
    given = list(names)
    absent = set(known).difference(given)
    return [
        f"the column {shown(name)} is not read: is {name.strip().lower()} meant?"
        for name in given
        if name.strip().lower() in absent
    ]


def unread(names: Iterable[str], *, confidence: bool) -> list[str]:
    """Notes on columns that are not read and may be meant to be.

    Parameters
    ----------
    names : iterable of str
        All columns.
    confidence : bool
        Whether a column of confidences was read.

    Examples
    --------
    >>> unread(["item", "probability"], confidence=False)
    ["there is no column confidence: is it 'probability'?"]
    """
    listed = list(names)
    known = [name for name in columns() if name != "confidence"]
    confidence |= "confidence" in listed  # there, and empty
    notes = [] if confidence else [maybe("confidence", listed)]
    return [*filter(None, notes), *miscased(listed, known)]


def system_alone(name: str, group: Mapping[str, str]) -> str:
    """The system of a part that is called by its system and its group.

    Examples
    --------
    >>> system_alone("a, topic = x", {"topic": "x"})
    'a'
    """
    rest = ", ".join(f"{column} = {value}" for column, value in group.items())
    return name.removesuffix(rest).removesuffix(", ") if rest else name


# -- where answers are made of parts ---------------------------------------------------

PARTS_NOTE: Final = (
    "each part counts as an item here, and promises are of parts; choose and compare "
    "are about wholes with --of wholes (of='wholes'), and demur.whole_outcomes makes "
    "one row of each whole"
)
"""What is said where answers are made of parts."""

_ITEMS: Final = re.compile(
    r"(?<=of all )items|(?<=of the )inputs|(?<=have different )items"
    r"|items(?= more of \d)|(?<=less than one )item|item(?= more of \d)"
)


def in_parts(text: str, notes: Iterable[str]) -> str:
    """What is said of items, where these are parts: by `PARTS_NOTE`.

    Examples
    --------
    >>> in_parts("It errs on 0.1 of all items.", [PARTS_NOTE])
    'It errs on 0.1 of all parts.'
    >>> in_parts("It errs on 0.1 of all items.", [])
    'It errs on 0.1 of all items.'
    """
    if PARTS_NOTE not in notes:
        return text
    return _ITEMS.sub(lambda word: _PARTS[word[0]], text)


_PARTS: Final = {"items": "parts", "item": "part", "inputs": "parts"}
