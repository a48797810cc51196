"""Measures that are given another kind of thing than they read.

Mappings, series with an index and frames are joined by key, or refused; a plain string
is one text; one token in each row is not taken for sentences.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import demur
from natural.asking import lines, shell
from natural.ends import Shown, case, gives, noted, refused

TAGS = "ref\thyp\nB-PER\tB-PER\nI-PER\tI-PER\nI-PER\tO\n"


def words(hypotheses: Any, references: Any, **options: Any) -> demur.WordErrors:
    return demur.word_errors(hypotheses=hypotheses, references=references, **options)


def labels(hypotheses: Any, references: Any) -> demur.LabelScores:
    return demur.label_scores(hypotheses=hypotheses, references=references)


def spans(hypotheses: Any, references: Any) -> demur.SpanScores:
    return demur.span_scores(hypotheses=hypotheses, references=references)


def verdicts() -> demur.Outcomes:
    return demur.Outcomes.from_arrays(correct=[True, False, False, None])


def count(name: str, *, differing: bool = False) -> Shown:
    outcome = verdicts().outcome
    same = outcome != name if differing else outcome == name
    return Shown({"rows": int(np.sum(same))})


def wrong_by(count: Callable[[Any], Any]) -> Callable[[], Shown]:
    """How many of the rows a user finds wrong; two are."""
    return lambda: Shown({"rows": int(count(verdicts().outcome))})


CODES = refused("code|counts|columns", any_error=True)


def strict(**figures: Any) -> dict[str, Any]:
    return {f"strict {name}": value for name, value in figures.items()}


CASES = (
    # -- mappings ------------------------------------------------------------------
    case(
        "words-mappings",  # 2 of 2 words substituted, then 1 of 2 and the other deleted
        lambda: words({"u1": "x y", "u2": "z"}, {"u1": "a b", "u2": "c d"}),
        gives(wer=1.0),
        refused("mapping|dict"),
    ),
    case(
        "words-mappings-in-other-order",
        lambda: words({"u2": "c d", "u1": "a b"}, {"u1": "a b", "u2": "c d"}),
        gives(wer=0.0),
        refused("mapping|dict"),
    ),
    case(
        "words-mapping-without-a-key",
        lambda: words({"u1": "a b"}, {"u1": "a b", "u2": "c d"}),
        noted("u2", wer=0.5),
        refused("u2|mapping|dict"),
    ),
    case(
        "words-mapping-and-list",
        lambda: words({"u1": "a b", "u2": "c d"}, ["a b", "c d"]),
        refused("mapping|dict"),
    ),
    case(
        "labels-mappings",
        lambda: labels({"q1": "a", "q2": "b"}, {"q1": "a", "q2": "c"}),
        gives(accuracy=0.5),
        refused("mapping|dict"),
    ),
    case(
        "spans-mappings",
        lambda: spans({"s1": "B-x O"}, {"s1": "B-x I-x"}),
        gives(**strict(right=0.0, given=1, true=1)),
        refused("mapping|dict"),
    ),
    case(
        "concepts-mappings",
        lambda: demur.concept_errors(
            hypotheses={"u1": ["city"]}, references={"u1": ["day"]}
        ),
        gives(**{"cer value": 1.0}),
        refused("mapping|dict"),
    ),
    case(
        "concepts-of-an-utterance-as-object",  # {"city": "Rome"} for [("city", "Rome")]
        lambda: demur.concept_errors(
            hypotheses=[{"city": "Rome"}], references=[{"city": "Oslo"}]
        ),
        gives(**{"cer value": 1.0}),
        refused("object|mapping|dict"),
    ),
    case(
        "grammar-mappings",
        lambda: demur.grammar_outcomes(
            hypotheses={"u1": "no", "u2": "yes"}, references={"u1": "yes", "u2": "yes"}
        ),
        gives(match=1, mismatch=1),
        refused("mapping|dict"),
    ),
    # -- plain strings -------------------------------------------------------------
    case(
        "words-plain-strings",
        lambda: words("the bat sat", "the cat sat"),
        gives(wer=1 / 3, reference_words=3),
        refused("text|string"),
    ),
    case(
        "words-plain-string-of-other-length",
        lambda: words("the bat", "the cat sat"),
        gives(wer=2 / 3, reference_words=3),
        refused("text|string"),
    ),
    case(
        "words-plain-string-and-list",
        lambda: words("cat", ["c", "a", "t"]),
        refused("text|string"),
    ),
    case(
        "labels-plain-strings",
        lambda: labels("yes", "yet"),
        gives(accuracy=0.0, items=1),
        refused("text|string"),
    ),
    case(
        "vocabulary-plain-string",
        lambda: demur.out_of_vocabulary("the cat", references=["the cat"]),
        gives(oov_rate=0.0, words=2),
        refused("text|string"),
    ),
    case(
        "vocabulary-plain-references",
        lambda: demur.out_of_vocabulary(["the", "cat"], references="the dog"),
        gives(oov_rate=0.5, words=2),
        refused("text|string"),
    ),
    case(
        "concepts-plain-strings",  # one concept, not its letters
        lambda: demur.concept_errors(hypotheses=["city"], references=["town"]),
        gives(**{"cer value": 1.0, "cer units": 1}),
        refused("list", "text|string|city|town"),
    ),
    case(
        "spans-plain-strings",
        lambda: spans("B-x I-x O", "B-x I-x O"),
        gives(**strict(right=1.0, given=1, true=1)),
        refused("text|string|list"),
    ),
    case(
        "slots-plain-strings",  # as Python prints an object, not JSON
        lambda: demur.slot_scores(
            hypotheses=["{'room': 'A'}"], references=["{'room': 'A'}"]
        ),
        refused("object|JSON"),
    ),
    case(
        "annotators-plain-strings",
        lambda: demur.agreement({"ann": "aab", "bob": "aba"}),
        refused("text|string|list"),
    ),
    # -- one token in each row -----------------------------------------------------
    case(
        "spans-token-per-row",  # one name of three words, of which two are found
        shell("metrics spans t.tsv --json", t_tsv=TAGS),
        gives(**strict(right=0.0, given=1, true=1)),
        noted("token", "sentence"),
        refused("token", "sentence"),
    ),
    case(
        "spans-token-per-row-in-lists",
        lambda: spans(["B-PER", "I-PER", "O"], ["B-PER", "I-PER", "I-PER"]),
        gives(**strict(right=0.0, given=1, true=1)),
        noted("token", "sentence"),
        refused("token", "sentence"),
    ),
    case(
        "spans-token-per-row-in-a-frame",
        lambda: demur.span_scores(
            pd.DataFrame(
                {
                    "sentence": [1, 1, 1, 2],
                    "token": ["Anna", "Maria", "Holt", "sleeps"],
                    "ref": ["B-PER", "I-PER", "I-PER", "O"],
                    "hyp": ["B-PER", "I-PER", "O", "O"],
                }
            )
        ),
        gives(**strict(right=0.0, given=1, true=1)),
        noted("token", "sentence"),
        refused("token", "sentence"),
    ),
    case(
        "spans-token-per-row-of-bioes",
        lambda: demur.span_scores(
            hypotheses=["B-x", "E-x"], references=["B-x", "E-x"], scheme="bioes"
        ),
        refused("token", "sentence"),
    ),
    case(
        "spans-sentences-of-one-word",  # which go on nowhere
        lambda: spans(["B-x", "O"], ["B-x", "B-x"]),
        gives(**strict(right=1.0, given=1, true=2)),
    ),
    case(
        "words-lists-of-tokens",
        lambda: words([["the", "bat", "sat"]], [["the", "cat", "sat"]]),
        gives(wer=1 / 3, reference_words=3),
        refused("list"),
    ),
    case(
        "words-json-lines-of-tokens",
        shell(
            "metrics words t.jsonl --json",
            t_jsonl=lines({"ref": ["the", "cat"], "hyp": ["the", "bat"]}),
        ),
        gives(wer=0.5, reference_words=2),
        refused("t.jsonl", "list"),
    ),
    # -- frames, arrays, numbers, iterators ----------------------------------------
    case(
        "words-frame-and-list",
        lambda: words(pd.DataFrame({"said": ["the bat"], "by": ["a"]}), ["the cat"]),
        refused("frame|table|column"),
    ),
    case(
        "words-frame-of-one-column",
        lambda: words(pd.DataFrame({"text": ["a b", "c d"]}), ["a b", "c e"]),
        gives(wer=0.25),
        refused("frame|table|column"),
    ),
    case(
        "labels-frame-of-one-column",
        lambda: labels(pd.DataFrame({"label": ["a", "b"]}), ["a", "c"]),
        gives(accuracy=0.5),
        refused("frame|table|column"),
    ),
    case(
        "labels-array-of-one-column",
        lambda: labels(np.array([["a"], ["b"]]), np.array(["a", "c"])),
        gives(accuracy=0.5),
        refused("dimension|shape|array|list"),
    ),
    case(
        "labels-probabilities",  # predict_proba in the place of predict
        lambda: labels(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 1])),
        refused("dimension|shape|probabilit|array|list"),
    ),
    case(
        "labels-scores-for-labels",  # all of one kind while all references are another
        lambda: labels([0.91, 0.83, 0.77], ["yes", "no", "yes"]),
        noted("number", accuracy=0.0),
        refused("number"),
    ),
    case(
        "words-number-for-text",
        lambda: words([42], ["42"]),
        gives(wer=0.0),
        refused("text", "42"),
    ),
    case(
        "words-bytes-for-text",
        lambda: words([b"the cat"], ["the cat"]),
        gives(wer=0.0),
        refused("bytes"),
    ),
    case(
        "words-generators",
        lambda: words((text for text in ["a b"]), (text for text in ["a c"])),
        gives(wer=0.5),
        refused("generator|list|sequence"),
    ),
    # -- codes of outcomes ---------------------------------------------------------
    case(
        "outcome-equals-its-name",
        lambda: count("wrong"),
        gives(rows=2),
        refused("code|counts|columns", any_error=True),
    ),
    case(
        "outcome-differs-from-its-name",
        lambda: count("right", differing=True),
        gives(rows=3),
        refused("code|counts|columns", any_error=True),
    ),
    case(
        "outcome-is-in-names",
        lambda: Shown(
            {"rows": int(np.isin(verdicts().outcome, ["wrong", "right"]).sum())}
        ),
        gives(rows=3),
        refused("code|counts|columns", any_error=True),
    ),
    *(
        case(f"outcome-{name}", wrong_by(count), gives(rows=2), CODES)
        for name, count in (
            ("one-by-one", lambda o: sum(o[row] == "wrong" for row in range(4))),
            ("in-a-loop", lambda o: sum(name == "wrong" for name in o)),
            ("counted", lambda o: Counter(o)["wrong"]),
            ("as-a-list", lambda o: o.tolist().count("wrong")),
            ("as-an-array", lambda o: (np.array(o) == "wrong").sum()),
            ("as-strings", lambda o: (np.asarray(o, str) == "wrong").sum()),
            (
                "in-unique",
                lambda o: np.unique(o, return_counts=True)[1][-1],
            ),
            ("as-a-series", lambda o: (pd.Series(o) == "wrong").sum()),
            ("as-a-series-in", lambda o: pd.Series(o).isin(["wrong"]).sum()),
            ("as-value-counts", lambda o: pd.Series(o).value_counts()["wrong"]),
            ("in-a-frame", lambda o: len(pd.DataFrame({"o": o}).query("o == 'wrong'"))),
            ("in-polars", lambda o: (pl.Series(o) == "wrong").sum()),
            ("against-a-series", lambda o: (o == pd.Series(["wrong"] * 4)).sum()),
            ("as-json", lambda o: json.loads(json.dumps(list(o))).count("wrong")),
            ("in-a-mapping", lambda o: sum({"wrong": 1}.get(name, 0) for name in o)),
            ("as-codes", lambda o: sum(code == 1 for code in o)),
            ("as-codes-of-an-array", lambda o: (o.codes == 1).sum()),
        )
    ),
    case(
        "outcome-equals-a-misspelt-name",
        lambda: count("incorrect"),
        refused("incorrect", "right|wrong", any_error=True),
    ),
)
