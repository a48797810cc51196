"""The same rule beyond labels: answers, verdicts, slots, senses, annotators."""

from __future__ import annotations

import datetime
import enum
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import demur
from natural.asking import judged, lines, shell, shown_of
from natural.ends import Refusal, Shown, case, gives, noted, refused

NAN = float("nan")
MOMENT = datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.UTC)
AHEAD = MOMENT.astimezone(datetime.timezone(datetime.timedelta(hours=1)))
Colour = enum.Enum("Colour", {"RED": "red"})
GAP = gives(verdicts="right right unanswered")


def frames(responses: Any, references: Any, **options: Any) -> demur.Outcomes:
    items = ["q1", "q2", "q3"]
    return demur.judge(
        pd.DataFrame({"item": items, "response": responses}),
        pd.DataFrame({"item": items, "reference": references}),
        **options,
    )


def verdicts(**columns: Any) -> Shown | Refusal:
    return shown_of(demur.Outcomes.from_arrays(**columns))


def framed_verdicts(correct: Any) -> demur.Outcomes:
    items = [f"q{number}" for number in range(len(correct))]
    return demur.Outcomes.from_frame(pd.DataFrame({"item": items, "correct": correct}))


def senses(values: Any) -> demur.Difficulty:
    tokens = pd.DataFrame({"word": ["bank"] * len(values), "sense": values})
    return demur.difficulty(tokens, markable="word", value="sense")


