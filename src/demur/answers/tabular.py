"""The comparators ``cas`` and ``relation``: what they read, and what they say.

Both compare tables by `demur.answers.tables.relations`. They differ in what a value is:
a CAS text, or rows. Both read whole references, because a reference may say how it is
to be compared, and may have a maximum.
"""

import json
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

from demur.answers.alternatives import Alternatives
from demur.answers.comparators import Match
from demur.answers.floors import EMPTY, constant_of
from demur.answers.tables import cas_text
from demur.answers.tables.explanations import Explanation, stated
from demur.answers.tables.modes import MAXIMA, MODES, TableSettings, flag, weights
from demur.answers.tables.relation_values import (
    Relation,
    first_columns,
    relation_of,
)
from demur.answers.tables.relations import compare_relations
from demur.calls import call_text
from demur.checks import choice
from demur.errors import InputError, shown
from demur.outcomes.reasons import BAD_REFERENCE
from demur.outcomes.records import Reference

LONGEST: Final = 100_000
"""Characters of a text that is read, as of SQL that is run: no limit of time holds."""

_NO_ANSWER: Final = "no_answer"
_USUAL: Final = TableSettings()
_ROWS: Final = re.compile(r"\s*\[\s*[\[\]]")


class Unreadable(NamedTuple):
    """A value that is no answer in the form that it should have.

    Parameters
    ----------
    reason : str
        What is wrong with it.
    """

    reason: str


class Canonical(NamedTuple):
    """One alternative of a reference, ready for comparison.

    Parameters
    ----------
    minimum : Relation or Unreadable
        What must be there.
    maximum : Relation or Unreadable, optional
        What may be there.
    settings : Settings
        How it is compared.
    derived : bool
        Whether the maximum is the minimum itself, since the reference gives none: then
        an answer may show a column twice.
    """

    minimum: Relation | Unreadable
    maximum: Relation | Unreadable | None
    settings: TableSettings
    derived: bool = False


_Reading = tuple[Relation, ...] | Unreadable


