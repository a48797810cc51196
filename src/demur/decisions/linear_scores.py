"""Scores that weigh right, wrong and declined answers: one formula under many names.

``right - penalty * error``, as rates over all items, is greatest where
``error + r * nonreturn`` is least, with ``penalty = 1 / r - 1``. The names of the field
differ in how they state ``r``, in their units, and in whether they reward an
unanswerable item that was rightly not answered.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Final, NamedTuple

from demur.checks import choice
from demur.errors import InputError, shown
from demur.results import FigureKind, Result, exactly


class Preset(NamedTuple):
    """One of the names.

    Parameters
    ----------
    parameter : str
        What it is told, such as ``"c"``; "" if nothing.
    within : str
        What the parameter must be, in words.
    penalty : callable
        From the parameter to what a wrong answer costs, if a right one earns 1.
    source : str
        Who has published it.
    credits_declines : bool
        Whether an unanswerable item that is not answered earns as much as a right one.
    percent : bool
        Whether it is stated in per cent.
    is_cost : bool
        Whether less is better: it is then 1 less the score.
    """

    parameter: str
    within: str
    penalty: Callable[[Fraction], Fraction]
    source: str
    credits_declines: bool = False
    percent: bool = False
    is_cost: bool = False


def _odds(target: Fraction) -> Fraction:
    return target / (1 - target)


_INSIDE = "from 0 to below 1"
UP_TO_1: Final = "above 0 and at most 1"
WHOLE: Final = "a whole number from 1"

PRESETS: Final[Mapping[str, Preset]] = {
    "weighted-error": Preset(
        "weight",
        "above 0",
        lambda weight: weight - 1,
        "Bates, Boisen and Makhoul (1990), ACL Anthology H90-1022",
        is_cost=True,
    ),
    "atis-1991": Preset(
        "",
        "",
        lambda _: Fraction(1),
        "the ATIS evaluation of February 1991, ACL Anthology H91-1008",
        percent=True,
    ),
    "omniscience-index": Preset(
        "",
        "",
        lambda _: Fraction(1),
        "AA-Omniscience, Artificial Analysis (2025), arXiv 2511.13029",
        percent=True,
    ),
    "net-benefit": Preset(
        "threshold",
        _INSIDE,
        _odds,
        "Vickers and Elkin (2006), Medical Decision Making 26(6)",
    ),
    "confidence-target": Preset(
        "target", _INSIDE, _odds, "Kalai et al. (2025), arXiv 2509.04664"
    ),
    "reliability-score": Preset(
        "c",
        "0 or more",
        lambda penalty: penalty,
        "RS(c) of EHRSQL 2024 and TrustSQL, Lee et al. (2024), arXiv 2405.06673",
        credits_declines=True,
    ),
}
"""The table of linear scores, which `demur.score`, `demur.choose` and pages read."""

_WITHIN: Final[Mapping[str, Callable[[Fraction], bool]]] = {
    "above 0": lambda number: number > 0,
    "0 or more": lambda number: number >= 0,
    _INSIDE: lambda number: 0 <= number < 1,
    UP_TO_1: lambda number: 0 < number <= 1,
    WHOLE: lambda number: number >= 1 and number.denominator == 1,
}

_TYPED = re.compile(r"\s*([\w-]+)\s*(?:\(\s*(?:(\w+)\s*=)?\s*([^()=,\s]+)\s*\)\s*)?")


@dataclass(frozen=True, eq=False, repr=False)
class LinearScore(Result):
    """A named score that weighs right, wrong and declined answers.

    Made by `demur.linear_score`.

    Parameters
    ----------
    name : str
        As typed, such as ``"reliability-score(c=10)"``.
    penalty : float
        What a wrong answer costs, if a right one earns 1 and a declined one nothing.
    cost_ratio : float
        ``r``: the cutoff that is best by the score has the least
        ``error + r * nonreturn``, unless declines are credited.
    credits_declines : bool
        Whether an unanswerable item that is not answered earns as much as a right one.
    percent : bool
        Whether it is stated in per cent.
    is_cost : bool
        Whether less is better.
    source : str
        Who has published it.
    exact_penalty : Fraction
        The penalty before it is rounded.
    """

    KINDS: ClassVar = (
        FigureKind("penalty", "what a wrong answer costs", "number", -1.0, math.inf),
        FigureKind("cost_ratio", "the cost ratio", "number", most=math.inf),
    )

    name: str
    penalty: float
    cost_ratio: float
    credits_declines: bool
    percent: bool
    is_cost: bool
    source: str
    exact_penalty: Fraction = field(repr=False)

    @property
    def recipe(self) -> dict[str, str]:
        """The score as typed, and the rest of what it says."""
        return {"score": self.name}

    @property
    def best(self) -> float:
        """The value of answers that are all right."""
        return 0.0 if self.is_cost else 100.0 if self.percent else 1.0

    def sentence(self) -> str:
        """What the score weighs, and the cutoff that is best by it."""
        also = " and an unanswerable item not answered" if self.credits_declines else ""
        states = "1 less that" if self.is_cost else "that"
        unit = ", in per cent" if self.percent else ""
        return (
            f"{self.name}: a right answer{also} earns 1, a wrong one costs "
            f"{self.penalty:g}, a declined one nothing; the score is {states} per "
            f"item{unit}."
        )

    def bounds(
        self, right: float, error: float, ungraded: float, correct_declines: float
    ) -> tuple[float, float]:
        """The score of one point, with ungraded answers wrong and with them right.

        Parameters
        ----------
        right, error, ungraded, correct_declines : float
            Shares of all items: answered and right, wrong, not judged; unanswerable
            and not answered.

        Returns
        -------
        tuple (low, high)
            Equal if everything is graded.

        Examples
        --------
        331 right and 102 wrong of 687, as published in 1992:

        >>> import demur
        >>> score = demur.linear_score("weighted-error(weight=2)")
        >>> [round(end, 3) for end in score.bounds(331 / 687, 102 / 687, 0, 0)]
        [0.667, 0.667]
        """
        earned = right + (correct_declines if self.credits_declines else 0.0)
        worst = earned - self.penalty * (error + ungraded)
        # A right answer is worth more than a wrong one, whatever the penalty above -1.
        best = earned + ungraded - self.penalty * error
        ends = (1 - best, 1 - worst) if self.is_cost else (worst, best)
        scale = 100 if self.percent else 1
        return scale * ends[0], scale * ends[1]


def linear_score(text: str) -> LinearScore:
    """A named score, read from its name and parameter.

    Parameters
    ----------
    text : str
        A name of `PRESETS`, and its parameter in brackets if it has one, such as
        ``"atis-1991"``, ``"confidence-target(target=0.75)"`` or
        ``"reliability-score(10)"``.

    Raises
    ------
    InputError
        If there is no such name, or the parameter is missing or out of range.

    Examples
    --------
    >>> import demur
    >>> score = demur.linear_score("confidence-target(target=0.75)")
    >>> score.penalty, score.cost_ratio
    (3.0, 0.25)
    """
    name, value = name_and_parameter("linear_score", text, PRESETS, usage_of(PRESETS))
    preset = PRESETS[name]
    penalty = preset.penalty(Fraction(0) if value is None else value)
    typed = f"({preset.parameter}={exactly(value)})" if value is not None else ""
    return LinearScore(
        name=name + typed,
        penalty=float(penalty),
        cost_ratio=float(1 / (1 + penalty)),
        credits_declines=preset.credits_declines,
        percent=preset.percent,
        is_cost=preset.is_cost,
        source=preset.source,
        exact_penalty=penalty,
    )


def name_and_parameter(
    where: str, text: Any, forms: Mapping[str, Any], usage: str
) -> tuple[str, Fraction | None]:
    """The name and the parameter of a score as typed, checked.

    Parameters
    ----------
    where : str
        The function that reads it, for errors.
    text : any
        As typed.
    forms : mapping of str to Preset or the like
        Each with ``parameter``, ``within`` and, if it need not be typed, ``usual``.
    usage : str
        What may be typed, for errors.

    Raises
    ------
    InputError
        If there is no such name, or the parameter is missing or out of range.

    Examples
    --------
    >>> name_and_parameter("linear_score", "net-benefit(0.8)", PRESETS, "")
    ('net-benefit', Fraction(4, 5))
    """
    match = _TYPED.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        need = "read NAME or NAME(PARAMETER)"
        raise InputError(where, "the score", need, shown(text), usage)
    name, parameter, typed = match.groups()
    choice(where, "the score", name, list(forms))
    form = forms[name]
    known, usual = form.parameter, getattr(form, "usual", None)
    missing = typed is None and bool(known) and usual is None
    if missing or (typed and not known) or parameter not in (None, known):
        need = f"have the parameter {known}" if known else "have no parameter"
        raise InputError(where, name, need, shown(text), usage)
    if typed is None:
        return name, usual
    try:
        value = Fraction(typed)
    except (ValueError, ZeroDivisionError):
        need = f"be {form.within}"
        raise InputError(where, f"{name}: {known}", need, typed) from None
    if not (_WITHIN[form.within](value) and value < 10**9):
        need = f"be {form.within}"
        raise InputError(where, f"{name}: {known}", need, shown(text))
    return name, value


def usage_of(forms: Mapping[str, Any]) -> str:
    """What may be typed, for errors.

    Examples
    --------
    >>> usage_of(PRESETS)[:52]
    'Known: weighted-error(weight=...), atis-1991, omnisc'
    """
    typed = (
        f"{name}({form.parameter}=...)" if form.parameter else name
        for name, form in forms.items()
    )
    return f"Known: {', '.join(typed)}."
