"""Arrangements of several judges: they vote, or pass on what they are unsure of.

An arrangement is a value that prints as it is typed. What it decides follows from the
judges' verdicts and confidences alone: people's labels are not among what it is given.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from demur import checks
from demur.arrays import Flags, Floats, Positions
from demur.checks import choice
from demur.errors import InputError, ParseError, shown
from demur.results import exactly

PEOPLE: Final = "people"
"""Who decides what no judge has decided; no judge may be called so."""

UNDECIDED: Final = -1
"""The verdict, and the stage, of what goes to people."""

TRIED: Final = "*"
"""A cutoff that stands for several, which the judge's confidences alone say."""

GRID: Final = tuple(tenth / 10 for tenth in range(1, 10))
"""Shares of a judge's verdicts that lie below the cutoffs which stand for ``*``."""

MOST_ARRANGEMENTS: Final = 1000
"""More are not looked at together."""

_WHERE: Final = "arrangement"
_PLAIN: Final = re.compile(r'[^\s,()@"]+')
_TOKEN: Final = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s,()@"]+|[,()@])')


@dataclass(frozen=True, eq=False)
class JudgePanel:
    """What several judges say of the same answers; nothing of what people say.

    Parameters
    ----------
    judges : tuple of str
        Their names.
    verdict : array of int8, shape (n_judges, n_answers)
        1 is right, 0 not right, `UNDECIDED` where a judge cannot tell.
    confidence : array of float64, shape (n_judges, n_answers)
        Higher is surer, each on its own scale; -inf where a verdict has none. Not
        looked at where there is no verdict.
    states : array of bool, shape (n_judges,)
        Whether a judge gives confidences at all.
    """

    judges: tuple[str, ...]
    verdict: npt.NDArray[np.int8]
    confidence: Floats
    states: Flags

    def place(self, judge: str) -> int:
        """Which row is a judge's.

        Raises
        ------
        InputError
            If there is no such judge.
        """
        return self.judges.index(choice(_WHERE, "a judge", judge, self.judges))

    @property
    def n_answers(self) -> int:
        """Answers that are judged."""
        return int(self.verdict.shape[1])


class JudgeDecisions(NamedTuple):
    """What an arrangement makes of the verdicts of its judges.

    ``verdict`` is 1, 0 or `UNDECIDED` (people decide), ``stage`` the place of the stage
    that decided or `UNDECIDED`, both of shape (n_answers,); ``asked`` says which judge
    gave a verdict that has to be paid, of shape (n_judges, n_answers).
    """

    verdict: npt.NDArray[np.int8]
    stage: Positions
    asked: Flags


@dataclass(frozen=True)
class Vote:
    """Judges who are all asked; what has too few votes goes to people.

    A verdict needs more than half of the judges named, or all of them: who cannot tell
    votes for neither. So ties, and verdicts of too few, are left to people.

    Parameters
    ----------
    judges : tuple of str
        At least two, each once.
    unanimous : bool
        Whether it takes all.

    Examples
    --------
    >>> import demur
    >>> print(demur.Vote(("a", "b", "c")), demur.Vote(("a", "b"), unanimous=True))
    vote(a, b, c) unanimous(a, b)
    """

    judges: tuple[str, ...]
    unanimous: bool = False

    def __post_init__(self) -> None:
        _check_judges(self.judges, least=2)

    def __str__(self) -> str:
        name = "unanimous" if self.unanimous else "vote"
        return f"{name}({', '.join(map(_name_text, self.judges))})"

    @property
    def stages(self) -> tuple[str, ...]:
        """Who decides: the vote."""
        return ("the vote",)

    def decide(self, panel: JudgePanel) -> JudgeDecisions:
        """What the votes decide."""
        places = [panel.place(judge) for judge in self.judges]
        votes, n_judges = panel.verdict[places], len(places)
        needed = n_judges if self.unanimous else n_judges // 2 + 1
        verdict = np.full(panel.n_answers, UNDECIDED, np.int8)
        for value in (0, 1):
            verdict[(votes == value).sum(axis=0) >= needed] = value
        asked = np.zeros(panel.verdict.shape, bool)
        asked[places] = True
        return JudgeDecisions(verdict, np.where(verdict >= 0, 0, UNDECIDED), asked)


