"""The one table: for each item, whether the answer is right, wrong, or not given."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur import checks
from demur.arrays import Flags, Floats, shortest
from demur.checks import choice, did_you_mean, names_shown, of_kind
from demur.errors import InputError, shown
from demur.outcomes import fields
from demur.outcomes.building import build
from demur.outcomes.columns import OutcomeColumn, Place, is_constant
from demur.outcomes.doubts import doubts_first
from demur.outcomes.fields import OUTCOMES, RIGHT, UNANSWERED
from demur.outcomes.labelling import unlabelled
from demur.outcomes.reasons import FAILED, UNLABELLED, counts_text, with_failures
from demur.results import Column, Figure, FigureKind, Result, Table, count, signature_of
from demur.results.contract import seal_recipe

Texts = npt.NDArray[np.object_]

_COLUMNS = (
    Column("system"),
    Column("items", cells="count", explained="rows"),
    *(Column(name, cells="count", explained=f"outcomes {name}") for name in OUTCOMES),
    Column(FAILED, cells="count", explained=f"those unanswered that {FAILED}"),
    Column(UNLABELLED, cells="count", explained="those ungraded nobody has looked at"),
    Column("mean_credit", cells="share", explained="credit of all answers / items"),
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
@fields.record("outcomes")
class Outcomes(Result):
    """Judged responses, one row per item, part, system, setting and repeat.

    Made by `demur.judge`, `demur.read_outcomes`, `Outcomes.from_arrays`, `.from_frame`.
    Arrays are read-only; a column that is absent is None.

    Parameters
    ----------
    item : array of str or int64, shape (n_rows,)
        Identifies the input.
    system : array of str, shape (n_rows,)
        Who answered; empty if there is one nameless system.
    outcome : sequence of str, length n_rows
        What the forced choice is, by its name: ``outcomes.outcome == "wrong"`` is an
        array of flags. ``outcome.codes`` are positions in
        `demur.outcomes.fields.OUTCOMES`, of uint8, and what a table may be made of.
    credit : array of float64, shape (n_rows,), or None
        In (0, 1] for right items, 0 for others; None is 1 for right ones.
    confidence : array of float32 or float64, shape (n_rows,), or None
        Higher is surer; NaN where there is none.
    declined, answerable : array of bool, shape (n_rows,), or None
        The system's own decision; whether any answer could be right. None is
        "never declined" and "all answerable".
    weight : array of float64, shape (n_rows,), or None
        Positive; None is 1 each.
    label_weight : array of float64, shape (n_rows,), or None
        How many items each one drawn to be judged stands for; NaN for others.
    part, cluster, reason, kind, repeat, setting : arrays of str, or None
        See the glossary.
    reason_code : array of str, shape (n_rows,), or None
        Of each reason its class: `demur.outcomes.reasons.REASONS`.
    input, response, reference : array of objects, shape (n_rows,), or None
        For display.
    groups : mapping of str to array
        Further columns.
    recipe : mapping of str to str
        How they came about, for signatures.
    notes : tuple of str
        What a reader must know: rows left out, confidences ignored.
    """

    KINDS = (
        count("items", "outcomes"),
        *(count(name, f"outcomes {name}") for name in OUTCOMES),
        count(FAILED, "items of which the system gave nothing", better="lower"),
        FigureKind("mean_credit", "the mean credit", better="higher"),
    )

    item: npt.NDArray[Any]
    system: Texts
    outcome: Any
    credit: Floats | None = None
    confidence: Floats | None = None
    declined: Flags | None = None
    answerable: Flags | None = None
    weight: Floats | None = None
    label_weight: Floats | None = None
    cluster: Texts | None = None
    reason: Texts | None = None
    reason_code: Texts | None = None
    kind: Texts | None = None
    part: Texts | None = None
    repeat: Texts | None = None
    setting: Texts | None = None
    input: Texts | None = None
    response: Texts | None = None
    reference: Texts | None = None
    groups: Mapping[str, Texts] = field(default_factory=dict)
    recipe: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        seal_recipe(self)
        if isinstance(self.outcome, np.ndarray):
            object.__setattr__(self, "outcome", OutcomeColumn(self.outcome))

    # -- from and to other tables --------------------------------------------------

    @classmethod
    def from_arrays(
        cls,
        *,
        correct: Sequence[Any] | npt.NDArray[Any] | None = None,
        confidence: Sequence[Any] | npt.NDArray[Any] | None = None,
        answered: Sequence[Any] | npt.NDArray[Any] | None = None,
        item: Sequence[Any] | npt.NDArray[Any] | None = None,
        groups: Mapping[str, Sequence[Any]] | None = None,
        **further: Any,
    ) -> "Outcomes":
        """A table from columns of equal length.

        Parameters
        ----------
        correct : sequence of bool, credit or None
            True or 1 is right, False or 0 wrong, a number between them the credit of
            a weaker answer, None no answer. Or give ``outcome`` instead.
        confidence : sequence of float or None, optional
            Higher is surer; None where there is no guess.
        answered : sequence of bool, optional
            False: there was no guess, whatever ``correct`` says.
        item : sequence of str or int, optional
            Row numbers if left out.
        groups : mapping of name to sequence, optional
            Further columns.
        **further : sequences
            Any other column of the class: ``outcome`` (names), ``system``,
            ``declined``, ``answerable``, ``weight``, ``cluster``, ...; ``system`` may
            be one name.

        Returns
        -------
        Outcomes

        Raises
        ------
        InputError
            If a value is not what its column must hold, naming the row.

        Examples
        --------
        >>> import demur
        >>> demur.Outcomes.from_arrays(
        ...     correct=[True, False, None], confidence=[0.9, 0.3, None])
        Outcomes(3 rows, 1 system: 1 right, 1 wrong, 1 unanswered, 0 ungraded)
        """
        if groups is not None:
            checks.mapping("from_arrays", "groups", groups)
        given = {"correct": correct, "confidence": confidence, "answered": answered}
        return cls.from_columns(
            {
                name: values
                for name, values in {**given, "item": item, **further}.items()
                if values is not None
            },
            groups=groups or {},
        )

    @classmethod
    def from_columns(
        cls,
        table: Mapping[str, Any],
        *,
        groups: Mapping[str, Any] | None = None,
        locate: Place = "outcomes: row {}".format,
        recipe: Mapping[str, str] | None = None,
        notes: Sequence[str] = (),
    ) -> "Outcomes":
        """A table from named columns, with a way to say where a row comes from.

        Parameters
        ----------
        table : mapping of name to sequence
            As for `from_arrays`.
        groups : mapping of name to sequence, optional
            Further columns.
        locate : callable, optional
            From a row number to the place that error messages name.
        recipe : mapping, optional
            How the outcomes came about.
        notes : sequence of str, optional
            What a reader must know.

        Returns
        -------
        Outcomes

        Raises
        ------
        InputError
            If a value is not what its column must hold, naming the row.
        """
        groups, recipe = groups or {}, dict(recipe or {})
        for values in (*table.values(), *groups.values()):
            if hasattr(values, "reindex"):  # series of pandas
                from demur.outcomes.row_names import joined

                table, groups = joined(table, groups)
                break
        try:
            built = build(table, groups, locate, of_log="log" in recipe)
        except InputError as error:
            if not error.proposed:
                raise
            from demur.outcomes.proposed_forms import in_python

            raise in_python(error) from None
        if fields.RULE_COLUMN in groups:
            built.take_rules()
        return cls(
            **built.columns,
            groups=built.groups,
            recipe=recipe | built.recipe,
            notes=tuple(dict.fromkeys([*notes, *built.notes])),
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        names: Mapping[str, str] | None = None,
        groups: Sequence[str] | None = None,
    ) -> "Outcomes":
        """A table from a dataframe: pandas, polars, pyarrow, DuckDB, ...

        Parameters
        ----------
        frame : dataframe or lazy frame
            Anything that narwhals knows; lazy ones are collected.
        names : mapping of our column name to the frame's, optional
            For columns that are called something else, such as
            ``{"confidence": "probability"}``.
        groups : sequence of str, optional
            Further columns to keep; all of them if left out.

        Returns
        -------
        Outcomes

        Raises
        ------
        InputError
            If it is no dataframe, or a column is not what it must be.

        Examples
        --------
        >>> import demur, polars
        >>> frame = polars.DataFrame({"id": ["a", "b"], "correct": [True, None]})
        >>> demur.Outcomes.from_frame(frame, names={"item": "id"})
        Outcomes(2 rows, 1 system: 1 right, 0 wrong, 1 unanswered, 0 ungraded)
        """
        from demur.outcomes.frames import read_frame

        if names is not None:
            checks.mapping("from_frame", "names", names)
        if groups is not None:
            groups = checks.names("from_frame", "groups", groups)
        table, further, notes = read_frame(frame, names or {}, groups)
        place = "frame: row {}".format
        return cls.from_columns(table, groups=further, locate=place, notes=notes)

    def to_frame(self, backend: str = "pandas", *, table: int | str = 0) -> Any:
        """The table as a dataframe, groups included; absent columns are left out.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}
            Which library's frame to make.
        table : int or str
            There is one, so it is not looked at.

        Examples
        --------
        >>> import demur
        >>> outcomes = demur.Outcomes.from_arrays(correct=[True, False])
        >>> outcomes.to_frame("polars")["outcome"].to_list()
        ['right', 'wrong']
        """
        from demur.outcomes.frames import write_frame

        del table
        choice("to_frame", "backend", backend, ["pandas", "polars", "pyarrow"])
        return write_frame(self.to_columns(), backend)

    def to_columns(self) -> dict[str, list[Any]]:
        """Columns as plain lists, None where there is nothing; groups come last."""
        columns = {name: held.tolist() for name, held in self.named_columns().items()}
        for name in {"confidence", "label_weight"}.intersection(columns):
            columns[name] = [None if v != v else v for v in columns[name]]
        return columns

    def named_columns(self) -> dict[str, npt.NDArray[Any]]:
        """Columns that are present, outcomes by their names; groups come last."""
        present = self._present()
        if not any(self.system):
            del present["system"]
        present["outcome"] = self.column("outcome")
        if self.confidence is not None and self.confidence.dtype == np.float32:
            present["confidence"] = np.array([*map(shortest, self.confidence)])
        return {**present, **self.groups}

    def _present(self) -> dict[str, npt.NDArray[Any]]:
        names = fields.names_of("outcomes")
        return {
            name: values
            for name in names
            if (values := getattr(self, name)) is not None
        }

    # -- parts ---------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in order of appearance."""
        return tuple(dict.fromkeys(self.system))

    def counts(self) -> dict[str, int]:
        """How many rows have each outcome.

        Examples
        --------
        >>> import demur
        >>> demur.Outcomes.from_arrays(correct=[True, None, True]).counts()
        {'right': 2, 'wrong': 0, 'unanswered': 1, 'ungraded': 0}
        """
        return {
            name: int(np.count_nonzero(self.outcome == code))
            for code, name in enumerate(OUTCOMES)
        }

    @property
    def failed(self) -> Flags:
        """Which rows have no guess because the system gave nothing: something broke.

        Examples
        --------
        >>> import demur
        >>> demur.Outcomes.from_arrays(
        ...     correct=[None, None], kind=["idk", "failed"]).failed.tolist()
        [False, True]
        """
        failed: Flags = self.outcome == UNANSWERED
        named = [c for c in (self.kind, self.reason_code) if c is not None]
        if not named or not failed.any():
            return np.zeros(len(self), bool)
        failed[failed] = np.any([column[failed] == FAILED for column in named], axis=0)
        return failed

    def failures(self) -> dict[str, tuple[int, int]]:
        """Of each system how many rows failed, and how many it has."""
        failed = self.failed
        if not failed.any():
            return {}
        broke, rows = Counter(self.system[failed].tolist()), Counter(self.system)
        return {name: (broke[name], n_rows) for name, n_rows in rows.items()}

    def mean_credit(self) -> float | None:
        """Credit of all answers / items, by weight; ungraded ones have none.

        Examples
        --------
        >>> import demur
        >>> demur.Outcomes.from_arrays(correct=[1, 0.5, 0, None]).mean_credit()
        0.375
        """
        if not len(self):
            return None
        credit = (self.outcome == RIGHT) * (1.0 if self.credit is None else self.credit)
        weight = np.ones(len(self)) if self.weight is None else self.weight
        weight = weight / weight.max()
        return float((credit * weight).sum() / weight.sum())

    def take(self, rows: npt.NDArray[Any]) -> "Outcomes":
        """The rows where a condition holds, or with these numbers."""
        present = self._present() | {"outcome": self.outcome.codes}
        chosen: dict[str, Any] = {name: held[rows] for name, held in present.items()}
        groups = {name: group[rows] for name, group in self.groups.items()}
        for array in (*chosen.values(), *groups.values()):
            array.setflags(write=False)
        chosen["outcome"] = OutcomeColumn(chosen["outcome"])
        # As `dataclasses.replace` does, which takes longer than all else for few rows.
        taken = object.__new__(type(self))
        taken.__dict__.update(self.__dict__, **chosen, groups=groups)
        return taken

    def select(self, *, system: str) -> "Outcomes":
        """The rows of one system.

        Raises
        ------
        InputError
            If there is no such system.

        Examples
        --------
        >>> import demur
        >>> both = demur.Outcomes.from_arrays(
        ...     item=["q1", "q1"], system=["a", "b"], correct=[True, False])
        >>> both.select(system="b").counts()["wrong"]
        1
        """
        choice("select", "system", system, self.systems)
        return self.take(self.system == system)

    def column(self, name: str) -> npt.NDArray[Any]:
        """A column by name, one of the table's own or a group.

        Raises
        ------
        InputError
            If it is absent, listing those that are present.
        """
        if name == "outcome":
            named: Texts = np.array(OUTCOMES, object)[self.outcome.codes]
            return named
        listed = isinstance(name, str) and name in fields.names_of("outcomes")
        column = getattr(self, name) if listed else None
        values: npt.NDArray[Any] | None = (
            self.groups.get(name, column) if isinstance(name, str) else None
        )
        if values is not None:
            return values
        held = [*self._present(), *self.groups]
        need, got = f"be one of {names_shown(held)}", shown(name)
        kept = f"Of a file, read_outcomes(..., groups=[{got}]) keeps it."
        hint = f"{did_you_mean(name, held)} {kept}".lstrip()
        raise InputError("outcomes", "a column", need, got, hint)

    def parts(self, by: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], "Outcomes"]]:
        """The table cut by the values of columns, in order of appearance.

        Parameters
        ----------
        by : sequence of str
            Column names.

        Yields
        ------
        (values, Outcomes)
            One value per column, as text or None, and the rows that have them.
        """
        columns = [self.column(name) for name in by]
        varied = [column for column in columns if not is_constant(column)]
        codes = np.zeros(len(self), np.int64)
        for column in varied:
            labels = [_label(value) for value in column]
            names = {label: code for code, label in enumerate(dict.fromkeys(labels))}
            if len(names) > 1:
                # Like digits: each combination of values has a code of its own.
                codes *= len(names)
                codes += np.fromiter(
                    map(names.__getitem__, labels), np.int32, len(self)
                )
        if len(self) and not codes.any():
            yield tuple(_label(column[0]) for column in columns), self
            return
        _, first, count = np.unique(codes, return_index=True, return_counts=True)
        order, end = np.argsort(codes, kind="stable"), np.cumsum(count)
        for place in np.argsort(first):
            values = tuple(_label(column[first[place]]) for column in columns)
            rows = order[end[place] - count[place] : end[place]]
            yield values, self.take(rows)

    @property
    def signature(self) -> str:
        """The recipe of the verdicts, one line."""
        return signature_of({**self.recipe, "items": len(self)})

    def sentence(self) -> str:
        """How many outcomes of how many systems there are, and of which kinds."""
        waiting = int(unlabelled(self).sum())
        counts = counts_text(self.counts(), self.kind, unlabelled=waiting)
        of = f" of {n} systems" if (n := len(self.systems)) > 1 else ""
        word = "outcome" if len(self) == 1 else "outcomes"
        text = f"{len(self)} {word}{of}: {counts}."
        return doubts_first(self.notes, with_failures(self.failures(), text))

    def figures(self) -> Iterator[Figure]:
        """Items, the four counts, and the mean credit."""
        values = {
            "items": len(self),
            **self.counts(),
            FAILED: int(self.failed.sum()),
            "mean_credit": self.mean_credit(),
        }
        yield from (Figure(kind, values[kind.name]) for kind in self.KINDS)

    def tables(self) -> tuple[Table]:
        """A row for each system with its counts."""
        flags = {FAILED: lambda part: part.failed, UNLABELLED: unlabelled}
        some = {key: flag for key, flag in flags.items() if flag(self).any()}
        columns = tuple(one for one in _COLUMNS if one.key not in flags.keys() - some)
        rows = [
            (
                *(name, len(part), *part.counts().values()),
                *(int(flag(part).sum()) for flag in some.values()),
                part.mean_credit(),
            )
            for (name,), part in self.parts(["system"])
        ]
        return (Table("", columns, tuple(rows)),)

    def __repr__(self) -> str:
        n_systems = len(self.systems)
        counts = ", ".join(f"{rows} {name}" for name, rows in self.counts().items())
        systems = f"{n_systems} system{'s' * (n_systems != 1)}"
        return f"Outcomes({len(self)} rows, {systems}: {counts})"


