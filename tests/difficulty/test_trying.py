"""Simple methods, scalability, selective baselines, the Rasch model, information."""

import json
import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import (
    carries,
    graded,
    printed,
    printed_json,
    refuses,
    stderr_of,
    undefined,
)
from demur import InputError
from demur.difficulty import trained_methods
from demur.difficulty.rasch_models import fit_rasch, joined, mixed
from demur.difficulty.trained_methods import (
    METHODS,
    WEIGHTS,
    _fold,
    folds_of,
    words_of,
)
from demur.outcomes.parts import stacked
from nlu_cases import case, masc


def table(n=400, seed=0):
    """Two words; the one beside tells the sense of the first four times in five."""
    rng = np.random.default_rng(seed)
    word = np.where(rng.random(n) < 0.5, "bank", "run")
    first = rng.random(n) < np.where(word == "bank", 0.6, 0.9)
    sense = np.where(word == "bank", np.where(first, "money", "shore"), "go")
    sense = np.where((word == "run") & ~first, "storm", sense)
    told = rng.random(n) < 0.8
    beside = np.where(told, np.char.add("near-", sense), "the")
    return {
        "word": word.tolist(),
        "sense": sense.tolist(),
        "beside": beside.tolist(),
        "doc": (np.arange(n) // 10).tolist(),
    }


def measured(rows):
    return demur.difficulty(rows, markable="word", value="sense", cluster="doc")


# -- methods -------------------------------------------------------------------------


def test_chance_prior_and_majority_are_those_of_the_counts():
    found = measured(table())
    chance, prior, majority, learned = demur.try_methods(found)
    assert (chance.accuracy, prior.accuracy) == (found.chance, found.prior)
    assert majority.accuracy == found.baseline
    assert learned.accuracy <= majority.accuracy
    share = found.task.share
    assert prior.f_macro == pytest.approx(share.mean())
    # Chance on a pair: precision is its share, recall one of the values.
    sizes = Counter(found.task.markable.tolist())
    recall = np.array([1 / sizes[m] for m in found.task.markable.tolist()])
    assert chance.f_macro == pytest.approx(
        (2 * share * recall / (share + recall)).mean()
    )


def test_a_method_that_is_always_right_has_an_interval_of_a_share():
    rows = {"word": ["run"] * 40, "sense": ["go"] * 40}
    found = demur.difficulty(rows, markable="word", value="sense")
    learned = demur.try_methods(found)[-1]
    assert learned.accuracy == 1
    # Wilson's interval of 40 out of 40, with Student's quantile
    assert learned.interval == pytest.approx((40 / (40 + 2.022691**2), 1))


def test_f_is_a_mean_over_pairs():
    rows = table()
    found = measured(rows)
    *_, majority, learned, bayes = demur.try_methods(
        found, [rows["beside"]], methods=["majority", "naive-bayes"]
    )
    own = Counter(zip(rows["word"], rows["sense"], strict=True))
    best = {word: max(n for (w, _), n in own.items() if w == word) for word, _ in own}
    words = Counter(rows["word"])
    wanted = [
        2 * n / (n + words[word]) if n == best[word] else 0
        for (word, _), n in own.items()
    ]
    assert majority.f_macro == pytest.approx(np.mean(wanted))
    assert learned.f_macro == pytest.approx(majority.f_macro, abs=0.01)
    # Where half of each wrong answer is a value that was not given:
    right = bayes.outcomes.counts()["right"]
    assert bayes.f_macro < 1
    assert bayes.f_macro == pytest.approx(right / 400, abs=0.05)


def test_clusters_say_how_often_each_value_is_in_them():
    pytest.importorskip("sklearn")
    sense = ["u"] * 12 + ["v"] * 8
    rows = {"word": ["run"] * 20, "sense": sense}
    found = demur.difficulty(rows, markable="word", value="sense")
    words = words_of([[f"near-{each}" for each in sense]])
    asked = np.zeros(20, bool)
    asked[[0, 19]] = True
    fold = _fold(found.task, words, asked)
    shares = np.exp(METHODS["k-means"](fold))
    # 11 u and 7 v are learned from, and each has a cluster of its own.
    wanted = [11.5 / 12, 0.5 / 8, 0.5 / 12, 7.5 / 8]
    assert shares == pytest.approx(wanted)


def test_majority_is_learned_on_other_documents():
    rows = table()
    found = measured(rows)
    [*_, learned] = demur.try_methods(found, folds=4, seed=7)
    fold = folds_of(found.task, 4, 7)
    right = 0
    for k, (word, sense) in enumerate(zip(rows["word"], rows["sense"], strict=True)):
        others = Counter(
            s
            for j, (w, s) in enumerate(zip(rows["word"], rows["sense"], strict=True))
            if w == word and fold[j] != fold[k]
        )
        best = min(others, key=lambda s: (-others[s], s))
        right += best == sense
    assert learned.accuracy == right / len(rows["word"])
    assert len(set(zip(rows["doc"], fold.tolist(), strict=True))) == 40


@pytest.mark.parametrize("method", ["majority", "naive-bayes", "tf-idf"])
@pytest.mark.parametrize("block", [3, 200_000])
def test_evidence_is_that_of_plain_counts(method, block, monkeypatch):
    monkeypatch.setattr(trained_methods, "_BLOCK", block)
    rng = np.random.default_rng(4)
    rows = {"word": rng.choice([*"mn"], 24).tolist(), "sense": []}
    rows["sense"] = [f"{word}{rng.integers(3)}" for word in rows["word"]]
    beside = [" ".join(rng.choice([*"uvwx"], rng.integers(4))) for _ in range(24)]
    task = demur.difficulty(rows, markable="word", value="sense").task
    asked = np.zeros(24, bool)
    asked[::5] = True
    words = words_of([beside])
    fold = _fold(task, words, asked)
    learned = [k for k in range(24) if not asked[k]]
    if method == "tf-idf":
        text = pytest.importorskip("sklearn.feature_extraction.text")
        vectors = text.TfidfTransformer().fit(words[learned]).transform(words).toarray()
    found = METHODS[method](fold)
    assert len(fold.row) == len(fold.pair) == 3 * asked.sum()
    for at, (row, pair) in enumerate(zip(fold.row, fold.pair, strict=True)):
        k, sense = fold.asked[row], task.values[task.value[pair]]
        word, there = rows["word"][k], set(beside[k].split())
        same = [j for j in learned if rows["word"][j] == word]
        own = [j for j in same if rows["sense"][j] == sense]
        assert sense[0] == word
        share = (len(own) + 0.5) / (len(same) + 1.5)
        assert fold.prior[at] == pytest.approx(math.log(share))
        wanted = 0.0
        if method == "naive-bayes":
            for name in there:
                many, here = (
                    sum(name in beside[j].split() for j in some) for some in (same, own)
                )
                wanted += math.log(here / many * len(same) + 0.3 if many else 0.3)
                wanted -= math.log(len(own) + 0.3)
        if method == "tf-idf":
            centre = vectors[own].sum(axis=0)
            size = np.linalg.norm(centre) * np.linalg.norm(vectors[k])
            wanted = centre @ vectors[k] / size if size else 0.0
        assert (0.0 if found is None else found[at]) == pytest.approx(wanted)


@pytest.mark.parametrize("method", [name for name in METHODS if name != "majority"])
def test_methods_use_the_words_beside(method):
    if method != "naive-bayes":
        pytest.importorskip("sklearn")
    rows = table()
    found = measured(rows)
    [*_, majority, tried] = demur.try_methods(
        found, [rows["beside"]], methods=["majority", method]
    )
    assert tried.accuracy > majority.accuracy + 0.05
    assert tried.bits_gained > 0.1 > majority.bits_gained == 0
    outcomes = tried.outcomes
    assert len(outcomes) == 400
    assert outcomes.mean_credit() == pytest.approx(tried.accuracy)
    gains = [float(each) for each in outcomes.groups["bits_gained"]]
    assert np.mean(gains) == pytest.approx(tried.bits_gained)
    curve = demur.error_return(outcomes)
    assert curve.area().value < 0.2
    again = demur.try_methods(found, [rows["beside"]], methods=[method])
    assert again[-1].to_dict() | {"method": 0} == tried.to_dict() | {"method": 0}


def test_words_that_say_nothing_gain_nothing():
    rows = table()
    found = measured(rows)
    noise = np.random.default_rng(5).integers(0, 50, 400).astype(str).tolist()
    [*_, tried] = demur.try_methods(found, [noise], methods=["naive-bayes"])
    assert abs(tried.bits_gained) < 0.05


def test_a_markable_that_is_new_has_no_answer():
    rows = {"word": ["a"] * 10 + ["b"], "sense": ["u"] * 11, "doc": [*range(11)]}
    found = measured(rows)
    [*_, learned] = demur.try_methods(found)
    assert learned.unanswered == pytest.approx(1 / 11)
    assert learned.outcomes.counts()["unanswered"] == 1


def test_methods_on_pruned_tasks_take_the_rows_that_are_left():
    rows = table()
    found = measured(rows).prune("majority <= 0.7")
    [*_, tried] = demur.try_methods(found, [rows["beside"]], methods=["naive-bayes"])
    assert len(tried.outcomes) == rows["word"].count("bank")
    assert set(tried.outcomes.groups["markable"]) == {"bank"}


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"methods": ["oracle"]}, "majority, naive-bayes, tf-idf, k-means"),
        ({"methods": ["naive-bayes"]}, "Name the columns"),
        ({"methods": ["naive-bayes"], "words": [["a"]]}, "400 rows"),
        ({"folds": 41}, "from 2 to 40"),
        ({"folds": 1}, "from 2 to 40"),
        ({"folds": 2.5}, "from 2 to 40"),
        ({"folds": True}, "from 2 to 40"),
    ],
)
def test_methods_that_are_refused(how, words):
    refuses(words, demur.try_methods, measured(table()), how.pop("words", None), **how)


