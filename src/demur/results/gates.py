"""Gates: conditions on figures of a result that must not hold, for builds that fail.

The grammar, the same for every command::

    NAME SIGN LIMIT                    wer > 0.3
    NAME@NONRETURN SIGN LIMIT          error@0.2 > 0.05
    NAME(KEY=VALUE) SIGN LIMIT         nonreturn(error=0.05) > 0.3
    SYSTEM: ...                        of that system only, else of any
    NAME                               a verdict, such as broken
    B worse than A [@NONRETURN]        by the test, not the mere difference
    B not worse than A by MARGIN [@NONRETURN]

Names and limits are checked before any work, against the kinds that a result lists.
"""

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from demur.checks import choice, decimal_fraction
from demur.errors import InputError, ParseError, shown
from demur.results.kinds import Figure, FigureKind

_SIGNS: Final = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_CONDITION = re.compile(
    rf"\s*(?:(?P<system>.+?)\s*:\s*)?(?P<name>[^@<>=!:]+?)"
    rf"(?:\s*@\s*(?P<at>{_NUMBER})|\((?P<options>[^()]*=[^()]*)\))?"
    rf"\s*(?P<sign>>=|<=|==|!=|>|<)\s*(?P<limit>{_NUMBER})\s*"
)
_CLAIM = re.compile(
    rf"\s*(?P<worse>.+?)\s+(?P<not>not\s+)?worse\s+than\s+(?P<better>.+?)"
    rf"(?:\s+by\s+(?P<margin>{_NUMBER}))?(?:\s*@\s*(?P<at>{_NUMBER}))?\s*"
)
_CERTAINTY: Final = 0.95
MOST_COUNTED: Final = 2.0**53
"""No count is greater."""

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
    sign, limit : str and float
        What the value must not be; a verdict has ``== 1``.
    """

    text: str
    name: str
    system: str | None = None
    look_up: tuple[str, float] | None = None
    certainty: float = _CERTAINTY
    sign: str = "=="
    limit: float = 1.0

    def holds_of(self, value: float) -> bool:
        """Whether a value meets the condition, so that the gate is broken."""
        return bool(_SIGNS[self.sign](value, self.limit))

    def broken_by(self, figures: Iterable[Figure]) -> list[str]:
        """A line for each figure of this name that breaks the gate.

        Raises
        ------
        InputError
            If there is no such figure, or no such system.
        UndefinedRate
            If a figure has no value: nothing undefined passes.
        """
        named = [figure for figure in figures if figure.called == self.name]
        if not named:
            must, hint = "be a figure of this result", "It has none of that name."
            raise InputError("gate", "the name", must, shown(self.name), hint)
        if self.system is not None:
            names = dict.fromkeys(figure.of or NAMELESS for figure in named)
            choice("gate", "the system", self.system, names)
            named = [f for f in named if (f.of or NAMELESS) == self.system]
        return [self._line(figure) for figure in named if self.holds_of(figure.held)]

    def _line(self, figure: Figure) -> str:
        whose = f"{figure.of}: " if figure.of else ""
        if figure.kind.unit == "verdict":
            return f"{whose}{self.name}"
        where = ""
        if self.look_up is not None:
            key, place = self.look_up
            where = f"@{place:g}" if key == "nonreturn" else f"({key}={place:g})"
        return (
            f"{whose}{self.name}{where} is {figure.held:.6g}, must not be "
            f"{self.sign} {self.limit:g}"
        )


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
    """

    text: str
    worse: str
    better: str
    at: float | None = None
    margin: float | None = None


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
        system = match["system"]
        certainty, look_up = _options(text, match["at"], match["options"])
        return Gate(
            text=text,
            name=match["name"].strip(),
            system=None if system is None else system.strip(),
            look_up=look_up,
            certainty=certainty,
            sign=match["sign"],
            limit=float(match["limit"]),
        )
    claim = _CLAIM.fullmatch(text)
    if claim is not None:
        return _claim(text, claim)
    if re.fullmatch(r"\s*[a-z_]+\s*", text):
        return Gate(text, text.strip())
    must = "read like 'error@0.2 > 0.05', 'wer > 0.3' or 'b worse than a @0.2'"
    hint = "Rates are fractions: write 0.05 for 5 %."
    raise ParseError("gate", "the text", must, shown(text), hint)


def _options(
    text: str, at: str | None, options: str | None
) -> tuple[float, tuple[str, float] | None]:
    """The certainty, and where to look up, of ``(cutoff=0.7, certainty=0.9)``."""
    if at is not None:
        return _CERTAINTY, ("nonreturn", _fraction("nonreturn", at))
    certainty, look_up = _CERTAINTY, None
    for part in (options or "").split(",") if options else ():
        key, _, value = (word.strip() for word in part.partition("="))
        if not re.fullmatch(_NUMBER, value):
            must = "give numbers, such as cutoff=0.7"
            raise ParseError("gate", "what stands in brackets", must, shown(text))
        if key == "certainty":
            certainty = float(value)
            if not 0 < certainty < 1:
                must = "be above 0 and below 1"
                raise ParseError("gate", "certainty", must, shown(text))
        elif look_up is None:
            choice("gate", "what is looked up", key, ["nonreturn", "error", "cutoff"])
            look_up = key, float(value) if key == "cutoff" else _fraction(key, value)
        else:
            must = "be looked up at one place"
            raise ParseError("gate", "the text", must, shown(text))
    return certainty, look_up


