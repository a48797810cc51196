"""Two decisions in a row, with stub estimators whose scores are known."""

import numpy as np
import pytest

import demur
from builders import refuses

ASKED = [demur.Input(k, text) for k, text in enumerate(["in a", "in b", "out"])]


class Stub:
    """Remembers what it learned from; its scores are looked up by text."""

    def __init__(self, method, scores):
        self.scores = scores
        setattr(self, method, lambda texts: np.array([scores[t] for t in texts]))

    def fit(self, texts, targets):
        self.learned = list(zip(texts, targets, strict=True))
        self.classes_ = np.array(sorted(set(targets)))
        return self


def detector(method="predict_proba"):
    inside = {"in a": 0.9, "in b": 0.6, "out": 0.2}
    if method == "predict_proba":
        return Stub(method, {t: [1 - p, p] for t, p in inside.items()})
    return Stub(method, {t: p - 0.5 for t, p in inside.items()})


def classifier(method="predict_proba"):
    return Stub(method, {"in a": [0.7, 0.3], "in b": [0.2, 0.8], "out": [0.5, 0.5]})


def fitted(*parts, **options):
    texts, labels = ["x", "y", "z"], ["a", "b", None]
    return demur.TwoStage(*parts, **options).fit(texts, labels)


def answers(system):
    found = system.respond(ASKED)
    return [(a.response, round(a.confidence, 9), a.declined) for a in found]


def test_each_stage_learns_its_own_decision():
    system = fitted(detector(), classifier())
    assert system.detector.learned == [("x", True), ("y", True), ("z", False)]
    assert system.classifier.learned == [("x", "a"), ("y", "b")]


def test_the_detector_declines_and_the_guess_stays():
    wanted = [("a", 0.9, False), ("b", 0.6, False), ("a", 0.2, True)]
    assert answers(fitted(detector(), classifier())) == wanted


def test_the_product_and_the_sum():
    system = fitted(detector(), classifier(), combine="product")
    assert [each[1] for each in answers(system)] == [0.63, 0.48, 0.1]
    scores = (detector("decision_function"), classifier("decision_function"))
    system = fitted(*scores, combine="sum")
    wanted = [("a", 1.1, False), ("b", 0.9, False), ("a", 0.2, True)]
    assert answers(system) == wanted


@pytest.mark.parametrize(
    ("method", "scores"),
    [
        ("predict_proba", {"in a": [0.5, 0.5], "in b": [0.51, 0.49], "out": [1, 0]}),
        ("decision_function", {"in a": 0.0, "in b": -0.01, "out": -1}),
    ],
)
def test_the_border_of_the_detector_is_inside(method, scores):
    system = fitted(Stub(method, scores), classifier())
    assert [declined for *_, declined in answers(system)] == [False, True, True]


def test_two_classes_with_one_score():
    one = Stub("decision_function", {"in a": -2.0, "in b": 1.0, "out": 0.5})
    assert [each[0] for each in answers(fitted(detector(), one))] == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["a", "b"], "one for each input"),
        (["a", "b", "c"], "with and without an answer"),
        ([None] * 3, "with and without an answer"),
    ],
)
def test_what_cannot_be_learned(labels, words):
    with pytest.raises(demur.InputError, match=words):
        demur.TwoStage(detector(), classifier()).fit(["x", "y", "z"], labels)


def test_what_is_refused():
    with pytest.raises(demur.InputError, match="combine"):
        demur.TwoStage(detector(), classifier(), combine="both")
    system = fitted(detector("decision_function"), classifier(), combine="product")
    refuses("predict_proba for a product", system.respond, ASKED)
    unsure = {**classifier().scores, "out": [np.nan, 0.5]}
    system_of_nan = fitted(detector(), Stub("predict_proba", unsure))
    refuses("got NaN for input 3 of 3", system_of_nan.respond, ASKED)
    assert fitted(detector(), classifier()).respond([]) == []
    assert isinstance(system, demur.Trainable)
    assert str(system) == "two_stage(Stub, Stub, combine=product)"


def test_a_detector_may_score_both_classes():
    inside = {"in a": [-0.3, 0.5], "in b": [0.2, 0.4], "out": [-0.1, -0.9]}
    system = fitted(Stub("decision_function", inside), classifier())
    assert answers(system) == [("a", 0.4, False), ("b", 0.1, False), ("a", -0.4, True)]
    pairs = Stub("decision_function", {text: [0.1] * 3 for text in inside})
    refuses(
        r"give shape \(3, 2\); got \(3, 3\)", fitted(pairs, classifier()).respond, ASKED
    )


def test_two_relevance_models_answer_each_input_by_itself():
    texts = ["red car", "blue car", "green tree", "pizza", "rain"]
    parts = demur.RelevanceModel(), demur.RelevanceModel()
    system = demur.TwoStage(*parts).fit(texts, ["r", "b", "g", None, None])
    alone = [system.respond([demur.Input(k, t)])[0] for k, t in enumerate(texts)]
    together = system.respond([demur.Input(k, t) for k, t in enumerate(texts)])
    for one, other in zip(alone, together, strict=True):
        assert one.confidence == pytest.approx(other.confidence), one.item
    assert [one.declined for one in together] == [False] * 3 + [True] * 2
