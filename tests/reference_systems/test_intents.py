"""Ready pipelines: all learn, and work as systems."""

import pytest

import demur
from builders import refuses
from demur.reference_systems.intents import INTENT_CLASSIFIERS

TEXTS = ["turn the light on", "light on", "lamp on please", "light off", "lamp off"] * 5
LABELS = ["on", "on", "on", "off", "off"] * 5


@pytest.mark.parametrize("kind", INTENT_CLASSIFIERS)
def test_a_ready_pipeline_learns_and_is_a_system(kind):
    model = demur.intent_classifier(kind).fit(TEXTS, LABELS)
    system = demur.as_system(model)
    found = system.respond([demur.Input(1, "light on now"), demur.Input(2, "go off")])
    assert [a.response for a in found] == ["on", "off"]
    assert all(a.confidence is not None for a in found)


def test_names_and_the_extra(monkeypatch):
    refuses("linear-svm", demur.intent_classifier, "best")
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(demur.MissingExtra, match=r"demur\[learn\]"):
        demur.intent_classifier()
