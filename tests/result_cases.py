"""A result of every kind, and results of data with all that can become of an input."""

from functools import cache
from typing import Any

import numpy as np

import demur
from builders import graded
from demur.outcomes.parts import stacked
from further_cases import further_results
from picture_cases import declining, pipelines, scaled, task, without_confidence


def outcomes(name: str, every: int, **further: object) -> demur.Outcomes:
    """A system that errs in every so many items, by a name that is hard to show."""
    return graded(
        [number % every > 0 for number in range(60)],
        np.linspace(0.2, 0.9, 60),
        system=f"<b>{name}</b>",
        **further,
    )


A, B = outcomes("a", 3), outcomes("b", 5)
CHOICE = demur.choose(A, max_error=0.2)
LOCK = demur.lock(A, CHOICE)
THREE = demur.sample(A, budget=3, purpose="cutoff")
TOPICS = outcomes("t", 3, groups={"topic": ["x", "y"] * 30, "fold": [1, 2, 3] * 20})
JUDGED = outcomes("j", 3, groups={"gold": ["right", "wrong", None] * 20})
REFERENCES = [
    {"item": f"q{number}", "reference": "yes", "subject": f"s{number % 4}"}
    for number in range(12)
]

RESULTS: dict[str, demur.Result] = {
    "outcomes": A,
    "curve": demur.error_return(A),
    "curves": demur.curve_by(TOPICS, by="topic"),
    "vertices": demur.error_return(A).vertices,
    "split": demur.error_return(A).split,
    "contrast": demur.contrast(demur.error_return(A)),
    "average": demur.average_curve([demur.error_return(A), demur.error_return(B)]),
    "corrected": demur.corrected_error(JUDGED, "gold"),
    "corrected_curve": demur.corrected_curve(JUDGED, "gold"),
    "point": demur.error_return(A).at(nonreturn=0.2),
    "area": demur.error_return(A).area(),
    "interval": demur.interval(A, "error", at=0.2),
    "band": demur.band(A),
    "difference_curve": demur.difference_curve(
        demur.error_return(A), demur.error_return(B)
    ),
    "difference_band": demur.difference_band(A, B),
    "choice": CHOICE,
    "recheck": demur.recheck(LOCK, A),
    "lock": LOCK,
    "declining": demur.declining_by(TOPICS, "topic", cutoff=0.4),
    "pooled": demur.check_pooled(TOPICS),
    "plan": demur.certificate_plan(max_error=0.1, certainty=0.95),
    "comparison": demur.compare(A, B),
    "comparison-at-rates": demur.compare(A, B, at=[0.1, 0.4], margin=0.05),
    "comparisons": demur.compare_all([A, B, outcomes("c", 4)], quantity="all"),
    "prices": demur.price_list([demur.error_return(A), demur.error_return(B)]),
    "comparison_plan": demur.comparison_plan(A, B, difference=0.1),
    "calibration": demur.calibration_of(A, targets=[0.5]),
    "calibrations": demur.calibration_by(TOPICS, by="topic"),
    "scores": demur.score(A),
    "lints": demur.lint(REFERENCES),
    "reservation": demur.reserve(REFERENCES, by=["subject"]),
    "sketch": demur.sketch(TOPICS, by="topic", least_count=7),
    "merged": demur.merge({"one": REFERENCES}),
    "drawn": demur.sample(A, budget=20, purpose="recheck", lock=LOCK),
    "drawn_part": demur.sample(A, budget=20, purpose="judge").parts[0],
    "labelled_counts": demur.label_counts(
        demur.take_labels(
            THREE.outcomes,
            [
                {**row, "verdict": word}
                for row, word in zip(THREE.sheet, ["wrong", "", "yes"], strict=True)
            ],
        )
    ),
}


# -- richer ------------------------------------------------------------------------


def clustered(name: str, seed: int) -> demur.Outcomes:
    """Answers in clusters of unequal sizes and weights, with credits and ties."""
    rng = np.random.default_rng(seed)
    n = 120
    confidence = rng.random(n).round(1)
    right = rng.random(n) < 0.3 + 0.6 * confidence
    return demur.Outcomes.from_arrays(
        system=name,
        item=[f"q{row}" for row in range(n)],
        correct=np.where(rng.random(n) < 0.1, 0.5, right),
        confidence=confidence,
        cluster=[f"c{int(row**0.7)}" for row in range(n)],
        weight=1 + np.arange(n) % 3,
        groups={"topic": np.where(np.arange(n) % 5 < 2, "x", "y")},
    )


def costs(name: str, seed: int) -> demur.Outcomes:
    rng = np.random.default_rng(seed)
    known = {"item": [f"q{row}" for row in range(60)], "system": name}
    loss = rng.choice([0.0, 0.25, 1.0], 60, p=[0.6, 0.2, 0.2])
    return demur.Outcomes.from_arrays(
        correct=1 - loss, confidence=rng.random(60).round(2), **known
    )


