"""Gates: conditions on figures of a result that must not hold, for builds that fail.

The grammar, the same for every command::

    NAME SIGN LIMIT                    wer > 0.3
    NAME@NONRETURN SIGN LIMIT          error@0.2 > 0.05
    NAME(KEY=VALUE) SIGN LIMIT         nonreturn(error=0.05) > 0.3
    SYSTEM: ...                        of that system only, else of any
    NAME, SYSTEM: NAME                 a verdict, such as broken
    B worse than A [@NONRETURN]        by the test, not the mere difference
    B not worse than A by MARGIN [@NONRETURN]
    B worse than A @weight WEIGHT      by the weighted error; the claim, too

Names and limits are checked before any work, against the kinds that a result lists.
"""

import operator
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final

from demur.checks import choice, decimal_fraction, names_shown
from demur.errors import InputError, ParseError, UndefinedRate, shown
from demur.results.kinds import Figure, FigureKind

SIGNS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
OPPOSITES: Final = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_CONDITION = re.compile(
    rf"\s*(?:(?P<system>\S.*?)\s*:\s*)?(?P<name>[^@<>=!:]+?)"
    rf"(?:\s*@\s*(?P<at>{_NUMBER})|\((?P<options>[^()]*=[^()]*)\))?"
    rf"\s*(?P<sign>>=|<=|==|!=|>|<)\s*(?P<limit>{_NUMBER})\s*"
)
_VERDICT = re.compile(r"\s*(?:(?P<system>\S.*?)\s*:\s*)?(?P<name>[a-z_-]+)\s*")
_CLAIM = re.compile(
    rf"\s*(?P<worse>.+?)\s+(?P<not>not\s+)?worse\s+than\s+(?P<better>.+?)"
    rf"(?:\s+by\s+(?P<margin>{_NUMBER}))?"
    rf"(?:\s*@\s*(?:(?P<at>{_NUMBER})|weight\s+(?P<weight>{_NUMBER})))?\s*"
)
_JOINED: Final = re.compile(r"\s(?:and|or)\s|&&|\|\||[,;]", re.IGNORECASE)
_RATE_WORDS: Final = frozenset(("rate", "share", "fraction", "percent", "accuracy"))
_PLACES: Final = ("nonreturn", "error", "cutoff")
MOST_COUNTED: Final = 2.0**53
"""No count is greater: up to here floats hold every whole number."""

LIKE_PERCENT: Final = 5.0
"""A limit of a rate that has no end, such as of words, is below: 5 would be 500 %."""

