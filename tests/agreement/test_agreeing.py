"""The verb: forms of annotations, intervals, diagnosis, and what is refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.agreement.alphas import cells_of, disagreement
from demur.agreement.annotations import as_annotations
from demur.agreement.disagreements import by_label

ROWS = {"ann": ["a", "a", "b", "b", None], "bob": ["a", "b", "b", "b", "a"]}


def abs_off(one, other):
    return abs(one - other)


def long_table():
    return [
        {"unit": f"u{k}", "annotator": who, "label": label}
        for who, labels in ROWS.items()
        for k, label in enumerate(labels)
    ]


def wide_table():
    return [
        {"unit": f"u{k}", "ann": a, "bob": b}
        for k, (a, b) in enumerate(zip(*ROWS.values(), strict=True))
    ]


# -- forms ---------------------------------------------------------------------------


def forms():
    import pandas
    import polars

    yield ROWS
    yield list(ROWS.values())
    yield long_table()
    yield wide_table()
    yield pandas.DataFrame(long_table())
    yield pandas.DataFrame(wide_table())
    yield polars.DataFrame(long_table())
    yield polars.DataFrame(wide_table()).lazy()
    yield np.array([[0, 0, 1, 1, -1], [0, 1, 1, 1, 0]])
    yield as_annotations(ROWS)


@pytest.mark.parametrize("form", list(forms()), ids=lambda form: type(form).__name__)
def test_every_form_gives_the_same_numbers(form):
    found = demur.agreement(form)
    assert found.alpha == pytest.approx(8 / 15)
    assert (found.units, found.compared, found.labels, found.annotators) == (5, 4, 9, 2)
    assert [each.value for each in found.coefficients[1:]] == pytest.approx(
        [0.5, 7 / 15, 7 / 15]
    )
    assert len(found.units_first) == 1


def test_a_column_that_names_its_rows_is_no_annotator():
    rows = [{"utterance": each.pop("unit"), **each} for each in wide_table()]
    words = "a wide table must have a column unit or item.*Call utterance unit"
    refuses(words, demur.agreement, rows)
    named = demur.agreement(rows, annotators=["ann", "bob"])
    assert named.alpha == pytest.approx(8 / 15)
    ratings = [{"ann": n, "bob": n + 1} for n in range(5)]
    assert demur.agreement(ratings).annotators == 2


@pytest.mark.parametrize(
    ("names", "is_label"),
    [
        (["q", "r", "s", "t"], False),
        (["a", "q", "r", "s"], False),
        (["a", "b", "q", "r"], True),  # half of them are labels of others too
        (["q", "r", "s", "s"], True),
        (["q", "r", "s", None], True),
    ],
)
def test_most_labels_of_an_annotator_are_those_of_others(names, is_label):
    rows = [
        {"first": name, "ann": a, "bob": b}
        for name, a, b in zip(names, "abab", "abba", strict=True)
    ]
    if is_label:
        assert demur.agreement(rows).annotators == 3
    else:
        refuses("Call first unit", demur.agreement, rows)
    one = [{"first": "q", "ann": "a"}]
    assert demur.agreement(one).annotators == 2
    apart = [{"first": f"q{k}", "second": f"r{k}"} for k in range(4)]
    assert demur.agreement(apart).annotators == 2  # all would be names


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ([], "nothing"),
        ("file.csv", "demur.iter_records"),
        ([1, 2], "lists of labels, or records"),
        ({"a": ["x"], "b": ["x", "y"]}, "lists of one length"),
        ([{"unit": 1, "annotator": "a"}], "have a column label"),
        ([{"unit": None, "annotator": "a", "label": "x"}], "record 1: .*have a unit"),
        (
            [{"unit": 1, "annotator": "a", "label": "x"}] * 2,
            "unit '?1'?.*one label of each annotator",
        ),
        ({"a": ["x", 1]}, "be of one type"),
        ({"a": ["x", {"y"}]}, "be of one type"),
        (np.zeros((2, 3)), "integers of shape"),
        (np.zeros(3, int), "integers of shape"),
        (
            [
                {"unit": 1, "annotator": a, "label": "x", "cluster": c}
                for a, c in (("a", "d1"), ("b", "d2"))
            ],
            "be in one cluster",
        ),
        (
            [
                {"unit": u, "annotator": "a", "label": "x", "cluster": c}
                for u, c in ((1, "d1"), (2, None))
            ],
            "have a cluster",
        ),
    ],
)
def test_what_are_no_annotations(source, words):
    refuses(words, demur.agreement, source)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metric": "kappa"}, "metric"),
        ({"metric": []}, "one at least"),
        ({"resample": "word"}, "resample"),
        ({"resample": "cluster"}, "have clusters"),
        ({"key": "carl"}, "ann"),
        ({"level": 95}, "level"),
    ],
)
def test_options_that_are_refused(options, words):
    refuses(words, demur.agreement, ROWS, **options)


def test_an_annotator_alone_has_nobody_to_agree_with():
    found = demur.agreement({"ann": ["a", "b"]})
    assert found.alpha is None
    assert "no unit has two labels" in str(found)
    assert found.compared == 0


def test_numbers_that_are_texts_and_empty_cells():
    found = as_annotations({"a": [1.0, None, float("nan")], "b": [1, 2, 2]})
    assert found.labels == [1, 2]
    assert len(found) == 4
    told = as_annotations({"a": [True, " "], "b": [False, "x"]})
    assert told.labels == ["false", "true", "x"]


@pytest.mark.parametrize("metric", ["ordinal", "interval", "ratio"])
def test_numbers_may_be_texts_as_files_have_them(metric):
    rows = {"a": [1, 2, 10, 2.5], "b": [1, 3, 9, 2.5]}
    texts = {"a": ["1", "2", "10", "2.5"], "b": ["1.0", "3", "9", "2.50"]}
    one, two = (demur.agreement(each, metric) for each in (rows, texts))
    assert one.alpha == two.alpha
    assert [each.label for each in one.by_label] == [e.label for e in two.by_label]
    refuses("be numbers", demur.agreement, {"a": ["1", "x"], "b": ["1", "2"]}, metric)
    refuses("be numbers", demur.agreement, {"a": ["1", "inf"], "b": ["1", "2"]}, metric)


def test_ratios_are_of_numbers_from_0():
    """-1 and 1 have the sum 0, and were no distance apart: alpha was 1.0."""
    for a, b in (
        (["-1", "0"], ["1", "0"]),
        ([-1, 0, 2], [1, 0, 2]),
        ([-3, 1, 5, 2], [3, 1, 4, 2]),
    ):
        need = "labels for ratio must be 0 or more; got -"
        refuses(need, demur.agreement, {"a": a, "b": b}, "ratio")
    zero = {"a": [0, 0.0, 2, 3], "b": [0, -0.0, 2, 1]}
    assert demur.agreement(zero, "ratio").alpha < 1


def test_one_of_a_kind_is_said_in_the_singular():
    alone = demur.agreement({"a": ["x"]})
    assert "(1 annotator, 1 label, 0 of 1 unit with two" in alone.sentence()
    two = demur.agreement({"a": ["x", "y"], "b": ["x", "y"]})
    assert "2 annotators, 4 labels, 2 of 2 units" in two.sentence()


def test_two_units_have_an_interval():
    assert demur.agreement({"a": ["x", "y"], "b": ["y", "z"]}).interval is not None


def test_a_note_speaks_of_numbers_only():
    note = "if their order counts"
    texts = demur.agreement({"a": ["x", "y", "z"], "b": ["x", "y", "z"]})
    assert note not in str(texts)
    numbers = demur.agreement({"a": [1, 2, 3], "b": [1, 2, 3]})
    assert note in str(numbers)


# -- who, on what, and where ---------------------------------------------------------

TABLE = {
    "ann": ["a", "a", "b", "b", "c", "c"],
    "bob": ["a", "a", "b", "b", "c", "b"],
    "eve": ["b", "c", "b", "a", "c", "a"],
}


def test_who_disagrees():
    found = demur.agreement(TABLE)
    by_name = {each.annotator: each for each in found.by_annotator}
    assert by_name["eve"].distance == pytest.approx(8 / 12)
    assert by_name["ann"].distance == pytest.approx(5 / 12)
    assert by_name["eve"].alpha_without == pytest.approx(
        demur.agreement({"ann": TABLE["ann"], "bob": TABLE["bob"]}).alpha
    )
    assert (
        max(found.by_annotator, key=lambda e: e.alpha_without or 0).annotator == "eve"
    )


def test_on_what():
    found = demur.agreement(TABLE)
    b = next(each for each in found.by_label if each.label == "b")
    # b was given in units 1, 3 (three times), 4 (twice) and 6
    assert b.count == 7
    assert b.agreed == pytest.approx((0 + 3 * 2 / 2 + 2 * 1 / 2 + 0) / 7)
    assert (b.confused_with, b.confused) == ("a", pytest.approx((1 + 1 + 0.5) / 7))
    assert sum(each.count for each in found.by_label) == 18


def test_where():
    found = demur.agreement(TABLE)
    assert found.units_first[0].unit == "5"
    assert found.units_first[0].labels == {"ann": "c", "bob": "b", "eve": "a"}
    assert [each.distance for each in found.units_first] == pytest.approx(
        [1.0, 2 / 3, 2 / 3, 2 / 3]
    )


@given(st.data())
def test_shares_of_a_label_add_up(data):
    n = data.draw(st.integers(1, 6))
    row = st.lists(st.sampled_from("ab"), min_size=n, max_size=n)
    told = as_annotations(data.draw(st.lists(row, min_size=2, max_size=4)))
    cells = cells_of(told)
    labels = by_label(told, cells)
    for each in labels:
        assert each.agreed + each.confused == pytest.approx(1)
    observed = disagreement(cells, told.labels, "nominal").observed
    agreed = sum(each.count * each.agreed for each in labels)
    assert observed == pytest.approx(1 - agreed / len(told))


def test_sets_have_several_distances_in_one_report():
    found = demur.agreement({"x": [["a"], ["a", "b"], []], "y": [["a"], ["b"], []]})
    names = [each.name for each in found.coefficients[:4]]
    assert names == ["alpha nominal", "alpha jaccard", "alpha masi", "alpha masi-dkpro"]
    assert found.value("alpha masi") < found.value("alpha jaccard")
    assert found.by_label[0].label in (frozenset(), frozenset("a"))
    assert json.loads(json.dumps(found.to_dict()))["by_label"]


def test_a_verb_is_not_hidden_by_the_room_of_its_name():
    import demur.agreement.agreeing

    assert callable(demur.agreement)
    assert demur.agreement is demur.agreement.__globals__["agreement"]


def test_a_function_names_its_alpha():
    def half(*_):
        return 0.5

    found = demur.agreement(ROWS, half)
    assert found.coefficients[0].name == "alpha half"
    assert found.alpha == pytest.approx(8 / 15)  # a constant factor falls out
