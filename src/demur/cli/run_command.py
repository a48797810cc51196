"""``demur run``: ask a system all inputs, several at a time, each only once."""

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from demur import formats
from demur.cli import (
    BAD_INPUT,
    FINE,
    as_json,
    chats_asked,
    say,
    shared,
    show,
)
from demur.cli.shared import WrongUsage
from demur.cli.streams import progress
from demur.errors import InputError, shown
from demur.outcomes.contexts import TURN_FIELDS
from demur.outcomes.fields import also_called
from demur.outcomes.records import Response, item_text
from demur.results import printable
from demur.systems.adapters.address_parts import without_secrets
from demur.systems.adapters.chats import CHAT
from demur.systems.adapting import COMMAND, as_system
from demur.systems.journals import JOURNAL
from demur.systems.protocol import Input, System
from demur.systems.running import RunResponses
from demur.systems.running import run as run_system
from demur.version import __version__


def run(arguments: Namespace) -> int:
    """Ask, write, and say how many answers there are."""
    output = arguments.output
    _check_output(arguments)
    asked = _inputs(arguments)
    system = _system(arguments)
    keep = []
    if arguments.retry:
        keep = [one for one in formats.read_responses(output) if not one.failed]
    if Path(f"{output}{JOURNAL}").exists():
        say(f"going on with the run that {output}{JOURNAL} has kept")
    how = shared.named(arguments, "concurrency", "batch")
    how |= {"give_up": arguments.give_up or None, "progress": progress("inputs")}
    how |= {"context": arguments.context}
    responses = run_system(system, asked, path=output, keep=keep, **how)
    for note in responses.notes:
        say(note)
    counts = _counts(responses, getattr(system, "from_cache", frozenset()))
    counts |= _asked_for(arguments, responses)
    if arguments.json:
        show(as_json({"demur": __version__, "system": str(system), **counts}))
    else:
        show(_summary(counts))
    say(f"wrote {output}")
    failed, total = counts["failed"], counts["items"]
    if 2 * failed <= total:
        return FINE
    say(f"most inputs failed, {failed} of {total}: --retry failed asks them again")
    return BAD_INPUT


def _check_output(arguments: Namespace) -> None:
    """Refuse to write over responses that nobody has spoken of."""
    output = arguments.output
    outputs = {"--output": output, "--cache": arguments.cache}
    texts = ("instructions", "template", "system_role", "examples")
    read = [*arguments.inputs, *(getattr(arguments, name) for name in texts)]
    shared.check_outputs("run", outputs, read)
    there = Path(output).exists()
    if there and not (arguments.retry or arguments.replace):
        need = "not be there already"
        hint = "--retry failed asks again for what has failed, --replace asks all."
        raise WrongUsage("run", "--output", need, output, hint)
    if arguments.retry and not there:
        need, hint = "be there for --retry", "Leave --retry out."
        raise WrongUsage("run", "--output", need, output, hint)


def _asked_for(arguments: Namespace, responses: RunResponses) -> dict[str, Any]:
    """Counts that only some runs have."""
    counts: dict[str, Any] = {}
    answers = [one for one in responses if one.response is not None and not one.failed]
    unsure = sum(one.confidence is None for one in answers)
    if unsure < len(answers) or _asked_how_sure(arguments):
        counts["without_confidence"] = unsure
    if arguments.context:
        counts |= {"context": arguments.context, "not_asked": responses.not_asked}
    if arguments.prices:
        costs = [one.extra.get("cost") for one in responses if not one.failed]
        counts["without_cost"] = sum(not _is_number(cost) for cost in costs)
    return counts


def _asked_how_sure(arguments: Namespace) -> bool:
    """Whether the system was asked how sure it is."""
    return bool(arguments.system.startswith(CHAT)) and arguments.confidence != "none"


def _summary(counts: dict[str, Any]) -> str:
    lines = [
        f"{counts['items']} items: {counts['answered']} answered, "
        f"{counts['no_guess']} without a guess, {counts['failed']} failed."
    ]
    kinds = ", ".join(f"{kind} {number}" for kind, number in counts["kinds"].items())
    if kinds:
        lines.append(f"without a guess: {kinds}.")
    unsure = counts.get("without_confidence")
    if unsure:
        have = "has" if unsure == 1 else "have"
        lines.append(
            f"{unsure} of {counts['answered']} answers {have} no confidence that can "
            "be read; demur judge --unsure lowest ranks such guesses lowest."
        )
    for why, number in counts["failures"].items():
        lines.append(printable(f"failed: {number}: {why}"))
    others = counts["other_failures"]
    if others["items"]:
        reasons = "1 more reason" if others["reasons"] == 1 else ""
        reasons = reasons or f"{others['reasons']} more reasons"
        lines.append(f"failed: {others['items']}: {reasons}; the responses hold all.")
    spent = (f"{round(value, 6):,} {name}" for name, value in counts["spent"].items())
    if counts["from_cache"]:
        lines.append(f"from the cache: {counts['from_cache']}, which cost nothing.")
    if counts["spent"]:
        lines.append(f"spent: {', '.join(spent)}.".replace("_", " "))
    unknown = counts.get("without_cost")
    if unknown:
        lines.append(f"of unknown cost: {unknown}, whose tokens were not counted.")
    return "\n".join(lines)


_MOST_REASONS: Final = 5
"""Why inputs failed, the most frequent reasons; others are counted."""


