"""Logs of Inspect: written by its own release, read with the counts that must come."""

import io
import json
import zipfile
from pathlib import Path

import pytest

import demur
from demur.formats.streams import opened
from demur.logs import item_log
from demur.logs.readers import LogNotes

FOLDER = Path(__file__).parents[1] / "golden/formats/inspect"
FIELDS = ("item", "outcome", "kind", "confidence", "repeat", "credit")
COUNTED = ("right", "wrong", "unanswered", "ungraded")


def counts(name: str, log: str | None = None) -> tuple[int, ...]:
    held = demur.read_outcomes(FOLDER / name, log=log).counts()
    return tuple(held[each] for each in COUNTED)


@pytest.mark.parametrize("name", ["demo.json", "demo_deflate.eval", "demo_zstd.eval"])
def test_a_log_is_recognised_whatever_its_form(name: str) -> None:
    outcomes = demur.read_outcomes(FOLDER / name)
    assert counts(name) == (2, 2, 1, 1)
    assert outcomes.confidence is not None
    assert outcomes.confidence[outcomes.item == "q2"].tolist() == [0.6]
    assert outcomes.kind is not None
    assert outcomes.kind[outcomes.item == "q3"].tolist() == ["refusal"]
    assert "log:inspect(scorer=tri, confidence=score.metadata.confidence" in (
        outcomes.signature
    )


@pytest.mark.parametrize(
    ("name", "log", "expected"),
    [
        # q1 q2 q4 q10 right by pattern; tri: P of q11 is a credit, q10 NaN, q9 broke
        ("facts.eval", "inspect(scorer=tri)", (4, 3, 4, 1)),
        ("facts.eval", "inspect(scorer=tri, bad_format=unanswered)", (4, 2, 5, 1)),
        ("facts.eval", "inspect(scorer=tri, error=ungraded)", (4, 3, 3, 2)),
        ("facts.eval", "inspect(scorer=tri, error=leave_out)", (4, 3, 3, 1)),
        ("facts.eval", "inspect(scorer=tri, not_answered=wrong)", (4, 6, 1, 1)),
        ("facts.eval", "inspect(scorer=pattern)", (4, 7, 1, 0)),
        ("facts_chunked.eval", "inspect(scorer=tri)", (4, 3, 4, 1)),
        ("number_value.eval", "inspect(threshold=0.6)", (4, 7, 1, 0)),
        ("object_value.eval", "inspect(value=correct)", (4, 7, 1, 0)),
        (
            "number_value.eval",
            "inspect(threshold=0.6, no_answer=refusals)",
            (4, 4, 4, 0),
        ),
        ("odd_ids.eval", None, (6, 1, 0, 0)),
        ("killed_status_started.eval", "inspect(scorer=tri)", (3, 1, 0, 0)),
    ],
)
def test_logs_of_the_tool_have_the_counts_that_must_come(
    name: str, log: str | None, expected: tuple[int, ...]
) -> None:
    assert counts(name, log) == expected


@pytest.mark.parametrize(
    "log", ["inspect(scorer=tri)", "inspect(scorer=pattern, error=leave_out)"]
)
@pytest.mark.parametrize("name", ["facts.eval", "facts_chunked.eval", "epochs.eval"])
def test_summaries_give_what_whole_samples_give(name: str, log: str) -> None:
    reader = item_log(log)
    columns: dict[str, list[object]] = {}
    for whole in (True, False):
        with opened(FOLDER / name) as stream:
            rows = (reader.items if whole else reader.verdicts)(stream, LogNotes())
            for _, record in rows:
                for key in (
                    "item",
                    "outcome",
                    "kind",
                    "confidence",
                    "repeat",
                    "credit",
                ):
                    columns.setdefault(f"{key} {whole}", []).append(record.get(key))
    for key in FIELDS:
        assert columns[f"{key} True"] == columns[f"{key} False"], key
    assert len(columns["item True"]) >= 12


def test_guesses_without_a_confidence_are_least_sure_wherever_they_stand() -> None:
    def sample(number: int, model: str) -> dict[str, object]:
        metadata = {"confidence": 0.5} if model == "a" and number > 10_000 else {}
        scores = {"match": {"value": "C", "metadata": metadata}}
        return {"id": number, "epoch": 1, "scores": scores}

    logs = [
        {
            "eval": {"task": "t", "model": model},
            "samples": [sample(n, model) for n in rows],
        }
        for model, rows in (("a", range(10_002)), ("b", range(2)))
    ]
    files = [io.BytesIO(json.dumps(log).encode()) for log in logs]
    path = "inspect(confidence=score.metadata.confidence)"
    outcomes = demur.read_outcomes(*files, log=path)
    mine = outcomes.system == "a"
    assert outcomes.confidence is not None
    assert set(outcomes.confidence[mine].tolist()) == {-float("inf"), 0.5}
    assert all(value != value for value in outcomes.confidence[~mine])
    assert (
        "10,001 guesses have no confidence: taken for the least sure" in outcomes.notes
    )


def test_a_log_is_recognised_whose_header_stands_behind_many_samples() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(150):
            scores = {"match": {"value": "C" if number else "I"}}
            sample = {"id": f"q{number}", "epoch": 1, "scores": scores}
            name = f"samples/q{number}_epoch_1.json"
            archive.writestr(name, json.dumps(sample))
        archive.writestr("header.json", json.dumps({"eval": {"task": "t"}}))
    file.seek(0)
    assert demur.read_outcomes(file).counts()["right"] == 149
