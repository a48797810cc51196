"""Why a tabular answer is right, wrong, or impossible to judge."""

from dataclasses import dataclass, fields
from typing import Any

from demur.answers.tables.modes import MODES, TableSettings
from demur.answers.tables.relation_values import shown_tuple
from demur.outcomes.reasons import BOTH_EMPTY
from demur.results import printable


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The verdict on one answer against one alternative, with what it rests on.

    Parameters
    ----------
    right : bool or None
        None if it cannot be judged.
    reason : str
        Why, in a few words.
    code : str
        The class of the reason: `demur.outcomes.reasons.REASONS`.
    mode : str
        The mode and its version, such as ``cas2/2``.
    mapping : tuple of int, optional
        For each column of the reference the position of the column that stands for it
        in the response, counted from 0. If no mapping makes them equal, the one whose
        columns have most in common; None if none could be tried.
    missing, extra : tuple, optional
        The first tuple of the reference that the response lacks under that mapping,
        and the first one of the response that the reference does not have; wherever
        they stand.
    n_missing, n_extra : int
        How many there are; where rows are a set, equal ones count once.
    row : int, optional
        Where order counts, the row of the reference that is the first not to match,
        counted from 0.
    expected, found : tuple, optional
        What stands there in the reference, and in the response.
    beyond : tuple of int
        Columns of the response that no column of the maximum can stand for.
    outside : tuple, optional
        The first tuple of the response that the maximum does not have.
    names, other_names : tuple of str
        Names of the columns of the reference and of the response, if they have any.

    Examples
    --------
    >>> from demur.answers import compare_relations
    >>> explanation = compare_relations(
    ...     response=[["A", "JET"]], reference=[["JET"], ["PROP"]])
    >>> print(explanation)
    wrong (cas2/2): missing ("PROP")
      columns of the reference: 1 is 2 of the response
      missing: 1 tuple, the first is ("PROP")
    >>> explanation.to_dict()["missing"]
    ['PROP']
    """

    right: bool | None
    reason: str
    code: str
    mode: str
    mapping: tuple[int, ...] | None = None
    missing: tuple[Any, ...] | None = None
    n_missing: int = 0
    extra: tuple[Any, ...] | None = None
    n_extra: int = 0
    row: int | None = None
    expected: tuple[Any, ...] | None = None
    found: tuple[Any, ...] | None = None
    beyond: tuple[int, ...] = ()
    outside: tuple[Any, ...] | None = None
    names: tuple[str, ...] = ()
    other_names: tuple[str, ...] = ()

    @property
    def both_empty(self) -> bool:
        """Whether it is right only because neither has rows."""
        return bool(self.right) and self.code == BOTH_EMPTY

    def __str__(self) -> str:
        verdict = {True: "right", False: "wrong", None: "ungraded"}[self.right]
        lines = [f"{verdict} ({self.mode}): {self.reason}"]
        if self.mapping:
            lines.append(f"columns of the reference: {self._mapped()}")
        if self.row is not None and self.expected is not None:
            both = map(shown_tuple, (self.expected, self.found or ()))
            lines.append("row {}: expected {}, found {}".format(self.row + 1, *both))
        for what, first, count in (
            ("missing", self.missing, self.n_missing),
            ("extra", self.extra, self.n_extra),
        ):
            if first is not None:
                several = f"{count} tuple" + ("" if count == 1 else "s")
                lines.append(f"{what}: {several}, the first is {shown_tuple(first)}")
        if self.beyond:
            columns = ", ".join(_column(at, self.other_names) for at in self.beyond)
            lines.append(f"beyond the maximum: column {columns}")
        if self.outside is not None:
            lines.append(f"not in the maximum: {shown_tuple(self.outside)}")
        return "\n  ".join(lines)

    def _mapped(self) -> str:
        pairs = (
            f"{_column(column, self.names)} is {_column(other, self.other_names)}"
            for column, other in enumerate(self.mapping or ())
        )
        return f"{', '.join(pairs)} of the response"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values; tuples become lists, positions count from 0."""
        held = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in held.items()
            if name not in ("names", "other_names")
        }
        return plain | {"both_empty": self.both_empty}


def stated(
    settings: TableSettings,
    right: bool | None,  # noqa: FBT001
    code: str,
    reason: str,
    **more: Any,
) -> Explanation:
    """A verdict by the mode of some settings."""
    mode = MODES[settings.mode].version
    return Explanation(right=right, reason=reason, code=code, mode=mode, **more)


def _column(position: int, names: tuple[str, ...]) -> str:
    named = f" ({printable(names[position])})" if position < len(names) else ""
    return f"{position + 1}{named}"
