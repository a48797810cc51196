"""Samples of lm-evaluation-harness: made by release 0.4.13, counts that must come."""

import io
import json
import random
from contextlib import suppress
from pathlib import Path

import pytest

import demur
from builders import damaged_value
from demur.formats.streams import opened
from demur.logs import item_log
from demur.logs.lm_eval_choices import LikelyChoices
from demur.logs.readers import LogNotes

FOLDER = Path(__file__).parents[1] / "golden/formats/lm_eval"
COUNTED = ("right", "wrong", "unanswered", "ungraded")


def paths(task: str, model: str = "a") -> list[Path]:
    return sorted(FOLDER.glob(f"ours__canned-[{model}]/samples_{task}_*.jsonl"))


@pytest.mark.parametrize(
    ("task", "options", "expected"),
    [
        ("facts_gen", "filter=strict-match, metric=exact_match", (4, 3, 5, 0)),
        ("facts_gen", "filter=flexible-extract, metric=exact_match", (5, 2, 5, 0)),
        (
            "facts_gen",
            "filter=strict-match, metric=exact_match, invalid=wrong",
            (4, 8, 0, 0),
        ),
        ("facts_named", "metric=exact, threshold=50", (4, 8, 0, 0)),
        ("facts_named", "metric=exact, threshold=50, declined=declined", (4, 5, 3, 0)),
        (
            "facts_named",
            "metric=exact, threshold=50, no_answer=refusals",
            (4, 4, 4, 0),
        ),
        ("facts_repeats", "", (5, 2, 5, 0)),
        ("colours_mc", "metric=acc", (4, 4, 0, 0)),
        ("colours_mc", "metric=acc_norm", (5, 3, 0, 0)),
        ("colours_brier", "metric=acc", (2, 3, 0, 0)),
    ],
)
def test_samples_have_the_counts_that_must_come(task, options, expected):
    log = f"lm_eval({options})" if options else None
    held = demur.read_outcomes(*paths(task), log=log).counts()
    assert tuple(held[name] for name in COUNTED) == expected


def test_choices_have_confidences_texts_and_names_of_their_task():
    outcomes = demur.read_outcomes(
        *paths("colours_mc"), log="lm_eval(metric=acc)", display=True
    )
    assert outcomes.confidence.round(3).tolist() == [
        *(0.923, 0.52, 0.77, 0.682, 0.333, 0.998, 1.0, 0.55),
    ]
    assert outcomes.item[0] == "colours_mc/0"
    assert (outcomes.response[1], outcomes.reference[1]) == ("red", "two")
    assert "confidence=softmax" in outcomes.signature


def test_by_acc_norm_the_choice_is_the_likeliest_by_character():
    log = "lm_eval(metric=acc_norm, confidence=normalised)"
    outcomes = demur.read_outcomes(*paths("colours_mc"), log=log, display=True)
    assert outcomes.response[3] == "oak tree"
    texts = ["two", "oak tree"]
    choices = LikelyChoices(lambda: texts, [-2.0, -2.4], "1", "acc_norm")
    assert choices.share("likelihood") == pytest.approx(0.0907, abs=1e-4)
    assert choices.share("normalised") == pytest.approx(0.5907, abs=1e-4)


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("colours_mc", "metric=acc_norm, confidence=normalised"),
        ("colours_brier", "metric=acc"),
        ("facts_gen", "filter=strict-match, metric=contains, no_answer=refusals"),
        ("facts_gen", "filter=strict-match, metric=contains, response=reply"),
        ("facts_gen", "filter=strict-match, metric=contains, item=doc.id"),
        ("facts_named", "metric=exact, threshold=50, declined=declined"),
    ],
)
def test_verdicts_without_texts_are_those_with_them(task, options):
    reader = item_log(f"lm_eval({options})")
    of_texts = {"input", "response", "reference", "references"}
    read = []
    for rows in (reader.items, reader.verdicts):
        notes = LogNotes()
        with opened(paths(task)[0]) as stream:
            records = [
                {name: record[name] for name in record.keys() - of_texts}
                for _, record in rows(stream, notes)
            ]
        read.append((records, notes, notes.chosen))
    assert read[0] == read[1]
    assert any(record["outcome"] == "right" for record in read[0][0])


