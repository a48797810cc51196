"""The comparator ``sql``: how the results of two queries are compared.

It says only that; `demur.judge` runs the queries, since nothing here knows databases.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, NoReturn

from demur.answers.comparators import call_text
from demur.answers.tables.modes import TableSettings
from demur.checks import choice
from demur.errors import InputError, shown

MAXIMA: Final = ("given", "derived")
"""Where the most that an answer may hold comes from."""

_USUAL: Final = TableSettings()


@dataclass(frozen=True, slots=True, repr=False)
class Sql:
    """The comparator that `sql` makes.

    Parameters
    ----------
    settings : Settings
        How results are compared, unless a reference says otherwise.
    maximum : str
        One of `MAXIMA`.
    """

    version: ClassVar[str] = "sql/1"
    settings: TableSettings = _USUAL
    maximum: str = "given"

    def __str__(self) -> str:
        derived = {"maximum": "derived"} if self.maximum == "derived" else {}
        return call_text("sql", self.settings.unusual() | derived)

    __repr__ = __str__

    def read(self, value: Any) -> NoReturn:
        """A query has no value before it is run.

        Raises
        ------
        InputError
            Always.
        """
        must, hint = "be used by demur.judge", "It runs the queries."
        raise InputError("sql", "the comparator", must, shown(value), hint)

    def compare(self, response: Any, reference: Any) -> NoReturn:  # noqa: ARG002
        """As `read`.

        Raises
        ------
        InputError
            Always.
        """
        self.read(response)


def sql(
    *,
    mode: str = "cas2",
    rules: str = "1992",
    relative: Any = "0.0001",
    coerce_numeric_text: Any = False,
    steps: Any = _USUAL.steps,
    maximum: str = "given",
) -> Sql:
    """Equality of what two queries return.

    Rule (``sql/1``): that of `relation`, for the results of the response, which is SQL,
    and of the reference's ``sql`` or one of its ``sqls``, on the database ``db``.

    - A response that has no result is wrong, with the reason: ``sql error``,
      ``forbidden``, ``timeout``, ``memory`` or ``crashed``.
    - If a reference has no result, or a result is truncated, the item is ungraded.
    - Of several databases the results must match in every one.
    - A reference that returns nothing but one boolean, or one text YES or NO, is a
      boolean, and so is such an answer to it.
    - In mode ``test-suite`` order counts if the reference's SQL holds "order by".

    Parameters
    ----------
    mode, rules, relative, coerce_numeric_text, steps
        As for `relation`.
    maximum : {"given", "derived"}
        "given": further columns are free, unless the reference has ``max_sql`` or
        ``max_sqls``. "derived": if it has none, an answer may hold no other columns
        than those that the reference's SQL names as output or in conditions.

    Returns
    -------
    Sql

    Raises
    ------
    InputError
        If an option is not what it must be.

    Examples
    --------
    >>> from demur import answers
    >>> answers.sql(mode="bag", maximum="derived")
    sql(mode=bag, maximum=derived)
    >>> answers.parse_comparator("sql") == answers.sql()
    True
    """
    given = (mode, rules, relative, coerce_numeric_text, steps)
    settings = TableSettings.of_options("sql", *given)
    return Sql(settings, choice("sql", "maximum", maximum, MAXIMA))
