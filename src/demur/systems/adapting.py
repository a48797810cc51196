"""What people have, as a system."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from demur.checks import with_article
from demur.errors import InputError, shown
from demur.formats.record_reading import read_responses
from demur.outcomes.records import Response
from demur.systems.adapters.address_parts import without_secrets
from demur.systems.adapters.chats import CHAT, ChatSystem
from demur.systems.adapters.commands import CommandSystem
from demur.systems.adapters.endpoints import HttpSystem
from demur.systems.adapters.estimators import METHODS, EstimatorSystem
from demur.systems.adapters.functions import FunctionSystem
from demur.systems.adapters.recorded import RecordedSystem
from demur.systems.adapters.word_vectors import FastTextSystem
from demur.systems.protocol import System

COMMAND = "cmd:"
"""How the name of a program begins."""


def as_system(obj: Any, *, name: str = "", **options: Any) -> System:
    """Anything that answers, as a system.

    Parameters
    ----------
    obj : object
        - what has ``respond``: it is a system already;
        - an estimator or pipeline with ``predict_proba`` or ``decision_function``
          (options ``confidence``, ``out_of_scope``, ``method``);
        - a model of fastText;
        - a function of an input, or with ``batch=True`` of a list of inputs;
        - an ``http://`` or ``https://`` address (``shape``, ``timeout``, ``retries``,
          ``headers``, ``cache``);
        - ``"chat:MODEL@URL"``, a chat endpoint: chat completions, or what the end of
          the address says (the options of `ChatSystem`);
        - ``"cmd:PROGRAM ..."``, a program that reads and writes JSON Lines
          (``timeout``);
        - the path of a file of responses, or a list of `Response`.
    name : str
        Of the system, for what it answers.
    **options
        Of the adapter.

    Returns
    -------
    System

    Raises
    ------
    InputError
        If it is none of these, or an option is not known to its adapter.

    Examples
    --------
    >>> import demur
    >>> system = demur.as_system(lambda text: (text.upper(), len(text)), name="loud")
    >>> [answer] = system.respond([demur.Input("q1", "hello")])
    >>> answer.response, answer.confidence, answer.system
    ('HELLO', 5.0, 'loud')
    """
    make: Any
    if isinstance(obj, System):
        if options:
            raise _unknown_options(obj, options)
        return obj
    if isinstance(obj, (str, os.PathLike)):
        return _by_name(os.fspath(obj), name, options)
    # Before estimators and functions: many a model can be called too.
    if hasattr(obj, "get_labels") and hasattr(obj, "predict"):
        make = FastTextSystem
    elif any(hasattr(obj, method) for method in METHODS):
        make = EstimatorSystem
    elif callable(obj):
        make = FunctionSystem
    elif _are_responses(obj):
        make = RecordedSystem
    else:
        need = "be a system, an estimator, a function, an address or a file"
        got = with_article(type(obj).__name__)
        raise InputError("as_system", "the object", need, got)
    return _made(make, obj, name, options)


def _are_responses(obj: Any) -> bool:
    listed = isinstance(obj, Sequence) and bool(obj)
    return listed and all(isinstance(response, Response) for response in obj)


def _by_name(text: str, name: str, options: dict[str, Any]) -> System:
    if text.startswith(("http://", "https://")):
        return _made(HttpSystem, text, name, options)
    if text.startswith(CHAT):
        return _made(_chat, text.removeprefix(CHAT), name, options)
    if text.startswith(COMMAND):
        return _made(CommandSystem, text.removeprefix(COMMAND), name, options)
    if not text or not Path(text).exists():
        need = "be an address, cmd:PROGRAM, chat:MODEL@URL or a file of responses"
        got = shown(without_secrets(text))
        hint = "A function or an estimator is given as the object itself."
        raise InputError("as_system", "the name", need, got, hint)
    return _made(RecordedSystem, read_responses(text), name, options)


def _chat(text: str, *, name: str, **options: Any) -> System:
    """A chat endpoint; the name of a model may itself hold an ``@``."""
    place = max(text.rfind("@http://"), text.rfind("@https://"))
    if place < 1:
        need = "be chat:MODEL@URL"
        got = shown(without_secrets(text))
        hint = "URL begins with http:// or https://, as in http://localhost:8000/v1."
        raise InputError("as_system", "the chat endpoint", need, got, hint)
    return ChatSystem(text[:place], text[place + 1 :], name=name, **options)


def _made(make: Any, obj: Any, name: str, options: dict[str, Any]) -> System:
    try:
        system: System = make(obj, name=name, **options)
    except TypeError as problem:
        if "unexpected keyword" not in str(problem):
            raise
        raise _unknown_options(make, options) from problem
    return system


def _unknown_options(obj: Any, options: dict[str, Any]) -> InputError:
    kind = obj.__name__ if isinstance(obj, type) else type(obj).__name__
    got = ", ".join(options)
    return InputError("as_system", f"the options of {kind}", "be known to it", got)
