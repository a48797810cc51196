"""``demur check-judge``: what it says before it asks, what it pays, what it prints."""

import json
from collections import Counter

import pytest

import demur
from builders import printed, read_records, run, stderr_of, write_records
from planted_judges import answers
from simulated_judge import SimulatedJudge, fields_of, judge_server


def is_right(_question, answer):
    return " right" in str(answer)


@pytest.fixture
def files(tmp_path):
    responses, references = answers(items=10)
    return [
        write_records(tmp_path / "responses.jsonl", responses),
        write_records(tmp_path / "references.jsonl", references),
    ]


@pytest.fixture
def judge():
    """A judge that says of three in ten answers what is listed first."""
    simulated = SimulatedJudge(is_right, first=0.3)
    with judge_server(simulated.reply) as (address, posted):
        yield f"model({address})", posted


def test_it_says_what_it_will_ask_and_asks_no_more(files, judge, tmp_path):
    by, posted = judge
    command = ["check-judge", *files, "--by", by, "--cache", tmp_path / "cache.db"]
    plan = json.loads(printed(*command, "--dry-run", "--json"))
    assert (plan["verdicts"], plan["most_requests"]) == (100, 100)
    assert set(plan["ways"].values()) == {20}
    assert "100 verdicts will be asked for: 20 answers in 5 ways; at most 100" in (
        printed(*command, "--dry-run")
    )
    assert not posted
    ended = run(*command, "--concurrency", "4")
    assert (ended.code, len(posted)) == (0, 100)
    assert "100 verdicts will be asked for" in ended.err
    assert "spent: 10,000 prompt tokens" in ended.err


def test_nothing_is_paid_twice_and_a_repeat_is_another_sample(files, judge, tmp_path):
    by, posted = judge
    command = ["check-judge", *files, "--by", by, "--cache", tmp_path / "cache.db"]
    first = printed(*command, "--checks", "repeat")
    assert len(posted) == 40
    assert {*Counter(str(payload) for payload in posted).values()} == {2}
    assert printed(*command, "--checks", "repeat") == first
    assert len(posted) == 40
    printed(*command, "--checks", "order,repeat")
    assert len(posted) == 60
    printed("judge", *files, "--by", by, "--cache", tmp_path / "cache.db")
    assert len(posted) == 60


def test_each_way_of_asking_changes_one_thing(files, judge):
    by, posted = judge
    printed("check-judge", *files, "--by", by, "--items", "1")
    prompts = [payload["messages"][-1]["content"] for payload in posted]
    of_a = [text for text in prompts if fields_of(text)["ANSWER"].split()[1] == "a"]
    as_is, turned, again, padded, bare = of_a
    assert again == as_is
    assert [line for line in as_is.splitlines() if line.startswith("- ")] != [
        line for line in turned.splitlines() if line.startswith("- ")
    ]
    assert "nothing else to add" in fields_of(padded)["ANSWER"]
    assert "REFERENCES" in fields_of(as_is)
    assert "REFERENCES" not in fields_of(bare)


def test_a_planted_order_breaks_a_gate_and_stands_in_json(files, judge, tmp_path):
    by, _ = judge
    verdicts = tmp_path / "verdicts.jsonl"
    command = ["check-judge", *files, "--by", by, "--checks", "order,repeat"]
    ended = run(*command, "--fail-if", "claimed > 0", "--verdicts", verdicts, "--json")
    assert ended.code == 1
    assert "gate broken: claimed is" in ended.err
    plain = json.loads(ended.out)
    order = next(e for e in plain["effects"] if e["measure"] == "right")
    assert order["claimed"]
    assert order["effect"] < 0
    assert plain["sentence"].startswith("Beyond luck, of 2 effects")
    records = read_records(verdicts)
    changed = sum(record["as_is"] != record["order"] for record in records) / 20
    assert changed == pytest.approx(
        next(e for e in plain["effects"] if e["measure"] == "changed")["after"]
    )
    agreed = json.loads(
        printed("agree", verdicts, "--annotators", "as_is,order", "--json")
    )
    assert agreed["coefficients"][0]["observed"] == pytest.approx(changed)


def test_people_and_its_own_model_are_named(files, judge):
    by, _ = judge
    shown = printed(
        *("check-judge", *files, "--by", by, "--gold", "people", "--own", "a"),
        *("--checks", "own,length", "--wide"),
    )
    assert "surplus" in shown
    assert "of its own model's" in shown


def test_a_python_judge_may_be_a_system_or_a_name():
    responses, references = answers(items=12)
    judge = SimulatedJudge(is_right, first=0.5)

    class Replying:
        def respond(self, inputs):
            return judge.respond(inputs)

    by_cases = demur.check_judge(judge, responses, references, ["order", "repeat"])
    by_system = demur.check_judge(
        Replying(), responses, references, ["order", "repeat"]
    )
    assert by_system.effects == by_cases.effects
    with judge_server(judge.reply) as (address, posted):
        by_name = demur.check_judge(
            f"model({address})", responses, references, ["order"]
        )
    assert len(posted) == 48
    shares = [found.effect("order").effect for found in (by_name, by_cases)]
    assert shares[0] == pytest.approx(shares[1])


@pytest.mark.parametrize(
    ("more", "message", "code"),
    [
        (["--by", "text"], "--by must be a model that judges; got text", 2),
        (
            ["--checks", "order,lenght"],
            "--checks must be one of order, repeat, length, own",
            2,
        ),
        (["--gold", "peopel"], "Did you mean 'people'?", 4),
        (["--own", "a", "--checks", "order"], "--own must come with the check own", 2),
        (["--own", "c"], "own_systems must be one of a, b; got 'c'", 4),
        (["--items", "0"], "--items", 2),
        (["--fail-if", "claimd > 0"], "claimed", 2),
        (["--fail-if", "order right > 2"], "order right", 2),
        (["--budget", "1"], "--budget must come with --prices", 2),
        (["--verdicts", "v.csv"], "--verdicts", 2),
    ],
)
def test_wrong_usage_is_one_line_and_nothing_is_asked(
    files, judge, more, message, code
):
    by, posted = judge
    named = [] if more[0] == "--by" else ["--by", by]
    assert message in stderr_of("check-judge", *files, *named, *more, code=code)
    assert not posted


def test_a_verdict_file_is_none_of_those_that_are_read(files, judge):
    by, posted = judge
    said = stderr_of("check-judge", *files, "--by", by, "--verdicts", files[0], code=2)
    assert "--verdicts" in said
    assert not posted


def test_own_without_a_system_is_refused_before_it_is_paid_for(files, judge):
    by, posted = judge
    err = stderr_of("check-judge", *files, "--by", by, "--checks", "own", code=2)
    assert "--checks own must come with --own SYSTEM" in err
    assert not posted
