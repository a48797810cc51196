"""Runs the modules of a pipeline over target dialogues; nothing is judged here."""

from collections import defaultdict
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from demur.checks import choice
from demur.errors import InputError, RunError, problem_text, shown
from demur.executors import in_order
from demur.outcomes.records import Response
from demur.outcomes.target_dialogues import TARGET, TargetDialogue, TargetTurn
from demur.pipelines.kept_steps import kept, kept_observe, limited
from demur.pipelines.modules import (
    INPUT,
    Module,
    Observe,
    Pipeline,
    Step,
    split_output,
)
from demur.pipelines.step_checks import (
    SeenSteps,
    check_given,
    check_new,
    check_observed,
    check_unchanged,
)
from demur.pipelines.turn_parts import (
    MISSING,
    PLANTED,
    FirstSteps,
    Part,
    Ran,
    RanTurn,
    Running,
    copy_outputs,
    said_by,
    snapshot,
    take,
)
from demur.systems.adapters.kept_answers import KeptAnswers

SHARES: Final = 32
"""Into how many shares dialogues are cut for an executor."""

GIVE_UP: Final = 20
"""If so many steps of a module all fail, and none before, the run ends."""

CORRECTED: Final = "corrected"
FREE: Final = "free"
STATES: Final = (CORRECTED, FREE)
STATE_WORDS: Final = {CORRECTED: "corrected state", FREE: "free-running"}

Given = Mapping[str, str | Module]
"""Modules that are replaced, each by a source of annotations or by another module."""

_Made = TypeVar("_Made")
_Job = TypeVar("_Job")


class _Dialogues(NamedTuple):
    """Some dialogues, with what is known of them from earlier runs."""

    dialogues: Sequence[TargetDialogue]
    known: Any
    actual: Ran


def _ran_share(
    pipeline: Pipeline, running: Running, configuration: Any, share: _Dialogues
) -> Any:
    with PipelineEngine(pipeline, share.dialogues, running, in_part=True) as engine:
        return engine.ran_share(share, *configuration)


