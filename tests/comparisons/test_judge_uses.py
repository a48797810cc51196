"""Whether a judge may be used for a comparison, by how many labels."""

import json
from dataclasses import replace
from math import comb
from pathlib import Path

import numpy as np
import pytest

import demur
from builders import printed_json, refuses, stderr_of, undefined
from demur.arrays import Sample
from demur.comparisons.judge_uses import judge_use, labels_show
from demur.results.gates import parse_gate
from demur.statistics.correcting_differences import difference_of
from demur.statistics.noisy_verdicts import Verdicts, corrected
from demur.statistics.paired_tests import described
from demur.statistics.quantities import Quantity

N = 400
FAIR, NEARLY = (0.9, 0.8), (0.99, 0.99)


def answers(rng, errors, n_items=N):
    return [rng.random(n_items) < error for error in errors]


def judged(rng, wrong, rates=NEARLY):
    """Verdicts of a judge: how many of the right it calls right, of the wrong wrong."""
    sensitivity, specificity = rates
    return wrong ^ (rng.random(len(wrong)) >= np.where(wrong, specificity, sensitivity))


def of_systems(wrong, seen, labelled, weight=None, cluster=None):
    """Both corrections, from true losses, those by the judge, and who is labelled."""
    n_items = len(wrong[0])
    return [
        corrected(
            Verdicts(
                judge=verdict.astype(float),
                people=truth.astype(float),
                labelled=labelled,
                answered=np.ones(n_items),
                cluster=np.arange(n_items) if cluster is None else cluster,
                weight=weight,
            )
        )
        for truth, verdict in zip(wrong, seen, strict=True)
    ]


def use_of(a, b, level=0.95):
    value, tested = difference_of(a, b, level)
    n_items = len(a.verdicts.judge)
    sample = Sample(np.ones(n_items, bool), np.ones(n_items), a.verdicts.people)
    how = level, "prediction-powered", None
    return judge_use(
        a, b, described(sample, Quantity("error", 0.0), value, tested, how)
    )


def first(n_labels, n_items=N):
    return np.arange(n_items) < n_labels


def tables(errors=(0.4, 0.1), n_labels=60, rates=NEARLY, seed=0, **columns):
    """Two systems as outcomes, the first items labelled."""
    rng = np.random.default_rng(seed)
    made = []
    for name, wrong in zip("ab", answers(rng, errors), strict=True):
        people = np.where(wrong, "wrong", "right").astype(object)
        people[n_labels:] = None
        made.append(
            demur.Outcomes.from_arrays(
                system=name,
                item=range(N),
                correct=~judged(rng, wrong, rates),
                confidence=rng.random(N) - 0.3 * wrong,
                groups={"people": people},
                **columns,
            )
        )
    return made


def file_of(path, pair):
    lines = []
    for table in pair:
        for row in range(N):
            people = table.groups["people"][row]
            lines.append(
                {
                    "item": str(row),
                    "system": table.systems[0],
                    "correct": table.outcome[row] == "right",
                    "confidence": float(table.confidence[row]),
                    **({} if people is None else {"people": people}),
                }
            )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


# -- what labels can show --------------------------------------------------------------


@pytest.mark.parametrize("difference", [0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3])
@pytest.mark.parametrize("n_labels", [20, 50])
def test_total_agreement_never_suffices_below_what_so_many_labels_show(
    difference, n_labels
):
    rng = np.random.default_rng(round(1000 * difference) + n_labels)
    for _ in range(5):
        wrong = answers(rng, (0.35, 0.35 - difference))
        use = use_of(*of_systems(wrong, wrong, first(n_labels)))
        assert use.labels == n_labels
        # At most twice the share of items on which an error may be missed.
        share = 1 - 0.025 ** (1 / n_labels)
        assert share * (1 - n_labels / N) <= use.shows <= 2 * share
        if abs(use.judged) <= use.shows:
            assert not use.usable
            assert f"down to {use.shows:.3f}" in use.sentence()


@pytest.mark.parametrize(
    ("n_items", "n_labels"),
    [(40, 20), (60, 20), (60, 30), (100, 50), (200, 50), (1000, 20), (60, 58)],
)
def test_what_agreement_leaves_open_is_what_a_draw_leaves(n_items, n_labels):
    # The judge calls the second alone wrong everywhere, so that an error turns an item
    # round; exact chances that a draw without replacement meets none of its errors.
    def agrees(errors):
        return comb(n_items - errors, n_labels) / comb(n_items, n_labels)

    most = max(k for k in range(n_items - n_labels + 1) if agrees(k) >= 0.025)
    seen = [np.zeros(n_items, bool), np.ones(n_items, bool)]
    better, worse = of_systems(seen, seen, first(n_labels, n_items))
    _, shows = labels_show(better, worse, 0.95)
    assert 2 * most / n_items <= shows <= 2 * (most + 1.1) / n_items


