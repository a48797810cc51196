"""What can be chosen, by name, and what is usual where nothing is said.

The names stand here a second time, since what they name loads numpy and much else, for
which the parser and the help must not wait. ``tests/cli/test_choices.py`` holds each
equal to its source, so that nothing can be chosen that is not there, nor the other way
round.
"""

from collections.abc import Mapping
from typing import Final

# -- files and their fields ------------------------------------------------------------

READABLE: Final = "JSON Lines, JSON, Parquet, Excel (.xlsx), CSV or TSV"
MAX_SIZE: Final = 4 << 30
MAX_PAGE_TEXT: Final = 10_000_000

OUTCOME_COLUMNS: Final = (
    *("item", "part", "system", "outcome", "credit", "confidence", "declined"),
    *("answerable", "weight", "cluster", "label_weight", "reason", "reason_code"),
    *("kind", "repeat", "setting", "input", "response", "reference", "correct"),
    "answered",
)
RESPONSE_FIELDS: Final = (
    *("item", "part", "system", "confidence", "declined", "kind", "repeat", "setting"),
    *("error", "failed", "response", "ranking"),
)
REFERENCE_FIELDS: Final = (
    *("item", "part", "answerable", "weight", "cluster", "input"),
    *("reference", "references"),
)
OUTCOMES: Final = ("right", "wrong", "unanswered", "ungraded")
DECISIONS: Final = ("answered", "withheld", "declined", "failed")
GOLD: Final = "people"

# -- judging ---------------------------------------------------------------------------

COMPARATORS: Final = (
    *("label", "text", "number", "cas", "relation", "sql", "slots", "letters", "json"),
    *("tool_call", "multiset", "f1", "math", "model", "claims"),
)
EXTRACTING_STEPS: Final = (
    *("reply", "final", "boxed", "bold", "letter", "number", "aside", "list", "fence"),
    *("json", "table"),
)
JOIN_POLICIES: Final[Mapping[str, tuple[str, ...]]] = {
    "missing": ("error", "unanswered", "leave_out"),
    "unmatched": ("error", "leave_out", "wrong"),
    "repeated": ("error", "first", "last"),
    "unsure": ("error", "lowest"),
}
TABLE_MAXIMA: Final = ("derived", "none")
EMPTY_TABLES: Final = ("right", "wrong")
CONTEXT_RULES: Final[Mapping[str, str]] = {
    "dialogue": "all turns before it in its dialogue, those that are not asked, such "
    "as excluded ones, as words only",
    "excluded": "the turns before it in its dialogue, back to the last one that is "
    "not asked, such as an excluded one",
    "alone": "nothing: each question is asked alone",
}
JUDGE_CHECKS: Final[Mapping[str, str]] = {
    "order": "choices and references turned round",
    "repeat": "asked again",
    "length": "answers padded by words that add nothing",
    "own": "answers of the judge's own model, among others",
    "references": "references left out",
}
WITHOUT_CONFIDENCE: Final = ("lowest", "refuse")

# -- asking systems --------------------------------------------------------------------

CHAT_CONFIDENCES: Final[Mapping[str, str]] = {
    "mean-logprob": "the mean of the log-probabilities of the answer's tokens",
    "sum-logprob": "the sum of the log-probabilities of the answer's tokens",
    "token-entropy": "the negative mean entropy of the answer's tokens, in bits",
    "first-token": "the probability of the chosen letter among those of the choices",
    "p-true": "the probability that the model gives to its answer being true",
    "verbalised": "what the model states, as a fraction",
    "agreement": "the share of several samples that say the same",
    "semantic-entropy": "the negative entropy of several samples, in bits",
    "none": "no number: the curve is a single operating point",
}
ADDRESS_SHAPES: Final = ("demur", "rasa", "dialogflow")
GIVE_UP: Final = 20

# -- figures ---------------------------------------------------------------------------

WHOLES: Final = "wholes"
OF_WHOLES: Final = (WHOLES, "answered wholes")
AGREEMENT_METRICS: Final = (
    *("nominal", "ordinal", "interval", "ratio", "jaccard", "masi", "masi-dkpro"),
    "passonneau2004",
)
RESAMPLED: Final = ("unit", "cluster", "annotator")
VALUE_ORDERS: Final = ("frequency", "appearance")
DIFFICULTIES: Final = ("entropy", "baseline", "perplexity", "total_bits")
METHOD_SCORES: Final = ("accuracy", "error", "lift", "in-sample lift", "bits gained")
TRAINED_METHODS: Final = ("majority", "naive-bayes", "tf-idf", "k-means")
FOLDS: Final = 10
FEWEST_BLOCKS: Final = 16
LABEL_PURPOSES: Final = ("recheck", "compare", "cutoff", "judge")

# -- pipelines -------------------------------------------------------------------------

STATES: Final = ("corrected", "free", "both")
ACT_MEASURES: Final = ("recall", "precision", "exact")
ACT_MATCHES: Final = ("strict", "multiple")
TARGETS: Final = ("wizard", "reference-run")
RATIO_TESTS: Final = ("sign-flip", "mcnemar", "wilcoxon")
TURN_CLUSTERS: Final = ("dialogue", "turn")

# -- the classic measures --------------------------------------------------------------

WORD_READINGS: Final = ("as-written", "letters")
NOTATIONS: Final = ("as-written", "nist")
CONCEPT_ORDERS: Final = ("sequence", "bag")
SLOT_CLASSES: Final = ("non-concept", "value-insensitive")
TAG_SCHEMES: Final = (
    *("iob", "iob2-strict", "ioe", "ioe2-strict", "bioes", "bioes-lenient", "bilou"),
    "bilou-lenient",
)
SPAN_ENDS: Final = ("after", "last")
SLOT_POLICIES: Final = ("value", "empty")
MOST_WORDS: Final = 5
SMOOTHINGS: Final = (
    *("kneser-ney", "katz", "witten-bell", "absolute", "add-k"),
    "maximum-likelihood",
)
PREDICTOR_METHODS: Final = ("all", "significant", "aic", "svr")

# -- campaigns and stores --------------------------------------------------------------

KEPT_TOGETHER: Final = ("subject", "dialogue")
TEST_SHARE: Final = 0.3
SCORING_LIMIT: Final = 600.0
TOKEN: Final = "DEMUR_TOKEN"
"""The variable of the environment that may hold a team's token."""
STORE: Final = "demur.sqlite"
"""The store in this folder, if no other is named."""


def listed(named: Mapping[str, str]) -> str:
    """Names, each with what it means, for help.

    Examples
    --------
    >>> listed({"a": "the first", "b": "the second"})
    'a, the first; b, the second'
    """
    return "; ".join(f"{name}, {meaning}" for name, meaning in named.items())
