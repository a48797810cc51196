"""Confidences as people and models write them; what cannot be read is counted.

The replies are those of chats that were asked for a line ``Answer:`` and a line
``Confidence:``.
"""

# Digits of other scripts look like those of ours:
# ruff: noqa: RUF001

from __future__ import annotations

from typing import Any

import demur
from demur.systems.adapters.chat_replies import read_reply
from natural.asking import Chat, chat_url, lines, replied, shell
from natural.ends import Case, Refusal, Shown, case, gives, noted, refused


def stated(name: str, written: str, *values: float | None) -> Case:
    """A confidence on the line after the answer, read as one of the values."""
    return case(
        f"stated-{name}",
        lambda: replied(f"Answer: Oslo\nConfidence: {written}"),
        *(gives(response="Oslo", confidence=value) for value in values),
    )


def reply(name: str, text: str, finish: str = "stop", **figures: Any) -> Case:
    return case(f"reply-{name}", lambda: replied(text, finish), gives(**figures))


def column(name: str, written: str, *ends: Any) -> Case:
    """A confidence in a cell of a file of outcomes."""
    return case(
        f"cell-{name}",
        shell(
            "curve o.csv --json",
            o_csv=f'item,correct,confidence\nq1,1,"{written}"\nq2,0,0.2\n',
        ),
        *ends,
    )


def unasked(text: str) -> str | None:
    message = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
    return read_reply(message).answer


def missing_are_counted() -> Shown | Refusal:
    """One of three stated confidences cannot be read: the run says so."""
    texts = ["Confidence: 90 %", "Confidence: rather sure", "Confidence: 20 %"]
    questions = [f"counted question {number}?" for number in range(3)]
    for question, text in zip(questions, texts, strict=True):
        Chat.replies[question] = f"Answer: Oslo\n{text}", "stop"
    asked = lines(*({"item": str(n), "input": q} for n, q in enumerate(questions)))
    return shell(
        f"run chat:m@{chat_url()} q.jsonl -o r.jsonl --confidence verbalised",
        q_jsonl=asked,
    )()


def pruned(condition: str) -> Shown:
    tokens = {"word": ["a"] * 10 + ["b"] * 10, "sense": [1] * 9 + [2] + [1, 2] * 5}
    hard = demur.difficulty(tokens, markable="word", value="sense").prune(condition)
    return Shown({"items": hard.items})


def gated(condition: str) -> Shown | Refusal:
    return shell(
        f"curve o.jsonl --json --fail-if 'error > {condition}'",
        o_jsonl=lines({"item": 1, "correct": False}, {"item": 2, "correct": True}),
    )()


THINKING = (
    "<think>I shall reply in this form:\nAnswer: <a short answer>\n"
    "Confidence: <0-100> %\n\nThe question"
)
DRAFT = "<think>Okay.\nAnswer: Paris\n\nBut wait, that is France. The capital of Norway"

