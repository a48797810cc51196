"""Named scores that are no weighing of right and wrong: PRR, c@1 and others.

One table, `SELECTIVE`, beside that of linear scores, which state a price and so can
choose a cutoff; these do not. Those that count decisions go by what the system itself
decided to answer; those that look at confidences take all guesses as if given.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.decisions.linear_scores import (
    PRESETS,
    UP_TO_1,
    WHOLE,
    LinearScore,
    linear_score,
    name_and_parameter,
    usage_of,
)
from demur.errors import UndefinedRate
from demur.results import exactly

if TYPE_CHECKING:
    from demur.comparisons.ranked_scores import RankedGuesses

Ends = tuple[float, float]
"""A score with ungraded answers as they lower it, and as they raise it."""


@dataclass(frozen=True, eq=False, slots=True)
class Decisions:
    """What became of the items of one system.

    Parameters
    ----------
    guess, given : arrays of bool, shape (n_items,)
        Whether there is a guess, and whether the system decided to give it.
    ungraded : array of bool, shape (n_items,)
        RankedGuesses that nobody could judge.
    credit : array of float64, shape (n_items,)
        What the guess is worth; 0 if it is wrong or ungraded, or there is none.
    hopeless : array of bool, shape (n_items,)
        Unanswerable items.
    weight : array of float64, shape (n_items,), or None
        Positive; None is 1 each.
    confidence : array, shape (n_items,), or None
        None if the system gives none.
    number : array of int64, shape (n_items,), or None
        How many items are like each of these, whose weights are alike; None is 1 each.
    """

    guess: Flags
    given: Flags
    ungraded: Flags
    credit: Floats
    hopeless: Flags
    weight: Floats | None = None
    confidence: Floats | None = None
    number: Positions | None = None

    def share(self, chosen: Flags | Floats) -> float:
        """Of all weight, that of some items."""
        weight = self.weight if self.number is None else self.number
        if weight is None:
            return float(np.sum(chosen)) / len(self.guess)
        return float(weight @ chosen) / float(weight.sum())


class Selective(NamedTuple):
    """One of the names.

    Parameters
    ----------
    measure : callable
        From decisions and parameter to both ends; raises `UndefinedRate`.
    source : str
        Who has published it.
    parameter : str
        What it is told, such as ``"rate"``; "" if nothing.
    within : str
        What the parameter must be, in words.
    usual : Fraction or None
        The parameter that need not be typed.
    is_cost : bool
        Whether less is better.
    least, most : float
        The possible range.
    by_decisions : bool
        Whether confidences do not matter.
    """

    measure: Callable[[Decisions, Any], Ends]
    source: str
    parameter: str = ""
    within: str = ""
    usual: Fraction | None = None
    is_cost: bool = False
    least: float = 0.0
    most: float = 1.0
    by_decisions: bool = False


@dataclass(frozen=True, slots=True)
class SelectiveScore:
    """A named score that is no weighing, read from its name.

    Parameters
    ----------
    name : str
        As typed, such as ``"selective-accuracy(rate=0.1)"``.
    form : Selective
        What it is.
    parameter : Fraction or None
        What it is told.
    """

    name: str
    form: Selective
    parameter: Fraction | None

    @property
    def is_cost(self) -> bool:
        """Whether less is better."""
        return self.form.is_cost

    @property
    def best(self) -> float:
        """The value than which none is better."""
        return self.form.least if self.is_cost else self.form.most

    @property
    def source(self) -> str:
        """Who has published it."""
        return self.form.source

    def of(self, decisions: Decisions) -> Ends:
        """The score of one system, with ungraded answers either way.

        Raises
        ------
        UndefinedRate
            If it has no value.
        """
        return self.form.measure(decisions, self.parameter)


def named_score(text: str) -> LinearScore | SelectiveScore:
    """A named score of either kind: a `LinearScore` or a `SelectiveScore`.

    Parameters
    ----------
    text : str
        A name, and its parameter in brackets if it has one.

    Raises
    ------
    InputError
        If there is no such name, or the parameter is missing or out of range.

    Examples
    --------
    >>> named_score("selective-accuracy(rate=0.1)").source[:4], named_score("prr").name
    ('HELM', 'prr(rejection=1)')
    """
    known: dict[str, Any] = {**SELECTIVE, **PRESETS}
    if isinstance(text, str):
        text = text.replace("c@1", "c-at-1")
        if text.partition("(")[0].strip() in PRESETS:
            return linear_score(text)
    name, value = name_and_parameter("named_score", text, known, usage_of(known))
    form = SELECTIVE[name]
    typed = "" if value is None else f"({form.parameter}={exactly(value)})"
    return SelectiveScore(name + typed, form, value)


def needs_rows(score: LinearScore | SelectiveScore) -> bool:
    """Whether a named score looks at confidences one by one.

    Examples
    --------
    >>> needs_rows(named_score("prr")), needs_rows(named_score("c@1"))
    (True, False)
    """
    return isinstance(score, SelectiveScore) and not score.form.by_decisions


# -- by the system's own decisions -----------------------------------------------------


def _c_at_1(decided: Decisions, _: Any) -> Ends:
    right = decided.share(decided.given * decided.credit)
    best = right + decided.share(decided.given & decided.ungraded)
    silent = decided.share(~decided.given)
    return right * (1 + silent), best * (1 + silent)


def _hallucination(decided: Decisions, _: Any) -> Ends:
    unclear = decided.share(decided.given & decided.ungraded)
    wrong = decided.share(_wrong(decided))
    not_right = decided.share(~(decided.given & (decided.credit == 1)))
    right_unclear = ~(decided.given & ((decided.credit == 1) | decided.ungraded))
    if not right_unclear.any():
        raise UndefinedRate("every answer is right, or may be")
    return wrong / decided.share(right_unclear), (wrong + unclear) / not_right


def _wrong(decided: Decisions) -> Flags:
    """Answers that were given and are worth nothing."""
    wrong: Flags = decided.given & ~decided.ungraded & (decided.credit == 0)
    return wrong


def _abstention(decided: Decisions, of: tuple[bool, bool]) -> Ends:
    silent = ~decided.given
    precision, recall = of
    below = precision * decided.share(silent) + recall * decided.share(decided.hopeless)
    if not below:
        whys = {
            (True, False): "everything is answered",
            (False, True): "no item is unanswerable",
            (True, True): "everything is answered, and no item is unanswerable",
        }
        raise UndefinedRate(whys[of])
    both = (precision + recall) * decided.share(silent & decided.hopeless)
    return both / below, both / below


def _truthfulness(decided: Decisions, _: Any) -> Ends:
    earned = decided.share(decided.given * decided.credit)
    earned -= decided.share(_wrong(decided))
    unclear = decided.share(decided.given & decided.ungraded)
    return earned - unclear, earned + unclear


# -- by confidences --------------------------------------------------------------------


def _confidence(decided: Decisions) -> Floats:
    if decided.confidence is None:
        if decided.guess.any():
            raise UndefinedRate("there are no confidences")
        return np.empty(0)
    return decided.confidence[decided.guess]


def _guesses(decided: Decisions) -> "RankedGuesses":
    from demur.comparisons.ranked_scores import RankedGuesses

    confidence = _confidence(decided)
    if decided.weight is not None:
        raise UndefinedRate("it counts guesses one by one, and these have weights")
    unclear = decided.ungraded[decided.guess]
    loss = np.where(unclear, 0.0, 1.0 - decided.credit[decided.guess])
    return RankedGuesses(confidence, loss, unclear)


def _prr(decided: Decisions, rejection: Fraction) -> Ends:
    from demur.comparisons.ranked_scores import prediction_rejection

    return prediction_rejection(_guesses(decided), rejection)


def _e_aurc(decided: Decisions, _: Any) -> Ends:
    from demur.comparisons.ranked_scores import excess_area

    return excess_area(_guesses(decided))


def _accuracy(decided: Decisions, rate: Fraction) -> Ends:
    from demur.comparisons.ranked_scores import accuracy_at

    return accuracy_at(_guesses(decided), rate, len(decided.guess))


def _squad(decided: Decisions, *, partial: bool) -> Ends:
    from demur.comparisons.ranked_scores import best_over_cutoffs

    confidence, guess = _confidence(decided), decided.guess
    weight = np.ones(len(guess)) if decided.weight is None else decided.weight
    credit = decided.credit if partial else decided.credit == 1
    ends = []
    for unclear in (0.0, 1.0):
        gain = np.where(decided.ungraded, unclear, credit)
        gain = weight * np.where(decided.hopeless, -1.0, gain)
        silent, total = float(weight @ decided.hopeless), float(weight.sum())
        ends.append(100 * best_over_cutoffs(confidence, gain[guess], silent, total))
    return ends[0], ends[1]


def _probabilities(decided: Decisions) -> tuple[Floats, Floats, Flags]:
    confidence, guess = _confidence(decided), decided.guess
    if not ((confidence >= 0) & (confidence <= 1)).all():
        raise UndefinedRate("the confidences are no probabilities")
    return confidence, decided.credit[guess], decided.ungraded[guess]


def _equal_counts(decided: Decisions, size: Fraction, *, printed: bool = False) -> Ends:
    columns = _probabilities(decided)
    if decided.weight is not None:
        raise UndefinedRate("its bins are of equal counts, and these have weights")
    from demur.calibration.binned_errors import equal_counts_error

    return equal_counts_error(*columns, size=int(size), without_last=printed)


def _ece(decided: Decisions, bins: Fraction) -> Ends:
    columns, guess = _probabilities(decided), decided.guess
    weight = np.ones(len(guess)) if decided.weight is None else decided.weight
    from demur.calibration.binned_errors import equal_widths_error

    return equal_widths_error(*columns, weight[guess], bins=int(bins))


# -- the names -------------------------------------------------------------------------

_RMS: Final = "Hendrycks et al. (2019)"
_ABSTENTION: Final = "AbstentionBench, Kirichenko et al. (2025), arXiv 2506.09038"
_SQUAD: Final = "the evaluation script of SQuAD 2.0, Rajpurkar et al. (2018)"

SELECTIVE: Final[Mapping[str, Selective]] = {
    "prr": Selective(
        _prr,
        "LM-Polygraph, Fadeeva et al. (2023), after Malinin and Gales (2021)",
        "rejection",
        UP_TO_1,
        usual=Fraction(1),
        least=-np.inf,
    ),
    "e-aurc": Selective(
        _e_aurc, "Geifman, Uziel and El-Yaniv (2019), arXiv 1805.08206", is_cost=True
    ),
    "selective-accuracy": Selective(
        _accuracy, "HELM, Liang et al. (2022), arXiv 2211.09110", "rate", UP_TO_1
    ),
    "c-at-1": Selective(
        _c_at_1,
        "Peñas and Rodrigo (2011), ACL Anthology P11-1142",
        by_decisions=True,
    ),
    "omniscience-hallucination": Selective(
        _hallucination,
        "AA-Omniscience, Artificial Analysis (2025), arXiv 2511.13029",
        is_cost=True,
        by_decisions=True,
    ),
    "abstention-precision": Selective(
        lambda decided, _: _abstention(decided, (True, False)),
        _ABSTENTION,
        by_decisions=True,
    ),
    "abstention-recall": Selective(
        lambda decided, _: _abstention(decided, (False, True)),
        _ABSTENTION,
        by_decisions=True,
    ),
    "abstention-f1": Selective(
        lambda decided, _: _abstention(decided, (True, True)),
        _ABSTENTION,
        by_decisions=True,
    ),
    "crag-truthfulness": Selective(
        _truthfulness,
        "CRAG, Yang et al. (2024), arXiv 2406.04744",
        least=-1.0,
        by_decisions=True,
    ),
    "squad-best-exact": Selective(
        lambda decided, _: _squad(decided, partial=False), _SQUAD, most=100.0
    ),
    "squad-best-f1": Selective(
        lambda decided, _: _squad(decided, partial=True), _SQUAD, most=100.0
    ),
    "rms-calibration-error": Selective(
        _equal_counts, _RMS, "bin", WHOLE, usual=Fraction(100), is_cost=True
    ),
    "hle-calibration-error": Selective(
        lambda decided, size: _equal_counts(decided, size, printed=True),
        f"the program of Humanity's Last Exam (2025), which leaves out the surest "
        f"bin, after {_RMS}",
        *("bin", WHOLE),
        usual=Fraction(100),
        is_cost=True,
    ),
    "ece": Selective(
        _ece,
        "Guo et al. (2017), arXiv 1706.04599, after Naeini et al. (2015)",
        *("bins", WHOLE),
        usual=Fraction(15),
        is_cost=True,
    ),
}
"""The table of named scores that are no weighing, which `demur.score` reads."""
