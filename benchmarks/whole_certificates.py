"""How often a certificate of wholes is broken, where parts of a whole depend strongly.

    python benchmarks/whole_certificates.py [--runs 2000] [--only TEXT]

A whole has 1 to 12 parts. It is hard or easy as a whole: nearly all parts of a hard one
are wrong, nearly none of an easy one, and all of its confidences are moved together. So
its parts are far from independent, and large wholes can be hard more often than small
ones. The share of wholes with a wrong part that is returned at a cutoff is summed from
that law, not sampled; a promise is broken if at the chosen cutoff it is above the
target. Nothing chosen, or silence, breaks nothing; returned is the mean share of parts,
those samples at 0.
"""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from harness import machine, show
from scipy.stats import norm

import demur
from demur.arrays import Floats

CERTAINTY = 0.95
MOVES = (-1.0, 0.0, 1.0)
"""By how much all confidences of a whole may be moved together, each as likely."""


@dataclass(frozen=True)
class Law:
    """How wholes come about, and what is promised of them.

    Parameters
    ----------
    wholes : int
        In a sample; with clusters about so many.
    target : float
        The error that is to be certified.
    of : str
        What it is a share of.
    hard, harder : float
        The chance that a whole of one part is hard, and how much larger that of one
        of twelve is.
    wrong_easy, wrong_hard : float
        How many parts of easy and of hard wholes are wrong.
    sure : float
        How much surer right parts are than wrong ones, in standard deviations.
    step : float
        Confidences are rounded to it; 0 leaves them as they are.
    clusters : int
        The most wholes in a cluster, which are hard together; larger ones are hard
        more often. 1 is none.
    most_withheld : float
        Also promised: no more parts are withheld; 0 promises nothing.
    """

    wholes: int
    target: float
    of: str = "wholes"
    hard: float = 0.15
    harder: float = 0.0
    wrong_easy: float = 0.002
    wrong_hard: float = 0.9
    sure: float = 2.0
    step: float = 0.0
    clusters: int = 1
    most_withheld: float = 0.0

    def chance_hard(self, size: Floats, cluster: Floats) -> Floats:
        """That a whole of so many parts, in a cluster of so many, is hard."""
        chance = self.hard + self.harder * (size - 1) / 11
        return chance * (1.0 if self.clusters == 1 else 0.5 + cluster / self.clusters)

    def truth(self, cutoff: float) -> Mapping[str, float]:
        """The error of wholes, of answered ones, and the parts withheld at a cutoff."""
        least = cutoff - self.step / 2  # what is rounded up to it is returned
        sizes = np.arange(1.0, 13)
        of_clusters = np.arange(1.0, self.clusters + 1)
        share = of_clusters / of_clusters.sum()  # by wholes
        hard = sum(
            weight * self.chance_hard(sizes, count)
            for weight, count in zip(share, of_clusters, strict=True)
        )
        erring = answered = returned = 0.0
        for state, chance in ((self.wrong_hard, hard), (self.wrong_easy, 1 - hard)):
            for move in MOVES:
                wrong = state * norm.sf(least - move)
                given = wrong + (1 - state) * norm.sf(least - move - self.sure)
                weight = chance / len(MOVES) / len(sizes)
                erring += float(weight @ (1 - (1 - wrong) ** sizes))
                answered += float(weight @ (1 - (1 - given) ** sizes))
                returned += float(weight @ (sizes * given)) / sizes.mean()
        return {
            "wholes": erring,
            "answered wholes": erring / answered if answered else 0.0,
            "withheld": 1 - returned,
        }

    def drawn(self, rng: np.random.Generator) -> demur.Outcomes:
        """Parts of so many wholes."""
        # So many clusters, of sizes of one law: none is cut off at the end.
        n_clusters = round(self.wholes / (1 + self.clusters) * 2)
        sizes = rng.integers(1, self.clusters + 1, n_clusters)
        cluster, in_cluster = np.repeat([np.arange(n_clusters), sizes], sizes, axis=1)
        size = rng.integers(1, 13, len(cluster))
        luck = rng.random(n_clusters)[cluster]
        hard = luck < self.chance_hard(size.astype(float), in_cluster.astype(float))
        whole = np.repeat(np.arange(len(size)), size)
        rate = np.where(hard, self.wrong_hard, self.wrong_easy)[whole]
        wrong = rng.random(len(whole)) < rate
        move = rng.choice(MOVES, len(size))[whole]
        confidence = rng.normal(move + np.where(wrong, 0.0, self.sure))
        if self.step:
            confidence = np.round(confidence / self.step) * self.step
        first = np.cumsum(size) - size
        return demur.Outcomes.from_arrays(
            item=whole,
            part=(np.arange(len(whole)) - first[whole]).astype(str),
            outcome=np.where(wrong, "wrong", "right"),
            confidence=confidence,
            **({} if self.clusters == 1 else {"cluster": cluster[whole].astype(str)}),
        )


