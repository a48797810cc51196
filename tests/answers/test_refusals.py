"""What looks like a refusal, and what is done about it."""

# Letters that look like ours at times:
# ruff: noqa: RUF001

import csv
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import demur
from builders import judge_files, judge_one, printed, printed_json, refuses
from demur.answers.refusals import NoAnswers, looks_like_refusal
from demur.outcomes.phrases import MODULES
from demur.outcomes.refusals import ALONE, NOTED, looks_like_failure, refusal_language

FILES = Path(__file__).parents[2]
EXAMPLES = FILES / "benchmarks/refusals"


def rows_of(folder: str, language: str) -> list[tuple[str, bool]]:
    path = FILES / f"tests/golden/refusals/{folder}/{language}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [(row["text"], row["refusal"] == "1") for row in csv.DictReader(file)]


def counts(language: str, *folders: str) -> tuple[int, int, int]:
    """Of some texts: refusals seen, answers taken for refusals, and refusals."""
    rows = [row for folder in folders for row in rows_of(folder, language)]
    seen = [refuses_ for text, refuses_ in rows if refusal_language(text) is not None]
    return sum(seen), len(seen) - sum(seen), sum(refuses_ for _, refuses_ in rows)


@pytest.mark.parametrize(
    "text",
    ["", "  ", "I don't know.", "i dont know", "I do not know the answer.", "IDK",
     "I\u2019m sorry, but I cannot answer.", "Unfortunately, I can't help with that",
     "I am not sure.", "As an AI, I cannot provide that.", "unknown", "N/A",
     "There is not enough information.", "It cannot be determined", "No idea!", "?",
     "No answer is possible.", "NoAnswer", "no_answer", "[NO ANSWER]",
     "No valid answer",
     "The answer cannot be found in the passage.", "No answer can be found.",
     "The name could not be found in the given text.",
     "There is no such ship mentioned.",
     "The year isn't stated.", "Cannot be determined from the passage.",
     "This is unanswerable based on the context.", "I don't recall.", "Not provided",
     "There is no mill mentioned in the passage.", "Cannot be determined.",
     "I cannot solve this problem.", "No answer exists in the text.",
     "I cannot provide that information as it violates our privacy policy.",
     "I'm unable to solve this because the question lacks data.",
     "There is no way to tell from the given information.",
     "There is no way of knowing.", "I'm not sure about that one, sorry.",
     "No idea, sorry.", "Not sure about that one.", "No clue, I'm sorry.",
     "I'm sorry, but I don't know which capital that is.",
     "I'm not sure which city that is."],
)  # fmt: skip
def test_refusals(text: str) -> None:
    assert looks_like_refusal(text)


@pytest.mark.parametrize(
    "text",
    ["Oslo", "The Unknown Soldier", "Nonesuch", "None", "I know: Rome", "no",
     "I can see Rome", "Sorry was sung by Justin Bieber", "knowledge",
     "none of the Beatles", 3, ["a"], "No answer came", "No Answer at the Door",
     "There were no deaths recorded.", "It cannot be found in Asia.",
     "Not given to him",
     "The name was not given to them.", "There is no mill in the passage of time.",
     "There is no way to tell a story better.", "No way to know but by boat",
     "The question is answered by Kant.", "I don't recall the name, but it is Oslo.",
     "I'm not sure, but I think it is Oslo", "I'm not sure about that one, but Oslo.",
     "I'm not sure about that one, sorry, Oslo", "No idea, sorry, Oslo",
     "I'm not sure about that one, sorry. Oslo", "No Idea Sorry Band",
     "I'm not sure which city that is, Bergen", "Not sure about that one, Oslo",
     "I don't know which city it is: Oslo", "I don't know who that was by Nirvana"],
)  # fmt: skip
def test_answers_that_are_none(text: object) -> None:
    assert not looks_like_refusal(text)


RESPONSES = [
    {"item": "q1", "response": "I don't know."},
    {"item": "q2", "response": ""},
    {"item": "q3", "response": "No comment"},
    {"item": "q4", "response": "unknown"},
    {"item": "q5", "response": "Oslo"},
]
REFERENCES = [
    {"item": "q1", "answerable": False},
    {"item": "q2", "reference": "Rome"},
    {"item": "q3", "reference": "Bonn"},
    {"item": "q4", "reference": "unknown"},
    {"item": "q5", "reference": "Oslo"},
]


