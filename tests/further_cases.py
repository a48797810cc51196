"""Results of the other verbs, from rows with gaps, clusters and groups."""

from typing import Any

import numpy as np

import demur
import judge_cases
from builders import graded
from demur.outcomes.parts import stacked
from demur.pipelines.pipeline_reports import PipelineReport
from picture_cases import declining, scaled, system, task
from pipeline_cases import pipeline, random_dialogues, target_dialogues
from planted_judges import PlantedJudge, answers

SIZE = 48
ROWS = np.arange(SIZE)


def metrics() -> dict[str, Any]:
    """What each measure of ``demur metrics`` finds in some rows."""
    rng = np.random.default_rng(11)
    cluster = [f"s{row % 7}" for row in ROWS]
    said = ["the cat sat", "on a mat", "it is flat", "is it"]
    words = {
        "ref": [said[row % 4] for row in ROWS],
        "hyp": [None if row % 9 == 0 else said[row * row % 4] for row in ROWS],
        "cluster": cluster,
    }
    fewer = words | {"hyp": [said[row % 4][: 4 + row % 9] for row in ROWS]}
    concepts = {
        "ref": [[["yes", "yes"], ["city", "Rome"]], [["city", "Oslo"]]] * (SIZE // 2),
        "hyp": [[["city", "Rome"], ["yes", "no"]], [["city", "Rome"]], None]
        * (SIZE // 3),
    }
    tags = {
        "ref": ["B-x I-x O", "O B-y O", "B-x O I-y"] * (SIZE // 3),
        "hyp": ["B-x I-x O", "O B-x O"] * (SIZE // 2),
        "cluster": cluster,
    }
    states = {
        "ref": [{"room": "A", "date": "none"}, {"room": "B"}] * (SIZE // 2),
        "hyp": [{"room": "A"}, {"room": "A", "date": "dontcare"}, {}] * (SIZE // 3),
        "dialogue": [f"d{row // 5}" for row in ROWS],
    }
    events = ["", "timeout", "help", "barge-in"]
    log = {
        "dialogue": [f"d{row // 6}" for row in ROWS],
        "speaker": ["user", "system"] * (SIZE // 2),
        "start": ROWS * 2.5,
        "end": ROWS * 2.5 + rng.random(SIZE).round(2),
        "score": np.where(ROWS // 6 == 2, np.nan, rng.random(SIZE).round(2)),
        "event": rng.choice(events, SIZE, p=[0.5, 0.1, 0.2, 0.2]),
    }
    rated = {
        "satisfaction": (3 + rng.normal(size=SIZE)).round(1),
        "turns": rng.integers(3, 30, SIZE),
        "repairs": rng.integers(0, 5, SIZE),
        "agent": ["x", "y"] * (SIZE // 2),
        "user": [f"u{row % 6}" for row in ROWS],
    }
    rated["satisfaction"] += 0.1 * rated["turns"] - 0.5 * rated["repairs"]
    named = ["turns", "repairs"]
    labels = {
        "ref": ["a", "b", "c", "a"] * (SIZE // 4),
        "hyp": ["a", "c", None, "b", "a", "a"] * (SIZE // 6),
        "cluster": cluster,
    }
    blamed = [{"agent": "Web", "step": k} for k in (3, 1, 12)]
    blames = [{"agent": "Web", "step": 3}, {"agent": "Coder", "step": 12}, None]
    failures = {"ref": blamed * 16, "hyp": blames[::-1] * 16, "cluster": cluster}
    heard, better = demur.word_errors(words), demur.word_errors(fewer)
    said_or_not = ["yes", "no", None] * 16
    taken = ["yes", "yes", None, "no"] * 12
    return {
        "concepts": demur.concept_errors(concepts),
        "concepts-in-bags": demur.concept_errors(
            concepts, order="bag", classes={"yes": "value-insensitive"}
        ),
        "coreference": demur.coreference_scores(
            hypotheses=[[[*"abc"], [*"de"]], None, [[*"ab"], ["c"], ["c"]]] * 4,
            references=[[[*"ab"], [*"cde"], ["f"]]] * 12,
        ),
        "costs": demur.dialogue_costs(log),
        "decisive-steps": demur.decisive_steps(failures),
        "grammar": demur.grammar_outcomes(hypotheses=taken, references=said_or_not),
        "labels-of-clusters": demur.label_scores(labels),
        "new-words": demur.out_of_vocabulary(
            ["the", "cat", "is", "on"],
            hypotheses=["the cat", "it is", "on the hat"],
            references=["the bat", "it is flat", "on the mat"],
        ),
        "perplexity": demur.text_perplexity(
            [*said, "the bat", "it is on a hat"],
            demur.ngram_model(said, order=2, smoothing="witten-bell"),
        ),
        "perplexity-of-clusters": demur.text_perplexity(
            words["ref"],
            demur.ngram_model(said[:2], order=3),
            cluster=cluster,
        ),
        "performance": demur.paradise(rated, "satisfaction", named, by="agent"),
        "performance-by-aic": demur.paradise(
            rated, "satisfaction", named, method="aic", group="user"
        ),
        "discourse": demur.discourse_measures(states),
        "slots": demur.slot_scores(states),
        "spans": demur.span_scores(tags),
        "words-of-clusters": heard,
        "words-of-clusters-compared": demur.compare_words(heard, better),
        "words-the-other-way": demur.compare_words(better, heard),
    }


def difficulties() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    kinds = ["x", "y"] * (SIZE // 2)
    bits = {
        "p_with": rng.uniform(0.1, 1, SIZE).tolist(),
        "p_without": rng.uniform(0.1, 1, SIZE).tolist(),
        "kind": kinds,
        "doc": [f"d{row % 9}" for row in ROWS],
        "item": [f"q{row}" for row in ROWS],
    }
    hard, able = rng.normal(size=(40, 1)), np.linspace(-2, 2, 10)
    right = rng.random((40, 10)) < 1 / (1 + np.exp(hard - able))
    asked = graded(
        right.ravel(),
        item=[f"q{number}" for number in np.repeat(np.arange(40), 10)],
        system=[f"s{number}" for number in range(10)] * 40,
    )
    tokens = {
        "word": rng.choice(["bank", "run", "set"], 150, p=[0.5, 0.3, 0.2]).tolist(),
        "sense": rng.choice(["1", "2", "3"], 150, p=[0.6, 0.3, 0.1]).tolist(),
        "doc": [f"d{row % 8}" for row in range(150)],
    }
    found = demur.difficulty(tokens, markable="word", value="sense", cluster="doc")
    beside = [f"{sense}{row % 3}" for row, sense in enumerate(tokens["sense"])]
    return {
        "bits": demur.usable_information(bits, by="kind", cluster="doc"),
        "decisions": demur.decision_table([16, 4, 4, 4, 4], accuracy=0.9),
        "rasch": demur.rasch(asked),
        "difficulty-of-clusters": found,
        "difficulty-pruned": found.prune(drop_ranks=[3]),
        "methods-of-clusters": demur.try_methods(
            found, [beside], folds=4, methods=["naive-bayes", "tf-idf"]
        ),
        "scalability-of-errors": demur.scalability(
            {
                name: (version, demur.try_methods(version, folds=4)[-1].outcomes)
                for name, version in (("whole", task()), ("all", found))
            },
            y="error",
            at=0.2,
        ),
        "scalability-of-lift": demur.scalability(
            {name: (task(), demur.try_methods(task())[-1].outcomes) for name in "ab"},
            x="perplexity",
            y="lift",
        ),
        "scalability-of-two": scaled(),
    }


def agreements() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    truth = rng.choice(["right", "wrong"], SIZE)
    flips = {"judge": 0.2, "strict": 0.5}
    other = {"right": "wrong", "wrong": "right"}
    rows = [
        {
            "unit": f"u{row}",
            "annotator": name,
            "kind": "xyz"[row % 3],
            "cluster": f"c{row // 4}",
            "label": other[truth[row]] if rng.random() < flips.get(name, 0) else label,
        }
        for row in ROWS.tolist()
        for name in ("people", "judge", "strict")
        for label in [str(truth[row])]
    ]
    scores = [
        {"unit": f"u{row}", "annotator": name, "label": int(rng.integers(1, 5))}
        for row in range(12)
        for name in ("ann", "bob", "cy")
        if (row + len(name)) % 5
    ]
    sets = {
        "ann": [frozenset("ab"), frozenset("a"), frozenset(), None] * 6,
        "bob": [frozenset("a"), frozenset("ab"), frozenset("c"), frozenset("b")] * 6,
    }
    return {
        "judges": demur.agreement(rows, key="people", by="kind"),
        "agreement-of-numbers": demur.agreement(scores, metric="interval"),
        "agreement-of-ranks": demur.agreement(scores, metric="ordinal"),
        "agreement-of-sets": demur.agreement(sets, metric="masi"),
    }


def checked_judges() -> dict[str, Any]:
    judged = answers(items=16)
    biased = PlantedJudge(2, sampling=False, order=0.5)
    found = demur.check_judge(biased, *judged, own_systems="a", people="people")
    return {
        "judge-checks": found,
        "judge-checks-untested": demur.check_judge(biased, *judged, ["order", "own"]),
        "judge-effect": found.effect("order"),
    }


def sure(text: str) -> tuple[str, float]:
    return text if text != "b" else "c", {"a": 0.9, "b": 0.2, "c": 0.6}.get(text, 0.4)


def runs_of_pipelines() -> dict[str, Any]:
    dialogues = target_dialogues(random_dialogues(3, 12, gaps=False))
    gaps = target_dialogues(random_dialogues(4, 12))
    whole = pipeline()
    trace = next(each for each in dialogues if len(each.turns) == 4)
    doubted = demur.Pipeline.of(
        [
            demur.as_module(sure, name="nlu"),
            demur.as_module(lambda act: act and [f"re.{act}"], name="policy"),
        ]
    )
    replaced = {
        name: demur.evaluate_pipeline(whole, dialogues, replace=name)
        for name in ("nlu", "tracker")
    }
    blame = demur.attribute_loss(whole, dialogues)
    tables = [("one", "79.3%", 317), ("two", "76.7%", 317), ("three", "50 %", 12)]

    return {
        "steps": demur.attribute_steps(whole, trace),
        "steps-sampled": demur.attribute_steps(whole, trace, permutations=4),
        "blame": blame,
        "blame-with-gaps": demur.attribute_loss(whole, gaps, permutations=5),
        "blame-of-better": demur.attribute_loss(
            whole, dialogues, better={"nlu": "one"}
        ),
        "pipeline-evaluated-with-gaps": demur.evaluate_pipeline(
            whole, gaps, replace="nlu", test="wilcoxon", cluster="turn"
        ),
        "pipeline-report": PipelineReport(tuple(replaced.values()), blame),
        "pipeline-run": demur.run_pipeline(whole, gaps, given={"tracker": "one"}),
        "turn-explained": demur.explain_turn(whole, dialogues, "d0:1"),
        "errors-planted": demur.plant_errors(whole, dialogues, module="nlu"),
        "errors-planted-early": demur.plant_errors(
            whole, dialogues, module="tracker", latest=1
        ),
        "cutoffs-swept": demur.sweep_cutoff(
            doubted, gaps, module="nlu", prices=[0.3, 0.7]
        ),
        "percentages": demur.check_percentages(tables)[0],
        "percentages-of-few": demur.check_percentages(tables)[2],
    }


def references() -> dict[str, Any]:
    plain = [
        {
            "item": f"q{row}",
            "input": f"Who flies {row % 9}?",
            "reference": "()" if row % 5 == 0 else "yes",
            "subject": f"s{row // 3}",
            "site": f"t{row % 2}",
        }
        for row in range(24)
    ]
    answers = [
        {"item": f"q{row}", "system": name, "response": text}
        for row in range(24)
        for name, text in (("a", "yes"), ("b", ["yes", "no"][row % 2]), ("c", "no"))
    ]
    why = {"by": "Ada", "why": "two readings"}
    rulings = [
        {"item": "q1", **why, "set": {"reference": "no"}},
        {"item": "q3", **why, "set": {"references": ["no", "yes"]}},
        {"item": "q5", **why, "remove": True},
    ]
    return {
        "adjudicated": demur.adjudicate(answers, plain, rulings),
        "lints-of-many": demur.lint(plain),
        "neighbours-of-two": demur.Neighbours(
            *((), (demur.MutantCounts("air.sqlite", 20, 100, 70, 20),)),
            faults=(demur.MutantCounts("edge", 15, 60, 40, 11),),
            instances=(demur.Instance("air-1.sqlite", "air.sqlite", 40, 20, 19),),
            still=(demur.LivingMutant("q1", "air.sqlite", "edge", "b >= 1", "b > 1"),),
            notes=("a mutant that lives may be another way to write its query",),
            recipe={"seed": "0"},
        ),
        "merged-of-two": demur.merge({"one": plain[:12], "two": plain[6:]}),
        "reserved-in-strata": demur.reserve(
            plain, by="subject", share=0.4, stratify="site"
        ),
    }


def decisions() -> dict[str, Any]:
    rich, plain, other = declining("d", 1), system("e"), system("f", 1)
    many = [rich, plain, other]
    cutoffs = [demur.choose(each, max_error=0.3) for each in many]
    locks = [
        demur.lock(each, cutoff) for each, cutoff in zip(many, cutoffs, strict=True)
    ]
    topics = system("t", 4, groups={"topic": [f"t{row % 3}" for row in range(80)]})
    moved = system("e", 3)
    return {
        "choices": demur.Choices(cutoffs),
        "choose-score": demur.choose(rich, score="omniscience-index"),
        "choose-each": demur.choose(topics, max_error=0.6, certainty=0.8, each="topic"),
        "declining-with-gaps": demur.declining_by(topics, "topic", cutoff=0.5),
        "drift": demur.recheck(locks[1], moved).drift,
        "locks": demur.Locks(locks),
        "recheck-moved": demur.recheck(locks[1], moved),
        "rechecks": demur.Rechecks(
            [demur.recheck(kept, each) for kept, each in zip(locks, many, strict=True)]
        ),
    }


def comparisons() -> dict[str, Any]:
    names = ["right", "wrong", "unanswered", "ungraded"]
    rng = np.random.default_rng(8)
    parts = [
        demur.Outcomes.from_arrays(
            system=name,
            item=[f"q{row}" for row in range(90)],
            outcome=rng.choice(names, 90, p=share),
            groups={"class": ["A", "D", "X"] * 30},
        )
        for name, share in (
            ("a", [0.6, 0.2, 0.15, 0.05]),
            ("b", [0.5, 0.1, 0.4, 0]),
            ("c", [0.5, 0.1, 0.35, 0.05]),
        )
    ]
    every = stacked(parts)
    graded_only = stacked([system("g"), system("h", 1)])
    return {
        "scores-of-three": demur.score(every),
        "scores-of-two": demur.score(graded_only),
        "geometry": demur.compare(system("g"), system("h", 1)).linear,
        "calibrations-of-two": demur.calibration_by(graded_only, replicates=50),
        "brier": demur.calibration_of(declining("d", 1), replicates=50).brier,
    }


def judges() -> dict[str, Any]:
    """Judges against people, with and without prices and labels of all."""
    rng = np.random.default_rng(4)
    accuracy = {"<b>small": 0.8, "large": 0.93}
    made = judge_cases.simulated(rng, 90, accuracy=accuracy, cannot_tell=0.05)
    outcomes = demur.judge_outcomes(made, gold="people")
    part = judge_cases.simulated(rng, 90, accuracy={"a": 0.8}, labelled=0.4)
    in_part = demur.judge_outcomes(part, gold="people")
    prices = {"<b>small": 0.01, "large": 0.1, "people": 2}
    weighed = demur.arrange_judges(outcomes, prices=prices, most_error=0.15)
    return {
        "judge-outcomes": outcomes,
        "judges-priced": weighed,
        "judge-alone": weighed.judges[0],
        "judges-arranged": weighed.arrangements[0],
        "judges-in-part": demur.arrange_judges(in_part, most_error=0.01),
    }


def further_results() -> dict[str, Any]:
    """Results of all rooms here, by name."""
    return {
        **metrics(),
        **difficulties(),
        **agreements(),
        **checked_judges(),
        **runs_of_pipelines(),
        **references(),
        **decisions(),
        **comparisons(),
        **judges(),
    }
