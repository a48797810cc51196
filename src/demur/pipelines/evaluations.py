"""The results of replacing a module, and the tables that show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from demur.checks import choice
from demur.decisions.declining import Rate
from demur.outcomes.parts import stacked
from demur.outcomes.table import Outcomes
from demur.pipelines.engine import STATE_WORDS
from demur.pipelines.runs import MATCHES, JudgedRun
from demur.results import NONE, Result, p_text, printable, table


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
    missing : int
        Turns of which the source says nothing; they do not count.
    declined : int
        Turns in which the module, or the source for it, declined.
    failed : int
        Turns that count in which a module or source broke.
    silent : int
        Turns that count with no response, or one that only declines.
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
    low, high : float or None
        Interval of the difference; None with fewer than five units.
    p_value : float
        Two-sided.
    adjusted : float
        By Holm's method over the sources.
    method : str
    """

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
    level : float
        Of the intervals.
    rows : tuple of SubstitutionRow
    tests : tuple of SubstitutionTest
    compatible : tuple of Compatibility
        With the targets of none, one, two, ... of the first modules, corrected state.
    turns, dialogues : int
    without_target, without_acts : int
        Turns left out since the last module has no target there, or one without acts.
    notes : tuple of str
        What a reader must know.
    runs : mapping of (source, state) to JudgedRun
        Where the figures come from.
    recipe : mapping
        How it came about.
    """

    module: str
    measure: str
    level: float
    rows: tuple[SubstitutionRow, ...]
    tests: tuple[SubstitutionTest, ...]
    compatible: tuple[Compatibility, ...]
    turns: int
    dialogues: int
    without_target: int
    without_acts: int
    notes: tuple[str, ...]
    runs: Mapping[tuple[str, str], JudgedRun] = field(repr=False, compare=False)
    recipe: Mapping[str, str] = field(repr=False)

    def row(self, source: str, state: str = "corrected") -> SubstitutionRow:
        """The row of a source."""
        found = {(each.source, each.state): each for each in self.rows}
        return found[source, state]

    def outcomes(self, match: str = "strict", *, state: str = "corrected") -> Outcomes:
        """The turns as outcomes, with a system for each source; see `PipelineRun`.

        Parameters
        ----------
        match : {"strict", "multiple"}
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

    def __str__(self) -> str:
        return evaluation_text(self)


def state_name(state: str) -> str:
    """A state in a cell of a table.

    Examples
    --------
    >>> state_name("corrected"), state_name("free")
    ('corrected', 'free-running')
    """
    return STATE_WORDS[state].removesuffix(" state")


def cell(each: Rate) -> str:
    """A share with its counts and interval.

    Examples
    --------
    >>> cell(Rate(3, 4, 0.75, 0.3, 0.954)), cell(Rate(0, 0, None, None, None))
    ('75.0 % 3/4 [30.0, 95.4]', '-')
    """
    if each.share is None:
        return NONE
    counts = f"{_count(each.amount)}/{_count(each.base)}"
    ends = (
        ""
        if each.low is None or each.high is None
        else f" [{100 * each.low:.1f}, {100 * each.high:.1f}]"
    )
    return f"{100 * each.share:.1f} % {counts}{ends}"


def _count(value: float) -> str:
    return f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.1f}"


_MEASURED = {
    "recall": "target acts that were put out",
    "precision": "acts put out that are in the target",
    "exact": "turns with just the target acts",
}


def evaluation_text(found: PipelineEvaluation) -> str:
    """The tables of an evaluation."""
    parts = [
        f"{found.module} replaced; dialogues: {found.dialogues:,}, turns: "
        f"{found.turns:,}.",
        "",
        f"Outputs of {found.module} (turns):",
        _table(found.rows, ("identical to target", "acceptable"), _of_module),
        "",
        f"Responses ({_MEASURED[found.measure]}, {100 * found.level:g} % intervals):",
        _table(
            found.rows,
            ("P_strict", "P_multiple"),
            lambda row: (row.strict, row.multiple),
        ),
    ]
    for measure, words in _MEASURED.items():
        if measure != found.measure:
            parts += [
                "",
                f"The same as {measure} ({words}):",
                _table(
                    found.rows,
                    ("P_strict", "P_multiple"),
                    lambda row, m=measure: tuple(row.measures[m].values()),
                ),
            ]
    if found.tests:
        parts += [
            "",
            "Differences, with p values by Holm's method:",
            _tests(found.tests),
        ]
    told = [*_compatible(found.compatible), *_left_out(found), *found.notes]
    parts += ["", *map(printable, told)]
    return "\n".join(parts)


def _of_module(row: SubstitutionRow) -> tuple[Rate, Rate]:
    return row.identical, row.acceptable


def _table(
    rows: Sequence[SubstitutionRow], names: tuple[str, str], cells: object
) -> str:
    header = ["source", "state", *names]
    lines = [
        [row.source, state_name(row.state), *map(cell, cells(row))]  # type: ignore[operator]
        for row in rows
    ]
    return table(header, lines)


def _tests(tests: Sequence[SubstitutionTest]) -> str:
    lines = []
    for each in tests:
        ends = (
            NONE
            if each.low is None or each.high is None
            else f"[{100 * each.low:+.1f}, {100 * each.high:+.1f}]"
        )
        lines.append(
            [
                each.question,
                each.source,
                state_name(each.state),
                f"{100 * each.difference:+.1f}",
                ends,
                p_text(each.adjusted),
            ]
        )
    header = ["question", "source", "state", "points", "interval", "Holm"]
    return table(header, lines)


def _compatible(found: Sequence[Compatibility]) -> list[str]:
    lines = []
    for each in found:
        given = ", ".join(each.given)
        start = f"With the target of {given}" if given else "As it is"
        word = "compatible" if each.compatible else "not compatible"
        where = f"; first {', '.join(each.differs)}" if each.differs else ""
        lines.append(
            f"{start}, corrected state: {word} with the targets, "
            f"{each.identical:,} of {each.turns:,} responses are the target{where}."
        )
    return lines


def _left_out(found: PipelineEvaluation) -> list[str]:
    lines = []
    if found.without_target:
        lines.append(f"Left out: {found.without_target:,} turns without a target.")
    if found.without_acts:
        lines.append(f"Left out: {found.without_acts:,} turns without target acts.")
    for what, words in (
        ("missing", "not annotated"),
        ("declined", f"{found.module} declined"),
        ("failed", "a module or source broke"),
        ("silent", "no response"),
    ):
        counted = [(row, getattr(row, what)) for row in found.rows]
        if any(n for _, n in counted):
            each = ", ".join(
                f"{row.source} {state_name(row.state)} {n:,}" for row, n in counted if n
            )
            lines.append(f"Turns, {words}: {each}.")
    return lines
