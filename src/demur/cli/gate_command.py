"""``demur gate``: runs held against the gates of a file, for builds that fail."""

from argparse import Namespace
from pathlib import Path

from demur.cli import BROKEN_GATE, FINE, as_json, say, shared, show
from demur.cli.shared import WrongUsage
from demur.cli.stores_opened import present
from demur.errors import InputError, masked
from demur.files import new_file
from demur.results import document, printable
from demur.store.gate_configs import read_gates
from demur.store.gate_reports import GateReport
from demur.store.gate_runs import GatedRuns
from demur.store.gating import hold_gates
from demur.store.report_files import junit_text, summary_text
from demur.store.stores import Store


def run(arguments: Namespace) -> int:
    """Hold, report, and keep what holds."""
    _check_asked(arguments)
    read = read_gates(arguments.gates)
    places = {"--junit": arguments.junit, "--summary": arguments.summary}
    runs = GatedRuns(read, arguments.store)
    shared.check_outputs("gate", places, [arguments.gates, *runs.places()])
    _check_kept(arguments, runs)
    report = hold_gates(runs)
    if arguments.json:
        show(as_json(document(report)))
    elif arguments.summary != "-":
        show(report.to_text())
    _write(report, arguments)
    if report.broken:
        if arguments.keep:
            say("nothing is kept, since a gate is broken")
        return BROKEN_GATE
    if arguments.keep:
        _keep(runs, arguments)
    return FINE


def _check_asked(arguments: Namespace) -> None:
    """Refuse options that do not go together, before anything is read."""
    if arguments.tag and not arguments.keep:
        need, hint = "come with --keep", "Or leave it out."
        raise WrongUsage("gate", "--tag", need, "none", hint)
    if arguments.json and arguments.summary == "-":
        need, hint = "name a file with --json", "Both would go to standard output."
        raise WrongUsage("gate", "--summary", need, "-", hint)
    if arguments.junit == "-":
        raise WrongUsage("gate", "--junit", "name a file", "-")


def _write(report: GateReport, arguments: Namespace) -> None:
    """Write the files that were asked for."""
    if arguments.junit:
        with new_file(arguments.junit) as file:
            file.write(junit_text(report))
        say(f"wrote {arguments.junit}")
    if arguments.summary == "-":
        show(summary_text(report))
    elif arguments.summary:
        _append(arguments.summary, summary_text(report) + "\n")
        say(f"added to {arguments.summary}")


def _append(path: str, text: str) -> None:
    """Add to a file that others add to as well, on a line of its own."""
    try:
        with Path(path).open("ab") as file:
            start = b"\n" if file.tell() else b""
            file.write(start + text.encode("utf-8", "backslashreplace"))
    except OSError as problem:
        need, got = "be a file that can be added to", problem.strerror or str(problem)
        raise InputError(printable(path), "the summary", need, got) from None


def _check_kept(arguments: Namespace, runs: GatedRuns) -> None:
    """Refuse to keep what is kept already, before any work."""
    if arguments.keep and not any(runs.is_file(gate) for gate in runs.gates.gates):
        need = "come with a gate whose run is a file"
        got = "kept runs alone"
        raise WrongUsage("gate", "--keep", need, got, "They are kept already.")


def _keep(runs: GatedRuns, arguments: Namespace) -> None:
    """Keep the very outcomes that were held, unless a baseline has moved meanwhile."""
    with Store(runs.address, make=True) as store:
        for note in store.notes:
            say(f"note: {note}")
        runs.check_unmoved(store, arguments.tag)
        for gated in runs.of_files:
            kept = store.keep(
                gated.outcomes, when=present(arguments), tags=arguments.tag
            )
            tags = f" as {', '.join(arguments.tag)}" if arguments.tag else ""
            say(f"kept {gated.name} in {masked(store.name)}: run {kept.number}{tags}")