CASES = (
    # -- answers -------------------------------------------------------------------
    case(
        "answers-label-gap",
        lambda: frames([1, 2, None], [1, 2, 3], by="label"),
        GAP,
    ),
    case("answers-text-gap", lambda: frames([1, 2, None], [1, 2, 3], by="text"), GAP),
    case(
        "answers-number-gap",
        lambda: frames([1, 2, None], [1, 2, 3], by="number"),
        GAP,
    ),
    case(
        "answers-nullable-integers",
        lambda: frames(pd.array([1, 2, None], dtype="Int64"), [1, 2, 3], by="label"),
        GAP,
    ),
    case(
        "answers-reference-with-gap",  # the references become floats
        lambda: demur.judge(
            pd.DataFrame({"item": ["q1", "q2"], "response": [1, 2]}),
            pd.DataFrame(
                {
                    "item": ["q1", "q2", "q3"],
                    "reference": [1, 2, None],
                    "answerable": [True, True, False],
                }
            ),
            by="label",
            missing="unanswered",
        ),
        gives(right=2, wrong=0, unanswered=1),
    ),
    case(
        "answers-csv-against-json",
        shell(
            "judge r.csv f.jsonl --by text --json",
            r_csv="item,response\nq1,1.0\nq2,2.0\nq3,\n",
            f_jsonl=lines(
                {"item": "q1", "reference": 1},
                {"item": "q2", "reference": 2},
                {"item": "q3", "reference": 3},
            ),
        ),
        gives(right=2, wrong=0, unanswered=1),
    ),
    case(
        "answers-csv-label-against-json",
        shell(
            "judge r.csv f.jsonl --by label --json",
            r_csv="item,response\nq1,1.0\nq2,true\n",
            f_jsonl=lines(
                {"item": "q1", "reference": 1}, {"item": "q2", "reference": True}
            ),
        ),
        gives(right=2, wrong=0),
    ),
    case(
        "answers-flags-and-numbers",
        lambda: judged([True, False], [1, 0], by="label"),
        noted("true|flag|bool", wrong=2),
        refused("true|flag|bool"),
    ),
    case(
        "answers-csv-against-csv",  # pandas has made decimals of one side
        shell(
            "judge r.csv f.csv --by label --json",
            r_csv="item,response\nq1,1.0\nq2,2.0\n",
            f_csv="item,reference\nq1,1\nq2,2\n",
        ),
        gives(right=2, wrong=0),
        noted("number", "--by number", wrong=2),
    ),
    case(
        "answers-code-against-number",
        lambda: judged(["007"], [7], by="label"),
        gives(wrong=1),
    ),
    case(
        "answers-positions-of-labels",  # class numbers where names are asked for
        lambda: judged([0, 1, 0], ["yes", "no", "yes"], by="label"),
        noted("number", wrong=3),
        refused("number"),
    ),
    case(
        "answers-NaT",
        lambda: judged([pd.NaT, "a"], ["b", "a"], by="label"),
        gives(right=1, unanswered=1),
    ),
    case(
        "answers-python-flag-as-text",  # str(True) of a script
        lambda: judged(["True", "False"], [True, False]),
        gives(right=2),
        noted("true|flag|bool", wrong=2),
        refused("true|flag|bool"),
    ),
    case(
        "answers-numpy-scalars",
        lambda: judged([np.int64(3), np.float64(0.5), np.str_("a")], [3, 0.5, "a"]),
        gives(right=3),
        refused("numpy|int64"),
    ),
    case(
        "answers-decimals",
        lambda: judged([Decimal("1.50")], [1.5], by="number"),
        gives(right=1),
        refused("Decimal"),
    ),
    case(
        "answers-dates",
        lambda: judged([pd.Timestamp("2020-01-02")], ["2020-01-02"]),
        gives(right=1),
        noted("date|timestamp"),
        refused("date|timestamp"),
    ),
    # -- verdicts of others --------------------------------------------------------
    case(
        "verdicts-csv-with-gap",  # pandas has made 1.0, 0.0 and nothing of them
        shell(
            "curve o.csv --json", o_csv="item,correct\nq1,1.0\nq2,0.0\nq3,\nq4,1.0\n"
        ),
        gives(right=2, wrong=1, unanswered=1),
    ),
    case(
        "verdicts-csv-in-capitals",  # as spreadsheets write them
        shell("curve o.csv --json", o_csv="item,correct\nq1,TRUE\nq2,FALSE\nq3,True\n"),
        gives(right=2, wrong=1),
        refused("o.csv:2", "true"),
    ),
    case(
        "verdicts-frame-texts",
        lambda: framed_verdicts(["True", "False", None]),
        gives(verdicts="right wrong unanswered"),
        refused("correct", "true"),
    ),
    case(
        "verdicts-frame-flags-gap",
        lambda: framed_verdicts([True, False, None]),
        gives(verdicts="right wrong unanswered"),
    ),
    case(
        "verdicts-frame-nullable-flags",
        lambda: framed_verdicts(pd.array([True, False, None], dtype="boolean")),
        gives(verdicts="right wrong unanswered"),
    ),
    case(
        "verdicts-array-nan",
        lambda: verdicts(correct=np.array([1.0, 0.0, NAN])),
        gives(verdicts="right wrong unanswered"),
        refused("correct", "nan"),
    ),
    case(
        "verdicts-names-as-categories",
        lambda: verdicts(outcome=pd.Categorical(["right", "wrong", "unanswered"])),
        gives(verdicts="right wrong unanswered"),
    ),
    case(
        "verdicts-polars",
        lambda: demur.Outcomes.from_frame(
            pl.DataFrame({"item": [1, 2, 3], "correct": [1, 0, None]})
        ),
        gives(verdicts="right wrong unanswered"),
    ),
    # -- slots and concepts --------------------------------------------------------
    case(
        "slots-number-and-its-decimal",
        lambda: demur.slot_scores(
            hypotheses=[{"people": 5.0}], references=[{"people": 5}]
        ),
        gives(**{"slot error rate value": 0.0}),
    ),
    case(
        "slots-number-and-its-text",
        lambda: demur.slot_scores(
            hypotheses=[{"people": "5.0"}], references=[{"people": 5}]
        ),
        gives(**{"slot error rate value": 0.0}),
    ),
    case(
        "slots-judged-number-and-its-decimal",
        lambda: judged([{"people": 5.0}], [{"people": 5}], by="slots"),
        gives(right=1),
    ),
    case(
        "slots-flag-and-number",
        lambda: demur.slot_scores(
            hypotheses=[{"parking": 1}], references=[{"parking": True}]
        ),
        gives(**{"slot error rate value": 1.0}),
        refused("true|flag|bool"),
    ),
    case(
        "slots-nan-is-no-value",
        lambda: demur.slot_scores(
            hypotheses=[{"name": "x", "area": NAN}], references=[{"name": "x"}]
        ),
        gives(**{"slot error rate value": 0.0}),
        refused("nan"),
    ),
    case(
        "concepts-number-and-its-decimal",
        lambda: demur.concept_errors(
            hypotheses=[[("size", 5.0)]], references=[[("size", 5)]]
        ),
        gives(**{"cer value": 0.0}),
    ),
    case(
        "concepts-flag-and-its-text",
        lambda: demur.concept_errors(
            hypotheses=[[("parking", "True")]], references=[[("parking", True)]]
        ),
        gives(**{"cer value": 0.0}),
    ),
    # -- senses and annotators -----------------------------------------------------
    case(
        "senses-flag-and-number",
        lambda: senses([1, 1, True, True]),
        gives(values=2, entropy=1.0),
        noted("flag|number"),
    ),
    case(
        "annotators-csv-number-and-its-decimal",
        shell("agree t.csv --json", t_csv="ann,bob\n1,1.0\n2,2.0\n2,\n1,2.0\n"),
        gives(**{"alpha": 4 / 9}),
    ),
    case(
        "senses-number-and-its-decimal",
        lambda: senses([1, 1.0, 2, 2.0]),
        gives(values=2, entropy=1.0),
    ),
    case(
        "senses-of-two-kinds",  # 1 and "1" share a name, and are two values
        lambda: senses([1, 1, "1", "1"]),
        gives(values=2, entropy=1.0),
        noted("number|text|kind"),
        refused("number|text|kind"),
    ),
    case(
        "annotators-number-and-its-decimal",  # 1 1, 2 2, 1 2: 1 - (1/3) / (3/5)
        lambda: demur.agreement({"ann": [1, 2, 2, 1], "bob": [1.0, 2.0, NAN, 2.0]}),
        gives(alpha=4 / 9),
    ),
    case(
        "annotators-frame-nullable",
        lambda: demur.agreement(
            pd.DataFrame(
                {
                    "unit": [1, 2, 3, 4],
                    "ann": [1, 2, 2, 1],
                    "bob": pd.array([1, 2, None, 2], dtype="Int64"),
                }
            ),
            annotators=["ann", "bob"],
        ),
        gives(alpha=4 / 9),
    ),
    # -- members of an Enum, moments, signs ------------------------------------------
    *(
        case(
            f"answers-{name}-by-{by}",
            lambda response=response, reference=reference, by=by: judged(
                [response], [reference], by=by
            ),
            *ends,
        )
        for by in ("label", "text")
        for name, response, reference, ends in (
            ("enum-and-value", Colour.RED, "red", [gives(right=1)]),
            ("value-and-enum", "red", Colour.RED, [gives(right=1)]),
            (
                "enum-and-its-print",
                Colour.RED,
                "Colour.RED",
                [gives(right=1), noted("Enum", "name", wrong=1)],
            ),
            (
                "enum-and-name",
                Colour.RED,
                "RED",
                [gives(right=1), noted("Enum", "name", wrong=1)],
            ),
            ("moment-of-another-zone", AHEAD, MOMENT, [gives(right=1)]),
            ("moment-as-text", "2020-01-01T12:00:00Z", MOMENT, [gives(right=1)]),
            (
                "moment-as-text-of-another-zone",
                "2020-01-01T13:00:00+01:00",
                MOMENT,
                [gives(right=1)],
            ),
            (
                "moment-without-zone",
                MOMENT.replace(tzinfo=None),
                MOMENT,
                [noted("zone", wrong=1), refused("zone")],
            ),
            ("minus-sign-and-number", "\u22121", -1, [gives(right=1)]),
            (
                "minus-signs",
                "\u22121",
                "-1",
                [gives(right=1), noted("number", "by number", wrong=1)],
            ),
        )
    ),
    case(
        "answers-csv-numbers-beside-a-word",
        shell(
            "judge r.csv f.csv --by label --json",
            r_csv="item,response\nq1,1.0\nq2,2.0\nq3,none\n",
            f_csv="item,reference\nq1,1\nq2,2\nq3,none\n",
        ),
        gives(right=3, wrong=0),
        noted("number", "--by number", wrong=2),
    ),
    # -- numbers with signs, lists as texts, ids and verdicts with gaps --------------
    *(
        case(
            f"answers-number-{name}",
            lambda answer=answer, reference=reference: judged(
                [answer], [reference], by="number"
            ),
            gives(right=1),
            noted("number", "unit|per cent|fraction", wrong=1),
        )
        for name, answer, reference in (
            ("with-unit", "12 km", 12),
            ("with-per-cent", "50%", 50),
            ("with-apostrophe", "1'234.5", 1234.5),
            ("as-one-sign", "\u00bd", 0.5),
            ("with-space", "1 234", 1234),
            ("with-currency", "$5", 5),
            ("as-quotient", "1/2", 0.5),
        )
    ),
    *(
        case(
            f"answers-csv-list-as-text-{side}",
            shell(
                "judge r.csv f.csv --by text --json",
                r_csv=f"item,response\nq1,{response}\n",
                f_csv=f"item,reference\nq1,{reference}\n",
            ),
            gives(right=1),
            noted("list", wrong=1),
        )
        for side, response, reference in (
            ("given", "['Oslo']", "Oslo"),
            ("true", "Oslo", "['Oslo']"),
        )
    ),
    *(
        case(f"items-with-gap-{name}", action, refused(place, "item"))
        for name, place, action in (
            (
                "in-a-frame",
                "row 2",
                lambda: demur.Outcomes.from_frame(
                    pd.DataFrame({"item": [1.0, 2.0, NAN], "correct": [1, 0, 1]})
                ),
            ),
            (
                "in-a-list",
                "row 2",
                lambda: verdicts(item=[1.0, 2.0, NAN], correct=[1, 0, 1]),
            ),
            (
                "judged",
                "record 3",
                lambda: demur.judge(
                    pd.DataFrame({"item": [1.0, 2.0, NAN], "response": [1, 0, 1]}),
                    pd.DataFrame({"item": [1, 2, 3], "reference": [1, 0, 1]}),
                ),
            ),
        )
    ),
    case(
        "frame-columns-of-two-levels",
        lambda: demur.Outcomes.from_frame(
            pd.DataFrame({("score", "correct"): [1], ("id", "item"): ["q1"]})
        ),
        refused("score_correct, id_item", "df.columns"),
    ),
    case(
        "verdicts-list-nan",  # computed, it may be no answer or no verdict
        lambda: verdicts(correct=[1, NAN, 0]),
        gives(verdicts="right unanswered wrong"),
        refused("row 1", "None", "ungraded"),
    ),
    *(
        case(
            f"confidence-called-{name}",
            lambda name=name: demur.Outcomes.from_frame(
                pd.DataFrame(
                    {"item": ["q1", "q2"], "correct": [1, 0], name: [0.5, 0.2]}
                )
            ),
            noted("no column confidence", name),
        )
        for name in (
            *("confidence_score", "score_confidence", "p", "Konfidenz", "confiance"),
            *("confianza", "p_correct", "proba", "confidence (%)"),
        )
    ),
)
