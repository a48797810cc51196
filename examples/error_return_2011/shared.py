"""What the experiments share: data, the classifier, and how a system is tested.

The classifier is the same throughout: TF-IDF weights of tokens and a linear support
vector machine with scikit-learn's defaults, nothing tuned. Beside it stands the
relevance model, with its default weights. The confidence is the highest score.
"""

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

import demur
from demur.reference_systems.tokenizers import Tokenizer

Record = dict[str, Any]
Pair = tuple[str, str]

SEED = 0
OUT_OF_SCOPE = "oos"


@dataclass(frozen=True)
class Experiment:
    """Systems on the same items, and the questions about them.

    Parameters
    ----------
    name : str
        Also of its picture and of its part of the page.
    systems : dict of name to Outcomes
        The baseline first.
    pairs : sequence of (name, name)
        Whose differences are tested: the second less the first.
    clusters : str
        What the clusters of inputs are, in the plural.
    drawn : sequence of str, optional
        The systems of the picture; by default all.
    """

    name: str
    systems: dict[str, demur.Outcomes]
    pairs: Sequence[Pair]
    clusters: str = "sentences"
    drawn: Sequence[str] = ()


@dataclass(frozen=True)
class TestSet:
    """The inputs that all systems of an experiment are tested on."""

    items: Sequence[str]
    texts: Sequence[str]
    intents: Sequence[str]
    clusters: Sequence[str] | None = None


def read_records(path: Path) -> list[Record]:
    """Read a JSON Lines file, gzipped or plain."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    return [json.loads(line) for line in content.splitlines()]


def classifier(tokenizer: Tokenizer) -> Pipeline:
    """The intent classifier, not yet trained."""
    weights = TfidfVectorizer(analyzer=tokenizer, sublinear_tf=True)
    # One solver for all: by default it would depend on the number of tokens.
    return make_pipeline(weights, LinearSVC(dual=True, random_state=SEED))


def relevance_model(tokenizer: Tokenizer) -> demur.RelevanceModel:
    """The relevance model with its default weights, not yet trained."""
    return demur.RelevanceModel(tokens=tokenizer)


def guesses_of(trained: Any, texts: Sequence[str]) -> tuple[Any, Any]:
    """The best class of each text, and its score."""
    scores = trained.decision_function(texts)
    return trained.classes_[scores.argmax(axis=1)], scores.max(axis=1)


def outcomes_of(
    name: str, model: Any, training: Sequence[Pair], test: TestSet
) -> demur.Outcomes:
    """Train on pairs of text and intent, classify the test set, and judge."""
    trained = model.fit(
        [text for text, _ in training], [intent for _, intent in training]
    )
    return judged(name, *guesses_of(trained, test.texts), test)


def judged(name: str, guesses: Any, confidence: Any, test: TestSet) -> demur.Outcomes:
    """The outcomes of guesses; an out-of-scope input has no right answer."""
    clusters = {} if test.clusters is None else {"cluster": test.clusters}
    return demur.Outcomes.from_arrays(
        system=name,
        item=test.items,
        correct=[a == b for a, b in zip(guesses, test.intents, strict=True)],
        confidence=confidence,
        answerable=[intent != OUT_OF_SCOPE for intent in test.intents],
        **clusters,
    )


def first_with_rest(systems: Iterable[str]) -> list[Pair]:
    """The first system with each of the others."""
    first, *rest = systems
    return [(first, each) for each in rest]


def labelled(records: Iterable[Record], field: str = "text") -> list[Pair]:
    """Texts and their intents."""
    return [(record[field], record["intent"]) for record in records]


def typed(records: Iterable[Record]) -> TestSet:
    """Typed inputs."""
    rows = [(each["id"], each["text"], each["intent"]) for each in records]
    return TestSet(*zip(*rows, strict=True))


def recognised(records: Iterable[Record]) -> TestSet:
    """Recordings; those of one sentence belong together."""
    rows = [
        (each["id"], each["asr"], each["intent"], str(each["slurp_id"]))
        for each in records
    ]
    return TestSet(*zip(*rows, strict=True))
