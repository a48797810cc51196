"""Labels, concepts and spans: golden cases, twins, other packages, bad tables."""

from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed, printed_json, refuses, run, stderr_of, write_records
from demur.metrics.counted_items import by_system
from demur.metrics.mean_f import mean_f_interval
from demur.metrics.measuring_spans import MATCHES
from demur.metrics.tag_schemes import spans_of
from demur.outcomes.named_columns import NamedColumns
from demur.statistics.equal_units import equal_units
from demur.statistics.intervals import wilson
from demur.statistics.ratios import ratio_interval
from demur.statistics.units import FEWEST_UNITS, left_out, spread, t_quantile
from nlu_cases import case, cases

# -- labels --------------------------------------------------------------------------


@pytest.mark.parametrize("one", cases("prf.f"))
def test_golden_f(one):
    given_ = one["input"]
    found = demur.f_measure(given_["p"], given_["r"], given_["alpha"])
    assert found == pytest.approx(one["expected"]["F"], abs=1e-6)
    beta = one["expected"]["beta"] ** 2
    other = (1 + beta) * given_["p"] * given_["r"] / (beta * given_["p"] + given_["r"])
    assert found == pytest.approx(other)


def test_f_of_nothing():
    assert demur.f_measure(0.0, 1.0) == 0.0
    assert demur.f_measure(0.0, 1.0, alpha=0) == 1.0
    refuses("from 0 to 1", demur.f_measure, 1.2, 1.0)


pairs = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", "d", None])),
    min_size=1,
    max_size=30,
)


@given(pairs)
def test_labels_are_counted_plainly(rows):
    true, given_ = map(list, zip(*rows, strict=True))
    found = demur.label_scores(hypotheses=given_, references=true)
    assert found.accuracy == sum(a == b for a, b in rows) / len(rows)
    assert found.declined == given_.count(None)
    f_values = []
    for each in found.classes:
        right = sum(a == b == each.label for a, b in rows)
        assert (each.right, each.true, each.given) == (
            right,
            true.count(each.label),
            given_.count(each.label),
        )
        assert each.recall == (right / each.true if each.true else None)
        if each.true:
            f_values.append(2 * right / (each.true + each.given))
            assert each.f == pytest.approx(f_values[-1])
    assert found.macro.f == pytest.approx(np.mean(f_values))
    assert found.micro.recall == found.accuracy


def test_another_package_has_the_same_f():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    true, said = rng.integers(0, 5, (2, 300)).astype(str)
    found = demur.label_scores(hypotheses=said, references=true)
    wanted = metrics.precision_recall_fscore_support(true, said, average=None)
    for place, name in enumerate(("precision", "recall", "f")):
        assert [getattr(each, name) for each in found.classes] == pytest.approx(
            wanted[place].tolist()
        )
    macro = metrics.f1_score(true, said, average="macro")
    assert found.macro.f == pytest.approx(macro)


