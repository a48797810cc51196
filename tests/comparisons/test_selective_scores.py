"""Named scores that are no weighing, held against slow twins in exact fractions."""

import json
from fractions import Fraction
from itertools import groupby, permutations, product
from math import ceil, isclose, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import graded, printed, printed_json, refuses, stderr_of
from demur.comparisons.selective_scores import SELECTIVE, named_score
from demur.outcomes.fields import OUTCOMES

# -- slow twins ------------------------------------------------------------------------
# A row is a confidence (None: no guess), a credit as a fraction (None: ungraded),
# whether the system declined to give it, and whether the item can be answered.


def orders(rows):
    """All orders of the guesses, the surest first, ties in any order."""
    guesses = sorted((row for row in rows if row[0] is not None), key=lambda r: -r[0])
    blocks = [list(block) for _, block in groupby(guesses, lambda row: row[0])]
    for chosen in product(*(permutations(block) for block in blocks)):
        yield [row for block in chosen for row in block]


def area(order, fewest=0):
    """The mean risk over more than `fewest` answered guesses."""
    lost = [1 - row[1] for row in order]
    risks = [Fraction(sum(lost[:k])) / k for k in range(fewest + 1, len(lost) + 1)]
    return sum(risks) / len(risks)


def mean(values):
    listed = list(values)
    return sum(listed) / Fraction(len(listed))


def best_order(rows):
    return sorted((row for row in rows if row[0] is not None), key=lambda r: -r[1])


def prr(rows, rejection):
    n = sum(row[0] is not None for row in rows)
    fewest = n - int(rejection * n)
    worth = {row[1] for row in rows if row[0] is not None}
    if n - fewest < 2 or len(worth) < 2:
        return None
    chance = 1 - mean(row[1] for row in rows if row[0] is not None)
    reached = mean(area(order, fewest) for order in orders(rows))
    return (chance - reached) / (chance - area(best_order(rows), fewest))


def e_aurc(rows):
    if all(row[0] is None for row in rows):
        return None
    return mean(map(area, orders(rows))) - area(best_order(rows))


def accuracy(rows, rate):
    k = ceil(rate * len(rows))
    if k > sum(row[0] is not None for row in rows):
        return None
    return mean(
        Fraction(sum(row[1] for row in order[:k])) / k for order in orders(rows)
    )


def given_(row):
    return row[0] is not None and not row[2]


def c_at_1(rows):
    right = sum((row[1] for row in rows if given_(row)), Fraction(0))
    silent = sum(not given_(row) for row in rows)
    return (right + silent * right / len(rows)) / len(rows)


def hallucination(rows):
    wrong = sum(given_(row) and row[1] == 0 for row in rows)
    not_right = sum(not (given_(row) and row[1] == 1) for row in rows)
    return Fraction(wrong, not_right) if not_right else None


def abstention(rows):
    declined = [not given_(row) for row in rows]
    should = [not row[3] for row in rows]
    both = sum(d and s for d, s in zip(declined, should, strict=True))
    return [
        Fraction(times * both, below) if below else None
        for times, below in (
            (1, sum(declined)),
            (1, sum(should)),
            (2, sum(declined) + sum(should)),
        )
    ]


def truthfulness(rows):
    points = [(row[1] or -1) if given_(row) else 0 for row in rows]
    return mean(map(Fraction, points))


def squad(rows, partial):
    cutoffs = {row[0] for row in rows if row[0] is not None} | {np.inf}

    def earned(cutoff):
        for confidence, credit, _, answerable in rows:
            if confidence is None or confidence < cutoff:
                yield Fraction(not answerable)
            elif answerable:
                yield Fraction(credit) if partial else Fraction(credit == 1)
            else:
                yield Fraction(0)

    return 100 * max(mean(earned(cutoff)) for cutoff in cutoffs)


TWINS = {
    "prr": lambda rows: prr(rows, Fraction(1)),
    "prr(rejection=0.5)": lambda rows: prr(rows, Fraction(1, 2)),
    "e-aurc": e_aurc,
    "selective-accuracy(rate=0.4)": lambda rows: accuracy(rows, Fraction(2, 5)),
    "c@1": c_at_1,
    "omniscience-hallucination": hallucination,
    "abstention-precision": lambda rows: abstention(rows)[0],
    "abstention-recall": lambda rows: abstention(rows)[1],
    "abstention-f1": lambda rows: abstention(rows)[2],
    "crag-truthfulness": truthfulness,
    "squad-best-exact": lambda rows: squad(rows, partial=False),
    "squad-best-f1": lambda rows: squad(rows, partial=True),
}


