"""Sentences with tags count as their spans do, by every scheme."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.metrics.measuring_spans import MATCHES
from demur.metrics.tag_schemes import SCHEMES, spans_of
from demur.metrics.tagged_spans import tagged_counts


def neighbours(tags):
    """Spans as conlleval has them, by looking at each tag's neighbour."""
    spans, start = [], 0
    single, last = "SU", "EL"
    for place, tag in enumerate([*tags, "O"]):
        before = tags[place - 1] if place else "O"
        parts = (
            "O" in (before, tag)
            or before[1:] != tag[1:]
            or before[0] in single + last
            or tag[0] in "B" + single
        )
        if parts and before != "O":
            spans.append((before[2:], start, place))
        if parts:
            start = place
    return spans


def grammatical(tags, scheme):
    """The spans of `neighbours` whose tags are as the scheme writes them."""
    begins, ends = {"iob2": ("B", "BI"), "ioe2": ("IE", "E")}.get(
        scheme.partition("-")[0], ("B", "EL")
    )
    return [
        (kind, start, end)
        for kind, start, end in neighbours(tags)
        if (end - start == 1 and tags[start][0] in "SU")
        or (
            tags[start][0] in begins
            and tags[end - 1][0] in ends
            and (len(begins + ends) == 3 or end - start > 1)
        )
    ]


def sentences(scheme):
    marks = SCHEMES[scheme].marks.replace("O", "")
    names = ["O", *(f"{mark}-{kind}" for mark in marks for kind in ("x", "y-y"))]
    return st.lists(st.sampled_from(names), min_size=2, max_size=9)


@pytest.mark.parametrize("scheme", SCHEMES)
@given(st.data())
def test_schemes_are_those_of_neighbours(scheme, data):
    tags = data.draw(sentences(scheme))
    lenient = scheme in ("iob", "ioe") or scheme.endswith("lenient")
    wanted = neighbours(tags) if lenient else grammatical(tags, scheme)
    assert spans_of("s", tags, scheme) == wanted


@pytest.mark.parametrize("scheme", SCHEMES)
@given(st.data())
def test_tags_count_as_their_spans(scheme, data):
    refs = data.draw(st.lists(sentences(scheme), min_size=1, max_size=4))
    others = data.draw(st.lists(sentences(scheme), min_size=4, max_size=4))
    hyps = [
        (other * 5)[: len(ref)] if other[0] != "O" else None
        for ref, other in zip(refs, others, strict=False)
    ]
    found = demur.span_scores(
        references=[" ".join(ref) for ref in refs],
        hypotheses=hyps,
        scheme=scheme,
        alpha=0.3,
    )
    wanted = demur.span_scores(
        references=[spans_of("s", ref, scheme) for ref in refs],
        hypotheses=[hyp and spans_of("s", hyp, scheme) for hyp in hyps],
        alpha=0.3,
    )
    for match in MATCHES:
        assert found.score(match).to_dict() == wanted.score(match).to_dict()
    assert found.by_type == wanted.by_type
    assert found.counted.errors.tolist() == wanted.counted.errors.tolist()


@pytest.mark.parametrize(
    ("tags", "lenient", "strict"),
    [
        ("B-x I-x O", [("x", 0, 2)], []),
        ("E-x E-x", [("x", 0, 1), ("x", 1, 2)], []),
        ("S-x I-x", [("x", 0, 1), ("x", 1, 2)], [("x", 0, 1)]),
        ("B-x E-y", [("x", 0, 1), ("y", 1, 2)], []),
        ("I-x B-x E-x", [("x", 0, 1), ("x", 1, 3)], [("x", 1, 3)]),
    ],
)
def test_lenient_schemes_keep_what_begins_or_ends_amiss(tags, lenient, strict):
    assert spans_of("s", tags.split(), "bioes-lenient") == lenient
    assert spans_of("s", tags.split(), "bioes") == strict
    tags = tags.replace("E-", "L-").replace("S-", "U-")
    assert spans_of("s", tags.split(), "bilou-lenient") == lenient
    assert spans_of("s", tags.split(), "bilou") == strict


@pytest.mark.parametrize(
    ("refs", "hyps"),
    [
        (["B-x O"], ["B-x"]),
        ([["B-x", "O"]], [["B-x", "Q"]]),
        ([["B-x", None]], [["B-x", "O"]]),
        ([[("x", 0, 1)]], [[("x", 0, 1)]]),
        ([[["x", 0, 1]]], ["B-x O"]),
        (['[["x", 0, 1]]'], ["B-x O"]),
        ([" "], ["O"]),
        ([7], ["O"]),
    ],
)
def test_what_is_no_tags_is_left_to_be_read_row_by_row(refs, hyps):
    assert tagged_counts(refs, hyps, np.ones(len(refs), bool), "iob") is None


def test_a_tag_of_another_scheme_is_refused_with_its_row():
    rows = {"references": ["B-x O", "B-x E-x"], "hypotheses": ["O O", "O O"]}
    refuses("row 2: a tag must be O or B-, I- and a type", demur.span_scores, **rows)
    assert demur.span_scores(**rows, scheme="bioes-lenient").score("strict").true == 2


def test_types_of_equal_size_are_by_name():
    found = demur.span_scores(references=["B-b O B-a"], hypotheses=["O O O"])
    assert [row[0] for row in found.by_type] == ["a", "b"]


@pytest.mark.parametrize(
    ("scheme", "no_spans"),
    [
        ("bioes", (2, 3)),
        ("bilou", (2, 3)),
        ("bioes-lenient", (0, 0)),
        ("iob", (0, 0)),
        ("iob2-strict", (0, 1)),
    ],
)
def test_runs_of_tags_that_are_no_spans_are_counted(scheme, no_spans):
    references, hypotheses = ["B-x I-x O B-y", "O"], ["B-x O O B-y", "I-x"]
    found = demur.span_scores(
        references=references, hypotheses=hypotheses, scheme=scheme
    )
    assert found.no_spans == no_spans
    true, given = no_spans
    said = f"by {scheme} {true} runs of tags of the references and {given} of those"
    assert any(said in note for note in found.notes) == any(no_spans)
