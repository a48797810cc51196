"""The modules of a pipeline, and what turns functions and systems into modules."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final

from demur.answers import comparator
from demur.answers.slots import Slots
from demur.answers.values import json_text
from demur.checks import choice, did_you_mean, names_shown
from demur.errors import InputError, shown
from demur.outcomes.records import Response
from demur.outcomes.target_dialogues import TARGET
from demur.systems.adapters.functions import response_of
from demur.systems.adapters.recorded import RecordedSystem
from demur.systems.adapting import as_system
from demur.systems.protocol import Input, Stateful, System

INPUT: Final = "input"
"""What the user said, as the name of an input of a module."""

_RESERVED: Final = (INPUT, TARGET, "history")

Step = Callable[[Any, Any], tuple[Any, Any]]
Observe = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Whole:
    """Outputs that are compared as a whole: equal JSON values match.

    Examples
    --------
    >>> Whole().read({"b": 1, "a": [2]}) == Whole().read({"a": [2.0], "b": 1})
    True
    """

    def __str__(self) -> str:
        return "whole"

    def read(self, value: Any) -> frozenset[tuple[str, ...]] | None:
        """The value as the one act there is; None if it is not JSON."""
        try:
            return frozenset() if value is None else frozenset([(json_text(value),)])
        except (TypeError, ValueError, RecursionError):
            return None


@dataclass(frozen=True, slots=True)
class Contains:
    """Outputs that may hold more than the target: it is right if all of it is there.

    Lists are read item by item; what is no list is its only item.

    Examples
    --------
    >>> Contains().read(["p4", "p7"]) >= Contains().read("p7")
    True
    """

    def __str__(self) -> str:
        return "contains"

    def read(self, value: Any) -> frozenset[tuple[str, ...]] | None:
        """The items of a value as acts; None if one is not JSON."""
        if value is None:
            return frozenset()
        listed = value if isinstance(value, list | tuple) else [value]
        try:
            return frozenset((json_text(item),) for item in listed)
        except (TypeError, ValueError, RecursionError):
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One step of a pipeline. `as_module` makes it.

    Parameters
    ----------
    name : str
        By which others take its output, and annotations are of it.
    step : callable
        From a state and an input to an output and the state after it. The output is a
        JSON value, None if the module declines, or a `Response` (with its confidence).
    observe : callable or None
        From a state, an input and an output to the state after it; None of a module
        that has no state.
    inputs : tuple of str
        Modules whose outputs it gets, or ``input``: one as it is, several as a mapping.
        Empty: the module before it, of the first one what the user said.
    compare : Slots, Whole or Contains
        Which of its outputs are right.
    version : str
        Changes with whatever the module would answer otherwise; needed to keep its
        answers.
    stochastic : bool
        Whether it may answer the same input differently.
    timeout : float or None
        Seconds for one step.
    recorded : str
        The source of annotations that is what the module said, if it cannot be run.
    """

    name: str
    step: Step
    observe: Observe | None = None
    inputs: tuple[str, ...] = ()
    compare: Slots | Whole | Contains = field(default_factory=Slots)
    version: str = ""
    stochastic: bool = False
    timeout: float | None = None
    recorded: str = ""

    @property
    def answers_again(self) -> bool:
        """Whether it must answer the same state and input alike.

        What runs here must, unless it is stochastic; systems and servers have their
        own chance.
        """
        elsewhere = getattr(self.step, "func", None) is _system_step or getattr(
            getattr(self.step, "__self__", None), "remote", False
        )
        return not (self.stochastic or elsewhere)

    def __str__(self) -> str:
        version = f" {self.version}" if self.version else ""
        recorded = f", recorded as {self.recorded}" if self.recorded else ""
        return f"{self.name}{version} ({self.compare}{recorded})"

    def __repr__(self) -> str:
        return f"Module({self})"


