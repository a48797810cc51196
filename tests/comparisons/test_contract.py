"""Comparisons and scores as results: sentence, figures, gates, tables, recipe."""

import inspect
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import demur
from builders import by_outcome, graded, printed, run, stderr_of
from demur.results import document
from demur.results.gates import broken_gates, parse_gate

NAMES = [f"s{number}" for number in range(13)]


def system(name: str, better: float = 0.0, n: int = 120) -> demur.Outcomes:
    """A system that is right more often the surer it is, and declines now and then."""
    rng = np.random.default_rng(len(name) + sum(map(ord, name)))
    confidence = rng.random(n).round(3)
    correct = rng.random(n) < 0.3 + 0.4 * confidence + better
    return graded(
        correct,
        confidence,
        item=[f"q{row}" for row in range(n)],
        system=name,
        declined=confidence < 0.1,
        groups={
            "gold": [("right" if right else "wrong") for right in correct],
            "topic": ["x", "y"] * (n // 2),
        },
    )


A, B, C = system("a"), system("b", 0.2), system("c", 0.1)
MANY = [system(name, place / 40) for place, name in enumerate(NAMES)]


def together(*tables: demur.Outcomes) -> demur.Outcomes:
    frames = [table.to_frame("polars") for table in tables]
    return demur.Outcomes.from_frame(polars.concat(frames), groups=["topic", "gold"])


BOTH = together(A, B)
RESULTS: dict[str, demur.Result] = {
    "two": demur.compare(A, B, at_error=0.1, margin=0.1, area=(0.2, 0.5)),
    "corrected": demur.compare(A, B, gold="gold"),
    "many": demur.compare_all(MANY, quantity="all", at_error=0.1),
    "against": demur.compare_all(MANY, against="s3"),
    "pair": demur.compare_all([A, B])[0],
    "rates": demur.compare(A, B, at=[0.2, 0.3], at_error=0.1, margin=0.1),
    "many rates": demur.compare_all(MANY, quantity="all", at=[0.2, 0.3]),
    "prices": demur.price_list([demur.error_return(A), demur.error_return(B)]),
    "price": demur.price_list([demur.error_return(A)])[0],
    "plan": demur.comparison_plan(A, B, difference=0.05),
    "scores": demur.score(BOTH, by="topic", weights=[1, 2], named=["atis-1991"]),
}


@pytest.fixture(params=RESULTS)
def result(request: pytest.FixtureRequest) -> demur.Result:
    return RESULTS[request.param]


def test_the_answer_comes_first_and_fits_80_columns(result):
    text = str(result)
    assert " ".join(text.split()).startswith(result.sentence())
    assert result.sentence().endswith(".")
    lines = [line for line in text.splitlines() if not line.startswith("signature: ")]
    assert max(map(len, lines)) <= 80
    assert text.count("signature: demur:") == 1
    assert len(repr(result)) <= 140


def test_json_frames_and_notebooks_follow(result):
    plain = document(result)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["sentence"] == result.sentence()
    assert "<table>" in result._repr_html_()
    for place, table in enumerate(result.tables()):
        frame = result.to_frame("polars", table=place)
        assert frame.height == len(table.rows)
        unexplained = [
            column.head
            for column in table.columns
            if column.cells not in ("text", "count") and not column.explained
        ]
        assert set(unexplained) <= {"to", "wrong %", "unanswered %", "ungraded %"}


def test_a_result_equals_its_copy_and_hashes(result):
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert hash(copy) == hash(result)
    assert copy.signature == result.signature
    assert tuple(copy.notes) == tuple(result.notes)


# -- many systems ----------------------------------------------------------------------


def test_the_best_of_many_is_named_with_whom_it_beats():
    many = RESULTS["many"]
    curves = [demur.error_return(table) for table in MANY]
    errors = {curve.system: curve.at(nonreturn=0.2).error for curve in curves}
    best = min(errors, key=lambda name: errors[name])
    said = many.sentence()
    assert said.startswith(
        f"Of 13 systems {best} errs least at nonreturn 0.2: {errors[best]:.3f} of all "
    )
    pairs = [pair for pair in many if pair.difference.quantity == "error"]
    assert len(pairs) == 13 * 12 // 2
    won = [pair for pair in pairs if pair.better == best]
    beaten = {pair.a if pair.b == best else pair.b for pair in won}
    assert beaten
    beats, luck = said.split(" beyond luck. Luck may explain")
    listed = beats.split(" beats ")[1].replace(" and ", ", ").split(", ")
    assert set(listed) == beaten
    rest = luck.split(" and ", 1)[1].partition(" (")[0]
    assert set(rest.replace(" and ", ", ").split(", ")) == {*NAMES} - beaten - {best}
    ranked = many.to_frame("polars")
    assert ranked["error"].to_list() == sorted(errors.values())
    assert dict(zip(ranked["system"], ranked["error"], strict=True)) == pytest.approx(
        errors
    )
    assert ranked["beats"][0] == len(beaten)


def test_pairs_of_all_numbers_stand_in_one_list():
    pairs = RESULTS["many"].to_dict()["pairs"]
    numbers = dict.fromkeys(pair["quantity"] for pair in pairs)
    assert list(numbers) == [
        *("error", "area", "nonreturn", "own error", "own nonreturn")
    ]
    assert len(pairs) == 5 * 78
    for pair in pairs:
        apart = pair["value_b"] - pair["value_a"]
        assert pair["difference"] == pytest.approx(apart)
    titles = [table.title for table in RESULTS["many"].tables()]
    assert len(titles) == 6
    assert titles[2] == "Difference of area (by influence)"


def test_with_one_to_compare_with_only_its_pairs_are_spoken_of():
    against = RESULTS["against"]
    assert len(against) == 12
    assert all("s3" in (pair.a, pair.b) for pair in against)
    assert "s11 beats s3 beyond luck. Luck may explain" in against.sentence()


# -- gates -----------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [str(tmp_path / f"{name}.jsonl") for name in "abc"]
    for table, path in zip((A, B, C), paths, strict=True):
        demur.write_outcomes(table, path)
    return paths


@pytest.mark.parametrize(
    ("command", "gate"),
    [
        ("compare", "colour > 1"),
        ("compare", "error@0.2 > 0.1"),
        ("compare", "error_a@0.2 > 0.1"),
        ("compare", "error_a > 1"),
        ("compare", "difference < -1"),
        ("compare", "p_value > 1"),
        ("compare", "b not worse than a by 0.99 @0.2"),
        ("compare", "b worse than b"),
        ("score", "weighted_error > 2"),
        ("score", "weighted_error_1 > 1"),
        ("score", "wrong > -1"),
        ("score", "wrong == 1.5"),
        ("score", "error@0.4 > 0.6"),
        ("score", "certified_error > 0.1"),
        ("score", "atis-1991 > 1"),
        ("score", "b worse than a"),
    ],
)
def test_impossible_gates_are_refused_before_any_file_is_read(command, gate):
    code, out, err = run(command, "absent.jsonl", "--fail-if", gate)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "absent.jsonl" not in err


@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        ("error_a > 0.1", 1, "gate broken: error_a is 0."),
        ("error_a > 0.7", 0, ""),
        ("difference < 0", 1, "gate broken: difference is -0."),
        ("area > 0", 0, ""),
        ("error_a > 0.9", 2, "from 0 to 0.8"),
        ("nonreturn_a > 0.1", 2, "a figure must be one of"),
        ("adjusted_p < 0.05", 2, "a figure must be one of"),
        ("a worse than b", 1, "gate broken: a less b at nonreturn 0.2: difference +0."),
        ("a worse than b @0.5", 1, "gate broken: a less b at nonreturn 0.5"),
        ("b worse than a @0.1", 0, "gate holds: b less a at nonreturn 0.1"),
        ("b not worse than a by 0.02 @0.1", 0, "gate holds: b less a at nonreturn 0.1"),
        ("d worse than a", 4, "a system must be one of a, b; got 'd'"),
    ],
)
def test_gates_on_two_systems(files, gate, code, said):
    err = stderr_of("compare", *files[:2], "--fail-if", gate, code=code)
    assert said in err
    assert bool(err) == bool(said)


