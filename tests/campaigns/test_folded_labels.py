"""Labels folded into classes: unanimous, else by majority, else disputed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.campaigns.folded_labels import agreed_class, fold_labels

ITEMS = {"bbn/q1": "q1", "bbn/q2": "q2", "sri/q2": "q2"}


def rows(*triples):
    names = "unit", "annotator", "label"
    return [
        (f"labels:{number}", dict(zip(names, triple, strict=True)))
        for number, triple in enumerate(triples, 1)
    ]


@given(st.lists(st.sampled_from("ADX"), min_size=1, max_size=9))
def test_a_class_is_what_more_than_half_say_whatever_their_order(labels):
    label, rule = agreed_class(labels)
    counts = {one: labels.count(one) for one in labels}
    more_than_half = [one for one, n in counts.items() if n > len(labels) - n]
    assert label == (more_than_half[0] if more_than_half else "disputed")
    assert (rule == "unanimous") == (len(counts) == 1)
    assert agreed_class(labels[::-1]) == (label, rule)


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(sorted(ITEMS)), st.sampled_from("abcd")),
        st.sampled_from(["A", " a", "D", "x ", "", None]),
        min_size=1,
    )
)
def test_every_question_with_a_label_has_one_class(table):
    given_labels = {key: label for key, label in table.items() if (label or "").strip()}
    folded = fold_labels(rows(*((*key, label) for key, label in table.items())), ITEMS)
    if not given_labels:
        assert folded is None
        return
    assert folded.classes.keys() == {item for item, _ in given_labels}
    assert sum(folded.rules.values()) == len(folded.classes)
    for item, label in folded.classes.items():
        plain = [v.strip().upper() for (i, _), v in given_labels.items() if i == item]
        most = Counter(plain).most_common(1)[0]
        assert label == (most[0] if 2 * most[1] > len(plain) else "disputed")


def test_alpha_is_that_of_demur_agree():
    table = rows(
        ("bbn/q1", "ann", "A"), ("bbn/q1", "bo", "A"), ("bbn/q2", "ann", "D"),
        ("bbn/q2", "bo", "A"), ("sri/q2", "ann", "D"), ("sri/q2", "bo", "D"),
    )  # fmt: skip
    folded = fold_labels(table, ITEMS)
    assert folded.agreement.alpha == demur.agreement([row for _, row in table]).alpha
    assert folded.rules == {"unanimous": 2, "majority": 0, "disputed": 1}


def test_a_unit_may_be_the_id_that_its_site_gave_it():
    assert fold_labels(rows(("q1", "ann", "a")), ITEMS).classes == {"bbn/q1": "A"}
    several = r"labels:1: a label must be of one question; got 'q2'. Name it as bbn/q2"
    refuses(several, fold_labels, rows(("q2", "ann", "A")), ITEMS)


def test_labels_of_unknown_questions_are_refused_with_file_and_line():
    table = rows(("bbn/q1", "ann", "A"), ("bbn/q11", "ann", "A"))
    message = "labels:2: a label must be of a question that is collected; got 'bbn/q11'"
    refuses(message, fold_labels, table, ITEMS)


def test_labels_of_a_site_that_is_left_out_are_counted():
    table = rows(("bbn/q1", "ann", "A"), ("cmu/q1", "ann", "A"), ("cmu/q1", "bo", "D"))
    folded = fold_labels(table, ITEMS, absent=["cmu"])
    assert folded.left_out == 2
    assert folded.classes == {"bbn/q1": "A"}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"unit": "q1", "label": "A"}, "have a annotator"),
        ({"annotator": "ann", "label": "A"}, "have a unit"),
        ({"unit": "q1", "annotator": "ann"}, "have a label"),
        ({"unit": "", "annotator": "ann", "label": "A"}, "have a unit"),
    ],
)
def test_a_label_has_a_unit_and_an_annotator(record, message):
    refuses(message, fold_labels, [("labels:1", record)], ITEMS)


def test_an_annotator_labels_a_question_once():
    table = rows(("bbn/q1", "ann", "A"), ("q1", "ann", "D"))
    refuses(
        "labels:2: unit 'bbn/q1' must have one label of each", fold_labels, table, ITEMS
    )
