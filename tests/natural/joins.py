"""What is joined by key is not joined by position: series, frames, files with ids."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import demur
from natural.asking import shell
from natural.ends import Shown, case, gives, noted, refused

KEYS = ["q1", "q2", "q3"]


def series(values: Any, keys: Any) -> pd.Series:
    return pd.Series(values, index=keys)


def words(hypotheses: Any, references: Any) -> demur.WordErrors:
    return demur.word_errors(hypotheses=hypotheses, references=references)


def labels(hypotheses: Any, references: Any) -> demur.LabelScores:
    return demur.label_scores(hypotheses=hypotheses, references=references)


def arrays(**columns: Any) -> Shown:
    outcomes = demur.Outcomes.from_arrays(**columns)
    rows = outcomes.to_columns()
    confidence = dict(zip(rows["item"], rows["confidence"], strict=True))
    return Shown(
        {
            "surest": str(max(confidence, key=lambda item: confidence[item])),
            "right": outcomes.counts()["right"],
            "error at half": demur.error_return(outcomes).at(nonreturn=2 / 3).error,
        },
        "\n".join(outcomes.notes),
    )


def right_item(**columns: Any) -> Shown:
    """Which item is right, and its topic: one is."""
    outcomes = demur.Outcomes.from_arrays(**columns)
    rows = outcomes.to_columns()
    [row] = [row for row, name in enumerate(rows["outcome"]) if name == "right"]
    figures = {"right": str(rows["item"][row]), "topic": rows.get("topic", [""])[row]}
    return Shown(figures, "\n".join(outcomes.notes))


def indexed(order: list[str], correct: dict[str, bool]) -> demur.Outcomes:
    frame = pd.DataFrame({"correct": [correct[item] for item in order]}, index=order)
    frame.index.name = "item"
    return demur.Outcomes.from_frame(frame)


def opposite_orders() -> Shown:
    """Two systems with the very same verdicts; position makes them differ."""
    correct = {"q1": True, "q2": False, "q3": False, "q4": True}
    a = indexed(["q1", "q2", "q3", "q4"], correct)
    b = indexed(["q2", "q1", "q4", "q3"], correct)
    differing = sum(
        dict(zip(a.item.tolist(), a.outcome.tolist(), strict=True))[item] != outcome
        for item, outcome in zip(b.item.tolist(), b.outcome.tolist(), strict=True)
    )
    return Shown({"differing": differing}, "\n".join((*a.notes, *b.notes)))


def levels() -> demur.Outcomes:
    index = pd.MultiIndex.from_tuples(
        [("a", "q1"), ("a", "q2"), ("b", "q1"), ("b", "q2")], names=["system", "item"]
    )
    frame = pd.DataFrame({"correct": [True, True, True, False]}, index=index)
    return demur.Outcomes.from_frame(frame)


def of_ids(form: str, *, swapped: bool = True) -> tuple[str, str]:
    """References and hypotheses in lines of this form, with 1 error on 5 words."""
    said = form.format("the cat sat", "hello there")
    if not swapped:
        return said, form.format("the bat sat", "hello there")
    end = "\r\n" if "\r" in form else "\n"
    heard = form.format("the bat sat", "hello there").splitlines()
    return said, end.join((heard[-1], *heard[1:-1], heard[0].strip("\ufeff"))) + end


WORDS = "metrics words r.txt h.txt --json"
INDEX = refused("index")
OTHER_ROWS = (noted("index"), INDEX)

CASES = (
    case(
        "words-series-in-other-order",
        lambda: words(
            series(["b", "a"], ["u2", "u1"]), series(["a", "b"], ["u1", "u2"])
        ),
        gives(wer=0.0),
        INDEX,
    ),
    case(
        "labels-series-in-other-order",
        lambda: labels(
            series(["c", "a", "b"], [2, 0, 1]), series(list("abc"), [0, 1, 2])
        ),
        gives(accuracy=1.0),
        INDEX,
    ),
    case(
        "labels-series-of-other-rows",  # one was filtered, the other not
        lambda: labels(series(["a", "b"], [1, 2]), series(["a", "b"], [0, 1])),
        *OTHER_ROWS,
    ),
    case(
        "labels-series-after-a-split",  # predictions are numbered anew
        lambda: labels(
            series(["a", "b", "a"], [0, 1, 2]), series(["a", "b", "a"], KEYS)
        ),
        noted("index", accuracy=1.0),
        INDEX,
    ),
    case(
        "labels-series-and-list",  # a list has no index: position is all there is
        lambda: labels(["a", "b"], series(["a", "c"], [7, 9])),
        gives(accuracy=0.5),
    ),
    case(
        "labels-series-of-equal-index",
        lambda: labels(series(["a", "b"], [7, 9]), series(["a", "c"], [7, 9])),
        gives(accuracy=0.5),
    ),
    case(
        "spans-series-in-other-order",
        lambda: demur.span_scores(
            hypotheses=series(["O", "B-x O"], ["s2", "s1"]),
            references=series(["B-x O", "O"], ["s1", "s2"]),
        ),
        gives(**{"strict right": 1.0, "strict given": 1, "strict true": 1}),
        INDEX,
    ),
    case(
        "grammar-series-in-other-order",
        lambda: demur.grammar_outcomes(
            hypotheses=series(["no", "yes"], ["u2", "u1"]),
            references=series(["yes", "no"], ["u1", "u2"]),
        ),
        gives(match=2, mismatch=0),
        INDEX,
    ),
    case(
        "annotators-series-in-other-order",
        lambda: demur.agreement(
            {
                "ann": series(list("aab"), [0, 1, 2]),
                "bob": series(list("baa"), [2, 0, 1]),
            }
        ),
        gives(alpha=1.0),
        INDEX,
    ),
    case(
        "outcomes-series-in-other-order",
        lambda: arrays(
            item=series(KEYS, KEYS),
            correct=series([True, False, False], KEYS),
            confidence=series([0.2, 0.1, 0.9], ["q3", "q2", "q1"]),
        ),
        gives(surest="q1", right=1),
        INDEX,
    ),
    case(
        "outcomes-series-without-items",
        lambda: arrays(
            correct=series([True, False, False], KEYS),
            confidence=series([0.2, 0.1, 0.9], ["q3", "q2", "q1"]),
        ),
        gives(**{"right": 1, "error at half": 0.0}),
        INDEX,
    ),
    *(
        case(f"outcomes-{name}", lambda c=columns: right_item(**c), *ends)
        for name, columns, *ends in (
            (
                "list-and-series-in-other-order",
                {"item": KEYS, "correct": series([False, False, True], KEYS[::-1])},
                gives(right="q1"),
                INDEX,
            ),
            (
                "array-and-series-in-other-order",
                {
                    "item": np.array(KEYS),
                    "correct": series([False, False, True], KEYS[::-1]),
                },
                gives(right="q1"),
                INDEX,
            ),
            (
                "numbers-and-series-in-other-order",
                {"item": [1, 2, 3], "correct": series([0, 0, 1], [3, 2, 1])},
                gives(right="1"),
                INDEX,
            ),
            (
                "texts-and-series-by-numbers",
                {"item": ["1", "2", "3"], "correct": series([0, 0, 1], [3, 2, 1])},
                gives(right="1"),
                INDEX,
            ),
            (
                "list-and-two-series-in-other-orders",
                {
                    "item": KEYS,
                    "correct": series([False, False, True], KEYS[::-1]),
                    "groups": {"topic": series(["a", "b", "c"], KEYS)},
                },
                gives(right="q1", topic="a"),
                INDEX,
            ),
            (
                "list-and-series-of-a-sorted-frame",  # df.sort_values(...)["correct"]
                {"item": KEYS, "correct": series([True, False, False], [2, 0, 1])},
                noted("index"),
                INDEX,
            ),
            (
                "list-and-series-of-a-filtered-frame",
                {"item": KEYS, "correct": series([True, False, False], [2, 5, 7])},
                noted("index"),
                INDEX,
            ),
            (
                "list-and-series-of-other-keys",
                {"item": KEYS, "correct": series([True, False, False], list("abc"))},
                noted("index"),
                INDEX,
            ),
            (
                "list-and-series-with-a-key-twice",
                {"item": KEYS, "correct": series([1, 0, 0], ["q1", "q1", "q3"])},
                noted("index"),
                INDEX,
            ),
            (
                "list-and-series-of-numbers-of-rows",
                {"item": KEYS, "correct": series([1, 0, 0], [0, 1, 2])},
                gives(right="q1"),
            ),
            (
                "items-twice-and-series-of-the-same",  # two systems
                {
                    "item": ["q1", "q2"] * 2,
                    "system": ["a", "a", "b", "b"],
                    "correct": series([1, 0, 0, 0], ["q1", "q2"] * 2),
                },
                gives(right="q1"),
            ),
            (
                "mapping-of-verdicts",
                {"correct": {"q1": True, "q2": False}},
                gives(right="q1"),
                refused("dict|mapping", "Series"),
            ),
        )
    ),
    case(
        "outcomes-frame-index-called-item",
        opposite_orders,
        gives(differing=0),
        noted("index"),
        INDEX,
    ),
    case(
        "outcomes-frame-index-of-two-levels",
        levels,
        gives(verdicts="right right right wrong", items=["q1", "q2", "q1", "q2"]),
        refused("index"),
    ),
    case(
        "labels-lists-of-other-length",
        lambda: labels(["a"], ["a", "b"]),
        refused("as many|length|2"),
    ),
    case(
        "words-arrays-are-positions",
        lambda: words(np.array(["a b", "c"]), np.array(["a b", "d"])),
        gives(wer=1 / 3),
    ),
    case(
        "words-files-with-ids-at-the-end",  # as sclite writes them: 1 of 5 words
        shell(
            "metrics words r.trn h.trn --json",
            r_trn="the cat sat (spk1-001)\nhello there (spk1-002)\n",
            h_trn="the bat sat (spk1-001)\nhello there (spk1-002)\n",
        ),
        gives(wer=0.2, reference_words=5),
        noted("id|trn|sclite", wer=1 / 7),
        refused("id|trn|sclite"),
    ),
    case(
        "words-files-with-ids-in-other-order",
        shell(
            "metrics words r.trn h.trn --json",
            r_trn="the cat sat (spk1-001)\nhello there (spk1-002)\n",
            h_trn="hello there (spk1-002)\nthe bat sat (spk1-001)\n",
        ),
        gives(wer=0.2, reference_words=5),
        noted("id|trn|sclite"),
        refused("id|trn|sclite"),
    ),
    case(
        "words-files-with-ids-in-front",  # as Kaldi writes them
        shell(
            "metrics words r.txt h.txt --json",
            r_txt="spk1-001 the cat sat\nspk1-002 hello there\n",
            h_txt="spk1-002 hello there\nspk1-001 the bat sat\n",
        ),
        gives(wer=0.2, reference_words=5),
        noted(" id|ids|Kaldi"),
        refused(" id|ids|Kaldi"),
    ),
    *(
        case(
            f"words-files-{name}",
            shell("metrics words r.txt h.txt --json", r_txt=said, h_txt=heard),
            gives(wer=0.2, reference_words=5),
        )
        for name, said, heard in (
            ("with-ids-counted", *of_ids("utt1 {}\nutt2 {}\n")),
            ("with-ids-of-letters", *of_ids("A01\t{}\nA02\t{}\n")),
            ("with-ids-of-digits", *of_ids("001 {}\n002 {}\n")),
            ("with-ids-and-marks", *of_ids("\ufeff001 {}\r\n002 {}\r\n")),
            ("with-blanks-about-ids", *of_ids("{} ( spk-1 )\n{} ( spk-2 )\n")),
            ("with-comments", *of_ids(";; by hand\n{} (s-1)\n\n{} (s-2)\n")),
            ("with-comments-alone", *of_ids(";; by hand\n{}\n{}\n", swapped=False)),
        )
    ),
    case(
        "words-files-with-ids-and-comment",  # in one file alone
        shell(
            "metrics words r.trn h.trn --json",
            r_trn=";; by hand\nthe cat sat (s-1)\nhello there (s-2)\n",
            h_trn="hello there (s-2)\nthe bat sat (s-1)\n",
        ),
        gives(wer=0.2, reference_words=5),
    ),
    case(
        "words-files-with-lines-counted",
        shell(
            "metrics words r.txt h.txt --json",
            r_txt="1 the cat sat\n2 hello\n3 there\n",
            h_txt="3 there\n1 the bat sat\n2 hello\n",
        ),
        gives(wer=0.2, reference_words=5),
    ),
    *(
        case(f"words-files-{name}", shell(WORDS, r_txt=said, h_txt=heard), *ends)
        for name, said, heard, *ends in (
            (
                "with-an-id-twice",
                "a (s-1)\nb (s-1)\n",
                "a (s-1)\nb (s-1)\n",
                refused("r.txt:2", "s-1", "again|twice"),
            ),
            (
                "with-an-id-in-front-twice",
                "s-1 a\ns-2 b\ns-1 c\n",
                "s-1 a\ns-2 b\ns-1 c\n",
                refused("r.txt:3", "s-1", "again|twice"),
            ),
            (
                "with-one-id-lacking",
                "a (s-1)\nb (s-2)\nc\n",
                "a (s-1)\nb (s-2)\nc\n",
                noted(" ids", "line 3", wer=0.0),
                refused("line 3|r.txt:3"),
            ),
            (
                "with-ids-of-one-alone",
                "utt1 a\nutt2 b\n",
                "a\nb\n",
                noted(" ids", "utt1"),
                refused("utt1"),
            ),
            (
                "with-two-numbers",  # ids or words, nobody can say
                "2 a\n1 b\n",
                "1 b\n2 a\n",
                noted(" ids", "'2'|'1'"),
                refused(" ids"),
            ),
            (
                "with-ids-counted-of-others",
                "utt1 a\nutt2 b\n",
                "utt1 a\nutt3 b\n",
                refused("utt2|utt3", " ids"),
            ),
            (
                "that-begin-with-numbers",  # which are words
                "2 eggs\n2 pears\n5 figs\n",
                "2 eggs\n2 pears\n3 figs\n",
                gives(wer=1 / 6),
            ),
        )
    ),
    case(
        "words-lists-with-ids-counted",
        lambda: words(["u1 a b", "u2 c"], ["u1 a d", "u2 c"]),
        noted(" ids", "u1"),
        refused(" ids"),
    ),
    case(
        "words-files-of-other-length",
        shell("metrics words r.txt h.txt --json", r_txt="a\nb\n", h_txt="a\n"),
        refused("h.txt|r.txt", "line|as many|2"),
    ),
    case(
        "words-table-in-any-order",
        shell(
            "metrics words t.csv --json",
            t_csv="item,ref,hyp\nu2,hello there,hello there\n"
            "u1,the cat sat,the bat sat\n",
        ),
        gives(wer=0.2, reference_words=5),
    ),
)
