"""Results with pictures, and pictures with all their options, for several tests."""

from dataclasses import replace
from datetime import UTC, datetime
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import demur
import judge_cases
from builders import drawn, graded
from demur import Results
from demur.figures import picture_of
from demur.figures.calibrations import calibration_picture
from demur.figures.comparisons import pair_picture, prices_picture
from demur.figures.contrasts import contrasts_picture
from demur.figures.curves import curves_picture, groups_picture, split_picture
from demur.figures.whole_curves import (
    parts_and_wholes_picture,
    whole_curves_picture,
    whole_groups_picture,
)
from demur.results.pictures import Picture


def system(name: str, seed: int = 0, **more: Any) -> demur.Outcomes:
    return drawn(seed, 80, lambda sure: sure, system=name, **more)


def judged() -> demur.Outcomes:
    outcomes = system("judged")
    people = np.where(outcomes.outcome == 0, "right", "wrong").astype(object)
    people[::3] = None
    return system("judged", groups={"people": people})


def task() -> demur.Difficulty:
    rows = {"word": ["run"] * 30 + ["b$a_nk"] * 30, "sense": ["go", "storm", "x"] * 20}
    return demur.difficulty(rows, markable="word", value="sense")


def scaled() -> demur.Scalability:
    whole = task()
    versions = {"whole": whole, "less": whole.prune(drop_ranks=[2])}
    return demur.scalability(
        {
            name: (version, demur.try_methods(version)[-1].outcomes)
            for name, version in versions.items()
        }
    )


def pipelines(**annotations: Any) -> dict[str, Any]:
    """Results of a pipeline of two modules; annotations are those of every turn."""
    turns = [
        demur.TargetTurn(
            input=word, target={"nlu": word, "dm": [word]}, annotations=annotations
        )
        for word in "abc"
    ]
    dialogues = [demur.TargetDialogue(f"d{n}", turns) for n in range(6)]
    sure = {"a": 0.9, "b": 0.5, "c": 0.2}
    pipeline = demur.Pipeline.of(
        [
            demur.as_module(lambda word: ("a", sure[word]), name="nlu"),
            demur.as_module(lambda act: [act] if act else [], name="dm"),
        ]
    )
    return {
        "PipelineEvaluation": demur.evaluate_pipeline(
            pipeline, dialogues, replace="nlu"
        ),
        "Attribution": demur.attribute_loss(pipeline, dialogues),
        "CutoffSweep": demur.sweep_cutoff(pipeline, dialogues, module="nlu"),
        "PlantedErrors": demur.plant_errors(pipeline, dialogues, module="nlu"),
    }


def results() -> dict[str, Any]:
    """A result of each kind that has a picture."""
    a, b = system("a"), system("b", 1)
    curves = [demur.error_return(outcomes) for outcomes in (a, b)]
    rng = np.random.default_rng(0)
    labels = {name: list(rng.choice(["yes", "$no_"], 30)) for name in ("ann", "bob")}
    return {
        "Agreement": demur.agreement(labels),
        "AverageCurve": demur.average_curve(curves),
        "Calibration": demur.calibration_of(a, targets=[0.5, 0.8], replicates=5),
        "Comparison": demur.compare(a, b),
        "Contrast": demur.contrast(curves[0]),
        "CorrectedCurve": demur.corrected_curve(judged(), "people"),
        "Curve": curves[0],
        "Difficulty": task(),
        "DifferenceBand": demur.difference_band(a, b),
        "History": kept_over_time(),
        "JudgeArrangements": weighed_judges(),
        "LabelScores": demur.label_scores(
            hypotheses=["go", "stop", None, "stop"],
            references=["go", "go", "stop", "$stop_"],
        ),
        "Price": Results(demur.price_list(curves)),
        "Scalability": scaled(),
        "WholeCurve": demur.whole_curve(runs("runs"), people_error=0.1),
        **pipelines(),
    }


