"""Steps of modules that are limited in time, and kept so that none is made twice."""

import hashlib
import json
import threading
from collections.abc import Callable
from typing import Any

from demur.errors import InputError, RunError
from demur.outcomes.records import Response
from demur.pipelines.modules import Module, Observe, Step, plain_text, split_output
from demur.systems.adapters.kept_answers import KeptAnswers

MOST_LEFT_BEHIND = 50
"""If so many steps of a module have run out of time, the run ends."""


def kept(step: Step, module: Module, repeat: int, answers: KeptAnswers) -> Step:
    """A step that is made once for each state and input, and looked up from then on.

    Steps are known by the module and its version, the state, the input, and the repeat
    if the module is stochastic. Steps that failed are made again.
    """
    where = f"module {module.name!r}"
    if not module.version:
        need, hint = "have a version", "Change it with whatever changes its answers."
        raise InputError(where, "what is kept", need, "none", hint)
    head = [module.name, module.version, repeat if module.stochastic else 0]

    def looked_up(state: Any, given: Any) -> tuple[Any, Any]:
        key = _key(where, head, state=state, input=given)
        known = answers.find(key)
        if known is None:
            output, after = step(state, given)
            handed_on, guess, confidence, failed = split_output(output)
            if failed:
                return output, after
            # A failure is not kept, so that the next run tries again.
            answer = [handed_on is not None, guess, confidence, after]
            text = _json_text(where, "the output, with the state,", answer)
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


def kept_observe(observe: Observe, module: Module, answers: KeptAnswers) -> Observe:
    """The state after what was said instead, looked up if it was asked for before."""
    where = f"module {module.name!r}"
    head = [module.name, module.version, "observe"]

    def looked_up(state: Any, given: Any, output: Any) -> Any:
        key = _key(where, head, state=state, input=given, output=output)
        known = answers.find(key)
        if known is None:
            after = observe(state, given, output)
            known = {"answer": json.loads(_json_text(where, "the state", after))}
            answers.keep(key, {**known, "seconds": 0.0})
        return known["answer"]

    return looked_up


def _key(where: str, head: list[Any], **parts: Any) -> str:
    """What a call of a module is known by."""
    texts = [_json_text(where, f"the {name}", value) for name, value in parts.items()]
    whole = "\0".join([json.dumps(head), *texts])
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def limited(
    call: Callable[..., Any], module: Module, seconds: float
) -> Callable[..., Any]:
    """A step that fails if it takes longer; what still runs is left behind."""
    left_behind = 0

    def in_time(*given: Any) -> Any:
        nonlocal left_behind
        results: list[Callable[[], Any]] = []

        def work() -> None:
            try:
                made = call(*given)
                results.append(lambda: made)
            except BaseException as problem:  # noqa: BLE001  (told to who waits for it)
                raised = problem
                results.append(lambda: _raise(raised))

        thread = threading.Thread(target=work, daemon=True, name=f"demur-{module.name}")
        thread.start()
        thread.join(seconds)
        if results:
            return results[0]()
        left_behind += 1
        if left_behind >= MOST_LEFT_BEHIND:
            raise RunError(
                f"module {module.name!r}: {left_behind} steps took longer than "
                f"{seconds:g} s and still run"
            )
        raise TimeoutError(f"no answer in {seconds:g} s")

    return in_time


def _json_text(where: str, what: str, value: Any) -> str:
    try:
        return plain_text(where, what, value)
    except InputError as problem:
        raise RunError(str(problem)) from None


def _raise(problem: BaseException) -> Any:
    raise problem
