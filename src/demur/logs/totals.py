"""Files of other tools that hold totals, lists or pages, and so cannot give items."""

import re
from collections.abc import Mapping
from typing import Final

from demur.errors import InputError

_PROMPTFOO: Final = "Export it anew: promptfoo export eval EVAL_ID -o results.json."

TOTALS: Final[Mapping[str, tuple[frozenset[str] | re.Pattern[bytes], str]]] = {
    "results of lm-evaluation-harness, which are totals": (
        re.compile(
            rb'\{\s*"results"\s*:\s*\{\s*"[^"]*"\s*:\s*\{[^{}]*"[^",]+,[^",]+"\s*:'
        ),
        "Run lm_eval with --log_samples, and give its samples_*.jsonl.",
    ),
    "a report of Rasa or scikit-learn by labels, which holds totals": (
        re.compile(rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{\s*"precision"\s*:'),
        "Of Rasa give intent_errors.json with intent_successes.json "
        "(rasa test nlu --successes); of scikit-learn the predictions themselves.",
    ),
    "entities of Rasa, of which a message has several": (
        frozenset(["text", "entities", "predicted_entities"]),
        "Intents are read: intent_errors.json with intent_successes.json; entities are "
        "judged as slots: demur judge --by slots.",
    ),
    "a list of the logs of Inspect, without samples": (
        re.compile(rb'\{\s*"(?:[^"\\]|\\.)*\.(?:eval|json)"\s*:\s*\{\s*"version"\s*:'),
        "Give the logs that it names.",
    ),
    "promptfoo's results in YAML": (re.compile(rb"evalId: .*\nresults:"), _PROMPTFOO),
    "promptfoo's results in XML": (re.compile(rb"<promptfoo>"), _PROMPTFOO),
    "an HTML page": (
        re.compile(rb"<!doctype html|<html\b", re.IGNORECASE),
        "Give the log that it was made from.",
    ),
}
"""What each is, how it is recognised (by keys, or by how it begins), what to do."""


def refuse_totals(name: str, keys: frozenset[str], head: bytes) -> None:
    """Raise if a file is one of `TOTALS`.

    Parameters
    ----------
    name : str
        The file, for messages.
    keys : frozenset of str
        As `demur.formats.beginnings.keys_of` gives them.
    head : bytes
        What it begins with.

    Raises
    ------
    InputError
        Which says what it is, and what to do.

    Examples
    --------
    >>> refuse_totals("a.html", frozenset(), b"<html>")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: a.html: the file must hold single answers; got an HTML
    page. Give the log that it was made from.
    """
    for kind, (mark, hint) in TOTALS.items():
        if mark <= keys if isinstance(mark, frozenset) else mark.match(head):
            raise InputError(name, "the file", "hold single answers", kind, hint)
