"""Corrected errors at every cutoff, and what `choose` and `compare` make of them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import graded, printed, printed_json, refuses, stderr_of, undefined
from demur.statistics.correcting_differences import corrected_differences
from demur.statistics.noisy_curves import corrected_errors
from demur.statistics.noisy_verdicts import Verdicts, prediction_powered

# -- every cutoff --------------------------------------------------------------------

row = st.tuples(
    st.sampled_from([0, 0.5, 1]),
    *[st.booleans()] * 2,
    st.integers(0, 5),
    st.integers(0, 6),
)


@given(
    st.lists(st.tuples(row, st.integers(0, 4)), min_size=3, max_size=25),
    st.none() | st.integers(0, 9),
)
def test_each_cutoff_is_as_if_it_were_the_only_one(rows, seed):
    table = np.array([(*first, confidence) for first, confidence in rows])
    judge, people, labelled, cluster, no_guess, confidence = table.T
    guess = no_guess > 0
    verdicts = Verdicts(
        judge=judge * guess * 1.0,
        people=np.where(labelled > 0, people, 0.0),
        labelled=(labelled > 0) & guess,
        answered=guess * 1.0,
        cluster=np.unique(cluster, return_inverse=True)[1],
        weight=None
        if seed is None
        else np.random.default_rng(seed).integers(1, 4, len(judge)) * 1.0,
    )
    found = corrected_errors(verdicts, confidence * 1.0, 0.95)
    assert found.cutoff.tolist() == sorted(set(confidence[guess].tolist()))[::-1]
    for place, cutoff in enumerate(found.cutoff):
        answered = guess & (confidence >= cutoff)
        alone = replace(verdicts, answered=answered * 1.0)
        assert found.nonreturn[place] == pytest.approx(1 - answered.mean())
        assert found.raw[place] == pytest.approx(alone.raw)
        if not alone.n_units:
            assert np.isnan(found.value[place])
            assert (found.low[place], found.high[place]) == (0, answered.mean())
            continue
        wanted, trust = prediction_powered(alone, 0.95)
        ends = (found.value[place], found.low[place], found.high[place])
        assert ends == pytest.approx((wanted.value, wanted.low, wanted.high), abs=1e-6)
        assert found.trust[place] == pytest.approx(trust, abs=1e-6)


def told(seed=0, n=400, labelled=150, name="a", skill=0.6, **more):
    """Outcomes by a noisy judge; who is wrong hangs on the confidence."""
    rng = np.random.default_rng(seed)
    confidence = rng.random(n)
    people = rng.random(n) < skill * (1 - confidence)
    judge = np.where(people, rng.random(n) < 0.6, rng.random(n) < 0.05)
    gold = np.array(["right", "wrong"], object)[people.astype(int)]
    gold[np.random.default_rng(99).permutation(n)[labelled:]] = None
    return graded(~judge, confidence, system=name, groups={"gold": gold}, **more)


def test_the_curve_is_the_error_at_each_cutoff():
    outcomes = told()
    found = demur.corrected_curve(outcomes, "gold")
    curve = demur.error_return(outcomes)
    assert found.nonreturn == pytest.approx(curve.nonreturn[:-1])
    assert found.raw == pytest.approx(curve.error[:-1])
    for place in (0, 100, 250):
        one = demur.corrected_error(outcomes, "gold", cutoff=found.cutoff[place])
        assert found.error[place] == pytest.approx(one.corrected.value)
        assert found.low[place] == pytest.approx(one.corrected.low)
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["labelled"] == 150
    assert len(plain["error"]) == len(plain["cutoff"]) == 400
    assert "gold:gold" in found.signature


def test_a_curve_needs_confidences():
    outcomes = replace(told(), confidence=None)
    undefined("no confidences", demur.corrected_curve, outcomes, "gold")


def test_where_people_find_no_error_the_interval_is_as_wide_as_their_labels_allow():
    outcomes = told(labelled=100)
    words = np.where(outcomes.groups["gold"] == None, None, "right")  # noqa: E711
    mild = replace(outcomes, groups={"gold": words})
    for nonreturn in (0.0, 0.5, 0.9, 0.99):
        found = demur.corrected_error(mild, "gold", nonreturn=nonreturn)
        assert found.corrected.value == 0
        most = (1 - nonreturn) * (1 - 0.025 ** (1 / found.labelled))
        assert most / 2 < found.corrected.high < 2 * most
        assert found.labels_for_half is None


# -- labels that were not drawn ------------------------------------------------------


def test_labels_that_were_picked_are_seen():
    outcomes = told(n=1000, labelled=1000)
    gold = outcomes.groups["gold"].copy()
    picked = outcomes.confidence > 0.6  # the easy ones
    gold[~picked] = None
    easy = replace(outcomes, groups={"gold": gold})
    other = replace(easy, system=np.full(1000, "b", object))
    notes = [
        demur.corrected_error(easy, "gold").notes,
        demur.corrected_curve(easy, "gold").notes,
        demur.choose(easy, cost_ratio=0.3, gold="gold").notes,
        demur.compare(easy, other, gold="gold").notes,
    ]
    for said in notes:
        assert any("not drawn at random" in note for note in said)
    assert "confidences" in notes[0][0]
    assert "not drawn at random" in str(demur.corrected_error(easy, "gold"))


def test_labels_that_were_drawn_are_hardly_ever_suspected():
    suspected = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        outcomes = told(seed, 300, labelled=300)
        gold = outcomes.groups["gold"].copy()
        gold[rng.permutation(300)[100:]] = None
        drawn = replace(outcomes, groups={"gold": gold})
        suspected += bool(demur.corrected_error(drawn, "gold").notes)
    assert suspected <= 4


# -- choose --------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [0.05, 0.2, 0.4])
def test_the_cheapest_cutoff_is_that_of_the_corrected_errors(ratio):
    outcomes = told()
    chosen = demur.choose(outcomes, cost_ratio=ratio, gold="gold")
    curve = demur.corrected_curve(outcomes, "gold")
    cost = curve.error + ratio * curve.nonreturn
    best = int(np.nanargmin(cost))
    assert cost[best] < ratio
    assert chosen.cutoff == curve.cutoff[best]
    assert chosen.corrected.value == pytest.approx(curve.error[best])
    assert chosen.error == pytest.approx(curve.raw[best])
    same = demur.choose(outcomes, wrong_costs=1 / ratio, gold="gold")
    assert same.cutoff == chosen.cutoff
    assert demur.choose(outcomes, cost_ratio=ratio).cutoff != chosen.cutoff


def test_a_price_that_nothing_pays_is_silence_and_a_high_one_forced_choice():
    assert demur.choose(told(), cost_ratio=0, gold="gold").corrected.value == 0
    hopeless = told(skill=1e9)
    assert demur.choose(hopeless, cost_ratio=0.01, gold="gold").cutoff is None
    assert demur.choose(told(), cost_ratio=1, gold="gold").nonreturn == 0


@pytest.mark.parametrize("of", ["all", "answered"])
def test_the_smallest_cutoff_with_so_low_a_corrected_error(of):
    outcomes = told()
    chosen = demur.choose(outcomes, max_error=0.08, of=of, gold="gold")
    curve = demur.corrected_curve(outcomes, "gold")
    share = 1 - curve.nonreturn if of == "answered" else 1.0
    low = ~(curve.error > 0.08 * share + 1e-12) & ~np.isnan(curve.error)
    if of == "all":
        low = [all(low[k:] | np.isnan(curve.error[k:])) for k in range(len(low))]
    assert chosen.cutoff == curve.cutoff[np.argmax(low)]
    assert "corrected" in chosen.rule
    if of == "all":  # the judge is too mild
        assert demur.choose(outcomes, max_error=0.08).nonreturn < chosen.nonreturn


def test_a_certificate_rests_on_people_alone():
    outcomes = told(n=1000, labelled=500, skill=0.3)
    kept = np.array([each is not None for each in outcomes.groups["gold"]])
    people = outcomes.groups["gold"][kept] == "right"
    alone = graded(people, outcomes.confidence[kept])
    found = demur.choose(outcomes, max_error=0.1, certainty=0.95, gold="gold")
    wanted = demur.choose(alone, max_error=0.1, certainty=0.95)
    assert (found.cutoff, found.bound) == (wanted.cutoff, wanted.bound)
    assert "people's verdicts alone" in " ".join(str(found).split())
    assert "people" in found.signature
    by_judge = demur.choose(outcomes, max_error=0.1, certainty=0.95)
    assert by_judge.cutoff < found.cutoff
    assert "verdicts as they stand" in " ".join(str(by_judge).split())
    assert found.corrected is not None


def test_a_corrected_choice_is_judged_on_other_items():
    chosen = demur.choose(told(), cost_ratio=0.3, gold="gold")
    later = chosen.on(told(seed=1))
    one = demur.corrected_error(told(seed=1), "gold", cutoff=chosen.cutoff)
    assert later.corrected == one.corrected
    assert later.error == one.raw


def test_held_out_items_with_few_labels_have_no_corrected_error():
    chosen = demur.choose(told(), cost_ratio=0.3, gold="gold")
    later = told(seed=1)
    gold = later.groups["gold"].copy()
    gold[:] = None
    gold[:5] = "right"
    judged = chosen.on(replace(later, groups={"gold": gold}))
    assert judged.corrected is None
    assert judged.error > 0
    assert "corrected" not in str(judged.to_dict()["notes"])


@pytest.mark.parametrize("rule", [{"balance": True}, {"score": "atis-1991"}])
def test_rules_that_are_not_corrected_are_refused(rule):
    refuses("with gold", demur.choose, told(), gold="gold", **rule)


def test_a_nonreturn_is_the_same_cutoff_with_its_corrected_error():
    found = demur.choose(told(), nonreturn=0.3, gold="gold")
    assert found.cutoff == demur.choose(told(), nonreturn=0.3).cutoff
    assert found.corrected.value > found.error


# -- compare -------------------------------------------------------------------------


def test_a_difference_is_that_of_the_corrected_errors():
    a, b = told(), told(seed=1, name="b", skill=0.3)
    found = demur.compare(a, b, at=0.2, gold="gold")
    plain = demur.compare(a, b, at=0.2)
    errors = [
        demur.corrected_error(each, "gold", nonreturn=0.2).corrected.value
        for each in (a, b)
    ]
    assert [found.error_a, found.error_b] == pytest.approx(errors)
    assert found.difference.value == pytest.approx(errors[1] - errors[0])
    assert found.by_judge.difference == plain.difference
    assert found.by_judge.error_a == plain.error_a
    turned = demur.compare(b, a, at=0.2, gold="gold")
    ends = (-turned.difference.high, -turned.difference.low)
    assert (found.difference.low, found.difference.high) == pytest.approx(ends)
    assert turned.difference.p_value == pytest.approx(found.difference.p_value)
    assert "as they stand" in str(found)
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["by_judge"]["difference"]["method"] == "influence"
    assert plain["method"] == "prediction-powered"


def test_systems_without_confidences_are_corrected_by_their_own_decisions():
    tables = [
        replace(told(seed, name=name), confidence=None)
        for seed, name in enumerate("abc")
    ]
    tables[0] = replace(tables[0], declined=np.arange(400) % 4 == 0)
    found = demur.compare(tables[0], tables[1], gold="gold")
    plain = demur.compare(tables[0], tables[1])
    # Declining is as if there were no guess at all, whose labels are not looked at.
    silent = replace(
        tables[0],
        declined=None,
        outcome=np.where(np.arange(400) % 4 == 0, 2, tables[0].outcome).astype(
            np.uint8
        ),
    )
    wanted = [
        demur.corrected_error(each, "gold").corrected.value
        for each in (silent, tables[1])
    ]
    assert found.own_errors == pytest.approx(wanted)
    assert found.own[0].value == pytest.approx(wanted[1] - wanted[0])
    assert found.own[0].method == "prediction-powered"
    assert found.by_judge.difference == plain.own[0]
    assert found.own[1] == plain.own[1]
    assert f"{wanted[0]:.3f}" in str(found)
    pairs = demur.compare_all(tables, quantity="own error", at=None, gold="gold")
    assert pairs[0].difference.value == pytest.approx(found.own[0].value)
    with pytest.raises(demur.InputError, match="with gold"):
        demur.compare_all(tables, quantity="own nonreturn", at=None, gold="gold")


def test_people_take_back_what_a_judge_of_nq301_says(demur_data):
    path = demur_data / "nq301_judges" / "verdicts.csv.gz"
    rows = [record for _, record in demur.iter_records(path)]
    drawn = set(np.random.default_rng(1).permutation(301)[:100].tolist())
    tables = []
    for name in ("text-davinci-003_fewshot-n64", "text-davinci-003_zeroshot"):
        own = [r for r in rows if r["system"] == name and r["davinci003"] != "ungraded"]
        people = [r["human"] if int(r["item"][2:]) - 1 in drawn else None for r in own]
        tables.append(
            graded(
                [r["davinci003"] == "right" for r in own],
                item=[r["item"] for r in own],
                system=name,
                groups={"people": people},
            )
        )
    by_judge = demur.compare(*tables, items="common").own[0]
    found = demur.compare(*tables, items="common", gold="people").own[0]
    assert by_judge.value < 0
    assert by_judge.p_value < 0.01
    assert found.low <= 0.288 - 0.236 <= found.high  # by people, on all


def test_a_judge_who_favours_one_system_is_seen_through():
    rng = np.random.default_rng(3)
    people = rng.random((2, 2000)) < 0.3  # both err as often
    judge = people & (rng.random((2, 2000)) < [[1.0], [0.5]])
    kept = rng.random(2000) < 0.3
    a, b = (
        graded(
            ~seen,
            rng.random(2000),
            system=name,
            groups={
                "gold": [
                    ("wrong" if wrong else "right") if known else None
                    for wrong, known in zip(true, kept, strict=True)
                ]
            },
        )
        for name, seen, true in zip("ab", judge, people, strict=True)
    )
    assert demur.compare(a, b).better == "b"
    assert demur.compare(a, b, gold="gold").better is None


def test_true_nulls_are_rejected_as_seldom_as_the_level_says():
    rejected, n = 0, 300
    for seed in range(n):
        a, b = told(seed=2 * seed), told(seed=2 * seed + 1, name="b")
        found = corrected_differences(
            {"a": a, "b": b}, [("a", "b")], "gold", at=0.2, level=0.95
        )
        rejected += found[1][0].p_value <= 0.05
    assert 0.02 < rejected / n < 0.09


def test_many_systems_are_compared_in_pairs():
    tables = [told(seed, name=name) for seed, name in enumerate("abc")]
    pairs = demur.compare_all(tables, gold="gold")
    for pair in pairs:
        a, b = (tables["abc".index(name)] for name in (pair.a, pair.b))
        one = demur.compare(a, b, gold="gold").difference
        assert pair.difference.value == pytest.approx(one.value)
        assert pair.difference.p_value == pytest.approx(one.p_value)
    with pytest.raises(demur.InputError, match="with gold"):
        demur.compare_all(tables, quantity="area", at=None, gold="gold")


# -- commands ------------------------------------------------------------------------


@pytest.fixture
def paths(tmp_path):
    named = []
    for seed, name in enumerate("ab"):
        path = tmp_path / f"{name}.jsonl"
        demur.write_outcomes(told(seed, name=name), path)
        named.append(str(path))
    return named


def test_choose_shows_the_corrected_error(paths):
    said = printed("choose", paths[0], "--cost-ratio", "0.3", "--gold", "gold")
    assert "corrected error" in said
    assert "as people's verdicts in gold correct it" in said
    asked = ["--cost-ratio", "0.3", "--gold", "gold", "--split", "0.5", "--json"]
    shown = printed_json("choose", paths[0], *asked)
    assert shown["corrected"]["high"] > shown["error"] > 0
    assert shown["held_out"]["corrected"]["value"] > 0
    stderr_of("choose", paths[0], "--prices", "--gold", "gold", code=2)
    stderr_of("choose", paths[0], "--balance", "--gold", "gold")


def test_compare_rests_on_the_correction(paths):
    shown = printed_json("compare", *paths, "--gold", "gold")
    wanted = demur.compare(told(0), told(1, name="b"), gold="gold")
    assert shown["difference"] == wanted.difference.value
    gate = ["--fail-if", "b worse than a"]
    err = stderr_of("compare", *paths, "--gold", "gold", *gate, code=0)
    assert f"{wanted.difference.value:+.4f}" in err


def test_gates_on_corrected_errors(paths):
    path = paths[0]
    value = demur.corrected_error(told(), "gold", nonreturn=0.2).corrected.value
    for limit, code in ((value - 0.001, 1), (value + 0.001, 0)):
        gate = f"corrected_error@0.2 > {limit:.6f}"
        asked = ["curve", path, "--gold", "gold", "--fail-if", gate]
        assert ("gate broken" in stderr_of(*asked, code=code)) == (code == 1)
    gate = ["--fail-if", "corrected_error@0.2 > 0.05"]
    assert "--gold" in stderr_of("curve", path, *gate, code=2)
    gate = ["--fail-if", "certified_error(cutoff=0.5) > 0.1"]
    printed("curve", path, *gate)  # by the judge
    stderr_of("curve", path, *gate, "--gold", "gold", code=1)  # by people
    wrong = ["--fail-if", "corrected_error(error=0.1) > 0.1"]
    stderr_of("curve", path, *wrong, "--gold", "gold", code=2)


def test_the_picture_is_of_corrected_errors(paths, tmp_path):
    picture = tmp_path / "corrected.svg"
    asked = ["curve", paths[0], "--gold", "gold", "--plot", str(picture)]
    printed(*asked)
    assert "by the judge" in picture.read_text("utf-8")
    assert "--band" in stderr_of(*asked, "--band", "sup-t", code=2)
