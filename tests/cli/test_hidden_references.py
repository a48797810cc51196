"""``--hide-references``: every byte that is written, searched for every reference."""

import sqlite3

import pytest

import demur
from builders import run, stderr_of, write_records
from demur.outcomes.hidden_references import HIDDEN

SECRETS = (
    *("zz1oslo", "zz2bergen", "71001.5", "zz3min", "zz4max", "zz5sql", "zz6query"),
    *("zz7rationale", "zz8why", "zz9note", "zz10meaning", "71234", "zz11ref"),
)
"""Words of which some stand in each value of each reference."""

TEXTS = [
    {
        "item": f"q{number}",
        "input": f"question {number}?",
        "reference": reference,
        "class": "A",
        "subject": "s1",
        "rationale": "zz7rationale",
        "meanings": ["zz10meaning"],
        **more,
    }
    for number, (reference, more) in enumerate(
        [
            ("zz1oslo", {}),
            ("zz1oslo", {"answerable": True}),
            ("71234 kg", {}),
            (["zz2bergen", "zz11ref"], {}),
            ({"answer": "zz1oslo"}, {"cluster": "d1"}),
            ("zz1oslo.", {}),
        ]
    )
]
TABLES = [
    {"item": f"q{number}", "class": "A", "min": least, "max": most}
    for number, (least, most) in enumerate(
        [
            ('((71001.5 "zz3min"))', '((71001.5 "zz3min" "zz4max"))'),
            ('(("zz3min"))', None),
            ('(("zz3min"))', None),
            ("(71001.5)", None),
        ]
    )
]
QUERIES = [
    {
        "item": f"q{number}",
        "class": "A",
        "db": "base.sqlite",
        "sql": f"SELECT zz5sql FROM zz6query WHERE {number} < 9",
        "max_sql": "SELECT * FROM zz6query",
    }
    for number in range(3)
]
ANSWERS = {
    "text": (TEXTS, ["oslo", "zzz", "71", "x", "y", "ZZ"]),
    "number": (
        [{"item": f"q{n}", "class": "A", "reference": "71234 kg"} for n in range(3)],
        ["7", "8", "9 kg"],
    ),
    "cas": (TABLES, ["((1))", '(("x" 3))', "((", "()"]),
    "sql": (QUERIES, ["SELECT 1", "SELECT x FROM y", "SELECT 'a', 'b' WHERE 0"]),
}


def said(answers):
    return [
        {"item": f"q{n}", "system": system, "response": text, "confidence": 0.1 * n}
        for system in "ab"
        for n, text in enumerate(answers)
    ]


class Watched:
    """All that commands write, on the terminal and into files of a folder."""

    def __init__(self, folder):
        self.folder, self.before, self.printed = folder, {*folder.iterdir()}, []

    def run(self, *words, code=0):
        """Run a command; what it printed."""
        ended = run(*words)
        assert ended.code == code, ended.err
        self.printed.append(ended.out + ended.err)
        return self.printed[-1]

    def told(self):
        """The words of references in all that was written since."""
        files = [path for path in self.folder.iterdir() if path not in self.before]
        text = "\n".join([*self.printed, *(path.read_text("utf-8") for path in files)])
        self.printed.clear()
        return told(text)


def told(text):
    return [secret for secret in SECRETS if secret in text]


@pytest.fixture
def files(tmp_path):
    with sqlite3.connect(tmp_path / "base.sqlite") as base:
        base.execute("CREATE TABLE zz6query (zz5sql TEXT, zz4max REAL)")
        base.execute("INSERT INTO zz6query VALUES ('zz3min', 71001.5)")

    def made(by):
        references, answers = ANSWERS[by]
        return (
            str(write_records(tmp_path / "responses.jsonl", said(answers))),
            str(write_records(tmp_path / "references.jsonl", references)),
        )

    return made


@pytest.mark.parametrize(
    ("by", "ending"), [(by, ending) for by in ANSWERS for ending in ("jsonl", "csv")]
)
def test_nothing_of_a_reference_is_written(by, ending, files, tmp_path):
    paths = files(by)
    watched = Watched(tmp_path)
    out, page = tmp_path / f"o.{ending}", tmp_path / "p.html"
    words = ("judge", *paths, "--by", by, "-o", out, "--page", page)
    watched.run(*words)
    assert watched.told()  # the search finds it
    text = watched.run(*words, "--hide-references")
    assert HIDDEN in " ".join(text.split())
    watched.run("judge", *paths, "--by", by, "--json", "--hide-references")
    assert watched.told() == []
    # What participants may see can be scored by them.
    watched.run("score", out, "--by", "class", "--json")
    watched.run("report", out, "-o", page)
    assert watched.told() == []