@dataclass(frozen=True)
class JudgeStage:
    """One judge of a cascade, and from which confidence on its verdict decides.

    Parameters
    ----------
    judge : str
        Its name.
    cutoff : float or None
        None: every verdict that it gives decides.
    tried : bool
        Whether several cutoffs are to be tried in its place, see `alternatives`.

    Examples
    --------
    >>> import demur
    >>> print(demur.JudgeStage("small", 0.9), demur.JudgeStage("small", tried=True))
    small@0.9 small@*
    """

    judge: str
    cutoff: float | None = None
    tried: bool = False

    def __post_init__(self) -> None:
        if self.cutoff is not None and not math.isfinite(self.cutoff):
            need, got = "be a finite number", shown(self.cutoff)
            hint = "Without one, whatever the judge can tell is decided."
            raise InputError(_WHERE, f"the cutoff of {self.judge}", need, got, hint)

    def __str__(self) -> str:
        name = _name_text(self.judge)
        if self.tried:
            return f"{name}@{TRIED}"
        return name if self.cutoff is None else f"{name}@{exactly(self.cutoff)}"


@dataclass(frozen=True)
class Cascade:
    """Judges who are asked one after the other, each what those before left open.

    A judge decides if it can tell, and is sure enough where it has a cutoff; a verdict
    without a confidence is never sure enough. What nobody decides goes to people.

    Parameters
    ----------
    steps : tuple of JudgeStage
        At least one, each judge once; people come last and are not among them.

    Examples
    --------
    >>> import demur
    >>> steps = demur.JudgeStage("small", 0.9), demur.JudgeStage("large")
    >>> print(demur.Cascade(steps))
    cascade(small@0.9, large, people)
    """

    steps: tuple[JudgeStage, ...]

    def __post_init__(self) -> None:
        _check_judges(self.judges, least=1)

    def __str__(self) -> str:
        return f"cascade({', '.join([*map(str, self.steps), PEOPLE])})"

    @property
    def judges(self) -> tuple[str, ...]:
        """Who may be asked, in this order."""
        return tuple(step.judge for step in self.steps)

    @property
    def stages(self) -> tuple[str, ...]:
        """Who decides, in this order."""
        return self.judges

    def decide(self, panel: JudgePanel) -> JudgeDecisions:
        """What each judge decides of what is left to it."""
        verdict = np.full(panel.n_answers, UNDECIDED, np.int8)
        stage = np.full(panel.n_answers, UNDECIDED)
        asked = np.zeros(panel.verdict.shape, bool)
        for number, step in enumerate(self.steps):
            place = panel.place(step.judge)
            asked[place] = stage == UNDECIDED
            sure = asked[place] & _sure(panel, place, step)
            verdict[sure], stage[sure] = panel.verdict[place][sure], number
        return JudgeDecisions(verdict, stage, asked)


Arrangement = Vote | Cascade


def _sure(panel: JudgePanel, place: int, step: JudgeStage) -> Flags:
    """Where a judge can tell, and is sure enough."""
    tells: Flags = panel.verdict[place] >= 0
    if step.tried:
        hint = "`alternatives` gives an arrangement for each cutoff."
        raise InputError(_WHERE, "a cutoff that decides", "be a number", TRIED, hint)
    if step.cutoff is None:
        return tells
    _check_states(panel, place)
    sure: Flags = tells & (panel.confidence[place] >= step.cutoff)
    return sure


def _check_states(panel: JudgePanel, place: int) -> None:
    if not panel.states[place]:
        name = panel.judges[place]
        need, got = "belong to a judge with confidences", f"{name}, who gives none"
        hint = f"Without a cutoff, as in cascade({_name_text(name)}, people), what it "
        raise InputError(_WHERE, "a cutoff", need, got, f"{hint}can tell is decided.")


