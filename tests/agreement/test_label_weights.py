"""Judges against a key that was given to units with unequal chances."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import printed, printed_json, refuses, stderr_of
from demur.agreement import judges
from demur.agreement.annotations import as_annotations

Row = tuple[bool, bool, int]
SHARES = ("sensitivity", "specificity", "precision", "negative_predictive_value", "f")


def records(rows: list[Row], scale: float = 1.0) -> list[dict[str, Any]]:
    words = {True: "right", False: "wrong"}
    return [
        {
            "unit": f"u{place}",
            "people": words[truth],
            "judge": words[verdict],
            "label_weight": scale * weight,
        }
        for place, (truth, verdict, weight) in enumerate(rows)
    ]


def rates(rows: list[Row], **how: Any) -> Any:
    annotations = as_annotations(records(rows, **how))
    return judges.judge_rates(annotations, "people", "right", 0.95)[0]


def plain_twin(rows: list[Row]) -> dict[str, Fraction | None]:
    """Shares of weight, unit by unit."""
    total = {
        (truth, verdict): sum(
            Fraction(weight) for t, v, weight in rows if (t, v) == (truth, verdict)
        )
        for truth in (True, False)
        for verdict in (True, False)
    }
    both, missed = total[True, True], total[True, False]
    wrongly, neither = total[False, True], total[False, False]

    def share(part: Any, of: Any) -> Fraction | None:
        return Fraction(part, 1) / of if of else None

    return {
        "sensitivity": share(both, both + missed),
        "specificity": share(neither, neither + wrongly),
        "precision": share(both, both + wrongly),
        "negative_predictive_value": share(neither, neither + missed),
        "f": share(2 * both, 2 * both + missed + wrongly),
        "key_rate": share(wrongly + neither, sum(total.values())),
        "judge_rate": share(missed + neither, sum(total.values())),
    }


weighted_rows = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.integers(1, 9)), min_size=2, max_size=14
).filter(lambda rows: any(truth or verdict for truth, verdict, _ in rows))


few = settings(max_examples=40)


@given(weighted_rows)
@few
def test_shares_are_of_weight(rows: list[Row]) -> None:
    judge = rates(rows)
    for name, wanted in plain_twin(rows).items():
        value = getattr(judge, name)
        value = value[0] if name in SHARES and value is not None else value
        assert value == (None if wanted is None else pytest.approx(float(wanted)))
    assert judge.prevalence == pytest.approx(1 - judge.key_rate)
    assert judge.units == len(rows)
    assert judge.both == sum(truth and verdict for truth, verdict, _ in rows)


@given(weighted_rows, st.sampled_from([1e-3, 0.1, 7.0, 1e6]))
@few
def test_the_scale_of_weights_never_matters(rows: list[Row], scale: float) -> None:
    one, other = rates(rows), rates(rows, scale=scale)
    for name in SHARES:
        assert getattr(one, name) == (
            None
            if getattr(other, name) is None
            else pytest.approx(getattr(other, name))
        )


@given(weighted_rows)
@few
def test_a_weight_of_two_is_a_unit_twice(rows: list[Row]) -> None:
    twice = [(t, v, 1) for t, v, weight in rows for _ in range(weight)]
    weighted, repeated = rates(rows), rates(twice)
    for name in SHARES:
        one, other = getattr(weighted, name), getattr(repeated, name)
        assert (one and one[0]) == (other and pytest.approx(other[0]))
    assert weighted.key_rate == pytest.approx(repeated.key_rate)


@pytest.mark.parametrize("weight", [0.3, 1, 7.5])
def test_equal_weights_change_nothing(weight: float) -> None:
    equal = [dict(row, label_weight=weight) for row in table()]
    bare = [dict(row) for row in equal]
    for row in bare:
        del row["label_weight"]
    without = demur.agreement(bare, key="people", positive="right")
    with_them = demur.agreement(equal, key="people", positive="right")
    assert with_them.judges == without.judges
    assert with_them.notes == without.notes
    assert with_them.signature == without.signature


def table(n: int = 60) -> list[dict[str, Any]]:
    rng = np.random.default_rng(4)
    truth, luck = rng.random(n) < 0.6, rng.random(n)
    weight = np.where(luck < 0.5, 10, 1)
    rows = zip(truth, truth ^ (luck < 0.2), weight, strict=True)
    return records([(bool(t), bool(v), int(w)) for t, v, w in rows])


def test_weights_widen_intervals_and_stand_in_the_recipe() -> None:
    found = demur.agreement(table(), key="people")
    bare = demur.agreement([dict(row, label_weight=1) for row in table()], key="people")
    judge, plain = found.judges[0], bare.judges[0]
    for name in SHARES:
        (_, low, high), (_, least, most) = getattr(judge, name), getattr(plain, name)
        assert high - low > most - least, name
    assert "labels:weighted" in found.signature
    assert "labels" not in bare.signature
    assert any("alpha and kappas count every unit once" in n for n in found.notes)
    assert found.alpha == bare.alpha
    assert demur.agreement(table()).alpha == found.alpha
    assert any("count every unit once" in n for n in demur.agreement(table()).notes)


def test_only_labelled_units_need_a_weight() -> None:
    rows = table()
    rows.append({"unit": "new", "people": None, "judge": "right", "label_weight": None})
    found = demur.agreement(rows, key="people").judges
    assert found == demur.agreement(table(), key="people").judges
    for bad in (None, "", float("nan"), 0, -1, float("inf"), "often"):
        wrong = [*table(), {**table()[0], "unit": "odd", "label_weight": bad}]
        refuses("label_weight must be", demur.agreement, wrong, key="people")


def test_a_long_table_may_say_it_beside_the_key_alone() -> None:
    wide, long = table(), []
    for row in wide:
        for who, weight in (("people", row["label_weight"]), ("judge", None)):
            cells = {"unit": row["unit"], "annotator": who, "label": row[who]}
            long.append({**cells, "label_weight": weight})
    one = demur.agreement(wide, key="people")
    assert demur.agreement(long, key="people").judges == one.judges
    long[1]["label_weight"] = 99
    refuses("must be in one label_weight", demur.agreement, long, key="people")


@pytest.mark.parametrize("informative", [True, False])
def test_weighted_intervals_hold_the_truth(*, informative: bool) -> None:
    """In .93 of samples at least, of 400: labels eight times as often where unsure."""
    rng = np.random.default_rng(7)
    held = 0
    hit_rates = (0.6, 0.98) if informative else (0.9, 0.9)
    truth = 0.2 * hit_rates[0] + 0.8 * hit_rates[1]
    for _ in range(400):
        unsure = rng.random(600) < 0.2
        hit = rng.random(600) < np.where(unsure, *hit_rates)
        chance = np.where(unsure, 0.4, 0.05)
        kept = rng.random(600) < chance
        share = judges._share(1.0 * hit[kept], None, 0.95, 1 / chance[kept])
        held += share[1] <= truth <= share[2]
    assert held >= 0.93 * 400


def test_the_command_reads_the_column(tmp_path: Any) -> None:
    path = tmp_path / "verdicts.csv"
    lines = ["unit,people,judge,label_weight"]
    lines += [
        f"{row['unit']},{row['people']},{row['judge']},{row['label_weight']}"
        for row in table()
    ]
    path.write_text("\n".join(lines))
    found = printed_json("agree", path, "--key", "people")
    wanted = demur.agreement(table(), key="people").judges[0]
    assert found["judges"][0]["sensitivity"] == list(wanted.sensitivity)
    assert "labels:weighted" in printed("agree", path, "--key", "people")
    path.write_text("\n".join([*lines, "odd,right,right,"]))
    err = stderr_of("agree", path, "--key", "people")
    assert err.count("\n") == 1
    assert "label_weight must be above 0 for every unit that people" in err