class _Tabular:
    """What both comparators do, given how one of them reads a value."""

    instead: ClassVar[tuple[str, ...]] = ("min",)
    settings: TableSettings
    maximum: str

    def read(self, value: Any) -> _Reading:
        """The alternatives that a value holds, or what is wrong with it."""
        if isinstance(value, str) and len(value) > LONGEST:
            reason = f"it has {len(value):,} characters; at most {LONGEST:,} are read"
            return Unreadable(reason)
        try:
            return self._relations(value)
        except InputError as problem:
            return Unreadable(_fault_text(problem))

    @abstractmethod
    def _relations(self, value: Any) -> tuple[Relation, ...]:
        """The tables that a value stands for."""

    @abstractmethod
    def _several(self, value: Any) -> list[Any]:
        """A value, or the values of a list of alternatives; None stands for none."""

    # -- references ----------------------------------------------------------------

    def read_reference(self, reference: Reference) -> Alternatives:
        """Alternatives with their maxima, settings and weights.

        Raises
        ------
        InputError
            If a field that says how to compare is not what it must be.
        """
        extra, place = reference.extra, reference.place or "reference"
        settings = self.settings.with_fields(place, extra)
        pairs = self._minima(reference, extra, place)
        minima = [
            (one, weight) for value, weight in pairs for one in self._sides(value)
        ]
        credits_ = [weight for _, weight in minima]
        if extra.get("weights") is not None:
            credits_ = weights(place, extra["weights"])
            if len(credits_) != len(minima):
                need = f"be one for each of {len(minima)} alternatives"
                raise InputError(place, "weights", need, str(len(credits_)))
        given = extra.get("max")
        maxima = self._maxima(given, len(minima))
        read = zip(minima, maxima, credits_, strict=True)
        return tuple(
            (self._canonical(minimum, maximum, settings, given=given), weight)
            for (minimum, _), maximum, weight in read
        )

    def _canonical(
        self, minimum: Any, maximum: Any, settings: TableSettings, *, given: Any = None
    ) -> Canonical:
        """An alternative, with itself as its maximum where none is given.

        By the rules of 1989 a single value may stand beside others; by those of 1990
        any table with rows is YES.
        """
        derived = given is None and self.maximum == "derived"
        derived &= MODES[settings.mode].cas and isinstance(minimum, Relation)
        if derived:
            single = minimum.n_rows == minimum.n_columns == 1
            free = settings.rules == "1989" or (
                settings.rules == "1990" and minimum.columns[0].values.dtype == bool
            )
            derived = not (single and free)
        return Canonical(minimum, minimum if derived else maximum, settings, derived)

    def _minima(
        self, reference: Reference, extra: Mapping[str, Any], place: str
    ) -> tuple[tuple[Any, float], ...]:
        given = extra.get("min")
        if given is None:
            return reference.alternatives
        if reference.alternatives:
            need = "give its answer as `reference`, `references` or `min`"
            raise InputError(place, "a reference record", need, "two of them")
        return tuple((value, 1.0) for value in self._several(given))

    def _sides(self, value: Any) -> list[Relation | Unreadable]:
        reading = self.read(value)
        if isinstance(reading, Unreadable):
            return [reading]
        if not reading:
            return [Unreadable("NO_ANSWER; mark the item with answerable: false")]
        return list(reading)

    def _maxima(self, given: Any, count: int) -> list[Relation | Unreadable | None]:
        if given is None:
            return [None] * count
        maxima: list[Relation | Unreadable | None] = []
        for value in self._several(given):
            maxima += [None] if value is None else self._sides(value)
        if len(maxima) == count:
            return maxima
        reason = f"{count} alternatives, but {len(maxima)} maxima"
        return [Unreadable(reason)] * count

    def constants(self, reference: Reference) -> Iterator[str]:
        """The answers that would be right without a look: empty, or of one value."""
        for canonical, weight in self.read_reference(reference):
            name = constant_of(canonical.minimum)
            right = name != EMPTY or self.settings.empty == "right"
            if name is not None and right and weight == 1:
                yield name

    # -- comparing -----------------------------------------------------------------

    def compare(self, response: _Reading, reference: Canonical | _Reading) -> Match:
        """Compare a response with one alternative, or with a value as read alone."""
        explanation = self.explanation(response, reference)
        right = explanation.right
        credit = None if right is None else float(right)
        return Match(credit, explanation.reason, explanation.code)

    def explanation(
        self, response: _Reading, reference: Canonical | _Reading
    ) -> Explanation:
        """The verdict with what it rests on."""
        if not isinstance(reference, Canonical):
            return self._against_any(response, reference)
        settings = reference.settings
        broken = [side for side in reference[:2] if isinstance(side, Unreadable)]
        if broken:
            reason = f"reference: {broken[0].reason}"
            return stated(settings, None, BAD_REFERENCE, reason)
        if isinstance(response, Unreadable):
            reason = f"not an answer: {response.reason}"
            return stated(settings, False, "not_an_answer", reason)
        if len(response) != 1:
            reason = "alternatives in an answer" if response else "no answer"
            code = "not_an_answer" if response else "no_guess"
            return stated(settings, False, code, reason)
        return _compared(response[0], reference)

    def _against_any(self, response: _Reading, reference: _Reading) -> Explanation:
        readings = [reference] if isinstance(reference, Unreadable) else list(reference)
        if not readings:
            readings = [Unreadable("NO_ANSWER")]
        explanations = [
            self.explanation(response, self._canonical(reading, None, self.settings))
            for reading in readings
        ]
        right = (verdict for verdict in explanations if verdict.right)
        return next(right, explanations[0])

    def explain(self, response: Any, reference: Reference) -> str:
        """How a response stands to each alternative of its reference, for people."""
        alternatives = self.read_reference(reference)
        reading = self.read(response)
        texts = [str(self.explanation(reading, one)) for one, _ in alternatives]
        if len(texts) == 1:
            return texts[0]
        return "\n".join(
            f"alternative {number} of {len(texts)}: {text}"
            for number, text in enumerate(texts, 1)
        )


@dataclass(frozen=True, slots=True, repr=False)
class Cas(_Tabular):
    """The comparator that `cas` makes.

    Parameters
    ----------
    settings : Settings
        How tables are compared, unless a reference says otherwise.
    lenient : bool
        Whether ``(1 2)`` is read as a relation of one column.
    maximum : str
        One of `MAXIMA`; the modes of other evaluators know none.
    """

    version: ClassVar[str] = "cas/2"
    settings: TableSettings = _USUAL
    lenient: bool = False
    maximum: str = "derived"

    def __str__(self) -> str:
        lenient = {"lenient": True} if self.lenient else {}
        return call_text("cas", _options(self) | lenient)

    __repr__ = __str__

    def _relations(self, value: Any) -> tuple[Relation, ...]:
        if isinstance(value, str):
            return cas_text.parse_cas(value, lenient=self.lenient).alternatives
        return (relation_of(value),)

    def _several(self, value: Any) -> list[Any]:
        listed = isinstance(value, (list, tuple)) and value
        if listed and all(isinstance(text, str) for text in _given(value)):
            return list(value)
        return [value]

    def is_no_guess(self, value: Any) -> bool:
        """Whether it is NO_ANSWER, in capitals or small letters, and nothing else."""
        named = isinstance(value, str) and _NO_ANSWER in value.lower()
        return named and self.read(value) == ()