def completions(rows):
    """The rows with each ungraded answer wrong or right."""
    unclear = [at for at, row in enumerate(rows) if row[1] is None]
    for chosen in product((0, 1), repeat=len(unclear)):
        filled = list(rows)
        for at, credit in zip(unclear, chosen, strict=True):
            filled[at] = (rows[at][0], Fraction(credit), *rows[at][2:])
        yield filled


def as_outcomes(rows):
    """The rows as a table."""
    names = {None: "ungraded", 0: "wrong"}
    return demur.Outcomes.from_arrays(
        outcome=[
            "unanswered" if row[0] is None else names.get(row[1], "right")
            for row in rows
        ],
        credit=[float(row[1] or 0) for row in rows],
        confidence=[row[0] for row in rows],
        declined=[row[2] and row[0] is not None for row in rows],
        answerable=[row[3] for row in rows],
    )


def found(outcomes, *names):
    """Both ends of each score, None where it is undefined."""
    (whole,) = demur.score(outcomes, named=names, replicates=39).scores
    return [None if one.low is None else (one.low, one.high) for one in whole.named]


@st.composite
def some_rows(draw, credits_=(0, 1)):
    """Up to five rows, many of them tied; nothing right where nothing can be."""
    sure = st.sampled_from([None, 0.25, 0.5, 0.5, 0.75])
    worth = st.sampled_from([Fraction(c) if c is not None else None for c in credits_])
    row = st.tuples(sure, worth, st.booleans(), st.sampled_from([True, True, False]))
    rows = draw(st.lists(row, min_size=1, max_size=5))
    return [
        (a, Fraction(0) if a is None or not answerable else b, declined, answerable)
        for a, b, declined, answerable in rows
    ]


def held(rows):
    outcomes = as_outcomes(rows)
    for (name, twin), mine in zip(TWINS.items(), found(outcomes, *TWINS), strict=True):
        values = [twin(filled) for filled in completions(rows)]
        if None in values:
            assert mine is None, name
        else:
            assert mine is not None, name
            assert mine[0] == pytest.approx(float(min(values)), abs=1e-12), name
            assert mine[1] == pytest.approx(float(max(values)), abs=1e-12), name


@given(some_rows(credits_=(0, 1, None)))
def test_scores_and_their_bounds_are_those_of_all_completions(rows):
    held(rows)


@given(some_rows(credits_=(0, Fraction(1, 2), Fraction(1, 4), 1)))
def test_partial_credit_counts_as_each_name_says(rows):
    held(rows)


# -- calibration errors ----------------------------------------------------------------


def rms(rows, size, printed_=False):
    """The root mean squared difference; tied guesses share their credit."""
    pairs = sorted((row[0], row[1]) for row in rows)
    tied = {sure: mean(c for s, c in pairs if s == sure) for sure, _ in pairs}
    pairs = [(Fraction(sure), tied[sure]) for sure, _ in pairs]
    number = max(len(pairs) // size, 1)
    bins = [pairs[at * size : (at + 1) * size] for at in range(number - 1)]
    bins += [] if printed_ else [pairs[(number - 1) * size :]]
    squares = (
        len(b) * (mean(s for s, _ in b) - mean(c for _, c in b)) ** 2 for b in bins
    )
    return sqrt(sum(squares) / Fraction(len(pairs)))


def ece(rows, bins):
    total = Fraction(0)
    for at in range(bins):
        low, high = Fraction(at, bins), Fraction(at + 1, bins)
        inside = [
            (s, row[1])
            for row in rows
            for s in [Fraction(str(row[0]))]
            if low < s <= high or (s == 0 and at == 0)
        ]
        if inside:
            total += abs(sum(s for s, _ in inside) - sum(c for _, c in inside))
    return total / len(rows)


sure_rows = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0]),
        st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2)]),
        st.just(value=False),
        st.just(value=True),
    ),
    min_size=1,
    max_size=12,
)


@given(sure_rows, st.integers(1, 5))
def test_calibration_errors_are_those_of_fractions(rows, size):
    names = [f"rms-calibration-error(bin={size})", f"ece(bins={size})"]
    names.append(f"hle-calibration-error({size})")
    mine_rms, mine_ece, mine_printed = found(as_outcomes(rows), *names)
    assert mine_rms[0] == pytest.approx(rms(rows, size), abs=1e-7) == mine_rms[1]
    assert mine_ece[0] == pytest.approx(float(ece(rows, size)), abs=1e-12)
    if len(rows) < 2 * size:
        assert mine_printed is None
    else:
        wanted = rms(rows, size, printed_=True)
        assert mine_printed[0] == pytest.approx(wanted, abs=1e-7)