def _fraction(key: str, value: str) -> float:
    decimal_fraction("gate", key, float(value))
    return float(value)


def _claim(text: str, match: re.Match[str]) -> WorseGate:
    margin, at = match["margin"], match["at"]
    if match["worse"] == match["better"]:
        must = "compare two systems"
        raise ParseError("gate", "the text", must, shown(text))
    if (margin is None) != (match["not"] is None):
        must = "name a margin just where it claims 'not worse than a by 0.02'"
        raise ParseError("gate", "the text", must, shown(text))
    place = None if at is None else _fraction("nonreturn", at)
    if place == 1:
        must, hint = "be below 1", "Where all is declined, no system errs."
        raise ParseError("gate", "nonreturn", must, shown(text), hint)
    # At a nonreturn x at most 1 - x are errors, so no difference is greater.
    most = 1.0 if place is None else float(1 - decimal_fraction("gate", "at", place))
    if margin is not None and not 0 < float(margin) < most:
        must = f"be above 0 and below {most:g}, the greatest difference there"
        raise ParseError("gate", "the margin", must, shown(text))
    return WorseGate(
        text=text,
        worse=match["worse"],
        better=match["better"],
        at=place,
        margin=None if margin is None else float(margin),
    )


def check_gate(gate: Gate | WorseGate, kinds: Sequence[FigureKind]) -> None:
    """Refuse a gate on what there is not, or that no value can break.

    Parameters
    ----------
    gate : Gate or WorseGate
    kinds : sequence of FigureKind
        Of the result; one of unit "claim" where systems are compared.

    Raises
    ------
    InputError
        With the nearest name, or the possible range.
    """
    if isinstance(gate, WorseGate):
        if not any(kind.unit == "claim" for kind in kinds):
            hint = "demur compare tests whether one system is worse."
            must = "be a condition on a figure"
            raise InputError("gate", "the text", must, shown(gate.text), hint)
        return
    kind = _kind_of(gate, kinds)
    _check_place(gate, kind)
    _check_limit(gate, kind)


def _kind_of(gate: Gate, kinds: Sequence[FigureKind]) -> FigureKind:
    kind = next((kind for kind in kinds if kind.covers(gate.name)), None)
    if kind is None or (kind.unit == "verdict") != (gate.sign == "==" and _bare(gate)):
        choice("gate", "a figure", gate.name, [known.name for known in kinds])
        must = "come with a condition, such as '> 0.1'"
        if kind is not None and kind.unit == "verdict":
            must = "stand alone, since it is or is not so"
        raise InputError("gate", gate.name, must, shown(gate.text))
    return kind


def _bare(gate: Gate) -> bool:
    return gate.text.strip() == gate.name


def _check_place(gate: Gate, kind: FigureKind) -> None:
    places = ", ".join(kind.at)
    if gate.look_up is not None and gate.look_up[0] not in kind.at:
        must = f"be looked up at {places}" if kind.at else "stand without @ or brackets"
        raise InputError("gate", gate.name, must, shown(gate.text))
    if gate.look_up is None and kind.needs_look_up:
        must = f"say where: {places}"
        raise InputError("gate", gate.name, must, shown(gate.text))
    if gate.certainty != _CERTAINTY and not gate.name.startswith("certified"):
        must = "come with certified_error only"
        raise InputError("gate", "certainty", must, shown(gate.text))


def _check_limit(gate: Gate, kind: FigureKind) -> None:
    """Refuse a limit that no value can reach, since the gate would never break."""
    least, most = kind.range_at(gate.look_up)
    limit, sign = gate.limit, gate.sign
    whole = kind.unit == "count"
    top = min(most, MOST_COUNTED) if whole else most
    at_end = (limit == least and sign == "<") or (limit == top and sign == ">")
    part = whole and sign in ("==", "!=") and not float(limit).is_integer()
    if not least <= limit <= top or at_end or part:
        reach = f"from {least:g} to {top:g}"
        if whole:
            reach = "whole numbers from 0"
        hint = ""
        if kind.unit == "share" and most == 1:
            hint = "Rates are fractions: write 0.05 for 5 %."
        must = f"be one that can be reached ({reach})"
        raise InputError("gate", "the limit", must, shown(gate.text), hint)


def claim_kind() -> FigureKind:
    """The kind that a result lists which says whether one system is worse."""
    return FigureKind("worse", "whether one system is worse than another", "claim")


def broken_gates(gates: Iterable[Any], result: Any) -> list[str]:
    """A line for each gate that a result breaks, ready to be said.

    Parameters
    ----------
    gates : iterable of Gate or WorseGate
        Checked.
    result : Result
        Asked by `Result.figures_for`, or `Result.claim_broken`.
    """
    lines = []
    for gate in gates:
        if isinstance(gate, WorseGate):
            broken = result.claim_broken(gate)
        else:
            broken = gate.broken_by(result.figures_for(gate))
        lines += [f"{line}  [--fail-if {gate.text!r}]" for line in broken]
    return lines