@pytest.mark.parametrize("folds", [2, 3, 40])
def test_folds_are_from_two_to_as_many_as_there_are_clusters(folds):
    [*_, learned] = demur.try_methods(measured(table()), folds=folds)
    assert learned.recipe["folds"] == str(folds)
    assert 0 < learned.accuracy < 1


def test_scores_may_be_weighed_from_nothing_to_twenty_in_small_steps():
    assert (
        len(demur.try_methods(measured(table(40)), folds=2)) == 4
    )  # which weighs by them
    assert (WEIGHTS[0], WEIGHTS[-1]) == (0, 20)
    assert 1 in WEIGHTS
    for one, other in pairwise(WEIGHTS[1:]):
        assert one < other <= (2.5 if one < 0.2 else 1.7) * one


def test_known_accuracies_on_masc(demur_data):
    """Those of an independent script, within a point: see the documentation."""
    found = masc(demur_data, "ambiguous_min10").prune("majority <= 0.6")
    [*_, learned] = demur.try_methods(found)
    assert (found.items, round(found.entropy, 3)) == (20536, 1.51)
    assert learned.accuracy == pytest.approx(0.425, abs=0.015)


# -- scalability ---------------------------------------------------------------------


def versions():
    rows = table()
    whole = measured(rows)
    tasks = {
        "whole": whole,
        "hard": whole.prune("majority <= 0.7"),
        "easy": whole.prune("majority > 0.7"),
    }
    pairs = {}
    for name, task in tasks.items():
        scores = demur.try_methods(
            task, [rows["beside"]], methods=["majority", "naive-bayes"]
        )
        pairs[name] = (task, [each.outcomes for each in scores if each.outcomes])
    return pairs