@pytest.mark.parametrize("by", ANSWERS)
def test_the_verdicts_are_the_same(by, files):
    responses, references = files(by)
    read = (
        [*demur.read_responses(responses)],
        [*demur.read_references(references)],
    )
    shown, hidden = (
        demur.judge(*read, by=by, hide_references=hide) for hide in (False, True)
    )
    assert hidden.outcome.tolist() == shown.outcome.tolist()
    assert set(hidden.groups) <= {"class", "subject"}
    assert not {"unanswerable", "both_empty"} & {*hidden.reason_code.tolist()}


def test_that_nothing_is_right_is_hidden_too():
    references = [{"item": "q", "answerable": False}, {"item": "r", "reference": "x"}]
    responses = [{"item": "q", "response": "y"}, {"item": "r", "response": "y"}]
    hidden = demur.judge(responses, references, hide_references=True)
    assert hidden.answerable is None
    assert [*hidden.reason_code] == ["differs", "differs"]
    assert len({*hidden.reason}) == 1


def test_columns_of_responses_stay():
    references = [{"item": "q", "reference": "zz1oslo", "topic": "zz9note"}]
    responses = [{"item": "q", "response": "y", "tokens": 3, "topic": "?"}]
    hidden = demur.judge(responses, references, hide_references=True)
    assert {name: [*c] for name, c in hidden.groups.items()} == {"tokens": [3]}


def test_pages_items_and_scores_of_whole_outcomes(files, tmp_path):
    paths, out = files("cas"), tmp_path / "whole.jsonl"
    run("judge", *paths, "--by", "cas", "-o", out)
    watched = Watched(tmp_path)
    page, listed = tmp_path / "p.html", tmp_path / "i.jsonl"
    watched.run("report", out, "-o", page)
    assert watched.told()
    watched.run("report", out, "-o", page, "--hide-references")
    watched.run("items", out, "-o", listed, "--hide-references")
    for further in ([], ["--json"], ["--by", "class"]):
        watched.run("score", out, *further, "--hide-references")
    assert watched.told() == []


@pytest.mark.parametrize("name", ["reference", "min", "max_sql", "right_constant"])
@pytest.mark.parametrize("command", ["score", "report"])
def test_a_table_by_answers_is_refused(command, name):
    words = (command, "o.jsonl", "--by", name, "--hide-references")
    assert "--by must name no column of answers" in stderr_of(*words, code=2)


def test_a_floor_quotes_answers(tmp_path):
    rows = [
        {"item": n, "outcome": "wrong", "reference": "zz1oslo", "response": "x"}
        for n in range(4)
    ]
    out = write_records(tmp_path / "o.jsonl", rows)
    watched = Watched(tmp_path)
    words = ("report", out, "-o", tmp_path / "p.html")
    watched.run(*words)
    assert watched.told() == ["zz1oslo"]
    watched.run(*words, "--hide-references")
    assert watched.told() == []


def test_adjudications_say_whose_verdicts_changed_alone(files, tmp_path):
    change = {"item": "q1", "by": "Ada", "why": "zz8why", "set": {"reference": "zzz"}}
    decided = write_records(tmp_path / "a.jsonl", [change])
    words = ("judge", *files("text"), "--adjudications", decided)
    watched = Watched(tmp_path)
    watched.run(*words)
    assert "zz8why" in watched.told()
    for further in ([], ["--json"]):
        assert "Ada" in watched.run(*words, "--hide-references", *further)
    assert watched.told() == []


def test_merged_references_are_not_quoted_by_the_report(tmp_path):
    paths = [
        write_records(
            tmp_path / f"{name}.jsonl",
            [{"item": "q", "input": "Who?", "reference": answer}],
        )
        for name, answer in (("ada", "zz1oslo"), ("bo", "zz2bergen"))
    ]
    words = ("merge", *paths, "-o", tmp_path / "m.jsonl")
    assert told(run(*words).out) == ["zz1oslo", "zz2bergen"]
    for further in ([], ["--json"]):
        text = run(*words, "--hide-references", *further).out
        assert told(text) == []
        assert "conflicting-reference" in text


def test_an_explanation_shows_the_reference_and_is_refused(files):
    words = ("judge", *files("text"), "--explain", "q1", "--hide-references")
    text = stderr_of(*words, code=2)
    assert "--explain must come without --hide-references" in text
