"""Laws of the intervals of all measures: where they lie, and what moves them not."""

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import demur

N = 12
WORDS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), min_size=N, max_size=N)
CLUSTERS = st.sampled_from([[k // size for k in range(N)] for size in (1, 2)])


def _spans(rows):
    """Spans of one word, of the types that letters say."""
    return [[[kind, at, at + 1] for at, kind in enumerate(row)] for row in rows]


def _concepts(rows):
    return [[[kind, "x"] for kind in row] for row in rows]


def _states(rows):
    return [{f"slot {at}": value for at, value in enumerate(row)} for row in rows]


def _labels(rows):
    return ["".join(row[:1]) or "e" for row in rows]


def _failures(rows):
    return [
        {"agent": agent, "step": len(row)}
        for agent, row in zip(_labels(rows), rows, strict=True)
    ]


def _texts(rows):
    return [" ".join(row) for row in rows]


def _costs(table):
    rows = [
        {
            "dialogue": dialogue,
            "seconds": len(text),
            "score": len(text) - 3,
            "event": "help" if "a" in text else "",
        }
        for dialogue, text in zip(table["cluster"], table["hyp"], strict=True)
    ]
    return demur.dialogue_costs(rows)


MEASURES = {
    "words": (demur.word_errors, _texts, "cluster"),
    "costs": (_costs, _texts, "cluster"),
    "labels": (demur.label_scores, _labels, "cluster"),
    "concepts": (demur.concept_errors, _concepts, "cluster"),
    "steps": (demur.decisive_steps, _failures, "cluster"),
    "spans": (demur.span_scores, _spans, "cluster"),
    "slots": (demur.slot_scores, _states, "dialogue"),
    "discourse": (demur.discourse_measures, _states, "dialogue"),
}


@pytest.mark.parametrize("name", MEASURES)
@hypothesis.settings(max_examples=15)
@hypothesis.given(WORDS, WORDS, CLUSTERS)
def test_an_interval_holds_its_value_and_stays_in_the_range_of_the_figure(
    name, refs, hyps, cluster
):
    verb, reading, column = MEASURES[name]
    given = {"ref": reading(refs), "hyp": reading(hyps), column: cluster}
    for figure in verb(given).figures():
        if figure.low is not None:
            kind = figure.kind
            ends = kind.least, figure.low, figure.value, figure.high, kind.most
            assert list(ends) == sorted(ends), figure.called


@pytest.mark.parametrize("size", [1, 3])
def test_empty_references_do_not_make_an_interval_narrower(size):
    refs = ["a b", "c d e", "f g h i", "a b c", "d e", "f g"]
    hyps = ["a b", "c x e", "f h i", "a b", "d e", "f g"]
    silent, speaker = [""] * 1000, list(range(6))
    few = {"ref": refs, "hyp": hyps, "cluster": speaker}
    more = {
        "ref": refs + silent,
        "hyp": hyps + silent,
        "cluster": speaker + [6 + k // size for k in range(1000)],
    }
    few, more = demur.word_errors(few), demur.word_errors(more)
    assert more.wer.interval == pytest.approx(few.wer.interval)
    assert more.wer_answered.interval == pytest.approx(few.wer.interval)


def test_what_was_declined_does_not_make_the_interval_of_the_rest_narrower():
    few = {"ref": [*"aabbab"], "hyp": [*"aababb"]}
    more = {"ref": few["ref"] + ["a"] * 500, "hyp": few["hyp"] + [None] * 500}
    few, more = demur.label_scores(few), demur.label_scores(more)
    assert more.interval_answered == pytest.approx(few.interval_answered)
    assert np.ptp(more.interval) < np.ptp(few.interval)
