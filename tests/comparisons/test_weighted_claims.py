"""Two systems by their weighted errors: the test, its words, and what gates claim."""

import itertools

import numpy as np
import pytest

import demur
from builders import refuses, run, write_records
from demur import InputError
from demur.comparisons.own_decisions import own_difference
from demur.results.gates import parse_gate

NAMES = ("right", "wrong", "unanswered")


def system(name, outcomes, **columns):
    return demur.Outcomes.from_arrays(
        system=name, item=range(len(outcomes)), outcome=outcomes, **columns
    )


def drawn(name, chances, n=120, seed=0, **columns):
    rng = np.random.default_rng(seed)
    return system(name, rng.choice(NAMES, n, p=chances), **columns)


BOLD, SHY = (0.6, 0.4, 0.0), (0.5, 0.05, 0.45)


@pytest.mark.parametrize("weight", [0.5, 1, 2, 3.7])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
def test_the_difference_is_that_of_the_scores(weight, weighted, clustered):
    columns = {"weight": 1.0 + np.arange(120) % 3} if weighted else {}
    columns |= {"cluster": np.arange(120) // 4} if clustered else {}
    tables = [drawn("a", BOLD, **columns), drawn("b", SHY, seed=1, **columns)]
    found = own_difference(*tables, quantity="weighted error", weight=weight)
    a, b = (
        demur.score(table, weights=[weight]).scores[0].weighted[0].low
        for table in tables
    )
    assert found.value == pytest.approx(b - a, abs=1e-12)
    assert found.low <= found.value <= found.high
    back = own_difference(*tables[::-1], quantity="weighted error", weight=weight)
    assert (back.value, back.p_value) == pytest.approx((-found.value, found.p_value))


def test_p_is_that_of_all_flips_of_signs():
    a = ["wrong", "wrong", "unanswered", "right", "wrong", "unanswered", "wrong"]
    b = ["unanswered", "right", "right", "unanswered", "right", "right", "wrong"]
    lost = {"right": 0.0, "wrong": 2.0, "unanswered": 1.0}
    apart = np.array([lost[y] - lost[x] for x, y in zip(a, b, strict=True)])
    flips = np.array(list(itertools.product((-1, 1), repeat=len(a)))) @ apart
    expected = np.mean(np.abs(flips) >= abs(apart.sum()) - 1e-9)
    tables = [system("a", a), system("b", b)]
    found = own_difference(*tables, quantity="weighted error", weight=2)
    assert found.value == pytest.approx(apart.mean())
    # Never below that of the interval, so that the two agree.
    assert found.p_value >= expected - 1e-12
    assert found.method == "sign flips, exact"
    assert (found.low <= 0 <= found.high) == (found.p_value > 0.05)


def test_the_test_holds_its_level():
    """Two equal systems are told apart by luck in at most about 5 % of samples."""
    rejected = 0
    for seed in range(200):
        chances = (0.5, 0.2, 0.3)
        pair = (drawn(name, chances, 60, 2 * seed + at) for at, name in enumerate("ab"))
        found = own_difference(*pair, quantity="weighted error", weight=2, seed=seed)
        rejected += found.p_value <= 0.05
    assert 1 <= rejected <= 20  # 10 are expected; above 20 in one of 1,000 runs


def test_compare_says_who_loses_less_and_whether_by_luck():
    a, b = drawn("a", BOLD), drawn("b", SHY, seed=1)
    found = demur.compare(a, b, weight=2)
    assert [one.quantity for one in found.own] == [
        *("own error", "own nonreturn", "weighted error")
    ]
    assert "If a wrong answer costs 2, b has the lesser weighted error, " in (
        found.sentence()
    )
    assert "beyond luck" in found.sentence().partition("costs 2")[2]
    rates = found.tables()[0]
    assert [column.key for column in rates.columns][-1] == "weighted_error"
    scored = {s.system: s.weighted[0].low for s in demur.score(_both(a, b)).scores}
    assert {row[0]: pytest.approx(row[-1]) for row in rates.rows} == scored
    assert found.recipe["weight"] == "2.0"
    # Without the option nothing of it is there.
    assert "weighted" not in str(demur.compare(a, b))


def _both(a, b):
    columns = {
        name: [*getattr(a, name), *getattr(b, name)] for name in ("system", "item")
    }
    outcome = [*a.outcome.tolist(), *b.outcome.tolist()]
    return demur.Outcomes.from_arrays(**columns, outcome=outcome)


def test_equal_and_lucky_and_untested_are_said():
    few = ["wrong", "right", "unanswered"]
    same = demur.compare(system("a", few * 4), system("b", few * 4), weight=2)
    assert "both have the same weighted error, 1.000." in same.sentence()
    late = ["right", *(few * 4)[1:]]
    lucky = demur.compare(system("a", few * 4), system("b", late), weight=2)
    assert "b has the lesser weighted error" in lucky.sentence()
    assert "but luck may explain that" in lucky.sentence().partition("costs 2")[2]
    tiny = demur.compare(system("a", few), system("b", few[::-1]), weight=2)
    text = "weighted errors are 1.000 and 1.000; there is no test."
    assert tiny.sentence().endswith(text)


def test_what_nobody_graded_may_turn_it():
    a = drawn("a", BOLD, 60)
    outcomes = np.array(drawn("b", SHY, 60, seed=1).outcome.tolist(), object)
    outcomes[outcomes != "wrong"] = "ungraded"
    found = demur.compare(a, system("b", outcomes), weight=2)
    assert set(found.bounds) >= {"weighted error"}
    low, high = (one.value for one in found.bounds["weighted error"])
    assert low < high
    assert "ungraded answers or what failed might turn that" in found.sentence()
    verdict, _ = found.claim(parse_gate("a worse than b @weight 2"))
    assert verdict == "inconclusive"


@pytest.mark.parametrize(
    ("gate", "weight", "verdict"),
    [
        ("a worse than b @weight 2", 2, "gate broken"),
        ("b worse than a @weight 2", 2, "gate holds"),
        ("b worse than a @weight 2", None, "gate holds"),  # tested for the gate
        ("a worse than b @weight 1.2", 2, "inconclusive"),
        ("b worse than a @weight .1", 2, "gate broken"),
        ("b not worse than a by 0.01 @weight 2", 2, "gate holds"),
        ("a not worse than b by 0.1 @weight 2", 2, "gate broken"),
        ("a not worse than b by 1.5 @weight 2", 2, "gate holds"),
    ],
)
def test_gates_go_by_the_test(gate, weight, verdict):
    a, b = drawn("a", BOLD, 300), drawn("b", SHY, 300, seed=1)
    c = drawn("c", (0.3, 0.3, 0.4), 300, seed=2)
    for found in (
        demur.compare(a, b, weight=weight),
        demur.compare(a, b, weight=weight, at=[0.1, 0.2]),
        demur.compare_all([c, a, b], quantity="own error", at=None),
    ):
        assert found.claim(parse_gate(gate))[0] == verdict


def test_gates_of_the_command(tmp_path):
    a, b = drawn("a", BOLD), drawn("b", SHY, seed=1)
    rows = [
        {"system": name, "item": item, "outcome": outcome}
        for name, table in (("a", a), ("b", b))
        for item, outcome in enumerate(table.outcome.tolist())
    ]
    path = write_records(tmp_path / "o.jsonl", rows)
    words = ("compare", path, "--weight", "2")
    broken = run(*words, "--fail-if", "a worse than b @weight 2")
    assert broken.code == 1
    assert "a less b at weight 2: difference +" in broken.err
    assert run(*words, "--fail-if", "b worse than a @weight 2").code == 0
    assert run(*words, "--fail-if", "weighted_error < -0.1").code == 1
    assert run(*words, "--fail-if", "weighted_error > 1.9").code == 0
    assert run(*words, "--fail-if", "weighted_error > 2").code == 2  # never
    assert run("compare", path, "--fail-if", "weighted_error > 1").code == 2


def test_many_are_ranked_by_what_is_named():
    tables = [
        drawn("a", BOLD, 300),
        drawn("b", SHY, 300, seed=1),
        drawn("c", (0.3, 0.3, 0.4), 300, seed=2),
    ]
    found = demur.compare_all(tables, quantity="all", weight=2)
    assert found.sentence().startswith(
        "Of 3 systems b has the least weighted error at weight 2: "
    )
    [first, *_] = found.by_number
    assert {pair.difference.quantity for pair in first} == {"weighted error"}
    alone = demur.compare_all(tables, quantity="weighted error", at=None, weight=2)
    assert [pair.adjusted_p for pair in alone] == [pair.adjusted_p for pair in first]
    assert {pair.better for pair in alone} >= {"b"}


def test_what_is_no_weight_is_refused():
    a, b = drawn("a", BOLD), drawn("b", SHY, seed=1)
    for weight in (0, -1, float("inf"), float("nan"), "2", True):
        refuses("a weight must be above 0", demur.compare, a, b, weight=weight)
    compare_all = demur.compare_all
    refuses("weight", compare_all, [a, b], quantity="weighted error", at=None)
    refuses("come with quantity", compare_all, [a, b], quantity="own error", weight=2)
    for text in ("a worse than b @weight 0", "a not worse than b by 2 @weight 2"):
        with pytest.raises(InputError):
            parse_gate(text)
    refuses("a system", demur.compare(a, b).claim, parse_gate("a worse than b @weight"))
    gold = demur.Outcomes.from_arrays(
        system="a", correct=[1, 0] * 20, groups={"people": ["right", None] * 20}
    )
    other = demur.Outcomes.from_arrays(
        system="b", correct=[1, 1] * 20, groups={"people": ["right", None] * 20}
    )
    need = "weight must come without people's verdicts"
    refuses(need, demur.compare, gold, other, weight=2, gold="people")


def test_counted_outcomes_have_none(tmp_path):
    paths = []
    for name, chances in (("a", BOLD), ("b", SHY)):
        rows = [
            {"system": name, "item": item, "outcome": outcome}
            for item, outcome in enumerate(drawn(name, chances).outcome.tolist())
        ]
        paths.append(write_records(tmp_path / f"{name}.jsonl", rows))
    pytest.importorskip("duckdb")
    counted = [demur.count_outcomes(path, engine="duckdb") for path in paths]
    refuses("weight must come without counted", demur.compare, *counted, weight=2)
    ended = run("compare", *paths, "--engine", "duckdb", "--weight", "2")
    assert ended.code == 2
    assert "--weight" in ended.err
