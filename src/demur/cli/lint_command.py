"""``demur lint``: what is wrong with references."""

import argparse
import os
from argparse import Namespace

from demur import formats
from demur.cli import shared
from demur.cli.streams import as_json, progress, say, show
from demur.cli.usage import WrongUsage
from demur.decisions.gates import CountGate, check_count_names
from demur.references.class_signs import read_signs
from demur.references.linting import BY_MEANINGS, BY_RUNNING, CHECKS, lint, lints_table
from demur.references.stipulations import read_stipulations
from demur.version import __version__


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur lint``."""
    command.description = (
        "Check references before systems are judged by them: answers, SQL and "
        "its results, agreed meanings, context, signs against class A."
    )
    command.add_argument(
        "references", nargs="+", metavar="REFERENCES", help="files of references"
    )
    shared.add_databases(command, "their file")
    command.add_argument(
        "--meanings",
        action="append",
        metavar="FILE",
        help="what was agreed on the meaning of words: records with id and meaning; "
        "may be repeated",
    )
    command.add_argument(
        "--signs",
        action="append",
        metavar="FILE",
        help="signs against class A: records with id, pattern, suggests, why; may be "
        "repeated (default: some for English)",
    )
    command.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=shared.count_gate,
        metavar="GATE",
        help="exit with 1 if the condition holds, e.g. 'findings > 0', "
        "'tie-at-limit > 0'; may be repeated",
    )
    shared.add_max_size(command)
    shared.add_json(command)


def run(arguments: Namespace) -> int:
    """Look, and print what was found."""
    check_count_names(arguments.fail_if, ("findings", *CHECKS))
    for gate in arguments.fail_if:
        if gate.name in BY_MEANINGS and not arguments.meanings:
            must = "come with --meanings"
            raise WrongUsage("lint", f"--fail-if {gate.text!r}", must, "none")
    lints = lint(
        formats.iter_records(*arguments.references, max_size=arguments.max_size),
        db_root=arguments.db_root or os.environ.get("DEMUR_DB_ROOT") or None,
        meanings=read_stipulations(*arguments.meanings) if arguments.meanings else None,
        signs=read_signs(*arguments.signs) if arguments.signs else None,
        timeout=arguments.timeout or 30.0,
        cache=arguments.cache,
        progress=progress("queries"),
    )
    if arguments.json:
        show(as_json({"demur": __version__, **lints.to_dict()}))
    else:
        show(lints_table(lints))
    counts = {"findings": len(lints.findings), **dict.fromkeys(CHECKS, 0)}
    counts |= lints.checks
    broken = [_is_broken(gate, counts) for gate in arguments.fail_if]
    return int(any(broken))


UNSEEN = ("gold-fails", "unchecked")
"""What is found where the checks that run SQL could not look."""


def _is_broken(gate: CountGate, counts: dict[str, int]) -> bool:
    """Whether a count breaks a gate, or could not be taken; said if so."""
    line = f"{gate.name} is {counts[gate.name]}"
    broken = gate.broken_by(counts[gate.name])
    unseen = [name for name in UNSEEN if name != gate.name and counts[name]]
    if not broken and gate.name in BY_RUNNING and unseen:
        why = ", ".join(f"{name} {counts[name]}" for name in unseen)
        line += f", but not all could be looked at ({why})"
        broken = True
    if broken:
        say(f"gate broken: {line}  [--fail-if {gate.text!r}]")
    return broken