def _counts(
    responses: Sequence[Response], from_cache: Set[Any] = frozenset()
) -> dict[str, Any]:
    """What became of the inputs, and what was spent; a kept answer costs nothing."""
    kept = [one for one in responses if one.item in from_cache]
    paid = [one for one in responses if one.item not in from_cache]
    failures = Counter(response.failed for response in responses if response.failed)
    listed = dict(failures.most_common(_MOST_REASONS))
    kinds = Counter(response.kind for response in responses if response.kind)
    spent: dict[str, Any] = {}
    for name in ("prompt_tokens", "cached_tokens", "completion_tokens", "cost"):
        values = (response.extra.get(name) for response in paid)
        numbers: list[Any] = [value for value in values if _is_number(value)]
        if numbers:
            spent[name] = sum(numbers)
    silent = sum(one.response is None and not one.failed for one in responses)
    return {
        "items": len(responses),
        "answered": len(responses) - failures.total() - silent,
        "no_guess": silent,
        "declined": sum(bool(response.declined) for response in responses),
        "failed": failures.total(),
        "failures": listed,
        "other_failures": {
            "reasons": len(failures) - len(listed),
            "items": failures.total() - sum(listed.values()),
        },
        "kinds": dict(kinds.most_common()),
        "spent": spent,
        "from_cache": len(kept),
    }


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _inputs(arguments: Namespace) -> list[Any]:
    """Items and inputs of the files, or turns of dialogues; nothing else is kept."""
    asked: dict[str, Any] = {}
    for place, record in formats.iter_records(
        *arguments.inputs, **shared.how_read(arguments)
    ):
        for name in ("item", "input"):
            if record.get(name) is None:
                raise _lacking(place, name, record)
        key = item_text(record["item"], place)
        if key in asked:
            need, hint = "stand once", "Give repeated questions items of their own."
            raise InputError(place, f"item {shown(key)}", need, "twice", hint)
        asked[key] = Input(record["item"], record["input"])
        if arguments.context:
            asked[key] = place, {name: record.get(name) for name in TURN_FIELDS}
    return list(asked.values())


_CALLED: Final = {
    "item": (*also_called("item"), "key", "index", "idx"),
    "input": ("question", "prompt", "query", "text", "utterance", "frage", "pregunta"),
}
"""What else files call the fields of an input."""


def _lacking(place: str, name: str, record: Mapping[str, Any]) -> InputError:
    """The error of a record without this field, and what to type."""
    if name in record:
        return InputError(place, name, "hold a value", "null")
    absent = [field for field in _CALLED if field not in record]
    mapping = dict.fromkeys(absent, "COLUMN")
    if "item" in absent:
        mapping["item"] = "row()"
    for field in absent:
        for column in map(str, record):
            if column.lower() in _CALLED[field]:
                mapping[field] = column
                break
    typed = ", ".join(f"{field}={column}" for field, column in mapping.items())
    got = ", ".join(map(str, record)) or "no fields"
    hint = f"Type --columns '{typed}'."
    return InputError(place, "a record", f"have a field {name}", got, hint)


def _system(arguments: Namespace) -> System:
    """The system of its name."""
    text = arguments.system
    options = _options(arguments)
    schemes = ("http://", "https://", COMMAND, CHAT)
    if text.startswith(schemes) or Path(text).exists():
        return as_system(text, name=arguments.name or "", **options)
    module, colon, name = text.partition(":")
    if not colon or not module or not name or "://" in text:
        need = (
            "be module:object, cmd:PROGRAM, an address, chat:MODEL@URL or a file of "
            "responses"
        )
        raise InputError("run", "the system", need, shown(without_secrets(text)))
    return as_system(_imported(module, name), name=arguments.name or "", **options)


_CHAT_OPTIONS: Final = (
    *("confidence", "samples", "agree_by", "think", "always_guess", "instructions"),
    *("template", "system_role", "examples", "parameters", "prices", "key_env"),
    *("cached_price", "budget", "token_rate"),
)


def _options(arguments: Namespace) -> dict[str, Any]:
    """The options of the adapter that were given, if they are of this one."""
    text = arguments.system
    chat, program = text.startswith(CHAT), text.startswith(COMMAND)
    address = text.startswith(("http://", "https://"))
    allowed = (
        (("shape",), address, "an http address"),
        (("cache", "header", "rate"), address or chat, "an address or a chat"),
        (("timeout",), address or chat or program, "an address, a chat or a program"),
        (_CHAT_OPTIONS, chat, "chat:MODEL@URL"),
    )
    chosen: dict[str, Any] = {}
    for names, right, what in allowed:
        options = shared.named(arguments, *names)
        given = {
            name: value
            for name, value in options.items()
            if chats_asked.is_given(value)
        }
        if given and not right:
            option = shared.option_name(next(iter(given)))
            raise WrongUsage("run", option, f"come with {what}", shown(text))
        chosen |= given
    if chat:
        return chats_asked.chat_options("run", chosen)
    if "header" in chosen:
        chosen["headers"] = chats_asked.headers_of("run", chosen.pop("header"))
    return chosen


_NO_MODULE: Final = (
    "A module is named as it is imported, such as mybot for mybot.py; a language "
    "model is chat:MODEL@URL."
)


def _imported(module: str, name: str) -> Any:
    """An object of a module; modules beside where the command runs are found."""
    if os.getcwd() not in sys.path:  # noqa: PTH109
        sys.path.insert(0, os.getcwd())  # noqa: PTH109
    try:
        system: Any = import_module(module)
        for part in name.split("."):
            system = getattr(system, part)
    except (ImportError, AttributeError) as problem:
        text = " ".join(str(problem).split())
        need = f"be {name} of a module {module}"
        absent = isinstance(problem, ModuleNotFoundError) and problem.name
        hint = _NO_MODULE if absent and module.startswith(absent) else ""
        raise InputError("run", "the system", need, text, hint) from None
    if isinstance(system, type):
        need, hint = "be an object, not a class", "Make one in the module."
        raise InputError("run", "the system", need, f"the class {name}", hint)
    return system