def test_they_are_counted_and_nothing_is_reclassified() -> None:
    outcomes = demur.judge(RESPONSES, REFERENCES)
    assert outcomes.counts() == {"right": 2, "wrong": 3, "unanswered": 0, "ungraded": 0}
    (note,) = outcomes.notes
    assert note.startswith("2 wrong answers that look like a refusal or are empty")
    assert "--no-answer refusals" in note
    alone = demur.judge(RESPONSES[1:2], REFERENCES[1:2])
    assert "1 wrong answer that looks like a refusal or is empty" in alone.notes[0]


def test_patterns_make_them_unanswered() -> None:
    outcomes = demur.judge(RESPONSES, REFERENCES, no_answer=["refusals", "no comment"])
    assert outcomes.counts() == {"right": 2, "wrong": 0, "unanswered": 3, "ungraded": 0}
    assert outcomes.recipe["no_answer"] == "refusals, no comment"
    counted, kept = outcomes.notes
    assert counted.startswith("3 responses that say that there is no answer (")
    assert kept.startswith("1 response that no_answer=refusals, no comment would take")
    only = demur.judge(RESPONSES, REFERENCES, no_answer="no.*")
    assert only.counts()["unanswered"] == 1
    assert only.reason.tolist()[2] == "says that there is no answer"
    refuses("no_answer must be a regular expression", NoAnswers, "(")


@pytest.mark.parametrize("library", [pd, pl])
def test_dataframes_are_judged(library: object) -> None:
    frames = [library.DataFrame(rows[1:]) for rows in (RESPONSES, REFERENCES)]
    outcomes = demur.judge(*frames)
    listed = demur.judge(RESPONSES[1:], REFERENCES[1:])
    assert outcomes.reason.tolist() == listed.reason.tolist()
    assert outcomes.item.tolist() == ["q2", "q3", "q4", "q5"]


def test_gaps_in_a_frame_are_nothing() -> None:
    frame = pd.DataFrame(
        {"item": ["q1", "q2"], "response": ["Rome", None], "confidence": [0.5, None]}
    )
    outcomes = demur.judge(
        frame, [{"item": q, "reference": "Rome"} for q in ("q1", "q2")]
    )
    assert outcomes.counts()["unanswered"] == 1


def test_the_command_line_says_it_too(tmp_path) -> None:
    judge = judge_files(tmp_path, RESPONSES, REFERENCES)
    out = printed(*judge)
    assert "mean credit" in out
    assert "0.400" in out
    found = printed_json(*judge, "--no-answer", "refusals")
    assert found["unanswered"] == 2
    assert found["systems"][0]["mean_credit"] == 0.4
    out = printed(*judge, "--no-answer", "refusals", "--explain", "q1")
    assert "says that there is no answer" in out


def test_the_nearest_alternative_explains() -> None:
    def why(response: object, *values: object, by: str = "text") -> str:
        outcomes = judge_one(response, {"references": list(values)}, by=by)
        return str(outcomes.reason[0])

    assert why("Osloo", "Bergen", "Oslo") == (
        "none of 2 alternatives (nearest: alternative 2)"
    )
    assert why("xyz", "Bergen", "Oslo") == "none of 2 alternatives"
    assert "nearest: alternative 1: off by 1" in why("11", "10", "99", by="number")


# Of the held-out texts as counts: 40 refusals and 40 answers for each language.
SURE = 0.95


UNTESTED = {"da", "no", "th"}  # who made their phrases wrote all texts but the third

# At first sight, by phrases since mended: refusals seen, and answers taken for some.
AT_FIRST = {
    "measured_then_mended": {
        "en": (18, 7), "de": (25, 3), "nl": (23, 6), "ru": (26, 5),
    },
    "put_aside": {"en": (14, 0), "de": (14, 1), "nl": (10, 0), "ru": (13, 2)},
    "third_set": {
        "en": (23, 3), "de": (20, 0), "nl": (19, 1), "ru": (17, 0), "da": (19, 2),
        "no": (15, 2), "th": (14, 1), "uk": (13, 0), "ja": (19, 2), "ko": (23, 1),
    },
    "fourth_set": {"en": (24, 2), "nl": (19, 2), "ru": (18, 1), "ja": (17, 3)},
}  # fmt: skip


@pytest.mark.parametrize("language", MODULES)
def test_languages_that_change_verdicts_are_precise(language: str) -> None:
    right, wrong, there = counts(language, "held_out")
    assert there == (0 if language in UNTESTED else 40)
    assert right >= 0.4 * there
    for figures in AT_FIRST.values():
        more, mistaken = figures.get(language, (0, 0))
        right, wrong = right + more, wrong + mistaken
    assert (right >= SURE * (right + wrong)) == (language not in NOTED)


