"""The experiments: one classifier, and what of it is varied, on real data.

Each function trains its systems and returns an `Experiment`: the outcomes of every
system on the same items, and which systems are to be compared. The classifier is the
same throughout: TF-IDF weights of tokens and a linear support vector machine with
scikit-learn's defaults, nothing tuned. Its confidence is its highest decision value.
"""

import gzip
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC
from tokenizing import Tokenizer, read_pronunciations, tokenizers, words

import demur

Record = dict[str, Any]
Pair = tuple[str, str]

SEED = 0
OUT_OF_SCOPE = "oos"
ORIGINAL_DOMAIN = "banking"
ADDED_DOMAINS = (3, 6, 9)


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
    """

    name: str
    systems: dict[str, demur.Outcomes]
    pairs: Sequence[Pair]


@dataclass(frozen=True)
class TestSet:
    """The inputs that all systems of an experiment are tested on."""

    items: Sequence[str]
    texts: Sequence[str]
    intents: Sequence[str]
    clusters: Sequence[str] | None = None


def tokenizers_on_speech(data: Path) -> Experiment:
    """Five tokenizers, trained on typed text, tested on a recogniser's output."""
    training = read_records(data / "slurp_asr" / "train_text.jsonl.gz")
    recordings = read_records(data / "slurp_asr" / "test_asr.jsonl.gz")
    return _tokenizers("figure-1", data, training, _recognised(recordings))


def tokenizers_on_typed_text(data: Path) -> Experiment:
    """The same tokenizers on typed inputs, 1,000 of 5,500 without a right answer."""
    records = read_records(data / "clinc150" / "clinc150.jsonl.gz")
    training = [
        record
        for record in records
        if record["split"] == "train" and record["intent"] != OUT_OF_SCOPE
    ]
    test = [record for record in records if record["split"] == "test"]
    return _tokenizers("figure-2", data, training, _typed(test))


def added_domains(data: Path) -> Experiment:
    """One domain alone, and with training texts of three, six and nine others.

    Tested on the validation and test inputs of the one domain; neither is needed for
    anything else, because nothing is tuned.
    """
    records = read_records(data / "clinc150" / "clinc150.jsonl.gz")
    listed = json.loads((data / "clinc150" / "domains.json").read_text("utf-8"))
    others = [domain for domain in listed if domain != ORIGINAL_DOMAIN]
    own = [record for record in records if record["domain"] == ORIGINAL_DOMAIN]
    test = _typed(record for record in own if record["split"] in ("val", "test"))
    systems = {}
    for added in (0, *ADDED_DOMAINS):
        name = f"{added} domains added" if added else f"{ORIGINAL_DOMAIN} alone"
        domains = {ORIGINAL_DOMAIN, *others[:added]}
        training = [
            record
            for record in records
            if record["split"] == "train" and record["domain"] in domains
        ]
        systems[name] = outcomes_of(name, words, _labelled(training), test)
    return Experiment("figure-3", systems, _first_with_rest(systems))


def transcripts_or_recogniser_output(data: Path) -> Experiment:
    """Half of the sentences to learn from: as transcribed, as recognised, or both.

    The other half is tested as recognised. No sentence is in both halves.
    """
    recordings = read_records(data / "slurp_asr" / "test_asr.jsonl.gz")
    sentences = sorted({record["ref"] for record in recordings})
    random.Random(SEED).shuffle(sentences)
    first = set(sentences[: len(sentences) // 2])
    learned = [record for record in recordings if record["ref"] in first]
    test = _recognised(record for record in recordings if record["ref"] not in first)
    transcribed = _labelled(learned, "ref")
    recognised = _labelled(learned, "asr")
    training_sets = {
        "transcripts": transcribed,
        "recogniser output": recognised,
        "both": [*transcribed, *recognised],
    }
    systems = {
        name: outcomes_of(name, words, training, test)
        for name, training in training_sets.items()
    }
    return Experiment("training-sets", systems, list(combinations(systems, 2)))


EXPERIMENTS: dict[str, Callable[[Path], Experiment]] = {
    "figure-1": tokenizers_on_speech,
    "figure-2": tokenizers_on_typed_text,
    "figure-3": added_domains,
    "training-sets": transcripts_or_recogniser_output,
}


def read_records(path: Path) -> list[Record]:
    """Read a gzipped JSON Lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def classifier(tokenizer: Tokenizer) -> Pipeline:
    """The intent classifier, not yet trained."""
    weights = TfidfVectorizer(analyzer=tokenizer, sublinear_tf=True)
    # One solver for all: by default it would depend on the number of tokens.
    return make_pipeline(weights, LinearSVC(dual=True, random_state=SEED))


def outcomes_of(
    name: str, tokenizer: Tokenizer, training: Sequence[Pair], test: TestSet
) -> demur.Outcomes:
    """Train on pairs of text and intent, classify the test set, and judge.

    An out-of-scope input has no right answer: any intent is wrong there.
    """
    trained = classifier(tokenizer).fit(
        [text for text, _ in training], [intent for _, intent in training]
    )
    scores = trained.decision_function(test.texts)
    guesses = trained.classes_[scores.argmax(axis=1)]
    clusters = {} if test.clusters is None else {"cluster": test.clusters}
    return demur.Outcomes.from_arrays(
        system=name,
        item=test.items,
        correct=[a == b for a, b in zip(guesses, test.intents, strict=True)],
        confidence=scores.max(axis=1),
        answerable=[intent != OUT_OF_SCOPE for intent in test.intents],
        **clusters,
    )


def _tokenizers(
    name: str, data: Path, training: Sequence[Record], test: TestSet
) -> Experiment:
    """Each tokenizer against words, and phones against letters beside words."""
    path = data / "cmudict" / "cmudict.dict.gz"
    systems = {
        each: outcomes_of(each, tokenizer, _labelled(training), test)
        for each, tokenizer in tokenizers(read_pronunciations(path)).items()
    }
    control = ("words and phones", "words and letters")
    return Experiment(name, systems, [*_first_with_rest(systems), control])


def _first_with_rest(systems: Iterable[str]) -> list[Pair]:
    first, *rest = systems
    return [(first, each) for each in rest]


def _labelled(records: Iterable[Record], field: str = "text") -> list[Pair]:
    return [(record[field], record["intent"]) for record in records]


def _typed(records: Iterable[Record]) -> TestSet:
    rows = [(each["id"], each["text"], each["intent"]) for each in records]
    return TestSet(*zip(*rows, strict=True))


def _recognised(records: Iterable[Record]) -> TestSet:
    """Recordings; those of one sentence belong together."""
    rows = [
        (each["id"], each["asr"], each["intent"], str(each["slurp_id"]))
        for each in records
    ]
    return TestSet(*zip(*rows, strict=True))
