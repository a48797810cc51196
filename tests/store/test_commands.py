"""``demur keep`` and ``demur show``."""

import json
from datetime import UTC, datetime

import pytest

import demur
from builders import printed, printed_json, run, stderr_of

NOW = ("--now", "2027-03-01T12:00:00Z")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Responses, references and outcomes in the current folder; the store is there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DEMUR_STORE", raising=False)
    (tmp_path / "r.jsonl").write_text(
        '{"item": "q1", "response": "The Rhine", "confidence": 0.9, "topic": "x"}\n'
        '{"item": "q2", "response": "oslo", "confidence": 0.4}\n'
    )
    (tmp_path / "ref.jsonl").write_text(
        '{"item": "q1", "reference": "rhine"}\n{"item": "q2", "reference": "Oslo"}\n'
    )
    printed("judge", "r.jsonl", "ref.jsonl", "-o", "o.jsonl")
    return tmp_path


@pytest.mark.usefixtures("files")
def test_a_signature_tells_how_a_file_was_judged():
    """Then the run is comparable with one that the store judged itself."""
    signature = printed_json("judge", "r.jsonl", "ref.jsonl", "--by", "text")
    signature = signature["signature"]
    told = printed_json("keep", "o.jsonl", "--judged", signature, *NOW)
    assert told["recipe"]["comparator"] == "text/2"
    assert told["signature"] == signature
    assert "not known" not in " ".join(told["notes"])
    again = printed_json("keep", *RECORDS, "--by", "text", *NOW)
    assert (again["same_data"], again["unlike"]) == ([1], [])


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("text", "the signature must be the signature of a judge; got 'text'"),
        ("demur:0.1.0|missing:error|items:2", "must be the signature of a judge"),
        ("demur:0.1.0|by:text|items:3", "must be of 2 items, as the outcomes are"),
        ("demur:0.1.0|by:text", "must be of 2 items, as the outcomes are; got none"),
    ],
)
def test_what_is_no_signature_of_the_file_is_refused(signature, words):
    told = stderr_of("keep", "o.jsonl", "--judged", signature, code=4)
    assert words in " ".join(told.split())


@pytest.mark.usefixtures("files")
def test_judged_is_about_outcomes():
    for words in ([*RECORDS, "--by", "text"], ["--forget", "1"]):
        assert "--judged" in stderr_of("keep", *words, "--judged", "x", code=2)


RECORDS = ("--responses", "r.jsonl", "--references", "ref.jsonl")


def test_outcomes_of_a_file_are_kept_and_written_back(files):
    text = printed("keep", "o.jsonl", "--tag", "main", "--note", "first", *NOW)
    assert text.startswith("Kept as run 1 in demur.sqlite, tagged main.\n")
    assert "note: the first run here" in text
    assert "how these verdicts came about is not known" in " ".join(text.split())
    printed("show", "main", "-o", "back.jsonl")
    assert (files / "back.jsonl").read_text() == (files / "o.jsonl").read_text()
    assert printed("show", "1", "-o", "-").startswith('{"item":"q1"')
    again = printed_json("keep", "o.jsonl", *NOW)
    assert (again["run"], again["new_bytes"], again["same_data"]) == (2, 0, [1])


@pytest.mark.usefixtures("files")
def test_responses_are_judged_and_kept_with_how():
    printed("keep", "o.jsonl", *NOW)
    text = printed("keep", *RECORDS, "--by", "text", *NOW)
    assert "note: the data are those of run 1" in text
    assert "figures are not comparable with it: by: nothing in run 1, text" in text
    shown = printed_json("show", "2")
    assert shown["recipe"]["comparator"] == "text/2"
    assert shown["has_records"]
    again = printed("keep", "--again", "2", "--by", "text(normalise=squad)", *NOW)
    assert "judged anew, kept as run 3: 1 of 2 verdicts have changed." in again
    assert "q1" in again
    code, _, err = run(
        "keep", "--again", "2", "--by", "label", "--fail-if", "changed > 0"
    )
    assert code == 1
    assert "gate broken: changed is 1, must not be > 0" in err


def test_references_that_were_adjudicated(files):
    printed("keep", *RECORDS, "--by", "text", *NOW)
    (files / "new.jsonl").write_text(
        '{"item": "q1", "reference": "The Rhine"}\n'
        '{"item": "q2", "reference": "Oslo"}\n'
    )
    facts = printed_json("keep", "--again", "1", "--references", "new.jsonl", *NOW)
    assert [change["item"] for change in facts["changes"]] == ["q1"]
    text = printed("show")
    assert [line.split()[-1] for line in text.splitlines()[4:6]] == ["A", "B"]


@pytest.mark.usefixtures("files")
def test_tags_move_and_runs_are_forgotten():
    for _ in range(2):
        printed("keep", "o.jsonl", "--tag", "main", *NOW)
    assert (
        printed("keep", "--untag", "2", "--tag", "main") == "Run 2 bears no tag now.\n"
    )
    assert printed_json("show", "main")["run"] == 1
    assert printed("keep", "--on", "2", "--tag", "best") == "Run 2 bears best now.\n"
    assert "must be one that run 2 bears; got 'main'. It bears best." in stderr_of(
        "keep", "--untag", "2", "--tag", "main"
    )
    assert printed("keep", "--forget", "1") == "Run 1 is forgotten.\n"
    assert [one["run"] for one in printed_json("show")["runs"]] == [2]
    assert printed("show", "--tag", "none").startswith("0 runs in demur.sqlite.")