@pytest.mark.parametrize("seed", range(6))
def test_measures_of_the_whole_matrix_are_those_of_another_package(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(seed)
    true = rng.choice(["a", "b", "c"], 200, p=[0.8, 0.15, 0.05])
    said = np.where(rng.random(200) < 0.6, true, rng.choice(["a", "b", "c", "-"], 200))
    found = demur.label_scores(
        references=true, hypotheses=[None if one == "-" else one for one in said]
    )
    assert found.matthews == pytest.approx(metrics.matthews_corrcoef(true, said))
    recalls = metrics.recall_score(true, said, average=None, labels=["a", "b", "c"])
    assert found.balanced_accuracy == pytest.approx(recalls.mean())
    weighted = metrics.f1_score(
        true, said, average="weighted", labels=["a", "b", "c"], zero_division=0
    )
    assert found.weighted_f == pytest.approx(weighted)
    matrix = metrics.confusion_matrix(true, said, labels=["a", "b", "c", "-"])
    for pair in found.confused:
        row, column = "abc".index(pair.true), "abc-".index(pair.given or "-")
        assert pair.items == matrix[row, column]
    assert sum(pair.items for pair in found.confused) == (true != said).sum()


@given(pairs)
def test_matthews_correlation_is_that_of_flags(rows):
    # The multi-class form is the sum of covariances of flags over those of each side.
    true, given_ = map(np.array, zip(*[(a, str(b)) for a, b in rows], strict=True))
    one, other = (
        np.array([(side == name) for name in ["a", "b", "c", "d", "None"]], float)
        for side in (true, given_)
    )
    one, other = (side - side.mean(axis=1, keepdims=True) for side in (one, other))
    spread = (one * one).sum() * (other * other).sum()
    found = demur.label_scores(
        hypotheses=[b for _, b in rows], references=[a for a, _ in rows]
    )
    if spread < 1e-9:
        assert found.matthews is None
    else:
        assert found.matthews == pytest.approx((one * other).sum() / np.sqrt(spread))
        assert -1 - 1e-9 <= found.matthews <= 1 + 1e-9


def test_the_most_frequent_confusions_stand_first():
    found = demur.label_scores(
        hypotheses=["b", "b", None, "a"], references=["a", "a", "a", "b"]
    )
    assert [(c.true, c.given, c.items) for c in found.confused] == [
        ("a", "b", 2),
        ("a", None, 1),
        ("b", "a", 1),
    ]
    assert found.confused[0].share == pytest.approx(2 / 3)
    shown = str(found)
    assert "Confused labels" in shown


def test_intervals_of_f_hold_the_truth_as_often_as_they_say():
    rng, n = np.random.default_rng(0), 300
    truth = [0.5, 0.3, 0.2]
    names = np.array(["a", "b", "c"])

    def drawn(size):
        true = rng.choice(3, size, p=truth)
        said = np.where(rng.random(size) < 0.7, true, rng.choice(3, size))
        return true, said

    true, said = drawn(2_000_000)
    wanted = np.mean(
        [
            2
            * ((true == k) & (said == k)).sum()
            / ((true == k).sum() + (said == k).sum())
            for k in range(3)
        ]
    )
    micro = (true == said).mean()
    held = np.zeros(2)
    for _ in range(n):
        true, said = drawn(150)
        found = demur.label_scores(hypotheses=names[said], references=names[true])
        ends = (found.micro_interval, found.macro_interval)
        for place, (value, (low, high)) in enumerate(
            zip((micro, wanted), ends, strict=True)
        ):
            held[place] += low <= value <= high
    assert (held / n > 0.92).all()
    assert (held / n < 0.985).all()


def f_of_labels(true, given_, names, alpha):
    """F, and what it divides by, of the labels that are true somewhere."""
    rows = []
    for name in names:
        right = ((true == given_) & (true == name)).sum()
        size = alpha * (given_ == name).sum() + (1 - alpha) * (true == name).sum()
        rows.append((right / size if size else 0.0, size))
    return np.array(rows).T


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("clusters", [None, 7])
def test_the_macro_interval_adds_up_those_of_labels(alpha, clusters):
    rng = np.random.default_rng(2)
    true = rng.choice([*"abcd"], 40, p=[0.5, 0.3, 0.15, 0.05])
    other = rng.choice([*"abcdx"], 40)  # x is true nowhere
    given_ = np.where(rng.random(40) < 0.6, true, other)
    given_[:5] = ""
    true[-1] = given_[-1] = "e"  # all right, in one unit
    given_[given_ == "c"] = "a"  # all wrong
    unit = np.arange(40) if clusters is None else np.arange(40) % clusters
    table = {"ref": true.tolist(), "hyp": [name or None for name in given_.tolist()]}
    if clusters is not None:
        table["cluster"] = unit.tolist()
    found = demur.label_scores(table, alpha=alpha)

    names = [*"abcde"]
    f, size = f_of_labels(true, given_, names, alpha)
    ones, n_units = np.ones(40), len(set(unit))
    quantile = t_quantile(0.95, equal_units(ones, unit))
    reached = np.zeros((2, n_units))
    alone, bias = np.zeros(2), 0.0
    for k, name in enumerate(names):
        of = (1 - alpha) * (true == name) + alpha * (given_ == name)
        right = (true == given_) & (true == name)
        moved = left_out((right - f[k] * of) / max(size[k], 1e-9), ones, unit)
        deviation = spread(moved)
        if deviation > 1e-12:
            n = f[k] * (1 - f[k]) / deviation**2
        else:
            kish = size[k] ** 2 / max((np.bincount(unit, of) ** 2).sum(), 1e-9)
            n = max(min(size[k], kish), 1e-12)
        distance = np.abs(np.array(wilson(f[k], n, quantile)) - f[k])
        if deviation > 1e-12:
            reached += np.outer(distance / deviation, moved)
        else:
            alone += distance**2
        for one in set(unit):
            kept = unit != one
            if (true[kept] == name).any():
                (rest,), _ = f_of_labels(true[kept], given_[kept], [name], alpha)
                bias += (rest - f[k]) * (n_units - 1) / n_units / 5
    down, up = (
        np.sqrt(spread(units) ** 2 + rest) / 5
        for units, rest in zip(reached, alone, strict=True)
    )
    low, high = f.mean() - down - max(bias, 0), f.mean() + up - min(bias, 0)
    assert found.macro.f == pytest.approx(f.mean())
    assert found.macro_interval == pytest.approx((max(low, 0), min(high, 1)))


@pytest.mark.parametrize(("n", "shares"), [(30, [0.6, 0.3, 0.1]), (40, [0.9, 0.1])])
def test_intervals_of_macro_f_hold_where_a_label_is_rare(n, shares):
    rng, k = np.random.default_rng(1), len(shares)

    def drawn(size):
        true = rng.choice(k, size, p=shares)
        return true, np.where(
            rng.random(size) < 0.7, true, rng.choice(k, size, p=shares)
        )

    wanted = f_of_labels(*drawn(300_000), range(k), 0.5)[0].mean()
    held, asked = 0, {"alpha": 0.5, "level": 0.95}
    for _ in range(200):
        low, high = mean_f_interval(*drawn(n), None, **asked)
        held += low <= wanted <= high
    assert 0.93 < held / 200 < 1


def test_intervals_of_accuracies_are_those_of_shares():
    table = {
        "ref": [*"aabbcacbab"],
        "hyp": [*"abbbca", None, *"bab"],
        "cluster": [0, 0, 1, 1, 2, 2, 3, 3, 4, 5],
    }
    found = demur.label_scores(table, alpha=0.3, level=0.9)
    right = np.array([a == b for a, b in zip(table["ref"], table["hyp"], strict=True)])
    given_ = np.array([name is not None for name in table["hyp"]])
    for ends, below in (
        (found.interval, np.ones(10)),
        (found.interval_answered, given_),
        (found.micro_interval, 0.3 * given_ + 0.7),
    ):
        of = right, below, np.array(table["cluster"]), 0.9
        assert ends == pytest.approx(ratio_interval(*of, share=True))
    sure = demur.label_scores(hypotheses=[*"aaaaa", None], references=["a"] * 6)
    assert sure.interval_answered[1] == 1.0
    assert sure.interval_answered[0] > 0


def test_intervals_of_few_labels_stay_rates():
    def ends(hypotheses, references):
        found = demur.label_scores(hypotheses=[*hypotheses], references=[*references])
        return found.macro_interval

    assert ends("aabb", "abbb") is None
    assert FEWEST_UNITS == 5
    assert ends("aabba", "abbba")[1] == ends("ab" * 5, "ab" * 5)[1] == 1.0
    assert ends("bbbbaaaaa", "aaaabbbbb")[0] == 0.0


def test_rows_of_a_system_are_its_own():
    table = {"system": [*"aabbc"], "ref": [*"xyxyx"], "hyp": [*"xyxxy"]}
    parts = by_system(NamedColumns(table, [f"row {k}" for k in range(5)]))
    kept = [(name, part.columns["hyp"], part.place(0)) for name, part in parts]
    assert kept == [
        ("a", [*"xy"], "row 0"),
        ("b", [*"xx"], "row 2"),
        ("c", ["y"], "row 4"),
    ]


def test_labels_as_outcomes():
    found = demur.label_scores(
        hypotheses=["a", "a", None, "b"], references=["a", "b", "a", "b"]
    )
    assert [*found.outcomes().counts().values()] == [2, 1, 1, 0]
    assert (found.accuracy, found.accuracy_answered) == (1 / 2, 2 / 3)


# -- concepts ------------------------------------------------------------------------


def test_golden_concepts():
    one = case("cer_three_slot_classes")
    told, wanted = one["input"], one["expected"]
    refs = [utterance["ref"] for utterance in told["utterances"]]
    hyps = [utterance["hyp"] for utterance in told["utterances"]]
    for order in ("sequence", "bag"):
        found = demur.concept_errors(
            hypotheses=hyps, references=refs, classes=told["slot_classes"], order=order
        )
        figures = (found.substitutions, found.deletions, found.insertions)
        assert figures == (wanted["S"], wanted["D"], wanted["I"])
        assert (found.cer.units, found.cer.value) == (wanted["N"], wanted["cer"])
    plain = demur.concept_errors(hypotheses=hyps, references=refs)
    assert plain.cer.value == pytest.approx(wanted["cer_ignoring_classes"])


GRAMMAR = [kind.name for kind in demur.GrammarOutcomes.KINDS]


def test_golden_grammar():
    one = case("lumenvox_classes")
    items = one["input"]["items"]
    found = demur.grammar_outcomes(
        hypotheses=[each["accepted"] for each in items],
        references=[each["ref"] for each in items],
    )
    wanted = one["expected"]
    plain = found.to_dict()
    assert {name: plain[name] for name in (*GRAMMAR, "notes")} == {
        "items": wanted["n"],
        "match": wanted["match"],
        "mismatch": wanted["mismatch"],
        "false_reject": wanted["false_reject"],
        "out_of_grammar_match": wanted["oog_match"],
        "out_of_grammar_mismatch": wanted["oog_mismatch"],
        "correct_rate": wanted["correct_rate"],
        "notes": [],
    }


concepts = st.lists(
    st.tuples(st.sampled_from(["city", "date"]), st.sampled_from("uv")), max_size=5
)


@given(concepts, concepts)
def test_a_bag_has_no_order_and_no_more_errors(first, second):
    bag = demur.concept_errors(hypotheses=[second], references=[first], order="bag")
    turned = demur.concept_errors(
        hypotheses=[second], references=[first[::-1]], order="bag"
    )
    assert bag.cer == turned.cer
    missing = Counter(first) - Counter(second)
    extra = Counter(second) - Counter(first)
    fewest = max(missing.total(), extra.total())
    assert fewest <= bag.cer.errors <= missing.total() + extra.total()
    ordered = demur.concept_errors(hypotheses=[second], references=[first])
    assert ordered.cer.errors >= fewest
    for found in (bag, ordered):
        balance = found.insertions - found.deletions
        assert balance == len(second) - len(first)


def slurp(data, name):
    folder = data / "slurp_nlu_outputs"
    gold = {
        str(row["id"]): row for _, row in demur.iter_records(folder / "gold.jsonl.gz")
    }
    said = {
        str(row["id"]): row
        for _, row in demur.iter_records(folder / f"pred_{name}.jsonl.gz")
    }
    if name.startswith("gold_"):
        return [(gold[k], said.get(k), k) for k in gold]
    recordings = demur.iter_records(folder / "recordings.tsv.gz")
    return [
        (gold[row["slurp_id"]], said.get(row["file"]), row["slurp_id"])
        for _, row in recordings
    ]


@pytest.mark.parametrize("name", ["gold_hermit", "google_hermit", "multi_hermit"])
def test_known_figures_of_slurp(demur_data, name):
    wanted = case("slurp_outputs")["expected"][name]
    rows = slurp(demur_data, name)
    cluster = [where for _, _, where in rows]
    found = demur.concept_errors(
        {
            "ref": [true["entities"] for true, _, _ in rows],
            "hyp": [None if said is None else said["entities"] for _, said, _ in rows],
            "cluster": cluster,
        },
        order="bag",
    )
    labels = demur.label_scores(
        {
            "ref": [f"{true['scenario']}_{true['action']}" for true, _, _ in rows],
            "hyp": [
                None if said is None else f"{said['scenario']}_{said['action']}"
                for _, said, _ in rows
            ],
            "cluster": cluster,
        }
    )
    right = found.cer_answered.units - found.deletions - found.substitutions
    given_ = right + found.substitutions + found.insertions
    f_all = 2 * right / (given_ + found.cer.units)
    f_answered = 2 * right / (given_ + found.cer_answered.units)
    figures = {
        "n": found.utterances,
        "answered": found.utterances - found.declined,
        "intent_all": labels.accuracy,
        "intent_answered": labels.accuracy_answered,
        "entity_f1_all": f_all,
        "entity_f1_answered": f_answered,
        "cer_all": found.cer.value,
        "cer_answered": found.cer_answered.value,
        "S": found.substitutions,
        "D": found.deletions,
        "I": found.insertions,
        "N": found.cer_answered.units,
    }
    assert len(figures.keys() & wanted.keys()) >= 4
    for key in figures.keys() & wanted.keys():
        assert figures[key] == pytest.approx(wanted[key], abs=6e-5), key


# -- spans ---------------------------------------------------------------------------


def plain_spans(tags):
    """Spans as conlleval has them, by looking at each tag's neighbour."""
    spans, start = [], None
    for k, tag in enumerate([*tags, "O"]):
        before = tags[k - 1] if k else "O"
        if before != "O" and (tag[0] != "I" or tag[1:] != before[1:]):
            spans.append((before[2:], start, k))
        if tag[0] == "B" or (
            tag[0] == "I" and (before == "O" or before[1:] != tag[1:])
        ):
            start = k
    return spans


tags = st.lists(st.sampled_from(["O", "B-x", "I-x", "B-y", "I-y"]), max_size=8)


@given(tags)
def test_tags_become_spans(sentence):
    assert spans_of("s", sentence, "iob") == plain_spans(sentence)
    strict = spans_of("s", sentence, "iob2-strict")
    begun = {k for k, tag in enumerate(sentence) if tag[0] == "B"}
    assert {start for _, start, _ in strict} == begun


sentences = tags.filter(lambda sentence: len(sentence) != 1)  # one token is a mistake


@given(st.lists(st.tuples(sentences, st.randoms()), min_size=1, max_size=5))
def test_strict_matches_are_those_of_sets(rows):
    refs = [sentence for sentence, _ in rows]
    hyps = []
    for sentence, random in rows:
        other = list(sentence)
        random.shuffle(other)
        hyps.append(other)
    found = demur.span_scores(hypotheses=hyps, references=refs)
    pairs = zip(refs, hyps, strict=True)
    both = [(set(plain_spans(a)), set(plain_spans(b))) for a, b in pairs]
    right = sum(len(a & b) for a, b in both)
    exact = sum(len({s[1:] for s in a} & {s[1:] for s in b}) for a, b in both)
    assert found.score("strict").right == right
    assert found.score("exact").right == exact
    assert found.score("strict").true == sum(len(a) for a, _ in both)
    values = {each.match: each.right for each in found.scores}
    assert values["strict"] <= values["exact"] <= values["partial"]
    assert values["strict"] <= values["type"]
    turned = demur.span_scores(hypotheses=refs, references=hyps)
    for match in ("strict", "exact"):
        one, other = found.score(match), turned.score(match)
        assert (one.right, one.precision) == (other.right, other.recall)


def test_another_package_has_the_same_spans():
    reports = pytest.importorskip("sklearn.metrics")
    del reports
    seqeval = pytest.importorskip("seqeval.metrics")
    rng = np.random.default_rng(0)
    names = np.array(["O", "B-x", "I-x", "B-y", "I-y"])
    refs = [rng.choice(names, 9).tolist() for _ in range(100)]
    hyps = [
        [tag if rng.random() < 0.8 else str(rng.choice(names)) for tag in row]
        for row in refs
    ]
    found = demur.span_scores(hypotheses=hyps, references=refs).score("strict")
    assert found.f == pytest.approx(seqeval.f1_score(refs, hyps))
    assert found.precision == pytest.approx(seqeval.precision_score(refs, hyps))


def test_four_ways_to_match():
    refs = [[("per", 0, 2), ("loc", 4, 6), ("org", 8, 9), ("per", 10, 11)]]
    hyps = [[("per", 0, 2), ("per", 4, 6), ("org", 8, 10), ("loc", 12, 13)]]
    found = demur.span_scores(hypotheses=hyps, references=refs)
    assert [found.score(match).right for match in MATCHES] == [1, 2, 2.5, 2]
    assert found.score("partial").recall == 2.5 / 4
    assert found.outcomes().credit.tolist() == [0.25]


def test_declined_sentences_miss_their_spans():
    found = demur.span_scores(hypotheses=["B-x O", None], references=["B-x O", "B-x O"])
    strict = found.score("strict")
    assert (strict.recall, strict.precision, strict.recall_answered) == (0.5, 1.0, 1.0)


@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.5, 1.0])
def test_f_of_the_only_type_is_that_of_all(alpha):
    for tags in ("B-x O O", "O O B-x", "O O O"):
        found = demur.span_scores(
            hypotheses=[tags], references=["B-x O B-x"], alpha=alpha
        )
        assert found.by_type[0][4] == pytest.approx(found.score("strict").f)


