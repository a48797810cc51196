"""What is out of scope, and what is only begun: CLINC150 with ready systems."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from shared import (
    OUT_OF_SCOPE,
    SEED,
    Experiment,
    Pair,
    Record,
    TestSet,
    first_with_rest,
    guesses_of,
    judged,
    labelled,
    read_records,
    relevance_model,
    typed,
)
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import demur
from demur.reference_systems.tokenizers import words

KIND = "linear-svm"
PARTS = 5
STRENGTH = 0.2
"""Of the classifier of partial utterances: scikit-learn's C."""


def out_of_scope(data: Path) -> Experiment:
    """A threshold on one classifier, a class of its own, and two stages."""
    known, unknown, test = _parts_of(data)
    single = demur.intent_classifier(KIND).fit(*zip(*known, strict=True))
    relevance = relevance_model(words).fit(*zip(*known, strict=True))
    single = Scored(single)
    guesses = guesses_of(single, test.texts)
    systems = {
        "threshold": judged("threshold", *guesses, test),
        "own class": own_class(known, unknown, test),
        **two_stages(single, known, unknown, test),
        "relevance model": judged(
            "relevance model", *guesses_of(relevance, test.texts), test
        ),
    }
    return Experiment("out-of-scope", systems, first_with_rest(systems))


def own_class(
    known: Sequence[Pair], unknown: Sequence[str], test: TestSet
) -> demur.Outcomes:
    """What is out of scope is one more class; the guess is the best other one."""
    learned = [*known, *((text, OUT_OF_SCOPE) for text in unknown)]
    model = demur.intent_classifier(KIND).fit(*zip(*learned, strict=True))
    scores = model.decision_function(test.texts)
    place = list(model.classes_).index(OUT_OF_SCOPE)
    outside = scores[:, place].copy()
    scores[:, place] = scores.min()
    guesses = model.classes_[scores.argmax(axis=1)]
    return judged("own class", guesses, scores.max(axis=1) - outside, test)


class Scored:
    """A trained classifier, of which several systems ask scores of the same texts."""

    def __init__(self, trained: Any) -> None:
        self.classes_ = trained.classes_
        self._scores = cache(lambda texts: trained.decision_function([*texts]))

    def decision_function(self, texts: Sequence[str]) -> Any:
        """The scores of the classes, computed once."""
        return self._scores(tuple(texts))


def two_stages(
    single: Any, known: Sequence[Pair], unknown: Sequence[str], test: TestSet
) -> dict[str, demur.Outcomes]:
    """Is it in the domain, and if so, which is it; with either confidence."""
    detector = demur.intent_classifier(KIND)
    detector.steps[-1][1].set_params(class_weight="balanced")
    texts = [*(text for text, _ in known), *unknown]
    detector.fit(texts, [*(True for _ in known), *(False for _ in unknown)])
    found = {}
    asked = [demur.Input(*pair) for pair in enumerate(test.texts)]
    scored = Scored(detector), single
    for name, combine in (("two stages", "detector"), ("sum of both", "sum")):
        system = demur.TwoStage(*scored, combine=combine)
        answers = system.respond(asked)
        guesses = [answer.response for answer in answers]
        sure = [answer.confidence for answer in answers]
        found[name] = judged(name, guesses, sure, test)
    return found


def partial_utterances(data: Path) -> Experiment:
    """The first words of an input, with maximum-entropy features.

    Learned from whole texts, and from their beginnings too.
    """
    known, _, every = _parts_of(data)
    begun = {(part, y) for text, y in known for part in demur.prefixes(text, PARTS)}
    systems = {**on_beginnings(known, every), **on_beginnings(begun, every, ", begun")}
    names = list(systems)
    pairs = list(zip(names[:PARTS], names[PARTS:], strict=True))
    drawn = [name for name in names if name.startswith(("40", "60", "100"))]
    return Experiment("partial", systems, pairs, drawn=drawn)


def on_beginnings(
    learned: Iterable[Pair], test: TestSet, suffix: str = ""
) -> dict[str, demur.Outcomes]:
    """One model on the beginnings of all inputs that are in scope, by their length."""
    model = maxent_model().fit(*zip(*sorted(learned), strict=True))
    rows = zip(test.items, test.texts, test.intents, strict=True)
    items, texts, intents = zip(*(r for r in rows if r[2] != OUT_OF_SCOPE), strict=True)
    found = {}
    for part in range(PARTS):
        name = f"{100 * (part + 1) // PARTS} %{suffix}"
        heard = [demur.prefixes(text, PARTS)[part] for text in texts]
        asked = TestSet(items, heard, intents)
        found[name] = judged(name, *guesses_of(model, heard), asked)
    return found


def maxent_model() -> Any:
    """Maximum-entropy features, and a linear classifier that learns them in seconds."""
    features = CountVectorizer(analyzer=demur.maxent_features)
    return make_pipeline(features, LinearSVC(C=STRENGTH, dual=True, random_state=SEED))


def _parts_of(data: Path) -> tuple[list[Pair], list[str], TestSet]:
    """What is known, what is known to be out of scope, and the test inputs."""
    records = read_records(data / "clinc150" / "clinc150.jsonl.gz")

    def chosen(*splits: str) -> list[Record]:
        return [record for record in records if record["split"] in splits]

    training = chosen("train", "train_oosplus")
    known = [record for record in training if record["intent"] != OUT_OF_SCOPE]
    unknown = [r["text"] for r in training if r["intent"] == OUT_OF_SCOPE]
    return labelled(known), unknown, typed(chosen("test"))
