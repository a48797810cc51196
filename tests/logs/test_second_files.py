"""Logs whose verdicts need a second file: SQuAD 2.0, QALD, TREC, EHRSQL.

Written by ir_measures 0.4.3, the metric squad_v2 of evaluate 0.4.6, and the scoring
program of EHRSQL 2024; QALD by hand in the form of QALD-9.
"""

import contextlib
import io
import random
import re
from pathlib import Path

import pytest

import demur
from demur import logs
from demur.formats.beginnings import keys_of

FOLDER = Path(__file__).parents[1] / "golden/formats"
CASES = [
    ("trec/a.run", "trec(qrels=trec/facts.qrels)", (4, 2, 1)),
    ("trec/b.run", "trec(qrels=trec/facts.qrels)", (4, 1, 2)),
    ("trec/b.run", "trec(qrels=trec/facts.qrels, missing=wrong)", (4, 3, 0)),
    ("squad2/pred.json", "squad2(data=squad2/data.json)", (3, 4, 2)),
    (
        "squad2/pred.json",
        "squad2(data=squad2/data.json, na_prob=squad2/na_prob.json, threshold=0.45)",
        (3, 3, 3),
    ),
    ("squad2/pred_missing.json", "squad2(data=squad2/data.json)", (3, 2, 4)),
    ("squad2/hf_predictions.jsonl", "squad2(data=squad2/data.json)", (3, 4, 2)),
    (
        "squad2/hf_predictions.jsonl",
        "squad2(data=squad2/hf_references.jsonl)",
        (3, 4, 2),
    ),
    ("qald/system.json", "qald(gold=qald/gold.json)", (1, 2, 1)),
    ("qald/system.json", "qald(gold=qald/gold.json, partly=credit)", (2, 1, 1)),
    (
        "ehrsql/prediction.json",
        "ehrsql(labels=ehrsql/label.json, scores=ehrsql/per_item_scores.json)",
        (3, 3, 2),
    ),
    ("ehrsql/predictions.zip", "ehrsql(scores=ehrsql/per_item_scores.json)", (3, 3, 2)),
]


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


@pytest.mark.parametrize(("name", "log", "expected"), CASES)
def test_verdicts_are_those_of_the_tool(
    name: str, log: str, expected: tuple[int, ...]
) -> None:
    outcomes = demur.read_outcomes(name, log=log)
    counts = outcomes.counts()
    assert tuple(counts[o] for o in ("right", "wrong", "unanswered")) == expected
    assert log.partition("(")[0] in outcomes.signature


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("squad2", "best exact of the script: 55.56 at na_prob 0.12, found on"),
        (
            "squad2/tie_defect",
            "best exact of the script: 100.00 at na_prob 0.5, but applying it gives 50",
        ),
    ],
)
def test_the_best_threshold_of_squad_is_noted_with_what_it_gives(
    folder: str, words: str
) -> None:
    log = f"squad2(data={folder}/data.json, na_prob={folder}/na_prob.json)"
    outcomes = demur.read_outcomes(f"{folder}/pred.json", log=log)
    assert words in " ".join(outcomes.notes)


def test_the_score_decides_what_is_first_and_ties_are_noted() -> None:
    log = "trec(qrels=trec/facts.qrels)"
    outcomes = demur.read_outcomes("trec/a.run", log=log, display=True)
    at = outcomes.item.tolist().index("q07")
    assert outcomes.response is not None
    assert outcomes.response[at] == "tie_b"
    assert any("best score" in note for note in outcomes.notes)


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("trec/a.run", "trec"),
        ("trec/facts.qrels", None),
        ("squad2/data.json", "squad2"),
        ("squad2/pred.json", None),
        ("squad2/hf_predictions.jsonl", "squad2"),
        ("squad2/hf_references.jsonl", "squad2"),
        ("qald/system.json", "qald"),
        ("ehrsql/predictions.zip", "ehrsql"),
        ("inspect/demo.json", "inspect"),
        ("spreadsheets/english_percent.csv", None),
    ],
)
def test_what_a_file_is_stands_in_its_beginning(name: str, reader: str | None) -> None:
    path = Path(name)
    with path.open("rb") as file:
        head = path.read_bytes()
        known = logs.recognised(keys_of(head, file), head)
    assert (None if known is None else known.name) == reader


