"""Labels are compared as what they are, wherever they come from.

One rule for the whole house: 1 and 1.0 are the same; True and 1 are not unless asked;
what is missing is declined, whatever the library's sign for it. Three items, of which
two are right and one is declined, have accuracy 2/3, and 1 of those that were answered.
"""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import demur
from natural.asking import lines, shell, shown_of, typed
from natural.ends import Refusal, Shown, case, gives, noted, refused

NAN = float("nan")
# So many that their order in a set differs by the order in which they came.
MANY = [f"label {number}" for number in range(200)]
TURNED = MANY[::-1]
GAP = gives(accuracy=2 / 3, accuracy_answered=1.0, declined=1)
SAME = gives(accuracy=1.0, declined=0)


def labels(hypotheses: Any, references: Any) -> demur.LabelScores:
    return demur.label_scores(hypotheses=hypotheses, references=references)


def framed(hypotheses: Any, references: Any) -> demur.LabelScores:
    return demur.label_scores(pd.DataFrame({"ref": references, "hyp": hypotheses}))


def parquet() -> Shown | Refusal:
    pd.DataFrame({"ref": [1, 2, 3], "hyp": [1, 2, None]}).to_parquet("t.parquet")
    return typed("metrics labels t.parquet --json")


def one_class() -> Shown:
    scores = labels([1, 1, 2], [1, 1.0, 2])
    return Shown({"accuracy": scores.accuracy, "classes": len(scores.classes)})


def as_outcomes(hypotheses: Any, references: Any) -> Shown | Refusal:
    return shown_of(labels(hypotheses, references).outcomes())


