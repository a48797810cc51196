"""Refusals and declines: an answer that equals its reference is right; all are counted.

What looks like a refusal never takes a right answer away, whatever the language; where
it changes a verdict it is counted, and stands in the signature. The most frequent wrong
answers are named whatever the language.
"""

# Letters that look like ours at times:
# ruff: noqa: RUF001

from __future__ import annotations

import json
from typing import Any

import pandas as pd

import demur
from natural.asking import judged, lines, shell, shown_of
from natural.ends import Case, Shown, case, gives, noted, refused

REFUSALS: dict[str, Any] = {"no_answer": "refusals"}
SORRY = "I am sorry, I cannot help with that."
UNKNOWN = {
    "german": "Das weiß ich leider nicht.",
    "french": "Je ne sais pas.",
    "spanish": "Lo siento, no lo sé.",
    "italian": "Non lo so.",
    "portuguese": "Não sei responder.",
    "czech": "To bohužel nevím.",
    "russian": "Я не знаю.",
    "turkish": "Bilmiyorum.",
    "hindi": "मुझे नहीं पता।",
    "arabic": "لا أعرف.",
    "japanese": "わかりません。",
    "chinese": "我不知道。",
    "korean": "모르겠습니다.",
    "danish": "Det ved jeg desværre ikke.",
    "norwegian": "Det vet jeg dessverre ikke.",
    "thai": "ขอโทษ ฉันไม่ทราบ",
    "hebrew": "אני לא יודע.",
    "vietnamese": "Tôi không biết.",
}
TITLES = {
    "intent-none": "none",
    "intent-unknown": "Unknown",
    "intent-not-available": "N/A",
    "login": "I'm unable to log in",
    "wish": "I don't know what I want",
    "hedged": "I am not sure, but I think it is Oslo",
    "song": "I Don't Know How to Love Him",
    "proverb": "I cannot tell a lie",
    "german-intent": "keine Ahnung",
    "empty": "",
}


def repeated(language: str) -> Case:
    """Five of six wrong answers are one text: a note names it."""
    phrase = UNKNOWN[language]
    return case(
        f"refusal-{language}-named",
        lambda: judged([phrase] * 5 + ["Oslo", "Rom"], [*"abcde", "Oslo", "Bern"]),
        noted(phrase.rstrip("。.।"), right=1, wrong=6),
        noted("5", right=1, unanswered=5, wrong=1),
    )


DECLINED = {
    "acute-accent": "I don´t know.",
    "grave-accent": "I don`t know.",
    "emoji-before": "🤷 I don't know",
    "emoji-after": "Sorry, no idea 😅",
    "tags": "<answer>I don't know</answer>",
    "thoughts": "<think>Rome? No.</think>I don't know.",
    "label": "**Answer:** unknown",
    "object": '{"answer": "I don\'t know"}',
    "boxed": r"\boxed{\text{I don't know}}",
    "n.a.": "N.A.",
    "n/a.": "n/a.",
    "not-applicable": "Not applicable",
    "french-ignore": "Je l'ignore.",
    "spanish-object": "Respuesta: desconocida",
    "german-tags": "<antwort>Ich weiß es nicht</antwort>",
    "russian-not-available": "Н/Д",
}
ANSWERED = {
    "little": "I don't know much about it, but it is Oslo",
    "nothing-needed": "No information is needed: Oslo",
    "no-other": "I have no answer other than Oslo",
    "question": "I'm not sure; Oslo?",
    "however": "Sorry, I can't help with that. However, the answer is Oslo.",
    "directly": "The text does not say it directly, but she was born in 1920.",
    "enough": "I can't say it often enough: wear a helmet.",
    "denied-twice": "It is impossible not to know: the Eiffel Tower.",
    "quoted": '"I don\'t know," said the witness.',
    "french": "Je ne suis pas sûr ; Oslo ?",
    "spanish": "Lo siento, no puedo ayudar. Sin embargo, la respuesta es Oslo.",
    "german": "Es sind keine Informationen nötig: Oslo.",
    "dutch": "Ik heb geen ander antwoord dan Oslo.",
    "russian": "Не знаю, зачем это надо, но столица — Канберра.",
    "chinese": "除了奥斯陆，我没有别的答案。",
    "korean": "죄송하지만 도와드릴 수 없습니다. 하지만 정답은 오슬로입니다.",
    "turkish": "Üzgünüm, bu konuda yardımcı olamam. Ancak cevap Oslo.",
}
FAILED = (
    "Error: rate limit exceeded",
    "HTTP 503",
    "[BLOCKED]",
    "Internal Server Error",
    "None",
    "null",
    "nan",
    "#N/A",
    "Traceback (most recent call last):\n  File",
    "503 Service Unavailable",
    "openai.RateLimitError: Rate limit reached",
    "Request timed out.",
    '{"error": {"message": "overloaded"}}',
    "<html><body>502 Bad Gateway</body></html>",
    "Sorry, an error occurred while processing your request. Please try again.",
)


