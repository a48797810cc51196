"""Traces of agents as answers made of parts: `actions`."""

import json

import pytest

import demur
from builders import printed, refuses, stderr_of, write_records

VERDICTS = "actions(verdict=approval.decision, confidence=agent.confidence)"


def span(trace, nth, tool="pay", *, error="", **attributes):
    """A span as a console exporter prints it."""
    named = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool}
    status = {"status_code": "ERROR", "description": error} if error else {}
    return {
        "name": f"execute_tool {tool}",
        "start_time": f"2026-01-01T10:00:{nth:02}Z",
        "context": {"trace_id": trace, "span_id": f"{trace}{nth}"},
        "status": status,
        "attributes": named | attributes,
    }


def decided(decision, confidence):
    return {"approval.decision": decision, "agent.confidence": confidence}


SPANS = [
    span("t1", 2, "pay", **decided("rejected", 0.6)),  # not in their order
    span("t1", 1, "search", **decided("Approved", 0.9)),
    {
        **span("t2", 1),
        "attributes": {"gen_ai.operation.name": "chat"},
    },
    span("t3", 1, error="timeout", **decided(None, 0.7)),
    span("t3", 2, "book", **decided(None, 0.5)),
    span("t3", 3, "book", **decided("ungraded", 0.4)),
]


@pytest.fixture
def traces(tmp_path):
    return write_records(tmp_path / "spans.jsonl", SPANS)


def test_each_call_is_a_part_with_the_verdict_of_its_span(traces):
    outcomes = demur.read_outcomes(traces, log=VERDICTS, groups=None, display=True)
    rows = zip(outcomes.item, outcomes.part, outcomes.column("outcome"), strict=True)
    assert [*rows] == [
        ("t1", "1 search", "right"),
        ("t1", "2 pay", "wrong"),
        ("t2", None, "unanswered"),
        ("t3", "1 pay", "unanswered"),
        ("t3", "2 book", "ungraded"),
        ("t3", "3 book", "ungraded"),
    ]
    assert outcomes.groups["tool"].tolist() == [
        *("search", "pay", None, "pay", "book", "book")
    ]
    assert outcomes.reason_code.tolist()[4:] == ["unlabelled", None]
    assert outcomes.failed.tolist() == [False] * 3 + [True] + [False] * 2
    assert outcomes.response[0] == {"name": "search", "arguments": {}}
    assert "traces without a tool call, wholes without parts: 1" in outcomes.notes


@pytest.mark.parametrize("error", ["wrong", "right"])
def test_what_an_error_means_is_an_option(traces, error):
    log = f"actions(verdict=approval.decision, error={error})"
    outcomes = demur.read_outcomes(traces, log=log)
    assert outcomes.column("outcome").tolist()[3] == error
    assert f"error={error}" in outcomes.recipe["log"]


def test_spans_of_collectors_are_read_too(tmp_path):
    attributes = [
        {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
        {"key": "ok", "value": {"boolValue": False}},
        {"key": "sure", "value": {"doubleValue": 0.5}},
    ]
    one = {
        "traceId": "t9",
        "name": "execute_tool pay",
        "startTimeUnixNano": "1",
        "attributes": attributes,
    }
    path = tmp_path / "otlp.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [one]}]}]}))
    outcomes = demur.read_outcomes(path, log="actions(verdict=ok, confidence=sure)")
    assert (outcomes.part.tolist(), outcomes.confidence.tolist()) == (["1 pay"], [0.5])
    assert outcomes.column("outcome").tolist() == ["wrong"]


def test_calls_without_verdicts_are_judged_part_by_part(traces, tmp_path):
    references = write_records(
        tmp_path / "references.jsonl",
        [
            {
                "item": "t1",
                "reference": [
                    {"name": "search", "arguments": {}},
                    {"name": "pay", "arguments": {"amount": 1}},
                ],
            },
            {"item": "t2", "answerable": False},
            {"item": "t3", "reference": [{"name": "pay", "arguments": {}}]},
        ],
    )
    judged = tmp_path / "judged.jsonl"
    log = "actions(confidence=agent.confidence)"
    words = ("--by", "tool_call", "--parts", "--log", log, "-o", judged)
    printed("judge", traces, references, *words)
    outcomes = demur.read_outcomes(judged)
    rows = zip(outcomes.item, outcomes.part, outcomes.column("outcome"), strict=True)
    assert [*rows] == [
        ("t1", "1 search", "right"),
        ("t1", "2 pay", "wrong"),
        ("t2", None, "unanswered"),
        ("t3", "1 pay", "right"),
        ("t3", "2 book", "wrong"),
        ("t3", "3 book", "wrong"),
    ]
    assert outcomes.confidence.tolist()[:2] == [0.9, 0.6]
    whole = stderr_of(
        "judge", traces, references, "--by", "tool_call", "--log", log, code=4
    )
    assert "confidence must be a number; got [0.9, 0.6]" in whole


def test_what_is_no_verdict_and_files_without_a_trace_are_refused(tmp_path):
    bad = write_records(tmp_path / "bad.jsonl", [span("t", 1, **decided("maybe", 1))])
    refuses("bad.jsonl:1: the attribute approval.decision must say right or wrong",
            demur.read_outcomes, bad, log=VERDICTS)  # fmt: skip
    empty = tmp_path / "empty.json"
    empty.write_text('{"resourceSpans": []}')
    refuses("spans must hold a trace", demur.read_outcomes, empty, log=VERDICTS)
    good = write_records(tmp_path / "good.jsonl", [span("t", 1)])
    refuses("must hold answers that somebody has judged", demur.read_outcomes, good)
