"""What comes out if sources take the place of a module: the tables of the paper."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.answers.slots import Policy, Slots
from demur.arrays import Positions
from demur.checks import check_recipe, choice
from demur.comparisons.pairs import holm
from demur.decisions.declining import Rate
from demur.errors import InputError, shown
from demur.outcomes.target_dialogues import TARGET, Failed, TargetDialogue
from demur.pipelines.broken_modules import broken_modules
from demur.pipelines.engine import CORRECTED, STATES, Given, PipelineEngine
from demur.pipelines.evaluations import (
    Compatibility,
    PipelineEvaluation,
    SubstitutionRow,
    SubstitutionTest,
)
from demur.pipelines.matching import (
    MEASURES,
    Matches,
    Wanted,
    matches_of_all,
    unused_declines,
    wanted_of,
)
from demur.pipelines.modules import Module, Pipeline
from demur.pipelines.recordings import strayed_note
from demur.pipelines.remote_modules import unled_notes
from demur.pipelines.runs import (
    MATCHES,
    JudgedRun,
    checked,
    given_text,
    inner_module,
    judged_run,
    left_out,
    rate_over,
    recipe_of,
    source_text,
    sources_text,
    targets_of,
)
from demur.pipelines.turn_parts import Running
from demur.statistics.ratio_tests import TESTS, Ratio, ratio_difference

ACTUAL: Final = "actual"
"""The name of the module's own output among the sources."""

CLUSTERS: Final = ("dialogue", "turn")

_SHOWN_TURNS: Final = 5

Sources = Sequence[str] | Mapping[str, str | Module]


