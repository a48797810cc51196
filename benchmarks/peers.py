"""The same question put to other packages: whose promise holds, and who is tighter.

    python -m pip install ppi-python statsmodels mapie
    python benchmarks/peers.py [--runs 400] [--only TEXT]

Each line is one question on simulated data whose truth is known. "Broken" is how often
a 95 % promise is not kept: an interval without the truth, a test at 5 % that rejects
equal systems, a cutoff whose error is above its target. "Tight" says what is had for
it: the mean width (less is better), the power, the share of items that are answered.
"""

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from harness import machine, show
from scipy.stats import norm, rankdata

import demur
from demur.arrays import Sample
from demur.statistics.noisy_verdicts import (
    Verdicts,
    prediction_powered,
)
from demur.statistics.paired_tests import paired_difference
from demur.statistics.quantities import Quantity

sys.path.remove(str(Path(__file__).resolve().parent))  # its coverage.py is another one
Array = np.ndarray[Any, Any]
Rng = np.random.Generator
LEVEL = 0.95


class Answer(NamedTuple):
    """What a package says in one run: whether a promise is broken, and how tight."""

    broken: bool
    tight: float


Question = Callable[[Rng], dict[str, Answer]]


# -- an error rate by a judge, with labels --------------------------------------------


def labels(n_labels: int, error: float, judge: float) -> Question:
    """2,000 answers that a judge has seen, some of which people label."""

    def ask(rng: Rng) -> dict[str, Answer]:
        from ppi_py import ppi_mean_ci
        from statsmodels.stats.proportion import proportion_confint

        people = 1.0 * (rng.random(2000) < error)
        judged = np.where(rng.random(2000) < judge, 1 - people, people)
        some = np.arange(2000) < n_labels
        verdicts = Verdicts(judged, people, some, np.ones(2000), np.arange(2000))
        corrected = prediction_powered(verdicts, LEVEL)[0]
        parts = people[some], judged[some], judged[~some]
        ends = {
            "demur": (corrected.low, corrected.high),
            "ppi_py, tuned": ppi_mean_ci(*parts, alpha=0.05),
            "ppi_py, not tuned": ppi_mean_ci(*parts, alpha=0.05, lam=1),
            "people alone, statsmodels (Wilson)": proportion_confint(
                people[some].sum(), n_labels, method="wilson"
            ),
        }
        return {name: interval(*pair, truth=error) for name, pair in ends.items()}

    return ask


def interval(low: Any, high: Any, *, truth: float) -> Answer:
    """Whether an interval misses, and its width."""
    low, high = float(np.squeeze(low)), float(np.squeeze(high))
    return Answer(not low <= truth <= high, high - low)


# -- two systems on the same items ----------------------------------------------------


def test(null: Any, effect: Any) -> Answer:
    """A p value for equal systems, and one for systems that differ."""
    return Answer(null <= 0.05, float(effect <= 0.05))


def pair(rng: Rng, n_items: int, rates: tuple[float, float]) -> tuple[Array, Array]:
    """Errors of two systems, half of whose luck is shared."""
    shared = rng.standard_normal(n_items)
    luck = norm.cdf((shared + rng.standard_normal((2, n_items))) / np.sqrt(2))
    return 1.0 * (luck[0] < rates[0]), 1.0 * (luck[1] < rates[1])


def sample(wrong: Array, rank: Array, cluster: Array | None = None) -> Sample:
    """A system that gives all answers."""
    return Sample(np.ones(len(wrong), bool), rank, wrong, None, cluster)


def p_of(first: Array, second: Array, method: str, cluster: Any = None) -> float:
    """The p value of demur that two systems err alike."""
    rank = np.arange(len(first)) * 1.0
    samples = sample(first, rank, cluster), sample(second, rank, cluster)
    found = paired_difference(
        *samples, quantity=Quantity("error", 0.0), method=method, replicates=499
    )
    return 1.0 if found.p_value is None else found.p_value


def paired(n_items: int, error: float, worse: float) -> Question:
    """Whether two systems err alike on the same items."""

    def ask(rng: Rng) -> dict[str, Answer]:
        from statsmodels.stats.contingency_tables import mcnemar

        def exact(first: Array, second: Array) -> float:
            table = np.histogram2d(first, second, bins=2, range=[[0, 1], [0, 1]])[0]
            return mcnemar(table, exact=True).pvalue

        null = pair(rng, n_items, (error, error))
        effect = pair(rng, n_items, (error, error + worse))
        return {
            "demur": test(p_of(*null, "auto"), p_of(*effect, "auto")),
            "McNemar, exact (statsmodels)": test(exact(*null), exact(*effect)),
            "paired bootstrap": test(
                p_of(*null, "bootstrap"), p_of(*effect, "bootstrap")
            ),
        }

    return ask