def test_each_point_is_a_system_on_a_version():
    pairs = versions()
    for y in ("accuracy", "error", "lift", "in-sample lift", "bits gained"):
        found = demur.scalability(pairs, y=y)
        assert len(found.points) == 6
        for point in found.points:
            task, outcomes = pairs[point.version]
            [own] = [o for o in outcomes if o.systems == (point.system,)]
            accuracy = own.mean_credit()
            assert point.accuracy == pytest.approx(accuracy)
            assert point.entropy == task.entropy
            assert (point.learned is None) == (y != "lift")
            if y == "lift":
                majority = outcomes[0].mean_credit()
                assert point.learned == pytest.approx(majority)
                wanted = demur.lift(accuracy, majority)
                assert point.score == pytest.approx(wanted, abs=1e-12)
            elif y == "in-sample lift":
                assert point.score == demur.lift(point.accuracy, task.baseline)
            elif y == "bits gained":
                gains = [float(each) for each in own.groups["bits_gained"]]
                assert point.score == pytest.approx(np.mean(gains))
            else:
                assert point.score == pytest.approx(
                    accuracy if y == "accuracy" else 1 - accuracy
                )
            assert point.interval[0] <= point.score <= point.interval[1]
    slope = np.polyfit(
        [p.entropy for p in found.points if p.system == "naive-bayes"],
        [p.score for p in found.points if p.system == "naive-bayes"],
        1,
    )[0]
    assert found.slopes["naive-bayes"] == pytest.approx(slope)
    assert "exploratory" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["points"][0]["version"] == "whole"


def test_where_the_baseline_is_all_there_is_nothing_to_gain():
    tasks = {
        name: demur.difficulty(
            {"m": [*"abab"] * 5, "v": values * 5}, markable="m", value="v"
        )
        for name, values in (("sure", [*"xyxy"]), ("half", [*"xxyy"]))
    }
    rows = {name: (task, graded([1, 1, 1, 0] * 5)) for name, task in tasks.items()}
    found = demur.scalability(rows, y="in-sample lift")
    sure, half = found.points
    assert (sure.baseline, sure.score, sure.interval) == (1.0, None, None)
    assert (half.baseline, half.score) == (0.5, 0.5)
    plain = demur.scalability(rows).points[1].interval
    assert half.interval == pytest.approx([2 * end - 1 for end in plain])
    assert found.slopes == {}
    two = demur.scalability(rows)
    assert two.slopes == {}  # of two versions, which differ
    assert "2 versions of the task are too few for a slope" in str(two)
    half_again = dict.fromkeys(("x", "y", "z"), rows["half"])
    assert demur.scalability(half_again).slopes == {}  # of one difficulty
    falling = demur.scalability({**half_again, "sure": rows["sure"]})
    assert falling.slopes == {"": pytest.approx(0, abs=1e-12)}
    with pytest.raises(demur.UndefinedRate, match="nothing to gain"):
        demur.lift(1.0, 1.0)
    assert demur.lift(1.0, 0.0) == 1.0


