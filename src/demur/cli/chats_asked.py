"""What was given of how a chat is asked, as its adapter takes it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from demur import formats
from demur.cli import shared
from demur.cli.shared import WrongUsage
from demur.errors import InputError, shown
from demur.files import small_file

# The verb and the systems are loaded once options are read, not to parse or show them.


# -- what was given --------------------------------------------------------------------


def is_given(value: Any) -> bool:
    """Whether an option was typed.

    Examples
    --------
    >>> is_given(None), is_given([]), is_given(0.0)
    (False, False, True)
    """
    return value is not None and value is not False and value != []


def headers_of(command: str, pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Headers by name, each once.

    Raises
    ------
    WrongUsage
        If one stands twice.
    """
    names = Counter(name.casefold() for name, _ in pairs)
    for name, number in names.items():
        if number > 1:
            raise WrongUsage(
                command, f"--header {name}", "stand once", f"{number} times"
            )
    return dict(pairs)


def chat_options(command: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the adapter of chats takes them.

    Parameters
    ----------
    command : str
        For messages.
    given : mapping
        Those that were typed, by their names in the arguments.

    Raises
    ------
    WrongUsage
        If one comes without another that it needs.
    InputError
        If a file that is named is not what it must be.
    """
    options = dict(given)
    if "header" in options:
        options["headers"] = headers_of(command, options.pop("header"))
    _check_confidence(command, options)
    cached = options.pop("cached_price", None)
    if cached is not None:
        if "prices" not in options:
            raise WrongUsage(command, "--cached-price", "come with --prices", "none")
        options["prices"] = [*options["prices"], cached]
    if "budget" in options and "prices" not in options:
        raise WrongUsage(command, "--budget", "come with --prices", "none")
    if options.pop("always_guess", False):
        options["may_decline"] = False
    return options | _of_files(command, options)


def _check_confidence(command: str, options: dict[str, Any]) -> None:
    """Refuse options of another way to be sure; a method is named as in Python."""
    from demur.systems.adapters.confidences import ChatConfidence, confidences

    if "confidence" in options:
        options["confidence"] = options["confidence"].replace("-", "_")
    methods = confidences(ChatConfidence).values()
    for name in dict.fromkeys(name for method in methods for name in method.options):
        takers = [method.name for method in methods if name in method.options]
        if name in options and options.get("confidence") not in takers:
            listed = " or ".join(taker.replace("_", "-") for taker in takers)
            option, got = shared.option_name(name), "another --confidence"
            raise WrongUsage(command, option, f"come with {listed}", got)


def _of_files(command: str, options: dict[str, Any]) -> dict[str, Any]:
    """What stands in the files, or the JSON, that options name."""
    texts = ("instructions", "template", "system_role")
    read: dict[str, Any] = {
        name: _file_text(options[name]) for name in texts if name in options
    }
    if "examples" in options:
        records = formats.iter_records(options["examples"])
        read["examples"] = [record for _, record in records]
    if "parameters" in options:
        read["parameters"] = _json_object(command, options["parameters"])
    return read


def _file_text(path: str) -> str:
    try:
        return small_file(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        need, hint = "be text in UTF-8", "Save it as UTF-8."
        raise InputError(path, "the file", need, "other bytes", hint) from None


def _json_object(command: str, text: str) -> dict[str, Any]:
    try:
        parameters = json.loads(text)
    except ValueError:
        parameters = None
    if not isinstance(parameters, dict):
        need = "be a JSON object"
        raise WrongUsage(command, "--parameters", need, shown(text))
    return parameters
