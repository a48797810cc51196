"""Logs that are damaged or made to harm: one line with the place, or a right answer."""

import codecs
import gzip
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur

FOLDER = Path(__file__).parents[1] / "golden/formats"
SQUAD = "squad2(data=squad2/data.json, na_prob=squad2/na_prob.json)"
SCORES = "ehrsql(labels=ehrsql/label.json, scores=ehrsql/per_item_scores.json)"
GEN = "lm_eval/ours__canned-a/samples_facts_gen_2026-11-24T20-59-20.913119.jsonl"
CHOICES = "lm_eval/ours__canned-a/samples_colours_mc_2026-11-24T20-59-20.913119.jsonl"
TEXTS = {
    "inspect/demo.json": "inspect",
    "openai/batch_mixed.jsonl": "openai",
    "openai/responses.jsonl": "openai",
    "deepeval/test_run.json": "deepeval(metric=Correct)",
    "ragas/result_to_pandas.jsonl": "ragas(metric=correct)",
    "ragas/result_to_pandas_with_index.csv": "ragas(metric=correct)",
    "mlflow/answers.json": "mlflow",
    "mlflow/eval_results_table.csv": "mlflow",
    "mlflow/genai_result_df.jsonl": "mlflow(metric=correct)",
    "simple_evals/allresults.json": "simple_evals",
    GEN: "lm_eval(filter=strict-match, metric=exact_match)",
    CHOICES: "lm_eval(metric=acc)",
    "promptfoo/results.json": "promptfoo",
    "promptfoo/facts.jsonl": "promptfoo",
    "promptfoo/facts.csv": "promptfoo",
    "rasa/intent_errors.json": "rasa",
    "squad2/pred.json": SQUAD,
    "squad2/hf_predictions.jsonl": "squad2(data=squad2/hf_references.jsonl)",
    "qald/system.json": "qald(gold=qald/gold.json)",
    "trec/a.run": "trec(qrels=trec/facts.qrels)",
    "ehrsql/prediction.json": SCORES,
}
"""A text of each reader, with what to read it as."""

ARCHIVES = {
    "inspect/facts.eval": "inspect(scorer=tri)",
    "inspect/demo_zstd.eval": "inspect",
    "ehrsql/predictions.zip": "ehrsql(scores=ehrsql/per_item_scores.json)",
}
BY_LINES = [name for name in TEXTS if name.endswith((".jsonl", ".run"))]


@pytest.fixture(autouse=True, scope="module")
def _in_the_folder() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(FOLDER)
        yield