def test_a_method_above_the_learned_majority_has_a_lift_above_0():
    """Many words that are seen once: the in-sample baseline has them all right."""
    rows = table(200)
    once = [f"w{k}" for k in range(100)]
    rows = {name: [*held, *once] for name, held in rows.items()}
    whole = measured(rows)
    methods = ["majority", "naive-bayes"]
    scores = demur.try_methods(whole, [rows["beside"]], methods=methods)[-2:]
    pair = {"whole": (whole, [score.outcomes for score in scores])}
    majority, bayes = demur.scalability(pair, y="lift").points
    assert (majority.score, majority.learned) == (0, majority.accuracy)
    assert majority.interval[0] < 0 < majority.interval[1]
    assert 0.05 < bayes.interval[0] < bayes.score < bayes.interval[1] < 1
    in_sample = demur.scalability(pair, y="in-sample lift").points
    assert all(point.score < -0.5 for point in in_sample)
    [note] = demur.scalability(pair, y="lift").notes[1:]
    assert note.startswith("whole: the markables of 100 items (33.3 %) are in no other")
    other = demur.scalability(pair, y="lift", folds=3, seed=4)
    assert "folds:3|seed:4" in other.signature


def test_lift_is_of_the_items_by_name_and_needs_others():
    rows = {**table(60), "item": [f"q{k}" for k in range(60)]}
    named = demur.difficulty(rows, markable="word", value="sense", item="item")
    [*_, score] = demur.try_methods(named, [rows["beside"]], methods=["naive-bayes"])
    mixed_up = score.outcomes.take(np.random.default_rng(0).permutation(60))
    one, two = (
        demur.scalability({"a": (named, part)}, y="lift").points[0]
        for part in (score.outcomes, mixed_up)
    )
    assert one.score == pytest.approx(two.score)
    assert one.interval == pytest.approx(two.interval)
    alone = demur.difficulty(
        {**rows, "doc": [0] * 60}, markable="word", value="sense", cluster="doc"
    )
    [point] = demur.scalability({"a": (alone, graded([1] * 60))}, y="lift").points
    assert (point.score, point.interval, point.learned) == (None, None, None)


def test_errors_at_a_nonreturn():
    pairs = versions()
    found = demur.scalability(pairs, y="error", at=0.2)
    point = found.points[1]
    own = pairs["whole"][1][1]
    at = demur.error_return(own).at(nonreturn=0.2)
    assert point.score == pytest.approx(at.error)
    assert found.y == "error@0.2"


def test_what_does_not_belong_to_a_version_is_refused():
    pairs = versions()
    wrong = {"whole": (pairs["whole"][0], pairs["hard"][1])}
    refuses("items of version whole", demur.scalability, wrong)
    refuses("come with y='error'", demur.scalability, pairs, at=0.2)
    refuses("mapping of names", demur.scalability, {})
    plain = graded([True] * 400)
    with pytest.raises(InputError, match="column of the outcomes"):
        demur.scalability({"whole": (pairs["whole"][0], plain)}, y="bits gained")


# -- the selective baseline ----------------------------------------------------------

judged = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("uvw"), st.booleans()),
    min_size=1,
    max_size=25,
)


@given(judged)
def test_the_majority_gives_its_value_and_its_share(rows):
    words, values, right = zip(*rows, strict=True)
    outcomes = graded(right, reference=list(values), groups={"word": list(words)})
    found = demur.selective_baseline(outcomes, "word")
    own = {w: Counter(v for x, v, _ in rows if x == w) for w in words}
    for row, (word, value, _) in enumerate(rows):
        top = max(own[word].values())
        assert found.confidence[row] == pytest.approx(top / own[word].total())
        if own[word][value] < top:
            assert found.outcome[row] == 1
    best = sum(max(each.values()) for each in own.values())
    assert found.counts()["right"] == best


def test_the_known_curve_of_four_words():
    """Counts of Senseval-2; the area under risk and coverage that the notes have."""
    rows = [
        (word, sense)
        for word, own in case("senseval2_four_words_whole")["input"]["values"].items()
        for sense, count in own.items()
        for _ in range(count)
    ]
    outcomes = graded(
        [True] * len(rows),
        reference=[sense for _, sense in rows],
        groups={"word": [word for word, _ in rows]},
    )
    curve = demur.error_return(demur.selective_baseline(outcomes, "word"))
    coverage = 1 - curve.nonreturn[:-1][::-1]
    risk = curve.error[:-1][::-1] / coverage
    # Items of equal confidence in any order: the mean risk over coverage.
    fine = np.linspace(coverage[0] / 1000, 1, 200_000)
    error = np.interp(fine, [0, *coverage], [0, *(risk * coverage)])
    assert float((error / fine).mean()) == pytest.approx(0.3026, abs=2e-3)
    assert 1 - curve.error[0] == pytest.approx(0.573924, abs=1e-6)


def test_counts_on_other_items_leave_what_is_new_unanswered():
    outcomes = graded(
        [True] * 21, reference=["u"] * 20 + ["v"], groups={"word": ["a"] * 20 + ["b"]}
    )
    found = demur.selective_baseline(outcomes, "word", learned=True)
    assert found.counts() == {"right": 20, "wrong": 0, "unanswered": 1, "ungraded": 0}
    assert found.systems == ("majority (learned)",)
    refuses("word", demur.selective_baseline, outcomes, "colour")
    with pytest.raises(InputError, match="display=True"):
        demur.selective_baseline(graded([True], groups={"word": ["a"]}), "word")