def test_large_differences_may_rest_on_a_judge_who_agrees():
    rng = np.random.default_rng(1)
    wrong = answers(rng, (0.6, 0.1))
    use = use_of(*of_systems(wrong, wrong, first(50)))
    assert use.usable
    assert use.why_not == ""
    assert use.sentence().startswith("The judge may be used for this comparison")


@pytest.mark.parametrize("n_labels", [10, 20, 30, 47, 60])
def test_a_difference_at_the_end_of_its_interval_is_not_excluded(n_labels):
    # All wrong against none: the interval ends at 1, but for rounding.
    def system(name, wrong):
        people = [wrong if k < n_labels else None for k in range(60)]
        return demur.Outcomes.from_arrays(
            system=name, item=range(60), outcome=[wrong] * 60, groups={"people": people}
        )

    pair = system("a", "right"), system("b", "wrong")
    for a, b in (pair, pair[::-1]):
        use = demur.compare(a, b, gold="people").by_judge.use
        assert use.usable, use.why_not


def test_the_order_of_systems_does_not_matter():
    rng = np.random.default_rng(2)
    wrong = answers(rng, (0.45, 0.2))
    seen = [judged(rng, part, FAIR) for part in wrong]
    a, b = of_systems(wrong, seen, first(50))
    one, other = use_of(a, b), use_of(b, a)
    assert (one.usable, one.labels_needed) == (other.usable, other.labels_needed)
    assert one.shows == pytest.approx(other.shows)
    assert one.judged == -other.judged


def test_labels_of_each_system_by_itself_show_less():
    rng = np.random.default_rng(3)
    wrong = answers(rng, (0.5, 0.2))
    a, b = of_systems(wrong, wrong, first(40))
    labels, shows = labels_show(b, a, 0.95)
    elsewhere = of_systems(wrong, wrong, np.roll(first(40), 100))[1]
    labels_apart, shows_apart = labels_show(elsewhere, a, 0.95)
    assert (labels, labels_apart) == (40, 40)
    assert shows < shows_apart < 1


