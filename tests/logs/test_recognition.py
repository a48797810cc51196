"""Which files are taken for whose log: by content, and never ours or a stranger's."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import demur
from builders import parquet
from demur import logs
from demur.formats.beginnings import keys_of
from demur.formats.reading import open_table

FOLDER = Path(__file__).parents[1] / "golden/formats"
OF_NO_READER = {
    *("README.md", "ehrsql/label.json", "ehrsql/per_item_scores.json"),
    *(
        "ehrsql/prediction.json",
        "lm_eval/results_limit.json",
        "openai/references.jsonl",
    ),
    *("rasa/intent_report.json", "squad2/na_prob.json", "squad2/pred.json"),
    *("squad2/pred_missing.json", "squad2/tie_defect/eval_expected.json"),
    *("squad2/tie_defect/na_prob.json", "squad2/tie_defect/pred.json"),
    *("trec/facts.qrels",),
}
"""Second files, totals, and plain objects, which are read by name."""

FIXTURES = sorted(
    path.relative_to(FOLDER).as_posix()
    for path in FOLDER.rglob("*")
    if path.is_file() and "spreadsheets" not in path.parts
)


def readers(data: bytes) -> list[str]:
    """All readers whose marks a file has."""
    keys = keys_of(data, io.BytesIO(data))
    return [
        name
        for name, marks in logs.MARKS.items()
        if any(
            mark <= keys if isinstance(mark, frozenset) else mark.match(data)
            for mark in marks
        )
    ]


@pytest.mark.parametrize("name", FIXTURES)
def test_each_fixture_is_recognised_by_its_reader_alone(name: str) -> None:
    own = [] if name in OF_NO_READER else [name.split("/")[0]]
    assert readers((FOLDER / name).read_bytes()) == own


@pytest.mark.parametrize("path", sorted((FOLDER / "spreadsheets").iterdir()))
def test_spreadsheets_are_no_logs(path: Path) -> None:
    assert readers(path.read_bytes()) == []


# -- files of ours -----------------------------------------------------------------

ODD: dict[str, Any] = {
    **{"id": "x", "results": "y", "choices": "A or B", "samples": 3, "output": "o"},
    **{"messages": "hello", "scores": 0.5, "query": "q", "text": "t", "intent": "i"},
    **{"doc_id": 4, "metrics": "m", "questions": "?", "answers": "!", "data": "d"},
    **{"user_input": "u", "columns": "c", "error": "e", "custom_id": "z", "eval": 1},
}
NESTED: dict[str, Any] = {
    **ODD,
    "choices": [{"text": "A"}, {"text": "B"}],
    "results": {"version": 3, "results": []},
    "eval": {"task": "t", "model": "m"},
    "scores": {"match": {"value": "C"}},
    "messages": [{"role": "user", "content": "?"}],
    "output": {"text": "o"},
}
KINDS = {
    "outcomes": {"correct": True, "confidence": 0.5},
    "responses": {"response": "Oslo", "confidence": 0.5},
    "references": {"reference": "Oslo"},
}


def own_files() -> dict[str, bytes]:
    """Files of ours with further columns, the item first, last, or far behind."""
    files = {}
    for kind, fields in KINDS.items():
        for place in ("first", "last"):
            named = {"item": "q1"}
            flat = named | fields | ODD if place == "first" else ODD | fields | named
            deep = named | fields | NESTED
            deep = deep if place == "first" else NESTED | fields | named
            name = f"{kind}, item {place}"
            for sign, form in ((",", "CSV"), ("\t", "TSV"), (";", "semicolons")):
                rows = (sign.join(flat), sign.join(map(str, flat.values())))
                files[f"{name}, {form}"] = "\n".join(rows).encode()
            files[f"{name}, lines"] = json.dumps(deep).encode()
            files[f"{name}, list"] = json.dumps([deep], indent=1).encode()
            far = {"input": "x" * 3000} | deep
            files[f"{name}, far behind"] = json.dumps(far).encode()
            files[f"{name}, Parquet"] = parquet({n: [v] for n, v in flat.items()})
    return files


OWN = own_files()


@pytest.mark.parametrize("name", OWN)
def test_files_of_ours_are_no_logs(name: str) -> None:
    with open_table(io.BytesIO(OWN[name])) as table:
        assert table.words != "logs"
        [(_, record)] = table.records()
    assert record["item"] == "q1"
    assert record.keys() >= ODD.keys()


# -- files of strangers ------------------------------------------------------------

STRANGERS = {
    "quiz": {"questions": [{"question": "2 + 2?", "answers": ["4", "5"]}]},
    "chats": {"user_input": "hi", "response": "hello", "latency": 0.4},
    "intents": {"text": "hi", "intent": "greet", "intent_prediction": "bye"},
    "dialogue": {"messages": [{"role": "user", "content": "hi"}], "score": 0.5},
    "choices": {"question": "?", "choices": ["A", "B"], "answer": "A"},
    "questions and answers": {"question": "?", "answer": "!", "id": 1},
    "SQuAD 1 in rows": {"id": 1, "answers": ["a"], "context": "c"},
    "evaluation": {"eval": "facts", "results": {"accuracy": 0.5}},
    "batch": {"id": 1, "custom_id": "a", "body": {"x": 1}},
    "tests": {"test_results": [{"name": "a", "status": "passed"}]},
    "documents": {"doc_id": 1, "doc": "text", "score": 0.3},
    "table": {"columns": ["a", "b"], "rows": [[1, 2]]},
    "a trace": {"trace_id": "a", "request": "r"},
    "an export": {"evalId": "a", "results": [1]},
}
TABLES = [
    b"text,intent,intent_prediction\nhi,greet,bye\n",
    b"user_input,response,latency\nhi,hello,0.4\n",
    b"custom_id,response,error\na,b,\n",
    b"doc_id,resps,filtered_resps\n1,a,b\n",
    b"id,prediction_text,no_answer_probability\n1,a,0.5\n",
    b"eval,eval.task,eval.model\n1,a,b\n",
    b"promptIdx,testIdx,promptId\n1,1,a\n",
    b"name,Status,Score\na,PASS,1\n",
    b"query,Q0,document,rank,score,run\nq1,Q0,d,1,0.5,r\n",
    b"choices,choices.message\na,b\n",
    b"trace_id,assessments,request\na,b,c\n",
]


@pytest.mark.parametrize("name", STRANGERS)
def test_files_of_strangers_are_no_logs(name: str) -> None:
    held = STRANGERS[name]
    for text in (json.dumps(held), json.dumps([held]), json.dumps(held, indent=2)):
        assert readers(text.encode()) == []


@pytest.mark.parametrize("text", TABLES)
def test_tables_with_names_of_logs_are_no_logs(text: bytes) -> None:
    assert readers(text) == []
    assert readers(text.replace(b",", b"\t")) == []


# -- logs in which the word item stands --------------------------------------------

MESSAGE = {"role": "assistant", "content": "Oslo"}
REPLY = {"object": "chat.completion", "model": "m", "choices": [{"message": MESSAGE}]}
SAMPLE = {"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}}
RESULT = {
    **{"promptIdx": 0, "testIdx": 0, "promptId": "p", "success": True, "provider": "p"},
    **{"vars": {"item": "a"}, "testCase": {"assert": [{"type": "equals"}]}},
}
WITH_ITEM = {
    "inspect": {
        "eval": {"task": "t", "model": "m", "task_args": {"item": "a"}},
        "samples": [SAMPLE],
    },
    "promptfoo": RESULT,
    "openai": REPLY | {"metadata": {"item": "q1"}, "system_fingerprint": '"item": 1'},
    "lm_eval": {
        **{"doc_id": 0, "doc": {"item": "a"}, "target": "a", "resps": [["a"]]},
        **{"filtered_resps": ["a"], "filter": "none", "metrics": ["em"], "em": 1.0},
    },
    "rasa": {
        **{"text": 'say "item": it', "intent": "a"},
        "intent_prediction": {"name": "a", "confidence": 0.5, "item": 1},
    },
    "deepeval": {
        "test_results": [
            {
                **{"name": "a", "additional_metadata": {"item": "a"}},
                "metrics_data": [{"name": "Correct", "score": 1.0, "success": True}],
            }
        ]
    },
}


@pytest.mark.parametrize("name", WITH_ITEM)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_log_is_read_in_which_something_is_called_item(
    name: str, indent: int | None
) -> None:
    text = json.dumps(WITH_ITEM[name], indent=indent).encode()
    read = demur.read_responses if name == "openai" else demur.read_outcomes
    held = read(io.BytesIO(text))
    assert len(held) == 1
    if name != "openai":
        assert f"log:{name}" in held.signature


@pytest.mark.parametrize("name", ["item", "items"])
def test_a_variable_of_promptfoo_may_be_called_item(name: str) -> None:
    text = (FOLDER / "promptfoo/facts.csv").read_bytes()
    first = text.split(b",", 1)[0]
    text = text.replace(first, name.encode(), 1)
    assert re.match(rb"items?,", text)
    assert "log:promptfoo" in demur.read_outcomes(io.BytesIO(text)).signature


def test_replies_in_rows_of_ours_are_read_wherever_they_stand() -> None:
    row = {"item": "q1", "input": "x" * 5000, "response": REPLY}
    late = {"input": "x" * 5000, "item": "q1", "response": REPLY}
    for held in (row, late):
        [response] = demur.read_responses(io.BytesIO(json.dumps(held).encode()))
        assert (response.item, response.response) == ("q1", "Oslo")


def test_samples_of_long_documents_are_recognised_by_how_they_begin() -> None:
    doc = {"context": "x" * 70_000}
    row = WITH_ITEM["lm_eval"] | {"doc": doc}
    assert readers(json.dumps(row).encode()[: 1 << 16]) == ["lm_eval"]
    short = json.dumps({"doc_id": 1, "doc": {"title": "a"}, "score": 0.5}) + "\n"
    assert readers((short * 2000).encode()) == []


# -- what looks like ours and is a log ---------------------------------------------

OF_RAGAS = {
    **{"item": "q1", "user_input": "?", "retrieved_contexts": "['x']"},
    **{"response": "Oslo", "reference": "Oslo", "faithfulness": 1},
}


def in_all_forms(row: dict[str, Any]) -> list[io.BytesIO]:
    """A row as CSV, as JSON Lines and as Parquet."""
    table = "\n".join([",".join(row), ",".join(map(str, row.values()))])
    held = parquet({name: [value] for name, value in row.items()})
    return list(map(io.BytesIO, (table.encode(), json.dumps(row).encode(), held)))


@pytest.mark.parametrize("form", range(3))
def test_a_table_of_ragas_may_name_its_items(form: int) -> None:
    outcomes = demur.read_outcomes(in_all_forms(OF_RAGAS)[form])
    assert (outcomes.item.tolist(), outcomes.counts()["right"]) == (["q1"], 1)
    assert "ragas" in outcomes.signature
    for ours in ({"correct": False}, {"declined": True, "correct": False}):
        own = demur.read_outcomes(in_all_forms(OF_RAGAS | ours)[form])
        assert own.counts()["wrong"] == 1


MLFLOW = {"item": "1", "inputs": "?", "outputs": "a", "right/score": 1.0}


@pytest.mark.parametrize(
    ("file", "reader"),
    [
        *((file, "ragas") for file in in_all_forms(OF_RAGAS | {"declined": False})),
        (in_all_forms(MLFLOW)[2], "mlflow"),
    ],
)
def test_a_table_of_ours_that_may_be_a_log_is_called_so(
    file: io.BytesIO, reader: str
) -> None:
    with pytest.raises(demur.InputError, match=f"type --log {reader}[.]"):
        demur.read_outcomes(file)