def evaluate_pipeline(  # noqa: PLR0913  (what is replaced, how it is run, how judged)
    pipeline: Pipeline,
    dialogues: Sequence[TargetDialogue],
    *,
    replace: str,
    sources: Sources | None = None,
    given: Given | None = None,
    states: Sequence[str] = STATES,
    measure: str = "recall",
    match: str = "strict",
    target: str = "wizard",
    test: str = "sign_flip",
    cluster: str = "dialogue",
    level: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    running: Running = Running(),  # noqa: B008  (frozen)
) -> PipelineEvaluation:
    """Put sources in the place of a module, and see what the pipeline puts out.

    Parameters
    ----------
    pipeline : Pipeline
    dialogues : sequence of TargetDialogue
        What users said, and what should have come out; no two of one name.
    replace : str
        The module.
    sources : sequence of str, or mapping of name to source or Module, optional
        Sources of annotations and other modules; all that say something of the module
        if left out. The module's own output (``actual``) is always shown.
    given : mapping of module to source or Module, optional
        Modules that are replaced in every row.
    states : sequence of {"corrected", "free"}
        The states in which the pipeline is run.
    measure : {"recall", "precision", "exact"}
        What is tested: matched acts over those of the target, over those put out (as
        the paper counts), or turns with equal sets. All three are in the table.
    match : {"strict", "multiple"}
        What is tested and said first: the target alone, or any acceptable output. Both
        are in the tables.
    target : {"wizard", "reference_run"}
        As for `run_pipeline`.
    test : {"sign_flip", "mcnemar", "wilcoxon"}
        ``sign_flip`` exchanges what is compared within dialogues. ``mcnemar`` is for
        ``exact`` and turns that stand alone, ``wilcoxon`` for all but precision.
    cluster : {"dialogue", "turn"}
        What is independent. Turns of one dialogue are not.
    level, replicates, seed
        Of intervals and tests.
    running : Running
        How many turns at a time, how often, and where steps are kept.

    Returns
    -------
    PipelineEvaluation
        ``str()`` of it has the tables.

    Raises
    ------
    InputError
        If a module, a source or an option is not known, or does not go with the others.
    RunError
        If a module fails from the start, or cannot follow a target.

    Notes
    -----
    Three questions are tested for each source, with Holm's correction over the sources:
    whether responses match more often than the outputs of the module (``response -
    module``, a mean over turns of the share of acts); what other acceptable responses
    add (``multiple - strict``: it cannot be negative, so its test asks whether any turn
    changes); and what the source buys (``source - actual``).

    Multi-act turns, missing annotations and turns without target acts make the numbers
    of cells differ, so each has its own.

    References
    ----------
    Margaretha and DeVault (2011), SIGDIAL, tables 2 and 3. Its own percentages are not
    all possible for the N it prints (`check_percentages`), its Wilcoxon tests take
    turns as independent, and its match of acts is a precision.

    Examples
    --------
    >>> import demur
    >>> turns = [
    ...     demur.TargetTurn(
    ...         input=word, target={"nlu": word, "dm": [f"re.{word}"]},
    ...         annotations={"human": {"nlu": "yes"}})
    ...     for word in ("yes", "no")]
    >>> nlu = demur.as_module(lambda text: None, name="nlu")
    >>> dm = demur.as_module(lambda act: act and [f"re.{act}"], name="dm")
    >>> pipeline = demur.Pipeline.of([nlu, dm])
    >>> found = demur.evaluate_pipeline(
    ...     pipeline, [demur.TargetDialogue("d1", turns)], replace="nlu")
    >>> [(row.source, row.strict.share) for row in found.rows if row.state == "free"]
    [('target', 1.0), ('human', 0.5), ('actual', 0.0)]
    """
    where = "evaluate_pipeline"
    dialogues = checked(where, pipeline, dialogues)
    hint = "What stands in the place of the last module is the response itself."
    module = inner_module(where, "replace", pipeline, replace, hint)
    _check(where, states, measure, test, cluster)
    choice(where, "match", match, MATCHES)
    check_recipe(where, level, replicates)
    if test == "mcnemar" and running.repeats > 1:
        need, hint = "stand with one run of each turn", "sign_flip is for any."
        raise InputError(where, "mcnemar", need, f"{running.repeats} repeats", hint)
    fixed = dict(given or {})
    if replace in fixed:
        need, hint = f"not hold {replace}", "It is what the sources replace."
        raise InputError(where, "given", need, "that", hint)
    design = _Design(
        module=module,
        fixed=fixed,
        states=states,
        target=target,
        measure=measure,
        match=match,
        test=test,
        cluster=cluster,
        level=level,
        replicates=replicates,
        seed=seed,
    )
    with PipelineEngine(pipeline, dialogues, running) as engine:
        return _evaluation(engine, design, _sources(where, engine, module, sources))


@dataclass(frozen=True)
class _Design:
    """What is run and tested, how, and with which independent units."""

    module: Module
    fixed: Given
    states: Sequence[str]
    target: str
    measure: str
    match: str
    test: str
    cluster: str
    level: float
    replicates: int
    seed: int

    def recipe(self, engine: PipelineEngine, named: Given) -> dict[str, str]:
        """How the figures come about."""
        names = ("measure", "match", "test", "cluster", "level", "replicates", "seed")
        return recipe_of(
            engine,
            "+".join(self.states),
            self.target,
            replace=self.module.name,
            sources=sources_text(named),
            given=given_text(self.fixed),
            **{name: getattr(self, name) for name in names},
        )

    def units(self, run: JudgedRun) -> Positions:
        """Dialogues, or turns with their repeats."""
        if self.cluster == "dialogue":
            return run.cluster
        return np.tile(np.arange(len(run.places)), len(run.repeats))


