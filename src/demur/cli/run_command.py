"""``demur run``: ask a system all inputs, several at a time, each only once."""

import json
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
    Options,
    Parser,
    as_json,
    say,
    shared,
    show,
    typed,
)
from demur.cli.shared import WrongUsage
from demur.cli.streams import progress
from demur.errors import InputError, shown
from demur.files import small_file
from demur.outcomes.contexts import CONTEXT_RULES, TURN_FIELDS, rules_listed
from demur.outcomes.fields import also_called
from demur.outcomes.records import Response, item_text
from demur.results import printable
from demur.systems.adapters.address_parts import without_secrets
from demur.systems.adapters.chats import CHAT
from demur.systems.adapters.confidences import ChatConfidence, confidences
from demur.systems.adapters.endpoints import SHAPES
from demur.systems.adapting import COMMAND, as_system
from demur.systems.journals import JOURNAL
from demur.systems.protocol import Input, System
from demur.systems.running import GIVE_UP, RunResponses
from demur.systems.running import run as run_system
from demur.version import __version__


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur run``."""
    command.description = (
        "Ask a system all inputs and write its responses. An interrupted run goes on "
        "where it was."
    )
    command.option(
        "SYSTEM: module:object (a function, an estimator, or what has respond), "
        "'cmd:PROGRAM ...', http://... or https://..., chat:MODEL@URL (chat "
        "completions; where URL ends in /responses or /messages, these), or a file of "
        "responses"
    )
    command.option(
        "INPUTS: files with item and input, such as references; nothing else of them "
        "reaches the system",
        nargs="+",
    )
    command.option(
        "-o --output RESPONSES: where the responses go (.jsonl)",
        required=True,
        type=typed.record_file,
    )
    command.option("--name NAME: of the system")
    command.option(
        "--context: hand over the turns before in the dialogue, with the system's own "
        f"answers, by the rule of when context is reset: {rules_listed()}; what cannot "
        "be asked under the rule, such as an excluded turn, is not asked",
        choices=list(CONTEXT_RULES),
    )
    _add_requests(command)
    _add_chat(command)
    again = command.add_mutually_exclusive_group()
    again.option(
        "--retry: keep the responses that are there, and ask again for what has failed",
        choices=["failed"],
    )
    again.option("--replace: ask all again, and replace the responses that are there")
    shared.add_selection(command, "inputs")
    shared.add_json(command)


def _add_requests(command: Parser) -> None:
    command.option(
        "--concurrency N: how many requests are open at a time",
        type=typed.count,
        usual=1,
    )
    command.option(
        "--batch N: how many inputs a request has", type=typed.count, usual=1
    )
    command.option(
        "--give-up N: end the run if so many inputs fail one after another; 0 never "
        "ends it",
        type=typed.whole_number,
        usual=GIVE_UP,
    )
    command.option(
        "--timeout SECONDS: for each request to an address (default: 60, of a chat "
        "120), or each line of a program (default: 60)",
        type=typed.seconds,
    )
    command.option(
        "--cache FILE: keeps the answers of an address or a chat, for this run and "
        "later ones"
    )
    command.option(
        "--header HEADER: NAME: VALUE, sent with each request to an address or a chat; "
        "a value env:NAME is read from the environment; may be repeated",
        several=True,
        type=typed.header,
    )
    command.option(
        "--rate N: how many requests an address or a chat is sent a minute, at most",
        type=typed.positive,
    )
    command.option(
        "--shape: what an address is sent and sends back (default: demur)",
        choices=list(SHAPES),
    )


def _add_chat(command: Parser) -> None:
    chat = command.add_argument_group("a chat endpoint")
    methods = {
        name.replace("_", "-"): method.help
        for name, method in confidences(ChatConfidence).items()
    }
    listed = "; ".join(f"{name}, {clause}" for name, clause in methods.items())
    chat.option(
        f"--confidence: how sure the model is (default: verbalised): {listed}",
        choices=list(methods),
    )
    chat.option(
        "--samples N: for agreement and semantic-entropy (default: 5)", type=typed.count
    )
    chat.option(
        "--agree-by COMPARATOR: says whether two samples agree, as in judge --by "
        "(default: text, capitals and punctuation aside)"
    )
    chat.option("--think: the model is asked to reason before the line of its answer")
    chat.option("--always-guess: do not offer to say that it does not know")
    chat.option(
        "--instructions FILE: what the model is told, before the form of its reply"
    )
    chat.option(
        "--template FILE: a text with {question}, {choices}, {context} or other "
        "fields, which inputs that are objects fill"
    )
    chat.option("--system-role FILE: what the model is told in the role of the system")
    chat.option(
        "--examples FILE: records with input and response, shown as turns before each "
        "question"
    )
    chat.option("--parameters JSON: of each request, such as '{\"temperature\": 0}'")
    _add_costs(chat)
    chat.option(
        "--key-env NAME: the environment variable that holds the key (default: "
        "OPENAI_API_KEY for api.openai.com, ANTHROPIC_API_KEY for api.anthropic.com, "
        "none for others)"
    )


def _add_costs(chat: Options) -> None:
    chat.option("--prices IN OUT: of a million tokens, for the column cost", type=float)
    chat.option(
        "--cached-price PRICE: of a million tokens of input that the service had kept "
        "(default: IN of --prices)",
        type=float,
    )
    chat.option(
        "--budget AMOUNT: end the run before it costs more, by --prices and the "
        "dearest answer so far",
        type=typed.positive,
    )
    chat.option(
        "--token-rate N: how many tokens a minute, at most, as far as that can be "
        "known",
        type=typed.positive,
    )


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
        given = {name: value for name, value in options.items() if _is_given(value)}
        if given and not right:
            option = shared.option_name(next(iter(given)))
            raise WrongUsage("run", option, f"come with {what}", shown(text))
        chosen |= given
    if "header" in chosen:
        chosen["headers"] = _headers(chosen.pop("header"))
    return _chat_options(chosen) if chat else chosen


def _is_given(value: Any) -> bool:
    return value is not None and value is not False and value != []


def _headers(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Headers by name, each once."""
    names = Counter(name.casefold() for name, _ in pairs)
    for name, number in names.items():
        if number > 1:
            raise WrongUsage("run", f"--header {name}", "stand once", f"{number} times")
    return dict(pairs)


