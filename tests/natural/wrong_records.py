"""Records, columns and frames that look like something else than they are read as.

An error or a note says what it looks like. A chat completion, a batch, a list under
``response`` or ``reference`` is not quietly a wrong answer; a column called Confidence
or prob is not quietly a group.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

import demur
from natural.asking import judged, lines, shell
from natural.ends import Shown, case, gives, noted, refused

COMPLETION = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Oslo"}}],
}
BATCH = {"status_code": 200, "request_id": "r1", "body": COMPLETION}
OSLO = lines({"item": "q1", "reference": "Oslo"}, {"item": "q2", "reference": "Rome"})


def responses(*values: Any) -> str:
    return lines(
        *({"item": f"q{n}", "response": one} for n, one in enumerate(values, 1))
    )


def parquet_lists() -> demur.Outcomes:
    frame = pd.DataFrame({"item": ["q1", "q2"], "response": [["Oslo"], ["Rome"]]})
    frame.to_parquet("r.parquet")
    references = [{"item": "q1", "reference": "Oslo"}, {"item": "q2", "reference": "x"}]
    return demur.judge(demur.read_responses("r.parquet"), references)


def surest_first(name: str) -> Shown:
    """Whether a column is taken for the confidence: then there is a curve."""
    frame = pd.DataFrame(
        {"item": ["a", "b"], "correct": [True, False], name: [0.9, 0.2]}
    )
    outcomes = demur.Outcomes.from_frame(frame)
    return Shown({"curve": outcomes.confidence is not None}, "\n".join(outcomes.notes))


def doubled() -> demur.Outcomes:
    frame = pd.DataFrame([["q1", True, False]], columns=["item", "correct", "correct"])
    return demur.Outcomes.from_frame(frame)


def many_levels() -> demur.Outcomes:
    columns = pd.MultiIndex.from_tuples([("item", ""), ("correct", "")])
    frame = pd.DataFrame([["q1", True], ["q2", False]], columns=columns)
    return demur.Outcomes.from_frame(frame)


def many_levels_of_labels() -> demur.LabelScores:
    columns = pd.MultiIndex.from_tuples([("ref", "first"), ("hyp", "first")])
    return demur.label_scores(pd.DataFrame([["a", "a"], ["b", "c"]], columns=columns))


AS_CONFIDENCE = (gives(curve=True), noted("confidence"), refused("confidence"))
OBJECT = (
    gives(right=1, wrong=1),
    noted("object|mapping|chat completion", right=0, wrong=2),
    refused("object|mapping|chat completion"),
)
LIST = (noted("list"), refused("list"), gives(right=1, wrong=1))

CASES = (
    # -- responses -----------------------------------------------------------------
    case(
        "response-chat-completion",
        shell(
            "judge r.jsonl f.jsonl --json",
            r_jsonl=responses(COMPLETION, COMPLETION),
            f_jsonl=OSLO,
        ),
        *OBJECT,
    ),
    case(
        "response-batch-output",
        shell(
            "judge r.jsonl f.jsonl --json",
            r_jsonl=responses(BATCH, BATCH),
            f_jsonl=OSLO,
        ),
        *OBJECT,
    ),
    case(
        "response-message",
        lambda: judged(
            [{"role": "assistant", "content": "Oslo"}] * 2, ["Oslo", "Rome"]
        ),
        *OBJECT,
    ),
    case(
        "response-answer-in-object",
        lambda: judged([{"answer": "Oslo"}] * 2, ["Oslo", "Rome"], by="label"),
        *OBJECT,
    ),
    case(
        "response-object-as-text",  # JSON in a cell of CSV
        shell(
            "judge r.csv f.jsonl --json",
            r_csv='item,response\nq1,"{""answer"": ""Oslo""}"\n'
            'q2,"{""answer"": ""Oslo""}"\n',
            f_jsonl=OSLO,
        ),
        *OBJECT,
        noted("JSON", wrong=2),
        refused("JSON"),
    ),
    case(
        "response-list",
        shell(
            "judge r.jsonl f.jsonl --json",
            r_jsonl=responses(["Oslo"], ["Oslo"]),
            f_jsonl=OSLO,
        ),
        *LIST,
    ),
    case(
        "response-list-in-list",  # filtered_resps of lm-eval
        lambda: judged([[["Oslo"]], [["Oslo"]]], ["Oslo", "Rome"]),
        *LIST,
    ),
    case("response-lists-in-parquet", parquet_lists, *LIST),
    case(
        "response-list-of-number",
        lambda: judged([[4], [5]], [4, 6], by="number"),
        *LIST,
    ),
    case(
        "response-array",
        lambda: judged([np.array(["Oslo"])] * 2, ["Oslo", "Rome"]),
        *LIST,
        refused("array"),
    ),
    case(
        "response-set",
        lambda: judged([{"Oslo", "Rome"}], [["Oslo", "Rome"]], by="label"),
        gives(right=1),
        refused("set"),
    ),
    case(
        "response-bytes",
        lambda: judged([b"Oslo"], ["Oslo"]),
        gives(right=1),
        refused("bytes"),
    ),
    case(
        "response-of-anthropic",
        lambda: judged([{"content": [{"type": "text", "text": "Oslo"}]}], ["Oslo"]),
        noted("object", "content[0].text"),
        refused("object"),
    ),
    case(
        "response-of-a-library",  # not its JSON, but an instance of its class
        lambda: judged([SimpleNamespace(content="Oslo")], ["Oslo"]),
        refused("object"),
    ),
    case(
        "response-numbers-in-other-writing",
        lambda: judged(["1.50", "x"], ["1.5", "x"]),
        gives(right=2),
        noted("number", right=1),
    ),
    case(
        "response-objects-both",  # both sides are objects: nothing is amiss
        lambda: judged([{"b": 1, "a": [2]}], [{"a": [2], "b": 1}], by="label"),
        gives(right=1),
    ),
    case(
        "response-some-of-many-are-lists",
        lambda: judged(["a", "b", ["c"], "d"], ["a", "b", "c", "d"]),
        gives(right=4),
        noted("list", right=3),
        refused("list"),
    ),
    # -- references ----------------------------------------------------------------
    case(
        "reference-list",
        shell(
            "judge r.jsonl f.jsonl --json",
            r_jsonl=responses("Paris"),
            f_jsonl=lines({"item": "q1", "reference": ["Paris", "Lutetia"]}),
        ),
        gives(right=1),
        noted("references"),
        refused("references"),
    ),
    case(
        "reference-list-for-labels",
        lambda: judged(["a", "b"], [["a", "x"], ["b"]], by="label"),
        gives(right=2),
        noted("references"),
        refused("references"),
    ),
    case(
        "reference-answers-of-squad",
        lambda: judged(["Oslo"], [{"text": ["Oslo", "oslo"], "answer_start": [3, 9]}]),
        gives(right=1),
        noted("object|mapping"),
        refused("object|mapping"),
    ),
    case(
        "reference-list-as-text",  # JSON in a cell of CSV
        shell(
            "judge r.jsonl f.csv --json",
            r_jsonl=responses("Paris"),
            f_csv='item,reference\nq1,"[""Paris"", ""Lutetia""]"\n',
        ),
        gives(right=1),
        noted("references|list"),
        refused("references|list"),
    ),
    case(
        "references-plain-text",  # a text is no list of its letters
        lambda: demur.judge(
            [{"item": "q1", "response": "a"}], [{"item": "q1", "references": "abc"}]
        ),
        gives(right=0, wrong=1),
        refused("references", "list"),
    ),
    # -- what is joined ------------------------------------------------------------
    case(
        "judge-mappings",
        lambda: demur.judge({"q1": "Oslo", "q2": "x"}, {"q1": "Oslo", "q2": "Rome"}),
        gives(right=1, wrong=1),
        refused("mapping|dict|item"),
    ),
    case(
        "judge-texts",
        lambda: demur.judge(["Oslo"], ["Oslo"]),
        refused("item"),
    ),
    case(
        "judge-file-names",
        lambda: demur.judge("responses.jsonl", "references.jsonl"),
        refused("read_responses|read_references"),
    ),
    case(
        "judge-series",
        lambda: demur.judge(
            pd.Series({"q1": "Oslo", "q2": "x"}),
            pd.Series({"q2": "Rome", "q1": "Oslo"}),
        ),
        gives(right=1, wrong=1),
        refused("series|frame|item"),
    ),
    case(
        "judge-swapped",
        lambda: demur.judge(
            [{"item": "q1", "reference": "Oslo"}], [{"item": "q1", "response": "Oslo"}]
        ),
        refused("response|reference"),
    ),
    # -- columns -------------------------------------------------------------------
    case("column-Confidence", lambda: surest_first("Confidence"), *AS_CONFIDENCE),
    case("column-CONFIDENCE", lambda: surest_first("CONFIDENCE "), *AS_CONFIDENCE),
    case("column-prob", lambda: surest_first("prob"), *AS_CONFIDENCE),
    case("column-probability", lambda: surest_first("probability"), *AS_CONFIDENCE),
    case("column-conf", lambda: surest_first("conf"), *AS_CONFIDENCE),
    case("column-of-spaces", lambda: surest_first(" confidence"), *AS_CONFIDENCE),
    case("column-score", lambda: surest_first("score"), *AS_CONFIDENCE),
    case(
        "column-prob-in-csv",
        shell("curve o.csv --json", o_csv="item,correct,prob\na,1,0.9\nb,0,0.2\n"),
        gives(**{"area value": 0.125}),
        noted("prob", "confidence"),
        refused("prob", "confidence"),
    ),
    case(
        "column-Confidence-of-responses",
        shell(
            "judge r.csv f.jsonl --json",
            r_csv="item,response,Confidence\nq1,Oslo,0.9\nq2,Rome,0.3\n",
            f_jsonl=OSLO,
        ),
        noted("confidence", right=2),
        refused("confidence"),
    ),
    case("column-twice-in-a-frame", doubled, refused("correct", "two|twice|one name")),
    case(
        "column-twice-in-csv",
        shell("curve o.csv --json", o_csv="item,correct,correct\na,1,0\n"),
        refused("o.csv", "correct"),
    ),
    case(
        "columns-of-many-levels",
        many_levels,
        gives(verdicts="right wrong", items=["q1", "q2"]),
        refused("MultiIndex|level|column"),
    ),
    case(
        "columns-of-many-levels-of-labels",
        many_levels_of_labels,
        gives(accuracy=0.5),
        refused("MultiIndex|level|column"),
    ),
    case(
        "columns-of-scikit-learn",
        lambda: demur.label_scores(pd.DataFrame({"y_true": [1, 2], "y_pred": [1, 3]})),
        gives(accuracy=0.5),
        refused("ref"),
    ),
    # -- files ---------------------------------------------------------------------
    case(
        "file-of-totals",  # a report, not a table of items
        shell(
            "curve o.json --json",
            o_json=json.dumps(
                {"accuracy": 0.8, "macro avg": {"f1-score": 0.7}}, indent=1
            ),
        ),
        refused("o.json", "item|object|record"),
    ),
    case(
        "file-with-both-sides",  # responses and references are one sheet
        shell(
            "judge s.csv s.csv --json",
            s_csv="item,response,reference,confidence\nq1,Oslo,Oslo,0.9\nq2,x,Rome,0.1\n",
        ),
        gives(right=1, wrong=1),
    ),
)