BLIND = ("held_out", "third_set", "fourth_set")


@pytest.mark.parametrize("language", sorted(ALONE))
def test_what_says_nothing_else_is_precise_where_a_language_is_not(
    language: str,
) -> None:
    rows = [row for folder in BLIND for row in rows_of(folder, language)]
    seen = [declines for text, declines in rows if looks_like_refusal(text)]
    assert language in NOTED
    assert sum(seen) >= SURE * len(seen)
    assert sum(seen) >= 0.3 * sum(declines for _, declines in rows)


@pytest.mark.parametrize("folder", ["third_set", "fourth_set"])
def test_sets_without_sight_of_the_phrases_are_whole(folder: str) -> None:
    for language in AT_FIRST[folder]:
        rows = rows_of(folder, language)
        assert [declines for _, declines in rows] == [True] * 40 + [False] * 40


@pytest.mark.parametrize("language", ["en", "de", "nl", "ru", "da", "no", "th"])
def test_what_was_mended_stays_so(language: str) -> None:
    for folder, number in (("measured_then_mended", 40), ("put_aside", 15)):
        rows = rows_of(folder, language)
        assert [refuses_ for _, refuses_ in rows] == [True] * number + [False] * number
        right, wrong, _ = counts(language, folder)
        assert wrong == 0
        assert right >= 0.6 * number


def test_a_language_that_is_noted_changes_no_verdict() -> None:
    sure = ["Das weiß ich nicht.", "Я не знаю.", "I don't know, sorry."]
    noted = ["Det ved jeg ikke.", "Det vet jeg ikke.", "ไม่ทราบ"]
    noted += ["I can't give legal advice, but mostly the notice is a month."]
    assert [looks_like_refusal(text) for text in (*sure, *noted)] == [True] * 3 + (
        [False] * 4
    )
    for text in noted:
        outcomes = judge_one(text, {"reference": "Oslo"}, no_answer="refusals")
        assert outcomes.counts()["wrong"] == 1
        assert "1 wrong answer that looks like a refusal" in outcomes.notes[0]


@pytest.mark.parametrize("language", MODULES)
def test_phrases_that_were_published_are_known(language: str) -> None:
    with (EXAMPLES / f"{language}.csv").open(encoding="utf-8", newline="") as file:
        texts = [row["text"] for row in csv.DictReader(file)]
    assert sum(refusal_language(text) is not None for text in texts) >= 13


def test_refusals_end_fast_whatever_they_repeat() -> None:
    for words in ("ben bu konuda ", "je ne peux pas ", "it this that ", "не я это "):
        assert refusal_language((words * 40)[:400]) is None


@pytest.mark.parametrize(
    "piece",
    ["To", "그것은", "这件事我", "Ich muss diese Anfrag", "As an AI researcher "],
)
def test_a_piece_that_is_said_again_and_again_takes_no_time(piece: str) -> None:
    """Phrases went through all ways to part it, which had no end."""
    assert refusal_language((piece * 200)[:399] + "x") is None
    assert refusal_language("I don't know, " * 2 + "I don't know.") == "en"


@pytest.mark.parametrize(
    "piece",
    ["<a>", "[a] ", "answer: ", "I'm not sure; ", "Oslo: ", "🤷 ", "jeg ved ikke om ",
     "ฉันไม่สามารถ", "error: ", "Error.", "{", "no information about the "],
)  # fmt: skip
def test_ten_thousand_characters_take_no_time(piece: str) -> None:
    text = (piece * 10_000)[:10_000]
    assert refusal_language(text) is None
    assert looks_like_failure(text) == (piece == "error: ")
    looks_like_refusal(text[:399])


@pytest.mark.parametrize(
    ("text", "language"),
    [("Не знаю, з чого почати, але це Київ.", None), ("Цього я не знаю.", "uk"),
     ("Этого я не знаю.", "ru"), ("Jeg aner ikke.", "da"), ("Det veit eg ikkje.", "da"),
     ("I don't know. Why?", None), ("모르겠어요. 왜요?", "ko"),
     ("わかりません。オスロ？", None)],
)  # fmt: skip
def test_what_follows_decides(text: str, language: str | None) -> None:
    assert refusal_language(text) == language
