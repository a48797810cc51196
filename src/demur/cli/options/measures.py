"""The options of `demur metrics`, each said once for all measures that have it."""

from typing import Any, Final

from demur.cli.options import choices, typed

SIDES: Final = ("ref", "hyp", "cluster")
TRAINING: Final = ("ngram_order", "smoothing", "add", "reading")

OPTIONS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    **{
        name: (f"--{name} COLUMN: the column of a table", {"usual": name})
        for name in SIDES
    },
    "layer": (
        "--layer NAME: whose annotations are read: of WebAnno a layer, or "
        "LAYER.FEATURE, of Label Studio a control",
        {},
    ),
    "control": (
        "--layer NAME: whose choices are read: a control of Label Studio",
        {},
    ),
    "output": (
        "-o --output OUTCOMES: write items as outcomes: credit 1 - errors / units, "
        "weight units",
        {},
    ),
    "words_output": (
        "-o --output OUTCOMES: write utterances as outcomes: credit 1 - errors / "
        "words, weight words",
        {},
    ),
    "sets_output": (
        "-o --output OUTCOMES: write items as outcomes: credit is the Jaccard index",
        {},
    ),
    "steps_output": (
        "-o --output OUTCOMES: write items as outcomes: right if the step is",
        {},
    ),
    "reading": (
        "--reading: words as they stand between spaces, or small letters without signs",
        {"choices": choices.WORD_READINGS, "usual": "as-written"},
    ),
    "notation": (
        "--notation: {a / b}, (c) and @ of references as words, or alternatives and "
        "optional words (default: nist for trn and stm files, else as-written)",
        {"choices": choices.NOTATIONS},
    ),
    "tier": ("--tier NAME: the tier of TextGrid files", {}),
    "plot": (
        "--plot FILE: draw what is confused with what (.png .svg .pdf)",
        {"type": typed.picture},
    ),
    "align": ("--align ITEM: show an utterance word below word", {}),
    "separator": (
        "--separator SIGN: what parts labels in a text, such as |",
        {},
    ),
    "alpha": (
        "--alpha A: how much precision counts in F",
        {"type": typed.rate, "usual": 0.5},
    ),
    "order": (
        "--order: aligned in order, or matched in any",
        {"choices": choices.CONCEPT_ORDERS, "usual": "sequence"},
    ),
    **{
        kind.replace("-", "_"): (
            f"--{kind} NAMES: these concepts are {kind}",
            {"type": typed.names, "default": []},
        )
        for kind in choices.SLOT_CLASSES
    },
    "scheme": (
        "--scheme: of tags (default: %(default)s, where an orphan I- begins a span)",
        {"choices": choices.TAG_SCHEMES, "default": "iob"},
    ),
    "tolerance": (
        "--tolerance K: also right are steps so many before or after the true one",
        {"type": typed.whole_number, "usual": 1},
    ),
    "keep_singletons": (
        "--remove-singletons: clusters of one mention do not count, on either side",
        {"dest": "keep_singletons", "action": "store_false"},
    ),
    "ends": (
        "--ends: what the end of a span is: the word or character after the last, or "
        "the last itself",
        {"choices": choices.SPAN_ENDS, "usual": "after"},
    ),
    "update_prior": (
        "--update-prior: from whose state before the turn a slot had to change",
        {"choices": ["system", "own"], "usual": "system"},
    ),
    **{
        name: (
            f"--{name}: what {name} is",
            {"choices": choices.SLOT_POLICIES, "usual": usual},
        )
        for name, usual in (("none", "empty"), ("dontcare", "value"))
    },
    "alternatives": (
        "--alternatives SIGNS: what parts values of a reference, each of them right, "
        "such as '|' in MultiWOZ 2.4",
        {},
    ),
    "target": ("--target COLUMN: such as user satisfaction", {"required": True}),
    "predictors": (
        "--predictors COLUMNS: such as kappa,repairs,turns",
        {"required": True, "type": typed.names},
    ),
    "by": ("--by COLUMN: mean performance of each", {}),
    "group": ("--group COLUMN: users or dialogues held out together", {}),
    "vocabulary": (
        "--vocabulary FILE: words that the recogniser knows, the first of each line",
        {"required": True},
    ),
    "train": (
        "--train FILE: a text to count n-grams in, a sentence on each line; with "
        "--text a table",
        {},
    ),
    "arpa": ("--arpa FILE: a model in an ARPA file, instead of a text", {}),
    "ngram_order": (
        "--order N: words of the longest n-grams, from 1 to 5",
        {"type": typed.count, "choices": range(1, choices.MOST_WORDS + 1), "usual": 3},
    ),
    "smoothing": (
        "--smoothing: how counts become probabilities",
        {"choices": choices.SMOOTHINGS, "usual": "kneser-ney"},
    ),
    "add": (
        "--add K: what add-k adds to each count",
        {"type": typed.positive, "usual": 1.0},
    ),
    "text": (
        "--text COLUMN: files are tables, with this column of sentences",
        {},
    ),
    "model_output": ("-o --output ARPA: write the model as an ARPA file", {}),
    "method": (
        "--method: which predictors stay",
        {"choices": choices.PREDICTOR_METHODS, "usual": "all"},
    ),
}
"""Options by name: how they are typed with their line in the help, and the rest."""
