"""Labels are compared as what they are, wherever they come from.

One rule for the whole house: 1 and 1.0 are the same; True and 1 are not unless asked;
what is missing is declined, whatever the library's sign for it. Three items, of which
two are right and one is declined, have accuracy 2/3, and 1 of those that were answered.
"""

from __future__ import annotations

import datetime
import enum
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


def infinity() -> Shown:
    """Infinity has no digits that could be lost."""
    scores = labels([float("inf"), 1], [float("inf"), 1])
    return Shown({"accuracy": scores.accuracy, "notes": len(scores.notes)})


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Shade(str, enum.Enum):  # noqa: UP042 (as it was written before StrEnum)
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


NAMES = ["RED", "BLUE"]
VALUES = ["red", "blue"]
UTC = datetime.timezone.utc  # noqa: UP017 (as most people still write it)
HOUR_AHEAD = datetime.timezone(datetime.timedelta(hours=1))
MOMENT = datetime.datetime(2020, 1, 1, 12, tzinfo=UTC)
NUMBERS_AND_A_WORD = "1,1.0\n2,2.0\n3,none\nnone,none\n"

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
    # -- numbers beside a word, as in every file of texts ----------------------------
    case(
        "labels-csv-numbers-beside-a-word",  # it turned all of them into texts
        shell("metrics labels t.csv --json", t_csv=f"ref,hyp\n{NUMBERS_AND_A_WORD}"),
        noted("number", "1.0", accuracy=0.75),
    ),
    case(
        "labels-csv-flags-beside-a-word",
        shell("metrics labels t.csv --json", t_csv="ref,hyp\ntrue,True\nnone,none\n"),
        noted("flag", accuracy=1.0),
    ),
    case(
        "labels-csv-numbers-against-words",  # class numbers for names of classes
        shell("metrics labels t.csv --json", t_csv="ref,hyp\nyes,1\nno,0\n"),
        noted("number", "text", accuracy=0.0),
    ),
    case(
        "labels-lists-numbers-beside-a-word",
        lambda: labels(["1.0", "none"], ["1", "none"]),
        noted("number", accuracy=1.0),
    ),
    case(
        "labels-csv-names-stay-as-written",  # 1.0 once, and never as 1
        shell("metrics labels t.csv --json", t_csv="ref,hyp\n1.0,1.0\nv2,v2\n"),
        gives(accuracy=1.0),
    ),
    case(
        "annotators-csv-numbers-beside-a-word",  # one of 4 pairs: 1 - .25 / .75
        shell("agree t.csv --json", t_csv="ann,bob\n1,1.0\n2,2.0\n2,1.0\nno,no\n"),
        noted("number", "1.0", alpha=2 / 3),
    ),
    case(
        "labels-csv-minus-sign",  # as word processors and models write it
        shell("metrics labels t.csv --json", t_csv="ref,hyp\n-1,\u22121\n1,1\n"),
        noted("number", accuracy=1.0),
    ),
    case("labels-minus-sign", lambda: labels(["\u22121"], [-1]), SAME),
    case("labels-infinity", infinity, gives(accuracy=1.0, notes=0)),
    # -- members of an Enum ----------------------------------------------------------
    case("labels-enum-and-values", lambda: labels(list(Colour), VALUES), SAME),
    case("labels-enum-of-texts", lambda: labels(list(Shade), VALUES), SAME),
    case("labels-enum-of-numbers", lambda: labels(list(Level), [1, 2]), SAME),
    case("labels-enums", lambda: labels(list(Colour), list(Colour)), SAME),
    *(
        case(
            f"labels-enum-and-names-{kind.__name__}-{names[0]}",
            lambda kind=kind, names=names: labels(list(kind), names),
            SAME,
            noted("Enum", "name", accuracy=0.0),
        )
        for kind, names in (
            (Colour, NAMES),
            (Shade, NAMES),
            (Level, ["LOW", "HIGH"]),
            (Colour, ["Colour.RED", "Colour.BLUE"]),
        )
    ),
    # -- moments ---------------------------------------------------------------------
    case(
        "labels-moment-in-another-zone",
        lambda: labels([MOMENT.astimezone(HOUR_AHEAD)], [MOMENT]),
        SAME,
    ),
    case(
        "labels-moment-of-pandas-in-another-zone",
        lambda: labels([pd.Timestamp(MOMENT).tz_convert("+01:00")], [MOMENT]),
        SAME,
    ),
    case(
        "labels-moment-as-text-of-another-zone",
        lambda: labels(["2020-01-01T13:00:00+01:00"], [MOMENT]),
        SAME,
        noted("date", accuracy=0.0),
    ),
    case(
        "labels-moment-without-zone",
        lambda: labels([MOMENT.replace(tzinfo=None)], [MOMENT]),
        noted("zone", accuracy=0.0),
        refused("zone"),
    ),
    case(
        "labels-moments-a-nanosecond-apart",
        lambda: labels(
            [np.datetime64("2020-01-01T00:00:00.000000001")],
            [np.datetime64("2020-01-01T00:00:00.000000000")],
        ),
        gives(accuracy=0.0),
    ),
    *(
        case(
            f"labels-csv-list-as-text-{name}",
            shell("metrics labels t.csv --json", t_csv=f"ref,hyp\nOslo,{cell}\n"),
            noted("list", accuracy=0.0),
            refused("list"),
        )
        for name, cell in (("json", '"[""Oslo""]"'), ("of-pandas", "['Oslo']"))
    ),
    case(
        "labels-frame-columns-of-two-levels",
        lambda: demur.label_scores(
            pd.DataFrame({("s", "ref"): [1], ("s", "hyp"): [1]})
        ),
        refused("s_ref", "df.columns"),
    ),
)
