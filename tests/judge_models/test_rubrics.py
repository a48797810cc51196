"""Rubrics: those that are shipped, those of users, and files that are none."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import demur
from builders import refuses
from demur.judge_models import rubrics
from demur.judge_models.prompts import prompts_of
from demur.judge_models.replies import choice_of
from demur.judge_models.rubrics import RUBRICS, plain_word, read_rubric

SOUND = """
rubric = "mine"
version = 2
shows = ["response"]
instructions = "Judge."
[[choices]]
name = "good"
means = "it is good"
credit = 1
[[choices]]
name = "bad"
means = "it is bad"
credit = 0
"""


def written(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("name", RUBRICS)
def test_a_shipped_rubric_is_read_and_asks(name):
    rubric = read_rubric(name)
    assert rubric.name == name
    assert str(rubric) == f"{name}/{rubric.version}/{rubric.digest}"
    assert any(choice.verdict == "cannot_tell" for choice in rubric.choices)
    case = demur.JudgeCase("Oslo", "Where?", (("Oslo", 1.0),), text="In Oslo.")
    for prompt in prompts_of(case, rubric):
        assert all(f"\n- {choice.name}: " in prompt.text for choice in rubric.choices)
        assert "{" not in prompt.text
    assert sum(prompt.weight for prompt in prompts_of(case, rubric)) == pytest.approx(1)


@pytest.mark.parametrize("name", RUBRICS)
def test_every_word_of_a_shipped_rubric_names_its_choice_alone(name):
    rubric = read_rubric(name)
    for choice in rubric.choices:
        for word in (choice.name, *choice.also):
            for text in (word, word.upper(), f"**{word}**", f"{word}.", f"({word})"):
                assert choice_of(text, rubric) is choice, text


def test_every_shipped_file_is_named():
    folder = Path(rubrics.__file__).parent / "rubric_files"
    assert {path.stem for path in folder.iterdir()} == set(RUBRICS)


def test_a_rubric_of_a_user_is_a_file(tmp_path):
    path = written(tmp_path, SOUND)
    rubric = read_rubric(path)
    assert (rubric.name, rubric.version) == ("mine", 2)
    assert read_rubric(str(path)) == read_rubric(rubric) == rubric
    judge = demur.JudgeModel(lambda _: "Answer: good", path)
    [verdict] = judge.verdicts([demur.JudgeCase("any")])
    assert (verdict.credit, verdict.code) == (1.0, "right")


def test_whatever_the_judge_is_told_changes_the_digest(tmp_path):
    seen = set()
    for text in (
        SOUND,
        SOUND.replace("Judge.", "Judge!"),
        SOUND.replace("it is bad", "it is not good"),
        SOUND.replace('["response"]', '["question", "response"]'),
        SOUND.replace("credit = 0", "credit = 0.1"),
    ):
        seen.add(read_rubric(written(tmp_path, text)).digest)
    assert len(seen) == 5


CRITERIA = SOUND.replace("Judge.", "Judge {criterion}")
ONE = '[[criteria]]\nname = "tone"\nasks = "Is it kind?"\n'

HOSTILE = {
    "unknown key": ("colour = 1\n" + SOUND, "no keys but rubric, .*'colour'"),
    "misspelt key": ("instruction = 'x'\n" + SOUND, "Did you mean 'instructions'"),
    "unknown key of a choice": (SOUND + "colour = 1", "a choice .*'colour'"),
    "no choices": (SOUND.partition("[[choices]]")[0], r"\[\[choices\]\].*got none"),
    "choices that are words": (
        SOUND.partition("[[choices]]")[0] + 'choices = ["good"]',
        "a choice must be a table",
    ),
    "one credit": (SOUND.replace("credit = 0", "credit = 1"), "different credits"),
    "a credit above 1": (
        SOUND.replace("credit = 1", "credit = 2"),
        "from 0 to 1; got 2",
    ),
    "a credit that is NaN": (
        SOUND.replace("credit = 1", "credit = nan"),
        "from 0 to 1",
    ),
    "a credit that is a flag": (
        SOUND.replace("credit = 1", "credit = true"),
        "got True",
    ),
    "neither credit nor verdict": (SOUND.replace("credit = 1", ""), "got neither"),
    "both": (SOUND + 'verdict = "declined"', "got both"),
    "unknown verdict": (
        SOUND.replace("credit = 0", 'verdict = "maybe"'),
        "declined, cannot_tell; got 'maybe'",
    ),
    "one word for two": (SOUND + 'also = ["GOOD"]', "stand for one choice"),
    "a name of signs": (SOUND.replace('"bad"', '"?!"'), "a letter or a digit"),
    "also is a text": (SOUND + 'also = "b"', "be a list of words"),
    "no version": (SOUND.replace("version = 2", ""), "version must be a whole number"),
    "a version in words": (
        SOUND.replace("= 2", '= "2"'),
        "whole number from 1; got '2'",
    ),
    "no name": (
        SOUND.replace('rubric = "mine"', ""),
        "rubric must be a text; got none",
    ),
    "a name of two lines": (SOUND.replace('"mine"', '"a\\nb"'), "be one line"),
    "no instructions": (
        SOUND.replace('"Judge."', '" "'),
        "instructions must be a text",
    ),
    "shows nothing": (SOUND.replace('["response"]', "[]"), "shows must be a list"),
    "shows no response": (
        SOUND.replace('["response"]', '["question"]'),
        "hold response",
    ),
    "shows what is not": (SOUND.replace('["response"]', '["answer"]'), "got 'answer'"),
    "a placeholder": (SOUND.replace("Judge.", "Judge {response}"), r"got \{response\}"),
    "an open brace": (SOUND.replace("Judge.", "Judge {"), "instructions must hold no"),
    "a format": (CRITERIA.replace("criterion}", "criterion:>9}") + ONE, "a format"),
    "no criteria": (CRITERIA, "have criteria to fill"),
    "no placeholder": (SOUND + ONE, "hold {criterion} where"),
    "a weight of 0": (CRITERIA + ONE + "weight = 0", "at most 1,000,000; got 0"),
    "a negative weight": (
        CRITERIA + ONE + "weight = -1",
        "at most 1,000,000; got -1",
    ),
    "an endless weight": (CRITERIA + ONE + "weight = inf", "be a number above 0"),
    "weights without a sum": (
        CRITERIA + ONE + "weight = 1e308",
        "at most 1,000,000; got 1e\\+308",
    ),
    "a weight without a float": (
        CRITERIA + ONE + "weight = 1" + "0" * 400,
        "at most 1,000,000; got 1000",
    ),
    "a number without end": (
        SOUND.replace("credit = 1", "credit = 1" + "0" * 5000),
        "a rubric must be TOML",
    ),
    "a choice twice": (
        SOUND + '[[choices]]\nname = "Good"\nmeans = "x"\ncredit = 0.5',
        "word of its own; got 'Good' twice",
    ),
    "another word of signs": (
        SOUND + 'also = ["no", "\u2717"]',
        "also must hold a letter or a digit each; got",
    ),
    "a criterion twice": (CRITERIA + ONE + ONE, "name of its own"),
    "no TOML": ("rubric = ", "a rubric must be TOML"),
    "not UTF-8": (b"\xff\xfe" + SOUND.encode(), "text in UTF-8"),
    "nothing": ("", "rubric must be a text; got none"),
    "deep": ("a = " + "[" * 5000, "a rubric must be TOML"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_one_line_with_its_name(name, tmp_path):
    text, message = HOSTILE[name]
    path = written(tmp_path, text)
    refuses(rf"(?s)^{path}: .*{message}", read_rubric, path)
    with pytest.raises(demur.InputError) as caught:
        read_rubric(path)
    assert "\n" not in str(caught.value)


def test_what_is_no_rubric_is_refused(tmp_path):
    refuses("Did you mean 'same-answer'", read_rubric, "same-answers")
    refuses("a file in TOML or a Rubric", read_rubric, "")
    refuses("a file in TOML or a Rubric", read_rubric, 7)
    refuses("or a file in TOML", read_rubric, tmp_path)
    refuses("or a file in TOML", read_rubric, "long" * 2_000)


def test_braces_may_be_written(tmp_path):
    text = SOUND.replace("Judge.", "Judge {{this}}.")
    rubric = read_rubric(written(tmp_path, text))
    [prompt] = prompts_of(demur.JudgeCase("x"), rubric)
    assert "Judge {this}." in prompt.text


def test_a_word_is_compared_without_its_dress():
    assert plain_word(" *Not_Attempted*\n") == "not attempted"
    assert plain_word("\u2019\u2019") == ""
    assert plain_word("can\u2019t  tell!") == "can't tell"


def test_the_docs_show_a_rubric_that_is_one(tmp_path):
    page = Path(__file__).parents[2] / "docs" / "judge_models.md"
    text = page.read_text("utf-8").partition("```toml\n")[2].partition("```")[0]
    assert tomllib.loads(text)
    assert len(read_rubric(written(tmp_path, text)).criteria) == 2


@pytest.mark.parametrize("name", RUBRICS)
def test_a_rubric_is_itself_when_it_is_read_again(name):
    rubric = read_rubric(name)
    assert read_rubric(rubric) == rubric
    assert str(read_rubric(rubric)) == str(rubric)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"instructions": "{response}"}, "hold no placeholder but {criterion}"),
        ({"choices": ()}, "choices must be tables"),
        ({"choices": ("good", "bad")}, "choices must be a RubricChoice"),
        ({"version": 0}, "version must be a whole number from 1"),
        ({"shows": ("question",)}, "shows must hold response"),
        ({"criteria": (rubrics.Criterion("a", "b", 0),)}, "weight"),
    ],
)
def test_a_rubric_of_python_is_checked_as_one_of_a_file(tmp_path, changes, words):
    sound = read_rubric(written(tmp_path, SOUND))
    refuses(words, read_rubric, replace(sound, **changes))


def test_a_credit_of_python_is_a_share(tmp_path):
    sound = read_rubric(written(tmp_path, SOUND))
    choices = (replace(sound.choices[0], credit=7.0), sound.choices[1])
    refuses("be a number from 0 to 1", read_rubric, replace(sound, choices=choices))
