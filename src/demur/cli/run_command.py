"""``demur run``: ask a system all inputs, several at a time, each only once."""

import argparse
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from demur import formats
from demur.cli import shared
from demur.cli.shared import how_read
from demur.cli.streams import as_json, progress, say, show
from demur.cli.usage import WrongUsage, check_outputs
from demur.errors import InputError, shown
from demur.outcomes.records import Response, item_text
from demur.results import printable
from demur.systems.adapting import COMMAND, as_system
from demur.systems.endpoints import SHAPES
from demur.systems.protocol import Input, System
from demur.systems.running import JOURNAL
from demur.systems.running import run as run_system
from demur.version import __version__


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur run``."""
    command.description = (
        "Ask a system all inputs and write its responses. An interrupted run goes on "
        "where it was."
    )
    command.add_argument(
        "system",
        metavar="SYSTEM",
        help="module:object (a function, an estimator, or what has respond), "
        "'cmd:PROGRAM ...', http://... or https://..., or a file of responses",
    )
    command.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUTS",
        help="files with item and input, such as references; nothing else of them "
        "reaches the system",
    )
    command.add_argument(
        "-o",
        "--output",
        required=True,
        type=shared.record_file,
        metavar="RESPONSES",
        help="where the responses go (.jsonl)",
    )
    command.add_argument("--name", metavar="NAME", help="of the system")
    command.add_argument(
        "--concurrency",
        type=shared.count,
        default=1,
        metavar="N",
        help="how many requests are open at a time (default: %(default)s)",
    )
    command.add_argument(
        "--batch",
        type=shared.count,
        default=1,
        metavar="N",
        help="how many inputs a request has (default: %(default)s)",
    )
    command.add_argument(
        "--timeout",
        type=shared.seconds,
        metavar="SECONDS",
        help="for each request to an address, or each line of a program (default: 60)",
    )
    command.add_argument(
        "--shape",
        choices=list(SHAPES),
        help="what an address is sent and sends back (default: demur)",
    )
    again = command.add_mutually_exclusive_group()
    again.add_argument(
        "--retry",
        choices=["failed"],
        help="keep the responses that are there, and ask again for what has failed",
    )
    again.add_argument(
        "--replace",
        action="store_true",
        help="ask all again, and replace the responses that are there",
    )
    shared.add_selection(command, "inputs")
    shared.add_json(command)


def run(arguments: Namespace) -> int:
    """Ask, write, and say how many answers there are."""
    output = arguments.output
    check_outputs("run", {"--output": output}, arguments.inputs)
    there = Path(output).exists()
    if there and not (arguments.retry or arguments.replace):
        must = "not be there already"
        hint = "--retry failed asks again for what has failed, --replace asks all."
        raise WrongUsage("run", "--output", must, output, hint)
    if arguments.retry and not there:
        must, hint = "be there for --retry", "Leave --retry out."
        raise WrongUsage("run", "--output", must, output, hint)
    asked = _inputs(arguments)
    system = _system(arguments)
    keep = []
    if arguments.retry:
        keep = [each for each in formats.read_responses(output) if not each.failed]
    waiting = Path(f"{output}{JOURNAL}").exists()
    if waiting:
        say(f"going on with the run that {output}{JOURNAL} has kept")
    found = run_system(
        system,
        asked,
        path=output,
        concurrency=arguments.concurrency,
        batch=arguments.batch,
        keep=keep,
        progress=progress("inputs"),
    )
    counts = _counts(found)
    if arguments.json:
        show(as_json({"demur": __version__, "system": str(system), **counts}))
    else:
        show(
            f"{counts['items']} items: {counts['answered']} answered, "
            f"{counts['no_guess']} without a guess, {counts['failed']} failed."
        )
        for why, number in counts["failures"].items():
            show(printable(f"failed: {number}: {why}"))
    say(f"wrote {output}")
    return 0


def _counts(found: Sequence[Response]) -> dict[str, Any]:
    failures: dict[str, int] = {}
    for each in found:
        if each.failed:
            failures[each.failed] = failures.get(each.failed, 0) + 1
    ranked = sorted(failures.items(), key=lambda pair: -pair[1])[:5]
    n_failed = sum(failures.values())
    silent = sum(each.response is None and not each.failed for each in found)
    return {
        "items": len(found),
        "answered": len(found) - n_failed - silent,
        "no_guess": silent,
        "declined": sum(bool(each.declined) for each in found),
        "failed": n_failed,
        "failures": dict(ranked),
    }


def _inputs(arguments: Namespace) -> list[Input]:
    """Items and inputs of the files; nothing else is kept."""
    asked: dict[str, Input] = {}
    for place, record in formats.iter_records(*arguments.inputs, **how_read(arguments)):
        for name in ("item", "input"):
            if record.get(name) is None:
                got = ", ".join(map(str, record)) or "no fields"
                hint = "A reference may have the question as input."
                raise InputError(place, "a record", f"have a field {name}", got, hint)
        key = item_text(record["item"], place)
        if key in asked:
            must, hint = "stand once", "Give repeated questions items of their own."
            raise InputError(place, f"item {shown(key)}", must, "twice", hint)
        asked[key] = Input(record["item"], record["input"])
    return list(asked.values())


def _system(arguments: Namespace) -> System:
    """The system of its name."""
    text = arguments.system
    options: dict[str, Any] = {"name": arguments.name or ""}
    address = text.startswith(("http://", "https://"))
    if arguments.shape and not address:
        must = "come with an http address"
        raise WrongUsage("run", "--shape", must, shown(text))
    if arguments.timeout and not (address or text.startswith(COMMAND)):
        must = "come with an address or a program"
        raise WrongUsage("run", "--timeout", must, shown(text))
    options |= {"shape": arguments.shape} if arguments.shape else {}
    options |= {"timeout": arguments.timeout} if arguments.timeout else {}
    if address or text.startswith(COMMAND) or Path(text).exists():
        return as_system(text, **options)
    module, colon, name = text.partition(":")
    if not colon or not module or not name:
        must = "be module:object, cmd:PROGRAM, an address or a file of responses"
        raise InputError("run", "the system", must, shown(text))
    return as_system(_imported(module, name), **options)


def _imported(module: str, name: str) -> Any:
    """An object of a module; modules beside where the command runs are found."""
    if os.getcwd() not in sys.path:  # noqa: PTH109
        sys.path.insert(0, os.getcwd())  # noqa: PTH109
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as problem:
        text = " ".join(str(problem).split())
        must = f"be {name} of a module {module}"
        raise InputError("run", "the system", must, text) from None
    if isinstance(found, type):
        must, hint = "be an object, not a class", "Make one in the module."
        raise InputError("run", "the system", must, f"the class {name}", hint)
    return found