@given(sure_rows, st.data())
def test_the_ends_of_calibration_errors_hold_all_completions(rows, data):
    unclear = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    rows = [
        (row[0], None if hidden else Fraction(row[1] > 0), *row[2:])
        for row, hidden in zip(rows, unclear, strict=True)
    ][:8]
    ends = found(as_outcomes(rows), "rms-calibration-error(bin=3)", "ece(bins=4)")
    for filled in completions(rows):
        for value, (low, high) in zip(
            (rms(filled, 3), ece(filled, 4)), ends, strict=True
        ):
            assert low - 1e-7 <= value <= high + 1e-7


def test_an_edge_belongs_to_the_bin_below():
    # 0.7 x 10 is 7.000000000000001 as a float; with 0.65 it is one bin, with 0.75 not.
    below = graded([1, 0], [0.65, 0.7])
    above = graded([1, 0], [0.7, 0.75])
    assert found(below, "ece(bins=10)")[0][0] == pytest.approx(0.175)
    assert found(above, "ece(bins=10)")[0][0] == pytest.approx((0.3 + 0.75) / 2)


# -- golden cases ----------------------------------------------------------------------


def only(outcomes, name):
    ((low, high),) = found(outcomes, name)
    assert low == high
    return low


def test_selective_accuracy_takes_no_item_more():
    # HELM's selective_acc@10 looks at place int(0.1 x 10), the second one: 0.5.
    conf = [1 - at / 10 for at in range(10)]
    outcomes = graded([1, 0] + [1] * 8, conf)
    assert only(outcomes, "selective-accuracy(rate=0.1)") == 1
    assert only(outcomes, "selective-accuracy(rate=0.11)") == 0.5


@pytest.mark.parametrize("correct", [[1, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]])
def test_the_order_of_tied_rows_changes_nothing(correct):
    outcomes = graded(correct, [0.5] * 4)
    assert only(outcomes, "prr") == pytest.approx(0)
    assert only(outcomes, "selective-accuracy(rate=0.25)") == 0.5
    assert only(outcomes, "squad-best-exact") == 50
    assert only(outcomes, "rms-calibration-error(bin=1)") == 0


def test_squad_moves_no_tied_answer_alone():
    outcomes = demur.Outcomes.from_arrays(
        correct=[1, 0], confidence=[0.5, 0.5], answerable=[True, False]
    )
    assert only(outcomes, "squad-best-exact") == 50  # the script: 100 at 0.5


def test_the_surest_bin_is_left_out_as_the_program_does():
    conf = np.repeat([0.2, 0.9], 100)
    outcomes = graded(np.repeat([1, 0], 100), conf)
    both = sqrt((0.8**2 + 0.9**2) / 2)
    assert only(outcomes, "rms-calibration-error") == pytest.approx(both)
    assert only(outcomes, "hle-calibration-error") == pytest.approx(sqrt(0.32))


def test_perfect_and_reversed_orders():
    right = graded([1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6])
    left = graded([0, 0, 1, 1], [0.9, 0.8, 0.7, 0.6])
    assert only(right, "prr") == 1
    assert only(right, "e-aurc") == 0
    assert only(left, "prr") < 0 < only(left, "e-aurc")


def test_c_at_1_is_accuracy_where_all_is_answered_and_rewards_declining():
    assert only(demur.Outcomes.from_arrays(correct=[1, 0]), "c@1") == 0.5
    assert only(demur.Outcomes.from_arrays(correct=[1, None]), "c@1") == 0.75


# -- weights ---------------------------------------------------------------------------


def test_weights_count_items_several_times_or_are_refused():
    weighted = demur.Outcomes.from_arrays(
        correct=[1, 0, None, 0], confidence=[0.9, 0.6, None, 0.3],
        weight=[2, 1, 3, 1], answerable=[True, True, False, False],
    )  # fmt: skip
    copied = weighted.take(np.repeat(np.arange(4), [2, 1, 3, 1]))
    copied = demur.Outcomes.from_arrays(
        outcome=[OUTCOMES[code] for code in copied.outcome],
        confidence=copied.confidence,
        answerable=copied.answerable,
    )
    names = [*NAMES]
    for name, one, other in zip(
        names, found(weighted, *names), found(copied, *names), strict=True
    ):
        if name.split("(")[0] in COUNTED:
            assert one is None, name
            assert other is not None, name
        else:
            assert one == pytest.approx(other), name