def test_f_of_no_spans():
    nothing = demur.span_scores(hypotheses=["O O"], references=["O O"]).score("strict")
    assert (nothing.f, nothing.precision, nothing.recall) == (None, None, None)
    for given_, true in (("B-x O", "O O"), ("O O", "B-x O")):
        found = demur.span_scores(hypotheses=[given_], references=[true])
        assert found.score("strict").f == 0.0


def test_bioes_and_bilou():
    assert spans_of("s", ["S-x", "B-y", "I-y", "E-y", "B-x", "O"], "bioes") == [
        ("x", 0, 1),
        ("y", 1, 4),
    ]
    assert spans_of("s", ["U-x", "B-y", "L-y"], "bilou") == [("x", 0, 1), ("y", 1, 3)]


@pytest.mark.parametrize(
    ("refs", "hyps", "words"),
    [
        (["B-x"], ["B-x O"], "have 1 tags"),
        (["X-x"], ["O"], "be O or B-, I- and a type"),
        (["B"], ["O"], "be O or"),
        ([[("x", 2, 1)]], [[]], "end after it begins"),
        ([[("x", 2, 2)]], [[]], "end after it begins"),
        ([[("x", -1, 2)]], [[]], "end after it begins"),
        ([[("x", 1)]], [[]], "the first word"),
        ([[("x", 0, 1, 2)]], [[]], "the first word"),
        ([[("x", "0", 1)]], [[]], "the first word"),
        ([[("x", 0, 1.0)]], [[]], "the first word"),
        ([[3]], [[]], "the first word"),
        ([3], ["O"], "be tags, or spans"),
        (["O"], [], "as many as references"),
        ([], [], "at least one"),
    ],
)
def test_sentences_that_are_none(refs, hyps, words):
    refuses(words, demur.span_scores, hypotheses=hyps, references=refs)


