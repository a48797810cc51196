"""Empty means declined everywhere, and what is missing is not zero.

An empty hypothesis is declined in a text file, a table and a list alike. Seconds, costs
and values that are not there are left out and counted, or refused; they do not lower a
mean. References without words change no interval.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import demur
from natural.asking import judged, lines, shell
from natural.ends import Case, Shown, case, gives, noted, refused

NAN = float("nan")
DECLINED = gives(wer=0.5, declined=1)  # 2 of 4 words are missing
TURNS = "dialogue,seconds\na,10\na,20\nb,\n"


def words(hypotheses: Any, references: Any = ("the cat", "hello there")) -> Any:
    return demur.word_errors(hypotheses=hypotheses, references=references)


def empty(name: str, value: Any) -> Case:
    return case(f"empty-words-{name}", lambda: words(["the cat", value]), DECLINED)


def costs(**columns: Any) -> demur.DialogueCosts:
    return demur.dialogue_costs(pd.DataFrame(columns))


def costed(name: str, action: Any, figure: str, known: float) -> Case:
    """The mean over what is known, noted; or none; or refused. Never less."""
    return case(
        f"missing-{name}",
        action,
        noted("second|score|start|end|missing|unknown", **{figure: known}),
        noted("second|score|start|end|missing|unknown", **{figure: None}),
        refused("second|score|start|end"),
    )


def grammar(hypotheses: Any, references: Any) -> demur.GrammarOutcomes:
    return demur.grammar_outcomes(hypotheses=hypotheses, references=references)


GRAMMAR = gives(
    match=1,
    mismatch=0,
    false_reject=1,
    out_of_grammar_match=1,
    out_of_grammar_mismatch=0,
)


def silent_references(count: int) -> Shown:
    """Utterances in which nothing was said, and nothing heard, tell nothing."""
    heard = ["a b c d", "a b x d", "a x x d", "a b c", "x b c d", "a b c d e"]
    few = words(heard, ["a b c d"] * 6)
    many = words([*heard, *[""] * count], [*["a b c d"] * 6, *[""] * count])
    same = np.allclose(few.wer.interval, many.wer.interval, rtol=0, atol=1e-6)
    return Shown({"value": many.wer.value, "same": bool(same)}, "\n".join(many.notes))


def satisfaction(**columns: Any) -> demur.Performance:
    rows = {
        "satisfaction": [1, 2, 3, 5, 4, 6, 5],
        "repairs": [9, 8, 7, 3, 4, 1, 2],
        **columns,
    }
    return demur.paradise(pd.DataFrame(rows), "satisfaction", ["repairs"])


def repeats() -> demur.Outcomes:
    return demur.Outcomes.from_arrays(
        item=["q1", "q1", "q2", "q2"],
        repeat=["1", "2", "1", "2"],
        correct=[True, False, False, True],
        confidence=[0.9, 0.8, 0.4, 0.3],
        declined=[False, False, True, True],
        input=["first question"] * 2 + ["second question"] * 2,
        response=["answer one", "answer two", "answer three", "answer four"],
        reference=["answer one"] * 2 + ["answer four"] * 2,
    )


def repeats_on_the_page() -> Shown:
    """Every run of an item is on the page, not the first alone."""
    page = demur.report(repeats())
    runs = ("one", "two", "three", "four")
    return Shown(
        {"answers": sum(f"answer {run}" in page.html for run in runs)}, page.html
    )


def repeats_written() -> Shown:
    demur.write_outcomes(repeats(), "o.csv")
    frame = pd.read_csv(io.StringIO(Path("o.csv").read_text(encoding="utf-8")))
    declined = {str(value).lower() for value in frame["declined"]}
    return Shown({"rows": len(frame), "declined": len(declined)})


CASES = (
    # -- an empty hypothesis -------------------------------------------------------
    case(
        "empty-words-text-file",
        shell(
            "metrics words r.txt h.txt --json",
            r_txt="the cat\nhello there\n",
            h_txt="the cat\n\n",
        ),
        DECLINED,
    ),
    case(
        "empty-words-csv",
        shell(
            "metrics words t.csv --json",
            t_csv="ref,hyp\nthe cat,the cat\nhello there,\n",
        ),
        DECLINED,
    ),
    case(
        "empty-words-json-lines",
        shell(
            "metrics words t.jsonl --json",
            t_jsonl=lines(
                {"ref": "the cat", "hyp": "the cat"}, {"ref": "hello there", "hyp": ""}
            ),
        ),
        DECLINED,
    ),
    case(
        "empty-words-windows-text-file",  # CRLF, and a line of spaces
        shell(
            "metrics words r.txt h.txt --json",
            r_txt="the cat\r\nhello there\r\n",
            h_txt="the cat\r\n  \r\n",
        ),
        DECLINED,
    ),
    empty("list-text", ""),
    empty("list-space", "  "),
    empty("list-none", None),
    empty("list-nan", NAN),
    empty("list-NA", pd.NA),
    case("empty-words-series", lambda: words(pd.Series(["the cat", None])), DECLINED),
    case(
        "empty-words-polars",
        lambda: words(
            pl.Series(["the cat", None]), pl.Series(["the cat", "hello there"])
        ),
        DECLINED,
    ),
    case(
        "empty-words-only-signs",  # nothing is left of it; it is still an answer
        lambda: demur.word_errors(
            hypotheses=["the cat", "..."],
            references=["the cat", "hello there"],
            reading="letters",
        ),
        gives(wer=0.5, declined=0),
        noted("sign|empty|declined", wer=0.5, declined=1),
    ),
    case(
        "empty-labels-text",
        lambda: demur.label_scores(hypotheses=["a", ""], references=["a", "b"]),
        gives(accuracy=0.5, accuracy_answered=1.0, declined=1),
    ),
    case(
        "empty-spans-nan",
        lambda: demur.span_scores(
            hypotheses=["B-x O", NAN], references=["B-x O", "O B-x"]
        ),
        gives(**{"declined": 1, "strict recall": 0.5, "strict recall_answered": 1.0}),
    ),
    case(
        "empty-spans-text",
        lambda: demur.span_scores(
            hypotheses=["B-x O", ""], references=["B-x O", "O B-x"]
        ),
        gives(**{"declined": 1, "strict recall": 0.5}),
        refused("2", "tag|empty"),
    ),
    case(
        "empty-concepts-nan",
        lambda: demur.concept_errors(
            hypotheses=[["city"], NAN], references=[["city"], ["day"]]
        ),
        gives(**{"declined": 1, "cer value": 0.5}),
    ),
    case(
        "empty-concepts-list",  # nothing was understood, which is an answer
        lambda: demur.concept_errors(
            hypotheses=[["city"], []], references=[["city"], ["day"]]
        ),
        gives(**{"declined": 0, "cer value": 0.5}),
    ),
    case(
        "empty-slots-nan",
        lambda: demur.slot_scores(
            {
                "dialogue": ["d", "d"],
                "hyp": [{"room": "A"}, NAN],
                "ref": [{"room": "A"}, {"room": "A"}],
            }
        ),
        gives(**{"declined": 1, "slot error rate value": 0.0}),
        refused("nan|missing|object"),
    ),
    case(
        "empty-slots-object",  # a state without slots is no decline
        lambda: demur.slot_scores(
            hypotheses=[{"room": "A"}, {}], references=[{"room": "A"}, {"room": "A"}]
        ),
        gives(**{"declined": 0, "slot error rate value": 0.5}),
    ),
    case(
        "empty-response-csv",
        shell(
            "judge r.csv f.jsonl --json",
            r_csv="item,response\nq1,\n",
            f_jsonl=lines({"item": "q1", "reference": "x"}),
        ),
        gives(unanswered=1, wrong=0),
    ),
    case(
        "empty-response-text",
        lambda: judged([""], ["x"]),
        noted("empty|no answer", wrong=1),
        gives(unanswered=1, wrong=0),
    ),
    case(
        "empty-response-nan",
        lambda: judged([NAN], ["x"]),
        gives(unanswered=1, wrong=0),
    ),
    case(
        "empty-response-NA",
        lambda: judged([pd.NA], ["x"]),
        gives(unanswered=1, wrong=0),
    ),
    # -- references that are not there ---------------------------------------------
    case(
        "missing-reference-words",
        lambda: words(["a", "b"], ["a", None]),
        refused("reference"),
    ),
    case(
        "missing-reference-words-nan",
        lambda: words(["a", "b"], ["a", NAN]),
        refused("reference"),
    ),
    case(
        "missing-reference-labels-nan",
        lambda: demur.label_scores(hypotheses=["a", "b"], references=["a", NAN]),
        refused("reference|ref"),
    ),
    case(
        "missing-reference-spans",
        lambda: demur.span_scores(hypotheses=["B-x", "O"], references=["B-x", None]),
        refused("reference|ref"),
    ),
    case(
        "missing-reference-concepts",
        lambda: demur.concept_errors(
            hypotheses=[["city"], ["day"]], references=[["city"], None]
        ),
        refused("reference|ref"),
    ),
    case(
        "missing-reference-judge-csv",  # no answer is right, and nothing says why
        shell(
            "judge r.jsonl f.csv --json",
            r_jsonl=lines({"item": "q1", "response": "x"}),
            f_csv="item,reference\nq1,\n",
        ),
        refused("f.csv:2"),
    ),
    case(
        "empty-references-keep-the-interval",  # 1 + 2 + 1 + 1 + 1 errors in 24 words
        lambda: silent_references(1000),
        gives(value=6 / 24, same=True),
    ),
    # -- seconds, scores -----------------------------------------------------------
    costed(
        "seconds-of-a-dialogue",
        shell("metrics costs t.csv --json", t_csv=TURNS),
        "seconds mean",
        30.0,
    ),
    costed(
        "seconds-of-a-dialogue-frame",
        lambda: costs(dialogue=["a", "a", "b"], seconds=[10, 20, None]),
        "seconds mean",
        30.0,
    ),
    costed(
        "seconds-of-a-dialogue-list",
        lambda: demur.dialogue_costs(
            {"dialogue": ["a", "a", "b"], "seconds": [10, 20, None]}
        ),
        "seconds mean",
        30.0,
    ),
    case(
        "missing-seconds-of-one-turn",  # 10 and more: no sum is known
        shell("metrics costs t.csv --json", t_csv="dialogue,seconds\na,10\na,\nb,30\n"),
        noted("second|missing|unknown"),
        refused("t.csv:3|second"),
    ),
    costed(
        "end-of-a-turn",
        lambda: costs(
            dialogue=["a", "a", "b"], start=[0.0, 10.0, 0.0], end=[10.0, 30.0, NAN]
        ),
        "seconds mean",
        30.0,
    ),
    costed(
        "recognition-score",
        lambda: costs(dialogue=["a", "b"], score=[0.8, None]),
        "recognition score mean",
        0.8,
    ),
    case(
        "missing-seconds-as-text",
        shell("metrics costs t.csv --json", t_csv="dialogue,seconds\na,10\nb,n/a\n"),
        refused("t.csv:3", "seconds"),
    ),
    case(
        "missing-predictor",
        lambda: satisfaction(repairs=[9, 8, 7, 3, 4, 1, None]),
        noted("repairs|missing|left out", dialogues=6),
        refused("repairs"),
    ),
    case(
        "missing-target",
        lambda: satisfaction(satisfaction=[1, 2, 3, 5, 4, 6, NAN]),
        noted("satisfaction|missing|left out", dialogues=6),
        refused("satisfaction"),
    ),
    # -- values --------------------------------------------------------------------
    case(
        "missing-grammar-nan",
        lambda: grammar(["yes", NAN, NAN], ["yes", NAN, "no"]),
        GRAMMAR,
    ),
    case(
        "missing-grammar-none",
        lambda: grammar(["yes", None, None], ["yes", None, "no"]),
        GRAMMAR,
    ),
    case(
        "missing-grammar-NA",
        lambda: grammar(["yes", pd.NA, pd.NA], ["yes", pd.NA, "no"]),
        GRAMMAR,
    ),
    case(
        "missing-grammar-series",
        lambda: grammar(pd.Series(["yes", None, None]), pd.Series(["yes", None, "no"])),
        GRAMMAR,
    ),
    case(
        "missing-vocabulary-hypothesis",  # of a b a, known words, one is recognised
        lambda: demur.out_of_vocabulary(
            ["a", "b"], hypotheses=[None, "a"], references=["a b", "a"]
        ),
        gives(oov_rate=0.0, missed_rate=2 / 3),
        refused("hypothes"),
    ),
    case(
        "missing-vocabulary-hypothesis-nan",
        lambda: demur.out_of_vocabulary(
            ["a", "b"], hypotheses=[NAN, "a"], references=["a b", "a"]
        ),
        gives(oov_rate=0.0, missed_rate=2 / 3),
        refused("hypothes"),
    ),
    case(
        "missing-probability",
        lambda: demur.usable_information(
            {"p_with": [0.5, NAN], "p_without": [0.25, 0.5]}
        ),
        refused("p_with"),
    ),
    case(
        "missing-sense",
        lambda: demur.difficulty(
            pd.DataFrame({"word": ["a", "a"], "sense": ["x", None]}),
            markable="word",
            value="sense",
        ),
        refused("sense|value"),
    ),
    case(
        "missing-weight",
        shell("curve o.csv --json", o_csv="item,correct,weight\na,1,2\nb,0,\n"),
        noted("weight"),
        refused("o.csv:3", "weight"),
    ),
    case(
        "missing-log-probability",
        lambda: Shown({"value": demur.perplexity([-1.0, NAN])}),
        refused("probabilit|nan"),
    ),
    # -- repeated runs -------------------------------------------------------------
    case(
        "repeats-on-the-page",
        repeats_on_the_page,
        gives(answers=4),
        noted("first run|first repetition|other runs|other repetitions"),
    ),
    case("repeats-in-csv", repeats_written, gives(rows=4, declined=2)),
)