def one_of_two(response: str) -> Any:
    """A response that is wrong if it answers, beside one that is right."""
    return judged([response, "Bern"], ["Rom", "Bern"], **REFUSALS)


def failing(text: str) -> Case:
    """What a program says that failed is no refusal, and never silently wrong."""
    name = " ".join(text.split()).lower()[:24]
    return case(
        f"failure-{name}",
        lambda: one_of_two(text),
        noted("failure", "1", right=1, wrong=1, unanswered=0),
    )


def equal(name: str, answer: str) -> Case:
    """What equals its reference is right, also where refusals are looked for."""
    return case(
        f"refusal-equals-reference-{name}",
        lambda: judged([answer, "x"], [answer, "y"], by="label", **REFUSALS),
        gives(right=1, wrong=1, unanswered=0),
    )


def signatures(first: dict[str, Any], second: dict[str, Any]) -> Shown:
    sides = ["", "b"], ["a", "b"]
    one, other = judged(*sides, **first), judged(*sides, **second)
    same = one.signature == other.signature
    return Shown({"same": same, "unanswered": other.counts()["unanswered"]})


def logged(name: str, *records: dict[str, Any], words: str) -> Case:
    """Verdicts of others that count as wrong what was no answer: that is told."""
    return case(
        f"log-{name}",
        shell("curve o.jsonl --json", o_jsonl=lines(*records)),
        noted(words, "unanswered", wrong=2),
        noted(words, "unanswered", wrong=1, unanswered=1),
        refused(words),
    )


def from_frame(response: Any) -> demur.Outcomes:
    rows = {
        "item": ["a", "b"],
        "correct": [False, True],
        "response": [response, "Oslo"],
    }
    return demur.Outcomes.from_frame(pd.DataFrame(rows))


def verb(name: str, words: str) -> Case:
    """The counts of a verb say what they are of: every guess, or own decisions."""
    outcomes = [
        {"item": "a", "outcome": "right", "declined": False, "confidence": 0.9},
        {"item": "b", "outcome": "wrong", "declined": True, "confidence": 0.1},
    ]
    return case(
        f"declined-in-{name}",
        shell(f"{name} o.jsonl", o_jsonl=lines(*outcomes)),
        noted(words),
    )


def judged_declined() -> Any:
    return shell(
        "judge r.jsonl f.jsonl",
        r_jsonl=lines(
            {"item": "a", "response": "x", "declined": True},
            {"item": "b", "response": "y", "declined": False},
        ),
        f_jsonl=lines({"item": "a", "reference": "z"}, {"item": "b", "reference": "y"}),
    )