def test_the_command_draws_the_baseline_beside_systems(tmp_path):
    rng = np.random.default_rng(0)
    n = 200
    value = np.where(rng.random(n) < 0.7, "u", "v")
    outcomes = graded(
        rng.random(n) < 0.9,
        rng.random(n),
        system="a",
        reference=value.tolist(),
        groups={"word": np.where(rng.random(n) < 0.5, "x", "y").tolist()},
    )
    demur.write_outcomes(outcomes, path := tmp_path / "o.jsonl")
    for baseline, name in (
        ("majority", "majority"),
        ("majority-learned", "majority (learned)"),
    ):
        asked = ["--baseline", baseline, "--markable", "word", "--json"]
        systems = printed_json("curve", path, *asked)["systems"]
        assert [each["system"] for each in systems] == ["a", name]
        found = demur.selective_baseline(
            outcomes, "word", learned=baseline != "majority"
        )
        assert systems[1]["wrong"] == found.counts()["wrong"]
    stderr_of("curve", path, "--baseline", "majority", code=2)
    stderr_of("curve", path, "--markable", "word", code=2)


# -- items ---------------------------------------------------------------------------


def drawn(n_items=800, n_systems=12, spread=1.5, seed=0):
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, spread, n_items)
    able = np.linspace(-2, 2, n_systems)
    right = rng.random((n_items, n_systems)) < 1 / (1 + np.exp(hard[:, None] - able))
    return hard, able, right


def test_the_rasch_model_finds_what_was_drawn():
    hard, able, right = drawn()
    model = fit_rasch(right * 1.0, np.ones(right.shape))
    assert model.ability == pytest.approx(able, abs=4 * model.ability_error.max())
    assert model.spread == pytest.approx(1.5, abs=0.15)
    assert np.corrcoef(model.difficulty, hard)[0, 1] > 0.88
    z = (model.difficulty - hard) / model.difficulty_error
    assert np.mean(np.abs(z) < 1.96) == pytest.approx(0.95, abs=0.02)


def test_errors_of_abilities_are_those_of_the_true_model():
    rng = np.random.default_rng(3)
    hard, able = rng.exponential(1.5, 3000) - 1.5, np.linspace(0, 3, 10)  # skewed
    p = 1 / (1 + np.exp(hard[:, None] - able))
    model = fit_rasch((rng.random(p.shape) < p) * 1.0, np.ones(p.shape))
    weight = p * (1 - p)
    full = np.diag(weight.sum(0)) - (weight.T / weight.sum(1)) @ weight
    wanted = np.sqrt(np.diag(np.linalg.pinv(full, rcond=1e-9)) * 10 / 9)
    assert model.ability_error == pytest.approx(wanted, rel=0.08)
    assert model.ability_error[3:6] == pytest.approx(wanted[3:6], rel=0.03)


def test_the_rasch_model_is_at_its_maximum():
    _, _, right = drawn(200, 10)
    seen = np.ones(right.shape, bool)
    model = fit_rasch(right * 1.0, seen * 1.0)

    def likelihood(ability, spread):
        nodes = np.linspace(-6, 6, 61)
        p = 1 / (1 + np.exp(spread * nodes[:, None] - ability))
        logs = (right * seen) @ np.log(p).T + (seen & ~right) @ np.log(1 - p).T
        mass = np.exp(-(nodes**2) / 2)
        return float(np.log(np.exp(logs) @ (mass / mass.sum())).sum())

    step, errors = 1e-3, []
    for shift in np.eye(10) * step:
        around = [likelihood(model.ability + k * shift, model.spread) for k in (-1, 1)]
        bend = (2 * model.likelihood - sum(around)) / step**2
        errors.append(1 / np.sqrt(bend))
    # Not knowing the difficulties adds to the errors that they would have if known.
    assert (model.ability_error <= np.array(errors) * 1.001).all()
    assert model.ability_error == pytest.approx(errors, rel=0.35)
    best = likelihood(model.ability, model.spread)
    assert best == pytest.approx(model.likelihood, rel=1e-9)
    # What is known of each item, and of each system, at these figures:
    places = model.spread * np.linspace(-6, 6, 61)
    p = 1 / (1 + np.exp(places[:, None] - model.ability))
    chances = np.where(right[:, None], p, 1 - p) ** seen[:, None]
    mass = chances.prod(axis=2) * np.exp(-(np.linspace(-6, 6, 61) ** 2) / 2)
    mass /= mass.sum(axis=1, keepdims=True)
    assert model.difficulty == pytest.approx(mass @ places)
    off = (places - model.difficulty[:, None]) ** 2
    assert model.difficulty_error == pytest.approx(np.sqrt((mass * off).sum(axis=1)))
    # Differences, whatever the difficulties are: the information without the items'.
    weight = mass @ (p * (1 - p))
    full = np.diag(weight.sum(0)) - (weight.T / weight.sum(1)) @ weight
    error = np.sqrt(np.diag(np.linalg.pinv(full, rcond=1e-9)) * 10 / 9)
    assert model.ability_error == pytest.approx(error)
    assert model.spread == pytest.approx(np.sqrt((mass @ places**2).mean()), rel=1e-3)
    for shift in np.eye(10) * 0.05:
        assert likelihood(model.ability + shift, model.spread) < best
        assert likelihood(model.ability - shift, model.spread) < best
    for factor in (0.95, 1.05):
        assert likelihood(model.ability, factor * model.spread) < best