class PipelineEngine:
    """A pipeline with the dialogues that it is run on; a context manager.

    Parameters
    ----------
    pipeline : Pipeline
    dialogues : sequence of TargetDialogue
        What users said, and what should have come out; no two of one name.
    running : Running
        How many turns at a time, how often, and where steps are kept.
    in_part : bool
        Whether the dialogues are a share of more: then whoever has all of them checks
        sources, and gives up.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        dialogues: Sequence[TargetDialogue],
        running: Running,
        *,
        in_part: bool = False,
    ) -> None:
        self.pipeline, self.dialogues, self.running = pipeline, dialogues, running
        self._sources: dict[str, dict[str, None]] | None = None
        if not dialogues:
            raise InputError("a pipeline", "dialogues", "hold at least one", "none")
        names = [dialogue.dialogue for dialogue in dialogues]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            need, hint = "have a name of its own", "Name them apart."
            raise InputError("a pipeline", "each dialogue", need, shown(twice), hint)
        self._in_part = in_part
        for module in () if in_part else pipeline.modules:
            if module.recorded:
                self.check_given("a pipeline", {module.name: module.recorded})
        sizes = [len(dialogue.turns) for dialogue in dialogues]
        self.turns = [(d, t) for d, size in enumerate(sizes) for t in range(size)]
        self._first = [0]
        for size in sizes:
            self._first.append(self._first[-1] + size)
        self._answers = None if running.cache is None else KeptAnswers(running.cache)
        self._calls: dict[tuple[int, int], tuple[Step, Observe | None]] = {}
        self._targets: list[dict[str, Any]] | None = None
        self._target_states: dict[tuple[str, int], list[Any]] = {}
        self._actual: dict[int, Ran] = {}
        self._recorded: Ran | None = None
        self._seen = SeenSteps()
        self._first_steps: defaultdict[str, FirstSteps] = defaultdict(FirstSteps)
        self._known: dict[int, Any] = {}
        """The target states of the dialogues of a share, by its first dialogue."""

    def __enter__(self) -> "PipelineEngine":
        return self

    def __exit__(self, *_: object) -> None:
        if self._answers is not None:
            self._answers.close()

    def turn(self, at: int) -> TargetTurn:
        """The turn with a number from 0, of all dialogues together."""
        dialogue, number = self.turns[at]
        return self.dialogues[dialogue].turns[number]

    def where(self, at: int) -> str:
        """The place of a turn, for messages."""
        dialogue, number = self.turns[at]
        return f"{self.dialogues[dialogue].dialogue}:{number + 1}"

    def sources(self, module: str) -> list[str]:
        """The sources that say something of a module, the target first."""
        if self._sources is None:
            self._sources = {name: {} for name in self.pipeline.names}
            for dialogue in self.dialogues:
                for turn in dialogue.turns:
                    for source, outputs in (
                        (TARGET, turn.target),
                        *turn.annotations.items(),
                    ):
                        for name in outputs:
                            if name in self._sources:
                                self._sources[name][source] = None
        return sorted(self._sources[module], key=lambda source: source != TARGET)

    def check_given(self, where: str, given: Given) -> None:
        """Raise if a module is unknown, or a source says nothing of it."""
        for name, source in given.items():
            choice(where, "a module", name, self.pipeline.names)
            if not isinstance(source, Module):
                known = self.sources(name)
                if not known:
                    need, hint = "have annotations", "Name its sources in the turns."
                    raise InputError(where, f"module {name!r}", need, "none", hint)
                choice(where, f"a source of {name}", source, known)

    def ran(
        self,
        given: Given,
        state: str,
        *,
        repeat: int = 0,
        cutoffs: Mapping[str, float] | None = None,
    ) -> Ran:
        """All turns, with modules replaced.

        Parameters
        ----------
        given : mapping of module to source or Module
            What takes the place of modules.
        state : {"corrected", "free"}
            Each turn from the state in which the target dialogue is there, or from that
            in which the modules' own outputs (and those given) have brought it.
        repeat : int
            Which run of modules that answer by chance, from 0.
        cutoffs : mapping of module to float, optional
            Guesses with a confidence below are not handed on, all others are.
        """
        cutoffs = cutoffs or {}
        if state == FREE or given or cutoffs:
            return self._made(given, state, repeat, cutoffs)
        if repeat not in self._actual:
            self._actual[repeat] = self._made({}, state, repeat, {})
        return self._actual[repeat]

    def _made(
        self, given: Given, state: str, repeat: int, cutoffs: Mapping[str, float]
    ) -> Ran:
        if self.running.executor is not None:
            return self._elsewhere(given, state, repeat, cutoffs)
        run = self._free if state == FREE else self._corrected
        return run(given, repeat, cutoffs)

    # -- on an executor ----------------------------------------------------------------

    def _elsewhere(
        self, given: Given, state: str, repeat: int, cutoffs: Mapping[str, float]
    ) -> Ran:
        """All turns, run in shares by the workers of an executor."""
        if state == CORRECTED and self._run_and_above(given, cutoffs)[1]:
            self.ran({}, CORRECTED, repeat=repeat)
        cache = self.running.cache
        running = Running(cache=None if cache is None else Path(cache).absolute())
        what = self.pipeline, running, (given, state, repeat, cutoffs)
        n_dialogues = len(self.dialogues)
        step = -(-n_dialogues // SHARES)
        actual = self._actual.get(repeat, []) if state == CORRECTED else []
        shares = [
            _Dialogues(
                self.dialogues[at : at + step],
                self._known.get(at),
                actual[self._first[at] : self._first[min(at + step, n_dialogues)]],
            )
            for at in range(0, n_dialogues, step)
        ]
        executor, turns = self.running.executor, Ran()
        made = in_order("pipeline", partial(_ran_share, *what), shares, executor)
        for at, (ran, first_steps, known) in enumerate(made):
            for name, later in first_steps.items():
                self._went_on(name, later)
            if known is not None:
                self._known[at * step] = known
            turns += ran
            if self.running.progress is not None:
                self.running.progress(len(turns), len(self.turns))
        return turns

    def ran_share(self, share: "_Dialogues", *configuration: Any) -> Any:
        """The turns of a share, how modules began, and target states not yet known."""
        given, state, repeat, cutoffs = configuration
        if share.known is not None:
            self._targets, states = share.known
            self._target_states.update(states)
        if share.actual:
            self._actual[repeat] = share.actual
        ran = self.ran(given, state, repeat=repeat, cutoffs=cutoffs)
        known = None
        if share.known is None and self._targets is not None:
            # Those of other modules, in the place of these, are known by their address.
            states = {key: s for key, s in self._target_states.items() if not key[1]}
            known = self._targets, states
        return ran, self._first_steps, known

    def as_recorded(self) -> Ran:
        """All turns as they went: what recorded modules heard when they spoke."""
        if self._recorded is None:
            self._recorded = self._made({}, FREE, 0, {})
        return self._recorded

    def running_modules(self, given: Given) -> list[Module]:
        """The modules that run."""
        run = [module for module in self.pipeline.modules if module.name not in given]
        return run + [one for one in given.values() if isinstance(one, Module)]

    def stochastic(self, given: Given) -> bool:
        """Whether a module that runs may answer the same input differently."""
        return any(module.stochastic for module in self.running_modules(given))

    # -- corrected state ---------------------------------------------------------------

    def _corrected(
        self, given: Given, repeat: int, cutoffs: Mapping[str, float]
    ) -> Ran:
        run, above = self._run_and_above(given, cutoffs)
        parts = self._parts(given, repeat, cutoffs)
        taken = [part for part in parts if part.source is not None]
        working = [
            part
            for part in parts
            if part.source is None and (part.name in run or part.name in given)
        ]
        base = self.ran({}, CORRECTED, repeat=repeat) if above else None
        self._with_states(working, given)

        def one(at: int) -> RanTurn | None:
            turn = self.turn(at)
            ran = RanTurn({INPUT: turn.input})
            if base is not None:
                before = base[at]
                if before is None:
                    return None
                copy_outputs(before, ran, above)
            for part in taken:
                value = said_by(turn, part)
                if value is MISSING:
                    return None
                take(ran, part, value, turn)
            for part in working:
                state = None if part.states is None else part.states[at]
                self._run(part, ran, state, at)
            return ran

        turns = self._mapped(one, range(len(self.turns)), self._one_turn)
        for part in working:
            check_observed(part, self._seen, self._first[:-1])
        return turns

    def _run_and_above(
        self, given: Given, cutoffs: Mapping[str, float]
    ) -> tuple[set[str], set[str]]:
        """The modules that run, and those that no replacement reaches.

        The latter say what they say in the run as it is.
        """
        moved, names = {**given, **cutoffs}, set(self.pipeline.names)
        below = {module.name for module in self.pipeline.below(moved)}
        run = below | set(cutoffs) if moved else names
        return run, names - set(given) - run

    def _with_states(self, parts: Sequence[Part], given: Given) -> None:
        """The target state before each turn, for parts that have states."""
        held = [part for part in parts if part.observe is not None]
        if not held:
            return
        if self._targets is None:
            self._follow_targets()
        for part in held:
            module = given.get(part.name)
            # Another module in the same place goes through states of its own.
            key = (part.name, id(module) if isinstance(module, Module) else 0)
            if key not in self._target_states:
                self._target_states[key] = self._followed(part)
            part.states = self._target_states[key]

    def _follow_targets(self) -> None:
        """What all modules hand on, and their states, if each turn goes as it should.

        A module that has no target at a turn says there what it says by itself.
        """
        parts = self._parts({}, 0, {})
        states: list[list[Any]] = [[None] * len(self.turns) for _ in parts]
        values: list[dict[str, Any]] = [{} for _ in self.turns]
        last = self.pipeline.last.name

        def follow(dialogue: int) -> None:
            held: list[Any] = [None] * len(parts)
            for at in range(self._first[dialogue], self._first[dialogue + 1]):
                turn = self.turn(at)
                ran = RanTurn({INPUT: turn.input})
                for place, part in enumerate(parts):
                    states[place][at] = held[place]
                    if part.name in turn.target:
                        value = ran.values[part.name] = turn.target[part.name]
                        held[place] = self._observed(part, held[place], ran, value, at)
                    elif part.name != last or part.observe is not None:
                        held[place] = self._run(part, ran, held[place], at)
                values[at] = ran.values

        self._mapped(follow, range(len(self.dialogues)))
        self._targets = values
        for place, part in enumerate(parts):
            self._target_states[part.name, 0] = states[place]

    def _followed(self, part: Part) -> list[Any]:
        """The target states of a module that stands in the place of another."""
        targets = self._targets or []
        states: list[Any] = [None] * len(self.turns)

        def follow(dialogue: int) -> None:
            held: Any = None
            for at in range(self._first[dialogue], self._first[dialogue + 1]):
                states[at] = held
                ran = RanTurn(targets[at])
                if part.name in targets[at]:
                    value = targets[at][part.name]
                    held = self._observed(part, held, ran, value, at)
                else:  # on a copy: what it says here is no target
                    held = self._run(part, RanTurn(dict(targets[at])), held, at)

        self._mapped(follow, range(len(self.dialogues)))
        return states

    # -- free-running ------------------------------------------------------------------

    def _free(self, given: Given, repeat: int, cutoffs: Mapping[str, float]) -> Ran:
        parts = self._parts(given, repeat, cutoffs)

        def one(dialogue: int) -> Ran:
            held: list[Any] = [None] * len(parts)
            turns: Ran = []
            for at in range(self._first[dialogue], self._first[dialogue + 1]):
                turn = self.turn(at)
                ran, counted = RanTurn({INPUT: turn.input}), True
                for place, part in enumerate(parts):
                    value = MISSING if part.source is None else said_by(turn, part)
                    if value is not MISSING:
                        value = take(ran, part, value, turn)
                        held[place] = self._observed(part, held[place], ran, value, at)
                    else:
                        counted = counted and part.source in (None, PLANTED)
                        held[place] = self._run(part, ran, held[place], at)
                turns.append(ran if counted else None)
            return turns

        made = self._mapped(one, range(len(self.dialogues)), self._one_dialogue)
        return [ran for dialogue in made for ran in dialogue]

    # -- steps -------------------------------------------------------------------------

    def _parts(
        self, given: Given, repeat: int, cutoffs: Mapping[str, float]
    ) -> list[Part]:
        parts = []
        for place in self.pipeline.modules:
            source = given.get(place.name)
            module = source if isinstance(source, Module) else place
            step, observe = self._calls_of(module, repeat)
            parts.append(
                Part(
                    place.name,
                    module.inputs or place.inputs,
                    step,
                    observe,
                    source if isinstance(source, str) else module.recorded or None,
                    cutoffs.get(place.name),
                    id(module) if module.answers_again else None,
                )
            )
        return parts

    def _calls_of(self, module: Module, repeat: int) -> tuple[Step, Observe | None]:
        """A module's methods, limited in time and kept if that was asked for."""
        key = id(module), repeat
        if key not in self._calls:
            step, observe = module.step, module.observe
            if module.timeout is not None:
                step = limited(step, module, module.timeout)
                observe = observe and limited(observe, module, module.timeout)
            if self._answers is not None:
                step = kept(step, module, repeat, self._answers)
                observe = observe and kept_observe(observe, module, self._answers)
            self._calls[key] = step, observe
        return self._calls[key]

    def _run(self, part: Part, ran: RanTurn, state: Any, at: int) -> Any:
        """Let a module answer; gives the state after it."""
        name, given = part.name, part.given(ran.values)
        before = snapshot(state, given)
        try:
            made = part.step(state, given)
            if type(made) is not tuple or len(made) != 2:
                raise TypeError(f"a step gives (output, state), not {shown(made)}")
            check_given(name, made[0])
        except RunError:
            raise
        except (Exception, SystemExit) as problem:  # noqa: BLE001  (the user's code)
            check_unchanged(name, before, state, given)
            self._fail(ran, name, problem_text(problem), at)
            return state
        check_unchanged(name, before, state, given)
        output, after = made
        if type(output) is not Response:
            ran.values[name] = output
        else:
            handed_on, guess, confidence, failed = split_output(output)
            if failed:
                self._fail(ran, name, failed, at)
                return state
            ran.guesses = {**ran.guesses, name: (guess, confidence)}
            ran.values[name] = handed_on
            output = guess
        check_new(part, output)
        self._seen.check(part, state, given, output, after)
        if part.cutoff is not None:
            after = self._cut(part, ran, (state, given, after))
        # It works: later failures never end the run.
        self._first_steps[name].works = True
        return after

    def _cut(self, part: Part, ran: RanTurn, held: tuple[Any, Any, Any]) -> Any:
        """Hand a guess on if it is sure enough, whatever the module decided."""
        state, given, after = held
        guess, confidence = ran.guesses.get(part.name, (ran.values[part.name], None))
        withheld = part.withholds(confidence)
        ran.values[part.name] = None if withheld else guess
        if withheld and part.observe is not None:
            # The state after the step holds a guess that nobody heard.
            return part.observe(state, given, None)
        return after

    def _fail(self, ran: RanTurn, name: str, why: str, at: int) -> None:
        ran.values[name] = None
        ran.failed = {**ran.failed, name: why}
        self._went_on(name, FirstSteps([f"{self.where(at)}: {why}"]))

    def _went_on(self, name: str, later: FirstSteps) -> None:
        """Give up if all that a module has done has failed."""
        first = self._first_steps[name]
        if first.works or (self._in_part and len(first.reasons) == GIVE_UP):
            return
        first.go_on(later)
        if len(first.reasons) >= GIVE_UP and not self._in_part:
            what = f"the first {GIVE_UP} steps all failed"
            raise RunError(f"module {name!r}: {what}: {first.reasons[0]}")

    def _observed(
        self, part: Part, state: Any, ran: RanTurn, output: Any, at: int
    ) -> Any:
        if part.observe is None:
            return None
        try:
            given = (state, part.given(ran.values), output)
            before = snapshot(*given)
            after = part.observe(*given)
        except (Exception, SystemExit) as problem:
            what = f"cannot follow the output {shown(output)}"
            why = problem_text(problem)
            raise RunError(
                f"{self.where(at)}: module {part.name!r} {what}: {why}"
            ) from problem
        check_unchanged(part.name, before, *given)
        return after

    # -- jobs --------------------------------------------------------------------------

    @staticmethod
    def _one_turn(_: int) -> int:
        return 1

    def _one_dialogue(self, dialogue: int) -> int:
        return len(self.dialogues[dialogue].turns)

    def _mapped(
        self,
        function: Callable[[int], _Made],
        jobs: Sequence[int],
        n_turns: Callable[[int], int] | None = None,
    ) -> list[_Made]:
        """What a function makes of jobs, in their order."""
        progress = None if n_turns is None else self.running.progress
        made = _in_order(function, jobs, self.running.concurrency)
        if progress is None or n_turns is None:
            return list(made)
        results: list[_Made] = []
        done = 0
        for job, result in zip(jobs, made, strict=True):
            results.append(result)
            done += n_turns(job)
            progress(done, len(self.turns))
        return results


def _in_order(
    function: Callable[[_Job], _Made], jobs: Iterable[_Job], concurrency: int
) -> Iterator[_Made]:
    if concurrency == 1:
        yield from map(function, jobs)
        return
    with ThreadPoolExecutor(concurrency, "demur-pipeline") as pool:
        yield from in_order("pipeline", function, jobs, pool, most=4 * concurrency)