CASES = (
    *(equal(name, answer) for name, answer in TITLES.items()),
    *(repeated(language) for language in UNKNOWN),
    *(
        case(
            f"refusal-written-{name}",
            lambda text=text: one_of_two(text),
            gives(right=1, wrong=0, unanswered=1),
        )
        for name, text in DECLINED.items()
    ),
    *(
        case(
            f"refusal-answers-{name}",
            lambda text=text: one_of_two(text),
            gives(right=1, wrong=1, unanswered=0),
        )
        for name, text in ANSWERED.items()
    ),
    *(failing(text) for text in FAILED),
    logged(
        "failure",
        {"item": "a", "correct": False, "response": "HTTP 503"},
        {"item": "b", "correct": False, "response": "x"},
        words="failure",
    ),
    case(
        "refusal-equals-reference-but-case",
        lambda: judged(["UNKNOWN"], ["unknown"], **REFUSALS),
        gives(right=1, unanswered=0),
    ),
    case(
        "refusal-equals-alternative",
        lambda: demur.judge(
            [{"item": "q1", "response": "none"}],
            [{"item": "q1", "references": ["nothing", "none"]}],
            **REFUSALS,
        ),
        gives(right=1, unanswered=0),
    ),
    case(
        "refusal-pattern-equals-reference",  # asked for, and still to be seen
        lambda: judged(["none", "none"], ["none", "x"], by="label", no_answer="none"),
        gives(right=1, unanswered=1),
        noted("none|right|reference", right=0, unanswered=2),
    ),
    case(
        "refusal-counted",
        lambda: judged([SORRY, "Oslo", "x"], ["Rome", "Oslo", "y"], **REFUSALS),
        noted("1", "refus|no answer", right=1, wrong=1, unanswered=1),
    ),
    case(
        "refusal-pattern-counted",
        lambda: judged(["pass", "Oslo"], ["Rome", "Oslo"], no_answer="pass"),
        noted("1", "pass|no answer|no_answer", right=1, unanswered=1),
    ),
    case(
        "refusal-not-looked-for",
        lambda: judged([SORRY, "Oslo"], ["Rome", "Oslo"]),
        noted("refus|no answer", right=1, wrong=1),
    ),
    case(
        "refusal-of-unanswerable",
        lambda: demur.judge(
            [{"item": "q1", "response": SORRY}],
            [{"item": "q1", "answerable": False}],
            **REFUSALS,
        ),
        gives(wrong=0, unanswered=1),
    ),
    case(
        "refusal-of-unanswerable-not-looked-for",
        lambda: demur.judge(
            [{"item": "q1", "response": SORRY}], [{"item": "q1", "answerable": False}]
        ),
        noted("refus|no answer", wrong=1),
        gives(wrong=0, unanswered=1),
    ),
    case(
        "refusal-long-answer-with-not-sure",
        lambda: judged(
            ["I'm not sure about the year, but the mill was built by Anna Holt"],
            ["I'm not sure about the year, but the mill was built by Anna Holt"],
            **REFUSALS,
        ),
        gives(right=1, unanswered=0),
    ),
    case(
        "no-answer-empty-on-the-command-line",
        shell(
            "judge r.jsonl f.jsonl --no-answer '' --json",
            r_jsonl=lines({"item": "a", "response": ""}),
            f_jsonl=lines({"item": "a", "reference": "x"}),
        ),
        refused("no-answer"),
    ),
    case(
        "no-answer-empty-in-the-signature",
        lambda: signatures({}, {"no_answer": ""}),
        gives(same=False),
        refused("no_answer"),
    ),
    case(
        "no-answer-in-the-signature",
        lambda: signatures({}, {"no_answer": "pass"}),
        gives(same=False),
    ),
    case(
        "no-answer-patterns-in-the-signature",
        lambda: signatures({"no_answer": "pass"}, {"no_answer": ["pass", "skip"]}),
        gives(same=False),
    ),
    # -- verdicts of others --------------------------------------------------------
    logged(
        "refusal",
        {"item": "a", "correct": False, "response": SORRY},
        {"item": "b", "correct": False, "response": "x"},
        words="refus|no answer",
    ),
    logged(
        "null",
        {"item": "a", "correct": False, "response": None},
        {"item": "b", "correct": False, "response": "x"},
        words="null|no guess|no answer",
    ),
    logged(
        "kind",
        {"item": "a", "correct": False, "kind": "refusal"},
        {"item": "b", "correct": False},
        words="kind",
    ),
    logged(
        "kind-of-outcome",
        {"item": "a", "outcome": "wrong", "kind": "idk"},
        {"item": "b", "outcome": "wrong"},
        words="kind",
    ),
    logged(
        "german-refusals",
        *({"item": n, "correct": False, "response": UNKNOWN["german"]} for n in (1, 2)),
        words="weiß ich leider nicht",
    ),
    case(
        "log-csv-empty-response",
        shell(
            "curve o.csv --json", o_csv="item,correct,response\na,false,\nb,false,x\n"
        ),
        noted("no guess|no answer|unanswered|empty"),
        refused("response|no guess|no answer"),
    ),
    case(
        "log-frame-nan-response",
        lambda: from_frame(float("nan")),
        noted("no guess|no answer|unanswered|empty"),
        refused("response|no guess|no answer"),
    ),
    case(
        "log-frame-refusal",
        lambda: from_frame(SORRY),
        noted("refus|no answer|unanswered"),
        refused("refus|no answer"),
    ),
    case(
        "log-right-and-empty",  # right although nothing was said: one of both is amiss
        shell(
            "curve o.jsonl --json",
            o_jsonl=json.dumps({"item": "a", "correct": True, "kind": "timeout"})
            + "\n",
        ),
        noted("kind|timeout", "right|correct"),
        refused("kind|timeout"),
    ),
    # -- what is declined, in every verb -------------------------------------------
    verb("curve", "every guess|each guess|all guesses"),
    verb("score", "own decision|system's decision"),
    case(
        "declined-in-judge",
        judged_declined(),
        noted("every guess|each guess|all guesses"),
    ),
    case(
        "declined-words-of-flags",  # "no" is no decline
        shell(
            "score o.csv --json",
            o_csv="item,outcome,declined\na,right,no\nb,wrong,yes\n",
        ),
        gives(right=1, wrong=0, unanswered=1),
    ),
    case(
        "declined-capitals",
        shell(
            "score o.csv --json",
            o_csv="item,outcome,declined\na,right,FALSE\nb,wrong,TRUE\n",
        ),
        gives(right=1, wrong=0, unanswered=1),
        refused("o.csv:2", "declined"),
    ),
    case(
        "declined-nan-is-not-declined",
        lambda: shown_of(
            demur.score(
                demur.Outcomes.from_frame(
                    pd.DataFrame(
                        {
                            "item": ["a", "b"],
                            "outcome": ["right", "wrong"],
                            "declined": [None, True],
                        }
                    )
                )
            )
        ),
        gives(right=1, wrong=0, unanswered=1),
        refused("declined"),
    ),
)
