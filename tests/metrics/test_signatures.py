"""A signature holds every argument that changes a number (measures, tasks, labels)."""

import numpy as np

import demur
import signature_cases
from demur import Result

RNG = np.random.default_rng(5)
N = 60
WORDS = ["the cat sat", "It's a dog", "one two three", "four five"]
TEXTS = {
    "ref": [WORDS[row % 4] for row in range(N)],
    "hyp": [None if row % 9 == 0 else WORDS[(row + row % 3) % 4] for row in range(N)],
    "cluster": [f"s{row % 10}" for row in range(N)],
}
LOUD = {**TEXTS, "hyp": [text and text.upper() for text in TEXTS["hyp"]]}
MARKED = {**TEXTS, "ref": [f"(so) {{ {text} / @ }}" for text in TEXTS["ref"]]}
LABELS = {
    "ref": ["a", "b", "c", "a"] * (N // 4),
    "hyp": ["a", "c", None, "b", "a"] * (N // 5),
    "cluster": TEXTS["cluster"],
}
TAGS = {
    "ref": ["B-x I-x O", "O B-y O", "B-x O I-y"] * (N // 3),
    "hyp": ["B-x I-x O", [["x", 1, 2]]] * (N // 2),
    "cluster": TEXTS["cluster"],
}
MENTIONS = {
    "ref": [[[*"ab"], [*"cde"], ["f"]], [[*"abc"], ["d"]]] * (N // 2),
    "hyp": [[[*"abc"], [*"de"]], None, [[*"ab"], [*"cd"], ["e"]]] * (N // 3),
}
STATES = {
    "ref": [{"room": "A|C", "date": "none"}, {"room": "B"}] * (N // 2),
    "hyp": [{"room": "A"}, {"room": "A", "date": "dontcare"}, {}] * (N // 3),
    "dialogue": [f"d{row // 5}" for row in range(N)],
}
CONCEPTS = {
    "ref": [[["yes", "yes"], ["city", "Rome"]], [["city", "Oslo"]]] * (N // 2),
    "hyp": [[["city", "Rome"], ["yes", "no"]], [["city", "Rome"]], None] * (N // 3),
}
FAILURES = {
    "ref": [{"agent": "Web", "step": 3}, {"agent": "Coder", "step": 5}] * (N // 2),
    "hyp": [{"agent": "Web", "step": k} for k in (3, 4, 5)] * (N // 3),
    "cluster": TEXTS["cluster"],
}
LOG = {
    "dialogue": [f"d{row // 6}" for row in range(N)],
    "event": RNG.choice(["", "timeout", "help"], N).tolist(),
}
RATED = {
    "us": RNG.integers(1, 6, N).tolist(),
    "kappa": RNG.random(N).tolist(),
    "turns": RNG.integers(3, 30, N).tolist(),
    "agent": ["x", "y"] * (N // 2),
    "user": [f"u{row % 7}" for row in range(N)],
}
TOKENS = {
    "word": RNG.choice(["bank", "run", "set"], N).tolist(),
    "sense": RNG.choice(["1", "2", "3"], N).tolist(),
    "doc": [f"d{row % 8}" for row in range(N)],
}
JUDGED = {
    "ann": RNG.choice(["yes", "no"], N).tolist(),
    "bob": RNG.choice(["yes", "no"], N).tolist(),
    "cay": RNG.choice(["yes", "no"], N).tolist(),
}
RATED_TWICE = [
    {
        **{"unit": f"u{row}", "annotator": name, "kind": "xy"[row % 2]},
        "label": int(RNG.integers(1, 4)),
    }
    for row in range(N)
    for name in ("ann", "bob")
]
MODELS = {
    how: demur.ngram_model(WORDS, order=2, smoothing=how)
    for how in ("katz", "witten-bell")
}
NARROW = {"level": [0.8]}

CASES = [
    (demur.word_errors, (TEXTS,), {}, NARROW),
    (demur.word_errors, (LOUD,), {}, {"reading": ["letters"]}),
    (demur.word_errors, (MARKED,), {}, {"notation": ["nist"]}),
    (
        demur.out_of_vocabulary,
        (["the", "cat", "It's"],),
        {"references": TEXTS["ref"], "hypotheses": TEXTS["ref"][::-1]},
        {"cluster": [TEXTS["cluster"]], **NARROW},
    ),
    (demur.grammar_outcomes, (LABELS,), {}, NARROW),
    (
        demur.text_perplexity,
        (TEXTS["ref"],),
        {"model": MODELS["katz"]},
        {"model": [MODELS["witten-bell"]], "cluster": [TEXTS["cluster"]], **NARROW},
    ),
    (demur.label_scores, (LABELS,), {}, {"alpha": [0.2], **NARROW}),
    (
        demur.set_scores,
        ({"ref": ["a|b", "a;b"] * N, "hyp": ["a", None, "a;b", "b"] * (N // 2)},),
        {"separator": "|"},
        {"separator": [";"], "alpha": [0.2], **NARROW},
    ),
    (
        demur.concept_errors,
        (CONCEPTS,),
        {},
        {"order": ["bag"], "classes": [{"yes": "value-insensitive"}], **NARROW},
    ),
    (
        demur.span_scores,
        (TAGS,),
        {},
        {"scheme": ["iob2-strict"], "ends": ["last"], "alpha": [0.2], **NARROW},
    ),
    (
        demur.coreference_scores,
        (MENTIONS,),
        {},
        {"keep_singletons": [False], **NARROW},
    ),
    (
        demur.slot_scores,
        (STATES,),
        {},
        {
            "none": ["value"],
            "dontcare": ["empty"],
            "slots": [["room", "date", "time"]],
            "alternatives": ["|"],
            **NARROW,
        },
    ),
    (
        demur.discourse_measures,
        (STATES,),
        {},
        {
            "update_prior": ["own"],
            "none": ["value"],
            "dontcare": ["empty"],
            "slots": [["room", "date", "time"]],
            **NARROW,
        },
    ),
    (demur.decisive_steps, (FAILURES,), {}, {"tolerance": [2], **NARROW}),
    (demur.dialogue_costs, (LOG,), {}, NARROW),
    (
        demur.paradise,
        (RATED, "us", ["kappa", "turns"]),
        {},
        {"by": ["agent"], "group": ["user"], "method": ["svr", "aic"], **NARROW},
    ),
    (
        demur.difficulty,
        (TOKENS,),
        {"markable": "word", "value": "sense"},
        {"cluster": ["doc"], "closed": [True], "value": ["doc"], **NARROW},
    ),
    (
        demur.agreement,
        (JUDGED,),
        {},
        {
            "annotators": [["ann", "bob"]],
            "key": ["ann"],
            "resample": ["annotator"],
            **NARROW,
        },
    ),
    (
        demur.agreement,
        (RATED_TWICE,),
        {"key": "ann", "positive": 1},
        {
            "metric": ["ordinal", "interval"],
            "by": ["kind"],
            "positive": [2],
            "key": ["bob"],
        },
    ),
]


CALLS = [
    signature_cases.Calls(verb, usual, changes, data)
    for verb, data, usual, changes in CASES
]


def numbers(result: Result) -> str:
    """All that a result says, without its recipe."""
    plain = result.to_dict()
    return str({name: plain[name] for name in plain if name not in ("signature",)})


@signature_cases.one_change_each(CALLS)
def test_another_number_has_another_signature(calls, name, value):
    assert signature_cases.check_signatures(calls, name, value, numbers)


WHAT_IS_MEASURED = {
    *("table", "hypotheses", "references", "system", "turns", "tokens", "annotations"),
    *("dialogues", "target", "predictors", "item", "markable", "texts"),
    *("vocabulary",),
}


@signature_cases.each_verb(CALLS)
def test_every_argument_is_tried(verb, tried):
    signature_cases.check_all_tried(verb, tried, WHAT_IS_MEASURED)
