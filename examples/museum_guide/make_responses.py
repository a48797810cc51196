"""Train two small classifiers on the museum guide and write their responses.

The training questions, the guide's answers and the test questions are read from
``src/demur/demo``; the responses of both systems go to ``responses.jsonl`` there.

- ``words``: single words, logistic regression; its confidence is the highest
  class probability.
- ``letters``: words, word pairs and pieces of 2 to 5 letters, a linear support
  vector machine; its confidence is the highest decision value.

A system makes no guess for a question in which it knows nothing at all (for ``words``:
no word outside the stop words), and declines a guess whose confidence is below its
threshold. The threshold comes from the training questions alone, by cross-validation.

Run ``python make_responses.py`` to write the file, ``python make_responses.py --check``
to compare the file with a new computation. Needs scikit-learn.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.svm import LinearSVC

Record = dict[str, Any]

DEMO = Path(__file__).resolve().parents[2] / "src" / "demur" / "demo"
RESPONSES = DEMO / "responses.jsonl"
SEED = 0
FOLDS = 5
DIGITS = 6
TOLERANCE = 1e-4
# Share of the out-of-fold guesses on training questions that a system declines.
DECLINED_SHARE = 0.15
# Question words (who, where, how ...) stay in: they tell many answers apart.
STOP_WORDS = (
    "a an and are as at be been but by can could did do does for from had has have i "
    "if in is it its may me my of on or our please so than that the their them then "
    "there these they this those to us was we were will with would you your"
)


def words_pipeline() -> Pipeline:
    """Build the system ``words``: single words and logistic regression."""
    return make_pipeline(
        TfidfVectorizer(stop_words=STOP_WORDS.split()),
        LogisticRegression(C=10.0, tol=1e-8, max_iter=5000, random_state=SEED),
    )


def letters_pipeline() -> Pipeline:
    """Build the system ``letters``: words, pairs, letter pieces and a linear SVM."""
    features = make_union(
        TfidfVectorizer(ngram_range=(1, 2)),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5)),
    )
    return make_pipeline(
        features, LinearSVC(tol=1e-8, max_iter=50_000, random_state=SEED)
    )


# Name of the system, its pipeline, the method whose highest value is the confidence.
SYSTEMS = {
    "words": (words_pipeline, "predict_proba"),
    "letters": (letters_pipeline, "decision_function"),
}


def read_records(path: Path) -> list[Record]:
    """Read a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_records(path: Path, records: Sequence[Record]) -> None:
    """Write a JSON Lines file, one record per line, the same bytes everywhere."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


def known(pipeline: Pipeline, texts: Sequence[str]) -> np.ndarray:
    """Tell for which texts a fitted pipeline finds any feature that it has seen.

    Returns
    -------
    ndarray of bool, shape (n_texts,)
    """
    return pipeline[:-1].transform(texts).getnnz(axis=1) > 0


def pick_threshold(
    pipeline: Pipeline, method: str, texts: Sequence[str], answers: Sequence[str]
) -> float:
    """Find the confidence below which a system declines, on training data only.

    Parameters
    ----------
    pipeline : Pipeline
        The system, not yet fitted.
    method : str
        Its method whose highest value per text is the confidence.
    texts, answers : sequences of str, length n_training
        The training questions and their answers.

    Returns
    -------
    float
        The ``DECLINED_SHARE`` quantile of the out-of-fold confidences.
    """
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    scores = cross_val_predict(pipeline, texts, answers, cv=folds, method=method)
    return round(float(np.quantile(scores.max(axis=1), DECLINED_SHARE)), DIGITS)


def guess_record(name: str, item: str, guess: str, score: float, cut: float) -> Record:
    """Make the response record of one guess; ``cut`` is the system's threshold."""
    confidence = round(float(score), DIGITS)
    return {
        "item": item,
        "system": name,
        "response": str(guess),
        "confidence": confidence,
        "declined": confidence < cut,
    }


def silent_record(name: str, item: str) -> Record:
    """Make the response record of a question without any guess."""
    return {"item": item, "system": name, "response": None, "declined": True}


def respond(
    name: str, training: Sequence[Record], items: Sequence[Record]
) -> list[Record]:
    """Train one system and let it answer all items.

    Parameters
    ----------
    name : str
        A key of ``SYSTEMS``.
    training : sequence of dict
        Records with ``text`` and ``answer``.
    items : sequence of dict
        Records with ``item`` and ``input``; nothing else of them is looked at.

    Returns
    -------
    list of dict
        One response record per item, in the order of the items.
    """
    build, method = SYSTEMS[name]
    texts, answers = [r["text"] for r in training], [r["answer"] for r in training]
    cut = pick_threshold(build(), method, texts, answers)
    pipeline = build().fit(texts, answers)
    inputs = [r["input"] for r in items]
    scores = getattr(pipeline, method)(inputs)
    best = pipeline.classes_[scores.argmax(axis=1)]
    return [
        guess_record(name, r["item"], guess, score, cut)
        if seen
        else silent_record(name, r["item"])
        for r, guess, score, seen in zip(
            items, best, scores.max(axis=1), known(pipeline, inputs), strict=True
        )
    ]


def respond_all() -> list[Record]:
    """Compute the responses of all systems to all test questions."""
    training = read_records(DEMO / "training.jsonl")
    items = read_records(DEMO / "references.jsonl")
    return [r for name in SYSTEMS for r in respond(name, training, items)]


def differs(old: Record, new: Record) -> bool:
    """Tell whether two records differ by more than ``TOLERANCE`` in the confidence."""
    if {**old, "confidence": None} != {**new, "confidence": None}:
        return True
    if ("confidence" in old) != ("confidence" in new):
        return True
    return abs(old.get("confidence", 0.0) - new.get("confidence", 0.0)) > TOLERANCE


def check(old: Sequence[Record], new: Sequence[Record]) -> list[str]:
    """Compare the stored responses with new ones.

    Parameters
    ----------
    old, new : sequences of dict
        Response records, expected in the same order.

    Returns
    -------
    list of str
        One line per difference; empty if all answers and declined flags are equal and
        all confidences agree within ``TOLERANCE``.
    """
    if len(old) != len(new):
        return [f"{len(old)} records stored, {len(new)} computed"]
    pairs = zip(old, new, strict=True)
    return [f"stored {a}, computed {b}" for a, b in pairs if differs(a, b)]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the responses, or check the stored ones.

    Returns
    -------
    int
        The exit code: 1 if ``--check`` found a difference, else 0.
    """
    parser = argparse.ArgumentParser(description="Responses to the museum questions.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(argv)
    records = respond_all()
    if not options.check:
        write_records(RESPONSES, records)
        print(f"wrote {len(records)} responses to {RESPONSES.name}")
        return 0
    faults = check(read_records(RESPONSES), records)
    print("\n".join(faults) or f"{len(records)} responses as stored", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
