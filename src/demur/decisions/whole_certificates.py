"""Certificates of wholes: cutoffs on parts, tested on wholes, which are independent.

A whole is answered as long as its surest guess is returned, and errs as long as its
surest bad part is. So at every cutoff the wholes are items that are answered or not and
right or wrong, and the tests of items serve them; how parts of one whole depend on each
other does not matter.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from demur.arrays import Flags, Floats, Numbers, Positions, Sample
from demur.curves import counting
from demur.curves.counting import Ladder
from demur.decisions.betting import betting_bound
from demur.decisions.certificates import (
    TriedCutoffs,
    certified_by_bets,
    few_places,
    units_text,
)
from demur.decisions.choice_tables import ANSWERED_WHOLES, WHOLES
from demur.decisions.exact_certificates import (
    Certificate,
    binomial_bound,
    exactly_certified,
    exactly_certified_answered,
)
from demur.decisions.several_risks import SampleTests
from demur.decisions.simulated_bounds import simulated_of
from demur.wholes.whole_parts import WholeParts


@dataclass(frozen=True, eq=False)
class WholeTests:
    """The wholes of one system, as tests of cutoffs on their parts take them.

    Parameters
    ----------
    parts : WholeParts
        Numbered by whole.
    cluster : array of int64, shape (n_wholes,), or None
        Wholes that are drawn together; None if every whole stands alone.
    """

    parts: WholeParts
    cluster: Positions | None

    @cached_property
    def of_parts(self) -> Sample:
        """The parts as items, those of one whole or cluster together."""
        parts, alone = self.parts, np.arange(self.parts.n_wholes)
        names = (alone if self.cluster is None else self.cluster)[parts.whole]
        units, cluster = np.unique(names, return_inverse=True)
        weight = None if parts.weight is None else parts.weights[parts.whole] * 1.0
        return Sample(
            parts.guess,
            parts.confidence,
            np.zeros(len(parts)),
            weight,
            None if len(units) == len(parts) else cluster,
        )

    @property
    def exact(self) -> bool:
        """Whether wholes are independent and count the same."""
        return self.cluster is None and self.parts.weight is None

    @property
    def sized(self) -> bool:
        """Whether bounds hold for clusters or weights of given sizes."""
        return not self.exact

    def certified(
        self, of: str, target: Fraction, certainty: float, *, simulated: bool = False
    ) -> Certificate:
        """The smallest cutoff on parts whose error of wholes is certified.

        Parameters
        ----------
        of : {"wholes", "answered wholes"}
            Of all wholes one test suffices, since their errors fall with the cutoff;
            of answered ones the tests go down from several starts.
        target : Fraction
            The error.
        certainty : float
            One-sided.
        simulated : bool
            Whether to take the bound that holds in simulations, where not exact.

        Returns
        -------
        Certificate
            Its position is on the ladder of all guesses of parts.
        """
        if of == ANSWERED_WHOLES and target >= 1:
            simulated = False
        if simulated and not self.exact:
            certificate = simulated_of(self.tried(of), target, certainty)
        elif of == ANSWERED_WHOLES and (self.exact or target >= 1):
            ladder = whole_ladder(self.parts)
            certificate = exactly_certified_answered(ladder, target, certainty)
        elif self.exact:
            wholes = self.parts.n_wholes
            certificate = exactly_certified(
                whole_ladder(self.parts), wholes, target, certainty
            )
        else:
            certificate = certified_by_bets(self.tried(of), target, certainty)
        return replace(
            certificate,
            method=certificate.method.replace("items", "wholes"),
            why=certificate.why.replace("items", "wholes"),
        )

    def tried(self, of: str) -> TriedCutoffs:
        """The cutoffs on parts that bets on wholes try."""
        ladder = whole_ladder(self.parts)
        silence, vertices = len(ladder.ranked), ladder.vertices()[:-1]
        below = vertices if of == WHOLES else ladder.withheld(vertices)
        n_below = int(silence if of == WHOLES else ladder.withheld(silence))
        cutoffs = vertices[few_places(below, n_below)]

        def amounts(place: int) -> tuple[Floats, Floats, None]:
            return (*self.amounts(ladder.ranked[cutoffs[place]], of), None)

        units = units_text(
            None if self.cluster is None else int(self.cluster.max()) + 1
        )
        answered = n_below - (cutoffs if of == WHOLES else ladder.withheld(cutoffs))
        kind = "all" if of == WHOLES else "answered"
        return TriedCutoffs(kind, cutoffs, answered, silence, units, amounts)

    def amounts(self, cutoff: float, of: str) -> tuple[Floats, Floats]:
        """Loss and size of each whole, or cluster of wholes, at a cutoff on parts."""
        given, errs = answered_and_wrong(self.parts, cutoff)
        weight = self.parts.weights.astype(np.float64)
        loss = np.where(errs, weight, 0.0)
        size = weight if of == WHOLES else np.where(given, weight, 0.0)
        if self.cluster is not None:
            loss, size = (np.bincount(self.cluster, sums) for sums in (loss, size))
        return loss[size > 0], size[size > 0]

    # -- of several promises -----------------------------------------------------------

    def lowest(self, target: Fraction, certainty: float) -> float | None:
        """The smallest cutoff of which that is certified; None is silence."""
        position = self.certified(WHOLES, target, certainty).position
        ranked = whole_ladder(self.parts).ranked
        silent = position is None or position == len(ranked)
        return None if silent else float(ranked[position])

    def bound(self, cutoff: float | None, certainty: float, *, declined: bool) -> float:
        """Upper bound of the error of wholes, or of the share of parts withheld."""
        if declined:
            return SampleTests(self.of_parts).bound(cutoff, certainty, declined=True)
        if cutoff is None:
            return 0.0
        if self.exact:
            _, errs = answered_and_wrong(self.parts, cutoff)
            wrong = int(np.count_nonzero(errs))
            return binomial_bound(wrong, self.parts.n_wholes, certainty)
        return betting_bound(*self.amounts(cutoff, WHOLES), certainty=certainty)


def answered_and_wrong(parts: WholeParts, cutoff: float) -> tuple[Flags, Flags]:
    """Wholes of which a part is returned at a cutoff, and those of which a bad one is.

    Returns
    -------
    (array of bool, array of bool), shape (n_wholes,) each

    Examples
    --------
    >>> import demur
    >>> from demur.wholes.numbering import numbered_parts
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["a", "a", "b"], part=["x", "y", "x"], correct=[1, 0, 1],
    ...     confidence=[0.9, 0.4, 0.3])
    >>> parts = numbered_parts("here", outcomes)
    >>> [flags.tolist() for flags in answered_and_wrong(parts, 0.4)]
    [[True, False], [True, False]]
    """
    least = parts.confidence.dtype.type(cutoff)
    returned = parts.guess & (parts.confidence >= least)
    given, errs = np.zeros((2, parts.n_wholes), bool)
    given[parts.whole[returned]] = True
    errs[parts.whole[returned & (parts.wrong | parts.ungraded)]] = True
    return given, errs


def whole_ladder(parts: WholeParts, *, weighted: bool = False) -> Ladder:
    """The ladder of all guesses of parts that counts wholes.

    Parameters
    ----------
    parts : WholeParts
    weighted : bool
        Whether wholes count as they weigh, or one each.

    Returns
    -------
    Ladder
        What is withheld below a position is the wholes of which nothing is returned,
        what is lost are the wholes with a bad returned part.

    Examples
    --------
    >>> import demur
    >>> from demur.wholes.numbering import numbered_parts
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["a", "a", "b"], part=["x", "y", "x"], correct=[1, 0, 1],
    ...     confidence=[0.9, 0.4, 0.3])
    >>> ladder = whole_ladder(numbered_parts("here", outcomes))
    >>> ladder.answered(ladder.vertices()).tolist(), ladder.lost(1), ladder.lost(2)
    ([2, 1, 1, 0], np.int64(1), np.int64(0))
    """
    weight = parts.weights if weighted else np.ones(parts.n_wholes, np.int64)

    def counted(rows: Flags) -> Numbers:
        """The weight of each whole at the surest of some of its guesses."""
        surest = parts.surest(rows)
        some = surest >= 0
        amount = np.zeros(len(parts), weight.dtype)
        amount[surest[some]] = weight[some]
        return amount[parts.guess]

    lost, entering = counted(parts.wrong | parts.ungraded), counted(parts.guess)
    return counting.count(parts.confidence[parts.guess], lost, weight=entering)
