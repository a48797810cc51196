"""What comes out if sources take the place of a module: the tables of the paper."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from demur import checks
from demur.answers.slots import Policy, Slots
from demur.arrays import Flags, Floats, Positions
from demur.checks import choice
from demur.comparisons.pairs import holm
from demur.decisions.declining import Rate
from demur.errors import InputError, shown
from demur.pipelines.engine import CORRECTED, STATES, Given, PipelineEngine
from demur.pipelines.evaluations import (
    Compatibility,
    PipelineEvaluation,
    SubstitutionRow,
    SubstitutionTest,
)
from demur.pipelines.matching import MEASURES, Matches, WantedActs, matches, wanted_of
from demur.pipelines.modules import Module, Pipeline
from demur.pipelines.runs import (
    JudgedRun,
    given_text,
    judged_run,
    left_out,
    recipe_of,
    source_text,
    sources_text,
    targets_of,
)
from demur.pipelines.target_dialogues import TARGET, Failed, TargetDialogue
from demur.pipelines.turn_parts import Running
from demur.statistics.ratio_tests import TESTS, ratio_difference
from demur.statistics.ratios import ratio_interval
from demur.statistics.units import check_recipe

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
    checks.of_kind(where, "pipeline", pipeline, Pipeline)
    dialogues = checks.all_of_kind(where, "dialogues", dialogues, TargetDialogue)
    choice(where, "replace", replace, pipeline.names)
    if replace == pipeline.last.name:
        must = "come before the last one"
        hint = "What stands in the place of the last module is the response itself."
        raise InputError(where, "replace", must, shown(replace), hint)
    _check(where, states, measure, test, cluster)
    check_recipe(where, level, replicates)
    if test == "mcnemar" and running.repeats > 1:
        must, hint = "stand with one run of each turn", "sign_flip is for any."
        raise InputError(where, "mcnemar", must, f"{running.repeats} repeats", hint)
    fixed = dict(given or {})
    if replace in fixed:
        must, hint = f"not hold {replace}", "It is what the sources replace."
        raise InputError(where, "given", must, "that", hint)
    with PipelineEngine(pipeline, dialogues, running) as engine:
        named = _sources(where, engine, replace, sources)
        for source in named.values():
            engine.check_given(where, {**fixed, replace: source})
        wanted = targets_of(engine, target)
        design = _Design(measure, test, cluster == "dialogue", level, replicates, seed)
        module = next(each for each in pipeline.modules if each.name == replace)
        outputs = wanted_of(engine, module)
        others = any(each is not None and each.others for each in wanted)
        rows: list[SubstitutionRow] = []
        tests: list[SubstitutionTest] = []
        annotated: dict[str, list[Matches]] = {}
        made: dict[tuple[str, str], JudgedRun] = {}
        for state in states:
            runs = {
                name: judged_run(engine, {**fixed, replace: source}, state, wanted)
                for name, source in named.items()
            }
            runs[ACTUAL] = judged_run(engine, fixed, state, wanted)
            seen = {
                name: annotated.get(name) or _of_module(module, run, outputs)
                for name, run in runs.items()
            }
            # What people said is the same in either state.
            annotated = {n: seen[n] for n, s in named.items() if isinstance(s, str)}
            made |= {(name, state): run for name, run in runs.items()}
            rows += [
                _row(name, state, run, seen[name], replace, design)
                for name, run in runs.items()
            ]
            tests += _tests(state, runs, seen, design, others=others)
        without_target, without_acts = left_out(wanted)
        return PipelineEvaluation(
            module=replace,
            measure=measure,
            level=level,
            rows=tuple(rows),
            tests=tuple(tests),
            compatible=compatibilities(engine, wanted),
            turns=len(engine.turns),
            dialogues=len(dialogues),
            without_target=without_target,
            without_acts=without_acts,
            runs=made,
            remarks=_notes(engine, replace, fixed, target, design, others=others),
            recipe=recipe_of(
                engine,
                "+".join(states),
                target,
                replace=replace,
                sources=sources_text(named),
                given=given_text(fixed),
                measure=measure,
                test=test,
                cluster=cluster,
                level=level,
                replicates=replicates,
                seed=seed,
            ),
        )


class _Design:
    """What is tested, how, and with which independent units."""

    def __init__(
        self,
        measure: str,
        test: str,
        clustered: bool,  # noqa: FBT001
        level: float,
        replicates: int,
        seed: int,
    ) -> None:
        self.measure, self.test, self.clustered = measure, test, clustered
        self.level, self.replicates, self.seed = level, replicates, seed

    def units(self, run: JudgedRun) -> Positions:
        """Dialogues, or turns with their repeats."""
        if self.clustered:
            return run.cluster
        return np.tile(np.arange(len(run.places)), len(run.repeats))

    def rate(self, ratio: tuple[Floats, Floats], units: Positions) -> Rate:
        """A share with its interval."""
        above, below = ratio
        k, n = float(above.sum()), float(below.sum())
        if not n:
            return Rate(k, n, None, None, None)
        kept = below > 0
        codes = np.unique(units[kept], return_inverse=True)[1]
        ends = ratio_interval(above[kept], below[kept], codes, self.level, share=True)
        return Rate(k, n, k / n, *(ends or (None, None)))


def _check(
    where: str, states: Sequence[str], measure: str, test: str, cluster: str
) -> None:
    if isinstance(states, str) or not states:
        must, hint = "be a list of states", "Write states=['corrected']."
        raise InputError(where, "states", must, shown(states), hint)
    for state in states:
        choice(where, "a state", state, STATES)
    choice(where, "measure", measure, MEASURES)
    choice(where, "test", test, TESTS)
    choice(where, "cluster", cluster, CLUSTERS)
    if test == "mcnemar" and (measure != "exact" or cluster != "turn"):
        must = 'have measure="exact" and cluster="turn"'
        hint = "It is for items that are right or wrong and stand alone."
        raise InputError(where, "mcnemar", must, f"{measure}, {cluster}", hint)
    if test == "wilcoxon" and measure == "precision":
        must, hint = "have measure recall or exact", "sign_flip is for any."
        raise InputError(where, "wilcoxon", must, measure, hint)


def _sources(
    where: str, engine: PipelineEngine, replace: str, sources: Sources | None
) -> dict[str, str | Module]:
    if sources is None:
        own = next(each for each in engine.pipeline.modules if each.name == replace)
        sources = [s for s in engine.sources(replace) if s != own.recorded]
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


def _of_module(
    module: Module, run: JudgedRun, outputs: Sequence[WantedActs | None]
) -> list[Matches]:
    """The matches of the replaced module, of each repeat."""
    distinct = {id(ran): ran for ran in run.repeats}
    found = {
        key: matches(module, ran, outputs, acts=False) for key, ran in distinct.items()
    }
    return [found[id(ran)] for ran in run.repeats]


def _joined(seen: Sequence[Matches], name: str) -> Any:
    return np.concatenate([getattr(each, name) for each in seen])


def _row(
    name: str,
    state: str,
    run: JudgedRun,
    seen: Sequence[Matches],
    module: str,
    design: _Design,
) -> SubstitutionRow:
    units = design.units(run)
    counted: Flags = _joined(seen, "counted")
    base = counted.astype(float)
    of_module = {
        column: design.rate((_joined(seen, column) * base, base), units)
        for column in ("identical", "acceptable")
    }
    measures = {
        measure: tuple(
            design.rate(run.ratio(measure, multiple=multiple), units)
            for multiple in (False, True)
        )
        for measure in MEASURES
    }
    strict, multiple = measures[design.measure]
    ran = [each for each in run.flat if each is not None]
    declined = sum(
        each.values[module] is None and module not in each.failed for each in ran
    )
    return SubstitutionRow(
        source=name,
        state=state,
        items=int(run.matched.counted.sum()),
        acts=int(run.matched.target_acts.sum()),
        **of_module,
        strict=strict,
        multiple=multiple,
        measures={
            measure: {"strict": pair[0], "multiple": pair[1]}
            for measure, pair in measures.items()
        },
        missing=sum(each is None for each in run.repeats[0]),
        declined=declined,
        failed=run.n_failed,
        silent=int(run.matched.silent.sum()),
    )


def _tests(
    state: str,
    runs: Mapping[str, JudgedRun],
    seen: Mapping[str, Sequence[Matches]],
    design: _Design,
    *,
    others: bool,
) -> list[SubstitutionTest]:
    questions: dict[str, dict[str, Any]] = {
        "response - module": {},
        "multiple - strict": {},
        "source - actual": {},
    }
    units = design.units(runs[ACTUAL])
    for name, run in runs.items():
        if name != TARGET:
            response = _shares(run, design.measure)
            both = response[1] * _joined(seen[name], "counted")
            identical = _joined(seen[name], "identical") * both
            pair = (identical, both), (response[0] * both, both)
            questions["response - module"][name] = pair
            if others:
                questions["multiple - strict"][name] = tuple(
                    run.ratio(design.measure, multiple=multiple)
                    for multiple in (False, True)
                )
        if name != ACTUAL:
            both = run.matched.counted & runs[ACTUAL].matched.counted
            questions["source - actual"][name] = tuple(
                tuple(
                    np.where(both, each, 0.0)
                    for each in one.ratio(design.measure, multiple=False)
                )
                for one in (runs[ACTUAL], run)
            )
    found = []
    for question, pairs in questions.items():
        family = {
            name: (pair, _tested(pair, units, design))
            for name, pair in pairs.items()
            if pair[0][1].any() and pair[1][1].any()
        }
        adjusted = holm(np.array([each.p_value for _, each in family.values()]))
        for (name, (pair, each)), corrected in zip(
            family.items(), adjusted.tolist(), strict=True
        ):
            low, high = each.interval or (None, None)
            found.append(
                SubstitutionTest(
                    question=question,
                    source=name,
                    state=state,
                    items=int(((pair[0][1] > 0) | (pair[1][1] > 0)).sum()),
                    units=each.n_units,
                    difference=each.difference,
                    low=low,
                    high=high,
                    p_value=each.p_value,
                    adjusted=corrected,
                    method=design.test,
                )
            )
    return found


def _tested(pair: Any, units: Positions, design: _Design) -> Any:
    used = (pair[0][1] > 0) | (pair[1][1] > 0)
    (top_a, below_a), (top_b, below_b) = pair
    codes = np.unique(units[used], return_inverse=True)[1]
    return ratio_difference(
        (top_a[used], below_a[used]),
        (top_b[used], below_b[used]),
        codes,
        level=design.level,
        test=design.test,
        replicates=design.replicates,
        seed=design.seed,
    )


def _shares(run: JudgedRun, measure: str) -> tuple[Floats, Floats]:
    """The share of acts of each turn, and which turns count."""
    above, below = run.ratio(measure, multiple=False)
    share = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    return share, run.matched.counted.astype(float)


def compatibilities(
    engine: PipelineEngine, wanted: Sequence[WantedActs | None]
) -> tuple[Compatibility, ...]:
    """Whether the response is the target, fed with targets up to each module."""
    pipeline = engine.pipeline
    found = []
    for n_given in range(len(pipeline.modules)):
        names = pipeline.names[:n_given]
        known = [name for name in names if engine.sources(name)[:1] == [TARGET]]
        if len(known) < len(names):
            continue
        run = judged_run(engine, dict.fromkeys(names, TARGET), CORRECTED, wanted)
        matched = run.matched
        other = np.flatnonzero(matched.counted & ~matched.identical)
        n_turns = len(run.places)
        found.append(
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
    return tuple(found)


def _empty_notes(engine: PipelineEngine, names: Sequence[str]) -> list[str]:
    counted = {name: _empty_acts(engine, name) for name in names}
    return [
        f"{n_empty:,} target acts of {name} have the value none or dontcare and do not "
        "count as acts; slots(none=value) counts them."
        for name, n_empty in counted.items()
        if n_empty
    ]


def _empty_acts(engine: PipelineEngine, name: str) -> int:
    """Acts in lists of targets that the policy of the comparator leaves out."""
    module = next(each for each in engine.pipeline.modules if each.name == name)
    if not isinstance(module.compare, Slots):
        return 0
    every, found = Slots(policy=Policy("value", "value")), 0
    for at in range(len(engine.turns)):
        target = engine.turn(at).target.get(name)
        if isinstance(target, (list, tuple)):
            acts, counted = every.read(target), module.compare.read(target)
            found += len(acts or ()) - len(counted or ())
    return found


def _notes(
    engine: PipelineEngine,
    replace: str,
    fixed: Given,
    target: str,
    design: _Design,
    *,
    others: bool,
) -> tuple[str, ...]:
    notes = []
    if fixed:
        notes.append(f"In every row {given_text(fixed)}.")
    if target == "reference_run":
        notes.append(
            "The target is what the pipeline itself puts out from target inputs."
        )
    if not others:
        notes.append("No turn has another acceptable response: P_multiple is P_strict.")
    broken = sum(
        isinstance(outputs.get(replace), Failed)
        for at in range(len(engine.turns))
        for outputs in engine.turn(at).annotations.values()
    )
    if broken:
        notes.append(f"Sources of {replace} failed in {broken} turns: nothing went on.")
    if not design.clustered:
        notes.append(
            "Turns are taken as independent, which those of one dialogue are not."
        )
    notes += _empty_notes(engine, (replace, engine.pipeline.last.name))
    if engine.running.repeats == 1 and engine.stochastic(fixed):
        notes.append("A module is stochastic, and each turn was run once.")
    if engine.running.repeats > 1:
        notes.append(f"Each turn was run {engine.running.repeats} times.")
    return tuple(notes)
