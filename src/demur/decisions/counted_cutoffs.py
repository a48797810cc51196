"""Which items cutoffs answer, where outcomes are counted."""

from collections.abc import Sequence
from typing import Final

from demur.arrays import Flags, Sample
from demur.curves.counted import Counts
from demur.curves.counted_curves import look_ups_settled
from demur.curves.known_cutoffs import check_cutoff
from demur.decisions.counted_checks import check_labelled
from demur.statistics.counted_samples import (
    check_line,
    check_unclustered,
    counted_sample,
    sample_at,
)

WHERE: Final = "at_cutoffs"


def answered_samples(
    counts: Counts, part: int, cutoffs: Sequence[float]
) -> list[tuple[Sample, Flags]]:
    """The items of a part, and which of them each cutoff answers.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer at the cutoffs.
    part : int
        Which part of it.
    cutoffs : sequence of float
        Guesses of at least this confidence are answered.
    """
    check_labelled(WHERE, counts, part, "its errors")
    check_line(WHERE, counts, part)
    if counts.engine.units is None:
        check_unclustered(WHERE, counts, part)
    look_ups_settled(counts, {part: [{"cutoff": cutoff} for cutoff in cutoffs]})
    for cutoff in cutoffs if counts.final else ():
        check_cutoff(WHERE, counts.blocks(part), cutoff)
    if counts.clusters[part] is None:
        sample = counted_sample(counts, part)
        given = [sample.guess & (sample.confidence >= cutoff) for cutoff in cutoffs]
        return [(sample, one) for one in given]
    samples = [sample_at(counts, part, cutoff) for cutoff in cutoffs]
    return [(one, one.guess & (one.confidence >= 1)) for one in samples]
