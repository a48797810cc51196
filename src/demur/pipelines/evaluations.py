"""The results of replacing a module, and the tables that show them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from demur.checks import choice
from demur.decisions.declining import Rate
from demur.outcomes.parts import stacked
from demur.outcomes.table import Outcomes
from demur.pipelines.broken_modules import BrokenModule, broken_words
from demur.pipelines.engine import CORRECTED, STATE_WORDS
from demur.pipelines.matching import MEASURED, acceptable_words
from demur.pipelines.runs import MATCHES, RUN_KINDS, JudgedRun, figure_kind, state_name
from demur.results import (
    NONE,
    Column,
    Contender,
    Figure,
    Result,
    Standings,
    Table,
    ends_of,
)


@dataclass(frozen=True, eq=False, repr=False)
class SubstitutionRow(Result):
    """What a pipeline puts out with one source in the place of a module.

    Parameters
    ----------
    source : str
        ``actual`` is the module's own output.
    state : {"corrected", "free"}
    items : int
        Turns whose responses count, with repeats.
    acts : int
        Their target acts.
    identical, acceptable : Rate
        Turns in which the output of the module is the target; the target or another
        acceptable output.
    strict, multiple : Rate
        Of the responses, by the measure: against the target, and against the acceptable
        set that fits best.
    measures : mapping of measure to {"strict", "multiple"} to Rate
        The responses by every measure.
    missing : int
        Turns of which the source says nothing; they do not count.
    declined : int
        Turns in which the module, or the source for it, declined.
    failed : int
        Turns that count in which a module or source broke.
    silent : int
        Turns that count with no response, or one that only declines.
    why_undefined : str
        Why rates of responses have no share: a recorded module hears what it has not
        heard. Empty if they have.
    """

    source: str
    state: str
    items: int
    acts: int
    identical: Rate
    acceptable: Rate
    strict: Rate
    multiple: Rate
    measures: Mapping[str, Mapping[str, Rate]]
    missing: int
    declined: int
    failed: int
    silent: int
    why_undefined: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class SubstitutionTest(Result):
    """Whether a difference within an evaluation of a pipeline is luck.

    Parameters
    ----------
    question : {"response - module", "multiple - strict", "source - actual"}
    source, state : str
    items : int
        Turns.
    units : int
        Dialogues, or turns, that are taken as independent.
    difference : float
        As the question says what is taken from what; of shares.
    low, high : float or None
        Interval of the difference; None with fewer than five units.
    p_value : float
        Two-sided.
    adjusted : float
        By Holm's method over the sources.
    method : str
        The test: sign_flip, mcnemar or wilcoxon.
    """

    SAYS = (
        "{question}, {source}: the difference is {difference}, and truly from {low} "
        "to {high}; p is {adjusted}."
    )

    question: str
    source: str
    state: str
    items: int
    units: int
    difference: float
    low: float | None
    high: float | None
    p_value: float
    adjusted: float
    method: str


@dataclass(frozen=True, eq=False, repr=False)
class Compatibility(Result):
    """Whether responses are the targets if the first modules give theirs.

    Parameters
    ----------
    given : tuple of str
        The modules that give their targets; none of them: the pipeline as it is.
    compatible : bool
        Whether every response is the target.
    identical, turns : int
        Turns with the target as response, and all that count.
    matched, acts : int
        Acts that are in the target, and all that were put out.
    differs : tuple of str
        The first turns that differ, as ``DIALOGUE:TURN``.
    """

    given: tuple[str, ...]
    compatible: bool
    identical: int
    turns: int
    matched: int
    acts: int
    differs: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class PipelineEvaluation(Result):
    """Sources in the place of a module. `evaluate_pipeline` makes it.

    Parameters
    ----------
    module : str
        What was replaced.
    measure : {"recall", "precision", "exact"}
        Matched acts over target acts, over acts put out; turns with equal sets.
    match : {"strict", "multiple"}
        Against the target alone, or any acceptable output, in sentences and tests.
    level : float
        Of the intervals.
    rows : tuple of SubstitutionRow
        One for each source and state.
    tests : tuple of SubstitutionTest
        One for each question, source and state.
    compatible : tuple of Compatibility
        With the targets of none, one, two, ... of the first modules, corrected state.
    turns, dialogues : int
        All that there are, also those that do not count.
    without_target, without_acts : int
        Turns left out since the last module has no target there, or one without acts.
    remarks : tuple of str
        What a reader must know of how it was run.
    runs : mapping of (source, state) to JudgedRun
        Where the figures come from.
    recipe : mapping
        How it came about.
    broke : tuple of BrokenModule
        The modules that broke, each in the run in which it did so most often.
    """

    KINDS = RUN_KINDS

    module: str
    measure: str
    match: str
    level: float
    rows: tuple[SubstitutionRow, ...]
    tests: tuple[SubstitutionTest, ...]
    compatible: tuple[Compatibility, ...]
    turns: int
    dialogues: int
    without_target: int
    without_acts: int
    remarks: tuple[str, ...] = field(repr=False)
    runs: Mapping[tuple[str, str], JudgedRun] = field(repr=False, compare=False)
    recipe: Mapping[str, str] = field(repr=False)
    broke: tuple[BrokenModule, ...] = ()

    def row(self, source: str, state: str = "corrected") -> SubstitutionRow:
        """The row of a source."""
        rows = {(row.source, row.state): row for row in self.rows}
        return rows[source, state]

    def outcomes(self, match: str = "strict", *, state: str = "corrected") -> Outcomes:
        """The turns as outcomes, with a system for each source; see `PipelineRun`.

        Parameters
        ----------
        match : {"strict", "multiple"}
            Against the target alone, or any acceptable output.
        state : {"corrected", "free"}

        Raises
        ------
        InputError
            If the pipeline was not run in this state.
        """
        choice("outcomes", "match", match, MATCHES)
        choice("outcomes", "state", state, {of: None for _, of in self.runs})
        return stacked(
            [
                run.outcomes(match, source, self.recipe)
                for (source, of), run in self.runs.items()
                if of == state and run.counts
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain values, with all notes."""
        return super().to_dict() | {"notes": list(self.notes)}

    def sentence(self) -> str:
        """What comes out as it is, and with the best source; which modules broke."""
        says = self.with_best(), self._acceptable(), broken_words(self.broke)
        return " ".join(filter(None, says))

    def _acceptable(self) -> str:
        """How many turns count as wrong as it is, though they are acceptable."""
        run = next(run for (source, _), run in self.runs.items() if source == "actual")
        if self.match != "strict" or run.why_unknown:
            return ""
        return acceptable_words(int(run.matched.only_acceptable.sum()))

    def with_best(self) -> str:
        """What comes out as it is, and with the best source in its place."""
        actual = next(row for row in self.rows if row.source == "actual")
        others = [row for row in self.rows if row.source != "actual"]
        now = getattr(actual, self.match).share
        if now is None:
            if actual.why_undefined:
                return f"As it is, nothing is defined: {actual.why_undefined}."
            return f"No turn counts with {self.module} replaced."
        words = STATE_WORDS[actual.state]
        where = f"In {words}" if actual.state == CORRECTED else words.capitalize() + ","
        start = f"{where} {100 * now:.1f} % of the {MEASURED[self.measure]} as it is"
        ranking = Standings(
            (
                Contender(row.source, share, share)
                for row in others
                if row.state == actual.state
                for share in [getattr(row, self.match).share]
            ),
            better="higher",
            shown=lambda value, more: f"{100 * value:.{1 + more}f} %",
        )
        turns = (
            f"({self.match}; {_counted(self.dialogues, 'dialogue')}, "
            f"{_counted(self.turns, 'turn')}{self._not_counted()})"
        )
        if not ranking.best:
            why = next((row.why_undefined for row in others if row.why_undefined), "")
            what = f"; with another {self.module} that is not defined: {why}"
            return f"{start}{what if why else ''} {turns}."
        either = "any of " if len(ranking.best) > 2 else ""
        names = either + ranking.names("sources").replace(" and ", " or ")
        return (
            f"{start}, and {ranking.value} with {names} in the place of {self.module} "
            f"{turns}."
        )

    def _not_counted(self) -> str:
        """How many turns do not count, since nothing is to be put out there."""
        n_out = self.without_target + self.without_acts
        return f", {n_out:,} of them left out without target acts" if n_out else ""

    def figures(self) -> Iterator[Figure]:
        """Strict and multiple of the pipeline as it is, in each state."""
        for row in self.rows:
            for name in MATCHES if row.source == "actual" else ():
                kind = figure_kind(name, row.state)
                figure = self.figure_of(kind, getattr(row, name))
                yield replace(figure, why_undefined=row.why_undefined)

    def tables(self) -> list[Table]:
        """Outputs of the module; responses by each measure; tests."""
        module = self.module
        alike = all(row.identical == row.acceptable for row in self.rows)
        outputs = [
            (*_names(row), *_cells(row.identical), *_cells(row.acceptable)[:2])
            for row in self.rows
        ]
        columns = _room_for(_OUTPUTS, "acceptable", alike=alike)
        tables = [Table(f"Outputs of {module} (turns)", columns, tuple(outputs), 2)]
        tables += self._responses()
        tests = [
            (
                test.question,
                *_names(test),
                test.difference,
                ends_of(test),
                test.adjusted,
            )
            for test in self.tests
        ]
        title = f"Differences with {module} replaced"
        return [*tables, Table(title, _TESTS, tuple(tests), key=3)]

    def _responses(self) -> Iterator[Table]:
        """By each measure; those with the numbers of the first only where is room."""
        first = {self.measure: _SHOWN_MEASURES[self.measure]}
        rows = {
            measure: tuple(
                (
                    *_names(row),
                    *_cells(row.measures[measure]["strict"]),
                    *_cells(row.measures[measure]["multiple"]),
                )
                for row in self.rows
            )
            for measure in first | _SHOWN_MEASURES
        }
        same = [
            measure
            for measure in rows
            if measure != self.measure and rows[measure] == rows[self.measure]
        ]
        for measure, words in (first | _SHOWN_MEASURES).items():
            if same and measure == self.measure:
                words = f"{' and '.join(same)} alike"
            title = f"Responses with {self.module} replaced: {measure}, {words}"
            alike = all(
                row.measures[measure]["strict"] == row.measures[measure]["multiple"]
                for row in self.rows
            )
            columns = _room_for(_RESPONSES, "multiple", alike=alike)
            yield Table(title, columns, rows[measure], key=2, wide=measure in same)

    @property
    def notes(self) -> tuple[str, ...]:
        """Whether responses are the targets, what is left out, and the rest."""
        whys = dict.fromkeys(row.why_undefined for row in self.rows)
        undefined = [f"-: not defined, {why}." for why in whys if why]
        lines = [*_compatible(self.compatible), *_left_out(self), *self.remarks]
        return (*undefined, *lines)


