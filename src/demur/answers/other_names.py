"""Comparators as other tools call them: which one here does the same, or what to do."""

from collections.abc import Mapping
from typing import Final

_EQUAL: Final = (
    "label compares exactly; text leaves case and outer spaces aside, "
    "text(normalise=squad) also punctuation and articles."
)
_CASELESS: Final = "text leaves case and outer spaces aside."
_FUNCTION: Final = (
    "None does that by name: in Python give a function, "
    "demur.judge(responses, references, by=lambda response, reference: {})."
)
_SCORE: Final = (
    "A degree of likeness is no verdict: take its scores into the file, and read them "
    "by demur curve --columns 'correct=SCORE >= 0.5'."
)
_ASKED: Final = (
    "model(MODEL@URL) asks a model; verdicts that are in the file already are read by "
    "demur curve --columns 'correct=VERDICT == yes'."
)
_WITHIN: Final = _FUNCTION.format("reference in response")
_PATTERN: Final = _FUNCTION.format("bool(re.search(reference, response))")

_HINTS: Final[Mapping[str, tuple[str, ...]]] = {
    _EQUAL: (
        *("exact", "exactmatch", "em", "equals", "equal", "match", "strict", "string"),
        *("identical", "accuracy", "quasiexactmatch"),
    ),
    _CASELESS: ("caseinsensitive", "ignorecase", "casefold", "lower", "lowercase"),
    "text(normalise=squad) does that.": ("squad", "normalized", "normalised"),
    "number compares numbers; number(relative=0.01) nearly.": (
        *("numeric", "numerical", "math", "float", "integer", "tolerance", "approx"),
    ),
    "sql runs both queries.": ("execution", "executionaccuracy", "query", "ex"),
    "f1 counts the words that two texts share.": ("tokenf1", "squadf1", "wordf1"),
    "letters compares the letters that are chosen.": (
        *("choice", "choices", "multiplechoice", "mcq", "letter", "mmlu", "option"),
    ),
    "json compares values with their types.": ("jsonmatch", "jsonequal", "jsonschema"),
    "tool_call compares names and arguments of calls.": (
        *("ast", "bfcl", "toolcalls", "functioncall", "functioncalls", "tools"),
    ),
    "multiset compares lists in any order.": ("bag", "set", "counter", "unordered"),
    "slots compares sets of slots and acts.": ("slot", "acts", "jga", "frames"),
    _WITHIN: ("contains", "includes", "include", "icontains", "in", "substring"),
    _PATTERN: ("regex", "regexp", "pattern", "re", "startswith", "endswith"),
    _SCORE: (
        *("bleu", "sacrebleu", "rouge", "rougel", "meteor", "chrf"),
        *("bertscore", "fuzzy", "levenshtein", "editdistance", "similarity", "cosine"),
        *("semantic", "embedding", "wer", "ter"),
    ),
    _ASKED: (
        *("llm", "llmjudge", "llmrubric", "judge", "gpt", "model", "modelgraded"),
        *("modelgradedqa", "modelgradedfact", "geval", "rubric", "grader", "human"),
    ),
}


def hint_of(name: str) -> str:
    """What to type in place of a name from another tool; empty if it is not known.

    Examples
    --------
    >>> hint_of("Case-Insensitive")
    'text leaves case and outer spaces aside.'
    >>> hint_of("sound")
    ''
    """
    plain = "".join(letter for letter in name.casefold() if letter.isalnum())
    return next((hint for hint, names in _HINTS.items() if plain in names), "")
