"""Tokens, one in each row, that are given where sentences are asked for."""

from __future__ import annotations

import pandas as pd

import demur
from natural.asking import lines, shell
from natural.ends import case, gives, noted

SAID = list("abcdefghijkl")
HEARD = ["x" if word == "c" else word for word in SAID]
FILES = "metrics words r.txt h.txt --json"

CASES = (
    case(
        "words-token-per-row-csv",
        shell("metrics words t.csv --json", t_csv="ref,hyp\nthe,the\ncat,bat\n.,.\n"),
        noted("token", "join", "sentence", wer=1 / 3),
    ),
    case(
        "words-token-per-row-with-blank-lines",
        shell(FILES, r_txt="the\ncat\n\nit\nsat\n", h_txt="the\nbat\n\nit\nsat\n"),
        noted("token", "join", "sentence", wer=0.25),
    ),
    case(
        "words-token-per-row-json-lines",
        shell(
            "metrics words t.jsonl --json",
            t_jsonl=lines(
                *({"ref": word, "hyp": word} for word in ["Hello", ",", "you", "!"])
            ),
        ),
        noted("token", "join", "sentence", wer=0.0),
    ),
    case(
        "words-token-per-row-in-lists",
        lambda: demur.word_errors(
            hypotheses=["Anna", "sleep", "."], references=["Anna", "sleeps", "."]
        ),
        noted("token", "join", "sentence", wer=1 / 3),
    ),
    case(
        "words-token-per-row-in-a-frame",
        lambda: demur.word_errors(
            pd.DataFrame(
                {"sentence": [1, 1, 1, 2], "ref": ["it", "is", "?", "no"], "hyp": "it"}
            )
        ),
        noted("token", "join", "sentence", wer=0.75),
    ),
    case(
        "words-token-per-row-without-signs",  # or commands: only the user knows
        lambda: demur.word_errors(hypotheses=HEARD, references=SAID),
        noted("one word", "if", "join", wer=1 / 12),
    ),
    case(
        "words-conll-with-tags",  # the tags count as words
        shell(
            FILES,
            r_txt="Anna NNP B-PER\nsleeps VBZ O\n\n",
            h_txt="Anna NNP B-PER\nsleeps VBZ B-PER\n\n",
        ),
        noted("tag", "metrics spans"),
    ),
    case(
        "words-conll-with-tabs",
        shell(
            FILES,
            r_txt="-DOCSTART-\tO\n\nAnna\tB-PER\nsleeps\tO\n",
            h_txt="-DOCSTART-\tO\n\nAnna\tB-PER\nsleeps\tO\n",
        ),
        noted("tag", "metrics spans"),
    ),
    case(
        "words-commands-of-one-word",
        lambda: demur.word_errors(
            hypotheses=["yes", "no", "no"], references=["yes", "no", "yes"]
        ),
        gives(wer=1 / 3, sentence_error=1 / 3),
    ),
)
