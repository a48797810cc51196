"""A finite-state dialogue manager: one speech act in, one or more out."""

import os
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from demur import checks
from demur.checks import choice
from demur.errors import InputError, shown
from demur.files import small_file
from demur.reference_systems.script_reader import read_script
from demur.reference_systems.scripts import Rule, Script, matches

State = dict[str, Any]

CHARACTERS: Final = ("porter", "plant_doctor")
"""The characters that come with demur."""


class DialogueManager:
    """Follows the rules of a script, from a state that is plain data.

    It is a stateful system (`demur.Stateful`): its input is the speech act of the user,
    or None if nothing was understood; its output is a list of speech acts.

    Parameters
    ----------
    script : Script
        From `read_dialogue_manager`, which gives the manager.

    Notes
    -----
    The state has ``node`` (where the dialogue is), ``compliance`` (how willing the
    character is), ``promises`` (what the user has promised), ``pending`` (the act that
    waits for a promise, or None), ``open`` (the checklists that were opened) and
    ``said`` (which of their acts were said).

    An act is answered by the first rule whose pattern, node and conditions fit. If the
    rule needs a promise that was not given, the character asks for it and the act
    waits; when the promise comes, the answer to what waits follows at once, so that two
    or more acts come out.

    References
    ----------
    Gandhe et al. (2008), "From domain specification to virtual humans", Interspeech:
    compliance, and offers that are elicited. Rizzo et al. (2011) for checklists. That
    this small machine is enough for the pipeline paper's two characters is our reading.

    Examples
    --------
    >>> import demur
    >>> porter = demur.character("porter")
    >>> acts, state = porter.step(None, "whq.thief.name")
    >>> acts
    ['elicit-offer.secrecy']
    >>> acts, state = porter.step(state, "offer.secrecy")
    >>> acts
    ['ack.offer.secrecy', 'assert.thief.name']
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self._listed = script.listed

    def __str__(self) -> str:
        return f"dialogue_manager({self.script.name}, {self.script.digest})"

    __repr__ = __str__

    @property
    def name(self) -> str:
        """Of the character."""
        return self.script.name

    @property
    def heard(self) -> Mapping[str, tuple[str, ...]]:
        """What users may say for each act: examples to train a classifier with."""
        return self.script.heard

    @property
    def spoken(self) -> Mapping[str, str]:
        """What the character says for each act."""
        return self.script.spoken

    def start(self) -> State:
        """The state before the first turn."""
        return {
            "node": self.script.start,
            "compliance": self.script.compliance,
            "promises": [],
            "pending": None,
            "open": [],
            "said": [],
        }

    def step(self, state: State | None, input: str | None) -> tuple[list[str], State]:
        """Answer one speech act.

        Parameters
        ----------
        state : dict or None
            None is the beginning.
        input : str or None
            An act; None if nothing was understood.

        Returns
        -------
        acts : list of str
            What the character says, in its order; never empty.
        state : dict
            A new one; the one that was given stays as it was.

        Raises
        ------
        InputError
            If the input is no act, or the state is none of this manager.
        """
        turn = _Turn(self.script, self._checked(state))
        turn.answer(_act(input))
        return turn.acts, turn.state

    def observe(self, state: State | None, input: str | None, outputs: Any) -> State:
        """The state after a turn that was answered by these acts instead.

        What follows from the input (promises, compliance, the node) is as in `step`.
        What the character itself did is read off the acts: an act of a checklist that
        was said is done, and one that was not is still to come; an act waits for a
        promise if the promise was asked for.

        Parameters
        ----------
        outputs : iterable of str or None
            The target acts; None if nothing was said.
        """
        outputs = () if outputs is None else outputs
        before = self._checked(state)
        if isinstance(outputs, str) or not all(isinstance(a, str) for a in outputs):
            need = "be a list of speech acts"
            raise InputError(self.name, "the outputs", need, shown(outputs))
        outputs = list(outputs)
        turn = _Turn(self.script, dict(before))
        turn.answer(_act(input))
        after = turn.state
        done = [act for act in outputs if act in self._listed]
        after["said"] = list(dict.fromkeys([*before["said"], *done]))
        asked_for = self.script.elicits.intersection(outputs)
        # What waits is never said aloud: it is read off whether its promise was asked.
        if not asked_for:
            after["pending"] = after["pending"] if turn.acts == outputs else None
        elif after["pending"] is None:
            waited = self._needed(before["pending"]) & asked_for
            after["pending"] = before["pending"] if waited else input
        return after

    def _needed(self, act: str | None) -> frozenset[str]:
        """The acts that ask for what an act needs."""
        rules = (rule for rule in self.script.rules if matches(rule.patterns, act))
        needs = (promise for rule in rules for promise in rule.needs)
        return frozenset(map(self.script.elicit, needs))

    def _checked(self, state: State | None) -> State:
        if state is None:
            return self.start()
        first = self.start()
        if not isinstance(state, Mapping) or set(state) != set(first):
            need = f"have {', '.join(first)}"
            raise InputError(self.name, "the state", need, shown(state))
        return {
            name: list(value) if isinstance(value, (list, tuple)) else value
            for name, value in state.items()
        }


def _act(input: Any) -> str | None:
    if input is not None and not isinstance(input, str):
        need = "be one speech act, or None"
        raise InputError("a dialogue manager", "the input", need, shown(input))
    return input


class _Turn:
    """One turn: the acts so far, and the state as it becomes."""

    def __init__(self, script: Script, state: State) -> None:
        self.script, self.state = script, state
        self.acts: list[str] = []
        self._went_on = False

    def answer(self, act: str | None) -> None:
        """Follow the rule for an act, and then that for what has waited, if it may."""
        before = set(self.state["promises"])
        self._follow(self._rule(act), act)
        waiting = self.state["pending"]
        given = set(self.state["promises"]) - before
        if waiting is None or not given:
            return
        rule = self._rule(waiting)
        if given & set(rule.needs):
            # Before it is followed, since the rule may need a second promise and wait.
            self.state["pending"] = None
            self._follow(rule, waiting)

    def _rule(self, act: str | None) -> Rule:
        for rule in self.script.rules:
            if matches(rule.patterns, act) and self._holds(rule):
                return rule
        raise InputError(self.script.name, "a rule", "fit", shown(act))

    def _holds(self, rule: Rule) -> bool:
        if rule.node is not None and rule.node != self.state["node"]:
            return False
        return all(self._true(*condition) for condition in rule.conditions)

    def _true(self, kind: str, value: Any) -> bool:
        if kind == "compliance below":
            return bool(self.state["compliance"] < value)
        if kind == "compliance from":
            return bool(self.state["compliance"] >= value)
        promised = value in self.state["promises"]
        return promised if kind == "promised" else not promised

    def _follow(self, rule: Rule, act: str | None) -> None:
        self._went_on = False
        for action, value in rule.actions:
            if action != "needs":  # an action has the name of the method that does it
                getattr(self, f"_{action}")(value)
            elif value not in self.state["promises"]:
                self.state["pending"] = act
                self._say(self.script.elicit(value))
                return  # what comes after is done when the promise is there

    def _say(self, act: str) -> None:
        self.acts.append(act)

    def _promise(self, name: str) -> None:
        self.state["promises"] = sorted({*self.state["promises"], name})

    def _compliance(self, change: int) -> None:
        self.state["compliance"] += change

    def _forget(self, _: None) -> None:
        self.state["pending"] = None

    def _go(self, node: str) -> None:
        self.state["node"] = node

    def _open(self, checklist: str) -> None:
        self.state["open"] = list(dict.fromkeys([*self.state["open"], checklist]))

    def _next(self, _: None) -> None:
        """Say what comes next on the open checklists, up to a question."""
        for name in self.state["open"]:
            for act in self.script.checklists[name]:
                if act not in self.state["said"]:
                    self._say(act)
                    self.state["said"] = [*self.state["said"], act]
                    self._went_on = True
                    if act in self.script.questions:
                        return

    def _otherwise(self, act: str) -> None:
        if not self._went_on:
            self._say(act)


def read_dialogue_manager(path: str | os.PathLike[str]) -> DialogueManager:
    '''A dialogue manager from a file; docs/dialogue_managers.md has its format.

    Parameters
    ----------
    path : path
        Text in UTF-8.

    Returns
    -------
    DialogueManager

    Raises
    ------
    InputError
        With file and line, if the file is not of that form.

    Examples
    --------
    >>> import demur
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> script = """
    ... name: Echo
    ... rule greet.*
    ...     say greet.back
    ... rule *
    ...     say request.clarify
    ... rule nothing
    ...     say request.repeat
    ... """
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "echo.txt").write_text(script)
    ...     echo = demur.read_dialogue_manager(Path(folder, "echo.txt"))
    >>> echo.step(None, "greet.hello")[0], echo.step(None, None)[0]
    (['greet.back'], ['request.repeat'])
    '''
    checks.path("read_dialogue_manager", path)
    place = os.fspath(path)
    try:
        text = small_file(path).decode("utf-8-sig")
    except OSError as problem:
        need, got = "be a file that can be read", problem.strerror or str(problem)
        raise InputError(place, "the script", need, got) from None
    except UnicodeDecodeError as problem:
        need, hint = "be text in UTF-8", "Save it as UTF-8."
        raise InputError(place, "the file", need, problem.reason, hint) from None
    return DialogueManager(read_script(text, place))


def character(name: str) -> DialogueManager:
    """A character that comes with demur.

    Parameters
    ----------
    name : {"porter", "plant_doctor"}
        The porter saw a theft, and withholds what he knows until promises are given.
        The plant doctor works through checklists, with several acts a turn.

    Returns
    -------
    DialogueManager

    Examples
    --------
    >>> import demur
    >>> doctor = demur.character("plant_doctor")
    >>> doctor.step(None, "answer.observable.yellow-leaves")[0]
    ['empathise.yellow-leaves', 'question.watering.how-often']
    """
    choice("character", "name", name, CHARACTERS)
    file = files("demur.reference_systems") / "characters" / f"{name}.txt"
    return DialogueManager(read_script(file.read_text("utf-8"), f"{name}.txt"))
