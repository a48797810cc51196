"""Reports of gates: JUnit XML as readers of builds take it, and Markdown."""

import re
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demur.store.gate_reports import GateCheck, GateReport
from demur.store.report_files import junit_text, summary_text

SHAPE = {
    "testsuites": ({"name", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, {"testcase"}),
    "testcase": ({"name", "classname"}, {"failure", "skipped", "system-out"}),
    "failure": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
    "system-out": (set(), set()),
}
"""Elements with their attributes and children, of what the schemas of Jenkins (xunit
plugin, junit-10.xsd) and of Ant allow; each attribute is there."""

TEXTS = st.text(max_size=30) | st.sampled_from(
    [
        "<b>&\"'",
        "a|b",
        "]]>",
        "\x1b[31m",
        "a\nb",
        "\ud800",
        "\ufffe",
        "[x](javascript:1)",
    ]
)
CHECKS = st.builds(
    GateCheck,
    gate=TEXTS,
    system=TEXTS,
    condition=TEXTS,
    key=st.sampled_from(["require", "fail_if"]),
    verdict=st.sampled_from(["holds", "broken", "inconclusive"]),
    words=TEXTS,
    compared=st.booleans(),
)


def check_shape(element):
    attributes, children = SHAPE[element.tag]
    assert set(element.attrib) == attributes
    assert {child.tag for child in element} <= children
    for child in element:
        check_shape(child)


def counts(element):
    """What a suite says of its cases, counted anew."""
    cases = element.findall(".//testcase")
    return {
        "tests": len(cases),
        "failures": sum(case.find("failure") is not None for case in cases),
        "errors": 0,
        "skipped": sum(case.find("skipped") is not None for case in cases),
    }


@given(st.lists(CHECKS, min_size=1, max_size=6))
def test_junit_has_the_known_shape_whatever_is_in_it(checks):
    report = GateReport(tuple(checks))
    root = Xml.fromstring(junit_text(report))
    check_shape(root)
    for element in (root, *root):
        counted = counts(element)
        assert all(
            int(element.get(name, counted[name])) == n for name, n in counted.items()
        )
    assert len(root.findall(".//testcase")) == len(checks)
    assert len(root.findall(".//failure")) == len(report.broken)
    for case in root.iter("testcase"):
        assert len(case) == 1
        for text in (
            *case.attrib.values(),
            *case[0].attrib.values(),
            case[0].text or "",
        ):
            assert "\n" not in text
    assert "time" not in junit_text(report).decode().split("<testcase")[0]


@given(st.lists(CHECKS, min_size=1, max_size=6))
def test_a_summary_is_one_table_whatever_is_in_it(checks):
    text = summary_text(GateReport(tuple(checks)))
    lines = text.splitlines()
    assert len(lines) == 4 + len(checks) + (text.splitlines()[-1] == "")
    for line in lines[4 : 4 + len(checks)]:
        plain = re.sub(r"\\[\\`*_\[\]<>|~&$]", "", line)
        assert plain.count("|") == 5
        assert not set("`*_[]<>~&$") & set(plain)


def check(verdict, **more):
    given = {"gate": "g", "system": "s", "condition": "wrong > 1", "key": "fail_if"}
    return GateCheck(verdict=verdict, **{"words": "wrong is 2", **given, **more})


def test_what_each_verdict_becomes():
    report = GateReport(
        (
            check("holds"),
            check("broken", gate="h"),
            check("inconclusive"),
            check("inconclusive", compared=False),
        )
    )
    root = Xml.fromstring(junit_text(report))
    first, second = root
    assert [case[0].tag for case in first] == ["system-out", "system-out", "skipped"]
    assert [case[0].text for case in first][:2] == [
        "holds: wrong is 2",
        "inconclusive: wrong is 2",
    ]
    assert (second.get("name"), second[0].get("name")) == ("h", "s: fail_if wrong > 1")
    assert second[0][0].attrib == {"message": "wrong is 2", "type": "fail_if"}
    assert root.get("failures") == "1"


def test_what_is_broken_comes_first_in_a_summary():
    report = GateReport((check("holds"), check("broken")), notes=("a | note",))
    lines = summary_text(report).splitlines()
    assert lines[0] == "### demur gate: of 2 gates 1 is broken"
    assert lines[4].startswith("| ❌ broken |")
    assert lines[5].startswith("| ✅ holds |")
    assert lines[-1] == r"- a \| note"


@pytest.mark.parametrize("writer", [junit_text, summary_text])
def test_passwords_are_masked(writer):
    words = "postgresql://me:secret@host/runs"
    written = writer(GateReport((check("broken", words=words),)))
    assert "secret" not in (written if isinstance(written, str) else written.decode())


def test_the_report_as_a_result():
    report = GateReport((check("holds"), check("broken", words="x" * 200)))
    assert report.sentence() == "Of 2 gates 1 is broken."
    assert GateReport((check("holds"),)).sentence() == "Of 1 gate none are broken."
    assert {figure.called: figure.value for figure in report.figures()} == {
        "broken": 1,
        "inconclusive": 0,
        "holds": 1,
    }
    assert "x" * 70 in report.to_text()
    assert max(map(len, report.to_text().splitlines())) <= 210
    assert report.to_frame("polars").height == 2
    assert report.to_dict()["gates"][1]["verdict"] == "broken"
