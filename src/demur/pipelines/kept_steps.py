"""Steps of modules that are limited in time, and kept so that none is made twice."""

import hashlib
import json
import threading
from collections.abc import Callable
from typing import Any

from demur.errors import InputError, RunError
from demur.outcomes.records import Response
from demur.pipelines.modules import Module, Step, plain_text, split_output
from demur.systems.adapters.kept_answers import KeptAnswers

MOST_LEFT_BEHIND = 50
"""If so many steps of a module have run out of time, the run ends."""


def kept(step: Step, module: Module, repeat: int, answers: KeptAnswers) -> Step:
    """A step that is made once for each state and input, and looked up from then on.

    Steps are known by the module and its version, the state, the input, and the repeat
    if the module is stochastic. Steps that failed are made again.
    """
    if not module.version:
        must, hint = "have a version", "Change it with whatever changes its answers."
        raise InputError(f"module {module.name!r}", "what is kept", must, "none", hint)
    where = f"module {module.name!r}"
    head = json.dumps([module.name, module.version, repeat if module.stochastic else 0])

    def looked_up(state: Any, given: Any) -> tuple[Any, Any]:
        told = f"{head}\0{_text(where, 'the state', state)}\0"
        told += _text(where, "the input", given)
        key = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
        known = answers.find(key)
        if known is None:
            output, after = step(state, given)
            handed_on, guess, confidence, failed = split_output(output)
            if failed:
                return output, after
            answer = [handed_on is not None, guess, confidence, after]
            text = _text(where, "the output, with the state,", answer)
            known = {"answer": json.loads(text)}
            answers.keep(key, {**known, "seconds": 0.0})
        given_on, guess, confidence, after = known["answer"]
        if confidence is None and given_on:
            return guess, after
        declined = not given_on and guess is not None
        return (
            Response(item="", response=guess, confidence=confidence, declined=declined),
            after,
        )

    return looked_up


def limited(step: Step, module: Module, seconds: float) -> Step:
    """A step that fails if it takes longer; what still runs is left behind."""
    left_behind = 0

    def in_time(state: Any, given: Any) -> tuple[Any, Any]:
        nonlocal left_behind
        found: list[Callable[[], tuple[Any, Any]]] = []

        def work() -> None:
            try:
                made = step(state, given)
                found.append(lambda: made)
            except BaseException as problem:  # noqa: BLE001  (told to who waits for it)
                raised = problem
                found.append(lambda: _raise(raised))

        thread = threading.Thread(target=work, daemon=True, name=f"demur-{module.name}")
        thread.start()
        thread.join(seconds)
        if found:
            return found[0]()
        left_behind += 1
        if left_behind >= MOST_LEFT_BEHIND:
            raise RunError(
                f"module {module.name!r}: {left_behind} steps took longer than "
                f"{seconds:g} s and still run"
            )
        raise TimeoutError(f"no answer in {seconds:g} s")

    return in_time


def _text(where: str, what: str, value: Any) -> str:
    try:
        return plain_text(where, what, value)
    except InputError as problem:
        raise RunError(str(problem)) from None


def _raise(problem: BaseException) -> Any:
    raise problem