def _check_judges(judges: Sequence[str], *, least: int) -> None:
    if PEOPLE in judges:
        need, hint = "be a judge", "People are asked last, and decide what is left."
        raise InputError(_WHERE, "each but the last", need, PEOPLE, hint)
    if len(judges) < least:
        need = f"name at least {least} judge{'s' * (least > 1)}"
        hint = "One alone is cascade(JUDGE, people)."
        raise InputError(_WHERE, "the arrangement", need, str(len(judges)), hint)
    for judge in judges:
        if judges.count(judge) > 1:
            need, got = "name each judge once", f"{judge} more than once"
            hint = "Asked again, a judge says the same."
            raise InputError(_WHERE, "the arrangement", need, got, hint)


def _name_text(judge: str) -> str:
    """A judge's name as it is typed: in quotation marks where it has odd letters.

    Examples
    --------
    >>> _name_text("gpt-4"), _name_text("a, b")
    ('gpt-4', '"a, b"')
    """
    plain = _PLAIN.fullmatch(judge) is not None
    return judge if plain else json.dumps(judge, ensure_ascii=False)


# -- read --------------------------------------------------------------------------


def parse_arrangement(text: str) -> Arrangement:
    """An arrangement as it is typed.

    Parameters
    ----------
    text : str
        ``vote(A, B, C)``, by majority; ``unanimous(A, B)``; or ``cascade(A@0.9, B,
        people)``, where ``@`` says from which confidence on a verdict decides, and
        ``@*`` stands for several such cutoffs. Names with commas, brackets, blanks or
        ``@`` stand in quotation marks.

    Returns
    -------
    Vote or Cascade

    Raises
    ------
    ParseError
        If it does not read so.
    InputError
        If a judge stands twice, or people stand before the end.

    Examples
    --------
    >>> import demur
    >>> arrangement = demur.parse_arrangement("cascade(a@0.9,b@.80, people)")
    >>> print(arrangement)
    cascade(a@0.9, b@0.8, people)
    >>> demur.parse_arrangement(str(arrangement)) == arrangement
    True
    """
    checks.text(_WHERE, "the text", text)
    name, members = _members(text)
    if name == "cascade":
        *steps, last = members
        if last != (PEOPLE, None):
            raise _unreadable(text, "people must stand last")
        return Cascade(tuple(_step(text, *step) for step in steps))
    if any(cutoff is not None for _, cutoff in members):
        raise _unreadable(text, "only judges of a cascade have cutoffs")
    return Vote(tuple(judge for judge, _ in members), unanimous=name == "unanimous")


def _members(text: str) -> tuple[str, list[tuple[str, str | None]]]:
    """The word before the bracket, and each name in it with what stands behind @."""
    tokens = list(_tokens(text))
    if len(tokens) < 4 or tokens[1] != "(" or tokens[-1] != ")":
        raise _unreadable(text, "a word and names in brackets are needed")
    if tokens[0] not in ("vote", "unanimous", "cascade"):
        raise _unreadable(text, f"{shown(tokens[0])} is no arrangement")
    members: list[tuple[str, str | None]] = []
    inner = [*tokens[2:-1], ","]
    while inner:
        end = inner.index(",")
        member, inner = inner[:end], inner[end + 1 :]
        parts = (len(member), member[1:2])
        if parts not in ((1, []), (3, ["@"])) or {member[0], member[-1]} & {*"()@"}:
            raise _unreadable(text, f"{shown(' '.join(member))} is no judge")
        members.append((_name_of(text, member[0]), member[2] if member[1:] else None))
    return tokens[0], members


def _tokens(text: str) -> Iterator[str]:
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            raise _unreadable(text, f"{shown(text[place:].strip())} cannot be read")
        yield match[1]
        place = match.end()


def _name_of(text: str, token: str) -> str:
    if not token.startswith('"'):
        return token
    try:
        return str(json.loads(token))
    except ValueError:
        raise _unreadable(text, f"{token} is no name in quotation marks") from None


def _step(text: str, judge: str, cutoff: str | None) -> JudgeStage:
    if cutoff is None:
        return JudgeStage(judge)
    if cutoff == TRIED:
        return JudgeStage(judge, tried=True)
    try:
        return JudgeStage(judge, float(cutoff))
    except ValueError as problem:
        if isinstance(problem, InputError):
            raise
        raise _unreadable(text, f"the cutoff {cutoff} is no number") from None


