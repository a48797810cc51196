"""Errors corrected for a noisy judge: formulae, laws, coverage, and what is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import graded, printed, printed_json, refuses, stderr_of, undefined
from demur.statistics.noisy_verdicts import (
    Verdicts,
    labelled_only,
    labels_for,
    prediction_powered,
    rogan_gladen,
)


def verdicts(judge, people, labelled, answered=None, cluster=None):
    n = len(judge)
    answered = np.ones(n) if answered is None else np.asarray(answered, float)
    return Verdicts(
        judge=np.asarray(judge, float),
        people=np.asarray(people, float),
        labelled=np.asarray(labelled, bool),
        answered=answered,
        cluster=np.arange(n) if cluster is None else cluster,
    )


def drawn(rng, n, of, error=0.25, hit=0.85, false=0.1, size=1):
    """Verdicts on items, of which some are labelled; clusters of one size."""
    groups = of // size
    people = np.repeat(rng.random(groups) < error, size)
    judge = np.where(people, rng.random(of) < hit, rng.random(of) < false)
    cluster = np.repeat(np.arange(groups), size)
    known = np.isin(cluster, rng.permutation(groups)[: n // size])
    return verdicts(judge, people, known, cluster=cluster)


# -- formulae ------------------------------------------------------------------------

rows = st.lists(st.tuples(*[st.booleans()] * 3), min_size=4, max_size=30).filter(
    lambda rows: sum(row[2] for row in rows) >= 2
)


@given(rows)
def test_the_value_is_that_of_the_formula(rows):
    judge, people, labelled = (
        np.array(column, float) for column in zip(*rows, strict=True)
    )
    told = verdicts(judge, people, labelled)
    found, trust = prediction_powered(told, 0.95)
    known = labelled == 1
    value = people[known].mean()
    if not known.all():
        value += trust * (judge[~known].mean() - judge[known].mean())
    assert 0 <= trust <= 1
    assert found.value == pytest.approx(min(max(value, 0), 1))
    assert found.low <= found.value <= found.high
    assert labelled_only(told, 0.95).value == pytest.approx(people[known].mean())


@given(rows)
def test_the_trust_is_a_slope_with_two_items_more_that_disagree(rows):
    judge, people, labelled = (
        np.array(column, float) for column in zip(*rows, strict=True)
    )
    known = labelled == 1
    told = verdicts(judge, people, labelled)
    _, trust = prediction_powered(told, 0.95)
    seen = np.append(judge[known], [0, 1]), np.append(people[known], [1, 0])
    slope = np.cov(*seen, ddof=0)[0, 1] / np.var(seen[0])
    assert trust == pytest.approx(min(max(slope, 0), 1) * (1 - known.mean()))


@pytest.mark.parametrize("labels", [30, 50, 100])
@pytest.mark.parametrize("error", [0.02, 0.1, 0.3])
def test_a_judge_who_agrees_with_every_label_is_not_taken_for_perfect(labels, error):
    rng, held, widths = np.random.default_rng(labels), [], []
    for _ in range(200):
        people = rng.random(1000) < error
        judge = people ^ (rng.random(1000) < 0.02)
        told = verdicts(judge, people, np.arange(1000) < labels)
        found, _ = prediction_powered(told, 0.95)
        alone = labelled_only(told, 0.95)
        other = rogan_gladen(told, 0.95)
        agreed = (judge == people)[:labels].all()
        widths.append([rate.high - rate.low for rate in (found, alone)])
        inside = [rate.low <= error <= rate.high for rate in (found, other or alone)]
        held.append([*inside, agreed])
    corrected, other, agreed = np.mean(held, axis=0)
    assert min(corrected, other) > 0.93
    assert agreed > 0.1
    corrected, people_alone = np.mean(widths, axis=0)
    assert corrected < people_alone


def test_labels_that_stand_for_several_items_count_as_often():
    rng = np.random.default_rng(5)
    told = drawn(rng, 60, 600)
    by_one = replace(told, weight=np.full(600, 7.0))
    found, same = (prediction_powered(each, 0.95)[0] for each in (told, by_one))
    assert (found.value, found.low, found.high) == pytest.approx(
        (same.value, same.low, same.high)
    )
    # Hard items were labelled three times as often.
    held = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        hard = rng.random(1500) < 0.3
        people = rng.random(1500) < np.where(hard, 0.4, 0.05)
        judge = people & ~(hard & (rng.random(1500) < 0.4))
        chance = np.where(hard, 0.12, 0.04)
        told = verdicts(judge, people, rng.random(1500) < chance)
        weighted = replace(told, weight=1 / chance)
        rates = [prediction_powered(each, 0.95)[0] for each in (told, weighted)]
        held.append([rate.low <= 0.155 <= rate.high for rate in rates])
    plain, weighted = np.mean(held, axis=0)
    assert plain < 0.9
    assert weighted > 0.93


def test_rogan_gladen_by_hand():
    # 20 labelled: 8 truly wrong, of which the judge sees 6; 12 right, 3 called wrong
    people = [1] * 8 + [0] * 12 + [0] * 30
    judge = [1] * 6 + [0] * 2 + [1] * 3 + [0] * 9 + [1] * 12 + [0] * 18
    found = rogan_gladen(verdicts(judge, people, [1] * 20 + [0] * 30), 0.95)
    seen, hit, false = 21 / 50, 6 / 8, 3 / 12
    assert found.value == pytest.approx((seen - false) / (hit - false))


@pytest.mark.parametrize(
    ("judge", "people"), [([0, 1] * 6, [0] * 12), ([1] * 12, [0, 1] * 6)]
)
def test_where_rogan_gladen_knows_nothing(judge, people):
    assert rogan_gladen(verdicts(judge, people, [1] * 12), 0.95) is None


def test_if_all_are_labelled_people_alone_count():
    told = drawn(np.random.default_rng(0), 100, 100)
    found, trust = prediction_powered(told, 0.95)
    assert trust == 0
    assert found == labelled_only(told, 0.95)


def test_a_perfect_judge_is_as_good_as_labels():
    rng = np.random.default_rng(1)
    told = drawn(rng, 100, 2000, hit=1.0, false=0.0)
    found, trust = prediction_powered(told, 0.95)
    assert 0.88 < trust < 0.95  # 95 % are not labelled, and 100 labels are not all
    assert found.value == pytest.approx(told.judge.mean(), abs=0.005)
    narrow, wide = (e.high - e.low for e in (found, labelled_only(told, 0.95)))
    assert narrow < wide / 1.5  # 100 agreements leave some doubt


def test_a_judge_who_knows_nothing_is_not_trusted():
    rng = np.random.default_rng(2)
    told = drawn(rng, 400, 4000, hit=0.5, false=0.5)
    found, trust = prediction_powered(told, 0.95)
    assert trust < 0.1
    assert found.value == pytest.approx(labelled_only(told, 0.95).value, abs=0.01)


@pytest.mark.parametrize("size", [1, 4])
def test_intervals_hold_the_truth_as_often_as_they_say(size):
    rng, n = np.random.default_rng(3), 400
    held = np.zeros(3)
    for _ in range(n):
        told = drawn(rng, 200, 1200, size=size)
        for place, found in enumerate(
            (
                prediction_powered(told, 0.95)[0],
                rogan_gladen(told, 0.95),
                labelled_only(told, 0.95),
            )
        ):
            held[place] += found.low <= 0.25 <= found.high
    assert (held / n > 0.92).all()
    assert (held / n < 0.99).all()


def test_as_many_labels_as_it_says_halve_the_interval():
    ratios = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        told = drawn(rng, 200, 40_000)
        found, _ = prediction_powered(told, 0.95)
        half = (found.high - found.low) / 4
        labels = labels_for(told, 0.95, half)
        more, _ = prediction_powered(drawn(rng, labels, 40_000), 0.95)
        ratios.append((more.high - more.low) / (2 * half))
    assert np.mean(ratios) == pytest.approx(1, abs=0.05)
    assert labels_for(told, 0.95, 1e-9) is None


# -- the verb ------------------------------------------------------------------------


def table(seed=0, n=200, labelled=60):
    rng = np.random.default_rng(seed)
    people = rng.random(n) < 0.3
    judge = np.where(people, rng.random(n) < 0.8, rng.random(n) < 0.1)
    words = np.array(["right", "wrong"], object)
    gold = words[people.astype(int)]
    gold[rng.permutation(n)[labelled:]] = None
    confidence = rng.random(n) - 0.4 * people
    return judge, people, gold, confidence


def outcomes(**more):
    judge, _, gold, confidence = table()
    return graded(~judge, confidence, groups={"gold": gold}, **more)


def test_the_verb_reads_the_column():
    judge, people, gold, _ = table()
    found = demur.corrected_error(outcomes(), "gold")
    told = verdicts(judge, people, [each is not None for each in gold])
    assert (found.items, found.labelled) == (200, 60)
    assert found.raw == pytest.approx(judge.mean())
    assert (found.corrected, found.trust) == prediction_powered(told, 0.95)
    assert found.rogan_gladen == rogan_gladen(told, 0.95)
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["corrected"] == {
        name: getattr(found.corrected, name) for name in ("value", "low", "high")
    }
    assert "gold:gold" in found.signature


def test_at_a_cutoff_declined_items_cost_nothing():
    judge, people, gold, confidence = table()
    found = demur.corrected_error(outcomes(), "gold", cutoff=0.3)
    sure = confidence >= 0.3
    known = np.array([each is not None for each in gold])
    told = verdicts(judge & sure, people & sure, known, answered=sure)
    assert found.corrected == prediction_powered(told, 0.95)[0]
    assert found.rogan_gladen == rogan_gladen(told, 0.95)
    assert found.answered == sure.sum()
    same = demur.corrected_error(outcomes(), "gold", nonreturn=0.25)
    again = demur.corrected_error(outcomes(), "gold", cutoff=same.cutoff)
    assert same.nonreturn == again.nonreturn == pytest.approx(0.25)
    assert same.corrected.value == pytest.approx(again.corrected.value)
    # the cutoff that has this nonreturn is itself estimated
    assert same.corrected.low != again.corrected.low


def test_items_without_a_guess_need_no_label():
    judge, _, gold, _ = table()
    guess = np.arange(200) % 4 > 0
    found = demur.corrected_error(
        graded(
            [None if not g else not j for g, j in zip(guess, judge, strict=True)],
            groups={"gold": np.where(guess, gold, None)},
        ),
        "gold",
    )
    alone = demur.corrected_error(
        graded(~judge[guess], groups={"gold": gold[guess]}),
        "gold",
    )
    assert found.corrected.value == pytest.approx(0.75 * alone.corrected.value)
    assert found.nonreturn == 0.25
    assert found.raw == pytest.approx(0.75 * alone.raw)
    assert found.labelled == alone.labelled


@pytest.mark.parametrize(("nonreturn", "of"), [(0.2, 1200), (0.5, 400)])
def test_intervals_at_a_nonreturn_hold_the_truth_as_often_as_they_say(nonreturn, of):
    rng, n = np.random.default_rng(4), 300
    truth, held = 0.3 * (1 - nonreturn) ** 2, 0  # wrong with 0.6 (1 - confidence)
    for _ in range(n):
        confidence = rng.random(of)
        people = rng.random(of) < 0.6 * (1 - confidence)
        judge = np.where(people, rng.random(of) < 0.8, rng.random(of) < 0.12)
        gold = np.array(["right", "wrong"], object)[people.astype(int)]
        gold[200:] = None
        told = graded(~judge, confidence, groups={"gold": gold})
        found = demur.corrected_error(told, "gold", nonreturn=nonreturn).corrected
        held += found.low <= truth <= found.high
    assert 0.92 < held / n < 0.985


def test_the_true_error_is_met_where_the_judge_is_off():
    rng = np.random.default_rng(8)
    people = rng.random(5000) < 0.2
    judge = np.where(people, rng.random(5000) < 0.6, rng.random(5000) < 0.02)
    gold = np.array(["right", "wrong"], object)[people.astype(int)]
    gold[500:] = None
    told = graded(~judge, groups={"gold": gold})
    found = demur.corrected_error(told, "gold")
    assert found.raw < 0.15
    for each in (found.corrected, found.rogan_gladen):
        assert each.low <= people.mean() <= each.high
        assert each.low > found.raw


@pytest.mark.parametrize(
    ("gold", "options", "words"),
    [
        (["maybe"] * 200, {}, "be right or wrong, or empty"),
        (["right"] * 200, {"cutoff": 0.1, "nonreturn": 0.2}, "one of cutoff"),
        (["right"] * 200, {"level": 95}, "level"),
    ],
)
def test_what_is_refused(gold, options, words):
    judge, _, _, confidence = table()
    told = graded(~judge, confidence, groups={"gold": gold})
    refuses(words, demur.corrected_error, told, "gold", **options)


def test_what_is_too_little():
    judge, _, gold, _ = table(labelled=9)
    told = graded(~judge, groups={"gold": gold})
    undefined("9 independent items", demur.corrected_error, told, "gold")
    refuses("colour", demur.corrected_error, told, "colour")
    with pytest.raises(demur.UndefinedRate, match="no confidences"):
        demur.corrected_error(
            graded(~judge, groups={"gold": table(labelled=60)[2]}),
            "gold",
            cutoff=0.5,
        )
    with pytest.raises(demur.InputError, match="equal weights"):
        demur.corrected_error(outcomes(weight=np.arange(1, 201)), "gold")


def test_the_weights_of_labels_come_with_the_outcomes(tmp_path):
    gold = table()[2]
    known = np.array([said is not None for said in gold])
    stands = np.where(known, np.arange(200) % 3 + 1.0, np.nan)
    told = outcomes(label_weight=stands)
    found = demur.corrected_error(told, "gold")
    assert "labels:weighted" in found.signature
    assert found.notes == ()
    path = tmp_path / "o.jsonl"
    demur.write_outcomes(told, path)
    again = demur.read_outcomes(path, groups=["gold"])
    assert demur.corrected_error(again, "gold").corrected == found.corrected
    assert found.labelled_only.value == pytest.approx(
        np.average(gold[known] == "wrong", weights=stands[known])
    )
    for wrong in (0.0, -1.0, np.nan, np.inf):
        bad = np.where(known, wrong, 1.0)
        refuses(
            "label_weight must be above 0 for every labelled item",
            demur.corrected_error,
            outcomes(label_weight=bad),
            "gold",
        )


def test_people_may_say_it_in_several_words():
    judge, _, gold, _ = table()
    said = {"right": "Yes", "wrong": "no", None: ""}
    words = graded(~judge, groups={"gold": [said[each] for each in gold]})
    numbers = graded(
        ~judge, groups={"gold": [{"right": 1, "wrong": 0}.get(each) for each in gold]}
    )
    wanted = demur.corrected_error(outcomes(), "gold").corrected
    for told in (words, numbers):
        assert demur.corrected_error(told, "gold").corrected == wanted


# -- the command ---------------------------------------------------------------------


def test_the_command_shows_it_beside_the_curve(tmp_path):
    path = tmp_path / "o.jsonl"
    demur.write_outcomes(outcomes(), path)
    said = printed("curve", path, "--gold", "gold", "--at", "0.25")
    assert "by judge" in said
    assert "Rogan-Gladen" in said
    [system] = printed_json("curve", path, "--gold", "gold", "--at", "0.25")["systems"]
    forced, at = system["corrected"]
    wanted = demur.corrected_error(outcomes(), "gold")
    assert forced["corrected"]["value"] == wanted.corrected.value
    assert at["nonreturn"] == pytest.approx(0.25)
    stderr_of("curve", path, "--gold", "colour")


def test_a_small_part_of_people_corrects_a_judge_of_nq301(demur_data):
    path = demur_data / "nq301_judges" / "verdicts.csv.gz"
    zero = "text-davinci-003_zeroshot"
    records = [r for _, r in demur.iter_records(path) if r["system"] == zero]
    people = [each["human"] for each in records]
    truth = sum(each == "wrong" for each in people) / len(people)
    held, n = 0, 100
    for seed in range(n):
        kept = np.random.default_rng(seed).permutation(len(people))[:100]
        gold = [people[k] if k in set(kept.tolist()) else None for k in range(295)]
        told = graded(
            [each["davinci003"] == "right" for each in records], groups={"gold": gold}
        )
        found = demur.corrected_error(told, "gold")
        assert round(found.raw, 3) == 0.224
        held += found.corrected.low <= truth <= found.corrected.high
    assert round(truth, 3) == 0.288
    assert held / n > 0.9