def runs(name: str, seed: int = 0) -> demur.Outcomes:
    """Wholes of one to five parts, some not judged, some without a guess."""
    rng = np.random.default_rng(seed)
    whole = np.repeat(np.arange(60), rng.integers(1, 6, 60))
    names = ["right", "right", "right", "wrong", "unanswered", "ungraded"]
    outcome = rng.choice(names, len(whole))
    guesses = outcome != "unanswered"
    return demur.Outcomes.from_arrays(
        system=name,
        item=[f"run{number}" for number in whole],
        part=[f"p{row}" for row in range(len(whole))],
        outcome=outcome,
        confidence=np.where(guesses, rng.random(len(whole)).round(1), np.nan),
        declined=guesses & (rng.random(len(whole)) < 0.2),
    )


def _of_wholes() -> dict[str, Picture]:
    """Wholes alone, beside their parts, by group, and without confidences."""
    a, b, c = (runs(name, seed) for seed, name in enumerate("abc"))
    silent = replace(c, confidence=None)
    wholes, of_many = (
        [demur.whole_curve(part, people_error=0.1) for part in parts]
        for parts in ((a, b, silent), (a, b, c, *(runs(f"s{k}", k) for k in range(4))))
    )
    parts = [demur.error_return(part) for part in (a, b, silent)]
    region: Any = {"region": (0.1, 0.5)}
    return {
        "wholes": whole_curves_picture(wholes, how="step", at=[0.2, 0.6], **region),
        "wholes-of-many": whole_curves_picture(of_many, at=[0.1, 0.3]),
        "parts-and-wholes": parts_and_wholes_picture(parts, wholes, at=0.3, **region),
        "wholes-by-group": whole_groups_picture(
            {"x": {"a": wholes[0], "b": wholes[1]}, "y": {"a": of_many[2]}}, at=0.2
        ),
    }


def weighed_judges() -> demur.JudgeArrangements:
    """Two judges with prices, one of them named so that it is hard to show."""
    judges = demur.judge_outcomes(
        judge_cases.simulated(
            *(np.random.default_rng(0), 120),
            accuracy={"$small_": 0.8, "<b>large": 0.93},
            cannot_tell=0.05,
        ),
        gold="people",
    )
    prices = {"$small_": 0.01, "<b>large": 0.1, "people": 2.0}
    return demur.arrange_judges(judges, prices=prices, most_error=0.2)


def kept_over_time() -> demur.History:
    """Eight runs: errors rise in the fifth, and the last two have other items."""
    with (
        TemporaryDirectory() as folder,
        demur.Store(f"{folder}/runs.sqlite", make=True) as store,
    ):
        for day in range(8):
            n_items, wrong = 90 - (day > 5), 40 if day > 3 else 5
            outcomes = graded(
                [number >= wrong for number in range(n_items)],
                [number / n_items for number in range(n_items)],
                system="a",
                item=[f"q{number}" for number in range(n_items)],
            )
            when = datetime(2027, 3, 1 + day, tzinfo=UTC)
            store.keep(outcomes, when=when, tags=[f"$v_{day}$"])
        return demur.history(store)


def declining(name: str, seed: int) -> demur.Outcomes:
    """Outcomes with all that can become of an input."""
    rng = np.random.default_rng(seed)
    names = ["right", "right", "wrong", "unanswered", "ungraded"]
    outcome = rng.choice(names, 60)
    guesses = outcome != "unanswered"
    answerable = np.arange(60) % 7 > 0
    outcome[~answerable & np.isin(outcome, ["right", "ungraded"])] = "wrong"
    return demur.Outcomes.from_arrays(
        system=name,
        item=[f"q{row}" for row in range(60)],
        outcome=outcome,
        confidence=np.where(guesses, rng.random(60).round(1), np.nan),
        declined=guesses & (rng.random(60) < 0.2),
        answerable=answerable,
    )


def without_confidence(name: str, seed: int) -> demur.Outcomes:
    rng = np.random.default_rng(seed)
    return demur.Outcomes.from_arrays(
        system=name, item=[f"q{n}" for n in range(60)], correct=rng.random(60) < 0.7
    )