@pytest.mark.parametrize(
    ("refs", "hyps", "how", "words"),
    [
        ([["a"]], [["a"]], {"classes": {"a": "loud"}}, "non-concept"),
        ([["a"]], [["a"]], {"order": "any"}, "sequence, bag"),
        ([3], [[]], {}, "row 1: ref must be a list of concepts"),
        ([[[1, 2]]], [[]], {}, "names, or pairs"),
    ],
)
def test_concepts_that_are_none(refs, hyps, how, words):
    refuses(words, demur.concept_errors, hypotheses=hyps, references=refs, **how)


# -- commands ------------------------------------------------------------------------


def test_commands_show_what_the_verbs_find(tmp_path):
    labels = [
        {"item": f"{s}{k}", "system": s, "ref": "ab"[k % 2], "hyp": "ab"[k % 3 % 2]}
        for s in "xy"
        for k in range(9)
    ]
    path = write_records(tmp_path / "labels.jsonl", labels)
    first, second = printed_json("metrics", "labels", path)["systems"]
    assert first["accuracy"] == second["accuracy"]
    assert (first["system"], second["system"]) == ("x", "y")
    out = tmp_path / "o.jsonl"
    printed("metrics", "labels", path, "-o", out)
    assert len(demur.read_outcomes(out)) == 18
    stderr_of("metrics", "labels", path, "--fail-if", "f micro < 0.99", code=1)
    rows = [{"ref": [["yes", "yeah"], ["city", "Rome"]], "hyp": [["yes", "yes"]]}]
    path = write_records(tmp_path / "concepts.jsonl", rows)
    asked = ["metrics", "concepts", path, "--value-insensitive", "yes", "--json"]
    assert printed_json(*asked)["cer"]["value"] == 0.5
    path = write_records(tmp_path / "spans.jsonl", [{"ref": "B-x I-x", "hyp": "B-x O"}])
    assert "partial" in printed("metrics", "spans", path)
    stderr_of("metrics", "spans", path, "--fail-if", "f strict < 0.5", code=1)


