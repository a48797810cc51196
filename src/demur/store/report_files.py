"""Reports of gates for machines that build: JUnit XML, and Markdown for a summary."""

import re
from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as Xml

from demur.errors import escaped, masked
from demur.store.gate_configs import BROKEN, INCONCLUSIVE
from demur.store.gate_reports import GateCheck, GateReport

_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|~&$])")
_SIGNS: Final = {BROKEN: "❌", INCONCLUSIVE: "❔", "holds": "✅"}


def junit_text(report: GateReport) -> bytes:
    """A report as JUnit XML: a suite for each gate, a case for each condition.

    A broken one has a ``failure`` of one line; one that was not compared is
    ``skipped``; what was seen of the others is their ``system-out``. Times are left
    out, since none were measured.

    Examples
    --------
    >>> check = GateCheck("a", "", "wrong > 9", "fail_if", "broken", "wrong is 12")
    >>> print(junit_text(GateReport((check,))).decode().splitlines()[3].strip())
    <testcase classname="a" name="fail_if wrong &gt; 9">
    """
    suites = report.by_gate()
    counts = _counts(report.checks)
    del counts["skipped"]  # which readers know of suites alone
    root = Xml.Element("testsuites", {"name": "demur gate", **counts})
    for name, checks in suites.items():
        text = _line(name)
        suite = Xml.SubElement(root, "testsuite", {"name": text, **_counts(checks)})
        for check in checks:
            called = {"classname": text, "name": _line(check.called)}
            _add_ending(Xml.SubElement(suite, "testcase", called), check)
    Xml.indent(root)
    written: bytes = Xml.tostring(root, "utf-8", xml_declaration=True)
    return written + b"\n"


def _counts(checks: Sequence[GateCheck]) -> dict[str, str]:
    return {
        "tests": str(len(checks)),
        "failures": str(sum(check.verdict == BROKEN for check in checks)),
        "errors": "0",
        "skipped": str(sum(_is_skipped(check) for check in checks)),
    }


def _is_skipped(check: GateCheck) -> bool:
    return check.verdict == INCONCLUSIVE and not check.compared


def _add_ending(case: Xml.Element, check: GateCheck) -> None:
    words = _line(check.words)
    if check.verdict == BROKEN:
        ending = {"message": words, "type": check.key}
        Xml.SubElement(case, "failure", ending).text = words
    elif _is_skipped(check):
        Xml.SubElement(case, "skipped", {"message": words})
    else:
        seen = f"{check.verdict}: {words}"
        Xml.SubElement(case, "system-out").text = seen


def _line(text: str) -> str:
    """Text on one line, without what XML cannot hold, and without passwords."""
    return escaped(masked(text))


def summary_text(report: GateReport) -> str:
    r"""A report in Markdown: a heading, and a table with a row for each condition.

    Examples
    --------
    >>> check = GateCheck("a", "", "wrong > 9", "fail_if", "broken", "wrong is 12")
    >>> print(summary_text(GateReport((check,))))  # doctest: +ELLIPSIS
    ### demur gate: of 1 gate 1 is broken
    <BLANKLINE>
    | | gate | condition | seen |
    |---|---|---|---|
    | ❌ broken | a | fail\_if wrong \> 9 | wrong is 12 |
    <BLANKLINE>
    """
    sentence = report.sentence().removesuffix(".")
    lines = [
        f"### demur gate: {sentence[:1].lower()}{sentence[1:]}",
        "",
        "| | gate | condition | seen |",
        "|---|---|---|---|",
    ]
    for check in report.in_order():
        cells = map(_cell, (check.gate, check.called, check.words))
        verdict = f"{_SIGNS[check.verdict]} {check.verdict}"
        lines.append(f"| {verdict} | {' | '.join(cells)} |")
    lines += ["", *(f"- {_cell(note)}" for note in report.notes)]
    return "\n".join(lines) + ("\n" if report.notes else "")


def _cell(text: str) -> str:
    r"""Text that Markdown shows as it is, in one cell of a table.

    Examples
    --------
    >>> print(_cell("a|<b>"))
    a\|\<b\>
    """
    return _MARKUP.sub(r"\\\1", _line(text))
