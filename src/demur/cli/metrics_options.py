"""The options of `demur metrics`, each said once for all measures that have it."""

from typing import Any, Final

from demur.answers.slots import POLICIES
from demur.cli import typed
from demur.metrics import measuring_concepts as concepts
from demur.metrics import predicting_performance as performance
from demur.metrics.ngrams.models import MOST_WORDS
from demur.metrics.ngrams.smoothing import SMOOTHINGS
from demur.metrics.tag_schemes import SCHEMES
from demur.metrics.word_alignments import READINGS

SIDES: Final = ("ref", "hyp", "cluster")
TRAINING: Final = ("ngram_order", "smoothing", "add", "reading")
NOT_GIVEN: Final = (
    *(*SIDES, "align", "output", "plot", "words_output"),
    *("train", "arpa", "text", "model_output", *TRAINING[:3]),
)
"""Options that are no arguments of a verb."""

OPTIONS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    **{
        name: (f"--{name} COLUMN: the column of a table", {"usual": name})
        for name in SIDES
    },
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
    "reading": (
        "--reading: words as they stand between spaces, or small letters without signs",
        {"choices": READINGS, "usual": "as-written"},
    ),
    "plot": (
        "--plot FILE: draw what is confused with what (.png .svg .pdf)",
        {"type": typed.picture},
    ),
    "align": ("--align ITEM: show an utterance word below word", {}),
    "separator": (
        "--separator SIGN: what parts labels in a text, such as |",
        {"default": ""},
    ),
    "alpha": (
        "--alpha A: how much precision counts in F",
        {"type": typed.rate, "usual": 0.5},
    ),
    "order": (
        "--order: aligned in order, or matched in any",
        {"choices": concepts.ORDERS, "usual": "sequence"},
    ),
    **{
        kind.replace("-", "_"): (
            f"--{kind} NAMES: these concepts are {kind}",
            {"type": typed.names, "default": []},
        )
        for kind in concepts.SLOT_CLASSES[:2]
    },
    "scheme": (
        "--scheme: of tags (default: %(default)s, where an orphan I- begins a span)",
        {"choices": list(SCHEMES), "default": "iob"},
    ),
    "update_prior": (
        "--update-prior: from whose state before the turn a slot had to change",
        {"choices": ["system", "own"], "usual": "system"},
    ),
    **{
        name: (f"--{name}: what {name} is", {"choices": POLICIES, "usual": usual})
        for name, usual in (("none", "empty"), ("dontcare", "value"))
    },
    "target": ("--target COLUMN: such as user satisfaction", {"required": True}),
    "predictors": (
        "--predictors COLUMNS: such as kappa,repairs,turns",
        {"required": True, "type": typed.names},
    ),
    "by": ("--by COLUMN: mean performance of each", {}),
    "group": ("--group COLUMN: users or dialogues held out together", {}),
    "train": ("--train FILE: a text to count n-grams in, a sentence on each line", {}),
    "arpa": ("--arpa FILE: a model in an ARPA file, instead of a text", {}),
    "ngram_order": (
        "--order N: words of the longest n-grams, from 1 to 5",
        {"type": typed.count, "choices": range(1, MOST_WORDS + 1), "usual": 3},
    ),
    "smoothing": (
        "--smoothing: how counts become probabilities",
        {"choices": SMOOTHINGS, "usual": "kneser-ney"},
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
        {"choices": performance.METHODS, "usual": "all"},
    ),
}
"""Options by name: how they are typed with their line in the help, and the rest."""
