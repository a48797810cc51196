"""Several promises about one cutoff, all of which hold together."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol

import numpy as np

from demur.arrays import Sample
from demur.decisions.certificates import certified, erring, error_bound
from demur.results import FigureKind, Result

METHOD = "Bonferroni"


@dataclass(frozen=True, eq=False, repr=False)
class Risk(Result):
    """One of several promises.

    Parameters
    ----------
    what : str
        Such as ``"error of all"`` or ``"error of all, topic = history"``.
    target : float
        What the rate must not exceed.
    bound : float
        Its upper bound at the cutoff, with the certainty that its share of all risks
        leaves it.
    """

    KINDS: ClassVar = (FigureKind("bound", "the bound", can_be_undefined=False),)

    what: str
    target: float
    bound: float

    def sentence(self) -> str:
        """The bound and its target."""
        return f"{self.what}: at most {self.bound:.4g} (target {self.target:g})."


@dataclass(frozen=True)
class Joint:
    """A cutoff that keeps several promises, or the news that there is none.

    Parameters
    ----------
    cutoff : float or None
        None is silence.
    risks : tuple of Risk
        At that cutoff.
    why : str
        Why there is none; empty if there is one.
    """

    cutoff: float | None
    risks: tuple[Risk, ...]
    why: str = ""


def certified_together(
    samples: Mapping[str, Sample],
    whole: Sample,
    *,
    target: Fraction,
    certainty: float,
    max_nonreturn: Fraction | None = None,
) -> Joint:
    """The smallest cutoff at which the error of each group is certified.

    Each of n promises is certified with certainty ``1 - (1 - certainty) / n``
    (Bonferroni), so that all hold with the certainty that was asked for, however they
    depend on each other. Errors over all items fall as the cutoff rises, so the
    largest of the groups' own cutoffs does for all of them.

    Parameters
    ----------
    samples : mapping of str to Sample
        What each error is about.
    whole : Sample
        All items.
    target : Fraction
        The error over all items of each group.
    certainty : float
        One-sided, of all promises together.
    max_nonreturn : Fraction, optional
        Also promise that no more is declined.
    """
    tested = {what: SampleTests(sample) for what, sample in samples.items()}
    return together(
        tested,
        SampleTests(whole),
        target=target,
        certainty=certainty,
        max_nonreturn=max_nonreturn,
    )


class Tests(Protocol):
    """Items of which errors are certified, and bounded at a cutoff."""

    def lowest(self, target: Fraction, certainty: float) -> float | None:
        """The smallest cutoff of which that is certified; None is silence."""

    def bound(self, cutoff: float | None, certainty: float, *, declined: bool) -> float:
        """Upper bound of the error, or of the nonreturn, over all items at a cutoff."""


@dataclass(frozen=True)
class SampleTests:
    """The tests of items in memory."""

    sample: Sample

    def lowest(self, target: Fraction, certainty: float) -> float | None:
        """The smallest cutoff of which that is certified; None is silence."""
        position = certified(self.sample, target, certainty).position
        ranked = erring(self.sample).ranked
        silent = position is None or position == len(ranked)
        return None if silent else float(ranked[position])

    def bound(self, cutoff: float | None, certainty: float, *, declined: bool) -> float:
        """Upper bound of the error, or of the nonreturn, over all items at a cutoff."""
        return _bound(self.sample, cutoff, certainty, declined=declined)


def together(
    tested: Mapping[str, Tests],
    whole: Tests,
    *,
    target: Fraction,
    certainty: float,
    max_nonreturn: Fraction | None = None,
) -> Joint:
    """The same as `certified_together`, of whatever tests its items."""
    n_risks = len(tested) + (max_nonreturn is not None)
    per_risk = 1 - (1 - certainty) / n_risks
    cutoffs = [tests.lowest(target, per_risk) for tests in tested.values()]
    known = [cutoff for cutoff in cutoffs if cutoff is not None]
    cutoff = max(known) if len(known) == len(cutoffs) else None
    risks = [
        Risk(what, float(target), tests.bound(cutoff, per_risk, declined=False))
        for what, tests in tested.items()
    ]
    why = ""
    if max_nonreturn is not None:
        bound = whole.bound(cutoff, per_risk, declined=True)
        risks.append(Risk("nonreturn", float(max_nonreturn), bound))
        if bound > max_nonreturn:
            at = "silence" if cutoff is None else f"the cutoff {cutoff:g}"
            why = (
                f"the error needs {at}, where up to {bound:.3g} may be declined, more "
                f"than {float(max_nonreturn):g}"
            )
    return Joint(cutoff, tuple(risks), why)


def _bound(
    sample: Sample, cutoff: float | None, certainty: float, *, declined: bool
) -> float:
    """Upper bound of the error, or of the nonreturn, over all items at a cutoff."""
    if cutoff is None:
        return 1.0 if declined else 0.0
    answers = sample.guess & (sample.confidence >= cutoff)
    if not declined:
        return error_bound(sample, answers, certainty) if answers.any() else 0.0
    withheld = Sample(
        np.ones(len(sample), bool),
        sample.confidence,
        1.0 * ~answers,
        sample.weight,
        sample.cluster,
    )
    return error_bound(withheld, withheld.guess, certainty)
