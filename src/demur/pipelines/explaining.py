"""One turn in full: what each source makes of it, and what comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from demur.answers.values import json_text
from demur.checks import choice, names_shown
from demur.errors import InputError, shown
from demur.outcomes.target_dialogues import TargetDialogue
from demur.pipelines.engine import CORRECTED, STATE_WORDS, STATES, Given, PipelineEngine
from demur.pipelines.matching import WantedActs, acts_of, matches
from demur.pipelines.modules import Pipeline
from demur.pipelines.recordings import unknown_turns
from demur.pipelines.runs import checked, recipe_of, source_text, targets_of
from demur.pipelines.turn_parts import Running
from demur.results import NONE, Column, Result, Table


@dataclass(frozen=True, eq=False, repr=False)
class ExplainedSource(Result):
    """What comes out at a turn with one source in the place of a module.

    Parameters
    ----------
    module, source : str
        The module that is replaced, and by what; both empty for the pipeline as it is.
    outputs : mapping of module to output
        What all modules hand on.
    match : str
        ``target``, ``acceptable``, ``in part``, ``no answer``, ``wrong``; or why there
        is none.
    failed : mapping of module to str
        Why modules gave nothing.
    """

    module: str
    source: str
    outputs: Mapping[str, Any]
    match: str
    failed: Mapping[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class ExplainedTurn(Result):
    """A turn of a target dialogue, processed. `explain_turn` makes it.

    Parameters
    ----------
    turn : str
        ``DIALOGUE:TURN``.
    input : any
        What the user said.
    target : mapping of module to output
    acceptable : mapping of module to outputs
    state : str
    changes : tuple of str
        How the turn differs from the log it was made of.
    rows : tuple of ExplainedSource
        The pipeline as it is, and with each source.
    recipe : mapping
        How it came about; the signature is made of it.
    """

    turn: str
    input: Any
    target: Mapping[str, Any]
    acceptable: Mapping[str, Sequence[Any]]
    state: str
    changes: tuple[str, ...]
    rows: tuple[ExplainedSource, ...]
    recipe: Mapping[str, str] = field(repr=False)

    def sentence(self) -> str:
        """What the pipeline makes of the turn as it is."""
        first = next((row for row in self.rows if not row.module), self.rows[0])
        return (
            f"{self.turn}, {STATE_WORDS[self.state]}: as it is the response is "
            f"{first.match!r}; input {json_text(self.input)}."
        )

    def tables(self) -> tuple[Table, Table]:
        """What should come out; and what does, with each source."""
        wanted = []
        for name in dict.fromkeys([*self.target, *_modules(self)]):
            if name in self.target:
                wanted.append((name, "target", json_text(self.target[name])))
            others = self.acceptable.get(name)
            if others:
                listed = names_shown(json_text(output) for output in others)
                wanted.append((name, "also acceptable", listed))
        wanted += [("", "changed from the log", change) for change in self.changes]
        rows = [(_title(row), *self._outputs(row), row.match) for row in self.rows]
        columns = map(Column, ("source", *_modules(self), "match"))
        return (
            Table("", tuple(map(Column, ("module", "what", "value"))), tuple(wanted)),
            Table("With each source", tuple(columns), tuple(rows)),
        )

    def _outputs(self, row: ExplainedSource) -> list[str]:
        return [
            "failed" if name in row.failed else _shown(row.outputs.get(name))
            for name in _modules(self)
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Why a module failed."""
        return tuple(
            f"{_title(row)}: {name}: {why}"
            for row in self.rows
            for name, why in row.failed.items()
        )


def _title(row: ExplainedSource) -> str:
    return f"{row.module} by {row.source}" if row.module else "as it is"