CASES = (
    # -- on a line of its own ------------------------------------------------------
    stated("per-cent", "95 %", 0.95),
    stated("per-cent-without-space", "95%", 0.95),
    stated("fraction", "0.95", 0.95),
    stated("decimal-comma", "0,95", 0.95),
    stated("decimal-comma-per-cent", "95,5 %", 0.955),
    stated("of-ten", "9/10", 0.9),
    stated("of-five-in-words", "4 out of 5", 0.8),
    stated("five-of-five", "5/5", 1.0),
    stated("of-twenty", "19/20", 0.95),
    stated("of-a-hundred", "95/100", 0.95),
    stated("with-exponent", "1e-1", 0.1),
    stated("without-zero", ".95", 0.95),
    stated("in-brackets-after-a-word", "high (90 %)", 0.9),
    stated("per-cent-before-a-word", "90 % (high)", 0.9),
    stated("per-cent-in-words", "95 percent", 0.95, None),
    stated("whole", "100 %", 1.0),
    stated("nothing", "0 %", 0.0),
    stated("bold", "**95 %**", 0.95, None),
    stated("about", "~90 %", 0.9, None),
    stated("full-width", "９５％", 0.95, None),
    stated("arabic-digits", "٩٥٪", 0.95, None),
    stated("turkish-order", "%95", 0.95, None),
    stated("with-words-before", "I am about 80 % sure", 0.8, None),
    stated("fraction-of-one", "0.95/1", 0.95, None),
    stated("of-ten-decimal", "9.5/10", 0.95, None),
    stated("range", "80-90 %", None, 0.85),
    stated("word", "very high", None),
    stated("more-than-whole", "110 %", None),
    stated("negative", "-5 %", None),
    stated("more-than-its-scale", "12/10", None),
    stated("of-nothing", "1/0", None),
    stated("two-numbers", "50 or 90", None),
    stated("twice-the-same", "0.85 (85 %)", 0.85),
    stated("with-a-reason", "90 % because it was founded in 1048", 0.9),
    stated("share-of-sources", "9 of the 10 sources agree", None),
    stated("superscript", "9\u00b2", None),
    stated("less-than", "less than 90 %", None),
    stated("devanagari-digits", "\u096f\u096b %", 0.95),
    # -- changed, crossed out, odds --------------------------------------------------
    stated("odds", "50/50", None, 0.5),
    stated("odds-with-spaces", "50 / 50", None, 0.5),
    stated("odds-with-colon", "50:50", None, 0.5),
    stated("odds-uneven", "40/60", None, 0.4),
    stated("of-a-hundred-half", "50/100", 0.5),
    stated("arrow", "95% \u2192 80%", None, 0.8),
    stated("arrow-before-a-bare-number", "95% \u2192 80", None, 0.8),
    stated("arrow-of-two-signs", "95% => 80%", None, 0.8),
    stated("crossed-out", "~~95%~~ 60%", None, 0.6),
    stated("crossed-out-in-html", "<s>95%</s> 60%", None, 0.6),
    stated("second-thought", "95%, no, 80%", None, 0.8),
    stated("earlier-in-brackets", "95% (before: 80%)", None, 0.95),
    stated("now-and-before", "was 95%, now 60%", None, 0.6),
    stated("two-per-cents", "95 % | 80 %", None),
    stated("same-as-a-fraction", "9/10 (90 %)", 0.9),
    stated("reason-with-per-cent", "90 % because 40 % of it is known", 0.9),
    # -- under other names, in other places ------------------------------------------
    *(
        reply(f"stated-as-{name}", text, response="Oslo", confidence=0.95)
        for name, text in {
            "in-answer": "Answer: Oslo\nConfidence in answer: 95%",
            "of-answer": "Answer: Oslo\nConfidence of my answer: 95%",
            "square-brackets": "Answer: Oslo\nConfidence [0\u20131]: 0.95",
            "round-brackets": "Answer: Oslo\nConfidence (0-1): 0.95",
            "probability": "Answer: Oslo\nProbability: 95%",
            "estimated": "Answer: Oslo\nMy estimated probability: 0.95",
            "long": "Answer: Oslo\n\nProbability that it is right: 95%",
            "certainty": "Answer: Oslo\n**Certainty:** 95 %",
            "likelihood": "Answer: Oslo. Likelihood: 95%",
            "equals": "Answer: Oslo\nConfidence = 95%",
            "no-colon": "Answer: Oslo\nConfidence 95%",
            "dash": "Answer: Oslo\n- Confidence - 95%",
            "bracket-behind": "Oslo [95%]",
            "bracket-behind-label": "Answer: Oslo (95 %)",
            "words-in-bracket": "Oslo (95 % confident)",
            "words-behind": "Answer: Oslo, 95% sure",
            "sentence": "Answer: Oslo\nI am about 95% confident.",
            "dash-behind": "Answer: Oslo - 95%",
            "line-below": "Answer: Oslo\n95%",
            "tags": "<answer>Oslo</answer><confidence>0.95</confidence>",
            "tags-on-lines": "<answer>Oslo</answer>\n<confidence>95</confidence>",
            "tags-around": "<confidence>95 %</confidence>\n<answer>Oslo</answer>",
            "one-tag": "Oslo <confidence>95%</confidence>",
            "json-probability": '{"answer": "Oslo", "probability": 0.95}',
            "german": "Answer: Oslo\nKonfidenz: 95 %",
            "french": "Answer: Oslo\nNiveau de confiance : 95 %",
            "spanish": "Answer: Oslo\nConfianza: 95%",
            "russian": "Answer: Oslo\n\u0423\u0432\u0435\u0440\u0435\u043d: 95%",
        }.items()
    ),
    reply(
        "bracket-beside-a-confidence",  # then the bracket is of the answer
        "Answer: Labour (40 %)\nConfidence: 80 %",
        response="Labour (40 %)",
        confidence=0.8,
    ),
    reply(
        "range-of-per-cents",
        "Answer: 40 % - 60 %",
        response="40 % - 60 %",
        confidence=None,
    ),
    reply(
        "answer-about-probability",
        "Answer: The probability of rain: none\nConfidence: 80 %",
        response="The probability of rain: none",
        confidence=0.8,
    ),
    case(
        "reply-not-asked-for-confidence",  # nothing of the answer is taken for one
        lambda: Shown({"response": unasked("Answer: Labour (40 %)")}),
        gives(response="Labour (40 %)"),
    ),
    # -- in the line of the answer, or after it ------------------------------------
    reply(
        "inline-comma",
        "Answer: Oslo, Confidence: 95 %",
        response="Oslo",
        confidence=0.95,
    ),
    reply(
        "inline-brackets",
        "Answer: Oslo (Confidence: 95 %)",
        response="Oslo",
        confidence=0.95,
    ),
    reply(
        "inline-decimal-comma",
        "Answer: Oslo; confidence: 0,95",
        response="Oslo",
        confidence=0.95,
    ),
    reply(
        "confidence-level",
        "Answer: Oslo\nConfidence level: 95 %",
        response="Oslo",
        confidence=0.95,
    ),
    reply(
        "after-an-empty-line",
        "Answer: Oslo\n\nConfidence: 95 %",
        response="Oslo",
        confidence=0.95,
    ),
    reply(
        "answer-of-that-word",
        "Answer: The Confidence-Man\nConfidence: 80 %",
        response="The Confidence-Man",
        confidence=0.8,
    ),
    reply(
        "answer-with-per-cent",
        "Answer: 40 %\nConfidence: 80 %",
        response="40 %",
        confidence=0.8,
    ),
    case(
        "reply-json-on-one-line",
        lambda: replied('{"answer": "Oslo", "confidence": 0.95}'),
        gives(response="Oslo", confidence=0.95),
        gives(response=None, kind="format"),
    ),
    # -- drafts, placeholders, titles ----------------------------------------------
    reply("draft-cut-off", DRAFT, "length", response=None, kind="truncated"),
    reply("form-cut-off", THINKING, "length", response=None, kind="truncated"),
    case(
        "reply-thoughts-without-beginning",
        lambda: replied("Answer: Paris? No, that is France.\n</think>\n\nOslo"),
        gives(response="Oslo", confidence=None),
        gives(response=None, kind="format"),
    ),
    reply(
        "placeholder",
        "Answer: <a short answer>\nConfidence: <0-100> %",
        response=None,
        kind="format",
    ),
    reply(
        "song-title",
        "Answer: I Don't Know How to Love Him\nConfidence: 95 %",
        response="I Don't Know How to Love Him",
        confidence=0.95,
        declined=False,
    ),
    reply(
        "proverb",
        "Answer: I cannot tell a lie\nConfidence: 95 %",
        response="I cannot tell a lie",
        confidence=0.95,
        declined=False,
    ),
    case(
        "reply-missing-confidences-counted",
        missing_are_counted,
        noted("confidence", "1 "),
    ),
    # -- in files ------------------------------------------------------------------
    column(
        "decimal-comma",
        "0,95",
        gives(right=1, wrong=1),
        refused("o.csv:2", "0.95|point"),
    ),
    column("per-cent", "95%", refused("o.csv:2", "0.95|per cent|percent|fraction")),
    column("of-ten", "9/10", refused("o.csv:2", "confidence", "number")),
    column("word", "high", refused("o.csv:2", "confidence", "number")),
    column("exponent", "1e-1", gives(right=1, wrong=1)),
    column("nan", "nan", refused("o.csv:2", "confidence")),
    case(
        "cell-all-per-cent",
        shell(
            "curve o.csv --json",
            o_csv="item,correct,confidence\nq1,1,95%\nq2,0,20 %\n",
        ),
        gives(**{"area value": 0.125}),
        refused("o.csv:2", "0.95|per cent|percent|fraction"),
    ),
    case(
        "cell-semicolons-and-commas",  # as a German spreadsheet writes it
        shell(
            "curve o.csv --json",
            o_csv="item;correct;confidence\nq1;1;0,95\nq2;0;0,2\n",
        ),
        gives(**{"area value": 0.125}),
        refused("o.csv:2", "0.95|point"),
    ),
    # -- limits --------------------------------------------------------------------
    case("condition-exponent", lambda: pruned("majority > 6e-1"), gives(items=10)),
    case("condition-without-zero", lambda: pruned("majority > .6"), gives(items=10)),
    case(
        "condition-decimal-comma",
        lambda: pruned("majority > 0,6"),
        gives(items=10),
        refused("0,6"),
    ),
    case("gate-exponent", lambda: gated("9e-1"), gives(right=1, wrong=1)),
    case(
        "gate-decimal-comma",
        lambda: gated("0,9"),
        gives(right=1, wrong=1),
        refused("0,9"),
    ),
)