def test_references_are_hidden_where_outcomes_are_written_for_others(files):
    printed("keep", *RECORDS, "--by", "text", *NOW)
    assert "rhine" in printed("show", "1", "-o", "-")
    assert "rhine" not in printed("show", "1", "-o", "-", "--hide-references")
    printed("show", "1", "-o", "out.jsonl", "--hide-references")
    assert "rhine" not in (files / "out.jsonl").read_text()


def test_a_lock_is_kept_as_it_is(files):
    rows = [[True, 0.9 - row / 1000] for row in range(90)] + [[False, 0.1]] * 9
    outcomes = demur.Outcomes.from_arrays(
        item=[*range(99)], correct=[r for r, _ in rows], confidence=[c for _, c in rows]
    )
    demur.write_outcomes(outcomes, files / "many.jsonl")
    printed("choose", "many.jsonl", "--max-error", "0.1", "--lock", "lock.json")
    printed("keep", "many.jsonl", "--lock", "lock.json", *NOW)
    printed("show", "1", "--lock", "back.json")
    assert (files / "back.json").read_bytes() == (files / "lock.json").read_bytes()
    printed("keep", "o.jsonl", *NOW)
    assert "run 2 must have a lock" in stderr_of("show", "2", "--lock", "no.json")
    stderr_of("keep", "many.jsonl", "--lock", "o.jsonl")
    assert len(printed_json("show")["runs"]) == 2


def test_the_store_is_named_by_the_option_or_the_environment(files, monkeypatch):
    monkeypatch.setenv("DEMUR_STORE", "other.sqlite")
    assert "in other.sqlite" in printed("keep", "o.jsonl", *NOW)
    assert "in third.sqlite" in printed("keep", "o.jsonl", "--store", "third.sqlite")
    assert not (files / "demur.sqlite").exists()


def test_many_systems_are_one_run(files):
    outcomes = demur.Outcomes.from_arrays(
        item=["q1", "q2"] * 3, system=[*"aabbcc"], correct=[1, 0, None, 1, 0, 0]
    )
    demur.write_outcomes(outcomes, files / "three.csv")
    printed("keep", "three.csv", *NOW)
    assert "a and 2 more" in printed("show")
    assert [one["system"] for one in printed_json("show", "1")["systems"]] == [*"abc"]
    assert "a and 2 more" in printed("show", "--system", "c")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "OUTCOMES must be given; got none. Or judge: --responses R"),
        (["o.jsonl", "--by", "text"], "--by must come without OUTCOMES"),
        (["--responses", "r.jsonl"], "must be given together; got --responses alone"),
        (["o.jsonl", "--references", "ref.jsonl"], "got --references alone"),
        ([*RECORDS], "OUTCOMES must be given; got --responses without --by"),
        (["o.jsonl", "--again", "1"], "--again must come without OUTCOMES"),
        (["--on", "1"], "--on must come with --tag; got none"),
        (["--forget", "1", "--by", "text"], "must come with --again or --responses"),
        (["--forget", "1", "--on", "1"], "not allowed with"),
        (["o.jsonl", "--tag", "7"], "must be a word that is no number; got '7'"),
        (["o.jsonl", "--now", "today"], "be a date with a time"),
        (["o.jsonl", "--now", "2027-03-01"], "say that it is in UTC"),
        ([*RECORDS, "--by", "text", "--timeout", "1"], "must be given with --by sql"),
    ],
)
def test_options_that_do_not_go_together(words, message, files):
    assert message in stderr_of("keep", *words, code=2)
    assert not (files / "demur.sqlite").exists()


@pytest.mark.usefixtures("files")
def test_show_says_which_options_need_a_run():
    printed("keep", "o.jsonl", *NOW)
    assert "--output must come with RUN" in stderr_of("show", "-o", "a.csv", code=2)
    assert "--tag must come without RUN" in stderr_of("show", "1", "--tag", "a", code=2)
    gate = ("--fail-if", "runs < 1")
    assert "demur gate holds" in stderr_of("show", "1", *gate, code=2)
    assert run("show", "--fail-if", "runs < 2").code == 1


def test_sql_is_judged_anew_on_its_databases(files):
    import sqlite3

    with sqlite3.connect(files / "fares.sqlite") as connection:
        connection.execute("CREATE TABLE fare (cents INTEGER)")
        connection.execute("INSERT INTO fare VALUES (100), (200)")
    connection.close()
    (files / "r.jsonl").write_text('{"item": "q", "response": "SELECT 100"}\n')
    (files / "ref.jsonl").write_text(
        json.dumps({"item": "q", "sql": "SELECT MIN(cents) FROM fare"}) + "\n"
    )
    printed("keep", *RECORDS, "--by", "sql", "--db-root", "fares.sqlite", *NOW)
    again = printed("keep", "--again", "1", "--by", "sql", "--db-root", "fares.sqlite")
    assert "all 1 verdicts are as they were" in again


@pytest.mark.usefixtures("files")
def test_runs_are_listed_and_the_newest_is_last():
    with demur.Store("demur.sqlite", make=True) as store:
        when = datetime(2027, 1, 1, tzinfo=UTC)
        for number in range(30):
            outcomes = demur.Outcomes.from_arrays(correct=[number % 2, 1])
            store.keep(outcomes, when=when, note=str(number))
    listed = [line.split()[0] for line in printed("show").splitlines()[4:34]]
    assert listed == [str(number) for number in range(1, 31)]