def test_unjudged_predictions_are_responses_and_data_are_references() -> None:
    responses = demur.read_responses("squad2/hf_predictions.jsonl")
    for data in ("squad2/hf_references.jsonl", "squad2/data.json"):
        outcomes = demur.judge(
            responses, demur.read_references(data), by="text(normalise=squad)"
        )
        counts = outcomes.counts()
        assert (counts["right"], counts["wrong"]) == (3, 4)
    with pytest.raises(demur.InputError, match="Judge them: demur judge"):
        demur.read_outcomes("squad2/hf_predictions.jsonl")
    with pytest.raises(demur.InputError, match=r"trec\(qrels=FILE"):
        demur.read_outcomes("trec/a.run")


@pytest.mark.parametrize(("name", "log", "_"), CASES)
def test_damage_is_named_and_never_an_internal_error(
    name: str, log: str, _: object, tmp_path: Path
) -> None:
    chance = random.Random(name)
    data = Path(name).read_bytes()
    for _number in range(25):
        damaged = bytearray(data[: chance.randrange(len(data) + 1)])
        for _change in range(chance.randrange(3)):
            if damaged:
                damaged[chance.randrange(len(damaged))] = chance.choice(b'01",{}[ nx\n')
        path = tmp_path / "damaged"
        path.write_bytes(damaged)
        with contextlib.suppress(demur.DemurError):  # nothing else may come out
            assert len(demur.read_outcomes(path, log=log))


@pytest.mark.parametrize(
    ("name", "log", "words"),
    [
        ("squad2/pred.json", "squad2(data=squad2/data.json)", "not its F1"),
        ("trec/b.run", "trec(qrels=trec/facts.qrels)", "have no document of"),
        ("squad2/pred_missing.json", "squad2(data=squad2/data.json)", "no prediction"),
    ],
)
def test_what_is_not_counted_as_others_would_is_said(
    name: str, log: str, words: str
) -> None:
    assert words in " ".join(demur.read_outcomes(name, log=log).notes)


@pytest.mark.parametrize(
    ("log", "data"),
    [
        ("ehrsql(labels=ehrsql/label.json)", b'{"q1": "null"}'),
        ("qald(gold=qald/gold.json)", b'{"questions": []}'),
    ],
)
def test_questions_that_a_file_leaves_out_are_counted(log: str, data: bytes) -> None:
    responses = demur.read_responses(io.BytesIO(data), log=log)
    assert re.search(r"\d questions .*: unanswered", " ".join(responses.notes))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("log", "text"),
    [
        ("squad2(data=squad2/data.json)", '{"q1": "Oslo", "q2": "", "q1": "Rome"}'),
        ("ehrsql", '{"q1": "SELECT 1", "q2": "null", "q1": "SELECT 2"}'),
        (
            "squad2",
            '{"data": [{"paragraphs": [{"qas": [{"id": 1, "q1": 1, "q1": 2}]}]}]}',
        ),
        ("squad2", '{"id": "q", "q1": 1, "prediction_text": "a", "q1": 2}'),
    ],
)
def test_of_two_answers_to_one_question_none_is_taken(log: str, text: str) -> None:
    with pytest.raises(demur.InputError, match="the key 'q1' must stand once"):
        demur.read_responses(io.BytesIO(text.encode()), log=log)


@pytest.mark.parametrize(
    ("log", "option"),
    [
        ("squad2", "data=squad2/data.json, na_prob"),
        ("ehrsql", "labels"),
        ("ehrsql", "scores"),
    ],
)
def test_second_files_have_each_question_once(
    log: str, option: str, tmp_path: Path
) -> None:
    second = tmp_path / "second.json"
    second.write_text('{"q1": 0, "q1": 1}')
    with pytest.raises(demur.InputError, match=r"second.json: the key 'q1'"):
        demur.read_outcomes(
            io.BytesIO(b'{"q1": "null"}'), log=f"{log}({option}={second})"
        )


def test_a_question_is_in_the_data_once() -> None:
    lines = b'{"id": "a", "answers": []}\n{"id": "a", "answers": ["x"]}\n'
    with pytest.raises(demur.InputError, match="stream:2: id must be listed once"):
        demur.read_references(io.BytesIO(lines), log="squad2")