def cell(rate: Rate) -> str:
    """A share with its counts and interval.

    Examples
    --------
    >>> cell(Rate(3, 4, 0.75, 0.3, 0.954)), cell(Rate(0, 0, None, None, None))
    ('75.0 % 3/4 [30.0, 95.4]', '-')
    """
    if rate.share is None:
        return NONE
    counts = f"{_count(rate.amount)}/{_count(rate.base)}"
    ends = (
        ""
        if rate.low is None or rate.high is None
        else f" [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"
    )
    return f"{100 * rate.share:.1f} % {counts}{ends}"


def _counted(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def _count(value: float) -> str:
    return f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.1f}"


_SHOWN_MEASURES = {
    "recall": "target acts that were put out",
    "precision": "acts put out that are in the target",
    "exact": "turns with just the target acts",
}


def _names(row: SubstitutionRow | SubstitutionTest) -> tuple[str, str]:
    return row.source, state_name(row.state)


def _cells(rate: Rate) -> tuple[Any, ...]:
    """A share, its interval, and what was counted of how much."""
    return rate.share, rate.interval, rate.amount, rate.base


_OUTPUTS: Final = (
    *(Column("source"), Column("state")),
    Column("identical", "", "percent", "turns whose output is the target"),
    Column("identical_interval", "its interval", "percent"),
    Column("identical_count", "k", "number", "turns that are"),
    Column("turns", "n", "number", "turns that count"),
    Column("acceptable", "", "percent", "the target or another acceptable output"),
    Column("acceptable_interval", "of acceptable", "percent", "interval"),
)
_RESPONSES: Final = (
    *(Column("source"), Column("state")),
    Column("strict", "P_strict", "percent", "against the target"),
    Column("strict_interval", "its interval", "percent"),
    Column("strict_count", "k", "number", "turns that are"),
    Column("base", "n", "number", "turns that count"),
    Column("multiple", "P_multiple", "percent", "the acceptable output that fits best"),
    Column("multiple_interval", "of multiple", "percent", "interval"),
    Column("multiple_count", "k multiple", "number", "of multiple", wide=True),
    Column("multiple_base", "n multiple", "number", "of multiple", wide=True),
)
_TESTS: Final = (
    *(Column("question"), Column("source"), Column("state")),
    Column("difference", "points", "points", "difference in percentage points"),
    Column("interval", cells="points", explained="of the difference"),
    Column("adjusted", "Holm", "p", "p by Holm's method over the sources"),
)