def _label(value: Any) -> str | None:
    """A value as the text that names a part; None where there is nothing."""
    if value is None or value != value:
        return None
    return value if isinstance(value, str) else str(value)


def check_outcomes(where: str, *given: object) -> None:
    """Refuse whatever is not `Outcomes`, with the way to make some of it.

    Examples
    --------
    >>> check_outcomes("compare", "a.jsonl")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: compare: the outcomes must be an Outcomes table; got
    'a.jsonl'. demur.read_outcomes(path) reads files.
    """
    for value in given:
        of_kind(where, "the outcomes", value, Outcomes)


EVERY_GUESS: Final = (
    "right, wrong and unanswered are as if every guess were given, declined ones too; "
    "demur score counts by the systems' own decisions"
)
"""What is said where guesses have been declined."""


NO_VALUE = "(none)"
"""How a group is called whose column holds nothing."""


def grouped_parts(
    outcomes: Outcomes, *, groups: str | Sequence[str] = ()
) -> list[tuple[str, dict[str, str], Outcomes]]:
    """The rows of each curve of `curve_by`, with the system and group they have.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True, False], groups={"topic": ["x", None]})
    >>> [group for _, group, _ in grouped_parts(outcomes, groups="topic")]
    [{'topic': 'x'}, {'topic': '(none)'}]
    """
    if not len(outcomes):
        hint = "Was everything filtered out?"
        raise InputError("curve_by", "outcomes", "hold at least one row", "none", hint)
    by = [groups] if isinstance(groups, str) else list(groups)
    by = [*(["setting"] if outcomes.setting is not None else []), *by]
    by = [name for name in dict.fromkeys(by) if name != "system"]
    named = {None: NO_VALUE}
    return [
        (system, {n: named.get(v, v) for n, v in zip(by, values, strict=True)}, part)
        for (system, *values), part in outcomes.parts(["system", *by])
    ]


def part_name(system: str, group: Mapping[str, str]) -> str:
    """How the part of a system is called.

    Examples
    --------
    >>> part_name("a", {"topic": "x"})
    'a, topic = x'
    """
    rest = [f"{name} = {value}" for name, value in group.items()]
    return ", ".join([system, *rest] if system else rest)
