"""One run of a pipeline, as it is or with modules replaced, as a table of outcomes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats, Positions
from demur.checks import choice
from demur.decisions.declining import Rate
from demur.errors import InputError, shown
from demur.outcomes.table import Outcomes
from demur.outcomes.target_dialogues import TARGET, TargetDialogue
from demur.pipelines.broken_modules import (
    BrokenModule,
    RunOf,
    broken_modules,
    broken_words,
)
from demur.pipelines.engine import CORRECTED, STATE_WORDS, STATES, Given, PipelineEngine
from demur.pipelines.matching import (
    Matches,
    Wanted,
    matches_of_all,
    reference_run,
    unused_declines,
    wanted_of,
)
from demur.pipelines.module_names import check_names
from demur.pipelines.modules import Module, Pipeline
from demur.pipelines.recordings import (
    check_reacts,
    no_reaction,
    recorded_listeners,
    strayed_note,
    unknown_turns,
)
from demur.pipelines.turn_parts import Ran, RanTurn, Running
from demur.results import Column, Figure, FigureKind, Result, Results, Table
from demur.statistics.ratios import ratio_interval

TARGETS = ("wizard", "reference_run")
MATCHES = ("strict", "multiple")


def given_text(given: Given) -> str:
    """Which modules are replaced by what, in words.

    Examples
    --------
    >>> given_text({"nlu": "human1"}), given_text({})
    ('nlu by human1', 'as it is')
    """
    texts = (f"{name} by {source_text(source)}" for name, source in given.items())
    return ", ".join(texts) or "as it is"


def sources_text(named: Given) -> str:
    """Which sources stand in one place, those with a name of their own behind it.

    Examples
    --------
    >>> sources_text({"human1": "human1", "best": "human2"})
    'human1, best is human2'
    """
    texts = {name: source_text(source) for name, source in named.items()}
    return ", ".join(
        name if name == text else f"{name} is {text}" for name, text in texts.items()
    )


def source_text(source: str | Module) -> str:
    """The name of a source; of a module with its version."""
    if isinstance(source, str):
        return source
    return f"{source.name} {source.version}".strip()


RUN_KINDS = tuple(
    FigureKind(name + suffix, f"the share of target acts, {words}", better="higher")
    for suffix, where in (("", "corrected state"), ("_free", "free-running"))
    for name, words in (
        ("strict", f"strict, {where}"),
        ("multiple", f"any acceptable output, {where}"),
    )
)
"""The figures of a pipeline as it is, in both states."""


@dataclass(frozen=True, eq=False, repr=False)
class PipelineRun(Result):
    """What a pipeline put out over target dialogues. `run_pipeline` makes it.

    Parameters
    ----------
    replaced : str
        Which modules were replaced by what.
    state : {"corrected", "free"}
    items : int
        Turns that count, with repeats.
    without_target : int
        Turns left out because the last module has no target there.
    without_acts : int
        Turns left out because the target has no acts.
    missing : int
        Turns left out because a source said nothing.
    failed : int
        Turns that count in which a module gave nothing because it broke.
    strict, multiple : float or None
        Act recall: acts of the target that were put out, over those of the target; of
        the acceptable set that fits best.
    recipe : mapping
        How it came about.
    why_undefined : str
        Why there is no figure: a recorded module hears what it has not heard.
    of_log : str
        What figures in corrected state rest on where a log went otherwise.
    broke : tuple of BrokenModule
        The modules that broke.
    remarks : tuple of str
        On acts that are to decline and are never put out.
    """

    KINDS = RUN_KINDS

    replaced: str
    state: str
    items: int
    without_target: int
    without_acts: int
    missing: int
    failed: int
    strict: float | None
    multiple: float | None
    judged: "JudgedRun" = field(repr=False, compare=False)
    recipe: Mapping[str, str] = field(repr=False)
    why_undefined: str = ""
    of_log: str = field(default="", repr=False)
    broke: tuple[BrokenModule, ...] = ()
    remarks: tuple[str, ...] = ()

    def outputs(self, module: str) -> list[Any]:
        """What a module handed on at each turn; None too where the run says nothing.

        Of several repeats the first.
        """
        choice("outputs", "a module", module, self.judged.names)
        first = self.judged.repeats[0]
        return [None if turn is None else turn.values[module] for turn in first]

    def outcomes(self, match: str = "strict", *, system: str = "") -> Outcomes:
        """The turns that count as outcomes.

        The weight of a turn is the number of its target acts, and its credit the share
        of them that was put out (of the best acceptable set, for ``multiple``).
        Dialogues are the clusters. A turn is unanswered if nothing was put out, or only
        acts that decline and match nothing.

        Parameters
        ----------
        match : {"strict", "multiple"}
            Against the target alone, or any acceptable output.
        system : str
            The name of the run; what was replaced if left out.

        Returns
        -------
        Outcomes

        Raises
        ------
        InputError
            If no turn counts, or what came out is not known.
        """
        choice("outcomes", "match", match, MATCHES)
        if self.why_undefined:
            need, hint = "be known", "Let it run, or replace it too."
            raise InputError("outcomes", "responses", need, self.why_undefined, hint)
        return self.judged.outcomes(match, system or self.replaced, self.recipe)

    def sentence(self) -> str:
        """What part of the target acts is put out."""
        if self.strict is None or self.multiple is None:
            why = f"not defined, {self.why_undefined}"
            why = why if self.why_undefined else "no turn counts"
            return f"{self.replaced}, {STATE_WORDS[self.state]}: {why}."
        says = (
            f"{self.replaced}, {STATE_WORDS[self.state]}: {100 * self.strict:.1f} % of "
            f"the target acts are put out, {100 * self.multiple:.1f} % of the "
            f"acceptable ones that fit best ({self.items:,} turns)."
        )
        return " ".join(filter(None, (says, broken_words(self.broke))))

    def figures(self) -> Iterator[Figure]:
        """Strict and multiple; with _free behind them where it ran freely."""
        for name in MATCHES:
            kind, value = figure_kind(name, self.state), getattr(self, name)
            yield Figure(kind, value, why_undefined=self.why_undefined)

    def tables(self) -> tuple[Table]:
        """The run in one row."""
        row = (
            *(self.replaced, state_name(self.state), self.items),
            *(self.strict, self.multiple, self.failed),
        )
        return (Table("Runs", _RUN_COLUMNS, (row,), key=2),)

    @property
    def notes(self) -> tuple[str, ...]:
        """Turns that are left out."""
        left_out = (
            (self.without_target, "without target"),
            (self.without_acts, "without target acts"),
            (self.missing, "not annotated"),
        )
        listed = ", ".join(f"{number} {what}" for number, what in left_out if number)
        notes = [f"left out: turns {listed}"] if listed else []
        if self.why_undefined:
            notes.append(f"-: not defined, {self.why_undefined}")
        return (*notes, *filter(None, [self.of_log]), *self.remarks)


def figure_kind(name: str, state: str) -> FigureKind:
    """Which figure `strict` or `multiple` is, in one of the states."""
    place = MATCHES.index(name) + len(MATCHES) * STATES.index(state)
    return RUN_KINDS[place]


def state_name(state: str) -> str:
    """A state in a cell of a table.

    Examples
    --------
    >>> state_name("corrected"), state_name("free")
    ('corrected', 'free-running')
    """
    return STATE_WORDS[state].removesuffix(" state")


_RUN_COLUMNS = (
    Column("system", "replaced"),
    Column("state"),
    Column("items", "turns", "count", "that count"),
    Column("strict", "", "percent", "target acts that were put out"),
    Column("multiple", "", "percent", "of the acceptable output that fits best"),
    Column("failed", "", "count", "turns in which a module broke"),
)


class PipelineRuns(Results[PipelineRun]):
    """A pipeline in which nothing is replaced, in one state or in both."""

    PLURAL = "runs"

    @property
    def names(self) -> tuple[str, ...]:
        """The states."""
        return tuple(state_name(run.state) for run in self)

    def sentence(self) -> str:
        """What the pipeline puts out in each state; states are no rivals."""
        return "\n".join(run.sentence() for run in self)


@dataclass(frozen=True)
class JudgedRun:
    """A run with its matches, turns of all repeats one after another.

    Parameters
    ----------
    names : tuple of str
        Of the modules.
    places : list of str
        ``DIALOGUE:TURN`` of each turn.
    cluster : array of int, shape (n_rows,)
        The dialogue of each row.
    clusters : sequence of str
        Names of the dialogues.
    repeats : list of list of RanTurn or None
        The turns of each run.
    matched : Matches
        Of the last module; n_rows = repeats x turns.
    unknown : array of bool, shape (n_rows,)
        Rows whose response is not known: a recorded module hears something else than
        when it spoke.
    why_unknown : str
        Which modules these are, in words; empty if no row that counts is unknown.
    """

    names: tuple[str, ...]
    places: Sequence[str]
    cluster: Positions
    clusters: Sequence[str]
    repeats: Sequence[Ran]
    matched: Matches
    unknown: Flags
    why_unknown: str

    @cached_property
    def flat(self) -> list[RanTurn | None]:
        """The turns of all repeats."""
        return [turn for ran in self.repeats for turn in ran]

    @property
    def responses(self) -> list[Any]:
        """What the last module put out."""
        return [turn.values[self.names[-1]] for turn in self.flat if turn is not None]

    def ratio(self, measure: str, match: str = "strict") -> tuple[Floats, Floats]:
        """As `Matches.ratio`."""
        return self.matched.ratio(measure, match)

    @property
    def counts(self) -> bool:
        """Whether any turn counts, and all that do are known."""
        return bool(self.matched.counted.any()) and not self.why_unknown

    @property
    def n_failed(self) -> int:
        """Rows that count in which a module broke."""
        return sum(
            bool(turn is not None and turn.failed)
            for turn, counts in zip(self.flat, self.matched.counted, strict=True)
            if counts
        )

    def run_of(self, given: Given, state: str) -> RunOf:
        """What came out, to see which modules broke."""
        replaced = given_text(given) if given else ""
        return RunOf(replaced, state, self.places, self.flat, self.matched.counted)

    def outcomes(self, match: str, system: str, recipe: Mapping[str, str]) -> Outcomes:
        """The rows that count as outcomes."""
        matched = self.matched
        rows = np.flatnonzero(matched.counted)
        if not len(rows):
            need, hint = "hold a turn that counts", "See what was left out."
            raise InputError("a run of the pipeline", "it", need, "none", hint)
        above, below = self.ratio("recall", match)
        credit = above[rows] / below[rows]
        n_turns = len(self.places)
        none = matched.unanswerable[rows]
        if match == "multiple":  # an acceptable answer makes it answerable
            none &= ~matched.answerable_too[rows]
        silent = matched.silent[rows] | (none & (credit > 0))
        reasons = [self._reason(row) for row in rows.tolist()]
        columns: dict[str, list[Any]] = {
            "item": [self.places[row % n_turns] for row in rows.tolist()],
            "system": [system] * len(rows),
            "correct": [
                None if none else share
                for none, share in zip(silent.tolist(), credit.tolist(), strict=True)
            ],
            "answerable": (~none).tolist(),
            "weight": below[rows].tolist(),
            "cluster": [self.clusters[c] for c in self.cluster[rows].tolist()],
            "reason": [reason for reason, _ in reasons],
            "reason_code": [code for _, code in reasons],
        }
        if len(self.repeats) > 1:
            columns["repeat"] = [str(row // n_turns + 1) for row in rows.tolist()]
        notes = ["credit is act recall, the weight of a turn its target acts"]
        return Outcomes.from_columns(columns, recipe=recipe, notes=notes)

    def _reason(self, row: int) -> tuple[str, str]:
        """Why a row has its credit, in words and as a code."""
        ran = self.flat[row]
        failed = {} if ran is None else ran.failed
        broken = "; ".join(f"{name}: {why}" for name, why in failed.items())
        if broken:
            return broken, "failed"
        if self.matched.unreadable[row]:
            return "the response is no set of acts", "not_an_answer"
        matched, target = self.matched.matched[row], self.matched.target_acts[row]
        others = self.matched.said_acts[row] - matched
        code = "partly_equal" if matched else "differs"
        if matched == target and not others:
            code = "equal"
        if self.matched.unanswerable[row] and not target - matched:
            return "declined, and there is no answer", "no_answer"
        if self.matched.silent[row]:
            code = "no_answer"
        return f"{matched:g} of {target:g} acts, and {others:g} others", code


def judged_run(
    engine: PipelineEngine,
    given: Given,
    state: str,
    wanted: Wanted,
    *,
    cutoffs: Mapping[str, float] | None = None,
) -> JudgedRun:
    """Run a configuration, as often as its chance asks for, and match the responses."""
    n_repeats = engine.running.repeats
    n_runs = n_repeats if engine.stochastic(given) else 1
    ran = [engine.ran(given, state, repeat=r, cutoffs=cutoffs) for r in range(n_runs)]
    ran *= n_repeats // n_runs
    last, declines = engine.pipeline.last, engine.pipeline.declines
    matched = matches_of_all(last, ran, wanted, declines=declines)
    unknown = np.concatenate([unknown_turns(engine, given, state, one) for one in ran])
    hidden = bool((unknown & matched.counted).any())
    listeners = recorded_listeners(engine.pipeline, given) if hidden else ()
    cluster = np.array([dialogue for dialogue, _ in engine.turns], dtype=np.int64)
    return JudgedRun(
        names=engine.pipeline.names,
        places=[engine.where(at) for at in range(len(engine.turns))],
        cluster=np.tile(cluster, n_repeats),
        clusters=[dialogue.dialogue for dialogue in engine.dialogues],
        repeats=ran,
        matched=matched,
        unknown=unknown,
        why_unknown=no_reaction(listeners),
    )


def targets_of(engine: PipelineEngine, target: str) -> Wanted:
    """What the last module should put out: as people say, or as the pipeline would.

    Raises
    ------
    InputError
        If no turn has a target with acts.
    """
    choice("a pipeline", "target", target, TARGETS)
    last = engine.pipeline.last
    if target == "wizard":
        wanted = wanted_of(engine, last)
    else:
        for module in engine.pipeline.modules:
            check_reacts("a pipeline", engine.pipeline, module.name)
        wanted = reference_run(engine, last)
    if not any(want is not None and want.n_acts for want in wanted):
        need, hint = "have targets with acts", f"Give it some under {TARGET!r}."
        raise InputError("a pipeline", f"module {last.name!r}", need, "none", hint)
    return wanted


def left_out(wanted: Wanted) -> tuple[int, int]:
    """Turns without a target, and turns whose target has no acts."""
    without = sum(want is None for want in wanted)
    return without, sum(want is not None and not want.n_acts for want in wanted)


def rate_over(ratio: tuple[Any, Any], units: Positions, level: float) -> Rate:
    """The ratio of the sums with its interval, over units that hang together."""
    above, below = ratio
    counted = below > 0
    codes = np.unique(units[counted], return_inverse=True)[1]
    ends = ratio_interval(above[counted], below[counted], codes, level, share=True)
    return Rate.of(float(above.sum()), float(below.sum()), ends)


def rate_of(ratio: tuple[Floats, Floats]) -> float | None:
    """The ratio of the sums; None without a denominator."""
    above, below = float(ratio[0].sum()), float(ratio[1].sum())
    return above / below if below else None


def recipe_of(
    engine: PipelineEngine, state: str, target: str, **further: object
) -> dict[str, str]:
    """How figures of a pipeline come about."""
    recipe: dict[str, object] = {
        "pipeline": engine.pipeline,
        "state": state,
        "target": target,
    }
    # How a log was read decides what counts; our own form leaves nothing to decide.
    logs = dict.fromkeys(dialogue.log for dialogue in engine.dialogues if dialogue.log)
    if logs:
        recipe["log"] = "+".join(logs)
    if engine.pipeline.declines:
        recipe["declines"] = ",".join(sorted(engine.pipeline.declines))
    if engine.running.repeats > 1:
        recipe["repeats"] = engine.running.repeats
    return {name: str(value) for name, value in (recipe | further).items()}


def checked(
    where: str, pipeline: Pipeline, dialogues: Sequence[TargetDialogue]
) -> list[TargetDialogue]:
    """The dialogues, if these are a pipeline and dialogues that name its modules."""
    checks.of_kind(where, "pipeline", pipeline, Pipeline)
    dialogues = checks.all_of_kind(where, "dialogues", dialogues, TargetDialogue)
    check_names(pipeline, dialogues)
    return dialogues


def inner_module(
    where: str, what: str, pipeline: Pipeline, name: str, hint: str = ""
) -> Module:
    """The module of a name, which must not be the last one."""
    choice(where, what, name, pipeline.names)
    if name == pipeline.last.name:
        raise InputError(where, what, "come before the last one", shown(name), hint)
    return pipeline.modules[pipeline.names.index(name)]


def run_pipeline(
    pipeline: Pipeline,
    dialogues: Sequence[TargetDialogue],
    *,
    given: Given | None = None,
    state: str = CORRECTED,
    target: str = "wizard",
    running: Running = Running(),  # noqa: B008  (frozen)
) -> PipelineRun:
    """Run a pipeline over target dialogues, as it is or with modules replaced.

    Parameters
    ----------
    pipeline : Pipeline
    dialogues : sequence of TargetDialogue
        What users said, and what should have come out; no two of one name.
    given : mapping of module to source or Module, optional
        Modules whose output comes from a source of annotations (``target`` is one), or
        from another module in their place.
    state : {"corrected", "free"}
        Each turn from the state in which the target dialogue is there; or from that in
        which the outputs themselves have brought the pipeline.
    target : {"wizard", "reference_run"}
        The targets of the last module; or what the pipeline itself puts out from target
        inputs, so that replacing all other modules by the target gives 100 %.
    running : Running
        How many turns at a time, how often, and where steps are kept.

    Returns
    -------
    PipelineRun

    Raises
    ------
    InputError
        If a module or source is not known, or nothing has a target.
    RunError
        If a module fails from the start, or cannot follow a target.

    References
    ----------
    Margaretha and DeVault (2011): A, H, corrected state and P_strict. Their match of
    acts is a share of the acts put out (precision), which a system wins by saying one
    safe thing; the figures here are shares of the target acts. `evaluate_pipeline` has
    both.

    Examples
    --------
    >>> import demur
    >>> turns = [
    ...     demur.TargetTurn(input="who", target={"nlu": "whq", "dm": ["refuse"]}),
    ...     demur.TargetTurn(input="hi", target={"nlu": "greet", "dm": ["greet.back"]})]
    >>> nlu = demur.as_module(lambda text: "greet", name="nlu")
    >>> replies = {"greet": ["greet.back"], "whq": ["refuse"]}
    >>> dm = demur.as_module(replies.get, name="dm")
    >>> pipeline = demur.Pipeline.of([nlu, dm])
    >>> dialogues = [demur.TargetDialogue("d1", turns)]
    >>> demur.run_pipeline(pipeline, dialogues).strict
    0.5
    >>> demur.run_pipeline(pipeline, dialogues, given={"nlu": "target"}).strict
    1.0
    """
    dialogues = checked("run_pipeline", pipeline, dialogues)
    given = dict(given or {})
    choice("run_pipeline", "state", state, STATES)
    with PipelineEngine(pipeline, dialogues, running) as engine:
        engine.check_given("run_pipeline", given)
        wanted = targets_of(engine, target)
        judged = judged_run(engine, given, state, wanted)
        without_target, without_acts = left_out(wanted)
        why = judged.why_unknown
        return PipelineRun(
            replaced=given_text(given),
            state=state,
            items=int(judged.matched.counted.sum()),
            without_target=without_target,
            without_acts=without_acts,
            missing=sum(
                ran is None and want is not None and bool(want.n_acts)
                for ran, want in zip(judged.repeats[0], wanted, strict=True)
            ),
            failed=judged.n_failed,
            strict=None if why else rate_of(judged.ratio("recall")),
            multiple=None if why else rate_of(judged.ratio("recall", "multiple")),
            why_undefined=why,
            of_log=strayed_note(engine, given) if state == CORRECTED else "",
            broke=broken_modules([judged.run_of(given, state)]),
            remarks=unused_declines(engine.pipeline, judged.responses),
            judged=judged,
            recipe=recipe_of(engine, state, target, replaced=given_text(given)),
        )
