"""Answers that are their references in another dress, or written otherwise everywhere.

All of them are wrong, and a note names what stands about them and what to type.
"""

from __future__ import annotations

import demur
from natural.asking import judged, lines, shell
from natural.ends import Shown, case, gives, noted

CITIES = ("Oslo", "Rome", "Paris", "Lima")


def dressed(form: str, by: str = "label") -> demur.Outcomes:
    """Four answers of this form, of which the last is of another city."""
    return judged([form.format(city) for city in (*CITIES[:3], "Bonn")], CITIES, by=by)


def confused() -> Shown:
    """Labels that are others with an end are confused, not written otherwise."""
    true = ["city"] * 4 + ["city.name"] * 4
    result = demur.label_scores(references=true, hypotheses=["city.name"] * 8)
    return Shown({"accuracy": result.accuracy}, "\n".join(result.notes))


DRESSES = {
    "a-prefix": ("Answer: {}", "'Answer: '", "removeprefix"),
    "a-prefix-of-fasttext": ("__label__{}", "'__label__'", "removeprefix"),
    "a-sentence": ("The answer is {}.", "'The answer is '", "removeprefix"),
    "a-full-stop": ("{}.", "'.'", "removesuffix"),
    "a-line-end": ("{}\n", "behind", "removesuffix"),
    "quotes": ('"{}"', "in front", "behind"),
    "asterisks": ("**{}**", "'**'", "removeprefix"),
    "a-box": ("\\boxed{{{}}}", "boxed", "removeprefix"),
    "tags": ("<answer>{}</answer>", "<answer>", "removesuffix"),
}

CASES = (
    *(
        case(
            f"answers-with-{name}",
            lambda form=form: dressed(form),
            noted(*words, right=0, wrong=4),
        )
        for name, (form, *words) in DRESSES.items()
    ),
    case(
        "answers-with-a-prefix-often",  # which is no refusal
        lambda: judged(["Answer: a"] * 4, ["a"] * 4),
        noted("'Answer: '", "removeprefix", wrong=4),
    ),
    case(
        "answers-with-a-prefix-by-text",
        lambda: dressed("Answer: {}", "text"),
        noted("'Answer: '", "removeprefix", right=0),
    ),
    case(
        "answers-with-letters-of-options",
        lambda: judged(["A. Oslo", "B. Rome", "A. Paris", "C. Lima"], CITIES),
        noted("letter", wrong=4),
    ),
    case(
        "answers-that-are-letters-of-options",
        lambda: judged(["A", "B", "A", "C"], CITIES),
        noted("letter", "option", wrong=4),
    ),
    case(
        "answers-that-are-numbers-of-classes",  # as transformers names them
        lambda: judged(["LABEL_1", "LABEL_0"], ["pos", "neg"]),
        noted("LABEL_0", wrong=2),
    ),
    case(
        "answers-in-capitals",
        lambda: judged(
            ["Hours", "Menu", "Open"], ["hours", "menu", "open"], by="label"
        ),
        noted("case", "text", wrong=3),
    ),
    case(
        "answers-with-underscores",
        lambda: judged(["book_it", "play_it", "stop_it"], ["book it", "play it", "go"]),
        noted("signs|blanks", wrong=3),
    ),
    case(
        "answers-with-a-prefix-of-numbers",
        lambda: judged(["Answer: 4", "Answer: 5", "Answer: 6"], [4, 5, 7]),
        noted("'Answer: '", wrong=3),
    ),
    case(
        "answers-with-a-prefix-in-files",
        shell(
            "judge r.jsonl f.jsonl --json",
            r_jsonl=lines(
                *({"item": city, "response": f"Answer: {city}"} for city in CITIES)
            ),
            f_jsonl=lines(*({"item": city, "reference": city} for city in CITIES)),
        ),
        noted("'Answer: '", "removeprefix", wrong=4),
    ),
    case(
        "labels-in-capitals",
        lambda: demur.label_scores(
            references=["hours", "menu", "open"], hypotheses=["Hours", "Menu", "Open"]
        ),
        noted("case", accuracy=0.0),
    ),
    case(
        "labels-with-a-prefix",
        shell(
            "metrics labels t.csv --json",
            t_csv="ref,hyp\na,__label__a\nb,__label__b\na,__label__b\n",
        ),
        noted("'__label__'", "removeprefix", accuracy=0.0),
    ),
    case("labels-that-end-alike", confused, gives(accuracy=0.5)),
    case(
        "answer-that-stands-for-none-and-is-right",
        lambda: judged(["NO_ANSWER", "b"], ["NO_ANSWER", "b"]),
        noted("NO_ANSWER", "reference", right=1, unanswered=1),
        gives(right=2),
    ),
    case(
        "refusal-that-is-right-by-containment",  # it equals nothing
        lambda: judged(
            ["I don't know, maybe Oslo.", "x"],
            ["Oslo", "y"],
            by=lambda response, reference: reference in response,
            no_answer="I don't know.*",
        ),
        noted("right by the comparator", right=1),
        gives(unanswered=1, wrong=1),
    ),
)