CASES = (
    # -- whole numbers beside their decimals, with a gap ---------------------------
    case("labels-frame-gap", lambda: framed([1, 2, None], [1, 2, 3]), GAP),
    case(
        "labels-frame-nullable-integers",
        lambda: framed(pd.array([1, 2, None], dtype="Int64"), [1, 2, 3]),
        GAP,
    ),
    case(
        "labels-frame-both-nullable",
        lambda: framed(
            pd.array([1, 2, pd.NA], dtype="Int64"), pd.array([1, 2, 3], dtype="Int64")
        ),
        GAP,
    ),
    case(
        "labels-series-nullable-integers",
        lambda: labels(pd.Series([1, 2, None], dtype="Int64"), pd.Series([1, 2, 3])),
        GAP,
    ),
    case("labels-list-none", lambda: labels([1, 2, None], [1, 2, 3]), GAP),
    case("labels-list-nan", lambda: labels([1, 2, NAN], [1, 2, 3]), GAP),
    case("labels-list-NA", lambda: labels([1, 2, pd.NA], [1, 2, 3]), GAP),
    case("labels-texts-nan", lambda: labels(["a", "b", NAN], ["a", "b", "c"]), GAP),
    case(
        "labels-arrays-of-two-kinds",
        lambda: labels(np.array([1.0, 2.0, NAN]), np.array([1, 2, 3])),
        GAP,
    ),
    case(
        "labels-numpy-scalars",
        lambda: labels([np.int64(1), np.float32(2.0)], [1, 2]),
        SAME,
    ),
    case(
        "labels-polars-null",
        lambda: demur.label_scores(
            pl.DataFrame({"ref": [1, 2, 3], "hyp": [1, 2, None]})
        ),
        GAP,
    ),
    case(
        "labels-polars-floats",
        lambda: demur.label_scores(
            pl.DataFrame({"ref": [1, 2, 3], "hyp": [1.0, 2.0, NAN]})
        ),
        GAP,
    ),
    case(
        "labels-arrow-null",
        lambda: demur.label_scores(pa.table({"ref": [1, 2, 3], "hyp": [1, 2, None]})),
        GAP,
    ),
    case(
        "labels-csv-gap",
        shell("metrics labels t.csv --json", t_csv="ref,hyp\n1,1.0\n2,2.0\n3,\n"),
        GAP,
    ),
    case(
        "labels-json-lines-gap",
        shell(
            "metrics labels t.jsonl --json",
            t_jsonl=lines(
                {"ref": 1, "hyp": 1.0}, {"ref": 2, "hyp": 2.0}, {"ref": 3, "hyp": None}
            ),
        ),
        GAP,
    ),
    case(
        "labels-json-array-gap",
        shell(
            "metrics labels t.json --json",
            t_json=json.dumps(
                [{"ref": 1, "hyp": 1.0}, {"ref": 2, "hyp": 2}, {"ref": 3, "hyp": None}]
            ),
        ),
        GAP,
    ),
    case("labels-parquet-gap", parquet, GAP),
    case(
        "labels-arrow-arrays",
        lambda: labels(pa.array([1, 2, None]), pa.array([1, 2, 3])),
        GAP,
    ),
    case("labels-one-class", one_class, gives(accuracy=1.0, classes=2)),
    case(
        "labels-outcomes-gap",
        lambda: as_outcomes(pd.Series([1, 2, None]), pd.Series([1, 2, 3])),
        gives(verdicts="right right unanswered"),
    ),
    case("labels-minus-zero", lambda: labels([-0.0, 1], [0.0, 1]), SAME),
    case(
        "labels-long-numbers",  # they differ in the last digit, which floats lose
        lambda: labels([9007199254740993, 5], [9007199254740992, 5]),
        gives(accuracy=0.5, declined=0),
    ),
    case(
        "labels-long-numbers-gap",  # pandas has rounded the first one
        lambda: framed([9007199254740993, None], [9007199254740993, 2]),
        gives(accuracy=0.5, declined=1),
        noted("digits|exact|float|round"),
        refused("digits|exact|float|round"),
    ),
    case(
        "labels-decimals",
        lambda: labels([1.5, 2], [Decimal("1.50"), Decimal(2)]),
        SAME,
    ),
    case("labels-decimal-tenth", lambda: labels([0.1], [Decimal("0.1")]), SAME),
    case(
        "labels-masked-array",
        lambda: labels(np.ma.masked_array([1, 2, 9], [False, False, True]), [1, 2, 3]),
        GAP,
    ),
    case(
        "labels-csv-numbers-of-many-decimals",
        shell("metrics labels t.csv --json", t_csv="ref,hyp\n1.10,1.1\n2,2.0\n"),
        noted("number", accuracy=1.0),
        refused("1.10"),
    ),
    # -- flags ---------------------------------------------------------------------
    case(
        "labels-flags-gap",
        lambda: labels([True, False, None], [True, False, True]),
        GAP,
    ),
    case(
        "labels-flags-frame-gap",  # the column becomes one of objects
        lambda: framed([True, False, None], [True, False, True]),
        GAP,
    ),
    case(
        "labels-flags-nullable",
        lambda: framed(
            pd.array([True, False, None], dtype="boolean"), [True, False, True]
        ),
        GAP,
    ),
    case("labels-numpy-flags", lambda: labels(np.array([True]), [True]), SAME),
    case(
        "labels-flags-and-numbers",
        lambda: labels([1, 0, 1], [True, False, True]),
        noted("true|flag|bool", accuracy=0.0),
        refused("true|flag|bool"),
    ),
    case(
        "labels-flags-and-texts",
        lambda: labels(["true", "false"], [True, False]),
        SAME,
        noted("true|flag|bool", accuracy=0.0),
        refused("true|flag|bool"),
    ),
    case(
        "labels-csv-flags-in-capitals",
        shell("metrics labels t.csv --json", t_csv="ref,hyp\ntrue,TRUE\nfalse,False\n"),
        gives(accuracy=1.0),
        noted("case|capital|true", accuracy=0.0),
        refused("case|capital|true"),
    ),
    # -- texts ---------------------------------------------------------------------
    case(
        "labels-digits-and-numbers",
        lambda: labels([1, 2], ["1", "2"]),
        SAME,
        noted("number|text", accuracy=0.0),
        refused("number|text"),
    ),
    case(
        "labels-csv-leading-zeros",  # codes, not numbers
        shell("metrics labels t.csv --json", t_csv="ref,hyp\n007,7\n010,010\n"),
        gives(accuracy=0.5),
        noted("007"),
        refused("007"),
    ),
    case(
        "labels-csv-version-numbers",  # 1.10 is not 1.1 where labels are versions
        shell("metrics labels t.csv --json", t_csv="ref,hyp\nv1,v1\n1.10,1.1\n"),
        gives(accuracy=0.5),
        noted("1.10"),
        refused("1.10"),
    ),
    case("labels-text-nan", lambda: labels(["nan", "a"], ["nan", "a"]), SAME),
    case("labels-text-none", lambda: labels(["None", "none"], ["None", "none"]), SAME),
    case(
        "labels-csv-text-NA",  # the country code of Namibia
        shell("metrics labels t.csv --json", t_csv="ref,hyp\nNA,NA\nDE,DE\n"),
        SAME,
    ),
    case(
        "labels-categorical",
        lambda: framed(pd.Categorical(["a", "b", None]), ["a", "b", "c"]),
        GAP,
    ),
    case(
        "labels-categorical-numbers",
        lambda: framed(pd.Categorical([1, 2, None]), [1, 2, 3]),
        GAP,
    ),
    case(
        "labels-string-dtype",
        lambda: framed(pd.array(["a", "b", pd.NA], dtype="string"), ["a", "b", "c"]),
        GAP,
    ),
    case(
        "labels-objects-with-two-gaps",
        lambda: framed(np.array(["a", None, NAN], dtype=object), ["a", "b", "c"]),
        gives(accuracy=1 / 3, accuracy_answered=1.0, declined=2),
    ),
    # -- dates ---------------------------------------------------------------------
    case(
        "labels-dates-gap",
        lambda: framed(
            pd.to_datetime(["2020-01-01", "2020-01-02", None]),
            pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]),
        ),
        GAP,
        refused("date"),
    ),
    case(
        "labels-list-NaT",
        lambda: labels(["a", "b", pd.NaT], ["a", "b", "c"]),
        GAP,
    ),
    case(
        "labels-dates-and-texts",
        lambda: labels([datetime.date(2020, 1, 1)], ["2020-01-01"]),
        SAME,
        noted("date", accuracy=0.0),
        refused("date"),
    ),
    case(
        "labels-timestamps-and-texts",  # as to_csv writes them
        lambda: labels([pd.Timestamp("2020-01-01")], ["2020-01-01 00:00:00"]),
        SAME,
        refused("date"),
    ),
    case(
        "labels-objects-of-a-class",
        lambda: labels([SimpleNamespace(label="a")], [SimpleNamespace(label="a")]),
        gives(accuracy=1.0),
        refused("object"),
    ),
    # -- several labels of one item ------------------------------------------------
    case(
        "labels-sets",
        lambda: labels([{8, 0}], [{0, 8}]),
        SAME,
        refused("set"),
    ),
    case(
        "labels-sets-of-texts",
        lambda: labels([set(MANY)], [set(TURNED)]),
        SAME,
        refused("set"),
    ),
    case(
        "labels-lists-in-other-order",
        lambda: labels([["a", "b"]], [["b", "a"]]),
        SAME,
        refused("list"),
    ),
    case(
        "labels-json-lines-lists",
        shell(
            "metrics labels t.jsonl --json",
            t_jsonl=lines({"ref": ["a", "b"], "hyp": ["b", "a"]}),
        ),
        gives(accuracy=1.0),
        refused("t.jsonl", "list"),
    ),
    case(
        "labels-tuples",
        lambda: labels([("book", "room"), ("find", "taxi")], [("book", "room")] * 2),
        gives(accuracy=0.5),
        refused("tuple|list"),
    ),
)
