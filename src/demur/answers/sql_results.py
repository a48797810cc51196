"""The comparator ``sql``: how the results of two queries are compared.

It says only that; `demur.judge` runs the queries, since nothing here knows databases.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.answers.comparators import OnlyNamed
from demur.answers.tables.modes import MAXIMA, MODES, TableSettings, flag
from demur.calls import call_text
from demur.checks import choice

_USUAL: Final = TableSettings()


@dataclass(frozen=True, slots=True, repr=False)
class Sql(OnlyNamed):
    """The comparator that `sql` makes.

    Parameters
    ----------
    settings : Settings
        How results are compared, unless a reference says otherwise.
    maximum : str
        One of `MAXIMA`; the modes of other evaluators know none.
    order_from_sql, any_tied, all_tied, code_fences : bool
        As for `sql`.
    """

    version: ClassVar[str] = "sql/3"
    name: ClassVar[str] = "sql"
    does: ClassVar[str] = "It runs the queries."
    settings: TableSettings = _USUAL
    maximum: str = "derived"
    order_from_sql: bool = False
    any_tied: bool = False
    all_tied: bool = False
    code_fences: bool = False

    def __str__(self) -> str:
        options: dict[str, object] = self.settings.unusual()
        if MODES[self.settings.mode].cas or self.maximum != "derived":
            options["maximum"] = self.maximum
        for name in ("order_from_sql", "any_tied", "all_tied", "code_fences"):
            if getattr(self, name):
                options[name] = True
        return call_text("sql", options)

    __repr__ = __str__


def sql(  # noqa: PLR0913  (options are independent of each other)
    *,
    mode: str = "cas2",
    rules: str = "1992",
    relative: Any = "0.0001",
    coerce_numeric_text: Any = False,
    steps: Any = _USUAL.steps,
    maximum: str = "derived",
    order_from_sql: Any = False,
    any_tied: Any = False,
    all_tied: Any = False,
    code_fences: Any = False,
    empty: str = "right",
    integers: str = "exact",
    decimals: Any = None,
    days: Any = False,
) -> Sql:
    """Equality of what two queries return.

    Rule (``sql/3``): that of `relation`, for the results of the response, which is SQL,
    and of the reference's ``sql`` or one of its ``sqls``, on the database ``db``.

    - A response that has no result is wrong, with the reason: ``sql error``,
      ``forbidden``, ``timeout``, ``memory``, ``crashed`` or ``unsupported``. So is one
      with more rows than are kept, if the reference has fewer.
    - If a reference has no result, or its own is truncated, or a database cannot be
      read, the item is ungraded.
    - What shows further columns is held against the maximum: that of the reference, or
      one that is derived from its SQL. See ``docs/sql.md``.
    - Of several databases the results must match in every one.
    - A reference that returns nothing but one boolean, or one text YES or NO, is a
      boolean, and so is such an answer to it.
    - In modes ``test-suite`` and ``test-suite-keep-distinct`` order counts if the
      reference's SQL holds "order by".

    Parameters
    ----------
    mode, rules, relative, coerce_numeric_text, steps
        As for `relation`.
    maximum : {"derived", "none"}
        For references without ``max_sql``, ``max_sqls`` or ``max``. "derived": an
        answer may show what the reference's SQL names, and the names and keys of what
        it shows. "none": further columns are free, as in the 1990 paper.
    order_from_sql : bool
        Whether order counts as the ORDER BY of the reference's SQL says; rows that tie
        may come in any order, also where the keys are not shown.
    any_tied : bool
        Whether an answer may have any of the rows that tie where LIMIT cuts.
    all_tied : bool
        Whether it may have all of them, as ``= (SELECT max(...) ...)`` gives them.
    code_fences : bool
        Whether the SQL is taken out of the last code fence of a response that has one.
    empty : {"right", "wrong"}
        What an answer without rows is where the reference has none, either.
    integers : {"exact", "near"}
        As for `relation`.
    decimals : int, optional
        As for `relation`.
    days : bool
        As for `relation`.

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
    >>> answers.sql(mode="bag", maximum="none")
    sql(mode=bag, maximum=none)
    >>> answers.parse_comparator("sql") == answers.sql()
    True
    """
    given = (mode, rules, relative, coerce_numeric_text, steps)
    more = {"empty": empty, "integers": integers, "decimals": decimals, "days": days}
    settings = TableSettings.of_options("sql", *given, **more)
    choice("sql", "maximum", maximum, MAXIMA)
    return Sql(
        settings,
        maximum,
        flag("sql", "order_from_sql", order_from_sql),
        flag("sql", "any_tied", any_tied),
        flag("sql", "all_tied", all_tied),
        flag("sql", "code_fences", code_fences),
    )