@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        ("a worse than b @0.3", 1, "gate broken: a less b at nonreturn 0.3"),
        ("b worse than a", 0, "gate holds: b less a at nonreturn 0.2"),
        ("adjusted_p < 0.05", 1, "gate broken: b less a: adjusted_p is "),
        ("b less a: difference < 0", 1, "gate broken: b less a: difference is -"),
        ("x less a: difference < 0", 4, "the system must be one of"),
        ("error_a > 0.1", 2, "a figure must be one of"),
        ("d worse than a", 4, "a system must be one of a, b, c; got 'd'"),
    ],
)
def test_gates_on_many_systems(files, gate, code, said):
    assert said in stderr_of("compare", *files, "--fail-if", gate, code=code)


def test_what_is_undefined_passes_no_gate(tmp_path):
    paths = [str(tmp_path / f"{name}.jsonl") for name in "ab"]
    for name, path in zip("ab", paths, strict=True):
        table = graded([1, 0] * 10, system=name)
        demur.write_outcomes(table, path)
    for command, gate in (
        ("compare", "error_a > 0.1"),
        ("compare", "difference > 0.1"),
        ("compare", "a worse than b"),
        ("score", "error@0.2 > 0.1"),
        ("score", "area > 0.1"),
        ("score", "certified_error(cutoff=0.5) > 0.1"),
    ):
        stderr_of(command, *paths, "--fail-if", gate)