def asked_of(right, seen=None):
    """Outcomes of systems s0, s1, ...; only the items that were seen."""
    n_items, n_systems = right.shape
    kept = np.ones(right.size, bool) if seen is None else seen.ravel() > 0
    return graded(
        right.ravel()[kept],
        item=np.repeat([f"q{k}" for k in range(n_items)], n_systems)[kept].tolist(),
        system=np.tile([f"s{k}" for k in range(n_systems)], n_items)[kept].tolist(),
    )


def apart(common, seed=0):
    """Two groups of six equal systems, the items of one easy, of the other hard."""
    rng = np.random.default_rng(seed)
    centres = np.repeat([1.5, -1.5, 0.0], [60, 60, common])
    hard = rng.normal(centres, 0.7)
    seen = np.ones((120 + common, 12))
    seen[:60, 6:] = seen[60:120, :6] = 0
    return rng.random(seen.shape) < 1 / (1 + np.exp(hard[:, None])), seen


@pytest.mark.parametrize(
    ("common", "reason"),
    [(0, "have no items in common"), (1, "have too few .* in common .at most 1 of")],
)
def test_systems_without_common_items_are_not_compared(common, reason):
    """Before, all equal systems came out as -1.3 and 1.4, with errors of .25."""
    undefined(
        rf"2 parts \(s0, s1, s2 and 3 more; s6, s7, s8 and 3 more\).*{reason}",
        demur.rasch,
        asked_of(*apart(common)),
    )


def test_common_items_on_which_one_is_always_better_join_nothing():
    """Before, the reason was that neighbours had no common items; they have eight."""
    right, seen = apart(8)
    right[120:, :6], right[120:, 6:] = True, False
    reason = "at most 8 of two systems.*each part is right where the other is wrong"
    undefined(reason, demur.rasch, asked_of(right, seen))


def test_common_items_alone_say_who_is_more_able():
    found = demur.rasch(asked_of(*apart(40)))
    able, error = np.array(list(found.abilities.values())).T
    assert abs(able[:6].mean() - able[6:].mean()) < 0.35
    assert np.mean(np.abs(able - able.mean()) < 1.96 * error) > 0.9
    assert error == pytest.approx(0.3, abs=0.12)  # 40 items: not the .22 of a hundred


def test_errors_of_differences_hold_where_answers_are_missing():
    off, able = [], np.linspace(-2, 2, 12)
    for seed in range(12):
        _, _, right = drawn(80, 12, 1.2, seed)
        seen = np.random.default_rng(seed).random(right.shape) < 0.6
        model = fit_rasch(right * 1.0, seen * 1.0)
        off += ((model.ability - model.ability.mean() - able) / model.ability_error,)
    assert 0.9 < np.mean(np.abs(off) < 1.96) < 0.99


def test_who_is_right_on_all_items_has_a_bound():
    _, _, right = drawn(60, 10)
    right[:, 0], right[:, 9] = False, True
    right[:, 5] = [k % 3 > 0 for k in range(60)]
    found = demur.rasch(asked_of(right))
    assert found.abilities["s0"] == found.abilities["s9"] == (None, None)
    (none, most), (least, some) = found.bounds["s0"], found.bounds["s9"]
    assert (none, some) == (None, None)
    # On 60 items of difficulty 0 all are right by .025 at log(p / (1 - p)):
    assert most < -2.7 < 2.7 < least < 7
    fitted = [able for able, _ in found.abilities.values() if able is not None]
    assert -3 < min(fitted) < max(fitted) < 3
    assert found.sentence().startswith("s9 is right on all items (ability at least +")
    rows = found.tables()[0].rows
    assert (rows[0][0], rows[-1][0]) == ("s9", "s0")
    assert "s0, s9: right on all items or on none" in found.notes[1]
    assert "s9" in str(found)
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["abilities"]["s9"] == [None, None]
    assert plain["bounds"]["s9"] == [pytest.approx(least), None]


def test_designs_that_say_nothing_are_refused():
    undefined("one item; at least 2", demur.rasch, asked_of(drawn(1, 10)[2]))
    sure = np.ones((20, 10), bool)
    undefined("0 systems are right on some", demur.rasch, asked_of(sure))
    sure[0, 3] = False
    undefined("1 system is right on some", demur.rasch, asked_of(sure))


