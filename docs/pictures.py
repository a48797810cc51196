"""Draw the pictures of the first page and of the concepts, from data made here.

Run after a change to what pictures look like::

    python docs/pictures.py docs/images
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

import demur

mpl.use("Agg")
from matplotlib import pyplot as plt

ROOT = Path(__file__).resolve().parent.parent

GREY = "#595959"
WORDS = """
air bank bar bark bat bill board bolt bow box bridge calf case cell chair charge
club coat count cover crane date deck draft fair fan field file fine firm fly game
grade ground head iron jam key lead light line match mean mine order park pitch
plant play pool press race ring rock run scale seal spring star watch
"""


def bots(items: int = 1500) -> demur.Outcomes:
    """Two support bots on the same questions: both err on about a third of them."""
    rng = np.random.default_rng(4)
    columns: dict[str, list[Any]] = {
        "item": [],
        "system": [],
        "correct": [],
        "confidence": [],
    }
    ease = rng.random(items)
    for system, noise in (("old bot", 0.7), ("new bot", 0.1)):
        sure = ease + rng.normal(0, noise, items)
        columns["item"] += [f"q{number}" for number in range(items)]
        columns["system"] += [system] * items
        columns["correct"] += (rng.random(items) < 0.25 + 0.75 * ease).tolist()
        columns["confidence"] += sure.round(3).tolist()
    return demur.Outcomes.from_arrays(**columns)


def labels(units: int = 150) -> dict[str, list[str]]:
    """Two people and a model label requests; the model takes much for "other"."""
    rng = random.Random(8)
    topics = ["order", "refund", "delivery", "other"]
    truth = rng.choices(topics, [4, 3, 3, 2], k=units)
    rates = {"Ann": 0.06, "Bob": 0.12, "model": 0.3}
    return {
        name: [
            rng.choice(["other", *topics]) if rng.random() < rate else topic
            for topic in truth
        ]
        for name, rate in rates.items()
    }


def senses() -> dict[str, list[str]]:
    """Ambiguous words and their senses: of some the most frequent one is enough."""
    rng = random.Random(3)
    words: dict[str, list[str]] = {"word": [], "sense": []}
    for word in WORDS.split():
        senses_of_word = rng.randint(2, 5)
        weights = [rng.random() ** 3 + 0.01 for _ in range(senses_of_word)]
        count = int(10 ** rng.uniform(1, 2.7))
        words["word"] += [word] * count
        drawn = rng.choices(range(senses_of_word), weights, k=count)
        words["sense"] += [f"s{sense}" for sense in drawn]
    return words


def errors() -> Axes:
    """What does it do? Errors against non-returns."""
    return demur.plot_curves(demur.curve_by(bots()), at=[0.2], missed=False)


def threshold() -> Axes:
    """Where does the threshold belong? What becomes of the inputs at a cutoff."""
    curve = demur.error_return(bots().select(system="new bot"))
    return demur.plot_split(curve, at=0.3)[0]


def comparison() -> Axes:
    """Which is better? The difference of errors, with its band."""
    both = [bots().select(system=system) for system in ("old bot", "new bot")]
    old, new = map(demur.error_return, both)
    band = demur.difference_band(*both)
    return demur.plot_comparison(old, new, band=band, at=[0.2])[0]


def blame() -> Axes:
    """Which module is to blame? Shares of what the plant doctor loses."""
    setup = demur.read_pipeline(ROOT / "examples" / "characters" / "plant_doctor.toml")
    found = demur.attribute_loss(setup.pipeline, setup.dialogues)
    return demur.plot_pipeline(found)[0]


def agreement() -> Axes:
    """Can the labels be trusted? What annotators and a judge confuse."""
    return demur.plot_agreement(demur.agreement(labels()))[0]


def hardness() -> Axes:
    """How hard was the task? Bits that each word leaves to decide."""
    return demur.plot_difficulty(
        demur.difficulty(senses(), markable="word", value="sense")
    )


def reading() -> Axes:
    """How to read an error-return plot: a curve between the best and the useless."""
    outcomes = bots().select(system="new bot")
    curve = demur.error_return(outcomes)
    ax = demur.plot_curves(curve, missed=False, legend=False)
    forced = curve.at(nonreturn=0).error
    ax.plot([0, forced, 1], [forced, 0, 0], color=GREY, linewidth=1.5)
    ax.plot([0, 1], [forced, 0], color=GREY, linewidth=1.5, linestyle=":")
    for words, (x, y), (to_x, to_y) in (
        ("all is answered:\nforced choice", (0, forced), (0.1, forced + 0.025)),
        ("confidences without\ninformation", (0.5, forced / 2), (0.56, 0.24)),
        ("the system", (0.5, curve.at(nonreturn=0.5).error), (0.38, 0.03)),
        ("the best: all errors\nare withheld first", (0.2, forced - 0.2), (0.02, 0.06)),
        ("silence:\nnothing is wrong", (1, 0), (0.78, 0.13)),
    ):
        arrow = {"arrowstyle": "-", "color": GREY}
        ax.annotate(words, (x, y), (to_x, to_y), arrowprops=arrow, fontsize=9)
    ax.set_ylim(0, forced + 0.06)
    return ax


def refusals() -> Axes:
    """Two systems of one accuracy: what one gets wrong, the other one declines."""
    _, ax = plt.subplots(figsize=(6.4, 2.2), layout="constrained")
    shares = [("right", 60, 60), ("wrong", 40, 5), ("not given", 0, 35)]
    left = np.zeros(2)
    for (name, *widths), (colour, hatch) in zip(
        shares,
        [("#00446B", ""), ("#D55E00", "///"), ("#E4E4E4", "")],
        strict=True,
    ):
        ax.barh(
            ["guesses", "may decline"],
            widths,
            left=left,
            color=colour,
            hatch=hatch,
            edgecolor="white",
            label=name,
        )
        left += widths
    ax.invert_yaxis()
    ax.set_xlabel("of 100 questions; both have an accuracy of 60 %")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False)
    return ax


def one_auroc() -> Axes:
    """Two systems of one AUROC, of which one errs twice as often."""
    rng = np.random.default_rng(2)
    curves = []
    for system, wrong in (("errs on 40 %", 800), ("errs on 20 %", 400)):
        correct = np.arange(2000) >= wrong
        sure = np.where(correct, 1.0, 0.0) + rng.normal(0, 1, 2000)
        outcomes = demur.Outcomes.from_arrays(
            correct=correct, confidence=sure, system=system
        )
        curves.append(demur.error_return(outcomes))
    return demur.plot_curves(curves, at=[0.3], missed=False)


def overconfident() -> Axes:
    """A system that knows what it does not know, and whose numbers are too high."""
    rng = np.random.default_rng(6)
    chance = rng.beta(2, 1.5, 1500)
    outcomes = demur.Outcomes.from_arrays(
        correct=rng.random(1500) < chance, confidence=(chance**0.45).round(3)
    )
    return demur.plot_calibration(demur.calibration_of(outcomes))[0]


def judge_effects() -> Axes:
    """A judge whose faults are known: what each check finds, with its interval."""
    rng = np.random.default_rng(1)

    def judge(case: Any, asking: Any) -> bool | None:
        """Favours its own wrong answers, dislikes another order, needs references."""
        is_right = case.response.startswith("yes")
        chance = 0.9 if is_right else 0.2
        if not asking.with_references:
            chance = 0.7 if is_right else 0.5
        chance += 0.4 * ("itself" in case.response and not is_right)
        dice = rng.random()
        return None if dice > 0.95 else dice < 0.95 * (chance - 0.2 * asking.turned)

    references = [{"item": item, "reference": "yes"} for item in range(300)]
    responses = []
    for item in range(300):
        for system in ("small", "large", "itself"):
            right = rng.random() < 0.6
            text = f"{'yes' if right else 'no'}, says {system}{' again' * (item % 5)}"
            people = "right" if right else "wrong"
            row = {"item": item, "system": system, "response": text, "people": people}
            responses.append(row)
    found = demur.check_judge(
        judge, responses, references, own_systems="itself", people="people"
    )
    tested = [effect for effect in found.effects if effect.claimed is not None]
    rows = [
        (f"{effect.check}: {effect.measure.replace('_', ' ')}", *ends, effect.claimed)
        for effect in tested
        for ends in [(effect.effect, effect.low, effect.high)]
    ]
    ax = intervals(rows)
    ax.set_xlabel("effect of the change, with its 95 % interval")
    return ax


def intervals(rows: list[tuple[str, float, float, float, bool]]) -> Axes:
    """A line for each named value and interval; filled where it is a claim."""
    _, ax = plt.subplots(figsize=(6.4, 0.8 + 0.27 * len(rows)), layout="constrained")
    for place, (_, value, low, high, claimed) in enumerate(rows):
        colour = "#00446B" if claimed else GREY
        ax.plot([low, high], [place, place], color=colour, linewidth=2)
        face = colour if claimed else "white"
        ax.plot(value, place, "o", color=colour, markerfacecolor=face)
    ax.axvline(0, color=GREY, linewidth=1, linestyle=":")
    ax.set_yticks(range(len(rows)), [name for name, *_ in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def gate_claims() -> Axes:
    """Four intervals of a difference, and what both kinds of gate say of each."""
    rows = [
        ("clearly better", -0.06, -0.1, -0.02, True),
        ("about the same", 0.0, -0.03, 0.03, False),
        ("too few answers", 0.02, -0.05, 0.09, False),
        ("clearly worse", 0.09, 0.06, 0.12, True),
    ]
    ax = intervals(rows)
    ax.axvline(0.05, color="#D55E00", linewidth=1.2, linestyle="--")
    ax.set_xlim(-0.12, 0.15)
    ax.set_xlabel("error of the new version less that of main, with its interval")
    verdicts = [("passes", "holds"), ("passes", "holds"), ("passes", "broken")]
    for place, words in enumerate([*verdicts, ("broken", "broken")]):
        for column, word in zip((1.02, 1.27), words, strict=True):
            weight = "bold" if word == "broken" else "normal"
            at = ax.get_yaxis_transform()
            ax.text(column, place, word, transform=at, va="center", weight=weight)
    for column, kind in (
        (1.02, "fail_if\nworse"),
        (1.27, "require not\nworse by 0.05"),
    ):
        ax.text(column, 1.03, kind, transform=ax.transAxes, fontsize=9)
    ax.text(0.05, -0.7, "margin", ha="center", fontsize=9, color="#D55E00")
    return ax


def corrected() -> Axes:
    """An error rate by a judge, and corrected by 200 labels of people."""
    rng = np.random.default_rng(0)
    wrong = rng.random(2000) < 0.25
    judge = np.where(wrong, rng.random(2000) < 0.7, rng.random(2000) < 0.05)
    people = np.where(wrong, "wrong", "right").astype(object)
    people[200:] = None
    outcomes = demur.Outcomes.from_arrays(correct=~judge, groups={"people": people})
    found = demur.corrected_error(outcomes, "people")
    rows = [("by the judge, as it stands", *3 * [found.raw], True)]
    for words, name in (
        ("judge and 200 labels: corrected", "corrected"),
        ("Rogan-Gladen", "rogan_gladen"),
        ("200 labels alone", "labelled_only"),
    ):
        estimate = getattr(found, name)
        rows.append((words, estimate.value, estimate.low, estimate.high, False))
    ax = intervals(rows)
    ax.axvline(wrong.mean(), color="#D55E00", linewidth=1.2, linestyle="--")
    ax.text(wrong.mean(), -0.7, "truth", ha="center", fontsize=9, color="#D55E00")
    ax.set_xlim(0.15, 0.31)
    ax.set_xlabel("error rate, with its 95 % interval")
    return ax


def labels_needed() -> Axes:
    """Which difference of two systems so many labels can show, if all agree."""
    _, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
    labels = np.arange(10, 301)
    shown = 2 * (1 - 0.025 ** (1 / labels))
    ax.plot(labels, shown, color="#00446B", linewidth=2)
    ax.fill_between(labels, shown, color="#E4E4E4", linewidth=0)
    ax.text(105, 0.2, "labels can show it")
    ax.text(18, 0.015, "the judge may\nhave made it up", fontsize=9)
    for number in (20, 50, 100, 200):
        height = shown[number - 10]
        ax.plot(number, height, "o", color="#00446B")
        ax.annotate(f"{height:.2f}", (number + 4, height + 0.02))
    ax.set(xlim=(10, 300), ylim=(0, 0.5))
    ax.set_xlabel("items with labels, on all of which people agree with the judge")
    ax.set_ylabel("difference that the judge sees")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def worked_example() -> Axes:
    """The ten questions of the page of definitions, with each cutoff at its vertex."""
    outcomes = demur.Outcomes.from_arrays(
        confidence=[0.95, 0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.4, 0.3, 0.2],
        correct=[True, True, True, False, True, True, False, True, False, False],
    )
    curve = demur.error_return(outcomes)
    ax = demur.plot_curves([curve], missed=True)
    ax.set_ylim(0, 0.62)
    cutoffs = [f"cutoff {curve.cutoff[0]:g}", *map("{:g}".format, curve.cutoff[1:-1])]
    for place, name in enumerate([*cutoffs, "silence"]):
        vertex = (curve.nonreturn[place], curve.error[place])
        shift = {"silence": (-14, 14)}.get(name, (13, -6) if place < 1 else (5, 4))
        ax.plot(*vertex, "o", color="#00446B", markersize=4, clip_on=False)
        ax.annotate(name, vertex, shift, textcoords="offset points", fontsize=8)
    return ax


def main(folder: str) -> None:
    """Draw all pictures into a folder."""
    for name, draw in PICTURES.items():
        figure = draw().figure
        demur.save_picture(figure, Path(folder) / f"{name}.png")
        plt.close(figure)


PICTURES: dict[str, Callable[[], Axes]] = {
    "question-errors": errors,
    "question-threshold": threshold,
    "question-comparison": comparison,
    "question-blame": blame,
    "question-agreement": agreement,
    "question-hardness": hardness,
    "concept-reading": reading,
    "concept-refusals": refusals,
    "concept-one-auroc": one_auroc,
    "concept-overconfident": overconfident,
    "page-judge-effects": judge_effects,
    "page-gates": gate_claims,
    "page-corrected": corrected,
    "page-labels-needed": labels_needed,
    "page-definitions": worked_example,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