def as_module(
    obj: Any,
    *,
    name: str,
    inputs: str | Sequence[str] = (),
    compare: str = "slots",
    version: str = "",
    stochastic: bool = False,
    timeout: float | None = None,
) -> Module:
    """A function, a system or what keeps a state, as a module of a pipeline.

    Parameters
    ----------
    obj : object
        - what has ``step`` and ``observe`` (`Stateful`), such as a `character`;
        - a function from an input to an output, a pair (output, confidence), or a
          `Response`;
        - whatever `as_system` takes: a `System`, an estimator, an ``http://`` address,
          ``cmd:PROGRAM``, ``chat:MODEL@URL``. What was recorded is a source of
          annotations and no module.

        `http_module` and `replayed` make what has ``step`` and ``observe`` of servers
        and of objects that keep their state to themselves.
    name : str
        By which others take its output, and annotations are of it.
    inputs : str or sequence of str
        Modules whose outputs it gets, or ``input``. One comes as it is, several as a
        mapping. Left out: the module before it.
    compare : str
        ``slots`` for sets of acts or slots, with its options, such as
        ``slots(none=value)``; ``whole`` for equal JSON values; ``contains`` for lists
        that may hold more than the target, such as the best ten passages of a search.
        The measure says how much a match in part counts.
    version : str
        As for `Module`.
    stochastic : bool
        Whether it may answer the same input differently.
    timeout : float, optional
        Seconds for one step. A step that takes longer has failed; it is left behind in
        a thread, since Python cannot end it.

    Returns
    -------
    Module

    Raises
    ------
    InputError
        If it is none of these.

    Notes
    -----
    A system or function gets None where the module before it has given nothing. Its own
    decision to decline (``declined``) stands: it hands on None, and its guess is only
    used where a cutoff is swept.

    Examples
    --------
    >>> import demur
    >>> nlu = demur.as_module(lambda text: (text.upper(), 0.5), name="nlu")
    >>> output, state = nlu.step(None, "hello")
    >>> output.response, output.confidence, state
    ('HELLO', 0.5, None)
    """
    where = f"module {shown(name)}"
    if not isinstance(name, str) or not name.strip() or name in _RESERVED:
        need = f"be a text, and none of {', '.join(_RESERVED)}"
        raise InputError("as_module", "name", need, shown(name))
    if timeout is not None and not (timeout > 0 and timeout < float("inf")):
        raise InputError(where, "timeout", "be seconds above 0", shown(timeout))
    step, observe = _contract(where, obj)
    return Module(
        name=name,
        step=step,
        observe=observe,
        inputs=(inputs,) if isinstance(inputs, str) else tuple(inputs),
        compare=_compared(where, compare),
        version=version,
        stochastic=stochastic,
        timeout=timeout,
    )


def recorded_module(
    source: str, *, name: str, inputs: str | Sequence[str] = (), compare: str = "slots"
) -> Module:
    """A module that cannot be run: what it said is among the annotations.

    Parameters
    ----------
    source : str
        The source of annotations that is the module. Where it says nothing, the turn
        is left out.
    name, inputs, compare
        As for `as_module`.

    Returns
    -------
    Module

    Examples
    --------
    >>> import demur
    >>> turns = [demur.TargetTurn(
    ...     input="who?", target={"nlu": "whq", "dm": ["refuse"]},
    ...     annotations={"logged": {"nlu": "whq"}})]
    >>> pipeline = demur.Pipeline.of([
    ...     demur.recorded_module("logged", name="nlu"),
    ...     demur.as_module({"whq": ["refuse"]}.get, name="dm")])
    >>> demur.run_pipeline(pipeline, [demur.TargetDialogue("d1", turns)]).strict
    1.0
    """
    module = as_module(
        _unheard, name=name, inputs=inputs, compare=compare, version="recorded"
    )
    return replace(module, recorded=source)


_COMPARED: Final = ("slots", "whole", "contains")


def _compared(where: str, compare: str) -> Slots | Whole | Contains:
    if compare in ("whole", "contains"):
        return Whole() if compare == "whole" else Contains()
    name = str(compare).partition("(")[0].strip()
    chosen = comparator(compare) if name == "slots" else None
    if not isinstance(chosen, Slots):
        need = "be slots (with or without options), whole or contains"
        hint = did_you_mean(name, _COMPARED)
        raise InputError(where, "compare", need, shown(compare), hint)
    if chosen.credit != "exact":
        need, hint = "leave the credit to the measure", "Leave credit out."
        raise InputError(where, "compare", need, shown(compare), hint)
    return chosen


def _contract(where: str, obj: Any) -> tuple[Step, Observe | None]:
    if isinstance(obj, Stateful):
        return obj.step, obj.observe
    if hasattr(obj, "step"):
        need, hint = "have observe too", "Wrap what cannot with demur.replayed."
        raise InputError(where, "what has a method step", need, "none", hint)
    if not isinstance(obj, System) and callable(obj) and not hasattr(obj, "predict"):
        return partial(_function_step, obj), None
    system = as_system(obj)
    if isinstance(system, RecordedSystem):
        hint = "Give recorded outputs as annotations of the dialogues."
        raise InputError(where, "it", "answer any input", "a file of responses", hint)
    return partial(_system_step, system), None


def _function_step(
    function: Callable[[Any], Any], state: Any, given: Any
) -> tuple[Any, Any]:
    output = function(given)
    if type(output) is tuple:
        output = _with_confidence(output, given)
    return output, state


def _with_confidence(pair: tuple[Any, ...], given: Any) -> Response:
    """What a function returned as a tuple."""
    try:
        return response_of(pair, Input("", given), "")
    except InputError as problem:
        raise TypeError(
            f"a tuple is read as (output, confidence), and {problem.what} must "
            f"{problem.must}; got {problem.got}. An output of several parts is a list "
            "or an object"
        ) from None


def _system_step(system: System, state: Any, given: Any) -> tuple[Any, Any]:
    [answer] = system.respond([Input("turn", given)])
    return answer, state


def _unheard(_: Any) -> None:
    """What a recorded module would say if it were run."""


