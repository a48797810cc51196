"""Judges in arrangements: errors, prices, what is best; and whether that holds."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

import demur
import judge_cases
import reference_judges
from builders import refuses
from demur.judge_models import decided_errors
from demur.judge_models.decided_errors import PeopleLabels, bound_of_wrong, share_wrong

PRICES = judge_cases.PRICES


def arrange(tables, *arrangements, **how):
    judges = demur.judge_outcomes(tables, gold="people")
    return demur.arrange_judges(judges, arrangements or None, **how)


def prices_of(tables):
    return {name: PRICES[name] for name in (*tables, "people")}


@st.composite
def arranged(draw, names, sure):
    """An arrangement as the twin has it, and as it is typed."""
    kinds = ["cascade", "vote", "unanimous"] if len(names) > 1 else ["cascade"]
    kind = draw(st.sampled_from(kinds))
    least = 1 if kind == "cascade" else 2
    chosen = draw(st.permutations(names))[: draw(st.integers(least, len(names)))]
    cutoffs = st.sampled_from([None, 0.0, 0.5, 0.7])
    cut = [draw(cutoffs) if kind == "cascade" and n in sure else None for n in chosen]
    members = list(zip(chosen, cut, strict=True))
    words = [name if c is None else f"{name}@{c}" for name, c in members]
    ends = ["people"] if kind == "cascade" else []
    return kind, members, f"{kind}({', '.join([*words, *ends])})"


@settings(max_examples=250)
@given(judge_cases.answers(), st.data())
def test_an_arrangement_is_worth_what_a_loop_counts(listed, data):
    names = [*listed[0].says]
    sure = {
        name
        for name in names
        if any(a.says[name] and a.sure[name] is not None for a in listed)
    }
    kind, members, text = data.draw(arranged(names, sure))
    tables = judge_cases.tables(listed)
    found = arrange(tables, text, prices=prices_of(tables)).arrangements[0]
    twin = reference_judges.weighed(kind, members, listed, prices_of(tables))
    assert found.left == pytest.approx(twin.left)
    assert found.price == pytest.approx(twin.price)
    assert [share for _, share in found.decided_by] == pytest.approx(twin.shares)
    for name in ("error", "false_accepts", "false_rejects"):
        rate, expected = getattr(found, name), getattr(twin, name)
        assert (rate is None) == (expected is None)
        if rate is not None:
            assert rate.value == pytest.approx(expected)
            assert 0 <= rate.low <= rate.value <= rate.high <= 1
    if twin.error is not None and twin.left < 1:
        assert found.error.high > found.error.low  # no label is so sure
        assert found.bound >= found.error.value - 1e-12


@settings(max_examples=40)
@given(judge_cases.answers(least=2), st.randoms(use_true_random=False))
def test_people_have_no_part_in_what_is_decided_and_rows_may_be_shuffled(
    listed, random
):
    names = [*listed[0].says]
    texts = [f"cascade({name}, people)" for name in names]
    if len(names) > 1:
        texts.append(f"vote({', '.join(names)})")

    def arranged_by_name(answers, order=None):
        tables = judge_cases.tables(answers, order=order)
        prices = {name: PRICES[name] for name in (*names, "people")}
        found = arrange(tables, *texts, prices=prices).arrangements
        return {one.arrangement: one for one in found}

    order = list(range(len(listed)))
    random.shuffle(order)
    first = arranged_by_name(listed)
    assert first == arranged_by_name(listed, order)
    for answer in listed:
        if answer.people is not None:
            answer.people = "wrong" if answer.people == "right" else "right"
    turned = arranged_by_name(listed)
    for name, one in first.items():
        decided = one.price, one.left, one.decided_by
        assert decided == (
            turned[name].price,
            turned[name].left,
            turned[name].decided_by,
        )


def test_bounds_are_those_of_clopper_and_pearson_corrected_for_their_number():
    made = judge_cases.simulated(
        *(np.random.default_rng(3), 120), accuracy={"small": 0.8, "large": 0.9}
    )
    weighed = arrange(made, "cascade(small, people)", "cascade(small@*, people)")
    assert weighed.looked_at == len(weighed.arrangements) == 10
    for one in weighed.arrangements:
        wrong = round(one.error.value * 120)
        bound = beta.ppf(1 - 0.05 / 10, wrong + 1, 120 - wrong)
        assert one.bound == pytest.approx(bound)
    of_decided = arrange(made, "cascade(small@0.5, people)", of="answered")
    (one,) = of_decided.arrangements
    n = 120 - one.n_left
    wrong = round(one.error.value * 120)
    assert one.bound == pytest.approx(beta.ppf(0.95, wrong + 1, n - wrong))
    assert one.error_of_decided == pytest.approx(wrong / n)


def test_the_best_is_the_cheapest_whose_bound_is_low_enough():
    made = judge_cases.simulated(
        *(np.random.default_rng(4), 600), accuracy={"small": 0.8, "large": 0.95}
    )
    prices = {"small": 0.01, "large": 0.1, "people": 2}
    for most_error in (0.02, 0.05, 0.1, 0.3):
        weighed = arrange(made, prices=prices, most_error=most_error)
        good = [o for o in weighed.arrangements if o.bound <= most_error and o.left < 1]
        assert good
        assert weighed.best_arrangement.price == min(one.price for one in good)
        assert weighed.best in weighed.sentence()
    none = arrange(made, "cascade(small, people)", most_error=0.02)
    assert none.best is None
    assert "None of the arrangements has an error of at most 0.02" in none.sentence()
    unpriced = arrange(made, most_error=0.1)
    good = [one for one in unpriced.arrangements if one.bound <= 0.1 and one.left < 1]
    assert unpriced.best_arrangement.left == min(one.left for one in good)
    assert "leaves least to people" in unpriced.sentence()
    assert all(one.price is None for one in unpriced.arrangements)


def test_what_is_no_cheaper_than_people_is_told():
    made = judge_cases.simulated(
        np.random.default_rng(4), 300, accuracy={"small": 0.95}
    )
    prices = {"small": 3, "people": 2}
    weighed = arrange(made, prices=prices, most_error=0.2)
    assert "people alone cost 2, which is not more" in weighed.sentence()


def test_the_dominated_are_marked():
    made = judge_cases.simulated(
        *(np.random.default_rng(5), 300), accuracy={"small": 0.8, "large": 0.95}
    )
    prices = {"small": 0.01, "large": 0.1, "people": 2}
    listed = arrange(made, prices=prices).arrangements
    assert [one.price for one in listed] == sorted(one.price for one in listed)
    by_name = {one.arrangement: one for one in listed}
    for one in listed:
        better = [
            other.arrangement
            for other in listed
            if other.price <= one.price
            and other.error.value <= one.error.value
            and (other.price, other.error.value) != (one.price, one.error.value)
        ]
        assert (one.dominated_by is None) == (not better)
        assert one.dominated_by is None or one.dominated_by in better
        assert one.dominated_by is None or by_name[one.dominated_by].price <= one.price


# -- hostile -------------------------------------------------------------------------


def plain(outcome, people, **further):
    return demur.Outcomes.from_arrays(
        outcome=outcome, groups={"people": people}, **further
    )


def test_labels_that_all_agree_leave_something_open():
    right = plain(["right"] * 20, ["right"] * 20)
    (judge,) = arrange({"a": right}).judges
    assert judge.error.value == judge.error.low == 0
    assert 0.1 < judge.error.high < 0.25
    assert judge.false_rejects.high > 0.1
    (one,) = arrange({"a": right}, "cascade(a, people)").arrangements
    assert one.bound == pytest.approx(1 - 0.05 ** (1 / 20))


def test_no_label_says_nothing():
    nothing = plain(["right", "wrong"] * 10, [None] * 20)
    weighed = arrange({"a": nothing, "b": nothing}, most_error=0.5)
    assert weighed.best is None
    assert weighed.sentence() == (
        "People have judged none of the answers, so nothing is known."
    )
    assert {one.error for one in weighed.arrangements} == {None}
    assert {one.bound for one in weighed.arrangements} == {1.0}
    assert "-" in str(weighed)


def test_all_cannot_tell():
    silent = plain(["ungraded"] * 12, ["right", "wrong"] * 6)
    loud = plain(["right"] * 12, ["right", "wrong"] * 6)
    weighed = arrange({"a": silent, "b": loud}, most_error=0.9)
    first, second = weighed.judges
    assert (first.left, first.n_left, first.error.value) == (1, 12, 0)
    assert (second.false_accepts.value, second.false_rejects.value) == (0.5, 0)
    assert weighed.best != "cascade(a, people)"
    alone = arrange({"a": silent}, most_error=0.9)
    assert (alone.best, alone.looked_at) == (None, 0)


def test_labels_that_could_not_be_drawn_leave_the_error_open():
    table = plain(
        ["right"] * 4, ["right", "right", None, None], label_weight=[2, 2, None, 0]
    )
    (one,) = arrange({"a": table}, "cascade(a, people)").arrangements
    assert (one.error, one.bound) == (None, 1)


def test_a_label_must_have_a_weight_where_others_have():
    table = plain(["right"] * 3, ["right"] * 3, label_weight=[2, 2, None])
    refuses("label_weight must be above 0", arrange, {"a": table})


def test_weights_of_items_are_refused():
    table = plain(["right"] * 3, ["right"] * 3, weight=[1, 2, 3])
    refuses("must have equal weights", arrange, {"a": table})


def test_a_judge_without_confidences_has_neither_curve_nor_cutoff():
    rng = np.random.default_rng(6)
    made = judge_cases.simulated(rng, 100, accuracy={"small": 0.9, "large": 0.9})
    bare = made["large"].groups["people"].tolist()
    made["large"] = plain(["right"] * 100, bare)
    weighed = arrange(made, most_error=0.2)
    small, large = weighed.judges
    assert small.cutoff is not None
    assert small.area > 0
    assert (large.cutoff, large.area, large.at) == (None, None, ())
    assert not any("large@" in one.arrangement for one in weighed.arrangements)
    words = "a cutoff must belong to a judge with confidences; got large"
    refuses(words, arrange, made, "cascade(large@0.5, people)")
    refuses("must be one of small, large", arrange, made, "vote(small, medium)")


@pytest.mark.parametrize(
    ("prices", "words"),
    [
        ({"a": 1}, "for every judge and for people; got none for people"),
        ({"people": 1}, "got none for a"),
        (
            {"a": -1, "people": 1},
            "the price of a must be 0 or more, and finite; got -1",
        ),
        ({"a": float("nan"), "people": 1}, "the price of a must be"),
        ({"a": float("inf"), "people": 1}, "the price of a must be"),
        ({"a": "1", "people": 1}, "the price of a must be a number"),
        ({"a": True, "people": 1}, "the price of a must be a number"),
        ({"a": 1, "b": 1, "people": 1}, "the name of a price must be one of a, people"),
        ([1, 2], "prices must"),
    ],
)
def test_prices_must_be_there_and_sound(prices, words):
    table = plain(["right"], ["right"])
    refuses(words, arrange, {"a": table}, prices=prices)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"most_error": 0}, "most_error must"),
        ({"most_error": 1.5}, "most_error must"),
        ({"of": "some"}, "of must be one of all, answered"),
        ({"certainty": 1}, "certainty must"),
        ({"level": 2}, "level must"),
        ({"arrangements": []}, "arrangements must be at least one"),
        ({"arrangements": [3]}, "each arrangement must be"),
    ],
)
def test_other_arguments_are_checked(how, words):
    judges = demur.judge_outcomes(plain(["right"], ["right"]), gold="people")
    refuses(words, demur.arrange_judges, judges, **how)


def test_other_outcomes_are_refused():
    table = plain(["right"], ["right"])
    refuses("be those of judges, with a column verdict", demur.arrange_judges, table)
    judges = demur.judge_outcomes({"a": table, "b": table}, gold="people")
    part = judges.take(np.array([True, False]))
    assert demur.arrange_judges(part).judges[0].system == "a"
    two = plain(["right"] * 2, ["right"] * 2)
    judges = demur.judge_outcomes({"a": two, "b": two}, gold="people")
    words = "a and b must have the same answers; got 1 that one of them lacks"
    refuses(words, demur.arrange_judges, judges.take(np.array([0, 1, 2])))
    made_up = demur.Outcomes.from_arrays(
        item=["q", "q"],
        system=["a", "b"],
        outcome=["right", "right"],
        groups={"verdict": ["right", "wrong"]},
    )
    refuses("follow from one verdict of people", demur.arrange_judges, made_up)


def test_equal_arrangements_are_looked_at_once():
    table = plain(["right"] * 9, ["right"] * 9)
    names = ["cascade(a,people)", " cascade( a , people )", '\tcascade("a", people)']
    weighed = arrange({"a": table}, *names)
    assert weighed.looked_at == len(weighed.arrangements) == 1


def test_labels_that_were_not_drawn_at_random_are_told():
    made = judge_cases.simulated(np.random.default_rng(7), 400, accuracy={"a": 0.8})
    sure = made["a"].groups["verdict_confidence"].astype(float)
    words = np.where(sure > 0.5, made["a"].groups["people"], None)
    groups = {**made["a"].groups, "people": words}
    table = demur.Outcomes.from_arrays(
        outcome=made["a"].outcome.tolist(), groups=groups
    )
    notes = arrange({"a": table}).notes
    assert any("a: the labelled items differ from the others" in n for n in notes)


def test_the_result_has_figures_tables_and_a_picture():
    made = judge_cases.simulated(
        *(np.random.default_rng(8), 200),
        accuracy={"small": 0.8, "large": 0.9},
        cannot_tell=0.1,
    )
    prices = {"small": 0.01, "large": 0.1, "people": 2}
    weighed = arrange(made, prices=prices, most_error=0.1)
    figures = {(f.called, f.of): f for f in weighed.figures()}
    assert figures["judge_error", "small"].value == weighed.judges[0].error.value
    low, high = figures["judge_area", "large"].ends
    assert 0 < low < high
    assert figures["best_price", ""].value == weighed.best_arrangement.price
    assert len(weighed.pictures()) == 1
    titles = [table.title for table in weighed.tables()]
    assert titles[0] == "Judges"
    assert "Arrangements that no other dominates" in titles
    shares = [row for row in weighed.tables()[-1].rows if row[0] == weighed.best]
    assert sum(share for *_, share in shares) == pytest.approx(1)
    assert weighed.to_dict()["prices"] == prices


def test_the_best_is_shown_even_if_another_is_estimated_to_err_less_for_less():
    made = judge_cases.simulated(
        *(np.random.default_rng(8), 200),
        accuracy={"small": 0.8, "large": 0.9},
        cannot_tell=0.1,
    )
    prices = {"small": 0.01, "large": 0.1, "people": 2}
    weighed = arrange(made, prices=prices, most_error=0.1)
    other = next(one for one in weighed.arrangements if one.dominated_by)
    named = replace(weighed, best=other.arrangement)
    tables = {table.title: table for table in named.tables()}
    few = tables["Arrangements that no other dominates, and the best"]
    assert named.best in [row[0] for row in few.rows]


def test_a_chosen_arrangement_holds_on_a_part_kept_back():
    made = judge_cases.simulated(
        *(np.random.default_rng(9), 800), accuracy={"small": 0.85, "large": 0.95}
    )
    judges = demur.judge_outcomes(made, gold="people")
    first, second = demur.halves(judges)
    prices = {"small": 0.01, "large": 0.1, "people": 2}
    chosen = demur.arrange_judges(first, prices=prices, most_error=0.1)
    held = demur.arrange_judges(second, [chosen.best], prices=prices, most_error=0.1)
    assert held.looked_at == 1
    assert held.answers == 400
    assert any("cutoffs that were given hold only if" in note for note in held.notes)


# -- what intervals and bounds promise -----------------------------------------------


def counted_interval(n, decided, labelled, wrong):
    """The interval of so many answers; the same numbers have the same one."""
    verdict = np.where(np.arange(n) < decided, 1, -1).astype(np.int8)
    people = np.full(n, -1, np.int8)
    people[:labelled] = np.where(np.arange(labelled) < wrong, 0, 1)
    labels = PeopleLabels(people)
    return share_wrong(verdict, labels.wrong(verdict)[""], labels, 0.95)


@pytest.mark.parametrize("labelled", [1.0, 0.3])
@pytest.mark.parametrize("error", [0.02, 0.1, 0.3])
def test_intervals_of_errors_cover(error, labelled):
    """Of 100 answers 80 % are decided, and wrong with a chance; some are labelled."""
    covering(error, labelled, draws=600, least=0.93, above=0.035)


def covering(error, labelled, *, draws, least, above):
    """Scores of rare errors miss at the lower end, if at all; the upper end holds."""
    rng = np.random.default_rng(11)
    interval = cache(counted_interval)
    decided = rng.binomial(100, 0.8, draws)
    n_labels = np.maximum(rng.binomial(decided, labelled), 1)
    wrong = rng.binomial(n_labels, error)
    truth = 0.8 * error
    covered = beyond = 0
    for counts in zip(decided.tolist(), n_labels.tolist(), wrong.tolist(), strict=True):
        rate = interval(100, *counts)
        covered += rate.low <= truth <= rate.high
        beyond += truth > rate.high
    assert covered / draws >= least
    assert beyond / draws <= above


@pytest.mark.stress
@pytest.mark.parametrize("labelled", [1.0, 0.5, 0.2])
@pytest.mark.parametrize("error", [0.01, 0.05, 0.2, 0.4])
def test_intervals_of_errors_cover_in_a_storm(error, labelled):
    covering(error, labelled, draws=10_000, least=0.93, above=0.028)


def clustered_draw(rng, n_items, *, weighted):
    """Three answers to each item, alike in how hard they are; a part is labelled."""
    item = np.repeat(np.arange(n_items), 3)
    hard = np.repeat(rng.random(n_items) < 0.3, 3)
    wrong = rng.random(3 * n_items) < np.where(hard, 0.5, 0.05)
    chance = np.where(hard, 0.8, 0.4) if weighted else np.full(3 * n_items, 0.5)
    drawn = np.repeat(rng.random(n_items), 3) < chance
    verdict = np.ones(3 * n_items, np.int8)
    people = np.where(drawn, np.where(wrong, 0, 1), -1).astype(np.int8)
    weight = np.where(drawn, 1 / chance, np.nan) if weighted else None
    return verdict, PeopleLabels(people, weight, item)


TRUE_ERROR = 0.3 * 0.5 + 0.7 * 0.05


@pytest.mark.parametrize("weighted", [False, True])
def test_intervals_cover_with_clusters_and_weights(weighted):
    clusters_cover(weighted=weighted, draws=300, least=0.92)


def clusters_cover(*, weighted, draws, least):
    rng, covered = np.random.default_rng(12), 0
    for _ in range(draws):
        verdict, labels = clustered_draw(rng, 80, weighted=weighted)
        rate = share_wrong(verdict, labels.wrong(verdict)[""], labels, 0.95)
        covered += rate.low <= TRUE_ERROR <= rate.high
    assert covered / draws >= least


@pytest.mark.stress
@pytest.mark.parametrize("weighted", [False, True])
def test_intervals_cover_with_clusters_and_weights_in_a_storm(weighted):
    clusters_cover(weighted=weighted, draws=4000, least=0.94)


def best_is_broken(draws, *, n=100, target=0.1):
    """How often the arrangement that is best has a greater error than was promised.

    A judge errs with the chance (1 - c) / 2 where its confidence is c, so that a cutoff
    t has the error (1 - t) ** 2 / 4. Its nine cutoffs are read off the same answers.
    """
    rng = np.random.default_rng(13)
    bounded = cache(
        lambda wrong: bound_of_wrong(
            np.ones(n, np.int8),
            PeopleLabels(np.where(np.arange(n) < wrong, 0, 1).astype(np.int8)),
            of="all",
            certainty=1 - 0.05 / 9,
        )
    )
    broken = named = 0
    for _ in range(draws):
        sure = np.sort(rng.random(n))
        wrong = rng.random(n) < (1 - sure) / 2
        for cutoff in sure[(np.arange(1, 10) * n) // 10]:
            bound = bounded(int(wrong[sure >= cutoff].sum()))
            if bound <= target:  # the cheapest, as it leaves least to people
                named += 1
                broken += (1 - cutoff) ** 2 / 4 > target
                break
    return broken / draws, named / draws


def test_the_best_is_seldom_worse_than_promised():
    broken, named = best_is_broken(2000)
    assert named > 0.9  # else nothing is tried
    assert broken <= 0.05


@pytest.mark.stress
def test_the_best_is_seldom_worse_than_promised_in_a_storm():
    for target in (0.05, 0.1, 0.2):
        broken, _ = best_is_broken(20_000, target=target)
        assert broken <= 0.05


def test_what_is_simulated_is_what_the_verb_does():
    rng = np.random.default_rng(14)
    sure = np.sort(rng.random(100))
    wrong = rng.random(100) < (1 - sure) / 2
    table = plain(["right"] * 100, np.where(wrong, "wrong", "right").tolist())
    groups = {**table.groups, "verdict_confidence": sure}
    table = demur.Outcomes.from_arrays(outcome=["right"] * 100, groups=groups)
    weighed = arrange({"a": table}, "cascade(a@*, people)", most_error=0.1)
    listed = sorted(weighed.arrangements, key=lambda one: one.left)
    assert [one.n_left for one in listed] == [*range(10, 100, 10)]
    for one in listed:
        count = int(wrong[sure >= sure[one.n_left]].sum())
        assert one.bound == pytest.approx(
            beta.ppf(1 - 0.05 / 9, count + 1, 100 - count)
        )


def test_without_a_correction_the_promise_would_be_broken_more_often():
    """The simulation can fail: uncorrected point estimates break it half the time."""
    rng = np.random.default_rng(15)
    broken = 0
    for _ in range(300):
        sure = np.sort(rng.random(100))
        wrong = rng.random(100) < (1 - sure) / 2
        for cutoff in sure[(np.arange(1, 10) * 100) // 10]:
            if wrong[sure >= cutoff].mean() * np.mean(sure >= cutoff) <= 0.1:
                broken += (1 - cutoff) ** 2 / 4 > 0.1
                break
    assert broken / 300 > 0.2


def test_the_kinds_of_errors_add_up():
    assert {decided_errors.ACCEPTS, decided_errors.REJECTS} == {
        "false accepts",
        "false rejects",
    }
    made = judge_cases.simulated(np.random.default_rng(16), 200, accuracy={"a": 0.7})
    (judge,) = arrange(made).judges
    parts = judge.false_accepts.value + judge.false_rejects.value
    assert parts == pytest.approx(judge.error.value)


def test_labels_of_a_drawn_sample_stand_for_all_answers():
    """From a judge's verdicts by `demur.sample` and a filled sheet to its error."""
    rng = np.random.default_rng(17)
    truth = rng.random(600) < 0.7
    sure = rng.random(600).round(3)
    agrees = rng.random(600) < 1 - 0.4 * (1 - sure)
    judged = demur.Outcomes.from_arrays(
        outcome=np.where(agrees == truth, "right", "wrong"),
        response=[f"answer {row}" for row in range(600)],
        groups={"verdict_confidence": sure},
    )
    drawn = demur.sample(
        judged, budget=80, purpose="judge", unsure="verdict_confidence"
    )
    words = {
        f"answer {row}": "right" if right else "wrong"
        for row, right in enumerate(truth)
    }
    filled = [{**row, "verdict": words[row["response"]]} for row in drawn.sheet]
    labelled = demur.take_labels(drawn.outcomes, filled)
    judges = demur.judge_outcomes({"a": labelled}, gold="people")
    weighed = demur.arrange_judges(judges, ["cascade(a, people)"], most_error=0.4)
    assert (weighed.answers, weighed.labelled) == (600, 80)
    assert weighed.recipe["labels"] == "weighted"
    (one,) = weighed.arrangements
    weight = labelled.label_weight
    known = ~np.isnan(weight) & (weight > 0)
    errs = ~agrees[labelled.item.astype(int)]  # labelled rows stand first
    wrong = errs[known] @ weight[known] / weight[known].sum()
    assert one.error.value == pytest.approx(wrong)
    truly = np.mean(~agrees)
    assert one.error.low <= truly <= min(one.error.high, one.bound)
