"""Where values stand in records, and what files call the fields of demur."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from demur.formats.paths import path_reader
from demur.outcomes.fields import also_called

Records = Sequence[Mapping[str, Any]]
_ALSO: Final[Mapping[str, str]] = {
    "item": "uuid guid sample_id item_id test_id testid case_id caseid task_id taskid "
    "prompt_id request_id frage_id frageid fall lfd_nr key idx index row case no",
    "input": "question prompt query frage pregunta domanda utterance",
    "system": "model model_name modelname modell bot engine provider",
    "repeat": "epoch repetition attempt trial",
    "response": "completion generated generation generated_text pred guess reply hyp "
    "model_answer model_output actual_output y_pred predicted_label pred_label "
    "predicted_answer ausgabe modellantwort systemantwort llm_output assistant content "
    "text",
    "correct": "verdict outcome judgement judgment grade ok hit pass em exact_match "
    "bewertung urteil treffer iscorrect match acc status result label_correct",
    "confidence": "sure sicher confidence_score logprobs avg_logprob mean_logprob "
    "log_prob loglikelihood konfidenz_score konf uncertainty risk unsicherheit",
    "declined": "abstained abstain refused is_refusal refusal enthalten abgelehnt",
    "reference": "ground_truth groundtruth truth gold_answer gold_label correct_answer "
    "true_label y_true ideal expected_output expected_answer musterl\u00f6sung "
    "soll wahrheit referenz label answer_key solution antwort_soll",
}
"""What else files call fields, where nothing but a proposal hangs on it."""
_PLAIN: Final = frozenset(["content", "text", "value", "message", "name", "parts"])
"""Names that say less than that of the object around them."""
_BRACES: Final = re.compile(r"\{[^{}]*\}")
"""What the names of columns of several systems differ in."""
METRIC: Final = re.compile(r"/(?:v\d+/)?score$")
"""How MLflow ends the names of columns with scores."""
_REMARK: Final = re.compile(r"(?<=\S)\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*$")
"""A unit or the like in brackets, behind a name."""
SCORES: Final = ("score", "accuracy", "acc", "em", "exactmatch")
DEEPEST: Final = 4


def paths_in(records: Records) -> Iterator[tuple[str, str]]:
    """Where values stand, each with the name by which it is known."""
    seen: dict[str, str] = {}
    for record in records[:_LOOKED_AT]:
        seen |= dict(_paths_within(record, "", "", 1))
    yield from seen.items()


_LOOKED_AT: Final = 20


def _paths_within(
    value: Any, path: str, known: str, depth: int
) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and depth <= DEEPEST:
        for name, held in value.items():
            plain = _BRACES.sub("", str(name).casefold())
            plain = METRIC.sub("", _REMARK.sub("", plain))
            plain = re.sub(r"[\W_]", "", plain)
            inner = f"{path}.{name}" if path else str(name)
            says_less = plain in _PLAIN and known
            yield from _paths_within(
                held, inner, known if says_less else plain, depth + 1
            )
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        yield from _paths_within(value[0], f"{path}[0]", known, depth + 1)
    elif path:
        yield path, known


def paths_called(field: str, left: Mapping[str, str]) -> list[str]:
    """Of some paths those whose names files use for a field, the surest first.

    Examples
    --------
    >>> paths_called("response", {"a.text": "text", "reply": "reply"})
    ['reply', 'a.text']
    """
    names = [field, *also_called(field), *_ALSO.get(field, "").split()]
    if field == "confidence":
        names = [name for name in names if name not in SCORES]
    # What is called like a verdict or a reference goes before a score or an answer.
    last = {"correct": SCORES, "reference": also_called("response")}.get(field, ())
    names.sort(key=lambda name: name in last)
    plain = [re.sub(r"[\W_]", "", name) for name in names]
    return [path for name in plain for path in left if left[path] == name]


def path_of(field: str, left: Mapping[str, str]) -> str:
    """The path that holds a field: by its name, else by a word of its name."""
    paths = paths_called(field, left)
    if field == "correct" and (not paths or left[paths[0]] in SCORES):
        paths = [path for path in left if _VERDICT.fullmatch(left[path])] or paths
    if not paths and field in ("confidence", "response", "reference", "input"):
        words = (field, *also_called(field), *_ALSO[field].split())
        long = [re.sub(r"[\W_]", "", w) for w in words if len(w) > _SHORTEST]
        long = [word for word in long if word not in SCORES]
        paths = [path for path in left for word in long if word in left[path]]
    return paths[0] if paths else ""


_SHORTEST: Final = 4
_VERDICT: Final = re.compile(
    r"(?!n?in|num|n_|total|percent|share)\w*(correct|verdict|judge?ment|richtig|korrekt)"
    r"|(bewertung|urteil|verdict|judge?ment)\w*"
)
"""Names that end or begin in a word for a verdict, such as ``humancorrect``."""


def values_at(path: str, records: Records) -> list[Any]:
    """The values at a path, in the records that have one.

    Examples
    --------
    >>> values_at("a.b", [{"a": {"b": 1}}, {"a": {}}])
    [1]
    """
    read = path_reader("columns", path)
    return [value for record in records if (value := read(record)) is not UNSET]