@dataclass(frozen=True, slots=True, repr=False)
class Relational(_Tabular):
    """The comparator that `relation` makes.

    Parameters
    ----------
    settings : Settings
        How tables are compared, unless a reference says otherwise.
    maximum : str
        One of `MAXIMA`; the modes of other evaluators know none.
    """

    version: ClassVar[str] = "relation/2"
    settings: TableSettings = _USUAL
    maximum: str = "derived"

    def __str__(self) -> str:
        return call_text("relation", _options(self))

    __repr__ = __str__

    def _relations(self, value: Any) -> tuple[Relation, ...]:
        if isinstance(value, str) and _ROWS.match(value):
            value = _rows(value)
        return (relation_of(value),)

    def is_no_guess(self, value: Any) -> bool:  # noqa: ARG002
        """There is no other way than None and NO_ANSWER, which all comparators know."""
        return False

    def _several(self, value: Any) -> list[Any]:
        """Several relations are lists of lists of lists, and nothing else is."""
        if isinstance(value, (list, tuple)) and value:
            given = _given(value)
            if all(isinstance(alternative, Relation) for alternative in given):
                return list(value)
            if all(map(_is_rows, given)) and any(map(len, given)):
                return list(value)
        return [value]


def _compared(response: Relation, reference: Canonical) -> Explanation:
    """The verdict on a table; one column twice is no more than the column."""

    def explanation(response: Relation) -> Explanation:
        return compare_relations(
            response=response,
            reference=reference.minimum,
            settings=reference.settings,
            maximum=reference.maximum,
        )

    verdict = explanation(response)
    if not reference.derived or verdict.code != "beyond_maximum":
        return verdict
    once = response.with_columns(first_columns(response.columns))
    if once.n_columns == response.n_columns:
        return verdict
    again = explanation(once)
    return again if again.right else verdict


def _options(comparator: Cas | Relational) -> dict[str, Any]:
    """What a comparator shows of its settings and its maximum."""
    options = comparator.settings.unusual()
    if MODES[comparator.settings.mode].cas or comparator.maximum != "derived":
        options["maximum"] = comparator.maximum
    return options