def _room_for(
    columns: Sequence[Column], start: str, *, alike: bool
) -> tuple[Column, ...]:
    """The columns, those that say nothing new only where there is room."""
    return tuple(
        replace(column, wide=True) if alike and column.key.startswith(start) else column
        for column in columns
    )


def _compatible(compatibilities: Sequence[Compatibility]) -> list[str]:
    lines = []
    for compared in compatibilities:
        given = ", ".join(compared.given)
        start = f"With the target of {given}" if given else "As it is"
        word = "compatible" if compared.compatible else "not compatible"
        where = f"; first {', '.join(compared.differs)}" if compared.differs else ""
        lines.append(
            f"{start}, corrected state: {word} with the targets, "
            f"{compared.identical:,} of {compared.turns:,} responses are the target"
            f"{where}."
        )
    return lines


def _left_out(evaluation: PipelineEvaluation) -> list[str]:
    lines = []
    without = (
        (evaluation.without_target, "a target"),
        (evaluation.without_acts, "target acts"),
    )
    for number, what in without:
        if number:
            lines.append(f"Left out: {number:,} turns without {what}.")
    for what, words in (
        ("missing", "not annotated"),
        ("declined", f"{evaluation.module} declined"),
        ("failed", "a module or source broke"),
        ("silent", "no response"),
    ):
        counted = [(row, getattr(row, what)) for row in evaluation.rows]
        if any(n for _, n in counted):
            listed = ", ".join(
                f"{row.source} {state_name(row.state)} {n:,}" for row, n in counted if n
            )
            lines.append(f"Turns, {words}: {listed}.")
    return lines
