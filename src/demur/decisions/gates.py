"""Gates: conditions on results, one grammar for the command line and for scripts.

::

    error@0.2 > 0.05              error at nonreturn 0.2, the high bound
    error(cutoff=0.7) > 0.05      ... at a cutoff; also (nonreturn=...), (error=...)
    nonreturn(error=0.05) > 0.3   least nonreturn at which the error is 0.05
    error > 0.1, nonreturn > 0.3  at the system's own decisions
    area > 0.1                    the high bound
    certified_error(cutoff=0.7) > 0.05    upper bound at 95 % certainty; another one:
                                  certified_error(cutoff=0.7, certainty=0.99)
    corrected_error@0.2 > 0.05    as people's verdicts correct it; also (cutoff=...)
    ungraded > 10                 counts: items, right, wrong, unanswered, ungraded
    NAME: error@0.2 > 0.05        for one system only
    B worse than A @0.2           by the paired test at that nonreturn (compare)
    B not worse than A by 0.02 @0.2    a claim: broken unless the interval shows it
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import zip_longest
from typing import Final

from demur.checks import choice, decimal_fraction
from demur.curves.curves import Curve
from demur.curves.rates import Point
from demur.decisions.certifying import certified_error
from demur.errors import InputError, ParseError, UndefinedRate, shown
from demur.outcomes.table import Outcomes
from demur.statistics.correcting import corrected_error, labelled_part

_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_GATE = re.compile(
    rf"""\s*(?:(?P<system>.+):)?\s*(?P<name>[a-z_]+)
    (?:\s*@\s*(?P<at>{_NUMBER})
      |\s*\(\s*(?P<key>[a-z]+)\s*=\s*(?P<value>{_NUMBER})
        (?:\s*,\s*certainty\s*=\s*(?P<certainty>{_NUMBER}))?\s*\))?
    \s*(?P<sign><=|>=|==|!=|<|>)\s*(?P<limit>{_NUMBER})\s*""",
    re.VERBOSE,
)
_WORSE = re.compile(
    rf"\s*(?P<b>.+?)\s+(?P<not>not\s+)?worse than\s+(?P<a>.+?)"
    rf"(?:\s+by\s+(?P<margin>{_NUMBER}))?\s*(?:@\s*(?P<at>{_NUMBER})\s*)?"
)
_COUNT = re.compile(
    rf"\s*(?P<name>[a-z-]+)\s*(?P<sign><=|>=|==|!=|<|>)\s*(?P<limit>{_NUMBER})\s*"
)
_KEY = re.compile(
    rf"\s*(?P<name>[^<>=!]*[^<>=!\s])\s*(?P<sign><=|>=|==|!=|<|>)\s*(?P<limit>{_NUMBER})\s*"
)
_COMPARE: Final[dict[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
_COUNTS = ("items", "right", "wrong", "unanswered", "ungraded")
_RATES = ("error", "nonreturn", "missed")
_CERTIFIED = "certified_error"
_CORRECTED = "corrected_error"
MOST_COUNTED: Final = Decimal(2**53)
_WHOLE = ("area", "forced_choice_error")
NAMELESS: Final = "(nameless)"
"""How a gate calls a system without a name."""

_POINTS: Final[dict[str, Callable[[Curve, float], Point]]] = {
    "nonreturn": lambda curve, value: curve.at(nonreturn=value),
    "error": lambda curve, value: curve.at(error=value),
    "cutoff": lambda curve, value: curve.at(cutoff=value),
}


@dataclass(frozen=True)
class Gate:
    """A condition that must not hold.

    It fails closed: a system that is not there, a value that is not defined and a limit
    that no value can reach are errors, never a gate that is passed.

    Parameters
    ----------
    text : str
        As it was written.
    system : str or None
        The system it is about; None is every system.
    name : str
        A count, a rate, or a figure of the whole curve.
    look_up : tuple (name, value), or None
        Where on the curve; None is the system's own decisions, or the whole.
    sign : str
        One of ``> >= < <= == !=``.
    limit : float
        What it is compared with.
    certainty : float
        Of a certified error.
    """

    text: str
    system: str | None
    name: str
    look_up: tuple[str, float] | None
    sign: str
    limit: float
    certainty: float = 0.95

    def value(
        self, curve: Curve, outcomes: Outcomes | None = None, gold: str | None = None
    ) -> float:
        """What the gate looks at, the high bound where there are bounds.

        Parameters
        ----------
        curve : Curve
        outcomes : Outcomes, optional
            Those of the curve; certified and corrected errors need them.
        gold : str, optional
            The column with people's verdicts: a corrected error needs it, and a
            certified one then rests on them alone.

        Raises
        ------
        UndefinedRate
            If the curve has no such value: a gate on it neither holds nor is broken.
        """
        if self.name == _CERTIFIED:
            return self._certified(outcomes, gold)
        if self.name == _CORRECTED:
            return self._corrected(outcomes, gold)
        if self.look_up is not None:
            name, wanted = self.look_up
            point = _POINTS[name](curve, wanted)
        elif self.name in _COUNTS:
            return float(getattr(curve.totals, self.name))
        elif self.name == "area":
            return curve.area().high
        elif self.name == "forced_choice_error":
            return curve.forced_choice_error[1]
        else:
            point = curve.operating_point
        value = point.bounds[1] if self.name == "error" else getattr(point, self.name)
        if value is None or value != value:
            raise UndefinedRate(
                f"gate {self.text!r}: {curve.system or 'the system'} has no "
                f"{self.name} there, left of its curve's start."
            )
        return float(value)

    def _corrected(self, outcomes: Outcomes | None, gold: str | None) -> float:
        if outcomes is None or gold is None:
            must = "come with --gold COLUMN, people's verdicts on a part of the items"
            raise InputError("gate", "a corrected error", must, shown(self.text))
        name, wanted = self.look_up or (None, 0.0)
        if name is None:
            return corrected_error(outcomes, gold).corrected.value
        if name == "cutoff":
            return corrected_error(outcomes, gold, cutoff=wanted).corrected.value
        return corrected_error(outcomes, gold, nonreturn=wanted).corrected.value

    def _certified(self, outcomes: Outcomes | None, gold: str | None) -> float:
        if outcomes is None or self.look_up is None:
            must = "be given for a certified error"
            raise InputError("gate", "the outcomes", must, "none")
        cutoff = self.look_up[1]
        if gold is not None:
            outcomes = labelled_part("gate", outcomes, gold)
        return certified_error(outcomes, cutoff=cutoff, certainty=self.certainty)

    def broken_by(
        self,
        curves: Sequence[Curve],
        parts: Sequence[Outcomes | None] = (),
        gold: str | None = None,
    ) -> list[str]:
        """One line per curve on which the condition holds.

        Parameters
        ----------
        curves : sequence of Curve
        parts : sequence of Outcomes, optional
            Those of each curve; certified and corrected errors need them.
        gold : str, optional
            The column with people's verdicts.

        Raises
        ------
        InputError
            If the gate names a system that is not there.
        """
        names = [curve.system or NAMELESS for curve in curves]
        if self.system is not None or not names:
            choice("gate", "the system", self.system, names)
        lines = []
        for name, curve, part in zip_longest(names, curves, parts):
            if self.system in (None, name):
                value = self.value(curve, part, gold)
                if _COMPARE[self.sign](value, self.limit):
                    of = f"{curve.system}: " if curve.system else ""
                    what = self.text.split(self.sign)[0].split(":")[-1].strip()
                    lines.append(
                        f"{of}{what} is {value:.6g} {self.sign} {self.limit:g}"
                    )
        return lines


def _most(name: str, look_up: tuple[str, float] | None) -> Decimal:
    """The greatest value of a rate: where x is declined, 1 - x at most are errors."""
    if look_up is not None and look_up[0] == "nonreturn":
        declined = Decimal(str(look_up[1]))
        if name in ("error", _CORRECTED):
            return 1 - declined
        if name == "missed":
            return declined
    return Decimal(1)


def _check_limit(text: str, sign: str, limit: str, most: Decimal | None) -> None:
    """Refuse a condition that no value can meet, since it would never break.

    Values go from 0 to `most`; None stands for a count.
    """
    number, top = Decimal(limit), MOST_COUNTED if most is None else most
    beyond = not 0 <= number <= top
    at_end = (number == 0 and sign == "<") or (number == top and sign == ">")
    part = most is None and sign in ("==", "!=") and not beyond and number % 1
    if beyond or at_end or part:
        reach = "whole numbers from 0" if most is None else f"from 0 to {top}"
        hint = "Rates are fractions: write 0.05 for 5 %." if most else ""
        must = f"be one that can be reached ({reach})"
        raise ParseError("gate", "the limit", must, shown(text), hint)


@dataclass(frozen=True)
class CountGate:
    """A condition on a count that must not hold.

    Parameters
    ----------
    text : str
        As it was written.
    name : str
        Of the count.
    sign : str
        One of ``> >= < <= == !=``.
    limit : float
        What it is compared with.
    """

    text: str
    name: str
    sign: str
    limit: float

    def broken_by(self, count: int) -> bool:
        """Whether the condition holds."""
        return _COMPARE[self.sign](count, self.limit)


def parse_count(text: str) -> CountGate:
    """A gate on a count from its text.

    Raises
    ------
    ParseError
        If the text is no such gate.

    Examples
    --------
    >>> parse_count("tie-at-limit > 0").name
    'tie-at-limit'
    """
    match = _COUNT.fullmatch(text)
    if match is None:
        must = "read like 'findings > 0'"
        raise ParseError("gate", "the text", must, shown(text))
    _check_limit(text, match["sign"], match["limit"], None)
    return CountGate(text, match["name"], match["sign"], float(match["limit"]))


def check_count_names(gates: Iterable[CountGate], names: Iterable[str]) -> None:
    """Refuse gates on counts that do not exist.

    Raises
    ------
    InputError
        With the nearest name that does.
    """
    known = list(names)
    for gate in gates:
        choice("gate", "the name", gate.name, known)


@dataclass(frozen=True)
class KeyGate:
    """A condition on one value of a result that must not hold.

    Parameters
    ----------
    text : str
        As it was written.
    name : str
        Of the value.
    sign : str
        One of ``> >= < <= == !=``.
    limit : float
        What it is compared with.
    """

    text: str
    name: str
    sign: str
    limit: float

    def broken_by(self, values: Mapping[str, float | None]) -> bool:
        """Whether the condition holds.

        Raises
        ------
        InputError
            If there is no such value.
        UndefinedRate
            If the value is undefined: it passes no gate.
        """
        value = values[choice("gate", "the name", self.name, list(values))]
        if value is None:
            raise UndefinedRate(f"gate {self.text!r}: {self.name} is undefined.")
        return _COMPARE[self.sign](value, self.limit)


def parse_key(text: str, least: float = -1.0, most: float = 1.0) -> KeyGate:
    """A gate on one value of a result, from its text.

    Parameters
    ----------
    text : str
    least, most : float
        What the values can be; by default those of coefficients.

    Raises
    ------
    ParseError
        If the text is no such gate, or its limit cannot be reached.

    Examples
    --------
    >>> gate = parse_key("alpha jaccard < 0.67")
    >>> gate.name, gate.broken_by({"alpha jaccard": 0.5})
    ('alpha jaccard', True)
    """
    match = _KEY.fullmatch(text)
    if match is None:
        raise ParseError("gate", "the text", "read like 'alpha < 0.67'", shown(text))
    sign, limit = match["sign"], float(match["limit"])
    at_end = (limit == least and sign == "<") or (limit == most and sign == ">")
    if at_end or not least <= limit <= most:
        must = f"be one that can be reached (from {least:g} to {most:g})"
        raise ParseError("gate", "the limit", must, shown(text))
    return KeyGate(text, match["name"], sign, limit)


def parse_figure(text: str) -> KeyGate:
    """A gate on any figure of a result, whatever it can be.

    Examples
    --------
    >>> parse_figure("entropy > 2.5").limit
    2.5
    """
    return parse_key(text, float("-inf"), float("inf"))


@dataclass(frozen=True)
class WorseGate:
    """That one system is worse than another, or the claim that it is not.

    The first is broken if the test says so. The claim, that the one is not worse than
    the other by a margin, is broken unless the interval shows it: what luck can
    explain is no evidence of no harm.

    Parameters
    ----------
    text : str
        As it was written.
    worse, better : str
        The systems' names.
    at : float or None
        The nonreturn at which; None leaves it to the comparison.
    margin : float or None
        Of the claim; None if it is none.
    """

    text: str
    worse: str
    better: str
    at: float | None
    margin: float | None = None


def parse_worse(text: str) -> WorseGate:
    """A gate on a comparison from its text.

    Raises
    ------
    ParseError
        If the text is no such gate.

    Examples
    --------
    >>> gate = parse_worse("b worse than a @0.2")
    >>> gate.worse, gate.better, gate.at
    ('b', 'a', 0.2)
    >>> parse_worse("b not worse than a by 0.02").margin
    0.02
    """
    match = _WORSE.fullmatch(text)
    if match is None:
        must = "read like 'b worse than a @0.2' or 'b not worse than a by 0.02 @0.2'"
        raise ParseError("gate", "the text", must, shown(text))
    at = match["at"]
    if at is not None:
        decimal_fraction("gate", "nonreturn", float(at))
    if match["a"] == match["b"]:
        must = "compare two systems"
        raise ParseError("gate", "the text", must, shown(text))
    margin = match["margin"]
    if (margin is None) != (match["not"] is None):
        must = "name a margin just where it claims 'not worse than a by 0.02'"
        raise ParseError("gate", "the text", must, shown(text))
    if margin is not None and not 0 < float(margin) < 1:
        must = "be above 0 and below 1"
        raise ParseError("gate", "the margin", must, shown(text))
    if at is not None and float(at) == 1:
        must, hint = "be below 1", "Where all is declined, no system errs."
        raise ParseError("gate", "nonreturn", must, shown(text), hint)
    return WorseGate(
        text,
        worse=match["b"],
        better=match["a"],
        at=None if at is None else float(at),
        margin=None if margin is None else float(margin),
    )


def _check_name(name: str, key: str) -> None:
    """Raise `InputError` for a quantity that is not there, or not to be had so."""
    keys = {_CERTIFIED: ["cutoff"], _CORRECTED: ["nonreturn", "cutoff"]}
    if name in keys:
        if key or name == _CERTIFIED:
            choice("gate", f"{name}(…)", key, keys[name])
        return
    known = _RATES if key else (*_RATES, *_WHOLE, *_COUNTS, *keys)
    choice("gate", "a gate's quantity", name, known)


def parse_gate(text: str) -> Gate:
    """A gate from its text.

    Parameters
    ----------
    text : str
        In the grammar of this module.

    Returns
    -------
    Gate

    Raises
    ------
    ParseError
        If the text is no gate.
    InputError
        If it names what does not exist.

    Examples
    --------
    >>> gate = parse_gate("error@0.2 > 0.05")
    >>> gate.name, gate.look_up, gate.sign, gate.limit
    ('error', ('nonreturn', 0.2), '>', 0.05)
    """
    match = _GATE.fullmatch(text)
    if match is None:
        must = "read like 'error@0.2 > 0.05', 'area > 0.1' or 'ungraded > 10'"
        hint = "Rates are fractions: write 0.05 for 5 %."
        raise ParseError("gate", "the text", must, shown(text), hint)
    name = match["name"]
    look_up = None
    if match["at"] is not None:
        look_up = ("nonreturn", float(match["at"]))
    elif match["key"] is not None:
        key = choice("gate", f"{name}(…)", match["key"], _POINTS)
        look_up = (key, float(match["value"]))
    certainty = match["certainty"]
    _check_name(name, look_up[0] if look_up else "")
    if certainty is not None and name != _CERTIFIED:
        must = "come with certified_error only"
        raise InputError("gate", "certainty", must, shown(text))
    if look_up and look_up[0] != "cutoff":
        decimal_fraction("gate", look_up[0], look_up[1])
    if certainty is not None and not 0 < float(certainty) < 1:
        raise InputError("gate", "certainty", "be above 0 and below 1", shown(text))
    top = None if name in _COUNTS else _most(name, look_up)
    _check_limit(text, match["sign"], match["limit"], top)
    system = match["system"].strip() if match["system"] else None
    return Gate(
        text=text,
        system=system,
        name=name,
        look_up=look_up,
        sign=match["sign"],
        limit=float(match["limit"]),
        certainty=0.95 if certainty is None else float(certainty),
    )