def test_a_gate_takes_ungraded_answers_for_wrong():
    outcome = ["right"] * 6 + ["wrong"] * 2 + ["ungraded"] * 2
    table = by_outcome(outcome, range(10), system="a", item=range(10))
    scores = demur.score(table)
    for text, broken in (
        ("error > 0.39", True),
        ("error > 0.4", False),
        ("ungraded > 1", True),
        ("weighted_error > 0.79", True),
        ("a: weighted_error > 0.8", False),
        ("forced_choice_error > 0.39", True),
        ("error@0.1 > 0.25", True),
        ("missed(cutoff=5) > 0.4", True),
    ):
        assert bool(broken_gates([parse_gate(text)], scores)) == broken, text
    perfect = {"outcome": ["right"] * 10, "confidence": range(10), "item": range(10)}
    other = demur.Outcomes.from_arrays(system="b", **perfect)
    found = demur.compare(table, other, at=0)
    assert broken_gates([parse_gate("error_a > 0.39")], found)
    assert not broken_gates([parse_gate("error_a > 0.4")], found)


def test_score_looks_up_its_groups_on_their_own_curves():
    scores = demur.score(BOTH, by="topic")
    lines = broken_gates([parse_gate("error@0.3 > 0")], scores)
    named = [line.split(":")[0] for line in lines]
    assert named == ["a", "b", *(f"{s}, topic = {t}" for s in "ab" for t in "xy")]
    curves = {curve.system: curve for curve in demur.curve_by(BOTH, by="topic")}
    error = curves["b, topic = y"].at(nonreturn=0.3).error
    assert f"b, topic = y: error@0.3 is {error:.6g}, must" in lines[-1]


def test_gates_of_score_hold_what_it_shows(tmp_path):
    path = str(tmp_path / "a.jsonl")
    demur.write_outcomes(A, path)
    (shown,) = demur.score(demur.read_outcomes(path)).scores
    assert shown.wrong < demur.error_return(A).totals.wrong  # some are declined
    printed("score", path, "--fail-if", f"wrong > {shown.wrong}")
    err = stderr_of("score", path, "--fail-if", f"wrong > {shown.wrong - 1}", code=1)
    assert f"a: wrong is {shown.wrong}, must" in err


# -- the signature ---------------------------------------------------------------------


def numbers(result: demur.Result) -> Any:
    plain = result.to_dict()
    for name in ("signature", "notes"):
        plain.pop(name, None)
    return plain