def _check(
    where: str, states: Sequence[str], measure: str, test: str, cluster: str
) -> None:
    if isinstance(states, str) or not states:
        need, hint = "be a list of states", "Write states=['corrected']."
        raise InputError(where, "states", need, shown(states), hint)
    for state in states:
        choice(where, "a state", state, STATES)
    choice(where, "measure", measure, MEASURES)
    choice(where, "test", test, TESTS)
    choice(where, "cluster", cluster, CLUSTERS)
    if test == "mcnemar" and (measure != "exact" or cluster != "turn"):
        need = 'have measure="exact" and cluster="turn"'
        hint = "It is for items that are right or wrong and stand alone."
        raise InputError(where, "mcnemar", need, f"{measure}, {cluster}", hint)
    if test == "wilcoxon" and measure == "precision":
        need, hint = "have measure recall or exact", "sign_flip is for any."
        raise InputError(where, "wilcoxon", need, measure, hint)


def _sources(
    where: str, engine: PipelineEngine, module: Module, sources: Sources | None
) -> dict[str, str | Module]:
    if sources is None:
        sources = [s for s in engine.sources(module.name) if s != module.recorded]
    if isinstance(sources, str):
        sources = [sources]
    if isinstance(sources, Mapping):
        named = dict(sources)
    else:
        named = {source_text(source): source for source in sources}
        if len(named) < len(sources):
            got = ", ".join(map(source_text, sources))
            raise InputError(where, "sources", "stand once each", got)
    if ACTUAL in named:
        hint = "The module's own output has this name, and is always shown."
        raise InputError(where, "a source", f"not be called {ACTUAL}", "that", hint)
    return named


def _evaluation(
    engine: PipelineEngine, design: _Design, named: Mapping[str, str | Module]
) -> PipelineEvaluation:
    replace, fixed = design.module.name, design.fixed
    taken = {name: {**fixed, replace: source} for name, source in named.items()}
    for replaced in taken.values():
        engine.check_given("evaluate_pipeline", replaced)
    wanted, pipeline = targets_of(engine, design.target), engine.pipeline
    runs = {
        (name, state): judged_run(engine, replaced, state, wanted)
        for state in design.states
        for name, replaced in {**taken, ACTUAL: fixed}.items()
    }
    responses = [output for run in runs.values() for output in run.responses]
    rows, tests = _judged(engine, design, runs, named, wanted)
    without_target, without_acts = left_out(wanted)
    return PipelineEvaluation(
        module=replace,
        measure=design.measure,
        match=design.match,
        level=design.level,
        rows=tuple(rows),
        tests=tuple(tests),
        compatible=compatibilities(engine, wanted),
        turns=len(engine.turns),
        dialogues=len(engine.dialogues),
        without_target=without_target,
        without_acts=without_acts,
        runs=runs,
        remarks=(
            *_remarks(engine, design, wanted),
            *unused_declines(pipeline, responses),
        ),
        broke=broken_modules(
            run.run_of({} if name == ACTUAL else {replace: name}, state)
            for (name, state), run in runs.items()
        ),
        recipe=design.recipe(engine, named),
    )


def _judged(
    engine: PipelineEngine,
    design: _Design,
    runs: Mapping[tuple[str, str], JudgedRun],
    named: Mapping[str, str | Module],
    wanted: Wanted,
) -> tuple[list[SubstitutionRow], list[SubstitutionTest]]:
    """A row for each source and state, and the tests of each state."""
    outputs = wanted_of(engine, design.module)
    seen: dict[str, Matches] = {}
    rows: list[SubstitutionRow] = []
    tests: list[SubstitutionTest] = []
    for state in design.states:
        of_state = {
            name: run for (name, run_state), run in runs.items() if run_state == state
        }
        for name, run in of_state.items():
            # What people said is the same in either state.
            if name not in seen or not isinstance(named.get(name), str):
                seen[name] = matches_of_all(
                    design.module, run.repeats, outputs, acts=False
                )
            rows.append(_row(name, state, run, seen[name], design))
        others = _have_others(wanted)
        tests += _substitution_tests(state, of_state, seen, design, others=others)
    return rows, tests


def _have_others(wanted: Wanted) -> bool:
    return any(want is not None and want.others for want in wanted)


