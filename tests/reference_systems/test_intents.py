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


@pytest.mark.parametrize(
    ("kind", "texts", "labels", "message"),
    [
        ("neighbours", TEXTS[:3], LABELS[:3], "at least 20, .* got 3.*n_neighbors=3"),
        ("linear-svm", ["\N{GRINNING FACE}", ""], ["a", "b"], "texts must have words"),
        ("maxent", ["", " "], ["a", "b"], "texts must have words"),
        ("words", [], [], "texts must be one at least"),
        ("words", ["a", "b"], ["a"], "one for each text; got 1 of 2"),
        ("words", ["a", "b"], ["a", float("nan")], "label of text 1 must be there"),
        ("words", ["a", "b"], None, "one for each text; got 0 of 2"),
        ("logistic", ["a", "b"], ["x", "x"], "labels must be two at least; got 'x'"),
        ("linear-svm", ["a", None], ["x", "y"], "must be a text; got None"),
        ("naive-bayes", "light on", ["on"], "texts must be a list"),
    ],
)
def test_what_cannot_be_learned_is_refused(kind, texts, labels, message):
    refuses(message, demur.intent_classifier(kind).fit, texts, labels)


def test_what_cannot_be_asked_is_refused():
    model = demur.intent_classifier("naive-bayes").fit(TEXTS, LABELS)
    for ask in (model.predict, model.predict_proba):
        refuses("texts must be one at least", ask, [])
        refuses("must be a text; got nan", ask, [float("nan")])
    assert model.predict(["\N{GRINNING FACE}", ""]).tolist() == ["on", "on"]
    assert not hasattr(model, "decision_function")


def test_fewer_neighbours_and_one_label_are_learned_if_asked_for():
    from sklearn.base import clone

    nearest = demur.intent_classifier("neighbours")
    nearest.set_params(kneighborsclassifier__n_neighbors=1)
    found = clone(nearest).fit(TEXTS[:3], ["x", "y", "z"]).predict(["lamp"])
    assert found.tolist() == ["z"]
    only = demur.intent_classifier("naive-bayes").fit(["a", "b"], ["x", "x"])
    assert only.predict(["c"]).tolist() == ["x"]