PARTED = [
    replace(
        one,
        item=np.array([f"w{row // 3}" for row in range(len(one))], object),
        part=np.array([str(row) for row in range(len(one))], object),
    )
    for one in (A, B)
]
CHANGES: dict[str, tuple[Any, dict[str, Any], list[dict[str, Any]]]] = {
    "compare": (
        lambda **how: demur.compare(A, B, **how),
        {"at_error": 0.1},
        [
            *({"at": 0.3}, {"at": 0.2000001}, {"at_error": 0.2}, {"at_error": None}),
            *({"area": (0.2, 0.4)}, {"margin": 0.05}, {"gold": "gold"}),
            *({"method": "bootstrap"}, {"method": "permutation"}, {"level": 0.9}),
            *({"seed": 3}, {"items": "common"}, {"at": [0.2, 0.3]}),
            *({"weight": 2}, {"weight": 3}),
        ],
    ),
    "compare, wholes": (
        lambda **how: demur.compare(*PARTED, **how),
        {},
        [{"of": "wholes"}, {"at": 0.3}],
    ),
    "compare, several rates": (
        lambda **how: demur.compare(A, B, at=[0.2, 0.3], **how),
        {},
        [{"correction": "bonferroni"}, {"correction": "none"}, {"level": 0.9}],
    ),
    "compare_all": (
        lambda **how: demur.compare_all([A, B, C], **how),
        {"quantity": "all", "at_error": 0.1},
        [
            *({"at": 0.3}, {"at_error": 0.2}, {"area": (0.2, 0.4)}, {"level": 0.9}),
            *({"method": "influence"}, {"seed": 3}, {"against": "b"}),
            *({"at": [0.2, 0.3]}, {"correction": "none"}, {"weight": 2}),
            *(
                {"quantity": "error", "at_error": None},
                {"quantity": "area", "at": None, "at_error": None},
                {"quantity": "own error", "at_error": None},
            ),
        ],
    ),
    "compare_all, weight": (
        lambda **how: demur.compare_all([A, B, C], at=None, **how),
        {"quantity": "weighted error", "weight": 2},
        [{"weight": 3}, {"weight": 0.5}],
    ),
    "compare_all, gold": (
        lambda **how: demur.compare_all([A, B, C], **how),
        {},
        [{"gold": "gold"}, {"at": 0.5}],
    ),
    "score": (
        lambda **how: demur.score(BOTH, **how),
        {},
        [
            *({"by": "topic"}, {"weights": [3]}, {"weights": [2, 3]}, {"level": 0.9}),
            *({"named": ["atis-1991"]}, {"leave_out": {"topic": "x"}}),
            *({"replicates": 500}, {"seed": 3}),
        ],
    ),
    "comparison_plan": (
        lambda **how: demur.comparison_plan(A, B, **how),
        {"difference": 0.05},
        [{"difference": 0.04}, {"at": 0.3}, {"level": 0.9}],
    ),
    "price_list": (
        lambda of: demur.price_list([demur.error_return(each) for each in of]),
        {"of": (A, B)},
        [{"of": (A,)}],
    ),
}


@pytest.mark.parametrize("verb", CHANGES)
def test_whatever_changes_a_number_changes_the_signature(verb):
    call, usual, changes = CHANGES[verb]
    first = call(**usual)
    differed = 0
    for change in changes:
        other = call(**{**usual, **change})
        if numbers(other) != numbers(first):
            assert other.signature != first.signature, change
            differed += 1
    assert differed >= len(changes) - 1  # items="common" has the same items


@pytest.mark.parametrize("name", ["compare", "compare_all", "score", "comparison_plan"])
def test_every_argument_of_the_verbs_is_changed_above(name):
    changed = {"executor"}  # changes no number: statistics/test_resampling_elsewhere
    changed |= {"items"} if name == "compare_all" else set()  # changed for compare
    for verb, (_, usual, changes) in CHANGES.items():
        if verb.partition(",")[0] == name:
            changed.update(*(usual, *changes))
    parameters = inspect.signature(getattr(demur, name)).parameters
    named = inspect.Parameter.KEYWORD_ONLY
    assert {each for each, how in parameters.items() if how.kind is named} <= changed
