"""Logs of Inspect: written by its own release, read with the counts that must come."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from builders import refuses
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
        ("facts.eval", "inspect(scorer=pattern)", (4, 6, 2, 0)),
        ("facts_chunked.eval", "inspect(scorer=tri)", (4, 3, 4, 1)),
        ("number_value.eval", "inspect(threshold=0.6)", (4, 6, 2, 0)),
        # a content filter ended q06
        ("number_value.eval", "inspect(threshold=0.6, refusal=wrong)", (4, 7, 1, 0)),
        ("object_value.eval", "inspect(value=correct)", (4, 6, 2, 0)),
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


# -- what a log says beside its scores ---------------------------------------------


@pytest.mark.parametrize(
    ("name", "log", "expected", "note"),
    [
        ("reducer.eval", None, (4, 2, 0, 0), "(at_least_2) is not read"),
        ("limit.eval", None, (0, 3, 0, 0), "stopped by a limit (message)"),
        (
            "scored_error.eval",
            None,
            (2, 0, 1, 0),
            "broke and have a score all the same",
        ),
        ("invalidated.eval", None, (2, 0, 0, 1), "were declared invalid in the log: 1"),
        (
            "invalidated.eval",
            "inspect(ungraded=leave_out)",
            (2, 0, 0, 0),
            "were declared invalid in the log: 1",
        ),
        ("retry_first.eval", None, (1, 1, 1, 0), "1 of 3 requests failed: not answers"),
        ("retry_last.eval", None, (2, 1, 0, 0), ""),
    ],
)
def test_what_would_be_counted_otherwise_is_said(
    name: str, log: str | None, expected: tuple[int, ...], note: str
) -> None:
    assert counts(name, log) == expected
    for groups in ((), None):  # by summaries, and by whole samples
        notes = demur.read_outcomes(FOLDER / name, log=log, groups=groups).notes
        assert any(note in one for one in notes) or not (note or notes)


def test_a_log_without_a_trap_says_nothing() -> None:
    assert demur.read_outcomes(FOLDER / "retry_last.eval").notes == ()


@pytest.mark.parametrize("second", ["retry_last.eval", "retry_first.eval"])
def test_a_run_and_its_retry_are_never_counted_together(second: str) -> None:
    files = FOLDER / "retry_first.eval", FOLDER / second
    refuses("A log of a retry, or of a second run, holds", demur.read_outcomes, *files)


@pytest.mark.parametrize(
    ("limit", "kind"),
    [("time", "timeout"), ("token", "truncated"), ("operator", "refusal")],
)
def test_a_limit_says_why_there_is_no_answer(limit: str, kind: str) -> None:
    sample = {
        **{"id": 1, "scores": {"a": {"value": "I"}}, "output": {"completion": ""}},
        "limit": {"type": limit, "limit": 3},
    }
    log = {"eval": {"task": "t", "model": "m"}, "samples": [sample]}
    file = io.BytesIO(json.dumps(log).encode())
    outcomes = demur.read_outcomes(file, log="inspect(no_answer=refusals)")
    assert outcomes.kind is not None
    assert outcomes.kind.tolist() == [kind]


@pytest.mark.parametrize(
    "output",
    [
        {"choices": 3},
        {"choices": ["a"]},
        {"choices": [{"message": []}]},
        {"choices": [{"message": {"content": ["a"]}}]},
        {"completion": ["a"]},
    ],
)
def test_an_output_of_another_form_is_refused_by_its_sample(output: object) -> None:
    samples = [{"id": 1, "output": output}]
    log = {"eval": {"task": "t", "model": "m"}, "samples": samples}
    file = io.BytesIO(json.dumps(log).encode())
    refuses("stream: sample 1: the output must be one", demur.read_responses, file)


def test_two_scorers_in_two_files_are_both_in_the_signature() -> None:
    files = []
    for number, scorer in enumerate(("a", "b")):
        sample = {"id": number, "scores": {scorer: {"value": "C"}}}
        log = {"eval": {"task": "t", "model": "m"}, "samples": [sample]}
        files.append(io.BytesIO(json.dumps(log).encode()))
    signature = demur.read_outcomes(*files).signature
    assert "inspect(scorer=a" in signature
    assert "inspect(scorer=b" in signature


def test_a_list_of_logs_is_named() -> None:
    listed = {"2026-01-02_facts.eval": {"version": 2, "eval": {"task": "t"}}}
    file = io.BytesIO(json.dumps(listed, indent=2).encode())
    refuses("a list of the logs of Inspect, without samples", demur.read_outcomes, file)


def read_samples(
    *samples: dict[str, object], log: str = "inspect", **header: object
) -> demur.Outcomes:
    named = [{"id": number, **one} for number, one in enumerate(samples)]
    task = {"task": "t", "model": "m", "scorers": header.pop("scorers", None)}
    whole = {"eval": task, **header, "samples": named}
    return demur.read_outcomes(io.BytesIO(json.dumps(whole).encode()), log=log)


A, B = {"a": {"value": "C"}}, {"b": {"value": "I"}}


@pytest.mark.parametrize("first", [0, 1, 30])
def test_samples_that_a_scorer_left_out_are_ungraded_wherever_they_stand(
    first: int,
) -> None:
    samples = [*[{"error": {"message": "x"}}] * first, {}, {"scores": A}, {}]
    if first > 20:  # none of the first has a score
        samples.pop(first)
    outcomes = read_samples(*samples)
    assert outcomes.counts()["right"] == 1
    assert outcomes.counts()["ungraded"] == len(samples) - first - 1
    assert any("without a score by a" in note for note in outcomes.notes)


def test_scores_of_another_scorer_are_never_taken_for_those_that_are_read() -> None:
    both = [{"scores": A}, {"scores": B}]
    refuses("the scorer must be named .*; got a, b", read_samples, *both)
    named = read_samples(*both, log="inspect(scorer=b)")
    assert list(named.counts().values()) == [0, 1, 0, 1]
    late = read_samples(*[{"scores": A}] * 20, {"scores": A | B}, {"scores": B})
    assert list(late.counts().values()) == [21, 0, 0, 1]
    wrong = "sample 1: the scorer must be one of its scorers: a, b"
    refuses(wrong, read_samples, *both, log="inspect(scorer=c)")


BOTH = [{"name": "a"}, {"name": "lab/b"}]
HEADERS = [
    {"scorers": BOTH},
    {"results": {"scores": [{"name": "a", "scorer": "a"}, {"scorer": "b"}]}},
]


@pytest.mark.parametrize("header", HEADERS)
def test_a_scorer_that_begins_late_is_known_from_the_header(header: Any) -> None:
    late = [*[{"scores": A}] * 25, {"scores": A | B}]
    refuses("the scorer must be named .*; got a, b", read_samples, *late, **header)
    named = read_samples(*late, log="inspect(scorer=b)", **header)
    assert list(named.counts().values()) == [0, 1, 0, 25]
    wrong = "sample 1: the scorer must be one of its scorers: a, b"
    refuses(wrong, read_samples, *late, log="inspect(scorer=c)", **header)


def test_without_a_header_a_late_scorer_is_read_by_name_or_noted() -> None:
    late = [*[{"scores": A}] * 25, {"scores": B}]
    assert read_samples(*late, log="inspect(scorer=b)").counts()["wrong"] == 1
    assert "come late are not read: b" in " ".join(read_samples(*late).notes)


def test_scores_are_those_of_the_last_scoring_whatever_the_task_had() -> None:
    header = {"scorers": BOTH, "results": {"scores": [{"name": "a", "scorer": "a"}]}}
    assert read_samples({"scores": A}, **header).counts()["right"] == 1


def test_epochs_are_repeats_even_if_the_task_does_not_say_how_many() -> None:
    samples = [{"id": 1, "epoch": epoch, "scores": A} for epoch in (1, 2, 3)]
    assert len(read_samples(*samples)) == 3


# -- tokens ------------------------------------------------------------------------


def with_tokens(
    number: int, *tokens: tuple[str, float], **score: Any
) -> dict[str, Any]:
    """A sample whose reply is made of tokens."""
    text = "".join(token for token, _ in tokens)
    listed = [{"token": token, "logprob": p} for token, p in tokens]
    choice = {
        "message": {"role": "assistant", "content": text},
        "stop_reason": "stop",
        "logprobs": {"content": listed} if listed else None,
    }
    output = {"model": "m", "choices": [choice], "completion": text}
    scores = {"match": {"value": "C", **score}}
    return {"id": number, "epoch": 1, "output": output, "scores": scores}


def log_of(samples: list[dict[str, Any]], *, packed: bool) -> io.BytesIO:
    head = {"eval": {"task": "t", "model": "m"}, "status": "success"}
    if not packed:
        return io.BytesIO(json.dumps({**head, "samples": samples}).encode())
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for sample in samples:
            name = f"samples/{sample['id']}_epoch_1.json"
            archive.writestr(name, json.dumps(sample))
        brief = [{n: s[n] for n in ("id", "epoch", "scores")} for s in samples]
        archive.writestr("summaries.json", json.dumps(brief))
        archive.writestr("header.json", json.dumps(head))
    file.seek(0)
    return file


REPLIES = [
    with_tokens(1, ("Os", -0.5), ("lo", -0.25)),
    with_tokens(2, ("It is ", -2.0), ("Oslo", -0.5), (".", -1.0), answer="Oslo"),
    with_tokens(3, ("Hm.\nAnswer: ", -2.0), ("Oslo", -0.125)),
    with_tokens(4, ("Oslo or ", -1.0), ("Rome", -0.5), answer="Paris"),
]


@pytest.mark.parametrize("packed", [False, True])
def test_tokens_of_an_answer_are_a_confidence_as_in_chat_completions(packed: bool):
    def sure(options: str) -> list[float]:
        log = f"inspect(confidence=logprobs{options})"
        outcomes = demur.read_outcomes(log_of(REPLIES, packed=packed), log=log)
        assert "confidence=logprobs" in outcomes.recipe["log"]
        assert outcomes.confidence is not None
        return np.log(outcomes.confidence).round(6).tolist()

    assert sure("") == [-0.75, -0.5, -0.125, -1.5]
    assert sure(", response=completion") == [-0.75, -3.5, -2.125, -1.5]
    texts = [sample["output"]["completion"] for sample in (REPLIES[0], REPLIES[2])]
    tokens = [
        sample["output"]["choices"][0]["logprobs"]
        for sample in (REPLIES[0], REPLIES[2])
    ]
    rows = [
        {
            "custom_id": str(n),
            "choices": [{"message": {"content": text}, "logprobs": listed}],
        }
        for n, (text, listed) in enumerate(zip(texts, tokens, strict=True))
    ]
    file = io.BytesIO("\n".join(map(json.dumps, rows)).encode())
    same = [each.confidence for each in demur.read_responses(file)]
    assert np.log(same).round(6).tolist() == [-0.75, -0.125]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("value", ["I", 0, 0.2, False, {"ok": 0}, "C"])
def test_a_wrong_answer_that_a_content_filter_ended_is_none(
    packed: bool, value: object
) -> None:
    sample = with_tokens(9, ("I can't help.", -0.5), value=value)
    sample["output"]["choices"][0]["stop_reason"] = "content_filter"
    several = ", value=ok" if isinstance(value, dict) else ""
    for meaning in ("unanswered", "wrong"):
        log = f"inspect(threshold=0.5, refusal={meaning}{several})"
        for groups in ((), None):  # by summaries, and by whole samples
            file = log_of([*REPLIES[:1], sample], packed=packed)
            if several:
                file = log_of([sample], packed=packed)
            outcomes = demur.read_outcomes(file, log=log, groups=groups)
            assert outcomes.counts()["right" if value == "C" else meaning] >= 1
            filtered = value != "C" and meaning == "unanswered"
            kind = None if outcomes.kind is None else outcomes.kind[-1]
            assert (kind == "filter") is filtered


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("late", [0, 25])
def test_tokens_are_proposed_as_a_confidence(packed: bool, late: int) -> None:
    first = [with_tokens(100 + n, ("Oslo", 0.0)) for n in range(late)]
    for sample in first:
        sample["output"]["choices"][0]["logprobs"] = None
    outcomes = demur.read_outcomes(log_of(first + REPLIES, packed=packed))
    assert outcomes.confidence is None
    told = [note for note in outcomes.notes if "inspect(confidence=logprobs)" in note]
    assert bool(told) is not (packed and late > 0)  # of summaries one reply is read
    file = log_of(first + REPLIES, packed=packed)
    notes = demur.read_outcomes(file, log="inspect(confidence=none)").notes
    assert not [note for note in notes if "confidence" in note]


def test_tokens_that_no_sample_has_are_told_and_lists_lead_to_them() -> None:
    bare = with_tokens(1, answer="Oslo")
    log = "inspect(confidence=logprobs)"
    outcomes = demur.read_outcomes(log_of([bare], packed=False), log=log)
    assert "nothing in the file has logprobs, so no confidence is read of it" in (
        outcomes.notes
    )
    other = {**bare, "metadata": {"prob": 0.5}}
    with pytest.raises(demur.InputError, match=r"be one: metadata\.prob"):
        demur.read_outcomes(log_of([other], packed=False), log=log)
    path = "inspect(confidence=output.choices[0].logprobs.content)"
    with pytest.raises(demur.InputError, match=r"Such as: --log 'inspect.*logprobs.'"):
        demur.read_outcomes(log_of(REPLIES, packed=False), log=path)


@pytest.mark.parametrize(
    "damaged",
    [
        {"content": 3},
        {"content": [3]},
        {"content": [{"token": "Oslo"}]},
        {"content": [{"token": "Rome", "logprob": -1}]},
        {"content": [{"token": "Oslo", "logprob": None}]},
        {"content": [{"token": "Oslo", "logprob": "NaN"}]},
        {"content": [{"token": "Oslo", "logprob": 10**400}]},
        {"content": [{"token": "Oslo", "logprob": -1, "bytes": 10**9}]},
        [1],
        "x",
    ],
)
def test_tokens_that_are_damaged_give_no_confidence(damaged: Any) -> None:
    sample = with_tokens(1, ("Oslo", -0.5))
    sample["output"]["choices"][0]["logprobs"] = damaged
    files = [log_of([sample], packed=packed) for packed in (False, True)]
    for file in files:
        log = "inspect(confidence=logprobs)"
        assert demur.read_outcomes(file, log=log).confidence is None
