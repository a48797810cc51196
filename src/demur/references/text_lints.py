"""What can be wrong with references, as far as their own text shows it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from demur import answers
from demur.answers.numerals import decimal
from demur.answers.tables.modes import MODES, TableSettings
from demur.answers.tables.modes import weights as read_weights
from demur.answers.tables.relation_values import Relation
from demur.answers.tables.relations import MINIMUM_IS, compare_relations
from demur.answers.tabular import Canonical, Unreadable
from demur.answers.values import json_text
from demur.errors import InputError, shown
from demur.outcomes.contexts import (
    DialogueTurn,
    NamedContext,
    class_of,
    dialogue_turn,
    named_contexts,
)
from demur.outcomes.records import Reference
from demur.references.findings import Finding
from demur.sql.clauses import LONGEST, clauses_of
from demur.sql.reference_fields import readable_texts
from demur.sql.unstable import is_random, reads_clock

_RELATIVE: Final = re.compile(
    r"""\b(?:today|tonight|tomorrow|yesterday|nowadays)(?:'s)?\b
    |\b(?:right|by|from|until|till)\s+now\b
    |(?<=\w\s)now\W*$
    |\b(?:this|next|last|past|coming|current)\s+
     (?:morning|afternoon|evening|night|day|week|weekend|month|quarter|year
       |(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b
    |\bago\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NO: Final = ("NO", "FALSE")
_CLASSES: Final = ("A", "D", "X")
_QUOTED: Final = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
_READS: Final = re.compile(r"\b(?:from|table)\b", re.IGNORECASE)
_MOST_COMPARED: Final = 50


def check_texts(references: Sequence[Reference]) -> Iterator[Finding]:
    """All checks that need no database, of one reference after the other.

    Parameters
    ----------
    references : sequence of Reference
        All of a set, in order: a context comes before the items that lean on it.

    Yields
    ------
    Finding

    Examples
    --------
    >>> both = (("((1))", 1.0), ("1", 1.0))
    >>> for finding in check_texts([Reference(item="q1", alternatives=both)]):
    ...     print(finding)
    q1: equal-alternatives: alternatives 1 and 2 are equal
    """
    turns = [_turn(reference) for reference in references]
    in_use = not {turn.label for turn in turns}.isdisjoint(_CLASSES)
    contexts = named_contexts(turns)
    for reference, turn, named in zip(references, turns, contexts, strict=True):
        findings = [
            *(_values(reference) if reference.answerable else ()),
            *_weights(reference),
            *_dates(reference),
            *_order(reference),
            *_unanswerable(reference),
            *_unchecked(reference),
            *_constant(reference),
            *_marks(reference),
            *_context(turn, named, turns),
            *_leaning(turn, named, turns),
            *(_unknown_class(turn.label) if in_use else ()),
        ]
        item, place = str(reference.item), reference.place
        yield from (Finding(item, check, text, place) for check, text in findings)


def check_repeated(references: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Items that are listed more than once.

    Parameters
    ----------
    references : iterable of (item, place)
        In the order in which they are listed.

    Examples
    --------
    >>> print(*check_repeated([("q1", "a:1"), ("q1", "a:2")]))
    a:2: q1: item-repeated: is there already, at a:1
    """
    first: dict[str, str] = {}
    for item, place in references:
        if item in first:
            text = f"is there already, at {first[item]}" if first[item] else "again"
            yield Finding(item, "item-repeated", text, place)
        first.setdefault(item, place)


def fault(problem: InputError) -> tuple[str, str]:
    """The check, and what it says, of a fault in a reference that stops judging.

    Examples
    --------
    >>> fault(InputError("a:1", "mode", "be one of bag, cas2", "'heap'"))
    ('not-a-reference', "mode must be one of bag, cas2; got 'heap'")
    """
    check = "odd-weights" if problem.what == "weights" else "not-a-reference"
    text = f"{problem.what} must {problem.must}; got {problem.got}"
    return check, f"{text}. {problem.hint}" if problem.hint else text


def canonical_of(reference: Reference) -> tuple[Canonical, ...]:
    """The tabular answers that a reference holds; none if it holds other values.

    Raises
    ------
    InputError
        If a field that says how to compare is not what it must be.
    """
    values = [value for value, _ in reference.alternatives]
    given = [reference.extra.get(name) for name in ("min", "max")]
    if not any(map(_is_tabular, values)) and given == [None, None]:
        return ()
    listed = any(isinstance(value, list) for value in (*values, *given))
    cas_texts = any(
        isinstance(part, str)
        for value in (*values, *given)
        for part in (value if isinstance(value, list) else [value])
    )
    made = answers.relation if listed and not cas_texts else answers.cas
    reader = made(maximum="none")  # only what references say is looked at
    return tuple(canonical for canonical, _ in reader.read_reference(reference))


def empty_places(relations: Sequence[Relation]) -> list[int]:
    """Positions of empty relations, unless another one says NO for the same thing.

    Examples
    --------
    >>> no, nothing = Relation.from_scalar(False), Relation.from_rows([])
    >>> empty_places([no, nothing]), empty_places([nothing])
    ([], [0])
    """
    if any(_says_no(relation) for relation in relations):
        return []
    return [at for at, relation in enumerate(relations) if not relation.n_rows]


def equal_pairs(relations: Sequence[Relation], settings: TableSettings) -> list[str]:
    """Pairs of alternatives that are right or wrong together, in words.

    Of many, only the first are compared.

    Examples
    --------
    >>> alternatives = [Relation.from_scalar(1), Relation.from_rows([[1]])]
    >>> equal_pairs(alternatives, TableSettings())
    ['alternatives 1 and 2 are equal']
    """
    plain = TableSettings(mode=settings.mode, ordered=settings.ordered)
    relations = relations[:_MOST_COMPARED]

    def accepts(reference: Relation, response: Relation) -> bool | None:
        return compare_relations(
            response=response, reference=reference, settings=plain
        ).right

    return [
        f"alternatives {at + 1} and {later + 1} are equal"
        for later, other in enumerate(relations)
        for at, one in enumerate(relations[:later])
        if accepts(one, other) and accepts(other, one)
    ]


def beyond_maximum(
    minimum: Relation, maximum: Relation, settings: TableSettings
) -> str:
    """Why the minimum is not within its maximum; "" if it is."""
    explanation = compare_relations(
        response=minimum, reference=minimum, settings=settings, maximum=maximum
    )
    why = explanation.reason.removeprefix(MINIMUM_IS)
    return "" if explanation.right else why


_Found = Iterator[tuple[str, str]]

# -- values --------------------------------------------------------------------------


def _is_tabular(value: Any) -> bool:
    if isinstance(value, str):
        return value.lstrip().startswith("(")
    rows = isinstance(value, list) and all(isinstance(row, list) for row in value)
    return rows or isinstance(value, Relation)


def _values(reference: Reference) -> _Found:
    settled = _not_scored(reference)
    for value, _ in reference.alternatives:
        blank = isinstance(value, str) and (
            not value.strip() or value.strip().upper() == "NO_ANSWER"
        )
        if blank and not settled:
            yield "empty-answer", f"the reference is {shown(value)}"
    try:
        TableSettings().with_fields("reference", reference.extra)
        _read_weights(reference)
        canonical = canonical_of(reference)
    except InputError as problem:
        yield fault(problem)
        return
    if not canonical:
        yield from _equal_values(reference)
        return
    for one in canonical:
        for relation, name in ((one.minimum, "answer"), (one.maximum, "maximum")):
            if isinstance(relation, Unreadable):
                yield "cas-syntax", f"the {name} cannot be read: {relation.reason}"
    yield from _relations(canonical)


def _relations(canonical: Sequence[Canonical]) -> _Found:
    minima = [one.minimum for one in canonical if isinstance(one.minimum, Relation)]
    settings = canonical[0].settings
    if len(minima) == len(canonical):
        for at in empty_places(minima):
            yield "empty-answer", _of_alternative("the answer has no rows", at, minima)
        for text in equal_pairs(minima, settings):
            yield "equal-alternatives", text
    for at, one in enumerate(canonical):
        for check, text in _of_pair(one):
            yield check, _of_alternative(text, at, canonical)


def _of_pair(one: Canonical) -> _Found:
    if not isinstance(one.minimum, Relation):
        return
    if isinstance(one.maximum, Relation):
        why = beyond_maximum(one.minimum, one.maximum, one.settings)
        if why:
            yield "min-beyond-max", f"the minimum is not within the maximum ({why})"
    if not one.settings.coerce_numeric_text:
        yield from numerals(one.minimum)


def numerals(relation: Relation) -> Iterator[tuple[str, str]]:
    """Findings on columns that hold texts only, each of which is a numeral.

    Examples
    --------
    >>> relation = Relation.from_rows([["080", "A", 1], ["747", "B", 2]])
    >>> [check for check, _ in numerals(relation)]
    ['numeric-text']
    """
    for at, column in enumerate(relation.columns):
        cells = [cell for cell in column.tolist() if cell is not None]
        if cells and all(isinstance(c, str) and decimal(c) is not None for c in cells):
            text = f"column {at + 1} holds numerals as texts, such as {shown(cells[0])}"
            text += ": a number will not match; if it should, set coerce_numeric_text"
            yield "numeric-text", text


def _equal_values(reference: Reference) -> _Found:
    first: dict[str, int] = {}
    for other, (value, _) in enumerate(reference.alternatives, 1):
        one = first.setdefault(json_text(value), other)
        if one != other:
            yield "equal-alternatives", f"alternatives {one} and {other} are equal"


def _of_alternative(text: str, at: int, all_: Sequence[Any]) -> str:
    return text if len(all_) == 1 else f"alternative {at + 1}: {text}"


def _says_no(relation: Relation) -> bool:
    if relation.n_rows != 1 or relation.n_columns != 1:
        return False
    cell = relation.rows()[0][0]
    if isinstance(cell, str):
        return cell.strip().upper() in _NO
    return cell is False


def _not_scored(reference: Reference) -> bool:
    return class_of(reference.extra) == "X"


# -- the rest ------------------------------------------------------------------------


def _weights(reference: Reference) -> _Found:
    """Whether an answer can be fully right; what is no weight is said elsewhere."""
    if reference.extra.get("weights") is None:
        listed = [weight for _, weight in reference.alternatives]
        of_queries = [weight for _, weight in readable_texts(reference.extra, "sql")]
    else:
        listed, of_queries = [], []
        with suppress(InputError):  # said elsewhere
            listed = _read_weights(reference)
    for weights in (listed, of_queries):
        numbers = [w for w in weights if isinstance(w, (int, float))]
        if numbers and 0 < max(numbers) < 1:
            text = "no alternative has weight 1, the best has"
            yield "odd-weights", f"{text} {max(numbers):g}"


def _read_weights(reference: Reference) -> list[float]:
    given = reference.extra.get("weights")
    return [] if given is None else read_weights("reference", given)


def _dates(reference: Reference) -> _Found:
    question = reference.input if isinstance(reference.input, str) else ""
    match = _RELATIVE.search(question)
    if match and reference.answerable and not _not_scored(reference):
        word = shown(match.group().rstrip("?!. "))
        text = f"the question says {word}, which moves with the calendar"
        yield "relative-date", text
    for sql, _ in _all_queries(reference):
        if reads_clock(sql):
            yield "clock-in-sql", "the SQL reads the clock"
        if is_random(sql):
            yield "random-in-sql", "the SQL draws random numbers"


def _all_queries(reference: Reference) -> list[tuple[str, float]]:
    least = readable_texts(reference.extra, "sql")
    return least + readable_texts(reference.extra, "max_sql")


def _order(reference: Reference) -> _Found:
    """Of the order of rows, and of limits without one."""
    try:
        settings = TableSettings().with_fields("", reference.extra)
    except InputError:
        return  # said elsewhere
    ordered = settings.rows == "order"
    judged = ordered or (MODES[settings.mode].as_printed and settings.ordered is None)
    for sql, _ in readable_texts(reference.extra, "sql"):
        clauses = clauses_of(sql)
        if clauses is None:
            continue
        if ordered and not clauses.keys:
            yield "ordered-unsorted", "the order counts, but the SQL has no ORDER BY"
        if clauses.keys and not (clauses.limited or judged):
            text = "the SQL sorts, but the order of rows will not count: set `ordered`"
            yield "order-not-judged", text
        if clauses.limited and not clauses.keys:
            text = "the SQL has LIMIT without ORDER BY: any rows will do"
            yield "limit-unsorted", text


def _unchecked(reference: Reference) -> _Found:
    queries = _all_queries(reference)
    n_queries = len(readable_texts(reference.extra, "sql"))
    for count in {n_queries, len(reference.alternatives)}:
        if count > _MOST_COMPARED:
            text = f"of {count} alternatives only the first {_MOST_COMPARED}"
            yield "unchecked", f"{text} are compared with each other"
    for sql, _ in queries:
        if len(sql) > LONGEST:
            text = f"the SQL has {len(sql):,} characters, too many for looking at its"
            yield "unchecked", f"{text} text"
            continue
        clauses = clauses_of(sql)
        odd = clauses is not None and clauses.limited and clauses.limit is None
        if odd and clauses is not None and clauses.keys:
            text = "LIMIT says no plain number: what it cuts is not looked at"
            yield "unchecked", text


def _unanswerable(reference: Reference) -> _Found:
    if reference.answerable:
        return
    known = ("sql", "sqls", "min", "max")
    names = [name for name in known if reference.extra.get(name)]
    names += ["reference"] if reference.alternatives else []
    if names:
        text = f"is not answerable, but has an answer ({', '.join(names)})"
        yield "unanswerable-answered", text


def _turn(reference: Reference) -> DialogueTurn:
    """The turn of a reference; without marks that are none, which is said elsewhere."""
    try:
        return dialogue_turn(reference, reference.place)
    except InputError:
        extra = {**reference.extra, "excluded": None, "reset": None}
        return dialogue_turn(replace(reference, extra=extra), reference.place)


def _marks(reference: Reference) -> _Found:
    try:
        dialogue_turn(reference, reference.place)
    except InputError as problem:
        yield fault(problem)


def _context(
    turn: DialogueTurn, named: Sequence[NamedContext], turns: Sequence[DialogueTurn]
) -> _Found:
    for name, at, why in named:
        there = f"its context {shown(name)}"
        if why == "unknown":
            yield "unknown-context", f"{there} is no item"
        elif why == "later":
            yield "later-context", f"{there} does not come before it"
        elif why == "elsewhere" and at is not None:
            text = "{}, not {}".format(*map(shown, (turns[at].dialogue, turn.dialogue)))
            yield "other-cluster", f"{there} is in cluster {text}"


def _leaning(
    turn: DialogueTurn, named: Sequence[NamedContext], turns: Sequence[DialogueTurn]
) -> _Found:
    """Of class D: what it leans on, and whether that can be answered."""
    if turn.label == "D" and not named:
        yield "no-context", "is of class D, and names no context that it leans on"
    for name, at, _ in () if turn.excluded else named:
        if at is not None and turns[at].excluded:
            how = "of class X" if turns[at].label == "X" else "excluded"
            text = f"its context {shown(name)} is {how}, which nobody answers"
            yield "excluded-context", text


def _unknown_class(name: str) -> _Found:
    if name and name not in _CLASSES:
        text = f"class {shown(name)} is none of {', '.join(_CLASSES)}"
        yield "unknown-class", text


def _constant(reference: Reference) -> _Found:
    """Queries that give the same whatever is in the database."""
    if not reference.answerable:
        return
    for at, (sql, _) in enumerate(queries := readable_texts(reference.extra, "sql")):
        if len(sql) <= LONGEST and not _READS.search(_QUOTED.sub("", sql)):
            text = "the SQL reads no table: it always says the same"
            yield "constant-sql", _of_alternative(text, at, queries)
            return  # one is enough to look at all of them