LAWS: dict[str, Law] = {
    "hard or easy, 400": Law(400, 0.05),
    "hard or easy, half steps, 400": Law(400, 0.05, step=0.5),
    "large ones are hard, 1,000": Law(1000, 0.02, hard=0.02, harder=0.4),
    "wrong parts as sure as right ones, 400": Law(400, 0.1, sure=0.0, step=0.25),
    "just above, one confidence, 400": Law(400, 0.1, hard=0.0899, sure=0.0, step=100.0),
    "two promises, 400": Law(400, 0.1, most_withheld=0.5),
    "clusters of 1 to 4, 600": Law(600, 0.1, harder=0.2, clusters=4, step=0.25),
    "answered wholes, 400": Law(400, 0.1, of="answered wholes", harder=0.2),
    "answered wholes, half steps, 1,000": Law(
        1000, 0.05, of="answered wholes", harder=0.2, step=0.5
    ),
    "answered wholes, as sure, 400": Law(
        400, 0.2, of="answered wholes", hard=0.15, sure=0.0, step=0.25
    ),
    "answered wholes, just above, one confidence, 400": Law(
        400, 0.1, of="answered wholes", hard=0.0899, sure=0.0, step=100.0
    ),
    "answered wholes, clusters of 1 to 4, 600": Law(
        600, 0.1, of="answered wholes", harder=0.2, clusters=4
    ),
}


def measured(name: str, runs: int, seed: int) -> list[str]:
    """A row of the table."""
    law, rng = LAWS[name], np.random.default_rng(seed)
    broken = found = 0
    returned = 0.0
    also = {"max_nonreturn": law.most_withheld} if law.most_withheld else {}
    for _ in range(runs):
        choice = demur.choose(
            law.drawn(rng),
            max_error=law.target,
            certainty=CERTAINTY,
            of=law.of,
            **also,
        )
        if choice.cutoff is None:
            continue
        truth = law.truth(choice.cutoff)
        found += 1
        returned += 1 - truth["withheld"]
        broken += truth[law.of] > law.target or (
            bool(also) and truth["withheld"] > law.most_withheld
        )
    everything = law.truth(-50.0 if law.step < 50 else 0.0)
    shares = [found / runs, returned / runs]
    return [
        name,
        f"{law.target:g}",
        f"{everything[law.of]:.3f}",
        *(f"{share:.3f}" for share in shares),
        f"{100 * broken / runs:.1f}",
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="laws whose name holds this")
    arguments = parser.parse_args()
    print(machine())
    head = ["wholes", "target", "with all parts", "found", "returned", "broken, %"]
    rows = []
    for name in LAWS:
        if arguments.only in name:
            rows.append(measured(name, arguments.runs, arguments.seed))
            print(rows[-1], flush=True)
    show("Certificates of wholes", [head, *rows])


if __name__ == "__main__":
    main()