def split_output(output: Any) -> tuple[Any, Any, float | None, str | None]:
    """What is handed on, the guess, its confidence, and why there is none.

    Examples
    --------
    >>> split_output(Response(item="", response="yes", confidence=0.2, declined=True))
    (None, 'yes', 0.2, None)
    >>> split_output(["greet"])
    (['greet'], ['greet'], None, None)
    """
    if not isinstance(output, Response):
        return output, output, None, None
    if output.failed or output.error:
        return None, None, None, output.failed or output.error
    handed_on = None if output.declined else output.response
    return handed_on, output.response, output.confidence, None


@dataclass(frozen=True)
class Pipeline:
    """Modules in the order in which they run; the last one makes the response.

    Parameters
    ----------
    modules : sequence of Module
        In an order in which each gets what it needs; from `Pipeline.of` in any.
    declines : frozenset of str
        Acts of the last module that give no answer, such as "please say that again".

    Examples
    --------
    >>> import demur
    >>> nlu = demur.as_module(str.lower, name="nlu")
    >>> reply = demur.as_module(lambda act: [f"re.{act}"], name="reply")
    >>> [module.inputs for module in demur.Pipeline.of([nlu, reply]).modules]
    [('input',), ('nlu',)]
    """

    modules: tuple[Module, ...]
    declines: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, modules: Sequence[Module], *, declines: Sequence[str] = ()
    ) -> "Pipeline":
        """A pipeline of modules; what gets the output of what decides the order.

        Raises
        ------
        InputError
            If a name stands twice, an input is of no module, modules wait for one
            another, or what the last one gives is not all that comes out.
        """
        where = "a pipeline"
        names = [module.name for module in modules]
        if not names:
            raise InputError(where, "modules", "hold at least one", "none")
        for name in names:
            if names.count(name) > 1:
                raise InputError(where, f"module {shown(name)}", "stand once", "twice")
        filled = {
            module.name: replace(
                module, inputs=module.inputs or ((names[at - 1],) if at else (INPUT,))
            )
            for at, module in enumerate(modules)
        }
        for module in filled.values():
            for source in module.inputs:
                choice(f"module {module.name!r}", "an input", source, [INPUT, *names])
        if isinstance(declines, str):
            hint = "Write a list of acts."
            raise InputError(where, "declines", "be a list", shown(declines), hint)
        order = _order(filled)
        used = {source for module in filled.values() for source in module.inputs}
        idle = [name for name in names if name not in used and name != names[-1]]
        if order[-1] != names[-1] or idle:
            last = names[-1]
            need = f"lead to the last one ({last}), which makes the response"
            got = names_shown(idle) if idle else f"{order[-1]} after it"
            hint = "Name the module that makes the response last."
            raise InputError(where, "all modules", need, got, hint)
        acts = frozenset(" ".join(act.lower().split()) for act in declines)
        return cls(tuple(filled[name] for name in order), acts)

    @property
    def last(self) -> Module:
        """The module that makes the response."""
        return self.modules[-1]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the modules, in order."""
        return tuple(module.name for module in self.modules)

    def below(self, replaced: Mapping[str, Any]) -> tuple[Module, ...]:
        """The modules whose output may change if those of others are replaced.

        Examples
        --------
        >>> import demur
        >>> nlu = demur.as_module(str.lower, name="nlu")
        >>> reply = demur.as_module(str.title, name="reply")
        >>> [each.name for each in demur.Pipeline.of([nlu, reply]).below({"nlu": 0})]
        ['reply']
        """
        moved = set(replaced)
        moving = []
        for module in self.modules:
            if module.name not in replaced and moved.intersection(module.inputs):
                moved.add(module.name)
                moving.append(module)
        return tuple(moving)

    def __str__(self) -> str:
        return ", ".join(map(str, self.modules))

    def __repr__(self) -> str:
        return f"Pipeline({self})"


def _order(modules: Mapping[str, Module]) -> list[str]:
    needs = {name: [i for i in m.inputs if i != INPUT] for name, m in modules.items()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as problem:
        circle = " -> ".join(reversed(problem.args[1]))
        need, hint = "not wait for one another", "A module gets what came before it."
        raise InputError("a pipeline", "modules", need, circle, hint) from None
    order: list[str] = []
    while len(order) < len(needs):
        ready = (name for name in needs if name not in order)
        order.append(next(n for n in ready if set(needs[n]) <= set(order)))
    return order


def plain_text(where: str, what: str, value: Any) -> str:
    """A value as JSON with its names in order, to tell equal ones by.

    Raises
    ------
    InputError
        If it is not plain data.

    Examples
    --------
    >>> plain_text("nlu", "the state", {"b": 1, "a": None})
    '{"a":null,"b":1}'
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as problem:
        need = "be plain data (JSON values)"
        hint = "Answers are kept, and told apart, by what it holds."
        got = f"{shown(value)} ({problem})"
        raise InputError(where, what, need, got, hint) from None