def explain_turn(
    pipeline: Pipeline,
    dialogues: Sequence[TargetDialogue],
    turn: str,
    *,
    state: str = CORRECTED,
    given: Given | None = None,
    target: str = "wizard",
    running: Running = Running(),  # noqa: B008  (frozen)
) -> ExplainedTurn:
    """Show what each source makes of one turn, and the response that follows.

    Parameters
    ----------
    pipeline : Pipeline
    dialogues : sequence of TargetDialogue
        What users said, and what should have come out; no two of one name.
    turn : str
        ``DIALOGUE:TURN``, the turn counted from 1.
    state : {"corrected", "free"}
    given : mapping of module to source or Module, optional
        What takes the place of modules in every row.
    target : {"wizard", "reference_run"}
        As for `run_pipeline`.
    running : Running
        How many turns at a time, how often, and where steps are kept.

    Returns
    -------
    ExplainedTurn

    Raises
    ------
    InputError
        If the turn is not there.

    References
    ----------
    Margaretha and DeVault (2011), SIGDIAL, tables 1 and A.2.

    Examples
    --------
    >>> import demur
    >>> turns = [demur.TargetTurn(
    ...     input="who?", target={"nlu": "whq", "dm": ["refuse"]},
    ...     annotations={"human": {"nlu": "ynq"}})]
    >>> pipeline = demur.Pipeline.of([
    ...     demur.as_module(lambda text: "whq", name="nlu"),
    ...     demur.as_module({"whq": ["refuse"]}.get, name="dm")])
    >>> dialogues = [demur.TargetDialogue("d1", turns)]
    >>> found = demur.explain_turn(pipeline, dialogues, "d1:1")
    >>> [(row.source, row.match) for row in found.rows]
    [('', 'target'), ('target', 'target'), ('human', 'no answer')]
    """
    where = "explain_turn"
    dialogues = checked(where, pipeline, dialogues)
    choice(where, "state", state, STATES)
    fixed = dict(given or {})
    at, number = _place_of(where, dialogues, turn)
    dialogue = dialogues[at]
    spoken = dialogue.turns[number]
    with PipelineEngine(pipeline, [dialogue], running) as engine:
        engine.check_given(where, fixed)
        wanted = targets_of(engine, target)
        configurations: list[tuple[str, str, dict[str, Any]]] = [("", "", fixed)]
        for name in pipeline.names[:-1]:
            if name in fixed:
                continue
            for source in engine.sources(name):
                if name in spoken.given_by(source):
                    configurations.append((name, source, {**fixed, name: source}))
        rows = [
            _row(engine, (name, source), (taken, state), number, wanted)
            for name, source, taken in configurations
        ]
        recipe = recipe_of(engine, state, target, turn=turn)
    return ExplainedTurn(
        turn=f"{dialogue.dialogue}:{number + 1}",
        input=spoken.input,
        target=spoken.target,
        acceptable=spoken.acceptable,
        state=state,
        changes=tuple(f"{change.what}: {change.why}" for change in spoken.changes),
        rows=tuple(rows),
        recipe=recipe | {name: source_text(source) for name, source in fixed.items()},
    )


def _place_of(
    where: str, dialogues: Sequence[TargetDialogue], turn: str
) -> tuple[int, int]:
    name, _, number = turn.rpartition(":")
    names = [dialogue.dialogue for dialogue in dialogues]
    if not name:
        need, hint = "be DIALOGUE:TURN", "Turns count from 1."
        raise InputError(where, "turn", need, shown(turn), hint)
    if name not in names:  # a name may have colons, so only its last part is a number
        choice(where, "a dialogue", name, names)
    at = names.index(name)
    n_turns = len(dialogues[at].turns)
    digits = number.isascii() and number.isdigit() and len(number) < 18
    if not digits or not 1 <= int(number) <= n_turns:
        need = f"be from 1 to {n_turns}, the turns of {name}"
        raise InputError(where, "turn", need, shown(number), "Turns count from 1.")
    return at, int(number) - 1


def _row(
    engine: PipelineEngine,
    named: tuple[str, str],
    run: tuple[Given, str],
    number: int,
    wanted: Sequence[WantedActs | None],
) -> ExplainedSource:
    name, source = named
    ran = engine.ran(*run)
    here, want = ran[number], wanted[number]
    last = engine.pipeline.last
    if here is None:
        return ExplainedSource(name, source, {}, "not annotated", {})
    acts = acts_of(last, here.values[last.name])
    if want is None or not want.n_acts:
        match = "no target"
    elif unknown_turns(engine, *run, ran)[number]:
        match = "not defined (recorded)"
    elif acts is None:
        match = "wrong (no set of acts)"
    else:
        matched = matches(last, [here], [want], declines=engine.pipeline.declines)
        words = {
            "target": matched.identical,
            "acceptable": matched.acceptable,
            "no answer": matched.silent,
            "in part": matched.best_matched,
        }
        match = next((word for word, these in words.items() if these[0]), "wrong")
    outputs = {module: here.values[module] for module in engine.pipeline.names}
    return ExplainedSource(name, source, outputs, match, dict(here.failed))


_WIDEST = 48


def _shown(value: Any) -> str:
    if value is None:
        return NONE
    text = json_text(value)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."


def _modules(explained: ExplainedTurn) -> list[str]:
    return list(dict.fromkeys(name for row in explained.rows for name in row.outputs))
