"""Tokens, training sets and added domains: what of one classifier is varied.

Each function trains its systems and returns an `Experiment`: the outcomes of every
system on the same items, and which systems are to be compared.
"""

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from shared import (
    OUT_OF_SCOPE,
    SEED,
    Experiment,
    Pair,
    Record,
    TestSet,
    classifier,
    first_with_rest,
    labelled,
    outcomes_of,
    read_records,
    recognised,
    relevance_model,
    typed,
)

import demur
from demur.reference_systems.tokenizers import Tokenizer, letters, mixed, words

ORIGINAL_DOMAIN = "banking"
ADDED_DOMAINS = (3, 6, 9)
PHONE_WEIGHTS = (0.05, 0.1, 0.2, 0.5)

Learner = Callable[[Tokenizer], Any]


def tokenizers(data: Path) -> dict[str, Tokenizer]:
    """The five tokenizers that are compared, the baseline first."""
    path = data / "cmudict" / "cmudict.dict.gz"
    # Several systems cut the same texts.
    phones, groups = cache(demur.PhoneTokenizer(path)), cache(letters)
    return {
        "words": words,
        "phones": phones,
        "letters": groups,
        "words and phones": mixed(words, phones),
        "words and letters": mixed(words, groups),
    }


def tokenizers_on_speech(data: Path) -> Experiment:
    """Five tokenizers, trained on typed text, tested on a recogniser's output."""
    training = read_records(data / "slurp_asr" / "train_text.jsonl.gz")
    recordings = read_records(data / "slurp_asr" / "test_asr.jsonl.gz")
    test = recognised(recordings)
    systems = _each(tokenizers(data), training, test)
    return Experiment("figure-1", systems, _with_control(systems))


def relevance_model_on_speech(data: Path) -> Experiment:
    """The relevance model with words, phones, and both as two languages.

    How much phones count is chosen on one half of the sentences, by the area under the
    curve; all are tested on the other half.
    """
    training = read_records(data / "slurp_asr" / "train_text.jsonl.gz")
    first, second = half_of_sentences(data)
    compared = tokenizers(data)
    both = (compared["words"], compared["phones"])

    def mixture(weight: float) -> demur.RelevanceModel:
        weights = (1 - weight, weight)
        return demur.RelevanceModel(tokens=both, token_weights=weights)

    def area(weight: float) -> float:
        found = outcomes_of("", mixture(weight), labelled(training), recognised(first))
        return demur.error_return(found).area().value

    best = min(PHONE_WEIGHTS, key=area)
    models = {
        "words": relevance_model(compared["words"]),
        "phones": relevance_model(compared["phones"]),
        f"both, phones {best}": mixture(best),
    }
    systems = {
        name: outcomes_of(name, model, labelled(training), recognised(second))
        for name, model in models.items()
    }
    return Experiment("figure-1-relevance", systems, first_with_rest(systems))


def half_of_sentences(data: Path) -> tuple[list[Record], list[Record]]:
    """The recordings of one half of the sentences, and those of the other."""
    recordings = read_records(data / "slurp_asr" / "test_asr.jsonl.gz")
    sentences = sorted({record["ref"] for record in recordings})
    random.Random(SEED).shuffle(sentences)
    first = set(sentences[: len(sentences) // 2])
    return (
        [record for record in recordings if record["ref"] in first],
        [record for record in recordings if record["ref"] not in first],
    )


def tokenizers_on_typed_text(data: Path) -> Experiment:
    """The same tokenizers on typed inputs, 1,000 of 5,500 without a right answer."""
    records = read_records(data / "clinc150" / "clinc150.jsonl.gz")
    training = [
        record
        for record in records
        if record["split"] == "train" and record["intent"] != OUT_OF_SCOPE
    ]
    test = typed(record for record in records if record["split"] == "test")
    systems = _each(tokenizers(data), training, test)
    return Experiment("figure-2", systems, _with_control(systems))


def added_domains(data: Path) -> Experiment:
    """One domain alone, and with training texts of three, six and nine others."""
    systems = _with_added_domains(data, classifier)
    return Experiment("figure-3", systems, first_with_rest(systems))


def relevance_model_with_added_domains(data: Path) -> Experiment:
    """The relevance model, with the same domains added."""
    systems = _with_added_domains(data, relevance_model)
    return Experiment("figure-3-relevance", systems, first_with_rest(systems))


def _with_added_domains(data: Path, learner: Learner) -> dict[str, demur.Outcomes]:
    """Tested on the validation and test inputs of the one domain.

    Neither is needed for anything else, because nothing is tuned.
    """
    records = read_records(data / "clinc150" / "clinc150.jsonl.gz")
    listed = json.loads((data / "clinc150" / "domains.json").read_text("utf-8"))
    others = [domain for domain in listed if domain != ORIGINAL_DOMAIN]
    own = [record for record in records if record["domain"] == ORIGINAL_DOMAIN]
    test = typed(record for record in own if record["split"] in ("val", "test"))
    systems = {}
    for added in (0, *ADDED_DOMAINS):
        name = f"{added} domains added" if added else f"{ORIGINAL_DOMAIN} alone"
        domains = {ORIGINAL_DOMAIN, *others[:added]}
        training = [
            record
            for record in records
            if record["split"] == "train" and record["domain"] in domains
        ]
        systems[name] = outcomes_of(name, learner(words), labelled(training), test)
    return systems


def transcripts_or_recogniser_output(data: Path) -> Experiment:
    """Half of the sentences to learn from: as transcribed, as recognised, or both.

    The other half is tested as recognised. No sentence is in both halves.
    """
    learned, others = half_of_sentences(data)
    test = recognised(others)
    transcribed = labelled(learned, "ref")
    heard = labelled(learned, "asr")
    training_sets = {
        "transcripts": transcribed,
        "recogniser output": heard,
        "both": [*transcribed, *heard],
    }
    systems = {
        name: outcomes_of(name, classifier(words), training, test)
        for name, training in training_sets.items()
    }
    return Experiment("training-sets", systems, list(combinations(systems, 2)))


def _each(
    compared: Mapping[str, Tokenizer],
    training: Sequence[Record],
    test: TestSet,
) -> dict[str, demur.Outcomes]:
    return {
        name: outcomes_of(name, classifier(tokenizer), labelled(training), test)
        for name, tokenizer in compared.items()
    }


def _with_control(systems: Iterable[str]) -> list[Pair]:
    """Each tokenizer against words, and phones against letters beside words."""
    return [*first_with_rest(systems), ("words and phones", "words and letters")]
