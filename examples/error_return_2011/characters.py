"""A question-answering character: the Twins, with systems of its own kind.

Each question is answered by a model that has not seen it: ten folds, drawn ten times
anew with the seeds 0 to 9. A question may have several right answers, and 96 questions
have none. The answers of the ten draws count as repeats of one question.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from shared import Experiment, Record, first_with_rest, read_records

import demur

FOLDS = 10
SEEDS = range(10)
DOMAINS = ("railway", "bees", "bread")
TEXTS = Path(__file__).parent / "texts"

STORED = {"question_weight": 0.5855118207, "answer_weight": 0.9988952798}
"""What NPCEditor had stored for the Twins."""

Model = Callable[[], Any]
Pairs = Sequence[tuple[str, str]]


def the_twins(data: Path) -> Experiment:
    """The relevance model as stored and with our weights, and a linear classifier."""
    questions, answers = read_twins(data)
    models: dict[str, Model] = {
        "relevance model": lambda: demur.RelevanceModel(answers=answers),
        "stored weights": lambda: demur.RelevanceModel(
            **STORED, fields=("text",), answers=answers
        ),
        "divergence": lambda: demur.RelevanceModel(answers=answers, confidence="kl"),
        "linear classifier": OneLabelEach,
    }
    systems = {name: crossed(name, make, questions) for name, make in models.items()}
    return Experiment("twins", systems, first_with_rest(systems), "questions")


def added_texts(data: Path) -> Experiment:
    """The Twins alone, and with questions made from texts on other things."""
    questions, answers = read_twins(data)
    own = [question for question in questions if question["answers"]]
    systems, added = {}, []
    texts = dict(answers)
    for domain in ("", *DOMAINS):
        if domain:
            added += made_questions(domain)
            texts |= {label: label.partition(": ")[2] for _, label in added}
        name = f"and {domain}" if domain else "the Twins alone"
        make = model_with(texts)
        systems[name] = crossed(name, make, own, added)
    return Experiment("added-texts", systems, first_with_rest(systems), "questions")


def model_with(answers: dict[str, str]) -> Model:
    """What makes a relevance model of these answers."""
    known = dict(answers)
    return lambda: demur.RelevanceModel(answers=known)


def read_twins(data: Path) -> tuple[list[Record], dict[str, str]]:
    """The questions, and the texts of the answers."""
    folder = data / "twins_npceditor"
    answers = read_records(folder / "answers.jsonl")
    texts = {answer["id"]: answer["text"] for answer in answers}
    return read_records(folder / "questions.jsonl"), texts


def made_questions(domain: str) -> list[tuple[str, str]]:
    """Questions made by rules from a text, each with a label of its answer."""
    text = (TEXTS / f"{domain}.txt").read_text("utf-8")
    made = demur.RuleQuestions()(text)
    return [(pair.question, f"{domain}: {pair.answer}") for pair in made]


class OneLabelEach:
    """A linear classifier that learns a question with two answers twice."""

    def __init__(self) -> None:
        self._model = demur.intent_classifier("linear-svm")

    def fit(self, texts: Sequence[str], targets: Sequence[Sequence[str]]) -> Any:
        """Learn; gives the classifier of single labels."""
        pairs = [
            (text, label)
            for text, labels in zip(texts, targets, strict=True)
            for label in labels
        ]
        return self._model.fit([t for t, _ in pairs], [label for _, label in pairs])


def crossed(
    name: str, make: Model, questions: Sequence[Record], added: Pairs = ()
) -> demur.Outcomes:
    """The outcomes of all draws; what is added is learned by every fold."""
    rows = [
        (question, seed, *answer)
        for seed in SEEDS
        for question, *answer in answered(make, questions, added, seed)
    ]
    return demur.Outcomes.from_arrays(
        system=name,
        item=[question["id"] for question, *_ in rows],
        repeat=[str(seed) for _, seed, *_ in rows],
        correct=[guess in question["answers"] for question, _, guess, _ in rows],
        confidence=[sure for *_, sure in rows],
        answerable=[bool(question["answers"]) for question, *_ in rows],
        cluster=[question["id"] for question, *_ in rows],
    )


def answered(
    make: Model, questions: Sequence[Record], added: Pairs, seed: int
) -> Iterator[tuple[Record, str, float]]:
    """Each question with the guess of a model that has not seen it, and how sure."""
    order = list(range(len(questions)))
    random.Random(seed).shuffle(order)
    bounds = [round(len(order) * part / FOLDS) for part in range(FOLDS + 1)]
    for start, stop in pairwise(bounds):
        learned = [questions[place] for place in (*order[:start], *order[stop:])]
        linked = [question for question in learned if question["answers"]]
        model = make().fit(
            [*(question["text"] for question in linked), *(text for text, _ in added)],
            [*(question["answers"] for question in linked), *([a] for _, a in added)],
        )
        asked = [questions[place] for place in order[start:stop]]
        scores = model.decision_function([question["text"] for question in asked])
        guesses = model.classes_[scores.argmax(axis=1)].tolist()
        yield from zip(asked, guesses, scores.max(axis=1).tolist(), strict=True)
