"""Which step of a dialogue, or of the trace of an agent, is to blame."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from demur import checks
from demur.checks import choice
from demur.errors import InputError
from demur.outcomes.target_dialogues import TARGET, TargetDialogue, TargetTurn
from demur.pipelines.engine import FREE, PipelineEngine
from demur.pipelines.modules import Pipeline
from demur.pipelines.recordings import check_reacts
from demur.pipelines.runs import judged_run, recipe_of, targets_of
from demur.pipelines.shapley import Plan, ShapleyValue, plan_of, valued
from demur.pipelines.turn_parts import PLANTED, Running
from demur.results import Column, Contender, Result, Standings, Table


@dataclass(frozen=True, eq=False, repr=False)
class StepShares(Result):
    """What it would be worth to put each step right. `attribute_steps` makes it.

    Parameters
    ----------
    dialogue : str
        Its name.
    now, better : float
        Acts of the target that are put out, of all, as it is and with all steps right.
    shares : tuple of ShapleyValue
        One for each turn.
    turns : tuple of str
        ``DIALOGUE:TURN`` of each step.
    recipe : mapping
        How it came about; the signature is made of it.
    """

    dialogue: str
    now: float
    better: float
    shares: tuple[ShapleyValue, ...]
    turns: tuple[str, ...]
    recipe: Mapping[str, str] = field(repr=False)

    def sentence(self) -> str:
        """Which step costs most, and what all steps right would give."""
        start = (
            f"{self.dialogue}: {100 * self.now:.1f} % now, {100 * self.better:.1f} % "
            "with all steps right"
        )
        pairs = zip(self.turns, self.shares, strict=True)
        ranking = Standings(
            (Contender(f"step {turn}", of.value, of.value) for turn, of in pairs),
            better="higher",
            shown=lambda value, more: f"{100 * value:.{1 + more}f}",
        )
        if not ranking.best or (ranking.best[0].low or 0.0) <= 0:
            return f"{start}."
        words = "costs most", "cost most", "the greatest cost"
        apiece = " each" if len(ranking.best) > 1 else ""
        who = ranking.who(*words, what="steps")
        return f"{start}; {who}, {ranking.value} points{apiece}."

    def tables(self) -> tuple[Table]:
        """One row for each step."""
        rows = [
            (turn, share.value, share.alone, share.last, share.sampling_error)
            for turn, share in zip(self.turns, self.shares, strict=True)
        ]
        return (Table("", _STEPS, tuple(rows)),)


_STEPS = (
    Column("step"),
    Column("shapley", "Shapley", "percent", "points that are its share", digits=2),
    Column("alone", "", "percent", "points if no other gets right", digits=2),
    Column("last", "", "percent", "points if all others are right", digits=2),
    Column(
        "sampling_error", "", "percent", "standard error by sampled orders", digits=2
    ),
)


def attribute_steps(
    pipeline: Pipeline,
    dialogue: TargetDialogue,
    *,
    modules: Sequence[str] | None = None,
    permutations: int | None = None,
    seed: int = 0,
    running: Running = Running(),  # noqa: B008  (frozen)
) -> StepShares:
    """Share what one dialogue, or trace of an agent, loses among its steps.

    Parameters
    ----------
    pipeline : Pipeline
    dialogue : TargetDialogue
        Its turns are the steps.
    modules : sequence of str, optional
        Modules that give their targets at a step that is put right; all but the last
        if left out.
    permutations : int, optional
        Random orders; all of them if left out for up to five steps, else 200.
    seed : int
        Of random orders.
    running : Running
        How many turns at a time, how often, and where steps are kept.

    Returns
    -------
    StepShares

    Raises
    ------
    InputError
        If a module is not known or has no targets.

    Notes
    -----
    All runs are free, so that a step put right also helps the steps after it. What
    counts are the acts of the last module, over all steps. A trace whose modules cannot
    be run again is attributed by `shapley_values` with a judgement of your own.

    Examples
    --------
    >>> import demur
    >>> turns = [
    ...     demur.TargetTurn(input=word, target={"call": word, "reply": [f"re.{word}"]})
    ...     for word in ("find", "book")]
    >>> pipeline = demur.Pipeline.of([
    ...     demur.as_module(lambda text: "find", name="call"),
    ...     demur.as_module(lambda call: [f"re.{call}"], name="reply")])
    >>> found = demur.attribute_steps(pipeline, demur.TargetDialogue("trace", turns))
    >>> [each.value for each in found.shares]
    [0.0, 0.5]
    """
    where = "attribute_steps"
    checks.of_kind(where, "pipeline", pipeline, Pipeline)
    checks.of_kind(where, "dialogue", dialogue, TargetDialogue)
    names = list(pipeline.names[:-1]) if modules is None else list(modules)
    for name in names:
        choice(where, "a module", name, pipeline.names)
        check_reacts(where, pipeline, name)
    known = [n for n in names if any(n in turn.target for turn in dialogue.turns)]
    if not known:
        need = "have targets"
        raise InputError(where, "the modules", need, "none", f"Under {TARGET!r}.")
    n_steps = len(dialogue.turns)
    plan = plan_of(n_steps, permutations, seed)
    given = dict.fromkeys(known, PLANTED)
    with PipelineEngine(pipeline, _put_right(dialogue, known, plan), running) as engine:
        run = judged_run(engine, given, FREE, targets_of(engine, "wizard"))
        recipe = recipe_of(
            engine,
            FREE,
            "wizard",
            dialogue=dialogue.dialogue,
            modules=", ".join(known),
            **plan.recipe,
        )
    above, below = (np.bincount(run.cluster, amount) for amount in run.ratio("recall"))
    worth = above / below
    whole = frozenset(range(n_steps))
    return StepShares(
        dialogue=dialogue.dialogue,
        now=float(worth[plan.coalitions.index(frozenset())]),
        better=float(worth[plan.coalitions.index(whole)]),
        shares=tuple(valued(plan, worth)),
        turns=tuple(f"{dialogue.dialogue}:{at + 1}" for at in range(n_steps)),
        recipe=recipe,
    )


def _put_right(
    dialogue: TargetDialogue, modules: Sequence[str], plan: Plan
) -> list[TargetDialogue]:
    """A dialogue for each coalition of steps, in which just these are put right."""
    right = [_right(turn, modules) for turn in dialogue.turns]
    return [
        replace(
            dialogue,
            dialogue=f"{dialogue.dialogue} {number}",
            turns=[
                right[at] if at in coalition else turn
                for at, turn in enumerate(dialogue.turns)
            ],
        )
        for number, coalition in enumerate(plan.coalitions)
    ]


def _right(turn: TargetTurn, modules: Sequence[str]) -> TargetTurn:
    outputs = {name: turn.target[name] for name in modules if name in turn.target}
    return replace(turn, annotations={**turn.annotations, PLANTED: outputs})