def _curve_results() -> dict[str, Any]:
    rich, few = declining("d", 1), declining("e", 2)
    tied, other = clustered("f", 3), clustered("g", 4)
    bare = without_confidence("h", 5)
    curves = [demur.error_return(each) for each in (rich, few, tied, bare)]
    return {
        "rich-outcomes": rich,
        "rich-curve": curves[0],
        "rich-vertices": curves[0].vertices,
        "rich-split": curves[0].split,
        "rich-contrast": demur.contrast(curves[0]),
        "rich-point": curves[0].at(nonreturn=0.5),
        "rich-error-point": curves[0].at(error=0.1),
        "rich-area": curves[0].area(),
        "bare-curve": curves[3],
        "tied-curve": curves[2],
        "tied-contrast": demur.contrast(curves[2]),
        "tied-step": curves[2].at(nonreturn=0.33, how="at_most"),
        "costs-curve": demur.error_return(costs("k", 1)),
        "interval": demur.interval(tied, "error", at=0.2),
        "interval-of-area": demur.interval(rich, "area"),
        "interval-of-nonreturn": demur.interval(tied, "nonreturn", at=0.1),
        "tied-band": demur.band(tied),
        "rich-score": demur.score(rich),
        "tied-score": demur.score(tied),
        "pooled-topics": demur.check_pooled(tied, fold="topic"),
        "normalised": demur.rank_normalised(tied, fold="topic"),
        "calibration": demur.calibration_of(tied, targets=[0.3, 0.8], replicates=50),
        "rich-calibration": demur.calibration_of(rich, replicates=50),
        "several-prices": demur.price_list(curves[:3]),
        "prices-held-out": demur.price_list(
            [*map(demur.error_return, (A, B))], held_out=stacked([A, B])
        ),
        "corrected-at": demur.corrected_error(JUDGED, "gold", nonreturn=0.3),
        "tied-band-of-difference": demur.difference_band(tied, other),
    }


def _comparisons() -> dict[str, Any]:
    rich, few = declining("d", 1), declining("e", 2)
    tied, other = clustered("f", 3), clustered("g", 4)
    a, b = without_confidence("h", 5), without_confidence("i", 6)
    many = {"method": "bootstrap", "at": 0.3}
    return {
        "compare-rich": demur.compare(rich, few),
        "compare-clusters": demur.compare(tied, other, at=0.4, margin=0.1),
        "compare-bare": demur.compare(a, b, margin=0.05),
        "compare-costs": demur.compare(costs("k", 1), costs("l", 2), area=(0.1, 0.5)),
        "compare-by-bootstrap": demur.compare(tied, other, **many),
        "compare-by-permutation": demur.compare(A, B, method="permutation"),
        "compare-influence": demur.compare(A, B, method="influence", at_error=0.1),
        "compare-all-rich": demur.compare_all([rich, few, declining("j", 7)]),
        "plan-of-clusters": demur.comparison_plan(tied, other, difference=0.1),
        "plan-of-items": demur.comparison_plan(A, B, difference=0.05),
    }


def _decisions() -> dict[str, Any]:
    rich, tied = declining("d", 1), clustered("f", 3)
    certified = demur.choose(A, max_error=0.3, certainty=0.9)
    lock = demur.lock(A, certified)
    return {
        "choose-cost": demur.choose(rich, cost_ratio=0.4),
        "choose-target": demur.choose(tied, confidence_target=0.7),
        "choose-error": demur.choose(rich, max_error=0.2, of="answered"),
        "choose-nonreturn": demur.choose(tied, nonreturn=0.3),
        "choose-balance": demur.choose(rich, balance=True),
        "choose-certified": certified,
        "choose-clusters": demur.choose(tied, max_error=0.4, certainty=0.8),
        "recheck-certified": demur.recheck(lock, A),
        "recheck-worse": demur.recheck(lock, outcomes("a", 2)),
        "plan-of-answered": demur.certificate_plan(
            max_error=0.1, certainty=0.9, of="answered"
        ),
        "plan-of-pilot": demur.certificate_plan(max_error=0.2, pilot=A),
        "plan-of-none": demur.certificate_plan(max_error=0.05, pilot=rich),
        "choose-answered": demur.choose(B, max_error=0.5, of="answered", certainty=0.8),
    }


def _tasks() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    labels = {
        name: [
            None if rng.random() < 0.1 else rng.choice(list("xyz")) for _ in "a" * 40
        ]
        for name in ("ann", "bob", "cy")
    }
    says = ["the cat sat", "on the mat", "it is flat"]
    heard = ["the cat", "on a mat now", None]
    other = ["the bat sat", "on the", "is it flat"]
    words = demur.word_errors(hypotheses=heard, references=says)
    worse = demur.word_errors(hypotheses=other, references=says)
    target = ["yes", "no", "yes", "yes", "no", "maybe"] * 3
    given = ["yes", "yes", "no", None, "no", "maybe"] * 3
    return {
        "difficulty": task(),
        "methods": demur.try_methods(task()),
        "scalability": scaled(),
        "agreement": demur.agreement(labels),
        "words": words,
        "words-compared": demur.compare_words(words, worse),
        "labels": demur.label_scores(hypotheses=given, references=target),
        **pipelines(),
    }


@cache
def every_result() -> dict[str, Any]:
    """Results whose words and numbers are kept, by name."""
    richer = _curve_results() | _comparisons() | _decisions() | _tasks()
    return RESULTS | richer | further_results()