def test_parts_are_joined_by_items_on_which_each_is_better():
    right = np.array([[1, 0, 1, 1], [1, 0, 1, 1], [0, 1, 1, 1], [0, 1, 0, 1]]) * 1.0
    seen = np.ones((4, 4))
    seen[3, 2] = 0
    assert mixed(right, seen).tolist() == [True, True, False, False]
    assert joined(right, seen).tolist() == [0, 0, 1, 2]  # no one is better there
    assert joined(right, np.ones((4, 4))).tolist() == [0, 0, 0, 0]
    once = np.array([[1, 0], [0, 1], [1, 1]]) * 1.0
    partly = np.array([[1, 1], [1, 1], [1, 0]])
    assert joined(once, partly * 1.0).tolist() == [0, 0]  # each is better once
    assert joined(once[[0, 2]], partly[[0, 2]] * 1.0).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("figures", "how", "wanted"),
    [
        ([1, 2, 3, 4], {}, [1, 2, 3, 4]),
        ([1, 2, 3, 4], {"strata": 2}, [1, 1, 2, 2]),
        ([0, 0, 0, 1], {"strata": 2}, [1, 1, 1, 2]),
        ([0, 1, 1, 1], {"strata": 2}, None),
        ([0, 0, 0, 1], {}, [1, 1, 1, 2]),
        ([1, 2, 3, 4], {"edges": [2, 3.5]}, [1, 1, 2, 3]),
        ([1, 2, 3, 4], {"edges": [2.0 + 1e-13]}, [1, 1, 2, 2]),
        ([1, 2, 3, 4], {"edges": [2, 2]}, None),
        ([1, 2, 3, float("nan")], {}, None),
        ([1, 2, 3, 4], {"strata": True}, None),
        ([1, 2, 3, 4], {"strata": 2.0}, None),
    ],
)
def test_an_end_of_a_stratum_belongs_to_what_is_below(figures, how, wanted):
    items = [f"q{k}" for k in range(4)]
    asked = graded([1, 0, 1, 0], item=items), dict(zip(items, figures, strict=True))
    if wanted is None:
        with pytest.raises(InputError):
            demur.with_strata(*asked, **how)
        return
    column = demur.with_strata(*asked, **how).groups["difficulty"]
    assert [int(name[0]) for name in column] == wanted
    assert {name[5] for name in column} == {str(max(wanted))}


def as_outcomes(right):
    n, k = right.shape
    return graded(
        right.ravel(),
        np.random.default_rng(2).random(n * k),
        item=[f"q{item}" for item in range(n) for _ in range(k)],
        system=[f"s{system}" for _ in range(n) for system in range(k)],
    )


def test_systems_and_items_by_name_and_curves_by_difficulty():
    _, _, right = drawn(120)
    outcomes = as_outcomes(right)
    found = demur.rasch(outcomes)
    assert list(found.abilities) == [f"s{k}" for k in range(12)]
    solved = right.sum(axis=1)
    by_item = found.by_item
    # Where all have answered, the number of right answers says it all.
    order = sorted(range(120), key=lambda k: by_item[f"q{k}"])
    assert solved[order].tolist() == sorted(solved.tolist(), reverse=True)
    assert (found.none_right, found.all_right) == (
        int((solved == 0).sum()),
        int((solved == 12).sum()),
    )
    parted = demur.with_strata(outcomes, by_item, strata=3)
    errors = [
        1 - part.mean_credit() for _, part in sorted(parted.parts(["difficulty"]))
    ]
    assert errors == sorted(errors)
    assert len(errors) == 3
    assert sum(len(part) for _, part in parted.parts(["difficulty"])) == len(outcomes)


def test_what_the_rasch_model_refuses():
    _, _, right = drawn(20, 9)
    undefined("9 systems; at least 10", demur.rasch, as_outcomes(right))
    _, _, right = drawn(20, 10)
    outcomes = as_outcomes(right)
    refuses("difficulty", demur.with_strata, outcomes, {"q1": 0.0})
    known = {f"q{k}": float(k) for k in range(20)}
    for edges in ([], [2, 1]):
        refuses("rising", demur.with_strata, outcomes, known, edges=edges)
    refuses("from 2", demur.with_strata, outcomes, known, strata=1)


def test_thirteen_language_models(demur_data):
    path = demur_data / "llm_mcq_confidence" / "arc.csv.gz"
    outcomes = demur.read_outcomes(path, where={"prompt": "first"})
    found = demur.rasch(outcomes)
    accuracy = {name: outcomes.select(system=name) for name in outcomes.systems}
    right = {name: part.counts()["right"] for name, part in accuracy.items()}
    ranked = sorted(found.abilities, key=lambda name: found.abilities[name][0])
    assert [right[name] for name in ranked] == sorted(right.values())
    assert found.reliability > 0.75
    runs = replace(outcomes, repeat=np.array(["1"] * len(outcomes), object))
    twice = replace(runs.select(system="Yi-6b"), repeat=np.array(["2"] * 2590, object))
    refuses("once", demur.rasch, stacked([runs, twice]))