def _chat_options(given: dict[str, Any]) -> dict[str, Any]:
    options = dict(given)
    if "confidence" in options:
        options["confidence"] = options["confidence"].replace("-", "_")
    methods = confidences(ChatConfidence).values()
    for name in dict.fromkeys(name for method in methods for name in method.options):
        takers = [method.name for method in methods if name in method.options]
        if name in options and options.get("confidence") not in takers:
            listed = " or ".join(taker.replace("_", "-") for taker in takers)
            option, got = shared.option_name(name), "another --confidence"
            raise WrongUsage("run", option, f"come with {listed}", got)
    cached = options.pop("cached_price", None)
    if cached is not None:
        if "prices" not in options:
            raise WrongUsage("run", "--cached-price", "come with --prices", "none")
        options["prices"] = [*options["prices"], cached]
    if "budget" in options and "prices" not in options:
        raise WrongUsage("run", "--budget", "come with --prices", "none")
    if options.pop("always_guess", False):
        options["may_decline"] = False
    return options | _of_files(options)


def _of_files(options: dict[str, Any]) -> dict[str, Any]:
    """What stands in the files, or the JSON, that options name."""
    texts = ("instructions", "template", "system_role")
    read: dict[str, Any] = {
        name: _file_text(options[name]) for name in texts if name in options
    }
    if "examples" in options:
        records = formats.iter_records(options["examples"])
        read["examples"] = [record for _, record in records]
    if "parameters" in options:
        read["parameters"] = _json_object(options["parameters"])
    return read


def _file_text(path: str) -> str:
    try:
        return small_file(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        need, hint = "be text in UTF-8", "Save it as UTF-8."
        raise InputError(path, "the file", need, "other bytes", hint) from None


def _json_object(text: str) -> dict[str, Any]:
    try:
        parameters = json.loads(text)
    except ValueError:
        parameters = None
    if not isinstance(parameters, dict):
        need = "be a JSON object"
        raise WrongUsage("run", "--parameters", need, shown(text))
    return parameters


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
