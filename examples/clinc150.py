"""Two intent classifiers on CLINC150, where 1,000 of 5,500 inputs have no answer.

Trains on the 15,000 in-scope texts only, so that neither classifier knows what is out
of scope; any answer to an out-of-scope input is an error, and declining it is right.

The data set (Larson et al. 2019, CC BY 3.0) is not part of demur. Give the folder that
holds ``clinc150.jsonl.gz``, or set DEMUR_DATA to the folder above it::

    python examples/clinc150.py --data PATH/clinc150 --output clinc150-results
"""

import argparse
import gzip
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.svm import LinearSVC

import demur
from demur.plots.drawing import plot_curves, plot_split
from demur.plots.pens import save_picture

OUT_OF_SCOPE = "oos"


def classifiers() -> dict[str, Pipeline]:
    """The two systems: words alone, and words with letter n-grams."""
    words = TfidfVectorizer(
        ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"(?u)\b\w+\b"
    )
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)
    return {
        "words": make_pipeline(words, LinearSVC(random_state=0)),
        "words and letters": make_pipeline(
            make_union(words, letters), LinearSVC(random_state=0)
        ),
    }


def responses(
    name: str, classifier: Pipeline, texts: dict[str, str]
) -> Iterator[demur.Response]:
    """The best intent for each text, with its score as confidence."""
    scores = classifier.decision_function(list(texts.values()))
    best = scores.argmax(axis=1)
    for item, row, index in zip(texts, scores, best, strict=True):
        intent = str(classifier.classes_[index])
        confidence = round(float(row[index]), 4)  # as far as machines agree
        yield demur.Response(
            item=item, system=name, response=intent, confidence=confidence
        )


def references(test: list[dict[str, Any]]) -> Iterator[demur.Reference]:
    """The intent of each test text; none where it is out of scope."""
    for record in test:
        answerable = record["intent"] != OUT_OF_SCOPE
        yield demur.Reference(
            item=record["id"],
            input=record["text"],
            alternatives=((record["intent"], 1.0),) if answerable else (),
            answerable=answerable,
            extra={"domain": record["domain"]},
        )


def run(records: list[dict[str, Any]]) -> demur.Outcomes:
    """Train both classifiers and judge all their answers."""
    train = [
        record
        for record in records
        if record["split"] == "train" and record["intent"] != OUT_OF_SCOPE
    ]
    test = [record for record in records if record["split"] == "test"]
    texts = {record["id"]: record["text"] for record in test}
    given = []
    for name, classifier in classifiers().items():
        classifier.fit(
            [record["text"] for record in train],
            [record["intent"] for record in train],
        )
        given += responses(name, classifier, texts)
    return demur.judge(given, references(test), by="label")


def report(outcomes: demur.Outcomes) -> None:
    """Print what the curves say."""
    print("error at nonreturn       forced   0.1     0.2     0.3     area    in scope")
    for curve in demur.curve_by(outcomes):
        part = outcomes.select(system=curve.system)
        in_scope = np.mean(part.outcome[part.column("answerable")] == 0)
        rates = [curve.at(nonreturn=rate).error for rate in (0, 0.1, 0.2, 0.3)]
        shown = "  ".join(f"{rate:.4f}" for rate in rates)
        area = curve.area().value
        print(f"{curve.system:<24} {shown}  {area:.4f}  {in_scope:.1%} right")


def main() -> int:
    """Train, judge, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(os.environ.get("DEMUR_DATA", ".")) / "clinc150"
    parser.add_argument("--data", type=Path, default=default)
    parser.add_argument("--output", type=Path, default=Path("clinc150-results"))
    arguments = parser.parse_args()
    path = arguments.data / "clinc150.jsonl.gz"
    if not path.is_file():
        print(f"{path} is not there: give --data or set DEMUR_DATA", file=sys.stderr)
        return 2
    arguments.output.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        outcomes = run([json.loads(line) for line in lines])
    demur.write_outcomes(outcomes, arguments.output / "outcomes.jsonl")
    report(outcomes)
    curves = demur.curve_by(outcomes)
    save_picture(
        plot_curves(curves, region=(0.15, 0.25)), arguments.output / "curves.png"
    )
    save_picture(plot_split(curves), arguments.output / "inputs.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