def test_texts_of_long_files_are_not_read_for_their_verdicts(monkeypatch):
    [path] = paths("colours_mc")
    log = "lm_eval(metric=acc)"
    whole = demur.read_outcomes(path, log=log)
    monkeypatch.setattr("demur.formats.reading._SMALL", 0)
    monkeypatch.setattr("demur.logs.lm_eval_samples._input", None)
    told = demur.read_outcomes(path, log=log)
    assert told.confidence.tolist() == whole.confidence.tolist()
    assert told.signature == whole.signature


def test_models_are_systems_and_tasks_do_not_collide():
    both = demur.read_outcomes(*paths("facts_repeats", "ab"))
    assert set(both.system) == {"ours__canned-a", "ours__canned-b"}
    tasks = demur.read_outcomes(
        *paths("colours_mc"), *paths("colours_brier"), log="lm_eval(metric=acc)"
    )
    assert len(set(tasks.item)) == 13


@pytest.mark.parametrize(
    ("task", "log", "message"),
    [
        ("facts_gen", None, r"filter=strict-match, metric=exact_match.*several of fil"),
        ("facts_gen", "lm_eval(metric=contains)", "the filter must be named where"),
        ("facts_gen", "lm_eval(metric=acc)", "one of exact_match, contains"),
        ("facts_gen", "lm_eval(filter=x, metric=contains)", "one of strict-match"),
        ("facts_named", "lm_eval(metric=exact)", r"jsonl:1: exact.*threshold=LIMIT"),
        ("words_ppl", None, "got word_perplexity, bits_per_byte"),
        ("facts_repeats", "lm_eval(confidence=softmax)", "where there are no choices"),
    ],
)
def test_what_must_be_named_is_asked_for(task, log, message):
    with pytest.raises(demur.InputError, match=message):
        demur.read_outcomes(*paths(task), log=log)


def test_totals_and_samples_without_verdicts_say_what_to_do():
    with pytest.raises(demur.InputError, match=r"totals.*--log_samples"):
        demur.read_outcomes(FOLDER / "results_limit.json")
    with pytest.raises(demur.InputError, match="Judge them: demur judge"):
        demur.read_outcomes(FOLDER / "unjudged.jsonl")
    (first, _) = demur.read_responses(FOLDER / "unjudged.jsonl")
    assert (first.item, first.response) == ("0-a37a86fc", "Paris")


@pytest.mark.parametrize("option", ["threshold=x", "system=x", "invalid=x"])
def test_options_are_checked(option):
    with pytest.raises(demur.InputError, match="must be"):
        demur.read_outcomes(*paths("facts_repeats"), log=f"lm_eval({option})")


@pytest.mark.parametrize("task", ["colours_mc", "facts_repeats"])
def test_damage_is_named_or_does_no_harm(task):
    (path,) = paths(task)
    lines = path.read_text("utf-8").splitlines()
    log = "lm_eval(metric=acc)" if task == "colours_mc" else "lm_eval"
    for seed in range(120):
        draw = random.Random(seed)
        rows = [json.loads(line) for line in lines[:6]]
        rows[draw.randrange(6)] = damaged_value(draw, rows[draw.randrange(6)])
        text = "\n".join(map(json.dumps, rows))
        cut = draw.randrange(1, len(text)) if seed % 3 == 0 else len(text)
        with suppress(demur.DemurError):
            read = demur.read_outcomes(io.BytesIO(text[:cut].encode()), log=log)
            assert len(read) <= 6


def test_choices_that_begin_late_are_refused_and_not_read_as_unsure():
    line = json.loads(paths("colours_mc")[0].read_text().splitlines()[0])
    said = {**line, "resps": [["a"]], "filtered_resps": ["a"], "arguments": []}
    text = "\n".join(map(json.dumps, [said] * 20 + [line])).encode()
    with pytest.raises(demur.InputError, match=r":21: choices must be in the first l"):
        demur.read_outcomes(io.BytesIO(text), log="lm_eval(metric=acc)")
    log = "lm_eval(metric=acc, confidence=none)"
    items = [
        {**json.loads(each), "doc_id": n} for n, each in enumerate(text.split(b"\n"))
    ]
    text = "\n".join(map(json.dumps, items)).encode()
    assert len(demur.read_outcomes(io.BytesIO(text), log=log)) == 21
