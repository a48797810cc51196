"""``demur judges``: files of judges in, what each is worth and at which price."""

import json
import shlex

import numpy as np
import pytest

import demur
import judge_cases
from builders import printed, printed_json, run, stderr_of

PRICES = ["small=0.01", "large=0.1", "people=2"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = judge_cases.simulated(
        *(np.random.default_rng(0), 120),
        accuracy={"small": 0.8, "large": 0.93},
        cannot_tell=0.05,
    )
    for name, table in made.items():
        demur.write_outcomes(table, f"{name}.jsonl")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_judges_are_called_like_their_files():
    words = ["judges", "small.jsonl", "large.jsonl", "--price", *PRICES]
    found = printed_json(*words, "--most-error", "20%", "--json")
    assert [judge["system"] for judge in found["judges"]] == ["small", "large"]
    assert found["prices"] == {"small": 0.01, "large": 0.1, "people": 2}
    assert found["best"] in {one["arrangement"] for one in found["arrangements"]}
    assert found["most_error"] == 0.2
    text = " ".join(printed(*words, "--most-error", "0.2").split())
    assert f"is {found['best']}" in text
    assert "Cutoffs of judges, certified" in text


@pytest.mark.usefixtures("folder")
def test_what_is_written_is_read_by_all_that_reads_outcomes():
    err = stderr_of("judges", "small.jsonl", "large.jsonl", "-o", "v.jsonl", code=0)
    assert "wrote v.jsonl" in err
    assert "small" in printed("curve", "v.jsonl")
    assert "less small" in printed("compare", "v.jsonl", "--at", "0.2")
    assert "small" in printed("choose", "v.jsonl", "--max-error", "0.1")
    assert "Counts" in printed("score", "v.jsonl")


@pytest.mark.usefixtures("folder")
def test_arrangements_are_those_that_are_named():
    words = ["judges", "small.jsonl", "large.jsonl", "--json"]
    asked = ["cascade(small@0.9, large, people)", "unanimous(small, large)"]
    options = [word for text in asked for word in ("--arrange", text)]
    found = printed_json(*words, *options)
    assert {one["arrangement"] for one in found["arrangements"]} == {*asked}
    assert found["prices"] == {}


def test_columns_of_one_table_are_judges(folder):
    rows = [
        {"item": k, "a": "right", "a_confidence": k / 40, "b": "wrong", "people": "yes"}
        for k in range(40)
    ]
    (folder / "wide.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = printed_json("judges", "wide.jsonl", "--verdicts", "a,b", "--json")
    first, second = found["judges"]
    assert (first["error"]["value"], second["error"]["value"]) == (0, 1)
    assert (first["area"], second["area"]) == (0, None)


@pytest.mark.usefixtures("folder")
def test_a_picture_and_a_page_are_written():
    words = ["judges", "small.jsonl", "large.jsonl", "--price", *PRICES]
    err = stderr_of(*words, "--plot", "a.svg", "--page", "a.html", code=0)
    assert "wrote a.svg" in err
    assert "wrote a.html" in err


@pytest.mark.usefixtures("folder")
def test_gates_hold_judges_and_the_best():
    words = ["judges", "small.jsonl", "large.jsonl", "--price", *PRICES]
    assert run(*words, "--fail-if", "judge_error > 0.5").code == 0
    err = stderr_of(*words, "--fail-if", "judge_error > 0.1", code=1)
    assert "small" in err
    best = [*words, "--most-error", "0.3", "--fail-if"]
    assert run(*best, "best_bound > 0.3").code == 0
    assert run(*best, "best_price > 2").code == 0
    never = [*words, "--most-error", "0.001", "--fail-if", "best_price > 2"]
    assert "no arrangement is that good" in stderr_of(*never)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--fail-if 'best_price > 1'", "best_price"),
        ("--price small=x people=2", "be a number from 0 upwards"),
        ("--price small=-1", "be a number from 0 upwards"),
        ("--price small=nan", "be a number from 0 upwards"),
        ("--price 3", "read NAME=PRICE"),
        ("--price small=1 small=2", "name each judge once; got small twice"),
        ("--arrange 'vote(a'", "must read like vote"),
        ("--arrange 'vote(a, a)'", "name each judge once"),
        ("--most-error 1", "inside (0, 1)"),
        ("--verdicts a,a", "name each column once; got a twice"),
        ("--verdicts a --columns item=id", "come without --columns"),
        ("-o small.jsonl", "not be a file that is read"),
        ("./small.jsonl", "be a file for each judge; got ./small.jsonl twice"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_wrong_usage_is_told_before_any_work(options, words):
    err = stderr_of("judges", "small.jsonl", *shlex.split(options), code=2)
    assert words in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--price small=1", "none for people"),
        ("--price medium=1 people=2", "must be one of small, people"),
        ("--gold peeple", "name a column with people's verdicts"),
        ("--arrange 'vote(small, large)'", "must be one of small"),
        ("other.jsonl", "none in common"),
    ],
)
def test_what_does_not_fit_the_files_is_bad_input(options, words, folder):
    line = {"item": "z", "outcome": "right", "people": "right"}
    (folder / "other.jsonl").write_text(json.dumps(line))
    assert words in stderr_of("judges", "small.jsonl", *shlex.split(options))


def test_the_published_verdict_on_nq301_is_turned_round(demur_data, tmp_path):
    """The judge that is also one of the judged says the other of the two is worse."""
    path = str(demur_data / "nq301_judges" / "verdicts.csv.gz")
    words = ["judges", path, "--verdicts", "gpt4,davinci003", "--gold", "human"]
    output = str(tmp_path / "v.jsonl")
    found = json.loads(printed(*words, "-o", output, "--json"))
    assert found["answers"] == found["labelled"] == 2990
    gpt4, own = found["judges"]
    assert [judge["n_left"] for judge in (gpt4, own)] == [1, 0]
    assert round(own["error"]["value"], 3) == 0.143
    judges = demur.read_outcomes(output, groups=None)
    few, zero = "text-davinci-003_fewshot-n64", "text-davinci-003_zeroshot"

    def wrong(judge, system, column):
        part = judges.select(system=judge)
        rows = part.column("answered_by") == system
        return round(float((part.column(column)[rows] == "wrong").mean()), 3)

    by_people = [wrong("davinci003", system, "human") for system in (few, zero)]
    by_itself = [wrong("davinci003", system, "verdict") for system in (few, zero)]
    assert by_people == [0.236, 0.288]
    assert by_itself == [0.313, 0.224]
    # Where it judges its own answers without retrieval it accepts what is wrong.
    own = judges.select(system="davinci003")
    accepts = (own.column("verdict") == "right") & (own.column("human") == "wrong")
    shares = {
        system: float(accepts[own.column("answered_by") == system].mean())
        for system in set(own.column("answered_by").tolist())
    }
    assert max(shares, key=shares.__getitem__) == zero


@pytest.mark.parametrize("other", ["Oslo", "Bergen"])
def test_judges_of_other_answers_to_the_same_items_are_noted(other, tmp_path):
    paths = []
    for name, response in (("a", "Oslo"), ("b", other)):
        table = demur.Outcomes.from_arrays(
            item=range(4),
            outcome=["right", "right", "wrong", "right"],
            response=["Rome", "Rome", "Rome", response],
            groups={"people": ["right", "wrong", "wrong", "right"]},
        )
        paths.append(tmp_path / f"{name}.jsonl")
        demur.write_outcomes(table, paths[-1])
    text = " ".join(printed("judges", *paths).split())
    note = "1 responses that b judged are not those of a, such as '3': were both"
    assert (note in text) == (other != "Oslo")
