"""Certificates of items that are counted in blocks of confidences, exact as on rows.

Blocks whose inside decides something are counted again, each confidence apart, until
none is left; then the functions that serve rows read the ladder of the blocks.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from demur.arrays import Floats, Positions
from demur.curves.blocks import Blocks
from demur.curves.counted import Counts, settle
from demur.curves.counted_curves import look_ups_settled
from demur.curves.counting import Ladder
from demur.curves.known_cutoffs import check_cutoff
from demur.decisions.certificates import certified_by_bets
from demur.decisions.counted_bets import (
    bound_by_bets,
    by_bets,
    counted_cutoffs,
    sized,
)
from demur.decisions.counted_checks import check_tested
from demur.decisions.exact_certificates import (
    Certificate,
    binomial_bound,
    exactly_certified,
    exactly_certified_answered,
    first_tested,
    own_risk,
    shared_risk,
    starts_at,
)
from demur.decisions.simulated_bounds import simulated_of
from demur.statistics.counted_samples import check_line

CLOSE: Final = 1e-9
"""What rounding may do to a chance, in proportion."""


def counted_certificate(
    counts: Counts, part: int, target: Fraction, certainty: float, *, of: str
) -> Certificate:
    """The smallest cutoff whose error is certified, by bets where items are unlike.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer.
    part : int
        Which part of it.
    target : Fraction
        The error.
    certainty : float
        One-sided.
    of : {"all", "answered"}
        What the error is a share of.

    Returns
    -------
    Certificate
        Its position is among the blocks as they are afterwards, and the block there is
        of one confidence.
    """
    if by_bets(counts, part) and (of == "all" or target < 1):
        certificate = certified_by_bets(
            counted_cutoffs(counts, part, of), target, certainty
        )
        return _at_its_cutoff(counts, part, certificate)
    if of == "all":
        return _of_all(counts, part, target, certainty)
    while True:
        ladder = counts.blocks(part).erring_ladder()
        open_ = open_blocks(counts.blocks(part), target, certainty)
        if counts.refine({part: open_}):
            continue
        certificate = exactly_certified_answered(ladder, target, certainty)
        if certificate.position is None or not counts.refine(
            {part: [certificate.position]}
        ):
            return certificate


def counted_simulation(
    counts: Counts, part: int, target: Fraction, certainty: float, *, of: str
) -> Certificate:
    """The smallest cutoff by the simulated bound, of items that are unlike."""
    tried = counted_cutoffs(counts, part, of)
    return _at_its_cutoff(counts, part, simulated_of(tried, target, certainty))


def _at_its_cutoff(counts: Counts, part: int, certificate: Certificate) -> Certificate:
    """The certificate, once the block of its cutoff begins with a confidence."""
    if certificate.position is not None:
        counts.refine({part: [certificate.position]})
    return certificate


def _of_all(
    counts: Counts, part: int, target: Fraction, certainty: float
) -> Certificate:
    items = counts.parts[part].totals.items

    def certify(ladder: Ladder) -> Certificate:
        return exactly_certified(ladder, items, target, certainty)

    settle(counts, part, lambda blocks: certify(blocks.erring_ladder()).position)
    return certify(counts.blocks(part).erring_ladder())


# -- the walk down the cutoffs that are answered -----------------------------------


def open_blocks(blocks: Blocks, target: Fraction, certainty: float) -> set[int]:
    """The blocks inside of which a walk down all cutoffs may be decided.

    Parameters
    ----------
    blocks : Blocks
        As they are counted.
    target : Fraction
        The error among the answered.
    certainty : float
        One-sided.

    Notes
    -----
    Blocks that hold a start are open, since starts are cutoffs that answer so many. A
    whole block passes if its worst cutoff does: the one above which it has all of its
    errors and nothing else. For the chance of at most k errors among n answers rises
    with a further answer that errs, to at most k + 1 among n + 1, since the errors
    among n + 1 are at most one more than those among n; and it falls with one that is
    right. So no cutoff inside has a greater chance than that worst one. A block fails
    as a whole if its own cutoff does, that which answers all of it; where in it then
    only matters if nothing below passes. Between the two it is open, and the walk goes
    on in both ways, so that one count settles all of them.
    """
    if target >= 1:
        return {0} if len(blocks) else set()
    ladder, rate, risk = blocks.erring_ladder(), float(target), 1 - certainty
    answered = ladder.answered(np.arange(len(blocks))[::-1])
    if not len(blocks):
        return set()
    brought = shared_risk(answered, rate, risk)
    last = len(blocks) - 1
    open_ = {last - place for place in _start_places(answered, rate, risk)}
    return open_ | _undecided(blocks, brought, rate)


def _start_places(answered: Positions, rate: float, risk: float) -> set[int]:
    """Where the starts are, and that which takes what they leave, from the top."""
    if not rate:
        return set()
    starts = starts_at(answered)
    left = risk - math.fsum(own_risk(n, rate, risk) for n in answered[starts].tolist())
    # What is left is exact when the starts are; until then it is about that.
    first = [
        first_tested(rate, share, int(answered[-1]))
        for share in (left, risk)
        if share > 0
    ]
    places = {*starts.tolist(), *np.searchsorted(answered, first).tolist()}
    return {place for place in places if place < len(answered)}


def _undecided(blocks: Blocks, brought: Floats, rate: float) -> set[int]:
    """The blocks where walks with any risk that may be carried could pass or fail."""
    from scipy.special import bdtr

    single, errs = blocks.single[::-1], blocks.erring[::-1]
    given, wrong = (amount[::-1].cumsum() for amount in (blocks.guesses, blocks.erring))
    at_end = bdtr(wrong, given, rate)
    above = given - blocks.guesses[::-1] + np.maximum(errs, 1)
    worst = np.where(single, at_end, bdtr(wrong, above, rate) * (1 + CLOSE))
    open_, last = set[int](), len(blocks) - 1
    # What may be carried, and the blocks in which the lowest cutoff may lie then.
    carried: dict[float, set[int]] = {0.0: set()}
    for place, more in enumerate(brought.tolist()):
        if not more and len(carried) == 1 and 0.0 in carried:
            continue
        after: dict[float, set[int]] = {}
        for before, lowest in carried.items():
            risk, block = before + more, last - place
            ways: list[tuple[float, set[int]]] = [(0.0, lowest)]
            if risk and worst[place] <= risk:
                ways = [(risk, set() if single[place] else {block})]
            elif risk and not single[place]:
                ways = [(0.0, lowest | {block})]
                if at_end[place] <= risk * (1 + CLOSE):
                    open_.add(block)
                    ways.append((risk, {block}))
            for now, places in ways:
                after[now] = after.get(now, set()) | places
        carried = after
    return open_.union(*carried.values())


# -- bounds at a cutoff ------------------------------------------------------------


def counted_at(counts: Counts, part: int, cutoff: float | None) -> tuple[int, int]:
    """How many guesses a cutoff answers, and how many of these err.

    Parameters
    ----------
    counts : Counts
        The block that holds the cutoff is counted again.
    part : int
        Which part of it.
    cutoff : float or None
        None answers nothing.
    """
    if cutoff is None or not counts.parts[part].confident:
        return 0, 0
    look_ups_settled(counts, {part: [{"cutoff": cutoff}]})
    if counts.final:
        check_cutoff("choose", counts.blocks(part), cutoff)
    blocks = counts.blocks(part)
    answers = blocks.low >= cutoff
    return int(blocks.guesses[answers].sum()), int(blocks.erring[answers].sum())


@dataclass(frozen=True)
class CountedTests:
    """The tests of items that are counted."""

    counts: Counts
    part: int

    def lowest(self, target: Fraction, certainty: float) -> float | None:
        """The smallest cutoff of which that is certified; None is silence."""
        certificate = counted_certificate(
            self.counts, self.part, target, certainty, of="all"
        )
        low = self.counts.blocks(self.part).low
        silent = certificate.position is None or certificate.position == len(low)
        return None if silent else float(low[certificate.position])

    def bound(self, cutoff: float | None, certainty: float, *, declined: bool) -> float:
        """Upper bound of the error, or of the nonreturn, over all items at a cutoff."""
        items = self.counts.parts[self.part].totals.items
        given, wrong = counted_at(self.counts, self.part, cutoff)
        if cutoff is None:
            return 1.0 if declined else 0.0
        if not declined and not given:
            return 0.0
        if self._unlike(declined=declined):
            bets = self.counts, self.part, cutoff, certainty
            return bound_by_bets(*bets, declined=declined)
        return binomial_bound(items - given if declined else wrong, items, certainty)

    def _unlike(self, *, declined: bool) -> bool:
        """Whether bets are made; partial credit makes no difference to nonreturn."""
        if not by_bets(self.counts, self.part):
            return False
        return not declined or sized(self.counts, self.part)

    def certified_error(self, cutoff: float, certainty: float) -> float:
        """As `demur.certified_error` has it."""
        where = "certified_error"
        check_tested(where, self.counts, self.part)
        its = self.counts.parts[self.part]
        if its.totals.unanswered < its.totals.items:
            check_line(where, self.counts, self.part)
        _, wrong = counted_at(self.counts, self.part, cutoff)
        if by_bets(self.counts, self.part):
            return self.bound(cutoff, certainty, declined=False)
        return binomial_bound(wrong, its.totals.items, certainty)

    def answers(self, cutoff: float) -> bool:
        """Whether anything is answered there."""
        return counted_at(self.counts, self.part, cutoff)[0] > 0