NAMES = [
    *(name for name in SELECTIVE if name not in ("selective-accuracy", "ece")),
    *("selective-accuracy(rate=0.2)", "ece(bins=3)"),
]
NAMES[NAMES.index("hle-calibration-error")] = "hle-calibration-error(bin=1)"
COUNTED = {
    *("prr", "e-aurc", "selective-accuracy"),
    *("rms-calibration-error", "hle-calibration-error"),
}


# -- as a user meets them --------------------------------------------------------------


ROWS = [
    {"item": "a", "system": "x", "outcome": "right", "confidence": 0.9},
    {"item": "b", "system": "x", "outcome": "wrong", "confidence": 0.5},
    {"item": "c", "system": "x", "outcome": "unanswered"},
]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "outcomes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return str(path)


def test_the_command_prints_them_with_their_sources(file):
    text = printed("score", file, "--score", "c@1", "--score", "prr")
    assert "c-at-1" in text
    assert "Peñas and Rodrigo" in text.replace("\n", " ")
    plain = printed_json("score", file, "--score", "abstention-recall")
    (named,) = plain["named"]
    assert named["low"] is None
    assert named["why_undefined"] == "no item is unanswerable"


def test_gates_hold_them_and_nothing_undefined_passes(file):
    asked = ["score", file, "--score", "c@1", "--fail-if"]
    assert printed(*asked, "c-at-1 < 0.4")
    assert "c-at-1 is 0.444444" in stderr_of(*asked, "c-at-1 < 0.5", code=1)
    asked = ["score", file, "--score", "abstention-recall", "--fail-if"]
    text = stderr_of(*asked, "abstention-recall < 0.1")
    assert "undefined" in text
    assert "no item is unanswerable" in text


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("prrr", "Did you mean 'prr'"),
        ("selective-accuracy", "have the parameter rate"),
        ("selective-accuracy(rate=0)", "above 0 and at most 1"),
        ("prr(rate=1)", "have the parameter rejection"),
        ("ece(bins=2.5)", "a whole number from 1"),
        ("c-at-1(2)", "have no parameter"),
        ("reliability-score", "have the parameter c"),
    ],
)
def test_what_is_no_score_is_refused_in_one_line(typed, words):
    refuses(words, named_score, typed)


def test_a_score_that_states_no_price_chooses_no_cutoff():
    refuses(
        "must be one of weighted-error",
        demur.choose,
        graded([1, 0], [1, 0]),
        score="prr",
    )


def test_systems_without_confidences_are_left_out():
    outcomes = demur.Outcomes.from_arrays(
        item=[1, 2, 1, 2], system=["a", "a", "b", "b"], correct=[1, 0, 1, 0]
    )
    scores = demur.score(outcomes, named=["prr"], replicates=39)
    assert "There is no prr(rejection=1); the notes say why." in scores.sentence()
    assert any("there are no confidences" in note for note in scores.notes)


def test_a_hundred_thousand_items_and_many_ungraded():
    rng = np.random.default_rng(0)
    n = 100_000
    confidence = rng.random(n).round(3)
    right = rng.random(n) < confidence
    outcome = np.where(right, "right", "wrong").astype("<U8")
    outcome[rng.random(n) < 0.1] = "ungraded"
    outcomes = demur.Outcomes.from_arrays(outcome=outcome, confidence=confidence)
    ends = found(outcomes, "prr", "e-aurc", "rms-calibration-error", "ece")
    assert all(low < high for low, high in ends)
    assert isclose(ends[3][1] - ends[3][0], 0.05, abs_tol=0.05)


def test_the_table_says_what_is_best_of_a_score():
    outcomes = graded([1, 0, 1], [0.9, 0.4, 0.2])
    best = {"squad-best-f1": 100, "e-aurc": 0, "c-at-1": 1, "omniscience-index": 100}
    found = demur.score(outcomes, named=[*best])
    [table] = [one for one in found.tables() if one.title == "Named scores"]
    assert {row[-3]: row[-1] for row in table.rows} == best
    assert "at best" in str(found)


@pytest.mark.parametrize(("size", "notes"), [(100, 1), (2, 1), (1, 0)])
def test_one_bin_is_said_to_be_one(size, notes):
    outcomes = graded([1, 0, 1], [0.9, 0.4, 0.2])
    found = demur.score(outcomes, named=[f"rms-calibration-error(bin={size})"])
    said = [note for note in found.notes if "are one bin" in note]
    assert len(said) == notes
    if notes:
        assert found.scores[0].named[0].low == pytest.approx(abs(0.5 - 2 / 3))


def test_the_calibration_error_is_of_hendrycks():
    assert named_score("rms-calibration-error").source == "Hendrycks et al. (2019)"
    assert "Humanity" in named_score("hle-calibration-error").source