NAMELESS: Final = "(nameless)"
"""How a gate calls a system without a name."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition that must not hold, as it was written and read.

    Parameters
    ----------
    text : str
        As it was written.
    name : str
        Of the figure.
    system : str or None
        Whose figure; None for all.
    look_up : tuple (key, value), or None
        Where: at a nonreturn, an error or a cutoff.
    certainty : float
        Of a certified error.
    certainty_named : bool
        Whether it was written.
    sign, limit : str and float
        What the value must not be; a verdict, which is 1 or 0, has no sign.
    """

    text: str
    name: str
    system: str | None = None
    look_up: tuple[str, float] | None = None
    certainty: float = 0.95
    certainty_named: bool = False
    sign: str = ""
    limit: float = 1.0

    def holds_of(self, value: float) -> bool:
        """Whether a value meets the condition, so that the gate is broken.

        Examples
        --------
        >>> parse_gate("wer > 0.3").holds_of(0.4), parse_gate("broken").holds_of(0)
        (True, False)
        """
        return bool(SIGNS[self.sign or "=="](value, self.limit))

    def opposite(self) -> "Gate":
        """The gate that is broken just where this condition does not hold.

        Examples
        --------
        >>> parse_gate("error <= 0.05").opposite().sign
        '>'
        """
        return replace(self, sign=OPPOSITES[self.sign])

    def about(self, figures: Iterable[Figure]) -> list[Figure]:
        """The figures that this gate holds, of all systems or of the one it names."""
        return [
            figure
            for figure in figures
            if self._is_about(figure) and self.system in (None, _whose(figure))
        ]

    def broken_by(self, figures: Iterable[Figure]) -> list[str]:
        """A line for each figure of this name that breaks the gate.

        Raises
        ------
        InputError
            If there is no such figure, or no such system.
        UndefinedRate
            If a figure has no value and no other breaks the gate: nothing undefined
            passes.
        """
        listed = list(figures)
        names = [figure.called for figure in listed]
        named = [figure for figure in listed if self._is_about(figure)]
        if not named:
            if names and self.name not in names:
                choice("gate", "the name", self.name, dict.fromkeys(names))
            need, hint = "be a figure of this result", "It has none there."
            raise InputError("gate", "the name", need, shown(self.text), hint)
        if self.system is not None:
            systems = dict.fromkeys(_whose(figure) for figure in named)
            choice("gate", "the system", self.system, systems)
            named = [figure for figure in named if _whose(figure) == self.system]
        lines, undefined = list[str](), list[UndefinedRate]()
        for figure in named:
            try:
                value = self._breaking(figure.ends)
            except UndefinedRate as problem:
                undefined.append(problem)
                continue
            if value is not None:
                lines.append(self._line(figure, value))
        if undefined and not lines:
            raise UndefinedRate(f"gate {self.text!r}: {undefined[0]}")
        return [*lines, *map(str, undefined)]

    def _breaking(self, ends: tuple[float, float]) -> float | None:
        """What the value may be that breaks the gate; None if whatever it is passes."""
        low, high = ends
        # Between bounds any number may be it; all other signs break at an end first.
        if self.sign == "==" and low <= self.limit <= high:
            return self.limit
        return next((end for end in (high, low) if self.holds_of(end)), None)

    def _is_about(self, figure: Figure) -> bool:
        """Whether the name is the figure's, and where it is looked up, too."""
        if self.look_up is None:
            return figure.called == self.name and not figure.kind.needs_look_up
        return figure.called == self.name and self.look_up[0] in figure.kind.at

    def _line(self, figure: Figure, value: float) -> str:
        whose = f"{figure.of}: " if figure.of else ""
        if figure.kind.unit == "verdict":
            return f"{whose}{self.name}{f', {figure.why}' if figure.why else ''}"
        words = self.stated(f"{value:.6g}")
        if value == inf and figure.low is not None:
            words = self.stated(f"{figure.low:g} or more, {figure.why_undefined}")
        return f"{whose}{words}, must not be {self.sign} {self.limit:g}"

    def stated(self, value: str) -> str:
        """The name, where it is looked up, and a value in words.

        Examples
        --------
        >>> parse_gate("error@0.2 > 0.05").stated("0.04")
        'error@0.2 is 0.04'
        """
        where = ""
        if self.look_up is not None:
            key, place = self.look_up
            where = f"@{place:g}" if key == "nonreturn" else f"({key}={place:g})"
        return f"{self.name}{where} is {value}"


def _whose(figure: Figure) -> str:
    """The system of a figure as a gate can name it, which has no spaces around."""
    return figure.of.strip() or NAMELESS