def _unreadable(text: str, why: str) -> ParseError:
    need = "read like vote(a, b, c), unanimous(a, b) or cascade(a@0.9, b, people)"
    return ParseError(
        _WHERE, "the text", need, shown(text), f"{why[:1].upper()}{why[1:]}."
    )


# -- several to look at ------------------------------------------------------------


def alternatives(arrangement: Arrangement, panel: JudgePanel) -> list[Arrangement]:
    """The arrangements that one with ``@*`` stands for; itself, if it has none.

    The cutoffs are confidences of the judge with a tenth, two tenths, ... of its
    verdicts below them. Neither people's labels nor what is right has a part in it, so
    that looking at all of them is paid by a correction for their number alone.

    Parameters
    ----------
    arrangement : Vote or Cascade
    panel : JudgePanel
        With the confidences.

    Returns
    -------
    list of Vote or Cascade

    Examples
    --------
    >>> panel = JudgePanel(("a",), np.ones((1, 5), np.int8),
    ...     np.array([[0.9, 0.5, 0.5, 0.7, 0.8]]), np.array([True]))
    >>> [str(one) for one in alternatives(parse_arrangement("cascade(a@*, people)"),
    ...     panel)]
    ['cascade(a@0.5, people)', 'cascade(a@0.7, people)', 'cascade(a@0.8, people)',
    'cascade(a@0.9, people)']
    """
    if isinstance(arrangement, Vote):
        return [arrangement]
    choices = [_steps_of(step, panel) for step in arrangement.steps]
    if math.prod(map(len, choices)) > MOST_ARRANGEMENTS:
        need = f"stand for at most {MOST_ARRANGEMENTS:,} arrangements"
        raise InputError(_WHERE, "@*", need, str(arrangement), "Give some cutoffs.")
    return [Cascade(steps) for steps in product(*choices)]


def _steps_of(step: JudgeStage, panel: JudgePanel) -> list[JudgeStage]:
    if not step.tried:
        return [step]
    place = panel.place(step.judge)
    _check_states(panel, place)
    given = panel.confidence[place][panel.verdict[place] >= 0]
    given = np.sort(given[np.isfinite(given)])
    if not len(given):
        return [replace(step, tried=False)]
    places = np.minimum((np.array(GRID) * len(given)).astype(int), len(given) - 1)
    return [JudgeStage(step.judge, float(value)) for value in np.unique(given[places])]


def usual_arrangements(
    panel: JudgePanel, prices: Mapping[str, float] | None
) -> list[Arrangement]:
    """What is looked at if nobody names anything.

    Each judge alone, the sure ones at several cutoffs too; all of them by vote; and of
    each two neighbours by price the cheaper one before the dearer.

    Parameters
    ----------
    panel : JudgePanel
    prices : mapping of str to float, or None
        By which judges of a cascade are put in order; else as they come.

    Returns
    -------
    list of Vote or Cascade
        With cutoffs that are still to be tried.

    Examples
    --------
    >>> panel = JudgePanel(("a", "b"), np.ones((2, 1), np.int8), np.ones((2, 1)),
    ...     np.array([False, True]))
    >>> for arrangement in usual_arrangements(panel, {"a": 2, "b": 1}):
    ...     print(arrangement)
    cascade(a, people)
    cascade(b, people)
    cascade(b@*, people)
    unanimous(a, b)
    cascade(b@*, a, people)
    """
    names = panel.judges
    listed: list[Arrangement] = []
    for name, states in zip(names, panel.states, strict=True):
        listed.append(Cascade((JudgeStage(name),)))
        if states:
            listed.append(Cascade((JudgeStage(name, tried=True),)))
    if len(names) > 1:
        listed.append(Vote(names, unanimous=True))
    if len(names) > 2:
        listed.append(Vote(names))
    ordered = sorted(names, key=lambda name: (prices or {}).get(name, 0.0))
    for dearest in range(1, len(ordered)):
        cheaper, last = ordered[dearest - 1], ordered[dearest]
        sure = bool(panel.states[panel.place(cheaper)])
        listed.append(Cascade((JudgeStage(cheaper, tried=sure), JudgeStage(last))))
    return listed