def clustered(sizes: Callable[[Rng], Array], error: float, worse: float) -> Question:
    """The same where items come in clusters that share their luck."""

    def ask(rng: Rng) -> dict[str, Answer]:
        from statsmodels.api import OLS

        def by_clusters(first: Array, second: Array, cluster: Array) -> float:
            fit = OLS(second - first, np.ones(len(first))).fit(
                cov_type="cluster", cov_kwds={"groups": cluster}, use_t=True
            )
            p_value = float(fit.pvalues[0])
            return 1.0 if np.isnan(p_value) else p_value

        answers = {}
        cluster = np.repeat(*sizes(rng))
        pairs = []
        for more in (0.0, worse):
            together = rng.standard_normal((2, cluster.max() + 1))[:, cluster]
            luck = norm.cdf(
                np.sqrt(0.3) * together
                + np.sqrt(0.7) * rng.standard_normal((2, len(cluster)))
            )
            pairs.append((1.0 * (luck[0] < error), 1.0 * (luck[1] < error + more)))
        answers["demur"] = test(*(p_of(*both, "auto", cluster) for both in pairs))
        answers["cluster-robust (statsmodels)"] = test(
            *(by_clusters(*both, cluster) for both in pairs)
        )
        return answers

    return ask


def equal_sizes(n_clusters: int, size: int) -> Callable[[Rng], Any]:
    return lambda _: (np.arange(n_clusters), np.full(n_clusters, size))


def pareto_sizes(n_clusters: int) -> Callable[[Rng], Any]:
    return lambda rng: (
        np.arange(n_clusters),
        np.minimum(np.ceil(4 * (1 + rng.pareto(1.2, n_clusters))), 400).astype(int),
    )


# -- areas ----------------------------------------------------------------------------


def areas(n_items: int) -> Question:
    """Whose confidences tell right from wrong better; the verdicts are the same."""

    def ask(rng: Rng) -> dict[str, Answer]:
        wrong = 1.0 * (rng.random(n_items) < 0.2)

        def confidences(apart: float) -> Array:
            signal = np.where(wrong > 0, 0.0, apart)
            shared = rng.standard_normal(n_items) * 0.7
            return signal + shared + rng.standard_normal(n_items) * 0.7

        null, effect = ((confidences(1.0), confidences(apart)) for apart in (1.0, 1.5))

        def ours(first: Array, second: Array) -> float:
            samples = sample(wrong, first), sample(wrong, second)
            found = paired_difference(*samples, quantity=Quantity("area"))
            return 1.0 if found.p_value is None else found.p_value

        return {
            "demur": test(ours(*null), ours(*effect)),
            "DeLong": test(delong(wrong, *null), delong(wrong, *effect)),
        }

    return ask


def delong(wrong: Array, first: Array, second: Array) -> float:
    """The p value of DeLong, DeLong and Clarke-Pearson (1988) for two AUROCs."""
    right, failed = wrong == 0, wrong > 0
    placed = []
    for confidence in (first, second):
        overall = rankdata(confidence)
        within = rankdata(confidence[right]), rankdata(confidence[failed])
        placed.append(
            (
                (overall[right] - within[0]) / failed.sum(),
                1 - (overall[failed] - within[1]) / right.sum(),
            )
        )
    apart = placed[0][0].mean() - placed[1][0].mean()
    variance = sum(
        np.var(placed[0][part] - placed[1][part], ddof=1) / len(placed[0][part])
        for part in (0, 1)
    )
    return float(2 * norm.sf(abs(apart) / np.sqrt(variance))) if variance else 1.0


# -- certified cutoffs ----------------------------------------------------------------


def certified(n_items: int, of: str, chance: Callable[[Array], Array]) -> Question:
    """The cutoff that answers most with a certified error of at most .1."""
    grid = np.linspace(0, 0.95, 20)
    fine = np.linspace(0, 1, 20001)

    def truth(cutoff: float) -> float:
        inside = fine >= cutoff
        error = float((chance(fine) * inside).mean())
        return error / (1 - cutoff) if of == "answered" else error

    def ask(rng: Rng) -> dict[str, Answer]:
        sure = rng.random(n_items)
        wrong = rng.random(n_items) < chance(sure)
        outcomes = demur.Outcomes.from_arrays(correct=~wrong, confidence=sure)
        choice = demur.choose(outcomes, max_error=0.1, certainty=LEVEL, of=of)
        cutoffs = {"demur": choice.cutoff}
        for words, method in (("Holm", "bonferroni_holm"), ("fixed", "fixed_sequence")):
            cutoffs[f"MAPIE, {words}, 20 cutoffs"] = by_mapie(
                sure, ~wrong, grid, of, method
            )
        return {
            name: Answer(
                cutoff is not None and truth(cutoff) > 0.1,
                0.0 if cutoff is None else 1 - cutoff,
            )
            for name, cutoff in cutoffs.items()
        }

    return ask