@dataclass(frozen=True, slots=True)
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
    weight : float or None
        What a wrong answer costs, if one not given costs 1: then it is about the
        weighted errors of both, and about no nonreturn.
    """

    text: str
    worse: str
    better: str
    at: float | None = None
    margin: float | None = None
    weight: float | None = None


def parse_gate(text: str) -> Gate | WorseGate:
    """A gate from its text; its name and limit are checked by `check_gate`.

    Parameters
    ----------
    text : str
        In the grammar of this module.

    Raises
    ------
    ParseError
        If the text is no gate.

    Examples
    --------
    >>> gate = parse_gate("a: error@0.2 > 0.05")
    >>> gate.system, gate.name, gate.look_up, gate.sign, gate.limit
    ('a', 'error', ('nonreturn', 0.2), '>', 0.05)
    >>> parse_gate("b not worse than a by 0.02").margin
    0.02
    """
    match = _CONDITION.fullmatch(text)
    if match is not None:
        at = match["at"]
        given = {} if at is None else {"nonreturn": _fraction("nonreturn", at)}
        given |= _in_brackets(text, match["options"]) if match["options"] else {}
        return Gate(
            text=text,
            name=match["name"].strip(),
            system=match["system"],
            look_up=next(((key, given[key]) for key in _PLACES if key in given), None),
            certainty=given.get("certainty", 0.95),
            certainty_named="certainty" in given,
            sign=match["sign"],
            limit=float(match["limit"]),
        )
    claim = _CLAIM.fullmatch(text)
    if claim is not None:
        return _claim(text, claim)
    verdict = _VERDICT.fullmatch(text)
    if verdict is not None:
        return Gate(text, verdict["name"], verdict["system"])
    need = "read like 'error@0.2 > 0.05', 'wer > 0.3' or 'b worse than a @0.2'"
    hint = "Rates are fractions: write 0.05 for 5 %."
    if _JOINED.search(text):
        hint = "Write each condition with a --fail-if of its own; any one breaks."
    raise ParseError("gate", "the text", need, shown(text), hint)


def _in_brackets(text: str, options: str) -> dict[str, float]:
    """What stands in ``(cutoff=0.7, certainty=0.9)``."""
    given: dict[str, float] = {}
    for part in options.split(","):
        key, _, value = (word.strip() for word in part.partition("="))
        if not re.fullmatch(_NUMBER, value):
            need = "give numbers, such as cutoff=0.7"
            raise ParseError("gate", "what stands in brackets", need, shown(text))
        choice("gate", "what is looked up", key, [*_PLACES, "certainty"])
        if key in given or (key in _PLACES and given.keys() & {*_PLACES}):
            need = "be looked up at one place"
            raise ParseError("gate", "the text", need, shown(text))
        given[key] = float(value) if key == "cutoff" else _fraction(key, value)
    if given.get("certainty") in (0, 1):
        need = "be above 0 and below 1"
        raise ParseError("gate", "certainty", need, shown(text))
    return given


def _fraction(key: str, value: str) -> float:
    decimal_fraction("gate", key, float(value))
    return float(value)


def _claim(text: str, match: re.Match[str]) -> WorseGate:
    margin, at = match["margin"], match["at"]
    if match["worse"] == match["better"]:
        need = "compare two systems"
        raise ParseError("gate", "the text", need, shown(text))
    if (margin is None) != (match["not"] is None):
        need = "name a margin just where it claims 'not worse than a by 0.02'"
        raise ParseError("gate", "the text", need, shown(text))
    place = None if at is None else _fraction("nonreturn", at)
    limit = None if margin is None else float(margin)
    weight = None if match["weight"] is None else float(match["weight"])
    if weight is not None and not 0 < weight < inf:
        raise ParseError("gate", "a weight", "be above 0", shown(text))
    most = claim_kind(0.0 if place is None else place).most
    _check_margin(text, limit, most if weight is None else max(weight, 1.0))
    names = match["worse"], match["better"]
    return WorseGate(text, *names, at=place, margin=limit, weight=weight)


def _check_margin(text: str, margin: float | None, most: float) -> None:
    """Refuse a claim that no difference could break, or that says nothing."""
    if most == 0:
        need, hint = "be below 1", "Where all is declined, no system errs."
        raise ParseError("gate", "nonreturn", need, shown(text), hint)
    if margin is not None and not 0 < margin < most:
        need = f"be above 0 and below {most:g}, the greatest difference there"
        raise ParseError("gate", "the margin", need, shown(text))


def check_gate(gate: Gate | WorseGate, kinds: Sequence[FigureKind]) -> None:
    """Refuse a gate on what there is not, or that no value can break.

    Parameters
    ----------
    gate : Gate or WorseGate
        As `parse_gate` has read it.
    kinds : sequence of FigureKind
        Of the result; one of unit "claim" where systems are compared.

    Raises
    ------
    InputError
        With the nearest name, or the possible range.
    """
    if isinstance(gate, WorseGate):
        claims = [kind for kind in kinds if kind.unit == "claim"]
        if not claims:
            hint = "demur compare tests whether one system is worse."
            need = "be a condition on a figure"
            raise InputError("gate", "the text", need, shown(gate.text), hint)
        if gate.at is None and gate.weight is None:
            _check_margin(gate.text, gate.margin, claims[0].most)
        return
    kind = _kind_of(gate, kinds)
    _check_place(gate, kind)
    _check_limit(gate, kind)


def _kind_of(gate: Gate, kinds: Sequence[FigureKind]) -> FigureKind:
    figures = [kind for kind in kinds if kind.unit != "claim"]
    covering = [kind for kind in figures if kind.covers(gate.name)]
    if not covering:
        _refuse_name(gate.name, figures)
    kind = covering[0]
    need = ""
    if kind.unit == "verdict" and gate.sign:
        need = "stand alone, since it is or is not so"
    if kind.unit != "verdict" and not gate.sign:
        need = "come with a condition, such as '> 0.1'"
    if gate.certainty_named and not kind.certainty:
        need = "come without a certainty"
    if need:
        raise InputError("gate", gate.name, need, shown(gate.text))
    return kind


def _refuse_name(name: str, kinds: Sequence[FigureKind]) -> None:
    """Say which figure is meant, also where the title of a column is written."""
    known = [kind.name for kind in kinds]
    words = {kind.name: _words(f"{kind.name} {kind.title}") for kind in kinds}
    meant = [kind for kind in known if _words(name) and _words(name) <= words[kind]]
    rates = [kind.name for kind in kinds if kind.unit == "share"]
    if not meant and rates and _words(name.replace("_", " ")) & _RATE_WORDS:
        hint = f"Rates are {names_shown(rates)}; counts are whole numbers."
        need = f"be one of {names_shown(known)}"
        raise InputError("gate", "a figure", need, shown(name), hint)
    if not meant:
        choice("gate", "a figure", name, known)
    hint = f"Did you mean {shown(min(meant, key=lambda kind: len(words[kind])))}?"
    need = f"be one of {names_shown(known)}"
    raise InputError("gate", "a figure", need, shown(name), hint)


def _words(name: str) -> set[str]:
    return {*re.findall("[a-z0-9]+", name.lower())}


def _check_place(gate: Gate, kind: FigureKind) -> None:
    places = ", ".join(kind.at)
    if gate.look_up is not None and gate.look_up[0] not in kind.at:
        need = f"be looked up at {places}" if kind.at else "stand without @ or brackets"
        raise InputError("gate", gate.name, need, shown(gate.text))
    if gate.look_up is None and kind.needs_look_up:
        need = f"say where: {places}"
        raise InputError("gate", gate.name, need, shown(gate.text))


def _check_limit(gate: Gate, kind: FigureKind) -> None:
    """Refuse a limit that no value can reach, since the gate would never break."""
    least, most = kind.range_at(gate.look_up)
    limit, sign = gate.limit, gate.sign
    if not sign:
        return
    whole = kind.unit == "count"
    top = min(most, MOST_COUNTED if whole else sys.float_info.max)
    least = max(least, -sys.float_info.max)
    at_end = (limit == least and sign == "<") or (limit == top and sign == ">")
    # No count is 2.5, so that == would never break, and != always.
    part = whole and sign in ("==", "!=") and not float(limit).is_integer()
    percent = kind.unit == "share" and most == inf and limit >= LIKE_PERCENT
    if not least <= limit <= top or at_end or part or percent:
        reach = "whole numbers from 0" if whole else f"from {least:g} to {most:g}"
        if percent:
            reach = f"below {LIKE_PERCENT:g}, which is 500 %"
        hint = ""
        if kind.unit == "share" and most in (1, inf):
            hint = "Rates are fractions: write 0.05 for 5 %."
        need = f"be one that can be reached ({reach})"
        raise InputError("gate", "the limit", need, shown(gate.text), hint)


def claim_kind(nonreturn: float = 0.0) -> FigureKind:
    """The kind that a result lists which says whether one system is worse.

    At a nonreturn x at most 1 - x are errors, so no difference is greater.
    """
    most = float(1 - decimal_fraction("gate", "at", nonreturn))
    title = "whether one system is worse than another"
    return FigureKind("worse", title, "claim", most=most)


def broken_gates(gates: Iterable[Any], result: Any) -> list[str]:
    """A line for each gate that a result breaks, ready to be said.

    Parameters
    ----------
    gates : iterable of Gate or WorseGate
        Checked.
    result : Result
        Asked by `Result.figures_for`, or `Result.claim_broken`.

    Raises
    ------
    UndefinedRate
        If a figure is undefined and no gate is broken; else a line says so.
    """
    lines, undefined = list[str](), list[UndefinedRate]()
    for gate in gates:
        try:
            if isinstance(gate, WorseGate):
                broken = result.claim_broken(gate)
            else:
                broken = gate.broken_by(result.figures_for(gate))
        except UndefinedRate as problem:
            undefined.append(problem)
            continue
        lines += [f"{line}  [--fail-if {gate.text!r}]" for line in broken]
    if undefined and not lines:
        raise undefined[0]
    return [*lines, *map(str, undefined)]