def test_labels_that_stand_for_many_show_less_and_clusters_count_once():
    rng = np.random.default_rng(4)
    wrong = answers(rng, (0.5, 0.2))
    labelled = first(50)
    equal = labels_show(*of_systems(wrong, wrong, labelled)[::-1], 0.95)[1]
    ones = np.ones(N)
    same = labels_show(*of_systems(wrong, wrong, labelled, ones)[::-1], 0.95)[1]
    assert same == pytest.approx(equal)
    extreme = np.where(np.arange(N) < 5, 1e6, 1.0)
    heavy = labels_show(*of_systems(wrong, wrong, labelled, extreme)[::-1], 0.95)[1]
    in_fives = of_systems(wrong, wrong, labelled, cluster=np.arange(N) // 5)
    assert heavy > 1.5 * equal
    assert labels_show(*in_fives[::-1], 0.95)[1] > 2 * equal


def test_nothing_is_left_open_where_all_is_labelled():
    rng = np.random.default_rng(5)
    wrong = answers(rng, (0.5, 0.3))
    use = use_of(*of_systems(wrong, wrong, first(N)))
    assert use.shows == 0
    assert use.usable
    assert use.unneeded
    assert "without the judge" in use.sentence()


# -- why not ---------------------------------------------------------------------------


def test_a_judge_that_turns_systems_round_is_told_so():
    rng = np.random.default_rng(6)
    wrong = answers(rng, (0.2, 0.6))
    seen = [wrong[0] | (rng.random(N) < 0.5), wrong[1] & (rng.random(N) < 0.3)]
    use = use_of(*of_systems(wrong, seen, first(150)))
    assert use.judged < 0 < use.corrected
    assert "the other way" in use.why_not
    assert "would do" not in use.sentence()
    assert use.unneeded


def test_a_judge_that_sees_too_much_is_told_so():
    rng = np.random.default_rng(7)
    wrong = answers(rng, (0.5, 0.4))
    seen = [wrong[0] | (rng.random(N) < 0.5), wrong[1] & (rng.random(N) < 0.3)]
    use = use_of(*of_systems(wrong, seen, first(150)))
    assert "people's verdicts exclude" in use.why_not


def test_luck_and_no_difference_speak_against_it():
    rng = np.random.default_rng(8)
    wrong = answers(rng, (0.3, 0.3))
    nothing = use_of(*of_systems([wrong[0]] * 2, [wrong[0]] * 2, first(50)))
    assert nothing.why_not == "it sees no difference"
    assert nothing.labels_needed is None
    seen = [wrong[0], wrong[1] ^ (rng.random(N) < 0.25)]
    lucky = use_of(*of_systems(wrong, seen, first(N - 1)))
    assert not lucky.usable


def test_so_many_labels_do_as_it_says_in_most_draws():
    rng = np.random.default_rng(9)
    errors = (0.45, 0.25)
    wrong = answers(rng, errors, 2000)
    needed = use_of(*of_systems(wrong, wrong, first(30, 2000))).labels_needed
    usable = 0
    for _ in range(40):
        wrong = answers(rng, errors, 2000)
        seen = [judged(rng, part) for part in wrong]
        usable += use_of(*of_systems(wrong, seen, first(2 * needed, 2000))).usable
    assert usable >= 24


# -- the wrong system ------------------------------------------------------------------


ASYMMETRIC = {
    "it favours b": (NEARLY, (0.97, 0.5)),
    "it errs against a": ((0.7, 0.99), NEARLY),
    "it is fair": (FAIR, FAIR),
}


def wrongly_used(runs, n_labels, rates, errors, seed):
    """In how many draws it may be used though the other system errs less, or none."""
    rng = np.random.default_rng(seed)
    wrongly = 0
    for _ in range(runs):
        wrong = answers(rng, errors, 300)
        seen = [judged(rng, *part) for part in zip(wrong, rates, strict=True)]
        pair = of_systems(wrong, seen, first(n_labels, 300))
        apart = pair[1].verdicts.raw - pair[0].verdicts.raw
        order = pair if apart >= 0 else pair[::-1]
        if abs(apart) > labels_show(*order, 0.95)[1]:  # else it may not
            wrongly += use_of(*pair).usable and apart * (errors[1] - errors[0]) <= 0
    return wrongly


@pytest.mark.parametrize("rates", ASYMMETRIC.values(), ids=list(ASYMMETRIC))
def test_the_wrong_system_is_seldom_called_better(rates):
    runs = 100
    assert wrongly_used(runs, 50, rates, (0.4, 0.4), 1) <= 0.05 * runs


@pytest.mark.stress
@pytest.mark.parametrize("n_labels", [20, 50, 100])
@pytest.mark.parametrize("errors", [(0.4, 0.4), (0.3, 0.35), (0.6, 0.6)])
@pytest.mark.parametrize("rates", ASYMMETRIC.values(), ids=list(ASYMMETRIC))
def test_the_wrong_system_is_called_better_in_at_most_a_twentieth(
    rates, errors, n_labels
):
    runs = 2000
    assert wrongly_used(runs, n_labels, rates, errors, n_labels) <= 0.05 * runs


# -- the comparison that says it -------------------------------------------------------


def test_the_sentence_the_json_and_the_gate_say_the_same():
    a, b = tables()
    found = demur.compare(a, b, at=0, gold="people")
    use = found.by_judge.use
    assert use.usable
    assert use.sentence() in found.sentence()
    plain = found.to_dict()["by_judge"]["use"]
    assert (plain["usable"], plain["why_not"]) == (True, "")
    assert plain["labels"] == 60
    gate = parse_gate("judge_unusable")
    assert gate.broken_by(found.figures()) == []
    few = demur.compare(*tables(errors=(0.4, 0.35)), at=0, gold="people")
    assert gate.broken_by(few.figures())


def test_several_rates_go_by_p_of_all_of_them():
    found = demur.compare(*tables(), at=[0, 0.2, 0.5], gold="people")
    for one in found.rates:
        assert one.by_judge.use.p_value == one.difference.adjusted_p
        assert one.by_judge.use.sentence() in found.sentence()


def test_own_decisions_have_a_verdict_too():
    pair = [
        demur.Outcomes.from_arrays(
            system=table.systems[0],
            item=range(N),
            outcome=table.column("outcome"),
            groups=dict(table.groups),
        )
        for table in tables()
    ]
    found = demur.compare(*pair, gold="people")
    assert found.by_judge.use.usable


def test_the_command_prints_it_and_gates_on_it(tmp_path):
    path = file_of(tmp_path / "both.jsonl", tables(errors=(0.4, 0.35)))
    argv = ["compare", path, "--at", "0", "--gold", "people"]
    said = printed_json(*argv, "--json")
    assert "The judge may not be used for this comparison" in said["sentence"]
    assert said["by_judge"]["use"]["usable"] is False
    argv += ["--fail-if", "judge_unusable"]
    assert "can show differences down to" in stderr_of(*argv, code=1)
    assert "judge_unusable" in stderr_of(*argv[:4], *argv[-2:], code=2)


def test_verdicts_of_a_model_that_nobody_checked_are_noted():
    pair = tables()
    by_model = [replace(table, recipe={"comparator": "model/1"}) for table in pair]
    unchecked = "nobody has checked it"
    assert any(unchecked in note for note in demur.compare(*by_model).notes)
    checked = demur.compare(*by_model, gold="people")
    assert not any(unchecked in note for note in checked.notes)
    assert not any(unchecked in note for note in demur.compare(*pair).notes)
    assert any(unchecked in note for note in demur.compare_all(by_model).notes)
    # A file of outcomes has no recipe, and its columns tell.
    sure = {"verdict_confidence": np.full(len(pair[0]), 0.9, object)}
    by_column = [replace(table, groups={**table.groups, **sure}) for table in pair]
    assert any(unchecked in note for note in demur.compare(*by_column).notes)
    assert any(unchecked in note for note in demur.compare_all(by_column).notes)


def test_files_of_verdicts_that_a_model_gave_are_noted_as_unchecked(tmp_path):
    plain = file_of(tmp_path / "judged.jsonl", tables())
    unchecked = "nobody has checked it"
    by_people = printed_json("compare", plain, "--json")
    assert not any(unchecked in note for note in by_people["notes"])
    path = tmp_path / "by_model.jsonl"
    rows = [json.loads(line) for line in Path(plain).read_text().splitlines()]
    sure = [json.dumps({**row, "verdict_confidence": 0.9}) for row in rows]
    path.write_text("\n".join(sure))
    by_model = printed_json("compare", str(path), "--json")
    assert any(unchecked in note for note in by_model["notes"])


def test_what_the_judge_could_not_tell_is_said_to_count_as_wrong_by_it(tmp_path):
    path = Path(file_of(tmp_path / "both.jsonl", tables()))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        row["outcome"] = "right" if row.pop("correct") else "wrong"
    rows[-1]["outcome"] = "ungraded"
    path.write_text("\n".join(map(json.dumps, rows)))
    said = "b: 1 ungraded answer counts as wrong in the judge's error"
    for command in ("compare", "curve"):
        noted = printed_json(command, str(path), "--gold", "people", "--json")["notes"]
        assert [note for note in noted if note.startswith(said)], noted


def test_a_difference_has_the_sign_that_the_named_order_gives_it(tmp_path):
    path = file_of(tmp_path / "both.jsonl", tables())
    differences = []
    for order in ("ab", "ba"):
        named = [word for name in order for word in ("--where", f"system={name}")]
        words = *named, "--at", "0", "--gold", "people", "--json"
        compared = printed_json("compare", path, *words)
        assert (compared["a"], compared["b"]) == tuple(order)
        differences.append(compared["by_judge"]["use"]["judged"])
    assert differences[0] == -differences[1] != 0


# -- hostile ---------------------------------------------------------------------------


def test_labels_of_one_system_alone_are_refused():
    a, b = tables()
    empty = np.full(N, None, object)
    b = demur.Outcomes.from_arrays(
        system="b", item=range(N), outcome=b.column("outcome"), groups={"people": empty}
    )
    undefined("0 independent items", demur.compare, a, b, gold="people")


@pytest.mark.parametrize("word", [None, "ungraded"])
def test_no_label_and_labels_that_say_nothing_are_refused(word):
    people = np.full(N, word, object)
    pair = [
        demur.Outcomes.from_arrays(
            system=table.systems[0],
            item=range(N),
            outcome=table.column("outcome"),
            groups={"people": people},
        )
        for table in tables()
    ]
    with pytest.raises(demur.DemurError):
        demur.compare(*pair, gold="people")


def test_a_column_that_is_not_there_is_refused():
    refuses("gold", demur.compare, *tables(), gold="nobody")