def test_a_picture_is_of_one_system(tmp_path):
    rows = [{"system": name, "ref": "x", "hyp": "y"} for name in "ab"]
    path, picture = write_records(tmp_path / "t.jsonl", rows), tmp_path / "p.svg"
    asked = "metrics", "labels", path, "--plot", picture
    said = " ".join(stderr_of(*asked, code=2).split())
    assert "--plot must be of one system; got a, b. Add --where system=a" in said
    assert not picture.exists()
    printed(*asked, "--where", "system=a")


def test_what_becomes_no_outcome_is_said_where_outcomes_are_written(tmp_path):
    rows = [
        {"system": system, "ref": ref, "hyp": "B-x B-y"}
        for system in "ab"
        for ref in ("O O", "B-x O", "B-x B-y")
    ]
    path, out = write_records(tmp_path / "t.jsonl", rows), tmp_path / "o.jsonl"
    said = " ".join(run("metrics", "spans", path, "-o", out).err.split())
    for system in "ab":
        start = f"o.jsonl: {system}: 1 item "
        assert f"{start}with an empty reference left out" in said
        assert f"{start}has more errors than units; as an outcome" not in said
    rows[1]["hyp"] = "B-z B-y"
    path = write_records(tmp_path / "t.jsonl", rows[:3])
    said = " ".join(run("metrics", "spans", path, "-o", out).err.split())
    assert "o.jsonl: a: 1 item has more errors than units; as an outcome" in said


