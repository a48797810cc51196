"""How often judges who decide are wrong, by the answers that people have labelled.

Arrays alone: which answers are decided, what people say of some, and how many answers
each label stands for.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats, Positions
from demur.decisions.labelled_rates import Labels, bounds_by_labels
from demur.decisions.rate_bounds import bounds_of_rate
from demur.statistics.noisy_verdicts import CorrectedRate, Verdicts, corrected

ACCEPTS: Final = "false accepts"
REJECTS: Final = "false rejects"

Int8 = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class PeopleLabels:
    """What people say of some of the answers.

    Parameters
    ----------
    verdict : array of int8, shape (n_answers,)
        1 is right, 0 not right, -1 where people have not judged.
    weight : array of float64, shape (n_answers,), or None
        How many answers each label stands for; 0 where none could be drawn, NaN where
        none was. None if all had one chance.
    cluster : array of int64, shape (n_answers,), or None
        Independent units, numbered from 0.
    """

    verdict: Int8
    weight: Floats | None = None
    cluster: Positions | None = None

    @property
    def labelled(self) -> Flags:
        """Which answers people have judged."""
        known: Flags = self.verdict >= 0
        return known

    def wrong(self, decided: Int8) -> dict[str, Floats]:
        """Losses of decisions, in all and by kind; looked at where labelled.

        Parameters
        ----------
        decided : array of int8, shape (n_answers,)
            What judges say, -1 where nothing.

        Examples
        --------
        >>> labels = PeopleLabels(np.array([1, 0, 0, -1], np.int8))
        >>> wrong = labels.wrong(np.array([0, 1, 0, 1], np.int8))
        >>> wrong[ACCEPTS].tolist(), wrong[REJECTS].tolist()
        ([0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])
        """
        accepts = ((decided == 1) & (self.verdict == 0)).astype(float)
        rejects = ((decided == 0) & (self.verdict == 1)).astype(float)
        return {"": accepts + rejects, ACCEPTS: accepts, REJECTS: rejects}

    def beyond(self, decided: Int8) -> int:
        """How many decided answers could not be drawn to be labelled."""
        if self.weight is None:
            return 0
        return int(((self.weight == 0) & (decided >= 0)).sum())


def share_wrong(
    decided: Int8, loss: Floats, labels: PeopleLabels, level: float
) -> CorrectedRate | None:
    """The share of all answers that are decided wrongly, and its interval.

    The share decided, times the mean loss of decided answers that are labelled, each
    for as many as its weight says; by the score interval of `Verdicts`, which knows
    clusters, and is not narrow where all labels agree.

    Parameters
    ----------
    decided : array of int8, shape (n_answers,)
        What judges say, -1 where people decide.
    loss : array of float64, shape (n_answers,)
        Of `PeopleLabels.wrong`.
    labels : PeopleLabels
    level : float
        Of the interval.

    Returns
    -------
    CorrectedRate or None
        None if no decided answer is labelled, or some could not be.

    Examples
    --------
    >>> decided = np.array([1, 1, 1, -1], np.int8)
    >>> labels = PeopleLabels(np.array([1, 0, 1, 1], np.int8))
    >>> share_wrong(decided, labels.wrong(decided)[""], labels, 0.95).value
    0.25
    """
    answered = decided >= 0
    if not answered.any():
        return CorrectedRate(0.0, 0.0, 0.0)
    known = answered & labels.labelled
    if not known.any() or labels.beyond(decided):
        return None
    n_answers = len(decided)
    verdicts = Verdicts(
        judge=np.zeros(n_answers),
        people=loss,
        labelled=known,
        answered=answered.astype(float),
        cluster=np.arange(n_answers) if labels.cluster is None else labels.cluster,
        weight=_stands_for(labels, known),
        alone=True,
    )
    return corrected(verdicts, trust=0.0).rate(level)


def _stands_for(labels: PeopleLabels, known: Flags) -> Floats | None:
    """How many answers each label stands for, 1 where there is none."""
    if labels.weight is None:
        return None
    return np.where(known, labels.weight, 1.0)


def bound_of_wrong(
    decided: Int8, labels: PeopleLabels, *, of: str, certainty: float
) -> float:
    """A bound of the share of wrong decisions, which holds with a certainty.

    Exact for independent labels of one weight (Clopper and Pearson); else by betting.
    See `demur.decisions.labelled_rates.bounds_by_labels`.

    Parameters
    ----------
    decided : array of int8, shape (n_answers,)
        What judges say, -1 where people decide.
    labels : PeopleLabels
    of : {"all", "answered"}
        A share of all answers, or of those that judges decide.
    certainty : float
        One-sided.

    Returns
    -------
    float
        1 where labels say nothing of it.

    Examples
    --------
    >>> decided = np.ones(59, np.int8)
    >>> labels = PeopleLabels(np.ones(59, np.int8))
    >>> round(bound_of_wrong(decided, labels, of="all", certainty=0.95), 4)
    0.0495
    """
    if labels.beyond(decided):
        return 1.0
    answered, loss = decided >= 0, labels.wrong(decided)[""]
    known = answered & labels.labelled
    weight = _stands_for(labels, known)
    largest = None
    if labels.weight is not None:
        drawn = labels.weight[answered & (labels.weight > 0)]
        largest = float(drawn.max()) if len(drawn) else None
        if len(drawn) and (drawn == drawn[0]).all():
            weight = largest = None
    of_labels = Labels(answered, known, loss, loss, weight, largest)
    how: Any = {"cluster": labels.cluster, "certainty": certainty}
    if of_labels.partial:
        return float(bounds_by_labels(of_labels, of=of, **how).upper)
    counted = np.ones(len(decided)) if of == "all" else answered.astype(float)
    return float(bounds_of_rate(loss, loss, counted, **how).upper)