def content(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def read(data: bytes, log: str | None) -> list[Any]:
    """The responses of a log, and its counts if somebody has judged them."""
    responses = demur.read_responses(io.BytesIO(data), log=log)
    held: list[Any] = [(one.item, one.response, one.system) for one in responses]
    if log and log.split("(")[0] not in ("openai", "simple_evals"):
        held.append(demur.read_outcomes(io.BytesIO(data), log=log).counts())
    return held


def refusal(data: bytes, log: str) -> str:
    """The message that a text is refused with, whatever it is read for."""
    with pytest.raises(demur.DemurError) as caught:
        read(data, log)
    message = str(caught.value)
    assert message.startswith("stream")
    assert message.isprintable()
    return message


def survives(data: bytes, log: str) -> None:
    """Whatever comes out is a table or an error of ours."""
    printable = []
    for function in (demur.read_outcomes, demur.read_responses, demur.read_references):
        try:
            assert len(function(io.BytesIO(data), log=log))  # type: ignore[operator]
        except demur.DemurError as error:
            printable.append(str(error).isprintable())
    assert all(printable)


# -- whole files -------------------------------------------------------------------

NOTHING = {
    "empty": b"",
    "blank": b" \n\r\n",
    "one empty object": b"{}",
    "a list of one empty object": b"[{}]",
    "empty objects": b"{}\n{}\n",
    "an empty list": b"[]",
    "null": b"null",
    "a number": b"1",
    "a text": b'"a"',
    "lists too deep": b"[" * 100_000,
    "objects too deep": b'{"a":' * 100_000,
    "half an archive": b"PK\x03\x04aaaa",
    "an empty archive": b"PK\x05\x06" + bytes(18),
    "half a gzip file": gzip.compress(b'{"a": 1}')[:14],
    "Parquet": b"PAR1aaaaPAR1",
    "a number of 5000 digits": b'{"a": ' + b"9" * 5000 + b"}",
    "a page": b"<!doctype html><html></html>",
}


@pytest.mark.parametrize("kind", NOTHING)
@pytest.mark.parametrize("log", sorted(set(TEXTS.values())))
def test_files_without_answers_are_refused_by_each_reader(kind: str, log: str) -> None:
    if kind == "one empty object" and log.startswith(("squad2", "ehrsql")):
        notes = demur.read_outcomes(io.BytesIO(NOTHING[kind]), log=log).notes
        assert any("have no prediction" in note for note in notes)
    else:
        refusal(NOTHING[kind], log)


@pytest.mark.parametrize("name", TEXTS)
def test_encodings_change_nothing(name: str) -> None:
    data, log = content(name), TEXTS[name]
    text = data.decode()
    for same in (
        codecs.BOM_UTF8 + data,
        text.encode("utf-16"),
        gzip.compress(data),
        b"\n  \n" + data,
    ):
        if name.endswith(".csv") and same.startswith(b"\n"):
            continue
        assert read(same, log) == read(data, log)
    assert "UTF-8" in refusal(text.encode("utf-16-le"), log)
    assert "NUL" in refusal(data[:-3] + b"\0" + data[-3:], log)
    if not name.endswith(".csv"):
        assert "UTF-8" in refusal(data[:-3] + b"\xff" + data[-3:], log)


@pytest.mark.parametrize("name", BY_LINES)
def test_damaged_lines_are_refused_by_their_numbers(name: str) -> None:
    lines = content(name).splitlines()
    damaged = [lines[0], lines[1][: len(lines[1]) // 2], *lines[2:]]
    assert re.search(r"stream:2\b", refusal(b"\n".join(damaged), TEXTS[name]))
    cut = [*lines[:-1], lines[-1][: len(lines[-1]) // 2]]
    number = rf"stream:{len(lines)}\b"
    assert re.search(number, refusal(b"\n".join(cut), TEXTS[name]))


@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith(".json")])
def test_documents_that_are_cut_off_are_refused(name: str) -> None:
    data = content(name).rstrip()
    for length in (len(data) // 3, len(data) - 1):
        assert "cut off" in refusal(data[:length], TEXTS[name])


# -- values ------------------------------------------------------------------------

HOSTILE = {
    "NaN": "NaN",
    "infinite": "-Infinity",
    "1e999": "1e999",
    "huge": "9" * 400,
    "minus": "-1",
    "half a letter": r'"\ud800"',
    "a control sign": r'"\u0000"',
    "null": "null",
    "true": "true",
    "a list": "[[]]",
    "an object": '{"": null}',
}
NUMBERS = ("NaN", "infinite", "1e999", "huge", "minus")
MARK = '"a mark that stands nowhere else"'


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a value; of lists, in the first element."""
    if place:
        yield place
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*place, name))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*place, 0))


def inner(value: Any, place: tuple[Any, ...]) -> Any:
    """What stands at a place."""
    for name in place:
        value = value[name]
    return value


def with_text(value: Any, place: tuple[Any, ...], text: str) -> bytes:
    """The JSON text of a value in which another stands at a place."""
    whole = json.loads(json.dumps(value))
    inner(whole, place[:-1])[place[-1]] = json.loads(MARK)
    return json.dumps(whole).replace(MARK, text).encode()


@pytest.mark.parametrize("name", [name for name in TEXTS if ".json" in name])
def test_no_value_anywhere_is_an_internal_error(name: str) -> None:
    data = content(name)
    lines = [data] if name.endswith(".json") else data.splitlines()[:3]
    value = json.loads(lines[0])
    for number, place in enumerate(places(value)):
        is_number = isinstance(inner(value, place), (int, float))
        kinds = NUMBERS if is_number else [list(HOSTILE)[number % len(HOSTILE)]]
        for kind in kinds:
            damaged = with_text(value, place, HOSTILE[kind])
            survives(b"\n".join([damaged, *lines[1:]]), TEXTS[name])


SCORED = {"name": "b", "score": 1, "success": True}
CONFIDENCE: dict[str, dict[str, Any]] = {
    "inspect(confidence=score.metadata.confidence)": {
        "eval": {"task": "t", "model": "m"},
        "samples": [
            {"id": 1, "scores": {"a": {"value": "C", "metadata": {"confidence": "@"}}}}
        ],
    },
    "promptfoo(confidence=testCase.metadata.confidence)": {
        **{"promptIdx": 0, "testIdx": 0, "success": True, "vars": {"q": "a"}},
        "testCase": {"assert": [{}], "metadata": {"confidence": "@"}},
    },
    "deepeval(confidence=metadata.confidence)": {
        "test_results": [
            {
                **{"name": "a", "additional_metadata": {"confidence": "@"}},
                "metrics_data": [SCORED],
            }
        ]
    },
    "rasa": {
        **{"text": "a", "intent": "b"},
        "intent_prediction": {"name": "b", "confidence": "@"},
    },
    "ragas(confidence=confidence)": {
        **{"user_input": "a", "response": "b", "correct": 1, "confidence": "@"}
    },
    "mlflow(confidence=confidence)": {
        **{"inputs": "a", "outputs": "b", "correct": 1, "confidence": "@"}
    },
    "lm_eval(confidence=doc.confidence)": {
        **{"doc_id": 0, "doc": {"confidence": "@"}, "resps": [["a"]]},
        **{"filtered_resps": ["a"], "metrics": ["em"], "em": 1},
    },
}


@pytest.mark.parametrize("log", CONFIDENCE)
def test_confidences_are_numbers_or_refused_with_the_place(log: str) -> None:
    template = json.dumps(CONFIDENCE[log])

    def sure(text: str) -> float:
        file = io.BytesIO(template.replace('"@"', text).encode())
        outcomes = demur.read_outcomes(file, log=log)
        assert outcomes.confidence is not None
        return float(outcomes.confidence[0])

    assert sure("0.5") == 0.5
    assert sure("1e999") == float("inf")
    for text in ("9" * 400, "9" * 5000, "[]", "{}"):
        damaged = template.replace('"@"', text).encode()
        with pytest.raises(demur.InputError, match=r"^stream"):
            demur.read_outcomes(io.BytesIO(damaged), log=log)


@pytest.mark.parametrize("log", [log for log in CONFIDENCE if "=" in log])
def test_a_confidence_that_no_row_has_is_refused_with_those_that_are_there(log: str):
    held = json.dumps(CONFIDENCE[log]).replace('"@"', "0.5").encode()
    reader, _, path = log.removesuffix(")").partition("(confidence=")
    typed = f"{reader}(confidence={path}x)"
    with pytest.raises(demur.InputError, match=f"(?s)got '{path}x'.*be one: .*conf"):
        demur.read_outcomes(io.BytesIO(held), log=typed)


@pytest.mark.parametrize("log", [log for log in CONFIDENCE if "=" in log])
@pytest.mark.parametrize("given", [None, ""])
def test_a_path_at_which_no_row_has_a_number_is_said(log: str, given: Any):
    held = json.dumps(CONFIDENCE[log]).replace('"@"', json.dumps(given)).encode()
    _, _, path = log.removesuffix(")").partition("(confidence=")
    outcomes = demur.read_outcomes(io.BytesIO(held), log=log)
    told = f"nothing in the file has {path}, so no confidence is read of it"
    assert told in outcomes.notes


def test_a_confidence_that_no_row_of_a_file_can_have_is_said():
    held = {"model": "m", "choices": [{"message": {"content": "a"}}]}
    file = io.BytesIO(json.dumps(held).encode())
    responses = demur.read_responses(file, log="openai(confidence=sure)")
    assert "nothing in the file has sure, so no confidence is read of it" in (
        responses.notes
    )
    file = io.BytesIO(json.dumps({**held, "conf": 0.5}).encode())
    with pytest.raises(demur.InputError, match="may be one: conf"):
        demur.read_responses(file, log="openai(confidence=sure)")


# -- bytes -------------------------------------------------------------------------

PIECES = [
    *(b"", b'"', b",", b"\n", b"\0", b"{", b"}", b"[", b"]", b":", b"null", b"NaN"),
    *(b"1e999", b"\\ud800", b"\xff", b"[]", b"{}", b"-1", b"9" * 400, b"PK\x03\x04"),
]
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(PIECES)), max_size=4
)


def edited(data: bytes, edits: list[tuple[float, int, bytes]], kept: float) -> bytes:
    """The same with pieces in the place of others, and cut off."""
    for share, width, piece in edits:
        at = int(share * len(data))
        data = data[:at] + piece + data[at + width :]
    return data[: int(kept * len(data)) + 1]


@pytest.mark.parametrize("name", [*TEXTS, *ARCHIVES])
@settings(max_examples=12)
@given(edits=EDITS, kept=st.sampled_from([1.0, 1.0, 0.99, 0.5, 0.1]))
def test_random_damage_is_never_an_internal_error(
    name: str, edits: list[tuple[float, int, bytes]], kept: float
) -> None:
    survives(edited(content(name), edits, kept), (TEXTS | ARCHIVES)[name])


def test_how_a_table_was_decoded_is_said() -> None:
    data = content("mlflow/eval_results_table.csv").replace(b"Paris", b"P\xe4ris", 1)
    outcomes = demur.read_outcomes(io.BytesIO(data), log="mlflow")
    assert any("read as Windows-1252" in note for note in outcomes.notes)
