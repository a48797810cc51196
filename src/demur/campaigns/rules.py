"""The rules of a campaign, from ``campaign.toml``: every key is known, or refused."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Final

from demur import checks
from demur.campaigns.moments import moment, moment_text
from demur.errors import InputError, ParseError, shown
from demur.files import small_file
from demur.outcomes.contexts import CONTEXT_RULES

_RATE: Final = re.compile(r"error@(0?\.\d+|0|1)")


@dataclass(frozen=True)
class ScoringRules:
    """How answers are judged, and what ranks.

    Parameters
    ----------
    by : str
        As ``demur judge --by`` takes it.
    measure : str
        What ranks: ``error`` (the systems' own decisions), ``weighted_error``, or
        ``error@RATE`` (at that non-return rate).
    weight : float
        Of a wrong answer, for the weighted error.
    context : str
        The rule of when the context of a dialogue is reset.
    missing, unmatched, no_answer, databases
        As ``demur judge`` takes them; None where nothing is said.
    """

    by: str
    measure: str = "error"
    weight: float = 2.0
    context: str = "excluded"
    missing: str | None = None
    unmatched: str | None = None
    no_answer: tuple[str, ...] = ()
    databases: str | None = None

    @property
    def rate(self) -> float | None:
        """The non-return rate at which the error ranks, if it is one."""
        name, _, rate = self.measure.partition("@")
        return float(rate) if name == "error" and rate else None


@dataclass(frozen=True)
class BoardRules:
    """What a board shows while a phase is open.

    Parameters
    ----------
    rates : tuple of float
        Non-return rates at which the error of each submission is shown.
    digits : int
        Decimals of each number as a share: 2 are whole percents.
    most_gain : float
        What may be learnt beyond guessing at most, as a share of the items.
    ladder : float, optional
        A number on the board changes only if it is better by so much.
    show : str
        Which of a team's submissions stands for it: "best" by what ranks, or "last".
    accepts : tuple of str
        "leak", if the board may give away more than ``most_gain``.
    """

    rates: tuple[float, ...] = (0.2,)
    digits: int = 2
    most_gain: float = 0.05
    ladder: float | None = None
    show: str = "best"
    accepts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Phase:
    """A time in which answers are taken.

    Parameters
    ----------
    name : str
    opens, closes : datetime
        In UTC; the second at which it closes is no longer in it.
    submissions : int, optional
        How many valid ones a team has in it; any number if left out.
    per_day : int, optional
        The same for each UTC day.
    grace : int
        Seconds after it closes in which answers are still taken, and noted as late.
    """

    name: str
    opens: datetime
    closes: datetime
    submissions: int | None = None
    per_day: int | None = None
    grace: int = 0

    @property
    def ends(self) -> datetime:
        """When the last answers are taken: it closes, and the grace is over."""
        return self.closes + timedelta(seconds=self.grace)

    def is_open(self, now: datetime) -> bool:
        """Whether answers are taken now."""
        return self.opens <= now < self.ends


@dataclass(frozen=True)
class Rules:
    """The rules of a campaign.

    Parameters
    ----------
    name : str
    scoring : ScoringRules
    board : BoardRules
    phases : tuple of Phase
        One after the other.
    withdrawn_counts : bool
        Whether a submission that was withdrawn has used its slot.
    text : str
        Of the file, as it is logged when it has changed.
    """

    name: str
    scoring: ScoringRules
    board: BoardRules
    phases: tuple[Phase, ...]
    withdrawn_counts: bool = True
    text: str = ""

    def phase(self, now: datetime) -> Phase | None:
        """The phase that is open now."""
        return next((phase for phase in self.phases if phase.is_open(now)), None)

    def next_phase(self, now: datetime) -> Phase | None:
        """The next phase that opens."""
        return next((phase for phase in self.phases if phase.opens > now), None)


def read_rules(path: str | os.PathLike[str]) -> Rules:
    """The rules of a file.

    Raises
    ------
    InputError
        If it cannot be read.
    ParseError
        If it is no TOML, lacks a key, or has one that is unknown or makes no sense.
    """
    where = os.fspath(path)
    try:
        text = small_file(where).decode("utf-8")
    except OSError as problem:
        need, got = "be a file that can be read", problem.strerror or str(problem)
        hint = "demur campaign new makes the folder of a campaign."
        raise InputError(where, "the rules", need, got, hint) from None
    except UnicodeDecodeError as problem:
        raise ParseError(where, "the rules", "be UTF-8", str(problem)) from None
    return parse_rules(text, where)


def parse_rules(text: str, where: str = "campaign.toml") -> Rules:
    """The rules of a text.

    Raises
    ------
    ParseError
        As of `read_rules`.

    Examples
    --------
    >>> rules = parse_rules('''
    ... name = "Flights"
    ... [scoring]
    ... by = "cas"
    ... [[phases]]
    ... name = "test"
    ... opens = 2027-03-01T00:00:00Z
    ... closes = 2027-03-15T00:00:00Z
    ... ''')
    >>> rules.name, rules.phases[0].name, rules.board.digits
    ('Flights', 'test', 2)
    >>> parse_rules('nmae = "Flights"')
    Traceback (most recent call last):
    ...
    demur.errors.ParseError: campaign.toml: a key must be one of name, scoring, board,
    phases, withdrawn_counts; got 'nmae'. Did you mean 'name'?
    """
    try:
        table = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as problem:
        got = " ".join(str(problem).split()) or "too deep"
        raise ParseError(where, "the rules", "be TOML", got) from None
    _check_keys(
        where, table, ("name", "scoring", "board", "phases", "withdrawn_counts")
    )
    name = _name(where, "name", table.get("name"))
    scoring = _table(where, table, "scoring", ScoringRules)
    board = _table(where, table, "board", BoardRules)
    counts = table.get("withdrawn_counts", True)
    checks.truth(where, "withdrawn_counts", counts)
    return Rules(
        name=name,
        scoring=_scoring(f"{where}: [scoring]", scoring),
        board=_board(f"{where}: [board]", board),
        phases=tuple(_phases(where, table.get("phases"))),
        withdrawn_counts=counts,
        text=text,
    )


# -- tables ----------------------------------------------------------------------------


def _check_keys(where: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            error = checks.not_a_choice(where, "a key", key, list(known))
            need, got = error.must, error.got
            raise ParseError(where, "a key", need, got, error.hint)


def _table(
    where: str, table: Mapping[str, Any], name: str, kind: Any
) -> Mapping[str, Any]:
    held = table.get(name, {})
    if not isinstance(held, dict):
        hint = f"Write [{name}] on a line, and its keys below."
        raise ParseError(where, name, "be a table", shown(held), hint)
    _check_keys(f"{where}: [{name}]", held, [field.name for field in fields(kind)])
    return held


def _name(where: str, what: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ParseError(where, what, "be a name on one line", shown(value))
    return value.strip()


def _scoring(where: str, held: Mapping[str, Any]) -> ScoringRules:
    if "by" not in held:
        hint = 'Such as by = "cas"; as demur judge --by.'
        raise ParseError(where, "by", "be there", "nothing", hint)
    for key in ("by", "measure", "context", "missing", "unmatched", "databases"):
        checks.filled(where, key, held.get(key, "-"))
    checks.choice(where, "context", held.get("context", "alone"), CONTEXT_RULES)
    weight = held.get("weight", 2.0)
    checks.number(where, "weight", weight, 0.0, 1e6)
    measure = held.get("measure", "error")
    if measure not in ("error", "weighted_error") and not _RATE.fullmatch(measure):
        need = 'be "error", "weighted_error" or "error@RATE"'
        hint = '"error@0.2" is the error where a fifth is not answered.'
        raise ParseError(where, "measure", need, shown(measure), hint)
    no_answer = tuple(checks.names(where, "no_answer", held.get("no_answer", ())))
    return ScoringRules(**{**held, "weight": float(weight), "no_answer": no_answer})


def _board(where: str, held: Mapping[str, Any]) -> BoardRules:
    usual = BoardRules()
    rates = held.get("rates", list(usual.rates))
    if not isinstance(rates, list):
        raise ParseError(where, "rates", "be a list", shown(rates), "Such as [0.2].")
    for rate in rates:
        checks.number(where, "each of rates", rate, 0.0, 1.0)
    digits = held.get("digits", usual.digits)
    checks.whole(where, "digits", digits, 1)
    if digits > 6:
        raise ParseError(where, "digits", "be at most 6", shown(digits))
    gain, ladder = held.get("most_gain", usual.most_gain), held.get("ladder")
    checks.number(where, "most_gain", gain, 0.0, 1.0)
    checks.number(where, "ladder", 0 if ladder is None else ladder, 0.0, 1.0)
    show, accepts = held.get("show", usual.show), held.get("accepts", [])
    checks.choice(where, "show", show, ["best", "last"])
    for name in checks.listed(where, "accepts", accepts):
        checks.choice(where, "each of accepts", name, ["leak"])
    shown_rates = tuple(map(float, rates))
    return BoardRules(
        shown_rates, digits, float(gain), ladder, show, accepts=tuple(accepts)
    )


def _phases(where: str, listed: Any) -> Iterator[Phase]:
    if not isinstance(listed, list) or not listed:
        hint = "Begin each phase with [[phases]]."
        raise ParseError(where, "phases", "be a list of tables", shown(listed), hint)
    before: Phase | None = None
    names: set[str] = set()
    for number, held in enumerate(listed, 1):
        place = f"{where}: phase {number}"
        phase = _phase(place, held)
        if phase.name in names:
            need = "have a name of its own"
            raise ParseError(place, "a phase", need, shown(phase.name))
        if before is not None and phase.opens < before.ends:
            need = f"not open before {shown(before.name)} is over"
            got = (
                f"{moment_text(phase.opens)}, and that ends {moment_text(before.ends)}"
            )
            raise ParseError(place, "a phase", need, got, "Put them in order of time.")
        names.add(phase.name)
        before = phase
        yield phase


def _phase(where: str, held: Any) -> Phase:
    if not isinstance(held, dict):
        raise ParseError(where, "a phase", "be a table", shown(held))
    _check_keys(where, held, [field.name for field in fields(Phase)])
    name = _name(where, "name", held.get("name"))
    opens = moment(where, "opens", held.get("opens"))
    closes = moment(where, "closes", held.get("closes"))
    if not opens < closes:
        need = f"be after it opens, {moment_text(opens)}"
        raise ParseError(where, "closes", need, moment_text(closes))
    for key, least in (("submissions", 1), ("per_day", 1), ("grace", 0)):
        checks.whole(where, key, held.get(key, least), least)
    counts = {key: held.get(key) for key in ("submissions", "per_day")}
    return Phase(name, opens, closes, **counts, grace=held.get("grace", 0))