def _row(
    name: str, state: str, run: JudgedRun, seen: Matches, design: _Design
) -> SubstitutionRow:
    units, module = design.units(run), design.module.name
    base = seen.counted.astype(float)
    measures = {
        measure: {
            match: _UNDEFINED
            if run.why_unknown
            else rate_over(run.ratio(measure, match), units, design.level)
            for match in MATCHES
        }
        for measure in MEASURES
    }
    ran = [turn for turn in run.flat if turn is not None]
    return SubstitutionRow(
        source=name,
        state=state,
        items=int(run.matched.counted.sum()),
        acts=int(run.matched.target_acts.sum()),
        identical=rate_over((seen.identical * base, base), units, design.level),
        acceptable=rate_over((seen.acceptable * base, base), units, design.level),
        **measures[design.measure],
        measures=measures,
        missing=sum(turn is None for turn in run.repeats[0]),
        declined=sum(
            turn.values[module] is None and module not in turn.failed for turn in ran
        ),
        failed=run.n_failed,
        silent=0 if run.why_unknown else int(run.matched.silent.sum()),
        why_undefined=run.why_unknown,
    )


_UNDEFINED: Final = Rate.of(0.0, 0.0, None)


_Pairs = dict[str, tuple[Ratio, Ratio]]


def _questions(
    runs: Mapping[str, JudgedRun],
    seen: Mapping[str, Matches],
    how: tuple[str, str],
    *,
    others: bool,
) -> dict[str, _Pairs]:
    """What is compared for each source, by question: two ratios of the turns."""
    runs = {name: run for name, run in runs.items() if not run.why_unknown}
    played = {name: run for name, run in runs.items() if name != TARGET}
    return {
        "response - module": {
            name: _with_module(run, seen[name], how) for name, run in played.items()
        },
        "multiple - strict": {
            name: (run.ratio(how[0]), run.ratio(how[0], "multiple"))
            for name, run in played.items()
            if others
        },
        "source - actual": {
            name: _with_actual(run, runs[ACTUAL], how)
            for name, run in runs.items()
            if name != ACTUAL and ACTUAL in runs
        },
    }


def _with_module(
    run: JudgedRun, seen: Matches, how: tuple[str, str]
) -> tuple[Ratio, Ratio]:
    """Turns whose module is right, and the share of acts of their responses."""
    above, below = run.ratio(*how)
    right = seen.acceptable if how[1] == "multiple" else seen.identical
    share = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    both = run.matched.counted.astype(float) * seen.counted
    return (right * both, both), (share * both, both)


def _with_actual(
    run: JudgedRun, actual: JudgedRun, how: tuple[str, str]
) -> tuple[Ratio, Ratio]:
    """The pipeline as it is, and with the source, where both count."""
    both = run.matched.counted & actual.matched.counted
    now, then = actual.ratio(*how), run.ratio(*how)
    return (now[0] * both, now[1] * both), (then[0] * both, then[1] * both)


def _substitution_tests(
    state: str,
    runs: Mapping[str, JudgedRun],
    seen: Mapping[str, Matches],
    design: _Design,
    *,
    others: bool,
) -> Iterator[SubstitutionTest]:
    units = design.units(runs[ACTUAL])
    for question, pairs in _questions(
        runs, seen, (design.measure, design.match), others=others
    ).items():
        tested = {
            name: ratio_difference(
                *pair,
                units,
                level=design.level,
                test=design.test,
                replicates=design.replicates,
                seed=design.seed,
            )
            for name, pair in pairs.items()
            if all(below.any() for _, below in pair)
        }
        adjusted = holm(np.array([test.p_value for test in tested.values()]))
        for (name, test), corrected in zip(
            tested.items(), adjusted.tolist(), strict=True
        ):
            low, high = test.interval or (None, None)
            yield SubstitutionTest(
                question=question,
                source=name,
                state=state,
                items=test.n_items,
                units=test.n_units,
                difference=test.difference,
                low=low,
                high=high,
                p_value=test.p_value,
                adjusted=corrected,
                method=design.test,
            )