@given(st.lists(st.tuples(st.floats(0.001, 1), st.floats(0.001, 1)), min_size=1))
def test_information_is_the_gain_in_bits(rows):
    given_, without = zip(*rows, strict=True)
    found = demur.usable_information({"p_with": given_, "p_without": without})
    bits = [math.log2(a) - math.log2(b) for a, b in rows]
    assert found.values == pytest.approx(bits)
    assert found.mean == pytest.approx(sum(bits) / len(bits))
    assert found.misled == pytest.approx(sum(b < 0 for b in bits) / len(bits))
    assert found == demur.usable_information({"p_with": given_, "p_without": without})


def test_what_results_carry_is_not_part_of_them():
    found = measured(table())
    carries(found, "task")
    assert "closed" not in found.to_dict()
    [*_, learned] = demur.try_methods(found)
    carries(learned, "outcomes")
    rows = [{"p_with": 0.5, "p_without": 0.25}]
    carries(demur.usable_information(rows), "values")


@pytest.mark.parametrize("value", [0, -0.1, 1.1, float("nan"), None, "high"])
def test_probabilities_that_are_none(value):
    with pytest.raises(InputError, match="record 2: p_with must be a probability"):
        demur.usable_information(
            [{"p_with": 1, "p_without": 1}, {"p_with": value, "p_without": 1}]
        )


def test_a_test_set_lacks_what_is_hard_among_all_data():
    """The 30 `go` are easy in both, though 0 bits in one and .42 in the other."""
    test = {"run": {"go": 30}, "bank": {"shore": 10, "money": 10}}
    every = {**test, "run": {"go": 30, "storm": 10}}
    one, all_data = (demur.difficulty_of_counts(counts) for counts in (test, every))
    assert demur.lacking_strata(one, all_data) == [
        "no item of more than 1 and up to 2 bits; the other set has 10",
        "1 of 4 values are not there",
    ]
    assert demur.lacking_strata(all_data, one) == []
    assert demur.lacking_strata(all_data, all_data) == []


# -- the command ---------------------------------------------------------------------


@pytest.fixture
def path(tmp_path):
    rows = table()
    file = tmp_path / "tokens.csv"
    names = list(rows)
    lines = [",".join(names)]
    lines += [",".join(map(str, row)) for row in zip(*rows.values(), strict=True)]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return str(file)


ASKED = ["--markable", "word", "--value", "sense", "--cluster", "doc"]


def test_the_command_says_what_the_verb_does(path):
    shown = printed_json("difficulty", path, *ASKED)
    found = measured(table())
    assert shown["entropy"] == found.entropy
    assert [each["markable"] for each in shown["per_markable"]] == [
        each.markable for each in found.per_markable
    ]
    said = printed("difficulty", path, *ASKED, "--keep", "majority <= 0.7")
    assert "Always taking the most frequent value" in said
    assert "markables with majority <= 0.7" in said


def test_the_command_tries_methods_on_versions_and_draws(path, tmp_path):
    picture = tmp_path / "scale.svg"
    asked = [
        *("--version", "hard: majority <= 0.7", "--version", "less: majority > 0.7"),
        *("--method", "majority", "--method", "naive-bayes", "--words", "beside"),
        *("--plot", str(picture), "--y", "lift"),
    ]
    said = printed("difficulty", path, *ASKED, *asked)
    assert "naive-bayes: lift changes by" in said
    assert "hard" in picture.read_text("utf-8")
    shown = printed_json("difficulty", path, *ASKED, *asked)
    assert set(shown["versions"]) == {"hard", "less"}
    assert len(shown["scalability"]["points"]) == 6
    printed("difficulty", path, *ASKED, "--plot", picture)
    assert "entropy of the markable" in picture.read_text("utf-8")


def test_gates_and_what_a_test_set_lacks(path, tmp_path):
    entropy = measured(table()).entropy
    for limit, code in ((entropy - 0.01, 1), (entropy + 0.01, 0)):
        gate = ["--fail-if", f"entropy > {limit}"]
        stderr_of("difficulty", path, *ASKED, *gate, code=code)
    stderr_of("difficulty", path, *ASKED, "--fail-if", "colour > 1", code=2)
    stderr_of("difficulty", "no file", *ASKED, "--fail-if", "few > 1", code=2)
    easy = tmp_path / "easy.csv"
    easy.write_text("word,sense,doc\nrun,go,1\n", "utf-8")
    said = printed("difficulty", easy, *ASKED, "--against", path)
    assert "Lacking of the other table's task" in said
    assert "1 of 2 markables are not there" in said


@pytest.mark.parametrize(
    ("asked", "code", "words"),
    [
        (["--version", "hard"], 2, "read like"),
        (["--words", "beside"], 2, "--method"),
        (["--keep", "size > 1"], 4, "majority, entropy"),
        (["--where", "book=x"], 4, "book"),
        (["--method", "majority", "--folds", "1000"], 4, "from 2 to 40"),
    ],
)
def test_wrong_calls_are_one_line(path, asked, code, words):
    said = stderr_of("difficulty", path, *ASKED, *asked, code=code)
    assert words in said
    assert said.count("\n") == 1
