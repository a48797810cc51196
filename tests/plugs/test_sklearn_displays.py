"""Beside scikit-learn: the Display, and the scorer in a search over two processes."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import demur

X, Y = make_classification(300, n_informative=4, flip_y=0.2, random_state=0)
TRAIN, TEST = slice(0, 200), slice(200, 300)


@pytest.fixture(scope="module")
def model():
    return LogisticRegression().fit(X[TRAIN], Y[TRAIN])


def curve_by_hand(model, x, y, **columns):
    sure = model.predict_proba(x).max(axis=1)
    correct = model.predict(x) == y
    return demur.error_return(
        demur.Outcomes.from_arrays(correct=correct, confidence=sure, **columns)
    )


def test_a_display_has_the_curve_and_what_it_was_drawn_on(model):
    display = demur.ErrorReturnDisplay.from_estimator(model, X[TEST], Y[TEST])
    by_hand = curve_by_hand(model, X[TEST], Y[TEST])
    assert np.array_equal(display.curve.error, by_hand.error)
    assert display.line_ in display.ax_.get_lines()
    assert display.figure_ is display.ax_.figure
    heights = np.interp(by_hand.nonreturn, *display.line_.get_data())
    assert heights == pytest.approx(by_hand.error)
    sure = model.predict_proba(X[TEST]).max(axis=1)
    predicted = model.predict(X[TEST])
    same = demur.ErrorReturnDisplay.from_predictions(Y[TEST], predicted, sure)
    assert np.array_equal(same.curve.error, by_hand.error)


def test_two_displays_stand_on_one_pair_of_axes(model):
    other = LogisticRegression(C=1e-4).fit(X[TRAIN], Y[TRAIN])
    ax = Figure().subplots()
    lines = []
    for name, fitted in (("one", model), ("two", other)):
        display = demur.ErrorReturnDisplay.from_estimator(
            fitted, X[TEST], Y[TEST], name=name, ax=ax, missed=False
        )
        assert display.ax_ is ax
        lines.append(display.line_)
    assert lines[0] is not lines[1]
    assert [line.get_label() for line in lines] == ["one", "two"]
    again = display.plot(ax=Figure().subplots())
    assert again is display
    assert display.ax_ is not ax


def test_the_name_of_an_estimator_is_its_class_as_in_scikit_learn(model):
    display = demur.ErrorReturnDisplay.from_estimator(model, X[TEST], Y[TEST])
    assert display.curve.system == "LogisticRegression"


def test_a_scorer_is_minus_the_error_of_the_curve(model):
    scorer = demur.NegativeErrorAt(nonreturn=0.3)
    by_hand = curve_by_hand(model, X[TEST], Y[TEST]).at(nonreturn=0.3).error
    assert scorer(model, X[TEST], Y[TEST]) == -by_hand
    weight = np.where(Y[TEST] == 1, 2.0, 1.0)
    weighed = curve_by_hand(model, X[TEST], Y[TEST], weight=weight)
    expected = -weighed.at(nonreturn=0.3).error
    assert scorer(model, X[TEST], Y[TEST], sample_weight=weight) == expected
    assert pickle.loads(pickle.dumps(scorer)) == scorer


def best_of_a_search(scorer, n_jobs):
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": [1e-5, 1.0]}
    search = GridSearchCV(pipeline, grid, scoring=scorer, cv=3, n_jobs=n_jobs)
    return search.fit(X, Y)


def test_a_search_takes_the_scorer_as_it_would_reach_another_process():
    scorer = pickle.loads(pickle.dumps(demur.NegativeErrorAt(nonreturn=0.2)))
    search = best_of_a_search(scorer, n_jobs=1)
    alone = cross_val_score(search.best_estimator_, X, Y, scoring=scorer, cv=3)
    assert search.best_score_ == pytest.approx(alone.mean())
    assert -0.5 < search.best_score_ < 0


@pytest.mark.plugs  # two processes that load scikit-learn take their time
def test_a_search_over_two_processes_finds_the_same():
    scorer = demur.NegativeErrorAt(nonreturn=0.2)
    one, two = (best_of_a_search(scorer, n_jobs) for n_jobs in (1, 2))
    assert two.best_params_ == one.best_params_
    assert two.best_score_ == one.best_score_


def test_a_margin_says_how_sure_where_there_are_no_probabilities(model):
    margins = SimpleNamespace(
        predict=model.predict, decision_function=model.decision_function
    )
    by_hand = curve_by_hand(model, X[TEST], Y[TEST]).at(nonreturn=0.2).error
    assert demur.NegativeErrorAt(0.2)(margins, X[TEST], Y[TEST]) == -by_hand

    def columns(x):
        return -np.abs(np.subtract.outer(np.asarray(x)[:, 0], [0.0, 1.0, 2.0]))

    three = SimpleNamespace(
        predict=lambda x: columns(x).argmax(axis=1), decision_function=columns
    )
    assert demur.NegativeErrorAt(0.5)(three, [[0.0], [1.4]], [0, 2]) == 0


def test_what_cannot_be_scored_is_said(model):
    silent = SimpleNamespace(predict=model.predict)
    with pytest.raises(demur.InputError, match="have predict_proba or decision_f"):
        demur.NegativeErrorAt()(silent, X[TEST], Y[TEST])
    with pytest.raises(demur.InputError, match="nonreturn must be"):
        demur.NegativeErrorAt(nonreturn=20)
    with pytest.raises(demur.InputError, match=r"equal length.*\(2,\) and \(1,\)"):
        demur.ErrorReturnDisplay.from_predictions([0, 1], [0], [0.5])