def compatibilities(
    engine: PipelineEngine, wanted: Wanted
) -> tuple[Compatibility, ...]:
    """Whether the response is the target, fed with targets up to each module."""
    pipeline = engine.pipeline
    compared = []
    for n_given in range(len(pipeline.modules)):
        names = pipeline.names[:n_given]
        known = [name for name in names if engine.sources(name)[:1] == [TARGET]]
        if len(known) < len(names):
            continue
        run = judged_run(engine, dict.fromkeys(names, TARGET), CORRECTED, wanted)
        if run.why_unknown:
            continue
        matched = run.matched
        other = np.flatnonzero(matched.counted & ~matched.identical)
        n_turns = len(run.places)
        compared.append(
            Compatibility(
                given=names,
                compatible=not len(other),
                identical=int(matched.identical.sum()),
                turns=int(matched.counted.sum()),
                matched=int(matched.matched.sum()),
                acts=int(matched.said_acts.sum()),
                differs=tuple(
                    run.places[at % n_turns] for at in other[:_SHOWN_TURNS].tolist()
                ),
            )
        )
    return tuple(compared)


def _empty_notes(engine: PipelineEngine, modules: Sequence[Module]) -> Iterator[str]:
    for module in modules:
        if n_empty := _empty_acts(engine, module):
            yield (
                f"{n_empty:,} target acts of {module.name} have the value none or "
                "dontcare and do not count as acts; slots(none=value) counts them."
            )


def _empty_acts(engine: PipelineEngine, module: Module) -> int:
    """Acts in lists of targets that the policy of the comparator leaves out."""
    if not isinstance(module.compare, Slots):
        return 0
    every, n_empty = Slots(policy=Policy("value", "value")), 0
    for at in range(len(engine.turns)):
        target = engine.turn(at).target.get(module.name)
        if isinstance(target, (list, tuple)):
            acts, counted = every.read(target), module.compare.read(target)
            n_empty += len(acts or ()) - len(counted or ())
    return n_empty


def _log_remarks(engine: PipelineEngine, design: _Design) -> Iterator[str]:
    """What a reader must know of what was recorded."""
    replace = design.module.name
    if CORRECTED in design.states and (note := strayed_note(engine, design.fixed)):
        yield note
    broken = sum(
        isinstance(outputs.get(replace), Failed)
        for at in range(len(engine.turns))
        for outputs in engine.turn(at).annotations.values()
    )
    if broken:
        yield f"Sources of {replace} failed in {broken} turns: nothing went on."


def _target_remarks(wanted: Wanted) -> Iterator[str]:
    """What a reader must know of the targets of the last module."""
    if n_none := sum(want is not None and want.none for want in wanted):
        words = "Turns without an answer (target null), where to decline is right"
        yield f"{words}: {n_none:,}."
    if not _have_others(wanted):
        yield "No turn has another acceptable response: P_multiple is P_strict."


def _remarks(engine: PipelineEngine, design: _Design, wanted: Wanted) -> Iterator[str]:
    """What a reader must know of how it was run."""
    fixed = design.fixed
    repeats = engine.running.repeats
    if fixed:
        yield f"In every row {given_text(fixed)}."
    if design.target == "reference_run":
        yield "The target is what the pipeline itself puts out from target inputs."
    yield from _target_remarks(wanted)
    yield from _log_remarks(engine, design)
    if CORRECTED in design.states:
        yield from (f"{note}." for note in unled_notes(engine.running_modules(fixed)))
    if design.cluster == "turn":
        yield "Turns are taken as independent, which those of one dialogue are not."
    yield from _empty_notes(engine, [design.module, engine.pipeline.last])
    if repeats == 1 and engine.stochastic(fixed):
        yield "A module is stochastic, and each turn was run once."
    if repeats > 1:
        yield f"Each turn was run {repeats} times."
