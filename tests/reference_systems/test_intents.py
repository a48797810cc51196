"""Ready pipelines: all learn, and work as systems."""

import pytest

import demur
from builders import refuses
from demur.reference_systems.intents import INTENT_CLASSIFIERS

TEXTS = ["turn the light on", "light on", "lamp on please", "light off", "lamp off"] * 5
LABELS = ["on", "on", "on", "off", "off"] * 5
LETTERS = {
    "featureunion__tfidfvectorizer-1__ngram_range": (1, 2),
    "featureunion__tfidfvectorizer-2__ngram_range": (2, 5),
    "featureunion__tfidfvectorizer-2__sublinear_tf": True,
}


@pytest.mark.parametrize("kind", INTENT_CLASSIFIERS)
def test_a_ready_pipeline_learns_and_is_a_system(kind):
    model = demur.intent_classifier(kind).fit(TEXTS, LABELS)
    system = demur.as_system(model)
    found = system.respond([demur.Input(1, "light on now"), demur.Input(2, "go off")])
    assert [a.response for a in found] == ["on", "off"]
    assert all(a.confidence is not None for a in found)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("linear-svm", {"linearsvc__dual": True, "linearsvc__random_state": 0}),
        ("logistic", {"logisticregression__C": 30, **LETTERS}),
        ("linear-svm", LETTERS),
        ("words", {"tfidfvectorizer__sublinear_tf": True, "linearsvc__dual": True}),
        ("maxent", {"logisticregression__C": 1, "logisticregression__max_iter": 1000}),
        ("naive-bayes", {"multinomialnb__alpha": 0.1}),
        ("neighbours", {"kneighborsclassifier__n_neighbors": 20}),
    ],
)
def test_nothing_of_it_is_tuned(kind, settings):
    params = demur.intent_classifier(kind).get_params()
    assert {name: params[name] for name in settings} == settings


def test_names_and_the_extra(monkeypatch):
    refuses("linear-svm", demur.intent_classifier, "best")
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(demur.MissingExtra, match=r"demur\[learn\]"):
        demur.intent_classifier()