def _at_borders() -> dict[str, Picture]:
    """Pictures of scores, of one place, of no errors, and of what surely differs."""
    rng = np.random.default_rng(0)
    half = np.arange(60) % 2 == 0
    score = rng.integers(3, 12, 60)
    scores = graded(score > rng.integers(0, 12, 60), score, system="scores")
    flat, five = (
        graded(half, np.full(60, value), system=f"at {value:g}") for value in (0.7, 5)
    )
    bare = without_confidence("bare", 2)
    good, bad = (
        drawn(seed, 400, lambda sure, p=p: p + 0 * sure, system=name)
        for seed, (name, p) in enumerate({"good": 0.9, "bad": 0.3}.items())
    )
    long = demur.error_return(drawn(3, 3000, lambda sure: sure, system="long"))
    whole = demur.error_return(graded([True] * 9, rng.random(9), system="whole"))
    one = demur.error_return(flat)

    def reliability(*listed: demur.Outcomes, **how: Any) -> Picture:
        made = [
            demur.calibration_of(outcomes, targets=[0.4], replicates=5)
            for outcomes in listed
        ]
        return calibration_picture(made if len(made) > 1 else made[0], **how)

    return {
        "scores": reliability(scores),
        "scores-of-one-value": reliability(five),
        "one-confidence": reliability(flat),
        "scores-and-confidences": reliability(scores, flat, bare, system("a")),
        "pair-of-equals": pair_picture(one, one),
        "pair-that-differs": pair_picture(
            demur.error_return(good),
            demur.error_return(bad),
            band=demur.difference_band(good, bad),
        ),
        "prices-without-errors": prices_picture([whole]),
        "contrasts-of-points": contrasts_picture(
            [demur.contrast(curve) for curve in (one, long)]
        ),
        "curve-of-thousands": curves_picture([long, one], at=0.5),
    }


def pictures() -> dict[str, Picture]:
    """The picture of each result, and pictures with all their options."""
    kinds = {kind: picture_of(result) for kind, result in results().items()}
    a, b, c = (system(name, seed) for seed, name in enumerate("abc"))
    curves = [demur.error_return(outcomes) for outcomes in (a, b, c)]
    rich = [demur.error_return(declining(f"system {n}", n)) for n in range(4)]
    point = demur.error_return(without_confidence("point", 3))
    bands = [demur.band(outcomes) for outcomes in (a, b)]
    both = {"at": [0.2, 0.6], "region": (0.1, 0.5)}
    calibrations = [
        demur.calibration_of(system(f"s{seed}", seed), targets=[0.7], replicates=5)
        for seed in range(8)
    ]
    return {
        **kinds,
        **_at_borders(),
        **_of_wholes(),
        "curves-with-bands": curves_picture(
            [*curves[:2], point], bands=[*bands, None], **both
        ),
        "curves-in-steps": curves_picture(
            [*rich, point], how="step", missed=True, labels=list("vwxyz"), at=0.3
        ),
        "curves-of-one": curves_picture(rich[0], label="mine", at=0.4),
        "curves-of-many": curves_picture([*curves, *rich, *curves, *rich]),
        "groups": groups_picture(
            {"x": {"a": curves[0], "r": rich[0]}, "y": {"a": curves[1]}}, at=0.2
        ),
        "split": split_picture(rich[0], at=0.5),
        "split-of-many": split_picture([*rich, point], at=0.2),
        "pair": pair_picture(
            *curves[:2],
            band=demur.difference_band(a, b),
            bands=bands,
            **both,
        ),
        "prices": prices_picture(curves),
        "contrasts": contrasts_picture([demur.contrast(curve) for curve in curves]),
        "contrasts-of-many": contrasts_picture(
            [demur.contrast(curve) for curve in (*curves, *rich)]
        ),
        "calibration-with-rates": calibration_picture(calibrations[0], **both),
        "calibrations": calibration_picture(calibrations[:3], how="step", at=0.3),
        "calibrations-apart": calibration_picture(calibrations, curves=False),
    }
