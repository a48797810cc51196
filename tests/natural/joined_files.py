"""Files that were put together, and what people's spreadsheets leave in cells."""

from __future__ import annotations

import pandas as pd

import demur
from natural.asking import judged, shell
from natural.ends import Shown, case, gives, noted, refused

LABELS = "metrics labels t.csv --json"
WORDS = "metrics words t.csv --json"


def outcomes(confidence: list[float]) -> demur.Outcomes:
    half = len(confidence) // 2
    return demur.Outcomes.from_arrays(
        correct=[True] * half + [False] * (len(confidence) - half),
        confidence=confidence,
    )


def confidences_of(confidence: pd.Series) -> Shown:
    outcomes = demur.Outcomes.from_arrays(
        correct=[True, False, True], confidence=confidence, item=[2, 0, 1]
    )
    column = outcomes.to_columns()["confidence"]
    return Shown({"confidence": " ".join(map(str, column))}, "\n".join(outcomes.notes))


def sorted_by_index() -> Shown:
    return confidences_of(pd.Series([0.9, 0.1, 0.5], index=[2, 0, 1]).sort_index())


CASES = (
    # -- cat a.csv b.csv -----------------------------------------------------------
    case(
        "labels-header-in-the-middle",
        shell(LABELS, t_csv="ref,hyp\na,a\nb,c\nref,hyp\na,a\n"),
        refused("t.csv:4", "header"),
    ),
    case(
        "words-header-in-the-middle-with-a-mark",
        shell(WORDS, t_csv="ref,hyp\r\na b,a b\r\n\ufeffref,hyp\r\na c,a b\r\n"),
        refused("t.csv:3", "header"),
    ),
    case(
        "judge-header-in-the-middle-of-both",
        shell(
            "judge r.csv t.csv --json",
            r_csv="item,response\nq1,a\nitem,response\nq3,c\n",
            t_csv="item,reference\nq1,a\nitem,reference\nq3,c\n",
        ),
        refused("csv:3", "header"),
    ),
    case(
        "judge-a-word-that-is-a-name",  # of one column alone
        shell(
            "judge r.csv t.csv --json",
            r_csv="item,response\nq1,response\nitem,b\n",
            t_csv="item,reference\nq1,response\nitem,b\n",
        ),
        gives(right=2),
    ),
    # -- items that are the numbers of rows ------------------------------------------
    case(
        "series-sorted-by-its-index-of-numbers",
        sorted_by_index,
        gives(confidence="0.9 0.1 0.5"),
        refused("index", "item"),
    ),
    case(
        "series-that-was-never-ordered",
        lambda: confidences_of(pd.Series([0.9, 0.1, 0.5])),
        gives(confidence="0.9 0.1 0.5"),
    ),
    # -- several answers in one cell -------------------------------------------------
    case(
        "judge-alternatives-parted-by-a-bar",
        lambda: judged(["Oslo", "Rome"], ["Oslo|Christiania", "Roma|Rome"]),
        gives(right=2),
        noted("references", "|", right=0),
    ),
    case(
        "judge-alternatives-parted-by-semicolons",
        shell(
            "judge r.csv t.csv --json",
            r_csv="item,response\nq1,oslo\nq2,Rome\n",
            t_csv="item,reference\nq1,Oslo; Christiania\nq2,Roma;Rome\n",
        ),
        gives(right=2),
        noted("references", ";", right=0),
    ),
    case(
        "judge-alternatives-parted-by-slashes",
        lambda: judged(["Oslo", "Rome"], ["Oslo / Christiania", "Roma / Rome"]),
        gives(right=2),
        noted("references", "/", right=0),
    ),
    # -- flags in one letter ---------------------------------------------------------
    case(
        "judge-y-and-n-beside-yes-and-no",
        lambda: judged(["Y", "N", "Y", "N"], ["yes", "no", "yes", "yes"]),
        gives(right=3, wrong=1),
        noted("yes", "form", right=0),
    ),
    case(
        "labels-true-and-false-beside-yes-and-no",
        lambda: demur.label_scores(
            hypotheses=["true", "false", "true"], references=["yes", "no", "yes"]
        ),
        gives(accuracy=1.0),
        noted("form", accuracy=0.0),
    ),
    # -- templates of a chat ---------------------------------------------------------
    case(
        "judge-with-the-signs-of-a-chat",
        lambda: judged(
            [
                "<|im_start|>user\nOf Norway?<|im_end|>\n<|im_start|>assistant\n"
                "Oslo<|im_end|>",
                "<|im_start|>user\nOf Italy?<|im_end|>\n<|im_start|>assistant\n"
                "Rome<|im_end|>",
            ],
            ["Oslo", "Rome"],
        ),
        gives(right=2),
        noted("chat|template|<|im_", right=0),
    ),
    case(
        "judge-with-the-whole-chat",
        lambda: judged(
            [
                "User: What is the capital of Norway?\nAssistant: Oslo",
                "User: Of which country is Rome the capital?\nAssistant: Italy",
            ],
            ["Oslo", "Italy"],
        ),
        gives(right=2),
        noted("chat|last line|end with|ends with", right=0),
    ),
    # -- what a spreadsheet or pandas wrote for nothing ------------------------------
    case(
        "labels-nan-in-a-cell",
        shell(LABELS, t_csv="ref,hyp\na,a\nb,nan\nb,NaN\n"),
        noted("nan"),
        refused("nan"),
    ),
    case(
        "labels-of-excel-errors",
        shell(LABELS, t_csv="ref,hyp\na,a\nb,#N/A\n"),
        noted("#N/A"),
        refused("#N/A"),
    ),
    case(
        "judge-reference-nan",
        lambda: judged(["a", "b"], ["a", "nan"]),
        noted("nan"),
        refused("nan"),
    ),
    case(
        "judge-reference-of-excel-errors",
        lambda: judged(["a", "b"], ["a", "#N/A"]),
        noted("#N/A"),
        refused("#N/A"),
    ),
    case(
        "words-nan-in-a-cell",
        shell(WORDS, t_csv="ref,hyp\na b,a b\nb c,nan\n"),
        noted("nan"),
        refused("nan"),
    ),
    case(
        "labels-nan-is-a-class",  # of both sides, and right
        lambda: demur.label_scores(hypotheses=["nan", "a"], references=["nan", "a"]),
        gives(accuracy=1.0),
    ),
    # -- confidences of two scales ---------------------------------------------------
    case(
        "outcomes-percent-and-fraction-mixed",
        lambda: outcomes([0.9, 80, 0.7, 60, 0.4, 95]),
        noted("percent|per cent|100|scale"),
        refused("percent|per cent|100|scale"),
    ),
    case(
        "outcomes-percent-alone",
        lambda: outcomes([90, 80, 70, 60, 1, 95]),
        gives(right=3),
    ),
    # -- signs that are not seen -----------------------------------------------------
    case(
        "labels-blanks-behind",
        lambda: demur.label_scores(hypotheses=["a ", "b"], references=["a", "b"]),
        gives(accuracy=1.0),
        noted("blank", accuracy=0.5),
    ),
    case(
        "labels-zero-width-space",
        lambda: demur.label_scores(hypotheses=["a\u200b", "b"], references=["a", "b"]),
        gives(accuracy=1.0),
        noted("not seen|invisible|zero-width", accuracy=0.5),
    ),
    case(
        "labels-full-width-digits",
        lambda: demur.label_scores(hypotheses=["１", "2"], references=["1", "2"]),  # noqa: RUF001
        gives(accuracy=1.0),
        noted("width|written", accuracy=0.5),
    ),
    case(
        "words-zero-width-space",
        lambda: demur.word_errors(hypotheses=["the\u200b cat"], references=["the cat"]),
        gives(wer=0.0),
        noted("not seen|invisible|zero-width|letters", wer=0.5),
    ),
    # -- signs in another encoding ---------------------------------------------------
    case(
        "judge-html-entities",
        lambda: judged(["AT&amp;T", "R&amp;D"], ["AT&T", "R&D"]),
        gives(right=2),
        noted("HTML|encod|escape", right=0),
    ),
    case(
        "judge-escapes-of-json",
        lambda: judged(["caf\\u00e9", "na\\u00efve"], ["caf\u00e9", "na\u00efve"]),
        gives(right=2),
        noted("HTML|encod|escape", right=0),
    ),
    case(
        "judge-utf-8-read-as-latin-1",
        lambda: judged(
            ["caf\u00e9".encode().decode("latin-1"), "Oslo"], ["caf\u00e9", "Oslo"]
        ),
        gives(right=2),
        noted("encod", right=1),
    ),
    # -- numbers with thousands ------------------------------------------------------
    case(
        "judge-thousands-beside-numbers",
        lambda: judged(["1,234", "5,678", "7"], [1234, 5678, 7]),
        gives(right=3),
        noted("number", right=1),
    ),
    case(
        "labels-thousands-beside-numbers",
        lambda: demur.label_scores(hypotheses=["1,234", "5"], references=[1234, 5]),
        gives(accuracy=1.0),
        noted("number|written|signs", accuracy=0.5),
    ),
    case(
        "judge-points-for-thousands",
        lambda: judged(["1.234", "5.678", "7"], ["1234", "5678", "7"], by="number"),
        gives(right=3),
        noted("point|thousand|signs", right=1),
    ),
)
