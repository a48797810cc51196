"""``demur difficulty --rasch`` and ``--information``: how hard items were."""

import shlex

import numpy as np
import pytest

import demur
from builders import graded, printed, printed_json, run, stderr_of, write_records

N_ITEMS, N_SYSTEMS = 40, 12
RNG = np.random.default_rng(4)
HARD, ABLE = RNG.normal(size=N_ITEMS), np.linspace(-1.5, 1.5, N_SYSTEMS)
RIGHT = RNG.random((N_SYSTEMS, N_ITEMS)) < 1 / (1 + np.exp(HARD - ABLE[:, None]))


def rows_of(system, right=None, items=range(N_ITEMS)):
    right = RIGHT[system] if right is None else right
    return [
        {"item": f"q{k}", "outcome": "right" if right[k] else "wrong", "confidence": k}
        for k in items
    ]


def written(path, rows_by_system):
    rows = [
        {**row, "system": f"s{system}"}
        for system, rows in rows_by_system.items()
        for row in rows
    ]
    return write_records(path, rows)


@pytest.fixture
def outcomes(tmp_path):
    rows = {system: rows_of(system) for system in range(N_SYSTEMS)}
    return written(tmp_path / "outcomes.jsonl", rows)


def test_the_command_has_the_figures_of_the_verb(outcomes):
    found = demur.rasch(demur.read_outcomes(outcomes))
    plain = printed_json("difficulty", outcomes, "--rasch")
    assert plain["difficulties"] == found.difficulties.tolist()
    assert plain["abilities"] == {k: list(v) for k, v in found.abilities.items()}
    assert (
        found.sentence().split()
        == printed("difficulty", outcomes, "--rasch").split()[
            : len(found.sentence().split())
        ]
    )


def test_systems_without_names_are_called_as_their_files(tmp_path, outcomes):
    paths = [
        write_records(tmp_path / f"s{system}.jsonl", rows_of(system))
        for system in range(N_SYSTEMS)
    ]
    one, several = (
        printed_json("difficulty", *files, "--rasch") for files in ([outcomes], paths)
    )
    assert several["abilities"] == one["abilities"]


def test_curves_by_difficulty_follow(tmp_path, outcomes):
    parted = tmp_path / "parted.jsonl"
    run("difficulty", outcomes, "--rasch", "-o", parted, "--strata", 3)
    found = demur.read_outcomes(parted, groups=["difficulty"])
    assert len(set(found.groups["difficulty"].tolist())) == 3
    text = printed("curve", parted, "--by", "difficulty", "--where", "system=s6")
    assert "1 of 3, up to" in text


def test_gates_hold_reliability_and_information(outcomes, tmp_path):
    gate = ("--fail-if", "reliability < 0.99")
    assert "gate broken" in stderr_of("difficulty", outcomes, "--rasch", *gate, code=1)
    table = tmp_path / "p.csv"
    table.write_text("p_with,p_without,kind\n0.5,0.25,a\n1,0.5,b\n0.25,0.5,a\n")
    command = ("difficulty", table, "--information", "--by", "kind")
    plain = printed_json(*command)
    assert plain["mean"] == pytest.approx(1 / 3)
    assert plain["by"] == [["a", 2, 0.0], ["b", 1, 1.0]]
    gate = ("--fail-if", "misled > 0.3")
    assert "misled" in stderr_of(*command, *gate, code=1)


def test_columns_of_probabilities_are_named(tmp_path):
    table = tmp_path / "p.csv"
    table.write_text("a,b\n0.5,0.25\n0,0.5\n")
    command = ("difficulty", table, "--information")
    assert "--given COLUMN" in stderr_of(*command)
    named = (*command, "--given", "a", "--without", "b")
    assert f"{table}:3: a must be a probability above 0" in stderr_of(*named)


def test_designs_that_cannot_be_fitted_are_refused(tmp_path):
    """Parts without common items, one item, few systems, no item that parts systems."""
    half = N_ITEMS // 2
    apart = {
        system: rows_of(
            system, items=range(half) if system < 6 else range(half, N_ITEMS)
        )
        for system in range(N_SYSTEMS)
    }
    single = {system: rows_of(system, items=range(1)) for system in range(N_SYSTEMS)}
    sure = {
        system: rows_of(system, np.full(N_ITEMS, system > 5))
        for system in range(N_SYSTEMS)
    }
    reasons = {
        "have no items in common": apart,
        "one item; at least 2": single,
        "0 systems are right on some items and wrong on others": sure,
        "1 system; at least 10": {3: rows_of(3)},
    }
    for reason, rows in reasons.items():
        path = written(tmp_path / "bad.jsonl", rows)
        assert reason in stderr_of("difficulty", path, "--rasch")


def test_perfect_scorers_have_a_bound(tmp_path):
    rows = {system: rows_of(system) for system in range(N_SYSTEMS)}
    rows[0] = rows_of(0, np.ones(N_ITEMS, bool))
    path = written(tmp_path / "perfect.jsonl", rows)
    plain = printed_json("difficulty", path, "--rasch")
    assert plain["abilities"]["s0"] == [None, None]
    least, most = plain["bounds"]["s0"]
    assert 1.5 < least < 8
    assert most is None
    assert "at least" in printed("difficulty", path, "--rasch")


def test_items_without_a_judged_answer_are_named():
    outcomes = graded([1, 0], [2.0, 1.0])
    with pytest.raises(demur.InputError, match="item 1 must not be NaN"):
        demur.with_strata(outcomes, {0: 1.0, 1: float("nan")})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "--markable must name a column"),
        ("--markable item", "--value must name a column"),
        ("--rasch --information", "not allowed with"),
        ("--rasch --markable item", "--markable must not come with --rasch"),
        ("--rasch --level 0.9", "--level must not come with --rasch"),
        ("--information --plot a.svg", "--plot must not come with --information"),
        ("--information --strata 3", "--strata must not come with --information"),
        ("--markable a --value b --by c", "--by must come with --information"),
        ("--markable a --value b -o c.jsonl", "--output must come with --rasch"),
        ("--rasch --fail-if 'entropy > 1'", "entropy"),
        ("--rasch -o OUTCOMES", "a file that is read"),
    ],
)
def test_options_that_do_not_fit_are_wrong_usage(options, message, outcomes):
    words = shlex.split(options.replace("OUTCOMES", str(outcomes)))
    assert message in stderr_of("difficulty", outcomes, *words, code=2)