def by_mapie(
    sure: Array, right: Array, grid: Array, of: str, method: str
) -> float | None:
    """The cutoff that MAPIE controls the error with."""
    from mapie.risk_control import BinaryClassificationController, BinaryRisk

    risk = BinaryRisk(
        lambda truth, given: (given == 1) & (truth == 0),
        lambda _, given: (given == 1) | (of == "all"),
        higher_is_better=False,
    )
    sequence = grid[::-1] if method == "fixed_sequence" else grid
    controller = BinaryClassificationController(
        lambda rows: np.column_stack([1 - rows, rows]),
        risk,
        0.1,
        LEVEL,
        best_predict_param_choice="recall",
        list_predict_params=sequence,
        fwer_method=method,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        controller.calibrate(sure[:, None], right.astype(int))
    valid = np.ravel(controller.valid_predict_params)
    return float(valid.min()) if len(valid) else None


# -- one error rate -------------------------------------------------------------------


def one_rate(n_items: int, error: float) -> Question:
    """The interval of the error if everything is answered."""

    def ask(rng: Rng) -> dict[str, Answer]:
        from statsmodels.stats.proportion import proportion_confint

        wrong = rng.random(n_items) < error
        outcomes = demur.Outcomes.from_arrays(
            correct=~wrong, confidence=rng.random(n_items)
        )
        found = demur.interval(outcomes, "error", at=0.0)
        answers = {"demur": interval(found.low, found.high, truth=error)}
        for method in ("wilson", "beta"):
            ends = proportion_confint(wrong.sum(), n_items, method=method)
            answers[f"statsmodels, {method}"] = interval(*ends, truth=error)
        return answers

    return ask


def questions() -> Iterator[tuple[str, str, Question]]:
    """Name, what tight means, and the question."""
    for n_labels, error, judge in (
        (30, 0.1, 0.01), (100, 0.1, 0.01), (50, 0.1, 0.1), (50, 0.02, 0.03),
    ):  # fmt: skip
        name = f"error {error}, judge errs {judge}, {n_labels} labels"
        yield name, "width", labels(n_labels, error, judge)
    for n_items, error, worse in (
        (100, 0.1, 0.12),
        (300, 0.1, 0.06),
        (300, 0.01, 0.04),
    ):
        name = f"equal? {n_items} items, error {error}, or {worse} more"
        yield name, "power", paired(n_items, error, worse)
    for name, sizes, worse in (
        ("40 clusters of 10", equal_sizes(40, 10), 0.08),
        ("10 clusters of 20", equal_sizes(10, 20), 0.15),
        ("20 Pareto clusters", pareto_sizes(20), 0.2),
    ):
        yield f"equal? {name}", "power", clustered(sizes, 0.15, worse)
    for n_items in (100, 300):
        yield f"areas equal? {n_items} items", "power", areas(n_items)
    for n_items, of in (
        (300, "all"),
        (1000, "all"),
        (300, "answered"),
        (1000, "answered"),
    ):
        yield (
            f"error of {of} <= .1, {n_items} items, falling", "answered",
            certified(n_items, of, lambda sure: 0.4 * (1 - sure)),
        )  # fmt: skip
    for n_items, error in ((50, 0.02), (200, 0.1)):
        yield (
            f"one error of {error}, {n_items} items",
            "width",
            one_rate(n_items, error),
        )


def main() -> None:
    """Print every question with everybody's answer."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="questions whose name holds this")
    arguments = parser.parse_args()
    print(machine())
    rows = [("question", "asked", "broken", "tight", "")]
    for name, tight, ask in questions():
        if arguments.only not in name:
            continue
        rng = np.random.default_rng(arguments.seed)
        runs = [ask(rng) for _ in range(arguments.runs)]
        for who in runs[0]:
            broken, mean = np.mean([run[who] for run in runs], axis=0)
            rows.append((name, who, f"{broken:.3f}", f"{mean:.3f}", tight))
            name = ""
    show(f"{arguments.runs} runs, seed {arguments.seed}", rows)


if __name__ == "__main__":
    main()