def _rows(text: str) -> Any:
    """A table in a text, as files that hold nothing but text have it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        need = "be a list of rows in JSON"
        raise InputError("relation", "the text", need, shown(text)) from None


def _given(values: Sequence[Any]) -> list[Any]:
    return [value for value in values if value is not None]


def _is_rows(value: Any) -> bool:
    listed = isinstance(value, (list, tuple))
    return listed and all(isinstance(row, (list, tuple)) for row in value)


def _fault_text(problem: InputError) -> str:
    where = problem.where.removeprefix("CAS:")
    place = f" (line {where.replace(':', ', column ')})" if ":" in where else ""
    return f"{problem.what} must {problem.must}; got {problem.got}{place}"


# -- makers ------------------------------------------------------------------------


def cas(  # noqa: PLR0913  (options are independent of each other)
    *,
    mode: str = "cas2",
    rules: str = "1992",
    relative: Any = "0.0001",
    coerce_numeric_text: Any = False,
    lenient: Any = False,
    steps: Any = _USUAL.steps,
    maximum: str = "derived",
    empty: str = "right",
    integers: str = "exact",
    decimals: Any = None,
    days: Any = False,
) -> Cas:
    """Equality of canonical answers, written in the Common Answer Specification.

    Rule (``cas/2``, mode ``cas2``): a response is right if its columns can stand for
    those of the reference, one injective mapping for all rows, so that both hold the
    same set of tuples. Order of columns, order of rows and what is repeated do not
    count; further columns do, unless ``maximum=none`` or the maximum has them. Texts
    are compared with case and without outer white space, moments in ISO 8601 with T or
    a blank, a day and its midnight as one; integers exactly, also with
    reals; two reals within ``relative`` times the reference's number; NIL equals NIL
    only; types are strict. A single value equals a table of one element. Of
    ``(A OR B)`` in a reference any alternative will do. All tuples of the response must
    also be in the maximum: the reference's ``max``, or the reference itself.

    A response that is no CAS text, or one of more than 100,000 characters, is wrong,
    with the reason; such a reference leaves the item ungraded, and so does a comparison
    that takes too many steps. A reference may have its own ``mode``, ``ordered``,
    ``order_by``, ``rules``, ``coerce_numeric_text``, ``decimals``, ``days``,
    ``weights``, ``max``, and ``min`` in place of ``reference``.

    Parameters
    ----------
    mode : {"cas2", "bag", "ordered", "bird-ex", "test-suite", ...}
        How rows must agree: ``demur.answers.tables.modes``.
    rules : {"1992", "1990", "1989"}
        Which year's reading of single values: in 1990 a table with rows also means YES,
        one without NO, in 1989 a single value may have further columns beside it.
    relative : number
        Tolerance of reals as a fraction, from 0 to below 1.
    coerce_numeric_text : bool
        Whether texts that are numerals count as numbers.
    lenient : bool
        Whether ``(1 2)`` is read as a relation of one column.
    steps : int
        What one comparison may cost beside what grows with the tables.
    maximum : {"derived", "none"}
        For references without ``max``. "derived": an answer may show no more columns
        than its reference. "none": further columns are free, as in the 1990 paper.
    empty : {"right", "wrong"}
        What an answer without rows is where the reference has none, either.
    integers : {"exact", "near"}
        Whether an integer and a real must be equal, or only be near, as two reals.
    decimals : int, optional
        Reals are also equal if they are once both are rounded to so many digits after
        the point. What would be rounded to nothing is not.
    days : bool
        Whether moments in ISO 8601 are also equal if their days are.

    Returns
    -------
    Cas

    Raises
    ------
    InputError
        If an option is not what it must be.

    Examples
    --------
    >>> from demur.answers import cas, read_all, verdict
    >>> def judged(response, reference, **options):
    ...     same = cas(**options)
    ...     found = verdict(same, response, read_all(same, [(reference, 1)]))
    ...     return found.credit, found.reason
    >>> judged('(("CONCORDE" "JET") ("A320" "JET"))', '(("JET"))')
    (0.0, 'beyond the maximum: column 1')
    >>> judged('(("CONCORDE" "JET") ("A320" "JET"))', '(("JET"))', maximum="none")
    (1.0, 'equal')
    >>> judged("53198.8", "53200.0"), judged("102123", "102122")
    ((1.0, 'equal'), (0.0, 'missing (102122); extra (102123)'))
    >>> judged("1355", '"1355"')
    (0.0, 'missing ("1355"); extra (1355)')
    >>> judged("((1) (2", "1")
    (0.0, "not an answer: a tuple must hold values and end with ); got 'the end'
    (line 1, column 8)")
    >>> cas(mode="bag", relative="1e-3")
    cas(mode=bag, relative=0.001, maximum=derived)
    """
    given = (mode, rules, relative, coerce_numeric_text, steps)
    more = {"empty": empty, "integers": integers, "decimals": decimals, "days": days}
    settings = TableSettings.of_options("cas", *given, **more)
    choice("cas", "maximum", maximum, MAXIMA)
    return Cas(settings, flag("cas", "lenient", lenient), maximum)


def relation(  # noqa: PLR0913  (options are independent of each other)
    *,
    mode: str = "cas2",
    rules: str = "1992",
    relative: Any = "0.0001",
    coerce_numeric_text: Any = False,
    steps: Any = _USUAL.steps,
    maximum: str = "derived",
    empty: str = "right",
    integers: str = "exact",
    decimals: Any = None,
    days: Any = False,
) -> Relational:
    """Equality of tables, given as lists of rows.

    Rule (``relation/2``): that of `cas`, for values that are lists of rows (None is
    NULL) or single values. Columns may hold values of several types. A text that begins
    like a list of rows is one, in JSON; other texts are single values. One of more than
    100,000 characters is not read, as by `cas`.

    Parameters
    ----------
    mode, rules, relative, coerce_numeric_text, steps
        As for `cas`.
    maximum, empty, integers, decimals, days
        As for `cas`.

    Returns
    -------
    Relational

    Raises
    ------
    InputError
        If an option is not what it must be.

    Examples
    --------
    >>> from demur.answers import read_all, relation, verdict
    >>> def judged(response, reference, **options):
    ...     same = relation(**options)
    ...     found = verdict(same, response, read_all(same, [(reference, 1)]))
    ...     return found.credit, found.reason
    >>> judged([[1001, 1], [1002, 2]], [[1, 1001], [2, 1002]])
    (1.0, 'equal')
    >>> judged([[1001, 1], [1002, 2]], [[1, 1001], [2, 1002]], mode="bird-ex")
    (0.0, 'missing (1 1001); extra (1001 1)')
    >>> judged([["a"], ["a"]], [["a"]]), judged([["a"], ["a"]], [["a"]], mode="bag")
    ((1.0, 'equal'), (0.0, '2 rows instead of 1'))
    >>> judged('[["a", 1]]', [[1, "a"]])
    (1.0, 'equal')
    >>> judged([["None"]], [[None]])
    (0.0, 'missing (NIL); extra ("None")')
    """
    given = (mode, rules, relative, coerce_numeric_text, steps)
    more = {"empty": empty, "integers": integers, "decimals": decimals, "days": days}
    settings = TableSettings.of_options("relation", *given, **more)
    return Relational(settings, choice("relation", "maximum", maximum, MAXIMA))
