"""What choose and recheck answer: sentences, tables, JSON, frames, gates, pages."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from builders import graded, printed, printed_json, run, stderr_of
from demur.results import document


def system(name: str, skill: float, n: int = 120, **columns: Any) -> demur.Outcomes:
    """Items with distinct confidences; the surer, the more often right."""
    rng = np.random.default_rng(int(100 * skill))
    confidence = rng.permutation(n) / n
    return graded(
        rng.random(n) < skill + (1 - skill) * confidence,
        confidence,
        system=name,
        item=[f"q{row}" for row in range(n)],
        groups={"topic": ["x", "y", "z"] * (n // 3)},
        **columns,
    )


SYSTEMS = [system(f"system {number}", 0.05 * number) for number in range(13)]
RULES: dict[str, dict[str, Any]] = {
    "cost": {"wrong_costs": 3},
    "free": {"cost_ratio": 0},
    "score": {"score": "omniscience-index"},
    "observed": {"max_error": 0.1},
    "answered": {"max_error": 0.1, "of": "answered"},
    "certified": {"max_error": 0.2, "certainty": 0.9},
    "nonreturn": {"nonreturn": 0.2},
    "balance": {"balance": True},
}


def chosen(rule: str, systems: list[demur.Outcomes] = SYSTEMS) -> demur.Choices:
    return demur.Choices(demur.choose(each, **RULES[rule]) for each in systems)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("systems")
    for number, outcomes in enumerate(SYSTEMS):
        demur.write_outcomes(outcomes, folder / f"{number:02}.jsonl")
    return folder


# -- sentences -----------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_systems", [1, 2, 13])
def test_the_answer_comes_first_and_fits_80_columns(rule: str, n_systems: int) -> None:
    answer = chosen(rule, SYSTEMS[:n_systems])
    text = str(answer)
    head = " ".join(answer.sentence().split())
    assert " ".join(text.split()).startswith(head)
    assert head.endswith(".")
    lines = [line for line in text.splitlines() if not line.startswith("signature: ")]
    assert max(map(len, lines)) <= 80
    assert answer.names[0] in text


def test_of_many_the_one_that_pays_least_is_named() -> None:
    answer = chosen("cost")
    costs = {each.system: each.cost for each in answer}
    for each in answer:
        assert each.cost == pytest.approx(each.error + each.nonreturn / 3)
    first, second = sorted(costs, key=lambda name: costs[name])[:2]
    (best,) = [each for each in answer if each.system == first]
    assert answer.sentence().startswith(
        f"{first} pays least where a wrong answer costs as much as 3 declined ones: "
        f"its cost is {costs[first]:.4g} per item ("
    )
    assert f"at a confidence of {best.cutoff} or more" in answer.sentence()
    assert f"; {second} follows with {costs[second]:.4g}" in answer.sentence()
    assert "demur compare" in answer.sentence()
    ranked = [costs[row[0]] for row in answer.tables()[0].rows]
    assert ranked == sorted(ranked)


def test_of_many_the_one_that_answers_most_is_named() -> None:
    for rule in ("observed", "certified"):
        answer = chosen(rule)
        best = min(answer, key=lambda each: each.nonreturn)
        assert f"{best.system} answers most with a" in answer.sentence()
    assert (
        "Promised of new items like these for each system by itself, with certainty 0.9"
        in answer.sentence()
    )
    assert len(answer) == 13
    assert "nothing is promised; a certainty of 0.9923 for each" in answer.sentence()
    pair = demur.Choices(answer[:2])
    assert (
        "this holds with certainty 0.8 only; a certainty of 0.95 for" in pair.sentence()
    )


def test_of_many_the_one_of_the_best_score_is_named() -> None:
    answer = chosen("score")
    best = max(answer, key=lambda each: each.score or 0)
    words = f"{best.system} has the best omniscience-index: {best.score:.3f} ("
    assert answer.sentence().startswith(words)
    costs = demur.Choices(
        demur.choose(each, score="weighted-error(weight=2)") for each in SYSTEMS
    )
    least = min(costs, key=lambda each: each.score or 0)  # less is better
    assert costs.sentence().startswith(f"{least.system} has the best weighted-error")


def test_where_none_can_answer_no_one_is_best() -> None:
    answer = demur.Choices(
        demur.choose(each, max_error=0.001, certainty=0.99, of="answered")
        for each in SYSTEMS[:3]
    )
    assert answer.sentence() == (
        "None of the 3 systems can answer anything with a certified error among the "
        "answers given of at most 0.001."
    )
    assert {row[2] for row in answer.tables()[0].rows} == {"none found"}
    silent = demur.choose(SYSTEMS[0], max_error=0, certainty=0.9)
    assert silent.sentence().startswith("system 0: never answer.")
    some = demur.Choices([silent, demur.choose(SYSTEMS[12], max_error=0.3)])
    assert "for 1 of the 2 systems the choice is silence" in some.sentence()


def test_systems_on_different_items_are_said() -> None:
    other = system("other", 0.5).take(np.arange(60))
    both = demur.Choices(
        demur.choose(each, balance=True) for each in (SYSTEMS[0], other)
    )
    assert any("different items: 60 in common" in note for note in both.notes)
    assert not any("different items" in note for note in chosen("balance").notes)


def test_the_honest_rates_are_the_ones_that_count() -> None:
    first, second = demur.halves(SYSTEMS[6], share=0.5)
    choice = demur.choose(first, wrong_costs=3)
    judged = choice.with_held_out(second)
    assert judged.held_out == choice.on(second)
    assert judged.held_out.error != judged.error
    figures = {figure.called: figure.value for figure in judged.figures()}
    assert figures["error"] == judged.held_out.error
    assert figures["cost"] == judged.held_out.cost
    assert (
        f"their cost is {judged.held_out.cost:.4g}"
        in demur.Choices([judged, judged]).sentence()
    )
    assert "On held-out items " in judged.sentence()
    assert [table.title for table in judged.tables()] == ["", "On held-out items"]


def test_a_recheck_says_what_became_of_the_target() -> None:
    old = system("a", 0.6, 300)
    lock = demur.lock(old, demur.choose(old, max_error=0.2))
    new = {
        name: graded(
            [row % every > 0 for row in range(300)],
            np.linspace(0, 1, 300),
            system="a",
            item=[f"n{row}" for row in range(300)],
        )
        for name, every in (("holds", 100), ("broken", 2), ("inconclusive", 5))
    }
    checked = {name: demur.recheck(lock, each) for name, each in new.items()}
    assert {name: each.verdict for name, each in checked.items()} == {
        name: name for name in new
    }
    assert checked["holds"].sentence().startswith("a: the target 0.2 holds: ")
    assert "is broken: " in checked["broken"].sentence()
    assert "is neither shown to hold nor broken" in checked["inconclusive"].sentence()
    assert (
        demur.recheck(lock, old)
        .sentence()
        .startswith("a: the target 0.2 is not tested, since")
    )
    many = demur.Rechecks(checked.values())
    assert many.sentence() == (
        "Of 3 locked targets 1 is broken (a), 1 is inconclusive, 1 holds."
    )
    assert [row[1] for row in many.tables()[0].rows] == [
        *("broken", "inconclusive", "holds")
    ]
    without = demur.lock(old, demur.choose(old, balance=True))
    assert "the lock has no target" in demur.recheck(without, new["holds"]).sentence()


def test_groups_say_who_differs_most() -> None:
    topics = system("a", 0.5)
    found = demur.declining_by(topics, "topic", cutoff=0.5)
    gap = found.gaps[0]
    assert f"are {gap.high} and {gap.low}, by {gap.difference:.3f}" in found.sentence()
    assert list(found.to_frame("polars")["topic"]) == ["all", "x", "y", "z"]
    assert found.to_frame("polars")["declined"][1] == found.groups[0].declined.share
    few = demur.declining_by(topics.take(np.arange(9)), "topic", cutoff="never")
    assert "no two groups of 10 items" in few.sentence()
    assert (few.overall.declined.value, few.overall.error_answered.value) == (1, None)


def test_a_group_column_called_like_a_rate_keeps_both() -> None:
    outcomes = graded([1, 0] * 12, range(24), groups={"error": ["x", "y"] * 12})
    frame = demur.declining_by(outcomes, "error", cutoff=3).to_frame("polars")
    assert list(frame["group_error"]) == ["all", "x", "y"]
    assert frame["error"][0] == 11 / 24


# -- what follows from the contract --------------------------------------------------

TOPICS = system("a", 0.5)
LOCK = demur.lock(TOPICS, demur.choose(TOPICS, max_error=0.2))
DECLINING = demur.declining_by(TOPICS, "topic", cutoff=0.4)
RESULTS: dict[str, demur.Result] = {
    "choice": demur.choose(TOPICS, wrong_costs=2),
    "judged": demur.choose(TOPICS, wrong_costs=2).with_held_out(SYSTEMS[3]),
    "promised": demur.choose(
        TOPICS, max_error=0.5, certainty=0.9, max_nonreturn=0.9, each="topic"
    ),
    "scored": demur.choose(TOPICS, score="reliability-score(c=1)"),
    "choices": chosen("observed"),
    "plan": demur.certificate_plan(max_error=0.1),
    "pilot": demur.certificate_plan(max_error=0.3, pilot=TOPICS),
    "declining": DECLINING,
    "rate": DECLINING.overall.declined,
    "group": DECLINING.groups[0],
    "gap": DECLINING.gaps[0],
    "lock": LOCK,
    "locks": demur.Locks([LOCK]),
    "recheck": demur.recheck(LOCK, TOPICS),
    "rechecks": demur.Rechecks([demur.recheck(LOCK, TOPICS)] * 2),
    "drift": demur.recheck(LOCK, SYSTEMS[5]).drift,
    "score": demur.linear_score("net-benefit(threshold=0.2)"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_equals_its_unpickled_copy_and_hashes(name: str) -> None:
    result = RESULTS[name]
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert hash(again) == hash(result)
    assert vars(again).keys() == vars(result).keys()
    assert document(again) == document(result)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_shown_everywhere(name: str) -> None:
    result = RESULTS[name]
    assert "<table>" in result._repr_html_()
    assert result.to_frame("polars").height
    plain = document(result)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    for table in result.tables():
        for column in table.columns:
            told = column.explained or column.cells in ("text", "value", "count")
            scalar = name in ("rate", "group", "gap", "lock", "locks", "drift", "score")
            assert told or scalar or column.wide
    assert len(repr(result)) <= 140


def test_reprs_show_the_answer() -> None:
    choice = demur.choose(TOPICS, max_error=0.2)
    assert repr(choice).startswith(f"Choice(system='a', cutoff={choice.cutoff:.4g}, ")
    assert "items_needed=29" in repr(RESULTS["plan"])
    assert repr(DECLINING.overall.declined).startswith("Rate(amount=48.0, base=120.0, ")
    assert "error=" in repr(RESULTS["recheck"])
    assert "penalty=0.25" in repr(RESULTS["score"])


# -- the commands --------------------------------------------------------------------


def test_json_is_flat_for_one_system_and_a_list_for_many(folder: Path) -> None:
    words = ["--max-error", "0.2", "--by", "topic", "--split", "0.5", "--json"]
    one = printed_json("choose", folder / "06.jsonl", *words)
    keys = {"system", "cutoff", "nonreturn", "error", "missed", "bound", "signature"}
    assert keys | {"demur", "sentence", "held_out"} <= one.keys()
    assert keys | {"declined"} <= one["held_out"].keys()
    assert one["held_out"]["signature"] != one["signature"]
    both = printed_json("choose", *sorted(folder.glob("0[56].jsonl")), *words)
    assert [each["system"] for each in both["systems"]] == ["system 5", "system 6"]
    assert both["systems"][1].keys() == one.keys() - {"demur", "sentence"}
    assert both["sentence"]
    assert both["signature"]


def test_choose_has_gates(folder: Path) -> None:
    words = ["choose", *sorted(folder.glob("*.jsonl")), "--max-error", "0.2"]
    printed(*words, "--fail-if", "error > 0.2")
    code, _, err = run(*words, "--fail-if", "system 1: nonreturn > 0.1")
    (choice,) = (each for each in chosen("observed") if each.system == "system 1")
    nonreturn = demur.choose(SYSTEMS[1], max_error=0.2).nonreturn
    assert choice.nonreturn > nonreturn > 0.1
    assert code == 1
    assert err == (
        f"demur: gate broken: system 1: nonreturn is {nonreturn:.6g}, must not be > 0.1"
        "  [--fail-if 'system 1: nonreturn > 0.1']\n"
    )
    stderr_of(*words, "--fail-if", "system 99: error > 0.1")


@pytest.mark.parametrize(
    ("words", "gate", "said"),
    [
        (["--max-error", "0.2"], "eror > 0.1", "Did you mean 'error'?"),
        (["--max-error", "0.2"], "bound > 0.1", "must be one of cutoff, error"),
        (["--max-error", "0.2"], "cost > 0.1", "must be one of cutoff, error"),
        (["--max-error", "0.2"], "gap_error > 0.1", "must be one of cutoff, error"),
        (
            ["--max-error", "0.2"],
            "error > 1",
            "be one that can be reached (from 0 to 1)",
        ),
        (["--max-error", "0.2"], "error@0.2 > 0.1", "stand without @ or brackets"),
        (["--max-error", "0.2"], "b worse than a", "be a condition on a figure"),
        (["--wrong-costs", "2"], "cost < 0", "be one that can be reached"),
        (["--prices"], "bound > 0.1", "must be one of error, nonreturn, cost"),
    ],
)
def test_gates_of_choose_are_checked_before_files_are_read(
    words: list[str], gate: str, said: str
) -> None:
    code, out, err = run("choose", "absent.jsonl", *words, "--fail-if", gate)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(
    ("words", "gate", "code"),
    [
        (["--max-error", "0.3", "--certainty", "0.9"], "bound > 0.31", 0),
        (["--max-error", "0.3", "--certainty", "0.9"], "bound > 0.1", 1),
        (["--wrong-costs", "3"], "cost > 0.01", 1),
        (["--score", "omniscience-index"], "score < -100", 0),
        (["--max-error", "0.3", "--by", "topic"], "gap_declined >= 0", 1),
        (["--max-error", "0", "--certainty", "0.9"], "cutoff > 0.5", 4),  # silence
        (["--max-error", "0.001", "--of", "answered"], "error_answered > 0.9", 0),
    ],
)
def test_figures_of_a_choice_are_held(
    words: list[str], gate: str, code: int, folder: Path
) -> None:
    stderr_of("choose", folder / "06.jsonl", *words, "--fail-if", gate, code=code)


def test_recheck_holds_more_than_the_verdict(folder: Path, tmp_path: Path) -> None:
    lock, files = tmp_path / "lock.json", sorted(folder.glob("0[56].jsonl"))
    printed("choose", *files, "--max-error", "0.2", "--lock", lock)
    renamed = [f"n{row}" for row in range(120)]
    new = [tmp_path / f"{number}.jsonl" for number in (5, 6)]
    for path, outcomes in zip(new, SYSTEMS[5:7], strict=True):
        demur.write_outcomes(
            graded(
                [row % 2 for row in range(120)],
                outcomes.confidence,
                system=outcomes.systems[0],
                item=renamed,
            ),
            path,
        )
    words = ["recheck", lock, *new, "--fail-if"]
    printed(*words, "error > 0.9")
    stderr_of(*words, "system 5: lower > 0.2", code=1)
    err = stderr_of(*words, "system 5: broken", code=1)
    assert err.startswith("demur: gate broken: system 5: broken, error at least 0.")
    assert "system 6" not in err
    stderr_of(*words, "broken > 0.5", code=2)
    stderr_of(*words, "total_variation > 1", code=2)
    stderr_of(*words, "system 7: broken")
    # A system that is locked and absent has no error to be held.
    stderr_of("recheck", lock, new[0], "--fail-if", "error > 0.9")
    printed("recheck", lock, new[0], "--fail-if", "system 5: error > 0.9")
    stderr_of("recheck", lock, new[0], "--fail-if", "system 6: broken", code=1)


@pytest.mark.parametrize(
    "words",
    [
        ["--wrong-costs", "3"],
        ["--max-error", "0.2", "--by", "topic", "--split", "0.5"],
        ["--prices"],
        ["--plan", "--max-error", "0.2", "--certainty", "0.9"],
    ],
)
@pytest.mark.parametrize("pattern", ["06.jsonl", "*.jsonl"])
def test_every_answer_fits_80_columns_and_a_page(
    words: list[str], pattern: str, folder: Path, tmp_path: Path
) -> None:
    files, page = sorted(folder.glob(pattern)), tmp_path / "page.html"
    code, out, err = run("choose", *files, *words, "--page", page)
    assert (code, err) == (0, f"demur: wrote {page}\n")
    lines = [line for line in out.splitlines() if not line.startswith("signature: ")]
    assert max(map(len, lines)) <= 80
    assert "system 6" in page.read_text("utf-8") or "--prices" in words
    assert "Content-Security-Policy" in page.read_text("utf-8")