def test_other_columns_may_be_named(tmp_path):
    path = write_records(tmp_path / "t.jsonl", [{"gold": "a", "said": "b", "hyp": "a"}])
    asked = ["metrics", "labels", path, "--ref", "gold", "--hyp", "said", "--json"]
    assert printed_json(*asked)["accuracy"] == 0


@pytest.mark.parametrize(
    "hypotheses",
    [
        [1.0, 2.0, 3.0, float("nan")],
        pd.array([1, 2, 3, None], dtype="Int64"),
        pl.Series([1, 2, 3, None]),
        ["1", "2", "3", ""],
    ],
)
def test_integer_labels_with_a_gap_are_the_integers(hypotheses):
    frame = pl.DataFrame if isinstance(hypotheses, pl.Series) else pd.DataFrame
    found = demur.label_scores(frame({"ref": [1, 2, 3, 1], "hyp": hypotheses}))
    assert found.accuracy == 0.75
    assert [each.label for each in found.classes] == ["1", "2", "3"]


def test_a_letter_of_one_sign_or_of_two_is_one_label():
    apart, one = ["e\u0301", "b"], ["\u00e9", "b"]
    assert demur.label_scores(references=apart, hypotheses=one).accuracy == 1
    both = demur.concept_errors(
        references=[[("x", apart[0])]], hypotheses=[[("x", one[0])]]
    )
    assert both.cer.value == 0


def test_matthews_is_held_below_zero(tmp_path):
    rows = [{"ref": a, "hyp": b} for a, b in ("ab", "ba", "ab")]
    path = write_records(tmp_path / "t.jsonl", rows)
    stderr_of("metrics", "labels", path, "--fail-if", "matthews < -0.5", code=1)
