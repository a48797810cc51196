"""How far outputs are the target, or another acceptable output, turn by turn."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from numbers import Number
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from demur.answers.slots import Slots
from demur.arrays import Flags, Floats
from demur.errors import InputError, RunError, shown
from demur.pipelines.engine import PipelineEngine
from demur.pipelines.modules import Contains, Module, Pipeline
from demur.pipelines.turn_parts import Ran, snapshot

Acts = frozenset[tuple[str, ...]]

MEASURES: Final = ("recall", "precision", "exact")
"""Matched acts over target acts, over acts put out, and equal sets over turns."""

MEASURED: Final = {
    "recall": "target acts are put out",
    "precision": "acts put out are in the target",
    "exact": "turns have just the target acts",
}
"""What is the case in a share of which things."""

EMPTY: Final[Acts] = frozenset()
_NEAR: Final = 0.6
_NO_OUTPUTS: Final[Mapping[str, int]] = MappingProxyType({})


class WantedActs(NamedTuple):
    """What a module should put out at one turn.

    Parameters
    ----------
    target : frozenset of acts
    others : tuple of frozenset
        Further acceptable sets.
    none : bool
        Whether the target of the response is null: there is no answer, so to decline
        is right, and counts as one act.
    """

    target: Acts
    others: tuple[Acts, ...]
    none: bool = False

    @property
    def n_acts(self) -> int:
        """The acts that count; to decline where there is no answer is one."""
        return len(self.target) or int(self.none)

    @property
    def either(self) -> bool:
        """Whether there is no answer, but some are acceptable."""
        return self.none and any(self.others)

    def fits(self, module: Module, put_out: Acts | None) -> bool:
        """Whether what was put out is what it should be."""
        if self.none:
            return put_out is not None and not put_out
        return is_right(module, put_out, self.target)


Wanted = list[WantedActs | None]
"""All turns in order; None where there is no target."""


def acts_of(module: Module, value: Any) -> Acts | None:
    """The acts of an output; None if it cannot be read as acts.

    Examples
    --------
    >>> from demur.pipelines.modules import as_module
    >>> nlu = as_module(str.lower, name="nlu")
    >>> acts_of(nlu, "greet"), acts_of(nlu, None), acts_of(nlu, [{"a": 1}])
    (frozenset({('greet', '')}), frozenset(), None)
    """
    if value is None:
        return EMPTY
    try:
        return module.compare.read(value)
    except (TypeError, ValueError, RecursionError):
        return None


def is_right(module: Module, put_out: Acts | None, wanted: Acts) -> bool:
    """Whether what a module put out is what it should, by its comparator.

    Examples
    --------
    >>> from demur.pipelines.modules import as_module
    >>> search = as_module(list, name="search", compare="contains")
    >>> p4, p7 = ('"p4"',), ('"p7"',)
    >>> is_right(search, frozenset([p4, p7]), frozenset([p7]))
    True
    """
    if put_out is None or put_out == wanted:
        return put_out is not None
    return isinstance(module.compare, Contains) and put_out > wanted


def declines_all(module: Module, put_out: Acts, declines: frozenset[str]) -> bool:
    """Whether nothing was put out, or only acts that decline.

    Examples
    --------
    >>> from demur.pipelines.modules import as_module
    >>> reply = as_module(str.lower, name="reply", compare="whole")
    >>> no_answer = frozenset(["no answer"])
    >>> declines_all(reply, acts_of(reply, "No answer"), no_answer)
    True
    """
    if isinstance(module.compare, Slots):  # in small letters already
        return all(act[0] in declines for act in put_out)
    return all(" ".join(act[0].lower().split()) in declines for act in put_out)


def unused_declines(pipeline: Pipeline, outputs: Iterable[Any]) -> tuple[str, ...]:
    """Which of the acts that decline are never put out, for notes.

    Examples
    --------
    >>> import demur
    >>> reply = demur.as_module(str.lower, name="reply")
    >>> pipeline = demur.Pipeline.of([reply], declines=["again"])
    >>> print(*unused_declines(pipeline, ["agaim", None]))
    declines: reply never puts out 'again', so it declines nothing; near it is 'agaim'.
    """
    module, declines = pipeline.last, pipeline.declines
    if not declines:
        return ()
    distinct = {id(output): output for output in outputs}.values()
    names = {
        " ".join(act[0].lower().split())
        for output in distinct
        for act in acts_of(module, output) or ()
    }
    notes = []
    for name in sorted(declines - names):
        near = difflib.get_close_matches(name, sorted(names), n=1, cutoff=_NEAR)
        hint = f"; near it is {shown(near[0])}" if near else ""
        start = f"declines: {module.name} never puts out {shown(name)}"
        notes.append(f"{start}, so it declines nothing{hint}.")
    return tuple(notes)


def wanted_of(engine: PipelineEngine, module: Module) -> Wanted:
    """The target and acceptable outputs of a module; None at turns without a target.

    Raises
    ------
    InputError
        If one of them cannot be read as acts, naming its turn.
    """
    wanted: Wanted = []
    known: dict[bytes | None, Acts] = {}  # most outputs stand at many turns
    last = module.name == engine.pipeline.last.name
    for at in range(len(engine.turns)):
        turn = engine.turn(at)
        if module.name not in turn.target:
            wanted.append(None)
            continue
        target = _readable_acts(engine, module, at, turn.target[module.name])
        others = []
        for output in turn.acceptable.get(module.name, ()):
            key = snapshot(output)
            if key is None or key not in known:
                known[key] = _readable_acts(engine, module, at, output)
            others.append(known[key])
        none = last and turn.target[module.name] is None
        wanted.append(WantedActs(target, tuple(dict.fromkeys(others)), none))
    return wanted


def reference_run(engine: PipelineEngine, module: Module) -> Wanted:
    """What the pipeline itself puts out from target inputs, as its targets.

    What people have as targets stays acceptable.
    """
    given = {
        name: "target"
        for name in engine.pipeline.names
        if name != module.name and engine.sources(name)[:1] == ["target"]
    }
    ran = engine.ran(given, "corrected")
    wanted: Wanted = []
    for by_people, turn in zip(wanted_of(engine, module), ran, strict=True):
        target = None if turn is None else acts_of(module, turn.values[module.name])
        if target is None or by_people is None:
            wanted.append(None)
        else:
            wanted.append(WantedActs(target, (by_people.target, *by_people.others)))
    return wanted


def _readable_acts(engine: PipelineEngine, module: Module, at: int, value: Any) -> Acts:
    acts = acts_of(module, value)
    if acts is None:
        dialogue, number = engine.turns[at]
        place = engine.dialogues[dialogue].where(number)
        what = f"turn {number + 1}: a target of {module.name}"
        hint = 'Or give the module compare="whole", for any JSON values.'
        need = "be acts or slots (texts, lists of them, or an object)"
        raise InputError(place, what, need, shown(value), hint)
    return acts


@dataclass(frozen=True, slots=True)
class Matches:
    """How far the outputs of one module are what they should be.

    Parameters
    ----------
    counted : array of bool, shape (n_turns,)
        Turns with a target, where the source has said something.
    target_acts, said_acts, matched : array of float64, shape (n_turns,)
        Acts of the target, acts put out, and those that are in both.
    best_share, best_matched : array of float64, shape (n_turns,)
        Of the acceptable set that fits best: its share that was put out, and how many
        of the acts put out are in one.
    identical, acceptable : array of bool, shape (n_turns,)
        Equal to the target; to it or another acceptable set.
    silent : array of bool, shape (n_turns,)
        Nothing was put out, or only acts that decline, and they match nothing.
    unanswerable : array of bool, shape (n_turns,)
        The target is that there is no answer, so to decline is right.
    answerable_too : array of bool, shape (n_turns,)
        So it is, but an answer is acceptable, too.
    unreadable : array of bool, shape (n_turns,)
        What was put out is no set of acts.
    """

    counted: Flags
    target_acts: Floats
    said_acts: Floats
    matched: Floats
    best_share: Floats
    best_matched: Floats
    identical: Flags
    acceptable: Flags
    silent: Flags
    unanswerable: Flags
    answerable_too: Flags
    unreadable: Flags

    @classmethod
    def joined(cls, parts: Sequence["Matches"]) -> "Matches":
        """Those of several runs, one after the other."""
        columns = ([getattr(part, name) for part in parts] for name in cls.__slots__)
        return parts[0] if len(parts) == 1 else cls(*map(np.concatenate, columns))

    @property
    def only_acceptable(self) -> Flags:
        """Turns that are wrong against the target, and right as acceptable."""
        return self.counted & self.acceptable & ~self.identical

    def ratio(self, measure: str, match: str = "strict") -> tuple[Floats, Floats]:
        """Numerators and denominators of the turns, 0 where they do not count.

        Parameters
        ----------
        measure : {"recall", "precision", "exact"}
            Matched acts over target acts, over acts put out; turns with equal sets.
        match : {"strict", "multiple"}
            Whether other acceptable outputs count too.
        """
        multiple = match == "multiple"
        if measure == "precision":
            above = self.best_matched if multiple else self.matched
            below = self.said_acts
        elif measure == "recall":
            # Of the set that fits best, on the scale of the target: turns keep weight.
            share = self.best_share * self.target_acts
            above, below = share if multiple else self.matched, self.target_acts
        else:
            above = (self.acceptable if multiple else self.identical).astype(float)
            below = np.ones(len(above))
        return np.where(self.counted, above, 0.0), np.where(self.counted, below, 0.0)


def matches(
    module: Module,
    ran: Ran,
    wanted: Wanted,
    *,
    declines: frozenset[str] = frozenset(),
    acts: bool = True,
) -> Matches:
    """Match the outputs of a module.

    Parameters
    ----------
    module : Module
        Whose outputs are matched.
    ran : list of RanTurn or None
        What came out at each turn; None where a source says nothing.
    wanted : sequence of WantedActs or None
        What should have; None where there is no target.
    declines : frozenset of str
        Names of acts that give no answer.
    acts : bool
        Whether turns without target acts are left out; not those without an answer.
    """
    n = len(ran)
    rows = np.zeros((n, 5))
    flags = np.zeros((n, 7), dtype=bool)
    known: dict[int, Acts | None] = {}  # what is one object is read once
    for at, (turn, want) in enumerate(zip(ran, wanted, strict=True)):
        if turn is None or want is None or (acts and not want.n_acts):
            continue
        value = turn.values[module.name]
        if id(value) not in known:
            known[id(value)] = acts_of(module, value)
        put_out = known[id(value)]
        if put_out != want.target:
            check_plain(module.name, value)
        if put_out is None:
            rows[at, 0] = want.n_acts
            rows[at, 1] = 1.0  # one thing was put out, and it is nothing
            flags[at] = True, False, False, False, want.none, want.either, True
            continue
        broke = module.name in turn.failed
        rows[at], flags[at] = _matched(module, put_out, want, declines, broke=broke)
    return Matches(
        counted=flags[:, 0],
        target_acts=rows[:, 0],
        said_acts=rows[:, 1],
        matched=rows[:, 2],
        best_share=rows[:, 3],
        best_matched=rows[:, 4],
        identical=flags[:, 1],
        acceptable=flags[:, 2],
        silent=flags[:, 3],
        unanswerable=flags[:, 4],
        answerable_too=flags[:, 5],
        unreadable=flags[:, 6],
    )


def check_plain(name: str, value: Any) -> None:
    """Raise if an output that is not the target is no plain data either.

    Raises
    ------
    RunError
        With the module, and what would do.
    """
    if not _is_plain(value):
        kind = type(value).__name__
        what = f"module {name!r}: an output is no plain data ({kind}: {shown(value)})"
        hint = "give texts, numbers, lists of them, or dicts (arrays: tolist, item)"
        raise RunError(f"{what}: {hint}")


def _is_plain(value: Any) -> bool:
    """Whether a value is one of JSON, a set of such, or a date."""
    if isinstance(value, Mapping):
        return all(map(_is_plain, [*value, *value.values()]))
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, str | Number | date | time)


def matches_of_all(
    module: Module, repeats: Sequence[Ran], wanted: Wanted, **options: Any
) -> Matches:
    """Match all repeats, one after the other; what ran once is matched once."""
    distinct = {id(ran): ran for ran in repeats}
    matched = {
        key: matches(module, ran, wanted, **options) for key, ran in distinct.items()
    }
    return Matches.joined([matched[id(ran)] for ran in repeats])


def _matched(
    module: Module,
    put_out: Acts,
    want: WantedActs,
    declines: frozenset[str],
    *,
    broke: bool,
) -> tuple[tuple[float, ...], tuple[bool, ...]]:
    """The numbers and the flags of one turn, as `Matches` has them."""
    acts = put_out
    silent = declines_all(module, put_out, declines)
    if silent and not broke and (want.none or EMPTY in want.others):
        put_out = put_out & want.target  # to decline is no act of its own here
    exact = want.fits(module, put_out)
    n_matched = len(put_out & want.target) or int(want.none and exact)
    share, best, acceptable = _best(module, put_out, want, n_matched)
    if broke:  # to break is not to decline
        share, exact, acceptable = 0.0, False, False
        n_matched, best = (0, 0) if want.none else (n_matched, best)
    silent = silent and not (best or acceptable or (broke and want.none))
    n_said = max(len(acts), 1) if want.none else len(acts)
    return (
        (want.n_acts, n_said, n_matched, share, best),
        (True, exact, acceptable, silent, want.none, want.either, False),
    )


def _best(
    module: Module, put_out: Acts, want: WantedActs, n_matched: int
) -> tuple[float, int, bool]:
    """Share of the best acceptable set, matched acts, and whether one is right."""
    target, others = want.target, want.others
    if want.fits(module, put_out):
        return 1.0, n_matched, True
    share = n_matched / len(target) if target else 0.0
    best, acceptable = n_matched, False
    for other in others:
        both = len(put_out & other)
        best = max(best, both)
        acceptable = acceptable or is_right(module, put_out, other)
        share = max(share, both / len(other) if other else float(put_out == other))
    return share, best, acceptable


def acceptable_words(turns: int, outputs: Mapping[str, int] = _NO_OUTPUTS) -> str:
    """What counts as wrong though it is acceptable, and how it counts as right.

    Examples
    --------
    >>> acceptable_words(1)
    '1 wrong turn puts out what is acceptable: --match multiple counts these as right.'
    >>> acceptable_words(0)
    ''
    """
    of_modules = " and ".join(f"{n:,} of {name}" for name, n in outputs.items())
    counted = "--match multiple counts these as right."
    if turns:
        start = "1 wrong turn puts" if turns == 1 else f"{turns:,} wrong turns put"
        also = f", as do outputs that count as wrong, {of_modules}" if outputs else ""
        return f"{start} out what is acceptable{also}: {counted}"
    if outputs:
        return f"Outputs that count as wrong are acceptable, {of_modules}: {counted}"
    return ""
